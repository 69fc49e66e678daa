/* SPDX-License-Identifier: MIT */
/* All locks of Direct3D 9 (tests/runtime/locks.h). */
#include "tests/runtime/program9.h"

#include "tests/runtime/locks.h"

static IDirect3DSurface9 *back;

static HRESULT get_dc(IUnknown *surface, HDC *dc)
{
    return IDirect3DSurface9_GetDC((IDirect3DSurface9 *)surface, dc);
}

static HRESULT release_dc(IUnknown *surface, HDC dc)
{
    return IDirect3DSurface9_ReleaseDC((IDirect3DSurface9 *)surface, dc);
}

static void set_viewport(void *any_device, unsigned x, unsigned y, unsigned width, unsigned height)
{
    const D3DVIEWPORT9 viewport = {x, y, width, height, 0, 1};

    IDirect3DDevice9_SetViewport((IDirect3DDevice9 *)any_device, &viewport);
}

static void draw_buffer(void *any_device, IUnknown *vertices, IUnknown *indices)
{
    IDirect3DDevice9 *device = any_device;

    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice9_SetStreamSource(device, 0, (IDirect3DVertexBuffer9 *)vertices, 0, sizeof(struct locks_vertex));
    if (!indices) {
        IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2);
        return;
    }
    IDirect3DDevice9_SetIndices(device, (IDirect3DIndexBuffer9 *)indices);
    IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, LOCKS_SQUARES * LOCKS_CORNERS, 0, 2);
    IDirect3DDevice9_SetIndices(device, NULL);
}

static void draw_texture(void *any_device, IUnknown *texture, const struct locks_corner corners[LOCKS_CORNERS])
{
    IDirect3DDevice9 *device = any_device;

    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0));
    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
    IDirect3DDevice9_SetTexture(device, 0, NULL);
}

static void draw_surface(void *any_device, const struct resource_desc *desc, IUnknown *surface, unsigned x, unsigned y)
{
    const RECT to = {(LONG)x, (LONG)y, (LONG)(x + LOCKS_CELL), (LONG)(y + LOCKS_CELL)};
    IDirect3DSurface9 *from = (IDirect3DSurface9 *)surface, *copy = NULL;
    IDirect3DDevice9 *device = any_device;

    if (desc->pool == D3DPOOL_DEFAULT) {
        IDirect3DDevice9_StretchRect(device, from, NULL, back, &to, D3DTEXF_POINT);
        return;
    }
    IDirect3DDevice9_CreateOffscreenPlainSurface(device, LOCKS_TEXELS, LOCKS_TEXELS, (D3DFORMAT)desc->format,
                                                 D3DPOOL_DEFAULT, &copy, NULL);
    if (copy && SUCCEEDED(IDirect3DDevice9_UpdateSurface(device, from, NULL, copy, NULL)))
        IDirect3DDevice9_StretchRect(device, copy, NULL, back, &to, D3DTEXF_POINT);
    if (copy)
        IDirect3DSurface9_Release(copy);
}

static HRESULT update_texture(void *device, IUnknown *from, IUnknown *to)
{
    return IDirect3DDevice9_UpdateTexture((IDirect3DDevice9 *)device, (IDirect3DBaseTexture9 *)from,
                                          (IDirect3DBaseTexture9 *)to);
}

static void begin(void *any_device, uint32_t rgb)
{
    IDirect3DDevice9 *device = any_device;

    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
}

static uint32_t *read(void *device)
{
    return read_target9(device);
}

static void show(void *any_device)
{
    IDirect3DDevice9 *device = any_device;

    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    pump();
}

static void all_locks(void)
{
    static const struct locks_api api = {
        .resources = &resources9,
        .converts = true,
        .get_dc = get_dc,
        .release_dc = release_dc,
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
    D3DPRESENT_PARAMETERS params = windowed9(window);
    IDirect3DDevice9 *device;

    params.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_device9(window, false, 0, &params);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    locks_run(&api, device);
    IDirect3DSurface9_Release(back);
    close_device9(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"all locks", all_locks}};

    return run_tests(tests, 1, argc, argv);
}
