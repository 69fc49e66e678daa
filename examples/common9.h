/* SPDX-License-Identifier: MIT */
/*
 * common.h for Direct3D 9: a device with its frame loop, buffers, mip-mapped textures, targets and shaders. Plain Direct3D 9 from the
 * stock headers, with the same names; a program includes one of the two.
 */
#ifndef EXAMPLES_COMMON9_H
#define EXAMPLES_COMMON9_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "examples/maths.h"
#include "examples/window.h"

struct example {
    const char *title;
    bool (*create)(IDirect3DDevice9 *device);
    void (*draw)(IDirect3DDevice9 *device, unsigned frame); /* between BeginScene and EndScene */
    void (*destroy)(void);
};

/* Command line: --frames N, --shot FILE. Returns the exit status of the program. */
int example_run(const struct example *example, int argc, char **argv);

/* Static buffers with contents; like all following functions, they exit the program on failure. */
IDirect3DVertexBuffer9 *make_vertices(IDirect3DDevice9 *device, const void *data, unsigned bytes);
IDirect3DIndexBuffer9 *make_indices(IDirect3DDevice9 *device, const uint16_t *data, unsigned count);
/* A square A8R8G8B8 texture with all mip levels. */
IDirect3DTexture9 *make_texture(IDirect3DDevice9 *device, unsigned size, texel_function texel);
/* The same from texels, in whose memory the smaller levels are computed. */
IDirect3DTexture9 *make_texture_of(IDirect3DDevice9 *device, unsigned size, D3DCOLOR *texels);
/* A texture with one level to draw to, or for depth. */
IDirect3DTexture9 *make_target(IDirect3DDevice9 *device, unsigned width, unsigned height, DWORD usage,
                               D3DFORMAT format);
/* The format of the colour target that must be bound where only depth is drawn: one without memory if the device has
 * it. */
D3DFORMAT unused_color_format(IDirect3DDevice9 *device);
IDirect3DVertexDeclaration9 *make_declaration(IDirect3DDevice9 *device, const D3DVERTEXELEMENT9 *elements);
IDirect3DVertexShader9 *make_vertex_shader(IDirect3DDevice9 *device, const DWORD *code);
IDirect3DPixelShader9 *make_pixel_shader(IDirect3DDevice9 *device, const DWORD *code);

/* A mesh with a declaration, drawn as one call of indexed triangles. */
struct model {
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DVertexDeclaration9 *declaration;
    unsigned stride, vertex_count, triangle_count;
};

void model_draw(IDirect3DDevice9 *device, const struct model *model);
void model_destroy(struct model *model);

/* A vertex and a pixel shader that belong together. */
struct program {
    IDirect3DVertexShader9 *vertex;
    IDirect3DPixelShader9 *pixel;
};

struct program make_program(IDirect3DDevice9 *device, const DWORD *vertex, const DWORD *pixel);
void program_destroy(struct program *program);
void program_use(IDirect3DDevice9 *device, const struct program *program);
/* One register of a stage. */
void set_vertex_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w);
void set_pixel_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w);
/* Registers whose dot products with a position are its components: the columns of the matrix. */
void set_vertex_matrix(IDirect3DDevice9 *device, unsigned number, const D3DMATRIX *matrix);

void set(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, DWORD value);
void set_float(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, float value);
/* A texture at a sampler with one filter for both directions; `mips`: D3DTEXF_NONE, _POINT or _LINEAR. */
void use_texture(IDirect3DDevice9 *device, unsigned sampler, IDirect3DTexture9 *texture, D3DTEXTUREADDRESS address,
                 D3DTEXTUREFILTERTYPE filter, D3DTEXTUREFILTERTYPE mips);
/* Makes level 0 of a texture the only target; NULL: the back buffer. The viewport becomes the whole target. */
void use_target(IDirect3DDevice9 *device, IDirect3DTexture9 *texture);

#endif
