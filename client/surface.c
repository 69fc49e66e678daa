/* SPDX-License-Identifier: MIT */
/*
 * Surfaces for callers of the driver: LCL, GBL and MORE blocks, capabilities, memory and handles as a DirectDraw runtime would keep
 * them, and the calls that make, announce and destroy them.
 */
#include "client/internal.h"

#include "base/base.h"
#include "d3d/formats.h"
#include "d3d/planes.h"

#include <stdlib.h>
#include <string.h>

/* --- descriptions ------------------------------------------------------------------------ */

static unsigned at_least_one(unsigned value)
{
    return value ? value : 1;
}

static unsigned face_count(const struct client_chain_desc *desc)
{
    return desc->usage & CLIENT_CUBE ? 6 : 1;
}

unsigned client_chain_levels(const struct client_chain_desc *desc)
{
    return desc->usage & CLIENT_FLIPS ? 1 : at_least_one(desc->levels);
}

unsigned client_face_parts(const struct client_chain_desc *desc)
{
    return desc->usage & CLIENT_LIGHTWEIGHT ? 1 : client_chain_levels(desc);
}

unsigned client_chain_parts(const struct client_chain_desc *desc)
{
    if (desc->usage & CLIENT_FLIPS)
        return 1 + desc->back_buffers;
    return client_face_parts(desc) * face_count(desc);
}

bool client_desc_is_sane(const struct client_chain_desc *desc)
{
    if (desc->usage & CLIENT_BUFFER)
        return desc->width > 0 && desc->width <= INT32_MAX;
    return desc->width && desc->width <= 0xFFFF && desc->height && desc->height <= 0xFFFF && desc->depth <= 0xFFFF &&
           desc->levels <= CLIENT_MAX_LEVELS && desc->back_buffers <= DDI_MAX_BACK_BUFFERS;
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
        /* nothing can be drawn into indices */
        *caps |= desc->format == D3DFMT_P8 || desc->format == D3DFMT_A8P8 ? 0 : DDSCAPS_3DDEVICE;
        *caps |= surface->part ? DDSCAPS_BACKBUFFER : DDSCAPS_PRIMARYSURFACE | DDSCAPS_FRONTBUFFER;
    }
    if (desc->usage & CLIENT_FLIP)
        *caps |= surface->part ? DDSCAPS_BACKBUFFER : DDSCAPS_FRONTBUFFER;
    if (desc->usage & CLIENT_FLIPS && desc->back_buffers)
        *caps |= DDSCAPS_FLIP | DDSCAPS_COMPLEX;
    if (desc->usage & CLIENT_TEXTURE)
        set_texture_caps(surface, desc, face, level);
    if (desc->usage & CLIENT_DYNAMIC)
        surface->more.ddsCapsEx.dwCaps2 |= DDSCAPS2_HINTDYNAMIC;
    surface->more.ddsCapsEx.dwCaps3 = desc->samples & DDSCAPS3_MULTISAMPLE_MASK;
    if (desc->usage & CLIENT_LIGHTWEIGHT)
        surface->more.ddsCapsEx.dwCaps3 |= DDSCAPS3_LIGHTWEIGHTMIPMAP;
}

/* --- structures -------------------------------------------------------------------------- */

static unsigned level_size(unsigned size, unsigned level)
{
    return at_least_one(size >> level);
}

static void set_format(struct client_surface *surface, uint32_t format)
{
    surface->gbl.wWidth = (WORD)surface->width;
    surface->gbl.wHeight = (WORD)surface->height;
    surface->lcl.dwFlags |= DDRAWISURF_HASPIXELFORMAT;
    client_set_pixel_format(&surface->gbl.ddpfSurface, format);
}

struct client_surface *client_make_surface(struct client *client, const struct client_chain_desc *desc, unsigned part)
{
    struct client_surface *surface = mem_calloc(1, sizeof(*surface));
    const bool flip = desc->usage & CLIENT_FLIPS;
    const unsigned levels = client_face_parts(desc), level = flip ? 0 : part % levels;

