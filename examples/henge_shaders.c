/* SPDX-License-Identifier: MIT */
/* The henge's shaders: tokens that the Makefile has `dp2 shader` assemble of the texts in examples/shaders. */
#include "examples/henge.h"

static const DWORD depth_vertex[] = {
#include "examples/shaders/henge_depth.vsa.h"
};
static const DWORD depth_pixel[] = {
#include "examples/shaders/henge_depth.psa.h"
};
static const DWORD lit_vertex[] = {
#include "examples/shaders/henge_lit.vsa.h"
};
static const DWORD lit_pixel[] = {
#include "examples/shaders/henge_lit.psa.h"
};
static const DWORD grass_vertex[] = {
#include "examples/shaders/henge_grass.vsa.h"
};
static const DWORD grass_pixel[] = {
#include "examples/shaders/henge_grass.psa.h"
};
static const DWORD sky_vertex[] = {
#include "examples/shaders/henge_sky.vsa.h"
};
static const DWORD sky_pixel[] = {
#include "examples/shaders/henge_sky.psa.h"
};
static const DWORD crystal_vertex[] = {
#include "examples/shaders/henge_crystal.vsa.h"
};
static const DWORD crystal_pixel[] = {
#include "examples/shaders/henge_crystal.psa.h"
};
static const DWORD post_vertex[] = {
#include "examples/shaders/henge_post.vsa.h"
};
static const DWORD bright_pixel[] = {
#include "examples/shaders/henge_bright.psa.h"
};
static const DWORD blur_pixel[] = {
#include "examples/shaders/henge_blur.psa.h"
};
static const DWORD shafts_pixel[] = {
#include "examples/shaders/henge_shafts.psa.h"
};
static const DWORD tone_pixel[] = {
#include "examples/shaders/henge_tone.psa.h"
};

static struct program make_program(IDirect3DDevice9 *device, const DWORD *vertex, const DWORD *pixel)
{
    return (struct program){make_vertex_shader(device, vertex), make_pixel_shader(device, pixel)};
}

struct programs programs_create(IDirect3DDevice9 *device)
{
    return (struct programs){
        .depth = make_program(device, depth_vertex, depth_pixel),
        .lit = make_program(device, lit_vertex, lit_pixel),
        .grass = make_program(device, grass_vertex, grass_pixel),
        .sky = make_program(device, sky_vertex, sky_pixel),
        .crystal = make_program(device, crystal_vertex, crystal_pixel),
        .bright = make_program(device, post_vertex, bright_pixel),
        .blur = make_program(device, post_vertex, blur_pixel),
        .shafts = make_program(device, post_vertex, shafts_pixel),
        .tone = make_program(device, post_vertex, tone_pixel),
    };
}

void programs_destroy(struct programs *p)
{
    const struct program *const all[] = {&p->depth,  &p->lit,  &p->grass,  &p->sky, &p->crystal,
                                         &p->bright, &p->blur, &p->shafts, &p->tone};

    for (unsigned i = 0; i < COUNT(all); i++) {
        IDirect3DVertexShader9_Release(all[i]->vertex);
        IDirect3DPixelShader9_Release(all[i]->pixel);
    }
}

void program_use(IDirect3DDevice9 *device, const struct program *program)
{
    IDirect3DDevice9_SetVertexShader(device, program->vertex);
    IDirect3DDevice9_SetPixelShader(device, program->pixel);
}

void set_vertex_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    IDirect3DDevice9_SetVertexShaderConstantF(device, number, value, 1);
}

void set_pixel_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    IDirect3DDevice9_SetPixelShaderConstantF(device, number, value, 1);
}

void set_vertex_matrix(IDirect3DDevice9 *device, unsigned number, const D3DMATRIX *matrix)
{
    float columns[4][4];

    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            columns[i][j] = matrix->m[j][i];
    IDirect3DDevice9_SetVertexShaderConstantF(device, number, columns[0], 4);
}
