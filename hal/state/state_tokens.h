/* SPDX-License-Identifier: MIT */
/* Declares what handlers of state share with state blocks and orders. */
#ifndef HALCYON_HAL_STATE_STATE_TOKENS_H
#define HALCYON_HAL_STATE_STATE_TOKENS_H

#include "hal/state/extension.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct hal_matrix;

/* The matrix with a D3DTRANSFORMSTATETYPE number; NULL: there is none. */
struct hal_matrix *hal_transform(struct hal_context *context, uint32_t type);

/* Sets a render state that exists (below HAL_MAX_RENDER_STATES). False: the value was a command, and the state keeps its own. *order:
 * what the caller is to carry out. */
bool hal_state_set_render_state(struct hal_context *context, uint32_t state, uint32_t value, enum hal_order *order);

#endif
