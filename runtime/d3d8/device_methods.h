/* SPDX-License-Identifier: MIT */
/* The methods of IDirect3DDevice8 that are version 8's own and not in device.c, which has the vtable: of device_resource.c
 * (creation and copies), device_state.c, device_block.c, device_draw.c and shader.c. */
#ifndef HALCYON_D3D8_DEVICE_METHODS_H
#define HALCYON_D3D8_DEVICE_METHODS_H

#include "runtime/d3d8/d3d8_objects.h"

HRESULT WINAPI d3d8_device_CreateTexture(IDirect3DDevice8 *iface, UINT Width, UINT Height, UINT Levels, DWORD Usage,
                                         D3DFORMAT Format, D3DPOOL Pool, IDirect3DTexture8 **ppTexture);
HRESULT WINAPI d3d8_device_CreateVolumeTexture(IDirect3DDevice8 *iface, UINT Width, UINT Height, UINT Depth,
                                               UINT Levels, DWORD Usage, D3DFORMAT Format, D3DPOOL Pool,
                                               IDirect3DVolumeTexture8 **ppVolumeTexture);
HRESULT WINAPI d3d8_device_CreateCubeTexture(IDirect3DDevice8 *iface, UINT EdgeLength, UINT Levels, DWORD Usage,
                                             D3DFORMAT Format, D3DPOOL Pool, IDirect3DCubeTexture8 **ppCubeTexture);
HRESULT WINAPI d3d8_device_CreateVertexBuffer(IDirect3DDevice8 *iface, UINT Length, DWORD Usage, DWORD FVF,
                                              D3DPOOL Pool, IDirect3DVertexBuffer8 **ppVertexBuffer);
HRESULT WINAPI d3d8_device_CreateIndexBuffer(IDirect3DDevice8 *iface, UINT Length, DWORD Usage, D3DFORMAT Format,
                                             D3DPOOL Pool, IDirect3DIndexBuffer8 **ppIndexBuffer);
HRESULT WINAPI d3d8_device_CreateRenderTarget(IDirect3DDevice8 *iface, UINT Width, UINT Height, D3DFORMAT Format,
                                              D3DMULTISAMPLE_TYPE MultiSample, BOOL Lockable,
                                              IDirect3DSurface8 **ppSurface);
HRESULT WINAPI d3d8_device_CreateDepthStencilSurface(IDirect3DDevice8 *iface, UINT Width, UINT Height, D3DFORMAT Format,
                                                     D3DMULTISAMPLE_TYPE MultiSample, IDirect3DSurface8 **ppSurface);
HRESULT WINAPI d3d8_device_CreateImageSurface(IDirect3DDevice8 *iface, UINT Width, UINT Height, D3DFORMAT Format,
                                              IDirect3DSurface8 **ppSurface);
HRESULT WINAPI d3d8_device_CopyRects(IDirect3DDevice8 *iface, IDirect3DSurface8 *src_surface, const RECT *src_rects,
                                     UINT rect_count, IDirect3DSurface8 *dst_surface, const POINT *dst_points);
HRESULT WINAPI d3d8_device_UpdateTexture(IDirect3DDevice8 *iface, IDirect3DBaseTexture8 *pSourceTexture,
                                         IDirect3DBaseTexture8 *pDestinationTexture);
HRESULT WINAPI d3d8_device_SetRenderTarget(IDirect3DDevice8 *iface, IDirect3DSurface8 *pRenderTarget,
                                           IDirect3DSurface8 *pNewZStencil);
HRESULT WINAPI d3d8_device_GetRenderTarget(IDirect3DDevice8 *iface, IDirect3DSurface8 **ppRenderTarget);
HRESULT WINAPI d3d8_device_GetDepthStencilSurface(IDirect3DDevice8 *iface, IDirect3DSurface8 **ppZStencilSurface);
HRESULT WINAPI d3d8_device_BeginStateBlock(IDirect3DDevice8 *iface);
HRESULT WINAPI d3d8_device_EndStateBlock(IDirect3DDevice8 *iface, DWORD *pToken);
HRESULT WINAPI d3d8_device_ApplyStateBlock(IDirect3DDevice8 *iface, DWORD Token);
HRESULT WINAPI d3d8_device_CaptureStateBlock(IDirect3DDevice8 *iface, DWORD Token);
HRESULT WINAPI d3d8_device_DeleteStateBlock(IDirect3DDevice8 *iface, DWORD Token);
HRESULT WINAPI d3d8_device_CreateStateBlock(IDirect3DDevice8 *iface, D3DSTATEBLOCKTYPE Type, DWORD *pToken);
HRESULT WINAPI d3d8_device_GetTexture(IDirect3DDevice8 *iface, DWORD Stage, IDirect3DBaseTexture8 **ppTexture);
HRESULT WINAPI d3d8_device_SetTexture(IDirect3DDevice8 *iface, DWORD Stage, IDirect3DBaseTexture8 *pTexture);
HRESULT WINAPI d3d8_device_GetTextureStageState(IDirect3DDevice8 *iface, DWORD Stage, D3DTEXTURESTAGESTATETYPE Type,
                                                DWORD *pValue);
