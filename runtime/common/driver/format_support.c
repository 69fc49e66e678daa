/* SPDX-License-Identifier: MIT */
#include "runtime/common/driver/format_support.h"

#include <d3d8.h>

#include "runtime/common/driver/formats.h"

bool rt_is_display_format(uint32_t format)
{
    return format == D3DFMT_X8R8G8B8 || format == D3DFMT_R5G6B5 || format == D3DFMT_X1R5G5B5;
}

bool rt_can_be_target(const struct rt_format_ops *ops, uint32_t display, uint32_t format)
{
    if (ops->operations & D3DFORMAT_OP_OFFSCREEN_RENDERTARGET)
        return true;
    if ((ops->operations & D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET) && format == display)
        return true;
    return (ops->operations & D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET) &&
           rt_format_without_alpha(format) == display;
}

static uint32_t texture_operation(D3DRESOURCETYPE type)
{
    if (type == D3DRTYPE_TEXTURE)
        return D3DFORMAT_OP_TEXTURE;
    if (type == D3DRTYPE_CUBETEXTURE)
        return D3DFORMAT_OP_CUBETEXTURE;
    return type == D3DRTYPE_VOLUMETEXTURE ? D3DFORMAT_OP_VOLUMETEXTURE : 0;
}

HRESULT rt_check_operations(const struct rt_adapter *adapter, uint32_t display, DWORD usage, D3DRESOURCETYPE type,
                            uint32_t format)
{
    const struct rt_format_ops *ops = rt_adapter_format(adapter, format);
    uint32_t operation = texture_operation(type);

    if (!ops)
        return D3DERR_NOTAVAILABLE;
    if (operation && !(ops->operations & operation))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_RENDERTARGET) && !rt_can_be_target(ops, display, format))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_DEPTHSTENCIL) && !(ops->operations & D3DFORMAT_OP_ZSTENCIL))
        return D3DERR_NOTAVAILABLE;
    return D3D_OK;
}

HRESULT rt_check_format(const struct rt_adapter *adapter, uint32_t display, DWORD usage, D3DRESOURCETYPE type,
                        uint32_t format)
{
    return rt_format_info(format) ? rt_check_operations(adapter, display, usage, type, format) : D3DERR_NOTAVAILABLE;
}

HRESULT rt_check_multisample(const struct rt_adapter *adapter, uint32_t format, unsigned samples)
{
    const struct rt_format_ops *ops = rt_adapter_format(adapter, format);

    if (format == D3DFMT_UNKNOWN || samples > D3DMULTISAMPLE_16_SAMPLES || samples == 1)
        return D3DERR_INVALIDCALL;
    if (samples == D3DMULTISAMPLE_NONE)
        return D3D_OK;
    return ops && (ops->samples >> (samples - 1) & 1) ? D3D_OK : D3DERR_NOTAVAILABLE;
}

HRESULT rt_check_depth_match(const struct rt_adapter *adapter, uint32_t display, uint32_t target, uint32_t depth)
{
    const struct rt_format *t = rt_format_info(target), *d = rt_format_info(depth);
    const struct rt_format_ops *ops = rt_adapter_format(adapter, depth);
    HRESULT hr = rt_check_format(adapter, display, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, target);

    if (SUCCEEDED(hr))
        hr = rt_check_format(adapter, display, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, depth);
    if (FAILED(hr))
        return hr;
    if (ops->operations & D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH)
        return D3D_OK;
    return t && d && t->block_bytes == d->block_bytes ? D3D_OK : D3DERR_NOTAVAILABLE;
}
