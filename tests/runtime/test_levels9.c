/* SPDX-License-Identifier: MIT */
/*
 * Levels of MIP maps, whose surface is that of the whole texture (runtime/common/driver/chain.c): each way to write one reaches
 * this level and no other, which draws and readbacks show.
 */
#include "tests/runtime/program9.h"

#define SIDE   16u
#define LEVELS 5

static HWND window;
static IDirect3DDevice9 *device;

static uint32_t color_of(unsigned level)
{
    return 0x102030u * (level + 1);
}

static unsigned side_of(unsigned level)
{
    return SIDE >> level;
}

static IDirect3DTexture9 *texture_in(D3DPOOL pool, DWORD usage)
{
    IDirect3DTexture9 *texture = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, LEVELS, usage, D3DFMT_X8R8G8B8, pool, &texture, NULL),
             D3D_OK);
    return texture;
}

static void fill_level(IDirect3DTexture9 *texture, unsigned level, uint32_t color)
{
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < side_of(level); y++)
        for (unsigned x = 0; x < side_of(level); x++)
            memcpy((uint8_t *)locked.pBits + y * (size_t)locked.Pitch + 4 * x, &color, 4);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, level), D3D_OK);
}

static void fill_all(IDirect3DTexture9 *texture)
{
    for (unsigned level = 0; level < LEVELS; level++)
        fill_level(texture, level, color_of(level));
}

/* Draws as many pixels as the level has texels; the color of the first. */
static uint32_t drawn(IDirect3DTexture9 *texture, unsigned level)
{
    const float side = (float)side_of(level) - 0.5f;
    const float v[4][6] = {
        {-0.5f, -0.5f, 0, 1, 0, 0}, {side, -0.5f, 0, 1, 1, 0}, {-0.5f, side, 0, 1, 0, 1}, {side, side, 0, 1, 1, 1}};

    clear9(device, 0x123456);
    IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1);
    IDirect3DDevice9_BeginScene(device);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])), D3D_OK);
    IDirect3DDevice9_EndScene(device);
    IDirect3DDevice9_SetTexture(device, 0, NULL);
    return read_pixel9(device, 0, 0);
}

static void check_levels(const char *what, IDirect3DTexture9 *texture, unsigned except, uint32_t color)
{
    for (unsigned level = 0; level < LEVELS; level++) {
        const uint32_t got = drawn(texture, level), want = level == except ? color : color_of(level);

        if (got != want)
            failed(__FILE__, __LINE__, "%s: level %u is %06x, not %06x", what, level, (unsigned)got, (unsigned)want);
    }
}

static void managed_textures(void)
{
    IDirect3DTexture9 *texture = texture_in(D3DPOOL_MANAGED, 0);

    fill_all(texture);
    check_levels("managed", texture, LEVELS, 0);
    for (unsigned level = 0; level < LEVELS; level++) {
        fill_level(texture, level, 0x445566);
        check_levels("one level locked", texture, level, 0x445566);
        fill_level(texture, level, color_of(level));
    }
    CHECK_HR(IDirect3DDevice9_EvictManagedResources(device), D3D_OK);
    check_levels("evicted", texture, LEVELS, 0);
    IDirect3DTexture9_SetLOD(texture, 2);
    CHECK_EQUAL(drawn(texture, 0), color_of(2));
    IDirect3DTexture9_Release(texture);
}

static void two_levels_locked(void)
{
    IDirect3DTexture9 *texture = texture_in(D3DPOOL_MANAGED, 0);
    D3DLOCKED_RECT first, second;
    const uint32_t color = 0x778899;

    fill_all(texture);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 3, &first, NULL, 0), D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 4, &second, NULL, 0), D3D_OK);
    memcpy(second.pBits, &color, 4);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 4), D3D_OK);
    check_levels("another level is locked", texture, 4, color);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 3), D3D_OK);
    IDirect3DTexture9_Release(texture);
}

