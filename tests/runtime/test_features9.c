/* SPDX-License-Identifier: MIT */
/*
 * The additions of Direct3D 9, each in a picture of its own with a name from D3DPERF, so that a capture of this program
 * contains all of them (tests/runtime/capture9.py).
 */
#include "tests/runtime/program9.h"

#include <stdlib.h>

static HWND window;
static IDirect3DDevice9 *device;

static bool set_up(const WCHAR *name)
{
    window = open_window();
    device = open_device9(window, false, 0, NULL);
    if (!device)
        return false;
    D3DPERF_BeginEvent(0xff8000ff, name);
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff102030,
                                    1, 0),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    return true;
}

static void tear_down(void)
{
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    D3DPERF_EndEvent();
    present9(device);
    close_device9(device, window);
}

static void set_shaders(const char *vertex, const char *pixel)
{
    set_vertex_shader9(device, vertex);
    set_pixel_shader9(device, pixel);
}

/* A rectangle in pixels of a target of this size, z = 0.5; colour, coordinates 0..1. */
static void draw_rect(float x, float y, float width, float height, DWORD color)
{
    const struct {
        float x, y, z, w;
        DWORD color;
        float u, v;
    } corners[4] = {{x - 0.5f, y - 0.5f, 0.5f, 1, color, 0, 0},
                    {x + width - 0.5f, y - 0.5f, 0.5f, 1, color, 1, 0},
                    {x - 0.5f, y + height - 0.5f, 0.5f, 1, color, 0, 1},
                    {x + width - 0.5f, y + height - 0.5f, 0.5f, 1, color, 1, 1}};

    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0])), D3D_OK);
}

static IDirect3DVertexBuffer9 *buffer_of(const void *data, UINT bytes)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *to;

    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, bytes, D3DUSAGE_WRITEONLY, 0, D3DPOOL_MANAGED, &buffer, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &to, 0), D3D_OK);
    memcpy(to, data, bytes);
    CHECK_HR(IDirect3DVertexBuffer9_Unlock(buffer), D3D_OK);
    return buffer;
}

/* --- instances -------------------------------------------------------------------------------- */

static void set_indices(void)
{
    static const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
    IDirect3DIndexBuffer9 *buffer = NULL;
    void *to;

    CHECK_HR(
        IDirect3DDevice9_CreateIndexBuffer(device, sizeof(indices), 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &buffer, NULL),
        D3D_OK);
    CHECK_HR(IDirect3DIndexBuffer9_Lock(buffer, 0, 0, &to, 0), D3D_OK);
    memcpy(to, indices, sizeof(indices));
    CHECK_HR(IDirect3DIndexBuffer9_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetIndices(device, buffer), D3D_OK);
    IDirect3DIndexBuffer9_Release(buffer);
}

