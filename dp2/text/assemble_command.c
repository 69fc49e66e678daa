/* SPDX-License-Identifier: MIT */
/*
 * Commands of a stream, from text. Counts and sizes that the text omits are computed; those in the text are written
 * unchanged, right or wrong, to test how drivers handle wrong ones.
 */
#include "dp2/fields.h"
#include "dp2/text/assemble.h"

#include <inttypes.h>
#include <stdlib.h>

/* Everything in the text of one command. */
struct command {
    const struct dp2_token_info *info;
    const char *entry_fields;
    bool has_count;
    uint32_t count, reserved, entries;
    size_t header; /* its place in the stream */
};

static bool find_token(struct asm_parser *p, const struct dp2_token_info **info)
{
    struct word_guess guess = asm_guess_word(p);

    for (unsigned number = 0; number < 256; number++) {
        *info = dp2_token_info((uint8_t)number);
        if (*info && (*info)->size_rule != DP2_SIZE_NONE && asm_is(p, (*info)->name))
            return true;
    }
    for (unsigned number = 0; number < 256; number++) {
        const struct dp2_token_info *other = dp2_token_info((uint8_t)number);
        if (other && other->size_rule != DP2_SIZE_NONE)
            word_guess(&guess, other->name, strlen(other->name));
    }
    return asm_unknown(p, &guess, "token", NULL);
}

/* --- data after entries --------------------------------------------------------------------------- */

static bool data_value(struct asm_parser *p, struct asm_bytes *out, bool floats)
{
    uint32_t value;
    uint8_t *at;

    if (!(floats ? asm_float : asm_number)(p, &value) || !(at = asm_grow(p, out, 4)))
        return false;
    memcpy(at, &value, 4);
    return true;
}

/* Values in any number of parentheses. */
static bool data_rows(struct asm_parser *p, struct asm_bytes *out, bool floats)
{
    while (asm_is_mark(p, '(')) {
        asm_next(p);
        while (!asm_is_mark(p, ')'))
            if (!data_value(p, out, floats))
                return false;
        asm_next(p);
    }
    return !p->failed;
}

static bool elements(struct asm_parser *p, struct asm_bytes *out)
{
    while (asm_is_mark(p, '[')) {
        uint8_t *at = asm_grow(p, out, 8);
        uint32_t given = 0;

        asm_next(p);
        if (!at || !asm_fields(p, dp2_fields_of_ELEMENT, at, &given) || !asm_expect(p, ']'))
            return false;
    }
    return !p->failed;
}

/* A structure of fields, if any of them is given. */
static bool optional_fields(struct asm_parser *p, struct asm_bytes *out, const char *fields, uint32_t *given)
{
    uint8_t data[128] = {0};
    uint8_t *at;

    *given = 0;
    if (!asm_fields(p, fields, data, given))
        return false;
    if (!*given)
        return true;
    at = asm_grow(p, out, dp2_fields_size(fields));
    if (at)
        memcpy(at, data, dp2_fields_size(fields));
    return at != NULL;
}

/* Shader code, declarations, palettes: data(...) after its name or without. Sizes of the first two
 * parts go to *first and *second. */
static bool named_data(struct asm_parser *p, struct asm_bytes *out, size_t *first, size_t *second)
{
    const size_t start = out->size;
    bool code = false;

    *first = *second = 0;
    while (asm_is(p, "decl") || asm_is(p, "code") || asm_is(p, "data") || asm_at_data(p)) {
        const size_t before = out->size;
        uint32_t fvf = 0;

        if (p->kind == ASM_KEY) {
            code = asm_is(p, "code");
            asm_next(p);
        }
        if (!asm_data(p, out, &fvf))
            return false;
        *(code ? second : first) += out->size - before;
    }
    *first = code ? *first : out->size - start;
    return !p->failed;
}

static void put_u32(struct asm_bytes *out, size_t at, size_t value)
{
    const uint32_t number = (uint32_t)value;

    memcpy(out->data + at, &number, 4);
}

