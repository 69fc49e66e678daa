/* SPDX-License-Identifier: MIT */
/* Coverage of blocks by exact edges, and interpolation of depth and inputs. */
#include "raster/lanes.h"

/* Pixel offsets of a block's lanes in Morton order; the first 16 are those of a group. */
#define GROUP_X(o) o, o + 1, o, o + 1, o + 2, o + 3, o + 2, o + 3, o, o + 1, o, o + 1, o + 2, o + 3, o + 2, o + 3
#define GROUP_Y(o) o, o, o + 1, o + 1, o, o, o + 1, o + 1, o + 2, o + 2, o + 3, o + 3, o + 2, o + 2, o + 3, o + 3
static const float lane_x[RASTER_LANES] = {GROUP_X(0), GROUP_X(4), GROUP_X(0), GROUP_X(4)};
static const float lane_y[RASTER_LANES] = {GROUP_Y(0), GROUP_Y(0), GROUP_Y(4), GROUP_Y(4)};

/* --- coverage --------------------------------------------------------------------------- */

uint64_t KERNEL(raster_coverage_block)(const int32_t c[3], const int32_t dx[3], const int32_t dy[3],
                                       unsigned edge_mask)
{
    int32_t lane[3][G], step_x[3], step_y[3];
    uint64_t covered = 0;

    for (unsigned e = 0; e < 3; e++) {
        /* an edge that does not count is zero everywhere: inside */
        bool counts = edge_mask & (1u << e);
        int32_t ec = counts ? c[e] : 0, ex = counts ? dx[e] : 0, ey = counts ? dy[e] : 0;

        LANES
            lane[e][l] = ec - ey * raster_lane_x[l] + ex * raster_lane_y[l];
        step_x[e] = -ey * 4;
        step_y[e] = ex * 4;
    }
    for (unsigned g = 0; g < 4; g++) {
        int32_t gx = (int32_t)(g & 1), gy = (int32_t)(g >> 1), outside[G];
        int32_t s0 = step_x[0] * gx + step_y[0] * gy, s1 = step_x[1] * gx + step_y[1] * gy;
        int32_t s2 = step_x[2] * gx + step_y[2] * gy;

        LANES
            outside[l] = (lane[0][l] + s0) | (lane[1][l] + s1) | (lane[2][l] + s2);
        covered |= (uint64_t)(~sign_bits(outside) & 0xffff) << (g * G);
    }
    return covered;
}

/* --- interpolation ------------------------------------------------------------------------ */

void KERNEL(raster_interpolate_depth)(const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                      float *restrict z)
{
    const struct scene_plane4 *p = &primitive->depth;
    float ox = (float)x - primitive->reference_x + offset[0], oy = (float)y - primitive->reference_y + offset[1];
    float a = p->a[0], dx = p->dx[0], dy = p->dy[0];

    LANES
    {
        float v = a + (ox + lane_x[l]) * dx + (oy + lane_y[l]) * dy;

        v = v > 0.0f ? v : 0.0f;
        z[l] = v < 1.0f ? v : 1.0f;
    }
}

/* out = a + x dx + y dy, times w if it is a perspective input. */
static inline void plane_lanes(const struct scene_plane4 *plane, unsigned c, unsigned count, const float *restrict px,
                               const float *restrict py, const float *restrict w, float *restrict out)
{
    const float a = plane->a[c], dx = plane->dx[c], dy = plane->dy[c];

    if (w) {
        for (unsigned l = 0; l < count; l++)
            out[l] = (a + px[l] * dx + py[l] * dy) * w[l];
    } else {
        for (unsigned l = 0; l < count; l++)
            out[l] = a + px[l] * dx + py[l] * dy;
    }
}

/* Always inlined with a constant count, so that both sizes get loops of their own. */
static inline __attribute__((always_inline)) void interpolate_lanes(const struct scene_primitive *primitive, int x,
                                                                    int y, struct raster_batch *batch, unsigned lane,
                                                                    unsigned count)
{
    const struct raster_draw_state *state = primitive->state;
    const float fx = (float)x, fy = (float)y;
    const float ox = fx - primitive->reference_x, oy = fy - primitive->reference_y;
    float px[RASTER_LANES], py[RASTER_LANES], rhw[RASTER_LANES], w[RASTER_LANES];

    for (unsigned l = 0; l < count; l++) {
        px[l] = ox + lane_x[l];
        py[l] = oy + lane_y[l];
    }
    if (state->program_reads_position) {
        float *restrict out_x = &batch->x[lane], *restrict out_y = &batch->y[lane];

        for (unsigned l = 0; l < count; l++) {
            out_x[l] = fx + lane_x[l];
            out_y[l] = fy + lane_y[l];
        }
    }
    plane_lanes(&primitive->depth, 1, count, px, py, NULL, rhw);
    for (unsigned l = 0; l < count; l++)
        w[l] = 1.0f / rhw[l];
    memcpy(&batch->w[lane], w, count * sizeof(*w));
    for (unsigned i = 0; i < primitive->plane_count; i++) {
        const float *perspective = state->interpolation[i] == RASTER_PERSPECTIVE ? w : NULL;
        unsigned mask = state->input_mask[i];

        for (unsigned c = 0; c < 4; c++)
            if (mask & (1u << c))
                plane_lanes(&primitive->input[i], c, count, px, py, perspective, &batch->input[i][c][lane]);
    }
}

void KERNEL(raster_interpolate)(const struct scene_primitive *primitive, int x, int y, struct raster_batch *batch,
                                unsigned lane, unsigned count)
{
    if (count == RASTER_LANES)
        interpolate_lanes(primitive, x, y, batch, lane, RASTER_LANES);
    else
        interpolate_lanes(primitive, x, y, batch, lane, G);
}
