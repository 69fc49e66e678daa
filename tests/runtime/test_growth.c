/* SPDX-License-Identifier: MIT */
/*
 * Creates, uses and releases everything of Direct3D 8 again and again, as test_growth9.c does for Direct3D 9 (devices
 * and Reset: test_life.c). HALCYON_TEST_CYCLES: how often.
 */
#include "tests/runtime/growth.h"
#include "tests/runtime/heap.h"
#include "tests/runtime/program.h"

#define SIZE 16 /* texels and pixels, both ways */

static IDirect3DDevice8 *device;
static unsigned cycle;

static void draw(void)
{
    static const float triangle[3][6] = {{0, 0, 0.5f, 1, 0, 0}, {SIZE, 0, 0.5f, 1, 1, 0}, {0, SIZE, 0.5f, 1, 0, 1}};

    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_TEX1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
}

static void draw_with(void *texture)
{
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, texture), D3D_OK);
    draw();
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, NULL), D3D_OK);
}

static void draw_to(IDirect3DSurface8 *target, IDirect3DSurface8 *depth)
{
    IDirect3DSurface8 *old = NULL, *old_depth = NULL;

    CHECK_HR(IDirect3DDevice8_GetRenderTarget(device, &old), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetDepthStencilSurface(device, &old_depth), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetRenderTarget(device, target, depth), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | (depth ? D3DCLEAR_ZBUFFER : 0), 0, 1, 0),
             D3D_OK);
    draw();
    CHECK_HR(IDirect3DDevice8_SetRenderTarget(device, old, old_depth), D3D_OK);
    IDirect3DSurface8_Release(old);
    IDirect3DSurface8_Release(old_depth);
}

static void textures(void)
{
    static const struct {
        DWORD usage;
        D3DFORMAT format;
        D3DPOOL pool;
    } kinds[] = {{0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT},
                 {0, D3DFMT_DXT1, D3DPOOL_MANAGED},
                 {0, D3DFMT_R5G6B5, D3DPOOL_SYSTEMMEM},
                 {0, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH},
                 {D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT},
                 {D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT}};

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        IDirect3DTexture8 *texture = NULL;
        IDirect3DSurface8 *surface = NULL;
        D3DLOCKED_RECT locked;

        CHECK_HR(IDirect3DDevice8_CreateTexture(device, SIZE, SIZE, 0, kinds[i].usage, kinds[i].format, kinds[i].pool,
                                                &texture),
                 D3D_OK);
        if (!texture)
            continue;
        if (kinds[i].pool != D3DPOOL_DEFAULT || kinds[i].usage & D3DUSAGE_DYNAMIC) {
            CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
            CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
        }
        CHECK_HR(IDirect3DTexture8_GetSurfaceLevel(texture, 0, &surface), D3D_OK);
        if (kinds[i].usage & D3DUSAGE_RENDERTARGET)
            draw_to(surface, NULL);
        if (kinds[i].pool == D3DPOOL_DEFAULT || kinds[i].pool == D3DPOOL_MANAGED)
            draw_with(texture);
        IDirect3DSurface8_Release(surface);
        IDirect3DTexture8_Release(texture);
    }
}

static void cubes_and_volumes(void)
{
    for (unsigned pool = D3DPOOL_DEFAULT; pool <= D3DPOOL_SCRATCH; pool++) {
        IDirect3DVolumeTexture8 *volume = NULL;
        IDirect3DCubeTexture8 *cube = NULL;

        CHECK_HR(IDirect3DDevice8_CreateCubeTexture(device, SIZE, 0, 0, D3DFMT_A8R8G8B8, (D3DPOOL)pool, &cube), D3D_OK);
        CHECK_HR(
            IDirect3DDevice8_CreateVolumeTexture(device, SIZE, SIZE, 4, 0, 0, D3DFMT_A8R8G8B8, (D3DPOOL)pool, &volume),
            D3D_OK);
        if (pool <= D3DPOOL_MANAGED) {
            draw_with(cube);
            draw_with(volume);
        }
        IDirect3DCubeTexture8_Release(cube);
        IDirect3DVolumeTexture8_Release(volume);
    }
}

static void surfaces(void)
{
    IDirect3DSurface8 *target = NULL, *depth = NULL, *image = NULL;

    CHECK_HR(IDirect3DDevice8_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, cycle & 1,
                                                 &target),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateDepthStencilSurface(device, SIZE, SIZE, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, &depth),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateImageSurface(device, SIZE, SIZE, D3DFMT_X8R8G8B8, &image), D3D_OK);
    draw_to(target, depth);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, target, NULL, 0, image, NULL), D3D_OK);
    IDirect3DSurface8_Release(target);
    IDirect3DSurface8_Release(depth);
    IDirect3DSurface8_Release(image);
}

