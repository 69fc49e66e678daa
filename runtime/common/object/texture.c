/* SPDX-License-Identifier: MIT */
/* The driver's side of textures, and their life. */
#include "runtime/common/object/texture_parts.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/driver/formats.h"

/* --- the driver's side ----------------------------------------------------------------- */

void rt_texture_send_lod(struct rt_texture *texture)
{
    D3DHAL_DP2SETTEXLOD body = {rt_chain_handle(texture->video, 0), texture->lod};

    rt_put(texture->device->link, D3DDP2OP_SETTEXLOD, 1, &body, sizeof(body));
}

void rt_texture_send_priority(struct rt_texture *texture)
{
    D3DHAL_DP2SETPRIORITY body = {rt_chain_handle(texture->video, 0), texture->res.priority};

    rt_put(texture->device->link, D3DDP2OP_SETPRIORITY, 1, &body, sizeof(body));
}

/* The driver generates levels of all faces. */
void rt_texture_generate_mips(struct rt_texture *texture)
{
    const D3DHAL_DP2GENERATEMIPSUBLEVELS body = {rt_chain_handle(texture->video, 0), texture->mip_filter};

    texture->mips_stale = false;
    if (texture->generates_mips && texture->video)
        rt_put(texture->device->link, D3DDP2OP_GENERATEMIPSUBLEVELS, 1, &body, sizeof(body));
}

void rt_texture_upload(struct rt_texture *texture)
{
    if (!texture->video)
        return;
    if (texture->system && texture->pool == RT_POOL_MANAGED) {
        rt_texture_copy_dirty(texture, texture->video);
    } else if (texture->system && texture->stale) {
        D3DBOX all = rt_texture_box(texture);
        for (unsigned face = 0; face < texture->faces; face++)
            rt_texture_copy_box(texture, texture->video, face, &all);
    }
    texture->stale = false;
    if (texture->mips_stale)
        rt_texture_generate_mips(texture);
}

/* How many times as large as the program believes it is. */
static unsigned times_of(const struct rt_texture *texture)
{
    const struct rt_resolution_use use = {.width = texture->width,
                                          .height = texture->height,
                                          .usage = texture->usage,
                                          .is_texture = true,
                                          .has_levels = texture->levels > 1};

    return texture->type == D3DRTYPE_TEXTURE ? rt_resolution_times(&texture->device->resolution, &use) : 1;
}

static struct rt_chain_desc texture_chain_desc(const struct rt_texture *texture, enum rt_chain_memory memory)
{
    const bool generates = texture->generates_mips && memory == RT_MEMORY_VIDEO;
    const unsigned times = texture->pool == RT_POOL_DEFAULT ? times_of(texture) : 1;

    return (struct rt_chain_desc){
        .kind = texture->type == D3DRTYPE_VOLUMETEXTURE ? RT_CHAIN_VOLUME : RT_CHAIN_TEXTURE,
        .memory = memory,
        .format = texture->format,
        .width = texture->width * times,
        .height = texture->height * times,
        .depth = texture->depth,
        .levels = generates ? rt_full_chain(texture->width * times, texture->height * times, texture->depth)
                            : texture->levels,
        .faces = texture->faces,
        .is_target = texture->usage & D3DUSAGE_RENDERTARGET,
        .is_depth = texture->usage & D3DUSAGE_DEPTHSTENCIL,
        .dynamic = texture->usage & D3DUSAGE_DYNAMIC,
    };
}

static bool make_driver_side(struct rt_texture *texture)
{
    struct rt_device *device = texture->device;
    struct rt_chain_desc desc = texture_chain_desc(texture, RT_MEMORY_VIDEO);

    if (FAILED(rt_chain_create(device->link, &desc, &texture->video)))
        return false;
    rt_texture_all_dirty(texture);
    rt_texture_drawn_to(texture);
    if (texture->lod)
        rt_texture_send_lod(texture);
    if (texture->res.priority)
        rt_texture_send_priority(texture);
    if (!texture->is_managed_listed) {
        texture->next_managed = device->managed;
        device->managed = texture;
        texture->is_managed_listed = true;
    }
    return true;
}

