/* SPDX-License-Identifier: MIT */
/* The tables of dp2 profile. */
#include "tools/debug/profile_tables.h"

#include "base/base.h"
#include "dp2/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Draws that have something in common. */
struct group {
    char key[INSPECT_TEXT];
    uint64_t draws, runs; /* runs: vertices or pixels that a shader ran for */
    double seconds;
};

struct groups {
    struct group *list;
    size_t count, capacity;
    bool failed;
};

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static struct group *find_group(struct groups *groups, const char *key)
{
    for (size_t i = 0; i < groups->count; i++)
        if (!strcmp(groups->list[i].key, key))
            return &groups->list[i];
    if (groups->count == groups->capacity) {
        const size_t capacity = 2 * groups->capacity + 64;
        struct group *bigger = mem_realloc(groups->list, capacity, sizeof(*bigger));

        groups->failed |= !bigger;
        if (!bigger)
            return NULL;
        groups->list = bigger;
        groups->capacity = capacity;
    }
    groups->list[groups->count] = (struct group){0};
    snprintf(groups->list[groups->count].key, INSPECT_TEXT, "%s", key);
    return &groups->list[groups->count++];
}

static void add_to(struct groups *groups, const char *key, uint64_t runs, double seconds)
{
    struct group *group = find_group(groups, key);

    if (!group)
        return;
    group->draws++;
    group->runs += runs;
    group->seconds += seconds;
}

static int by_cost(const void *a, const void *b)
{
    const double x = ((const struct group *)a)->seconds, y = ((const struct group *)b)->seconds;

    return (x < y) - (x > y);
}

static size_t rows_to_print(size_t count, size_t top)
{
    return top && top < count ? top : count;
}

static void print_rest(size_t count, size_t top)
{
    if (top && top < count)
        printf("... and %zu more (--top 0 prints all)\n", count - top);
}

/* --- head ---------------------------------------------------------------------------------------- */

/* How much of the programs ran as machine code; programs and bytes of the frame that has most of them. */
static void print_code(const struct profiled *profiled)
{
    struct inspect_profile_code code = {0};
    uint64_t steps = 0, generated = 0;

    for (size_t f = 0; f < profiled->count; f++) {
        const struct inspect_profile *p = &profiled->frames[f].profile;

        code.programs = BASE_MAX(code.programs, p->code.programs);
        code.bytes = BASE_MAX(code.bytes, p->code.bytes);
        code.made += p->code.made;
        code.seconds += p->code.seconds;
        for (size_t i = 0; i < p->count; i++) {
            steps += p->rows[i].steps;
            generated += p->rows[i].generated_steps;
        }
    }
    printf("machine code:  %.1f%% of the steps of programs; %" PRIu32 " program%s, %.1f KiB; %" PRIu32
           " made in %.3f ms\n",
           percent((double)generated, (double)steps), code.programs, code.programs == 1 ? "" : "s",
           (double)code.bytes / 1024, code.made, 1e3 * code.seconds);
}

void profile_print_head(const struct profiled *profiled, unsigned loops)
{
    double least = 0, median = 0, most = 0;
    size_t actions = 0;

    for (size_t i = 0; i < profiled->count; i++) {
        least += profiled->frames[i].profile.frame.least;
        median += profiled->frames[i].profile.frame.median;
        most += profiled->frames[i].profile.frame.most;
        actions += profiled->frames[i].profile.count;
    }
    const double frames = profiled->count ? (double)profiled->count : 1;

    printf("%zu frame%s, %u loop%s\n", profiled->count, profiled->count == 1 ? "" : "s", loops, loops == 1 ? "" : "s");
    printf("a frame as it is, %u thread%s:  least %.3f  median %.3f  most %.3f ms\n",
           profiled->count ? profiled->frames[0].profile.threads : 0,
           profiled->count && profiled->frames[0].profile.threads == 1 ? "" : "s", 1e3 * least / frames,
           1e3 * median / frames, 1e3 * most / frames);
    printf("its actions one by one, 1 thread:  %.3f ms (%.1f of them); the tables share these\n",
           1e3 * profiled->actions / frames, (double)actions / frames);
    print_code(profiled);
}

/* --- phases -------------------------------------------------------------------------------------- */

static void print_phases(const struct profiled *profiled)
{
#define PHASE_HELP(NUMBER, name, help) help,
    static const char *const helps[INSPECT_PHASE_COUNT] = {INSPECT_PHASES(PHASE_HELP)};
    double seconds[INSPECT_PHASE_COUNT] = {0};
    const double frames = profiled->count ? (double)profiled->count : 1;

    for (size_t f = 0; f < profiled->count; f++)
        for (size_t i = 0; i < profiled->frames[f].profile.count; i++)
            for (unsigned p = 0; p < INSPECT_PHASE_COUNT; p++)
                seconds[p] += profiled->frames[f].profile.rows[i].phase[p];
    printf("\nphase     ms/frame   share\n");
    for (unsigned printed = 0; printed < INSPECT_PHASE_COUNT; printed++) {
        unsigned most = 0;

        for (unsigned p = 1; p < INSPECT_PHASE_COUNT; p++)
            most = seconds[p] > seconds[most] ? p : most;
        printf("%-9s %8.3f  %5.1f%%  %s\n", inspect_phase_name(most), 1e3 * seconds[most] / frames,
               percent(seconds[most], profiled->actions), helps[most]);
        seconds[most] = -1;
    }
}

