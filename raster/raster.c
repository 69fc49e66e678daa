/* SPDX-License-Identifier: MIT */
/* The rasterizer's interface: targets, state, clears, flushes. */
#include "raster/raster.h"

#include "base/assert.h"
#include "raster/frontend.h"
#include "raster/kernels/kernels.h"
#include "raster/kernels/srgb_encode.h"
#include "raster/tasks.h"
#include "raster/tile/tile.h"
#include "raster/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct raster_kernels *raster_kernels_for(enum cpu_level level)
{
#define LEVEL_ENTRY(NUMBER, name) &raster_kernels_##name,
    static const struct raster_kernels *const table[CPU_LEVEL_COUNT] = {CPU_LEVELS(LEVEL_ENTRY)};

    return table[level];
}

raster_sample_lod_fn raster_sample_lod_kernel(enum cpu_level level)
{
    return raster_kernels_for(level)->sample_lod;
}

struct raster *raster_create(enum cpu_level level, unsigned threads)
{
    struct raster *raster = mem_alloc_aligned(sizeof(*raster));

    if (!raster)
        return NULL;
    raster->level = level;
    raster->budget = UINT64_MAX;
    raster->flush_bytes = SCENE_FLUSH_BYTES;
    raster->threads = threads;
    raster->kernels = raster_kernels_for(level);
    raster->tasks = tasks_create(raster->kernels, threads);
    if (!raster->tasks) {
        mem_free_aligned(raster);
        return NULL;
    }
    return raster;
}

void raster_destroy(struct raster *raster)
{
    if (!raster)
        return;
    raster_flush(raster);
    log_info("raster: %llu triangles, %llu lines, %llu points given, %llu primitives binned, %llu fragments drawn in "
             "%llu flushes",
             (unsigned long long)raster->statistics.triangles, (unsigned long long)raster->statistics.lines,
             (unsigned long long)raster->statistics.points, (unsigned long long)raster->statistics.binned,
             (unsigned long long)raster->statistics.fragments, (unsigned long long)raster->statistics.flushes);
    tasks_destroy(raster->tasks);
    group_free(raster);
    trace_destroy(raster->trace);
    scene_free(&raster->scene);
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        scene_free(&raster->queue[i].scene);
    free(raster->depth);
    mem_free_aligned(raster);
}

void raster_trace(struct raster *raster, const char *path)
{
    if (raster->threads > 1 || raster->trace)
        return;
    raster->trace = trace_create(path);
    tasks_trace(raster->tasks, raster->trace);
}

void raster_watch(struct raster *raster, const struct raster_watch *watch)
{
    tasks_watch(raster->tasks, watch);
}

void raster_trace_part(struct raster *raster, bool chunk)
{
    if (raster->trace)
        trace_begin(raster->trace, chunk);
}

static float depth_resolution(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    unsigned bits = info->depth_bits;

    return bits ? (float)(1.0 / ((double)(UINT64_C(1) << bits) - 1.0)) : 0.0f;
}

/* Scenes that a raster needs beside the one that is filled: one thread has no use for them. */
static unsigned queue_room(const struct raster *raster)
{
    return raster->threads > 1 ? TASKS_QUEUE : 0;
}

/* All scenes take the targets; they share what tiles keep of depth. */
static bool begin_scenes(struct raster *raster)
{
    struct scene *scene = &raster->scene;

    if (!scene_begin(scene, &raster->targets))
        return false;
    for (unsigned i = 0; i < queue_room(raster); i++)
        if (!scene_begin(&raster->queue[i].scene, &raster->targets))
            return false;
    const size_t tiles = (size_t)scene->tiles_x * scene->tiles_y;
    if (tiles > raster->depth_tiles) {
        free(raster->depth);
        raster->depth = tile_depth_create(tiles);
        raster->depth_tiles = raster->depth ? tiles : 0;
    }
    scene->depth = raster->depth;
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        raster->queue[i].scene.depth = raster->depth;
    return raster->depth != NULL;
}

