/* SPDX-License-Identifier: MIT */
/* Higher-order surfaces, and points that user planes clip. */
#include "tests/golden/scenes.h"

#include <math.h>
#include <string.h>

static const float pi = 3.14159265358979f;

static void set_view(struct stage *stage, float x, float y, float scale, float turn, float tip)
{
    const float ct = cosf(turn), st = sinf(turn), cp = cosf(tip), sp = sinf(tip);
    const float world[16] = {scale * ct, scale * st * sp,  -scale * st * cp, 0, 0, scale * cp, scale * sp, 0,
                             scale * st, -scale * ct * sp, scale * ct * cp,  0, 0, 0,          0,          1};
    const float view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 5, 1};
    /* from far away: no perspective */
    const float projection[16] = {0.41f, 0, 0, 0, 0, 0.55f, 0, 0, 0, 0, 0.1f, 0, 0, 0, 0, 1};

    stage_transform(stage, D3DTS_WORLD, world);
    stage_transform(stage, D3DTS_VIEW, view);
    stage_transform(stage, D3DTS_PROJECTION, projection);
}

static void set_light(struct stage *stage)
{
    const D3DMATERIAL8 material = {{1, 1, 1, 1}, {0.3f, 0.3f, 0.4f, 1}, {0.5f, 0.5f, 0.45f, 1}, {0, 0, 0, 0}, 22};
    const D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL,
                             .Diffuse = {0.8f, 0.75f, 0.65f, 1},
                             .Specular = {1, 1, 1, 1},
                             .Direction = {0.5f, -0.6f, 0.65f}};

    stage_material(stage, &material);
    stage_light(stage, 0, &light);
    stage_state(stage, D3DRS_AMBIENT, 0xff606060);
    stage_state(stage, D3DRS_LIGHTING, TRUE);
    stage_state(stage, D3DRS_SPECULARENABLE, TRUE);
    stage_state(stage, D3DRS_NORMALIZENORMALS, TRUE);
    stage_state(stage, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    stage_state(stage, D3DRS_ZWRITEENABLE, TRUE);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
}

static void fill_checks(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            const unsigned check = (x << level >> 3 ^ y << level >> 3) & 1;
            const uint32_t texel = check ? 0xffe8c070 : 0xff4060a0 + (x << level << 1);

            memcpy(lock->bits + y * lock->pitch + 4 * (size_t)x, &texel, 4);
        }
    }
}

/* --- patches ------------------------------------------------------------------------ */

#define SIDE      7
#define CORNERS   21
#define POSITIONS (SIDE * SIDE + CORNERS)

/* A saddle with a knoll, and the control points of a quintic triangle over the same ground. */
static void make_positions(float p[POSITIONS][3])
{
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        const float x = (float)(i % SIDE) / 3 - 1, y = 1 - (float)(i / SIDE) / 3;

        p[i][0] = x;
        p[i][1] = y;
        p[i][2] = 0.45f * (x * x - y * y) - (i == 24 ? 0.9f : 0);
    }
    for (unsigned row = 0, n = SIDE * SIDE; row < 6; row++) {
        for (unsigned i = 0; i <= row; i++, n++) {
            p[n][0] = (float)i / 2.5f - (float)row / 5;
            p[n][1] = 1 - (float)row / 2.5f;
            p[n][2] = row == 3 ? -1.1f : 0.1f * (float)(i * i);
        }
    }
}

static void draw_rectangle(struct stage *stage, uint32_t basis, uint32_t first, float segments)
{
    const uint32_t size = basis == 0 ? 7 : SIDE - first;
    struct {
        uint32_t handle, flags;
        float segments[4];
        D3DRECTPATCH_INFO info;
    } body = {0, 3, {segments, segments, segments, segments}, {0}};
    const uint32_t info[7] = {first, first, size, size, SIDE, basis, 3};

    memcpy(&body.info, info, sizeof(info));
    stage_command(stage, D3DDP2OP_DRAWRECTPATCH, 1, &body, sizeof(body));
}

static void draw_triangle(struct stage *stage)
{
    struct {
        uint32_t handle, flags;
        float segments[3];
        D3DTRIPATCH_INFO info;
    } body = {0, 3, {12, 9, 5}, {0}};
    const uint32_t info[4] = {SIDE * SIDE, CORNERS, 0, 5};

    memcpy(&body.info, info, sizeof(info));
    stage_command(stage, D3DDP2OP_DRAWTRIPATCH, 1, &body, sizeof(body));
}

/* Only positions come from memory: normals and coordinates are generated. */
static void use_declaration(struct stage *stage, uint32_t buffer)
{
    const uint32_t create[3 + 6] = {1,          6 * 4,      0,          0x20000000, 0x40020000,
                                    0x30000000, 0x60020003, 0x70010007, 0xffffffff};
    const uint32_t handle = 1, source[3] = {0, buffer, 12};

    stage_command(stage, D3DDP2OP_CREATEVERTEXSHADER, 1, create, sizeof(create));
    stage_command(stage, D3DDP2OP_SETVERTEXSHADER, 1, &handle, sizeof(handle));
    stage_command(stage, D3DDP2OP_SETSTREAMSOURCE, 1, source, sizeof(source));
}

