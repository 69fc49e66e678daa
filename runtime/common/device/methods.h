/* SPDX-License-Identifier: MIT */
/*
 * The list of a device's methods that are the same in all versions, for RT_METHOD and RT_ENTRY (runtime/common/object/method.h). I is
 * the version's device, d3d and surface are its IDirect3D and IDirect3DSurface.
 */
#ifndef HALCYON_RUNTIME_DEVICE_METHODS_H
#define HALCYON_RUNTIME_DEVICE_METHODS_H

#include "runtime/common/device/device.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/device/states.h"
#include "runtime/common/object/method.h"

/* clang-format off */
#define RT_DEVICE_METHODS(X, I, d3d, surface)                                                                        \
    X(I, ULONG, AddRef, rt_device_AddRef)                                                                            \
    X(I, ULONG, Release, rt_device_Release)                                                                          \
    X(I, UINT, GetAvailableTextureMem, rt_device_GetAvailableTextureMem)                                             \
    X(I, HRESULT, GetDirect3D, rt_device_GetDirect3D, (d3d **, out, OBJECT))                                         \
    X(I, HRESULT, GetCreationParameters, rt_device_GetCreationParameters,                                            \
      (D3DDEVICE_CREATION_PARAMETERS *, params, VALUE))                                                              \
    X(I, HRESULT, SetCursorProperties, rt_device_SetCursorProperties,                                                \
      (UINT, x, VALUE), (UINT, y, VALUE), (surface *, picture, VALUE))                                               \
    X(I, BOOL, ShowCursor, rt_device_ShowCursor, (BOOL, show, VALUE))                                                \
    X(I, HRESULT, BeginScene, rt_device_BeginScene)                                                                  \
    X(I, HRESULT, EndScene, rt_device_EndScene)                                                                      \
    X(I, HRESULT, SetTransform, rt_device_SetTransform,                                                              \
      (D3DTRANSFORMSTATETYPE, type, VALUE), (const D3DMATRIX *, matrix, VALUE))                                      \
    X(I, HRESULT, GetTransform, rt_device_GetTransform,                                                              \
      (D3DTRANSFORMSTATETYPE, type, VALUE), (D3DMATRIX *, matrix, VALUE))                                            \
    X(I, HRESULT, MultiplyTransform, rt_device_MultiplyTransform,                                                    \
      (D3DTRANSFORMSTATETYPE, type, VALUE), (const D3DMATRIX *, matrix, VALUE))                                      \
    X(I, HRESULT, SetViewport, rt_device_SetViewport, (const D3DVIEWPORT8 *, viewport, VALUE))                       \
    X(I, HRESULT, GetViewport, rt_device_GetViewport, (D3DVIEWPORT8 *, viewport, VALUE))                             \
    X(I, HRESULT, SetMaterial, rt_device_SetMaterial, (const D3DMATERIAL8 *, material, VALUE))                       \
    X(I, HRESULT, GetMaterial, rt_device_GetMaterial, (D3DMATERIAL8 *, material, VALUE))                             \
    X(I, HRESULT, SetLight, rt_device_SetLight, (DWORD, index, VALUE), (const D3DLIGHT8 *, light, VALUE))            \
    X(I, HRESULT, GetLight, rt_device_GetLight, (DWORD, index, VALUE), (D3DLIGHT8 *, light, VALUE))                  \
    X(I, HRESULT, LightEnable, rt_device_LightEnable, (DWORD, index, VALUE), (BOOL, enable, VALUE))                  \
    X(I, HRESULT, GetLightEnable, rt_device_GetLightEnable, (DWORD, index, VALUE), (BOOL *, enable, VALUE))          \
    X(I, HRESULT, SetClipPlane, rt_device_SetClipPlane, (DWORD, index, VALUE), (const float *, plane, VALUE))        \
    X(I, HRESULT, GetClipPlane, rt_device_GetClipPlane, (DWORD, index, VALUE), (float *, plane, VALUE))              \
    X(I, HRESULT, SetClipStatus, rt_device_SetClipStatus, (const D3DCLIPSTATUS8 *, status, VALUE))                   \
    X(I, HRESULT, GetClipStatus, rt_device_GetClipStatus, (D3DCLIPSTATUS8 *, status, VALUE))                         \
    X(I, HRESULT, GetRenderState, rt_device_GetRenderState,                                                          \
      (D3DRENDERSTATETYPE, state, VALUE), (DWORD *, value, VALUE))                                                   \
    X(I, HRESULT, ValidateDevice, rt_device_ValidateDevice, (DWORD *, passes, VALUE))                                \
    X(I, HRESULT, SetPaletteEntries, rt_device_SetPaletteEntries,                                                    \
      (UINT, number, VALUE), (const PALETTEENTRY *, entries, VALUE))                                                 \
    X(I, HRESULT, GetPaletteEntries, rt_device_GetPaletteEntries,                                                    \
      (UINT, number, VALUE), (PALETTEENTRY *, entries, VALUE))                                                       \
    X(I, HRESULT, SetCurrentTexturePalette, rt_device_SetCurrentTexturePalette, (UINT, number, VALUE))               \
    X(I, HRESULT, GetCurrentTexturePalette, rt_device_GetCurrentTexturePalette, (UINT *, number, VALUE))             \
    X(I, HRESULT, DeletePatch, rt_device_DeletePatch, (UINT, handle, VALUE))
/* clang-format on */

#endif
