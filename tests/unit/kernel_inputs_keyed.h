/* SPDX-License-Identifier: MIT */
/* Random rows for keyed copies (raster/kernels/keyed_row.c), as kernel_inputs.h has input for the other kernels. */
#ifndef HALCYON_TESTS_KERNEL_INPUTS_KEYED_H
#define HALCYON_TESTS_KERNEL_INPUTS_KEYED_H

#include "tests/unit/kernel_inputs.h"

/* Two rows of few values, so that keys are met, in any distance up to a row. */
static inline void fill_keyed_row(struct scratch *s)
{
    const unsigned values = 1 + random_word() % 4;

    for (unsigned i = 0; i < sizeof(s->pixels); i++)
        s->pixels[i] = (uint8_t)(random_word() % values * 0x55);
    s->given.lane_mask = random_word();
    s->given.groups = random_word() % 400; /* texels */
    s->given.x = (int)(random_word() % 1700);
    s->given.y = (int)(random_one_in(2) ? random_word() % 1700 : (unsigned)s->given.x + random_word() % 80);
}

static inline void run_keyed_row(const struct raster_kernels *k, struct scratch *s)
{
    static const uint32_t masks[] = {UINT32_MAX, 0x00ffffff, 0x7fff, 0xf8f8f8};
    const uint32_t bits = s->given.lane_mask;
    struct raster_keys keys = {
        .texel = 1 + (bits & 3), .source_keyed = bits >> 2 & 1, .destination_keyed = bits >> 3 & 1};

    keys.mask = masks[bits >> 4 & 3] & UINT32_MAX >> (32 - 8 * keys.texel);
    keys.source_key = 0x55555555 * (bits >> 6 & 3) & keys.mask;
    keys.destination_key = 0x55555555 * (bits >> 8 & 3) & keys.mask;
    k->keyed_row(&keys, s->pixels + s->given.y, s->pixels + s->given.x, s->given.groups, s->given.y > s->given.x);
}

#endif
