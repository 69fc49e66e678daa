/* SPDX-License-Identifier: MIT */
/*
 * Coverage, interpolation, depth and stencil, fog, alpha test, blending: the pixel side of the
 * table in raster/kernels.h. Compiled once per CPU level (KERNEL_LEVEL); the loops run over 16 lanes and are
 * left to the compiler's vectorizer, which keeps IEEE results (-ffp-contract=off), so the bits do not
 * depend on the level. Only the gathering of sign bits is written per level.
 */
#include "raster/kernels.h"
#include "raster/texel.h"

#include <math.h>
#include <string.h>
#if KERNEL_LEVEL > 0
#include <immintrin.h>
#endif

#define LANES for (unsigned l = 0; l < G; l++)

/* Pixel offsets of a block's lanes in Morton order; the first 16 are those of a group. */
#define GROUP_X(o) o, o + 1, o, o + 1, o + 2, o + 3, o + 2, o + 3, o, o + 1, o, o + 1, o + 2, o + 3, o + 2, o + 3
#define GROUP_Y(o) o, o, o + 1, o + 1, o, o, o + 1, o + 1, o + 2, o + 2, o + 3, o + 3, o + 2, o + 2, o + 3, o + 3
static const float lane_x[RASTER_LANES] = {GROUP_X(0), GROUP_X(4), GROUP_X(0), GROUP_X(4)};
static const float lane_y[RASTER_LANES] = {GROUP_Y(0), GROUP_Y(0), GROUP_Y(4), GROUP_Y(4)};

/* Bit l of the result is the sign bit of v[l]. */
static inline uint32_t sign_bits(const int32_t v[G])
{
#if KERNEL_LEVEL == 3
    return _mm512_movepi32_mask(_mm512_loadu_si512(v));
#elif KERNEL_LEVEL == 2
    __m256i lo = _mm256_loadu_si256((const __m256i *)v), hi = _mm256_loadu_si256((const __m256i *)(v + 8));

    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(lo)) |
           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(hi)) << 8;
#elif KERNEL_LEVEL == 1
    uint32_t bits = 0;

    for (unsigned i = 0; i < 4; i++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(v + 4 * i)))) << (4 * i);
    return bits;
#else
    uint32_t bits = 0;

    LANES
        bits |= ((uint32_t)v[l] >> 31) << l;
    return bits;
#endif
}

/* --- coverage --------------------------------------------------------------------------- */

static uint64_t coverage_block(const int32_t c[3], const int32_t dx[3], const int32_t dy[3], unsigned edge_mask)
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

static void interpolate_depth(const struct scene_primitive *primitive, int x, int y, const float offset[2],
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

static void interpolate(const struct scene_primitive *primitive, int x, int y, struct raster_batch *batch,
                        unsigned lane, unsigned count)
{
    if (count == RASTER_LANES)
        interpolate_lanes(primitive, x, y, batch, lane, RASTER_LANES);
    else
        interpolate_lanes(primitive, x, y, batch, lane, G);
}

/* --- target access ---------------------------------------------------------------------------- */

/* Does the whole 4x4 group lie on the surface? */
static inline bool group_inside(const struct raster_surface *s, int x, int y)
{
    return (unsigned)x + 4 <= s->width && (unsigned)y + 4 <= s->height;
}

/* Four rows of four 32-bit pixels to lanes and back, in whole vectors: narrower pieces would make the next load of
 * the lanes wait for them. Lanes 2, 3 and 4, 5 of each eight change places, both ways. */
#if KERNEL_LEVEL >= 2
static inline __m256i load_rows(const uint8_t *p, size_t pitch)
{
    __m128i upper = _mm_loadu_si128((const __m128i *)p), lower = _mm_loadu_si128((const __m128i *)(p + pitch));

    return _mm256_permute4x64_epi64(_mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1), 0xd8);
}
static inline void store_rows(uint8_t *p, size_t pitch, __m256i lanes)
{
    __m256i rows = _mm256_permute4x64_epi64(lanes, 0xd8);

    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(rows));
    _mm_storeu_si128((__m128i *)(p + pitch), _mm256_extracti128_si256(rows, 1));
}
static inline void load_pixels(const uint8_t *p, size_t pitch, uint32_t *v)
{
    _mm256_storeu_si256((__m256i *)v, load_rows(p, pitch));
    _mm256_storeu_si256((__m256i *)(v + 8), load_rows(p + 2 * pitch, pitch));
}
static inline void store_pixels(uint8_t *p, size_t pitch, const uint32_t *v)
{
    store_rows(p, pitch, _mm256_loadu_si256((const __m256i *)v));
    store_rows(p + 2 * pitch, pitch, _mm256_loadu_si256((const __m256i *)(v + 8)));
}
#else
static inline void load_pixels(const uint8_t *p, size_t pitch, uint32_t *v)
{
    for (unsigned row = 0; row < 4; row++, p += pitch) {
        unsigned first = (row & 1) * 2 + (row & 2) * 4;

        memcpy(&v[first], p, 8);
        memcpy(&v[first + 4], p + 8, 8);
    }
}
static inline void store_pixels(uint8_t *p, size_t pitch, const uint32_t *v)
{
    for (unsigned row = 0; row < 4; row++, p += pitch) {
        unsigned first = (row & 1) * 2 + (row & 2) * 4;

        memcpy(p, &v[first], 8);
        memcpy(p + 8, &v[first + 4], 8);
    }
}
#endif