/* --- draws --------------------------------------------------------------------------------------- */

static int by_row_cost(const void *a, const void *b)
{
    const struct inspect_profile_row *x = *(struct inspect_profile_row *const *)a;
    const struct inspect_profile_row *y = *(struct inspect_profile_row *const *)b;

    if (x->seconds.median < y->seconds.median || x->seconds.median > y->seconds.median)
        return x->seconds.median < y->seconds.median ? 1 : -1;
    return x->place.frame != y->place.frame ? (x->place.frame > y->place.frame) - (x->place.frame < y->place.frame)
                                            : (x->place.draw > y->place.draw) - (x->place.draw < y->place.draw);
}

/* All rows of all frames, the slowest first. NULL: no memory. */
static struct inspect_profile_row *const *sorted_rows(const struct profiled *profiled, size_t *count)
{
    struct inspect_profile_row **rows;
    size_t n = 0;

    *count = 0;
    for (size_t f = 0; f < profiled->count; f++)
        *count += profiled->frames[f].profile.count;
    rows = mem_calloc(*count + 1, sizeof(*rows));
    for (size_t f = 0; rows && f < profiled->count; f++)
        for (size_t i = 0; i < profiled->frames[f].profile.count; i++)
            rows[n++] = &profiled->frames[f].profile.rows[i];
    if (rows)
        qsort(rows, n, sizeof(*rows), by_row_cost);
    return rows;
}

static void print_shader(uint32_t handle)
{
    if (handle)
        printf(" %4" PRIu32, handle);
    else
        printf("    -");
}

static void print_row(const struct inspect_profile_row *row, double whole)
{
    const char *type = dp2_primitive_name(row->action.type);
    char name[32];

    snprintf(name, sizeof(name), "%" PRIu32 ".%" PRIu32, row->place.frame, row->place.draw);
    printf("%-9s %8.3f %8.3f %8.3f  %5.1f%% ", name, 1e3 * row->seconds.least, 1e3 * row->seconds.median,
           1e3 * row->seconds.most, percent(row->seconds.median, whole));
    for (unsigned p = INSPECT_PHASE_STATES; p <= INSPECT_PHASE_SAMPLING; p++)
        printf(" %8.3f", 1e3 * row->phase[p]);
    if (row->action.kind == INSPECT_DRAW) {
        printf(" %8" PRIu64 " %7" PRIu64 " %8" PRIu64, row->vertices, row->primitives, row->pixels);
        print_shader(row->vertex_shader);
        print_shader(row->pixel_shader);
        printf("  %s, %s%s\n", type ? type : row->action.token, row->state, row->refused ? "  refused" : "");
    } else {
        printf(" %35s  %s%s\n", "", row->text, row->refused ? "  refused" : "");
    }
}

static bool print_draws(const struct profiled *profiled, size_t top)
{
    size_t count;
    struct inspect_profile_row *const *rows = sorted_rows(profiled, &count);

    if (!rows)
        return false;
    printf("\n%-9s %8s %8s %8s  %6s ", "draw", "least", "ms", "most", "share");
    for (unsigned p = INSPECT_PHASE_STATES; p <= INSPECT_PHASE_SAMPLING; p++)
        printf(" %8s", inspect_phase_name(p));
    printf(" %8s %7s %8s %4s %4s  %s\n", "vertices", "prims", "pixels", "vs", "ps", "what");
    for (size_t i = 0; i < rows_to_print(count, top); i++)
        print_row(rows[i], profiled->actions);
    print_rest(count, top);
    free((void *)rows);
    return true;
}

/* --- groups -------------------------------------------------------------------------------------- */

static void add_shaders(struct groups *groups, const struct inspect_profile_row *row)
{
    char key[32];

    snprintf(key, sizeof(key), row->vertex_shader ? "vertex %" PRIu32 : "vertex fixed", row->vertex_shader);
    add_to(groups, key, row->vertices, row->phase[INSPECT_PHASE_VERTICES]);
    snprintf(key, sizeof(key), row->pixel_shader ? "pixel %" PRIu32 : "pixel fixed", row->pixel_shader);
    add_to(groups, key, row->pixels, row->phase[INSPECT_PHASE_PROGRAM] + row->phase[INSPECT_PHASE_SAMPLING]);
}

