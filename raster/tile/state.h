/* SPDX-License-Identifier: MIT */
/* Derived state: everything that a draw state implies for a tile, computed once per change of state and used for each
 * block or batch. */
#ifndef HALCYON_RASTER_TILE_STATE_H
#define HALCYON_RASTER_TILE_STATE_H

#include "raster/kernels/kernels.h"
#include "raster/tile/hierarchical_z.h"

/* A colour target that the state writes. */
struct tile_output {
    const struct raster_surface *surface;
    unsigned index;
    bool opaque; /* stores do not depend on the old contents */
    raster_store_fn store;
    raster_pack_fn pack;                                  /* of each batch before it is stored; NULL: none */
    bool takes_srgb;                                      /* 8 bits a channel */
    raster_fill_fn fill;                                  /* of blocks with one colour; NULL: they are stored */
    _Alignas(16) uint8_t pattern[RASTER_GROUP_LANES * 4]; /* the colour for `fill` */
};

struct tile_state {
    const struct raster_draw_state *draw; /* NULL: no state since the tile began */
    unsigned samples; /* samples per pixel for coverage: those of the targets, or those that the state forces */
    int32_t sample_offsets[RASTER_MAX_SAMPLES]; /* their positions if there are several, as for cover_small_samples */
    struct raster_sample_lanes sample_lanes[RASTER_SAMPLE_SETS]; /* the same for groups */
    unsigned placed_samples; /* key of sample_lanes: their number, plus 0x100 if they lie apart; 0: not set */
    uint64_t drawn_lanes[RASTER_SAMPLE_SETS]; /* lanes of the samples that are drawn */
    /* depth and stencil */
    bool early_depth;         /* early Z: tested when a group is added, not after shading */
    bool tests_depth;         /* depth or stencil are tested or written */
    bool caches_depth;        /* the depth block cache is enabled, and the state's depth is a plane */
    bool needs_z;             /* depth of groups is read after they were added to the batch */
    bool tests_samples_early; /* depth of samples is tested by depth_test when a group is added, or not at all */
    unsigned depth_bytes;     /* of a texel of the depth target */
    struct raster_depth_test depth_test;
    struct hierarchical_z_use hierarchical_z;
    raster_depth_at_fn interpolate_depth; /* the kernels for the state's depth */
    raster_block_depth_fn interpolate_depth_block;
    /* colours */
    struct tile_output output[RASTER_MAX_TARGETS];
    unsigned output_count;
    bool shades_blocks;          /* whole blocks may be drawn by draw->shade_block */
    bool stays_narrow;           /* a narrow state's colours are stored without conversion to floats */
    bool passes_through;         /* no program runs: its input is interpolated as the colour */
    uint8_t constant_components; /* components of the colour that are read, and constants of a pass-through program */
    raster_direct_store_fn direct_store;     /* pass-through without a batch; NULL: not possible */
    raster_direct_row_fn direct_row;         /* the same for whole blocks in a row */
    raster_direct_samples_fn direct_samples; /* the same for samples */
    bool fog_keeps_range;                    /* target 0 keeps colours beyond 0..1, and fog does not clamp them */
    bool finishes_colors;                    /* colours are changed between the program and the stores */
    bool may_be_uniform;                     /* primitives with constant inputs have one colour */
    /* batches */
    bool adds_rows;    /* blocks may go through tile_add_row (row.h) */
    bool packs_quads;  /* quads without fragments are left out of batches */
    bool moves_groups; /* groups may lie anywhere, not only at multiples of four */
    /* fields of the state off the fast path (special.c) */
    bool special;      /* groups need tile_special_group */
    bool smooths;      /* alpha is scaled by the batch's `alpha` */
    bool clamps_color; /* to 0..1 before targets that would keep more */
};

struct tile_worker;

/* Sets the state of the primitives that follow. If it differs, shades the batch and derives w->state. */
void tile_use_state(struct tile_worker *w, const struct raster_draw_state *state);

/* The samples that the state allows to be drawn, as bits. */
static inline unsigned tile_drawn_samples(const struct tile_state *state)
{
    return state->draw->sample_mask & ((1u << state->samples) - 1);
}

#endif
