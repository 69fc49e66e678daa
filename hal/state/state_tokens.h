/* SPDX-License-Identifier: MIT */
/* Declares what handlers of state share with state blocks. */
#ifndef HALCYON_HAL_STATE_STATE_TOKENS_H
#define HALCYON_HAL_STATE_STATE_TOKENS_H

#include <stdint.h>

struct hal_context;
struct hal_matrix;

/* The matrix with a D3DTRANSFORMSTATETYPE number; NULL: there is none. */
struct hal_matrix *hal_transform(struct hal_context *context, uint32_t type);

#endif
