/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/surface/access.h"

#include "base/assert.h"

HRESULT surface_map(struct surface *surface, DWORD flags, struct rt_mapping *mapping)
{
    struct rt_chain *chain = surface->root->chain;
    const bool reads = flags & D3DLOCK_READONLY;
    HRESULT hr = DD_OK;

    if (surface->maps && surface->is_mapped_to_read && !reads) {
        /* A mapping to read becomes one to write. */
        rt_chain_unlock(chain, surface->part);
        hr = rt_chain_lock(chain, surface->part, flags & ~(DWORD)D3DLOCK_DISCARD, &surface->mapping);
        if (FAILED(hr)) {
            rt_chain_lock(chain, surface->part, D3DLOCK_READONLY, &surface->mapping);
            return hr;
        }
        surface->is_mapped_to_read = false;
    } else if (!surface->maps) {
        hr = rt_chain_lock(chain, surface->part, flags, &surface->mapping);
        if (FAILED(hr))
            return hr;
        surface->is_mapped_to_read = reads;
    }
    surface->maps++;
    *mapping = surface->mapping;
    return DD_OK;
}

void surface_unmap(struct surface *surface)
{
    BASE_ASSERT(surface->maps);
    if (!--surface->maps)
        rt_chain_unlock(surface->root->chain, surface->part);
}

void surface_suspend(struct surface *surface)
{
    if (surface->maps)
        rt_chain_unlock(surface->root->chain, surface->part);
}

void surface_resume(struct surface *surface)
{
    if (surface->maps)
        rt_chain_lock(surface->root->chain, surface->part, surface->is_mapped_to_read ? D3DLOCK_READONLY : 0,
                      &surface->mapping);
}
