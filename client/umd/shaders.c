/* SPDX-License-Identifier: MIT */
/*
 * Tokens of shaders. The WDDM interface has declarations and functions, as DirectX 9. A vertex shader of DirectX 8 becomes both: its
 * registers have the usages that they have in vertex formats, and the constants that it brings along are set with it. A vertex format
 * becomes a declaration.
 */
#include "client/umd/internal.h"

#include "base/base.h"
#include "client/umd/elements.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CONSTANTS 256 /* that a shader of DirectX 8 brings along */

/* --- declarations ---------------------------------------------------------------------------------------- */

HRESULT bridge_create_declaration(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIVERTEXELEMENT elements[MOST_ELEMENTS];
    struct dp2_entry entry = {0};
    HRESULT hr = bridge_call_flush(call);

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        const uint32_t number = dp2_read_u32(entry.head);
        const size_t count = entry.data_size / sizeof(*elements);
        HANDLE handle;

        if (!(number & 1) || count > MOST_ELEMENTS)
            return E_INVALIDARG;
        memcpy(elements, entry.data, count * sizeof(*elements));
        bridge_delete_number(call->context, D3DDP2OP_CREATEVERTEXSHADERDECL, number);
        hr = bridge_make_declaration(call->context, elements, (unsigned)count, &handle);
        if (SUCCEEDED(hr))
            hr = bridge_keep_object(call->context, D3DDP2OP_CREATEVERTEXSHADERDECL, number, handle);
        if (call->context->state.is_declaration && call->context->state.vertex_shader == number)
            call->context->stale |= BRIDGE_SHADER;
    }
    return hr;
}

/* --- vertex shaders of DirectX 8 ---------------------------------------------------------------------------- */

/* The meanings of the registers in vertex formats: D3DVSDE_*. */
static const struct {
    uint8_t usage, index;
} registers[] = {
    {USAGE_POSITION, 0}, {USAGE_WEIGHT, 0},   {USAGE_INDICES, 0},  {USAGE_NORMAL, 0},   {USAGE_SIZE, 0},
    {USAGE_COLOR, 0},    {USAGE_COLOR, 1},    {USAGE_TEXCOORD, 0}, {USAGE_TEXCOORD, 1}, {USAGE_TEXCOORD, 2},
    {USAGE_TEXCOORD, 3}, {USAGE_TEXCOORD, 4}, {USAGE_TEXCOORD, 5}, {USAGE_TEXCOORD, 6}, {USAGE_TEXCOORD, 7},
    {USAGE_POSITION, 1}, {USAGE_NORMAL, 1},
};

struct reader {
    const uint8_t *tokens;
    size_t count, at;
    unsigned stream, offset;
    D3DDDIVERTEXELEMENT elements[MOST_ELEMENTS];
    unsigned element_count;
    uint32_t seen; /* registers */
    struct bridge_constant constants[MOST_CONSTANTS];
    unsigned constant_count;
};

static bool add_element(struct reader *r, unsigned reg, unsigned type, unsigned method)
{
    if (reg >= ARRAY_COUNT(registers) || r->element_count == MOST_ELEMENTS || r->offset > UINT16_MAX)
        return false;
    r->elements[r->element_count++] = (D3DDDIVERTEXELEMENT){
        .Stream = (WORD)r->stream,
        .Offset = (WORD)r->offset,
        .Type = (BYTE)type,
        .Method = (BYTE)method,
        .Usage = registers[reg].usage,
        .UsageIndex = registers[reg].index,
    };
    return true;
}

static bool read_data(struct reader *r, uint32_t token)
{
    static const uint8_t bytes[] = {4, 8, 12, 16, 4, 4, 4, 8};
    const uint32_t operand = token >> 16 & 15, reg = token & 31;

    if (token & 1u << 28) { /* SKIP */
        r->offset += 4 * operand;
        return true;
    }
    if (operand >= ARRAY_COUNT(bytes) || r->seen >> reg & 1 || !add_element(r, reg, operand, 0))
        return false;
    r->seen |= 1u << reg;
    r->offset += bytes[operand];
    return true;
}

static bool add_constant(struct reader *r, uint32_t reg, const uint8_t *value)
{
    if (r->constant_count == MOST_CONSTANTS)
        return false;
    r->constants[r->constant_count].reg = reg;
    memcpy(r->constants[r->constant_count++].value, value, sizeof(r->constants[0].value));
    return true;
}

