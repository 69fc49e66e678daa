/* SPDX-License-Identifier: MIT */
/*
 * The whole state of a context, and of the surfaces and palettes of DirectDraw, as named values, in groups. Numbers have the names of their enumerations and flags from
 * d3d/states.def and d3d/formats.def.
 */
#ifndef HALCYON_INSPECT_STATE_H
#define HALCYON_INSPECT_STATE_H

#include "inspect/inspect.h"

enum inspect_value_kind {
    INSPECT_BITS,   /* bits[0] */
    INSPECT_FLOATS, /* bits[0..count): of floats; a matrix has 16, row by row */
    INSPECT_INTS,   /* bits[0..count) */
    INSPECT_LINES,  /* text alone, of several lines */
};

#define INSPECT_VALUE_BITS 16

struct inspect_value {
    char group[24]; /* "render states", "stage 0" ... */
    char name[40];
    enum inspect_value_kind kind;
    unsigned count;
    uint32_t bits[INSPECT_VALUE_BITS];
    bool is_default; /* as a device begins */
    char *text;      /* readable text, UTF-8; NULL for floats and ints */
};

struct inspect_state {
    uint32_t context;             /* as the capture calls it; 0: none, so the state is that of surfaces alone */
    struct inspect_value *values; /* grouped */
    size_t count, capacity;
    bool failed; /* memory ran out */
};

/*
 * The state of a context at the position: the state of the last action. context 0: that of the last action that has
 * one; if the frame has none, that of the surfaces and palettes alone. Free it with inspect_state_free also after an error. Returns false
 * and sets *error if there is no such context, the capture is damaged, or memory is short.
 */
bool inspect_state(struct inspect *session, uint32_t context, struct inspect_state *state, struct capture_error *error);
void inspect_state_free(struct inspect_state *state);

/* A value of a render state or stage state in the words of the state's kind: "FALSE", "SRCALPHA", "RED|GREEN", "#ff102030". */
struct dp2_state_name;
void inspect_write_value(const struct dp2_state_name *name, uint32_t value, char *out, size_t size);
/* "stage 3", "sampler 12", "vertex sampler 1": of a row of hal_state.stage_state. */
void inspect_name_row(unsigned row, char name[32]);

/* The value of the same group and name; NULL: none. hint: an index where it may be. */
const struct inspect_value *inspect_state_find(const struct inspect_state *state, const struct inspect_value *value,
                                               size_t hint);
/* Are they equal? NULL: the value does not exist, which equals a default. */
bool inspect_same_value(const struct inspect_value *a, const struct inspect_value *b);

#endif
