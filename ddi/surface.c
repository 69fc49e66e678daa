/* SPDX-License-Identifier: MIT */
/*
 * Creation and destruction of surfaces and buffers, and CreateSurfaceEx, which gives them their handles in the stream
 * (docs/reference/driver-calls.md, section 4).
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"
#include "ddi/record/record.h"
#include "hal/work.h"

/* Surfaces reachable from one: six faces of 15 levels, a flip chain, attached depth buffers. */
#define MAX_ATTACHED 160

/* --- may it be made? ------------------------------------------------------------------------ */

/* DirectX 7 and later send a DDSURFACEDESC2, whose fields used here lie where DDSURFACEDESC has
 * them. */
static HRESULT check_desc(const DDSURFACEDESC *desc)
{
    const struct caps_format *format;
    if (!desc)
        return DDERR_INVALIDPARAMS;
    if ((desc->ddsCaps.dwCaps & DDSCAPS_OVERLAY))
        return DDERR_NOOVERLAYHW;
    if (!(desc->dwFlags & DDSD_PIXELFORMAT))
        return DD_OK;
    format = caps_match_format(&desc->ddpfPixelFormat);
    if (!format)
        return DDERR_INVALIDPIXELFORMAT;
    if ((desc->ddsCaps.dwCaps & DDSCAPS_3DDEVICE) && !raster_format_info(format->format)->is_target)
        return DDERR_INVALIDPIXELFORMAT;
    if ((desc->ddsCaps.dwCaps & DDSCAPS_ZBUFFER) && !raster_format_info(format->format)->depth_bits)
        return DDERR_INVALIDPIXELFORMAT;
    return DD_OK;
}

