/* SPDX-License-Identifier: MIT */
/* The contents of surfaces before the first frame that is kept, as events. */
#include "tools/trim/trim.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "dp2/text/text.h"
#include "replay/internal.h"

/* Rows of the memory; false if there is nothing to write. */
static bool describe_rows(const struct player_surface *surface, const struct capture_part *part,
                          struct capture_memory *head)
{
    const bool light = part->caps3 & DDSCAPS3_LIGHTWEIGHTMIPMAP && part->mip_count > 1; /* all levels are one row */
    const bool volume = !light && part->caps2 & DDSCAPS2_VOLUME;
    const uint64_t pitch = (uint64_t)surface->gbl.lPitch;

    head->slice_count = 1;
    head->row_count = 1;
    head->row_bytes = (uint32_t)surface->bytes;
    if (light && surface->system_memory)
        head->row_bytes = BASE_MIN(head->row_bytes, part->bytes);
    if (!surface->buffer && !light) {
        head->slice_count = volume && part->caps4 & 0xFFFF ? part->caps4 & 0xFFFF : 1;
        head->row_bytes = dp2_row_bytes(part->format[2], part->width, part->height, &head->row_count);
        if (head->row_count == 0 && pitch && pitch <= INT32_MAX && !volume) {
            head->row_bytes = (uint32_t)pitch;
            head->row_count = (uint32_t)(surface->bytes / pitch);
        }
    }
    const uint64_t slice = volume ? surface->gbl.dwBlockSizeY : 0;
    return head->row_bytes && head->row_count && pitch <= INT32_MAX &&
           (head->slice_count - 1) * slice + (head->row_count - 1) * (surface->buffer ? 0 : pitch) + head->row_bytes <=
               surface->bytes;
}

static bool contents_write_rows(const struct trim_target *target, const struct player_surface *surface,
                                const struct capture_memory *head, const uint8_t *bits)
{
    const size_t size = (size_t)head->row_bytes * head->row_count * head->slice_count;
    const size_t slice = head->slice_count > 1 ? surface->gbl.dwBlockSizeY : 0;
    const size_t pitch = surface->buffer ? 0 : (size_t)surface->gbl.lPitch;
    uint8_t *copy = mem_alloc(size, 1, 1), *at = copy;
    bool zero = true, done = true;

    if (!copy)
        return false;
    for (uint32_t z = 0; z < head->slice_count; z++)
        for (uint32_t y = 0; y < head->row_count; y++, at += head->row_bytes)
            memcpy(at, bits + z * slice + y * pitch, head->row_bytes);
    for (size_t i = 0; zero && i < size; i++)
        zero = copy[i] == 0;
    if (!zero) { /* new surfaces hold zeros */
        const struct capture_bytes pieces[2] = {{head, sizeof(*head)}, {copy, size}};
        done = capture_write(target->writer, CAPTURE_MEMORY, pieces, 2);
    }
    free(copy);
    return done;
}

/* Samples of a multisampled surface that do not follow from its pixels. */
static bool contents_write_samples(const struct trim_target *target, struct player_surface *surface)
{
    HALCYON_SAMPLESDATA data = {.dwFlags = HALCYON_SAMPLES_ASK};
    const HRESULT hr = player_access_samples(target->player, surface, &data);
    bool done = true;

    if (FAILED(hr) || !data.dwDiffer)
        return true;
    const size_t size = (size_t)data.dwRows * data.dwRowBytes;
    struct capture_samples head = {
        .id = surface->id, .samples = data.dwSamples, .row_count = data.dwRows, .row_bytes = data.dwRowBytes};

    data.lpMemory = malloc(size);
    data.dwFlags = HALCYON_SAMPLES_READ;
    for (; data.lpMemory && done && head.sample < head.samples; head.sample++) {
        const struct capture_bytes pieces[2] = {{&head, sizeof(head)}, {data.lpMemory, size}};

        data.dwSample = head.sample;
        done = SUCCEEDED(player_access_samples(target->player, surface, &data)) &&
               capture_write(target->writer, CAPTURE_SAMPLES, pieces, 2);
    }
    done = done && data.lpMemory;
    free(data.lpMemory);
    return done;
}

bool trim_write_contents(const struct trim_target *target)
{
    for (uint32_t id = 0; id < capture_setup_limit(target->setup); id++) {
        const struct capture_part *part = capture_setup_surface(target->setup, id);
        struct player_surface *surface = player_surface_of(target->player, id);
        struct capture_memory head = {.id = id, .flags = CAPTURE_MEMORY_LOCKED};
        uint8_t *bits = NULL;
        bool done;

        if (!part || !surface || trim_wanted_of(target->uses, id) != TRIM_CONTENTS ||
            !describe_rows(surface, part, &head))
            continue;
        if (surface->system_memory) {
            head.flags = 0;
            done = contents_write_rows(target, surface, &head, surface->memory);
        } else {
            if (FAILED(player_lock(target->player, surface, DDLOCK_READONLY, &bits)) || !bits)
                continue;
            done = contents_write_rows(target, surface, &head, bits);
            player_unlock(target->player, surface);
            done = done && (!(part->caps3 & DDSCAPS3_MULTISAMPLE_MASK) || contents_write_samples(target, surface));
        }
        if (!done)
            return false;
    }
    return true;
}

bool trim_read_buffer(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    struct player *player = user;
    const struct player_local *object = player_local_of(player, local);
    struct player_surface *buffer = NULL;
    uint8_t *bits = NULL;

    for (uint32_t id = 1; object && id < player->surface_capacity && !buffer; id++) {
        struct player_surface *surface = player_surface_of(player, id);
        if (surface && surface->buffer && surface->more.dwSurfaceHandle == handle && surface->gbl.lpDD == &object->gbl)
            buffer = surface;
    }
    if (!buffer || offset > buffer->bytes || size > buffer->bytes - offset)
        return false;
    if (buffer->system_memory) {
        memcpy(out, buffer->memory + offset, size);
        return true;
    }
    if (FAILED(player_lock(player, buffer, DDLOCK_READONLY, &bits)) || !bits)
        return false;
    memcpy(out, bits + offset, size);
    player_unlock(player, buffer);
    return true;
}
