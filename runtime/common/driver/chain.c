/* SPDX-License-Identifier: MIT */
/* Chains: memory of resources on both sides of the DDI, locks and copies between them. */
#include "base/base.h"
#include "base/behind.h"
#include "d3d/formats.h"
#include "d3d/planes.h"
#include "runtime/common/driver/formats.h"
#include "runtime/common/driver/layout.h"
#include "runtime/common/driver/link.h"

static bool is_buffer(const struct rt_chain_desc *desc)
{
    return desc->kind == RT_CHAIN_VERTEX || desc->kind == RT_CHAIN_INDEX;
}

/* Can all levels of a face be one surface? Those of targets, of dynamic textures and of formats that the runtime does not know
 * are not ("Handling Lightweight MIP Map Textures"). A texture with one level is not a MIP map. */
static bool can_be_light(const struct rt_chain *chain)
{
    const struct rt_chain_desc *d = &chain->desc;

    return rt_adapter_rules(rt_link_adapter(chain->link))->light_mips && d->levels > 1 &&
           (d->kind == RT_CHAIN_TEXTURE || d->kind == RT_CHAIN_VOLUME) && !d->is_target && !d->is_depth &&
           !d->dynamic && d->row_alignment <= 4 &&
           !(rt_format_info(d->format)->flags & (RT_FORMAT_VENDOR | RT_FORMAT_DEPTH));
}

static uint32_t client_usage(const struct rt_chain *chain)
{
    const struct rt_chain_desc *desc = &chain->desc;
    static const uint32_t usages[] = {
        [RT_CHAIN_TEXTURE] = CLIENT_TEXTURE,
        [RT_CHAIN_VOLUME] = CLIENT_TEXTURE | CLIENT_VOLUME,
        [RT_CHAIN_TARGET] = CLIENT_TARGET,
        [RT_CHAIN_DEPTH] = CLIENT_DEPTH,
        [RT_CHAIN_SWAP] = CLIENT_PRIMARY | CLIENT_TARGET,
        [RT_CHAIN_PLAIN] = 0,
        [RT_CHAIN_VERTEX] = CLIENT_VERTEX_BUFFER,
        [RT_CHAIN_INDEX] = CLIENT_INDEX_BUFFER,
    };
    uint32_t usage = usages[desc->kind];

    if (desc->kind == RT_CHAIN_SWAP && desc->is_hidden)
        usage = CLIENT_FLIP | (desc->is_texture ? CLIENT_TEXTURE : 0);
    else if (desc->kind == RT_CHAIN_SWAP && desc->format == D3DFMT_P8)
        usage &= ~(uint32_t)CLIENT_TARGET; /* nothing can be drawn into indices */
    if (desc->faces == 6)
        usage |= CLIENT_CUBE;
    if (desc->is_target)
        usage |= CLIENT_TARGET;
    if (desc->is_depth)
        usage |= CLIENT_DEPTH;
    if (desc->dynamic)
        usage |= CLIENT_DYNAMIC;
    if (desc->memory == RT_MEMORY_SYSTEM)
        usage |= CLIENT_SYSTEM_MEMORY;
    if (chain->is_light)
        usage |= CLIENT_LIGHTWEIGHT;
    return usage;
}

static void measure_part(struct rt_chain *chain, unsigned part)
{
    const struct rt_chain_desc *d = &chain->desc;
    unsigned level = d->kind == RT_CHAIN_SWAP ? 0 : part % d->levels;
    struct rt_part *p = &chain->parts[part];

    p->width = rt_level_size(d->width, level);
    p->height = rt_level_size(d->height ? d->height : 1, level);
    p->depth = rt_level_size(d->depth ? d->depth : 1, level);
}

static void use_memory_of_user(struct rt_chain *chain)
{
    const struct rt_format *format = rt_format_info(chain->desc.format);
    struct rt_part *p = &chain->parts[0];

    p->memory = chain->desc.user_memory;
    p->pitch = chain->desc.user_pitch;
    p->slice_pitch = p->pitch * (size_t)rt_format_rows(format, p->height);
}

