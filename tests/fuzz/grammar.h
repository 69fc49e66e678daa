/* SPDX-License-Identifier: MIT */
/*
 * Command streams made from the bytes of a fuzzer: commands by the token table, each field a plausible number, a hostile
 * one, or raw bytes. Shared by the targets that speak to the driver.
 */
#ifndef TESTS_FUZZ_GRAMMAR_H
#define TESTS_FUZZ_GRAMMAR_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "dp2/dp2.h"
#include "dp2/tokens.h"

#define COMMAND_BYTES 16384
#define MAX_COMMANDS  96

/* --- choices --------------------------------------------------------------------------------- */

struct input {
    const uint8_t *data;
    size_t size, at;
};

static uint8_t take_byte(struct input *in)
{
    return in->at < in->size ? in->data[in->at++] : 0;
}

static uint32_t take_word(struct input *in)
{
    uint32_t v = take_byte(in);

    v |= (uint32_t)take_byte(in) << 8;
    v |= (uint32_t)take_byte(in) << 16;
    return v | (uint32_t)take_byte(in) << 24;
}

static uint32_t hostile(unsigned choice)
{
    static const uint32_t numbers[] = {0,          1,          0xff,       0x100,      0x7fff,     0x8000,
                                       0xffff,     0x10000,    0xfffff,    0x7fffffff, 0x80000000, 0xffffffff,
                                       0xfffffff0, 0x3fffffff, 0x7fc00000, 0x7f800000};

    return numbers[choice % ARRAY_COUNT(numbers)];
}

/* Bits of floats that arithmetic cannot handle: NaN, 1e30, infinity, -0, a signalling NaN, -1e30, -infinity, the
 * greatest float, a denormal. */
static uint32_t strange_float(unsigned choice)
{
    static const uint32_t values[] = {0x7fc00000, 0x7149f2ca, 0x7f800000, 0x80000000, 0x7f800001,
                                      0xf149f2ca, 0xff800000, 0x7f7fffff, 0x00000001};

    return values[choice % ARRAY_COUNT(values)];
}

static uint32_t float_bits(unsigned choice)
{
    static const float values[] = {0, 1, -1, 0.5f, 2, 16, 64, 100, -50, 1e-20f, 1e20f, 0.1f, 3, 255, -0.5f, 7};
    uint32_t bits;

    if (choice % 32 == 31)
        return strange_float(choice / 32);
    memcpy(&bits, &values[choice % ARRAY_COUNT(values)], 4);
    return bits;
}

static uint32_t format_or_handle(unsigned choice)
{
    static const uint32_t formats[] = {0x44, 0x42,  0x144, 0x112,   0x152,   0x2, 0x4, 0x1c4, 0x116, 0x118e,
                                       0x62, 0x16a, 0x252, 0x10112, 0x30154, 0,   5,   7,     9,     11};

    return formats[choice % ARRAY_COUNT(formats)];
}

/* A plausible value of a field by its letter in the token table. */
static uint32_t plausible(char letter, unsigned choice)
{
    switch (letter) {
    case 'h':
        return choice % 48;
    case 'f':
    case '4':
    case 'M':
        return float_bits(choice);
    case 'S':
        return choice % 212;
    case 'T':
        return choice % 34;
    case 'V':
        return choice & 1 ? choice >> 1 : float_bits(choice >> 1);
    case 'F':
        return format_or_handle(choice);
    case 'P':
        return choice % 7;
    case 'X':
        return choice % 3 == 0 ? 256 + choice % 5 : choice % 24;
    case 'R':
    case 'B':
    case 'Q':
        return choice % 70;
    case 'c':
        return choice * 0x01010101u;
    default:
        return choice % 40;
    }
}

static uint32_t value(struct input *in, char letter)
{
    const uint8_t control = take_byte(in);

    if (control >= 0xf8)
        return take_word(in);
    if (control >= 0xe8)
        return hostile(control);
    return plausible(letter, letter == 'V' || letter == 'c' ? take_byte(in) : control);
}

/* Vertices, or anything else read as floats: mostly `usual` ones, with a strange one here and there. */
static inline uint32_t memory_float(size_t place, float usual)
{
    uint32_t bits = strange_float((unsigned)(place / 148));

    if (place % 148 != 144)
        memcpy(&bits, &usual, 4);
    return bits;
}

/* --- building ----------------------------------------------------------------------------------- */

struct out {
    uint8_t bytes[COMMAND_BYTES];
    size_t length;
};

static void put_bytes(struct out *out, const void *bytes, size_t count)
{
    count = BASE_MIN(count, sizeof(out->bytes) - out->length);
    memcpy(out->bytes + out->length, bytes, count);
    out->length += count;
}

static void put_words(struct out *out, struct input *in, char letter, unsigned count)
{
    while (count--) {
        const uint32_t v = value(in, letter);

        put_bytes(out, &v, 4);
    }
}

