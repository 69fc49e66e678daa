/* SPDX-License-Identifier: MIT */
/* Tokens that name surfaces: targets, palettes, copies. Handles are looked up at each use. */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/buffer.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/copy/cost.h"
#include "hal/resource/targets.h"
#include "hal/resource/palette.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/state/dirty.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <string.h>

/* --- targets ------------------------------------------------------------------------ */

HRESULT hal_token_render_target(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETRENDERTARGET)) {
        struct hal_surface *target, *depth;

        if (!hal_find_target(&context->resources, DP2_FIELD(entry, D3DHAL_DP2SETRENDERTARGET, hRenderTarget),
                             HAL_SURFACE_COLOR, &target) ||
            !hal_find_target(&context->resources, DP2_FIELD(entry, D3DHAL_DP2SETRENDERTARGET, hZBuffer),
                             HAL_SURFACE_DEPTH, &depth))
            return DDERR_INVALIDPARAMS;
        const HRESULT result = hal_context_set_target(context, target, depth);

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

HRESULT hal_token_depth_stencil(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        struct hal_surface *depth;

        if (!hal_find_target(&context->resources, DP2_ARRAY_FIELD(command, i, D3DHAL_DP2SETDEPTHSTENCIL, hZBuffer),
                             HAL_SURFACE_DEPTH, &depth))
            return DDERR_INVALIDPARAMS;
        const HRESULT result = hal_context_set_target(context, context->scene.target, depth);

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

/* --- palettes, levels of detail ----------------------------------------------------- */

/* DDRAWIPAL_ALPHA says that the fourth byte of the entries is alpha. Palettes of DirectDraw have it 0, and without
 * the flag they are opaque; those of Direct3D 8 always carry alpha in peFlags. */
static bool palette_is_opaque(const struct hal_context *context, uint32_t flags)
{
    return context->state.level <= DDI_LEVEL_DX7 && !(flags & DDRAWIPAL_ALPHA);
}

void hal_token_palette(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETPALETTE)) {
        struct hal_texture *texture =
            hal_texture_of(&context->resources, DP2_FIELD(entry, D3DHAL_DP2SETPALETTE, dwSurfaceHandle));

        if (texture) {
            texture->palette = DP2_FIELD(entry, D3DHAL_DP2SETPALETTE, dwPaletteHandle);
            texture->opaque_palette =
                palette_is_opaque(context, DP2_FIELD(entry, D3DHAL_DP2SETPALETTE, dwPaletteFlags));
            context->state.dirty |= HAL_DIRTY_TEXTURE;
        } else {
            log_warn("SETPALETTE: %#x names no texture",
                     (unsigned)DP2_FIELD(entry, D3DHAL_DP2SETPALETTE, dwSurfaceHandle));
        }
    }
}

HRESULT hal_token_update_palette(struct hal_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    while (dp2_next_entry(command, &entry)) {
        const unsigned start = DP2_WORD_FIELD(entry.head, D3DHAL_DP2UPDATEPALETTE, wStartIndex);
        const unsigned count =
            (unsigned)BASE_MIN(DP2_WORD_FIELD(entry.head, D3DHAL_DP2UPDATEPALETTE, wNumEntries), entry.data_size / 4);

        if (start >= 256 || count > 256 - start) {
            log_warn("UPDATEPALETTE: entries %u..%u do not exist", start, start + count);
            return DDERR_INVALIDPARAMS;
        }
        hal_palette_update(&context->resources, DP2_FIELD(entry.head, D3DHAL_DP2UPDATEPALETTE, dwPaletteHandle), start,
                           count, entry.data);
        context->state.dirty |= HAL_DIRTY_TEXTURE;
    }
    return DD_OK;
}

void hal_token_priority(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETPRIORITY)) {
        /* of any resource; nothing is ever evicted, so the number itself does not matter */
        if (hal_resource_of(&context->resources, DP2_FIELD(entry, D3DHAL_DP2SETPRIORITY, dwDDSurface)))
            context->texturing.priorities++;
    }
}

void hal_token_tex_lod(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETTEXLOD)) {
        const uint32_t handle = DP2_FIELD(entry, D3DHAL_DP2SETTEXLOD, dwDDSurface);
        struct hal_texture *texture = hal_texture_of(&context->resources, handle);

        if (texture)
            texture->lod = DP2_FIELD(entry, D3DHAL_DP2SETTEXLOD, dwLOD);
        if (hal_resource_of(&context->resources, handle)) {
            context->texturing.lods++;
            context->state.dirty |= HAL_DIRTY_TEXTURE;
        }
    }
}

/* --- copies ------------------------------------------------------------------------- */

/* Both resources of a copy, which have the same offsets in TEXBLT, VOLUMEBLT and BUFFERBLT. A destination of 0 asks to
 * make the source ready, which it always is. */
static bool find_pair(struct hal_context *context, const uint8_t *entry, struct hal_resource **destination,
                      struct hal_resource **source)
{
    const uint32_t to = DP2_FIELD(entry, D3DHAL_DP2TEXBLT, dwDDDestSurface);
    const uint32_t from = DP2_FIELD(entry, D3DHAL_DP2TEXBLT, dwDDSrcSurface);

    *destination = hal_resource_of(&context->resources, to);
    *source = hal_resource_of(&context->resources, from);
    if (to != 0 && (!*destination || !*source))
        log_warn("copy from surface %#x to %#x: unknown handle, skipped", (unsigned)from, (unsigned)to);
    context->state.dirty |= HAL_DIRTY_TEXTURE;
    return *destination && *source;
}

