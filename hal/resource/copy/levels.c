/* SPDX-License-Identifier: MIT */
/* Contents the driver makes itself: the lower levels of a texture. */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"

/* With sizes that halve, bilinear samples at the centres are averages of four texels. */
HRESULT hal_texture_generate_levels(struct hal_surface *top, bool average)
{
    for (unsigned face = 0; face < top->face_count; face++) {
        for (unsigned level = 1; level < top->level_count; level++) {
            struct hal_surface *above = top->parts[face][level - 1], *below = top->parts[face][level];
            const HRESULT result =
                above && below ? hal_surface_blt(below, NULL, above, NULL, average) : DDERR_INVALIDPARAMS;

            if (FAILED(result))
                return result;
        }
    }
    return DD_OK;
}
