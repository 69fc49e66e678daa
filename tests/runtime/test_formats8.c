/* SPDX-License-Identifier: MIT */
/*
 * The answers of IDirect3D8 about formats compared with the device, as in test_formats9.c for version 9. Formats that
 * d3d8types.h does not have are neither offered nor created, in any pool.
 */
#include "tests/runtime/program.h"

#include "d3d/formats.h"

#define SIDE         8
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static HWND window;
static IDirect3DDevice8 *device;
static IDirect3D8 *d3d;

static bool set_up(void)
{
    window = open_window();
    device = open_device(window, 0, NULL);
    if (device)
        CHECK_HR(IDirect3DDevice8_GetDirect3D(device, &d3d), D3D_OK);
    return device != NULL;
}

static void tear_down(void)
{
    IDirect3D8_Release(d3d);
    close_device(device, window);
}

struct row {
    DWORD format;
    unsigned level; /* of DirectX that brought it */
};

static const struct row rows[] = {
#define FORMAT(number, name, layout, level, ...)  {(number), level},
#define VARIANT(number, name, layout, level, ...) {(number), level},
#include "d3d/formats.def"
    {84, 9}, {85, 9}, {118, 9}, {199, 9}, {4711, 9},
};

static bool is_offered(DWORD usage, D3DRESOURCETYPE type, DWORD format)
{
    return SUCCEEDED(IDirect3D8_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type,
                                                  (D3DFORMAT)format));
}

/* A number that d3d8types.h does not have; four-letter codes are between program and driver. */
static bool is_later(const struct row *row)
{
    return row->level > 8 && row->format <= 0xFFFF;
}

static IUnknown *create(DWORD usage, D3DRESOURCETYPE type, DWORD number, D3DPOOL pool)
{
    const D3DFORMAT format = (D3DFORMAT)number;
    IUnknown *out = NULL;

    switch (type) {
    case D3DRTYPE_TEXTURE:
        IDirect3DDevice8_CreateTexture(device, SIDE, SIDE, 1, usage, format, pool, (IDirect3DTexture8 **)&out);
        break;
    case D3DRTYPE_CUBETEXTURE:
        IDirect3DDevice8_CreateCubeTexture(device, SIDE, 1, usage, format, pool, (IDirect3DCubeTexture8 **)&out);
        break;
    case D3DRTYPE_VOLUMETEXTURE:
        IDirect3DDevice8_CreateVolumeTexture(device, SIDE, SIDE, SIDE, 1, usage, format, pool,
                                             (IDirect3DVolumeTexture8 **)&out);
        break;
    default:
        if (usage & D3DUSAGE_RENDERTARGET)
            IDirect3DDevice8_CreateRenderTarget(device, SIDE, SIDE, format, D3DMULTISAMPLE_NONE, FALSE,
                                                (IDirect3DSurface8 **)&out);
        else if (usage & D3DUSAGE_DEPTHSTENCIL)
            IDirect3DDevice8_CreateDepthStencilSurface(device, SIDE, SIDE, format, D3DMULTISAMPLE_NONE,
                                                       (IDirect3DSurface8 **)&out);
        else
            IDirect3DDevice8_CreateImageSurface(device, SIDE, SIDE, format, (IDirect3DSurface8 **)&out);
    }
    return out;
}

static const D3DRESOURCETYPE types[] = {D3DRTYPE_SURFACE, D3DRTYPE_TEXTURE, D3DRTYPE_VOLUMETEXTURE,
                                        D3DRTYPE_CUBETEXTURE};

