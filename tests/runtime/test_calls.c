/* SPDX-License-Identifier: MIT */
/* Calls that Wine's tests do not make: regions marked by the program, priorities and levels, patches, and mistakes that
 * programs get away with (shader handles with the low bits cleared, states that do not exist, depth formats where they
 * are useless). */
#include "tests/runtime/program.h"

#include <stdlib.h>

struct vertex {
    float x, y, z, u, v, w;
};
#define FVF (D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0))

static HWND window;
static IDirect3DDevice8 *device;

/* Only textures are visible, in full, unlit. */
static bool set_up(void)
{
    window = open_window();
    device = open_device(window, 0, NULL);
    if (!device)
        return false;
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    return true;
}

static void tear_down(void)
{
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    IDirect3DDevice8_SetTexture(device, 0, NULL);
    IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0);
    close_device(device, window);
}

/* The texture over the whole picture; `w`: its third coordinate. */
static void draw(void *texture, float w)
{
    const struct vertex quad[4] = {
        {-1, 1, 0.5f, 0, 0, w}, {1, 1, 0.5f, 1, 0, w}, {-1, -1, 0.5f, 0, 1, w}, {1, -1, 0.5f, 1, 1, w}};

    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, FVF), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, texture), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])), D3D_OK);
}

static void fill(const D3DLOCKED_RECT *locked, unsigned size, uint32_t color)
{
    for (unsigned i = 0; i < size * size; i++)
        ((uint32_t *)((uint8_t *)locked->pBits + i / size * locked->Pitch))[i % size] = color;
}

/* --- regions ------------------------------------------------------------------------------- */

/* Data written without a dirty region is not used until the program marks the region. */
static void dirty_rects(void)
{
    IDirect3DTexture8 *texture;
    D3DLOCKED_RECT locked;
    RECT right = {4, 0, 8, 8}, outside = {4, 0, 9, 8}, empty = {4, 0, 4, 8}, negative = {-1, 0, 4, 8};

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 8, 8, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture), D3D_OK);
    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    fill(&locked, 8, 0x112233);
    CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
    draw(texture, 0);
    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, D3DLOCK_NO_DIRTY_UPDATE), D3D_OK);
    fill(&locked, 8, 0x445566);
    CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
    CHECK_HR(IDirect3DTexture8_AddDirtyRect(texture, &outside), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DTexture8_AddDirtyRect(texture, &empty), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DTexture8_AddDirtyRect(texture, &negative), D3DERR_INVALIDCALL);
    draw(texture, 0);
    CHECK_EQUAL(read_pixel(device, 600, 240), 0x112233);
    CHECK_HR(IDirect3DTexture8_AddDirtyRect(texture, &right), D3D_OK);
    draw(texture, 0);
    CHECK_EQUAL(read_pixel(device, 600, 240), 0x445566);
    CHECK_EQUAL(read_pixel(device, 40, 240), 0x112233);
    CHECK_HR(IDirect3DTexture8_AddDirtyRect(texture, NULL), D3D_OK);
    draw(texture, 0);
    CHECK_EQUAL(read_pixel(device, 40, 240), 0x445566);
    IDirect3DTexture8_Release(texture);
    tear_down();
}

