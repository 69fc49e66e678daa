/* SPDX-License-Identifier: MIT */
/* One texel of up to four bytes as a word, for tests that compare it with a number. */
#ifndef HALCYON_TESTS_PACK_WORD_H
#define HALCYON_TESTS_PACK_WORD_H

#include "raster/format/format.h"

#include <string.h>

/* The texel that raster_pack_texel makes from 0xAARRGGBB; 0 if it has more than four bytes. */
static inline uint32_t pack_word(enum raster_format format, uint32_t argb)
{
    uint8_t texel[RASTER_TEXEL_BYTES] = {0};
    uint32_t word = 0;

    if (raster_pack_texel(format, argb, texel) <= sizeof(word))
        memcpy(&word, texel, sizeof(word));
    return word;
}

#endif
