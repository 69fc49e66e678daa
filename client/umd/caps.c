/* SPDX-License-Identifier: MIT */
/* The answers of GetCaps, read once, and formats as DirectDraw describes them. */
#include "client/umd/internal.h"

#include "base/base.h"
#include "d3d/caps9.h"
#include "d3d/pixel_format.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FORMATS 1024
/* d3d9caps.h, which d3d8.h excludes */
#define CAPS2_CANAUTOGENMIPMAP 0x40000000u

struct bridge_caps bridge_caps;

/* The descriptions of DirectX 7 and earlier; dwFlags 0: none. */
static const struct {
    uint32_t format;
    DDPIXELFORMAT pixels;
} rows[] = {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, ...)                                                                      \
    {(number), D3D_LEGACY_##legacy(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)},
#include "d3d/formats.def"
};

const DDPIXELFORMAT *bridge_pixels_of(uint32_t format)
{
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
        if (rows[i].format == format && rows[i].pixels.dwFlags)
            return &rows[i].pixels;
    return NULL;
}

uint32_t bridge_format(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DDPIXELFORMAT *given = &lcl->lpGbl->ddpfSurface;

    if (!(lcl->dwFlags & DDRAWISURF_HASPIXELFORMAT))
        given = lcl->lpGbl->lpDD ? &lcl->lpGbl->lpDD->vmiData.ddpfDisplay : NULL;
    if (!given || !given->dwFlags)
        return D3DFMT_X8R8G8B8; /* the display's */
    if (given->dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC))
        return given->dwFourCC;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
        if (d3d_same_masks(&rows[i].pixels, given))
            return rows[i].format;
    return 0;
}

/* --- reading ----------------------------------------------------------------------------------------- */

bool bridge_ask(D3DDDICAPS_TYPE type, void *answer, size_t size)
{
    const D3DDDIARG_GETCAPS args = {.Type = type, .pData = answer, .DataSize = (UINT)size};

    return SUCCEEDED(bridge_caps.get(bridge_caps.adapter, &args));
}

static bool read_formats(void)
{
    if (!bridge_ask(D3DDDICAPS_GETFORMATCOUNT, &bridge_caps.format_count, sizeof(bridge_caps.format_count)) ||
        !bridge_caps.format_count || bridge_caps.format_count > MOST_FORMATS)
        return false;
    bridge_caps.formats = mem_calloc(bridge_caps.format_count, sizeof(*bridge_caps.formats));
    return bridge_caps.formats && bridge_ask(D3DDDICAPS_GETFORMATDATA, bridge_caps.formats,
                                             bridge_caps.format_count * sizeof(*bridge_caps.formats));
}

/* The list that GETD3D3CAPS leaves out. */
static void list_textures(void)
{
    bridge_caps.global.lpTextureFormats = bridge_caps.textures;
    bridge_caps.global.dwNumTextureFormats = 0;
    for (UINT i = 0;
         i < bridge_caps.format_count && bridge_caps.global.dwNumTextureFormats < ARRAY_COUNT(bridge_caps.textures);
         i++) {
        const DDPIXELFORMAT *pixels = bridge_caps.formats[i].Operations & D3DFORMAT_OP_TEXTURE
                                          ? bridge_pixels_of(bridge_caps.formats[i].Format)
                                          : NULL;

        if (pixels && !(pixels->dwFlags & DDPF_ZBUFFER)) {
            DDSURFACEDESC *desc = &bridge_caps.textures[bridge_caps.global.dwNumTextureFormats++];

            *desc = (DDSURFACEDESC){.dwSize = sizeof(*desc), .dwFlags = DDSD_CAPS | DDSD_PIXELFORMAT};
            desc->ddsCaps.dwCaps = DDSCAPS_TEXTURE;
            desc->ddpfPixelFormat = *pixels;
        }
    }
}

HRESULT bridge_read_caps(HANDLE adapter, PFND3DDDI_GETCAPS get)
{
    memset(&bridge_caps, 0, sizeof(bridge_caps));
    bridge_caps.adapter = adapter;
    bridge_caps.get = get;
    if (!bridge_ask(D3DDDICAPS_GETD3D8CAPS, &bridge_caps.caps8, sizeof(bridge_caps.caps8)) ||
        !bridge_caps.caps8.DevCaps || !read_formats() ||
        !bridge_ask(D3DDDICAPS_GETD3D3CAPS, &bridge_caps.global, sizeof(bridge_caps.global)) ||
        !bridge_ask(D3DDDICAPS_GETD3D7CAPS, &bridge_caps.extended, sizeof(bridge_caps.extended))) {
        bridge_free_caps();
        return DDERR_UNSUPPORTED;
    }
    bridge_ask(D3DDDICAPS_GETD3D9CAPS, &bridge_caps.caps9, sizeof(bridge_caps.caps9));
    bridge_caps.has_caps9 = bridge_caps.caps9.d3d8.DevCaps != 0; /* left alone: not supported */
    if (!bridge_ask(D3DDDICAPS_GETD3DQUERYCOUNT, &bridge_caps.query_count, sizeof(bridge_caps.query_count)) ||
        bridge_caps.query_count > ARRAY_COUNT(bridge_caps.queries) ||
        !bridge_ask(D3DDDICAPS_GETD3DQUERYDATA, bridge_caps.queries, sizeof(bridge_caps.queries)))
        bridge_caps.query_count = 0;
    list_textures();
    return DD_OK;
}

