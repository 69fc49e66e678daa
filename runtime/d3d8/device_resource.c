/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: creation of resources, copies between them, render targets. */
#include "runtime/d3d8/device_methods.h"

HRESULT WINAPI d3d8_device_CreateTexture(IDirect3DDevice8 *iface, UINT width, UINT height, UINT levels, DWORD usage,
                                         D3DFORMAT format, D3DPOOL pool, IDirect3DTexture8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_texture_desc desc = {D3DRTYPE_TEXTURE, width, height, 1, levels, usage, format, pool};
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    return d3d8_texture_create(device, &desc, (struct d3d8_texture **)out);
}

HRESULT WINAPI d3d8_device_CreateVolumeTexture(IDirect3DDevice8 *iface, UINT width, UINT height, UINT depth,
                                               UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                               IDirect3DVolumeTexture8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_texture_desc desc = {D3DRTYPE_VOLUMETEXTURE, width, height, depth, levels, usage, format, pool};
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    return d3d8_texture_create(device, &desc, (struct d3d8_texture **)out);
}

HRESULT WINAPI d3d8_device_CreateCubeTexture(IDirect3DDevice8 *iface, UINT edge, UINT levels, DWORD usage,
                                             D3DFORMAT format, D3DPOOL pool, IDirect3DCubeTexture8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_texture_desc desc = {D3DRTYPE_CUBETEXTURE, edge, edge, 1, levels, usage, format, pool};
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    return d3d8_texture_create(device, &desc, (struct d3d8_texture **)out);
}

HRESULT WINAPI d3d8_device_CreateVertexBuffer(IDirect3DDevice8 *iface, UINT length, DWORD usage, DWORD fvf,
                                              D3DPOOL pool, IDirect3DVertexBuffer8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    return d3d8_buffer_create(device, D3DRTYPE_VERTEXBUFFER, length, usage, fvf, D3DFMT_VERTEXDATA, pool,
                              (struct d3d8_buffer **)out);
}

HRESULT WINAPI d3d8_device_CreateIndexBuffer(IDirect3DDevice8 *iface, UINT length, DWORD usage, D3DFORMAT format,
                                             D3DPOOL pool, IDirect3DIndexBuffer8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32)
        return D3DERR_INVALIDCALL;
    return d3d8_buffer_create(device, D3DRTYPE_INDEXBUFFER, length, usage, 0, format, pool, (struct d3d8_buffer **)out);
}

static HRESULT create_surface(struct d3d8_device *device, const D3DSURFACE_DESC *desc, bool lockable,
                              IDirect3DSurface8 **out)
{
    const struct rt_format *format = rt_format_info(desc->Format);
    struct d3d8_surface *surface;
    HRESULT hr;

    *out = NULL;
    if (!format || !desc->Width || !desc->Height || desc->Width > 32768 || desc->Height > 32768)
        return D3DERR_INVALIDCALL;
    hr = d3d8_surface_create(device, desc, lockable, &surface);
    if (SUCCEEDED(hr))
        *out = &surface->iface;
    return hr;
}

HRESULT WINAPI d3d8_device_CreateRenderTarget(IDirect3DDevice8 *iface, UINT width, UINT height, D3DFORMAT format,
                                              D3DMULTISAMPLE_TYPE samples, BOOL lockable, IDirect3DSurface8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DSURFACE_DESC desc = {.Format = format,
                            .Usage = D3DUSAGE_RENDERTARGET,
                            .Pool = D3DPOOL_DEFAULT,
                            .MultiSampleType = samples,
                            .Width = width,
                            .Height = height};
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out || format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (FAILED(d3d8_check_format(device->parent, device->display_format, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE,
                                 format)) ||
        (samples && lockable))
        return D3DERR_INVALIDCALL;
    hr = d3d8_check_multisample(device->parent, format, samples);
    return FAILED(hr) ? hr : create_surface(device, &desc, lockable, out);
}

