/* SPDX-License-Identifier: MIT */
/* The 128-bit vectors of 64-bit ARM, which each such processor has: simd4.h there, and simd.h at level 1. */
#ifndef HALCYON_BASE_SIMD_NEON_H
#define HALCYON_BASE_SIMD_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* --- four lanes, for simd4.h ------------------------------------------------------------------------- */

typedef float float4 __attribute__((vector_size(16), may_alias));
typedef int32_t int4 __attribute__((vector_size(16), may_alias));
typedef double double2 __attribute__((vector_size(16), may_alias));

/* Eight bytes at any address. */
static inline uint64_t neon_load_half(const void *p)
{
    uint64_t bits;

    memcpy(&bits, p, sizeof(bits));
    return bits;
}
static inline void neon_store_half(void *p, uint64_t bits)
{
    memcpy(p, &bits, sizeof(bits));
}

/* Bit l: the sign of lane l. */
static inline unsigned neon_signs(int32x4_t v)
{
    const int32x4_t place = {0, 1, 2, 3};

    return vaddvq_u32(vshlq_u32(vshrq_n_u32(vreinterpretq_u32_s32(v), 31), place));
}
static inline unsigned neon_signs_of_2(uint64x2_t v)
{
    return (unsigned)(vgetq_lane_u64(v, 0) & 1) | (unsigned)(vgetq_lane_u64(v, 1) & 2);
}
static inline int32x4_t neon_madd16(int16x8_t a, int16x8_t b)
{
    return vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
}

/* clang-format off */
static inline int4 int4_load_low(const void *p) { return (int4)vcombine_u64(vcreate_u64(neon_load_half(p)), vcreate_u64(0)); }
static inline void int4_store_low(void *p, int4 v) { neon_store_half(p, vgetq_lane_u64((uint64x2_t)v, 0)); }
static inline unsigned int4_signs(int4 v) { return neon_signs((int32x4_t)v); }
static inline int4 int4_pack16(int4 a, int4 b) { return (int4)vcombine_s16(vqmovn_s32((int32x4_t)a), vqmovn_s32((int32x4_t)b)); }
static inline int4 int4_pack8(int4 a, int4 b) { return (int4)vcombine_u8(vqmovun_s16((int16x8_t)a), vqmovun_s16((int16x8_t)b)); }
static inline int4 int4_madd16(int4 a, int4 b) { return (int4)neon_madd16((int16x8_t)a, (int16x8_t)b); }
/* (fmin and fmax treat NaN and -0 in another way) */
static inline float4 float4_min(float4 a, float4 b) { return (float4)vbslq_f32((uint32x4_t)(a < b), (float32x4_t)a, (float32x4_t)b); }
static inline float4 float4_max(float4 a, float4 b) { return (float4)vbslq_f32((uint32x4_t)(a > b), (float32x4_t)a, (float32x4_t)b); }
static inline double2 double2_from_ints(int4 v) { return (double2)vcvtq_f64_s64(vmovl_s32(vget_low_s32((int32x4_t)v))); }
static inline double2 double2_from_floats(float4 v) { return (double2)vcvt_f64_f32(vget_low_f32((float32x4_t)v)); }
static inline float4 double2_to_floats(double2 v) { return (float4)vcombine_f32(vcvt_f32_f64((float64x2_t)v), vdup_n_f32(0.0f)); }
static inline unsigned double2_above_zero(double2 v) { return neon_signs_of_2(vcgtzq_f64((float64x2_t)v)); }
static inline unsigned double2_below_zero(double2 v) { return neon_signs_of_2(vcltzq_f64((float64x2_t)v)); }
/* clang-format on */
/* Values that do not fit into an integer become the smallest integer, as in SSE2. */
static inline int4 float4_round(float4 v)
{
    const uint32x4_t fits = vcltq_f32(vabsq_f32((float32x4_t)v), vdupq_n_f32(2147483648.0f));

    return (int4)vbslq_s32(fits, vcvtnq_s32_f32((float32x4_t)v), vdupq_n_s32(INT32_MIN));
}

/* --- registers of lanes, for simd.h ------------------------------------------------------------------- */

#if KERNEL_LEVEL == 1

#define VEC             4
#define SIMD_HAS_GATHER 1
#define SIMD_HAS_HALVES 0
#define SIMD_ROW_WORDS  0
typedef float vecf __attribute__((vector_size(16)));
typedef int32_t veci __attribute__((vector_size(16)));
typedef uint32_t neon_words __attribute__((vector_size(16)));
typedef veci vecm;

/* --- operations ------------------------------------------------------------------------------------ */

