/* SPDX-License-Identifier: MIT */
/*
 * Creates, uses and releases everything of Direct3D 9 and 9Ex again and again: afterwards the dlls have as much memory
 * allocated as before, to the byte, and the process has no more handles, GDI objects or windows. HALCYON_TEST_CYCLES:
 * how often.
 */
#include "tests/runtime/growth.h"
#include "tests/runtime/heap.h"
#include "tests/runtime/program9.h"

#include "bytecode/bytecode.h"

#include <stdlib.h>

#define SIZE 16 /* texels and pixels, both ways */

static IDirect3DDevice9 *device;
static bool is_ex;
static unsigned cycle;

static D3DPOOL managed(void)
{
    return is_ex ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED;
}

/* --- draws, so that the driver has something to release ------------------------------- */

static void draw(void)
{
    static const float triangle[3][6] = {{0, 0, 0.5f, 1, 0, 0}, {SIZE, 0, 0.5f, 1, 1, 0}, {0, SIZE, 0.5f, 1, 0, 1}};

    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
}

static void draw_with(void *texture)
{
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, texture), D3D_OK);
    draw();
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
}

static void draw_to(IDirect3DSurface9 *target, IDirect3DSurface9 *depth)
{
    IDirect3DSurface9 *old = NULL, *old_depth = NULL;

    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &old), D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetDepthStencilSurface(device, &old_depth), D3D_OK);
    if (target)
        CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, depth), D3D_OK);
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | (depth ? D3DCLEAR_ZBUFFER : 0), 0, 1, 0),
             D3D_OK);
    draw();
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, old), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, old_depth), D3D_OK);
    IDirect3DSurface9_Release(old);
    IDirect3DSurface9_Release(old_depth);
}

/* --- textures ---------------------------------------------------------------------------------- */

static void lock_level(IDirect3DTexture9 *texture, unsigned level)
{
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, 0), D3D_OK);
    memset(locked.pBits, (int)cycle, 4);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, level), D3D_OK);
}

static void texture_of(DWORD usage, D3DFORMAT format, D3DPOOL pool)
{
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *surface = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 0, usage, format, pool, &texture, NULL), D3D_OK);
    if (!texture)
        return;
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface), D3D_OK);
    if (usage & D3DUSAGE_RENDERTARGET)
        draw_to(surface, NULL);
    if (usage & D3DUSAGE_DEPTHSTENCIL)
        draw_to(NULL, surface);
    if (pool != D3DPOOL_DEFAULT || usage & D3DUSAGE_DYNAMIC)
        lock_level(texture, 0);
    if (pool != D3DPOOL_SYSTEMMEM && pool != D3DPOOL_SCRATCH && !(usage & D3DUSAGE_DEPTHSTENCIL))
        draw_with(texture);
    IDirect3DSurface9_Release(surface);
    IDirect3DTexture9_Release(texture);
}

static void textures(void)
{
    texture_of(0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
    texture_of(0, D3DFMT_DXT1, managed());
    texture_of(0, D3DFMT_R5G6B5, D3DPOOL_SYSTEMMEM);
    texture_of(0, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH);
}

static void dynamic_textures(void)
{
    texture_of(D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
}

static void target_textures(void)
{
    texture_of(D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
    texture_of(D3DUSAGE_RENDERTARGET, D3DFMT_A16B16G16R16F, D3DPOOL_DEFAULT);
    texture_of(D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT);
}

static void depth_textures(void)
{
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *surface = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, WIDTH, HEIGHT, 1, D3DUSAGE_DEPTHSTENCIL, D3DFMT_D24S8,
                                            D3DPOOL_DEFAULT, &texture, NULL),
             D3D_OK);
    if (!texture)
        return;
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface), D3D_OK);
    draw_to(NULL, surface);
    IDirect3DSurface9_Release(surface);
    draw_with(texture);
    IDirect3DTexture9_Release(texture);
}

/* Levels that the device generates, of a texture that the program fills. */
static void generated_levels(void)
{
    IDirect3DTexture9 *texture = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 0,
                                            D3DUSAGE_AUTOGENMIPMAP | (is_ex ? D3DUSAGE_DYNAMIC : 0), D3DFMT_A8R8G8B8,
                                            managed(), &texture, NULL),
             D3D_OK);
    if (!texture)
        return;
    lock_level(texture, 0);
    IDirect3DTexture9_GenerateMipSubLevels(texture);
    draw_with(texture);
    IDirect3DTexture9_Release(texture);
}

