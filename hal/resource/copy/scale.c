/* SPDX-License-Identifier: MIT */
/* Stretches rows and columns of 8-bit colours, with linear filtering or without. */
#include "hal/resource/copy/scale.h"

#include "base/base.h"
#include "base/simd/simd4.h"

#include <stdlib.h>
#include <string.h>

struct hal_tap hal_make_tap(uint32_t i, uint32_t destination_size, uint32_t source_size, bool linear)
{
    int64_t centre = ((int64_t)2 * i + 1) * source_size * 128 / destination_size; /* 24.8 */
    int64_t last = (int64_t)source_size - 1, first;
    if (!linear) {
        first = centre >> 8;
        return (struct hal_tap){(uint32_t)BASE_MIN(first, last), (uint32_t)BASE_MIN(first, last), 0};
    }
    centre = BASE_MAX(centre - 128, 0);
    first = BASE_MIN(centre >> 8, last);
    return (struct hal_tap){(uint32_t)first, (uint32_t)BASE_MIN(first + 1, last), (uint32_t)(centre & 255)};
}

/* --- mixing ----------------------------------------------------------------------------------------- */

/* The scalar definition of the vector code below, which computes four texels at once. */
static uint32_t mix_texel(uint32_t a, uint32_t b, uint32_t weight)
{
    uint32_t result = 0;

    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint32_t v = (a >> shift & 0xFF) * (256 - weight) + (b >> shift & 0xFF) * weight;

        result |= (v + 128) >> 8 << shift;
    }
    return result;
}

/* a (256 - weight) + b weight + 128 is below 2^16, so that sums and products modulo 2^16 give it. */
static inline int4 mix_halves(int4 a, int4 b, int4 weight)
{
    const int4 scaled = int4_mul16(a, int4_splat16(256)), step = int4_mul16(int4_sub16(b, a), weight);

    return int4_right16(int4_add16(int4_add16(scaled, step), int4_splat16(128)), 8);
}

static inline int4 mix_texels(int4 a, int4 b, int4 weight_low, int4 weight_high)
{
    return int4_pack8(mix_halves(int4_low_bytes(a), int4_low_bytes(b), weight_low),
                      mix_halves(int4_high_bytes(a), int4_high_bytes(b), weight_high));
}

static void mix_rows(uint32_t *row, const uint32_t *upper, const uint32_t *lower, uint32_t weight, uint32_t width)
{
    const int4 weights = int4_splat16((uint16_t)weight);
    uint32_t x = 0;

    for (; x + 4 <= width; x += 4)
        int4_store(row + x, mix_texels(int4_load(upper + x), int4_load(lower + x), weights, weights));
    for (; x < width; x++)
        row[x] = mix_texel(upper[x], lower[x], weight);
}

/* --- rows of the source -------------------------------------------------------------------------------- */

struct scaler {
    const struct hal_scale *scale;
    uint32_t width; /* of the destination's rectangle */
    bool as_it_is;  /* the same columns in the source */
    struct hal_tap *columns;
    uint64_t *weights;    /* of columns, four times 16 bits for the channels of a texel */
    uint32_t *decoded;    /* a row of the source */
    uint32_t *sampled[2]; /* rows of the source at the destination's columns: even ones and odd ones */
    int64_t held[2];      /* numbers of these rows; -1: none */
};

static void sample_columns(const struct scaler *s, uint32_t *row, const uint32_t *texels)
{
    const struct hal_tap *c = s->columns;
    uint32_t x = 0;

    if (!s->scale->linear) {
        for (; x < s->width; x++)
            row[x] = texels[c[x].first];
        return;
    }
    for (; x + 4 <= s->width; x += 4) {
        const struct hal_tap *t = c + x;
        const uint32_t a[4] = {texels[t[0].first], texels[t[1].first], texels[t[2].first], texels[t[3].first]};
        const uint32_t b[4] = {texels[t[0].second], texels[t[1].second], texels[t[2].second], texels[t[3].second]};
        const uint64_t *w = s->weights + x;

        int4_store(row + x, mix_texels((int4){(int32_t)a[0], (int32_t)a[1], (int32_t)a[2], (int32_t)a[3]},
                                       (int4){(int32_t)b[0], (int32_t)b[1], (int32_t)b[2], (int32_t)b[3]},
                                       int4_of_halves(w[0], w[1]), int4_of_halves(w[2], w[3])));
    }
    for (; x < s->width; x++)
        row[x] = mix_texel(texels[c[x].first], texels[c[x].second], c[x].weight);
}

/* Row y of the source at the destination's columns. Valid until the next but one row is requested. */
static const uint32_t *sampled_row(struct scaler *s, uint32_t y)
{
    const struct hal_scale *scale = s->scale;
    const unsigned slot = y & 1;

    if (s->held[slot] != (int64_t)y) {
        uint32_t *texels = s->as_it_is ? s->sampled[slot] : s->decoded;

        raster_decode(scale->source_format, scale->source + y * scale->source_pitch, scale->source_pitch, texels,
                      (size_t)scale->source_width * 4, scale->source_width, 1, NULL);
        if (!s->as_it_is)
            sample_columns(s, s->sampled[slot], texels);
        s->held[slot] = y;
    }
    return s->sampled[slot];
}

static bool scaler_init(struct scaler *s, const struct hal_scale *scale)
{
    const uint32_t width = (uint32_t)(scale->to.right - scale->to.left);

    *s = (struct scaler){.scale = scale, .width = width, .as_it_is = width == scale->source_width, .held = {-1, -1}};
    s->columns = mem_calloc(width, sizeof(*s->columns));
    s->weights = mem_calloc(width, sizeof(*s->weights));
    s->decoded = mem_calloc(BASE_MAX(width, scale->source_width), sizeof(*s->decoded));
    for (unsigned i = 0; i < 2; i++)
        s->sampled[i] = mem_calloc(width, sizeof(*s->sampled[i]));
    if (!s->columns || !s->weights || !s->decoded || !s->sampled[0] || !s->sampled[1])
        return false;
    for (uint32_t x = 0; x < width && !s->as_it_is; x++) {
        s->columns[x] = hal_make_tap(x, width, scale->source_width, scale->linear);
        s->weights[x] = s->columns[x].weight * 0x0001000100010001u;
    }
    return true;
}

static void scaler_free(struct scaler *s)
{
    free(s->columns);
    free(s->weights);
    free(s->decoded);
    free(s->sampled[0]);
    free(s->sampled[1]);
}

HRESULT hal_scale_colors(const struct hal_scale *scale)
{
    const uint32_t height = (uint32_t)(scale->to.bottom - scale->to.top);
    const size_t bytes = raster_format_info(scale->format)->block_bytes;
    struct scaler s;
    HRESULT hr = DDERR_OUTOFMEMORY;

    if (!scaler_init(&s, scale))
        goto done;
    for (uint32_t y = 0; y < height; y++) {
        const struct hal_tap line = hal_make_tap(y, height, scale->source_height, scale->linear);
        const uint32_t *row = sampled_row(&s, line.first);

        if (line.weight) {
            mix_rows(s.decoded, row, sampled_row(&s, line.second), line.weight, s.width);
            row = s.decoded;
        }
        raster_encode(scale->format, row, (size_t)s.width * 4,
                      scale->memory + ((size_t)scale->to.top + y) * scale->pitch + (size_t)scale->to.left * bytes,
                      scale->pitch, s.width, 1);
    }
    hr = DD_OK;
done:
    scaler_free(&s);
    return hr;
}
