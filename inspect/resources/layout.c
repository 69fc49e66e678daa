/* SPDX-License-Identifier: MIT */
/* Layouts of rows as text, and the numbers that bytes are by them. */
#include "inspect/resources/buffer.h"

#include "base/base.h"
#include "base/word.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_OFFSET (1u << 20) /* bytes of a row; declarations have at most 255 */

/* How the components of a type lie in memory. */
struct type {
    const char *name;
    enum inspect_number kind;
    uint8_t bits, count; /* of a component; components */
    bool is_signed, is_normalized;
    uint8_t share; /* components that share one DWORD: UDEC3, DEC3N */
};

static const struct type types[] = {
    /* of vertices, D3DVSDT and D3DDECLTYPE */
    {"FLOAT1", INSPECT_NUMBER_FLOAT, 32, 1, true, false, 0},
    {"FLOAT2", INSPECT_NUMBER_FLOAT, 32, 2, true, false, 0},
    {"FLOAT3", INSPECT_NUMBER_FLOAT, 32, 3, true, false, 0},
    {"FLOAT4", INSPECT_NUMBER_FLOAT, 32, 4, true, false, 0},
    {"D3DCOLOR", INSPECT_NUMBER_COLOR, 32, 1, false, false, 0},
    {"UBYTE4", INSPECT_NUMBER_UNSIGNED, 8, 4, false, false, 0},
    {"SHORT2", INSPECT_NUMBER_SIGNED, 16, 2, true, false, 0},
    {"SHORT4", INSPECT_NUMBER_SIGNED, 16, 4, true, false, 0},
    {"UBYTE4N", INSPECT_NUMBER_FLOAT, 8, 4, false, true, 0},
    {"SHORT2N", INSPECT_NUMBER_FLOAT, 16, 2, true, true, 0},
    {"SHORT4N", INSPECT_NUMBER_FLOAT, 16, 4, true, true, 0},
    {"USHORT2N", INSPECT_NUMBER_FLOAT, 16, 2, false, true, 0},
    {"USHORT4N", INSPECT_NUMBER_FLOAT, 16, 4, false, true, 0},
    {"UDEC3", INSPECT_NUMBER_UNSIGNED, 10, 3, false, false, 3},
    {"DEC3N", INSPECT_NUMBER_FLOAT, 10, 3, true, true, 3},
    {"FLOAT16_2", INSPECT_NUMBER_FLOAT, 16, 2, true, false, 0},
    {"FLOAT16_4", INSPECT_NUMBER_FLOAT, 16, 4, true, false, 0},
    /* plain numbers */
    {"FLOAT", INSPECT_NUMBER_FLOAT, 32, 1, true, false, 0},
    {"UINT", INSPECT_NUMBER_UNSIGNED, 32, 1, false, false, 0},
    {"INT", INSPECT_NUMBER_SIGNED, 32, 1, true, false, 0},
    {"HEX", INSPECT_NUMBER_HEX, 32, 1, false, false, 0},
    {"USHORT", INSPECT_NUMBER_UNSIGNED, 16, 1, false, false, 0},
    {"SHORT", INSPECT_NUMBER_SIGNED, 16, 1, true, false, 0},
    {"UBYTE", INSPECT_NUMBER_UNSIGNED, 8, 1, false, false, 0},
    {"BYTE", INSPECT_NUMBER_SIGNED, 8, 1, true, false, 0},
};

static const struct type *type_of(const char *name, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(types); i++)
        if (strlen(types[i].name) == length && !strncasecmp(types[i].name, name, length))
            return &types[i];
    return NULL;
}

/* --- text ---------------------------------------------------------------------------------------- */

static bool refuse(char *why, size_t size, const char *format, ...) __attribute__((format(gnu_printf, 3, 4)));
static bool refuse(char *why, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return false;
}

static bool unknown_type(const char *word, size_t length, char *why, size_t why_size)
{
    struct word_guess guess = {.word = word, .word_length = length};

    for (size_t i = 0; i < ARRAY_COUNT(types); i++)
        word_guess(&guess, types[i].name, strlen(types[i].name));
    return refuse(why, why_size, "'%.*s' is not a type%s%.*s%s", (int)BASE_MIN(length, (size_t)40), word,
                  guess.best ? "; did you mean '" : ": FLOAT1 to FLOAT4, D3DCOLOR, UBYTE4, SHORT2, UINT, HEX ...",
                  (int)guess.best_length, guess.best ? guess.best : "", guess.best ? "'?" : "");
}

