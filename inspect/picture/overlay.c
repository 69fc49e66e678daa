/* SPDX-License-Identifier: MIT */
/*
 * Draws with programs that inspect the batch: which pixels are covered, shaded or killed, the size of the triangle, the
 * level of a texture that is read.
 */
#include "inspect/picture/overlay.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/vertex/clip.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "raster/frontend.h"
#include "raster/narrow.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct overlay;

/* Argument of the observer's programs: one for each state in a scene, kept until the action has been drawn. */
struct overlay_pass {
    struct overlay *overlay;
    struct overlay_pass *next;
    uint32_t mark;
    struct shader_binding *binding; /* MIP: a copy whose texture reads are redirected here */
};

struct overlay {
    enum inspect_show show;
    uint32_t target;
    struct inspect_marks *marks;
    struct raster_draw_state state; /* of the draw at hand */
    raster_shade_fn shade_floats;   /* runs its program in floats */
    struct overlay_pass *passes;
    bool is_on, failed, white;
};

/* --- programs ------------------------------------------------------------------------------------ */

static uint32_t *mark_of(const struct overlay *o, const struct raster_batch *batch, unsigned lane)
{
    const float x = batch->x[lane], y = batch->y[lane];

    if (!(x >= 0.0f && y >= 0.0f && x < (float)o->marks->width && y < (float)o->marks->height))
        return NULL;
    return &o->marks->list[(size_t)y * o->marks->width + (size_t)x];
}

static void or_marks(const struct overlay *o, const struct raster_batch *batch, uint64_t lanes, uint32_t mark)
{
    for (; lanes; lanes &= lanes - 1) {
        uint32_t *at = mark_of(o, batch, (unsigned)__builtin_ctzll(lanes));

        if (at)
            *at |= mark;
    }
}

static void run_program(const struct overlay *o, struct raster_batch *batch)
{
    o->state.shade(o->state.program, batch);
}

/* Marks what is covered, and draws nothing. */
static void shade_covered(const void *program, struct raster_batch *batch)
{
    const struct overlay_pass *pass = program;

    or_marks(pass->overlay, batch, batch->covered, pass->mark);
    batch->covered = 0;
}

static void shade_tested(const void *program, struct raster_batch *batch)
{
    const struct overlay *o = ((const struct overlay_pass *)program)->overlay;

    or_marks(o, batch, batch->covered, INSPECT_MARK_COVERED);
    run_program(o, batch);
    or_marks(o, batch, batch->covered, INSPECT_MARK_ALIVE);
}

static void shade_overdraw(const void *program, struct raster_batch *batch)
{
    const struct overlay *o = ((const struct overlay_pass *)program)->overlay;

    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        uint32_t *at = mark_of(o, batch, (unsigned)__builtin_ctzll(lanes));

        if (at)
            ++*at;
    }
    run_program(o, batch);
}

static void shade_quads(const void *program, struct raster_batch *batch)
{
    const struct overlay *o = ((const struct overlay_pass *)program)->overlay;

    for (unsigned q = 0; q < RASTER_LANES / RASTER_QUAD_LANES; q++)
        for (unsigned l = 0; l < RASTER_QUAD_LANES && batch->covered >> (4 * q) & 15; l++) {
            uint32_t *at = mark_of(o, batch, 4 * q + l);

            if (at)
                ++*at;
        }
    run_program(o, batch);
}

/* The mark replaces the previous one: the triangle on top. */
static void shade_size(const void *program, struct raster_batch *batch)
{
    const struct overlay_pass *pass = program;
    const struct overlay *o = pass->overlay;

    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        uint32_t *at = mark_of(o, batch, (unsigned)__builtin_ctzll(lanes));

        if (at)
            *at = pass->mark;
    }
    run_program(o, batch);
}

/* Red, green and blue of one colour; alpha stays, for the alpha test. */
static void shade_solid(const void *program, struct raster_batch *batch)
{
    const struct overlay *o = ((const struct overlay_pass *)program)->overlay;
    const unsigned lanes = batch->group_count * RASTER_GROUP_LANES;
    int16_t *pixels = narrow_of(batch->color[0]);

    run_program(o, batch);
    for (unsigned n = 0; n < 4 * lanes && o->state.narrow; n++)
        if (n % 4 != 3)
            pixels[n] = o->white ? NARROW_ONE : 0;
    for (unsigned c = 0; c < 3 && !o->state.narrow; c++)
        for (unsigned l = 0; l < lanes; l++)
            batch->color[0][c][l] = o->white ? 1.0f : 0.0f;
}

/* --- levels of textures -------------------------------------------------------------------------- */

#define LEVEL_SCALE 256 /* marks of MIP: 1 + LEVEL_SCALE times the level */

/* The batch that a thread shades: texture reads are for its lanes. */
static _Thread_local struct {
    const struct overlay *overlay;
    const struct raster_batch *batch;
    uint64_t unread; /* lanes without a read so far */
} shading;

