/* SPDX-License-Identifier: MIT */
/* Tokens that set state: stores values in the state's arrays and sets a dirty bit for the kind of change. */
#include "hal/state/state_tokens.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "base/map.h"
#include "hal/math.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
#include "hal/state/legacy.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/vertex/tnl/light.h"
#include "hal/work.h"

#include <string.h>

static void set_word(struct hal_state *state, uint32_t *place, uint32_t value, uint32_t dirty)
{
    if (*place != value) {
        *place = value;
        state->dirty |= dirty;
    }
}

/* --- render and stage states -------------------------------------------------------- */

bool hal_state_set_render_state(struct hal_state *state, uint32_t number, uint32_t value, enum hal_order *order)
{
    if (!hal_extension_render_state(state, number, value, order))
        return false;
    set_word(state, &state->render_state[number], value, hal_render_state_group(number));
    if (state->level <= DDI_LEVEL_DX7)
        hal_legacy_render_state(state, number, value);
    return true;
}

void hal_token_stage_state(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2TEXTURESTAGESTATE)) {
        const uint32_t stage = DP2_WORD_FIELD(entry, D3DHAL_DP2TEXTURESTAGESTATE, wStage),
                       state = DP2_WORD_FIELD(entry, D3DHAL_DP2TEXTURESTAGESTATE, TSState);

        const unsigned row = hal_stage_row(stage);

        if (row == HAL_STAGE_ROWS || state >= HAL_MAX_STAGE_STATES) {
            log_once(LOG_WARN, stage << 16 | state, "texture stage %u state %u ignored", (unsigned)stage,
                     (unsigned)state);
            continue;
        }
        set_word(&context->state, &context->state.stage_state[row][state],
                 DP2_FIELD(entry, D3DHAL_DP2TEXTURESTAGESTATE, dwValue), hal_stage_state_group(state));
        context->texturing.sets += state == D3DTSS_TEXTUREMAP;
        if (context->state.level <= DDI_LEVEL_DX7)
            hal_legacy_stage_state(&context->state, row, state, DP2_FIELD(entry, D3DHAL_DP2TEXTURESTAGESTATE, dwValue));
    }
}

/* --- viewport ----------------------------------------------------------------------- */

void hal_token_viewport(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2VIEWPORTINFO)) {
        set_word(&context->state, &context->state.viewport.x, DP2_FIELD(entry, D3DHAL_DP2VIEWPORTINFO, dwX),
                 HAL_DIRTY_VIEWPORT);
        set_word(&context->state, &context->state.viewport.y, DP2_FIELD(entry, D3DHAL_DP2VIEWPORTINFO, dwY),
                 HAL_DIRTY_VIEWPORT);
        set_word(&context->state, &context->state.viewport.width, DP2_FIELD(entry, D3DHAL_DP2VIEWPORTINFO, dwWidth),
                 HAL_DIRTY_VIEWPORT);
        set_word(&context->state, &context->state.viewport.height, DP2_FIELD(entry, D3DHAL_DP2VIEWPORTINFO, dwHeight),
                 HAL_DIRTY_VIEWPORT);
    }
}

void hal_token_z_range(struct hal_context *context, const struct dp2_command *command)
{
    if (command->count > 0) {
        const uint8_t *last = command->body + (size_t)(command->count - 1) * sizeof(D3DHAL_DP2ZRANGE);

        context->state.viewport.min_z = DP2_FLOAT_FIELD(last, D3DHAL_DP2ZRANGE, dvMinZ);
        context->state.viewport.max_z = DP2_FLOAT_FIELD(last, D3DHAL_DP2ZRANGE, dvMaxZ);
        context->state.dirty |= HAL_DIRTY_VIEWPORT;
    }
}

void hal_token_w_info(struct hal_context *context, const struct dp2_command *command)
{
    if (command->count > 0) {
        const uint8_t *last = command->body + (size_t)(command->count - 1) * sizeof(D3DHAL_DP2WINFO);

        context->state.w_near = DP2_FLOAT_FIELD(last, D3DHAL_DP2WINFO, dvWNear);
        context->state.w_far = DP2_FLOAT_FIELD(last, D3DHAL_DP2WINFO, dvWFar);
        if (context->state.render_state[D3DRS_ZENABLE] == D3DZB_USEW)
            context->state.dirty |= HAL_DIRTY_OUTPUT;
    }
}

/* --- transforms, clip planes -------------------------------------------------------- */

/* DirectX 7 numbers world matrices 1, 4, 5, 6, DirectX 8 from 256; the two do not overlap. */
struct hal_matrix *hal_transform(struct hal_state *state, uint32_t type)
{
    switch (type) {
    case 1:
        return &state->world[0];
    case D3DTS_VIEW:
        return &state->view;
    case D3DTS_PROJECTION:
        return &state->projection;
    case 4:
    case 5:
    case 6:
        return &state->world[type - 3];
    default:
        if (type >= D3DTS_TEXTURE0 && type < D3DTS_TEXTURE0 + HAL_MAX_STAGES)
            return &state->texture[type - D3DTS_TEXTURE0];
        if (type >= 256 && type < 256 + HAL_MAX_WORLD_MATRICES)
            return &state->world[type - 256];
        return NULL;
    }
}

