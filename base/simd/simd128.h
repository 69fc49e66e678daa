/* SPDX-License-Identifier: MIT */
/* The 128-bit vectors of WebAssembly: simd4.h there, and simd.h at level 1. */
#ifndef HALCYON_BASE_SIMD_SIMD128_H
#define HALCYON_BASE_SIMD_SIMD128_H

#include <stdint.h>
#include <wasm_simd128.h>

/* --- four lanes, for simd4.h ------------------------------------------------------------------------- */

typedef float float4 __attribute__((vector_size(16), may_alias));
typedef int32_t int4 __attribute__((vector_size(16), may_alias));
typedef double double2 __attribute__((vector_size(16), may_alias));

/* clang-format off */
static inline int4 int4_load_low(const void *p) { return (int4)wasm_v128_load64_zero(p); }
static inline void int4_store_low(void *p, int4 v) { wasm_v128_store64_lane(p, (v128_t)v, 0); }
static inline unsigned int4_signs(int4 v) { return (unsigned)wasm_i32x4_bitmask((v128_t)v); }
static inline int4 int4_pack16(int4 a, int4 b) { return (int4)wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b); }
static inline int4 int4_pack8(int4 a, int4 b) { return (int4)wasm_u8x16_narrow_i16x8((v128_t)a, (v128_t)b); }
static inline int4 int4_madd16(int4 a, int4 b) { return (int4)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b); }
/* (pmin is b < a ? b : a, pmax a < b ? b : a) */
static inline float4 float4_min(float4 a, float4 b) { return (float4)wasm_f32x4_pmin((v128_t)b, (v128_t)a); }
static inline float4 float4_max(float4 a, float4 b) { return (float4)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
static inline double2 double2_from_ints(int4 v) { return (double2)wasm_f64x2_convert_low_i32x4((v128_t)v); }
static inline double2 double2_from_floats(float4 v) { return (double2)wasm_f64x2_promote_low_f32x4((v128_t)v); }
static inline float4 double2_to_floats(double2 v) { return (float4)wasm_f32x4_demote_f64x2_zero((v128_t)v); }
static inline unsigned double2_above_zero(double2 v) { return (unsigned)wasm_i64x2_bitmask(wasm_f64x2_gt((v128_t)v, wasm_f64x2_splat(0.0))); }
static inline unsigned double2_below_zero(double2 v) { return (unsigned)wasm_i64x2_bitmask(wasm_f64x2_lt((v128_t)v, wasm_f64x2_splat(0.0))); }
/* clang-format on */
/* Values that do not fit into an integer become the smallest integer, as in SSE2. */
static inline int4 float4_round(float4 v)
{
    const v128_t fits = wasm_f32x4_lt(wasm_f32x4_abs((v128_t)v), wasm_f32x4_splat(2147483648.0f));
    const v128_t rounded = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest((v128_t)v));

    return (int4)wasm_v128_bitselect(rounded, wasm_i32x4_splat(INT32_MIN), fits);
}

/* --- registers of lanes, for simd.h ------------------------------------------------------------------- */

#if KERNEL_LEVEL == 1

#define VEC             4
#define SIMD_HAS_GATHER 1
#define SIMD_HAS_HALVES 0
#define SIMD_ROW_WORDS  0
typedef float vecf __attribute__((vector_size(16)));
typedef int32_t veci __attribute__((vector_size(16)));
typedef veci vecm;

/* The words of a and b in a constant order. */
#define SIMD128_WORDS(a, b, ...) wasm_i32x4_shuffle((v128_t)(a), (v128_t)(b), __VA_ARGS__)

/* --- operations ------------------------------------------------------------------------------------ */