static void dirty_faces(void)
{
    IDirect3DCubeTexture8 *texture;
    D3DLOCKED_RECT locked;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_CreateCubeTexture(device, 8, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture), D3D_OK);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned face = 0; face < 6; face++) {
            CHECK_HR(IDirect3DCubeTexture8_LockRect(texture, (D3DCUBEMAP_FACES)face, 0, &locked, NULL,
                                                    round ? D3DLOCK_NO_DIRTY_UPDATE : 0),
                     D3D_OK);
            fill(&locked, 8, 0x100000 * (face + 1) + round);
            CHECK_HR(IDirect3DCubeTexture8_UnlockRect(texture, (D3DCUBEMAP_FACES)face, 0), D3D_OK);
        }
        draw(texture, 100); /* the face of +z */
        CHECK_EQUAL(read_pixel(device, 320, 240), 0x500000);
    }
    CHECK_HR(IDirect3DCubeTexture8_AddDirtyRect(texture, D3DCUBEMAP_FACE_NEGATIVE_X, NULL), D3D_OK);
    draw(texture, 100);
    CHECK_EQUAL(read_pixel(device, 320, 240), 0x500000);
    CHECK_HR(IDirect3DCubeTexture8_AddDirtyRect(texture, D3DCUBEMAP_FACE_POSITIVE_Z, NULL), D3D_OK);
    CHECK_HR(IDirect3DCubeTexture8_AddDirtyRect(texture, (D3DCUBEMAP_FACES)6, NULL), D3DERR_INVALIDCALL);
    draw(texture, 100);
    CHECK_EQUAL(read_pixel(device, 320, 240), 0x500001);
    IDirect3DCubeTexture8_Release(texture);
    tear_down();
}

static void dirty_boxes(void)
{
    const D3DBOX back = {0, 0, 4, 4, 2, 4}, outside = {0, 0, 4, 4, 2, 5};
    IDirect3DVolumeTexture8 *texture;
    D3DLOCKED_BOX locked;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_CreateVolumeTexture(device, 4, 4, 4, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture),
             D3D_OK);
    for (unsigned round = 0; round < 2; round++) {
        CHECK_HR(IDirect3DVolumeTexture8_LockBox(texture, 0, &locked, NULL, round ? D3DLOCK_NO_DIRTY_UPDATE : 0),
                 D3D_OK);
        for (unsigned i = 0; i < 4; i++)
            memset((uint8_t *)locked.pBits + i * locked.SlicePitch, (int)(0x20 * i + 1 + round), 4 * locked.RowPitch);
        CHECK_HR(IDirect3DVolumeTexture8_UnlockBox(texture, 0), D3D_OK);
        draw(texture, 0.875f);
        CHECK_EQUAL(read_pixel(device, 320, 240), 0x616161);
    }
    CHECK_HR(IDirect3DVolumeTexture8_AddDirtyBox(texture, &outside), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DVolumeTexture8_AddDirtyBox(texture, &back), D3D_OK);
    draw(texture, 0.875f);
    CHECK_EQUAL(read_pixel(device, 320, 240), 0x626262);
    draw(texture, 0.125f);
    CHECK_EQUAL(read_pixel(device, 320, 240), 0x010101);
    IDirect3DVolumeTexture8_Release(texture);
    tear_down();
}

/* Programs can read back priorities and levels; levels also affect the picture. */
static void priority_and_level(void)
{
    IDirect3DTexture8 *texture, *other;
    D3DLOCKED_RECT locked;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 8, 8, 2, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture), D3D_OK);
    for (unsigned level = 0; level < 2; level++) {
        CHECK_HR(IDirect3DTexture8_LockRect(texture, level, &locked, NULL, 0), D3D_OK);
        fill(&locked, 8 >> level, level ? 0x00ff00 : 0xff0000);
        CHECK_HR(IDirect3DTexture8_UnlockRect(texture, level), D3D_OK);
    }
    CHECK_EQUAL(IDirect3DTexture8_SetPriority(texture, 5), 0);
    draw(texture, 0);
    CHECK_EQUAL(read_pixel(device, 320, 240), 0xff0000);
    CHECK_EQUAL(IDirect3DTexture8_SetPriority(texture, 6), 5);
    CHECK_EQUAL(IDirect3DTexture8_GetPriority(texture), 6);
    CHECK_EQUAL(IDirect3DTexture8_SetLOD(texture, 1), 0);
    draw(texture, 0);
    CHECK_EQUAL(read_pixel(device, 320, 240), 0x00ff00);
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 8, 8, 2, 0, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &other), D3D_OK);
    CHECK_EQUAL(IDirect3DTexture8_SetPriority(other, 5), 0);
    CHECK_EQUAL(IDirect3DTexture8_GetPriority(other), 0);
    IDirect3DTexture8_Release(texture);
    IDirect3DTexture8_Release(other);
    tear_down();
}

