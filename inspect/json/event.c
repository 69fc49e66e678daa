/* SPDX-License-Identifier: MIT */
/*
 * Events and commands as JSON: names and values of dp2/text/visit.h.
 */
#include "inspect/json/event.h"

#include <inttypes.h>
#include <string.h>

static void open_group(void *user, const char *name, enum dp2_group group)
{
    (group == DP2_LIST ? json_open_list : json_open_object)(user, name);
}

static void close_group(void *user)
{
    json_close(user);
}

static void put_array(struct json_writer *json, const char *name, const struct dp2_value *value)
{
    json_open_list(json, name);
    for (size_t i = 0; i < value->count; i++)
        if (value->kind == DP2_VALUE_FLOATS)
            json_put_float(json, NULL, dp2_read_f32(value->at + 4 * i));
        else
            json_put_signed(json, NULL, (int32_t)dp2_read_u32(value->at + 4 * i));
    json_close(json);
}

static void event_put_color(struct json_writer *json, const char *name, uint32_t color)
{
    char text[16];

    snprintf(text, sizeof(text), "#%08" PRIx32, color);
    json_put_text(json, name, text);
}

static void event_put_value(void *user, const char *name, const struct dp2_value *value)
{
    switch (value->kind) {
    case DP2_VALUE_UNSIGNED:
    case DP2_VALUE_HEX:
    case DP2_VALUE_FLAGS:
        json_put_number(user, name, value->number);
        break;
    case DP2_VALUE_SIGNED:
        json_put_signed(user, name, (int32_t)value->number);
        break;
    case DP2_VALUE_BOOL:
        json_put_bool(user, name, value->number != 0);
        break;
    case DP2_VALUE_COLOR:
        event_put_color(user, name, value->number);
        break;
    case DP2_VALUE_NAME:
        json_put_text(user, name, value->name);
        break;
    case DP2_VALUE_FLOAT:
        json_put_float(user, name, dp2_read_f32(value->at));
        break;
    case DP2_VALUE_FLOATS:
    case DP2_VALUE_INTS:
        put_array(user, name, value);
        break;
    case DP2_VALUE_TEXT:
        json_put_characters(user, name, (const char *)value->at, value->count);
        break;
    case DP2_VALUE_BYTES:
        json_put_bytes(user, name, value->at, value->count);
        break;
    }
}

struct dp2_visitor json_event_visitor(struct json_writer *json, bool bytes)
{
    return (struct dp2_visitor){open_group, close_group, event_put_value, json, bytes};
}

void json_put_event(struct json_writer *json, const char *name, const struct capture_event *event, bool bytes)
{
    const struct dp2_visitor visitor = json_event_visitor(json, bytes);

    dp2_visit_event(&visitor, name, event);
}

void json_put_command(struct json_writer *json, const char *name, const struct dp2_command *command)
{
    const struct dp2_visitor visitor = json_event_visitor(json, false);

    dp2_visit_command(&visitor, name, command);
}

/* An event's record is closed when all that is in it is. */
struct more {
    struct dp2_visitor inner;
    unsigned depth;
    void (*put)(void *user, struct json_writer *json);
    void *user;
};

static void more_open(void *user, const char *name, enum dp2_group group)
{
    struct more *more = user;

    more->depth++;
    more->inner.open(more->inner.user, name, group);
}

static void more_close(void *user)
{
    struct more *more = user;

    if (--more->depth == 0)
        more->put(more->user, more->inner.user);
    more->inner.close(more->inner.user);
}

static void more_value(void *user, const char *name, const struct dp2_value *value)
{
    const struct more *more = user;

    more->inner.value(more->inner.user, name, value);
}

void json_put_event_and(struct json_writer *json, const char *name, const struct capture_event *event, bool bytes,
                        void (*put)(void *user, struct json_writer *json), void *user)
{
    struct more more = {json_event_visitor(json, bytes), 0, put, user};
    const struct dp2_visitor visitor = {more_open, more_close, more_value, &more, bytes};

    dp2_visit_event(&visitor, name, event);
}
