/* SPDX-License-Identifier: MIT */
/* Derived state: the tests, outputs and fast paths that a draw state needs or allows. */
#include "raster/tile/state.h"

#include "base/assert.h"
#include "base/bytes.h"
#include "raster/tile/special.h"
#include "raster/tile/uniform.h"
#include "raster/tile/worker.h"

#include <string.h>

/* The colour targets that the state writes. */
static void choose_outputs(struct tile_worker *w)
{
    const struct raster_draw_state *draw = w->state.draw;

    w->state.output_count = 0;
    w->state.fog_keeps_range = false;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        const struct raster_surface *surface = &w->targets->color[t];

        if (!surface->pixels || surface->format == RASTER_FORMAT_NULL || !draw->color_write_mask[t])
            continue;
        struct tile_output *output = &w->state.output[w->state.output_count++];

        *output = (struct tile_output){
            .surface = surface,
            .index = t,
            .takes_srgb = raster_format_info(surface->format)->bits[0] == 8,
            .opaque = !draw->blend.enable && draw->color_write_mask[t] == 0xf,
        };
        if (t == 0)
            w->state.fog_keeps_range = raster_format_info(surface->format)->type == RASTER_FLOAT;
        output->store = w->kernels->choose_store(draw, t, surface->format, &output->pack);
        if (output->opaque)
            output->fill = w->kernels->choose_fill(surface->format);
    }
}

/* Components of colour 0 that are read after the program. */
static unsigned components_read(const struct tile_state *s)
{
    unsigned read = s->draw->alpha_test || s->draw->alpha_to_coverage ? 8 : 0;

    for (unsigned t = 0; t < s->output_count; t++)
        for (unsigned c = 0; c < 4; c++)
            if (raster_format_info(s->output[t].surface->format)->bits[c])
                read |= s->draw->color_write_mask[s->output[t].index] & 1u << c;
    return s->draw->blend.enable ? 15 : read;
}

/* Pass-through: does the program not have to run because it only copies the components of its colour that are read?
 * Finds the components that are interpolated or constant instead. */
static void choose_pass_through(struct tile_worker *w)
{
    const struct raster_pass_through *pass_through = &w->state.draw->pass_through;
    struct tile_state *s = &w->state;
    const unsigned read = components_read(s);

    s->passes_through = pass_through->copied && !(read & ~pass_through->copied) && !s->smooths && !s->draw->narrow &&
                        s->draw->coverage == RASTER_COVERAGE_NONE;
    /* On targets that clamp, it does not matter whether the program clamps. */
    for (unsigned t = 0; t < s->output_count; t++)
        s->passes_through &= raster_format_info(s->output[t].surface->format)->type != RASTER_FLOAT;
    w->batch.lanes.pass_through_input = s->passes_through && pass_through->components ? pass_through->input + 1 : 0;
    if (!s->passes_through)
        return;
    w->batch.lanes.pass_through_components = (uint8_t)(read & pass_through->components);
    s->constant_components = (uint8_t)(read & ~pass_through->components);
}

/* The direct-store fast path: only the passed-through colour is stored, into one opaque target. */
static void choose_direct_store(struct tile_worker *w)
{
    struct tile_state *s = &w->state;
    const bool one_output = s->output_count == 1 && s->output[0].index == 0 && s->output[0].pack;

    s->direct_store = NULL;
    s->direct_samples = NULL;
    if (!w->batch.lanes.pass_through_input || s->constant_components || !one_output || s->special || !s->early_depth ||
        s->draw->fog_mode != RASTER_FOG_OFF || s->draw->srgb_write)
        return;
    if (s->samples <= 1)
        s->direct_store = w->kernels->choose_direct_store(s->output[0].surface->format);
    else if (s->samples == s->output[0].surface->samples && s->tests_samples_early)
        s->direct_samples = w->kernels->choose_direct_samples(s->output[0].surface->format);
}

/* Chooses a store that takes a narrow state's colours without conversion, if the steps after the program allow it. */
static void choose_narrow(struct tile_worker *w)
{
    struct tile_state *s = &w->state;
    struct tile_output *output = &s->output[0];

    s->stays_narrow = false;
    if (!s->draw->narrow || s->output_count != 1 || s->draw->fog_mode != RASTER_FOG_OFF || s->smooths ||
        s->draw->alpha_to_coverage)
        return;
    raster_pack_fn opaque;
    const raster_store_fn store = w->kernels->choose_narrow_store(s->draw, output->surface->format, &opaque);

    s->stays_narrow = store;
    if (!store)
        return;
    if (opaque && s->samples > 1) {
        output->pack = opaque;
    } else {
        output->pack = NULL;
        output->store = store;
    }
}

/* Do colours change or get packed between the program and the stores? */
static bool finishes_colors(const struct tile_state *s)
{
    bool packs = false;

    for (unsigned t = 0; t < s->output_count; t++)
        packs |= s->output[t].pack != NULL;
    return packs || s->draw->alpha_test || s->draw->fog_mode != RASTER_FOG_OFF || s->draw->srgb_write || s->smooths ||
           s->clamps_color || (s->draw->narrow && !s->stays_narrow);
}

/* Does the blend alone follow the program of a narrow state with one target? */
static bool may_shade_block(const struct tile_state *s)
{
    return s->stays_narrow && !s->output[0].pack && s->samples <= 1 && !s->draw->alpha_test &&
           s->draw->coverage == RASTER_COVERAGE_NONE && (s->early_depth || !s->tests_depth);
}

