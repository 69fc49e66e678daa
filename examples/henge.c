/* SPDX-License-Identifier: MIT */
/*
 * A circle of standing stones before sunset, with features that Direct3D 9 added: stones and ground with normal maps
 * and per-pixel lighting (shader model 3), shadows from a depth texture, grass drawn as instances, light in half
 * floats, and full-screen passes that turn it into bloom, light shafts and the picture. The shaders are texts in
 * examples/shaders.
 */
#include "examples/henge.h"

#define SHADOW_SIZE  1024
#define SMALL_WIDTH  (VIEW_WIDTH / 4)
#define SMALL_HEIGHT (VIEW_HEIGHT / 4)
#define SHAFT_STEPS  28 /* as examples/shaders/henge_shafts.psa has it */

static const float view_angle = 0.86f;
/* Light is linear, and 1 is white on the screen only after exposure. */
static const struct vec3 sun = {-0.345f, 0.265f, 0.90f}, sunlight = {5.4f, 3.3f, 1.7f};
static const struct vec3 sky_light = {0.34f, 0.42f, 0.62f}, ground_light = {0.20f, 0.16f, 0.11f};
static const struct vec3 haze = {0.62f, 0.50f, 0.47f}, sun_haze = {2.3f, 1.15f, 0.48f}, zenith = {0.10f, 0.20f, 0.46f};
static const struct vec3 crystal_light = {0.45f, 3.4f, 4.6f};

struct view {
    struct vec3 eye;
    D3DMATRIX matrix, projection, both;
    D3DMATRIX sun, shadow; /* into the sun's view, and from the world to coordinates and depth of the shadow map */
    unsigned frame;
};

static struct {
    struct textures textures;
    struct programs programs;
    struct model stones, ground, crystal;
    struct grass grass;
    IDirect3DVertexDeclaration9 *flat;
    IDirect3DTexture9 *shadow, *shadow_color; /* a depth texture, and the colour target that must be bound with it */
    IDirect3DTexture9 *light;                 /* the scene in half floats */
    IDirect3DTexture9 *bright, *bloom[2], *shafts;
    IDirect3DSurface9 *depth; /* for the scene: the device's own */
} scene;

/* --- view ------------------------------------------------------------------------------------------ */

static struct vec3 axis(const D3DMATRIX *view, unsigned column)
{
    return v3(view->m[0][column], view->m[1][column], view->m[2][column]);
}

/* From clip space to a texture: v points down, and half a texel is added because pixel centres are at integers. */
static D3DMATRIX texture_from_clip(unsigned size)
{
    D3DMATRIX m = matrix_scaling(0.5f, -0.5f, 1);

    m._41 = m._42 = 0.5f + 0.5f / (float)size;
    return m;
}

static struct view make_view(unsigned frame)
{
    struct view view = {.frame = frame};
    float a = 0.02f - 0.3f * sinf((float)frame * 0.008f), up = 2.1f + 0.35f * sinf((float)frame * 0.013f);
    D3DMATRIX look, box, to_texture = texture_from_clip(SHADOW_SIZE);
    struct vec3 center = v3(-1, 0.5f, 2), to_sun = v3_normal(sun);

    view.eye = v3(sinf(a) * 17, up, -cosf(a) * 17);
    view.eye.y += ground_height(view.eye.x, view.eye.z) * 0.5f;
    view.matrix = matrix_look_at(view.eye, v3(-0.9f, 3.2f, 0));
    view.projection = matrix_perspective(view_angle, (float)VIEW_WIDTH / VIEW_HEIGHT, 0.3f, 700);
    view.both = matrix_product(&view.matrix, &view.projection);
    look = matrix_look_at(v3_add(center, v3_scale(to_sun, 45)), center);
    box = matrix_orthographic(38, 17, 5, 90);
    view.sun = matrix_product(&look, &box);
    view.shadow = matrix_product(&view.sun, &to_texture);
    return view;
}

/* --- constants --------------------------------------------------------------------------------------- */

static void set_vertex_light(IDirect3DDevice9 *device, unsigned number, struct vec3 light, float w)
{
    set_vertex_constant(device, number, light.x, light.y, light.z, w);
}

static void set_pixel_light(IDirect3DDevice9 *device, unsigned number, struct vec3 light, float w)
{
    set_pixel_constant(device, number, light.x, light.y, light.z, w);
}

