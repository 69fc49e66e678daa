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
    *painted = (struct dd_painted){.dc = NULL};
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

/* The pixels of the window at `rect`, in coordinates of the screen. Displays of fewer colours would show others than were painted. */
static bool read_window(struct dd_painted *painted, HWND window, const RECT *rect)
{
    const LONG width = rect->right - rect->left, height = rect->bottom - rect->top;
    POINT corner = {rect->left, rect->top};
    HDC dc = GetDC(window);
    bool ok;

    if (!dc)
        return false;
    ok = ScreenToClient(window, &corner) && GetDeviceCaps(dc, BITSPIXEL) >= 24 && provide(painted, dc, width, height) &&
         BitBlt(painted->dc, 0, 0, width, height, dc, corner.x, corner.y, SRCCOPY);
    ReleaseDC(window, dc);
    GdiFlush();
    return ok;
}

bool dd_take_painted(struct dd_painted *painted, struct surface *surface, const struct ddraw_shown *shown,
                     const struct rt_picture *displayed, HWND window, const RECT *rect)
{
    struct ddraw_canvas canvas;
    struct rt_mapping mapping;

    if (!ddraw_takes_painted(shown->format) || !read_window(painted, window, rect) ||
        !ddraw_is_painted(&painted->picture, displayed, rect) || FAILED(surface_map(surface, 0, &mapping)))
        return false;
    canvas = (struct ddraw_canvas){mapping.bits, mapping.pitch};
    ddraw_take_painted(&canvas, shown, &painted->picture, displayed, rect);
    surface_unmap(surface);
    return true;
}