/* --- patches --------------------------------------------------------------------------------- */

static void set_palette(UINT number, BYTE red, BYTE green)
{
    PALETTEENTRY entries[256];

    for (unsigned i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){red, green, 0, 0xff};
    CHECK_HR(IDirect3DDevice8_SetPaletteEntries(device, number, entries), D3D_OK);
}

/* A patch is a draw like any other: it uses the current shader and palette. */
static void patches(void)
{
    static const struct vertex corners[4] = {
        {-1, 1, 0.5f, 0, 0, 0}, {1, 1, 0.5f, 1, 0, 0}, {-1, -1, 0.5f, 0, 1, 0}, {1, -1, 0.5f, 1, 1, 0}};
    const D3DRECTPATCH_INFO rect = {0, 0, 2, 2, 2, D3DBASIS_BEZIER, D3DORDER_LINEAR};
    const D3DTRIPATCH_INFO tri = {0, 3, D3DBASIS_BEZIER, D3DORDER_LINEAR};
    const float segments[4] = {1, 1, 1, 1};
    IDirect3DVertexBuffer8 *buffer;
    IDirect3DTexture8 *texture;
    D3DLOCKED_RECT locked;
    BYTE *data;

    if (!set_up())
        return;
    CHECK_HR(
        IDirect3DDevice8_CreateVertexBuffer(device, sizeof(corners), D3DUSAGE_RTPATCHES, FVF, D3DPOOL_MANAGED, &buffer),
        D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &data, 0), D3D_OK);
    memcpy(data, corners, sizeof(corners));
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 8, 8, 1, 0, D3DFMT_P8, D3DPOOL_MANAGED, &texture), D3D_OK);
    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    memset(locked.pBits, 3, 8 * locked.Pitch);
    CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
    set_palette(1, 0xff, 0);
    set_palette(2, 0, 0xff);
    CHECK_HR(IDirect3DDevice8_SetCurrentTexturePalette(device, 1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, buffer, sizeof(corners[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawRectPatch(device, 0, segments, &rect), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DrawTriPatch(device, 0, segments, &tri), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, FVF), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawRectPatch(device, 0, segments, NULL), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DrawRectPatch(device, 0, segments, &rect), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 500, 400), 0xff0000);
    CHECK_HR(IDirect3DDevice8_SetCurrentTexturePalette(device, 2), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePatch(device, 4), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DrawTriPatch(device, 4, segments, &tri), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 100, 100), 0x00ff00);
    CHECK_EQUAL(read_pixel(device, 500, 400), 0xff0000);
    CHECK_HR(IDirect3DDevice8_SetCurrentTexturePalette(device, 1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawTriPatch(device, 4, NULL, NULL), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 100, 100), 0xff0000);
    CHECK_HR(IDirect3DDevice8_DeletePatch(device, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeletePatch(device, 5), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeletePatch(device, 4), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePatch(device, 4), D3DERR_INVALIDCALL);
    IDirect3DTexture8_Release(texture);
    IDirect3DVertexBuffer8_Release(buffer);
    tear_down();
}

/* --- handles ------------------------------------------------------------------------------------ */

static DWORD make_vertex_shader(float red)
{
    DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_CONST(0, 1), 0, 0, 0, 0x3f800000,
                           D3DVSD_END()};
    /* vs_1_1: oPos = v0, oD0 = c0 */
    static const DWORD code[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000,
                                 0x00000001, 0xd00f0000, 0xa0e40000, 0x0000ffff};
    DWORD shader = 0;

    memcpy(&declaration[3], &red, 4);
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, code, &shader, 0), D3D_OK);
    return shader;
}

