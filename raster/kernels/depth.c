/* SPDX-License-Identifier: MIT */
/* Depth and stencil tests of groups, in any state and format: the definition for kernels/depth_block.c. */
#include "raster/kernels/lanes.h"
#include "raster/format/texel.h"

#include <math.h>

/* The layout of depth and stencil in a word. */
struct depth_layout {
    unsigned depth_shift;
    bool floating; /* floats of 0..1 order like their bits */
    uint32_t depth_max, stencil_max;
};

static struct depth_layout depth_layout(enum raster_format format)
{
    switch (format) {
    case RASTER_FORMAT_D16:
        return (struct depth_layout){0, 0, 0xffff, 0};
    case RASTER_FORMAT_D15S1:
        return (struct depth_layout){1, 0, 0x7fff, 1};
    case RASTER_FORMAT_D24S8:
        return (struct depth_layout){8, 0, 0xffffff, 0xff};
    case RASTER_FORMAT_D24X4S4:
        return (struct depth_layout){8, 0, 0xffffff, 0x0f};
    case RASTER_FORMAT_D24X8:
        return (struct depth_layout){8, 0, 0xffffff, 0};
    case RASTER_FORMAT_D24FS8:
        return (struct depth_layout){8, true, 0xffffff, 0xff};
    case RASTER_FORMAT_D32F:
        return (struct depth_layout){0, true, 0xffffffff, 0};
    default:
        return (struct depth_layout){0, 0, 0xffffffff, 0};
    }
}

/* trunc(z (2^n - 1) + 1/2) in exact arithmetic. The bias keeps 32-bit depths in the range of int32. */
static void depth_to_int(const struct depth_layout *layout, const float *restrict z, uint32_t *restrict out)
{
    if (layout->floating && layout->depth_shift) {
        FOR_GROUP_LANES
            out[l] = texel_to_20e4(z[l]);
    } else if (layout->floating) {
        memcpy(out, z, GROUP_LANES * sizeof(*out));
    } else if (layout->depth_max == 0xffffffff) {
        FOR_GROUP_LANES
            out[l] = (uint32_t)(int32_t)floor((double)z[l] * 4294967295.0 + 0.5 - 2147483648.0) ^ 0x80000000u;
    } else {
        double max = layout->depth_max;

        FOR_GROUP_LANES
            out[l] = (uint32_t)(int32_t)((double)z[l] * max + 0.5);
    }
}

/* Applies a stencil operation to each lane's value. */
static void stencil_op(unsigned op, const uint32_t *restrict s, uint32_t ref, uint32_t max, uint32_t *restrict out)
{
    switch (op) {
    case RASTER_ZERO:
        FOR_GROUP_LANES
            out[l] = 0;
        break;
    case RASTER_REPLACE:
        FOR_GROUP_LANES
            out[l] = ref;
        break;
    case RASTER_INCR_SAT:
        FOR_GROUP_LANES
            out[l] = s[l] < max ? s[l] + 1 : max;
        break;
    case RASTER_DECR_SAT:
        FOR_GROUP_LANES
            out[l] = s[l] ? s[l] - 1 : 0;
        break;
    case RASTER_INVERT:
        FOR_GROUP_LANES
            out[l] = ~s[l] & max;
        break;
    case RASTER_INCR:
        FOR_GROUP_LANES
            out[l] = (s[l] + 1) & max;
        break;
    default: /* RASTER_DECR */
        FOR_GROUP_LANES
            out[l] = (s[l] - 1) & max;
        break;
    }
}

/* Replaces the stencil values of the lanes in `lanes`; false if there is nothing to replace. */
static inline bool stencil_update(const struct raster_stencil *st, unsigned op, uint32_t max, uint32_t lanes,
                                  uint32_t *s)
{
    uint32_t write = st->write_mask & max, fresh[GROUP_LANES], select[GROUP_LANES];

    if (op == RASTER_KEEP || !lanes || !write)
        return false;
    stencil_op(op, s, st->ref & max, max, fresh);
    lane_select(lanes, select);
    FOR_GROUP_LANES {
        uint32_t take = select[l] & write;

        s[l] = (s[l] & ~take) | (fresh[l] & take);
    }
    return true;
}

/* The common case: 24 bits of depth above 8 others, no stencil, the whole group on the surface. */
static inline __attribute__((always_inline)) uint32_t depth_24(const struct raster_draw_state *state, unsigned func,
                                                               uint8_t *p, size_t pitch, const float *restrict z,
                                                               uint32_t mask)
{
    uint32_t word[GROUP_LANES], stored[GROUP_LANES], value[GROUP_LANES];

    load_pixels(p, pitch, word);
    FOR_GROUP_LANES {
        value[l] = (uint32_t)(int32_t)((double)z[l] * 16777215.0 + 0.5);
        stored[l] = word[l] >> 8;
    }
    uint32_t pass = mask & compare_lanes(func, value, stored);
    if (pass && state->depth_write) {
        uint32_t select[GROUP_LANES];

        lane_select(pass, select);
        FOR_GROUP_LANES
            word[l] = (word[l] & ~(select[l] & 0xffffff00u)) | (value[l] << 8 & select[l]);
        store_pixels(p, pitch, word);
    }
    return pass;
}

