/* SPDX-License-Identifier: MIT */
/*
 * Texture sampling, one 4x4 group at a time; compiled once per CPU level. A quad shares one level of detail. Coordinates
 * are snapped to 1/256 texel (8-bit filter weights); filtering keeps results between the least and the largest
 * tap, and a constant texture constant. Source: reference raster.md 6.
 */
#include "raster/kernels.h"

#include <math.h>
#include <string.h>
#if KERNEL_LEVEL > 1
#include <immintrin.h>
#endif

#define LANES for (unsigned l = 0; l < G; l++)

/* What a group reads of one axis: two texels and the weight of the second in 1/256. */
struct axis {
    int32_t first[G], second[G];
    float weight[G];
};

/* Texel index outside the texture whose place the border colour takes. */
#define BORDER_TEXEL (-1)

/* Coordinate in texels, brought near the texture so that integers suffice; NaN becomes the low end. */
static inline float limit(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

/* Texel coordinates s = u * size after what the address mode does to u. */
static void scale_coordinate(unsigned mode, const float *restrict u, float size, float *restrict s)
{
    switch (mode) {
    case RASTER_WRAP:
        LANES
            s[l] = limit(u[l] - floorf(u[l]), 0.0f, 1.0f) * size;
        break;
    case RASTER_MIRROR:
        LANES
        {
            float t = limit(u[l] - 2.0f * floorf(u[l] * 0.5f), 0.0f, 2.0f);

            s[l] = (t > 1.0f ? 2.0f - t : t) * size;
        }
        break;
    case RASTER_MIRROR_ONCE:
        LANES
            s[l] = limit(u[l] < 0.0f ? -u[l] : u[l], 0.0f, 2.0f) * size;
        break;
    default:
        LANES
            s[l] = limit(u[l], -1.0f, 2.0f) * size;
        break;
    }
}

static inline int32_t clamp_index(int32_t i, int32_t size)
{
    i = i < 0 ? 0 : i;
    return i < size ? i : size - 1;
}

/* The mode's rule for an index that is at most one texel outside (any distance for clamp and border). */
static void wrap_indices(unsigned mode, int32_t size, int32_t *restrict i)
{
    if (mode == RASTER_WRAP) {
        LANES
        {
            int32_t t = i[l] < 0 ? i[l] + size : i[l];

            i[l] = clamp_index(t >= size ? t - size : t, size);
        }
    } else if (mode == RASTER_BORDER) {
        LANES
            i[l] = i[l] < 0 || i[l] >= size ? BORDER_TEXEL : i[l];
    } else {
        /* mirroring repeats the edge texel, as clamping does */
        LANES
            i[l] = clamp_index(i[l], size);
    }
}

static void make_axis(unsigned mode, bool linear, const float *u, uint32_t size, struct axis *axis)
{
    float s[G];

    scale_coordinate(mode, u, (float)size, s);
    if (!linear) {
        LANES
        {
            axis->first[l] = (int32_t)floorf(s[l] + 1.0f / 512.0f);
            axis->weight[l] = 0.0f;
        }
        wrap_indices(mode, (int32_t)size, axis->first);
        return;
    }
    LANES
    {
        int32_t q = (int32_t)floorf((s[l] - 0.5f) * 256.0f + 0.5f);

        axis->first[l] = q >> 8;
        axis->second[l] = (q >> 8) + 1;
        axis->weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
    wrap_indices(mode, (int32_t)size, axis->first);
    wrap_indices(mode, (int32_t)size, axis->second);
}

static uint32_t border_texel(const struct raster_sampler *sampler)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    uint32_t texel = 0;

    for (unsigned c = 0; c < 4; c++)
        texel |= (uint32_t)(int32_t)(limit(sampler->border[c], 0.0f, 1.0f) * 255.0f + 0.5f) << shift[c];
    return texel;
}

static inline void gather(const uint32_t *texels, const int32_t *restrict index, uint32_t *restrict texel)
{
#if KERNEL_LEVEL == 3
    _mm512_storeu_si512(texel, _mm512_i32gather_epi32(_mm512_loadu_si512(index), texels, 4));
#elif KERNEL_LEVEL == 2
    for (unsigned l = 0; l < G; l += 8) {
        __m256i i = _mm256_loadu_si256((const __m256i *)(index + l));

        _mm256_storeu_si256((__m256i *)(texel + l), _mm256_i32gather_epi32((const int *)texels, i, 4));
    }
#else
    LANES
        texel[l] = texels[index[l]];
#endif
}

/* Texels at (x, y) of the slice at base; BORDER_TEXEL in an index gives the border colour. */
static void fetch(const struct raster_texture_level *level, bool bordered, uint32_t border, const int32_t *restrict base,
                  const int32_t *restrict x, const int32_t *restrict y, uint32_t *restrict texel)
{
    const uint32_t *texels = level->texels;
    int32_t pitch = (int32_t)level->pitch;

    int32_t index[G];

    LANES
        index[l] = base[l] + y[l] * pitch + x[l];
    if (!bordered) {
        gather(texels, index, texel);
        return;
    }
    int32_t outside[G];
    LANES
    {
        outside[l] = (x[l] | y[l] | base[l]) >> 31; /* BORDER_TEXEL is the only negative value */
        index[l] &= ~outside[l];
    }
    gather(texels, index, texel);
    LANES
        texel[l] = outside[l] ? border : texel[l];
}

static inline float channel(uint32_t texel, unsigned shift)
{
    return (float)(int32_t)((texel >> shift) & 255);
}

/* One slice of a level, filtered; channels 0..255. */
static void sample_slice(const struct raster_texture_level *level, bool linear, bool bordered, uint32_t border,
                         const int32_t *base, const struct axis *u, const struct axis *v, float (*restrict out)[G])
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    uint32_t t00[G], t10[G], t01[G], t11[G];

    fetch(level, bordered, border, base, u->first, v->first, t00);
    if (!linear) {
        for (unsigned c = 0; c < 4; c++)
            LANES
                out[c][l] = channel(t00[l], shift[c]);
        return;
    }
    fetch(level, bordered, border, base, u->second, v->first, t10);
    fetch(level, bordered, border, base, u->first, v->second, t01);
    fetch(level, bordered, border, base, u->second, v->second, t11);
    for (unsigned c = 0; c < 4; c++) {
        unsigned s = shift[c];

        LANES
        {
            float a = channel(t00[l], s), b = channel(t01[l], s);
            float top = a + (channel(t10[l], s) - a) * u->weight[l];
            float bottom = b + (channel(t11[l], s) - b) * u->weight[l];

            out[c][l] = top + (bottom - top) * v->weight[l];
        }
    }
}

