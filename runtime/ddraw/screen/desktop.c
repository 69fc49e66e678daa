/* SPDX-License-Identifier: MIT */
/* The mode of the desktop, and the one that programs have set. */
#include "runtime/ddraw/screen/desktop.h"

#include "base/base.h"
#include "runtime/common/window/display.h"
#include "runtime/ddraw/screen/exclusive.h"
#include "runtime/ddraw/screen/lost.h"

/* Guarded by the lock, as all objects. */
static struct {
    struct ddraw_mode mode;
    bool is_set;
    bool is_real;                /* the desktop has got the size */
    bool is_owed;                /* the object that set it has ended or restored it while another one was exclusive */
    int seen_width, seen_height; /* of the desktop, when video memory was last known to be good; 0: never */
} display;

/* --- what it is ------------------------------------------------------------------------ */

static bool system_mode(DWORD which, struct ddraw_mode *mode)
{
    DEVMODEW now = {.dmSize = sizeof(now)};

    if (!EnumDisplaySettingsW(NULL, which, &now) || !now.dmPelsWidth || !now.dmPelsHeight)
        return false;
    mode->width = now.dmPelsWidth;
    mode->height = now.dmPelsHeight;
    mode->bits = now.dmBitsPerPel == 8 || now.dmBitsPerPel == 16 ? now.dmBitsPerPel : 32;
    mode->refresh = now.dmDisplayFrequency > 1 ? now.dmDisplayFrequency : 60;
    return true;
}

/* The mode that the monitor has, whatever has been set. */
static void real_mode(struct ddraw_mode *mode)
{
    if (!system_mode(ENUM_CURRENT_SETTINGS, mode))
        *mode = (struct ddraw_mode){1024, 768, 32, 60};
}

static bool same_size(const struct ddraw_mode *a, const struct ddraw_mode *b)
{
    return a->width == b->width && a->height == b->height;
}

void dd_desktop_mode(struct ddraw_mode *mode)
{
    real_mode(mode);
    /* A size that is not the one that was set is another program's, or the desktop's while the focus is elsewhere. */
    if (display.is_set && (!display.is_real || same_size(mode, &display.mode)))
        *mode = display.mode;
}

void dd_desktop_usual_mode(struct ddraw_mode *mode)
{
    if (!system_mode(ENUM_REGISTRY_SETTINGS, mode))
        real_mode(mode);
}

unsigned dd_desktop_list(struct ddraw_mode modes[DDRAW_MOST_MODES])
{
    struct ddraw_mode desktop;

    dd_desktop_usual_mode(&desktop);
    return ddraw_list_modes(&desktop, false, modes);
}

enum rt_screen_kind dd_desktop_kind(void)
{
    const enum rt_screen_kind kind = rt_screen_kind();

    return kind == RT_SCREEN_MODE && display.is_set && !display.is_real ? RT_SCREEN_BORDERLESS : kind;
}

/* --- changes --------------------------------------------------------------------------- */

static void remember_size(void)
{
    display.seen_width = GetSystemMetrics(SM_CXSCREEN);
    display.seen_height = GetSystemMetrics(SM_CYSCREEN);
}

void dd_desktop_watch(void)
{
    const int width = display.seen_width, height = display.seen_height;

    remember_size();
    if (width && (width != display.seen_width || height != display.seen_height))
        dd_lose_all();
}

static void restore_monitors(void)
{
    for (unsigned i = 0; i < rt_display_count(); i++)
        rt_mode_restore(i);
}

/* The desktop gets the size of the mode, if it can have it and the settings allow it. Without the lock. */
static bool make_real(const struct ddraw_mode *mode)
{
    D3DDISPLAYMODE now;
    struct ddraw_mode real;

    if (rt_screen_kind() != RT_SCREEN_MODE || !rt_mode_current(0, &now))
        return false;
    if (!rt_mode_exists(0, mode->width, mode->height, (uint32_t)now.Format) ||
        !rt_mode_set(0, mode->width, mode->height, (uint32_t)now.Format)) {
        restore_monitors();
        return false;
    }
    real_mode(&real);
    return same_size(&real, mode);
}

/* The window of the object covers the screen in the mode that is set now. */
static void resize_window(struct ddraw *ddraw)
{
    struct ddraw_mode mode;
    enum rt_screen_kind kind;
    unsigned depth;

    if (!ddraw->level.is_exclusive)
        return;
    dd_desktop_mode(&mode);
    kind = dd_desktop_kind();
    ddraw->fullscreen.switches = display.is_set;
    depth = dd_pause();
    rt_fullscreen_resize(&ddraw->fullscreen, kind, mode.width, mode.height);
    dd_resume(depth);
}

void dd_desktop_set(struct ddraw *ddraw, const struct ddraw_mode *mode)
{
    struct ddraw_mode before;
    unsigned depth;
    bool is_real;

    dd_desktop_mode(&before);
    ddraw->has_set_mode = true;
    display.mode = *mode;
    display.is_set = display.is_real = true;
    display.is_owed = false;
    /* before the messages, in which programs may restore their surfaces */
    if (!same_size(&before, mode) || before.bits != mode->bits)
        dd_lose_all();
    if (ddraw->level.is_exclusive) {
        ddraw->fullscreen.switches = true;
        ddraw->fullscreen.width = mode->width;
        ddraw->fullscreen.height = mode->height;
        ddraw->fullscreen.screen = rt_screen_kind();
    }
    depth = dd_pause();
    is_real = make_real(mode);
    dd_resume(depth);
    display.is_real = is_real;
    remember_size();
    if (!same_size(&before, mode))
        resize_window(ddraw);
}

bool dd_desktop_owes(const struct ddraw *ddraw)
{
    return ddraw->has_set_mode || display.is_owed;
}

void dd_desktop_restore(struct ddraw *ddraw)
{
    struct ddraw_mode before, after;
    unsigned depth;

    if (!dd_desktop_owes(ddraw))
        return;
    ddraw->has_set_mode = false;
    display.is_owed = dd_is_blocked(ddraw);
    if (display.is_owed)
        return;
    dd_desktop_mode(&before);
    display.is_set = display.is_real = false;
    dd_desktop_usual_mode(&after);
    if (!same_size(&before, &after) || before.bits != after.bits)
        dd_lose_all();
    ddraw->fullscreen.switches = false;
    if (ddraw->level.is_exclusive && rt_screen_kind() == RT_SCREEN_MODE)
        ddraw->fullscreen.screen = RT_SCREEN_MODE;
    depth = dd_pause();
    restore_monitors();
    dd_resume(depth);
    remember_size();
    if (!same_size(&before, &after))
        resize_window(ddraw);
}
