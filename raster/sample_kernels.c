/* SPDX-License-Identifier: MIT */
/*
 * Texture sampling; compiled once per CPU level. A quad shares one level of detail; a batch whose quads all agree on
 * it is sampled at once, others group by group. Coordinates are snapped to 1/256 texel (8-bit filter weights);
 * filtering keeps results between the least and the largest tap, and a constant texture constant.
 * Source: reference raster.md 6.
 */
#include "raster/kernels.h"
#include "raster/lod.h"

#include <math.h>
#include <string.h>
#if KERNEL_LEVEL > 1
#include <immintrin.h>
#endif

#define LANES(n) for (unsigned l = 0; l < (n); l++)
#define MAX_LANES RASTER_LANES

/* What the lanes read of one axis: two texels and the weight of the second. */
struct axis {
    int32_t first[MAX_LANES], second[MAX_LANES];
    float weight[MAX_LANES];
};

/* Where the lanes sample: coordinates per axis and, for cubes, the face. */
struct place {
    float u[MAX_LANES], v[MAX_LANES], w[MAX_LANES];
    int32_t face[MAX_LANES];
    const float *lod; /* of each quad; NULL: from the coordinates */
};

/* Texel index outside the texture whose place the border colour takes. */
#define BORDER_TEXEL (-1)

