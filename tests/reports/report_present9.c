/* SPDX-License-Identifier: MIT */
/* Reports about what Direct3D 9 shows, and where. */
#include "tests/reports/scene9.h"

#include <stdlib.h>

/*
 * Symptom: a program takes the refusal of Present for a lost device. Right: in full screen rectangles are ignored, D3D_OK, whatever the
 * swap effect; tried on Windows by a layer's authors, and wined3d agrees.
 */
static void parts_in_full_screen(void)
{
    static const D3DSWAPEFFECT effects[2] = {D3DSWAPEFFECT_DISCARD, D3DSWAPEFFECT_FLIP};
    const RECT part = {0, 0, 100, 100};

    for (unsigned i = 0; i < 2; i++) {
        HWND window = open_window();
        D3DPRESENT_PARAMETERS params = full_screen9(window);
        IDirect3DDevice9 *device;

        params.SwapEffect = effects[i];
        device = open_device9(window, false, 0, &params);
        if (!device)
            return;
        CHECK_HR(IDirect3DDevice9_Present(device, &part, &part, NULL, NULL), D3D_OK);
        CHECK_HR(IDirect3DDevice9_Present(device, &part, NULL, NULL, NULL), D3D_OK);
        CHECK_HR(IDirect3DDevice9_Present(device, NULL, &part, NULL, NULL), D3D_OK);
        close_device9(device, window);
    }
}

/* Symptom: games that leave their gamma ramp on are too bright in a window. Right: a ramp is for full screen (documented:
 * D3DCAPS2_FULLSCREENGAMMA); three patches of games and layers rest on it. */
static void gamma_in_a_window(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
    D3DGAMMARAMP ramp;

    if (!device)
        return;
    for (unsigned i = 0; i < 256; i++)
        ramp.red[i] = ramp.green[i] = ramp.blue[i] = (WORD)(i * 128);
    IDirect3DDevice9_SetGammaRamp(device, 0, 0, &ramp);
    clear9(device, 0xffffff);
    present9(device);
    CHECK_COLOR(window_pixel(window, 20, 20), 0xffffff, 2);
    close_device9(device, window);
}

/* Symptom: saved games show black pictures. Right: the front buffer is what was presented, not what has been drawn since. */
static void front_buffer(void)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS params = full_screen9(window);
    IDirect3DDevice9 *device = open_device9(window, false, 0, &params);
    IDirect3DSurface9 *picture = NULL;
    D3DLOCKED_RECT locked = {0};

    if (!device)
        return;
    clear9(device, 0x00ff00);
    present9(device);
    clear9(device, 0xff0000);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, params.BackBufferWidth, params.BackBufferHeight,
                                                          D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &picture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetFrontBufferData(device, 0, picture), D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(picture, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    if (locked.pBits)
        CHECK_COLOR(((const uint32_t *)((const uint8_t *)locked.pBits + 100 * locked.Pitch))[100], 0x00ff00, 0);
    IDirect3DSurface9_UnlockRect(picture);
    IDirect3DSurface9_Release(picture);
    close_device9(device, window);
}

/* Right: a back buffer that the program still holds when its swap chain has ended is of no container any more. */
static void back_buffer_without_a_chain(void)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS params = windowed9(window);
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSurface9 *back = NULL;
    void *container = NULL;

    if (!device)
        return;
    params.BackBufferWidth = params.BackBufferHeight = 64;
    CHECK_HR(IDirect3DDevice9_CreateAdditionalSwapChain(device, &params, &chain), D3D_OK);
    CHECK_HR(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    CHECK_HR(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DSwapChain9, &container), D3D_OK);
    IDirect3DSwapChain9_Release((IDirect3DSwapChain9 *)container);
    IDirect3DSwapChain9_Release(chain);
    container = (void *)1;
    CHECK_HR(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DSwapChain9, &container), E_NOINTERFACE);
    CHECK_EQUAL(IDirect3DSurface9_Release(back), 0);
    close_device9(device, window);
}

/* Symptom: the pointer vanishes from menus that Windows draws. Right: ShowCursor does not hide the system's pointer while the
 * program has given Direct3D none. */
static void pointer_of_the_system(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
    HCURSOR arrow = LoadCursorA(NULL, (const char *)IDC_ARROW);

    if (!device)
        return;
    SetCursor(arrow);
    IDirect3DDevice9_ShowCursor(device, TRUE);
    CHECK(GetCursor() == arrow);
    IDirect3DDevice9_ShowCursor(device, FALSE);
    CHECK(GetCursor() == arrow);
    close_device9(device, window);
}

static const struct report reports[] = {
    {"parts_in_full_screen", "doitsujin/dxvk@5443a2f9", parts_in_full_screen},
    {"gamma_in_a_window", "PARTYMANX/partymod-thps4#7", gamma_in_a_window},
    {"front_buffer", "doitsujin/dxvk#1350", front_buffer},
    {"back_buffer_without_a_chain", "doitsujin/dxvk#1597", back_buffer_without_a_chain},
    {"pointer_of_the_system", "doitsujin/dxvk#3562", pointer_of_the_system},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
