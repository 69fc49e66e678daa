/* SPDX-License-Identifier: MIT */
/* A picture in memory on its way to the window or a file, shared by presentation, figures and screenshots. */
#ifndef HALCYON_RUNTIME_PICTURE_H
#define HALCYON_RUNTIME_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/types.h"

struct rt_picture {
    uint8_t *bits;
    size_t pitch; /* bytes */
    unsigned width, height;
    uint32_t format; /* X8R8G8B8, A8R8G8B8, R5G6B5, X1R5G5B5, A1R5G5B5 */
};

/* Bytes of a pixel. */
static inline unsigned rt_picture_bytes(uint32_t format)
{
    return format == D3DFMT_X8R8G8B8 || format == D3DFMT_A8R8G8B8 ? 4 : 2;
}

/* 0x00RRGGBB; narrow channels are widened by repeating their high bits. */
static inline uint32_t rt_pixel_rgb(const uint8_t *pixel, uint32_t format)
{
    uint32_t r, g, b;
    uint16_t v;

    if (rt_picture_bytes(format) == 4)
        return (uint32_t)pixel[2] << 16 | (uint32_t)pixel[1] << 8 | pixel[0];
    v = (uint16_t)(pixel[0] | pixel[1] << 8);
    if (format == D3DFMT_R5G6B5) {
        r = v >> 11;
        g = v >> 5 & 0x3f;
        g = g << 2 | g >> 4;
    } else {
        r = v >> 10 & 0x1f;
        g = v >> 5 & 0x1f;
        g = g << 3 | g >> 2;
    }
    b = v & 0x1f;
    return (r << 3 | r >> 2) << 16 | g << 8 | (b << 3 | b >> 2);
}

/* The other way; alpha becomes opaque. */
static inline void rt_pixel_set(uint8_t *pixel, uint32_t format, uint32_t rgb)
{
    uint32_t r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
    uint16_t v;

    if (rt_picture_bytes(format) == 4) {
        pixel[0] = (uint8_t)b;
        pixel[1] = (uint8_t)g;
        pixel[2] = (uint8_t)r;
        pixel[3] = 255;
        return;
    }
    if (format == D3DFMT_R5G6B5)
        v = (uint16_t)(r >> 3 << 11 | g >> 2 << 5 | b >> 3);
    else
        v = (uint16_t)(0x8000 | r >> 3 << 10 | g >> 3 << 5 | b >> 3);
    pixel[0] = (uint8_t)v;
    pixel[1] = (uint8_t)(v >> 8);
}

/* Frames whose pictures HALCYON_SCREENSHOT_FRAMES asks for. */
bool rt_screenshot_wanted(uint32_t frame);
/* HALCYON_SCREENSHOT_PATH-FRAME.png. False: it could not be written; the log says why. */
bool rt_screenshot_write(const struct rt_picture *picture, uint32_t frame);

#endif
