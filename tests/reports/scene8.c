/* SPDX-License-Identifier: MIT */
/* The Direct3D 8 scene of the reports. */
#include "tests/reports/scene8.h"

IDirect3DDevice8 *open_scene8(DWORD flags)
{
    IDirect3DDevice8 *device = open_device(open_window(), flags, NULL);

    if (!device)
        return NULL;
    state8(device, D3DRS_LIGHTING, FALSE);
    state8(device, D3DRS_CULLMODE, D3DCULL_NONE);
    state8(device, D3DRS_ZENABLE, FALSE);
    clear_all8(device, 0);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    return device;
}

void close_scene8(IDirect3DDevice8 *device)
{
    D3DDEVICE_CREATION_PARAMETERS creation;

    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    for (unsigned i = 0; i < 8; i++)
        IDirect3DDevice8_SetTexture(device, i, NULL);
    IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
    CHECK_HR(IDirect3DDevice8_GetCreationParameters(device, &creation), D3D_OK);
    close_device(device, creation.hFocusWindow);
}

void state8(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice8_SetRenderState(device, state, value), D3D_OK);
}

void stage8(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice8_SetTextureStageState(device, stage, state, value), D3D_OK);
}

void show_texture8(IDirect3DDevice8 *device, IDirect3DTexture8 *texture)
{
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture), D3D_OK);
    stage8(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage8(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    fill8(device, 0);
}

void clear_all8(IDirect3DDevice8 *device, DWORD color)
{
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, color, 1, 0), D3D_OK);
}

void fill8(IDirect3DDevice8 *device, DWORD color)
{
    const struct {
        float x, y, z, w;
        DWORD color;
        float u, v;
    } corners[4] = {{-0.5f, -0.5f, 0.5f, 1, color, 0, 0},
                    {WIDTH - 0.5f, -0.5f, 0.5f, 1, color, 1, 0},
                    {-0.5f, HEIGHT - 0.5f, 0.5f, 1, color, 0, 1},
                    {WIDTH - 0.5f, HEIGHT - 0.5f, 0.5f, 1, color, 1, 1}};

    draw_strip8(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1, corners, sizeof(corners[0]));
}

void draw_strip8(IDirect3DDevice8 *device, DWORD shader, const void *vertices, UINT stride)
{
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shader), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, vertices, stride), D3D_OK);
}

IDirect3DTexture8 *solid8(IDirect3DDevice8 *device, D3DPOOL pool, DWORD color)
{
    IDirect3DTexture8 *texture = NULL;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 4, 4, 1, 0, D3DFMT_X8R8G8B8, pool, &texture), D3D_OK);
    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (unsigned i = 0; i < 16; i++)
        ((DWORD *)((uint8_t *)locked.pBits + i / 4 * (unsigned)locked.Pitch))[i % 4] = color;
    CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
    return texture;
}

IDirect3DVertexBuffer8 *buffer8(IDirect3DDevice8 *device, DWORD usage, DWORD fvf, const void *data, UINT bytes)
{
    IDirect3DVertexBuffer8 *buffer = NULL;
    BYTE *to;

    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, bytes, usage, fvf, D3DPOOL_DEFAULT, &buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &to, 0), D3D_OK);
    memcpy(to, data, bytes);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    return buffer;
}

DWORD vertex_shader8(IDirect3DDevice8 *device, const DWORD *declaration, const char *text)
{
    uint32_t tokens[SHADER_TOKENS];
    DWORD handle = 0;

    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, assemble_shader(text, tokens), &handle, 0),
             D3D_OK);
    return handle;
}

DWORD pixel_shader8(IDirect3DDevice8 *device, const char *text)
{
    uint32_t tokens[SHADER_TOKENS];
    DWORD handle = 0;

    CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, assemble_shader(text, tokens), &handle), D3D_OK);
    return handle;
}
