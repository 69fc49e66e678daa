/* SPDX-License-Identifier: MIT */
/* Tracks changes of a texture, by the program in our memory or by the driver on its side, and copies them to the
 * driver's side. */
#include "runtime/common/object/texture_parts.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/driver/formats.h"

/* --- dirty boxes ----------------------------------------------------------------------- */

D3DBOX rt_texture_box(const struct rt_texture *texture)
{
    return (D3DBOX){0, 0, texture->width, texture->height, 0, texture->depth};
}

static bool contains(const D3DBOX *a, const D3DBOX *b)
{
    return a->Left <= b->Left && a->Top <= b->Top && a->Front <= b->Front && a->Right >= b->Right &&
           a->Bottom >= b->Bottom && a->Back >= b->Back;
}

static void merge(D3DBOX *a, const D3DBOX *b)
{
    a->Left = BASE_MIN(a->Left, b->Left);
    a->Top = BASE_MIN(a->Top, b->Top);
    a->Front = BASE_MIN(a->Front, b->Front);
    a->Right = BASE_MAX(a->Right, b->Right);
    a->Bottom = BASE_MAX(a->Bottom, b->Bottom);
    a->Back = BASE_MAX(a->Back, b->Back);
}

static void add_dirty(struct rt_texture *texture, unsigned face, const D3DBOX *add)
{
    if (!texture->system || add->Left >= add->Right || add->Top >= add->Bottom)
        return;
    texture->device->attention |= RT_TEXTURES_CHANGED;
    for (unsigned i = 0; i < texture->dirty[face].count; i++) {
        if (contains(&texture->dirty[face].box[i], add))
            return;
        if (contains(add, &texture->dirty[face].box[i])) {
            texture->dirty[face].box[i] = *add;
            return;
        }
    }
    if (texture->dirty[face].count < RT_DIRTY_BOXES) {
        texture->dirty[face].box[texture->dirty[face].count++] = *add;
        return;
    }
    for (unsigned i = 1; i < texture->dirty[face].count; i++)
        merge(&texture->dirty[face].box[0], &texture->dirty[face].box[i]);
    merge(&texture->dirty[face].box[0], add);
    texture->dirty[face].count = 1;
}

void rt_texture_all_dirty(struct rt_texture *texture)
{
    const D3DBOX all = rt_texture_box(texture);

    for (unsigned face = 0; face < texture->faces; face++)
        add_dirty(texture, face, &all);
    texture->stale = true;
}

/* `box` of a level in texels of level 0; the last texel of a level covers the rest. */
static D3DBOX scaled_up(const struct rt_texture *texture, unsigned level, const D3DBOX *box)
{
    D3DBOX b = rt_texture_box(texture);

    b.Left = BASE_MIN(box->Left << level, b.Right);
    b.Top = BASE_MIN(box->Top << level, b.Bottom);
    b.Front = BASE_MIN(box->Front << level, b.Back);
    if (box->Right < rt_level_size(texture->width, level))
        b.Right = BASE_MIN(box->Right << level, b.Right);
    if (box->Bottom < rt_level_size(texture->height, level))
        b.Bottom = BASE_MIN(box->Bottom << level, b.Bottom);
    if (box->Back < rt_level_size(texture->depth, level))
        b.Back = BASE_MIN(box->Back << level, b.Back);
    return b;
}

void rt_texture_drawn_to(struct rt_texture *texture)
{
    if (!texture->generates_mips)
        return;
    texture->mips_stale = true;
    texture->device->attention |= RT_TEXTURES_CHANGED;
}

void rt_texture_written(struct rt_texture *texture, unsigned face, unsigned level, const D3DBOX *box, DWORD lock_flags)
{
    D3DBOX b;

    if (!(lock_flags & D3DLOCK_READONLY))
        rt_texture_drawn_to(texture);
    if (!texture->system)
        return;
    texture->stale = true;
    texture->device->attention |= RT_TEXTURES_CHANGED;
    if (lock_flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE))
        return;
    b = box ? scaled_up(texture, level, box) : rt_texture_box(texture);
    add_dirty(texture, face, &b);
}

/* The driver manages resources too (D3DCAPS2_CANMANAGERESOURCE): for memory that is announced to it, it is told
 * which parts the program reports as written. TEXBLT or VOLUMEBLT copies the level itself. */
static void send_dirty(struct rt_texture *texture, unsigned face, const D3DBOX *box)
{
    uint32_t handle = rt_chain_handle(texture->system, face * texture->levels);
    struct rt_link *link = texture->device->link;

    if (!handle)
        return;
    if (texture->type == D3DRTYPE_VOLUMETEXTURE) {
        D3DHAL_DP2ADDDIRTYBOX body = {handle, *box};
        rt_put(link, D3DDP2OP_ADDDIRTYBOX, 1, &body, sizeof(body));
    } else {
        D3DHAL_DP2ADDDIRTYRECT body = {handle, {(LONG)box->Left, (LONG)box->Top, (LONG)box->Right, (LONG)box->Bottom}};
        rt_put(link, D3DDP2OP_ADDDIRTYRECT, 1, &body, sizeof(body));
    }
}

