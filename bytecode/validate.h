/* SPDX-License-Identifier: MIT */
/*
 * The rules a shader must keep to be created through the API, beyond what the driver needs to be safe: read ports,
 * slots, masks, required writes. Depends on bytecode/bytecode.h alone, so that a runtime may link just these two.
 * Source: reference shaders.md 1, 2, 3, 7, 10.
 */
#ifndef HALCYON_BYTECODE_VALIDATE_H
#define HALCYON_BYTECODE_VALIDATE_H

#include "bytecode/bytecode.h"

/* What differs between devices. Zeroed members mean the least that the model has. */
struct shader_limits {
    unsigned vertex_constants; /* 96 in vs_1_1, 256 later */
    unsigned slots_2x;         /* ps_2_x: 96 */
    unsigned slots_30;         /* 512 */
};

/* False, and in *error the first broken rule and where. */
bool shader_validate(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                     struct shader_error *error);

#endif
