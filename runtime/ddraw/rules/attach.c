/* SPDX-License-Identifier: MIT */
/* Attachments (test_surface_attachment of four versions, BackBufferAttachmentFlipTest). */
#include "runtime/ddraw/rules/attach.h"

#include <string.h>

#include "base/base.h"

/* Index of the attachment, or the count. version 0: any. */
static unsigned find(const struct ddraw_attachments *list, const void *surface, unsigned version)
{
    unsigned i = 0;

    while (i < list->count && (list->list[i].surface != surface || (version && list->list[i].version != version)))
        i++;
    return i;
}

static bool has(const struct ddraw_attachments *list, const void *surface, unsigned version)
{
    return find(list, surface, version) < list->count;
}

/* In versions before 7 plain surfaces and back buffers of one size and format become flip chains; textures never do. */
static bool makes_flip_chain(unsigned version, const struct ddraw_attach_side *to,
                             const struct ddraw_attach_side *surface)
{
    const DWORD kinds = DDSCAPS_PRIMARYSURFACE | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_BACKBUFFER;

    return version < 7 && to->caps & kinds && surface->caps & kinds &&
           !((to->caps | surface->caps) & DDSCAPS_TEXTURE) && to->format == surface->format;
}

HRESULT ddraw_attach(struct ddraw_attachments *list, const struct ddraw_attachments *reverse, unsigned version,
                     const struct ddraw_attach_side *to, const struct ddraw_attach_side *surface, bool is_part,
                     bool closes_circle)
{
    const bool is_depth = surface->caps & DDSCAPS_ZBUFFER && !(to->caps & DDSCAPS_ZBUFFER);

    if (to->surface == surface->surface)
        return DDERR_CANNOTATTACHSURFACE;
    if (is_part || has(list, surface->surface, version) || has(reverse, to->surface, version))
        return DDERR_SURFACEALREADYATTACHED;
    /* has: by another version's interface */
    if (closes_circle || has(list, surface->surface, 0) || has(reverse, to->surface, 0))
        return DDERR_CANNOTATTACHSURFACE;
    if (to->width != surface->width || to->height != surface->height)
        return DDERR_CANNOTATTACHSURFACE;
    if (is_depth ? ddraw_attached_depth(list) != NULL : !makes_flip_chain(version, to, surface))
        return DDERR_CANNOTATTACHSURFACE;
    if (list->count == DDRAW_MOST_ATTACHED)
        return DDERR_CANNOTATTACHSURFACE;
    list->list[list->count++] = (struct ddraw_attachment){surface->surface, version, is_depth};
    return DD_OK;
}

HRESULT ddraw_detach(struct ddraw_attachments *list, const struct ddraw_attachments *reverse, unsigned version,
                     const void *from, const void *surface, DWORD flags, bool is_part)
{
    const unsigned i = find(list, surface, version);

    if (flags)
        return DDERR_INVALIDPARAMS;
    if (is_part)
        return DDERR_CANNOTDETACHSURFACE;
    if (i == list->count)
        return has(reverse, from, version) ? DDERR_CANNOTDETACHSURFACE : DDERR_SURFACENOTATTACHED;
    list->count--;
    memmove(&list->list[i], &list->list[i + 1], (list->count - i) * sizeof(list->list[0]));
    return DD_OK;
}

const void *ddraw_attached_depth(const struct ddraw_attachments *list)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->list[i].is_depth)
            return list->list[i].surface;
    return NULL;
}