/* The fields of a part of a token, "u a,h b;w c": before or after the semicolon. */
static void put_fields(struct out *out, struct input *in, const char *fields)
{
    while (*fields && *fields != ';') {
        const char letter = *fields;
        const uint32_t bytes = dp2_field_size(letter);

        if (bytes == 2) {
            const uint16_t v = (uint16_t)value(in, letter);

            put_bytes(out, &v, 2);
        } else {
            put_words(out, in, letter, bytes / 4);
        }
        while (*fields && *fields != ',' && *fields != ';')
            fields++;
        fields += *fields == ',';
    }
}

static void put_declaration(struct out *out, struct input *in)
{
    static const uint32_t tokens[] = {0x20000000, 0x40020000, 0x40010007, 0x40040005, 0x40030000, 0x50010000,
                                      0x20000001, 0x40020003, 0x82000005, 0x40000004, 0xffffffff, 0};

    for (unsigned n = take_byte(in) % 12; n; n--) {
        const uint8_t c = take_byte(in);
        uint32_t token = c < 0xf0 ? tokens[c % ARRAY_COUNT(tokens)] : take_word(in);

        if (c >= 0x40 && c < 0xe0) /* any type for any register, or the tessellator's */
            token = (c < 0xd0 ? 0x40000000u : 0x60000000u) | (c % 9u) << 16 | take_byte(in) % 18u;
        put_bytes(out, &token, 4);
    }
    put_bytes(out, &(uint32_t){0xffffffff}, 4);
}

static void put_code(struct out *out, struct input *in, uint32_t version)
{
    static const uint32_t tokens[] = {0x00000001, 0x00000005, 0x00000009, 0x00000042, 0x00000051, 0x0000001f,
                                      0xc00f0000, 0xd00f0000, 0x800f0000, 0x90e40000, 0x90e40001, 0xa0e40000,
                                      0xb0e40000, 0x800f0001, 0x80e40000, 0xe00f0000, 0x80000000, 0x3f800000};

    put_bytes(out, &version, 4);
    for (unsigned n = take_byte(in) % 24; n; n--) {
        const uint8_t c = take_byte(in);
        const uint32_t token = c < 0xf0 ? tokens[c % ARRAY_COUNT(tokens)] : take_word(in);

        put_bytes(out, &token, 4);
    }
    put_bytes(out, &(uint32_t){0xffff}, 4);
}

/* Complete programs of all shader models. */
static const char *const shader_texts[] = {
    "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nmov oD0, c4\nmov oT0, v7\n",
    "vs_1_1\nmov a0.x, v1.x\nmov oPos, c[a0.x+3]\nlit oD0, v3\nmov oFog, v2.x\nmov oPts, v4.x\n",
    "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndefi i0, 9, 0, 1, 0\nmov r0, v0\nrep i0\nadd r0, r0, c0\nendrep\nmov "
    "oPos, "
    "r0\nmov oT0, v1\n",
    "vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\ndcl_color o1\ndcl_2d s0\nmov o0, v0\ntexldl r0, v1, "
    "s0\nmov o1, "
    "r0\n",
    "ps_1_1\ntex t0\ntexbem t1, t0\nmul_sat r0, t1, v0\n",
    "ps_1_4\ntexld r0, t0\ntexcrd r1.xyz, t1\nphase\ntexld r2, r1\nmad r0, r0, r2, v0\n",
    "ps_2_0\ndcl t0\ndcl v0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, v0\nmov oC0, r0\nmov oDepth, r0.x\n",
    "ps_3_0\ndcl_texcoord v0\ndcl_color v1\ndcl_cube s1\ndefi i1, 7, 0, 0, 0\nmov r0, v1\nloop aL, i1\ntexldl r1, v0, "
    "s1\nadd r0, "
    "r0, r1\nbreak_gt r0.x, v0.y\nendloop\ndsx r2, r0\nmov oC0, r0\nmov oC1, r2\n",
};

/* Complete programs with a word or two replaced. */
static bool put_known_code(struct out *out, struct input *in)
{
    uint32_t tokens[256];
    const unsigned which = take_byte(in) % ARRAY_COUNT(shader_texts);
    const size_t count = shader_assemble(shader_texts[which], tokens, ARRAY_COUNT(tokens), NULL);
    const uint8_t changes = take_byte(in);

    for (unsigned n = changes >= 0xc0 ? changes & 3u : 0; n && count; n--) {
        const size_t at = take_byte(in) % count;

        tokens[at] = take_byte(in) & 1 ? take_word(in) : tokens[at] ^ 1u << take_byte(in) % 32;
    }
    put_bytes(out, tokens, 4 * count);
    return count > 0;
}

