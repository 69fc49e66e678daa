/* SPDX-License-Identifier: MIT */
/*
 * JSON documents (RFC 8259) as every verb prints them with --json: docs/json.md describes them. A thin layer over
 * libjansson, which makes the values. Streamed levels are written immediately; built levels are held until they are
 * closed.
 *
 * The name of a member is NULL in a list. Text need not be UTF-8: each byte that belongs to no character becomes
 * U+FFFD. json_end reports if memory ran out.
 */
#ifndef HALCYON_BASE_JSON_H
#define HALCYON_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_SCHEMA_VERSION 1  /* of docs/json.md; grows when a member is removed or changes its meaning */
#define JSON_DEPTH          16 /* levels of objects and lists */

struct json_level {
    json_t *value; /* NULL: streamed; owned by the level if the one outside is streamed, else by that one's value */
    bool list, empty;
};

struct json_writer {
    FILE *file;
    bool one_line; /* without spaces and newlines */
    bool failed;
    unsigned lost; /* open levels for which there was no memory, inside all others */
    unsigned depth;
    struct json_level level[JSON_DEPTH];
};

/* Begins a document with its members "format" and "version". one_line: it is a line of a longer answer. */
void json_begin(struct json_writer *json, FILE *file, const char *format, bool one_line);
/* Closes all open levels and the document. Returns false if memory ran out and the document is incomplete. */
bool json_end(struct json_writer *json);

void json_open_object(struct json_writer *json, const char *name);
void json_open_list(struct json_writer *json, const char *name);
/* Streamed: for long lists, and for the levels that contain them. The enclosing level must be streamed, too. */
void json_stream_object(struct json_writer *json, const char *name);
void json_stream_list(struct json_writer *json, const char *name);
/* Closes the innermost of either kind. */
void json_close(struct json_writer *json);

void json_put_text(struct json_writer *json, const char *name, const char *text);
/* Any characters, including 0. */
void json_put_characters(struct json_writer *json, const char *name, const char *text, size_t length);
/* Two hexadecimal digits a byte. */
void json_put_bytes(struct json_writer *json, const char *name, const uint8_t *data, size_t size);
/* Counts, which are far below 2^63. */
void json_put_number(struct json_writer *json, const char *name, uint64_t number);
void json_put_signed(struct json_writer *json, const char *name, int64_t number);
/* Nine significant digits, so that a float is restored exactly; a number that is not finite is the text "0x" and its
 * bits. */
void json_put_float(struct json_writer *json, const char *name, float number);
/* A number, which must be finite. */
void json_put_real(struct json_writer *json, const char *name, double number);
void json_put_bool(struct json_writer *json, const char *name, bool value);
void json_put_null(struct json_writer *json, const char *name);
/* "%016x": 64 bits, more than many readers accept as a number. */
void json_put_hash(struct json_writer *json, const char *name, uint64_t hash);

#endif