static void load_group(const struct raster_surface *s, unsigned bytes, int x, int y, uint32_t mask,
                       uint32_t *restrict v)
{
    const uint8_t *p = s->pixels + (size_t)y * s->pitch + (size_t)x * bytes;

    if (group_inside(s, x, y) && bytes == 4) {
        load_pixels(p, s->pitch, v);
        return;
    }
    LANES
    {
        v[l] = 0;
        if (mask & (1u << l)) {
            const uint8_t *q = p + (size_t)raster_lane_y[l] * s->pitch + (size_t)raster_lane_x[l] * bytes;

            if (bytes == 4) {
                memcpy(&v[l], q, 4);
            } else {
                uint16_t half;

                memcpy(&half, q, 2);
                v[l] = half;
            }
        }
    }
}

/* Stores the lanes in mask. `v` of the other lanes must be what load_group gave. */
static void store_group(const struct raster_surface *s, unsigned bytes, int x, int y, uint32_t mask,
                        const uint32_t *restrict v)
{
    uint8_t *p = s->pixels + (size_t)y * s->pitch + (size_t)x * bytes;

    if (group_inside(s, x, y) && bytes == 4) {
        store_pixels(p, s->pitch, v);
        return;
    }
    LANES
    {
        uint8_t *q = p + (size_t)raster_lane_y[l] * s->pitch + (size_t)raster_lane_x[l] * bytes;

        if (!(mask & (1u << l)))
            continue;
        if (bytes == 4) {
            memcpy(q, &v[l], 4);
        } else {
            uint16_t half = (uint16_t)v[l];

            memcpy(q, &half, 2);
        }
    }
}

/* All ones in the lanes of mask. */
static inline void lane_select(uint32_t mask, uint32_t select[G])
{
    LANES
        select[l] = 0u - ((mask >> l) & 1u);
}

/* --- depth and stencil -------------------------------------------------------------------------- */

/* How depth and stencil sit in a word. */
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
        LANES
            out[l] = texel_to_20e4(z[l]);
    } else if (layout->floating) {
        memcpy(out, z, G * sizeof(*out));
    } else if (layout->depth_max == 0xffffffff) {
        LANES
            out[l] = (uint32_t)(int32_t)floor((double)z[l] * 4294967295.0 + 0.5 - 2147483648.0) ^ 0x80000000u;
    } else {
        double max = layout->depth_max;

        LANES
            out[l] = (uint32_t)(int32_t)((double)z[l] * max + 0.5);
    }
}

/* Lanes for which `a func b`. */
static uint32_t compare_lanes(unsigned func, const uint32_t *restrict a, const uint32_t *restrict b)
{
    int32_t less = -(int32_t)(func & 1), equal = -(int32_t)(func >> 1 & 1), greater = -(int32_t)(func >> 2 & 1);
    int32_t pass[G];

    if (func == RASTER_ALWAYS)
        return 0xffff;
    LANES
        pass[l] = (a[l] < b[l] ? less : 0) | (a[l] == b[l] ? equal : 0) | (a[l] > b[l] ? greater : 0);
    return sign_bits(pass);
}

