/* SPDX-License-Identifier: MIT */
/* Reports about memory that programs of Direct3D 9 lock, copy and give to GDI. */
#include "tests/reports/scene9.h"

static void show(IDirect3DDevice9 *device, IDirect3DTexture9 *texture)
{
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    select9(device, 0, D3DTA_TEXTURE);
    sampler9(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
    fill9(device, 0);
}

/* --- locks ----------------------------------------------------------------------------------------------- */

/*
 * Symptom: a game writes to an old address after a lock that failed. Right: a texture of the default pool that is not dynamic cannot
 * be locked (documented), and the failed lock leaves no address. Measured on Windows XP and on current drivers.
 */
static void lock_that_fails(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    D3DLOCKED_RECT locked = {123, &locked};
    IDirect3DTexture9 *texture = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3DERR_INVALIDCALL);
    CHECK_EQUAL(locked.Pitch, 0);
    CHECK(!locked.pBits);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* Symptom: Turok (2008) crashes. Right: a lock for discarding and reading is refused in the default pool alone. Measured on Windows. */
static void discard_and_read_only(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    static const D3DPOOL pools[2] = {D3DPOOL_SYSTEMMEM, D3DPOOL_DEFAULT};
    D3DLOCKED_RECT locked;

    if (!device)
        return;
    for (unsigned i = 0; i < 2; i++) {
        IDirect3DTexture9 *texture = NULL;

        CHECK_HR(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, pools[i], &texture,
                                                NULL),
                 D3D_OK);
        CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, D3DLOCK_DISCARD | D3DLOCK_READONLY),
                 i ? D3DERR_INVALIDCALL : D3D_OK);
        IDirect3DTexture9_UnlockRect(texture, 0);
        IDirect3DTexture9_Release(texture);
    }
    close_scene9(device);
}

/* Symptom: black lines over the map. Right: rows of a texture of three bytes a texel begin at multiples of four bytes. */
static void rows_of_three_bytes(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 5, 4, 1, 0, D3DFMT_R8G8B8, D3DPOOL_SCRATCH, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    CHECK_EQUAL(locked.Pitch, 16);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* Symptom: torn updates of compressed textures. Right: the pitch counts bytes from row to row of blocks, and a part begins at its
 * first block; documented (D3DLOCKED_RECT). */
static void parts_of_compressed_textures(void)
{
    static const uint16_t green_block[4] = {0x07e0, 0x07e0, 0, 0};
    const RECT part = {8, 4, 16, 8};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT whole, locked;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 16, 16, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &whole, NULL, 0), D3D_OK);
    CHECK_EQUAL(whole.Pitch, 32);
    memset(whole.pBits, 0, 4u * 32);
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    show(device, texture);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, &part, 0), D3D_OK);
    for (unsigned i = 0; i < 2; i++)
        memcpy((uint8_t *)locked.pBits + 8 * i, green_block, sizeof(green_block));
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    fill9(device, 0);
    CHECK_COLOR(read_pixel9(device, WIDTH / 2 + 4, HEIGHT / 4 + 4), 0x00ff00, 0);
    CHECK_COLOR(read_pixel9(device, WIDTH - 4, HEIGHT / 2 - 4), 0x00ff00, 0);
    CHECK_COLOR(read_pixel9(device, WIDTH / 2 - 4, HEIGHT / 4 + 4), 0, 0);
    CHECK_COLOR(read_pixel9(device, WIDTH / 2 + 4, HEIGHT / 2 + 4), 0, 0);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* Symptom: L.A. Noire ends when it loads a volume of DXT1. Right: consecutive slices of blocks; documented. */
