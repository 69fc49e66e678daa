/* SPDX-License-Identifier: MIT */
/*
 * One pixel of a draw. Each primitive that may cover it is drawn again and again with the scissor rectangle at the
 * pixel: with nothing tested, as the draw culls, with its alpha test, and so on up to the draw's own state. The
 * rasterizer's answer to each (did the program run there, did the fragment pass) gives the verdict. The texels of all
 * targets are restored in between.
 */
#include "inspect/pixel/draw.h"

#include "base/base.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/near.h"

#include <stdlib.h>
#include <string.h>

/* --- texels -------------------------------------------------------------------------------------- */

static void decode_depth(enum raster_format format, const uint8_t *texel, float *z, uint8_t *stencil)
{
    const uint32_t mask = raster_stencil_mask(format);
    uint32_t word;

    memcpy(&word, texel, sizeof(word));
    raster_decode_depth(format, texel, 16, z, sizeof(float), 1, 1);
    *stencil = mask ? (uint8_t)((word & mask) >> __builtin_ctz(mask)) : 0;
}

void inspect_decode_texels(const struct hal_inspect_texels *color, const struct hal_inspect_texels *depth,
                           struct inspect_pixel *pixel)
{
    const unsigned samples = color ? BASE_MAX(color->samples, 1u) : depth ? BASE_MAX(depth->samples, 1u) : 1;

    *pixel = (struct inspect_pixel){.samples = BASE_MIN(samples, (unsigned)HAL_INSPECT_SAMPLES)};
    pixel->has_color = color && color->format != RASTER_FORMAT_NONE && color->format != RASTER_FORMAT_NULL;
    /* a depth buffer may have any format that a hostile capture claims */
    pixel->has_depth = depth && raster_format_info(depth->format)->depth_bits;
    pixel->has_stencil = pixel->has_depth && raster_stencil_mask(depth->format);
    if (pixel->has_color)
        pixel->bytes = raster_format_info(color->format)->block_bytes;
    for (unsigned s = 0; s < pixel->samples; s++) {
        if (pixel->has_color) {
            memcpy(pixel->raw[s], color->bytes[s], 16);
            raster_decode_wide(color->format, color->bytes[s], 16, pixel->color[s], 4 * sizeof(float), 1, 1, NULL);
        }
        if (pixel->has_depth)
            decode_depth(depth->format, depth->bytes[s], &pixel->depth[s], &pixel->stencil[s]);
    }
}

static void decode(const struct pixel_watch *w, const struct hal_probe_texels *texels, struct inspect_pixel *pixel)
{
    inspect_decode_texels(w->is_depth ? NULL : &texels->color[w->target], &texels->depth, pixel);
}

static void read_texels(const struct pixel_watch *w, struct hal_probe_texels *texels)
{
    hal_probe_read(w->context, w->x, w->y, texels);
}

static void restore_texels(const struct pixel_watch *w)
{
    hal_probe_write(w->context, w->x, w->y, &w->before);
}

uint8_t inspect_changed_parts(const struct inspect_pixel *before, const struct inspect_pixel *after)
{
    uint8_t parts = 0;

    for (unsigned s = 0; s < before->samples; s++) {
        if (before->has_color && memcmp(before->color[s], after->color[s], sizeof(before->color[s])))
            parts |= INSPECT_PART_COLOR;
        if (before->has_depth && memcmp(&before->depth[s], &after->depth[s], sizeof(before->depth[s])))
            parts |= INSPECT_PART_DEPTH;
        if (before->has_stencil && before->stencil[s] != after->stencil[s])
            parts |= INSPECT_PART_STENCIL;
    }
    return parts;
}

/* --- passes -------------------------------------------------------------------------------------- */

/* No test decides, and no colour is written. Depth is, so that it can be read. */
#define TEST_NOTHING \
    (HAL_PROBE_DEPTH_STORED | HAL_PROBE_NO_BOUNDS | HAL_PROBE_NO_STENCIL | HAL_PROBE_NO_ALPHA_TEST | HAL_PROBE_NO_COLOR)
#define ALL_SAMPLES 0xffff

static const struct hal_inspect_stencil *stencil_of(const struct pixel_watch *w)
{
    return w->state.two_sided_stencil && !w->fragment.front_facing ? &w->state.stencil_back : &w->state.stencil;
}

/* The program tells what becomes of the pixel. */
static void probe_with(struct hal_probe_state *state)
{
    state->program = HAL_PROBE_AT_PIXEL;
    state->changes |= HAL_PROBE_TESTS_LATE;
}

