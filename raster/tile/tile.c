/* SPDX-License-Identifier: MIT */
/*
 * One tile: walks its commands in order; collects the groups of pixels that they cover into batches, shades and stores
 * them.
 *
 * Order. Groups of one batch may come from several primitives and cover the same pixel. Depth is tested group by group
 * in the order of submission (before shading when nothing can kill a fragment afterwards, else after it),
 * and colours are stored group by group, so each pixel sees its primitives in order.
 */
#include "raster/tile/worker.h"

#include <string.h>

struct tile_worker *tile_worker_create(const struct raster_kernels *kernels)
{
    struct tile_worker *worker = mem_alloc_aligned(sizeof(*worker));

    if (worker) {
        memset(&worker->batch, 0, sizeof(worker->batch)); /* lanes behind the last quad are any earlier ones */
        worker->kernels = kernels;
        worker->batch.scratch = worker->scratch;
    }
    return worker;
}

void tile_worker_destroy(struct tile_worker *worker)
{
    if (worker)
        mem_free_aligned(worker);
}

uint64_t tile_worker_take_fragments(struct tile_worker *worker)
{
    uint64_t fragments = worker->fragments;

    worker->fragments = 0;
    return fragments;
}

/* --- batches ----------------------------------------------------------------------------- */

/* The lanes of a place's group that are set in a batch's mask, and the way back. Quads that a place does not have have no
 * bits. */
static uint32_t place_bits(const struct raster_place *place, uint64_t batch_mask)
{
    uint32_t lanes = (uint32_t)(batch_mask >> place->lane), bits = 0;

    for (unsigned q = 0; q < 4; q++) {
        const bool there = place->quads >> q & 1;

        bits |= there ? (lanes & 15) << (4 * q) : 0;
        lanes = there ? lanes >> 4 : lanes;
    }
    return bits;
}

static inline uint64_t batch_bits(const struct raster_place *place, uint32_t bits)
{
    uint32_t lanes = bits >> 12;

    lanes = place->quads & 4 ? lanes << 4 | (bits >> 8 & 15) : lanes;
    lanes = place->quads & 2 ? lanes << 4 | (bits >> 4 & 15) : lanes;
    lanes = place->quads & 1 ? lanes << 4 | (bits & 15) : lanes;
    return (uint64_t)lanes << place->lane;
}

static void store_groups(struct tile_worker *w)
{
    struct raster_batch *batch = &w->batch;
    const bool late = !w->early_depth && w->tests_depth;

    if (!late)
        w->fragments += tile_count(batch->covered);
    for (unsigned g = 0; g < w->group_count; g++) {
        struct raster_place *place = &w->group[g];

        if (batch->covered != w->placed)
            place->mask = place_bits(place, batch->covered);
        if (place->mask && late) {
            place->mask = tile_test_group(w, place->x, place->y, batch->z + place->lane, place->mask,
                                          batch->front_facing[place->lane / RASTER_QUAD_LANES]);
            w->fragments += tile_count(place->mask);
        }
    }
    for (unsigned t = 0; t < w->output_count; t++)
        w->output[t].store(w->state, w->output[t].surface, w->output[t].index, batch, w->group, w->group_count);
}

void tile_empty_batch(struct tile_worker *w)
{
    w->group_count = w->quad_count = 0;
    w->placed = w->placed_inner = 0;
}

static void pass_constants(struct tile_worker *w)
{
    for (unsigned left = w->passed_constants; left; left &= left - 1) {
        const unsigned c = (unsigned)__builtin_ctz(left);

        for (unsigned l = 0; l < w->batch.group_count * RASTER_GROUP_LANES; l++)
            w->batch.color[0][c][l] = w->state->passed.constant[c];
    }
}

