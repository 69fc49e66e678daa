/* SPDX-License-Identifier: MIT */
/*
 * The disassembler: commands as text, driven by the field letters of the token table.
 *
 *   RENDERSTATE n=2 {state=ZENABLE value=TRUE} {state=FOGCOLOR value=#ff102030}
 */
#include "base/base.h"
#include "base/utf8.h"
#include "dp2/names.h"
#include "dp2/text/parts.h"
#include "dp2/text/text.h"
#include "dp2/text/visit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Entries, and values of the data after an entry, shown in the brief style. */
#define BRIEF_ENTRIES 4u
#define BRIEF_VALUES  4u
#define LINES_VALUES  64u

struct printer {
    const struct dp2_sink *sink;
    enum dp2_text_style style;
    bool lines;
    size_t limit; /* of values in trailing data */
};

void dp2_sink_printf(const struct dp2_sink *sink, const char *format, ...)
{
    va_list args;
    char small[256];
    int length;

    va_start(args, format);
    length = vsnprintf(small, sizeof(small), format, args);
    va_end(args);
    if (length > 0)
        sink->put(sink->user, small, (size_t)length < sizeof(small) ? (size_t)length : sizeof(small) - 1);
}

#define add dp2_sink_printf

/* Numbers that cannot be restored from text are printed as their bits. */
static void add_float(const struct printer *p, const uint8_t *at)
{
    const float value = dp2_read_f32(at);

    if (isfinite(value))
        add(p->sink, "%.9g", (double)value);
    else
        add(p->sink, "0x%" PRIx32, dp2_read_u32(at));
}

static void add_separator(const struct printer *p, unsigned index)
{
    if (index)
        add(p->sink, " ");
}

static void add_floats(const struct printer *p, const uint8_t *at, size_t count)
{
    add(p->sink, "(");
    for (size_t i = 0; i < count; i++) {
        add_separator(p, i != 0);
        add_float(p, at + 4 * i);
    }
    add(p->sink, ")");
}

static void add_ints(const struct printer *p, const uint8_t *at, size_t count)
{
    add(p->sink, "(");
    for (size_t i = 0; i < count; i++) {
        add_separator(p, i != 0);
        add(p->sink, "%" PRId32, (int32_t)dp2_read_u32(at + 4 * i));
    }
    add(p->sink, ")");
}

/* Names of flags, and the remaining bits in hexadecimal. */
static void add_flags(const struct printer *p, char set, uint32_t value)
{
    uint32_t left = value, flag, mask;
    const char *name, *bar = "";

    for (unsigned i = 0; (name = dp2_flag_name(set, i, &flag, &mask)) != NULL; i++) {
        if ((value & mask) == flag) {
            add(p->sink, "%s%s", bar, name);
            bar = "|";
            left &= ~mask;
        }
    }
    if (left || !*bar)
        add(p->sink, left < 10 ? "%s%" PRIu32 : "%s0x%" PRIx32, bar, left);
}

static void add_decoded(const struct printer *p, const struct dp2_value *value)
{
    switch (value->kind) {
    case DP2_VALUE_UNSIGNED:
        add(p->sink, "%" PRIu32, value->number);
        break;
    case DP2_VALUE_SIGNED:
        add(p->sink, "%" PRId32, (int32_t)value->number);
        break;
    case DP2_VALUE_HEX:
        add(p->sink, "0x%" PRIx32, value->number);
        break;
    case DP2_VALUE_FLAGS:
        add_flags(p, value->set, value->number);
        break;
    case DP2_VALUE_BOOL:
        add(p->sink, value->number ? "TRUE" : "FALSE");
        break;
    case DP2_VALUE_COLOR:
        add(p->sink, "#%08" PRIx32, value->number);
        break;
    case DP2_VALUE_NAME:
        add(p->sink, "%s", value->name);
        break;
    case DP2_VALUE_FLOAT:
        add_float(p, value->at);
        break;
    case DP2_VALUE_FLOATS:
        add_floats(p, value->at, value->count);
        break;
    case DP2_VALUE_INTS:
        add_ints(p, value->at, value->count);
        break;
    case DP2_VALUE_BYTES: /* no field is one of these */
    case DP2_VALUE_TEXT:
        break;
    }
}

void dp2_print_decoded(const struct dp2_sink *sink, const struct dp2_value *value)
{
    const struct printer p = {.sink = sink};

    add_decoded(&p, value);
}

static void add_value(const struct printer *p, char letter, const uint8_t *at, const struct dp2_state_name **state)
{
    struct dp2_value value = {0};

    dp2_decode_value(&value, letter, at, state);
    add_decoded(p, &value);
}

const char *dp2_print_fields(const struct dp2_sink *sink, const char *fields, const uint8_t *data, unsigned flags)
{
    const struct printer p = {.sink = sink};
    const struct dp2_state_name *state = NULL;
    bool first = true;

    while (*fields && *fields != ';') {
        const char letter = fields[0];
        const size_t name = strcspn(fields + 2, ",;");
        const uint32_t size = dp2_field_size(letter);

        if (!(flags & DP2_SKIP_ZERO) || !dp2_is_zero(data, size)) {
            add_separator(&p, !first);
            add(sink, "%.*s=", (int)name, fields + 2);
            add_value(&p, letter, data, &state);
            first = false;
        }
        data += size;
        fields += 2 + name;
        fields += *fields == ',' ? 1 : 0;
    }
    return fields;
}

