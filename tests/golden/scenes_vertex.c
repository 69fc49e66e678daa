/* SPDX-License-Identifier: MIT */
/* Vertex processing, and which pixels a primitive covers. */
#include "tests/golden/scenes.h"

#include <math.h>
#include <string.h>

static const float pi = 3.14159265358979f;

struct lit_vertex {
    float x, y, z, nx, ny, nz;
    uint32_t color;
    float u, v;
};
#define LIT_FVF (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX1)

static uint32_t hue(float h)
{
    uint32_t red = (uint32_t)(127.5f + 127 * cosf(h)), green = (uint32_t)(127.5f + 127 * cosf(h - 2));

    return 0xff000000 | red << 16 | green << 8 | (uint32_t)(127.5f + 127 * cosf(h - 4));
}

static void set_camera(struct stage *stage, float distance)
{
    const float world[16] = {0.9f, 0.2f, -0.387f, 0, -0.1f, 0.96f, 0.262f, 0, 0.423f, -0.197f, 0.884f, 0, 0, 0, 0, 1};
    const float view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, distance, 1};
    const float near_z = 0.5f, far_z = 20, q = far_z / (far_z - near_z);
    const float projection[16] = {1.5f, 0, 0, 0, 0, 2, 0, 0, 0, 0, q, 1, 0, 0, -near_z * q, 0};

    stage_transform(stage, D3DTS_WORLD, world);
    stage_transform(stage, D3DTS_VIEW, view);
    stage_transform(stage, D3DTS_PROJECTION, projection);
}

