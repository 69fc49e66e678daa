/* SPDX-License-Identifier: MIT */
/* What tile/tile.c and tile/samples.c share: a worker's batch and how groups get into it. */
#ifndef HALCYON_RASTER_TILE_H
#define HALCYON_RASTER_TILE_H

#include "raster/internal.h"

#define BATCH_GROUPS (RASTER_LANES / RASTER_GROUP_LANES)
#define BATCH_QUADS  (RASTER_LANES / RASTER_QUAD_LANES)
#define BLOCK_SIZE   8
#define TILE_BLOCKS  ((RASTER_TILE_SIZE / BLOCK_SIZE) * (RASTER_TILE_SIZE / BLOCK_SIZE))

/* A colour target that the state writes. */
struct tile_output {
    const struct raster_surface *surface;
    unsigned index;
    bool opaque; /* what is stored does not depend on what was there */
    raster_store_fn store;
    raster_pack_fn pack; /* of each batch before it is stored; NULL: none */
    bool takes_srgb; /* 8 bits a channel */
    raster_fill_fn fill; /* of blocks with one colour; NULL: they are stored */
    _Alignas(16) uint8_t pattern[RASTER_GROUP_LANES * 4];
};

/* Depth a + dx (px - x) + dy (py - y), clamped to 0..1. */
struct tile_plane {
    float a, dx, dy, x, y;
};

/* Least and greatest depth in 8x8 pixels, to the bit. */
struct tile_range {
    float least, greatest;
};

/*
 * Bounds of depth per 8x8 block of a tile, so that what lies behind a block is dropped unseen. `bound`: every
 * depth from it on is greater than all that the block holds. Layers: primitives that together cover the block lower
 * its bound when none of its pixels is missing. After "Masked Software Occlusion Culling" (Hasselgren, Andersson,
 * Akenine-Moller 2016). See tile/hierarchical_z.c.
 */
struct tile_hierarchy {
    float bound[TILE_BLOCKS];
    float layer[TILE_BLOCKS];      /* the greatest bound of the primitives since `covered` was empty */
    uint64_t covered[TILE_BLOCKS]; /* pixels that they cover */
    /* Bit b: depth of block b is plane[b]; and memory does not hold it yet. Pixels of block b whose stencil is
     * stencil_value[b]; and those of them that memory does not hold yet. See tile/depth_cache.c. */
    struct tile_known {
        uint64_t depth, depth_owed;
        uint64_t owed; /* blocks of which memory does not hold all */
        struct tile_plane plane[TILE_BLOCKS];
        struct tile_range range[TILE_BLOCKS]; /* of the plane in the block */
        uint64_t stencil[TILE_BLOCKS], stencil_owed[TILE_BLOCKS];
        uint8_t stencil_value[TILE_BLOCKS];
    } known;
    uint32_t epoch;                /* of the scene that left it: what it says holds in scenes of the same one */
};

struct tile_worker {
    struct raster_batch batch;
    /* Multisampled targets: what each sample of each group covers, and its depth. */
    _Alignas(64) float sample_z[BATCH_GROUPS][RASTER_MAX_SAMPLES][RASTER_GROUP_LANES];
    uint16_t sample_mask[BATCH_GROUPS][RASTER_MAX_SAMPLES];
    /* All samples of the batch's pixels are covered, those of tile_drawn_samples: sample_mask is not filled in. */
    bool whole_block;
    const struct raster_kernels *kernels;
    const struct raster_targets *targets;
    unsigned target_samples; /* 1, or those of the targets */
    unsigned samples;        /* what coverage is taken at: the same, or what the state forces */
    struct raster_rect tile; /* the pixels of the tile at hand that the targets have */
    /* of the groups collected so far */
    const struct raster_draw_state *state;
    struct raster_place group[BATCH_QUADS];
    unsigned group_count, quad_count;
    uint64_t placed, placed_inner; /* batch.covered and batch.inner before shading */
    bool early_depth; /* tested when a group is added, not after shading */
    bool tests_depth; /* depth or stencil are looked at */
    struct raster_depth_test depth_test;
    raster_depth_at_fn interpolate_depth; /* those of the kernels that the state's depth asks for */
    raster_block_depth_fn interpolate_depth_block;
    /* what tile/depth_cache.c draws with; the key says what it is made for */
    bool knows;       /* the depth target is one whose blocks may be known */
    bool knows_state; /* and depth of the state at hand is a plane */
    float depth_step; /* two steps of its format */
    uint32_t stencil_bits; /* those it has */
    uint32_t owed_key;
    struct raster_draw_state owed_state;
    struct raster_depth_test owed_test;
    struct tile_output output[RASTER_MAX_TARGETS];
    unsigned output_count;
    bool needs_z;       /* somebody reads depth of groups after they were added */
    bool passes;        /* there is no program to run: its input is interpolated as the colour */
    uint8_t passed_constants; /* components of the colour that are not, and are read */
    raster_paint_fn paint; /* which does it without a batch; NULL: none does */
    bool may_be_uniform; /* primitives with level inputs have one colour */
    bool packs;         /* quads without fragments are left out of batches */
    bool moves_groups;  /* groups may lie anywhere, not on multiples of four alone */
    bool special;       /* groups need tile_special_group */
    bool smooths;       /* alpha is scaled by `alpha` */
    bool clamps_color;  /* to 0..1 before targets that would keep more */
    _Alignas(64) float alpha[RASTER_LANES];
    uint64_t inner_block; /* pixels of the block at hand that lie whole inside the primitive */
    struct tile_hierarchy *hierarchy; /* of the tile at hand */
    struct tile_depth_use {
        bool rejects, lowers, raises; /* what the state does: drop by bounds, lower them, let depth grow */
        float step;                   /* two steps of the depth format */
    } depth_use;
    uint64_t fragments;
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* batch.scratch */
};