/* clang-format off */
static inline vecf vecf_load(const float *p) { return (vecf)wasm_v128_load(p); }
static inline void vecf_store(float *p, vecf v) { wasm_v128_store(p, (v128_t)v); }
static inline vecf vecf_splat(float v) { return (vecf)wasm_f32x4_splat(v); }
static inline vecf vecf_add(vecf a, vecf b) { return a + b; }
static inline vecf vecf_sub(vecf a, vecf b) { return a - b; }
static inline vecf vecf_mul(vecf a, vecf b) { return a * b; }
static inline vecf vecf_div(vecf a, vecf b) { return a / b; }
static inline vecf vecf_sqrt(vecf v) { return (vecf)wasm_f32x4_sqrt((v128_t)v); }
static inline vecf vecf_abs(vecf v) { return (vecf)wasm_f32x4_abs((v128_t)v); }
/* (pmin is b < a ? b : a, pmax a < b ? b : a) */
static inline vecf vecf_min(vecf a, vecf b) { return (vecf)wasm_f32x4_pmin((v128_t)b, (v128_t)a); }
static inline vecf vecf_max(vecf a, vecf b) { return (vecf)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
static inline vecm vecf_equal(vecf a, vecf b) { return a == b; }
static inline vecm vecf_at_least(vecf a, vecf b) { return a >= b; }
static inline vecm vecf_is_nan(vecf v) { return v != v; }
static inline vecf vecf_select(vecm lanes, vecf a, vecf b) { return (vecf)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)lanes); }
static inline bool vecm_any(vecm lanes) { return wasm_v128_any_true((v128_t)lanes); }
static inline vecf vecf_mul_legacy(vecf a, vecf b) { return (vecf)((veci)(a * b) & ~((a == 0.0f) | (b == 0.0f))); }
static inline vecf vecf_from(veci v) { return (vecf)wasm_f32x4_convert_i32x4((v128_t)v); }
static inline veci veci_load(const void *p) { return (veci)wasm_v128_load(p); }
static inline void veci_store(void *p, veci v) { wasm_v128_store(p, (v128_t)v); }
static inline veci veci_splat(uint32_t v) { return (veci)wasm_i32x4_splat((int32_t)v); }
static inline veci veci_add(veci a, veci b) { return (veci)wasm_i32x4_add((v128_t)a, (v128_t)b); }
static inline veci veci_sub(veci a, veci b) { return (veci)wasm_i32x4_sub((v128_t)a, (v128_t)b); }
static inline veci veci_left(veci v, unsigned n) { return (veci)wasm_i32x4_shl((v128_t)v, n); }
static inline veci veci_right(veci v, unsigned n) { return (veci)wasm_u32x4_shr((v128_t)v, n); }
static inline veci veci_and(veci a, veci b) { return a & b; }
static inline veci veci_or(veci a, veci b) { return a | b; }
static inline veci veci_xor(veci a, veci b) { return a ^ b; }
static inline veci veci_bits(vecf v) { return (veci)v; }
static inline vecf vecf_of_bits(veci v) { return (vecf)v; }
static inline veci veci_madd16(veci a, veci b) { return (veci)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b); }
static inline uint32_t veci_greater(veci a, veci b) { return wasm_i32x4_bitmask((v128_t)(a > b)); }
static inline uint32_t veci_equal(veci a, veci b) { return wasm_i32x4_bitmask((v128_t)(a == b)); }
/* clang-format on */
/* Values that do not fit into an integer become the smallest integer, as on x86. */
static inline veci veci_truncate(vecf v)
{
    const veci fits = v < 2147483648.0f;

    return (veci)wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4((v128_t)v), wasm_i32x4_splat(INT32_MIN), (v128_t)fits);
}
static inline veci veci_select(uint32_t lanes, veci a, veci b)
{
    const veci bit = {1, 2, 4, 8};

    return (veci)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)((veci_splat(lanes) & bit) == bit));
}

/* --- 16 bits --------------------------------------------------------------------------------------------- */

#define VEC16            8
#define NARROW_REGISTERS 2
typedef v128_t vec16;

