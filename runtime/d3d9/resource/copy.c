/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DDevice9: copies between surfaces, and fills. What may be copied to what is a table; Wine's tests test_stretch_rect,
 * stretchrect_test, depth_blit_test, update_surface_test, test_updatetexture, color_fill_test and test_get_render_target_data
 * establish it.
 */
#include "runtime/d3d9/resource/resources.h"

#include "runtime/common/driver/formats.h"

/* --- surfaces as ends of a copy ----------------------------------------------------------- */

/* Roles that surfaces play in StretchRect. */
enum role { ROLE_PLAIN, ROLE_LEVEL, ROLE_TARGET, ROLE_DEPTH, ROLES };

static enum role role_of(const struct rt_surface *surface)
{
    if (rt_format_is_depth(surface->desc.format))
        return ROLE_DEPTH;
    if (surface->desc.usage & D3DUSAGE_RENDERTARGET)
        return ROLE_TARGET;
    return surface->texture ? ROLE_LEVEL : ROLE_PLAIN;
}

static RECT all_of(const struct rt_surface *surface)
{
    return (RECT){0, 0, (LONG)surface->desc.width, (LONG)surface->desc.height};
}

/* The result may be empty. */
static bool rect_is_within(const struct rt_surface *surface, const RECT *rect)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right && rect->top <= rect->bottom &&
           rect->right <= (LONG)surface->desc.width && rect->bottom <= (LONG)surface->desc.height;
}

static bool rect_is_inside(const struct rt_surface *surface, const RECT *rect)
{
    return rect_is_within(surface, rect) && !IsRectEmpty(rect);
}

/* Edges of blocks, or of the surface. */
static bool rect_is_aligned(const struct rt_surface *surface, const RECT *rect)
{
    const struct rt_format *format = rt_format_info(surface->desc.format);

    return rect->left % format->block_width == 0 && rect->top % format->block_height == 0 &&
           (rect->right % format->block_width == 0 || rect->right == (LONG)surface->desc.width) &&
           (rect->bottom % format->block_height == 0 || rect->bottom == (LONG)surface->desc.height);
}

static bool same_size(const RECT *a, const RECT *b)
{
    return a->right - a->left == b->right - b->left && a->bottom - a->top == b->bottom - b->top;
}

/* A texture is named by its first level, in commands that have a number for the level. */
static void name_part(const struct rt_surface *surface, struct rt_chain *chain, DWORD *handle, DWORD *level)
{
    const unsigned part = rt_surface_part(surface, chain);

    *level = surface->texture ? part % chain->desc.levels : 0;
    *handle = rt_chain_handle(chain, part - *level);
}

/* In texels of the surface's memory. */
static RECTL rectl(const struct rt_surface *surface, const RECT *rect)
{
    const RECT r = rt_surface_texels(surface, rect);

    return (RECTL){r.left, r.top, r.right, r.bottom};
}

/* --- StretchRect -------------------------------------------------------------------------- */

enum stretch_rule { STRETCH_NEVER, STRETCH_SAME_SIZE, STRETCH_ANY_SIZE, STRETCH_WHOLE };

static const uint8_t stretch_rules[ROLES][ROLES] = {
    [ROLE_PLAIN] = {[ROLE_PLAIN] = STRETCH_SAME_SIZE, [ROLE_TARGET] = STRETCH_ANY_SIZE},
    [ROLE_LEVEL] = {[ROLE_TARGET] = STRETCH_ANY_SIZE}, /* D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES */
    [ROLE_TARGET] = {[ROLE_TARGET] = STRETCH_ANY_SIZE},
    [ROLE_DEPTH] = {[ROLE_DEPTH] = STRETCH_WHOLE},
};

/* All formats that the driver converts, more than CheckDeviceFormatConversion reports (Wine's
 * test_blit_format_conversion). */
static bool stretch_formats_match(const struct rt_surface *source, const struct rt_surface *destination)
{
    return source->desc.format == destination->desc.format ||
           (rt_format_info(source->desc.format)->flags & RT_FORMAT_COLORS_FROM &&
            rt_format_info(destination->desc.format)->flags & RT_FORMAT_COLORS_TO);
}

