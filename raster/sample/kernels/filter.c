/* SPDX-License-Identifier: MIT */
/*
 * Texels fetched and filtered, one level of a texture at a time. Filtering keeps results between
 * the least and the largest tap, and a constant texture constant.
 */
#include "raster/format/texel.h"
#include "raster/sample/kernels/sampler.h"
#include "raster/sample/srgb.h"

#include <string.h>

uint32_t KERNEL(sample_border)(const struct raster_sampler *sampler)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    float scale = sampler->texture->is_signed ? 127.0f : 255.0f, zero = 255.0f - scale;
    uint32_t texel = 0;

    for (unsigned c = 0; c < 4; c++)
        texel |= (uint32_t)(int32_t)(limit(sampler->border[c], 0.0f, 1.0f) * scale + zero + 0.5f) << shift[c];
    return texel;
}

/* Texels at (x, y) of the slice at base; a negative index gives the border colour. */
static void filter_fetch(const struct raster_texture_level *level, bool bordered, uint32_t border, unsigned n,
                         const int32_t *restrict base, const int32_t *restrict x, const int32_t *restrict y,
                         uint32_t *restrict texel)
{
    int32_t pitch = (int32_t)level->pitch, index[MAX_LANES], outside[MAX_LANES];

    FOR_LANES(n)
        index[l] = base[l] + y[l] * pitch + x[l];
    if (!bordered) {
        gather_words(n, level->texels, index, texel);
        return;
    }
    FOR_LANES(n) {
        outside[l] = (x[l] | y[l] | base[l]) >> 31; /* BORDER_TEXEL is the only negative value */
        index[l] &= ~outside[l];
    }
    gather_words(n, level->texels, index, texel);
    FOR_LANES(n)
        texel[l] = outside[l] ? border : texel[l];
}

/* Are all second texels right of the first ones? Not where an edge of the texture lies between them. */
static bool side_by_side(unsigned n, const struct axis *u)
{
    int32_t other = 0;

    FOR_LANES(n)
        other |= u->second[l] ^ (u->first[l] + 1);
    return !other;
}

/* A row of pairs. */
static void fetch_pairs(const struct raster_texture_level *level, unsigned n, const int32_t *restrict base,
                        const int32_t *restrict x, const int32_t *restrict y, uint32_t *restrict left,
                        uint32_t *restrict right)
{
    int32_t pitch = (int32_t)level->pitch, index[MAX_LANES];

    FOR_LANES(n)
        index[l] = base[l] + y[l] * pitch + x[l];
    gather_word_pairs(n, level->texels, index, left, right);
}

static inline float channel(uint32_t texel, unsigned shift)
{
    return (float)(int32_t)((texel >> shift) & 255);
}

static const unsigned channel_shift[4] = {16, 8, 0, 24};

/* Two texels of a row, two rows. */
static inline float bilinear(float t00, float t10, float t01, float t11, float wu, float wv)
{
    float top = t00 + (t10 - t00) * wu, bottom = t01 + (t11 - t01) * wu;

    return top + (bottom - top) * wv;
}

/* Four texels of each lane, mixed. Sums and products have at most 24 bits: no step rounds, so that neither the order nor
 * the scale of steps matters to the result. */
#if VEC == 1
static void filter_words(unsigned n, uint32_t (*restrict texel)[MAX_LANES], const float *restrict wu,
                         const float *restrict wv, float (*restrict out)[MAX_LANES])
{
    for (unsigned c = 0; c < 4; c++) {
        unsigned s = channel_shift[c];

        FOR_LANES(n)
            out[c][l] = bilinear(channel(texel[0][l], s), channel(texel[1][l], s), channel(texel[2][l], s),
                                 channel(texel[3][l], s), wu[l], wv[l]);
    }
}
#else
#define VECTOR_BYTES (4 * VEC)
typedef uint32_t words __attribute__((vector_size(VECTOR_BYTES), aligned(4)));
typedef int32_t integers __attribute__((vector_size(VECTOR_BYTES), aligned(4)));
typedef uint16_t halves __attribute__((vector_size(VECTOR_BYTES), aligned(4)));
typedef float floats __attribute__((vector_size(VECTOR_BYTES), aligned(4)));