static bool read_token(struct reader *r, uint32_t token)
{
    const size_t vectors = token >> 25 & 15;

    switch (token >> 29) {
    case 0: /* NOP */
        return true;
    case 1: /* STREAM */
        r->stream = token & 15;
        r->offset = 0;
        return true;
    case 2:
        return read_data(r, token);
    case 3: /* TESSELLATOR: texture coordinates, or the normal of a surface */
        return (token & 31) != 0 && add_element(r, token & 31, token & 1u << 28 ? 17 : TYPE_FLOAT3,
                                                token & 1u << 28 ? METHOD_UV : METHOD_CROSSUV);
    case 4: /* CONSTMEM */
        for (size_t i = 0; i < vectors; i++, r->at += 4)
            if (r->at + 4 > r->count || !add_constant(r, (token & 0x7f) + (uint32_t)i, r->tokens + 4 * r->at))
                return false;
        return true;
    case 5: /* EXT */
        r->at += token >> 24 & 31;
        return r->at <= r->count;
    default:
        return false;
    }
}

/* False: malformed, or without an end. */
static bool read_declaration(struct reader *r, const uint8_t *tokens, size_t bytes)
{
    *r = (struct reader){.tokens = tokens, .count = bytes / 4};
    while (r->at < r->count) {
        const uint32_t token = dp2_read_u32(tokens + 4 * r->at++);

        if (token == 0xFFFFFFFF)
            return true;
        if (!read_token(r, token))
            return false;
    }
    return false;
}

/* Constants that code of shader model 1 defines: D3DSIO_DEF, whose registers have four values. */
static void read_definitions(struct reader *r, const uint8_t *code, size_t bytes)
{
    size_t at = 1;

    while (at < bytes / 4) {
        const uint32_t token = dp2_read_u32(code + 4 * at++), opcode = token & 0xFFFF;

        if (opcode == 0xFFFF)
            return;
        if (opcode == 0xFFFE) {
            at += token >> 16 & 0x7FFF;
        } else if (opcode == 0x51) {
            if (at + 5 <= bytes / 4)
                add_constant(r, dp2_read_u32(code + 4 * at) & 0x7FF, code + 4 * (at + 1));
            at += 5;
        } else {
            while (at < bytes / 4 && dp2_read_u32(code + 4 * at) >> 31)
                at++;
        }
    }
}

static HRESULT make_function(struct bridge_context *context, const uint8_t *code, size_t bytes, HANDLE *handle)
{
    D3DDDIARG_CREATEVERTEXSHADERFUNC args = {.Size = (UINT)bytes};
    UINT *copy = mem_calloc(bytes + 4, 1);
    HRESULT hr = E_OUTOFMEMORY;

    if (copy) {
        memcpy(copy, code, bytes);
        hr = context->local->f.pfnCreateVertexShaderFunc(context->local->device, &args, copy);
        free(copy);
    }
    *handle = SUCCEEDED(hr) ? args.ShaderHandle : NULL;
    return bridge_result(hr, E_INVALIDARG);
}

static HRESULT create_shader8(struct bridge_context *context, uint32_t number, const uint8_t *declaration,
                              size_t declaration_bytes, const uint8_t *code, size_t code_bytes, struct reader *reader)
{
    struct bridge_shader8 *shader;
    HRESULT hr;

    if (!read_declaration(reader, declaration, declaration_bytes))
        return E_INVALIDARG;
    read_definitions(reader, code, code_bytes);
    shader = mem_calloc(1, sizeof(*shader) + reader->constant_count * sizeof(shader->constants[0]));
    if (!shader)
        return DDERR_OUTOFMEMORY;
    shader->constant_count = reader->constant_count;
    memcpy(shader->constants, reader->constants, reader->constant_count * sizeof(shader->constants[0]));
    hr = bridge_make_declaration(context, reader->elements, reader->element_count, &shader->declaration);
    if (SUCCEEDED(hr) && code_bytes)
        hr = make_function(context, code, code_bytes, &shader->function);
    if (SUCCEEDED(hr) && !base_map_put(&context->shaders8, number, shader))
        hr = DDERR_OUTOFMEMORY;
    if (FAILED(hr))
        bridge_free_shader8(context, shader);
    return hr;
}