/* clang-format off */
static inline vecf vecf_load(const float *p) { vecf v; memcpy(&v, p, sizeof(v)); return v; }
static inline void vecf_store(float *p, vecf v) { memcpy(p, &v, sizeof(v)); }
static inline vecf vecf_splat(float v) { return (vecf)vdupq_n_f32(v); }
static inline vecf vecf_add(vecf a, vecf b) { return a + b; }
static inline vecf vecf_sub(vecf a, vecf b) { return a - b; }
static inline vecf vecf_mul(vecf a, vecf b) { return a * b; }
static inline vecf vecf_div(vecf a, vecf b) { return a / b; }
static inline vecf vecf_sqrt(vecf v) { return (vecf)vsqrtq_f32((float32x4_t)v); }
static inline vecf vecf_abs(vecf v) { return (vecf)vabsq_f32((float32x4_t)v); }
static inline vecf vecf_select(vecm lanes, vecf a, vecf b) { return (vecf)vbslq_f32((uint32x4_t)lanes, (float32x4_t)a, (float32x4_t)b); }
static inline vecf vecf_min(vecf a, vecf b) { return vecf_select(a < b, a, b); }
static inline vecf vecf_max(vecf a, vecf b) { return vecf_select(a > b, a, b); }
static inline vecm vecf_equal(vecf a, vecf b) { return a == b; }
static inline vecm vecf_at_least(vecf a, vecf b) { return a >= b; }
static inline vecm vecf_is_nan(vecf v) { return v != v; }
static inline bool vecm_any(vecm lanes) { return vmaxvq_u32((uint32x4_t)lanes) != 0; }
static inline vecf vecf_mul_legacy(vecf a, vecf b) { return (vecf)((veci)(a * b) & ~((a == 0.0f) | (b == 0.0f))); }
static inline vecf vecf_from(veci v) { return (vecf)vcvtq_f32_s32((int32x4_t)v); }
static inline veci veci_load(const void *p) { veci v; memcpy(&v, p, sizeof(v)); return v; }
static inline void veci_store(void *p, veci v) { memcpy(p, &v, sizeof(v)); }
static inline veci veci_splat(uint32_t v) { return (veci)vdupq_n_u32(v); }
static inline veci veci_add(veci a, veci b) { return (veci)((neon_words)a + (neon_words)b); }
static inline veci veci_sub(veci a, veci b) { return (veci)((neon_words)a - (neon_words)b); }
static inline veci veci_left(veci v, unsigned n) { return (veci)((neon_words)v << n); }
static inline veci veci_right(veci v, unsigned n) { return (veci)((neon_words)v >> n); }
static inline veci veci_and(veci a, veci b) { return a & b; }
static inline veci veci_or(veci a, veci b) { return a | b; }
static inline veci veci_xor(veci a, veci b) { return a ^ b; }
static inline veci veci_bits(vecf v) { return (veci)v; }
static inline vecf vecf_of_bits(veci v) { return (vecf)v; }
static inline veci veci_madd16(veci a, veci b) { return (veci)neon_madd16((int16x8_t)a, (int16x8_t)b); }
static inline uint32_t veci_greater(veci a, veci b) { return neon_signs((int32x4_t)(a > b)); }
static inline uint32_t veci_equal(veci a, veci b) { return neon_signs((int32x4_t)(a == b)); }
/* clang-format on */
/* Values that do not fit into an integer become the smallest integer, as on x86. */
static inline veci veci_truncate(vecf v)
{
    return (veci)vbslq_s32((uint32x4_t)(v < 2147483648.0f), vcvtq_s32_f32((float32x4_t)v), vdupq_n_s32(INT32_MIN));
}
static inline veci veci_select(uint32_t lanes, veci a, veci b)
{
    const veci bit = {1, 2, 4, 8};

    return (veci)vecf_select((veci_splat(lanes) & bit) == bit, (vecf)a, (vecf)b);
}

/* --- 16 bits --------------------------------------------------------------------------------------------- */

#define VEC16            8
#define NARROW_REGISTERS 2
typedef veci vec16;
#define NEON16(v) ((int16x8_t)(v))

