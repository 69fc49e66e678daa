/* SPDX-License-Identifier: MIT */
/* ValidateTextureStageState: can the texture stages be drawn as they are set? */
#ifndef HALCYON_HAL_PIXEL_VALIDATE_H
#define HALCYON_HAL_PIXEL_VALIDATE_H

#include "d3d/ddi.h"

#include <stdint.h>

struct hal_resources;
struct hal_scene;
struct hal_state;

/* DD_OK with *passes = 1, or the documented code for the first setting that would be drawn differently, with 0. May
 * flush, because the views of the bound textures are brought up to date. */
HRESULT hal_validate_stages(const struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene,
                            uint32_t *passes);

#endif
