/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/painted.h"

#include "runtime/ddraw/surface/access.h"

void dd_painted_free(struct dd_painted *painted)
{
    if (painted->dc) {
        SelectObject(painted->dc, painted->before);
        DeleteObject(painted->bitmap);
        DeleteDC(painted->dc);
    }
    painted->dc = NULL;
}

/* A bitmap of X8R8G8B8 with at least this size. */
static bool provide(struct dd_painted *painted, HDC window, LONG width, LONG height)
{
    BITMAPINFO info = {.bmiHeader = {.biSize = sizeof(info.bmiHeader),
                                     .biWidth = width,
                                     .biHeight = -height,
                                     .biPlanes = 1,
                                     .biBitCount = 32,
                                     .biCompression = BI_RGB}};
    void *bits = NULL;

    if (painted->dc && painted->picture.width >= (unsigned)width && painted->picture.height >= (unsigned)height)
        return true;
    dd_painted_free(painted);
    painted->dc = CreateCompatibleDC(window);
    painted->bitmap = painted->dc ? CreateDIBSection(painted->dc, &info, DIB_RGB_COLORS, &bits, NULL, 0) : NULL;
    if (!painted->bitmap) {
        if (painted->dc)
            DeleteDC(painted->dc);
        painted->dc = NULL;
        return false;
    }
    painted->before = SelectObject(painted->dc, painted->bitmap);
    painted->picture = (struct rt_picture){bits, (size_t)width * 4, (unsigned)width, (unsigned)height, D3DFMT_X8R8G8B8};
    return true;
}

void dd_painted_forget(struct dd_painted *painted)
{
    painted->window = NULL;
}

POINT dd_painted_moved(struct dd_painted *painted, HWND window)
{
    POINT corner = {0, 0}, moved = {0, 0};

    ClientToScreen(window, &corner);
    if (painted->window == window)
        moved = (POINT){corner.x - painted->corner.x, corner.y - painted->corner.y};
    painted->window = window;
    painted->corner = corner;
    return moved;
}

/* The pixels of the window at `rect`, in coordinates of the screen. Displays of fewer colours would show others than were painted. */
static bool read_window(struct dd_painted *painted, const RECT *rect)
{
    const LONG width = rect->right - rect->left, height = rect->bottom - rect->top;
    HDC dc = GetDC(painted->window);
    bool ok;

    if (!dc)
        return false;
    ok = GetDeviceCaps(dc, BITSPIXEL) >= 24 && provide(painted, dc, width, height) &&
         BitBlt(painted->dc, 0, 0, width, height, dc, rect->left - painted->corner.x, rect->top - painted->corner.y,
                SRCCOPY);
    ReleaseDC(painted->window, dc);
    GdiFlush();
    return ok;
}

bool dd_is_painted(struct dd_painted *painted, const struct rt_picture *displayed, HWND window, const RECT *rect)
{
    POINT corner = {0, 0};

    if (painted->window != window || !ClientToScreen(window, &corner))
        return false;
    return corner.x != painted->corner.x || corner.y != painted->corner.y ||
           (read_window(painted, rect) && ddraw_is_painted(&painted->picture, displayed, rect));
}

bool dd_take_painted(struct dd_painted *painted, struct surface *surface, const struct ddraw_shown *shown,
                     const struct rt_picture *displayed, const RECT *rect, POINT moved)
{
    const bool has_moved = moved.x || moved.y;
    struct ddraw_canvas canvas;
    struct rt_mapping mapping;

    if (!read_window(painted, rect) || (!has_moved && !ddraw_is_painted(&painted->picture, displayed, rect)) ||
        FAILED(surface_map(surface, 0, &mapping)))
        return false;
    canvas = (struct ddraw_canvas){mapping.bits, mapping.pitch};
    ddraw_take_painted(&canvas, shown, &painted->picture, displayed, rect, moved);
    surface_unmap(surface);
    return true;
}
