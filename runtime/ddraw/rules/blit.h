/* SPDX-License-Identifier: MIT */
/*
 * Blt and BltFast up to their pixels: the checks in their order, from flags, rectangles and facts about the surfaces to an
 * error or a plan.
 */
#ifndef HALCYON_DDRAW_BLIT_H
#define HALCYON_DDRAW_BLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

/* The facts about a surface on which a blit depends. */
struct ddraw_blit_side {
    unsigned width, height;
    uint32_t format; /* enum d3d_format */
    bool is_lost;
    bool is_locked; /* or a device context is out */
    /* DDCKEY_SRCBLT and DDCKEY_DESTBLT, NULL: not set */
    const DDCOLORKEY *source_key, *destination_key;
    uint32_t last_destination_key; /* the last DDCKEY_DESTBLT that was set, even if it has been removed; 0: none ever */
};

/* Clipping of the destination. */
enum ddraw_clipping {
    DDRAW_CLIP_NONE,  /* no clipper is attached */
    DDRAW_CLIP_EMPTY, /* the clipper has no list: blits fail */
    DDRAW_CLIP_LIST,
};

struct ddraw_blit {
    unsigned version; /* of the surface interface: 1, 2, 3, 4 or 7 */
    struct ddraw_blit_side destination;
    const struct ddraw_blit_side *source;       /* NULL: none */
    const RECT *destination_rect, *source_rect; /* NULL: all */
    DWORD flags;                                /* DDBLT_* */
    const DDBLTFX *fx;                          /* may be NULL */
    enum ddraw_clipping clipping;
};

enum ddraw_blit_kind {
    DDRAW_BLIT_FILL,  /* with a pixel of the destination's format */
    DDRAW_BLIT_DEPTH, /* the same of a depth buffer */
    DDRAW_BLIT_COPY,
};

struct ddraw_blit_plan {
    enum ddraw_blit_kind kind;
    uint32_t value; /* of fills */
    RECT destination, source;
    DWORD mirror; /* DDBLTFX_MIRRORLEFTRIGHT, DDBLTFX_MIRRORUPDOWN */
    bool has_source_key, has_destination_key;
    uint32_t source_key, destination_key; /* pixels */
    bool converts;                        /* the formats differ */
    bool stretches;                       /* the sizes of the rectangles differ */
};

HRESULT ddraw_plan_blit(const struct ddraw_blit *blit, struct ddraw_blit_plan *plan);

/* BltFast: DDBLTFAST_* in blit->flags, no effects; the destination's rectangle begins at x, y and is as large as the source's. */
HRESULT ddraw_plan_fast_blit(const struct ddraw_blit *blit, DWORD x, DWORD y, struct ddraw_blit_plan *plan);

/* Raster operations, of which SRCCOPY, BLACKNESS and WHITENESS are supported (test_color_fill). Sets their bits, and no others, in
 * dwRops of DDCAPS: operation k is bit k % 32 of word k / 32. */
void ddraw_claim_rops(DWORD rops[DD_ROP_SPACE]);
bool ddraw_rop_is_supported(DWORD rop);

#endif
