/* SPDX-License-Identifier: MIT */
/*
 * The internal resolution of Direct3D 9 (HALCYON_INTERNAL_RESOLUTION): what a program reads is what it reads without the setting. The
 * tolerances follow from geometry: the pixel that is read has the same place, so flat areas and edges are equal; levels of
 * textures, whose choice depends on the distance between pixels, are not used here.
 */
#include "tests/runtime/scene9.h"

#include <math.h>

/* --- pictures ----------------------------------------------------------------------------------- */

/* A fan of triangles in perspective, in a viewport, cut by the scissor, with a depth buffer. */
static void draw_space(struct settings_view *view)
{
    IDirect3DDevice9 *device = open_scene(0, NULL);
    const D3DMATRIX projection = {{{1.5f, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1.01f, 1, 0, 0, -1.01f, 0}}};
    const D3DVIEWPORT9 viewport = {37, 21, 501, 403, 0.1f, 0.9f};
    const RECT scissor = {60, 33, 487, 400};

    if (!device)
        return;
    IDirect3DDevice9_SetTransform(device, D3DTS_PROJECTION, &projection);
    IDirect3DDevice9_SetViewport(device, &viewport);
    IDirect3DDevice9_SetScissorRect(device, &scissor);
    IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, TRUE);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    for (unsigned i = 0; i < 40; i++) {
        const float a = (float)i * 0.7f, z = 1.5f + (float)(i * 7 % 11) * 0.3f;
        const struct {
            float x, y, z;
            DWORD color;
        } v[3] = {{0, 0, z, 0xff000000 | i * 0x50a0f},
                  {2 * cosf(a), 2 * sinf(a), z, 0xff00ff00},
                  {2 * cosf(a + 0.9f), 2 * sinf(a + 0.9f), z + 0.5f, 0xff0000ff}};

        IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, v, sizeof(*v));
    }
    close_scene(device, view);
}

/* Vertices in pixels from all places that vertices come from; a state block with viewport and scissor; rectangles cleared. */
static void draw_flat(struct settings_view *view)
{
    static const WORD order[6] = {0, 1, 2, 2, 1, 3};
    const D3DVIEWPORT9 viewport = {320, 0, 320, 480, 0, 1};
    const D3DRECT cleared[2] = {{5, 400, 100, 440}, {300, 390, 400, 500}};
    IDirect3DDevice9 *device = open_scene(0, NULL);
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DStateBlock9 *block;
    struct corner user[8] = {{0}}, *q;
    void *data;

    if (!device)
        return;
    draw_quad(device, 10, 10, 100, 100, 0xffff0000);
    draw_quad(device, 109.5f, 9.5f, 199.5f, 99.5f, 0xff00ff00);
    draw_quad(device, 210.25f, 10.75f, 300.25f, 100.75f, 0xff0000ff);
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, 16 * sizeof(*q), 0, PIXELS, D3DPOOL_MANAGED, &vertices, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateIndexBuffer(device, 64, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, &indices, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(vertices, 0, 0, (void **)&q, 0), D3D_OK);
    make_quad(q + 4, 10, 110, 100, 200, 0xffffff00);
    make_quad(q + 8, 109.5f, 109.5f, 199.5f, 199.5f, 0xff00ffff);
    IDirect3DVertexBuffer9_Unlock(vertices);
    CHECK_HR(IDirect3DIndexBuffer9_Lock(indices, 0, 0, &data, 0), D3D_OK);
    memcpy((WORD *)data + 3, order, sizeof(order));
    IDirect3DIndexBuffer9_Unlock(indices);
    IDirect3DDevice9_SetStreamSource(device, 0, vertices, 4 * sizeof(*q), sizeof(*q));
    CHECK_HR(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    IDirect3DDevice9_SetIndices(device, indices);
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 4, 0, 4, 3, 2), D3D_OK);
    make_quad(user + 4, 210, 110, 300, 200, 0xffff00ff);
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 4, 4, 2,
                                                     ((const WORD[]){4, 5, 6, 6, 5, 7}), D3DFMT_INDEX16, user,
                                                     sizeof(*user)),
             D3D_OK);

    CHECK_HR(IDirect3DDevice9_BeginStateBlock(device), D3D_OK);
    IDirect3DDevice9_SetViewport(device, &viewport);
    CHECK_HR(IDirect3DDevice9_EndStateBlock(device, &block), D3D_OK);
    CHECK_HR(IDirect3DStateBlock9_Apply(block), D3D_OK);
    IDirect3DStateBlock9_Release(block);
    draw_quad(device, 200, 220, 400, 300, 0xff808080);
    CHECK_HR(IDirect3DDevice9_Clear(device, 2, cleared, D3DCLEAR_TARGET, 0xffabcdef, 1, 0), D3D_OK);
    IDirect3DVertexBuffer9_Release(vertices);
    IDirect3DIndexBuffer9_Release(indices);
    close_scene(device, view);
}

