/* SPDX-License-Identifier: MIT */
/*
 * A round temple on a lake at evening: terrain and stone under a sun and two wandering point lights, mip-mapped
 * textures running to the horizon, linear fog, a polished floor that mirrors the columns through the stencil buffer,
 * stencilled shadows, alpha-tested trees, blended water and clouds, a sphere that reflects its surroundings by
 * generated texture coordinates, additive lights.
 *
 * It is made for a software driver: opaque surfaces are drawn from near to far and hide the rest, the sky is the last
 * of them, and only transparent surfaces are blended.
 */
#include "examples/landscape.h"

#include <string.h>

static struct {
    struct textures textures;
    struct shape sky;
} scene;

/* --- state ------------------------------------------------------------------------------- */

void set_float(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    set(device, state, bits);
}

void set_stage(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetTextureStageState(device, stage, state, value);
}

void set_blend(IDirect3DDevice8 *device, bool enable)
{
    set(device, D3DRS_ALPHABLENDENABLE, enable);
    set(device, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    set(device, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
}

void set_texture_matrix(IDirect3DDevice8 *device, DWORD stage, float scale, float shift_u, float shift_v)
{
    D3DMATRIX m = matrix_scaling(scale, scale, 1);

    m._31 = shift_u; /* two coordinates come in as (u, v, 1) */
    m._32 = shift_v;
    IDirect3DDevice8_SetTransform(device, D3DTS_TEXTURE0 + stage, &m);
    set_stage(device, stage, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
}

void clear_texture_matrix(IDirect3DDevice8 *device, DWORD stage)
{
    set_stage(device, stage, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
}

void set_second_layer(IDirect3DDevice8 *device, IDirect3DTexture8 *texture)
{
    IDirect3DDevice8_SetTexture(device, 1, (IDirect3DBaseTexture8 *)texture);
    set_stage(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 1, D3DTSS_COLOROP, texture ? D3DTOP_MODULATE2X : D3DTOP_DISABLE);
    set_stage(device, 1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    set_stage(device, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(device, 1, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    set_stage(device, 1, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    set_stage(device, 1, D3DTSS_MIPFILTER, D3DTEXF_POINT);
}

/* --- view and lights --------------------------------------------------------------------- */

static struct vec3 view_axis(const struct view *view, unsigned axis)
{
    return v3(view->matrix.m[0][axis], view->matrix.m[1][axis], view->matrix.m[2][axis]);
}

/* The view's four sides meet in the eye; anything behind the eye is outside of one of them. */
bool view_sees(const struct view *view, struct vec3 center, float radius)
{
    struct vec3 d = v3_sub(center, view->eye);
    float up = tanf(view_angle / 2), across = up * VIEW_WIDTH / VIEW_HEIGHT;
    float x = fabsf(v3_dot(d, view_axis(view, 0))), y = fabsf(v3_dot(d, view_axis(view, 1)));
    float z = v3_dot(d, view_axis(view, 2));

    return x - across * z < radius * sqrtf(1 + across * across) && y - up * z < radius * sqrtf(1 + up * up);
}

static struct vec3 orb_position(unsigned index, unsigned frame)
{
    float a = (float)frame * 0.011f * (index ? -1.3f : 1) + (float)index * 2.4f + 5.3f;

    return v3(cosf(a) * 6.4f, 2.0f + 0.8f * sinf(a * 2.3f), sinf(a) * 6.4f);
}

void light_orbs(IDirect3DDevice8 *device, bool enable)
{
    for (unsigned i = 0; i < ORB_COUNT; i++)
        IDirect3DDevice8_LightEnable(device, 1 + i, enable);
}

static void set_lights(IDirect3DDevice8 *device, unsigned frame)
{
    D3DLIGHT8 light = {0};
    struct vec3 direction = v3_scale(v3_normal(sun), -1);

    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse = sunlight;
    light.Specular = (D3DCOLORVALUE){1.0f, 0.75f, 0.5f, 1};
    light.Direction = (D3DVECTOR){direction.x, direction.y, direction.z};
    IDirect3DDevice8_SetLight(device, 0, &light);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    for (unsigned i = 0; i < ORB_COUNT; i++) {
        struct vec3 p = orb_position(i, frame);

        memset(&light, 0, sizeof(light));
        light.Type = D3DLIGHT_POINT;
        light.Diffuse = i ? (D3DCOLORVALUE){0.2f, 0.75f, 1.0f, 1} : (D3DCOLORVALUE){1.0f, 0.45f, 0.15f, 1};
        light.Specular = light.Diffuse;
        light.Position = (D3DVECTOR){p.x, p.y, p.z};
        light.Range = 11;
        light.Attenuation1 = 0.28f;
        light.Attenuation2 = 0.06f;
        IDirect3DDevice8_SetLight(device, 1 + i, &light);
    }
    set(device, D3DRS_AMBIENT, ambient_light);
}

D3DCOLOR sunlit(D3DCOLOR paint, struct vec3 normal)
{
    float facing = fmaxf(v3_dot(v3_normal(normal), v3_normal(sun)), 0) * 255;
    float red = (float)(ambient_light >> 16 & 255) + facing * sunlight.r;
    float green = (float)(ambient_light >> 8 & 255) + facing * sunlight.g;
    float blue = (float)(ambient_light & 255) + facing * sunlight.b;
    const float full = 255 * 255;

    return color_rgba((float)(paint >> 16 & 255) * red / full, (float)(paint >> 8 & 255) * green / full,
                      (float)(paint & 255) * blue / full, (float)(paint >> 24) / 255);
}

static struct view begin_frame(IDirect3DDevice8 *device, unsigned frame)
{
    struct view view = {.frame = frame};
    float a = -0.95f + (float)frame * 0.0022f;
    D3DMATRIX projection = matrix_perspective(view_angle, (float)VIEW_WIDTH / VIEW_HEIGHT, 0.5f, 400);

    view.eye = v3(cosf(a) * 25, 5.2f + 1.4f * sinf((float)frame * 0.009f), sinf(a) * 25);
    view.matrix = matrix_look_at(view.eye, v3(0, 3.0f, 0));
    /* every pixel is painted anyway: no colour to clear */
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1, 0);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view.matrix);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
    set_lights(device, frame);
    set(device, D3DRS_FOGENABLE, FALSE); /* the temple is near */
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_FOGCOLOR, haze);
    set(device, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    set_float(device, D3DRS_FOGSTART, 30);
    set_float(device, D3DRS_FOGEND, 210);
    return view;
}

/* --- sky --------------------------------------------------------------------------------- */

static const float cloud_height = 40.8f, cloud_fall = 30 / (260.0f * 260.0f); /* above the eye */
static const float cloud_edge = 250, cloud_scale = 5 / 520.0f;

/* The sheet of clouds above the eye, in all directions, and a wall from its edge down to the horizon. One layer of
 * triangles is both the dome and the clouds, in the clouds' perspective. */
static struct vec3 sky_surface(float u, float v)
{
    float a = 2 * pi * u, up = tanf(pi / 2 * fminf(v * 1.08f - 0.08f, 0.999f));
    float r = 2 * cloud_height / (up + sqrtf(up * up + 4 * cloud_fall * cloud_height));

    if (r > cloud_edge)
        return v3(cosf(a) * cloud_edge, cloud_edge * up, sinf(a) * cloud_edge);
    return v3(cosf(a) * r, cloud_height - cloud_fall * r * r, sinf(a) * r);
}

/* The sky's colour, and the density of the clouds in front of it. */
static D3DCOLOR sky_paint(struct vec3 p)
{
    float r = sqrtf(p.x * p.x + p.z * p.z) / cloud_edge;

    return (sky_color(v3_normal(p)) & 0xffffff) | (D3DCOLOR)(fmaxf(1 - r * r, 0) * 235) << 24;
}

/*
 * Drawn after everything opaque, at the far end of the depth range, so that only visible pixels are painted. The first
 * stage computes the density of the clouds from texture and vertices, the second mixes in their colour.
 */
static void draw_sky(IDirect3DDevice8 *device, const struct view *view)
{
    D3DMATRIX world = matrix_translation(view->eye.x, view->eye.y, view->eye.z);
    D3DVIEWPORT8 viewport = {0, 0, VIEW_WIDTH, VIEW_HEIGHT, 1, 1};

    IDirect3DDevice8_SetViewport(device, &viewport);
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_FOGENABLE, FALSE);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_TEXTUREFACTOR, 0xffffe4c8);
    use_texture(device, scene.textures.cloud, false);
    set_stage(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    set_stage(device, 0, D3DTSS_MIPFILTER, D3DTEXF_NONE); /* they thin out before they become small */
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_BLENDCURRENTALPHA);
    set_stage(device, 1, D3DTSS_COLORARG1, D3DTA_TFACTOR);
    set_stage(device, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_texture_matrix(device, 0, 1, view->eye.x * cloud_scale + (float)view->frame * 0.0006f,
                       view->eye.z * cloud_scale + (float)view->frame * 0.0002f);
    shape_draw(device, &scene.sky, &world);
    clear_texture_matrix(device, 0);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_FOGENABLE, TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    viewport.MinZ = 0;
    IDirect3DDevice8_SetViewport(device, &viewport);
}

/* --- visible lights ---------------------------------------------------------------- */

#define GLOW_CORNERS 8

/* A polygon around the disc of a glow, facing the camera, from the program's own memory: in the corners of a square,
 * pixels would add nothing. */
static void draw_glow(IDirect3DDevice8 *device, const struct view *view, struct vec3 p, float size, D3DCOLOR color)
{
    const float radius = 1 / cosf(pi / GLOW_CORNERS);
    struct shape_vertex v[GLOW_CORNERS];

    if (!view_sees(view, p, size))
        return;
    memset(v, 0, sizeof(v));
    for (unsigned i = 0; i < GLOW_CORNERS; i++) {
        float a = (float)i * 2 * pi / GLOW_CORNERS, x = radius * cosf(a), y = radius * sinf(a);
        struct vec3 across = v3_scale(view_axis(view, 0), x * size);

        v[i].position = v3_add(p, v3_add(across, v3_scale(view_axis(view, 1), y * size)));
        v[i].color = color;
        v[i].u = 0.5f + 0.5f * x;
        v[i].v = 0.5f - 0.5f * y;
    }
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLEFAN, GLOW_CORNERS - 2, v, sizeof(v[0]));
}

static void draw_lights(IDirect3DDevice8 *device, const struct view *view)
{
    D3DMATRIX world = matrix_identity();
    struct vec3 sun_place = v3_add(view->eye, v3_scale(v3_normal(sun), 300));

    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_FOGENABLE, FALSE);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    use_texture(device, scene.textures.glow, false);
    set_stage(device, 0, D3DTSS_MIPFILTER, D3DTEXF_NONE); /* never much smaller than it is */
    set_blend(device, true);
    set(device, D3DRS_DESTBLEND, D3DBLEND_ONE);
    draw_glow(device, view, sun_place, 63, 0xffffc890);
    for (unsigned i = 0; i < ORB_COUNT; i++) {
        D3DCOLOR color = i ? 0xff48c0ff : 0xffff9038;

        draw_glow(device, view, orb_position(i, view->frame), 0.9f, color);
        draw_glow(device, view, orb_position(i, view->frame), 0.28f, 0xffffffff);
    }
    set_blend(device, false);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
}

/* --- frame ------------------------------------------------------------------------------- */

static bool create(IDirect3DDevice8 *device)
{
    const struct surface sky = {
        .position = sky_surface, .paint = sky_paint, .columns = 32, .rows = 16, .planar = cloud_scale};

    scene.textures = textures_create(device);
    scene.sky = shape_create(device, &sky);
    land_create(device);
    temple_create(device);
    return true;
}

static void destroy(void)
{
    temple_destroy();
    land_destroy();
    shape_destroy(&scene.sky);
    textures_destroy(&scene.textures);
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    struct view view = begin_frame(device, frame);

    temple_draw(device, &view, &scene.textures);
    set(device, D3DRS_FOGENABLE, TRUE);
    land_draw(device, &view, &scene.textures);
    draw_sky(device, &view);
    lake_draw(device, &view, &scene.textures);
    draw_lights(device, &view);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Landscape", create, draw, destroy};

    return example_run(&example, argc, argv);
}
