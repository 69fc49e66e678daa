/* SPDX-License-Identifier: MIT */
/* Copies and fills. Sub-resources are surfaces with handles of their own, so a stream needs no level to name one. */
#include "umd/device.h"

#include <string.h>

#include "d3d/ddi.h"

#define ALL_FACES 0xFFFFFFFFu

/* --- blits ------------------------------------------------------------------------------------------ */

static RECTL to_rectl(const RECT *rect)
{
    return (RECTL){rect->left, rect->top, rect->right, rect->bottom};
}

static bool same_size(const RECT *a, const RECT *b)
{
    return (int64_t)a->right - a->left == (int64_t)b->right - b->left &&
           (int64_t)a->bottom - a->top == (int64_t)b->bottom - b->top;
}

static bool is_system(const struct umd_part *part)
{
    return part->surface->usage & CLIENT_SYSTEM_MEMORY;
}

/* SURFACEBLT copies from system memory; BLT does all the rest, too. */
static HRESULT put_blt(struct umd_device *device, const struct umd_part *to, const RECT *to_rect,
                       const struct umd_part *from, const RECT *from_rect, UINT flags)
{
    const bool copies = is_system(from) && !is_system(to) && same_size(to_rect, from_rect);
    const D3DHAL_DP2BLT entry = {
        .dwSource = client_handle(from->surface),
        .rSource = to_rectl(from_rect),
        .dwDest = client_handle(to->surface),
        .rDest = to_rectl(to_rect),
        .Flags = flags,
    };

    return umd_put(device, copies ? D3DDP2OP_SURFACEBLT : D3DDP2OP_BLT, &entry, sizeof(entry));
}

static bool is_present(D3DDDI_BLTFLAGS flags)
{
    return flags.BeginPresentToDwm || flags.ContinuePresentToDwm || flags.EndPresentToDwm;
}

/* Parts of a present, to a window system that composes: the driver may have too many frames queued, of which the caller is told. */
static uint32_t present_flags(D3DDDI_BLTFLAGS flags)
{
    if (!is_present(flags))
        return 0;
    return DDBLT_PRESENTATION | DDBLT_DONOTWAIT | (flags.EndPresentToDwm ? DDBLT_LAST_PRESENTATION : 0);
}

/* Uses the Blt call, which supports colour keys, mirrors, system memory as the destination, and presents. */
static HRESULT call_blt(struct umd_device *device, struct umd_part *to, struct umd_part *from,
                        const D3DDDIARG_BLT *data)
{
    const uint32_t key = data->ColorKey;
    const struct client_blt_effects effects = {
        .flags = present_flags(data->Flags),
        .mirror = (data->Flags.MirrorLeftRight ? DDBLTFX_MIRRORLEFTRIGHT : 0) |
                  (data->Flags.MirrorUpDown ? DDBLTFX_MIRRORUPDOWN : 0),
        .source_key = data->Flags.SrcColorKey ? &key : NULL,
        .destination_key = data->Flags.DstColorKey ? &key : NULL,
    };

    umd_send(device);
    return umd_result(client_blt_with(to->surface, &data->DstRect, from->surface, &data->SrcRect, &effects));
}

/* Rotate says that the display is turned, which the driver's pixels are not. */
static HRESULT blt(struct umd_device *device, struct umd_part *to, struct umd_part *from, const D3DDDIARG_BLT *data)
{
    const D3DDDI_BLTFLAGS flags = data->Flags;

    if (flags.SrcColorKey && flags.DstColorKey)
        return UMD_REFUSE("a blit with two colour keys");
    if (flags.LinearToSrgb)
        return E_NOTIMPL; /* no capability promises this */
    if (is_system(to) && is_system(from)) {
        umd_send(device); /* the runtime copies, and wants the driver to be done with both */
        return S_OK;
    }
    if (is_system(to) || flags.SrcColorKey || flags.DstColorKey || flags.MirrorLeftRight || flags.MirrorUpDown ||
        is_present(flags))
        return call_blt(device, to, from, data);
    return put_blt(device, to, &data->DstRect, from, &data->SrcRect, flags.Linear ? DP2BLT_LINEAR : 0);
}

HRESULT APIENTRY umd_Blt(HANDLE hDevice, const D3DDDIARG_BLT *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_part *to, *from;

    if (!device || !data)
        return umd_leave(device, E_FAIL);
    to = umd_find_part(device, data->hDstResource, data->DstSubResourceIndex);
    from = umd_find_part(device, data->hSrcResource, data->SrcSubResourceIndex);
    if (!to || !from || to->surface->usage & CLIENT_BUFFER || from->surface->usage & CLIENT_BUFFER)
        return umd_leave(device, E_FAIL);
    return umd_leave(device, blt(device, to, from, data));
}