/* Where the lanes of a group sample: coordinates per axis and, for cubes, the face. */
struct group_place {
    float u[G], v[G], w[G];
    int32_t face[G];
};

static void sample_level(const struct raster_sampler *sampler, const struct group_place *place, unsigned index,
                         bool linear, float (*restrict out)[G])
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *level = &texture->level[index];
    bool cube = texture->kind == RASTER_TEXTURE_CUBE, volume = texture->kind == RASTER_TEXTURE_VOLUME;
    unsigned mode_u = cube ? RASTER_CLAMP : sampler->address[0], mode_v = cube ? RASTER_CLAMP : sampler->address[1];
    bool bordered = mode_u == RASTER_BORDER || mode_v == RASTER_BORDER ||
                    (volume && sampler->address[2] == RASTER_BORDER);
    uint32_t border = bordered ? border_texel(sampler) : 0;
    int32_t slice = (int32_t)level->slice, base[G];
    struct axis u, v, w;

    make_axis(mode_u, linear, place->u, level->width, &u);
    make_axis(mode_v, linear, place->v, level->height, &v);
    if (!volume) {
        LANES
            base[l] = cube ? place->face[l] * slice : 0;
        sample_slice(level, linear, bordered, border, base, &u, &v, out);
        return;
    }
    make_axis(sampler->address[2], linear, place->w, level->depth, &w);
    LANES
        base[l] = w.first[l] < 0 ? -1 : w.first[l] * slice;
    sample_slice(level, linear, bordered, border, base, &u, &v, out);
    if (!linear)
        return;
    float far[4][G];
    LANES
        base[l] = w.second[l] < 0 ? -1 : w.second[l] * slice;
    sample_slice(level, linear, bordered, border, base, &u, &v, far);
    for (unsigned c = 0; c < 4; c++)
        LANES
            out[c][l] = out[c][l] + (far[c][l] - out[c][l]) * w.weight[l];
}

