/* SPDX-License-Identifier: MIT */
/*
 * Many captures, replayed by many machines: a plan divides captures into shards, workers write a result for each capture, and a report
 * merges the results.
 *
 * All of it is in one folder, which the workers share: plan.json, captures/ID.json (a result), shard-NNNNN.json (written when all
 * results of the shard exist), pictures/, report.json, report.html. Files are written completely or not at all (base/output.h), so a
 * worker that is killed leaves nothing that looks complete. They are JSON documents of the format "dp2-farm" (docs/json.md), and
 * are checked when they are read.
 */
#ifndef HALCYON_TOOLS_FARM_H
#define HALCYON_TOOLS_FARM_H

#include "base/json/json.h"
#include "tools/tool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FARM_MAX_SHARDS   10000u
#define FARM_MAX_CAPTURES 1000000u
#define FARM_PATH         4096 /* bytes of a file name, the last of them 0 */
#define FARM_ID           17   /* 16 hexadecimal digits and a 0 */
#define FARM_MESSAGE      1024 /* bytes of what a replay said */

struct farm_capture {
    char *file; /* as the operands named it; UTF-8 */
    uint64_t bytes;
    uint32_t frames;
    uint64_t cost; /* microseconds of a processor: recorded, or estimated */
    bool recorded; /* the cost is that of an earlier run */
    uint32_t shard;
};

struct farm_plan {
    struct farm_capture *captures; /* sorted by file name */
    size_t count, capacity;
    uint32_t shards;
    char *baseline; /* folder of an earlier run that pictures are compared with; NULL: none */
    char *before;   /* program that draws pictures of the baseline; NULL: none */
    long threads;   /* of a replay; 0: as the driver is set */
    long timeout;   /* seconds that a replay may take */
    uint64_t id;    /* of the captures, their shards and the baseline */
};

/* The verdicts on a replay; the first in this order that applies. */
#define FARM_VERDICTS(X)                                                                                  \
    X(FAILED, failed)       /* crashed, took too long, or could not read the file */                      \
    X(DIFFERENT, different) /* other frames than the baseline */                                          \
    X(DAMAGED, damaged)     /* the capture is damaged or the driver refused calls, not in the baseline */ \
    X(NEW, new)             /* done, and the baseline does not have the capture */                        \
    X(SAME, same)           /* the frames and the exit status of the baseline */
#define FARM_VERDICT(NUMBER, name) FARM_##NUMBER,
enum farm_verdict { FARM_VERDICTS(FARM_VERDICT) FARM_VERDICT_COUNT };
const char *farm_verdict_name(enum farm_verdict verdict);

struct farm_frame {
    uint32_t frame;
    uint64_t hash; /* of its picture */
};

struct farm_result {
    enum farm_verdict verdict;
    int status;         /* exit status of the replay; 128 and the signal that ended it, 124: out of time */
    double seconds;     /* until the replay ended */
    double cpu_seconds; /* that it spent */
    struct farm_frame *frames;
    size_t count;
    size_t changed;             /* frames that differ from the baseline, or that only one of both has */
    uint32_t first;             /* the first of them */
    bool has_picture[2];        /* of that frame: as the baseline has it, as it is now */
    char message[FARM_MESSAGE]; /* of the replay on standard error; UTF-8 */
};

/* A program that replays a capture. */
struct farm_replay {
    const char *program;
    const char *file;
    const char *frame;   /* only this one; NULL: all */
    const char *picture; /* file for the picture of that frame; NULL: none */
    long threads, timeout;
};

/* The verb that messages of these files name; verb_farm itself needs all of them. */
extern const struct tool_verb farm_messages;

/* --- files.c: names and documents. All names fit FARM_PATH, or the function returns false. ------------------- */

