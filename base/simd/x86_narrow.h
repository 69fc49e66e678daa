/* SPDX-License-Identifier: MIT */
/* Registers of 16-bit numbers, as far as all x86 instruction sets share the code. The set's own file has defined
 * multiplication (vec16_mul) and repetition (vec16_splat_pixel) before. */
#ifndef HALCYON_BASE_SIMD_X86_NARROW_H
#define HALCYON_BASE_SIMD_X86_NARROW_H

/* clang-format off */
static inline vec16 vec16_load(const int16_t *p) { return veci_load(p); }
static inline void vec16_store(int16_t *p, vec16 v) { veci_store(p, v); }
static inline vec16 vec16_splat(int16_t v) { return SIMD(set1_epi16)(v); }
static inline vec16 vec16_add(vec16 a, vec16 b) { return SIMD(add_epi16)(a, b); }
static inline vec16 vec16_sub(vec16 a, vec16 b) { return SIMD(sub_epi16)(a, b); }
static inline vec16 vec16_adds(vec16 a, vec16 b) { return SIMD(adds_epi16)(a, b); }
static inline vec16 vec16_subs(vec16 a, vec16 b) { return SIMD(subs_epi16)(a, b); }
static inline vec16 vec16_mul_low(vec16 a, vec16 b) { return SIMD(mullo_epi16)(a, b); }
static inline vec16 vec16_right(vec16 v, unsigned n) { return SIMD(srai_epi16)(v, (int)n); }
static inline vec16 vec16_min(vec16 a, vec16 b) { return SIMD(min_epi16)(a, b); }
static inline vec16 vec16_max(vec16 a, vec16 b) { return SIMD(max_epi16)(a, b); }
static inline vec16 vec16_select(vec16 bits, vec16 a, vec16 b) { return veci_xor(b, veci_and(veci_xor(a, b), bits)); }
/* clang-format on */

static inline vec16 vec16_dot3(vec16 a, vec16 b)
{
    const veci colors =
        veci_madd16(veci_and(a, vec16_splat_pixel((const int16_t[4]){-1, -1, -1, 0})), vec16_right(b, 1));
    const veci sum = veci_add(colors, SIMD(shuffle_epi32)(colors, 0xb1));
    const veci rounded = SIMD(srai_epi32)(veci_add(sum, veci_splat(1 << 13)), 14);
    const veci both = SIMD(packs_epi32)(rounded, rounded);

    return SIMD(unpacklo_epi16)(both, both);
}

/* (twice the same byte is 257 times the byte) */
static inline void vec16_of_words(veci words, vec16 out[NARROW_REGISTERS])
{
    out[0] = SIMD(srli_epi16)(SIMD(unpacklo_epi8)(words, words), 1);
    out[1] = SIMD(srli_epi16)(SIMD(unpackhi_epi8)(words, words), 1);
}

static inline veci vec16_words(const vec16 v[NARROW_REGISTERS])
{
    const vec16 scale = vec16_splat(255);

    return SIMD(packus_epi16)(vec16_mul(v[0], scale), vec16_mul(v[1], scale));
}

static inline void vec16_of_channels(veci blue, veci green, veci red, veci alpha, vec16 out[NARROW_REGISTERS])
{
    const veci low = veci_or(veci_and(blue, veci_splat(0xffff)), veci_left(green, 16));
    const veci high = veci_or(veci_and(red, veci_splat(0xffff)), veci_left(alpha, 16));

    out[0] = SIMD(unpacklo_epi32)(low, high);
    out[1] = SIMD(unpackhi_epi32)(low, high);
}

static inline void vec16_channels(const vec16 v[NARROW_REGISTERS], veci channel[4])
{
    const veci first = SIMD(shuffle_epi32)(v[0], 0xd8), second = SIMD(shuffle_epi32)(v[1], 0xd8);
    const veci low = SIMD(unpacklo_epi64)(first, second), high = SIMD(unpackhi_epi64)(first, second);

    channel[0] = SIMD(srai_epi32)(veci_left(low, 16), 16);
    channel[1] = SIMD(srai_epi32)(low, 16);
    channel[2] = SIMD(srai_epi32)(veci_left(high, 16), 16);
    channel[3] = SIMD(srai_epi32)(high, 16);
}

#endif
