/* SPDX-License-Identifier: MIT */
/*
 * The user's multisampling (HALCYON_MULTISAMPLE, docs/antialiasing.md). Where a program may notice nothing, it reads what it reads without
 * the setting: edges lie between pixels there. Edges across pixels are what they are for a program that asks for the samples itself.
 */
#include "tests/runtime/scene9.h"

#include <math.h>

/* --- edges -------------------------------------------------------------------------------------- */

/* Triangles in all directions, the back buffer averaged as StretchRect has it. */
static void draw_edges(struct settings_view *view)
{
    const bool set = GetEnvironmentVariableA("HALCYON_MULTISAMPLE", NULL, 0) != 0;
    D3DPRESENT_PARAMETERS p = windowed9(NULL);
    IDirect3DSurface9 *back, *averaged;
    IDirect3DDevice9 *device;

    p.MultiSampleType = set ? D3DMULTISAMPLE_NONE : D3DMULTISAMPLE_4_SAMPLES;
    device = open_scene(0, &p);
    if (!device)
        return;
    /* as programs do that have an option for samples, when it is off */
    IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEANTIALIAS, !set);
    IDirect3DDevice9_SetRenderState(device, D3DRS_MULTISAMPLEMASK, set ? 1 : 0xffffffff);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    for (unsigned i = 0; i < 60; i++) {
        const float a = (float)i * 0.7f, z = 0.1f + (float)(i * 7 % 11) * 0.08f;
        const struct {
            float x, y, z;
            DWORD color;
        } v[3] = {{0, 0, z, 0xff000000 | i * 0x50a0f},
                  {cosf(a), sinf(a), z, 0xff00ff00},
                  {cosf(a + 0.4f), sinf(a + 0.4f), 1 - z, 0xff0000ff}};

        IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, v, sizeof(*v));
    }
    IDirect3DDevice9_GetRenderTarget(device, 0, &back);
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, TRUE,
                                                 &averaged, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, back, NULL, averaged, NULL, D3DTEXF_NONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, averaged), D3D_OK);
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(averaged);
    close_scene(device, view);
}

/* --- what a program does not notice -------------------------------------------------------------- */

static IDirect3DSurface9 *texture_target(IDirect3DDevice9 *device, unsigned width, unsigned height,
                                         IDirect3DTexture9 **texture)
{
    IDirect3DSurface9 *level = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, width, height, 1, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                                            D3DPOOL_DEFAULT, texture, NULL),
             D3D_OK);
    IDirect3DTexture9_GetSurfaceLevel(*texture, 0, &level);
    return level;
}

static void show_texture(IDirect3DDevice9 *device, IDirect3DTexture9 *texture, float left, float top, float right,
                         float bottom)
{
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture);
    draw_quad(device, left, top, right, bottom, 0xffffffff);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    IDirect3DDevice9_SetTexture(device, 0, NULL);
}

/* The device's depth buffer with the back buffer, with textures of its size and of others, and two targets at once. */
static void draw_targets(struct settings_view *view)
{
    IDirect3DDevice9 *device = open_scene(0, NULL);
    IDirect3DTexture9 *large, *small;
    IDirect3DSurface9 *back, *large_level, *small_level;

    if (!device)
        return;
    large_level = texture_target(device, WIDTH, HEIGHT, &large);
    small_level = texture_target(device, 128, 128, &small);
    IDirect3DDevice9_GetRenderTarget(device, 0, &back);
    draw_quad(device, 99.5f, 99.5f, 299.5f, 299.5f, 0xffff0000); /* at depth 0.5 */
    for (unsigned i = 0; i < 3; i++) {
        CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, i & 1 ? small_level : large_level), D3D_OK);
        IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000040, 1, 0);
        IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_LESS); /* not where the red one is */
        draw_quad(device, 49.5f, 49.5f, 249.5f, 199.5f, 0xff00ff00);
        IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
        CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
        show_texture(device, large, 299.5f, 199.5f + 60 * (float)i, 539.5f, 259.5f + 60 * (float)i);
        show_texture(device, small, 9.5f, 309.5f, 137.5f, 437.5f);
    }
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, large_level), D3D_OK);
    set_pixel_shader9(device, "ps_2_0\ndef c0, 1, 0.5, 0.25, 1\ndef c1, 0, 0.75, 1, 1\nmov oC0, c0\nmov oC1, c1\n");
    draw_quad(device, 199.5f, 19.5f, 599.5f, 89.5f, 0);
    set_pixel_shader9(device, NULL);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, NULL), D3D_OK);
    show_texture(device, large, 399.5f, 99.5f, 639.5f, 189.5f);
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(large_level);
    IDirect3DSurface9_Release(small_level);
    IDirect3DTexture9_Release(large);
    IDirect3DTexture9_Release(small);
    close_scene(device, view);
}

