/* SPDX-License-Identifier: MIT */
/*
 * Surface chains for callers of the driver: LCL, GBL and MORE blocks, capabilities, attach lists
 * and handles as a DirectDraw runtime would keep them, then CreateSurface and CreateSurfaceEx.
 */
#include "client/internal.h"

#include "base/base.h"
#include "d3d/formats.h"
#include "d3d/planes.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LEVELS 16 /* of one face */

static unsigned at_least_one(unsigned value)
{
    return value ? value : 1;
}

static unsigned face_count(const struct client_chain_desc *desc)
{
    return desc->usage & CLIENT_CUBE ? 6 : 1;
}

unsigned client_chain_parts(const struct client_chain_desc *desc)
{
    if (desc->usage & CLIENT_PRIMARY)
        return 1 + desc->back_buffers;
    return at_least_one(desc->levels) * face_count(desc);
}

static bool desc_is_sane(const struct client_chain_desc *desc)
{
    if (desc->usage & CLIENT_BUFFER)
        return desc->width > 0 && desc->width <= INT32_MAX;
    return desc->width && desc->width <= 0xFFFF && desc->height && desc->height <= 0xFFFF && desc->depth <= 0xFFFF &&
           desc->levels <= MAX_LEVELS && desc->back_buffers <= DDI_MAX_BACK_BUFFERS;
}

/* The memory layout of a format's texels. */
struct texels {
    uint32_t format;
    uint8_t bytes, width, height; /* of a block, or of a texel */
    bool planar;                  /* bytes: of the block's luma in one row */
};

static const struct texels *chain_texels(uint32_t format)
{
    static const struct texels known[] = {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, ...) \
    {(number), bytes, width, height, D3D_KIND_##kind == D3D_KIND_PLANAR},
#define VARIANT(number, name, layout, ...) \
    {(number), D3D_BYTES_##layout, D3D_WIDTH_##layout, D3D_HEIGHT_##layout, false},
#define NUMBER(number, name, bytes) {(number), bytes, 1, 1, false},
#include "d3d/formats.def"
    };
    static const struct texels other = {0, 4, 1, 1, false}; /* feedback maps among them */

    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].format == format)
            return &known[i];
    return &other;
}

/* Rows of a system-memory part: bytes between them, 4-byte aligned, and how many there are. */
static size_t row_pitch(uint32_t format, unsigned width)
{
    const struct texels *texels = chain_texels(format);

    return (((size_t)width + texels->width - 1) / texels->width * texels->bytes + 3) & ~(size_t)3;
}

static size_t chain_row_count(uint32_t format, unsigned height)
{
    const struct texels *texels = chain_texels(format);

    return texels->planar ? (size_t)d3d_planar_rows(height) : ((size_t)height + texels->height - 1) / texels->height;
}

static void set_buffer_caps(struct client_surface *surface, const struct client_chain_desc *desc)
{
    DDSCAPSEX *ex = &surface->more.ddsCapsEx;
    surface->lcl.ddsCaps.dwCaps |= DDSCAPS_EXECUTEBUFFER;
    if (desc->usage & CLIENT_VERTEX_BUFFER)
        ex->dwCaps2 |= DDSCAPS2_VERTEXBUFFER;
    if (desc->usage & CLIENT_INDEX_BUFFER)
        ex->dwCaps2 |= DDSCAPS2_INDEXBUFFER;
    if (desc->usage & CLIENT_COMMAND_BUFFER)
        ex->dwCaps2 |= DDSCAPS2_COMMANDBUFFER;
    surface->more.dwFVF = desc->fvf;
}

static void set_texture_caps(struct client_surface *surface, const struct client_chain_desc *desc, unsigned face,
                             unsigned level)
{
    static const DWORD faces[6] = {DDSCAPS2_CUBEMAP_POSITIVEX, DDSCAPS2_CUBEMAP_NEGATIVEX, DDSCAPS2_CUBEMAP_POSITIVEY,
                                   DDSCAPS2_CUBEMAP_NEGATIVEY, DDSCAPS2_CUBEMAP_POSITIVEZ, DDSCAPS2_CUBEMAP_NEGATIVEZ};
    DDSCAPSEX *ex = &surface->more.ddsCapsEx;
    surface->lcl.ddsCaps.dwCaps |= DDSCAPS_TEXTURE;
    if (desc->levels > 1)
        surface->lcl.ddsCaps.dwCaps |= DDSCAPS_MIPMAP | DDSCAPS_COMPLEX;
    if (level)
        ex->dwCaps2 |= DDSCAPS2_MIPMAPSUBLEVEL;
    if (desc->usage & CLIENT_CUBE) {
        surface->lcl.ddsCaps.dwCaps |= DDSCAPS_COMPLEX;
        ex->dwCaps2 |= DDSCAPS2_CUBEMAP | faces[face];
    }
    if (desc->usage & CLIENT_VOLUME) {
        ex->dwCaps2 |= DDSCAPS2_VOLUME;
        ex->dwCaps4 = surface->depth; /* low word */
    }
}

