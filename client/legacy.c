/* SPDX-License-Identifier: MIT */
/*
 * A driver of DirectX 7 knows neither D3DCAPS8 nor a list of D3DFORMATs: a runtime of DirectX 8 derives both from the
 * reports of such a driver, GLOBALDRIVERDATA with masks of pixels, D3DEXTENDEDCAPS and GUID_ZPixelFormats (DX8 DDI,
 * "Direct3D 8.0 Driver Capabilities", and docs/reference/driver-calls.md, section 5). Features that this generation
 * could not report are not offered: volumes, shaders, patches, point sizes, more than one stream.
 */
#include "client/internal.h"

#include "base/base.h"
#include "d3d/pixel_format.h"

#include <stdlib.h>
#include <string.h>

#define STATIC_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- formats ------------------------------------------------------------------------------ */

struct layout {
    uint32_t d3d_format;
    uint8_t level;       /* of DirectX, that knows the number */
    uint32_t operations; /* of a driver of DirectX 8 and later */
    DDPIXELFORMAT pixels;
};

/* Operations of a format that can be drawn to in modes of its depth: GLOBALDRIVERDATA names only depths. */
#define DRAWN (OPS_TARGET | OPS_MODE)

static const struct layout layouts[] = {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, roles, operations)                                                        \
    {(number), level, operations, D3D_LEGACY_##legacy(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)},
#include "d3d/formats.def"
};

/* NULL: given by a FOURCC, or unknown. */
static const struct layout *legacy_find_layout(const DDPIXELFORMAT *given)
{
    for (unsigned i = 0; i < STATIC_COUNT(layouts) && !(given->dwFlags & DDPF_FOURCC); i++)
        if (layouts[i].level <= 7 && d3d_same_masks(&layouts[i].pixels, given))
            return &layouts[i];
    return NULL;
}

/* Depths that can be drawn to, as DDBD_* bits. */
static uint32_t depth_bit(uint32_t bits)
{
    return bits == 16 ? DDBD_16 : bits == 24 ? DDBD_24 : bits == 32 ? DDBD_32 : 0;
}

static uint32_t texture_operations(const D3DHAL_GLOBALDRIVERDATA *global, const DDPIXELFORMAT *format,
                                   const struct layout *layout)
{
    const bool yuv =
        format->dwFlags & DDPF_FOURCC && (format->dwFourCC == D3DFMT_UYVY || format->dwFourCC == D3DFMT_YUY2);
    uint32_t operations = D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN;

    if (!yuv && global->hwCaps.dpcTriCaps.dwTextureCaps & D3DPTEXTURECAPS_CUBEMAP)
        operations |= D3DFORMAT_OP_CUBETEXTURE;
    if (format->dwFlags & DDPF_BUMPDUDV)
        operations |= D3DFORMAT_OP_BUMPMAP;
    if (layout && global->hwCaps.dwDeviceRenderBitDepth & depth_bit(layout->pixels.dwRGBBitCount))
        operations |= layout->operations & DRAWN;
    return operations;
}

static void add_format(struct client_driver *driver, const DDPIXELFORMAT *given, const struct layout *layout,
                       uint32_t operations)
{
    if (layout || given->dwFlags & DDPF_FOURCC)
        driver->formats[driver->format_count++] = (DDPIXELFORMAT){
            .dwSize = sizeof(DDPIXELFORMAT),
            .dwFlags = DDPF_D3DFORMAT,
            .dwFourCC = layout ? layout->d3d_format : given->dwFourCC,
            .dwOperations = operations,
        };
}

static HRESULT legacy_read_formats(struct client_driver *driver, const D3DHAL_GLOBALDRIVERDATA *global)
{
    struct {
        DWORD count;
        DDPIXELFORMAT formats[32];
    } depth = {0};
    const DWORD count = global->lpTextureFormats ? global->dwNumTextureFormats : 0;

    client_driver_info(driver, &DDI_GUID_Z_PIXEL_FORMATS, &depth, sizeof(depth), NULL);
    if (count > 1024 || depth.count > STATIC_COUNT(depth.formats))
        return DDERR_GENERIC;
    driver->formats = mem_calloc(count + depth.count + 1, sizeof(*driver->formats));
    if (!driver->formats)
        return DDERR_OUTOFMEMORY;
    for (DWORD i = 0; i < count; i++) {
        const DDPIXELFORMAT *format = &global->lpTextureFormats[i].ddpfPixelFormat;
        const struct layout *layout = legacy_find_layout(format);
        add_format(driver, format, layout, texture_operations(global, format, layout));
    }
    for (DWORD i = 0; i < depth.count; i++)
        add_format(driver, &depth.formats[i], legacy_find_layout(&depth.formats[i]),
                   D3DFORMAT_OP_ZSTENCIL | D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH);
    return DD_OK;
}

/* --- caps ---------------------------------------------------------------------------------- */

