/* SPDX-License-Identifier: MIT */
/*
 * Shared by the Direct3D 8 examples: a device with its frame loop, and buffers and mip-mapped textures filled from
 * memory. Plain Direct3D 8 from the stock headers; nothing here depends on the implementation.
 */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#define COBJMACROS
#include <windows.h>
#include <d3d8.h>

#include "examples/maths.h"
#include "examples/window.h"

struct example {
    const char *title;
    bool (*create)(IDirect3DDevice8 *device);
    void (*draw)(IDirect3DDevice8 *device, unsigned frame); /* between BeginScene and EndScene */
    void (*destroy)(void);
};

/* Command line: --frames N, --shot FILE. Returns the exit status of the program. */
int example_run(const struct example *example, int argc, char **argv);

/* Static buffers with contents; exit the program on failure. */
IDirect3DVertexBuffer8 *make_vertices(IDirect3DDevice8 *device, const void *data, unsigned bytes, DWORD fvf);
IDirect3DIndexBuffer8 *make_indices(IDirect3DDevice8 *device, const uint16_t *data, unsigned count);

/* A square A8R8G8B8 texture with all mip levels. */
IDirect3DTexture8 *make_texture(IDirect3DDevice8 *device, unsigned size, texel_function texel);

void set(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value);
/* Stencil on: `pass` where the test passes, no change elsewhere. */
void set_stencil(IDirect3DDevice8 *device, D3DCMPFUNC function, DWORD reference, D3DSTENCILOP pass);
/* Stage 0 shows `texture` times diffuse; trilinear if `mips`. NULL: only diffuse. */
void use_texture(IDirect3DDevice8 *device, IDirect3DTexture8 *texture, bool mips);
void use_material(IDirect3DDevice8 *device, D3DCOLORVALUE diffuse, float specular, float power);

#endif
