/* SPDX-License-Identifier: MIT */
/* Command streams of draws, rewritten command by command. */
#include "tools/edit/commands.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void edit_put(struct edit_out *out, const void *data, size_t size)
{
    uint8_t *grown = mem_grow(out->bytes, &out->capacity, out->length, size);

    if (!grown) {
        out->failed = true;
        return;
    }
    out->bytes = grown;
    if (size)
        memcpy(out->bytes + out->length, data, size);
    out->length += size;
}

void edit_put_command(struct edit_out *out, uint8_t token, uint16_t count, const void *body, size_t size)
{
    uint8_t header[DP2_HEADER_BYTES] = {token};

    memcpy(header + 2, &count, sizeof(count));
    edit_put(out, header, sizeof(header));
    edit_put(out, body, size);
}

bool edit_fail(struct edit *edit, const char *format, const char *what)
{
    if (!edit->why[0])
        snprintf(edit->why, sizeof(edit->why), format, what);
    return false;
}

/* --- requests ---------------------------------------------------------------------------------------- */

bool edit_add_command(struct edit *edit, const char *text)
{
    struct dp2_asm_error error = {0};
    struct dp2_cursor cursor;
    struct dp2_command command;
    struct dp2_entry entry = {0};

    if (edit->command_count == EDIT_MOST)
        return edit_fail(edit, "%s", "too many commands");
    uint8_t *bytes = edit->commands[edit->command_count].bytes;
    const size_t size = dp2_assemble_command(text, strlen(text), bytes, 0, EDIT_COMMAND, &error);

    if (!size)
        return edit_fail(edit, "%s", error.text);
    dp2_cursor_init(&cursor, bytes, size, 0);
    if (dp2_next(&cursor, &command) != DP2_OK || command.info->key == DP2_KEY_CREATE || size % 4)
        return edit_fail(edit, "%s sets no state", text);
    while (dp2_next_entry(&command, &entry))
        if (!state_log_key(command.info->number, &entry))
            return edit_fail(edit, "%s sets no state", command.info->name);
    if (!entry.index)
        return edit_fail(edit, "%s sets nothing", command.info->name);
    edit->commands[edit->command_count++].size = size;
    return true;
}

/* --- previous values ----------------------------------------------------------------------------------- */

static struct edit_context *edit_context_of(struct edit *edit, uint32_t number)
{
    struct edit_context *context = edit->contexts;

    while (context && context->number != number)
        context = context->next;
    if (context)
        return context;
    context = mem_calloc(1, sizeof(*context));
    if (context) {
        context->number = number;
        context->next = edit->contexts;
        edit->contexts = context;
    }
    return context;
}

void edit_free(struct edit *edit)
{
    while (edit->contexts) {
        struct edit_context *context = edit->contexts;

        edit->contexts = context->next;
        state_log_free(&context->log);
        free(context);
    }
    for (unsigned i = 0; i < edit->shader_count; i++)
        free(edit->shaders[i].code);
}

static bool edit_follow(struct edit *edit, struct edit_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry))
        if (!state_log_follow(&context->log, command->info->number, &entry))
            return edit_fail(edit, "%s", "out of memory");
    return true;
}

/* --- shaders ------------------------------------------------------------------------------------------ */

static bool edit_creates(const struct dp2_command *command, const struct edit_shader *shader)
{
    const uint8_t token = command->info->number;

    return shader->pixel ? token == DP2OP_CREATEPIXELSHADER
                         : token == DP2OP_CREATEVERTEXSHADERFUNC || token == DP2OP_CREATEVERTEXSHADER;
}

/* The replacement of the shader whose code an entry contains; NULL: none. */
static struct edit_shader *edit_shader_of(struct edit *edit, const struct dp2_command *command,
                                          const struct dp2_entry *entry)
{
    for (unsigned i = 0; i < edit->shader_count; i++)
        if (edit_creates(command, &edit->shaders[i]) && dp2_read_dword(entry->head, 0) == edit->shaders[i].handle)
            return &edit->shaders[i];
    return NULL;
}

