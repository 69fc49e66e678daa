/* SPDX-License-Identifier: MIT */
/*
 * Text of the notation: words, numbers, symbols, fields.
 */
#include "dp2/text/assemble.h"

#include "base/base.h"
#include "dp2/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct asm_symbol {
    struct asm_symbol *next, *next_in_bucket;
    uint32_t value;
    size_t length;
    char name[];
};

bool asm_fail(struct asm_parser *p, const char *format, ...)
{
    va_list args;

    if (p->failed)
        return false;
    p->failed = true;
    p->error->line = p->line;
    p->error->column = 1;
    for (const char *at = p->word; at && at > p->text && at[-1] != '\n'; at--)
        p->error->column++;
    va_start(args, format);
    vsnprintf(p->error->text, sizeof(p->error->text), format, args);
    va_end(args);
    p->kind = ASM_END;
    p->length = 0;
    return false;
}

bool asm_no_memory(struct asm_parser *p)
{
    p->error->no_memory = p->error->no_memory || !p->failed;
    return asm_fail(p, "out of memory");
}

/* --- words ---------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static bool is_mark(char c)
{
    return c == '{' || c == '}' || c == '(' || c == ')' || c == '[' || c == ']';
}

static bool is_comment(const struct asm_parser *p, size_t at)
{
    return p->text[at] == '/' && at + 1 < p->size && p->text[at + 1] == '/';
}

static void skip(struct asm_parser *p)
{
    while (p->at < p->size && (is_space(p->text[p->at]) || is_comment(p, p->at))) {
        if (is_comment(p, p->at)) {
            while (p->at < p->size && p->text[p->at] != '\n')
                p->at++;
            continue;
        }
        p->line += p->text[p->at++] == '\n';
    }
}

static void take_string(struct asm_parser *p)
{
    const size_t start = ++p->at;
    unsigned lines = 0;

    for (; p->at < p->size && p->text[p->at] != '"' && (p->long_strings || p->text[p->at] != '\n'); p->at++)
        lines += p->text[p->at] == '\n';
    if (p->at == p->size || p->text[p->at] != '"') {
        asm_fail(p, "a string without its end");
        return;
    }
    p->kind = ASM_STRING;
    p->word = p->text + start;
    p->length = p->at++ - start;
    p->line += lines;
}

void asm_next(struct asm_parser *p)
{
    if (p->failed)
        return;
    skip(p);
    p->word = p->text + p->at;
    p->length = 0;
    p->kind = ASM_END;
    if (p->at == p->size)
        return;
    if (p->text[p->at] == '"') {
        take_string(p);
        return;
    }
    if (is_mark(p->text[p->at])) {
        p->kind = ASM_MARK;
        p->length = 1;
        p->at++;
        return;
    }
    while (p->at < p->size && !is_space(p->text[p->at]) && !is_mark(p->text[p->at]) && p->text[p->at] != '=' &&
           p->text[p->at] != '"' && !is_comment(p, p->at)) {
        p->at++;
        p->length++;
    }
    p->kind = ASM_WORD;
    if (p->at < p->size && p->text[p->at] == '=') {
        p->kind = ASM_KEY;
        p->at++;
    }
    if (p->length == 3 && memcmp(p->word, "...", 3) == 0)
        asm_fail(p, "this text leaves things out (\"...\"): print it in full, dp2 dump --asm");
}

void asm_init(struct asm_parser *p, const char *text, size_t size, struct dp2_asm_error *error)
{
    memset(p, 0, sizeof(*p));
    memset(error, 0, sizeof(*error));
    p->text = text;
    p->size = size;
    p->line = 1;
    p->error = error;
    asm_next(p);
}

bool asm_is(const struct asm_parser *p, const char *word)
{
    return (p->kind == ASM_WORD || p->kind == ASM_KEY) && strlen(word) == p->length &&
           memcmp(word, p->word, p->length) == 0;
}

bool asm_is_mark(const struct asm_parser *p, char mark)
{
    return p->kind == ASM_MARK && *p->word == mark;
}

bool asm_expect(struct asm_parser *p, char mark)
{
    if (!asm_is_mark(p, mark))
        return asm_fail(p, "'%c' expected before \"%.*s\"", mark, (int)(p->length < 40 ? p->length : 40), p->word);
    asm_next(p);
    return !p->failed;
}

uint8_t *asm_grow(struct asm_parser *p, struct asm_bytes *bytes, size_t size)
{
    uint8_t *grown;

    if (size > ASM_MAX_BYTES || bytes->size + size > ASM_MAX_BYTES) {
        asm_fail(p, "more than %u bytes in one event", ASM_MAX_BYTES);
        return NULL;
    }
    grown = mem_grow(bytes->data, &bytes->capacity, bytes->size, size);
    if (!grown) {
        asm_no_memory(p);
        return NULL;
    }
    bytes->data = grown;
    memset(bytes->data + bytes->size, 0, size);
    bytes->size += size;
    return bytes->data + bytes->size - size;
}

/* --- strings ---------------------------------------------------------------------------------- */

