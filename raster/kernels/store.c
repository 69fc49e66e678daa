/* SPDX-License-Identifier: MIT */
/* Blending with and storing into colour targets of up to 32 bits a pixel. */
#include "raster/block_mask.h"
#include "raster/kernels/blend.h"

/* --- words ----------------------------------------------------------------------------------- */

static void unpack_group(const struct raster_format_info *info, const uint32_t *restrict v, struct group_color *out)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t max = (1u << info->bits[c]) - 1;
        unsigned shift = info->shift[c];

        if (!max) {
            FOR_GROUP_LANES
                out->c[c][l] = 1.0f;
            continue;
        }
        float scale = 1.0f / (float)max;
        FOR_GROUP_LANES
            out->c[c][l] = (float)(int32_t)((v[l] >> shift) & max) * scale;
    }
}

/* By lane, which is a place in a 4x4 pattern: the threshold added before truncation, (n + 1/2) / 16. */
#define STEP(n) (((float)(n) + 0.5f) / 16.0f)
static const float dither_pattern[GROUP_LANES] = {STEP(0),  STEP(8), STEP(12), STEP(4),  STEP(2),  STEP(10),
                                                  STEP(14), STEP(6), STEP(3),  STEP(11), STEP(15), STEP(7),
                                                  STEP(1),  STEP(9), STEP(13), STEP(5)};
static const float no_pattern[GROUP_LANES] = {[0 ... GROUP_LANES - 1] = 0.5f};

/* Stores trunc(c (2^n - 1) + 1/2) of the channels in write_mask over the words in v; dithered: with a threshold of the
 * pattern for 1/2 where a channel has less than 8 bits. */
static void pack(const struct raster_format_info *info, const struct group_color *color, unsigned write_mask,
                 bool dither, uint32_t *restrict v)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t max = (1u << info->bits[c]) - 1;
        unsigned shift = info->shift[c];

        if (!max || !(write_mask & (1u << c)))
            continue;
        uint32_t keep = ~(max << shift);
        float scale = (float)max;
        const float *restrict round = dither && info->bits[c] < 8 ? dither_pattern : no_pattern;
        FOR_GROUP_LANES
            v[l] = (v[l] & keep) | (uint32_t)(int32_t)(color->c[c][l] * scale + round[l]) << shift;
    }
}

/* Replaces the words of lanes that are not stored by those of the target. */
static inline void keep_others(const struct raster_surface *target, unsigned bytes, int x, int y, uint32_t mask,
                               uint32_t *restrict word)
{
    uint32_t old[GROUP_LANES];

    load_group(target, bytes, x, y, mask, old);
    FOR_VECTORS(GROUP_LANES)
        veci_store(word + l, veci_select(mask >> l, veci_load(word + l), veci_load(old + l)));
}

/* --- opaque ------------------------------------------------------------------------------------ */

/* Colours of a batch as 8888 words, with channels clamped and rounded as in load_color and pack. Always inlined with a
 * constant alpha_mask. */
static inline __attribute__((always_inline)) void pack_8888(struct raster_batch *batch, unsigned index,
                                                            uint32_t alpha_mask)
{
    const float(*color)[RASTER_LANES] = batch->color[index];

    for (unsigned l = 0; l < batch->group_count * GROUP_LANES; l += VEC) {
        veci byte[4];

        UNROLLED
        for (unsigned c = 0; c < 4; c++)
            byte[c] = byte_of(vecf_saturate(vecf_load(&color[c][l])));
        veci_store(&batch->packed[index][l], word_of(byte[0], byte[1], byte[2], byte[3], alpha_mask));
    }
}

static void pack_a8r8g8b8(struct raster_batch *batch, unsigned index)
{
    pack_8888(batch, index, 0xff000000u);
}

static void pack_x8r8g8b8(struct raster_batch *batch, unsigned index)
{
    pack_8888(batch, index, 0);
}

/* Lanes l.. of a place's group. (Words are moved as if they were floats.) */
static inline veci packed_lanes(const uint32_t *words, const struct quad_lanes *quads, unsigned l)
{
    return veci_bits(group_lanes((const float *)words, quads, l));
}

