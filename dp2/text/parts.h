/* SPDX-License-Identifier: MIT */
/*
 * The data after the structures of commands and events, in parts, for output as text (print.c) and as named values
 * (visit.c). dp2/read.c and dp2/capture/events.c have checked the sizes.
 */
#ifndef HALCYON_DP2_TEXT_PARTS_H
#define HALCYON_DP2_TEXT_PARTS_H

#include "dp2/capture/capture.h"
#include "dp2/tokens.h"

#define DP2_MAX_PARTS 2

enum dp2_part_kind {
    DP2_PART_FIELDS,  /* one structure of `fields` */
    DP2_PART_RECORDS, /* `count` structures of `fields` */
    DP2_PART_FLOATS,  /* `count` rows of `columns` floats */
    DP2_PART_INTS,    /* `count` rows of `columns` DWORDs */
    DP2_PART_BYTES,   /* `size` bytes */
    DP2_PART_TEXT,    /* `size` bytes of UTF-8 */
};

struct dp2_part {
    enum dp2_part_kind kind;
    const char *name;   /* of bytes and text */
    const char *fields; /* letters and names, dp2/tokens.h */
    unsigned columns;
    const uint8_t *at;
    size_t count;
    size_t size; /* bytes: of the whole part, of a row or of a structure */
};

/* The parts of the data after an entry of a token with this rule; returns their number. */
unsigned dp2_entry_parts(const struct dp2_entry *entry, enum dp2_size_rule rule, struct dp2_part parts[DP2_MAX_PARTS]);
/* Inline vertices, preceded by the padding unless it is all 0. Returns the number of parts. */
unsigned dp2_vertex_parts(const struct dp2_command *command, struct dp2_part parts[DP2_MAX_PARTS]);

/* An array after the structure of an event. */
struct dp2_event_array {
    const char *one, *all; /* names of a row, and of the rows */
    const char *fields;
    const uint8_t *at;
    uint32_t count;
};
/* The arrays of a valid event, in order; returns their number. */
unsigned dp2_event_arrays(const struct capture_event *event, struct dp2_event_array arrays[DP2_MAX_PARTS]);

bool dp2_is_zero(const uint8_t *at, size_t size);

#endif