/* The name of a capture's files. */
void farm_id(char id[FARM_ID], const char *file);
bool farm_path(char path[FARM_PATH], const char *folder, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool farm_result_path(char path[FARM_PATH], const char *folder, const char *file);
bool farm_shard_path(char path[FARM_PATH], const char *folder, uint32_t shard);
/* after: as it is now; else as the baseline has it. */
bool farm_picture_path(char path[FARM_PATH], const char *folder, const char *file, bool after);
/* Creates a folder, unless it exists. Returns a status, and prints errors. */
int farm_make_folder(const char *path);
/* A document of the format with this action; NULL: there is none, or it is not complete. To be freed by json_decref. */
json_t *farm_load(const char *path, const char *action);
/* Is it of this plan? */
bool farm_of_plan(const json_t *document, uint64_t plan);
/* Members; false: missing, of another type, or out of range. */
bool farm_get_number(const json_t *object, const char *name, uint64_t most, uint64_t *number);
bool farm_get_hash(const json_t *object, const char *name, uint64_t *hash);
const char *farm_get_text(const json_t *object, const char *name);
/* Begins a document with its action and, unless it is 0, its plan. */
void farm_begin(struct json_writer *json, FILE *file, const char *action, uint64_t plan);

/* --- find.c, cost.c, plan.c, plan_read.c. Functions that return int print errors and return a status. --------- */

/* Adds the capture, or those of a folder and its folders: files whose names end with .capture. */
int farm_find(struct farm_plan *plan, const char *operand);
/* Sorts by name. A capture may be named once only. */
int farm_sort(struct farm_plan *plan);
/* Reads a capture; fills bytes, frames and the estimated cost. TOOL_DAMAGED: it costs what precedes the damage. */
int farm_cost(struct farm_capture *capture);
/* Costs of all captures, then their shards. */
int farm_plan_make(struct farm_plan *plan);
void farm_plan_write(const struct farm_plan *plan, struct json_writer *json, FILE *file);
/* FOLDER/plan.json. */
int farm_plan_save(const struct farm_plan *plan, const char *folder);
int farm_plan_read(struct farm_plan *plan, const char *folder);
void farm_plan_free(struct farm_plan *plan);

/* --- process.c, result.c, run.c ---------------------------------------------------------------------------- */

/* The program at hand. False: the system does not say. */
bool farm_own_program(char path[FARM_PATH]);
/* Plays it. Fills status, times, frames and message. Returns TOOL_ERROR if no process can be started or memory runs out. */
int farm_replay(const struct farm_replay *replay, struct farm_result *result);
/* Fills verdict, changed and first. baseline: NULL: the baseline does not have the capture, or there is none. */
void farm_compare(struct farm_result *result, const struct farm_result *baseline);
/* False: the result is missing or incomplete, or it belongs to a plan other than `plan` (0: any plan). */
bool farm_result_read(struct farm_result *result, const char *folder, const char *file, uint64_t plan);
int farm_result_save(const struct farm_result *result, const char *folder, const char *file, uint64_t plan);
void farm_result_free(struct farm_result *result);
/* Is there nothing left to do for the shard? */
bool farm_is_done(const struct farm_plan *plan, const char *folder, uint32_t shard);
/* Runs a shard, or what is left of it. */
int farm_run(const struct farm_plan *plan, const char *folder, uint32_t shard, bool as_json);

/* --- merge.c, page.c --------------------------------------------------------------------------------------- */

struct farm_totals {
    uint64_t by_verdict[FARM_VERDICT_COUNT], captures, missing, frames, changed;
    double cpu_seconds;
    uint32_t first_missing; /* a shard that is not complete */
};

/* Writes report.json and report.html. TOOL_DIFFERENT: captures are different, damaged or failed. TOOL_ERROR: results are missing. */
int farm_merge(const struct farm_plan *plan, const char *folder, bool as_json);
/* The page. The totals are those of the report. */
int farm_page_save(const struct farm_plan *plan, const char *folder, const struct farm_totals *totals);

#endif