/* Picoseconds of a sample that is stored, on top of what the first target of 8 bits a channel costs. */
#define WIDE_PRICE  3000
#define MORE_PRICE  700
#define CLEAR_PRICE 100   /* of a sample that is cleared */
#define TILE_PRICE  20000 /* of a tile in a scene that is drawn */

static uint32_t target_price(const struct raster_targets *targets)
{
    uint32_t price = 0;

    for (unsigned i = 0; i < RASTER_MAX_TARGETS; i++) {
        if (!targets->color[i].pixels)
            continue;
        price += raster_format_is_wide(targets->color[i].format) ? WIDE_PRICE : 0;
        price += i ? MORE_PRICE : 0;
    }
    return price;
}

/* D32F has the mantissa of a float, D24FS8 20 bits. */
static unsigned depth_mantissa(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);

    return info->type != RASTER_FLOAT ? 0 : info->depth_bits > 24 ? 23 : 20;
}

/* Another scene begins, or the one at hand begins anew. */
static void forget_states(struct raster *raster)
{
    raster->scene_state = NULL;
    memset(raster->recent, 0, sizeof(raster->recent));
}

/* The oldest scene has left the queue. */
static void drop_queued(struct raster *raster)
{
    scene_reset(&raster->queue[raster->queue_first].scene);
    raster->queue_dropped = raster->queue_first;
    raster->queue_first = (raster->queue_first + 1) % TASKS_QUEUE;
    raster->queue_count--;
}

/* Finishes what the other threads were given. */
static void finish_drawing(struct raster *raster)
{
    if (!raster->queue_count)
        return;
    tasks_finish(raster->tasks, &raster->statistics.busy);
    tasks_take_counts(raster->tasks, &raster->statistics.fragments, &raster->statistics.samples);
    while (raster->queue_count)
        drop_queued(raster);
}

/* Gives what has gathered to the other threads, and goes on with another scene. The queue has room. False: it is too little. */
static bool queue_scene(struct raster *raster)
{
    struct scene *queued = &raster->queue[(raster->queue_first + raster->queue_count) % TASKS_QUEUE].scene;
    const unsigned dropped = (raster->queue_dropped + TASKS_QUEUE - raster->queue_first) % TASKS_QUEUE;
    struct scene *warm = dropped < raster->queue_count ? queued : &raster->queue[raster->queue_dropped].scene;
    const struct scene gathered = raster->scene;

    raster->scene = *warm;
    *warm = *queued;
    *queued = gathered;
    if (!tasks_start(raster->tasks, queued)) {
        *queued = *warm;
        *warm = raster->scene;
        raster->scene = gathered;
        return false;
    }
    raster->queue_count++;
    forget_states(raster);
    return true;
}

/* Draws what has gathered, and what has been queued before. */
static void draw_gathered(struct raster *raster)
{
    while (tasks_retire(raster->tasks))
        drop_queued(raster);
    if (raster->queue_count == TASKS_QUEUE)
        finish_drawing(raster);
    if (raster->threads > 1 && queue_scene(raster)) {
        finish_drawing(raster);
        return;
    }
    finish_drawing(raster);
    tasks_draw(raster->tasks, &raster->scene, &raster->statistics.busy);
    tasks_take_counts(raster->tasks, &raster->statistics.fragments, &raster->statistics.samples);
}

/* Draws all that was given; flushes_depth: dirty blocks of depth are written back too. */
static void draw_scenes(struct raster *raster, bool flushes_depth)
{
    struct scene *scene = &raster->scene;

    forget_states(raster);
    scene->flushes_depth = flushes_depth;
    if (raster->targets_set && (!scene->empty || (flushes_depth && raster->depth_dirty))) {
        if (raster->trace)
            trace_part(raster->trace);
        draw_gathered(raster);
        raster->statistics.flushes++;
        raster->depth_dirty = !flushes_depth;
        if (raster->trace)
            trace_word(raster->trace, "scene");
    } else {
        finish_drawing(raster);
    }
    if (raster->targets_set)
        scene_reset(scene);
    if (!flushes_depth)
        return;
    scene->epoch++;
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        raster->queue[i].scene.epoch = scene->epoch;
}

