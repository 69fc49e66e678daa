/* SPDX-License-Identifier: MIT */
/*
 * Tokens of DirectX 8.1 and 9 that move pixels or bind surfaces: dirty areas, scissor, blits and fills, more render
 * targets, generated levels, and the two of 9Ex for one-bit glyphs.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "d3d/marker.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/copy/cost.h"
#include "hal/resource/copy/fill.h"
#include "hal/resource/light_levels.h"
#include "hal/resource/surface.h"
#include "hal/scene.h"
#include "hal/resource/texture.h"
#include "hal/state/dirty.h"
#include "hal/tokens.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <string.h>

#define MAX_KERNEL 7 /* taps each way of a convolution kernel */

/* --- dirty areas ------------------------------------------------------------------------ */

/* The driver's only copy of a managed surface is the sampler's, which is updated where it has changed. The area itself
 * is not needed. */
static void mark_dirty(struct hal_context *context, uint32_t handle)
{
    struct hal_surface *surface = hal_surface_of(&context->resources, handle);

    if (!surface) {
        log_once(LOG_WARN, handle, "dirty area of unknown surface %#x ignored", (unsigned)handle);
        return;
    }
    hal_surface_acquire(surface, true, HAL_FLUSH_BLIT);
    hal_surface_touch_all(surface);
    context->state.dirty |= HAL_DIRTY_TEXTURE;
}

void hal_token_dirty_rect(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        mark_dirty(context, dp2_read_u32(command->body + i * sizeof(D3DHAL_DP2ADDDIRTYRECT)));
}

void hal_token_dirty_box(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        mark_dirty(context, dp2_read_u32(command->body + i * sizeof(D3DHAL_DP2ADDDIRTYBOX)));
}

/* --- scissor, targets --------------------------------------------------------------------- */

static int dx9_clamp_pixel(int32_t v)
{
    return BASE_MAX(0, BASE_MIN(v, RASTER_MAX_SIZE));
}

void hal_token_scissor(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        int32_t rect[4];

        memcpy(rect, command->body + i * sizeof(rect), sizeof(rect));
        context->state.scissor = (struct hal_rect){dx9_clamp_pixel(rect[0]), dx9_clamp_pixel(rect[1]),
                                                   dx9_clamp_pixel(rect[2]), dx9_clamp_pixel(rect[3])};
        context->state.dirty |= HAL_DIRTY_RENDER_STATE;
    }
}

