/* SPDX-License-Identifier: MIT */
/*
 * Requests of CreateSurface: which capabilities may be asked for together (tables), then format, memory, size and levels,
 * in the order in which native runtimes answer with their errors.
 */
#include "runtime/ddraw/rules/creation.h"

#include "base/base.h"
#include "d3d/directdraw.h"
#include "d3d/driver_info.h"
#include "d3d/formats.h"
#include "runtime/common/driver/layout.h"
#include "runtime/ddraw/rules/format.h"

struct request {
    const DDSURFACEDESC2 *desc;
    const struct ddraw_screen *screen;
    unsigned version;
    DWORD caps, caps2;
    struct ddraw_plan *plan;
};

/* --- capabilities ------------------------------------------------------------------------------ */

#define CAPS_MEMORY   (DDSCAPS_SYSTEMMEMORY | DDSCAPS_VIDEOMEMORY)
#define CAPS_OF_VIDEO (DDSCAPS_LOCALVIDMEM | DDSCAPS_NONLOCALVIDMEM)
#define CAPS_KINDS    (DDSCAPS_OFFSCREENPLAIN | DDSCAPS_TEXTURE | DDSCAPS_OVERLAY | DDSCAPS_ZBUFFER)
#define CAPS2_MANAGED (DDSCAPS2_TEXTUREMANAGE | DDSCAPS2_D3DTEXTUREMANAGE)
/* Answers, and things that are made by other calls or not at all. */
#define CAPS_NEVER                                                                                             \
    (DDSCAPS_VISIBLE | DDSCAPS_PRIMARYSURFACELEFT | DDSCAPS_OWNDC | DDSCAPS_LIVEVIDEO | DDSCAPS_HWCODEC |      \
     DDSCAPS_MODEX | DDSCAPS_VIDEOPORT | DDSCAPS_STANDARDVGAMODE | DDSCAPS_OPTIMIZED | DDSCAPS_EXECUTEBUFFER | \
     DDSCAPS_PALETTE)
#define CAPS2_CUBE (DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES)

/* Combinations that never occur in one request: all bits of `all` and any of `any`, none of `none`; in versions first to last. The first rule
 * that a request meets gives the answer. */
static const struct rule {
    DWORD all, any, none;
    unsigned first, last;
    HRESULT hr;
} rules[] = {
    {DDSCAPS_ALPHA, ~0u, 0, 1, 7, DDERR_NOALPHAHW},
    {0, CAPS_NEVER, 0, 1, 7, DDERR_INVALIDCAPS},
    {CAPS_MEMORY, ~0u, 0, 1, 7, DDERR_INVALIDCAPS}, /* SurfaceCapsTest, no_ddsd_caps_test */
    {0, CAPS_OF_VIDEO, DDSCAPS_VIDEOMEMORY, 1, 7, DDERR_INVALIDCAPS},
    {CAPS_OF_VIDEO, ~0u, 0, 1, 7, DDERR_INVALIDCAPS},
    {0, DDSCAPS_FRONTBUFFER | DDSCAPS_BACKBUFFER, 0, 2, 7, DDERR_INVALIDCAPS}, /* BackBufferCreateSurfaceTest */
    /* Version 1 makes single back buffers, to be attached, and lets the primary call itself the front (test_primary_caps). */
    {DDSCAPS_PRIMARYSURFACE | DDSCAPS_BACKBUFFER, ~0u, 0, 1, 1, DDERR_INVALIDCAPS},
    {DDSCAPS_FRONTBUFFER, DDSCAPS_FLIP | DDSCAPS_BACKBUFFER, 0, 1, 1, DDERR_INVALIDCAPS},
    {DDSCAPS_BACKBUFFER | DDSCAPS_FLIP, ~0u, 0, 1, 1, DDERR_INVALIDCAPS},
    {DDSCAPS_FRONTBUFFER, ~0u, DDSCAPS_PRIMARYSURFACE, 1, 1, DDERR_INVALIDCAPS},
    {DDSCAPS_PRIMARYSURFACE, CAPS_KINDS | DDSCAPS_MIPMAP | DDSCAPS_ALLOCONLOAD, 0, 1, 7, DDERR_INVALIDCAPS},
    {DDSCAPS_ZBUFFER, DDSCAPS_TEXTURE | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_OVERLAY | DDSCAPS_FLIP, 0, 1, 7,
     DDERR_INVALIDCAPS},
    {DDSCAPS_OVERLAY, DDSCAPS_TEXTURE | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_3DDEVICE, 0, 1, 7, DDERR_INVALIDCAPS},
    {DDSCAPS_OVERLAY, DDSCAPS_SYSTEMMEMORY, 0, 1, 7, DDERR_NOOVERLAYHW}, /* test_sysmem_overlay */
    {0, DDSCAPS_MIPMAP | DDSCAPS_ALLOCONLOAD, DDSCAPS_TEXTURE, 1, 7,
     DDERR_INVALIDCAPS},                                           /* test_mipmap, test_create_surface_pitch */
    {DDSCAPS_FLIP, ~0u, DDSCAPS_COMPLEX, 1, 7, DDERR_INVALIDCAPS}, /* test_flip */
    {DDSCAPS_FLIP, DDSCAPS_MIPMAP, 0, 1, 7, DDERR_INVALIDCAPS},
    {DDSCAPS_COMPLEX, ~0u, DDSCAPS_FLIP | DDSCAPS_TEXTURE, 1, 7, DDERR_INVALIDCAPS}, /* test_primary_caps */
};

