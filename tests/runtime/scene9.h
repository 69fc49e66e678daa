/* SPDX-License-Identifier: MIT */
/* A frame of Direct3D 9 for tests that compare settings (with_settings.h): a device with usual states, rectangles, and what the program
 * reads at the end. */
#ifndef TESTS_RUNTIME_SCENE9_H
#define TESTS_RUNTIME_SCENE9_H

#include "tests/runtime/program9.h"
#include "tests/runtime/with_settings.h"

#include <stdlib.h>

#define PIXELS (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

struct corner {
    float x, y, z, rhw;
    DWORD color;
    float u, v;
};

static HWND window;

static IDirect3DDevice9 *open_scene(DWORD flags, D3DPRESENT_PARAMETERS *params)
{
    IDirect3DDevice9 *device;

    window = open_window();
    device = open_device9(window, false, flags, params);
    if (!device)
        return NULL;
    IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203040, 1, 0);
    IDirect3DDevice9_BeginScene(device);
    return device;
}

static void close_scene(IDirect3DDevice9 *device, struct settings_view *view)
{
    uint32_t *pixels;

    IDirect3DDevice9_EndScene(device);
    pixels = read_target9(device);
    if (pixels)
        memcpy(view->pixels, pixels, sizeof(view->pixels));
    free(pixels);
    IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
    close_device9(device, window);
}

static void make_quad(struct corner q[4], float left, float top, float right, float bottom, DWORD color)
{
    const struct corner corners[4] = {{left, top, 0.5f, 1, color, 0, 0},
                                      {right, top, 0.5f, 1, color, 1, 0},
                                      {left, bottom, 0.5f, 1, color, 0, 1},
                                      {right, bottom, 0.5f, 1, color, 1, 1}};

    memcpy(q, corners, sizeof(corners));
}

static void draw_quad(IDirect3DDevice9 *device, float left, float top, float right, float bottom, DWORD color)
{
    struct corner q[4];

    make_quad(q, left, top, right, bottom, color);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, PIXELS), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, q, sizeof(*q)), D3D_OK);
}

#endif
