/* SPDX-License-Identifier: MIT */
/* High-order primitives. */
#include "runtime/common/device/draw.h"

#include <stdlib.h>
#include <string.h>

#include <d3d8.h>

#include "base/base.h"

/* Handle, flags, then segments and description where given. */
static void put_patch(struct rt_device *device, uint8_t token, UINT handle, const float *segments, size_t segment_bytes,
                      const void *info, size_t info_bytes)
{
    uint8_t body[8 + 16 + sizeof(D3DRECTPATCH_INFO)];
    DWORD flags = (segments ? RTPATCHFLAG_HASSEGS : 0) | (info ? RTPATCHFLAG_HASINFO : 0);
    size_t size = 8;

    memcpy(body, &handle, 4);
    memcpy(body + 4, &flags, 4);
    if (segments) {
        memcpy(body + size, segments, segment_bytes);
        size += segment_bytes;
    }
    if (info) {
        memcpy(body + size, info, info_bytes);
        size += info_bytes;
    }
    rt_put(device->link, token, 1, body, size);
}

/* --- handles --------------------------------------------------------------------------- */

/* Index of the handle among the known handles, or where to insert it. */
static unsigned patch_place(const struct rt_device *device, UINT handle)
{
    unsigned low = 0, high = device->patch_count;

    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (device->patches[middle] < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_known(const struct rt_device *device, UINT handle, unsigned place)
{
    return place < device->patch_count && device->patches[place] == handle;
}

/* False: out of memory. */
static bool remember_patch(struct rt_device *device, UINT handle)
{
    const unsigned place = patch_place(device, handle);

    if (is_known(device, handle, place))
        return true;
    if (device->patch_count == device->patch_capacity) {
        const unsigned capacity = device->patch_capacity ? 2 * device->patch_capacity : 16;
        UINT *patches = mem_realloc(device->patches, capacity, sizeof(*patches));
        if (!patches)
            return false;
        device->patches = patches;
        device->patch_capacity = capacity;
    }
    memmove(device->patches + place + 1, device->patches + place,
            (device->patch_count - place) * sizeof(*device->patches));
    device->patches[place] = handle;
    device->patch_count++;
    return true;
}

void rt_patches_forget(struct rt_device *device)
{
    free(device->patches);
    device->patches = NULL;
    device->patch_count = device->patch_capacity = 0;
}

/* --- draws ----------------------------------------------------------------------------- */

HRESULT rt_draw_patch(struct rt_device *device, uint8_t token, UINT handle, const float *segments, const void *info)
{
    const bool rect = token == D3DDP2OP_DRAWRECTPATCH;

    if (!device->target[0] || (!handle && !info))
        return D3DERR_INVALIDCALL;
    if (handle && info && !remember_patch(device, handle))
        return E_OUTOFMEMORY;
    /* Only the driver knows how many primitives result. */
    device->draws++;
    rt_device_bind(device);
    put_patch(device, token, handle, segments, (rect ? 4 : 3) * sizeof(float), info,
              rect ? sizeof(D3DRECTPATCH_INFO) : sizeof(D3DTRIPATCH_INFO));
    return D3D_OK;
}

HRESULT WINAPI rt_device_DeletePatch(void *iface, UINT handle)
{
    struct rt_device *device = rt_device_of(iface);
    D3DHAL_DP2RENDERSTATE entry = {.RenderState = (D3DRENDERSTATETYPE)D3DRS_DELETERTPATCH, .dwState = handle};
    unsigned place;
    RT_LOCK(&device->base);

    place = patch_place(device, handle);
    if (!is_known(device, handle, place))
        return D3DERR_INVALIDCALL;
    device->patch_count--;
    memmove(device->patches + place, device->patches + place + 1,
            (device->patch_count - place) * sizeof(*device->patches));
    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &entry, sizeof(entry));
    return D3D_OK;
}
