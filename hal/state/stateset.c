/* SPDX-License-Identifier: MIT */
/*
 * State blocks (token STATESET). A block is a piece of command stream: BEGIN..END keeps the commands between them, CREATE
 * writes one with everything its type covers, CAPTURE puts current values into it, EXECUTE runs it. Lists of the predefined
 * types: docs/reference/device-state.md, section 8.
 */
#include "hal/state/stateset.h"

#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "d3d/states.h"
#include "dp2/dp2.h"
#include "hal/dp2_fields.h"
#include "base/map.h"
#include "hal/resources.h"
#include "hal/state/constants.h"
#include "hal/state/shaders.h"
#include "hal/state/state.h"
#include "hal/state/state_tokens.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/vertex/tnl/light.h"
#include "hal/work.h"

#include <stdlib.h>
#include <string.h>

struct hal_state_block {
    uint8_t *bytes;
    size_t length, capacity;
};

enum { BLOCK_ALL = 1, BLOCK_PIXEL = 2, BLOCK_VERTEX = 3 };

/* --- storage ------------------------------------------------------------------------ */

static void block_clear(struct hal_state_blocks *blocks, struct hal_state_block *block)
{
    BASE_ASSERT(block->capacity <= blocks->bytes);
    blocks->bytes -= block->capacity;
    free(block->bytes);
    *block = (struct hal_state_block){0};
}

void hal_state_blocks_init(struct hal_state_blocks *blocks)
{
    base_map_init(&blocks->map, HAL_MAX_STATE_BLOCKS);
}

void hal_state_blocks_destroy(struct hal_state_blocks *blocks)
{
    for (uint32_t i = 0; i < blocks->map.capacity; i++)
        if (blocks->map.slots[i].value)
            block_clear(blocks, blocks->map.slots[i].value);
    base_map_clear(&blocks->map);
    blocks->recording = NULL;
}

static bool block_reserve(struct hal_resources *resources, struct hal_state_block *block, size_t bytes)
{
    size_t capacity = BASE_MAX(block->capacity, 64u);

    while (capacity - block->length < bytes)
        capacity *= 2;
    if (capacity == block->capacity)
        return true;
    const size_t total = resources->blocks.bytes - block->capacity + capacity;
    uint8_t *memory = total <= HAL_MAX_STATE_BLOCK_BYTES ? mem_realloc(block->bytes, capacity, 1) : NULL;

    if (!memory && total <= HAL_MAX_STATE_BLOCK_BYTES)
        hal_work_lacks_memory(resources->work, "a state block");
    else if (!memory)
        log_once(LOG_WARN, 0, "state blocks: more than %u bytes in them", HAL_MAX_STATE_BLOCK_BYTES);
    if (!memory)
        return false;
    resources->blocks.bytes = total;
    block->bytes = memory;
    block->capacity = capacity;
    return true;
}

static uint8_t *block_append(struct hal_resources *resources, struct hal_state_block *block, size_t bytes)
{
    if (!block_reserve(resources, block, bytes))
        return NULL;
    block->length += bytes;
    BASE_ASSERT(block->length <= block->capacity && resources->blocks.bytes <= HAL_MAX_STATE_BLOCK_BYTES);
    return memset(block->bytes + block->length - bytes, 0, bytes);
}

/* A command with a zeroed body; returns the body. */
static uint8_t *put_command(struct hal_resources *resources, struct hal_state_block *block, uint8_t token,
                            uint16_t count, size_t body)
{
    uint8_t *place = block_append(resources, block, sizeof(D3DHAL_DP2COMMAND) + body);

    if (!place)
        return NULL;
    place[0] = token;
    memcpy(place + 2, &count, sizeof(count));
    return place + sizeof(D3DHAL_DP2COMMAND);
}

/* D3DRS_DELETERTPATCH is a command that the runtime sends as a render state: no block holds it, and hal/orders.c
 * executes it. Returns whether the command contains it; then its other states have been recorded. */
