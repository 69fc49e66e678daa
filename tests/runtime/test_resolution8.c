/* SPDX-License-Identifier: MIT */
/*
 * The internal resolution of Direct3D 8 (HALCYON_INTERNAL_RESOLUTION): what a program reads is what it reads without the setting. See
 * test_resolution9.c for the tolerances.
 */
#include "tests/runtime/program.h"
#include "tests/runtime/with_settings.h"

#include <stdlib.h>

#define PIXELS (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

struct corner {
    float x, y, z, rhw;
    DWORD color;
    float u, v;
};

static HWND window;

static IDirect3DDevice8 *open_scene(DWORD flags)
{
    D3DPRESENT_PARAMETERS p;
    IDirect3DDevice8 *device;

    window = open_window();
    p = windowed(window);
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_device(window, flags, &p);
    if (!device)
        return NULL;
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203040, 1, 0);
    IDirect3DDevice8_BeginScene(device);
    return device;
}

static void close_scene(IDirect3DDevice8 *device, struct settings_view *view)
{
    uint32_t *pixels;

    IDirect3DDevice8_EndScene(device);
    pixels = read_target(device);
    if (pixels)
        memcpy(view->pixels, pixels, sizeof(view->pixels));
    free(pixels);
    IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL);
    close_device(device, window);
}

static void draw_quad(IDirect3DDevice8 *device, float left, float top, float right, float bottom, DWORD color)
{
    const struct corner q[4] = {{left, top, 0.5f, 1, color, 0, 0},
                                {right, top, 0.5f, 1, color, 1, 0},
                                {left, bottom, 0.5f, 1, color, 0, 1},
                                {right, bottom, 0.5f, 1, color, 1, 1}};

    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, PIXELS), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, q, sizeof(*q)), D3D_OK);
}

/* --- pictures ----------------------------------------------------------------------------------- */

/* On a pure device, whose driver keeps states and state blocks otherwise. */
static void draw_pure(struct settings_view *view)
{
    static const D3DRECT cleared[2] = {{5, 5, 100, 40}, {300, 390, 400, 500}};
    const D3DVIEWPORT8 part = {320, 100, 200, 300, 0, 1}, all = {0, 0, WIDTH, HEIGHT, 0, 1};
    IDirect3DDevice8 *device = open_scene(D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE);
    DWORD block, value;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    IDirect3DDevice8_SetViewport(device, &part);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_DESTBLEND, D3DBLEND_ONE);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    draw_quad(device, 10, 50, 400, 200, 0xff804020);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    draw_quad(device, 100.5f, 80.5f, 600.5f, 300.5f, 0xff204080);
    CHECK_HR(IDirect3DDevice8_Clear(device, 2, cleared, D3DCLEAR_TARGET, 0xffabcdef, 1, 0), D3D_OK);
    IDirect3DDevice8_SetViewport(device, &all);
    CHECK_HR(IDirect3DDevice8_Clear(device, 1, cleared, D3DCLEAR_TARGET, 0xfffedcba, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetRenderState(device, D3DRS_LIGHTING, &value), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    close_scene(device, view);
}

/* Points whose sizes a vertex shader writes, and which states scale by distance; the shader is used for triangles too. */
static void draw_points(struct settings_view *view)
{
    static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_END()};
    static const float constants[8] = {13, 0, 0, 1, 0.25f, 0.5f, 0.75f, 1}, at[3] = {0.25f, -0.25f, 0.5f};
    static const float triangle[9] = {-1, -1, 0.5f, -0.5f, -0.5f, 0.5f, 0, -1, 0.5f}, size = 0.05f;
    uint32_t tokens[SHADER_TOKENS];
    IDirect3DDevice8 *device = open_scene(0);
    DWORD shader;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(
                 device, declaration, assemble_shader("vs_1_1\nmov oPos, v0\nmov oD0, c1\nmov oPts.x, c0.x\n", tokens),
                 &shader, 0),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shader), D3D_OK);
    IDirect3DDevice8_SetVertexShaderConstant(device, 0, constants, 2);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 12), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, at, 12), D3D_OK);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ);
    IDirect3DDevice8_SetRenderState(device, D3DRS_POINTSIZE, *(const DWORD *)&size);
    IDirect3DDevice8_SetRenderState(device, D3DRS_POINTSCALEENABLE, TRUE);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, ((const float[3]){-0.25f, 0.25f, 0.5f}), 12),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, shader), D3D_OK);
    close_scene(device, view);
}

/* CopyRects in all directions, and the locked back buffer. */
static void draw_copies(struct settings_view *view)
{
    static const RECT rects[2] = {{0, 0, 100, 50}, {30, 60, 130, 160}};
    static const POINT points[2] = {{300, 20}, {410, 40}};
    IDirect3DSurface8 *back, *target, *image, *texture_level;
    IDirect3DDevice8 *device = open_scene(0);
    IDirect3DTexture8 *texture;
    D3DLOCKED_RECT locked;

    if (!device)
        return;
    draw_quad(device, 20, 20, 90.25f, 140, 0xffff8000);
    draw_quad(device, 40.25f, 50.75f, 120, 90, 0xff0080ff);
    CHECK_HR(IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    CHECK_HR(
        IDirect3DDevice8_CreateRenderTarget(device, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, TRUE, &target),
        D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateImageSurface(device, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, &image), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 128, 128, 1, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                                            D3DPOOL_DEFAULT, &texture),
             D3D_OK);
    CHECK_HR(IDirect3DTexture8_GetSurfaceLevel(texture, 0, &texture_level), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, back, rects, 2, image, points), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, image, NULL, 0, target, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, back, rects, 1, texture_level, (&(POINT){10, 20})), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, target, (&(RECT){290, 10, 600, 200}), 1, back, (&(POINT){290, 200})),
             D3D_OK);
    CHECK_HR(
        IDirect3DDevice8_CopyRects(device, texture_level, (&(RECT){10, 20, 110, 70}), 1, back, (&(POINT){10, 400})),
        D3D_OK);
    CHECK_HR(IDirect3DSurface8_LockRect(back, &locked, NULL, 0), D3D_OK);
    for (unsigned i = 0; i < 200; i++)
        ((DWORD *)((BYTE *)locked.pBits + (i + 200) * (unsigned)locked.Pitch))[i] = 0xffffff;
    for (unsigned i = 0; i < 8; i++)
        view->numbers[i] =
            (float)(((DWORD *)((BYTE *)locked.pBits + 11 * i * (unsigned)locked.Pitch))[20 * i] & 0xffffff);
    IDirect3DSurface8_UnlockRect(back);
    IDirect3DSurface8_Release(back);
    IDirect3DSurface8_Release(target);
    IDirect3DSurface8_Release(image);
    IDirect3DSurface8_Release(texture_level);
    IDirect3DTexture8_Release(texture);
    close_scene(device, view);
}

int main(int argc, char **argv)
{
    static const struct setting setting = {"HALCYON_INTERNAL_RESOLUTION", {"2x", "3x"}};
    static const struct settings_picture pictures[] = {
        {"pure", draw_pure, 0, 0, 0},
        {"points", draw_points, 0, 0, 0},
        {"copies", draw_copies, 0, 0, 0},
    };

    return settings_run(&setting, pictures, sizeof(pictures) / sizeof(pictures[0]), argc, argv);
}
