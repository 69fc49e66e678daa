/* SPDX-License-Identifier: MIT */
/*
 * Shaders and declarations: creation, selection, deletion, and their constants (docs/reference/device-state.md,
 * sections 3 and 4). Creation is synchronous: malformed shaders fail the call. Code is stored unchanged; only its
 * length is checked here.
 *
 * A vertex shader handle of DirectX 8 has bit 0 set and names declaration and code at once. DirectX 9 sets a
 * declaration (same rule) and code apart. Pixel shader handles are a space of their own; 0 is none. A deleted shader that
 * is set counts as unset.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "base/map.h"
#include "hal/state/dirty.h"
#include "hal/state/shaders.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/stream.h"
#include "hal/work.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

/* --- code ----------------------------------------------------------------------------- */

enum { OP_DEFB = 47, OP_DEFI = 48, OP_DEF = 81, OP_COMMENT = 0xfffe, OP_END = 0xffff };

struct code {
    const uint8_t *bytes;
    size_t count, at; /* DWORDs */
    unsigned major;
};

static uint32_t code_token(const struct code *code, size_t at)
{
    return dp2_read_u32(code->bytes + 4 * at);
}

static bool code_open(struct code *code, const uint8_t *bytes, size_t size, uint32_t kind)
{
    *code = (struct code){.bytes = bytes, .count = size / 4, .at = 1};
    if (size & 3 || code->count < 2 || code_token(code, 0) >> 16 != kind)
        return false;
    code->major = code_token(code, 0) >> 8 & 0xff;
    return code->major >= 1 && code->major <= 3;
}

/* The next instruction's opcode, and its operands from *operands on. Skips comments. False: the code is damaged. */
static bool code_next(struct code *code, uint32_t *opcode, size_t *operands)
{
    while (code->at < code->count) {
        const uint32_t token = code_token(code, code->at++);
        size_t length = token >> 24 & 15;

        *opcode = token & 0xffff;
        if (*opcode == OP_END)
            return true;
        if (*opcode == OP_COMMENT) {
            code->at += token >> 16 & 0x7fff;
            continue;
        }
        *operands = code->at;
        if (code->major < 2) {
            /* no length: operands have bit 31 set, except for the values of def */
            length = *opcode == OP_DEF ? 5 : 0;
            while (*opcode != OP_DEF && code->at + length < code->count && code_token(code, code->at + length) >> 31)
                length++;
        }
        code->at += length;
        return code->at <= code->count;
    }
    return false;
}

/* Does the code end inside its bytes? kind: 0xfffe vertex, 0xffff pixel. */
static bool code_is_whole(const uint8_t *bytes, size_t size, uint32_t kind)
{
    struct code code;
    uint32_t opcode = 0;
    size_t operands;

    if (!code_open(&code, bytes, size, kind))
        return false;
    while (opcode != OP_END)
        if (!code_next(&code, &opcode, &operands))
            return false;
    return true;
}

/* A shader of DirectX 8 that is selected sets the constants it defines; the others stay. */
static void load_definitions(const uint8_t *bytes, size_t size, uint32_t kind, struct hal_constants *constants,
                             unsigned limit)
{
    struct code code;
    uint32_t opcode = 0;
    size_t operands;

    if (!size || !code_open(&code, bytes, size, kind))
        return;
    while (code_next(&code, &opcode, &operands) && opcode != OP_END) {
        if (opcode == OP_DEF && operands + 5 <= code.count) {
            const uint32_t reg = code_token(&code, operands) & 0x7ff;

            if (reg < limit)
                memcpy(constants->f[reg], code.bytes + 4 * (operands + 1), sizeof(constants->f[reg]));
        }
    }
}

/* --- storage ---------------------------------------------------------------------------- */

static void destroy_program(struct hal_context *context, struct shader_program *program)
{
    if (!program)
        return;
    for (struct hal_shader_hook *hook = context->resources.shaders.hooks; hook; hook = hook->next)
        hook->forget(hook->user, program);
    shader_destroy(program);
}

