/* SPDX-License-Identifier: MIT */
/*
 * Assembly text to bytecode: the reverse of disassemble.c, in the same notation. A line is one instruction; what is on
 * it becomes tokens without a check that the model has it, so that texts can also be wrong on purpose. Source:
 * docs/reference/shader-code.md, section 1.
 */
#include "bytecode/bytecode.h"

#include "base/word.h"
#include "d3d/usages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct assembler {
    const char *start, *at; /* of the line; on it */
    const char *end;
    uint32_t *tokens;
    size_t capacity, count, line;
    enum shader_stage stage;
    unsigned major, minor;
    struct shader_error *error;
    bool failed;
};

/* The first error of a text stays, with the column of what is next. */
static void place_error(struct assembler *a)
{
    if (a->error && !a->failed)
        a->error->column = (unsigned)(a->at - a->start) + 1;
    a->failed = true;
}

static bool assemble_fail(struct assembler *a, const char *what)
{
    size_t length = a->at < a->end ? (size_t)(a->end - a->at) : 0; /* of what is left of the line */

    while (length && isspace((unsigned char)a->at[length - 1]))
        length--;
    if (!a->failed && length)
        shader_fail(a->error, a->line, "%s at \"%.*s\"", what, (int)(length < 40 ? length : 40), a->at);
    else if (!a->failed)
        shader_fail(a->error, a->line, "%s at the end of the line", what);
    place_error(a);
    return false;
}

static void assemble_put(struct assembler *a, uint32_t token)
{
    if (a->count < a->capacity)
        a->tokens[a->count++] = token;
    else
        assemble_fail(a, "the program is too long");
}

/* --- words --------------------------------------------------------------------------------------- */

static void skip_spaces(struct assembler *a)
{
    while (a->at < a->end && isspace((unsigned char)*a->at))
        a->at++;
}

static bool assemble_take(struct assembler *a, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(a->end - a->at) < length || strncmp(a->at, word, length) != 0)
        return false;
    a->at += length;
    return true;
}

static bool take_symbol(struct assembler *a, const char *symbol)
{
    skip_spaces(a);
    if (!assemble_take(a, symbol))
        return false;
    skip_spaces(a);
    return true;
}

static bool assemble_number(struct assembler *a, unsigned *value)
{
    *value = 0;
    if (a->at >= a->end || !isdigit((unsigned char)*a->at))
        return assemble_fail(a, "a number is missing");
    for (; a->at < a->end && isdigit((unsigned char)*a->at); a->at++)
        *value = BASE_MIN(*value * 10 + (unsigned)(*a->at - '0'), 0xffffu);
    return true;
}

/* The longest entry of a list of words (NULL: none) at this position; -1: none. */
static int one_of(struct assembler *a, const char *const *words, unsigned count)
{
    size_t longest = 0;
    int found = -1;

    for (unsigned i = 0; i < count; i++) {
        size_t length = words[i] ? strlen(words[i]) : 0;

        if (length > longest && length <= (size_t)(a->end - a->at) && !strncmp(a->at, words[i], length)) {
            longest = length;
            found = (int)i;
        }
    }
    a->at += longest;
    return found;
}

/* --- registers --------------------------------------------------------------------------------------- */

struct register_word {
    const char *word;
    uint8_t type, number;
    bool counted; /* a number follows */
};

