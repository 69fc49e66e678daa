/* SPDX-License-Identifier: MIT */
/*
 * A plan: what each capture costs, and which shard it belongs to. The same captures and recorded times give the same plan.
 */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* --- costs ------------------------------------------------------------------------------------------------- */

/* The recorded times of captures take the place of their estimates. Estimates of the others become as large as the machine of
 * the recorded ones is slow. */
static void plan_use_times(struct farm_plan *plan)
{
    double recorded = 0, estimated = 0;

    for (size_t i = 0; plan->baseline && i < plan->count; i++) {
        struct farm_capture *capture = &plan->captures[i];
        struct farm_result result = {0};

        if (!farm_result_read(&result, plan->baseline, capture->file, 0))
            continue;
        recorded += result.cpu_seconds * 1e6;
        estimated += (double)capture->cost;
        capture->cost = (uint64_t)(result.cpu_seconds * 1e6);
        capture->recorded = true;
        farm_result_free(&result);
    }
    for (size_t i = 0; recorded > 0 && estimated > 0 && i < plan->count; i++)
        if (!plan->captures[i].recorded)
            plan->captures[i].cost = (uint64_t)((double)plan->captures[i].cost * (recorded / estimated));
}

static int plan_costs(struct farm_plan *plan)
{
    int status = TOOL_OK;

    for (size_t i = 0; i < plan->count; i++) {
        const int one = farm_cost(&plan->captures[i]);

        if (one == TOOL_ERROR)
            return one;
        status = BASE_MAX(status, one);
    }
    plan_use_times(plan);
    return status;
}

/* --- shards ------------------------------------------------------------------------------------------------ */

/* The most expensive first; equal costs by name. */
static int plan_by_cost(const void *a, const void *b)
{
    const struct farm_capture *const *first = a, *const *second = b;

    if ((*first)->cost != (*second)->cost)
        return (*first)->cost < (*second)->cost ? 1 : -1;
    return strcmp((*first)->file, (*second)->file);
}

/* Each capture, the most expensive first, into the shard with the least cost so far (Graham's rule: no shard costs more than
 * 4/3 of what the best division has). */
static bool plan_divide(struct farm_plan *plan)
{
    struct farm_capture **order = mem_calloc(plan->count, sizeof(*order));
    uint64_t *loads = mem_calloc(plan->shards, sizeof(*loads));
    const bool done = order && loads;

    for (size_t i = 0; done && i < plan->count; i++)
        order[i] = &plan->captures[i];
    if (done)
        qsort(order, plan->count, sizeof(struct farm_capture *), plan_by_cost);
    for (size_t i = 0; done && i < plan->count; i++) {
        uint32_t least = 0;

        for (uint32_t shard = 1; shard < plan->shards; shard++)
            if (loads[shard] < loads[least])
                least = shard;
        order[i]->shard = least;
        loads[least] += order[i]->cost + 1; /* captures that cost nothing are spread, too */
    }
    free(order);
    free(loads);
    return done;
}

static uint64_t plan_text(uint64_t id, const char *text)
{
    return text ? XXH3_64bits_withSeed(text, strlen(text), id) : XXH3_64bits_withSeed(&id, sizeof(id), 0);
}

static uint64_t plan_id(const struct farm_plan *plan)
{
    uint64_t id = plan_text(plan_text(plan->shards, plan->baseline), plan->before);

    for (size_t i = 0; i < plan->count; i++) {
        const uint64_t numbers[] = {plan->captures[i].bytes, plan->captures[i].shard};

        id = XXH3_64bits_withSeed(numbers, sizeof(numbers), plan_text(id, plan->captures[i].file));
    }
    return id ? id : 1; /* 0 means any plan */
}

int farm_plan_make(struct farm_plan *plan)
{
    char path[FARM_PATH];
    int status;

    /* With a wrong name, every capture would be new. */
    if (plan->baseline && (!farm_path(path, plan->baseline, "plan.json") || access(path, R_OK) != 0))
        return tool_fail(&farm_messages, "%s has no plan.json, which 'dp2 farm plan' writes", plan->baseline);
    status = plan_costs(plan);

    if (status == TOOL_ERROR)
        return status;
    plan->shards = (uint32_t)BASE_MIN(plan->shards, plan->count);
    if (!plan_divide(plan))
        return tool_fail(&farm_messages, "out of memory");
    plan->id = plan_id(plan);
    return status;
}

/* --- the file ---------------------------------------------------------------------------------------------- */

static void plan_put_shards(const struct farm_plan *plan, struct json_writer *json)
{
    json_stream_list(json, "shards");
    for (uint32_t shard = 0; shard < plan->shards; shard++) {
        uint64_t captures = 0, frames = 0, cost = 0;

        for (size_t i = 0; i < plan->count; i++) {
            const struct farm_capture *capture = &plan->captures[i];
            const bool here = capture->shard == shard;

            captures += here;
            frames += here ? capture->frames : 0;
            cost += here ? capture->cost : 0;
        }
        json_open_object(json, NULL);
        json_put_number(json, "shard", shard);
        json_put_number(json, "captures", captures);
        json_put_number(json, "frames", frames);
        json_put_number(json, "cost", BASE_MIN(cost, (uint64_t)INT64_MAX));
        json_close(json);
    }
    json_close(json);
}

void farm_plan_write(const struct farm_plan *plan, struct json_writer *json, FILE *file)
{
    farm_begin(json, file, "plan", plan->id);
    if (plan->baseline)
        json_put_text(json, "baseline", plan->baseline);
    if (plan->before)
        json_put_text(json, "before", plan->before);
    json_put_number(json, "threads", (uint64_t)plan->threads);
    json_put_number(json, "timeout", (uint64_t)plan->timeout);
    plan_put_shards(plan, json);
    json_stream_list(json, "captures");
    for (size_t i = 0; i < plan->count; i++) {
        const struct farm_capture *capture = &plan->captures[i];

        json_open_object(json, NULL);
        json_put_text(json, "file", capture->file);
        json_put_number(json, "bytes", capture->bytes);
        json_put_number(json, "frames", capture->frames);
        json_put_number(json, "cost", capture->cost);
        json_put_bool(json, "recorded", capture->recorded);
        json_put_number(json, "shard", capture->shard);
        json_close(json);
    }
    json_close(json);
}

int farm_plan_save(const struct farm_plan *plan, const char *folder)
{
    char path[FARM_PATH];
    struct output output;
    struct json_writer json;
    int status;

    if (!farm_path(path, folder, "pictures"))
        return tool_fail(&farm_messages, "%s: the name is too long", folder);
    status = farm_make_folder(folder);
    status = status == TOOL_OK ? farm_make_folder(path) : status;
    if (status == TOOL_OK && farm_path(path, folder, "captures"))
        status = farm_make_folder(path);
    if (status != TOOL_OK || !farm_path(path, folder, "plan.json"))
        return TOOL_ERROR;
    if (!output_open(&output, path, OUTPUT_REPLACE))
        return tool_cannot_write(&farm_messages, path);
    farm_plan_write(plan, &json, output.file);
    if (!json_end(&json)) {
        output_discard(&output);
        return tool_fail(&farm_messages, "out of memory");
    }
    return output_commit(&output) ? TOOL_OK : tool_cannot_write(&farm_messages, path);
}

void farm_plan_free(struct farm_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free(plan->captures[i].file);
    free(plan->captures);
    free(plan->baseline);
    free(plan->before);
}