static void buffers(void)
{
    for (unsigned pool = D3DPOOL_DEFAULT; pool <= D3DPOOL_SYSTEMMEM; pool++) {
        IDirect3DVertexBuffer8 *vertices = NULL;
        IDirect3DIndexBuffer8 *indices = NULL;
        BYTE *data;

        CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, 4096, 0, D3DFVF_XYZRHW, (D3DPOOL)pool, &vertices), D3D_OK);
        CHECK_HR(IDirect3DDevice8_CreateIndexBuffer(device, 600, pool ? 0 : D3DUSAGE_DYNAMIC, D3DFMT_INDEX16,
                                                    (D3DPOOL)pool, &indices),
                 D3D_OK);
        CHECK_HR(IDirect3DVertexBuffer8_Lock(vertices, 0, 0, &data, 0), D3D_OK);
        memset(data, 0, 4096);
        CHECK_HR(IDirect3DVertexBuffer8_Unlock(vertices), D3D_OK);
        CHECK_HR(IDirect3DIndexBuffer8_Lock(indices, 0, 0, &data, 0), D3D_OK);
        memset(data, 0, 600);
        CHECK_HR(IDirect3DIndexBuffer8_Unlock(indices), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, vertices, 16), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetIndices(device, indices, 0), D3D_OK);
        CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 3, 0, 10), D3D_OK);
        CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetIndices(device, NULL, 0), D3D_OK);
        IDirect3DVertexBuffer8_Release(vertices);
        IDirect3DIndexBuffer8_Release(indices);
    }
}

static void shaders(void)
{
    static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT4), D3DVSD_END()};
    /* vs_1_1: oPos = v0; ps_1_1: r0 = c0 */
    static const DWORD vertex_code[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000, 0x0000ffff},
                       pixel_code[] = {0xffff0101, 0x00000001, 0x800f0000, 0xa0e40000, 0x0000ffff};
    static const float corners[3][4] = {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}};
    DWORD vertex = 0, pixel = 0;

    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, vertex_code, &vertex, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, pixel_code, &pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, vertex), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners, 16), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, vertex), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, pixel), D3D_OK);
}

static void state_blocks(void)
{
    DWORD block = 0, recorded = 0;

    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CaptureStateBlock(device, block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetRenderState(device, D3DRS_FOGCOLOR, cycle), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &recorded), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, recorded), D3D_OK);
    draw();
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, recorded), D3D_OK);
}

static void swap_chains(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIZE,
                               .BackBufferHeight = SIZE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .BackBufferCount = 1 + cycle % 3,
                               .SwapEffect = D3DSWAPEFFECT_FLIP,
                               .Windowed = TRUE};
    IDirect3DSwapChain8 *chain = NULL;
    IDirect3DSurface8 *back = NULL;

    CHECK_HR(IDirect3DDevice8_CreateAdditionalSwapChain(device, &p, &chain), D3D_OK);
    if (!chain)
        return;
    CHECK_HR(IDirect3DSwapChain8_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    draw_to(back, NULL);
    IDirect3DSurface8_Release(back);
    CHECK_HR(IDirect3DSwapChain8_Present(chain, NULL, NULL, NULL, NULL), D3D_OK);
    IDirect3DSwapChain8_Release(chain);
}

static const struct growth_kind kinds[] = {
    {"textures", textures, 1},       {"cube and volume textures", cubes_and_volumes, 1},
    {"surfaces", surfaces, 1},       {"buffers", buffers, 1},
    {"shaders", shaders, 1},         {"state blocks", state_blocks, 1},
    {"swap chains", swap_chains, 1},
};

static void run_all(DWORD flags)
{
    HWND window = open_window();

    device = open_device(window, flags, NULL);
    if (!device)
        return;
    growth_run(&(struct growth){&devices8, device, NULL, &cycle}, kinds, sizeof(kinds) / sizeof(kinds[0]));
    close_device(device, window);
}

static void growth(void)
{
    run_all(0);
}

/* State blocks of a pure device belong to the driver. */
static void growth_pure(void)
{
    run_all(D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE);
}

static const struct test tests[] = {
    {"growth", growth},
    {"growth_pure", growth_pure},
};

int main(int argc, char **argv)
{
    CHECK(heap_watch(LoadLibraryA("halcyon.dll")));
    CHECK(heap_watch(GetModuleHandleA("d3d8.dll")));
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
