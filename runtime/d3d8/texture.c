/* SPDX-License-Identifier: MIT */
/* Implements what 2D, cube and volume textures share: creation, dirty regions, the driver's copy. */
#include "runtime/d3d8/d3d8_objects.h"

/* --- dirty regions --------------------------------------------------------------------- */

static D3DBOX full_box(const struct d3d8_texture *texture)
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

void d3d8_texture_add_dirty(struct d3d8_texture *texture, unsigned face, const D3DBOX *box)
{
    D3DBOX all = full_box(texture);
    const D3DBOX *add = box ? box : &all;

    if (!texture->system || add->Left >= add->Right || add->Top >= add->Bottom)
        return;
    texture->device->attention |= D3D8_TEXTURES_CHANGED;
    for (unsigned i = 0; i < texture->dirty[face].count; i++) {
        if (contains(&texture->dirty[face].box[i], add))
            return;
        if (contains(add, &texture->dirty[face].box[i])) {
            texture->dirty[face].box[i] = *add;
            return;
        }
    }
    if (texture->dirty[face].count < D3D8_DIRTY_RECTS) {
        texture->dirty[face].box[texture->dirty[face].count++] = *add;
        return;
    }
    for (unsigned i = 1; i < texture->dirty[face].count; i++)
        merge(&texture->dirty[face].box[0], &texture->dirty[face].box[i]);
    merge(&texture->dirty[face].box[0], add);
    texture->dirty[face].count = 1;
}

void d3d8_texture_written(struct d3d8_texture *texture, unsigned face, unsigned level, const D3DBOX *box,
                          DWORD lock_flags)
{
    D3DBOX b = full_box(texture);

    if (!texture->system)
        return;
    texture->stale = true;
    texture->device->attention |= D3D8_TEXTURES_CHANGED;
    if (lock_flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE))
        return;
    if (box) {
        b.Left = BASE_MIN(box->Left << level, b.Right);
        b.Top = BASE_MIN(box->Top << level, b.Bottom);
        b.Front = BASE_MIN(box->Front << level, b.Back);
        /* The last texel of a level covers what is left of level 0. */
        if (box->Right < rt_level_size(texture->width, level))
            b.Right = BASE_MIN(box->Right << level, b.Right);
        if (box->Bottom < rt_level_size(texture->height, level))
            b.Bottom = BASE_MIN(box->Bottom << level, b.Bottom);
        if (box->Back < rt_level_size(texture->depth, level))
            b.Back = BASE_MIN(box->Back << level, b.Back);
    }
    d3d8_texture_add_dirty(texture, face, &b);
}

static void mark_all(struct d3d8_texture *texture)
{
    for (unsigned face = 0; face < texture->faces; face++)
        d3d8_texture_add_dirty(texture, face, NULL);
    texture->stale = true;
}

/* --- the driver's copy ----------------------------------------------------------------- */

static void put_copy(struct d3d8_texture *source, struct rt_chain *destination, unsigned face, const D3DBOX *box)
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

void d3d8_texture_copy_dirty(struct d3d8_texture *source, struct rt_chain *destination)
{
    for (unsigned face = 0; face < source->faces; face++) {
        for (unsigned i = 0; i < source->dirty[face].count; i++)
            put_copy(source, destination, face, &source->dirty[face].box[i]);
        source->dirty[face].count = 0;
    }
}

void d3d8_texture_upload(struct d3d8_texture *texture)
{
    if (!texture->system || !texture->video)
        return;
    if (texture->pool == D3DPOOL_MANAGED) {
        d3d8_texture_copy_dirty(texture, texture->video);
    } else if (texture->stale) {
        D3DBOX all = full_box(texture);
        for (unsigned face = 0; face < texture->faces; face++)
            put_copy(texture, texture->video, face, &all);
    }
    texture->stale = false;
}

static void send_lod(struct d3d8_texture *texture)
{
    D3DHAL_DP2SETTEXLOD body = {rt_chain_handle(texture->video, 0), texture->lod};

    rt_put(texture->device->link, D3DDP2OP_SETTEXLOD, 1, &body, sizeof(body));
}

