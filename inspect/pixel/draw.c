/* SPDX-License-Identifier: MIT */
/*
 * One pixel of a draw. Each primitive that may cover it is drawn again and again with the scissor rectangle at the
 * pixel: with nothing tested, as the draw culls, with its alpha test, and so on up to the draw's own state. The
 * rasterizer's answer to each (did the program run there, did the fragment pass) gives the verdict. The texels of all
 * targets are restored in between.
 */
#include "inspect/pixel/draw.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/near.h"
#include "raster/frontend.h"
#include "raster/narrow.h"
#include "shader/code.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

/* --- texels -------------------------------------------------------------------------------------- */

static uint8_t *texel_at(const struct raster_surface *surface, unsigned x, unsigned y, unsigned sample)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    if (!surface->pixels || surface->format == RASTER_FORMAT_NULL || x >= surface->width || y >= surface->height ||
        sample >= BASE_MAX(surface->samples, 1u) || bytes > 16)
        return NULL;
    return surface->samples > 1 ? raster_sample_texel(surface, sample, x, y)
                                : surface->pixels + y * surface->pitch + (size_t)x * bytes;
}

static void copy_texel(const struct raster_surface *surface, unsigned x, unsigned y, unsigned sample, uint8_t *to,
                       const uint8_t *from)
{
    uint8_t *texel = texel_at(surface, x, y, sample);
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    if (texel && to)
        memcpy(to, texel, bytes);
    else if (texel)
        memcpy(texel, from, bytes);
}

void inspect_read_texels(const struct raster_targets *targets, unsigned x, unsigned y, struct pixel_bytes *bytes)
{
    memset(bytes, 0, sizeof(*bytes));
    for (unsigned s = 0; s < RASTER_MAX_SAMPLES; s++) {
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
            copy_texel(&targets->color[t], x, y, s, bytes->color[t][s], NULL);
        copy_texel(&targets->depth, x, y, s, bytes->depth[s], NULL);
    }
}

static void write_texels(const struct raster_targets *targets, unsigned x, unsigned y, const struct pixel_bytes *bytes)
{
    for (unsigned s = 0; s < RASTER_MAX_SAMPLES; s++) {
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
            copy_texel(&targets->color[t], x, y, s, NULL, bytes->color[t][s]);
        copy_texel(&targets->depth, x, y, s, NULL, bytes->depth[s]);
    }
}

static void decode_depth(const struct raster_surface *depth, const uint8_t *texel, float *z, uint8_t *stencil)
{
    const uint32_t mask = raster_stencil_mask(depth->format);
    uint32_t word;

    memcpy(&word, texel, sizeof(word));
    raster_decode_depth(depth->format, texel, 16, z, sizeof(float), 1, 1);
    *stencil = mask ? (uint8_t)((word & mask) >> __builtin_ctz(mask)) : 0;
}

void inspect_decode_texels(const struct raster_surface *color, const uint8_t (*color_bytes)[16],
                           const struct raster_surface *depth, const uint8_t (*depth_bytes)[16],
                           struct inspect_pixel *pixel)
{
    const unsigned samples = color ? BASE_MAX(color->samples, 1u) : depth ? BASE_MAX(depth->samples, 1u) : 1;

    *pixel = (struct inspect_pixel){.samples = BASE_MIN(samples, (unsigned)RASTER_MAX_SAMPLES)};
    pixel->has_color = color && color->pixels && color->format != RASTER_FORMAT_NULL;
    /* a depth buffer may have any format that a hostile capture claims */
    pixel->has_depth = depth && depth->pixels && raster_format_info(depth->format)->depth_bits;
    pixel->has_stencil = pixel->has_depth && raster_stencil_mask(depth->format);
    if (pixel->has_color)
        pixel->bytes = raster_format_info(color->format)->block_bytes;
    for (unsigned s = 0; s < pixel->samples; s++) {
        if (pixel->has_color) {
            memcpy(pixel->raw[s], color_bytes[s], 16);
            raster_decode_wide(color->format, color_bytes[s], 16, pixel->color[s], 4 * sizeof(float), 1, 1, NULL);
        }
        if (pixel->has_depth)
            decode_depth(depth, depth_bytes[s], &pixel->depth[s], &pixel->stencil[s]);
    }
}