/* NaN becomes the low end. */
static inline float limit(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

/* Exact for |v| < 2^31, and the same code for every level: SSE2 has no rounding instruction. */
static inline float floor_small(float v)
{
    float t = (float)(int32_t)v;

    return t - (float)(t > v);
}

/* --- addressing --------------------------------------------------------------------------- */

/* Coordinates beyond this many repetitions have no fraction left worth keeping. */
#define MAX_REPEAT 1048576.0f

/* Texel coordinates s = u * size, -1 <= s <= size + 1, after what the address mode does to u. */
static void scale_coordinate(unsigned mode, unsigned n, const float *restrict u, float size, float *restrict s)
{
    switch (mode) {
    case RASTER_WRAP:
        LANES(n)
        {
            float t = limit(u[l], -MAX_REPEAT, MAX_REPEAT);

            s[l] = (t - floor_small(t)) * size;
        }
        break;
    case RASTER_MIRROR:
        LANES(n)
        {
            float t = limit(u[l], -MAX_REPEAT, MAX_REPEAT);

            t = t - 2.0f * floor_small(t * 0.5f);
            s[l] = (1.0f - fabsf(1.0f - t)) * size;
        }
        break;
    case RASTER_MIRROR_ONCE:
        LANES(n)
        {
            float t = fabsf(limit(u[l], -2.0f, 2.0f)) * size;

            s[l] = t < size + 1.0f ? t : size + 1.0f;
        }
        break;
    default:
        LANES(n)
            s[l] = limit(u[l] * size, -1.0f, size + 1.0f);
        break;
    }
}

static inline int32_t clamp_index(int32_t i, int32_t size)
{
    i = i < 0 ? 0 : i;
    return i < size ? i : size - 1;
}

/* Brings indices -2 .. size + 1 into the texture as the mode has it. */
static void wrap_indices(unsigned mode, unsigned n, int32_t size, int32_t *restrict i)
{
    if (mode == RASTER_WRAP) {
        LANES(n)
        {
            int32_t t = i[l] < 0 ? i[l] + size : i[l];

            i[l] = t >= size ? t - size : t;
        }
    } else if (mode == RASTER_BORDER) {
        LANES(n)
            i[l] = i[l] < 0 || i[l] >= size ? BORDER_TEXEL : i[l];
    } else {
        /* mirroring repeats the edge texel, as clamping does */
        LANES(n)
            i[l] = clamp_index(i[l], size);
    }
}

/* Two texels and a weight from a coordinate in texels: half a texel back, to the nearest 1/256. The bias of three
 * texels makes truncation a floor. */
static inline int32_t snap_linear(float s)
{
    return (int32_t)(s * 256.0f + (768.0f - 128.0f + 0.5f));
}

/* The common modes in one loop each; the same steps as scale_coordinate, make_axis and wrap_indices take. */
static void linear_wrap(unsigned n, const float *restrict u, int32_t size, int32_t *restrict first,
                        int32_t *restrict second, float *restrict weight)
{
    float scale = (float)size;

    LANES(n)
    {
        float t = limit(u[l], -MAX_REPEAT, MAX_REPEAT);
        int32_t q = snap_linear((t - floor_small(t)) * scale), a = (q >> 8) - 3, b = a + 1;

        first[l] = a < 0 ? a + size : a;
        second[l] = b >= size ? b - size : b;
        weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
}

static void linear_clamp(unsigned n, const float *restrict u, int32_t size, int32_t *restrict first,
                         int32_t *restrict second, float *restrict weight)
{
    float scale = (float)size;

    LANES(n)
    {
        int32_t q = snap_linear(limit(u[l] * scale, -1.0f, scale + 1.0f));

        first[l] = clamp_index((q >> 8) - 3, size);
        second[l] = clamp_index((q >> 8) - 2, size);
        weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
}

static void make_axis(unsigned mode, bool linear, unsigned n, const float *u, uint32_t size, struct axis *axis)
{
    float s[MAX_LANES];

    if (linear && mode == RASTER_WRAP) {
        linear_wrap(n, u, (int32_t)size, axis->first, axis->second, axis->weight);
        return;
    }
    if (linear && mode == RASTER_CLAMP) {
        linear_clamp(n, u, (int32_t)size, axis->first, axis->second, axis->weight);
        return;
    }
    scale_coordinate(mode, n, u, (float)size, s);
    if (!linear) {
        LANES(n)
            axis->first[l] = ((int32_t)(s[l] * 256.0f + 512.5f) >> 8) - 2;
        wrap_indices(mode, n, (int32_t)size, axis->first);
        return;
    }
    LANES(n)
    {
        int32_t q = snap_linear(s[l]);

        axis->first[l] = (q >> 8) - 3;
        axis->second[l] = (q >> 8) - 2;
        axis->weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
    wrap_indices(mode, n, (int32_t)size, axis->first);
    wrap_indices(mode, n, (int32_t)size, axis->second);
}

/* --- texels ----------------------------------------------------------------------------------- */

/* In the form of the texture's texels. */
static uint32_t border_texel(const struct raster_sampler *sampler)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    float scale = sampler->texture->is_signed ? 127.0f : 255.0f, zero = 255.0f - scale;
    uint32_t texel = 0;

    for (unsigned c = 0; c < 4; c++)
        texel |= (uint32_t)(int32_t)(limit(sampler->border[c], 0.0f, 1.0f) * scale + zero + 0.5f) << shift[c];
    return texel;
}

static inline void gather(unsigned n, const uint32_t *texels, const int32_t *restrict index, uint32_t *restrict texel)
{
#if KERNEL_LEVEL == 3
    for (unsigned l = 0; l < n; l += 16)
        _mm512_storeu_si512(texel + l, _mm512_i32gather_epi32(_mm512_loadu_si512(index + l), texels, 4));
#elif KERNEL_LEVEL == 2
    for (unsigned l = 0; l < n; l += 8) {
        __m256i i = _mm256_loadu_si256((const __m256i *)(index + l));

        _mm256_storeu_si256((__m256i *)(texel + l), _mm256_i32gather_epi32((const int *)texels, i, 4));
    }
#else
    LANES(n)
        texel[l] = texels[index[l]];
#endif
}

/* Texels at (x, y) of the slice at base; a negative index gives the border colour. */
static void fetch(const struct raster_texture_level *level, bool bordered, uint32_t border, unsigned n,
                  const int32_t *restrict base, const int32_t *restrict x, const int32_t *restrict y,
                  uint32_t *restrict texel)
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

/* One slice of a level, filtered; channels 0..255. */
static void sample_slice(const struct raster_texture_level *level, bool linear, bool bordered, uint32_t border,
                         unsigned n, const int32_t *base, const struct axis *u, const struct axis *v,
                         float (*restrict out)[MAX_LANES])
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
static void fetch_wide(const struct raster_texture_level *level, bool bordered, float border, unsigned c, unsigned n,
                       const int32_t *restrict base, const int32_t *restrict x, const int32_t *restrict y,
                       float *restrict texel)
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
static __attribute__((noinline)) void sample_slice_wide(const struct raster_texture_level *level, bool linear,
                                                        bool bordered, const float border[4], unsigned n,
                                                        const int32_t *base, const struct axis *u,
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
            float top = to[l] + (t10[l] - to[l]) * wu[l], bottom = t01[l] + (t11[l] - t01[l]) * wu[l];

            to[l] = top + (bottom - top) * wv[l];
        }
    }
}

/* near += (far - near) * weight, all channels. */
static void mix(unsigned n, float (*restrict near)[MAX_LANES], float (*restrict far)[MAX_LANES],
                const float *restrict weight)
{
    for (unsigned c = 0; c < 4; c++) {
        float *restrict a = near[c];
        const float *restrict b = far[c];

        LANES(n)
            a[l] = a[l] + (b[l] - a[l]) * weight[l];
    }
}

static void slice_base(unsigned n, const int32_t *restrict index, int32_t slice, int32_t *restrict base)
{
    LANES(n)
        base[l] = index[l] < 0 ? BORDER_TEXEL : index[l] * slice;
}

/* One slice of whatever the texture holds. */
static inline void sample_any_slice(const struct raster_sampler *sampler, const struct raster_texture_level *level,
                                    bool linear, bool bordered, unsigned n, const int32_t *base, const struct axis *u,
                                    const struct axis *v, float (*restrict out)[MAX_LANES])
{
    if (sampler->texture->is_wide)
        sample_slice_wide(level, linear, bordered, sampler->border, n, base, u, v, out);
    else
        sample_slice(level, linear, bordered, bordered ? border_texel(sampler) : 0, n, base, u, v, out);
}

static void sample_level(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                         bool linear, float (*restrict out)[MAX_LANES])
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *level = &texture->level[index];
    bool cube = texture->kind == RASTER_TEXTURE_CUBE, volume = texture->kind == RASTER_TEXTURE_VOLUME;
    unsigned mode_u = cube ? RASTER_CLAMP : sampler->address[0], mode_v = cube ? RASTER_CLAMP : sampler->address[1];
    bool bordered = mode_u == RASTER_BORDER || mode_v == RASTER_BORDER ||
                    (volume && sampler->address[2] == RASTER_BORDER);
    int32_t slice = (int32_t)level->slice, base[MAX_LANES] = {0};
    struct axis u, v, w;

    make_axis(mode_u, linear, n, place->u, level->width, &u);
    make_axis(mode_v, linear, n, place->v, level->height, &v);
    if (!volume) {
        if (cube)
            slice_base(n, place->face, slice, base);
        sample_any_slice(sampler, level, linear, bordered, n, base, &u, &v, out);
        return;
    }
    make_axis(sampler->address[2], linear, n, place->w, level->depth, &w);
    slice_base(n, w.first, slice, base);
    sample_any_slice(sampler, level, linear, bordered, n, base, &u, &v, out);
    if (!linear)
        return;
    float far[4][MAX_LANES];
    slice_base(n, w.second, slice, base);
    sample_any_slice(sampler, level, linear, bordered, n, base, &u, &v, far);
    mix(n, out, far, w.weight);
}

