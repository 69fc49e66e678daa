/* SPDX-License-Identifier: MIT */
/* The rules of version 9 for the driver and for its states. */
#include "runtime/d3d9/rules.h"

#include "d3d/ddi.h"
#include "d3d/states.h"
#include "runtime/common/state/state.h"

const struct rt_driver_rules d3d9_driver_rules = {
    .ddi_level = DDI_LEVEL_DX9,
    .asks_dx9 = true,
    .light_mips = true,
    .format_level = 9,
    .checks_usages = true,
    .hides_unoffered = true,
    .has_nonmaskable = true,
};

/* Methods set them, SetNPatchMode and SetSoftwareVertexProcessing. */
static const uint8_t unblocked[] = {D3D_RS_PATCHSEGMENTS, D3D_RS_SOFTWAREVERTEXPROCESSING, 0};

const struct rt_state_rules d3d9_state_rules = {
    .state_level = 9,
    .block_column = RT_BLOCK_COLUMN_9,
    .unblocked_states = unblocked,
    .point_size_min = D3D_ONE,
    .patch_segments = 0, /* NPatchMode: off */
    .last_stage_state = D3D_TSS_CONSTANT,
    .has_sampler_states = true,
    .samplers = RT_SAMPLERS,
    .has_scissor = true,
    .streams = RT_STREAMS,
    .has_stream_offsets = true,
    .has_frequencies = true,
    .sets_targets_singly = true,
    .shaders = RT_SHADERS_OBJECTS,
    .banks = (1 << RT_BANKS) - 1,
    .joins_registers = true,
};
