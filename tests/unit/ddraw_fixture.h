/* SPDX-License-Identifier: MIT */
/* Requests of CreateSurface for the rules of runtime/ddraw/, on the formats of the driver. */
#ifndef TESTS_UNIT_DDRAW_FIXTURE_H
#define TESTS_UNIT_DDRAW_FIXTURE_H

#include "rt_fixture.h"

#include "d3d/directdraw.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/creation.h"
#include "runtime/ddraw/rules/format.h"

static struct rt_adapter *adapter;
static struct rt_link *link_to_driver;
static struct client_driver formats_of;

static inline uint32_t operations(const void *driver, uint32_t format)
{
    const DDPIXELFORMAT *entry = client_driver_format(driver, format);

    return entry ? entry->dwOperations : 0;
}

static inline int open_driver(void **state)
{
    (void)state;
    if (FAILED(client_driver_init(&formats_of, HalcyonDriverInit)))
        return -1;
    adapter = rt_open_adapter(&d3d8_driver_rules);
    link_to_driver = rt_link_open(adapter);
    return link_to_driver ? 0 : -1;
}

static inline int close_driver(void **state)
{
    (void)state;
    rt_link_close(link_to_driver);
    rt_adapter_destroy(adapter);
    client_driver_close(&formats_of);
    return 0;
}

static inline struct ddraw_screen screen_of(bool exclusive)
{
    return (struct ddraw_screen){.width = 1024,
                                 .height = 768,
                                 .format = D3D_FORMAT_X8R8G8B8,
                                 .has_level = true,
                                 .is_exclusive = exclusive,
                                 .pointer = 8,
                                 .most = 2048,
                                 .operations = operations,
                                 .driver = &formats_of};
}

static inline DDSURFACEDESC2 request(DWORD caps, DWORD caps2, DWORD flags, unsigned width, unsigned height)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | flags};

    desc.ddsCaps.dwCaps = caps;
    desc.ddsCaps.dwCaps2 = caps2;
    if (!(caps & DDSCAPS_PRIMARYSURFACE)) {
        desc.dwFlags |= DDSD_WIDTH | DDSD_HEIGHT;
        desc.dwWidth = width;
        desc.dwHeight = height;
    }
    return desc;
}

static inline void set_format(DDSURFACEDESC2 *desc, uint32_t format)
{
    desc->dwFlags |= DDSD_PIXELFORMAT;
    assert_true(ddraw_format_describe(format, &desc->ddpfPixelFormat));
}

static inline HRESULT plan_on(const struct ddraw_screen *screen, const DDSURFACEDESC2 *desc, unsigned version,
                              struct ddraw_plan *plan)
{
    struct ddraw_plan unused;

    return ddraw_plan_surfaces(desc, version, screen, plan ? plan : &unused);
}

static inline HRESULT plan_for(const DDSURFACEDESC2 *desc, unsigned version, struct ddraw_plan *plan)
{
    const struct ddraw_screen screen = screen_of(false);

    return plan_on(&screen, desc, version, plan);
}

#define VIDEO (DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM)
/* The versions of DirectDraw interfaces. */
static const unsigned versions[] = {1, 2, 4, 7};

#endif
