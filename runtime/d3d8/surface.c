/* SPDX-License-Identifier: MIT */
#include "runtime/d3d8/d3d8_objects.h"

/* The chain and memory the program's locks go to. */
static struct rt_chain *surface_memory(const struct d3d8_surface *surface)
{
    if (!surface->texture)
        return surface->chain;
    return surface->texture->system ? surface->texture->system : surface->texture->video;
}

struct rt_chain *d3d8_surface_video(struct d3d8_surface *surface)
{
    return surface->texture ? surface->texture->video : surface->chain;
}

void d3d8_surface_hold(struct d3d8_surface *surface)
{
    rt_resource_hold(surface->texture ? &surface->texture->res : &surface->res);
}

void d3d8_surface_unhold(struct d3d8_surface *surface)
{
    rt_resource_unhold(surface->texture ? &surface->texture->res : &surface->res);
}

static HRESULT WINAPI surface_QueryInterface(IDirect3DSurface8 *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3DSurface8, &IID_IUnknown, NULL};

    return d3d8_query(iface, riid, ids, out);
}

static ULONG WINAPI surface_AddRef(IDirect3DSurface8 *iface)
{
    struct d3d8_surface *surface = d3d8_surface_of(iface);

    return rt_resource_addref(surface->texture ? &surface->texture->res : &surface->res);
}

static ULONG WINAPI surface_Release(IDirect3DSurface8 *iface)
{
    struct d3d8_surface *surface = d3d8_surface_of(iface);

    return rt_resource_release(surface->texture ? &surface->texture->res : &surface->res);
}

static HRESULT WINAPI surface_GetContainer(IDirect3DSurface8 *iface, REFIID riid, void **out)
{
    struct d3d8_surface *surface = d3d8_surface_of(iface);

    if (surface->texture)
        return IDirect3DBaseTexture8_QueryInterface(&surface->texture->iface.base, riid, out);
    return IDirect3DDevice8_QueryInterface(&surface->device->iface, riid, out);
}

static HRESULT WINAPI surface_GetDesc(IDirect3DSurface8 *iface, D3DSURFACE_DESC *desc)
{
    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = d3d8_surface_of(iface)->desc;
    return D3D_OK;
}

/* Levels of plain 2D textures outside the default pool take any rectangle, as the original did. */
static bool is_lenient(const struct d3d8_surface *surface)
{
    return surface->texture && surface->texture->type == D3DRTYPE_TEXTURE;
}

static bool rect_is_valid(const struct d3d8_surface *surface, const RECT *rect)
{
    const struct rt_format *format = rt_format_info(surface->desc.Format);
    LONG width = (LONG)surface->desc.Width, height = (LONG)surface->desc.Height;

    if (rect->left < 0 || rect->top < 0 || rect->left >= rect->right || rect->top >= rect->bottom ||
        rect->right > width || rect->bottom > height)
        return false;
    if (surface->desc.Pool != D3DPOOL_DEFAULT)
        return true;
    return !(rect->left % format->block_width) && !(rect->top % format->block_height) &&
           (!(rect->right % format->block_width) || rect->right == width) &&
           (!(rect->bottom % format->block_height) || rect->bottom == height);
}

static HRESULT refuse_lock(const struct d3d8_surface *surface, D3DLOCKED_RECT *locked, bool clear)
{
    (void)surface;
    if (clear) {
        locked->pBits = NULL;
        locked->Pitch = 0;
    }
    return D3DERR_INVALIDCALL;
}

HRESULT d3d8_surface_lock(struct d3d8_surface *surface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    const struct rt_format *format = rt_format_info(surface->desc.Format);
    struct rt_chain *chain = surface_memory(surface);
    struct rt_mapping map;
    HRESULT hr;

    if (!locked)
        return D3DERR_INVALIDCALL;
    if (surface->locked)
        return refuse_lock(surface, locked, !is_lenient(surface));
    if (!surface->lockable || !chain || !format)
        return refuse_lock(surface, locked, true);
    if (rect && !(is_lenient(surface) && surface->desc.Pool != D3DPOOL_DEFAULT) && !rect_is_valid(surface, rect))
        return refuse_lock(surface, locked, true);
    /* Only whole-surface discards of dynamic textures may lose the old contents. */
    if (rect || !(surface->desc.Usage & D3DUSAGE_DYNAMIC))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    hr = rt_chain_lock(chain, surface->part, flags & ~(DWORD)D3DLOCK_NOOVERWRITE, &map);
    if (FAILED(hr)) {
        refuse_lock(surface, locked, true);
        return hr;
    }
    locked->Pitch = (INT)map.pitch;
    locked->pBits = map.bits;
    if (rect)
        locked->pBits = map.bits + (ptrdiff_t)(rect->top / format->block_height) * (ptrdiff_t)map.pitch +
                        (ptrdiff_t)(rect->left / format->block_width) * format->block_bytes;
    surface->locked = true;
    surface->lock_flags = flags;
    SetRect(&surface->lock_rect, 0, 0, (int)surface->desc.Width, (int)surface->desc.Height);
    if (rect)
        surface->lock_rect = *rect;
    return D3D_OK;
}