void bridge_free_caps(void)
{
    free(bridge_caps.formats);
    bridge_caps.formats = NULL;
    bridge_caps.format_count = 0;
}

const D3DHAL_GLOBALDRIVERDATA *bridge_global_data(void)
{
    return &bridge_caps.global;
}

/* The abilities that the bridge makes of the functions of a device; the bits of D3DDDICAPS_DDRAW are not public. */
void bridge_ddraw_caps(DDHALINFO *info)
{
    static DWORD fourccs[64];
    const DWORD blits = DDCAPS_BLT | DDCAPS_BLTSTRETCH | DDCAPS_BLTCOLORFILL | DDCAPS_BLTDEPTHFILL |
                        DDCAPS_CANBLTSYSMEM | DDCAPS_CANCLIP | DDCAPS_COLORKEY;
    const DWORD keys = DDCKEYCAPS_SRCBLT | DDCKEYCAPS_DESTBLT;
    DDCORECAPS *core = &info->ddCaps;

    info->vmiData.ddpfDisplay = *bridge_pixels_of(D3DFMT_X8R8G8B8);
    core->dwSize = sizeof(*core);
    core->dwCaps = DDCAPS_3D | blits;
    core->dwCaps2 = DDCAPS2_CANRENDERWINDOWED | DDCAPS2_WIDESURFACES | DDCAPS2_FLIPNOVSYNC | DDCAPS2_FLIPINTERVAL |
                    DDCAPS2_CANMANAGETEXTURE | DDCAPS2_CANMANAGERESOURCE | DDCAPS2_DYNAMICTEXTURES |
                    (bridge_caps.has_caps9 ? CAPS2_CANAUTOGENMIPMAP : 0);
    core->dwZBufferBitDepths = bridge_caps.global.hwCaps.dwDeviceZBufferBitDepth;
    core->dwVidMemTotal = core->dwVidMemFree = (DWORD)config_int("video_memory") << 20; /* the kernel's to say */
    core->dwSVBCaps = core->dwVSBCaps = core->dwSSBCaps = blits;
    core->dwCKeyCaps = core->dwSVBCKeyCaps = core->dwVSBCKeyCaps = core->dwSSBCKeyCaps = keys;
    core->dwRops[SRCCOPY >> 21] |= 1u << (SRCCOPY >> 16 & 31);
    core->ddsCaps.dwCaps = DDSCAPS_3DDEVICE | DDSCAPS_TEXTURE | DDSCAPS_ZBUFFER | DDSCAPS_MIPMAP |
                           DDSCAPS_PRIMARYSURFACE | DDSCAPS_BACKBUFFER | DDSCAPS_FRONTBUFFER | DDSCAPS_FLIP |
                           DDSCAPS_COMPLEX | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM |
                           DDSCAPS_EXECUTEBUFFER;
    for (UINT i = 0; i < bridge_caps.format_count && core->dwNumFourCCCodes < ARRAY_COUNT(fourccs); i++)
        if (bridge_caps.formats[i].Format > 0xFF)
            fourccs[core->dwNumFourCCCodes++] = bridge_caps.formats[i].Format;
    info->lpdwFourCC = fourccs;
}

HRESULT bridge_check_format(uint32_t format, DWORD wanted)
{
    const UINT target = D3DFORMAT_OP_OFFSCREEN_RENDERTARGET | D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET |
                        D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET;

    for (UINT i = 0; i < bridge_caps.format_count; i++)
        if (bridge_caps.formats[i].Format == format)
            return (wanted & DDSCAPS_3DDEVICE && !(bridge_caps.formats[i].Operations & target)) ||
                           (wanted & DDSCAPS_ZBUFFER && !(bridge_caps.formats[i].Operations & D3DFORMAT_OP_ZSTENCIL))
                       ? DDERR_INVALIDPIXELFORMAT
                       : DD_OK;
    return format ? DD_OK : DDERR_INVALIDPIXELFORMAT; /* not offered, but perhaps known: CreateResource tells */
}