/* Disables the test that the primitive failed. The scissor rectangle is at the pixel already. */
static void disable_failed_test(const struct pixel_watch *w, struct hal_probe_state *state)
{
    switch (w->fragment.verdict) {
    case INSPECT_CULLED:
        state->changes |= HAL_PROBE_NO_CULLING;
        break;
    case INSPECT_SAMPLE_MASKED:
        state->sample_mask = ALL_SAMPLES;
        break;
    case INSPECT_KILLED:
        probe_with(state);
        break;
    case INSPECT_ALPHA_FAILED:
        state->changes |= HAL_PROBE_NO_ALPHA_TEST;
        break;
    case INSPECT_BOUNDS_FAILED:
        state->changes |= HAL_PROBE_NO_BOUNDS;
        break;
    case INSPECT_STENCIL_FAILED:
        state->changes |= HAL_PROBE_STENCIL_PASSES;
        break;
    case INSPECT_DEPTH_FAILED:
        state->changes |= HAL_PROBE_DEPTH_PASSES;
        break;
    case INSPECT_WRITE_MASKED:
        state->changes |= w->is_depth ? HAL_PROBE_DEPTH_WRITES : HAL_PROBE_ALL_CHANNELS;
        break;
    default:
        break;
    }
}

/* The state of a pass in which the program is asked. */
static void ask_program(const struct pixel_watch *w, enum pixel_pass pass, struct hal_probe_state *state)
{
    state->changes |= TEST_NOTHING;
    probe_with(state);
    if (pass == PIXEL_PROBE || pass == PIXEL_SAMPLE)
        state->changes |= HAL_PROBE_NO_CULLING;
    if (pass == PIXEL_PROBE || pass == PIXEL_CULLING)
        state->sample_mask = ALL_SAMPLES;
    if (pass == PIXEL_SAMPLE)
        state->sample_mask = (uint16_t)(1u << w->sample);
    if (pass == PIXEL_PROBE)
        state->tracer = w->tracer;
    if (pass == PIXEL_KILL)
        state->kill = w->kill;
}

/* Sets the state of a pass; the draw's own for the last one. */
static void begin_pass(struct pixel_watch *w, enum pixel_pass pass)
{
    struct hal_probe_state state = {.changes = HAL_PROBE_ONE_PIXEL, .x = w->x, .y = w->y, .target = w->target};

    w->pass = pass;
    switch (pass) {
    case PIXEL_PROBE:
    case PIXEL_SAMPLE:
    case PIXEL_CULLING:
    case PIXEL_MASKED:
    case PIXEL_KILL:
        ask_program(w, pass, &state);
        break;
    case PIXEL_ALPHA:
        state.changes |= HAL_PROBE_NO_DEPTH | HAL_PROBE_NO_BOUNDS | HAL_PROBE_NO_STENCIL;
        break;
    case PIXEL_BOUNDS:
        state.changes |= HAL_PROBE_DEPTH_PASSES | HAL_PROBE_DEPTH_KEEPS | HAL_PROBE_NO_STENCIL;
        break;
    case PIXEL_STENCIL:
        state.changes |= HAL_PROBE_DEPTH_PASSES | HAL_PROBE_DEPTH_KEEPS | HAL_PROBE_STENCIL_KEEPS;
        break;
    case PIXEL_REAL:
        break;
    case PIXEL_OTHERWISE:
        disable_failed_test(w, &state);
        break;
    case PIXEL_WHOLE:
        hal_probe_release(w->probe);
        return;
    }
    w->failed |= !hal_probe_set(w->probe, &state);
}

/* --- fragments ----------------------------------------------------------------------------------- */

static void keep_fragment(struct pixel_watch *w)
{
    struct inspect_pixel_row *row = w->row;

    row->fragment_count++;
    if (row->fragment_count > INSPECT_MOST_FRAGMENTS)
        return;
    if (row->fragment_count > w->fragment_capacity) {
        const size_t capacity = 2 * w->fragment_capacity + 8;
        struct inspect_fragment *bigger = mem_realloc(row->fragments, capacity, sizeof(*bigger));

        if (!bigger) {
            w->failed = true;
            row->fragment_count--;
            return;
        }
        row->fragments = bigger;
        w->fragment_capacity = capacity;
    }
    row->fragments[row->fragment_count - 1] = w->fragment;
}

/* The verdict is complete; the primitive is then drawn as a whole. */
static void finish_fragment(struct pixel_watch *w)
{
    keep_fragment(w);
    restore_texels(w);
    begin_pass(w, PIXEL_WHOLE);
}

