/* SPDX-License-Identifier: MIT */
/*
 * The fast path of narrow states with integer coordinates: from coordinates to pixels of 16-bit numbers in one loop, as
 * defined by sample/kernels/narrow.c. Unlike words.c it needs only one loop, because an integer coordinate gives its
 * texel in a few short steps.
 */
#include "raster/sample/kernels/affine.h"
#include "raster/sample/kernels/narrow_filter.h"
#include "raster/sample/kernels/narrow_level.h"

#if SIMD_HAS_GATHER

static ALWAYS_INLINE void affine_pixels(const struct narrow_level *view, bool linear, veci u, veci v, vec16 out[2])
{
    const veci x = affine_u(view->level, linear, u), y = affine_v(view->level, linear, v);

    if (linear) {
        const veci byte = veci_splat(255);
        struct vector_pairs row[2];

        narrow_fetch(view, texel_of(x), texel_of(y), row);
        narrow_filter(row, veci_and(x, byte), veci_and(y, byte), out);
    } else {
        const veci column = wrap_texels(view->all.u, texel_of(x)), row = wrap_texels(view->all.v, texel_of(y));

        vec16_of_words(fetch_texels(&view->all, veci_splat(0), column, row), out);
    }
}

/* Coordinates of n lanes, and the destination of their pixels. */
struct affine_lanes {
    const int32_t *u, *v;
    unsigned n;
    int16_t *out;
    vec16 opaque;
};

static ALWAYS_INLINE struct affine_lanes lanes_of(const int32_t *u, const int32_t *v, unsigned n, bool opaque,
                                                  int16_t *out)
{
    const int16_t alpha[4] = {0, 0, 0, opaque ? NARROW_ONE : 0};

    return (struct affine_lanes){u, v, n, out, vec16_splat_pixel(alpha)};
}

static ALWAYS_INLINE void sample_lanes(const struct affine_lanes *from, const struct raster_affine_level *level,
                                       bool linear)
{
    const struct affine_lanes lanes = *from;
    const struct narrow_level view = narrow_level(level, linear, lanes.v);

    for (unsigned l = 0; l < lanes.n; l += VEC) {
        vec16 pixels[2];

        affine_pixels(&view, linear, veci_load(lanes.u + l), veci_load(lanes.v + l), pixels);
        UNROLLED
        for (unsigned i = 0; i < 2; i++)
            vec16_store(lanes.out + 4 * l + i * VEC16, veci_or(pixels[i], lanes.opaque));
    }
}

/* sample_lanes, once for each filter, so that registers serve only one. */
static __attribute__((noinline)) void linear_lanes(const struct affine_lanes *lanes,
                                                   const struct raster_affine_level *level)
{
    sample_lanes(lanes, level, true);
}

/* linear_lanes of textures that repeat both ways, as most do. */
static __attribute__((noinline)) void linear_wrapped_lanes(const struct affine_lanes *lanes,
                                                           const struct raster_affine_level *level)
{
    struct raster_affine_level wrapped = *level;

    wrapped.mode_u = wrapped.mode_v = RASTER_WRAP;
    sample_lanes(lanes, &wrapped, true);
}

static __attribute__((noinline)) void point_lanes(const struct affine_lanes *lanes,
                                                  const struct raster_affine_level *level)
{
    sample_lanes(lanes, level, false);
}

static void sample_level(const struct affine_lanes *lanes, const struct raster_affine_level *level, bool linear)
{
    if (!linear)
        point_lanes(lanes, level);
    else if (level->mode_u == RASTER_WRAP && level->mode_v == RASTER_WRAP)
        linear_wrapped_lanes(lanes, level);
    else
        linear_lanes(lanes, level);
}

void KERNEL(sample_affine_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                 unsigned n, bool linear, bool opaque, int16_t *out)
{
    const struct affine_lanes lanes = lanes_of(u, v, n, opaque, out);

    sample_level(&lanes, level, linear);
}