/* What an operation makes of each lane's stencil value. */
static void stencil_op(unsigned op, const uint32_t *restrict s, uint32_t ref, uint32_t max, uint32_t *restrict out)
{
    switch (op) {
    case RASTER_ZERO:
        LANES
            out[l] = 0;
        break;
    case RASTER_REPLACE:
        LANES
            out[l] = ref;
        break;
    case RASTER_INCR_SAT:
        LANES
            out[l] = s[l] < max ? s[l] + 1 : max;
        break;
    case RASTER_DECR_SAT:
        LANES
            out[l] = s[l] ? s[l] - 1 : 0;
        break;
    case RASTER_INVERT:
        LANES
            out[l] = ~s[l] & max;
        break;
    case RASTER_INCR:
        LANES
            out[l] = (s[l] + 1) & max;
        break;
    default: /* RASTER_DECR */
        LANES
            out[l] = (s[l] - 1) & max;
        break;
    }
}

/* Replaces the stencil values of the lanes in `lanes`; false if there is nothing to replace. */
static bool stencil_update(const struct raster_stencil *st, unsigned op, uint32_t max, uint32_t lanes, uint32_t *s)
{
    uint32_t write = st->write_mask & max, fresh[G], select[G];

    if (op == RASTER_KEEP || !lanes || !write)
        return false;
    stencil_op(op, s, st->ref & max, max, fresh);
    lane_select(lanes, select);
    LANES
    {
        uint32_t take = select[l] & write;

        s[l] = (s[l] & ~take) | (fresh[l] & take);
    }
    return true;
}

/* The common case of depth_stencil: 24 bits of depth above 8 others, no stencil, the whole group on the surface. */
static uint32_t depth_24(const struct raster_draw_state *state, const struct raster_surface *depth, int x, int y,
                         const float *restrict z, uint32_t mask)
{
    uint8_t *p = depth->pixels + (size_t)y * depth->pitch + (size_t)x * 4;
    uint32_t word[G], stored[G], value[G];

    load_pixels(p, depth->pitch, word);
    LANES
    {
        value[l] = (uint32_t)(int32_t)((double)z[l] * 16777215.0 + 0.5);
        stored[l] = word[l] >> 8;
    }
    uint32_t pass = mask & compare_lanes(state->depth_func, value, stored);
    if (pass && state->depth_write) {
        uint32_t select[G];

        lane_select(pass, select);
        LANES
            word[l] = (word[l] & ~(select[l] & 0xffffff00u)) | (value[l] << 8 & select[l]);
        store_pixels(p, depth->pitch, word);
    }
    return pass;
}

static bool is_depth_24(enum raster_format format)
{
    return format == RASTER_FORMAT_D24S8 || format == RASTER_FORMAT_D24X8 || format == RASTER_FORMAT_D24X4S4;
}

static uint32_t depth_stencil(const struct raster_draw_state *state, const struct raster_surface *depth, int x, int y,
                              const float *z, uint32_t mask, bool front_facing)
{
    if (!state->stencil.enable && !state->two_sided_stencil && state->depth_test && is_depth_24(depth->format) &&
        group_inside(depth, x, y))
        return depth_24(state, depth, x, y, z, mask);

    struct depth_layout layout = depth_layout(depth->format);
    unsigned bytes = raster_format_info(depth->format)->block_bytes;
    const struct raster_stencil *st =
        state->two_sided_stencil && !front_facing ? &state->stencil_back : &state->stencil;
    bool stencil = st->enable && layout.stencil_max, stencil_changed = false;
    uint32_t word[G], stored[G], value[G], s[G], select[G];
    uint32_t stencil_pass = mask, pass;

    if (!mask)
        return 0;
    load_group(depth, bytes, x, y, mask, word);
    depth_to_int(&layout, z, value);
    if (stencil) {
        uint32_t ref[G], masked[G];

        LANES
        {
            s[l] = word[l] & layout.stencil_max;
            ref[l] = st->ref & st->mask & layout.stencil_max;
            masked[l] = s[l] & st->mask;
        }
        stencil_pass = mask & compare_lanes(st->func, ref, masked);
    }
    pass = stencil_pass;
    if (state->depth_test) {
        LANES
            stored[l] = word[l] >> layout.depth_shift;
        if (layout.floating && !layout.depth_shift) {
            LANES /* what a lock left there may be negative */
                stored[l] = stored[l] >> 31 ? 0 : stored[l];
        }
        pass &= compare_lanes(state->depth_func, value, stored);
    }
    if (stencil) {
        stencil_changed = stencil_update(st, st->fail, layout.stencil_max, mask & ~stencil_pass, s);
        stencil_changed |= stencil_update(st, st->zfail, layout.stencil_max, stencil_pass & ~pass, s);
        stencil_changed |= stencil_update(st, st->pass, layout.stencil_max, pass, s);
        LANES
            word[l] = (word[l] & ~layout.stencil_max) | s[l];
    }
    bool write_depth = state->depth_test && state->depth_write && pass;
    if (write_depth) {
        uint32_t keep = ~(layout.depth_max << layout.depth_shift);

        lane_select(pass, select);
        LANES
        {
            uint32_t fresh = (word[l] & keep) | value[l] << layout.depth_shift;

            word[l] = (word[l] & ~select[l]) | (fresh & select[l]);
        }
    }
    if (write_depth || stencil_changed)
        store_group(depth, bytes, x, y, mask, word);
    return pass;
}