static const struct register_word register_words[] = {
    {"oPos", SREG_RASTER_OUT, 0, false},  {"oFog", SREG_RASTER_OUT, 1, false}, {"oPts", SREG_RASTER_OUT, 2, false},
    {"oDepth", SREG_DEPTH_OUT, 0, false}, {"oD", SREG_ATTRIBUTE_OUT, 0, true}, {"oT", SREG_TEXCOORD_OUT, 0, true},
    {"oC", SREG_COLOR_OUT, 0, true},      {"o", SREG_TEXCOORD_OUT, 0, true},   {"vPos", SREG_MISC, 0, false},
    {"vFace", SREG_MISC, 1, false},       {"v", SREG_INPUT, 0, true},          {"r", SREG_TEMP, 0, true},
    {"c", SREG_CONST, 0, true},           {"aL", SREG_LOOP, 0, false},         {"a", SREG_ADDRESS, 0, true},
    {"t", SREG_TEXTURE, 0, true},         {"s", SREG_SAMPLER, 0, true},        {"i", SREG_INTEGER, 0, true},
    {"b", SREG_BOOLEAN, 0, true},         {"l", SREG_LABEL, 0, true},          {"p", SREG_PREDICATE, 0, true},
};

static uint32_t register_token(unsigned type, unsigned index)
{
    if (type == SREG_CONST && index >= 2048) {
        type = SREG_CONST2 + BASE_MIN(index / 2048 - 1, 2u);
        index %= 2048;
    }
    return 0x80000000u | (type & 7) << 28 | (type & 24) << 8 | (index & 0x7ff);
}

/* Components after a point, two bits each, x lowest; returns how many. */
static unsigned components(struct assembler *a, unsigned list[4])
{
    static const char letters[] = "xyzwrgba";
    unsigned n = 0;

    if (!assemble_take(a, "."))
        return 0;
    for (; n < 4 && a->at < a->end && *a->at && strchr(letters, *a->at); n++)
        list[n] = (unsigned)(strchr(letters, *a->at++) - letters) & 3;
    if (!n)
        assemble_fail(a, "components are missing");
    return n;
}

/* [a0.x+3] or [aL+3]: the register's number, and the token of the register added to it. */
static bool index_expression(struct assembler *a, unsigned *index, uint32_t *relative)
{
    unsigned list[4] = {0}, unused;

    if (assemble_take(a, "aL")) {
        *relative = register_token(SREG_LOOP, 0) | SHADER_IDENTITY << 16;
    } else {
        if (!assemble_take(a, "a") || !assemble_number(a, &unused))
            return assemble_fail(a, "a0 or aL is missing");
        components(a, list);
        *relative = register_token(SREG_ADDRESS, 0) | list[0] * 0x55u << 16;
    }
    *index = 0;
    if (take_symbol(a, "+") && !assemble_number(a, index))
        return false;
    return take_symbol(a, "]") || assemble_fail(a, "] is missing");
}

/* The register without mask or swizzle; *relative: the token of its index, 0 if it has none. */
static bool register_word(struct assembler *a, uint32_t *token, uint32_t *relative)
{
    const struct register_word *found = NULL;

    *relative = 0;
    for (size_t i = 0; i < ARRAY_COUNT(register_words) && !found; i++)
        if (assemble_take(a, register_words[i].word))
            found = &register_words[i];
    if (!found)
        return assemble_fail(a, "a register is missing");
    unsigned index = found->number;
    if (assemble_take(a, "[")) {
        if (!index_expression(a, &index, relative))
            return false;
    } else if (found->counted && !assemble_number(a, &index)) {
        return false;
    }
    *token = register_token(found->type, index) | (*relative ? 0x2000 : 0);
    return true;
}

static void assemble_register(struct assembler *a, uint32_t token, uint32_t relative)
{
    assemble_put(a, token);
    if (relative && a->major >= 2)
        assemble_put(a, relative);
}

/* --- operands -------------------------------------------------------------------------------------------- */

static bool destination(struct assembler *a, uint32_t modifiers)
{
    unsigned list[4], n, mask = 0;
    uint32_t token = 0, relative = 0;

    skip_spaces(a);
    if (!register_word(a, &token, &relative))
        return false;
    n = components(a, list);
    for (unsigned i = 0; i < n; i++)
        mask |= 1u << list[i];
    assemble_register(a, token | (n ? mask : 15) << 16 | modifiers, relative);
    return !a->failed;
}

