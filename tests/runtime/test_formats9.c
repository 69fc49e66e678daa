/* SPDX-License-Identifier: MIT */
/*
 * The answers of IDirect3D9 about formats compared with the device: every format with every usage, resource type, pool
 * and sample count. Everything promised works, and everything that works is promised; a table lists intended
 * differences with their reasons.
 */
#include "tests/runtime/program9.h"

#include "d3d/formats.h"

#include <stdlib.h>

#define SIDE             8
#define COUNT(array)     (sizeof(array) / sizeof((array)[0]))
#define CODE(a, b, c, d) ((D3DFORMAT)MAKEFOURCC(a, b, c, d))

static HWND window;
static IDirect3DDevice9 *device;
static IDirect3D9 *d3d;

static bool set_up(void)
{
    window = open_window();
    device = open_device9(window, false, 0, NULL);
    if (device)
        CHECK_HR(IDirect3DDevice9_GetDirect3D(device, &d3d), D3D_OK);
    return device != NULL;
}

static void tear_down(void)
{
    IDirect3D9_Release(d3d);
    close_device9(device, window);
}

/* All formats of the headers, names of features, and unknown numbers. */
static const DWORD formats[] = {
#define FORMAT(number, ...)  (number),
#define VARIANT(number, ...) (number),
#define NUMBER(number, ...)  (number),
#include "d3d/formats.def"
    84 /* D32_LOCKABLE */,
    85 /* S8_LOCKABLE */,
    118 /* A1 */,
    119 /* A2B10G10R10_XR_BIAS */,
    199,
    4711,
    MAKEFOURCC('M', 'E', 'T', '1'),
    MAKEFOURCC('R', 'E', 'S', 'Z'),
    MAKEFOURCC('A', 'T', 'O', 'C'),
    MAKEFOURCC('N', 'V', 'D', 'B'),
};

/* --- intended differences -------------------------------------------------------------------- */

enum {
    MAY_CREATE = 1, /* surfaces can be created although CheckDeviceFormat says no */
    NO_SURFACE = 2, /* the answer is about a feature: there is no surface with this format */
};

static const struct {
    DWORD format;
    unsigned difference;
    const char *reason;
} meant[] = {
    {D3DFMT_P8, MAY_CREATE, "no card offered palettes in version 9: D3DX would make textures without one"},
    {D3DFMT_A8P8, MAY_CREATE, "as P8"},
    {D3DFMT_R3G3B2, MAY_CREATE, "no card offered it"},
    {D3DFMT_A8R3G3B2, MAY_CREATE, "no card offered it"},
    {D3DFMT_D15S1, MAY_CREATE, "no card offered it in version 9"},
    {D3DFMT_D24X4S4, MAY_CREATE, "no card offered it in version 9"},
    {MAKEFOURCC('R', 'E', 'S', 'Z'), NO_SURFACE, "RESZ: the depth resolve"},
    {MAKEFOURCC('A', 'T', 'O', 'C'), NO_SURFACE, "ATOC: alpha to coverage"},
    {MAKEFOURCC('N', 'V', 'D', 'B'), NO_SURFACE, "NVDB: the depth bounds test"},
};

static unsigned difference(DWORD format)
{
    for (size_t i = 0; i < COUNT(meant); i++)
        if (meant[i].format == format)
            return meant[i].difference;
    return 0;
}

static bool is_offered(DWORD usage, D3DRESOURCETYPE type, DWORD format)
{
    return SUCCEEDED(IDirect3D9_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type,
                                                  (D3DFORMAT)format));
}

/* --- creation ----------------------------------------------------------------------------------------- */

