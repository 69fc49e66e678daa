/* SPDX-License-Identifier: MIT */
/*
 * The setters of state.h while a program records a state block: they store the value in the block and mark it as held.
 * Parameters are the same; states that cannot be recorded have no function here.
 */
#ifndef HALCYON_RUNTIME_RECORD_H
#define HALCYON_RUNTIME_RECORD_H

#include "runtime/common/state/stateblock.h"

void rt_record_render_state(struct rt_block *block, uint32_t state, uint32_t value);
void rt_record_stage_state(struct rt_block *block, unsigned stage, unsigned state, uint32_t value);
void rt_record_transform(struct rt_block *block, int index, const D3DMATRIX *matrix);
void rt_record_viewport(struct rt_block *block, const D3DVIEWPORT8 *viewport);
void rt_record_scissor(struct rt_block *block, const RECT *scissor);
void rt_record_material(struct rt_block *block, const D3DMATERIAL8 *material);
void rt_record_clip_plane(struct rt_block *block, unsigned index, const float *plane);
/* False: out of memory. */
bool rt_record_light(struct rt_block *block, uint32_t index, const D3DLIGHT8 *light);
bool rt_record_light_enable(struct rt_block *block, uint32_t index, bool enable);
void rt_record_texture(struct rt_block *block, unsigned stage, struct rt_resource *texture);
void rt_record_stream(struct rt_block *block, unsigned stream, struct rt_resource *buffer, uint32_t offset,
                      uint32_t stride);
void rt_record_stream_frequency(struct rt_block *block, unsigned stream, uint32_t frequency);
void rt_record_indices(struct rt_block *block, struct rt_resource *buffer);
void rt_record_declaration(struct rt_block *block, struct rt_resource *declaration);
void rt_record_vertex_function(struct rt_block *block, struct rt_resource *shader);
void rt_record_pixel_function(struct rt_block *block, struct rt_resource *shader);
void rt_record_constants(struct rt_block *block, enum rt_bank bank, unsigned first, unsigned count, const void *values);
void rt_record_palette(struct rt_block *block, uint32_t palette);

#endif