    if (!surface)
        return NULL;
    surface->client = client;
    surface->usage = desc->usage;
    surface->format = desc->format;
    surface->part = part;
    surface->width = level_size(desc->width, level);
    surface->height = level_size(at_least_one(desc->height), level);
    surface->depth = level_size(at_least_one(desc->depth), level);
    surface->lcl.lpGbl = &surface->gbl;
    surface->lcl.lpSurfMore = &surface->more;
    surface->lcl.dwProcessId = client->lcl.dwProcessId;
    surface->lcl.dwBackBufferCount = flip && !part ? desc->back_buffers : 0;
    surface->gbl.lpDD = &client->gbl;
    surface->gbl.dwGlobalFlags = DDRAWISURFGBL_DX8SURFACE;
    surface->more.dwSize = sizeof(surface->more);
    surface->more.lpDD_lcl = &client->lcl;
    surface->more.dwMipMapCount = client_chain_levels(desc);
    surface->own_handle = !desc->handles;
    surface->more.dwSurfaceHandle = desc->handles ? desc->handles[part] : client_take_handle(client);
    set_caps(surface, desc, flip ? 0 : part / levels, level);
    if (desc->usage & CLIENT_BUFFER)
        surface->gbl.dwLinearSize = desc->width;
    else
        set_format(surface, desc->format);
    return surface;
}

void client_free_surface(struct client_surface *surface)
{
    client_unlink_all(surface);
    free(surface->owned);
    if (surface->own_handle)
        client_give_handle(surface->client, surface->more.dwSurfaceHandle);
    free(surface);
}

/* --- system memory ----------------------------------------------------------------------- */

/* The memory layout of a format's texels. */
struct texels {
    uint32_t format;
    uint8_t bytes, width, height; /* of a block, or of a texel */
    bool planar;                  /* bytes: of the block's luma in one row */
};

static const struct texels *texels_of(uint32_t format)
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

size_t client_row_pitch(uint32_t format, unsigned width)
{
    const struct texels *texels = texels_of(format);

    return (((size_t)width + texels->width - 1) / texels->width * texels->bytes + 3) & ~(size_t)3;
}

size_t client_row_count(uint32_t format, unsigned height)
{
    const struct texels *texels = texels_of(format);

    return texels->planar ? (size_t)d3d_planar_rows(height) : ((size_t)height + texels->height - 1) / texels->height;
}

bool client_is_format(uint32_t format)
{
    return texels_of(format)->format == format;
}

size_t client_row_bytes(uint32_t format, unsigned width)
{
    const struct texels *texels = texels_of(format);

    return texels->planar ? client_row_pitch(format, width)
                          : ((size_t)width + texels->width - 1) / texels->width * texels->bytes;
}

size_t client_texel_offset(const struct client_surface *surface, size_t pitch, size_t slice_pitch, unsigned x,
                           unsigned y, unsigned z)
{
    return client_offset(surface->format, pitch, slice_pitch, x, y, z);
}

size_t client_offset(uint32_t format, size_t pitch, size_t slice_pitch, unsigned x, unsigned y, unsigned z)
{
    const struct texels *texels = texels_of(format);

    if (texels->planar) /* its luma */
        return z * slice_pitch + y * pitch + x;
    return z * slice_pitch + y / texels->height * pitch + (size_t)(x / texels->width) * texels->bytes;
}

struct client_place client_place_of(const struct client_surface *surface, size_t pitch, size_t slice_pitch,
                                    unsigned level)
{
    const struct texels *texels = texels_of(surface->format);
    struct client_place place = {.end = 0};

    for (unsigned i = 0; i <= level; i++) {
        place.width = level_size(surface->width, i);
        place.height = level_size(surface->height, i);
        place.depth = level_size(surface->depth, i);
        place.row_count = client_row_count(surface->format, place.height);
        place.offset = place.end;
        place.pitch = i ? client_row_pitch(surface->format, place.width) : pitch;
        place.slice_pitch = i || !slice_pitch ? place.pitch * place.row_count : slice_pitch;
        place.end = place.offset + place.slice_pitch * place.depth;
    }
    place.row_bytes =
        texels->planar ? place.pitch : ((size_t)place.width + texels->width - 1) / texels->width * texels->bytes;
    return place;
}

/* Bytes of system memory that a part takes, `slice` of them for each slice; of all levels if they are one surface. */
static size_t part_bytes(const struct client_surface *surface, size_t pitch, size_t slice)
{
    if (surface->usage & CLIENT_LIGHTWEIGHT)
        return client_place_of(surface, pitch, slice, surface->more.dwMipMapCount - 1).end;
    return slice * surface->depth;
}

