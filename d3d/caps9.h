/* SPDX-License-Identifier: MIT */
/*
 * D3DCAPS9 under another name, for files that include the headers of Direct3D 8: the structure of version 8 followed by
 * additions (docs/reference/driver-calls.md, section 7). The bytes are those of D3DCAPS9; only the members new in
 * Direct3D 9 are declared here.
 */
#ifndef HALCYON_D3D_CAPS9_H
#define HALCYON_D3D_CAPS9_H

#include "d3d/types.h"

struct d3d_caps9 {
    D3DCAPS8 d3d8;
    DWORD DevCaps2;
    float MaxNpatchTessellationLevel;
    DWORD Reserved5, MasterAdapterOrdinal, AdapterOrdinalInGroup, NumberOfAdaptersInGroup;
    DWORD DeclTypes, NumSimultaneousRTs, StretchRectFilterCaps;
    struct {
        DWORD Caps;
        INT DynamicFlowControlDepth, NumTemps, StaticFlowControlDepth;
    } VS20Caps;
    struct {
        DWORD Caps;
        INT DynamicFlowControlDepth, NumTemps, StaticFlowControlDepth, NumInstructionSlots;
    } PS20Caps;
    DWORD VertexTextureFilterCaps, MaxVShaderInstructionsExecuted, MaxPShaderInstructionsExecuted;
    DWORD MaxVertexShader30InstructionSlots, MaxPixelShader30InstructionSlots;
};

_Static_assert(sizeof(struct d3d_caps9) == 304, "D3DCAPS9");

#endif