static void check_creation(DWORD usage, D3DRESOURCETYPE type, const struct row *row, D3DPOOL pool)
{
    const bool offered = is_offered(usage, type, row->format);
    IUnknown *made = create(usage, type, row->format, pool);

    if (is_later(row) && (offered || made))
        failed(__FILE__, __LINE__, "format %#lx, usage %#lx, type %d, pool %d: not of Direct3D 8, but %s",
               (unsigned long)row->format, (unsigned long)usage, type, pool, made ? "made" : "offered");
    else if (offered != (made != NULL))
        failed(__FILE__, __LINE__, "format %#lx, usage %#lx, type %d, pool %d: %s, but %s", (unsigned long)row->format,
               (unsigned long)usage, type, pool, offered ? "offered" : "not offered", made ? "made" : "not made");
    if (made)
        IUnknown_Release(made);
}

static void creation_is_promised(void)
{
    static const DWORD usages[] = {0, D3DUSAGE_RENDERTARGET, D3DUSAGE_DEPTHSTENCIL};

    if (!set_up())
        return;
    for (size_t f = 0; f < COUNT(rows); f++)
        for (size_t t = 0; t < COUNT(types); t++)
            for (size_t u = 0; u < COUNT(usages); u++)
                if (usages[u] || types[t] != D3DRTYPE_SURFACE)
                    check_creation(usages[u], types[t], &rows[f], D3DPOOL_DEFAULT);
    tear_down();
}

/* Textures in the runtime's memory; scratch memory and image surfaces have all formats of the version. */
static void creation_in_other_pools(void)
{
    if (!set_up())
        return;
    for (size_t f = 0; f < COUNT(rows); f++)
        for (size_t t = 0; t < COUNT(types); t++) {
            IUnknown *scratch;

            if (is_offered(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, rows[f].format) || rows[f].format == D3DFMT_D32)
                continue;
            if (types[t] != D3DRTYPE_SURFACE) {
                check_creation(0, types[t], &rows[f], D3DPOOL_MANAGED);
                check_creation(0, types[t], &rows[f], D3DPOOL_SYSTEMMEM);
            }
            scratch = create(0, types[t], rows[f].format, D3DPOOL_SCRATCH);
            if ((scratch != NULL) == is_later(&rows[f]))
                failed(__FILE__, __LINE__, "format %#lx, type %d, memory of the runtime's: %s",
                       (unsigned long)rows[f].format, types[t], scratch ? "made" : "not made");
            if (scratch)
                IUnknown_Release(scratch);
        }
    tear_down();
}

static void samples_are_promised(void)
{
    if (!set_up())
        return;
    for (size_t f = 0; f < COUNT(rows); f++)
        for (unsigned depth = 0; depth < 2; depth++) {
            if (!is_offered(depth ? D3DUSAGE_DEPTHSTENCIL : D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, rows[f].format))
                continue;
            for (unsigned samples = 0; samples <= 17; samples++) {
                const D3DFORMAT format = (D3DFORMAT)rows[f].format;
                const HRESULT hr = IDirect3D8_CheckDeviceMultiSampleType(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                                                         format, TRUE, (D3DMULTISAMPLE_TYPE)samples);
                IDirect3DSurface8 *made = NULL;

                if (depth)
                    IDirect3DDevice8_CreateDepthStencilSurface(device, SIDE, SIDE, format, (D3DMULTISAMPLE_TYPE)samples,
                                                               &made);
                else
                    IDirect3DDevice8_CreateRenderTarget(device, SIDE, SIDE, format, (D3DMULTISAMPLE_TYPE)samples, FALSE,
                                                        &made);
                if (SUCCEEDED(hr) != (made != NULL))
                    failed(__FILE__, __LINE__, "format %#lx, %u samples: %08lx, but %s", (unsigned long)rows[f].format,
                           samples, (unsigned long)hr, made ? "made" : "not made");
                if (made)
                    IDirect3DSurface8_Release(made);
            }
        }
    tear_down();
}

