/* SPDX-License-Identifier: MIT */
/*
 * The hot loops, compiled once per CPU level into a table for each. The scalar variant is the definition; all others
 * give the same bits (tests/unit/test_raster_kernels.c). A group is 4x4 pixels, 16 lanes in Morton order.
 */
#ifndef HALCYON_RASTER_KERNELS_H
#define HALCYON_RASTER_KERNELS_H

#include "base/assert.h"
#include "base/base.h"
#include "raster/sample/sample.h"
#include "raster/scene.h"

#define KERNEL_CONCAT_(a, b) a##b
#define KERNEL_CONCAT(a, b)  KERNEL_CONCAT_(a, b)
/* The name of a function at the level being compiled; KERNEL_SUFFIX comes from the Makefile. */
#define KERNEL(name) KERNEL_CONCAT(name, KERNEL_SUFFIX)

#define GROUP_LANES  RASTER_GROUP_LANES

/* Edges of a triangle over the pixels of a tile. c: values at the tile's first pixel; undefined for edges not in `mask`
 * (the tile lies wholly inside them). |values| < 2^30 in the tile (raster/setup/triangle.c). */
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

/* A row of a tile's blocks, of which a primitive covers some. Blocks are bits, the leftmost the lowest. */
#define RASTER_ROW_BLOCKS (RASTER_TILE_SIZE / 8)
struct raster_row {
    uint32_t live;                    /* blocks with pixels in their mask */
    uint32_t whole;                   /* blocks with all pixels in their mask */
    uint64_t mask[RASTER_ROW_BLOCKS]; /* as in struct raster_cover */
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
    bool always;     /* always passes */
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

/* Colour keys of a copy of rows: texels with the source key are left out, and those with the destination key alone are replaced. */
struct raster_keys {
    unsigned texel; /* bytes of a texel, 1 to 4 */
    uint32_t mask;  /* the bits that keys are compared with */
    bool source_keyed, destination_keyed;
    uint32_t source_key, destination_key; /* no bits beyond the mask */
};

/* Depth and stencil tests of a state, prepared for blocks. */
struct raster_depth_test;

/* Tests and writes depth and stencil of the pixels of `mask` in the 8x8 block at (x, y), each `offset` (px) from its
 * centre. Returns those that pass. */
typedef uint64_t (*raster_depth_fn)(const struct raster_depth_test *test, const struct raster_surface *depth,
                                    const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                    uint64_t mask);

/*
 * The positions of four samples of each pixel of a 4x4 group, or two, from the centre of its first pixel. Pixels are
 * row by row, as in memory: lane 16 s + 4 y + x, also of masks of 64 bits, is sample s of pixel (x, y).
 */
struct raster_sample_lanes {
    _Alignas(64) int32_t pair[RASTER_LANES];             /* 1/256 px, x in the lower 16 bits; for sign_bits_of_4 */
    _Alignas(64) float x[RASTER_LANES], y[RASTER_LANES]; /* px */
    unsigned samples;                                    /* 2 or 4; if two, the upper lanes repeat the first sample */
};
#define RASTER_SAMPLE_SETS (RASTER_MAX_SAMPLES / 4)

/* raster_depth_fn for samples of the group at pixel (x, y), whose texels lie at `words`. */
typedef uint64_t (*raster_depth_samples_fn)(const struct raster_depth_test *test, uint8_t *words,
                                            const struct scene_primitive *primitive, int x, int y,
                                            const struct raster_sample_lanes *lanes, uint64_t mask);

struct raster_depth_test {
    raster_depth_fn run;
    raster_depth_samples_fn run_samples;
    enum raster_format format;
    const struct raster_draw_state *state;
    bool tests_depth, tests_stencil;       /* the test may read or change it */
    bool writes_depth;                     /* where it passes */
    uint8_t func;                          /* enum raster_compare */
    struct raster_stencil_test stencil[2]; /* of back faces, of front faces; if tests_stencil */
};

/* Depth a + dx (px - x) + dy (py - y) at the centre of pixel (px, py), clamped to 0..1. */
struct depth_plane {
    float a, dx, dy, x, y;
};

/* Contents for pixels of a block: depth of a plane, a stencil value, or both. */
struct raster_depth_write {
    struct depth_plane plane;
    bool depth, stencil;
    uint8_t stencil_value; /* only the format's stencil bits */
};

/* A 4x4 group of which a batch holds some quads: those in `quads` (bit q: its lanes 4q..4q+3), consecutive from `lane`
 * on. */
struct raster_place {
    int x, y; /* of the group's first pixel */
    unsigned lane, quads;
    uint32_t mask; /* selected lanes of the group; only in these quads */
};

/* Blends and stores the pixels of `count` places into a colour target. */
typedef void (*raster_store_fn)(const struct raster_draw_state *state, const struct raster_surface *target,
                                unsigned index, const struct raster_batch *batch, const struct raster_place *place,
                                unsigned count);
/* Packs the colours for a target into batch->packed. */
typedef void (*raster_pack_fn)(struct raster_batch *batch, unsigned index);
/* Stores a pattern of 4x4 pixels in the target's format (rows without gaps) into the pixels of `mask` of the 8x8 block
 * at (x, y), repeated in every group. */
typedef void (*raster_fill_fn)(const struct raster_surface *target, int x, int y, uint64_t mask,
                               const uint8_t *pattern);

/* Interpolates, packs and stores the colours of the pixels of `mask` in the 8x8 block at (x, y), if the state's program
 * passes them through. */
typedef void (*raster_direct_store_fn)(const struct scene_primitive *primitive, const struct raster_surface *target,
                                       int x, int y, uint64_t mask);

/* raster_direct_store_fn for `count` whole 8x8 blocks side by side, two or more, the first at (x, y), all on the target. */
typedef void (*raster_direct_row_fn)(const struct scene_primitive *primitive, const struct raster_surface *target,
                                     int x, int y, unsigned count);

/* raster_direct_store_fn for the samples of a group at (x, y), whose texels lie at `words`. mask: one for each four
 * samples, or for two. */
typedef void (*raster_direct_samples_fn)(const struct scene_primitive *primitive, uint8_t *words, unsigned samples,
                                         int x, int y, const uint64_t *mask);

/* Parameters of the kernels interpolate_depth and interpolate_w_depth, and of those for blocks. */
#define RASTER_DEPTH_AT_PARAMETERS \
    (const struct scene_primitive *primitive, int x, int y, const float offset[2], float *z)
#define RASTER_BLOCK_DEPTH_PARAMETERS (const struct scene_primitive *primitive, int x, int y, uint64_t mask, float *z)
typedef void(*raster_depth_at_fn) RASTER_DEPTH_AT_PARAMETERS;
typedef void(*raster_block_depth_fn) RASTER_BLOCK_DEPTH_PARAMETERS;

struct narrow_coordinate; /* narrow_planes.h */
struct narrow_planes;

/* A level read with integer coordinates: how these become positions in 1/256 texel (raster/sample/kernels/affine.h). */
struct raster_affine_level {
    const uint32_t *texels;
    int32_t width, height, pitch;
    uint8_t mode_u, mode_v; /* enum raster_address */
    uint8_t shift_u, shift_v;
    uint32_t bias_u, bias_v;
};

/* Data derived from a sampler of a narrow state. */
struct raster_narrow_reads {
    bool words;   /* its texels are read in integers; else by the sampler of floats */
    bool affine;  /* integer coordinates are used directly */
    bool leveled; /* levels or filters differ from quad to quad; else all read `level` */
    bool linear;  /* the filter there */
    uint8_t level;
    bool opaque; /* alpha is 1 */
    bool direct; /* integer coordinates go straight to `affine_level` */
    struct raster_affine_level affine_level;
};

/* The kind of sample_narrow's coordinates. */
enum narrow_coordinates {
    NARROW_FLOATS,
    NARROW_AFFINE,       /* integers (struct raster_batch) */
    NARROW_AFFINE_BLOCK, /* the same of an 8x8 block of one primitive */
};

/* clang-format off */
/*
 * All kernels, each signature once: X(result, name, parameters). From this list come the type raster_NAME_fn, the slot
 * NAME of struct raster_kernels, the declaration of KERNEL(raster_NAME) for each level, the entry in each level's table
 * (pixel.c), and the list of what tests/unit/test_raster_kernels.c must compare. The heading above each group names the
 * file that defines it.
 */
#define RASTER_KERNELS(X)                                                                                              \
    /* --- cover.c --- */                                                                                              \
    /* The coverage of a triangle within `area` (pixels of the tile, not empty) of a tile, whose rows of blocks are row[0..7]: \
     * of those that the area touches `live` and `whole` are set, and where there is a live block, all masks. Returns  \
     * how many live blocks there are. */                                                                              \
    X(unsigned, cover_triangle,                                                                                        \
      (const struct raster_tile_edges *edges, const struct raster_rect *area, struct raster_row *row))                 \
    /* Lists the blocks that a primitive with `is_small` set covers in the tile whose first pixel is (x, y), which its \
     * bounds touch, row by row. At most 64; returns how many. */                                                      \
    X(unsigned, cover_small, (const struct scene_primitive *primitive, int x, int y, struct raster_cover *out))        \
    /* The lanes of such a primitive in the 8x8 block at pixel (x, y), wherever that starts. */                        \
    X(uint64_t, cover_small_block, (const struct scene_primitive *primitive, int x, int y))                            \
    /* cover_small_block for each of some samples, whose places in a pixel `offsets` says: x in the lower 16 bits, y in \
     * the upper ones, from its centre in 1/256 px. */                                                                 \
    X(void, cover_small_samples,                                                                                       \
      (const struct scene_primitive *primitive, int x, int y, unsigned samples, const int32_t *offsets,                \
       uint64_t *covered))                                                                                             \
    /* Those of four samples that such a primitive covers in the 4x4 group at pixel (x, y), which its bounds touch. */    \
    X(uint64_t, cover_small_lanes,                                                                                     \
      (const struct scene_primitive *primitive, int x, int y, const struct raster_sample_lanes *lanes))                \
    /* The places of `samples` samples, as many sets as there are fours of them; all at the centre if not               \
     * `multisample`. */                                                                                               \
    X(void, place_samples, (unsigned samples, bool multisample, struct raster_sample_lanes *lanes))                    \
    /* Lanes of the 8x8 block at (x, y) that lie in a rectangle. */                                                    \
    X(uint64_t, bounds_block, (const struct raster_rect *area, int x, int y))                                          \
    /* Coverage of an 8x8 block: bit l set if all edges in edge_mask are >= 0 at lane l (Morton order over the block:  \
     * group l / 16). c: edge values at the block's first pixel. |values| < 2^31 in the block. */                      \
    X(uint64_t, coverage_block, (const int32_t c[3], const int32_t dx[3], const int32_t dy[3], unsigned edge_mask))    \
    /* --- interpolate.c --- */                                                                                        \
    /* Depth of a group at pixel (x, y), each lane `offset` (x, y in px) from its centre; clamped to 0..1. */          \
    X(void, interpolate_depth, RASTER_DEPTH_AT_PARAMETERS)                                                             \
    /* Depth of the groups of the 8x8 block at (x, y) with pixels in mask, at their centres; z: 64 lanes. */           \
    X(void, interpolate_depth_block, RASTER_BLOCK_DEPTH_PARAMETERS)                                                    \
    /* interpolate_depth and interpolate_depth_block for states whose depth is eye w. */                               \
    X(void, interpolate_w_depth, RASTER_DEPTH_AT_PARAMETERS)                                                           \
    X(void, interpolate_w_depth_block, RASTER_BLOCK_DEPTH_PARAMETERS)                                                  \
    /* w and inputs of the quads of a place into the batch. 16 lanes are written: after the last quad its values      \
     * again. */                                                                                                       \
    X(void, interpolate,                                                                                               \
      (const struct scene_primitive *primitive, const struct raster_place *place, struct raster_batch *batch))         \
    /* w and inputs of the 8x8 block at (x, y), all lanes of the batch. */                                             \
    X(void, interpolate_block, (const struct scene_primitive *primitive, int x, int y, struct raster_batch *batch))    \
    /* --- narrow_input.c --- */                                                                                       \
    /* interpolate for narrow states: colours as numbers, and coordinates of batch->affine as integers. */            \
    X(void, interpolate_narrow,                                                                                        \
      (const struct narrow_planes *planes, const struct raster_place *place, struct raster_batch *batch))              \
    /* The rest of interpolate_block for narrow states: colours, and the coordinates of `inputs`. */                   \
    X(void, interpolate_narrow_colors, (const struct narrow_planes *planes, int x, int y, struct raster_batch *batch)) \
    X(void, interpolate_narrow_coordinates,                                                                            \
      (const struct narrow_planes *planes, int x, int y, unsigned inputs, struct raster_batch *batch))                 \
    /* Both axes of an integer coordinate at the first pixels of a block's four groups; all others follow by its         \
     * steps. x, y: multiples of four. */                                                                                \
    X(void, start_narrow_coordinate,                                                                                   \
      (const struct narrow_planes *planes, const struct narrow_coordinate *coordinate, int x, int y,                   \
       int32_t (*start)[4]))                                                                                           \
    /* --- depth.c, depth_block.c --- */                                                                               \
    /* Stencil and depth tests of the lanes in mask of a group; writes what the state says. Returns the lanes that     \
     * pass. */                                                                                                        \
    X(uint32_t, depth_stencil,                                                                                         \
      (const struct raster_draw_state *state, const struct raster_surface *depth, int x, int y, const float *z,        \
       uint32_t mask, bool front_facing))                                                                              \
    /* Prepares depth_stencil for whole blocks, and for samples of groups, of a target with that format. The state must \
     * outlive the test. */                                                                                            \
    X(void, choose_depth,                                                                                              \
      (const struct raster_draw_state *state, enum raster_format format, struct raster_depth_test *test))              \
    /* --- depth_write.c --- */                                                                                        \
    /* Writes depth, stencil or both into the pixels of `mask` in the 8x8 block at (x, y); x, y: multiples of 8. */    \
    X(void, write_depth,                                                                                               \
      (const struct raster_surface *depth, const struct raster_depth_write *write, int x, int y, uint64_t mask))       \
    /* --- pixel.c, srgb_write.c --- */                                                                                \
    /* Fog over a batch, of target 0's colours, which are clamped to 0..1 before it on demand. */                      \
    X(void, fog, (const struct raster_draw_state *state, struct raster_batch *batch, bool clamps))                     \
    /* Alpha test over a batch: clears bits of `covered`. */                                                           \
    X(void, alpha_test, (const struct raster_draw_state *state, struct raster_batch *batch))                           \
    /* Colours that the program gave for a target, to sRGB. */                                                         \
    X(void, srgb, (struct raster_batch *batch, unsigned target))                                                       \
    /* --- narrow_output.c --- */                                                                                      \
    /* Makes floats of the colour that a narrow program gave. */                                                       \
    X(void, widen, (struct raster_batch *batch))                                                                       \
    /* alpha_test of such a colour. */                                                                                 \
    X(void, alpha_test_narrow, (const struct raster_draw_state *state, struct raster_batch *batch))                    \
    /* The store of such a colour into target 0; NULL: it must be widened. *opaque, unless it is NULL, may pack it instead,      \
     * before it is stored as choose_store's is. */                                                                             \
    X(raster_store_fn, choose_narrow_store,                                                                            \
      (const struct raster_draw_state *state, enum raster_format format, raster_pack_fn *opaque))                      \
    /* --- store.c, direct_store.c --- */                                                                              \
    /* Stores the words of a group's lanes into samples of the group whose texels lie at `to`: of sample s the lanes in \
     * mask[s]. */                                                                                                     \
    X(void, store_samples, (uint8_t *to, unsigned samples, const uint32_t *words, const uint16_t *mask))               \
    /* Returns the function that stores into target `index` of that format; *pack: the one that must have run before   \
     * for the whole batch, or NULL. */                                                                                \
    X(raster_store_fn, choose_store,                                                                                   \
      (const struct raster_draw_state *state, unsigned index, enum raster_format format, raster_pack_fn *pack))        \
    /* Returns the function that fills blocks of a target of that format, or NULL. */                                  \
    X(raster_fill_fn, choose_fill, (enum raster_format format))                                                        \
    /* Returns the function that stores pass-through colours into a target of that format directly, or NULL. */        \
    X(raster_direct_store_fn, choose_direct_store, (enum raster_format format))                                        \
    /* --- direct_row.c --- */                                                                                         \
    /* The same for rows of blocks. */                                                                                 \
    X(raster_direct_row_fn, choose_direct_row, (enum raster_format format))                                            \
    /* The same for samples. */                                                                                        \
    X(raster_direct_samples_fn, choose_direct_samples, (enum raster_format format))                                    \
    /* --- keyed_row.c --- */                                                                                          \
    /* Copies a row of texels by their keys, from the first to the last or backward. The rows may overlap if the texels that are\
     * read later are not those that are written earlier. */                                                           \
    X(void, keyed_row,                                                                                                 \
      (const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t count, bool backward))                 \
    /* --- raster/sample/kernels/sample.c --- */                                                                       \
    /* Samples a batch (raster/sample/sample.h). */                                                                    \
    X(void, sample_lod, RASTER_SAMPLE_LOD_PARAMETERS)                                                                  \
    /* sample_lod for a sampler with a feedback map: marks the texels read with weight, or those that its              \
     * feedback_mode names, for the lanes whose bits are set in `lanes`: fragments that are covered and active. The    \
     * others take part in the level of detail alone. From any thread. */                                              \
    X(void, sample_recorded,                                                                                           \
      (const struct raster_sampler *sampler, unsigned group_count, const float (*coordinate)[RASTER_LANES],            \
       enum raster_lod_mode mode, const float (*lod)[RASTER_LANES], uint64_t lanes, float (*result)[RASTER_LANES]))     \
    /* --- raster/sample/kernels/narrow.c --- */                                                                       \
    /* How sample_narrow reads a sampler, whose texture has unsigned channels of 8 bits or is NULL. */                 \
    X(struct raster_narrow_reads, choose_narrow_reads, (const struct raster_sampler *sampler))                         \
    /* Do all linear filters of an 8x8 block read texels inside the level? start: from start_narrow_coordinate. */         \
    X(bool, block_is_inner,                                                                                            \
      (const struct raster_affine_level *level, const struct narrow_coordinate *coordinate, const int32_t (*start)[4])) \
    /* Samples a batch for a narrow state. recorded: the lanes whose reads the sampler's feedback map notes, if it has \
     * one. */                                                                                                         \
    X(void, sample_narrow,                                                                                             \
      (const struct raster_sampler *sampler, const struct raster_narrow_reads *reads, unsigned group_count,            \
       const float (*coordinate)[RASTER_LANES], enum narrow_coordinates kind, uint64_t recorded, int16_t *result))
/* clang-format on */

#define RASTER_KERNEL_TYPE(result, name, parameters) typedef result(*raster_##name##_fn) parameters;
#define RASTER_KERNEL_SLOT(result, name, parameters) raster_##name##_fn name;
RASTER_KERNELS(RASTER_KERNEL_TYPE)

struct raster_kernels {
    RASTER_KERNELS(RASTER_KERNEL_SLOT)
};

#if defined(KERNEL_LEVEL)
#define RASTER_KERNEL_DECLARATION(result, name, parameters) result KERNEL(raster_##name) parameters;
RASTER_KERNELS(RASTER_KERNEL_DECLARATION)
#endif

const struct raster_kernels *raster_kernels_for(enum cpu_level level);

#define RASTER_KERNELS_OF_LEVEL(NUMBER, name) extern const struct raster_kernels raster_kernels_##name;
CPU_LEVELS(RASTER_KERNELS_OF_LEVEL)

/* Pixel offsets of a group's lanes. */
static const int32_t raster_lane_x[GROUP_LANES] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
static const int32_t raster_lane_y[GROUP_LANES] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

#endif