/* Each side has a stencil test, each colour target a mask; depth buffers have a switch. */
static const char *deciding_state(const struct pixel_watch *w, enum inspect_verdict verdict)
{
    static const char *const masks[] = {"COLORWRITEENABLE", "COLORWRITEENABLE1", "COLORWRITEENABLE2",
                                        "COLORWRITEENABLE3"};

    if (verdict == INSPECT_STENCIL_FAILED && stencil_of(w) == &w->state.stencil_back)
        return "CCW_STENCILFUNC";
    if (verdict == INSPECT_WRITE_MASKED && w->is_depth)
        return w->state.depth_test ? "ZWRITEENABLE" : "ZENABLE";
    if (verdict == INSPECT_WRITE_MASKED)
        return w->target < ARRAY_COUNT(masks) ? masks[w->target] : NULL;
    return inspect_verdict_state(verdict);
}

/* The verdict is found. After a failure, the primitive is drawn again without the failed test. */
static void set_verdict(struct pixel_watch *w, enum inspect_verdict verdict)
{
    struct hal_probe_texels after;

    w->fragment.verdict = verdict;
    w->fragment.state = deciding_state(w, verdict);
    read_texels(w, &after);
    if (w->pass != PIXEL_REAL)
        after = w->before;
    decode(w, &after, &w->fragment.after);
    w->last = after;
    w->chained = true;
    if (verdict >= INSPECT_BLENDED) {
        finish_fragment(w);
        return;
    }
    restore_texels(w);
    begin_pass(w, PIXEL_OTHERWISE);
}

/* The effect of the primitive without the test that it failed. */
static void note_otherwise(struct pixel_watch *w)
{
    const bool passed = hal_probe_passed(w->probe) > 0;
    struct inspect_fragment *f = &w->fragment;
    struct hal_probe_texels bytes;
    struct inspect_pixel after;

    read_texels(w, &bytes);
    decode(w, &bytes, &after);
    /* A primitive without a colour to write may still have changed depth and stencil. */
    f->would_change = inspect_changed_parts(f->verdict == INSPECT_WRITE_MASKED ? &f->after : &f->before, &after);
    f->otherwise = !passed || (f->verdict != INSPECT_SCISSORED && !w->in_scissor) ? INSPECT_FAILS
                   : f->would_change                                              ? INSPECT_CHANGES
                                                                                  : INSPECT_LEAVES;
    if (f->otherwise != INSPECT_CHANGES)
        f->would_change = 0;
}

/* Evaluates the probe. */
static void note_probe(struct pixel_watch *w)
{
    const struct hal_probe_result result = hal_probe_result(w->probe);
    struct inspect_fragment *f = &w->fragment;
    struct hal_probe_texels probed;
    struct inspect_pixel pixel;

    read_texels(w, &probed);
    decode(w, &probed, &pixel);
    f->has_depth = pixel.has_depth;
    memcpy(f->depth, pixel.depth, sizeof(f->depth));
    f->front_facing = result.front_facing;
    f->has_output = true;
    memcpy(f->output, result.output, sizeof(f->output));
    f->output_mask = w->state.output_mask[w->target];
    f->has_alpha_test = w->state.alpha_test;
    f->alpha_func = w->state.alpha_func;
    f->alpha_ref = w->state.alpha_ref;
    f->alpha = result.alpha;
    f->depth_func = w->state.depth_test ? w->state.depth_func : 0;
    f->stencil_func = stencil_of(w)->enable ? stencil_of(w)->func : 0;
    f->stencil_ref = stencil_of(w)->ref;
    f->stencil_mask = stencil_of(w)->mask;
    f->kills = w->state.kill_count;
}

static bool is_blended(const struct pixel_watch *w)
{
    return !w->is_depth && w->state.blend;
}

static bool writes_here(const struct pixel_watch *w)
{
    const struct hal_inspect_pixels *s = &w->state;
    const bool stencil =
        (s->stencil.enable && s->stencil.write_mask) || (s->two_sided_stencil && s->stencil_back.write_mask);

    if (w->is_depth)
        return (s->depth_test && s->depth_write) || stencil;
    return s->color_write_mask[w->target] & hal_inspect_channels(s->color[w->target].format);
}

static unsigned samples_of(const struct pixel_watch *w)
{
    return BASE_MAX(BASE_MAX(w->state.color[0].samples, w->state.depth.samples), 1u);
}

