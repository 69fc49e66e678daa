/* SPDX-License-Identifier: MIT */
/*
 * Targets whose pixels are floats or do not fit 32-bit words: a general store, and a faster one for floats with all
 * channels written.
 */
#include "raster/kernels/blend.h"
#include "raster/format/texel.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define MAX_WORDS     (RASTER_TEXEL_BYTES / 4)

/* Texels of a group: the words of all lanes, lane by lane. */
struct wide_words {
    _Alignas(64) uint32_t w[MAX_WORDS][GROUP_LANES];
};

/* --- memory ----------------------------------------------------------------------------------- */

/* Where the lanes of a group lie. */
struct lane_places {
    uint8_t *at[GROUP_LANES];
};

/* (This takes few multiplications; in a loop over lanes the vectorizer would emit one for each.) */
static ALWAYS_INLINE void find_lanes(const struct raster_surface *s, unsigned bytes, int x, int y,
                                     struct lane_places *out)
{
    const size_t pitch = s->pitch;
    uint8_t *first = s->pixels + (size_t)y * pitch + (size_t)x * bytes;

    UNROLLED
    for (unsigned q = 0; q < 4; q++) {
        uint8_t *quad = first + (q >> 1) * 2 * pitch + (q & 1) * 2 * bytes;

        out->at[4 * q] = quad;
        out->at[4 * q + 1] = quad + bytes;
        out->at[4 * q + 2] = quad + pitch;
        out->at[4 * q + 3] = quad + pitch + bytes;
    }
}

static void load_lanes(const struct lane_places *places, unsigned bytes, uint32_t mask, struct wide_words *words)
{
    for (unsigned w = 0; w < bytes / 4; w++)
        FOR_GROUP_LANES {
            words->w[w][l] = 0;
            if (mask & (1u << l))
                memcpy(&words->w[w][l], places->at[l] + 4 * w, 4);
        }
}

static void store_lanes(const struct lane_places *places, unsigned bytes, uint32_t mask, const struct wide_words *words)
{
    for (unsigned w = 0; w < bytes / 4; w++)
        FOR_GROUP_LANES
            if (mask & (1u << l))
                memcpy(places->at[l] + 4 * w, &words->w[w][l], 4);
}

#if VEC == 1
static void load_whole(const struct lane_places *places, unsigned bytes, struct wide_words *words)
{
    load_lanes(places, bytes, 0xffff, words);
}

static void store_whole(const struct lane_places *places, unsigned bytes, const struct wide_words *words)
{
    store_lanes(places, bytes, 0xffff, words);
}
#else
static inline vecf words_load(const struct wide_words *words, unsigned w, unsigned l)
{
    return vecf_of_bits(veci_load(&words->w[w][l]));
}

static inline void words_store(struct wide_words *words, unsigned w, unsigned l, vecf v)
{
    veci_store(&words->w[w][l], veci_bits(v));
}

/* Whole groups of texels of 8 or 16 bytes: 16 bytes in memory are a texel, or two that are neighbours in a quad. */
static ALWAYS_INLINE void load_whole(const struct lane_places *places, unsigned bytes, struct wide_words *words)
{
    const float *const *at = (const float *const *)places->at;

    FOR_VECTORS(GROUP_LANES) {
        if (bytes == 8) {
            const vecf upper = fours_load(at + l, 0), lower = fours_load(at + l + 2, 0);
            const vecf left = vector_unpack_low(upper, lower), right = vector_unpack_high(upper, lower);

            words_store(words, 0, l, vector_unpack_low(left, right));
            words_store(words, 1, l, vector_unpack_high(left, right));
        } else {
            vecf texel[4];

            UNROLLED
            for (unsigned i = 0; i < 4; i++)
                texel[i] = fours_load(at + l + i, 0);
            vector_transpose(texel);
            UNROLLED
            for (unsigned w = 0; w < 4; w++)
                words_store(words, w, l, texel[w]);
        }
    }
}

static ALWAYS_INLINE void store_whole(const struct lane_places *places, unsigned bytes, const struct wide_words *words)
{
    float *const *at = (float *const *)places->at;

    FOR_VECTORS(GROUP_LANES) {
        if (bytes == 8) {
            const vecf first = words_load(words, 0, l), second = words_load(words, 1, l);

            fours_store(at + l, vector_unpack_low(first, second));
            fours_store(at + l + 2, vector_unpack_high(first, second));
        } else {
            vecf texel[4];

            UNROLLED
            for (unsigned w = 0; w < 4; w++)
                texel[w] = words_load(words, w, l);
            vector_transpose(texel);
            UNROLLED
            for (unsigned i = 0; i < 4; i++)
                fours_store(at + l + i, texel[i]);
        }
    }
}
#endif

