/* SPDX-License-Identifier: MIT */
/* The rules of versions 9 and 9Ex of the API, for runtime/common/. */
#ifndef HALCYON_D3D9_RULES_H
#define HALCYON_D3D9_RULES_H

#include "runtime/common/driver/rules.h"
#include "runtime/common/state/rules.h"

extern const struct rt_driver_rules d3d9_driver_rules;
extern const struct rt_state_rules d3d9_state_rules;

#endif
