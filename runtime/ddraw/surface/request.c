/* SPDX-License-Identifier: MIT */
/* From descriptions to chains: the kinds that programs ask for most, by rules that are not complete yet. */
#include "runtime/ddraw/surface/request.h"

#include <string.h>

#include "base/base.h"
#include "client/client.h"
#include "d3d/pixel_format.h"
#include "runtime/common/driver/formats.h"
#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/screen/desktop.h"

/* Kinds of surfaces that no request may name. */
#define NEVER_CAPS                                                                                             \
    (DDSCAPS_BACKBUFFER | DDSCAPS_FRONTBUFFER | DDSCAPS_VISIBLE | DDSCAPS_PRIMARYSURFACELEFT | DDSCAPS_ALPHA | \
     DDSCAPS_EXECUTEBUFFER | DDSCAPS_OVERLAY)

/* --- formats --------------------------------------------------------------------------- */

static const struct {
    uint32_t format;
    DDPIXELFORMAT masks;
} formats[] = {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, ...) \
    {number, FORMAT_MASKS(legacy, number, bytes, __VA_ARGS__)},
#define FORMAT_MASKS(legacy, number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil, ...) \
    D3D_LEGACY_##legacy(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)
#include "d3d/formats.def"
#undef FORMAT_MASKS
};

/* D3DFMT_UNKNOWN: none of the formats. */
static uint32_t format_of_masks(const DDPIXELFORMAT *asked)
{
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++)
        if (rt_format_of(7, formats[i].format) && d3d_same_masks(&formats[i].masks, asked))
            return formats[i].format;
    return D3DFMT_UNKNOWN;
}

static uint32_t format_of_depth(unsigned bits)
{
    switch (bits) {
    case 16:
        return D3DFMT_D16;
    case 24:
    case 32:
        return D3DFMT_D24X8;
    default:
        return D3DFMT_UNKNOWN;
    }
}

static uint32_t format_asked(const DDSURFACEDESC2 *desc)
{
    const DDPIXELFORMAT *asked = &desc->ddpfPixelFormat;

    if (desc->ddsCaps.dwCaps & DDSCAPS_ZBUFFER)
        return format_of_depth(desc->dwFlags & DDSD_PIXELFORMAT
                                   ? asked->dwZBufferBitDepth
                                   : desc->dwMipMapCount /* dwZBufferBitDepth of version 1 */);
    if (asked->dwFlags & DDPF_FOURCC)
        return rt_format_of(7, asked->dwFourCC) ? asked->dwFourCC : D3DFMT_UNKNOWN;
    return format_of_masks(asked);
}

/* --- kinds ----------------------------------------------------------------------------- */

static HRESULT check_caps(const struct ddraw *ddraw, const DDSURFACEDESC2 *desc)
{
    const DWORD caps = desc->ddsCaps.dwCaps;

    if (caps & NEVER_CAPS || (caps & DDSCAPS_SYSTEMMEMORY && caps & DDSCAPS_VIDEOMEMORY) ||
        (caps & (DDSCAPS_LOCALVIDMEM | DDSCAPS_NONLOCALVIDMEM) && !(caps & DDSCAPS_VIDEOMEMORY)))
        return DDERR_INVALIDCAPS;
    if (caps & DDSCAPS_PRIMARYSURFACE && caps & (DDSCAPS_TEXTURE | DDSCAPS_ZBUFFER | DDSCAPS_OFFSCREENPLAIN))
        return DDERR_INVALIDCAPS;
    if (!(caps & DDSCAPS_FLIP) && !(desc->dwFlags & DDSD_BACKBUFFERCOUNT))
        return DD_OK;
    if (caps & DDSCAPS_PRIMARYSURFACE && !dd_level_is_exclusive(&ddraw->level))
        return DDERR_NOEXCLUSIVEMODE;
    return caps & DDSCAPS_FLIP && caps & DDSCAPS_COMPLEX && desc->dwFlags & DDSD_BACKBUFFERCOUNT &&
                   desc->dwBackBufferCount
               ? DD_OK
               : DDERR_INVALIDCAPS;
}

static unsigned levels_of(const DDSURFACEDESC2 *desc)
{
    const DWORD mips = DDSCAPS_MIPMAP | DDSCAPS_TEXTURE | DDSCAPS_COMPLEX;

    if ((desc->ddsCaps.dwCaps & mips) != mips)
        return 1;
    return desc->dwFlags & DDSD_MIPMAPCOUNT && desc->dwMipMapCount ? desc->dwMipMapCount
                                                                   : rt_full_chain(desc->dwWidth, desc->dwHeight, 1);
}