static void updated_textures(void)
{
    IDirect3DTexture9 *from = NULL, *to = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &from, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &to, NULL),
             D3D_OK);
    lock_level(from, 1);
    CHECK_HR(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)from, (IDirect3DBaseTexture9 *)to),
             D3D_OK);
    draw_with(to);
    IDirect3DTexture9_Release(from);
    IDirect3DTexture9_Release(to);
}

static void cube_of(DWORD usage, D3DPOOL pool)
{
    IDirect3DCubeTexture9 *texture = NULL;
    IDirect3DSurface9 *face = NULL;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DDevice9_CreateCubeTexture(device, SIZE, 0, usage, D3DFMT_A8R8G8B8, pool, &texture, NULL), D3D_OK);
    if (!texture)
        return;
    CHECK_HR(IDirect3DCubeTexture9_GetCubeMapSurface(texture, (D3DCUBEMAP_FACES)(cycle % 6), 0, &face), D3D_OK);
    if (usage & D3DUSAGE_RENDERTARGET)
        draw_to(face, NULL);
    if (pool != D3DPOOL_DEFAULT) {
        CHECK_HR(IDirect3DSurface9_LockRect(face, &locked, NULL, 0), D3D_OK);
        CHECK_HR(IDirect3DSurface9_UnlockRect(face), D3D_OK);
    }
    if (pool != D3DPOOL_SYSTEMMEM && pool != D3DPOOL_SCRATCH)
        draw_with(texture);
    IDirect3DSurface9_Release(face);
    IDirect3DCubeTexture9_Release(texture);
}

static void cubes(void)
{
    cube_of(0, D3DPOOL_DEFAULT);
    cube_of(0, managed());
    cube_of(0, D3DPOOL_SYSTEMMEM);
    cube_of(0, D3DPOOL_SCRATCH);
    cube_of(D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT);
}

static void volume_of(DWORD usage, D3DPOOL pool)
{
    IDirect3DVolumeTexture9 *texture = NULL;
    IDirect3DVolume9 *volume = NULL;
    D3DLOCKED_BOX locked;

    CHECK_HR(
        IDirect3DDevice9_CreateVolumeTexture(device, SIZE, SIZE, 4, 0, usage, D3DFMT_A8R8G8B8, pool, &texture, NULL),
        D3D_OK);
    if (!texture)
        return;
    CHECK_HR(IDirect3DVolumeTexture9_GetVolumeLevel(texture, 1, &volume), D3D_OK);
    if (pool != D3DPOOL_DEFAULT || usage & D3DUSAGE_DYNAMIC) {
        CHECK_HR(IDirect3DVolume9_LockBox(volume, &locked, NULL, 0), D3D_OK);
        CHECK_HR(IDirect3DVolume9_UnlockBox(volume), D3D_OK);
    }
    if (pool != D3DPOOL_SYSTEMMEM && pool != D3DPOOL_SCRATCH)
        draw_with(texture);
    IDirect3DVolume9_Release(volume);
    IDirect3DVolumeTexture9_Release(texture);
}

static void volumes(void)
{
    volume_of(0, D3DPOOL_DEFAULT);
    volume_of(D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT);
    volume_of(0, managed());
    volume_of(0, D3DPOOL_SYSTEMMEM);
    volume_of(0, D3DPOOL_SCRATCH);
}

/* --- surfaces ------------------------------------------------------------------------------------ */

static void targets(void)
{
    IDirect3DSurface9 *target = NULL, *depth = NULL, *samples = NULL;

    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, cycle & 1,
                                                 &target, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0,
                                                 FALSE, &samples, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateDepthStencilSurface(device, SIZE, SIZE, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, TRUE,
                                                        &depth, NULL),
             D3D_OK);
    draw_to(target, depth);
    draw_to(samples, NULL);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, samples, NULL, target, NULL, D3DTEXF_NONE), D3D_OK);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(depth);
    IDirect3DSurface9_Release(samples);
}