static void send_priority(struct d3d8_texture *texture)
{
    D3DHAL_DP2SETPRIORITY body = {rt_chain_handle(texture->video, 0), texture->res.priority};

    rt_put(texture->device->link, D3DDP2OP_SETPRIORITY, 1, &body, sizeof(body));
}

static struct rt_chain_desc describe(const struct d3d8_texture *texture, enum rt_chain_memory memory)
{
    return (struct rt_chain_desc){
        .kind = texture->type == D3DRTYPE_VOLUMETEXTURE ? RT_CHAIN_VOLUME : RT_CHAIN_TEXTURE,
        .memory = memory,
        .format = texture->format,
        .width = texture->width,
        .height = texture->height,
        .depth = texture->depth,
        .levels = texture->levels,
        .faces = texture->faces,
        .is_target = texture->usage & D3DUSAGE_RENDERTARGET,
        .is_depth = texture->usage & D3DUSAGE_DEPTHSTENCIL,
        .dynamic = texture->usage & D3DUSAGE_DYNAMIC,
    };
}

static bool make_driver_side(struct d3d8_texture *texture)
{
    struct d3d8_device *device = texture->device;
    struct rt_chain_desc desc = describe(texture, RT_MEMORY_VIDEO);

    if (FAILED(rt_chain_create(device->link, &desc, &texture->video)))
        return false;
    mark_all(texture);
    if (texture->lod)
        send_lod(texture);
    if (texture->res.priority)
        send_priority(texture);
    if (!texture->is_managed_listed) {
        texture->next_managed = device->managed;
        device->managed = texture;
        texture->is_managed_listed = true;
    }
    return true;
}

uint32_t d3d8_texture_handle(struct rt_resource *resource)
{
    struct d3d8_texture *texture = D3D8_FROM_RES(d3d8_texture, resource);
    const struct rt_format *format = rt_format_info(texture->format);

    if (texture->pool == D3DPOOL_SCRATCH)
        return 0;
    if (!texture->video && !make_driver_side(texture)) {
        log_error("no driver memory for a %ux%u texture", texture->width, texture->height);
        return 0;
    }
    if (format->flags & RT_FORMAT_PALETTE)
        texture->device->attention |= D3D8_HAS_PALETTES;
    d3d8_texture_upload(texture);
    texture->last_use = ++texture->device->uses;
    return rt_chain_handle(texture->video, 0);
}

static void evict(struct d3d8_texture *texture)
{
    rt_chain_destroy(texture->video);
    texture->video = NULL;
    texture->palette = 0;
    texture->device->pipe.dirty_textures |= (1u << RT_STAGES) - 1;
}

static bool is_bound(const struct d3d8_texture *texture)
{
    const struct rt_state *state = &texture->device->pipe.state;

    for (unsigned i = 0; i < RT_STAGES; i++)
        if (state->texture[i] == &texture->res)
            return true;
    return false;
}

/* Goes before `other`. */
static bool is_less_useful(const struct d3d8_texture *texture, const struct d3d8_texture *other)
{
    if (is_bound(texture) != is_bound(other))
        return is_bound(other);
    if (texture->res.priority != other->res.priority)
        return texture->res.priority < other->res.priority;
    return texture->last_use < other->last_use;
}

void d3d8_textures_discard(struct d3d8_device *device, uint64_t bytes)
{
    uint64_t freed = 0;

    while (!bytes || freed < bytes) {
        struct d3d8_texture *least = NULL;
        for (struct d3d8_texture *t = device->managed; t; t = t->next_managed)
            if (t->video && t->pool == D3DPOOL_MANAGED && (!least || is_less_useful(t, least)))
                least = t;
        if (!least)
            return;
        freed += rt_chain_bytes(least->video);
        evict(least);
    }
}

static void unlist(struct d3d8_texture *texture)
{
    struct d3d8_texture **place = &texture->device->managed;

    while (*place && *place != texture)
        place = &(*place)->next_managed;
    if (*place)
        *place = texture->next_managed;
}