static void each_transform(struct hal_context *context, const struct dp2_command *command, bool multiply)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETTRANSFORM)) {
        const uint32_t type = DP2_FIELD(entry, D3DHAL_DP2SETTRANSFORM, xfrmType);
        struct hal_matrix *matrix = hal_transform(&context->state, type), given;

        if (!matrix) {
            log_once(LOG_WARN, type, "transform %u does not exist, ignored", (unsigned)type);
            continue;
        }
        memcpy(&given, entry + offsetof(D3DHAL_DP2SETTRANSFORM, matrix), sizeof(given));
        if (multiply)
            hal_matrix_multiply(matrix, &given, matrix);
        else if (memcmp(matrix, &given, sizeof(given)) == 0)
            continue;
        else
            *matrix = given;
        context->state.dirty |= HAL_DIRTY_TRANSFORM;
    }
}

void hal_token_set_transform(struct hal_context *context, const struct dp2_command *command)
{
    each_transform(context, command, false);
}

void hal_token_multiply_transform(struct hal_context *context, const struct dp2_command *command)
{
    each_transform(context, command, true);
}

void hal_token_clip_plane(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETCLIPPLANE)) {
        const uint32_t index = DP2_FIELD(entry, D3DHAL_DP2SETCLIPPLANE, dwIndex);

        if (index >= HAL_MAX_CLIP_PLANES) {
            log_once(LOG_WARN, index, "clip plane %u does not exist, ignored", (unsigned)index);
            continue;
        }
        memcpy(context->state.clip_plane[index], entry + 4, sizeof(context->state.clip_plane[index]));
        context->state.dirty |= HAL_DIRTY_TRANSFORM;
    }
}

/* --- material, lights --------------------------------------------------------------- */

_Static_assert(sizeof(struct hal_material) == 68, "as in the stream");
_Static_assert(sizeof(struct hal_light) == 104, "as in the stream");

void hal_token_material(struct hal_context *context, const struct dp2_command *command)
{
    if (command->count > 0) {
        memcpy(&context->state.material, command->body + (size_t)(command->count - 1) * sizeof(context->state.material),
               sizeof(context->state.material));
        context->state.dirty |= HAL_DIRTY_LIGHT;
    }
}

static struct hal_light_entry *make_light(struct hal_context *context, uint32_t index)
{
    struct hal_light_entry *light = hal_light_make(context->resources.lights, index);

    if (!light && !base_map_is_full(&context->resources.lights->map))
        hal_work_lacks_memory(&context->scene.work, "a light");
    return light;
}

void hal_token_create_light(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        make_light(context, DP2_ARRAY_FIELD(command, i, D3DHAL_DP2CREATELIGHT, dwIndex));
}

void hal_token_set_light(struct hal_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const uint32_t index = DP2_FIELD(entry.head, D3DHAL_DP2SETLIGHT, dwIndex);
        const uint32_t operation = DP2_FIELD(entry.head, D3DHAL_DP2SETLIGHT, dwDataType);
        struct hal_light_entry *light = make_light(context, index);

        if (!light)
            continue;
        if (operation <= D3DHAL_SETLIGHT_DISABLE)
            hal_light_enable(context->resources.lights, light, operation == D3DHAL_SETLIGHT_ENABLE);
        else if (entry.data_size >= sizeof(light->light))
            memcpy(&light->light, entry.data, sizeof(light->light));
        context->state.dirty |= HAL_DIRTY_LIGHT;
    }
}

/* --- streams ------------------------------------------------------------------------ */

static struct hal_stream *stream_of(struct hal_context *context, uint32_t index)
{
    if (index < HAL_MAX_STREAMS)
        return &context->state.stream[index];
    log_once(LOG_WARN, index, "stream %u does not exist, ignored", (unsigned)index);
    return NULL;
}

void hal_token_stream_source(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETSTREAMSOURCE)) {
        struct hal_stream *stream = stream_of(context, DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE, dwStream));

        if (stream) {
            *stream = (struct hal_stream){.handle = DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE, dwVBHandle),
                                          .stride = DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE, dwStride)};
        }
    }
}

void hal_token_stream_source2(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETSTREAMSOURCE2)) {
        struct hal_stream *stream = stream_of(context, DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE2, dwStream));

        if (stream) {
            *stream = (struct hal_stream){.handle = DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE2, dwVBHandle),
                                          .offset = DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE2, dwOffset),
                                          .stride = DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCE2, dwStride)};
        }
    }
}

/* The divider of a stream with its flags; draws interpret it (hal/vertex/draw_tokens.c). */
void hal_token_stream_frequency(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETSTREAMSOURCEFREQ)) {
        if (stream_of(context, DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEFREQ, dwStream))) {
            context->state.stream_frequency[DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEFREQ, dwStream)] =
                DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEFREQ, dwDivider);
        }
    }
    context->state.frequencies_set = false;
    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++)
        context->state.frequencies_set |= context->state.stream_frequency[i] != 1;
}

/* User memory is always stream 0; its address comes with each call. */
void hal_token_stream_source_um(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETSTREAMSOURCEUM)) {
        if (DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEUM, dwStream) != 0) {
            log_once(LOG_WARN, DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEUM, dwStream),
                     "user memory for stream %u ignored",
                     (unsigned)DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEUM, dwStream));
            continue;
        }
        context->state.stream[0] =
            (struct hal_stream){.stride = DP2_FIELD(entry, D3DHAL_DP2SETSTREAMSOURCEUM, dwStride), .user_memory = true};
    }
}

void hal_token_indices(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETINDICES)) {
        context->state.index_handle = DP2_FIELD(entry, D3DHAL_DP2SETINDICES, dwVBHandle);
        context->state.index_stride = DP2_FIELD(entry, D3DHAL_DP2SETINDICES, dwStride);
    }
}
