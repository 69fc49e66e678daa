/* SPDX-License-Identifier: MIT */
/* The rules of version 8 for the driver and for its states. */
#include "runtime/d3d8/rules.h"

#include "d3d/ddi.h"
#include "d3d/states.h"
#include "runtime/common/state/state.h"

const struct rt_driver_rules d3d8_driver_rules = {
    .ddi_level = DDI_LEVEL_DX8,
    .format_level = 8,
};

static const uint8_t unblocked[] = {D3D_RS_ZVISIBLE, D3D_RS_POSITIONDEGREE, D3D_RS_NORMALDEGREE, 0};

const struct rt_state_rules d3d8_state_rules = {
    .state_level = 8,
    .block_column = RT_BLOCK_COLUMN_8,
    .unblocked_states = unblocked,
    .patch_segments = D3D_ONE,
    .last_stage_state = D3D_TSS_RESULTARG,
    .samplers = RT_STAGES,
    .streams = RT_STREAMS,
    .shaders = RT_SHADERS_HANDLES,
    .banks = 1 << RT_VS_FLOAT | 1 << RT_PS_FLOAT,
};