HRESULT WINAPI d3d8_device_SetTextureStageState(IDirect3DDevice8 *iface, DWORD Stage, D3DTEXTURESTAGESTATETYPE Type,
                                                DWORD Value);
HRESULT WINAPI d3d8_device_DrawPrimitive(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE PrimitiveType, UINT StartVertex,
                                         UINT PrimitiveCount);
HRESULT WINAPI d3d8_device_DrawIndexedPrimitive(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE PrimitiveType, UINT minIndex,
                                                UINT NumVertices, UINT startIndex, UINT primCount);
HRESULT WINAPI d3d8_device_DrawPrimitiveUP(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE primitive_type,
                                           UINT primitive_count, const void *data, UINT stride);
HRESULT WINAPI d3d8_device_DrawIndexedPrimitiveUP(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE primitive_type,
                                                  UINT min_vertex_idx, UINT vertex_count, UINT primitive_count,
                                                  const void *index_data, D3DFORMAT index_format, const void *data,
                                                  UINT stride);
HRESULT WINAPI d3d8_device_ProcessVertices(IDirect3DDevice8 *iface, UINT SrcStartIndex, UINT DestIndex,
                                           UINT VertexCount, IDirect3DVertexBuffer8 *pDestBuffer, DWORD Flags);
HRESULT WINAPI d3d8_device_CreateVertexShader(IDirect3DDevice8 *iface, const DWORD *declaration, const DWORD *byte_code,
                                              DWORD *shader, DWORD usage);
HRESULT WINAPI d3d8_device_SetVertexShader(IDirect3DDevice8 *iface, DWORD Handle);
HRESULT WINAPI d3d8_device_GetVertexShader(IDirect3DDevice8 *iface, DWORD *pHandle);
HRESULT WINAPI d3d8_device_DeleteVertexShader(IDirect3DDevice8 *iface, DWORD Handle);
HRESULT WINAPI d3d8_device_SetVertexShaderConstant(IDirect3DDevice8 *iface, DWORD reg_idx, const void *data,
                                                   DWORD count);
HRESULT WINAPI d3d8_device_GetVertexShaderConstant(IDirect3DDevice8 *iface, DWORD Register, void *pConstantData,
                                                   DWORD ConstantCount);
HRESULT WINAPI d3d8_device_GetVertexShaderDeclaration(IDirect3DDevice8 *iface, DWORD Handle, void *pData,
                                                      DWORD *pSizeOfData);
HRESULT WINAPI d3d8_device_GetVertexShaderFunction(IDirect3DDevice8 *iface, DWORD Handle, void *pData,
                                                   DWORD *pSizeOfData);
HRESULT WINAPI d3d8_device_SetStreamSource(IDirect3DDevice8 *iface, UINT StreamNumber,
                                           IDirect3DVertexBuffer8 *pStreamData, UINT Stride);
HRESULT WINAPI d3d8_device_GetStreamSource(IDirect3DDevice8 *iface, UINT StreamNumber,
                                           IDirect3DVertexBuffer8 **ppStreamData, UINT *pStride);
HRESULT WINAPI d3d8_device_SetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 *pIndexData, UINT BaseVertexIndex);
HRESULT WINAPI d3d8_device_GetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 **ppIndexData,
                                      UINT *pBaseVertexIndex);
HRESULT WINAPI d3d8_device_CreatePixelShader(IDirect3DDevice8 *iface, const DWORD *byte_code, DWORD *shader);
HRESULT WINAPI d3d8_device_SetPixelShader(IDirect3DDevice8 *iface, DWORD Handle);
HRESULT WINAPI d3d8_device_GetPixelShader(IDirect3DDevice8 *iface, DWORD *pHandle);
HRESULT WINAPI d3d8_device_DeletePixelShader(IDirect3DDevice8 *iface, DWORD Handle);
HRESULT WINAPI d3d8_device_SetPixelShaderConstant(IDirect3DDevice8 *iface, DWORD reg_idx, const void *data,
                                                  DWORD count);
HRESULT WINAPI d3d8_device_GetPixelShaderConstant(IDirect3DDevice8 *iface, DWORD Register, void *pConstantData,
                                                  DWORD ConstantCount);
HRESULT WINAPI d3d8_device_GetPixelShaderFunction(IDirect3DDevice8 *iface, DWORD Handle, void *pData,
                                                  DWORD *pSizeOfData);
HRESULT WINAPI d3d8_device_DrawRectPatch(IDirect3DDevice8 *iface, UINT handle, const float *segment_count,
                                         const D3DRECTPATCH_INFO *patch_info);
HRESULT WINAPI d3d8_device_DrawTriPatch(IDirect3DDevice8 *iface, UINT handle, const float *segment_count,
                                        const D3DTRIPATCH_INFO *patch_info);

#endif
