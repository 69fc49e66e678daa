/* SPDX-License-Identifier: MIT */
/*
 * The internal resolution (HALCYON_INTERNAL_RESOLUTION): which surfaces are how many times as large as the program believes.
 * docs/internal-resolution.md has the rules.
 */
#ifndef HALCYON_RUNTIME_RESOLUTION_H
#define HALCYON_RUNTIME_RESOLUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

#define RT_MOST_TIMES 8

/* A device has one, from its back buffer on. Zeroed: nothing is enlarged. */
struct rt_resolution {
    unsigned width, height; /* of the back buffer, as the program believes */
    unsigned times;         /* 2 to RT_MOST_TIMES; 0: nothing is enlarged */
};

/* Does the setting ask for anything? */
bool rt_resolution_is_set(void);

/* The multiple by the setting, for a back buffer of this size. Surfaces are at most `most_width` x `most_height` texels. A value that
 * cannot be read is named once in the log. */
struct rt_resolution rt_resolution_for(unsigned width, unsigned height, unsigned most_width, unsigned most_height);

/* The properties of a surface that decide. */
struct rt_resolution_use {
    unsigned width, height; /* texels, as the program believes */
    DWORD usage;            /* D3DUSAGE_* */
    bool is_texture;        /* a 2D texture */
    bool has_levels;        /* ... with levels that the program sees */
};

/* How many times as large such a surface of the default pool is; 1: it is not enlarged. */
unsigned rt_resolution_times(const struct rt_resolution *resolution, const struct rt_resolution_use *use);

#endif