static void decode(const struct pixel_watch *w, const struct raster_targets *targets, const struct pixel_bytes *bytes,
                   struct inspect_pixel *pixel)
{
    inspect_decode_texels(w->is_depth ? NULL : &targets->color[w->target],
                          (const uint8_t(*)[16])bytes->color[w->target], &targets->depth,
                          (const uint8_t(*)[16])bytes->depth, pixel);
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

/* --- the program --------------------------------------------------------------------------------- */

static int lane_of(const struct pixel_probe *probe, const struct raster_batch *batch)
{
    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctzll(lanes);

        if (batch->x[lane] == (float)probe->x && batch->y[lane] == (float)probe->y)
            return lane;
    }
    return -1;
}

/* The outputs of the program in the lane. */
static void note_output(struct pixel_probe *probe, const struct raster_batch *batch, unsigned lane)
{
    const int16_t *narrow = narrow_of_const(batch->color[0]) + 4 * narrow_place(probe->width, lane);

    for (unsigned c = 0; c < 4; c++)
        probe->output[c] = probe->state->narrow ? narrow_channel(batch->color[0], probe->width, lane, c)
                                                : batch->color[probe->target][c][lane];
    const float alpha = batch->color[0][3][lane] > 0.0f ? BASE_MIN(batch->color[0][3][lane], 1.0f) : 0.0f;

    probe->alpha = probe->state->narrow ? narrow_byte(narrow[3]) : (uint8_t)(alpha * 255.0f + 0.5f);
}

static void shade_probing(const void *program, struct raster_batch *batch)
{
    struct pixel_probe *probe = (struct pixel_probe *)(uintptr_t)program;
    const uint64_t covered = batch->covered;
    const int lane = lane_of(probe, batch);

    if (lane >= 0 && probe->run)
        probe->run(probe->user, probe->state->program, batch, (unsigned)lane);
    else
        probe->state->shade(probe->state->program, batch);
    if (lane < 0)
        return;
    probe->hit = true;
    probe->killed = !(batch->covered >> lane & 1);
    probe->front_facing = batch->front_facing[lane / RASTER_QUAD_LANES];
    note_output(probe, batch, (unsigned)lane);
    if (probe->keeps)
        batch->covered = covered;
}

uint8_t inspect_components_given(const struct shader_program *program, unsigned output)
{
    const struct shader_code *code = program->code;
    uint8_t mask = code->init_outputs >> output & 1 ? 15 : 0;

    for (unsigned i = 0; i < code->count; i++)
        if (code->code[i].op < IR_KILL && code->code[i].destination.file == IR_OUTPUT)
            mask |= code->code[i].destination.relative != IR_ABSOLUTE ? 15
                    : code->code[i].destination.index == output       ? code->code[i].destination.mask
                                                                      : 0;
    return mask;
}

unsigned inspect_count_kills(const void *binding)
{
    const struct shader_code *code = binding ? ((const struct shader_binding *)binding)->program->code : NULL;
    unsigned kills = 0;

    for (unsigned i = 0; code && i < code->count; i++)
        kills += code->code[i].op == IR_KILL;
    return kills;
}

/* A program in which only one instruction may kill. */
struct pixel_variant {
    struct raster_draw_state state; /* the draw's, with this program */
    struct shader_binding binding;
    struct shader_program program;
    struct shader_code code;
};

static void free_variant(struct pixel_watch *w)
{
    if (!w->variant)
        return;
    plan_clear(&w->variant->code.plan);
    free(w->variant->code.code);
    free(w->variant);
    w->variant = NULL;
}

/* Disables every other texkill by making it test |x|, which never kills. Returns false if out of memory. */
static bool keep_one_kill(struct pixel_watch *w)
{
    const struct shader_binding *binding = w->state.program;
    const struct shader_code *code = binding->program->code;
    struct pixel_variant *v = calloc(1, sizeof(*v));
    unsigned kills = 0;

    free_variant(w);
    w->variant = v;
    if (!v)
        return false;
    v->state = w->state;
    v->binding = *binding;
    v->program = *binding->program;
    v->code = *code;
    v->code.plan = (struct plan){0};
    v->code.code = malloc(code->count * sizeof(*code->code) + 1);
    if (!v->code.code)
        return false;
    memcpy(v->code.code, code->code, code->count * sizeof(*code->code));
    for (unsigned i = 0; i < code->count; i++)
        if (code->code[i].op == IR_KILL && ++kills != w->kill)
            v->code.code[i].source[0].modifiers = IR_ABS;
    v->program.code = &v->code;
    v->binding.program = &v->program;
    v->state.program = &v->binding;
    return plan_build(&v->code.plan, v->code.code, code->count);
}