static bool is_given(uint32_t given, unsigned field)
{
    return given >> field & 1;
}

static bool patch_data(struct asm_parser *p, struct asm_bytes *out, size_t head, uint32_t given,
                       enum dp2_size_rule rule)
{
    uint32_t segments, info;

    if (!optional_fields(p, out, dp2_patch_segment_fields(rule), &segments) ||
        !optional_fields(p, out, dp2_patch_info_fields(rule), &info))
        return false;
    if (!is_given(given, 1))
        put_u32(out, head + DP2_OFFSET(entry_DRAWRECTPATCH, flags),
                (segments ? DP2_PATCH_HASSEGS : 0) | (info ? DP2_PATCH_HASINFO : 0));
    return true;
}

static bool shader_data(struct asm_parser *p, struct asm_bytes *out, size_t head, uint32_t given,
                        enum dp2_size_rule rule)
{
    size_t first, second;

    if (!named_data(p, out, &first, &second))
        return false;
    if (rule == DP2_SIZE_PALETTE) {
        const uint16_t colors = (uint16_t)((first + second) / 4);

        if (!is_given(given, 2))
            memcpy(out->data + head + DP2_OFFSET(entry_UPDATEPALETTE, entries), &colors, sizeof(colors));
        return true;
    }
    if (!is_given(given, 1))
        put_u32(out,
                head + (rule == DP2_SIZE_SHADER ? DP2_OFFSET(entry_CREATEVERTEXSHADER, decl_bytes)
                                                : DP2_OFFSET(entry_CREATEPIXELSHADER, code_bytes)),
                rule == DP2_SIZE_SHADER ? first : first + second);
    if (rule == DP2_SIZE_SHADER && !is_given(given, 2))
        put_u32(out, head + DP2_OFFSET(entry_CREATEVERTEXSHADER, code_bytes), second);
    return true;
}

static bool text_data(struct asm_parser *p, struct asm_bytes *out, size_t head, uint32_t given)
{
    const size_t start = out->size;
    size_t bytes, padding;
    uint32_t fvf = 0;

    if (asm_is(p, "text")) {
        asm_next(p);
        if (!asm_string(p, out))
            return false;
    }
    bytes = out->size - start;
    if (!is_given(given, 1))
        put_u32(out, head + DP2_OFFSET(entry_MARKER, text_bytes), bytes);
    if (asm_is(p, "padding")) {
        asm_next(p);
        if (!asm_data(p, out, &fvf))
            return false;
    }
    padding = out->size - start - bytes;
    if (padding > (-bytes & 3))
        return asm_fail(p, "%zu bytes of padding, where there is room for %zu", padding, -bytes & 3);
    return asm_grow(p, out, (-bytes & 3) - padding) != NULL;
}

static bool light_data(struct asm_parser *p, struct asm_bytes *out, size_t head, uint32_t given)
{
    uint32_t light;

    if (!optional_fields(p, out, dp2_fields_of_LIGHT, &light))
        return false;
    if (light && !is_given(given, 1))
        put_u32(out, head + DP2_OFFSET(entry_SETLIGHT, op), DP2_LIGHT_DATA);
    return true;
}

/* Reads the data that follows the fixed part at `head` of an entry; its count is computed if it was
 * not given. */
static bool entry_data(struct asm_parser *p, struct asm_bytes *out, size_t head, uint32_t given,
                       enum dp2_size_rule rule)
{
    const size_t start = out->size;
    size_t unit = 0, place = DP2_OFFSET(entry_SETVERTEXSHADERCONST, count);