static bool record_render_states(struct hal_resources *resources, struct hal_state_block *block,
                                 const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    bool has_order = false;

    for (unsigned i = 0; i < command->count; i++)
        has_order |= DP2_ARRAY_FIELD(command, i, D3DHAL_DP2RENDERSTATE, RenderState) == D3DRS_DELETERTPATCH;
    for (unsigned i = 0; has_order && i < command->count; i++, entry += sizeof(D3DHAL_DP2RENDERSTATE)) {
        uint8_t *place;

        if (DP2_FIELD(entry, D3DHAL_DP2RENDERSTATE, RenderState) != D3DRS_DELETERTPATCH &&
            (place = put_command(resources, block, D3DDP2OP_RENDERSTATE, 1, sizeof(D3DHAL_DP2RENDERSTATE))))
            memcpy(place, entry, sizeof(D3DHAL_DP2RENDERSTATE));
    }
    return has_order;
}

bool hal_state_block_record(struct hal_resources *resources, const struct dp2_command *command)
{
    struct hal_state_block *block = resources->blocks.recording;

    if (!block || !command->info->in_blocks)
        return false;
    if (command->info->number == D3DDP2OP_RENDERSTATE && record_render_states(resources, block, command))
        return true;
    const size_t bytes = sizeof(D3DHAL_DP2COMMAND) + command->body_size;
    uint8_t *place = block_append(resources, block, bytes);

    if (place)
        memcpy(place, command->body - sizeof(D3DHAL_DP2COMMAND), bytes);
    return true;
}

/* --- predefined types --------------------------------------------------------------- */

/* The blocks that hold each state (d3d/states.def). */
struct block_state {
    uint8_t state, blocks[2]; /* enum d3d_block; up to DirectX 8, DirectX 9 */
};

