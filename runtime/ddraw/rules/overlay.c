/* SPDX-License-Identifier: MIT */
/* The checks of overlays (test_overlay_rect, test_offscreen_overlay), and their order in depth. */
#include "runtime/ddraw/rules/overlay.h"

#include "base/base.h"

#define ALPHAS                                                                                                  \
    (DDOVER_ALPHADEST | DDOVER_ALPHADESTCONSTOVERRIDE | DDOVER_ALPHADESTNEG | DDOVER_ALPHADESTSURFACEOVERRIDE | \
     DDOVER_ALPHAEDGEBLEND | DDOVER_ALPHASRC | DDOVER_ALPHASRCCONSTOVERRIDE | DDOVER_ALPHASRCNEG |              \
     DDOVER_ALPHASRCSURFACEOVERRIDE | DDOVER_ARGBSCALEFACTORS | DDOVER_DEGRADEARGBSCALING)
/* Fields of video ports, which no capability promises. */
#define FIELDS (DDOVER_AUTOFLIP | DDOVER_BOB | DDOVER_OVERRIDEBOBWEAVE | DDOVER_INTERLEAVED | DDOVER_BOBHARDWARE)
/* Hints for overlays that a runtime draws into the primary surface. Ours are composed whenever they change. */
#define HINTS (DDOVER_ADDDIRTYRECT | DDOVER_REFRESHDIRTYRECTS | DDOVER_REFRESHALL)
#define KNOWN                                                                                                        \
    (ALPHAS | FIELDS | HINTS | DDOVER_SHOW | DDOVER_HIDE | DDOVER_KEYDEST | DDOVER_KEYDESTOVERRIDE | DDOVER_KEYSRC | \
     DDOVER_KEYSRCOVERRIDE | DDOVER_DDFX)
#define NEEDS_FX (DDOVER_DDFX | DDOVER_KEYDESTOVERRIDE | DDOVER_KEYSRCOVERRIDE)
#define MIRRORS  (DDOVERFX_MIRRORLEFTRIGHT | DDOVERFX_MIRRORUPDOWN)

/* --- UpdateOverlay ------------------------------------------------------------------------------- */

static HRESULT check_flags(DWORD flags, const DDOVERLAYFX *fx)
{
    static const DWORD pairs[] = {DDOVER_SHOW | DDOVER_HIDE, DDOVER_KEYDEST | DDOVER_KEYDESTOVERRIDE,
                                  DDOVER_KEYSRC | DDOVER_KEYSRCOVERRIDE};

    if (flags & ~(DWORD)KNOWN)
        return DDERR_INVALIDPARAMS;
    for (unsigned i = 0; i < ARRAY_COUNT(pairs); i++)
        if ((flags & pairs[i]) == pairs[i])
            return DDERR_INVALIDPARAMS;
    if (flags & NEEDS_FX && (!fx || fx->dwSize != sizeof(*fx)))
        return DDERR_INVALIDPARAMS;
    if (flags & ALPHAS)
        return DDERR_NOALPHAHW;
    if (flags & FIELDS || (flags & DDOVER_DDFX && fx->dwDDFX & ~(DWORD)(MIRRORS | DDOVERFX_ARITHSTRETCHY)))
        return DDERR_UNSUPPORTED;
    return DD_OK;
}

static HRESULT check_surface(const struct ddraw_overlay_facts *facts)
{
    if (!facts->is_overlay)
        return DDERR_NOTAOVERLAYSURFACE;
    return facts->is_back_buffer ? DDERR_INVALIDSURFACETYPE : DD_OK;
}

static HRESULT check_surfaces(const struct ddraw_overlay_facts *facts)
{
    HRESULT hr = check_surface(facts);

    if (FAILED(hr))
        return hr;
    if (!facts->has_destination || facts->is_destination_overlay) /* even to hide it (test_offscreen_overlay) */
        return DDERR_INVALIDPARAMS;
    return facts->is_of_other_ddraw ? DDERR_DEVICEDOESNTOWNSURFACE : DD_OK;
}

