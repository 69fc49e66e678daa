/* SPDX-License-Identifier: MIT */
/*
 * Registers of lanes: the one interface between kernels and instruction sets. KERNEL_LEVEL chooses the implementation;
 * a new instruction set is a new file like those below, and a level (docs/how-to-extend.md). Nothing in a kernels/
 * folder names an instruction.
 *
 * Most loops over lanes are left to the compiler's vectorizer. The operations below are for what it compiles badly: it
 * does not find the single instructions for minimum and maximum, keeps values that several loops share in memory, and
 * finds no moves across lanes. All operations follow IEEE 754. The scalar implementation is the definition; all others
 * give the same bits.
 *
 * Every implementation has
 *
 *   VEC                             lanes of a register: 1, 4, 8, 16
 *   vecf, veci, vecm                a register of floats; of 32-bit integers; which lanes, as comparisons of floats give them
 *   vecf_load, _store, _splat, _add, _sub, _mul, _div, _sqrt, _abs, vecf_from (integers to floats), vecf_of_bits
 *   vecf_min, vecf_max              a < b ? a : b; a > b ? a : b: b where one is not a number
 *   vecf_mul_legacy                 a * b, but 0 where one of them is 0 or -0, whatever the other is
 *   vecf_equal, _at_least, _is_nan  make a vecm; vecf_select: a in its lanes, else b; vecm_any: is it any lane?
 *   veci_load, _store, _splat, _add, _sub, _left, _right (shifts, logical), _and, _or, _xor, veci_truncate (floats to integers),
 *   veci_bits (the bits of floats)
 *   veci_greater, veci_equal        signed; bit l of the result is that of lane l
 *   veci_select                     a in the lanes whose bits are set, of the lower VEC ones, else b
 *   veci_madd16                     in each lane the sum of the products of its two signed halves
 *   sign_bits, sign_bits_8          the sign bits of 16 or 8 values in memory; sign_bits_of_4: of four registers, lane after lane, after
 *                                   SIGN_ORDER has put their contents in order
 *   madd16_of_3                     out = add + madd16(step, pair) of three integers in memory, after which four bytes may be read; out
 *                                   has room for a fourth and is aligned to 16
 *   pixels_load, pixels_store       lanes l.. of a 4x4 group in Morton order, from and to four rows of 32-bit pixels
 *   group_rows                      pixels l.. of a 4x4 group row by row, from its lanes in Morton order, which are in memory
 *   rows_load, rows_store           register i of two rows of eight 32-bit pixels
 *   row_fill                        a row of eight 32-bit pixels from four
 *   quads_load                      lanes l.. of four quads of floats, which lie at at[0..3]
 *   splat_quads                     the value of each quad to its four lanes, for n lanes
 *   corners_of_quads                lanes 0, 1 and 2 of each of 16 quads
 *   gather_words, gather_word_pairs the words at n indices; those and the words after them
 *
 * colours of pixels in 16 bits (raster/narrow.h), four numbers a pixel: blue, green, red, alpha. VEC pixels are
 * NARROW_REGISTERS registers (scalar 1, else 2): in each four lanes the first two pixels in the first register, the
 * others in the second.
 *
 *   VEC16                           numbers of a register
 *   vec16                           a register of them
 *   vec16_load, _store, _splat, _splat_pixel (four numbers), _right (arithmetic shift), _min, _max, _mul_low (the lower 16 bits)
 *   vec16_add, _sub, _adds, _subs   modulo 65536; held to -32768..32767
 *   vec16_mul                       a * b / 32768 to the nearest, ties up; not both of them -32768
 *   vec16_greater                   all bits of a number where a > b; vec16_select: bits of a where they are set, else of b
 *   vec16_dot3                      in all four (a0 * (b0 >> 1) + a1 * (b1 >> 1) + a2 * (b2 >> 1)) / 16384, rounded and held likewise
 *   vec16_order, vec16_swizzle      the numbers of each pixel that an order names; vec16_alpha: the last one four times
 *   vec16_of_words, vec16_words     VEC pixels of four bytes to 0..32767, and back to the nearest byte, values less than 0 become 0
 *   vec16_of_channels               VEC pixels from integers of 16 bits; vec16_channels: back
 *
 * those of more than one lane also
 *
 *   vector_unpack_low, _unpack_high, _low_halves, _high_halves   moves inside each four lanes, which x86.h describes
 *   fours_load                      the four floats at offset from each of at[0], at[4], ..., for each four lanes of a register
 *   fours_store                     each four lanes of a register to at[0], at[4], ...
 *
 * if SIMD_HAS_HALVES
 *
 *   vector_to_halves, _from_halves  lanes to halves, to the nearest, ties to even; the lower 16 bits of lanes to floats. A NaN
 *                                   keeps its sign and payload
 *
 * and, if SIMD_HAS_GATHER, the vector_ functions of the sampler's fast path, which avx2.h describes.
 */
