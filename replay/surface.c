/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of a replay: DirectDraw's structures, filled as the capture describes them, and the
 * bytes written into them.
 */
#include "replay/internal.h"

#include "base/base.h"
#include "d3d/planes.h"

#include <stdlib.h>
#include <string.h>

/* --- tables ------------------------------------------------------------------------------ */

struct player_surface *player_surface_of(const struct player *player, uint32_t id)
{
    struct player_surface *surface = id < player->surface_capacity ? player->surfaces[id] : NULL;

    return surface && surface->alive ? surface : NULL;
}

struct player_local *player_local_of(struct player *player, uint32_t id)
{
    struct player_local *local = player->locals;

    while (local && local->id != id)
        local = local->next;
    if (local)
        return local;
    local = mem_calloc(1, sizeof(*local));
    if (!local)
        return NULL;
    local->id = id;
    local->gbl.ddCaps = player->driver->info.ddCaps;
    local->gbl.lpD3DHALCallbacks = player->driver->info.lpD3DHALCallbacks;
    local->gbl.lpD3DGlobalDriverData = player->driver->info.lpD3DGlobalDriverData;
    local->gbl.dwFlags = DDRAWI_DRIVERINFO2;
    local->lcl.lpGbl = &local->gbl;
    local->lcl.dwLocalFlags = DDRAWILCL_DIRECTDRAW7 | DDRAWILCL_DIRECTDRAW8;
    local->next = player->locals;
    player->locals = local;
    return local;
}

static bool reserve_id(struct player *player, uint32_t id)
{
    uint32_t capacity = id + id / 2 + 64;
    struct player_surface **bigger;

    if (id < player->surface_capacity)
        return true;
    bigger = mem_realloc(player->surfaces, capacity, sizeof(*bigger));
    if (!bigger)
        return false;
    memset(bigger + player->surface_capacity, 0, (capacity - player->surface_capacity) * sizeof(*bigger));
    player->surfaces = bigger;
    player->surface_capacity = capacity;
    return true;
}

/* --- making ---------------------------------------------------------------------------------- */

static bool is_volume(const struct player_surface *surface)
{
    return surface->more.ddsCapsEx.dwCaps2 & DDSCAPS2_VOLUME;
}

static unsigned at_least_one(unsigned size)
{
    return size ? size : 1;
}

static unsigned player_depth(const struct player_surface *surface)
{
    const unsigned depth = is_volume(surface) ? surface->more.ddsCapsEx.dwCaps4 & 0xFFFF : 1;

    return depth ? depth : 1;
}

static void fill_surface(struct player_surface *surface, const struct capture_part *part, struct player_local *local,
                         uint32_t process)
{
    surface->id = part->id;
    surface->lcl.lpGbl = &surface->gbl;
    surface->lcl.lpSurfMore = &surface->more;
    surface->lcl.dwProcessId = process;
    surface->lcl.dwFlags = part->local_flags;
    surface->lcl.ddsCaps.dwCaps = part->caps;
    surface->lcl.dwBackBufferCount = part->back_buffers;
    surface->lcl.ddckCKSrcBlt.dwColorSpaceLowValue = part->color_key_low;
    surface->lcl.ddckCKSrcBlt.dwColorSpaceHighValue = part->color_key_high;
    surface->gbl.lpDD = &local->gbl;
    surface->gbl.dwGlobalFlags = part->global_flags;
    surface->more.dwSize = sizeof(surface->more);
    surface->more.lpDD_lcl = &local->lcl;
    surface->more.dwMipMapCount = part->mip_count;
    surface->more.dwFVF = part->fvf;
    surface->more.dwSurfaceHandle = part->handle;
    surface->more.ddsCapsEx.dwCaps2 = part->caps2;
    surface->more.ddsCapsEx.dwCaps3 = part->caps3;
    surface->more.ddsCapsEx.dwCaps4 = part->caps4;
    surface->buffer = part->caps & DDSCAPS_EXECUTEBUFFER;
    if (surface->buffer) {
        surface->gbl.dwLinearSize = part->bytes;
        return;
    }
    surface->gbl.wWidth = (WORD)part->width;
    surface->gbl.wHeight = (WORD)part->height;
    memcpy(&surface->gbl.ddpfSurface, part->format, sizeof(part->format));
}

/* Room for the levels below the first that a lightweight MIP map has in the same memory. A row has no more than the
 * share of the first one's, and another block. */