/* Three squares, their places and colours from a second stream. */
static void instances(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {1, 0, D3DDECLTYPE_FLOAT16_2, 0, D3DDECLUSAGE_TEXCOORD, 3},
                                                 {1, 4, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                                                 D3DDECL_END()};
    static const float square[4][2] = {{-0.25f, 0.25f}, {0.25f, 0.25f}, {-0.25f, -0.25f}, {0.25f, -0.25f}};
    static const struct {
        uint16_t x, y; /* halves */
        DWORD color;
    } places[3] = {{0xb800, 0, 0xffff0000}, {0, 0, 0xff00ff00}, {0x3800, 0, 0xff0000ff}}; /* -0.5, 0, 0.5 */
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexBuffer9 *corners, *instance;

    if (!set_up(L"instances"))
        return;
    corners = buffer_of(square, sizeof(square));
    instance = buffer_of(places, sizeof(places));
    set_indices();
    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    set_shaders(
        "vs_3_0\ndef c0, 0, 0, 0.5, 1\ndcl_position v0\ndcl_texcoord3 v1\ndcl_color v2\ndcl_position o0\ndcl_color o1\n"
        "add r0.xy, v0, v1\nmov r0.zw, c0\nmov o0, r0\nmov o1, v2\n",
        "ps_3_0\ndcl_color v0\nmov oC0, v0\n");
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, corners, 0, sizeof(square[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 1, instance, 0, sizeof(places[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSourceFreq(device, 0, D3DSTREAMSOURCE_INDEXEDDATA | 3), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSourceFreq(device, 1, D3DSTREAMSOURCE_INSTANCEDATA | 1), D3D_OK);
    D3DPERF_SetMarker(0xff00ff00, L"three squares");
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel9(device, 160, 240), 0xff0000);
    CHECK_EQUAL(read_pixel9(device, 320, 240), 0x00ff00);
    CHECK_EQUAL(read_pixel9(device, 480, 240), 0x0000ff);
    CHECK_EQUAL(read_pixel9(device, 320, 20), 0x102030);
    IDirect3DVertexDeclaration9_Release(declaration);
    IDirect3DVertexBuffer9_Release(corners);
    IDirect3DVertexBuffer9_Release(instance);
    tear_down();
}

/* --- missing vertices ----------------------------------------------------------------- */

/* Two triangles over the whole picture whose last vertex ends before its texture coordinates do; and draws of no vertices, which do
 * nothing, however many primitives they have. */
static void short_vertices(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {0, 12, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0},
                                                 D3DDECL_END()};
    static const float quad[4][3] = {{-1, 1, 0.5f}, {1, 1, 0.5f}, {-1, -1, 0.5f}, {1, -1, 0.5f}};
    static const UINT counts[] = {1, 2, 8388608, 4294967292u};
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexBuffer9 *buffer;

    if (!set_up(L"short vertices"))
        return;
    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    set_shaders("vs_2_0\ndcl_position v0\nmov oPos, v0\n", "ps_2_0\ndef c0, 1, 0, 1, 1\nmov oC0, c0\n");
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])), D3D_OK);
    CHECK_EQUAL(read_pixel9(device, 20, 20), 0xff00ff);
    CHECK_EQUAL(read_pixel9(device, WIDTH - 20, HEIGHT - 20), 0xff00ff);
    buffer = buffer_of(quad, sizeof(quad));
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(quad[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 1, 0), D3D_OK);
    set_indices();
    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 0, 0, counts[i]), D3D_OK);
    CHECK_EQUAL(read_pixel9(device, 20, 20), 0x102030);
    CHECK_HR(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel9(device, WIDTH - 20, HEIGHT - 20), 0xff00ff);
    IDirect3DVertexDeclaration9_Release(declaration);
    IDirect3DVertexBuffer9_Release(buffer);
    tear_down();
}

/* The last vertex of a draw from user memory ends before its coordinate does, and must not read the bytes of the next
 * draw in the batch. `indexed`: the first draw has indices. */
static void draw_short_and_next(bool indexed)
{
    static const float triangle[3][3] = {{-1, 1, 0.5f}, {0, 1, 0.5f}, {0, -1, 0.5f}};
    static const float next[3][3] = {{1, 1, 0.5f}, {1, -1, 0.5f}, {0.5f, -1, 0.5f}};
    static const uint16_t indices[3] = {0, 1, 2};

    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 1, 0), D3D_OK);
    if (indexed)
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 3, 1, indices, D3DFMT_INDEX16,
                                                         triangle, sizeof(triangle[0])),
                 D3D_OK);
    else
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0])),
                 D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, next, sizeof(next[0])), D3D_OK);
    CHECK_EQUAL(read_pixel9(device, WIDTH / 2 - 2, HEIGHT - 20), 0x00ff00);
    CHECK_EQUAL(read_pixel9(device, WIDTH / 2 + 20, HEIGHT - 20), 0x102030);
    CHECK_EQUAL(color_distance(read_pixel9(device, WIDTH - 4, 40), 0xffff00) > 24, 0);
}

static void short_vertices_in_one_batch(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {0, 12, D3DDECLTYPE_FLOAT1, 0, D3DDECLUSAGE_TEXCOORD, 0},
                                                 D3DDECL_END()};
    IDirect3DVertexDeclaration9 *declaration = NULL;

    if (!set_up(L"short vertices in one batch"))
        return;
    set_shaders("vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n",
                "ps_2_0\ndef c0, 0, 1, 0, 1\ndcl t0\nmov r0, c0\nmov r0.x, t0.x\nmov oC0, r0\n");
    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    draw_short_and_next(false);
    draw_short_and_next(true);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE1(0)), D3D_OK);
    draw_short_and_next(false);
    IDirect3DVertexDeclaration9_Release(declaration);
    tear_down();
}

