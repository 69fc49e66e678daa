/* SPDX-License-Identifier: MIT */
/* The checks of Blt: flags, source, rectangles, state of the surfaces, keys, formats, as native runtimes order them. */
#include "runtime/ddraw/rules/blit.h"

#include <string.h>

#include "base/base.h"
#include "d3d/directdraw.h"
#include "runtime/ddraw/rules/format.h"

#define FILLS (DDBLT_COLORFILL | DDBLT_DEPTHFILL)
#define NEEDS_FX \
    (FILLS | DDBLT_ROP | DDBLT_DDFX | DDBLT_DDROPS | DDBLT_KEYSRCOVERRIDE | DDBLT_KEYDESTOVERRIDE | DDBLT_ROTATIONANGLE)
#define MIRRORS   (DDBLTFX_MIRRORLEFTRIGHT | DDBLTFX_MIRRORUPDOWN)
#define ROTATIONS (DDBLTFX_ROTATE90 | DDBLTFX_ROTATE270)

/* --- raster operations --------------------------------------------------------------------------- */

static const DWORD supported_rops[] = {SRCCOPY, BLACKNESS, WHITENESS};

bool ddraw_rop_is_supported(DWORD rop)
{
    for (unsigned i = 0; i < ARRAY_COUNT(supported_rops); i++)
        if (supported_rops[i] == rop)
            return true;
    return false;
}

void ddraw_claim_rops(DWORD rops[DD_ROP_SPACE])
{
    memset(rops, 0, DD_ROP_SPACE * sizeof(rops[0]));
    for (unsigned i = 0; i < ARRAY_COUNT(supported_rops); i++) {
        const unsigned number = supported_rops[i] >> 16 & 255;

        rops[number / 32] |= (DWORD)1 << number % 32;
    }
}

static bool is_rop_fill(const struct ddraw_blit *blit)
{
    return blit->flags & DDBLT_ROP && (blit->fx->dwROP == BLACKNESS || blit->fx->dwROP == WHITENESS);
}

static bool reads_source(const struct ddraw_blit *blit)
{
    return !(blit->flags & FILLS) && !is_rop_fill(blit);
}

/* --- flags ---------------------------------------------------------------------------------------- */

/* Pairs that contradict each other (test_color_fill, test_ck_operation). */
static HRESULT check_pairs(DWORD flags)
{
    static const DWORD pairs[] = {DDBLT_COLORFILL | DDBLT_ROP, DDBLT_DEPTHFILL | DDBLT_ROP,
                                  DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE, DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE};

    for (unsigned i = 0; i < ARRAY_COUNT(pairs); i++)
        if ((flags & pairs[i]) == pairs[i])
            return DDERR_INVALIDPARAMS;
    return DD_OK;
}

static HRESULT check_flags(const struct ddraw_blit *blit)
{
    const DWORD flags = blit->flags;
    HRESULT hr = check_pairs(flags);

    if (FAILED(hr))
        return hr;
    if (flags & NEEDS_FX && (!blit->fx || blit->fx->dwSize != sizeof(*blit->fx)))
        return DDERR_INVALIDPARAMS;
    if (flags & FILLS && blit->source)
        return DDERR_INVALIDPARAMS;
    if (reads_source(blit) && !blit->source)
        return DDERR_INVALIDPARAMS;
    /* Colours do not fill depth buffers, nor the reverse; of both flags the colour counts. */
    if (flags & DDBLT_COLORFILL && ddraw_format_is_depth(blit->destination.format))
        return DDERR_INVALIDPARAMS;
    if ((flags & FILLS) == DDBLT_DEPTHFILL && !ddraw_format_is_depth(blit->destination.format))
        return DDERR_INVALIDPARAMS;
    return DD_OK;
}

/* --- rectangles ------------------------------------------------------------------------------------- */

/* Empty, reversed and outside ones are invalid (BltParamTest, test_blt). */
static HRESULT take_rect(const RECT *given, const struct ddraw_blit_side *side, RECT *rect)
{
    *rect = given ? *given : (RECT){0, 0, (LONG)side->width, (LONG)side->height};
    return rect->left >= 0 && rect->top >= 0 && rect->left < rect->right && rect->top < rect->bottom &&
                   (ULONG)rect->right <= side->width && (ULONG)rect->bottom <= side->height
               ? DD_OK
               : DDERR_INVALIDRECT;
}

static HRESULT take_rects(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    HRESULT hr = take_rect(blit->destination_rect, &blit->destination, &plan->destination);

    if (FAILED(hr) || !blit->source) /* a rectangle without a source does not matter */
        return hr;
    hr = take_rect(blit->source_rect, blit->source, &plan->source);
    if (FAILED(hr))
        return hr;
    plan->stretches = plan->source.right - plan->source.left != plan->destination.right - plan->destination.left ||
                      plan->source.bottom - plan->source.top != plan->destination.bottom - plan->destination.top;
    return DD_OK;
}

static HRESULT check_state(const struct ddraw_blit *blit)
{
    if (blit->destination.is_lost || (blit->source && blit->source->is_lost))
        return DDERR_SURFACELOST;
    if (blit->destination.is_locked || (blit->source && blit->source->is_locked))
        return DDERR_SURFACEBUSY;
    return blit->clipping == DDRAW_CLIP_EMPTY ? DDERR_NOCLIPLIST : DD_OK;
}

/* --- keys and effects --------------------------------------------------------------------------------- */