void hal_shaders_watch(struct hal_shaders *shaders, struct hal_shader_hook *hook)
{
    hook->next = shaders->hooks;
    shaders->hooks = hook;
}

void hal_shaders_init(struct hal_shaders *shaders)
{
    base_map_init(&shaders->vertex_shaders, BASE_MAP_MAX);
    base_map_init(&shaders->pixel_shaders, BASE_MAP_MAX);
    base_map_init(&shaders->declarations, BASE_MAP_MAX);
    base_map_init(&shaders->vertex_functions, BASE_MAP_MAX);
    shaders->changes = 1;
}

void hal_shaders_destroy(struct hal_shaders *shaders)
{
    struct base_map *const maps[] = {&shaders->vertex_shaders, &shaders->pixel_shaders, &shaders->declarations,
                                     &shaders->vertex_functions};

    for (unsigned m = 0; m < ARRAY_COUNT(maps); m++) {
        for (uint32_t i = 0; i < maps[m]->capacity; i++) {
            struct hal_shader *shader = maps[m]->slots[i].value;

            if (shader)
                shader_destroy(shader->program);
        }
        base_map_clear(maps[m]);
    }
}

static void delete_shader(struct hal_context *context, struct base_map *map, uint32_t handle)
{
    struct hal_shader *shader = base_map_take(map, handle);

    context->resources.shaders.changes++;
    if (shader) {
        context->resources.shaders.bytes -= shader->memory;
        destroy_program(context, shader->program);
        free(shader);
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
}

static bool compile_shader(struct hal_context *context, struct hal_shader *shader, uint32_t handle)
{
    struct shader_error error;

    if (shader->code_bytes == 0)
        return true;
    shader->program =
        shader_compile((const uint32_t *)(shader->bytes + shader->declaration_bytes), shader->code_bytes / 4, &error);
    if (!shader->program && error.no_memory)
        hal_work_lacks_memory(&context->scene.work, "a shader");
    else if (!shader->program)
        log_warn("shader %#x: word %zu: %s", (unsigned)handle, error.offset, error.text);
    return shader->program != NULL;
}

/* Subtracts `bytes` from the memory left for a context's shaders. */
static bool reserve_bytes(struct hal_context *context, struct hal_shader *shader, size_t bytes)
{
    if (bytes > HAL_MAX_SHADER_BYTES - context->resources.shaders.bytes)
        return false;
    context->resources.shaders.bytes += bytes;
    shader->memory += bytes;
    return true;
}

/* Creates a shader with these bytes and handle, replacing a previous one. NULL: it does not compile, or out of
 * memory. */
static struct hal_shader *create_shader(struct hal_context *context, struct base_map *map, uint32_t handle,
                                        const uint8_t *bytes, uint32_t declaration, uint32_t code)
{
    const size_t size = sizeof(struct hal_shader) + declaration + code;
    struct hal_shader *shader = NULL;

    delete_shader(context, map, handle); /* also counts the change */
    if (size <= HAL_MAX_SHADER_BYTES - context->resources.shaders.bytes) {
        shader = base_map_make(map, handle, size);
        if (!shader) {
            hal_work_lacks_memory(&context->scene.work, "a shader");
            return NULL;
        }
        reserve_bytes(context, shader, size);
        shader->declaration_bytes = declaration;
        shader->code_bytes = code;
        memcpy(shader->bytes, bytes, (size_t)declaration + code);
        if (!hal_work_spend(&context->scene.work, code / 4, HAL_WORK_CODE_TOKEN) ||
            !compile_shader(context, shader, handle)) {
            delete_shader(context, map, handle);
            return NULL;
        }
        if (reserve_bytes(context, shader, shader_memory(shader->program)))
            return shader;
        delete_shader(context, map, handle);
    }
    log_warn("shader %#x: the shaders of this context would take more than %u MB", (unsigned)handle,
             HAL_MAX_SHADER_BYTES >> 20);
    return NULL;
}

static HRESULT shader_refuse(const char *what, uint32_t handle)
{
    log_warn("%s %#x: bad handle, declaration or code", what, (unsigned)handle);
    return E_INVALIDARG;
}

/* --- vertex shaders of DirectX 8 ---------------------------------------------------------- */

HRESULT hal_token_create_vertex_shader(struct hal_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const uint32_t handle = DP2_FIELD(entry.head, D3DHAL_DP2CREATEVERTEXSHADER, dwHandle);
        const uint32_t declaration = DP2_FIELD(entry.head, D3DHAL_DP2CREATEVERTEXSHADER, dwDeclSize);
        const uint32_t code = declaration <= entry.data_size ? (uint32_t)(entry.data_size - declaration) : 0;
        struct hal_layout layout;

        if (!(handle & 1) || declaration > entry.data_size || declaration & 3 ||
            !hal_layout_from_declaration(&layout, entry.data, declaration) ||
            (code && !code_is_whole(entry.data + declaration, code, 0xfffe)))
            return shader_refuse("vertex shader", handle);
        struct hal_shader *shader =
            create_shader(context, &context->resources.shaders.vertex_shaders, handle, entry.data, declaration, code);

        if (!shader)
            return E_INVALIDARG;
        shader->layout = layout;
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
    return DD_OK;
}

void hal_token_delete_vertex_shader(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t handle = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2VERTEXSHADER, dwHandle);

        delete_shader(context, &context->resources.shaders.vertex_shaders, handle);
        if (handle & 1 && !context->state.is_declaration && context->state.vertex_shader == handle)
            context->state.vertex_shader = 0;
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
}

