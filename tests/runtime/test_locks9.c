/* SPDX-License-Identifier: MIT */
/* All locks of Direct3D 9 (tests/runtime/locks.h). */
#include "tests/runtime/program9.h"

#include "tests/runtime/locks.h"

typedef D3DVIEWPORT9 VIEWPORT;

static IDirect3DSurface9 *back;

static HRESULT get_dc(IUnknown *surface, HDC *dc)
{
    return IDirect3DSurface9_GetDC((IDirect3DSurface9 *)surface, dc);
}

static HRESULT release_dc(IUnknown *surface, HDC dc)
{
    return IDirect3DSurface9_ReleaseDC((IDirect3DSurface9 *)surface, dc);
}

static void set_format(IDirect3DDevice9 *device, DWORD fvf)
{
    IDirect3DDevice9_SetFVF(device, fvf);
}

static void set_vertices(IDirect3DDevice9 *device, IDirect3DVertexBuffer9 *vertices, UINT stride)
{
    IDirect3DDevice9_SetStreamSource(device, 0, vertices, 0, stride);
}

static void draw_indexed(IDirect3DDevice9 *device, IDirect3DIndexBuffer9 *indices)
{
    IDirect3DDevice9_SetIndices(device, indices);
    IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, LOCKS_SQUARES * LOCKS_CORNERS, 0, 2);
    IDirect3DDevice9_SetIndices(device, NULL);
}

static HRESULT get_back_buffer(IDirect3DDevice9 *device, IDirect3DSurface9 **surface)
{
    return IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, surface);
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

#include "tests/runtime/locks_draws.h"

static void all_locks(void)
{
    static const struct locks_api api = {
        .devices = &devices9,
        .resources = &resources9,
        .converts = true,
        .get_dc = get_dc,
        .release_dc = release_dc,
        .set_viewport = set_viewport,
        .draw_buffer = draw_buffer,
        .draw_texture = draw_texture,
        .draw_surface = draw_surface,
    };

    run(&api);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"all locks", all_locks}};

    return run_tests(tests, 1, argc, argv);
}
