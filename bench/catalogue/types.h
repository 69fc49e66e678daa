/* SPDX-License-Identifier: MIT */
/* The Windows definitions that the files of the catalogue need: the constants of Direct3D 8, and the maths of the
 * examples. */
#ifndef BENCH_CATALOGUE_TYPES_H
#define BENCH_CATALOGUE_TYPES_H

#include <windows.h>
#include <d3d8types.h>

#include "bench/catalogue/catalogue.h"
#include "examples/maths.h"

/* Constants whose values Direct3D 8 shares with its vertex formats are defined here: vertices in screen coordinates. */
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