/* --- level of detail ------------------------------------------------------------------------------ */

#define MAX_QUADS (MAX_LANES / 4)

/* What quads do: first level, whether it is filtered, and how much of the next level is mixed in. */
struct quad_levels {
    int32_t level[MAX_QUADS], linear[MAX_QUADS];
    float fraction[MAX_QUADS];
};

/* Adds the squared differences of one axis inside quads, in texels. */
static void add_footprint(unsigned quads, const float *restrict t, float size, float *restrict x, float *restrict y)
{
    for (unsigned q = 0; q < quads; q++) {
        float dx = (t[4 * q + 1] - t[4 * q]) * size, dy = (t[4 * q + 2] - t[4 * q]) * size;

        x[q] += dx * dx;
        y[q] += dy * dy;
    }
}

/* Level of detail of each quad: log2 of the footprint's longer side in texels of level 0. */
static void quad_lods(const struct raster_sampler *sampler, const struct place *place, unsigned quads, float *lod)
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *top = &texture->level[0];
    float x[MAX_QUADS] = {0}, y[MAX_QUADS] = {0}, bias = sampler->lod_bias;

    add_footprint(quads, place->u, (float)top->width, x, y);
    add_footprint(quads, place->v, (float)top->height, x, y);
    if (texture->kind == RASTER_TEXTURE_VOLUME)
        add_footprint(quads, place->w, (float)top->depth, x, y);
    for (unsigned q = 0; q < quads; q++)
        lod[q] = 0.5f * raster_log2(x[q] > y[q] ? x[q] : y[q]) + bias;
}

