/* SPDX-License-Identifier: MIT */
/*
 * A round temple on a lake at evening: terrain and stone under a sun and two wandering point
 * lights, mip-mapped textures running to the horizon, linear fog, a polished floor that mirrors the
 * columns through the stencil buffer, stencilled shadows, alpha-tested trees, blended water and
 * clouds, a sphere that reflects its surroundings by generated texture coordinates, additive
 * lights.
 */
#include "examples/shapes.h"

#include <stdlib.h>
#include <string.h>

#define COLUMN_COUNT 10
#define TREE_COUNT   240
#define ORB_COUNT    2

static const struct vec3 sun = {-0.80f, 0.34f, 0.50f}; /* towards it; normalised in use */
static const float floor_radius = 12, water_level = -0.9f, world_size = 120;
static const D3DCOLOR haze = 0xffe0b48e;

static struct {
    struct shape sky, clouds, terrain, water, floor, rim, column, ring, steps, sphere, pedestal;
    IDirect3DTexture8 *ground, *detail, *tiles, *marble, *cloud, *wave, *glow, *leaves, *mirror;
    IDirect3DVertexBuffer8 *trees;
    D3DMATRIX view;
    struct vec3 eye;
} scene;

/* --- textures ------------------------------------------------------------------------ */

static float height_at(float x, float z)
{
    float r = sqrtf(x * x + z * z);
    float rise = fminf(fmaxf((r - 27) / 50, 0), 1);
    float hills = fractal_noise(x * 0.034f + 40, z * 0.034f + 40, 0, 5);

    return -3.0f + rise * (1.5f + 44 * hills * hills * rise) + 2 * hills;
}

static D3DCOLOR ground_texel(float u, float v)
{
    float x = (u - 0.5f) * 2 * world_size, z = (v - 0.5f) * 2 * world_size;
    float h = height_at(x, z);
    float slope = fabsf(height_at(x + 1, z) - h) + fabsf(height_at(x, z + 1) - h);
    float patch = fractal_noise(u * 40, v * 40, 0, 3);
    D3DCOLOR color = color_mix(0xff56672c, 0xff8b8a45, patch * 1.6f - 0.3f);

    color = color_mix(0xffc9b083, color, (h + 0.6f) * 0.9f);
    color = color_mix(color, 0xff85786c, (slope - 0.55f) * 2.2f);
    return color_mix(color, 0xfff4f1f0, (h - 13 - 5 * patch) * 0.35f);
}

static D3DCOLOR detail_texel(float u, float v)
{
    float n = 0.32f + 0.36f * fractal_noise(u * 16, v * 16, 16, 4);

    return color_rgba(n, n, n, 1);
}

/* Light and dark marble squares with a worn joint between them. */
static D3DCOLOR tile_texel(float u, float v)
{
    float x = u * 2 - floorf(u * 2), y = v * 2 - floorf(v * 2);
    float edge = fminf(fminf(x, 1 - x), fminf(y, 1 - y));
    float vein = sinf((u + v) * 2 * pi + 7 * fractal_noise(u * 6, v * 6, 6, 5));
    bool dark = ((int)(u * 2) + (int)(v * 2)) & 1;
    D3DCOLOR stone = dark ? color_mix(0xff5b4c4a, 0xff83695b, vein * vein)
                          : color_mix(0xffd8cdbb, 0xfff1e8d8, vein * vein);

    return edge < 0.018f ? 0xff6a5f55 : stone;
}

static D3DCOLOR marble_texel(float u, float v)
{
    float vein = fabsf(sinf(2 * pi * u + 9 * fractal_noise(u * 4, v * 4, 4, 5)));

    return color_mix(0xffb5a48f, 0xfffbf3e4, powf(vein, 0.35f));
}

static D3DCOLOR cloud_texel(float u, float v)
{
    float n = fractal_noise(u * 5, v * 5, 5, 6);
    float density = fminf(fmaxf((n - 0.46f) * 3.6f, 0), 1);

    return color_mix(0x00fff0e0, 0xf0fffaf2, density);
}