HRESULT WINAPI d3d8_device_CreateDepthStencilSurface(IDirect3DDevice8 *iface, UINT width, UINT height, D3DFORMAT format,
                                                     D3DMULTISAMPLE_TYPE samples, IDirect3DSurface8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DSURFACE_DESC desc = {.Format = format,
                            .Usage = D3DUSAGE_DEPTHSTENCIL,
                            .Pool = D3DPOOL_DEFAULT,
                            .MultiSampleType = samples,
                            .Width = width,
                            .Height = height};
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out || format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (rt_format_info(format) && rt_format_info(format)->flags & RT_FORMAT_VENDOR)
        return E_INVALIDARG;
    if (FAILED(
            d3d8_check_format(device->parent, device->display_format, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, format)))
        return D3DERR_INVALIDCALL;
    hr = d3d8_check_multisample(device->parent, format, samples);
    return FAILED(hr) ? hr : create_surface(device, &desc, format == D3DFMT_D16_LOCKABLE && !samples, out);
}

HRESULT WINAPI d3d8_device_CreateImageSurface(IDirect3DDevice8 *iface, UINT width, UINT height, D3DFORMAT format,
                                              IDirect3DSurface8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    const struct rt_format *info = rt_format_info(format);
    D3DSURFACE_DESC desc = {.Format = format, .Pool = D3DPOOL_SYSTEMMEM, .Width = width, .Height = height};
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!info || ((info->flags & RT_FORMAT_BLOCKS) && (width % info->block_width || height % info->block_height)))
        return D3DERR_INVALIDCALL;
    /* Depth formats that cannot be had at all cannot be had here. */
    if ((info->flags & RT_FORMAT_DEPTH) &&
        FAILED(d3d8_check_format(device->parent, device->display_format, 0, D3DRTYPE_SURFACE, format)))
        return D3DERR_INVALIDCALL;
    return create_surface(device, &desc, true, out);
}

/* --- copies ---------------------------------------------------------------------------- */

/* Where a copy reads and writes: the program's memory if there is any. */
static struct rt_chain *copy_chain(struct d3d8_surface *surface)
{
    if (surface->texture && surface->texture->system)
        return surface->texture->system;
    return d3d8_surface_video(surface);
}

static bool rect_fits(const RECT *r, const D3DSURFACE_DESC *desc)
{
    return r->left >= 0 && r->top >= 0 && r->left < r->right && r->top < r->bottom && r->right <= (LONG)desc->Width &&
           r->bottom <= (LONG)desc->Height;
}

static HRESULT copy_rect(struct d3d8_surface *source, const RECT *from, struct d3d8_surface *destination,
                         const POINT *at)
{
    RECT to = {at->x, at->y, at->x + from->right - from->left, at->y + from->bottom - from->top};
    HRESULT hr;

    if (!rect_fits(from, &source->desc) || !rect_fits(&to, &destination->desc))
        return D3DERR_INVALIDCALL;
    hr = rt_chain_blt(copy_chain(destination), destination->part, &to, copy_chain(source), source->part, from, 0);
    if (SUCCEEDED(hr) && destination->texture) {
        D3DBOX box = {(UINT)to.left, (UINT)to.top, (UINT)to.right, (UINT)to.bottom, 0, 1};
        unsigned levels = destination->texture->levels;
        d3d8_texture_written(destination->texture, destination->part / levels, destination->part % levels, &box, 0);
    }
    return hr;
}

static bool surfaces_can_be_copied(const struct d3d8_surface *source, const struct d3d8_surface *destination)
{
    if (source->desc.Format != destination->desc.Format || rt_format_is_depth(source->desc.Format))
        return false;
    if (source->device != destination->device || source->locked || destination->locked)
        return false;
    return !destination->desc.MultiSampleType || destination->desc.MultiSampleType == source->desc.MultiSampleType;
}

HRESULT WINAPI d3d8_device_CopyRects(IDirect3DDevice8 *iface, IDirect3DSurface8 *from, const RECT *rects, UINT count,
                                     IDirect3DSurface8 *to, const POINT *points)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_surface *source = d3d8_surface_of(from), *destination = d3d8_surface_of(to);
    HRESULT hr = D3D_OK;
    RT_LOCK(&device->base);

    if (!source || !destination || source == destination || !surfaces_can_be_copied(source, destination) ||
        !copy_chain(source) || !copy_chain(destination))
        return D3DERR_INVALIDCALL;
    if (!rects || !count) {
        RECT all = {0, 0, (LONG)source->desc.Width, (LONG)source->desc.Height};
        POINT origin = {0, 0};
        return copy_rect(source, &all, destination, points ? points : &origin);
    }
    for (UINT i = 0; i < count && SUCCEEDED(hr); i++) {
        POINT same = {rects[i].left, rects[i].top};
        hr = copy_rect(source, &rects[i], destination, points ? &points[i] : &same);
    }
    return hr;
}