/* --- whole textures ------------------------------------------------------------------------------------ */

/* A rectangle that a level has, halved from the first one's, outwards. */
static LONG halved_down(LONG value, unsigned level)
{
    return value >> level;
}

static LONG halved_up(LONG value, unsigned level)
{
    return (LONG)(((int64_t)value + ((int64_t)1 << level) - 1) >> level);
}

/* One face of a cube, level by level: the token copies all faces. */
static HRESULT put_face(struct umd_device *device, struct umd_resource *to, struct umd_resource *from,
                        const D3DDDIARG_TEXBLT *data)
{
    const unsigned levels = BASE_MIN(to->levels, from->levels);
    HRESULT hr = S_OK;

    for (unsigned level = 0; SUCCEEDED(hr) && level < levels; level++) {
        const struct umd_part *target = &to->parts[data->CubeMapFace * to->levels + level];
        const struct umd_part *source = &from->parts[data->CubeMapFace * from->levels + level];
        const LONG x = halved_down(data->DstPoint.x, level), y = halved_down(data->DstPoint.y, level);
        const RECT taken = {halved_down(data->SrcRect.left, level), halved_down(data->SrcRect.top, level),
                            BASE_MIN(halved_up(data->SrcRect.right, level), (LONG)source->surface->width),
                            BASE_MIN(halved_up(data->SrcRect.bottom, level), (LONG)source->surface->height)};
        const int64_t right = (int64_t)x + taken.right - taken.left, bottom = (int64_t)y + taken.bottom - taken.top;
        const RECT given = {x, y, (LONG)right, (LONG)bottom};

        if (right != given.right || bottom != given.bottom)
            return UMD_REFUSE("a rectangle without bounds");
        hr = put_blt(device, target, &given, source, &taken, 0);
    }
    return hr;
}

/* The ends of a copy between whole resources. */
struct pair {
    struct umd_resource *to, *from;
};

/* False: one of them is not a resource of the device. */
static bool find_pair(const struct umd_device *device, HANDLE to, HANDLE from, struct pair *pair)
{
    *pair = (struct pair){umd_find_resource(device, to), umd_find_resource(device, from)};
    return pair->to && pair->from;
}

static HRESULT put_texture(struct umd_device *device, const struct umd_resource *to, const struct umd_resource *from,
                           const D3DDDIARG_TEXBLT *data)
{
    const D3DHAL_DP2TEXBLT entry = {
        .dwDDDestSurface = client_handle(umd_top(to)),
        .dwDDSrcSurface = client_handle(umd_top(from)),
        .pDest = data->DstPoint,
        .rSrc = to_rectl(&data->SrcRect),
    };

    return umd_put(device, D3DDP2OP_TEXBLT, &entry, sizeof(entry));
}

