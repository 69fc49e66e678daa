/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 8; one at a time. */
#ifndef BENCH_WINE_CANVAS8_H
#define BENCH_WINE_CANVAS8_H

#include <stdbool.h>

#define COBJMACROS
#include <windows.h>
#include <d3d8.h>

#include "bench/catalogue/catalogue.h"

struct canvas *canvas8_open(IDirect3DDevice8 *device, unsigned width, unsigned height);
/* False: a call failed. */
bool canvas8_good(void);
/* Releases the canvas' objects; does nothing if none is open. */
void canvas8_close(void);

#endif
