/* SPDX-License-Identifier: MIT */
/* Methods of textures. */
#include "runtime/common/object/texture_parts.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"

/* --- of all kinds ---------------------------------------------------------------------- */

DWORD WINAPI rt_texture_SetPriority(void *iface, DWORD priority)
{
    struct rt_texture *texture = rt_texture_of(iface);
    DWORD old = texture->res.priority;
    RT_LOCK(&texture->device->base);

    if (texture->pool != RT_POOL_MANAGED)
        return 0;
    texture->res.priority = priority;
    if (texture->video && priority != old)
        rt_texture_send_priority(texture);
    return old;
}

void WINAPI rt_texture_PreLoad(void *iface)
{
    struct rt_texture *texture = rt_texture_of(iface);
    RT_LOCK(&texture->device->base);

    if (texture->pool == RT_POOL_MANAGED)
        rt_texture_handle(&texture->res);
}

D3DRESOURCETYPE WINAPI rt_texture_GetType(void *iface)
{
    return rt_texture_of(iface)->type;
}

DWORD WINAPI rt_texture_SetLOD(void *iface, DWORD lod)
{
    struct rt_texture *texture = rt_texture_of(iface);
    DWORD old = texture->lod;
    RT_LOCK(&texture->device->base);

    if (texture->pool != RT_POOL_MANAGED)
        return 0;
    texture->lod = BASE_MIN(lod, texture->levels - 1);
    if (texture->video && texture->lod != old)
        rt_texture_send_lod(texture);
    return old;
}

DWORD WINAPI rt_texture_GetLOD(void *iface)
{
    return rt_texture_of(iface)->lod;
}

DWORD WINAPI rt_texture_GetLevelCount(void *iface)
{
    return rt_texture_of(iface)->levels;
}

/* --- surfaces: of one face, or of six -------------------------------------------------- */

/* NULL: no such face or level. */
static struct rt_surface *surface_at(struct rt_texture *texture, unsigned face, UINT level)
{
    if (face >= texture->faces || level >= texture->levels)
        return NULL;
    return &texture->surfaces[face * texture->levels + level];
}

static HRESULT get_surface(void *iface, unsigned face, UINT level, void **out)
{
    struct rt_surface *surface = surface_at(rt_texture_of(iface), face, level);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = surface;
    if (!surface)
        return D3DERR_INVALIDCALL;
    rt_object_AddRef(surface);
    return D3D_OK;
}

static HRESULT lock_rect(void *iface, unsigned face, UINT level, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    struct rt_texture *texture = rt_texture_of(iface);
    struct rt_surface *surface = surface_at(texture, face, level);
    RT_LOCK(&texture->device->base);

    return surface ? rt_surface_lock(surface, locked, rect, flags) : D3DERR_INVALIDCALL;
}

static HRESULT unlock_rect(void *iface, unsigned face, UINT level)
{
    struct rt_texture *texture = rt_texture_of(iface);
    struct rt_surface *surface = surface_at(texture, face, level);
    RT_LOCK(&texture->device->base);

    if (!surface)
        return D3DERR_INVALIDCALL;
    if (!surface->locked && surface->lockable && (surface->lock_rules & RT_LOCK_TEXTURE_UNLOCKS_ANYTIME))
        return D3D_OK;
    return rt_surface_unlock(surface);
}

static HRESULT add_dirty_rect(void *iface, unsigned face, const RECT *rect)
{
    struct rt_texture *texture = rt_texture_of(iface);
    RT_LOCK(&texture->device->base);

    return face < texture->faces ? rt_texture_add_dirty_rect(texture, face, rect) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI rt_texture_GetSurfaceLevel(void *iface, UINT level, void **surface)
{
    return get_surface(iface, 0, level, surface);
}

HRESULT WINAPI rt_texture_LockRect(void *iface, UINT level, D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    return lock_rect(iface, 0, level, locked, rect, flags);
}

HRESULT WINAPI rt_texture_UnlockRect(void *iface, UINT level)
{
    return unlock_rect(iface, 0, level);
}

HRESULT WINAPI rt_texture_AddDirtyRect(void *iface, const RECT *rect)
{
    return add_dirty_rect(iface, 0, rect);
}

HRESULT WINAPI rt_cube_GetCubeMapSurface(void *iface, D3DCUBEMAP_FACES face, UINT level, void **surface)
{
    return get_surface(iface, (unsigned)face, level, surface);
}

HRESULT WINAPI rt_cube_LockRect(void *iface, D3DCUBEMAP_FACES face, UINT level, D3DLOCKED_RECT *locked,
                                const RECT *rect, DWORD flags)
{
    return lock_rect(iface, (unsigned)face, level, locked, rect, flags);
}

HRESULT WINAPI rt_cube_UnlockRect(void *iface, D3DCUBEMAP_FACES face, UINT level)
{
    return unlock_rect(iface, (unsigned)face, level);
}

HRESULT WINAPI rt_cube_AddDirtyRect(void *iface, D3DCUBEMAP_FACES face, const RECT *rect)
{
    return add_dirty_rect(iface, (unsigned)face, rect);
}

/* --- volumes --------------------------------------------------------------------------- */

static struct rt_volume *volume_at(struct rt_texture *texture, UINT level)
{
    return level < texture->levels ? &texture->volumes[level] : NULL;
}

HRESULT WINAPI rt_volumes_GetVolumeLevel(void *iface, UINT level, void **out)
{
    struct rt_volume *volume = volume_at(rt_texture_of(iface), level);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = volume;
    if (!volume)
        return D3DERR_INVALIDCALL;
    rt_object_AddRef(volume);
    return D3D_OK;
}

HRESULT WINAPI rt_volumes_LockBox(void *iface, UINT level, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags)
{
    struct rt_texture *texture = rt_texture_of(iface);
    struct rt_volume *volume = volume_at(texture, level);
    RT_LOCK(&texture->device->base);

    return volume ? rt_volume_lock(volume, locked, box, flags) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI rt_volumes_UnlockBox(void *iface, UINT level)
{
    struct rt_texture *texture = rt_texture_of(iface);
    struct rt_volume *volume = volume_at(texture, level);
    RT_LOCK(&texture->device->base);

    return volume ? rt_volume_unlock(volume) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI rt_volumes_AddDirtyBox(void *iface, const D3DBOX *box)
{
    struct rt_texture *texture = rt_texture_of(iface);
    RT_LOCK(&texture->device->base);

    return rt_texture_add_dirty_box(texture, 0, box);
}
