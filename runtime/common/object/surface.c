/* SPDX-License-Identifier: MIT */
/* Surfaces: levels of textures, targets, and surfaces of their own; their memory and locks. */
#include "runtime/common/object/surface.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/driver/formats.h"
#include "runtime/common/object/surface_twin.h"

/* --- memory ---------------------------------------------------------------------------- */

struct rt_chain *rt_surface_memory(const struct rt_surface *surface)
{
    if (!surface->texture)
        return rt_surface_video(surface);
    return surface->texture->system ? surface->texture->system : surface->texture->video;
}

struct rt_chain *rt_surface_video(const struct rt_surface *surface)
{
    if (surface->texture)
        return surface->texture->video;
    return surface->on_twin ? surface->twin : surface->chain;
}

unsigned rt_surface_part(const struct rt_surface *surface, const struct rt_chain *chain)
{
    const struct rt_texture *texture = surface->texture;

    if (!texture)
        return chain == surface->chain ? surface->part : 0;
    /* The driver's side may have levels that are invisible to the program. */
    return surface->part / texture->levels * chain->desc.levels + surface->part % texture->levels;
}

unsigned rt_surface_times(const struct rt_surface *surface)
{
    const struct rt_chain *chain = rt_surface_video(surface);

    if (!chain || !surface->desc.width)
        return 1;
    return BASE_MAX(chain->parts[rt_surface_part(surface, chain)].width / surface->desc.width, 1u);
}

RECT rt_surface_texels(const struct rt_surface *surface, const RECT *rect)
{
    const LONG times = (LONG)rt_surface_times(surface);

    return (RECT){rect->left * times, rect->top * times, rect->right * times, rect->bottom * times};
}

static struct rt_view_of view_of(const struct rt_surface *surface)
{
    struct rt_chain *chain = rt_surface_memory(surface);

    return (struct rt_view_of){chain, rt_surface_part(surface, chain), rt_surface_times(surface)};
}

HRESULT rt_surface_copy(struct rt_surface *destination, POINT at, struct rt_surface *source, const RECT *rect)
{
    const struct rt_view_of to = view_of(destination), from = view_of(source);
    const RECT place = {at.x, at.y, at.x + rect->right - rect->left, at.y + rect->bottom - rect->top};
    RECT read, written;

    if (to.times != from.times && destination->desc.samples)
        return D3DERR_INVALIDCALL;
    if (to.times != from.times)
        return rt_view_copy(&to, at, &from, rect);
    read = rt_surface_texels(source, rect);
    written = rt_surface_texels(destination, &place);
    return rt_chain_blt(to.chain, to.part, &written, from.chain, from.part, &read, 0);
}

uint32_t rt_surface_handle(const struct rt_surface *surface)
{
    const struct rt_chain *chain = rt_surface_video(surface);

    return chain ? rt_chain_handle(chain, rt_surface_part(surface, chain)) : 0;
}

unsigned rt_surface_bytes(const struct rt_surface_desc *desc)
{
    const struct rt_format *format = rt_format_info(desc->format);

    return format ? (unsigned)BASE_MIN(rt_format_pitch(format, desc->width) * rt_format_rows(format, desc->height),
                                       UINT32_MAX)
                  : 0;
}

static RECT full_rect(const struct rt_surface *surface)
{
    return (RECT){0, 0, (LONG)surface->desc.width, (LONG)surface->desc.height};
}

/* --- locks ----------------------------------------------------------------------------- */

static bool rect_is_valid(const struct rt_surface *surface, const RECT *rect)
{
    const struct rt_format *format = rt_format_info(surface->desc.format);
    LONG width = (LONG)surface->desc.width, height = (LONG)surface->desc.height;

    if (rect->left < 0 || rect->top < 0 || rect->left >= rect->right || rect->top >= rect->bottom ||
        rect->right > width || rect->bottom > height)
        return false;
    if (surface->desc.pool != RT_POOL_DEFAULT)
        return true;
    return !(rect->left % format->block_width) && !(rect->top % format->block_height) &&
           (!(rect->right % format->block_width) || rect->right == width) &&
           (!(rect->bottom % format->block_height) || rect->bottom == height);
}

/* A device context locks all levels and faces of its texture. */
static bool has_dc(const struct rt_surface *surface)
{
    return surface->dc.dc || (surface->texture && surface->texture->has_dc);
}

/* Start and pitch of a lock: the driver's layout for its memory, the original runtime's for ours. */
static void describe_lock(const struct rt_surface *surface, const struct rt_mapping *map, const RECT *rect,
                          D3DLOCKED_RECT *locked)
{
    const struct rt_format *format = rt_format_info(surface->desc.format);
    const bool byte_texels = surface->desc.pool != RT_POOL_DEFAULT && format->flags & RT_FORMAT_BYTE_TEXELS;
    const bool bytes_alone = byte_texels || format->flags & RT_FORMAT_PLANAR; /* PLANAR: its luma */
    const LONG width = bytes_alone ? 1 : format->block_width, height = bytes_alone ? 1 : format->block_height;
    const LONG bytes = bytes_alone ? 1 : format->block_bytes;

    locked->Pitch = (INT)map->pitch;
    if (byte_texels)
        locked->Pitch = (INT)rt_format_lock_pitch(format, surface->desc.width, surface->desc.height);
    locked->pBits = map->bits;
    if (rect)
        locked->pBits =
            map->bits + (ptrdiff_t)(rect->top / height) * locked->Pitch + (ptrdiff_t)(rect->left / width) * bytes;
}

