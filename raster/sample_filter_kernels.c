/* SPDX-License-Identifier: MIT */
/*
 * Texels fetched and filtered, one level of a texture at a time. Filtering keeps results between
 * the least and the largest tap, and a constant texture constant.
 */
#include "raster/sample_lanes.h"
#include "raster/srgb.h"

#include <string.h>

#if KERNEL_LEVEL > 1
#include <immintrin.h>
#endif

/* In the form of the texture's texels. */
static uint32_t border_texel(const struct raster_sampler *sampler)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    float scale = sampler->texture->is_signed ? 127.0f : 255.0f, zero = 255.0f - scale;
    uint32_t texel = 0;

    for (unsigned c = 0; c < 4; c++)
        texel |= (uint32_t)(int32_t)(limit(sampler->border[c], 0.0f, 1.0f) * scale + zero + 0.5f)
                 << shift[c];
    return texel;
}

static inline void gather(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                          uint32_t *restrict texel)
{
#if KERNEL_LEVEL == 3
    for (unsigned l = 0; l < n; l += 16)
        _mm512_storeu_si512(texel + l,
                            _mm512_i32gather_epi32(_mm512_loadu_si512(index + l), texels, 4));
#elif KERNEL_LEVEL == 2
    for (unsigned l = 0; l < n; l += 8) {
        __m256i i = _mm256_loadu_si256((const __m256i *)(index + l));

        _mm256_storeu_si256((__m256i *)(texel + l),
                            _mm256_i32gather_epi32((const int *)texels, i, 4));
    }
#else
    LANES(n)
    texel[l] = texels[index[l]];
#endif
}

/* Texels at (x, y) of the slice at base; a negative index gives the border colour. */
static void fetch(const struct raster_texture_level *level, bool bordered, uint32_t border,
                  unsigned n, const int32_t *restrict base, const int32_t *restrict x,
                  const int32_t *restrict y, uint32_t *restrict texel)
{
    int32_t pitch = (int32_t)level->pitch, index[MAX_LANES], outside[MAX_LANES];

    LANES(n)
    index[l] = base[l] + y[l] * pitch + x[l];
    if (!bordered) {
        gather(n, level->texels, index, texel);
        return;
    }
    LANES(n)
    {
        outside[l] = (x[l] | y[l] | base[l]) >> 31; /* BORDER_TEXEL is the only negative value */
        index[l] &= ~outside[l];
    }
    gather(n, level->texels, index, texel);
    LANES(n)
    texel[l] = outside[l] ? border : texel[l];
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

/* One slice of a level, filtered; channels 0..255. */
static void sample_slice(const struct raster_texture_level *level, bool linear, bool bordered,
                         uint32_t border, unsigned n, const int32_t *base, const struct axis *u,
                         const struct axis *v, float (*restrict out)[MAX_LANES])
{
    uint32_t t00[MAX_LANES], t10[MAX_LANES], t01[MAX_LANES], t11[MAX_LANES];
    const float *restrict wu = u->weight, *restrict wv = v->weight;

    fetch(level, bordered, border, n, base, u->first, v->first, t00);
    if (!linear) {
        for (unsigned c = 0; c < 4; c++) {
            float *restrict to = out[c];

            LANES(n)
            to[l] = channel(t00[l], channel_shift[c]);
        }
        return;
    }
    fetch(level, bordered, border, n, base, u->second, v->first, t10);
    fetch(level, bordered, border, n, base, u->first, v->second, t01);
    fetch(level, bordered, border, n, base, u->second, v->second, t11);
    for (unsigned c = 0; c < 4; c++) {
        unsigned s = channel_shift[c];
        float *restrict to = out[c];

        LANES(n)
        {
            float a = channel(t00[l], s), b = channel(t01[l], s);
            float top = a + (channel(t10[l], s) - a) * wu[l];
            float bottom = b + (channel(t11[l], s) - b) * wu[l];

            to[l] = top + (bottom - top) * wv[l];
        }
    }
}

/* Channel c of wide texels; arguments as in fetch. */
static void fetch_wide(const struct raster_texture_level *level, bool bordered, float border,
                       unsigned c, unsigned n, const int32_t *restrict base,
                       const int32_t *restrict x, const int32_t *restrict y, float *restrict texel)
{
    int32_t pitch = (int32_t)level->pitch, index[MAX_LANES], outside[MAX_LANES];

    LANES(n)
    {
        outside[l] = bordered ? (x[l] | y[l] | base[l]) >> 31 : 0;
        index[l] = (base[l] + y[l] * pitch + x[l]) * 4 & ~outside[l];
    }
    gather(n, level->texels + c, index, (uint32_t *)texel);
    LANES(n)
    texel[l] = outside[l] ? border : texel[l];
}

/* One slice of a wide level, filtered; channels as they are. */
static __attribute__((noinline)) void
sample_slice_wide(const struct raster_texture_level *level, bool linear, bool bordered,
                  const float border[4], unsigned n, const int32_t *base, const struct axis *u,
                  const struct axis *v, float (*restrict out)[MAX_LANES])
{
    const float *restrict wu = u->weight, *restrict wv = v->weight;

    for (unsigned c = 0; c < 4; c++) {
        float t10[MAX_LANES], t01[MAX_LANES], t11[MAX_LANES], *restrict to = out[c];
        float limited = limit(border[c], 0.0f, 1.0f);

        fetch_wide(level, bordered, limited, c, n, base, u->first, v->first, to);
        if (!linear)
            continue;
        fetch_wide(level, bordered, limited, c, n, base, u->second, v->first, t10);
        fetch_wide(level, bordered, limited, c, n, base, u->first, v->second, t01);
        fetch_wide(level, bordered, limited, c, n, base, u->second, v->second, t11);
        LANES(n)
        {
            float top = to[l] + (t10[l] - to[l]) * wu[l],
                  bottom = t01[l] + (t11[l] - t01[l]) * wu[l];

            to[l] = top + (bottom - top) * wv[l];
        }
    }
}

/* A channel 0..255 of words; of sRGB colours made linear. */
static inline void widen_channel(unsigned c, unsigned n, const uint32_t *restrict texel, float *restrict out)
{
    unsigned s = channel_shift[c];
    int32_t index[MAX_LANES];

    if (c == 3) {
        LANES(n)
            out[l] = channel(texel[l], s);
        return;
    }
    LANES(n)
        index[l] = (int32_t)(texel[l] >> s & 255);
    gather(n, (const uint32_t *)raster_srgb_to_linear, index, (uint32_t *)out);
}

/* As sample_slice, of texels that are sRGB. */
static __attribute__((noinline)) void sample_slice_srgb(const struct raster_texture_level *level, bool linear,
                                                        bool bordered, uint32_t border, unsigned n,
                                                        const int32_t *base, const struct axis *u,
                                                        const struct axis *v, float (*restrict out)[MAX_LANES])
{
    const float *restrict wu = u->weight, *restrict wv = v->weight;
    const int32_t *x[2] = {u->first, u->second}, *y[2] = {v->first, v->second};
    uint32_t texel[4][MAX_LANES];
    float tap[4][MAX_LANES];

    for (unsigned k = 0; k < (linear ? 4 : 1); k++)
        fetch(level, bordered, border, n, base, x[k & 1], y[k >> 1], texel[k]);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned k = 0; k < (linear ? 4 : 1); k++)
            widen_channel(c, n, texel[k], linear ? tap[k] : out[c]);
        for (unsigned l = 0; linear && l < n; l++)
            out[c][l] = bilinear(tap[0][l], tap[1][l], tap[2][l], tap[3][l], wu[l], wv[l]);
    }
}