static uint32_t draw_with(DWORD shader)
{
    static const struct vertex quad[4] = {
        {-1, 1, 0.5f, 0, 0, 0}, {1, 1, 0.5f, 1, 0, 0}, {-1, -1, 0.5f, 0, 1, 0}, {1, -1, 0.5f, 1, 1, 0}};

    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shader), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])), D3D_OK);
    return read_pixel(device, 320, 240);
}

#define SHADERS 300

/* A vertex shader's handle is odd, which distinguishes it from an FVF. Programs that keep two flags in a handle and
 * clear them again still name the same shader, but not a shader that they have deleted. */
static void vertex_handles(void)
{
    static DWORD shaders[SHADERS];
    DWORD size = 0, now = 0;
    unsigned wrong = 0;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_DIFFUSE), D3D_OK);
    for (unsigned i = 0; i < SHADERS; i++) {
        shaders[i] = make_vertex_shader(i % 2 ? 1.0f : 0.0f);
        wrong += !(shaders[i] & 1);
        for (unsigned k = 0; k < i; k++)
            wrong += (shaders[i] & ~3u) == (shaders[k] & ~3u);
    }
    CHECK_EQUAL(wrong, 0);
    CHECK_EQUAL(draw_with(shaders[SHADERS - 1]), 0xff0000);
    CHECK_EQUAL(draw_with(shaders[SHADERS - 2] & ~3u), 0x000000);
    CHECK_EQUAL(draw_with(shaders[1] & ~3u), 0xff0000);
    CHECK_EQUAL(draw_with(shaders[0] | 2), 0x000000);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shaders[1] & ~3u), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetVertexShader(device, &now), D3D_OK);
    CHECK_EQUAL(now & ~3u, shaders[1] & ~3u);
    CHECK_HR(IDirect3DDevice8_GetVertexShaderFunction(device, shaders[1] & ~3u, NULL, &size), D3D_OK);
    CHECK_EQUAL(size, 32);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, shaders[1]), D3D_OK); /* it is set, under its other name */
    CHECK_HR(IDirect3DDevice8_GetVertexShader(device, &now), D3D_OK);
    CHECK_EQUAL(now, 0);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shaders[1]), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shaders[1] & ~3u), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, shaders[1] & ~3u), D3DERR_INVALIDCALL);
    for (unsigned i = 0; i < SHADERS; i++)
        if (i != 1)
            CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, i % 3 ? shaders[i] : shaders[i] & ~3u), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, 3), D3DERR_INVALIDCALL); /* odd, but not a handle */
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, FVF), D3DERR_INVALIDCALL);
    CHECK_EQUAL(draw_with(FVF), 0xffffff);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_TEX8 | 0xffff0000),
             D3D_OK); /* every size bit */
    tear_down();
}

static void pixel_handles(void)
{
    /* ps_1_1: def c0; mov r0, c0 */
    DWORD code[] = {0xffff0101, 0x00000051, 0xa00f0000, 0,          0,         0,
                    0x3f800000, 0x00000001, 0x800f0000, 0xa0e40000, 0x0000ffff};
    const float one = 1;
    DWORD shaders[2] = {0, 0};

    if (!set_up())
        return;
    for (unsigned i = 0; i < 2; i++) {
        memcpy(&code[3 + i], &one, 4);
        CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, code, &shaders[i]), D3D_OK);
        CHECK(shaders[i] && !(shaders[i] & 3));
    }
    for (unsigned i = 0; i < 2; i++) {
        CHECK_HR(IDirect3DDevice8_SetPixelShader(device, shaders[i] & ~3u), D3D_OK);
        CHECK_EQUAL(draw_with(FVF), i ? 0xffff00 : 0xff0000);
    }
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, shaders[0] | 1), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shaders[0] | 1), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, shaders[0]), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, shaders[0]), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, shaders[1]), D3D_OK);
    tear_down();
}

