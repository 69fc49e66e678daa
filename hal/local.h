/* SPDX-License-Identifier: MIT */
#ifndef HALCYON_HAL_LOCAL_H
#define HALCYON_HAL_LOCAL_H

#include "hal/state.h"

struct hal_handle_table {
    struct hal_surface **surfaces; /* by handle; NULL: unknown */
    uint32_t capacity;
};

/* What the driver keeps for one DirectDraw object (DDRAWI_DIRECTDRAW_LCL). */
struct hal_local {
    struct hal_local *next;
    const void *dd_local; /* compared, never read */
    struct hal_handle_table handles;
};

#endif
