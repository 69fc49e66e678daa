/* SPDX-License-Identifier: MIT */
/*
 * The direct-store fast path. Blocks whose program passes an input through to an opaque target of 8 bits a channel are
 * interpolated, packed and stored row by row, without a batch. The definition is raster_interpolate, the pack function
 * and the store for the block's groups.
 */
#include "raster/kernels/blend.h"
#include "raster/block_mask.h"
#include "raster/kernels/chunks.h"

/* The positions of the pixels of a group, which are one chunk. */
static inline void group_places_init(struct chunk_places *places, const struct scene_primitive *primitive, int x, int y)
{
    static const float columns[GROUP_LANES] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    static const float lines[GROUP_LANES] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    const vecf ox = vecf_splat((float)x - primitive->reference_x), oy = vecf_splat((float)y - primitive->reference_y);

    FOR_REGISTERS {
        places->x[i] = vecf_add(ox, vecf_load(columns + i * VEC));
        places->y[i] = vecf_add(oy, vecf_load(lines + i * VEC));
    }
}

/* Colour over a block: planes of its channels, and w, their factor. */
struct direct_block {
    struct chunk_places places;
    struct chunk_plane channel[4], rhw;
    bool varies; /* w differs from lane to lane */
    vecf w;      /* else this */
};

/* direct->places is filled in. */
static inline __attribute__((always_inline)) void direct_planes_init(struct direct_block *direct,
                                                                     const struct scene_primitive *primitive,
                                                                     unsigned channels)
{
    const unsigned input = primitive->state->pass_through.input;
    const struct scene_plane4 *color = &primitive->input[input];
    const struct scene_plane2 *depth = &primitive->depth;
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    UNROLLED
    for (unsigned c = 0; c < channels; c++)
        chunk_plane_init(&direct->channel[c], &direct->places, color->a[c], color->dx[c], color->dy[c]);
    direct->varies = perspective && !scene_has_one_w(primitive);
    if (direct->varies)
        chunk_plane_init(&direct->rhw, &direct->places, depth->a[1], depth->dx[1], depth->dy[1]);
    else
        direct->w = vecf_splat(perspective ? scene_reference_w(primitive) : 1.0f); /* times 1 changes nothing */
}

/* Interpolates and packs chunk c. */
static inline __attribute__((always_inline)) struct chunk direct_block_words(const struct direct_block *direct,
                                                                             unsigned c, unsigned channels)
{
    struct chunk words;

    FOR_REGISTERS {
        const vecf y = chunk_y(&direct->places, i, c);
        const vecf w = direct->varies ? vecf_div(vecf_splat(1.0f), chunk_value(&direct->rhw, i, y)) : direct->w;
        veci byte[4];

        UNROLLED
        for (unsigned n = 0; n < channels; n++)
            byte[n] = byte_of(vecf_saturate(vecf_mul(chunk_value(&direct->channel[n], i, y), w)));
        words.v[i] = word_of(byte[0], byte[1], byte[2], byte[channels - 1], channels == 4 ? 0xff000000u : 0);
    }
    return words;
}

/* p: the block's first pixel; the whole block lies on the surface. Always inlined with a constant number of
 * channels. */
static inline __attribute__((always_inline)) void store_rows(const struct scene_primitive *primitive, uint8_t *p,
                                                             size_t pitch, int x, int y, uint64_t rows,
                                                             unsigned channels)
{
    struct direct_block direct;

    chunk_places_init(&direct.places, primitive, x, y, scene_pixel_centre);
    direct_planes_init(&direct, primitive, channels);
    for (unsigned c = 0; c < CHUNKS; c++, p += 2 * pitch) {
        const uint32_t bits = (uint32_t)(rows >> (c * GROUP_LANES)) & 0xffff;

        if (!bits)
            continue;
        struct chunk words = direct_block_words(&direct, c, channels);
        if (bits != 0xffff) {
            const struct chunk old = load_words(p, pitch);

            FOR_REGISTERS
                words.v[i] = veci_select(bits >> i * VEC, words.v[i], old.v[i]);
        }
        store_words(p, pitch, words);
    }
}

