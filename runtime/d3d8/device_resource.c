/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: creation of resources by the rules of version 8, copies between them, render targets. */
#include "runtime/d3d8/device_methods.h"

/* --- textures and buffers -------------------------------------------------------------- */

static bool usage_is_valid(const struct rt_texture_desc *desc)
{
    DWORD draws = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;

    if (desc->usage & (D3DUSAGE_WRITEONLY | D3DUSAGE_SOFTWAREPROCESSING | D3DUSAGE_DONOTCLIP | D3DUSAGE_POINTS |
                       D3DUSAGE_RTPATCHES | D3DUSAGE_NPATCHES))
        return false;
    if ((desc->usage & draws) == draws ||
        ((desc->usage & draws) &&
         (desc->pool != D3DPOOL_DEFAULT || desc->usage & D3DUSAGE_DYNAMIC || desc->type == D3DRTYPE_VOLUMETEXTURE)))
        return false;
    if ((desc->usage & D3DUSAGE_DYNAMIC) && (desc->pool == D3DPOOL_MANAGED || desc->pool == D3DPOOL_SCRATCH))
        return false;
    return (unsigned)desc->pool <= D3DPOOL_SCRATCH;
}

static bool format_is_valid(const struct rt_device *device, const struct rt_texture_desc *desc)
{
    DWORD usage = desc->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL);
    const struct rt_format *format = rt_format_of(d3d8_driver_rules.format_level, desc->format);

    if (!format || (desc->pool != D3DPOOL_DEFAULT && (format->flags & RT_FORMAT_DEPTH)))
        return false;
    if (desc->pool == D3DPOOL_SCRATCH)
        return true;
    return SUCCEEDED(rt_check_format(device->adapter, device->frame->display_format, usage, desc->type, desc->format));
}

static HRESULT create_texture(void *iface, const struct rt_texture_desc *desc, struct rt_texture **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!out || desc->format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!usage_is_valid(desc) || !format_is_valid(device, desc) || !rt_texture_size_is_valid(&device->caps, desc))
        return D3DERR_INVALIDCALL;
    return rt_texture_create(device, desc, out);
}

HRESULT WINAPI d3d8_device_CreateTexture(IDirect3DDevice8 *iface, UINT width, UINT height, UINT levels, DWORD usage,
                                         D3DFORMAT format, D3DPOOL pool, IDirect3DTexture8 **out)
{
    const struct rt_texture_desc desc = {.type = D3DRTYPE_TEXTURE,
                                         .width = width,
                                         .height = height,
                                         .depth = 1,
                                         .levels = levels,
                                         .usage = usage,
                                         .format = format,
                                         .pool = pool};

    return create_texture(iface, &desc, (struct rt_texture **)out);
}

HRESULT WINAPI d3d8_device_CreateVolumeTexture(IDirect3DDevice8 *iface, UINT width, UINT height, UINT depth,
                                               UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                               IDirect3DVolumeTexture8 **out)
{
    const struct rt_texture_desc desc = {.type = D3DRTYPE_VOLUMETEXTURE,
                                         .width = width,
                                         .height = height,
                                         .depth = depth,
                                         .levels = levels,
                                         .usage = usage,
                                         .format = format,
                                         .pool = pool};

    return create_texture(iface, &desc, (struct rt_texture **)out);
}

HRESULT WINAPI d3d8_device_CreateCubeTexture(IDirect3DDevice8 *iface, UINT edge, UINT levels, DWORD usage,
                                             D3DFORMAT format, D3DPOOL pool, IDirect3DCubeTexture8 **out)
{
    const struct rt_texture_desc desc = {.type = D3DRTYPE_CUBETEXTURE,
                                         .width = edge,
                                         .height = edge,
                                         .depth = 1,
                                         .levels = levels,
                                         .usage = usage,
                                         .format = format,
                                         .pool = pool};

    return create_texture(iface, &desc, (struct rt_texture **)out);
}

