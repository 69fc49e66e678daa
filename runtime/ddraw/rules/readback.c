/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/rules/readback.h"

#include <string.h>

#include "d3d/formats.h"

bool ddraw_readback_supports(uint32_t format)
{
    switch (format) {
    case D3D_FORMAT_R5G6B5:
    case D3D_FORMAT_X1R5G5B5:
    case D3D_FORMAT_A1R5G5B5:
    case D3D_FORMAT_X8R8G8B8:
    case D3D_FORMAT_A8R8G8B8:
        return true;
    default:
        return false;
    }
}

static const uint8_t *row_of(const struct rt_picture *picture, LONG x, LONG y)
{
    return picture->bits + (size_t)y * picture->pitch + (size_t)x * 4;
}

static bool same_color(const uint8_t *a, const uint8_t *b)
{
    return !memcmp(a, b, 3);
}

bool ddraw_readback_differs(const struct rt_picture *readback, const struct rt_picture *seen, const RECT *rect)
{
    for (LONG y = rect->top; y < rect->bottom; y++) {
        const uint8_t *now = row_of(readback, 0, y - rect->top), *before = row_of(seen, rect->left, y);

        for (LONG x = 0; x < rect->right - rect->left; x++)
            if (!same_color(now + 4 * x, before + 4 * x))
                return true;
    }
    return false;
}

static const uint8_t *kept_pixel(const struct ddraw_shown *shown, LONG x, LONG y)
{
    return shown->rows + (size_t)y * shown->row_bytes + (size_t)x * rt_picture_bytes(shown->format);
}

/* The pixel of the surface that belongs to one of the window: what was there before the window moved, unless something else is there now. */
static void take_pixel(uint8_t *pixel, const struct ddraw_shown *shown, const uint8_t *now,
                       const struct rt_picture *seen, LONG x, LONG y)
{
    const bool was_shown = x >= 0 && y >= 0 && (ULONG)x < shown->width && (ULONG)y < shown->height;
    const uint32_t color = rt_pixel_rgb(now, D3D_FORMAT_X8R8G8B8);

    if (!was_shown || !same_color(now, row_of(seen, x, y))) {
        if (rt_pixel_rgb(pixel, shown->format) != color) /* what is in the bits without colour stays */
            rt_pixel_set(pixel, shown->format, color);
    } else {
        memcpy(pixel, kept_pixel(shown, x, y), rt_picture_bytes(shown->format));
    }
}

void ddraw_readback_take(const struct ddraw_canvas *canvas, const struct ddraw_shown *shown,
                         const struct rt_picture *readback, const struct rt_picture *seen, const RECT *rect,
                         POINT moved)
{
    const unsigned bytes = rt_picture_bytes(shown->format);

    for (LONG y = rect->top; y < rect->bottom; y++)
        for (LONG x = rect->left; x < rect->right; x++) {
            uint8_t *pixel = canvas->bits + (size_t)y * canvas->pitch + (size_t)x * bytes;

            if (!memcmp(pixel, kept_pixel(shown, x, y), bytes))
                take_pixel(pixel, shown, row_of(readback, x - rect->left, y - rect->top), seen, x - moved.x,
                           y - moved.y);
        }
}

void ddraw_readback_settle(const struct rt_picture *seen, const struct rt_picture *readback,
                           const struct rt_picture *displayed, const RECT *rect)
{
    for (LONG y = rect->top; y < rect->bottom; y++)
        for (LONG x = rect->left; x < rect->right; x++) {
            const uint8_t *now = row_of(readback, x - rect->left, y - rect->top), *shown = row_of(displayed, x, y);
            uint8_t *pixel = seen->bits + (size_t)y * seen->pitch + (size_t)x * 4;

            if (!same_color(now, pixel) || same_color(now, shown))
                memcpy(pixel, shown, 4);
        }
}
