/* SPDX-License-Identifier: MIT */
/*
 * The disassembler: a command as text, driven by the field letters of the token table.
 *
 *   RENDERSTATE n=2 {state=ZENABLE value=TRUE} {state=FOGCOLOR value=#ff102030}
 */
#include "dp2/names.h"
#include "dp2/tokens.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Entries shown on the one line of the terse form. */
#define TERSE_ENTRIES 4u
/* Values of trailing data shown of one entry. */
#define TERSE_VALUES   4u
#define VERBOSE_VALUES 64u

struct text {
    char *at;
    size_t size;
    size_t length; /* as if there were room for everything */
};

__attribute__((format(gnu_printf, 2, 3))) static void add(struct text *text, const char *format,
                                                          ...)
{
    va_list args;
    char small[160];
    int length;

    va_start(args, format);
    length = vsnprintf(small, sizeof(small), format, args);
    va_end(args);
    for (int i = 0; i < length && (size_t)i < sizeof(small) - 1; i++, text->length++) {
        if (text->length + 1 < text->size) {
            text->at[text->length] = small[i];
        }
    }
}

static void add_name(struct text *text, const char *name, uint32_t value)
{
    if (name) {
        add(text, "%s", name);
    } else {
        add(text, "%" PRIu32, value);
    }
}

static void add_floats(struct text *text, const uint8_t *p, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        add(text, "%s%.9g", i ? " " : "(", (double)dp2_read_f32(p + 4 * i));
    }
    add(text, ")");
}

static void add_ints(struct text *text, const uint8_t *p, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        add(text, "%s%" PRId32, i ? " " : "(", (int32_t)dp2_read_u32(p + 4 * i));
    }
    add(text, ")");
}

/* A FVF by its parts, or a shader handle: bit 0 tells them apart. */
static void add_fvf(struct text *text, uint32_t fvf)
{
    static const char *const position[8] = {"",      "XYZ",   "XYZRHW", "XYZB1",
                                            "XYZB2", "XYZB3", "XYZB4",  "XYZB5"};

    if (fvf == 0 || fvf & 1) {
        add(text, "%" PRIu32, fvf);
        return;
    }
    add(text, "FVF:%s", position[fvf >> 1 & 7]);
    if (fvf & 0x4000) {
        add(text, "W");
    }
    if (fvf & 0x10) {
        add(text, "|NORMAL");
    }
    if (fvf & 0x20) {
        add(text, "|PSIZE");
    }
    if (fvf & 0x40) {
        add(text, "|DIFFUSE");
    }
    if (fvf & 0x80) {
        add(text, "|SPECULAR");
    }
    if (fvf & 0xf00) {
        add(text, "|TEX%" PRIu32, fvf >> 8 & 15);
    }
    add(text, "(0x%" PRIx32 ")", fvf);
}

static void add_clear_flags(struct text *text, uint32_t flags)
{
    static const char *const names[4] = {"TARGET", "ZBUFFER", "STENCIL", "COMPUTERECTS"};
    bool first = true;

    for (unsigned i = 0; i < 4; i++) {
        if (flags >> i & 1) {
            add(text, "%s%s", first ? "" : "|", names[i]);
            first = false;
        }
    }
    if (first || flags >> 4) {
        add(text, "%s0x%" PRIx32, first ? "" : "|", flags & ~15u);
    }
}

static void add_state_value(struct text *text, const struct dp2_state_name *state, uint32_t value)
{
    const char type = state ? state->type : 'x';
    float f;

    memcpy(&f, &value, sizeof(f));
    switch (type) {
    case 'b':
        if (value <= 1) {
            add(text, value ? "TRUE" : "FALSE");
            break;
        }
        add(text, "%" PRIu32, value);
        break;
    case 'f':
        add(text, "%.9g", (double)f);
        break;
    case 'c':
        add(text, "#%08" PRIx32, value);
        break;
    case 'x':
        add(text, "0x%" PRIx32, value);
        break;
    default:
        add_name(text, dp2_value_name(type, value), value);
        break;
    }
}