/* clang-format off */
static inline vec16 vec16_load(const int16_t *p) { return wasm_v128_load(p); }
static inline void vec16_store(int16_t *p, vec16 v) { wasm_v128_store(p, v); }
static inline vec16 vec16_splat(int16_t v) { return wasm_i16x8_splat(v); }
static inline vec16 vec16_splat_pixel(const int16_t p[4]) { return wasm_v128_load64_splat(p); }
static inline vec16 vec16_add(vec16 a, vec16 b) { return wasm_i16x8_add(a, b); }
static inline vec16 vec16_sub(vec16 a, vec16 b) { return wasm_i16x8_sub(a, b); }
static inline vec16 vec16_adds(vec16 a, vec16 b) { return wasm_i16x8_add_sat(a, b); }
static inline vec16 vec16_subs(vec16 a, vec16 b) { return wasm_i16x8_sub_sat(a, b); }
static inline vec16 vec16_mul(vec16 a, vec16 b) { return wasm_i16x8_q15mulr_sat(a, b); }
static inline vec16 vec16_mul_low(vec16 a, vec16 b) { return wasm_i16x8_mul(a, b); }
static inline vec16 vec16_right(vec16 v, unsigned n) { return wasm_i16x8_shr(v, n); }
static inline vec16 vec16_min(vec16 a, vec16 b) { return wasm_i16x8_min(a, b); }
static inline vec16 vec16_max(vec16 a, vec16 b) { return wasm_i16x8_max(a, b); }
static inline vec16 vec16_greater(vec16 a, vec16 b) { return wasm_i16x8_gt(a, b); }
static inline vec16 vec16_select(vec16 bits, vec16 a, vec16 b) { return wasm_v128_bitselect(a, b, bits); }
/* clang-format on */
static inline vec16 vec16_dot3(vec16 a, vec16 b)
{
    const vec16 color = wasm_v128_and(a, wasm_i16x8_const(-1, -1, -1, 0, -1, -1, -1, 0));
    const v128_t pairs = wasm_i32x4_dot_i16x8(color, wasm_i16x8_shr(b, 1));
    const v128_t sum = wasm_i32x4_add(pairs, SIMD128_WORDS(pairs, pairs, 1, 0, 3, 2));
    const v128_t rounded = wasm_i32x4_shr(wasm_i32x4_add(sum, wasm_i32x4_splat(1 << 13)), 14);
    const v128_t both = wasm_i16x8_narrow_i32x4(rounded, rounded);

    return wasm_i16x8_shuffle(both, both, 0, 0, 1, 1, 2, 2, 3, 3);
}

/* The bytes that two pixels take. */
struct vec16_order {
    vec16 bytes;
};
static inline struct vec16_order vec16_order(const uint8_t order[4])
{
    int8_t bytes[16];

    vec16_order_bytes(order, bytes);
    return (struct vec16_order){wasm_v128_load(bytes)};
}
static inline vec16 vec16_alpha(vec16 v)
{
    return wasm_i16x8_shuffle(v, v, 3, 3, 3, 3, 7, 7, 7, 7);
}
static inline vec16 vec16_swizzle(vec16 v, const struct vec16_order *order)
{
    return wasm_i8x16_swizzle(v, order->bytes);
}

/* (twice the same byte is 257 times the byte) */
static inline void vec16_of_words(veci words, vec16 out[NARROW_REGISTERS])
{
    const v128_t w = (v128_t)words;

    out[0] = wasm_u16x8_shr(wasm_i8x16_shuffle(w, w, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), 1);
    out[1] = wasm_u16x8_shr(wasm_i8x16_shuffle(w, w, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15), 1);
}
static inline veci vec16_words(const vec16 v[NARROW_REGISTERS])
{
    const vec16 scale = vec16_splat(255);

    return (veci)wasm_u8x16_narrow_i16x8(vec16_mul(v[0], scale), vec16_mul(v[1], scale));
}
static inline void vec16_of_channels(veci blue, veci green, veci red, veci alpha, vec16 out[NARROW_REGISTERS])
{
    const veci low = veci_or(veci_and(blue, veci_splat(0xffff)), veci_left(green, 16));
    const veci high = veci_or(veci_and(red, veci_splat(0xffff)), veci_left(alpha, 16));

    out[0] = SIMD128_WORDS(low, high, 0, 4, 1, 5);
    out[1] = SIMD128_WORDS(low, high, 2, 6, 3, 7);
}