static void compressed_volume(void)
{
    static const uint16_t blocks[2][4] = {{0xf800, 0xf800, 0, 0}, {0x07e0, 0x07e0, 0, 0}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DVolumeTexture9 *volume = NULL;
    D3DLOCKED_BOX locked;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateVolumeTexture(device, 8, 8, 2, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &volume, NULL),
             D3D_OK);
    if (volume) {
        CHECK_HR(IDirect3DVolumeTexture9_LockBox(volume, 0, &locked, NULL, 0), D3D_OK);
        CHECK_EQUAL(locked.RowPitch, 16);
        CHECK_EQUAL(locked.SlicePitch, 32);
        for (unsigned i = 0; i < 8; i++)
            memcpy((uint8_t *)locked.pBits + 8 * i, blocks[i / 4], sizeof(blocks[0]));
        CHECK_HR(IDirect3DVolumeTexture9_UnlockBox(volume, 0), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)volume), D3D_OK);
        select9(device, 0, D3DTA_TEXTURE);
        for (unsigned i = 0; i < 2; i++) {
            const float w = 0.25f + 0.5f * (float)i;
            const struct {
                float x, y, z, rhw, u, v, w;
            } quad[4] = {{0, 0, 0.5f, 1, 0, 0, w},
                         {WIDTH, 0, 0.5f, 1, 1, 0, w},
                         {0, HEIGHT, 0.5f, 1, 0, 1, w},
                         {WIDTH, HEIGHT, 0.5f, 1, 1, 1, w}};

            draw_strip9(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0), quad, sizeof(quad[0]));
            CHECK_COLOR(read_pixel9(device, 320, 240), i ? 0x00ff00 : 0xff0000, 0);
        }
        CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
        IDirect3DVolumeTexture9_Release(volume);
    }
    close_scene9(device);
}

/* --- copies of textures -------------------------------------------------------------------------------------- */

static IDirect3DTexture9 *texture_in(IDirect3DDevice9 *device, unsigned size, unsigned levels, D3DPOOL pool)
{
    IDirect3DTexture9 *texture = NULL;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, size, size, levels, 0, D3DFMT_X8R8G8B8, pool, &texture, NULL),
             D3D_OK);
    return texture;
}

/* A texture in system memory and one that can be drawn with. */
struct pair {
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *from, *to;
};

/* The sizes and numbers of levels of both. */
static bool open_pair(struct pair *p, unsigned from_size, unsigned from_levels, unsigned to_size, unsigned to_levels)
{
    p->device = open_scene9(0, NULL);
    if (!p->device)
        return false;
    p->from = texture_in(p->device, from_size, from_levels, D3DPOOL_SYSTEMMEM);
    p->to = texture_in(p->device, to_size, to_levels, D3DPOOL_DEFAULT);
    return true;
}

static void close_pair(struct pair *p)
{
    IDirect3DTexture9_Release(p->from);
    IDirect3DTexture9_Release(p->to);
    close_scene9(p->device);
}

static void update(const struct pair *p)
{
    CHECK_HR(
        IDirect3DDevice9_UpdateTexture(p->device, (IDirect3DBaseTexture9 *)p->from, (IDirect3DBaseTexture9 *)p->to),
        D3D_OK);
}

/*
 * Symptom: Battle Engine Aquila's interface is overwritten. Right: UpdateTexture copies what was marked since the last one, and no
 * more, although its documentation promises less; found on Windows.
 */
static void only_what_is_marked(void)
{
    const RECT left = {0, 0, 4, 8};
    struct pair p;

    if (!open_pair(&p, 8, 1, 8, 1))
        return;
    fill_level9(p.from, 0, 0, 0xff0000);
    update(&p);
    fill_level9(p.from, 0, D3DLOCK_NO_DIRTY_UPDATE, 0x00ff00);
    CHECK_HR(IDirect3DTexture9_AddDirtyRect(p.from, &left), D3D_OK);
    update(&p);
    show(p.device, p.to);
    CHECK_COLOR(read_pixel9(p.device, 160, 240), 0x00ff00, 0);
    CHECK_COLOR(read_pixel9(p.device, 480, 240), 0xff0000, 0);
    close_pair(&p);
}

/* Symptom: ground of ARMA 2 without texture. Right: a source may have finer levels than the destination; documented. */
static void source_with_more_levels(void)
{
    static const DWORD colors[4] = {0xff0000, 0x00ff00, 0x0000ff, 0xffff00};
    struct pair p;

    if (!open_pair(&p, 8, 4, 4, 3))
        return;
    for (unsigned i = 0; i < 4; i++)
        fill_level9(p.from, i, 0, colors[i]);
    update(&p);
    show(p.device, p.to);
    CHECK_COLOR(read_pixel9(p.device, 320, 240), 0x00ff00, 0);
    sampler9(p.device, 0, D3DSAMP_MAXMIPLEVEL, 2);
    fill9(p.device, 0);
    CHECK_COLOR(read_pixel9(p.device, 320, 240), 0xffff00, 0);
    close_pair(&p);
}