uint32_t rt_texture_handle(struct rt_resource *resource)
{
    struct rt_texture *texture = RT_FROM_RES(rt_texture, resource);
    const struct rt_format *format = rt_format_info(texture->format);

    if (texture->pool == RT_POOL_SCRATCH)
        return 0;
    if (!texture->video && !make_driver_side(texture)) {
        log_error("no driver memory for a %ux%u texture", texture->width, texture->height);
        return 0;
    }
    if (format->flags & RT_FORMAT_PALETTE)
        texture->device->attention |= RT_HAS_PALETTES;
    rt_texture_upload(texture);
    texture->last_use = ++texture->device->uses;
    return rt_chain_handle(texture->video, 0);
}

/* --- eviction -------------------------------------------------------------------------- */

static void evict(struct rt_texture *texture)
{
    rt_chain_destroy(texture->video);
    texture->video = NULL;
    texture->palette = 0;
    rt_pipe_resend_textures(&texture->device->pipe);
}

static bool is_bound(const struct rt_texture *texture)
{
    const struct rt_state *state = &texture->device->pipe.state;

    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        if (state->texture[i] == &texture->res)
            return true;
    return false;
}

/* Goes before `other`. */
static bool is_less_useful(const struct rt_texture *texture, const struct rt_texture *other)
{
    if (is_bound(texture) != is_bound(other))
        return is_bound(other);
    if (texture->res.priority != other->res.priority)
        return texture->res.priority < other->res.priority;
    return texture->last_use < other->last_use;
}

void rt_textures_discard(struct rt_device *device, uint64_t bytes)
{
    uint64_t freed = 0;

    while (!bytes || freed < bytes) {
        struct rt_texture *least = NULL;
        for (struct rt_texture *t = device->managed; t; t = t->next_managed)
            if (t->video && t->pool == RT_POOL_MANAGED && (!least || is_less_useful(t, least)))
                least = t;
        if (!least)
            return;
        freed += rt_chain_bytes(least->video);
        evict(least);
    }
}

/* --- life ------------------------------------------------------------------------------ */

static void unlist(struct rt_texture *texture)
{
    struct rt_texture **place = &texture->device->managed;

    while (*place && *place != texture)
        place = &(*place)->next_managed;
    if (*place)
        *place = texture->next_managed;
}

static void free_texture(struct rt_texture *texture)
{
    rt_chain_destroy(texture->system);
    rt_chain_destroy(texture->video);
    free(texture->surfaces);
    free(texture->volumes);
    free(texture);
}

static void texture_destroy(struct rt_resource *resource)
{
    struct rt_texture *texture = RT_FROM_RES(rt_texture, resource);

    if (texture->is_managed_listed)
        unlist(texture);
    for (unsigned i = 0; texture->surfaces && i < texture->levels * texture->faces; i++)
        rt_private_data_clear(&texture->surfaces[i].res.private_data);
    for (unsigned i = 0; texture->volumes && i < texture->levels; i++)
        rt_private_data_clear(&texture->volumes[i].res.private_data);
    if (texture->pool == RT_POOL_DEFAULT)
        texture->device->default_pool_count--;
    free_texture(texture);
}

static const struct rt_resource_ops texture_ops = {texture_destroy};

static bool is_pow2(unsigned v)
{
    return !(v & (v - 1));
}

bool rt_texture_size_is_valid(const D3DCAPS8 *caps, const struct rt_texture_desc *desc)
{
    const struct rt_format *format = rt_format_info(desc->format);
    const bool regular = is_pow2(desc->width) && is_pow2(desc->height) && is_pow2(desc->depth);
    DWORD pow2 = D3DPTEXTURECAPS_POW2;

    if (!format || !desc->width || !desc->height || !desc->depth)
        return false;
    if ((format->flags & RT_FORMAT_BLOCKS) &&
        (desc->width % format->block_width || desc->height % format->block_height))
        return false;
    if (desc->width > 32768 || desc->height > 32768 || desc->depth > 4096 ||
        desc->levels > rt_full_chain(desc->width, desc->height, desc->depth))
        return false;
    if (desc->pool == RT_POOL_SCRATCH)
        return true;
    if (desc->type == D3DRTYPE_CUBETEXTURE)
        pow2 = D3DPTEXTURECAPS_CUBEMAP_POW2;
    if (desc->type == D3DRTYPE_VOLUMETEXTURE) {
        pow2 = D3DPTEXTURECAPS_VOLUMEMAP_POW2;
        if (BASE_MAX(BASE_MAX(desc->width, desc->height), desc->depth) > caps->MaxVolumeExtent)
            return false;
    } else if (desc->width > caps->MaxTextureWidth || desc->height > caps->MaxTextureHeight) {
        return false;
    }
    if (!(caps->TextureCaps & pow2) || regular)
        return true;
    return desc->type == D3DRTYPE_TEXTURE && (caps->TextureCaps & D3DPTEXTURECAPS_NONPOW2CONDITIONAL) &&
           desc->levels == 1;
}

