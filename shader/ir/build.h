/* SPDX-License-Identifier: MIT */
/*
 * Short constructors for operands of the IR, for code that lowers to it.
 */
#ifndef HALCYON_SHADER_IR_BUILD_H
#define HALCYON_SHADER_IR_BUILD_H

#include "shader/ir/ir.h"

static inline struct ir_source ir_register(unsigned file, unsigned index)
{
    return (struct ir_source){.file = (uint8_t)file, .index = (uint16_t)index, .swizzle = IR_XYZW};
}

static inline struct ir_destination ir_target(unsigned file, unsigned index, unsigned mask)
{
    return (struct ir_destination){.file = (uint8_t)file, .index = (uint16_t)index, .mask = (uint8_t)mask};
}

/* s with a swizzle applied after its own. */
static inline struct ir_source ir_swizzled(struct ir_source s, unsigned x, unsigned y, unsigned z, unsigned w)
{
    unsigned old = s.swizzle;

    s.swizzle = IR_SWIZZLE(old >> 2 * x & 3, old >> 2 * y & 3, old >> 2 * z & 3, old >> 2 * w & 3);
    return s;
}

static inline struct ir_source ir_component(struct ir_source s, unsigned component)
{
    return ir_swizzled(s, component, component, component, component);
}

static inline struct ir_source ir_negated(struct ir_source s)
{
    s.modifiers ^= IR_NEGATE;
    return s;
}

#endif
