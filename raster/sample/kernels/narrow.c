/* SPDX-License-Identifier: MIT */
/*
 * Texture sampling for narrow states (raster/narrow.h). 2D textures with point and linear filters are read in integers:
 * this file defines how, lane by lane, and the files words*.c do the same in vectors. All other textures are sampled in
 * floats. docs/narrow-colour.md gives the reasons.
 */
#include "raster/kernels/narrow_planes.h"
#include "raster/narrow.h"
#include "raster/sample/kernels/affine.h"
#include "raster/sample/kernels/sampler.h"
#include "base/assert.h"

#include <string.h>

/* --- by way of floats ---------------------------------------------------------------------------------------- */

static void narrow_channels(unsigned n, const float (*color)[RASTER_LANES], int16_t *result)
{
    const vecf one = vecf_splat((float)NARROW_ONE), half = vecf_splat(0.5f);

    for (unsigned l = 0; l < n; l += VEC) {
        veci channel[4];
        vec16 pixels[NARROW_REGISTERS];

        UNROLLED
        for (unsigned c = 0; c < 4; c++)
            channel[c] = veci_truncate(vecf_add(vecf_mul(vecf_saturate(vecf_load(&color[c][l])), one), half));
        vec16_of_channels(channel[2], channel[1], channel[0], channel[3], pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(result + 4 * l + i * VEC16, pixels[i]);
    }
}

static void sample_by_floats(const struct raster_sampler *sampler, unsigned group_count,
                             const float (*coordinate)[RASTER_LANES], uint64_t recorded, int16_t *result)
{
    _Alignas(64) float color[4][RASTER_LANES];

    if (sampler->feedback)
        KERNEL(raster_sample_recorded)
    (sampler, group_count, coordinate, RASTER_LOD_COMPUTED, NULL, recorded, color);
    else KERNEL(raster_sample_lod)(sampler, group_count, coordinate, RASTER_LOD_COMPUTED, NULL, color);
    narrow_channels(group_count * GROUP_LANES, (const float(*)[RASTER_LANES])color, result);
}

/* --- the definition -------------------------------------------------------------------------------------------- */

/* The texels of an axis that a lane reads, and the weight of the second, 0..255 of 256. */
struct lane_pair {
    int32_t first, second, weight;
};

static inline int32_t held(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* A texel of -2..size + 1 in the texture. */
static inline int32_t wrapped(unsigned mode, int32_t i, int32_t size)
{
    if (mode == RASTER_WRAP)
        return i < 0 ? i + size : i >= size ? i - size : i;
    return held(i, 0, size - 1);
}

/* For an integer coordinate: to the nearest 1/256 texel. The size is a power of two, the mode wraps or repeats the
 * edge. */
static struct lane_pair affine_pair(unsigned mode, bool linear, int32_t v, int32_t size)
{
    const unsigned shift = 16 - (unsigned)__builtin_ctz((unsigned)size);
    const int32_t at = mode == RASTER_WRAP ? v & (RASTER_AFFINE_ONE - 1) : v;
    int32_t s = (int32_t)((uint32_t)at + (1u << (shift - 1))) >> shift;

    s = mode == RASTER_WRAP ? s : held(s, -256, size * 256 + 256);
    if (!linear)
        return (struct lane_pair){wrapped(mode, ((s + 512) >> 8) - 2, size), 0, 0};
    s += 768 - 128;
    return (struct lane_pair){wrapped(mode, (s >> 8) - 3, size), wrapped(mode, (s >> 8) - 2, size), s & 255};
}

/* Texels of the lanes of a quad. */
static void quad_pairs(const struct place *place, unsigned mode, bool linear, const float *t, uint32_t size,
                       struct lane_pair out[4])
{
    struct axis axis;

    if (place->affine) {
        for (unsigned l = 0; l < 4; l++)
            out[l] = affine_pair(mode, linear, ((const int32_t *)t)[l], (int32_t)size);
        return;
    }
    KERNEL(sample_axis)(mode, linear, 4, t, size, &axis);
    for (unsigned l = 0; l < 4; l++)
        out[l] = linear ? (struct lane_pair){axis.first[l], axis.second[l], (int32_t)(axis.weight[l] * 256.0f)}
                        : (struct lane_pair){axis.first[l], 0, 0};
}

static uint32_t texel_at(const struct raster_texture_level *level, uint32_t border, int32_t x, int32_t y)
{
    return (x | y) < 0 ? border : level->texels[(uint32_t)y * level->pitch + (uint32_t)x];
}

static inline int32_t byte_of_word(uint32_t word, unsigned i)
{
    return (int32_t)(word >> 8 * i & 255) - 128;
}

/* a * b / 32768 to the nearest (vec16_mul). */
static inline int32_t product(int32_t a, int32_t b)
{
    return (a * b + 0x4000) >> 15;
}

/* Mixes the four texels of a lane: each row by weights that add up to 255, then the two rows by weights that add up to
 * 32768. */
static void mix_texels(const uint32_t texel[4], int32_t wu, int32_t wv, int16_t out[4])
{
    const int32_t right = wu - (wu >> 7), left = 255 - right, below = wv * 128;

    for (unsigned i = 0; i < 4; i++) {
        const int32_t top = left * byte_of_word(texel[0], i) + right * byte_of_word(texel[1], i);
        const int32_t bottom = left * byte_of_word(texel[2], i) + right * byte_of_word(texel[3], i);
        const int32_t sum = top - product(top, below) + product(bottom, below);

        out[i] = (int16_t)held(product(sum, NARROW_FILTER_SCALE) + NARROW_FILTER_MIDDLE, 0, NARROW_ONE);
    }
}

/* One level at the places of a quad. */
static void quad_level(const struct raster_sampler *sampler, const struct place *place, unsigned first, unsigned index,
                       bool linear, int16_t out[4][4])
{
    const struct raster_texture_level *level = &sampler->texture->level[index];
    const bool bordered = sampler->address[0] == RASTER_BORDER || sampler->address[1] == RASTER_BORDER;
    const uint32_t border = bordered ? KERNEL(sample_border)(sampler) : 0;
    struct lane_pair u[4], v[4];

    quad_pairs(place, sampler->address[0], linear, place->u + first, level->width, u);
    quad_pairs(place, sampler->address[1], linear, place->v + first, level->height, v);
    for (unsigned l = 0; l < 4; l++) {
        const uint32_t texel = texel_at(level, border, u[l].first, v[l].first);

        if (linear) {
            const uint32_t taps[4] = {texel, texel_at(level, border, u[l].second, v[l].first),
                                      texel_at(level, border, u[l].first, v[l].second),
                                      texel_at(level, border, u[l].second, v[l].second)};

            mix_texels(taps, u[l].weight, v[l].weight, out[l]);
        } else {
            for (unsigned i = 0; i < 4; i++)
                out[l][i] = (int16_t)((texel >> 8 * i & 255) * 257 >> 1);
        }
    }
}

/* The levels of each quad; uniform: all have the first one's. */
static void sample_quads(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         const struct quad_levels *levels, bool uniform, int16_t *result)
{
    for (unsigned first = 0; first < n; first += 4) {
        const unsigned q = uniform ? 0 : first / 4;
        const float fraction = levels->fraction[0] > 0.0f || !uniform ? levels->fraction[first / 4] : 0.0f;
        int16_t near[4][4], far[4][4];

        quad_level(sampler, place, first, (unsigned)levels->level[q], levels->linear[q], near);
        if (fraction > 0.0f)
            quad_level(sampler, place, first, (unsigned)levels->level[q] + 1, levels->linear[q], far);
        for (unsigned l = 0; l < 4; l++) {
            int16_t *out = result + 4 * narrow_place(VEC, first + l);

            for (unsigned i = 0; i < 4; i++) {
                const int32_t mixed =
                    fraction > 0.0f ? product(far[l][i] - near[l][i], (int32_t)(fraction * 32768.0f)) : 0;

                out[i] = i == 3 && sampler->texture->opaque ? NARROW_ONE : (int16_t)(near[l][i] + mixed);
            }
        }
    }
}

/* --- batches ------------------------------------------------------------------------------------------------------ */

/* Is a texture read in integers? Only pictures of words, and only without anisotropic probes. */
static bool reads_words(const struct raster_sampler *sampler)
{
    const struct raster_texture *texture = sampler->texture;

    return texture->kind == RASTER_TEXTURE_2D && !texture->is_wide && !texture->depth && !texture->is_signed &&
           !sampler->srgb && !sampler->fetch4 && !is_anisotropic(sampler) &&
           sample_is_small(&texture->level[sample_base_level(sampler)]); /* further levels are not larger */
}

static bool is_affine_axis(unsigned mode, uint32_t size)
{
    return (mode == RASTER_WRAP || mode == RASTER_CLAMP) && !(size & (size - 1));
}

/* Can integer coordinates be used directly? All levels have power-of-two sizes if the first one has. */
static bool is_affine(const struct raster_sampler *sampler)
{
    const struct raster_texture_level *top = &sampler->texture->level[0];

    return is_affine_axis(sampler->address[0], top->width) && is_affine_axis(sampler->address[1], top->height);
}

static void floats_of(unsigned n, const float *affine, float *out)
{
    const int32_t *v = (const int32_t *)affine;

    FOR_LANES(n)
        out[l] = (float)v[l] * (1.0f / (float)RASTER_AFFINE_ONE);
}

/* Each lane minus its quad's first lane: enough to measure footprints, and exact. */
static void differences_of(unsigned n, const float *affine, float *out)
{
    const int32_t *v = (const int32_t *)affine;

    FOR_LANES(n)
        out[l] = (float)(int32_t)((uint32_t)v[l] - (uint32_t)v[l & ~3u]) * (1.0f / (float)RASTER_AFFINE_ONE);
}

/* The levels that the quads read; true: all the same. */
static bool find_levels(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                        struct quad_levels *levels)
{
    struct place flat = *place;
    _Alignas(64) float u[MAX_LANES], v[MAX_LANES];

    if (place->affine) {
        differences_of(n, place->u, u);
        differences_of(n, place->v, v);
        flat.u = u;
        flat.v = v;
    }
#if SIMD_HAS_GATHER
    return KERNEL(sample_isotropic_levels)(sampler, &flat, n, levels);
#else
    struct footprint footprint;

    KERNEL(sample_footprint)(sampler, &flat, n / 4, &footprint);
    return KERNEL(sample_levels)(sampler, &footprint, n / 4, levels);
#endif
}

#if SIMD_HAS_GATHER
/* Do all quads have the first one's filter? */
static bool have_one_filter(const struct quad_levels *levels, unsigned n)
{
    int32_t other = 0;

    for (unsigned q = 0; q < n / 4; q++)
        other |= levels->linear[q] ^ levels->linear[0];
    return !other;
}
#endif

/* The levels of each quad; for a block whose quads all read the first quad's level, only that of the first. */
static bool view_levels(const struct raster_sampler *sampler, const struct raster_narrow_reads *reads,
                        const struct place *place, unsigned n, bool is_block, struct quad_levels *levels)
{
    if (!reads->leveled) {
        levels->level[0] = reads->level;
        levels->linear[0] = reads->linear;
        levels->fraction[0] = 0.0f;
        return true;
    }
    if (!is_block)
        return find_levels(sampler, place, n, levels);
    find_levels(sampler, place, BASE_MAX(VEC, RASTER_QUAD_LANES), levels);
    for (unsigned q = 1; q < RASTER_LANES / RASTER_QUAD_LANES; q++)
        levels->fraction[q] = levels->fraction[0];
    return true;
}

static void sample_texels(const struct raster_sampler *sampler, const struct raster_narrow_reads *reads,
                          const struct place *place, unsigned n, bool is_block, int16_t *result)
{
    struct quad_levels levels;
    const bool uniform = view_levels(sampler, reads, place, n, is_block, &levels);

#if SIMD_HAS_GATHER
    if (is_block && levels.linear[0] &&
        KERNEL(sample_block_words)(sampler, place, (unsigned)levels.level[0], levels.fraction[0], result))
        return;
    if (place->affine) {
        KERNEL(sample_affine_words)(sampler, place, n, &levels, uniform, result);
        return;
    }
    if (uniform || have_one_filter(&levels, n)) {
        if (levels.linear[0])
            KERNEL(sample_narrow_linear)(sampler, place, n, &levels, uniform, result);
        else
            KERNEL(sample_narrow_words)(sampler, place, n, &levels, uniform, result);
        return;
    }
#endif
    sample_quads(sampler, place, n, &levels, uniform, result);
}

/* No texture: (0, 0, 0, 1), like raster_sample_lod. */
static void sample_nothing(unsigned n, int16_t *result)
{
    static const int16_t black[4] = {0, 0, 0, NARROW_ONE};
    const vec16 v = vec16_splat_pixel(black);

    for (unsigned at = 0; at < 4 * n; at += VEC16)
        vec16_store(result + at, v);
}

struct raster_narrow_reads KERNEL(raster_choose_narrow_reads)(const struct raster_sampler *sampler)
{
    struct raster_narrow_reads reads = {.words = sampler->texture && reads_words(sampler)};
    struct quad_levels levels;

    if (!reads.words)
        return reads;
    reads.affine = is_affine(sampler);
    reads.leveled = needs_footprint(sampler);
    reads.opaque = sampler->texture->opaque;
    if (reads.leveled)
        return reads;
    sample_only_level(sampler, &levels);
    reads.level = (uint8_t)levels.level[0];
    reads.linear = levels.linear[0];
#if SIMD_HAS_GATHER
    reads.direct = reads.affine && !sampler->feedback;
    if (reads.direct)
        view_affine(sampler, reads.level, reads.linear, &reads.affine_level);
#endif
    return reads;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

/* Does every pixel of a block read two neighbouring texels of this axis inside the texture? start: the first pixel of each group;
 * steps: from a pixel to the next one to the right and below. */
static bool axis_is_inner(const int32_t start[4], int64_t step_x, int64_t step_y, unsigned mode, unsigned shift,
                          int32_t size)
{
    const int64_t bias = (INT64_C(1) << (shift - 1)) - (INT64_C(128) << shift);
    const int64_t right = 3 * step_x, below = 3 * step_y;
    int64_t low = start[0], high = start[0];

    UNROLLED
    for (unsigned g = 1; g < 4; g++) {
        low = BASE_MIN(low, start[g]);
        high = BASE_MAX(high, start[g]);
    }
    low += BASE_MIN(right, 0) + BASE_MIN(below, 0);
    high += BASE_MAX(right, 0) + BASE_MAX(below, 0);
    const int64_t first = (low + bias) >> (shift + 8), last = (high + bias) >> (shift + 8);

    if (mode == RASTER_WRAP)
        return (first & (size - 1)) + (last - first) <= size - 2;
    return first >= 0 && last <= size - 2;
}

bool KERNEL(raster_block_is_inner)(const struct raster_affine_level *level, const struct narrow_coordinate *coordinate,
                                   const int32_t (*start)[4])
{
    const int32_t *step_x = coordinate->step_x, *step_y = coordinate->step_y;

    return axis_is_inner(start[0], step_x[0], step_y[0], level->mode_u, level->shift_u, level->width) &&
           axis_is_inner(start[1], step_x[1], step_y[1], level->mode_v, level->shift_v, level->height);
}

#if SIMD_HAS_GATHER
/* One level at integer coordinates. */
static void sample_direct(const struct raster_narrow_reads *reads, unsigned n, const float (*coordinate)[RASTER_LANES],
                          bool is_block, int16_t *result)
{
    const int32_t *u = (const int32_t *)coordinate[0], *v = (const int32_t *)coordinate[1];

    if (is_block && reads->linear && KERNEL(sample_block_level)(&reads->affine_level, u, v, reads->opaque, result))
        return;
    KERNEL(sample_affine_level)(&reads->affine_level, u, v, n, reads->linear, reads->opaque, result);
}
#endif

/* An axis of integer coordinates, as floats that read the same texels; if the mode wraps, without whole repetitions. */
static void recorded_axis(unsigned mode, unsigned n, const float *affine, float *out)
{
    const int32_t *v = (const int32_t *)affine;

    FOR_LANES(n)
        out[l] =
            (float)(mode == RASTER_WRAP ? v[l] & (RASTER_AFFINE_ONE - 1) : v[l]) * (1.0f / (float)RASTER_AFFINE_ONE);
}

/* Lane `corner` of each quad less its first one, to all four. */
static void recorded_gradient(unsigned n, const float *affine, unsigned corner, float *out)
{
    const uint32_t *v = (const uint32_t *)affine;

    FOR_LANES(n)
        out[l] = (float)(int32_t)(v[(l & ~3u) | corner] - v[l & ~3u]) * (1.0f / (float)RASTER_AFFINE_ONE);
}

/* Records the reads of lanes: the sampler of floats reads the same texels. */
static __attribute__((noinline)) void record_reads(const struct raster_sampler *sampler, const struct place *place,
                                                   unsigned group_count, uint64_t lanes)
{
    const unsigned n = group_count * GROUP_LANES;
    _Alignas(64) float coordinate[2][RASTER_LANES], gradient[6][RASTER_LANES], color[4][RASTER_LANES];

    if (!place->affine) {
        memcpy(coordinate[0], place->u, n * sizeof(float));
        memcpy(coordinate[1], place->v, n * sizeof(float));
        KERNEL(raster_sample_recorded)
        (sampler, group_count, (const float(*)[RASTER_LANES])coordinate, RASTER_LOD_COMPUTED, NULL, lanes, color);
        return;
    }
    recorded_axis(sampler->address[0], n, place->u, coordinate[0]);
    recorded_axis(sampler->address[1], n, place->v, coordinate[1]);
    for (unsigned k = 0; k < 2; k++) {
        recorded_gradient(n, place->u, 1 + k, gradient[3 * k]);
        recorded_gradient(n, place->v, 1 + k, gradient[3 * k + 1]);
        memset(gradient[3 * k + 2], 0, sizeof(gradient[0]));
    }
    KERNEL(raster_sample_recorded)
    (sampler, group_count, (const float(*)[RASTER_LANES])coordinate, RASTER_LOD_GRADIENTS,
     (const float(*)[RASTER_LANES])gradient, lanes, color);
}

/* Samples in integers, and records the reads in the sampler's feedback map if it has one. */
static void read_words(const struct raster_sampler *sampler, const struct raster_narrow_reads *reads,
                       const struct place *place, unsigned group_count, bool is_block, uint64_t recorded,
                       int16_t *result)
{
    const unsigned n = group_count * GROUP_LANES;

    if (sampler->feedback && recorded)
        record_reads(sampler, place, group_count, recorded);
    if (sampler->feedback && sampler->feedback_mode == RASTER_FEEDBACK_WRITES)
        sample_nothing(n, result);
    else
        sample_texels(sampler, reads, place, n, is_block, result);
}

/* Coordinates that the sampler takes as floats only. */
static __attribute__((noinline)) void sample_without_affine(const struct raster_sampler *sampler,
                                                            const struct raster_narrow_reads *reads,
                                                            unsigned group_count,
                                                            const float (*coordinate)[RASTER_LANES], uint64_t recorded,
                                                            int16_t *result)
{
    const unsigned n = group_count * GROUP_LANES;
    _Alignas(64) float room[2][RASTER_LANES];

    floats_of(n, coordinate[0], room[0]);
    floats_of(n, coordinate[1], room[1]);
    KERNEL(raster_sample_narrow)
    (sampler, reads, group_count, (const float(*)[RASTER_LANES])room, NARROW_FLOATS, recorded, result);
}

void KERNEL(raster_sample_narrow)(const struct raster_sampler *sampler, const struct raster_narrow_reads *reads,
                                  unsigned group_count, const float (*coordinate)[RASTER_LANES],
                                  enum narrow_coordinates kind, uint64_t recorded, int16_t *result)
{
    const unsigned n = group_count * GROUP_LANES;

    BASE_ASSERT(group_count >= 1 && n <= RASTER_LANES);
#if SIMD_HAS_GATHER
    if (reads->direct && kind != NARROW_FLOATS) {
        sample_direct(reads, n, coordinate, kind == NARROW_AFFINE_BLOCK, result);
        return;
    }
#endif
    const struct place place = {
        .u = coordinate[0], .v = coordinate[1], .narrow = true, .affine = kind != NARROW_FLOATS};

    if (!sampler->texture && !sampler->feedback)
        sample_nothing(n, result);
    else if (place.affine && !reads->affine)
        sample_without_affine(sampler, reads, group_count, coordinate, recorded, result);
    else if (!reads->words)
        sample_by_floats(sampler, group_count, coordinate, recorded, result);
    else
        read_words(sampler, reads, &place, group_count, kind == NARROW_AFFINE_BLOCK, recorded, result);
}
