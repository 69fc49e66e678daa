/* SPDX-License-Identifier: MIT */
/*
 * Surfaces: CreateSurface, CreateSurfaceEx and their end. A list of surfaces that are the levels and faces of one texture becomes one
 * resource, any other surface one by itself. Surfaces that are attached to each other later are joined when CreateSurfaceEx tells: to a
 * new resource, with their contents.
 */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARTS    (6 * BRIDGE_MOST_LEVELS)
#define MOST_ATTACHED 160
#define CAPS2(lcl)    ((lcl)->lpSurfMore->ddsCapsEx.dwCaps2)
#define CAPS3(lcl)    ((lcl)->lpSurfMore->ddsCapsEx.dwCaps3)

/* The surfaces of a resource: one for each sub-resource, or for each face. */
struct group {
    DDRAWI_DDRAWSURFACE_LCL *lcl[MOST_PARTS];
    unsigned count;         /* surfaces */
    unsigned levels, faces; /* sub-resources */
};

static bool is_light(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return CAPS3(lcl) & DDSCAPS3_LIGHTWEIGHTMIPMAP && lcl->ddsCaps.dwCaps & DDSCAPS_TEXTURE &&
           lcl->lpSurfMore->dwMipMapCount > 1;
}

static unsigned levels_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return is_light(lcl) ? (unsigned)BASE_MIN(lcl->lpSurfMore->dwMipMapCount, (DWORD)BRIDGE_MOST_LEVELS) : 1;
}

static bool is_system(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return lcl->ddsCaps.dwCaps & DDSCAPS_SYSTEMMEMORY;
}

static bool is_buffer(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return lcl->ddsCaps.dwCaps & DDSCAPS_EXECUTEBUFFER;
}

static bool is_usable(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return lcl && lcl->lpGbl && lcl->lpSurfMore;
}

/* --- arguments of CreateResource ------------------------------------------------------------------------ */

static D3DDDI_RESOURCEFLAGS flags_of(const struct group *group)
{
    const DDRAWI_DDRAWSURFACE_LCL *lcl = group->lcl[0];
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};

    flags.Dynamic = (CAPS2(lcl) & DDSCAPS2_HINTDYNAMIC) != 0;
    if (is_buffer(lcl)) {
        flags.IndexBuffer = (CAPS2(lcl) & DDSCAPS2_INDEXBUFFER) != 0;
        flags.VertexBuffer = !flags.IndexBuffer;
        return flags;
    }
    flags.Texture = (lcl->ddsCaps.dwCaps & DDSCAPS_TEXTURE) != 0;
    flags.CubeMap = group->faces == 6;
    flags.Volume = (CAPS2(lcl) & DDSCAPS2_VOLUME) != 0;
    flags.RenderTarget = (lcl->ddsCaps.dwCaps & (DDSCAPS_3DDEVICE | DDSCAPS_PRIMARYSURFACE | DDSCAPS_BACKBUFFER)) != 0;
    flags.ZBuffer = (lcl->ddsCaps.dwCaps & DDSCAPS_ZBUFFER) != 0;
    flags.Primary = (lcl->ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE) != 0;
    return flags;
}

static void describe(const DDRAWI_DDRAWSURFACE_LCL *lcl, uint32_t format, unsigned level, D3DDDI_SURFACEINFO *info)
{
    const DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;

    if (is_buffer(lcl)) {
        *info = (D3DDDI_SURFACEINFO){.Width = gbl->dwLinearSize, .Height = 1, .Depth = 1};
        info->pSysMem = is_system(lcl) ? (const void *)gbl->fpVidMem : NULL;
        return;
    }
    const struct bridge_size size = bridge_size_of(lcl, level);

    *info = (D3DDDI_SURFACEINFO){.Width = size.width, .Height = size.height, .Depth = size.depth};
    if (is_system(lcl)) {
        const struct bridge_level place = bridge_level_of(lcl, format, (size_t)gbl->lPitch, gbl->dwBlockSizeY, level);

        info->pSysMem = (const uint8_t *)gbl->fpVidMem + place.offset;
        info->SysMemPitch = (UINT)place.pitch;
        info->SysMemSlicePitch = (UINT)place.slice_pitch;
    }
}