/* Without a rectangle all of the surface, as before Windows 7 (test_overlay_rect). */
static HRESULT take_rect(const RECT *given, unsigned width, unsigned height, RECT *rect)
{
    *rect = given ? *given : (RECT){0, 0, (LONG)width, (LONG)height};
    return rect->left >= 0 && rect->top >= 0 && rect->left < rect->right && rect->top < rect->bottom &&
                   (ULONG)rect->right <= width && (ULONG)rect->bottom <= height
               ? DD_OK
               : DDERR_INVALIDRECT;
}

static HRESULT take_keys(struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, DWORD flags,
                         const DDOVERLAYFX *fx)
{
    const DDCOLORKEY *source = flags & DDOVER_KEYSRCOVERRIDE ? &fx->dckSrcColorkey : facts->source_key;
    const DDCOLORKEY *destination = flags & DDOVER_KEYDESTOVERRIDE ? &fx->dckDestColorkey : facts->destination_key;

    overlay->has_source_key = flags & (DDOVER_KEYSRC | DDOVER_KEYSRCOVERRIDE);
    overlay->has_destination_key = flags & (DDOVER_KEYDEST | DDOVER_KEYDESTOVERRIDE);
    if ((overlay->has_source_key && !source) || (overlay->has_destination_key && !destination))
        return DDERR_INVALIDPARAMS;
    if (overlay->has_source_key && facts->is_code)
        return DDERR_NOCOLORKEYHW;
    overlay->source_key = overlay->has_source_key ? source->dwColorSpaceLowValue : 0;
    overlay->destination_key = overlay->has_destination_key ? destination->dwColorSpaceLowValue : 0;
    return DD_OK;
}

static DWORD mirrors(DWORD flags, const DDOVERLAYFX *fx)
{
    if (!(flags & DDOVER_DDFX))
        return 0;
    return (fx->dwDDFX & DDOVERFX_MIRRORLEFTRIGHT ? DDBLTFX_MIRRORLEFTRIGHT : 0) |
           (fx->dwDDFX & DDOVERFX_MIRRORUPDOWN ? DDBLTFX_MIRRORUPDOWN : 0);
}

/* The rectangles, keys and effects that such a call names do not matter. */
static void hide(struct ddraw_overlay *overlay)
{
    overlay->is_shown = false;
}

HRESULT ddraw_update_overlay(struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, const RECT *source,
                             const RECT *rect, DWORD flags, const DDOVERLAYFX *fx)
{
    struct ddraw_overlay next = {.has_destination = true, .is_shown = overlay->is_shown || flags & DDOVER_SHOW};
    HRESULT hr = check_surfaces(facts);

    if (SUCCEEDED(hr))
        hr = check_flags(flags, fx);
    if (FAILED(hr))
        return hr;
    if (flags & DDOVER_HIDE) {
        hide(overlay);
        return DD_OK;
    }
    if (facts->is_lost)
        return DDERR_SURFACELOST;
    hr = take_rect(source, facts->width, facts->height, &next.source);
    if (SUCCEEDED(hr))
        hr = take_rect(rect, facts->to_width, facts->to_height, &next.destination);
    if (SUCCEEDED(hr))
        hr = take_keys(&next, facts, flags, fx);
    if (FAILED(hr))
        return hr;
    if (next.is_shown && !overlay->is_shown && facts->shown >= DDRAW_MOST_OVERLAYS)
        return DDERR_OUTOFCAPS;
    next.mirror = mirrors(flags, fx);
    *overlay = next;
    return DD_OK;
}

/* --- positions --------------------------------------------------------------------------------------- */

/* The methods that need an overlay which is seen. */
static HRESULT check_shown(const struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts)
{
    HRESULT hr = check_surface(facts);

    if (FAILED(hr))
        return hr;
    if (facts->is_lost)
        return DDERR_SURFACELOST;
    if (!overlay->has_destination)
        return DDERR_NOOVERLAYDEST;
    return overlay->is_shown ? DD_OK : DDERR_OVERLAYNOTVISIBLE;
}

