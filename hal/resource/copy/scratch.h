/* SPDX-License-Identifier: MIT */
/* A surface for the time of a call, which no DirectDraw surface knows: a step between source and destination. */
#ifndef HALCYON_HAL_RESOURCE_COPY_SCRATCH_H
#define HALCYON_HAL_RESOURCE_COPY_SCRATCH_H

#include "d3d/ddi.h"

#include <stdbool.h>

struct hal_surface;

/* Can there be one in this surface's format? It has texels of whole bytes, without blocks or planes, and one slice. */
bool hal_scratch_is_possible(const struct hal_surface *like);
/* Makes one of the same format, with zeros. DDERR_OUTOFVIDEOMEMORY: too large, or out of memory. */
HRESULT hal_scratch_make(struct hal_surface *scratch, const struct hal_surface *like, unsigned width, unsigned height);
void hal_scratch_free(struct hal_surface *scratch);

#endif