/* A texture of the same levels, each of whose texels is the number of its level. All rows are one. */
static bool number_levels(const struct raster_texture *texture, struct raster_texture *numbered, float *row,
                          size_t row_floats)
{
    size_t used = 0;

    *numbered = (struct raster_texture){.kind = texture->kind, .level_count = texture->level_count, .is_wide = true};
    for (unsigned l = 0; l < texture->level_count; l++) {
        const struct raster_texture_level *level = &texture->level[l];
        const size_t floats = 4 * (size_t)level->width;

        if (used + floats > row_floats)
            return false;
        for (size_t i = 0; i < floats; i++)
            row[used + i] = (float)l;
        numbered->level[l] = *level;
        numbered->level[l].texels = (const uint32_t *)(const void *)(row + used);
        numbered->level[l].pitch = numbered->level[l].slice = 0;
        used += floats;
    }
    return true;
}

static void sample_levels RASTER_SAMPLE_LOD_PARAMETERS
{
    enum { ROW = 4 * 2 * 8192 + 64 };
    _Alignas(64) float level[4][RASTER_LANES];
    struct raster_texture numbered;
    struct raster_sampler copy = *sampler;
    const struct shader_binding *binding = shading.overlay->state.program;
    float *row = shading.unread && sampler->texture ? malloc(ROW * sizeof(*row)) : NULL;

    if (row && number_levels(sampler->texture, &numbered, row, ROW)) {
        copy.texture = &numbered;
        copy.srgb = false;
        copy.fetch4 = RASTER_FETCH4_OFF;
        copy.feedback = NULL;
        memset(copy.address, RASTER_CLAMP, sizeof(copy.address));
        binding->sample(&copy, group_count, coordinate, mode, lod, level);
        for (uint64_t lanes = shading.unread; lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(lanes);
            uint32_t *at = mark_of(shading.overlay, shading.batch, lane);

            if (at && level[0][lane] >= 0.0f)
                *at = 1 + (uint32_t)(level[0][lane] * LEVEL_SCALE);
        }
        shading.unread = 0;
    }
    free(row);
    binding->sample(sampler, group_count, coordinate, mode, lod, result);
}

static void shade_levels(const void *program, struct raster_batch *batch)
{
    const struct overlay_pass *pass = program;

    shading.overlay = pass->overlay;
    shading.batch = batch;
    shading.unread = batch->covered;
    pass->overlay->shade_floats(pass->binding, batch);
}

/* --- states -------------------------------------------------------------------------------------- */

static struct overlay_pass *add_pass(struct overlay *o, uint32_t mark)
{
    struct overlay_pass *pass = calloc(1, sizeof(*pass));

    o->failed |= !pass;
    if (!pass)
        return NULL;
    *pass = (struct overlay_pass){.overlay = o, .next = o->passes, .mark = mark};
    o->passes = pass;
    return pass;
}

static void free_passes(struct overlay *o)
{
    while (o->passes) {
        struct overlay_pass *pass = o->passes;

        o->passes = pass->next;
        free(pass->binding);
        free(pass);
    }
}

static void give_state(struct overlay *o, struct hal_context *context, raster_shade_fn shade, uint32_t mark,
                       struct raster_draw_state *state)
{
    struct overlay_pass *pass = add_pass(o, mark);

    if (!pass)
        return;
    state->program = pass;
    state->shade = shade;
    state->shade_block = NULL;
    state->program_reads_position = true;
    state->program_reads_inputs_alone = false;
    state->pass_through.copied = 0;
    raster_set_state(context->raster, state);
}

/* All fragments reach the program; tests come after it. */
static void test_late(struct raster_draw_state *state)
{
    state->program_kills = true;
    state->program_records = true;
}

/* The program decides alone. */
static void test_nothing(struct raster_draw_state *state)
{
    test_late(state);
    state->depth_test = state->depth_write = state->depth_bounds = false;
    state->stencil.enable = state->two_sided_stencil = false;
    state->alpha_test = state->alpha_to_coverage = false;
}

/* Reads in whole numbers bypass the binding's function, so narrow states are drawn in floats here. */
static void give_levels(struct overlay *o, struct hal_context *context)
{
    const struct shader_binding *binding = o->state.program;
    struct raster_draw_state state = o->state;

    o->shade_floats = o->state.narrow ? shader_pixel_executor(context->driver->cpu) : o->state.shade;
    state.narrow = false;
    state.narrow_inputs = 0;
    give_state(o, context, shade_levels, 0, &state);
    if (!o->passes)
        return;
    o->passes->binding = malloc(sizeof(*binding));
    o->failed |= !o->passes->binding;
    if (!o->passes->binding) {
        raster_set_state(context->raster, &o->state);
        return;
    }
    *o->passes->binding = *binding;
    o->passes->binding->sample = sample_levels;
}