/* --- states that do not exist ---------------------------------------------------------------------- */

static void unknown_states(void)
{
    static const DWORD states[] = {256, 257, 1000, 0x7fffffff, 0xffffffff};
    DWORD value, block;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetRenderState(device, (D3DRENDERSTATETYPE)256, 1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        CHECK_HR(IDirect3DDevice8_SetRenderState(device, (D3DRENDERSTATETYPE)states[i], 0x12345678), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetRenderState(device, D3DRS_ZENABLE, &value), D3D_OK);
    CHECK_EQUAL(value, FALSE);
    tear_down();
}

/* --- depth formats ----------------------------------------------------------------------------------- */

/* If CheckDeviceFormat says yes, there is a pool in which the format can be created; other pools refuse it, as on
 * Windows. */
static void depth_formats(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_D16, D3DFMT_D24S8, D3DFMT_D24X8,
                                        D3DFMT_D32, D3DFMT_D15S1, D3DFMT_X8R8G8B8};
    IDirect3D8 *d3d;

    if (!set_up())
        return;
    IDirect3DDevice8_GetDirect3D(device, &d3d);
    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        bool is_depth = formats[i] != D3DFMT_X8R8G8B8;
        HRESULT as_texture =
            IDirect3D8_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE, formats[i]);
        HRESULT as_surface =
            IDirect3D8_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, D3DRTYPE_SURFACE, formats[i]);
        for (unsigned pool = D3DPOOL_DEFAULT; pool <= D3DPOOL_SYSTEMMEM; pool++) {
            bool possible = SUCCEEDED(as_texture) && (!is_depth || pool == D3DPOOL_DEFAULT);
            IDirect3DTexture8 *texture = NULL;
            HRESULT hr = IDirect3DDevice8_CreateTexture(device, 8, 8, 1, 0, formats[i], (D3DPOOL)pool, &texture);
            if (hr != (possible ? D3D_OK : D3DERR_INVALIDCALL))
                failed(__FILE__, __LINE__, "texture of format %u, pool %u: %08lx", formats[i], pool, (unsigned long)hr);
            if (texture)
                IDirect3DTexture8_Release(texture);
        }
        IDirect3DSurface8 *surface = NULL;
        HRESULT hr = IDirect3DDevice8_CreateImageSurface(device, 8, 8, formats[i], &surface);
        if (hr != (SUCCEEDED(as_surface) ? D3D_OK : D3DERR_INVALIDCALL))
            failed(__FILE__, __LINE__, "surface of format %u: %08lx", formats[i], (unsigned long)hr);
        if (surface) {
            D3DLOCKED_RECT locked;
            CHECK_HR(IDirect3DSurface8_LockRect(surface, &locked, NULL, 0), D3D_OK);
            memset(locked.pBits, 0x55, 8 * locked.Pitch);
            CHECK_HR(IDirect3DSurface8_UnlockRect(surface), D3D_OK);
            if (is_depth)
                CHECK_HR(IDirect3DDevice8_SetRenderTarget(device, NULL, surface), D3DERR_INVALIDCALL);
            IDirect3DSurface8_Release(surface);
        }
        if (formats[i] == D3DFMT_D24S8)
            CHECK_HR(as_surface, D3D_OK);
    }
    IDirect3D8_Release(d3d);
    tear_down();
}

/* clang-format off */
static const struct test tests[] = {
    {"calls_dirty_rects", dirty_rects},       {"calls_dirty_faces", dirty_faces},
    {"calls_dirty_boxes", dirty_boxes},       {"calls_priority_and_level", priority_and_level},
    {"calls_patches", patches},               {"calls_vertex_handles", vertex_handles},
    {"calls_pixel_handles", pixel_handles},   {"calls_unknown_states", unknown_states},
    {"calls_depth_formats", depth_formats},
};
/* clang-format on */

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
