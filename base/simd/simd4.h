/* SPDX-License-Identifier: MIT */
/*
 * Four 32-bit lanes, or two doubles, for code that is compiled once whatever the CPU level: positions, bounds and edges
 * in setup, vertices, samples. All operations follow IEEE 754 in each lane, so that every build gives the same bits.
 *
 * float4, int4 and double2 are vectors of the compiler. C's operators work on them. Comparisons give an int4 whose
 * lanes are all ones or all zeros. Operations that may overflow are functions, which wrap around. Each instruction set
 * adds, in its own file, what C cannot express:
 *
 *   float4, int4, double2   the types; int4 also holds eight lanes of 16 bits, or sixteen bytes
 *   int4_load_low, _store_low   the lower two lanes alone; a load sets the other lanes to 0
 *   int4_signs              bit l: the sign of lane l
 *   int4_pack16, _pack8     the lanes of a, then of b, in half as many bits; all fit: 16 bits signed, 8 bits unsigned
 *   int4_madd16             in each lane the sum of the products of its two signed halves
 *   float4_min, _max        a < b ? a : b; a > b ? a : b: b where one is not a number
 *   float4_round            to the nearest integers, ties to even
 *   double2_from_ints, _from_floats   of the lower two lanes
 *   double2_to_floats       rounded, into the lower two lanes; the others are 0
 *   double2_above_zero, _below_zero   bit l: lane l is
 */
#ifndef HALCYON_BASE_SIMD_SIMD4_H
#define HALCYON_BASE_SIMD_SIMD4_H

#include <stdint.h>
#include <string.h>

#include "base/simd/canonical_nan.h"

#if defined(__SSE2__)
#include "base/simd/sse2.h"
#elif defined(__wasm_simd128__)
#include "base/simd/simd128.h"
#elif defined(__aarch64__)
#include "base/simd/neon.h"
#else
#error "simd4.h has no implementation for this machine"
#endif

#define SIMD4_LANES 4
/* For each lane, or each of four vectors, without a loop, so that vectors that the body indexes by l stay in
 * registers. */
#define SIMD4_EACH(l) _Pragma("GCC unroll 4") for (unsigned l = 0; l < SIMD4_LANES; l++)

typedef uint64_t simd4_longs __attribute__((vector_size(16), may_alias));
typedef uint32_t simd4_words __attribute__((vector_size(16), may_alias));
typedef uint16_t simd4_halves __attribute__((vector_size(16), may_alias));
typedef uint8_t simd4_bytes __attribute__((vector_size(16), may_alias));

/* --- integers --------------------------------------------------------------------------------------- */

