/* SPDX-License-Identifier: MIT */
/* The Direct3D 9 scene of the reports. */
#include "tests/reports/scene9.h"

IDirect3DDevice9 *open_scene9(DWORD flags, const D3DPRESENT_PARAMETERS *params)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS p = params ? *params : windowed9(window);
    IDirect3DDevice9 *device;

    p.hDeviceWindow = window;
    device = open_device9(window, false, flags, &p);
    if (!device)
        return NULL;
    state9(device, D3DRS_LIGHTING, FALSE);
    state9(device, D3DRS_CULLMODE, D3DCULL_NONE);
    state9(device, D3DRS_ZENABLE, FALSE);
    clear_all9(device, 0);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    return device;
}

void close_scene9(IDirect3DDevice9 *device)
{
    D3DDEVICE_CREATION_PARAMETERS creation;

    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    for (unsigned i = 0; i < 8; i++)
        IDirect3DDevice9_SetTexture(device, i, NULL);
    for (unsigned i = 0; i < 2; i++)
        IDirect3DDevice9_SetStreamSource(device, i, NULL, 0, 0);
    IDirect3DDevice9_SetIndices(device, NULL);
    IDirect3DDevice9_SetVertexShader(device, NULL);
    IDirect3DDevice9_SetPixelShader(device, NULL);
    CHECK_HR(IDirect3DDevice9_GetCreationParameters(device, &creation), D3D_OK);
    close_device9(device, creation.hFocusWindow);
}

void state9(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, state, value), D3D_OK);
}

void stage9(IDirect3DDevice9 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice9_SetTextureStageState(device, stage, state, value), D3D_OK);
}

void sampler9(IDirect3DDevice9 *device, DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, sampler, state, value), D3D_OK);
}

void select9(IDirect3DDevice9 *device, DWORD stage, DWORD argument)
{
    stage9(device, stage, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage9(device, stage, D3DTSS_COLORARG1, argument);
    stage9(device, stage, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    stage9(device, stage, D3DTSS_ALPHAARG1, argument);
}

void clear_all9(IDirect3DDevice9 *device, DWORD color)
{
    CHECK_HR(
        IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, color, 1, 0),
        D3D_OK);
}

void draw_rect9(IDirect3DDevice9 *device, float left, float top, float right, float bottom, DWORD color)
{
    const struct {
        float x, y, z, w;
        DWORD color;
        float u, v;
    } corners[4] = {{left - 0.5f, top - 0.5f, 0.5f, 1, color, 0, 0},
                    {right - 0.5f, top - 0.5f, 0.5f, 1, color, 1, 0},
                    {left - 0.5f, bottom - 0.5f, 0.5f, 1, color, 0, 1},
                    {right - 0.5f, bottom - 0.5f, 0.5f, 1, color, 1, 1}};

    draw_strip9(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1, corners, sizeof(corners[0]));
}

void fill9(IDirect3DDevice9 *device, DWORD color)
{
    draw_rect9(device, 0, 0, WIDTH, HEIGHT, color);
}

void draw_strip9(IDirect3DDevice9 *device, DWORD fvf, const void *vertices, UINT stride)
{
    CHECK_HR(IDirect3DDevice9_SetFVF(device, fvf), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, vertices, stride), D3D_OK);
}

void draw_bound_strip9(IDirect3DDevice9 *device)
{
    CHECK_HR(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
}

IDirect3DTexture9 *texture9(IDirect3DDevice9 *device, D3DFORMAT format, unsigned width, unsigned height,
                            const void *texels, unsigned bytes)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, width, height, 1, 0, format, D3DPOOL_MANAGED, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < height; y++)
        memcpy((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch, (const uint8_t *)texels + y * width * bytes,
               width * bytes);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    return texture;
}

IDirect3DTexture9 *solid9(IDirect3DDevice9 *device, DWORD color)
{
    DWORD texels[16];

    for (unsigned i = 0; i < 16; i++)
        texels[i] = color;
    return texture9(device, D3DFMT_A8R8G8B8, 4, 4, texels, sizeof(texels[0]));
}

void fill_level9(IDirect3DTexture9 *texture, UINT level, DWORD flags, DWORD color)
{
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DTexture9_GetLevelDesc(texture, level, &desc), D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, flags), D3D_OK);
    for (unsigned y = 0; y < desc.Height; y++)
        for (unsigned x = 0; x < desc.Width; x++)
            ((DWORD *)((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch))[x] = color;
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, level), D3D_OK);
}

IDirect3DVertexBuffer9 *buffer9(IDirect3DDevice9 *device, const void *data, UINT bytes)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *to;

    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, bytes, 0, 0, D3DPOOL_MANAGED, &buffer, NULL), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &to, 0), D3D_OK);
    memcpy(to, data, bytes);
    CHECK_HR(IDirect3DVertexBuffer9_Unlock(buffer), D3D_OK);
    return buffer;
}

void set_indices9(IDirect3DDevice9 *device, const uint16_t *indices, UINT count)
{
    IDirect3DIndexBuffer9 *buffer = NULL;
    UINT bytes = count * (UINT)sizeof(indices[0]);
    void *to;

    CHECK_HR(IDirect3DDevice9_CreateIndexBuffer(device, bytes, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &buffer, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DIndexBuffer9_Lock(buffer, 0, 0, &to, 0), D3D_OK);
    memcpy(to, indices, bytes);
    CHECK_HR(IDirect3DIndexBuffer9_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetIndices(device, buffer), D3D_OK);
    IDirect3DIndexBuffer9_Release(buffer);
}

void set_declaration9(IDirect3DDevice9 *device, const D3DVERTEXELEMENT9 *elements)
{
    IDirect3DVertexDeclaration9 *declaration = NULL;

    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    IDirect3DVertexDeclaration9_Release(declaration);
}

void set_shaders9(IDirect3DDevice9 *device, const char *vertex, const char *pixel)
{
    set_vertex_shader9(device, vertex);
    set_pixel_shader9(device, pixel);
}

DWORD count_drawn9(IDirect3DDevice9 *device, void (*draw)(IDirect3DDevice9 *device))
{
    IDirect3DQuery9 *query = NULL;
    DWORD count = 0;
    HRESULT hr;

    CHECK_HR(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query), D3D_OK);
    if (!query)
        return 0;
    CHECK_HR(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN), D3D_OK);
    draw(device);
    CHECK_HR(IDirect3DQuery9_Issue(query, D3DISSUE_END), D3D_OK);
    do
        hr = IDirect3DQuery9_GetData(query, &count, sizeof(count), D3DGETDATA_FLUSH);
    while (hr == S_FALSE);
    CHECK_HR(hr, D3D_OK);
    IDirect3DQuery9_Release(query);
    return count;
}
