/* SPDX-License-Identifier: MIT */
/* Counts existing and bound textures and buffers, and the operations of tokens on them. */
#ifndef HALCYON_HAL_STATISTICS_H
#define HALCYON_HAL_STATISTICS_H

#include <stdint.h>

struct hal_context;

/* Resources of a D3DRESOURCETYPE in the driver's memory; used: the bound ones of the context. */
struct hal_resource_counts {
    uint32_t count, used;
    uint64_t bytes, used_bytes;
};
void hal_context_resources(const struct hal_context *context, uint32_t type, struct hal_resource_counts *counts);

/* Counts operations of tokens on textures since the context was created (D3DDEVINFO_TEXTURING). */
struct hal_texturing {
    uint32_t loads, preloads; /* TEXBLT; those without a destination */
    uint64_t bytes_loaded;    /* of the levels that TEXBLT named as destination */
    uint32_t sets, priorities, lods;
};
struct hal_texturing hal_context_texturing(const struct hal_context *context);

#endif