/* The pass after the one that has just been answered; *verdict: it gives one. */
static bool next_pass(struct pixel_watch *w, enum pixel_pass *next, enum inspect_verdict *verdict)
{
    const bool passed = hal_probe_passed(w->probe) > 0;
    const struct hal_probe_result result = hal_probe_result(w->probe);
    const struct hal_inspect_pixels *s = &w->state;

    switch (w->pass) {
    case PIXEL_PROBE:
        note_probe(w);
        w->fragment.samples = 1;
        w->sample = 0;
        *next = PIXEL_CULLING;
        if (samples_of(w) > 1) {
            w->fragment.samples = 0;
            *next = PIXEL_SAMPLE;
        }
        return false;
    case PIXEL_SAMPLE:
        w->fragment.samples |= result.hit ? 1u << w->sample : 0;
        *next = ++w->sample < samples_of(w) ? PIXEL_SAMPLE : PIXEL_CULLING;
        return false;
    case PIXEL_CULLING:
        *verdict = !result.hit ? INSPECT_CULLED : INSPECT_SCISSORED;
        *next = PIXEL_MASKED;
        return !result.hit || !w->in_scissor;
    case PIXEL_MASKED:
        *verdict = !result.hit ? INSPECT_SAMPLE_MASKED : INSPECT_KILLED;
        w->kill = w->fragment.killed_by = result.hit && result.killed ? 1 : 0;
        *next = w->kill ? PIXEL_KILL : PIXEL_ALPHA;
        return !result.hit || (w->kill && w->fragment.kills < 2);
    case PIXEL_KILL:
        *verdict = INSPECT_KILLED;
        *next = PIXEL_KILL;
        w->fragment.killed_by = result.killed ? w->kill : 0;
        return w->fragment.killed_by || w->kill++ >= w->fragment.kills;
    case PIXEL_ALPHA:
        *verdict = INSPECT_ALPHA_FAILED;
        *next = s->depth_bounds ? PIXEL_BOUNDS : s->stencil.enable ? PIXEL_STENCIL : PIXEL_REAL;
        return !passed;
    case PIXEL_BOUNDS:
        *verdict = INSPECT_BOUNDS_FAILED;
        *next = s->stencil.enable ? PIXEL_STENCIL : PIXEL_REAL;
        return !passed;
    case PIXEL_STENCIL:
        *verdict = INSPECT_STENCIL_FAILED;
        *next = PIXEL_REAL;
        return !passed;
    default:
        *verdict = !passed           ? INSPECT_DEPTH_FAILED
                   : !writes_here(w) ? INSPECT_WRITE_MASKED
                   : is_blended(w)   ? INSPECT_BLENDED
                                     : INSPECT_WRITTEN;
        return true;
    }
}

/* --- primitives ---------------------------------------------------------------------------------- */

/* Notes that the primitive does not cover the pixel. */
static void note_miss(struct pixel_watch *w, const struct hal_inspect_primitive *primitive, bool in_viewport)
{
    inspect_note_nearest(&w->row->nearest, primitive, w->first_primitive, &w->state, w->x, w->y, in_viewport,
                         w->lacks_data ? &w->draw : NULL);
}

/* On the first call, checks whether there is anything to find out. */
static bool begin_primitive(struct pixel_watch *w, const struct hal_inspect_primitive *primitive)
{
    w->row->primitives++;
    w->part_primitives = BASE_MAX(w->part_primitives, primitive->number + 1);
    if (!w->in_viewport || !inspect_may_cover(primitive, &w->state, w->x, w->y)) {
        note_miss(w, primitive, w->in_viewport);
        w->pass = PIXEL_WHOLE;
        return true;
    }
    hal_probe_hold(w->probe);
    read_texels(w, &w->before);
    w->fragment = (struct inspect_fragment){.primitive = w->first_primitive + primitive->number};
    decode(w, &w->before, &w->fragment.before);
    begin_pass(w, PIXEL_PROBE);
    return true;
}

/* The pass has been drawn: sets the state of the next one. */
static void evaluate_pass(struct pixel_watch *w, const struct hal_observed_primitive *observed)
{
    struct hal_inspect_primitive primitive;
    enum inspect_verdict verdict;
    enum pixel_pass next;

    hal_probe_finish(w->probe);
    if (w->pass == PIXEL_OTHERWISE) {
        note_otherwise(w);
        finish_fragment(w);
        return;
    }
    if (w->pass == PIXEL_PROBE && !hal_probe_result(w->probe).hit) {
        hal_inspect_primitive(observed, &primitive);
        note_miss(w, &primitive, true);
        restore_texels(w);
        begin_pass(w, PIXEL_WHOLE);
        return;
    }
    if (next_pass(w, &next, &verdict)) {
        set_verdict(w, verdict);
        return;
    }
    restore_texels(w);
    begin_pass(w, next);
}

