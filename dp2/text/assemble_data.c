/* SPDX-License-Identifier: MIT */
/*
 * Bytes of memory, vertices and shaders, from text: written out, made by a rule, or read from a
 * file.
 */
#include "dp2/text/assemble.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_EDGE 4096u /* texels of a generated picture */

static bool put_number(struct asm_parser *p, struct asm_bytes *out, uint32_t value, unsigned size)
{
    uint8_t *at;

    if (size < 4 && value >> 8 * size && (int32_t)value >= 0)
        return asm_fail(p, "%" PRIu32 " does not fit into %u bytes", value, size);
    at = asm_grow(p, out, size);
    if (at)
        memcpy(at, &value, size);
    return at != NULL;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Eight digits are a DWORD, two a byte. */
static bool hex_word(struct asm_parser *p, struct asm_bytes *out)
{
    uint32_t value = 0;

    if (p->kind != ASM_WORD || (p->length != 8 && p->length != 2)) {
        return asm_fail(p, "eight digits (a DWORD) or two (a byte) expected in hex(), not \"%.*s\"",
                        (int)(p->length < 40 ? p->length : 40), p->word);
    }
    for (size_t i = 0; i < p->length; i++) {
        const int d = digit(p->word[i]);

        if (d < 0)
            return asm_fail(p, "\"%.*s\" is not a hexadecimal number", (int)p->length, p->word);
        value = value << 4 | (unsigned)d;
    }
    return put_number(p, out, value, (unsigned)p->length / 2);
}

static bool hex(struct asm_parser *p, struct asm_bytes *out)
{
    while (!asm_is_mark(p, ')')) {
        if (!hex_word(p, out))
            return false;
        asm_next(p);
    }
    return !p->failed;
}

static bool floats(struct asm_parser *p, struct asm_bytes *out)
{
    while (!asm_is_mark(p, ')')) {
        uint32_t bits;

        if (!asm_float(p, &bits) || !put_number(p, out, bits, 4))
            return false;
    }
    return !p->failed;
}

static bool numbers(struct asm_parser *p, struct asm_bytes *out, unsigned size)
{
    while (!asm_is_mark(p, ')')) {
        uint32_t value;

        if (!asm_number(p, &value) || !put_number(p, out, value, size))
            return false;
    }
    return !p->failed;
}

/* A format, then the components of vertices. */
static bool vertices(struct asm_parser *p, struct asm_bytes *out, uint32_t *fvf)
{
    struct dp2_vertex_layout layout;
    unsigned component = 0;

    if (!asm_value(p, 'F', (uint8_t *)fvf))
        return false;
    dp2_vertex_layout(*fvf, &layout);
    if (layout.size == 0)
        return asm_fail(p, "0x%" PRIx32 " is not a vertex format", *fvf);
    while (!asm_is_mark(p, ')')) {
        uint32_t bits;

        if (!(layout.letters[component] == 'f' ? asm_float : asm_number)(p, &bits) || !put_number(p, out, bits, 4))
            return false;
        component = (component + 1) % (layout.size / 4);
    }
    return component == 0 ||
           asm_fail(p, "the last vertex has %u of %" PRIu32 " components", component, layout.size / 4);
}

static bool data_arguments(struct asm_parser *p, uint32_t *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!asm_number(p, &values[i]))
            return false;
    return true;
}

static uint8_t *picture(struct asm_parser *p, struct asm_bytes *out, const uint32_t *edges)
{
    if (!edges[0] || !edges[1] || edges[0] > MAX_EDGE || edges[1] > MAX_EDGE) {
        asm_fail(p, "a picture of %" PRIu32 " by %" PRIu32 " texels", edges[0], edges[1]);
        return NULL;
    }
    return asm_grow(p, out, (size_t)edges[0] * edges[1] * 4);
}

/* checker(width height cell color color): 32-bit texels. */
static bool checker(struct asm_parser *p, struct asm_bytes *out)
{
    uint32_t a[5];
    uint8_t *at;

    if (!data_arguments(p, a, 5) || (a[2] == 0 && !asm_fail(p, "cells of no size")) || !(at = picture(p, out, a)))
        return false;
    for (uint32_t y = 0; y < a[1]; y++)
        for (uint32_t x = 0; x < a[0]; x++, at += 4)
            memcpy(at, &a[3 + ((x / a[2] + y / a[2]) & 1)], 4);
    return true;
}

static uint32_t data_mix(uint32_t a, uint32_t b, uint32_t at, uint32_t of)
{
    uint32_t result = 0;

    for (unsigned shift = 0; shift < 32; shift += 8) {
        const uint32_t from = a >> shift & 255, to = b >> shift & 255;
        result |= ((from * (of - at) + to * at + of / 2) / of) << shift;
    }
    return result;
}

/* gradient(width height top-left top-right bottom-left bottom-right): 32-bit texels. */
static bool gradient(struct asm_parser *p, struct asm_bytes *out)
{
    uint32_t a[6];
    uint8_t *at;

    if (!data_arguments(p, a, 6) || !(at = picture(p, out, a)))
        return false;
    const uint32_t right = a[0] > 1 ? a[0] - 1 : 1, bottom = a[1] > 1 ? a[1] - 1 : 1;

    for (uint32_t y = 0; y < a[1]; y++) {
        for (uint32_t x = 0; x < a[0]; x++, at += 4) {
            const uint32_t color = data_mix(data_mix(a[2], a[3], x, right), data_mix(a[4], a[5], x, right), y, bottom);
            memcpy(at, &color, 4);
        }
    }
    return true;
}