void dp2_print_value(const struct dp2_sink *sink, char letter, const uint8_t *data)
{
    const struct printer p = {.sink = sink};
    const struct dp2_state_name *state = NULL;

    add_value(&p, letter, data, &state);
}

/* --- data after entries --------------------------------------------------------------------- */

/* hex(...): DWORDs of eight digits, then single bytes of two. */
static void add_bytes(const struct printer *p, const uint8_t *at, size_t bytes)
{
    size_t i = 0;

    add(p->sink, "hex(");
    for (; i + 4 <= bytes && i / 4 < p->limit; i += 4)
        add(p->sink, "%s%08" PRIx32, i ? (i % 32 || !p->lines ? " " : "\n        ") : "", dp2_read_u32(at + i));
    for (; i < bytes && i / 4 < p->limit; i++)
        add(p->sink, "%s%02x", i ? " " : "", at[i]);
    add(p->sink, i < bytes ? " ...)" : ")");
}

/* The text between the quotes. `characters`: as many. Bytes that were taken. */
static size_t add_characters(const struct dp2_sink *sink, const char *text, size_t bytes, size_t characters)
{
    size_t at = 0;

    for (size_t n = 0; at < bytes && n < characters; n++) {
        char one[UTF8_ESCAPED];

        if (text[at] == '"' || text[at] == '\\') {
            add(sink, text[at] == '"' ? "\\x22" : "\\\\");
            at++;
        } else {
            at += utf8_escape(one, text + at, bytes - at);
            add(sink, "%s", one);
        }
    }
    return at;
}

void dp2_print_string(const struct dp2_sink *sink, const char *text, size_t size)
{
    add(sink, "\"");
    add_characters(sink, text, size, SIZE_MAX);
    add(sink, "\"");
}

static void add_string(const struct printer *p, const uint8_t *at, size_t bytes, size_t characters)
{
    add(p->sink, "\"");
    add(p->sink, add_characters(p->sink, (const char *)at, bytes, characters) < bytes ? "\" ..." : "\"");
}

static void add_row(const struct printer *p, const struct dp2_part *part, const uint8_t *at)
{
    if (part->kind == DP2_PART_FLOATS) {
        add_floats(p, at, part->columns);
    } else if (part->kind == DP2_PART_INTS) {
        add_ints(p, at, part->columns);
    } else {
        add(p->sink, "[");
        dp2_print_fields(p->sink, part->fields, at, 0);
        add(p->sink, "]");
    }
}

static void add_rows(const struct printer *p, const struct dp2_part *part)
{
    for (size_t i = 0; i < part->count && i < p->limit; i++) {
        add(p->sink, " ");
        add_row(p, part, part->at + i * part->size);
    }
    if (part->count > p->limit)
        add(p->sink, " ...");
}

static void add_part(const struct printer *p, const struct dp2_part *part)
{
    switch (part->kind) {
    case DP2_PART_FIELDS:
        add(p->sink, " ");
        dp2_print_fields(p->sink, part->fields, part->at, 0);
        break;
    case DP2_PART_BYTES:
        add(p->sink, " %s=", part->name);
        add_bytes(p, part->at, part->size);
        break;
    case DP2_PART_TEXT:
        add(p->sink, " %s=", part->name);
        add_string(p, part->at, part->size, p->limit > SIZE_MAX / 16 ? SIZE_MAX : 16 * p->limit);
        break;
    case DP2_PART_RECORDS:
    case DP2_PART_FLOATS:
    case DP2_PART_INTS:
        add_rows(p, part);
        break;
    }
}

static void add_parts(const struct printer *p, const struct dp2_part *parts, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add_part(p, &parts[i]);
}

/* --- commands --------------------------------------------------------------------------------- */

static void add_entries(const struct printer *p, const struct dp2_command *command, const char *fields)
{
    struct dp2_part parts[DP2_MAX_PARTS];
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        if (p->style == DP2_TEXT_BRIEF && !p->lines && entry.index > BRIEF_ENTRIES) {
            add(p->sink, " ...");
            break;
        }
        add(p->sink, p->lines ? "\n        {" : " {");
        dp2_print_fields(p->sink, fields, entry.head, 0);
        add_parts(p, parts, dp2_entry_parts(&entry, command->info->size_rule, parts));
        add(p->sink, "}");
    }
    /* CLEAR without rectangles still has space for one. */
    if (command->info->size_rule == DP2_SIZE_CLEAR && command->count == 0) {
        add(p->sink, " {");
        dp2_print_fields(p->sink, fields, command->body + command->info->fixed_size, 0);
        add(p->sink, "}");
    }
}

void dp2_print_command(const struct dp2_sink *sink, const struct dp2_command *command, enum dp2_text_style style,
                       bool lines)
{
    const struct dp2_token_info *info = command->info;
    const struct printer p = {sink, style, lines,
                              style != DP2_TEXT_BRIEF ? SIZE_MAX
                              : lines                 ? LINES_VALUES
                                                      : BRIEF_VALUES};
    const char *fields = info->fields;
    struct dp2_part parts[DP2_MAX_PARTS];

    add(sink, "%s n=%u", info->name, command->count);
    if (command->body[-3])
        add(sink, " reserved=%u", command->body[-3]);
    if (info->fixed_size) {
        add(sink, " ");
        fields = dp2_print_fields(sink, fields, command->body, 0);
    }
    fields += *fields == ';' ? 1 : 0;
    if (command->vertices)
        add_parts(&p, parts, dp2_vertex_parts(command, parts));
    if (info->entry_size)
        add_entries(&p, command, fields);
}
