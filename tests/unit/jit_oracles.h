/* SPDX-License-Identifier: MIT */
/*
 * The computation of each form of jit/forms.def, in C for a vector of 32 or 64 bytes. Source: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, "Operation" of each instruction.
 */
#ifndef HALCYON_TESTS_JIT_ORACLES_H
#define HALCYON_TESTS_JIT_ORACLES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "jit/encode.h"

union vector {
    uint8_t u8[64];
    int8_t i8[64];
    uint16_t u16[32];
    int16_t i16[32];
    uint32_t u32[16];
    int32_t i32[16];
    uint64_t u64[8];
    float f32[16];
};

/* size: bytes of a vector. Lanes of a comparison become all ones or 0. */
typedef void (*jit_oracle)(union vector *out, const union vector *a, const union vector *b, unsigned immediate,
                           size_t size);

/* --- floats ------------------------------------------------------------------------ */

static inline float from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t to_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Volume 1, table 4-7: the first operand that is NaN, made quiet; else the result, in which only one form of NaN
 * occurs */
static inline uint32_t result_bits(uint32_t a, uint32_t b, float result)
{
    if (is_nan(a))
        return a | 0x400000;
    if (is_nan(b))
        return b | 0x400000;
    return result != result ? 0xffc00000 : to_bits(result);
}

enum { LESS = 1, SAME = 2, GREATER = 4, UNORDERED = 8 };

/* Table 3-1: the outcomes that a predicate accepts; predicates plus 16 accept the same but differ in signalling. */
static inline bool compares(uint32_t a, uint32_t b, unsigned predicate)
{
    static const uint8_t accepted[16] = {
        SAME,                       /* equal */
        LESS,                       /* less */
        LESS | SAME,                /* less or equal */
        UNORDERED,                  /* unordered */
        LESS | GREATER | UNORDERED, /* not equal */
        SAME | GREATER | UNORDERED, /* not less */
        GREATER | UNORDERED,        /* not less or equal */
        LESS | SAME | GREATER,      /* ordered */
        SAME | UNORDERED,           /* not: less or greater */
        LESS | UNORDERED,           /* not greater or equal */
        LESS | SAME | UNORDERED,    /* not greater */
        0,                          /* never */
        LESS | GREATER,             /* less or greater */
        SAME | GREATER,             /* greater or equal */
        GREATER,                    /* greater */
        15,                         /* always */
    };
    const float x = from_bits(a), y = from_bits(b);

    return accepted[predicate & 15] & (x < y ? LESS : x == y ? SAME : x > y ? GREATER : UNORDERED);
}

static inline float rounded(float value, unsigned mode)
{
    return mode == 0 ? rintf(value) : mode == 1 ? floorf(value) : mode == 2 ? ceilf(value) : truncf(value);
}

/* Nearest or, if truncating, towards 0; a value that does not fit in an int32_t becomes INT32_MIN. */
static inline int32_t to_integer(uint32_t bits, bool truncate)
{
    const float value = rounded(from_bits(bits), truncate ? 3 : 0);

    return value >= -2147483648.0f && value < 2147483648.0f ? (int32_t)value : INT32_MIN;
}

/* --- integers ----------------------------------------------------------------------- */

static inline int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* --- one expression a form ------------------------------------------------------------ */

#define JIT_ORACLE(NAME)                                                                                             \
    static void oracle_##NAME(union vector *out, const union vector *va, const union vector *vb, unsigned immediate, \
                              size_t size)

/* `out` lane by lane; `a` and `b` are the operands' lanes. */
#define JIT_LANES(NAME, field, expression)                           \
    JIT_ORACLE(NAME)                                                 \
    {                                                                \
        (void)va, (void)immediate;                                   \
        for (size_t i = 0; i < size / sizeof(out->field[0]); i++) {  \
            const __typeof__(out->field[0]) a = va->field[i];        \
            const __typeof__(out->field[0]) b = vb->field[i];        \
                                                                     \
            (void)a, (void)b;                                        \
            out->field[i] = (__typeof__(out->field[0]))(expression); \
        }                                                            \
    }

/* `out` lane by lane; `i` is the number of the lane, `base` that of the first lane in its 16 bytes. */
#define JIT_SHUFFLE(NAME, field, expression)                         \
    JIT_ORACLE(NAME)                                                 \
    {                                                                \
        const size_t width = 16 / sizeof(out->field[0]);             \
                                                                     \
        (void)va, (void)vb, (void)immediate;                         \
        for (size_t n = 0; n < size / sizeof(out->field[0]); n++) {  \
            const size_t i = n % width, base = n - i;                \
                                                                     \
            (void)base;                                              \
            out->field[n] = (__typeof__(out->field[0]))(expression); \
        }                                                            \
    }