static IUnknown *create(DWORD usage, D3DRESOURCETYPE type, DWORD number, D3DPOOL pool)
{
    const D3DFORMAT format = (D3DFORMAT)number;
    IUnknown *out = NULL;
    HRESULT hr = E_FAIL;

    switch (type) {
    case D3DRTYPE_TEXTURE:
        hr = IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, 1, usage, format, pool, (IDirect3DTexture9 **)&out,
                                            NULL);
        break;
    case D3DRTYPE_CUBETEXTURE:
        hr = IDirect3DDevice9_CreateCubeTexture(device, SIDE, 1, usage, format, pool, (IDirect3DCubeTexture9 **)&out,
                                                NULL);
        break;
    case D3DRTYPE_VOLUMETEXTURE:
        hr = IDirect3DDevice9_CreateVolumeTexture(device, SIDE, SIDE, SIDE, 1, usage, format, pool,
                                                  (IDirect3DVolumeTexture9 **)&out, NULL);
        break;
    default:
        if (usage & D3DUSAGE_RENDERTARGET)
            hr = IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, format, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                     (IDirect3DSurface9 **)&out, NULL);
        else if (usage & D3DUSAGE_DEPTHSTENCIL)
            hr = IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, format, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                            (IDirect3DSurface9 **)&out, NULL);
        else
            hr = IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIDE, SIDE, format, pool,
                                                              (IDirect3DSurface9 **)&out, NULL);
    }
    CHECK(SUCCEEDED(hr) == (out != NULL));
    return out;
}

static void check_creation(DWORD usage, D3DRESOURCETYPE type, DWORD format, D3DPOOL pool)
{
    const bool offered = is_offered(usage, type, format);
    const unsigned may = difference(format);
    IUnknown *made = create(usage, type, format, pool);

    if (offered != (made != NULL) && !(made && may & MAY_CREATE) && !(!made && may & NO_SURFACE))
        failed(__FILE__, __LINE__, "format %#lx, usage %#lx, type %d, pool %d: %s, but %s", (unsigned long)format,
               (unsigned long)usage, type, pool, offered ? "offered" : "not offered", made ? "made" : "not made");
    if (made && may & MAY_CREATE && offered)
        failed(__FILE__, __LINE__, "format %#lx, type %d is offered", (unsigned long)format, type);
    if (made)
        IUnknown_Release(made);
}

static const D3DRESOURCETYPE types[] = {D3DRTYPE_SURFACE, D3DRTYPE_TEXTURE, D3DRTYPE_VOLUMETEXTURE,
                                        D3DRTYPE_CUBETEXTURE};

/* The default pool has exactly the offered formats; the device's other pools have them where nothing draws; scratch
 * memory has all formats that exist. */
static void creation_is_promised(void)
{
    static const DWORD usages[] = {0, D3DUSAGE_RENDERTARGET, D3DUSAGE_DEPTHSTENCIL, D3DUSAGE_AUTOGENMIPMAP};

    if (!set_up())
        return;
    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t t = 0; t < COUNT(types); t++) {
            for (size_t u = 0; u < COUNT(usages); u++)
                if (types[t] != D3DRTYPE_SURFACE || usages[u] != D3DUSAGE_AUTOGENMIPMAP)
                    check_creation(usages[u], types[t], formats[f], D3DPOOL_DEFAULT);
            if (types[t] != D3DRTYPE_SURFACE)
                check_creation(D3DUSAGE_DYNAMIC, types[t], formats[f], D3DPOOL_DEFAULT);
        }
    tear_down();
}

/* Memory of the program and of the runtime: depth is only for the device's memory, whatever is offered. */
static void creation_in_other_pools(void)
{
    if (!set_up())
        return;
    for (size_t f = 0; f < COUNT(formats); f++) {
        const bool depth =
            is_offered(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, formats[f]) || difference(formats[f]) == MAY_CREATE;

        for (size_t t = 0; t < COUNT(types); t++) {
            if (depth && types[t] == D3DRTYPE_SURFACE)
                continue;
            if (types[t] != D3DRTYPE_SURFACE && !depth)
                check_creation(0, types[t], formats[f], D3DPOOL_MANAGED);
            if (!depth)
                check_creation(0, types[t], formats[f], D3DPOOL_SYSTEMMEM);
            if (is_offered(0, types[t], formats[f]) && !depth && !(difference(formats[f]) & NO_SURFACE)) {
                IUnknown *made = create(0, types[t], formats[f], D3DPOOL_SCRATCH);

                if (!made)
                    failed(__FILE__, __LINE__, "format %#lx, type %d: not in scratch memory", (unsigned long)formats[f],
                           types[t]);
                else
                    IUnknown_Release(made);
            }
        }
    }
    tear_down();
}

/* --- samples --------------------------------------------------------------------------------------------- */

