/* SPDX-License-Identifier: MIT */
/*
 * One tile: walks its commands in order, finds covered pixels (tile -> 8x8 blocks -> 4x4 groups as
 * bit masks), collects groups into batches, shades and stores them.
 *
 * Order. Groups of one batch may come from several primitives and cover the same pixel. Depth is tested group by group
 * in the order of submission (before shading when nothing can kill a fragment afterwards, else after it),
 * and colours are stored group by group, so each pixel sees its primitives in order.
 */
#include "raster/tile.h"

#include <string.h>

struct tile_worker *tile_worker_create(const struct raster_kernels *kernels)
{
    struct tile_worker *worker = mem_alloc_aligned(sizeof(*worker));

    if (worker)
        worker->kernels = kernels;
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

static void store_groups(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;
    struct raster_batch *batch = &w->batch;

    for (unsigned g = 0; g < batch->group_count; g++) {
        uint32_t mask = tile_group_bits(batch->covered, g);
        int x = w->group[g].x, y = w->group[g].y;
        unsigned lane = g * RASTER_GROUP_LANES;

        if (w->samples > 1) {
            samples_store(w, g);
            continue;
        }
        if (mask && !w->early_depth && tile_wants_depth(w))
            mask = w->kernels->depth_stencil(state, &w->targets->depth, x, y, batch->z + lane, mask,
                                             batch->front_facing[g]);
        if (!mask)
            continue;
        w->fragments += (unsigned)__builtin_popcount(mask);
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
            if (w->targets->color[t].pixels && state->color_write_mask[t])
                w->kernels->store(state, &w->targets->color[t], t, x, y, batch, lane, mask);
    }
}

void tile_shade_batch(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;
    struct raster_batch *batch = &w->batch;

    if (!batch->group_count)
        return;
    batch->covered = batch->inner = 0;
    for (unsigned g = 0; g < batch->group_count; g++) {
        batch->covered |= (uint64_t)w->group[g].mask << (g * RASTER_GROUP_LANES);
        batch->inner |= (uint64_t)(w->group[g].inner & w->group[g].mask) << (g * RASTER_GROUP_LANES);
    }
    if (state->coverage != RASTER_COVERAGE_NONE)
        tile_special_inputs(w);
    state->shade(state->program, batch);
    if (w->smooths || w->clamps_color)
        tile_special_colors(w);
    if (state->fog_mode != RASTER_FOG_OFF)
        w->kernels->fog(state, batch);
    if (state->alpha_test)
        w->kernels->alpha_test(state, batch);
    store_groups(w);
    batch->group_count = 0;
}

static void use_state(struct tile_worker *w, const struct raster_draw_state *state)
{
    if (w->state == state)
        return;
    tile_shade_batch(w);
    w->state = state;
    /* Depth extrapolated over conservative edges is only known to be right after shading. */
    w->early_depth = !state->alpha_test && !state->program_kills && state->coverage != RASTER_COVERAGE_INPUT &&
                     state->rasterizer.conservative_raster_mode == RASTER_CONSERVATIVE_OFF;
    tile_special_state(w);
    w->stores_color = false;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
        w->stores_color |= w->targets->color[t].pixels && w->targets->color[t].format != RASTER_FORMAT_NULL &&
                           state->color_write_mask[t];
}

/* Depth of group `g` of the batch, tested if that may be done before shading. Returns the lanes that are left to
 * shade. */
static uint32_t group_depth(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                            uint32_t mask)
{
    static const float centre[2] = {0.0f, 0.0f};
    float *z = w->batch.z + g * RASTER_GROUP_LANES;

    w->kernels->interpolate_depth(primitive, x, y, centre, z);
    if (w->special)
        mask = tile_special_group(w, primitive, g, x, y, z, mask);
    if (!w->early_depth)
        return mask;
    if (tile_wants_depth(w))
        mask = w->kernels->depth_stencil(w->state, &w->targets->depth, x, y, z, mask, primitive->front_facing);
    if (!w->stores_color) {
        w->fragments += (unsigned)__builtin_popcount(mask);
        return 0;
    }
    return mask;
}

static void set_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                      uint32_t mask)
{
    w->batch.front_facing[g] = primitive->front_facing;
    w->group[g].x = x;
    w->group[g].y = y;
    w->group[g].mask = mask;
    /* the group's place in its block: x in bit 0, y in bit 1 */
    w->group[g].inner = tile_group_bits(w->inner_block, (unsigned)((x >> 2 & 1) | (y >> 1 & 2)));
}

