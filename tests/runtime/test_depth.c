/* SPDX-License-Identifier: MIT */
/* W buffers: their range comes with the projection, however the projection is set. */
#include "tests/runtime/program.h"

struct vertex {
    float x, y, z;
    DWORD color;
};
#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE)

/* From 1 to 10000: 16 bits of z cannot distinguish 9000 from 9001, 16 bits of w can. */
static const D3DMATRIX far_sighted = {
    .m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 10000.0f / 9999, 1}, {0, 0, -10000.0f / 9999, 0}}};
static const D3DMATRIX affine = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0.0001f, 0}, {0, 0, 0, 1}}};
static const D3DMATRIX identity = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

static HWND window;
static IDirect3DDevice8 *device;

static void set_up(void)
{
    D3DPRESENT_PARAMETERS params;

    window = open_window();
    params = windowed(window);
    params.AutoDepthStencilFormat = D3DFMT_D16;
    device = open_device(window, 0, &params);
    if (!device)
        return;
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
}

static void wall(float distance, DWORD color)
{
    const float side = 2 * distance;
    const struct vertex v[4] = {{-side, side, distance, color},
                                {side, side, distance, color},
                                {-side, -side, distance, color},
                                {side, -side, distance, color}};

    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])), D3D_OK);
}

/* The nearer wall is drawn first. */
static uint32_t shown(float depth, DWORD mode, float nearer, float farther)
{
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, mode);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, depth, 0), D3D_OK);
    IDirect3DDevice8_BeginScene(device);
    wall(nearer, 0xffff0000);
    wall(farther, 0xff00ff00);
    IDirect3DDevice8_EndScene(device);
    return read_pixel(device, 300, 200);
}

static void w_buffer(void)
{
    DWORD block, value = 0;
    D3DCAPS8 caps;

    set_up();
    if (!device)
        return;
    IDirect3DDevice8_GetDeviceCaps(device, &caps);
    CHECK(caps.RasterCaps & D3DPRASTERCAPS_WBUFFER);
    CHECK_HR(IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &far_sighted), D3D_OK);
    CHECK_EQUAL(shown(1, D3DZB_TRUE, 9000, 9001), 0x00ff00);
    CHECK_EQUAL(shown(1, D3DZB_USEW, 9000, 9001), 0xff0000);
    IDirect3DDevice8_GetRenderState(device, D3DRS_ZENABLE, &value);
    CHECK_EQUAL(value, D3DZB_USEW);
    /* cleared to half of the range: 6000 is behind it, 4000 is not */
    CHECK_EQUAL(shown(0.5f, D3DZB_USEW, 6000, 7000), 0x000000);
    CHECK_EQUAL(shown(0.5f, D3DZB_USEW, 4000, 7000), 0xff0000);
    /* a projection that keeps w has no range; the next projection has one */
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &affine);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &far_sighted);
    CHECK_EQUAL(shown(1, D3DZB_USEW, 9000, 9001), 0xff0000);
    /* through a product, and through a state block */
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &identity);
    CHECK_HR(IDirect3DDevice8_MultiplyTransform(device, D3DTS_PROJECTION, &far_sighted), D3D_OK);
    CHECK_EQUAL(shown(0.5f, D3DZB_USEW, 4000, 7000), 0xff0000);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &identity);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    IDirect3DDevice8_DeleteStateBlock(device, block);
    CHECK_EQUAL(shown(1, D3DZB_USEW, 9000, 9001), 0xff0000);
    close_device(device, window);
}

static const struct test tests[] = {
    {"depth_w_buffer", w_buffer},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
