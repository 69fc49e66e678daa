/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 9; one at a time. */
#ifndef BENCH_WINE_CANVAS9_H
#define BENCH_WINE_CANVAS9_H

#include <stdbool.h>

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "bench/catalogue/catalogue.h"

struct canvas *canvas9_open(IDirect3DDevice9 *device, unsigned width, unsigned height);
/* False: a call failed. */
bool canvas9_good(void);
/* Releases the canvas' objects; does nothing if none is open. */
void canvas9_close(void);

#endif
