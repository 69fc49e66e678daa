/* SPDX-License-Identifier: MIT */
/* Mirrored sources of blits (DDBLTFX_MIRRORLEFTRIGHT, DDBLTFX_MIRRORUPDOWN). */
#ifndef HALCYON_HAL_RESOURCE_COPY_MIRROR_H
#define HALCYON_HAL_RESOURCE_COPY_MIRROR_H

#include "d3d/ddi.h"
#include "hal/resource/surface.h"

/* Makes `mirrored` a surface of the same format with the texels of a rectangle of the source in reverse order: of each row with
 * DDBLTFX_MIRRORLEFTRIGHT, of the rows with DDBLTFX_MIRRORUPDOWN in `effects`. It has no LCL and no handle. DDERR_INVALIDRECT;
 * DDERR_NOMIRRORHW: blocks of several texels, planes and maps of feedback; DDERR_OUTOFVIDEOMEMORY. The caller frees it by
 * hal_scratch_free. */
HRESULT hal_mirror(struct hal_surface *mirrored, struct hal_surface *source, const RECT *rect, uint32_t effects);

#endif
