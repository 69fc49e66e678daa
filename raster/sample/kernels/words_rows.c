/* SPDX-License-Identifier: MIT */
/*
 * Runs whose rows of pixels each have one v (floors and ceilings in perspective), for narrow states. What depends
 * on v is found once for a row of pixels. The texels that a row of pixels reads of a row of texels are loaded at once,
 * and lanes pick theirs; rows that wrap are loaded in two parts, and rows of few texels repeat themselves, so that no
 * lane is at an edge. How far apart the lanes of a row read is checked at the end: all loads lie in the texture.
 */
#include "raster/sample/kernels/words_runs.h"

#if SIMD_HAS_GATHER && SIMD_ROW_WORDS

/* Lane 0 of each row of a vector. */
static const uint8_t row_lanes[4] = {0, 2, 8, 10};

#define MOST_ROWS (MAX_LANES / VEC * SIMD_ROWS)

/* Rows of pixels in a level: where the two rows of texels begin that each reads, and the weight of the lower one, of
 * 32768, in both halves of a word. */
struct pixel_rows {
    _Alignas(64) int32_t upper[MOST_ROWS], lower[MOST_ROWS], weight[MOST_ROWS];
};

/* Positions of lanes in a level, vector after vector; and, without its weight, the least one of a lane's row. */
struct pixel_columns {
    _Alignas(64) int32_t u[MAX_LANES], least[MAX_LANES];
};

struct level_rows {
    const struct raster_affine_level *level;
    bool repeated; /* a row of texels fits in a register */
    struct pixel_rows rows;
    struct pixel_columns columns;
};

/* --- rows of pixels ---------------------------------------------------------------------------------------------- */

/* The coordinate of each row of the run. False: lanes of a row differ. */
static ALWAYS_INLINE bool collect_rows(const struct run *run, const float *v, float *row)
{
    veci different = veci_splat(0);

    for (unsigned k = 0; k < run->count; k++) {
        const float *lanes = v + run->lane[k];

        different = veci_or(different, vector_row_differences(veci_bits(vecf_load(lanes))));
        UNROLLED
        for (unsigned i = 0; i < SIMD_ROWS; i++)
            row[k * SIMD_ROWS + i] = lanes[row_lanes[i]];
    }
    for (unsigned k = run->count * SIMD_ROWS; k % VEC; k++)
        row[k] = 0.0f;
    return !vector_any(different);
}

static ALWAYS_INLINE void find_rows_of(const struct raster_affine_level *level, const float *row, unsigned count,
                                       struct pixel_rows *out)
{
    const struct axis_rule rule = {level->mode_v, veci_splat((uint32_t)level->height)};
    const veci pitch = veci_splat((uint32_t)level->pitch);

    for (unsigned k = 0; k < count; k += VEC) {
        const veci at = position(texel_coordinate(rule, vecf_load(row + k), -1.0f)), y = texel_of(at);
        const veci weight = veci_left(veci_and(at, veci_splat(255)), 7);

        veci_store(&out->upper[k], veci_madd16(wrap_texels(rule, y), pitch));
        veci_store(&out->lower[k], veci_madd16(wrap_texels(rule, veci_add(y, veci_splat(1))), pitch));
        veci_store(&out->weight[k], veci_or(weight, veci_left(weight, 16)));
    }
}

/* --- columns ----------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE void store_columns(struct pixel_columns *to, unsigned k, veci u)
{
    veci_store(&to->u[k * VEC], u);
    veci_store(&to->least[k * VEC], veci_and(vector_least_of_rows(u), veci_splat(~255u)));
}

static ALWAYS_INLINE void find_columns(struct level_rows from[2], bool two, const struct run *run, const float *u)
{
    const vecf near = scale_of(from[0].level->width), far = scale_of(from[two].level->width);

    for (unsigned k = 0; k < run->count; k++) {
        const vecf fraction = wrapped_fraction(vecf_load(u + run->lane[k]));

        store_columns(&from[0].columns, k, position(vecf_mul(fraction, near)));
        if (two)
            store_columns(&from[1].columns, k, position(vecf_mul(fraction, far)));
    }
}

/* --- texels ------------------------------------------------------------------------------------------------------ */

static inline bool repeats(const struct raster_affine_level *level)
{
    return level->width <= SIMD_ROW_WORDS && !(level->width & (level->width - 1));
}

/* A register of a row from texel `first` on, which is outside the level or near its end. */
static ALWAYS_INLINE veci load_end(const uint32_t *row, int32_t width, int32_t first)
{
    const int32_t at = wrap_texel(RASTER_WRAP, first, width);

    return vector_load_split(row + at, row + at - width, BASE_MIN(width - at, SIMD_ROW_WORDS));
}

static ALWAYS_INLINE void fetch_rows(const struct level_rows *from, unsigned k, veci *furthest,
                                     struct vector_pairs pair[2])
{
    const int32_t *least = &from->columns.least[k * VEC];
    const veci offset = vector_right(veci_sub(veci_load(&from->columns.u[k * VEC]), veci_load(least)), 8);
    const int32_t width = from->level->width;
    veci upper[SIMD_ROWS], lower[SIMD_ROWS];