/* --- fog -------------------------------------------------------------------------------------- */

/* 2^x for -126 <= x <= 0, relative error below 2^-17. */
static inline float exp2_negative(float x)
{
    float whole = floorf(x + 0.5f), f = x - whole;
    float p = 1.0f + f * (0.69314718f + f * (0.24022651f + f * (0.05550410f + f * (0.00961813f + f * 0.00133336f))));
    int32_t bits = ((int32_t)whole + 127) * (1 << 23);
    float scale;

    memcpy(&scale, &bits, sizeof(scale));
    return p * scale;
}

/* Factors of a group for fog from a coordinate (depth or eye w). Source: reference raster.md 6. */
static void fog_factors(const struct raster_draw_state *state, const float *restrict d, float *restrict f)
{
    const float log2_e = 1.44269504f;
    float start = state->fog_start, end = state->fog_end, density = state->fog_density;

    if (state->fog_mode == RASTER_FOG_LINEAR && start == end) {
        LANES
            f[l] = d[l] < start ? 1.0f : 0.0f;
        return;
    }
    if (state->fog_mode == RASTER_FOG_LINEAR) {
        float scale = 1.0f / (end - start);

        LANES
            f[l] = (end - d[l]) * scale;
        return;
    }
    bool squared = state->fog_mode == RASTER_FOG_EXP2;
    LANES
    {
        float t = d[l] * density;

        t = -(squared ? t * t : t) * log2_e;
        t = t < 0.0f ? t : 0.0f;
        f[l] = t > -126.0f ? exp2_negative(t > -126.0f ? t : -126.0f) : 0.0f;
    }
}

static inline float saturate(float v)
{
    v = v > 0.0f ? v : 0.0f;
    return v < 1.0f ? v : 1.0f;
}

/* rgb = f rgb + (1 - f) fog colour; alpha stays. */
static void fog(const struct raster_draw_state *state, struct raster_batch *batch)
{
    const float *coordinate = state->fog_from_w ? batch->w : batch->z;

    for (unsigned first = 0; first < batch->group_count * G; first += G) {
        const float *from = &batch->input[state->fog_input][0][first];
        float f[G];

        if (state->fog_mode != RASTER_FOG_VERTEX) {
            fog_factors(state, coordinate + first, f);
            from = f;
        }
        for (unsigned c = 0; c < 3; c++) {
            float *restrict color = &batch->color[0][c][first];
            float fog_color = state->fog_color[c];

            LANES
            {
                float k = saturate(from[l]);

                color[l] = k * saturate(color[l]) + (1.0f - k) * fog_color;
            }
        }
    }
}

/* --- alpha test ------------------------------------------------------------------------------------ */

static void alpha_test(const struct raster_draw_state *state, struct raster_batch *batch)
{
    for (unsigned g = 0; g < batch->group_count; g++) {
        const float *alpha = &batch->color[0][3][g * G];
        uint32_t value[G], ref[G];

        LANES
        {
            float a = alpha[l] > 0.0f ? alpha[l] : 0.0f;

            a = a < 1.0f ? a : 1.0f;
            value[l] = (uint32_t)(int32_t)(a * 255.0f + 0.5f);
            ref[l] = state->alpha_ref;
        }
        uint64_t pass = compare_lanes(state->alpha_func, value, ref);
        batch->covered &= pass << (g * G) | ~(UINT64_C(0xffff) << (g * G));
    }
}

/* --- blending ------------------------------------------------------------------------------------------ */

struct group_color {
    float c[4][G];
};