static HRESULT make_resource(struct bridge_local *local, const struct group *group, struct bridge_resource **resource)
{
    const DDRAWI_DDRAWSURFACE_LCL *first = group->lcl[0];
    const uint32_t format = is_buffer(first) ? D3DDDIFMT_VERTEXDATA : bridge_format(first);
    D3DDDI_SURFACEINFO infos[MOST_PARTS];
    D3DDDIARG_CREATERESOURCE args = {
        .Format = format,
        .Pool = is_system(first) ? D3DDDIPOOL_SYSTEMMEM : D3DDDIPOOL_VIDEOMEMORY,
        .MultisampleType = CAPS3(first) & DDSCAPS3_MULTISAMPLE_MASK,
        .pSurfList = infos,
        .SurfCount = group->levels * group->faces,
        .MipLevels = group->levels,
        .Fvf = first->lpSurfMore->dwFVF,
        .Flags = flags_of(group),
    };

    for (unsigned i = 0; i < args.SurfCount; i++)
        if (is_light(first))
            describe(group->lcl[i / group->levels], format, i % group->levels, &infos[i]);
        else
            describe(group->lcl[i], format, 0, &infos[i]);
    return bridge_resource_create(local, &args, resource);
}

/* --- surfaces --------------------------------------------------------------------------------------------- */

static void destroy_surface(struct bridge_surface *surface)
{
    struct bridge_local *local = surface->local;

    bridge_forget_target(local, surface);
    if (surface->number && bridge_named(local, surface->number) == surface) {
        local->named[surface->number] = NULL;
        bridge_number_changed(local, surface->number);
    }
    surface->lcl->dwReserved1 = 0;
    if (!is_system(surface->lcl) && surface->lcl->lpGbl)
        surface->lcl->lpGbl->fpVidMem = 0;
    if (surface->resource)
        bridge_resource_release(surface->resource);
    free(surface->memory);
    free(surface);
    local->surfaces--;
    bridge_local_release(local);
}

static struct bridge_surface *make_surface(struct bridge_local *local, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct bridge_surface *surface = mem_calloc(1, sizeof(*surface));

    if (!surface)
        return NULL;
    surface->lcl = lcl;
    surface->local = local;
    surface->levels = levels_of(lcl);
    lcl->dwReserved1 = (ULONG_PTR)surface;
    local->surfaces++;
    return surface;
}

/* The surface's sub-resources are those of `resource` from `part` on. */
static void bind_resource(struct bridge_surface *surface, struct bridge_resource *resource, unsigned part)
{
    struct bridge_resource *old = surface->resource;

    surface->resource = resource;
    surface->part = part;
    resource->surfaces++;
    if (old)
        bridge_resource_release(old);
}

