/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 8 (canvas8.c) or 9 (canvas9.c); one at a time. */
#ifndef BENCH_WINE_CANVAS_H
#define BENCH_WINE_CANVAS_H

#include <stdbool.h>

#include "bench/catalogue/catalogue.h"

/* `device`: IDirect3DDevice8 or IDirect3DDevice9, which must stay until the canvas is closed. */
struct canvas *device_canvas_open(void *device, unsigned width, unsigned height);
/* False: a call failed. */
bool device_canvas_is_good(void);
/* Releases the canvas' objects; does nothing if none is open. */
void device_canvas_close(void);

#endif