static void unpack(const struct raster_format_info *info, const uint32_t *restrict v, struct group_color *out)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t max = (1u << info->bits[c]) - 1;
        unsigned shift = info->shift[c];

        if (!max) {
            LANES
                out->c[c][l] = 1.0f;
            continue;
        }
        float scale = 1.0f / (float)max;
        LANES
            out->c[c][l] = (float)(int32_t)((v[l] >> shift) & max) * scale;
    }
}

/* Stores trunc(c (2^n - 1) + 1/2) of the channels in write_mask over the words in v. */
static void pack(const struct raster_format_info *info, const struct group_color *color, unsigned write_mask,
                 uint32_t *restrict v)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t max = (1u << info->bits[c]) - 1;
        unsigned shift = info->shift[c];

        if (!max || !(write_mask & (1u << c)))
            continue;
        uint32_t keep = ~(max << shift);
        float scale = (float)max;
        LANES
            v[l] = (v[l] & keep) | (uint32_t)(int32_t)(color->c[c][l] * scale + 0.5f) << shift;
    }
}

static void load_color(const struct raster_batch *batch, unsigned index, unsigned lane, struct group_color *color)
{
    for (unsigned c = 0; c < 4; c++) {
        const float *restrict in = &batch->color[index][c][lane];

        LANES
        {
            float v = in[l] > 0.0f ? in[l] : 0.0f;

            color->c[c][l] = v < 1.0f ? v : 1.0f;
        }
    }
}

/* The factor of channel c for one blend input. */
static void blend_factor(unsigned factor, unsigned c, const struct raster_blend *blend, const struct group_color *src,
                         const struct group_color *dst, float *restrict f)
{
    const float *from = NULL;
    bool invert = false;

    switch (factor) {
    case RASTER_BLEND_ZERO:
    case RASTER_BLEND_ONE:
        LANES
            f[l] = factor == RASTER_BLEND_ONE ? 1.0f : 0.0f;
        return;
    case RASTER_BLEND_CONST_COLOR:
    case RASTER_BLEND_INV_CONST_COLOR:
        LANES
            f[l] = factor == RASTER_BLEND_CONST_COLOR ? blend->constant[c] : 1.0f - blend->constant[c];
        return;
    case RASTER_BLEND_SRC_ALPHA_SAT:
        LANES
        {
            float inverse = 1.0f - dst->c[3][l];

            f[l] = c == 3 ? 1.0f : src->c[3][l] < inverse ? src->c[3][l] : inverse;
        }
        return;
    case RASTER_BLEND_INV_SRC_COLOR:
        invert = true; /* fall through */
    case RASTER_BLEND_SRC_COLOR:
        from = src->c[c];
        break;
    case RASTER_BLEND_INV_SRC_ALPHA:
    case RASTER_BLEND_BOTH_INV_SRC_ALPHA:
        invert = true; /* fall through */
    case RASTER_BLEND_SRC_ALPHA:
    case RASTER_BLEND_BOTH_SRC_ALPHA:
        from = src->c[3];
        break;
    case RASTER_BLEND_INV_DST_ALPHA:
        invert = true; /* fall through */
    case RASTER_BLEND_DST_ALPHA:
        from = dst->c[3];
        break;
    case RASTER_BLEND_INV_DST_COLOR:
        invert = true; /* fall through */
    default:
        from = dst->c[c];
        break;
    }
    if (invert) {
        LANES
            f[l] = 1.0f - from[l];
    } else {
        LANES
            f[l] = from[l];
    }
}

static void blend_channel(const struct raster_blend *blend, unsigned c, unsigned src_factor, unsigned dst_factor,
                          unsigned op, bool clamped, const struct group_color *src, const struct group_color *dst,
                          float *restrict out)
{
    float sf[G], df[G];
    const float *restrict s = src->c[c], *restrict d = dst->c[c];

    if (op == RASTER_BLEND_MIN || op == RASTER_BLEND_MAX) {
        LANES
            out[l] = (s[l] < d[l]) == (op == RASTER_BLEND_MIN) ? s[l] : d[l];
        return;
    }
    blend_factor(src_factor, c, blend, src, dst, sf);
    blend_factor(dst_factor, c, blend, src, dst, df);
    float src_sign = op == RASTER_BLEND_REVSUBTRACT ? -1.0f : 1.0f;
    float dst_sign = op == RASTER_BLEND_SUBTRACT ? -1.0f : 1.0f;
    if (!clamped) {
        LANES
            out[l] = s[l] * sf[l] * src_sign + d[l] * df[l] * dst_sign;
        return;
    }
    LANES
    {
        float v = s[l] * sf[l] * src_sign + d[l] * df[l] * dst_sign;

        v = v > 0.0f ? v : 0.0f;
        out[l] = v < 1.0f ? v : 1.0f;
    }
}

