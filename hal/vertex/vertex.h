/* SPDX-License-Identifier: MIT */
/* A processed vertex, and the values that it passes to the pixel side. */
#ifndef HALCYON_HAL_VERTEX_VERTEX_H
#define HALCYON_HAL_VERTEX_VERTEX_H

#include "hal/state/values.h"

#include <stdint.h>

/* Values of processed vertices. hal_pipeline_inputs says which raster input gets which value. */
enum hal_attribute {
    HAL_ATTRIBUTE_DIFFUSE,
    HAL_ATTRIBUTE_SPECULAR,
    HAL_ATTRIBUTE_FOG,       /* x: vertex fog factor */
    HAL_ATTRIBUTE_TEXCOORD0, /* by stage: TEXCOORDINDEX is already resolved */
    HAL_ATTRIBUTE_COUNT = HAL_ATTRIBUTE_TEXCOORD0 + HAL_MAX_STAGES,
};

/* The part of a processed vertex that clipping and assembly need; its attributes are in the raster_vertex of the same
 * number. */
struct hal_vertex {
    float position[4];                /* clip space; pre-transformed: x, y in pixels, z, rhw */
    float plane[HAL_MAX_CLIP_PLANES]; /* distances to the enabled user planes; inside when >= 0 */
    float point_size;                 /* pixels */
    uint32_t outcode;                 /* hal/vertex/clip.h */
};

#endif
