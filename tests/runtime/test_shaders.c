/* SPDX-License-Identifier: MIT */
/*
 * Which shaders are created. With HALCYON_SHADER_RULES=strict in the environment, only shaders that keep every rule of
 * the API; otherwise also shaders that break a rule but can run, and these work. Also, which bytes draws from user
 * memory read, with a shader and without.
 */
#include "tests/runtime/program.h"

#include <stdlib.h>

static HWND window;
static IDirect3DDevice8 *device;

static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT4), D3DVSD_REG(1, D3DVSDT_D3DCOLOR),
                                    D3DVSD_END()};

static bool strict(void)
{
    const char *rules = getenv("HALCYON_SHADER_RULES");

    return rules && !strcmp(rules, "strict");
}

/* mul r0, v1, v0.w: two input registers in one instruction. */
static const DWORD two_inputs[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000, 0x00000005, 0x800f0000,
                                   0x90e40001, 0x90ff0000, 0x00000001, 0xd00f0000, 0x80e40000, 0x0000ffff};
/* mov r0, v1; mov oPos, v0; mov oD0, r0. */
static const DWORD plain_vertex[] = {0xfffe0101, 0x00000001, 0x800f0000, 0x90e40001, 0x00000001, 0xc00f0000,
                                     0x90e40000, 0x00000001, 0xd00f0000, 0x80e40000, 0x0000ffff};
/* mov r3, v0; mov r0, r3: ps_1_1 has r0 and r1. */
static const DWORD many_temps[] = {0xffff0101, 0x00000001, 0x800f0003, 0x90e40000,
                                   0x00000001, 0x800f0000, 0x80e40003, 0x0000ffff};
static const DWORD plain_pixel[] = {0xffff0101, 0x00000001, 0x800f0000, 0x90e40000, 0x0000ffff};

static void draw(DWORD vertex, DWORD pixel)
{
    static const struct {
        float x, y, z, w;
        DWORD color;
    } corners[] = {
        {-1, 1, 0, 1, 0xff204060}, {1, 1, 0, 1, 0xff204060}, {-1, -1, 0, 1, 0xff204060}, {1, -1, 0, 1, 0xff204060}};

    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, vertex), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_EQUAL(read_pixel(device, WIDTH / 2, HEIGHT / 2), 0x204060);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, 0), D3D_OK);
}

static void begin(void)
{
    window = open_window();
    device = open_device(window, 0, NULL);
    if (!device)
        return;
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, FALSE);
}

static void broken_vertex_shader(void)
{
    DWORD shader = 0;

    begin();
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, two_inputs, &shader, 0),
             strict() ? D3DERR_INVALIDCALL : D3D_OK);
    if (shader) {
        draw(shader, 0);
        CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ), D3D_OK);
        CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, shader), D3D_OK);
    }
    close_device(device, window);
}

static void broken_pixel_shader(void)
{
    DWORD vertex = 0, pixel = 0;

    begin();
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, plain_vertex, &vertex, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, many_temps, &pixel), strict() ? D3DERR_INVALIDCALL : D3D_OK);
    if (pixel) {
        draw(vertex, pixel);
        CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, pixel), D3D_OK);
    }
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, vertex), D3D_OK);
    close_device(device, window);
}

static void whole_shaders(void)
{
    DWORD vertex = 0, pixel = 0;

    begin();
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, plain_vertex, &vertex, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, plain_pixel, &pixel), D3D_OK);
    draw(vertex, pixel);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, vertex), D3D_OK);
    close_device(device, window);
}

/* Shaders that cannot run, or that the original runtime refuses, are refused whatever the setting. */
static void refused_shaders(void)
{
    static const DWORD version_2[] = {0xfffe0200, 0x02000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
    static const DWORD unfed_input[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40005, 0x0000ffff};
    static const DWORD constant_256[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0xa0e40100, 0x0000ffff};
    static const DWORD no_register[] = {0xffff0101, 0x00000001, 0x800f0000, 0xa0e40008, 0x0000ffff};
    DWORD shader = 0;

    begin();
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, version_2, &shader, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, unfed_input, &shader, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, constant_256, &shader, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, plain_pixel, &shader, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, no_register, &shader), D3DERR_INVALIDCALL);
    close_device(device, window);
}

/* Vertices in user memory, the last of which ends before its colour does, in a batch with another draw, whose bytes it
 * must not read: with a shader, with a fixed-function declaration and with an FVF. */
static void short_vertices(void)
{
    static const DWORD colored[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_REG(5, D3DVSDT_D3DCOLOR),
                                    D3DVSD_END()};
    /* mov oPos, v0; mov oD0, v5. */
    static const DWORD code[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000,
                                 0x00000001, 0xd00f0000, 0x90e40005, 0x0000ffff};
    static const float triangle[3][3] = {{-1, 1, 0.5f}, {0, 1, 0.5f}, {0, -1, 0.5f}};
    static const float next[3][3] = {{1, 1, 0.5f}, {1, -1, 0.5f}, {0.5f, -1, 0.5f}};
    DWORD shaders[3] = {0, 0, D3DFVF_XYZ | D3DFVF_DIFFUSE};

    begin();
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, colored, code, &shaders[0], 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, colored, NULL, &shaders[1], 0), D3D_OK);
    for (unsigned i = 0; i < ARRAYSIZE(shaders); i++) {
        CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 1, 0), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shaders[i]), D3D_OK);
        CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0])),
                 D3D_OK);
        CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, next, sizeof(next[0])), D3D_OK);
        CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
        CHECK_EQUAL(read_pixel(device, WIDTH / 2 - 2, HEIGHT - 20), 0);
        CHECK_EQUAL(read_pixel(device, WIDTH / 2 + 20, HEIGHT - 20), 0x102030);
    }
    close_device(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"broken_vertex_shader", broken_vertex_shader},
        {"broken_pixel_shader", broken_pixel_shader},
        {"whole_shaders", whole_shaders},
        {"refused_shaders", refused_shaders},
        {"short_vertices", short_vertices},
    };

    return run_tests(tests, ARRAYSIZE(tests), argc, argv);
}
