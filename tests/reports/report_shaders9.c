/* SPDX-License-Identifier: MIT */
/* Reports about what shaders of Direct3D 9 compute and read. */
#include "tests/reports/scene9.h"

#include <math.h>
#include <stdlib.h>

static const float square[4][3] = {{-1, 1, 0.5f}, {1, 1, 0.5f}, {-1, -1, 0.5f}, {1, -1, 0.5f}};

/* The whole target with shaders that take positions as they are. */
static void draw_shaded(IDirect3DDevice9 *device, const char *vertex, const char *pixel)
{
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    set_shaders9(device, vertex, pixel);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])), D3D_OK);
}

#define PASS_VS "vs_2_0\ndcl_position v0\nmov oPos, v0\n"

/* --- numbers ---------------------------------------------------------------------------------------- */

/*
 * Symptom: a map of Red Orchestra 2 is black, its programs multiply an infinite constant by 0. Right: 0, whatever the other factor
 * is, in all multiplying instructions. What cards of the time compute; several layers found it.
 */
static void infinity_times_zero(void)
{
    static const char *const shaders[4] = {
        "ps_2_0\ndef c1, 0, 0.5, 1, 1\nmov r1, c0.x\nmul r0, r1, c1.x\nadd r0, r0, c1.y\nmov oC0, r0\n",
        "ps_2_0\ndef c1, 0, 0.5, 1, 1\nmov r1, c0.x\nmad r0, r1, c1.x, c1.y\nmov oC0, r0\n",
        "ps_2_0\ndef c1, 0, 0, 0, 0.5\nmov r1, c0.x\ndp3 r0, r1, c1\nadd r0, r0, c1.w\nmov oC0, r0\n",
        "ps_2_0\ndef c1, 0, 0.5, 1, 1\nmov r1, c0.x\nmov r2, c1.y\nlrp r0, c1.x, r1, r2\nmov oC0, r0\n",
    };
    static const float infinite[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetPixelShaderConstantF(device, 0, infinite, 1), D3D_OK);
    for (unsigned i = 0; i < 4; i++) {
        draw_shaded(device, PASS_VS, shaders[i]);
        CHECK_COLOR(read_pixel9(device, 320, 240), 0x808080, 1);
        clear_all9(device, 0);
    }
    close_scene9(device);
}

/* Symptom: what should glow is black. Right: the reciprocal of 0 is the greatest number there is; documented (rcp). */
static void reciprocal_of_zero(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    draw_shaded(device, PASS_VS, "ps_2_0\ndef c0, 0, 0, 0, 0\nrcp r0, c0.x\nmov oC0, r0\n");
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xffffff, 0);
    clear_all9(device, 0);
    draw_shaded(device, "vs_2_0\ndef c0, 0, 0, 0, 1\ndcl_position v0\nmov oPos, v0\nrcp r0.x, c0.x\nmov oD0, r0.x\n",
                "ps_2_0\ndcl v0\nmov oC0, v0\n");
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xffffff, 0);
    close_scene9(device);
}

/* --- constants ---------------------------------------------------------------------------------------- */

/* Symptom: vertices fly about. Right: a constant whose relative address is beyond the last reads as 0; as cards have it. */
static void constants_out_of_range(void)
{
    static const float places[2] = {100000, -100000}, ones[4] = {1, 1, 1, 1};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    for (UINT i = 1; i < 256; i++)
        CHECK_HR(IDirect3DDevice9_SetVertexShaderConstantF(device, i, ones, 1), D3D_OK);
    for (unsigned i = 0; i < 2; i++) {
        const float address[4] = {places[i], 0, 0, 0};

        clear_all9(device, 0xffff0000);
        CHECK_HR(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, address, 1), D3D_OK);
        draw_shaded(device, "vs_2_0\ndcl_position v0\nmov oPos, v0\nmova a0.x, c0.x\nmov oD0, c[a0.x + 10]\n",
                    "ps_2_0\ndcl v0\nmov oC0, v0\n");
        CHECK_COLOR(read_pixel9(device, 320, 240), 0, 0);
    }
    close_scene9(device);
}