static inline int4 int4_load(const void *p)
{
    int4 v;

    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void int4_store(void *p, int4 v)
{
    memcpy(p, &v, sizeof(v));
}

/* Lanes 0 and 1, and lanes 2 and 3, as 64-bit numbers; the first lane is the lower half. */
static inline int4 int4_of_halves(uint64_t low, uint64_t high)
{
    return (int4)(simd4_longs){low, high};
}

/* clang-format off */
static inline int4 int4_splat(int32_t v) { return (int4){v, v, v, v}; }
static inline int4 int4_zero(void) { return int4_splat(0); }
static inline int4 int4_add(int4 a, int4 b) { return (int4)((simd4_words)a + (simd4_words)b); }
static inline int4 int4_sub(int4 a, int4 b) { return (int4)((simd4_words)a - (simd4_words)b); }
/* a where the mask is set, else b. */
static inline int4 int4_select(int4 mask, int4 a, int4 b) { return (mask & a) | (~mask & b); }
/* Negates the lanes where the mask is set. */
static inline int4 int4_negate(int4 v, int4 mask) { return int4_sub(v ^ mask, mask); }
static inline int4 int4_min(int4 a, int4 b) { return int4_select(a > b, b, a); }
static inline int4 int4_max(int4 a, int4 b) { return int4_select(b > a, b, a); }
static inline int4 int4_left(int4 v, int n) { return (int4)((simd4_words)v << n); }
/* Logical shifts; >> is the arithmetic shift. */
static inline int4 int4_right(int4 v, int n) { return (int4)((simd4_words)v >> n); }
/* The even lanes of a, then of b; the odd lanes. */
static inline int4 int4_even(int4 a, int4 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
static inline int4 int4_odd(int4 a, int4 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }
/* Swaps lanes 0 and 1; lanes 2 and 3 stay. */
static inline int4 int4_swap_low(int4 v) { return __builtin_shufflevector(v, v, 1, 0, 2, 3); }
/* Lanes 1, 2, 3, 3. */
static inline int4 int4_next(int4 v) { return __builtin_shufflevector(v, v, 1, 2, 3, 3); }
/* Lanes of 16 bits. The shift is logical. */
static inline int4 int4_splat16(uint16_t v) { return (int4)(simd4_halves){v, v, v, v, v, v, v, v}; }
static inline int4 int4_add16(int4 a, int4 b) { return (int4)((simd4_halves)a + (simd4_halves)b); }
static inline int4 int4_sub16(int4 a, int4 b) { return (int4)((simd4_halves)a - (simd4_halves)b); }
static inline int4 int4_mul16(int4 a, int4 b) { return (int4)((simd4_halves)a * (simd4_halves)b); }
static inline int4 int4_right16(int4 v, int n) { return (int4)((simd4_halves)v >> n); }
/* clang-format on */
/* The lower (upper) halves of a, then of b. */
static inline int4 int4_low_halves(int4 a, int4 b)
{
    return (int4)__builtin_shufflevector((simd4_longs)a, (simd4_longs)b, 0, 2);
}
static inline int4 int4_high_halves(int4 a, int4 b)
{
    return (int4)__builtin_shufflevector((simd4_longs)a, (simd4_longs)b, 1, 3);
}
/* Interleaves lanes 0 and 1 (2 and 3) of a and b. */
static inline int4 int4_low_words(int4 a, int4 b)
{
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
static inline int4 int4_high_words(int4 a, int4 b)
{
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
/* Extends the lower (upper) eight bytes, unsigned, to lanes of 16 bits. */
static inline int4 int4_low_bytes(int4 v)
{
    return (int4)__builtin_shufflevector((simd4_bytes)v, (simd4_bytes){0}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                         22, 7, 23);
}
static inline int4 int4_high_bytes(int4 v)
{
    return (int4)__builtin_shufflevector((simd4_bytes)v, (simd4_bytes){0}, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                         14, 30, 15, 31);
}

/* --- floats ------------------------------------------------------------------------------------------- */

static inline float4 float4_load(const float *p)
{
    float4 v;

    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void float4_store(float *p, float4 v)
{
    memcpy(p, &v, sizeof(v));
}

/* clang-format off */
/* p: aligned to 16. */
static inline void float4_store_aligned(float *p, float4 v) { *(float4 *)p = v; }
static inline float4 float4_load_low(const float *p) { return (float4)int4_load_low(p); }
static inline void float4_store_low(float *p, float4 v) { int4_store_low(p, (int4)v); }
static inline float4 float4_splat(float v) { return (float4){v, v, v, v}; }
/* a where the mask is set, else b. */
static inline float4 float4_select(int4 mask, float4 a, float4 b) { return (float4)int4_select(mask, (int4)a, (int4)b); }
static inline float4 float4_abs(float4 v) { return (float4)((int4)v & 0x7fffffff); }
/* NaN becomes 0. */
static inline float4 float4_saturate(float4 v) { return float4_min(float4_max(v, float4_splat(0)), float4_splat(1)); }
/* A lane that is NaN becomes 0; becomes the canonical NaN. */
static inline float4 float4_numbers(float4 v) { return (float4)((int4)v & (v == v)); }
static inline float4 float4_canonical_nan(float4 v) { return float4_select(v == v, v, (float4)int4_splat(CANONICAL_NAN_BITS)); }
static inline float4 float4_from(int4 v) { return __builtin_convertvector(v, float4); }
/* Lane 0 (1) in all lanes. */
static inline float4 float4_splat_0(float4 v) { return __builtin_shufflevector(v, v, 0, 0, 0, 0); }
static inline float4 float4_splat_1(float4 v) { return __builtin_shufflevector(v, v, 1, 1, 1, 1); }
/* The lower halves of a, then of b. */
static inline float4 float4_low_halves(float4 a, float4 b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
/* Are all lanes 0, or -0? */
static inline int float4_are_zero(float4 a, float4 b) { return !int4_signs((a != 0.0f) | (b != 0.0f)); }
/* clang-format on */

/* Stores v over the floats at p where the mask is set. */
static inline void float4_replace(float *p, int4 mask, float4 v)
{
    float4_store(p, float4_select(mask, v, float4_load(p)));
}

/* Transposes four vectors. */
static inline void float4_transpose(float4 r[4])
{
    const float4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    const float4 b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const float4 c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    const float4 d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);

    r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* --- doubles ------------------------------------------------------------------------------------------ */

/* clang-format off */
static inline double2 double2_splat(double v) { return (double2){v, v}; }
static inline double2 double2_splat_0(double2 v) { return __builtin_shufflevector(v, v, 0, 0); }
static inline double2 double2_splat_1(double2 v) { return __builtin_shufflevector(v, v, 1, 1); }
static inline void double2_store(double *p, double2 v) { memcpy(p, &v, sizeof(v)); }
/* clang-format on */

#endif