/* Magnification up to level of detail 0, decided after the clamp to the levels that may be read. */
static void choose_levels(const struct raster_sampler *sampler, const struct place *place, unsigned quads,
                          struct quad_levels *out)
{
    int32_t last = (int32_t)sampler->texture->level_count - 1, base = BASE_MIN(sampler->base_level, last);
    int32_t mag = sampler->mag_filter >= RASTER_FILTER_LINEAR, min = sampler->min_filter >= RASTER_FILTER_LINEAR;
    bool mipped = sampler->mip_filter != RASTER_FILTER_NONE;
    float low = mipped ? (float)base : -128.0f, high = mipped ? (float)last : 128.0f, computed[MAX_QUADS];
    const float *lod = place->lod ? place->lod : computed;
    int32_t round = sampler->mip_filter == RASTER_FILTER_LINEAR ? 0 : 128;
    int32_t fraction_mask = sampler->mip_filter == RASTER_FILTER_LINEAR ? 255 : 0;

    if (!place->lod)
        quad_lods(sampler, place, quads, computed);
    for (unsigned q = 0; q < quads; q++) {
        float clamped = limit(lod[q], low, high);
        int32_t magnified = !(clamped > 0.0f), fixed = magnified ? 0 : (int32_t)(clamped * 256.0f + 0.5f);
        int32_t level = (fixed + round) >> 8;

        level = level < last ? level : last;
        out->linear[q] = magnified ? mag : min;
        out->level[q] = !mipped || magnified ? base : level;
        out->fraction[q] = mipped && level < last ? (float)(fixed & fraction_mask) * (1.0f / 256.0f) : 0.0f;
    }
}

static bool same_levels(const struct quad_levels *levels, unsigned a, unsigned b)
{
    return levels->level[a] == levels->level[b] && levels->linear[a] == levels->linear[b] &&
           (levels->fraction[a] > 0.0f) == (levels->fraction[b] > 0.0f);
}

/* Fills `levels`; true if all quads read the same levels with the same filter. */
static bool quad_levels(const struct raster_sampler *sampler, const struct place *place, unsigned quads,
                        struct quad_levels *levels)
{
    bool uniform = true;

    if (sampler->mip_filter == RASTER_FILTER_NONE && sampler->mag_filter == sampler->min_filter) {
        levels->level[0] = BASE_MIN(sampler->base_level, (int32_t)sampler->texture->level_count - 1);
        levels->linear[0] = sampler->mag_filter >= RASTER_FILTER_LINEAR;
        levels->fraction[0] = 0.0f;
        return true;
    }
    choose_levels(sampler, place, quads, levels);
    for (unsigned q = 1; q < quads; q++)
        uniform &= same_levels(levels, 0, q);
    return uniform;
}

/* --- batches ------------------------------------------------------------------------------------------ */

/* All lanes read the levels of quad `first`; fractions are per quad, from that of `first` on. */
static void sample_uniform(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                           const struct quad_levels *levels, unsigned first, const float *fraction,
                           float (*out)[MAX_LANES])
{
    unsigned level = (unsigned)levels->level[first];

    sample_level(sampler, place, n, level, levels->linear[first], out);
    if (levels->fraction[first] > 0.0f) {
        float next[4][MAX_LANES], weight[MAX_LANES];

        sample_level(sampler, place, n, level + 1, levels->linear[first], next);
        LANES(n)
            weight[l] = fraction[l >> 2];
        mix(n, out, next, weight);
    }
}

