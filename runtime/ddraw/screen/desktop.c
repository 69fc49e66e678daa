/* SPDX-License-Identifier: MIT */
/* The mode of the desktop, from the window system. */
#include "runtime/ddraw/screen/desktop.h"

void dd_desktop_mode(struct ddraw_mode *mode)
{
    DEVMODEW now = {.dmSize = sizeof(now)};

    if (!EnumDisplaySettingsW(NULL, ENUM_CURRENT_SETTINGS, &now) || !now.dmPelsWidth || !now.dmPelsHeight) {
        *mode = (struct ddraw_mode){1024, 768, 32, 60};
        return;
    }
    mode->width = now.dmPelsWidth;
    mode->height = now.dmPelsHeight;
    mode->bits = now.dmBitsPerPel == 8 || now.dmBitsPerPel == 16 ? now.dmBitsPerPel : 32;
    mode->refresh = now.dmDisplayFrequency > 1 ? now.dmDisplayFrequency : 60;
}

unsigned dd_desktop_list(struct ddraw_mode modes[DDRAW_MOST_MODES])
{
    struct ddraw_mode desktop;

    dd_desktop_mode(&desktop);
    return ddraw_list_modes(&desktop, false, modes);
}
