/* SPDX-License-Identifier: MIT */
/*
 * Surface objects: created from the description in a DirectDraw surface, with every size checked. access.c decides when code may touch the memory. Layout of the driver's own memory:
 * 64-byte aligned, rows 16 bytes apart or a multiple of it, some bytes after the end that wide loads may read.
 */
#include "hal/resource/surface.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/digest.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/light_levels.h"
#include "hal/resource/multisample.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "raster/format/format.h"
#include "raster/raster.h"

#include <stdlib.h>

#define ROW_ALIGNMENT 16 /* bytes */

/* --- creation ---------------------------------------------------------------------------- */

static uint32_t surface_kind(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    DWORD caps = lcl->ddsCaps.dwCaps;
    uint32_t kind = 0;
    if (caps & (DDSCAPS_3DDEVICE | DDSCAPS_PRIMARYSURFACE | DDSCAPS_BACKBUFFER | DDSCAPS_FLIP))
        kind |= HAL_SURFACE_COLOR;
    if (caps & DDSCAPS_PRIMARYSURFACE)
        kind |= HAL_SURFACE_PRIMARY;
    if (caps & DDSCAPS_ZBUFFER)
        kind |= HAL_SURFACE_DEPTH;
    if (caps & DDSCAPS_TEXTURE)
        kind |= HAL_SURFACE_TEXTURE;
    return kind;
}

const DDPIXELFORMAT *hal_surface_pixel_format(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DDPIXELFORMAT *own = &lcl->lpGbl->ddpfSurface;
    if ((lcl->dwFlags & DDRAWISURF_HASPIXELFORMAT) || !lcl->lpGbl->lpDD)
        return own;
    return &lcl->lpGbl->lpDD->vmiData.ddpfDisplay;
}

static unsigned surface_face(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    /* DDSCAPS2_CUBEMAP_POSITIVEX ... NEGATIVEZ are six bits in a row, in the order of the faces. */
    DWORD bits = (hal_resource_caps(lcl).dwCaps2 & DDSCAPS2_CUBEMAP_ALLFACES) / DDSCAPS2_CUBEMAP_POSITIVEX;
    return bits ? (unsigned)__builtin_ctz((unsigned)bits) : 0;
}

static void read_shape(struct hal_surface *surface, const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const struct caps_format *format = caps_match_format(hal_surface_pixel_format(lcl));
    DDSCAPSEX ex = hal_resource_caps(lcl);
    surface->d3d_format = format ? format->d3d_format : hal_surface_pixel_format(lcl)->dwFourCC;
    surface->format = format ? format->format : RASTER_FORMAT_NONE;
    surface->width = lcl->lpGbl->wWidth;
    surface->height = lcl->lpGbl->wHeight;
    surface->is_volume = ex.dwCaps2 & DDSCAPS2_VOLUME;
    surface->depth = surface->is_volume ? BASE_MAX(ex.dwCaps4 & 0xFFFF, 1) : 1;
    surface->face = surface_face(lcl);
    surface->makes_levels = ex.dwCaps3 & DDSCAPS3_AUTOGENMIPMAP;
}

static uint64_t row_bytes(const struct hal_surface *surface)
{
    return raster_format_row_bytes(surface->format, surface->width);
}

static uint64_t surface_row_count(const struct hal_surface *surface)
{
    return raster_format_rows(surface->format, surface->height);
}

static bool is_planar(const struct hal_surface *surface)
{
    return raster_format_info(surface->format)->kind == RASTER_KIND_PLANAR;
}

/* A depth buffer must have a depth format: other texels cannot be compared with a depth. */
static bool is_false_depth_buffer(const struct hal_surface *surface)
{
    return surface->base.kind & HAL_SURFACE_DEPTH && !raster_format_info(surface->format)->depth_bits;
}

/* D3DMULTISAMPLE_TYPE: 0 none, 2..16 counts; 1 nonmaskable, whose qualities 0..3 are 2, 4, 8 and 16
 * samples (caps_quality_levels). */
static unsigned sample_count(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    DWORD caps3 = hal_resource_caps(lcl).dwCaps3;
    unsigned type = caps3 & DDSCAPS3_MULTISAMPLE_MASK;
    if (type == 1)
        return 2u << (caps3 >> 5 & 7 /* DDSCAPS3_MULTISAMPLE_QUALITY_MASK */);
    return type;
}