/* Reads a source. The text before and after the register together make the modifier. */
static bool assemble_source(struct assembler *a)
{
    static const char *const suffixes[] = {"_bias", "_bx2", "_x2", "_dz", "_dw", "_abs"};
    static const uint8_t plain[] = {SMOD_BIAS, SMOD_BX2, SMOD_X2, SMOD_DZ, SMOD_DW, SMOD_ABS};
    static const uint8_t negated[] = {SMOD_NEGATE_BIAS, SMOD_NEGATE_BX2, SMOD_NEGATE_X2,
                                      SMOD_NONE,        SMOD_NONE,       SMOD_NEGATE_ABS};
    unsigned list[4] = {0}, n, swizzle = 0, modifier;
    uint32_t token = 0, relative = 0;
    bool negate, complement, invert;
    int suffix;

    skip_spaces(a);
    negate = assemble_take(a, "-");
    complement = assemble_take(a, "1-");
    invert = assemble_take(a, "!");
    if (!register_word(a, &token, &relative))
        return false;
    suffix = one_of(a, suffixes, ARRAY_COUNT(suffixes));
    modifier = complement ? SMOD_COMPLEMENT : invert ? SMOD_NOT : negate ? SMOD_NEGATE : SMOD_NONE;
    if (suffix >= 0)
        modifier = negate ? negated[suffix] : plain[suffix];
    n = components(a, list);
    for (unsigned i = 0; i < 4; i++)
        swizzle |= (n ? list[BASE_MIN(i, n - 1)] : i) << 2 * i;
    assemble_register(a, token | swizzle << 16 | (uint32_t)modifier << 24, relative);
    return !a->failed;
}

static bool values(struct assembler *a, unsigned opcode)
{
    for (unsigned i = 0; i < (opcode == SOP_DEFB ? 1 : 4); i++) {
        union {
            float f;
            int32_t i;
            uint32_t u;
        } value = {.u = 0};
        char *end;

        if (!take_symbol(a, ","))
            return assemble_fail(a, "a value is missing");
        if (opcode == SOP_DEFB) {
            value.u = assemble_take(a, "true");
            if (!value.u && !assemble_take(a, "false"))
                return assemble_fail(a, "true or false is missing");
        } else {
            if (opcode == SOP_DEF)
                value.f = strtof(a->at, &end);
            else
                value.i = (int32_t)strtol(a->at, &end, 10);
            if (end == a->at || end > a->end)
                return assemble_fail(a, "a value is missing");
            a->at = end;
        }
        assemble_put(a, value.u);
    }
    return true;
}

/* --- instructions -------------------------------------------------------------------------------------------- */

/* _x2, _sat, _pp and _centroid in any order: bits of the destination token. */
static uint32_t result_modifiers(struct assembler *a)
{
    static const char *const words[] = {"_sat", "_pp", "_centroid", "_x2", "_x4", "_x8",
                                        "_x16", "_d2", "_d4",       "_d8", "_d16"};
    static const uint32_t bits[] = {1u << 20, 2u << 20,  4u << 20,  1u << 24,  2u << 24, 3u << 24,
                                    4u << 24, 15u << 24, 14u << 24, 13u << 24, 12u << 24};
    uint32_t modifiers = 0;
    int word;

    while ((word = one_of(a, words, ARRAY_COUNT(words))) >= 0)
        modifiers |= bits[word];
    return modifiers;
}

static void declaration(struct assembler *a)
{
    static const char *const usages[] = {
#define USAGE_SUFFIX(name, word) "_" #word,
        D3D_USAGES(USAGE_SUFFIX) "_usage14", "_usage15"};
    static const char *const kinds[] = {NULL, "_1d", "_2d", "_cube", "_volume"};
    uint32_t usage = 0x80000000u;
    int kind = one_of(a, kinds, ARRAY_COUNT(kinds)), meaning = kind < 0 ? one_of(a, usages, ARRAY_COUNT(usages)) : -1;
    unsigned index = 0;

    if (kind > 0)
        usage |= (uint32_t)kind << 27;
    if (meaning >= 0) {
        if (a->at < a->end && isdigit((unsigned char)*a->at))
            assemble_number(a, &index);
        usage |= (uint32_t)meaning | (index & 15) << 16;
    }
    uint32_t modifiers = result_modifiers(a);
    assemble_put(a, usage);
    destination(a, modifiers);
}