/* D3DVERTEXELEMENT9 with every type, method and usage, mostly within the bounds of a vertex. */
static void put_element(struct out *out, struct input *in)
{
    const uint8_t c = take_byte(in);
    const uint16_t stream = c < 0xf0 ? c % 2 : take_byte(in);
    const uint16_t offset = c < 0xf8 ? (uint16_t)(4 * (take_byte(in) % 20)) : (uint16_t)take_word(in);
    uint8_t bytes[4] = {(uint8_t)(take_byte(in) % 18), 0, (uint8_t)(take_byte(in) % 14), (uint8_t)(take_byte(in) % 8)};

    if (c >= 0xe0)
        bytes[1] = take_byte(in) % 7;
    put_bytes(out, &stream, 2);
    put_bytes(out, &offset, 2);
    put_bytes(out, bytes, 4);
}

/* The data after an entry whose head begins at `head`; sizes in the head are mostly made to match. */
static void put_trailing(struct out *out, struct input *in, const struct dp2_token_info *info, size_t head)
{
    static const uint32_t versions[] = {0xfffe0101, 0xfffe0100, 0xfffe0200, 0xfffe0300,
                                        0xffff0101, 0xffff0104, 0xffff0200, 0xffff0300};
    const size_t start = out->length;
    uint32_t first = 0;

    if (info->size_rule == DP2_SIZE_SHADER) {
        put_declaration(out, in);
        first = (uint32_t)(out->length - start);
        if (take_byte(in) & 1)
            put_code(out, in, versions[take_byte(in) % 4]);
    } else if (info->size_rule == DP2_SIZE_BYTES) {
        if (take_byte(in) & 1 || !put_known_code(out, in))
            put_code(out, in, versions[take_byte(in) % 8]);
    } else if (info->size_rule == DP2_SIZE_TEXT && take_byte(in) < 0xf0) {
        const uint32_t bytes = take_byte(in) % 24;

        for (uint32_t n = 0; n < bytes; n++)
            put_bytes(out, &(uint8_t){take_byte(in)}, 1);
        put_bytes(out, &(uint32_t){0}, -bytes & 3);
        if (head + 8 <= sizeof(out->bytes))
            memcpy(out->bytes + head + 4, &bytes, 4);
        return;
    } else if (info->size_rule == DP2_SIZE_ELEMENTS && take_byte(in) < 0xf0) {
        const uint32_t count = take_byte(in) % 14;

        for (uint32_t n = 0; n < count; n++)
            put_element(out, in);
        if (head + 8 <= sizeof(out->bytes))
            memcpy(out->bytes + head + 4, &count, 4);
        return;
    } else {
        if (head + 12 <= sizeof(out->bytes) && info->size_rule >= DP2_SIZE_VECTORS &&
            info->size_rule <= DP2_SIZE_ELEMENTS && take_byte(in) < 0xf0) {
            const uint32_t count = take_byte(in) % 6;

            memcpy(out->bytes + head + 4, &count, 4);
        }
        if (head + info->entry_size > out->length)
            return;
        const uint64_t bytes = dp2_data_size(info, out->bytes + head);

        put_words(out, in,
                  info->size_rule == DP2_SIZE_ELEMENTS    ? 'w'
                  : info->size_rule == DP2_SIZE_RECTPATCH ? 'u'
                                                          : 'f',
                  (unsigned)BASE_MIN(bytes / 4, 64u));
        return;
    }
    const uint32_t sizes[2] = {info->size_rule == DP2_SIZE_SHADER ? first : (uint32_t)(out->length - start),
                               (uint32_t)(out->length - start) - first};

    if (head + 12 <= sizeof(out->bytes) && take_byte(in) < 0xf8)
        memcpy(out->bytes + head + 4, sizes, info->size_rule == DP2_SIZE_SHADER ? 8 : 4);
}

static const struct dp2_token_info *choose_token(struct input *in)
{
    const struct dp2_token_info *info = NULL;

    /* Numbers below 99 are the interface's, those from 200 on Halcyon's own. */
    for (unsigned n = take_byte(in) % 101; !info || info->size_rule == DP2_SIZE_NONE; n = (n + 1) % 101)
        info = dp2_token_info((uint8_t)(n < 99 ? n : 200 + n - 99));
    return info;
}

static inline void put_command(struct out *out, struct input *in)
{
    const struct dp2_token_info *info = choose_token(in);
    const uint8_t control = take_byte(in);
    const uint16_t count = control < 0xc0 ? 1 : control < 0xf0 ? control % 8 : (uint16_t)hostile(control);
    const char *entry = strchr(info->fields, ';');
    const uint8_t header[4] = {info->number, 0, (uint8_t)count, (uint8_t)(count >> 8)};
    unsigned entries = BASE_MIN(dp2_entry_count(info->size_rule, count), 10u);

    put_bytes(out, header, 4);
    put_fields(out, in, info->fields);
    if (info->size_rule == DP2_SIZE_FAN_IMM || info->size_rule == DP2_SIZE_LINES_IMM) {
        put_words(out, in, 'f', BASE_MIN(count, 8u) * 8 + 16);
        return;
    }
    for (; entries && info->entry_size; entries--) {
        const size_t head = out->length;

        put_fields(out, in, entry ? entry + 1 : "");
        put_trailing(out, in, info, head);
    }
}

#endif