/* BOTHSRCALPHA and BOTHINVSRCALPHA set the destination's factor too. */
static unsigned destination_factor(unsigned src, unsigned dst)
{
    if (src == RASTER_BLEND_BOTH_SRC_ALPHA)
        return RASTER_BLEND_INV_SRC_ALPHA;
    if (src == RASTER_BLEND_BOTH_INV_SRC_ALPHA)
        return RASTER_BLEND_SRC_ALPHA;
    return dst;
}

/* 8888 words of a group, channels clamped and rounded as load_color and pack do it, in one pass. */
static void pack_8888(const struct raster_batch *batch, unsigned index, unsigned lane, uint32_t alpha_mask,
                      uint32_t *restrict v)
{
    const float *restrict r = &batch->color[index][0][lane], *restrict g = &batch->color[index][1][lane];
    const float *restrict b = &batch->color[index][2][lane], *restrict a = &batch->color[index][3][lane];

    LANES
    {
        int32_t red = (int32_t)(saturate(r[l]) * 255.0f + 0.5f), green = (int32_t)(saturate(g[l]) * 255.0f + 0.5f);
        int32_t blue = (int32_t)(saturate(b[l]) * 255.0f + 0.5f), alpha = (int32_t)(saturate(a[l]) * 255.0f + 0.5f);

        v[l] = ((uint32_t)alpha << 24 & alpha_mask) | (uint32_t)(red << 16 | green << 8 | blue);
    }
}

/* Nothing of the target shows through and nothing is kept: the common case of opaque surfaces. */
static bool store_opaque(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                         int x, int y, const struct raster_batch *batch, unsigned lane, uint32_t mask)
{
    uint32_t word[G];
    bool alpha = target->format == RASTER_FORMAT_A8R8G8B8;

    if (mask != 0xffff || state->blend.enable || state->color_write_mask[index] != 0xf ||
        (!alpha && target->format != RASTER_FORMAT_X8R8G8B8))
        return false;
    pack_8888(batch, index, lane, alpha ? 0xff000000u : 0, word);
    store_group(target, 4, x, y, mask, word);
    return true;
}

/* A blend factor of one channel. With constant `factor` the compiler keeps one case. */
static inline __attribute__((always_inline)) float factor_of(unsigned factor, float s, float sa, float d, float da)
{
    switch (factor) {
    case RASTER_BLEND_ZERO:
        return 0.0f;
    case RASTER_BLEND_ONE:
        return 1.0f;
    case RASTER_BLEND_SRC_COLOR:
        return s;
    case RASTER_BLEND_INV_SRC_COLOR:
        return 1.0f - s;
    case RASTER_BLEND_SRC_ALPHA:
        return sa;
    case RASTER_BLEND_INV_SRC_ALPHA:
        return 1.0f - sa;
    case RASTER_BLEND_DST_ALPHA:
        return da;
    case RASTER_BLEND_INV_DST_ALPHA:
        return 1.0f - da;
    case RASTER_BLEND_DST_COLOR:
        return d;
    default:
        return 1.0f - d;
    }
}

static inline __attribute__((always_inline)) uint32_t blend_add_channel(unsigned sf, unsigned df, float s, float sa,
                                                                        float d, float da)
{
    float v = s * factor_of(sf, s, sa, d, da) + d * factor_of(df, s, sa, d, da);

    return (uint32_t)(int32_t)(saturate(v) * 255.0f + 0.5f);
}

/* Blends a group into 8888 words: what the general path does, in one loop. alpha_mask: all ones where the format has
 * an alpha channel. */
static inline __attribute__((always_inline)) void blend_8888(unsigned sf, unsigned df, const struct group_color *src,
                                                             uint32_t alpha_mask, const uint32_t *restrict old,
                                                             uint32_t *restrict word)
{
    const float scale = 1.0f / 255.0f;

    LANES
    {
        uint32_t v = old[l] | (~alpha_mask & 0xff000000u); /* a missing alpha reads as 1 */
        float sr = src->c[0][l], sg = src->c[1][l], sb = src->c[2][l], sa = src->c[3][l];
        float dr = (float)(int32_t)(v >> 16 & 255) * scale, dg = (float)(int32_t)(v >> 8 & 255) * scale;
        float db = (float)(int32_t)(v & 255) * scale, da = (float)(int32_t)(v >> 24) * scale;
        uint32_t rgb = blend_add_channel(sf, df, sr, sa, dr, da) << 16 | blend_add_channel(sf, df, sg, sa, dg, da) << 8 |
                       blend_add_channel(sf, df, sb, sa, db, da);

        word[l] = (blend_add_channel(sf, df, sa, sa, da, da) << 24 & alpha_mask) | rgb;
    }
}