static void plain_surfaces(void)
{
    static const D3DPOOL pools[] = {D3DPOOL_DEFAULT, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH};

    for (unsigned i = 0; i < 3; i++) {
        IDirect3DSurface9 *surface = NULL;
        D3DLOCKED_RECT locked;
        HDC dc;

        CHECK_HR(
            IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIZE, SIZE, D3DFMT_X8R8G8B8, pools[i], &surface, NULL),
            D3D_OK);
        CHECK_HR(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0), D3D_OK);
        memset(locked.pBits, 0x55, SIZE * 4);
        CHECK_HR(IDirect3DSurface9_UnlockRect(surface), D3D_OK);
        CHECK_HR(IDirect3DSurface9_GetDC(surface, &dc), D3D_OK);
        CHECK_HR(IDirect3DSurface9_ReleaseDC(surface, dc), D3D_OK);
        if (pools[i] == D3DPOOL_DEFAULT)
            CHECK_HR(IDirect3DDevice9_ColorFill(device, surface, NULL, cycle), D3D_OK);
        IDirect3DSurface9_Release(surface);
    }
}

/* 9Ex: memory of the program's. */
static void user_memory(void)
{
    static uint32_t pixels[SIZE * SIZE];
    void *memory = pixels;
    IDirect3DTexture9 *texture = NULL;
    IDirect3DSurface9 *surface = NULL;
    D3DLOCKED_RECT locked;

    if (!is_ex)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &texture,
                                            (HANDLE *)&memory),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                          &surface, (HANDLE *)&memory),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    CHECK(locked.pBits == pixels);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    IDirect3DTexture9_Release(texture);
    IDirect3DSurface9_Release(surface);
}

/* --- buffers --------------------------------------------------------------------------------------- */

static void vertices_of(DWORD usage, D3DPOOL pool)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *data;

    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, 4096, usage, D3DFVF_XYZRHW, pool, &buffer, NULL), D3D_OK);
    if (!buffer)
        return;
    CHECK_HR(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, usage & D3DUSAGE_DYNAMIC ? D3DLOCK_DISCARD : 0), D3D_OK);
    memset(data, 0, 4096);
    CHECK_HR(IDirect3DVertexBuffer9_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 16), D3D_OK);
    if (pool != D3DPOOL_SYSTEMMEM) {
        CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 2), D3D_OK);
        CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    }
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0), D3D_OK);
    IDirect3DVertexBuffer9_Release(buffer);
}

static void vertex_buffers(void)
{
    vertices_of(0, D3DPOOL_DEFAULT);
    vertices_of(D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT);
    vertices_of(0, managed());
    vertices_of(0, D3DPOOL_SYSTEMMEM);
}

static void index_buffers(void)
{
    static const DWORD usages[] = {0, D3DUSAGE_DYNAMIC, D3DUSAGE_WRITEONLY};
    static const float vertices[3][4] = {{0, 0, 0, 1}, {4, 0, 0, 1}, {0, 4, 0, 1}};

    for (unsigned i = 0; i < 3; i++) {
        IDirect3DIndexBuffer9 *buffer = NULL;
        IDirect3DVertexBuffer9 *points = NULL;
        void *data;

        CHECK_HR(IDirect3DDevice9_CreateIndexBuffer(device, 600, usages[i], i & 1 ? D3DFMT_INDEX32 : D3DFMT_INDEX16,
                                                    usages[i] == D3DUSAGE_WRITEONLY ? managed() : D3DPOOL_DEFAULT,
                                                    &buffer, NULL),
                 D3D_OK);
        CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(vertices), 0, 0, D3DPOOL_DEFAULT, &points, NULL),
                 D3D_OK);
        CHECK_HR(IDirect3DIndexBuffer9_Lock(buffer, 0, 0, &data, 0), D3D_OK);
        memset(data, 0, 600);
        CHECK_HR(IDirect3DIndexBuffer9_Unlock(buffer), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetIndices(device, buffer), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, points, 0, 16), D3D_OK);
        CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 3, 0, 10), D3D_OK);
        CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetIndices(device, NULL), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0), D3D_OK);
        IDirect3DIndexBuffer9_Release(buffer);
        IDirect3DVertexBuffer9_Release(points);
    }
}

/* --- shaders, declarations, queries, state blocks, swap chains -------------------------------------- */

