/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/readback.h"

#include "runtime/ddraw/surface/access.h"

void dd_readback_free(struct dd_readback *readback)
{
    if (readback->dc) {
        SelectObject(readback->dc, readback->before);
        DeleteObject(readback->bitmap);
        DeleteDC(readback->dc);
    }
    readback->dc = NULL;
}

/* A bitmap of X8R8G8B8 with at least this size. */
static bool provide(struct dd_readback *readback, HDC window, LONG width, LONG height)
{
    BITMAPINFO info = {.bmiHeader = {.biSize = sizeof(info.bmiHeader),
                                     .biWidth = width,
                                     .biHeight = -height,
                                     .biPlanes = 1,
                                     .biBitCount = 32,
                                     .biCompression = BI_RGB}};
    void *bits = NULL;

    if (readback->dc && readback->picture.width >= (unsigned)width && readback->picture.height >= (unsigned)height)
        return true;
    dd_readback_free(readback);
    readback->dc = CreateCompatibleDC(window);
    readback->bitmap = readback->dc ? CreateDIBSection(readback->dc, &info, DIB_RGB_COLORS, &bits, NULL, 0) : NULL;
    if (!readback->bitmap) {
        if (readback->dc)
            DeleteDC(readback->dc);
        readback->dc = NULL;
        return false;
    }
    readback->before = SelectObject(readback->dc, readback->bitmap);
    readback->picture =
        (struct rt_picture){bits, (size_t)width * 4, (unsigned)width, (unsigned)height, D3DFMT_X8R8G8B8};
    return true;
}

void dd_readback_forget(struct dd_readback *readback)
{
    readback->window = NULL;
}

POINT dd_readback_moved(struct dd_readback *readback, HWND window)
{
    POINT corner = {0, 0}, moved = {0, 0};

    ClientToScreen(window, &corner);
    if (readback->window == window)
        moved = (POINT){corner.x - readback->corner.x, corner.y - readback->corner.y};
    readback->window = window;
    readback->corner = corner;
    return moved;
}

/* The pixels of the window at `rect`, in coordinates of the screen. Displays of fewer colours would show others than were drawn. */
static bool read_window(struct dd_readback *readback, const RECT *rect)
{
    const LONG width = rect->right - rect->left, height = rect->bottom - rect->top;
    HDC dc = GetDC(readback->window);
    bool ok;

    if (!dc)
        return false;
    ok = GetDeviceCaps(dc, BITSPIXEL) >= 24 && provide(readback, dc, width, height) &&
         BitBlt(readback->dc, 0, 0, width, height, dc, rect->left - readback->corner.x, rect->top - readback->corner.y,
                SRCCOPY);
    ReleaseDC(readback->window, dc);
    GdiFlush();
    return ok;
}

bool dd_readback_differs(struct dd_readback *readback, const struct rt_picture *displayed, HWND window,
                         const RECT *rect)
{
    POINT corner = {0, 0};

    if (readback->window != window || !ClientToScreen(window, &corner))
        return false;
    return corner.x != readback->corner.x || corner.y != readback->corner.y ||
           (read_window(readback, rect) && ddraw_readback_differs(&readback->picture, displayed, rect));
}

bool dd_readback_take(struct dd_readback *readback, struct surface *surface, const struct ddraw_shown *shown,
                      const struct rt_picture *displayed, const RECT *rect, POINT moved)
{
    const bool has_moved = moved.x || moved.y;
    struct ddraw_canvas canvas;
    struct rt_mapping mapping;

    if (!read_window(readback, rect) || (!has_moved && !ddraw_readback_differs(&readback->picture, displayed, rect)) ||
        FAILED(surface_map(surface, 0, &mapping)))
        return false;
    canvas = (struct ddraw_canvas){mapping.bits, mapping.pitch};
    ddraw_readback_take(&canvas, shown, &readback->picture, displayed, rect, moved);
    surface_unmap(surface);
    return true;
}