/* The byte of the escape (print.c) after a backslash at word[*i]. */
static bool escaped_byte(struct asm_parser *p, size_t *i, uint8_t *byte)
{
    char digits[3] = "";
    char *end = digits;

    if (*i + 1 < p->length && p->word[*i + 1] == '\\') {
        *byte = '\\';
        *i += 2;
        return true;
    }
    if (*i + 3 < p->length && p->word[*i + 1] == 'x') {
        memcpy(digits, p->word + *i + 2, 2);
        *byte = (uint8_t)strtoul(digits, &end, 16);
    }
    if (end != digits + 2 || !isxdigit((unsigned char)digits[0]))
        return asm_fail(p, "a backslash in a text is followed by another one, or by x and two digits");
    *i += 4;
    return true;
}

bool asm_string(struct asm_parser *p, struct asm_bytes *out)
{
    if (p->kind != ASM_STRING)
        return asm_fail(p, "a text in quotes expected");
    for (size_t i = 0; i < p->length;) {
        uint8_t byte = (uint8_t)p->word[i];
        uint8_t *at;

        if (byte != '\\')
            i++;
        else if (!escaped_byte(p, &i, &byte))
            return false;
        at = asm_grow(p, out, 1);
        if (!at)
            return false;
        *at = byte;
    }
    asm_next(p);
    return !p->failed;
}

/* --- symbols and numbers ------------------------------------------------------------------------
 */

/* FNV-1a, 32 bits. */
static uint32_t hash_of_name(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return hash;
}

/* The link to the symbol, or the link where it would be inserted. Buckets must exist. */
static struct asm_symbol **place_of_symbol(const struct asm_parser *p, const char *name, size_t length)
{
    struct asm_symbol **at = &p->buckets[hash_of_name(name, length) & (p->bucket_count - 1)];

    while (*at && ((*at)->length != length || memcmp((*at)->name, name, length) != 0))
        at = &(*at)->next_in_bucket;
    return at;
}

static struct asm_symbol *find_symbol(const struct asm_parser *p, const char *name, size_t length)
{
    return p->bucket_count ? *place_of_symbol(p, name, length) : NULL;
}

/* Twice as many buckets as there are symbols, and room for one more. */
static bool asm_reserve_symbol(struct asm_parser *p)
{
    const size_t count = p->bucket_count ? 2 * p->bucket_count : 256;
    struct asm_symbol **buckets;

    if (2 * (p->symbol_count + 1) <= p->bucket_count)
        return true;
    buckets = mem_calloc(count, sizeof(*buckets));
    if (!buckets)
        return asm_no_memory(p);
    free(p->buckets);
    p->buckets = buckets;
    p->bucket_count = count;
    for (struct asm_symbol *symbol = p->symbols; symbol; symbol = symbol->next) {
        struct asm_symbol **at = &buckets[hash_of_name(symbol->name, symbol->length) & (count - 1)];

        symbol->next_in_bucket = *at;
        *at = symbol;
    }
    return true;
}

bool asm_set_symbol(struct asm_parser *p, const char *name, size_t length, uint32_t value)
{
    struct asm_symbol *symbol = find_symbol(p, name, length);

    if (symbol)
        return asm_fail(p, "the name \"%.*s\" is given twice", (int)length, name);
    if (length == 0 || length > 64 || (*name >= '0' && *name <= '9') || *name == '-' || *name == '#')
        return asm_fail(p, "\"%.*s\" is not a name", (int)(length < 40 ? length : 40), name);
    if (!asm_reserve_symbol(p))
        return false;
    symbol = mem_alloc(length, 1, sizeof(*symbol));
    if (!symbol)
        return asm_no_memory(p);
    symbol->value = value;
    symbol->length = length;
    memcpy(symbol->name, name, length);
    symbol->next = p->symbols;
    symbol->next_in_bucket = NULL;
    *place_of_symbol(p, name, length) = symbol;
    p->symbols = symbol;
    p->symbol_count++;
    return true;
}