static bool take_system_memory(struct client_surface *surface, const struct client_chain_desc *desc)
{
    unsigned part = surface->part;
    bool buffer = desc->usage & CLIENT_BUFFER;
    size_t pitch = buffer ? desc->width : client_row_pitch(surface->format, surface->width);
    size_t slice = desc->width;
    uint8_t *memory;

    if (!buffer && __builtin_mul_overflow(pitch, client_row_count(surface->format, surface->height), &slice))
        return false;
    if (slice > SIZE_MAX / 4 / surface->depth) /* all levels of one take less than twice the first one's */
        return false;
    if (desc->memory) {
        memory = desc->memory[part];
        pitch = desc->pitch && !buffer ? desc->pitch[part] : pitch;
        slice = desc->slice_pitch && !buffer ? desc->slice_pitch[part] : slice;
    } else {
        memory = surface->owned = mem_calloc(part_bytes(surface, pitch, slice), 1);
    }
    if (!memory)
        return false;
    surface->gbl.fpVidMem = (FLATPTR)memory;
    surface->gbl.lPitch = (LONG)pitch; /* buffers: dwLinearSize, the same field */
    surface->gbl.dwBlockSizeY = buffer ? 0 : (DWORD)slice;
    surface->more.dwBytesAllocated = (DWORD)part_bytes(surface, pitch, slice);
    return true;
}

HRESULT client_place_in_system_memory(struct client_surface *surface, const struct client_chain_desc *desc)
{
    DWORD *caps = &surface->lcl.ddsCaps.dwCaps;

    surface->usage |= CLIENT_SYSTEM_MEMORY;
    *caps &= ~(DWORD)(DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM);
    *caps |= DDSCAPS_SYSTEMMEMORY;
    return take_system_memory(surface, desc) ? DD_OK : DDERR_OUTOFMEMORY;
}

/* --- in the driver ----------------------------------------------------------------------- */

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