static bool pixel_primitive(void *user, const struct hal_observed_primitive *observed, unsigned times)
{
    struct pixel_watch *w = user;
    struct hal_inspect_primitive primitive;

    if (!w->is_on)
        return times == 0;
    if (times == 0) {
        hal_inspect_primitive(observed, &primitive);
        return begin_primitive(w, &primitive);
    }
    if (w->pass == PIXEL_WHOLE)
        return false;
    evaluate_pass(w, observed);
    return true;
}

/* --- draws --------------------------------------------------------------------------------------- */

static bool lies_in(const struct hal_rect *rect, unsigned x, unsigned y)
{
    return (int)x >= rect->left && (int)x < rect->right && (int)y >= rect->top && (int)y < rect->bottom;
}

/* Is the surface a target of the draw, or its depth buffer? */
static bool is_on_surface(struct pixel_watch *w, const struct hal_inspect_bound *bound, uint32_t surface)
{
    w->is_depth = false;
    for (w->target = 0; w->target < HAL_INSPECT_TARGETS; w->target++)
        if (bound->color[w->target] && inspect_surface_id(bound->color[w->target]) == surface)
            return true;
    w->target = 0;
    w->is_depth = w->state.depth.is_bound && inspect_surface_id(bound->depth) == surface;
    return w->is_depth;
}

static void find_surface(struct pixel_watch *w)
{
    struct hal_inspect_bound bound;

    hal_inspect_bound(w->context, &bound);
    hal_inspect_pixels(w->context, &w->state);
    w->is_on = w->surface && is_on_surface(w, &bound, w->surface);
    for (unsigned s = 0; s < w->surface_count && !w->surface; s++)
        if (is_on_surface(w, &bound, w->surfaces[s])) {
            w->surface = w->surfaces[s];
            w->is_on = true;
        }
}

/* States just before the draw may have bound targets other than those that row->before was read from. */
static void note_before(struct pixel_watch *w)
{
    struct hal_probe_texels texels;

    read_texels(w, &texels);
    decode(w, &texels, &w->row->before);
    w->began = true;
}

static bool pixel_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct pixel_watch *w = user;

    (void)primitives;
    w->context = context;
    w->first_primitive += w->part_primitives;
    w->part_primitives = 0;
    find_surface(w);
    w->row->reaches |= w->is_on;
    if (!w->is_on)
        return true;
    hal_inspect_draw(context, draw, &w->draw);
    inspect_note_lacks(&w->row->lacks, &w->draw);
    w->lacks_data = inspect_lacks_data(&w->row->lacks);
    hal_probe_begin(w->probe, context, w->began ? HAL_PROBE_FLUSH_NOTHING : HAL_PROBE_FLUSH_ALL);
    if (!w->began)
        note_before(w);
    hal_probe_open_planes(w->probe, w->open_planes); /* before the vertices are processed */
    w->in_viewport = lies_in(&w->state.viewport, w->x, w->y);
    w->in_scissor = !w->state.scissor_test || lies_in(&w->state.scissor, w->x, w->y);
    return true;
}

static void pixel_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    struct pixel_watch *w = user;

    inspect_note_skip(&w->row->lacks, context, draw, why);
}

static void pixel_tessellates(void *user, struct hal_context *context, const struct hal_draw *draw, uint64_t points)
{
    struct pixel_watch *w = user;

    inspect_note_tessellated(&w->row->lacks, context, draw, points);
}

static void pixel_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

/* Does the whole draw give the same result as its primitives one by one? */
static void pixel_drawn(void *user, struct hal_context *context)
{
    struct pixel_watch *w = user;
    struct hal_probe_texels now;

    (void)context;
    if (!w->is_on)
        return;
    hal_probe_end(w->probe, true);
    read_texels(w, &now);
    w->row->disagrees |= w->chained && memcmp(&now, &w->last, sizeof(now));
}

const struct hal_observer inspect_pixel_observer = {
    .draw = pixel_draw,
    .skipped = pixel_skipped,
    .tessellates = pixel_tessellates,
    .vertices = pixel_vertices,
    .primitive = pixel_primitive,
    .drawn = pixel_drawn,
};