/* Finds work that the state makes unnecessary. */
static void choose_fast_paths(struct tile_worker *w)
{
    struct tile_state *s = &w->state;

    s->needs_z = s->tests_depth && !s->early_depth;
    choose_narrow(w);
    choose_pass_through(w);
    choose_direct_store(w);
    /* samples, smoothing, late tests and coverage read a batch's lanes by group, so lanes must be in their places */
    s->packs_quads = s->samples <= 1 && !s->special && s->draw->coverage == RASTER_COVERAGE_NONE &&
                     (s->early_depth || !s->tests_depth);
    s->finishes_colors = finishes_colors(s);
    s->shades_blocks = may_shade_block(s);
    s->direct_row = s->direct_store ? w->kernels->choose_direct_row(s->output[0].surface->format) : NULL;
    /* batches take blocks one by one */
    s->adds_rows = s->samples <= 1 && !s->special && !s->needs_z && (s->early_depth || !s->tests_depth) &&
                   (s->tests_depth || s->direct_store);
    /* dithering depends on the position in the target */
    s->moves_groups = s->samples <= 1 && !s->special && !s->draw->dither;
    tile_uniform_choose(w);
}

/* Chooses the source of the state's depth, and how it is tested. */
static void choose_depth(struct tile_worker *w)
{
    const struct raster_kernels *k = w->kernels;
    const struct raster_draw_state *draw = w->state.draw;
    const bool from_w = draw->depth_from_w;

    /* Depth extrapolated over conservative edges is only correct after shading. */
    w->state.early_depth = !draw->alpha_test && !draw->program_kills && !draw->alpha_to_coverage &&
                           draw->coverage != RASTER_COVERAGE_INPUT &&
                           draw->rasterizer.conservative_raster_mode == RASTER_CONSERVATIVE_OFF;
    w->state.tests_depth = (draw->depth_test || draw->stencil.enable || draw->depth_bounds) &&
                           w->targets->depth.pixels && w->state.samples == w->target_samples;
    w->state.interpolate_depth = from_w ? k->interpolate_w_depth : k->interpolate_depth;
    w->state.interpolate_depth_block = from_w ? k->interpolate_w_depth_block : k->interpolate_depth_block;
    w->state.caches_depth = w->depth_cache.enabled && !from_w;
    k->choose_depth(draw, w->targets->depth.format, &w->state.depth_test);
    w->state.depth_bytes = raster_format_info(w->targets->depth.format)->block_bytes;
}

/* Sets the sample positions for coverage. */
static void choose_samples(struct tile_worker *w)
{
    struct tile_state *s = &w->state;

    s->samples = w->target_samples > 1 ? w->target_samples : BASE_MAX(s->draw->forced_samples, (uint8_t)1);
    if (s->samples == 1)
        return;
    const struct raster_sample_position *position = raster_sample_positions(s->samples);
    const unsigned placed = s->samples | (s->draw->rasterizer.multisample ? 0x100 : 0), drawn = tile_drawn_samples(s);

    if (s->placed_samples != placed)
        w->kernels->place_samples(s->samples, s->draw->rasterizer.multisample, s->sample_lanes);
    s->placed_samples = placed;
    memset(s->drawn_lanes, 0, sizeof(s->drawn_lanes));
    for (unsigned i = 0; i < s->samples; i++)
        s->drawn_lanes[i / 4] |= (drawn >> i & 1 ? UINT64_C(0xffff) : 0) << (i % 4 * RASTER_GROUP_LANES);

    for (unsigned i = 0; i < s->samples; i++)
        s->sample_offsets[i] = s->draw->rasterizer.multisample
                                   ? (int32_t)((position[i].x * 16 & 0xffff) | (uint32_t)(position[i].y * 16) << 16)
                                   : 0;
}

static void choose_early_samples(struct tile_worker *w)
{
    struct tile_state *s = &w->state;

    s->tests_samples_early =
        !s->special && (!s->tests_depth || (s->early_depth && w->targets->depth.samples == s->samples));
}

/* Do both states give the same derived state? The program and its values only matter through other members of the
 * state. */
static bool have_same_consequences(const struct raster_draw_state *a, const struct raster_draw_state *b)
{
    const size_t first = offsetof(struct raster_draw_state, rasterizer);

    return base_equal((const char *)a + first, (const char *)b + first, SCENE_STATE_BYTES - first) &&
           !scene_has_whole_state(a);
}

void tile_use_state(struct tile_worker *w, const struct raster_draw_state *state)
{
    const struct raster_draw_state *last = w->state.draw;

    tile_shade_batch(w);
    BASE_ASSERT(!w->batch.group_count && state->input_count <= RASTER_MAX_INPUTS);
    w->state.draw = state;
    w->batch.lanes.again = false;
    w->batch.lanes.affine = 0;
    w->batch.planes.primitive = NULL;
    w->batch.planes.floats.state = NULL;
    if (last && have_same_consequences(last, state))
        return;
    choose_samples(w);
    choose_depth(w);
    tile_special_choose(w);
    choose_early_samples(w);
    hierarchical_z_choose(w);
    choose_outputs(w);
    choose_fast_paths(w);
}
