/* SPDX-License-Identifier: MIT */
/* Conditions of a text. */
#include "inspect/find/condition.h"

#include "base/base.h"
#include "dp2/names.h"
#include "dp2/tokens.h"
#include "hal/state/values.h"
#include "inspect/frame.h"
#include "inspect/state/state.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct parser {
    const char *at;
    struct inspect_query *query;
    struct inspect_condition *c; /* the one at hand */
    const char *first;           /* of its words */
    char *why;
    size_t why_size;
};

static bool refuse(const struct parser *p, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
static bool refuse(const struct parser *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(p->why, p->why_size, format, args);
    va_end(args);
    return false;
}

static void mean(struct parser *p, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
static void mean(struct parser *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(p->c->meaning, sizeof(p->c->meaning), format, args);
    va_end(args);
}

/* --- words --------------------------------------------------------------------------------------- */

static bool is_operator(char c)
{
    return c == '=' || c == '!' || c == '<' || c == '>';
}

/* Up to a space or an operator; empty at the end. */
static struct inspect_word next_word(struct parser *p)
{
    struct inspect_word word;

    while (isspace((unsigned char)*p->at))
        p->at++;
    word.text = p->at;
    while (*p->at && !isspace((unsigned char)*p->at) && !is_operator(*p->at))
        p->at++;
    word.length = (size_t)(p->at - word.text);
    return word;
}

/* "=", "!=", "<" ...; false: there is none, so the value follows at once. */
static bool next_operator(struct parser *p, enum inspect_compare *compare)
{
    static const struct {
        const char *text;
        enum inspect_compare compare;
    } operators[] = {{"!=", INSPECT_UNEQUAL}, {"<=", INSPECT_LESS_EQUAL}, {">=", INSPECT_GREATER_EQUAL},
                     {"==", INSPECT_EQUAL},   {"=", INSPECT_EQUAL},       {"<", INSPECT_LESS},
                     {">", INSPECT_GREATER}};
    const char *at = p->at;

    while (isspace((unsigned char)*at))
        at++;
    for (size_t i = 0; i < ARRAY_COUNT(operators); i++)
        if (!strncmp(at, operators[i].text, strlen(operators[i].text))) {
            p->at = at + strlen(operators[i].text);
            *compare = operators[i].compare;
            return true;
        }
    return false;
}

static bool parse_count(struct inspect_word word, uint32_t *number)
{
    uint64_t sum = 0;

    if (!word.length || word.length > 9)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9')
            return false;
        sum = sum * 10 + (uint64_t)(word.text[i] - '0');
    }
    *number = (uint32_t)sum;
    return true;
}

static bool parse_surface(struct inspect_word word, uint32_t *surface)
{
    if (word.length && word.text[0] == '#')
        word = (struct inspect_word){word.text + 1, word.length - 1};
    return parse_count(word, surface);
}

/* --- states -------------------------------------------------------------------------------------- */

static const char *const compare_words[] = {"is",         "is not",          "is less than",
                                            "is at most", "is greater than", "is at least"};

static void name_rows(const struct inspect_condition *c, char out[40])
{
    char row[32];

    if (!c->is_stage)
        out[0] = 0;
    else if (c->row == INSPECT_ANY_ROW)
        snprintf(out, 40, " of any stage");
    else {
        inspect_name_row(c->row, row);
        snprintf(out, 40, " of %s", row);
    }
}

/* The state that the word names, into the condition; `row` of stage states is kept. */
static bool take_state(struct parser *p, struct inspect_word word, const struct dp2_state_name **name)
{
    struct inspect_condition *c = p->c;
    const bool needs_stage = c->is_stage;
    const char *guess;

    if (inspect_find_state(word, &c->is_stage, &c->number, name) && (c->is_stage || !needs_stage)) {
        c->is_float = (*name)->type == DP2_KIND_FLOAT;
        return true;
    }
    guess = inspect_guess_word(word);
    if (guess && inspect_word_is(word, guess))
        guess = NULL; /* a render state, after "stage 0" */
    return refuse(p, "'%.*s' is not a %s%s%s%s", (int)word.length, word.text, needs_stage ? "stage state" : "state",
                  guess ? "; did you mean '" : "", guess ? guess : "", guess ? "'?" : "");
}

static bool state_condition(struct parser *p, struct inspect_word word)
{
    struct inspect_condition *c = p->c;
    const struct dp2_state_name *name;
    struct inspect_word value;
    const char *guess;
    char list[512], text[128], rows[40];

    if (!take_state(p, word, &name))
        return false;
    c->test = INSPECT_TEST_STATE;
    next_operator(p, &c->compare);
    value = next_word(p);
    inspect_list_values(name, list, sizeof(list));
    if (!value.length)
        return refuse(p, "%s: which value? %s", name->name, list);
    if (!inspect_find_value(name, value, &c->value)) {
        guess = inspect_guess_value(name, value);
        if (guess)
            return refuse(p, "%s has no value '%.*s'; did you mean '%s'?", name->name, (int)value.length, value.text,
                          guess);
        return refuse(p, "%s has no value '%.*s': %s", name->name, (int)value.length, value.text, list);
    }
    if (c->compare > INSPECT_UNEQUAL && inspect_word_is(value, "on"))
        return refuse(p, "%s is on or off: there is nothing to compare", name->name);
    if (name->type == DP2_KIND_ZENABLE && c->compare == INSPECT_EQUAL && inspect_word_is(value, "on")) {
        c->compare = INSPECT_UNEQUAL; /* TRUE, or USEW */
        c->value = 0;
    }
    inspect_write_value(name, c->value, text, sizeof(text));
    name_rows(c, rows);
    mean(p, "%s%s %s %s", name->name, rows, compare_words[c->compare], text);
    return true;
}

static bool changed_condition(struct parser *p)
{
    const struct dp2_state_name *name;
    const struct inspect_word word = next_word(p);
    char rows[40];

    if (!word.length)
        return refuse(p, "changed: which state?");
    if (!take_state(p, word, &name))
        return false;
    p->c->test = INSPECT_TEST_CHANGED;
    name_rows(p->c, rows);
    mean(p, "%s%s has another value than at the action before", name->name, rows);
    return true;
}

/* "stage 0 COLOROP=ADD", "sampler 3 ADDRESSU=WRAP" */
static bool stage_condition(struct parser *p, struct inspect_word stage)
{
    const struct inspect_word word = next_word(p);
    uint32_t number;

    if (!parse_count(word, &number) || hal_stage_row(number) == HAL_STAGE_ROWS)
        return refuse(p, "%.*s: which? a number from 0 to 15, or 257 to 260 for samplers of vertex shaders",
                      (int)stage.length, stage.text);
    p->c->is_stage = true;
    p->c->row = hal_stage_row(number);
    return state_condition(p, next_word(p));
}

/* --- the others ---------------------------------------------------------------------------------- */

static bool surface_condition(struct parser *p, enum inspect_test test, const char *verb)
{
    const struct inspect_word word = next_word(p);

    if (!parse_surface(word, &p->c->value))
        return refuse(p, "%s: which surface? its number, as #12", verb);
    p->c->test = test;
    mean(p,
         test == INSPECT_TEST_USES    ? "reads or writes surface #%" PRIu32 ", or has it as a buffer"
         : test == INSPECT_TEST_READS ? "reads surface #%" PRIu32
                                      : "writes surface #%" PRIu32,
         p->c->value);
    return true;
}

/* "vs5", "ps0" */
static bool shader_condition(struct parser *p, struct inspect_word word)
{
    const bool vertex = toupper((unsigned char)word.text[0]) == 'V';
    const char *stage = vertex ? "vertex" : "pixel";

    if (word.length < 3 || (!vertex && toupper((unsigned char)word.text[0]) != 'P') ||
        toupper((unsigned char)word.text[1]) != 'S' ||
        !parse_count((struct inspect_word){word.text + 2, word.length - 2}, &p->c->value))
        return false;
    p->c->test = vertex ? INSPECT_TEST_VERTEX_SHADER : INSPECT_TEST_PIXEL_SHADER;
    if (p->c->value)
        mean(p, "is drawn by %s shader %" PRIu32, stage, p->c->value);
    else
        mean(p, "is drawn without a %s shader", stage);
    return true;
}

/* "2.17" */
static bool place_condition(struct parser *p, struct inspect_word word)
{
    const char *point = memchr(word.text, '.', word.length);
    const size_t length = point ? (size_t)(point - word.text) : 0;

    if (!point || !parse_count((struct inspect_word){word.text, length}, &p->c->frame) ||
        !parse_count((struct inspect_word){point + 1, word.length - length - 1}, &p->c->value))
        return false;
    p->c->test = INSPECT_TEST_PLACE;
    mean(p, "is %" PRIu32 ".%" PRIu32, p->c->frame, p->c->value);
    return true;
}

static bool kind_condition(struct parser *p, struct inspect_word word)
{
    for (enum inspect_kind kind = 0; kind <= INSPECT_PRESENT; kind++)
        if (inspect_word_is(word, inspect_kind_name(kind))) {
            p->c->test = INSPECT_TEST_KIND;
            p->c->value = kind;
            mean(p, "is a %s", inspect_kind_name(kind));
            return true;
        }
    return false;
}

static bool begins_with(const char *name, struct inspect_word word)
{
    return word.length >= 3 && strncasecmp(name, word.text, word.length) == 0;
}

/* "TRIANGLELIST", or the beginning of several: "tri". */
static bool type_condition(struct parser *p, struct inspect_word word)
{
    char list[INSPECT_MEANING] = "";
    size_t length = 0;

    for (uint32_t type = 1; type < 8; type++) {
        const char *name = dp2_primitive_name(type);

        if (name && begins_with(name, word)) {
            p->c->value |= 1u << type;
            length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s", length ? " or " : "", name);
        }
    }
    p->c->test = INSPECT_TEST_TYPE;
    mean(p, "draws a %.140s", list);
    return p->c->value != 0;
}

/* Is it the beginning of a token that draws, clears or copies, or of such an event? */
static bool begins_token(struct inspect_word word)
{
    const struct dp2_token_info *info;
    enum inspect_kind kind;

    for (unsigned n = 0; n < 256; n++)
        if ((info = dp2_token_row((uint8_t)n)) && inspect_token_kind(info, &kind) && begins_with(info->name, word))
            return true;
    return begins_with(capture_event_name(CAPTURE_BLT), word) || begins_with(capture_event_name(CAPTURE_FLIP), word);
}

static bool token_condition(struct parser *p, struct inspect_word word)
{
    if (word.length >= INSPECT_WORD_BYTES || !begins_token(word))
        return false;
    p->c->test = INSPECT_TEST_TOKEN;
    memcpy(p->c->word, word.text, word.length);
    mean(p, "its token begins with %s", p->c->word);
    return true;
}

static bool condition(struct parser *p)
{
    struct inspect_word word = next_word(p);
    const struct dp2_state_name *name;

    if (inspect_word_is(word, "not")) {
        p->c->negated = true;
        word = next_word(p);
    }
    if (!word.length)
        return *p->at ? refuse(p, "'%c': of what?", *p->at) : refuse(p, "not: what?");
    if (inspect_word_is(word, "reads"))
        return surface_condition(p, INSPECT_TEST_READS, "reads");
    if (inspect_word_is(word, "writes"))
        return surface_condition(p, INSPECT_TEST_WRITES, "writes");
    if (inspect_word_is(word, "uses"))
        return surface_condition(p, INSPECT_TEST_USES, "uses");
    if (inspect_word_is(word, "changed"))
        return changed_condition(p);
    if (inspect_word_is(word, "stage") || inspect_word_is(word, "sampler"))
        return stage_condition(p, word);
    if (inspect_word_is(word, "refused")) {
        p->c->test = INSPECT_TEST_REFUSED;
        mean(p, "the driver refused it");
        return true;
    }
    if (word.text[0] == '#') {
        p->at = word.text;
        return surface_condition(p, INSPECT_TEST_USES, "#");
    }
    if (shader_condition(p, word) || place_condition(p, word) || kind_condition(p, word))
        return true;
    if (inspect_find_state(word, &p->c->is_stage, &p->c->number, &name)) {
        p->c->is_stage = false;
        return state_condition(p, word);
    }
    /* A word before an operator is meant to be a state. */
    if (is_operator(*p->at) || !(type_condition(p, word) || token_condition(p, word))) {
        const char *guess = inspect_guess_word(word);

        return refuse(p, "'%.*s' means nothing here%s%s%s", (int)BASE_MIN(word.length, (size_t)60), word.text,
                      guess ? "; did you mean '" : "", guess ? guess : "", guess ? "'?" : "");
    }
    return true;
}

/* Closes the sentence, and keeps the words as they were typed. */
static void finish(struct parser *p)
{
    struct inspect_condition *c = p->c;
    char sentence[INSPECT_MEANING];

    snprintf(c->words, sizeof(c->words), "%.*s", (int)BASE_MIN((size_t)(p->at - p->first), sizeof(c->words) - 1),
             p->first);
    if (c->negated) {
        memcpy(sentence, c->meaning, sizeof(sentence));
        snprintf(c->meaning, sizeof(c->meaning), "not: %.150s", sentence);
    }
}

struct inspect_query *inspect_query(const char *text, char *why, size_t why_size, bool *no_memory)
{
    struct parser p = {.at = text, .why = why, .why_size = why_size};

    p.query = mem_calloc(1, sizeof(*p.query));
    *no_memory = !p.query;
    if (!p.query) {
        refuse(&p, "out of memory");
        return NULL;
    }
    for (;;) {
        while (isspace((unsigned char)*p.at))
            p.at++;
        if (!*p.at && p.query->count)
            return p.query;
        p.first = p.at;
        p.c = &p.query->list[p.query->count];
        if (!*p.at) {
            refuse(&p, "there is no condition");
            break;
        }
        if (p.query->count == INSPECT_MOST_CONDITIONS) {
            refuse(&p, "more than %d conditions", INSPECT_MOST_CONDITIONS);
            break;
        }
        p.c->row = INSPECT_ANY_ROW;
        if (!condition(&p))
            break;
        finish(&p);
        p.query->needs_pipeline |= p.c->test == INSPECT_TEST_READS || p.c->test == INSPECT_TEST_USES;
        p.query->count++;
    }
    inspect_query_free(p.query);
    return NULL;
}

void inspect_query_free(struct inspect_query *query)
{
    free(query);
}

size_t inspect_query_count(const struct inspect_query *query)
{
    return query->count;
}

const char *inspect_query_words(const struct inspect_query *query, size_t number)
{
    return query->list[number].words;
}

const char *inspect_query_meaning(const struct inspect_query *query, size_t number)
{
    return query->list[number].meaning;
}

uint64_t inspect_query_tested(const struct inspect_query *query)
{
    return query->tested;
}

uint64_t inspect_query_met(const struct inspect_query *query, size_t number)
{
    return query->list[number].met;
}
