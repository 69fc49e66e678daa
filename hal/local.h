/* SPDX-License-Identifier: MIT */
#ifndef HALCYON_HAL_LOCAL_H
#define HALCYON_HAL_LOCAL_H

#include "hal/state.h"

struct hal_handle_table {
    struct hal_surface **surfaces; /* by handle; NULL: unknown */
    uint32_t capacity;
    uint32_t changes; /* counts them: who remembers what a handle names looks here whether it still does */
};

/* The driver keeps one of these for each DirectDraw object (DDRAWI_DIRECTDRAW_LCL). */
struct hal_local {
    struct hal_local *next;
    const void *dd_local; /* compared, never read */
    struct hal_handle_table handles;
};

/* --- resource/multisample.c ------------------------------------------------------------------------- */

/* Gives a surface that has its memory 2, 4, 8 or 16 samples. */
HRESULT hal_samples_create(struct hal_surface *surface, unsigned samples);
void hal_samples_free(struct hal_surface *surface);
/* `memory` is going to be read or written; scenes have been flushed. */
void hal_samples_acquire(struct hal_surface *surface, bool write);
/* The samples are going to be drawn to: their view, if there are any. */
void hal_samples_target(struct hal_surface *surface, struct raster_surface *target);
void hal_samples_swap(struct hal_surface *a, struct hal_surface *b);
/* Of all samples, behind the digest of something else. */
uint64_t hal_samples_digest(const struct hal_surface *surface, uint64_t digest);
/* hal_surface_acquire without the change between samples and pixels. */
void hal_surface_finish(struct hal_surface *surface, bool write);

#endif