/* Constants that all shaders of the scene share; the grass has some more. */
static void set_vertex_constants(IDirect3DDevice9 *device, const struct view *view)
{
    float pulse = 1 + 0.08f * sinf((float)view->frame * 0.09f);

    set_vertex_matrix(device, 0, &view->both);
    set_vertex_matrix(device, 4, &view->shadow);
    set_vertex_light(device, 7, view->eye, (float)view->frame * 0.011f);
    set_vertex_light(device, 8, v3_normal(sun), 0);
    set_vertex_light(device, 9, haze, 0.0042f);
    set_vertex_light(device, 10, sun_haze, 10);
    set_vertex_light(device, 11, crystal_place, 0.22f);
    set_vertex_light(device, 12, v3_scale(crystal_light, pulse), 0);
    set_vertex_constant(device, 13, 0.8f, 0.6f, 0.16f, 0.12f);
    set_vertex_constant(device, 14, 0.012f, 0.016f, 0.006f, 0);
    set_vertex_constant(device, 15, 0.085f, 0.15f, 0.022f, 0);
    set_vertex_constant(device, 16, 0.42f, 0.34f, 0.09f, 0);
    set_vertex_light(device, 17, sunlight, 0);
    set_vertex_light(device, 18, v3_scale(sky_light, 0.7f), 0);
    set_pixel_light(device, 0, v3_normal(sun), 0);
    set_pixel_light(device, 1, sunlight, 0);
    set_pixel_light(device, 2, sky_light, 0);
    set_pixel_light(device, 3, ground_light, 0);
    set_pixel_light(device, 4, v3_scale(crystal_light, pulse), 0.22f);
}

/* --- shadow map ------------------------------------------------------------------------------------- */

/* The sun's view of the stones: only depth, moved away a little, so that lit surfaces do not shadow themselves. */
static void draw_shadow_map(IDirect3DDevice9 *device, const struct view *view)
{
    IDirect3DSurface9 *depth;

    use_target(device, scene.shadow_color);
    IDirect3DTexture9_GetSurfaceLevel(scene.shadow, 0, &depth);
    IDirect3DDevice9_SetDepthStencilSurface(device, depth);
    IDirect3DSurface9_Release(depth);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0);
    program_use(device, &scene.programs.depth);
    set_vertex_matrix(device, 0, &view->sun);
    set(device, D3DRS_COLORWRITEENABLE, 0);
    set_float(device, D3DRS_DEPTHBIAS, 0.0006f);
    set_float(device, D3DRS_SLOPESCALEDEPTHBIAS, 1.5f);
    model_draw(device, &scene.stones);
    set_float(device, D3DRS_DEPTHBIAS, 0);
    set_float(device, D3DRS_SLOPESCALEDEPTHBIAS, 0);
    set(device, D3DRS_COLORWRITEENABLE, 15);
}

/* --- scene -------------------------------------------------------------------------------------------- */

static void use_shadow(IDirect3DDevice9 *device, unsigned sampler)
{
    use_texture(device, sampler, scene.shadow, D3DTADDRESS_BORDER, D3DTEXF_LINEAR, D3DTEXF_NONE);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_BORDERCOLOR, 0xffffffff); /* beyond it the sun shines */
}

/* Colours are painted for the eye; light is added in linear numbers. */
static void use_colors(IDirect3DDevice9 *device, unsigned sampler, bool srgb)
{
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_SRGBTEXTURE, srgb);
}

