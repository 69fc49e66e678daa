/* SPDX-License-Identifier: MIT */
/* The cost of copies and fills, in the units of hal/work.h. */
#ifndef HALCYON_HAL_RESOURCE_COPY_COST_H
#define HALCYON_HAL_RESOURCE_COPY_COST_H

#include "d3d/ddi.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_work;
struct hal_surface;

/* Charges for a copy of `texels` texels, or a fill (source NULL), and for the samples of both surfaces. stretched:
 * texels are not copied unchanged, even between equal formats. */
bool hal_copy_spend(struct hal_work *work, struct hal_surface *destination, struct hal_surface *source, uint64_t texels,
                    bool stretched);
/* The same for a call that has no context, like hal_work_take. */
HRESULT hal_copy_take(struct hal_surface *destination, struct hal_surface *source, uint64_t texels, bool stretched,
                      const char *call);

#endif