HRESULT bridge_create_shader8(struct bridge_call *call, const struct dp2_command *command)
{
    struct reader *reader = mem_calloc(1, sizeof(*reader));
    struct dp2_entry entry = {0};
    HRESULT hr = reader ? bridge_call_flush(call) : DDERR_OUTOFMEMORY;

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        D3DHAL_DP2CREATEVERTEXSHADER head;

        memcpy(&head, entry.head, sizeof(head));
        if (!(head.dwHandle & 1) || head.dwDeclSize > entry.data_size || head.dwDeclSize & 3) {
            hr = E_INVALIDARG;
            break;
        }
        bridge_free_shader8(call->context, base_map_take(&call->context->shaders8, head.dwHandle));
        hr = create_shader8(call->context, head.dwHandle, entry.data, head.dwDeclSize, entry.data + head.dwDeclSize,
                            entry.data_size - head.dwDeclSize, reader);
        if (!call->context->state.is_declaration && call->context->state.vertex_shader == head.dwHandle)
            call->context->stale |= BRIDGE_SHADER;
    }
    free(reader);
    return hr;
}

HRESULT bridge_delete_shader8(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;

    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t number = dp2_read_u32(command->body + 4 * i);

        bridge_free_shader8(context, base_map_take(&context->shaders8, number));
        if (number & 1 && !context->state.is_declaration && context->state.vertex_shader == number) {
            context->state.vertex_shader = 0;
            context->stale |= BRIDGE_SHADER;
        }
    }
    return DD_OK;
}

static void set_shader(struct bridge_context *context, uint32_t number, bool is_declaration)
{
    struct bridge_state *state = bridge_writes(context, BRIDGE_SHADER);

    state->vertex_shader = number;
    state->is_declaration = is_declaration;
    if (context->recording && !(context->recording->parts & BRIDGE_FUNCTION))
        state->function = context->state.function;
    bridge_bind_shader(context, state);
}

HRESULT bridge_set_shader8(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;

    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t number = dp2_read_u32(command->body + 4 * i);
        const struct bridge_shader8 *shader = number & 1 ? base_map_get(&context->shaders8, number) : NULL;

        set_shader(context, number, false);
        for (unsigned k = 0; !number && k < D3D_STREAMS; k++) { /* streams are unbound */
            const D3DDDIARG_SETSTREAMSOURCE none = {.Stream = k};

            context->state.stream[k] = (struct bridge_stream){0};
            context->user_vertices = false;
            call->f->pfnSetStreamSource(call->device, &none);
        }
        for (unsigned k = 0; shader && k < shader->constant_count; k++) {
            const D3DDDIARG_SETVERTEXSHADERCONST args = {shader->constants[k].reg, 1};

            call->f->pfnSetVertexShaderConst(call->device, &args, shader->constants[k].value);
        }
    }
    return DD_OK;
}

HRESULT bridge_delete_declaration(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;

    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t number = dp2_read_u32(command->body + 4 * i);

        bridge_delete_number(context, D3DDP2OP_CREATEVERTEXSHADERDECL, number);
        if (number & 1 && context->state.is_declaration && context->state.vertex_shader == number) {
            context->state.vertex_shader = 0;
            context->stale |= BRIDGE_SHADER;
        }
    }
    return DD_OK;
}

HRESULT bridge_set_declaration(struct bridge_call *call, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        set_shader(call->context, dp2_read_u32(command->body + 4 * i), true);
    return DD_OK;
}

HRESULT bridge_create_function(struct bridge_call *call, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};
    HRESULT hr = bridge_call_flush(call);

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        const uint32_t number = dp2_read_u32(entry.head);
        HANDLE handle;

        if (!number)
            return E_INVALIDARG;
        bridge_delete_number(call->context, D3DDP2OP_CREATEVERTEXSHADERFUNC, number);
        hr = make_function(call->context, entry.data, entry.data_size, &handle);
        if (SUCCEEDED(hr))
            hr = bridge_keep_object(call->context, D3DDP2OP_CREATEVERTEXSHADERFUNC, number, handle);
        if (call->context->state.function == number)
            call->context->stale |= BRIDGE_FUNCTION;
    }
    return hr;
}

HRESULT bridge_delete_function(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;

    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t number = dp2_read_u32(command->body + 4 * i);

        bridge_delete_number(context, D3DDP2OP_CREATEVERTEXSHADERFUNC, number);
        if (context->state.function == number) {
            context->state.function = 0;
            context->stale |= BRIDGE_FUNCTION;
        }
    }
    return DD_OK;
}

