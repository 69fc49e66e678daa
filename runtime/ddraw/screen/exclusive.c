/* SPDX-License-Identifier: MIT */
/* Exclusive mode: entered, left, lost and regained. */
#include "runtime/ddraw/screen/exclusive.h"

#include "base/behind.h"
#include "runtime/ddraw/screen/desktop.h"
#include "runtime/ddraw/screen/device_window.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/screen/lost.h"

/* --- facts ------------------------------------------------------------------------------ */

bool dd_is_blocked(const struct ddraw *ddraw)
{
    for (const struct ddraw *d = ddraw_next(NULL); d; d = ddraw_next(d))
        if (d != ddraw && d->level.is_exclusive)
            return true;
    return false;
}

bool dd_is_taken(const struct ddraw *ddraw, HWND window)
{
    for (const struct ddraw *d = ddraw_next(NULL); d; d = ddraw_next(d))
        if (d != ddraw && d->level.is_exclusive && d->level.window == window)
            return true;
    return false;
}

HRESULT dd_test_level(struct ddraw *ddraw)
{
    dd_desktop_watch();
    if (ddraw->level.is_exclusive)
        return ddraw->fullscreen.status == RT_DEVICE_OPERATIONAL ? DD_OK : DDERR_NOEXCLUSIVEMODE;
    return dd_is_blocked(ddraw) ? DDERR_EXCLUSIVEMODEALREADYSET : DD_OK;
}

/* --- windows ------------------------------------------------------------------------------ */

/* Called by the window's thread, whatever it is doing: no thread holds the lock while it waits for another one's window. */
static void focus_changed(struct rt_fullscreen *fs)
{
    struct ddraw *ddraw = (struct ddraw *)((char *)fs - offsetof(struct ddraw, fullscreen));

    dd_lock();
    if (ddraw->level.is_exclusive && fs->active) {
        if (fs->status == RT_DEVICE_LOST)
            dd_lose(ddraw);
    }
    dd_leave();
}

static HWND window_of(const struct ddraw *ddraw, const struct ddraw_level *level)
{
    return level->owns_window ? ddraw->device_window : (HWND)level->window;
}

/* Covers the screen with the window of the level. Without the lock. */
static void enter(struct ddraw *ddraw, const struct ddraw_level *level, const struct ddraw_mode *mode,
                  enum rt_screen_kind kind, DWORD flags)
{
    struct rt_fullscreen *fs = &ddraw->fullscreen;

    fs->policy = RT_WINDOW_EXCLUSIVE;
    fs->changed = focus_changed;
    fs->leaves_window = flags & DDSCL_NOWINDOWCHANGES;
    rt_fullscreen_claim(fs, window_of(ddraw, level), (HWND)level->focus, kind, mode->width, mode->height);
}

/* If the window is another one from now on, that is the one which sees the mode come back (test_coop_level_mode_set). */
static void hand_over(struct ddraw *ddraw, const struct ddraw_level *level, const struct ddraw_mode *mode,
                      enum rt_screen_kind kind)
{
    const HWND window = window_of(ddraw, level);

    if (!ddraw->fullscreen.active || !window || window == ddraw->fullscreen.window)
        return;
    rt_fullscreen_leave(&ddraw->fullscreen, true);
    rt_fullscreen_claim(&ddraw->fullscreen, window, NULL, kind, mode->width, mode->height);
}

/* Destroys and creates the window of the object. False: the window system refuses. */
static bool change_window(struct ddraw *ddraw, unsigned actions)
{
    HWND old = actions & DDRAW_LEVEL_DESTROY_WINDOW ? ddraw->device_window : NULL, made = NULL;
    unsigned depth;

    if (!(actions & (DDRAW_LEVEL_DESTROY_WINDOW | DDRAW_LEVEL_CREATE_WINDOW)))
        return true;
    if (old)
        ddraw->device_window = NULL;
    depth = dd_pause();
    dd_device_window_destroy(old);
    if (actions & DDRAW_LEVEL_CREATE_WINDOW)
        made = dd_device_window_create();
    dd_resume(depth);
    if (made) {
        old = ddraw->device_window; /* of a call in another thread */
        ddraw->device_window = made;
        depth = dd_pause();
        dd_device_window_destroy(old);
        dd_resume(depth);
    }
    return made || !(actions & DDRAW_LEVEL_CREATE_WINDOW);
}

