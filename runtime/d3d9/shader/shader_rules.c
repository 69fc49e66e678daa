/* SPDX-License-Identifier: MIT */
/* Which shaders a device accepts, by its capabilities. */
#include "runtime/d3d9/shader/shader_rules.h"

#define MAX_CODE_WORDS     (1u << 18) /* 32768 instructions of model 3 fit */
#define SOFTWARE_CONSTANTS 8192
#define SOFTWARE_VERSION   0x3ff /* vs_3_sw */

size_t d3d9_code_bytes(const DWORD *code)
{
    return shader_bytecode_length((const uint32_t *)code, MAX_CODE_WORDS) * sizeof(*code);
}

static unsigned at_least(INT value, unsigned least)
{
    return value > (INT)least ? (unsigned)value : least;
}

static struct shader_limits limits_of(const D3DCAPS9 *caps, bool pixel, bool software)
{
    const D3DVSHADERCAPS2_0 *vs = &caps->VS20Caps;
    const D3DPSHADERCAPS2_0 *ps = &caps->PS20Caps;

    return (struct shader_limits){
        .vertex_version = software ? SOFTWARE_VERSION : caps->VertexShaderVersion & 0xffff,
        .pixel_version = caps->PixelShaderVersion & 0xffff,
        .vertex_only = !pixel,
        .pixel_only = pixel,
        .vertex_constants = software ? SOFTWARE_CONSTANTS : caps->MaxVertexShaderConst,
        .vertex_2x = {.predication = vs->Caps & D3DVS20CAPS_PREDICATION,
                      .temps = at_least(vs->NumTemps, 12),
                      .static_depth = at_least(vs->StaticFlowControlDepth, 1),
                      .dynamic_depth = at_least(vs->DynamicFlowControlDepth, 0)},
        .pixel_2x = {.predication = ps->Caps & D3DPS20CAPS_PREDICATION,
                     .arbitrary_swizzle = ps->Caps & D3DPS20CAPS_ARBITRARYSWIZZLE,
                     .gradients = ps->Caps & D3DPS20CAPS_GRADIENTINSTRUCTIONS,
                     .any_dependent_reads = ps->Caps & D3DPS20CAPS_NODEPENDENTREADLIMIT,
                     .any_texture_count = ps->Caps & D3DPS20CAPS_NOTEXINSTRUCTIONLIMIT,
                     .temps = at_least(ps->NumTemps, 12),
                     .slots = at_least(ps->NumInstructionSlots, 96),
                     .static_depth = at_least(ps->StaticFlowControlDepth, 0),
                     .dynamic_depth = at_least(ps->DynamicFlowControlDepth, 0)},
        .slots_30 = pixel ? caps->MaxPixelShader30InstructionSlots : caps->MaxVertexShader30InstructionSlots,
    };
}

bool d3d9_code_is_valid(const DWORD *code, bool pixel, const D3DCAPS9 *caps, bool software, shader_rule_report *report,
                        struct shader_error *error)
{
    const struct shader_limits limits = limits_of(caps, pixel, software);
    const size_t words = d3d9_code_bytes(code) / sizeof(*code);

    if (!words)
        return shader_fail(error, 0, "code without an end");
    if (report)
        return shader_validate_required((const uint32_t *)code, words, &limits, report, NULL, error);
    return shader_validate((const uint32_t *)code, words, &limits, error);
}