/* Only where callers ask for it, and whether or not there is anything to draw: how often a scene grows too large, and what
 * of it other threads have drawn by then, is different each time. */
static void spend_flush(struct raster *raster)
{
    const bool paid = raster->clear_paid && scene_sole_clear(&raster->scene);

    raster->clear_paid = false;
    if (raster->targets_set && !paid)
        raster_spend(raster, (uint64_t)raster->scene.tiles_x * raster->scene.tiles_y * TILE_PRICE);
}

static void trace_wait(struct raster *raster)
{
    if (raster->trace)
        trace_word(raster->trace, "wait");
}

bool raster_waits_for_clear(struct raster *raster, const uint8_t *pixels, unsigned width, unsigned height,
                            uint8_t *texel)
{
    const struct scene_clear *clear = scene_sole_clear(&raster->scene);

    if (!raster->targets_set || !clear || !(clear->what & RASTER_CLEAR_COLOR))
        return false;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        const struct raster_surface *target = &raster->targets.color[t];

        if (target->pixels != pixels || target->samples > 1 || raster->bounds.right != (int)width ||
            raster->bounds.bottom != (int)height)
            continue;
        memcpy(texel, clear->color_texel[t], sizeof(clear->color_texel[t]));
        spend_flush(raster);
        raster->clear_paid = true;
        return true;
    }
    return false;
}

void raster_flush(struct raster *raster)
{
    spend_flush(raster);
    draw_scenes(raster, true);
    trace_wait(raster);
}

bool raster_flush_colors(struct raster *raster)
{
    spend_flush(raster);
    draw_scenes(raster, false);
    trace_wait(raster);
    return raster->depth_dirty && raster->targets.depth.pixels;
}

/* Do both have the same memory of depth, in the same tiles? */
static bool share_depth(const struct raster_targets *a, const struct raster_targets *b)
{
    for (unsigned i = 0; i < RASTER_MAX_TARGETS; i++) {
        const struct raster_surface *s = &a->color[i], *t = &b->color[i];

        if (!s->pixels != !t->pixels || s->width != t->width || s->height != t->height || s->samples != t->samples)
            return false;
    }
    return !memcmp(&a->depth, &b->depth, sizeof(a->depth));
}

static struct raster_rect raster_intersect(struct raster_rect a, struct raster_rect b)
{
    return (struct raster_rect){
        BASE_MAX(a.left, b.left),
        BASE_MAX(a.top, b.top),
        BASE_MIN(a.right, b.right),
        BASE_MIN(a.bottom, b.bottom),
    };
}

static struct raster_rect targets_rect(const struct raster_targets *targets)
{
    struct raster_rect rect = {0, 0, RASTER_MAX_SIZE, RASTER_MAX_SIZE};

    for (unsigned i = 0; i <= RASTER_MAX_TARGETS; i++) {
        const struct raster_surface *s = i < RASTER_MAX_TARGETS ? &targets->color[i] : &targets->depth;

        if (s->pixels)
            rect = raster_intersect(rect, (struct raster_rect){0, 0, (int)s->width, (int)s->height});
    }
    return rect;
}

static bool raster_has_loss(const struct raster *raster)
{
    bool lost = raster->scene.lost;

    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        lost |= raster->queue[i].scene.lost;
    return lost;
}

bool raster_take_loss(struct raster *raster)
{
    const bool lost = raster_has_loss(raster);

    raster->scene.lost = false;
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        raster->queue[i].scene.lost = false;
    return lost;
}

bool raster_is_well(const struct raster *raster)
{
    return raster->budget > 0 && !raster_has_loss(raster);
}

