/* SPDX-License-Identifier: MIT */
/*
 * Recording of surfaces: their making and unmaking, and every change of their memory that did not
 * come from the driver itself. Video memory changes between Lock and Unlock; system memory belongs
 * to the runtime, which may write to it at any time, so it is compared with what the capture
 * already holds whenever something is about to read it.
 */
#include "ddi/record_internal.h"

#include "base/base.h"
#include "raster/format/format.h"

#include <stdlib.h>

/* Granularity of changes in a buffer, in bytes. */
#define BLOCK 256u
/* Longer flip chains are a loop (ddi/access.c). */
#define MAX_FLIP_CHAIN 16
/* One memory event carries at most this many bytes. */
#define MAX_PIECE (16u << 20)

/* A surface's memory as rows; buffers are one row. */
struct layout {
    const uint8_t *memory;
    size_t pitch, slice_pitch; /* bytes */
    uint32_t row_bytes, rows, slices;
};

/* --- finding ----------------------------------------------------------------------------- */

static unsigned bucket_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const uintptr_t key = (uintptr_t)lcl >> 4;

    return (unsigned)((key ^ key >> 10) % RECORD_BUCKETS);
}

static struct record_surface *find(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = recorder.buckets[bucket_of(lcl)];

    while (surface && surface->lcl != lcl)
        surface = surface->next_in_bucket;
    return surface;
}

struct record_local *record_local_of(const DDRAWI_DIRECTDRAW_LCL *lcl)
{
    struct record_local *local = recorder.locals;

    while (local && local->lcl != lcl)
        local = local->next;
    if (local)
        return local;
    local = mem_calloc(1, sizeof(*local));
    if (!local) {
        record_give_up("out of memory");
        return NULL;
    }
    local->lcl = lcl;
    local->id = recorder.next_local++;
    local->next = recorder.locals;
    recorder.locals = local;
    return local;
}

struct record_surface *record_by_handle(const struct record_local *local, uint32_t handle)
{
    return local && handle && handle < local->handle_capacity ? local->by_handle[handle] : NULL;
}

/* A surface has one name, in one DirectDraw object: the last it was given. */
static void name(struct record_surface *surface, struct record_local *local, uint32_t handle)
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
            record_give_up("out of memory");
            return;
        }
        memset(bigger + local->handle_capacity, 0,
               (capacity - local->handle_capacity) * sizeof(*bigger));
        local->by_handle = bigger;
        local->handle_capacity = capacity;
    }
    local->by_handle[handle] = surface;
}

/* --- making -------------------------------------------------------------------------------- */

/* A surface without a format of its own has the display mode's. */
static const DDPIXELFORMAT *format_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    if ((lcl->dwFlags & DDRAWISURF_HASPIXELFORMAT) || !lcl->lpGbl->lpDD)
        return &lcl->lpGbl->ddpfSurface;
    return &lcl->lpGbl->lpDD->vmiData.ddpfDisplay;
}

static struct capture_part part_of(const struct record_surface *surface)
{
    const DDRAWI_DDRAWSURFACE_LCL *lcl = surface->lcl;
    const DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;
    const DDRAWI_DDRAWSURFACE_MORE *more = lcl->lpSurfMore;
    const struct hal_surface *hal = hal_surface_from_lcl(lcl);
    struct capture_part part = {
        .id = surface->id,
        .handle = surface->handle,
        .caps = lcl->ddsCaps.dwCaps,
        .local_flags = lcl->dwFlags | DDRAWISURF_HASPIXELFORMAT,
        .global_flags = gbl->dwGlobalFlags,
        .back_buffers = lcl->dwBackBufferCount,
        .color_key_low = lcl->ddckCKSrcBlt.dwColorSpaceLowValue,
        .color_key_high = lcl->ddckCKSrcBlt.dwColorSpaceHighValue,
        .pitch = (uint32_t)hal->pitch,
        .slice_pitch = (uint32_t)hal->slice_pitch,
        .bytes = (uint32_t)hal->bytes,
        .fvf = hal->fvf,
    };

