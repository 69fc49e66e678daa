/* SPDX-License-Identifier: MIT */
/* Shaders, declarations, queries and state blocks: the driver's handles by the numbers of streams. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>

struct base_map *bridge_map_of(struct bridge_context *context, uint8_t token)
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

/* The driver refuses more objects than it can hold, so nothing is limited here. */
void bridge_init_objects(struct bridge_context *context)
{
    base_map_init(&context->shaders8, BASE_MAP_MAX);
    base_map_init(&context->declarations, BASE_MAP_MAX);
    base_map_init(&context->functions, BASE_MAP_MAX);
    base_map_init(&context->pixel_shaders, BASE_MAP_MAX);
    base_map_init(&context->formats, BASE_MAP_MAX);
    base_map_init(&context->queries, BASE_MAP_MAX);
    base_map_init(&context->blocks, BASE_MAP_MAX);
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
    struct bridge_object *object = base_map_take(bridge_map_of(context, token), number);

    if (object)
        bridge_delete_object(context, token, object->handle);
    free(object);
}

/* A new object of the number, in place of an old one. */
HRESULT bridge_keep_object(struct bridge_context *context, uint8_t token, uint32_t number, HANDLE handle)
{
    struct bridge_object *object = mem_calloc(1, sizeof(*object));

    if (object && base_map_put(bridge_map_of(context, token), number, object)) {
        object->handle = handle;
        return DD_OK;
    }
    free(object);
    bridge_delete_object(context, token, handle);
    return DDERR_OUTOFMEMORY;
}

HANDLE bridge_handle_of(struct bridge_context *context, uint8_t token, uint32_t number)
{
    const struct bridge_object *object = base_map_get(bridge_map_of(context, token), number);

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

static void delete_parts(struct bridge_context *context, const struct bridge_shader8 *shader)
{
    if (shader->declaration)
        bridge_delete_object(context, D3DDP2OP_CREATEVERTEXSHADERDECL, shader->declaration);
    if (shader->function)
        bridge_delete_object(context, D3DDP2OP_CREATEVERTEXSHADERFUNC, shader->function);
}

void bridge_free_shader8(struct bridge_context *context, struct bridge_shader8 *shader)
{
    if (shader)
        delete_parts(context, shader);
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
    while ((shader = base_map_next(&context->shaders8, &at)))
        delete_parts(context, shader);
    for (unsigned i = 0; i < ARRAY_COUNT(tokens); i++)
        for (at = 0; (object = base_map_next(bridge_map_of(context, tokens[i]), &at));)
            bridge_delete_object(context, tokens[i], object->handle);
    for (at = 0; (object = base_map_next(&context->formats, &at));)
        bridge_delete_object(context, D3DDP2OP_CREATEVERTEXSHADERDECL, object->handle);
    for (at = 0; (query = base_map_next(&context->queries, &at));)
        f->pfnDestroyQuery(device, query->handle);
    for (at = 0; (block = base_map_next(&context->blocks, &at));) {
        D3DDDIARG_STATESET args = {.Operation = D3DHAL_STATESETDELETE, .hStateSet = block->handle};

        f->pfnStateSet(device, &args);
    }
    base_map_clear(&context->shaders8);
    base_map_clear(&context->declarations);
    base_map_clear(&context->functions);
    base_map_clear(&context->pixel_shaders);
    base_map_clear(&context->formats);
    base_map_clear(&context->queries);
    base_map_clear(&context->blocks);
}