    *furthest = vector_max(*furthest, offset);
    UNROLLED
    for (unsigned i = 0; i < SIMD_ROWS; i++) {
        const uint32_t *above = from->level->texels + from->rows.upper[k * SIMD_ROWS + i];
        const uint32_t *below = from->level->texels + from->rows.lower[k * SIMD_ROWS + i];
        const int32_t first = (least[row_lanes[i]] >> 8) - 3;

        if (__builtin_expect((uint32_t)first <= (uint32_t)(width - SIMD_ROW_WORDS), 1)) {
            upper[i] = veci_load(above + first);
            lower[i] = veci_load(below + first);
        } else {
            upper[i] = load_end(above, width, first);
            lower[i] = load_end(below, width, first);
        }
    }
    pair[0] = vector_pick_pairs(upper, offset);
    pair[1] = vector_pick_pairs(lower, offset);
}

static ALWAYS_INLINE void fetch_repeated(const struct level_rows *from, unsigned k, struct vector_pairs pair[2])
{
    const veci offset = texel_of(veci_load(&from->columns.u[k * VEC]));
    const unsigned width = (unsigned)from->level->width;
    veci upper[SIMD_ROWS], lower[SIMD_ROWS];

    UNROLLED
    for (unsigned i = 0; i < SIMD_ROWS; i++) {
        upper[i] = vector_load_repeated(from->level->texels + from->rows.upper[k * SIMD_ROWS + i], width);
        lower[i] = vector_load_repeated(from->level->texels + from->rows.lower[k * SIMD_ROWS + i], width);
    }
    pair[0] = vector_pick_repeated_pairs(upper, offset);
    pair[1] = vector_pick_repeated_pairs(lower, offset);
}

static ALWAYS_INLINE void row_pixels(const struct level_rows *from, unsigned k, veci *furthest, vec16 out[2])
{
    const int32_t *weight = &from->rows.weight[k * SIMD_ROWS];
    const vec16 below[2] = {vector_of_rows(weight, 0), vector_of_rows(weight, 1)};
    struct vector_pairs pair[2];

    if (from->repeated)
        fetch_repeated(from, k, pair);
    else
        fetch_rows(from, k, furthest, pair);
    narrow_filter_rows(pair, veci_and(veci_load(&from->columns.u[k * VEC]), veci_splat(255)), below, out);
}

/* --- runs -------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE bool sample_rows(const struct run_levels *levels, bool two, const struct place *place,
                                      const struct run *run, int16_t *out)
{
    _Alignas(64) float row[MOST_ROWS];
    veci furthest = veci_splat(0);
    struct level_rows from[2];

    if (!collect_rows(run, place->v, row))
        return false;
    for (unsigned n = 0; n < 1u + two; n++) {
        from[n].level = &levels->level[n];
        from[n].repeated = repeats(&levels->level[n]);
        find_rows_of(&levels->level[n], row, run->count * SIMD_ROWS, &from[n].rows);
    }
    find_columns(from, two, run, place->u);
    for (unsigned k = 0; k < run->count; k++) {
        const unsigned l = run->lane[k];
        vec16 pixels[2], behind[2];

        row_pixels(&from[0], k, &furthest, pixels);
        if (two) {
            row_pixels(&from[1], k, &furthest, behind);
            narrow_mix_shares(vector_ints_of_quads(levels->share + l / 4), behind, pixels);
        }
        store_pixels(pixels, levels->opaque, out + 4 * l);
    }
    return vector_inside(furthest, veci_splat(SIMD_ROW_WORDS - 1));
}

static __attribute__((noinline)) bool sample_one_level(const struct run_levels *levels, const struct place *place,
                                                       const struct run *run, int16_t *out)
{
    return sample_rows(levels, false, place, run, out);
}

static __attribute__((noinline)) bool sample_two_levels(const struct run_levels *levels, const struct place *place,
                                                        const struct run *run, int16_t *out)
{
    return sample_rows(levels, true, place, run, out);
}

/* May rows be read of a level? */
static inline bool has_rows(const struct raster_affine_level *level)
{
    return level->width >= SIMD_ROW_WORDS || repeats(level);
}

bool KERNEL(sample_narrow_rows)(const struct run_levels *levels, bool two, const struct place *place,
                                const struct run *run, int16_t *out)
{
    if (levels->level[0].mode_u != RASTER_WRAP || !has_rows(&levels->level[0]) || (two && !has_rows(&levels->level[1])))
        return false;
    if (!vector_rows_are_equal(veci_bits(vecf_load(place->v + run->lane[0]))))
        return false;
    return two ? sample_two_levels(levels, place, run, out) : sample_one_level(levels, place, run, out);
}

#elif SIMD_HAS_GATHER

bool KERNEL(sample_narrow_rows)(const struct run_levels *levels, bool two, const struct place *place,
                                const struct run *run, int16_t *out)
{
    (void)levels, (void)two, (void)place, (void)run, (void)out;
    return false;
}

#endif
