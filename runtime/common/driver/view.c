/* SPDX-License-Identifier: MIT */
/* Reads and writes the squares of texels of enlarged chains. */
#include "runtime/common/driver/view.h"

#include <d3d8.h>

#include "base/base.h"
#include "base/behind.h"
#include "runtime/common/driver/formats.h"

/* --- texels ---------------------------------------------------------------------------- */

/* Where texels are, and how many in a square. */
struct grid {
    uint8_t *bits;
    size_t pitch;
    unsigned times;
};

static uint8_t *square(const struct grid *grid, LONG x, LONG y, size_t bytes)
{
    return grid->bits + (size_t)y * grid->times * grid->pitch + (size_t)x * grid->times * bytes;
}

static void fill_square(const struct grid *grid, LONG x, LONG y, const uint8_t *texel, size_t bytes)
{
    uint8_t *row = square(grid, x, y, bytes);

    for (unsigned j = 0; j < grid->times; j++, row += grid->pitch)
        for (unsigned i = 0; i < grid->times; i++)
            memcpy(row + i * bytes, texel, bytes);
}

static void copy_texels(const struct grid *to, POINT at, const struct grid *from, const RECT *rect, size_t bytes)
{
    for (LONG y = rect->top; y < rect->bottom; y++)
        for (LONG x = rect->left; x < rect->right; x++)
            fill_square(to, at.x + x - rect->left, at.y + y - rect->top, square(from, x, y, bytes), bytes);
}

static size_t texel_bytes(const struct rt_chain *chain)
{
    return rt_format_info(chain->desc.format)->block_bytes;
}

/* --- copies ---------------------------------------------------------------------------- */

/* A chain of the same size without samples, with their averages. */
static HRESULT resolve(const struct rt_view_of *source, struct rt_chain **resolved)
{
    const struct rt_part *part = &source->chain->parts[source->part];
    const struct rt_chain_desc desc = {.kind = RT_CHAIN_TARGET,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = source->chain->desc.format,
                                       .width = part->width,
                                       .height = part->height,
                                       .depth = 1,
                                       .levels = 1};
    HRESULT hr = rt_chain_create(source->chain->link, &desc, resolved);

    if (FAILED(hr))
        return hr;
    hr = rt_chain_blt(*resolved, 0, NULL, source->chain, source->part, NULL, 0);
    if (FAILED(hr)) {
        rt_chain_destroy(*resolved);
        *resolved = NULL;
    }
    return hr;
}

static HRESULT copy_locked(const struct rt_view_of *destination, POINT at, const struct rt_view_of *source,
                           const RECT *rect)
{
    struct rt_mapping from, to;
    HRESULT hr = rt_chain_lock(source->chain, source->part, D3DLOCK_READONLY, &from);

    if (FAILED(hr))
        return hr;
    hr = rt_chain_lock(destination->chain, destination->part, 0, &to);
    if (SUCCEEDED(hr)) {
        const struct grid a = {from.bits, from.pitch, source->times}, b = {to.bits, to.pitch, destination->times};

        copy_texels(&b, at, &a, rect, texel_bytes(destination->chain));
        rt_chain_unlock(destination->chain, destination->part);
    }
    rt_chain_unlock(source->chain, source->part);
    return hr;
}

HRESULT rt_view_copy(const struct rt_view_of *destination, POINT at, const struct rt_view_of *source, const RECT *rect)
{
    struct rt_view_of plain = *source;
    struct rt_chain *resolved = NULL;
    HRESULT hr = D3D_OK;

    if (texel_bytes(destination->chain) != texel_bytes(source->chain))
        return D3DERR_INVALIDCALL;
    if (source->chain->desc.samples) {
        hr = resolve(source, &resolved);
        plain.chain = resolved;
        plain.part = 0;
    }
    if (SUCCEEDED(hr))
        hr = copy_locked(destination, at, &plain, rect);
    rt_chain_destroy(resolved);
    return hr;
}

/* --- views ----------------------------------------------------------------------------- */

struct rt_view {
    struct rt_view_of of;
    unsigned width, height; /* the program's texels */
    size_t pitch;           /* bytes */
    bool writes;
    _Alignas(8) uint8_t bytes[]; /* what the program sees, and behind it, if it may write, what it saw first */
};

static struct grid grid_of(const struct rt_view *view, const struct rt_mapping *mapping)
{
    return (struct grid){mapping->bits, mapping->pitch, view->of.times};
}

static HRESULT read_view(struct rt_view *view)
{
    const RECT all = {0, 0, (LONG)view->width, (LONG)view->height};
    const struct grid to = {view->bytes, view->pitch, 1};
    struct rt_mapping map;
    struct grid from;
    HRESULT hr = rt_chain_lock(view->of.chain, view->of.part, D3DLOCK_READONLY, &map);

    if (FAILED(hr))
        return hr;
    from = grid_of(view, &map);
    copy_texels(&to, (POINT){0, 0}, &from, &all, texel_bytes(view->of.chain));
    rt_chain_unlock(view->of.chain, view->of.part);
    return hr;
}

HRESULT rt_view_open(const struct rt_view_of *of, DWORD flags, struct rt_view **out, struct rt_mapping *mapping)
{
    const struct rt_part *part = &of->chain->parts[of->part];
    const unsigned width = part->width / of->times, height = part->height / of->times;
    const bool writes = !(flags & D3DLOCK_READONLY);
    const size_t pitch = (size_t)rt_format_pitch(rt_format_info(of->chain->desc.format), width);
    struct rt_view *view = mem_calloc_behind(sizeof(*view), pitch, (size_t)height * (writes ? 2 : 1));
    HRESULT hr;

    *out = NULL;
    if (!view)
        return E_OUTOFMEMORY;
    view->of = *of;
    view->width = width;
    view->height = height;
    view->pitch = pitch;
    view->writes = writes;
    hr = read_view(view);
    if (FAILED(hr)) {
        free(view);
        return hr;
    }
    if (writes)
        memcpy(view->bytes + pitch * height, view->bytes, pitch * height);
    *mapping = (struct rt_mapping){view->bytes, pitch, pitch * height};
    *out = view;
    return D3D_OK;
}

static void write_row(const struct rt_view *view, const struct grid *to, unsigned y)
{
    const size_t bytes = texel_bytes(view->of.chain);
    const uint8_t *now = view->bytes + y * view->pitch, *before = now + view->pitch * view->height;

    for (unsigned x = 0; x < view->width; x++)
        if (memcmp(now + x * bytes, before + x * bytes, bytes))
            fill_square(to, (LONG)x, (LONG)y, now + x * bytes, bytes);
}

void rt_view_close(struct rt_view *view)
{
    const size_t size = view->pitch * view->height;
    struct rt_mapping map;

    if (view->writes && memcmp(view->bytes, view->bytes + size, size) &&
        SUCCEEDED(rt_chain_lock(view->of.chain, view->of.part, 0, &map))) {
        const struct grid to = grid_of(view, &map);

        for (unsigned y = 0; y < view->height; y++)
            write_row(view, &to, y);
        rt_chain_unlock(view->of.chain, view->of.part);
    }
    free(view);
}

void rt_view_drop(struct rt_view *view)
{
    free(view);
}
