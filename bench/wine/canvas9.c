/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 9: the calls that differ from the other version's. */
#include "bench/wine/canvas.h"
#include "bench/wine/version9.h"

#include <string.h>

struct program {
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DVertexShader9 *vertex;
    IDirect3DPixelShader9 *pixel;
};

static HRESULT new_texture(IDirect3DDevice9 *device, unsigned size, unsigned levels, D3DFORMAT format,
                           IDirect3DTexture9 **texture)
{
    return IDirect3DDevice9_CreateTexture(device, size, size, levels, 0, format, D3DPOOL_MANAGED, texture, NULL);
}

static HRESULT new_vertices(IDirect3DDevice9 *device, unsigned bytes, DWORD usage, DWORD fvf, D3DPOOL pool,
                            IDirect3DVertexBuffer9 **buffer)
{
    return IDirect3DDevice9_CreateVertexBuffer(device, bytes, D3DUSAGE_WRITEONLY | usage, fvf, pool, buffer, NULL);
}

static HRESULT new_indices(IDirect3DDevice9 *device, unsigned bytes, IDirect3DIndexBuffer9 **buffer)
{
    return IDirect3DDevice9_CreateIndexBuffer(device, bytes, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16, D3DPOOL_MANAGED,
                                              buffer, NULL);
}

static HRESULT new_declaration(IDirect3DDevice9 *device, const struct canvas_program *program,
                               IDirect3DVertexDeclaration9 **declaration)
{
    D3DVERTEXELEMENT9 elements[CANVAS_MAX_OBJECTS + 1];
    WORD offset = 0;

    for (unsigned k = 0; k < program->input_count; k++) {
        const struct canvas_input *input = &program->inputs[k];

        elements[k] = (D3DVERTEXELEMENT9){0, offset, (BYTE)(input->floats - 1), D3DDECLMETHOD_DEFAULT, input->usage, 0};
        offset = (WORD)(offset + 4 * input->floats);
    }
    elements[program->input_count] = (D3DVERTEXELEMENT9)D3DDECL_END();
    return IDirect3DDevice9_CreateVertexDeclaration(device, elements, declaration);
}

static void release_program(struct program *program)
{
    if (program->declaration)
        IDirect3DVertexDeclaration9_Release(program->declaration);
    if (program->vertex)
        IDirect3DVertexShader9_Release(program->vertex);
    if (program->pixel)
        IDirect3DPixelShader9_Release(program->pixel);
}

static HRESULT new_program(IDirect3DDevice9 *device, const struct canvas_program *from, struct program *to)
{
    HRESULT hr = new_declaration(device, from, &to->declaration);

    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_CreateVertexShader(device, (const DWORD *)from->vertex, &to->vertex);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)from->pixel, &to->pixel);
    if (FAILED(hr))
        release_program(to);
    return hr;
}

/* States of a stage in Direct3D 8 that are a sampler's in 9. */
static const struct {
    uint32_t number;
    D3DSAMPLERSTATETYPE sampler;
} sampler_states[] = {
    {13, D3DSAMP_ADDRESSU},  {14, D3DSAMP_ADDRESSV},  {16, D3DSAMP_MAGFILTER},
    {17, D3DSAMP_MINFILTER}, {18, D3DSAMP_MIPFILTER},
};

static HRESULT set_stage_state(IDirect3DDevice9 *device, unsigned stage, uint32_t number, uint32_t value)
{
    for (unsigned i = 0; i < sizeof(sampler_states) / sizeof(sampler_states[0]); i++)
        if (sampler_states[i].number == number)
            return IDirect3DDevice9_SetSamplerState(device, stage, sampler_states[i].sampler, value);
    return IDirect3DDevice9_SetTextureStageState(device, stage, (D3DTEXTURESTAGESTATETYPE)number, value);
}

static HRESULT set_format(IDirect3DDevice9 *device, uint32_t fvf)
{
    return IDirect3DDevice9_SetFVF(device, fvf);
}

/* NULL: the program stays. */
static HRESULT set_program(IDirect3DDevice9 *device, const struct program *program)
{
    HRESULT hr = D3D_OK;

    if (program)
        hr = IDirect3DDevice9_SetVertexDeclaration(device, program->declaration);
    if (program && SUCCEEDED(hr))
        hr = IDirect3DDevice9_SetVertexShader(device, program->vertex);
    if (program && SUCCEEDED(hr))
        hr = IDirect3DDevice9_SetPixelShader(device, program->pixel);
    return hr;
}

static HRESULT set_vertices(IDirect3DDevice9 *device, IDirect3DVertexBuffer9 *buffer, unsigned stride)
{
    return IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, stride);
}

static HRESULT set_indices(IDirect3DDevice9 *device, IDirect3DIndexBuffer9 *buffer)
{
    return IDirect3DDevice9_SetIndices(device, buffer);
}

static HRESULT set_constants(IDirect3DDevice9 *device, bool pixel, unsigned first, const float (*values)[4],
                             unsigned count)
{
    return pixel ? IDirect3DDevice9_SetPixelShaderConstantF(device, first, values[0], count)
                 : IDirect3DDevice9_SetVertexShaderConstantF(device, first, values[0], count);
}

static HRESULT draw_indices(IDirect3DDevice9 *device, IDirect3DIndexBuffer9 *buffer, D3DPRIMITIVETYPE type,
                            unsigned base, unsigned vertices, unsigned primitives)
{
    (void)buffer; /* set before */
    return IDirect3DDevice9_DrawIndexedPrimitive(device, type, (INT)base, 0, vertices, 0, primitives);
}

#include "bench/wine/canvas_calls.h"