static HRESULT check_pairs(DWORD caps, unsigned version)
{
    for (unsigned i = 0; i < ARRAY_COUNT(rules); i++) {
        const struct rule *rule = &rules[i];

        if (version >= rule->first && version <= rule->last && (caps & rule->all) == rule->all && caps & rule->any &&
            !(caps & rule->none))
            return rule->hr;
    }
    return DD_OK;
}

/* Bits of dwCaps2, which versions 4 and 7 have; cubes are version 7's (CubeMapTest). */
static HRESULT check_caps2(const struct request *r)
{
    const DWORD faces = r->caps2 & DDSCAPS2_CUBEMAP_ALLFACES;

    if (r->caps2 & (DDSCAPS2_MIPMAPSUBLEVEL | DDSCAPS2_VOLUME))
        return DDERR_INVALIDCAPS;
    if (r->caps2 & CAPS2_CUBE && r->version < 7)
        return DDERR_INVALIDCAPS;
    if (faces && !(r->caps2 & DDSCAPS2_CUBEMAP))
        return DDERR_INVALIDCAPS;
    if (r->caps2 & DDSCAPS2_CUBEMAP && (~r->caps & (DDSCAPS_TEXTURE | DDSCAPS_COMPLEX)))
        return DDERR_INVALIDCAPS;
    if (r->caps2 & DDSCAPS2_CUBEMAP && !faces)
        return DDERR_INVALIDPARAMS;
    if (r->caps2 & CAPS2_MANAGED && (r->caps & CAPS_MEMORY || !(r->caps & DDSCAPS_TEXTURE)))
        return DDERR_INVALIDCAPS;
    /* Only a managed texture can be write-only (test_lockrect_invalid). */
    if (r->caps & DDSCAPS_WRITEONLY && !(r->caps2 & CAPS2_MANAGED))
        return DDERR_INVALIDCAPS;
    return DD_OK;
}

/* The number of back buffers decides before the cooperative level does (test_primary_caps, test_flip). */
static HRESULT check_flips(const struct request *r)
{
    const bool counted = r->desc->dwFlags & DDSD_BACKBUFFERCOUNT && r->desc->dwBackBufferCount;

    if (r->caps & DDSCAPS_FLIP && !counted)
        return DDERR_INVALIDCAPS;
    if (counted && r->caps2 & DDSCAPS2_CUBEMAP)
        return DDERR_INVALIDPARAMS;
    if (counted && !(r->caps & DDSCAPS_FLIP))
        return DDERR_INVALIDCAPS;
    if (!counted)
        return DD_OK;
    if (r->caps & DDSCAPS_PRIMARYSURFACE && !r->screen->is_exclusive)
        return DDERR_NOEXCLUSIVEMODE;
    if (r->desc->dwBackBufferCount > DDRAW_MOST_BACK_BUFFERS)
        return DDERR_OUTOFVIDEOMEMORY;
    r->plan->back_buffers = r->desc->dwBackBufferCount;
    return DD_OK;
}