void tile_push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask)
{
    unsigned g = w->batch.group_count;

    w->kernels->interpolate(primitive, x, y, &w->batch, g * RASTER_GROUP_LANES, RASTER_GROUP_LANES);
    set_group(w, primitive, g, x, y, mask);
    if (++w->batch.group_count == BATCH_GROUPS)
        tile_shade_batch(w);
}

/* Adds the pixels of `mask` in the group at pixel (x, y); x and y are multiples of 4. */
static void add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask)
{
    if (w->samples > 1) {
        samples_add_group(w, primitive, x, y, mask);
        return;
    }
    mask = group_depth(w, primitive, w->batch.group_count, x, y, mask);
    if (mask)
        tile_push_group(w, primitive, x, y, mask);
}

/* --- triangles ------------------------------------------------------------------------------ */

uint64_t tile_bounds_mask(const struct scene_primitive *primitive, int x, int y)
{
    /* Lanes in the first n columns and rows of a block; x is in bits 0, 2, 4 of the lane, y in bits 1, 3, 5. */
    static const uint64_t columns[BLOCK_SIZE + 1] = {
        UINT64_C(0x0000000000000000), UINT64_C(0x0000050500000505), UINT64_C(0x00000f0f00000f0f),
        UINT64_C(0x00005f5f00005f5f), UINT64_C(0x0000ffff0000ffff), UINT64_C(0x0505ffff0505ffff),
        UINT64_C(0x0f0fffff0f0fffff), UINT64_C(0x5f5fffff5f5fffff), UINT64_C(0xffffffffffffffff),
    };
    static const uint64_t rows[BLOCK_SIZE + 1] = {
        UINT64_C(0x0000000000000000), UINT64_C(0x0000000000330033), UINT64_C(0x0000000000ff00ff),
        UINT64_C(0x0000000033ff33ff), UINT64_C(0x00000000ffffffff), UINT64_C(0x00330033ffffffff),
        UINT64_C(0x00ff00ffffffffff), UINT64_C(0x33ff33ffffffffff), UINT64_C(0xffffffffffffffff),
    };
    int left = BASE_MAX(primitive->left - x, 0), right = BASE_MIN(primitive->right - x, BLOCK_SIZE);
    int top = BASE_MAX(primitive->top - y, 0), bottom = BASE_MIN(primitive->bottom - y, BLOCK_SIZE);

    if (left >= right || top >= bottom)
        return 0;
    return columns[right] & ~columns[left] & rows[bottom] & ~rows[top];
}

/* A block with pixels in all four groups fills a batch by itself. */
static void add_full_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    uint32_t left = 0;

    tile_shade_batch(w);
    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        int gx = x + (int)(g & 1) * 4, gy = y + (int)(g >> 1) * 4;
        uint32_t bits = group_depth(w, primitive, g, gx, gy, tile_group_bits(mask, g));

        set_group(w, primitive, g, gx, gy, bits);
        left |= bits;
    }
    if (!left)
        return;
    w->kernels->interpolate(primitive, x, y, &w->batch, 0, RASTER_LANES);
    w->batch.group_count = BATCH_GROUPS;
    tile_shade_batch(w);
}

static void add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    uint32_t bits[BATCH_GROUPS];
    bool full = true;

    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        bits[g] = tile_group_bits(mask, g);
        full &= bits[g] != 0;
    }
    if (full) {
        add_full_block(w, primitive, x, y, mask);
        return;
    }
    for (unsigned g = 0; g < BATCH_GROUPS; g++)
        if (bits[g])
            add_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, bits[g]);
}

