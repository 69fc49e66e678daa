/* SPDX-License-Identifier: MIT */
/*
 * FOURCCs in the format list that are not formats but names of features (d3d/extension.h): CheckDeviceFormat
 * succeeds on them, no surface has them. One row each; `operations` is what the question must be about:
 * OFFSCREENPLAIN for usage 0, OFFSCREEN_RENDERTARGET for D3DUSAGE_RENDERTARGET, ZSTENCIL for D3DUSAGE_DEPTHSTENCIL.
 */
#include "caps/caps.h"

#include "base/base.h"
#include "d3d/extension.h"

static bool has_tier(unsigned tier)
{
    return caps_conservative_tier() >= tier;
}

static bool has_tier_1(void)
{
    return has_tier(1);
}
static bool has_tier_2(void)
{
    return has_tier(2);
}
static bool has_tier_3(void)
{
    return has_tier(3);
}

#define ASKED_PLAINLY D3DFORMAT_OP_OFFSCREENPLAIN
/* clang-format off */
#define CONSERVATIVE(tier)                                                                         \
    {EXTENSION_CONSERVATIVE(tier, 0), ASKED_PLAINLY, has_tier_##tier},                             \
        {EXTENSION_CONSERVATIVE(tier, 1), ASKED_PLAINLY, has_tier_##tier},                         \
        {EXTENSION_CONSERVATIVE(tier, 2), ASKED_PLAINLY, has_tier_##tier},                         \
        {EXTENSION_CONSERVATIVE(tier, 3), ASKED_PLAINLY, has_tier_##tier}
/* clang-format on */

static const struct {
    uint32_t fourcc, operations;
    bool (*offered)(void); /* NULL: always */
} extensions[] = {
    CONSERVATIVE(1),
    CONSERVATIVE(2),
    CONSERVATIVE(3),
    {EXTENSION_INPUT_COVERAGE, ASKED_PLAINLY, NULL},
    {EXTENSION_INNER_COVERAGE, ASKED_PLAINLY, has_tier_3},
    {EXTENSION_DEPTH_BOUNDS, ASKED_PLAINLY, NULL},
    {EXTENSION_ALPHA_COVERAGE, ASKED_PLAINLY, NULL},
    {EXTENSION_ALPHA_COVERAGE_ON, ASKED_PLAINLY, NULL},
    {EXTENSION_ALPHA_COVERAGE_OFF, ASKED_PLAINLY, NULL},
    {EXTENSION_INSTANCING, ASKED_PLAINLY, NULL},
    {EXTENSION_RESOLVE_DEPTH_NAME, D3DFORMAT_OP_OFFSCREEN_RENDERTARGET, NULL},
};

unsigned caps_conservative_tier(void)
{
    return (unsigned)config_int("conservative_tier");
}

static bool extension_is_offered(unsigned row)
{
    return caps_level() >= CAPS_DX8 && caps_vendor_has(extensions[row].fourcc) &&
           (!extensions[row].offered || extensions[row].offered());
}

bool caps_extension(unsigned index, uint32_t *fourcc, uint32_t *operations)
{
    for (unsigned i = 0; i < ARRAY_COUNT(extensions); i++) {
        if (extension_is_offered(i) && index-- == 0) {
            *fourcc = extensions[i].fourcc;
            *operations = extensions[i].operations;
            return true;
        }
    }
    return false;
}

bool caps_has_extension(uint32_t fourcc)
{
    for (unsigned i = 0; i < ARRAY_COUNT(extensions); i++)
        if (extensions[i].fourcc == fourcc)
            return extension_is_offered(i);
    return false;
}

unsigned caps_extension_count(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < ARRAY_COUNT(extensions); i++)
        count += extension_is_offered(i);
    return count;
}
