/* SPDX-License-Identifier: MIT */
/* Coverage of blocks by exact edges. */
#include "raster/kernels/kernels.h"
#include "raster/kernels/lanes.h"
#include "base/simd/simd.h"

/* --- coverage --------------------------------------------------------------------------- */

/* Edges of a triangle as offsets of the lanes of a group and of the groups of a block. An edge outside the mask is zero
 * everywhere: inside. */
struct lane_edges {
    int32_t lane[3][GROUP_LANES], group[3][4];
};

static inline void lane_edges_init(struct lane_edges *e, const int32_t dx[3], const int32_t dy[3], unsigned edge_mask)
{
    for (unsigned i = 0; i < 3; i++) {
        int32_t keep = -(int32_t)(edge_mask >> i & 1), x = -dy[i] & keep, y = dx[i] & keep;

        FOR_GROUP_LANES
            e->lane[i][l] = x * raster_lane_x[l] + y * raster_lane_y[l];
        e->group[i][0] = 0;
        e->group[i][1] = 4 * x;
        e->group[i][2] = 4 * y;
        e->group[i][3] = 4 * (x + y);
    }
}

/* Lanes of a block where none of the first `count` edges is negative; c: their values at its first pixel. Always inlined
 * with a constant count, 1 to 3. */
static inline __attribute__((always_inline)) uint64_t lane_edges_cover(const struct lane_edges *e, const int32_t c[3],
                                                                       unsigned count)
{
    uint64_t covered = 0;

    for (unsigned g = 0; g < 4; g++) {
        const int32_t g0 = c[0] + e->group[0][g], g1 = count > 1 ? c[1] + e->group[1][g] : 0;
        const int32_t g2 = count > 2 ? c[2] + e->group[2][g] : 0;
        int32_t outside[GROUP_LANES];

        FOR_GROUP_LANES
            outside[l] =
                (e->lane[0][l] + g0) | (count > 1 ? e->lane[1][l] + g1 : 0) | (count > 2 ? e->lane[2][l] + g2 : 0);
        covered |= (uint64_t)(~sign_bits(outside) & 0xffff) << (g * GROUP_LANES);
    }
    return covered;
}

uint64_t KERNEL(raster_coverage_block)(const int32_t c[3], const int32_t dx[3], const int32_t dy[3], unsigned edge_mask)
{
    struct lane_edges edges;

    lane_edges_init(&edges, dx, dy, edge_mask);
    return lane_edges_cover(
        &edges, (const int32_t[3]){edge_mask & 1 ? c[0] : 0, edge_mask & 2 ? c[1] : 0, edge_mask & 4 ? c[2] : 0}, 3);
}

#define BLOCK_SIZE     8
#define ROW_BLOCKS     RASTER_ROW_BLOCKS
#define FOR_ROW_BLOCKS for (unsigned l = 0; l < ROW_BLOCKS; l++)

/* Edges at the first pixels of a row of blocks, and their greatest change within a block. */
struct row_edges {
    int32_t c[3], step_x[3], step_y[3], most[3], least[3];
    int32_t value[3][ROW_BLOCKS];
};

static inline __attribute__((always_inline)) void row_edges_init(struct row_edges *row,
                                                                 const struct raster_tile_edges *edges, unsigned count)
{
    UNROLLED
    for (unsigned e = 0; e < count; e++) {
        int32_t x = -edges->dy[e], y = edges->dx[e];
        int32_t span_x = x * (BLOCK_SIZE - 1), span_y = y * (BLOCK_SIZE - 1);

        row->c[e] = edges->c[e];
        row->step_x[e] = x * BLOCK_SIZE;
        row->step_y[e] = y * BLOCK_SIZE;
        row->most[e] = BASE_MAX(span_x, 0) + BASE_MAX(span_y, 0);
        row->least[e] = BASE_MIN(span_x, 0) + BASE_MIN(span_y, 0);
    }
}

