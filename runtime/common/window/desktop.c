/* SPDX-License-Identifier: MIT */
/* Which way of full screen the settings choose, and where the mouse is then. */
#include "runtime/common/window/desktop.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "runtime/common/window/scale.h"

enum rt_screen_kind rt_screen_kind(void)
{
    const char *kind = config_string("full_screen");

    return !strcmp(kind, "borderless") ? RT_SCREEN_BORDERLESS
                                       : (!strcmp(kind, "window") ? RT_SCREEN_WINDOW : RT_SCREEN_MODE);
}

SIZE rt_screen_window_size(unsigned width, unsigned height)
{
    SIZE size = {(LONG)width, (LONG)height};

    if (!rt_scale_parse_size(config_string("window_size"), width, height, &size))
        log_once(LOG_WARN, 0, "window_size = %s: neither a size such as 1280x960 nor a multiple such as 2x",
                 config_string("window_size"));
    return size;
}

/* --- the area of the picture --------------------------------------------------------------- */

static const WCHAR whole[] = L"halcyon.whole";

bool rt_screen_is_whole(HWND window)
{
    return GetPropW(window, whole);
}

void rt_screen_set_whole(HWND window, bool is_whole)
{
    if (is_whole)
        SetPropW(window, whole, (HANDLE)1);
    else
        RemovePropW(window, whole);
}

bool rt_screen_area(HWND window, RECT *area)
{
    POINT corner = {0, 0};

    if (!rt_screen_is_whole(window))
        return GetClientRect(window, area) && !IsRectEmpty(area);
    if (!GetWindowRect(window, area) || !ClientToScreen(window, &corner))
        return false;
    OffsetRect(area, -corner.x, -corner.y);
    return !IsRectEmpty(area);
}

/* --- the mouse ------------------------------------------------------------------------------- */

bool rt_screen_is_mouse(UINT message)
{
    return message >= WM_MOUSEFIRST && message <= WM_MOUSELAST && message != WM_MOUSEWHEEL && message != WM_MOUSEHWHEEL;
}

LPARAM rt_screen_mouse(HWND window, unsigned width, unsigned height, LPARAM at)
{
    const POINT position = {(short)LOWORD(at), (short)HIWORD(at)};
    RECT area;
    POINT corner, pixel;

    if (!rt_screen_area(window, &area))
        return at;
    corner = (POINT){area.left, area.top};
    area = rt_scale_place(rt_scale_fit(), width, height, &area);
    pixel = rt_scale_pixel(&area, width, height, position);
    /* the program's client area begins inside the frame, too */
    return MAKELPARAM(pixel.x + corner.x, pixel.y + corner.y);
}

POINT rt_screen_position(HWND window, unsigned width, unsigned height, POINT at)
{
    RECT area;

    if (!rt_screen_area(window, &area))
        return at;
    area = rt_scale_place(rt_scale_fit(), width, height, &area);
    at = rt_scale_position(&area, width, height, at);
    ClientToScreen(window, &at);
    return at;
}
