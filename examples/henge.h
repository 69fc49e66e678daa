/* SPDX-License-Identifier: MIT */
/* What the files of the henge example share: its models, textures and shaders. */
#ifndef EXAMPLES_HENGE_H
#define EXAMPLES_HENGE_H

#include "examples/common9.h"

static const struct vec3 crystal_place = {0, 2.35f, 0};

/* --- models --------------------------------------------------------------------------------------- */

/* A mesh with a declaration; all of it is one draw of indexed triangles. */
struct model {
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DVertexDeclaration9 *declaration;
    unsigned stride, vertex_count, triangle_count;
};

struct model stones_create(IDirect3DDevice9 *device);
struct model ground_create(IDirect3DDevice9 *device);
struct model crystal_create(IDirect3DDevice9 *device);
void model_draw(IDirect3DDevice9 *device, const struct model *model);
void model_destroy(struct model *model);

/* A tuft of blades, and a stream that says where each instance of it stands. */
struct grass {
    struct model tuft;
    IDirect3DVertexBuffer9 *places;
    unsigned count;
};

struct grass grass_create(IDirect3DDevice9 *device);
void grass_draw(IDirect3DDevice9 *device, const struct grass *grass);
void grass_destroy(struct grass *grass);

float ground_height(float x, float z);

/* --- textures -------------------------------------------------------------------------------------- */

struct textures {
    IDirect3DTexture9 *stone, *stone_normals, *soil, *soil_normals, *clouds;
};

struct textures textures_create(IDirect3DDevice9 *device);
void textures_destroy(struct textures *textures);

/* --- shaders --------------------------------------------------------------------------------------- */

/* A vertex and a pixel shader that belong together, from examples/shaders. */
struct program {
    IDirect3DVertexShader9 *vertex;
    IDirect3DPixelShader9 *pixel;
};

struct programs {
    struct program depth, lit, grass, sky, crystal, bright, blur, shafts, tone;
};

struct programs programs_create(IDirect3DDevice9 *device);
void programs_destroy(struct programs *programs);
void program_use(IDirect3DDevice9 *device, const struct program *program);
/* One register of a stage. */
void set_vertex_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w);
void set_pixel_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w);
/* Registers whose products with a position are its components: the columns of the matrix. */
void set_vertex_matrix(IDirect3DDevice9 *device, unsigned number, const D3DMATRIX *matrix);

#endif