HRESULT WINAPI d3d8_device_CreateVertexBuffer(IDirect3DDevice8 *iface, UINT length, DWORD usage, DWORD fvf,
                                              D3DPOOL pool, IDirect3DVertexBuffer8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    const struct rt_buffer_desc desc = {D3DRTYPE_VERTEXBUFFER, length, usage, fvf, D3DFMT_VERTEXDATA, pool};
    RT_LOCK(&device->base);

    return out ? rt_buffer_create(device, &desc, (struct rt_buffer **)out) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d8_device_CreateIndexBuffer(IDirect3DDevice8 *iface, UINT length, DWORD usage, D3DFORMAT format,
                                             D3DPOOL pool, IDirect3DIndexBuffer8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    const struct rt_buffer_desc desc = {D3DRTYPE_INDEXBUFFER, length, usage, 0, format, pool};
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32)
        return D3DERR_INVALIDCALL;
    return rt_buffer_create(device, &desc, (struct rt_buffer **)out);
}

/* --- surfaces -------------------------------------------------------------------------- */

static HRESULT create_surface(struct rt_device *device, const struct rt_surface_desc *desc, bool lockable,
                              IDirect3DSurface8 **out)
{
    const struct rt_format *format = rt_format_info(desc->format);
    struct rt_surface *surface;
    HRESULT hr;

    *out = NULL;
    if (!format || !desc->width || !desc->height || desc->width > 32768 || desc->height > 32768)
        return D3DERR_INVALIDCALL;
    hr = rt_surface_create(device, desc, lockable, &surface);
    if (SUCCEEDED(hr))
        *out = (IDirect3DSurface8 *)surface;
    return hr;
}

HRESULT WINAPI d3d8_device_CreateRenderTarget(IDirect3DDevice8 *iface, UINT width, UINT height, D3DFORMAT format,
                                              D3DMULTISAMPLE_TYPE samples, BOOL lockable, IDirect3DSurface8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface_desc desc = {.format = format,
                                   .usage = D3DUSAGE_RENDERTARGET,
                                   .pool = D3DPOOL_DEFAULT,
                                   .samples = samples,
                                   .width = width,
                                   .height = height};
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out || format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (FAILED(rt_check_format(device->adapter, device->frame->display_format, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE,
                               format)) ||
        (samples && lockable))
        return D3DERR_INVALIDCALL;
    hr = rt_check_multisample(device->adapter, format, samples, NULL);
    return FAILED(hr) ? hr : create_surface(device, &desc, lockable, out);
}

HRESULT WINAPI d3d8_device_CreateDepthStencilSurface(IDirect3DDevice8 *iface, UINT width, UINT height, D3DFORMAT format,
                                                     D3DMULTISAMPLE_TYPE samples, IDirect3DSurface8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface_desc desc = {.format = format,
                                   .usage = D3DUSAGE_DEPTHSTENCIL,
                                   .pool = D3DPOOL_DEFAULT,
                                   .samples = samples,
                                   .width = width,
                                   .height = height};
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out || format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (rt_format_info(format) && rt_format_info(format)->flags & RT_FORMAT_VENDOR)
        return E_INVALIDARG;
    if (FAILED(rt_check_format(device->adapter, device->frame->display_format, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE,
                               format)))
        return D3DERR_INVALIDCALL;
    hr = rt_check_multisample(device->adapter, format, samples, NULL);
    return FAILED(hr) ? hr : create_surface(device, &desc, format == D3DFMT_D16_LOCKABLE && !samples, out);
}

HRESULT WINAPI d3d8_device_CreateImageSurface(IDirect3DDevice8 *iface, UINT width, UINT height, D3DFORMAT format,
                                              IDirect3DSurface8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    const struct rt_format *info = rt_format_of(d3d8_driver_rules.format_level, format);
    struct rt_surface_desc desc = {.format = format, .pool = D3DPOOL_SYSTEMMEM, .width = width, .height = height};
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!info || ((info->flags & RT_FORMAT_BLOCKS) && (width % info->block_width || height % info->block_height)))
        return D3DERR_INVALIDCALL;
    /* Depth formats that the adapter does not support are refused here. */
    if ((info->flags & RT_FORMAT_DEPTH) &&
        FAILED(rt_check_format(device->adapter, device->frame->display_format, 0, D3DRTYPE_SURFACE, format)))
        return D3DERR_INVALIDCALL;
    return create_surface(device, &desc, true, out);
}

/* --- copies ---------------------------------------------------------------------------- */

static bool rect_fits(const RECT *r, const struct rt_surface_desc *desc)
{
    return r->left >= 0 && r->top >= 0 && r->left < r->right && r->top < r->bottom && r->right <= (LONG)desc->width &&
           r->bottom <= (LONG)desc->height;
}

