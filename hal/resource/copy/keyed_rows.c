/* SPDX-License-Identifier: MIT */
/*
 * Sixteen bytes at a time where texels divide them: both sides are read, and the destination gets one or the other. As
 * with memmove, the direction depends on which side comes first, so that no texel of the source is overwritten before it
 * is read.
 */
#include "hal/resource/copy/keyed_rows.h"

#include <string.h>

#define BLOCK 16 /* bytes */

static inline uint32_t read_texel(const uint8_t *p, unsigned bytes)
{
    uint32_t texel = p[0];

    for (unsigned i = 1; i < bytes; i++)
        texel |= (uint32_t)p[i] << (8 * i);
    return texel;
}

/* From `x` up to `end`, or from `end` down to `x`. */
static void copy_texels(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, size_t x, size_t end,
                        bool backward)
{
    for (size_t i = x; i < end; i++) {
        const size_t at = (backward ? end - 1 - (i - x) : i) * r->texel;

        if (r->source_keyed && (read_texel(from + at, r->texel) & r->mask) == r->source_key)
            continue;
        if (r->destination_keyed && (read_texel(to + at, r->texel) & r->mask) != r->destination_key)
            continue;
        memmove(to + at, from + at, r->texel);
    }
}

/* The cases of copies, each of which has a loop that does no more than it must. */
struct kind {
    bool by_source, by_destination;
    bool is_masked; /* the mask leaves bits of the texel out */
    bool backward;
};

/* copy_blocks_BITS: whole blocks of a row, of texels with that many bits. The kind is a constant of the caller. */
#define COPY_BLOCKS(bits)                                                                                 \
    typedef uint##bits##_t lanes_##bits __attribute__((vector_size(BLOCK)));                              \
    static inline __attribute__((always_inline)) void copy_blocks_##bits(                                 \
        const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, size_t count, struct kind kind) \
    {                                                                                                     \
        const lanes_##bits none = {0};                                                                    \
        const lanes_##bits mask = none + (uint##bits##_t)(kind.is_masked ? r->mask : UINT32_MAX);         \
        const lanes_##bits skipped = none + (uint##bits##_t)r->source_key;                                \
        const lanes_##bits replaced = none + (uint##bits##_t)r->destination_key;                          \
                                                                                                          \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < count; i++)                                        \
        {                                                                                                 \
            const size_t at = (kind.backward ? count - 1 - i : i) * BLOCK;                                \
            lanes_##bits in, out, left = none;                                                            \
                                                                                                          \
            memcpy(&in, from + at, BLOCK);                                                                \
            memcpy(&out, to + at, BLOCK);                                                                 \
            if (kind.by_source)                                                                           \
                left = (lanes_##bits)((in & mask) == skipped);                                            \
            if (kind.by_destination)                                                                      \
                left |= (lanes_##bits)((out & mask) != replaced);                                         \
            out = (in & ~left) | (out & left);                                                            \
            memcpy(to + at, &out, BLOCK);                                                                 \
        }                                                                                                 \
    }

COPY_BLOCKS(8)
COPY_BLOCKS(16)
COPY_BLOCKS(32)

static inline __attribute__((always_inline)) void copy_kind(const struct hal_keyed_rows *r, uint8_t *to,
                                                            const uint8_t *from, size_t count, struct kind kind)
{
    if (r->texel == 1)
        copy_blocks_8(r, to, from, count, kind);
    else if (r->texel == 2)
        copy_blocks_16(r, to, from, count, kind);
    else
        copy_blocks_32(r, to, from, count, kind);
}

/* Sprites, which have a source key alone, get loops of their own. */
static void copy_blocks(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, size_t count, bool backward)
{
    const bool is_masked = r->mask != UINT32_MAX >> (32 - 8 * r->texel);
    const bool is_sprite = r->source_keyed && !r->destination_keyed && !backward;

    if (is_sprite && is_masked)
        copy_kind(r, to, from, count, (struct kind){true, false, true, false});
    else if (is_sprite)
        copy_kind(r, to, from, count, (struct kind){true, false, false, false});
    else
        copy_kind(r, to, from, count, (struct kind){r->source_keyed, r->destination_keyed, true, backward});
}

static void copy_row(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, bool backward)
{
    const size_t per_block = r->texel == 3 ? 0 : BLOCK / r->texel, blocks = per_block ? r->width / per_block : 0;
    const size_t rest = blocks * per_block; /* the first texel after the blocks */

    if (backward)
        copy_texels(r, to, from, rest, r->width, true);
    if (blocks)
        copy_blocks(r, to, from, blocks, backward);
    if (!backward)
        copy_texels(r, to, from, rest, r->width, false);
}

void hal_keyed_copy(const struct hal_keyed_rows *r)
{
    const uintptr_t to = (uintptr_t)r->to, from = (uintptr_t)r->from;
    const bool backward =
        to > from && to - from < r->height * r->from_pitch; /* else nothing is read after it is overwritten */

    for (size_t i = 0; i < r->height; i++) {
        const size_t y = backward ? r->height - 1 - i : i;

        copy_row(r, r->to + y * r->to_pitch, r->from + y * r->from_pitch, backward);
    }
}