/* Bezier, B-spline and Catmull-Rom over the same control points; a quintic triangle with other
 * counts on each edge; wires of uneven and of continuous division. */
void scene_patches(struct stage *stage)
{
    float positions[POSITIONS][3];
    const uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 64, 64, 1, fill_checks);

    make_positions(positions);
    use_declaration(stage, stage_buffer(stage, false, D3DFVF_XYZ, positions, sizeof(positions)));
    set_light(stage);
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    for (unsigned i = 0; i < 3; i++) {
        set_view(stage, 1.45f * (float)i - 1.45f, 0.85f, i ? 1.0f : 0.7f, 0.5f, 0.7f);
        draw_rectangle(stage, i, 0, 14);
    }
    set_view(stage, -1.45f, -0.85f, 0.65f, 0.4f, 0.5f);
    draw_triangle(stage);
    stage_state(stage, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    set_view(stage, 0, -0.85f, 0.65f, 0.4f, 0.5f);
    draw_triangle(stage);
    stage_state(stage, D3DRS_PATCHEDGESTYLE, D3DPATCHEDGE_CONTINUOUS);
    set_view(stage, 1.45f, -0.85f, 0.6f, 0.5f, 0.7f);
    draw_rectangle(stage, 0, 0, 6.6f);
}

/* --- N-patches ---------------------------------------------------------------------- */

struct lit_vertex {
    float x, y, z, nx, ny, nz;
};

/* An octahedron with the normals of the sphere around it. */
static void draw_octahedron(struct stage *stage)
{
    static const float axis[6][3] = {{1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, -1, 0}};
    struct lit_vertex v[24];

    for (unsigned i = 0; i < 24; i++) {
        const unsigned side = i / 3 % 4, bottom = i / 12;
        const float *p = i % 3 == 0                      ? axis[4 + bottom]
                         : (i % 3 == 1) == (bottom == 1) ? axis[side]
                                                         : axis[(side + 1) % 4];

        v[i] = (struct lit_vertex){p[0], p[1], p[2], p[0], p[1], p[2]};
    }
    stage_draw(stage, D3DPT_TRIANGLELIST, 8, D3DFVF_XYZ | D3DFVF_NORMAL, v, 24);
}

/* Columns: 1, 2, 4, 9 segments. Upper row: linear normals, lower row: quadratic ones; the last
 * pair as wires, the lower one continuous. */
void scene_npatches(struct stage *stage)
{
    static const float segments[4] = {1, 2, 4, 9};

    set_light(stage);
    for (unsigned i = 0; i < 8; i++) {
        set_view(stage, 1.12f * (float)(i % 4) - 1.68f, i < 4 ? 0.85f : -0.85f, 0.65f, 0.35f, 0.45f);
        stage_state(stage, 173, i < 4 ? 1 : 2);
        stage_state_float(stage, D3DRS_PATCHSEGMENTS, i == 7 ? 6.5f : segments[i % 4]);
        stage_state(stage, D3DRS_PATCHEDGESTYLE, i == 7);
        stage_state(stage, D3DRS_FILLMODE, i % 4 == 3 ? D3DFILL_WIREFRAME : D3DFILL_SOLID);
        draw_octahedron(stage);
    }
}

/* --- points ------------------------------------------------------------------------- */

/* Textured sprites of growing size, clipped by two planes; a third of the sprites lie across a plane. */
void scene_cut_points(struct stage *stage)
{
    static const float planes[2][5] = {{0, 0.6f, -0.8f, 0, 1.1f}, {0, -0.9f, -0.3f, 0, 1.6f}};
    const uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 64, 64, 1, fill_checks);
    struct {
        float x, y, z, size;
    } v[40];

    set_view(stage, 0, 0, 1, 0, 0);
    stage_state(stage, D3DRS_LIGHTING, FALSE);
    stage_state(stage, D3DRS_POINTSPRITEENABLE, TRUE);
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t body[5];

        memcpy(body, planes[i], sizeof(body));
        body[0] = i;
        stage_command(stage, D3DDP2OP_SETCLIPPLANE, 1, body, sizeof(body));
    }
    stage_state(stage, D3DRS_CLIPPLANEENABLE, 3);
    for (unsigned i = 0; i < 40; i++) {
        const float a = (float)i * 2.4f, r = 0.36f * sqrtf((float)i);

        v[i].x = cosf(a) * r;
        v[i].y = sinf(a) * r * 0.8f;
        v[i].z = 0.3f * sinf(a * pi);
        v[i].size = 10 + (float)(i % 7) * 5;
    }
    stage_draw(stage, D3DPT_POINTLIST, 40, D3DFVF_XYZ | D3DFVF_PSIZE, v, 40);
}
