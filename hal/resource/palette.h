/* SPDX-License-Identifier: MIT */
/* Texture palettes of a context, by the handles of the runtime. */
#ifndef HALCYON_HAL_RESOURCE_PALETTE_H
#define HALCYON_HAL_RESOURCE_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_palette_table;
struct hal_resources;

/* Bytes of all palettes of a context: enough for the 65536 of Direct3D 8. */
#define HAL_MAX_PALETTE_BYTES ((size_t)96 << 20)

/* Palettes are identified by any DWORD that the runtime chose (D3DHAL_DP2UPDATEPALETTE.dwPaletteHandle).
 *
 * hal_palette_entries: 256 words 0xAARRGGBB, with alpha 255 if `opaque`, to read before the next call; NULL if the
 * palette is unknown. hal_palette_version: a number that changes with the entries, 0 if the palette is unknown. table: NULL if there are no palettes yet. */
const uint32_t *hal_palette_entries(struct hal_palette_table *table, uint32_t handle, bool opaque);
uint64_t hal_palette_version(const struct hal_palette_table *table, uint32_t handle, bool opaque);
void hal_palette_update(struct hal_resources *resources, uint32_t handle, unsigned start, unsigned count,
                        const uint8_t *entries /* R, G, B, flags */);
void hal_palettes_destroy(struct hal_palette_table *table);

#endif