/* The block of its tile that a pixel lies in. */
static inline unsigned tile_block_of(int x, int y)
{
    return (unsigned)y / BLOCK_SIZE % 8 * 8 + (unsigned)x / BLOCK_SIZE % 8;
}

static inline struct tile_plane tile_plane_of(const struct scene_primitive *primitive)
{
    return (struct tile_plane){primitive->depth.a[0], primitive->depth.dx[0], primitive->depth.dy[0],
                               primitive->reference_x, primitive->reference_y};
}

/* Of a plane at (x, y). False: nothing can be said. */
static inline bool tile_plane_range(const struct tile_plane *plane, int x, int y, struct tile_range *range)
{
    const float a = plane->a, dx = plane->dx, dy = plane->dy;
    const float left = (float)x - plane->x, right = left + (float)(BLOCK_SIZE - 1);
    const float top = (float)y - plane->y, bottom = top + (float)(BLOCK_SIZE - 1);

    if (!(__builtin_fabsf(a) + __builtin_fabsf(dx) + __builtin_fabsf(dy) < 1e30f)) /* nor NaN: its order means nothing */
        return false;
    const float least = a + (dx < 0.0f ? right : left) * dx + (dy < 0.0f ? bottom : top) * dy;
    const float greatest = a + (dx < 0.0f ? left : right) * dx + (dy < 0.0f ? top : bottom) * dy;
    range->least = least > 0.0f ? BASE_MIN(least, 1.0f) : 0.0f;
    range->greatest = greatest > 0.0f ? BASE_MIN(greatest, 1.0f) : 0.0f;
    return true;
}

/* The samples that the state lets be drawn. */
static inline unsigned tile_drawn_samples(const struct tile_worker *w)
{
    return w->state->sample_mask & ((1u << w->samples) - 1);
}

static inline uint32_t tile_group_bits(uint64_t covered, unsigned group)
{
    return (uint32_t)(covered >> (group * RASTER_GROUP_LANES)) & 0xffff;
}

/* Bits set. */
static inline unsigned tile_count(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)((v * UINT64_C(0x0101010101010101)) >> 56);
}

/* Forgets the groups collected so far. */
void tile_empty_batch(struct tile_worker *w);
/* Shades and stores them. */
void tile_shade_batch(struct tile_worker *w);
/* Shades them alone: colours and batch.covered as stores take them. */
void tile_color_batch(struct tile_worker *w);
/* Adds a group whose depth (of its 16 lanes; not looked at if nobody will) has been dealt with: its inputs, its lanes to
 * shade. */
void tile_push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask,
                     const float *z);
/* Adds the pixels of `mask` in the group (8x8 block) at pixel (x, y), a multiple of 4 (8), after depth and stencil. */
void tile_add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask);
void tile_add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* A block whose depth has been dealt with, with pixels in all four groups: fills a batch by itself. z: of its 64 lanes, if
 * anybody will look at it. */
void tile_push_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                     const float *z);

/* Depth of the pixels of `mask` in the block at (x, y) into z, as far as it is read; tests: tested (and written) too. Returns
 * the pixels that are left. */
uint64_t tile_block_depth(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                          bool tests, float *z);

/* --- tile/uniform.c ---------------------------------------------------------------------------- */

/* Whether the state lets primitives be uniform. */
void tile_uniform_state(struct tile_worker *w);
/* Is all that a primitive covers of one colour, and large enough (`blocks` that it touches in the tile) to treat it so? Then
 * all groups before it are drawn, its colour is found, and its blocks go to tile_uniform_block. (x, y): one of its groups. */
bool tile_uniform_begin(struct tile_worker *w, const struct scene_primitive *primitive, unsigned blocks, int x, int y);
void tile_uniform_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);