static void texture_destroy(struct rt_resource *resource)
{
    struct d3d8_texture *texture = D3D8_FROM_RES(d3d8_texture, resource);

    if (texture->is_managed_listed)
        unlist(texture);
    for (unsigned i = 0; texture->surfaces && i < texture->levels * texture->faces; i++)
        rt_private_data_clear(&texture->surfaces[i].res.private_data);
    for (unsigned i = 0; texture->volumes && i < texture->levels; i++)
        rt_private_data_clear(&texture->volumes[i].private_data);
    rt_chain_destroy(texture->system);
    rt_chain_destroy(texture->video);
    if (texture->pool == D3DPOOL_DEFAULT)
        texture->device->default_pool_count--;
    free(texture->surfaces);
    free(texture->volumes);
    free(texture);
}

static const struct rt_resource_ops texture_ops = {texture_destroy};

/* --- creation -------------------------------------------------------------------------- */

static bool is_pow2(UINT v)
{
    return !(v & (v - 1));
}

static bool sizes_are_valid(const struct d3d8_device *device, const struct d3d8_texture_desc *desc,
                            const struct rt_format *format)
{
    DWORD caps = device->caps.TextureCaps, pow2 = D3DPTEXTURECAPS_POW2;
    bool regular = is_pow2(desc->width) && is_pow2(desc->height) && is_pow2(desc->depth);

    if (!desc->width || !desc->height || !desc->depth)
        return false;
    if ((format->flags & RT_FORMAT_BLOCKS) &&
        (desc->width % format->block_width || desc->height % format->block_height))
        return false;
    if (desc->width > 32768 || desc->height > 32768 || desc->depth > 4096)
        return false;
    if (desc->pool == D3DPOOL_SCRATCH)
        return true;
    if (desc->type == D3DRTYPE_CUBETEXTURE)
        pow2 = D3DPTEXTURECAPS_CUBEMAP_POW2;
    if (desc->type == D3DRTYPE_VOLUMETEXTURE) {
        pow2 = D3DPTEXTURECAPS_VOLUMEMAP_POW2;
        if (desc->width > device->caps.MaxVolumeExtent || desc->height > device->caps.MaxVolumeExtent ||
            desc->depth > device->caps.MaxVolumeExtent)
            return false;
    } else if (desc->width > device->caps.MaxTextureWidth || desc->height > device->caps.MaxTextureHeight) {
        return false;
    }
    if (!(caps & pow2) || regular)
        return true;
    return desc->type == D3DRTYPE_TEXTURE && (caps & D3DPTEXTURECAPS_NONPOW2CONDITIONAL) && desc->levels == 1;
}

static bool usage_is_valid(const struct d3d8_texture_desc *desc)
{
    DWORD draws = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;

    if (desc->usage & (D3DUSAGE_WRITEONLY | D3DUSAGE_SOFTWAREPROCESSING | D3DUSAGE_DONOTCLIP | D3DUSAGE_POINTS |
                       D3DUSAGE_RTPATCHES | D3DUSAGE_NPATCHES))
        return false;
    if ((desc->usage & draws) == draws ||
        ((desc->usage & draws) &&
         (desc->pool != D3DPOOL_DEFAULT || desc->usage & D3DUSAGE_DYNAMIC || desc->type == D3DRTYPE_VOLUMETEXTURE)))
        return false;
    if ((desc->usage & D3DUSAGE_DYNAMIC) && (desc->pool == D3DPOOL_MANAGED || desc->pool == D3DPOOL_SCRATCH))
        return false;
    return (unsigned)desc->pool <= D3DPOOL_SCRATCH;
}

static bool format_is_valid(const struct d3d8_device *device, const struct d3d8_texture_desc *desc,
                            const struct rt_format *format)
{
    DWORD usage = desc->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL);

    if (!format || (desc->pool != D3DPOOL_DEFAULT && (format->flags & RT_FORMAT_DEPTH)))
        return false;
    if (desc->pool == D3DPOOL_SCRATCH)
        return true;
    return SUCCEEDED(d3d8_check_format(device->parent, device->display_format, usage, desc->type, desc->format));
}