/* Blocks of row `by` that lie outside some edge, and those that some edge cuts. */
static inline __attribute__((always_inline)) void row_edges_classify(struct row_edges *row, int32_t by, unsigned count,
                                                                     uint32_t *outside, uint32_t *cut)
{
    int32_t most[ROW_BLOCKS] = {0}, least[ROW_BLOCKS] = {0};

    UNROLLED
    for (unsigned e = 0; e < count; e++) {
        int32_t c = row->c[e] + row->step_y[e] * by;

        FOR_ROW_BLOCKS {
            int32_t v = c + row->step_x[e] * (int32_t)l;

            row->value[e][l] = v;
            most[l] |= v + row->most[e];
            least[l] |= v + row->least[e];
        }
    }
    *outside = sign_bits_8(most);
    *cut = sign_bits_8(least);
}

/* Lanes of the first n columns and rows of a block; x is in bits 0, 2, 4 of the lane, y in bits 1, 3, 5. */
static const uint64_t first_columns[BLOCK_SIZE + 1] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000050500000505), UINT64_C(0x00000f0f00000f0f),
    UINT64_C(0x00005f5f00005f5f), UINT64_C(0x0000ffff0000ffff), UINT64_C(0x0505ffff0505ffff),
    UINT64_C(0x0f0fffff0f0fffff), UINT64_C(0x5f5fffff5f5fffff), UINT64_C(0xffffffffffffffff),
};
static const uint64_t first_rows[BLOCK_SIZE + 1] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000330033), UINT64_C(0x0000000000ff00ff),
    UINT64_C(0x0000000033ff33ff), UINT64_C(0x00000000ffffffff), UINT64_C(0x00330033ffffffff),
    UINT64_C(0x00ff00ffffffffff), UINT64_C(0x33ff33ffffffffff), UINT64_C(0xffffffffffffffff),
};

/* Lanes low <= i < high along one axis; there are some. */
static inline uint64_t between(const uint64_t first[BLOCK_SIZE + 1], int low, int high)
{
    return first[BASE_MIN(high, BLOCK_SIZE)] & ~first[BASE_MAX(low, 0)];
}

uint64_t KERNEL(raster_bounds_block)(const struct raster_rect *area, int x, int y)
{
    if (area->left >= x + BLOCK_SIZE || area->right <= x || area->top >= y + BLOCK_SIZE || area->bottom <= y)
        return 0;
    return between(first_columns, area->left - x, area->right - x) &
           between(first_rows, area->top - y, area->bottom - y);
}

/* The number of set bits, of eight. */
static inline unsigned bits_of_8(uint32_t v)
{
    v -= v >> 1 & 0x55;
    v = (v & 0x33) + (v >> 2 & 0x33);
    return (v + (v >> 4)) & 15;
}

/* Finds the masks of the live blocks of a row. `rows`: the pixels of their lines in the area. */
static inline __attribute__((always_inline)) void cover_row(const struct lane_edges *lanes,
                                                            const struct row_edges *edges, unsigned edge_count,
                                                            uint32_t cut, const struct raster_rect *area, uint64_t rows,
                                                            struct raster_row *row)
{
    for (uint32_t part = row->live & ~row->whole; part; part &= part - 1) {
        const int bx = __builtin_ctz(part);
        uint64_t mask = rows & between(first_columns, area->left - bx * BLOCK_SIZE, area->right - bx * BLOCK_SIZE);

        if (edge_count && cut >> bx & 1) {
            const int32_t c[3] = {edges->value[0][bx], edge_count > 1 ? edges->value[1][bx] : 0,
                                  edge_count > 2 ? edges->value[2][bx] : 0};

            mask &= lane_edges_cover(lanes, c, edge_count);
        }
        row->mask[bx] = mask;
        row->live &= ~((uint32_t)!mask << bx);
        row->whole |= (uint32_t)(mask == ~UINT64_C(0)) << bx;
    }
}