/* Targets of the back buffer's size and of others, drawn to, and sampled pixel by pixel. */
static void draw_targets(struct settings_view *view)
{
    IDirect3DDevice9 *device = open_scene(0, NULL);
    IDirect3DTexture9 *large, *small;
    IDirect3DSurface9 *back, *level;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, WIDTH, HEIGHT, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                            D3DPOOL_DEFAULT, &large, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 256, 256, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                            D3DPOOL_DEFAULT, &small, NULL),
             D3D_OK);
    IDirect3DDevice9_GetRenderTarget(device, 0, &back);
    IDirect3DTexture9_GetSurfaceLevel(small, 0, &level);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, level), D3D_OK);
    IDirect3DSurface9_Release(level);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff400000, 1, 0);
    draw_quad(device, 30, 40, 111, 222, 0xff00ff00);
    IDirect3DTexture9_GetSurfaceLevel(large, 0, &level);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, level), D3D_OK);
    IDirect3DSurface9_Release(level);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000040, 1, 0);
    draw_quad(device, 300, 200, 500.25f, 400.5f, 0xffff0000);
    draw_quad(device, 320.75f, 220.25f, 480, 300, 0xffffff00);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
    IDirect3DSurface9_Release(back);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)large);
    draw_quad(device, -0.5f, -0.5f, WIDTH - 0.5f, HEIGHT - 0.5f, 0xffffffff);
    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)small);
    draw_quad(device, 9.5f, 19.5f, 265.5f, 275.5f, 0xffffffff);
    IDirect3DDevice9_SetTexture(device, 0, NULL);
    IDirect3DTexture9_Release(large);
    IDirect3DTexture9_Release(small);
    close_scene(device, view);
}

/* vPos in a pixel shader; sizes of points from states, vertices and a vertex shader. */
static void draw_shaders(struct settings_view *view)
{
    static const float factors[4] = {1.0f / 1024, 1.0f / 512, 0.25f, 7};
    static const struct {
        float x, y, z, size;
        DWORD color;
    } points[4] = {{-0.5f, 0.5f, 0.5f, 9, 0xffff0000},
                   {0, 0.5f, 0.5f, 14, 0xff00ff00},
                   {0.5f, 0.5f, 0.5f, 23, 0xff0000ff},
                   {0.25f, 0.25f, 0.5f, 31, 0xffffff00}};
    static const struct {
        float x, y, z, rhw, size;
        DWORD color;
    } flat[2] = {{100, 400, 0.5f, 1, 17, 0xff00ffff}, {140, 400, 0.5f, 1, 20, 0xffff00ff}};
    static const float size = 12;
    IDirect3DDevice9 *device = open_scene(0, NULL);

    if (!device)
        return;
    set_pixel_shader9(device, "ps_3_0\ndcl vPos.xy\nmul r0.xy, vPos, c0\nmov r0.zw, c0.z\nmov oC0, r0\n");
    IDirect3DDevice9_SetPixelShaderConstantF(device, 0, factors, 1);
    set_vertex_shader9(device, "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n");
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1,
                                     ((const float[9]){-1, -1, 0.5f, -1, 0, 0.5f, 1, -1, 0.5f}), 12);
    set_pixel_shader9(device, NULL);
    set_vertex_shader9(device, NULL);

    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_DIFFUSE);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 4, points, sizeof(*points));
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_PSIZE | D3DFVF_DIFFUSE);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 2, flat, sizeof(*flat));
    IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE, *(const DWORD *)&size);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, ((const float[3]){-0.75f, 0.75f, 0.5f}), 12);
    IDirect3DDevice9_SetVertexShaderConstantF(device, 0, factors, 1);
    set_vertex_shader9(device, "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oD0, c0.w\nmov oPts.x, c0.w\n");
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, ((const float[3]){0.75f, 0.75f, 0.5f}), 12);
    close_scene(device, view);
}