static inline void vec16_channels(const vec16 v[NARROW_REGISTERS], veci channel[4])
{
    const veci low = SIMD128_WORDS(v[0], v[1], 0, 2, 4, 6), high = SIMD128_WORDS(v[0], v[1], 1, 3, 5, 7);

    channel[0] = (veci)wasm_i32x4_shr(wasm_i32x4_shl((v128_t)low, 16), 16);
    channel[1] = (veci)wasm_i32x4_shr((v128_t)low, 16);
    channel[2] = (veci)wasm_i32x4_shr(wasm_i32x4_shl((v128_t)high, 16), 16);
    channel[3] = (veci)wasm_i32x4_shr((v128_t)high, 16);
}

/* --- sign bits --------------------------------------------------------------------------------------- */

static inline uint32_t sign_bits_8(const int32_t v[8])
{
    return wasm_i32x4_bitmask(wasm_v128_load(v)) | wasm_i32x4_bitmask(wasm_v128_load(v + 4)) << 4;
}

static inline uint32_t sign_bits(const int32_t v[16])
{
    return sign_bits_8(v) | sign_bits_8(v + 8) << 8;
}

/* Lanes are in order for sign_bits_of_4. */
#define SIGN_ORDER(Q) \
    Q(0), Q(1), Q(2), Q(3), Q(4), Q(5), Q(6), Q(7), Q(8), Q(9), Q(10), Q(11), Q(12), Q(13), Q(14), Q(15)

static inline uint64_t sign_bits_of_4(veci a, veci b, veci c, veci d)
{
    const v128_t ab = wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b), cd = wasm_i16x8_narrow_i32x4((v128_t)c, (v128_t)d);

    return wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(ab, cd));
}

static inline void madd16_of_3(const void *step, int32_t pair, const void *add, int32_t out[4])
{
    veci_store(out, veci_add(veci_madd16(veci_load(step), veci_splat((uint32_t)pair)), veci_load(add)));
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* The distance in bytes from the first pixel of a group to the pixel of lane l, which is in Morton order. */
static inline size_t pixel_offset(size_t pitch, unsigned l)
{
    return (size_t)((l >> 1 & 1) | (l >> 2 & 2)) * pitch + (size_t)((l & 1) | (l >> 1 & 2)) * sizeof(uint32_t);
}
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    const uint8_t *at = p + pixel_offset(pitch, l);

    return (veci)wasm_v128_load64_lane(at + pitch, wasm_v128_load64_zero(at), 1);
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    uint8_t *at = p + pixel_offset(pitch, l);

    wasm_v128_store64_lane(at, (v128_t)lanes, 0);
    wasm_v128_store64_lane(at + pitch, (v128_t)lanes, 1);
}

/* Row l / 4: two lanes of each of two quads. */
static inline veci group_rows(const uint32_t *lanes, unsigned l)
{
    const uint32_t *at = lanes + l / 8 * 8 + l / 4 % 2 * 2;

    return (veci)wasm_v128_load64_lane(at + 4, wasm_v128_load64_zero(at), 1);
}

static inline veci rows_load(const uint8_t *p, size_t pitch, unsigned i)
{
    return veci_load(p + i * VEC / 8 * pitch + i * VEC % 8 * sizeof(uint32_t));
}
static inline void rows_store(uint8_t *p, size_t pitch, unsigned i, veci v)
{
    veci_store(p + i * VEC / 8 * pitch + i * VEC % 8 * sizeof(uint32_t), v);
}