static bool print_groups(const struct profiled *profiled, enum profile_by by, size_t top)
{
    struct groups groups = {0};

    for (size_t f = 0; f < profiled->count; f++)
        for (size_t i = 0; i < profiled->frames[f].profile.count; i++) {
            const struct inspect_profile_row *row = &profiled->frames[f].profile.rows[i];

            if (row->action.kind != INSPECT_DRAW)
                continue;
            if (by == PROFILE_BY_SHADER)
                add_shaders(&groups, row);
            else
                add_to(&groups, row->state, row->pixels, row->seconds.median);
        }
    if (groups.count)
        qsort(groups.list, groups.count, sizeof(*groups.list), by_cost);
    printf("\n%8s  %6s  %7s %10s %7s  %s\n", "ms/frame", "share", "draws",
           by == PROFILE_BY_SHADER ? "runs for" : "pixels", "ns each", by == PROFILE_BY_SHADER ? "shader" : "state");
    for (size_t i = 0; i < rows_to_print(groups.count, top); i++) {
        const struct group *g = &groups.list[i];

        printf("%8.3f  %5.1f%%  %7" PRIu64 " %10" PRIu64 " %7.1f  %s\n", 1e3 * g->seconds / (double)profiled->count,
               percent(g->seconds, profiled->actions), g->draws, g->runs,
               g->runs ? 1e9 * g->seconds / (double)g->runs : 0.0, g->key);
    }
    print_rest(groups.count, top);
    free(groups.list);
    return !groups.failed;
}

/* --- frames -------------------------------------------------------------------------------------- */

static int by_frame_cost(const void *a, const void *b)
{
    const struct profiled_frame *x = *(const struct profiled_frame *const *)a;
    const struct profiled_frame *y = *(const struct profiled_frame *const *)b;

    if (x->profile.frame.median < y->profile.frame.median || x->profile.frame.median > y->profile.frame.median)
        return x->profile.frame.median < y->profile.frame.median ? 1 : -1;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

static void print_frame(const struct profiled_frame *frame)
{
    const struct inspect_profile *p = &frame->profile;
    const struct inspect_profile_row *slowest = NULL;

    for (size_t i = 0; i < p->count; i++)
        if (!slowest || p->rows[i].seconds.median > slowest->seconds.median)
            slowest = &p->rows[i];
    printf("%-9" PRIu32 " %8.3f %8.3f %8.3f %10.3f %7zu", frame->frame, 1e3 * p->frame.least, 1e3 * p->frame.median,
           1e3 * p->frame.most, 1e3 * p->actions, p->count);
    if (slowest)
        printf("  %" PRIu32 ".%" PRIu32 ", %.3f ms", slowest->place.frame, slowest->place.draw,
               1e3 * slowest->seconds.median);
    putchar('\n');
}

static bool print_frames(const struct profiled *profiled, size_t top)
{
    const struct profiled_frame **frames = mem_calloc(profiled->count + 1, sizeof(*frames));

    if (!frames)
        return false;
    for (size_t i = 0; i < profiled->count; i++)
        frames[i] = &profiled->frames[i];
    qsort(frames, profiled->count, sizeof(*frames), by_frame_cost);
    printf("\n%-9s %8s %8s %8s %10s %7s  %s\n", "frame", "least", "ms", "most", "one by one", "actions", "slowest");
    for (size_t i = 0; i < rows_to_print(profiled->count, top); i++)
        print_frame(frames[i]);
    print_rest(profiled->count, top);
    free(frames);
    return true;
}

/* --- scenes -------------------------------------------------------------------------------------- */

/* How many scenes of all frames were drawn for each reason, the most first. */
static void print_scenes(const struct profiled *profiled)
{
    uint64_t scenes[HAL_FLUSH_COUNT] = {0};

    for (size_t f = 0; f < profiled->count; f++)
        for (unsigned why = 0; why < HAL_FLUSH_COUNT; why++)
            scenes[why] += profiled->frames[f].profile.scenes[why];
    printf("\n%8s %8s  %-9s %s\n", "scenes", "a frame", "ended by", "because");
    for (;;) {
        unsigned most = 0;

        for (unsigned why = 1; why < HAL_FLUSH_COUNT; why++)
            most = scenes[why] > scenes[most] ? why : most;
        if (!scenes[most])
            return;
        printf("%8" PRIu64 " %8.2f  %-9s %s\n", scenes[most], (double)scenes[most] / (double)profiled->count,
               hal_flush_name(most), hal_flush_text(most));
        scenes[most] = 0;
    }
}

bool profile_print_table(const struct profiled *profiled, enum profile_by by, size_t top)
{
    switch (by) {
    case PROFILE_BY_PHASE:
        print_phases(profiled);
        return true;
    case PROFILE_BY_DRAW:
        return print_draws(profiled, top);
    case PROFILE_BY_FRAME:
        return print_frames(profiled, top);
    case PROFILE_BY_SCENE:
        print_scenes(profiled);
        return true;
    default:
        return print_groups(profiled, by, top);
    }
}