static bool init_parts(struct d3d8_texture *texture)
{
    unsigned parts = texture->levels * texture->faces;

    if (texture->type == D3DRTYPE_VOLUMETEXTURE)
        texture->volumes = mem_calloc(parts, sizeof(*texture->volumes));
    else
        texture->surfaces = mem_calloc(parts, sizeof(*texture->surfaces));
    if (!texture->volumes && !texture->surfaces)
        return false;
    for (unsigned i = 0; i < parts; i++) {
        unsigned level = i % texture->levels;
        UINT width = rt_level_size(texture->width, level);
        UINT height = rt_level_size(texture->height, level);
        if (texture->volumes) {
            D3DVOLUME_DESC desc = {.Format = texture->format,
                                   .Type = D3DRTYPE_VOLUME,
                                   .Usage = texture->usage,
                                   .Pool = texture->pool,
                                   .Width = width,
                                   .Height = height,
                                   .Depth = rt_level_size(texture->depth, level)};
            const struct rt_format *format = rt_format_info(texture->format);
            desc.Size = (UINT)(rt_format_pitch(format, width) * rt_format_rows(format, height) * desc.Depth);
            d3d8_volume_init(&texture->volumes[i], texture, i, &desc);
        } else {
            D3DSURFACE_DESC desc = {.Format = texture->format,
                                    .Usage = texture->usage,
                                    .Pool = texture->pool,
                                    .Width = width,
                                    .Height = height};
            d3d8_surface_init_level(&texture->surfaces[i], texture, i, &desc);
        }
    }
    return true;
}

static void *vtbl_of(D3DRESOURCETYPE type)
{
    if (type == D3DRTYPE_CUBETEXTURE)
        return (void *)&d3d8_cube_texture_vtbl;
    if (type == D3DRTYPE_VOLUMETEXTURE)
        return (void *)&d3d8_volume_texture_vtbl;
    return (void *)&d3d8_texture_vtbl;
}

static HRESULT create_memory(struct d3d8_texture *texture)
{
    struct rt_chain_desc desc;

    if (texture->pool == D3DPOOL_DEFAULT) {
        desc = describe(texture, RT_MEMORY_VIDEO);
        return rt_chain_create(texture->device->link, &desc, &texture->video);
    }
    desc = describe(texture, texture->pool == D3DPOOL_SCRATCH ? RT_MEMORY_UNSHARED : RT_MEMORY_SYSTEM);
    return rt_chain_create(texture->device->link, &desc, &texture->system);
}

HRESULT d3d8_texture_create(struct d3d8_device *device, const struct d3d8_texture_desc *desc, struct d3d8_texture **out)
{
    const struct rt_format *format = rt_format_info(desc->format);
    unsigned full = rt_full_chain(desc->width, desc->height, desc->depth);
    struct d3d8_texture *texture;
    HRESULT hr;

    if (desc->format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!usage_is_valid(desc) || !format_is_valid(device, desc, format) || !sizes_are_valid(device, desc, format) ||
        desc->levels > full)
        return D3DERR_INVALIDCALL;
    texture = mem_calloc(1, sizeof(*texture));
    if (!texture)
        return E_OUTOFMEMORY;
    texture->iface.base.lpVtbl = vtbl_of(desc->type);
    texture->device = device;
    texture->type = desc->type;
    texture->format = desc->format;
    texture->usage = desc->usage;
    texture->pool = desc->pool;
    texture->width = desc->width;
    texture->height = desc->height;
    texture->depth = desc->depth;
    texture->levels = desc->levels ? desc->levels : full;
    texture->faces = desc->type == D3DRTYPE_CUBETEXTURE ? 6 : 1;
    hr = init_parts(texture) ? create_memory(texture) : E_OUTOFMEMORY;
    if (FAILED(hr)) {
        free(texture->surfaces);
        free(texture->volumes);
        free(texture);
        return hr;
    }
    if (texture->pool == D3DPOOL_DEFAULT)
        device->default_pool_count++;
    mark_all(texture);
    rt_resource_init(&texture->res, &device->base, &texture_ops, false);
    *out = texture;
    return D3D_OK;
}