bool tile_block_edges(const struct tile_edges *edges, int x, int y, int32_t c[3], unsigned *crossing)
{
    const int32_t span = BLOCK_SIZE - 1;

    *crossing = 0;
    for (unsigned e = 0; e < 3; e++) {
        if (!(edges->mask & (1u << e)))
            continue;
        int32_t step_x = -edges->dy[e] * span, step_y = edges->dx[e] * span;

        c[e] = edges->c[e] - edges->dy[e] * x + edges->dx[e] * y;
        if (c[e] + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) + edges->margin[e] < 0)
            return false;
        if (c[e] + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) - edges->margin[e] < 0)
            *crossing |= 1u << e;
    }
    return true;
}

static void triangle_block(struct tile_worker *w, const struct scene_primitive *primitive,
                           const struct tile_edges *edges, int tile_x, int tile_y, int x, int y)
{
    int32_t c[3] = {0, 0, 0};
    unsigned crossing;

    if (!tile_block_edges(edges, x - tile_x, y - tile_y, c, &crossing))
        return;
    if (primitive->conservative && w->state->inner_coverage)
        w->inner_block = conservative_inner(w, primitive, x, y);
    if (w->samples > 1) {
        samples_triangle_block(w, primitive, edges, x, y, c, crossing);
        return;
    }
    uint64_t mask = tile_bounds_mask(primitive, x, y);
    if (primitive->stippled)
        mask &= tile_stipple_mask(w->state, x, y);
    if (crossing)
        mask &= w->kernels->coverage_block(c, edges->dx, edges->dy, crossing);
    if (mask)
        add_block(w, primitive, x, y, mask);
}

bool tile_edges_init(struct tile_edges *edges, const struct scene_primitive *primitive, unsigned edge_mask,
                     int tile_x, int tile_y, bool multisampled)
{
    const int64_t span = RASTER_TILE_SIZE - 1;

    edges->mask = 0;
    for (unsigned e = 0; e < 3; e++) {
        const struct scene_edge *edge = &primitive->edge[e];
        int64_t c = edge->c - (int64_t)edge->dy * tile_x + (int64_t)edge->dx * tile_y;

        if (!(edge_mask & (1u << e)))
            continue;
        /* Single-tile triangles come unclassified: an edge may be far outside 32 bits. */
        int64_t step_x = -(int64_t)edge->dy * span, step_y = (int64_t)edge->dx * span;
        int64_t margin = multisampled ? scene_edge_margin(edge) : 0;
        if (c + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) + margin < 0)
            return false;
        if (c + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) - margin >= 0)
            continue;
        edges->mask |= 1u << e;
        edges->c[e] = (int32_t)c;
        edges->dx[e] = edge->dx;
        edges->dy[e] = edge->dy;
        edges->low[e] = edge->low;
        edges->margin[e] = (int32_t)margin;
    }
    return true;
}