/* fill(count value): DWORDs. */
static bool data_fill(struct asm_parser *p, struct asm_bytes *out)
{
    uint32_t a[2];
    uint8_t *at;

    if (!data_arguments(p, a, 2) || !(at = asm_grow(p, out, (size_t)a[0] * 4)))
        return false;
    for (uint32_t i = 0; i < a[0]; i++, at += 4)
        memcpy(at, &a[1], 4);
    return true;
}

static bool data_read_file(struct asm_parser *p, struct asm_bytes *out, FILE *file, const char *path)
{
    uint8_t buffer[4096];
    size_t count;

    while ((count = fread(buffer, 1, sizeof(buffer), file)) > 0) {
        uint8_t *at = asm_grow(p, out, count);

        if (!at)
            return false;
        memcpy(at, buffer, count);
    }
    return !ferror(file) || asm_fail(p, "%s: cannot be read", path);
}

/* file("name"), relative to the text's folder. */
static bool from_file(struct asm_parser *p, struct asm_bytes *out)
{
    char path[1024];
    FILE *file;
    bool done;

    if (p->kind != ASM_STRING || !p->folder)
        return asm_fail(p, p->folder ? "file(\"name\")" : "no files may be read here");
    const bool absolute = p->length && *p->word == '/';

    if (snprintf(path, sizeof(path), "%s%s%.*s", absolute ? "" : p->folder, absolute ? "" : "/",
                 (int)(p->length < 900 ? p->length : 900), p->word) >= (int)sizeof(path))
        return asm_fail(p, "the name of the file is too long");
    file = fopen(path, "rb");
    if (!file)
        return asm_fail(p, "%s: cannot be opened", path);
    done = data_read_file(p, out, file, path);
    fclose(file);
    asm_next(p);
    return done && !p->failed;
}

/* The error of a shader's text, which begins in line `first` of the whole text. */
static bool shader_fails(struct asm_parser *p, unsigned first, const struct dp2_asm_error *error)
{
    asm_fail(p, "%s", error->text);
    if (error->line > 1)
        p->error->column = error->column;
    else
        p->error->column += error->column - 1;
    p->error->line = first + error->line - 1;
    return false;
}

/* asm("ps_2_0 ..."): the code of a shader, an instruction in each line. */
static bool shader_text(struct asm_parser *p, struct asm_bytes *out)
{
    const size_t capacity = p->length + 2; /* no token has less than a letter; version, end */
    struct dp2_asm_error error = {.line = 1, .column = 1};
    unsigned first = p->line;
    size_t count = 0;

    if (p->kind != ASM_STRING || !p->shader)
        return asm_fail(p, p->shader ? "asm(\"ps_2_0 ...\")" : "no shaders may be assembled here");
    for (size_t i = 0; i < p->length; i++)
        first -= p->word[i] == '\n';
    char *text = mem_calloc(p->length + 1, 1);
    uint32_t *tokens = mem_calloc(capacity, sizeof(*tokens));

    if (text && tokens) {
        memcpy(text, p->word, p->length);
        count = p->shader(text, tokens, capacity, &error);
    } else {
        asm_no_memory(p);
    }
    uint8_t *at = count ? asm_grow(p, out, count * sizeof(*tokens)) : NULL;

    if (at)
        memcpy(at, tokens, count * sizeof(*tokens));
    free(text);
    free(tokens);
    if (!count && !p->failed)
        return shader_fails(p, first, &error);
    asm_next(p);
    return !p->failed;
}

enum maker { HEX, FLOATS, U8, U16, U32, FVF, FILL, CHECKER, GRADIENT, SHADER, FROM_FILE, MAKERS };
static const char *const makers[MAKERS] = {"hex",  "floats",  "u8",       "u16", "u32", "fvf",
                                           "fill", "checker", "gradient", "asm", "file"};

const char *asm_maker(unsigned index)
{
    return index < MAKERS ? makers[index] : NULL;
}

static enum maker maker_of(const struct asm_parser *p)
{
    unsigned i = 0;

    while (i < MAKERS && (p->kind != ASM_WORD || !asm_is(p, makers[i])))
        i++;
    return (enum maker)i;
}

bool asm_at_data(const struct asm_parser *p)
{
    return maker_of(p) != MAKERS;
}

static bool data_make(struct asm_parser *p, enum maker maker, struct asm_bytes *out, uint32_t *fvf)
{
    switch (maker) {
    case HEX:
        return hex(p, out);
    case FLOATS:
        return floats(p, out);
    case U8:
        return numbers(p, out, 1);
    case U16:
        return numbers(p, out, 2);
    case U32:
        return numbers(p, out, 4);
    case FVF:
        return vertices(p, out, fvf);
    case FILL:
        return data_fill(p, out);
    case CHECKER:
        return checker(p, out);
    case GRADIENT:
        return gradient(p, out);
    case SHADER:
        return shader_text(p, out);
    default:
        return from_file(p, out);
    }
}

bool asm_data(struct asm_parser *p, struct asm_bytes *out, uint32_t *fvf)
{
    const enum maker maker = maker_of(p);

    if (maker == MAKERS) {
        return asm_fail(p, "data expected, like hex(...), before \"%.*s\"", (int)(p->length < 40 ? p->length : 40),
                        p->word);
    }
    asm_next(p);
    p->long_strings = maker == SHADER; /* until its string has been read */
    const bool open = asm_expect(p, '(');

    p->long_strings = false;
    return open && data_make(p, maker, out, fvf) && asm_expect(p, ')');
}