static HRESULT check_caps(const struct request *r)
{
    HRESULT hr = check_pairs(r->caps, r->version);

    if (SUCCEEDED(hr))
        hr = check_caps2(r);
    if (SUCCEEDED(hr))
        hr = check_flips(r);
    if (FAILED(hr))
        return hr;
    if (r->caps & DDSCAPS_OVERLAY && !r->screen->has_overlays)
        return DDERR_NOOVERLAYHW;
    if (r->caps & DDSCAPS_PRIMARYSURFACE && r->screen->has_primary)
        return DDERR_PRIMARYSURFACEALREADYEXISTS;
    return DD_OK;
}

/* --- format -------------------------------------------------------------------------------------- */

/* A depth buffer without a pixel format has the depth of DDSD_ZBUFFERBITDEPTH, which dwMipMapCount holds; with both the format
 * counts (zbufferbitdepth_test). */
static HRESULT choose_depth_format(struct request *r, uint32_t *format, DDPIXELFORMAT *pixels)
{
    if (r->desc->dwFlags & DDSD_PIXELFORMAT) {
        *pixels = r->desc->ddpfPixelFormat;
        *format = ddraw_format_of(pixels);
    } else if (r->version < 4 && r->desc->dwFlags & DDSD_ZBUFFERBITDEPTH && r->desc->dwMipMapCount) {
        *format = ddraw_format_of_depth(r->desc->dwMipMapCount, pixels);
    } else {
        return DDERR_INVALIDPARAMS;
    }
    return ddraw_format_is_depth(*format) ? DD_OK : DDERR_INVALIDPIXELFORMAT;
}

/* Overlays have colours alone, without alpha: codes of pairs and planes, and RGB of 16 and 32 bits. */
static bool can_overlay(uint32_t format)
{
    return format == D3D_FORMAT_R5G6B5 || format == D3D_FORMAT_X1R5G5B5 || format == D3D_FORMAT_X8R8G8B8 ||
           (ddraw_format_is_code(format) && !ddraw_format_is_blocks(format));
}

static HRESULT choose_format(struct request *r, uint32_t *format, DDPIXELFORMAT *pixels)
{
    const uint32_t mode = r->screen->format;

    if (r->caps & DDSCAPS_ZBUFFER)
        return choose_depth_format(r, format, pixels);
    *format = r->desc->dwFlags & DDSD_PIXELFORMAT ? ddraw_format_of(&r->desc->ddpfPixelFormat) : mode;
    if (r->caps & DDSCAPS_OVERLAY && !can_overlay(*format))
        return DDERR_INVALIDPIXELFORMAT;
    if (!(r->desc->dwFlags & DDSD_PIXELFORMAT))
        return ddraw_format_describe(mode, pixels) ? DD_OK : DDERR_INVALIDPIXELFORMAT;
    if (!ddraw_format_describe(*format, pixels) || ddraw_format_is_depth(*format))
        return DDERR_INVALIDPIXELFORMAT;
    if (ddraw_format_is_planar(*format) && !(r->caps & DDSCAPS_OVERLAY))
        return DDERR_INVALIDPIXELFORMAT; /* what hardware could only show */
    if (r->caps & DDSCAPS_PRIMARYSURFACE && *format != mode)
        return DDERR_INVALIDPIXELFORMAT;
    return DD_OK;
}

/* Does the driver have surfaces of the format for what the request wants? */
static bool driver_offers(const struct request *r, uint32_t format)
{
    const uint32_t operations = r->screen->operations(r->screen->driver, format);
    const bool renders = r->caps & DDSCAPS_3DDEVICE && !(r->caps & DDSCAPS_ZBUFFER);
    uint32_t wanted = r->caps & DDSCAPS_TEXTURE ? D3DFORMAT_OP_TEXTURE : 0;

    if (r->caps & DDSCAPS_ZBUFFER)
        wanted |= D3DFORMAT_OP_ZSTENCIL;
    if (r->caps2 & DDSCAPS2_CUBEMAP)
        wanted |= D3DFORMAT_OP_CUBETEXTURE;
    return operations && (operations & wanted) == wanted &&
           (!renders || operations & D3DFORMAT_OP_OFFSCREEN_RENDERTARGET);
}

/* --- memory ---------------------------------------------------------------------------------------- */

/* Formats that the driver knows without reporting them can be had in its memory by those who ask for it. */
static bool driver_takes_unreported(uint32_t format)
{
    return format == D3D_FORMAT_D32;
}