/* Levels are contiguous; faces start at multiples of 16 bytes (programs rely on it). */
static bool allocate_system(struct rt_chain *chain)
{
    const struct rt_chain_desc *d = &chain->desc;
    const struct rt_format *format = is_buffer(d) ? NULL : rt_format_info(d->format);
    uint64_t end = 0;

    if (d->user_memory) {
        use_memory_of_user(chain);
        return true;
    }
    for (unsigned i = 0; i < chain->part_count; i++) {
        struct rt_part *p = &chain->parts[i];
        struct rt_place place;

        if (i % d->levels == 0 || d->kind == RT_CHAIN_SWAP)
            end = (end + 15) & ~(uint64_t)15;
        if (!rt_place_part(format, p->width, p->height, p->depth, BASE_MAX(d->row_alignment, 4u), RT_MOST_BYTES, &end,
                           &place))
            return false;
        p->pitch = (size_t)place.pitch;
        p->slice_pitch = (size_t)place.slice_pitch;
        p->memory = (uint8_t *)(uintptr_t)place.offset;
    }
    chain->memory = mem_alloc_aligned((size_t)end + 64);
    if (!chain->memory)
        return false;
    for (unsigned i = 0; i < chain->part_count; i++)
        chain->parts[i].memory = chain->memory + (uintptr_t)chain->parts[i].memory;
    return true;
}

static HRESULT create_client(struct rt_chain *chain)
{
    const struct rt_chain_desc *d = &chain->desc;
    struct client_chain_desc desc = {
        .usage = client_usage(chain),
        .format = is_buffer(d) ? 0 : d->format,
        .width = d->width,
        .height = is_buffer(d) ? 0 : d->height,
        .depth = d->kind == RT_CHAIN_VOLUME ? d->depth : 1,
        .levels = d->kind == RT_CHAIN_SWAP ? 1 : d->levels,
        .back_buffers = d->kind == RT_CHAIN_SWAP ? d->levels - 1 : 0,
        .samples = d->samples,
        .fvf = d->fvf,
    };
    /* parts of the runtime for each surface of the driver */
    const unsigned step = chain->is_light ? d->levels : 1, surfaces = chain->part_count / step;
    uint8_t **memory = NULL;
    size_t *pitch = NULL, *slice = NULL;
    HRESULT hr = E_OUTOFMEMORY;

    if (d->memory == RT_MEMORY_SYSTEM) {
        memory = mem_calloc(surfaces, sizeof(*memory));
        pitch = mem_calloc(surfaces, sizeof(*pitch));
        slice = mem_calloc(surfaces, sizeof(*slice));
        if (!memory || !pitch || !slice)
            goto done;
        for (unsigned i = 0; i < surfaces; i++) {
            memory[i] = chain->parts[i * step].memory;
            pitch[i] = chain->parts[i * step].pitch;
            slice[i] = chain->parts[i * step].slice_pitch;
        }
        desc.memory = memory;
        desc.pitch = pitch;
        desc.slice_pitch = slice;
    }
    hr = client_chain_create(rt_link_client(chain->link), &desc, &chain->client);
    for (unsigned i = 0; SUCCEEDED(hr) && i < surfaces; i++)
        chain->parts[i * step].surface = client_part(chain->client, i);
done:
    free(memory);
    free(pitch);
    free(slice);
    return hr;
}

HRESULT rt_chain_create(struct rt_link *link, const struct rt_chain_desc *desc, struct rt_chain **out)
{
    unsigned faces = desc->faces ? desc->faces : 1, levels = desc->levels ? desc->levels : 1;
    unsigned parts = faces * levels;
    struct rt_chain *chain = mem_calloc_behind(sizeof(*chain), parts, sizeof(struct rt_part));
    HRESULT hr;

    *out = NULL;
    if (!chain)
        return E_OUTOFMEMORY;
    chain->link = link;
    chain->desc = *desc;
    chain->desc.faces = faces;
    chain->desc.levels = levels;
    chain->part_count = parts;
    for (unsigned i = 0; i < parts; i++)
        measure_part(chain, i);
    if (desc->memory != RT_MEMORY_VIDEO && !allocate_system(chain)) {
        rt_chain_destroy(chain);
        return E_OUTOFMEMORY;
    }
    if (desc->memory != RT_MEMORY_UNSHARED) {
        chain->is_light = can_be_light(chain);
        hr = create_client(chain);
        if (FAILED(hr) && chain->is_light) {
            /* More bytes than the driver allows for a surface; the levels may be smaller. */
            chain->is_light = false;
            hr = create_client(chain);
        }
        if (FAILED(hr) && desc->memory == RT_MEMORY_SYSTEM) {
            /* A format that the driver cannot even copy stays in the runtime's memory. */
            chain->desc.memory = RT_MEMORY_UNSHARED;
            hr = DD_OK;
        }
        if (FAILED(hr)) {
            rt_chain_destroy(chain);
            return hr;
        }
    }
    *out = chain;
    return DD_OK;
}

