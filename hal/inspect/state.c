/* SPDX-License-Identifier: MIT */
/* A copy of a context's state. */
#include "base/base.h"
#include "hal/handles.h"
#include "hal/inspect.h"
#include "hal/inspect/internal.h"
#include "hal/state/shaders.h"
#include "hal/vertex/tnl/light.h"

#include <stdlib.h>
#include <string.h>

const char *hal_inspect_extension_name(enum hal_extension extension)
{
    static const char *const names[HAL_EXTENSION_COUNT] = {
        [HAL_EXTENSION_CONSERVATIVE] = "conservative",
        [HAL_EXTENSION_COVERAGE_SOURCE] = "coverage source",
        [HAL_EXTENSION_DEPTH_BOUNDS] = "depth bounds",
        [HAL_EXTENSION_ALPHA_COVERAGE] = "alpha to coverage",
        [HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS] = "alpha to coverage always",
        [HAL_EXTENSION_DEPTH_RESOLVE] = "depth resolve",
        [HAL_EXTENSION_INSTANCING] = "instancing",
    };

    return names[extension];
}

const struct hal_shader *inspect_vertex_shader(const struct hal_context *context)
{
    if (context->state.is_declaration)
        return context->state.vertex_function
                   ? base_map_get(&context->resources.shaders.vertex_functions, context->state.vertex_function)
                   : NULL;
    return context->state.vertex_shader & 1
               ? base_map_get(&context->resources.shaders.vertex_shaders, context->state.vertex_shader)
               : NULL;
}

const struct hal_shader *inspect_pixel_shader(const struct hal_context *context)
{
    return context->state.pixel_shader
               ? base_map_get(&context->resources.shaders.pixel_shaders, context->state.pixel_shader)
               : NULL;
}

const struct hal_state *hal_inspect_settings(const struct hal_context *context)
{
    return &context->state;
}

struct hal_resource *hal_inspect_named(const struct hal_context *context, uint32_t handle)
{
    return handle ? hal_resource_of(&context->resources, handle) : NULL;
}

/* --- surfaces ------------------------------------------------------------------------------------ */

static void find_surfaces(const struct hal_context *context, struct hal_inspect_state *state)
{
    hal_inspect_bound(context, &state->bound);
    for (unsigned row = 0; row < HAL_STAGE_ROWS; row++)
        state->texture[row] = hal_resource_of(&context->resources, state->state.stage_state[row][0]);
    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++)
        state->stream_buffer[i] = hal_resource_of(&context->resources, state->state.stream[i].handle);
    state->index_buffer = hal_resource_of(&context->resources, state->state.index_handle);
}

/* --- lists --------------------------------------------------------------------------------------- */

static int by_index(const void *a, const void *b)
{
    const uint32_t x = ((const struct hal_inspect_light *)a)->index, y = ((const struct hal_inspect_light *)b)->index;

    return (x > y) - (x < y);
}

static bool copy_lights(const struct hal_context *context, struct hal_inspect_state *state)
{
    const struct base_map *map = context->resources.lights ? &context->resources.lights->map : NULL;

    if (!map || !map->count)
        return true;
    state->lights = mem_calloc(map->count, sizeof(*state->lights));
    if (!state->lights)
        return false;
    for (uint32_t s = 0; s < map->capacity; s++) {
        const struct hal_light_entry *entry = map->slots[s].value;

        if (entry)
            state->lights[state->light_count++] =
                (struct hal_inspect_light){entry->index, entry->enabled, entry->light};
    }
    qsort(state->lights, state->light_count, sizeof(*state->lights), by_index);
    return true;
}

static bool copy_code(const struct hal_shader *shader, struct hal_inspect_code *code)
{
    code->count = shader ? shader->code_bytes / 4 : 0;
    if (!code->count)
        return true;
    code->tokens = mem_calloc(code->count, sizeof(*code->tokens));
    if (!code->tokens)
        return false;
    memcpy(code->tokens, shader->bytes + shader->declaration_bytes, code->count * sizeof(*code->tokens));
    return true;
}

/* Copies the floats of a bank; the caller has copied its other members. */
static bool copy_floats(const struct hal_constants *constants, struct hal_constants *copy)
{
    copy->f = mem_calloc((size_t)constants->float_count + 1, sizeof(*copy->f));
    if (!copy->f)
        return false;
    memcpy(copy->f, constants->f, constants->float_count * sizeof(*copy->f));
    return true;
}

static bool copy_lists(const struct hal_context *context, struct hal_inspect_state *state)
{
    return copy_lights(context, state) && copy_code(inspect_vertex_shader(context), &state->vertex_code) &&
           copy_code(inspect_pixel_shader(context), &state->pixel_code) &&
           copy_floats(&context->state.vertex_constants, &state->state.vertex_constants) &&
           copy_floats(&context->state.pixel_constants, &state->state.pixel_constants);
}

struct hal_inspect_state *hal_inspect_state(const struct hal_context *context)
{
    const struct hal_shader *declaration =
        context->state.is_declaration ? hal_current_declaration(&context->state, &context->resources.shaders) : NULL;
    struct hal_inspect_state *state = mem_calloc(1, sizeof(*state));

    if (!state)
        return NULL;
    state->state = context->state;
    state->state.vertex_constants.f = state->state.pixel_constants.f = NULL;
    find_surfaces(context, state);
    if (declaration)
        state->declaration_count = inspect_list_layout(&declaration->layout, state->declaration);
    if (!copy_lists(context, state)) {
        hal_inspect_state_free(state);
        return NULL;
    }
    return state;
}

void hal_inspect_state_free(struct hal_inspect_state *state)
{
    if (!state)
        return;
    free(state->lights);
    free(state->vertex_code.tokens);
    free(state->pixel_code.tokens);
    free(state->state.vertex_constants.f);
    free(state->state.pixel_constants.f);
    free(state);
}