static D3DCOLOR wave_texel(float u, float v)
{
    float n = fractal_noise(u * 8, v * 8, 8, 4);
    float ridge = 1 - fabsf(n - 0.5f) * 4;

    return color_mix(0xff6f7f88, 0xffc8d2d4, ridge);
}

static D3DCOLOR glow_texel(float u, float v)
{
    float x = u * 2 - 1, y = v * 2 - 1, r = sqrtf(x * x + y * y);
    float light = r < 1 ? powf(1 - r, 2.2f) + (r < 0.16f ? 0.5f : 0) : 0;

    return color_rgba(light, light, light, light);
}

/* A cypress: alpha says where leaves are. */
static D3DCOLOR leaf_texel(float u, float v)
{
    float x = fabsf(u * 2 - 1), up = 1 - v;
    float width =
        up < 0.08f ? 0.09f : 0.62f * powf(sinf(pi * powf((up - 0.06f) / 0.96f, 0.62f)), 0.8f);
    float n = fractal_noise(u * 20, v * 34, 0, 3);
    D3DCOLOR color = up < 0.08f ? 0x4a3a2a : color_mix(0x1f3118, 0x63803a, n * 1.5f - 0.25f);

    return (color & 0xffffff) | (x < width * (0.62f + 0.5f * n) ? 0xff000000 : 0);
}

static D3DCOLOR sky_color(struct vec3 direction)
{
    float up = fmaxf(direction.y, 0);
    float facing = fmaxf(v3_dot(v3_normal(direction), v3_normal(sun)), 0);
    D3DCOLOR color = color_mix(haze, 0xff7fa0c4, powf(up, 0.5f) * 1.25f);

    color = color_mix(color, 0xff2f5694, up * 1.35f - 0.25f);
    color = color_mix(color, 0xffffc27a, powf(facing, 7) * 0.85f);
    return color_mix(color, 0xfffff4d8, powf(facing, 90));
}

/* The surroundings on a sphere map: the texture is the unit disc of reflection vectors. */
static D3DCOLOR mirror_texel(float u, float v)
{
    float x = u * 2 - 1, y = 1 - v * 2;
    float z = sqrtf(fmaxf(1 - x * x - y * y, 0));
    D3DCOLOR lake = color_mix(0xff5a4632, 0xff2c3440, -y * 1.5f);
    D3DCOLOR sky = sky_color(v3(x * 0.8f, y, z * 0.4f + 0.3f));

    return y > 0.02f ? sky : color_mix(haze, lake, -y * 6 + 0.3f);
}

/* --- shapes ----------------------------------------------------------------------------- */

static struct vec3 sky_surface(float u, float v)
{
    float a = 2 * pi * u, up = pi / 2 * (v * 1.08f - 0.08f);

    return v3(cosf(a) * cosf(up), sinf(up), sinf(a) * cosf(up));
}

static D3DCOLOR sky_paint(struct vec3 position)
{
    return sky_color(position);
}

static struct vec3 cloud_surface(float u, float v)
{
    float x = u * 2 - 1, z = v * 2 - 1;

    return v3(x * 260, 46 - 30 * (x * x + z * z), z * 260);
}

static D3DCOLOR cloud_paint(struct vec3 p)
{
    float r = sqrtf(p.x * p.x + p.z * p.z) / 250;
    D3DCOLOR lit = color_mix(0x00ffffff, 0x00ffd9b0, r);

    return lit | (D3DCOLOR)(fmaxf(1 - r * r, 0) * 235) << 24;
}

static struct vec3 terrain_surface(float u, float v)
{
    float x = (u - 0.5f) * 2 * world_size, z = (v - 0.5f) * 2 * world_size;

    return v3(x, height_at(x, z), z);
}

static struct vec3 water_surface(float u, float v)
{
    return v3((u - 0.5f) * 200, water_level, (v - 0.5f) * 200);
}

static struct vec3 floor_surface(float u, float v)
{
    float r = floor_radius * (1 - v);

    return v3(r * cosf(2 * pi * u), 0, r * sinf(2 * pi * u));
}

static struct vec3 rim_surface(float u, float v)
{
    float r = floor_radius + 0.35f - 0.35f * v * v;

