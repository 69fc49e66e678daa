/* SPDX-License-Identifier: MIT */
/* Chains: surfaces that the driver makes in one call, attached to each other as DirectDraw attaches those of complex surfaces. */
#include "client/internal.h"

#include <stdlib.h>

#include "base/base.h"

/* Level to next level, +X to the other faces, flip chains in a ring. False: out of memory. */
static bool link_parts(struct client_chain *chain)
{
    bool linked = true;

    if (chain->usage & CLIENT_FLIPS) {
        for (unsigned i = 0; linked && chain->part_count > 1 && i < chain->part_count; i++)
            linked = client_link(chain->parts[i], chain->parts[(i + 1) % chain->part_count]);
        return linked;
    }
    for (unsigned face = 0; face < chain->faces; face++) {
        for (unsigned level = 0; linked && level + 1 < chain->face_parts; level++)
            linked = client_link(client_level(chain, face, level), client_level(chain, face, level + 1));
        if (linked && face)
            linked = client_link(chain->parts[0], client_level(chain, face, 0));
    }
    return linked;
}

static struct client_chain *make_chain(struct client *client, const struct client_chain_desc *desc)
{
    const unsigned parts = client_chain_parts(desc);
    struct client_chain *chain = mem_calloc(1, sizeof(*chain) + parts * sizeof(chain->parts[0]));

    if (!chain)
        return NULL;
    chain->usage = desc->usage;
    chain->format = desc->format;
    chain->levels = client_chain_levels(desc);
    chain->face_parts = client_face_parts(desc);
    chain->faces = desc->usage & CLIENT_FLIPS ? 1 : parts / chain->face_parts;
    while (chain->part_count < parts) {
        struct client_surface *surface = client_make_surface(client, desc, chain->part_count);

        if (!surface)
            break;
        chain->parts[chain->part_count++] = surface;
    }
    if (chain->part_count == parts && link_parts(chain))
        return chain;
    for (unsigned i = 0; i < chain->part_count; i++)
        client_free_surface(chain->parts[i]);
    free(chain);
    return NULL;
}

static HRESULT place_in_system_memory(struct client_chain *chain, const struct client_chain_desc *desc)
{
    HRESULT hr = DD_OK;

    chain->usage |= CLIENT_SYSTEM_MEMORY;
    for (unsigned i = 0; SUCCEEDED(hr) && i < chain->part_count; i++)
        hr = client_place_in_system_memory(chain->parts[i], desc);
    return hr;
}

HRESULT client_chain_create(struct client *client, const struct client_chain_desc *desc, struct client_chain **result)
{
    struct client_chain *chain;
    HRESULT hr;

    *result = NULL;
    if (!client_desc_is_sane(desc))
        return DDERR_INVALIDPARAMS;
    chain = make_chain(client, desc);
    if (!chain)
        return DDERR_OUTOFMEMORY;
    if (desc->usage & CLIENT_SYSTEM_MEMORY)
        hr = place_in_system_memory(chain, desc);
    else
        hr = client_create_in_driver(chain->parts, chain->part_count);
    if (FAILED(hr) && (desc->usage & CLIENT_BUFFER) && !(desc->usage & CLIENT_SYSTEM_MEMORY))
        hr = place_in_system_memory(chain, desc);
    if (SUCCEEDED(hr))
        hr = client_announce(chain->parts[0]);
    if (FAILED(hr)) {
        client_chain_destroy(chain);
        return hr;
    }
    *result = chain;
    return DD_OK;
}

void client_chain_destroy(struct client_chain *chain)
{
    if (!chain)
        return;
    if (chain->usage & CLIENT_SYSTEM_MEMORY)
        client_withdraw(chain->parts, chain->part_count);
    else
        for (unsigned i = 0; i < chain->part_count; i++)
            client_destroy_in_driver(chain->parts[i]);
    for (unsigned i = 0; i < chain->part_count; i++)
        client_free_surface(chain->parts[i]);
    free(chain);
}
