/* SPDX-License-Identifier: MIT */
/* The root of the driver, for tools that are linked with it. */
#ifndef HALCYON_DDI_ROOT_H
#define HALCYON_DDI_ROOT_H

#include <stdbool.h>

struct hal_driver;

/* For the frame debugger (hal/inspect.h). NULL: nobody uses the driver. */
struct hal_driver *ddi_driver(void);

/* Before the driver starts: everything, or the frames in HALCYON_CAPTURE_FRAMES, is recorded into exactly this file, which is
 * replaced. The text must outlive the driver. */
void ddi_record_to_file(const char *path);
/* After the last user of the driver is destroyed: true if that file could not be written, or none of the named frames occurred. */
bool ddi_record_has_failed(void);

#endif