    return v3(r * cosf(2 * pi * u), v * 3 - 3, r * sinf(2 * pi * u));
}

static struct vec3 steps_surface(float u, float v)
{
    static const float profile[5][2] = {
        {2.6f, 0}, {2.6f, 0.3f}, {2.1f, 0.3f}, {2.1f, 0.6f}, {0, 0.6f}};
    float t = v * 4;
    int i = t >= 4 ? 3 : (int)t;
    float r = profile[i][0] + (profile[i + 1][0] - profile[i][0]) * (t - (float)i);
    float y = profile[i][1] + (profile[i + 1][1] - profile[i][1]) * (t - (float)i);

    return v3(r * cosf(2 * pi * u), y, r * sinf(2 * pi * u));
}

/* Fluted, slightly swelling shaft between a round base and a flared capital. */
static struct vec3 column_surface(float u, float v)
{
    float a = 2 * pi * u, y = v * 5.2f, r = 0.46f - 0.07f * v + 0.03f * sinf(pi * v);

    if (v < 0.07f)
        r += 0.20f * cosf(v / 0.07f * pi / 2);
    else if (v > 0.92f)
        r += 0.32f * (v - 0.92f) / 0.08f;
    else
        r -= 0.05f * fabsf(cosf(a * 4));
    return v3(r * cosf(a), y, r * sinf(a));
}

static struct vec3 ring_surface(float u, float v)
{
    static const float profile[6][2] = {{9.3f, 0},      {10.7f, 0},    {10.7f, 0.75f},
                                        {11.1f, 1.05f}, {9.3f, 1.05f}, {9.3f, 0}};
    float t = v * 5;
    int i = t >= 5 ? 4 : (int)t;
    float r = profile[i][0] + (profile[i + 1][0] - profile[i][0]) * (t - (float)i);
    float y = profile[i][1] + (profile[i + 1][1] - profile[i][1]) * (t - (float)i);

    return v3(r * cosf(2 * pi * u), y + 5.2f, r * sinf(2 * pi * u));
}

static struct vec3 sphere_surface(float u, float v)
{
    float a = -2 * pi * u, polar = pi * v;

    return v3(cosf(a) * sinf(polar), cosf(polar), sinf(a) * sinf(polar));
}

static struct vec3 pedestal_surface(float u, float v)
{
    float r = 0.35f + 0.5f * powf(fabsf(v * 2 - 1), 3);

    return v3(r * cosf(2 * pi * u), 0.6f + v * 1.3f, r * sinf(2 * pi * u));
}

static void put_tree(struct shape_vertex *out, float x, float z, float size)
{
    static const float corners[6][2] = {{-1, 0}, {-1, 1}, {1, 0}, {1, 0}, {-1, 1}, {1, 1}};
    float y = height_at(x, z) - 0.15f;

    for (unsigned i = 0; i < 12; i++) {
        float along = corners[i % 6][0] * size * 0.36f, up = corners[i % 6][1];

        out[i].position =
            v3(x + (i < 6 ? along : 0), y + up * size * 1.7f, z + (i < 6 ? 0 : along));
        out[i].normal = v3_normal(v3_add(v3_normal(sun), v3(0, 0.9f, 0)));
        out[i].color = 0xffffffff;
        out[i].u = corners[i % 6][0] * 0.5f + 0.5f;
        out[i].v = 1 - up;
    }
}

static IDirect3DVertexBuffer8 *plant_trees(IDirect3DDevice8 *device)
{
    static struct shape_vertex vertices[TREE_COUNT * 12];
    uint32_t seed = 7;

    for (unsigned i = 0; i < TREE_COUNT;) {
        float a = random_float(&seed) * 2 * pi, r = 30 + 45 * random_float(&seed);
        float x = r * cosf(a), z = r * sinf(a), h = height_at(x, z);
        float size = 1.6f + 2.0f * random_float(&seed);

        if (h > 0 && h < 8 && noise2(x * 0.12f, z * 0.12f, 0) > 0.45f)
            put_tree(vertices + 12 * i++, x, z, size);
    }
    return make_vertices(device, vertices, sizeof(vertices), SHAPE_FVF);
}

