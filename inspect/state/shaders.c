/* SPDX-License-Identifier: MIT */
/* The state of a context: where vertices come from, shaders with their code, and constants. */
#include "inspect/state/values.h"

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "dp2/text/visit.h"
#include "inspect/state/elements.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TEXT ((size_t)256 << 10) /* of a shader as assembly */

static void add_streams(struct inspect_state *state, const struct hal_inspect_state *set)
{
    char name[24];

    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++) {
        const struct hal_stream *stream = &set->state.stream[i];

        snprintf(name, sizeof(name), "stream %u", i);
        if (stream->user_memory) {
            struct inspect_value *value = inspect_add_value(state, "streams", name);

            inspect_value_text(state, value, "vertices of the call");
        } else {
            inspect_add_surface(state, "streams", name, stream->handle, set->stream_buffer[i]);
        }
        snprintf(name, sizeof(name), "stream %u offset", i);
        inspect_add_number(state, "streams", name, stream->offset, 0);
        snprintf(name, sizeof(name), "stream %u stride", i);
        inspect_add_number(state, "streams", name, stream->stride, 0);
        snprintf(name, sizeof(name), "stream %u frequency", i);
        inspect_add_number(state, "streams", name, set->state.stream_frequency[i], 1);
    }
    inspect_add_surface(state, "streams", "indices", set->state.index_handle, set->index_buffer);
    inspect_add_number(state, "streams", "index stride", set->state.index_stride, 0);
}

/* Code as assembly. */
static void add_code(struct inspect_state *state, const char *group, const struct hal_inspect_code *code)
{
    char *text = code->count ? malloc(MOST_TEXT) : NULL;

    if (code->count && !text) {
        state->failed = true;
    } else if (code->count) {
        struct inspect_value *value = inspect_add_value(state, group, "assembly");

        shader_disassemble(code->tokens, code->count, text, MOST_TEXT);
        if (value)
            value->kind = INSPECT_LINES;
        inspect_value_text(state, value, "%s", text);
    }
    free(text);
}

static void add_vertex_shader(struct inspect_state *state, const struct hal_inspect_state *set)
{
    const uint32_t shader = set->state.vertex_shader;
    struct inspect_value *value;
    char text[DP2_FVF_NAME];
    const char *name = set->state.is_declaration ? NULL : dp2_fvf_name(shader, text);

    value = inspect_add_value(state, "vertex shader", "set");
    if (value)
        value->bits[0] = shader;
    if (name)
        inspect_value_text(state, value, "format %s", name);
    else
        inspect_value_text(state, value, "%s %" PRIu32, set->state.is_declaration ? "declaration" : "shader", shader);
    inspect_add_number(state, "vertex shader", "function", set->state.vertex_function, 0);
    add_code(state, "vertex shader", &set->vertex_code);
}

/* By stream and offset. */
static void add_declaration(struct inspect_state *state, const struct hal_inspect_state *set)
{
    for (unsigned i = 0; i < set->declaration_count; i++) {
        struct inspect_element element;

        inspect_name_element(&set->declaration[i], &element);
        inspect_value_text(state, inspect_add_value(state, "declaration", element.name), "%s, stream %u, offset %u",
                           element.type, element.stream, element.offset);
    }
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

void inspect_add_shaders(struct inspect_state *state, const struct hal_inspect_state *set)
{
    add_streams(state, set);
    add_vertex_shader(state, set);
    add_declaration(state, set);
    add_constants(state, "vertex constants", &set->state.vertex_constants);
    inspect_add_number(state, "pixel shader", "shader", set->state.pixel_shader, 0);
    add_code(state, "pixel shader", &set->pixel_code);
    add_constants(state, "pixel constants", &set->state.pixel_constants);
}
