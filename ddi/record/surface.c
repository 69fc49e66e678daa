/* SPDX-License-Identifier: MIT */
/* Recording of surfaces: their creation, handles and destruction. Their contents: contents.c. */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "hal/resource/buffer.h"
#include "hal/resource/display_palette.h"

#include <stdlib.h>

/* --- finding ----------------------------------------------------------------------------- */

static unsigned bucket_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const uintptr_t key = (uintptr_t)lcl >> 4;

    return (unsigned)((key ^ key >> 10) % RECORD_BUCKETS);
}

struct record_surface *record_find_surface(const struct recorder *recorder, const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = recorder->buckets[bucket_of(lcl)];

    while (surface && surface->lcl != lcl)
        surface = surface->next_in_bucket;
    return surface;
}

struct record_local *record_local_of(struct recorder *recorder, const DDRAWI_DIRECTDRAW_LCL *lcl)
{
    struct record_local *local = recorder->locals;

    while (local && local->lcl != lcl)
        local = local->next;
    if (local)
        return local;
    local = mem_calloc(1, sizeof(*local));
    if (!local) {
        record_give_up(recorder, "out of memory");
        return NULL;
    }
    local->lcl = lcl;
    local->id = recorder->next_local++;
    local->next = recorder->locals;
    recorder->locals = local;
    return local;
}

struct record_surface *record_by_handle(const struct record_local *local, uint32_t handle)
{
    return local && handle && handle < local->handle_capacity ? local->by_handle[handle] : NULL;
}

/* A surface has one handle, in one DirectDraw object: the last one assigned. */
static void name(struct recorder *recorder, struct record_surface *surface, struct record_local *local, uint32_t handle)
{
    if (record_by_handle(surface->local, surface->handle) == surface)
        surface->local->by_handle[surface->handle] = NULL;
    surface->local = local;
    surface->handle = handle;
    if (!local || !handle || handle >= RECORD_HANDLES)
        return;
    if (handle >= local->handle_capacity) {
        const uint32_t capacity = handle + handle / 2 + 64;
        struct record_surface **bigger = mem_realloc(local->by_handle, capacity, sizeof(*bigger));
        if (!bigger) {
            record_give_up(recorder, "out of memory");
            return;
        }
        memset(bigger + local->handle_capacity, 0, (capacity - local->handle_capacity) * sizeof(*bigger));
        local->by_handle = bigger;
        local->handle_capacity = capacity;
    }
    local->by_handle[handle] = surface;
}

/* --- making -------------------------------------------------------------------------------- */

static struct capture_part record_part(const struct record_surface *surface)
{
    const DDRAWI_DDRAWSURFACE_LCL *lcl = surface->lcl;
    const DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;
    const DDRAWI_DDRAWSURFACE_MORE *more = lcl->lpSurfMore;
    const struct hal_resource *resource = hal_resource_from_lcl(lcl);
    const struct hal_surface *hal = hal_surface_from_lcl(lcl);
    const struct hal_buffer *buffer = hal_as_buffer(hal_resource_from_lcl(lcl));
    struct capture_part part = {
        .id = surface->id,
        .handle = surface->handle,
        .caps = lcl->ddsCaps.dwCaps,
        .local_flags = lcl->dwFlags | DDRAWISURF_HASPIXELFORMAT,
        .global_flags = gbl->dwGlobalFlags,
        .back_buffers = lcl->dwBackBufferCount,
        .color_key_low = lcl->ddckCKSrcBlt.dwColorSpaceLowValue,
        .color_key_high = lcl->ddckCKSrcBlt.dwColorSpaceHighValue,
        .bytes = (uint32_t)resource->bytes,
    };

    if (buffer) {
        part.fvf = buffer->fvf;
    } else {
        part.pitch = (uint32_t)hal->pitch;
        part.slice_pitch = (uint32_t)hal->slice_pitch;
        part.fvf = more ? more->dwFVF : 0;
        part.width = gbl->wWidth;
        part.height = gbl->wHeight;
        memcpy(part.format, hal_surface_pixel_format(lcl), sizeof(part.format));
    }
    if (more) {
        part.caps2 = more->ddsCapsEx.dwCaps2;
        part.caps3 = more->ddsCapsEx.dwCaps3;
        part.caps4 = more->ddsCapsEx.dwCaps4;
        part.mip_count = more->dwMipMapCount;
    }
    return part;
}

static struct record_shape shape_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct hal_surface *hal = hal_surface_from_lcl(lcl);

    if (!hal)
        return (struct record_shape){.width = 0};
    return (struct record_shape){hal->width, hal->height, (uint32_t)lcl->lpGbl->lPitch, hal->d3d_format};
}