static void leave(struct ddraw *ddraw, const struct ddraw_level *level, unsigned actions, DWORD flags)
{
    struct ddraw_mode mode;
    const enum rt_screen_kind kind = dd_desktop_kind();
    unsigned depth;

    dd_desktop_mode(&mode);
    ddraw->fullscreen.leaves_window = flags & DDSCL_NOWINDOWCHANGES;
    if (actions & DDRAW_LEVEL_RESTORE_MODE && dd_desktop_owes(ddraw)) {
        if (!level->is_exclusive) {
            depth = dd_pause();
            hand_over(ddraw, level, &mode, kind);
            dd_resume(depth);
        }
        dd_desktop_restore(ddraw);
    }
    depth = dd_pause();
    rt_fullscreen_leave(&ddraw->fullscreen, true);
    dd_resume(depth);
}

/* --- the floating point unit ------------------------------------------------------------- */

/* Single precision, round to nearest, no exceptions (DDSCL_FPUSETUP). */
static void setup_fpu(void)
{
#if defined(__i386__) || defined(__x86_64__)
    unsigned short word;

    __asm__ volatile("fnstcw %0" : "=m"(word));
    word = (unsigned short)((word & ~0xf3f) | 0x3f);
    __asm__ volatile("fldcw %0" : : "m"(word));
#endif
}

/* --- SetCooperativeLevel ------------------------------------------------------------------ */

/* Whatever calls the program makes in the messages, this one has the last word (test_coop_level_activateapp). */
static bool act(struct ddraw *ddraw, const struct ddraw_level *next, unsigned actions, DWORD flags)
{
    struct ddraw_mode mode;
    enum rt_screen_kind kind;
    unsigned depth;
    bool done;

    if (actions & DDRAW_LEVEL_LEAVE)
        leave(ddraw, next, actions, flags);
    done = change_window(ddraw, actions);
    /* again and again: the window may be shown and have the focus by now (test_window_style) */
    if (done && next->is_exclusive) {
        dd_desktop_mode(&mode);
        kind = dd_desktop_kind();
        ddraw->fullscreen.switches = ddraw->has_set_mode;
        depth = dd_pause();
        enter(ddraw, next, &mode, kind, flags);
        dd_resume(depth);
    }
    if (actions & DDRAW_LEVEL_LOSE)
        dd_lose(ddraw);
    if (actions & DDRAW_LEVEL_SETUP_FPU)
        setup_fpu();
    return done;
}

HRESULT dd_set_level(struct ddraw *ddraw, unsigned version, HWND window, DWORD flags)
{
    const struct ddraw_level_facts facts = {.version = version,
                                            .flags = flags,
                                            .window = window,
                                            .is_taken = window && dd_is_taken(ddraw, window),
                                            .is_blocked = dd_is_blocked(ddraw)};
    const struct ddraw_level before = ddraw->level;
    struct ddraw_level next = before;
    unsigned actions;
    HRESULT hr = ddraw_set_level(&next, &facts, &actions);

    if (FAILED(hr) && !actions)
        return hr;
    ddraw->object.refs++; /* the program may release the object meanwhile */
    ddraw->level = next;
    if (act(ddraw, &next, SUCCEEDED(hr) ? actions : actions & (unsigned)DDRAW_LEVEL_CREATE_WINDOW, flags)) {
        ddraw->level = next;
    } else {
        ddraw->level = before;
        hr = DDERR_OUTOFMEMORY;
    }
    if (!--ddraw->object.refs)
        dd_object_destroy(&ddraw->object);
    return hr;
}

void dd_end_level(struct ddraw *ddraw)
{
    const HWND own = ddraw->device_window;
    unsigned depth;

    dd_desktop_restore(ddraw);
    ddraw->device_window = NULL;
    ddraw->level = (struct ddraw_level){.is_set = false};
    depth = dd_pause();
    rt_fullscreen_leave(&ddraw->fullscreen, true);
    dd_device_window_destroy(own);
    dd_resume(depth);
}
