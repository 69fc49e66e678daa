/* SPDX-License-Identifier: MIT */
/* The classic list of modes. */
#include "runtime/ddraw/screen/mode_list.h"

#include <string.h>

#include "base/base.h"

static const struct {
    uint16_t width, height;
} sizes[] = {
    {320, 200}, {320, 240},  {400, 300},  {512, 384},  {640, 400},   {640, 480},
    {800, 600}, {1024, 768}, {1152, 864}, {1280, 960}, {1280, 1024}, {1600, 1200},
};
static const uint8_t depths[] = {8, 16, 32};

_Static_assert((ARRAY_COUNT(sizes) + 1) * ARRAY_COUNT(depths) <= DD_MOST_MODES, "room for all modes");

void dd_mode_current(struct dd_mode *mode)
{
    DEVMODEW now = {.dmSize = sizeof(now)};

    if (!EnumDisplaySettingsW(NULL, ENUM_CURRENT_SETTINGS, &now) || !now.dmPelsWidth || !now.dmPelsHeight) {
        /* no display */
        *mode = (struct dd_mode){1024, 768, 32, 60};
        return;
    }
    mode->width = now.dmPelsWidth;
    mode->height = now.dmPelsHeight;
    mode->bits = now.dmBitsPerPel == 8 || now.dmBitsPerPel == 16 ? now.dmBitsPerPel : 32;
    mode->refresh = now.dmDisplayFrequency > 1 ? now.dmDisplayFrequency : 60;
}

unsigned dd_mode_list(struct dd_mode modes[DD_MOST_MODES])
{
    struct dd_mode desktop;
    unsigned count = 0;

    dd_mode_current(&desktop);
    for (unsigned d = 0; d < ARRAY_COUNT(depths); d++) {
        bool listed = false;

        for (unsigned s = 0; s < ARRAY_COUNT(sizes); s++) {
            if (sizes[s].width > desktop.width || sizes[s].height > desktop.height)
                continue;
            listed |= sizes[s].width == desktop.width && sizes[s].height == desktop.height;
            modes[count++] = (struct dd_mode){sizes[s].width, sizes[s].height, depths[d], desktop.refresh};
        }
        if (!listed)
            modes[count++] = (struct dd_mode){desktop.width, desktop.height, depths[d], desktop.refresh};
    }
    return count;
}

void dd_mode_format(unsigned bits, DDPIXELFORMAT *format)
{
    memset(format, 0, sizeof(*format));
    format->dwSize = sizeof(*format);
    format->dwFlags = bits == 8 ? DDPF_RGB | DDPF_PALETTEINDEXED8 : DDPF_RGB;
    format->dwRGBBitCount = bits;
    if (bits == 8)
        return;
    format->dwRBitMask = bits == 16 ? 0xf800 : 0xff0000;
    format->dwGBitMask = bits == 16 ? 0x07e0 : 0x00ff00;
    format->dwBBitMask = bits == 16 ? 0x001f : 0x0000ff;
}

void dd_mode_describe(const struct dd_mode *mode, DDSURFACEDESC2 *desc)
{
    memset(desc, 0, sizeof(*desc));
    desc->dwSize = sizeof(*desc);
    desc->dwFlags = DDSD_WIDTH | DDSD_HEIGHT | DDSD_PITCH | DDSD_PIXELFORMAT | DDSD_REFRESHRATE;
    desc->dwWidth = mode->width;
    desc->dwHeight = mode->height;
    desc->lPitch = (LONG)(mode->width * mode->bits / 8);
    desc->dwRefreshRate = mode->refresh;
    dd_mode_format(mode->bits, &desc->ddpfPixelFormat);
}
