/* SPDX-License-Identifier: MIT */
/* The result of a capture: its file, and its comparison with that of the baseline. */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/output.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- comparison -------------------------------------------------------------------------------------------- */

static void result_note(struct farm_result *result, uint32_t frame)
{
    if (!result->changed || frame < result->first)
        result->first = frame;
    result->changed++;
}

/* Both lists are in the order of frames. */
static void result_compare_frames(struct farm_result *result, const struct farm_result *baseline)
{
    size_t a = 0, b = 0;

    while (a < result->count || b < baseline->count) {
        const struct farm_frame *now = a < result->count ? &result->frames[a] : NULL;
        const struct farm_frame *then = b < baseline->count ? &baseline->frames[b] : NULL;

        if (now && then && now->frame == then->frame) {
            if (now->hash != then->hash)
                result_note(result, now->frame);
            a++;
            b++;
        } else if (now && (!then || now->frame < then->frame)) {
            result_note(result, now->frame);
            a++;
        } else {
            result_note(result, then->frame);
            b++;
        }
    }
}

void farm_compare(struct farm_result *result, const struct farm_result *baseline)
{
    if (baseline)
        result_compare_frames(result, baseline);
    if (result->status > TOOL_DAMAGED)
        result->verdict = FARM_FAILED;
    else if (result->changed)
        result->verdict = FARM_DIFFERENT;
    else if (result->status == TOOL_DAMAGED && (!baseline || baseline->status != TOOL_DAMAGED))
        result->verdict = FARM_DAMAGED;
    else
        result->verdict = baseline ? FARM_SAME : FARM_NEW;
}

/* --- reading ----------------------------------------------------------------------------------------------- */

static bool result_read_frames(struct farm_result *result, const json_t *list)
{
    const json_t *frame;
    size_t i;

    if (!json_is_array(list))
        return false;
    result->frames = mem_calloc(json_array_size(list) + 1, sizeof(*result->frames));
    if (!result->frames)
        return false;
    json_array_foreach(list, i, frame)
    {
        uint64_t number;

        if (!farm_get_number(frame, "frame", UINT32_MAX, &number) ||
            !farm_get_hash(frame, "hash", &result->frames[i].hash) ||
            (i && number <= result->frames[i - 1].frame)) /* comparisons need their order */
            return false;
        result->frames[i].frame = (uint32_t)number;
        result->count = i + 1;
    }
    return true;
}

static bool result_read_verdict(struct farm_result *result, const char *name)
{
    for (unsigned i = 0; name && i < FARM_VERDICT_COUNT; i++)
        if (strcmp(name, farm_verdict_name((enum farm_verdict)i)) == 0) {
            result->verdict = (enum farm_verdict)i;
            return true;
        }
    return false;
}

static bool result_read_all(struct farm_result *result, const json_t *document)
{
    const char *message = farm_get_text(document, "message");
    const json_t *seconds = json_object_get(document, "seconds");
    const json_t *cpu_seconds = json_object_get(document, "cpu_seconds");
    uint64_t status, changed, first = 0;

    if (!message || !json_is_number(seconds) || !json_is_number(cpu_seconds) ||
        !result_read_verdict(result, farm_get_text(document, "verdict")) ||
        !farm_get_number(document, "status", 255, &status) ||
        !farm_get_number(document, "changed", UINT32_MAX, &changed) ||
        (changed && !farm_get_number(document, "first", UINT32_MAX, &first)) ||
        !result_read_frames(result, json_object_get(document, "frames")))
        return false;
    result->status = (int)status;
    result->changed = (size_t)changed;
    result->first = (uint32_t)first;
    result->seconds = json_number_value(seconds);
    result->cpu_seconds = json_number_value(cpu_seconds);
    result->has_picture[0] = json_is_true(json_object_get(document, "before"));
    result->has_picture[1] = json_is_true(json_object_get(document, "after"));
    utf8_clean(result->message, sizeof(result->message), message);
    return result->seconds >= 0 && result->cpu_seconds >= 0 && result->cpu_seconds < 1e9;
}

bool farm_result_read(struct farm_result *result, const char *folder, const char *file, uint64_t plan)
{
    char path[FARM_PATH];
    json_t *document = farm_result_path(path, folder, file) ? farm_load(path, "capture") : NULL;
    const char *named = farm_get_text(document, "file");
    const bool right = named && strcmp(named, file) == 0 && (!plan || farm_of_plan(document, plan));
    bool done;

    *result = (struct farm_result){0};
    done = right && result_read_all(result, document);
    json_decref(document);
    if (!done)
        farm_result_free(result);
    return done;
}

void farm_result_free(struct farm_result *result)
{
    free(result->frames);
    *result = (struct farm_result){0};
}

/* --- writing ----------------------------------------------------------------------------------------------- */

int farm_result_save(const struct farm_result *result, const char *folder, const char *file, uint64_t plan)
{
    char path[FARM_PATH];
    struct output output;
    struct json_writer json;

    if (!farm_result_path(path, folder, file))
        return tool_fail(&farm_messages, "%s: the name is too long", folder);
    if (!output_open(&output, path, OUTPUT_REPLACE))
        return tool_cannot_write(&farm_messages, path);
    farm_begin(&json, output.file, "capture", plan);
    json_put_text(&json, "file", file);
    json_put_text(&json, "verdict", farm_verdict_name(result->verdict));
    json_put_number(&json, "status", (uint64_t)result->status);
    json_put_text(&json, "message", result->message);
    json_put_real(&json, "seconds", result->seconds);
    json_put_real(&json, "cpu_seconds", result->cpu_seconds);
    json_put_number(&json, "changed", result->changed);
    if (result->changed)
        json_put_number(&json, "first", result->first);
    json_put_bool(&json, "before", result->has_picture[0]);
    json_put_bool(&json, "after", result->has_picture[1]);
    json_stream_list(&json, "frames");
    for (size_t i = 0; i < result->count; i++) {
        json_open_object(&json, NULL);
        json_put_number(&json, "frame", result->frames[i].frame);
        json_put_hash(&json, "hash", result->frames[i].hash);
        json_close(&json);
    }
    json_close(&json);
    if (!json_end(&json)) {
        output_discard(&output);
        return tool_fail(&farm_messages, "out of memory");
    }
    return output_commit(&output) ? TOOL_OK : tool_cannot_write(&farm_messages, path);
}
