/* SPDX-License-Identifier: MIT */
/*
 * Texture palettes of a context, by the runtime's handle (tokens UPDATEPALETTE and SETPALETTE).
 * Entries are kept as the sampler reads texels: 0xAARRGGBB, alpha from the entry's fourth byte.
 */
#include "base/base.h"
#include "hal/state.h"

#include <stdlib.h>

#define MAX_PALETTES 65536 /* D3D8 palette numbers are words */

struct palette {
    uint64_t version; /* 0: never written */
    uint32_t entries[256];
};

struct hal_palette_table {
    struct palette **palettes; /* by handle */
    uint32_t capacity;
};

const uint32_t *hal_palette_entries(const struct hal_context *context, uint32_t handle,
                                    uint64_t *version)
{
    const struct hal_palette_table *table = context->palettes;
    *version = 0;
    if (!table || handle >= table->capacity || !table->palettes[handle])
        return NULL;
    *version = table->palettes[handle]->version;
    return table->palettes[handle]->entries;
}

static bool grow(struct hal_palette_table *table, uint32_t handle)
{
    uint32_t capacity = BASE_MAX(table->capacity * 2, 16);
    struct palette **palettes;
    if (handle < table->capacity)
        return true;
    capacity = BASE_MAX(capacity, handle + 1);
    palettes = mem_realloc(table->palettes, capacity, sizeof(*palettes));
    if (!palettes)
        return false;
    for (uint32_t i = table->capacity; i < capacity; i++)
        palettes[i] = NULL;
    table->palettes = palettes;
    table->capacity = capacity;
    return true;
}

static struct palette *make_palette(struct hal_context *context, uint32_t handle)
{
    if (handle >= MAX_PALETTES)
        return NULL;
    if (!context->palettes)
        context->palettes = mem_calloc(1, sizeof(*context->palettes));
    if (!context->palettes || !grow(context->palettes, handle))
        return NULL;
    if (!context->palettes->palettes[handle])
        context->palettes->palettes[handle] = mem_calloc(1, sizeof(struct palette));
    return context->palettes->palettes[handle];
}

void hal_palette_update(struct hal_context *context, uint32_t handle, unsigned start,
                        unsigned count, const uint8_t *entries)
{
    struct palette *palette = make_palette(context, handle);
    if (!palette) {
        log_once(LOG_WARN, handle, "palette %u: no room for it", (unsigned)handle);
        return;
    }
    if (start >= 256)
        return;
    count = BASE_MIN(count, 256 - start);
    for (unsigned i = 0; i < count; i++, entries += 4)
        palette->entries[start + i] = (uint32_t)entries[3] << 24 | (uint32_t)entries[0] << 16 |
                                      (uint32_t)entries[1] << 8 | entries[2];
    palette->version = ++context->driver->palette_versions;
}

void hal_palettes_destroy(struct hal_context *context)
{
    struct hal_palette_table *table = context->palettes;
    if (!table)
        return;
    for (uint32_t i = 0; i < table->capacity; i++)
        free(table->palettes[i]);
    free(table->palettes);
    free(table);
    context->palettes = NULL;
}