/* Where the surfaces lie, and the capabilities that say so. */
static HRESULT choose_memory(struct request *r, uint32_t format)
{
    const bool offered = driver_offers(r, format), is_code = ddraw_format_is_code(format);

    if (r->caps2 & CAPS2_MANAGED) {
        if (!offered)
            return is_code ? DDERR_INVALIDPARAMS : DDERR_INVALIDPIXELFORMAT;
        r->caps |= DDSCAPS_SYSTEMMEMORY; /* CompressedTest */
        r->plan->is_managed = true;
        return DD_OK;
    }
    if (r->caps & (DDSCAPS_VIDEOMEMORY | DDSCAPS_OVERLAY)) {
        r->caps |= DDSCAPS_VIDEOMEMORY;
        if (!offered && !driver_takes_unreported(format))
            return is_code ? DDERR_INVALIDPARAMS : DDERR_INVALIDPIXELFORMAT; /* test_block_formats_creation */
    } else if (!(r->caps & DDSCAPS_SYSTEMMEMORY)) {
        r->caps |=
            offered ? DDSCAPS_VIDEOMEMORY : DDSCAPS_SYSTEMMEMORY; /* test_unsupported_formats, test_d32_support */
    }
    if (r->caps & DDSCAPS_VIDEOMEMORY && !(r->caps & CAPS_OF_VIDEO))
        r->caps |= DDSCAPS_LOCALVIDMEM;
    /* Codes other than textures are the hardware's alone: "DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY fails to create any
     * fourcc surface" (test_block_formats_creation). */
    if (r->caps & DDSCAPS_SYSTEMMEMORY && is_code && !(r->caps & DDSCAPS_TEXTURE))
        return DDERR_INVALIDPIXELFORMAT;
    return DD_OK;
}

/* Memory of the program (test_create_surface_pitch, test_block_formats_creation): blocks come with a size, pixels with a pitch. */
static HRESULT take_user_memory(struct request *r, uint32_t format, uint64_t row, uint64_t size)
{
    const DDSURFACEDESC2 *desc = r->desc;

    if (!(desc->dwFlags & DDSD_LPSURFACE))
        return DD_OK;
    if (!(r->caps & DDSCAPS_SYSTEMMEMORY) || r->plan->is_managed)
        return DDERR_INVALIDCAPS;
    if (!desc->lpSurface || r->version < 4 || r->plan->chain.levels * r->plan->chain.faces > 1)
        return DDERR_INVALIDPARAMS;
    r->plan->chain.user_memory = desc->lpSurface;
    if (ddraw_format_is_blocks(format)) {
        if ((desc->dwFlags & (DDSD_PITCH | DDSD_LINEARSIZE)) != DDSD_LINEARSIZE || desc->dwLinearSize < size)
            return DDERR_INVALIDPARAMS;
        r->plan->chain.user_pitch = (size_t)row;
        return DD_OK;
    }
    if (!(desc->dwFlags & DDSD_PITCH) || desc->lPitch <= 0 || desc->lPitch % 4 || (uint64_t)desc->lPitch < row)
        return DDERR_INVALIDPARAMS;
    r->plan->chain.user_pitch = (size_t)desc->lPitch;
    return DD_OK;
}

/* --- size and levels ----------------------------------------------------------------------------------- */

static HRESULT choose_size(const struct request *r, uint32_t format)
{
    const SIZE block = ddraw_format_block(format);
    struct rt_chain_desc *chain = &r->plan->chain;

    if (r->caps & DDSCAPS_PRIMARYSURFACE) {
        chain->width = r->screen->width;
        chain->height = r->screen->height;
    } else if ((r->desc->dwFlags & (DDSD_WIDTH | DDSD_HEIGHT)) == (DDSD_WIDTH | DDSD_HEIGHT)) {
        chain->width = r->desc->dwWidth;
        chain->height = r->desc->dwHeight;
    }
    if (!chain->width || !chain->height) /* SizeTest */
        return DDERR_INVALIDPARAMS;
    if (chain->width > BASE_MIN(r->screen->most, UINT16_MAX) || chain->height > BASE_MIN(r->screen->most, UINT16_MAX))
        return DDERR_INVALIDPARAMS;
    if (r->caps2 & DDSCAPS2_CUBEMAP && chain->width != chain->height)
        return DDERR_INVALIDPARAMS;
    if (ddraw_format_is_blocks(format) && (chain->width % (unsigned)block.cx || chain->height % (unsigned)block.cy))
        return DDERR_INVALIDPARAMS;
    return DD_OK;
}

