/* SPDX-License-Identifier: MIT */
/*
 * Lists of the shared methods of objects, for RT_METHOD and RT_ENTRY (runtime/common/object/method.h). I is the interface that has
 * them; device, surface and volume are the interfaces of its version.
 */
#ifndef HALCYON_RUNTIME_METHODS_H
#define HALCYON_RUNTIME_METHODS_H

#include "runtime/common/object/buffer.h"
#include "runtime/common/object/method.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/object/texture.h"
#include "runtime/common/object/volume.h"

/* clang-format off */
#define RT_UNKNOWN_METHODS(X, I)                                                                                     \
    X(I, HRESULT, QueryInterface, rt_object_QueryInterface, (REFIID, id, VALUE), (void **, out, VALUE))              \
    X(I, ULONG, AddRef, rt_object_AddRef)                                                                            \
    X(I, ULONG, Release, rt_object_Release)

/* IUnknown's, and GetDevice */
#define RT_OBJECT_METHODS(X, I, device)                                                                              \
    RT_UNKNOWN_METHODS(X, I)                                                                                         \
    X(I, HRESULT, GetDevice, rt_object_GetDevice, (device **, out, OBJECT))

/* Those of objects with private data */
#define RT_DATA_METHODS(X, I, device)                                                                                \
    RT_OBJECT_METHODS(X, I, device)                                                                                  \
    X(I, HRESULT, SetPrivateData, rt_object_SetPrivateData,                                                          \
      (REFGUID, id, VALUE), (const void *, data, VALUE), (DWORD, size, VALUE), (DWORD, flags, VALUE))                \
    X(I, HRESULT, GetPrivateData, rt_object_GetPrivateData,                                                          \
      (REFGUID, id, VALUE), (void *, data, VALUE), (DWORD *, size, VALUE))                                           \
    X(I, HRESULT, FreePrivateData, rt_object_FreePrivateData, (REFGUID, id, VALUE))

/* Those that IDirect3DResource adds: functions of the kind of object */
#define RT_PRIORITY_METHODS(X, I, set_priority, pre_load, get_type)                                                  \
    X(I, DWORD, SetPriority, set_priority, (DWORD, priority, VALUE))                                                 \
    X(I, DWORD, GetPriority, rt_object_GetPriority)                                                                  \
    X(I, void, PreLoad, pre_load)                                                                                    \
    X(I, D3DRESOURCETYPE, GetType, get_type)

#define RT_SURFACE_METHODS(X, I, device)                                                                             \
    RT_DATA_METHODS(X, I, device)                                                                                    \
    X(I, HRESULT, GetContainer, rt_surface_GetContainer, (REFIID, id, VALUE), (void **, out, VALUE))                 \
    X(I, HRESULT, LockRect, rt_surface_LockRect,                                                                     \
      (D3DLOCKED_RECT *, locked, VALUE), (const RECT *, rect, VALUE), (DWORD, flags, VALUE))                         \
    X(I, HRESULT, UnlockRect, rt_surface_UnlockRect)

#define RT_VOLUME_METHODS(X, I, device)                                                                              \
    RT_DATA_METHODS(X, I, device)                                                                                    \
    X(I, HRESULT, GetContainer, rt_volume_GetContainer, (REFIID, id, VALUE), (void **, out, VALUE))                  \
    X(I, HRESULT, LockBox, rt_volume_LockBox,                                                                        \
      (D3DLOCKED_BOX *, locked, VALUE), (const D3DBOX *, box, VALUE), (DWORD, flags, VALUE))                         \
    X(I, HRESULT, UnlockBox, rt_volume_UnlockBox)

/* Those of all textures */
#define RT_BASE_TEXTURE_METHODS(X, I, device)                                                                        \
    RT_DATA_METHODS(X, I, device)                                                                                    \
    RT_PRIORITY_METHODS(X, I, rt_texture_SetPriority, rt_texture_PreLoad, rt_texture_GetType)                        \
    X(I, DWORD, SetLOD, rt_texture_SetLOD, (DWORD, lod, VALUE))                                                      \
    X(I, DWORD, GetLOD, rt_texture_GetLOD)                                                                           \
    X(I, DWORD, GetLevelCount, rt_texture_GetLevelCount)

#define RT_TEXTURE_METHODS(X, I, device, surface)                                                                    \
    RT_BASE_TEXTURE_METHODS(X, I, device)                                                                            \
    X(I, HRESULT, GetSurfaceLevel, rt_texture_GetSurfaceLevel, (UINT, level, VALUE), (surface **, out, OBJECT))      \
    X(I, HRESULT, LockRect, rt_texture_LockRect,                                                                     \
      (UINT, level, VALUE), (D3DLOCKED_RECT *, locked, VALUE), (const RECT *, rect, VALUE), (DWORD, flags, VALUE))   \
    X(I, HRESULT, UnlockRect, rt_texture_UnlockRect, (UINT, level, VALUE))                                           \
    X(I, HRESULT, AddDirtyRect, rt_texture_AddDirtyRect, (const RECT *, rect, VALUE))

#define RT_CUBE_METHODS(X, I, device, surface)                                                                       \
    RT_BASE_TEXTURE_METHODS(X, I, device)                                                                            \
    X(I, HRESULT, GetCubeMapSurface, rt_cube_GetCubeMapSurface,                                                      \
      (D3DCUBEMAP_FACES, face, VALUE), (UINT, level, VALUE), (surface **, out, OBJECT))                              \
    X(I, HRESULT, LockRect, rt_cube_LockRect,                                                                        \
      (D3DCUBEMAP_FACES, face, VALUE), (UINT, level, VALUE), (D3DLOCKED_RECT *, locked, VALUE),                      \
      (const RECT *, rect, VALUE), (DWORD, flags, VALUE))                                                            \
    X(I, HRESULT, UnlockRect, rt_cube_UnlockRect, (D3DCUBEMAP_FACES, face, VALUE), (UINT, level, VALUE))             \
    X(I, HRESULT, AddDirtyRect, rt_cube_AddDirtyRect, (D3DCUBEMAP_FACES, face, VALUE), (const RECT *, rect, VALUE))

#define RT_VOLUMES_METHODS(X, I, device, volume)                                                                     \
    RT_BASE_TEXTURE_METHODS(X, I, device)                                                                            \
    X(I, HRESULT, GetVolumeLevel, rt_volumes_GetVolumeLevel, (UINT, level, VALUE), (volume **, out, OBJECT))         \
    X(I, HRESULT, LockBox, rt_volumes_LockBox,                                                                       \
      (UINT, level, VALUE), (D3DLOCKED_BOX *, locked, VALUE), (const D3DBOX *, box, VALUE), (DWORD, flags, VALUE))   \
    X(I, HRESULT, UnlockBox, rt_volumes_UnlockBox, (UINT, level, VALUE))                                             \
    X(I, HRESULT, AddDirtyBox, rt_volumes_AddDirtyBox, (const D3DBOX *, box, VALUE))

/* data: what Lock gives out, `BYTE` or `void` */
#define RT_BUFFER_METHODS(X, I, device, data)                                                                        \
    RT_DATA_METHODS(X, I, device)                                                                                    \
    RT_PRIORITY_METHODS(X, I, rt_buffer_SetPriority, rt_object_PreLoad, rt_buffer_GetType)                           \
    X(I, HRESULT, Lock, rt_buffer_Lock,                                                                              \
      (UINT, offset, VALUE), (UINT, size, VALUE), (data **, out, OBJECT), (DWORD, flags, VALUE))                     \
    X(I, HRESULT, Unlock, rt_buffer_Unlock)
/* clang-format on */

#endif