    if (!(hal->kind & HAL_SURFACE_BUFFER)) {
        part.width = gbl->wWidth;
        part.height = gbl->wHeight;
        memcpy(part.format, format_of(lcl), sizeof(part.format));
    }
    if (more) {
        part.caps2 = more->ddsCapsEx.dwCaps2;
        part.caps3 = more->ddsCapsEx.dwCaps3;
        part.caps4 = more->ddsCapsEx.dwCaps4;
        part.mip_count = more->dwMipMapCount;
    }
    return part;
}

/* By number, for record_use. */
static void number(struct record_surface *surface)
{
    surface->id = recorder.next_surface++;
    surface->range = recorder.current ? recorder.range : 0;
    if (!recorder.uses)
        return;
    if (surface->id >= recorder.id_capacity) {
        const uint32_t capacity = surface->id + surface->id / 2 + 64;
        struct record_surface **bigger = mem_realloc(recorder.by_id, capacity, sizeof(*bigger));
        if (!bigger) {
            record_give_up("out of memory");
            return;
        }
        memset(bigger + recorder.id_capacity, 0, (capacity - recorder.id_capacity) * sizeof(*bigger));
        recorder.by_id = bigger;
        recorder.id_capacity = capacity;
    }
    recorder.by_id[surface->id] = surface;
}

/* The recorder's object, not yet in a chain. NULL: none of the driver's surfaces. */
static struct record_surface *make(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct hal_surface *hal = hal_surface_from_lcl(lcl);
    struct record_surface *surface;

    if (!hal || hal->kind & HAL_SURFACE_COMMAND_BUFFER)
        return NULL; /* commands are recorded with the draw */
    surface = mem_calloc(1, sizeof(*surface));
    if (!surface) {
        record_give_up("out of memory");
        return NULL;
    }
    surface->lcl = lcl;
    number(surface);
    surface->system_memory = !hal->owns_memory;
    surface->local = record_local_of(lcl->lpSurfMore ? lcl->lpSurfMore->lpDD_lcl : NULL);
    surface->next_in_bucket = recorder.buckets[bucket_of(lcl)];
    recorder.buckets[bucket_of(lcl)] = surface;
    if (lcl->lpSurfMore)
        name(surface, surface->local, lcl->lpSurfMore->dwSurfaceHandle);
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

static void free_surface(struct record_surface *surface)
{
    struct record_surface **at = &recorder.buckets[bucket_of(surface->lcl)];
    struct record_local *local = surface->local;
    struct record_chain *chain = surface->chain;

    while (*at != surface)
        at = &(*at)->next_in_bucket;
    *at = surface->next_in_bucket;
    if (record_by_handle(local, surface->handle) == surface)
        local->by_handle[surface->handle] = NULL;
    if (surface->id < recorder.id_capacity)
        recorder.by_id[surface->id] = NULL;
    if (chain) {
        for (unsigned i = 0; i < chain->count; i++) {
            if (chain->surfaces[i] == surface)
                chain->surfaces[i] = NULL;
        }
        if (--chain->alive == 0)
            release_chain(chain);
    }
    free(surface->shadow);
    free(surface->snapshot);
    free(surface);
}

void record_free_surfaces(const struct record_local *local)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        struct record_surface *surface = recorder.buckets[i];
        while (surface) {
            struct record_surface *next = surface->next_in_bucket;
            if (!local || surface->local == local)
                free_surface(surface);
            surface = next;
        }
    }
}

/* Attachments between surfaces that are recorded. */
static unsigned count_links(struct record_chain *chain, struct capture_link *links)
{
    unsigned count = 0;

    for (unsigned i = 0; i < chain->count; i++) {
        const struct record_surface *from = chain->surfaces[i];
        const ATTACHLIST *list = from ? from->lcl->lpAttachList : NULL;
        /* A list longer than that is a loop. */
        for (unsigned n = 0; list && n < 4096; list = list->lpLink, n++) {
            const struct record_surface *to = list->lpAttached ? find(list->lpAttached) : NULL;
            if (!to)
                continue;
            if (links)
                links[count] = (struct capture_link){from->id, to->id};
            count++;
        }
    }
    return count;
}