/* test_mipmap. Without a count a complex texture has all levels: down to 1x1 in version 7, until one side is 1 before. */
static HRESULT choose_levels(const struct request *r)
{
    const unsigned width = r->plan->chain.width, height = r->plan->chain.height;
    const unsigned full = rt_full_chain(width, height, 1);
    const bool counted = r->desc->dwFlags & DDSD_MIPMAPCOUNT, complex = r->caps & DDSCAPS_COMPLEX;

    r->plan->chain.levels = 1;
    if (!(r->caps & DDSCAPS_MIPMAP))
        return DD_OK; /* the count of something else is ignored */
    if (!counted) {
        if (complex)
            r->plan->chain.levels = r->version < 7 ? rt_full_chain(BASE_MIN(width, height), 1, 1) : full;
        return DD_OK;
    }
    if (!r->desc->dwMipMapCount || r->desc->dwMipMapCount > full)
        return DDERR_INVALIDPARAMS;
    if (r->desc->dwMipMapCount > 1 && !complex)
        return DDERR_INVALIDCAPS;
    r->plan->chain.levels = r->desc->dwMipMapCount;
    return DD_OK;
}

/* Checked in 64 bits before anything is allocated. */
static HRESULT measure(struct request *r, uint32_t format)
{
    struct ddraw_plan *plan = r->plan;
    const bool system = r->caps & DDSCAPS_SYSTEMMEMORY;
    const unsigned copies = BASE_MAX(plan->chain.faces, 1u) * (plan->back_buffers + 1);

    for (unsigned level = 0; level < plan->chain.levels; level++) {
        const unsigned width = rt_level_size(plan->chain.width, level);
        const uint64_t pitch = plan->chain.user_pitch && !level
                                   ? plan->chain.user_pitch
                                   : ddraw_pitch(format, width, system, r->screen->pointer);
        const uint64_t rows = rt_format_rows(rt_format_info(format), rt_level_size(plan->chain.height, level));

        if (pitch > INT32_MAX)
            return DDERR_INVALIDPARAMS;
        if (!level)
            plan->pitch = (size_t)pitch;
        plan->bytes += pitch * rows * copies; /* less than 2^31 * 2^17 * 2^8 a level, of 16 levels */
    }
    if (plan->bytes > RT_MOST_BYTES)
        return system ? DDERR_OUTOFMEMORY : DDERR_OUTOFVIDEOMEMORY;
    return DD_OK;
}

/* --- the plan --------------------------------------------------------------------------------------------- */

static enum rt_chain_kind kind_of(const struct request *r)
{
    return r->plan->back_buffers || r->caps & DDSCAPS_PRIMARYSURFACE ? RT_CHAIN_SWAP
           : r->caps & DDSCAPS_ZBUFFER                               ? RT_CHAIN_DEPTH
           : r->caps & DDSCAPS_TEXTURE                               ? RT_CHAIN_TEXTURE
           : r->plan->chain.is_target                                ? RT_CHAIN_TARGET
                                                                     : RT_CHAIN_PLAIN;
}

/* A key with a range needs hardware that nobody had (test_range_colorkey). Keys that are not given become 0. */
static HRESULT take_keys(const DDSURFACEDESC2 *desc, DDSURFACEDESC2 *answer)
{
    const struct {
        DWORD flag;
        const DDCOLORKEY *given;
        DDCOLORKEY *key;
    } keys[] = {{DDSD_CKSRCBLT, &desc->ddckCKSrcBlt, &answer->ddckCKSrcBlt},
                {DDSD_CKDESTBLT, &desc->ddckCKDestBlt, &answer->ddckCKDestBlt},
                {DDSD_CKSRCOVERLAY, &desc->ddckCKSrcOverlay, &answer->ddckCKSrcOverlay},
                {DDSD_CKDESTOVERLAY, &desc->ddckCKDestOverlay, &answer->ddckCKDestOverlay}};

    for (unsigned i = 0; i < ARRAY_COUNT(keys); i++) {
        if (!(desc->dwFlags & keys[i].flag))
            continue;
        if (keys[i].given->dwColorSpaceLowValue != keys[i].given->dwColorSpaceHighValue)
            return DDERR_NOCOLORKEYHW;
        *keys[i].key = *keys[i].given;
        answer->dwFlags |= keys[i].flag;
    }
    return DD_OK;
}

