/* SPDX-License-Identifier: MIT */
/* Full screen without a change of the desktop's mode, as HALCYON_FULL_SCREEN asks for. */
#ifndef HALCYON_RUNTIME_DESKTOP_H
#define HALCYON_RUNTIME_DESKTOP_H

#include <stdbool.h>

#include <windows.h>

/* The window of a program that asks for the full screen. */
enum rt_screen_kind {
    RT_SCREEN_MODE,       /* the mode that it asks for */
    RT_SCREEN_BORDERLESS, /* a window that covers the desktop */
    RT_SCREEN_WINDOW,     /* a window with a frame */
};

enum rt_screen_kind rt_screen_kind(void);

/* Where the picture is shown in the window, in its client coordinates: the client area, or, after rt_screen_set_whole, the whole window
 * with its frame. False: no such window, or nothing of it is there. */
bool rt_screen_area(HWND window, RECT *area);
void rt_screen_set_whole(HWND window, bool is_whole);
bool rt_screen_is_whole(HWND window);

/* The client area that HALCYON_WINDOW_SIZE gives a picture; a value that cannot be read is named once in the log. */
SIZE rt_screen_window_size(unsigned width, unsigned height);

/* The coordinates of a mouse message to the window, which shows a picture of width x height pixels, as the program
 * expects them: in pixels of the picture. */
LPARAM rt_screen_mouse(HWND window, unsigned width, unsigned height, LPARAM at);

/* The reverse for a position on the screen: where the pixel `at` of the picture is shown. */
POINT rt_screen_position(HWND window, unsigned width, unsigned height, POINT at);

/* Does a message carry coordinates of the client area? */
bool rt_screen_is_mouse(UINT message);

#endif
