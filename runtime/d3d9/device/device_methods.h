/* SPDX-License-Identifier: MIT */
/*
 * The methods of IDirect3DDevice9Ex that only version 9 has. device.c builds the vtable from them, from those that
 * query.h, ../resource/resources.h, ../shader/declaration.h and ../shader/shader.h declare, and from those of
 * runtime/common/device that both versions share.
 */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_DEVICE_METHODS_H
#define HALCYON_RUNTIME_D3D9_DEVICE_DEVICE_METHODS_H

#include "runtime/d3d9/device/d3d9_objects.h"

/* On a pure device, getters of values that only the driver may know fail. */
static inline bool d3d9_device_is_pure(const struct d3d9_device *device)
{
    return device->common.creation.BehaviorFlags & D3DCREATE_PUREDEVICE;
}

/* --- targets and states: device_state.c ------------------------------------------------------- */

HRESULT WINAPI d3d9_device_SetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index, IDirect3DSurface9 *target);
HRESULT WINAPI d3d9_device_GetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index, IDirect3DSurface9 **out);
HRESULT WINAPI d3d9_device_SetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *depth);
HRESULT WINAPI d3d9_device_GetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 **out);
HRESULT WINAPI d3d9_device_SetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state, DWORD value);
HRESULT WINAPI d3d9_device_SetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD value);
HRESULT WINAPI d3d9_device_GetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD *value);
HRESULT WINAPI d3d9_device_SetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler, D3DSAMPLERSTATETYPE type,
                                           DWORD value);
HRESULT WINAPI d3d9_device_GetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler, D3DSAMPLERSTATETYPE type,
                                           DWORD *value);
HRESULT WINAPI d3d9_device_SetTexture(IDirect3DDevice9Ex *iface, DWORD sampler, IDirect3DBaseTexture9 *texture);
HRESULT WINAPI d3d9_device_GetTexture(IDirect3DDevice9Ex *iface, DWORD sampler, IDirect3DBaseTexture9 **out);
HRESULT WINAPI d3d9_device_SetScissorRect(IDirect3DDevice9Ex *iface, const RECT *rect);
HRESULT WINAPI d3d9_device_GetScissorRect(IDirect3DDevice9Ex *iface, RECT *rect);
HRESULT WINAPI d3d9_device_SetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface, BOOL software);
BOOL WINAPI d3d9_device_GetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface);
HRESULT WINAPI d3d9_device_SetNPatchMode(IDirect3DDevice9Ex *iface, float segments);
float WINAPI d3d9_device_GetNPatchMode(IDirect3DDevice9Ex *iface);

/* --- vertices and shaders: device_shader.c, device_constants.c -------------------------------- */

HRESULT WINAPI d3d9_device_SetVertexDeclaration(IDirect3DDevice9Ex *iface, IDirect3DVertexDeclaration9 *declaration);
HRESULT WINAPI d3d9_device_GetVertexDeclaration(IDirect3DDevice9Ex *iface, IDirect3DVertexDeclaration9 **out);
HRESULT WINAPI d3d9_device_SetFVF(IDirect3DDevice9Ex *iface, DWORD fvf);
HRESULT WINAPI d3d9_device_GetFVF(IDirect3DDevice9Ex *iface, DWORD *fvf);
HRESULT WINAPI d3d9_device_SetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 *shader);
HRESULT WINAPI d3d9_device_GetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 **out);
HRESULT WINAPI d3d9_device_SetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 *shader);
HRESULT WINAPI d3d9_device_GetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 **out);
HRESULT WINAPI d3d9_device_SetStreamSource(IDirect3DDevice9Ex *iface, UINT stream, IDirect3DVertexBuffer9 *vertices,
                                           UINT offset, UINT stride);
HRESULT WINAPI d3d9_device_GetStreamSource(IDirect3DDevice9Ex *iface, UINT stream, IDirect3DVertexBuffer9 **out,
                                           UINT *offset, UINT *stride);
HRESULT WINAPI d3d9_device_SetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT frequency);
HRESULT WINAPI d3d9_device_GetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT *frequency);
HRESULT WINAPI d3d9_device_SetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 *indices);
HRESULT WINAPI d3d9_device_GetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 **out);

HRESULT WINAPI d3d9_device_SetVertexShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, const float *values,
                                                    UINT count);
HRESULT WINAPI d3d9_device_GetVertexShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, float *values, UINT count);
HRESULT WINAPI d3d9_device_SetVertexShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, const int *values,
                                                    UINT count);
HRESULT WINAPI d3d9_device_GetVertexShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, int *values, UINT count);
HRESULT WINAPI d3d9_device_SetVertexShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, const BOOL *values,
                                                    UINT count);
HRESULT WINAPI d3d9_device_GetVertexShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, BOOL *values, UINT count);
HRESULT WINAPI d3d9_device_SetPixelShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, const float *values,
                                                   UINT count);
HRESULT WINAPI d3d9_device_GetPixelShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, float *values, UINT count);
HRESULT WINAPI d3d9_device_SetPixelShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, const int *values,
                                                   UINT count);
HRESULT WINAPI d3d9_device_GetPixelShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, int *values, UINT count);
HRESULT WINAPI d3d9_device_SetPixelShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, const BOOL *values,
                                                   UINT count);
HRESULT WINAPI d3d9_device_GetPixelShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, BOOL *values, UINT count);

/* For rt_api.current_fvf: the format that GetFVF says. */
uint32_t d3d9_current_fvf(const struct rt_device *device);
/* For rt_api.vertex_bytes. */
void d3d9_vertex_use(const struct rt_device *device, struct rt_vertex_use *use);
unsigned d3d9_vertex_bytes(const struct rt_device *device);

/* --- draws: device_draw.c --------------------------------------------------------------------- */

HRESULT WINAPI d3d9_device_Clear(IDirect3DDevice9Ex *iface, DWORD count, const D3DRECT *rects, DWORD flags,
                                 D3DCOLOR color, float z, DWORD stencil);
HRESULT WINAPI d3d9_device_DrawPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT start, UINT count);
HRESULT WINAPI d3d9_device_DrawIndexedPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, INT base_vertex,
                                                UINT min_index, UINT vertex_count, UINT start, UINT count);
HRESULT WINAPI d3d9_device_DrawPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT count,
                                           const void *vertices, UINT stride);
HRESULT WINAPI d3d9_device_DrawIndexedPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT min_index,
                                                  UINT vertex_count, UINT count, const void *indices, D3DFORMAT format,
                                                  const void *vertices, UINT stride);
HRESULT WINAPI d3d9_device_DrawRectPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
                                         const D3DRECTPATCH_INFO *info);
HRESULT WINAPI d3d9_device_DrawTriPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
                                        const D3DTRIPATCH_INFO *info);
HRESULT WINAPI d3d9_device_ProcessVertices(IDirect3DDevice9Ex *iface, UINT source_start, UINT destination_start,
                                           UINT count, IDirect3DVertexBuffer9 *destination,
                                           IDirect3DVertexDeclaration9 *declaration, DWORD flags);

/* --- state blocks: stateblock.c --------------------------------------------------------------- */

HRESULT WINAPI d3d9_device_CreateStateBlock(IDirect3DDevice9Ex *iface, D3DSTATEBLOCKTYPE type,
                                            IDirect3DStateBlock9 **out);
HRESULT WINAPI d3d9_device_BeginStateBlock(IDirect3DDevice9Ex *iface);
HRESULT WINAPI d3d9_device_EndStateBlock(IDirect3DDevice9Ex *iface, IDirect3DStateBlock9 **out);

#endif