    switch (rule) {
    case DP2_SIZE_LIGHT:
        return light_data(p, out, head, given);
    case DP2_SIZE_RECTPATCH:
    case DP2_SIZE_TRIPATCH:
        return patch_data(p, out, head, given, rule);
    case DP2_SIZE_SHADER:
    case DP2_SIZE_BYTES:
    case DP2_SIZE_PALETTE:
        return shader_data(p, out, head, given, rule);
    case DP2_SIZE_TEXT:
        return text_data(p, out, head, given);
    case DP2_SIZE_VECTORS:
    case DP2_SIZE_IVECTORS:
        unit = 16;
        break;
    case DP2_SIZE_BOOLS:
        unit = 4;
        break;
    case DP2_SIZE_ELEMENTS:
        unit = sizeof(struct dp2_data_ELEMENT);
        place = DP2_OFFSET(entry_CREATEVERTEXSHADERDECL, elements);
        break;
    case DP2_SIZE_KERNEL:
        break;
    default:
        return true;
    }
    if (rule == DP2_SIZE_ELEMENTS ? !elements(p, out)
                                  : !data_rows(p, out, rule == DP2_SIZE_VECTORS || rule == DP2_SIZE_KERNEL))
        return false;
    if (unit && !is_given(given, 1))
        put_u32(out, head + place, (out->size - start) / unit);
    return true;
}

/* --- commands
 * ----------------------------------------------------------------------------------------- */

/* Fails if the next field is not among `fields`. */
static bool unknown_field(struct asm_parser *p, const char *fields, const char *where)
{
    struct word_guess guess = asm_guess_word(p);

    if (p->kind != ASM_KEY)
        return p->failed;
    asm_guess_field(&guess, fields);
    asm_unknown(p, &guess, "field", where);
    return true;
}

static bool entry(struct asm_parser *p, struct command *command, struct asm_bytes *out)
{
    const size_t head = out->size;
    uint8_t fields[128] = {0};
    uint32_t given = 0;
    uint8_t *at;

    asm_next(p);
    if (!asm_fields(p, command->entry_fields, fields, &given))
        return false;
    at = asm_grow(p, out, command->info->entry_size);
    if (!at)
        return false;
    memcpy(at, fields, command->info->entry_size);
    if (!entry_data(p, out, head, given, command->info->size_rule))
        return false;
    command->entries++;
    return !unknown_field(p, command->entry_fields, command->info->name) && asm_expect(p, '}');
}

/* "n=" and "reserved=", anywhere among the fields. */
static bool header_fields(struct asm_parser *p, struct command *command, bool *found)
{
    *found = asm_is(p, "n") || asm_is(p, "reserved");
    if (p->kind != ASM_KEY || !*found) {
        *found = false;
        return true;
    }
    const bool count = asm_is(p, "n");
    uint32_t *value = count ? &command->count : &command->reserved;

    asm_next(p);
    if (!asm_number(p, value))
        return false;
    if (*value > (count ? 65535u : 255u))
        return asm_fail(p, "%" PRIu32 " is too much for a header", *value);
    command->has_count |= count;
    return true;
}

static bool inline_vertices(struct asm_parser *p, struct asm_bytes *out, size_t base)
{
    const size_t start = out->size;
    const size_t padding = -(base + start) & 3;
    uint32_t fvf = 0;

    if (asm_is(p, "padding")) {
        asm_next(p);
        if (!asm_data(p, out, &fvf))
            return false;
    }
    if (out->size - start > padding)
        return asm_fail(p, "%zu bytes of padding, where there is room for %zu", out->size - start, padding);
    if (!asm_grow(p, out, padding - (out->size - start)))
        return false;
    if (asm_is(p, "vertices")) {
        asm_next(p);
        return asm_data(p, out, &fvf);
    }
    return true;
}

/* The count for the entries. */
static bool count_entries(struct asm_parser *p, struct command *command)
{
    uint32_t count = command->entries;

    switch (command->info->size_rule) {
    case DP2_SIZE_FIXED:
    case DP2_SIZE_FAN_IMM:
    case DP2_SIZE_LINES_IMM:
        return asm_fail(p, "%s wants its number of primitives, n=", command->info->name);
    case DP2_SIZE_PLUS1:
        count = count > 1 ? count - 1 : 0;
        break;
    case DP2_SIZE_PLUS2:
        count = count > 2 ? count - 2 : 0;
        break;
    case DP2_SIZE_PALETTE:
    case DP2_SIZE_KERNEL:
        count = 1;
        break;
    default:
        break;
    }
    if (count > 65535)
        return asm_fail(p, "%" PRIu32 " entries are too many for one command", count);
    command->count = count;
    return true;
}