/* Charges the work of copying a chain: at most the texels in a box of the source, in all levels and faces. */
static bool spend_chain(struct hal_context *context, struct hal_surface *destination, struct hal_surface *source,
                        uint64_t width, uint64_t height, uint64_t depth)
{
    const uint64_t w = BASE_MIN(width, (uint64_t)source->width), h = BASE_MIN(height, (uint64_t)source->height);
    const uint64_t texels = w * h * BASE_MIN(depth, (uint64_t)source->depth);

    return hal_copy_spend(&context->scene.work, destination, source, 2 * texels * hal_surface_faces(source), false);
}

static uint64_t length(int64_t from, int64_t to)
{
    return to > from ? (uint64_t)(to - from) : 0;
}

/* A copy of textures that names a buffer. */
static HRESULT refuse_buffer(const struct hal_resource *destination, const struct hal_resource *source)
{
    log_warn("texture copy %u -> %u: one of them is a buffer", (unsigned)source->handle, (unsigned)destination->handle);
    return DDERR_INVALIDPIXELFORMAT;
}

static HRESULT copy_rectangle(struct hal_context *context, struct hal_resource *destination,
                              struct hal_resource *source, const uint8_t *entry)
{
    struct hal_surface *to = hal_as_surface(destination), *from = hal_as_surface(source);
    RECT rect;

    memcpy(&rect, entry + offsetof(D3DHAL_DP2TEXBLT, rSrc), sizeof(rect));
    const uint64_t width = length(rect.left, rect.right), height = length(rect.top, rect.bottom);

    if (!to || !from)
        return width && height ? refuse_buffer(destination, source) : DD_OK;
    if (!spend_chain(context, to, from, width, height, 1))
        return DD_OK;
    return hal_texture_blt(to, from, (int)DP2_FIELD(entry, D3DHAL_DP2TEXBLT, pDest.x),
                           (int)DP2_FIELD(entry, D3DHAL_DP2TEXBLT, pDest.y), &rect);
}

static HRESULT copy_box(struct hal_context *context, struct hal_resource *destination, struct hal_resource *source,
                        const uint8_t *entry)
{
    struct hal_surface *to = hal_as_surface(destination), *from = hal_as_surface(source);
    D3DBOX box;

    memcpy(&box, entry + offsetof(D3DHAL_DP2VOLUMEBLT, srcBox), sizeof(box));
    const uint64_t width = length(box.Left, box.Right), height = length(box.Top, box.Bottom),
                   depth = length(box.Front, box.Back);

    if (!to || !from)
        return width && height && depth ? refuse_buffer(destination, source) : DD_OK;
    if (!spend_chain(context, to, from, width, height, depth))
        return DD_OK;
    return hal_volume_blt(to, from, DP2_FIELD(entry, D3DHAL_DP2VOLUMEBLT, dwDestX),
                          DP2_FIELD(entry, D3DHAL_DP2VOLUMEBLT, dwDestY),
                          DP2_FIELD(entry, D3DHAL_DP2VOLUMEBLT, dwDestZ), &box);
}

HRESULT hal_token_tex_blt(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2TEXBLT)) {
        struct hal_resource *destination, *source;

        if (!find_pair(context, entry, &destination, &source)) {
            context->texturing.preloads += DP2_FIELD(entry, D3DHAL_DP2TEXBLT, dwDDDestSurface) == 0;
            continue;
        }
        context->texturing.loads++;
        context->texturing.bytes_loaded += destination->bytes;
        const HRESULT result = copy_rectangle(context, destination, source, entry);

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

HRESULT hal_token_volume_blt(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2VOLUMEBLT)) {
        struct hal_resource *destination, *source;

        if (!find_pair(context, entry, &destination, &source))
            continue;
        const HRESULT result = copy_box(context, destination, source, entry);

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

HRESULT hal_token_buffer_blt(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2BUFFERBLT)) {
        struct hal_resource *destination, *source;

        if (!find_pair(context, entry, &destination, &source))
            continue;
        struct hal_buffer *to = hal_as_buffer(destination), *from = hal_as_buffer(source);

        if (!to || !from)
            return DDERR_INVALIDOBJECT;
        if (!hal_work_spend(&context->scene.work,
                            BASE_MIN(to->base.bytes, DP2_FIELD(entry, D3DHAL_DP2BUFFERBLT, rSrc.Size)), HAL_WORK_COPY))
            return DD_OK;
        const HRESULT result = hal_buffer_blt(to, DP2_FIELD(entry, D3DHAL_DP2BUFFERBLT, dwOffset), from,
                                              DP2_FIELD(entry, D3DHAL_DP2BUFFERBLT, rSrc.Offset),
                                              DP2_FIELD(entry, D3DHAL_DP2BUFFERBLT, rSrc.Size));

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

HRESULT hal_token_set_feedback(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t handle = DP2_ARRAY_FIELD(command, i, struct ddi_set_feedback, texture);
        struct hal_texture *texture = hal_texture_of(&context->resources, handle);

        if (!hal_resource_of(&context->resources, handle)) {
            log_warn("SETFEEDBACK: texture %u is unknown", (unsigned)handle);
            return DDERR_INVALIDPARAMS;
        }
        if (!texture) /* a buffer, which is never sampled */
            continue;
        texture->feedback_handle = DP2_ARRAY_FIELD(command, i, struct ddi_set_feedback, map);
        context->state.dirty |= HAL_DIRTY_TEXTURE;
    }
    return DD_OK;
}
