/* SPDX-License-Identifier: MIT */
/* What the files of the catalogue need of Windows: the constants of Direct3D 8, and the maths of the examples. */
#ifndef BENCH_CATALOGUE_TYPES_H
#define BENCH_CATALOGUE_TYPES_H

#include <windows.h>
#include <d3d8types.h>

#include "bench/catalogue/catalogue.h"
#include "examples/maths.h"

/* Those that Direct3D 8 shares with its vertex formats have sizes of their own here: vertices on the screen already. */
struct vertex_screen {
    float x, y, z, rhw;
    D3DCOLOR color;
    float u, v;
};
#define VERTEX_SCREEN_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

struct vertex_color {
    struct vec3 place;
    D3DCOLOR color;
};
#define VERTEX_COLOR_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE)

#endif