/* CONSTMEM tokens of a declaration: registers and their values. */
static void load_declared(const uint8_t *tokens, size_t bytes, struct hal_constants *constants)
{
    const size_t count = bytes / 4;

    for (size_t at = 0; at < count;) {
        const uint32_t token = dp2_read_u32(tokens + 4 * at++);
        const size_t vectors = token >> 25 & 15;
        const uint32_t first = token & 0x7f;

        if (token == 0xffffffff)
            return;
        if (token >> 29 == 5)
            at += token >> 24 & 31;
        if (token >> 29 != 4)
            continue;
        for (size_t i = 0; i < vectors && at + 4 * (i + 1) <= count; i++)
            memcpy(constants->f[first + i], tokens + 4 * (at + 4 * i), sizeof(constants->f[0]));
        at += 4 * vectors;
    }
}
_Static_assert(0x7f + 15 < HAL_VERTEX_CONSTANTS, "a declaration cannot name a constant that does not exist");

static void set_vertex_shader(struct hal_context *context, uint32_t handle, bool is_declaration)
{
    if (context->state.vertex_shader != handle || context->state.is_declaration != is_declaration) {
        context->state.vertex_shader = handle;
        context->state.is_declaration = is_declaration;
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
}

/* A format or a handle (bit 0). 0 is neither: nothing can be drawn until another is set, and streams are unbound. */
void hal_token_set_vertex_shader(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t handle = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2VERTEXSHADER, dwHandle);

        set_vertex_shader(context, handle, false);
        if (handle == 0 && !context->resources.blocks.executing) /* no block holds streams: it leaves them alone */
            memset(context->state.stream, 0, sizeof(context->state.stream));
        const struct hal_shader *shader =
            handle & 1 ? hal_current_declaration(&context->state, &context->resources.shaders) : NULL;

        if (shader) {
            load_declared(shader->bytes, shader->declaration_bytes, &context->state.vertex_constants);
            load_definitions(shader->bytes + shader->declaration_bytes, shader->code_bytes, 0xfffe,
                             &context->state.vertex_constants, HAL_VERTEX_CONSTANTS);
            context->state.dirty |= HAL_DIRTY_VERTEX_CONSTANTS;
        }
    }
}

const struct hal_shader *hal_current_declaration(const struct hal_state *state, const struct hal_shaders *shaders)
{
    return base_map_get(state->is_declaration ? &shaders->declarations : &shaders->vertex_shaders,
                        state->vertex_shader);
}