/* The answer of GetSurfaceDesc for the first surface, and the chain. */
static void complete(struct request *r, uint32_t format, const DDPIXELFORMAT *pixels)
{
    struct ddraw_plan *plan = r->plan;
    struct rt_chain_desc *chain = &plan->chain;
    DDSURFACEDESC2 *answer = &plan->desc;

    answer->dwSize = sizeof(*answer);
    answer->dwFlags |= DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT |
                       (ddraw_format_is_blocks(format) ? DDSD_LINEARSIZE : DDSD_PITCH);
    answer->ddpfPixelFormat = *pixels;
    answer->ddpfPixelFormat.dwSize = sizeof(*pixels);
    if (r->version == 7)
        answer->dwTextureStage = r->desc->dwTextureStage;
    answer->ddsCaps = (DDSCAPS2){.dwCaps = r->caps, .dwCaps2 = r->caps2};
    answer->dwBackBufferCount = plan->back_buffers;
    if (plan->back_buffers)
        answer->dwFlags |= DDSD_BACKBUFFERCOUNT;
    if (r->caps & DDSCAPS_PRIMARYSURFACE)
        answer->ddsCaps.dwCaps |= DDSCAPS_VISIBLE;
    if (plan->back_buffers)
        answer->ddsCaps.dwCaps |= DDSCAPS_FRONTBUFFER;
    plan->is_primary = r->caps & DDSCAPS_PRIMARYSURFACE;
    chain->format = format;
    chain->depth = 1;
    chain->is_target = r->caps & DDSCAPS_3DDEVICE && !(r->caps & DDSCAPS_ZBUFFER) && driver_offers(r, format);
    chain->kind = kind_of(r);
    if (chain->kind == RT_CHAIN_SWAP) {
        chain->levels = plan->back_buffers + 1;
        chain->is_hidden = !plan->is_primary;
        chain->is_texture = r->caps & DDSCAPS_TEXTURE;
    }
    chain->row_alignment = ddraw_row_alignment(true, r->screen->pointer);
    chain->memory = r->caps & DDSCAPS_SYSTEMMEMORY ? RT_MEMORY_SYSTEM : RT_MEMORY_VIDEO;
}

HRESULT ddraw_plan_surfaces(const DDSURFACEDESC2 *desc, unsigned version, const struct ddraw_screen *screen,
                            struct ddraw_plan *plan)
{
    struct request r = {desc, screen, version, 0, 0, plan};
    DDPIXELFORMAT pixels;
    uint32_t format = D3D_FORMAT_UNKNOWN;
    HRESULT hr;

    *plan = (struct ddraw_plan){.pointer = screen->pointer};
    if (!screen->has_level)
        return DDERR_NOCOOPERATIVELEVELSET; /* even without a description (test_coop_level_surf_create) */
    if (!desc)
        return DDERR_INVALIDPARAMS;
    r.caps = desc->ddsCaps.dwCaps; /* with DDSD_CAPS or without (no_ddsd_caps_test) */
    r.caps2 = version < 4 ? 0 : desc->ddsCaps.dwCaps2;
    hr = check_caps(&r);
    if (SUCCEEDED(hr))
        hr = choose_format(&r, &format, &pixels);
    if (SUCCEEDED(hr))
        hr = choose_size(&r, format);
    if (SUCCEEDED(hr))
        hr = choose_levels(&r);
    if (SUCCEEDED(hr))
        hr = take_keys(desc, &plan->desc);
    if (SUCCEEDED(hr))
        hr = choose_memory(&r, format);
    if (FAILED(hr))
        return hr;
    plan->faces = (r.caps2 & DDSCAPS2_CUBEMAP_ALLFACES) / DDSCAPS2_CUBEMAP_POSITIVEX;
    plan->chain.faces = plan->faces ? 6 : 1;
    hr = take_user_memory(&r, format, ddraw_row_bytes(format, plan->chain.width),
                          ddraw_linear_size(format, plan->chain.width, plan->chain.height));
    if (SUCCEEDED(hr))
        hr = measure(&r, format);
    if (SUCCEEDED(hr))
        complete(&r, format, &pixels);
    return hr;
}
