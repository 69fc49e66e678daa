/* SPDX-License-Identifier: MIT */
/* Display modes of an adapter, for programs that enumerate them: the list is read when an enumeration begins. */
#ifndef HALCYON_RUNTIME_MODES_H
#define HALCYON_RUNTIME_MODES_H

#include "runtime/common/window/display.h"

struct rt_modes {
    CRITICAL_SECTION lock;
    struct rt_mode_list list;
};

void rt_modes_init(struct rt_modes *modes);
void rt_modes_free(struct rt_modes *modes);
/* Reads the list again. `format`: modes of that D3DFORMAT; 0: all. */
unsigned rt_modes_count(struct rt_modes *modes, unsigned adapter, uint32_t format);
/* Mode `index` of those. False: past the end. */
bool rt_modes_find(struct rt_modes *modes, unsigned adapter, uint32_t format, unsigned index, D3DDISPLAYMODE *mode);

#endif
