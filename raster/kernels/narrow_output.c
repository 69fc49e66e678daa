/* SPDX-License-Identifier: MIT */
/* The steps after the program of a narrow state: alpha test, packing and the most common blends, for 8888 targets. All
 * other steps take the colours as floats (raster_widen). */
#include "raster/kernels/blend.h"
#include "raster/kernels/narrow_lanes.h"
#include "base/assert.h"

/* --- floats ------------------------------------------------------------------------------------------------- */

_Static_assert(VEC == (KERNEL_LEVEL ? 2 << KERNEL_LEVEL : 1), "narrow_width tells the order of pixels");

void KERNEL(raster_widen)(struct raster_batch *batch)
{
    const unsigned n = batch->group_count * GROUP_LANES;
    const vecf scale = vecf_splat(1.0f / (float)NARROW_ONE);
    _Alignas(64) int16_t pixels[RASTER_LANES * 4];

    memcpy(pixels, batch->color[0], n * 4 * sizeof(*pixels));
    for (unsigned l = 0; l < n; l += VEC) {
        vec16 v[NARROW_REGISTERS];
        veci channel[4];

        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            v[i] = vec16_load(pixels + 4 * l + i * VEC16);
        vec16_channels(v, channel);
        UNROLLED
        for (unsigned c = 0; c < 4; c++)
            vecf_store(&batch->color[0][c][l], vecf_mul(vecf_from(channel[c < 3 ? 2 - c : 3]), scale));
    }
}

/* --- alpha test --------------------------------------------------------------------------------------------- */

/* VEC consecutive pixels. */
static inline void pixels_at(const int16_t *pixels, vec16 v[NARROW_REGISTERS])
{
    UNROLLED
    for (unsigned i = 0; i < NARROW_REGISTERS; i++)
        v[i] = vec16_load(pixels + i * VEC16);
}

static veci words_at(const int16_t *pixels)
{
    vec16 v[NARROW_REGISTERS];

    pixels_at(pixels, v);
    return vec16_words(v);
}

void KERNEL(raster_alpha_test_narrow)(const struct raster_draw_state *state, struct raster_batch *batch)
{
    const int16_t *pixels = narrow_of_const(batch->color[0]);

    for (unsigned g = 0; g < batch->group_count; g++) {
        uint32_t value[GROUP_LANES], ref[GROUP_LANES];

        FOR_VECTORS(GROUP_LANES) {
            veci_store(value + l, veci_right(words_at(pixels + 4 * (g * GROUP_LANES + l)), 24));
            veci_store(ref + l, veci_splat(state->alpha_ref));
        }
        const uint64_t pass = compare_lanes(state->alpha_func, value, ref);

        batch->covered &= pass << (g * GROUP_LANES) | ~(UINT64_C(0xffff) << (g * GROUP_LANES));
    }
}

/* --- packing -------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void pack_words(struct raster_batch *batch, unsigned index, uint32_t mask)
{
    const int16_t *pixels = narrow_of_const(batch->color[0]);

    for (unsigned l = 0; l < batch->group_count * GROUP_LANES; l += VEC)
        veci_store(&batch->packed[index][l], veci_and(words_at(pixels + 4 * l), veci_splat(mask)));
}

static void pack_narrow_a8r8g8b8(struct raster_batch *batch, unsigned index)
{
    pack_words(batch, index, 0xffffffffu);
}

static void pack_narrow_x8r8g8b8(struct raster_batch *batch, unsigned index)
{
    pack_words(batch, index, 0x00ffffffu);
}

/* --- blending -------------------------------------------------------------------------------------------------- */