/* Targets are set one by one: their sizes are compared when they are drawn to. */
HRESULT hal_token_render_target2(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SETRENDERTARGET2)) {
        const uint32_t index = DP2_FIELD(entry, D3DHAL_DP2SETRENDERTARGET2, RTIndex);
        struct hal_surface *target;
        HRESULT result = DD_OK;

        if (index >= RASTER_MAX_TARGETS ||
            !hal_find_target(&context->resources, DP2_FIELD(entry, D3DHAL_DP2SETRENDERTARGET2, hRenderTarget),
                             HAL_SURFACE_COLOR, &target))
            return DDERR_INVALIDPARAMS;
        if (index == 0) {
            result = hal_context_set_target(context, target, context->scene.depth);
        } else {
            context->scene.more_targets[index - 1] = target;
            hal_targets_changed(&context->scene);
        }
        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

/* --- blits and fills ------------------------------------------------------------------------ */

/* A level of the surface that a handle names; NULL: none. */
static struct hal_surface *level_of(struct hal_context *context, uint32_t handle, uint32_t level)
{
    struct hal_surface *surface = hal_surface_of(&context->resources, handle);

    if (!surface || level == 0)
        return surface;
    const uint64_t wanted = (uint64_t)surface->level + level;

    return surface->texture && wanted < surface->texture->level_count ? surface->texture->parts[surface->face][wanted]
                                                                      : NULL;
}

/* Does the handle name a buffer? It has one level. */
static bool is_buffer(struct hal_context *context, uint32_t handle, uint32_t level)
{
    return hal_buffer_of(&context->resources, handle) && level == 0;
}

static uint64_t dx9_texels(const struct hal_surface *surface)
{
    return (uint64_t)surface->width * surface->height * surface->depth;
}

/* Counts the texels in a rectangle: at most all of them. */
static uint64_t texels_in(const struct hal_surface *surface, const RECT *rect)
{
    const int64_t width = (int64_t)rect->right - rect->left, height = (int64_t)rect->bottom - rect->top;

    return width < 0 || height < 0 || width > surface->width || height > surface->height
               ? dx9_texels(surface)
               : (uint64_t)(width * height) * surface->depth;
}

/* SURFACEBLT copies system memory to video memory unchanged; BLT may stretch and convert. */
static HRESULT dx9_blt(struct hal_context *context, const uint8_t *entry, bool stretch)
{
    const uint32_t from_handle = DP2_FIELD(entry, D3DHAL_DP2BLT, dwSource),
                   from_level = DP2_FIELD(entry, D3DHAL_DP2BLT, dwSourceMipLevel);
    const uint32_t to_handle = DP2_FIELD(entry, D3DHAL_DP2BLT, dwDest),
                   to_level = DP2_FIELD(entry, D3DHAL_DP2BLT, dwDestMipLevel);
    struct hal_surface *source = level_of(context, from_handle, from_level);
    struct hal_surface *destination = level_of(context, to_handle, to_level);
    RECT from, to;

    if ((!source && !is_buffer(context, from_handle, from_level)) ||
        (!destination && !is_buffer(context, to_handle, to_level))) {
        log_warn("blt from surface %#x to %#x: unknown handle or level, skipped", (unsigned)from_handle,
                 (unsigned)to_handle);
        return DD_OK;
    }
    memcpy(&from, entry + 4, sizeof(from));
    memcpy(&to, entry + 28, sizeof(to));
    const bool stretched = (int64_t)to.right - to.left != (int64_t)from.right - from.left ||
                           (int64_t)to.bottom - to.top != (int64_t)from.bottom - from.top;

    if (!stretch && stretched)
        return DDERR_NOSTRETCHHW;
    if (!source || !destination)
        return DDERR_INVALIDPIXELFORMAT;
    if (!hal_copy_spend(&context->scene.work, destination, source,
                        texels_in(source, &from) + texels_in(destination, &to), stretched))
        return DD_OK;
    context->state.dirty |= HAL_DIRTY_TEXTURE;
    return hal_surface_blt(destination, &to, source, &from,
                           stretch && DP2_FIELD(entry, D3DHAL_DP2BLT, Flags) & DP2BLT_LINEAR);
}

HRESULT hal_token_blt(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2BLT)) {
        const HRESULT result = dx9_blt(context, entry, command->info->number == D3DDP2OP_BLT);

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

HRESULT hal_token_color_fill(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2COLORFILL)) {
        struct hal_surface *surface =
            hal_surface_of(&context->resources, DP2_FIELD(entry, D3DHAL_DP2COLORFILL, dwSurface));
        RECT rect;

        if (!surface) {
            log_warn("COLORFILL: %#x names no surface, skipped",
                     (unsigned)DP2_FIELD(entry, D3DHAL_DP2COLORFILL, dwSurface));
            continue;
        }
        memcpy(&rect, entry + 4, sizeof(rect));
        context->state.dirty |= HAL_DIRTY_TEXTURE;
        const HRESULT result =
            hal_copy_spend(&context->scene.work, surface, NULL, texels_in(surface, &rect), false)
                ? hal_surface_color_fill(surface, &rect, DP2_FIELD(entry, D3DHAL_DP2COLORFILL, Color))
                : DD_OK;

        if (result == DDERR_INVALIDPIXELFORMAT)
            log_warn("COLORFILL: surface %#x of format %u has no colours, skipped", (unsigned)surface->base.handle,
                     (unsigned)surface->d3d_format);
        else if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

/* Formats that cannot be averaged keep their levels. */
void hal_token_mip_sublevels(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2GENERATEMIPSUBLEVELS)) {
        struct hal_surface *surface =
            hal_surface_of(&context->resources, DP2_FIELD(entry, D3DHAL_DP2GENERATEMIPSUBLEVELS, hSurface));

        if (!surface) {
            log_warn("GENERATEMIPSUBLEVELS: unknown surface %#x, skipped",
                     (unsigned)DP2_FIELD(entry, D3DHAL_DP2GENERATEMIPSUBLEVELS, hSurface));
            continue;
        }
        struct hal_texture *texture = surface->texture;

        context->state.dirty |= HAL_DIRTY_TEXTURE;
        if (!texture) /* it has no other levels */
            continue;
        if (hal_work_spend(&context->scene.work, 2 * dx9_texels(texture->top) * texture->face_count,
                           HAL_WORK_CONVERT) &&
            FAILED(hal_texture_generate_levels(texture, DP2_FIELD(entry, D3DHAL_DP2GENERATEMIPSUBLEVELS, Filter) >
                                                            1 /* D3DTEXF_POINT */))) {
            log_once(LOG_WARN, surface->d3d_format, "levels of format %u cannot be generated",
                     (unsigned)surface->d3d_format);
        }
    }
}

/* --- glyphs of 9Ex ---------------------------------------------------------------------------- */

/* Both tokens serve textures of one bit a texel (D3DFMT_A1), a format this driver does not offer: no such surface can
 * exist, so there is nothing to filter or to compose. They are checked and skipped. */
HRESULT hal_token_convolution_kernel(struct hal_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    (void)context;
    while (dp2_next_entry(command, &entry)) {
        const uint32_t width = DP2_FIELD(entry.head, D3DHAL_DP2SETCONVOLUTIONKERNELMONO, dwNumRows),
                       height = DP2_FIELD(entry.head, D3DHAL_DP2SETCONVOLUTIONKERNELMONO, dwNumCols);

        if (width - 1 >= MAX_KERNEL || height - 1 >= MAX_KERNEL) {
            log_warn("convolution kernel of %ux%u taps", (unsigned)width, (unsigned)height);
            return E_INVALIDARG;
        }
    }
    return DD_OK;
}

/* Names are for readers of captures: the recorder already has the command. */
void hal_token_marker(struct hal_context *context, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    (void)context;
    while (dp2_next_entry(command, &entry)) {
        const uint32_t kind = DP2_FIELD(entry.head, HALCYON_DP2MARKER, dwKind);

        if (!kind || kind >= DDI_MARKER_COUNT)
            log_once(LOG_WARN, kind, "MARKER of the unknown kind %u at offset %zu", (unsigned)kind, command->offset);
    }
}

void hal_token_compose_rects(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint8_t *entry = command->body + i * sizeof(D3DHAL_DP2COMPOSERECTS);
        const struct hal_surface *source =
            hal_surface_of(&context->resources, DP2_FIELD(entry, D3DHAL_DP2COMPOSERECTS, hSrcSurfHandle));
        const struct hal_surface *destination =
            hal_surface_of(&context->resources, DP2_FIELD(entry, D3DHAL_DP2COMPOSERECTS, hDstSurfHandle));

        log_once(LOG_WARN, 0, "COMPOSERECTS from format %u to %u: not one-bit surfaces, nothing composed",
                 source ? (unsigned)source->d3d_format : 0, destination ? (unsigned)destination->d3d_format : 0);
    }
}
