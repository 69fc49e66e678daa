/* SPDX-License-Identifier: MIT */
/*
 * Scenes, clears and draws. The version checks what only it knows (declaration or shader), and handles draws of 0
 * primitives.
 */
#ifndef HALCYON_RUNTIME_DRAW_H
#define HALCYON_RUNTIME_DRAW_H

#include "runtime/common/device/device.h"

HRESULT WINAPI rt_device_BeginScene(void *iface);
HRESULT WINAPI rt_device_EndScene(void *iface);
/* clear.c */
HRESULT WINAPI rt_device_Clear(void *iface, DWORD count, const D3DRECT *rects, DWORD flags, D3DCOLOR color, float z,
                               DWORD stencil);

/* All return D3DERR_INVALIDCALL for an unknown type, a count that overflows, or without a target. */
HRESULT rt_draw(struct rt_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count);
/* Without an index buffer nothing is drawn and the result is D3D_OK. */
HRESULT rt_draw_indexed(struct rt_device *device, D3DPRIMITIVETYPE type, INT base_vertex, UINT min_index,
                        UINT vertex_count, UINT start, UINT count);
/* Draws from user memory. Stream 0 (and the index buffer) are unbound afterwards. */
HRESULT rt_draw_up(struct rt_device *device, D3DPRIMITIVETYPE type, UINT count, const void *vertices, UINT stride);
/* format: D3DFMT_INDEX16 or INDEX32. */
HRESULT rt_draw_indexed_up(struct rt_device *device, D3DPRIMITIVETYPE type, UINT min_index, UINT vertex_count,
                           UINT count, const void *indices, uint32_t format, const void *vertices, UINT stride);
/* token: D3DDP2OP_DRAWRECTPATCH (4 segments) or D3DDP2OP_DRAWTRIPATCH (3); info: D3DRECTPATCH_INFO, D3DTRIPATCH_INFO. */
HRESULT rt_draw_patch(struct rt_device *device, uint8_t token, UINT handle, const float *segments, const void *info);
/* Forgets all patches: their context or the device is being destroyed. */
void rt_patches_forget(struct rt_device *device);
/* D3DERR_INVALIDCALL: no patch has been drawn under this handle. */
HRESULT WINAPI rt_device_DeletePatch(void *iface, UINT handle);
/* ProcessVertices into a buffer of format `fvf`, from its vertex `destination_start` on; `flags`: D3DPV_*.
 * D3DERR_INVALIDCALL for unknown flags or a format that is not of transformed vertices, if the result would not fit, if the buffer is
 * bound to a stream, or if the driver refuses. */
HRESULT rt_process_vertices(struct rt_device *device, UINT source_start, UINT destination_start, UINT count,
                            struct rt_buffer *destination, DWORD fvf, DWORD flags);

/* Called before anything that reads the bindings: uploads changed textures and managed buffers, and sends bindings. */
void rt_device_bind(struct rt_device *device);
/* The same for a draw from user memory or with other indices; arguments are those of rt_pipe_bind. */
void rt_device_prepare(struct rt_device *device, uint32_t um_stride, uint32_t index_handle, uint32_t index_stride);

#endif