/* --- level of detail ------------------------------------------------------------------------------ */

/* log2 of a positive float, absolute error below 1/2000; 0 gives about -127. */
static float log2_approximate(float v)
{
    uint32_t bits;
    float m;

    memcpy(&bits, &v, sizeof(bits));
    int32_t exponent = (int32_t)(bits >> 23 & 255) - 127;
    bits = (bits & 0x007fffff) | 0x3f800000;
    memcpy(&m, &bits, sizeof(m));
    m -= 1.0f;
    return (float)exponent + m * (1.44179f + m * (-0.70770f + m * (0.41280f + m * (-0.19250f + m * 0.04561f))));
}

/* What a quad does: first level, filter, and how much of the next level is mixed in (1/256). */
struct quad_lod {
    uint8_t level, linear;
    float fraction;
};

/* Squared length of the footprint's longer side in texels of level 0. */
static float footprint(const struct raster_texture *texture, const struct group_place *place, unsigned quad)
{
    const struct raster_texture_level *top = &texture->level[0];
    const float *u = &place->u[quad * 4], *v = &place->v[quad * 4], *w = &place->w[quad * 4];
    float width = (float)top->width, height = (float)top->height;
    float xu = (u[1] - u[0]) * width, xv = (v[1] - v[0]) * height;
    float yu = (u[2] - u[0]) * width, yv = (v[2] - v[0]) * height;
    float x = xu * xu + xv * xv, y = yu * yu + yv * yv;

    if (texture->kind == RASTER_TEXTURE_VOLUME) {
        float xw = (w[1] - w[0]) * (float)top->depth, yw = (w[2] - w[0]) * (float)top->depth;

        x += xw * xw;
        y += yw * yw;
    }
    return x > y ? x : y;
}

static struct quad_lod quad_lod(const struct raster_sampler *sampler, const struct group_place *place, unsigned quad)
{
    const struct raster_texture *texture = sampler->texture;
    unsigned last = texture->level_count - 1, base = BASE_MIN(sampler->base_level, last);
    struct quad_lod result = {.level = (uint8_t)base, .linear = sampler->mag_filter >= RASTER_FILTER_LINEAR};

    if (sampler->mip_filter == RASTER_FILTER_NONE && sampler->mag_filter == sampler->min_filter)
        return result;
    float lod = 0.5f * log2_approximate(footprint(texture, place, quad)) + sampler->lod_bias;
    if (sampler->mip_filter != RASTER_FILTER_NONE)
        lod = limit(lod, (float)base, (float)last);
    if (!(lod > 0.0f))
        return result;
    result.linear = sampler->min_filter >= RASTER_FILTER_LINEAR;
    if (sampler->mip_filter == RASTER_FILTER_NONE)
        return result;
    int32_t fixed = (int32_t)(lod * 256.0f + 0.5f);
    if (sampler->mip_filter == RASTER_FILTER_POINT) {
        result.level = (uint8_t)BASE_MIN((unsigned)(fixed + 128) >> 8, last);
        return result;
    }
    result.level = (uint8_t)BASE_MIN((unsigned)fixed >> 8, last);
    if (result.level < last)
        result.fraction = (float)(fixed & 255) * (1.0f / 256.0f);
    return result;
}

/* --- groups -------------------------------------------------------------------------------------------- */

static inline bool same_levels(const struct quad_lod *a, const struct quad_lod *b)
{
    return a->level == b->level && a->linear == b->linear && (a->fraction > 0.0f) == (b->fraction > 0.0f);
}

