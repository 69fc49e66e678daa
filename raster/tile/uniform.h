/* SPDX-License-Identifier: MIT */
/* Primitives of one colour: shaded once, then filled. */
#ifndef HALCYON_RASTER_TILE_UNIFORM_H
#define HALCYON_RASTER_TILE_UNIFORM_H

#include "raster/scene.h"

struct tile_worker;

/* Derives w->state.may_be_uniform: whether the state lets primitives have one colour. */
void tile_uniform_choose(struct tile_worker *w);
/* Does the primitive have one colour, and is it large enough (`blocks`: touched in the tile) to profit from that? If
 * so, draws all groups before it and finds its colour; its blocks then go to tile_uniform_block. (x, y): one of its
 * groups. */
bool tile_uniform_begin(struct tile_worker *w, const struct scene_primitive *primitive, unsigned blocks, int x, int y);
/* Tests depth of the pixels of `mask` in the block at (x, y) and fills those that pass. */
void tile_uniform_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* Fills pixels that have passed all tests. */
void tile_uniform_fill(struct tile_worker *w, int x, int y, uint64_t mask);

#endif
