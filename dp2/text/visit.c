/* SPDX-License-Identifier: MIT */
/*
 * Commands and the data behind their entries as values with names.
 */
#include "dp2/fields.h"
#include "dp2/text/text.h"
#include "dp2/text/visit.h"

#include <stdio.h>

#define NAME_SIZE 32 /* longer than any name of a field */

static void visit_value(const struct dp2_visitor *v, const char *name, const struct dp2_value *value)
{
    v->value(v->user, name, value);
}

void dp2_visit_number(const struct dp2_visitor *v, const char *name, uint32_t number)
{
    visit_value(v, name, &(struct dp2_value){.kind = DP2_VALUE_UNSIGNED, .number = number});
}

void dp2_visit_name(const struct dp2_visitor *v, const char *name, const char *text)
{
    visit_value(v, name, &(struct dp2_value){.kind = DP2_VALUE_NAME, .name = text});
}

void dp2_visit_bytes(const struct dp2_visitor *v, const char *name, const uint8_t *data, size_t size)
{
    visit_value(v, name, &(struct dp2_value){.kind = DP2_VALUE_BYTES, .at = data, .count = size});
}

static void visit_array(const struct dp2_visitor *v, enum dp2_value_kind kind, const uint8_t *at, size_t count)
{
    visit_value(v, NULL, &(struct dp2_value){.kind = kind, .at = at, .count = count});
}

const char *dp2_visit_fields(const struct dp2_visitor *v, const char *fields, const uint8_t *data)
{
    const struct dp2_state_name *state = NULL;

    while (*fields && *fields != ';') {
        const size_t length = strcspn(fields + 2, ",;");
        struct dp2_value value = {0};
        char name[NAME_SIZE];

        snprintf(name, sizeof(name), "%.*s", (int)length, fields + 2);
        dp2_decode_value(&value, fields[0], data, &state);
        visit_value(v, name, &value);
        data += dp2_field_size(fields[0]);
        fields += 2 + length;
        fields += *fields == ',' ? 1 : 0;
    }
    return fields;
}

/* --- data behind entries -------------------------------------------------------------------- */

static void visit_patch(const struct dp2_visitor *v, const struct dp2_entry *entry, enum dp2_size_rule rule)
{
    const char *segments = dp2_patch_segment_fields(rule);
    const uint32_t flags = DP2_U32(entry->head, entry_DRAWRECTPATCH, flags);
    const uint8_t *at = entry->data;

    if (flags & DP2_PATCH_HASSEGS) {
        dp2_visit_fields(v, segments, at);
        at += dp2_fields_size(segments);
    }
    if (flags & DP2_PATCH_HASINFO)
        dp2_visit_fields(v, dp2_patch_info_fields(rule), at);
}

static void visit_element(const struct dp2_visitor *v, const uint8_t *at)
{
    v->open(v->user, NULL, DP2_RECORD);
    dp2_visit_fields(v, dp2_fields_of_ELEMENT, at);
    v->close(v->user);
}

/* Rows of `stride` bytes, as a list. */
static void visit_rows(const struct dp2_visitor *v, const struct dp2_entry *entry, size_t stride,
                       enum dp2_size_rule rule)
{
    v->open(v->user, "data", DP2_LIST);
    for (size_t i = 0; i < entry->data_size / stride; i++) {
        const uint8_t *at = entry->data + stride * i;

        switch (rule) {
        case DP2_SIZE_VECTORS:
            visit_array(v, DP2_VALUE_FLOATS, at, 4);
            break;
        case DP2_SIZE_IVECTORS:
            visit_array(v, DP2_VALUE_INTS, at, 4);
            break;
        case DP2_SIZE_KERNEL:
            visit_array(v, DP2_VALUE_FLOAT, at, 1);
            break;
        case DP2_SIZE_ELEMENTS:
            visit_element(v, at);
            break;
        default:
            dp2_visit_number(v, NULL, dp2_read_u32(at));
            break;
        }
    }
    v->close(v->user);
}

static void visit_data(const struct dp2_visitor *v, const struct dp2_entry *entry, enum dp2_size_rule rule)
{
    if (entry->data_size == 0)
        return;
    switch (rule) {
    case DP2_SIZE_LIGHT:
        dp2_visit_fields(v, dp2_fields_of_LIGHT, entry->data);
        break;
    case DP2_SIZE_RECTPATCH:
    case DP2_SIZE_TRIPATCH:
        visit_patch(v, entry, rule);
        break;
    case DP2_SIZE_VECTORS:
    case DP2_SIZE_IVECTORS:
        visit_rows(v, entry, 16, rule);
        break;
    case DP2_SIZE_ELEMENTS:
        visit_rows(v, entry, sizeof(struct dp2_data_ELEMENT), rule);
        break;
    case DP2_SIZE_BOOLS:
    case DP2_SIZE_KERNEL:
        visit_rows(v, entry, 4, rule);
        break;
    case DP2_SIZE_SHADER: {
        const uint32_t declaration = DP2_U32(entry->head, entry_CREATEVERTEXSHADER, decl_bytes);
        dp2_visit_bytes(v, "decl", entry->data, declaration);
        dp2_visit_bytes(v, "code", entry->data + declaration, entry->data_size - declaration);
        break;
    }
    default:
        dp2_visit_bytes(v, rule == DP2_SIZE_BYTES ? "code" : "data", entry->data, entry->data_size);
        break;
    }
}

/* --- commands --------------------------------------------------------------------------------- */

static bool visit_is_zero(const uint8_t *at, size_t size)
{
    while (size && *at == 0) {
        at++;
        size--;
    }
    return size == 0;
}

static void visit_inline_vertices(const struct dp2_visitor *v, const struct dp2_command *command)
{
    const uint8_t *padding = command->body + command->info->fixed_size;
    const size_t before = (size_t)(command->vertices - padding);

    if (!visit_is_zero(padding, before))
        dp2_visit_bytes(v, "padding", padding, before);
    dp2_visit_bytes(v, "vertices", command->vertices, command->body_size - (size_t)(command->vertices - command->body));
}

static void visit_entries(const struct dp2_visitor *v, const struct dp2_command *command, const char *fields)
{
    struct dp2_entry entry = {0};

    v->open(v->user, "entries", DP2_LIST);
    while (command->info->entry_size && dp2_next_entry(command, &entry)) {
        v->open(v->user, NULL, DP2_RECORD);
        dp2_visit_fields(v, fields, entry.head);
        visit_data(v, &entry, command->info->size_rule);
        v->close(v->user);
    }
    v->close(v->user);
}

void dp2_visit_command(const struct dp2_visitor *v, const char *name, const struct dp2_command *command)
{
    const struct dp2_token_info *info = command->info;
    const char *fields = info->fields;

    v->open(v->user, name, DP2_RECORD);
    dp2_visit_number(v, "offset", (uint32_t)command->offset);
    dp2_visit_name(v, "token", info->name);
    dp2_visit_number(v, "n", command->count);
    if (command->body[-3])
        dp2_visit_number(v, "reserved", command->body[-3]);
    if (info->fixed_size)
        fields = dp2_visit_fields(v, fields, command->body);
    fields += *fields == ';' ? 1 : 0;
    if (command->vertices)
        visit_inline_vertices(v, command);
    visit_entries(v, command, fields);
    v->close(v->user);
}
