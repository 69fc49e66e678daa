/* SPDX-License-Identifier: MIT */
/* Derived state: the consequences of a draw state for a tile, found once for each change of state and used for each
 * block or batch. */
#ifndef HALCYON_RASTER_TILE_STATE_H
#define HALCYON_RASTER_TILE_STATE_H

#include "raster/kernels/kernels.h"
#include "raster/tile/hierarchical_z.h"

/* A colour target that the state writes. */
struct tile_output {
    const struct raster_surface *surface;
    unsigned index;
    bool opaque; /* what is stored does not depend on what was there */
    raster_store_fn store;
    raster_pack_fn pack;                                  /* of each batch before it is stored; NULL: none */
    bool takes_srgb;                                      /* 8 bits a channel */
    raster_fill_fn fill;                                  /* of blocks with one colour; NULL: they are stored */
    _Alignas(16) uint8_t pattern[RASTER_GROUP_LANES * 4]; /* the colour that fill takes */
};

struct tile_state {
    const struct raster_draw_state *draw; /* NULL: none since the tile began */
    unsigned samples; /* samples a pixel that coverage is taken at: the targets', or those the state forces */
    int32_t sample_offsets[RASTER_MAX_SAMPLES]; /* where they lie if there are several, as cover_small_samples has it */
    struct raster_sample_lanes sample_lanes[RASTER_SAMPLE_SETS]; /* the same for groups */
    unsigned placed_samples; /* what sample_lanes are of: how many, and if they lie apart 0x100 more; 0: of nothing */
    uint64_t drawn_lanes[RASTER_SAMPLE_SETS]; /* those of the samples that are drawn */
    /* depth and stencil */
    bool early_depth;         /* early Z: tested when a group is added, not after shading */
    bool tests_depth;         /* depth or stencil are looked at */
    bool caches_depth;        /* the depth block cache is enabled, and the state's depth is a plane */
    bool needs_z;             /* depth of groups is read after they were added to the batch */
    bool tests_samples_early; /* depth of samples is tested by depth_test when a group is added, or not at all */
    unsigned depth_bytes;     /* of a texel of the depth target */
    struct raster_depth_test depth_test;
    struct hierarchical_z_use hierarchical_z;
    raster_depth_at_fn interpolate_depth; /* those of the kernels that the state's depth asks for */
    raster_block_depth_fn interpolate_depth_block;
    /* colours */
    struct tile_output output[RASTER_MAX_TARGETS];
    unsigned output_count;
    bool shades_blocks;          /* whole blocks may be drawn by draw->shade_block */
    bool stays_narrow;           /* a narrow state's colours are stored as they are, and not as floats */
    bool passes_through;         /* there is no program to run: its input is interpolated as the colour */
    uint8_t constant_components; /* components of the colour that are read, and constants of a pass-through program */
    raster_direct_store_fn direct_store;     /* pass-through without a batch; NULL: not possible */
    raster_direct_row_fn direct_row;         /* the same for whole blocks in a row */
    raster_direct_samples_fn direct_samples; /* the same for samples */
    bool fog_keeps_range;                    /* target 0 keeps colours beyond 0..1, and fog does not clamp them */
    bool finishes_colors;                    /* something happens to them between the program and the stores */
    bool may_be_uniform;                     /* primitives with constant inputs have one colour */
    /* batches */
    bool adds_rows;    /* blocks may go through tile_add_row (row.h) */
    bool packs_quads;  /* quads without fragments are left out of batches */
    bool moves_groups; /* groups may lie anywhere, not on multiples of four alone */
    /* fields of the state off the fast path (special.c) */
    bool special;      /* groups need tile_special_group */
    bool smooths;      /* alpha is scaled by the batch's `alpha` */
    bool clamps_color; /* to 0..1 before targets that would keep more */
};

struct tile_worker;

/* Takes the state of the primitives that follow: shades what the batch holds if it is another one, and derives w->state. */
void tile_use_state(struct tile_worker *w, const struct raster_draw_state *state);

/* The samples that the state lets be drawn, as bits. */
static inline unsigned tile_drawn_samples(const struct tile_state *state)
{
    return state->draw->sample_mask & ((1u << state->samples) - 1);
}

#endif