static inline void store_packed_place(const struct raster_surface *target, const uint32_t *words,
                                      const struct raster_place *place)
{
    uint8_t *p = target->pixels + (size_t)place->y * target->pitch + (size_t)place->x * sizeof(*words);

    if (!group_inside(target, place->x, place->y)) {
        const struct quad_lanes quads = place_quads(place);
        uint32_t word[GROUP_LANES];

        FOR_VECTORS(GROUP_LANES)
            veci_store(word + l, packed_lanes(words, &quads, l));
        store_group(target, 4, place->x, place->y, place->mask, word);
    } else if (place->mask == 0xffff) {
        FOR_VECTORS(GROUP_LANES)
            pixels_store(p, target->pitch, l, veci_load(words + place->lane + l));
    } else {
        const struct quad_lanes quads = place_quads(place);

        FOR_VECTORS(GROUP_LANES)
            pixels_store(
                p, target->pitch, l,
                veci_select(place->mask >> l, packed_lanes(words, &quads, l), pixels_load(p, target->pitch, l)));
    }
}

/* The new colour does not depend on the target and no bit is kept: the common case of opaque surfaces. */
static void store_packed(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                         const struct raster_batch *batch, const struct raster_place *place, unsigned count)
{
    (void)state;
    FOR_COVERED_PLACES
        store_packed_place(target, batch->packed[index], place);
}

/* --- fills --------------------------------------------------------------------------------------- */

/* Always inlined with a constant size of pixels. */
static inline __attribute__((always_inline)) void fill_groups(const struct raster_surface *target, unsigned bytes,
                                                              int x, int y, uint64_t mask, const void *pattern)
{
    uint32_t lanes[GROUP_LANES];

    if (bytes == 4)
        load_pixels(pattern, 16, lanes);
    else
        load_halves(pattern, 8, lanes);
    for (unsigned g = 0; g < 4; g++) {
        const uint32_t bits = (uint32_t)(mask >> (g * GROUP_LANES)) & 0xffff;
        const int gx = x + (int)(g & 1) * 4, gy = y + (int)(g >> 1) * 4;
        uint32_t word[GROUP_LANES];

        if (!bits)
            continue;
        memcpy(word, lanes, sizeof(word));
        if (bits != 0xffff)
            keep_others(target, bytes, gx, gy, bits, word);
        store_group(target, bytes, gx, gy, bits, word);
    }
}

static void fill_32(const struct raster_surface *target, int x, int y, uint64_t mask, const uint8_t *pattern)
{
    uint8_t *p = target->pixels + (size_t)y * target->pitch + (size_t)x * 4;

    if (mask != ~UINT64_C(0) || (unsigned)x + 8 > target->width || (unsigned)y + 8 > target->height) {
        fill_groups(target, 4, x, y, mask, pattern);
        return;
    }
    for (unsigned row = 0; row < 8; row++, p += target->pitch)
        row_fill(p, pattern + row % 4 * 16);
}

static void fill_16(const struct raster_surface *target, int x, int y, uint64_t mask, const uint8_t *pattern)
{
    fill_groups(target, 2, x, y, mask, pattern);
}

raster_fill_fn KERNEL(raster_choose_fill)(enum raster_format format)
{
    switch (raster_format_info(format)->block_bytes) {
    case 4:
        return fill_32;
    case 2:
        return fill_16;
    default:
        return NULL;
    }
}

/* --- common blends ---------------------------------------------------------------------------- */

/* A blend factor of one channel. With constant `factor` the compiler keeps one case. */
static inline __attribute__((always_inline)) vecf factor_of(unsigned factor, vecf s, vecf sa, vecf d, vecf da)
{
    const vecf one = vecf_splat(1.0f);

    switch (factor) {
    case RASTER_BLEND_ZERO:
        return vecf_splat(0.0f);
    case RASTER_BLEND_ONE:
        return one;
    case RASTER_BLEND_SRC_COLOR:
        return s;
    case RASTER_BLEND_INV_SRC_COLOR:
        return vecf_sub(one, s);
    case RASTER_BLEND_SRC_ALPHA:
        return sa;
    case RASTER_BLEND_INV_SRC_ALPHA:
        return vecf_sub(one, sa);
    case RASTER_BLEND_DST_ALPHA:
        return da;
    case RASTER_BLEND_INV_DST_ALPHA:
        return vecf_sub(one, da);
    case RASTER_BLEND_DST_COLOR:
        return d;
    default:
        return vecf_sub(one, d);
    }
}

/* Is the sum of s and d, each times its factor and all within 0..1, never more than 1? One of the factors is 0, or they
 * are a and 1 - a: that difference is rounded by at most 2^-25, and 1 + 2^-25 is rounded to 1. */
