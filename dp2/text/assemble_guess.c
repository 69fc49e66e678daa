/* SPDX-License-Identifier: MIT */
/*
 * Suggests a known name for an unknown one.
 */
#include "dp2/text/assemble.h"

#include "dp2/names.h"

#include <ctype.h>

#define LONGEST 32u /* letters; longer words are not compared */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned dp2_word_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LONGEST + 1] = {{0}}; /* for the last two letters of a, and for the current one */

    if (a_length > LONGEST || b_length > LONGEST)
        return LONGEST;
    for (unsigned x = 0; x <= b_length; x++)
        rows[1][x] = x;
    for (unsigned y = 1; y <= a_length; y++) {
        unsigned *row = rows[2];

        row[0] = y;
        for (unsigned x = 1; x <= b_length; x++) {
            const bool same = toupper((unsigned char)a[y - 1]) == toupper((unsigned char)b[x - 1]);

            row[x] = least(least(row[x - 1], rows[1][x]) + 1, rows[1][x - 1] + !same);
            if (y > 1 && x > 1 && a[y - 1] == b[x - 2] && a[y - 2] == b[x - 1])
                row[x] = least(row[x], rows[0][x - 2] + 1);
        }
        memcpy(rows[0], rows[1], sizeof(rows[0]));
        memcpy(rows[1], rows[2], sizeof(rows[1]));
    }
    return rows[1][b_length];
}

void asm_guess(struct asm_guess *guess, const char *name, size_t length)
{
    /* One letter of a word of three may be wrong, more of a longer one. */
    const unsigned limit = guess->word_length < 3 ? 0 : guess->word_length < 6 ? 1 : guess->word_length / 3;
    const unsigned distance = dp2_word_distance(guess->word, guess->word_length, name, length);

    if (distance <= limit && (!guess->best || distance < guess->distance)) {
        guess->best = name;
        guess->best_length = length;
        guess->distance = distance;
    }
}

void asm_guess_field(struct asm_guess *guess, const char *fields)
{
    while (*fields) {
        const size_t length = *fields == ';' ? 0 : strcspn(fields + 2, ",;");

        if (length) {
            asm_guess(guess, fields + 2, length);
            fields += 2 + length;
        }
        fields += *fields == ',' || *fields == ';';
    }
}

bool asm_unknown(struct asm_parser *p, const struct asm_guess *guess, const char *what, const char *where)
{
    const int length = (int)(p->length < 60 ? p->length : 60);

    return asm_fail(p, "no %s is called \"%.*s\"%s%s%s%.*s%s", what, length, p->word, where ? " in " : "",
                    where ? where : "", guess->best ? "; did you mean \"" : "", (int)guess->best_length,
                    guess->best ? guess->best : "", guess->best ? "\"?" : "");
}

struct asm_guess asm_guess_word(const struct asm_parser *p)
{
    return (struct asm_guess){.word = p->word, .word_length = p->length};
}

bool asm_unknown_format(struct asm_parser *p)
{
    struct asm_guess guess = asm_guess_word(p);
    char code[5];

    for (uint32_t i = 0; i < 256; i++) {
        const char *name = dp2_format_name(i, code);

        if (name && name != code)
            asm_guess(&guess, name, strlen(name));
    }
    return asm_unknown(p, &guess, "format", NULL);
}

bool asm_unknown_state(struct asm_parser *p, bool stage)
{
    struct asm_guess guess = asm_guess_word(p);

    for (uint32_t i = 0; i < 256; i++) {
        const struct dp2_state_name *state = stage ? dp2_stage_state_name(i) : dp2_render_state_name(i);

        if (state)
            asm_guess(&guess, state->name, strlen(state->name));
    }
    return asm_unknown(p, &guess, stage ? "texture stage state" : "render state", NULL);
}

bool asm_unknown_value(struct asm_parser *p, char type, const char *of)
{
    struct asm_guess guess = asm_guess_word(p);

    for (uint32_t i = 0; i < 256; i++) {
        const char *name = dp2_value_name(type, i);

        if (name)
            asm_guess(&guess, name, strlen(name));
    }
    return asm_unknown(p, &guess, "value", of);
}
