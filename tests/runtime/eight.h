/* SPDX-License-Identifier: MIT */
/* A Direct3D 8 device for programs of Direct3D 9, whose headers cannot stand beside those of 8. */
#ifndef TESTS_RUNTIME_EIGHT_H
#define TESTS_RUNTIME_EIGHT_H

#include <stdint.h>

#include <windows.h>

/* As program.h says of open_device and the others. NULL: there is none. */
void *open_eight(HWND window);
void close_eight(void *device, HWND window);
void clear_eight(void *device, uint32_t rgb);
void present_eight(void *device);
uint32_t pixel_of_eight(void *device, unsigned x, unsigned y);

#endif
