/* SPDX-License-Identifier: MIT */
/*
 * Vendor extensions, through which a program switches features that its API does not have: a documented render state
 * takes a magic value. hal/pixel/extension_state.h passes the settings to the rasterizer. The table in extension.c has
 * one row per value; a new mode needs a row there, a name to `enum hal_extension` (values.h), and (if CheckDeviceFormat is to
 * answer) a row to caps/extensions.c. The numbers are in d3d/extension.h; docs/extensions.md is the documentation for
 * programs.
 */
#ifndef HALCYON_HAL_STATE_EXTENSION_H
#define HALCYON_HAL_STATE_EXTENSION_H

#include "hal/state/values.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_state;

/* A command that comes as a render state. */
enum hal_order { HAL_ORDER_NONE, HAL_ORDER_RESOLVE_DEPTH };

/* Values of hal_state.extension[], set by magic values: 0 is off. */
enum { COVERAGE_OFF, COVERAGE_INPUT, COVERAGE_INNER };
#define CONSERVATIVE_SETTING(tier, quarters) (uint8_t)((quarters) << 4 | (tier))
#define CONSERVATIVE_TIER(setting)           ((setting)&15u)
#define CONSERVATIVE_DILATE(setting)         (0.25f * (float)((setting) >> 4))

/* For a new context: notes which states take magic values. */
void hal_extension_init(struct hal_state *state);

/* Is `value` to be stored in render state `number`? False if it was a command (a vendor's command through POINTSIZE does not change
 * the size). Sets hal_state.extension[] in either case; *order: the command that the caller must execute. */
bool hal_extension_render_state(struct hal_state *state, uint32_t number, uint32_t value, enum hal_order *order);

#endif
