/* SPDX-License-Identifier: MIT */
/* States of DirectX 7 and older that newer streams express otherwise. */
#ifndef HALCYON_HAL_STATE_LEGACY_H
#define HALCYON_HAL_STATE_LEGACY_H

#include <stdint.h>

struct hal_context;

/* Render states of DirectX 6 and before that are stage states now, and what DirectX 8 no longer has of the stage
 * states (`row` of stage_state). For contexts up to DirectX 7; the value is stored under its own number already. */
void hal_legacy_render_state(struct hal_context *context, uint32_t state, uint32_t value);
void hal_legacy_stage_state(struct hal_context *context, unsigned row, uint32_t state, uint32_t value);

#endif
