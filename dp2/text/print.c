/* SPDX-License-Identifier: MIT */
/*
 * The disassembler: commands as text, driven by the field letters of the token table.
 *
 *   RENDERSTATE n=2 {state=ZENABLE value=TRUE} {state=FOGCOLOR value=#ff102030}
 */
#include "dp2/fields.h"
#include "dp2/names.h"
#include "dp2/text/text.h"
#include "dp2/text/visit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Entries, and values of the data behind an entry, shown in the brief style. */
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

/* Numbers that text would not bring back as they were stand as their bits. */
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

/* Names of flags, and what is left in hexadecimal. */
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

static void add_value(const struct printer *p, char letter, const uint8_t *at, const struct dp2_state_name **state)
{
    struct dp2_value value = {0};

    dp2_decode_value(&value, letter, at, state);
    switch (value.kind) {
    case DP2_VALUE_UNSIGNED:
        add(p->sink, "%" PRIu32, value.number);
        break;
    case DP2_VALUE_SIGNED:
        add(p->sink, "%" PRId32, (int32_t)value.number);
        break;
    case DP2_VALUE_HEX:
        add(p->sink, "0x%" PRIx32, value.number);
        break;
    case DP2_VALUE_FLAGS:
        add_flags(p, value.set, value.number);
        break;
    case DP2_VALUE_BOOL:
        add(p->sink, value.number ? "TRUE" : "FALSE");
        break;
    case DP2_VALUE_COLOR:
        add(p->sink, "#%08" PRIx32, value.number);
        break;
    case DP2_VALUE_NAME:
        add(p->sink, "%s", value.name);
        break;
    case DP2_VALUE_FLOAT:
        add_float(p, value.at);
        break;
    case DP2_VALUE_FLOATS:
        add_floats(p, value.at, value.count);
        break;
    case DP2_VALUE_INTS:
        add_ints(p, value.at, value.count);
        break;
    case DP2_VALUE_BYTES: /* no field is one */
        break;
    }
}

