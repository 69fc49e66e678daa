/* SPDX-License-Identifier: MIT */
/* Binds in the driver the shaders, streams, indices and textures that a context has set. */
#include "client/umd/internal.h"

#include "base/base.h"

struct bridge_state *bridge_writes(struct bridge_context *context, uint32_t parts)
{
    struct bridge_block *block = context->recording;

    if (!block) {
        context->stale &= ~parts;
        return &context->state;
    }
    block->parts |= parts;
    return &block->state;
}

void bridge_bind_shader(struct bridge_context *context, const struct bridge_state *state)
{
    const D3DDDI_DEVICEFUNCS *f = &context->local->f;
    const HANDLE device = context->local->device;
    const uint32_t number = state->vertex_shader;
    const struct bridge_shader8 *shader =
        state->is_declaration || !(number & 1) ? NULL : base_map_get(&context->shaders8, number);
    HANDLE declaration, function = bridge_handle_of(context, D3DDP2OP_CREATEVERTEXSHADERFUNC, state->function);

    if (state->is_declaration)
        declaration = number & 1 ? bridge_handle_of(context, D3DDP2OP_CREATEVERTEXSHADERDECL, number)
                                 : bridge_format_declaration(context, number);
    else if (number & 1)
        declaration = shader ? shader->declaration : NULL;
    else
        declaration = bridge_format_declaration(context, number);
    if (number & 1 && !state->is_declaration)
        function = shader ? shader->function : NULL;
    if (!context->recording)
        context->undrawable = !declaration;
    if (declaration)
        f->pfnSetVertexShaderDecl(device, declaration);
    f->pfnSetVertexShaderFunc(device, function);
}

void bridge_bind_stream(struct bridge_context *context, unsigned stream, const struct bridge_stream *source)
{
    const struct bridge_surface *buffer = bridge_named(context->local, source->number);
    const D3DDDIARG_SETSTREAMSOURCE args = {
        .Stream = stream,
        .hVertexBuffer = buffer && buffer->resource && !buffer->resource->format ? buffer->resource->handle : NULL,
        .Offset = source->offset,
        .Stride = source->stride,
    };

    context->local->f.pfnSetStreamSource(context->local->device, &args);
}

void bridge_bind_indices(struct bridge_context *context, const struct bridge_state *state)
{
    const struct bridge_surface *buffer = bridge_named(context->local, state->index_number);
    const bool is_size = state->index_stride == 2 || state->index_stride == 4;
    const D3DDDIARG_SETINDICES args = {
        .hIndexBuffer =
            is_size && buffer && buffer->resource && !buffer->resource->format ? buffer->resource->handle : NULL,
        .Stride = is_size ? state->index_stride : 2,
    };

    context->local->f.pfnSetIndices(context->local->device, &args);
}

void bridge_settle(struct bridge_context *context)
{
    const D3DDDI_DEVICEFUNCS *f = &context->local->f;
    const uint32_t stale = context->stale;

    if (!stale && !context->stale_textures)
        return;
    context->stale = 0;
    if (stale & (BRIDGE_SHADER | BRIDGE_FUNCTION))
        bridge_bind_shader(context, &context->state);
    if (stale & BRIDGE_INDICES)
        bridge_bind_indices(context, &context->state);
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        if (stale & BRIDGE_STREAM << i && (i || !context->user_vertices))
            bridge_bind_stream(context, i, &context->state.stream[i]);
    for (uint32_t left = context->stale_textures; left; left &= left - 1) {
        const unsigned place = (unsigned)__builtin_ctz(left);
        const struct bridge_surface *surface = bridge_named(context->local, context->state.texture[place]);

        if (!surface || !surface->resource ||
            FAILED(f->pfnSetTexture(context->local->device, d3d_sampler_number(place), surface->resource->handle)))
            f->pfnSetTexture(context->local->device, d3d_sampler_number(place), NULL);
    }
    context->stale_textures = 0;
}