static IDirect3DSurface9 *create_sampled(DWORD format, bool depth, D3DMULTISAMPLE_TYPE samples, DWORD quality)
{
    IDirect3DSurface9 *out = NULL;

    if (depth)
        IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, (D3DFORMAT)format, samples, quality, FALSE, &out,
                                                   NULL);
    else
        IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, (D3DFORMAT)format, samples, quality, FALSE, &out, NULL);
    return out;
}

/* Qualities from 0 on, and not one more. */
static void check_samples(DWORD format, bool depth, D3DMULTISAMPLE_TYPE samples)
{
    DWORD qualities = 0;
    const HRESULT hr = IDirect3D9_CheckDeviceMultiSampleType(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, (D3DFORMAT)format,
                                                             TRUE, samples, &qualities);

    if (FAILED(hr))
        qualities = 0;
    for (DWORD quality = 0; quality <= qualities; quality++) {
        IDirect3DSurface9 *made = create_sampled(format, depth, samples, quality);

        if ((made != NULL) != (quality < qualities))
            failed(__FILE__, __LINE__, "format %#lx, %d samples, quality %lu of %lu: %s", (unsigned long)format,
                   samples, (unsigned long)quality, (unsigned long)qualities, made ? "made" : "not made");
        if (made)
            IDirect3DSurface9_Release(made);
    }
}

static void samples_are_promised(void)
{
    if (!set_up())
        return;
    for (size_t f = 0; f < COUNT(formats); f++)
        for (unsigned depth = 0; depth < 2; depth++) {
            const DWORD usage = depth ? D3DUSAGE_DEPTHSTENCIL : D3DUSAGE_RENDERTARGET;

            if (!is_offered(usage, D3DRTYPE_SURFACE, formats[f]) || difference(formats[f]) & NO_SURFACE)
                continue;
            for (unsigned samples = 1; samples <= 17; samples++)
                check_samples(formats[f], depth, (D3DMULTISAMPLE_TYPE)samples);
        }
    tear_down();
}

/* The answers of cards: depth textures have no samples, the target without pixels has those of colour targets. */
static void samples_of_codes(void)
{
    static const struct {
        D3DFORMAT format;
        HRESULT want;
    } rows[] = {
        {CODE('I', 'N', 'T', 'Z'), D3DERR_NOTAVAILABLE},
        {CODE('D', 'F', '1', '6'), D3DERR_NOTAVAILABLE},
        {CODE('D', 'F', '2', '4'), D3DERR_NOTAVAILABLE},
        {CODE('N', 'U', 'L', 'L'), D3D_OK},
        {D3DFMT_D16_LOCKABLE, D3DERR_NOTAVAILABLE},
        {D3DFMT_D32F_LOCKABLE, D3DERR_NOTAVAILABLE},
        {D3DFMT_D24S8, D3D_OK},
        {D3DFMT_A8R8G8B8, D3D_OK},
    };

    if (!set_up())
        return;
    for (size_t i = 0; i < COUNT(rows); i++)
        CHECK_HR(IDirect3D9_CheckDeviceMultiSampleType(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, rows[i].format, TRUE,
                                                       D3DMULTISAMPLE_4_SAMPLES, NULL),
                 rows[i].want);
    tear_down();
}

/* --- drawing ----------------------------------------------------------------------------------------------- */

static void draw(float z, DWORD color)
{
    const struct {
        float x, y, z, w;
        DWORD color;
        float u, v;
    } corners[4] = {{-0.5f, -0.5f, z, 1, color, 0.03f, 0.03f},
                    {SIDE - 0.5f, -0.5f, z, 1, color, 0.03f, 0.03f},
                    {-0.5f, SIDE - 0.5f, z, 1, color, 0.03f, 0.03f},
                    {SIDE - 0.5f, SIDE - 0.5f, z, 1, color, 0.03f, 0.03f}};

    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
}

/* The first pixel of a target of any format that StretchRect converts. */
static DWORD pixel_of(IDirect3DSurface9 *target)
{
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT lock;
    DWORD pixel = 0xdeadbeef;

    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, TRUE,
                                                 &copy, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, NULL, copy, NULL, D3DTEXF_NONE), D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY), D3D_OK);
    if (lock.pBits)
        memcpy(&pixel, lock.pBits, sizeof(pixel));
    IDirect3DSurface9_UnlockRect(copy);
    IDirect3DSurface9_Release(copy);
    return pixel;
}

