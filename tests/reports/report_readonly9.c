/* SPDX-License-Identifier: MIT */
/*
 * Reports about programs that write what they have locked for reading. Outside the managed pool, drivers on Windows
 * accept such writes, so pictures depend on them, and captures must contain them. Each case presents one picture,
 * which tests/run compares with
 * the replay of a capture.
 */
#include "tests/reports/scene9.h"

static void end_picture(IDirect3DDevice9 *device, uint32_t color)
{
    CHECK_COLOR(read_pixel9(device, 320, 240), color, 0);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    present9(device);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    close_scene9(device);
}

static void write_buffer(DWORD usage, D3DPOOL pool)
{
    static const float square[4][4] = {{-1, 1, 0.5f}, {1, 1, 0.5f}, {-1, -1, 0.5f}, {1, -1, 0.5f}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *to = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(square), usage, 0, pool, &buffer, NULL), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &to, D3DLOCK_READONLY), D3D_OK);
    memcpy(to, square, sizeof(square));
    CHECK_HR(IDirect3DVertexBuffer9_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(square[0])), D3D_OK);
    draw_bound_strip9(device);
    IDirect3DVertexBuffer9_Release(buffer);
    end_picture(device, 0xffffff);
}

/* Symptom: traces of games show nothing where they drew. Right: the picture of the program. */
static void static_buffer(void)
{
    write_buffer(0, D3DPOOL_DEFAULT);
}

static void dynamic_buffer(void)
{
    write_buffer(D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT);
}

static void index_buffer(void)
{
    static const float square[4][3] = {{-1, 1, 0.5f}, {1, 1, 0.5f}, {-1, -1, 0.5f}, {1, -1, 0.5f}};
    static const uint16_t indices[4] = {0, 1, 2, 3};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *buffer = NULL;
    void *to = NULL;

    if (!device)
        return;
    vertices = buffer9(device, square, sizeof(square));
    CHECK_HR(IDirect3DDevice9_CreateIndexBuffer(device, sizeof(indices), D3DUSAGE_DYNAMIC, D3DFMT_INDEX16,
                                                D3DPOOL_DEFAULT, &buffer, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DIndexBuffer9_Lock(buffer, 0, 0, &to, D3DLOCK_READONLY), D3D_OK);
    memcpy(to, indices, sizeof(indices));
    CHECK_HR(IDirect3DIndexBuffer9_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, vertices, 0, sizeof(square[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetIndices(device, buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 0, 4, 0, 2), D3D_OK);
    IDirect3DVertexBuffer9_Release(vertices);
    IDirect3DIndexBuffer9_Release(buffer);
    end_picture(device, 0xffffff);
}

/* Symptom: terrain and screens are black in a trace. Right: the picture of the program. */
static void dynamic_texture(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 1, 1, 1, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT,
                                            &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    *(DWORD *)locked.pBits = 0x0000ff;
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    select9(device, 0, D3DTA_TEXTURE);
    fill9(device, 0);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
    IDirect3DTexture9_Release(texture);
    end_picture(device, 0x0000ff);
}

static void plain_surface(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *plain = NULL, *target = NULL;
    D3DLOCKED_RECT locked;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &plain, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(plain, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    for (unsigned i = 0; i < 64; i++)
        ((DWORD *)((uint8_t *)locked.pBits + i / 8 * (unsigned)locked.Pitch))[i % 8] = 0xff0000;
    CHECK_HR(IDirect3DSurface9_UnlockRect(plain), D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &target), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE), D3D_OK);
    IDirect3DSurface9_Release(plain);
    IDirect3DSurface9_Release(target);
    end_picture(device, 0xff0000);
}

static const struct report reports[] = {
    {"static_buffer", "apitrace/apitrace#435", static_buffer},
    {"dynamic_buffer", "apitrace/apitrace#600", dynamic_buffer},
    {"index_buffer", "apitrace/apitrace#600", index_buffer},
    {"dynamic_texture", "apitrace/apitrace#692", dynamic_texture},
    {"plain_surface", "apitrace/apitrace#692", plain_surface},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
