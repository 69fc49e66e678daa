/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/readback.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "runtime/ddraw/surface/access.h"

/* --- memory ----------------------------------------------------------------------------- */

static void free_bitmap(struct dd_readback *readback)
{
    if (readback->dc) {
        SelectObject(readback->dc, readback->before);
        DeleteObject(readback->bitmap);
        DeleteDC(readback->dc);
    }
    readback->dc = NULL;
}

void dd_readback_free(struct dd_readback *readback)
{
    free_bitmap(readback);
    free(readback->pixels);
    readback->pixels = NULL;
    readback->has_seen = false;
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
    free_bitmap(readback);
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
    readback->has_seen = false;
}

/* --- what the window shows -------------------------------------------------------------- */

static struct rt_picture seen_by(const struct dd_readback *readback, const struct rt_picture *displayed)
{
    if (!readback->has_seen || readback->width != displayed->width || readback->height != displayed->height)
        return *displayed;
    return (struct rt_picture){(uint8_t *)readback->pixels, (size_t)readback->width * 4, readback->width,
                               readback->height, D3DFMT_X8R8G8B8};
}

/* Memory for what is seen, which begins as what was displayed. False: none, and what was displayed counts. */
static bool keep_seen(struct dd_readback *readback, const struct rt_picture *displayed)
{
    const unsigned width = displayed->width, height = displayed->height;
    const bool same = readback->pixels && readback->width == width && readback->height == height;

    if (same && readback->has_seen)
        return true;
    if (!same) {
        free(readback->pixels);
        readback->pixels = mem_calloc(height, (size_t)width * 4);
        readback->width = width;
        readback->height = height;
    }
    readback->has_seen = readback->pixels != NULL;
    for (unsigned y = 0; readback->has_seen && y < height; y++)
        memcpy(readback->pixels + (size_t)y * width, displayed->bits + y * displayed->pitch, (size_t)width * 4);
    return readback->has_seen;
}

/* `from` begins at the corner of the rectangle. */
static void copy_seen(struct dd_readback *readback, const struct rt_picture *from, const RECT *rect)
{
    for (LONG y = rect->top; y < rect->bottom; y++)
        memcpy(readback->pixels + (size_t)y * readback->width + (size_t)rect->left,
               from->bits + (size_t)(y - rect->top) * from->pitch, (size_t)(rect->right - rect->left) * 4);
}

POINT dd_readback_moved(struct dd_readback *readback, HWND window)
{
    POINT corner = {0, 0}, moved = {0, 0};

    ClientToScreen(window, &corner);
    if (readback->window == window)
        moved = (POINT){corner.x - readback->corner.x, corner.y - readback->corner.y};
    else
        readback->has_seen = false;
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
    const struct rt_picture seen = seen_by(readback, displayed);
    POINT corner = {0, 0};

    if (!ClientToScreen(window, &corner))
        return false;
    return readback->window != window || corner.x != readback->corner.x || corner.y != readback->corner.y ||
           (read_window(readback, rect) && ddraw_readback_differs(&readback->picture, &seen, rect));
}

bool dd_readback_take(struct dd_readback *readback, struct surface *surface, const struct ddraw_shown *shown,
                      const struct rt_picture *displayed, const RECT *rect, POINT moved)
{
    const bool keeps = keep_seen(readback, displayed), has_moved = moved.x || moved.y;
    const struct rt_picture seen = seen_by(readback, displayed);
    struct ddraw_canvas canvas;
    struct rt_mapping mapping;

    if (!read_window(readback, rect) || (!has_moved && !ddraw_readback_differs(&readback->picture, &seen, rect)) ||
        FAILED(surface_map(surface, 0, &mapping)))
        return false;
    canvas = (struct ddraw_canvas){mapping.bits, mapping.pitch};
    ddraw_readback_take(&canvas, shown, &readback->picture, &seen, rect, moved);
    surface_unmap(surface);
    if (keeps)
        copy_seen(readback, &readback->picture, rect);
    return true;
}

void dd_readback_shown(struct dd_readback *readback, const struct rt_picture *displayed, const RECT *rect)
{
    struct rt_picture seen;

    if (!readback->window || !keep_seen(readback, displayed))
        return;
    seen = seen_by(readback, displayed);
    if (read_window(readback, rect))
        ddraw_readback_settle(&seen, &readback->picture, displayed, rect);
    else
        readback->has_seen = false;
}