static void set_caps(struct client_surface *surface, const struct client_chain_desc *desc, unsigned face,
                     unsigned level)
{
    DWORD *caps = &surface->lcl.ddsCaps.dwCaps;
    *caps = desc->usage & CLIENT_SYSTEM_MEMORY ? DDSCAPS_SYSTEMMEMORY : DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM;
    if (desc->usage & CLIENT_BUFFER) {
        set_buffer_caps(surface, desc);
        return;
    }
    if (desc->usage & CLIENT_TARGET)
        *caps |= DDSCAPS_3DDEVICE;
    if (desc->usage & CLIENT_DEPTH)
        *caps |= DDSCAPS_ZBUFFER;
    if (desc->usage & CLIENT_PRIMARY) {
        *caps |= DDSCAPS_3DDEVICE;
        *caps |= surface->part ? DDSCAPS_BACKBUFFER : DDSCAPS_PRIMARYSURFACE | DDSCAPS_FRONTBUFFER;
        if (desc->back_buffers)
            *caps |= DDSCAPS_FLIP | DDSCAPS_COMPLEX;
    }
    if (desc->usage & CLIENT_TEXTURE)
        set_texture_caps(surface, desc, face, level);
    if (desc->usage & CLIENT_DYNAMIC)
        surface->more.ddsCapsEx.dwCaps2 |= DDSCAPS2_HINTDYNAMIC;
    surface->more.ddsCapsEx.dwCaps3 = desc->samples & DDSCAPS3_MULTISAMPLE_MASK;
}

static unsigned chain_level_size(unsigned size, unsigned level)
{
    return at_least_one(size >> level);
}

static void init_part(struct client_chain *chain, const struct client_chain_desc *desc, unsigned part)
{
    struct client_surface *surface = &chain->parts[part];
    bool flip = desc->usage & CLIENT_PRIMARY;
    unsigned level = flip ? 0 : part % chain->levels;
    unsigned face = flip ? 0 : part / chain->levels;

    surface->chain = chain;
    surface->part = part;
    surface->width = chain_level_size(desc->width, level);
    surface->height = chain_level_size(at_least_one(desc->height), level);
    surface->depth = chain_level_size(at_least_one(desc->depth), level);
    surface->lcl.lpGbl = &surface->gbl;
    surface->lcl.lpSurfMore = &surface->more;
    surface->lcl.dwProcessId = chain->client->lcl.dwProcessId;
    surface->lcl.dwBackBufferCount = flip && !part ? desc->back_buffers : 0;
    surface->gbl.lpDD = &chain->client->gbl;
    surface->gbl.dwGlobalFlags = DDRAWISURFGBL_DX8SURFACE;
    surface->more.dwSize = sizeof(surface->more);
    surface->more.lpDD_lcl = &chain->client->lcl;
    surface->more.dwMipMapCount = chain->levels;
    surface->more.dwSurfaceHandle = desc->handles ? desc->handles[part] : client_take_handle(chain->client);
    set_caps(surface, desc, face, level);
    if (desc->usage & CLIENT_BUFFER) {
        surface->gbl.dwLinearSize = desc->width;
        return;
    }
    surface->gbl.wWidth = (WORD)surface->width;
    surface->gbl.wHeight = (WORD)surface->height;
    surface->lcl.dwFlags |= DDRAWISURF_HASPIXELFORMAT;
    client_set_pixel_format(&surface->gbl.ddpfSurface, desc->format);
}

static void attach(struct client_chain *chain, unsigned *used, struct client_surface *to,
                   struct client_surface *surface)
{
    ATTACHLIST *link = &chain->links[(*used)++];
    link->lpAttached = &surface->lcl;
    link->lpLink = to->lcl.lpAttachList;
    to->lcl.lpAttachList = link;
    to->lcl.dwFlags |= DDRAWISURF_ATTACHED;
    surface->lcl.dwFlags |= DDRAWISURF_ATTACHED_FROM;
}

/* Links the parts as DirectDraw links complex surfaces: level to next level, +X to the other faces,
 * flip chains in a ring. */
