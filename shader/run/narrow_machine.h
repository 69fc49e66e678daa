/* SPDX-License-Identifier: MIT */
/*
 * The state that the executor of narrow programs keeps for a batch: kernels/narrow.c runs their steps,
 * kernels/narrow_block.c whole blocks by generated code. Compiled once per CPU level. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_NARROW_MACHINE_H
#define HALCYON_SHADER_RUN_NARROW_MACHINE_H

#include "raster/kernels/kernels.h"
#include "shader/run/machine.h"
#include "shader/run/narrow_block.h"

/* Names of the level being compiled. */
#define narrow_link         KERNEL(narrow_link)
#define narrow_read_texture KERNEL(narrow_read_texture)

/* The pixels of all lanes. Uniforms are repeated, so that every operand is read in the same way. */
typedef int16_t narrow_pixels[4 * RASTER_LANES];

struct narrow_machine {
    const struct shader_binding *binding;
    const struct narrow_program *narrow;
    struct raster_batch *batch;
    unsigned lanes; /* a multiple of 16 */
    bool has_block; /* the part of the block that depends only on the state is up to date */
    const struct scene_primitive *stepped[NARROW_BLOCK_TEXTURES]; /* the primitive whose coordinate steps the
                                                                   * block's textures have */
    int16_t *place[NARROW_PLACES];
    struct raster_narrow_reads reads[RASTER_MAX_SAMPLERS]; /* for the samplers of the program */
    _Alignas(64) narrow_pixels missing;                    /* a colour that no raster input holds */
    _Alignas(64) narrow_pixels uniform[NARROW_MAX_UNIFORMS];
    _Alignas(64) narrow_pixels reg[NARROW_FIRST_INPUT];
    struct narrow_block block;
};

_Static_assert(sizeof(struct narrow_machine) <= RASTER_SCRATCH_BYTES, "callers have room for the machine");

/* Finds the places that steps read and write. */
void narrow_link(struct narrow_machine *m, const struct shader_binding *binding, struct raster_batch *batch);
/* Samples the textures of a texture step, for m->lanes lanes. */
void narrow_read_texture(const struct narrow_machine *m, const struct narrow_step *s, int16_t *to);

#endif