static const struct block_state render_states[] = {
#define RENDER_STATE(number, name, level, value, kind, group, blocks, blocks9) \
    {number, {D3D_BLOCK_##blocks, D3D_BLOCK_##blocks9}},
#include "d3d/states.def"
};
static const struct block_state stage_states[] = {
#define STAGE_STATE(number, name, level, value, kind, group, blocks, blocks9) \
    {number, {D3D_BLOCK_##blocks, D3D_BLOCK_##blocks9}},
#include "d3d/states.def"
};

static bool is_dx9(const struct hal_state *state)
{
    return state->level >= DDI_LEVEL_DX9;
}

/* Those of one of `blocks`. */
static bool put_render_states(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block,
                              unsigned blocks)
{
    for (size_t i = 0; i < ARRAY_COUNT(render_states); i++) {
        const uint32_t number = render_states[i].state;
        uint8_t *p;

        if (!(render_states[i].blocks[is_dx9(state)] & blocks))
            continue;
        p = put_command(resources, block, D3DDP2OP_RENDERSTATE, 1, sizeof(D3DHAL_DP2RENDERSTATE));
        if (!p)
            return false;
        memcpy(p, &number, sizeof(number));
    }
    return true;
}

static bool is_sampler_state(unsigned state)
{
    static const bool states[HAL_MAX_STAGE_STATES] = {
#define SAMPLER_STATE(number, name) [D3D_TSS_##name] = true,
#include "d3d/states.def"
    };

    return states[state];
}

static bool put_stage(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block,
                      uint16_t stage, unsigned blocks)
{
    for (size_t i = 0; i < ARRAY_COUNT(stage_states); i++) {
        const uint16_t number = stage_states[i].state;
        uint8_t *p;

        /* samplers beyond the stages have nothing but sampler states */
        if (!(stage_states[i].blocks[is_dx9(state)] & blocks) || (stage >= HAL_MAX_STAGES && !is_sampler_state(number)))
            continue;
        p = put_command(resources, block, D3DDP2OP_TEXTURESTAGESTATE, 1, sizeof(D3DHAL_DP2TEXTURESTAGESTATE));
        if (!p)
            return false;
        memcpy(p, &stage, sizeof(stage));
        memcpy(p + 2, &number, sizeof(number));
    }
    return true;
}

static bool put_stage_states(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block,
                             unsigned blocks)
{
    for (uint16_t stage = 0; stage < (is_dx9(state) ? HAL_MAX_SAMPLERS : HAL_MAX_STAGES); stage++)
        if (!put_stage(state, resources, block, stage, blocks))
            return false;
    for (uint16_t sampler = 0; is_dx9(state) && sampler < HAL_VERTEX_SAMPLERS; sampler++)
        if (!put_stage(state, resources, block, D3D_VERTEX_SAMPLER + sampler, blocks))
            return false;
    return true;
}

/* Entries that begin with a number, one command each. */
static bool put_numbered(struct hal_resources *resources, struct hal_state_block *block, uint8_t token, uint32_t first,
                         uint32_t count, size_t body)
{
    for (uint32_t i = first; i < first + count; i++) {
        uint8_t *p = put_command(resources, block, token, 1, body);

        if (!p)
            return false;
        memcpy(p, &i, sizeof(i));
    }
    return true;
}

/* Data and switch of every light used so far. */
static bool put_lights(struct hal_resources *resources, struct hal_state_block *block)
{
    const struct base_map *map = &resources->lights->map;
    const uint32_t data = D3DHAL_SETLIGHT_DATA;

    for (uint32_t i = 0; i < map->capacity; i++) {
        const struct hal_light_entry *light = map->slots[i].value;

        if (!light)
            continue;
        uint8_t *p = put_command(resources, block, D3DDP2OP_SETLIGHT, 2, 8 + sizeof(light->light) + 8);

        if (!p)
            return false;
        memcpy(p, &light->index, 4);
        memcpy(p + 4, &data, 4);
        memcpy(p + 8 + sizeof(light->light), &light->index, 4);
    }
    return true;
}

/* All allocated registers of a bank of constants, in one command: others have never been set. */
static bool put_constants(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block,
                          uint8_t token)
{
    const struct hal_register_bank bank = hal_register_bank(state, token);
    uint8_t *p = put_command(resources, block, token, 1, 8 + (size_t)bank.count * bank.bytes);

    if (p)
        memcpy(p + 4, &bank.count, sizeof(bank.count));
    return p != NULL;
}

/* Integers and booleans come after the floats; DirectX 8 has neither. */
static bool put_other_constants(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block,
                                uint8_t integers, uint8_t booleans)
{
    return !is_dx9(state) ||
           (put_constants(state, resources, block, integers) && put_constants(state, resources, block, booleans));
}

static bool put_pixel(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block)
{
    return put_render_states(state, resources, block, D3D_BLOCK_PIXEL | D3D_BLOCK_DRIVER_PIXEL) &&
           put_stage_states(state, resources, block, D3D_BLOCK_PIXEL) &&
           put_numbered(resources, block, D3DDP2OP_SETPIXELSHADER, 0, 1, 4) &&
           put_constants(state, resources, block, D3DDP2OP_SETPIXELSHADERCONST) &&
           put_other_constants(state, resources, block, D3DDP2OP_SETPIXELSHADERCONSTI, D3DDP2OP_SETPIXELSHADERCONSTB);
}

/* The shader first, then constants: setting a shader sets those it defines. */
static bool put_vertex_shader(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block)
{
    if (!is_dx9(state))
        return put_numbered(resources, block, D3DDP2OP_SETVERTEXSHADER, 0, 1, 4);
    return put_numbered(resources, block, D3DDP2OP_SETVERTEXSHADERDECL, 0, 1, 4) &&
           put_numbered(resources, block, D3DDP2OP_SETVERTEXSHADERFUNC, 0, 1, 4);
}

/* DirectX 9 only; "recorded as vertex state", Modifying Vertex Stream Frequency. */
static bool put_frequencies(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block)
{
    return !is_dx9(state) || put_numbered(resources, block, D3DDP2OP_SETSTREAMSOURCEFREQ, 0, HAL_MAX_STREAMS,
                                          sizeof(D3DHAL_DP2SETSTREAMSOURCEFREQ));
}

static bool put_vertex(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block)
{
    return put_render_states(state, resources, block, D3D_BLOCK_VERTEX) &&
           put_stage_states(state, resources, block, D3D_BLOCK_VERTEX) && put_frequencies(state, resources, block) &&
           put_lights(resources, block) && put_vertex_shader(state, resources, block) &&
           put_constants(state, resources, block, D3DDP2OP_SETVERTEXSHADERCONST) &&
           put_other_constants(state, resources, block, D3DDP2OP_SETVERTEXSHADERCONSTI, D3DDP2OP_SETVERTEXSHADERCONSTB);
}

static bool put_rest(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block)
{
    return put_command(resources, block, D3DDP2OP_VIEWPORTINFO, 1, sizeof(D3DHAL_DP2VIEWPORTINFO)) &&
           put_command(resources, block, D3DDP2OP_ZRANGE, 1, sizeof(D3DHAL_DP2ZRANGE)) &&
           (!is_dx9(state) ||
            put_command(resources, block, D3DDP2OP_SETSCISSORRECT, 1, sizeof(D3DHAL_DP2SETSCISSORRECT))) &&
           put_command(resources, block, D3DDP2OP_SETMATERIAL, 1, sizeof(D3DHAL_DP2SETMATERIAL)) &&
           put_numbered(resources, block, D3DDP2OP_SETTRANSFORM, D3DTS_VIEW, 2, sizeof(D3DHAL_DP2SETTRANSFORM)) &&
           put_numbered(resources, block, D3DDP2OP_SETTRANSFORM, D3DTS_TEXTURE0, HAL_MAX_STAGES,
                        sizeof(D3DHAL_DP2SETTRANSFORM)) &&
           put_numbered(resources, block, D3DDP2OP_SETTRANSFORM, D3DTS_WORLD, HAL_MAX_WORLD_MATRICES,
                        sizeof(D3DHAL_DP2SETTRANSFORM)) &&
           put_numbered(resources, block, D3DDP2OP_SETCLIPPLANE, 0, HAL_MAX_CLIP_PLANES,
                        sizeof(D3DHAL_DP2SETCLIPPLANE));
}

/* --- capturing ---------------------------------------------------------------------- */

static void capture_lights(const struct hal_resources *resources, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const struct hal_light_entry *light =
            base_map_get(&resources->lights->map, DP2_FIELD(entry.head, D3DHAL_DP2SETLIGHT, dwIndex));
        const uint32_t operation = light && light->enabled ? D3DHAL_SETLIGHT_ENABLE : D3DHAL_SETLIGHT_DISABLE;

        if (entry.data_size == 0)
            DP2_SET_FIELD((uint8_t *)entry.head, D3DHAL_DP2SETLIGHT, dwDataType, operation);
        else if (light)
            memcpy((uint8_t *)entry.data, &light->light, sizeof(light->light));
    }
}

/* The current value of what entry `p` of a command names. */
static void capture_entry(struct hal_state *state, uint8_t token, uint8_t *p)
{
    const uint32_t number = dp2_read_u32(p); /* of those that are numbered */
    const struct hal_matrix *matrix;
    unsigned row, stage_state;

    switch (token) {
    case D3DDP2OP_RENDERSTATE:
        if (number < HAL_MAX_RENDER_STATES)
            DP2_SET_FIELD(p, D3DHAL_DP2RENDERSTATE, dwState, state->render_state[number]);
        break;
    case D3DDP2OP_TEXTURESTAGESTATE:
        row = hal_stage_row(DP2_WORD_FIELD(p, D3DHAL_DP2TEXTURESTAGESTATE, wStage));
        stage_state = DP2_WORD_FIELD(p, D3DHAL_DP2TEXTURESTAGESTATE, TSState);
        if (row < HAL_STAGE_ROWS && stage_state < HAL_MAX_STAGE_STATES)
            DP2_SET_FIELD(p, D3DHAL_DP2TEXTURESTAGESTATE, dwValue, state->stage_state[row][stage_state]);
        break;
    case D3DDP2OP_VIEWPORTINFO:
        DP2_SET_FIELD(p, D3DHAL_DP2VIEWPORTINFO, dwX, state->viewport.x);
        DP2_SET_FIELD(p, D3DHAL_DP2VIEWPORTINFO, dwY, state->viewport.y);
        DP2_SET_FIELD(p, D3DHAL_DP2VIEWPORTINFO, dwWidth, state->viewport.width);
        DP2_SET_FIELD(p, D3DHAL_DP2VIEWPORTINFO, dwHeight, state->viewport.height);
        break;
    case D3DDP2OP_ZRANGE:
        DP2_SET_FIELD(p, D3DHAL_DP2ZRANGE, dvMinZ, state->viewport.min_z);
        DP2_SET_FIELD(p, D3DHAL_DP2ZRANGE, dvMaxZ, state->viewport.max_z);
        break;
    case D3DDP2OP_WINFO:
        DP2_SET_FIELD(p, D3DHAL_DP2WINFO, dvWNear, state->w_near);
        DP2_SET_FIELD(p, D3DHAL_DP2WINFO, dvWFar, state->w_far);
        break;
    case D3DDP2OP_SETTRANSFORM:
        matrix = hal_transform(state, number);
        if (matrix)
            DP2_SET_FIELD(p, D3DHAL_DP2SETTRANSFORM, matrix, *matrix);
        break;
    case D3DDP2OP_SETMATERIAL:
        memcpy(p, &state->material, sizeof(D3DHAL_DP2SETMATERIAL));
        break;
    case D3DDP2OP_SETCLIPPLANE:
        if (number < HAL_MAX_CLIP_PLANES)
            DP2_SET_FIELD(p, D3DHAL_DP2SETCLIPPLANE, plane, state->clip_plane[number]);
        break;
    case D3DDP2OP_SETVERTEXSHADER:
    case D3DDP2OP_SETVERTEXSHADERDECL:
        DP2_SET_FIELD(p, D3DHAL_DP2VERTEXSHADER, dwHandle, state->vertex_shader);
        break;
    case D3DDP2OP_SETVERTEXSHADERFUNC:
        DP2_SET_FIELD(p, D3DHAL_DP2VERTEXSHADER, dwHandle, state->vertex_function);
        break;
    case D3DDP2OP_SETSCISSORRECT:
        memcpy(p, &state->scissor, sizeof(D3DHAL_DP2SETSCISSORRECT));
        break;
    case D3DDP2OP_SETSTREAMSOURCEFREQ:
        if (number < HAL_MAX_STREAMS)
            DP2_SET_FIELD(p, D3DHAL_DP2SETSTREAMSOURCEFREQ, dwDivider, state->stream_frequency[number]);
        break;
    case D3DDP2OP_SETPIXELSHADER:
        DP2_SET_FIELD(p, D3DHAL_DP2PIXELSHADER, dwHandle, state->pixel_shader);
        break;
    case D3DDP2OP_SETINDICES:
        DP2_SET_FIELD(p, D3DHAL_DP2SETINDICES, dwVBHandle, state->index_handle);
        DP2_SET_FIELD(p, D3DHAL_DP2SETINDICES, dwStride, state->index_stride);
        break;
    case D3DDP2OP_SETSTREAMSOURCE:
        if (number < HAL_MAX_STREAMS) {
            DP2_SET_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE, dwVBHandle, state->stream[number].handle);
            DP2_SET_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE, dwStride, state->stream[number].stride);
        }
        break;
    case D3DDP2OP_SETSTREAMSOURCE2:
        if (number < HAL_MAX_STREAMS) {
            DP2_SET_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE2, dwVBHandle, state->stream[number].handle);
            DP2_SET_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE2, dwOffset, state->stream[number].offset);
            DP2_SET_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE2, dwStride, state->stream[number].stride);
        }
        break;
    default:
        break;
    }
}

