/* SPDX-License-Identifier: MIT */
/* What a program may do with a format, by what the driver lists (D3DFORMAT_OP_*): rules that both versions of the API have. */
#ifndef HALCYON_RUNTIME_FORMAT_SUPPORT_H
#define HALCYON_RUNTIME_FORMAT_SUPPORT_H

#include "runtime/common/driver/link.h"

/* X8R8G8B8, R5G6B5, X1R5G5B5. */
bool rt_is_display_format(uint32_t format);
/* `format` can be drawn to while the screen has the format `display`. */
bool rt_can_be_target(const struct rt_format_ops *ops, uint32_t display, uint32_t format);
/* D3D_OK if the driver lists `format` for resources of `type` and a usage of D3DUSAGE_RENDERTARGET and D3DUSAGE_DEPTHSTENCIL
 * (other bits are not looked at); D3DERR_NOTAVAILABLE. The driver's list decides, also on FOURCCs nobody else knows: some name
 * abilities, not formats. */
HRESULT rt_check_operations(const struct rt_adapter *adapter, uint32_t display, DWORD usage, D3DRESOURCETYPE type,
                            uint32_t format);
/* Likewise, of formats that have a memory layout. */
HRESULT rt_check_format(const struct rt_adapter *adapter, uint32_t display, DWORD usage, D3DRESOURCETYPE type,
                        uint32_t format);
/* samples: D3DMULTISAMPLE_TYPE, 0 or 2 to 16. D3D_OK, D3DERR_NOTAVAILABLE, D3DERR_INVALIDCALL for no format or no such type. */
HRESULT rt_check_multisample(const struct rt_adapter *adapter, uint32_t format, unsigned samples);
/* Both can be had with this display, and can be drawn with together. */
HRESULT rt_check_depth_match(const struct rt_adapter *adapter, uint32_t display, uint32_t target, uint32_t depth);

#endif
