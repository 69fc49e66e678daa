/* SPDX-License-Identifier: MIT */
/*
 * State blocks of a pure device: the driver keeps them (token STATESET), and records, captures and applies them by
 * itself. The runtime keeps the values that the driver does not know, or that the runtime itself needs: textures,
 * streams, indices and the palette, and the current shaders and viewport. DirectX 8 DDI document, "State Block
 * Recording and Pure Devices".
 */
#ifndef HALCYON_RUNTIME_PURE_BLOCK_H
#define HALCYON_RUNTIME_PURE_BLOCK_H

#include "runtime/common/state/stateblock.h"

struct rt_pure_block;

/* A block of a predefined type, captured from the current state. `handle`: the driver's name for it, not 0 and not in
 * use. NULL: out of memory, here or in the driver. */
struct rt_pure_block *rt_pure_block_create(struct rt_pipe *pipe, uint32_t handle, enum rt_block_type type);
/* A recorded block: hands what `recorded` holds to the driver, which keeps it without setting it. NULL: out of memory. */
struct rt_pure_block *rt_pure_block_record(struct rt_pipe *pipe, uint32_t handle, const struct rt_block *recorded);
void rt_pure_block_capture(struct rt_pure_block *block, struct rt_pipe *pipe);
void rt_pure_block_apply(const struct rt_pure_block *block, struct rt_pipe *pipe);
/* The handle of the vertex shader that applying it sets; 0: none. */
uint32_t rt_pure_block_vertex_shader(const struct rt_pure_block *block);
/* Deletes it on both sides. `pipe` NULL: the driver's side was destroyed with its context. */
void rt_pure_block_destroy(struct rt_pure_block *block, struct rt_pipe *pipe);

#endif
