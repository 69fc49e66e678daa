/* SPDX-License-Identifier: MIT */
/* Direct3D 8, and its names for the files that both versions include (canvas_calls.h, session.h). */
#ifndef BENCH_WINE_VERSION8_H
#define BENCH_WINE_VERSION8_H

#define COBJMACROS
#include <windows.h>

#include <d3d8.h>

#define D3D_FACE(face)         IDirect3D##face##8 /* D3D_FACE(Device): IDirect3DDevice8; D3D_FACE(): IDirect3D8 */
#define D3D_CALL(face, method) IDirect3D##face##8_##method /* D3D_CALL(Device, Clear)(device, ...) */
#define D3D_STRUCT(name)       D3D##name##8                /* D3D_STRUCT(LIGHT): D3DLIGHT8 */

#endif
