/* SPDX-License-Identifier: MIT */
/*
 * Texture palettes of a context, by the runtime's handle (tokens UPDATEPALETTE and SETPALETTE).
 * Entries are kept as the sampler reads texels: 0xAARRGGBB, alpha from the entry's fourth byte.
 */
#include "hal/resource/palette.h"

#include "base/base.h"
#include "hal/driver.h"
#include "base/map.h"
#include "hal/resources.h"
#include "hal/work.h"

#include <stdlib.h>

struct palette {
    uint64_t version;
    uint32_t entries[256];
};

/* Any DWORD is a handle, and Direct3D 8 has 65536 palettes, so memory is limited instead: of a palette with its share
 * of a table that is at least a quarter full. */
#define PALETTE_BYTES (sizeof(struct palette) + 4 * sizeof(struct base_map_slot))
#define MAX_PALETTES  ((uint32_t)(HAL_MAX_PALETTE_BYTES / PALETTE_BYTES))

struct hal_palette_table {
    struct base_map map;  /* palette by handle */
    uint32_t opaque[256]; /* entries of the last requested palette, with alpha 255 */
};

static const struct palette *find_palette(const struct hal_palette_table *table, uint32_t handle)
{
    return table ? base_map_get(&table->map, handle) : NULL;
}

uint64_t hal_palette_version(const struct hal_palette_table *table, uint32_t handle, bool opaque)
{
    const struct palette *palette = find_palette(table, handle);
    return palette ? palette->version * 2 + opaque : 0;
}

const uint32_t *hal_palette_entries(struct hal_palette_table *table, uint32_t handle, bool opaque)
{
    const struct palette *palette = find_palette(table, handle);
    if (!palette || !opaque)
        return palette ? palette->entries : NULL;
    for (unsigned i = 0; i < 256; i++)
        table->opaque[i] = palette->entries[i] | 0xff000000u;
    return table->opaque;
}

static struct palette *make_palette(struct hal_resources *resources, uint32_t handle)
{
    if (!resources->palettes) {
        resources->palettes = mem_calloc(1, sizeof(*resources->palettes));
        if (!resources->palettes)
            return NULL;
        base_map_init(&resources->palettes->map, MAX_PALETTES);
    }
    return base_map_make(&resources->palettes->map, handle, sizeof(struct palette));
}

void hal_palette_update(struct hal_resources *resources, uint32_t handle, unsigned start, unsigned count,
                        const uint8_t *entries)
{
    struct palette *palette = make_palette(resources, handle);
    if (!palette && !(resources->palettes && base_map_is_full(&resources->palettes->map)))
        hal_work_lacks_memory(resources->work, "a palette");
    if (!palette) {
        log_once(LOG_WARN, 0, "UPDATEPALETTE: palette %#x ignored: no memory, or more than %zu bytes in palettes",
                 (unsigned)handle, HAL_MAX_PALETTE_BYTES);
        return;
    }
    if (start >= 256)
        return;
    count = BASE_MIN(count, 256 - start);
    for (unsigned i = 0; i < count; i++, entries += 4)
        palette->entries[start + i] =
            (uint32_t)entries[3] << 24 | (uint32_t)entries[0] << 16 | (uint32_t)entries[1] << 8 | entries[2];
    palette->version = ++resources->work->driver->palette_versions;
}

void hal_palettes_destroy(struct hal_palette_table *table)
{
    if (!table)
        return;
    base_map_clear(&table->map);
    free(table);
}
