/* SPDX-License-Identifier: MIT */
/* Tokens that copy and fill. */
#include "client/umd/internal.h"

#include "base/base.h"
#include "dp2/tokens.h"

#include <string.h>

#define ALL_FACES 0xFFFFFFFFu

static HANDLE resource_of(const struct bridge_call *call, uint32_t number)
{
    return bridge_place(bridge_named(call->local, number)).hResource;
}

static RECT to_rect(const RECTL *rect)
{
    return (RECT){rect->left, rect->top, rect->right, rect->bottom};
}

/* The token copies all of a texture if it names the first surface, else the face that the surface belongs to. */
static UINT face_of(const struct bridge_call *call, uint32_t number)
{
    const struct bridge_surface *surface = bridge_named(call->local, number);

    return surface && surface->resource && surface->part && surface->resource->flags.CubeMap
               ? surface->part / surface->resource->levels
               : ALL_FACES;
}

/* Without a destination the source is loaded, which needs nothing here. */
HRESULT bridge_tex_blt(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2TEXBLT entry;
    HRESULT hr = S_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const D3DDDIARG_TEXBLT args = {
            .hDstResource = resource_of(call, entry.dwDDDestSurface),
            .hSrcResource = resource_of(call, entry.dwDDSrcSurface),
            .CubeMapFace = face_of(call, entry.dwDDDestSurface),
            .DstPoint = entry.pDest,
            .SrcRect = to_rect(&entry.rSrc),
        };

        if (!entry.dwDDDestSurface)
            continue;
        if (!args.hDstResource || !args.hSrcResource)
            return DDERR_INVALIDPARAMS;
        hr = call->f->pfnTexBlt(call->device, &args);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_volume_blt(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2VOLUMEBLT entry;
    HRESULT hr = S_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const D3DDDIARG_VOLUMEBLT args = {
            .hDstResource = resource_of(call, entry.dwDDDestSurface),
            .hSrcResource = resource_of(call, entry.dwDDSrcSurface),
            .DstX = entry.dwDestX,
            .DstY = entry.dwDestY,
            .DstZ = entry.dwDestZ,
            .SrcBox = {entry.srcBox.Left, entry.srcBox.Top, entry.srcBox.Right, entry.srcBox.Bottom, entry.srcBox.Front,
                       entry.srcBox.Back},
        };

        hr = call->f->pfnVolBlt(call->device, &args);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_buffer_blt(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2BUFFERBLT entry;
    HRESULT hr = S_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        D3DDDIARG_BUFFERBLT args = {
            .hDstResource = resource_of(call, entry.dwDDDestSurface),
            .hSrcResource = resource_of(call, entry.dwDDSrcSurface),
            .Offset = entry.dwOffset,
        };

        memcpy(&args.SrcRange, &entry.rSrc, sizeof(args.SrcRange));
        hr = call->f->pfnBufBlt(call->device, &args);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_token_blt(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2BLT entry;
    HRESULT hr = DD_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        struct bridge_surface *to = bridge_named(call->local, entry.dwDest);
        struct bridge_surface *from = bridge_named(call->local, entry.dwSource);
        const RECT to_area = to_rect(&entry.rDest), from_area = to_rect(&entry.rSource);
        D3DDDI_BLTFLAGS flags = {.Value = 0};

        if (!to || !to->resource || !from || !from->resource)
            return DDERR_INVALIDPARAMS;
        flags.Linear = (entry.Flags & DP2BLT_LINEAR) != 0;
        hr = bridge_copy(to->resource, to->part + entry.dwDestMipLevel, &to_area, from->resource,
                         from->part + entry.dwSourceMipLevel, &from_area, flags, 0);
    }
    return hr;
}

HRESULT bridge_color_fill(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2COLORFILL entry;
    HRESULT hr = S_OK;

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const HALCYON_UMD_SURFACE place = bridge_place(bridge_named(call->local, entry.dwSurface));
        const D3DDDIARG_COLORFILL args = {
            place.hResource, place.SubResourceIndex, to_rect(&entry.rRect), entry.Color, {{{0}}}};

        hr = call->f->pfnColorFill(call->device, &args);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_mip_sublevels(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2GENERATEMIPSUBLEVELS entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const D3DDDIARG_GENERATEMIPSUBLEVELS args = {resource_of(call, entry.hSurface), entry.Filter};

        call->f->pfnGenerateMipSubLevels(call->device, &args);
    }
    return DD_OK;
}

/* --- glyphs of 9Ex ------------------------------------------------------------------------------------------ */

HRESULT bridge_convolution(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2SETCONVOLUTIONKERNELMONO head;
    struct dp2_entry entry = {0};
    FLOAT weights[16];
    HRESULT hr = S_OK;

    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        memcpy(&head, entry.head, sizeof(head));
        memcpy(weights, entry.data, BASE_MIN(entry.data_size, sizeof(weights)));
        if (head.dwNumRows > 7 || head.dwNumCols > 7)
            return DDERR_INVALIDPARAMS;
        D3DDDIARG_SETCONVOLUTIONKERNELMONO args = {head.dwNumRows, head.dwNumCols, NULL, NULL};
        FLOAT *next = weights;

        if (head.dwFlags & D3DHAL_ROW_WEIGHTS) {
            args.pKernelRow = next;
            next += args.Width;
        }
        if (head.dwFlags & D3DHAL_COL_WEIGHTS)
            args.pKernelCol = next;
        hr = call->f->pfnSetConvolutionKernelMono(call->device, &args);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_compose(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2COMPOSERECTS entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const HALCYON_UMD_SURFACE from = bridge_place(bridge_named(call->local, entry.hSrcSurfHandle));
        const HALCYON_UMD_SURFACE to = bridge_place(bridge_named(call->local, entry.hDstSurfHandle));
        const D3DDDIARG_COMPOSERECTS args = {
            .hSrcResource = from.hResource,
            .SrcSubResourceIndex = from.SubResourceIndex,
            .hDstResource = to.hResource,
            .DstSubResourceIndex = to.SubResourceIndex,
            .hSrcRectDescsVB = resource_of(call, entry.hSrcRectDescsVB),
            .NumRects = entry.NumRects,
            .hDstRectDescsVB = resource_of(call, entry.hDstRectDescsVB),
            .Operation = entry.Operation,
            .XOffset = entry.XOffset,
            .YOffset = entry.YOffset,
        };

        call->f->pfnComposeRects(call->device, &args);
    }
    return DD_OK;
}