/* Tells the caller how large and where memory of the driver is. */
static bool tell_memory(struct bridge_surface *surface)
{
    DDRAWI_DDRAWSURFACE_LCL *lcl = surface->lcl;
    DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;
    D3DDDIARG_LOCK lock;

    if (is_system(lcl))
        return true;
    if (!surface->resource->format) {
        gbl->fpVidMem = (FLATPTR)surface; /* not NULL: it exists */
        lcl->lpSurfMore->dwBytesAllocated = gbl->dwLinearSize;
        return true;
    }
    if (surface->levels > 1) { /* the caller sees a copy */
        const uint32_t format = surface->resource->format;
        const size_t pitch = client_row_pitch(format, gbl->wWidth);
        const struct bridge_level last = bridge_level_of(lcl, format, pitch, 0, surface->levels - 1);

        gbl->lPitch = (LONG)pitch;
        gbl->dwBlockSizeY = (DWORD)bridge_level_of(lcl, format, pitch, 0, 0).slice_pitch;
        surface->bytes = last.end;
        gbl->fpVidMem = (FLATPTR)surface;
        lcl->lpSurfMore->dwBytesAllocated = (DWORD)last.end;
        return true;
    }
    if (FAILED(bridge_lock_part(surface->resource, surface->part, 1 /* ReadOnly */, &lock)))
        return false;
    bridge_unlock_part(surface->resource, surface->part);
    gbl->fpVidMem = (FLATPTR)lock.pSurfData;
    gbl->lPitch = (LONG)lock.Pitch;
    gbl->dwBlockSizeY = lock.SlicePitch;
    lcl->lpSurfMore->dwBytesAllocated =
        (DWORD)(bridge_level_of(lcl, surface->resource->format, lock.Pitch, lock.SlicePitch, 0).end);
    return true;
}

static void copy_part(struct bridge_surface *surface, unsigned level, struct bridge_resource *to, unsigned part)
{
    const struct bridge_size size = bridge_size_of(surface->lcl, level);
    const size_t row = client_row_bytes(to->format, size.width), rows = client_row_count(to->format, size.height);
    D3DDDIARG_LOCK from, into;

    if (FAILED(bridge_lock_part(surface->resource, surface->part + level, 1, &from)))
        return;
    if (SUCCEEDED(bridge_lock_part(to, part, 0, &into))) {
        for (unsigned z = 0; z < size.depth; z++)
            for (size_t y = 0; y < rows; y++)
                memcpy((uint8_t *)into.pSurfData + z * into.SlicePitch + y * into.Pitch,
                       (const uint8_t *)from.pSurfData + z * from.SlicePitch + y * from.Pitch, row);
        bridge_unlock_part(to, part);
    }
    bridge_unlock_part(surface->resource, surface->part + level);
}

/* A new resource for the surfaces of a group; the contents of their old ones come along. */
static HRESULT join(struct bridge_local *local, const struct group *group)
{
    struct bridge_resource *resource;
    const HRESULT hr = make_resource(local, group, &resource);

    if (FAILED(hr))
        return hr;
    resource->surfaces++; /* until all are bound */
    for (unsigned i = 0; i < group->count; i++) {
        struct bridge_surface *surface = bridge_surface_of(group->lcl[i]);
        const unsigned part = i * surface->levels;

        if (surface->resource && !resource->in_system_memory)
            for (unsigned level = 0; level < surface->levels; level++)
                copy_part(surface, level, resource, part + level);
        bind_resource(surface, resource, part);
        tell_memory(surface);
        bridge_number_changed(local, surface->number);
    }
    bridge_resource_release(resource);
    return DD_OK;
}

/* --- groups ------------------------------------------------------------------------------------------------- */

static bool is_next_level(const DDRAWI_DDRAWSURFACE_LCL *level, const DDRAWI_DDRAWSURFACE_LCL *next)
{
    const struct bridge_size expected = bridge_size_of(level, 1), size = bridge_size_of(next, 0);

    return next->ddsCaps.dwCaps & DDSCAPS_TEXTURE && bridge_format(level) == bridge_format(next) &&
           is_system(level) == is_system(next) && size.width == expected.width && size.height == expected.height &&
           size.depth == expected.depth;
}

