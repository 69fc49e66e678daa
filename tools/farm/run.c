/* SPDX-License-Identifier: MIT */
/*
 * A shard: each capture that has no result yet is replayed and compared. Results of captures make a shard resumable in its middle;
 * the shard's file says that nothing is left to do.
 */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct run {
    const struct farm_plan *plan;
    const char *folder;
    uint32_t shard;
    char program[FARM_PATH];
    struct farm_totals totals;
    uint64_t replayed; /* by this process; the others had results already */
};

/* --- one capture ------------------------------------------------------------------------------------------- */

static struct farm_replay run_replay(const struct run *run, const char *program, const char *file)
{
    return (struct farm_replay){
        .program = program, .file = file, .threads = run->plan->threads, .timeout = run->plan->timeout};
}

/* Is it the file of the plan? Otherwise the result says why not. */
static bool run_has_file(struct farm_result *result, const struct farm_capture *capture)
{
    struct stat info;

    result->status = TOOL_ERROR;
    if (stat(capture->file, &info) != 0)
        snprintf(result->message, sizeof(result->message), "the file cannot be read: %s", strerror(errno));
    else if ((uint64_t)info.st_size != capture->bytes)
        snprintf(result->message, sizeof(result->message), "the file has %" PRIu64 " bytes, in the plan %" PRIu64,
                 (uint64_t)info.st_size, capture->bytes);
    else
        return true;
    return false;
}

/* The picture of the first frame that differs, if the program draws it with the hash that belongs to it. */
static int run_picture(const struct run *run, const char *file, const struct farm_result *of, uint32_t first,
                       bool after, bool *has)
{
    struct farm_replay replay = run_replay(run, after ? run->program : run->plan->before, file);
    struct farm_result drawn = {0};
    char path[FARM_PATH], number[24];
    uint64_t wanted = 0;
    bool known = false;
    int status;

    for (size_t i = 0; i < of->count && !known; i++) {
        known = of->frames[i].frame == first;
        wanted = of->frames[i].hash;
    }
    if (!known || !farm_picture_path(path, run->folder, file, after))
        return TOOL_OK;
    snprintf(number, sizeof(number), "%" PRIu32, first);
    replay.frame = number;
    replay.picture = path;
    status = farm_replay(&replay, &drawn);
    *has = status == TOOL_OK && drawn.count == 1 && drawn.frames[0].hash == wanted && access(path, R_OK) == 0;
    if (!*has)
        unlink(path);
    farm_result_free(&drawn);
    return status;
}

static int run_compare(const struct run *run, const struct farm_capture *capture, struct farm_result *result)
{
    struct farm_result baseline = {0};
    const bool has = run->plan->baseline && farm_result_read(&baseline, run->plan->baseline, capture->file, 0);
    int status = TOOL_OK;

    farm_compare(result, has ? &baseline : NULL);
    if (result->changed && run->plan->before)
        status = run_picture(run, capture->file, &baseline, result->first, false, &result->has_picture[0]);
    if (result->changed && status == TOOL_OK)
        status = run_picture(run, capture->file, result, result->first, true, &result->has_picture[1]);
    farm_result_free(&baseline);
    return status;
}

static int run_capture(struct run *run, const struct farm_capture *capture, struct farm_result *result)
{
    const struct farm_replay replay = run_replay(run, run->program, capture->file);
    int status = TOOL_OK;

    if (run_has_file(result, capture))
        status = farm_replay(&replay, result);
    if (status == TOOL_OK)
        status = run_compare(run, capture, result);
    if (status == TOOL_OK)
        status = farm_result_save(result, run->folder, capture->file, run->plan->id);
    run->replayed++;
    return status;
}

/* --- the shard --------------------------------------------------------------------------------------------- */

static void run_count(struct run *run, const struct farm_result *result)
{
    run->totals.captures++;
    run->totals.by_verdict[result->verdict]++;
    run->totals.frames += result->count;
    run->totals.changed += result->changed;
    run->totals.cpu_seconds += result->cpu_seconds;
}

bool farm_is_done(const struct farm_plan *plan, const char *folder, uint32_t shard)
{
    char path[FARM_PATH];
    json_t *document = farm_shard_path(path, folder, shard) ? farm_load(path, "run") : NULL;
    const bool done = document && farm_of_plan(document, plan->id);

    json_decref(document);
    return done;
}

static bool run_write(const struct run *run, FILE *file)
{
    const struct farm_totals *totals = &run->totals;
    struct json_writer json;

    farm_begin(&json, file, "run", run->plan->id);
    json_put_number(&json, "shard", run->shard);
    json_put_number(&json, "captures", totals->captures);
    for (unsigned i = 0; i < FARM_VERDICT_COUNT; i++)
        json_put_number(&json, farm_verdict_name((enum farm_verdict)i), totals->by_verdict[i]);
    json_put_number(&json, "frames", totals->frames);
    json_put_number(&json, "changed", totals->changed);
    json_put_real(&json, "cpu_seconds", totals->cpu_seconds);
    return json_end(&json);
}

static int run_save(const struct run *run)
{
    char path[FARM_PATH];
    struct output output;

    if (!farm_shard_path(path, run->folder, run->shard))
        return tool_fail(&farm_messages, "%s: the name is too long", run->folder);
    if (!output_open(&output, path, OUTPUT_REPLACE))
        return tool_cannot_write(&farm_messages, path);
    if (!run_write(run, output.file)) {
        output_discard(&output);
        return tool_fail(&farm_messages, "out of memory");
    }
    return output_commit(&output) ? TOOL_OK : tool_cannot_write(&farm_messages, path);
}

static int run_report(const struct run *run, bool as_json)
{
    const struct farm_totals *totals = &run->totals;

    if (as_json)
        return run_write(run, stdout) ? TOOL_OK : tool_fail(&farm_messages, "out of memory");
    printf("shard %" PRIu32 ": %" PRIu64 " captures, %" PRIu64 " of them replayed now, %" PRIu64 " frames", run->shard,
           totals->captures, run->replayed, totals->frames);
    for (unsigned i = 0; i < FARM_VERDICT_COUNT; i++)
        if (totals->by_verdict[i])
            printf(", %" PRIu64 " %s", totals->by_verdict[i], farm_verdict_name((enum farm_verdict)i));
    putchar('\n');
    return TOOL_OK;
}

int farm_run(const struct farm_plan *plan, const char *folder, uint32_t shard, bool as_json)
{
    struct run run = {.plan = plan, .folder = folder, .shard = shard};
    const bool done = farm_is_done(plan, folder, shard);
    int status = TOOL_OK;

    if (shard >= plan->shards)
        return tool_fail(&farm_messages, "%s: no such shard: %" PRIu32 " (the plan has %" PRIu32 ")", folder, shard,
                         plan->shards);
    if (!farm_own_program(run.program))
        return tool_fail(&farm_messages, "/proc/self/exe: %s", strerror(errno));
    for (size_t i = 0; status == TOOL_OK && i < plan->count; i++) {
        const struct farm_capture *capture = &plan->captures[i];
        struct farm_result result = {0};

        if (capture->shard != shard)
            continue;
        if (!farm_result_read(&result, folder, capture->file, plan->id))
            status = run_capture(&run, capture, &result);
        if (status == TOOL_OK)
            run_count(&run, &result);
        farm_result_free(&result);
    }
    if (status == TOOL_OK && (!done || run.replayed))
        status = run_save(&run);
    return status == TOOL_OK ? run_report(&run, as_json) : status;
}
