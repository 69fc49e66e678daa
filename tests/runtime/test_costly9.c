/* SPDX-License-Identifier: MIT */
/*
 * Expensive work is drawn completely: layers over a target whose pixels are expensive in one way or another, far more
 * than a frame of an ordinary program has, all between BeginScene and EndScene. Each layer adds 1 to every channel, so
 * the picture shows how many were drawn. States that the next draw needs are set after the layers.
 */
#include "tests/runtime/program9.h"

#include <stdlib.h>

#define SIZE   256 /* of the target */
#define LAYERS 250

static HWND window;
static IDirect3DDevice9 *device;
static IDirect3DSurface9 *target;

static void set_state(D3DRENDERSTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, state, value), D3D_OK);
}

/* A cleared target with this many samples, in a scene; draws are added to it. Returns false if there is none. */
static bool set_up(DWORD flags, D3DMULTISAMPLE_TYPE samples)
{
    window = open_window();
    device = open_device9(window, false, flags, NULL);
    if (!device)
        return false;
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_X8R8G8B8, samples, 0, FALSE, &target, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0), D3D_OK);
    set_state(D3DRS_LIGHTING, FALSE);
    set_state(D3DRS_ZENABLE, FALSE);
    set_state(D3DRS_CULLMODE, D3DCULL_NONE);
    set_state(D3DRS_ALPHABLENDENABLE, TRUE);
    set_state(D3DRS_SRCBLEND, D3DBLEND_ONE);
    set_state(D3DRS_DESTBLEND, D3DBLEND_ONE);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    return true;
}

/* One pixel of the target, resolved. */
static uint32_t pixel_at(unsigned x, unsigned y)
{
    IDirect3DSurface9 *plain = NULL;
    uint32_t *pixels, pixel;

    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                 &plain, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, NULL, plain, NULL, D3DTEXF_NONE), D3D_OK);
    pixels = read_surface9(device, plain);
    pixel = pixels ? pixels[y * WIDTH + x] : 0;
    free(pixels);
    IDirect3DSurface9_Release(plain);
    return pixel;
}

static void draw_layer(float size, D3DPRIMITIVETYPE type)
{
    const float corners[4][6] = {{-0.5f, -0.5f, 0.5f, 1, 0, 0},
                                 {size - 0.5f, -0.5f, 0.5f, 1, 40, 0},
                                 {-0.5f, size - 0.5f, 0.5f, 1, 0, 1},
                                 {size - 0.5f, size - 0.5f, 0.5f, 1, 40, 1}};
    const float point[6] = {size / 2, size / 2, 0.5f, 1, 0, 0};

    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1), D3D_OK);
    if (type == D3DPT_POINTLIST)
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, type, 1, point, sizeof(point)), D3D_OK);
    else
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, type, 2, corners, sizeof(corners[0])), D3D_OK);
}

/* All layers are drawn, and so are the states set after them. */
static void expect_layers(unsigned count)
{
    set_state(D3DRS_ALPHABLENDENABLE, FALSE);
    CHECK_HR(IDirect3DDevice9_SetPixelShader(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TFACTOR), D3D_OK);
    set_state(D3DRS_TEXTUREFACTOR, 0x336699);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    CHECK_EQUAL(pixel_at(SIZE / 2, SIZE / 2), count * 0x010101);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    draw_layer(SIZE, D3DPT_TRIANGLESTRIP);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    CHECK_EQUAL(pixel_at(SIZE / 2, SIZE / 2), 0x336699);
}

static void tear_down(void)
{
    IDirect3DSurface9_Release(target);
    close_device9(device, window);
}

/* 1/255 from a program of 60 instructions. */
static void set_long_program(void)
{
    char text[4096] = "ps_2_0\ndef c0, 0.5, 0.25, 0, 0.0039215687\nmov r0, c0\n";

    for (unsigned i = 0; i < 60; i++)
        strcat(text, "mad r0, r0, c0.x, c0.y\n");
    set_pixel_shader9(device, strcat(text, "mad r0, r0, c0.z, c0.w\nmov oC0, r0\n"));
}

static const char looping[] = "ps_3_0\ndefi i0, 120, 0, 0, 0\ndef c0, 0.5, 0.25, 0, 0.0039215687\nmov r0, c0\nrep i0\n"
                              "mad r0, r0, c0.x, c0.y\nendrep\nmad r0, r0, c0.z, c0.w\nmov oC0, r0\n";

/* Draws that are merged, or, with `apart`, draws with a state between each two. */
static void draw_layers(unsigned count, bool apart, D3DPRIMITIVETYPE type)
{
    for (unsigned i = 0; i < count; i++) {
        if (apart)
            set_state(D3DRS_TEXTUREFACTOR, i);
        draw_layer(SIZE, type);
    }
}

static void long_programs(void)
{
    for (unsigned apart = 0; apart < 2; apart++) {
        if (!set_up(0, D3DMULTISAMPLE_NONE))
            return;
        set_long_program();
        draw_layers(LAYERS, apart, D3DPT_TRIANGLESTRIP);
        expect_layers(LAYERS);
        tear_down();
    }
}

static void loops(void)
{
    if (!set_up(0, D3DMULTISAMPLE_NONE))
        return;
    set_pixel_shader9(device, looping);
    draw_layers(LAYERS, true, D3DPT_TRIANGLESTRIP);
    expect_layers(LAYERS);
    tear_down();
}

static void samples(void)
{
    if (!set_up(0, D3DMULTISAMPLE_16_SAMPLES))
        return;
    set_pixel_shader9(device, looping);
    draw_layers(LAYERS, false, D3DPT_TRIANGLESTRIP);
    expect_layers(LAYERS);
    tear_down();
}