/* Bits that DirectX 7 named and Direct3D 8 still does. */
enum {
    DX7_RASTER = 0x0037F199,      /* without ROP2, XOR, SUBPIXEL, STIPPLE and the rest that went */
    DX7_SHADE = 0x84208,          /* GOURAUD: flat shading has no bits any more */
    DX7_TEXTURE = 0x00000FE7,     /* without TRANSPARENCY, BORDER, COLORKEYBLEND */
    DX7_FILTER = 0x1F1F1F00,      /* the low byte held the filters of DirectX 6 */
    DX7_ADDRESS = 0x1F,           /* without MIRRORONCE */
    DX7_TEXTURE_OPS = 0xFFFFFF,   /* without MULTIPLYADD and LERP */
    DX7_VERTEX_PROCESSING = 0x3B, /* 4 was VERTEXFOG, 8 and up as now */
    DX7_DEVICE = 0x000FFFFF,
};

static void take_primitive_caps(D3DCAPS8 *caps, const D3DHAL_GLOBALDRIVERDATA *global)
{
    const D3DPRIMCAPS *triangles = &global->hwCaps.dpcTriCaps;

    caps->PrimitiveMiscCaps = triangles->dwMiscCaps;
    caps->RasterCaps = triangles->dwRasterCaps & DX7_RASTER;
    caps->ZCmpCaps = triangles->dwZCmpCaps;
    caps->SrcBlendCaps = triangles->dwSrcBlendCaps;
    caps->DestBlendCaps = triangles->dwDestBlendCaps;
    caps->AlphaCmpCaps = triangles->dwAlphaCmpCaps;
    caps->ShadeCaps = triangles->dwShadeCaps & DX7_SHADE;
    caps->TextureCaps = (triangles->dwTextureCaps & DX7_TEXTURE) | D3DPTEXTURECAPS_MIPMAP;
    if (caps->TextureCaps & D3DPTEXTURECAPS_CUBEMAP)
        caps->TextureCaps |= D3DPTEXTURECAPS_MIPCUBEMAP;
    caps->TextureFilterCaps = triangles->dwTextureFilterCaps & DX7_FILTER;
    if (caps->TextureCaps & D3DPTEXTURECAPS_CUBEMAP)
        caps->CubeTextureFilterCaps = caps->TextureFilterCaps;
    caps->TextureAddressCaps = triangles->dwTextureAddressCaps & DX7_ADDRESS;
    caps->LineCaps =
        D3DLINECAPS_TEXTURE | D3DLINECAPS_ZTEST | D3DLINECAPS_BLEND | D3DLINECAPS_ALPHACMP | D3DLINECAPS_FOG;
}

static void take_extended_caps(D3DCAPS8 *caps, const D3DHAL_D3DEXTENDEDCAPS *extended)
{
    caps->MaxTextureWidth = extended->dwMaxTextureWidth;
    caps->MaxTextureHeight = extended->dwMaxTextureHeight;
    caps->MaxTextureRepeat = extended->dwMaxTextureRepeat;
    caps->MaxTextureAspectRatio = extended->dwMaxTextureAspectRatio;
    caps->MaxAnisotropy = extended->dwMaxAnisotropy;
    caps->MaxVertexW = extended->dvMaxVertexW;
    caps->GuardBandLeft = extended->dvGuardBandLeft;
    caps->GuardBandTop = extended->dvGuardBandTop;
    caps->GuardBandRight = extended->dvGuardBandRight;
    caps->GuardBandBottom = extended->dvGuardBandBottom;
    caps->ExtentsAdjust = extended->dvExtentsAdjust;
    caps->StencilCaps = extended->dwStencilCaps;
    caps->FVFCaps = extended->dwFVFCaps;
    caps->TextureOpCaps = extended->dwTextureOpCaps & DX7_TEXTURE_OPS;
    caps->MaxTextureBlendStages = extended->wMaxTextureBlendStages;
    caps->MaxSimultaneousTextures = extended->wMaxSimultaneousTextures;
    caps->VertexProcessingCaps = extended->dwVertexProcessingCaps & DX7_VERTEX_PROCESSING;
    caps->MaxActiveLights = extended->dwMaxActiveLights;
    caps->MaxUserClipPlanes = extended->wMaxUserClipPlanes;
    caps->MaxVertexBlendMatrices = extended->wMaxVertexBlendMatrices;
}

static void make_caps(struct client_driver *driver, const D3DHAL_GLOBALDRIVERDATA *global)
{
    D3DCAPS8 *caps = &driver->caps;

    memset(caps, 0, sizeof(*caps));
    caps->DeviceType = D3DDEVTYPE_HAL;
    caps->Caps2 = D3DCAPS2_CANRENDERWINDOWED;
    caps->DevCaps = (global->hwCaps.dwDevCaps & DX7_DEVICE) | D3DDEVCAPS_HWRASTERIZATION;
    take_primitive_caps(caps, global);
    take_extended_caps(caps, &driver->extended_caps);
    caps->MaxPointSize = 1.0f;
    caps->MaxPrimitiveCount = 0xFFFF;
    caps->MaxVertexIndex = 0xFFFF; /* indices are words */
    caps->MaxStreams = 1;
    caps->MaxStreamStride = 256;
}

HRESULT client_read_legacy(struct client_driver *driver)
{
    /* The address crosses the DDI as a number. */
    const D3DHAL_GLOBALDRIVERDATA *global = (const void *)(uintptr_t)driver->info.lpD3DGlobalDriverData;

    if (!global || global->dwSize < sizeof(*global) || !driver->extended_caps.dwSize)
        return DDERR_UNSUPPORTED;
    make_caps(driver, global);
    return legacy_read_formats(driver, global);
}