/* `rule`: the lock rule that keeps *locked. In the default pool it is always cleared: DXVK found that on Windows,
 * with both versions and all kinds of surfaces. */
static HRESULT refuse_lock(const struct rt_surface *surface, D3DLOCKED_RECT *locked, enum rt_lock_rule rule)
{
    if (surface->desc.pool == RT_POOL_DEFAULT || !(surface->lock_rules & rule)) {
        locked->pBits = NULL;
        locked->Pitch = 0;
    }
    return D3DERR_INVALIDCALL;
}

static HRESULT lock_memory(struct rt_surface *surface, DWORD flags, struct rt_mapping *map)
{
    const struct rt_view_of of = view_of(surface);

    if (of.times > 1)
        return rt_view_open(&of, flags, &surface->view, map);
    return rt_chain_lock(of.chain, of.part, flags & ~(DWORD)D3DLOCK_NOOVERWRITE, map);
}

static void unlock_memory(struct rt_surface *surface)
{
    struct rt_chain *chain = rt_surface_memory(surface);

    if (surface->view)
        rt_view_close(surface->view);
    else
        rt_chain_unlock(chain, rt_surface_part(surface, chain));
    surface->view = NULL;
}

HRESULT rt_surface_lock(struct rt_surface *surface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    const struct rt_format *format = rt_format_info(surface->desc.format);
    const bool any_rect = (surface->lock_rules & RT_LOCK_ANY_RECT) && surface->desc.pool != RT_POOL_DEFAULT;
    struct rt_chain *chain = rt_surface_memory(surface);
    struct rt_mapping map;
    HRESULT hr;

    if (!locked)
        return D3DERR_INVALIDCALL;
    if (surface->locked || has_dc(surface))
        return refuse_lock(surface, locked, RT_LOCK_SECOND_KEEPS_OUT);
    if (!surface->lockable || !chain || !format || (rect && !any_rect && !rect_is_valid(surface, rect)) ||
        rt_lock_contradicts(surface->desc.pool, flags))
        return refuse_lock(surface, locked, RT_LOCK_REFUSED_KEEPS_OUT);
    /* Only a discard of the whole surface of a dynamic texture may lose the old contents. */
    if (rect || !(surface->desc.usage & D3DUSAGE_DYNAMIC))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    hr = lock_memory(surface, flags, &map);
    if (FAILED(hr)) {
        refuse_lock(surface, locked, RT_LOCK_REFUSED_KEEPS_OUT);
        return hr;
    }
    describe_lock(surface, &map, rect, locked);
    surface->locked = true;
    surface->lock_flags = flags;
    surface->lock_rect = rect ? *rect : full_rect(surface);
    return D3D_OK;
}

static void tell_texture(struct rt_surface *surface, const RECT *r, DWORD lock_flags)
{
    D3DBOX box = {(UINT)r->left, (UINT)r->top, (UINT)r->right, (UINT)r->bottom, 0, 1};
    unsigned levels = surface->texture->levels;

    if (r->left < 0 || r->top < 0)
        box.Left = box.Right = 0;
    rt_texture_written(surface->texture, surface->part / levels, surface->part % levels, &box, lock_flags);
}

HRESULT rt_surface_unlock(struct rt_surface *surface)
{
    /* ReleaseDC ends that lock. */
    if (has_dc(surface))
        return D3D_OK;
    if (!surface->locked)
        return (surface->lock_rules & RT_LOCK_UNLOCK_ANYTIME) && surface->lockable ? D3D_OK : D3DERR_INVALIDCALL;
    surface->locked = false;
    unlock_memory(surface);
    if (surface->texture)
        tell_texture(surface, &surface->lock_rect, surface->lock_flags);
    return D3D_OK;
}

void rt_surface_written(struct rt_surface *surface, const RECT *rect)
{
    const RECT all = full_rect(surface);

    if (surface->texture)
        tell_texture(surface, rect ? rect : &all, 0);
}

/* --- methods --------------------------------------------------------------------------- */

HRESULT WINAPI rt_surface_GetContainer(void *iface, const GUID *riid, void **out)
{
    struct rt_surface *surface = rt_surface_of(iface);
    IUnknown *container = surface->container ? surface->container : (IUnknown *)surface->device;

    return container->lpVtbl->QueryInterface(container, riid, out);
}

HRESULT WINAPI rt_surface_LockRect(void *iface, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    struct rt_surface *surface = rt_surface_of(iface);
    RT_LOCK(&surface->device->base);

    return rt_surface_lock(surface, locked, rect, flags);
}

