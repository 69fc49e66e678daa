/* SPDX-License-Identifier: MIT */
/*
 * The hot loops, compiled once per CPU level: the pixel side into one table (kernels/pixel.c), the sampler into
 * another (sample/kernels/). The scalar variant is the definition; all others give
 * the same bits (tests/unit/test_raster_kernels.c). A group is 4x4 pixels, 16 lanes in Morton order.
 */
#ifndef HALCYON_RASTER_KERNELS_H
#define HALCYON_RASTER_KERNELS_H

#include "base/assert.h"
#include "raster/sample/sample.h"
#include "raster/scene.h"

#define KERNEL_CONCAT_(a, b) a##b
#define KERNEL_CONCAT(a, b) KERNEL_CONCAT_(a, b)
#if defined(KERNEL_LEVEL)
#if KERNEL_LEVEL == 0
#define KERNEL(name) KERNEL_CONCAT(name, _scalar)
#elif KERNEL_LEVEL == 1
#define KERNEL(name) KERNEL_CONCAT(name, _sse2)
#elif KERNEL_LEVEL == 2
#define KERNEL(name) KERNEL_CONCAT(name, _avx2)
#else
#define KERNEL(name) KERNEL_CONCAT(name, _avx512)
#endif
#endif

#define GROUP_LANES RASTER_GROUP_LANES

#if defined(KERNEL_LEVEL)
/* raster_sample_lod for a sampler with a feedback map: marks the texels read with weight, or those that its
 * feedback_mode names, for the lanes whose bits are set in `lanes`: fragments that are covered and active. The others take
 * part in the level of detail alone. From any thread. */
void KERNEL(raster_sample_recorded)(const struct raster_sampler *sampler, unsigned group_count,
                                    const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                                    const float (*lod)[RASTER_LANES], uint64_t lanes, float (*result)[RASTER_LANES]);
#endif

/* Edges of a triangle over the pixels of a tile. c: values at the tile's first pixel; of edges not in `mask` (they lie
 * whole inside) nothing else is said. |values| < 2^30 in the tile (raster/setup/triangle.c). */
struct raster_tile_edges {
    int32_t c[3], dx[3], dy[3];
    int32_t low[3], margin[3]; /* multisampled targets: see scene_edge and scene_edge_margin */
    unsigned mask;             /* edges that cross the tile */
};

/* Pixels covered in an 8x8 block. */
struct raster_cover {
    uint64_t mask;
    int32_t x, y; /* of the block's first pixel */
};

/* A stencil operation: ((s & keep) ^ flip) + add within low..high replaces the bits in `write`. */
struct raster_stencil_change {
    uint32_t keep, flip, add, write;
    int32_t low, high;
};

/* The stencil test: passes if from - (s & mask), modulo 2^32, is at most `span`. */
struct raster_stencil_test {
    uint32_t mask, from, span;
    uint32_t negate; /* 0xffff: passes if it is not */
    bool always;     /* passes anyway */
    struct raster_stencil_change fail, zfail, pass;
};

static inline bool raster_stencil_passes(const struct raster_stencil_test *test, uint32_t stencil)
{
    return (test->from - (stencil & test->mask) <= test->span) != (test->negate != 0);
}

static inline uint32_t raster_stencil_changed(const struct raster_stencil_change *change, uint32_t stencil)
{
    int32_t fresh = (int32_t)(((stencil & change->keep) ^ change->flip) + change->add);

    fresh = fresh > change->low ? fresh : change->low;
    fresh = fresh < change->high ? fresh : change->high;
    return (stencil & ~change->write) | ((uint32_t)fresh & change->write);
}

/* Depth and stencil tests of a state, prepared for blocks. */
struct raster_depth_test;

/* Tests and writes depth and stencil of the pixels of `mask` in the 8x8 block at (x, y), each `offset` (px) from its
 * centre. Returns those that pass. */
typedef uint64_t (*raster_depth_fn)(const struct raster_depth_test *test, const struct raster_surface *depth,
                                    const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                    uint64_t mask);

struct raster_depth_test {
    raster_depth_fn run;
    const struct raster_draw_state *state;
    bool tests_depth, tests_stencil;       /* there is something that it may see or change */
    bool writes_depth;                     /* where it passes */
    uint8_t func;                          /* enum raster_compare */
    struct raster_stencil_test stencil[2]; /* of back faces, of front faces; if there is one at all */
};

/* A 4x4 group of which a batch holds some quads: those of `quads` (bit q: its lanes 4q..4q+3), one behind the other from
 * `lane` on. */
struct raster_place {
    int x, y; /* of the group's first pixel */
    unsigned lane, quads;
    uint32_t mask; /* lanes of the group that are meant; only such of its quads */
};