/* raster_cover_triangle with only the first edge_count edges. Always inlined with a constant count. */
static inline __attribute__((always_inline)) unsigned cover_rows(const struct raster_tile_edges *edges,
                                                                 unsigned edge_count, const struct raster_rect *area,
                                                                 struct raster_row *row)
{
    const int left = area->left / BLOCK_SIZE, right = (area->right - 1) / BLOCK_SIZE;
    const int top = area->top / BLOCK_SIZE, bottom = (area->bottom - 1) / BLOCK_SIZE;
    const uint32_t columns = (2u << right) - (1u << left);
    /* columns that lie wholly in the area */
    const int first = (area->left + BLOCK_SIZE - 1) / BLOCK_SIZE, end = area->right / BLOCK_SIZE;
    const uint32_t inner = first < end ? (1u << end) - (1u << first) : 0;
    struct lane_edges lanes;
    struct row_edges at;
    unsigned count = 0;

    if (edge_count)
        lane_edges_init(&lanes, edges->dx, edges->dy, (1u << edge_count) - 1);
    row_edges_init(&at, edges, edge_count);
    for (int by = top; by <= bottom; by++) {
        const uint64_t rows = between(first_rows, area->top - by * BLOCK_SIZE, area->bottom - by * BLOCK_SIZE);
        uint32_t outside, cut;

        row_edges_classify(&at, by, edge_count, &outside, &cut);
        row[by].live = columns & ~outside;
        row[by].whole = rows == ~UINT64_C(0) ? inner & ~(outside | cut) : 0;
        if (!row[by].live)
            continue;
        for (unsigned l = 0; l < ROW_BLOCKS; l++)
            row[by].mask[l] = ~UINT64_C(0);
        cover_row(&lanes, &at, edge_count, cut, area, rows, &row[by]);
        count += bits_of_8(row[by].live);
    }
    return count;
}

unsigned KERNEL(raster_cover_triangle)(const struct raster_tile_edges *edges, const struct raster_rect *area,
                                       struct raster_row *row)
{
    struct raster_tile_edges crossing = {.mask = 0}; /* the edges in the mask, in order */
    unsigned count = 0;

    BASE_ASSERT(0 <= area->left && area->left < area->right && area->right <= RASTER_TILE_SIZE);
    BASE_ASSERT(0 <= area->top && area->top < area->bottom && area->bottom <= RASTER_TILE_SIZE);
    for (unsigned e = 0; e < 3; e++) {
        crossing.c[count] = edges->c[e];
        crossing.dx[count] = edges->dx[e];
        crossing.dy[count] = edges->dy[e];
        count += edges->mask >> e & 1;
    }
    switch (count) {
    case 0:
        return cover_rows(&crossing, 0, area, row);
    case 1:
        return cover_rows(&crossing, 1, area, row);
    case 2:
        return cover_rows(&crossing, 2, area, row);
    default:
        return cover_rows(&crossing, 3, area, row);
    }
}

/* --- small triangles ----------------------------------------------------------------------- */

/* Pixel offsets of a block's quads as pairs of 16 bits, x in the lower one. */
#define PAIR(x, y)    (x) | (y) << 16
#define QUAD_AT(x, y) PAIR(x, y), PAIR(x + 1, y), PAIR(x, y + 1), PAIR(x + 1, y + 1)
#define QUAD(q)       QUAD_AT(((q)&1) * 2 + ((q) >> 2 & 1) * 4, ((q) >> 1 & 1) * 2 + ((q) >> 3 & 1) * 4)
static const _Alignas(64) int32_t lane_pairs[RASTER_LANES] = {SIGN_ORDER(QUAD)};
#define QUAD_NUMBER(q) (q)

/* Steps have 16 bits, so that a product of a pair with both offsets is one instruction. */
static inline veci edge_lanes(int32_t c, int32_t step, const int32_t *pairs)
{
    return veci_add(veci_madd16(veci_splat((uint32_t)step), veci_load(pairs)), veci_splat((uint32_t)c));
}