HRESULT APIENTRY umd_TexBlt(HANDLE hDevice, const D3DDDIARG_TEXBLT *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct pair pair;
    HRESULT hr = E_FAIL;

    if (!device || !data || !find_pair(device, data->hDstResource, data->hSrcResource, &pair) || !pair.to->is_texture ||
        !pair.from->is_texture || pair.to->faces != pair.from->faces)
        hr = E_FAIL;
    else if (pair.to->faces == 1 || data->CubeMapFace == ALL_FACES)
        hr = put_texture(device, pair.to, pair.from, data);
    else if (data->CubeMapFace < pair.to->faces)
        hr = put_face(device, pair.to, pair.from, data);
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_VolBlt(HANDLE hDevice, const D3DDDIARG_VOLUMEBLT *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct pair pair;
    HRESULT hr = E_FAIL;

    if (device && data && find_pair(device, data->hDstResource, data->hSrcResource, &pair) && pair.to->flags.Volume &&
        pair.from->flags.Volume) {
        const D3DDDIBOX *box = &data->SrcBox;
        const D3DHAL_DP2VOLUMEBLT entry = {
            .dwDDDestSurface = client_handle(umd_top(pair.to)),
            .dwDDSrcSurface = client_handle(umd_top(pair.from)),
            .dwDestX = data->DstX,
            .dwDestY = data->DstY,
            .dwDestZ = data->DstZ,
            .srcBox = {box->Left, box->Top, box->Right, box->Bottom, box->Front, box->Back},
        };

        hr = umd_put(device, D3DDP2OP_VOLUMEBLT, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_BufBlt(HANDLE hDevice, const D3DDDIARG_BUFFERBLT *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct pair pair;
    HRESULT hr = E_FAIL;

    if (device && data && find_pair(device, data->hDstResource, data->hSrcResource, &pair) && pair.to->is_buffer &&
        pair.from->is_buffer) {
        const D3DHAL_DP2BUFFERBLT entry = {
            .dwDDDestSurface = client_handle(umd_top(pair.to)),
            .dwDDSrcSurface = client_handle(umd_top(pair.from)),
            .dwOffset = data->Offset,
            .rSrc = {data->SrcRange.Offset, data->SrcRange.Size},
        };

        hr = umd_put(device, D3DDP2OP_BUFFERBLT, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_GenerateMipSubLevels(HANDLE hDevice, const D3DDDIARG_GENERATEMIPSUBLEVELS *data)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_resource *resource = device && data ? umd_find_resource(device, data->hResource) : NULL;
    HRESULT hr = E_FAIL;

    if (resource && resource->is_texture) {
        const D3DHAL_DP2GENERATEMIPSUBLEVELS entry = {client_handle(umd_top(resource)), data->Filter};

        hr = umd_put(device, D3DDP2OP_GENERATEMIPSUBLEVELS, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

/* --- fills ------------------------------------------------------------------------------------------------ */

HRESULT APIENTRY umd_ColorFill(HANDLE hDevice, const D3DDDIARG_COLORFILL *data)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_part *part =
        device && data ? umd_find_part(device, data->hResource, data->SubResourceIndex) : NULL;
    HRESULT hr = E_FAIL;

    if (part && !(part->surface->usage & CLIENT_BUFFER)) {
        const D3DHAL_DP2COLORFILL entry = {client_handle(part->surface), to_rectl(&data->DstRect), data->Color};

        hr = umd_put(device, D3DDP2OP_COLORFILL, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_DepthFill(HANDLE hDevice, const D3DDDIARG_DEPTHFILL *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_part *part = device && data ? umd_find_part(device, data->hResource, data->SubResourceIndex) : NULL;
    HRESULT hr = E_FAIL;

    if (part && part->surface->usage & CLIENT_DEPTH) {
        umd_send(device);
        hr = umd_result(client_fill_depth(part->surface, &data->DstRect, data->Depth));
    }
    return umd_leave(device, hr);
}

/* --- glyphs of 9Ex ----------------------------------------------------------------------------------------- */

#define MOST_TAPS 7 /* D3DCONVOLUTIONMONO_MAXWIDTH, _MAXHEIGHT */

/* D3DHAL_ROW_WEIGHTS, D3DHAL_COL_WEIGHTS */
enum { ROW_WEIGHTS = 1, COLUMN_WEIGHTS = 2 };

HRESULT APIENTRY umd_SetConvolutionKernelMono(HANDLE hDevice, const D3DDDIARG_SETCONVOLUTIONKERNELMONO *data)
{
    struct umd_device *device = umd_enter(hDevice);
    FLOAT weights[2 * MOST_TAPS];
    HRESULT hr = E_FAIL;

    if (device && data && data->Width && data->Width <= MOST_TAPS && data->Height && data->Height <= MOST_TAPS) {
        const UINT rows = data->pKernelRow ? data->Width : 0, columns = data->pKernelCol ? data->Height : 0;
        const D3DHAL_DP2SETCONVOLUTIONKERNELMONO entry = {data->Width, data->Height,
                                                          (rows ? ROW_WEIGHTS : 0) | (columns ? COLUMN_WEIGHTS : 0)};

        if (rows)
            memcpy(weights, data->pKernelRow, rows * sizeof(*weights));
        if (columns)
            memcpy(weights + rows, data->pKernelCol, columns * sizeof(*weights));
        hr = umd_put_with_data(device, D3DDP2OP_SETCONVOLUTIONKERNELMONO, &entry, sizeof(entry), weights,
                               (rows + columns) * sizeof(*weights));
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_ComposeRects(HANDLE hDevice, const D3DDDIARG_COMPOSERECTS *data)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_part *from, *to, *from_rects, *to_rects;
    HRESULT hr = E_FAIL;

    if (!device || !data)
        return umd_leave(device, E_FAIL);
    from = umd_find_part(device, data->hSrcResource, data->SrcSubResourceIndex);
    to = umd_find_part(device, data->hDstResource, data->DstSubResourceIndex);
    from_rects = umd_find_part(device, data->hSrcRectDescsVB, 0);
    to_rects = umd_find_part(device, data->hDstRectDescsVB, 0);
    if (from && to && from_rects && (to_rects || !data->hDstRectDescsVB)) {
        const D3DHAL_DP2COMPOSERECTS entry = {
            .hSrcSurfHandle = client_handle(from->surface),
            .hDstSurfHandle = client_handle(to->surface),
            .hSrcRectDescsVB = client_handle(from_rects->surface),
            .NumRects = data->NumRects,
            .hDstRectDescsVB = to_rects ? client_handle(to_rects->surface) : 0,
            .Operation = data->Operation,
            .XOffset = data->XOffset,
            .YOffset = data->YOffset,
        };

        hr = umd_put(device, D3DDP2OP_COMPOSERECTS, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}
