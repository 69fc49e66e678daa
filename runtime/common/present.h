/* SPDX-License-Identifier: MIT */
/* Pictures from a front buffer into a window, through GDI. */
#ifndef HALCYON_RUNTIME_PRESENT_H
#define HALCYON_RUNTIME_PRESENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <d3d8types.h>

struct rt_presenter {
    HWND dc_window; /* whose DC is kept */
    HDC dc;
    uint8_t *gamma_copy; /* picture after the gamma ramp */
    size_t gamma_bytes;
};

struct rt_picture {
    const uint8_t *bits;
    size_t pitch;
    unsigned width, height;
    uint32_t format; /* X8R8G8B8, A8R8G8B8, R5G6B5, X1R5G5B5, A1R5G5B5 */
};

/* Stretches `source` (NULL: all) to `destination` (NULL: the client area). False: no such window.
 */
bool rt_present(struct rt_presenter *presenter, HWND window, const struct rt_picture *picture,
                const RECT *source, const RECT *destination, const D3DGAMMARAMP *gamma);
void rt_presenter_free(struct rt_presenter *presenter);

/* The screen's picture, 32-bit, into `bits` (width x height of the monitor). */
bool rt_grab_screen(HMONITOR monitor, uint8_t *bits, size_t pitch, unsigned width, unsigned height);

#endif
