/* SPDX-License-Identifier: MIT */
/* The DirectDraw object's methods about the screen: levels, modes, and the position of the beam. */
#include "runtime/ddraw/object/ddraw.h"

#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/screen/beam.h"
#include "runtime/ddraw/screen/desktop.h"
#include "runtime/ddraw/screen/exclusive.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/screen/lost.h"

/* --- levels ---------------------------------------------------------------------------- */

HRESULT ddraw_SetCooperativeLevel(struct dd_call *call, HWND window, DWORD flags)
{
    if (window && !IsWindow(window))
        return DDERR_INVALIDPARAMS;
    return dd_set_level(ddraw_of(call), call->version, window, flags);
}

HRESULT ddraw_TestCooperativeLevel(struct dd_call *call)
{
    return dd_test_level(ddraw_of(call));
}

HRESULT ddraw_RestoreAllSurfaces(struct dd_call *call)
{
    HRESULT first = DD_OK, hr;

    if (!ddraw_of(call)->level.is_set)
        return DDERR_NOCOOPERATIVELEVELSET;
    for (struct surface *s = ddraw_of(call)->surfaces; s; s = s->next) {
        hr = s->root == s ? dd_restore(s) : DD_OK;
        if (SUCCEEDED(first))
            first = hr;
    }
    return first;
}

/* --- modes ----------------------------------------------------------------------------- */

HRESULT ddraw_GetDisplayMode(struct dd_call *call, void *desc)
{
    DDSURFACEDESC2 answer;
    struct ddraw_mode mode;

    if (!desc || !ddraw_desc_accepts(DDRAW_DESC_MODE, call->version, *(const DWORD *)desc))
        return DDERR_INVALIDPARAMS;
    dd_desktop_mode(&mode);
    ddraw_describe_mode(&mode, DDEDM_REFRESHRATES, &answer);
    ddraw_desc_write(desc, &answer, DDRAW_DESC_MODE, call->version);
    return DD_OK;
}

HRESULT ddraw_GetMonitorFrequency(struct dd_call *call, DWORD *frequency)
{
    struct ddraw_mode mode;

    (void)call;
    if (!frequency)
        return DDERR_INVALIDPARAMS;
    dd_desktop_mode(&mode);
    *frequency = mode.refresh;
    return DD_OK;
}

/* LPDDENUMMODESCALLBACK and LPDDENUMMODESCALLBACK2 differ in the size of the description alone. */
typedef HRESULT(CALLBACK *mode_callback)(DDSURFACEDESC2 *desc, void *context);

HRESULT ddraw_EnumDisplayModes(struct dd_call *call, DWORD flags, void *desc, void *context, dd_callback callback)
{
    struct ddraw_mode modes[DDRAW_MOST_MODES];
    DDSURFACEDESC2 filter = {0}, answer;
    const unsigned version = call->version, count = dd_desktop_list(modes);
    unsigned depth;

    if (!callback)
        return DDERR_INVALIDPARAMS;
    if (desc)
        ddraw_desc_read(&filter, desc, version);
    depth = dd_pause();
    for (unsigned i = 0; i < count; i++) {
        if (!ddraw_mode_matches(&modes[i], &filter))
            continue;
        ddraw_describe_mode(&modes[i], flags, &answer);
        answer.dwSize = ddraw_desc_size(version);
        if (((mode_callback)callback)(&answer, context) == DDENUMRET_CANCEL)
            break;
    }
    dd_resume(depth);
    return DD_OK;
}

/* No level is needed (test_coop_level_mode_set_multi). */
HRESULT ddraw_SetDisplayMode(struct dd_call *call, DWORD width, DWORD height, DWORD bits, DWORD refresh, DWORD flags)
{
    struct ddraw *ddraw = ddraw_of(call);
    const struct ddraw_mode asked = {width, height, bits, refresh};
    struct ddraw_mode desktop, mode;
    HRESULT hr;

    (void)flags; /* DDSDM_STANDARDVGAMODE: a picture of 320x200 pixels, as any */
    dd_desktop_usual_mode(&desktop);
    hr = ddraw_choose_mode(&desktop, false, dd_is_blocked(ddraw), &asked, &mode);
    if (FAILED(hr))
        return hr;
    ddraw->object.refs++; /* the program may release the object in a message */
    dd_desktop_set(ddraw, &mode);
    if (!--ddraw->object.refs)
        dd_object_destroy(&ddraw->object);
    return DD_OK;
}

HRESULT ddraw_SetDisplayMode_1(struct dd_call *call, DWORD width, DWORD height, DWORD bits)
{
    return ddraw_SetDisplayMode(call, width, height, bits, 0, 0);
}

HRESULT ddraw_RestoreDisplayMode(struct dd_call *call)
{
    struct ddraw *ddraw = ddraw_of(call);

    if (dd_is_blocked(ddraw))
        return DDERR_NOEXCLUSIVEMODE;
    ddraw->object.refs++;
    dd_desktop_restore(ddraw);
    if (!--ddraw->object.refs)
        dd_object_destroy(&ddraw->object);
    return DD_OK;
}

#define MODE_TEST_IS_REQUIRED 1 /* DDSMT_ISTESTREQUIRED, which mingw-w64 lacks */

HRESULT ddraw_StartModeTest(struct dd_call *call, SIZE *modes, DWORD count, DWORD flags)
{
    (void)call;
    if (flags & ~(DWORD)MODE_TEST_IS_REQUIRED || (count && !modes))
        return DDERR_INVALIDPARAMS;
    /* No mode needs a test: they are sizes of a picture, not timings of a monitor. */
    return DD_OK;
}

HRESULT ddraw_EvaluateMode(struct dd_call *call, DWORD flags, DWORD *timeout)
{
    (void)call;
    (void)flags;
    (void)timeout;
    return DDERR_TESTFINISHED;
}

/* --- the beam -------------------------------------------------------------------------- */

static struct dd_beam beam_now(void)
{
    struct ddraw_mode mode;

    dd_front_show_pending();
    dd_desktop_mode(&mode);
    return dd_beam(&mode);
}

HRESULT ddraw_GetScanLine(struct dd_call *call, DWORD *line)
{
    struct dd_beam beam;

    (void)call;
    if (!line)
        return DDERR_INVALIDPARAMS;
    beam = beam_now();
    *line = beam.line;
    return beam.is_blank ? DDERR_VERTICALBLANKINPROGRESS : DD_OK;
}

HRESULT ddraw_GetVerticalBlankStatus(struct dd_call *call, BOOL *blank)
{
    (void)call;
    if (!blank)
        return DDERR_INVALIDPARAMS;
    *blank = beam_now().is_blank;
    return DD_OK;
}

HRESULT ddraw_WaitForVerticalBlank(struct dd_call *call, DWORD flags, HANDLE event)
{
    unsigned milliseconds, depth;

    (void)call;
    (void)event;
    if (flags == DDWAITVB_BLOCKBEGINEVENT)
        return DDERR_UNSUPPORTED;
    if (flags != DDWAITVB_BLOCKBEGIN && flags != DDWAITVB_BLOCKEND)
        return DDERR_INVALIDPARAMS;
    milliseconds = flags == DDWAITVB_BLOCKBEGIN ? beam_now().to_begin : beam_now().to_end;
    depth = dd_pause();
    Sleep(milliseconds);
    dd_resume(depth);
    return DD_OK;
}
