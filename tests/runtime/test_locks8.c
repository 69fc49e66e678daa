/* SPDX-License-Identifier: MIT */
/* All locks of Direct3D 8 (tests/runtime/locks.h). */
#include "tests/runtime/program.h"

#include "tests/runtime/locks.h"

typedef D3DVIEWPORT8 VIEWPORT;

static IDirect3DSurface8 *back;

static void set_format(IDirect3DDevice8 *device, DWORD fvf)
{
    IDirect3DDevice8_SetVertexShader(device, fvf);
}

static void set_vertices(IDirect3DDevice8 *device, IDirect3DVertexBuffer8 *vertices, UINT stride)
{
    IDirect3DDevice8_SetStreamSource(device, 0, vertices, stride);
}

static void draw_indexed(IDirect3DDevice8 *device, IDirect3DIndexBuffer8 *indices)
{
    IDirect3DDevice8_SetIndices(device, indices, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, LOCKS_SQUARES * LOCKS_CORNERS, 0, 2);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
}

static HRESULT get_back_buffer(IDirect3DDevice8 *device, IDirect3DSurface8 **surface)
{
    return IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, surface);
}

static void draw_surface(void *device, const struct resource_desc *desc, IUnknown *surface, unsigned x, unsigned y)
{
    const RECT all = {0, 0, LOCKS_TEXELS, LOCKS_TEXELS};
    const POINT to = {(LONG)x, (LONG)y};

    (void)desc;
    IDirect3DDevice8_CopyRects((IDirect3DDevice8 *)device, (IDirect3DSurface8 *)surface, &all, 1, back, &to);
}

#include "tests/runtime/locks_draws.h"

static void all_locks(void)
{
    static const struct locks_api api = {
        .devices = &devices8,
        .resources = &resources8,
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