/* Two channels of a word at once, with 8 bits more: a * (256 - w) + b * w, the 16 bits of each on their own. */
static inline words mix_halves(words a, words b, words w)
{
    return (words)(((halves)a << 8) + ((halves)b - (halves)a) * (halves)w);
}

static inline floats to_floats(words v)
{
    return __builtin_convertvector((integers)v, floats);
}

static inline floats mix_rows(words top, words bottom, floats w)
{
    floats t = to_floats(top), b = to_floats(bottom);

    return (t + (b - t) * w) * (1.0f / 256.0f);
}

static void filter_words(unsigned n, uint32_t (*restrict texel)[MAX_LANES], const float *restrict wu,
                         const float *restrict wv, float (*restrict out)[MAX_LANES])
{
    for (unsigned l = 0; l < n; l += VEC) {
        words t00 = *(const words *)&texel[0][l], t10 = *(const words *)&texel[1][l];
        words t01 = *(const words *)&texel[2][l], t11 = *(const words *)&texel[3][l];
        words w = (words) __builtin_convertvector(*(const floats *)&wu[l] * 256.0f, integers);
        floats v = *(const floats *)&wv[l];

        w |= w << 16;
        words red_blue[2] = {mix_halves(t00 & 0xff00ff, t10 & 0xff00ff, w),
                             mix_halves(t01 & 0xff00ff, t11 & 0xff00ff, w)};
        words alpha_green[2] = {mix_halves(t00 >> 8 & 0xff00ff, t10 >> 8 & 0xff00ff, w),
                                mix_halves(t01 >> 8 & 0xff00ff, t11 >> 8 & 0xff00ff, w)};
        *(floats *)&out[0][l] = mix_rows(red_blue[0] >> 16, red_blue[1] >> 16, v);
        *(floats *)&out[1][l] = mix_rows(alpha_green[0] & 0xffff, alpha_green[1] & 0xffff, v);
        *(floats *)&out[2][l] = mix_rows(red_blue[0] & 0xffff, red_blue[1] & 0xffff, v);
        *(floats *)&out[3][l] = mix_rows(alpha_green[0] >> 16, alpha_green[1] >> 16, v);
    }
}
#endif

/* One slice of a level, filtered; channels 0..255. */
static void sample_slice(const struct raster_texture_level *level, bool linear, bool bordered, uint32_t border,
                         unsigned n, const int32_t *base, const struct axis *u, const struct axis *v,
                         float (*restrict out)[MAX_LANES])
{
    uint32_t texel[4][MAX_LANES];

    if (!linear) {
        filter_fetch(level, bordered, border, n, base, u->first, v->first, texel[0]);
        for (unsigned c = 0; c < 4; c++)
            FOR_LANES(n)
                out[c][l] = channel(texel[0][l], channel_shift[c]);
        return;
    }
    if (!bordered && side_by_side(n, u)) {
        fetch_pairs(level, n, base, u->first, v->first, texel[0], texel[1]);
        fetch_pairs(level, n, base, u->first, v->second, texel[2], texel[3]);
    } else {
        filter_fetch(level, bordered, border, n, base, u->first, v->first, texel[0]);
        filter_fetch(level, bordered, border, n, base, u->second, v->first, texel[1]);
        filter_fetch(level, bordered, border, n, base, u->first, v->second, texel[2]);
        filter_fetch(level, bordered, border, n, base, u->second, v->second, texel[3]);
    }
    filter_words(n, texel, u->weight, v->weight, out);
}

/* Finds the wide texels at (x, y) of the slice at base. border: NULL if there is none. halves: NULL, or memory for
 * their conversion to floats. */
