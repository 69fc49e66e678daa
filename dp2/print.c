/* SPDX-License-Identifier: MIT */
/*
 * The disassembler: commands as text or JSON, driven by the field letters of the token table.
 *
 *   RENDERSTATE n=2 {state=ZENABLE value=TRUE} {state=FOGCOLOR value=#ff102030}
 */
#include "dp2/names.h"
#include "dp2/text.h"

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
    if (length > 0) {
        sink->put(sink->user, small,
                  (size_t)length < sizeof(small) ? (size_t)length : sizeof(small) - 1);
    }
}

#define add dp2_sink_printf

static bool is_json(const struct printer *p)
{
    return p->style == DP2_TEXT_JSON;
}

static void add_name(const struct printer *p, const char *name, uint32_t value)
{
    if (name) {
        add(p->sink, is_json(p) ? "\"%s\"" : "%s", name);
    } else {
        add(p->sink, "%" PRIu32, value);
    }
}

/* Numbers that text would not bring back as they were stand as their bits. */
static void add_float(const struct printer *p, const uint8_t *at)
{
    const float value = dp2_read_f32(at);

    if (isfinite(value)) {
        add(p->sink, "%.9g", (double)value);
    } else {
        add(p->sink, is_json(p) ? "\"0x%" PRIx32 "\"" : "0x%" PRIx32, dp2_read_u32(at));
    }
}

static void add_separator(const struct printer *p, unsigned index)
{
    if (index) {
        add(p->sink, is_json(p) ? ", " : " ");
    }
}

static void add_floats(const struct printer *p, const uint8_t *at, size_t count)
{
    add(p->sink, is_json(p) ? "[" : "(");
    for (size_t i = 0; i < count; i++) {
        add_separator(p, i != 0);
        add_float(p, at + 4 * i);
    }
    add(p->sink, is_json(p) ? "]" : ")");
}

static void add_ints(const struct printer *p, const uint8_t *at, size_t count)
{
    add(p->sink, is_json(p) ? "[" : "(");
    for (size_t i = 0; i < count; i++) {
        add_separator(p, i != 0);
        add(p->sink, "%" PRId32, (int32_t)dp2_read_u32(at + 4 * i));
    }
    add(p->sink, is_json(p) ? "]" : ")");
}

/* A FVF by its parts, or a shader handle: bit 0 tells them apart. */
static void add_fvf(const struct printer *p, uint32_t fvf)
{
    static const char *const position[8] = {"",      "XYZ",   "XYZRHW", "XYZB1",
                                            "XYZB2", "XYZB3", "XYZB4",  "XYZB5"};
    const uint32_t named = 0xffe | 0x4000;

    if (fvf & 1 || !(fvf & 14)) {
        add(p->sink, "%" PRIu32, fvf);
        return;
    }
    add(p->sink, is_json(p) ? "\"%s%s" : "%s%s", position[fvf >> 1 & 7],
        fvf & 0x4000 ? "|XYZW" : "");
    add(p->sink, "%s%s%s%s", fvf & 0x10 ? "|NORMAL" : "", fvf & 0x20 ? "|PSIZE" : "",
        fvf & 0x40 ? "|DIFFUSE" : "", fvf & 0x80 ? "|SPECULAR" : "");
    if (fvf & 0xf00) {
        add(p->sink, "|TEX%" PRIu32, fvf >> 8 & 15);
    }
    if (fvf & ~named) {
        add(p->sink, "|0x%" PRIx32, fvf & ~named);
    }
    add(p->sink, is_json(p) ? "\"" : "");
}

static void add_clear_flags(const struct printer *p, uint32_t flags)
{
    static const char *const names[4] = {"TARGET", "ZBUFFER", "STENCIL", "COMPUTERECTS"};
    bool first = true;

    add(p->sink, is_json(p) ? "\"" : "");
    for (unsigned i = 0; i < 4; i++) {
        if (flags >> i & 1) {
            add(p->sink, "%s%s", first ? "" : "|", names[i]);
            first = false;
        }
    }
    if (first || flags >> 4) {
        add(p->sink, "%s0x%" PRIx32, first ? "" : "|", flags & ~15u);
    }
    add(p->sink, is_json(p) ? "\"" : "");
}

static void add_hex(const struct printer *p, const char *format, uint32_t value)
{
    if (is_json(p)) {
        add(p->sink, "%" PRIu32, value);
    } else {
        add(p->sink, format, value);
    }
}