static bool is_constants(uint8_t token)
{
    return token == D3DDP2OP_SETVERTEXSHADERCONST || token == D3DDP2OP_SETPIXELSHADERCONST ||
           token == D3DDP2OP_SETVERTEXSHADERCONSTI || token == D3DDP2OP_SETVERTEXSHADERCONSTB ||
           token == D3DDP2OP_SETPIXELSHADERCONSTI || token == D3DDP2OP_SETPIXELSHADERCONSTB;
}

static void capture_constants(struct hal_state *state, uint8_t token, const struct dp2_entry *entry)
{
    const struct hal_register_bank bank = hal_register_bank(state, token);
    const uint32_t first = DP2_FIELD(entry->head, D3DHAL_DP2SETVERTEXSHADERCONST, dwRegister);
    const uint32_t count = DP2_FIELD(entry->head, D3DHAL_DP2SETVERTEXSHADERCONST, dwCount);

    if (first <= bank.limit && count <= bank.limit - first && (size_t)count * bank.bytes <= entry->data_size)
        hal_register_values(&bank, first, count, (uint8_t *)entry->data);
}

static void block_capture(struct hal_state *state, struct hal_resources *resources, struct hal_state_block *block)
{
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, block->bytes, block->length, 0);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        const uint8_t token = command.info->number;
        struct dp2_entry entry = {0};

        if (token == D3DDP2OP_SETLIGHT) {
            capture_lights(resources, &command);
            continue;
        }
        while (dp2_next_entry(&command, &entry)) {
            /* The block's memory is ours; the reader only promises not to write. */
            if (is_constants(token))
                capture_constants(state, token, &entry);
            else
                capture_entry(state, token, (uint8_t *)entry.head);
        }
    }
}