static enum rt_chain_kind kind_of(DWORD caps)
{
    if (caps & DDSCAPS_TEXTURE)
        return RT_CHAIN_TEXTURE;
    if (caps & DDSCAPS_ZBUFFER)
        return RT_CHAIN_DEPTH;
    if (caps & (DDSCAPS_PRIMARYSURFACE | DDSCAPS_FLIP))
        return RT_CHAIN_SWAP;
    return caps & DDSCAPS_3DDEVICE ? RT_CHAIN_TARGET : RT_CHAIN_PLAIN;
}

/* The capabilities and members that a surface answers beyond those that were asked for. */
static void complete_answer(DDSURFACEDESC2 *desc, const struct rt_chain_desc *chain)
{
    DWORD *caps = &desc->ddsCaps.dwCaps;

    if (*caps & DDSCAPS_PRIMARYSURFACE)
        *caps |= DDSCAPS_VISIBLE;
    if (chain->kind == RT_CHAIN_SWAP && *caps & DDSCAPS_FLIP)
        *caps |= DDSCAPS_FRONTBUFFER;
    if (!(*caps & DDSCAPS_SYSTEMMEMORY))
        *caps |= DDSCAPS_VIDEOMEMORY | (*caps & DDSCAPS_NONLOCALVIDMEM ? 0 : DDSCAPS_LOCALVIDMEM);
    desc->dwFlags |= DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT;
    desc->lPitch = (LONG)rt_format_pitch(rt_format_info(chain->format), chain->width);
    desc->dwFlags |= DDSD_PITCH;
    if (chain->levels > 1 && chain->kind == RT_CHAIN_TEXTURE) {
        desc->dwFlags |= DDSD_MIPMAPCOUNT;
        desc->dwMipMapCount = chain->levels;
    }
}

HRESULT surface_request(const struct ddraw *ddraw, unsigned version, const DDSURFACEDESC2 *asked,
                        struct rt_chain_desc *chain, DDSURFACEDESC2 *answer)
{
    const DWORD sizes = DDSD_WIDTH | DDSD_HEIGHT;
    struct ddraw_mode mode;
    HRESULT hr;

    (void)version;
    *answer = *asked;
    hr = check_caps(ddraw, answer);
    if (FAILED(hr))
        return hr;
    dd_desktop_mode(&mode);
    if (answer->ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE) {
        if (answer->dwFlags & (sizes | DDSD_PIXELFORMAT))
            return DDERR_INVALIDPARAMS;
        answer->dwWidth = mode.width;
        answer->dwHeight = mode.height;
    } else if ((answer->dwFlags & sizes) != sizes || !answer->dwWidth || !answer->dwHeight) {
        return DDERR_INVALIDPARAMS;
    }
    if (!(answer->dwFlags & DDSD_PIXELFORMAT) && !(answer->ddsCaps.dwCaps & DDSCAPS_ZBUFFER))
        ddraw_format_describe(ddraw_format_of_mode(mode.bits), &answer->ddpfPixelFormat);
    *chain = (struct rt_chain_desc){
        .kind = kind_of(answer->ddsCaps.dwCaps),
        .memory = answer->ddsCaps.dwCaps & DDSCAPS_SYSTEMMEMORY ? RT_MEMORY_SYSTEM : RT_MEMORY_VIDEO,
        .format = format_asked(answer),
        .width = answer->dwWidth,
        .height = answer->dwHeight,
        .depth = 1,
        .levels = levels_of(answer),
        .faces = 1,
        .is_target = answer->ddsCaps.dwCaps & DDSCAPS_3DDEVICE,
    };
    if (chain->format == D3DFMT_UNKNOWN)
        return DDERR_INVALIDPIXELFORMAT;
    if (chain->levels > rt_full_chain(chain->width, chain->height, 1))
        return DDERR_INVALIDPARAMS;
    if (chain->kind == RT_CHAIN_SWAP)
        chain->levels = 1 + (answer->dwFlags & DDSD_BACKBUFFERCOUNT ? answer->dwBackBufferCount : 0);
    complete_answer(answer, chain);
    return DD_OK;
}

void surface_request_part(const struct rt_chain *chain, unsigned part, DDSURFACEDESC2 *desc)
{
    const struct rt_part *p = &chain->parts[part];

    desc->dwWidth = p->width;
    desc->dwHeight = p->height;
    desc->lPitch = p->surface ? p->surface->gbl.lPitch : (LONG)p->pitch;
    if (!part)
        return;
    if (chain->desc.kind == RT_CHAIN_SWAP) {
        desc->ddsCaps.dwCaps &= ~(DWORD)(DDSCAPS_FRONTBUFFER | DDSCAPS_VISIBLE | DDSCAPS_PRIMARYSURFACE);
        if (part == 1)
            desc->ddsCaps.dwCaps |= DDSCAPS_BACKBUFFER;
        desc->dwFlags &= ~(DWORD)DDSD_BACKBUFFERCOUNT;
    } else {
        desc->dwMipMapCount = chain->part_count - part;
        desc->ddsCaps.dwCaps2 |= DDSCAPS2_MIPMAPSUBLEVEL;
    }
}