static inline void row_fill(uint8_t *p, const uint8_t *pattern)
{
    const veci four = veci_load(pattern);

    veci_store(p, four);
    veci_store(p + 16, four);
}

static inline vecf quads_load(const float *lanes, const unsigned at[4], unsigned l)
{
    return vecf_load(lanes + at[l / 4]);
}

static inline vecf fours_load(const float *const *at, unsigned offset)
{
    return vecf_load(at[0] + offset);
}

static inline void fours_store(float *const *at, vecf v)
{
    vecf_store(at[0], v);
}

static inline void splat_quads(unsigned n, const float *restrict quad, float *restrict lane)
{
    for (unsigned l = 0; l < n; l += 4)
        vecf_store(lane + l, vecf_splat(quad[l / 4]));
}

static inline void corners_of_quads(const float *restrict t, float *restrict at, float *restrict right,
                                    float *restrict below)
{
    for (unsigned q = 0; q < 16; q += 4) {
        const vecf a = vecf_load(t + 4 * q), b = vecf_load(t + 4 * q + 4);
        const vecf c = vecf_load(t + 4 * q + 8), d = vecf_load(t + 4 * q + 12);
        const v128_t ab = SIMD128_WORDS(a, b, 0, 4, 1, 5), cd = SIMD128_WORDS(c, d, 0, 4, 1, 5);

        vecf_store(at + q, (vecf)SIMD128_WORDS(ab, cd, 0, 1, 4, 5));
        vecf_store(right + q, (vecf)SIMD128_WORDS(ab, cd, 2, 3, 6, 7));
        vecf_store(below + q,
                   (vecf)SIMD128_WORDS(SIMD128_WORDS(a, b, 2, 6, 3, 7), SIMD128_WORDS(c, d, 2, 6, 3, 7), 0, 1, 4, 5));
    }
}

static inline void gather_words(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                uint32_t *restrict texel)
{
    for (unsigned l = 0; l < n; l++)
        texel[l] = texels[index[l]];
}

static inline void gather_word_pairs(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                     uint32_t *restrict left, uint32_t *restrict right)
{
    for (unsigned l = 0; l < n; l++) {
        left[l] = texels[index[l]];
        right[l] = texels[index[l] + 1];
    }
}

/*
 * --- the sampler's fast path ------------------------------------------------------------------------------
 *
 * avx2.h describes each function. Here a vector is one quad of 128 bits, so that all orders of lanes are the same.
 */

