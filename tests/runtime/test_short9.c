/* SPDX-License-Identifier: MIT */
/*
 * A momentary shortage of memory. Each allocation of a Reset fails once, also in a Reset that starts from nothing
 * because the previous one had no memory at all. The next Reset, with memory, gives a device on which everything that
 * the program holds works as before.
 */
#include "tests/runtime/program9.h"

#include "tests/runtime/heap.h"

/* More allocations than any Reset makes. */
#define MOST_ALLOCATIONS 5000

struct scene {
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DVertexShader9 *vertex_shader;
    IDirect3DPixelShader9 *pixel_shader;
};

static void create_scene(IDirect3DDevice9 *device, struct scene *scene)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
                                                 D3DDECL_END()};
    uint32_t tokens[SHADER_TOKENS];

    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &scene->declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateVertexShader(device,
                                                 assemble_shader("vs_2_0\n"
                                                                 "dcl_position v0\n"
                                                                 "dcl_normal v1\n"
                                                                 "mov oPos, v0\n"
                                                                 "mov oD0, v1\n",
                                                                 tokens),
                                                 &scene->vertex_shader),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreatePixelShader(device,
                                                assemble_shader("ps_2_0\n"
                                                                "def c0, 1, 0.5, 0, 1\n"
                                                                "dcl v0\n"
                                                                "mul r0, v0, c0\n"
                                                                "mov oC0, r0\n",
                                                                tokens),
                                                &scene->pixel_shader),
             D3D_OK);
}

/* The colour of a triangle over the whole target. */
static uint32_t draw_scene(IDirect3DDevice9 *device, const struct scene *scene)
{
    static const float corners[3][6] = {{-1, 3, 0.5f, 1, 1, 1}, {3, -1, 0.5f, 1, 1, 1}, {-1, -1, 0.5f, 1, 1, 1}};

    clear9(device, 0x123456);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, scene->declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexShader(device, scene->vertex_shader), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetPixelShader(device, scene->pixel_shader), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners, sizeof(corners[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    return read_pixel9(device, WIDTH / 2, HEIGHT / 2);
}

static HRESULT reset(IDirect3DDevice9 *device, bool ex, HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed9(window);

    return ex ? IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &p, NULL) : IDirect3DDevice9_Reset(device, &p);
}

/* from_nothing: after a Reset without any memory, which leaves the device without buffers. */
static void each_allocation_of_a_reset(bool ex, bool from_nothing)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, ex, 0, NULL);
    bool failed_once = true;
    unsigned n, refused = 0;
    struct scene scene;

    if (!device)
        return;
    create_scene(device, &scene);
    for (n = 1; failed_once && n < MOST_ALLOCATIONS; n++) {
        HRESULT hr;

        if (from_nothing) {
            heap_fail(1, MOST_ALLOCATIONS);
            CHECK(FAILED(reset(device, ex, window)));
        }
        heap_fail(n, 1);
        hr = reset(device, ex, window);
        failed_once = heap_has_failed();
        heap_fail(0, 0);
        if (FAILED(hr)) {
            refused++;
            CHECK_HR(reset(device, ex, window), D3D_OK);
        }
        const uint32_t pixel = draw_scene(device, &scene);

        if (color_distance(pixel, 0xff8000) > 1)
            failed(__FILE__, __LINE__, "allocation %u: %06x is drawn", n, pixel);
    }
    CHECK(n > 2 && n < MOST_ALLOCATIONS && refused);
    IDirect3DVertexDeclaration9_Release(scene.declaration);
    IDirect3DVertexShader9_Release(scene.vertex_shader);
    IDirect3DPixelShader9_Release(scene.pixel_shader);
    close_device9(device, window);
}

static void watch(void)
{
    CHECK(heap_watch(LoadLibraryA("halcyon.dll")));
    CHECK(heap_watch(GetModuleHandleA("d3d9.dll")));
}

static void reset9(void)
{
    each_allocation_of_a_reset(false, false);
}

static void reset9_from_nothing(void)
{
    each_allocation_of_a_reset(false, true);
}

static void reset9ex(void)
{
    each_allocation_of_a_reset(true, false);
}

static void reset9ex_from_nothing(void)
{
    each_allocation_of_a_reset(true, true);
}

static const struct test tests[] = {
    {"short9_watch", watch},
    {"short9_reset", reset9},
    {"short9_reset_from_nothing", reset9_from_nothing},
    {"short9_reset_ex", reset9ex},
    {"short9_reset_ex_from_nothing", reset9ex_from_nothing},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
