/* SPDX-License-Identifier: MIT */
/*
 * A round temple on a lake at evening: terrain and stone under a sun and two wandering point
 * lights, mip-mapped textures running to the horizon, linear fog, a polished floor that mirrors the
 * columns through the stencil buffer, stencilled shadows, alpha-tested trees, blended water and
 * clouds, a sphere that reflects its surroundings by generated texture coordinates, additive
 * lights.
 */
#include "examples/landscape.h"

#include <string.h>

#define COLUMN_COUNT 10
#define ORB_COUNT    2

static struct {
    struct world world;
    D3DMATRIX view;
    struct vec3 eye;
} scene;

static bool create(IDirect3DDevice8 *device)
{
    scene.world = world_create(device);
    return true;
}

static void destroy(void)
{
    world_destroy(&scene.world);
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
    set(device, D3DRS_FOGENABLE, FALSE); /* the temple is near */
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_NORMALIZENORMALS, TRUE);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_FOGCOLOR, haze);
    set(device, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    set_float(device, D3DRS_FOGSTART, 30);
    set_float(device, D3DRS_FOGEND, 210);
}

/* --- drawing ------------------------------------------------------------------------------- */

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
    shape_draw(device, &scene.world.sky, &world);
    world = matrix_identity();
    use_texture(device, scene.world.cloud, false);
    set_texture_matrix(device, 0, 1, (float)frame * 0.0006f, (float)frame * 0.0002f);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    shape_draw(device, &scene.world.clouds, &world);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_FOGENABLE, TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    viewport.MinZ = 0;
    IDirect3DDevice8_SetViewport(device, &viewport);
}

/* Stage 1 multiplies with a fine grain, whose coordinates are those of stage 0 enlarged; not under
 * water. */
static void draw_terrain(IDirect3DDevice8 *device)
{
    const struct shape *terrain = &scene.world.terrain;
    D3DMATRIX world = matrix_identity();
    unsigned dry = scene.world.dry_triangles;

    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0, 0);
    use_texture(device, scene.world.ground, false);
    shape_use(device, terrain, &world);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, terrain->vertex_count,
                                          3 * dry, terrain->triangle_count - dry);
    IDirect3DDevice8_SetTexture(device, 1, (IDirect3DBaseTexture8 *)scene.world.detail);
    set_stage(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_MODULATE2X);
    set_stage(device, 1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    set_stage(device, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(device, 1, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    set_stage(device, 1, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    set_stage(device, 1, D3DTSS_MIPFILTER, D3DTEXF_POINT);
    set_texture_matrix(device, 1, 48, 0, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, terrain->vertex_count, 0,
                                          dry);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    set_stage(device, 1, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
}

static void draw_trees(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();

    use_texture(device, scene.world.leaves, false);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_ALPHATESTENABLE, TRUE);
    set(device, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
    set(device, D3DRS_ALPHAREF, 0x80);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, scene.world.trees, sizeof(struct shape_vertex));
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
        shape_draw(device, &scene.world.column, &world);
    }
    shape_draw(device, &scene.world.ring, after);
    shape_draw(device, &scene.world.steps, after);
    shape_draw(device, &scene.world.pedestal, after);
}

static void use_stone(IDirect3DDevice8 *device)
{
    use_texture(device, scene.world.marble, false);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0.25f, 12);
}

/* Coordinates from the reflection vector: u = x / 2 + 1 / 2, v = 1 / 2 - y / 2. */
static void draw_sphere(IDirect3DDevice8 *device, unsigned frame, const D3DMATRIX *after)
{
    D3DMATRIX m = matrix_scaling(0.5f, -0.5f, 1), world = sphere_matrix(frame);

    m._41 = m._42 = 0.5f;
    world = matrix_product(&world, after);
    use_texture(device, scene.world.mirror, false);
    use_material(device, (D3DCOLORVALUE){0.9f, 0.85f, 0.75f, 1}, 0.9f, 40);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    IDirect3DDevice8_SetTransform(device, D3DTS_TEXTURE0, &m);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
    set_stage(device, 0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR);
    set(device, D3DRS_AMBIENT, 0xffb0b0b0);
    shape_draw(device, &scene.world.sphere, &world);
    set(device, D3DRS_AMBIENT, 0xff5c6478);
    set_stage(device, 0, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    set(device, D3DRS_SPECULARENABLE, FALSE);
}

/* Marks with stencil 1 where the floor is seen between the stones. Nothing behind it has been
 * drawn, so that the depth there is still the far end's: room for a mirror. */
static void mark_floor(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();

    set(device, D3DRS_COLORWRITEENABLE, 0);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set(device, D3DRS_LIGHTING, FALSE);
    set_stencil(device, D3DCMP_ALWAYS, 1, D3DSTENCILOP_REPLACE);
    use_texture(device, NULL, false);
    shape_draw(device, &scene.world.floor_outline, &world);
    set_stencil(device, D3DCMP_EQUAL, 1, D3DSTENCILOP_KEEP);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_COLORWRITEENABLE, 0xf);
}

static void draw_floor(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX mirror = matrix_scaling(1, -1, 1), world = matrix_identity();

    mark_floor(device);
    set(device, D3DRS_CULLMODE, D3DCULL_CW);
    use_stone(device);
    draw_temple(device, &mirror);
    draw_sphere(device, frame, &mirror);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 0.76f}, 0, 0);
    use_texture(device, scene.world.tiles, true);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    shape_draw(device, &scene.world.floor, &world);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
}

/* The lit side flattened onto the floor; the stencil lets each pixel be darkened once, and only
 * there. */
static void draw_shadows(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX shadow = matrix_shadow(v3_scale(v3_normal(sun), -1), 0.03f);
    D3DMATRIX ball = sphere_matrix(frame);

    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set_stencil(device, D3DCMP_EQUAL, 1, D3DSTENCILOP_INCR);
    use_texture(device, NULL, false);
    set(device, D3DRS_TEXTUREFACTOR, 0x70201828);
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    set_stage(device, 0, D3DTSS_ALPHAARG2, D3DTA_TFACTOR);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    draw_temple(device, &shadow);
    ball = matrix_product(&ball, &shadow);
    shape_draw(device, &scene.world.sphere, &ball);
    set_blend(device, false, D3DBLEND_ONE, D3DBLEND_ZERO);
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(device, 0, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
    set(device, D3DRS_STENCILENABLE, FALSE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
}

static void draw_stone(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_identity();

    use_stone(device);
    draw_temple(device, &world);
    shape_draw(device, &scene.world.rim, &world);
    draw_sphere(device, frame, &world);
}

/* Two layers of the same waves drift across each other. */
static void draw_water(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_identity();
    float t = (float)frame * 0.0015f;

    use_material(device, (D3DCOLORVALUE){0.62f, 0.72f, 0.86f, 0.66f}, 1.0f, 24);
    use_texture(device, scene.world.wave, false);
    set_texture_matrix(device, 0, 1, t, t * 0.7f);
    IDirect3DDevice8_SetTexture(device, 1, (IDirect3DBaseTexture8 *)scene.world.wave);
    set_stage(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_MODULATE2X);
    set_texture_matrix(device, 1, 0.37f, -t, t);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    set_blend(device, true, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    shape_draw(device, &scene.world.water, &world);
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
    use_texture(device, scene.world.glow, false);
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
    draw_stone(device, frame);
    draw_floor(device, frame);
    draw_shadows(device, frame);
    set(device, D3DRS_FOGENABLE, TRUE);
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