/* The lanes of one group, whose quads differ: once per distinct choice of levels. */
static void sample_mixed(const struct raster_sampler *sampler, const struct place *place, unsigned lane,
                         const struct quad_levels *levels, float (*out)[MAX_LANES])
{
    unsigned first = lane / 4, done = 0;
    struct place part;

    memcpy(part.u, &place->u[lane], G * sizeof(float));
    memcpy(part.v, &place->v[lane], G * sizeof(float));
    memcpy(part.w, &place->w[lane], G * sizeof(float));
    memcpy(part.face, &place->face[lane], G * sizeof(int32_t));
    for (unsigned q = 0; q < 4; q++) {
        float texel[4][MAX_LANES];
        unsigned quads = 0;

        if (done & (1u << q))
            continue;
        for (unsigned k = q; k < 4; k++)
            quads |= (unsigned)same_levels(levels, first + q, first + k) << k;
        done |= quads;
        sample_uniform(sampler, &part, G, levels, first + q, &levels->fraction[first], texel);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < G; l++)
                out[c][lane + l] = quads & (1u << (l >> 2)) ? texel[c][l] : out[c][lane + l];
    }
}

/* Face and coordinates of cube directions; a quad uses the face of its first lane. */
static void cube_place(struct place *place, unsigned n)
{
    LANES(n)
    {
        unsigned first = l & ~3u;
        float ax = fabsf(place->u[first]), ay = fabsf(place->v[first]), az = fabsf(place->w[first]);

        place->face[l] = az >= ax && az >= ay ? (place->w[first] < 0.0f ? 5 : 4)
                         : ay >= ax           ? (place->v[first] < 0.0f ? 3 : 2)
                                              : (place->u[first] < 0.0f ? 1 : 0);
    }
    /* Per face: which of x, y, z (negated from 3 on) are sc, tc and the major axis. */
    static const uint8_t axes[6][3] = {{5, 4, 0}, {2, 4, 3}, {0, 2, 1}, {0, 5, 4}, {0, 4, 2}, {3, 4, 5}};
    LANES(n)
    {
        const uint8_t *axis = axes[place->face[l]];
        float d[6] = {place->u[l], place->v[l], place->w[l], -place->u[l], -place->v[l], -place->w[l]};

        place->u[l] = 0.5f * (d[axis[0]] / d[axis[2]] + 1.0f);
        place->v[l] = 0.5f * (d[axis[1]] / d[axis[2]] + 1.0f);
    }
}

static void finish(const struct raster_texture *texture, unsigned n, float (*restrict texel)[MAX_LANES],
                   float (*result)[RASTER_LANES])
{
    for (unsigned c = 0; c < 4; c++) {
        float *restrict out = result[c];
        const float *restrict in = texel[c];

        if (c == 3 && texture->opaque) {
            LANES(n)
                out[l] = 1.0f;
        } else if (texture->is_signed) {
            LANES(n)
            {
                float v = (in[l] - 128.0f) * (1.0f / 127.0f);

                out[l] = v > -1.0f ? v : -1.0f;
            }
        } else if (texture->is_wide) {
            memcpy(out, in, n * sizeof(*out));
        } else {
            LANES(n)
                out[l] = in[l] * (1.0f / 255.0f);
        }
    }
}

static void sample_nothing(unsigned n, float (*result)[RASTER_LANES])
{
    for (unsigned c = 0; c < 4; c++)
        LANES(n)
            result[c][l] = c == 3 ? 1.0f : 0.0f;
}

static void place_lanes(const struct raster_texture *texture, unsigned n, const float (*coordinate)[RASTER_LANES],
                        struct place *place)
{
    memcpy(place->u, coordinate[0], n * sizeof(float));
    memcpy(place->v, coordinate[1], n * sizeof(float));
    memcpy(place->w, coordinate[2], n * sizeof(float));
    memset(place->face, 0, n * sizeof(int32_t));
    place->lod = NULL;
    if (texture->kind == RASTER_TEXTURE_CUBE)
        cube_place(place, n);
}