/* Copies between all kinds of surfaces, locks, and a device context. */
static void draw_copies(struct settings_view *view)
{
    const RECT left = {0, 0, 200, 300}, middle = {201, 33, 401, 333}, part = {16, 16, 48, 80},
               line = {0, 470, WIDTH, 475};
    D3DPRESENT_PARAMETERS p = windowed9(NULL);
    IDirect3DSurface9 *back, *target, *memory, *plain;
    IDirect3DDevice9 *device;
    D3DLOCKED_RECT locked;
    HDC dc;

    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_scene(0, &p);
    if (!device)
        return;
    draw_quad(device, 20, 20, 150.25f, 280, 0xffff8000);
    draw_quad(device, 40.25f, 50.75f, 90, 90, 0xff0080ff);
    IDirect3DDevice9_GetRenderTarget(device, 0, &back);
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, TRUE,
                                                 &target, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 64, 128, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &memory,
                                                          NULL),
             D3D_OK);
    CHECK_HR(
        IDirect3DDevice9_CreateOffscreenPlainSurface(device, 64, 128, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &plain, NULL),
        D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, NULL, 0xff112233), D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, &part, 0xff445566), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, back, &left, target, &left, D3DTEXF_NONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, &left, back, &middle, D3DTEXF_NONE), D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(memory, &locked, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < 128; y++)
        for (unsigned x = 0; x < 64; x++)
            ((DWORD *)((BYTE *)locked.pBits + y * (unsigned)locked.Pitch))[x] = x * 4 << 16 | y * 2 << 8 | (x ^ y);
    IDirect3DSurface9_UnlockRect(memory);
    CHECK_HR(IDirect3DDevice9_UpdateSurface(device, memory, NULL, back, (&(POINT){450, 50})), D3D_OK);
    CHECK_HR(IDirect3DDevice9_UpdateSurface(device, memory, &part, target, (&(POINT){7, 9})), D3D_OK);
    CHECK_HR(IDirect3DDevice9_UpdateSurface(device, memory, NULL, plain, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, plain, NULL, back, (&(RECT){530, 50, 594, 178}), D3DTEXF_NONE),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, (&(RECT){0, 0, 64, 128}), back, (&(RECT){530, 200, 594, 328}),
                                          D3DTEXF_NONE),
             D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(back, &locked, &line, 0), D3D_OK);
    for (unsigned y = 0; y < 5; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            ((DWORD *)((BYTE *)locked.pBits + y * (unsigned)locked.Pitch))[x] = x * 0x10305;
    IDirect3DSurface9_UnlockRect(back);
    CHECK_HR(IDirect3DSurface9_LockRect(back, &locked, &left, D3DLOCK_READONLY), D3D_OK);
    for (unsigned i = 0; i < 8; i++)
        view->numbers[i] =
            (float)(((DWORD *)((BYTE *)locked.pBits + 11 * i * (unsigned)locked.Pitch))[20 * i] & 0xffffff);
    IDirect3DSurface9_UnlockRect(back);
    CHECK_HR(IDirect3DSurface9_GetDC(back, &dc), D3D_OK);
    PatBlt(dc, 300, 400, 33, 17, WHITENESS);
    CHECK_HR(IDirect3DSurface9_ReleaseDC(back, dc), D3D_OK);
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(memory);
    IDirect3DSurface9_Release(plain);
    close_scene(device, view);
}

/* Pixels that a query counts, and vertices that ProcessVertices gives. */
static void draw_numbers(struct settings_view *view)
{
    static const float triangle[9] = {-0.5f, 0.5f, 0.25f, 0.5f, 0.5f, 0.5f, 0, -1, 0.75f};
    IDirect3DDevice9 *device = open_scene(D3DCREATE_SOFTWARE_VERTEXPROCESSING, NULL);
    IDirect3DVertexBuffer9 *source, *result;
    IDirect3DQuery9 *query;
    DWORD count = 0;
    void *data;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query), D3D_OK);
    IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
    draw_quad(device, 10, 20, 47, 61, 0xff00ff00);
    draw_quad(device, 99.5f, 20, 138.5f, 61, 0xff00ff00);
    IDirect3DQuery9_Issue(query, D3DISSUE_END);
    while (IDirect3DQuery9_GetData(query, &count, sizeof(count), D3DGETDATA_FLUSH) == S_FALSE)
        ;
    view->numbers[0] = (float)count;
    CHECK_EQUAL(count, 37 * 41 + 39 * 41);
    IDirect3DQuery9_Release(query);

    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(triangle), D3DUSAGE_SOFTWAREPROCESSING, D3DFVF_XYZ,
                                                 D3DPOOL_SYSTEMMEM, &source, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, 48, D3DUSAGE_SOFTWAREPROCESSING, D3DFVF_XYZRHW,
                                                 D3DPOOL_SYSTEMMEM, &result, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(source, 0, 0, &data, 0), D3D_OK);
    memcpy(data, triangle, sizeof(triangle));
    IDirect3DVertexBuffer9_Unlock(source);
    IDirect3DDevice9_SetStreamSource(device, 0, source, 0, 12);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ);
    CHECK_HR(IDirect3DDevice9_ProcessVertices(device, 0, 0, 3, result, NULL, 0), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(result, 0, 0, &data, 0), D3D_OK);
    memcpy(view->numbers + 1, data, 48);
    IDirect3DVertexBuffer9_Unlock(result);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW);
    IDirect3DDevice9_SetStreamSource(device, 0, result, 0, 16);
    IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1);
    IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0);
    IDirect3DVertexBuffer9_Release(source);
    IDirect3DVertexBuffer9_Release(result);
    close_scene(device, view);
}

int main(int argc, char **argv)
{
    static const struct setting setting = {"HALCYON_INTERNAL_RESOLUTION", {"2x", "3x"}};
    static const struct settings_picture pictures[] = {
        /* edges of triangles in perspective, where the corners are rounded to 1/256 of smaller pixels */
        {"space", draw_space, 150, 3, 0},
        {"flat", draw_flat, 0, 0, 0},
        {"targets", draw_targets, 0, 0, 0},
        /* vPos names the middle of what is 1/2 or 1/3 of a pixel: a quarter or a third of a pixel away */
        {"shaders", draw_shaders, 0, 1, 0},
        {"copies", draw_copies, 0, 0, 0},
        {"numbers", draw_numbers, 0, 0, 0},
    };

    return settings_run(&setting, pictures, sizeof(pictures) / sizeof(pictures[0]), argc, argv);
}
