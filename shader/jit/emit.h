/* SPDX-License-Identifier: MIT */
/* Machine code of a segment. Private to shader/jit/. */
#ifndef HALCYON_SHADER_JIT_EMIT_H
#define HALCYON_SHADER_JIT_EMIT_H

#include "jit/encode.h"
#include "shader/jit/segment.h"

/* Appends the function (generated_fn) to the buffer. Returns false if there are too many spilled values or the buffer
 * is full. `room`: segment_emit_room() bytes, used only during the call. */
size_t segment_emit_room(void);
bool segment_emit(struct jit_buffer *out, const struct segment *segment, void *room);

#endif
