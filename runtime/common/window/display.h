/* SPDX-License-Identifier: MIT */
/*
 * The screen: modes of the adapters, full-screen switching of a window, and the mouse cursor. Where the system reports
 * no modes (a headless driver says 0x0), and where the desktop keeps its mode (desktop.h), a built-in list is used, and
 * switching is only remembered.
 */
#ifndef HALCYON_RUNTIME_DISPLAY_H
#define HALCYON_RUNTIME_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include "d3d/types.h"

unsigned rt_display_count(void);
/* \\.\DISPLAYn of an adapter; false if there is no such adapter. */
bool rt_display_name(unsigned adapter, WCHAR name[32]);
HMONITOR rt_display_monitor(unsigned adapter);

/* Modes of 16 and 32 bits in a stable order. Reading them takes long enough to do it once. */
struct rt_mode_list {
    D3DDISPLAYMODE *modes;
    unsigned count;
    unsigned adapter;
};
/* Replaces what the list held; false: out of memory, the list is empty. */
bool rt_mode_list_read(struct rt_mode_list *list, unsigned adapter);
void rt_mode_list_free(struct rt_mode_list *list);

bool rt_mode_current(unsigned adapter, D3DDISPLAYMODE *mode);
/* refresh 0: any. */
bool rt_mode_exists(unsigned adapter, unsigned width, unsigned height, uint32_t format);

/* True if the mode is set, or if there is nothing to switch. */
bool rt_mode_set(unsigned adapter, unsigned width, unsigned height, uint32_t format);
/* Back to the mode of the registry, if another one is on. */
void rt_mode_restore(unsigned adapter);

struct rt_cursor {
    HCURSOR handle;
    bool visible;
};

/* 32-bit ARGB picture. */
bool rt_cursor_set(struct rt_cursor *cursor, unsigned hot_x, unsigned hot_y, unsigned width, unsigned height,
                   const uint8_t *pixels, size_t pitch);
bool rt_cursor_show(struct rt_cursor *cursor, bool show);
void rt_cursor_free(struct rt_cursor *cursor);

#endif
