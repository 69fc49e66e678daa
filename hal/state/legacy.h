/* SPDX-License-Identifier: MIT */
/* States of DirectX 7 and older that newer streams express differently. */
#ifndef HALCYON_HAL_STATE_LEGACY_H
#define HALCYON_HAL_STATE_LEGACY_H

#include <stdint.h>

struct hal_state;

/* Render states of DirectX 6 and older that are stage states now, and stage states that DirectX 8 no longer has (`row`
 * of stage_state). For contexts up to DirectX 7; the value is already stored under its own number. */
void hal_legacy_render_state(struct hal_state *state, uint32_t number, uint32_t value);
void hal_legacy_stage_state(struct hal_state *state, unsigned row, uint32_t number, uint32_t value);

#endif
