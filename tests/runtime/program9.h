/* SPDX-License-Identifier: MIT */
/* Shared by the Direct3D 9 test programs. A 9Ex device is a Direct3D 9 device with more methods: functions take
 * either. */
#ifndef TESTS_RUNTIME_PROGRAM9_H
#define TESTS_RUNTIME_PROGRAM9_H

#define COBJMACROS
#include "tests/runtime/check.h"

#include <d3d9.h>

/* For files that both versions include: D3D_FACE(Texture) is IDirect3DTexture9, D3D_CALL(Texture, LockRect)(...) a call. */
#define D3D_FACE(face)         IDirect3D##face##9
#define D3D_CALL(face, method) IDirect3D##face##9_##method

/* X8R8G8B8, WIDTH x HEIGHT, windowed, one back buffer, D24S8. */
D3DPRESENT_PARAMETERS windowed9(HWND window);
/* Full screen in the current mode. */
D3DPRESENT_PARAMETERS full_screen9(HWND window);
/* A device with `flags` (0: hardware vertex processing) and these parameters (NULL: windowed), for 9Ex if `ex` is set;
 * NULL, with a failure noted, if there is no device. */
IDirect3DDevice9 *open_device9(HWND window, bool ex, DWORD flags, const D3DPRESENT_PARAMETERS *params);
/* Releases the device and the window; no reference may be left. */
void close_device9(IDirect3DDevice9 *device, HWND window);

/* All pixels of a 32-bit target, 0x00RRGGBB, WIDTH x HEIGHT, 0 where the target is smaller; the caller frees them. */
uint32_t *read_surface9(IDirect3DDevice9 *device, IDirect3DSurface9 *surface);
uint32_t *read_target9(IDirect3DDevice9 *device);
uint32_t read_pixel9(IDirect3DDevice9 *device, unsigned x, unsigned y);

/* Binds a shader given as assembly text; NULL: none. A failure is recorded if the text does not assemble or the
 * shader is refused. */
void set_vertex_shader9(IDirect3DDevice9 *device, const char *text);
void set_pixel_shader9(IDirect3DDevice9 *device, const char *text);

void clear9(IDirect3DDevice9 *device, uint32_t rgb);
void present9(IDirect3DDevice9 *device);

#endif
