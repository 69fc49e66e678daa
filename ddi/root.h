/* SPDX-License-Identifier: MIT */
/* The root of the driver, for the frame debugger (hal/inspect.h). */
#ifndef HALCYON_DDI_ROOT_H
#define HALCYON_DDI_ROOT_H

struct hal_driver;

/* NULL: nobody uses the driver. */
struct hal_driver *ddi_driver(void);

#endif
