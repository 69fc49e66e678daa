/* SPDX-License-Identifier: MIT */
/*
 * Members of the structures in a command stream (d3d/dp2_tokens.h), which are not aligned:
 * DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE, PrimitiveCount). entry: const uint8_t *, the first byte of the structure.
 */
#ifndef HALCYON_HAL_DP2_FIELDS_H
#define HALCYON_HAL_DP2_FIELDS_H

#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"

#include <stddef.h>
#include <string.h>

#define DP2_FIELD(entry, type, member)       dp2_read_u32((entry) + offsetof(type, member))
#define DP2_BYTE_FIELD(entry, type, member)  ((entry)[offsetof(type, member)])
#define DP2_WORD_FIELD(entry, type, member)  dp2_read_u16((entry) + offsetof(type, member))
#define DP2_FLOAT_FIELD(entry, type, member) dp2_read_f32((entry) + offsetof(type, member))
/* Reads a DWORD member of entry `i` of a command whose body is an array of the type. */
#define DP2_ARRAY_FIELD(command, i, type, member) DP2_FIELD((command)->body + (size_t)(i) * sizeof(type), type, member)
/* Writes a member from `value`, a variable of its size. entry: uint8_t *. */
#define DP2_SET_FIELD(entry, type, member, value)                                                            \
    do {                                                                                                     \
        _Static_assert(sizeof(value) == sizeof(((type *)0)->member), "the value is as large as the member"); \
        memcpy((entry) + offsetof(type, member), &(value), sizeof(value));                                   \
    } while (0)

#endif