static void find_wide(const struct raster_texture_level *level, const float *border, unsigned n,
                      const int32_t *restrict base, const int32_t *restrict x, const int32_t *restrict y,
                      float (*restrict halves)[4], const float **restrict at)
{
    const float *texels = (const float *)level->texels;
    const uint16_t *half_texels = (const uint16_t *)level->texels;
    int32_t pitch = (int32_t)level->pitch;

    FOR_LANES(n) {
        const ptrdiff_t index = base[l] + y[l] * pitch + x[l];

        if (border && (x[l] | y[l] | base[l]) < 0) {
            at[l] = border;
        } else if (halves) {
            for (unsigned c = 0; c < 4; c++)
                halves[l][c] = texel_float(texel_from_half(half_texels[4 * index + (ptrdiff_t)c]));
            at[l] = halves[l];
        } else {
            at[l] = texels + 4 * index;
        }
    }
}

/* Mixes the texels at[0..3] of each lane; pairs: in memory the second follows the first, and the fourth the third. */
#if VEC == 1
static void read_wide(unsigned n, const float *const *at, float (*restrict out)[MAX_LANES])
{
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            out[c][l] = at[l][c];
}

static void filter_wide(unsigned n, const float *const (*at)[MAX_LANES], bool pairs, const float *restrict wu,
                        const float *restrict wv, float (*restrict out)[MAX_LANES])
{
    const float *const *t10 = at[pairs ? 0 : 1], *const *t11 = at[pairs ? 2 : 3];
    unsigned next = pairs ? 4 : 0;

    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            out[c][l] = bilinear(at[0][l][c], t10[l][next + c], at[2][l][c], t11[l][next + c], wu[l], wv[l]);
}
#else
/* texel[i]: the four channels of lanes i, i + 4, ... of those from l on. */
static inline void store_fours(vecf texel[4], unsigned l, float (*restrict out)[MAX_LANES])
{
    vector_transpose(texel);
    for (unsigned c = 0; c < 4; c++)
        vecf_store(&out[c][l], texel[c]);
}

static void read_wide(unsigned n, const float *const *at, float (*restrict out)[MAX_LANES])
{
    for (unsigned l = 0; l < n; l += VEC) {
        vecf texel[4];

        UNROLLED
        for (unsigned i = 0; i < 4; i++)
            texel[i] = fours_load(at + l + i, 0);
        store_fours(texel, l, out);
    }
}

static inline vecf mix(vecf a, vecf b, vecf weight)
{
    return vecf_add(a, vecf_mul(vecf_sub(b, a), weight));
}

static void filter_wide(unsigned n, const float *const (*at)[MAX_LANES], bool pairs, const float *restrict wu,
                        const float *restrict wv, float (*restrict out)[MAX_LANES])
{
    const float *const *t10 = at[pairs ? 0 : 1], *const *t11 = at[pairs ? 2 : 3];
    unsigned next = pairs ? 4 : 0;

    for (unsigned l = 0; l < n; l += VEC) {
        vecf u = vecf_load(wu + l), v = vecf_load(wv + l), texel[4];
        vecf all_u[4] = {u, u, u, u}, all_v[4] = {v, v, v, v};

        /* the weight of a lane for all its channels */
        vector_transpose(all_u);
        vector_transpose(all_v);
        UNROLLED
        for (unsigned i = 0; i < 4; i++) {
            vecf top = mix(fours_load(at[0] + l + i, 0), fours_load(t10 + l + i, next), all_u[i]);
            vecf bottom = mix(fours_load(at[2] + l + i, 0), fours_load(t11 + l + i, next), all_u[i]);

            texel[i] = mix(top, bottom, all_v[i]);
        }
        store_fours(texel, l, out);
    }
}
#endif

/* Texels that are read in place may hold any NaN. */
static void unite_nans(unsigned n, float (*restrict out)[MAX_LANES])
{
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            out[c][l] = texel_float(texel_from_f32(texel_bits(out[c][l])));
}