/* Depth that is copied between depth buffers of which one is bound, and outside a scene, as StretchRect wants it. */
static void draw_depth_copies(struct settings_view *view)
{
    IDirect3DDevice9 *device = open_scene(0, NULL);
    IDirect3DSurface9 *depth, *copy;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateDepthStencilSurface(device, WIDTH, HEIGHT, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
                                                        FALSE, &copy, NULL),
             D3D_OK);
    IDirect3DDevice9_GetDepthStencilSurface(device, &depth);
    draw_quad(device, 99.5f, 99.5f, 299.5f, 299.5f, 0xffff0000);
    IDirect3DDevice9_EndScene(device);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, depth, NULL, copy, NULL, D3DTEXF_NONE), D3D_OK);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0);
    IDirect3DDevice9_BeginScene(device);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, D3DCMP_LESS);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, copy), D3D_OK);
    draw_quad(device, 49.5f, 149.5f, 399.5f, 249.5f, 0xff00ff00);
    IDirect3DDevice9_EndScene(device);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, copy, NULL, depth, NULL, D3DTEXF_NONE), D3D_OK);
    IDirect3DDevice9_BeginScene(device);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, depth), D3D_OK);
    draw_quad(device, 199.5f, 19.5f, 249.5f, 449.5f, 0xff0000ff);
    IDirect3DSurface9_Release(depth);
    IDirect3DSurface9_Release(copy);
    close_scene(device, view);
}

/* A back buffer that is locked, filled, copied to and from, and drawn to through GDI; presented by flips, after which it holds
 * the picture before the last. */
static void draw_copies(struct settings_view *view)
{
    const RECT left = {0, 0, 200, 300}, middle = {201, 33, 401, 333};
    D3DPRESENT_PARAMETERS p = windowed9(NULL);
    IDirect3DSurface9 *back, *other;
    IDirect3DDevice9 *device;
    D3DLOCKED_RECT locked;
    HDC dc;

    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    p.SwapEffect = D3DSWAPEFFECT_FLIP;
    device = open_scene(0, &p);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, 200, 300, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                 &other, NULL),
             D3D_OK);
    for (unsigned i = 0; i < 5; i++) {
        draw_quad(device, 19.5f, 19.5f + 50 * (float)i, 149.5f, 279.5f, 0xffff8000 + i * 0x30);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, back, &left, other, NULL, D3DTEXF_NONE), D3D_OK);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, other, NULL, back, &middle, D3DTEXF_NONE), D3D_OK);
        CHECK_HR(IDirect3DDevice9_ColorFill(device, back, (&(RECT){500, 10 + 40 * (LONG)i, 560, 40 + 40 * (LONG)i}),
                                            0xff112233),
                 D3D_OK);
        CHECK_HR(IDirect3DSurface9_LockRect(back, &locked, NULL, 0), D3D_OK);
        for (unsigned x = 0; x < WIDTH; x++)
            ((DWORD *)((BYTE *)locked.pBits + (400 + i) * (unsigned)locked.Pitch))[x] = x * 0x10305;
        IDirect3DSurface9_UnlockRect(back);
        CHECK_HR(IDirect3DSurface9_GetDC(back, &dc), D3D_OK);
        PatBlt(dc, 300 + 40 * (int)i, 420, 33, 17, WHITENESS);
        CHECK_HR(IDirect3DSurface9_ReleaseDC(back, dc), D3D_OK);
        IDirect3DDevice9_EndScene(device);
        IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
        IDirect3DDevice9_BeginScene(device);
    }
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(other);
    close_scene(device, view);
}

