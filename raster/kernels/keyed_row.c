/* SPDX-License-Identifier: MIT */
/*
 * Keyed copies of rows. A register of texels at a time: both sides are read, and the destination gets one or the other. The definition
 * copies texel by texel, as all levels do with texels of three bytes, which do not fill registers.
 */
#include "raster/kernels/kernels.h"
#include "base/simd/simd.h"

#include <string.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline uint32_t read_texel(const uint8_t *p, unsigned bytes)
{
    uint32_t texel = p[0];

    for (unsigned i = 1; i < bytes; i++)
        texel |= (uint32_t)p[i] << (8 * i);
    return texel;
}

/* From `x` up to `end`, or from `end` down to `x`. */
static void copy_texels(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t x, size_t end,
                        bool backward)
{
    for (size_t i = x; i < end; i++) {
        const size_t at = (backward ? end - 1 - (i - x) : i) * keys->texel;

        if (keys->source_keyed && (read_texel(from + at, keys->texel) & keys->mask) == keys->source_key)
            continue;
        if (keys->destination_keyed && (read_texel(to + at, keys->texel) & keys->mask) != keys->destination_key)
            continue;
        memmove(to + at, from + at, keys->texel);
    }
}

#if VEC == 1
void KERNEL(raster_keyed_row)(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t count,
                              bool backward)
{
    copy_texels(keys, to, from, 0, count, backward);
}
#else

/* Bytes of a register of the level, and of the smallest one */
#define BLOCK (4 * VEC)
#define SMALL 16

/* A function of the texels' size: NAME_8, NAME_16 or NAME_32 */
#define BY_TEXEL(name, ...)         \
    do {                            \
        if (keys->texel == 1)       \
            name##_8(__VA_ARGS__);  \
        else if (keys->texel == 2)  \
            name##_16(__VA_ARGS__); \
        else                        \
            name##_32(__VA_ARGS__); \
    } while (0)

/* The cases of copies, each of which has a loop that does no more than it must. */
struct kind {
    bool by_source, by_destination;
    bool is_masked; /* the mask leaves bits of the texel out */
    bool backward;
};

/* copy_SIZE_BITS: `count` registers of `block` bytes, of texels with that many bits. The kind is a constant of the caller. */
#define COPY(size, block, bits)                                                                                      \
    typedef uint##bits##_t size##_##bits __attribute__((vector_size(block)));                                        \
    static ALWAYS_INLINE void copy_##size##_##bits(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, \
                                                   size_t count, struct kind kind)                                   \
    {                                                                                                                \
        const size##_##bits none = {0};                                                                              \
        const size##_##bits mask = none + (uint##bits##_t)(kind.is_masked ? keys->mask : UINT32_MAX);                \
        const size##_##bits skipped = none + (uint##bits##_t)keys->source_key;                                       \
        const size##_##bits replaced = none + (uint##bits##_t)keys->destination_key;                                 \
                                                                                                                     \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < count; i++)                                                   \
        {                                                                                                            \
            const size_t at = (kind.backward ? count - 1 - i : i) * block;                                           \
            size##_##bits in, out, left = none;                                                                      \
                                                                                                                     \
            memcpy(&in, from + at, block);                                                                           \
            memcpy(&out, to + at, block);                                                                            \
            if (kind.by_source)                                                                                      \
                left = (size##_##bits)((in & mask) == skipped);                                                      \
            if (kind.by_destination)                                                                                 \
                left |= (size##_##bits)((out & mask) != replaced);                                                   \
            out = (in & ~left) | (out & left);                                                                       \
            memcpy(to + at, &out, block);                                                                            \
        }                                                                                                            \
    }
#define COPY_SIZE(size, block) COPY(size, block, 8) COPY(size, block, 16) COPY(size, block, 32)
COPY_SIZE(large, BLOCK)
COPY_SIZE(small, SMALL)

/* A row that does not overlap its source. The last register may lie on the one before: what it copies again stays the same. */
#define COPY_APART(bits)                                                                                          \
    static ALWAYS_INLINE void copy_apart_##bits(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, \
                                                size_t bytes, struct kind kind)                                   \
    {                                                                                                             \
        const size_t whole = bytes / BLOCK * BLOCK, small = (bytes - whole) / SMALL, last = bytes - SMALL;        \
                                                                                                                  \
        copy_large_##bits(keys, to, from, whole / BLOCK, kind);                                                   \
        copy_small_##bits(keys, to + whole, from + whole, small, kind);                                           \
        if (whole + small * SMALL < bytes)                                                                        \
            copy_small_##bits(keys, to + last, from + last, 1, kind);                                             \
    }
COPY_APART(8)
COPY_APART(16)
COPY_APART(32)

static ALWAYS_INLINE void copy_apart(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t bytes,
                                     struct kind kind)
{
    BY_TEXEL(copy_apart, keys, to, from, bytes, kind);
}

/* Sprites, which have a source key alone, get loops of their own. */
static void copy_apart_by_kind(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t bytes)
{
    const bool is_masked = keys->mask != UINT32_MAX >> (32 - 8 * keys->texel);
    const bool is_sprite = keys->source_keyed && !keys->destination_keyed;

    if (is_sprite && is_masked)
        copy_apart(keys, to, from, bytes, (struct kind){true, false, true, false});
    else if (is_sprite)
        copy_apart(keys, to, from, bytes, (struct kind){true, false, false, false});
    else
        copy_apart(keys, to, from, bytes, (struct kind){keys->source_keyed, keys->destination_keyed, true, false});
}

/* Scrolling */
static void copy_overlapping(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t count,
                             bool backward)
{
    const struct kind kind = {keys->source_keyed, keys->destination_keyed, true, backward};
    const size_t registers = count * keys->texel / SMALL, rest = registers * SMALL / keys->texel;

    if (backward)
        copy_texels(keys, to, from, rest, count, true);
    BY_TEXEL(copy_small, keys, to, from, registers, kind);
    if (!backward)
        copy_texels(keys, to, from, rest, count, false);
}

void KERNEL(raster_keyed_row)(const struct raster_keys *keys, uint8_t *to, const uint8_t *from, size_t count,
                              bool backward)
{
    const size_t bytes = count * keys->texel;
    const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;

    if (keys->texel == 3 || bytes < SMALL)
        copy_texels(keys, to, from, 0, count, backward);
    else if ((a > b ? a - b : b - a) >= bytes)
        copy_apart_by_kind(keys, to, from, bytes);
    else
        copy_overlapping(keys, to, from, count, backward);
}
#endif
