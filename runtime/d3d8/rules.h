/* SPDX-License-Identifier: MIT */
/* The rules of version 8 of the API, for runtime/common/. */
#ifndef HALCYON_D3D8_RULES_H
#define HALCYON_D3D8_RULES_H

#include "runtime/common/driver/rules.h"
#include "runtime/common/state/rules.h"

extern const struct rt_driver_rules d3d8_driver_rules;
extern const struct rt_state_rules d3d8_state_rules;

#endif
