/* SPDX-License-Identifier: MIT */
/*
 * Commands and events as values with names: for printers with a notation of their own. Knows the field letters of
 * dp2/tokens.h and no notation.
 */
#ifndef HALCYON_DP2_TEXT_VISIT_H
#define HALCYON_DP2_TEXT_VISIT_H

#include "dp2/capture/capture.h"
#include "dp2/names.h"
#include "dp2/tokens.h"

enum dp2_value_kind {
    DP2_VALUE_UNSIGNED, /* number */
    DP2_VALUE_SIGNED,   /* number, an INT */
    DP2_VALUE_HEX,      /* number that people read in hexadecimal */
    DP2_VALUE_FLAGS,    /* number, a word of the flags `set` (dp2/names.h) */
    DP2_VALUE_BOOL,     /* number: 0 or 1 */
    DP2_VALUE_COLOR,    /* number: 0xaarrggbb */
    DP2_VALUE_NAME,     /* name */
    DP2_VALUE_FLOAT,    /* at: 4 bytes, any bits */
    DP2_VALUE_FLOATS,   /* at: `count` of them */
    DP2_VALUE_INTS,     /* at: `count` of 4 bytes */
    DP2_VALUE_BYTES,    /* at: `count` of 1 byte */
    DP2_VALUE_TEXT,     /* at: `count` bytes that should be UTF-8, without an end */
};

struct dp2_value {
    enum dp2_value_kind kind;
    char set;
    uint32_t number;
    const char *name; /* may be in `text`: a value is not copied */
    const uint8_t *at;
    size_t count;
    char text[DP2_FVF_NAME];
};

/* The value of a field letter at `at`, which has dp2_field_size(letter) bytes. *state: NULL at first; it is set by the letters
 * S and T, and says what the V after them is. */
void dp2_decode_value(struct dp2_value *value, char letter, const uint8_t *at, const struct dp2_state_name **state);

enum dp2_group {
    DP2_RECORD, /* what is in it has names */
    DP2_LIST,   /* what is in it has none: NULL */
};

struct dp2_visitor {
    void (*open)(void *user, const char *name, enum dp2_group group);
    void (*close)(void *user);
    void (*value)(void *user, const char *name, const struct dp2_value *value);
    void *user;
    bool bytes; /* of commands, too, as "bytes": all that they take in the stream, with the header */
};

/* A command, as a record; `name` may be NULL. */
void dp2_visit_command(const struct dp2_visitor *visitor, const char *name, const struct dp2_command *command);
/* A sound event with all that is in it, as a record. */
void dp2_visit_event(const struct dp2_visitor *visitor, const char *name, const struct capture_event *event);

/* The parts of both: fields of `data` up to ';' or the end of `fields`, where it returns; a number; a word. */
const char *dp2_visit_fields(const struct dp2_visitor *visitor, const char *fields, const uint8_t *data);
void dp2_visit_number(const struct dp2_visitor *visitor, const char *name, uint32_t number);
void dp2_visit_name(const struct dp2_visitor *visitor, const char *name, const char *text);
void dp2_visit_bytes(const struct dp2_visitor *visitor, const char *name, const uint8_t *data, size_t size);

#endif