static bool can_stretch(const struct rt_device *device, const struct rt_surface *source, const RECT *from,
                        const struct rt_surface *destination, const RECT *to)
{
    const RECT all_from = all_of(source), all_to = all_of(destination);
    const bool same = same_size(from, to), whole = EqualRect(from, &all_from) && EqualRect(to, &all_to);

    if (source->device != device || destination->device != device || source == destination || source->locked ||
        destination->locked)
        return false;
    if (source->desc.pool != D3DPOOL_DEFAULT || destination->desc.pool != D3DPOOL_DEFAULT ||
        !rect_is_within(source, from) || !rect_is_within(destination, to))
        return false;
    if (!stretch_formats_match(source, destination))
        return false;
    switch ((enum stretch_rule)stretch_rules[role_of(source)][role_of(destination)]) {
    case STRETCH_ANY_SIZE:
        break;
    case STRETCH_SAME_SIZE:
        if (!same)
            return false;
        break;
    case STRETCH_WHOLE:
        /* The driver copies depth as it is, so both are enlarged or neither. */
        if (!same || !whole || rt_surface_times(source) != rt_surface_times(destination) || device->in_scene ||
            source->desc.format != destination->desc.format)
            return false;
        /* Colours are spread over samples, and averaged on the way back; depth is not. */
        if (destination->desc.samples && destination->desc.samples != source->desc.samples)
            return false;
        break;
    default:
        return false;
    }
    /* Blocks are copied unchanged, except when they are converted to pixels of another format. */
    return source->desc.format != destination->desc.format ||
           (rect_is_aligned(source, from) && rect_is_aligned(destination, to));
}

HRESULT WINAPI d3d9_device_StretchRect(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source_iface, const RECT *from,
                                       IDirect3DSurface9 *destination_iface, const RECT *to,
                                       D3DTEXTUREFILTERTYPE filter)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *source = rt_surface_of(source_iface), *destination = rt_surface_of(destination_iface);
    D3DHAL_DP2BLT body = {.Flags = filter == D3DTEXF_LINEAR ? DP2BLT_LINEAR : DP2BLT_POINT};
    struct rt_chain *source_chain, *destination_chain;
    RECT all_from, all_to;
    RT_LOCK(&device->base);

    if (!source || !destination || (unsigned)filter > D3DTEXF_LINEAR)
        return D3DERR_INVALIDCALL;
    all_from = all_of(source);
    all_to = all_of(destination);
    from = from ? from : &all_from;
    to = to ? to : &all_to;
    if (!rt_surface_video(source) || !rt_surface_video(destination) ||
        !can_stretch(device, source, from, destination, to))
        return D3DERR_INVALIDCALL;
    if (IsRectEmpty(from) || IsRectEmpty(to)) /* docs/reference/device-state.md, section 12 */
        return D3D_OK;
    if (rt_format_is_depth(source->desc.format))
        rt_device_match_copy(device, source, destination);
    source_chain = rt_surface_video(source);
    destination_chain = rt_surface_video(destination);
    name_part(source, source_chain, &body.dwSource, &body.dwSourceMipLevel);
    name_part(destination, destination_chain, &body.dwDest, &body.dwDestMipLevel);
    body.rSource = rectl(source, from);
    body.rDest = rectl(destination, to);
    rt_put(device->link, D3DDP2OP_BLT, 1, &body, sizeof(body));
    rt_surface_written(destination, to);
    return D3D_OK;
}

/* --- from and to memory of the program's --------------------------------------------------- */