/* --- states -------------------------------------------------------------------------------------- */

static void finish_drawing_here(struct pixel_watch *w, struct raster *raster)
{
    (void)w;
    raster_flush(raster);
}

/* The draw's state with the scissor rectangle at the pixel. */
static struct raster_draw_state state_here(const struct pixel_watch *w)
{
    struct raster_draw_state state = w->state;

    state.rasterizer.scissor = true;
    state.scissor = (struct raster_rect){(int)w->x, (int)w->y, (int)w->x + 1, (int)w->y + 1};
    return state;
}

static void probe_with(struct pixel_watch *w, struct raster_draw_state *state, bool keeps)
{
    w->probe = (struct pixel_probe){
        .state = &w->state,
        .x = w->x,
        .y = w->y,
        .target = w->target,
        .width = w->width,
        .keeps = keeps,
    };
    state->program = &w->probe;
    state->shade = shade_probing;
    state->shade_block = NULL;
    state->program_reads_position = true;
    state->program_reads_inputs_alone = false;
    state->program_kills = true;
    state->program_records = true;
    state->pass_through.copied = 0;
}

/* No test decides, and no colour is written. Depth is, so that it can be read. */
static void test_nothing_here(struct raster_draw_state *state)
{
    state->depth_test = state->depth_write = true;
    state->depth_func = RASTER_ALWAYS;
    state->depth_bounds = false;
    state->stencil.enable = state->two_sided_stencil = false;
    state->alpha_test = state->alpha_to_coverage = false;
    memset(state->color_write_mask, 0, sizeof(state->color_write_mask));
}

static const struct raster_stencil *stencil_of(const struct pixel_watch *w)
{
    return w->state.two_sided_stencil && !w->fragment.front_facing ? &w->state.stencil_back : &w->state.stencil;
}

static void keep_stencil(struct raster_stencil *stencil)
{
    stencil->fail = stencil->zfail = stencil->pass = RASTER_KEEP;
}

/* Disables the test that the primitive failed. The scissor rectangle is at the pixel already. */
static void neutralise(struct pixel_watch *w, struct raster_draw_state *state)
{
    switch (w->fragment.verdict) {
    case INSPECT_CULLED:
        state->rasterizer.cull_mode = RASTER_CULL_NONE;
        break;
    case INSPECT_SAMPLE_MASKED:
        state->sample_mask = 0xffff;
        break;
    case INSPECT_KILLED:
        probe_with(w, state, true);
        break;
    case INSPECT_ALPHA_FAILED:
        state->alpha_test = state->alpha_to_coverage = false;
        break;
    case INSPECT_BOUNDS_FAILED:
        state->depth_bounds = false;
        break;
    case INSPECT_STENCIL_FAILED:
        state->stencil.func = state->stencil_back.func = RASTER_ALWAYS;
        break;
    case INSPECT_DEPTH_FAILED:
        state->depth_func = RASTER_ALWAYS;
        break;
    case INSPECT_WRITE_MASKED:
        if (w->is_depth)
            state->depth_write = true;
        else
            state->color_write_mask[w->target] = 15;
        break;
    default:
        break;
    }
}