static void chain_attach_parts(struct client_chain *chain)
{
    unsigned used = 0;
    if (chain->usage & CLIENT_PRIMARY) {
        for (unsigned i = 0; chain->part_count > 1 && i < chain->part_count; i++)
            attach(chain, &used, &chain->parts[i], &chain->parts[(i + 1) % chain->part_count]);
        return;
    }
    for (unsigned face = 0; face < chain->faces; face++) {
        for (unsigned level = 0; level + 1 < chain->levels; level++)
            attach(chain, &used, client_level(chain, face, level), client_level(chain, face, level + 1));
        if (face)
            attach(chain, &used, &chain->parts[0], client_level(chain, face, 0));
    }
}

static bool take_system_memory(struct client_surface *surface, const struct client_chain_desc *desc, uint32_t format)
{
    unsigned part = surface->part;
    bool buffer = desc->usage & CLIENT_BUFFER;
    size_t pitch = buffer ? desc->width : row_pitch(format, surface->width);
    size_t slice = desc->width;
    uint8_t *memory;

    if (!buffer && __builtin_mul_overflow(pitch, chain_row_count(format, surface->height), &slice))
        return false;
    if (desc->memory) {
        memory = desc->memory[part];
        pitch = desc->pitch && !buffer ? desc->pitch[part] : pitch;
        slice = desc->slice_pitch && !buffer ? desc->slice_pitch[part] : slice;
    } else {
        memory = surface->owned = calloc(surface->depth, slice);
    }
    if (!memory)
        return false;
    surface->gbl.fpVidMem = (FLATPTR)memory;
    surface->gbl.lPitch = (LONG)pitch; /* buffers: dwLinearSize, the same field */
    surface->gbl.dwBlockSizeY = buffer ? 0 : (DWORD)slice;
    surface->more.dwBytesAllocated = (DWORD)(slice * surface->depth);
    return true;
}

void client_describe(DDSURFACEDESC2 *desc, const DDRAWI_DDRAWSURFACE_LCL *lcl, unsigned width, unsigned height)
{
    const DDRAWI_DDRAWSURFACE_MORE *more = lcl->lpSurfMore;

    memset(desc, 0, sizeof(*desc));
    desc->dwSize = sizeof(*desc);
    desc->dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT;
    desc->dwWidth = width;
    desc->dwHeight = height;
    desc->dwBackBufferCount = lcl->dwBackBufferCount;
    desc->dwMipMapCount = more->dwMipMapCount;
    desc->ddpfPixelFormat = lcl->lpGbl->ddpfSurface;
    desc->ddsCaps.dwCaps = lcl->ddsCaps.dwCaps;
    desc->ddsCaps.dwCaps2 = more->ddsCapsEx.dwCaps2;
    desc->ddsCaps.dwCaps3 = more->ddsCapsEx.dwCaps3;
    desc->ddsCaps.dwCaps4 = more->ddsCapsEx.dwCaps4;
}

