/* SPDX-License-Identifier: MIT */
/*
 * Contents of surfaces, through Lock and Unlock like a program's, which also updates views, hierarchical Z and pending
 * draws; samples of multisampled surfaces one by one.
 */
#include "inspect/contents.h"

#include "base/base.h"
#include "hal/inspect.h"
#include "replay/internal.h"

#include <stdlib.h>
#include <string.h>

static const struct inspect_surface_bytes *find_saved(const struct inspect_contents *contents, uint32_t id)
{
    size_t low = 0, high = contents ? contents->count : 0;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (contents->list[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return contents && low < contents->count && contents->list[low].id == id ? &contents->list[low] : NULL;
}

static bool add_saved(struct inspect_contents *contents, const struct inspect_surface_bytes *surface)
{
    if (contents->count == contents->capacity) {
        const size_t capacity = 2 * contents->capacity + 64;
        struct inspect_surface_bytes *bigger = mem_realloc(contents->list, capacity, sizeof(*bigger));

        if (!bigger)
            return false;
        contents->list = bigger;
        contents->capacity = capacity;
    }
    contents->list[contents->count++] = *surface;
    contents->bytes += surface->bytes;
    return true;
}

static bool is_same(const struct inspect_surface_bytes *was, const uint8_t *data, size_t bytes)
{
    return was && was->bytes == bytes && memcmp(was->data, data, bytes) == 0;
}

static bool keep_contents(struct inspect_contents *contents, const struct inspect_surface_bytes *was, uint32_t id,
                          const uint8_t *data, size_t bytes)
{
    struct inspect_surface_bytes saved = {.id = id, .bytes = bytes};

    if (is_same(was, data, bytes))
        return true;
    saved.data = mem_alloc(bytes, 1, 1);
    if (!saved.data)
        return false;
    memcpy(saved.data, data, bytes);
    if (add_saved(contents, &saved))
        return true;
    free(saved.data);
    return false;
}

static bool keep_samples(struct inspect_contents *contents, const struct inspect_surface_bytes *was, uint32_t id,
                         struct hal_resource *surface)
{
    struct inspect_surface_bytes saved = {.id = id, .bytes = hal_inspect_samples_bytes(surface), .samples = true};

    saved.data = mem_alloc(saved.bytes, 1, 1);
    if (!saved.data)
        return false;
    hal_inspect_read_samples(surface, saved.data);
    if (is_same(was, saved.data, saved.bytes)) {
        free(saved.data);
        return true;
    }
    if (add_saved(contents, &saved))
        return true;
    free(saved.data);
    return false;
}

static bool save_surface(struct inspect_contents *contents, struct player *player, struct player_surface *surface,
                         const struct inspect_surface_bytes *was)
{
    struct hal_resource *driver = hal_inspect_find_resource(&surface->lcl);
    uint8_t *bits = NULL;
    bool done;

    if (driver && hal_inspect_samples_bytes(driver))
        return keep_samples(contents, was, surface->id, driver);
    if (surface->system_memory)
        return keep_contents(contents, was, surface->id, surface->memory, (size_t)surface->bytes);
    if (FAILED(player_lock(player, surface, DDLOCK_READONLY, &bits)) || !bits)
        return true;
    done = keep_contents(contents, was, surface->id, bits, (size_t)surface->bytes);
    player_unlock(player, surface);
    return done;
}

bool inspect_contents_save(struct inspect_contents *contents, struct player *player,
                           const struct inspect_contents *base)
{
    *contents = (struct inspect_contents){0};
    for (uint32_t id = 1; id < player->surface_capacity; id++) {
        struct player_surface *surface = player_surface_of(player, id);

        if (surface && !save_surface(contents, player, surface, find_saved(base, id))) {
            inspect_contents_free(contents);
            return false;
        }
    }
    return true;
}

/* Does the surface hold these contents already? Then data derived from them stays valid. */
static bool surface_holds(struct player *player, struct player_surface *surface,
                          const struct inspect_surface_bytes *saved)
{
    uint8_t *bits = NULL;
    bool same;

    if (FAILED(player_lock(player, surface, DDLOCK_READONLY, &bits)) || !bits)
        return false;
    same = memcmp(bits, saved->data, saved->bytes) == 0;
    player_unlock(player, surface);
    return same;
}

static void restore_surface(struct player *player, struct player_surface *surface,
                            const struct inspect_surface_bytes *saved)
{
    struct hal_resource *driver = hal_inspect_find_resource(&surface->lcl);
    uint8_t *bits = NULL;

    if (saved->samples) {
        if (driver && hal_inspect_samples_bytes(driver) && hal_inspect_samples_bytes(driver) == saved->bytes)
            hal_inspect_write_samples(driver, saved->data);
        return;
    }
    if (surface->bytes != saved->bytes)
        return;
    if (surface->system_memory) {
        memcpy(surface->memory, saved->data, saved->bytes);
        return;
    }
    if (surface_holds(player, surface, saved) || FAILED(player_lock(player, surface, 0, &bits)) || !bits)
        return;
    memcpy(bits, saved->data, saved->bytes);
    player_unlock(player, surface);
}

void inspect_contents_restore(const struct inspect_contents *contents, struct player *player,
                              const struct inspect_contents *except)
{
    for (size_t i = 0; i < contents->count; i++) {
        const struct inspect_surface_bytes *saved = &contents->list[i];
        struct player_surface *surface = player_surface_of(player, saved->id);

        if (surface && !find_saved(except, saved->id))
            restore_surface(player, surface, saved);
    }
}

void inspect_contents_free(struct inspect_contents *contents)
{
    for (size_t i = 0; i < contents->count; i++)
        free(contents->list[i].data);
    free(contents->list);
    *contents = (struct inspect_contents){0};
}