/* The screen after a Present of a back buffer that is drawn to together with a texture, and so without samples. */
static void draw_presented(struct settings_view *view)
{
    IDirect3DDevice9 *device = open_scene(0, NULL);
    IDirect3DSurface9 *level, *screen;
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT locked;
    D3DDISPLAYMODE mode;

    if (!device)
        return;
    level = texture_target(device, WIDTH, HEIGHT, &texture);
    IDirect3DDevice9_GetDisplayMode(device, 0, &mode);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, mode.Width, mode.Height, D3DFMT_A8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, &screen, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, level), D3D_OK);
    for (unsigned i = 0; i < 4; i++) {
        POINT at = {(LONG)(30 + 80 * i), 40};

        draw_quad(device, 19.5f + 80 * (float)i, 19.5f, 79.5f + 80 * (float)i, 99.5f, 0xff00c000 | i << 4);
        IDirect3DDevice9_EndScene(device);
        CHECK_HR(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
        IDirect3DDevice9_BeginScene(device);
        CHECK_HR(IDirect3DDevice9_GetFrontBufferData(device, 0, screen), D3D_OK);
        ClientToScreen(window, &at);
        CHECK_HR(IDirect3DSurface9_LockRect(screen, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
        CHECK_EQUAL(((const DWORD *)((const BYTE *)locked.pBits + at.y * locked.Pitch))[at.x] & 0xffffff,
                    0x00c000 | i << 4);
        IDirect3DSurface9_UnlockRect(screen);
    }
    IDirect3DSurface9_Release(level);
    IDirect3DSurface9_Release(screen);
    IDirect3DTexture9_Release(texture);
    close_scene(device, view);
}

/* Pixels that a query counts; what descriptions say; another size after a Reset. */
static void draw_numbers(struct settings_view *view)
{
    D3DPRESENT_PARAMETERS p = windowed9(NULL);
    IDirect3DDevice9 *device = open_scene(0, &p);
    IDirect3DSurface9 *depth;
    IDirect3DQuery9 *query;
    D3DSURFACE_DESC desc;
    DWORD count = 0;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query), D3D_OK);
    IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
    draw_quad(device, 99.5f, 20.5f, 138.5f, 61.5f, 0xff00ff00);
    IDirect3DQuery9_Issue(query, D3DISSUE_END);
    while (IDirect3DQuery9_GetData(query, &count, sizeof(count), D3DGETDATA_FLUSH) == S_FALSE)
        ;
    CHECK_EQUAL(count, 39 * 41);
    IDirect3DQuery9_Release(query);
    IDirect3DDevice9_GetDepthStencilSurface(device, &depth);
    IDirect3DSurface9_GetDesc(depth, &desc);
    CHECK_EQUAL(desc.MultiSampleType, D3DMULTISAMPLE_NONE);
    IDirect3DSurface9_Release(depth);
    IDirect3DDevice9_EndScene(device);
    p.BackBufferWidth = 320;
    p.BackBufferHeight = 200;
    CHECK_HR(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    CHECK_EQUAL(p.MultiSampleType, D3DMULTISAMPLE_NONE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203040, 1, 0);
    IDirect3DDevice9_BeginScene(device);
    for (unsigned i = 0; i < 20; i++)
        draw_quad(device, 9.5f * (float)(i & ~1u) + 0.5f, 9.5f, 300.5f, 20.5f + 8 * (float)i,
                  0xff000000 | i * 0x0c0804);
    close_scene(device, view);
}

int main(int argc, char **argv)
{
    static const struct setting four = {"HALCYON_MULTISAMPLE", {"4"}}, all = {"HALCYON_MULTISAMPLE", {"2", "8"}};
    static const struct settings_picture asked[] = {{"edges", draw_edges, 0, 0, 0}};
    static const struct settings_picture same[] = {
        {"targets", draw_targets, 0, 0, 0}, {"depth_copies", draw_depth_copies, 0, 0, 0},
        {"copies", draw_copies, 0, 0, 0},   {"presented", draw_presented, 0, 0, 0},
        {"numbers", draw_numbers, 0, 0, 0},
    };

    return settings_run(&four, asked, 1, argc, argv) |
           settings_run(&all, same, sizeof(same) / sizeof(same[0]), argc, argv);
}
