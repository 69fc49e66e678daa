/* SPDX-License-Identifier: MIT */
/*
 * Codes that cards of one vendor had and those of another did not have. With HALCYON_ADAPTER = halcyon all of them are offered, since
 * all of them work.
 *
 * NVIDIA: GPU Programming Guide, GeForce 8 and 9 Series (depth bounds, transparency multisampling). AMD: Advanced DX9
 * Capabilities for ATI Radeon Cards. Intel, and NVIDIA without DF16 and DF24: findings for DXVK (pull requests 4010 and
 * 4888). All of them adopted INTZ, NULL, ATI1 and ATI2.
 */
#include "caps/caps.h"

#include <string.h>

#include "base/base.h"
#include "d3d/extension.h"
#include "d3d/formats.h"

enum vendor {
#define VENDOR(name, NAME, ...) NAME,
#include "d3d/vendors.def"
};

static const struct {
    uint32_t code;
    uint8_t vendors; /* 1 << enum vendor */
} codes[] = {
    {EXTENSION_DEPTH_BOUNDS, 1 << NVIDIA},
    {EXTENSION_ALPHA_COVERAGE, 1 << NVIDIA | 1 << INTEL},
    {EXTENSION_ALPHA_COVERAGE_ON, 1 << AMD},
    {EXTENSION_ALPHA_COVERAGE_OFF, 1 << AMD},
    {EXTENSION_INSTANCING, 1 << AMD},
    {EXTENSION_RESOLVE_DEPTH_NAME, 1 << AMD | 1 << INTEL},
    {D3D_CODE('D', 'F', '1', '6'), 1 << AMD | 1 << INTEL},
    {D3D_CODE('D', 'F', '2', '4'), 1 << AMD | 1 << INTEL},
};

static enum vendor current(void)
{
    static const char *const names[] = {
#define VENDOR(name, ...) #name,
#include "d3d/vendors.def"
    };
    const char *name = config_string("adapter");

    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (!strcmp(names[i], name))
            return (enum vendor)i;
    return HALCYON;
}

bool caps_vendor_has(uint32_t code)
{
    for (unsigned i = 0; i < ARRAY_COUNT(codes); i++)
        if (codes[i].code == code)
            return current() == HALCYON || codes[i].vendors >> current() & 1;
    return true;
}