bool raster_set_targets(struct raster *raster, const struct raster_targets *targets)
{
    if (raster->targets_set && !memcmp(&raster->targets, targets, sizeof(*targets)))
        return true;
    spend_flush(raster);
    draw_scenes(raster, !raster->targets_set || !share_depth(&raster->targets, targets));
    trace_wait(raster);
    raster->targets = *targets;
    raster->bounds = targets_rect(targets);
    raster->depth_resolution = depth_resolution(targets->depth.format);
    raster->depth_mantissa = depth_mantissa(targets->depth.format);
    raster->target_price = target_price(targets);
    raster->targets_set = begin_scenes(raster);
    forget_states(raster);
    return raster->targets_set;
}

unsigned raster_provoking_corner(enum raster_topology topology, unsigned corners, bool flatshade_first)
{
    const unsigned last = corners - 1;

    switch (topology) {
    case RASTER_TRIANGLE_FAN:
        return flatshade_first ? 1 : last;
    case RASTER_QUADS:
        return last;
    case RASTER_POLYGON:
        return 0;
    default:
        return flatshade_first ? 0 : last;
    }
}

void raster_set_state(struct raster *raster, const struct raster_draw_state *state)
{
    if (raster->scene_state && !memcmp(&raster->state, state, sizeof(*state)))
        return;
    raster->state = *state;
    raster->scene_state = NULL;
}

/* Gives what has gathered to threads that have nothing to do, and goes on with another scene. */
static void start_drawing(struct raster *raster)
{
    if (raster->trace) {
        draw_scenes(raster, false);
        return;
    }
    while (tasks_retire(raster->tasks))
        drop_queued(raster);
    if (!tasks_want_scene(raster->tasks))
        return;
    raster->scene.flushes_depth = false;
    if (queue_scene(raster)) {
        raster->depth_dirty = true;
        return;
    }
    raster->scene.pixels = 0; /* ask again when it has grown as much once more */
    raster->scene.started = raster->scene.bytes;
}

void raster_wait(struct raster *raster)
{
    finish_drawing(raster);
}

bool raster_advance(struct raster *raster)
{
    while (tasks_retire(raster->tasks))
        drop_queued(raster);
    if (raster->targets_set && !raster->scene.empty && raster->threads > 1)
        start_drawing(raster);
    return !raster->queue_count;
}

/* --- scenes split for tests ---------------------------------------------------------------- */

static uint32_t next_random(struct raster *raster)
{
    raster->split_seed = raster->split_seed * 1664525u + 1013904223u;
    raster->split_seed += !raster->split_seed;
    return raster->split_seed >> 8;
}

/* The scene at hand may grow by a number of bytes whose magnitude is random: a primitive or hundreds of them. */
static void choose_split(struct raster *raster)
{
    const uint32_t magnitude = 7 + next_random(raster) % 11;

    raster->flush_bytes = raster->scene.bytes + next_random(raster) % (1u << magnitude);
}

void raster_split_scenes(struct raster *raster, uint32_t seed)
{
    raster->split_seed = seed;
    raster->flush_bytes = SCENE_FLUSH_BYTES;
    if (seed)
        choose_split(raster);
}

/* Ends the scene in one of the ways in which a scene may end, or gives it to the other threads if they want one. */
static void split_scene(struct raster *raster)
{
    const uint32_t choice = next_random(raster) % 4;

    if (choice < 2) {
        draw_scenes(raster, choice);
    } else {
        if (choice == 2)
            finish_drawing(raster);
        start_drawing(raster);
    }
    choose_split(raster);
}

/* --- scenes ------------------------------------------------------------------------------------ */

static __attribute__((noinline)) void leave_scene(struct raster *raster)
{
    if (raster->split_seed)
        split_scene(raster);
    else
        draw_scenes(raster, false);
}