static bool fixed_part(struct asm_parser *p, struct command *command, struct asm_bytes *out)
{
    uint8_t fields[128] = {0};
    uint32_t given = 0;
    bool found = true;
    uint8_t *at;

    while (found) {
        if (!header_fields(p, command, &found))
            return false;
        if (command->info->fixed_size) {
            const uint32_t before = given;
            if (!asm_fields(p, command->info->fields, fields, &given))
                return false;
            found |= given != before;
        }
    }
    at = asm_grow(p, out, 4 + command->info->fixed_size);
    if (at)
        memcpy(at + 4, fields, command->info->fixed_size);
    return at != NULL;
}

static bool known_command(struct asm_parser *p, struct command *command, struct asm_bytes *out, size_t base)
{
    const enum dp2_size_rule rule = command->info->size_rule;
    uint16_t count;

    if (!fixed_part(p, command, out))
        return false;
    if ((rule == DP2_SIZE_FAN_IMM || rule == DP2_SIZE_LINES_IMM) && !inline_vertices(p, out, base))
        return false;
    while (command->info->entry_size && asm_is_mark(p, '{'))
        if (!entry(p, command, out))
            return false;
    if (unknown_field(p, command->info->fields, command->info->name))
        return false;
    if (!command->has_count && !count_entries(p, command))
        return false;
    if (rule == DP2_SIZE_CLEAR && command->entries == 0 && !asm_grow(p, out, command->info->entry_size))
        return false;
    count = (uint16_t)command->count;
    out->data[command->header] = command->info->number;
    out->data[command->header + 1] = (uint8_t)command->reserved;
    memcpy(out->data + command->header + 2, &count, 2);
    return true;
}

bool asm_command(struct asm_parser *p, struct asm_bytes *stream, size_t base)
{
    struct command command = {.header = stream->size};
    uint32_t fvf = 0;

    /* An offset, as dumps have it. */
    if (p->kind == ASM_WORD && p->length && p->word[p->length - 1] == ':')
        asm_next(p);
    if (asm_is(p, "raw")) {
        asm_next(p);
        return asm_data(p, stream, &fvf);
    }
    if (p->kind == ASM_END)
        return asm_fail(p, "a token or '}' expected before the end of the text");
    if (p->kind != ASM_WORD)
        return asm_fail(p, "a token or '}' expected, not \"%.*s\"", (int)(p->length < 60 ? p->length : 60), p->word);
    if (asm_is_statement(p))
        return asm_fail(p, "a token or '}' expected before \"%.*s\", which begins an event", (int)p->length, p->word);
    if (!find_token(p, &command.info))
        return false;
    asm_next(p);
    command.entry_fields = strchr(command.info->fields, ';');
    command.entry_fields = command.entry_fields ? command.entry_fields + 1 : "";
    return known_command(p, &command, stream, base);
}

size_t dp2_assemble_command(const char *text, size_t size, uint8_t *bytes, size_t length, size_t capacity,
                            struct dp2_asm_error *error)
{
    struct asm_parser p;
    struct asm_bytes out = {0};
    size_t done = 0;

    asm_init(&p, text, size, error);
    if (asm_command(&p, &out, length) && p.kind != ASM_END)
        asm_fail(&p, "more than one command");
    if (!p.failed && out.size > capacity)
        asm_fail(&p, "%zu bytes are too many", out.size);
    if (!p.failed) {
        memcpy(bytes, out.data, out.size);
        done = out.size;
    }
    free(out.data);
    return done;
}
