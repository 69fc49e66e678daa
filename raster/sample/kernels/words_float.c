/* SPDX-License-Identifier: MIT */
/*
 * Filters of the fast path that round: for sRGB colours and for depth. Their texels are words but are mixed as floats,
 * with the same steps as sample/kernels/filter.c.
 */
#include "raster/sample/kernels/words.h"
#include "raster/sample/srgb.h"

#if SIMD_HAS_GATHER

static ALWAYS_INLINE vecf mix(vecf a, vecf b, vecf weight)
{
    return vecf_add(a, vecf_mul(vecf_sub(b, a), weight));
}

/* Four texels of each lane: the left and the right one of two rows. */
struct vector_taps {
    veci texel[4];
};

static ALWAYS_INLINE struct vector_taps taps_of(const struct level_reads *reads, unsigned l)
{
    const struct vector_pairs upper = load_pairs(&reads->texels, 0, l), lower = load_pairs(&reads->texels, 1, l);

    return (struct vector_taps){{vector_first(upper), vector_second(upper), vector_first(lower), vector_second(lower)}};
}

static ALWAYS_INLINE vecf weights_of(const struct lane_axis *axis, unsigned l)
{
    return vecf_mul(vecf_from(veci_load(&axis->weight[l])), vecf_splat(1.0f / 256.0f));
}

static ALWAYS_INLINE vecf bilinear(const vecf tap[4], vecf wu, vecf wv)
{
    return mix(mix(tap[0], tap[1], wu), mix(tap[2], tap[3], wu), wv);
}

/* Channels of lanes, 0..255. */
struct vector_colors {
    vecf c[4];
};

static ALWAYS_INLINE struct vector_colors linear_color(const struct vector_table *table, veci texel)
{
    const veci byte = veci_splat(255), alpha = veci_right(texel, 24);
    const struct vector_entries red_blue = vector_look_up(table, veci_and(texel, veci_splat(0xff00ff)));
    const struct vector_entries green = vector_look_up(table, veci_and(veci_right(texel, 8), byte));

    return (struct vector_colors){{red_blue.high, green.low, red_blue.low, vecf_from(alpha)}};
}

/* sRGB texels, made linear and filtered. The table is read for two indices at once: red and blue of a texel, green of
 * two texels. */
static ALWAYS_INLINE struct vector_colors linear_colors(const struct vector_table *table,
                                                        const struct level_reads *reads, bool linear, unsigned l)
{
    vecf red[4], green[4], blue[4], alpha[4], wu, wv;
    struct vector_taps taps;

    if (!linear)
        return linear_color(table, veci_load(&reads->texels.low[0][l]));
    taps = taps_of(reads, l);
    UNROLLED
    for (unsigned k = 0; k < 4; k++) {
        struct vector_entries both = vector_look_up(table, veci_and(taps.texel[k], veci_splat(0xff00ff)));

        red[k] = both.high;
        blue[k] = both.low;
        alpha[k] = vecf_from(veci_right(taps.texel[k], 24));
    }
    for (unsigned k = 0; k < 4; k += 2) {
        veci left = veci_and(veci_right(taps.texel[k], 8), veci_splat(255));
        veci right = veci_and(veci_left(taps.texel[k + 1], 8), veci_splat(0xff0000));
        struct vector_entries both = vector_look_up(table, veci_or(left, right));

        green[k] = both.low;
        green[k + 1] = both.high;
    }
    wu = weights_of(&reads->u, l);
    wv = weights_of(&reads->v, l);
    return (struct vector_colors){
        {bilinear(red, wu, wv), bilinear(green, wu, wv), bilinear(blue, wu, wv), bilinear(alpha, wu, wv)}};
}

/* From the texels of one level, or of two that are mixed by each quad's fraction, to channels. */
static ALWAYS_INLINE void mix_srgb(const struct level_reads *reads, const float *fraction, bool linear, unsigned n,
                                   enum sample_words_scale scale, bool opaque, float (*out)[MAX_LANES])
{
    const struct vector_table table = vector_table_of(raster_srgb_to_linear);
    const vecf unit = vecf_splat(1.0f / 255.0f);

    for (unsigned l = 0; l < n; l += VEC) {
        struct vector_colors colors = linear_colors(&table, &reads[0], linear, l);

        if (fraction) {
            struct vector_colors far = linear_colors(&table, &reads[1], linear, l);
            vecf weight = vector_of_quads(fraction + l / 4);

            for (unsigned c = 0; c < 4; c++)
                colors.c[c] = mix(colors.c[c], far.c[c], weight);
        }
        for (unsigned c = 0; c < 4; c++)
            vecf_store(&out[c][l], scale == SAMPLE_WORDS_RAW ? colors.c[c] : vecf_mul(colors.c[c], unit));
        if (opaque)
            vecf_store(&out[3][l], vecf_splat(1.0f));
    }
}

void KERNEL(filter_srgb)(const struct level_reads *reads, const float *fraction, bool linear, unsigned n,
                         enum sample_words_scale scale, bool opaque, float (*out)[MAX_LANES])
{
    if (!linear)
        mix_srgb(reads, fraction, false, n, scale, opaque, out);
    else if (fraction)
        mix_srgb(reads, fraction, true, n, scale, opaque, out);
    else
        mix_srgb(reads, NULL, true, n, scale, opaque, out);
}

static ALWAYS_INLINE void mix_depth(const struct level_reads *reads, bool linear, unsigned n, const float *compared,
                                    float (*out)[MAX_LANES])
{
    const vecf zero = vecf_splat(0.0f), one = vecf_splat(1.0f);

    for (unsigned l = 0; l < n; l += VEC) {
        struct vector_taps taps = {{veci_load(&reads->texels.low[0][l])}};
        vecf tap[4], reference, depth;

        if (linear)
            taps = taps_of(reads, l);
        for (unsigned k = 0; k < (linear ? 4 : 1); k++)
            tap[k] = vecf_of_bits(taps.texel[k]);
        if (compared) {
            reference = vecf_saturate(vecf_load(compared + l));
            for (unsigned k = 0; k < (linear ? 4 : 1); k++)
                tap[k] = vecf_select(vecf_at_least(tap[k], reference), one, zero);
        }
        depth = linear ? bilinear(tap, weights_of(&reads->u, l), weights_of(&reads->v, l)) : tap[0];
        for (unsigned c = 0; c < 4; c++)
            vecf_store(&out[c][l], depth);
    }
}

void KERNEL(filter_depth)(const struct level_reads *reads, bool linear, unsigned n, const float *compared,
                          float (*out)[MAX_LANES])
{
    if (!linear)
        mix_depth(reads, false, n, compared, out);
    else if (compared)
        mix_depth(reads, true, n, compared, out);
    else
        mix_depth(reads, true, n, NULL, out);
}

#endif
