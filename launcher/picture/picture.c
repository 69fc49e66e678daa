/* SPDX-License-Identifier: MIT */
/* The program that `halcyon doctor` runs under Wine: a triangle by Direct3D 8, three frames of it, in a window of 160x120. */
#include <windows.h>
#include <d3d8.h>

struct vertex {
    float x, y, z, w;
    DWORD color;
};

static IDirect3DDevice8 *create_device(IDirect3D8 *d3d, HWND window)
{
    D3DPRESENT_PARAMETERS parameters = {
        .Windowed = TRUE, .SwapEffect = D3DSWAPEFFECT_DISCARD, .BackBufferFormat = D3DFMT_X8R8G8B8};
    IDirect3DDevice8 *device;

    if (FAILED(IDirect3D8_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                       D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &device)))
        return NULL;
    return device;
}

static HRESULT draw(IDirect3DDevice8 *device)
{
    static const struct vertex corners[] = {
        {80, 10, 0.5f, 1, 0xffff0000}, {150, 110, 0.5f, 1, 0xff00ff00}, {10, 110, 0.5f, 1, 0xff0000ff}};

    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff204060, 1, 0);
    IDirect3DDevice8_BeginScene(device);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners, sizeof(corners[0]));
    IDirect3DDevice8_EndScene(device);
    return IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL);
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR words, int show)
{
    HWND window = CreateWindowA("STATIC", "Halcyon", WS_POPUP | WS_VISIBLE, 0, 0, 160, 120, NULL, NULL, instance, NULL);
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    IDirect3DDevice8 *device = d3d ? create_device(d3d, window) : NULL;
    HRESULT hr = device ? D3D_OK : E_FAIL;

    (void)before;
    (void)words;
    (void)show;
    for (unsigned i = 0; i < 3 && SUCCEEDED(hr); i++)
        hr = draw(device);
    if (device)
        IDirect3DDevice8_Release(device);
    if (d3d)
        IDirect3D8_Release(d3d);
    return SUCCEEDED(hr) ? 0 : 1;
}