/* The destination must have a key. Versions 4 and 7 use it; 1 to 3 use that of the source surface, which outlives its removal
 * (test_ck_operation). */
static HRESULT take_destination_key(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    const DDCOLORKEY *key = blit->destination.destination_key;

    plan->has_destination_key = blit->flags & (DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE);
    if (blit->flags & DDBLT_KEYDESTOVERRIDE)
        plan->destination_key = blit->fx->ddckDestColorkey.dwColorSpaceLowValue;
    else if (blit->flags & DDBLT_KEYDEST && !key)
        return DDERR_INVALIDPARAMS;
    else if (blit->flags & DDBLT_KEYDEST)
        plan->destination_key = blit->version < 4 ? blit->source->last_destination_key : key->dwColorSpaceLowValue;
    return DD_OK;
}

static HRESULT take_keys(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    const DDCOLORKEY *key = NULL;

    if (blit->flags & DDBLT_KEYSRC && !(key = blit->source->source_key))
        return DDERR_INVALIDPARAMS;
    if (blit->flags & DDBLT_KEYSRCOVERRIDE)
        key = &blit->fx->ddckSrcColorkey;
    plan->has_source_key = key;
    plan->source_key = key ? key->dwColorSpaceLowValue : 0;
    return take_destination_key(blit, plan);
}

/* DDBLT_ALPHA* and DDBLT_ZBUFFER* are ignored, as by all drivers (test_blt_z_alpha). */
static HRESULT take_effects(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    if (blit->flags & DDBLT_DDROPS)
        return DDERR_NODDROPSHW;
    if (blit->flags & DDBLT_ROTATIONANGLE)
        return DDERR_NOROTATIONHW;
    if (blit->flags & DDBLT_ROP && !ddraw_rop_is_supported(blit->fx->dwROP))
        return DDERR_NORASTEROPHW;
    if (!(blit->flags & DDBLT_DDFX))
        return DD_OK;
    if (blit->fx->dwDDFX & ROTATIONS)
        return DDERR_NOROTATIONHW;
    plan->mirror = blit->fx->dwDDFX & MIRRORS;
    if (blit->fx->dwDDFX & DDBLTFX_ROTATE180)
        plan->mirror ^= MIRRORS;
    return DD_OK;
}

/* --- formats -------------------------------------------------------------------------------------------- */

/* The pixel of a fill. Blocks cannot be filled; codes have no black and no white (test_color_fill). */
static HRESULT take_fill(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    const uint32_t format = blit->destination.format;

    plan->kind = ddraw_format_is_depth(format) ? DDRAW_BLIT_DEPTH : DDRAW_BLIT_FILL;
    if (is_rop_fill(blit)) {
        plan->value = blit->fx->dwROP == WHITENESS ? ~0u : 0;
        return ddraw_format_is_code(format) ? DDERR_NORASTEROPHW : DD_OK;
    }
    plan->value = blit->fx->dwFillColor;
    return ddraw_format_is_blocks(format) ? DDERR_UNSUPPORTED : DD_OK;
}

static HRESULT take_copy(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    const uint32_t from = blit->source->format, to = blit->destination.format;

    plan->kind = DDRAW_BLIT_COPY;
    plan->converts = from != to;
    if (!plan->converts)
        return DD_OK;
    /* Depth is copied to the same format alone, and nothing is compressed or turned into codes or indices. */
    if (ddraw_format_is_depth(from) || ddraw_format_is_depth(to))
        return DDERR_UNSUPPORTED;
    return ddraw_format_is_code(to) || ddraw_format_is_palette(to) ? DDERR_UNSUPPORTED : DD_OK;
}

HRESULT ddraw_plan_blit(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan)
{
    HRESULT hr = check_flags(blit);

    *plan = (struct ddraw_blit_plan){0};
    if (SUCCEEDED(hr))
        hr = take_rects(blit, plan);
    if (SUCCEEDED(hr))
        hr = check_state(blit);
    if (SUCCEEDED(hr) && reads_source(blit))
        hr = take_keys(blit, plan);
    if (SUCCEEDED(hr))
        hr = take_effects(blit, plan);
    if (SUCCEEDED(hr))
        hr = reads_source(blit) ? take_copy(blit, plan) : take_fill(blit, plan);
    return hr;
}

HRESULT ddraw_plan_fast_blit(const struct ddraw_blit *fast, DWORD x, DWORD y, struct ddraw_blit_plan *plan)
{
    struct ddraw_blit blit = *fast;
    RECT from, to;
    HRESULT hr;

    *plan = (struct ddraw_blit_plan){0};
    if (!blit.source)
        return DDERR_INVALIDPARAMS;
    if (blit.clipping != DDRAW_CLIP_NONE)
        return DDERR_BLTFASTCANTCLIP;
    hr = take_rect(blit.source_rect, blit.source, &from);
    if (FAILED(hr))
        return hr;
    if (x > blit.destination.width || y > blit.destination.height) /* so that the sums below fit */
        return DDERR_INVALIDRECT;
    to = (RECT){(LONG)x, (LONG)y, (LONG)x + (from.right - from.left), (LONG)y + (from.bottom - from.top)};
    blit.destination_rect = &to;
    blit.fx = NULL;
    blit.flags = (fast->flags & DDBLTFAST_SRCCOLORKEY ? DDBLT_KEYSRC : 0) |
                 (fast->flags & DDBLTFAST_DESTCOLORKEY ? DDBLT_KEYDEST : 0);
    return ddraw_plan_blit(&blit, plan);
}