DWORD PASCAL ddi_can_create_surface(LPDDHAL_CANCREATESURFACEDATA data)
{
    data->ddRVal = check_desc(data->lpDDSurfaceDesc);
    DDI_LOG(data->ddRVal, "CanCreateSurface");
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_can_create_buffer(LPDDHAL_CANCREATESURFACEDATA data)
{
    data->ddRVal = DD_OK;
    DDI_LOG(DD_OK, "CanCreateExecuteBuffer");
    return DDHAL_DRIVER_HANDLED;
}

/* --- creation ----------------------------------------------------------------------------------
 */

static bool is_system_memory(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return lcl->ddsCaps.dwCaps & DDSCAPS_SYSTEMMEMORY;
}

/* Its memory has been filled. */
static HRESULT take_filling(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct hal_resource *resource = hal_resource_from_lcl(lcl);
    const struct hal_surface *surface = hal_surface_from_lcl(lcl);
    const uint64_t bytes = resource->owns_memory ? resource->bytes : 0;

    return hal_work_take(ddi_root.driver, bytes * BASE_MAX(surface ? surface->samples : 0, 1u), HAL_WORK_COPY,
                         "CreateSurface");
}

static HRESULT create_all(LPDDHAL_CREATESURFACEDATA data)
{
    HRESULT hr = DD_OK;
    DWORD made = 0;
    if (!ddi_root.driver || !data->lplpSList)
        return DDERR_INVALIDPARAMS;
    while (made < data->dwSCnt) {
        hr = hal_resource_create(ddi_root.driver, data->lplpSList[made], false);
        if (FAILED(hr))
            break;
        made++;
        hr = take_filling(data->lplpSList[made - 1]);
        if (FAILED(hr))
            break;
    }
    if (FAILED(hr)) {
        while (made > 0)
            hal_resource_destroy(data->lplpSList[--made]);
        return hr;
    }
    RECORD(create_surfaces, data->lplpSList, data->dwSCnt);
    return DD_OK;
}

/* The first of the surfaces created by a call. */
static void log_created(const char *name, LPDDHAL_CREATESURFACEDATA data)
{
    const DDRAWI_DDRAWSURFACE_LCL *lcl = data->lplpSList && data->dwSCnt ? data->lplpSList[0] : NULL;
    const struct hal_resource *resource = hal_resource_from_lcl(lcl);
    const struct hal_surface *surface = hal_surface_from_lcl(lcl);

    if (resource && !surface)
        ddi_log_call(data->ddRVal, "%s of %zu bytes", name, resource->bytes);
    else if (surface)
        ddi_log_call(data->ddRVal, "%s of %u part%s, %ux%u", name, (unsigned)data->dwSCnt, data->dwSCnt == 1 ? "" : "s",
                     surface->width, surface->height);
    else
        ddi_log_call(data->ddRVal, "%s", name);
}

DWORD PASCAL ddi_create_surface(LPDDHAL_CREATESURFACEDATA data)
{
    DDI_ENTER();
    data->ddRVal = create_all(data);
    if (log_enabled(LOG_DEBUG))
        log_created("CreateSurface", data);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* The size of a buffer is the description's width; the surface keeps it as dwLinearSize. */
static void take_buffer_size(LPDDHAL_CREATESURFACEDATA data)
{
    const DDSURFACEDESC *desc = data->lpDDSurfaceDesc;
    for (DWORD i = 0; data->lplpSList && i < data->dwSCnt; i++) {
        DDRAWI_DDRAWSURFACE_LCL *lcl = data->lplpSList[i];
        if (!lcl || !lcl->lpGbl)
            continue;
        lcl->ddsCaps.dwCaps |= DDSCAPS_EXECUTEBUFFER;
        if (!lcl->lpGbl->dwLinearSize && desc && (desc->dwFlags & DDSD_WIDTH))
            lcl->lpGbl->dwLinearSize = desc->dwWidth;
    }
}

DWORD PASCAL ddi_create_buffer(LPDDHAL_CREATESURFACEDATA data)
{
    DDI_ENTER();
    take_buffer_size(data);
    data->ddRVal = create_all(data);
    if (log_enabled(LOG_DEBUG))
        log_created("CreateExecuteBuffer", data);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- CreateSurfaceEx
 * --------------------------------------------------------------------------------- */

struct attached {
    DDRAWI_DDRAWSURFACE_LCL *lcl[MAX_ATTACHED];
    unsigned count;
};

static void add_attached(struct attached *list, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    if (!lcl || !lcl->lpGbl || list->count == MAX_ATTACHED)
        return;
    for (unsigned i = 0; i < list->count; i++)
        if (list->lcl[i] == lcl)
            return;
    list->lcl[list->count++] = lcl;
}

/* All surfaces attached to `root`, directly or indirectly; flip chains are rings. */
static void collect_attached(struct attached *list, DDRAWI_DDRAWSURFACE_LCL *root)
{
    list->count = 0;
    add_attached(list, root);
    for (unsigned i = 0; i < list->count; i++)
        for (ATTACHLIST *link = list->lcl[i]->lpAttachList; link; link = link->lpLink) {
            unsigned before = list->count;
            add_attached(list, link->lpAttached);
            if (list->count == before && before == MAX_ATTACHED)
                break;
        }
}

/* Announces system memory, for the first time or again. */
static HRESULT announce_system_memory(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct hal_resource *resource = hal_resource_from_lcl(lcl);
    if (resource)
        return hal_resource_refresh(resource);
    return hal_resource_create(ddi_root.driver, lcl, true);
}

/* Not a level below the first, nor another face of a cube. */
static bool is_first_part(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DWORD caps2 = lcl->lpSurfMore ? lcl->lpSurfMore->ddsCapsEx.dwCaps2 : 0;
    const bool other_face = (caps2 & DDSCAPS2_CUBEMAP) && !(caps2 & DDSCAPS2_CUBEMAP_POSITIVEX);
    return !(caps2 & DDSCAPS2_MIPMAPSUBLEVEL) && !other_face;
}

static bool is_whole_texture(const DDRAWI_DDRAWSURFACE_LCL *lcl, const struct hal_resource *resource)
{
    return resource->kind & HAL_SURFACE_TEXTURE && is_first_part(lcl);
}

static uint32_t handle_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return lcl->lpSurfMore ? lcl->lpSurfMore->dwSurfaceHandle : 0;
}

/* Gives a texture's first surface the object of the chain. */
static HRESULT prepare_texture(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct hal_surface *surface = hal_surface_from_lcl(lcl);

    if (!surface || !is_whole_texture(lcl, &surface->base) || hal_surface_texture(surface))
        return DD_OK;
    log_error("CreateSurfaceEx: no memory for texture %u", (unsigned)handle_of(lcl));
    return DDERR_OUTOFMEMORY;
}

/* Does everything that can fail for one surface; *made: the surface is new. */
static HRESULT surface_prepare(struct hal_handle_table *table, DDRAWI_DDRAWSURFACE_LCL *lcl, bool *made)
{
    const uint32_t handle = handle_of(lcl);
    const bool known = hal_resource_from_lcl(lcl) != NULL;
    HRESULT hr = DD_OK;

    *made = false;
    if (is_system_memory(lcl) && !lcl->lpGbl->fpVidMem) {
        hal_resource_destroy(lcl);
        return DD_OK;
    }
    if (!known && !is_system_memory(lcl)) {
        log_warn("CreateSurfaceEx: handle %u names a surface that was never created", (unsigned)handle);
        return DDERR_INVALIDOBJECT;
    }
    if (!hal_handles_reserve(table, handle)) {
        log_error("CreateSurfaceEx: handle %u is above %u, or memory is short", (unsigned)handle,
                  HAL_MAX_SURFACE_HANDLE);
        return DDERR_OUTOFMEMORY;
    }
    if (is_system_memory(lcl))
        hr = announce_system_memory(lcl);
    *made = !known && SUCCEEDED(hr);
    return SUCCEEDED(hr) ? prepare_texture(lcl) : hr;
}

static void set_handle(struct hal_handle_table *table, const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct hal_resource *resource = hal_resource_from_lcl(lcl);

    if (resource && handle_of(lcl)) {
        if (!resource->handle && is_whole_texture(lcl, resource))
            ddi_root.texturing.creates++;
        hal_handles_name(table, handle_of(lcl), resource);
    } else if (resource && !resource->handles)
        resource->handles = table; /* attached, but not for the stream */
}

/* All of them, or none: a rejected call creates no surface and no handle. */
static HRESULT surface_announce(struct hal_handle_table *table, const struct attached *list)
{
    bool made[MAX_ATTACHED];
    HRESULT hr = DD_OK;
    unsigned count = 0;

    while (count < list->count && SUCCEEDED(hr)) {
        hr = surface_prepare(table, list->lcl[count], &made[count]);
        count++;
    }
    if (FAILED(hr)) {
        while (count-- > 0)
            if (made[count])
                hal_resource_destroy(list->lcl[count]);
        return hr;
    }
    for (unsigned i = 0; i < list->count; i++)
        set_handle(table, list->lcl[i]);
    return DD_OK;
}

static void link_textures(const struct attached *list)
{
    for (unsigned i = 0; i < list->count; i++)
        if (is_first_part(list->lcl[i]))
            hal_texture_link(list->lcl[i]);
}

static HRESULT create_surface_ex(LPDDHAL_CREATESURFACEEXDATA data)
{
    struct hal_handle_table *table;
    struct attached list;
    HRESULT hr;
    if (!ddi_root.driver || !data->lpDDSLcl || !data->lpDDSLcl->lpGbl)
        return DDERR_INVALIDPARAMS;
    table = hal_driver_handles(ddi_root.driver, data->lpDDLcl);
    if (!table)
        return DDERR_OUTOFMEMORY;
    collect_attached(&list, data->lpDDSLcl);
    if (is_system_memory(data->lpDDSLcl) && !data->lpDDSLcl->lpGbl->fpVidMem)
        RECORD(create_surface_ex, data->lpDDLcl, data->lpDDSLcl, data->dwFlags);
    hr = surface_announce(table, &list);
    if (FAILED(hr))
        return hr;
    link_textures(&list);
    if (hal_resource_from_lcl(data->lpDDSLcl))
        RECORD(create_surface_ex, data->lpDDLcl, data->lpDDSLcl, data->dwFlags);
    return DD_OK;
}

DWORD PASCAL ddi_create_surface_ex(LPDDHAL_CREATESURFACEEXDATA data)
{
    DDI_ENTER();
    data->ddRVal = create_surface_ex(data);
    DDI_LOG(data->ddRVal, "CreateSurfaceEx handle %u", ddi_log_handle(data->lpDDSLcl));
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- destruction
 * ------------------------------------------------------------------------------------------ */

DWORD PASCAL ddi_destroy_surface(LPDDHAL_DESTROYSURFACEDATA data)
{
    DWORD answer = DDHAL_DRIVER_HANDLED;
    const struct hal_resource *resource;
    DDI_ENTER();
    data->ddRVal = DD_OK;
    DDI_LOG(DD_OK, "DestroySurface handle %u", ddi_log_handle(data->lpDDSurface));
    resource = hal_resource_from_lcl(data->lpDDSurface);
    if (resource) {
        ddi_root.texturing.destroys += is_whole_texture(data->lpDDSurface, resource);
        RECORD(destroy_surface, data->lpDDSurface);
        hal_resource_destroy(data->lpDDSurface);
    } else {
        answer = DDHAL_DRIVER_NOTHANDLED;
    }
    DDI_LEAVE();
    return answer;
}

DWORD PASCAL ddi_destroy_local(LPDDHAL_DESTROYDDLOCALDATA data)
{
    DDI_ENTER();
    if (ddi_root.driver) {
        RECORD(destroy_local, data->pDDLcl);
        hal_driver_drop_local(ddi_root.driver, data->pDDLcl);
    }
    data->ddRVal = DD_OK;
    DDI_LOG(DD_OK, "DestroyDDLocal");
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