/* Blends and stores the pixels of `count` places into a colour target. */
typedef void (*raster_store_fn)(const struct raster_draw_state *state, const struct raster_surface *target,
                                unsigned index, const struct raster_batch *batch, const struct raster_place *place,
                                unsigned count);
/* Makes batch->packed of the colours for a target. */
typedef void (*raster_pack_fn)(struct raster_batch *batch, unsigned index);
/* Stores a pattern of 4x4 pixels in the target's format (rows without gaps) into the pixels of `mask` of the 8x8 block at
 * (x, y), every group of which gets it whole. */
typedef void (*raster_fill_fn)(const struct raster_surface *target, int x, int y, uint64_t mask, const uint8_t *pattern);

/* Colours of the pixels of `mask` in the 8x8 block at (x, y) where the state's program only copies them: interpolated,
 * packed, stored. */
typedef void (*raster_direct_store_fn)(const struct scene_primitive *primitive, const struct raster_surface *target, int x, int y,
                                uint64_t mask);

/* Depth of 16 lanes, of 64; see raster_kernels. */
typedef void (*raster_depth_at_fn)(const struct scene_primitive *primitive, int x, int y, const float offset[2], float *z);
typedef void (*raster_block_depth_fn)(const struct scene_primitive *primitive, int x, int y, uint64_t mask, float *z);

struct raster_kernels {
    /* Blocks of a tile that a triangle covers within `area` (pixels of the tile), row by row. At most 64; returns how
     * many. */
    unsigned (*cover_triangle)(const struct raster_tile_edges *edges, const struct raster_rect *area,
                               struct raster_cover *out);
    /* The same of a primitive with `is_small` set, in the tile whose first pixel is (x, y), which its bounds touch. */
    unsigned (*cover_small)(const struct scene_primitive *primitive, int x, int y, struct raster_cover *out);
    /* Its lanes in the 8x8 block at pixel (x, y), wherever that starts. */
    uint64_t (*cover_small_block)(const struct scene_primitive *primitive, int x, int y);
    /* Lanes of the 8x8 block at (x, y) that lie in a rectangle. */
    uint64_t (*bounds_block)(const struct raster_rect *area, int x, int y);
    /* Coverage of an 8x8 block: bit l set if all edges in edge_mask are >= 0 at lane l (Morton order over the
     * block: group l / 16). c: edge values at the block's first pixel. |values| < 2^31 in the block. */
    uint64_t (*coverage_block)(const int32_t c[3], const int32_t dx[3], const int32_t dy[3],
                               unsigned edge_mask);

    /* Depth of a group at pixel (x, y), each lane `offset` (x, y in px) from its centre; clamped to 0..1. */
    raster_depth_at_fn interpolate_depth;
    /* Of the groups of the 8x8 block at (x, y) with pixels in mask, at their centres. */
    raster_block_depth_fn interpolate_depth_block;
    /* The same for states whose depth is eye w. */
    raster_depth_at_fn interpolate_w_depth;
    raster_block_depth_fn interpolate_w_depth_block;
    /* w and inputs of the quads of a place into the batch. 16 lanes are written: behind the last quad its values again. */
    void (*interpolate)(const struct scene_primitive *primitive, const struct raster_place *place,
                        struct raster_batch *batch);
    /* Of the 8x8 block at (x, y), all lanes of the batch. */
    void (*interpolate_block)(const struct scene_primitive *primitive, int x, int y, struct raster_batch *batch);

    /* Stencil and depth tests of the lanes in mask; writes what the state says. Returns the lanes that pass. */
    uint32_t (*depth_stencil)(const struct raster_draw_state *state, const struct raster_surface *depth,
                              int x, int y, const float *z, uint32_t mask, bool front_facing);
    /* Prepares the same for whole blocks of a target with that format. The state must outlive the test. */
    void (*choose_depth)(const struct raster_draw_state *state, enum raster_format format,
                         struct raster_depth_test *test);

    /* Fog and alpha test over a batch; clears bits of `covered`. */
    void (*fog)(const struct raster_draw_state *state, struct raster_batch *batch);
    void (*alpha_test)(const struct raster_draw_state *state, struct raster_batch *batch);

    /* What the program gave for a target, as sRGB. */
    void (*srgb)(struct raster_batch *batch, unsigned target);

