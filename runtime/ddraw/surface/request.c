/* SPDX-License-Identifier: MIT */
/* The facts on which requests for surfaces depend. */
#include "runtime/ddraw/surface/request.h"

#include "client/client.h"
#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/screen/desktop.h"

static uint32_t operations(const void *driver, uint32_t format)
{
    const DDPIXELFORMAT *entry = client_driver_format(driver, format);

    return entry ? entry->dwOperations : 0;
}

HRESULT surface_request(const struct ddraw *ddraw, unsigned version, const DDSURFACEDESC2 *asked,
                        struct ddraw_plan *plan)
{
    const struct client_driver *driver = client_get_driver(rt_link_client(ddraw->link));
    struct ddraw_screen screen = {.has_level = ddraw->level.is_set,
                                  .is_exclusive = ddraw->level.is_exclusive,
                                  .has_primary = ddraw->primary,
                                  .has_overlays = ddraw->has_hardware,
                                  .pointer = sizeof(void *),
                                  .most = driver->caps.MaxTextureWidth,
                                  .operations = operations,
                                  .driver = driver};
    struct ddraw_mode mode;

    dd_desktop_mode(&mode);
    screen.width = mode.width;
    screen.height = mode.height;
    screen.format = ddraw_format_of_mode(mode.bits);
    return ddraw_plan_surfaces(asked, version, &screen, plan);
}

DDSURFACEDESC2 surface_describe(const struct ddraw_plan *plan, const struct rt_chain *chain, unsigned part)
{
    const struct rt_part *p = &chain->parts[part];
    DDSURFACEDESC2 desc = ddraw_plan_describe(plan, part);

    /* The rules name the pitch that a surface should have; the driver and the layout of the chain decide. */
    if (desc.dwFlags & DDSD_PITCH)
        desc.lPitch = p->surface ? p->surface->gbl.lPitch : (LONG)p->pitch;
    return desc;
}
