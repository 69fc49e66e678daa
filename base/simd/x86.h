/* SPDX-License-Identifier: MIT */
/* Operations that have the same name on all x86 instruction sets. SIMD(name) is the set's intrinsic; VEC, vecf, veci
 * and vecm are the set's own. */
#ifndef HALCYON_BASE_SIMD_X86_H
#define HALCYON_BASE_SIMD_X86_H

/* clang-format off */
static inline vecf vecf_load(const float *p) { return SIMD(loadu_ps)(p); }
static inline void vecf_store(float *p, vecf v) { SIMD(storeu_ps)(p, v); }
static inline vecf vecf_splat(float v) { return SIMD(set1_ps)(v); }
static inline vecf vecf_add(vecf a, vecf b) { return SIMD(add_ps)(a, b); }
static inline vecf vecf_sub(vecf a, vecf b) { return SIMD(sub_ps)(a, b); }
static inline vecf vecf_mul(vecf a, vecf b) { return SIMD(mul_ps)(a, b); }
static inline vecf vecf_div(vecf a, vecf b) { return SIMD(div_ps)(a, b); }
static inline vecf vecf_sqrt(vecf v) { return SIMD(sqrt_ps)(v); }
static inline vecf vecf_min(vecf a, vecf b) { return SIMD(min_ps)(a, b); }
static inline vecf vecf_max(vecf a, vecf b) { return SIMD(max_ps)(a, b); }
static inline veci veci_truncate(vecf v) { return SIMD(cvttps_epi32)(v); }
static inline vecf vecf_from(veci v) { return SIMD(cvtepi32_ps)(v); }
static inline veci veci_splat(uint32_t v) { return SIMD(set1_epi32)((int32_t)v); }
static inline veci veci_add(veci a, veci b) { return SIMD(add_epi32)(a, b); }
static inline veci veci_sub(veci a, veci b) { return SIMD(sub_epi32)(a, b); }
static inline veci veci_left(veci v, unsigned n) { return SIMD(slli_epi32)(v, (int)n); }
static inline veci veci_right(veci v, unsigned n) { return SIMD(srli_epi32)(v, (int)n); }
static inline veci veci_madd16(veci a, veci b) { return SIMD(madd_epi16)(a, b); }
/* In each 128 bits: words 0 of a and b, words 1 of a and b; words 2 and 3; the lower halves of a and b; the upper ones. */
static inline vecf vector_unpack_low(vecf a, vecf b) { return SIMD(unpacklo_ps)(a, b); }
static inline vecf vector_unpack_high(vecf a, vecf b) { return SIMD(unpackhi_ps)(a, b); }
static inline vecf vector_low_halves(vecf a, vecf b) { return SIMD(shuffle_ps)(a, b, 0x44); }
static inline vecf vector_high_halves(vecf a, vecf b) { return SIMD(shuffle_ps)(a, b, 0xee); }
/* clang-format on */

static inline void madd16_of_3(const void *step, int32_t pair, const void *add, int32_t out[4])
{
    const __m128i moved = _mm_madd_epi16(_mm_loadu_si128((const __m128i *)step), _mm_set1_epi32(pair));

    _mm_store_si128((__m128i *)out, _mm_add_epi32(moved, _mm_loadu_si128((const __m128i *)add)));
}

#if SIMD_HAS_GATHER
/* --- for the sampler's fast path ------------------------------------------------------------------------ */

/* clang-format off */
/* Arithmetic shift. */
static inline veci vector_right(veci v, unsigned n) { return SIMD(srai_epi32)(v, (int)n); }
static inline veci vector_mul(veci a, veci b) { return SIMD(mullo_epi32)(a, b); }
/* Minimum and maximum, signed and unsigned. */
static inline veci vector_min(veci a, veci b) { return SIMD(min_epi32)(a, b); }
static inline veci vector_max(veci a, veci b) { return SIMD(max_epi32)(a, b); }
static inline veci vector_min_unsigned(veci a, veci b) { return SIMD(min_epu32)(a, b); }
/* In each 128 bits, the bytes that the bytes of `order` select; zero where these are negative. */
static inline veci vector_shuffle_bytes(veci v, veci order) { return SIMD(shuffle_epi8)(v, order); }
/* clang-format on */