static HRESULT check_video_surface(const struct hal_surface *surface, const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    unsigned limit =
        surface->base.kind & (HAL_SURFACE_COLOR | HAL_SURFACE_DEPTH) ? CAPS_MAX_TARGET_SIZE : CAPS_MAX_TEXTURE_SIZE;
    if (surface->is_volume)
        limit = CAPS_MAX_VOLUME_SIZE;
    if (surface->format == RASTER_FORMAT_NONE) {
        log_warn("CreateSurface: unknown pixel format (flags %#x, FOURCC or number %#x)",
                 (unsigned)hal_surface_pixel_format(lcl)->dwFlags, (unsigned)hal_surface_pixel_format(lcl)->dwFourCC);
        return DDERR_INVALIDPIXELFORMAT;
    }
    if (is_false_depth_buffer(surface)) {
        log_warn("CreateSurface: format %u is not a depth format, and DDSCAPS_ZBUFFER is set",
                 (unsigned)surface->d3d_format);
        return DDERR_INVALIDPIXELFORMAT;
    }
    if (!surface->width || !surface->height || surface->width > limit || surface->height > limit ||
        surface->depth > CAPS_MAX_VOLUME_SIZE) {
        log_warn("CreateSurface: size %ux%ux%u is out of range (1..%u)", surface->width, surface->height,
                 surface->depth, limit);
        return DDERR_INVALIDPARAMS;
    }
    unsigned samples = sample_count(lcl);
    if (samples &&
        (samples > 16 || !(caps_multisample_mask(caps_find_format(surface->d3d_format)) >> (samples - 1) & 1))) {
        log_warn("CreateSurface: %u samples were not offered for format %u", samples, (unsigned)surface->d3d_format);
        return DDERR_INVALIDCAPS;
    }
    return DD_OK;
}

/* Bytes of the driver's memory that the samples of a surface take. */
static uint64_t sample_bytes(const struct hal_surface *surface)
{
    return surface->base.owns_memory ? (uint64_t)surface->base.bytes * surface->samples : 0;
}

static uint64_t video_pitch(const struct hal_surface *surface, unsigned levels)
{
    if (levels > 1)
        return hal_light_pitch(surface, surface->width);
    return (row_bytes(surface) + ROW_ALIGNMENT - 1) & ~(uint64_t)(ROW_ALIGNMENT - 1);
}

static HRESULT place_in_video_memory(struct hal_surface *surface, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;
    const unsigned levels = hal_light_count(lcl);
    uint64_t pitch, slice;
    HRESULT hr = check_video_surface(surface, lcl);
    if (SUCCEEDED(hr))
        hr = hal_light_check(surface, levels, sample_count(lcl));
    if (FAILED(hr))
        return hr;
    pitch = video_pitch(surface, levels);
    slice = pitch * surface_row_count(surface);
    hr = hal_resource_allocate(&surface->base, hal_light_bytes(surface, levels, slice));
    if (FAILED(hr))
        return hr;
    surface->pitch = (size_t)pitch;
    surface->slice_pitch = (size_t)slice;
    hr = hal_light_place(surface, levels);
    if (SUCCEEDED(hr) && sample_count(lcl))
        hr = hal_samples_create(surface, sample_count(lcl));
    if (FAILED(hr)) {
        mem_free_aligned(surface->base.memory);
        return hr;
    }
    gbl->fpVidMem = (FLATPTR)surface->base.memory;
    gbl->lPitch = (LONG)pitch;
    if (hal_resource_caps(lcl).dwCaps2 & DDSCAPS2_VOLUME)
        gbl->dwBlockSizeY = (DWORD)slice;
    if (lcl->lpSurfMore)
        lcl->lpSurfMore->dwBytesAllocated = (DWORD)surface->base.bytes;
    return DD_OK;
}

/* Reads the surface's shape again. If it has changed, frees what was made for the old one: links, copies for the
 * sampler. */
static void reread_shape(struct hal_surface *surface)
{
    struct hal_surface shape = *surface;
    read_shape(&shape, surface->base.lcl);
    if (shape.width == surface->width && shape.height == surface->height && shape.depth == surface->depth &&
        shape.is_volume == surface->is_volume && shape.face == surface->face &&
        shape.d3d_format == surface->d3d_format && shape.format == surface->format &&
        hal_light_count(surface->base.lcl) == 1 + surface->light_count)
        return;
    hal_texture_unlink(surface);
    hal_light_free(surface);
    hal_scenes_texture_changed(surface->base.driver);
    read_shape(surface, surface->base.lcl);
    if (raster_format_info(surface->format)->kind != RASTER_KIND_PALETTE)
        surface->display_palette = 0; /* no indices any more */
}

/* The runtime's memory is described, not allocated. Formats that the driver cannot use are not an error
 * (docs/reference/driver-calls.md, section 4): such a surface has no readable bytes. */