static bool overlay_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct overlay *o = user;
    struct raster_draw_state state = context->raster->state;

    (void)draw;
    (void)primitives;
    o->is_on = inspect_surface_id(context->target) == o->target;
    raster_flush_colors(context->raster);
    o->state = state;
    if (!o->is_on)
        return true;
    switch (o->show) {
    case INSPECT_SHOW_TOUCHED:
    case INSPECT_SHOW_TESTS:
        test_late(&state);
        give_state(o, context, shade_tested, 0, &state);
        break;
    case INSPECT_SHOW_OVERDRAW:
        test_late(&state);
        give_state(o, context, shade_overdraw, 0, &state);
        break;
    case INSPECT_SHOW_QUADS:
        give_state(o, context, shade_quads, 0, &state);
        break;
    case INSPECT_SHOW_MIP:
        give_levels(o, context);
        break;
    default:
        break;
    }
    return true;
}

/* The class of a triangle by its pixels: 1 the smallest .. 6. */
static uint32_t size_class(const struct hal_observed_primitive *primitive)
{
    const struct raster_vertex *const *p = primitive->position;
    uint32_t any = 0, size = 1;
    float area;

    for (unsigned c = 0; c < primitive->corners; c++)
        any |= primitive->vertex[c]->outcode;
    if (primitive->corners < 3)
        return 1;
    if (any & (HAL_OUT_CLIP | HAL_OUT_BAD))
        return 6;
    area = fabsf((p[1]->x - p[0]->x) * (p[2]->y - p[0]->y) - (p[1]->y - p[0]->y) * (p[2]->x - p[0]->x)) / 2;
    while (size < 6 && area > (float)(1u << (2 * (size - 1))))
        size++;
    return size;
}

static bool overlay_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct overlay *o = user;
    struct raster_draw_state state = o->state;

    if (!o->is_on)
        return times == 0;
    if (o->show == INSPECT_SHOW_SIZE) {
        if (times == 0)
            give_state(o, primitive->context, shade_size, size_class(primitive), &state);
        return times == 0;
    }
    /* Drawn once with everything that it touches, then as the draw has it. */
    test_nothing(&state);
    state.inner_coverage = false;
    if (o->show == INSPECT_SHOW_WIREFRAME) {
        state.rasterizer.cull_mode = times ? state.rasterizer.cull_mode : RASTER_CULL_NONE;
        state.rasterizer.fill_front = state.rasterizer.fill_back = RASTER_FILL_LINE;
        state.rasterizer.poly_smooth = state.rasterizer.poly_stipple_enable = false;
    } else {
        state.rasterizer.conservative_raster_mode = times ? RASTER_CONSERVATIVE_OFF : RASTER_CONSERVATIVE_POST_SNAP;
    }
    if (times < 2)
        give_state(o, primitive->context, shade_covered, times ? INSPECT_MARK_COVERED : INSPECT_MARK_OTHER, &state);
    return times < 2;
}

static void overlay_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

static void overlay_drawn(void *user, struct hal_context *context)
{
    struct overlay *o = user;
    const uint64_t budget = context->raster->budget;

    raster_flush_colors(context->raster);
    context->raster->budget = budget;
    raster_set_state(context->raster, &o->state);
    free_passes(o);
}

/* --- playing ------------------------------------------------------------------------------------- */

static bool play(struct inspect *session, const struct hal_observer *observer, size_t first, size_t last,
                 struct capture_error *error)
{
    bool done = inspect_seek(session, first, error);

    inspect_observe(session, observer);
    for (size_t i = first; done && i <= last; i++)
        done = inspect_step(session, NULL, error);
    inspect_flush(session, true);
    inspect_observe(session, NULL);
    session->spoiled = true;
    return done;
}

bool inspect_overlay(struct inspect *session, enum inspect_show show, uint32_t target, size_t first, size_t last,
                     struct inspect_marks *marks, struct capture_error *error)
{
    struct overlay o = {.show = show, .target = target, .marks = marks};
    const bool by_primitives =
        show == INSPECT_SHOW_SIZE || show == INSPECT_SHOW_COVERAGE || show == INSPECT_SHOW_WIREFRAME;
    const struct hal_observer observer = {
        .user = &o,
        .draw = overlay_draw,
        .vertices = overlay_vertices,
        .primitive = by_primitives ? overlay_primitive : NULL,
        .drawn = overlay_drawn,
    };
    const bool done = play(session, &observer, first, last, error);

    free_passes(&o);
    return done && (!o.failed || inspect_fail(error, "out of memory"));
}

static bool solid_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct overlay *o = user;
    struct raster_draw_state state = context->raster->state;

    (void)draw;
    (void)primitives;
    raster_flush_colors(context->raster);
    o->state = state;
    state.blend.enable = state.srgb_write = state.dither = false;
    state.fog_mode = RASTER_FOG_OFF;
    state.color_write_mask[0] = 15;
    give_state(o, context, shade_solid, 0, &state);
    return true;
}

bool inspect_draw_solid(struct inspect *session, size_t action, bool white, struct capture_error *error)
{
    struct overlay o = {.white = white};
    const struct hal_observer observer = {
        .user = &o,
        .draw = solid_draw,
        .vertices = overlay_vertices,
        .drawn = overlay_drawn,
    };
    const bool done = play(session, &observer, action, action, error);

    free_passes(&o);
    return done && (!o.failed || inspect_fail(error, "out of memory"));
}