/* Video memory. The runtime of DirectX 7 and later hands a DDSURFACEDESC2 to these callbacks. */
static HRESULT create_in_driver(struct client_chain *chain)
{
    const struct client_driver *driver = chain->client->driver;
    bool buffer = chain->usage & CLIENT_BUFFER;
    LPDDHAL_CANCREATESURFACE can =
        buffer ? (LPDDHAL_CANCREATESURFACE)driver->buffer.CanCreateExecuteBuffer : driver->dd.CanCreateSurface;
    LPDDHAL_CREATESURFACE create =
        buffer ? (LPDDHAL_CREATESURFACE)driver->buffer.CreateExecuteBuffer : driver->dd.CreateSurface;
    DDRAWI_DDRAWSURFACE_LCL *list[BASE_MAX(6 * MAX_LEVELS, 1 + DDI_MAX_BACK_BUFFERS)];
    DDHAL_CANCREATESURFACEDATA ask = {.lpDD = &chain->client->gbl};
    DDHAL_CREATESURFACEDATA data = {.lpDD = &chain->client->gbl};
    DDSURFACEDESC2 desc;

    client_describe(&desc, &chain->parts[0].lcl, chain->parts[0].width, chain->parts[0].height);
    ask.lpDDSurfaceDesc = (DDSURFACEDESC *)&desc;
    ask.bIsDifferentPixelFormat = !buffer;
    if (can && can(&ask) == DDHAL_DRIVER_HANDLED && FAILED(ask.ddRVal))
        return ask.ddRVal;
    for (unsigned i = 0; i < chain->part_count; i++)
        list[i] = &chain->parts[i].lcl;
    data.lpDDSurfaceDesc = (DDSURFACEDESC *)&desc;
    data.lplpSList = list;
    data.dwSCnt = chain->part_count;
    if (!create || create(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

static HRESULT chain_announce(struct client_chain *chain)
{
    DDHAL_CREATESURFACEEXDATA data = {.lpDDLcl = &chain->client->lcl};
    data.lpDDSLcl = &chain->parts[0].lcl;
    if (chain->client->driver->misc2.CreateSurfaceEx(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

static HRESULT chain_place_in_system_memory(struct client_chain *chain, const struct client_chain_desc *desc)
{
    chain->usage |= CLIENT_SYSTEM_MEMORY;
    for (unsigned i = 0; i < chain->part_count; i++) {
        DWORD *caps = &chain->parts[i].lcl.ddsCaps.dwCaps;
        *caps &= ~(DWORD)(DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM);
        *caps |= DDSCAPS_SYSTEMMEMORY;
        if (!take_system_memory(&chain->parts[i], desc, chain->format))
            return DDERR_OUTOFMEMORY;
    }
    return DD_OK;
}

static struct client_chain *alloc_chain(struct client *client, const struct client_chain_desc *desc)
{
    unsigned parts = client_chain_parts(desc);
    struct client_chain *chain = calloc(1, sizeof(*chain) + parts * sizeof(chain->parts[0]));
    if (!chain)
        return NULL;
    chain->links = calloc(parts, sizeof(*chain->links));
    if (!chain->links) {
        free(chain);
        return NULL;
    }
    chain->client = client;
    chain->usage = desc->usage;
    chain->format = desc->format;
    chain->levels = desc->usage & CLIENT_PRIMARY ? 1 : at_least_one(desc->levels);
    chain->faces = face_count(desc);
    chain->part_count = parts;
    chain->own_handles = !desc->handles;
    return chain;
}

HRESULT client_chain_create(struct client *client, const struct client_chain_desc *desc, struct client_chain **result)
{
    struct client_chain *chain;
    HRESULT hr;
    *result = NULL;
    if (!desc_is_sane(desc))
        return DDERR_INVALIDPARAMS;
    chain = alloc_chain(client, desc);
    if (!chain)
        return DDERR_OUTOFMEMORY;
    for (unsigned i = 0; i < chain->part_count; i++)
        init_part(chain, desc, i);
    chain_attach_parts(chain);
    if (desc->usage & CLIENT_SYSTEM_MEMORY)
        hr = chain_place_in_system_memory(chain, desc);
    else
        hr = create_in_driver(chain);
    if (FAILED(hr) && (desc->usage & CLIENT_BUFFER) && !(desc->usage & CLIENT_SYSTEM_MEMORY))
        hr = chain_place_in_system_memory(chain, desc);
    if (SUCCEEDED(hr))
        hr = chain_announce(chain);
    if (FAILED(hr)) {
        client_chain_destroy(chain);
        return hr;
    }
    *result = chain;
    return DD_OK;
}

static void destroy_in_driver(struct client_surface *surface)
{
    struct client *client = surface->chain->client;
    const struct client_driver *driver = client->driver;
    DDHAL_DESTROYSURFACEDATA data = {.lpDD = &client->gbl, .lpDDSurface = &surface->lcl};
    if (!surface->gbl.fpVidMem)
        return; /* never made */
    if (surface->chain->usage & CLIENT_BUFFER) {
        if (driver->buffer.DestroyExecuteBuffer)
            driver->buffer.DestroyExecuteBuffer(&data);
    } else if (driver->surface.DestroySurface) {
        driver->surface.DestroySurface(&data);
    }
}

/* fpVidMem = 0 in CreateSurfaceEx tells the driver that a system-memory surface is destroyed. */
static void chain_withdraw(struct client_chain *chain)
{
    for (unsigned i = 0; i < chain->part_count; i++)
        chain->parts[i].gbl.fpVidMem = 0;
    chain_announce(chain);
}

void client_chain_destroy(struct client_chain *chain)
{
    if (!chain)
        return;
    if (chain->usage & CLIENT_SYSTEM_MEMORY)
        chain_withdraw(chain);
    for (unsigned i = 0; i < chain->part_count; i++) {
        struct client_surface *surface = &chain->parts[i];
        if (!(chain->usage & CLIENT_SYSTEM_MEMORY))
            destroy_in_driver(surface);
        free(surface->owned);
        if (chain->own_handles)
            client_give_handle(chain->client, surface->more.dwSurfaceHandle);
    }
    free(chain->links);
    free(chain);
}
