/* SPDX-License-Identifier: MIT */
/* All locks of Direct3D 8 (tests/runtime/locks.h). */
#include "tests/runtime/program.h"

#include "tests/runtime/locks.h"

static IDirect3DSurface8 *back;

static void set_viewport(void *any_device, unsigned x, unsigned y, unsigned width, unsigned height)
{
    const D3DVIEWPORT8 viewport = {x, y, width, height, 0, 1};

    IDirect3DDevice8_SetViewport((IDirect3DDevice8 *)any_device, &viewport);
}

static void draw_buffer(void *any_device, IUnknown *vertices, IUnknown *indices)
{
    IDirect3DDevice8 *device = any_device;

    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetStreamSource(device, 0, (IDirect3DVertexBuffer8 *)vertices, sizeof(struct locks_vertex));
    if (!indices) {
        IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2);
        return;
    }
    IDirect3DDevice8_SetIndices(device, (IDirect3DIndexBuffer8 *)indices, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, LOCKS_SQUARES * LOCKS_CORNERS, 0, 2);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
}

static void draw_texture(void *any_device, IUnknown *texture, const struct locks_corner corners[LOCKS_CORNERS])
{
    IDirect3DDevice8 *device = any_device;

    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0));
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
    IDirect3DDevice8_SetTexture(device, 0, NULL);
}

static void draw_surface(void *device, const struct resource_desc *desc, IUnknown *surface, unsigned x, unsigned y)
{
    const RECT all = {0, 0, LOCKS_TEXELS, LOCKS_TEXELS};
    const POINT to = {(LONG)x, (LONG)y};

    (void)desc;
    IDirect3DDevice8_CopyRects((IDirect3DDevice8 *)device, (IDirect3DSurface8 *)surface, &all, 1, back, &to);
}

static HRESULT update_texture(void *device, IUnknown *from, IUnknown *to)
{
    return IDirect3DDevice8_UpdateTexture((IDirect3DDevice8 *)device, (IDirect3DBaseTexture8 *)from,
                                          (IDirect3DBaseTexture8 *)to);
}

static void begin(void *any_device, uint32_t rgb)
{
    IDirect3DDevice8 *device = any_device;

    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
}

static uint32_t *read(void *device)
{
    return read_target(device);
}

static void show(void *any_device)
{
    IDirect3DDevice8 *device = any_device;

    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    pump();
}

static void all_locks(void)
{
    static const struct locks_api api = {
        .resources = &resources8,
        .set_viewport = set_viewport,
        .draw_buffer = draw_buffer,
        .draw_texture = draw_texture,
        .draw_surface = draw_surface,
        .update_texture = update_texture,
        .begin = begin,
        .read = read,
        .show = show,
    };
    HWND window = open_window();
    D3DPRESENT_PARAMETERS params = windowed(window);
    IDirect3DDevice8 *device;

    params.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_device(window, 0, &params);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    locks_run(&api, device);
    IDirect3DSurface8_Release(back);
    close_device(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"all locks", all_locks}};

    return run_tests(tests, 1, argc, argv);
}
