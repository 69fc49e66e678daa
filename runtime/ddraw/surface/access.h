/* SPDX-License-Identifier: MIT */
/* Memory of surfaces: mapped once, however many users it has at a time. */
#ifndef HALCYON_DDRAW_ACCESS_H
#define HALCYON_DDRAW_ACCESS_H

#include "runtime/ddraw/surface/surface.h"

/* `flags`: D3DLOCK_*. The memory stays where it is until the last user has unmapped it, and is only read if that is true of all
 * users. Errors: those of rt_chain_lock. The lock of the process is held, as by all methods. */
HRESULT surface_map(struct surface *surface, DWORD flags, struct rt_mapping *mapping);
void surface_unmap(struct surface *surface);
/* In between the driver has what has been written so far, and may be called with the surface, although it stays in its users' hands: the
 * memory keeps its address. */
void surface_suspend(struct surface *surface);
void surface_resume(struct surface *surface);

#endif