/* --- the token ---------------------------------------------------------------------- */

static HRESULT block_create(struct hal_state *state, struct hal_resources *resources, uint32_t handle, uint32_t type)
{
    struct hal_state_block *block = base_map_make(&resources->blocks.map, handle, sizeof(*block));
    bool done = block != NULL;

    if (done)
        block_clear(&resources->blocks, block);
    if (done && (type == BLOCK_ALL || type == BLOCK_PIXEL))
        done = put_pixel(state, resources, block);
    if (done && (type == BLOCK_ALL || type == BLOCK_VERTEX))
        done = put_vertex(state, resources, block);
    if (done && type == BLOCK_ALL)
        done = put_rest(state, resources, block);
    if (!done)
        return E_OUTOFMEMORY;
    block_capture(state, resources, block);
    return DD_OK;
}

static HRESULT block_begin(struct hal_resources *resources, uint32_t handle)
{
    struct hal_state_block *block = base_map_make(&resources->blocks.map, handle, sizeof(*block));

    if (!block)
        return E_OUTOFMEMORY;
    block_clear(&resources->blocks, block);
    resources->blocks.recording = block;
    return DD_OK;
}

static void block_delete(struct hal_resources *resources, uint32_t handle)
{
    struct hal_state_block *block = base_map_take(&resources->blocks.map, handle);

    if (block) {
        if (resources->blocks.recording == block)
            resources->blocks.recording = NULL;
        block_clear(&resources->blocks, block);
        free(block);
    }
}