static void draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask,
                          int tile_x, int tile_y)
{
    struct tile_edges edges;
    int left = BASE_MAX(primitive->left, tile_x) & ~(BLOCK_SIZE - 1);
    int top = BASE_MAX(primitive->top, tile_y) & ~(BLOCK_SIZE - 1);
    int right = BASE_MIN(primitive->right, tile_x + RASTER_TILE_SIZE);
    int bottom = BASE_MIN(primitive->bottom, tile_y + RASTER_TILE_SIZE);

    if (!tile_edges_init(&edges, primitive, edge_mask, tile_x, tile_y, w->samples > 1))
        return;
    w->inner_block = 0;
    for (int y = top; y < bottom; y += BLOCK_SIZE)
        for (int x = left; x < right; x += BLOCK_SIZE)
            triangle_block(w, primitive, &edges, tile_x, tile_y, x, y);
    w->inner_block = 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Collects pixels that come one after the other into groups. */
struct pixel_run {
    int x, y;
    uint32_t mask;
};

static void run_flush(struct tile_worker *w, const struct scene_primitive *primitive, struct pixel_run *run)
{
    if (run->mask)
        add_group(w, primitive, run->x, run->y, run->mask);
    run->mask = 0;
}

static void run_add(struct tile_worker *w, const struct scene_primitive *primitive, struct pixel_run *run, int x,
                    int y)
{
    int gx = x & ~3, gy = y & ~3;

    if (run->mask && (run->x != gx || run->y != gy))
        run_flush(w, primitive, run);
    run->x = gx;
    run->y = gy;
    run->mask |= 1u << ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
}

static int64_t floor_div(int64_t n, int64_t d) /* d > 0 */
{
    int64_t q = n / d;

    return q - (n % d < 0);
}

/* The pixel that the line takes at pixel column (row) `major`: ceil(position) - 1 along the minor axis. */
static int line_minor(const struct scene_line *line, int major)
{
    int64_t from = line->y_major ? line->y0 : line->x0, to = line->y_major ? line->y1 : line->x1;
    int64_t minor0 = line->y_major ? line->x0 : line->y0, minor1 = line->y_major ? line->x1 : line->y1;
    int64_t d = to - from, n = minor1 - minor0;

    if (d < 0) {
        d = -d;
        n = -n;
    }
    int64_t position = minor0 * d + ((int64_t)major * 256 + 128 - from) * n; /* times d, in subpixels */
    return (int)(-floor_div(-position, d * 256) - 1);
}

/* Does the stipple pattern draw the pixel at `major`? Counted from the line's start. */
static bool line_stippled_out(const struct raster_state *rs, const struct scene_line *line, int major)
{
    bool forward = line->y_major ? line->y1 > line->y0 : line->x1 > line->x0;
    int step = forward ? major - line->first : line->last - major;
    uint32_t count = line->stipple + (uint32_t)BASE_MAX(step, 0);

    return !(rs->line_stipple_pattern >> (count / (rs->line_stipple_factor + 1u) & 15) & 1);
}

/* The pixel and, of wide lines, its neighbours along the minor axis. */
static void line_pixel(struct tile_worker *w, const struct scene_primitive *primitive, struct pixel_run *run,
                       const struct raster_rect *area, int x, int y, int major)
{
    const struct scene_line *line = &primitive->line;
    const struct raster_state *rs = &w->state->rasterizer;
    int first = -(line->width - 1) / 2;

    if (rs->line_stipple_enable && rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF &&
        line_stippled_out(rs, line, major))
        return;
    for (int i = first; i < first + line->width; i++) {
        int px = line->y_major ? x + i : x, py = line->y_major ? y : y + i;

        if (px >= area->left && px < area->right && py >= area->top && py < area->bottom)
            run_add(w, primitive, run, px, py);
    }
}

static void draw_line(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y)
{
    const struct scene_line *line = &primitive->line;
    struct pixel_run run = {0, 0, 0};
    struct raster_rect area = {
        BASE_MAX(primitive->left, tile_x),
        BASE_MAX(primitive->top, tile_y),
        BASE_MIN(primitive->right, tile_x + RASTER_TILE_SIZE),
        BASE_MIN(primitive->bottom, tile_y + RASTER_TILE_SIZE),
    };
    int low = line->y_major ? area.top : area.left, high = line->y_major ? area.bottom : area.right;
    int start = line->y_major ? line->first_y : line->first_x, end = line->y_major ? line->last_y : line->last_x;

    if (line->add_first && (start < line->first || start > line->last) &&
        !(line->drop_last && line->first_x == line->last_x && line->first_y == line->last_y))
        line_pixel(w, primitive, &run, &area, line->first_x, line->first_y, start);
    for (int m = BASE_MAX(line->first, low); m <= line->last && m < high; m++) {
        int minor = line_minor(line, m);
        int x = line->y_major ? minor : m, y = line->y_major ? m : minor;

        if (!(line->drop_last && x == line->last_x && y == line->last_y))
            line_pixel(w, primitive, &run, &area, x, y, m);
    }
    if (line->add_last && (end < line->first || end > line->last) &&
        !(line->add_first && line->first_x == line->last_x && line->first_y == line->last_y))
        line_pixel(w, primitive, &run, &area, line->last_x, line->last_y, end);
    run_flush(w, primitive, &run);
}

/* --- clears ------------------------------------------------------------------------------------- */

/* Of the texel's bytes the first four are always there to read. */
static void fill_row(uint8_t *row, unsigned count, unsigned bytes, const uint8_t *texel)
{
    uint32_t value;

    memcpy(&value, texel, sizeof(value));
    if (bytes == 4) {
        uint32_t *p = (uint32_t *)row;

        for (unsigned i = 0; i < count; i++)
            p[i] = value;
    } else if (bytes == 2) {
        uint16_t *p = (uint16_t *)row;

        for (unsigned i = 0; i < count; i++)
            p[i] = (uint16_t)value;
    } else if (bytes == 1) {
        memset(row, (int)(value & 255), count);
    } else {
        for (unsigned i = 0; i < count; i++)
            memcpy(row + (size_t)i * bytes, texel, bytes);
    }
}

static void fill_row_masked(uint8_t *row, unsigned count, unsigned bytes, uint32_t value, uint32_t mask)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t old = 0;

        memcpy(&old, row + i * bytes, bytes);
        old = (old & ~mask) | (value & mask);
        memcpy(row + i * bytes, &old, bytes);
    }
}

