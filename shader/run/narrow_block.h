/* SPDX-License-Identifier: MIT */
/*
 * A whole block of a narrow state as one generated function: textures, program, blend and store, a register of lanes at
 * a time. These structures are the input of such a function: shader/run/kernels/narrow_block.c fills them in,
 * shader/jit/ makes the function. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_NARROW_BLOCK_H
#define HALCYON_SHADER_RUN_NARROW_BLOCK_H

#include "shader/narrow/narrow.h"

#define NARROW_BLOCK_GROUPS   4 /* of 4x4 pixels */
#define NARROW_BLOCK_TEXTURES 4 /* that a program may read; a program with more has no such function */
#define NARROW_BLOCK_STEPS    64

/* A texture that the function samples itself: one level, linear filter, 8 bits per channel, all texels inside. Values
 * shared by all lanes are repeated, so that the same instructions serve textures of any size and addressing mode. */
struct narrow_block_texture {
    /* In 1 / RASTER_AFFINE_ONE: the coordinates of the first pixel of each group (followed by 4 unused bytes), and the
     * offsets of its lanes. */
    int32_t start_u[NARROW_BLOCK_GROUPS][2], start_v[NARROW_BLOCK_GROUPS][2];
    _Alignas(64) int32_t offset_u[16], offset_v[16];
    /* The row of the first texel and the row below it, moved by 3 texels and 3 rows: affine_bias of
     * raster/sample/kernels/affine.h. */
    const uint32_t *upper, *lower;
    _Alignas(64) int32_t repeat_u[16], repeat_v[16]; /* significant bits of coordinates */
    int32_t bias_u[16], bias_v[16], shift_u[16], shift_v[16], pitch[16];
    int16_t opaque[32]; /* NARROW_ONE in alpha if the texture has no alpha */
};

/* A group's pixels in the target; 8 bytes apart, whatever the width of pointers. */
struct narrow_block_target {
    _Alignas(8) uint8_t *first; /* the group's first pixel */
};

struct narrow_block {
    struct narrow_block_target target[NARROW_BLOCK_GROUPS];
    size_t pitch;
    uint64_t mask[NARROW_BLOCK_GROUPS];          /* the lanes to store */
    const int16_t *place[NARROW_PLACES];         /* inputs of the batch and uniforms */
    const int16_t *texel[NARROW_BLOCK_TEXTURES]; /* the lanes of textures that kernels have sampled */
    _Alignas(64) uint32_t kept[16], ones[16];    /* the bits of words that the target stores, and the bits that it reads
                                                  * as 1 */
    struct narrow_block_texture texture[NARROW_BLOCK_TEXTURES];
    _Alignas(64) int16_t frame[NARROW_FIRST_INPUT][2][32]; /* values that did not fit into registers */
    _Alignas(64) uint32_t index[16];                       /* of texels, in 32-bit programs */
};

/* Constants of the functions, repeated. */
struct narrow_literals {
    _Alignas(64) int16_t zero[32], one[32], half[32], minus_one[32];
    int16_t byte[32];         /* 255 */
    int16_t rounding[3][32];  /* to divide results by 2, 4, 8 */
    int16_t colors[32];       /* all bits of blue, green and red */
    int16_t written[16][32];  /* all bits of the numbers whose bits are set in the index */
    int32_t dot_rounding[16]; /* 1/2 of 2^14 */
    int32_t low_byte[16];     /* 255 */
    int32_t lane_bit[2][16];  /* of the first and the second register of a group, with AVX2 */
    int8_t pair_order[64], bias[64], low_halves[64], high_halves[64]; /* raster/sample/kernels/narrow_filter.h */
    int16_t filter_scale[32], filter_middle[32];
};
extern const struct narrow_literals narrow_literals;

#if defined(__x86_64__)
typedef void __attribute__((sysv_abi)) narrow_block_fn(struct narrow_block *block, const struct narrow_literals *);
#else
typedef void narrow_block_fn(struct narrow_block *block, const struct narrow_literals *);
#endif

/* How a function stores. */
struct narrow_block_store {
    bool blends;
    uint8_t source, destination; /* enum raster_blend_factor; the two products are added */
};

static inline struct narrow_block_store narrow_block_store(const struct raster_blend *blend)
{
    return blend->enable ? (struct narrow_block_store){true, blend->src_color, blend->dst_color}
                         : (struct narrow_block_store){.blends = false};
}

static inline bool narrow_block_same_store(struct narrow_block_store a, struct narrow_block_store b)
{
    return a.blends == b.blends && a.source == b.source && a.destination == b.destination;
}

/* Can code be generated for a blend? It must add, with factors that use only source and target, the same for alpha. */
static inline bool narrow_block_takes(const struct raster_blend *blend)
{
    return !blend->enable ||
           (blend->op_color == RASTER_BLEND_ADD && blend->op_alpha == RASTER_BLEND_ADD &&
            blend->src_alpha == blend->src_color && blend->dst_alpha == blend->dst_color &&
            blend->src_color < RASTER_BLEND_SRC_ALPHA_SAT && blend->dst_color < RASTER_BLEND_SRC_ALPHA_SAT);
}

/* The functions of a program for one way of storing. */
struct narrow_block_code {
    struct narrow_block_store store;
    unsigned textures; /* that the program reads */
    struct narrow_block_code *next;
    /* By the textures that they sample themselves, as a bit mask; NULL: there is no function for this set. */
    narrow_block_fn *run[1 << NARROW_BLOCK_TEXTURES];
};

#endif