static bool is_null(DWORD format)
{
    return format == (DWORD)CODE('N', 'U', 'L', 'L');
}

/* A target with a depth buffer that is tested; the target without pixels shows nothing. */
static void check_pair(DWORD target_format, DWORD depth_format, unsigned samples)
{
    IDirect3DSurface9 *target = create_sampled(target_format, false, (D3DMULTISAMPLE_TYPE)samples, 0);
    IDirect3DSurface9 *depth = create_sampled(depth_format, true, (D3DMULTISAMPLE_TYPE)samples, 0);

    CHECK(target && depth);
    if (target && depth) {
        CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, depth), D3D_OK);
        CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.5f, 0), D3D_OK);
        draw(0.25f, 0xffff0000);
        draw(0.75f, 0xff000000);
        if (!is_null(target_format)) {
            const DWORD pixel = pixel_of(target);

            if ((pixel >> 16 & 255) != 255)
                failed(__FILE__, __LINE__, "target %#lx, depth %#lx, %u samples: %08lx", (unsigned long)target_format,
                       (unsigned long)depth_format, samples, (unsigned long)pixel);
        }
    }
    if (target)
        IDirect3DSurface9_Release(target);
    if (depth)
        IDirect3DSurface9_Release(depth);
}

/* All matching pairs draw, without samples and with four. */
static void depth_matches(void)
{
    IDirect3DSurface9 *back, *depth;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetDepthStencilSurface(device, &depth), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE), D3D_OK);
    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t d = 0; d < COUNT(formats); d++) {
            const bool can = is_offered(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, formats[f]) &&
                             is_offered(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, formats[d]) &&
                             !(difference(formats[f]) & NO_SURFACE);
            const HRESULT hr = IDirect3D9_CheckDepthStencilMatch(
                d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, (D3DFORMAT)formats[f], (D3DFORMAT)formats[d]);

            CHECK_EQUAL(SUCCEEDED(hr), can);
            if (FAILED(hr))
                continue;
            check_pair(formats[f], formats[d], 0);
            if (SUCCEEDED(IDirect3D9_CheckDeviceMultiSampleType(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                                                (D3DFORMAT)formats[f], TRUE, 4, NULL)) &&
                SUCCEEDED(IDirect3D9_CheckDeviceMultiSampleType(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                                                (D3DFORMAT)formats[d], TRUE, 4, NULL)))
                check_pair(formats[f], formats[d], 4);
        }
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, depth), D3D_OK);
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(depth);
    tear_down();
}

/* --- conversions --------------------------------------------------------------------------------------------- */

/* StretchRect does what is promised, and more: the list of conversions is for presenting, and programs rely on it. */
static void check_conversion(DWORD from, DWORD to)
{
    const bool promised = SUCCEEDED(IDirect3D9_CheckDeviceFormatConversion(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                                                           (D3DFORMAT)from, (D3DFORMAT)to));
    IDirect3DSurface9 *plain = (IDirect3DSurface9 *)create(0, D3DRTYPE_SURFACE, from, D3DPOOL_DEFAULT);
    IDirect3DSurface9 *target =
        (IDirect3DSurface9 *)create(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, to, D3DPOOL_DEFAULT);

    if (plain && target) {
        const bool works = SUCCEEDED(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE));

        if (promised && !works)
            failed(__FILE__, __LINE__, "%#lx to %#lx is promised", (unsigned long)from, (unsigned long)to);
    } else if (promised && from != to) {
        failed(__FILE__, __LINE__, "%#lx to %#lx is promised, and there are no surfaces", (unsigned long)from,
               (unsigned long)to);
    }
    if (plain)
        IDirect3DSurface9_Release(plain);
    if (target)
        IDirect3DSurface9_Release(target);
}