/* The last number of the text is that of the cycle, so that no two shaders are alike. */
static size_t assemble(const char *text, uint32_t tokens[256])
{
    struct shader_error error = {0};
    const size_t count = shader_assemble(text, tokens, 256, &error);

    if (!count)
        failed(__FILE__, __LINE__, "line %u: %s", (unsigned)error.offset, error.text);
    return count;
}

static void shaders(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITION, 0},
                                                 D3DDECL_END()};
    static const float corners[3][4] = {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}};
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexShader9 *vertex = NULL;
    IDirect3DPixelShader9 *pixel = NULL;
    uint32_t tokens[256];
    char text[256];

    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    snprintf(text, sizeof(text), "vs_3_0\ndcl_position v0\ndcl_position o0\ndef c0, %u, 0, 0, 0\nadd o0, v0, c0.y\n",
             cycle);
    assemble(text, tokens);
    CHECK_HR(IDirect3DDevice9_CreateVertexShader(device, (DWORD *)tokens, &vertex), D3D_OK);
    snprintf(text, sizeof(text), "ps_3_0\ndef c0, %u, 0, 0, 0\nmov oC0, c0\n", cycle);
    assemble(text, tokens);
    CHECK_HR(IDirect3DDevice9_CreatePixelShader(device, (DWORD *)tokens, &pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexShader(device, vertex), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetPixelShader(device, pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners, 16), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexShader(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetPixelShader(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, NULL), D3D_OK);
    IDirect3DVertexDeclaration9_Release(declaration);
    IDirect3DVertexShader9_Release(vertex);
    IDirect3DPixelShader9_Release(pixel);
}

static void queries(void)
{
    for (D3DQUERYTYPE type = D3DQUERYTYPE_VCACHE; type <= D3DQUERYTYPE_CACHEUTILIZATION; type++) {
        IDirect3DQuery9 *query = NULL;
        uint8_t data[256];

        if (FAILED(IDirect3DDevice9_CreateQuery(device, type, &query)))
            continue;
        IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
        draw();
        IDirect3DQuery9_Issue(query, D3DISSUE_END);
        if (cycle & 1) /* others are released while their answers are on the way */
            while (IDirect3DQuery9_GetData(query, data, IDirect3DQuery9_GetDataSize(query), D3DGETDATA_FLUSH) ==
                   S_FALSE)
                ;
        IDirect3DQuery9_Release(query);
    }
}

static void state_blocks(void)
{
    for (D3DSTATEBLOCKTYPE type = D3DSBT_ALL; type <= D3DSBT_VERTEXSTATE; type++) {
        IDirect3DStateBlock9 *block = NULL;

        CHECK_HR(IDirect3DDevice9_CreateStateBlock(device, type, &block), D3D_OK);
        CHECK_HR(IDirect3DStateBlock9_Capture(block), D3D_OK);
        CHECK_HR(IDirect3DStateBlock9_Apply(block), D3D_OK);
        IDirect3DStateBlock9_Release(block);
    }
    IDirect3DTexture9 *texture = NULL;
    IDirect3DStateBlock9 *recorded = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_FOGCOLOR, cycle), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndStateBlock(device, &recorded), D3D_OK);
    IDirect3DTexture9_Release(texture);
    CHECK_HR(IDirect3DStateBlock9_Apply(recorded), D3D_OK);
    draw_with(NULL);
    IDirect3DStateBlock9_Release(recorded);
}

static void swap_chains(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIZE,
                               .BackBufferHeight = SIZE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .BackBufferCount = 1 + cycle % 3,
                               .SwapEffect = D3DSWAPEFFECT_FLIP,
                               .Windowed = TRUE};
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DSurface9 *back = NULL;

    CHECK_HR(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain), D3D_OK);
    if (!chain)
        return;
    CHECK_HR(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    draw_to(back, NULL);
    IDirect3DSurface9_Release(back);
    CHECK_HR(IDirect3DSwapChain9_Present(chain, NULL, NULL, NULL, NULL, 0), D3D_OK);
    IDirect3DSwapChain9_Release(chain);
}