/* One slice of depth, filtered; if it is compared, what is filtered are the results. In all channels. */
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
        fetch(level, bordered, word, n, base, x[k & 1], y[k >> 1], (uint32_t *)tap[k]);
        for (unsigned l = 0; compared && l < n; l++)
            tap[k][l] = limit(compared[l], 0.0f, 1.0f) <= tap[k][l] ? 1.0f : 0.0f;
    }
    if (linear)
        LANES(n)
            tap[0][l] = bilinear(tap[0][l], tap[1][l], tap[2][l], tap[3][l], wu[l], wv[l]);
    for (unsigned c = 0; c < 4; c++)
        memcpy(out[c], tap[0], n * sizeof(float));
}

void KERNEL(sample_mix)(unsigned n, float (*restrict near)[MAX_LANES],
                        float (*restrict far)[MAX_LANES], const float *restrict weight)
{
    for (unsigned c = 0; c < 4; c++) {
        float *restrict a = near[c];
        const float *restrict b = far[c];

        LANES(n)
        a[l] = a[l] + (b[l] - a[l]) * weight[l];
    }
}

static void slice_base(unsigned n, const int32_t *restrict index, int32_t slice,
                       int32_t *restrict base)
{
    LANES(n)
    base[l] = index[l] < 0 ? BORDER_TEXEL : index[l] * slice;
}

/* One slice of whatever the texture holds. */
static inline void sample_any_slice(const struct raster_sampler *sampler, const struct raster_texture_level *level,
                                    bool linear, bool bordered, unsigned n, const int32_t *base, const struct axis *u,
                                    const struct axis *v, const struct place *place, float (*restrict out)[MAX_LANES])
{
    const struct raster_texture *texture = sampler->texture;

    if (texture->depth)
        sample_slice_depth(level, linear, bordered, limit(sampler->border[0], 0.0f, 1.0f), n, base, u, v,
                           texture->depth == RASTER_DEPTH_COMPARED ? place->w : NULL, out);
    else if (texture->is_wide)
        sample_slice_wide(level, linear, bordered, sampler->border, n, base, u, v, out);
    else if (sampler->srgb)
        sample_slice_srgb(level, linear, bordered, bordered ? border_texel(sampler) : 0, n, base, u, v, out);
    else
        sample_slice(level, linear, bordered, bordered ? border_texel(sampler) : 0, n, base, u, v, out);
}

void KERNEL(sample_level)(const struct raster_sampler *sampler, const struct place *place,
                          unsigned n, unsigned index, bool linear, float (*restrict out)[MAX_LANES])
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *level = &texture->level[index];
    bool cube = texture->kind == RASTER_TEXTURE_CUBE,
         volume = texture->kind == RASTER_TEXTURE_VOLUME;
    unsigned mode_u = cube ? RASTER_CLAMP : sampler->address[0],
             mode_v = cube ? RASTER_CLAMP : sampler->address[1];
    bool bordered = mode_u == RASTER_BORDER || mode_v == RASTER_BORDER ||
                    (volume && sampler->address[2] == RASTER_BORDER);
    int32_t slice = (int32_t)level->slice, base[MAX_LANES] = {0};
    struct axis u, v, w;

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