static void draw_lit(IDirect3DDevice9 *device, const struct model *model, IDirect3DTexture9 *colors,
                     IDirect3DTexture9 *normals, float exponent, float gloss)
{
    use_texture(device, 0, colors, D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    use_texture(device, 1, normals, D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    use_shadow(device, 2);
    use_colors(device, 0, true);
    set_pixel_constant(device, 5, exponent, gloss, 0, 0);
    program_use(device, &scene.programs.lit);
    model_draw(device, model);
    use_colors(device, 0, false);
}

static void draw_crystal(IDirect3DDevice9 *device, const struct view *view)
{
    float t = (float)view->frame;
    D3DMATRIX turn = matrix_rotation_y(t * 0.02f);
    D3DMATRIX place = matrix_translation(crystal_place.x, crystal_place.y + 0.08f * sinf(t * 0.035f), crystal_place.z);
    D3DMATRIX world = matrix_product(&turn, &place);

    set_vertex_matrix(device, 24, &world);
    program_use(device, &scene.programs.crystal);
    model_draw(device, &scene.crystal);
}

static void draw_grass(IDirect3DDevice9 *device)
{
    use_shadow(device, 0);
    program_use(device, &scene.programs.grass);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    grass_draw(device, &scene.grass);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
}

struct corner {
    float x, y, z, w;
    float u, v, t;
};

/* One triangle that covers the view; `ray`: the directions at the view's corners instead of texture coordinates. */
static void draw_all_over(IDirect3DDevice9 *device, const struct view *ray)
{
    static const float places[3][2] = {{-1, 1}, {3, 1}, {-1, -3}};
    struct corner corners[3];

    for (unsigned i = 0; i < 3; i++) {
        float x = places[i][0], y = places[i][1];

        corners[i] = (struct corner){x, y, 0, 1, 0.5f + 0.5f * x, 0.5f - 0.5f * y, 0};
        if (ray) {
            struct vec3 d = v3_add(v3_scale(axis(&ray->matrix, 0), x / ray->projection._11),
                                   v3_scale(axis(&ray->matrix, 1), y / ray->projection._22));

            d = v3_add(d, axis(&ray->matrix, 2));
            corners[i].u = d.x, corners[i].v = d.y, corners[i].t = d.z;
        }
    }
    IDirect3DDevice9_SetVertexDeclaration(device, scene.flat);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners, sizeof(corners[0]));
}

/* Drawn after everything that hides it. */
static void draw_sky(IDirect3DDevice9 *device, const struct view *view)
{
    float drift = (float)view->frame * 0.00035f;

    use_texture(device, 0, scene.textures.clouds, D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    set_pixel_light(device, 1, haze, 10);
    set_pixel_light(device, 2, zenith, 5);
    set_pixel_light(device, 3, sun_haze, 90);
    set_pixel_constant(device, 4, drift, 0.4f * drift + 0.3f, 0.16f, 0);
    set_pixel_constant(device, 5, 1.0f, 0.78f, 0.62f, 0);
    set_pixel_constant(device, 6, 0.42f, 0.36f, 0.42f, 0);
    program_use(device, &scene.programs.sky);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    draw_all_over(device, view);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
}

static void draw_scene(IDirect3DDevice9 *device, const struct view *view)
{
    const struct textures *t = &scene.textures;

    use_target(device, scene.light);
    IDirect3DDevice9_SetDepthStencilSurface(device, scene.depth);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1, 0); /* the sky covers the rest */
    set_vertex_constants(device, view);
    draw_lit(device, &scene.stones, t->stone, t->stone_normals, 18, 0.35f);
    draw_crystal(device, view);
    draw_grass(device);
    draw_lit(device, &scene.ground, t->soil, t->soil_normals, 12, 0.12f);
    draw_sky(device, view);
}

/* --- from light to picture ------------------------------------------------------------------------------ */

/* The pass's own constants and textures are set already. */
static void draw_pass(IDirect3DDevice9 *device, const struct program *program, IDirect3DTexture9 *target,
                      unsigned width, unsigned height)
{
    use_target(device, target);
    program_use(device, program);
    set_vertex_constant(device, 0, -1 / (float)width, 1 / (float)height, 0, 0);
    draw_all_over(device, NULL);
}

static void use_light(IDirect3DDevice9 *device, unsigned sampler, IDirect3DTexture9 *texture)
{
    use_texture(device, sampler, texture, D3DTADDRESS_CLAMP, D3DTEXF_LINEAR, D3DTEXF_NONE);
}

static void blur(IDirect3DDevice9 *device, IDirect3DTexture9 *from, IDirect3DTexture9 *to, float x, float y)
{
    const float first = 1.3846154f, second = 3.2307692f; /* texels */

    x /= SMALL_WIDTH;
    y /= SMALL_HEIGHT;
    use_light(device, 0, from);
    set_pixel_constant(device, 0, first * x, first * y, second * x, second * y);
    draw_pass(device, &scene.programs.blur, to, SMALL_WIDTH, SMALL_HEIGHT);
}

/* The sun's place in the picture; its shafts fade when it is behind the viewer. */
static void set_shaft_constants(IDirect3DDevice9 *device, const struct view *view)
{
    struct vec3 to_sun = v3_normal(sun);
    float z = v3_dot(to_sun, axis(&view->matrix, 2)), ahead = fmaxf(z, 0.05f);
    float x = v3_dot(to_sun, axis(&view->matrix, 0)) * view->projection._11 / ahead;
    float y = v3_dot(to_sun, axis(&view->matrix, 1)) * view->projection._22 / ahead;

    set_pixel_constant(device, 0, 0.5f + 0.5f * x, 0.5f - 0.5f * y, 0.92f / SHAFT_STEPS,
                       fminf(fmaxf(z * 2, 0), 1) * 1.6f / SHAFT_STEPS);
    set_pixel_constant(device, 1, 0.955f, 0, 0, 0);
}

static void draw_picture(IDirect3DDevice9 *device, const struct view *view)
{
    IDirect3DDevice9_SetDepthStencilSurface(device, NULL);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    use_light(device, 0, scene.light);
    set_pixel_constant(device, 0, 1.0f / VIEW_WIDTH, 1.0f / VIEW_HEIGHT, -1.0f / VIEW_WIDTH, -1.0f / VIEW_HEIGHT);
    set_pixel_constant(device, 1, 0.2126f, 0.7152f, 0.0722f, 1.15f);
    draw_pass(device, &scene.programs.bright, scene.bright, SMALL_WIDTH, SMALL_HEIGHT);
    use_light(device, 0, scene.bright);
    set_shaft_constants(device, view);
    draw_pass(device, &scene.programs.shafts, scene.shafts, SMALL_WIDTH, SMALL_HEIGHT);
    blur(device, scene.bright, scene.bloom[1], 1, 0);
    blur(device, scene.bloom[1], scene.bloom[0], 0, 1);
    blur(device, scene.bloom[0], scene.bloom[1], 2.4f, 0);
    blur(device, scene.bloom[1], scene.bloom[0], 0, 2.4f);
    use_texture(device, 0, scene.light, D3DTADDRESS_CLAMP, D3DTEXF_POINT, D3DTEXF_NONE);
    use_light(device, 1, scene.bloom[0]);
    use_light(device, 2, scene.shafts);
    set_pixel_constant(device, 0, 0.85f, 0.42f, 0.40f, 0.55f);
    draw_pass(device, &scene.programs.tone, NULL, VIEW_WIDTH, VIEW_HEIGHT);
    for (unsigned i = 0; i < 3; i++)
        IDirect3DDevice9_SetTexture(device, i, NULL); /* the next frame draws to them */
    set(device, D3DRS_ZENABLE, D3DZB_TRUE);
    IDirect3DDevice9_SetDepthStencilSurface(device, scene.depth);
}

/* --- frame --------------------------------------------------------------------------------------------------- */

static bool create(IDirect3DDevice9 *device)
{
    static const D3DVERTEXELEMENT9 flat[] = {
        {0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 16, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
        D3DDECL_END(),
    };
    const D3DFORMAT half = D3DFMT_A16B16G16R16F;

    scene.textures = textures_create(device);
    scene.programs = programs_create(device);
    scene.stones = stones_create(device);
    scene.ground = ground_create(device);
    scene.crystal = crystal_create(device);
    scene.grass = grass_create(device);
    scene.flat = make_declaration(device, flat);
    scene.shadow = make_target(device, SHADOW_SIZE, SHADOW_SIZE, D3DUSAGE_DEPTHSTENCIL, D3DFMT_D24X8);
    scene.shadow_color =
        make_target(device, SHADOW_SIZE, SHADOW_SIZE, D3DUSAGE_RENDERTARGET, unused_color_format(device));
    scene.light = make_target(device, VIEW_WIDTH, VIEW_HEIGHT, D3DUSAGE_RENDERTARGET, half);
    scene.bright = make_target(device, SMALL_WIDTH, SMALL_HEIGHT, D3DUSAGE_RENDERTARGET, half);
    scene.bloom[0] = make_target(device, SMALL_WIDTH, SMALL_HEIGHT, D3DUSAGE_RENDERTARGET, half);
    scene.bloom[1] = make_target(device, SMALL_WIDTH, SMALL_HEIGHT, D3DUSAGE_RENDERTARGET, half);
    scene.shafts = make_target(device, SMALL_WIDTH, SMALL_HEIGHT, D3DUSAGE_RENDERTARGET, half);
    return SUCCEEDED(IDirect3DDevice9_GetDepthStencilSurface(device, &scene.depth));
}

static void destroy(void)
{
    IDirect3DTexture9 *const targets[] = {scene.shadow,   scene.shadow_color, scene.light, scene.bright,
                                          scene.bloom[0], scene.bloom[1],     scene.shafts};

    textures_destroy(&scene.textures);
    programs_destroy(&scene.programs);
    model_destroy(&scene.stones);
    model_destroy(&scene.ground);
    model_destroy(&scene.crystal);
    grass_destroy(&scene.grass);
    IDirect3DVertexDeclaration9_Release(scene.flat);
    for (unsigned i = 0; i < COUNT(targets); i++)
        IDirect3DTexture9_Release(targets[i]);
    IDirect3DSurface9_Release(scene.depth);
}

static void draw(IDirect3DDevice9 *device, unsigned frame)
{
    struct view view = make_view(frame);

    draw_shadow_map(device, &view);
    draw_scene(device, &view);
    draw_picture(device, &view);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Henge", create, draw, destroy};

    return example_run(&example, argc, argv);
}
