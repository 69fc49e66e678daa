/* SPDX-License-Identifier: MIT */
/* The answer of GetSurfaceDesc for each surface of a chain. */
#include "base/base.h"
#include "runtime/common/driver/formats.h"
#include "runtime/ddraw/rules/creation.h"
#include "runtime/ddraw/rules/format.h"

static bool is_flip_chain(const struct ddraw_plan *plan)
{
    return plan->chain.kind == RT_CHAIN_SWAP;
}

unsigned ddraw_plan_parts(const struct ddraw_plan *plan)
{
    return plan->chain.levels * plan->chain.faces;
}

bool ddraw_plan_has(const struct ddraw_plan *plan, unsigned part)
{
    return part < ddraw_plan_parts(plan) && (!plan->faces || plan->faces >> part / plan->chain.levels & 1);
}

unsigned ddraw_plan_root(const struct ddraw_plan *plan)
{
    unsigned part = 0;

    while (part + 1 < ddraw_plan_parts(plan) && !ddraw_plan_has(plan, part))
        part++;
    return part;
}

/* test_flip: the first back buffer says that it is one, further ones do not. */
static void describe_back_buffer(DDSURFACEDESC2 *desc, unsigned number)
{
    desc->ddsCaps.dwCaps &= ~(DWORD)(DDSCAPS_VISIBLE | DDSCAPS_PRIMARYSURFACE | DDSCAPS_FRONTBUFFER);
    desc->dwFlags &= ~(DWORD)DDSD_BACKBUFFERCOUNT;
    desc->dwBackBufferCount = 0;
    if (number == 1)
        desc->ddsCaps.dwCaps |= DDSCAPS_BACKBUFFER;
}

/* test_mipmap and CubeMapTest: each level counts itself and those below it. */
static void describe_level(const struct ddraw_plan *plan, DDSURFACEDESC2 *desc, unsigned face, unsigned level)
{
    const uint32_t format = plan->chain.format;
    const bool system = plan->chain.memory == RT_MEMORY_SYSTEM;

    desc->dwWidth = rt_level_size(plan->chain.width, level);
    desc->dwHeight = rt_level_size(plan->chain.height, level);
    desc->dwMipMapCount = 0;
    if (desc->ddsCaps.dwCaps & DDSCAPS_MIPMAP) {
        desc->dwFlags |= DDSD_MIPMAPCOUNT;
        desc->dwMipMapCount = plan->chain.levels - level;
    }
    if (level) {
        desc->ddsCaps.dwCaps2 |= DDSCAPS2_MIPMAPSUBLEVEL;
        desc->dwFlags &= ~(DWORD)(DDSD_CKSRCBLT | DDSD_CKDESTBLT | DDSD_CKSRCOVERLAY | DDSD_CKDESTOVERLAY);
    }
    if (plan->faces)
        desc->ddsCaps.dwCaps2 =
            (desc->ddsCaps.dwCaps2 & ~(DWORD)DDSCAPS2_CUBEMAP_ALLFACES) | (DWORD)DDSCAPS2_CUBEMAP_POSITIVEX << face;
    if (desc->dwFlags & DDSD_LINEARSIZE) /* of a program's memory nobody knows the size (test_block_formats_creation) */
        desc->dwLinearSize =
            plan->chain.user_memory
                ? ~0u
                : (DWORD)BASE_MIN(ddraw_linear_size(format, desc->dwWidth, desc->dwHeight), UINT32_MAX);
    else
        desc->lPitch = (LONG)(level ? ddraw_pitch(format, desc->dwWidth, system, plan->pointer) : plan->pitch);
}

DDSURFACEDESC2 ddraw_plan_describe(const struct ddraw_plan *plan, unsigned part)
{
    DDSURFACEDESC2 desc = plan->desc;
    const bool flips = is_flip_chain(plan);

    describe_level(plan, &desc, flips ? 0 : part / plan->chain.levels, flips ? 0 : part % plan->chain.levels);
    if (flips && part)
        describe_back_buffer(&desc, part);
    return desc;
}
