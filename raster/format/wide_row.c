/* SPDX-License-Identifier: MIT */
/*
 * Rows of wide and depth formats to floats, four texels at once: a lane is a texel, a vector a word or a channel of all four.
 * A channel never crosses a 32-bit word of its texel. Rules: docs/reference/texture-sampling.md, section 6.
 */
#include "raster/format/wide_row.h"

#include "base/assert.h"
#include "base/simd/simd4.h"
#include "raster/format/texel.h"

#define MAX_WORDS (RASTER_TEXEL_BYTES / 4)

/* --- words of texels ------------------------------------------------------------------------------ */

static void transpose(int4 v[4])
{
    const int4 low0 = int4_low_words(v[0], v[1]), high0 = int4_high_words(v[0], v[1]);
    const int4 low1 = int4_low_words(v[2], v[3]), high1 = int4_high_words(v[2], v[3]);

    v[0] = int4_low_halves(low0, low1);
    v[1] = int4_high_halves(low0, low1);
    v[2] = int4_low_halves(high0, high1);
    v[3] = int4_high_halves(high0, high1);
}

/* word[w]: word w of four texels; for texels of two bytes, the upper half is 0. */
static inline void load_words(const uint8_t *source, unsigned texel_bytes, int4 word[MAX_WORDS])
{
    int4 halves;

    switch (texel_bytes) {
    case 2:
        halves = int4_load_low(source);
        word[0] = int4_low_words(halves & int4_splat(0xffff), int4_right(halves, 16));
        break;
    case 4:
        word[0] = int4_load(source);
        break;
    case 8:
        word[0] = int4_even(int4_load(source), int4_load(source + 16));
        word[1] = int4_odd(int4_load(source), int4_load(source + 16));
        break;
    default:
        BASE_ASSERT(texel_bytes == 16);
        for (unsigned w = 0; w < MAX_WORDS; w++)
            word[w] = int4_load(source + 16 * (size_t)w);
        transpose(word);
    }
}

/* --- channels ------------------------------------------------------------------------------------- */

/* texel_from_f32, four at once. */
static inline float4 from_f32(int4 bits)
{
    const int4 is_nan = (bits & int4_splat(0x7fffffff)) > int4_splat(0x7f800000);

    return (float4)int4_select(is_nan, int4_splat((int32_t)RASTER_NAN), bits);
}

/* texel_from_half, four at once. */
static inline float4 from_half(int4 half)
{
    const int4 magnitude = int4_left(half & int4_splat(0x7fff), 13), sign = int4_left(half & int4_splat(0x8000), 16);
    const int4 normal = int4_add(magnitude, int4_splat((127 - 15) << 23)), one = int4_splat((127 - 14) << 23);
    const int4 small = (int4)((float4)int4_add(magnitude, one) - (float4)one);
    const int4 large =
        int4_select(magnitude > int4_splat(0x1f << 23), int4_splat((int32_t)RASTER_NAN), int4_splat(0x7f800000));
    const int4 finite = int4_select(magnitude < int4_splat(1 << 23), small, normal);

    return (float4)(int4_select(magnitude < int4_splat(0x1f << 23), finite, large) | sign);
}

/* texel_from_20e4, four at once. */
static inline float4 from_20e4(int4 value)
{
    const float4 small = float4_from(value) * float4_splat(1.0f / 17179869184.0f);
    const int4 normal = int4_add(int4_left(value, 3), int4_splat((127 - 15) << 23));

    return (float4)int4_select(value < int4_splat(1 << 20), (int4)small, normal);
}

/* Both numbers of the division are floats, so that its float is the double's rounded: 53 bits are more than twice 24 and two. */
static inline float4 from_unorm(int4 field, unsigned bits)
{
    BASE_ASSERT(bits <= 24);
    return float4_from(field) / float4_splat((float)((1u << bits) - 1));
}

static float4 from_unorm32(int4 field)
{
    const double2 max = {4294967295.0, 4294967295.0}, half = {2147483648.0, 2147483648.0};
    const int4 biased = field ^ int4_splat(INT32_MIN); /* signed: less by 2^31 */
    const float4 low = double2_to_floats((double2_from_ints(biased) + half) / max);
    const float4 high = double2_to_floats((double2_from_ints(int4_high_halves(biased, biased)) + half) / max);

    return (float4)int4_low_halves((int4)low, (int4)high);
}

static inline float4 from_snorm(int4 field, unsigned bits)
{
    const int4 value = (int4)int4_left(field, (int)(32 - bits)) >> (int)(32 - bits);
    const float4 quotient = float4_from(value) / float4_splat((float)((1 << (bits - 1)) - 1));

    return float4_max(quotient, float4_splat(-1.0f));
}

