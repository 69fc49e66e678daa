/* SPDX-License-Identifier: MIT */
/* Direct3D 9, and its names for the files that both versions include (canvas_calls.h, session.h). */
#ifndef BENCH_WINE_VERSION9_H
#define BENCH_WINE_VERSION9_H

#define COBJMACROS
#include <windows.h>

#include <d3d9.h>

#define D3D_FACE(face)         IDirect3D##face##9 /* D3D_FACE(Device): IDirect3DDevice9; D3D_FACE(): IDirect3D9 */
#define D3D_CALL(face, method) IDirect3D##face##9_##method /* D3D_CALL(Device, Clear)(device, ...) */
#define D3D_STRUCT(name)       D3D##name##9                /* D3D_STRUCT(LIGHT): D3DLIGHT9 */

#endif
