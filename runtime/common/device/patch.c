/* SPDX-License-Identifier: MIT */
/* High-order primitives. */
#include "runtime/common/device/draw.h"

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

HRESULT rt_draw_patch(struct rt_device *device, uint8_t token, UINT handle, const float *segments, const void *info)
{
    const bool rect = token == D3DDP2OP_DRAWRECTPATCH;

    if (!device->target[0] || (!handle && !info))
        return D3DERR_INVALIDCALL;
    /* How many primitives it will be only the driver knows. */
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
    RT_LOCK(&device->base);

    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &entry, sizeof(entry));
    return D3D_OK;
}
