/* SPDX-License-Identifier: MIT */
/* Commands around one draw: states and shaders before it, and the previous values after it. */
#include "tools/edit/commands.h"

#include "base/base.h"
#include "d3d/states.h"
#include "dp2/fields.h"

#include <string.h>

/* --- states ------------------------------------------------------------------------------------------- */

/* The default of a render or stage state. False: there is no such state, or its default depends on the device. */
static bool edit_default_state(uint8_t token, const struct dp2_entry *entry, uint32_t *value)
{
    static const struct {
        uint8_t token;
        uint16_t state;
        uint32_t value;
    } defaults[] = {
#define RENDER_STATE(number, name, level, value, ...) {DP2OP_RENDERSTATE, number, (uint32_t)(value)},
#define STAGE_STATE(number, name, level, value, ...)  {DP2OP_TEXTURESTAGESTATE, number, (uint32_t)(value)},
#include "d3d/states.def"
    };
    const bool stage = token == DP2OP_TEXTURESTAGESTATE;
    const uint32_t state =
        stage ? DP2_U16(entry->head, entry_TEXTURESTAGESTATE, state) : DP2_U32(entry->head, entry_RENDERSTATE, state);

    if ((!stage && (token != DP2OP_RENDERSTATE || state == D3D_RS_ZENABLE)) ||
        (stage && (state == D3D_TSS_COLOROP || state == D3D_TSS_ALPHAOP || state == D3D_TSS_TEXCOORDINDEX)))
        return false; /* the first stage has other defaults, and so has ZENABLE with a depth buffer */
    for (size_t i = 0; i < ARRAY_COUNT(defaults); i++) {
        if (defaults[i].token == token && defaults[i].state == state) {
            *value = defaults[i].value;
            return true;
        }
    }
    return false;
}

/* Appends a command that sets the entry to its default. False: the default depends on the device. */
static bool edit_put_default(struct edit_out *out, uint8_t token, const struct dp2_entry *entry)
{
    uint8_t body[20] = {0};
    uint32_t value;

    if (token == DP2OP_SETPIXELSHADER || token == DP2OP_SETVERTEXSHADERFUNC) {
        edit_put_command(out, token, 1, body, 4);
        return true;
    }
    if (token == DP2OP_SETCLIPPLANE && entry->head_size == sizeof(body)) {
        memcpy(body, entry->head, 4);
        edit_put_command(out, token, 1, body, sizeof(body));
        return true;
    }
    if (token == DP2OP_SETSCISSORRECT) {
        /* The default is the size of the target; this covers all of any target. */
        edit_put_command(out, token, 1, (const int32_t[]){0, 0, INT16_MAX, INT16_MAX}, 16);
        return true;
    }
    if (entry->head_size != 8 || !edit_default_state(token, entry, &value))
        return false;
    memcpy(body, entry->head, 4);
    memcpy(body + 4, &value, 4);
    edit_put_command(out, token, 1, body, 8);
    return true;
}

/* Appends a command that restores an entry. */
static bool edit_put_old(struct edit *edit, struct edit_out *out, const struct state_log *log, uint8_t token,
                         const struct dp2_entry *entry)
{
    size_t size;
    const uint8_t *old = state_log_find(log, state_log_key(token, entry), &size);

    if (old)
        edit_put_command(out, old[0], 1, old + DP2_HEADER_BYTES, size - DP2_HEADER_BYTES);
    else if (log->barrier || !edit_put_default(out, token, entry))
        return edit_fail(edit, "what %s was set to before the draw is not known; without --at it is set everywhere",
                         dp2_token_info(token)->name);
    return true;
}

/* Appends commands that restore the states of a command. */
static bool edit_put_old_states(struct edit *edit, struct edit_out *out, const struct state_log *log,
                                const uint8_t *bytes, size_t size)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    struct dp2_entry entry = {0};

    dp2_cursor_init(&cursor, bytes, size, 0);
    if (dp2_next(&cursor, &command) != DP2_OK)
        return false;
    while (dp2_next_entry(&command, &entry))
        if (!edit_put_old(edit, out, log, command.info->number, &entry))
            return false;
    return true;
}

