/* SPDX-License-Identifier: MIT */
/*
 * Only vertices: triangles that lie behind the viewer, so that only their outcodes are tested after processing.
 */
#include "bench/executors.h"
#include "bench/scenes.h"

#include <math.h>
#include <stdlib.h>

struct vertex {
    float x, y, z, nx, ny, nz, u, v;
};

#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1)
#define TRIANGLES  (BENCH_VERTICES / 3)

static uint32_t buffer;

static void prepare(struct stage *stage)
{
    const float one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    struct vertex *v = malloc(BENCH_VERTICES * sizeof(*v));

    stage_transform(stage, D3DTS_WORLD, one);
    stage_transform(stage, D3DTS_VIEW, one);
    stage_transform(stage, D3DTS_PROJECTION, one);
    for (unsigned i = 0; v && i < BENCH_VERTICES; i++) {
        const float a = 0.01f * (float)i;

        v[i] = (struct vertex){cosf(a), sinf(a), -0.5f - 1e-5f * (float)i, cosf(3 * a), sinf(3 * a), -0.6f, a, 1 - a};
    }
    buffer = stage_buffer(stage, false, VERTEX_FVF, v, BENCH_VERTICES * sizeof(*v));
    free(v);
}

void bench_prepare_transform(struct stage *stage)
{
    prepare(stage);
    stage_state(stage, D3DRS_LIGHTING, FALSE);
}

/* A directional light and two point lights. */
void bench_prepare_lit(struct stage *stage)
{
    D3DMATERIAL8 material = {.Diffuse = {1, 0.8f, 0.6f, 1}, .Ambient = {0.2f, 0.2f, 0.2f, 1}};
    D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL,
                       .Diffuse = {1, 1, 1, 1},
                       .Ambient = {0.1f, 0.1f, 0.2f, 1},
                       .Direction = {0.4f, -0.5f, 0.7f}};

    prepare(stage);
    stage_material(stage, &material);
    stage_light(stage, 0, &light);
    light.Type = D3DLIGHT_POINT;
    light.Range = 10;
    light.Attenuation0 = 0.2f;
    light.Attenuation1 = 0.5f;
    for (unsigned i = 1; i < 3; i++) {
        light.Position = (D3DVECTOR){0.5f, 0.5f, -(float)i};
        stage_light(stage, i, &light);
    }
    stage_state(stage, D3DRS_LIGHTING, TRUE);
    stage_state(stage, D3DRS_NORMALIZENORMALS, TRUE);
    stage_state(stage, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
}

void bench_prepare_program(struct stage *stage)
{
    /* stream 0: v0 float3, v3 float3, v7 float2 */
    static const uint32_t declaration[] = {0x20000000, 0x40020000, 0x40020003, 0x40010007, 0xffffffff};
    float constants[16][4];

    prepare(stage);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned c = 0; c < 4; c++)
            constants[i][c] = i < 4 ? (float)(i == c) : 0.1f + 0.05f * (float)((i + 3 * c) % 13);
    stage_vertex_shader(stage, 1, declaration, bench_vs_lit);
    stage_constants(stage, false, 0, 16, constants[0]);
}

void bench_round_vertices(struct stage *stage)
{
    stage_draw_buffer(stage, D3DPT_TRIANGLELIST, TRIANGLES, VERTEX_FVF, buffer, 0, BENCH_VERTICES);
    stage_submit(stage);
}