static void sample_group(const struct raster_sampler *sampler, const struct group_place *place, float (*out)[G])
{
    struct quad_lod lod[4];
    unsigned done = 0;

    for (unsigned q = 0; q < 4; q++)
        lod[q] = quad_lod(sampler, place, q);
    for (unsigned q = 0; q < 4; q++) {
        float near[4][G];
        unsigned quads = 0;

        if (done & (1u << q))
            continue;
        for (unsigned k = q; k < 4; k++)
            quads |= (unsigned)same_levels(&lod[q], &lod[k]) << k;
        done |= quads;
        sample_level(sampler, place, lod[q].level, lod[q].linear, near);
        if (lod[q].fraction > 0.0f) {
            float next[4][G];

            sample_level(sampler, place, lod[q].level + 1u, lod[q].linear, next);
            for (unsigned c = 0; c < 4; c++)
                LANES
                    near[c][l] = near[c][l] + (next[c][l] - near[c][l]) * lod[l >> 2].fraction;
        }
        if (quads == 15) {
            memcpy(out, near, sizeof(near));
            return;
        }
        for (unsigned c = 0; c < 4; c++)
            LANES
                out[c][l] = quads & (1u << (l >> 2)) ? near[c][l] : out[c][l];
    }
}

/* Face and coordinates of cube directions; a quad uses the face of its first lane. */
static void cube_place(struct group_place *place)
{
    for (unsigned l = 0; l < G; l++) {
        unsigned first = l & ~3u;
        float ax = fabsf(place->u[first]), ay = fabsf(place->v[first]), az = fabsf(place->w[first]);

        place->face[l] = az >= ax && az >= ay ? (place->w[first] < 0.0f ? 5 : 4)
                         : ay >= ax           ? (place->v[first] < 0.0f ? 3 : 2)
                                              : (place->u[first] < 0.0f ? 1 : 0);
    }
    for (unsigned l = 0; l < G; l++) {
        float x = place->u[l], y = place->v[l], z = place->w[l], sc, tc, ma;

        switch (place->face[l]) {
        case 0:
            sc = -z, tc = -y, ma = x;
            break;
        case 1:
            sc = z, tc = -y, ma = -x;
            break;
        case 2:
            sc = x, tc = z, ma = y;
            break;
        case 3:
            sc = x, tc = -z, ma = -y;
            break;
        case 4:
            sc = x, tc = -y, ma = z;
            break;
        default:
            sc = -x, tc = -y, ma = -z;
            break;
        }
        place->u[l] = 0.5f * (sc / ma + 1.0f);
        place->v[l] = 0.5f * (tc / ma + 1.0f);
    }
}

static void finish(const struct raster_texture *texture, float (*restrict texel)[G], float (*result)[RASTER_LANES],
                   unsigned lane)
{
    for (unsigned c = 0; c < 4; c++) {
        float *restrict out = &result[c][lane];

        if (c == 3 && texture->opaque) {
            LANES
                out[l] = 1.0f;
        } else if (texture->is_signed) {
            LANES
            {
                float v = (texel[c][l] - 128.0f) * (1.0f / 127.0f);

                out[l] = v > -1.0f ? v : -1.0f;
            }
        } else {
            LANES
                out[l] = texel[c][l] * (1.0f / 255.0f);
        }
    }
}

void KERNEL(raster_sample)(const struct raster_sampler *sampler, unsigned group_count,
                           const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES])
{
    const struct raster_texture *texture = sampler->texture;

    for (unsigned lane = 0; lane < group_count * G; lane += G) {
        struct group_place place;
        float texel[4][G];

        if (!texture) {
            for (unsigned c = 0; c < 4; c++)
                LANES
                    result[c][lane + l] = c == 3 ? 1.0f : 0.0f;
            continue;
        }
        memcpy(place.u, &coordinate[0][lane], sizeof(place.u));
        memcpy(place.v, &coordinate[1][lane], sizeof(place.v));
        memcpy(place.w, &coordinate[2][lane], sizeof(place.w));
        if (texture->kind == RASTER_TEXTURE_CUBE)
            cube_place(&place);
        sample_group(sampler, &place, texel);
        finish(texture, texel, result, lane);
    }
}