static void conversions_are_promised(void)
{
    static const struct {
        DWORD from, to;
        HRESULT want;
    } rows[] = {
        {D3DFMT_R32F, D3DFMT_R16F, D3DERR_NOTAVAILABLE},
        {D3DFMT_X8R8G8B8, D3DFMT_L8, D3DERR_NOTAVAILABLE},
        {D3DFMT_R5G6B5, D3DFMT_X8R8G8B8, D3D_OK},
        {D3DFMT_YUY2, D3DFMT_X8R8G8B8, D3D_OK},
        {D3DFMT_X8R8G8B8, D3DFMT_YUY2, D3DERR_NOTAVAILABLE},
        {CODE('Y', 'V', '1', '2'), D3DFMT_X8R8G8B8, D3D_OK},
        {CODE('N', 'V', '1', '2'), D3DFMT_A8R8G8B8, D3D_OK},
        {D3DFMT_X8R8G8B8, CODE('N', 'V', '1', '2'), D3DERR_NOTAVAILABLE},
        {CODE('Y', 'V', '1', '2'), CODE('N', 'V', '1', '2'), D3DERR_NOTAVAILABLE},
    };

    if (!set_up())
        return;
    for (size_t i = 0; i < COUNT(rows); i++)
        CHECK_HR(IDirect3D9_CheckDeviceFormatConversion(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                                        (D3DFORMAT)rows[i].from, (D3DFORMAT)rows[i].to),
                 rows[i].want);
    for (size_t f = 0; f < COUNT(formats); f++) {
        CHECK_HR(IDirect3D9_CheckDeviceFormatConversion(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, (D3DFORMAT)formats[f],
                                                        (D3DFORMAT)formats[f]),
                 D3D_OK);
        for (size_t k = 0; k < COUNT(formats); k++)
            check_conversion(formats[f], formats[k]);
    }
    tear_down();
}

/* --- features of formats --------------------------------------------------------------------------------------- */

static DWORD drawn(IDirect3DSurface9 *target, DWORD color)
{
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0), D3D_OK);
    draw(0.5f, color);
    return pixel_of(target);
}

/* Half of white is written as bc where sRGB is promised, and as 80 elsewhere; two quarters of it are blended to
 * half. */
static void check_target(DWORD format)
{
    const bool srgb = is_offered(D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE, D3DRTYPE_SURFACE, format);
    const bool blends =
        is_offered(D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING, D3DRTYPE_SURFACE, format);
    IDirect3DSurface9 *target = create_sampled(format, false, D3DMULTISAMPLE_NONE, 0);
    DWORD plain, converted, blended;

    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    plain = drawn(target, 0xff808080) >> 16 & 255;
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_SRGBWRITEENABLE, TRUE), D3D_OK);
    converted = drawn(target, 0xff808080) >> 16 & 255;
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_SRGBWRITEENABLE, FALSE), D3D_OK);
    if (srgb != (converted > plain + 40))
        failed(__FILE__, __LINE__, "format %#lx: sRGB writes %s promised, %lx becomes %lx", (unsigned long)format,
               srgb ? "are" : "are not", (unsigned long)plain, (unsigned long)converted);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, TRUE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_SRCBLEND, D3DBLEND_ONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_DESTBLEND, D3DBLEND_ONE), D3D_OK);
    drawn(target, 0xff444444);
    draw(0.5f, 0xff444444);
    blended = pixel_of(target) >> 16 & 255;
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, FALSE), D3D_OK);
    if (blends != (blended + 8 >= 0x88 && blended <= 0x88 + 8))
        failed(__FILE__, __LINE__, "format %#lx: blending %s promised, and gives %lx", (unsigned long)format,
               blends ? "is" : "is not", (unsigned long)blended);
    IDirect3DSurface9_Release(target);
}

static void targets_do_as_promised(void)
{
    IDirect3DSurface9 *back;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE), D3D_OK);
    for (size_t f = 0; f < COUNT(formats); f++)
        if (is_offered(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, formats[f]) && !is_null(formats[f]) &&
            !(difference(formats[f]) & NO_SURFACE))
            check_target(formats[f]);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
    IDirect3DSurface9_Release(back);
    tear_down();
}

