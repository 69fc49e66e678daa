/* SPDX-License-Identifier: MIT */
/* Values of a trace as what a method takes: numbers, and bytes behind pointers. */
#ifndef HALCYON_TOOLS_IMPORT_ARGUMENTS_H
#define HALCYON_TOOLS_IMPORT_ARGUMENTS_H

#include "tools/import/calls.h"
#include "tools/import/methods.h"

/* How a call passes an argument, by its type. */
enum argument_kind {
    ARGUMENT_UNKNOWN,
    ARGUMENT_NUMBER,
    ARGUMENT_WINDOW,
    ARGUMENT_OBJECT,     /* an interface pointer */
    ARGUMENT_RESULT,     /* a pointer to where one is stored */
    ARGUMENT_BYTES,      /* a pointer to what the method reads: `layout` */
    ARGUMENT_PARAMETERS, /* the same, D3DPRESENT_PARAMETERS */
    ARGUMENT_LOCK,       /* a pointer to what a lock answers */
    ARGUMENT_ANSWER,     /* a pointer to what the method answers, which nobody reads */
    ARGUMENT_NULL,       /* a pointer that is not passed on: dirty regions, shared handles */
};

/*
 * The layout of a structure, repeated for an array: 'd' a DWORD, or a float; 'w' a WORD; 'b' a BYTE; 'h' a window, 8 bytes; '.' 4 bytes of
 * padding. "" as they are: a block of bytes.
 */
enum argument_kind import_argument_kind(const struct import_argument *argument, unsigned version, const char **layout);

/* Bytes that grow. */
struct import_bytes {
    uint8_t *data;
    size_t size, capacity;
};
/* False: out of memory. data NULL: zeroes. */
bool import_bytes_add(struct import_bytes *bytes, const void *data, size_t size);
void import_bytes_align(struct import_bytes *bytes); /* to 8, with room that is already there */

/* A number, the bits of a float, or 0 for NULL. False: the value is something else. */
bool import_number(const struct trace_value *value, uint64_t *number);
/* The number at `index` of an array, or of a pointer's array of one structure: the first of `index` members. */
bool import_member(const struct trace_value *value, unsigned index, uint64_t *number);
/* Adds a value's bytes. False: it does not have the layout, or memory ran out. */
bool import_put(struct import_bytes *bytes, const struct trace_value *value, const char *layout);

/* How many bytes argument `index` of a method must have, given the numbers of all of them; *fits is false if no buffer could be so large. 1
 * if the layout alone decides. */
size_t import_needed(const char *method, unsigned index, const uint64_t *numbers, bool *fits);

#endif