bool hal_state_block_commands(const struct hal_resources *resources, uint32_t handle, struct dp2_cursor *cursor,
                              size_t *bytes)
{
    const struct hal_state_block *block = base_map_get(&resources->blocks.map, handle);

    if (!block)
        return false;
    dp2_cursor_init(cursor, block->bytes, block->length, 0);
    *bytes = block->length;
    return true;
}

HRESULT hal_state_block_operate(struct hal_state *state, struct hal_resources *resources, uint32_t operation,
                                uint32_t handle, uint32_t type)
{
    struct hal_state_block *block = base_map_get(&resources->blocks.map, handle);

    switch (operation) {
    case D3DHAL_STATESETBEGIN:
        return block_begin(resources, handle);
    case D3DHAL_STATESETEND:
        resources->blocks.recording = NULL;
        return DD_OK;
    case D3DHAL_STATESETDELETE:
        block_delete(resources, handle);
        return DD_OK;
    case D3DHAL_STATESETCAPTURE:
        if (block)
            block_capture(state, resources, block);
        return DD_OK;
    case D3DHAL_STATESETCREATE:
        return block_create(state, resources, handle, type);
    default:
        log_once(LOG_WARN, operation, "STATESET operation %u does not exist, ignored", (unsigned)operation);
        return DD_OK;
    }
}