JIT_LANES(ADD, u32, result_bits(a, b, from_bits(a) + from_bits(b)))
JIT_LANES(SUB, u32, result_bits(a, b, from_bits(a) - from_bits(b)))
JIT_LANES(MUL, u32, result_bits(a, b, from_bits(a) * from_bits(b)))
JIT_LANES(DIV, u32, result_bits(a, b, from_bits(a) / from_bits(b)))
JIT_LANES(MIN, u32, from_bits(a) < from_bits(b) ? a : b)
JIT_LANES(MAX, u32, from_bits(a) > from_bits(b) ? a : b)
JIT_LANES(SQRT, u32, result_bits(b, b, sqrtf(from_bits(b))))
JIT_LANES(AND, u32, a &b)
JIT_LANES(ANDN, u32, ~a &b)
JIT_LANES(OR, u32, a | b)
JIT_LANES(XOR, u32, a ^ b)
JIT_LANES(COMPARE, u32, -(uint32_t)compares(a, b, immediate))
JIT_LANES(BLEND, u32, a) /* which has its own test */
JIT_LANES(ROUND, u32, result_bits(b, b, rounded(from_bits(b), immediate & 3)))
JIT_SHUFFLE(SHUFPS, u32, (i < 2 ? va : vb)->u32[base + (immediate >> 2 * i & 3)])

JIT_LANES(MOVE, u32, b)
JIT_LANES(LOAD, u32, b)
JIT_LANES(STORE, u32, b)
JIT_SHUFFLE(BROADCAST, u32, vb->u32[0])

JIT_ORACLE(EXTRACT_HALF)
{
    (void)va;
    memset(out, 0, sizeof(*out));
    memcpy(out, vb->u8 + (immediate & 1) * size / 2, size / 2);
}

JIT_ORACLE(INSERT_HALF)
{
    *out = *va;
    memcpy(out->u8 + (immediate & 1) * size / 2, vb, size / 2);
}

JIT_ORACLE(EXTRACT_LANE)
{
    (void)va;
    memset(out, 0, sizeof(*out));
    memcpy(out, vb->u8 + (immediate & (size / 16 - 1)) * 16, 16);
}

JIT_ORACLE(INSERT_LANE)
{
    *out = *va;
    memcpy(out->u8 + (immediate & (size / 16 - 1)) * 16, vb, 16);
}

JIT_LANES(CVTDQ2PS, u32, to_bits((float)(int32_t)b))
JIT_LANES(CVTPS2DQ, u32, to_integer(b, false))
JIT_LANES(CVTTPS2DQ, u32, to_integer(b, true))
JIT_SHUFFLE(PMOVZXBW, u16, vb->u8[base + i])
JIT_SHUFFLE(PMOVZXBD, u32, vb->u8[base + i])
JIT_SHUFFLE(PMOVZXWD, u32, vb->u16[base + i])
JIT_SHUFFLE(PMOVSXWD, i32, vb->i16[base + i])

JIT_LANES(PADDD, u32, a + b)
JIT_LANES(PSUBD, u32, a - b)
JIT_LANES(PMULLD, u32, a *b)
JIT_LANES(PMINSD, i32, BASE_MIN(a, b))
JIT_LANES(PMAXSD, i32, BASE_MAX(a, b))
JIT_LANES(PMINUD, u32, BASE_MIN(a, b))
JIT_LANES(PMAXUD, u32, BASE_MAX(a, b))
JIT_LANES(PAND, u32, a &b)
JIT_LANES(PANDN, u32, ~a &b)
JIT_LANES(POR, u32, a | b)
JIT_LANES(PXOR, u32, a ^ b)
JIT_LANES(PCMPEQD, u32, -(uint32_t)(a == b))
JIT_LANES(PCMPGTD, i32, -(a > b))
JIT_LANES(PSLLD, u32, immediate > 31 ? 0 : b << immediate)
JIT_LANES(PSRLD, u32, immediate > 31 ? 0 : b >> immediate)
JIT_LANES(PSRAD, i32, b >> BASE_MIN(immediate, 31))
JIT_LANES(PSLLVD, u32, b > 31 ? 0 : a << b)
JIT_LANES(PSRLVD, u32, b > 31 ? 0 : a >> b)
JIT_LANES(PSRAVD, i32, a >> BASE_MIN((uint32_t)b, 31))
JIT_LANES(PSRLQ, u64, immediate > 63 ? 0 : b >> immediate)
JIT_LANES(PSLLQ, u64, immediate > 63 ? 0 : b << immediate)