static void write_chain(struct record_chain *chain)
{
    struct record_surface *first = chain->surfaces[0];
    struct capture_surfaces event = {
        .local = first->local ? first->local->id : 0,
        .process = first->lcl->dwProcessId,
        .flags = first->system_memory ? CAPTURE_SYSTEM_MEMORY : 0,
        .part_count = chain->count,
        .link_count = count_links(chain, NULL),
    };
    struct capture_part *parts = mem_calloc(chain->count, sizeof(*parts));
    struct capture_link *links = mem_calloc(event.link_count + 1, sizeof(*links));

    if (parts && links) {
        const struct capture_bytes pieces[3] = {{&event, sizeof(event)},
                                                {parts, chain->count * sizeof(*parts)},
                                                {links, event.link_count * sizeof(*links)}};
        for (unsigned i = 0; i < chain->count; i++)
            parts[i] = part_of(chain->surfaces[i]);
        count_links(chain, links);
        record_event(CAPTURE_SURFACES, pieces, 3);
    } else {
        record_give_up("out of memory");
    }
    free(parts);
    free(links);
}

void record_create_surfaces(DDRAWI_DDRAWSURFACE_LCL *const *surfaces, unsigned count)
{
    struct record_chain *chain = mem_calloc(1, sizeof(*chain));
    struct record_surface **list = mem_calloc(count, sizeof(*list));

    if (!chain || !list) {
        record_give_up("out of memory");
        goto fail;
    }
    chain->surfaces = list;
    for (unsigned i = 0; i < count; i++) {
        struct record_surface *stale = find(surfaces[i]);
        struct record_surface *surface;
        if (stale)
            free_surface(stale); /* the address was used before, and we were not told of its end */
        surface = make(surfaces[i]);
        if (!surface)
            continue;
        surface->chain = chain;
        list[chain->count++] = surface;
    }
    chain->alive = chain->count;
    if (chain->count == 0)
        goto fail;
    write_chain(chain);
    return;

fail:
    free(chain);
    free(list);
}

struct record_surface *record_surface_of(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = lcl ? find(lcl) : NULL;

    if (!lcl || surface)
        return surface;
    record_create_surfaces(&lcl, 1);
    return find(lcl);
}

uint32_t record_id_of(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct record_surface *surface = record_surface_of(lcl);

    return surface ? surface->id : 0;
}

/* --- CreateSurfaceEx ------------------------------------------------------------------------- */

struct walk {
    DDRAWI_DDRAWSURFACE_LCL **list;
    unsigned count, capacity;
};

static bool walk_add(struct walk *walk, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    for (unsigned i = 0; i < walk->count; i++) {
        if (walk->list[i] == lcl)
            return true;
    }
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
        for (unsigned n = 0; list && n < 4096; list = list->lpLink, n++) {
            if (list->lpAttached && !walk_add(walk, list->lpAttached))
                return false;
        }
    }
    return true;
}

static void make_unknown(const struct walk *walk)
{
    unsigned unknown = 0;
    DDRAWI_DDRAWSURFACE_LCL **list = mem_calloc(walk->count, sizeof(*list));

    if (!list) {
        record_give_up("out of memory");
        return;
    }
    for (unsigned i = 0; i < walk->count; i++) {
        if (!find(walk->list[i]))
            list[unknown++] = walk->list[i];
    }
    if (unknown)
        record_create_surfaces(list, unknown);
    free(list);
}

