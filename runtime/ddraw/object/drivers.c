/* SPDX-License-Identifier: MIT */
/* DirectDrawEnumerate: the primary driver and the monitors'. */
#include "runtime/ddraw/object/drivers.h"

#include "runtime/common/driver/identity.h"
#include "runtime/common/window/display.h"

static char primary_description[] = "Primary Display Driver", primary_name[] = "display";

/* The identifier of the driver of monitor 0, 1, ... */
static GUID monitor_driver(unsigned monitor)
{
    GUID id = {0x67685559, 0x3106, 0x11d0, {0xb9, 0x71, 0x48, 0x41, 0x4c, 0x43, 0x59, 0x4e}};

    id.Data1 += monitor;
    return id;
}

bool dd_driver_exists(const GUID *driver)
{
    if (!driver || driver == (const GUID *)DDCREATE_HARDWAREONLY || driver == (const GUID *)DDCREATE_EMULATIONONLY)
        return true;
    for (unsigned i = 0; i < rt_display_count(); i++) {
        const GUID id = monitor_driver(i);

        if (IsEqualGUID(driver, &id))
            return true;
    }
    return false;
}

HRESULT dd_enumerate(LPDDENUMCALLBACKA callback, void *context)
{
    if (!callback)
        return DDERR_INVALIDPARAMS;
    callback(NULL, primary_description, primary_name, context);
    return DD_OK;
}

HRESULT dd_enumerate_ex(LPDDENUMCALLBACKEXA callback, void *context, DWORD flags)
{
    struct rt_identity identity;
    char description[MAX_DDDEVICEID_STRING], name[32];
    WCHAR wide[32];

    if (!callback ||
        flags & ~(DWORD)(DDENUM_ATTACHEDSECONDARYDEVICES | DDENUM_DETACHEDSECONDARYDEVICES | DDENUM_NONDISPLAYDEVICES))
        return DDERR_INVALIDPARAMS;
    if (!callback(NULL, primary_description, primary_name, context, NULL) || !(flags & DDENUM_ATTACHEDSECONDARYDEVICES))
        return DD_OK;
    rt_identity(7, 1, &identity);
    for (unsigned i = 0; i < rt_display_count(); i++) {
        GUID id = monitor_driver(i);

        lstrcpynA(description, identity.description, sizeof(description));
        if (!rt_display_name(i, wide) || !WideCharToMultiByte(CP_ACP, 0, wide, -1, name, sizeof(name), NULL, NULL))
            lstrcpynA(name, primary_name, sizeof(name));
        if (!callback(&id, description, name, context, rt_display_monitor(i)))
            break;
    }
    return DD_OK;
}