static inline __attribute__((always_inline)) bool sum_is_in_range(unsigned sf, unsigned df)
{
    return sf == RASTER_BLEND_ZERO || df == RASTER_BLEND_ZERO ||
           (sf == RASTER_BLEND_SRC_ALPHA && df == RASTER_BLEND_INV_SRC_ALPHA);
}

/* s, sa, d, da: 0..1, so nothing here is negative or NaN. */
static inline __attribute__((always_inline)) veci blend_add_channel(unsigned sf, unsigned df, vecf s, vecf sa, vecf d,
                                                                    vecf da)
{
    vecf v = vecf_add(vecf_mul(s, factor_of(sf, s, sa, d, da)), vecf_mul(d, factor_of(df, s, sa, d, da)));

    return byte_of(sum_is_in_range(sf, df) ? v : vecf_min(v, vecf_splat(1.0f)));
}

/* A channel of 8888 words as 0..1. */
static inline vecf channel_of(veci word, unsigned shift)
{
    return vecf_mul(vecf_from(veci_and(veci_right(word, shift), veci_splat(255))), vecf_splat(1.0f / 255.0f));
}

/* The colours of lanes l.. of a place's group; quads NULL: the batch holds all of its quads in order. */
static inline __attribute__((always_inline)) vecf place_lanes(const float *lanes, const struct raster_place *place,
                                                              const struct quad_lanes *quads, unsigned l)
{
    return vecf_saturate(quads ? group_lanes(lanes, quads, l) : vecf_load(lanes + place->lane + l));
}

/* Lanes l.. of a group blended into 8888 words: the general path in one pass. alpha_mask: all ones where the format has
 * an alpha channel; a missing alpha reads as 1. */
static inline __attribute__((always_inline)) veci blend_lanes(unsigned sf, unsigned df,
                                                              const float (*color)[RASTER_LANES],
                                                              const struct raster_place *place,
                                                              const struct quad_lanes *quads, uint32_t alpha_mask,
                                                              veci old, unsigned l)
{
    const veci v = veci_or(old, veci_splat(0xff000000u & ~alpha_mask));
    const vecf sa = place_lanes(color[3], place, quads, l), da = channel_of(v, 24);
    veci byte[3];

    UNROLLED
    for (unsigned c = 0; c < 3; c++)
        byte[c] = blend_add_channel(sf, df, place_lanes(color[c], place, quads, l), sa, channel_of(v, 16 - 8 * c), da);
    return word_of(byte[0], byte[1], byte[2], blend_add_channel(sf, df, sa, sa, da, da), alpha_mask);
}

static inline __attribute__((always_inline)) void blend_place(unsigned sf, unsigned df, uint32_t alpha_mask,
                                                              const struct raster_surface *target,
                                                              const float (*color)[RASTER_LANES],
                                                              const struct raster_place *place)
{
    const struct quad_lanes quads = place_quads(place);
    uint8_t *p = target->pixels + (size_t)place->y * target->pitch + (size_t)place->x * sizeof(uint32_t);
    const uint32_t mask = place->mask;

    if (!group_inside(target, place->x, place->y)) {
        uint32_t word[GROUP_LANES];

        load_group(target, 4, place->x, place->y, mask, word);
        FOR_VECTORS(GROUP_LANES)
            veci_store(word + l, blend_lanes(sf, df, color, place, &quads, alpha_mask, veci_load(word + l), l));
        store_group(target, 4, place->x, place->y, mask, word);
        return;
    }
    if (mask == 0xffff) {
        FOR_VECTORS(GROUP_LANES)
            pixels_store(p, target->pitch, l,
                         blend_lanes(sf, df, color, place, NULL, alpha_mask, pixels_load(p, target->pitch, l), l));
        return;
    }
    FOR_VECTORS(GROUP_LANES) {
        const veci old = pixels_load(p, target->pitch, l),
                   word = blend_lanes(sf, df, color, place, &quads, alpha_mask, old, l);

        pixels_store(p, target->pitch, l, veci_select(mask >> l, word, old));
    }
}

/* One function per pair of factors and layout. */
static inline __attribute__((always_inline)) void store_blended(unsigned sf, unsigned df,
                                                                const struct raster_surface *target, unsigned index,
                                                                const struct raster_batch *batch,
                                                                const struct raster_place *place, unsigned count)
{
    if (target->format == RASTER_FORMAT_A8R8G8B8)
        FOR_COVERED_PLACES
            blend_place(sf, df, 0xff000000u, target, batch->color[index], place);
    else
        FOR_COVERED_PLACES
            blend_place(sf, df, 0, target, batch->color[index], place);
}