/* --- declarations and vertex functions of DirectX 9 ----------------------------------------- */

HRESULT hal_token_create_declaration(struct hal_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const uint32_t handle = DP2_FIELD(entry.head, D3DHAL_DP2CREATEVERTEXSHADERDECL, dwHandle);
        struct hal_layout layout;

        if (!(handle & 1) || !hal_layout_from_elements(&layout, entry.data, entry.data_size / 8))
            return shader_refuse("vertex declaration", handle);
        struct hal_shader *shader = create_shader(context, &context->resources.shaders.declarations, handle, entry.data,
                                                  (uint32_t)entry.data_size, 0);

        if (!shader)
            return E_INVALIDARG;
        shader->layout = layout;
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
    return DD_OK;
}

void hal_token_delete_declaration(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t handle = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2VERTEXSHADERDECL, dwHandle);

        delete_shader(context, &context->resources.shaders.declarations, handle);
        if (handle & 1 && context->state.is_declaration && context->state.vertex_shader == handle)
            context->state.vertex_shader = 0;
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
}

void hal_token_set_declaration(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        set_vertex_shader(context, DP2_ARRAY_FIELD(command, i, D3DHAL_DP2VERTEXSHADERDECL, dwHandle), true);
}

/* Code by handle; shared by vertex functions and pixel shaders. */
static HRESULT create_code(struct hal_context *context, const struct dp2_command *command, struct base_map *map,
                           uint32_t kind)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const uint32_t handle = DP2_FIELD(entry.head, D3DHAL_DP2CREATEVERTEXSHADERFUNC, dwHandle);

        if (!handle || !code_is_whole(entry.data, entry.data_size, kind))
            return shader_refuse(kind == 0xfffe ? "vertex function" : "pixel shader", handle);
        if (!create_shader(context, map, handle, entry.data, 0, (uint32_t)entry.data_size))
            return E_INVALIDARG;
    }
    return DD_OK;
}

static void delete_code(struct hal_context *context, const struct dp2_command *command, struct base_map *map,
                        uint32_t *current)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t handle = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2VERTEXSHADER, dwHandle);

        delete_shader(context, map, handle);
        if (*current == handle) {
            *current = 0;
            context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT | HAL_DIRTY_RENDER_STATE;
        }
    }
}

HRESULT hal_token_create_vertex_function(struct hal_context *context, const struct dp2_command *command)
{
    return create_code(context, command, &context->resources.shaders.vertex_functions, 0xfffe);
}

void hal_token_delete_vertex_function(struct hal_context *context, const struct dp2_command *command)
{
    delete_code(context, command, &context->resources.shaders.vertex_functions, &context->state.vertex_function);
}

/* 0: fixed function. */
void hal_token_set_vertex_function(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        context->state.vertex_function = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2VERTEXSHADER, dwHandle);
        context->state.dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
}

/* --- pixel shaders ------------------------------------------------------------------------- */

HRESULT hal_token_create_pixel_shader(struct hal_context *context, const struct dp2_command *command)
{
    return create_code(context, command, &context->resources.shaders.pixel_shaders, 0xffff);
}

void hal_token_delete_pixel_shader(struct hal_context *context, const struct dp2_command *command)
{
    delete_code(context, command, &context->resources.shaders.pixel_shaders, &context->state.pixel_shader);
}

void hal_token_set_pixel_shader(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t handle = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2PIXELSHADER, dwHandle);
        const struct hal_shader *shader = base_map_get(&context->resources.shaders.pixel_shaders, handle);

        if (context->state.pixel_shader != handle) {
            context->state.pixel_shader = handle;
            context->state.dirty |= HAL_DIRTY_RENDER_STATE;
        }
        if (shader && context->state.level <= DDI_LEVEL_DX8) {
            load_definitions(shader->bytes, shader->code_bytes, 0xffff, &context->state.pixel_constants,
                             HAL_PIXEL_CONSTANTS);
            context->state.dirty |= HAL_DIRTY_PIXEL_CONSTANTS;
        }
    }
}