/* Level by level in our own memory, for pairs that TEXBLT does not take: other sizes (levels are
 * matched by size) or formats that differ in alpha only. */
static bool level_fits(const struct d3d8_texture *texture, unsigned level, const struct rt_part *part)
{
    return rt_level_size(texture->width, level) == part->width &&
           rt_level_size(texture->height, level) == part->height && rt_level_size(texture->depth, level) == part->depth;
}

static void copy_levels(struct d3d8_texture *source, struct d3d8_texture *destination)
{
    const struct rt_format *a = rt_format_info(source->format);
    const struct rt_format *b = rt_format_info(destination->format);

    if (a->block_bytes != b->block_bytes)
        return;
    for (unsigned i = 0; i < destination->faces * destination->levels; i++) {
        unsigned face = i / destination->levels;
        for (unsigned s = 0; s < source->levels; s++) {
            if (!level_fits(source, s, &destination->video->parts[i]))
                continue;
            rt_chain_copy(destination->video, i, source->system, face * source->levels + s);
            break;
        }
    }
}

HRESULT WINAPI d3d8_device_UpdateTexture(IDirect3DDevice8 *iface, IDirect3DBaseTexture8 *from,
                                         IDirect3DBaseTexture8 *to)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_texture *source = d3d8_texture_of(from), *destination = d3d8_texture_of(to);
    RT_LOCK(&device->base);

    if (!source || !destination || source->type != destination->type || source->pool != D3DPOOL_SYSTEMMEM ||
        destination->pool != D3DPOOL_DEFAULT)
        return D3DERR_INVALIDCALL;
    if (source->format == destination->format && source->width == destination->width &&
        source->height == destination->height && source->depth == destination->depth) {
        d3d8_texture_copy_dirty(source, destination->video);
    } else {
        copy_levels(source, destination);
        for (unsigned face = 0; face < source->faces; face++)
            source->dirty[face].count = 0;
    }
    return D3D_OK;
}

/* --- targets --------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetRenderTarget(IDirect3DDevice8 *iface, IDirect3DSurface8 *new_target,
                                           IDirect3DSurface8 *new_depth)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_surface *target = d3d8_surface_of(new_target), *depth = d3d8_surface_of(new_depth);
    D3DVIEWPORT8 viewport = {0, 0, 0, 0, 0.0f, 1.0f};
    RT_LOCK(&device->base);

    if (target &&
        (target->device != device || !(target->desc.Usage & D3DUSAGE_RENDERTARGET) || !d3d8_surface_video(target)))
        return D3DERR_INVALIDCALL;
    if (depth &&
        (depth->device != device || !(depth->desc.Usage & D3DUSAGE_DEPTHSTENCIL) || !d3d8_surface_video(depth)))
        return D3DERR_INVALIDCALL;
    if (!target)
        target = device->target;
    if (!target)
        return D3DERR_INVALIDCALL;
    if (depth && (depth->desc.Width < target->desc.Width || depth->desc.Height < target->desc.Height ||
                  depth->desc.MultiSampleType != target->desc.MultiSampleType))
        return D3DERR_INVALIDCALL;
    d3d8_device_bind_targets(device, target, depth);
    if (new_target) {
        viewport.Width = target->desc.Width;
        viewport.Height = target->desc.Height;
        rt_set_viewport(&device->pipe, &viewport);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetRenderTarget(IDirect3DDevice8 *iface, IDirect3DSurface8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!device->target)
        return D3DERR_NOTFOUND;
    *out = &device->target->iface;
    IDirect3DSurface8_AddRef(*out);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetDepthStencilSurface(IDirect3DDevice8 *iface, IDirect3DSurface8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!device->depth)
        return D3DERR_NOTFOUND;
    *out = &device->depth->iface;
    IDirect3DSurface8_AddRef(*out);
    return D3D_OK;
}