/* clang-format off */
/* One function for each of the common blends. */
#define BLEND_FUNCTION(s, d)                                                                                           \
    static void blend_##s##_##d(const struct raster_draw_state *state, const struct raster_surface *target,            \
                                unsigned index, const struct raster_batch *batch, const struct raster_place *place,    \
                                unsigned count)                                                                        \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        store_blended(RASTER_BLEND_##s, RASTER_BLEND_##d, target, index, batch, place, count);                         \
    }
/* clang-format on */
COMMON_BLENDS(BLEND_FUNCTION)

#define BLEND_ROW(s, d) {RASTER_BLEND_##s, RASTER_BLEND_##d, blend_##s##_##d},
static const struct common_blend common_blends[] = {COMMON_BLENDS(BLEND_ROW)};

/* --- stores ---------------------------------------------------------------------------------- */

static void store_any_place(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                            const struct raster_batch *batch, const struct raster_place *place)
{
    const uint32_t mask = place->mask;
    const int x = place->x, y = place->y;
    const struct raster_format_info *info = raster_format_info(target->format);
    const struct raster_blend *blend = &state->blend;
    unsigned write_mask = state->color_write_mask[index];
    struct group_color src;
    uint32_t old[GROUP_LANES], word[GROUP_LANES];

    load_color(batch, index, place, true, &src);
    if (mask != 0xffff || write_mask != 0xf || blend->enable)
        load_group(target, info->block_bytes, x, y, mask, old);
    else
        memset(old, 0, sizeof(old));
    if (blend->enable) {
        struct group_color dst;

        unpack_group(info, old, &dst);
        KERNEL(raster_blend_group)(blend, true, &dst, &src);
    }
    memcpy(word, old, sizeof(word));
    pack(info, &src, write_mask, state->dither, word);
    FOR_VECTORS(GROUP_LANES)
        veci_store(word + l, veci_select(mask >> l, veci_load(word + l), veci_load(old + l)));
    store_group(target, info->block_bytes, x, y, mask, word);
}

/* Any state, any format of up to 32 bits. */
static void store_any(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                      const struct raster_batch *batch, const struct raster_place *place, unsigned count)
{
    FOR_COVERED_PLACES
        store_any_place(state, target, index, batch, place);
}

static void store_nothing(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                          const struct raster_batch *batch, const struct raster_place *place, unsigned count)
{
    (void)state, (void)target, (void)index, (void)batch, (void)place, (void)count;
}

raster_store_fn KERNEL(raster_choose_store)(const struct raster_draw_state *state, unsigned index,
                                            enum raster_format format, raster_pack_fn *pack)
{
    const struct raster_format_info *info = raster_format_info(format);
    const bool alpha = format == RASTER_FORMAT_A8R8G8B8;

    *pack = NULL;
    if (info->kind == RASTER_KIND_NULL)
        return store_nothing;
    if (info->type == RASTER_FLOAT || info->block_bytes > 4)
        return KERNEL(raster_choose_wide_store)(state, index, format);
    if (state->color_write_mask[index] != 0xf || (!alpha && format != RASTER_FORMAT_X8R8G8B8))
        return store_any;
    if (state->blend.enable) {
        const raster_store_fn common = find_common_blend(common_blends, ARRAY_COUNT(common_blends), &state->blend);

        return common ? common : store_any;
    }
    *pack = alpha ? pack_a8r8g8b8 : pack_x8r8g8b8;
    return store_packed;
}

void KERNEL(raster_store_samples)(uint8_t *to, unsigned samples, const uint32_t *words, const uint16_t *mask)
{
    veci row[GROUP_LANES / VEC];

    FOR_VECTORS(GROUP_LANES)
        row[l / VEC] = group_rows(words, l);
    for (unsigned s = 0; s < samples; s++, to += GROUP_LANES * sizeof(*words)) {
        const uint32_t rows = (uint32_t)block_mask_groups_to_rows(mask[s]);

        if (rows == 0xffff)
            memcpy(to, row, sizeof(row));
        for (unsigned l = 0; rows && rows != 0xffff && l < GROUP_LANES; l += VEC) {
            uint8_t *at = to + l * sizeof(*words);

            veci_store(at, veci_select(rows >> l, row[l / VEC], veci_load(at)));
        }
    }
}
