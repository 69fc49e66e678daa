/* SPDX-License-Identifier: MIT */
/*
 * Driver loading, contexts, streams and access for callers of the driver; surfaces are made in
 * surface.c. No header of hal/ or raster/ may be included here: all access goes through the DDI.
 */
#include "client/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/sleep.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

/* --- driver ------------------------------------------------------------------------------ */

HRESULT client_driver_info(const struct client_driver *driver, const GUID *guid, void *data, size_t size,
                           size_t *actual)
{
    DDHAL_GETDRIVERINFODATA info = {.dwSize = sizeof(info)};
    if (actual)
        *actual = 0;
    if (!driver->info.GetDriverInfo)
        return DDERR_UNSUPPORTED;
    info.guidInfo = *guid;
    info.dwExpectedSize = (DWORD)size;
    info.lpvData = data;
    info.ddRVal = DDERR_CURRENTLYNOTAVAIL;
    if (driver->info.GetDriverInfo(&info) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    if (actual && SUCCEEDED(info.ddRVal))
        *actual = info.dwActualSize;
    return info.ddRVal;
}

HRESULT client_driver_info2(const struct client_driver *driver, uint32_t type, void *data, size_t size)
{
    DD_GETDRIVERINFO2DATA head = {0, D3DGDI2_MAGIC, type, (DWORD)size};
    if (size < sizeof(head))
        return DDERR_INVALIDPARAMS;
    memcpy(data, &head, sizeof(head));
    return client_driver_info(driver, &DDI_GUID_GET_DRIVER_INFO2, data, size, NULL);
}

/* A table may be shorter than ours (older driver); missing members stay NULL. */
static void copy_table(void *table, size_t size, const void *given)
{
    DWORD given_size;
    memset(table, 0, size);
    if (!given)
        return;
    memcpy(&given_size, given, sizeof(given_size));
    memcpy(table, given, given_size < size ? given_size : size);
}

static void read_tables(struct client_driver *driver)
{
    const DDHALINFO *info = &driver->info;
    copy_table(&driver->dd, sizeof(driver->dd), info->lpDDCallbacks);
    copy_table(&driver->surface, sizeof(driver->surface), info->lpDDSurfaceCallbacks);
    copy_table(&driver->palette, sizeof(driver->palette), info->lpDDPaletteCallbacks);
    copy_table(&driver->buffer, sizeof(driver->buffer), info->lpDDExeBufCallbacks);
    copy_table(&driver->d3d, sizeof(driver->d3d), (const void *)info->lpD3DHALCallbacks);
    client_driver_info(driver, &DDI_GUID_D3D_CALLBACKS2, &driver->d3d2, sizeof(driver->d3d2), NULL);
    client_driver_info(driver, &DDI_GUID_D3D_CALLBACKS3, &driver->d3d3, sizeof(driver->d3d3), NULL);
    client_driver_info(driver, &DDI_GUID_HALCYON_VERTICES, &driver->vertices, sizeof(driver->vertices), NULL);
    client_driver_info(driver, &DDI_GUID_HALCYON_SAMPLES, &driver->samples, sizeof(driver->samples), NULL);
    client_driver_info(driver, &DDI_GUID_MISCELLANEOUS, &driver->misc, sizeof(driver->misc), NULL);
    client_driver_info(driver, &DDI_GUID_MISCELLANEOUS2, &driver->misc2, sizeof(driver->misc2), NULL);
    client_driver_info(driver, &DDI_GUID_D3D_EXTENDED_CAPS, &driver->extended_caps, sizeof(driver->extended_caps),
                       NULL);
}

static HRESULT client_read_formats(struct client_driver *driver)
{
    DD_GETFORMATCOUNTDATA count = {0};
    HRESULT hr = client_driver_info2(driver, D3DGDI2_TYPE_GETFORMATCOUNT, &count, sizeof(count));
    if (FAILED(hr))
        return hr;
    if (count.dwFormatCount > 4096)
        return DDERR_GENERIC;
    driver->formats = mem_calloc(count.dwFormatCount + 1, sizeof(*driver->formats));
    if (!driver->formats)
        return DDERR_OUTOFMEMORY;
    for (unsigned i = 0; i < count.dwFormatCount; i++) {
        DD_GETFORMATDATA format = {.dwFormatIndex = i};
        hr = client_driver_info2(driver, D3DGDI2_TYPE_GETFORMAT, &format, sizeof(format));
        if (FAILED(hr))
            return hr;
        if (format.format.dwFlags & DDPF_D3DFORMAT)
            driver->formats[driver->format_count++] = format.format;
    }
    return DD_OK;
}

static HRESULT read_caps(struct client_driver *driver)
{
    const HRESULT hr = client_driver_info2(driver, D3DGDI2_TYPE_GETD3DCAPS8, &driver->caps, sizeof(driver->caps));

    return FAILED(hr) ? hr : client_read_formats(driver);
}

HRESULT client_driver_init(struct client_driver *driver, HALCYONDRIVERINIT init)
{
    HRESULT hr;
    memset(driver, 0, sizeof(*driver));
    driver->info.dwSize = sizeof(driver->info);
    hr = init(HALCYON_DDI_VERSION, &driver->info);
    if (FAILED(hr))
        return hr;
    read_tables(driver);
    if (!driver->d3d.ContextCreate || !driver->d3d3.DrawPrimitives2 || !driver->dd.CreateSurface ||
        !driver->misc2.CreateSurfaceEx || !driver->surface.Lock)
        hr = DDERR_UNSUPPORTED;
    if (SUCCEEDED(hr))
        hr = driver->info.dwFlags & DDHALINFO_GETDRIVERINFO2 ? read_caps(driver) : client_read_legacy(driver);
    if (FAILED(hr))
        client_driver_close(driver);
    return hr;
}

#ifdef _WIN32
/* Wide, because directories have names in all scripts. */
static HMODULE load_path(const char *library)
{
    const int units = MultiByteToWideChar(CP_UTF8, 0, library, -1, NULL, 0);
    WCHAR *wide = units > 0 ? mem_calloc((size_t)units, sizeof(*wide)) : NULL;
    HMODULE module = NULL;

    if (wide && MultiByteToWideChar(CP_UTF8, 0, library, -1, wide, units) > 0)
        module = LoadLibraryW(wide);
    free(wide);
    return module;
}
#endif

static void *load_library(const char *library, const char *name, void (**function)(void))
{
#ifdef _WIN32
    HMODULE module = load_path(library);
    FARPROC symbol = module ? GetProcAddress(module, name) : NULL;
    memcpy(function, &symbol, sizeof(*function));
    if (module && !symbol) {
        FreeLibrary(module);
        module = NULL;
    }
    return module;
#else
    void *module = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = module ? dlsym(module, name) : NULL;
    memcpy(function, &symbol, sizeof(*function));
    if (module && !symbol) {
        dlclose(module);
        module = NULL;
    }
    return module;
#endif
}

static void unload_library(void *module)
{
#ifdef _WIN32
    FreeLibrary(module);
#else
    dlclose(module);
#endif
}

static HALCYONDRIVERINIT as_it_is(void (*function)(void))
{
    HALCYONDRIVERINIT init;
    memcpy(&init, &function, sizeof(init));
    return init;
}

HRESULT client_driver_load(struct client_driver *driver, const char *library)
{
    return client_driver_load_as(driver, library, "HalcyonDriverInit", as_it_is);
}

HRESULT client_driver_load_as(struct client_driver *driver, const char *library, const char *name,
                              HALCYONDRIVERINIT (*begin)(void (*function)(void)))
{
    void (*function)(void) = NULL;
    HRESULT hr;
    void *module;
    memset(driver, 0, sizeof(*driver));
    module = load_library(library, name, &function);
    if (!module)
        return DDERR_NODIRECTDRAWHW;
    hr = client_driver_init(driver, begin(function));
    if (FAILED(hr))
        unload_library(module);
    else
        driver->module = module;
    return hr;
}

void client_driver_close(struct client_driver *driver)
{
    DDHAL_DESTROYDRIVERDATA destroy = {0};
    if (driver->dd.DestroyDriver)
        driver->dd.DestroyDriver(&destroy);
    free(driver->formats);
    if (driver->module)
        unload_library(driver->module);
    memset(driver, 0, sizeof(*driver));
}

const DDPIXELFORMAT *client_driver_format(const struct client_driver *driver, uint32_t d3d_format)
{
    for (unsigned i = 0; i < driver->format_count; i++)
        if (driver->formats[i].dwFourCC == d3d_format)
            return &driver->formats[i];
    return NULL;
}

/* --- DirectDraw object --------------------------------------------------------------------- */

void client_set_pixel_format(DDPIXELFORMAT *format, uint32_t d3d_format)
{
    memset(format, 0, sizeof(*format));
    format->dwSize = sizeof(*format);
    format->dwFlags = DDPF_D3DFORMAT;
    format->dwFourCC = d3d_format;
}

struct client *client_create(const struct client_driver *driver)
{
    struct client *client = mem_calloc(1, sizeof(*client));
    if (!client)
        return NULL;
    client->driver = driver;
    client->next_handle = 1;
    client->gbl.ddCaps = driver->info.ddCaps;
    client->gbl.lpD3DHALCallbacks = driver->info.lpD3DHALCallbacks;
    client->gbl.lpD3DGlobalDriverData = driver->info.lpD3DGlobalDriverData;
    client->gbl.dwFlags = DDRAWI_DRIVERINFO2;
    client->lcl.lpGbl = &client->gbl;
    client->lcl.dwLocalFlags = DDRAWILCL_DIRECTDRAW7 | DDRAWILCL_DIRECTDRAW8;
    client->gbl.vmiData.dwDisplayWidth = 640;
    client->gbl.vmiData.dwDisplayHeight = 480;
    client_set_pixel_format(&client->gbl.vmiData.ddpfDisplay, D3DFMT_X8R8G8B8);
    return client;
}

void client_destroy(struct client *client)
{
    if (!client)
        return;
    if (client->driver->misc2.DestroyDDLocal) {
        DDHAL_DESTROYDDLOCALDATA data = {.pDDLcl = &client->lcl};
        client->driver->misc2.DestroyDDLocal(&data);
    }
    free(client->free_handles);
    free(client);
}

const struct client_driver *client_get_driver(const struct client *client)
{
    return client->driver;
}

DDRAWI_DIRECTDRAW_LCL *client_local(struct client *client)
{
    return &client->lcl;
}

uint32_t client_take_handle(struct client *client)
{
    if (client->free_count)
        return client->free_handles[--client->free_count];
    return client->next_handle++;
}

void client_give_handle(struct client *client, uint32_t handle)
{
    if (client->free_count == client->free_capacity) {
        size_t capacity = client->free_capacity ? client->free_capacity * 2 : 64;
        uint32_t *handles = mem_realloc(client->free_handles, capacity, sizeof(*handles));
        if (!handles)
            return; /* only the number is lost */
        client->free_handles = handles;
        client->free_capacity = capacity;
    }
    client->free_handles[client->free_count++] = handle;
}

/* --- access ---------------------------------------------------------------------------------- */

static HRESULT lock_area(struct client_surface *surface, const RECTL *area, uint32_t flags, struct client_lock *lock)
{
    struct client *client = surface->client;
    const struct client_driver *driver = client->driver;
    bool buffer = surface->usage & CLIENT_BUFFER;
    DDHAL_LOCKDATA data = {.lpDD = &client->gbl, .lpDDSurface = &surface->lcl, .dwFlags = flags};
    DWORD answer = DDHAL_DRIVER_NOTHANDLED;

    if (surface->locked)
        return DDERR_SURFACEBUSY;
    if (area) {
        data.bHasRect = TRUE;
        data.rArea = *area;
    }
    if (buffer && driver->buffer.LockExecuteBuffer)
        answer = driver->buffer.LockExecuteBuffer(&data);
    else if (!buffer)
        answer = driver->surface.Lock(&data);
    if (answer != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    if (FAILED(data.ddRVal))
        return data.ddRVal;
    surface->locked = true;
    lock->bits = data.lpSurfData;
    lock->pitch = buffer ? 0 : (size_t)surface->gbl.lPitch;
    lock->slice_pitch = surface->gbl.dwBlockSizeY;
    return DD_OK;
}

HRESULT client_lock(struct client_surface *surface, const RECT *rect, uint32_t flags, struct client_lock *lock)
{
    RECTL area;
    if (!rect)
        return lock_area(surface, NULL, flags, lock);
    area = (RECTL){rect->left, rect->top, rect->right, rect->bottom};
    return lock_area(surface, &area, flags, lock);
}

/* The box travels in a rectangle: front and back in the high words of left and right. */
HRESULT client_lock_box(struct client_surface *surface, const D3DBOX *box, uint32_t flags, struct client_lock *lock)
{
    RECTL area;
    if (!box)
        return lock_area(surface, NULL, flags, lock);
    area.left = (LONG)((box->Left & 0xFFFF) | box->Front << 16);
    area.right = (LONG)((box->Right & 0xFFFF) | box->Back << 16);
    area.top = (LONG)box->Top;
    area.bottom = (LONG)box->Bottom;
    return lock_area(surface, &area, flags | DDLOCK_HASVOLUMETEXTUREBOXRECT, lock);
}

HRESULT client_unlock(struct client_surface *surface)
{
    struct client *client = surface->client;
    const struct client_driver *driver = client->driver;
    DDHAL_UNLOCKDATA data = {.lpDD = &client->gbl, .lpDDSurface = &surface->lcl};
    DWORD answer = DDHAL_DRIVER_NOTHANDLED;
    if (!surface->locked)
        return DDERR_NOTLOCKED;
    surface->locked = false;
    if (surface->usage & CLIENT_BUFFER)
        answer = driver->buffer.UnlockExecuteBuffer ? driver->buffer.UnlockExecuteBuffer(&data) : 0;
    else if (driver->surface.Unlock)
        answer = driver->surface.Unlock(&data);
    return answer == DDHAL_DRIVER_HANDLED ? data.ddRVal : DDERR_UNSUPPORTED;
}

static RECTL client_area(const struct client_surface *surface, const RECT *rect)
{
    if (!rect)
        return (RECTL){0, 0, (LONG)surface->width, (LONG)surface->height};
    return (RECTL){rect->left, rect->top, rect->right, rect->bottom};
}

static HRESULT send_blt(struct client *client, DDHAL_BLTDATA *data)
{
    data->lpDD = &client->gbl;
    data->bltFX.dwSize = sizeof(data->bltFX);
    data->rOrigDest = data->rDest;
    data->rOrigSrc = data->rSrc;
    if (!client->driver->surface.Blt || client->driver->surface.Blt(data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data->ddRVal;
}

HRESULT client_blt(struct client_surface *destination, const RECT *destination_rect, struct client_surface *source,
                   const RECT *source_rect, uint32_t flags)
{
    return client_blt_keyed(destination, destination_rect, source, source_rect, flags, NULL, NULL);
}

HRESULT client_blt_keyed(struct client_surface *destination, const RECT *destination_rect,
                         struct client_surface *source, const RECT *source_rect, uint32_t flags,
                         const uint32_t *source_key, const uint32_t *destination_key)
{
    const struct client_blt_effects effects = {
        .flags = flags, .source_key = source_key, .destination_key = destination_key};

    return client_blt_with(destination, destination_rect, source, source_rect, &effects);
}

HRESULT client_blt_with(struct client_surface *destination, const RECT *destination_rect, struct client_surface *source,
                        const RECT *source_rect, const struct client_blt_effects *effects)
{
    DDHAL_BLTDATA data = {0};
    uint32_t flags = effects->flags;
    HRESULT hr;

    if (effects->source_key) {
        flags |= DDBLT_KEYSRCOVERRIDE;
        data.bltFX.ddckSrcColorkey = (DDCOLORKEY){*effects->source_key, *effects->source_key};
    }
    if (effects->destination_key) {
        flags |= DDBLT_KEYDESTOVERRIDE;
        data.bltFX.ddckDestColorkey = (DDCOLORKEY){*effects->destination_key, *effects->destination_key};
    }
    if (effects->mirror) {
        flags |= DDBLT_DDFX;
        data.bltFX.dwDDFX = effects->mirror;
    }
    data.lpDDDestSurface = &destination->lcl;
    data.rDest = client_area(destination, destination_rect);
    data.lpDDSrcSurface = &source->lcl;
    data.rSrc = client_area(source, source_rect);
    data.dwFlags = DDBLT_ROP | flags;
    data.dwROPFlags = SRCCOPY;
    data.bltFX.dwROP = SRCCOPY;
    data.IsClipped = effects->clips != NULL;
    data.rOrigDest = data.rDest;
    data.rOrigSrc = data.rSrc;
    data.prDestRects = effects->clips;
    data.dwRectCnt = effects->clip_count;
    /* too many frames are queued: like DirectDraw, retry until one is done */
    while ((hr = send_blt(destination->client, &data)) == DDERR_WASSTILLDRAWING && !(flags & DDBLT_DONOTWAIT))
        sleep_yield();
    return hr;
}

static HRESULT client_fill_area(struct client_surface *surface, const RECT *rect, uint32_t value, DWORD flag)
{
    DDHAL_BLTDATA data = {0};
    data.lpDDDestSurface = &surface->lcl;
    data.rDest = client_area(surface, rect);
    data.dwFlags = flag;
    data.bltFX.dwFillColor = value; /* and dwFillDepth: one union */
    return send_blt(surface->client, &data);
}

HRESULT client_fill(struct client_surface *surface, const RECT *rect, uint32_t value)
{
    return client_fill_area(surface, rect, value, DDBLT_COLORFILL);
}

HRESULT client_fill_depth(struct client_surface *surface, const RECT *rect, uint32_t value)
{
    return client_fill_area(surface, rect, value, DDBLT_DEPTHFILL);
}

HRESULT client_set_color_key(struct client_surface *surface, uint32_t kind, uint32_t key)
{
    const struct client_driver *driver = client_get_driver(surface->client);
    DDHAL_SETCOLORKEYDATA data = {.lpDDSurface = &surface->lcl, .dwFlags = kind, .ckNew = {key, key}};
    data.lpDD = surface->gbl.lpDD;
    if (!driver->surface.SetColorKey || driver->surface.SetColorKey(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

/* The surface after `surface` in its flip chain. */
static DDRAWI_DDRAWSURFACE_LCL *next_in_flip_chain(const struct client_surface *surface)
{
    for (const ATTACHLIST *link = surface->lcl.lpAttachList; link; link = link->lpLink)
        if (link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP)
            return link->lpAttached;
    return NULL;
}

HRESULT client_flip(struct client_surface *front, struct client_surface *back, uint32_t flags)
{
    struct client *client = front->client;
    DDHAL_FLIPDATA data = {.lpDD = &client->gbl, .lpSurfCurr = &front->lcl, .dwFlags = flags};

    data.lpSurfTarg = back ? &back->lcl : next_in_flip_chain(front);
    if (!data.lpSurfTarg)
        return DDERR_NOTFLIPPABLE;
    if (!client->driver->surface.Flip || client->driver->surface.Flip(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

/* --- contexts ----------------------------------------------------------------------------------
 */

/* The two codes of the D3DHAL_ family are positive and would pass as success. */
static HRESULT context_result(HRESULT hr)
{
    if (hr == D3DHAL_CONTEXT_BAD)
        return DDERR_INVALIDOBJECT;
    return hr == D3DHAL_OUTOFCONTEXTS ? DDERR_OUTOFMEMORY : hr;
}

static DDRAWI_DDRAWSURFACE_LCL *client_lcl(struct client_surface *surface)
{
    return surface ? &surface->lcl : NULL;
}

HRESULT client_context_create(struct client *client, struct client_surface *target, struct client_surface *depth,
                              uint32_t level, uintptr_t *context)
{
    DDRAWI_DDRAWSURFACE_INT interfaces[2] = {{.lpLcl = client_lcl(target)}, {.lpLcl = client_lcl(depth)}};
    D3DHAL_CONTEXTCREATEDATA data = {0};
    *context = 0;
    data.lpDDLcl = &client->lcl;
    data.lpDDSLcl = client_lcl(target);
    data.lpDDSZLcl = client_lcl(depth);
    if (level < DDI_LEVEL_DX7) {
        data.lpDDS = target ? &interfaces[0] : NULL;
        data.lpDDSZ = depth ? &interfaces[1] : NULL;
    }
    data.dwPID = client->lcl.dwProcessId;
    data.dwhContext = level;
    if (client->driver->d3d.ContextCreate(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    if (SUCCEEDED(context_result(data.ddrval)))
        *context = data.dwhContext;
    return context_result(data.ddrval);
}

HRESULT client_context_destroy(struct client *client, uintptr_t context)
{
    D3DHAL_CONTEXTDESTROYDATA data = {.dwhContext = context};
    if (!client->driver->d3d.ContextDestroy || client->driver->d3d.ContextDestroy(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return context_result(data.ddrval);
}

HRESULT client_set_target(struct client *client, uintptr_t context, struct client_surface *target,
                          struct client_surface *depth)
{
    D3DHAL_SETRENDERTARGETDATA data = {.dwhContext = context};
    data.lpDDSLcl = client_lcl(target);
    data.lpDDSZLcl = client_lcl(depth);
    if (!client->driver->d3d2.SetRenderTarget || client->driver->d3d2.SetRenderTarget(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return context_result(data.ddrval);
}

HRESULT client_clear(struct client *client, uintptr_t context, uint32_t flags, uint32_t color, float depth,
                     uint32_t stencil, const D3DRECT *rects, unsigned rect_count)
{
    D3DHAL_CLEAR2DATA data = {.dwhContext = context};
    data.dwFlags = flags;
    data.dwFillColor = color;
    data.dvFillDepth = depth;
    data.dwFillStencil = stencil;
    data.lpRects = (D3DRECT *)rects;
    data.dwNumRects = rects ? rect_count : 0;
    if (!client->driver->d3d3.Clear2 || client->driver->d3d3.Clear2(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return context_result(data.ddrval);
}

HRESULT client_validate_stages(struct client *client, uintptr_t context, DWORD *passes)
{
    D3DHAL_VALIDATETEXTURESTAGESTATEDATA data = {.dwhContext = context};
    if (!client->driver->d3d3.ValidateTextureStageState ||
        client->driver->d3d3.ValidateTextureStageState(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    *passes = data.dwNumPasses;
    return context_result(data.ddrval);
}

HRESULT client_draw(struct client *client, struct client_draw *draw)
{
    D3DHAL_DRAWPRIMITIVES2DATA data = {.dwhContext = draw->context};
    data.dwFlags = draw->flags;
    data.dwVertexType = draw->vertex_type;
    data.lpDDCommands = &draw->commands->lcl;
    data.dwCommandOffset = draw->command_offset;
    data.dwCommandLength = draw->command_length;
    if (draw->user_vertices) {
        data.dwFlags |= D3DHALDP2_USERMEMVERTICES;
        data.lpVertices = (void *)draw->user_vertices;
    } else {
        data.lpDDVertex = client_lcl(draw->vertices);
    }
    data.dwVertexOffset = draw->vertex_offset;
    data.dwVertexLength = draw->vertex_count;
    data.dwVertexSize = draw->vertex_size;
    data.lpdwRStates = draw->render_states;
    if (client->driver->d3d3.DrawPrimitives2(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    draw->error_offset = data.dwErrorOffset;
    return context_result(data.ddrval);
}

HRESULT client_process_vertices(struct client *client, const struct client_process *process)
{
    HALCYON_PROCESSVERTICESDATA data = {.dwhContext = process->context};
    data.lpVertices = process->vertices;
    data.dwBytes = (DWORD)process->bytes;
    data.dwFlags = process->flags;
    data.dwFirst = process->first;
    data.dwCount = process->count;
    data.dwVertexType = process->fvf;
    data.dwVertexSize = process->stride;
    if (process->bytes > UINT32_MAX)
        return DDERR_INVALIDPARAMS;
    if (!client->driver->vertices.ProcessVertices ||
        client->driver->vertices.ProcessVertices(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return context_result(data.ddrval);
}

HRESULT client_available_memory(struct client *client, uint32_t *total, uint32_t *available)
{
    DDHAL_GETAVAILDRIVERMEMORYDATA data = {.lpDD = &client->gbl};
    data.DDSCaps.dwCaps = DDSCAPS_TEXTURE;
    if (!client->driver->misc.GetAvailDriverMemory ||
        client->driver->misc.GetAvailDriverMemory(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    *total = data.dwTotal;
    *available = data.dwFree;
    return data.ddRVal;
}

HRESULT client_driver_state(struct client *client, uintptr_t context, uint32_t id, void *answer, size_t size)
{
    DDHAL_GETDRIVERSTATEDATA data = {.dwFlags = id};
    data.dwhContext = context;
    data.lpdwStates = answer;
    data.dwLength = (DWORD)size;
    if (!client->driver->misc2.GetDriverState || client->driver->misc2.GetDriverState(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

HRESULT client_work(struct client *client, uintptr_t context, HALCYON_WORK *work)
{
    return client_driver_state(client, context, HALCYON_DEVINFOID_WORK, work, sizeof(*work));
}

HRESULT client_code(struct client *client, HALCYON_CODE *code)
{
    return client_driver_state(client, 0, HALCYON_DEVINFOID_CODE, code, sizeof(*code));
}

HRESULT client_allow_work(struct client *client, HALCYON_ALLOWANCE *allowance)
{
    return client_driver_state(client, 0, HALCYON_DEVINFOID_ALLOWANCE, allowance, sizeof(*allowance));
}

HRESULT client_capture(struct client *client, uintptr_t context, HALCYON_CAPTURE *capture)
{
    return client_driver_state(client, context, HALCYON_DEVINFOID_CAPTURE, capture, sizeof(*capture));
}
