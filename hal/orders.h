/* SPDX-License-Identifier: MIT */
/* Render states that are commands rather than state (orders.c). */
#ifndef HALCYON_HAL_ORDERS_H
#define HALCYON_HAL_ORDERS_H

struct dp2_command;
struct hal_context;

/* Called while a state block records the command, so its states are not set. D3DRS_DELETERTPATCH, which no block holds,
 * is executed anyway: the runtime sends it as a render state, but it takes effect immediately. */
void hal_orders_while_recording(struct hal_context *context, const struct dp2_command *command);

#endif