HRESULT rt_texture_add_dirty_box(struct rt_texture *texture, unsigned face, const D3DBOX *box)
{
    D3DBOX all = rt_texture_box(texture);

    if (!box)
        box = &all;
    if (box->Left >= box->Right || box->Top >= box->Bottom || box->Front >= box->Back || !contains(&all, box))
        return D3DERR_INVALIDCALL;
    add_dirty(texture, face, box);
    send_dirty(texture, face, box);
    return D3D_OK;
}

HRESULT rt_texture_add_dirty_rect(struct rt_texture *texture, unsigned face, const RECT *rect)
{
    D3DBOX box;

    if (!rect)
        return rt_texture_add_dirty_box(texture, face, NULL);
    if (rect->left < 0 || rect->top < 0 || rect->right < 0 || rect->bottom < 0)
        return D3DERR_INVALIDCALL;
    box = (D3DBOX){(UINT)rect->left, (UINT)rect->top, (UINT)rect->right, (UINT)rect->bottom, 0, 1};
    return rt_texture_add_dirty_box(texture, face, &box);
}

/* --- copies ---------------------------------------------------------------------------- */

void rt_texture_copy_box(struct rt_texture *source, struct rt_chain *destination, unsigned face, const D3DBOX *box)
{
    struct rt_link *link = source->device->link;
    uint32_t from = rt_chain_handle(source->system, face * source->levels);
    uint32_t to = rt_chain_handle(destination, face * destination->desc.levels);

    if (source->type == D3DRTYPE_VOLUMETEXTURE) {
        D3DHAL_DP2VOLUMEBLT body = {to, from, box->Left, box->Top, box->Front, *box, 0};
        rt_put(link, D3DDP2OP_VOLUMEBLT, 1, &body, sizeof(body));
    } else {
        D3DHAL_DP2TEXBLT body = {to,
                                 from,
                                 {(LONG)box->Left, (LONG)box->Top},
                                 {(LONG)box->Left, (LONG)box->Top, (LONG)box->Right, (LONG)box->Bottom},
                                 0};
        rt_put(link, D3DDP2OP_TEXBLT, 1, &body, sizeof(body));
    }
}

void rt_texture_copy_dirty(struct rt_texture *source, struct rt_chain *destination)
{
    for (unsigned face = 0; face < source->faces; face++) {
        for (unsigned i = 0; i < source->dirty[face].count; i++)
            rt_texture_copy_box(source, destination, face, &source->dirty[face].box[i]);
        source->dirty[face].count = 0;
    }
}

static bool level_fits(const struct rt_texture *texture, unsigned level, const struct rt_part *part)
{
    return rt_level_size(texture->width, level) == part->width &&
           rt_level_size(texture->height, level) == part->height && rt_level_size(texture->depth, level) == part->depth;
}

/* Copies level by level in our own memory, for pairs that TEXBLT does not accept: other sizes or formats that differ
 * only in alpha. */
static void copy_levels(struct rt_texture *source, struct rt_texture *destination)
{
    const struct rt_format *a = rt_format_info(source->format);
    const struct rt_format *b = rt_format_info(destination->format);

    if (a->block_bytes != b->block_bytes)
        return;
    for (unsigned i = 0; i < destination->faces * destination->levels; i++) {
        unsigned face = i / destination->levels, level = i % destination->levels;
        unsigned part = face * destination->video->desc.levels + level;
        for (unsigned s = 0; s < source->levels; s++) {
            if (!level_fits(source, s, &destination->video->parts[part]))
                continue;
            rt_chain_copy(destination->video, part, source->system, face * source->levels + s);
            break;
        }
    }
}

/* Into a destination that is larger than the program believes, which has one level: from the level of its size. */
static void copy_to_enlarged(struct rt_texture *source, struct rt_texture *destination)
{
    struct rt_surface *to = &destination->surfaces[0];
    const RECT all = {0, 0, (LONG)destination->width, (LONG)destination->height};

    for (unsigned i = 0; i < source->levels; i++) {
        struct rt_surface *from = &source->surfaces[i];

        if (from->desc.width == to->desc.width && from->desc.height == to->desc.height) {
            rt_surface_copy(to, (POINT){0, 0}, from, &all);
            return;
        }
    }
}

static bool is_enlarged(const struct rt_texture *texture)
{
    return texture->surfaces && rt_surface_times(&texture->surfaces[0]) > 1;
}

void rt_texture_update(struct rt_texture *source, struct rt_texture *destination)
{
    if (is_enlarged(destination)) {
        copy_to_enlarged(source, destination);
        source->dirty[0].count = 0;
    } else if (source->format == destination->format && source->width == destination->width &&
               source->height == destination->height && source->depth == destination->depth) {
        rt_texture_copy_dirty(source, destination->video);
    } else {
        copy_levels(source, destination);
        for (unsigned face = 0; face < source->faces; face++)
            source->dirty[face].count = 0;
    }
    rt_texture_drawn_to(destination);
}