void asm_take_symbols(struct asm_parser *p, const struct asm_parser *from)
{
    p->symbols = from->symbols;
    p->buckets = from->buckets;
    p->symbol_count = from->symbol_count;
    p->bucket_count = from->bucket_count;
}

void asm_free_symbols(struct asm_parser *p)
{
    while (p->symbols) {
        struct asm_symbol *symbol = p->symbols;

        p->symbols = symbol->next;
        free(symbol);
    }
    free(p->buckets);
    p->buckets = NULL;
    p->bucket_count = p->symbol_count = 0;
}

/* The word, 0-terminated; false if it is too long for a number. */
static bool copy_word(const char *word, size_t length, char buffer[64])
{
    if (length == 0 || length >= 64)
        return false;
    memcpy(buffer, word, length);
    buffer[length] = 0;
    return true;
}

static bool plain_number(const char *word, size_t length, uint32_t *value)
{
    const bool negative = length && *word == '-';
    char text[64], *end;
    unsigned long long number;

    if (negative) {
        word++;
        length--;
    }
    if (!copy_word(word, length, text))
        return false;
    if (text[0] == '#') {
        number = strtoull(text + 1, &end, 16);
        *value = (uint32_t)number;
        /* (six digits have lost their alpha, which would be 0) */
        return length > 1 && length != 7 && text[1] != '-' && text[1] != '+' && !*end && number <= UINT32_MAX;
    }
    if (text[0] < '0' || text[0] > '9')
        return false;
    number = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
    *value = negative ? 0u - (uint32_t)number : (uint32_t)number;
    return !*end && number <= (negative ? 0x80000000u : UINT32_MAX);
}

static bool word_number(const struct asm_parser *p, const char *word, size_t length, uint32_t *value)
{
    const char *plus = memchr(word, '+', length);
    const size_t name = plus ? (size_t)(plus - word) : length;
    const struct asm_symbol *symbol = find_symbol(p, word, name);
    uint32_t more = 0;

    if (!symbol)
        return plain_number(word, length, value);
    if (plus && !plain_number(plus + 1, length - name - 1, &more))
        return false;
    *value = symbol->value + more;
    return true;
}

/* Do numbers of this field name surfaces? */
static bool names_surface(const char *field, size_t length)
{
    static const char *const names[] = {"id",      "root",         "target",  "depth", "source", "destination",
                                        "current", "surface",      "from",    "to",    "buffer", "handle",
                                        "texture", "rendertarget", "zbuffer", "src",   "dst"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i]) == length && memcmp(names[i], field, length) == 0)
            return true;
    return false;
}