/* Before a primitive or a clear: a scene that has grown enough is drawn. */
static void make_room(struct raster *raster)
{
    const struct scene *scene = &raster->scene;

    if (scene->bytes > raster->flush_bytes)
        leave_scene(raster);
    else if ((raster->threads > 1 || raster->trace) &&
             (scene->bytes - scene->started > SCENE_START_BYTES || scene->pixels > SCENE_START_PIXELS))
        start_drawing(raster);
}

static const struct raster_draw_state *copy_state(struct scene *scene, const struct raster_draw_state *state)
{
    const bool whole = scene_has_whole_state(state);
    struct raster_draw_state *copy = scene_alloc(scene, whole ? SCENE_WHOLE_STATE_BYTES : SCENE_STATE_BYTES);

    if (copy && whole)
        memcpy(copy, state, SCENE_WHOLE_STATE_BYTES);
    else if (copy)
        memcpy(copy, state, SCENE_STATE_BYTES);
    return copy;
}

/* The recent states among which one is looked for: by its program with values, and by its blending. */
static const struct raster_draw_state **recent_states(struct raster *raster, const struct raster_draw_state *state)
{
    uint64_t hash;

    memcpy(&hash, &state->blend, sizeof(hash));
    hash = (hash + (uintptr_t)state->program) * UINT64_C(0x9e3779b97f4a7c15);
    return raster->recent[hash >> 32 & (RASTER_RECENT_SETS - 1)];
}

/* The state's copy in the scene. Draws that go to and fro between states share copies: workers read them once. */
static const struct raster_draw_state *scene_state(struct raster *raster)
{
    const struct raster_draw_state *state = &raster->state, **recent = recent_states(raster, state);

    for (unsigned i = 0; i < RASTER_RECENT_WAYS && recent[i]; i++)
        if (recent[i]->program == state->program && !memcmp(recent[i], state, SCENE_STATE_BYTES) &&
            !scene_has_whole_state(state))
            return recent[i];
    memmove(&recent[1], &recent[0], (RASTER_RECENT_WAYS - 1) * sizeof(*recent));
    return recent[0] = copy_state(&raster->scene, state);
}

const struct raster_draw_state *raster_begin_primitive(struct raster *raster)
{
    make_room(raster);
    if (raster->scene_state)
        return raster->scene_state;
    if (!raster->targets_set || !raster->budget)
        return NULL;
    raster->clip = raster_intersect(raster->state.viewport, raster->bounds);
    if (raster->state.rasterizer.scissor)
        raster->clip = raster_intersect(raster->clip, raster->state.scissor);
    if (raster->clip.left >= raster->clip.right || raster->clip.top >= raster->clip.bottom)
        return NULL;
    raster->scene_state = scene_state(raster);
    raster->price =
        raster->state.cost + raster->scene.samples * (uint64_t)(raster->state.sample_cost + raster->target_price);
    raster->price = BASE_MAX(raster->price, 1u);
    return raster->scene_state;
}

void raster_set_budget(struct raster *raster, uint64_t units)
{
    raster->budget = units;
}

uint64_t raster_get_budget(const struct raster *raster)
{
    return raster->budget;
}

bool raster_spend(struct raster *raster, uint64_t units)
{
    if (raster->budget <= units) {
        raster->budget = 0;
        raster->scene_state = NULL; /* primitives ask again, and are refused */
        return false;
    }
    raster->budget -= units;
    return true;
}

/* Which bits of a depth word a clear of `what` replaces. */
static uint32_t depth_clear_mask(enum raster_format format, unsigned what)
{
    return (what & RASTER_CLEAR_DEPTH ? raster_depth_mask(format) : 0) |
           (what & RASTER_CLEAR_STENCIL ? raster_stencil_mask(format) : 0);
}

/* 0xAARRGGBB; alpha stays. */
static uint32_t srgb_color(uint32_t color)
{
    uint32_t out = color & 0xff000000;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        const float linear = (float)(color >> shift & 0xff) / 255.0f;

        out |= (uint32_t)(srgb_encode(linear) * 255.0f + 0.5f) << shift;
    }
    return out;
}

