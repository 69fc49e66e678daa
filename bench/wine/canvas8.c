/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 8: the calls that differ from the other version's. */
#include "bench/wine/canvas.h"
#include "bench/wine/version8.h"

#include <string.h>

struct program {
    DWORD vertex, pixel; /* they end with the device */
};

static HRESULT new_texture(IDirect3DDevice8 *device, unsigned size, unsigned levels, D3DFORMAT format,
                           IDirect3DTexture8 **texture)
{
    return IDirect3DDevice8_CreateTexture(device, size, size, levels, 0, format, D3DPOOL_MANAGED, texture);
}

static HRESULT new_vertices(IDirect3DDevice8 *device, unsigned bytes, DWORD usage, DWORD fvf, D3DPOOL pool,
                            IDirect3DVertexBuffer8 **buffer)
{
    return IDirect3DDevice8_CreateVertexBuffer(device, bytes, D3DUSAGE_WRITEONLY | usage, fvf, pool, buffer);
}

static HRESULT new_indices(IDirect3DDevice8 *device, unsigned bytes, IDirect3DIndexBuffer8 **buffer)
{
    return IDirect3DDevice8_CreateIndexBuffer(device, bytes, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16, D3DPOOL_MANAGED,
                                              buffer);
}

static HRESULT new_program(IDirect3DDevice8 *device, const struct canvas_program *from, struct program *to)
{
    uint32_t code[CANVAS_PROGRAM_TOKENS], declaration[CANVAS_PROGRAM_TOKENS];
    HRESULT hr;

    canvas_program_of_version_8(from, code, declaration);
    hr = IDirect3DDevice8_CreateVertexShader(device, (const DWORD *)declaration, (const DWORD *)code, &to->vertex, 0);
    return FAILED(hr) ? hr : IDirect3DDevice8_CreatePixelShader(device, (const DWORD *)from->pixel, &to->pixel);
}

static void release_program(struct program *program)
{
    (void)program;
}

static HRESULT set_stage_state(IDirect3DDevice8 *device, unsigned stage, uint32_t number, uint32_t value)
{
    return IDirect3DDevice8_SetTextureStageState(device, stage, (D3DTEXTURESTAGESTATETYPE)number, value);
}

static HRESULT set_format(IDirect3DDevice8 *device, uint32_t fvf)
{
    return IDirect3DDevice8_SetVertexShader(device, fvf);
}

static HRESULT set_program(IDirect3DDevice8 *device, const struct program *program)
{
    const HRESULT hr = IDirect3DDevice8_SetVertexShader(device, program ? program->vertex : 0);
    const HRESULT pixel = IDirect3DDevice8_SetPixelShader(device, program ? program->pixel : 0);

    return FAILED(hr) ? hr : pixel;
}

static HRESULT set_vertices(IDirect3DDevice8 *device, IDirect3DVertexBuffer8 *buffer, unsigned stride)
{
    return IDirect3DDevice8_SetStreamSource(device, 0, buffer, stride);
}

/* Set by draw_indices, together with the first vertex. */
static HRESULT set_indices(IDirect3DDevice8 *device, IDirect3DIndexBuffer8 *buffer)
{
    (void)device;
    (void)buffer;
    return D3D_OK;
}

static HRESULT set_constants(IDirect3DDevice8 *device, bool pixel, unsigned first, const float (*values)[4],
                             unsigned count)
{
    return pixel ? IDirect3DDevice8_SetPixelShaderConstant(device, first, values, count)
                 : IDirect3DDevice8_SetVertexShaderConstant(device, first, values, count);
}

static HRESULT draw_indices(IDirect3DDevice8 *device, IDirect3DIndexBuffer8 *buffer, D3DPRIMITIVETYPE type,
                            unsigned base, unsigned vertices, unsigned primitives)
{
    const HRESULT hr = IDirect3DDevice8_SetIndices(device, buffer, base);

    return FAILED(hr) ? hr : IDirect3DDevice8_DrawIndexedPrimitive(device, type, 0, vertices, 0, primitives);
}

#include "bench/wine/canvas_calls.h"