/* load_group for any texels. */
static ALWAYS_INLINE void load_wide(const struct raster_surface *s, unsigned bytes, const struct raster_place *place,
                                    struct wide_words *words)
{
    struct lane_places places;

    if (bytes <= 4) {
        load_group(s, bytes, place->x, place->y, place->mask, words->w[0]);
        return;
    }
    find_lanes(s, bytes, place->x, place->y, &places);
    if (group_inside(s, place->x, place->y))
        load_whole(&places, bytes, words);
    else
        load_lanes(&places, bytes, place->mask, words);
}

/* store_group for any texels. */
static ALWAYS_INLINE void store_wide(const struct raster_surface *s, unsigned bytes, const struct raster_place *place,
                                     const struct wide_words *words)
{
    struct lane_places places;

    if (bytes <= 4) {
        store_group(s, bytes, place->x, place->y, place->mask, words->w[0]);
        return;
    }
    find_lanes(s, bytes, place->x, place->y, &places);
    if (group_inside(s, place->x, place->y))
        store_whole(&places, bytes, words);
    else
        store_lanes(&places, bytes, place->mask, words);
}

/* The lanes outside the mask keep the old contents. */
static ALWAYS_INLINE void keep_others(unsigned bytes, uint32_t mask, const struct wide_words *old,
                                      struct wide_words *words)
{
    for (unsigned w = 0; w < (bytes + 3) / 4; w++)
        FOR_VECTORS(GROUP_LANES)
            veci_store(&words->w[w][l], veci_select(mask >> l, veci_load(&words->w[w][l]), veci_load(&old->w[w][l])));
}

/* --- any format, any state ------------------------------------------------------------------- */

/* Channel c of the lanes' words; absent channels are 1. */
static void unpack_wide(const struct raster_format_info *info, unsigned c, const struct wide_words *words,
                        float *restrict out)
{
    const unsigned bits = info->bits[c], shift = info->shift[c] % 32;
    const uint32_t *restrict word = words->w[info->shift[c] / 32];

    if (!bits)
        FOR_GROUP_LANES
            out[l] = 1.0f;
    else if (bits == 32)
        FOR_GROUP_LANES
            out[l] = texel_float(texel_from_f32(word[l]));
    else if (info->type == RASTER_FLOAT)
        FOR_GROUP_LANES
            out[l] = texel_float(texel_from_half(word[l] >> shift & 0xffff));
    else
        FOR_GROUP_LANES
            out[l] = (float)(int32_t)(word[l] >> shift & 0xffff) / 65535.0f;
}

/* Puts a channel into its bits of the lanes' words. */
static void pack_wide(const struct raster_format_info *info, unsigned c, const float *restrict in,
                      struct wide_words *words)
{
    const unsigned bits = info->bits[c], shift = info->shift[c] % 32;
    const uint32_t keep = ~(0xffffu << shift);
    uint32_t *restrict word = words->w[info->shift[c] / 32];

    if (bits == 32)
        FOR_GROUP_LANES
            word[l] = texel_from_f32(texel_bits(in[l]));
    else if (info->type == RASTER_FLOAT)
        FOR_GROUP_LANES
            word[l] = (word[l] & keep) | texel_to_half(in[l]) << shift;
    else
        FOR_GROUP_LANES
            word[l] = (word[l] & keep) | (uint32_t)(int32_t)(saturate(in[l]) * 65535.0f + 0.5f) << shift;
}

/* Channels that the format has. */
static unsigned format_channels(const struct raster_format_info *info)
{
    unsigned channels = 0;

    for (unsigned c = 0; c < 4; c++)
        channels |= info->bits[c] ? 1u << c : 0;
    return channels;
}