/* --- shaders ------------------------------------------------------------------------------------------ */

/* The declaration of the current vertex shader of DirectX 8, where code and declaration are one object; *bytes 0: no
 * shader is set. Returns false if the declaration is unknown. */
static bool edit_find_declaration(const struct state_log *log, const uint8_t **declaration, uint32_t *bytes)
{
    static const struct dp2_entry nothing = {0};
    size_t size, other;
    const uint8_t *set = state_log_find(log, state_log_key(DP2OP_SETVERTEXSHADER, &nothing), &size);
    const uint8_t *newer = state_log_find(log, state_log_key(DP2OP_SETVERTEXSHADERDECL, &nothing), &other);
    struct dp2_entry created = {.head_size = 4};

    *declaration = NULL;
    *bytes = 0;
    if (!set || (newer && newer > set) || !(set[DP2_HEADER_BYTES] & 1))
        return true;
    created.head = set + DP2_HEADER_BYTES;
    set = state_log_find(log, state_log_key(DP2OP_CREATEVERTEXSHADER, &created), &size);
    if (!set)
        return false;
    *bytes = DP2_U32(set + DP2_HEADER_BYTES, entry_CREATEVERTEXSHADER, decl_bytes);
    *declaration = set + DP2_HEADER_BYTES + sizeof(struct dp2_entry_CREATEVERTEXSHADER);
    return true;
}

/* A handle under which nothing has been created: odd, as handles of DirectX 8 are. */
static uint32_t edit_free_handle(const struct state_log *log, uint8_t create)
{
    uint32_t handle = 0x7fffffff;
    const struct dp2_entry entry = {.head = (const uint8_t *)&handle, .head_size = sizeof(handle)};
    size_t size;

    while (state_log_find(log, state_log_key(create, &entry), &size))
        handle -= 2;
    return handle;
}

static bool edit_put_shader(struct edit *edit, struct edit_out *out, const struct state_log *log,
                            struct edit_shader *shader)
{
    const uint8_t *declaration = NULL;
    uint32_t bytes = 0, head[3];

    if (!shader->pixel && !edit_find_declaration(log, &declaration, &bytes))
        return edit_fail(edit, "%s", "the declaration of the vertex shader before the draw is not known");
    if (shader->pixel)
        shader->tokens =
            (struct edit_shader_tokens){DP2OP_CREATEPIXELSHADER, DP2OP_SETPIXELSHADER, DP2OP_DELETEPIXELSHADER};
    else if (bytes)
        shader->tokens =
            (struct edit_shader_tokens){DP2OP_CREATEVERTEXSHADER, DP2OP_SETVERTEXSHADER, DP2OP_DELETEVERTEXSHADER};
    else
        shader->tokens = (struct edit_shader_tokens){DP2OP_CREATEVERTEXSHADERFUNC, DP2OP_SETVERTEXSHADERFUNC,
                                                     DP2OP_DELETEVERTEXSHADERFUNC};
    shader->handle = edit_free_handle(log, shader->tokens.create);
    head[0] = shader->handle;
    head[1] = bytes ? bytes : (uint32_t)shader->bytes;
    head[2] = (uint32_t)shader->bytes;
    edit_put_command(out, shader->tokens.create, 1, head, bytes ? 12 : 8);
    edit_put(out, declaration, bytes);
    edit_put(out, shader->code, shader->bytes);
    edit_put_command(out, shader->tokens.set, 1, &shader->handle, sizeof(shader->handle));
    shader->replaced++;
    return true;
}

/* --- constants ---------------------------------------------------------------------------------------- */

/* Setting a shader of DirectX 8 also sets the constants that it defines, so these must be restored, too. */