void tile_color_batch(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;
    struct raster_batch *batch = &w->batch;

    batch->group_count = (w->quad_count + 3) / 4;
    batch->covered = w->placed;
    batch->inner = w->placed_inner;
    if (state->coverage != RASTER_COVERAGE_NONE)
        tile_special_inputs(w);
    if (w->passes)
        pass_constants(w);
    else
        state->shade(state->program, batch);
    batch->again = true;
    if (w->smooths || w->clamps_color)
        tile_special_colors(w);
    if (state->fog_mode != RASTER_FOG_OFF)
        w->kernels->fog(state, batch);
    if (state->alpha_test)
        w->kernels->alpha_test(state, batch);
    for (unsigned t = 0; t < w->output_count && state->srgb_write; t++)
        if (w->output[t].takes_srgb)
            w->kernels->srgb(batch, w->output[t].index);
    for (unsigned t = 0; t < w->output_count; t++)
        if (w->output[t].pack)
            w->output[t].pack(batch, w->output[t].index);
}

void tile_shade_batch(struct tile_worker *w)
{
    if (!w->group_count)
        return;
    tile_color_batch(w);
    if (w->target_samples > 1)
        samples_store_batch(w);
    else
        store_groups(w);
    tile_empty_batch(w);
    w->whole_block = false;
}

/* The colour targets that the state writes. */
static void choose_outputs(struct tile_worker *w)
{
    w->output_count = 0;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        const struct raster_surface *surface = &w->targets->color[t];

        if (!surface->pixels || surface->format == RASTER_FORMAT_NULL || !w->state->color_write_mask[t])
            continue;
        struct tile_output *output = &w->output[w->output_count++];

        *output = (struct tile_output){
            .surface = surface,
            .index = t,
            .takes_srgb = raster_format_info(surface->format)->bits[0] == 8,
            .opaque = !w->state->blend.enable && w->state->color_write_mask[t] == 0xf,
        };
        output->store = w->kernels->choose_store(w->state, t, surface->format, &output->pack);
        if (output->opaque)
            output->fill = w->kernels->choose_fill(surface->format);
    }
}

/* Components of colour 0 that somebody reads. */
static unsigned components_read(const struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;
    unsigned read = state->alpha_test || state->alpha_to_coverage ? 8 : 0;

    for (unsigned t = 0; t < w->output_count; t++)
        for (unsigned c = 0; c < 4; c++)
            if (raster_format_info(w->output[t].surface->format)->bits[c])
                read |= state->color_write_mask[w->output[t].index] & 1u << c;
    return state->blend.enable ? 15 : read;
}

/* Whether the program need not run, and what is done for it. */
static void choose_passed(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;
    const struct raster_passed *passed = &state->passed;

    /* Targets that clamp cannot tell whether the program did. */
    w->passes = passed->enable && !w->smooths && state->coverage == RASTER_COVERAGE_NONE;
    for (unsigned t = 0; t < w->output_count; t++)
        w->passes &= raster_format_info(w->output[t].surface->format)->type != RASTER_FLOAT;
    w->batch.passed_input = w->passes && passed->components ? passed->input + 1 : 0;
    if (!w->passes)
        return;
    const unsigned read = components_read(w);
    w->batch.passed_components = (uint8_t)(read & passed->components);
    w->passed_constants = (uint8_t)(read & ~passed->components);
}

/* Nothing but the colour that is passed on goes into one opaque target. */
static void choose_paint(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;

    w->paint = NULL;
    if (w->batch.passed_input && !w->passed_constants && w->output_count == 1 && w->output[0].index == 0 && w->output[0].pack &&
        w->samples <= 1 && !w->special && w->early_depth && state->fog_mode == RASTER_FOG_OFF && !state->srgb_write)
        w->paint = w->kernels->choose_paint(w->output[0].surface->format);
}

/* Work that the state makes unnecessary. */
static void choose_ways(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;

    w->needs_z = (w->tests_depth && !w->early_depth) || (state->fog_mode > RASTER_FOG_VERTEX && !state->fog_from_w && !state->depth_from_w);
    choose_passed(w);
    choose_paint(w);
    /* What looks at a batch's lanes by group wants them in their places. */
    w->packs = w->samples <= 1 && !w->special && state->coverage == RASTER_COVERAGE_NONE &&
               (w->early_depth || !w->tests_depth);
    /* a pattern of dithering goes by places in the target */
    w->moves_groups = w->samples <= 1 && !w->special && !state->dither;
    tile_uniform_state(w);
}