/* --- tile/triangle.c, tile/line.c, tile/clear.c -------------------------------------------------- */

/* edge_mask: edges that may cross the tile. */
void tile_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask, int tile_x,
                        int tile_y);
void tile_draw_line(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y);
void tile_draw_clear(struct tile_worker *w, const struct scene_clear *clear, int tile_x, int tile_y);

/* --- tile/hierarchical_z.c ------------------------------------------------------------------------------ */

/* Nothing is known. */
void tile_hierarchy_forget(struct tile_hierarchy *h);
/* What the state (and w->special) allows. */
void tile_hierarchy_state(struct tile_worker *w);
/* Two steps of a depth format: depths that differ by as much differ when stored. */
float tile_two_steps(enum raster_format format);
/* Depth of the target is cleared in a rectangle of the tile's pixels. */
void tile_hierarchy_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                          int tile_x, int tile_y);
/* The primitive covers `mask` of the block at pixel (x, y). True: all of it fails the depth test, and nothing is to be
 * done. */
bool tile_hierarchy_hides(struct tile_hierarchy *h, const struct tile_depth_use *use,
                          const struct scene_primitive *primitive, int x, int y, uint64_t mask);

/* The same if the state at hand has any use for it. */
static inline bool tile_hidden(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                               uint64_t mask)
{
    return (w->depth_use.rejects || w->depth_use.lowers) &&
           tile_hierarchy_hides(w->hierarchy, &w->depth_use, primitive, x, y, mask);
}

/* The same of 8x8 pixels that start anywhere in the tile. */
bool tile_hierarchy_hides_moved(struct tile_hierarchy *h, const struct tile_depth_use *use,
                                const struct scene_primitive *primitive, int x, int y, uint64_t mask);

/* --- tile/depth_cache.c ---------------------------------------------------------------------------------- */

/* A tile is begun: whether its depth may be known. */
void tile_known_begin(struct tile_worker *w);
/* Nothing is known or owed. */
void tile_known_forget(struct tile_known *known);
/* Depth and stencil tests of the pixels of `mask` of a block (of a group, with its depth), before or after shading;
 * writes what the state says. Returns those that pass. Targets with one sample. */
uint64_t tile_test_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);
uint32_t tile_test_group(struct tile_worker *w, int x, int y, const float *z, uint32_t mask, bool front_facing);
/* A rectangle of depth, of stencil is cleared. False: in memory too, by the caller; true: that is owed. */
bool tile_known_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear, int tile_x,
                      int tile_y);
/* Memory of the tile gets what is owed to it. */
void tile_known_settle(struct tile_worker *w, int tile_x, int tile_y);

/* --- tile/conservative.c ------------------------------------------------------------------- */

/* What a conservative primitive needs beyond its three edges in the 8x8 block at (x, y): sets w->inner_block, the pixels
 * that lie whole inside, if they are wanted; returns the pixels that edges beyond the three leave. */
uint64_t conservative_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y);
/* Where w slopes. After w and inputs of a group (groups 1) or an 8x8 block (BATCH_GROUPS) at (x, y) are in the batch from `lane`
 * on: lanes whose 1/w is extrapolated too far below the corners', or beyond 0, get those of a place nearer to the first corner. */
void conservative_inputs(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, unsigned lane,
                         unsigned groups);

/* --- tile/special.c ------------------------------------------------------------------------ */

/* Which of the state's fields beyond the plain path are in effect. */
void tile_special_state(struct tile_worker *w);
/* Pixels of the 8x8 block at (x, y) that the polygon stipple lets through. */
uint64_t tile_stipple_mask(const struct raster_draw_state *state, int x, int y);
/* Depth range, smoothed coverage and what conservative primitives need, of group g of the batch; returns the lanes
 * that are left. */
uint32_t tile_special_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                            float *z, uint32_t mask);
/* Smoothed coverage alone, where w->smooths: sets the group's alpha, returns the lanes that have any. */
uint32_t tile_smooth_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                           uint32_t mask);
void tile_clamp_depth(const struct raster_draw_state *state, float *z);
/* Before the program: coverage as one of its inputs. */
void tile_special_inputs(struct tile_worker *w);
/* After the program: smoothed alpha, clamped colours. */
void tile_special_colors(struct tile_worker *w);

/* --- tile/samples.c ------------------------------------------------------------------------ */

/* As the functions of tile/triangle.c for single-sample targets, for multisampled ones. */
void samples_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive,
                           const struct raster_tile_edges *edges, const struct raster_rect *area, int tile_x, int tile_y);
/* A group whose pixels are covered whole: of lines. */
void samples_add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask);
/* Stores the batch: a whole block once, copied to the other samples; else each sample of each group. */
void samples_store_batch(struct tile_worker *w);

#endif