HRESULT ddraw_move_overlay(struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, LONG x, LONG y)
{
    RECT *rect = &overlay->destination;
    const LONG width = rect->right - rect->left, height = rect->bottom - rect->top;
    HRESULT hr = check_shown(overlay, facts);

    if (FAILED(hr))
        return hr;
    if (x < 0 || y < 0 || (int64_t)x + width > facts->to_width || (int64_t)y + height > facts->to_height)
        return DDERR_INVALIDPOSITION;
    *rect = (RECT){x, y, x + width, y + height};
    return DD_OK;
}

HRESULT ddraw_overlay_position(const struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, LONG *x,
                               LONG *y)
{
    HRESULT hr = x && y ? check_shown(overlay, facts) : DDERR_INVALIDPARAMS;

    if (x)
        *x = SUCCEEDED(hr) ? overlay->destination.left : 0;
    if (y)
        *y = SUCCEEDED(hr) ? overlay->destination.top : 0;
    return hr;
}

/* --- order ------------------------------------------------------------------------------------------- */

HRESULT ddraw_place_overlay(unsigned count, unsigned at, unsigned reference, DWORD flags, unsigned *place)
{
    const bool inserts = flags == DDRAW_INSERT_IN_FRONT_OF || flags == DDRAW_INSERT_IN_BACK_OF;

    if (flags >= DDRAW_MOVE_COUNT || (inserts && (reference >= count || reference == at)))
        return DDERR_INVALIDPARAMS;
    if (inserts && reference > at) /* it moves up when this one leaves */
        reference--;
    switch (flags) {
    case DDRAW_SEND_TO_FRONT:
        *place = 0;
        break;
    case DDRAW_SEND_TO_BACK:
        *place = count - 1;
        break;
    case DDRAW_MOVE_FORWARD:
        *place = at ? at - 1 : 0;
        break;
    case DDRAW_MOVE_BACKWARD:
        *place = BASE_MIN(at + 1, count - 1);
        break;
    default:
        *place = flags == DDRAW_INSERT_IN_FRONT_OF ? reference : reference + 1;
        break;
    }
    return DD_OK;
}

/* --- capabilities -------------------------------------------------------------------------------------- */

/* No alignment of positions and sizes, and any stretch: in thousandths, from a pixel for a row of 1000 texels on. */
void ddraw_claim_overlays(DDCAPS *caps, unsigned shown)
{
    caps->dwCaps |= DDCAPS_OVERLAY | DDCAPS_OVERLAYFOURCC | DDCAPS_OVERLAYSTRETCH | DDCAPS_ZOVERLAYS | DDCAPS_COLORKEY;
    caps->dwCKeyCaps |= DDCKEYCAPS_DESTOVERLAY | DDCKEYCAPS_SRCOVERLAY | DDCKEYCAPS_NOCOSTOVERLAY;
    caps->dwFXCaps |= DDFXCAPS_OVERLAYSHRINKX | DDFXCAPS_OVERLAYSHRINKY | DDFXCAPS_OVERLAYSTRETCHX |
                      DDFXCAPS_OVERLAYSTRETCHY | DDFXCAPS_OVERLAYARITHSTRETCHY | DDFXCAPS_OVERLAYMIRRORLEFTRIGHT |
                      DDFXCAPS_OVERLAYMIRRORUPDOWN;
    caps->dwMaxVisibleOverlays = DDRAW_MOST_OVERLAYS;
    caps->dwCurrVisibleOverlays = shown;
    caps->dwMinOverlayStretch = 1;
    caps->dwMaxOverlayStretch = 32000;
    caps->ddsOldCaps.dwCaps |= DDSCAPS_OVERLAY;
    caps->ddsCaps.dwCaps |= DDSCAPS_OVERLAY;
}