static void add_color(const struct printer *p, uint32_t value)
{
    add(p->sink, is_json(p) ? "\"#%08" PRIx32 "\"" : "#%08" PRIx32, value);
}

/* Names of flags, and what is left in hexadecimal; JSON has the number. */
static void add_flags(const struct printer *p, char set, uint32_t value)
{
    uint32_t left = value, flag, mask;
    const char *name, *bar = "";

    if (is_json(p)) {
        add(p->sink, "%" PRIu32, value);
        return;
    }
    for (unsigned i = 0; (name = dp2_flag_name(set, i, &flag, &mask)) != NULL; i++) {
        if ((value & mask) == flag) {
            add(p->sink, "%s%s", bar, name);
            bar = "|";
            left &= ~mask;
        }
    }
    if (left || !*bar) {
        add(p->sink, left < 10 ? "%s%" PRIu32 : "%s0x%" PRIx32, bar, left);
    }
}

static void add_state_value(const struct printer *p, const struct dp2_state_name *state,
                            const uint8_t *at)
{
    const char type = state ? state->type : 'x';
    const uint32_t value = dp2_read_u32(at);

    switch (type) {
    case 'b':
        if (value > 1) {
            add(p->sink, "%" PRIu32, value);
        } else if (is_json(p)) {
            add(p->sink, value ? "true" : "false");
        } else {
            add(p->sink, value ? "TRUE" : "FALSE");
        }
        break;
    case 'f':
        add_float(p, at);
        break;
    case 'c':
        add_color(p, value);
        break;
    case 'x':
        add_hex(p, "0x%" PRIx32, value);
        break;
    default:
        if (dp2_is_flag_state(type)) {
            add_flags(p, type, value);
        } else {
            add_name(p, dp2_value_name(type, value), value);
        }
        break;
    }
}

static void add_format(const struct printer *p, uint32_t value)
{
    char code[5];
    const char *name = dp2_format_name(value, code);

    if (name) {
        add_name(p, name, value);
    } else {
        add_hex(p, "0x%" PRIx32, value);
    }
}

/* Enumerated and packed DWORDs. */
static void add_dword(const struct printer *p, char letter, const uint8_t *at,
                      const struct dp2_state_name **state)
{
    const uint32_t value = dp2_read_u32(at);
    const char enumeration = dp2_letter_enumeration(letter);

    switch (letter) {
    case 'S':
        *state = dp2_render_state_name(value);
        add_name(p, *state ? (*state)->name : NULL, value);
        break;
    case 'V':
        add_state_value(p, *state, at);
        break;
    case 'F':
        add_fvf(p, value);
        break;
    case 'L':
        add_clear_flags(p, value);
        break;
    case 'D':
        add_format(p, value);
        break;
    case 'c':
        add_color(p, value);
        break;
    case 'x':
        add_hex(p, "0x%" PRIx32, value);
        break;
    case 'i':
        add(p->sink, "%" PRId32, (int32_t)value);
        break;
    default:
        if (dp2_is_flag_set(letter)) {
            add_flags(p, letter, value);
            break;
        }
        add_name(p, enumeration ? dp2_value_name(enumeration, value) : NULL, value);
        break;
    }
}

static void add_value(const struct printer *p, char letter, const uint8_t *at,
                      const struct dp2_state_name **state)
{
    switch (letter) {
    case 'y':
        add(p->sink, "%u", *at);
        break;
    case 't':
    case 'g':
        add_name(p, dp2_value_name(letter, *at), *at);
        break;
    case 'w':
        add(p->sink, "%u", dp2_read_u16(at));
        break;
    case 'E':
        add_hex(p, "0x%" PRIx32, dp2_read_u16(at));
        break;
    case 'T':
        *state = dp2_stage_state_name(dp2_read_u16(at));
        add_name(p, *state ? (*state)->name : NULL, dp2_read_u16(at));
        break;
    case 'f':
        add_float(p, at);
        break;
    case '3':
    case '4':
        add_floats(p, at, (size_t)(letter - '0'));
        break;
    case 'M':
        add_floats(p, at, 16);
        break;
    case 'Q':
        add_ints(p, at, 2);
        break;
    case 'R':
        add_ints(p, at, 4);
        break;
    case 'B':
        add_ints(p, at, 6);
        break;
    default:
        add_dword(p, letter, at, state);
        break;
    }
}