static void private_data(void)
{
    static const GUID id = {0x12345678, 0, 0, {0}};
    IDirect3DTexture9 *texture = NULL, *held = NULL;
    uint8_t data[1000] = {1};

    CHECK_HR(
        IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &texture, NULL),
        D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIZE, SIZE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &held, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_SetPrivateData(texture, &id, data, sizeof(data), 0), D3D_OK);
    CHECK_HR(IDirect3DTexture9_SetPrivateData(texture, &id, held, sizeof(held), D3DSPD_IUNKNOWN), D3D_OK);
    CHECK_EQUAL(IDirect3DTexture9_Release(held), 1);
    IDirect3DTexture9_Release(texture);
}

/* --- devices and their frames ----------------------------------------------------------------------- */

static D3DPRESENT_PARAMETERS small_buffers(void)
{
    D3DPRESENT_PARAMETERS p = windowed9(NULL);

    p.BackBufferWidth = SIZE + cycle % 3;
    p.BackBufferHeight = SIZE;
    p.BackBufferCount = 1 + cycle % 2;
    return p;
}

static void presents(void)
{
    clear9(device, cycle);
    present9(device);
}

static void resets(void)
{
    D3DPRESENT_PARAMETERS p = small_buffers();

    if (is_ex && cycle & 1)
        CHECK_HR(IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &p, NULL), D3D_OK);
    else
        CHECK_HR(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    texture_of(0, D3DFMT_A8R8G8B8, managed());
    present9(device);
}

static HWND window;

/* A second device next to the existing one. */
static void devices(void)
{
    IDirect3DDevice9 *const first = device;
    D3DPRESENT_PARAMETERS p = small_buffers();

    device =
        open_device9(window, is_ex, cycle & 1 ? D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED : 0, &p);
    if (device) {
        shaders();
        texture_of(0, D3DFMT_A8R8G8B8, managed());
        present9(device);
        CHECK_EQUAL(IDirect3DDevice9_Release(device), 0);
    }
    device = first;
}

/* Names that threads set without drawing are freed with their threads. */
static DWORD WINAPI name_something(void *unused)
{
    (void)unused;
    D3DPERF_BeginEvent(0xff, L"a thread that draws nothing");
    return 0;
}

static void perf_threads(void)
{
    HANDLE thread = CreateThread(NULL, 0, name_something, NULL, 0, NULL);

    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    D3DPERF_BeginEvent(0, L"here");
    draw();
    D3DPERF_EndEvent();
}

static const struct growth_kind kinds[] = {
    {"textures", textures, 1},
    {"dynamic textures", dynamic_textures, 1},
    {"target textures", target_textures, 1},
    {"depth textures", depth_textures, 1},
    {"generated levels", generated_levels, 1},
    {"UpdateTexture", updated_textures, 1},
    {"cube textures", cubes, 1},
    {"volume textures", volumes, 1},
    {"targets and depth buffers", targets, 1},
    {"plain surfaces", plain_surfaces, 1},
    {"user memory", user_memory, 1},
    {"vertex buffers", vertex_buffers, 1},
    {"index buffers", index_buffers, 1},
    {"shaders and declarations", shaders, 1},
    {"queries", queries, 1},
    {"state blocks", state_blocks, 1},
    {"swap chains", swap_chains, 1},
    {"private data", private_data, 1},
    {"Present", presents, 1},
    {"names of events", perf_threads, 1},
    {"Reset", resets, 1},
    {"devices", devices, 1},
};

static void finish(void)
{
    growth_finish(&devices9, device);
}

static void run_all(bool ex)
{
    is_ex = ex;
    window = open_window();
    device = open_device9(window, ex, 0, NULL);
    if (!device)
        return;
    growth_run(&(struct growth){&devices9, device, ex ? "9Ex" : "9", &cycle}, kinds, sizeof(kinds) / sizeof(kinds[0]));
    close_device9(device, window);
}

static void growth_9(void)
{
    run_all(false);
}

static void growth_9ex(void)
{
    run_all(true);
}

/* --- shaders that are kept -------------------------------------------------------------------------------- */