/* Reports a word that looks like a name where a number is expected: no symbol has this name. */
static bool unknown_symbol(struct asm_parser *p)
{
    struct word_guess guess = asm_guess_word(p);
    const char *what = "number";

    for (const struct asm_symbol *symbol = p->symbols; symbol; symbol = symbol->next)
        word_guess(&guess, symbol->name, symbol->length);
    if (names_surface(p->field, p->field_length))
        what = "surface";
    else if (p->field_length == 7 && memcmp(p->field, "context", 7) == 0)
        what = "context";
    return asm_unknown(p, &guess, what, NULL);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool no_value(struct asm_parser *p, const char *what)
{
    if (p->kind == ASM_WORD && p->length == 7 && p->word[0] == '#')
        return asm_fail(p, "a colour is #aarrggbb, with eight digits; did you mean \"#ff%.6s\"?", p->word + 1);
    if (p->kind == ASM_WORD && p->length && p->word[0] == '#') {
        return asm_fail(p, "a colour is #aarrggbb, with eight digits, not \"%.*s\"",
                        (int)(p->length < 60 ? p->length : 60), p->word);
    }
    if (p->field_length) {
        return asm_fail(p, "%s expected for %.*s, not \"%.*s\"", what,
                        (int)(p->field_length < 40 ? p->field_length : 40), p->field,
                        (int)(p->length < 60 ? p->length : 60), p->word);
    }
    return asm_fail(p, "%s expected, not \"%.*s\"", what, (int)(p->length < 60 ? p->length : 60), p->word);
}

bool asm_number(struct asm_parser *p, uint32_t *value)
{
    if (p->kind != ASM_WORD || !word_number(p, p->word, p->length, value))
        return p->kind == ASM_WORD && p->length && is_letter(p->word[0]) ? unknown_symbol(p) : no_value(p, "a number");
    asm_next(p);
    return !p->failed;
}

bool asm_number_of(struct asm_parser *p, const char *field, uint32_t *value)
{
    bool done;

    p->field = field;
    p->field_length = strcspn(field, ",;");
    done = asm_number(p, value);
    p->field_length = 0;
    return done;
}

bool asm_float(struct asm_parser *p, uint32_t *bits)
{
    char text[64], *end;
    float value;

    if (p->kind != ASM_WORD || !copy_word(p->word, p->length, text))
        return no_value(p, "a number");
    if (text[0] == '0' && text[1] == 'x')
        return asm_number(p, bits);
    value = strtof(text, &end);
    if (*end)
        return no_value(p, "a number");
    memcpy(bits, &value, sizeof(*bits));
    asm_next(p);
    return !p->failed;
}

/* --- values
 * --------------------------------------------------------------------------------------- */

/* One of several words joined by '|'. */
static bool flag_number(const struct asm_parser *p, char letter, const char *word, size_t length, uint32_t *value)
{
    static const struct {
        char letter;
        const char *name;
        uint32_t value;
    } names[] = {
        {'L', "TARGET", 1},    {'L', "ZBUFFER", 2},  {'L', "STENCIL", 4},    {'L', "COMPUTERECTS", 8},
        {'F', "XYZ", 2},       {'F', "XYZRHW", 4},   {'F', "XYZB1", 6},      {'F', "XYZB2", 8},
        {'F', "XYZB3", 10},    {'F', "XYZB4", 12},   {'F', "XYZB5", 14},     {'F', "XYZW", 0x4000},
        {'F', "NORMAL", 0x10}, {'F', "PSIZE", 0x20}, {'F', "DIFFUSE", 0x40}, {'F', "SPECULAR", 0x80},
        {'F', "FOG", 0x2000},
    };
    uint32_t count;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].letter == letter && strlen(names[i].name) == length && memcmp(names[i].name, word, length) == 0) {
            *value = names[i].value;
            return true;
        }
    }
    if (letter == 'F' && length > 3 && memcmp(word, "TEX", 3) == 0 && plain_number(word + 3, length - 3, &count) &&
        count < 16) {
        *value = count << 8;
        return true;
    }
    return dp2_flag_number(letter, word, length, value) || word_number(p, word, length, value);
}

static bool unknown_flag(struct asm_parser *p, char letter, const char *word, size_t length)
{
    struct word_guess guess = {.word = word, .word_length = length};
    uint32_t value, mask;
    const char *name;

    for (unsigned i = 0; (name = dp2_flag_name(letter, i, &value, &mask)) != NULL; i++)
        word_guess(&guess, name, strlen(name));
    p->word = word; /* of several */
    p->length = length;
    return asm_unknown(p, &guess, "flag", NULL);
}

static bool flags_value(struct asm_parser *p, char letter, uint32_t *value)
{
    const char *word = p->word;
    size_t left = p->length;

    *value = 0;
    if (p->kind != ASM_WORD)
        return no_value(p, "flags");
    for (;;) {
        const char *bar = memchr(word, '|', left);
        const size_t length = bar ? (size_t)(bar - word) : left;
        uint32_t flag;

        if (!flag_number(p, letter, word, length, &flag)) {
            return letter != 'F' && length && is_letter(*word)
                       ? unknown_flag(p, letter, word, length)
                       : no_value(p, letter == 'F' ? "a vertex format" : "flags");
        }
        *value |= flag;
        if (!bar)
            break;
        word = bar + 1;
        left -= length + 1;
    }
    asm_next(p);
    return !p->failed;
}

static bool enumeration_value(struct asm_parser *p, char type, const char *of, uint32_t *value)
{
    if (p->kind == ASM_WORD && type && dp2_value_number(type, p->word, p->length, value)) {
        asm_next(p);
        return !p->failed;
    }
    if (p->kind == ASM_WORD && type && p->length && is_letter(*p->word) && !word_number(p, p->word, p->length, value))
        return asm_unknown_value(p, type, of);
    return asm_number(p, value);
}

