/* SPDX-License-Identifier: MIT */
/* Volumes: the levels of volume textures, and their locks. */
#include "runtime/common/object/volume.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/driver/formats.h"

/* --- locks ----------------------------------------------------------------------------- */

static bool is_aligned(UINT low, UINT high, UINT size, unsigned block)
{
    return !(low % block) && (!(high % block) || high == size);
}

static bool box_is_valid(const struct rt_volume *volume, const D3DBOX *box)
{
    const struct rt_format *format = rt_format_info(volume->texture->format);

    if (box->Left >= box->Right || box->Top >= box->Bottom || box->Front >= box->Back || box->Right > volume->width ||
        box->Bottom > volume->height || box->Back > volume->depth)
        return false;
    if (!(format->flags & RT_FORMAT_BLOCKS))
        return true;
    return is_aligned(box->Left, box->Right, volume->width, format->block_width) &&
           is_aligned(box->Top, box->Bottom, volume->height, format->block_height);
}

static bool is_lockable(const struct rt_volume *volume)
{
    return volume->texture->pool != RT_POOL_DEFAULT || (volume->texture->usage & D3DUSAGE_DYNAMIC);
}

static struct rt_chain *volume_memory(const struct rt_volume *volume)
{
    return volume->texture->system ? volume->texture->system : volume->texture->video;
}

/* `rule`: the lock rule that keeps *locked. */
static HRESULT refuse_lock(const struct rt_volume *volume, D3DLOCKED_BOX *locked, enum rt_lock_rule rule)
{
    if (!(volume->device->api->lock_rules[RT_LOCKABLE_VOLUME] & rule)) {
        locked->pBits = NULL;
        locked->RowPitch = locked->SlicePitch = 0;
    }
    return D3DERR_INVALIDCALL;
}

HRESULT rt_volume_lock(struct rt_volume *volume, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags)
{
    const struct rt_format *format = rt_format_info(volume->texture->format);
    struct rt_mapping map;
    HRESULT hr;

    if (!locked)
        return D3DERR_INVALIDCALL;
    if (volume->locked)
        return refuse_lock(volume, locked, RT_LOCK_SECOND_KEEPS_OUT);
    if (!is_lockable(volume) || (box && !box_is_valid(volume, box)) ||
        rt_lock_contradicts(volume->texture->pool, flags))
        return refuse_lock(volume, locked, RT_LOCK_REFUSED_KEEPS_OUT);
    if (box || !(volume->texture->usage & D3DUSAGE_DYNAMIC))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    hr = rt_chain_lock(volume_memory(volume), volume->part, flags & ~(DWORD)D3DLOCK_NOOVERWRITE, &map);
    if (FAILED(hr)) {
        refuse_lock(volume, locked, RT_LOCK_REFUSED_KEEPS_OUT);
        return hr;
    }
    locked->RowPitch = (INT)map.pitch;
    locked->SlicePitch = (INT)map.slice_pitch;
    locked->pBits = map.bits;
    if (box)
        locked->pBits = map.bits + box->Front * map.slice_pitch + box->Top / format->block_height * map.pitch +
                        box->Left / format->block_width * (size_t)format->block_bytes;
    volume->locked = true;
    volume->lock_flags = flags;
    volume->lock_box = box ? *box : (D3DBOX){0, 0, volume->width, volume->height, 0, volume->depth};
    return D3D_OK;
}

HRESULT rt_volume_unlock(struct rt_volume *volume)
{
    if (!volume->locked)
        return D3DERR_INVALIDCALL;
    volume->locked = false;
    rt_chain_unlock(volume_memory(volume), volume->part);
    rt_texture_written(volume->texture, 0, volume->part, &volume->lock_box, volume->lock_flags);
    return D3D_OK;
}

/* --- methods --------------------------------------------------------------------------- */

HRESULT WINAPI rt_volume_GetContainer(void *iface, const GUID *riid, void **out)
{
    IUnknown *texture = (IUnknown *)rt_volume_of(iface)->texture;

    return texture->lpVtbl->QueryInterface(texture, riid, out);
}

HRESULT WINAPI rt_volume_LockBox(void *iface, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags)
{
    struct rt_volume *volume = rt_volume_of(iface);
    RT_LOCK(&volume->device->base);

    return rt_volume_lock(volume, locked, box, flags);
}

HRESULT WINAPI rt_volume_UnlockBox(void *iface)
{
    struct rt_volume *volume = rt_volume_of(iface);
    RT_LOCK(&volume->device->base);

    return rt_volume_unlock(volume);
}

/* --- life ------------------------------------------------------------------------------ */

unsigned rt_volume_bytes(const struct rt_volume *volume)
{
    const struct rt_format *format = rt_format_info(volume->texture->format);

    return (unsigned)BASE_MIN(
        rt_format_pitch(format, volume->width) * rt_format_rows(format, volume->height) * volume->depth, UINT32_MAX);
}

void rt_volume_init(struct rt_volume *volume, struct rt_texture *texture, unsigned part)
{
    rt_object_init_level(volume, texture->device, RT_KIND_VOLUME, &texture->res);
    volume->texture = texture;
    volume->part = part;
    volume->width = rt_level_size(texture->width, part);
    volume->height = rt_level_size(texture->height, part);
    volume->depth = rt_level_size(texture->depth, part);
}