/* Programs keep thousands of shaders; only memory limits them. */
static void many_shaders(void)
{
    enum { ALIVE = 10000, MADE = 20000 };
    static IDirect3DPixelShader9 *made[ALIVE];
    struct heap_use heap, now;
    uint32_t tokens[256];
    unsigned refused = 0;

    window = open_window();
    device = open_device9(window, false, 0, NULL);
    if (!device)
        return;
    shaders();
    finish();
    heap = heap_use();
    for (unsigned i = 0; i < MADE; i++) {
        char text[80];

        if (made[i % ALIVE])
            IDirect3DPixelShader9_Release(made[i % ALIVE]);
        snprintf(text, sizeof(text), "ps_2_0\ndef c0, 0, 0, %u, 1\nmov oC0, c0\n", i & 1);
        assemble(text, tokens);
        refused += FAILED(IDirect3DDevice9_CreatePixelShader(device, (DWORD *)tokens, &made[i % ALIVE]));
    }
    CHECK_EQUAL(refused, 0);
    for (unsigned i = 0; i < ALIVE; i += 1111) {
        CHECK_HR(IDirect3DDevice9_SetPixelShader(device, made[i]), D3D_OK);
        CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0), D3D_OK);
        draw();
        CHECK_EQUAL(read_pixel9(device, 2, 2), i & 1 ? 0x0000ff : 0);
    }
    CHECK_HR(IDirect3DDevice9_SetPixelShader(device, NULL), D3D_OK);
    for (unsigned i = 0; i < ALIVE; i++)
        if (made[i])
            CHECK_EQUAL(IDirect3DPixelShader9_Release(made[i]), 0);
    finish();
    /* tables that have grown stay large */
    now = heap_use();
    if (now.blocks > heap.blocks + 100 || now.bytes > heap.bytes + 2000000)
        failed(__FILE__, __LINE__, "%zu blocks of %zu bytes became %zu of %zu", heap.blocks, heap.bytes, now.blocks,
               now.bytes);
    close_device9(device, window);
}

/* --- lack of memory -------------------------------------------------------------------------- */

/* A Reset of 9Ex that lacks memory leaves a device that draws, or reports that it does not; the next Reset finds
 * everything as it was. */
static void reset_without_memory(void)
{
    unsigned refused = 0, lost = 0;

    window = open_window();
    device = open_device9(window, true, 0, NULL);
    if (!device)
        return;
    for (cycle = 1; cycle < 60; cycle++) {
        D3DPRESENT_PARAMETERS p = windowed9(window);
        HRESULT hr, state;

        p.BackBufferWidth = 200 + cycle;
        heap_fail(1 + cycle / 2, cycle % 2 ? 1 : 1000);
        hr = IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &p, NULL);
        heap_fail(0, 0);
        refused += FAILED(hr);
        state = IDirect3DDevice9Ex_CheckDeviceState((IDirect3DDevice9Ex *)device, window);
        lost += state == D3DERR_DEVICELOST;
        CHECK(state == D3D_OK || (FAILED(hr) && state == D3DERR_DEVICELOST));
        if (state == D3D_OK) {
            clear9(device, cycle);
            CHECK_EQUAL(read_pixel9(device, 150, 150), cycle);
        } else {
            CHECK_HR(IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &p, NULL), D3D_OK);
            clear9(device, cycle);
            CHECK_EQUAL(read_pixel9(device, 150, 150), cycle);
        }
    }
    CHECK(refused > 5 && lost > 0 && lost < refused);
    close_device9(device, window);
}

/* An unsupported size is refused before anything of the device is released. */
static void reset_too_large(void)
{
    D3DPRESENT_PARAMETERS p;

    window = open_window();
    device = open_device9(window, true, 0, NULL);
    if (!device)
        return;
    p = windowed9(window);
    p.BackBufferWidth = 32767;
    CHECK_HR(IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &p, NULL), D3DERR_INVALIDCALL);
    clear9(device, 0x123456);
    CHECK_EQUAL(read_pixel9(device, WIDTH - 1, HEIGHT - 1), 0x123456);
    close_device9(device, window);
}

static const struct test tests[] = {
    {"growth9", growth_9},
    {"growth9_ex", growth_9ex},
    {"growth9_many_shaders", many_shaders},
    {"growth9_reset_without_memory", reset_without_memory},
    {"growth9_reset_too_large", reset_too_large},
};

int main(int argc, char **argv)
{
    /* d3d9.dll loads the driver later; here the driver is in the program's folder, too. */
    CHECK(heap_watch(LoadLibraryA("halcyon.dll")));
    CHECK(heap_watch(GetModuleHandleA("d3d9.dll")));
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