/* The runtime of DirectX 7 and later hands a DDSURFACEDESC2 to these callbacks. */
HRESULT client_create_in_driver(struct client_surface *const *surfaces, unsigned count)
{
    struct client_surface *first = surfaces[0];
    struct client *client = first->client;
    const struct client_driver *driver = client->driver;
    bool buffer = first->usage & CLIENT_BUFFER;
    LPDDHAL_CANCREATESURFACE can =
        buffer ? (LPDDHAL_CANCREATESURFACE)driver->buffer.CanCreateExecuteBuffer : driver->dd.CanCreateSurface;
    LPDDHAL_CREATESURFACE create =
        buffer ? (LPDDHAL_CREATESURFACE)driver->buffer.CreateExecuteBuffer : driver->dd.CreateSurface;
    DDRAWI_DDRAWSURFACE_LCL *list[BASE_MAX(6 * CLIENT_MAX_LEVELS, 1 + DDI_MAX_BACK_BUFFERS)];
    DDHAL_CANCREATESURFACEDATA ask = {.lpDD = &client->gbl};
    DDHAL_CREATESURFACEDATA data = {.lpDD = &client->gbl};
    DDSURFACEDESC2 desc;

    client_describe(&desc, &first->lcl, first->width, first->height);
    ask.lpDDSurfaceDesc = (DDSURFACEDESC *)&desc;
    ask.bIsDifferentPixelFormat = !buffer;
    if (can && can(&ask) == DDHAL_DRIVER_HANDLED && FAILED(ask.ddRVal))
        return ask.ddRVal;
    for (unsigned i = 0; i < count; i++)
        list[i] = &surfaces[i]->lcl;
    data.lpDDSurfaceDesc = (DDSURFACEDESC *)&desc;
    data.lplpSList = list;
    data.dwSCnt = count;
    if (!create || create(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

HRESULT client_announce(struct client_surface *surface)
{
    struct client *client = surface->client;
    DDHAL_CREATESURFACEEXDATA data = {.lpDDLcl = &client->lcl, .lpDDSLcl = &surface->lcl};

    if (client->driver->misc2.CreateSurfaceEx(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    return data.ddRVal;
}

void client_destroy_in_driver(struct client_surface *surface)
{
    struct client *client = surface->client;
    const struct client_driver *driver = client->driver;
    DDHAL_DESTROYSURFACEDATA data = {.lpDD = &client->gbl, .lpDDSurface = &surface->lcl};

    if (!surface->gbl.fpVidMem)
        return; /* never made */
    if (surface->usage & CLIENT_BUFFER) {
        if (driver->buffer.DestroyExecuteBuffer)
            driver->buffer.DestroyExecuteBuffer(&data);
    } else if (driver->surface.DestroySurface) {
        driver->surface.DestroySurface(&data);
    }
}

/* --- one surface ------------------------------------------------------------------------- */

HRESULT client_surface_create(struct client *client, const struct client_chain_desc *desc, unsigned part,
                              struct client_surface **result)
{
    struct client_surface *surface;
    HRESULT hr;

    *result = NULL;
    if (!client_desc_is_sane(desc) || part >= client_chain_parts(desc))
        return DDERR_INVALIDPARAMS;
    surface = client_make_surface(client, desc, part);
    if (!surface)
        return DDERR_OUTOFMEMORY;
    hr = desc->usage & CLIENT_SYSTEM_MEMORY ? client_place_in_system_memory(surface, desc)
                                            : client_create_in_driver(&surface, 1);
    if (SUCCEEDED(hr))
        hr = client_announce(surface);
    if (FAILED(hr)) {
        client_surface_destroy(surface);
        return hr;
    }
    *result = surface;
    return DD_OK;
}

/* Texels as well as the structures that describe them. */
static void describe_memory(struct client_surface *surface, const struct client_memory *memory)
{
    surface->width = memory->width;
    surface->height = memory->height;
    surface->format = memory->format;
    set_format(surface, memory->format);
    surface->gbl.fpVidMem = (FLATPTR)memory->bits;
    surface->gbl.lPitch = (LONG)memory->pitch;
    surface->gbl.dwBlockSizeY = (DWORD)(memory->pitch * client_row_count(memory->format, memory->height));
    surface->more.dwBytesAllocated = surface->gbl.dwBlockSizeY;
}

static bool is_rebindable(const struct client_surface *surface)
{
    return surface->usage & CLIENT_SYSTEM_MEMORY &&
           !(surface->usage & (CLIENT_BUFFER | CLIENT_VOLUME | CLIENT_LIGHTWEIGHT));
}

static bool memory_is_sane(const struct client_memory *memory)
{
    return memory->bits && memory->width && memory->width <= 0xFFFF && memory->height && memory->height <= 0xFFFF &&
           memory->pitch >= client_row_bytes(memory->format, memory->width) && memory->pitch <= INT32_MAX &&
           (uint64_t)memory->pitch * client_row_count(memory->format, memory->height) <= INT32_MAX;
}

HRESULT client_surface_rebind(struct client_surface *surface, const struct client_memory *memory)
{
    const struct client_memory before = {.bits = (uint8_t *)surface->gbl.fpVidMem,
                                         .pitch = (size_t)surface->gbl.lPitch,
                                         .width = surface->width,
                                         .height = surface->height,
                                         .format = surface->format};
    HRESULT hr;

    if (!is_rebindable(surface) || !memory_is_sane(memory))
        return DDERR_INVALIDPARAMS;
    if (surface->locked)
        return DDERR_SURFACEBUSY;
    describe_memory(surface, memory);
    hr = client_announce(client_root_of(surface));
    if (FAILED(hr)) {
        describe_memory(surface, &before);
        client_announce(client_root_of(surface));
        return hr;
    }
    free(surface->owned);
    surface->owned = NULL;
    return DD_OK;
}

void client_withdraw(struct client_surface *const *surfaces, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        surfaces[i]->gbl.fpVidMem = 0;
    client_announce(surfaces[0]);
}

void client_surface_destroy(struct client_surface *surface)
{
    if (!surface)
        return;
    while (surface->lcl.lpAttachListFrom)
        client_detach(client_surface_of(surface->lcl.lpAttachListFrom->lpAttached), surface);
    while (surface->lcl.lpAttachList)
        client_detach(surface, client_surface_of(surface->lcl.lpAttachList->lpAttached));
    if (surface->usage & CLIENT_SYSTEM_MEMORY)
        client_withdraw(&surface, 1);
    else
        client_destroy_in_driver(surface);
    client_free_surface(surface);
}