void rt_chain_destroy(struct rt_chain *chain)
{
    if (!chain)
        return;
    if (chain->client) {
        rt_flush(chain->link);
        client_chain_destroy(chain->client);
    }
    mem_free_aligned(chain->memory);
    free(chain);
}

uint64_t rt_chain_bytes(const struct rt_chain *chain)
{
    const struct rt_format *format = rt_format_info(chain->desc.format);
    uint64_t bytes = 0;

    for (unsigned i = 0; i < chain->part_count; i++) {
        const struct rt_part *p = &chain->parts[i];
        bytes += is_buffer(&chain->desc)
                     ? p->width
                     : rt_format_pitch(format, p->width) * rt_format_rows(format, p->height) * p->depth;
    }
    return bytes;
}

uint32_t rt_chain_handle(const struct rt_chain *chain, unsigned part)
{
    return chain && chain->client && chain->parts[part].surface ? client_handle(chain->parts[part].surface) : 0;
}

/* A level keeps the format of its chain, and a lightweight MIP map is one surface. */
static bool is_rebindable(const struct rt_chain *chain, uint32_t format)
{
    return chain->desc.memory != RT_MEMORY_VIDEO && !is_buffer(&chain->desc) && chain->desc.kind != RT_CHAIN_VOLUME &&
           !chain->is_light && (chain->part_count == 1 || format == chain->desc.format);
}

static void use_memory(struct rt_chain *chain, unsigned part, const struct client_memory *memory)
{
    struct rt_part *p = &chain->parts[part];

    p->memory = memory->bits;
    p->width = memory->width;
    p->height = memory->height;
    p->pitch = memory->pitch;
    p->slice_pitch = memory->pitch * (size_t)rt_format_rows(rt_format_info(memory->format), memory->height);
    if (chain->part_count > 1)
        return; /* other parts may still have memory of the runtime's */
    mem_free_aligned(chain->memory);
    chain->memory = NULL;
    chain->desc.user_memory = memory->bits;
    chain->desc.user_pitch = memory->pitch;
    chain->desc.width = memory->width;
    chain->desc.height = memory->height;
    chain->desc.format = memory->format;
}

HRESULT rt_chain_rebind(struct rt_chain *chain, unsigned part, void *memory, size_t pitch, unsigned width,
                        unsigned height, uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);
    const struct client_memory other = {memory, pitch, width, height, format};
    HRESULT hr = DD_OK;

    if (!is_rebindable(chain, format) || !memory || !info || !width || !height ||
        pitch < (uint64_t)(width + info->block_width - 1) / info->block_width * info->block_bytes ||
        pitch * rt_format_rows(info, height) > RT_MOST_BYTES)
        return E_INVALIDARG;
    rt_flush(chain->link);
    if (chain->client)
        hr = client_surface_rebind(chain->parts[part].surface, &other);
    if (SUCCEEDED(hr))
        use_memory(chain, part, &other);
    return hr;
}

/* --- access ---------------------------------------------------------------------------- */

/* D3DLOCK_DONOTWAIT belongs to DirectX 9; our driver honours it for feedback. */
static uint32_t lock_flags(DWORD flags)
{
    uint32_t out = flags & DDLOCK_DONOTWAIT ? DDLOCK_DONOTWAIT : DDLOCK_WAIT;

    if (flags & D3DLOCK_READONLY)
        out |= DDLOCK_READONLY;
    if (flags & D3DLOCK_DISCARD)
        out |= DDLOCK_DISCARDCONTENTS;
    if (flags & D3DLOCK_NOOVERWRITE)
        out |= DDLOCK_NOOVERWRITE;
    return out;
}