/* The list of a CreateSurface call, if it is a whole texture. */
static bool is_texture_list(DDRAWI_DDRAWSURFACE_LCL *const *list, unsigned count, struct group *group)
{
    const DDRAWI_DDRAWSURFACE_LCL *first = list[0];
    const unsigned faces = CAPS2(first) & DDSCAPS2_CUBEMAP && count % 6 == 0 ? 6 : 1, face_parts = count / faces;

    if (!(first->ddsCaps.dwCaps & DDSCAPS_TEXTURE) || count > MOST_PARTS || (is_light(first) && face_parts != 1))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const struct bridge_size size = bridge_size_of(list[i], 0), top = bridge_size_of(first, 0);

        if (is_light(list[i]) != is_light(first) || (is_light(first) && levels_of(list[i]) != levels_of(first)))
            return false;
        if (i % face_parts ? !is_next_level(list[i - 1], list[i])
                           : (size.width != top.width || size.height != top.height || size.depth != top.depth ||
                              bridge_format(list[i]) != bridge_format(first)))
            return false;
        group->lcl[i] = list[i];
    }
    group->count = count;
    group->faces = faces;
    group->levels = is_light(first) ? levels_of(first) : face_parts;
    return true;
}

static HRESULT create_list(struct bridge_local *local, DDRAWI_DDRAWSURFACE_LCL *const *list, unsigned count)
{
    struct group group;
    unsigned made = 0;
    HRESULT hr = DD_OK;

    while (made < count && make_surface(local, list[made]))
        made++;
    if (made < count)
        hr = DDERR_OUTOFMEMORY;
    else if (is_texture_list(list, count, &group))
        hr = join(local, &group);
    else
        for (unsigned i = 0; SUCCEEDED(hr) && i < count; i++) {
            group = (struct group){.lcl = {list[i]}, .count = 1, .levels = levels_of(list[i]), .faces = 1};
            hr = join(local, &group);
        }
    while (FAILED(hr) && made > 0)
        destroy_surface(bridge_surface_of(list[--made]));
    return hr;
}

static HRESULT create_all(const DDHAL_CREATESURFACEDATA *data)
{
    struct bridge_local *local;

    if (!data->lplpSList || !data->dwSCnt)
        return DDERR_INVALIDPARAMS;
    for (DWORD i = 0; i < data->dwSCnt; i++)
        if (!is_usable(data->lplpSList[i]))
            return DDERR_INVALIDPARAMS;
    local = bridge_local_of(data->lplpSList[0]->lpSurfMore->lpDD_lcl);
    return local ? create_list(local, data->lplpSList, data->dwSCnt) : DDERR_OUTOFMEMORY;
}

