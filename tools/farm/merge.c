/* SPDX-License-Identifier: MIT */
/*
 * All results into one report. It holds nothing that depends on the machines or on the order in which they worked, so that a run with
 * lost workers gives the same report as one without.
 */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/output.h"

#include <inttypes.h>
#include <xxhash.h>

static void merge_put(struct json_writer *json, const struct farm_capture *capture, const struct farm_result *result)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < result->count; i++) {
        const uint64_t frame[] = {result->frames[i].frame, result->frames[i].hash};

        hash = XXH3_64bits_withSeed(frame, sizeof(frame), hash);
    }
    json_open_object(json, NULL);
    json_put_text(json, "file", capture->file);
    json_put_text(json, "verdict", farm_verdict_name(result->verdict));
    json_put_number(json, "status", (uint64_t)result->status);
    if (result->message[0])
        json_put_text(json, "message", result->message);
    json_put_number(json, "frames", result->count);
    json_put_hash(json, "hash", hash);
    json_put_number(json, "changed", result->changed);
    if (result->changed)
        json_put_number(json, "first", result->first);
    json_close(json);
}

/* The captures, one at a time, and their sums. */
static void merge_captures(const struct farm_plan *plan, const char *folder, struct json_writer *json,
                           struct farm_totals *totals)
{
    json_stream_list(json, "captures");
    for (size_t i = 0; i < plan->count; i++) {
        const struct farm_capture *capture = &plan->captures[i];
        struct farm_result result;

        if (!farm_result_read(&result, folder, capture->file, plan->id)) {
            totals->first_missing = totals->missing ? totals->first_missing : capture->shard;
            totals->missing++;
            continue;
        }
        merge_put(json, capture, &result);
        totals->captures++;
        totals->by_verdict[result.verdict]++;
        totals->frames += result.count;
        totals->changed += result.changed;
        totals->cpu_seconds += result.cpu_seconds;
        farm_result_free(&result);
    }
    json_close(json);
}

static void merge_put_totals(struct json_writer *json, const struct farm_totals *totals)
{
    json_open_object(json, "total");
    json_put_number(json, "captures", totals->captures);
    json_put_number(json, "missing", totals->missing);
    for (unsigned i = 0; i < FARM_VERDICT_COUNT; i++)
        json_put_number(json, farm_verdict_name((enum farm_verdict)i), totals->by_verdict[i]);
    json_put_number(json, "frames", totals->frames);
    json_put_number(json, "changed", totals->changed);
    json_close(json);
}

/* file: where the report goes. False: out of memory. */
static bool merge_write(const struct farm_plan *plan, const char *folder, FILE *file, struct farm_totals *totals)
{
    struct json_writer json;

    *totals = (struct farm_totals){0};
    farm_begin(&json, file, "merge", plan->id);
    if (plan->baseline)
        json_put_text(&json, "baseline", plan->baseline);
    merge_captures(plan, folder, &json, totals);
    merge_put_totals(&json, totals);
    return json_end(&json);
}

static int merge_save(const struct farm_plan *plan, const char *folder, struct farm_totals *totals)
{
    char path[FARM_PATH];
    struct output output;

    if (!farm_path(path, folder, "report.json"))
        return tool_fail(&farm_messages, "%s: the name is too long", folder);
    if (!output_open(&output, path, OUTPUT_REPLACE))
        return tool_cannot_write(&farm_messages, path);
    if (!merge_write(plan, folder, output.file, totals)) {
        output_discard(&output);
        return tool_fail(&farm_messages, "out of memory");
    }
    return output_commit(&output) ? TOOL_OK : tool_cannot_write(&farm_messages, path);
}

static void merge_print(const struct farm_totals *totals)
{
    printf("%" PRIu64 " captures, %" PRIu64 " frames, %.1f seconds of a processor\n", totals->captures, totals->frames,
           totals->cpu_seconds);
    for (unsigned i = 0; i < FARM_VERDICT_COUNT; i++)
        if (totals->by_verdict[i])
            printf("  %-9s %" PRIu64 "\n", farm_verdict_name((enum farm_verdict)i), totals->by_verdict[i]);
}

int farm_merge(const struct farm_plan *plan, const char *folder, bool as_json)
{
    struct farm_totals totals;
    int status = merge_save(plan, folder, &totals);

    status = status == TOOL_OK ? farm_page_save(plan, folder, &totals) : status;
    if (status != TOOL_OK)
        return status;
    if (!as_json)
        merge_print(&totals);
    else if (!merge_write(plan, folder, stdout, &totals))
        return tool_fail(&farm_messages, "out of memory");
    if (totals.missing)
        return tool_fail(&farm_messages,
                         "%" PRIu64 " captures have no result yet, of shard %" PRIu32 " and perhaps others",
                         totals.missing, totals.first_missing);
    return totals.by_verdict[FARM_FAILED] || totals.by_verdict[FARM_DIFFERENT] || totals.by_verdict[FARM_DAMAGED]
               ? TOOL_DIFFERENT
               : TOOL_OK;
}
