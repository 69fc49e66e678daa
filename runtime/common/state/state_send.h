/* SPDX-License-Identifier: MIT */
/* Shared by the files of the state layer: functions that send tokens and do not change the state. */
#ifndef HALCYON_RUNTIME_STATE_SEND_H
#define HALCYON_RUNTIME_STATE_SEND_H

#include "runtime/common/state/state.h"

void rt_send_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value);
void rt_send_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value);
void rt_send_scissor(struct rt_pipe *pipe, const RECT *scissor);
/* A token that names a declaration or shader object; NULL: 0. */
void rt_send_object(struct rt_pipe *pipe, uint8_t token, struct rt_resource *object);
/* All bindings go to the driver before the next draw. */
void rt_pipe_resend_bindings(struct rt_pipe *pipe);

#endif