static bool init_levels(struct rt_texture *texture)
{
    const unsigned parts = texture->levels * texture->faces;

    if (texture->type == D3DRTYPE_VOLUMETEXTURE) {
        texture->volumes = mem_calloc(parts, sizeof(*texture->volumes));
        for (unsigned i = 0; texture->volumes && i < parts; i++)
            rt_volume_init(&texture->volumes[i], texture, i);
        return texture->volumes != NULL;
    }
    texture->surfaces = mem_calloc(parts, sizeof(*texture->surfaces));
    for (unsigned i = 0; texture->surfaces && i < parts; i++) {
        struct rt_surface_desc desc = {.format = texture->format,
                                       .usage = texture->usage,
                                       .pool = texture->pool,
                                       .width = rt_level_size(texture->width, i % texture->levels),
                                       .height = rt_level_size(texture->height, i % texture->levels)};
        rt_surface_init_level(&texture->surfaces[i], texture, i, &desc);
    }
    return texture->surfaces != NULL;
}

static HRESULT create_memory(struct rt_texture *texture, void *user_memory)
{
    const struct rt_format *format = rt_format_info(texture->format);
    struct rt_chain_desc desc;

    if (texture->pool == RT_POOL_DEFAULT) {
        desc = texture_chain_desc(texture, RT_MEMORY_VIDEO);
        return rt_chain_create(texture->device->link, &desc, &texture->video);
    }
    desc = texture_chain_desc(texture, texture->pool == RT_POOL_SCRATCH ? RT_MEMORY_UNSHARED : RT_MEMORY_SYSTEM);
    desc.user_memory = user_memory;
    desc.user_pitch = (size_t)(texture->width + format->block_width - 1) / format->block_width * format->block_bytes;
    return rt_chain_create(texture->device->link, &desc, &texture->system);
}

static enum rt_kind kind_of(D3DRESOURCETYPE type)
{
    if (type == D3DRTYPE_CUBETEXTURE)
        return RT_KIND_CUBE_TEXTURE;
    return type == D3DRTYPE_VOLUMETEXTURE ? RT_KIND_VOLUME_TEXTURE : RT_KIND_TEXTURE;
}

HRESULT rt_texture_create(struct rt_device *device, const struct rt_texture_desc *desc, struct rt_texture **out)
{
    struct rt_texture *texture = mem_calloc(1, sizeof(*texture));
    HRESULT hr;

    *out = NULL;
    if (!texture)
        return E_OUTOFMEMORY;
    texture->device = device;
    texture->type = desc->type;
    texture->format = desc->format;
    texture->usage = desc->usage;
    texture->pool = desc->pool;
    texture->width = desc->width;
    texture->height = desc->height;
    texture->depth = desc->depth;
    texture->generates_mips = desc->generates_mips;
    texture->mip_filter = D3DTEXF_LINEAR;
    texture->levels = desc->levels ? desc->levels : rt_full_chain(desc->width, desc->height, desc->depth);
    if (texture->generates_mips)
        texture->levels = 1;
    texture->faces = desc->type == D3DRTYPE_CUBETEXTURE ? 6 : 1;
    hr = create_memory(texture, desc->memory);
    if (FAILED(hr)) {
        free_texture(texture);
        return hr;
    }
    /* The levels refer to the texture's resource, so they are made after it. */
    rt_object_init(texture, device, kind_of(desc->type), &texture_ops, false);
    if (texture->pool == RT_POOL_DEFAULT)
        device->default_pool_count++;
    if (!init_levels(texture)) {
        rt_object_Release(texture);
        return E_OUTOFMEMORY;
    }
    rt_texture_all_dirty(texture);
    *out = texture;
    return D3D_OK;
}