/* Enumerated and packed DWORDs. */
static void add_dword(struct text *text, char letter, uint32_t value,
                      const struct dp2_state_name **state)
{
    switch (letter) {
    case 'S':
        *state = dp2_render_state_name(value);
        add_name(text, *state ? (*state)->name : NULL, value);
        break;
    case 'V':
        add_state_value(text, *state, value);
        break;
    case 'P':
        add_name(text, dp2_primitive_name(value), value);
        break;
    case 'X':
        add_name(text, dp2_transform_name(value), value);
        break;
    case 'O':
        add_name(text, dp2_stateset_op_name(value), value);
        break;
    case 'K':
        add_name(text, dp2_stateset_type_name(value), value);
        break;
    case 'l':
        add_name(text, dp2_light_op_name(value), value);
        break;
    case 'q':
        add_name(text, dp2_query_name(value), value);
        break;
    case 'F':
        add_fvf(text, value);
        break;
    case 'L':
        add_clear_flags(text, value);
        break;
    case 'c':
        add(text, "#%08" PRIx32, value);
        break;
    case 'x':
        add(text, "0x%" PRIx32, value);
        break;
    case 'i':
        add(text, "%" PRId32, (int32_t)value);
        break;
    default:
        add(text, "%" PRIu32, value);
        break;
    }
}

static void add_value(struct text *text, char letter, const uint8_t *p,
                      const struct dp2_state_name **state)
{
    switch (letter) {
    case 'w':
        add(text, "%u", dp2_read_u16(p));
        break;
    case 'E':
        add(text, "0x%x", dp2_read_u16(p));
        break;
    case 'T':
        *state = dp2_stage_state_name(dp2_read_u16(p));
        add_name(text, *state ? (*state)->name : NULL, dp2_read_u16(p));
        break;
    case 'f':
        add(text, "%.9g", (double)dp2_read_f32(p));
        break;
    case '4':
        add_floats(text, p, 4);
        break;
    case 'M':
        for (unsigned row = 0; row < 4; row++) {
            add_floats(text, p + 16 * row, 4);
        }
        break;
    case 'Q':
        add_ints(text, p, 2);
        break;
    case 'R':
        add_ints(text, p, 4);
        break;
    case 'B':
        add_ints(text, p, 6);
        break;
    default:
        add_dword(text, letter, dp2_read_u32(p), state);
        break;
    }
}

/* Fields up to ';' or the end: returns where the list stopped. */
static const char *add_fields(struct text *text, const char *fields, const uint8_t *p)
{
    const struct dp2_state_name *state = NULL;
    bool first = true;

    while (*fields && *fields != ';') {
        const char letter = fields[0];
        const size_t name = strcspn(fields + 2, ",;");

        add(text, "%s%.*s=", first ? "" : " ", (int)name, fields + 2);
        add_value(text, letter, p, &state);
        p += dp2_field_size(letter);
        fields += 2 + name;
        fields += *fields == ',' ? 1 : 0;
        first = false;
    }
    return fields;
}

static void add_light(struct text *text, const uint8_t *p)
{
    static const char *const types[4] = {NULL, "POINT", "SPOT", "DIRECTIONAL"};
    static const char *const vectors[3] = {"diffuse", "specular", "ambient"};
    static const char *const scalars[7] = {"range", "falloff", "att0", "att1",
                                           "att2",  "theta",   "phi"};
    const uint32_t type = dp2_read_u32(p);

    add(text, " light=");
    add_name(text, type < 4 ? types[type] : NULL, type);
    for (unsigned i = 0; i < 3; i++) {
        add(text, " %s=", vectors[i]);
        add_floats(text, p + 4 + 16 * i, 4);
    }
    add(text, " position=");
    add_floats(text, p + 52, 3);
    add(text, " direction=");
    add_floats(text, p + 64, 3);
    for (unsigned i = 0; i < 7; i++) {
        add(text, " %s=%.9g", scalars[i], (double)dp2_read_f32(p + 76 + 4 * i));
    }
}

