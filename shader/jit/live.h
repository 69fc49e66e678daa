/* SPDX-License-Identifier: MIT */
/* Which places of lanes the steps of a straight plan still read. Private to shader/jit/. */
#ifndef HALCYON_SHADER_JIT_LIVE_H
#define HALCYON_SHADER_JIT_LIVE_H

#include "shader/code.h"
#include "shader/jit/segment.h"

/* `live`: of the places that are read after a step; becomes those that are read from that step on. Of an instruction that is
 * interpreted all components of the temporaries that it names count as read, and none as written. */
void live_before(const struct shader_code *code, const struct plan_step *step, bool live[SEGMENT_PLACES]);

#endif
