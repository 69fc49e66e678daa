/* SPDX-License-Identifier: MIT */
/*
 * The differences between versions of the API in dealing with the driver: its queries, and what the answers mean to a program.
 * A face has one constant set of rules; its rt_adapter holds it.
 */
#ifndef HALCYON_RUNTIME_DRIVER_RULES_H
#define HALCYON_RUNTIME_DRIVER_RULES_H

#include <stdbool.h>
#include <stdint.h>

struct rt_driver_rules {
    uint32_t ddi_level; /* DDI_LEVEL_*: of contexts */
    /* The driver must support DirectX 9; it is told that the runtime does, and is asked for D3DCAPS9, formats and
     * queries. Otherwise its capabilities and formats are those that `client/` reads when it loads the driver. */
    bool asks_dx9;
    /* MIP maps have one surface for all levels (DDSCAPS3_LIGHTWEIGHTMIPMAP), as those of DirectX 9 do, which every driver of its
     * level must support; targets, dynamic textures and vendors' formats have one for each level. */
    bool light_mips;
    unsigned format_level; /* of DirectX: formats whose numbers are in its header (rt_format_of) */
    bool checks_usages;    /* RT_USAGE_* narrow what a format is good for */
    bool hides_unoffered;  /* formats with RT_FORMAT_UNOFFERED_9 can be made, but are not reported */
    bool
        has_nonmaskable; /* D3DMULTISAMPLE_TYPE 1 is a type with qualities, which the driver counts; otherwise an error */
};

#endif