#define FACTORS(s, d) ((unsigned)(s) << 8 | (unsigned)(d))
#define BLEND_CASE(s, d)                                                                                               \
    case FACTORS(RASTER_BLEND_##s, RASTER_BLEND_##d):                                                                  \
        blend_8888(RASTER_BLEND_##s, RASTER_BLEND_##d, src, alpha_mask, old, word);                                    \
        return true

/* The blends that programs use most, for 8888 targets. False: take the general path. */
static bool blend_common(const struct raster_blend *blend, const struct group_color *src, uint32_t alpha_mask,
                         const uint32_t *old, uint32_t *word)
{
    if (blend->op_color != RASTER_BLEND_ADD || blend->op_alpha != RASTER_BLEND_ADD ||
        blend->src_alpha != blend->src_color || blend->dst_alpha != blend->dst_color)
        return false;
    switch (FACTORS(blend->src_color, blend->dst_color)) {
        BLEND_CASE(SRC_ALPHA, INV_SRC_ALPHA);
        BLEND_CASE(SRC_ALPHA, ONE);
        BLEND_CASE(ONE, ONE);
        BLEND_CASE(ONE, INV_SRC_ALPHA);
        BLEND_CASE(ONE, INV_SRC_COLOR);
        BLEND_CASE(DST_COLOR, ZERO);
        BLEND_CASE(ZERO, SRC_COLOR);
        BLEND_CASE(DST_COLOR, SRC_COLOR);
    default:
        return false;
    }
}

static bool store_blended(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                          int x, int y, uint32_t mask, const struct group_color *src)
{
    bool alpha = target->format == RASTER_FORMAT_A8R8G8B8;
    uint32_t old[G], word[G];

    if (!state->blend.enable || state->color_write_mask[index] != 0xf ||
        (!alpha && target->format != RASTER_FORMAT_X8R8G8B8))
        return false;
    load_group(target, 4, x, y, mask, old);
    if (!blend_common(&state->blend, src, alpha ? 0xff000000u : 0, old, word))
        return false;
    if (mask != 0xffff) {
        uint32_t select[G];

        lane_select(mask, select);
        LANES
            word[l] = (old[l] & ~select[l]) | (word[l] & select[l]);
    }
    store_group(target, 4, x, y, mask, word);
    return true;
}

/* color = the blend of it and what is in the target. clamped: results stay in 0..1. */
static void blend_group(const struct raster_blend *blend, bool clamped, const struct group_color *dst,
                        struct group_color *color)
{
    struct group_color result;

    for (unsigned c = 0; c < 4; c++) {
        unsigned sf = c < 3 ? blend->src_color : blend->src_alpha;
        unsigned df = destination_factor(sf, c < 3 ? blend->dst_color : blend->dst_alpha);

        blend_channel(blend, c, sf, df, c < 3 ? blend->op_color : blend->op_alpha, clamped, color, dst, result.c[c]);
    }
    *color = result;
}

/* --- wide targets ---------------------------------------------------------------------------------- */

/* Texels of a group: the words of each lane. */
typedef uint32_t wide_words[G][RASTER_TEXEL_BYTES / 4];

static uint8_t *wide_texel(const struct raster_surface *s, unsigned bytes, int x, int y, unsigned l)
{
    return s->pixels + (size_t)(y + raster_lane_y[l]) * s->pitch + (size_t)(x + raster_lane_x[l]) * bytes;
}

/* Bits of channel c from the lanes' words to floats; absent channels are 1. */
static void unpack_wide(const struct raster_format_info *info, unsigned c, wide_words words, float *restrict out)
{
    unsigned bits = info->bits[c], word = info->shift[c] / 32, shift = info->shift[c] % 32;
    uint32_t field[G];

    if (!bits) {
        LANES
            out[l] = 1.0f;
        return;
    }
    LANES
        field[l] = words[l][word] >> shift;
    if (bits == 32) {
        LANES
            field[l] = texel_from_f32(field[l]);
        memcpy(out, field, sizeof(field));
    } else if (info->type == RASTER_FLOAT) {
        LANES
            field[l] = texel_from_half(field[l] & 0xffff);
        memcpy(out, field, sizeof(field));
    } else {
        LANES
            out[l] = (float)(int32_t)(field[l] & 0xffff) / 65535.0f;
    }
}

static void pack_wide(const struct raster_format_info *info, unsigned c, const float *restrict in, wide_words words)
{
    unsigned bits = info->bits[c], word = info->shift[c] / 32, shift = info->shift[c] % 32;
    uint32_t field[G], keep = bits == 32 ? 0 : ~(0xffffu << shift);

    if (bits == 32) {
        memcpy(field, in, sizeof(field));
        LANES
            field[l] = texel_from_f32(field[l]);
    } else if (info->type == RASTER_FLOAT) {
        LANES
            field[l] = texel_to_half(in[l]);
    } else {
        LANES
            field[l] = (uint32_t)(int32_t)(saturate(in[l]) * 65535.0f + 0.5f);
    }
    LANES
        words[l][word] = (words[l][word] & keep) | field[l] << shift;
}

/* Targets of floats or of more than four bytes a pixel. Floats are neither clamped before blending nor after. */
static void store_wide(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index, int x,
                       int y, const struct raster_batch *batch, unsigned lane, uint32_t mask)
{
    const struct raster_format_info *info = raster_format_info(target->format);
    unsigned write_mask = state->color_write_mask[index], bytes = info->block_bytes;
    bool clamped = info->type != RASTER_FLOAT;
    struct group_color color, dst;
    wide_words words;

    memset(words, 0, sizeof(words));
    if (state->blend.enable || write_mask != 0xf)
        LANES
            if (mask & (1u << l))
                memcpy(words[l], wide_texel(target, bytes, x, y, l), bytes);
    if (clamped)
        load_color(batch, index, lane, &color);
    else
        for (unsigned c = 0; c < 4; c++)
            memcpy(color.c[c], &batch->color[index][c][lane], sizeof(color.c[c]));
    if (state->blend.enable) {
        for (unsigned c = 0; c < 4; c++)
            unpack_wide(info, c, words, dst.c[c]);
        blend_group(&state->blend, clamped, &dst, &color);
    }
    for (unsigned c = 0; c < 4; c++)
        if (info->bits[c] && (write_mask & (1u << c)))
            pack_wide(info, c, color.c[c], words);
    LANES
        if (mask & (1u << l))
            memcpy(wide_texel(target, bytes, x, y, l), words[l], bytes);
}

/* --- stores ------------------------------------------------------------------------------------------ */

static void store(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index, int x,
                  int y, const struct raster_batch *batch, unsigned lane, uint32_t mask)
{
    const struct raster_format_info *info = raster_format_info(target->format);
    const struct raster_blend *blend = &state->blend;
    unsigned write_mask = state->color_write_mask[index];
    struct group_color src;
    uint32_t old[G], word[G], select[G];
    bool keeps = mask != 0xffff || write_mask != 0xf || blend->enable;

    if (store_opaque(state, target, index, x, y, batch, lane, mask))
        return;
    if (info->type == RASTER_FLOAT || info->block_bytes > 4) {
        store_wide(state, target, index, x, y, batch, lane, mask);
        return;
    }
    if (info->kind == RASTER_KIND_NULL)
        return;
    load_color(batch, index, lane, &src);
    if (store_blended(state, target, index, x, y, mask, &src))
        return;
    if (keeps)
        load_group(target, info->block_bytes, x, y, mask, old);
    else
        memset(old, 0, sizeof(old));
    if (blend->enable) {
        struct group_color dst;

        unpack(info, old, &dst);
        blend_group(blend, true, &dst, &src);
    }
    memcpy(word, old, sizeof(word));
    pack(info, &src, write_mask, word);
    if (keeps) {
        lane_select(mask, select);
        LANES
            word[l] = (old[l] & ~select[l]) | (word[l] & select[l]);
    }
    store_group(target, info->block_bytes, x, y, mask, word);
}

const struct raster_kernels KERNEL(raster_kernels) = {
    .coverage_block = coverage_block,
    .interpolate_depth = interpolate_depth,
    .interpolate = interpolate,
    .depth_stencil = depth_stencil,
    .fog = fog,
    .alpha_test = alpha_test,
    .store = store,
};