/* v times a factor. s, d: the source and the destination; sa, da: their alpha in all numbers. */
static inline __attribute__((always_inline)) vec16 times_factor(unsigned factor, vec16 v, vec16 s, vec16 sa, vec16 d,
                                                                vec16 da)
{
    const vec16 one = vec16_splat(NARROW_ONE);

    switch (factor) {
    case RASTER_BLEND_ZERO:
        return vec16_splat(0);
    case RASTER_BLEND_ONE:
        return v;
    case RASTER_BLEND_SRC_COLOR:
        return vec16_mul(v, s);
    case RASTER_BLEND_INV_SRC_COLOR:
        return vec16_mul(v, vec16_sub(one, s));
    case RASTER_BLEND_SRC_ALPHA:
        return vec16_mul(v, sa);
    case RASTER_BLEND_INV_SRC_ALPHA:
        return vec16_mul(v, vec16_sub(one, sa));
    case RASTER_BLEND_DST_ALPHA:
        return vec16_mul(v, da);
    case RASTER_BLEND_INV_DST_ALPHA:
        return vec16_mul(v, vec16_sub(one, da));
    case RASTER_BLEND_DST_COLOR:
        return vec16_mul(v, d);
    default:
        return vec16_mul(v, vec16_sub(one, d));
    }
}

/* Some pixels of a group blended into the words `old`. alpha: all ones where the format has alpha, which otherwise
 * reads as 1. */
static inline __attribute__((always_inline)) veci blend_words(unsigned sf, unsigned df,
                                                              const vec16 pixels[NARROW_REGISTERS], uint32_t alpha,
                                                              veci old)
{
    vec16 d[NARROW_REGISTERS];

    vec16_of_words(veci_or(old, veci_splat(0xff000000u & ~alpha)), d);
    UNROLLED
    for (unsigned i = 0; i < NARROW_REGISTERS; i++) {
        const vec16 s = pixels[i];
        const vec16 sa = vec16_alpha(s), da = vec16_alpha(d[i]);

        d[i] = vec16_adds(times_factor(sf, s, s, sa, d[i], da), times_factor(df, d[i], s, sa, d[i], da));
    }
    return veci_and(vec16_words(d), veci_splat(0x00ffffffu | alpha));
}

/* Is the whole group selected, and are its pixels consecutive and in register order? */
static inline bool is_whole(const struct raster_place *place)
{
    return place->mask == 0xffff && place->lane % GROUP_LANES == 0;
}

/* VEC pixels of a place's group from its lane l on; for missing quads, pixels of others. */
static inline void group_pixels(const int16_t *pixels, const struct raster_place *place, unsigned l,
                                vec16 out[NARROW_REGISTERS])
{
    load_pixels_of(pixels, place->lane / RASTER_QUAD_LANES, quad_rank[place->quads], l, out);
}

/* A group at the target's edge. */
static inline __attribute__((always_inline)) void blend_edge(unsigned sf, unsigned df, uint32_t alpha,
                                                             const struct raster_surface *target, const int16_t *pixels,
                                                             const struct raster_place *place)
{
    uint32_t word[GROUP_LANES];

    load_group(target, 4, place->x, place->y, place->mask, word);
    FOR_VECTORS(GROUP_LANES) {
        vec16 v[NARROW_REGISTERS];

        group_pixels(pixels, place, l, v);
        veci_store(word + l, blend_words(sf, df, v, alpha, veci_load(word + l)));
    }
    store_group(target, 4, place->x, place->y, place->mask, word);
}

static inline __attribute__((always_inline)) void blend_group(unsigned sf, unsigned df, uint32_t alpha,
                                                              const struct raster_surface *target,
                                                              const int16_t *pixels, const struct raster_place *place)
{
    uint8_t *p = target->pixels + (size_t)place->y * target->pitch + (size_t)place->x * sizeof(uint32_t);
    vec16 v[NARROW_REGISTERS];

    if (!group_inside(target, place->x, place->y)) {
        blend_edge(sf, df, alpha, target, pixels, place);
    } else if (is_whole(place)) {
        FOR_VECTORS(GROUP_LANES) {
            pixels_at(pixels + 4 * (place->lane + l), v);
            pixels_store(p, target->pitch, l, blend_words(sf, df, v, alpha, pixels_load(p, target->pitch, l)));
        }
    } else {
        FOR_VECTORS(GROUP_LANES) {
            const veci old = pixels_load(p, target->pitch, l);

            group_pixels(pixels, place, l, v);
            pixels_store(p, target->pitch, l, veci_select(place->mask >> l, blend_words(sf, df, v, alpha, old), old));
        }
    }
}

