/* SPDX-License-Identifier: MIT */
/* simd.h at the scalar level: registers of one lane. This is the definition. */
#ifndef HALCYON_BASE_SIMD_SCALAR_H
#define HALCYON_BASE_SIMD_SCALAR_H

#define VEC             1
#define SIMD_HAS_GATHER 0
#define SIMD_HAS_HALVES 0
typedef float vecf;
typedef int32_t veci;
typedef bool vecm;

/* --- operations ------------------------------------------------------------------------------------ */

/* clang-format off */
static inline vecf vecf_load(const float *p) { return *p; }
static inline void vecf_store(float *p, vecf v) { *p = v; }
static inline vecf vecf_splat(float v) { return v; }
static inline vecf vecf_add(vecf a, vecf b) { return a + b; }
static inline vecf vecf_sub(vecf a, vecf b) { return a - b; }
static inline vecf vecf_mul(vecf a, vecf b) { return a * b; }
static inline vecf vecf_div(vecf a, vecf b) { return a / b; }
static inline vecf vecf_sqrt(vecf v) { return __builtin_sqrtf(v); }
static inline vecf vecf_abs(vecf v) { return __builtin_fabsf(v); }
static inline vecf vecf_min(vecf a, vecf b) { return a < b ? a : b; }
static inline vecf vecf_max(vecf a, vecf b) { return a > b ? a : b; }
static inline vecf vecf_mul_legacy(vecf a, vecf b) { return (a == 0.0f) | (b == 0.0f) ? 0.0f : a * b; }
static inline vecm vecf_equal(vecf a, vecf b) { return a == b; }
static inline vecm vecf_at_least(vecf a, vecf b) { return a >= b; }
static inline vecm vecf_is_nan(vecf v) { return v != v; }
static inline vecf vecf_select(vecm lanes, vecf a, vecf b) { return lanes ? a : b; }
static inline bool vecm_any(vecm lanes) { return lanes; }
static inline veci veci_truncate(vecf v) { return (int32_t)v; }
static inline vecf vecf_from(veci v) { return (float)v; }
static inline veci veci_splat(uint32_t v) { return (int32_t)v; }
static inline veci veci_add(veci a, veci b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline veci veci_sub(veci a, veci b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline veci veci_left(veci v, unsigned n) { return (int32_t)((uint32_t)v << n); }
static inline veci veci_right(veci v, unsigned n) { return (int32_t)((uint32_t)v >> n); }
static inline veci veci_load(const void *p) { return *(const int32_t *)p; }
static inline void veci_store(void *p, veci v) { *(int32_t *)p = v; }
static inline veci veci_or(veci a, veci b) { return a | b; }
static inline veci veci_and(veci a, veci b) { return a & b; }
static inline veci veci_xor(veci a, veci b) { return a ^ b; }
/* clang-format on */
static inline veci veci_bits(vecf v)
{
    veci bits;

    __builtin_memcpy(&bits, &v, sizeof(bits));
    return bits;
}
static inline vecf vecf_of_bits(veci bits)
{
    vecf v;

    __builtin_memcpy(&v, &bits, sizeof(v));
    return v;
}
/* clang-format off */
static inline uint32_t veci_greater(veci a, veci b) { return a > b; }
static inline uint32_t veci_equal(veci a, veci b) { return a == b; }
static inline veci veci_select(uint32_t lanes, veci a, veci b) { return lanes & 1 ? a : b; }
static inline veci veci_madd16(veci a, veci b) { return (int32_t)(int16_t)a * (int16_t)b + (a >> 16) * (b >> 16); }
/* clang-format on */

/* --- 16 bits --------------------------------------------------------------------------------------------- */

#define VEC16            4
#define NARROW_REGISTERS 1
typedef struct {
    int16_t c[4];
} vec16;

#define VEC16_MAP(expression)            \
    vec16 v_;                            \
                                         \
    for (unsigned i = 0; i < 4; i++)     \
        v_.c[i] = (int16_t)(expression); \
    return v_

static inline int32_t vec16_held(int32_t v)
{
    return v < -32768 ? -32768 : v > 32767 ? 32767 : v;
}

/* clang-format off */
static inline vec16 vec16_load(const int16_t *p) { VEC16_MAP(p[i]); }
static inline void vec16_store(int16_t *p, vec16 v) { memcpy(p, v.c, sizeof(v.c)); }
static inline vec16 vec16_splat(int16_t v) { VEC16_MAP(v); }
static inline vec16 vec16_splat_pixel(const int16_t p[4]) { return vec16_load(p); }
static inline vec16 vec16_add(vec16 a, vec16 b) { VEC16_MAP((uint16_t)(a.c[i] + b.c[i])); }
static inline vec16 vec16_sub(vec16 a, vec16 b) { VEC16_MAP((uint16_t)(a.c[i] - b.c[i])); }
static inline vec16 vec16_adds(vec16 a, vec16 b) { VEC16_MAP(vec16_held(a.c[i] + b.c[i])); }
static inline vec16 vec16_subs(vec16 a, vec16 b) { VEC16_MAP(vec16_held(a.c[i] - b.c[i])); }
static inline vec16 vec16_mul(vec16 a, vec16 b) { VEC16_MAP((a.c[i] * b.c[i] + 0x4000) >> 15); }
static inline vec16 vec16_mul_low(vec16 a, vec16 b) { VEC16_MAP((uint16_t)(a.c[i] * b.c[i])); }
static inline vec16 vec16_right(vec16 v, unsigned n) { VEC16_MAP(v.c[i] >> n); }
static inline vec16 vec16_min(vec16 a, vec16 b) { VEC16_MAP(a.c[i] < b.c[i] ? a.c[i] : b.c[i]); }
static inline vec16 vec16_max(vec16 a, vec16 b) { VEC16_MAP(a.c[i] > b.c[i] ? a.c[i] : b.c[i]); }
static inline vec16 vec16_greater(vec16 a, vec16 b) { VEC16_MAP(a.c[i] > b.c[i] ? -1 : 0); }
static inline vec16 vec16_select(vec16 bits, vec16 a, vec16 b) { VEC16_MAP((a.c[i] & bits.c[i]) | (b.c[i] & ~bits.c[i])); }
/* clang-format on */
static inline vec16 vec16_dot3(vec16 a, vec16 b)
{
    int32_t sum = 0;

    for (unsigned i = 0; i < 3; i++)
        sum += a.c[i] * (b.c[i] >> 1);
    return vec16_splat((int16_t)vec16_held((sum + (1 << 13)) >> 14));
}

struct vec16_order {
    uint8_t from[4];
};
static inline struct vec16_order vec16_order(const uint8_t order[4])
{
    return (struct vec16_order){{order[0], order[1], order[2], order[3]}};
}
static inline vec16 vec16_alpha(vec16 v)
{
    VEC16_MAP(v.c[3]);
}
static inline vec16 vec16_swizzle(vec16 v, const struct vec16_order *order)
{
    VEC16_MAP(v.c[order->from[i]]);
}

static inline void vec16_of_words(veci word, vec16 out[NARROW_REGISTERS])
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t byte = (uint32_t)word >> 8 * i & 255;

        out->c[i] = (int16_t)(byte * 257 >> 1);
    }
}
static inline veci vec16_words(const vec16 v[NARROW_REGISTERS])
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++) {
        const int32_t byte = (v->c[i] * 255 + 0x4000) >> 15;

        word |= (uint32_t)(byte < 0 ? 0 : byte) << 8 * i;
    }
    return (veci)word;
}
static inline void vec16_of_channels(veci blue, veci green, veci red, veci alpha, vec16 out[NARROW_REGISTERS])
{
    *out = (vec16){{(int16_t)blue, (int16_t)green, (int16_t)red, (int16_t)alpha}};
}