static inline veci outside_lanes(const int32_t c[3], const int32_t step[3], const int32_t *pairs)
{
    return veci_or(veci_or(edge_lanes(c[0], step[0], pairs), edge_lanes(c[1], step[1], pairs)),
                   edge_lanes(c[2], step[2], pairs));
}

/* 64 lanes where no edge is negative; c: values at the first lane; step: added per pixel to the right and down, in
 * pairs; pairs: positions of the lanes from the first. */
static inline uint64_t small_lanes(const int32_t c[3], const int32_t step[3], const int32_t *pairs)
{
    uint64_t outside = 0;

    UNROLLED
    for (unsigned l = 0; l < RASTER_LANES; l += 4 * VEC)
        outside |=
            sign_bits_of_4(outside_lanes(c, step, pairs + l), outside_lanes(c, step, pairs + l + VEC),
                           outside_lanes(c, step, pairs + l + 2 * VEC), outside_lanes(c, step, pairs + l + 3 * VEC))
            << l;
    return ~outside;
}

static inline uint64_t small_block(const struct scene_primitive *primitive, const int32_t step[3], int x, int y)
{
    const struct scene_small *edges = &primitive->small_edges;
    const int32_t offset = ((x - edges->x) & 0xffff) | (int32_t)((uint32_t)(y - edges->y) << 16);
    _Alignas(16) int32_t c[4];
    uint64_t mask;

    madd16_of_3(edges->step, offset, edges->c, c);
    mask = small_lanes(c, step, lane_pairs);
    if (primitive->clipped)
        mask &= KERNEL(raster_bounds_block)(
            &(struct raster_rect){primitive->left, primitive->top, primitive->right, primitive->bottom}, x, y);
    return mask;
}

uint64_t KERNEL(raster_cover_small_block)(const struct scene_primitive *primitive, int x, int y)
{
    int32_t step[3];

    memcpy(step, primitive->small_edges.step, sizeof(step));
    return small_block(primitive, step, x, y);
}

/* The offsets of four registers of lanes from the edge functions of a block's first pixel; the same for all samples. */
struct lane_steps {
    veci of[3][4];
};

static inline struct lane_steps lane_steps_from(const int32_t step[3], unsigned lane)
{
    struct lane_steps steps;

    UNROLLED
    for (unsigned e = 0; e < 3; e++)
        UNROLLED
    for (unsigned i = 0; i < 4; i++)
        steps.of[e][i] = veci_madd16(veci_splat((uint32_t)step[e]), veci_load(&lane_pairs[lane + i * VEC]));
    return steps;
}

/* The signs of those registers' lanes: set where an edge is negative. c: the edge functions at the first pixel. */
static inline uint64_t lane_steps_outside(const struct lane_steps *steps, const int32_t c[3])
{
    const veci c0 = veci_splat((uint32_t)c[0]), c1 = veci_splat((uint32_t)c[1]), c2 = veci_splat((uint32_t)c[2]);
    veci outside[4];

    UNROLLED
    for (unsigned i = 0; i < 4; i++)
        outside[i] = veci_or(veci_or(veci_add(steps->of[0][i], c0), veci_add(steps->of[1][i], c1)),
                             veci_add(steps->of[2][i], c2));
    return sign_bits_of_4(outside[0], outside[1], outside[2], outside[3]);
}