static bool state_value(struct asm_parser *p, const struct dp2_state_name *state, uint32_t *value)
{
    switch (state ? state->type : 'x') {
    case 'f':
        return asm_float(p, value);
    case 'b':
        if (asm_is(p, "TRUE") || asm_is(p, "FALSE")) {
            *value = asm_is(p, "TRUE");
            asm_next(p);
            return !p->failed;
        }
        return asm_number(p, value);
    case 'c':
    case 'x':
    case 'u':
    case 'h':
        return asm_number(p, value);
    default:
        if (dp2_is_flag_state(state->type))
            return flags_value(p, state->type, value);
        return enumeration_value(p, state->type, state->name, value);
    }
}

/* A number, a symbol, or a word that cannot be a name. */
static bool is_number(const struct asm_parser *p)
{
    uint32_t value;

    return p->kind != ASM_WORD || !p->length || !is_letter(*p->word) || word_number(p, p->word, p->length, &value);
}

static bool dword_value(struct asm_parser *p, char letter, uint32_t *value)
{
    switch (letter) {
    case 'f':
        return asm_float(p, value);
    case 'F':
    case 'L':
        return flags_value(p, letter, value);
    case 'S':
    case 'T':
        if (p->kind == ASM_WORD &&
            (letter == 'S' ? dp2_render_state_number : dp2_stage_state_number)(p->word, p->length, value)) {
            asm_next(p);
            return !p->failed;
        }
        return is_number(p) ? asm_number(p, value) : asm_unknown_state(p, letter == 'T');
    case 'D':
        if (p->kind == ASM_WORD && dp2_format_number(p->word, p->length, value)) {
            asm_next(p);
            return !p->failed;
        }
        return is_number(p) ? asm_number(p, value) : asm_unknown_format(p);
    default:
        if (dp2_is_flag_set(letter))
            return flags_value(p, letter, value);
        return enumeration_value(p, dp2_letter_enumeration(letter), NULL, value);
    }
}

static bool vector_value(struct asm_parser *p, bool floats, unsigned count, uint8_t *at)
{
    if (!asm_expect(p, '('))
        return false;
    for (unsigned i = 0; i < count; i++) {
        uint32_t value;

        if (!(floats ? asm_float : asm_number)(p, &value))
            return false;
        memcpy(at + 4 * i, &value, 4);
    }
    return asm_expect(p, ')');
}

bool asm_value(struct asm_parser *p, char letter, uint8_t *at)
{
    const uint32_t size = dp2_field_size(letter);
    uint32_t value;

    switch (letter) {
    case '3':
    case '4':
        return vector_value(p, true, (unsigned)(letter - '0'), at);
    case 'M':
        return vector_value(p, true, 16, at);
    case 'Q':
    case 'R':
    case 'B':
        return vector_value(p, false, size / 4, at);
    default:
        break;
    }
    if (!dword_value(p, letter, &value))
        return false;
    if (size < 4 && value >> 8 * size)
        return asm_fail(p, "%" PRIu32 " does not fit into %" PRIu32 " bytes", value, size);
    memcpy(at, &value, size);
    return true;
}

/* The field of this name: its letter, offset and number. */
static char find_field(const struct asm_parser *p, const char *fields, uint32_t *offset, unsigned *index)
{
    *offset = 0;
    *index = 0;
    while (*fields && *fields != ';') {
        const size_t name = strcspn(fields + 2, ",;");

        if (name == p->length && memcmp(fields + 2, p->word, name) == 0)
            return fields[0];
        *offset += dp2_field_size(fields[0]);
        ++*index;
        fields += 2 + name;
        fields += *fields == ',' ? 1 : 0;
    }
    return 0;
}

bool asm_fields(struct asm_parser *p, const char *fields, uint8_t *data, uint32_t *given)
{
    const struct dp2_state_name *state = NULL;

    while (p->kind == ASM_KEY) {
        uint32_t offset, value;
        unsigned index;
        const char letter = find_field(p, fields, &offset, &index);

        if (!letter)
            break;
        p->field = p->word;
        p->field_length = p->length;
        asm_next(p);
        if (letter == 'V') {
            if (!state_value(p, state, &value))
                return false;
            memcpy(data + offset, &value, 4);
        } else if (!asm_value(p, letter, data + offset)) {
            return false;
        }
        if (letter == 'S')
            state = dp2_render_state_name(dp2_read_u32(data + offset));
        else if (letter == 'T')
            state = dp2_stage_state_name(dp2_read_u16(data + offset));
        p->field_length = 0;
        *given |= 1u << (index & 31);
    }
    return !p->failed;
}