static void skip_spaces(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

/* Up to a space, a comma or an @. */
static size_t word_length(const char *at)
{
    return strcspn(at, " \t\n,@");
}

/* " @24": takes the column's offset. */
static bool parse_offset(const char **at, struct inspect_column *column, char *why, size_t why_size)
{
    unsigned long offset;
    char *end;

    if (**at != '@')
        return true;
    ++*at;
    offset = isdigit((unsigned char)**at) ? strtoul(*at, &end, 0) : MOST_OFFSET;
    if (offset >= MOST_OFFSET)
        return refuse(why, why_size, "'@%.*s' is not an offset in bytes", (int)BASE_MIN(word_length(*at), (size_t)20),
                      *at);
    column->offset = (uint32_t)offset;
    *at = end;
    skip_spaces(at);
    return true;
}

static bool parse_column(const char **at, struct inspect_column *column, char *why, size_t why_size)
{
    size_t length = word_length(*at);
    const struct type *type = type_of(*at, length);

    if (!type)
        return unknown_type(*at, length, why, why_size);
    column->type = type->name;
    column->count = type->count;
    column->bytes = type->share ? 4 : (uint32_t)type->bits / 8 * type->count;
    *at += length;
    skip_spaces(at);
    length = word_length(*at);
    snprintf(column->name, sizeof(column->name), "%.*s", (int)BASE_MIN(length, sizeof(column->name) - 1), *at);
    *at += length;
    skip_spaces(at);
    if (!parse_offset(at, column, why, why_size))
        return false;
    return !**at || **at == ',' ||
           refuse(why, why_size, "'%.*s': a comma stands between columns, each a type, a name and an @offset",
                  (int)BASE_MIN(strlen(*at), (size_t)20), *at);
}

bool inspect_parse_layout(const char *text, struct inspect_layout *layout, char *why, size_t why_size)
{
    const char *at = text;

    *layout = (struct inspect_layout){0};
    for (;;) {
        struct inspect_column *column = &layout->column[layout->count];

        skip_spaces(&at);
        if (!*at)
            return layout->count || refuse(why, why_size, "the layout has no column");
        if (layout->count == INSPECT_MOST_COLUMNS)
            return refuse(why, why_size, "more than %d columns", INSPECT_MOST_COLUMNS);
        column->offset =
            layout->count ? layout->column[layout->count - 1].offset + layout->column[layout->count - 1].bytes : 0;
        if (!parse_column(&at, column, why, why_size))
            return false;
        layout->count++;
        layout->bytes = BASE_MAX(layout->bytes, column->offset + column->bytes);
        at += *at == ',';
    }
}

void inspect_layout_text(const struct inspect_layout *layout, char *out, size_t size)
{
    size_t length = 0;
    uint32_t next = 0;

    out[0] = 0;
    for (unsigned i = 0; i < layout->count && length + 80 < size; i++) {
        const struct inspect_column *column = &layout->column[i];
        char name[sizeof(column->name)];

        snprintf(name, sizeof(name), "%s", column->name);
        for (char *c = name; *c; c++)
            *c = *c == ' ' ? '-' : *c;
        length += (size_t)snprintf(out + length, size - length, "%s%s%s%s", i ? ", " : "", column->type,
                                   name[0] ? " " : "", name);
        if (column->offset != next)
            length += (size_t)snprintf(out + length, size - length, " @%u", (unsigned)column->offset);
        next = column->offset + column->bytes;
    }
}

/* --- numbers ------------------------------------------------------------------------------------- */

static float half(uint32_t bits)
{
    const uint32_t sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;
    uint32_t word = sign | (exponent + 112) << 23 | fraction << 13;
    float value;

    if (exponent == 0) { /* subnormal: units of 2^-24 */
        value = (float)fraction / 16777216.0f;
        return sign ? -value : value;
    }
    if (exponent == 31)
        word = sign | 0x7f800000 | fraction << 13;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* A component of `bits` bits, from bit 0. */
static struct inspect_cell cell_of(const struct type *type, uint32_t raw)
{
    const uint32_t sign = 1u << (type->bits - 1);
    const int64_t whole = type->is_signed && raw & sign ? (int64_t)raw - ((int64_t)sign << 1) : (int64_t)raw;
    struct inspect_cell cell = {.kind = type->kind, .integer = whole};

    if (type->kind != INSPECT_NUMBER_FLOAT)
        return cell;
    if (type->is_normalized)
        cell.number = BASE_MAX((float)whole / (float)(type->is_signed ? sign - 1 : (sign << 1) - 1), -1.0f);
    else if (type->bits == 16)
        cell.number = half(raw);
    else
        memcpy(&cell.number, &raw, sizeof(cell.number));
    return cell;
}

unsigned inspect_read_cells(const struct inspect_column *column, const uint8_t *row, size_t size,
                            struct inspect_cell out[4])
{
    const struct type *type = type_of(column->type, strlen(column->type));

    if (!type || !row || column->offset > size || column->bytes > size - column->offset)
        return 0;
    for (unsigned c = 0; c < type->count; c++) {
        const size_t bytes = type->share ? 4 : type->bits / 8u;
        uint32_t raw = 0;

        memcpy(&raw, row + column->offset + (type->share ? 0 : c * bytes), bytes);
        if (type->share)
            raw = raw >> type->bits * c & ((1u << type->bits) - 1);
        out[c] = cell_of(type, raw);
    }
    return type->count;
}