JIT_LANES(PADDW, u16, a + b)
JIT_LANES(PSUBW, u16, a - b)
JIT_LANES(PADDSW, i16, clamped(a + b, -32768, 32767))
JIT_LANES(PSUBSW, i16, clamped(a - b, -32768, 32767))
JIT_LANES(PADDUSW, u16, clamped(a + b, 0, 65535))
JIT_LANES(PSUBUSW, u16, clamped(a - b, 0, 65535))
JIT_LANES(PMULLW, i16, a *b)
JIT_LANES(PMULHW, i16, (a * b) >> 16)
JIT_LANES(PMULHUW, u16, (uint32_t)a *b >> 16)
JIT_LANES(PMULHRSW, i16, (((a * b) >> 14) + 1) >> 1)
JIT_SHUFFLE(PMADDWD, u32,
            (uint32_t)(va->i16[2 * n] * vb->i16[2 * n]) + (uint32_t)(va->i16[2 * n + 1] * vb->i16[2 * n + 1]))
JIT_SHUFFLE(PMADDUBSW, i16,
            clamped(va->u8[2 * n] * vb->i8[2 * n] + va->u8[2 * n + 1] * vb->i8[2 * n + 1], -32768, 32767))
JIT_LANES(PMINSW, i16, BASE_MIN(a, b))
JIT_LANES(PMAXSW, i16, BASE_MAX(a, b))
JIT_LANES(PMINUW, u16, BASE_MIN(a, b))
JIT_LANES(PMAXUW, u16, BASE_MAX(a, b))
JIT_LANES(PAVGW, u16, (a + b + 1) >> 1)
JIT_LANES(PSLLW, u16, immediate > 15 ? 0 : b << immediate)
JIT_LANES(PSRLW, u16, immediate > 15 ? 0 : b >> immediate)
JIT_LANES(PSRAW, i16, b >> BASE_MIN(immediate, 15))

JIT_LANES(PADDB, u8, a + b)
JIT_LANES(PADDUSB, u8, clamped(a + b, 0, 255))
JIT_LANES(PSUBUSB, u8, clamped(a - b, 0, 255))
JIT_LANES(PMINUB, u8, BASE_MIN(a, b))
JIT_LANES(PMAXUB, u8, BASE_MAX(a, b))
JIT_LANES(PAVGB, u8, (a + b + 1) >> 1)

/* Packing: the lower half of each 16 bytes comes from a, the upper from b; their lanes are twice as wide. */
JIT_SHUFFLE(PACKSSDW, i16, clamped((i < 4 ? va : vb)->i32[base / 2 + i % 4], -32768, 32767))
JIT_SHUFFLE(PACKUSDW, u16, clamped((i < 4 ? va : vb)->i32[base / 2 + i % 4], 0, 65535))
JIT_SHUFFLE(PACKSSWB, i8, clamped((i < 8 ? va : vb)->i16[base / 2 + i % 8], -128, 127))
JIT_SHUFFLE(PACKUSWB, u8, clamped((i < 8 ? va : vb)->i16[base / 2 + i % 8], 0, 255))
/* Unpacking: interleaves lanes of a and b, from one half of each 16 bytes. */
JIT_SHUFFLE(PUNPCKLBW, u8, (i % 2 ? vb : va)->u8[base + i / 2])
JIT_SHUFFLE(PUNPCKHBW, u8, (i % 2 ? vb : va)->u8[base + 8 + i / 2])
JIT_SHUFFLE(PUNPCKLWD, u16, (i % 2 ? vb : va)->u16[base + i / 2])
JIT_SHUFFLE(PUNPCKHWD, u16, (i % 2 ? vb : va)->u16[base + 4 + i / 2])
JIT_SHUFFLE(PUNPCKLDQ, u32, (i % 2 ? vb : va)->u32[base + i / 2])
JIT_SHUFFLE(PUNPCKHDQ, u32, (i % 2 ? vb : va)->u32[base + 2 + i / 2])
JIT_SHUFFLE(PUNPCKLQDQ, u64, (i % 2 ? vb : va)->u64[base])
JIT_SHUFFLE(PUNPCKHQDQ, u64, (i % 2 ? vb : va)->u64[base + 1])
JIT_SHUFFLE(PSHUFB, u8, vb->u8[n] & 0x80 ? 0 : va->u8[base + vb->u8[n] % 16])
JIT_SHUFFLE(PSHUFD, u32, vb->u32[base + (immediate >> 2 * i & 3)])
JIT_SHUFFLE(PSHUFLW, u16, vb->u16[i < 4 ? base + (immediate >> 2 * i & 3) : base + i])
JIT_SHUFFLE(PSHUFHW, u16, vb->u16[i < 4 ? base + i : base + 4 + (immediate >> 2 * (i - 4) & 3)])
JIT_SHUFFLE(PERMQ, u64, vb->u64[n / 4 * 4 + (immediate >> 2 * (n % 4) & 3)])
JIT_SHUFFLE(PERMD, u32, vb->u32[va->u32[n] % (size / 4)])

static const jit_oracle jit_oracles[JIT_FORMS] = {
#define JIT_FORM(name, ...) [JIT_##name] = oracle_##name,
#include "jit/forms.def"
};

#endif