static void sample_place(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         float (*result)[RASTER_LANES])
{
    float texel[4][MAX_LANES];
    struct quad_levels levels;

    if (quad_levels(sampler, place, n / 4, &levels))
        sample_uniform(sampler, place, n, &levels, 0, levels.fraction, texel);
    else
        for (unsigned lane = 0; lane < n; lane += G)
            sample_mixed(sampler, place, lane, &levels, texel);
    finish(sampler->texture, n, texel, result);
}

void KERNEL(raster_sample)(const struct raster_sampler *sampler, unsigned group_count,
                           const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES])
{
    unsigned n = group_count * G;
    struct place place;

    if (!sampler->texture) {
        sample_nothing(n, result);
        return;
    }
    place_lanes(sampler->texture, n, coordinate, &place);
    sample_place(sampler, &place, n, result);
}

/* --- level of detail from the caller --------------------------------------------------------------------- */

/* Levels of detail from gradients: as quads that differ by just them have it. Cubes need the place too, for the face
 * that the direction is on. */
static void gradient_lods(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                          const float (*gradient)[RASTER_LANES], float *lod)
{
    bool cube = sampler->texture->kind == RASTER_TEXTURE_CUBE;
    float moved[3][RASTER_LANES];
    struct place place;

    for (unsigned c = 0; c < 3; c++)
        for (unsigned l = 0; l < n; l += 4) {
            float at = cube ? coordinate[c][l] : 0.0f;

            moved[c][l] = moved[c][l + 3] = at;
            moved[c][l + 1] = at + gradient[c][l];
            moved[c][l + 2] = at + gradient[c + 3][l];
        }
    place_lanes(sampler->texture, n, (const float(*)[RASTER_LANES])moved, &place);
    quad_lods(sampler, &place, n / 4, lod);
}

/* The level of each lane is exact, also where lanes of a quad differ: then quads of equal lanes are sampled. */
static void sample_given(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                         const float *lod, float (*result)[RASTER_LANES])
{
    bool uniform = sampler->texture->kind != RASTER_TEXTURE_CUBE;
    float spread[3][RASTER_LANES], texel[4][RASTER_LANES], quad_lod[MAX_QUADS];
    struct place place;

    for (unsigned l = 0; l < n; l++)
        uniform &= lod[l] == lod[l & ~3u];
    for (unsigned lane = 0; lane < (uniform ? 1 : 4); lane++) {
        for (unsigned q = 0; q < n / 4; q++)
            quad_lod[q] = lod[4 * q + lane] + sampler->lod_bias;
        for (unsigned c = 0; c < 3; c++)
            LANES(n)
                spread[c][l] = coordinate[c][uniform ? l : (l & ~3u) + lane];
        place_lanes(sampler->texture, n, (const float(*)[RASTER_LANES])spread, &place);
        place.lod = quad_lod;
        sample_place(sampler, &place, n, uniform ? result : texel);
        for (unsigned c = 0; !uniform && c < 4; c++)
            for (unsigned l = lane; l < n; l += 4)
                result[c][l] = texel[c][l];
    }
}

void KERNEL(raster_sample_lod)(const struct raster_sampler *sampler, unsigned group_count,
                               const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                               const float (*lod)[RASTER_LANES], float (*result)[RASTER_LANES])
{
    unsigned n = group_count * G;
    float quad_lod[MAX_QUADS];
    struct place place;

    if (mode == RASTER_LOD_COMPUTED || !sampler->texture) {
        KERNEL(raster_sample)(sampler, group_count, coordinate, result);
        return;
    }
    if (mode == RASTER_LOD_GIVEN) {
        sample_given(sampler, n, coordinate, lod[0], result);
        return;
    }
    place_lanes(sampler->texture, n, coordinate, &place);
    if (mode == RASTER_LOD_GRADIENTS) {
        gradient_lods(sampler, n, coordinate, lod, quad_lod);
    } else {
        quad_lods(sampler, &place, n / 4, quad_lod);
        for (unsigned q = 0; q < n / 4; q++)
            quad_lod[q] += lod[0][4 * q];
    }
    place.lod = quad_lod;
    sample_place(sampler, &place, n, result);
}
