/* SPDX-License-Identifier: MIT */
/*
 * A caller of the WDDM interface is recorded like any other: `dp2 replay` of the capture shows the frames that it presented. (The
 * program is build/FLAVOUR/dp2.)
 */
#include "tests/unit/umd_runtime.h"

#include <stdio.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "d3d/ddi.h"

#define FRAMES 4
#define WIDTH  40
#define HEIGHT 24

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
};

static char capture[] = "/tmp/test_umd_captureXXXXXX", dp2_program[1024];
static uint64_t seen[FRAMES];

/* The hash that `dp2 replay --hash` prints for a picture (replay/picture.h). */
static uint64_t hash_of(HANDLE target)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    UINT pitch;
    const uint8_t *bits = umd_rt_lock_part(target, 0, 1 /* ReadOnly */, &pitch, NULL);

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        memcpy(&pixels[i], bits + i / WIDTH * pitch + i % WIDTH * 4, 4);
        pixels[i] |= 0xff000000u;
    }
    umd_rt_unlock_part(target, 0);
    return XXH3_64bits_withSeed(pixels, sizeof(pixels), (uint64_t)HEIGHT << 32 | WIDTH);
}

/* A triangle of the caller's memory, textured with what a lock has written, in another place in each frame. */
static void draw_frame(unsigned frame, HANDLE texture)
{
    const float x = 3.0f * (float)frame;
    const struct vertex corners[] = {
        {x, 2, 0, 1, 0xffff8000}, {x + 25, 4, 0, 1, 0xff0080ff}, {x + 9, 22, 0, 1, 0xff80ff00}};
    const D3DDDIARG_CLEAR clear = {1, 0xff000000 | frame << 20 | 0x102030, 0, 0};
    const D3DDDIARG_SETSTREAMSOURCEUM source = {0, sizeof(corners[0])};
    const D3DDDIARG_DRAWPRIMITIVE draw = {4 /* D3DPT_TRIANGLELIST */, 0, 1};
    UINT pitch;
    uint8_t *bits = umd_rt_lock_part(texture, 0, 8 /* Discard */, &pitch, NULL);

    memset(bits, (int)(0x40 + 0x30 * frame), pitch * 4);
    umd_rt_unlock_part(texture, 0);
    assert_int_equal(umd_f.pfnClear(umd_rt.device, &clear, 0, NULL), S_OK);
    assert_int_equal(umd_f.pfnSetTexture(umd_rt.device, 0, texture), S_OK);
    assert_int_equal(umd_f.pfnSetStreamSourceUm(umd_rt.device, &source, corners), S_OK);
    assert_int_equal(umd_f.pfnDrawPrimitive(umd_rt.device, &draw, NULL), S_OK);
}

static void run_program(void)
{
    static const D3DDDIVERTEXELEMENT elements[] = {{0, 0, 3, 0, 9, 0}, {0, 16, 4, 0, 10, 0}};
    const D3DDDIARG_RENDERSTATE states[] = {{D3DRS_CULLMODE, 1}, {D3DRS_LIGHTING, 0}, {D3DRS_ZENABLE, 0}};
    const D3DDDIARG_VIEWPORTINFO viewport = {0, 0, WIDTH, HEIGHT};
    D3DDDIARG_CREATEVERTEXSHADERDECL declaration = {.NumVertexElements = 2};
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};
    D3DDDIARG_SETRENDERTARGET target = {.RenderTargetIndex = 0};
    D3DDDIARG_PRESENT present = {.SrcSubResourceIndex = 0};
    HANDLE texture;

    umd_rt_open();
    flags.RenderTarget = TRUE;
    target.hRenderTarget = present.hSrcResource = umd_rt_create(D3DFMT_X8R8G8B8, flags, WIDTH, HEIGHT, 0, 1);
    flags.Value = 0;
    flags.Texture = TRUE;
    texture = umd_rt_create(D3DFMT_X8R8G8B8, flags, 4, 4, 0, 1);
    assert_int_equal(umd_f.pfnSetRenderTarget(umd_rt.device, &target), S_OK);
    assert_int_equal(umd_f.pfnSetViewport(umd_rt.device, &viewport), S_OK);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(umd_f.pfnSetRenderState(umd_rt.device, &states[i]), S_OK);
    assert_int_equal(umd_f.pfnCreateVertexShaderDecl(umd_rt.device, &declaration, elements), S_OK);
    assert_int_equal(umd_f.pfnSetVertexShaderDecl(umd_rt.device, declaration.ShaderHandle), S_OK);
    present.Flags.Flip = TRUE;
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        draw_frame(frame, texture);
        assert_int_equal(umd_f.pfnPresent(umd_rt.device, &present), S_OK);
        seen[frame] = hash_of(present.hSrcResource);
    }
    umd_rt_close();
}

static void test_replay(void **state)
{
    char command[1200];
    unsigned frame, width, height, frames = 0;
    unsigned long long hash;
    FILE *pipe;

    (void)state;
    run_program();
    for (unsigned i = 1; i < FRAMES; i++)
        assert_true(seen[i] != seen[i - 1]);
    snprintf(command, sizeof(command), "HALCYON_CAPTURE= '%s' replay --hash '%s'", dp2_program, capture);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fscanf(pipe, "%u %ux%u %llx", &frame, &width, &height, &hash) == 4) {
        assert_true(frames < FRAMES);
        assert_int_equal(hash, seen[frames++]);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(frames, FRAMES);
}

static void test_information(void **state)
{
    char command[1200], line[256];
    bool told = false;
    FILE *pipe;

    (void)state;
    snprintf(command, sizeof(command), "HALCYON_CAPTURE= '%s' info '%s'", dp2_program, capture);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof(line), pipe))
        told |=
            strncmp(line, "interface", 9) == 0 && strstr(line, "WDDM user-mode interface") && !strstr(line, "DirectX");
    assert_int_equal(pclose(pipe), 0);
    assert_true(told);
}

static int prepare(void **state)
{
    const ssize_t length = readlink("/proc/self/exe", dp2_program, sizeof(dp2_program) - 8);
    const int file = mkstemp(capture);

    (void)state;
    if (length < 0 || file < 0)
        return -1;
    close(file);
    remove(capture); /* an existing file would not be replaced */
    dp2_program[length] = 0;
    for (unsigned i = 0; i < 2; i++) { /* build/FLAVOUR/tests/NAME -> build/FLAVOUR/dp2 */
        char *slash = strrchr(dp2_program, '/');

        if (!slash)
            return -1;
        *slash = 0;
    }
    strcat(dp2_program, "/dp2");
    setenv("HALCYON_CAPTURE", capture, 1);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    return getenv("KEEP") ? 0 : remove(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay), cmocka_unit_test(test_information)};

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