static void create_shapes(IDirect3DDevice8 *device)
{
    static const struct {
        struct shape *shape;
        struct surface surface;
    } list[] = {
        {&scene.sky, {sky_surface, sky_paint, 32, 10, 1, 1, 0}},
        {&scene.clouds, {cloud_surface, cloud_paint, 12, 12, 5, 5, 0}},
        {&scene.terrain, {terrain_surface, NULL, 36, 36, 1, 1, 0}},
        {&scene.water, {water_surface, NULL, 8, 8, 28, 28, 0}},
        {&scene.floor, {floor_surface, NULL, 48, 8, 1, 1, 0.25f}},
        {&scene.rim, {rim_surface, NULL, 48, 2, 20, 1, 0}},
        {&scene.column, {column_surface, NULL, 12, 7, 1, 3, 0}},
        {&scene.ring, {ring_surface, NULL, 40, 5, 12, 1, 0}},
        {&scene.steps, {steps_surface, NULL, 32, 8, 6, 1, 0}},
        {&scene.sphere, {sphere_surface, NULL, 20, 12, 1, 1, 0}},
        {&scene.pedestal, {pedestal_surface, NULL, 20, 8, 2, 1, 0}},
    };

    for (unsigned i = 0; i < COUNT(list); i++)
        *list[i].shape = shape_create(device, &list[i].surface);
    scene.trees = plant_trees(device);
}

static bool create(IDirect3DDevice8 *device)
{
    create_shapes(device);
    scene.ground = make_texture(device, 512, ground_texel);
    scene.detail = make_texture(device, 128, detail_texel);
    scene.tiles = make_texture(device, 256, tile_texel);
    scene.marble = make_texture(device, 256, marble_texel);
    scene.cloud = make_texture(device, 256, cloud_texel);
    scene.wave = make_texture(device, 256, wave_texel);
    scene.glow = make_texture(device, 64, glow_texel);
    scene.leaves = make_texture(device, 128, leaf_texel);
    scene.mirror = make_texture(device, 256, mirror_texel);
    return true;
}

static void destroy(void)
{
    struct shape *const shapes[] = {&scene.sky,   &scene.clouds, &scene.terrain, &scene.water,
                                    &scene.floor, &scene.rim,    &scene.column,  &scene.ring,
                                    &scene.steps, &scene.sphere, &scene.pedestal};
    IDirect3DTexture8 *const textures[] = {scene.ground, scene.detail, scene.tiles,
                                           scene.marble, scene.cloud,  scene.wave,
                                           scene.glow,   scene.leaves, scene.mirror};

    for (unsigned i = 0; i < COUNT(shapes); i++)
        shape_destroy(shapes[i]);
    for (unsigned i = 0; i < COUNT(textures); i++)
        IDirect3DTexture8_Release(textures[i]);
    IDirect3DVertexBuffer8_Release(scene.trees);
}

/* --- state ----------------------------------------------------------------------------------- */

static void set(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetRenderState(device, state, value);
}

static void set_float(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    set(device, state, bits);
}

static void set_stage(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state,
                      DWORD value)
{
    IDirect3DDevice8_SetTextureStageState(device, stage, state, value);
}

static void set_blend(IDirect3DDevice8 *device, bool enable, D3DBLEND source, D3DBLEND target)
{
    set(device, D3DRS_ALPHABLENDENABLE, enable);
    set(device, D3DRS_SRCBLEND, source);
    set(device, D3DRS_DESTBLEND, target);
}

static void set_stencil(IDirect3DDevice8 *device, D3DCMPFUNC function, DWORD reference,
                        D3DSTENCILOP pass)
{
    set(device, D3DRS_STENCILENABLE, TRUE);
    set(device, D3DRS_STENCILFUNC, function);
    set(device, D3DRS_STENCILREF, reference);
    set(device, D3DRS_STENCILPASS, pass);
}