/* Sets the state of a pass; the draw's own for the last one. */
static void begin_pass(struct pixel_watch *w, struct raster *raster, enum pixel_pass pass)
{
    struct raster_draw_state state = state_here(w);

    w->pass = pass;
    raster->stipple_counter = w->stipple_counter;
    w->fragments = raster->statistics.fragments;
    switch (pass) {
    case PIXEL_PROBE:
        test_nothing_here(&state);
        state.rasterizer.cull_mode = RASTER_CULL_NONE;
        state.sample_mask = 0xffff;
        probe_with(w, &state, true);
        w->probe.run = w->run;
        w->probe.user = w->user;
        break;
    case PIXEL_SAMPLE:
        test_nothing_here(&state);
        state.rasterizer.cull_mode = RASTER_CULL_NONE;
        state.sample_mask = (uint16_t)(1u << w->sample);
        probe_with(w, &state, true);
        break;
    case PIXEL_CULLING:
        test_nothing_here(&state);
        state.sample_mask = 0xffff;
        probe_with(w, &state, true);
        break;
    case PIXEL_MASKED:
        test_nothing_here(&state);
        probe_with(w, &state, true);
        break;
    case PIXEL_KILL:
        test_nothing_here(&state);
        probe_with(w, &state, true);
        if (keep_one_kill(w))
            w->probe.state = &w->variant->state;
        else
            w->failed = true;
        break;
    case PIXEL_ALPHA:
        state.depth_test = state.depth_write = state.depth_bounds = false;
        state.stencil.enable = state.two_sided_stencil = false;
        break;
    case PIXEL_BOUNDS:
        state.depth_func = RASTER_ALWAYS;
        state.depth_write = state.stencil.enable = state.two_sided_stencil = false;
        break;
    case PIXEL_STENCIL:
        state.depth_func = RASTER_ALWAYS;
        state.depth_write = false;
        keep_stencil(&state.stencil);
        keep_stencil(&state.stencil_back);
        break;
    case PIXEL_REAL:
        break;
    case PIXEL_OTHERWISE:
        neutralise(w, &state);
        break;
    case PIXEL_WHOLE:
        raster->budget = w->budget;
        state = w->state;
        break;
    }
    raster_set_state(raster, &state);
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
static void finish_fragment(struct pixel_watch *w, struct raster *raster)
{
    keep_fragment(w);
    write_texels(&raster->targets, w->x, w->y, &w->before);
    begin_pass(w, raster, PIXEL_WHOLE);
}

/* The verdict is found. After a failure, the primitive is drawn again without the failed test. */
static void conclude(struct pixel_watch *w, struct raster *raster, enum inspect_verdict verdict)
{
    struct pixel_bytes after;

    w->fragment.verdict = verdict;
    inspect_read_texels(&raster->targets, w->x, w->y, &after);
    if (w->pass != PIXEL_REAL)
        after = w->before;
    decode(w, &raster->targets, &after, &w->fragment.after);
    w->last = after;
    w->chained = true;
    if (verdict >= INSPECT_BLENDED) {
        finish_fragment(w, raster);
        return;
    }
    write_texels(&raster->targets, w->x, w->y, &w->before);
    begin_pass(w, raster, PIXEL_OTHERWISE);
}

/* The effect of the primitive without the test that it failed. */
static void note_otherwise(struct pixel_watch *w, const struct raster *raster)
{
    const bool passed = raster->statistics.fragments > w->fragments;
    struct inspect_fragment *f = &w->fragment;
    struct pixel_bytes bytes;
    struct inspect_pixel after;

    inspect_read_texels(&raster->targets, w->x, w->y, &bytes);
    decode(w, &raster->targets, &bytes, &after);
    /* A primitive without a colour to write may still have changed depth and stencil. */
    f->would_change = inspect_changed_parts(f->verdict == INSPECT_WRITE_MASKED ? &f->after : &f->before, &after);
    f->otherwise = !passed || (f->verdict != INSPECT_SCISSORED && !w->in_scissor) ? INSPECT_FAILS
                   : f->would_change                                              ? INSPECT_CHANGES
                                                                                  : INSPECT_LEAVES;
    if (f->otherwise != INSPECT_CHANGES)
        f->would_change = 0;
}

/* Evaluates the probe. */
static void note_probe(struct pixel_watch *w, const struct raster *raster)
{
    struct inspect_fragment *f = &w->fragment;
    struct pixel_bytes probed;
    struct inspect_pixel pixel;

    inspect_read_texels(&raster->targets, w->x, w->y, &probed);
    decode(w, &raster->targets, &probed, &pixel);
    f->has_depth = pixel.has_depth;
    memcpy(f->depth, pixel.depth, sizeof(f->depth));
    f->front_facing = w->probe.front_facing;
    f->has_output = true;
    memcpy(f->output, w->probe.output, sizeof(f->output));
    f->output_mask = inspect_components_given(((const struct shader_binding *)w->state.program)->program, w->target);
    f->has_alpha_test = w->state.alpha_test;
    f->alpha_func = (uint8_t)(w->state.alpha_func + 1);
    f->alpha_ref = w->state.alpha_ref;
    f->alpha = w->probe.alpha;
    f->depth_func = w->state.depth_test ? (uint8_t)(w->state.depth_func + 1) : 0;
    f->stencil_func = stencil_of(w)->enable ? (uint8_t)(stencil_of(w)->func + 1) : 0;
    f->stencil_ref = stencil_of(w)->ref;
    f->stencil_mask = stencil_of(w)->mask;
    f->kills = inspect_count_kills(w->state.program);
}

static bool is_blended(const struct pixel_watch *w)
{
    return !w->is_depth && w->state.blend.enable;
}

static bool writes_here(const struct pixel_watch *w, const struct raster *raster)
{
    const struct raster_draw_state *s = &w->state;
    const bool stencil =
        (s->stencil.enable && s->stencil.write_mask) || (s->two_sided_stencil && s->stencil_back.write_mask);

    if (w->is_depth)
        return (s->depth_test && s->depth_write) || stencil;
    return s->color_write_mask[w->target] & inspect_channels(raster->targets.color[w->target].format);
}

static unsigned samples_of(const struct raster *raster)
{
    return BASE_MAX(BASE_MAX(raster->targets.color[0].samples, raster->targets.depth.samples), 1u);
}

/* The pass after the one that has just been answered; *verdict: it gives one. */
static bool next_pass(struct pixel_watch *w, const struct raster *raster, enum pixel_pass *next,
                      enum inspect_verdict *verdict)
{
    const bool passed = raster->statistics.fragments > w->fragments;
    const struct raster_draw_state *s = &w->state;

    switch (w->pass) {
    case PIXEL_PROBE:
        note_probe(w, raster);
        w->fragment.samples = 1;
        w->sample = 0;
        *next = PIXEL_CULLING;
        if (samples_of(raster) > 1) {
            w->fragment.samples = 0;
            *next = PIXEL_SAMPLE;
        }
        return false;
    case PIXEL_SAMPLE:
        w->fragment.samples |= w->probe.hit ? 1u << w->sample : 0;
        *next = ++w->sample < samples_of(raster) ? PIXEL_SAMPLE : PIXEL_CULLING;
        return false;
    case PIXEL_CULLING:
        *verdict = !w->probe.hit ? INSPECT_CULLED : INSPECT_SCISSORED;
        *next = PIXEL_MASKED;
        return !w->probe.hit || !w->in_scissor;
    case PIXEL_MASKED:
        *verdict = !w->probe.hit ? INSPECT_SAMPLE_MASKED : INSPECT_KILLED;
        w->kill = w->fragment.killed_by = w->probe.hit && w->probe.killed ? 1 : 0;
        *next = w->kill ? PIXEL_KILL : PIXEL_ALPHA;
        return !w->probe.hit || (w->kill && w->fragment.kills < 2);
    case PIXEL_KILL:
        *verdict = INSPECT_KILLED;
        *next = PIXEL_KILL;
        w->fragment.killed_by = w->probe.killed ? w->kill : 0;
        free_variant(w);
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
        *verdict = !passed                   ? INSPECT_DEPTH_FAILED
                   : !writes_here(w, raster) ? INSPECT_WRITE_MASKED
                   : is_blended(w)           ? INSPECT_BLENDED
                                             : INSPECT_WRITTEN;
        return true;
    }
}

/* --- primitives ---------------------------------------------------------------------------------- */

/* On the first call, checks whether there is anything to find out. */
static bool begin_primitive(struct pixel_watch *w, const struct hal_observed_primitive *primitive)
{
    struct raster *raster = primitive->context->raster;

    w->row->primitives++;
    w->part_primitives = BASE_MAX(w->part_primitives, primitive->number + 1);
    if (!w->in_viewport || !inspect_may_cover(primitive, &w->state, w->x, w->y)) {
        inspect_note_nearest(&w->row->nearest, primitive, w->first_primitive, &w->state, w->x, w->y, w->in_viewport,
                             w->lacks_data);
        w->pass = PIXEL_WHOLE;
        return true;
    }
    w->stipple_counter = raster->stipple_counter;
    w->budget = raster->budget;
    raster->budget = UINT64_MAX;
    finish_drawing_here(w, raster);
    inspect_read_texels(&raster->targets, w->x, w->y, &w->before);
    w->fragment = (struct inspect_fragment){.primitive = w->first_primitive + primitive->number};
    decode(w, &raster->targets, &w->before, &w->fragment.before);
    begin_pass(w, raster, PIXEL_PROBE);
    return true;
}

static bool pixel_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct pixel_watch *w = user;
    struct raster *raster = primitive->context->raster;
    enum inspect_verdict verdict;
    enum pixel_pass next;

    if (!w->is_on)
        return times == 0;
    if (times == 0)
        return begin_primitive(w, primitive);
    if (w->pass == PIXEL_WHOLE)
        return false;
    finish_drawing_here(w, raster);
    if (w->pass == PIXEL_OTHERWISE) {
        note_otherwise(w, raster);
        finish_fragment(w, raster);
        return true;
    }
    if (w->pass == PIXEL_PROBE && !w->probe.hit) {
        inspect_note_nearest(&w->row->nearest, primitive, w->first_primitive, &w->state, w->x, w->y, true,
                             w->lacks_data);
        write_texels(&raster->targets, w->x, w->y, &w->before);
        begin_pass(w, raster, PIXEL_WHOLE);
        return true;
    }
    if (next_pass(w, raster, &next, &verdict)) {
        conclude(w, raster, verdict);
        return true;
    }
    write_texels(&raster->targets, w->x, w->y, &w->before);
    begin_pass(w, raster, next);
    return true;
}

