/* SPDX-License-Identifier: MIT */
/*
 * The fast path of narrow states with float coordinates and linear filters, as defined by sample/kernels/narrow.c.
 * Vectors of lanes that read the same level, or the same two, are a run. It goes through two loops: from coordinates to
 * positions in both levels, which share the part that does not depend on a level's size, and from there to pixels.
 * Vectors whose quads read different levels go through sample_narrow_words.
 */
#include "raster/sample/kernels/words_runs.h"

#if SIMD_HAS_GATHER

#define VECTOR_QUADS (VEC / 4 > 0 ? VEC / 4 : 1)

/* --- positions --------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE void wrapped_positions(const struct run *run, const float *t, const int32_t size[2], bool two,
                                            struct positions *out)
{
    const vecf near = scale_of(size[0]), far = scale_of(size[1]);

    for (unsigned k = 0; k < run->count; k++) {
        const vecf fraction = wrapped_fraction(vecf_load(t + run->lane[k]));

        veci_store(&out->in[0][k * VEC], position(vecf_mul(fraction, near)));
        if (two)
            veci_store(&out->in[1][k * VEC], position(vecf_mul(fraction, far)));
    }
}

static ALWAYS_INLINE void other_positions(unsigned mode, const struct run *run, const float *t, const int32_t size[2],
                                          bool two, struct positions *out)
{
    const struct axis_rule near = {mode, veci_splat((uint32_t)size[0])}, far = {mode, veci_splat((uint32_t)size[1])};

    for (unsigned k = 0; k < run->count; k++) {
        const vecf v = vecf_load(t + run->lane[k]);

        veci_store(&out->in[0][k * VEC], position(texel_coordinate(near, v, -1.0f)));
        if (two)
            veci_store(&out->in[1][k * VEC], position(texel_coordinate(far, v, -1.0f)));
    }
}

static ALWAYS_INLINE void find_positions(unsigned mode, const struct run *run, const float *t, const int32_t size[2],
                                         bool two, struct positions *out)
{
    if (mode == RASTER_WRAP)
        wrapped_positions(run, t, size, two, out);
    else
        other_positions(mode, run, t, size, two, out);
}

/* --- pixels ------------------------------------------------------------------------------------------------------ */

static ALWAYS_INLINE void level_pixels(const struct narrow_level *level, const int32_t *u, const int32_t *v,
                                       vec16 out[2])
{
    const veci x = veci_load(u), y = veci_load(v), byte = veci_splat(255);
    struct vector_pairs row[2];

    narrow_fetch(level, texel_of(x), texel_of(y), row);
    narrow_filter(row, veci_and(x, byte), veci_and(y, byte), out);
}

static ALWAYS_INLINE void sample_levels(const struct run_levels *levels, bool two, const struct place *place,
                                        const struct run *run, int16_t *out)
{
    const int32_t width[2] = {levels->level[0].width, levels->level[1].width};
    const int32_t height[2] = {levels->level[0].height, levels->level[1].height};
    struct positions u, v;

    find_positions(levels->level[0].mode_u, run, place->u, width, two, &u);
    find_positions(levels->level[0].mode_v, run, place->v, height, two, &v);
    const struct narrow_level near = narrow_level(&levels->level[0], true, v.in[0]);
    const struct narrow_level far = narrow_level(&levels->level[two], true, v.in[two]);

    for (unsigned k = 0; k < run->count; k++) {
        const unsigned l = run->lane[k];
        vec16 pixels[2], behind[2];

        level_pixels(&near, &u.in[0][k * VEC], &v.in[0][k * VEC], pixels);
        if (two) {
            level_pixels(&far, &u.in[1][k * VEC], &v.in[1][k * VEC], behind);
            narrow_mix_shares(vector_ints_of_quads(levels->share + l / 4), behind, pixels);
        }
        store_pixels(pixels, levels->opaque, out + 4 * l);
    }
}

static __attribute__((noinline)) void sample_one(const struct run_levels *levels, const struct place *place,
                                                 const struct run *run, int16_t *out)
{
    sample_levels(levels, false, place, run, out);
}

static __attribute__((noinline)) void sample_two(const struct run_levels *levels, const struct place *place,
                                                 const struct run *run, int16_t *out)
{
    sample_levels(levels, true, place, run, out);
}

/* --- runs -------------------------------------------------------------------------------------------------------- */