/* By number, for record_use. */
static void record_number_surface(struct recorder *recorder, struct record_surface *surface)
{
    surface->id = recorder->next_surface++;
    surface->range = recorder->current ? recorder->range : 0;
    if (!recorder->uses)
        return;
    if (surface->id >= recorder->id_capacity) {
        const uint32_t capacity = surface->id + surface->id / 2 + 64;
        struct record_surface **bigger = mem_realloc(recorder->by_id, capacity, sizeof(*bigger));
        if (!bigger) {
            record_give_up(recorder, "out of memory");
            return;
        }
        memset(bigger + recorder->id_capacity, 0, (capacity - recorder->id_capacity) * sizeof(*bigger));
        recorder->by_id = bigger;
        recorder->id_capacity = capacity;
    }
    recorder->by_id[surface->id] = surface;
}

/* The recorder's object, not yet in a chain. NULL: none of the driver's surfaces. */
static struct record_surface *record_make_surface(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct hal_resource *hal = hal_resource_from_lcl(lcl);
    struct record_surface *surface;

    if (!hal || hal->kind & HAL_BUFFER_COMMAND)
        return NULL; /* commands are recorded with the draw */
    surface = mem_calloc(1, sizeof(*surface));
    if (!surface) {
        record_give_up(recorder, "out of memory");
        return NULL;
    }
    surface->lcl = lcl;
    record_number_surface(recorder, surface);
    surface->system_memory = !hal->owns_memory;
    surface->shape = shape_of(lcl);
    surface->local = record_local_of(recorder, lcl->lpSurfMore ? lcl->lpSurfMore->lpDD_lcl : NULL);
    surface->next_in_bucket = recorder->buckets[bucket_of(lcl)];
    recorder->buckets[bucket_of(lcl)] = surface;
    if (lcl->lpSurfMore)
        name(recorder, surface, surface->local, lcl->lpSurfMore->dwSurfaceHandle);
    /* the surface's event has the source key; a destination key comes when it is first used */
    surface->source_key = (struct capture_color_key){.set = (lcl->dwFlags & DDRAWISURF_HASCKEYSRCBLT) != 0,
                                                     .low = lcl->ddckCKSrcBlt.dwColorSpaceLowValue,
                                                     .high = lcl->ddckCKSrcBlt.dwColorSpaceHighValue};
    return surface;
}

static void release_chain(struct record_chain *chain)
{
    free(chain->surfaces);
    free(chain);
}

void record_leave_locked(struct recorder *recorder, const struct record_surface *surface)
{
    struct record_surface **at = &recorder->locked;

    while (*at && *at != surface)
        at = &(*at)->next_locked;
    if (*at)
        *at = surface->next_locked;
}

static void record_free_surface(struct recorder *recorder, struct record_surface *surface)
{
    struct record_surface **at = &recorder->buckets[bucket_of(surface->lcl)];
    struct record_local *local = surface->local;
    struct record_chain *chain = surface->chain;

    while (*at != surface)
        at = &(*at)->next_in_bucket;
    *at = surface->next_in_bucket;
    if (record_by_handle(local, surface->handle) == surface)
        local->by_handle[surface->handle] = NULL;
    if (surface->id < recorder->id_capacity)
        recorder->by_id[surface->id] = NULL;
    if (chain) {
        for (unsigned i = 0; i < chain->count; i++)
            if (chain->surfaces[i] == surface)
                chain->surfaces[i] = NULL;
        if (--chain->alive == 0)
            release_chain(chain);
    }
    record_leave_locked(recorder, surface);
    record_forget(surface);
    free(surface);
}

void record_free_surfaces(struct recorder *recorder, const struct record_local *local)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        struct record_surface *surface = recorder->buckets[i];
        while (surface) {
            struct record_surface *next = surface->next_in_bucket;
            if (!local || surface->local == local)
                record_free_surface(recorder, surface);
            surface = next;
        }
    }
}

/* Attachments between surfaces that are recorded. */
static unsigned count_links(const struct recorder *recorder, struct record_chain *chain, struct capture_link *links)
{
    unsigned count = 0;

    for (unsigned i = 0; i < chain->count; i++) {
        const struct record_surface *from = chain->surfaces[i];
        const ATTACHLIST *list = from ? from->lcl->lpAttachList : NULL;
        /* A list longer than that is a loop. */
        for (unsigned n = 0; list && n < 4096; list = list->lpLink, n++) {
            const struct record_surface *to = list->lpAttached ? record_find_surface(recorder, list->lpAttached) : NULL;
            if (!to)
                continue;
            if (links)
                links[count] = (struct capture_link){from->id, to->id};
            count++;
        }
    }
    return count;
}

