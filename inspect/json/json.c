/* SPDX-License-Identifier: MIT */
/* The answers as JSON. */
#include "inspect/json/json.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/state/changes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void inspect_put_place(struct json_writer *json, const char *name, const struct inspect_place *place)
{
    char text[32];

    snprintf(text, sizeof(text), "%" PRIu32 ".%" PRIu32, place->frame, place->draw);
    json_put_text(json, name, text);
}

void inspect_put_action(struct json_writer *json, const struct inspect_action *action)
{
    json_put_text(json, "kind", inspect_kind_name(action->kind));
    json_put_text(json, "token", action->token);
    if (action->call != INSPECT_NO_CALL) {
        json_put_number(json, "call", action->call);
        json_put_number(json, "offset", action->offset);
        json_put_number(json, "entry", action->entry);
    }
    if (action->context)
        json_put_number(json, "context", action->context);
}

static void put_counts(struct json_writer *json, const struct inspect_counts *counts)
{
    json_put_number(json, "parts", counts->parts);
    json_put_number(json, "vertices_named", counts->named);
    json_put_number(json, "vertices_processed", counts->processed);
    json_put_number(json, "assembled", counts->primitives);
    json_put_number(json, "rejected", counts->rejected);
    json_put_number(json, "no_area", counts->no_area);
    json_put_number(json, "clipped", counts->clipped);
    json_put_number(json, "culled", counts->culled);
    json_put_number(json, "tested", counts->tested);
    json_put_number(json, "killed", counts->killed);
    json_put_number(json, "passed", counts->passed);
    json_put_number(json, "written", counts->written);
}

static void put_lack(struct json_writer *json, const struct inspect_lack *lack)
{
    const bool is_stream = lack->kind == INSPECT_LACK_STREAM || lack->kind == INSPECT_LACK_STREAM_BYTES ||
                           lack->kind == INSPECT_LACK_STRIDE;
    char text[INSPECT_LACK_TEXT];

    json_open_object(json, NULL);
    json_put_text(json, "lack", inspect_lack_name(lack));
    if (is_stream)
        json_put_number(json, "stream", lack->stream);
    if (lack->surface)
        json_put_number(json, "surface", lack->surface);
    if (lack->kind == INSPECT_LACK_STREAM_BYTES || lack->kind == INSPECT_LACK_INDEX_BYTES) {
        json_put_signed(json, "begin", lack->begin);
        json_put_signed(json, "end", lack->end);
        json_put_number(json, "bytes", lack->bytes);
    }
    inspect_lack_text(lack, text);
    json_put_text(json, "text", text);
    json_close(json);
}

void inspect_put_lacks(struct json_writer *json, const char *name, const struct inspect_lacks *lacks)
{
    json_open_list(json, name);
    for (unsigned i = 0; i < lacks->count; i++)
        put_lack(json, &lacks->list[i]);
    json_close(json);
}

static void put_targets(struct json_writer *json, const struct inspect_draw *draw)
{
    unsigned last = 0;

    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        last = draw->target[t] ? t + 1 : last;
    json_open_list(json, "targets");
    for (unsigned t = 0; t < last; t++)
        json_put_number(json, NULL, draw->target[t]);
    json_close(json);
    json_put_number(json, "depth", draw->depth);
}

static void put_primitives(struct json_writer *json, const struct inspect_action *action)
{
    const char *type = dp2_primitive_name(action->type);

    if (type)
        json_put_text(json, "type", type);
    json_put_number(json, "primitives", action->primitives);
}

void inspect_put_name(struct json_writer *json, const char *name, const struct inspect_place *place,
                      const struct inspect_action *action)
{
    json_open_object(json, name);
    inspect_put_place(json, "draw", place);
    inspect_put_action(json, action);
    if (action->kind == INSPECT_DRAW)
        put_primitives(json, action);
    json_close(json);
}

static void put_drawing(struct json_writer *json, const struct inspect_draw *draw,
                        const struct inspect_changes *changes)
{
    put_primitives(json, &draw->action);
    put_counts(json, &draw->counts);
    inspect_put_lacks(json, "lacks", &draw->lacks);
    json_open_list(json, "textures");
    for (unsigned i = 0; i < draw->texture_count; i++) {
        json_open_object(json, NULL);
        json_put_number(json, "sampler", draw->texture[i].sampler);
        json_put_number(json, "surface", draw->texture[i].surface);
        json_close(json);
    }
    json_close(json);
    json_put_number(json, "vertex_shader", draw->vertex_shader);
    json_put_number(json, "pixel_shader", draw->pixel_shader);
    json_open_list(json, "changes");
    for (size_t i = 0; changes && i < BASE_MIN(changes->count, (size_t)INSPECT_MOST_CHANGES); i++)
        json_put_text(json, NULL, changes->text[i]);
    json_close(json);
    json_put_number(json, "change_count", changes ? changes->count : 0);
}

void inspect_put_draw(struct json_writer *json, const char *name, const struct inspect_draw *draw,
                      const struct inspect_changes *changes)
{
    json_open_object(json, name);
    inspect_put_place(json, "draw", &draw->place);
    inspect_put_action(json, &draw->action);
    json_put_bool(json, "refused", draw->refused);
    put_targets(json, draw);
    if (draw->action.kind == INSPECT_DRAW)
        put_drawing(json, draw, changes);
    else
        json_put_text(json, "text", draw->text);
    json_put_real(json, "seconds", draw->seconds);
    json_close(json);
}

void inspect_put_value(struct json_writer *json, const struct inspect_value *value)
{
    switch (value->kind) {
    case INSPECT_FLOATS:
        json_open_list(json, "floats");
        for (unsigned i = 0; i < value->count; i++) {
            float number;

            memcpy(&number, &value->bits[i], sizeof(number));
            json_put_float(json, NULL, number);
        }
        json_close(json);
        return;
    case INSPECT_INTS:
        json_open_list(json, "integers");
        for (unsigned i = 0; i < value->count; i++)
            json_put_signed(json, NULL, (int32_t)value->bits[i]);
        json_close(json);
        return;
    case INSPECT_BITS:
        json_put_number(json, "bits", value->bits[0]);
        break;
    case INSPECT_LINES:
        break;
    }
    json_put_text(json, "text", value->text ? value->text : "");
}
