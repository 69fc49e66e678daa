/* SPDX-License-Identifier: MIT */
/* Shaders, declarations, queries and state blocks: the driver's handles by the numbers of streams. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>

struct bridge_map *bridge_map_of(struct bridge_context *context, uint8_t token)
{
    switch (token) {
    case D3DDP2OP_CREATEVERTEXSHADERDECL:
        return &context->declarations;
    case D3DDP2OP_CREATEVERTEXSHADERFUNC:
        return &context->functions;
    default:
        return &context->pixel_shaders;
    }
}

void bridge_delete_object(struct bridge_context *context, uint8_t token, HANDLE handle)
{
    const D3DDDI_DEVICEFUNCS *f = &context->local->f;
    const HANDLE device = context->local->device;

    if (token == D3DDP2OP_CREATEVERTEXSHADERDECL)
        f->pfnDeleteVertexShaderDecl(device, handle);
    else if (token == D3DDP2OP_CREATEVERTEXSHADERFUNC)
        f->pfnDeleteVertexShaderFunc(device, handle);
    else
        f->pfnDeletePixelShader(device, handle);
}

void bridge_delete_number(struct bridge_context *context, uint8_t token, uint32_t number)
{
    struct bridge_object *object = bridge_map_take(bridge_map_of(context, token), number);

    if (object)
        bridge_delete_object(context, token, object->handle);
    free(object);
}

/* A new object of the number, in place of an old one. */
HRESULT bridge_keep_object(struct bridge_context *context, uint8_t token, uint32_t number, HANDLE handle)
{
    struct bridge_object *object = mem_calloc(1, sizeof(*object));

    if (object && bridge_map_put(bridge_map_of(context, token), number, object)) {
        object->handle = handle;
        return DD_OK;
    }
    free(object);
    bridge_delete_object(context, token, handle);
    return DDERR_OUTOFMEMORY;
}

HANDLE bridge_handle_of(struct bridge_context *context, uint8_t token, uint32_t number)
{
    const struct bridge_object *object = bridge_map_get(bridge_map_of(context, token), number);

    return object ? object->handle : NULL;
}

HRESULT bridge_make_declaration(struct bridge_context *context, const D3DDDIVERTEXELEMENT *elements, unsigned count,
                                HANDLE *handle)
{
    D3DDDIARG_CREATEVERTEXSHADERDECL args = {.NumVertexElements = count};
    const HRESULT hr = context->local->f.pfnCreateVertexShaderDecl(context->local->device, &args, elements);

    *handle = SUCCEEDED(hr) ? args.ShaderHandle : NULL;
    return bridge_result(hr, E_INVALIDARG);
}

void bridge_free_shader8(struct bridge_context *context, struct bridge_shader8 *shader)
{
    if (!shader)
        return;
    if (shader->declaration)
        bridge_delete_object(context, D3DDP2OP_CREATEVERTEXSHADERDECL, shader->declaration);
    if (shader->function)
        bridge_delete_object(context, D3DDP2OP_CREATEVERTEXSHADERFUNC, shader->function);
    free(shader);
}

/* --- the end ------------------------------------------------------------------------------------------------------- */

void bridge_free_objects(struct bridge_context *context)
{
    static const uint8_t tokens[] = {D3DDP2OP_CREATEVERTEXSHADERDECL, D3DDP2OP_CREATEVERTEXSHADERFUNC,
                                     D3DDP2OP_CREATEPIXELSHADER};
    const D3DDDI_DEVICEFUNCS *f = &context->local->f;
    const HANDLE device = context->local->device;
    struct bridge_shader8 *shader;
    struct bridge_object *object;
    struct bridge_query *query;
    struct bridge_block *block;
    uint32_t at = 0;

    if (context->recording) {
        D3DDDIARG_STATESET args = {.Operation = D3DHAL_STATESETEND, .hStateSet = context->recording->handle};

        f->pfnStateSet(device, &args);
    }
    while ((shader = bridge_map_next(&context->shaders8, &at)))
        bridge_free_shader8(context, shader);
    for (unsigned i = 0; i < ARRAY_COUNT(tokens); i++)
        for (at = 0; (object = bridge_map_next(bridge_map_of(context, tokens[i]), &at)); free(object))
            bridge_delete_object(context, tokens[i], object->handle);
    for (at = 0; (object = bridge_map_next(&context->formats, &at)); free(object))
        bridge_delete_object(context, D3DDP2OP_CREATEVERTEXSHADERDECL, object->handle);
    for (at = 0; (query = bridge_map_next(&context->queries, &at)); free(query))
        f->pfnDestroyQuery(device, query->handle);
    for (at = 0; (block = bridge_map_next(&context->blocks, &at)); free(block)) {
        D3DDDIARG_STATESET args = {.Operation = D3DHAL_STATESETDELETE, .hStateSet = block->handle};

        f->pfnStateSet(device, &args);
    }
    bridge_map_clear(&context->shaders8);
    bridge_map_clear(&context->declarations);
    bridge_map_clear(&context->functions);
    bridge_map_clear(&context->pixel_shaders);
    bridge_map_clear(&context->formats);
    bridge_map_clear(&context->queries);
    bridge_map_clear(&context->blocks);
}