/* --- methods all kinds share ----------------------------------------------------------- */

HRESULT WINAPI d3d8_texture_query(void *iface, REFIID riid, void **out)
{
    static const IID *const ids[][5] = {
        {&IID_IDirect3DTexture8, &IID_IDirect3DBaseTexture8, &IID_IDirect3DResource8, &IID_IUnknown, NULL},
        {&IID_IDirect3DCubeTexture8, &IID_IDirect3DBaseTexture8, &IID_IDirect3DResource8, &IID_IUnknown, NULL},
        {&IID_IDirect3DVolumeTexture8, &IID_IDirect3DBaseTexture8, &IID_IDirect3DResource8, &IID_IUnknown, NULL},
    };
    D3DRESOURCETYPE type = d3d8_texture_of(iface)->type;

    return d3d8_query(iface, riid, ids[type == D3DRTYPE_CUBETEXTURE ? 1 : type == D3DRTYPE_VOLUMETEXTURE ? 2 : 0], out);
}

DWORD WINAPI d3d8_texture_set_priority(void *iface, DWORD priority)
{
    struct d3d8_texture *texture = iface;
    DWORD old;
    RT_LOCK(&texture->device->base);

    if (texture->pool != D3DPOOL_MANAGED)
        return 0;
    old = d3d8_object_set_priority(iface, priority);
    if (texture->video && priority != old)
        send_priority(texture);
    return old;
}

void WINAPI d3d8_texture_pre_load(void *iface)
{
    struct d3d8_texture *texture = iface;
    RT_LOCK(&texture->device->base);

    if (texture->pool == D3DPOOL_MANAGED)
        d3d8_texture_handle(&texture->res);
}

D3DRESOURCETYPE WINAPI d3d8_texture_get_type(void *iface)
{
    return d3d8_texture_of(iface)->type;
}

DWORD WINAPI d3d8_texture_set_lod(void *iface, DWORD lod)
{
    struct d3d8_texture *texture = iface;
    DWORD old = texture->lod;
    RT_LOCK(&texture->device->base);

    if (texture->pool != D3DPOOL_MANAGED)
        return 0;
    texture->lod = BASE_MIN(lod, texture->levels - 1);
    if (texture->video && texture->lod != old)
        send_lod(texture);
    return old;
}

DWORD WINAPI d3d8_texture_get_lod(void *iface)
{
    return d3d8_texture_of(iface)->lod;
}

DWORD WINAPI d3d8_texture_get_level_count(void *iface)
{
    return d3d8_texture_of(iface)->levels;
}

/* The driver manages resources too (D3DCAPS2_CANMANAGERESOURCE): of the memory that is announced to it, it hears what the
 * program says to have written. The level itself is copied by TEXBLT or VOLUMEBLT. */
static void send_dirty(struct d3d8_texture *texture, unsigned face, const D3DBOX *box)
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

HRESULT d3d8_texture_add_dirty_box(struct d3d8_texture *texture, unsigned face, const D3DBOX *box)
{
    D3DBOX all = full_box(texture);
    RT_LOCK(&texture->device->base);

    if (!box)
        box = &all;
    if (box->Left >= box->Right || box->Top >= box->Bottom || box->Front >= box->Back || !contains(&all, box))
        return D3DERR_INVALIDCALL;
    d3d8_texture_add_dirty(texture, face, box);
    send_dirty(texture, face, box);
    return D3D_OK;
}

HRESULT d3d8_texture_add_dirty_rect(struct d3d8_texture *texture, unsigned face, const RECT *rect)
{
    D3DBOX box;

    if (!rect)
        return d3d8_texture_add_dirty_box(texture, face, NULL);
    if (rect->left < 0 || rect->top < 0 || rect->right < 0 || rect->bottom < 0)
        return D3DERR_INVALIDCALL;
    box = (D3DBOX){(UINT)rect->left, (UINT)rect->top, (UINT)rect->right, (UINT)rect->bottom, 0, 1};
    return d3d8_texture_add_dirty_box(texture, face, &box);
}