HRESULT WINAPI rt_surface_UnlockRect(void *iface)
{
    struct rt_surface *surface = rt_surface_of(iface);
    RT_LOCK(&surface->device->base);

    return rt_surface_unlock(surface);
}

D3DRESOURCETYPE WINAPI rt_surface_GetType(void *iface)
{
    (void)iface;
    return D3DRTYPE_SURFACE;
}

/* --- life ------------------------------------------------------------------------------ */

static void surface_destroy(struct rt_resource *resource)
{
    struct rt_surface *surface = RT_FROM_RES(rt_surface, resource);

    rt_view_drop(surface->view);
    rt_surface_free_twin(surface);
    if (surface->owns_chain)
        rt_chain_destroy(surface->chain);
    if (surface->in_default_pool)
        surface->device->default_pool_count--;
    free(surface);
}

static const struct rt_resource_ops surface_ops = {surface_destroy};

static HRESULT create(struct rt_device *device, const struct rt_surface_desc *desc, const struct rt_chain_desc *memory,
                      bool lockable, struct rt_surface **out)
{
    struct rt_surface *surface = mem_calloc(1, sizeof(*surface));
    HRESULT hr;

    *out = NULL;
    if (!surface)
        return E_OUTOFMEMORY;
    hr = rt_chain_create(device->link, memory, &surface->chain);
    if (FAILED(hr)) {
        free(surface);
        return hr;
    }
    surface->owns_chain = true;
    surface->desc = *desc;
    surface->lockable = lockable;
    surface->lock_rules = device->api->lock_rules[RT_LOCKABLE_SURFACE];
    surface->in_default_pool = desc->pool == RT_POOL_DEFAULT;
    if (surface->in_default_pool)
        device->default_pool_count++;
    rt_object_init(surface, device, RT_KIND_SURFACE, &surface_ops, false);
    *out = surface;
    return D3D_OK;
}

static struct rt_chain_desc surface_chain_desc(const struct rt_surface_desc *desc)
{
    struct rt_chain_desc chain = {.kind = RT_CHAIN_PLAIN,
                                  .memory = RT_MEMORY_SYSTEM,
                                  .format = desc->format,
                                  .width = desc->width,
                                  .height = desc->height,
                                  .depth = 1,
                                  .samples = desc->samples};

    if (desc->pool == RT_POOL_SCRATCH)
        chain.memory = RT_MEMORY_UNSHARED;
    if (desc->pool == RT_POOL_DEFAULT) {
        chain.memory = RT_MEMORY_VIDEO;
        if (desc->usage & D3DUSAGE_DEPTHSTENCIL)
            chain.kind = RT_CHAIN_DEPTH;
        else if (desc->usage & D3DUSAGE_RENDERTARGET)
            chain.kind = RT_CHAIN_TARGET;
    }
    return chain;
}

HRESULT rt_surface_create(struct rt_device *device, const struct rt_surface_desc *desc, bool lockable,
                          struct rt_surface **surface)
{
    const struct rt_resolution_use use = {.width = desc->width, .height = desc->height, .usage = desc->usage};
    struct rt_chain_desc chain = surface_chain_desc(desc);

    if (desc->pool == RT_POOL_DEFAULT) {
        chain.width *= rt_resolution_times(&device->resolution, &use);
        chain.height *= rt_resolution_times(&device->resolution, &use);
    }
    return create(device, desc, &chain, lockable, surface);
}

HRESULT rt_surface_create_over(struct rt_device *device, const struct rt_surface_desc *desc, void *memory, size_t pitch,
                               struct rt_surface **surface)
{
    struct rt_chain_desc chain = surface_chain_desc(desc);

    chain.user_memory = memory;
    chain.user_pitch = pitch;
    return create(device, desc, &chain, true, surface);
}

struct rt_surface *rt_surface_wrap(struct rt_device *device, struct rt_chain *chain, unsigned part,
                                   const struct rt_surface_desc *desc, bool lockable)
{
    struct rt_surface *surface = mem_calloc(1, sizeof(*surface));

    if (!surface)
        return NULL;
    surface->chain = chain;
    surface->part = part;
    surface->desc = *desc;
    surface->lockable = lockable;
    surface->lock_rules = device->api->lock_rules[RT_LOCKABLE_SURFACE];
    rt_object_init(surface, device, RT_KIND_SURFACE, &surface_ops, true);
    return surface;
}

void rt_surface_init_level(struct rt_surface *surface, struct rt_texture *texture, unsigned part,
                           const struct rt_surface_desc *desc)
{
    const bool face = texture->type == D3DRTYPE_CUBETEXTURE;

    rt_object_init_level(surface, texture->device, RT_KIND_SURFACE, &texture->res);
    surface->texture = texture;
    surface->container = (IUnknown *)texture;
    surface->part = part;
    surface->desc = *desc;
    surface->lock_rules = texture->device->api->lock_rules[face ? RT_LOCKABLE_FACE : RT_LOCKABLE_LEVEL];
    surface->lockable = texture->pool != RT_POOL_DEFAULT || (texture->usage & D3DUSAGE_DYNAMIC) ||
                        rt_format_info(texture->format)->flags & RT_FORMAT_VENDOR;
}
