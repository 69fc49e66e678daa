/* SPDX-License-Identifier: MIT */
/*
 * dp2 farm: many captures, replayed by many machines.
 */
#include "tools/farm/farm.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct farm {
    const char *output, *baseline, *before;
    long shards, threads, timeout;
    bool json;
};

/* Options that only plan has. */
static bool farm_has_plan_options(const struct farm *farm)
{
    return farm->output || farm->baseline || farm->before || farm->shards || farm->threads || farm->timeout;
}

static bool farm_copy(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

static int farm_report_plan(const struct farm *farm, const struct farm_plan *plan)
{
    uint64_t cost = 0, frames = 0;
    struct json_writer json;

    if (farm->json) {
        farm_plan_write(plan, &json, stdout);
        return json_end(&json) ? TOOL_OK : tool_fail(&verb_farm, "out of memory");
    }
    for (size_t i = 0; i < plan->count; i++) {
        cost += plan->captures[i].cost;
        frames += plan->captures[i].frames;
    }
    printf("%zu captures, %" PRIu64 " frames, about %.1f seconds of a processor, in %" PRIu32 " shards: 0 to %" PRIu32
           "\n",
           plan->count, frames, (double)cost * 1e-6, plan->shards, plan->shards - 1);
    return TOOL_OK;
}

static int farm_plan(const struct farm *farm, char **operands, int count)
{
    struct farm_plan plan = {.shards = farm->shards ? (uint32_t)farm->shards : 16,
                             .threads = farm->threads ? farm->threads : 1,
                             .timeout = farm->timeout ? farm->timeout : 3600};
    int status = TOOL_OK, saved;

    if (!farm->output)
        return tool_usage(&verb_farm, "-o FOLDER is missing");
    if (count == 0)
        return tool_usage(&verb_farm, "missing operand: a capture, or a folder of captures");
    if (!farm_copy(&plan.baseline, farm->baseline) || !farm_copy(&plan.before, farm->before))
        status = tool_fail(&verb_farm, "out of memory");
    for (int i = 0; i < count && status == TOOL_OK; i++)
        status = farm_find(&plan, operands[i]);
    status = status == TOOL_OK ? farm_sort(&plan) : status;
    status = status == TOOL_OK ? farm_plan_make(&plan) : status;
    if (status != TOOL_ERROR) {
        saved = farm_plan_save(&plan, farm->output);
        saved = saved == TOOL_OK ? farm_report_plan(farm, &plan) : saved;
        status = BASE_MAX(status, saved);
    }
    farm_plan_free(&plan);
    return status;
}

static int farm_left(const struct farm *farm, const struct farm_plan *plan, const char *folder)
{
    struct json_writer json;

    if (farm->json) {
        farm_begin(&json, stdout, "left", plan->id);
        json_stream_list(&json, "left");
    }
    for (uint32_t shard = 0; shard < plan->shards; shard++) {
        if (farm_is_done(plan, folder, shard))
            continue;
        if (farm->json)
            json_put_number(&json, NULL, shard);
        else
            printf("%" PRIu32 "\n", shard);
    }
    return !farm->json || json_end(&json) ? TOOL_OK : tool_fail(&verb_farm, "out of memory");
}

/* left FOLDER, run FOLDER SHARD, merge FOLDER: the actions on a plan. */
static int farm_work(const struct farm *farm, char action, char **operands, int count)
{
    const int wanted = action == 'r' ? tool_operands(&verb_farm, operands, count, 2, "a folder and a shard")
                                     : tool_operands(&verb_farm, operands, count, 1, "a folder");
    struct farm_plan plan = {0};
    long shard = 0;
    int status;

    if (wanted != TOOL_OK)
        return wanted;
    if (farm_has_plan_options(farm))
        return tool_usage(&verb_farm, "only plan has options other than --json; the other actions read the plan");
    if (action == 'r' && !parse_number(operands[1], 0, FARM_MAX_SHARDS - 1, &shard))
        return tool_usage(&verb_farm, "'%s' is not a shard", operands[1]);
    status = farm_plan_read(&plan, operands[0]);
    if (status == TOOL_OK)
        status = action == 'r'   ? farm_run(&plan, operands[0], (uint32_t)shard, farm->json)
                 : action == 'm' ? farm_merge(&plan, operands[0], farm->json)
                                 : farm_left(farm, &plan, operands[0]);
    farm_plan_free(&plan);
    return status;
}

static int farm_verb(void *settings, char **operands, int count)
{
    static const char *const actions[] = {"left", "run", "merge"};
    const struct farm *farm = settings;

    if (strcmp(operands[0], "plan") == 0)
        return farm_plan(farm, operands + 1, count - 1);
    for (unsigned i = 0; i < ARRAY_COUNT(actions); i++)
        if (strcmp(operands[0], actions[i]) == 0)
            return farm_work(farm, operands[0][0], operands + 1, count - 1);
    return tool_usage(&verb_farm, "'%s' is not plan, left, run or merge", operands[0]);
}

static const struct option_row options[] = {
    {"output", 'o', SETS_TEXT(struct farm, output), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "plan: the folder for the plan, results and reports, on a disk that all machines share"},
    {"shards", 's', SETS_NUMBER(struct farm, shards), .argument = "N", .low = 1, .high = FARM_MAX_SHARDS,
     .help = "plan: the number of shards, at most one for each capture (default 16)"},
    {"baseline", 'b', SETS_TEXT(struct farm, baseline), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help =
         "plan: compare with the results in the folder of an earlier run, whose times are the costs of its captures"},
    {"before", 0, SETS_TEXT(struct farm, before), .argument = "DP2", .value = VALUE_FILE,
     .help = "plan: the program that drew the baseline; it draws the frames that differ again, for the report"},
    {"threads", 0, SETS_NUMBER(struct farm, threads), .argument = "N", .low = 1, .high = 64,
     .help = "plan: number of the driver's threads in each replay (default 1: shards use the other processors)"},
    {"timeout", 0, SETS_NUMBER(struct farm, timeout), .argument = "SECONDS", .low = 1, .high = 1000000,
     .help = "plan: a replay that takes longer has failed (default 3600)"},
    TOOL_JSON(struct farm, json),
    {0},
};

static const struct option_operand operands[] = {
    {"ACTION", .value = VALUE_WORD}, {"FILE", .value = VALUE_FILE, .optional = true, .repeats = true}, {0}};

const struct tool_verb verb_farm = {
    .syntax =
        {
            .name = "farm",
            .summary = "replay many captures on many machines, and report what differs",
            .usage = "plan CAPTURE... -o FOLDER [OPTION...]\n"
                     "left FOLDER\n"
                     "run FOLDER SHARD\n"
                     "merge FOLDER",
            .about = "Replays captures in shards, and compares their frames with those of an earlier run.\n"
                     "\n"
                     "plan reads the captures, or those in folders, divides them into shards of equal cost, and writes "
                     "the plan. left prints the numbers of the shards that are not complete. run replays the captures "
                     "of a shard, each in a process of its own, and writes a result "
                     "for each; results that exist are kept, so a shard whose worker was lost is run again and "
                     "continues. merge writes report.json and report.html, with pictures of what differs.\n"
                     "\n"
                     "docs/farm.md has scripts for GNU parallel and Slurm.",
            .options = options,
            .notes = "Exit status of run: 0 the shard is complete, whatever its captures have shown. Of merge: 0 all "
                     "captures are the same or new; 1 some are different, damaged or failed; 2 results are missing.",
            .examples = "dp2 farm plan captures/ -o night/ --shards 8 --baseline release/\n"
                        "dp2 farm left night/ | parallel dp2 farm run night/\n"
                        "dp2 farm merge night/\n"
                        "dp2 farm merge night/ --json | jq .total",
            .operands = operands,
            .missing = "an action: plan, left, run or merge",
        },
    .size = sizeof(struct farm),
    .run = farm_verb,
};
