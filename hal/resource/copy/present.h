/* SPDX-License-Identifier: MIT */
/* The queue of presenting blits (DDBLT_PRESENTATION), three frames deep. */
#ifndef HALCYON_HAL_RESOURCE_COPY_PRESENT_H
#define HALCYON_HAL_RESOURCE_COPY_PRESENT_H

#include "d3d/ddi.h"

#include <stdbool.h>

struct hal_driver;
struct hal_surface;

/* A presenting blit (DDBLT_PRESENTATION). last: it ends a frame. DDERR_WASSTILLDRAWING: three frames of the source are
 * queued already. */
HRESULT hal_present_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                        bool last);
void hal_present_destroy(struct hal_driver *driver);
/* For tests: pauses the queue's thread, or resumes it. */
void hal_present_hold(struct hal_driver *driver, bool hold);

#endif