/* The part whose surface holds this one: of lightweight MIP maps, that of the face's first level. */
static unsigned holder_of(const struct rt_chain *chain, unsigned part)
{
    return chain->is_light ? part - part % chain->desc.levels : part;
}

/* The levels of a lightweight MIP map can be locked at the same time, their surface once: as long as any of them is locked, and
 * only to be read if that is true of all. */
static HRESULT lock_light(struct rt_part *holder, DWORD flags, struct client_lock *lock)
{
    const bool again = holder->locks;
    HRESULT hr;

    flags &= ~(DWORD)D3DLOCK_DISCARD;
    if (again) {
        client_unlock(holder->surface);
        if (!(holder->lock_flags & D3DLOCK_READONLY))
            flags &= ~(DWORD)D3DLOCK_READONLY;
    }
    hr = client_lock(holder->surface, NULL, lock_flags(flags), lock);
    if (SUCCEEDED(hr)) {
        holder->locks++;
        holder->lock_flags = flags;
    } else if (again) {
        client_lock(holder->surface, NULL, lock_flags(holder->lock_flags), lock);
    }
    return hr;
}

/* Each unlock tells the driver of changes: it may draw while other levels are still locked. */
static void unlock_light(struct rt_part *holder)
{
    struct client_lock lock;

    if (!holder->locks)
        return;
    client_unlock(holder->surface);
    if (--holder->locks)
        client_lock(holder->surface, NULL, lock_flags(holder->lock_flags), &lock);
}

HRESULT rt_chain_lock(struct rt_chain *chain, unsigned part, DWORD flags, struct rt_mapping *mapping)
{
    struct rt_part *p = &chain->parts[part], *holder = &chain->parts[holder_of(chain, part)];
    struct client_lock lock = {NULL, 0, 0};
    struct client_place place = {.offset = 0};
    HRESULT hr;

    if (chain->client) {
        if (!(flags & D3DLOCK_NOOVERWRITE))
            rt_flush(chain->link);
        hr = chain->is_light ? lock_light(holder, flags, &lock)
                             : client_lock(p->surface, NULL, lock_flags(flags), &lock);
        if (FAILED(hr))
            return hr;
    }
    if (p->memory) {
        mapping->bits = p->memory;
        mapping->pitch = p->pitch;
        mapping->slice_pitch = p->slice_pitch;
        return DD_OK;
    }
    if (part != holder_of(chain, part)) {
        place = client_place_of(holder->surface, lock.pitch, lock.slice_pitch, part % chain->desc.levels);
        lock.pitch = place.pitch;
        lock.slice_pitch = place.slice_pitch;
    }
    mapping->bits = lock.bits + place.offset;
    mapping->pitch = lock.pitch;
    mapping->slice_pitch = lock.slice_pitch;
    return DD_OK;
}

void rt_chain_unlock(struct rt_chain *chain, unsigned part)
{
    if (!chain->client)
        return;
    if (chain->is_light)
        unlock_light(&chain->parts[holder_of(chain, part)]);
    else
        client_unlock(chain->parts[part].surface);
}

static RECT full_rect(const struct rt_chain *chain, unsigned part)
{
    RECT r = {0, 0, (LONG)chain->parts[part].width, (LONG)chain->parts[part].height};
    return r;
}

/* Rects are inside and of the same size; they are extended to whole blocks. */
static void move_blocks(const struct rt_format *f, const struct rt_mapping *to, const RECT *to_rect,
                        const struct rt_mapping *from, const RECT *from_rect)
{
    const size_t rows = (size_t)rt_format_rows(f, (unsigned)(from_rect->bottom - from_rect->top));
    const size_t bytes =
        (size_t)((from_rect->right - from_rect->left + f->block_width - 1) / f->block_width) * f->block_bytes;
    const uint8_t *s = from->bits + (size_t)(from_rect->top / f->block_height) * from->pitch +
                       (size_t)(from_rect->left / f->block_width) * f->block_bytes;
    uint8_t *d = to->bits + (size_t)(to_rect->top / f->block_height) * to->pitch +
                 (size_t)(to_rect->left / f->block_width) * f->block_bytes;

    for (size_t y = 0; y < rows; y++)
        memmove(d + y * to->pitch, s + y * from->pitch, bytes);
}

