/* SPDX-License-Identifier: MIT */
/* Reports about what programs of Direct3D 9 draw into: samples, depth, clears, generated levels. */
#include "tests/reports/scene9.h"

#include <stdlib.h>

static IDirect3DSurface9 *target_of(IDirect3DDevice9 *device, D3DMULTISAMPLE_TYPE samples)
{
    IDirect3DSurface9 *target = NULL;

    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, 64, 64, D3DFMT_X8R8G8B8, samples, 0, FALSE, &target, NULL),
             D3D_OK);
    return target;
}

static IDirect3DSurface9 *depth_of(IDirect3DDevice9 *device, D3DMULTISAMPLE_TYPE samples)
{
    IDirect3DSurface9 *depth = NULL;

    CHECK_HR(IDirect3DDevice9_CreateDepthStencilSurface(device, 64, 64, D3DFMT_D24S8, samples, 0, FALSE, &depth, NULL),
             D3D_OK);
    return depth;
}

static void bind_targets(IDirect3DDevice9 *device, IDirect3DSurface9 *target, IDirect3DSurface9 *depth)
{
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, depth), D3D_OK);
}

static uint32_t resolved_pixel(IDirect3DDevice9 *device, IDirect3DSurface9 *target, unsigned x, unsigned y)
{
    IDirect3DSurface9 *plain = target_of(device, D3DMULTISAMPLE_NONE);
    uint32_t *pixels, pixel;

    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, NULL, plain, NULL, D3DTEXF_NONE), D3D_OK);
    pixels = read_surface9(device, plain);
    pixel = pixels[y * WIDTH + x];
    free(pixels);
    IDirect3DSurface9_Release(plain);
    return pixel;
}

/* --- samples ---------------------------------------------------------------------------------------- */

/*
 * Symptom: edges drawn after a copy of the depth buffer are jagged. Right: between depth buffers of one sample count
 * each sample is copied, so that an edge covers half of a pixel's samples in the copy as well. A layer's correction
 * after a game.
 */
static void copy_of_depth_samples(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *target, *from, *to;

    if (!device)
        return;
    target = target_of(device, D3DMULTISAMPLE_4_SAMPLES);
    from = depth_of(device, D3DMULTISAMPLE_4_SAMPLES);
    to = depth_of(device, D3DMULTISAMPLE_4_SAMPLES);
    bind_targets(device, target, to);
    clear_all9(device, 0);
    bind_targets(device, target, from);
    clear_all9(device, 0);
    state9(device, D3DRS_ZENABLE, TRUE);
    state9(device, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    draw_rect9(device, 0, 0, 32.5f, 64, 0xffffffff);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK); /* StretchRect of depth is for outside scenes */
    CHECK_HR(IDirect3DDevice9_StretchRect(device, from, NULL, to, NULL, D3DTEXF_NONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    bind_targets(device, target, to);
    clear9(device, 0);
    state9(device, D3DRS_ZFUNC, D3DCMP_LESS);
    draw_rect9(device, 0, 0, 64, 64, 0xffffffff);
    CHECK_COLOR(resolved_pixel(device, target, 10, 10), 0, 0);
    CHECK_COLOR(resolved_pixel(device, target, 32, 10), 0x808080, 2);
    CHECK_COLOR(resolved_pixel(device, target, 50, 10), 0xffffff, 0);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, NULL), D3D_OK);
    IDirect3DSurface9_Release(from);
    IDirect3DSurface9_Release(to);
    IDirect3DSurface9_Release(target);
    close_scene9(device);
}

static void draw_inside(IDirect3DDevice9 *device)
{
    draw_rect9(device, 0, 0, 32, 32, 0xffffffff);
}

/*
 * Symptom: lens flares are a quarter as bright with antialiasing. Right: an occlusion query counts samples: as many times the pixels
 * as the target has samples. Measured on Windows; Microsoft's page was corrected.
 */
static void queries_count_samples(void)
{
    static const D3DMULTISAMPLE_TYPE samples[3] = {D3DMULTISAMPLE_NONE, D3DMULTISAMPLE_2_SAMPLES,
                                                   D3DMULTISAMPLE_4_SAMPLES};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    for (unsigned i = 0; i < 3; i++) {
        IDirect3DSurface9 *target = target_of(device, samples[i]);

        bind_targets(device, target, NULL);
        CHECK_EQUAL(count_drawn9(device, draw_inside), 1024u << i);
        IDirect3DSurface9_Release(target);
    }
    close_scene9(device);
}

/* Symptom: Halo 2's menu lacks its background. Right: a picture without samples can be copied into a target with two. */
static void copy_into_samples(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *plain, *multisampled;

    if (!device)
        return;
    plain = target_of(device, D3DMULTISAMPLE_NONE);
    multisampled = target_of(device, D3DMULTISAMPLE_2_SAMPLES);
    bind_targets(device, multisampled, NULL);
    clear9(device, 0xff0000);
    bind_targets(device, plain, NULL);
    clear9(device, 0x00ff00);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, plain, NULL, multisampled, NULL, D3DTEXF_NONE), D3D_OK);
    CHECK_COLOR(resolved_pixel(device, multisampled, 20, 20), 0x00ff00, 0);
    IDirect3DSurface9_Release(plain);
    IDirect3DSurface9_Release(multisampled);
    close_scene9(device);
}