static void store_any_place(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                            const struct raster_batch *batch, const struct raster_place *place)
{
    const struct raster_format_info *info = raster_format_info(target->format);
    const unsigned bytes = info->block_bytes, channels = format_channels(info);
    const unsigned written = channels & state->color_write_mask[index];
    const bool clamped = info->type != RASTER_FLOAT;
    struct group_color color, dst;
    struct wide_words words, old;

    for (unsigned w = 0; w < (bytes + 3) / 4; w++)
        memset(old.w[w], 0, sizeof(old.w[w]));
    if (state->blend.enable || written != channels || place->mask != 0xffff)
        load_wide(target, bytes, place, &old);
    load_color(batch, index, place, clamped, &color);
    if (state->blend.enable) {
        for (unsigned c = 0; c < 4; c++)
            unpack_wide(info, c, &old, dst.c[c]);
        KERNEL(raster_blend_group)(&state->blend, clamped, &dst, &color);
    }
    for (unsigned w = 0; w < (bytes + 3) / 4; w++)
        memcpy(words.w[w], old.w[w], sizeof(words.w[w]));
    for (unsigned c = 0; c < 4; c++)
        if (written & (1u << c))
            pack_wide(info, c, color.c[c], &words);
    keep_others(bytes, place->mask, &old, &words);
    store_wide(target, bytes, place, &words);
}

static void store_any(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                      const struct raster_batch *batch, const struct raster_place *place, unsigned count)
{
    FOR_COVERED_PLACES
        store_any_place(state, target, index, batch, place);
}

/* --- floats, all channels ------------------------------------------------------------------------ */

#if SIMD_HAS_HALVES
/* texel_to_half of the lanes of a register. */
static ALWAYS_INLINE veci to_half(vecf v)
{
    const vecf nan = vecf_of_bits(veci_splat(RASTER_HALF_NAN));

    return veci_bits(vecf_select(vecf_is_nan(v), nan, vecf_of_bits(vector_to_halves(v))));
}

/* texel_from_half of the lower 16 bits of each lane. */
static ALWAYS_INLINE vecf from_half(veci half)
{
    const vecf v = vector_from_halves(half);

    return vecf_select(vecf_is_nan(v), vecf_of_bits(veci_splat(RASTER_NAN)), v);
}
#else
static ALWAYS_INLINE veci to_half(vecf v)
{
    const vecf magnitude = vecf_abs(v);
    const veci bits = veci_bits(magnitude), sign = veci_and(veci_right(veci_bits(v), 16), veci_splat(0x8000));
    const veci odd = veci_and(veci_right(bits, 13), veci_splat(1));
    const veci normal = veci_right(veci_add(veci_add(bits, veci_splat(((15u - 127u) << 23) + 0xfff)), odd), 13);
    const veci small = veci_sub(veci_bits(vecf_add(magnitude, vecf_splat(0.5f))), veci_splat(0x3f000000));
    vecf half = vecf_select(vecf_at_least(magnitude, vecf_splat(0x1p-14f)), vecf_of_bits(normal), vecf_of_bits(small));

    half = vecf_select(vecf_at_least(magnitude, vecf_splat(65536.0f)), vecf_of_bits(veci_splat(0x7c00)), half);
    half = vecf_of_bits(veci_or(veci_bits(half), sign));
    return veci_bits(vecf_select(vecf_is_nan(v), vecf_of_bits(veci_splat(RASTER_HALF_NAN)), half));
}

static ALWAYS_INLINE vecf from_half(veci half)
{
    const veci magnitude = veci_left(veci_and(half, veci_splat(0x7fff)), 13);
    const veci sign = veci_left(veci_and(half, veci_splat(0x8000)), 16);
    const vecf normal = vecf_of_bits(veci_add(magnitude, veci_splat((127u - 15u) << 23)));
    const veci one = veci_splat((127u - 14u) << 23);
    const vecf small = vecf_sub(vecf_of_bits(veci_add(magnitude, one)), vecf_of_bits(one));
    /* infinity and NaN, if exponents continued there */
    const vecf infinite = vecf_splat(65536.0f), nan = vecf_of_bits(veci_splat(RASTER_NAN));
    const vecf large = vecf_select(vecf_at_least(infinite, normal), vecf_of_bits(veci_splat(0x7f800000)), nan);
    const vecf finite = vecf_select(vecf_at_least(normal, vecf_splat(0x1p-14f)), normal, small);

    return vecf_of_bits(veci_or(veci_bits(vecf_select(vecf_at_least(normal, infinite), large, finite)), sign));
}
#endif

/* texel_from_f32, for it and back. */
static ALWAYS_INLINE vecf one_nan(vecf v)
{
    return vecf_select(vecf_is_nan(v), vecf_of_bits(veci_splat(RASTER_NAN)), v);
}

/* The colours of a group's words; channels missing in the format are 1. */
static ALWAYS_INLINE void unpack_floats(unsigned bits, unsigned channels, const struct wide_words *words,
                                        struct group_color *out)
{
    UNROLLED
    for (unsigned c = 0; c < 4; c++)
        FOR_VECTORS(GROUP_LANES) {
            vecf v = vecf_splat(1.0f);

            if (c < channels && bits == 32)
                v = one_nan(vecf_of_bits(veci_load(&words->w[c % MAX_WORDS][l])));
            else if (c < channels)
                v = from_half(veci_right(veci_load(&words->w[c / 2][l]), 16 * (c % 2)));
            vecf_store(&out->c[c][l], v);
        }
}