/* The same of planar formats: luma, and the chroma of all texels that are copied. Neither part is written beyond its end. */
static void move_planes(const struct rt_format *f, const struct rt_mapping *to, const struct rt_part *to_part,
                        const RECT *to_rect, const struct rt_mapping *from, const struct rt_part *from_part,
                        const RECT *from_rect)
{
    struct d3d_plane in[D3D_MOST_PLANES], out[D3D_MOST_PLANES];
    const bool interleaved = f->format == D3D_FORMAT_NV12;
    const unsigned count = d3d_planes_of(interleaved, from->pitch, from_part->height, in);

    d3d_planes_of(interleaved, to->pitch, to_part->height, out);
    for (unsigned i = 0; i < count; i++) {
        const unsigned side = in[i].side;
        const size_t x = (size_t)from_rect->left / side, y = (size_t)from_rect->top / side;
        const size_t to_x = (size_t)to_rect->left / side, to_y = (size_t)to_rect->top / side;
        const size_t columns = BASE_MIN(d3d_plane_samples(&in[i], (unsigned)from_rect->right) - x,
                                        d3d_plane_samples(&out[i], to_part->width) - to_x);
        const size_t rows = BASE_MIN(d3d_plane_samples(&in[i], (unsigned)from_rect->bottom) - y,
                                     d3d_plane_samples(&out[i], to_part->height) - to_y);

        for (size_t row = 0; row < rows; row++)
            memmove(to->bits + out[i].offset + (to_y + row) * out[i].pitch + to_x * out[i].bytes,
                    from->bits + in[i].offset + (y + row) * in[i].pitch + x * in[i].bytes, columns * in[i].bytes);
    }
}

static HRESULT copy_rows(struct rt_chain *to, unsigned to_part, const RECT *to_rect, struct rt_chain *from,
                         unsigned from_part, const RECT *from_rect)
{
    const struct rt_format *f = rt_format_info(to->desc.format);
    struct rt_mapping a, b;
    HRESULT hr = rt_chain_lock(from, from_part, D3DLOCK_READONLY, &a);

    if (FAILED(hr))
        return hr;
    hr = rt_chain_lock(to, to_part, 0, &b);
    if (FAILED(hr)) {
        rt_chain_unlock(from, from_part);
        return hr;
    }
    if (f->flags & RT_FORMAT_PLANAR)
        move_planes(f, &b, &to->parts[to_part], to_rect, &a, &from->parts[from_part], from_rect);
    else
        move_blocks(f, &b, to_rect, &a, from_rect);
    rt_chain_unlock(to, to_part);
    rt_chain_unlock(from, from_part);
    return DD_OK;
}

HRESULT rt_chain_copy(struct rt_chain *destination, unsigned destination_part, struct rt_chain *source,
                      unsigned source_part)
{
    const struct rt_part *p = &destination->parts[destination_part];
    const struct rt_format *f = rt_format_info(destination->desc.format);
    size_t bytes = (size_t)((p->width + f->block_width - 1) / f->block_width) * f->block_bytes;
    struct rt_mapping from, to;
    HRESULT hr = rt_chain_lock(source, source_part, D3DLOCK_READONLY, &from);

    if (FAILED(hr))
        return hr;
    hr = rt_chain_lock(destination, destination_part, 0, &to);
    if (SUCCEEDED(hr)) {
        for (unsigned z = 0; z < p->depth; z++) {
            for (unsigned y = 0; y < rt_format_rows(f, p->height); y++)
                memcpy(to.bits + z * to.slice_pitch + y * to.pitch, from.bits + z * from.slice_pitch + y * from.pitch,
                       bytes);
        }
        rt_chain_unlock(destination, destination_part);
    }
    rt_chain_unlock(source, source_part);
    return hr;
}

HRESULT rt_chain_blt(struct rt_chain *destination, unsigned destination_part, const RECT *destination_rect,
                     struct rt_chain *source, unsigned source_part, const RECT *source_rect, DWORD flags)
{
    RECT to = destination_rect ? *destination_rect : full_rect(destination, destination_part);
    RECT from = source_rect ? *source_rect : full_rect(source, source_part);
    HRESULT hr;