/* In each four lanes, lane i in all of them: 0 .. 3. */
static inline vecf vector_splat_in_fours(vecf v, unsigned i)
{
    return i == 0   ? SIMD(permute_ps)(v, 0x00)
           : i == 1 ? SIMD(permute_ps)(v, 0x55)
           : i == 2 ? SIMD(permute_ps)(v, 0xaa)
                    : SIMD(permute_ps)(v, 0xff);
}

/* Each pair is loaded on its own. A gather is slower: on Zen 2 to 4 by design, on Intel's processors since the
 * microcode update for Downfall (docs/performance.md). */
static inline __m128i vector_load_two_pairs(const uint32_t *words, ptrdiff_t first, ptrdiff_t second)
{
    const __m128i low = _mm_loadl_epi64((const __m128i *)(words + first));

    return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(low), (const double *)(words + second)));
}

/* Where the words of four lanes are: their indices, none of them negative. */
static inline void vector_store_indices(ptrdiff_t at[4], __m128i i)
{
#ifdef __x86_64__
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(i), high = (uint64_t)_mm_extract_epi64(i, 1);

    at[0] = (uint32_t)low;
    at[1] = (ptrdiff_t)(low >> 32);
    at[2] = (uint32_t)high;
    at[3] = (ptrdiff_t)(high >> 32);
#else
    at[0] = _mm_cvtsi128_si32(i);
    at[1] = _mm_extract_epi32(i, 1);
    at[2] = _mm_extract_epi32(i, 2);
    at[3] = _mm_extract_epi32(i, 3);
#endif
}

/* The pairs of four lanes: two of them, and the other two. */
struct vector_quad_pairs {
    __m128i low, high;
};

static inline struct vector_quad_pairs vector_load_quad_pairs(const uint32_t *words, const ptrdiff_t at[4])
{
    return (struct vector_quad_pairs){vector_load_two_pairs(words, at[0], at[1]),
                                      vector_load_two_pairs(words, at[2], at[3])};
}

static inline __m256i vector_join_quarters(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* The words at a and at b, as each lane's pair. */
static inline struct vector_quad_pairs vector_load_quad_words(const uint32_t *words, const ptrdiff_t a[4],
                                                              const ptrdiff_t b[4])
{
    return (struct vector_quad_pairs){
        _mm_setr_epi32((int)words[a[0]], (int)words[b[0]], (int)words[a[1]], (int)words[b[1]]),
        _mm_setr_epi32((int)words[a[2]], (int)words[b[2]], (int)words[a[3]], (int)words[b[3]])};
}

/* Four pairs at indices of 64 bits. */
static inline __m256i vector_load_four_far_pairs(const uint32_t *words, __m256i i)
{
    const __m128i low = _mm256_castsi256_si128(i), high = _mm256_extracti128_si256(i, 1);
#ifdef __x86_64__
    const ptrdiff_t at[4] = {_mm_cvtsi128_si64(low), _mm_extract_epi64(low, 1), _mm_cvtsi128_si64(high),
                             _mm_extract_epi64(high, 1)};
#else
    const ptrdiff_t at[4] = {_mm_cvtsi128_si32(low), _mm_extract_epi32(low, 2), _mm_cvtsi128_si32(high),
                             _mm_extract_epi32(high, 2)};
#endif

    return _mm256_inserti128_si256(_mm256_castsi128_si256(vector_load_two_pairs(words, at[0], at[1])),
                                   vector_load_two_pairs(words, at[2], at[3]), 1);
}
#endif

#endif
