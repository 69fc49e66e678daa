/* SPDX-License-Identifier: MIT */
/* The pixel side of a draw: raster state, pixel program with its values, and the attributes that vertices must
 * deliver. */
#ifndef HALCYON_HAL_PIXEL_PIPELINE_H
#define HALCYON_HAL_PIXEL_PIPELINE_H

#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_renderer;
struct hal_texture;
struct shader_program;

/* The use of texture coordinates; decides the value of their fourth component (docs/reference/vertex-processing.md,
 * section 8). */
enum hal_coordinates {
    HAL_COORDINATES_DIVIDED, /* projected stages divide by it: texture stages, ps_1_1 to ps_1_3 */
    HAL_COORDINATES_READ,    /* a program reads them unchanged: ps_1_4 and up */
    HAL_COORDINATES_KEPT,    /* they are stored with processed vertices */
};

/* The attributes that the vertex side must deliver, valid after hal_pipeline_update. */
struct hal_pipeline_inputs {
    uint8_t count;
    uint8_t attribute[RASTER_MAX_INPUTS]; /* raster input i = enum hal_attribute attribute[i]; COUNT: none */
    uint8_t usage[RASTER_MAX_INPUTS], usage_index[RASTER_MAX_INPUTS]; /* the same as D3DDECLUSAGE and index */
    uint32_t shows_w;      /* bit i: a program reads the fourth component of raster input i */
    uint8_t coordinates;   /* enum hal_coordinates */
    bool unclamped_colors; /* between programs of model 3 colours keep their range */
    /* No link of a vertex stage depends on the rest (hal/vertex/stage.c): */
    uint8_t mask[RASTER_MAX_INPUTS]; /* components read: bit 0 x .. bit 3 w */
    bool conservative;               /* a clipped triangle stays one polygon */
    bool beyond_view; /* pixels are touched from beyond their centres, by samples or whole: the view's edges, which
                              go through the outermost centres, reject no triangle */
};

/* Brings raster state and pixel program up to date for a draw. shader: the pixel
 * shader, NULL: the texture stages. transformed: vertices come transformed, so depth does not come from the viewport. False:
 * nothing can be drawn (no target). */
bool hal_pipeline_update(struct hal_renderer *renderer, const struct shader_program *shader, bool transformed);
/* Call it after the last scene has been drawn. */
void hal_pipeline_destroy(struct hal_renderer *renderer);

/* Valid after hal_pipeline_update. */
const struct hal_pipeline_inputs *hal_pipeline_inputs(const struct hal_renderer *renderer);
/* Makes hal_pipeline_inputs name these attributes (bit a: enum hal_attribute a), in their order, until the next
 * hal_pipeline_update with dirty bits; for vertices that are processed but not drawn. False: out of memory. */
bool hal_pipeline_want(struct hal_renderer *renderer, uint32_t attributes);

/* The texture that a row of stage_state names, with its view up to date; NULL: none. May flush. */
struct hal_texture *hal_pipeline_texture(struct hal_renderer *renderer, unsigned row);

#endif