/* Every pair that matches is bound, cleared and drawn to. */
static void check_pair(const struct row *target_row, const struct row *depth_row)
{
    IDirect3DSurface8 *target =
        (IDirect3DSurface8 *)create(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, target_row->format, D3DPOOL_DEFAULT);
    IDirect3DSurface8 *depth =
        (IDirect3DSurface8 *)create(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, depth_row->format, D3DPOOL_DEFAULT);

    CHECK(target && depth);
    if (target && depth) {
        CHECK_HR(IDirect3DDevice8_SetRenderTarget(device, target, depth), D3D_OK);
        CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.5f, 0), D3D_OK);
    }
    if (target)
        IDirect3DSurface8_Release(target);
    if (depth)
        IDirect3DSurface8_Release(depth);
}

static void depth_matches(void)
{
    IDirect3DSurface8 *back, *depth;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_GetRenderTarget(device, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetDepthStencilSurface(device, &depth), D3D_OK);
    for (size_t f = 0; f < COUNT(rows); f++)
        for (size_t d = 0; d < COUNT(rows); d++) {
            const bool can = is_offered(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, rows[f].format) &&
                             is_offered(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, rows[d].format);
            const HRESULT hr =
                IDirect3D8_CheckDepthStencilMatch(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                                  (D3DFORMAT)rows[f].format, (D3DFORMAT)rows[d].format);

            CHECK_EQUAL(SUCCEEDED(hr), can);
            if (SUCCEEDED(hr))
                check_pair(&rows[f], &rows[d]);
        }
    CHECK_HR(IDirect3DDevice8_SetRenderTarget(device, back, depth), D3D_OK);
    IDirect3DSurface8_Release(back);
    IDirect3DSurface8_Release(depth);
    tear_down();
}

/* The answers of cards of that time about formats that are not all alike. */
static void offers_of_the_time(void)
{
    static const struct {
        DWORD format, usage;
        D3DRESOURCETYPE type;
        bool want;
    } offers[] = {
        {D3DFMT_P8, 0, D3DRTYPE_TEXTURE, true},
        {D3DFMT_W11V11U10, 0, D3DRTYPE_TEXTURE, true},
        {D3DFMT_YUY2, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_YUY2, 0, D3DRTYPE_SURFACE, true},
        {(D3DFORMAT)MAKEFOURCC('Y', 'V', '1', '2'), 0, D3DRTYPE_TEXTURE, false},
        {(D3DFORMAT)MAKEFOURCC('Y', 'V', '1', '2'), 0, D3DRTYPE_SURFACE, true},
        {(D3DFORMAT)MAKEFOURCC('N', 'V', '1', '2'), 0, D3DRTYPE_TEXTURE, false},
        {(D3DFORMAT)MAKEFOURCC('N', 'V', '1', '2'), 0, D3DRTYPE_SURFACE, true},
        {36 /* A16B16G16R16 */, 0, D3DRTYPE_TEXTURE, false},
        {32 /* A8B8G8R8 */, 0, D3DRTYPE_TEXTURE, false},
        {81 /* L16 */, 0, D3DRTYPE_TEXTURE, false},
        {114 /* R32F */, 0, D3DRTYPE_TEXTURE, false},
        {113 /* A16B16G16R16F */, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, false},
        {MAKEFOURCC('I', 'N', 'T', 'Z'), D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE, true},
        {MAKEFOURCC('N', 'U', 'L', 'L'), D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, true},
        {D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_VOLUMETEXTURE, false},
        {D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, true},
        {D3DFMT_D15S1, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, true},
    };

    if (!set_up())
        return;
    for (size_t i = 0; i < COUNT(offers); i++)
        if (is_offered(offers[i].usage, offers[i].type, offers[i].format) != offers[i].want)
            failed(__FILE__, __LINE__, "format %#lx, usage %#lx, type %d", (unsigned long)offers[i].format,
                   (unsigned long)offers[i].usage, offers[i].type);
    tear_down();
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"creation_is_promised", creation_is_promised}, {"creation_in_other_pools", creation_in_other_pools},
        {"samples_are_promised", samples_are_promised}, {"depth_matches", depth_matches},
        {"offers_of_the_time", offers_of_the_time},
    };

    return run_tests(tests, COUNT(tests), argc, argv);
}