/* Where the state's depth comes from. */
static void choose_depth(struct tile_worker *w)
{
    const struct raster_kernels *k = w->kernels;
    const bool from_w = w->state->depth_from_w;

    w->interpolate_depth = from_w ? k->interpolate_w_depth : k->interpolate_depth;
    w->interpolate_depth_block = from_w ? k->interpolate_w_depth_block : k->interpolate_depth_block;
    w->knows_state = w->knows && !from_w;
    k->choose_depth(w->state, w->targets->depth.format, &w->depth_test);
}

static void use_state(struct tile_worker *w, const struct raster_draw_state *state)
{
    if (w->state == state)
        return;
    tile_shade_batch(w);
    w->state = state;
    w->batch.again = false;
    w->samples = w->target_samples > 1 ? w->target_samples : BASE_MAX(state->forced_samples, (uint8_t)1);
    /* Depth extrapolated over conservative edges is only known to be right after shading. */
    w->early_depth = !state->alpha_test && !state->program_kills && !state->alpha_to_coverage && state->coverage != RASTER_COVERAGE_INPUT &&
                     state->rasterizer.conservative_raster_mode == RASTER_CONSERVATIVE_OFF;
    w->tests_depth = (state->depth_test || state->stencil.enable || state->depth_bounds) && w->targets->depth.pixels &&
                     w->samples == w->target_samples;
    choose_depth(w);
    tile_special_state(w);
    tile_hierarchy_state(w);
    choose_outputs(w);
    choose_ways(w);
}

/* Quads that have lanes in the mask of a group. */
static unsigned quads_of(uint32_t mask)
{
    mask |= mask >> 1;
    mask |= mask >> 2;
    mask &= 0x1111;
    return (mask | mask >> 3 | mask >> 6 | mask >> 9) & 15;
}

/* Takes room in the batch for a group. */
static inline const struct raster_place *place_group(struct tile_worker *w, const struct scene_primitive *primitive,
                                                     int x, int y, uint32_t mask, unsigned quads)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const uint32_t front = primitive->front_facing * 0x01010101u;
    struct raster_place *place = &w->group[w->group_count++];

    *place = (struct raster_place){x, y, w->quad_count * RASTER_QUAD_LANES, quads, mask};
    w->placed |= batch_bits(place, mask);
    if (w->inner_block) /* the group's place in its block: x in bit 0, y in bit 1 */
        w->placed_inner |=
            batch_bits(place, mask & tile_group_bits(w->inner_block, (unsigned)((x >> 2 & 1) | (y >> 1 & 2))));
    memcpy(&w->batch.front_facing[w->quad_count], &front, sizeof(front)); /* of four quads: there is room */
    w->quad_count += counts[quads];
    return place;
}

static void place_depth(struct tile_worker *w, const struct raster_place *place, const float *z)
{
    float *to = &w->batch.z[place->lane];

    for (unsigned left = place->quads; left; left &= left - 1, to += RASTER_QUAD_LANES)
        memcpy(to, z + 4 * (unsigned)__builtin_ctz(left), RASTER_QUAD_LANES * sizeof(*z));
}

void tile_push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask,
                     const float *z)
{
    const struct raster_place *place = place_group(w, primitive, x, y, mask, w->packs ? quads_of(mask) : 15);

    w->kernels->interpolate(primitive, place, &w->batch);
    if (primitive->conservative && !scene_has_one_w(primitive))
        conservative_inputs(w, primitive, x, y, place->lane, 1);
    if (w->needs_z)
        place_depth(w, place, z);
    if (w->quad_count > BATCH_QUADS - 4) /* no room for a whole group */
        tile_shade_batch(w);
}

/* Nothing is stored but depth: true if that is all there is to do. */
static bool depth_only(struct tile_worker *w, uint64_t mask)
{
    if (!w->early_depth || w->output_count)
        return false;
    w->fragments += tile_count(mask);
    return true;
}

void tile_add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask)
{
    static const float centre[2] = {0.0f, 0.0f};
    _Alignas(64) float z[RASTER_GROUP_LANES];

    if (w->samples > 1) {
        samples_add_group(w, primitive, x, y, mask);
        return;
    }
    if (w->special || w->tests_depth || w->needs_z)
        w->interpolate_depth(primitive, x, y, centre, z);
    if (w->special)
        mask = tile_special_group(w, primitive, w->group_count, x, y, z, mask);
    if (w->early_depth && w->tests_depth)
        mask = tile_test_group(w, x, y, z, mask, primitive->front_facing);
    if (mask && !depth_only(w, mask))
        tile_push_group(w, primitive, x, y, mask, z);
}