static void fill_clear(const struct raster_targets *targets, struct scene_clear *clear, uint32_t color, float depth,
                       uint32_t stencil)
{
    if (clear->what & RASTER_CLEAR_COLOR)
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
            const enum raster_format format = targets->color[t].format;
            const bool srgb = clear->what & RASTER_CLEAR_SRGB && raster_format_info(format)->bits[0] == 8;

            raster_pack_texel(format, srgb ? srgb_color(color) : color, clear->color_texel[t]);
        }
    if (clear->what & (RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL)) {
        clear->depth = depth > 0.0f ? fminf(depth, 1.0f) : 0.0f;
        clear->depth_value = raster_pack_depth(targets->depth.format, depth, stencil);
        clear->depth_mask = depth_clear_mask(targets->depth.format, clear->what);
    }
}

static bool is_rect(const struct raster_rect *a, const struct raster_rect *b)
{
    return !memcmp(a, b, sizeof(*a));
}

/* Does a clear of everything follow another one that it leaves nothing of? Then it takes its place. */
static bool replaces_last(const struct raster *raster, const struct scene_clear *clear)
{
    const struct scene *scene = &raster->scene;

    return scene->last_clear && scene->bytes == scene->last_clear_end && is_rect(&clear->rect, &raster->bounds) &&
           !(scene->last_clear->what & ~clear->what);
}

/* False: no memory, some tiles lack it. */
static bool bin_clear(struct raster *raster, const struct scene_clear *clear)
{
    const struct raster_rect *area = &clear->rect;
    bool all = true;

    for (int y = area->top / RASTER_TILE_SIZE; y <= (area->bottom - 1) / RASTER_TILE_SIZE; y++)
        for (int x = area->left / RASTER_TILE_SIZE; x <= (area->right - 1) / RASTER_TILE_SIZE; x++)
            all &= scene_bin_command(&raster->scene, (unsigned)x, (unsigned)y, SCENE_CLEAR, clear, 0);
    return all;
}

void raster_clear(struct raster *raster, unsigned what, const struct raster_rect *rect, uint32_t color, float depth,
                  uint32_t stencil)
{
    struct scene *scene = &raster->scene;
    const struct raster_targets *targets = &raster->targets;

    if (!raster->targets_set)
        return;
    if (!targets->color[0].pixels)
        what &= RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL;
    if (!targets->depth.pixels)
        what &= RASTER_CLEAR_COLOR | RASTER_CLEAR_SRGB;
    if (!raster_stencil_mask(targets->depth.format))
        what &= ~(unsigned)RASTER_CLEAR_STENCIL;
    struct raster_rect area = raster_intersect(*rect, raster->bounds);
    if (!what || area.left >= area.right || area.top >= area.bottom)
        return;
    if (!raster->budget)
        return;
    struct scene_clear fresh = {.what = what, .rect = area};

    fill_clear(targets, &fresh, color, depth, stencil);
    const bool replaces = replaces_last(raster, &fresh);
    const uint64_t samples = (uint64_t)(area.right - area.left) * (uint64_t)(area.bottom - area.top) * scene->samples;

    /* One that takes the place of another costs nothing, unless that one has been copied, as if it had been drawn. */
    if ((!replaces || raster->clear_paid) && !raster_spend(raster, samples * CLEAR_PRICE))
        return;
    if (replaces) {
        *scene->last_clear = fresh;
        raster->clear_paid = false;
        return;
    }
    make_room(raster);
    const bool alone = scene->empty;
    struct scene_clear *clear = scene_alloc(scene, sizeof(*clear));
    if (!clear)
        return;
    *clear = fresh;
    if (bin_clear(raster, clear) && is_rect(&area, &raster->bounds)) {
        scene->last_clear = clear;
        scene->last_clear_end = scene->bytes;
        scene->last_clear_alone = alone;
    }
}

void raster_get_statistics(const struct raster *raster, struct raster_statistics *statistics)
{
    *statistics = raster->statistics;
}