/* clang-format off */
static inline veci vector_right(veci v, unsigned n) { return (veci)wasm_i32x4_shr((v128_t)v, n); }
static inline veci vector_mul(veci a, veci b) { return (veci)wasm_i32x4_mul((v128_t)a, (v128_t)b); }
static inline veci vector_min(veci a, veci b) { return (veci)wasm_i32x4_min((v128_t)a, (v128_t)b); }
static inline veci vector_max(veci a, veci b) { return (veci)wasm_i32x4_max((v128_t)a, (v128_t)b); }
static inline veci vector_min_unsigned(veci a, veci b) { return (veci)wasm_u32x4_min((v128_t)a, (v128_t)b); }
static inline veci vector_shuffle_bytes(veci v, veci order) { return (veci)wasm_i8x16_swizzle((v128_t)v, (v128_t)order); }
static inline vecf vector_unpack_low(vecf a, vecf b) { return (vecf)SIMD128_WORDS(a, b, 0, 4, 1, 5); }
static inline vecf vector_unpack_high(vecf a, vecf b) { return (vecf)SIMD128_WORDS(a, b, 2, 6, 3, 7); }
static inline vecf vector_low_halves(vecf a, vecf b) { return (vecf)SIMD128_WORDS(a, b, 0, 1, 4, 5); }
static inline vecf vector_high_halves(vecf a, vecf b) { return (vecf)SIMD128_WORDS(a, b, 2, 3, 6, 7); }
static inline vecf vector_fraction(vecf v) { return v - (vecf)wasm_f32x4_floor((v128_t)v); }
static inline veci vector_join(veci a, veci b, veci flip) { return (a | b) ^ flip; }
static inline bool vector_any(veci v) { return wasm_v128_any_true((v128_t)v); }
static inline veci vector_difference(veci a, veci b) { return a ^ b; }
static inline bool vector_all_at_most(vecf a, vecf b) { return wasm_i32x4_all_true((v128_t)(a <= b)); }
static inline veci vector_splat_first(veci v) { return veci_splat((uint32_t)v[0]); }
static inline vecf vector_of_quads(const float *quad) { return vecf_splat(*quad); }
static inline veci vector_ints_of_quads(const int32_t *quad) { return veci_splat((uint32_t)*quad); }
static inline vecf vector_quad_order(vecf v) { return v; }
static inline veci vector_pair_order(veci v) { return v; }
static inline veci vector_repeat(const int8_t v[16]) { return veci_load(v); }
static inline vecf vector_splat_in_fours(vecf v, unsigned i) { return vecf_splat(v[i]); }
static inline vecf vector_fours(const void *texels, const int32_t *index) { return vecf_load((const float *)texels + 4 * (ptrdiff_t)index[0]); }
/* clang-format on */

static inline vec16 vector_mix_bytes(veci a, veci b)
{
    const v128_t byte = wasm_i16x8_splat(255), u = (v128_t)a, s = (v128_t)b;
    const v128_t first = wasm_i16x8_mul(wasm_v128_and(u, byte), wasm_i16x8_shr(wasm_i16x8_shl(s, 8), 8));
    const v128_t second = wasm_i16x8_mul(wasm_u16x8_shr(u, 8), wasm_i16x8_shr(s, 8));

    return wasm_i16x8_add_sat(first, second);
}

/* Exact: the multiplication also turns denormal halves into floats. */
static inline vecf vector_fours_of_halves(const void *texels, const int32_t *index)
{
    const veci half = (veci)wasm_u32x4_load16x4((const uint16_t *)texels + 4 * (ptrdiff_t)index[0]);
    const veci magnitude = veci_left(half & 0x7fff, 13), sign = veci_left(half & 0x8000, 16);
    const veci finite = (veci)((vecf)magnitude * 0x1p112f), not_finite = magnitude | 0x7f800000;

    return (vecf)(sign |
                  (veci)wasm_v128_bitselect((v128_t)not_finite, (v128_t)finite, (v128_t)(magnitude >= 0x1f << 23)));
}

static inline void vector_four_pairs(const void *texels, const int32_t *index, vecf pair[2])
{
    pair[0] = vector_fours(texels, index);
    pair[1] = vector_fours((const float *)texels + 4, index);
}

static inline void vector_four_pairs_of_halves(const void *texels, const int32_t *index, vecf pair[2])
{
    pair[0] = vector_fours_of_halves(texels, index);
    pair[1] = vector_fours_of_halves((const uint16_t *)texels + 4, index);
}

/* Lanes for which 0 <= v < end does not hold. */
static inline v128_t vector_beyond(veci v, veci end)
{
    return wasm_u32x4_ge((v128_t)v, (v128_t)end);
}
static inline bool vector_inside(veci v, veci end)
{
    return !wasm_v128_any_true(vector_beyond(v, end));
}
static inline bool vector_both_inside(veci v, veci end_v, veci w, veci end_w)
{
    return !wasm_v128_any_true(wasm_v128_or(vector_beyond(v, end_v), vector_beyond(w, end_w)));
}

static inline veci vector_select(veci negative, veci a, veci b)
{
    return (veci)wasm_v128_bitselect((v128_t)a, (v128_t)b, wasm_i32x4_shr((v128_t)negative, 31));
}

