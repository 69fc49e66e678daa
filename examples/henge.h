/* SPDX-License-Identifier: MIT */
/* Shared by the files of the henge example: its models, textures and shaders. */
#ifndef EXAMPLES_HENGE_H
#define EXAMPLES_HENGE_H

#include "examples/common9.h"

static const struct vec3 crystal_place = {0, 2.35f, 0};

/* --- models --------------------------------------------------------------------------------------- */

struct model stones_create(IDirect3DDevice9 *device);
struct model ground_create(IDirect3DDevice9 *device);
struct model crystal_create(IDirect3DDevice9 *device);

/* A tuft of blades, and a stream with the place of each instance. */
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

struct programs {
    struct program depth, lit, grass, sky, crystal, bright, blur, shafts, tone;
};

struct programs programs_create(IDirect3DDevice9 *device);
void programs_destroy(struct programs *programs);

#endif
