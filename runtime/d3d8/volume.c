/* SPDX-License-Identifier: MIT */
#include "runtime/d3d8/d3d8_objects.h"

static struct d3d8_volume *volume_of(IDirect3DVolume8 *iface)
{
    return (struct d3d8_volume *)iface;
}

static HRESULT WINAPI volume_QueryInterface(IDirect3DVolume8 *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3DVolume8, &IID_IUnknown, NULL};

    return d3d8_query(iface, riid, ids, out);
}

static ULONG WINAPI volume_AddRef(IDirect3DVolume8 *iface)
{
    return rt_resource_addref(&volume_of(iface)->texture->res);
}

static ULONG WINAPI volume_Release(IDirect3DVolume8 *iface)
{
    return rt_resource_release(&volume_of(iface)->texture->res);
}

static HRESULT WINAPI volume_GetDevice(IDirect3DVolume8 *iface, IDirect3DDevice8 **device)
{
    return d3d8_get_device(volume_of(iface)->texture->device, device);
}

static HRESULT WINAPI volume_SetPrivateData(IDirect3DVolume8 *iface, REFGUID id, const void *data, DWORD size,
                                            DWORD flags)
{
    return rt_private_data_set(&volume_of(iface)->private_data, id, data, size, flags);
}

static HRESULT WINAPI volume_GetPrivateData(IDirect3DVolume8 *iface, REFGUID id, void *data, DWORD *size)
{
    return rt_private_data_get(volume_of(iface)->private_data, id, data, size);
}

static HRESULT WINAPI volume_FreePrivateData(IDirect3DVolume8 *iface, REFGUID id)
{
    return rt_private_data_free(&volume_of(iface)->private_data, id);
}

static HRESULT WINAPI volume_GetContainer(IDirect3DVolume8 *iface, REFIID riid, void **out)
{
    return IDirect3DBaseTexture8_QueryInterface(&volume_of(iface)->texture->iface.base, riid, out);
}

static HRESULT WINAPI volume_GetDesc(IDirect3DVolume8 *iface, D3DVOLUME_DESC *desc)
{
    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = volume_of(iface)->desc;
    return D3D_OK;
}

static bool is_aligned(UINT low, UINT high, UINT size, unsigned block)
{
    return !(low % block) && (!(high % block) || high == size);
}

static bool box_is_valid(const struct d3d8_volume *volume, const D3DBOX *box)
{
    const D3DVOLUME_DESC *d = &volume->desc;
    const struct rt_format *format = rt_format_info(d->Format);

    if (box->Left >= box->Right || box->Top >= box->Bottom || box->Front >= box->Back || box->Right > d->Width ||
        box->Bottom > d->Height || box->Back > d->Depth)
        return false;
    if (!(format->flags & RT_FORMAT_BLOCKS))
        return true;
    return is_aligned(box->Left, box->Right, d->Width, format->block_width) &&
           is_aligned(box->Top, box->Bottom, d->Height, format->block_height);
}

static bool is_lockable(const struct d3d8_volume *volume)
{
    return volume->desc.Pool != D3DPOOL_DEFAULT || (volume->desc.Usage & D3DUSAGE_DYNAMIC);
}

static struct rt_chain *volume_memory(const struct d3d8_volume *volume)
{
    return volume->texture->system ? volume->texture->system : volume->texture->video;
}

HRESULT d3d8_volume_lock(struct d3d8_volume *volume, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags)
{
    const struct rt_format *format = rt_format_info(volume->desc.Format);
    struct rt_mapping map;
    HRESULT hr = D3DERR_INVALIDCALL;

    if (!locked)
        return D3DERR_INVALIDCALL;
    locked->pBits = NULL;
    locked->RowPitch = locked->SlicePitch = 0;
    if (volume->locked || !is_lockable(volume) || (box && !box_is_valid(volume, box)))
        return D3DERR_INVALIDCALL;
    if (box || !(volume->desc.Usage & D3DUSAGE_DYNAMIC))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    hr = rt_chain_lock(volume_memory(volume), volume->part, flags & ~(DWORD)D3DLOCK_NOOVERWRITE, &map);
    if (FAILED(hr))
        return hr;
    locked->RowPitch = (INT)map.pitch;
    locked->SlicePitch = (INT)map.slice_pitch;
    locked->pBits = map.bits;
    if (box)
        locked->pBits = map.bits + box->Front * map.slice_pitch + box->Top / format->block_height * map.pitch +
                        box->Left / format->block_width * (size_t)format->block_bytes;
    volume->locked = true;
    volume->lock_flags = flags;
    volume->lock_box = (D3DBOX){0, 0, volume->desc.Width, volume->desc.Height, 0, volume->desc.Depth};
    if (box)
        volume->lock_box = *box;
    return D3D_OK;
}

HRESULT d3d8_volume_unlock(struct d3d8_volume *volume)
{
    if (!volume->locked)
        return D3DERR_INVALIDCALL;
    volume->locked = false;
    rt_chain_unlock(volume_memory(volume), volume->part);
    d3d8_texture_written(volume->texture, 0, volume->part, &volume->lock_box, volume->lock_flags);
    return D3D_OK;
}

static HRESULT WINAPI volume_LockBox(IDirect3DVolume8 *iface, D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags)
{
    struct d3d8_volume *volume = volume_of(iface);
    RT_LOCK(&volume->texture->device->base);

    return d3d8_volume_lock(volume, locked, box, flags);
}

static HRESULT WINAPI volume_UnlockBox(IDirect3DVolume8 *iface)
{
    struct d3d8_volume *volume = volume_of(iface);
    RT_LOCK(&volume->texture->device->base);

    return d3d8_volume_unlock(volume);
}

static const IDirect3DVolume8Vtbl volume_vtbl = {
    volume_QueryInterface, volume_AddRef,         volume_Release,         volume_GetDevice,
    volume_SetPrivateData, volume_GetPrivateData, volume_FreePrivateData, volume_GetContainer,
    volume_GetDesc,        volume_LockBox,        volume_UnlockBox,
};

void d3d8_volume_init(struct d3d8_volume *volume, struct d3d8_texture *texture, unsigned part,
                      const D3DVOLUME_DESC *desc)
{
    volume->iface.lpVtbl = (IDirect3DVolume8Vtbl *)&volume_vtbl;
    volume->texture = texture;
    volume->part = part;
    volume->desc = *desc;
}
