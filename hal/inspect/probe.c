/* SPDX-License-Identifier: MIT */
/* Probes: the state of the rasterizer is changed for parts of a draw, and restored together with the budget. */
#include "base/base.h"
#include "hal/driver.h"
#include "hal/inspect.h"
#include "hal/inspect/internal.h"
#include "hal/vertex/front_end.h"
#include "hal/work.h"
#include "raster/narrow.h"

#include <stdlib.h>
#include <string.h>

struct hal_probe *hal_probe_create(void)
{
    return mem_calloc(1, sizeof(struct hal_probe));
}

/* Nothing is drawn with their programs any more. */
static void free_passes(struct hal_probe *probe)
{
    while (probe->passes) {
        struct probe_pass *pass = probe->passes;

        probe->passes = pass->next;
        probe_free_program(pass);
        free(pass);
    }
}

void hal_probe_destroy(struct hal_probe *probe)
{
    if (!probe)
        return;
    free_passes(probe);
    for (unsigned t = 0; t <= RASTER_MAX_TARGETS; t++)
        free(probe->copy[t].data);
    free(probe);
}

/* --- draws --------------------------------------------------------------------------------------- */

void hal_probe_begin(struct hal_probe *probe, struct hal_context *context, enum hal_probe_flush flush)
{
    struct raster *raster = context->scene.raster;

    probe->context = context;
    probe->is_on = true;
    probe->holds = false;
    probe->draw = raster->state;
    probe->budget = raster->budget;
    probe->width = narrow_width(context->driver->cpu);
    if (flush == HAL_PROBE_FLUSH_COLORS)
        raster_flush_colors(raster);
    else if (flush == HAL_PROBE_FLUSH_ALL)
        raster_flush(raster);
    probe->fragments = raster->statistics.fragments;
}

static void close_planes(struct hal_probe *probe)
{
    struct hal_projection *projection = &probe->context->renderer.front->projection;

    if (!probe->planes_opened)
        return;
    projection->user_planes = probe->user_planes;
    projection->near_open = probe->near_open;
    projection->far_open = probe->far_open;
    probe->planes_opened = false;
}

void hal_probe_open_planes(struct hal_probe *probe, uint32_t planes)
{
    struct hal_projection *projection = &probe->context->renderer.front->projection;

    close_planes(probe);
    if (!planes)
        return;
    probe->planes_opened = true;
    probe->user_planes = projection->user_planes;
    probe->near_open = projection->near_open;
    probe->far_open = projection->far_open;
    projection->user_planes &= ~(planes / HAL_OUT_USER0);
    projection->near_open |= (planes & HAL_OUT_NEAR) != 0;
    projection->far_open |= (planes & HAL_OUT_FAR) != 0;
}

void hal_probe_end(struct hal_probe *probe, bool depth)
{
    struct raster *raster;
    uint64_t budget;

    if (!probe->is_on)
        return;
    raster = probe->context->scene.raster;
    budget = raster->budget;
    close_planes(probe);
    if (depth)
        raster_flush(raster);
    else
        raster_flush_colors(raster);
    raster->budget = budget;
    probe->passed = raster->statistics.fragments - probe->fragments;
    raster_set_state(raster, &probe->draw);
    free_passes(probe);
    if (probe->failed)
        hal_work_lacks_memory(&probe->context->scene.work, "a program of the debugger");
    probe->failed = false;
    probe->is_on = false;
}

void hal_probe_repeat(struct hal_probe *probe)
{
    probe->context->scene.raster->budget = probe->budget;
}

/* --- states -------------------------------------------------------------------------------------- */

static void keep_stencil(struct raster_stencil *stencil)
{
    stencil->fail = stencil->zfail = stencil->pass = RASTER_KEEP;
}

static void change_stencil(struct raster_draw_state *state, uint32_t changes)
{
    if (changes & HAL_PROBE_NO_STENCIL)
        state->stencil.enable = state->two_sided_stencil = false;
    if (changes & HAL_PROBE_STENCIL_PASSES)
        state->stencil.func = state->stencil_back.func = RASTER_ALWAYS;
    if (changes & HAL_PROBE_STENCIL_KEEPS) {
        keep_stencil(&state->stencil);
        keep_stencil(&state->stencil_back);
    }
}

static void change_depth(struct raster_draw_state *state, uint32_t changes)
{
    if (changes & HAL_PROBE_NO_BOUNDS)
        state->depth_bounds = false;
    if (changes & HAL_PROBE_NO_DEPTH)
        state->depth_test = state->depth_write = false;
    if (changes & (HAL_PROBE_DEPTH_PASSES | HAL_PROBE_DEPTH_STORED))
        state->depth_func = RASTER_ALWAYS;
    if (changes & HAL_PROBE_DEPTH_KEEPS)
        state->depth_write = false;
    if (changes & HAL_PROBE_DEPTH_WRITES)
        state->depth_write = true;
    if (changes & HAL_PROBE_DEPTH_STORED)
        state->depth_test = state->depth_write = true;
}

