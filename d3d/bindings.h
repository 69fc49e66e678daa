/* SPDX-License-Identifier: MIT */
/*
 * The numbers of vertex streams and samplers that draws use. Sources: D3DCAPS9.MaxStreams; d3d9types.h, D3DDMAPSAMPLER
 * and D3DVERTEXTEXTURESAMPLER0 to 3.
 */
#ifndef HALCYON_D3D_BINDINGS_H
#define HALCYON_D3D_BINDINGS_H

#include <stdint.h>

#define D3D_STREAMS 16u

/* Samplers have numbers with a gap: 0 to 15 of pixel shaders, 256 of displacement maps, 257 to 260 of vertex shaders. Texture stages are the
 * first of them. Tables have a place for each, without the gap, in the same order. */
#define D3D_PIXEL_SAMPLERS       16u
#define D3D_DISPLACEMENT_SAMPLER 256u
#define D3D_VERTEX_SAMPLER       257u /* the first one */
#define D3D_VERTEX_SAMPLERS      4u
#define D3D_SAMPLER_PLACES       (D3D_PIXEL_SAMPLERS + 1 + D3D_VERTEX_SAMPLERS)

/* The place of a sampler's number; D3D_SAMPLER_PLACES: there is no such sampler. */
static inline unsigned d3d_sampler_place(uint32_t number)
{
    const uint32_t beyond = number - D3D_DISPLACEMENT_SAMPLER; /* wraps for smaller numbers */

    if (number < D3D_PIXEL_SAMPLERS)
        return number;
    return beyond <= D3D_VERTEX_SAMPLERS ? D3D_PIXEL_SAMPLERS + beyond : D3D_SAMPLER_PLACES;
}

/* The number of the sampler at a place. */
static inline uint32_t d3d_sampler_number(unsigned place)
{
    return place < D3D_PIXEL_SAMPLERS ? place : D3D_DISPLACEMENT_SAMPLER + place - D3D_PIXEL_SAMPLERS;
}

/* wStage and TSState of D3DHAL_DP2TEXTURESTAGESTATE as one DWORD, the way entries are copied (base_copy_dwords). */
static inline uint32_t d3d_stage_and_state(uint32_t stage, uint32_t state)
{
    return (stage & 0xFFFF) | state << 16;
}

#endif