static inline __attribute__((always_inline)) void store_blended(unsigned sf, unsigned df,
                                                                const struct raster_surface *target,
                                                                const struct raster_batch *batch,
                                                                const struct raster_place *place, unsigned count)
{
    const uint32_t alpha = target->format == RASTER_FORMAT_A8R8G8B8 ? 0xff000000u : 0;

    FOR_COVERED_PLACES
        blend_group(sf, df, alpha, target, narrow_of_const(batch->color[0]), place);
}

/* Words of a place's group from its lane l on. */
static inline veci opaque_words(uint32_t kept, const int16_t *pixels, const struct raster_place *place, unsigned l)
{
    vec16 v[NARROW_REGISTERS];

    group_pixels(pixels, place, l, v);
    return veci_and(vec16_words(v), veci_splat(kept));
}

/* Opaque colours, packed and stored group by group. */
static inline __attribute__((always_inline)) void store_group_opaque(uint32_t kept, const struct raster_surface *target,
                                                                     const int16_t *pixels,
                                                                     const struct raster_place *place)
{
    uint8_t *p = target->pixels + (size_t)place->y * target->pitch + (size_t)place->x * sizeof(uint32_t);

    if (!group_inside(target, place->x, place->y)) {
        uint32_t word[GROUP_LANES];

        FOR_VECTORS(GROUP_LANES)
            veci_store(word + l, opaque_words(kept, pixels, place, l));
        store_group(target, 4, place->x, place->y, place->mask, word);
    } else if (is_whole(place)) {
        FOR_VECTORS(GROUP_LANES)
            pixels_store(p, target->pitch, l, veci_and(words_at(pixels + 4 * (place->lane + l)), veci_splat(kept)));
    } else {
        FOR_VECTORS(GROUP_LANES)
            pixels_store(
                p, target->pitch, l,
                veci_select(place->mask >> l, opaque_words(kept, pixels, place, l), pixels_load(p, target->pitch, l)));
    }
}

static inline __attribute__((always_inline)) void store_opaque(uint32_t kept, const struct raster_surface *target,
                                                               const struct raster_batch *batch,
                                                               const struct raster_place *place, unsigned count)
{
    FOR_COVERED_PLACES
        store_group_opaque(kept, target, narrow_of_const(batch->color[0]), place);
}

static void narrow_a8r8g8b8(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                            const struct raster_batch *batch, const struct raster_place *place, unsigned count)
{
    (void)state, (void)index;
    store_opaque(0xffffffffu, target, batch, place, count);
}

static void narrow_x8r8g8b8(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                            const struct raster_batch *batch, const struct raster_place *place, unsigned count)
{
    (void)state, (void)index;
    store_opaque(0x00ffffffu, target, batch, place, count);
}

/* clang-format off */
/* One function for each of the common blends. */
#define BLEND_FUNCTION(s, d)                                                                                           \
    static void narrow_##s##_##d(const struct raster_draw_state *state, const struct raster_surface *target,           \
                                 unsigned index, const struct raster_batch *batch, const struct raster_place *place,   \
                                 unsigned count)                                                                       \
    {                                                                                                                  \
        (void)state, (void)index;                                                                                      \
        store_blended(RASTER_BLEND_##s, RASTER_BLEND_##d, target, batch, place, count);                                \
    }
/* clang-format on */
COMMON_BLENDS(BLEND_FUNCTION)

#define BLEND_ROW(s, d) {RASTER_BLEND_##s, RASTER_BLEND_##d, narrow_##s##_##d},
static const struct common_blend common_blends[] = {COMMON_BLENDS(BLEND_ROW)};

raster_store_fn KERNEL(raster_choose_narrow_store)(const struct raster_draw_state *state, enum raster_format format,
                                                   raster_pack_fn *opaque)
{
    const bool alpha = format == RASTER_FORMAT_A8R8G8B8;

    *opaque = NULL;
    if (state->color_write_mask[0] != 0xf || (!alpha && format != RASTER_FORMAT_X8R8G8B8))
        return NULL;
    if (state->blend.enable)
        return find_common_blend(common_blends, ARRAY_COUNT(common_blends), &state->blend);
    *opaque = alpha ? pack_narrow_a8r8g8b8 : pack_narrow_x8r8g8b8;
    return alpha ? narrow_a8r8g8b8 : narrow_x8r8g8b8;
}