static bool is_zero(const uint8_t *at, size_t size)
{
    while (size && *at == 0) {
        at++;
        size--;
    }
    return size == 0;
}

const char *dp2_print_fields(const struct dp2_sink *sink, const char *fields, const uint8_t *data,
                             enum dp2_text_style style, unsigned flags)
{
    const struct printer p = {.sink = sink, .style = style};
    const struct dp2_state_name *state = NULL;
    bool first = true;

    while (*fields && *fields != ';') {
        const char letter = fields[0];
        const size_t name = strcspn(fields + 2, ",;");
        const uint32_t size = dp2_field_size(letter);

        if (!(flags & DP2_SKIP_ZERO) || !is_zero(data, size)) {
            add_separator(&p, !first);
            add(sink, is_json(&p) ? "\"%.*s\": " : "%.*s=", (int)name, fields + 2);
            add_value(&p, letter, data, &state);
            first = false;
        }
        data += size;
        fields += 2 + name;
        fields += *fields == ',' ? 1 : 0;
    }
    return fields;
}

void dp2_print_value(const struct dp2_sink *sink, char letter, const uint8_t *data,
                     enum dp2_text_style style)
{
    const struct printer p = {.sink = sink, .style = style};
    const struct dp2_state_name *state = NULL;

    add_value(&p, letter, data, &state);
}

/* --- data behind entries -------------------------------------------------------------------- */

/* hex(...): DWORDs of eight digits, then single bytes of two. */
static void add_bytes(const struct printer *p, const uint8_t *at, size_t bytes)
{
    size_t i = 0;

    if (is_json(p)) {
        add(p->sink, "\"");
        for (; i < bytes; i++) {
            add(p->sink, "%02x", at[i]);
        }
        add(p->sink, "\"");
        return;
    }
    add(p->sink, "hex(");
    for (; i + 4 <= bytes && i / 4 < p->limit; i += 4) {
        add(p->sink, "%s%08" PRIx32, i ? (i % 32 || !p->lines ? " " : "\n        ") : "",
            dp2_read_u32(at + i));
    }
    for (; i < bytes && i / 4 < p->limit; i++) {
        add(p->sink, "%s%02x", i ? " " : "", at[i]);
    }
    add(p->sink, i < bytes ? " ...)" : ")");
}

static void add_patch(const struct printer *p, const struct dp2_entry *entry,
                      enum dp2_size_rule rule)
{
    const char *segments = dp2_patch_segment_fields(rule);
    const uint32_t flags = dp2_read_u32(entry->head + 4);
    const uint8_t *at = entry->data;

    if (flags & DP2_PATCH_HASSEGS) {
        add(p->sink, is_json(p) ? ", " : " ");
        dp2_print_fields(p->sink, segments, at, p->style, 0);
        at += dp2_fields_size(segments);
    }
    if (flags & DP2_PATCH_HASINFO) {
        add(p->sink, is_json(p) ? ", " : " ");
        dp2_print_fields(p->sink, dp2_patch_info_fields(rule), at, p->style, 0);
    }
}

