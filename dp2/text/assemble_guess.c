/* SPDX-License-Identifier: MIT */
/*
 * Suggests a known name for an unknown one.
 */
#include "dp2/text/assemble.h"

#include "dp2/names.h"

void asm_guess_field(struct word_guess *guess, const char *fields)
{
    while (*fields) {
        const size_t length = *fields == ';' ? 0 : strcspn(fields + 2, ",;");

        if (length) {
            word_guess(guess, fields + 2, length);
            fields += 2 + length;
        }
        fields += *fields == ',' || *fields == ';';
    }
}

bool asm_unknown(struct asm_parser *p, const struct word_guess *guess, const char *what, const char *where)
{
    const int length = (int)(p->length < 60 ? p->length : 60);

    return asm_fail(p, "no %s is called \"%.*s\"%s%s%s%.*s%s", what, length, p->word, where ? " in " : "",
                    where ? where : "", guess->best ? "; did you mean \"" : "", (int)guess->best_length,
                    guess->best ? guess->best : "", guess->best ? "\"?" : "");
}

struct word_guess asm_guess_word(const struct asm_parser *p)
{
    return (struct word_guess){.word = p->word, .word_length = p->length};
}

bool asm_unknown_format(struct asm_parser *p)
{
    struct word_guess guess = asm_guess_word(p);
    char code[5];

    for (uint32_t i = 0; i < 256; i++) {
        const char *name = dp2_format_name(i, code);

        if (name && name != code)
            word_guess(&guess, name, strlen(name));
    }
    return asm_unknown(p, &guess, "format", NULL);
}

bool asm_unknown_state(struct asm_parser *p, bool stage)
{
    struct word_guess guess = asm_guess_word(p);

    for (uint32_t i = 0; i < 256; i++) {
        const struct dp2_state_name *state = stage ? dp2_stage_state_name(i) : dp2_render_state_name(i);

        if (state)
            word_guess(&guess, state->name, strlen(state->name));
    }
    return asm_unknown(p, &guess, stage ? "texture stage state" : "render state", NULL);
}

bool asm_unknown_value(struct asm_parser *p, char type, const char *of)
{
    struct word_guess guess = asm_guess_word(p);

    for (uint32_t i = 0; i < 256; i++) {
        const char *name = dp2_value_name(type, i);

        if (name)
            word_guess(&guess, name, strlen(name));
    }
    return asm_unknown(p, &guess, "value", of);
}
