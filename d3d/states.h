/* SPDX-License-Identifier: MIT */
/*
 * The numbers of states.def, under names that no Windows header declares, and the values of its columns.
 */
#ifndef HALCYON_D3D_STATES_H
#define HALCYON_D3D_STATES_H

#define D3D_ONE 0x3f800000u /* 1.0f */

/* D3DRENDERSTATETYPE */
enum d3d_render_state {
#define RENDER_STATE(number, name, ...) D3D_RS_##name = (number),
#include "d3d/states.def"
};

/* D3DTEXTURESTAGESTATETYPE */
enum d3d_stage_state {
#define STAGE_STATE(number, name, ...) D3D_TSS_##name = (number),
#include "d3d/states.def"
};

/* Predefined state blocks that hold a state. */
enum d3d_block {
    D3D_BLOCK_NONE,
    D3D_BLOCK_PIXEL = 1,
    D3D_BLOCK_VERTEX = 2,
    D3D_BLOCK_BOTH = D3D_BLOCK_PIXEL | D3D_BLOCK_VERTEX,
    D3D_BLOCK_DRIVER_PIXEL = 4, /* only those of drivers: the API no longer has the state */
};

#endif