/* --- targets ----------------------------------------------------------------------------------------- */

static IDirect3DTexture9 *target_texture(D3DFORMAT format, IDirect3DSurface9 **surface)
{
    IDirect3DTexture9 *texture = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, WIDTH, HEIGHT, 1, D3DUSAGE_RENDERTARGET, format, D3DPOOL_DEFAULT,
                                            &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, surface), D3D_OK);
    return texture;
}

/* Two targets at once, one with floats; the second is copied to the right half of the back buffer, the first is drawn
 * as a texture on the left. */
static void targets(void)
{
    static const RECT right = {WIDTH / 2, 0, WIDTH, HEIGHT};
    IDirect3DSurface9 *back = NULL, *first, *second;
    IDirect3DTexture9 *floats, *colors;

    if (!set_up(L"targets"))
        return;
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &back), D3D_OK);
    floats = target_texture(D3DFMT_A16B16G16R16F, &first);
    colors = target_texture(D3DFMT_X8R8G8B8, &second);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, first), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, second), D3D_OK);
    set_shaders(NULL, "ps_2_0\ndef c0, 8, 4, 2, 1\ndef c1, 0, 1, 0.2, 1\nmov oC0, c0\nmov oC1, c1\n");
    draw_rect(0, 0, WIDTH, HEIGHT, 0);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)floats), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP), D3D_OK);
    set_shaders(NULL, "ps_2_0\ndef c0, 0.0625, 0.0625, 0.0625, 1\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, "
                      "c0\nmov oC0, r0\n");
    draw_rect(0, 0, WIDTH / 2, HEIGHT, 0);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, second, NULL, back, &right, D3DTEXF_POINT), D3D_OK);
    CHECK_EQUAL(color_distance(read_pixel9(device, 100, 100), 0x804020) > 1, 0);
    CHECK_EQUAL(read_pixel9(device, 500, 100), 0x00ff33);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
    IDirect3DSurface9_Release(first);
    IDirect3DSurface9_Release(second);
    IDirect3DSurface9_Release(back);
    IDirect3DTexture9_Release(floats);
    IDirect3DTexture9_Release(colors);
    tear_down();
}

/* --- sRGB -------------------------------------------------------------------------------------------------- */

static IDirect3DTexture9 *texture_of(UINT size, DWORD usage, D3DPOOL pool, DWORD color)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, size, size, usage & D3DUSAGE_AUTOGENMIPMAP ? 0 : 1, usage,
                                            D3DFMT_A8R8G8B8, pool, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (UINT y = 0; y < size; y++)
        for (UINT x = 0; x < size; x++)
            ((uint32_t *)((uint8_t *)locked.pBits + (size_t)locked.Pitch * y))[x] =
                (usage & D3DUSAGE_AUTOGENMIPMAP) && (x + y) % 2 ? 0xff000000 : color;
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    return texture;
}

/* IEC 61966-2-1: 0x80 is 0.216 of the light, and back. */
static void srgb(void)
{
    IDirect3DTexture9 *texture;

    if (!set_up(L"sRGB"))
        return;
    texture = texture_of(4, 0, D3DPOOL_MANAGED, 0xff808080);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1), D3D_OK);
    draw_rect(0, 0, 200, HEIGHT, 0);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_SRGBTEXTURE, TRUE), D3D_OK);
    draw_rect(200, 0, 200, HEIGHT, 0);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_SRGBWRITEENABLE, TRUE), D3D_OK);
    draw_rect(400, 0, 240, HEIGHT, 0);
    CHECK_EQUAL(read_pixel9(device, 100, 100), 0x808080);
    CHECK(color_distance(read_pixel9(device, 300, 100), 0x373737) <= 1);
    CHECK(color_distance(read_pixel9(device, 500, 100), 0x808080) <= 1);
    IDirect3DTexture9_Release(texture);
    tear_down();
}

