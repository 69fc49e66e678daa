/* SPDX-License-Identifier: MIT */
/* Shared by the Direct3D 8 programs in tests/reports: a device in a window, and functions that draw a rectangle with
 * it. */
#ifndef TESTS_REPORTS_SCENE8_H
#define TESTS_REPORTS_SCENE8_H

#include "tests/reports/report.h"
#include "tests/runtime/program.h"

/* As open_scene9 and close_scene9. */
IDirect3DDevice8 *open_scene8(DWORD flags);
void close_scene8(IDirect3DDevice8 *device);

/* Sets states, which the device must accept. */
void state8(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value);
void stage8(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value);
/* The colour of the first stage: only that of the texture. */
void show_texture8(IDirect3DDevice8 *device, IDirect3DTexture8 *texture);

/* Clears target and depth: the colour, 1. */
void clear_all8(IDirect3DDevice8 *device, DWORD color);
/* The whole target: transformed vertices, z = 0.5. */
void fill8(IDirect3DDevice8 *device, DWORD color);
/* Four vertices as a strip from user memory. */
void draw_strip8(IDirect3DDevice8 *device, DWORD shader, const void *vertices, UINT stride);

/* A texture with one level, 4x4 texels X8R8G8B8 of this colour. */
IDirect3DTexture8 *solid8(IDirect3DDevice8 *device, D3DPOOL pool, DWORD color);
/* A vertex buffer of the default pool with this content. */
IDirect3DVertexBuffer8 *buffer8(IDirect3DDevice8 *device, DWORD usage, DWORD fvf, const void *data, UINT bytes);
/* Shaders from assembly text; 0, with a failure noted, if they are refused. */
DWORD vertex_shader8(IDirect3DDevice8 *device, const DWORD *declaration, const char *text);
DWORD pixel_shader8(IDirect3DDevice8 *device, const char *text);

#endif