void KERNEL(raster_cover_small_samples)(const struct scene_primitive *primitive, int x, int y, unsigned samples,
                                        const int32_t *offsets, uint64_t *covered)
{
    const struct scene_small *edges = &primitive->small_edges;
    _Alignas(16) int32_t first[4], moved[RASTER_MAX_SAMPLES][4];
    int32_t step[3];

    memcpy(step, edges->step, sizeof(step));
    for (unsigned e = 0; e < 3; e++) /* of the first pixel's centre */
        first[e] = edges->c[e] + 256 * (edges->step[e][0] * (x - edges->x) + edges->step[e][1] * (y - edges->y));
    for (unsigned s = 0; s < samples; s++) {
        madd16_of_3(edges->step, offsets[s], first, moved[s]);
        for (unsigned e = 0; e < 3; e++)
            moved[s][e] >>= 8;
        covered[s] = 0;
    }
    UNROLLED
    for (unsigned l = 0; l < RASTER_LANES; l += 4 * VEC) {
        const struct lane_steps steps = lane_steps_from(step, l);

        for (unsigned s = 0; s < samples; s++)
            covered[s] |= lane_steps_outside(&steps, moved[s]) << l;
    }
    for (unsigned s = 0; s < samples; s++)
        covered[s] = ~covered[s];
}

/* Subpixels instead of pixels: the edge functions are at full precision, and still below 2^31 in the bounds. */
uint64_t KERNEL(raster_cover_small_lanes)(const struct scene_primitive *primitive, int x, int y,
                                          const struct raster_sample_lanes *lanes)
{
    const struct scene_small *edges = &primitive->small_edges;
    const int32_t offset = (256 * (x - edges->x) & 0xffff) | (int32_t)((uint32_t)(256 * (y - edges->y)) << 16);
    _Alignas(16) int32_t c[4];
    int32_t step[3];

    BASE_ASSERT(x - edges->x >= -3 && x - edges->x <= RASTER_TILE_SIZE && y - edges->y >= -3 &&
                y - edges->y <= RASTER_TILE_SIZE);
    memcpy(step, edges->step, sizeof(step));
    madd16_of_3(edges->step, offset, edges->c, c);
    return small_lanes(c, step, lanes->pair);
}

void KERNEL(raster_place_samples)(unsigned samples, bool multisample, struct raster_sample_lanes *lanes)
{
    static const uint8_t order[GROUP_LANES] = {SIGN_ORDER(QUAD_NUMBER)};
    const struct raster_sample_position *position = raster_sample_positions(samples);

    for (unsigned l = 0; l < (samples + 3) / 4 * RASTER_LANES; l++) {
        const unsigned in = l % RASTER_LANES, s = l / GROUP_LANES % samples, from = 4u * order[in / 4] + in % 4;
        const unsigned pixel = from % GROUP_LANES, sample = (l / RASTER_LANES * 4 + from / GROUP_LANES) % samples;
        struct raster_sample_lanes *set = &lanes[l / RASTER_LANES];

        set->samples = BASE_MIN(samples, 4u);
        set->pair[in] = ((256 * (int)(pixel % 4) + (multisample ? 16 * position[sample].x : 0)) & 0xffff) |
                        (256 * (int)(pixel / 4) + (multisample ? 16 * position[sample].y : 0)) * 0x10000;
        set->x[in] = (float)(l % 4) + (multisample ? (float)position[s].x * (1.0f / 16.0f) : 0.0f);
        set->y[in] = (float)(l / 4 % 4) + (multisample ? (float)position[s].y * (1.0f / 16.0f) : 0.0f);
    }
}

unsigned KERNEL(raster_cover_small)(const struct scene_primitive *primitive, int x, int y, struct raster_cover *out)
{
    const int left = BASE_MAX(primitive->left - x, 0), right = BASE_MIN(primitive->right - x, RASTER_TILE_SIZE);
    const int top = BASE_MAX(primitive->top - y, 0), bottom = BASE_MIN(primitive->bottom - y, RASTER_TILE_SIZE);
    int32_t step[3];
    unsigned count = 0;

    memcpy(step, primitive->small_edges.step, sizeof(step));
    for (int by = top & -BLOCK_SIZE; by < bottom; by += BLOCK_SIZE) {
        for (int bx = left & -BLOCK_SIZE; bx < right; bx += BLOCK_SIZE) {
            const uint64_t mask = small_block(primitive, step, x + bx, y + by);

            if (mask)
                out[count++] = (struct raster_cover){mask, bx, by};
        }
    }
    return count;
}