static HRESULT copy_rect(struct rt_surface *source, const RECT *from, struct rt_surface *destination, const POINT *at)
{
    RECT to = {at->x, at->y, at->x + from->right - from->left, at->y + from->bottom - from->top};
    HRESULT hr;

    if (!rect_fits(from, &source->desc) || !rect_fits(&to, &destination->desc))
        return D3DERR_INVALIDCALL;
    hr = rt_surface_copy(destination, *at, source, from);
    if (SUCCEEDED(hr))
        rt_surface_written(destination, &to);
    return hr;
}

static bool surfaces_can_be_copied(const struct rt_surface *source, const struct rt_surface *destination)
{
    if (source->desc.format != destination->desc.format || rt_format_is_depth(source->desc.format))
        return false;
    if (source->device != destination->device || source->locked || destination->locked)
        return false;
    return !destination->desc.samples || destination->desc.samples == source->desc.samples;
}

HRESULT WINAPI d3d8_device_CopyRects(IDirect3DDevice8 *iface, IDirect3DSurface8 *from, const RECT *rects, UINT count,
                                     IDirect3DSurface8 *to, const POINT *points)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *source = rt_surface_of(from), *destination = rt_surface_of(to);
    HRESULT hr = D3D_OK;
    RT_LOCK(&device->base);

    if (!source || !destination || source == destination || !surfaces_can_be_copied(source, destination) ||
        !rt_surface_memory(source) || !rt_surface_memory(destination))
        return D3DERR_INVALIDCALL;
    if (!rects || !count) {
        RECT all = {0, 0, (LONG)source->desc.width, (LONG)source->desc.height};
        POINT origin = {0, 0};
        return copy_rect(source, &all, destination, points ? points : &origin);
    }
    for (UINT i = 0; i < count && SUCCEEDED(hr); i++) {
        POINT same = {rects[i].left, rects[i].top};
        hr = copy_rect(source, &rects[i], destination, points ? &points[i] : &same);
    }
    return hr;
}

HRESULT WINAPI d3d8_device_UpdateTexture(IDirect3DDevice8 *iface, IDirect3DBaseTexture8 *from,
                                         IDirect3DBaseTexture8 *to)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_texture *source = rt_texture_of(from), *destination = rt_texture_of(to);
    RT_LOCK(&device->base);

    if (!source || !destination || source->type != destination->type || source->pool != D3DPOOL_SYSTEMMEM ||
        destination->pool != D3DPOOL_DEFAULT)
        return D3DERR_INVALIDCALL;
    rt_texture_update(source, destination);
    return D3D_OK;
}

/* --- targets --------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetRenderTarget(IDirect3DDevice8 *iface, IDirect3DSurface8 *new_target,
                                           IDirect3DSurface8 *new_depth)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *target = rt_surface_of(new_target), *depth = rt_surface_of(new_depth);
    RT_LOCK(&device->base);

    if (target && !rt_surface_can_be_bound(device, target, D3DUSAGE_RENDERTARGET))
        return D3DERR_INVALIDCALL;
    if (depth && !rt_surface_can_be_bound(device, depth, D3DUSAGE_DEPTHSTENCIL))
        return D3DERR_INVALIDCALL;
    if (!target)
        target = device->target[0];
    if (!target)
        return D3DERR_INVALIDCALL;
    if (depth && (depth->desc.width < target->desc.width || depth->desc.height < target->desc.height ||
                  depth->desc.samples != target->desc.samples))
        return D3DERR_INVALIDCALL;
    rt_device_bind_target_and_depth(device, target, depth);
    if (new_target)
        rt_device_reset_viewport(device);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetRenderTarget(IDirect3DDevice8 *iface, IDirect3DSurface8 **out)
{
    RT_LOCK(&rt_device_of(iface)->base);

    return rt_device_get_surface(rt_device_of(iface)->target[0], (void **)out);
}

HRESULT WINAPI d3d8_device_GetDepthStencilSurface(IDirect3DDevice8 *iface, IDirect3DSurface8 **out)
{
    RT_LOCK(&rt_device_of(iface)->base);

    return rt_device_get_surface(rt_device_of(iface)->depth, (void **)out);
}