static void write_announce(const struct walk *walk, const DDRAWI_DIRECTDRAW_LCL *local,
                           uint32_t root, uint32_t flags)
{
    struct record_local *object = record_local_of(local);
    struct record_chain all = {.surfaces = mem_calloc(walk->count, sizeof(*all.surfaces))};
    struct capture_name *names = mem_calloc(walk->count, sizeof(*names));
    struct capture_announce event = {
        .local = object ? object->id : 0, .root = root, .flags = flags};
    struct capture_link *links = NULL;

    if (!all.surfaces || !names)
        goto fail;
    for (unsigned i = 0; i < walk->count; i++) {
        struct record_surface *surface = find(walk->list[i]);
        if (!surface || !surface->lcl->lpSurfMore)
            continue;
        name(surface, object, surface->lcl->lpSurfMore->dwSurfaceHandle);
        names[event.name_count++] = (struct capture_name){surface->id, surface->handle};
        all.surfaces[all.count++] = surface;
    }
    event.link_count = count_links(&all, NULL);
    links = mem_calloc(event.link_count + 1, sizeof(*links));
    if (!links)
        goto fail;
    count_links(&all, links);
    const struct capture_bytes pieces[3] = {{&event, sizeof(event)},
                                            {names, event.name_count * sizeof(*names)},
                                            {links, event.link_count * sizeof(*links)}};
    record_event(CAPTURE_ANNOUNCE, pieces, 3);
    free(all.surfaces);
    free(names);
    free(links);
    return;

fail:
    free(all.surfaces);
    free(names);
    record_give_up("out of memory");
}

/* All parts of a system-memory surface go together. */
static void withdraw(struct record_surface *surface)
{
    struct record_chain *chain = surface->chain;
    const struct capture_destroy event = {surface->id, CAPTURE_SYSTEM_MEMORY};
    unsigned left = chain->alive;

    record_event_simple(CAPTURE_DESTROY, &event, sizeof(event));
    for (unsigned i = 0; left > 0; i++) {
        struct record_surface *part = chain->surfaces[i];
        if (part) {
            left--;
            free_surface(part);
        }
    }
}

void record_create_surface_ex(const DDRAWI_DIRECTDRAW_LCL *local, DDRAWI_DDRAWSURFACE_LCL *lcl,
                              uint32_t flags)
{
    struct record_surface *known = find(lcl);
    struct walk walk = {0};

    if (lcl->lpGbl->fpVidMem == 0) {
        if (known && known->system_memory)
            withdraw(known);
        return;
    }
    if (walk_from(&walk, lcl)) {
        make_unknown(&walk);
        if (find(lcl))
            write_announce(&walk, local, find(lcl)->id, flags);
    } else {
        record_give_up("out of memory");
    }
    free(walk.list);
}

void record_destroy_surface(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = find(lcl);

    if (!surface)
        return;
    if (surface->system_memory) {
        withdraw(surface);
        return;
    }
    const struct capture_destroy event = {surface->id, 0};
    record_event_simple(CAPTURE_DESTROY, &event, sizeof(event));
    free_surface(surface);
}

/* --- memory ------------------------------------------------------------------------------------
 */

static bool layout_of(const struct record_surface *surface, struct layout *layout)
{
    const struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);
    const struct raster_format_info *format;

    if (!hal || !hal->bytes || !surface->lcl->lpGbl->fpVidMem)
        return false;
    layout->memory =
        surface->system_memory ? (const uint8_t *)surface->lcl->lpGbl->fpVidMem : hal->memory;
    layout->pitch = hal->pitch;
    layout->slice_pitch = hal->slice_pitch;
    if (hal->kind & HAL_SURFACE_BUFFER) {
        layout->row_bytes = (uint32_t)hal->bytes;
        layout->rows = layout->slices = 1;
        return layout->memory && layout->row_bytes;
    }
    format = raster_format_info(hal->format);
    if (!format || !format->block_width || !layout->memory)
        return false;
    layout->row_bytes = (hal->width + format->block_width - 1u) / format->block_width *
                        (uint32_t)format->block_bytes;
    layout->rows = (hal->height + format->block_height - 1u) / format->block_height;
    layout->slices = hal->depth ? hal->depth : 1;
    return layout->row_bytes && layout->rows;
}

static size_t layout_size(const struct layout *layout)
{
    return (size_t)layout->row_bytes * layout->rows * layout->slices;
}

static const uint8_t *row_at(const struct layout *layout, uint32_t slice, uint32_t row)
{
    return layout->memory + slice * layout->slice_pitch + row * layout->pitch;
}

