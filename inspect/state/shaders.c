/* SPDX-License-Identifier: MIT */
/* The state of a context: where vertices come from, shaders with their code, and constants. */
#include "inspect/state/values.h"

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "dp2/text/visit.h"
#include "hal/context.h"
#include "hal/handles.h"
#include "hal/state/shaders.h"
#include "hal/vertex/stream.h"
#include "inspect/state/elements.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TEXT ((size_t)256 << 10) /* of a shader as assembly */

static void add_streams(struct inspect_state *state, const struct hal_context *context)
{
    char name[24];

    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++) {
        const struct hal_stream *stream = &context->stream[i];

        snprintf(name, sizeof(name), "stream %u", i);
        if (stream->user_memory) {
            struct inspect_value *value = inspect_add_value(state, "streams", name);

            inspect_value_text(state, value, "vertices of the call");
        } else {
            inspect_add_surface(state, "streams", name, stream->handle,
                                stream->handle ? hal_handles_get(context->handles, stream->handle) : NULL);
        }
        snprintf(name, sizeof(name), "stream %u offset", i);
        inspect_add_number(state, "streams", name, stream->offset, 0);
        snprintf(name, sizeof(name), "stream %u stride", i);
        inspect_add_number(state, "streams", name, stream->stride, 0);
        snprintf(name, sizeof(name), "stream %u frequency", i);
        inspect_add_number(state, "streams", name, context->stream_frequency[i], 1);
    }
    inspect_add_surface(state, "streams", "indices", context->index_handle,
                        context->index_handle ? hal_handles_get(context->handles, context->index_handle) : NULL);
    inspect_add_number(state, "streams", "index stride", context->index_stride, 0);
}

/* Code as assembly. */
static void add_code(struct inspect_state *state, const char *group, const struct hal_shader *shader)
{
    const size_t count = shader ? shader->code_bytes / 4 : 0;
    uint32_t *tokens = count ? malloc(count * 4) : NULL;
    char *text = count ? malloc(MOST_TEXT) : NULL;

    if (count && (!tokens || !text)) {
        state->failed = true;
    } else if (count) {
        struct inspect_value *value = inspect_add_value(state, group, "assembly");

        memcpy(tokens, shader->bytes + shader->declaration_bytes, count * 4);
        shader_disassemble(tokens, count, text, MOST_TEXT);
        if (value)
            value->kind = INSPECT_LINES;
        inspect_value_text(state, value, "%s", text);
    }
    free(tokens);
    free(text);
}

const struct hal_shader *inspect_vertex_shader(const struct hal_context *context)
{
    if (context->is_declaration)
        return context->vertex_function ? hal_map_get(&context->shaders.vertex_functions, context->vertex_function)
                                        : NULL;
    return context->vertex_shader & 1 ? hal_map_get(&context->shaders.vertex_shaders, context->vertex_shader) : NULL;
}

const struct hal_shader *inspect_pixel_shader(const struct hal_context *context)
{
    return context->pixel_shader ? hal_map_get(&context->shaders.pixel_shaders, context->pixel_shader) : NULL;
}

static void add_vertex_shader(struct inspect_state *state, const struct hal_context *context)
{
    const uint32_t set = context->vertex_shader;
    struct inspect_value *value;
    char text[DP2_FVF_NAME];
    const char *name = context->is_declaration ? NULL : dp2_fvf_name(set, text);

    value = inspect_add_value(state, "vertex shader", "set");
    if (value)
        value->bits[0] = set;
    if (name)
        inspect_value_text(state, value, "format %s", name);
    else
        inspect_value_text(state, value, "%s %" PRIu32, context->is_declaration ? "declaration" : "shader", set);
    inspect_add_number(state, "vertex shader", "function", context->vertex_function, 0);
    add_code(state, "vertex shader", inspect_vertex_shader(context));
}

/* By stream and offset. */
static void add_declaration(struct inspect_state *state, const struct hal_context *context)
{
    const struct hal_shader *declaration = context->is_declaration ? hal_current_declaration(context) : NULL;
    struct inspect_element elements[INSPECT_MAX_ELEMENTS];
    const unsigned count = declaration ? inspect_list_elements(&declaration->layout, elements) : 0;

    for (unsigned i = 0; i < count; i++)
        inspect_value_text(state, inspect_add_value(state, "declaration", elements[i].name), "%s, stream %u, offset %u",
                           elements[i].type, elements[i].stream, elements[i].offset);
}

static void add_constants(struct inspect_state *state, const char *group, const struct hal_constants *constants)
{
    char name[16];

    for (uint32_t i = 0; i < constants->float_count; i++) {
        snprintf(name, sizeof(name), "c%" PRIu32, i);
        inspect_add_floats(state, group, name, constants->f[i], 4, NULL);
    }
    for (unsigned i = 0; i < HAL_OTHER_CONSTANTS; i++) {
        snprintf(name, sizeof(name), "i%u", i);
        inspect_add_ints(state, group, name, constants->i[i], 4, NULL);
    }
    for (unsigned i = 0; i < HAL_OTHER_CONSTANTS; i++) {
        snprintf(name, sizeof(name), "b%u", i);
        inspect_add_number(state, group, name, constants->b[i], 0);
    }
}

void inspect_add_shaders(struct inspect_state *state, const struct hal_context *context)
{
    add_streams(state, context);
    add_vertex_shader(state, context);
    add_declaration(state, context);
    add_constants(state, "vertex constants", &context->vertex_constants);
    inspect_add_number(state, "pixel shader", "shader", context->pixel_shader, 0);
    add_code(state, "pixel shader", inspect_pixel_shader(context));
    add_constants(state, "pixel constants", &context->pixel_constants);
}
