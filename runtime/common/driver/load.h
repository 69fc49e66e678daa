/* SPDX-License-Identifier: MIT */
/* Finds and loads the driver from the directory of the dll. */
#ifndef HALCYON_RUNTIME_LOAD_H
#define HALCYON_RUNTIME_LOAD_H

#include "runtime/common/driver/adapter.h"

/* The dll's one adapter, loaded on first use; NULL if there is no driver, which the log explains. All calls of a process's dll give
 * the same rules. */
struct rt_adapter *rt_adapter_load(const struct rt_driver_rules *rules);

#endif