/* --- draws --------------------------------------------------------------------------------------- */

static bool lies_in(const struct raster_rect *rect, unsigned x, unsigned y)
{
    return (int)x >= rect->left && (int)x < rect->right && (int)y >= rect->top && (int)y < rect->bottom;
}

/* Planes that must not clip are opened before the vertices are processed. */
static void open_planes(struct pixel_watch *w, struct hal_projection *projection)
{
    if (!w->open_planes)
        return;
    w->opened = projection;
    w->user_planes = projection->user_planes;
    w->near_open = projection->near_open;
    w->far_open = projection->far_open;
    projection->user_planes &= ~(w->open_planes / HAL_OUT_USER0);
    projection->near_open |= (w->open_planes & HAL_OUT_NEAR) != 0;
    projection->far_open |= (w->open_planes & HAL_OUT_FAR) != 0;
}

static void close_planes(struct pixel_watch *w)
{
    if (!w->opened)
        return;
    w->opened->user_planes = w->user_planes;
    w->opened->near_open = w->near_open;
    w->opened->far_open = w->far_open;
    w->opened = NULL;
}

/* States just before the draw may have bound targets other than those that row->before was read from. */
static void note_before(struct pixel_watch *w, struct raster *raster)
{
    struct pixel_bytes bytes;

    raster_flush(raster);
    inspect_read_texels(&raster->targets, w->x, w->y, &bytes);
    decode(w, &raster->targets, &bytes, &w->row->before);
    w->began = true;
}

