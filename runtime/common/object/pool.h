/* SPDX-License-Identifier: MIT */
/*
 * Pools: where the memory of a resource is, and who keeps it there. The numbers are those of D3DPOOL, so that faces of Direct3D 8 and 9
 * pass a checked parameter on, and hand it back to the program.
 */
#ifndef HALCYON_RUNTIME_POOL_H
#define HALCYON_RUNTIME_POOL_H

#include "d3d/types.h"

enum rt_pool {
    RT_POOL_DEFAULT, /* the driver's memory; a Reset is refused while such a resource exists */
    RT_POOL_MANAGED, /* ours, with a copy in the driver's memory that is made when it is needed, and may be evicted */
    RT_POOL_SYSTEM,  /* ours, announced to the driver, which copies from it */
    RT_POOL_SCRATCH, /* ours, unknown to the driver */
};

_Static_assert(RT_POOL_DEFAULT == (int)D3DPOOL_DEFAULT && RT_POOL_MANAGED == (int)D3DPOOL_MANAGED &&
                   RT_POOL_SYSTEM == (int)D3DPOOL_SYSTEMMEM && RT_POOL_SCRATCH == (int)D3DPOOL_SCRATCH,
               "faces pass D3DPOOL on");

#endif