/* One slice of a wide level, filtered; channels unchanged. */
static __attribute__((noinline)) void sample_slice_wide(const struct raster_sampler *sampler,
                                                        const struct raster_texture_level *level, bool linear,
                                                        bool bordered, unsigned n, const int32_t *base,
                                                        const struct axis *u, const struct axis *v,
                                                        float (*restrict out)[MAX_LANES])
{
    float limited[4], room[4][MAX_LANES][4];
    const float *at[4][MAX_LANES], *outside = bordered ? limited : NULL;
    const bool half = sampler->texture->is_half, pairs = linear && !bordered && !half && side_by_side(n, u);

    for (unsigned c = 0; c < 4; c++)
        limited[c] = limit(sampler->border[c], 0.0f, 1.0f);
    find_wide(level, outside, n, base, u->first, v->first, half ? room[0] : NULL, at[0]);
    if (linear) {
        find_wide(level, outside, n, base, u->first, v->second, half ? room[2] : NULL, at[2]);
        if (!pairs) {
            find_wide(level, outside, n, base, u->second, v->first, half ? room[1] : NULL, at[1]);
            find_wide(level, outside, n, base, u->second, v->second, half ? room[3] : NULL, at[3]);
        }
        filter_wide(n, (const float *const(*)[MAX_LANES])at, pairs, u->weight, v->weight, out);
    } else {
        read_wide(n, at[0], out);
    }
    unite_nans(n, out);
}

/* A channel 0..255 of words; of sRGB colours made linear. */
static inline void widen_channel(unsigned c, unsigned n, const uint32_t *restrict texel, float *restrict out)
{
    unsigned s = channel_shift[c];
    int32_t index[MAX_LANES];

    if (c == 3) {
        FOR_LANES(n)
            out[l] = channel(texel[l], s);
        return;
    }
    FOR_LANES(n)
        index[l] = (int32_t)(texel[l] >> s & 255);
    gather_words(n, (const uint32_t *)raster_srgb_to_linear, index, (uint32_t *)out);
}

/* sample_slice for texels that are sRGB. */
static __attribute__((noinline)) void sample_slice_srgb(const struct raster_texture_level *level, bool linear,
                                                        bool bordered, uint32_t border, unsigned n, const int32_t *base,
                                                        const struct axis *u, const struct axis *v,
                                                        float (*restrict out)[MAX_LANES])
{
    const float *restrict wu = u->weight, *restrict wv = v->weight;
    const int32_t *x[2] = {u->first, u->second}, *y[2] = {v->first, v->second};
    uint32_t texel[4][MAX_LANES];
    float tap[4][MAX_LANES];

    for (unsigned k = 0; k < (linear ? 4 : 1); k++)
        filter_fetch(level, bordered, border, n, base, x[k & 1], y[k >> 1], texel[k]);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned k = 0; k < (linear ? 4 : 1); k++)
            widen_channel(c, n, texel[k], linear ? tap[k] : out[c]);
        for (unsigned l = 0; linear && l < n; l++)
            out[c][l] = bilinear(tap[0][l], tap[1][l], tap[2][l], tap[3][l], wu[l], wv[l]);
    }
}

/* One slice of depth, filtered into all channels; with comparison, the results are filtered. */
static __attribute__((noinline)) void sample_slice_depth(const struct raster_texture_level *level, bool linear,
                                                         bool bordered, float border, unsigned n, const int32_t *base,
                                                         const struct axis *u, const struct axis *v,
                                                         const float *compared, float (*restrict out)[MAX_LANES])
{
    const int32_t *x[2] = {u->first, u->second}, *y[2] = {v->first, v->second};
    const float *restrict wu = u->weight, *restrict wv = v->weight;
    float tap[4][MAX_LANES];
    uint32_t word;

    memcpy(&word, &border, sizeof(word));
    for (unsigned k = 0; k < (linear ? 4 : 1); k++) {
        filter_fetch(level, bordered, word, n, base, x[k & 1], y[k >> 1], (uint32_t *)tap[k]);
        for (unsigned l = 0; compared && l < n; l++)
            tap[k][l] = limit(compared[l], 0.0f, 1.0f) <= tap[k][l] ? 1.0f : 0.0f;
    }
    if (linear)
        FOR_LANES(n)
            tap[0][l] = bilinear(tap[0][l], tap[1][l], tap[2][l], tap[3][l], wu[l], wv[l]);
    for (unsigned c = 0; c < 4; c++)
        memcpy(out[c], tap[0], n * sizeof(float));
}