static void add_patch(struct text *text, const struct dp2_entry *entry, enum dp2_size_rule rule)
{
    static const char rect[] = "u offset_x,u offset_y,u width,u height,u stride,u basis,u degree";
    static const char tri[] = "u offset,u vertices,u basis,u degree";
    const uint32_t flags = dp2_read_u32(entry->head + 4);
    const unsigned segments = rule == DP2_SIZE_RECTPATCH ? 4 : 3;
    const uint8_t *p = entry->data;

    if (flags & DP2_PATCH_HASSEGS) {
        add(text, " segments=");
        add_floats(text, p, segments);
        p += 4 * segments;
    }
    if (flags & DP2_PATCH_HASINFO) {
        add(text, " ");
        add_fields(text, rule == DP2_SIZE_RECTPATCH ? rect : tri, p);
    }
}

static void add_elements(struct text *text, const struct dp2_entry *entry, size_t limit)
{
    for (size_t i = 0; i < entry->data_size / 8; i++) {
        const uint8_t *p = entry->data + 8 * i;

        if (i == limit) {
            add(text, " ...");
            return;
        }
        add(text, " [stream=%u offset=%u type=%u method=%u usage=%u.%u]", dp2_read_u16(p),
            dp2_read_u16(p + 2), p[4], p[5], p[6], p[7]);
    }
}

static void add_dwords(struct text *text, const uint8_t *p, size_t bytes, size_t limit)
{
    for (size_t i = 0; i < bytes / 4; i++) {
        if (i == limit) {
            add(text, " ...");
            return;
        }
        add(text, " %08" PRIx32, dp2_read_u32(p + 4 * i));
    }
}

static void add_vectors(struct text *text, const struct dp2_entry *entry, bool ints, size_t limit)
{
    for (size_t i = 0; i < entry->data_size / 16; i++) {
        if (i == limit) {
            add(text, " ...");
            return;
        }
        add(text, " ");
        if (ints) {
            add_ints(text, entry->data + 16 * i, 4);
        } else {
            add_floats(text, entry->data + 16 * i, 4);
        }
    }
}

static void add_data(struct text *text, const struct dp2_entry *entry, enum dp2_size_rule rule,
                     bool verbose)
{
    const size_t limit = verbose ? VERBOSE_VALUES : TERSE_VALUES;

    if (entry->data_size == 0) {
        return;
    }
    switch (rule) {
    case DP2_SIZE_LIGHT:
        add_light(text, entry->data);
        break;
    case DP2_SIZE_RECTPATCH:
    case DP2_SIZE_TRIPATCH:
        add_patch(text, entry, rule);
        break;
    case DP2_SIZE_VECTORS:
    case DP2_SIZE_IVECTORS:
        add_vectors(text, entry, rule == DP2_SIZE_IVECTORS, limit);
        break;
    case DP2_SIZE_ELEMENTS:
        add_elements(text, entry, limit);
        break;
    default:
        add_dwords(text, entry->data, entry->data_size, limit);
        break;
    }
}

int dp2_print(char *text, size_t size, const struct dp2_command *command, bool verbose)
{
    const struct dp2_token_info *info = command->info;
    struct text out = {text, size, 0};
    struct dp2_entry entry = {0};
    const char *fields = info->fields;

    add(&out, "%s n=%u", info->name, command->count);
    if (info->fixed_size) {
        add(&out, " ");
        fields = add_fields(&out, fields, command->body);
    }
    fields += *fields == ';' ? 1 : 0;
    if (command->vertices) {
        add(&out, " vertices@+%zu", (size_t)(command->vertices - command->body));
    }
    while (dp2_next_entry(command, &entry)) {
        if (!verbose && entry.index > TERSE_ENTRIES) {
            add(&out, " ...");
            break;
        }
        add(&out, verbose ? "\n    {" : " {");
        add_fields(&out, fields, entry.head);
        add_data(&out, &entry, info->size_rule, verbose);
        add(&out, "}");
    }
    if (size) {
        text[out.length < size ? out.length : size - 1] = 0;
    }
    return (int)out.length;
}
