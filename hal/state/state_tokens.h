/* SPDX-License-Identifier: MIT */
/* Functions of state handlers that state blocks and commands use, too. */
#ifndef HALCYON_HAL_STATE_STATE_TOKENS_H
#define HALCYON_HAL_STATE_STATE_TOKENS_H

#include "hal/state/extension.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_matrix;
struct hal_state;

/* The matrix with a D3DTRANSFORMSTATETYPE number; NULL: there is none. */
struct hal_matrix *hal_transform(struct hal_state *state, uint32_t type);

/* Sets a render state that exists (below HAL_MAX_RENDER_STATES). False: the value was a command, and the state does not
 * change. *order: the command that the caller must execute. */
bool hal_state_set_render_state(struct hal_state *state, uint32_t number, uint32_t value, enum hal_order *order);

#endif