/* Names that the opcode table does not have, or has twice. */
static const struct alias {
    const char *word;
    uint16_t opcode, control;
} aliases[] = {
    {"texcrd", SOP_TEXCOORD, 0}, {"texldp", SOP_TEX, 1},    {"texldb", SOP_TEX, 2}, {"tex", SOP_TEX, 0},
    {"if_", SOP_IFC, 0},         {"break_", SOP_BREAKC, 0}, {"setp_", SOP_SETP, 0}, {"phase", SOP_PHASE, 0},
};

/* The longest name at this position; false: none. */
static bool opcode_word(struct assembler *a, unsigned *opcode, unsigned *control)
{
    size_t longest = 0;

    *control = 0;
    for (unsigned i = 0; i <= SOP_BREAKP; i++) {
        const struct shader_opcode_info *info = shader_opcode_info(i);
        size_t length = info ? strlen(info->name) : 0;

        if (length > longest && !strncmp(a->at, info->name, length)) {
            longest = length;
            *opcode = i;
        }
    }
    for (unsigned i = 0; i < ARRAY_COUNT(aliases); i++) {
        size_t length = strlen(aliases[i].word);

        if (length > longest && !strncmp(a->at, aliases[i].word, length)) {
            longest = length;
            *opcode = aliases[i].opcode;
            *control = aliases[i].control;
        }
    }
    a->at += longest;
    return longest != 0 && a->at <= a->end;
}

static bool unknown_opcode(struct assembler *a)
{
    const size_t left = (size_t)(a->end - a->at);
    const size_t length = BASE_MIN(strcspn(a->at, "_., \t\r\n"), left); /* modifiers follow the name */
    struct word_guess guess = {.word = a->at, .word_length = length};

    if (!length)
        return assemble_fail(a, "an instruction is missing");
    for (unsigned i = 0; i <= SOP_BREAKP; i++)
        if (shader_opcode_info(i))
            word_guess(&guess, shader_opcode_info(i)->name, strlen(shader_opcode_info(i)->name));
    for (unsigned i = 0; i < ARRAY_COUNT(aliases); i++)
        word_guess(&guess, aliases[i].word, strlen(aliases[i].word));
    if (!a->failed)
        shader_fail(a->error, a->line, "no instruction is called \"%.*s\"%s%.*s%s", (int)BASE_MIN(length, 40u), a->at,
                    guess.best ? "; did you mean \"" : "", (int)guess.best_length, guess.best ? guess.best : "",
                    guess.best ? "\"?" : "");
    place_error(a);
    return false;
}

static bool comparison_word(struct assembler *a, unsigned *control)
{
    for (*control = 1; *control < 7; ++*control)
        if (assemble_take(a, shader_comparison_name(*control)))
            return true;
    return assemble_fail(a, "a comparison is missing");
}

static bool operands(struct assembler *a, const struct shader_opcode_info *info, unsigned opcode, bool predicated,
                     const char *predicate)
{
    uint32_t modifiers = result_modifiers(a);
    bool more = true;

    if (info->destination) {
        if (!destination(a, modifiers))
            return false;
        if (predicated) { /* its token comes after the destination's */
            const char *here = a->at;

            a->at = predicate;
            if (!assemble_source(a))
                return false;
            a->at = here;
        }
        if (opcode == SOP_DEF || opcode == SOP_DEFI || opcode == SOP_DEFB)
            return values(a, opcode);
        more = take_symbol(a, ",");
    } else {
        skip_spaces(a);
        more = a->at < a->end;
    }
    while (more && assemble_source(a))
        more = take_symbol(a, ",");
    return !a->failed;
}