    rt_flush(destination->link);
    /* The callback has no number for a level. */
    if (!destination->client || !source->client || destination->is_light || source->is_light)
        return copy_rows(destination, destination_part, &to, source, source_part, &from);
    for (;;) {
        hr = client_blt(destination->parts[destination_part].surface, &to, source->parts[source_part].surface, &from,
                        flags);
        if (hr != (HRESULT)DDERR_WASSTILLDRAWING)
            break;
        Sleep(0);
    }
    return hr;
}

HRESULT rt_chain_blt_with(struct rt_chain *destination, unsigned destination_part, const RECT *destination_rect,
                          struct rt_chain *source, unsigned source_part, const RECT *source_rect,
                          const struct client_blt_effects *effects)
{
    rt_flush(destination->link);
    return client_blt_with(destination->parts[destination_part].surface, destination_rect,
                           source->parts[source_part].surface, source_rect, effects);
}

HRESULT rt_chain_fill(struct rt_chain *chain, unsigned part, const RECT *rect, bool is_depth, uint32_t value)
{
    struct client_surface *surface = chain->parts[part].surface;

    rt_flush(chain->link);
    return is_depth ? client_fill_depth(surface, rect, value) : client_fill(surface, rect, value);
}

/* --- flips ------------------------------------------------------------------------------ */

static struct client_memory memory_of(const struct rt_chain *chain, unsigned part)
{
    const struct rt_part *p = &chain->parts[part];

    return (struct client_memory){p->memory, p->pitch, p->width, p->height, chain->desc.format};
}

/* Who frees the memory of a chain of one part goes with it. */
static void exchange_owners(struct rt_chain *a, struct rt_chain *b)
{
    uint8_t *memory = a->memory;
    void *user_memory = a->desc.user_memory;

    a->memory = b->memory;
    b->memory = memory;
    a->desc.user_memory = b->desc.user_memory;
    b->desc.user_memory = user_memory;
}

/* Drivers flip their own memory. Of system memory each surface gets the other's (CreateSurfaceEx). */
static HRESULT exchange_system(struct rt_chain *a, unsigned a_part, struct rt_chain *b, unsigned b_part)
{
    const struct client_memory first = memory_of(a, a_part), second = memory_of(b, b_part);
    HRESULT hr = DD_OK;

    if (a->desc.memory == RT_MEMORY_VIDEO || b->desc.memory == RT_MEMORY_VIDEO || first.width != second.width ||
        first.height != second.height || first.format != second.format || first.pitch != second.pitch ||
        (a != b && (a->part_count > 1 || b->part_count > 1)))
        return DDERR_NOTFLIPPABLE;
    if (a->client)
        hr = client_surface_rebind(a->parts[a_part].surface, &second);
    if (SUCCEEDED(hr) && b->client)
        hr = client_surface_rebind(b->parts[b_part].surface, &first);
    if (FAILED(hr)) {
        if (a->client)
            client_surface_rebind(a->parts[a_part].surface, &first);
        return hr;
    }
    a->parts[a_part].memory = second.bits;
    b->parts[b_part].memory = first.bits;
    if (a != b)
        exchange_owners(a, b);
    return DD_OK;
}

HRESULT rt_chain_flip(struct rt_chain *chain)
{
    HRESULT hr = DD_OK;

    rt_flush(chain->link);
    if (chain->desc.memory == RT_MEMORY_VIDEO)
        return client_flip(chain->parts[0].surface, NULL, DDFLIP_WAIT);
    if (chain->part_count < 2)
        return DDERR_NOTFLIPPABLE;
    for (unsigned i = 0; i + 1 < chain->part_count && SUCCEEDED(hr); i++)
        hr = exchange_system(chain, i, chain, i + 1);
    return hr;
}

HRESULT rt_chain_exchange(struct rt_chain *front, unsigned front_part, struct rt_chain *other, unsigned other_part)
{
    rt_flush(front->link);
    if (front->desc.memory != RT_MEMORY_VIDEO || other->desc.memory != RT_MEMORY_VIDEO)
        return exchange_system(front, front_part, other, other_part);
    return client_flip(front->parts[front_part].surface, other->parts[other_part].surface,
                       DDFLIP_WAIT | HALCYON_FLIP_EXCHANGE);
}
