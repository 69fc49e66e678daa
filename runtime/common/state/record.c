/* SPDX-License-Identifier: MIT */
/* Records states into a block instead of sending them. */
#include "runtime/common/state/record.h"

#include "base/base.h"
#include "runtime/common/state/constants.h"

void rt_record_render_state(struct rt_block *block, uint32_t state, uint32_t value)
{
    block->state.render[state] = value;
    rt_mask_set(block->mask.render, state);
}

void rt_record_stage_state(struct rt_block *block, unsigned stage, unsigned state, uint32_t value)
{
    block->state.stage[stage][state] = value;
    block->mask.stage[stage] |= UINT64_C(1) << state;
}

void rt_record_transform(struct rt_block *block, int index, const D3DMATRIX *matrix)
{
    block->state.transform[index] = *matrix;
    rt_mask_set(block->mask.transform, (unsigned)index);
}

void rt_record_viewport(struct rt_block *block, const D3DVIEWPORT8 *viewport)
{
    block->state.viewport = *viewport;
    block->mask.viewport = true;
}

void rt_record_scissor(struct rt_block *block, const RECT *scissor)
{
    block->state.scissor = *scissor;
    block->mask.scissor = true;
}

void rt_record_material(struct rt_block *block, const D3DMATERIAL8 *material)
{
    block->state.material = *material;
    block->mask.material = true;
}

void rt_record_clip_plane(struct rt_block *block, unsigned index, const float *plane)
{
    memcpy(block->state.plane[index], plane, sizeof(block->state.plane[index]));
    block->mask.planes |= 1u << index;
}

bool rt_record_light(struct rt_block *block, uint32_t index, const D3DLIGHT8 *light)
{
    struct rt_light *recorded = rt_light_make(&block->state, index);

    if (recorded)
        recorded->light = *light;
    return recorded != NULL;
}

bool rt_record_light_enable(struct rt_block *block, uint32_t index, bool enable)
{
    struct rt_light *recorded = rt_light_make(&block->state, index);

    if (recorded)
        recorded->enabled = enable;
    return recorded != NULL;
}

void rt_record_texture(struct rt_block *block, unsigned stage, struct rt_resource *texture)
{
    rt_bind_resource(&block->state.texture[stage], texture);
    block->mask.textures |= 1u << stage;
}

void rt_record_stream(struct rt_block *block, unsigned stream, struct rt_resource *buffer, uint32_t offset,
                      uint32_t stride)
{
    struct rt_stream *s = &block->state.stream[stream];

    rt_bind_resource(&s->buffer, buffer);
    s->offset = offset;
    s->stride = stride;
    block->mask.streams |= 1u << stream;
}

void rt_record_stream_frequency(struct rt_block *block, unsigned stream, uint32_t frequency)
{
    block->state.stream[stream].frequency = frequency;
    block->mask.frequencies |= 1u << stream;
}

void rt_record_indices(struct rt_block *block, struct rt_resource *buffer)
{
    rt_bind_resource(&block->state.indices, buffer);
    block->mask.indices = true;
}

void rt_record_declaration(struct rt_block *block, struct rt_resource *declaration)
{
    rt_bind_resource(&block->state.declaration, declaration);
    block->mask.declaration = true;
}

void rt_record_vertex_function(struct rt_block *block, struct rt_resource *shader)
{
    rt_bind_resource(&block->state.vertex_function, shader);
    block->mask.vertex_shader = true;
}

void rt_record_pixel_function(struct rt_block *block, struct rt_resource *shader)
{
    rt_bind_resource(&block->state.pixel_function, shader);
    block->mask.pixel_shader = true;
}

void rt_record_constants(struct rt_block *block, enum rt_bank bank, unsigned first, unsigned count, const void *values)
{
    rt_store_constants(&block->state, bank, first, count, values);
    for (unsigned i = first; i < first + count; i++)
        rt_mask_set(rt_constant_mask(&block->mask, bank), i);
}

void rt_record_palette(struct rt_block *block, uint32_t palette)
{
    block->state.palette = palette;
    block->mask.palette = true;
}
