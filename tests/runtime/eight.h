/* SPDX-License-Identifier: MIT */
/* A Direct3D 8 device for Direct3D 9 programs; the headers of the two versions cannot be included together. */
#ifndef TESTS_RUNTIME_EIGHT_H
#define TESTS_RUNTIME_EIGHT_H

#include <stdint.h>

#include <windows.h>

/* As open_device and its companions in program.h. NULL if there is no device. */
void *open_eight(HWND window);
void close_eight(void *device, HWND window);
void clear_eight(void *device, uint32_t rgb);
void present_eight(void *device);
uint32_t pixel_of_eight(void *device, unsigned x, unsigned y);

#endif