/* clang-format off */
static inline vec16 vec16_load(const int16_t *p) { return veci_load(p); }
static inline void vec16_store(int16_t *p, vec16 v) { veci_store(p, v); }
static inline vec16 vec16_splat(int16_t v) { return (vec16)vdupq_n_s16(v); }
static inline vec16 vec16_splat_pixel(const int16_t p[4]) { return (vec16)vdupq_n_u64(neon_load_half(p)); }
static inline vec16 vec16_add(vec16 a, vec16 b) { return (vec16)vaddq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_sub(vec16 a, vec16 b) { return (vec16)vsubq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_adds(vec16 a, vec16 b) { return (vec16)vqaddq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_subs(vec16 a, vec16 b) { return (vec16)vqsubq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_mul(vec16 a, vec16 b) { return (vec16)vqrdmulhq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_mul_low(vec16 a, vec16 b) { return (vec16)vmulq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_right(vec16 v, unsigned n) { return (vec16)vshlq_s16(NEON16(v), vdupq_n_s16((int16_t)-(int)n)); }
static inline vec16 vec16_min(vec16 a, vec16 b) { return (vec16)vminq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_max(vec16 a, vec16 b) { return (vec16)vmaxq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_greater(vec16 a, vec16 b) { return (vec16)vcgtq_s16(NEON16(a), NEON16(b)); }
static inline vec16 vec16_select(vec16 bits, vec16 a, vec16 b) { return (vec16)vbslq_s32((uint32x4_t)bits, (int32x4_t)a, (int32x4_t)b); }
/* clang-format on */
static inline vec16 vec16_dot3(vec16 a, vec16 b)
{
    const int16x8_t colors = {-1, -1, -1, 0, -1, -1, -1, 0};
    const int32x4_t pairs = neon_madd16(vandq_s16(NEON16(a), colors), vshrq_n_s16(NEON16(b), 1));
    const int32x4_t sum = vaddq_s32(pairs, vrev64q_s32(pairs));
    const int16x4_t both = vqmovn_s32(vshrq_n_s32(vaddq_s32(sum, vdupq_n_s32(1 << 13)), 14));

    return (vec16)vcombine_s16(vzip1_s16(both, both), vzip2_s16(both, both));
}

/* The bytes that two pixels take. */
struct vec16_order {
    uint8x16_t bytes;
};
static inline struct vec16_order vec16_order(const uint8_t order[4])
{
    int8_t bytes[16];

    vec16_order_bytes(order, bytes);
    return (struct vec16_order){vreinterpretq_u8_s8(vld1q_s8(bytes))};
}
static inline vec16 vec16_alpha(vec16 v)
{
    return (vec16)vcombine_s16(vdup_laneq_s16(NEON16(v), 3), vdup_laneq_s16(NEON16(v), 7));
}
static inline vec16 vec16_swizzle(vec16 v, const struct vec16_order *order)
{
    return (vec16)vqtbl1q_u8((uint8x16_t)v, order->bytes);
}

/* (twice the same byte is 257 times the byte) */
static inline void vec16_of_words(veci words, vec16 out[NARROW_REGISTERS])
{
    const uint8x16_t w = (uint8x16_t)words;

    out[0] = (vec16)vshrq_n_u16(vreinterpretq_u16_u8(vzip1q_u8(w, w)), 1);
    out[1] = (vec16)vshrq_n_u16(vreinterpretq_u16_u8(vzip2q_u8(w, w)), 1);
}
static inline veci vec16_words(const vec16 v[NARROW_REGISTERS])
{
    const int16x8_t scale = vdupq_n_s16(255);

    return (veci)vcombine_u8(vqmovun_s16(vqrdmulhq_s16(NEON16(v[0]), scale)),
                             vqmovun_s16(vqrdmulhq_s16(NEON16(v[1]), scale)));
}
static inline void vec16_of_channels(veci blue, veci green, veci red, veci alpha, vec16 out[NARROW_REGISTERS])
{
    const int32x4_t low = (int32x4_t)veci_or(veci_and(blue, veci_splat(0xffff)), veci_left(green, 16));
    const int32x4_t high = (int32x4_t)veci_or(veci_and(red, veci_splat(0xffff)), veci_left(alpha, 16));

    out[0] = (vec16)vzip1q_s32(low, high);
    out[1] = (vec16)vzip2q_s32(low, high);
}

static inline void vec16_channels(const vec16 v[NARROW_REGISTERS], veci channel[4])
{
    const int32x4_t a = (int32x4_t)v[0], b = (int32x4_t)v[1];
    const int32x4_t low = vuzp1q_s32(a, b), high = vuzp2q_s32(a, b);

    channel[0] = (veci)vshrq_n_s32(vshlq_n_s32(low, 16), 16);
    channel[1] = (veci)vshrq_n_s32(low, 16);
    channel[2] = (veci)vshrq_n_s32(vshlq_n_s32(high, 16), 16);
    channel[3] = (veci)vshrq_n_s32(high, 16);
}

/* --- sign bits --------------------------------------------------------------------------------------- */

/* Lanes are in order for sign_bits_of_4. */
#define SIGN_ORDER(Q) \
    Q(0), Q(1), Q(2), Q(3), Q(4), Q(5), Q(6), Q(7), Q(8), Q(9), Q(10), Q(11), Q(12), Q(13), Q(14), Q(15)

static inline uint64_t sign_bits_of_4(veci a, veci b, veci c, veci d)
{
    const uint8x16_t weight = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const int16x8_t ab = vcombine_s16(vqmovn_s32((int32x4_t)a), vqmovn_s32((int32x4_t)b));
    const int16x8_t cd = vcombine_s16(vqmovn_s32((int32x4_t)c), vqmovn_s32((int32x4_t)d));
    const int8x16_t signs = vshrq_n_s8(vcombine_s8(vqmovn_s16(ab), vqmovn_s16(cd)), 7);
    const uint8x16_t bits = vandq_u8(vreinterpretq_u8_s8(signs), weight);

    return vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline uint32_t sign_bits_8(const int32_t v[8])
{
    return neon_signs(vld1q_s32(v)) | neon_signs(vld1q_s32(v + 4)) << 4;
}

static inline uint32_t sign_bits(const int32_t v[16])
{
    return (uint32_t)sign_bits_of_4(veci_load(v), veci_load(v + 4), veci_load(v + 8), veci_load(v + 12));
}

static inline void madd16_of_3(const void *step, int32_t pair, const void *add, int32_t out[4])
{
    veci_store(out, veci_add(veci_madd16(veci_load(step), veci_splat((uint32_t)pair)), veci_load(add)));
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* Eight bytes at each of two places. */
static inline veci neon_halves(const void *a, const void *b)
{
    return (veci)vcombine_u64(vcreate_u64(neon_load_half(a)), vcreate_u64(neon_load_half(b)));
}

/* The distance in bytes from the first pixel of a group to the pixel of lane l, which is in Morton order. */
static inline size_t pixel_offset(size_t pitch, unsigned l)
{
    return (size_t)((l >> 1 & 1) | (l >> 2 & 2)) * pitch + (size_t)((l & 1) | (l >> 1 & 2)) * sizeof(uint32_t);
}
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    const uint8_t *at = p + pixel_offset(pitch, l);

    return neon_halves(at, at + pitch);
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    uint8_t *at = p + pixel_offset(pitch, l);

    neon_store_half(at, vgetq_lane_u64((uint64x2_t)lanes, 0));
    neon_store_half(at + pitch, vgetq_lane_u64((uint64x2_t)lanes, 1));
}

/* Row l / 4: two lanes of each of two quads. */
static inline veci group_rows(const uint32_t *lanes, unsigned l)
{
    const uint32_t *at = lanes + l / 8 * 8 + l / 4 % 2 * 2;

    return neon_halves(at, at + 4);
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

/* vector_unpack_low and the others that move words are those of one quad of 128 bits, so that all orders of lanes are the same. */
/* clang-format off */
static inline vecf vector_unpack_low(vecf a, vecf b) { return (vecf)vzip1q_f32((float32x4_t)a, (float32x4_t)b); }
static inline vecf vector_unpack_high(vecf a, vecf b) { return (vecf)vzip2q_f32((float32x4_t)a, (float32x4_t)b); }
static inline vecf vector_low_halves(vecf a, vecf b) { return (vecf)vzip1q_f64((float64x2_t)a, (float64x2_t)b); }
static inline vecf vector_high_halves(vecf a, vecf b) { return (vecf)vzip2q_f64((float64x2_t)a, (float64x2_t)b); }
/* clang-format on */

static inline void corners_of_quads(const float *restrict t, float *restrict at, float *restrict right,
                                    float *restrict below)
{
    for (unsigned q = 0; q < 16; q += 4) {
        const vecf a = vecf_load(t + 4 * q), b = vecf_load(t + 4 * q + 4);
        const vecf c = vecf_load(t + 4 * q + 8), d = vecf_load(t + 4 * q + 12);
        const vecf ab = vector_unpack_low(a, b), cd = vector_unpack_low(c, d);

        vecf_store(at + q, vector_low_halves(ab, cd));
        vecf_store(right + q, vector_high_halves(ab, cd));
        vecf_store(below + q, vector_low_halves(vector_unpack_high(a, b), vector_unpack_high(c, d)));
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

/* --- the sampler's fast path: avx2.h describes each function ------------------------------------------------ */

/* clang-format off */
static inline veci vector_right(veci v, unsigned n) { return v >> n; }
static inline veci vector_mul(veci a, veci b) { return (veci)vmulq_s32((int32x4_t)a, (int32x4_t)b); }
static inline veci vector_min(veci a, veci b) { return (veci)vminq_s32((int32x4_t)a, (int32x4_t)b); }
static inline veci vector_max(veci a, veci b) { return (veci)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
static inline veci vector_min_unsigned(veci a, veci b) { return (veci)vminq_u32((uint32x4_t)a, (uint32x4_t)b); }
static inline veci vector_shuffle_bytes(veci v, veci order) { return (veci)vqtbl1q_u8((uint8x16_t)v, (uint8x16_t)order); }
static inline vecf vector_fraction(vecf v) { return v - (vecf)vrndmq_f32((float32x4_t)v); }
static inline veci vector_join(veci a, veci b, veci flip) { return (a | b) ^ flip; }
static inline bool vector_any(veci v) { return vmaxvq_u32((uint32x4_t)v) != 0; }
static inline veci vector_difference(veci a, veci b) { return a ^ b; }
static inline bool vector_all_at_most(vecf a, vecf b) { return vminvq_u32((uint32x4_t)(a <= b)) != 0; }
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
    const int16x8_t u = (int16x8_t)a, s = (int16x8_t)b;
    const int16x8_t first = vmulq_s16(vandq_s16(u, vdupq_n_s16(255)), vshrq_n_s16(vshlq_n_s16(s, 8), 8));
    const int16x8_t upper = vreinterpretq_s16_u16(vshrq_n_u16(vreinterpretq_u16_s16(u), 8));

    return (vec16)vqaddq_s16(first, vmulq_s16(upper, vshrq_n_s16(s, 8)));
}

/* Exact: the multiplication also turns denormal halves into floats. */
static inline vecf vector_fours_of_halves(const void *texels, const int32_t *index)
{
    const uint64_t bits = neon_load_half((const uint16_t *)texels + 4 * (ptrdiff_t)index[0]);
    const veci half = (veci)vmovl_u16(vcreate_u16(bits));
    const veci magnitude = veci_left(half & 0x7fff, 13), sign = veci_left(half & 0x8000, 16);
    const vecf finite = (vecf)magnitude * 0x1p112f, not_finite = (vecf)(magnitude | 0x7f800000);

    return (vecf)(sign | (veci)vecf_select(magnitude >= 0x1f << 23, not_finite, finite));
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
static inline uint32x4_t vector_beyond(veci v, veci end)
{
    return vcgeq_u32((uint32x4_t)v, (uint32x4_t)end);
}
static inline bool vector_inside(veci v, veci end)
{
    return vmaxvq_u32(vector_beyond(v, end)) == 0;
}
static inline bool vector_both_inside(veci v, veci end_v, veci w, veci end_w)
{
    return vmaxvq_u32(vorrq_u32(vector_beyond(v, end_v), vector_beyond(w, end_w))) == 0;
}

static inline veci vector_select(veci negative, veci a, veci b)
{
    return (veci)vecf_select(negative >> 31, (vecf)a, (vecf)b);
}

/* The words at four places. */
static inline veci vector_words(const uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *d)
{
    return (veci)(neon_words){*a, *b, *c, *d};
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
    return (struct vector_pairs){(veci)vzip1q_s32((int32x4_t)first, (int32x4_t)second),
                                 (veci)vzip2q_s32((int32x4_t)first, (int32x4_t)second)};
}
static inline veci vector_first(struct vector_pairs v)
{
    return (veci)vuzp1q_s32((int32x4_t)v.low, (int32x4_t)v.high);
}
static inline veci vector_second(struct vector_pairs v)
{
    return (veci)vuzp2q_s32((int32x4_t)v.low, (int32x4_t)v.high);
}

static inline struct vector_pairs vector_gather_pairs(const uint32_t *words, veci i)
{
    return (struct vector_pairs){neon_halves(words + i[0], words + i[1]), neon_halves(words + i[2], words + i[3])};
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
    return (veci)vdupq_n_s64(*quad);
}
static inline const uint32_t *vector_start(const uint32_t *words, veci start)
{
    return words + (ptrdiff_t)vgetq_lane_s64((int64x2_t)start, 0);
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
    const int16x8_t even = {-1, 0, -1, 0, -1, 0, -1, 0};
    const int16x8_t less = vsubq_s16(veorq_s16((int16x8_t)v, even), even);

    return (veci)vaddq_s16(less, vreinterpretq_s16_s32(vdupq_n_s32(c)));
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