static void use_level(const struct raster_sampler *sampler, unsigned index, struct raster_affine_level *out)
{
    const struct raster_texture_level *level = &sampler->texture->level[index];

    *out = (struct raster_affine_level){.texels = level->texels,
                                        .width = (int32_t)level->width,
                                        .height = (int32_t)level->height,
                                        .pitch = (int32_t)level->pitch,
                                        .mode_u = sampler->address[0],
                                        .mode_v = sampler->address[1]};
}

static void sample_run(const struct raster_sampler *sampler, const struct place *place, const struct run *run,
                       unsigned index, const int32_t *share, bool two, int16_t *out)
{
    const int16_t alpha[4] = {0, 0, 0, sampler->texture->opaque ? NARROW_ONE : 0};
    struct run_levels levels = {.share = share, .opaque = vec16_splat_pixel(alpha)};

    use_level(sampler, index, &levels.level[0]);
    if (two)
        use_level(sampler, index + 1, &levels.level[1]);
    if (KERNEL(sample_narrow_rows)(&levels, two, place, run, out))
        return;
    if (two)
        sample_two(&levels, place, run, out);
    else
        sample_one(&levels, place, run, out);
}

/* Do the quads of the vector at lane l read the same level? */
static inline bool is_alike(const struct quad_levels *levels, unsigned l)
{
    int32_t other = 0;

    for (unsigned q = 1; q < VECTOR_QUADS; q++)
        other |= levels->level[l / 4 + q] ^ levels->level[l / 4];
    return !other;
}

/* A vector whose quads read different levels. */
static __attribute__((noinline)) void sample_mixed(const struct raster_sampler *sampler, const struct place *place,
                                                   const struct quad_levels *levels, unsigned l, int16_t *out)
{
    struct place part = *place;
    struct quad_levels part_levels;

    part.u += l;
    part.v += l;
    for (unsigned q = 0; q < VECTOR_QUADS; q++) {
        part_levels.level[q] = levels->level[l / 4 + q];
        part_levels.linear[q] = levels->linear[l / 4 + q];
        part_levels.fraction[q] = levels->fraction[l / 4 + q];
    }
    KERNEL(sample_narrow_words)(sampler, &part, VEC, &part_levels, false, out + 4 * l);
}

/* Takes the first vector of `left` and those that read its level. *two: some quad has a fraction of the next level. */
static unsigned take_run(const struct quad_levels *levels, unsigned left, struct run *run, bool *two)
{
    const int32_t level = levels->level[(unsigned)__builtin_ctz(left) * VEC / 4];
    float most = 0.0f;

    run->count = 0;
    for (unsigned others = left; others; others &= others - 1) {
        const unsigned l = (unsigned)__builtin_ctz(others) * VEC;

        if (levels->level[l / 4] != level)
            continue;
        run->lane[run->count++] = (uint8_t)l;
        left &= ~(1u << l / VEC);
        for (unsigned q = 0; q < VECTOR_QUADS; q++)
            most = BASE_MAX(most, levels->fraction[l / 4 + q]);
    }
    *two = most > 0.0f;
    return left;
}

void KERNEL(sample_narrow_linear)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                  const struct quad_levels *levels, bool uniform, int16_t *out)
{
    _Alignas(64) int32_t share[MAX_QUADS];
    struct run run;
    unsigned left = 0;
    bool two = levels->fraction[0] > 0.0f;

    if (sampler->address[0] == RASTER_BORDER || sampler->address[1] == RASTER_BORDER) {
        KERNEL(sample_narrow_words)(sampler, place, n, levels, uniform, out);
        return;
    }
    if (uniform) {
        run.count = n / VEC;
        for (unsigned k = 0; k < run.count; k++)
            run.lane[k] = (uint8_t)(k * VEC);
        if (two)
            narrow_shares(levels->fraction, n / 4, share);
        sample_run(sampler, place, &run, (unsigned)levels->level[0], share, two, out);
        return;
    }
    narrow_shares(levels->fraction, n / 4, share);
    for (unsigned l = 0; l < n; l += VEC)
        if (is_alike(levels, l))
            left |= 1u << l / VEC;
        else
            sample_mixed(sampler, place, levels, l, out);
    while (left) {
        const unsigned index = (unsigned)levels->level[(unsigned)__builtin_ctz(left) * VEC / 4];

        left = take_run(levels, left, &run, &two);
        sample_run(sampler, place, &run, index, share, two, out);
    }
}

#endif