/* A block into the empty batch, which it fills. */
static void place_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    for (unsigned g = 0; g < BATCH_GROUPS; g++)
        w->group[g] = (struct raster_place){x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, g * RASTER_GROUP_LANES, 15,
                                            tile_group_bits(mask, g)};
    w->placed = mask;
    w->placed_inner = w->inner_block & mask;
    memset(w->batch.front_facing, primitive->front_facing, sizeof(w->batch.front_facing));
    w->group_count = BATCH_GROUPS;
    w->quad_count = BATCH_QUADS;
}

void tile_push_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                     const float *z)
{
    tile_shade_batch(w);
    if (w->needs_z)
        memcpy(w->batch.z, z, sizeof(w->batch.z));
    w->kernels->interpolate_block(primitive, x, y, &w->batch);
    if (primitive->conservative && !scene_has_one_w(primitive))
        conservative_inputs(w, primitive, x, y, 0, BATCH_GROUPS);
    place_block(w, primitive, x, y, mask);
    w->whole_block = w->samples > 1;
    tile_shade_batch(w);
}

/* Must groups go through tile_special_group? Not where nobody asks for their depth and no pixel has alpha of its own. */
static bool has_special_groups(const struct tile_worker *w)
{
    return w->special && (w->tests_depth || w->needs_z || w->smooths);
}

uint64_t tile_block_depth(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                          bool tests, float *z)
{
    const bool special = has_special_groups(w);
    uint64_t left = 0;

    if (!special && tests)
        mask = tile_test_block(w, primitive, x, y, mask);
    if (special || w->needs_z)
        w->interpolate_depth_block(primitive, x, y, mask, z);
    if (!special)
        return mask;
    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        int gx = x + (int)(g & 1) * 4, gy = y + (int)(g >> 1) * 4;
        unsigned lane = g * RASTER_GROUP_LANES;
        uint32_t bits = tile_group_bits(mask, g);

        if (bits)
            bits = tile_special_group(w, primitive, g, gx, gy, z + lane, bits);
        if (bits && tests)
            bits = tile_test_group(w, gx, gy, z + lane, bits, primitive->front_facing);
        left |= (uint64_t)bits << lane;
    }
    return left;
}

/* Live quads from which on a block is shaded by itself, dead ones included, rather than packed. */
#define BLOCK_QUADS 12

/* Is a block with these pixels best a batch of its own? */
static bool fills_batch(const struct tile_worker *w, uint64_t mask)
{
    uint64_t quads = mask | mask >> 1;

    if (!(mask & 0xffff) || !(mask >> 16 & 0xffff) || !(mask >> 32 & 0xffff) || !(mask >> 48))
        return false;
    if (!w->packs)
        return true;
    quads |= quads >> 2;
    return tile_count(quads & UINT64_C(0x1111111111111111)) >= BLOCK_QUADS;
}

/* The groups of a block one by one: the alpha of their smoothing has its place in the batch, so have their samples. */
static void add_groups(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    for (unsigned g = 0; g < BATCH_GROUPS; g++)
        if (tile_group_bits(mask, g))
            tile_add_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, tile_group_bits(mask, g));
}

/* Pixels of a block whose depth (z, if it is needed) has been dealt with. */
static void push_pixels(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                        const float *z)
{
    if (!mask || depth_only(w, mask))
        return;
    if (fills_batch(w, mask)) {
        tile_push_block(w, primitive, x, y, mask, z);
        return;
    }
    while (mask) {
        const unsigned g = (unsigned)__builtin_ctzll(mask) / RASTER_GROUP_LANES;

        tile_push_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, tile_group_bits(mask, g),
                        z ? z + g * RASTER_GROUP_LANES : NULL);
        mask &= ~(UINT64_C(0xffff) << (g * RASTER_GROUP_LANES));
    }
}

