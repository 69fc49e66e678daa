/* SPDX-License-Identifier: MIT */
/* Shared by the Direct3D 8 test programs. */
#ifndef TESTS_RUNTIME_PROGRAM_H
#define TESTS_RUNTIME_PROGRAM_H

#define COBJMACROS
#include "tests/runtime/check.h"

#include <d3d8.h>

/* For files that both versions include: D3D_FACE(Texture) is IDirect3DTexture8, D3D_CALL(Texture, LockRect)(...) a call. */
#define D3D_FACE(face)         IDirect3D##face##8
#define D3D_CALL(face, method) IDirect3D##face##8_##method

/* X8R8G8B8, WIDTH x HEIGHT, windowed, one back buffer, D24S8. */
D3DPRESENT_PARAMETERS windowed(HWND window);
/* Full screen in the current mode. */
D3DPRESENT_PARAMETERS full_screen(HWND window);
/* A device with `flags` (0: hardware vertex processing) and these parameters (NULL: windowed); NULL, with a failure
 * noted, if there is no device. */
IDirect3DDevice8 *open_device(HWND window, DWORD flags, const D3DPRESENT_PARAMETERS *params);
/* Releases the device and the window; no reference may be left. */
void close_device(IDirect3DDevice8 *device, HWND window);

/* All pixels of a 32-bit surface, 0x00RRGGBB, WIDTH x HEIGHT; the caller frees them. */
uint32_t *read_surface(IDirect3DDevice8 *device, IDirect3DSurface8 *surface);
uint32_t *read_target(IDirect3DDevice8 *device);
uint32_t read_pixel(IDirect3DDevice8 *device, unsigned x, unsigned y);

#endif
