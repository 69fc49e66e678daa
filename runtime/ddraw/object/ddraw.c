/* SPDX-License-Identifier: MIT */
/* The life of DirectDraw objects, and the objects that they create. */
#include "runtime/ddraw/object/ddraw.h"

#include "client/client.h"
#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/object/drivers.h"
#include "runtime/ddraw/object/palette.h"
#include "runtime/ddraw/screen/exclusive.h"
#include "runtime/ddraw/surface/surface.h"

static const struct rt_driver_rules driver_rules = {
    .ddi_level = DDI_LEVEL_DX7,
    .format_level = 7,
};

static struct ddraw *first;

struct ddraw *ddraw_next(const struct ddraw *before)
{
    return before ? before->next : first;
}

static void destroy_ddraw(struct dd_object *object)
{
    struct ddraw *ddraw = (struct ddraw *)object, **at = &first;

    surface_destroy_all(ddraw);
    palette_leave_all(ddraw);
    dd_end_level(ddraw);
    while (*at != ddraw)
        at = &(*at)->next;
    *at = ddraw->next;
    if (ddraw->link) {
        rt_adapter_tell_frames(rt_link_adapter(ddraw->link));
        rt_link_close(ddraw->link);
    }
    ddraw->link = NULL;
}

const struct dd_class ddraw_class = {
    .name = "IDirectDraw",
    .size = sizeof(struct ddraw),
    .faces = ddraw_faces,
    .face_count = DDRAW_FACES,
    .bad_pointer = DDERR_INVALIDOBJECT,
    .destroy = destroy_ddraw,
};

/* Connects the object with the driver. */
static HRESULT begin(struct ddraw *ddraw, const GUID *driver)
{
    struct rt_adapter *adapter;

    if (!dd_driver_exists(driver))
        return DDERR_INVALIDDIRECTDRAWGUID;
    adapter = rt_adapter_load(&driver_rules);
    if (!adapter)
        return DDERR_NODIRECTDRAWSUPPORT;
    ddraw->link = rt_link_open(adapter);
    if (!ddraw->link)
        return DDERR_OUTOFMEMORY;
    ddraw->has_hardware = driver != (const GUID *)DDCREATE_EMULATIONONLY;
    ddraw->has_emulation = driver != (const GUID *)DDCREATE_HARDWAREONLY;
    ddraw->object.ready = true;
    dd_object_set_lcl(&ddraw->object, client_local(rt_link_client(ddraw->link)));
    return DD_OK;
}

HRESULT ddraw_create(const GUID *driver, bool ready, unsigned version, void **out)
{
    struct ddraw *ddraw;
    HRESULT hr = DD_OK;

    dd_lock();
    ddraw = (struct ddraw *)dd_object_create(&ddraw_class);
    if (!ddraw) {
        hr = DDERR_OUTOFMEMORY;
    } else {
        ddraw->next = first;
        first = ddraw;
        ddraw->object.ready = false;
        if (ready)
            hr = begin(ddraw, driver);
        if (FAILED(hr)) {
            dd_object_destroy(&ddraw->object);
        } else {
            struct dd_interface *face = dd_face(&ddraw->object, version);

            dd_addref(face);
            *out = face;
        }
    }
    dd_leave();
    return hr;
}

HRESULT ddraw_Initialize(struct dd_call *call, GUID *driver)
{
    return call->object->ready ? DDERR_ALREADYINITIALIZED : begin(ddraw_of(call), driver);
}

/* --- the objects that it creates ------------------------------------------------------- */

HRESULT ddraw_CreateClipper(struct dd_call *call, DWORD flags, IDirectDrawClipper **clipper, IUnknown *outer)
{
    (void)call;
    return clipper_create(flags, clipper, outer);
}

HRESULT ddraw_CreatePalette(struct dd_call *call, DWORD flags, PALETTEENTRY *entries, IDirectDrawPalette **palette,
                            IUnknown *outer)
{
    if (outer)
        return CLASS_E_NOAGGREGATION;
    if (!palette)
        return DDERR_INVALIDPARAMS;
    *palette = NULL;
    if (!ddraw_of(call)->level.is_set)
        return DDERR_NOCOOPERATIVELEVELSET;
    return palette_create(flags, entries, call->face, call->version, palette);
}

HRESULT ddraw_Compact(struct dd_call *call)
{
    return ddraw_of(call)->level.is_set ? DD_OK : DDERR_NOCOOPERATIVELEVELSET;
}