static void set_texture_matrix(IDirect3DDevice8 *device, DWORD stage, float scale, float shift_u,
                               float shift_v)
{
    D3DMATRIX m = matrix_scaling(scale, scale, 1);

    m._31 = shift_u; /* two coordinates come in as (u, v, 1) */
    m._32 = shift_v;
    IDirect3DDevice8_SetTransform(device, D3DTS_TEXTURE0 + stage, &m);
    set_stage(device, stage, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
}

static struct vec3 orb_position(unsigned index, unsigned frame)
{
    float a = (float)frame * 0.011f * (index ? -1.3f : 1) + (float)index * 2.4f + 5.3f;

    return v3(cosf(a) * 6.4f, 2.0f + 0.8f * sinf(a * 2.3f), sinf(a) * 6.4f);
}

static void set_lights(IDirect3DDevice8 *device, unsigned frame)
{
    D3DLIGHT8 light = {0};
    struct vec3 direction = v3_scale(v3_normal(sun), -1);

    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse = (D3DCOLORVALUE){1.0f, 0.80f, 0.58f, 1};
    light.Specular = (D3DCOLORVALUE){1.0f, 0.75f, 0.5f, 1};
    light.Direction = (D3DVECTOR){direction.x, direction.y, direction.z};
    IDirect3DDevice8_SetLight(device, 0, &light);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    for (unsigned i = 0; i < ORB_COUNT; i++) {
        struct vec3 p = orb_position(i, frame);

        memset(&light, 0, sizeof(light));
        light.Type = D3DLIGHT_POINT;
        light.Diffuse =
            i ? (D3DCOLORVALUE){0.2f, 0.75f, 1.0f, 1} : (D3DCOLORVALUE){1.0f, 0.45f, 0.15f, 1};
        light.Specular = light.Diffuse;
        light.Position = (D3DVECTOR){p.x, p.y, p.z};
        light.Range = 11;
        light.Attenuation1 = 0.28f;
        light.Attenuation2 = 0.06f;
        IDirect3DDevice8_SetLight(device, 1 + i, &light);
        IDirect3DDevice8_LightEnable(device, 1 + i, TRUE);
    }
    set(device, D3DRS_AMBIENT, 0xff5c6478);
}

static void begin_frame(IDirect3DDevice8 *device, unsigned frame)
{
    float a = -0.95f + (float)frame * 0.0022f;
    D3DMATRIX projection = matrix_perspective(0.86f, 4.0f / 3.0f, 0.5f, 400);

    scene.eye = v3(cosf(a) * 25, 5.2f + 1.4f * sinf((float)frame * 0.009f), sinf(a) * 25);
    scene.view = matrix_look_at(scene.eye, v3(0, 3.0f, 0));
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL,
                           haze, 1, 0);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &scene.view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
    set_lights(device, frame);
    set(device, D3DRS_FOGENABLE, TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_NORMALIZENORMALS, TRUE);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_FOGCOLOR, haze);
    set(device, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    set_float(device, D3DRS_FOGSTART, 30);
    set_float(device, D3DRS_FOGEND, 210);
}

/* --- drawing ------------------------------------------------------------------------------------
 */

/* Behind everything: at the far plane, where nothing else has been drawn. */
/* After all that is opaque, at the far end of the depth range: only what is seen is painted. */
static void draw_sky(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_translation(scene.eye.x, scene.eye.y, scene.eye.z);
    D3DVIEWPORT8 viewport = {0, 0, VIEW_WIDTH, VIEW_HEIGHT, 1, 1};

    IDirect3DDevice8_SetViewport(device, &viewport);
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_FOGENABLE, FALSE);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    use_texture(device, NULL, false);
    shape_draw(device, &scene.sky, &world);
    world = matrix_identity();
    use_texture(device, scene.cloud, false);
    set_texture_matrix(device, 0, 1, (float)frame * 0.0006f, (float)frame * 0.0002f);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    shape_draw(device, &scene.clouds, &world);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_FOGENABLE, TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    viewport.MinZ = 0;
    IDirect3DDevice8_SetViewport(device, &viewport);
}

