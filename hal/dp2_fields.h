/* SPDX-License-Identifier: MIT */
/*
 * Members of the structures in a command stream (d3d/dp2_tokens.h), which are aligned to nothing:
 * DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE, PrimitiveCount). entry: const uint8_t *.
 */
#ifndef HALCYON_HAL_DP2_FIELDS_H
#define HALCYON_HAL_DP2_FIELDS_H

#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"

#include <stddef.h>

#define DP2_FIELD(entry, type, member)       dp2_read_u32((entry) + offsetof(type, member))
#define DP2_WORD_FIELD(entry, type, member)  dp2_read_u16((entry) + offsetof(type, member))
#define DP2_FLOAT_FIELD(entry, type, member) dp2_read_f32((entry) + offsetof(type, member))

#endif