/* Copies only the pixels of a mask: at the surface's edges others may not exist. */
static void copy_pixels(uint8_t *to, size_t to_pitch, const uint8_t *from, size_t from_pitch, uint64_t rows)
{
    for (; rows; rows &= rows - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(rows);

        memcpy(to + i / ROW * to_pitch + i % ROW * 4, from + i / ROW * from_pitch + i % ROW * 4, 4);
    }
}

static inline __attribute__((always_inline)) void store_block(const struct scene_primitive *primitive,
                                                              const struct raster_surface *target, int x, int y,
                                                              uint64_t mask, unsigned channels)
{
    const uint64_t rows = mask == ~UINT64_C(0) ? mask : block_mask_to_rows(mask);
    uint8_t *p = target->pixels + (size_t)y * target->pitch + (size_t)x * 4;

    if ((unsigned)x + ROW > target->width || (unsigned)y + ROW > target->height) {
        uint32_t block[ROW * ROW];

        store_rows(primitive, (uint8_t *)block, ROW * sizeof(*block), x, y, ~UINT64_C(0), channels);
        copy_pixels(p, target->pitch, (const uint8_t *)block, ROW * sizeof(*block), rows);
        return;
    }
    store_rows(primitive, p, target->pitch, x, y, rows, channels);
}

static void direct_a8r8g8b8(const struct scene_primitive *primitive, const struct raster_surface *target, int x, int y,
                            uint64_t mask)
{
    store_block(primitive, target, x, y, mask, 4);
}

static void direct_x8r8g8b8(const struct scene_primitive *primitive, const struct raster_surface *target, int x, int y,
                            uint64_t mask)
{
    store_block(primitive, target, x, y, mask, 3);
}

raster_direct_store_fn KERNEL(raster_choose_direct_store)(enum raster_format format)
{
    return format == RASTER_FORMAT_A8R8G8B8   ? direct_a8r8g8b8
           : format == RASTER_FORMAT_X8R8G8B8 ? direct_x8r8g8b8
                                              : NULL;
}

/* --- samples ------------------------------------------------------------------------------------ */

/* Every covered sample gets the colour of its pixel's centre. */
static inline __attribute__((always_inline)) void store_samples(const struct scene_primitive *primitive, uint8_t *words,
                                                                unsigned samples, int x, int y, const uint64_t *mask,
                                                                unsigned channels)
{
    struct direct_block direct;

    group_places_init(&direct.places, primitive, x, y);
    direct_planes_init(&direct, primitive, channels);
    const struct chunk color = direct_block_words(&direct, 0, channels);

    for (unsigned set = 0; set < samples; set += 4, mask++) {
        for (unsigned s = 0; s < BASE_MIN(samples, 4u); s++, words += GROUP_LANES * 4) {
            const uint32_t bits = (uint32_t)(*mask >> (s * GROUP_LANES)) & 0xffff;
            const struct chunk old = load_words(words, ROW * 4);
            struct chunk fresh;

            FOR_REGISTERS
                fresh.v[i] = veci_select(bits >> i * VEC, color.v[i], old.v[i]);
            store_words(words, ROW * 4, fresh);
        }
    }
}

static void samples_a8r8g8b8(const struct scene_primitive *primitive, uint8_t *words, unsigned samples, int x, int y,
                             const uint64_t *mask)
{
    store_samples(primitive, words, samples, x, y, mask, 4);
}

static void samples_x8r8g8b8(const struct scene_primitive *primitive, uint8_t *words, unsigned samples, int x, int y,
                             const uint64_t *mask)
{
    store_samples(primitive, words, samples, x, y, mask, 3);
}

raster_direct_samples_fn KERNEL(raster_choose_direct_samples)(enum raster_format format)
{
    return format == RASTER_FORMAT_A8R8G8B8   ? samples_a8r8g8b8
           : format == RASTER_FORMAT_X8R8G8B8 ? samples_x8r8g8b8
                                              : NULL;
}
