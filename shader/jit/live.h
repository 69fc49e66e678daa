/* SPDX-License-Identifier: MIT */
/* Liveness: the places of lanes that later steps of a straight plan still read. Private to shader/jit/. */
#ifndef HALCYON_SHADER_JIT_LIVE_H
#define HALCYON_SHADER_JIT_LIVE_H

#include "shader/code.h"
#include "shader/jit/segment.h"

/* `live`: on entry the places read after a step, on return the places read from that step on. If an instruction is
 * interpreted, all components of its temporaries count as read, and none as written. */
void live_before(const struct shader_code *code, const struct plan_step *step, bool live[SEGMENT_PLACES]);

#endif