/* Packed rows of the memory as it is now. NULL: out of memory. */
static uint8_t *copy_rows(const struct layout *layout)
{
    uint8_t *copy = malloc(layout_size(layout));
    uint8_t *at = copy;

    if (!copy)
        return NULL;
    for (uint32_t slice = 0; slice < layout->slices; slice++) {
        for (uint32_t row = 0; row < layout->rows; row++, at += layout->row_bytes)
            memcpy(at, row_at(layout, slice, row), layout->row_bytes);
    }
    return copy;
}

/* Rows [first, first + count) of a slice, bytes [from, to) of each. */
static void write_rows(struct record_surface *surface, const struct layout *layout, uint32_t slice,
                       uint32_t first, uint32_t count, uint32_t from, uint32_t to)
{
    const struct capture_memory event = {.id = surface->id,
                                         .flags = CAPTURE_MEMORY_LOCKED,
                                         .lock_flags = surface->lock_flags,
                                         .first_row = first,
                                         .row_count = count,
                                         .row_offset = from,
                                         .row_bytes = to - from,
                                         .first_slice = slice,
                                         .slice_count = 1};
    struct capture_bytes *pieces = mem_calloc(count + (size_t)1, sizeof(*pieces));

    if (!pieces) {
        record_give_up("out of memory");
        return;
    }
    pieces[0] = (struct capture_bytes){&event, sizeof(event)};
    for (uint32_t i = 0; i < count; i++)
        pieces[i + 1] = (struct capture_bytes){row_at(layout, slice, first + i) + from, to - from};
    record_event(CAPTURE_MEMORY, pieces, count + 1);
    free(pieces);
    /* A second lock that discards would throw away what the first event wrote. */
    surface->lock_flags &= ~(uint32_t)DDLOCK_DISCARDCONTENTS;
}

/* Changed parts of one long row (a buffer). old NULL: all of it. */
static void write_row_changes(struct record_surface *surface, const struct layout *layout,
                              const uint8_t *old)
{
    const uint32_t size = layout->row_bytes;
    uint32_t start = 0, at = 0;
    bool open = false;

    while (at < size) {
        const uint32_t length = BASE_MIN(BLOCK, size - at);
        const bool changed = !old || memcmp(old + at, layout->memory + at, length) != 0;
        if (changed && !open)
            start = at;
        if (open && (!changed || at - start >= MAX_PIECE)) {
            write_rows(surface, layout, 0, 0, 1, start, at);
            start = at;
        }
        open = changed;
        at += length;
    }
    if (open)
        write_rows(surface, layout, 0, 0, 1, start, size);
}

/* Changed rows of one slice. */
static void write_slice_changes(struct record_surface *surface, const struct layout *layout,
                                uint32_t slice, const uint8_t *old)
{
    const uint32_t max_rows = BASE_MAX(1u, MAX_PIECE / layout->row_bytes);
    uint32_t start = 0;
    bool open = false;

    for (uint32_t row = 0; row <= layout->rows; row++) {
        const bool changed = row < layout->rows &&
                             (!old || memcmp(old + (size_t)row * layout->row_bytes,
                                             row_at(layout, slice, row), layout->row_bytes) != 0);
        if (open && (!changed || row - start >= max_rows)) {
            write_rows(surface, layout, slice, start, row - start, 0, layout->row_bytes);
            start = row;
        }
        if (changed && !open)
            start = row;
        open = changed;
    }
}

static void write_changes(struct record_surface *surface, const struct layout *layout,
                          const uint8_t *old)
{
    const size_t slice_bytes = (size_t)layout->row_bytes * layout->rows;

    if (layout->rows == 1 && layout->slices == 1) {
        write_row_changes(surface, layout, old);
        return;
    }
    for (uint32_t slice = 0; slice < layout->slices; slice++)
        write_slice_changes(surface, layout, slice, old ? old + slice * slice_bytes : NULL);
}

/* Does the file hold what is in the surface: of this range, or of an earlier one and unchanged since? */
static bool is_in_file(struct record_surface *surface)
{
    struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);

    return surface->range == recorder.range || (surface->left_in_file && hal && hal_surface_digest(hal) == surface->digest);
}

