/* SPDX-License-Identifier: MIT */
/* What the landscape is made of: meshes from functions, textures from noise. */
#ifndef EXAMPLES_LANDSCAPE_H
#define EXAMPLES_LANDSCAPE_H

#include "examples/shapes.h"

#define TREE_COUNT 240

static const struct vec3 sun = {-0.80f, 0.34f, 0.50f}; /* towards it; normalised in use */
static const D3DCOLOR haze = 0xffe0b48e;

struct world {
    struct shape sky, clouds, terrain, water, floor, floor_outline, rim;
    struct shape column, ring, steps, sphere, pedestal;
    unsigned dry_triangles; /* of the terrain, first in its index buffer; the others are lake bed */
    IDirect3DTexture8 *ground, *detail, *tiles, *marble, *cloud, *wave, *glow, *leaves, *mirror;
    IDirect3DVertexBuffer8 *trees; /* TREE_COUNT * 4 triangles */
};

struct world world_create(IDirect3DDevice8 *device);
void world_destroy(struct world *world);

#endif