HRESULT d3d8_surface_unlock(struct d3d8_surface *surface)
{
    if (!surface->locked)
        return is_lenient(surface) && surface->lockable ? D3D_OK : D3DERR_INVALIDCALL;
    surface->locked = false;
    rt_chain_unlock(surface_memory(surface), surface->part);
    if (surface->texture) {
        const RECT *r = &surface->lock_rect;
        D3DBOX box = {(UINT)r->left, (UINT)r->top, (UINT)r->right, (UINT)r->bottom, 0, 1};
        unsigned levels = surface->texture->levels;
        if (r->left < 0 || r->top < 0)
            box.Left = box.Right = 0;
        d3d8_texture_written(surface->texture, surface->part / levels, surface->part % levels, &box,
                             surface->lock_flags);
    }
    return D3D_OK;
}

static HRESULT WINAPI surface_LockRect(IDirect3DSurface8 *iface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    struct d3d8_surface *surface = d3d8_surface_of(iface);
    RT_LOCK(&surface->device->base);

    return d3d8_surface_lock(surface, locked, rect, flags);
}

static HRESULT WINAPI surface_UnlockRect(IDirect3DSurface8 *iface)
{
    struct d3d8_surface *surface = d3d8_surface_of(iface);
    RT_LOCK(&surface->device->base);

    return d3d8_surface_unlock(surface);
}

static const IDirect3DSurface8Vtbl surface_vtbl = {
    surface_QueryInterface,
    surface_AddRef,
    surface_Release,
    (void *)d3d8_object_get_device,
    (void *)d3d8_object_set_private_data,
    (void *)d3d8_object_get_private_data,
    (void *)d3d8_object_free_private_data,
    surface_GetContainer,
    surface_GetDesc,
    surface_LockRect,
    surface_UnlockRect,
};

static void surface_destroy(struct rt_resource *resource)
{
    struct d3d8_surface *surface = D3D8_FROM_RES(d3d8_surface, resource);

    if (surface->owns_chain)
        rt_chain_destroy(surface->chain);
    if (surface->default_pool)
        surface->device->default_pool_count--;
    free(surface);
}

static const struct rt_resource_ops surface_ops = {surface_destroy};

static UINT surface_bytes(const D3DSURFACE_DESC *desc)
{
    const struct rt_format *format = rt_format_info(desc->Format);

    return format ? (UINT)(rt_format_pitch(format, desc->Width) * rt_format_rows(format, desc->Height)) : 0;
}

static struct d3d8_surface *allocate(struct d3d8_device *device, const D3DSURFACE_DESC *desc, bool lockable)
{
    struct d3d8_surface *surface = mem_calloc(1, sizeof(*surface));

    if (!surface)
        return NULL;
    surface->iface.lpVtbl = (IDirect3DSurface8Vtbl *)&surface_vtbl;
    surface->device = device;
    surface->desc = *desc;
    surface->desc.Type = D3DRTYPE_SURFACE;
    surface->desc.Size = surface_bytes(desc);
    surface->lockable = lockable;
    return surface;
}

HRESULT d3d8_surface_create(struct d3d8_device *device, const D3DSURFACE_DESC *desc, bool lockable,
                            struct d3d8_surface **out)
{
    struct rt_chain_desc chain = {.kind = RT_CHAIN_PLAIN,
                                  .memory = RT_MEMORY_SYSTEM,
                                  .format = desc->Format,
                                  .width = desc->Width,
                                  .height = desc->Height,
                                  .depth = 1,
                                  .samples = desc->MultiSampleType};
    struct d3d8_surface *surface = allocate(device, desc, lockable);
    HRESULT hr;

    *out = NULL;
    if (!surface)
        return E_OUTOFMEMORY;
    if (desc->Pool == D3DPOOL_DEFAULT) {
        chain.memory = RT_MEMORY_VIDEO;
        chain.kind = desc->Usage & D3DUSAGE_DEPTHSTENCIL ? RT_CHAIN_DEPTH : RT_CHAIN_TARGET;
    }
    hr = rt_chain_create(device->link, &chain, &surface->chain);
    if (FAILED(hr)) {
        free(surface);
        return hr;
    }
    surface->owns_chain = true;
    if (desc->Pool == D3DPOOL_DEFAULT) {
        surface->default_pool = true;
        device->default_pool_count++;
    }
    rt_resource_init(&surface->res, &device->base, &surface_ops, false);
    *out = surface;
    return D3D_OK;
}

struct d3d8_surface *d3d8_surface_wrap(struct d3d8_device *device, struct rt_chain *chain, unsigned part,
                                       const D3DSURFACE_DESC *desc, bool lockable)
{
    struct d3d8_surface *surface = allocate(device, desc, lockable);

    if (!surface)
        return NULL;
    surface->chain = chain;
    surface->part = part;
    rt_resource_init(&surface->res, &device->base, &surface_ops, true);
    return surface;
}

void d3d8_surface_init_level(struct d3d8_surface *surface, struct d3d8_texture *texture, unsigned part,
                             const D3DSURFACE_DESC *desc)
{
    surface->iface.lpVtbl = (IDirect3DSurface8Vtbl *)&surface_vtbl;
    surface->device = texture->device;
    surface->texture = texture;
    surface->part = part;
    surface->desc = *desc;
    surface->desc.Type = D3DRTYPE_SURFACE;
    surface->desc.Size = surface_bytes(desc);
    surface->lockable = texture->pool != D3DPOOL_DEFAULT || (texture->usage & D3DUSAGE_DYNAMIC) ||
                        rt_format_info(texture->format)->flags & RT_FORMAT_VENDOR;
}