static inline void vec16_channels(const vec16 v[NARROW_REGISTERS], veci channel[4])
{
    for (unsigned i = 0; i < 4; i++)
        channel[i] = (veci)v->c[i];
}

/* --- sign bits --------------------------------------------------------------------------------------- */

static inline uint32_t sign_bits(const int32_t v[16])
{
    uint32_t bits = 0;

    for (unsigned l = 0; l < 16; l++)
        bits |= ((uint32_t)v[l] >> 31) << l;
    return bits;
}

static inline uint32_t sign_bits_8(const int32_t v[8])
{
    uint32_t bits = 0;

    for (unsigned l = 0; l < 8; l++)
        bits |= ((uint32_t)v[l] >> 31) << l;
    return bits;
}

/* Lanes are in order for sign_bits_of_4. */
#define SIGN_ORDER(Q) \
    Q(0), Q(1), Q(2), Q(3), Q(4), Q(5), Q(6), Q(7), Q(8), Q(9), Q(10), Q(11), Q(12), Q(13), Q(14), Q(15)

static inline uint64_t sign_bits_of_4(veci a, veci b, veci c, veci d)
{
    return (uint32_t)a >> 31 | (uint32_t)b >> 31 << 1 | (uint32_t)c >> 31 << 2 | (uint32_t)d >> 31 << 3;
}

static inline void madd16_of_3(const void *step, int32_t pair, const void *add, int32_t out[4])
{
    int32_t s[3], a[3];

    memcpy(s, step, sizeof(s));
    memcpy(a, add, sizeof(a));
    for (unsigned i = 0; i < 3; i++)
        out[i] = veci_add(a[i], veci_madd16(s[i], pair));
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* The distance in bytes from the first pixel of a group to the pixel of lane l, which is in Morton order. */
static inline size_t pixel_offset(size_t pitch, unsigned l)
{
    return (size_t)((l >> 1 & 1) | (l >> 2 & 2)) * pitch + (size_t)((l & 1) | (l >> 1 & 2)) * sizeof(uint32_t);
}
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    veci v;

    memcpy(&v, p + pixel_offset(pitch, l), sizeof(v));
    return v;
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    memcpy(p + pixel_offset(pitch, l), &lanes, sizeof(lanes));
}

static inline veci group_rows(const uint32_t *lanes, unsigned l)
{
    return (veci)lanes[(l & 9) | (l & 2) << 1 | (l >> 1 & 2)];
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
    memcpy(p, pattern, 16);
    memcpy(p + 16, pattern, 16);
}

static inline vecf quads_load(const float *lanes, const unsigned at[4], unsigned l)
{
    return lanes[at[l / 4] + l % 4];
}

static inline void splat_quads(unsigned n, const float *restrict quad, float *restrict lane)
{
    for (unsigned l = 0; l < n; l++)
        lane[l] = quad[l >> 2];
}

static inline void corners_of_quads(const float *restrict t, float *restrict at, float *restrict right,
                                    float *restrict below)
{
    for (unsigned q = 0; q < 16; q++) {
        at[q] = t[4 * q];
        right[q] = t[4 * q + 1];
        below[q] = t[4 * q + 2];
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

#endif