static void write_chain(struct recorder *recorder, struct record_chain *chain)
{
    struct record_surface *first = chain->surfaces[0];
    struct capture_surfaces event = {
        .local = first->local ? first->local->id : 0,
        .process = first->lcl->dwProcessId,
        .flags = first->system_memory ? CAPTURE_SYSTEM_MEMORY : 0,
        .part_count = chain->count,
        .link_count = count_links(recorder, chain, NULL),
    };
    struct capture_part *parts = mem_calloc(chain->count, sizeof(*parts));
    struct capture_link *links = mem_calloc(event.link_count + 1, sizeof(*links));

    if (parts && links) {
        const struct capture_bytes pieces[3] = {{&event, sizeof(event)},
                                                {parts, chain->count * sizeof(*parts)},
                                                {links, event.link_count * sizeof(*links)}};
        for (unsigned i = 0; i < chain->count; i++)
            parts[i] = record_part(chain->surfaces[i]);
        count_links(recorder, chain, links);
        record_event(recorder, CAPTURE_SURFACES, pieces, 3);
    } else {
        record_give_up(recorder, "out of memory");
    }
    free(parts);
    free(links);
}

void record_create_surfaces(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *const *surfaces, unsigned count)
{
    struct record_chain *chain = mem_calloc(1, sizeof(*chain));
    struct record_surface **list = mem_calloc(count, sizeof(*list));

    if (!chain || !list) {
        record_give_up(recorder, "out of memory");
        goto fail;
    }
    chain->surfaces = list;
    for (unsigned i = 0; i < count; i++) {
        struct record_surface *stale = record_find_surface(recorder, surfaces[i]);
        struct record_surface *surface;
        if (stale)
            record_free_surface(recorder, stale); /* the address was used before, and no destruction was reported */
        surface = record_make_surface(recorder, surfaces[i]);
        if (!surface)
            continue;
        surface->chain = chain;
        list[chain->count++] = surface;
    }
    chain->alive = chain->count;
    if (chain->count == 0)
        goto fail;
    write_chain(recorder, chain);
    return;

fail:
    free(chain);
    free(list);
}

struct record_surface *record_surface_of(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = lcl ? record_find_surface(recorder, lcl) : NULL;

    if (!lcl || surface)
        return surface;
    record_create_surfaces(recorder, &lcl, 1);
    return record_find_surface(recorder, lcl);
}

uint32_t record_id_of(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct record_surface *surface = record_surface_of(recorder, lcl);

    return surface ? surface->id : 0;
}

/* --- CreateSurfaceEx ------------------------------------------------------------------------- */

struct walk {
    DDRAWI_DDRAWSURFACE_LCL **list;
    unsigned count, capacity;
};

static bool walk_add(struct walk *walk, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    for (unsigned i = 0; i < walk->count; i++)
        if (walk->list[i] == lcl)
            return true;
    if (walk->count == walk->capacity) {
        const unsigned capacity = walk->capacity ? 2 * walk->capacity : 16;
        DDRAWI_DDRAWSURFACE_LCL **bigger = mem_realloc(walk->list, capacity, sizeof(*bigger));
        if (!bigger)
            return false;
        walk->list = bigger;
        walk->capacity = capacity;
    }
    walk->list[walk->count++] = lcl;
    return true;
}

/* The surface and all that can be reached through attach lists. */
static bool walk_from(struct walk *walk, DDRAWI_DDRAWSURFACE_LCL *root)
{
    if (!walk_add(walk, root))
        return false;
    for (unsigned i = 0; i < walk->count && i < 4096; i++) {
        const ATTACHLIST *list = walk->list[i]->lpAttachList;
        for (unsigned n = 0; list && n < 4096; list = list->lpLink, n++)
            if (list->lpAttached && !walk_add(walk, list->lpAttached))
                return false;
    }
    return true;
}

/* All parts of a system-memory surface go together. */
static void record_withdraw(struct recorder *recorder, struct record_surface *surface)
{
    struct record_chain *chain = surface->chain;
    const struct capture_destroy event = {surface->id, CAPTURE_SYSTEM_MEMORY};
    unsigned left = chain->alive;

    record_event_simple(recorder, CAPTURE_DESTROY, &event, sizeof(event));
    for (unsigned i = 0; left > 0; i++) {
        struct record_surface *part = chain->surfaces[i];
        if (part) {
            left--;
            record_free_surface(recorder, part);
        }
    }
}