static uint64_t light_bytes(const struct player_surface *surface, const struct capture_part *part)
{
    uint64_t bytes = 0;

    if (!(part->caps3 & DDSCAPS3_LIGHTWEIGHTMIPMAP))
        return 0;
    for (unsigned level = 1; level < part->mip_count && level < 16; level++)
        bytes += ((part->pitch >> level) + 64ull) * (d3d_planar_rows(at_least_one(surface->gbl.wHeight >> level)) + 4) *
                 at_least_one(player_depth(surface) >> level);
    return bytes;
}

/* Room for any size that a driver may compute from height, pitch and depth, whatever the format. */
static uint64_t system_bytes(const struct player_surface *surface, const struct capture_part *part)
{
    const uint64_t rows = part->pitch * (d3d_planar_rows(part->height) + 4);
    const uint64_t slice = rows > part->slice_pitch ? rows : part->slice_pitch;

    if (surface->buffer)
        return part->bytes;
    if (slice > PLAYER_MAX_MEMORY)
        return UINT64_MAX;
    return slice * player_depth(surface) + light_bytes(surface, part);
}

static bool player_place_in_system_memory(struct player *player, struct player_surface *surface,
                                          const struct capture_part *part, const struct capture_event *event,
                                          struct capture_error *error)
{
    const uint64_t bytes = system_bytes(surface, part);

    surface->system_memory = true;
    if (part->pitch > INT32_MAX || part->bytes > INT32_MAX || bytes > PLAYER_MAX_MEMORY ||
        player->memory + bytes > PLAYER_MAX_MEMORY)
        return player_fail(error, event, "surface %u: %llu bytes of system memory are too many", (unsigned)part->id,
                           (unsigned long long)bytes);
    surface->memory = mem_calloc((size_t)bytes + 16, 1);
    if (!surface->memory)
        return player_no_memory(error, event);
    player->memory += bytes;
    surface->bytes = bytes;
    surface->gbl.fpVidMem = (FLATPTR)surface->memory;
    if (!surface->buffer) {
        surface->gbl.lPitch = (LONG)part->pitch;
        if (is_volume(surface))
            surface->gbl.dwBlockSizeY = part->slice_pitch;
    }
    surface->alive = true;
    return true;
}

HRESULT player_create_surfaces(struct player *player, struct player_surface **parts, unsigned count)
{
    const bool buffer = parts[0]->buffer;
    LPDDHAL_CREATESURFACE create =
        buffer ? (LPDDHAL_CREATESURFACE)player->driver->buffer.CreateExecuteBuffer : player->driver->dd.CreateSurface;
    DDRAWI_DDRAWSURFACE_LCL **list = mem_calloc(count, sizeof(DDRAWI_DDRAWSURFACE_LCL *));
    DDHAL_CREATESURFACEDATA data = {.lpDD = parts[0]->gbl.lpDD};
    const struct player_surface *first = parts[0];
    DDSURFACEDESC2 desc;
    HRESULT hr = DDERR_UNSUPPORTED;

    if (!list)
        return DDERR_OUTOFMEMORY;
    for (unsigned i = 0; i < count; i++)
        list[i] = &parts[i]->lcl;
    client_describe(&desc, &first->lcl, first->buffer ? first->gbl.dwLinearSize : first->gbl.wWidth,
                    first->buffer ? 1 : first->gbl.wHeight);
    data.lpDDSurfaceDesc = (DDSURFACEDESC *)&desc;
    data.lplpSList = list;
    data.dwSCnt = count;
    if (create && create(&data) == DDHAL_DRIVER_HANDLED)
        hr = data.ddRVal;
    free(list);
    for (unsigned i = 0; SUCCEEDED(hr) && i < count; i++) {
        parts[i]->alive = true;
        parts[i]->bytes = parts[i]->more.dwBytesAllocated;
    }
    return hr;
}

/* --- attach lists --------------------------------------------------------------------------------
 */

/* The links after a surface's first one, as the driver sees them. */
static struct player_link *link_of(ATTACHLIST *list)
{
    return (struct player_link *)list; /* the first member */
}

static void player_drop_link(struct player_link *link)
{
    struct player_link *next = link_of(link->link.lpLink);

    if (link->previous)
        link->previous->link.lpLink = link->link.lpLink;
    else
        link->from->lcl.lpAttachList = link->link.lpLink;
    if (next)
        next->previous = link->previous;
    else
        link->from->last_link = link->previous;
    if (link->previous_to_it)
        link->previous_to_it->next_to_it = link->next_to_it;
    else
        link->to->links_to_it = link->next_to_it;
    if (link->next_to_it)
        link->next_to_it->previous_to_it = link->previous_to_it;
    free(link);
}

