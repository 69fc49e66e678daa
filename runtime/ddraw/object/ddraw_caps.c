/* SPDX-License-Identifier: MIT */
/* The DirectDraw object's answers about the driver: capabilities, memory, identity, FOURCCs. */
#include "runtime/ddraw/object/ddraw.h"

#include <string.h>

#include "client/client.h"
#include "runtime/common/driver/identity.h"
#include "runtime/ddraw/rules/overlay.h"
#include "runtime/ddraw/surface/overlay.h"

/* --- capabilities ---------------------------------------------------------------------- */

/* Sizes of DDCAPS in DirectX 3, 5, 6 and 7, each a prefix of the next except for the last members. */
static const DWORD caps_sizes[] = {sizeof(DDCAPS_DX3), sizeof(DDCAPS_DX5), sizeof(DDCAPS_DX6), sizeof(DDCAPS_DX7)};

_Static_assert(offsetof(DDCAPS_DX7, ddsOldCaps) == offsetof(DDCORECAPS, ddsCaps),
               "the driver's form begins like the program's");

/* Kinds of surfaces in which the driver's answer differs from what programs of DirectDraw see (Wine's test_caps). */
#define HIDDEN_CAPS                                                                                            \
    (DDSCAPS_ALPHA | DDSCAPS_PRIMARYSURFACELEFT | DDSCAPS_SYSTEMMEMORY | DDSCAPS_VISIBLE | DDSCAPS_WRITEONLY | \
     DDSCAPS_LIVEVIDEO | DDSCAPS_HWCODEC | DDSCAPS_MODEX | DDSCAPS_ALLOCONLOAD | DDSCAPS_VIDEOPORT |           \
     DDSCAPS_STANDARDVGAMODE | DDSCAPS_OPTIMIZED | DDSCAPS_EXECUTEBUFFER | DDSCAPS_RESERVED2)
#define CAPS_OF_BOTH                                                                                      \
    (DDSCAPS_FLIP | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_PRIMARYSURFACE | DDSCAPS_TEXTURE | DDSCAPS_ZBUFFER | \
     DDSCAPS_MIPMAP)
#define CAPS_OF_HARDWARE                                                                            \
    (CAPS_OF_BOTH | DDSCAPS_BACKBUFFER | DDSCAPS_COMPLEX | DDSCAPS_FRONTBUFFER | DDSCAPS_3DDEVICE | \
     DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM | DDSCAPS_NONLOCALVIDMEM)

/* Programs add the memory of the desktop to these numbers, or read them as signed. */
#define MOST_VIDEO_MEMORY (512u << 20)

/* Bytes of all video memory, and how many are free. */
static void video_memory(struct ddraw *ddraw, DWORD *total, DWORD *available)
{
    uint32_t all, left, used;

    rt_link_texture_memory(ddraw->link, &all, &left);
    used = all - left;
    *total = all < MOST_VIDEO_MEMORY ? all : MOST_VIDEO_MEMORY;
    *available = used < *total ? *total - used : 0;
}

/* DDCREATE_HARDWAREONLY leaves no emulation, except for the first versions in 64 bits (Wine's test_caps). */
static bool has_emulation(const struct dd_call *call)
{
    return ddraw_of(call)->has_emulation || (sizeof(void *) == 8 && call->version <= 2);
}

static void fill_caps(const struct dd_call *call, bool hardware, DDCAPS_DX7 *caps)
{
    struct ddraw *ddraw = ddraw_of(call);
    const DDCORECAPS *driver = &client_get_driver(rt_link_client(ddraw->link))->info.ddCaps;
    DWORD kinds = CAPS_OF_BOTH;

    memset(caps, 0, sizeof(*caps));
    if (!(hardware ? ddraw->has_hardware : has_emulation(call)))
        return;
    memcpy(caps, driver, sizeof(*driver) < sizeof(*caps) ? sizeof(*driver) : sizeof(*caps));
    if (hardware) {
        kinds = (driver->ddsCaps.dwCaps | CAPS_OF_HARDWARE) & ~(DWORD)HIDDEN_CAPS;
        video_memory(ddraw, &caps->dwVidMemTotal, &caps->dwVidMemFree);
    } else {
        caps->dwVidMemTotal = caps->dwVidMemFree = 0;
        caps->dwCaps &= ~(DWORD)DDCAPS_3D;
    }
    caps->ddsOldCaps.dwCaps = kinds;
    memset(&caps->ddsCaps, 0, sizeof(caps->ddsCaps));
    caps->ddsCaps.dwCaps = kinds;
    if (hardware)
        ddraw_claim_overlays(caps, overlay_count(ddraw));
}

static bool is_caps_size(DWORD size)
{
    for (unsigned i = 0; i < ARRAY_COUNT(caps_sizes); i++)
        if (caps_sizes[i] == size)
            return true;
    return false;
}

static void give_caps(DDCAPS *to, const DDCAPS_DX7 *caps)
{
    const DWORD size = to->dwSize;

    memcpy(to, caps, size);
    to->dwSize = size;
}

HRESULT ddraw_GetCaps(struct dd_call *call, DDCAPS *hardware, DDCAPS *emulation)
{
    DDCAPS_DX7 caps;

    if ((!hardware && !emulation) || (hardware && !is_caps_size(hardware->dwSize)) ||
        (emulation && !is_caps_size(emulation->dwSize)))
        return DDERR_INVALIDPARAMS;
    if (hardware) {
        fill_caps(call, true, &caps);
        give_caps(hardware, &caps);
    }
    if (emulation) {
        fill_caps(call, false, &caps);
        give_caps(emulation, &caps);
    }
    return DD_OK;
}

HRESULT ddraw_GetAvailableVidMem(struct dd_call *call, void *caps, DWORD *total, DWORD *available)
{
    DWORD all, left;

    if (!caps || (!total && !available))
        return DDERR_INVALIDPARAMS;
    video_memory(ddraw_of(call), &all, &left);
    if (total)
        *total = all;
    if (available)
        *available = left;
    return DD_OK;
}

HRESULT ddraw_GetFourCCCodes(struct dd_call *call, DWORD *count, DWORD *codes)
{
    const DDHALINFO *info = &client_get_driver(rt_link_client(ddraw_of(call)->link))->info;
    const DWORD known = info->lpdwFourCC ? info->ddCaps.dwNumFourCCCodes : 0;

    if (!count)
        return DDERR_INVALIDPARAMS;
    if (codes && *count)
        memcpy(codes, info->lpdwFourCC, (*count < known ? *count : known) * sizeof(*codes));
    *count = known;
    return DD_OK;
}

/* --- identity -------------------------------------------------------------------------- */

HRESULT ddraw_GetDeviceIdentifier(struct dd_call *call, void *identifier, DWORD flags)
{
    DDDEVICEIDENTIFIER2 *answer = identifier; /* that of version 4 without the last member */
    struct rt_identity identity;

    if (!identifier || flags & ~(DWORD)DDGDI_GETHOSTIDENTIFIER)
        return DDERR_INVALIDPARAMS;
    memset(answer, 0, call->version >= 7 ? sizeof(DDDEVICEIDENTIFIER2) : sizeof(DDDEVICEIDENTIFIER));
    rt_identity(7, 1, &identity);
    strcpy(answer->szDriver, identity.driver);
    strcpy(answer->szDescription, identity.description);
    answer->liDriverVersion = identity.version;
    answer->dwVendorId = identity.vendor;
    answer->dwDeviceId = identity.device;
    answer->guidDeviceIdentifier = identity.guid;
    if (call->version >= 7)
        answer->dwWHQLLevel = 1;
    return DD_OK;
}