static bool is_depth_24(enum raster_format format)
{
    return format == RASTER_FORMAT_D24S8 || format == RASTER_FORMAT_D24X8 || format == RASTER_FORMAT_D24X4S4;
}

/* Any format, any state. With a constant layout the compiler keeps only the code of that format. */
static inline __attribute__((always_inline)) uint32_t depth_group(const struct raster_draw_state *state,
                                                                  const struct raster_surface *depth,
                                                                  const struct depth_layout *layout, unsigned bytes,
                                                                  int x, int y, const float *z, uint32_t mask,
                                                                  bool front_facing)
{
    const struct raster_stencil *st =
        state->two_sided_stencil && !front_facing ? &state->stencil_back : &state->stencil;
    bool stencil = st->enable && layout->stencil_max, stencil_changed = false;
    uint32_t word[GROUP_LANES], stored[GROUP_LANES], value[GROUP_LANES], s[GROUP_LANES], select[GROUP_LANES];
    uint32_t stencil_pass = mask, pass;

    if (!mask)
        return 0;
    load_group(depth, bytes, x, y, mask, word);
    depth_to_int(layout, z, value);
    if (stencil) {
        uint32_t ref[GROUP_LANES], masked[GROUP_LANES];

        FOR_GROUP_LANES {
            s[l] = word[l] & layout->stencil_max;
            ref[l] = st->ref & st->mask & layout->stencil_max;
            masked[l] = s[l] & st->mask;
        }
        stencil_pass = mask & compare_lanes(st->func, ref, masked);
    }
    pass = stencil_pass;
    if (state->depth_test) {
        FOR_GROUP_LANES
            stored[l] = word[l] >> layout->depth_shift;
        if (layout->floating && !layout->depth_shift)
            FOR_GROUP_LANES /* a lock may have left negative values */
                stored[l] = stored[l] >> 31 ? 0 : stored[l];
        pass &= compare_lanes(state->depth_func, value, stored);
    }
    if (stencil) {
        stencil_changed = stencil_update(st, st->fail, layout->stencil_max, mask & ~stencil_pass, s);
        stencil_changed |= stencil_update(st, st->zfail, layout->stencil_max, stencil_pass & ~pass, s);
        stencil_changed |= stencil_update(st, st->pass, layout->stencil_max, pass, s);
        FOR_GROUP_LANES
            word[l] = (word[l] & ~layout->stencil_max) | s[l];
    }
    bool write_depth = state->depth_test && state->depth_write && pass;
    if (write_depth) {
        uint32_t keep = ~(layout->depth_max << layout->depth_shift);

        lane_select(pass, select);
        FOR_GROUP_LANES {
            uint32_t fresh = (word[l] & keep) | value[l] << layout->depth_shift;

            word[l] = (word[l] & ~select[l]) | (fresh & select[l]);
        }
    }
    if (write_depth || stencil_changed)
        store_group(depth, bytes, x, y, mask, word);
    return pass;
}

/* 24 bits of depth, 8 of stencil. */
static uint32_t depth_24s8(const struct raster_draw_state *state, const struct raster_surface *depth, int x, int y,
                           const float *z, uint32_t mask, bool front_facing)
{
    const struct depth_layout layout = {8, false, 0xffffff, 0xff};

    return depth_group(state, depth, &layout, 4, x, y, z, mask, front_facing);
}

/* The lanes whose stored depth lies within the bounds, which are rounded like depths. */
static uint32_t within_bounds(const struct raster_draw_state *state, const struct raster_surface *depth, int x, int y,
                              uint32_t mask)
{
    const struct depth_layout layout = depth_layout(depth->format);
    uint32_t word[GROUP_LANES], stored[GROUP_LANES], low[GROUP_LANES], high[GROUP_LANES];
    float min[GROUP_LANES], max[GROUP_LANES];

    FOR_GROUP_LANES {
        min[l] = saturate(state->bounds_min);
        max[l] = saturate(state->bounds_max);
    }
    depth_to_int(&layout, min, low);
    depth_to_int(&layout, max, high);
    load_group(depth, raster_format_info(depth->format)->block_bytes, x, y, mask, word);
    FOR_GROUP_LANES
        stored[l] = word[l] >> layout.depth_shift & layout.depth_max;
    return mask & compare_lanes(RASTER_GEQUAL, stored, low) & compare_lanes(RASTER_LEQUAL, stored, high);
}

uint32_t KERNEL(raster_depth_stencil)(const struct raster_draw_state *state, const struct raster_surface *depth, int x,
                                      int y, const float *z, uint32_t mask, bool front_facing)
{
    if (state->depth_bounds)
        mask = within_bounds(state, depth, x, y, mask);
    if (!state->stencil.enable && !state->two_sided_stencil && state->depth_test && is_depth_24(depth->format) &&
        group_inside(depth, x, y))
        return depth_24(state, state->depth_func, depth->pixels + (size_t)y * depth->pitch + (size_t)x * 4,
                        depth->pitch, z, mask);
    if (depth->format == RASTER_FORMAT_D24S8)
        return depth_24s8(state, depth, x, y, z, mask, front_facing);

    const struct depth_layout layout = depth_layout(depth->format);
    return depth_group(state, depth, &layout, raster_format_info(depth->format)->block_bytes, x, y, z, mask,
                       front_facing);
}