static bool pixel_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct pixel_watch *w = user;

    (void)primitives;
    w->is_on = w->is_depth = false;
    w->first_primitive += w->part_primitives;
    w->part_primitives = 0;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS && !w->is_on; t++) {
        const struct hal_surface *target = t ? context->more_targets[t - 1] : context->target;

        w->is_on = target && inspect_surface_id(target) == w->surface;
        w->target = t;
    }
    if (!w->is_on && context->raster->targets.depth.pixels && inspect_surface_id(context->depth) == w->surface) {
        w->is_on = w->is_depth = true;
        w->target = 0;
    }
    if (w->is_on)
        inspect_note_lacks(&w->row->lacks, context, draw);
    w->lacks_data = inspect_lacks_data(&w->row->lacks);
    w->row->reaches |= w->is_on;
    if (w->is_on && !w->began)
        note_before(w, context->raster);
    open_planes(w, &context->front->projection);
    w->state = context->raster->state;
    w->width = narrow_width(context->driver->cpu);
    w->in_viewport = lies_in(&w->state.viewport, w->x, w->y);
    w->in_scissor = !w->state.rasterizer.scissor || lies_in(&w->state.scissor, w->x, w->y);
    return true;
}

static void pixel_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    struct pixel_watch *w = user;

    inspect_note_skip(&w->row->lacks, context, draw, why);
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
    struct raster *raster = context->raster;
    const uint64_t budget = raster->budget;
    struct pixel_bytes now;

    close_planes(w);
    if (!w->is_on)
        return;
    finish_drawing_here(w, raster);
    raster->budget = budget;
    inspect_read_texels(&raster->targets, w->x, w->y, &now);
    w->row->disagrees |= w->chained && memcmp(&now, &w->last, sizeof(now));
    raster_set_state(raster, &w->state);
}

const struct hal_observer inspect_pixel_observer = {
    .draw = pixel_draw,
    .skipped = pixel_skipped,
    .vertices = pixel_vertices,
    .primitive = pixel_primitive,
    .drawn = pixel_drawn,
};
