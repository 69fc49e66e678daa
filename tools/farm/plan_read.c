/* SPDX-License-Identifier: MIT */
/* plan.json back into a plan: everything in the file is checked. */
#include "tools/farm/farm.h"

#include "base/base.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A name that has no 0 in it and fits. */
static char *plan_name(const json_t *object, const char *member)
{
    const char *text = farm_get_text(object, member);

    return text && *text && strlen(text) == json_string_length(json_object_get(object, member)) &&
                   strlen(text) < FARM_PATH
               ? strdup(text)
               : NULL;
}

static bool plan_read_capture(struct farm_capture *capture, const json_t *object, uint32_t shards)
{
    uint64_t frames, shard;

    if (!farm_get_number(object, "bytes", INT64_MAX, &capture->bytes) ||
        !farm_get_number(object, "frames", UINT32_MAX, &frames) ||
        !farm_get_number(object, "cost", INT64_MAX, &capture->cost) ||
        !farm_get_number(object, "shard", shards - 1, &shard))
        return false;
    capture->frames = (uint32_t)frames;
    capture->shard = (uint32_t)shard;
    capture->recorded = json_is_true(json_object_get(object, "recorded"));
    capture->file = plan_name(object, "file");
    return capture->file != NULL;
}

static bool plan_read_captures(struct farm_plan *plan, const json_t *list)
{
    const size_t count = json_array_size(list);

    if (!count || count > FARM_MAX_CAPTURES)
        return false;
    plan->captures = mem_calloc(count, sizeof(*plan->captures));
    for (size_t i = 0; plan->captures && i < count; i++) {
        if (!plan_read_capture(&plan->captures[i], json_array_get(list, i), plan->shards))
            return false;
        plan->count++;
    }
    return plan->captures != NULL;
}

static bool plan_read_all(struct farm_plan *plan, const json_t *document)
{
    const size_t shards = json_array_size(json_object_get(document, "shards"));
    uint64_t threads, timeout;

    if (!shards || shards > FARM_MAX_SHARDS || !farm_get_number(document, "threads", 64, &threads) ||
        !farm_get_number(document, "timeout", INT_MAX, &timeout) || !farm_get_hash(document, "plan", &plan->id))
        return false;
    plan->shards = (uint32_t)shards;
    plan->threads = (long)threads;
    plan->timeout = (long)timeout;
    plan->baseline = plan_name(document, "baseline");
    plan->before = plan_name(document, "before");
    return plan->id && plan_read_captures(plan, json_object_get(document, "captures"));
}

int farm_plan_read(struct farm_plan *plan, const char *folder)
{
    char path[FARM_PATH];
    json_t *document = farm_path(path, folder, "plan.json") ? farm_load(path, "plan") : NULL;
    bool done;

    if (!document)
        return tool_fail(&farm_messages, "%s has no plan.json, which 'dp2 farm plan' writes", folder);
    done = plan_read_all(plan, document);
    json_decref(document);
    if (done)
        return TOOL_OK;
    tool_say(&farm_messages, "%s: the plan is damaged", path);
    return TOOL_DAMAGED;
}
