/* SPDX-License-Identifier: MIT */
/*
 * The fast path of narrow states whose coordinates are whole numbers: from coordinates to pixels of 16-bit numbers in one loop, as
 * sample/kernels/narrow.c defines it. Unlike words.c it need not be several loops: from a whole number to its texel are a few short steps.
 */
#include "raster/sample/kernels/affine.h"
#include "raster/sample/kernels/narrow_filter.h"

#if SIMD_HAS_GATHER

static ALWAYS_INLINE void fetch_pairs(const struct affine_level *level, const struct vector_level *all, veci x, veci y,
                                      struct vector_pairs row[2])
{
    const bool inner = vector_both_inside(x, less_one(all->u.size), y, less_one(all->v.size));

#if SIMD_ROW_WORDS
    if (level->rows && (inner || all->u.mode == RASTER_WRAP || vector_inside(x, less_one(all->u.size)))) {
        _Alignas(64) int32_t u[VEC], v[VEC];
        struct vector_rows rows;

        veci_store(u, x);
        veci_store(v, y);
        if (find_rows(u, v, &rows)) {
            inner ? fetch_inner_rows(&level->texels, &rows, row) : fetch_outer_rows(&level->texels, &rows, row);
            return;
        }
    }
#endif
    if (inner)
        fetch_inner(all, veci_splat(0), x, y, row);
    else
        fetch_outer(all, veci_splat(0), x, y, row);
}

static ALWAYS_INLINE void affine_pixels(const struct affine_level *level, const struct vector_level *all, bool linear,
                                        veci u, veci v, vec16 out[2])
{
    const veci x = affine_u(level, linear, u), y = affine_v(level, linear, v);

    if (linear) {
        const veci byte = veci_splat(255);
        struct vector_pairs row[2];

        fetch_pairs(level, all, texel_of(x), texel_of(y), row);
        narrow_filter(row, veci_and(x, byte), veci_and(y, byte), out);
    } else {
        const veci column = wrap_texels(all->u, texel_of(x)), row = wrap_texels(all->v, texel_of(y));

        vec16_of_words(fetch_texels(all, veci_splat(0), column, row), out);
    }
}

/* One level, or two where fraction, of each quad, is not NULL. */
static ALWAYS_INLINE void affine_lanes(const struct affine_level level[2], bool linear, const int32_t *u,
                                       const int32_t *v, unsigned n, const float *fraction, vec16 opaque, int16_t *out)
{
    const struct vector_level near = level_of_all(&level[0].texels),
                              far = level_of_all(&level[fraction != NULL].texels);

    for (unsigned l = 0; l < n; l += VEC) {
        const veci at_u = veci_load(u + l), at_v = veci_load(v + l);
        vec16 pixels[2], second[2];

        affine_pixels(&level[0], &near, linear, at_u, at_v, pixels);
        if (fraction) {
            affine_pixels(&level[1], &far, linear, at_u, at_v, second);
            narrow_mix_levels(fraction + l / 4, second, pixels);
        }
        UNROLLED
        for (unsigned i = 0; i < 2; i++)
            vec16_store(out + 4 * l + i * VEC16, veci_or(pixels[i], opaque));
    }
}

/* affine_lanes, once for each filter: registers are for one of them. */
#define FILTERED_LANES(name, linear, fraction_or_null)                                                                 \
    static __attribute__((noinline)) void name(const struct affine_level level[2], const int32_t *u, const int32_t *v, \
                                               unsigned n, const float *fraction, vec16 opaque, int16_t *out)          \
    {                                                                                                                  \
        (void)fraction;                                                                                                \
        affine_lanes(level, linear, u, v, n, fraction_or_null, opaque, out);                                           \
    }
FILTERED_LANES(linear_lanes, true, NULL)
FILTERED_LANES(trilinear_lanes, true, fraction)
FILTERED_LANES(point_lanes, false, fraction)

/* Some lanes that read the same level or two. */
static void sample_run(const struct raster_sampler *sampler, const int32_t *u, const int32_t *v, unsigned n,
                       unsigned index, bool linear, const float *fraction, int16_t *out)
{
    const int16_t alpha[4] = {0, 0, 0, sampler->texture->opaque ? NARROW_ONE : 0};
    const vec16 opaque = vec16_splat_pixel(alpha);
    struct affine_level level[2];

    view_affine(sampler, index, linear, v, &level[0]);
    if (fraction)
        view_affine(sampler, index + 1, linear, v, &level[1]);
    if (linear)
        (fraction ? trilinear_lanes : linear_lanes)(level, u, v, n, fraction, opaque, out);
    else
        point_lanes(level, u, v, n, fraction, opaque, out);
}

/* Each quad of a vector by itself. */
static void sample_one_by_one(const struct raster_sampler *sampler, const struct quad_levels *levels, const int32_t *u,
                              const int32_t *v, unsigned quad, int16_t *out)
{
    _Alignas(64) int16_t room[4 * VEC];

    for (unsigned q = quad; q < quad + VEC / 4; q++) {
        const unsigned lane = 4 * (q - quad);

        sample_run(sampler, u, v, VEC, (unsigned)levels->level[q], levels->linear[q],
                   levels->fraction[q] > 0.0f ? &levels->fraction[quad] : NULL, room);
        for (unsigned k = lane; k < lane + 4; k += 2) /* pairs of pixels stay together */
            memcpy(out + 4 * narrow_place(VEC, k), room + 4 * narrow_place(VEC, k), 8 * sizeof(*out));
    }
}

/* Do the quads of a vector read the same? */
static bool are_alike(const struct quad_levels *levels, unsigned quad)
{
    bool alike = true;

    for (unsigned q = quad + 1; q < quad + VEC / 4; q++)
        alike &= levels->level[q] == levels->level[quad] && levels->linear[q] == levels->linear[quad] &&
                 (levels->fraction[q] > 0.0f) == (levels->fraction[quad] > 0.0f);
    return alike;
}

void KERNEL(sample_affine_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                 const struct quad_levels *levels, bool uniform, int16_t *out)
{
    const int32_t *u = (const int32_t *)place->u, *v = (const int32_t *)place->v;

    if (uniform) {
        sample_run(sampler, u, v, n, (unsigned)levels->level[0], levels->linear[0],
                   levels->fraction[0] > 0.0f ? levels->fraction : NULL, out);
        return;
    }
    for (unsigned l = 0; l < n; l += VEC) {
        const unsigned quad = l / 4;

        if (are_alike(levels, quad))
            sample_run(sampler, u + l, v + l, VEC, (unsigned)levels->level[quad], levels->linear[quad],
                       levels->fraction[quad] > 0.0f ? &levels->fraction[quad] : NULL, out + 4 * l);
        else
            sample_one_by_one(sampler, levels, u + l, v + l, quad, out + 4 * l);
    }
}

#endif