/* Stage 1 multiplies with a fine grain, whose coordinates are those of stage 0 enlarged. */
static void draw_terrain(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();

    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0, 0);
    use_texture(device, scene.ground, false);
    IDirect3DDevice8_SetTexture(device, 1, (IDirect3DBaseTexture8 *)scene.detail);
    set_stage(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_MODULATE2X);
    set_stage(device, 1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    set_stage(device, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(device, 1, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    set_stage(device, 1, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    set_stage(device, 1, D3DTSS_MIPFILTER, D3DTEXF_POINT);
    set_texture_matrix(device, 1, 48, 0, 0);
    shape_draw(device, &scene.terrain, &world);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    set_stage(device, 1, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
}

static void draw_trees(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();

    use_texture(device, scene.leaves, false);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_ALPHATESTENABLE, TRUE);
    set(device, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
    set(device, D3DRS_ALPHAREF, 0x80);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, scene.trees, sizeof(struct shape_vertex));
    IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, TREE_COUNT * 4);
    set(device, D3DRS_ALPHATESTENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
}

static D3DMATRIX column_matrix(unsigned index)
{
    float a = (float)index * 2 * pi / COLUMN_COUNT - 0.576f;

    return matrix_translation(cosf(a) * 10, 0, sinf(a) * 10);
}

static D3DMATRIX sphere_matrix(unsigned frame)
{
    D3DMATRIX size = matrix_scaling(1.45f, 1.45f, 1.45f);
    D3DMATRIX place = matrix_translation(0, 3.5f + 0.12f * sinf((float)frame * 0.03f), 0);

    return matrix_product(&size, &place);
}

/* Everything of stone, followed by `after`: a mirror or a shadow matrix, or nothing. */
static void draw_temple(IDirect3DDevice8 *device, const D3DMATRIX *after)
{
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        D3DMATRIX world = column_matrix(i);

        world = matrix_product(&world, after);
        shape_draw(device, &scene.column, &world);
    }
    shape_draw(device, &scene.ring, after);
    shape_draw(device, &scene.steps, after);
    shape_draw(device, &scene.pedestal, after);
}

static void use_stone(IDirect3DDevice8 *device)
{
    use_texture(device, scene.marble, false);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0.25f, 12);
}

/* Coordinates from the reflection vector: u = x / 2 + 1 / 2, v = 1 / 2 - y / 2. */
static void draw_sphere(IDirect3DDevice8 *device, unsigned frame, const D3DMATRIX *after)
{
    D3DMATRIX m = matrix_scaling(0.5f, -0.5f, 1), world = sphere_matrix(frame);

    m._41 = m._42 = 0.5f;
    world = matrix_product(&world, after);
    use_texture(device, scene.mirror, false);
    use_material(device, (D3DCOLORVALUE){0.9f, 0.85f, 0.75f, 1}, 0.9f, 40);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    IDirect3DDevice8_SetTransform(device, D3DTS_TEXTURE0, &m);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
    set_stage(device, 0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR);
    set(device, D3DRS_AMBIENT, 0xffb0b0b0);
    shape_draw(device, &scene.sphere, &world);
    set(device, D3DRS_AMBIENT, 0xff5c6478);
    set_stage(device, 0, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    set(device, D3DRS_SPECULARENABLE, FALSE);
}

/* Marks the visible floor with stencil 1 and pushes its depth to the far end: room for a mirror. */
static void open_floor(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();
    D3DVIEWPORT8 viewport = {0, 0, VIEW_WIDTH, VIEW_HEIGHT, 0, 1};

    set(device, D3DRS_COLORWRITEENABLE, 0);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set_stencil(device, D3DCMP_ALWAYS, 1, D3DSTENCILOP_REPLACE);
    use_texture(device, NULL, false);
    shape_draw(device, &scene.floor, &world);
    viewport.MinZ = 1;
    IDirect3DDevice8_SetViewport(device, &viewport);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    set_stencil(device, D3DCMP_EQUAL, 1, D3DSTENCILOP_KEEP);
    shape_draw(device, &scene.floor, &world);
    viewport.MinZ = 0;
    IDirect3DDevice8_SetViewport(device, &viewport);
    set(device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    set(device, D3DRS_COLORWRITEENABLE, 0xf);
}

static void draw_floor(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX mirror = matrix_scaling(1, -1, 1), world = matrix_identity();

    open_floor(device);
    set(device, D3DRS_CULLMODE, D3DCULL_CW);
    use_stone(device);
    draw_temple(device, &mirror);
    draw_sphere(device, frame, &mirror);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 0.76f}, 0, 0);
    use_texture(device, scene.tiles, true);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    shape_draw(device, &scene.floor, &world);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
}

/* Flattened onto the floor; the stencil lets each pixel be darkened once, and only there. */
static void draw_shadows(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX shadow = matrix_shadow(v3_scale(v3_normal(sun), -1), 0.03f);
    D3DMATRIX ball = sphere_matrix(frame);

    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set_stencil(device, D3DCMP_EQUAL, 1, D3DSTENCILOP_INCR);
    use_texture(device, NULL, false);
    set(device, D3DRS_TEXTUREFACTOR, 0x70201828);
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    set_stage(device, 0, D3DTSS_ALPHAARG2, D3DTA_TFACTOR);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    draw_temple(device, &shadow);
    ball = matrix_product(&ball, &shadow);
    shape_draw(device, &scene.sphere, &ball);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(device, 0, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
    set(device, D3DRS_STENCILENABLE, FALSE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set(device, D3DRS_LIGHTING, TRUE);
}

static void draw_stone(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_identity();

    use_stone(device);
    draw_temple(device, &world);
    shape_draw(device, &scene.rim, &world);
    draw_sphere(device, frame, &world);
}

/* Two layers of the same waves drift across each other. */
static void draw_water(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_identity();
    float t = (float)frame * 0.0015f;

    use_material(device, (D3DCOLORVALUE){0.62f, 0.72f, 0.86f, 0.66f}, 1.0f, 24);
    use_texture(device, scene.wave, false);
    set_texture_matrix(device, 0, 1, t, t * 0.7f);
    IDirect3DDevice8_SetTexture(device, 1, (IDirect3DBaseTexture8 *)scene.wave);
    set_stage(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_MODULATE2X);
    set_texture_matrix(device, 1, 0.37f, -t, t);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    shape_draw(device, &scene.water, &world);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
    set(device, D3DRS_SPECULARENABLE, FALSE);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    set_stage(device, 1, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
}

/* A square that faces the camera, from the program's own memory. */
static void draw_glow(IDirect3DDevice8 *device, struct vec3 p, float size, D3DCOLOR color)
{
    struct vec3 x = v3_scale(v3(scene.view._11, scene.view._21, scene.view._31), size);
    struct vec3 y = v3_scale(v3(scene.view._12, scene.view._22, scene.view._32), size);
    struct shape_vertex v[4];

    memset(v, 0, sizeof(v));
    for (unsigned i = 0; i < 4; i++) {
        struct vec3 across = i & 1 ? x : v3_scale(x, -1), up = i & 2 ? v3_scale(y, -1) : y;

        v[i].position = v3_add(p, v3_add(across, up));
        v[i].color = color;
        v[i].u = (float)(i & 1);
        v[i].v = (float)(i >> 1);
    }
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
}

static void draw_lights(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_identity();

    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_FOGENABLE, FALSE);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    use_texture(device, scene.glow, false);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_ONE);
    draw_glow(device, v3_add(scene.eye, v3_scale(v3_normal(sun), 300)), 95, 0xffffc890);
    for (unsigned i = 0; i < ORB_COUNT; i++) {
        D3DCOLOR color = i ? 0xff48c0ff : 0xffff9038;

        draw_glow(device, orb_position(i, frame), 1.3f, color);
        draw_glow(device, orb_position(i, frame), 0.4f, 0xffffffff);
    }
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    begin_frame(device, frame);
    draw_floor(device, frame);
    draw_shadows(device, frame);
    draw_stone(device, frame);
    draw_terrain(device);
    draw_trees(device);
    draw_sky(device, frame);
    draw_water(device, frame);
    draw_lights(device, frame);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Landscape", create, draw, destroy};

    return example_run(&example, argc, argv);
}