/* Symptom: Ys 7 loses pictures. Right: of a source with more levels than a destination of its size, the first ones are copied. */
static void destination_with_one_level(void)
{
    struct pair p;

    if (!open_pair(&p, 8, 4, 8, 1))
        return;
    for (unsigned i = 0; i < 4; i++)
        fill_level9(p.from, i, 0, i ? 0xff0000 : 0x00ff00);
    update(&p);
    show(p.device, p.to);
    CHECK_COLOR(read_pixel9(p.device, 320, 240), 0x00ff00, 0);
    close_pair(&p);
}

/* Symptom: videos freeze. Right: UpdateTexture works although a level is locked, UpdateSurface refuses; Wine's
 * tests. */
static void update_while_locked(void)
{
    struct pair p;
    IDirect3DSurface9 *levels[2];
    D3DLOCKED_RECT locked;

    if (!open_pair(&p, 8, 2, 8, 2))
        return;
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(p.from, 1, &levels[0]), D3D_OK);
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(p.to, 1, &levels[1]), D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(p.from, 1, &locked, NULL, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_UpdateSurface(p.device, levels[0], NULL, levels[1], NULL), D3DERR_INVALIDCALL);
    update(&p);
    CHECK_HR(IDirect3DTexture9_UnlockRect(p.from, 1), D3D_OK);
    for (unsigned i = 0; i < 2; i++)
        IDirect3DSurface9_Release(levels[i]);
    close_pair(&p);
}

/* Symptom: small levels keep an old picture. Right: a mark on a managed texture counts for each of its levels. */
static void marks_count_for_all_levels(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *texture;

    if (!device)
        return;
    texture = texture_in(device, 8, 2, D3DPOOL_MANAGED);
    for (unsigned i = 0; i < 2; i++)
        fill_level9(texture, i, 0, 0xff0000);
    sampler9(device, 0, D3DSAMP_MAXMIPLEVEL, 1);
    show(device, texture);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 0);
    fill_level9(texture, 1, D3DLOCK_NO_DIRTY_UPDATE, 0x00ff00);
    CHECK_HR(IDirect3DTexture9_AddDirtyRect(texture, NULL), D3D_OK);
    fill9(device, 0);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x00ff00, 0);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* --- GDI and readback ------------------------------------------------------------------------------------------ */

/* Symptom: text that a program draws with GDI is missing. Right: GDI sees what was drawn, and what it draws is there. */
static void gdi_draws_on(IDirect3DDevice9 *device, IDirect3DSurface9 *surface)
{
    HDC dc = NULL;

    CHECK_HR(IDirect3DDevice9_ColorFill(device, surface, NULL, 0xff0000ff), D3D_OK);
    CHECK_HR(IDirect3DSurface9_GetDC(surface, &dc), D3D_OK);
    if (!dc)
        return;
    CHECK_EQUAL(GetPixel(dc, 2, 2), RGB(0, 0, 255));
    CHECK_EQUAL(SetPixel(dc, 3, 2, RGB(0, 255, 0)), RGB(0, 255, 0));
    CHECK_HR(IDirect3DSurface9_ReleaseDC(surface, dc), D3D_OK);
}

static void gdi_on_targets(void)
{
    D3DPRESENT_PARAMETERS params = windowed9(NULL);
    IDirect3DSurface9 *surface = NULL;
    IDirect3DDevice9 *device;

    params.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_scene9(0, &params);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface), D3D_OK);
    gdi_draws_on(device, surface);
    CHECK_COLOR(read_pixel9(device, 3, 2), 0x00ff00, 0);
    CHECK_COLOR(read_pixel9(device, 2, 2), 0x0000ff, 0);
    IDirect3DSurface9_Release(surface);
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, TRUE, &surface,
                                                 NULL),
             D3D_OK);
    gdi_draws_on(device, surface);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, surface), D3D_OK);
    CHECK_COLOR(read_pixel9(device, 3, 2), 0x00ff00, 0);
    IDirect3DSurface9_Release(surface);
    close_scene9(device);
}