HRESULT WINAPI d3d9_device_UpdateSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source_iface, const RECT *rect,
                                         IDirect3DSurface9 *destination_iface, const POINT *point)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *source = rt_surface_of(source_iface), *destination = rt_surface_of(destination_iface);
    D3DHAL_DP2SURFACEBLT body = {.Flags = 0};
    RECT from, to;
    RT_LOCK(&device->base);

    if (!source || !destination || source->device != device || destination->device != device ||
        source->desc.pool != D3DPOOL_SYSTEMMEM || destination->desc.pool != D3DPOOL_DEFAULT)
        return D3DERR_INVALIDCALL;
    if (source->desc.format != destination->desc.format || rt_format_is_depth(source->desc.format) ||
        destination->desc.samples || source->locked || destination->locked || !rt_surface_video(destination))
        return D3DERR_INVALIDCALL;
    from = rect ? *rect : all_of(source);
    to = from;
    OffsetRect(&to, (point ? point->x : 0) - from.left, (point ? point->y : 0) - from.top);
    if (!rect_is_inside(source, &from) || !rect_is_inside(destination, &to) || !rect_is_aligned(source, &from) ||
        !rect_is_aligned(destination, &to))
        return D3DERR_INVALIDCALL;
    name_part(source, rt_surface_memory(source), &body.dwSource, &body.dwSourceMipLevel);
    name_part(destination, rt_surface_video(destination), &body.dwDest, &body.dwDestMipLevel);
    if (body.dwSource && rt_surface_times(destination) == 1) {
        body.rSource = rectl(source, &from);
        body.rDest = rectl(destination, &to);
        rt_put(device->link, D3DDP2OP_SURFACEBLT, 1, &body, sizeof(body));
    } else {
        rt_surface_copy(destination, (POINT){to.left, to.top}, source, &from);
    }
    rt_surface_written(destination, &to);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_UpdateTexture(IDirect3DDevice9Ex *iface, IDirect3DBaseTexture9 *from,
                                         IDirect3DBaseTexture9 *to)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_texture *source = rt_texture_of(from), *destination = rt_texture_of(to);
    RT_LOCK(&device->base);

    if (!source || !destination || source->device != device || destination->device != device ||
        source->type != destination->type || source->pool != D3DPOOL_SYSTEMMEM || destination->pool != D3DPOOL_DEFAULT)
        return D3DERR_INVALIDCALL;
    rt_texture_update(source, destination);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetRenderTargetData(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source_iface,
                                               IDirect3DSurface9 *destination_iface)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *source = rt_surface_of(source_iface), *destination = rt_surface_of(destination_iface);
    RECT all;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!source || !destination || source->device != device || destination->device != device ||
        !(source->desc.usage & D3DUSAGE_RENDERTARGET) || destination->desc.pool != D3DPOOL_SYSTEMMEM)
        return D3DERR_INVALIDCALL;
    if (source->desc.samples || source->desc.format != destination->desc.format ||
        source->desc.width != destination->desc.width || source->desc.height != destination->desc.height ||
        source->locked || destination->locked)
        return D3DERR_INVALIDCALL;
    if (!rt_surface_memory(source) || !rt_surface_memory(destination))
        return D3DERR_INVALIDCALL;
    all = all_of(source);
    hr = rt_surface_copy(destination, (POINT){0, 0}, source, &all);
    if (FAILED(hr))
        return D3DERR_DRIVERINTERNALERROR;
    rt_surface_written(destination, NULL);
    return D3D_OK;
}

/* --- fills -------------------------------------------------------------------------------- */

HRESULT WINAPI d3d9_device_ColorFill(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *surface_iface, const RECT *rect,
                                     D3DCOLOR color)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *surface = rt_surface_of(surface_iface);
    D3DHAL_DP2COLORFILL body = {.Color = color};
    enum role role;
    RECT area;
    RT_LOCK(&device->base);

    if (!surface || surface->device != device || surface->desc.pool != D3DPOOL_DEFAULT || surface->locked)
        return D3DERR_INVALIDCALL;
    role = role_of(surface);
    area = rect ? *rect : all_of(surface);
    if ((role != ROLE_PLAIN && role != ROLE_TARGET) || !rect_is_inside(surface, &area) ||
        !rect_is_aligned(surface, &area) || !rt_surface_video(surface))
        return D3DERR_INVALIDCALL;
    /* This command has no number for a level, but each part has a name. */
    body.dwSurface = rt_surface_handle(surface);
    body.rRect = rectl(surface, &area);
    rt_put(device->link, D3DDP2OP_COLORFILL, 1, &body, sizeof(body));
    rt_surface_written(surface, &area);
    return D3D_OK;
}