static void points(void)
{
    const float size = SIZE;
    DWORD bits;

    if (!set_up(0, D3DMULTISAMPLE_NONE))
        return;
    memcpy(&bits, &size, 4);
    set_state(D3DRS_POINTSIZE, bits);
    set_state(D3DRS_POINTSPRITEENABLE, TRUE);
    set_pixel_shader9(device, looping);
    draw_layers(LAYERS, false, D3DPT_POINTLIST);
    expect_layers(LAYERS);
    tear_down();
}

static void anisotropy(void)
{
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT to;

    if (!set_up(0, D3DMULTISAMPLE_NONE))
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &to, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < 64; y++)
        for (unsigned x = 0; x < 64; x++)
            ((uint32_t *)((char *)to.pBits + y * (size_t)to.Pitch))[x] = 0x010101;
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_ANISOTROPIC), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXANISOTROPY, 16), D3D_OK);
    set_pixel_shader9(device,
                      "ps_3_0\ndcl_2d s0\ndcl_texcoord0 v0\ntexld r0, v0, s0\nadd r1, v0, r0\ntexld r1, r1, s0\n"
                      "max r0, r0, r1\nmov oC0, r0\n");
    draw_layers(LAYERS, true, D3DPT_TRIANGLESTRIP);
    expect_layers(LAYERS);
    IDirect3DTexture9_Release(texture);
    tear_down();
}

/* Each layer leaves out one column of the previous one, so that none replaces another. */
static void clears(void)
{
    if (!set_up(0, D3DMULTISAMPLE_16_SAMPLES))
        return;
    for (unsigned i = 0; i < 4000; i++) {
        const D3DRECT rect = {i % 2, 0, SIZE, SIZE};

        CHECK_HR(IDirect3DDevice9_Clear(device, 1, &rect, D3DCLEAR_TARGET, i, 1, 0), D3D_OK);
    }
    CHECK_EQUAL(pixel_at(SIZE / 2, SIZE / 2), 3999);
    CHECK_EQUAL(pixel_at(0, SIZE / 2), 3998);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    tear_down();
}

/* Back and forth between two targets with other formats, with a fill of one pixel before each. */
static void blits(void)
{
    IDirect3DSurface9 *other = NULL;

    if (!set_up(0, D3DMULTISAMPLE_NONE))
        return;
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                 &other, NULL),
             D3D_OK);
    for (unsigned i = 0; i < 400; i++) {
        const RECT pixel = {(LONG)(i % SIZE), (LONG)(i / SIZE), (LONG)(i % SIZE) + 1, (LONG)(i / SIZE) + 1};

        CHECK_HR(IDirect3DDevice9_ColorFill(device, i & 1 ? other : target, &pixel, 0xff000001 + i), D3D_OK);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, i & 1 ? other : target, NULL, i & 1 ? target : other, NULL,
                                              D3DTEXF_NONE),
                 D3D_OK);
    }
    for (unsigned i = 0; i < 400; i += 57)
        CHECK_EQUAL(pixel_at(i % SIZE, i / SIZE), 1 + i);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    IDirect3DSurface9_Release(other);
    tear_down();
}

#define VERTICES 60000

/* A program that runs 20 instructions 1020 times for each vertex. */
static void processed_vertices(void)
{
    char text[1024] = "vs_3_0\ndefi i0, 255, 0, 0, 0\ndefi i1, 4, 0, 0, 0\ndef c0, 0, 0, 0.5, 1\ndcl_position v0\n"
                      "dcl_position o0\nmov r0, c0\nrep i1\nrep i0\n";
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT1, 0, D3DDECLUSAGE_POSITION, 0},
                                                 D3DDECL_END()};
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexBuffer9 *from = NULL, *to = NULL;
    float *data;

    if (!set_up(D3DCREATE_SOFTWARE_VERTEXPROCESSING, D3DMULTISAMPLE_NONE))
        return;
    for (unsigned i = 0; i < 20; i++)
        strcat(text, "add r0.x, r0.x, c0.w\n");
    strcat(text, "endrep\nendrep\nmul r0.x, r0.x, c0.x\nadd r0.x, r0.x, v0.x\nmov o0, r0\n");
    set_vertex_shader9(device, text);
    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, VERTICES * 4, 0, 0, D3DPOOL_SYSTEMMEM, &from, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, VERTICES * 16, 0, D3DFVF_XYZRHW, D3DPOOL_SYSTEMMEM, &to, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(from, 0, 0, (void **)&data, 0), D3D_OK);
    for (unsigned i = 0; i < VERTICES; i++)
        data[i] = (float)(i % 2) - 0.5f;
    CHECK_HR(IDirect3DVertexBuffer9_Unlock(from), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, 4), D3D_OK);
    CHECK_HR(IDirect3DDevice9_ProcessVertices(device, 0, 0, VERTICES, to, NULL, 0), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(to, 0, 0, (void **)&data, D3DLOCK_READONLY), D3D_OK);
    /* from -1..1 to the target's width */
    CHECK(data[0] == SIZE / 4 && data[4 * (VERTICES - 1)] == 3 * SIZE / 4);
    CHECK_HR(IDirect3DVertexBuffer9_Unlock(to), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexShader(device, NULL), D3D_OK);
    IDirect3DVertexBuffer9_Release(from);
    IDirect3DVertexBuffer9_Release(to);
    IDirect3DVertexDeclaration9_Release(declaration);
    tear_down();
}

static const struct test tests[] = {
    {"costly9_long_programs", long_programs},
    {"costly9_loops", loops},
    {"costly9_samples", samples},
    {"costly9_points", points},
    {"costly9_anisotropy", anisotropy},
    {"costly9_clears", clears},
    {"costly9_blits", blits},
    {"costly9_processed_vertices", processed_vertices},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