/* Memory of the runtime may be replaced by memory of another shape, which no event says: for the capture it is another surface
 * with the same handle. True: there are any. */
static bool forget_reshaped(struct recorder *recorder, const struct walk *walk)
{
    bool any = false;

    for (unsigned i = 0; i < walk->count; i++) {
        struct record_surface *surface = record_find_surface(recorder, walk->list[i]);
        struct record_shape shape;

        if (!surface || !surface->system_memory)
            continue;
        shape = shape_of(surface->lcl);
        if (memcmp(&shape, &surface->shape, sizeof(shape))) {
            record_withdraw(recorder, surface);
            any = true;
        }
    }
    return any;
}

static void write_palettes(struct recorder *recorder, const struct walk *walk)
{
    for (unsigned i = 0; i < walk->count; i++) {
        const struct hal_surface *surface = hal_surface_from_lcl(walk->list[i]);
        const struct hal_display_palette *palette = surface ? hal_display_palette_of_surface(surface) : NULL;

        if (palette)
            record_set_palette(recorder, walk->list[i], palette);
    }
}

static void make_unknown(struct recorder *recorder, const struct walk *walk)
{
    unsigned unknown = 0;
    DDRAWI_DDRAWSURFACE_LCL **list = mem_calloc(walk->count, sizeof(*list));

    if (!list) {
        record_give_up(recorder, "out of memory");
        return;
    }
    for (unsigned i = 0; i < walk->count; i++)
        if (!record_find_surface(recorder, walk->list[i]))
            list[unknown++] = walk->list[i];
    if (unknown)
        record_create_surfaces(recorder, list, unknown);
    free(list);
}

static void write_announce(struct recorder *recorder, const struct walk *walk, const DDRAWI_DIRECTDRAW_LCL *local,
                           uint32_t root, uint32_t flags)
{
    struct record_local *object = record_local_of(recorder, local);
    struct record_chain all = {.surfaces = mem_calloc(walk->count, sizeof(*all.surfaces))};
    struct capture_name *names = mem_calloc(walk->count, sizeof(*names));
    struct capture_announce event = {.local = object ? object->id : 0, .root = root, .flags = flags};
    struct capture_link *links = NULL;

    if (!all.surfaces || !names)
        goto fail;
    for (unsigned i = 0; i < walk->count; i++) {
        struct record_surface *surface = record_find_surface(recorder, walk->list[i]);
        if (!surface || !surface->lcl->lpSurfMore)
            continue;
        name(recorder, surface, object, surface->lcl->lpSurfMore->dwSurfaceHandle);
        names[event.name_count++] = (struct capture_name){surface->id, surface->handle};
        all.surfaces[all.count++] = surface;
    }
    event.link_count = count_links(recorder, &all, NULL);
    links = mem_calloc(event.link_count + 1, sizeof(*links));
    if (!links)
        goto fail;
    count_links(recorder, &all, links);
    const struct capture_bytes pieces[3] = {{&event, sizeof(event)},
                                            {names, event.name_count * sizeof(*names)},
                                            {links, event.link_count * sizeof(*links)}};
    record_event(recorder, CAPTURE_ANNOUNCE, pieces, 3);
    free(all.surfaces);
    free(names);
    free(links);
    return;

fail:
    free(all.surfaces);
    free(names);
    record_give_up(recorder, "out of memory");
}

void record_create_surface_ex(struct recorder *recorder, const DDRAWI_DIRECTDRAW_LCL *local,
                              DDRAWI_DDRAWSURFACE_LCL *lcl, uint32_t flags)
{
    struct record_surface *known = record_find_surface(recorder, lcl);
    struct walk walk = {0};
    bool reshaped;

    if (lcl->lpGbl->fpVidMem == 0) {
        if (known && known->system_memory)
            record_withdraw(recorder, known);
        return;
    }
    if (walk_from(&walk, lcl)) {
        reshaped = forget_reshaped(recorder, &walk);
        make_unknown(recorder, &walk);
        if (record_find_surface(recorder, lcl))
            write_announce(recorder, &walk, local, record_find_surface(recorder, lcl)->id, flags);
        if (reshaped)
            write_palettes(recorder, &walk);
    } else {
        record_give_up(recorder, "out of memory");
    }
    free(walk.list);
}

void record_destroy_surface(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = record_find_surface(recorder, lcl);

    if (!surface)
        return;
    if (surface->system_memory) {
        record_withdraw(recorder, surface);
        return;
    }
    const struct capture_destroy event = {surface->id, 0};
    record_event_simple(recorder, CAPTURE_DESTROY, &event, sizeof(event));
    record_free_surface(recorder, surface);
}