void record_lock(DDRAWI_DDRAWSURFACE_LCL *lcl, const RECTL *rect, uint32_t flags)
{
    struct record_surface *surface = record_surface_of(lcl);
    struct layout layout;

    /* Programs write outside of what they locked, and drivers let them: look at all of it. */
    (void)rect;
    if (!surface || surface->system_memory || flags & DDLOCK_READONLY)
        return;
    if (surface->locks++ == 0) {
        surface->lock_flags = flags;
        if (recorder.current && !(flags & DDLOCK_DISCARDCONTENTS) && is_in_file(surface) && layout_of(surface, &layout))
            surface->snapshot = copy_rows(&layout);
        return;
    }
    surface->lock_flags |= flags;
}

void record_unlock(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = find(lcl);
    struct layout layout;

    if (!surface || surface->locks == 0 || --surface->locks > 0)
        return;
    if (recorder.current && layout_of(surface, &layout)) {
        write_changes(surface, &layout, surface->snapshot);
        surface->range = recorder.range;
    }
    free(surface->snapshot);
    surface->snapshot = NULL;
    surface->lock_flags = 0;
}

static void compare_with_shadow(struct record_surface *surface)
{
    struct layout layout;
    uint8_t *at;

    if (!layout_of(surface, &layout))
        return;
    if (!surface->shadow) {
        surface->shadow = copy_rows(&layout);
        if (surface->shadow)
            write_changes(surface, &layout, NULL);
        else
            record_give_up("out of memory");
        return;
    }
    write_changes(surface, &layout, surface->shadow);
    at = surface->shadow;
    for (uint32_t slice = 0; slice < layout.slices; slice++) {
        for (uint32_t row = 0; row < layout.rows; row++, at += layout.row_bytes)
            memcpy(at, row_at(&layout, slice, row), layout.row_bytes);
    }
}

void record_system_memory(struct record_surface *surface)
{
    struct record_chain *chain = surface->chain;

    if (!surface->system_memory || !recorder.current)
        return;
    for (unsigned i = 0; i < chain->count; i++) {
        if (chain->surfaces[i])
            compare_with_shadow(chain->surfaces[i]);
    }
}

/* Those of the surface that its pixels do not tell. */
static void write_samples(struct record_surface *surface, struct hal_surface *hal)
{
    const size_t bytes = hal_surface_row_bytes(hal);
    const unsigned rows = (unsigned)BASE_MIN(BASE_MAX((size_t)1, MAX_PIECE / bytes), hal->height);
    uint8_t *copy;

    if (!hal_samples_differ(hal))
        return;
    copy = mem_calloc(rows, bytes);
    if (!copy) {
        record_give_up("out of memory");
        return;
    }
    for (unsigned sample = 0; sample < hal->samples; sample++) {
        for (unsigned row = 0; row < hal->height; row += rows) {
            const struct capture_samples event = {.id = surface->id,
                                                  .samples = hal->samples,
                                                  .sample = sample,
                                                  .first_row = row,
                                                  .row_count = BASE_MIN(rows, hal->height - row),
                                                  .row_bytes = (uint32_t)bytes};
            const struct capture_bytes pieces[2] = {{&event, sizeof(event)}, {copy, event.row_count * bytes}};

            hal_samples_read(hal, sample, row, event.row_count, copy, bytes);
            record_event(CAPTURE_SAMPLES, pieces, 2);
        }
    }
    free(copy);
}

void record_samples(const HALCYON_SAMPLESDATA *data)
{
    const struct record_surface *surface = record_surface_of(data->lpDDSurface);
    const struct hal_surface *hal = hal_surface_from_lcl(data->lpDDSurface);

    if (!surface || !hal)
        return;
    if (recorder.current)
        record_use(NULL, surface->id, CAPTURE_USE_NEEDED); /* other samples, other rows */
    const struct capture_samples event = {.id = surface->id,
                                          .samples = hal->samples,
                                          .sample = data->dwSample,
                                          .first_row = data->dwFirstRow,
                                          .row_count = data->dwRows,
                                          .row_bytes = data->dwRowBytes};
    const struct capture_bytes pieces[2] = {{&event, sizeof(event)}, {data->lpMemory, (size_t)data->dwRows * data->dwRowBytes}};

    record_event(CAPTURE_SAMPLES, pieces, 2);
}

