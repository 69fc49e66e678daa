/* SPDX-License-Identifier: MIT */
/*
 * JSON by libjansson: the library makes and prints values. For streamed levels only brackets and commas are written
 * here.
 */
#include "base/json/json.h"

#include "base/base.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOAT_DIGITS 9

static struct json_level *innermost(struct json_writer *json)
{
    return &json->level[json->depth - 1];
}

static void dump(struct json_writer *json, const json_t *value)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(FLOAT_DIGITS) | (json->one_line ? JSON_COMPACT : 0);

    json->failed |= !value;
    if (!value)
        fputs("null", json->file);
    else if (json_dumpf(value, json->file, flags) != 0 && !ferror(json->file)) /* reported at the end of the program */
        json->failed = true;
}

/* Text as a value; NULL: out of memory. */
static json_t *make_text(const char *text, size_t length)
{
    static const char replacement[] = "\xef\xbf\xbd";
    json_t *value = json_stringn(text, length);
    char *copy, *to;

    if (value)
        return value;
    /* Then the text is not UTF-8, or memory ran out. */
    copy = to = mem_alloc(length, 3, 1);
    for (size_t i = 0; copy && i < length;) {
        char window[5] = "";
        size_t bytes;

        memcpy(window, text + i, length - i < 4 ? length - i : 4); /* a sequence must not continue beyond the text */
        bytes = utf8_length(window);
        memcpy(to, bytes ? text + i : replacement, bytes ? bytes : 3);
        to += bytes ? bytes : 3;
        i += bytes ? bytes : 1;
    }
    value = copy ? json_stringn(copy, (size_t)(to - copy)) : NULL;
    free(copy);
    return value;
}

/* Writes comma, line end and name before a value of a streamed level. */
static void json_put_name(struct json_writer *json, const char *name)
{
    struct json_level *outside = innermost(json);

    if (!outside->empty)
        fputc(',', json->file);
    if (!json->one_line && outside->list)
        fputc('\n', json->file);
    else if (!json->one_line)
        fputs("\n ", json->file);
    outside->empty = false;
    if (name) {
        json_t *text = make_text(name, strlen(name));

        dump(json, text);
        json_decref(text);
        fputs(json->one_line ? ":" : ": ", json->file);
    }
}

/* Adds a value to the enclosing one, or writes it, and takes ownership. NULL: out of memory for the value. Returns
 * false if it was not added. */
static bool json_put_here(struct json_writer *json, const char *name, json_t *value)
{
    struct json_level *outside = innermost(json);
    bool done = value != NULL;

    if (json->lost) {
        json_decref(value);
        return false;
    }
    if (!outside->value) {
        json_put_name(json, name);
        dump(json, value);
        json_decref(value);
    } else if (outside->list) {
        done = json_array_append_new(outside->value, value) == 0;
    } else {
        json_t *key = make_text(name, strlen(name));

        if (key)
            done = json_object_set_new_nocheck(outside->value, json_string_value(key), value) == 0;
        else
            json_decref(value);
        done &= key != NULL;
        json_decref(key);
    }
    json->failed |= !done;
    return done;
}

/* --- objects and lists --------------------------------------------------------------------------- */

static void json_push(struct json_writer *json, json_t *value, bool list)
{
    assert(json->depth < JSON_DEPTH);
    json->level[json->depth++] = (struct json_level){value, list, true};
}

static void stream(struct json_writer *json, const char *name, bool list)
{
    if (json->depth) {
        assert(!innermost(json)->value);
        json_put_name(json, name);
    }
    fputc(list ? '[' : '{', json->file);
    json_push(json, NULL, list);
}

void json_stream_object(struct json_writer *json, const char *name)
{
    stream(json, name, false);
}

void json_stream_list(struct json_writer *json, const char *name)
{
    stream(json, name, true);
}

static void build(struct json_writer *json, const char *name, json_t *value, bool list)
{
    if (json->lost) {
        json_decref(value);
        json->lost++;
    } else if (innermost(json)->value ? json_put_here(json, name, value) : value != NULL) {
        if (!innermost(json)->value)
            json_put_name(json, name);
        json_push(json, value, list);
    } else {
        json->failed = true;
        json->lost = 1;
    }
}

void json_open_object(struct json_writer *json, const char *name)
{
    build(json, name, json_object(), false);
}

void json_open_list(struct json_writer *json, const char *name)
{
    build(json, name, json_array(), true);
}

void json_close(struct json_writer *json)
{
    struct json_level closed;

    if (json->lost) {
        json->lost--;
        return;
    }
    closed = json->level[--json->depth];
    if (!closed.value) {
        if (!closed.empty && !json->one_line)
            fputc('\n', json->file);
        fputc(closed.list ? ']' : '}', json->file);
    } else if (!innermost(json)->value) {
        dump(json, closed.value);
        json_decref(closed.value);
    }
}

void json_begin(struct json_writer *json, FILE *file, const char *format, bool one_line)
{
    *json = (struct json_writer){.file = file, .one_line = one_line};
    stream(json, NULL, false);
    json_put_text(json, "format", format);
    json_put_number(json, "version", JSON_SCHEMA_VERSION);
}

bool json_end(struct json_writer *json)
{
    while (json->depth)
        json_close(json);
    fputc('\n', json->file);
    return !json->failed;
}

/* --- values -------------------------------------------------------------------------------------- */

void json_put_text(struct json_writer *json, const char *name, const char *text)
{
    json_put_here(json, name, make_text(text, strlen(text)));
}

void json_put_characters(struct json_writer *json, const char *name, const char *text, size_t length)
{
    json_put_here(json, name, make_text(text, length));
}

void json_put_bytes(struct json_writer *json, const char *name, const uint8_t *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text = mem_alloc(size, 2, 1);

    for (size_t i = 0; text && i < size; i++) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 15];
    }
    json_put_here(json, name, text ? json_stringn_nocheck(text, 2 * size) : NULL);
    free(text);
}

void json_put_number(struct json_writer *json, const char *name, uint64_t number)
{
    json_put_here(json, name, json_integer((json_int_t)(number < INT64_MAX ? number : INT64_MAX)));
}

void json_put_signed(struct json_writer *json, const char *name, int64_t number)
{
    json_put_here(json, name, json_integer(number));
}

void json_put_float(struct json_writer *json, const char *name, float number)
{
    uint32_t bits;
    char text[16];

    memcpy(&bits, &number, sizeof(bits));
    snprintf(text, sizeof(text), "0x%" PRIx32, bits);
    json_put_here(json, name, isfinite(number) ? json_real((double)number) : json_string(text));
}

void json_put_real(struct json_writer *json, const char *name, double number)
{
    json_put_here(json, name, json_real(number));
}

void json_put_bool(struct json_writer *json, const char *name, bool value)
{
    json_put_here(json, name, json_boolean(value));
}

void json_put_null(struct json_writer *json, const char *name)
{
    json_put_here(json, name, json_null());
}

void json_put_hash(struct json_writer *json, const char *name, uint64_t hash)
{
    char text[24];

    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    json_put_here(json, name, json_string(text));
}
