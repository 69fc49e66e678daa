/* SPDX-License-Identifier: MIT */
/* Analyses declarations before the driver gets them, and checks whether programs keep the API's rules. */
#include "runtime/d3d8/declaration.h"

#define MAX_CODE_WORDS        65536
#define MAX_DECLARATION_WORDS 4096

/* --- declarations ---------------------------------------------------------------------- */

static unsigned token_kind(DWORD token)
{
    return token >> D3DVSD_TOKENTYPESHIFT;
}

/* DWORDs that follow a token and belong to it. */
static size_t token_data(DWORD token)
{
    if (token_kind(token) == D3DVSD_TOKEN_CONSTMEM)
        return 4 * (size_t)(token >> D3DVSD_CONSTCOUNTSHIFT & 0xf);
    return token_kind(token) == D3DVSD_TOKEN_EXT ? token >> D3DVSD_EXTCOUNTSHIFT & 0x1f : 0;
}

size_t d3d8_declaration_length(const DWORD *declaration)
{
    size_t n = 0;

    while (n < MAX_DECLARATION_WORDS && declaration[n] != D3DVSD_END())
        n += 1 + token_data(declaration[n]);
    return n < MAX_DECLARATION_WORDS ? n + 1 : 0;
}

bool d3d8_declaration_is_data(DWORD token)
{
    return token_kind(token) == D3DVSD_TOKEN_STREAMDATA && !(token & 0x10000000);
}

uint32_t d3d8_declaration_inputs(const DWORD *declaration)
{
    uint32_t inputs = 0;

    for (; *declaration != D3DVSD_END(); declaration += 1 + token_data(*declaration))
        if (d3d8_declaration_is_data(*declaration) || token_kind(*declaration) == D3DVSD_TOKEN_TESSELLATOR)
            inputs |= 1u << (*declaration & D3DVSD_VERTEXREGMASK);
    return inputs;
}

unsigned d3d8_declaration_vertex_bytes(const DWORD *declaration)
{
    static const uint8_t sizes[16] = {
        [D3DVSDT_FLOAT1] = 4,   [D3DVSDT_FLOAT2] = 8, [D3DVSDT_FLOAT3] = 12, [D3DVSDT_FLOAT4] = 16,
        [D3DVSDT_D3DCOLOR] = 4, [D3DVSDT_UBYTE4] = 4, [D3DVSDT_SHORT2] = 4,  [D3DVSDT_SHORT4] = 8};
    unsigned stream = 0, offset = 0, bytes = 0;

    for (; *declaration != D3DVSD_END(); declaration += 1 + token_data(*declaration)) {
        const unsigned operand = *declaration >> 16 & 0xf;

        if (token_kind(*declaration) == D3DVSD_TOKEN_STREAM) {
            stream = *declaration & D3DVSD_STREAMNUMBERMASK;
            offset = 0;
        } else if (d3d8_declaration_is_data(*declaration)) {
            offset += sizes[operand];
            bytes = stream ? bytes : BASE_MAX(bytes, offset);
        } else if (token_kind(*declaration) == D3DVSD_TOKEN_STREAMDATA) {
            offset += 4 * operand; /* D3DVSD_SKIP */
        }
    }
    return bytes;
}

bool d3d8_declaration_constants(const DWORD *declaration, size_t *at, struct d3d8_declared_constants *constants)
{
    for (; declaration[*at] != D3DVSD_END(); *at += 1 + token_data(declaration[*at])) {
        DWORD token = declaration[*at];
        if (token_kind(token) != D3DVSD_TOKEN_CONSTMEM)
            continue;
        constants->first = token & D3DVSD_CONSTADDRESSMASK;
        constants->count = token >> D3DVSD_CONSTCOUNTSHIFT & 0xf;
        constants->values = &declaration[*at + 1];
        *at += 1 + token_data(token);
        return true;
    }
    return false;
}

size_t d3d8_declaration_strip(const DWORD *declaration, DWORD *out)
{
    size_t n = 0;

    for (; *declaration != D3DVSD_END(); declaration += 1 + token_data(*declaration)) {
        if (token_kind(*declaration) == D3DVSD_TOKEN_CONSTMEM)
            continue;
        for (size_t i = 0; i <= token_data(*declaration); i++)
            out[n++] = declaration[i];
    }
    out[n++] = D3DVSD_END();
    return n;
}

/* --- programs -------------------------------------------------------------------------- */

size_t d3d8_code_bytes(const DWORD *code)
{
    return shader_bytecode_length((const uint32_t *)code, MAX_CODE_WORDS) * sizeof(*code);
}

/* The length of the code is not given: it follows from its instructions, up to a bound. */
bool d3d8_code_is_valid(const DWORD *code, bool pixel, const DWORD *declaration, const D3DCAPS8 *caps,
                        shader_rule_report *report, struct shader_error *error)
{
    struct shader_limits limits = {
        .vertex_version = caps ? (uint16_t)BASE_MIN(caps->VertexShaderVersion & 0xffff, 0x101) : 0x101,
        .pixel_version = caps ? (uint16_t)BASE_MIN(caps->PixelShaderVersion & 0xffff, 0x104) : 0x104,
        .vertex_only = !pixel,
        .pixel_only = pixel,
        .vertex_constants = caps ? caps->MaxVertexShaderConst : 0,
        .directx8 = true,
    };
    size_t bytes = d3d8_code_bytes(code);

    if (!bytes)
        return shader_fail(error, 0, "no code, or code without an end");
    if (declaration) {
        if (!d3d8_declaration_length(declaration))
            return shader_fail(error, 0, "a declaration without an end");
        limits.declaration_known = true;
        limits.declared_inputs = d3d8_declaration_inputs(declaration);
    }
    if (report)
        return shader_validate_required((const uint32_t *)code, bytes / sizeof(*code), &limits, report, NULL, error);
    return shader_validate((const uint32_t *)code, bytes / sizeof(*code), &limits, error);
}