/* Rows of `stride` bytes; `row` prints one. */
static void add_rows(const struct printer *p, const struct dp2_entry *entry, size_t stride,
                     void (*row)(const struct printer *p, const uint8_t *at))
{
    add(p->sink, is_json(p) ? ", \"data\": [" : "");
    for (size_t i = 0; i < entry->data_size / stride; i++) {
        if (i == p->limit) {
            add(p->sink, " ...");
            break;
        }
        add(p->sink, is_json(p) ? (i ? ", " : "") : " ");
        row(p, entry->data + stride * i);
    }
    add(p->sink, is_json(p) ? "]" : "");
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

static void add_element(const struct printer *p, const uint8_t *at)
{
    add(p->sink, is_json(p) ? "{" : "[");
    dp2_print_fields(p->sink, dp2_element_fields, at, p->style, 0);
    add(p->sink, is_json(p) ? "}" : "]");
}

static void add_named_bytes(const struct printer *p, const char *name, const uint8_t *at,
                            size_t bytes)
{
    add(p->sink, is_json(p) ? ", \"%s\": " : " %s=", name);
    add_bytes(p, at, bytes);
}

static void add_data(const struct printer *p, const struct dp2_entry *entry,
                     enum dp2_size_rule rule)
{
    if (entry->data_size == 0) {
        return;
    }
    switch (rule) {
    case DP2_SIZE_LIGHT:
        add(p->sink, is_json(p) ? ", " : " ");
        dp2_print_fields(p->sink, dp2_light_fields, entry->data, p->style, 0);
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
        add_rows(p, entry, 8, add_element);
        break;
    case DP2_SIZE_SHADER: {
        const uint32_t declaration = dp2_read_u32(entry->head + 4);
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

static void add_entries(const struct printer *p, const struct dp2_command *command,
                        const char *fields)
{
    struct dp2_entry entry = {0};
    size_t shown = 0;

    while (dp2_next_entry(command, &entry)) {
        if (p->style == DP2_TEXT_BRIEF && !p->lines && entry.index > BRIEF_ENTRIES) {
            add(p->sink, " ...");
            break;
        }
        if (is_json(p)) {
            add(p->sink, shown ? ", {" : "{");
        } else {
            add(p->sink, p->lines ? "\n        {" : " {");
        }
        dp2_print_fields(p->sink, fields, entry.head, p->style, 0);
        add_data(p, &entry, command->info->size_rule);
        add(p->sink, "}");
        shown++;
    }
    /* CLEAR without rectangles has room for one all the same. */
    if (command->info->size_rule == DP2_SIZE_CLEAR && command->count == 0 && !is_json(p)) {
        add(p->sink, " {");
        dp2_print_fields(p->sink, fields, command->body + command->info->fixed_size, p->style, 0);
        add(p->sink, "}");
    }
}

/* Bytes between the fixed part and the first vertex. */
static void add_inline_vertices(const struct printer *p, const struct dp2_command *command)
{
    const uint8_t *padding = command->body + command->info->fixed_size;
    const size_t before = (size_t)(command->vertices - padding);
    const size_t bytes = command->body_size - (size_t)(command->vertices - command->body);

    if (!is_zero(padding, before)) {
        add(p->sink, is_json(p) ? ", \"padding\": " : " padding=");
        add_bytes(p, padding, before);
    }
    add(p->sink, is_json(p) ? ", \"vertices\": " : " vertices=");
    add_bytes(p, command->vertices, bytes);
}

void dp2_print_command(const struct dp2_sink *sink, const struct dp2_command *command,
                       enum dp2_text_style style, bool lines)
{
    const struct dp2_token_info *info = command->info;
    const struct printer p = {sink, style, lines,
                              style != DP2_TEXT_BRIEF ? SIZE_MAX
                              : lines                 ? LINES_VALUES
                                                      : BRIEF_VALUES};
    const char *fields = info->fields;

    if (is_json(&p)) {
        add(sink, "{\"offset\": %zu, \"token\": \"%s\", \"n\": %u", command->offset, info->name,
            command->count);
    } else {
        add(sink, "%s n=%u", info->name, command->count);
    }
    if (command->body[-3]) {
        add(sink, is_json(&p) ? ", \"reserved\": %u" : " reserved=%u", command->body[-3]);
    }
    if (info->fixed_size) {
        add(sink, is_json(&p) ? ", " : " ");
        fields = dp2_print_fields(sink, fields, command->body, style, 0);
    }
    fields += *fields == ';' ? 1 : 0;
    if (command->vertices) {
        add_inline_vertices(&p, command);
    }
    add(sink, is_json(&p) ? ", \"entries\": [" : "");
    if (info->entry_size) {
        add_entries(&p, command, fields);
    }
    add(sink, is_json(&p) ? "]}" : "");
}

struct bounded {
    char *text;
    size_t size, length; /* length: as if there were room for everything */
};

static void put_bounded(void *user, const char *text, size_t size)
{
    struct bounded *out = user;

    for (size_t i = 0; i < size; i++, out->length++) {
        if (out->length + 1 < out->size) {
            out->text[out->length] = text[i];
        }
    }
}

int dp2_print(char *text, size_t size, const struct dp2_command *command, bool verbose)
{
    struct bounded out = {text, size, 0};
    const struct dp2_sink sink = {put_bounded, &out};

    dp2_print_command(&sink, command, DP2_TEXT_BRIEF, verbose);
    if (size) {
        text[out.length < size ? out.length : size - 1] = 0;
    }
    return (int)out.length;
}
