/* SPDX-License-Identifier: MIT */
/* Render states that are orders to others than the state (orders.c). */
#ifndef HALCYON_HAL_ORDERS_H
#define HALCYON_HAL_ORDERS_H

struct dp2_command;
struct hal_context;

/* A state block records the command, and its states are not set. D3DRS_DELETERTPATCH, which no block holds, is carried out all the
 * same: the runtime sends it as a render state, but means it at once. */
void hal_orders_while_recording(struct hal_context *context, const struct dp2_command *command);

#endif