DWORD PASCAL bridge_create_surface(LPDDHAL_CREATESURFACEDATA data)
{
    bridge_enter();
    data->ddRVal = create_all(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* Command buffers are not the driver's: the bridge alone reads them. */
static HRESULT create_command_buffer(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct bridge_local *local = bridge_local_of(lcl->lpSurfMore->lpDD_lcl);
    struct bridge_surface *surface = local ? make_surface(local, lcl) : NULL;

    if (!surface)
        return DDERR_OUTOFMEMORY;
    surface->bytes = lcl->lpGbl->dwLinearSize;
    surface->memory = mem_calloc(surface->bytes + 1, 1);
    if (!surface->memory) {
        destroy_surface(surface);
        return DDERR_OUTOFMEMORY;
    }
    lcl->lpGbl->fpVidMem = (FLATPTR)surface->memory;
    lcl->lpSurfMore->dwBytesAllocated = (DWORD)surface->bytes;
    return DD_OK;
}

static HRESULT create_buffer(const DDHAL_CREATESURFACEDATA *data)
{
    DDRAWI_DDRAWSURFACE_LCL *lcl = data->lplpSList && data->dwSCnt ? data->lplpSList[0] : NULL;

    if (!is_usable(lcl))
        return DDERR_INVALIDPARAMS;
    for (DWORD i = 0; i < data->dwSCnt; i++)
        if (is_usable(data->lplpSList[i])) {
            lcl = data->lplpSList[i];
            lcl->ddsCaps.dwCaps |= DDSCAPS_EXECUTEBUFFER;
            if (!lcl->lpGbl->dwLinearSize && data->lpDDSurfaceDesc && data->lpDDSurfaceDesc->dwFlags & DDSD_WIDTH)
                lcl->lpGbl->dwLinearSize = data->lpDDSurfaceDesc->dwWidth;
        }
    if (CAPS2(lcl) & DDSCAPS2_COMMANDBUFFER && data->dwSCnt == 1)
        return create_command_buffer(lcl);
    return create_all(data);
}

DWORD PASCAL bridge_create_buffer(LPDDHAL_CREATESURFACEDATA data)
{
    bridge_enter();
    data->ddRVal = create_buffer(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL bridge_destroy_surface(LPDDHAL_DESTROYSURFACEDATA data)
{
    struct bridge_surface *surface;

    bridge_enter();
    surface = bridge_surface_of(data->lpDDSurface);
    data->ddRVal = DD_OK;
    if (surface)
        destroy_surface(surface);
    bridge_leave();
    return surface ? DDHAL_DRIVER_HANDLED : DDHAL_DRIVER_NOTHANDLED;
}

/* The driver says no more than that the format exists; the rest CreateResource refuses. */
DWORD PASCAL bridge_can_create_surface(LPDDHAL_CANCREATESURFACEDATA data)
{
    const DDSURFACEDESC *desc = data->lpDDSurfaceDesc;

    if (!desc)
        data->ddRVal = DDERR_INVALIDPARAMS;
    else if (desc->ddsCaps.dwCaps & DDSCAPS_OVERLAY)
        data->ddRVal = DDERR_NOOVERLAYHW;
    else {
        DDRAWI_DDRAWSURFACE_GBL gbl = {.ddpfSurface = desc->ddpfPixelFormat};
        const DDRAWI_DDRAWSURFACE_LCL lcl = {.lpGbl = &gbl, .dwFlags = DDRAWISURF_HASPIXELFORMAT};

        data->ddRVal =
            desc->dwFlags & DDSD_PIXELFORMAT ? bridge_check_format(bridge_format(&lcl), desc->ddsCaps.dwCaps) : DD_OK;
    }
    return DDHAL_DRIVER_HANDLED;
}

/* --- CreateSurfaceEx ------------------------------------------------------------------------------------------ */

static unsigned collect(DDRAWI_DDRAWSURFACE_LCL *root, DDRAWI_DDRAWSURFACE_LCL **list)
{
    unsigned count = 1;

    list[0] = root;
    for (unsigned i = 0; i < count; i++)
        for (const ATTACHLIST *link = list[i]->lpAttachList; link && count < MOST_ATTACHED; link = link->lpLink) {
            unsigned k = 0;

            while (k < count && list[k] != link->lpAttached)
                k++;
            if (k == count && is_usable(link->lpAttached))
                list[count++] = link->lpAttached;
        }
    return count;
}

static DDRAWI_DDRAWSURFACE_LCL *attached_level(const DDRAWI_DDRAWSURFACE_LCL *level)
{
    for (const ATTACHLIST *link = level->lpAttachList; link; link = link->lpLink)
        if (is_usable(link->lpAttached) && CAPS2(link->lpAttached) & DDSCAPS2_MIPMAPSUBLEVEL &&
            bridge_surface_of(link->lpAttached) && is_next_level(level, link->lpAttached))
            return link->lpAttached;
    return NULL;
}

#define ALL_FACES                                                                           \
    (DDSCAPS2_CUBEMAP_POSITIVEX | DDSCAPS2_CUBEMAP_NEGATIVEX | DDSCAPS2_CUBEMAP_POSITIVEY | \
     DDSCAPS2_CUBEMAP_NEGATIVEY | DDSCAPS2_CUBEMAP_POSITIVEZ | DDSCAPS2_CUBEMAP_NEGATIVEZ)

static DDRAWI_DDRAWSURFACE_LCL *attached_face(const DDRAWI_DDRAWSURFACE_LCL *top, unsigned face)
{
    const struct bridge_size wanted = bridge_size_of(top, 0);

    for (const ATTACHLIST *link = top->lpAttachList; link; link = link->lpLink) {
        DDRAWI_DDRAWSURFACE_LCL *lcl = link->lpAttached;

        if (is_usable(lcl) && bridge_surface_of(lcl) && CAPS2(lcl) & DDSCAPS2_CUBEMAP &&
            !(CAPS2(lcl) & DDSCAPS2_MIPMAPSUBLEVEL) &&
            (CAPS2(lcl) & ALL_FACES) == (DWORD)DDSCAPS2_CUBEMAP_POSITIVEX << face &&
            bridge_format(lcl) == bridge_format(top) && bridge_size_of(lcl, 0).width == wanted.width &&
            bridge_size_of(lcl, 0).height == wanted.height && is_light(lcl) == is_light(top))
            return lcl;
    }
    return NULL;
}

static unsigned add_levels(struct group *group, DDRAWI_DDRAWSURFACE_LCL *first, unsigned most)
{
    unsigned count = 0;

    for (DDRAWI_DDRAWSURFACE_LCL *lcl = first; lcl && count < most; lcl = is_light(lcl) ? NULL : attached_level(lcl)) {
        for (unsigned i = 0; i < group->count; i++)
            if (group->lcl[i] == lcl)
                return count; /* the list runs in a circle */
        group->lcl[group->count++] = lcl;
        count++;
    }
    return count;
}

/* The texture that the attach lists make of `top`. */
static void find_texture(DDRAWI_DDRAWSURFACE_LCL *top, struct group *group)
{
    unsigned face_parts;

    *group = (struct group){.faces = 1};
    face_parts = add_levels(group, top, BRIDGE_MOST_LEVELS - 1);
    group->levels = is_light(top) ? levels_of(top) : face_parts;
    if (!(CAPS2(top) & DDSCAPS2_CUBEMAP))
        return;
    for (unsigned face = 1; face < 6; face++) {
        DDRAWI_DDRAWSURFACE_LCL *lcl = attached_face(top, face);

        if (!lcl || add_levels(group, lcl, face_parts) < face_parts) {
            group->count = face_parts; /* incomplete: sampled as its first face */
            return;
        }
    }
    group->faces = 6;
}

static struct bridge_memory memory_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;

    return (struct bridge_memory){.address = gbl->fpVidMem,
                                  .pitch = gbl->lPitch,
                                  .width = gbl->wWidth,
                                  .height = gbl->wHeight,
                                  .format = is_buffer(lcl) ? 0 : bridge_format(lcl)};
}

/* System memory that the caller has moved, or described otherwise, since the driver was told of it. */
static bool has_other_memory(const struct bridge_surface *surface)
{
    const struct bridge_memory now = memory_of(surface->lcl), *told = &surface->told;

    return is_system(surface->lcl) &&
           (now.address != told->address || now.pitch != told->pitch || now.width != told->width ||
            now.height != told->height || now.format != told->format);
}

static bool is_joined(const struct group *group)
{
    const struct bridge_resource *resource = bridge_surface_of(group->lcl[0])->resource;

    if (!resource || resource->count != group->levels * group->faces || resource->levels != group->levels)
        return false;
    for (unsigned i = 0; i < group->count; i++) {
        const struct bridge_surface *surface = bridge_surface_of(group->lcl[i]);

        if (surface->resource != resource || surface->part != i * surface->levels)
            return false;
        if (has_other_memory(surface))
            return false;
    }
    return true;
}

/* Not a level below the first, nor another face of a cube. */
static bool is_first_part(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return !(CAPS2(lcl) & DDSCAPS2_MIPMAPSUBLEVEL) &&
           !(CAPS2(lcl) & DDSCAPS2_CUBEMAP && !(CAPS2(lcl) & DDSCAPS2_CUBEMAP_POSITIVEX));
}

static HRESULT join_if_needed(struct bridge_local *local, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct bridge_surface *surface = bridge_surface_of(lcl);
    struct group group = {.lcl = {lcl}, .count = 1, .levels = levels_of(lcl), .faces = 1};
    HRESULT hr;

    if (!surface || (surface->memory && !surface->resource))
        return DD_OK;
    if (lcl->ddsCaps.dwCaps & DDSCAPS_TEXTURE && is_first_part(lcl))
        find_texture(lcl, &group);
    else if (surface->resource && !has_other_memory(surface))
        return DD_OK;
    if (is_joined(&group))
        return DD_OK;
    hr = join(local, &group);
    for (unsigned i = 0; SUCCEEDED(hr) && i < group.count; i++)
        bridge_surface_of(group.lcl[i])->told = memory_of(group.lcl[i]);
    return hr;
}

static bool name_surface(struct bridge_local *local, struct bridge_surface *surface, uint32_t number)
{
    if (number == surface->number && (!number || bridge_named(local, number) == surface))
        return true;
    if (number >= local->named_count && number) {
        const uint32_t count = BASE_MAX(local->named_count * 2, BASE_MAX(number + 1, 256u));
        struct bridge_surface **named = mem_realloc(local->named, count, sizeof(struct bridge_surface *));

        if (!named)
            return false;
        memset(named + local->named_count, 0, (count - local->named_count) * sizeof(*named));
        local->named = named;
        local->named_count = count;
    }
    if (!number)
        return true;
    if (surface->number && bridge_named(local, surface->number) == surface) {
        local->named[surface->number] = NULL;
        bridge_number_changed(local, surface->number);
    }
    surface->number = number;
    local->named[number] = surface;
    bridge_number_changed(local, number);
    return true;
}

/* Surfaces in system memory become known by this call, and are forgotten by it. */
static HRESULT prepare(struct bridge_local *local, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct bridge_surface *surface = bridge_surface_of(lcl);

    if (is_system(lcl) && !lcl->lpGbl->fpVidMem) {
        if (surface)
            destroy_surface(surface);
        return DD_OK;
    }
    if (!surface && !is_system(lcl))
        return DDERR_INVALIDOBJECT;
    if (lcl->lpSurfMore->dwSurfaceHandle > BRIDGE_MOST_HANDLE)
        return DDERR_OUTOFMEMORY;
    return surface || make_surface(local, lcl) ? DD_OK : DDERR_OUTOFMEMORY;
}

static HRESULT create_surface_ex(const DDHAL_CREATESURFACEEXDATA *data)
{
    DDRAWI_DDRAWSURFACE_LCL *list[MOST_ATTACHED];
    struct bridge_local *local;
    HRESULT hr = DD_OK;
    unsigned count;

    if (!is_usable(data->lpDDSLcl))
        return DDERR_INVALIDPARAMS;
    local = bridge_local_of(data->lpDDLcl);
    if (!local)
        return DDERR_OUTOFMEMORY;
    count = collect(data->lpDDSLcl, list);
    for (unsigned i = 0; SUCCEEDED(hr) && i < count; i++)
        hr = prepare(local, list[i]);
    for (unsigned i = 0; SUCCEEDED(hr) && i < count; i++)
        hr = join_if_needed(local, list[i]);
    for (unsigned i = 0; i < count; i++) {
        struct bridge_surface *surface = bridge_surface_of(list[i]);

        if (surface && FAILED(hr) && !surface->resource && !surface->memory)
            destroy_surface(surface); /* new, and refused */
        else if (surface && SUCCEEDED(hr) &&
                 !name_surface(surface->local, surface, list[i]->lpSurfMore->dwSurfaceHandle))
            hr = DDERR_OUTOFMEMORY;
    }
    return hr;
}

DWORD PASCAL bridge_create_surface_ex(LPDDHAL_CREATESURFACEEXDATA data)
{
    bridge_enter();
    data->ddRVal = create_surface_ex(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}
