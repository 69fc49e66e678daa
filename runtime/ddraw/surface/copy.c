/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/surface/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "client/client.h"
#include "runtime/ddraw/rules/clip.h"
#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/surface/access.h"

static bool is_of_driver(const struct surface *surface)
{
    return surface->root->chain->parts[surface->part].surface;
}

/* Bytes of a texel; 0: texels are not whole bytes, or come in blocks. */
static unsigned texel_bytes(uint32_t format)
{
    const SIZE block = ddraw_format_block(format);
    const unsigned bits = ddraw_format_bits(format);

    return block.cx == 1 && block.cy == 1 && bits % 8 == 0 && bits <= 32 ? bits / 8 : 0;
}

/* --- in memory ------------------------------------------------------------------------- */

/* The rectangle's rows without the space between them, for a source that is the destination as well. */
static uint8_t *take_copy(const struct ddraw_pixels *from, const struct ddraw_blit_plan *plan)
{
    const RECT *r = &plan->source;
    const size_t row = (size_t)(r->right - r->left) * from->bytes;
    uint8_t *copy = mem_alloc((size_t)(r->bottom - r->top), row, 0);

    for (LONG y = r->top; copy && y < r->bottom; y++)
        memcpy(copy + (size_t)(y - r->top) * row, from->bits + (size_t)y * from->pitch + (size_t)r->left * from->bytes,
               row);
    return copy;
}

static HRESULT copy_mapped(const struct ddraw_pixels *to, struct ddraw_pixels from, const struct ddraw_blit_plan *plan,
                           bool is_same, const RECT *clips, uint32_t clip_count)
{
    struct ddraw_blit_plan moved = *plan;
    uint8_t *copy = NULL;

    if (is_same) {
        copy = take_copy(&from, plan);
        if (!copy)
            return DDERR_OUTOFMEMORY;
        moved.source = (RECT){0, 0, plan->source.right - plan->source.left, plan->source.bottom - plan->source.top};
        from.bits = copy;
        from.pitch = (size_t)moved.source.right * from.bytes;
    }
    for (uint32_t i = 0; i < clip_count; i++)
        ddraw_copy_pixels(&moved, &clips[i], to, &from);
    free(copy);
    return DD_OK;
}

/* Between surfaces of two DirectDraw objects, and where the driver does not know a format. */
static HRESULT copy_in_memory(struct surface *to, struct surface *from, const struct ddraw_blit_plan *plan,
                              const RECT *clips, uint32_t clip_count)
{
    const unsigned bytes = texel_bytes(surface_format(to));
    struct rt_mapping source, target;
    struct ddraw_pixels in, out;
    HRESULT hr;

    if (!bytes || plan->converts) {
        log_once(LOG_WARN, surface_format(to), "Blt from format %u to %u between two drivers' surfaces",
                 (unsigned)surface_format(from), (unsigned)surface_format(to));
        return DDERR_UNSUPPORTED;
    }
    hr = surface_map(from, D3DLOCK_READONLY, &source);
    if (FAILED(hr))
        return hr;
    hr = surface_map(to, 0, &target);
    if (SUCCEEDED(hr)) {
        in = (struct ddraw_pixels){source.bits, source.pitch, bytes};
        out = (struct ddraw_pixels){target.bits, target.pitch, bytes};
        hr = copy_mapped(&out, in, plan, to == from, clips, clip_count);
        surface_unmap(to);
    }
    surface_unmap(from);
    return hr;
}

/* Blocks and pairs of texels, which are not stretched. */
static HRESULT copy_blocks(struct surface *to, struct surface *from, const struct ddraw_blit_plan *plan)
{
    return rt_chain_blt(to->root->chain, to->part, &plan->destination, from->root->chain, from->part, &plan->source, 0);
}

/* --- by the driver --------------------------------------------------------------------- */

static HRESULT copy_by_driver(struct surface *to, struct surface *from, const struct ddraw_blit_plan *plan, RECT *clips,
                              uint32_t clip_count)
{
    const struct client_blt_effects effects = {
        .mirror = plan->mirror,
        .source_key = plan->has_source_key ? &plan->source_key : NULL,
        .destination_key = plan->has_destination_key ? &plan->destination_key : NULL,
        .clips = clips,
        .clip_count = clip_count,
    };

    return rt_chain_blt_with(to->root->chain, to->part, &plan->destination, from->root->chain, from->part,
                             &plan->source, &effects);
}

HRESULT surface_copy(struct surface *to, struct surface *from, const struct ddraw_blit_plan *plan, RECT *clips,
                     uint32_t clip_count)
{
    const bool is_plain = !plan->mirror && !plan->stretches && !plan->converts && !plan->has_source_key &&
                          !plan->has_destination_key && !clips;

    if (to->ddraw == from->ddraw && is_of_driver(to) && is_of_driver(from))
        return copy_by_driver(to, from, plan, clips, clip_count);
    if (is_plain && !texel_bytes(surface_format(to)) && to->ddraw == from->ddraw)
        return copy_blocks(to, from, plan);
    if (!clips)
        return copy_in_memory(to, from, plan, &plan->destination, 1);
    return copy_in_memory(to, from, plan, clips, clip_count);
}

static HRESULT fill_in_memory(struct surface *surface, const RECT *rect, uint32_t value)
{
    const unsigned bytes = texel_bytes(surface_format(surface));
    struct rt_mapping mapping;
    HRESULT hr;

    if (!bytes)
        return DDERR_UNSUPPORTED;
    hr = surface_map(surface, 0, &mapping);
    if (FAILED(hr))
        return hr;
    for (LONG y = rect->top; y < rect->bottom; y++) {
        uint8_t *texel = mapping.bits + (size_t)y * mapping.pitch + (size_t)rect->left * bytes;

        for (LONG x = rect->left; x < rect->right; x++, texel += bytes)
            memcpy(texel, &value, bytes);
    }
    surface_unmap(surface);
    return DD_OK;
}

HRESULT surface_fill(struct surface *surface, const RECT *rect, bool is_depth, uint32_t value)
{
    if (is_of_driver(surface))
        return rt_chain_fill(surface->root->chain, surface->part, rect, is_depth, value);
    return fill_in_memory(surface, rect, value);
}
