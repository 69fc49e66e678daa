/* SPDX-License-Identifier: MIT */
/*
 * Tokens of shader bytecode, for tests that write shaders by hand. Source:
 * docs/reference/shader-code.md, section 1.
 */
#ifndef HALCYON_TESTS_SHADER_TOOLS_H
#define HALCYON_TESTS_SHADER_TOOLS_H

#include "shader/shader.h"

#define VS(major, minor) (0xfffe0000u | (major) << 8 | (minor))
#define PS(major, minor) (0xffff0000u | (major) << 8 | (minor))
#define END              0x0000ffffu

/* An instruction; `length` DWORDs follow it in models 2 and 3. */
#define OP1(op)                  ((uint32_t)(SOP_##op))
#define OP(op, length)           ((uint32_t)(SOP_##op) | (uint32_t)(length) << 24)
#define OPC(op, length, control) (OP(op, length) | (uint32_t)(control) << 16)
#define COISSUE                  0x40000000u
#define PREDICATED               0x10000000u

#define REG(type, n)             (0x80000000u | ((uint32_t)(type)&7) << 28 | ((uint32_t)(type)&24) << 8 | (uint32_t)(n))
#define DST(type, number, mask)  (REG(SREG_##type, number) | (uint32_t)(mask) << 16)
#define SRC(type, number)        (REG(SREG_##type, number) | 0x00e40000u)
#define SWZ(type, number, x, y, z, w) \
    (REG(SREG_##type, number) | (uint32_t)((x) | (y) << 2 | (z) << 4 | (w) << 6) << 16)
#define MODIFIED(token, modifier) ((token) | (uint32_t)(SMOD_##modifier) << 24)
#define SATURATED                 0x00100000u
#define SHIFT(n)                  (((uint32_t)(n)&15) << 24)
#undef RELATIVE /* wingdi.h has another one */
#define RELATIVE 0x2000u

static inline uint32_t float_bits(float v)
{
    union {
        float f;
        uint32_t u;
    } bits = {v};

    return bits.u;
}
#define F(v) float_bits(v)

#endif