/* mask: bits that are replaced; all ones for texels of more than four bytes. */
static void clear_surface(const struct raster_surface *surface, const struct raster_rect *rect, const uint8_t *texel,
                          uint32_t mask)
{
    unsigned bytes = raster_format_info(surface->format)->block_bytes;
    uint32_t all = bytes >= 4 ? ~0u : (1u << (8 * bytes)) - 1, value;
    unsigned width = (unsigned)(rect->right - rect->left), height = (unsigned)(rect->bottom - rect->top);
    unsigned samples = BASE_MAX(surface->samples, 1u);

    memcpy(&value, texel, sizeof(value));
    for (unsigned i = 0; i < height * samples; i++) {
        size_t y = (size_t)rect->top + i % height;
        uint8_t *row = surface->pixels + i / height * surface->sample_stride + y * surface->pitch +
                       (size_t)rect->left * bytes;

        if ((mask & all) == all)
            fill_row(row, width, bytes, texel);
        else
            fill_row_masked(row, width, bytes, value, mask);
    }
}

static void draw_clear(struct tile_worker *w, const struct scene_clear *clear, int tile_x, int tile_y)
{
    struct raster_rect rect = {
        BASE_MAX(clear->rect.left, tile_x),
        BASE_MAX(clear->rect.top, tile_y),
        BASE_MIN(clear->rect.right, tile_x + RASTER_TILE_SIZE),
        BASE_MIN(clear->rect.bottom, tile_y + RASTER_TILE_SIZE),
    };

    tile_shade_batch(w);
    if (clear->what & RASTER_CLEAR_COLOR)
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
            if (w->targets->color[t].pixels)
                clear_surface(&w->targets->color[t], &rect, clear->color_texel[t], ~0u);
    if (clear->what & (RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL)) {
        bool whole = raster_format_info(w->targets->depth.format)->stencil_bits == 0;

        clear_surface(&w->targets->depth, &rect, (const uint8_t *)&clear->depth_value,
                      whole ? ~0u : clear->depth_mask);
    }
}

/* --- the tile -------------------------------------------------------------------------------------- */

void tile_render(struct tile_worker *w, const struct scene *scene, unsigned tile_x, unsigned tile_y)
{
    int x = (int)(tile_x * RASTER_TILE_SIZE), y = (int)(tile_y * RASTER_TILE_SIZE);

    w->targets = &scene->targets;
    w->samples = scene->samples;
    w->state = NULL;
    w->batch.group_count = 0;
    for (const struct scene_node *node = scene->bins[tile_y * scene->tiles_x + tile_x].first; node;
         node = node->next) {
        for (uint32_t i = 0; i < node->count; i++) {
            const struct scene_command *command = &node->command[i];

            if (command->kind == SCENE_CLEAR) {
                draw_clear(w, command->data, x, y);
                continue;
            }
            const struct scene_primitive *primitive = command->data;
            use_state(w, primitive->state);
            if (command->kind == SCENE_TRIANGLE)
                draw_triangle(w, primitive, command->edge_mask, x, y);
            else
                draw_line(w, primitive, x, y);
        }
    }
    tile_shade_batch(w);
}
