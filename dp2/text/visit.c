/* SPDX-License-Identifier: MIT */
/*
 * Commands and the data after their entries as named values.
 */
#include "dp2/text/parts.h"
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

/* --- data after entries --------------------------------------------------------------------- */

static void visit_record(const struct dp2_visitor *v, const char *fields, const uint8_t *at)
{
    v->open(v->user, NULL, DP2_RECORD);
    dp2_visit_fields(v, fields, at);
    v->close(v->user);
}

/* Rows of one column are single values. */
static void visit_row(const struct dp2_visitor *v, const struct dp2_part *part, const uint8_t *at)
{
    if (part->kind == DP2_PART_RECORDS)
        visit_record(v, part->fields, at);
    else if (part->kind == DP2_PART_FLOATS)
        visit_array(v, part->columns == 1 ? DP2_VALUE_FLOAT : DP2_VALUE_FLOATS, at, part->columns);
    else if (part->columns == 1)
        dp2_visit_number(v, NULL, dp2_read_u32(at));
    else
        visit_array(v, DP2_VALUE_INTS, at, part->columns);
}

static void visit_part(const struct dp2_visitor *v, const struct dp2_part *part)
{
    switch (part->kind) {
    case DP2_PART_FIELDS:
        dp2_visit_fields(v, part->fields, part->at);
        break;
    case DP2_PART_BYTES:
        dp2_visit_bytes(v, part->name, part->at, part->size);
        break;
    case DP2_PART_TEXT:
        visit_value(v, part->name,
                    &(struct dp2_value){.kind = DP2_VALUE_TEXT, .at = part->at, .count = (unsigned)part->size});
        break;
    case DP2_PART_RECORDS:
    case DP2_PART_FLOATS:
    case DP2_PART_INTS:
        v->open(v->user, "data", DP2_LIST);
        for (size_t i = 0; i < part->count; i++)
            visit_row(v, part, part->at + i * part->size);
        v->close(v->user);
        break;
    }
}

/* --- commands --------------------------------------------------------------------------------- */

static void visit_parts(const struct dp2_visitor *v, const struct dp2_part *parts, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        visit_part(v, &parts[i]);
}

static void visit_entries(const struct dp2_visitor *v, const struct dp2_command *command, const char *fields)
{
    struct dp2_part parts[DP2_MAX_PARTS];
    struct dp2_entry entry = {0};

    v->open(v->user, "entries", DP2_LIST);
    while (command->info->entry_size && dp2_next_entry(command, &entry)) {
        v->open(v->user, NULL, DP2_RECORD);
        dp2_visit_fields(v, fields, entry.head);
        visit_parts(v, parts, dp2_entry_parts(&entry, command->info->size_rule, parts));
        v->close(v->user);
    }
    v->close(v->user);
}

void dp2_visit_command(const struct dp2_visitor *v, const char *name, const struct dp2_command *command)
{
    const struct dp2_token_info *info = command->info;
    const char *fields = info->fields;
    struct dp2_part parts[DP2_MAX_PARTS];

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
        visit_parts(v, parts, dp2_vertex_parts(command, parts));
    visit_entries(v, command, fields);
    if (v->bytes)
        dp2_visit_bytes(v, "bytes", command->body - DP2_HEADER_BYTES, DP2_HEADER_BYTES + command->body_size);
    v->close(v->user);
}