void KERNEL(sample_mix)(unsigned n, float (*restrict near)[MAX_LANES], float (*restrict far)[MAX_LANES],
                        const float *restrict weight)
{
    for (unsigned c = 0; c < 4; c++) {
        float *restrict a = near[c];
        const float *restrict b = far[c];

        FOR_LANES(n)
            a[l] = a[l] + (b[l] - a[l]) * weight[l];
    }
}

static void slice_base(unsigned n, const int32_t *restrict index, int32_t slice, int32_t *restrict base)
{
    FOR_LANES(n)
        base[l] = index[l] < 0 ? BORDER_TEXEL : index[l] * slice;
}

/* One slice of any texture. */
static inline void sample_any_slice(const struct raster_sampler *sampler, const struct raster_texture_level *level,
                                    bool linear, bool bordered, unsigned n, const int32_t *base, const struct axis *u,
                                    const struct axis *v, const struct place *place, float (*restrict out)[MAX_LANES])
{
    const struct raster_texture *texture = sampler->texture;

    if (texture->depth)
        sample_slice_depth(level, linear, bordered, limit(sampler->border[0], 0.0f, 1.0f), n, base, u, v,
                           texture->depth == RASTER_DEPTH_COMPARED ? place->w : NULL, out);
    else if (texture->is_wide)
        sample_slice_wide(sampler, level, linear, bordered, n, base, u, v, out);
    else if (sampler->srgb)
        sample_slice_srgb(level, linear, bordered, bordered ? KERNEL(sample_border)(sampler) : 0, n, base, u, v, out);
    else
        sample_slice(level, linear, bordered, bordered ? KERNEL(sample_border)(sampler) : 0, n, base, u, v, out);
}

void KERNEL(sample_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, float (*restrict out)[MAX_LANES])
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *level = &texture->level[index];
    bool cube = texture->kind == RASTER_TEXTURE_CUBE, volume = texture->kind == RASTER_TEXTURE_VOLUME;
    unsigned mode_u = cube ? RASTER_CLAMP : sampler->address[0], mode_v = cube ? RASTER_CLAMP : sampler->address[1];
    bool bordered =
        mode_u == RASTER_BORDER || mode_v == RASTER_BORDER || (volume && sampler->address[2] == RASTER_BORDER);
    int32_t slice = (int32_t)level->slice, base[MAX_LANES] = {0};
    struct axis u, v, w;

#if SIMD_HAS_GATHER
    if (sample_has_words(sampler, index)) {
        KERNEL(sample_words)(sampler, place, n, index, linear, SAMPLE_WORDS_RAW, out);
        return;
    }
    if (sample_has_depth(sampler, index)) {
        KERNEL(sample_depth)(sampler, place, n, index, linear, out);
        return;
    }
    if (sample_has_wide(sampler, index)) {
        KERNEL(sample_wide)(sampler, place, n, index, linear, out);
        return;
    }
#endif
    KERNEL(sample_axis)(mode_u, linear, n, place->u, level->width, &u);
    KERNEL(sample_axis)(mode_v, linear, n, place->v, level->height, &v);
    if (!volume) {
        if (cube)
            slice_base(n, place->face, slice, base);
        sample_any_slice(sampler, level, linear, bordered, n, base, &u, &v, place, out);
        return;
    }
    KERNEL(sample_axis)(sampler->address[2], linear, n, place->w, level->depth, &w);
    slice_base(n, w.first, slice, base);
    sample_any_slice(sampler, level, linear, bordered, n, base, &u, &v, place, out);
    if (!linear)
        return;
    float far[4][MAX_LANES];
    slice_base(n, w.second, slice, base);
    sample_any_slice(sampler, level, linear, bordered, n, base, &u, &v, place, far);
    KERNEL(sample_mix)(n, out, far, w.weight);
}