HRESULT hal_surface_refresh(struct hal_surface *surface)
{
    DDRAWI_DDRAWSURFACE_LCL *lcl = surface->base.lcl;
    const DDRAWI_DDRAWSURFACE_GBL *gbl = lcl->lpGbl;
    const unsigned levels = hal_light_count(lcl);
    uint64_t pitch, slice, total;
    HRESULT hr;

    if (surface->base.owns_memory)
        return DD_OK;
    surface->base.memory = (uint8_t *)gbl->fpVidMem;
    surface->base.bytes = 0;
    hal_light_lose_memory(surface);
    hal_surface_touch_all(surface);
    reread_shape(surface);
    pitch = gbl->lPitch > 0 ? (uint64_t)gbl->lPitch : 0;
    if (surface->format == RASTER_FORMAT_NONE || is_false_depth_buffer(surface) || !surface->width ||
        !surface->height || pitch < row_bytes(surface)) {
        log_info("CreateSurfaceEx: system-memory surface %ux%u, format %#x, pitch %d is not usable", surface->width,
                 surface->height, (unsigned)surface->d3d_format, (int)gbl->lPitch);
        surface->format = RASTER_FORMAT_NONE;
        return DD_OK;
    }
    slice = pitch * surface_row_count(surface);
    if (surface->depth > 1 && gbl->dwBlockSizeY >= slice)
        slice = gbl->dwBlockSizeY;
    total = slice * (surface->depth - 1) + pitch * (surface_row_count(surface) - 1) +
            (is_planar(surface) ? pitch : row_bytes(surface)); /* a row of memory may hold two rows of chroma */
    hr = hal_light_check(surface, levels, sample_count(lcl));
    if (FAILED(hr))
        return hr;
    if (levels > 1)
        total = hal_light_bytes(surface, levels, slice);
    if (total > SIZE_MAX / 2)
        return DDERR_INVALIDPARAMS;
    surface->pitch = (size_t)pitch;
    surface->slice_pitch = (size_t)slice;
    surface->base.bytes = (size_t)total;
    hr = hal_light_place(surface, levels);
    if (FAILED(hr))
        surface->base.bytes = 0;
    return hr;
}

HRESULT hal_surface_create(struct hal_driver *driver, DDRAWI_DDRAWSURFACE_LCL *lcl, bool system_memory)
{
    struct hal_surface *surface = mem_calloc(1, sizeof(*surface));
    HRESULT hr;

    if (!surface)
        return DDERR_OUTOFMEMORY;
    surface->base = (struct hal_resource){.driver = driver, .lcl = lcl, .kind = surface_kind(lcl), .version = 1};
    read_shape(surface, lcl);
    hr = system_memory ? hal_surface_refresh(surface) : place_in_video_memory(surface, lcl);
    if (FAILED(hr)) {
        hal_light_free(surface);
        free(surface);
        return hr;
    }
    hal_resource_enlist(&surface->base);
    driver->video_bytes += sample_bytes(surface);
    return DD_OK;
}

/* --- destruction ------------------------------------------------------------------------- */

/* Scenes must not draw to freed memory, nor mistake the next surface at this address for this one. */
static void unbind(struct hal_surface *surface)
{
    struct hal_driver *driver = surface->base.driver;

    hal_scenes_texture_changed(driver);
    for (struct hal_scene *scene = driver->scenes; scene; scene = scene->next)
        if (hal_targets_have(scene, surface)) {
            hal_scene_flush(scene, HAL_FLUSH_SURFACE);
            hal_targets_remove(scene, surface);
        }
}

void hal_surface_free(struct hal_surface *surface)
{
    hal_present_drain(surface);
    hal_surface_acquire(surface, true, HAL_FLUSH_SURFACE);
    unbind(surface);
    hal_texture_leave(surface);
    surface->base.driver->video_bytes -= sample_bytes(surface);
    hal_light_free(surface);
    hal_resource_delist(&surface->base);
    hal_samples_free(surface);
    free(surface);
}

/* --- flips ------------------------------------------------------------------------------------- */

static void retarget(struct hal_surface *surface)
{
    for (struct hal_scene *scene = surface->base.driver->scenes; scene; scene = scene->next)
        if (hal_targets_have(scene, surface))
            hal_targets_changed(scene);
}

bool hal_surface_swap_memory(struct hal_surface *a, struct hal_surface *b)
{
    uint8_t *memory = a->base.memory;
    if (a == b)
        return true;
    if (a->width != b->width || a->height != b->height || a->format != b->format || a->pitch != b->pitch ||
        a->samples != b->samples || !a->base.owns_memory || !b->base.owns_memory || a->light || b->light)
        return false;
    hal_surface_finish(a, true, HAL_FLUSH_FLIP); /* pixels and samples go together, each as new as it was */
    hal_surface_finish(b, true, HAL_FLUSH_FLIP);
    a->base.memory = b->base.memory;
    b->base.memory = memory;
    hal_samples_swap(a, b);
    a->base.lcl->lpGbl->fpVidMem = (FLATPTR)a->base.memory;
    b->base.lcl->lpGbl->fpVidMem = (FLATPTR)b->base.memory;
    hal_surface_touch(a);
    hal_surface_touch(b);
    retarget(a);
    retarget(b);
    return true;
}