    /* Copies the 8x8 block at (x, y), inside the surface, from sample 0 to the other samples. Pixels of 32 bits. */
    void (*copy_samples)(const struct raster_surface *surface, int x, int y);
    /* Stores 4x4 pixels of 32 bits, row by row, into the group at (x, y) of a multisampled surface: of sample s the lanes
     * in mask[s]. */
    void (*store_samples)(const struct raster_surface *surface, int x, int y, const uint32_t *pixels,
                          const uint16_t *mask);
    /* The function that stores into target `index` of that format, and the one that must have run before for the whole
     * batch; NULL: none must. */
    raster_store_fn (*choose_store)(const struct raster_draw_state *state, unsigned index, enum raster_format format,
                                    raster_pack_fn *pack);
    /* The function that fills blocks of a target of that format; NULL: none does. */
    raster_fill_fn (*choose_fill)(enum raster_format format);
    /* The function that paints them; NULL: none does. */
    raster_direct_store_fn (*choose_direct_store)(enum raster_format format);
};

#if defined(KERNEL_LEVEL)
/* The entries of the table, in the files that hold them. */
unsigned KERNEL(raster_cover_triangle)(const struct raster_tile_edges *edges, const struct raster_rect *area,
                                       struct raster_cover *out);
unsigned KERNEL(raster_cover_small)(const struct scene_primitive *primitive, int x, int y, struct raster_cover *out);
uint64_t KERNEL(raster_cover_small_block)(const struct scene_primitive *primitive, int x, int y);
uint64_t KERNEL(raster_bounds_block)(const struct raster_rect *area, int x, int y);
uint64_t KERNEL(raster_coverage_block)(const int32_t c[3], const int32_t dx[3], const int32_t dy[3],
                                       unsigned edge_mask);
void KERNEL(raster_interpolate_depth)(const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                      float *z);
void KERNEL(raster_interpolate_depth_block)(const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                                            float *z);
void KERNEL(raster_interpolate_w_depth)(const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                        float *z);
void KERNEL(raster_interpolate_w_depth_block)(const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                                              float *z);
void KERNEL(raster_interpolate)(const struct scene_primitive *primitive, const struct raster_place *place,
                                struct raster_batch *batch);
void KERNEL(raster_interpolate_block)(const struct scene_primitive *primitive, int x, int y, struct raster_batch *batch);
uint32_t KERNEL(raster_depth_stencil)(const struct raster_draw_state *state, const struct raster_surface *depth,
                                      int x, int y, const float *z, uint32_t mask, bool front_facing);
void KERNEL(raster_choose_depth)(const struct raster_draw_state *state, enum raster_format format,
                                 struct raster_depth_test *test);
void KERNEL(raster_fog)(const struct raster_draw_state *state, struct raster_batch *batch);
void KERNEL(raster_alpha_test)(const struct raster_draw_state *state, struct raster_batch *batch);
void KERNEL(raster_srgb)(struct raster_batch *batch, unsigned target);
void KERNEL(raster_copy_samples)(const struct raster_surface *surface, int x, int y);
void KERNEL(raster_store_samples)(const struct raster_surface *surface, int x, int y, const uint32_t *pixels,
                                  const uint16_t *mask);
raster_store_fn KERNEL(raster_choose_store)(const struct raster_draw_state *state, unsigned index,
                                            enum raster_format format, raster_pack_fn *pack);
raster_fill_fn KERNEL(raster_choose_fill)(enum raster_format format);
raster_direct_store_fn KERNEL(raster_choose_direct_store)(enum raster_format format);
#endif

const struct raster_kernels *raster_kernels_for(enum cpu_level level);

extern const struct raster_kernels raster_kernels_scalar, raster_kernels_sse2, raster_kernels_avx2,
    raster_kernels_avx512;
void raster_sample_scalar(const struct raster_sampler *sampler, unsigned group_count,
                          const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_sse2(const struct raster_sampler *sampler, unsigned group_count,
                        const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_avx2(const struct raster_sampler *sampler, unsigned group_count,
                        const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_avx512(const struct raster_sampler *sampler, unsigned group_count,
                          const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_lod_scalar(const struct raster_sampler *sampler, unsigned group_count,
                          const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                          const float (*lod)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_lod_sse2(const struct raster_sampler *sampler, unsigned group_count,
                          const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                          const float (*lod)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_lod_avx2(const struct raster_sampler *sampler, unsigned group_count,
                          const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                          const float (*lod)[RASTER_LANES], float (*result)[RASTER_LANES]);
void raster_sample_lod_avx512(const struct raster_sampler *sampler, unsigned group_count,
                          const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                          const float (*lod)[RASTER_LANES], float (*result)[RASTER_LANES]);

/* Pixel offsets of a group's lanes. */
static const int32_t raster_lane_x[GROUP_LANES] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
static const int32_t raster_lane_y[GROUP_LANES] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

#endif