/* Finds the next constant that the code defines, from word *at on, and advances *at. Returns false if there is none. */
static bool edit_next_definition(const struct edit_shader *shader, size_t *at, uint32_t *reg)
{
    enum { OP_DEF = 81, OP_COMMENT = 0xfffe, OP_END = 0xffff };
    const size_t count = shader->bytes / 4;
    const uint32_t *code = shader->code;

    if ((code[0] >> 8 & 0xff) >= 2)
        return false;
    for (*at = BASE_MAX(*at, (size_t)1); *at < count && (code[*at] & 0xffff) != OP_END;) {
        const uint32_t token = code[(*at)++];

        if ((token & 0xffff) == OP_COMMENT) {
            *at += token >> 16 & 0x7fff;
        } else if ((token & 0xffff) == OP_DEF && *at + 5 <= count) {
            *reg = code[*at] & 0x7ff;
            *at += 5;
            return true;
        } else {
            while (*at < count && code[*at] >> 31)
                (*at)++;
        }
    }
    return false;
}

/* The constants that were set by commands of the log in [begin, end). */
static void edit_put_constants(struct edit_out *out, const struct state_log *log, uint8_t token, size_t begin,
                               size_t end)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct state_entry *entry = &log->entries[i];

        if (!entry->dead && entry->offset >= begin && entry->offset < end && log->bytes[entry->offset] == token)
            edit_put(out, log->bytes + entry->offset, entry->size);
    }
}

/* Restores the previous shader and constants: first zeros for constants that only the other shader has defined, then
 * the constants set before the shader, those that it defines, and those set after it. */
static bool edit_put_old_shader(struct edit *edit, struct edit_out *out, const struct state_log *log,
                                const struct edit_shader *shader)
{
    const struct dp2_entry entry = {.head = (const uint8_t *)&shader->handle, .head_size = sizeof(shader->handle)};
    const uint8_t constants = shader->pixel ? DP2OP_SETPIXELSHADERCONST : DP2OP_SETVERTEXSHADERCONST;
    size_t size, at = 0, set_at = 0;
    const uint8_t *set = state_log_find(log, state_log_key(shader->tokens.set, &entry), &size);
    bool defines = false;
    uint32_t reg;

    while (edit_next_definition(shader, &at, &reg)) {
        const uint32_t body[6] = {reg, 1};

        edit_put_command(out, constants, 1, body, sizeof(body));
        defines = true;
    }
    set_at = set ? (size_t)(set - log->bytes) : 0;
    if (defines)
        edit_put_constants(out, log, constants, 0, set_at);
    if (!edit_put_old(edit, out, log, shader->tokens.set, &entry))
        return false;
    edit_put_constants(out, log, constants, set_at, log->byte_count);
    return true;
}

/* --- around a draw ------------------------------------------------------------------------------------ */

bool edit_put_before(struct edit *edit, struct edit_out *out, const struct state_log *log)
{
    for (unsigned c = 0; c < edit->command_count; c++)
        edit_put(out, edit->commands[c].bytes, edit->commands[c].size);
    for (unsigned i = 0; edit->at && i < edit->shader_count; i++)
        if (!edit_put_shader(edit, out, log, &edit->shaders[i]))
            return false;
    return true;
}

bool edit_put_behind(struct edit *edit, struct edit_out *out, const struct state_log *log)
{
    for (unsigned i = 0; i < edit->shader_count; i++) {
        const struct edit_shader *shader = &edit->shaders[i];

        if (!edit_put_old_shader(edit, out, log, shader))
            return false;
        edit_put_command(out, shader->tokens.drop, 1, &shader->handle, sizeof(shader->handle));
    }
    for (unsigned c = 0; c < edit->command_count; c++)
        if (!edit_put_old_states(edit, out, log, edit->commands[c].bytes, edit->commands[c].size))
            return false;
    return true;
}
