/* SPDX-License-Identifier: MIT */
/* Sizes and counts of Direct3D 8 near 2^31 and 2^32. */
#include "tests/runtime/program.h"

#include "tests/runtime/huge.h"

static HRESULT set_positions(void *device)
{
    return IDirect3DDevice8_SetVertexShader((IDirect3DDevice8 *)device, D3DFVF_XYZRHW);
}

static HRESULT draw(void *device, DWORD type, UINT count, const void *vertices, UINT stride)
{
    return IDirect3DDevice8_DrawPrimitiveUP((IDirect3DDevice8 *)device, (D3DPRIMITIVETYPE)type, count, vertices,
                                            stride);
}

static HRESULT draw_indexed(void *device, DWORD type, UINT vertex_count, UINT count, const void *indices, bool wide,
                            const void *vertices)
{
    return IDirect3DDevice8_DrawIndexedPrimitiveUP((IDirect3DDevice8 *)device, (D3DPRIMITIVETYPE)type, 0, vertex_count,
                                                   count, indices, wide ? D3DFMT_INDEX32 : D3DFMT_INDEX16, vertices,
                                                   16);
}

static HRESULT set_private_data(IUnknown *texture, const GUID *id, const void *data, DWORD bytes)
{
    return IDirect3DTexture8_SetPrivateData((IDirect3DTexture8 *)texture, id, data, bytes, 0);
}

static const struct huge_version version = {"d3d8.dll", &devices8,    &resources8,     set_positions,
                                            draw,       draw_indexed, set_private_data};

static void huge8_resources(void)
{
    huge_resources(&version);
}

static void huge8_draws(void)
{
    huge_draws(&version);
}

static void huge8_private_data(void)
{
    huge_private_data(&version);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"huge8_resources", huge8_resources}, {"huge8_draws", huge8_draws}, {"huge8_private_data", huge8_private_data}};

    huge_watch(&version);
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