/* The words at four places. */
static inline veci vector_words(const uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *d)
{
    const v128_t two = wasm_v128_load32_lane(b, wasm_v128_load32_zero(a), 1);

    return (veci)wasm_v128_load32_lane(d, wasm_v128_load32_lane(c, two, 2), 3);
}

static inline veci vector_gather(const uint32_t *words, veci i)
{
    return vector_words(words + i[0], words + i[1], words + i[2], words + i[3]);
}

struct vector_pairs {
    veci low, high;
};

static inline struct vector_pairs vector_unpack(veci first, veci second)
{
    return (struct vector_pairs){(veci)SIMD128_WORDS(first, second, 0, 4, 1, 5),
                                 (veci)SIMD128_WORDS(first, second, 2, 6, 3, 7)};
}
static inline veci vector_first(struct vector_pairs v)
{
    return (veci)SIMD128_WORDS(v.low, v.high, 0, 2, 4, 6);
}
static inline veci vector_second(struct vector_pairs v)
{
    return (veci)SIMD128_WORDS(v.low, v.high, 1, 3, 5, 7);
}

static inline struct vector_pairs vector_gather_pairs(const uint32_t *words, veci i)
{
    return (struct vector_pairs){
        (veci)wasm_v128_load64_lane(words + i[1], wasm_v128_load64_zero(words + i[0]), 1),
        (veci)wasm_v128_load64_lane(words + i[3], wasm_v128_load64_zero(words + i[2]), 1),
    };
}

/* The words at two indices per lane. */
static inline struct vector_pairs vector_gather_two(const uint32_t *words, veci i, veci k)
{
    return vector_unpack(vector_gather(words, i), vector_gather(words, k));
}
/* As vector_gather_pairs, from two rows at once. */
static inline void vector_gather_pair_rows(const uint32_t *upper, const uint32_t *lower, veci i,
                                           struct vector_pairs row[2])
{
    row[0] = vector_gather_pairs(upper, i);
    row[1] = vector_gather_pairs(lower, i);
}

/* The vector's only quad starts where its first lane starts. */
static inline veci vector_pair_starts(const int64_t *quad)
{
    return (veci)wasm_v128_load64_splat(quad);
}
static inline const uint32_t *vector_start(const uint32_t *words, veci start)
{
    return words + (ptrdiff_t)wasm_i64x2_extract_lane((v128_t)start, 0);
}
static inline struct vector_pairs vector_gather_far_pairs(const uint32_t *words, veci start, veci i)
{
    return vector_gather_pairs(vector_start(words, start), i);
}
static inline veci vector_gather_far(const uint32_t *words, veci start, veci i)
{
    return vector_gather(vector_start(words, start), i);
}

static inline veci vector_subtract_even(int16_t c, veci v)
{
    const v128_t even = wasm_i32x4_splat(0xffff), less = wasm_i16x8_sub(wasm_v128_xor((v128_t)v, even), even);

    return (veci)wasm_i16x8_add(less, wasm_i32x4_splat(c));
}

struct vector_table {
    const float *entry;
};

static inline struct vector_table vector_table_of(const float *entry)
{
    return (struct vector_table){entry};
}

struct vector_entries {
    vecf low, high;
};

static inline struct vector_entries vector_look_up(const struct vector_table *table, veci index)
{
    const uint32_t *words = (const uint32_t *)table->entry;

    return (struct vector_entries){(vecf)vector_gather(words, index & 0xffff),
                                   (vecf)vector_gather(words, veci_right(index, 16))};
}

/* The sum fits into 24 bits, so the conversion does not round. */
static inline vecf vector_scale_biased(veci v, int32_t bias, float scale)
{
    return vecf_from(veci_add(v, veci_splat((uint32_t)bias))) * scale;
}

#endif /* KERNEL_LEVEL == 1 */

#endif
