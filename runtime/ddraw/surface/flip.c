/* SPDX-License-Identifier: MIT */
/* Flip: surfaces of a chain exchange their memory. */
#include "runtime/ddraw/rules/flip.h"

#include "base/base.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/surface/surface.h"

/* A chain as it flips: its front, then the buffers in their order. */
struct buffers {
    struct surface *list[DDRAW_MOST_BACK_BUFFERS + 1];
    unsigned count;
};

static int find(const struct buffers *buffers, const struct surface *surface)
{
    for (unsigned i = 0; i < buffers->count; i++)
        if (buffers->list[i] == surface)
            return (int)i;
    return -1;
}

static void add(struct buffers *buffers, struct surface *surface)
{
    if (buffers->count < ARRAY_COUNT(buffers->list) && find(buffers, surface) < 0)
        buffers->list[buffers->count++] = surface;
}

/* The chain that CreateSurface has made. */
static void take_parts(struct buffers *buffers, struct surface *root)
{
    struct surface *s = root;

    do {
        add(buffers, s);
        s = s->attached;
    } while (s && s != root);
}

/* The front among surfaces that the program has attached to each other is the primary one; without one, that which was attached to
 * another (BackBufferAttachmentFlipTest). */
static void take_neighbours(struct buffers *buffers, struct surface *surface)
{
    unsigned front = 0;

    add(buffers, surface);
    for (unsigned i = 0; i < buffers->count; i++)
        for (struct surface *s = NULL; (s = surface_next_neighbour(buffers->list[i], s));)
            add(buffers, s);
    for (unsigned i = 0; i < buffers->count; i++) {
        if (buffers->list[i]->desc.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE) {
            front = i;
            break;
        }
        if (buffers->list[i]->holders)
            front = i;
    }
    surface = buffers->list[front];
    buffers->list[front] = buffers->list[0];
    buffers->list[0] = surface;
}

static struct buffers buffers_of(struct surface *surface)
{
    struct buffers buffers = {.count = 0};
    struct surface *root = surface->root;

    if (root->chain->desc.kind == RT_CHAIN_SWAP && root->chain->desc.levels > 1)
        take_parts(&buffers, root);
    else
        take_neighbours(&buffers, surface);
    return buffers;
}

/* No buffer may be locked, for all of them get other memory. */
static bool is_any_locked(const struct buffers *buffers)
{
    for (unsigned i = 0; i < buffers->count; i++)
        if (buffers->list[i]->locks.count || buffers->list[i]->locks.has_dc)
            return true;
    return false;
}

static HRESULT exchange(const struct surface *a, const struct surface *b)
{
    return rt_chain_exchange(a->root->chain, a->part, b->root->chain, b->part);
}

/* target 0: all move up by one. */
static HRESULT flip(const struct buffers *buffers, unsigned target)
{
    HRESULT hr = DD_OK;

    if (target)
        return exchange(buffers->list[0], buffers->list[target]);
    if (buffers->list[0]->root == buffers->list[1]->root)
        return rt_chain_flip(buffers->list[0]->root->chain);
    for (unsigned i = 0; i + 1 < buffers->count && SUCCEEDED(hr); i++)
        hr = exchange(buffers->list[i], buffers->list[i + 1]);
    return hr;
}

HRESULT surface_Flip(struct dd_call *call, void *given, DWORD flags)
{
    struct surface *surface = surface_of(call);
    const struct surface *target = (struct surface *)dd_find(given, &surface_class);
    const struct buffers buffers = buffers_of(surface);
    const struct surface *front = buffers.list[0];
    const struct ddraw_flip_facts facts = {.surface = (unsigned)find(&buffers, surface),
                                           .has_target = given,
                                           .target = target ? find(&buffers, target) : 0,
                                           .is_primary = front->desc.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE,
                                           .is_exclusive = front->ddraw->level.is_exclusive,
                                           .is_lost = front->is_lost || (target && target->is_lost),
                                           .is_locked = is_any_locked(&buffers)};
    struct ddraw_flips flips;
    HRESULT hr;

    if (given && !target)
        return DDERR_INVALIDOBJECT;
    ddraw_flips_init(&flips, buffers.count);
    hr = ddraw_check_flip(&flips, &facts);
    if (SUCCEEDED(hr))
        hr = flip(&buffers, (unsigned)facts.target);
    if (SUCCEEDED(hr))
        dd_front_flipped(surface, ddraw_flip_interval(flags), ddraw_flip_waits(call->version, flags));
    return hr;
}