static void updates(void)
{
    IDirect3DTexture9 *source = texture_in(D3DPOOL_SYSTEMMEM, 0), *destination = texture_in(D3DPOOL_DEFAULT, 0);

    fill_all(source);
    CHECK_HR(
        IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)source, (IDirect3DBaseTexture9 *)destination),
        D3D_OK);
    check_levels("UpdateTexture", destination, LEVELS, 0);
    for (unsigned level = 0; level < LEVELS; level++) {
        IDirect3DSurface9 *from = NULL, *to = NULL;

        fill_level(source, level, 0x112233);
        IDirect3DTexture9_GetSurfaceLevel(source, level, &from);
        IDirect3DTexture9_GetSurfaceLevel(destination, level, &to);
        CHECK_HR(IDirect3DDevice9_UpdateSurface(device, from, NULL, to, NULL), D3D_OK);
        check_levels("UpdateSurface", destination, level, 0x112233);
        fill_level(source, level, color_of(level));
        CHECK_HR(IDirect3DDevice9_UpdateSurface(device, from, NULL, to, NULL), D3D_OK);
        IDirect3DSurface9_Release(from);
        IDirect3DSurface9_Release(to);
    }
    IDirect3DTexture9_Release(destination);
    IDirect3DTexture9_Release(source);
}

/* A level of the default pool to a target, and that to a level in system memory. */
static void readbacks(void)
{
    IDirect3DTexture9 *source = texture_in(D3DPOOL_SYSTEMMEM, 0), *video = texture_in(D3DPOOL_DEFAULT, 0);

    fill_all(source);
    CHECK_HR(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)source, (IDirect3DBaseTexture9 *)video),
             D3D_OK);
    for (unsigned level = 0; level < LEVELS; level++) {
        IDirect3DSurface9 *target = NULL, *from = NULL, *to = NULL;

        CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, side_of(level), side_of(level), D3DFMT_X8R8G8B8, 0, 0,
                                                     FALSE, &target, NULL),
                 D3D_OK);
        IDirect3DTexture9_GetSurfaceLevel(video, level, &from);
        IDirect3DTexture9_GetSurfaceLevel(source, level, &to);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, from, NULL, target, NULL, D3DTEXF_POINT), D3D_OK);
        fill_all(source);
        fill_level(source, level, 0);
        CHECK_HR(IDirect3DDevice9_GetRenderTargetData(device, target, to), D3D_OK);
        for (unsigned other = 0; other < LEVELS; other++) {
            D3DLOCKED_RECT locked;
            uint32_t got = 0;

            CHECK_HR(IDirect3DTexture9_LockRect(source, other, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
            memcpy(&got, locked.pBits, 4);
            IDirect3DTexture9_UnlockRect(source, other);
            if ((got & 0xffffff) != color_of(other))
                failed(__FILE__, __LINE__, "readback of level %u: level %u is %06x", level, other, (unsigned)got);
        }
        IDirect3DSurface9_Release(to);
        IDirect3DSurface9_Release(from);
        IDirect3DSurface9_Release(target);
    }
    IDirect3DTexture9_Release(video);
    IDirect3DTexture9_Release(source);
}

/* Managed textures are still there after a reset. */
static void reset_keeps_levels(void)
{
    IDirect3DTexture9 *texture = texture_in(D3DPOOL_MANAGED, 0);
    D3DPRESENT_PARAMETERS params = windowed9(window);

    fill_all(texture);
    check_levels("before the reset", texture, LEVELS, 0);
    CHECK_HR(IDirect3DDevice9_Reset(device, &params), D3D_OK);
    check_levels("after the reset", texture, LEVELS, 0);
    IDirect3DTexture9_Release(texture);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"managed_textures", managed_textures},
        {"two_levels_locked", two_levels_locked},
        {"updates", updates},
        {"readbacks", readbacks},
        {"reset_keeps_levels", reset_keeps_levels},
    };
    int status;

    window = open_window();
    device = open_device9(window, false, 0, NULL);
    status = device ? run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv) : 1;
    if (device)
        close_device9(device, window);
    return status;
}