static void change_color(struct raster_draw_state *state, uint32_t changes, unsigned target)
{
    if (changes & HAL_PROBE_NO_ALPHA_TEST)
        state->alpha_test = state->alpha_to_coverage = false;
    if (changes & HAL_PROBE_NO_COLOR)
        memset(state->color_write_mask, 0, sizeof(state->color_write_mask));
    if (changes & HAL_PROBE_ALL_CHANNELS)
        state->color_write_mask[target] = 15;
    if (changes & HAL_PROBE_NO_BLENDING) {
        state->blend.enable = state->srgb_write = state->dither = false;
        state->fog_mode = RASTER_FOG_OFF;
    }
}

static void change_shape(struct raster_draw_state *state, const struct hal_probe_state *wanted)
{
    if (wanted->changes & HAL_PROBE_ONE_PIXEL) {
        state->rasterizer.scissor = true;
        state->scissor = (struct raster_rect){(int)wanted->x, (int)wanted->y, (int)wanted->x + 1, (int)wanted->y + 1};
    }
    if (wanted->changes & HAL_PROBE_NO_CULLING)
        state->rasterizer.cull_mode = RASTER_CULL_NONE;
    if (wanted->sample_mask)
        state->sample_mask = wanted->sample_mask;
    if (wanted->changes & (HAL_PROBE_EDGES | HAL_PROBE_TOUCHED_PIXELS | HAL_PROBE_CENTER_PIXELS))
        state->inner_coverage = false;
    if (wanted->changes & HAL_PROBE_EDGES) {
        state->rasterizer.fill_front = state->rasterizer.fill_back = RASTER_FILL_LINE;
        state->rasterizer.poly_smooth = state->rasterizer.poly_stipple_enable = false;
    }
    if (wanted->changes & HAL_PROBE_TOUCHED_PIXELS)
        state->rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_POST_SNAP;
    if (wanted->changes & HAL_PROBE_CENTER_PIXELS)
        state->rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_OFF;
}

static struct probe_pass *add_pass(struct hal_probe *probe, const struct hal_probe_state *wanted)
{
    struct probe_pass *pass = mem_calloc(1, sizeof(*pass));

    if (!pass)
        return NULL;
    pass->probe = probe;
    pass->state = *wanted;
    pass->next = probe->passes;
    probe->passes = pass;
    return pass;
}

/* Notes where the part begins. */
static void begin_part(struct hal_probe *probe)
{
    struct raster *raster = probe->context->scene.raster;

    if (probe->holds)
        raster->stipple_counter = probe->stipple_counter;
    probe->fragments = raster->statistics.fragments;
    probe->result = (struct hal_probe_result){.hit = false};
}

bool hal_probe_set(struct hal_probe *probe, const struct hal_probe_state *wanted)
{
    struct raster *raster = probe->context->scene.raster;
    struct raster_draw_state state = probe->draw;
    struct probe_pass *pass;

    begin_part(probe);
    if (!wanted) {
        raster_set_state(raster, &state);
        return true;
    }
    change_stencil(&state, wanted->changes);
    change_depth(&state, wanted->changes);
    change_color(&state, wanted->changes, wanted->target);
    change_shape(&state, wanted);
    if (wanted->program != HAL_PROBE_OWN) {
        pass = add_pass(probe, wanted);
        if (!pass || !probe_set_program(pass, &state)) {
            raster_set_state(raster, &probe->draw);
            return false;
        }
    }
    raster_set_state(raster, &state);
    return true;
}

/* --- primitives ---------------------------------------------------------------------------------- */

void hal_probe_hold(struct hal_probe *probe)
{
    struct raster *raster = probe->context->scene.raster;

    probe->holds = true;
    probe->stipple_counter = raster->stipple_counter;
    probe->held_budget = raster->budget;
    raster->budget = UINT64_MAX;
    raster_flush(raster);
}

void hal_probe_finish(struct hal_probe *probe)
{
    raster_flush(probe->context->scene.raster);
    free_passes(probe);
}

void hal_probe_release(struct hal_probe *probe)
{
    hal_probe_set(probe, NULL);
    probe->context->scene.raster->budget = probe->held_budget;
    probe->holds = false;
}

uint64_t hal_probe_passed(const struct hal_probe *probe)
{
    return probe->is_on ? probe->context->scene.raster->statistics.fragments - probe->fragments : probe->passed;
}

struct hal_probe_result hal_probe_result(const struct hal_probe *probe)
{
    return probe->result;
}