/* Fans of slivers that meet in one point at odd subpixel places: no gap, no pixel twice (blending would show it). */
void scene_fill(struct stage *stage)
{
    struct flat_vertex v[3];

    memset(v, 0, sizeof(v));
    stage_state(stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
    stage_state(stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
    for (unsigned i = 0; i < 61; i++) {
        for (unsigned k = 0; k < 3; k++) {
            float a = (float)(i + k - 1) * 2 * pi / 61, r = k ? 90.37f : 0;

            v[k].x = 127.31f + cosf(a) * r;
            v[k].y = 95.77f + sinf(a) * r;
            v[k].rhw = 1;
            v[k].color = hue((float)i) >> 1 & 0x7f7f7f;
        }
        stage_draw(stage, D3DPT_TRIANGLELIST, 1, FLAT_FVF, v, 3);
    }
}

void scene_primitives(struct stage *stage)
{
    static const struct {
        D3DPRIMITIVETYPE type;
        unsigned count;
    } types[6] = {{D3DPT_POINTLIST, 24},   {D3DPT_LINELIST, 12},      {D3DPT_LINESTRIP, 23},
                  {D3DPT_TRIANGLELIST, 8}, {D3DPT_TRIANGLESTRIP, 22}, {D3DPT_TRIANGLEFAN, 22}};
    struct flat_vertex v[24];
    float r[4];

    for (unsigned i = 0; i < 12; i++) {
        stage_state(stage, D3DRS_SHADEMODE, i < 6 ? D3DSHADE_GOURAUD : D3DSHADE_FLAT);
        stage_state(stage, D3DRS_FILLMODE, i < 9 ? D3DFILL_SOLID : D3DFILL_WIREFRAME);
        scene_cell(i, 4, 3, r);
        for (unsigned k = 0; k < 24; k++) {
            float a = (float)k * 2 * pi / 23, radius = (k & 1 ? 0.48f : 0.2f) * r[3];

            v[k] = (struct flat_vertex){r[0] + r[2] / 2 + cosf(a) * radius * 1.2f,
                                        r[1] + r[3] / 2 + sinf(a) * radius,
                                        0,
                                        1,
                                        hue((float)k * 0.3f),
                                        0,
                                        0,
                                        0};
        }
        stage_draw(stage, types[i % 6].type, types[i % 6].count, FLAT_FVF, v, 24);
    }
}

/* A star of triangles whose points lie behind the eye and far outside the view. */
void scene_clipping(struct stage *stage)
{
    struct lit_vertex v[3];

    set_camera(stage, 1.2f);
    memset(v, 0, sizeof(v));
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    for (unsigned i = 0; i < 40; i++) {
        for (unsigned k = 0; k < 3; k++) {
            float a = ((float)i + 0.5f * (float)k) * 2 * pi / 40, far_out = k == 1 ? 4000 : 0.35f;

            v[k].x = cosf(a) * far_out;
            v[k].y = sinf(a) * far_out;
            v[k].z = k == 1 ? cosf((float)i) * 5000 : (float)k;
            v[k].color = hue((float)i * 0.4f + (float)k);
        }
        stage_draw(stage, D3DPT_TRIANGLELIST, 1, LIT_FVF, v, 3);
    }
}

#define SPHERE_COLUMNS 20
#define SPHERE_ROWS    12

static void draw_sphere(struct stage *stage, float x, float y, float z, float radius)
{
    struct lit_vertex v[2 * (SPHERE_COLUMNS + 1)];

    for (unsigned row = 0; row < SPHERE_ROWS; row++) {
        for (unsigned i = 0; i < 2 * (SPHERE_COLUMNS + 1); i++) {
            float polar = (float)(row + (i & 1)) * pi / SPHERE_ROWS;
            float a = (float)(i / 2) * 2 * pi / SPHERE_COLUMNS;
            struct lit_vertex *out = &v[i];

            out->nx = sinf(polar) * cosf(a);
            out->ny = cosf(polar);
            out->nz = sinf(polar) * sinf(a);
            out->x = x + out->nx * radius;
            out->y = y + out->ny * radius;
            out->z = z + out->nz * radius;
            out->color = hue(a + polar);
            out->u = a / pi;
            out->v = polar / pi;
        }
        stage_draw(stage, D3DPT_TRIANGLESTRIP, 2 * SPHERE_COLUMNS, LIT_FVF, v, 2 * (SPHERE_COLUMNS + 1));
    }
}

static void set_lights(struct stage *stage)
{
    D3DMATERIAL8 material = {{0.9f, 0.8f, 0.7f, 0.6f}, {0.5f, 0.5f, 0.6f, 1}, {1, 1, 0.8f, 1}, {0, 0, 0, 0}, 14};
    D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL,
                       .Diffuse = {0.7f, 0.2f, 0.2f, 1},
                       .Specular = {1, 1, 1, 1},
                       .Direction = {0.6f, -0.5f, 0.6f}};

    stage_material(stage, &material);
    stage_light(stage, 0, &light);
    light.Type = D3DLIGHT_POINT;
    light.Diffuse = (D3DCOLORVALUE){0.1f, 0.7f, 0.2f, 1};
    light.Position = (D3DVECTOR){-1.5f, 1, -1};
    light.Range = 6;
    light.Attenuation0 = 0.3f;
    light.Attenuation1 = 0.25f;
    stage_light(stage, 3, &light);
    light.Type = D3DLIGHT_SPOT;
    light.Diffuse = (D3DCOLORVALUE){0.3f, 0.4f, 1, 1};
    light.Position = (D3DVECTOR){1.6f, 1.8f, -1};
    light.Direction = (D3DVECTOR){-0.6f, -0.8f, 0.4f};
    light.Theta = 0.5f;
    light.Phi = 1.2f;
    light.Falloff = 1.5f;
    stage_light(stage, 7, &light);
    stage_state(stage, D3DRS_AMBIENT, 0xff202838);
    stage_state(stage, D3DRS_LIGHTING, TRUE);
    stage_state(stage, D3DRS_NORMALIZENORMALS, TRUE);
    stage_state(stage, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    stage_state(stage, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_MATERIAL);
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    stage_state(stage, D3DRS_ZWRITEENABLE, TRUE);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
}

void scene_lights(struct stage *stage)
{
    set_camera(stage, 4);
    set_lights(stage);
    for (unsigned i = 0; i < 6; i++) {
        stage_state(stage, D3DRS_SPECULARENABLE, i & 1);
        stage_state(stage, D3DRS_LOCALVIEWER, i < 3);
        stage_state(stage, D3DRS_DIFFUSEMATERIALSOURCE, i < 4 ? D3DMCS_MATERIAL : D3DMCS_COLOR1);
        draw_sphere(stage, (float)(i % 3) * 1.4f - 1.4f, i < 3 ? 0.75f : -0.75f, 0, 0.68f);
    }
}

static void draw_row_into_depth(struct stage *stage)
{
    for (unsigned i = 0; i < 7; i++)
        draw_sphere(stage, (float)i * 0.8f - 1.8f, 0.3f * cosf((float)i * 2), (float)i * 1.6f - 1.5f, 0.7f);
}

void scene_vertex_fog(struct stage *stage)
{
    set_camera(stage, 4);
    set_lights(stage);
    stage_state(stage, D3DRS_FOGENABLE, TRUE);
    stage_state(stage, D3DRS_FOGCOLOR, 0xff8090b0);
    stage_state(stage, D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    stage_state(stage, D3DRS_RANGEFOGENABLE, TRUE);
    stage_state_float(stage, D3DRS_FOGSTART, 2);
    stage_state_float(stage, D3DRS_FOGEND, 11);
    draw_row_into_depth(stage);
}

void scene_table_fog(struct stage *stage)
{
    set_camera(stage, 4);
    set_lights(stage);
    stage_state(stage, D3DRS_FOGENABLE, TRUE);
    stage_state(stage, D3DRS_FOGCOLOR, 0xffb09080);
    stage_state_float(stage, D3DRS_FOGDENSITY, 0.17f);
    for (unsigned i = 0; i < 3; i++) {
        stage_state(stage, D3DRS_FOGTABLEMODE, D3DFOG_EXP + i);
        stage_state_float(stage, D3DRS_FOGSTART, 2);
        stage_state_float(stage, D3DRS_FOGEND, 9);
        for (unsigned k = 0; k < 5; k++)
            draw_sphere(stage, (float)k * 1.3f - 2, 1.3f - 1.3f * (float)i, (float)k * 1.5f - 1, 0.6f);
    }
}

static void fill_checks(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            uint32_t texel = ((x * 8 / width) ^ (y * 8 / height)) & 1 ? 0xffffffff : hue((float)x / 9);

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
    }
}

/* Coordinates generated from position, normal and reflection, and moved by texture matrices. */
void scene_coordinates(struct stage *stage)
{
    const float matrix[16] = {0.8f, 0.3f, 0, 0, -0.3f, 0.8f, 0, 0, 0.25f, 0.4f, 1, 0.3f, 0.1f, 0.2f, 0, 1};
    uint32_t texture = stage_texture(stage, D3DFMT_X8R8G8B8, 64, 64, 1, fill_checks);

    set_camera(stage, 4);
    set_lights(stage);
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    stage_transform(stage, D3DTS_TEXTURE0, matrix);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t flags[4] = {D3DTTFF_DISABLE, D3DTTFF_COUNT2, D3DTTFF_COUNT3, D3DTTFF_COUNT4 | D3DTTFF_PROJECTED};

        stage_texture_state(stage, 0, D3DTSS_TEXCOORDINDEX, (i % 4) << 16);
        stage_texture_state(stage, 0, D3DTSS_TEXTURETRANSFORMFLAGS, flags[i < 4 ? 0 : i % 4]);
        draw_sphere(stage, (float)(i % 4) * 1.2f - 1.8f, i < 4 ? 0.7f : -0.7f, 0, 0.56f);
    }
}

/* A wavy mesh from a vertex and an index buffer of the driver. */
void scene_indexed(struct stage *stage)
{
    enum { COLUMNS = 30, ROWS = 20 };
    static struct lit_vertex v[COLUMNS * ROWS];
    static uint16_t indices[(COLUMNS - 1) * (ROWS - 1) * 6];
    unsigned count = 0;

    for (unsigned i = 0; i < COLUMNS * ROWS; i++) {
        float x = (float)(i % COLUMNS) / (COLUMNS - 1) * 4 - 2;
        float z = (float)(i / COLUMNS) / (ROWS - 1) * 4 - 2, wave = sinf(3 * x) * cosf(3 * z);

        v[i] = (struct lit_vertex){x,
                                   0.25f * wave,
                                   z,
                                   -0.7f * cosf(3 * x) * cosf(3 * z),
                                   1,
                                   0.7f * sinf(3 * x) * sinf(3 * z),
                                   hue(wave * 2),
                                   0,
                                   0};
    }
    for (unsigned i = 0; i < (COLUMNS - 1) * (ROWS - 1); i++) {
        unsigned a = i / (COLUMNS - 1) * COLUMNS + i % (COLUMNS - 1), b = a + COLUMNS;
        const unsigned corners[6] = {a, b, a + 1, a + 1, b, b + 1};

        for (unsigned k = 0; k < 6; k++)
            indices[count++] = (uint16_t)corners[k];
    }
    set_camera(stage, 3.4f);
    set_lights(stage);
    stage_state(stage, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1);
    stage_draw_buffer(stage, D3DPT_TRIANGLELIST, count / 3, LIT_FVF, stage_buffer(stage, false, LIT_FVF, v, sizeof(v)),
                      stage_buffer(stage, true, 0, indices, sizeof(indices)), COLUMNS * ROWS);
}