/* A shader of DirectX 8 that is set keeps its own. */
HRESULT bridge_set_function(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;

    for (unsigned i = 0; i < command->count; i++) {
        struct bridge_state *state = bridge_writes(context, BRIDGE_FUNCTION);
        const struct bridge_state *now =
            context->recording && context->recording->parts & BRIDGE_SHADER ? state : &context->state;

        state->function = dp2_read_u32(command->body + 4 * i);
        if (now->is_declaration || !(now->vertex_shader & 1))
            call->f->pfnSetVertexShaderFunc(
                call->device, bridge_handle_of(context, D3DDP2OP_CREATEVERTEXSHADERFUNC, state->function));
    }
    return DD_OK;
}

/* --- pixel shaders ---------------------------------------------------------------------------------------------- */

HRESULT bridge_create_pixel(struct bridge_call *call, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};
    HRESULT hr = bridge_call_flush(call);

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        const uint32_t number = dp2_read_u32(entry.head);
        D3DDDIARG_CREATEPIXELSHADER args = {.CodeSize = (UINT)entry.data_size};
        UINT *copy;

        if (!number)
            return E_INVALIDARG;
        bridge_delete_number(call->context, D3DDP2OP_CREATEPIXELSHADER, number);
        copy = mem_calloc(entry.data_size + 4, 1);
        if (!copy)
            return DDERR_OUTOFMEMORY;
        memcpy(copy, entry.data, entry.data_size);
        hr = bridge_result(call->f->pfnCreatePixelShader(call->device, &args, copy), E_INVALIDARG);
        free(copy);
        if (SUCCEEDED(hr))
            hr = bridge_keep_object(call->context, D3DDP2OP_CREATEPIXELSHADER, number, args.ShaderHandle);
    }
    return hr;
}

HRESULT bridge_delete_pixel(struct bridge_call *call, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        bridge_delete_number(call->context, D3DDP2OP_CREATEPIXELSHADER, dp2_read_u32(command->body + 4 * i));
    return DD_OK;
}

HRESULT bridge_set_pixel(struct bridge_call *call, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        call->f->pfnSetPixelShader(call->device, bridge_handle_of(call->context, D3DDP2OP_CREATEPIXELSHADER,
                                                                  dp2_read_u32(command->body + 4 * i)));
    return DD_OK;
}

/* --- constants --------------------------------------------------------------------------------------------------- */

static HRESULT set_constants(const struct bridge_call *call, uint8_t token, const D3DDDIARG_SETVERTEXSHADERCONST *args,
                             const void *values)
{
    const D3DDDI_DEVICEFUNCS *f = call->f;

    switch (token) {
    case D3DDP2OP_SETVERTEXSHADERCONST:
        return f->pfnSetVertexShaderConst(call->device, args, values);
    case D3DDP2OP_SETVERTEXSHADERCONSTI:
        return f->pfnSetVertexShaderConstI(call->device, args, values);
    case D3DDP2OP_SETVERTEXSHADERCONSTB:
        return f->pfnSetVertexShaderConstB(call->device, args, values);
    case D3DDP2OP_SETPIXELSHADERCONST:
        return f->pfnSetPixelShaderConst(call->device, args, values);
    case D3DDP2OP_SETPIXELSHADERCONSTI:
        return f->pfnSetPixelShaderConstI(call->device, args, values);
    default:
        return f->pfnSetPixelShaderConstB(call->device, args, values);
    }
}

static HRESULT set_copied_constants(const struct bridge_call *call, uint8_t token,
                                    const D3DDDIARG_SETVERTEXSHADERCONST *args, const struct dp2_entry *entry)
{
    void *copy = mem_calloc(entry->data_size + 4, 1);
    HRESULT hr;

    if (!copy)
        return DDERR_OUTOFMEMORY;
    hr = set_constants(call, token, args, memcpy(copy, entry->data, entry->data_size));
    free(copy);
    return hr;
}

/* Commands of one entry have their values at a multiple of four bytes, as a rule; others are copied. */
HRESULT bridge_constants(struct bridge_call *call, const struct dp2_command *command)
{
    const uint8_t token = command->info->number;
    struct dp2_entry entry = {0};
    HRESULT hr = S_OK;

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        D3DDDIARG_SETVERTEXSHADERCONST args;

        memcpy(&args, entry.head, sizeof(args));
        hr = (uintptr_t)entry.data & 3 ? set_copied_constants(call, token, &args, &entry)
                                       : set_constants(call, token, &args, entry.data);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}