/* Colours of a batch, or of a group that has been blended. */
struct color_source {
    const float (*batch)[RASTER_LANES];
    struct quad_lanes quads;
    const struct group_color *group; /* NULL: those of the batch */
};

static ALWAYS_INLINE vecf source_lanes(const struct color_source *source, unsigned c, unsigned l)
{
    return source->group ? vecf_load(&source->group->c[c][l]) : group_lanes(source->batch[c], &source->quads, l);
}

static ALWAYS_INLINE void pack_floats(unsigned bits, unsigned channels, const struct color_source *source,
                                      struct wide_words *words)
{
    UNROLLED
    for (unsigned w = 0; w < (channels * bits + 31) / 32; w++)
        FOR_VECTORS(GROUP_LANES) {
            veci word;

            if (bits == 32)
                word = veci_bits(one_nan(source_lanes(source, w, l)));
            else
                word = to_half(source_lanes(source, 2 * w, l));
            if (bits == 16 && channels > 1)
                word = veci_or(word, veci_left(to_half(source_lanes(source, 2 * w + 1, l)), 16));
            veci_store(&words->w[w][l], word);
        }
}

/* A group of a target of 1, 2 or 4 channels, red first, of 16 or 32 bits each. blend: NULL if colours replace the old
 * contents; then only groups partly covered by the mask are read. */
static ALWAYS_INLINE void store_floats_place(unsigned bits, unsigned channels, const struct raster_blend *blend,
                                             const struct raster_surface *target, unsigned index,
                                             const struct raster_batch *batch, const struct raster_place *place)
{
    const unsigned bytes = channels * bits / 8;
    struct color_source source = {batch->color[index], place_quads(place), NULL};
    struct group_color color, under;
    struct wide_words words, old;
    const bool whole = place->mask == 0xffff;

    if (blend || !whole)
        load_wide(target, bytes, place, &old);
    if (blend) {
        load_color(batch, index, place, false, &color);
        unpack_floats(bits, channels, &old, &under);
        KERNEL(raster_blend_group)(blend, false, &under, &color);
        source.group = &color;
    }
    pack_floats(bits, channels, &source, &words);
    if (!whole)
        keep_others(bytes, place->mask, &old, &words);
    store_wide(target, bytes, place, &words);
}

/* clang-format off */
#define FLOAT_TARGETS(X)     \
    X(R16F, 16, 1)           \
    X(G16R16F, 16, 2)        \
    X(A16B16G16R16F, 16, 4)  \
    X(R32F, 32, 1)           \
    X(G32R32F, 32, 2)        \
    X(A32B32G32R32F, 32, 4)

#define FLOAT_FUNCTIONS(name, bits, channels)                                                                          \
    static void store_##name(const struct raster_draw_state *state, const struct raster_surface *target,               \
                             unsigned index, const struct raster_batch *batch, const struct raster_place *place,       \
                             unsigned count)                                                                           \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        FOR_COVERED_PLACES                                                                                             \
            store_floats_place(bits, channels, NULL, target, index, batch, place);                                     \
    }                                                                                                                  \
    static void blend_##name(const struct raster_draw_state *state, const struct raster_surface *target,               \
                             unsigned index, const struct raster_batch *batch, const struct raster_place *place,       \
                             unsigned count)                                                                           \
    {                                                                                                                  \
        FOR_COVERED_PLACES                                                                                             \
            store_floats_place(bits, channels, &state->blend, target, index, batch, place);                            \
    }
FLOAT_TARGETS(FLOAT_FUNCTIONS)

#define FLOAT_CASE(name, bits, channels)                                                                               \
    case RASTER_FORMAT_##name:                                                                                         \
        return blends ? blend_##name : store_##name;
/* clang-format on */

raster_store_fn KERNEL(raster_choose_wide_store)(const struct raster_draw_state *state, unsigned index,
                                                 enum raster_format format)
{
    const unsigned channels = format_channels(raster_format_info(format));
    const bool blends = state->blend.enable;

    if ((channels & state->color_write_mask[index]) != channels)
        return store_any;
    switch (format) {
        FLOAT_TARGETS(FLOAT_CASE)
    default:
        return store_any;
    }
}
