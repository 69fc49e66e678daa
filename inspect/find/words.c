/* SPDX-License-Identifier: MIT */
/* Names and values of states as people type them, and what a mistyped one may have been. */
#include "inspect/find/condition.h"

#include "base/base.h"
#include "base/word.h"
#include "dp2/text/visit.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STATES 256 /* numbers of render states; stage states have fewer */
#define MOST_VALUES 64  /* of an enumeration */

bool inspect_word_is(struct inspect_word word, const char *name)
{
    size_t i = 0;

    while (i < word.length && name[i] && toupper((unsigned char)word.text[i]) == toupper((unsigned char)name[i]))
        i++;
    return i == word.length && !name[i];
}

static bool begins(struct inspect_word word, const char *name)
{
    return word.length >= 3 && strlen(name) > word.length &&
           word_distance(word.text, word.length, name, word.length) == 0;
}

/* --- states -------------------------------------------------------------------------------------- */

bool inspect_find_state(struct inspect_word word, bool *is_stage, uint32_t *number, const struct dp2_state_name **name)
{
    for (unsigned stage = 0; stage < 2; stage++)
        for (uint32_t n = 0; n < MOST_STATES; n++) {
            *name = stage ? dp2_stage_state_name(n) : dp2_render_state_name(n);
            if (*name && inspect_word_is(word, (*name)->name)) {
                *is_stage = stage;
                *number = n;
                return true;
            }
        }
    return false;
}

/* --- values -------------------------------------------------------------------------------------- */

/* How the value of a state is printed. */
static struct dp2_value decode(const struct dp2_state_name *name, uint32_t value)
{
    const struct dp2_state_name *kind = name;
    struct dp2_value decoded = {0};

    dp2_decode_value(&decoded, 'V', (const uint8_t *)&value, &kind);
    return decoded;
}

static bool is_enumeration(const struct dp2_state_name *name)
{
    for (uint32_t n = 0; n < MOST_VALUES && !dp2_is_flag_state(name->type); n++)
        if (dp2_value_name(name->type, n))
            return true;
    return false;
}

/* A number of any base, or "#ff102030"; floats as their bits. */
static bool parse_number(char type, struct inspect_word word, uint32_t *value)
{
    char text[INSPECT_WORD_BYTES], *end;
    unsigned long number;
    float real;

    if (!word.length || word.length >= sizeof(text))
        return false;
    memcpy(text, word.text, word.length);
    text[word.length] = 0;
    errno = 0;
    if (type == DP2_KIND_FLOAT) {
        real = strtof(text, &end);
        memcpy(value, &real, sizeof(real));
        return !*end && real == real;
    }
    number = text[0] == '#' ? strtoul(text + 1, &end, 16) : strtoul(text, &end, 0);
    *value = (uint32_t)number;
    return !*end && !errno && number <= UINT32_MAX && text[0] != '-' && (text[0] != '#' || text[1]);
}

/* "RED|GREEN" */
static bool parse_flags(char set, struct inspect_word word, uint32_t *value)
{
    char upper[INSPECT_WORD_BYTES];

    *value = 0;
    if (word.length >= sizeof(upper))
        return false;
    for (size_t i = 0; i < word.length; i++)
        upper[i] = (char)toupper((unsigned char)word.text[i]);
    for (size_t at = 0; at < word.length;) {
        size_t end = at;
        uint32_t bits;

        while (end < word.length && upper[end] != '|')
            end++;
        if (!dp2_flag_number(set, upper + at, end - at, &bits))
            return false;
        *value |= bits;
        at = end + 1;
    }
    return word.length > 0;
}

bool inspect_find_value(const struct dp2_state_name *name, struct inspect_word word, uint32_t *value)
{
    const struct dp2_value decoded = decode(name, 0);
    const bool off = inspect_word_is(word, "off"), on = inspect_word_is(word, "on");
    const bool switches = decoded.kind == DP2_VALUE_BOOL || name->type == DP2_KIND_ZENABLE;

    if (switches && (off || on || inspect_word_is(word, "false") || inspect_word_is(word, "true"))) {
        *value = on || inspect_word_is(word, "true");
        return true;
    }
    for (uint32_t n = 0; n < MOST_VALUES && is_enumeration(name); n++) {
        const char *known = dp2_value_name(name->type, n);

        if (known && inspect_word_is(word, known)) {
            *value = n;
            return true;
        }
    }
    if (decoded.kind == DP2_VALUE_FLAGS && parse_flags(decoded.set, word, value))
        return true;
    return parse_number(name->type, word, value);
}