void player_clear_links(struct player_surface *surface)
{
    while (surface->lcl.lpAttachList)
        player_drop_link(link_of(surface->lcl.lpAttachList));
}

bool player_add_link(struct player_surface *from, struct player_surface *to)
{
    struct player_link *link = mem_calloc(1, sizeof(*link));

    if (!link)
        return false;
    link->link.lpAttached = &to->lcl;
    link->from = from;
    link->to = to;
    link->previous = from->last_link;
    if (from->last_link)
        from->last_link->link.lpLink = &link->link;
    else
        from->lcl.lpAttachList = &link->link;
    from->last_link = link;
    link->next_to_it = to->links_to_it;
    if (to->links_to_it)
        to->links_to_it->previous_to_it = link;
    to->links_to_it = link;
    return true;
}

/* Links replace those that their `from` surfaces had. `from` and `to` may be surfaces the driver does not have yet. */
static bool set_links(struct player *player, const struct capture_link *links, uint32_t count,
                      const struct capture_event *event, struct capture_error *error)
{
    const uint32_t limit = player->surface_capacity;

    for (uint32_t i = 0; i < count; i++) {
        if (links[i].from >= limit || links[i].to >= limit || !player->surfaces[links[i].from] ||
            !player->surfaces[links[i].to])
            return player_fail(error, event, "link %u names a surface that does not exist", (unsigned)i);
        player_clear_links(player->surfaces[links[i].from]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!player_add_link(player->surfaces[links[i].from], player->surfaces[links[i].to]))
            return player_no_memory(error, event);
    return true;
}

static void join_chain(struct player_surface *first, struct player_surface *part)
{
    part->next_in_chain = first->next_in_chain;
    part->previous_in_chain = first;
    first->next_in_chain->previous_in_chain = part;
    first->next_in_chain = part;
}

static void leave_chain(struct player_surface *part)
{
    part->previous_in_chain->next_in_chain = part->next_in_chain;
    part->next_in_chain->previous_in_chain = part->previous_in_chain;
}

static void player_free_surface(struct player *player, struct player_surface *surface)
{
    while (surface->links_to_it)
        player_drop_link(surface->links_to_it);
    player_clear_links(surface);
    leave_chain(surface);
    player->surfaces[surface->id] = NULL;
    if (surface->system_memory)
        player->memory -= surface->bytes;
    free(surface->memory);
    free(surface);
}

/* --- events
 * ---------------------------------------------------------------------------------------- */

static struct player_surface *add_surface(struct player *player, const struct capture_part *part,
                                          const struct capture_event *event, struct capture_error *error)
{
    struct player_surface *surface;

    if (part->id == 0 || part->id >= PLAYER_MAX_IDS) {
        player_fail(error, event, "impossible surface number %u", (unsigned)part->id);
        return NULL;
    }
    if (part->id < player->surface_capacity && player->surfaces[part->id]) {
        player_fail(error, event, "surface %u is made twice", (unsigned)part->id);
        return NULL;
    }
    surface = reserve_id(player, part->id) ? mem_calloc(1, sizeof(*surface)) : NULL;
    if (!surface) {
        player_no_memory(error, event);
        return NULL;
    }
    surface->id = part->id;
    surface->next_in_chain = surface->previous_in_chain = surface;
    player->surfaces[part->id] = surface;
    return surface;
}

static bool make_parts(struct player *player, const struct capture_surfaces *head, const struct capture_part *parts,
                       struct player_surface **made, const struct capture_event *event, struct capture_error *error)
{
    struct player_local *local = player_local_of(player, head->local);

    if (!local)
        return player_no_memory(error, event);
    for (uint32_t i = 0; i < head->part_count; i++) {
        made[i] = add_surface(player, &parts[i], event, error);
        if (!made[i])
            return false;
        if (i)
            join_chain(made[0], made[i]);
        fill_surface(made[i], &parts[i], local, head->process);
        if (i && made[i]->buffer != made[0]->buffer)
            return player_fail(error, event, "a buffer and a picture in one call");
        if (head->flags & CAPTURE_SYSTEM_MEMORY &&
            !player_place_in_system_memory(player, made[i], &parts[i], event, error))
            return false;
    }
    return set_links(player, (const void *)(parts + head->part_count), head->link_count, event, error);
}

bool player_make_surfaces(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_surfaces *head = (const void *)event->data;
    const struct capture_part *parts = (const void *)(head + 1);
    struct player_surface **made;
    bool done;

    if (head->part_count == 0 || head->part_count > 4096)
        return player_fail(error, event, "%u surfaces in one call", (unsigned)head->part_count);
    made = mem_calloc(head->part_count, sizeof(struct player_surface *));
    if (!made)
        return player_no_memory(error, event);
    done = make_parts(player, head, parts, made, event, error);
    if (done && !(head->flags & CAPTURE_SYSTEM_MEMORY))
        player_answer(player, player_create_surfaces(player, made, head->part_count), "CreateSurface");
    free(made);
    return done;
}

bool player_announce(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_announce *head = (const void *)event->data;
    const struct capture_name *names = (const void *)(head + 1);
    struct player_surface *root = player_surface_of(player, head->root);
    struct player_local *local = player_local_of(player, head->local);
    DDHAL_CREATESURFACEEXDATA data = {.dwFlags = head->flags};

    if (!local)
        return player_no_memory(error, event);
    for (uint32_t i = 0; i < head->name_count; i++) {
        struct player_surface *surface = player_surface_of(player, names[i].id);
        if (surface)
            surface->more.dwSurfaceHandle = names[i].handle;
    }
    if (!set_links(player, (const void *)(names + head->name_count), head->link_count, event, error))
        return false;
    if (!root)
        return true; /* the driver refused to make it */
    data.lpDDLcl = &local->lcl;
    data.lpDDSLcl = &root->lcl;
    if (player->driver->misc2.CreateSurfaceEx(&data) != DDHAL_DRIVER_HANDLED)
        data.ddRVal = DDERR_UNSUPPORTED;
    player_answer(player, data.ddRVal, "CreateSurfaceEx");
    if (player->feedback && SUCCEEDED(data.ddRVal))
        player_feedback_announced(player, root, local);
    return true;
}

/* fpVidMem = 0 in CreateSurfaceEx tells the driver that a system-memory surface is destroyed; all its parts are in
 * system memory. */
static void withdraw_chain(struct player *player, struct player_surface *root)
{
    DDHAL_CREATESURFACEEXDATA data = {0};
    struct player_surface *part = root;

    do {
        part->gbl.fpVidMem = 0;
        part = part->next_in_chain;
    } while (part != root);
    data.lpDDLcl = root->more.lpDD_lcl;
    data.lpDDSLcl = &root->lcl;
    player->driver->misc2.CreateSurfaceEx(&data);
    while (root->next_in_chain != root)
        player_free_surface(player, root->next_in_chain);
    player_free_surface(player, root);
}

static void destroy_surface(struct player *player, struct player_surface *surface)
{
    DDHAL_DESTROYSURFACEDATA data = {.lpDD = surface->gbl.lpDD, .lpDDSurface = &surface->lcl};
    LPDDHALSURFCB_DESTROYSURFACE destroy =
        surface->buffer ? (LPDDHALSURFCB_DESTROYSURFACE)player->driver->buffer.DestroyExecuteBuffer
                        : player->driver->surface.DestroySurface;

    if (surface->system_memory) {
        withdraw_chain(player, surface);
        return;
    }
    if (surface->alive && destroy)
        destroy(&data);
    player_free_surface(player, surface);
}

bool player_unmake_surface(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_destroy *head = (const void *)event->data;
    struct player_surface *surface = head->id < player->surface_capacity ? player->surfaces[head->id] : NULL;

    if (!surface)
        return player_fail(error, event, "surface %u does not exist", (unsigned)head->id);
    if (player->feedback)
        player_feedback_destroyed(player, head->id);
    destroy_surface(player, surface);
    return true;
}

void player_free_surfaces(struct player *player)
{
    for (uint32_t id = 0; id < player->surface_capacity; id++)
        if (player->surfaces[id])
            destroy_surface(player, player->surfaces[id]);
    free(player->surfaces);
}

/* --- memory
 * ------------------------------------------------------------------------------------------ */

HRESULT player_lock(struct player *player, struct player_surface *surface, uint32_t flags, uint8_t **bits)
{
    DDHAL_LOCKDATA data = {.lpDD = surface->gbl.lpDD, .lpDDSurface = &surface->lcl, .dwFlags = flags};
    DWORD answer = DDHAL_DRIVER_NOTHANDLED;

    if (surface->buffer && player->driver->buffer.LockExecuteBuffer)
        answer = player->driver->buffer.LockExecuteBuffer(&data);
    else if (!surface->buffer)
        answer = player->driver->surface.Lock(&data);
    if (answer != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    *bits = data.lpSurfData;
    return data.ddRVal;
}

void player_unlock(struct player *player, struct player_surface *surface)
{
    DDHAL_UNLOCKDATA data = {.lpDD = surface->gbl.lpDD, .lpDDSurface = &surface->lcl};

    if (surface->buffer && player->driver->buffer.UnlockExecuteBuffer)
        player->driver->buffer.UnlockExecuteBuffer(&data);
    else if (!surface->buffer && player->driver->surface.Unlock)
        player->driver->surface.Unlock(&data);
}

/* Do the rows lie inside the surface? */
static bool rows_fit(const struct player_surface *surface, const struct capture_memory *head, uint64_t pitch,
                     uint64_t slice_pitch)
{
    const uint64_t last_row = (uint64_t)head->first_row + head->row_count - 1;
    const uint64_t last_slice = (uint64_t)head->first_slice + head->slice_count - 1;

    /* 32-bit numbers times 31-bit pitches: no overflow in 64 bits. */
    if (pitch > INT32_MAX || slice_pitch > INT32_MAX)
        return false;
    return last_slice * slice_pitch + last_row * pitch + head->row_offset + head->row_bytes <= surface->bytes;
}

static void player_copy_rows(const struct capture_memory *head, const uint8_t *data, uint8_t *bits, uint64_t pitch,
                             uint64_t slice_pitch)
{
    for (uint32_t slice = 0; slice < head->slice_count; slice++) {
        for (uint32_t row = 0; row < head->row_count; row++) {
            uint8_t *to = bits + (head->first_slice + (uint64_t)slice) * slice_pitch +
                          (head->first_row + (uint64_t)row) * pitch + head->row_offset;
            memcpy(to, data, head->row_bytes);
            data += head->row_bytes;
        }
    }
}

bool player_write_memory(struct player *player, const struct capture_event *event, struct capture_error *error)
{
    const struct capture_memory *head = (const void *)event->data;
    struct player_surface *surface = player_surface_of(player, head->id);
    uint64_t pitch, slice_pitch;
    uint8_t *bits = NULL;
    HRESULT hr = DD_OK;

    if (!surface)
        return true; /* refused by the driver; said so then */
    if (!head->row_bytes || !head->row_count || !head->slice_count)
        return true;
    pitch = surface->buffer ? 0 : (uint64_t)surface->gbl.lPitch;
    slice_pitch = is_volume(surface) ? surface->gbl.dwBlockSizeY : 0;
    if (!rows_fit(surface, head, pitch, slice_pitch))
        return player_fail(error, event, "memory of surface %u: rows %u+%u lie outside of it", (unsigned)head->id,
                           (unsigned)head->first_row, (unsigned)head->row_count);
    if (head->flags & CAPTURE_MEMORY_LOCKED)
        hr = player_lock(player, surface,
                         head->lock_flags & ~(uint32_t)(DDLOCK_READONLY | DDLOCK_HASVOLUMETEXTUREBOXRECT), &bits);
    if (surface->system_memory)
        bits = surface->memory;
    if (FAILED(hr))
        player_answer(player, hr, "Lock");
    if (bits && (SUCCEEDED(hr) || surface->system_memory))
        player_copy_rows(head, (const uint8_t *)(head + 1), bits, pitch, slice_pitch);
    if (head->flags & CAPTURE_MEMORY_LOCKED && SUCCEEDED(hr))
        player_unlock(player, surface);
    player->stats.memory_bytes += event->size - sizeof(*head);
    return true;
}

/* --- samples ------------------------------------------------------------------------------------ */

HRESULT player_access_samples(struct player *player, struct player_surface *surface, HALCYON_SAMPLESDATA *data)
{
    data->lpDDSurface = &surface->lcl;
    if (!player->driver->samples.AccessSamples || player->driver->samples.AccessSamples(data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data->ddRVal;
}

void player_write_samples(struct player *player, const struct capture_event *event)
{
    const struct capture_samples *head = (const void *)event->data;
    struct player_surface *surface = player_surface_of(player, head->id);
    HALCYON_SAMPLESDATA data = {.lpMemory = (void *)(head + 1),
                                .dwFlags = HALCYON_SAMPLES_WRITE,
                                .dwSample = head->sample,
                                .dwFirstRow = head->first_row,
                                .dwRows = head->row_count,
                                .dwRowBytes = head->row_bytes};

    if (!surface)
        return; /* refused by the driver; said so then */
    player_answer(player, player_access_samples(player, surface, &data), "AccessSamples");
    player->stats.memory_bytes += event->size - sizeof(*head);
}
