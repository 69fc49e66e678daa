/* SPDX-License-Identifier: MIT */
/* Flip: surfaces of a chain exchange their memory. */
#include "runtime/ddraw/rules/flip.h"

#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/surface/surface.h"

/* No buffer may be locked, for all of them get other memory. */
static bool is_any_locked(const struct surface *root)
{
    for (const struct surface *s = root->ddraw->surfaces; s; s = s->next)
        if (s->root == root && (s->locks.count || s->locks.has_dc))
            return true;
    return false;
}

static int part_of(const struct surface *root, const struct surface *target)
{
    return target && target->root == root ? (int)target->part : -1;
}

HRESULT surface_Flip(struct dd_call *call, void *given, DWORD flags)
{
    struct surface *surface = surface_of(call), *root = surface->root;
    struct surface *target = (struct surface *)dd_find(given, &surface_class);
    const bool is_chain = root->chain->desc.kind == RT_CHAIN_SWAP;
    const struct ddraw_flip_facts facts = {.surface = surface->part,
                                           .has_target = given,
                                           .target = given ? part_of(root, target) : 0,
                                           .is_primary = root->desc.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE,
                                           .is_exclusive = root->ddraw->level.is_exclusive,
                                           .is_lost = root->is_lost || (target && target->is_lost),
                                           .is_locked = is_any_locked(root)};
    struct ddraw_flips flips;
    HRESULT hr;

    if (given && !target)
        return DDERR_INVALIDOBJECT;
    ddraw_flips_init(&flips, is_chain ? root->chain->desc.levels : 1);
    hr = ddraw_check_flip(&flips, &facts);
    if (SUCCEEDED(hr))
        hr = rt_chain_flip_to(root->chain, (unsigned)facts.target);
    if (SUCCEEDED(hr) && dd_is_front(root))
        dd_front_flipped(root, ddraw_flip_interval(flags), ddraw_flip_waits(call->version, flags));
    return hr;
}
