/* SPDX-License-Identifier: MIT */
/* A condition on an action, as the parser makes it and find.c tests it. */
#ifndef HALCYON_INSPECT_CONDITION_H
#define HALCYON_INSPECT_CONDITION_H

#include "inspect/find/find.h"

struct dp2_state_name;

enum inspect_test {
    INSPECT_TEST_STATE,   /* a render state, or of `row` or any row a stage state: `compare` with `value` */
    INSPECT_TEST_CHANGED, /* the state has another value than at the action before */
    INSPECT_TEST_READS,   /* surface `value` */
    INSPECT_TEST_WRITES,
    INSPECT_TEST_USES,          /* reads or writes, or has as a vertex or index buffer */
    INSPECT_TEST_VERTEX_SHADER, /* handle `value`; 0: the fixed function */
    INSPECT_TEST_PIXEL_SHADER,
    INSPECT_TEST_KIND,    /* enum inspect_kind `value` */
    INSPECT_TEST_TYPE,    /* bit n of `value`: D3DPRIMITIVETYPE n */
    INSPECT_TEST_TOKEN,   /* `word` begins its name */
    INSPECT_TEST_PLACE,   /* `frame`.`value` */
    INSPECT_TEST_REFUSED, /* by the driver */
};

enum inspect_compare {
    INSPECT_EQUAL,
    INSPECT_UNEQUAL,
    INSPECT_LESS,
    INSPECT_LESS_EQUAL,
    INSPECT_GREATER,
    INSPECT_GREATER_EQUAL,
};

#define INSPECT_ANY_ROW    UINT32_MAX
#define INSPECT_WORD_BYTES 48

struct inspect_condition {
    enum inspect_test test;
    bool negated;
    bool is_stage;   /* a stage state; else a render state */
    bool is_float;   /* compare as floats */
    uint32_t row;    /* of stage states: hal_stage_row; INSPECT_ANY_ROW */
    uint32_t number; /* of the state */
    enum inspect_compare compare;
    uint32_t value, frame;
    char word[INSPECT_WORD_BYTES];
    char words[INSPECT_MEANING], meaning[INSPECT_MEANING];
    uint64_t met;
};

struct inspect_query {
    struct inspect_condition list[INSPECT_MOST_CONDITIONS];
    size_t count;
    uint64_t tested;
    bool needs_pipeline; /* a condition is about what programs read */
};

/* words.c: a word that is not NUL-terminated. */
struct inspect_word {
    const char *text;
    size_t length;
};

bool inspect_word_is(struct inspect_word word, const char *name);
/* The state of a name, whatever its case. False: there is none. */
bool inspect_find_state(struct inspect_word word, bool *is_stage, uint32_t *number, const struct dp2_state_name **name);
/* The value of a state as `dp2 state` prints it, or on, off, a number. False: it has no such value. */
bool inspect_find_value(const struct dp2_state_name *name, struct inspect_word word, uint32_t *value);
/* The values that have names, as a list: "FALSE, TRUE, USEW"; else what may be typed: "a number". */
void inspect_list_values(const struct dp2_state_name *name, char *out, size_t size);
/* The name of a state, or one of the other words, that the word resembles or begins; NULL: none. */
const char *inspect_guess_word(struct inspect_word word);
/* A value of the state that the word resembles or begins; NULL: none. */
const char *inspect_guess_value(const struct dp2_state_name *name, struct inspect_word word);

#endif