static bool print_is_zero(const uint8_t *at, size_t size)
{
    while (size && *at == 0) {
        at++;
        size--;
    }
    return size == 0;
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

        if (!(flags & DP2_SKIP_ZERO) || !print_is_zero(data, size)) {
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

/* --- data behind entries -------------------------------------------------------------------- */

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

static void add_patch(const struct printer *p, const struct dp2_entry *entry, enum dp2_size_rule rule)
{
    const char *segments = dp2_patch_segment_fields(rule);
    const uint32_t flags = DP2_U32(entry->head, entry_DRAWRECTPATCH, flags);
    const uint8_t *at = entry->data;

    if (flags & DP2_PATCH_HASSEGS) {
        add(p->sink, " ");
        dp2_print_fields(p->sink, segments, at, 0);
        at += dp2_fields_size(segments);
    }
    if (flags & DP2_PATCH_HASINFO) {
        add(p->sink, " ");
        dp2_print_fields(p->sink, dp2_patch_info_fields(rule), at, 0);
    }
}

/* Rows of `stride` bytes; `row` prints one. */
static void add_rows(const struct printer *p, const struct dp2_entry *entry, size_t stride,
                     void (*row)(const struct printer *p, const uint8_t *at))
{
    for (size_t i = 0; i < entry->data_size / stride; i++) {
        if (i == p->limit) {
            add(p->sink, " ...");
            break;
        }
        add(p->sink, " ");
        row(p, entry->data + stride * i);
    }
}

static void add_float_row(const struct printer *p, const uint8_t *at)
{
    add_floats(p, at, 4);
}

static void add_int_row(const struct printer *p, const uint8_t *at)
{
    add_ints(p, at, 4);
}

static void add_int_value(const struct printer *p, const uint8_t *at)
{
    add_ints(p, at, 1);
}

static void add_float_value(const struct printer *p, const uint8_t *at)
{
    add_floats(p, at, 1);
}

static void print_add_element(const struct printer *p, const uint8_t *at)
{
    add(p->sink, "[");
    dp2_print_fields(p->sink, dp2_fields_of_ELEMENT, at, 0);
    add(p->sink, "]");
}

static void add_named_bytes(const struct printer *p, const char *name, const uint8_t *at, size_t bytes)
{
    add(p->sink, " %s=", name);
    add_bytes(p, at, bytes);
}

static void add_data(const struct printer *p, const struct dp2_entry *entry, enum dp2_size_rule rule)
{
    if (entry->data_size == 0)
        return;
    switch (rule) {
    case DP2_SIZE_LIGHT:
        add(p->sink, " ");
        dp2_print_fields(p->sink, dp2_fields_of_LIGHT, entry->data, 0);
        break;
    case DP2_SIZE_RECTPATCH:
    case DP2_SIZE_TRIPATCH:
        add_patch(p, entry, rule);
        break;
    case DP2_SIZE_VECTORS:
        add_rows(p, entry, 16, add_float_row);
        break;
    case DP2_SIZE_IVECTORS:
        add_rows(p, entry, 16, add_int_row);
        break;
    case DP2_SIZE_BOOLS:
        add_rows(p, entry, 4, add_int_value);
        break;
    case DP2_SIZE_KERNEL:
        add_rows(p, entry, 4, add_float_value);
        break;
    case DP2_SIZE_ELEMENTS:
        add_rows(p, entry, sizeof(struct dp2_data_ELEMENT), print_add_element);
        break;
    case DP2_SIZE_SHADER: {
        const uint32_t declaration = DP2_U32(entry->head, entry_CREATEVERTEXSHADER, decl_bytes);
        add_named_bytes(p, "decl", entry->data, declaration);
        add_named_bytes(p, "code", entry->data + declaration, entry->data_size - declaration);
        break;
    }
    default:
        add_named_bytes(p, rule == DP2_SIZE_BYTES ? "code" : "data", entry->data, entry->data_size);
        break;
    }
}

/* --- commands --------------------------------------------------------------------------------- */

static void add_entries(const struct printer *p, const struct dp2_command *command, const char *fields)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        if (p->style == DP2_TEXT_BRIEF && !p->lines && entry.index > BRIEF_ENTRIES) {
            add(p->sink, " ...");
            break;
        }
        add(p->sink, p->lines ? "\n        {" : " {");
        dp2_print_fields(p->sink, fields, entry.head, 0);
        add_data(p, &entry, command->info->size_rule);
        add(p->sink, "}");
    }
    /* CLEAR without rectangles has room for one all the same. */
    if (command->info->size_rule == DP2_SIZE_CLEAR && command->count == 0) {
        add(p->sink, " {");
        dp2_print_fields(p->sink, fields, command->body + command->info->fixed_size, 0);
        add(p->sink, "}");
    }
}

/* Bytes between the fixed part and the first vertex. */
static void add_inline_vertices(const struct printer *p, const struct dp2_command *command)
{
    const uint8_t *padding = command->body + command->info->fixed_size;
    const size_t before = (size_t)(command->vertices - padding);
    const size_t bytes = command->body_size - (size_t)(command->vertices - command->body);

    if (!print_is_zero(padding, before)) {
        add(p->sink, " padding=");
        add_bytes(p, padding, before);
    }
    add(p->sink, " vertices=");
    add_bytes(p, command->vertices, bytes);
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

    add(sink, "%s n=%u", info->name, command->count);
    if (command->body[-3])
        add(sink, " reserved=%u", command->body[-3]);
    if (info->fixed_size) {
        add(sink, " ");
        fields = dp2_print_fields(sink, fields, command->body, 0);
    }
    fields += *fields == ';' ? 1 : 0;
    if (command->vertices)
        add_inline_vertices(&p, command);
    if (info->entry_size)
        add_entries(&p, command, fields);
}

struct bounded {
    char *text;
    size_t size, length; /* length: as if there were room for everything */
};

static void put_bounded(void *user, const char *text, size_t size)
{
    struct bounded *out = user;

    for (size_t i = 0; i < size; i++, out->length++)
        if (out->length + 1 < out->size)
            out->text[out->length] = text[i];
}

int dp2_print(char *text, size_t size, const struct dp2_command *command, bool verbose)
{
    struct bounded out = {text, size, 0};
    const struct dp2_sink sink = {put_bounded, &out};

    dp2_print_command(&sink, command, DP2_TEXT_BRIEF, verbose);
    if (size)
        text[out.length < size ? out.length : size - 1] = 0;
    return (int)out.length;
}
