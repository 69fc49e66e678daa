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

bool rt_screen_is_mouse(UINT message)
{
    return message >= WM_MOUSEFIRST && message <= WM_MOUSELAST && message != WM_MOUSEWHEEL && message != WM_MOUSEHWHEEL;
}

LPARAM rt_screen_mouse(HWND window, unsigned width, unsigned height, LPARAM at)
{
    const POINT position = {(short)LOWORD(at), (short)HIWORD(at)};
    RECT area;
    POINT pixel;

    if (!GetClientRect(window, &area) || IsRectEmpty(&area))
        return at;
    area = rt_scale_place(rt_scale_fit(), width, height, &area);
    pixel = rt_scale_pixel(&area, width, height, position);
    return MAKELPARAM(pixel.x, pixel.y);
}

POINT rt_screen_position(HWND window, unsigned width, unsigned height, POINT at)
{
    RECT area;

    if (!GetClientRect(window, &area) || IsRectEmpty(&area))
        return at;
    area = rt_scale_place(rt_scale_fit(), width, height, &area);
    at = rt_scale_position(&area, width, height, at);
    ClientToScreen(window, &at);
    return at;
}