/* A command that creates shaders, with replaced code. False: it stays unchanged. */
static bool edit_put_shaders(struct edit *edit, struct edit_out *out, const struct dp2_command *command)
{
    const bool has_declaration = command->info->number == DP2OP_CREATEVERTEXSHADER;
    struct dp2_entry entry = {0};
    bool any = false;

    while (!edit->at && dp2_next_entry(command, &entry))
        any |= edit_shader_of(edit, command, &entry) != NULL;
    if (!any)
        return false;
    edit_put_command(out, command->info->number, command->count, NULL, 0);
    for (entry = (struct dp2_entry){0}; dp2_next_entry(command, &entry);) {
        struct edit_shader *shader = edit_shader_of(edit, command, &entry);
        const size_t declaration = has_declaration ? DP2_U32(entry.head, entry_CREATEVERTEXSHADER, decl_bytes) : 0;
        const uint32_t bytes = shader ? (uint32_t)shader->bytes : 0;

        if (!shader) {
            edit_put(out, entry.head, entry.head_size + entry.data_size);
            continue;
        }
        edit_put(out, entry.head, entry.head_size - 4); /* the last field is the size of the code */
        edit_put(out, &bytes, sizeof(bytes));
        edit_put(out, entry.data, declaration);
        edit_put(out, shader->code, shader->bytes);
        shader->replaced++;
    }
    return true;
}

/* --- calls -------------------------------------------------------------------------------------------- */

static bool edit_is_wanted(const struct edit *edit, const struct inspect_piece *piece, size_t number)
{
    const struct inspect_action *action = &piece->action;

    if (action->kind != INSPECT_DRAW)
        return false;
    if (!edit->at)
        return true;
    return edit->place.by_offset ? action->call == edit->place.call && action->offset == edit->place.offset
                                 : number == edit->place.place.draw;
}

/* Entries of a command that is drawn entry by entry, in runs: the states are put around the selected entries. */
static bool edit_put_drawing(struct edit *edit, struct edit_out *out, const struct state_log *log,
                             const struct dp2_command *command, const struct inspect_piece *pieces, size_t count,
                             size_t first)
{
    for (size_t i = 0; i < count; i++) {
        const bool wanted = edit_is_wanted(edit, &pieces[i], first + i);
        size_t run = 1;

        while (i + run < count && edit_is_wanted(edit, &pieces[i + run], first + i + run) == wanted)
            run++;
        if (wanted && !edit_put_before(edit, out, log))
            return false;
        if (pieces[i].whole) {
            edit_put(out, command->body - DP2_HEADER_BYTES, command->body_size + DP2_HEADER_BYTES);
        } else {
            edit_put_command(out, command->info->number, (uint16_t)run, command->body, pieces[i].fixed);
            edit_put(out, command->body + pieces[i].first, pieces[i + run - 1].last - pieces[i].first);
        }
        if (wanted && edit->at && !edit_put_behind(edit, out, log))
            return false;
        edit->draws += wanted ? run : 0;
        i += run - 1;
    }
    return true;
}

static bool edit_put_all(struct edit *edit, struct edit_out *out, const struct capture_draw *head,
                         struct edit_context *context, const struct inspect_piece *pieces, size_t count, size_t first)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;
    size_t at = 0;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        const size_t begin = at;

        while (at < count && pieces[at].begin == command.offset)
            at++;
        if (!edit_follow(edit, context, &command))
            return false;
        if (at > begin) {
            if (!edit_put_drawing(edit, out, &context->log, &command, pieces + begin, at - begin, first + begin))
                return false;
        } else if (!edit_put_shaders(edit, out, &command)) {
            edit_put(out, command.body - DP2_HEADER_BYTES, command.body_size + DP2_HEADER_BYTES);
        }
    }
    edit_put(out, cursor.base + cursor.offset, cursor.length - cursor.offset); /* unreadable commands */
    return !out->failed || edit_fail(edit, "%s", "out of memory");
}

struct capture_event *edit_draw(struct edit *edit, const struct capture_event *event,
                                const struct inspect_piece *pieces, size_t count, size_t first)
{
    const struct capture_draw *head = (const void *)event->data;
    const uint8_t *vertices = (const uint8_t *)(head + 1) + ((head->command_bytes + 3) & ~3u);
    struct edit_context *context = edit_context_of(edit, head->context);
    struct capture_draw *copy;
    struct edit_out out = {0};
    struct capture_event *result;

    if (!context)
        edit_fail(edit, "%s", "out of memory");
    if (!context || !edit_put_all(edit, &out, head, context, pieces, count, first)) {
        free(out.bytes);
        return NULL;
    }
    const size_t padded = (out.length + 3) & ~(size_t)3;

    result = mem_calloc(1, sizeof(*result) + sizeof(*head) + padded + head->vertex_bytes);
    if (result) {
        copy = (void *)(result + 1);
        *result = *event;
        *copy = *head;
        copy->command_bytes = (uint32_t)out.length;
        if (out.length)
            memcpy(copy + 1, out.bytes, out.length);
        memcpy((uint8_t *)(copy + 1) + padded, vertices, head->vertex_bytes);
        result->size = (uint32_t)(sizeof(*head) + padded + head->vertex_bytes);
        result->data = (const void *)copy;
    } else {
        edit_fail(edit, "%s", "out of memory");
    }
    free(out.bytes);
    return result;
}