/* The second level, mixed into the first one. fraction: of each quad. */
static void mix_lanes(const int16_t *far, const float *fraction, unsigned n, int16_t *near)
{
    for (unsigned l = 0; l < n; l += VEC) {
        const vec16 second[2] = {vec16_load(far + 4 * l), vec16_load(far + 4 * l + VEC16)};
        vec16 v[2] = {vec16_load(near + 4 * l), vec16_load(near + 4 * l + VEC16)};

        narrow_mix_levels(fraction + l / 4, second, v);
        UNROLLED
        for (unsigned i = 0; i < 2; i++)
            vec16_store(near + 4 * l + i * VEC16, v[i]);
    }
}

/* Lanes that read the same level or two. Each level has a loop of its own, because out-of-order execution reaches fewer
 * iterations ahead in a longer loop. */
static void sample_run(const struct raster_sampler *sampler, const int32_t *u, const int32_t *v, unsigned n,
                       unsigned index, bool linear, const float *fraction, int16_t *out)
{
    const bool opaque = sampler->texture->opaque;
    const struct affine_lanes lanes = lanes_of(u, v, n, opaque, out);
    _Alignas(64) int16_t far[4 * RASTER_LANES];
    struct raster_affine_level level;

    view_affine(sampler, index, linear, &level);
    sample_level(&lanes, &level, linear);
    if (!fraction)
        return;
    const struct affine_lanes behind = lanes_of(u, v, n, opaque, far);

    view_affine(sampler, index + 1, linear, &level);
    sample_level(&behind, &level, linear);
    mix_lanes(far, fraction, n, out);
}

/* Do two quads read the same levels with the same filter? */
static bool are_alike(const struct quad_levels *levels, unsigned a, unsigned b)
{
    return levels->level[a] == levels->level[b] && levels->linear[a] == levels->linear[b] &&
           (levels->fraction[a] > 0.0f) == (levels->fraction[b] > 0.0f);
}

/* The quads of the vector from quad `first` on that read what quad `as` reads, as bits. */
static unsigned quads_like(const struct quad_levels *levels, unsigned as, unsigned first)
{
    unsigned quads = 0;

    for (unsigned q = 0; q < VEC / 4; q++)
        quads |= (unsigned)are_alike(levels, as, first + q) << q;
    return quads;
}

#define ALL_QUADS ((1u << VEC / 4) - 1)

/* sample_run with the levels of quad `quad`, for lanes from lane l on. */
static void sample_alike(const struct raster_sampler *sampler, const struct quad_levels *levels, unsigned quad,
                         const struct affine_lanes *lanes, unsigned l)
{
    sample_run(sampler, lanes->u + l, lanes->v + l, lanes->n, (unsigned)levels->level[quad], levels->linear[quad],
               levels->fraction[quad] > 0.0f ? &levels->fraction[l / 4] : NULL, lanes->out);
}

/* A vector whose quads differ: once for each way of reading. */
static void sample_mixed(const struct raster_sampler *sampler, const struct quad_levels *levels, const int32_t *u,
                         const int32_t *v, unsigned l, int16_t *out)
{
    _Alignas(64) int16_t room[4 * VEC];
    const struct affine_lanes lanes = {.u = u, .v = v, .n = VEC, .out = room};

    for (unsigned left = ALL_QUADS, taken; left; left &= ~taken) {
        const unsigned as = l / 4 + (unsigned)__builtin_ctz(left);

        taken = quads_like(levels, as, l / 4);
        sample_alike(sampler, levels, as, &lanes, l);
        for (unsigned k = 0; k < VEC; k += 2) /* pairs of pixels stay together */
            if (taken >> k / 4 & 1)
                memcpy(out + 4 * narrow_place(VEC, k), room + 4 * narrow_place(VEC, k), 8 * sizeof(*out));
    }
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
    for (unsigned l = 0, end; l < n; l = end) {
        end = l;
        while (end < n && quads_like(levels, l / 4, end / 4) == ALL_QUADS)
            end += VEC;
        const struct affine_lanes run = {.u = u, .v = v, .n = end - l, .out = out + 4 * l};

        if (end > l) {
            sample_alike(sampler, levels, l / 4, &run, l);
        } else {
            sample_mixed(sampler, levels, u, v, l, out + 4 * l);
            end += VEC;
        }
    }
}

#endif