/* --- clears -------------------------------------------------------------------------------------------- */

/* Symptom: what one view drew is seen through another. Right: a clear of colour and depth stays inside the viewport; documented. */
static void clear_inside_the_viewport(void)
{
    const D3DVIEWPORT9 part = {100, 100, 100, 100, 0, 1}, all = {0, 0, WIDTH, HEIGHT, 0, 1};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.25f, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetViewport(device, &part), D3D_OK);
    clear_all9(device, 0xff0000ff);
    CHECK_HR(IDirect3DDevice9_SetViewport(device, &all), D3D_OK);
    CHECK_COLOR(read_pixel9(device, 99, 99), 0, 0);
    CHECK_COLOR(read_pixel9(device, 100, 100), 0x0000ff, 0);
    state9(device, D3DRS_ZENABLE, TRUE);
    fill9(device, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 99, 150), 0, 0);
    CHECK_COLOR(read_pixel9(device, 150, 150), 0xff0000, 0);
    CHECK_COLOR(read_pixel9(device, 200, 150), 0, 0);
    close_scene9(device);
}

/* Symptom: part of the last picture stays. Right: the scissor rectangle counts for clears while its test is on; documented. */
static void clear_inside_the_scissors(void)
{
    const RECT scissors = {100, 100, 200, 200};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetScissorRect(device, &scissors), D3D_OK);
    state9(device, D3DRS_SCISSORTESTENABLE, TRUE);
    clear9(device, 0x0000ff);
    CHECK_COLOR(read_pixel9(device, 99, 150), 0, 0);
    CHECK_COLOR(read_pixel9(device, 150, 150), 0x0000ff, 0);
    state9(device, D3DRS_SCISSORTESTENABLE, FALSE);
    clear9(device, 0x00ff00);
    CHECK_COLOR(read_pixel9(device, 99, 150), 0x00ff00, 0);
    close_scene9(device);
}

/* --- generated levels ------------------------------------------------------------------------------------ */

static IDirect3DTexture9 *generating_target(IDirect3DDevice9 *device, IDirect3DSurface9 **level)
{
    IDirect3DTexture9 *texture = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
                                            D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, level), D3D_OK);
    return texture;
}

/* The texture on a few pixels of the back buffer, so that a small level is read. */
static uint32_t small_picture(IDirect3DDevice9 *device, IDirect3DTexture9 *texture)
{
    IDirect3DSurface9 *back = NULL;

    CHECK_HR(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
    IDirect3DSurface9_Release(back);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    select9(device, 0, D3DTA_TEXTURE);
    sampler9(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
    draw_rect9(device, 0, 0, 8, 8, 0);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
    return read_pixel9(device, 4, 4);
}

/* Symptom: reflections show the picture before the last. Right: what is drawn after a GenerateMipSubLevels counts for the next. */
static void levels_of_what_is_drawn(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *level = NULL;
    IDirect3DTexture9 *texture;

    if (!device)
        return;
    texture = generating_target(device, &level);
    bind_targets(device, level, NULL);
    clear9(device, 0xff0000);
    IDirect3DTexture9_GenerateMipSubLevels(texture);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
    draw_rect9(device, 0, 0, 64, 64, 0xff00ff00);
    IDirect3DTexture9_GenerateMipSubLevels(texture);
    CHECK_COLOR(small_picture(device, texture), 0x00ff00, 0);
    IDirect3DSurface9_Release(level);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* Symptom: small pictures keep the old colour. Right: ColorFill of the first level counts as well; as wined3d has it. */
static void levels_of_what_is_filled(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *level = NULL;
    IDirect3DTexture9 *texture;

    if (!device)
        return;
    texture = generating_target(device, &level);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, level, NULL, 0xffff0000), D3D_OK);
    CHECK_COLOR(small_picture(device, texture), 0xff0000, 0);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, level, NULL, 0xff00ff00), D3D_OK);
    CHECK_COLOR(small_picture(device, texture), 0x00ff00, 0);
    IDirect3DSurface9_Release(level);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

static const struct report reports[] = {
    {"copy_of_depth_samples", "doitsujin/dxvk#4794", copy_of_depth_samples},
    {"queries_count_samples", "MicrosoftDocs/win32#1388", queries_count_samples},
    {"copy_into_samples", "misyltoad/d9vk#413", copy_into_samples},
    {"clear_inside_the_viewport", "athei/mtld3d#41", clear_inside_the_viewport},
    {"clear_inside_the_scissors", "libsdl-org/SDL#3357", clear_inside_the_scissors},
    {"levels_of_what_is_drawn", "doitsujin/dxvk#4350", levels_of_what_is_drawn},
    {"levels_of_what_is_filled", "athei/mtld3d#102", levels_of_what_is_filled},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