static inline int4 field_of(int4 word, unsigned bits, unsigned shift)
{
    const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;

    return int4_right(word, (int)shift) & int4_splat((int32_t)mask);
}

static inline float4 channel_of(const struct raster_format_info *info, unsigned c, const int4 word[MAX_WORDS])
{
    const unsigned bits = info->bits[c];
    const int4 field = field_of(word[info->shift[c] / 32], bits, info->shift[c] % 32);

    if (info->type == RASTER_FLOAT)
        return bits == 16 ? from_half(field) : from_f32(field);
    if (info->type == RASTER_SNORM || (info->type == RASTER_SNORM_UNORM_ALPHA && c < 3))
        return from_snorm(field, bits);
    return from_unorm(field, bits);
}

/* Depth lies above the stencil. */
static inline float4 depth_of(unsigned texel_bytes, unsigned bits, bool is_float, int4 word)
{
    const int4 value = field_of(word, bits, 8 * texel_bytes - bits);

    if (is_float)
        return bits == 32 ? from_f32(value) : from_20e4(value);
    return bits == 32 ? from_unorm32(value) : from_unorm(value, bits);
}

/* --- rows ------------------------------------------------------------------------------------------ */

/* The texels left when the others have been decoded four at a time. */
#define REST(width) ((width) % SIMD4_LANES)

static inline void decode_texels(const struct raster_format_info *info, const uint8_t *source, float *texels)
{
    int4 word[MAX_WORDS], channel[4];

    load_words(source, info->block_bytes, word);
    for (unsigned c = 0; c < 4; c++)
        channel[c] = (int4)(info->bits[c] ? channel_of(info, c, word) : float4_splat(1.0f));
    transpose(channel);
    for (unsigned i = 0; i < SIMD4_LANES; i++)
        int4_store(texels + 4 * (size_t)i, channel[i]);
}

static void decode_channels(const struct raster_format_info *info, const uint8_t *source, float *texels, unsigned width)
{
    const size_t bytes = info->block_bytes, rest = REST(width), whole = width - rest;

    for (size_t x = 0; x < whole; x += SIMD4_LANES)
        decode_texels(info, source + x * bytes, texels + x * 4);
    if (rest) {
        uint8_t last[SIMD4_LANES * RASTER_TEXEL_BYTES] = {0};
        float decoded[SIMD4_LANES * 4];

        memcpy(last, source + whole * bytes, rest * bytes);
        decode_texels(info, last, decoded);
        memcpy(texels + whole * 4, decoded, rest * 4 * sizeof(float));
    }
}

/* Inline, so that each layout has a loop of its own: a shadow map is read whenever it was drawn to. */
static inline __attribute__((always_inline)) void decode_depths(unsigned bytes, unsigned bits, bool is_float,
                                                                const uint8_t *source, float *texels, unsigned width)
{
    const size_t rest = REST(width), whole = width - rest;
    int4 word[MAX_WORDS];

    for (size_t x = 0; x < whole; x += SIMD4_LANES) {
        load_words(source + x * bytes, bytes, word);
        float4_store(texels + x, depth_of(bytes, bits, is_float, word[0]));
    }
    if (rest) {
        uint8_t last[SIMD4_LANES * sizeof(uint32_t)] = {0};
        float decoded[SIMD4_LANES];

        memcpy(last, source + whole * bytes, rest * bytes);
        load_words(last, bytes, word);
        float4_store(decoded, depth_of(bytes, bits, is_float, word[0]));
        memcpy(texels + whole, decoded, rest * sizeof(float));
    }
}

void raster_decode_depth_row(const struct raster_format_info *info, const uint8_t *source, float *texels,
                             unsigned width)
{
    const bool is_float = info->type == RASTER_FLOAT;

    BASE_ASSERT(info->block_bytes == (info->depth_bits > 16 ? 4 : 2));
    switch (info->depth_bits) {
    case 15:
        decode_depths(2, 15, false, source, texels, width);
        break;
    case 16:
        decode_depths(2, 16, false, source, texels, width);
        break;
    case 24:
        if (is_float)
            decode_depths(4, 24, true, source, texels, width);
        else
            decode_depths(4, 24, false, source, texels, width);
        break;
    default:
        BASE_ASSERT(info->depth_bits == 32);
        if (is_float)
            decode_depths(4, 32, true, source, texels, width);
        else
            decode_depths(4, 32, false, source, texels, width);
    }
}

void raster_decode_wide_row(const struct raster_format_info *info, const uint8_t *source, float *texels, unsigned width)
{
    if (info->kind != RASTER_KIND_DEPTH) {
        decode_channels(info, source, texels, width);
        return;
    }
    raster_decode_depth_row(info, source, texels, width);
    for (size_t x = width; x-- > 0;)
        float4_store(texels + 4 * x, float4_splat(texels[x]));
}
