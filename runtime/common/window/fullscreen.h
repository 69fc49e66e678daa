/* SPDX-License-Identifier: MIT */
/*
 * A window that covers the screen. The focus window's procedure is replaced while a device is full screen; when the
 * program loses the focus, the mode and the window's frame are restored, the window is minimized and the device is
 * lost.
 *
 * The window is the program's. Its styles, position and procedure are restored only if they are still as this code set
 * them: programs, among them DXUT, set their own before they call Reset. The display mode is the system's, and it is
 * restored to the registry's mode, as on Windows (test_mode_change of Wine's suites).
 *
 * With HALCYON_FULL_SCREEN other than "mode" the desktop's mode does not change, and the device is not lost with the focus;
 * mouse messages have the coordinates that the program expects.
 */
#ifndef HALCYON_RUNTIME_FULLSCREEN_H
#define HALCYON_RUNTIME_FULLSCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include "d3d/types.h"
#include "runtime/common/window/desktop.h"

/* How full screen changes the window. */
enum rt_window_policy {
    RT_WINDOW_STRIP, /* removes the frame, covers the screen, stays above others (version 8) */
    RT_WINDOW_KEEP, /* covers the screen with frame and styles as they are; above others if it was not shown (version 9) */
    RT_WINDOW_COVER, /* covers the screen; the second time on a window also shows it and puts it above others; it keeps its
                      * place afterwards (version 9Ex) */
    RT_WINDOW_LEAVE, /* touches neither styles nor place (D3DCREATE_NOWINDOWCHANGES) */
    RT_WINDOW_EXCLUSIVE, /* covers the primary monitor, on whichever monitor it is, in its frame and with its styles; shown and above
                          * others once it has the focus; keeps its place afterwards (DirectDraw) */
};

enum rt_device_status { RT_DEVICE_OPERATIONAL, RT_DEVICE_LOST, RT_DEVICE_NOT_RESET };

struct rt_fullscreen {
    volatile LONG status;         /* enum rt_device_status; changed by the window's thread */
    enum rt_window_policy policy; /* set before the first rt_fullscreen_enter */
    bool returns; /* likewise; the device becomes operational when the focus returns, without a Reset (version 9Ex) */
    /* RT_WINDOW_EXCLUSIVE, of which all messages reach the program. switches: width and height are a mode that the program has set,
     * which leaves and returns with the focus. leaves_window: as with RT_WINDOW_LEAVE. changed: the status is another one; called by
     * the window's thread; NULL: nothing to do. */
    bool switches, leaves_window;
    void (*changed)(struct rt_fullscreen *fs);
    bool active;
    enum rt_screen_kind screen; /* since the window last covered the screen */
    unsigned adapter, width, height;
    uint32_t format;
    HWND window, focus;
    LONG style, ex_style;          /* the program's */
    LONG set_style, set_ex_style;  /* what they became here */
    RECT rect;                     /* before */
    bool raised;                   /* above others since the focus was lost */
    bool replaced;                 /* the window has been put back once after the program moved it */
    volatile LONG display_changed; /* since the mode was last checked */
    /* The hook: */
    HWND hooked;
    WNDPROC old_proc;
    bool unicode;
    volatile LONG filtering; /* messages of our own making do not reach the program */
    struct rt_fullscreen *next;
};

/* Switches the mode and makes the window cover the screen; again with another size or window to
 * change that. */
bool rt_fullscreen_enter(struct rt_fullscreen *fs, unsigned adapter, HWND window, HWND focus, unsigned width,
                         unsigned height, uint32_t format);
/* The mode of an RT_WINDOW_EXCLUSIVE that is active is now, or is about to become, width x height, shown in the way of `screen`. */
void rt_fullscreen_resize(struct rt_fullscreen *fs, enum rt_screen_kind screen, unsigned width, unsigned height);
/* RT_WINDOW_EXCLUSIVE of another window, without a change of the mode. */
bool rt_fullscreen_claim(struct rt_fullscreen *fs, HWND window, HWND focus, enum rt_screen_kind screen, unsigned width,
                         unsigned height);
/* `lower`: the window need not stay above others (the device was destroyed). */
void rt_fullscreen_leave(struct rt_fullscreen *fs, bool lower);
/* Detects a mode change by another program. */
enum rt_device_status rt_fullscreen_status(struct rt_fullscreen *fs);
/* The same for every frame: queries the mode only after the window was notified of a change. */
enum rt_device_status rt_fullscreen_frame_status(struct rt_fullscreen *fs);

/* The place on the screen that the program means by a position in its own mode. */
POINT rt_fullscreen_position(const struct rt_fullscreen *fs, POINT at);

/* The mode of the adapter as the program sees it: the one that it set, even if the desktop has another. False: no such
 * adapter. */
bool rt_fullscreen_mode(const struct rt_fullscreen *fs, unsigned adapter, D3DDISPLAYMODE *mode);

#endif