/* Bytes of 3c in level 0 are a dark grey in all formats with 8 bits or fewer; as sRGB they are darker. */
static void check_texture(DWORD format)
{
    const bool srgb = is_offered(D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, format);
    IDirect3DTexture9 *texture = (IDirect3DTexture9 *)create(0, D3DRTYPE_TEXTURE, format, D3DPOOL_MANAGED);
    IDirect3DSurface9 *target;
    D3DLOCKED_RECT lock;
    DWORD plain, converted;

    if (!texture)
        return;
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &target), D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0), D3D_OK);
    memset(lock.pBits, 0x3c, 32); /* four blocks, or the first row */
    IDirect3DTexture9_UnlockRect(texture, 0);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    for (unsigned state = D3DSAMP_ADDRESSU; state <= D3DSAMP_ADDRESSV; state++)
        CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, (D3DSAMPLERSTATETYPE)state, D3DTADDRESS_CLAMP), D3D_OK);
    plain = drawn(target, 0xffffffff);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_SRGBTEXTURE, TRUE), D3D_OK);
    converted = drawn(target, 0xffffffff);
    CHECK_HR(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_SRGBTEXTURE, FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, NULL), D3D_OK);
    if (srgb != (plain != converted))
        failed(__FILE__, __LINE__, "format %#lx: sRGB reads %s promised, %lx becomes %lx", (unsigned long)format,
               srgb ? "are" : "are not", (unsigned long)plain, (unsigned long)converted);
    IDirect3DSurface9_Release(target);
    IDirect3DTexture9_Release(texture);
}

static void textures_do_as_promised(void)
{
    IDirect3DSurface9 *back, *target;

    if (!set_up())
        return;
    target = create_sampled(D3DFMT_A8R8G8B8, false, D3DMULTISAMPLE_NONE, 0);
    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetDepthStencilSurface(device, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE), D3D_OK);
    for (size_t f = 0; f < COUNT(formats); f++)
        if (is_offered(0, D3DRTYPE_TEXTURE, formats[f]))
            check_texture(formats[f]);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
    IDirect3DSurface9_Release(back);
    IDirect3DSurface9_Release(target);
    tear_down();
}

/* The answers of cards of that time about formats that are not all alike. */
static void offers_of_the_time(void)
{
    static const struct {
        D3DFORMAT format;
        DWORD usage;
        D3DRESOURCETYPE type;
        bool want;
    } rows[] = {
        {D3DFMT_P8, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_A8P8, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_R3G3B2, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_A8R3G3B2, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_R8G8B8, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_YUY2, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_YUY2, 0, D3DRTYPE_SURFACE, true},
        {D3DFMT_UYVY, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_UYVY, 0, D3DRTYPE_SURFACE, true},
        {CODE('Y', 'V', '1', '2'), 0, D3DRTYPE_SURFACE, true},
        {CODE('Y', 'V', '1', '2'), 0, D3DRTYPE_TEXTURE, false},
        {CODE('Y', 'V', '1', '2'), D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, false},
        {CODE('N', 'V', '1', '2'), 0, D3DRTYPE_SURFACE, true},
        {CODE('N', 'V', '1', '2'), 0, D3DRTYPE_CUBETEXTURE, false},
        {CODE('N', 'V', '1', '2'), D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, false},
        {(D3DFORMAT)65 /* W11V11U10 */, 0, D3DRTYPE_TEXTURE, false},
        {D3DFMT_A4L4, 0, D3DRTYPE_TEXTURE, true},
        {D3DFMT_X4R4G4B4, 0, D3DRTYPE_TEXTURE, true},
        {D3DFMT_L6V5U5, 0, D3DRTYPE_TEXTURE, true},
        {D3DFMT_D32, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, false},
        {D3DFMT_D15S1, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, false},
        {D3DFMT_D24X4S4, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, false},
        {D3DFMT_D16_LOCKABLE, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, true},
        {D3DFMT_D24FS8, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, true},
        {D3DFMT_L8, D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, false},
        {D3DFMT_R5G6B5, D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, true},
        {D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET, D3DRTYPE_VOLUMETEXTURE, false},
    };

    if (!set_up())
        return;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (is_offered(rows[i].usage, rows[i].type, rows[i].format) != rows[i].want)
            failed(__FILE__, __LINE__, "format %#lx, usage %#lx, type %d", (unsigned long)rows[i].format,
                   (unsigned long)rows[i].usage, rows[i].type);
    tear_down();
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"creation_is_promised", creation_is_promised},
        {"creation_in_other_pools", creation_in_other_pools},
        {"samples_are_promised", samples_are_promised},
        {"samples_of_codes", samples_of_codes},
        {"depth_matches", depth_matches},
        {"conversions_are_promised", conversions_are_promised},
        {"targets_do_as_promised", targets_do_as_promised},
        {"textures_do_as_promised", textures_do_as_promised},
        {"offers_of_the_time", offers_of_the_time},
    };

    return run_tests(tests, COUNT(tests), argc, argv);
}