#ifndef HALCYON_BASE_SIMD_SIMD_H
#define HALCYON_BASE_SIMD_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/simd/canonical_nan.h"

/* Loops over registers and channels are unrolled by hand, because the flags that keep loops over lanes rolled keep
 * these rolled too. Sanitizers check every access in every copy, which takes compilers minutes; with KERNEL_LOOPS the
 * loops stay loops. */
#ifdef KERNEL_LOOPS
#define UNROLLED
#define FOR_VECTORS(count) for (unsigned l = 0; l < (count); l += VEC)
#else
#define UNROLLED           _Pragma("GCC unroll 4")
#define FOR_VECTORS(count) _Pragma("GCC unroll 16") for (unsigned l = 0; l < (count); l += VEC)
#endif

/* The bytes of two pixels with 16-bit numbers that an order of numbers selects (vec16_order), for byte shuffles. */
static inline void vec16_order_bytes(const uint8_t order[4], int8_t bytes[16])
{
    for (unsigned i = 0; i < 16; i++)
        bytes[i] = (int8_t)((i & 8) + 2u * order[i / 2 % 4] + i % 2);
}

#if KERNEL_LEVEL == 3
#include "base/simd/avx512.h"
#elif KERNEL_LEVEL == 2
#include "base/simd/avx2.h"
#elif KERNEL_LEVEL == 1 && defined(__wasm__)
#include "base/simd/simd128.h"
#elif KERNEL_LEVEL == 1 && defined(__aarch64__)
#include "base/simd/neon.h"
#elif KERNEL_LEVEL == 1
#include "base/simd/sse2.h"
#else
#include "base/simd/scalar.h"
#endif

/* NaN becomes the lower limit. */
static inline vecf vecf_limit(vecf v, vecf low, vecf high)
{
    return vecf_min(vecf_max(v, low), high);
}

/* NaN becomes 0. */
static inline vecf vecf_saturate(vecf v)
{
    return vecf_limit(v, vecf_splat(0.0f), vecf_splat(1.0f));
}

/* NaN becomes the canonical NaN. */
static inline vecf vecf_canonical_nan(vecf v)
{
    return vecf_select(vecf_is_nan(v), vecf_of_bits(veci_splat(CANONICAL_NAN_BITS)), v);
}

#if VEC > 1
/* Transposes each four lanes on their own. */
static inline void vector_transpose(vecf row[4])
{
    const vecf low0 = vector_unpack_low(row[0], row[1]), high0 = vector_unpack_high(row[0], row[1]);
    const vecf low1 = vector_unpack_low(row[2], row[3]), high1 = vector_unpack_high(row[2], row[3]);

    row[0] = vector_low_halves(low0, low1);
    row[1] = vector_high_halves(low0, low1);
    row[2] = vector_low_halves(high0, high1);
    row[3] = vector_high_halves(high0, high1);
}
#endif

#endif
