/* SPDX-License-Identifier: MIT */
/* The DirectDraw object's methods about the screen: levels, modes, and the position of the beam. */
#include "runtime/ddraw/object/ddraw.h"

#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/screen/beam.h"
#include "runtime/ddraw/screen/desktop.h"
#include "runtime/ddraw/screen/device_window.h"

/* --- levels ---------------------------------------------------------------------------- */

/* Destroys and creates the device window without the lock: windows get messages meanwhile, and their procedures may wait for another
 * thread that calls DirectDraw. False: the window system refuses. */
static bool change_device_window(struct ddraw *ddraw, unsigned actions)
{
    HWND old = actions & DDRAW_LEVEL_DESTROY_WINDOW ? ddraw->device_window : NULL, made = NULL;

    if (!(actions & (DDRAW_LEVEL_DESTROY_WINDOW | DDRAW_LEVEL_CREATE_WINDOW)))
        return true;
    if (old)
        ddraw->device_window = NULL;
    ddraw->object.refs++; /* the program may release the object meanwhile */
    dd_pause();
    dd_device_window_destroy(old);
    if (actions & DDRAW_LEVEL_CREATE_WINDOW)
        made = dd_device_window_create();
    dd_resume();
    if (made) {
        old = ddraw->device_window; /* of a call in another thread */
        ddraw->device_window = made;
        dd_device_window_destroy(old);
    }
    if (!--ddraw->object.refs)
        dd_object_destroy(&ddraw->object);
    return made || !(actions & DDRAW_LEVEL_CREATE_WINDOW);
}

HRESULT ddraw_SetCooperativeLevel(struct dd_call *call, HWND window, DWORD flags)
{
    struct ddraw *ddraw = ddraw_of(call);
    const struct ddraw_level_facts facts = {.version = call->version, .flags = flags, .window = window};
    const struct ddraw_level before = ddraw->level;
    unsigned actions;
    HRESULT hr;

    if (window && !IsWindow(window))
        return DDERR_INVALIDPARAMS;
    hr = ddraw_set_level(&ddraw->level, &facts, &actions);
    if (change_device_window(ddraw, actions))
        return hr;
    ddraw->level = before;
    return DDERR_OUTOFMEMORY;
}

HRESULT ddraw_TestCooperativeLevel(struct dd_call *call)
{
    (void)call;
    return DD_OK;
}

HRESULT ddraw_RestoreAllSurfaces(struct dd_call *call)
{
    return ddraw_of(call)->level.is_set ? DD_OK : DDERR_NOCOOPERATIVELEVELSET;
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

    if (!callback)
        return DDERR_INVALIDPARAMS;
    if (desc)
        ddraw_desc_read(&filter, desc, version);
    dd_pause();
    for (unsigned i = 0; i < count; i++) {
        if (!ddraw_mode_matches(&modes[i], &filter))
            continue;
        ddraw_describe_mode(&modes[i], flags, &answer);
        answer.dwSize = ddraw_desc_size(version);
        if (((mode_callback)callback)(&answer, context) == DDENUMRET_CANCEL)
            break;
    }
    dd_resume();
    return DD_OK;
}

HRESULT ddraw_SetDisplayMode(struct dd_call *call, DWORD width, DWORD height, DWORD bits, DWORD refresh, DWORD flags)
{
    (void)refresh;
    (void)flags;
    if (!ddraw_of(call)->level.is_set)
        return DDERR_NOCOOPERATIVELEVELSET;
    if (!ddraw_of(call)->level.is_exclusive)
        return DDERR_NOEXCLUSIVEMODE;
    log_once(LOG_WARN, 0, "SetDisplayMode %lux%lu with %lu bits: modes are not set yet", (unsigned long)width,
             (unsigned long)height, (unsigned long)bits);
    return DDERR_UNSUPPORTED;
}

HRESULT ddraw_SetDisplayMode_1(struct dd_call *call, DWORD width, DWORD height, DWORD bits)
{
    return ddraw_SetDisplayMode(call, width, height, bits, 0, 0);
}

HRESULT ddraw_RestoreDisplayMode(struct dd_call *call)
{
    /* The mode is always the desktop's. */
    return ddraw_of(call)->level.is_set ? DD_OK : DDERR_NOCOOPERATIVELEVELSET;
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
    unsigned milliseconds;

    (void)call;
    (void)event;
    if (flags == DDWAITVB_BLOCKBEGINEVENT)
        return DDERR_UNSUPPORTED;
    if (flags != DDWAITVB_BLOCKBEGIN && flags != DDWAITVB_BLOCKEND)
        return DDERR_INVALIDPARAMS;
    milliseconds = flags == DDWAITVB_BLOCKBEGIN ? beam_now().to_begin : beam_now().to_end;
    dd_pause();
    Sleep(milliseconds);
    dd_resume();
    return DD_OK;
}