static uint32_t locked_texel(IDirect3DSurface9 *surface, unsigned x, unsigned y)
{
    D3DLOCKED_RECT locked = {0};
    uint32_t texel = 0xdeadbeef;

    CHECK_HR(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    if (locked.pBits) {
        texel = ((const uint32_t *)((const uint8_t *)locked.pBits + y * (unsigned)locked.Pitch))[x];
        CHECK_HR(IDirect3DSurface9_UnlockRect(surface), D3D_OK);
    }
    return texel;
}

static void gdi_on_plain_surfaces(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *plain = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &plain, NULL),
             D3D_OK);
    gdi_draws_on(device, plain);
    CHECK_COLOR(locked_texel(plain, 3, 2), 0x00ff00, 0);
    CHECK_COLOR(locked_texel(plain, 2, 2), 0x0000ff, 0);
    IDirect3DSurface9_Release(plain);
    close_scene9(device);
}

/* Symptom: a program that locks a copy of the picture sees an old one. Right: what StretchRect has written. */
static void plain_copy_of_a_target(void)
{
    const RECT part = {0, 0, 8, 8};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *plain = NULL, *target = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &plain, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &target,
                                                 NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, plain, NULL, 0xffff0000), D3D_OK);
    CHECK_COLOR(locked_texel(plain, 4, 4), 0xff0000, 0);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, NULL, 0xff00ff00), D3D_OK);
    /* StretchRect copies from a plain surface into a target, but not from a target into a plain surface (documented). */
    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, &part, plain, &part, D3DTEXF_NONE), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    CHECK_COLOR(read_pixel9(device, 4, 4), 0xff0000, 0);
    IDirect3DSurface9_Release(plain);
    IDirect3DSurface9_Release(target);
    close_scene9(device);
}

/* Symptom: screenshots fail. Right: a picture may be read into a level of a texture of the system's memory; documented. */
static void picture_into_a_texture(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DSurface9 *target = NULL, *level = NULL;
    IDirect3DTexture9 *texture = NULL;

    if (!device)
        return;
    fill9(device, 0xff00ff00);
    CHECK_HR(
        IDirect3DDevice9_CreateTexture(device, WIDTH, HEIGHT, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &texture, NULL),
        D3D_OK);
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level), D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &target), D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetRenderTargetData(device, target, level), D3D_OK);
    CHECK_COLOR(locked_texel(level, 320, 240), 0x00ff00, 0);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(level);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

static const struct report reports[] = {
    {"lock_that_fails", "doitsujin/dxvk#4543", lock_that_fails},
    {"rows_of_three_bytes", "doitsujin/dxvk#1669", rows_of_three_bytes},
    {"parts_of_compressed_textures", "bkaradzic/bgfx#1645", parts_of_compressed_textures},
    {"compressed_volume", "wine-compholio/wine-staging#196", compressed_volume},
    {"only_what_is_marked", "doitsujin/dxvk#1757", only_what_is_marked},
    {"source_with_more_levels", "doitsujin/dxvk#2477", source_with_more_levels},
    {"destination_with_one_level", "doitsujin/dxvk#2873", destination_with_one_level},
    {"update_while_locked", "athei/mtld3d#136", update_while_locked},
    {"marks_count_for_all_levels", "doitsujin/dxvk#2431", marks_count_for_all_levels},
    {"gdi_on_targets", "athei/mtld3d#146", gdi_on_targets},
    {"gdi_on_plain_surfaces", "athei/mtld3d#170", gdi_on_plain_surfaces},
    {"plain_copy_of_a_target", "athei/mtld3d#99", plain_copy_of_a_target},
    {"discard_and_read_only", "doitsujin/dxvk#5096", discard_and_read_only},
    {"picture_into_a_texture", "athei/mtld3d#130", picture_into_a_texture},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
