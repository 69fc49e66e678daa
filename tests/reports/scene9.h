/* SPDX-License-Identifier: MIT */
/* Shared by the Direct3D 9 programs in tests/reports: a device in a window, and functions that draw a rectangle with
 * it. */
#ifndef TESTS_REPORTS_SCENE9_H
#define TESTS_REPORTS_SCENE9_H

#include "tests/reports/report.h"
#include "tests/runtime/program9.h"

/* A device whose target is black, depth 1, stencil 0, between BeginScene and EndScene; without lighting, culling and
 * depth test. `flags`, `params`: as open_device9 takes them. NULL, with a failure noted, if there is no device. */
IDirect3DDevice9 *open_scene9(DWORD flags, const D3DPRESENT_PARAMETERS *params);
/* Ends the scene, unbinds everything, and releases device and window; no reference may be left. */
void close_scene9(IDirect3DDevice9 *device);

/* Sets states, which the device must accept. */
void state9(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, DWORD value);
void stage9(IDirect3DDevice9 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value);
void sampler9(IDirect3DDevice9 *device, DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value);
/* Colour and alpha of a stage: a single argument. */
void select9(IDirect3DDevice9 *device, DWORD stage, DWORD argument);

/* Clears target, depth and stencil: the colour, 1, 0. */
void clear_all9(IDirect3DDevice9 *device, DWORD color);

/* The pixels of the target between these edges: transformed vertices with z = 0.5, a colour, and coordinates from 0 to
 * 1. */
void draw_rect9(IDirect3DDevice9 *device, float left, float top, float right, float bottom, DWORD color);
/* The whole target. */
void fill9(IDirect3DDevice9 *device, DWORD color);
/* Four vertices as a strip from user memory. */
void draw_strip9(IDirect3DDevice9 *device, DWORD fvf, const void *vertices, UINT stride);
/* The strip of four vertices in the bound vertex buffer. */
void draw_bound_strip9(IDirect3DDevice9 *device);

/* A managed texture with one level, width x height texels with these bytes. */
IDirect3DTexture9 *texture9(IDirect3DDevice9 *device, D3DFORMAT format, unsigned width, unsigned height,
                            const void *texels, unsigned bytes);
/* A texture of 4x4 texels A8R8G8B8, all the same. */
IDirect3DTexture9 *solid9(IDirect3DDevice9 *device, DWORD color);
/* Fills a level of a lockable 32-bit texture, with these lock flags. */
void fill_level9(IDirect3DTexture9 *texture, UINT level, DWORD flags, DWORD color);

/* A managed vertex buffer with this content. */
IDirect3DVertexBuffer9 *buffer9(IDirect3DDevice9 *device, const void *data, UINT bytes);
/* Binds a managed index buffer with this content. */
void set_indices9(IDirect3DDevice9 *device, const uint16_t *indices, UINT count);
/* Binds a declaration, which may be a constant array. */
void set_declaration9(IDirect3DDevice9 *device, const D3DVERTEXELEMENT9 *elements);
/* Binds shaders given as assembly text; NULL: none. */
void set_shaders9(IDirect3DDevice9 *device, const char *vertex, const char *pixel);

/* The number of pixels, or of samples with `samples` per pixel, that a query counts while draw runs. */
DWORD count_drawn9(IDirect3DDevice9 *device, void (*draw)(IDirect3DDevice9 *device));

#endif
