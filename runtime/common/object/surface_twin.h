/* SPDX-License-Identifier: MIT */
/*
 * Surfaces with another number of samples than their program asked for (docs/antialiasing.md). The memory that a surface
 * was made with has one number, its twin, made when it is first needed, another. One of the two is in use: it holds the
 * contents, is bound, locked and copied.
 */
#ifndef HALCYON_RUNTIME_SURFACE_TWIN_H
#define HALCYON_RUNTIME_SURFACE_TWIN_H

#include "runtime/common/object/surface.h"

/* Makes the memory with so many samples (0: one a pixel) the one in use, and moves the contents there: samples are
 * averaged, or for depth the first one is taken; a pixel is written to all of its samples. The surface is not a level of a
 * texture. D3DERR_INVALIDCALL for a locked surface or one that has lost its memory; the driver's error if it has no
 * such memory: the contents stay as they are. */
HRESULT rt_surface_set_samples(struct rt_surface *surface, unsigned samples);
/* The same with the memory that the surface was made with. */
HRESULT rt_surface_leave_twin(struct rt_surface *surface);
/* The twin is not in use any more, and freed. */
void rt_surface_free_twin(struct rt_surface *surface);

#endif
