/* SPDX-License-Identifier: MIT */
/* Each operation on registers of 16-bit numbers (base/simd/simd.h) over 64 pixels, for tests/unit/test_vec16.c. */
#ifndef HALCYON_TESTS_VEC16_LEVELS_H
#define HALCYON_TESTS_VEC16_LEVELS_H

#include "base/base.h"

#define VEC16_PIXELS 64

/* Four numbers per pixel. */
typedef int16_t vec16_pixels[VEC16_PIXELS][4];

/* Operations that give pixels, in the order of their results. */
enum vec16_op {
    VEC16_OP_ADD,
    VEC16_OP_SUB,
    VEC16_OP_ADDS,
    VEC16_OP_SUBS,
    VEC16_OP_MUL,
    VEC16_OP_MUL_LOW,
    VEC16_OP_RIGHT,
    VEC16_OP_MIN,
    VEC16_OP_MAX,
    VEC16_OP_GREATER,
    VEC16_OP_SELECT, /* b where the bits of `mask` are set, else a */
    VEC16_OP_DOT3,
    VEC16_OP_SWIZZLE,
    VEC16_OP_SPLAT,
    VEC16_OP_SPLAT_PIXEL,
    VEC16_OP_OF_WORDS,
    VEC16_OP_OF_CHANNELS, /* of channel[0..3]: blue, green, red, alpha */
    VEC16_OPS
};

struct vec16_input {
    vec16_pixels a, b, mask;
    uint32_t words[VEC16_PIXELS];
    int32_t channel[4][VEC16_PIXELS];
    uint8_t order[4];
    unsigned shift; /* 0..15 */
};

struct vec16_output {
    vec16_pixels result[VEC16_OPS];   /* pixels in the order of their lanes */
    uint32_t words[VEC16_PIXELS];     /* vec16_words of a */
    int32_t channel[4][VEC16_PIXELS]; /* vec16_channels of a */
};

/* vec16_run_LEVEL: all operations at a level (tests/unit/kernels/vec16.c). */
#define VEC16_DECLARE(NUMBER, level) void vec16_run_##level(const struct vec16_input *in, struct vec16_output *out);
CPU_LEVELS(VEC16_DECLARE)

#endif
