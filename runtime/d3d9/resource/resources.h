/* SPDX-License-Identifier: MIT */
/*
 * How Direct3D 9 shows the resources of runtime/common/object: vtables, the interfaces they answer to, and the device's
 * methods that create and copy them. The device's table of rules (struct rt_api) names the vtables.
 */
#ifndef HALCYON_RUNTIME_D3D9_RESOURCE_RESOURCES_H
#define HALCYON_RUNTIME_D3D9_RESOURCE_RESOURCES_H

#define COBJMACROS
#include <windows.h>

#include <d3d9.h>

#include "runtime/common/device/frame.h"

extern const IDirect3DTexture9Vtbl d3d9_texture_vtbl;
extern const IDirect3DCubeTexture9Vtbl d3d9_cube_texture_vtbl;
extern const IDirect3DVolumeTexture9Vtbl d3d9_volume_texture_vtbl;
extern const IDirect3DSurface9Vtbl d3d9_surface_vtbl;
extern const IDirect3DVolume9Vtbl d3d9_volume_vtbl;
extern const IDirect3DVertexBuffer9Vtbl d3d9_vertex_buffer_vtbl;
extern const IDirect3DIndexBuffer9Vtbl d3d9_index_buffer_vtbl;

/* Interfaces that QueryInterface finds; each list ends with NULL. */
extern const IID *const d3d9_texture_ids[], *const d3d9_cube_texture_ids[], *const d3d9_volume_texture_ids[];
extern const IID *const d3d9_surface_ids[], *const d3d9_volume_ids[];
extern const IID *const d3d9_vertex_buffer_ids[], *const d3d9_index_buffer_ids[];

/* --- methods of the device: create.c ------------------------------------------------------ */

HRESULT WINAPI d3d9_device_CreateTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT levels, DWORD usage,
                                         D3DFORMAT format, D3DPOOL pool, IDirect3DTexture9 **out, HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateVolumeTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT depth,
                                               UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                               IDirect3DVolumeTexture9 **out, HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateCubeTexture(IDirect3DDevice9Ex *iface, UINT edge, UINT levels, DWORD usage,
                                             D3DFORMAT format, D3DPOOL pool, IDirect3DCubeTexture9 **out,
                                             HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateVertexBuffer(IDirect3DDevice9Ex *iface, UINT length, DWORD usage, DWORD fvf,
                                              D3DPOOL pool, IDirect3DVertexBuffer9 **out, HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateIndexBuffer(IDirect3DDevice9Ex *iface, UINT length, DWORD usage, D3DFORMAT format,
                                             D3DPOOL pool, IDirect3DIndexBuffer9 **out, HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateRenderTarget(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format,
                                              D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL lockable,
                                              IDirect3DSurface9 **out, HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateDepthStencilSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                     D3DFORMAT format, D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                                     BOOL discard, IDirect3DSurface9 **out, HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateOffscreenPlainSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                       D3DFORMAT format, D3DPOOL pool, IDirect3DSurface9 **out,
                                                       HANDLE *shared);
HRESULT WINAPI d3d9_device_CreateRenderTargetEx(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format,
                                                D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL lockable,
                                                IDirect3DSurface9 **out, HANDLE *shared, DWORD usage);
HRESULT WINAPI d3d9_device_CreateDepthStencilSurfaceEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                       D3DFORMAT format, D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                                       BOOL discard, IDirect3DSurface9 **out, HANDLE *shared,
                                                       DWORD usage);
HRESULT WINAPI d3d9_device_CreateOffscreenPlainSurfaceEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                         D3DFORMAT format, D3DPOOL pool, IDirect3DSurface9 **out,
                                                         HANDLE *shared, DWORD usage);

/* --- methods of the device: copy.c -------------------------------------------------------- */

HRESULT WINAPI d3d9_device_UpdateSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source, const RECT *rect,
                                         IDirect3DSurface9 *destination, const POINT *point);
HRESULT WINAPI d3d9_device_UpdateTexture(IDirect3DDevice9Ex *iface, IDirect3DBaseTexture9 *source,
                                         IDirect3DBaseTexture9 *destination);
HRESULT WINAPI d3d9_device_GetRenderTargetData(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source,
                                               IDirect3DSurface9 *destination);
HRESULT WINAPI d3d9_device_StretchRect(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source, const RECT *from,
                                       IDirect3DSurface9 *destination, const RECT *to, D3DTEXTUREFILTERTYPE filter);
HRESULT WINAPI d3d9_device_ColorFill(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *surface, const RECT *rect,
                                     D3DCOLOR color);

#endif