/* Symptom: the program does not start its loop. Right: integer constants of the program count in subroutines as well. */
static void loop_in_a_subroutine(void)
{
    static const int count[4] = {3, 0, 0, 0};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetVertexShaderConstantI(device, 0, count, 1), D3D_OK);
    draw_shaded(
        device,
        "vs_2_0\ndef c0, 0, 0.25, 0, 0\ndcl_position v0\nmov oPos, v0\nmov r0, c0.x\ncall l0\nmov oD0, r0\nret\n"
        "label l0\nrep i0\nadd r0, r0, c0.y\nendrep\nret\n",
        "ps_2_0\ndcl v0\nmov oC0, v0\n");
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xbfbfbf, 1);
    close_scene9(device);
}

/*
 * Symptom: figures of Tron 2.0 and The Sims 2 are torn, whose shaders use more constants than a card has. Right: where vertices are
 * processed in software there are 8192; documented ("Software Vertex Processing"), tried on Windows.
 */
static void constants_of_software(void)
{
    static const float color[4] = {0, 1, 0, 1};
    IDirect3DDevice9 *device = open_scene9(D3DCREATE_SOFTWARE_VERTEXPROCESSING, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetVertexShaderConstantF(device, 8191, color, 1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexShaderConstantF(device, 8192, color, 1), D3DERR_INVALIDCALL);
    draw_shaded(device, "vs_2_sw\ndcl_position v0\nmov oPos, v0\nmov oD0, c8191\n", "ps_2_0\ndcl v0\nmov oC0, v0\n");
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x00ff00, 0);
    close_scene9(device);
}

/* --- what is read and written --------------------------------------------------------------------------- */

/*
 * Symptom: shadow maps darken everything beyond the light's far plane. Right: the value compared with a texture of D24S8 is held to
 * 0..1, as the texture's own are. A layer's correction after four games.
 */
static void shadows_beyond_the_far_plane(void)
{
    static const D3DFORMAT formats[2] = {D3DFMT_D24S8, D3DFMT_D16};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *depth = NULL, *level = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetDepthStencilSurface(device, &depth), D3D_OK);
    for (unsigned i = 0; i < 2; i++) {
        IDirect3DTexture9 *texture = NULL;

        CHECK_HR(IDirect3DDevice9_CreateTexture(device, WIDTH, HEIGHT, 1, D3DUSAGE_DEPTHSTENCIL, formats[i],
                                                D3DPOOL_DEFAULT, &texture, NULL),
                 D3D_OK);
        CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, level), D3D_OK);
        CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0), D3D_OK);
        clear9(device, 0);
        CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, depth), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
        draw_shaded(device, PASS_VS,
                    "ps_2_0\ndef c0, 0.5, 0.5, 1.5, 1\ndcl_2d s0\nmov r0, c0\ntexldp r0, r0, s0\nmov oC0, r0\n");
        CHECK_COLOR(read_pixel9(device, 320, 240), 0xffffff, 0);
        CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
        IDirect3DSurface9_Release(level);
        IDirect3DTexture9_Release(texture);
    }
    IDirect3DSurface9_Release(depth);
    close_scene9(device);
}

/* Symptom: a picture is lost that a shader does not write. Right: a bound target that the shader does not write
 * keeps its contents. */
static void target_that_is_not_written(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *second = NULL;
    uint32_t *pixels;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                 &second, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, second), D3D_OK);
    clear_all9(device, 0xff00ff00);
    draw_shaded(device, PASS_VS, "ps_2_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0\n");
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 1, NULL), D3D_OK);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 0);
    pixels = read_surface9(device, second);
    CHECK_COLOR(pixels[240 * WIDTH + 320], 0x00ff00, 0);
    free(pixels);
    IDirect3DSurface9_Release(second);
    close_scene9(device);
}

static const struct report reports[] = {
    {"infinity_times_zero", "doitsujin/dxvk#2016", infinity_times_zero},
    {"reciprocal_of_zero", "microsoft/D3D9On12#47", reciprocal_of_zero},
    {"constants_out_of_range", "misyltoad/d9vk#362", constants_out_of_range},
    {"loop_in_a_subroutine", "athei/mtld3d#293", loop_in_a_subroutine},
    {"constants_of_software", "iXit/Mesa-3D#98", constants_of_software},
    {"shadows_beyond_the_far_plane", "doitsujin/dxvk#2957", shadows_beyond_the_far_plane},
    {"target_that_is_not_written", "doitsujin/dxvk#3449", target_that_is_not_written},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