/* --- levels -------------------------------------------------------------------------------------------------- */

/* A fine pattern of red and black: its smallest level is half red. */
static void generated_levels(void)
{
    IDirect3DTexture9 *texture;

    if (!set_up(L"generated levels"))
        return;
    texture = texture_of(64, D3DUSAGE_AUTOGENMIPMAP, D3DPOOL_MANAGED, 0xffff0000);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT), D3D_OK);
    draw_rect(0, 0, 64, 64, 0);
    draw_rect(100, 100, 8, 8, 0);
    CHECK_EQUAL(read_pixel9(device, 0, 0), 0xff0000);
    CHECK_EQUAL(read_pixel9(device, 1, 0), 0x000000);
    CHECK(color_distance(read_pixel9(device, 104, 104), 0x800000) <= 2);
    IDirect3DTexture9_Release(texture);
    tear_down();
}

/* --- scissor, stencil, queries --------------------------------------------------------------------------------- */

/* Both faces of triangles count in the stencil buffer, one up, the other down; then the pixels with 1 are drawn, within
 * the scissor. */
static void stencil(void)
{
    static const float faces[2][3][4] = {{{0, 0, 0.5f, 1}, {400, 0, 0.5f, 1}, {0, 400, 0.5f, 1}},
                                         {{0, 0, 0.5f, 1}, {0, 200, 0.5f, 1}, {200, 0, 0.5f, 1}}};
    static const RECT scissor = {0, 0, 640, 300};
    static const struct {
        D3DRENDERSTATETYPE state;
        DWORD value;
    } states[] = {{D3DRS_CULLMODE, D3DCULL_NONE},
                  {D3DRS_ZENABLE, D3DZB_FALSE},
                  {D3DRS_COLORWRITEENABLE, 0},
                  {D3DRS_STENCILENABLE, TRUE},
                  {D3DRS_TWOSIDEDSTENCILMODE, TRUE},
                  {D3DRS_STENCILPASS, D3DSTENCILOP_INCR},
                  {D3DRS_CCW_STENCILPASS, D3DSTENCILOP_DECR},
                  {D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS}};
    IDirect3DQuery9 *query = NULL;
    DWORD pixels = 0;
    HRESULT hr;

    if (!set_up(L"stencil"))
        return;
    for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        CHECK_HR(IDirect3DDevice9_SetRenderState(device, states[i].state, states[i].value), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 2, faces, 16), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_TWOSIDEDSTENCILMODE, FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_COLORWRITEENABLE, 0xf), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILFUNC, D3DCMP_EQUAL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILREF, 1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, TRUE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetScissorRect(device, &scissor), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query), D3D_OK);
    CHECK_HR(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN), D3D_OK);
    draw_rect(0, 0, WIDTH, HEIGHT, 0xffffff00);
    CHECK_HR(IDirect3DQuery9_Issue(query, D3DISSUE_END), D3D_OK);
    while ((hr = IDirect3DQuery9_GetData(query, &pixels, sizeof(pixels), D3DGETDATA_FLUSH)) == S_FALSE)
        ;
    CHECK_HR(hr, S_OK);
    CHECK_EQUAL(read_pixel9(device, 20, 20), 0x102030);  /* counted up and down */
    CHECK_EQUAL(read_pixel9(device, 20, 290), 0xffff00); /* counted up */
    CHECK_EQUAL(read_pixel9(device, 20, 310), 0x102030); /* outside of the scissor */
    /* the large triangle above line 300 without the small one: 75000 - 20000 pixels, except for those on edges */
    CHECK(pixels > 54000 && pixels < 56000);
    IDirect3DQuery9_Release(query);
    tear_down();
}

static const struct test tests[] = {
    {"features9_instances", instances},
    {"features9_targets", targets},
    {"features9_srgb", srgb},
    {"features9_generated_levels", generated_levels},
    {"features9_stencil", stencil},
    {"features9_short_vertices", short_vertices},
    {"features9_short_vertices_in_one_batch", short_vertices_in_one_batch},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