static __attribute__((noinline)) void add_any_block(struct tile_worker *w, const struct scene_primitive *primitive, int x,
                                                    int y, uint64_t mask)
{
    const bool tests = w->early_depth && w->tests_depth;

    if (w->smooths || w->samples > 1) {
        add_groups(w, primitive, x, y, mask);
    } else if (w->special || w->needs_z) {
        _Alignas(64) float z[RASTER_LANES];

        mask = tile_block_depth(w, primitive, x, y, mask, tests, z);
        push_pixels(w, primitive, x, y, mask, z);
    } else {
        push_pixels(w, primitive, x, y, tests ? tile_test_block(w, primitive, x, y, mask) : mask, NULL);
    }
}

void tile_add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    if (!w->paint) {
        add_any_block(w, primitive, x, y, mask);
        return;
    }
    if (w->tests_depth)
        mask = tile_test_block(w, primitive, x, y, mask);
    w->fragments += tile_count(mask);
    if (mask)
        w->paint(primitive, w->output[0].surface, x, y, mask);
}

/* --- the tile -------------------------------------------------------------------------------------- */

static void run_command(struct tile_worker *w, const struct scene_command *command, int x, int y)
{
    const struct scene_primitive *primitive = command->data;

    if (command->kind == SCENE_CLEAR) {
        tile_draw_clear(w, command->data, x, y);
        return;
    }
    use_state(w, primitive->state);
    if (command->kind == SCENE_TRIANGLE)
        tile_draw_triangle(w, primitive, command->edge_mask, x, y);
    else
        tile_draw_line(w, primitive, x, y);
}

/* The first of the targets says where they end: colour if there is any. */
static void begin_tile(struct tile_worker *w, const struct scene *scene, int x, int y)
{
    const struct raster_targets *targets = &scene->targets;
    const struct raster_surface *target = targets->color[0].pixels ? &targets->color[0] : &targets->depth;

    w->targets = targets;
    w->target_samples = scene->samples;
    w->tile = (struct raster_rect){
        .left = x,
        .top = y,
        .right = BASE_MIN(x + RASTER_TILE_SIZE, (int)target->width),
        .bottom = BASE_MIN(y + RASTER_TILE_SIZE, (int)target->height),
    };
    w->state = NULL;
    tile_empty_batch(w);
    w->inner_block = 0;
    w->depth_use = (struct tile_depth_use){.step = 0.0f};
}

/* How many commands before it is drawn a primitive is fetched: from memory, or from the core that wrote it. */
#define AHEAD 2

/* Always inlined: as a function without effects the compiler would leave it out. */
static inline __attribute__((always_inline)) void fetch_primitive(const struct scene_node *node, uint32_t i)
{
    if (i >= node->count) {
        i -= node->count;
        node = node->next;
        if (!node || i >= node->count)
            return;
    }
    const char *lines = node->command[i].data;
    __builtin_prefetch(lines);
    __builtin_prefetch(lines + 64);
    __builtin_prefetch(lines + 128);
}

static void run_commands(struct tile_worker *w, const struct scene_bin *bin, int x, int y)
{
    for (const struct scene_node *node = bin->first; node; node = node->next) {
        __builtin_prefetch(node->next);
        for (uint32_t i = 0; i < node->count; i++) {
            fetch_primitive(node, i + AHEAD);
            run_command(w, &node->command[i], x, y);
        }
    }
}

void tile_render(struct tile_worker *w, const struct scene *scene, unsigned tile_x, unsigned tile_y)
{
    int x = (int)(tile_x * RASTER_TILE_SIZE), y = (int)(tile_y * RASTER_TILE_SIZE);

    begin_tile(w, scene, x, y);
    w->hierarchy = &scene->hierarchy[tile_y * scene->tiles_x + tile_x];
    if (w->hierarchy->epoch != scene->epoch) {
        tile_hierarchy_forget(w->hierarchy);
        tile_known_forget(&w->hierarchy->known);
    }
    w->hierarchy->epoch = scene->epoch;
    tile_known_begin(w);
    run_commands(w, &scene->bins[tile_y * scene->tiles_x + tile_x], x, y);
    tile_shade_batch(w);
    if (scene->settles)
        tile_known_settle(w, x, y);
}

bool tile_has_work(const struct scene *scene, size_t tile)
{
    return scene->bins[tile].first || (scene->settles && scene->hierarchy[tile].known.owed);
}