static bool instruction(struct assembler *a)
{
    bool coissue = take_symbol(a, "+"), predicated = take_symbol(a, "(");
    const char *predicate = a->at;
    const struct shader_opcode_info *info;
    unsigned opcode = 0, control = 0;
    size_t start = a->count;

    if (predicated) {
        while (a->at < a->end && *a->at != ')')
            a->at++;
        if (!take_symbol(a, ")"))
            return assemble_fail(a, ") is missing");
    }
    if (!opcode_word(a, &opcode, &control))
        return unknown_opcode(a);
    info = shader_opcode_info(opcode);
    if (info && info->flags & SOPF_COMPARES && !comparison_word(a, &control))
        return false;
    assemble_put(a, opcode | control << 16 | (coissue ? 1u << 30 : 0) | (predicated ? 1u << 28 : 0));
    if (opcode == SOP_DCL)
        declaration(a);
    else if (info)
        operands(a, info, opcode, predicated, predicate);
    if (a->major >= 2 && opcode != SOP_PHASE && !a->failed)
        a->tokens[start] |= (uint32_t)((a->count - start - 1) & 15) << 24;
    return !a->failed;
}

/* --- lines ---------------------------------------------------------------------------------------------------- */

/* ps_2_x, vs_3_sw, ps.1.1 ... */
static bool version(struct assembler *a)
{
    a->stage = assemble_take(a, "ps") ? SHADER_PIXEL : SHADER_VERTEX;
    if (a->stage == SHADER_VERTEX && !assemble_take(a, "vs"))
        return assemble_fail(a, "the version is missing");
    if ((!assemble_take(a, "_") && !assemble_take(a, ".")) || !assemble_number(a, &a->major) ||
        (!assemble_take(a, "_") && !assemble_take(a, ".")))
        return assemble_fail(a, "the version is wrong");
    if (assemble_take(a, "x"))
        a->minor = 1;
    else if (assemble_take(a, "sw"))
        a->minor = 255;
    else if (!assemble_number(a, &a->minor))
        return false;
    assemble_put(a, (a->stage == SHADER_VERTEX ? 0xfffe0000u : 0xffff0000u) | (a->major & 255) << 8 | (a->minor & 255));
    return !a->failed;
}

/* A line of raw tokens: 0x00000001 0x800f0000 ... */
static bool raw_tokens(struct assembler *a)
{
    while (a->at < a->end && assemble_take(a, "0x")) {
        char *end;

        assemble_put(a, (uint32_t)strtoul(a->at, &end, 16));
        a->at = end;
        skip_spaces(a);
    }
    return !a->failed;
}

static bool line(struct assembler *a)
{
    bool done;

    skip_spaces(a);
    if (a->at == a->end)
        return true;
    if (!a->count)
        done = version(a);
    else
        done = a->at[0] == '0' && a->at[1] == 'x' ? raw_tokens(a) : instruction(a);
    skip_spaces(a);
    return done && (a->at == a->end || assemble_fail(a, "a comma or the end of the line is expected"));
}

/* The end of the line's code: a comment, a ';' or the line's end. */
static const char *code_end(const char *text)
{
    const char *end = text;

    while (*end && *end != '\n' && *end != ';' && !(end[0] == '/' && end[1] == '/'))
        end++;
    return end;
}

size_t shader_assemble(const char *text, uint32_t *tokens, size_t capacity, struct shader_error *error)
{
    struct assembler a = {.tokens = tokens, .capacity = capacity, .error = error};

    for (a.line = 1; *text; a.line++) {
        a.start = a.at = text;
        a.end = code_end(text);
        if (!line(&a))
            return 0;
        text = a.end + strcspn(a.end, "\n");
        text += *text == '\n';
    }
    if (!a.count) {
        shader_fail(error, 1, "no code");
        return 0;
    }
    a.at = a.start = a.end;
    assemble_put(&a, SOP_END);
    return a.failed ? 0 : a.count;
}
