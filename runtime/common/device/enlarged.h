/* SPDX-License-Identifier: MIT */
/*
 * Draws to a target that is larger than the program believes (rt_pipe.times). Vertices in pixels are drawn as copies, from user memory, with
 * the coordinates of the target; the program's stay as they are. docs/internal-resolution.md has the rules.
 */
#ifndef HALCYON_RUNTIME_ENLARGED_H
#define HALCYON_RUNTIME_ENLARGED_H

#include "runtime/common/device/device.h"

/* Begins a draw: makes points have their size. True: the draw's vertices must be enlarged, and *use says what they hold. */
bool rt_enlarged_begin(struct rt_device *device, D3DPRIMITIVETYPE type, struct rt_vertex_use *use);

/* The draw of `vertex_count` vertices of stream 0 from `start` on. The parameters have been checked. */
HRESULT rt_enlarged_draw(struct rt_device *device, const struct rt_vertex_use *use, D3DPRIMITIVETYPE type, UINT start,
                         UINT count, unsigned vertex_count);
/* The same with `index_count` indices of the index buffer that is set. */
HRESULT rt_enlarged_draw_indexed(struct rt_device *device, const struct rt_vertex_use *use, D3DPRIMITIVETYPE type,
                                 INT base_vertex, UINT start, UINT count, unsigned index_count);

/* Copies of `count` vertices in user memory, *stride bytes apart, which changes. They are valid until the next draw. NULL: out of
 * memory. */
const void *rt_enlarged_vertices(struct rt_device *device, const struct rt_vertex_use *use, const void *vertices,
                                 unsigned count, unsigned *stride);

#endif