void inspect_list_values(const struct dp2_state_name *name, char *out, size_t size)
{
    const struct dp2_value decoded = decode(name, 0);
    size_t length = 0;
    uint32_t bits, mask;
    const char *flag;

    snprintf(out, size, "%s",
             decoded.kind == DP2_VALUE_BOOL    ? "FALSE, TRUE"
             : decoded.kind == DP2_VALUE_COLOR ? "a color, #aarrggbb"
                                               : "a number");
    if (decoded.kind == DP2_VALUE_FLAGS)
        for (unsigned i = 0; (flag = dp2_flag_name(decoded.set, i, &bits, &mask)) && length + 48 < size; i++)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? "|" : "", flag);
    for (uint32_t n = 0; n < MOST_VALUES && is_enumeration(name) && length + 48 < size; n++) {
        const char *known = dp2_value_name(name->type, n);

        if (known)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "", known);
    }
}

/* --- what it may have been ----------------------------------------------------------------------- */

/* The better of what was found so far and this name: a name that begins with the word counts as similar. */
static void guess_name(struct word_guess *guess, const char **longer, const char *name)
{
    const struct inspect_word word = {guess->word, guess->word_length};

    word_guess(guess, name, strlen(name));
    if (begins(word, name) && (!*longer || strlen(name) < strlen(*longer)))
        *longer = name;
}

/* The state that a plain word means; NULL: none. */
static const char *plain_name(struct inspect_word word)
{
    static const char *const names[][2] = {
        {"z", "ZENABLE"},
        {"depth", "ZENABLE"},
        {"depthtest", "ZENABLE"},
        {"zwrite", "ZWRITEENABLE"},
        {"blend", "ALPHABLENDENABLE"},
        {"blending", "ALPHABLENDENABLE"},
        {"transparent", "ALPHABLENDENABLE"},
        {"alpha", "ALPHATESTENABLE"},
        {"alphatest", "ALPHATESTENABLE"},
        {"cull", "CULLMODE"},
        {"culling", "CULLMODE"},
        {"stencil", "STENCILENABLE"},
        {"scissor", "SCISSORTESTENABLE"},
        {"light", "LIGHTING"},
        {"lights", "LIGHTING"},
        {"lit", "LIGHTING"},
        {"fog", "FOGENABLE"},
        {"wireframe", "FILLMODE"},
        {"specular", "SPECULARENABLE"},
        {"dither", "DITHERENABLE"},
        {"srgb", "SRGBWRITEENABLE"},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (inspect_word_is(word, names[i][0]))
            return names[i][1];
    return NULL;
}

const char *inspect_guess_word(struct inspect_word word)
{
    static const char *const others[] = {"reads", "writes", "uses", "changed", "stage",   "sampler", "texture",
                                         "draw",  "clear",  "blit", "fill",    "present", "refused", "not"};
    struct word_guess guess = {.word = word.text, .word_length = word.length};
    const char *longer = plain_name(word);

    if (longer)
        return longer;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        guess_name(&guess, &longer, others[i]);
    for (uint32_t n = 0; n < MOST_STATES; n++) {
        const struct dp2_state_name *render = dp2_render_state_name(n), *stage = dp2_stage_state_name(n);

        if (render)
            guess_name(&guess, &longer, render->name);
        if (stage)
            guess_name(&guess, &longer, stage->name);
    }
    return guess.best && (!longer || guess.distance < 2) ? guess.best : longer;
}

const char *inspect_guess_value(const struct dp2_state_name *name, struct inspect_word word)
{
    struct word_guess guess = {.word = word.text, .word_length = word.length};
    const struct dp2_value decoded = decode(name, 0);
    const char *longer = NULL, *flag;
    uint32_t bits, mask;

    if (decoded.kind == DP2_VALUE_BOOL) {
        guess_name(&guess, &longer, "FALSE");
        guess_name(&guess, &longer, "TRUE");
    }
    if (decoded.kind == DP2_VALUE_FLAGS)
        for (unsigned i = 0; (flag = dp2_flag_name(decoded.set, i, &bits, &mask)); i++)
            guess_name(&guess, &longer, flag);
    for (uint32_t n = 0; n < MOST_VALUES && is_enumeration(name); n++)
        if (dp2_value_name(name->type, n))
            guess_name(&guess, &longer, dp2_value_name(name->type, n));
    return guess.best ? guess.best : longer;
}