/* Video memory: once the driver has drawn all that it was told to. Of a surface that is locked the
 * snapshot is stale now, and all of it is written again on Unlock. */
static void write_all(struct record_surface *surface)
{
    struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);
    const uint32_t flags = surface->lock_flags;
    struct layout layout;

    free(surface->snapshot);
    surface->snapshot = NULL;
    if (!hal)
        return;
    hal_present_wait(hal);
    hal_surface_acquire(hal, false);
    surface->lock_flags = 0;
    if (layout_of(surface, &layout))
        write_changes(surface, &layout, NULL);
    if (hal->samples)
        write_samples(surface, hal);
    surface->lock_flags = flags;
}

void record_use(void *user, uint32_t id, enum capture_use use)
{
    struct record_surface *surface = id < recorder.id_capacity ? recorder.by_id[id] : NULL;

    (void)user;
    if (!surface || use == CAPTURE_USE_NAMED)
        return;
    if (surface->system_memory) {
        if (surface->range != recorder.range || !surface->shadow)
            compare_with_shadow(surface);
    } else if (surface->range != recorder.range && use == CAPTURE_USE_NEEDED && (surface->locks || !is_in_file(surface))) {
        write_all(surface);
    }
    surface->range = recorder.range;
}

bool record_read_buffer(void *user, uint32_t number, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    const struct record_local *local = recorder.locals;
    struct layout layout;

    (void)user;
    while (local && local->id != number)
        local = local->next;
    const struct record_surface *surface = record_by_handle(local, handle);

    if (!surface || !layout_of(surface, &layout) || layout.rows != 1 || layout.slices != 1 || offset > layout.row_bytes ||
        size > layout.row_bytes - offset)
        return false;
    hal_surface_acquire(hal_surface_from_lcl(surface->lcl), false);
    memcpy(out, layout.memory + offset, size);
    return true;
}

static void exchange(struct record_surface *a, struct record_surface *b)
{
    const uint32_t range = a->range;
    const bool left = a->left_in_file;
    const uint64_t digest = a->digest;

    a->range = b->range;
    b->range = range;
    if (!recorder.current) /* the surfaces of the file keep what they hold */
        return;
    a->left_in_file = b->left_in_file;
    a->digest = b->digest;
    b->left_in_file = left;
    b->digest = digest;
}

/* The surface behind `lcl` in its flip chain. */
static DDRAWI_DDRAWSURFACE_LCL *next_in_chain(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    for (const ATTACHLIST *link = lcl->lpAttachList; link; link = link->lpLink) {
        if (link->lpAttached && link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP)
            return link->lpAttached;
    }
    return NULL;
}

void record_exchange(DDRAWI_DDRAWSURFACE_LCL *front, DDRAWI_DDRAWSURFACE_LCL *back)
{
    const bool all_move = next_in_chain(front) == back;
    DDRAWI_DDRAWSURFACE_LCL *at = front, *next = back;

    for (unsigned i = 0; next && i < MAX_FLIP_CHAIN; i++) {
        struct record_surface *first = find(at), *second = find(next);

        if (first && second)
            exchange(first, second);
        at = next;
        next = all_move ? next_in_chain(at) : NULL;
        if (next == front)
            break;
    }
}

void record_leave_contents(void)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        for (struct record_surface *s = recorder.buckets[i]; s; s = s->next_in_bucket) {
            struct hal_surface *hal = hal_surface_from_lcl(s->lcl);

            if (s->system_memory || s->range != recorder.range || !hal)
                continue;
            s->left_in_file = s->locks == 0;
            s->digest = s->left_in_file ? hal_surface_digest(hal) : 0;
        }
    }
}

void record_forget_contents(bool all)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        for (struct record_surface *s = recorder.buckets[i]; s; s = s->next_in_bucket) {
            free(s->snapshot);
            s->snapshot = NULL;
            if (!all)
                continue;
            free(s->shadow);
            s->shadow = NULL;
            s->left_in_file = false;
        }
    }
}
