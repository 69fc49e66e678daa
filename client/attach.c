/* SPDX-License-Identifier: MIT */
/* Attach lists, which say how surfaces hang together: levels below levels, faces and depth buffers on a surface, rings of buffers. */
#include "client/internal.h"

#include <stdlib.h>

#include "base/base.h"

#define MAX_ATTACHED 160 /* surfaces that hang together */

/* An attachment is an entry in two lists: of what is attached to one surface, and of what the other is attached to. */
struct attachment {
    ATTACHLIST to; /* first: an entry of an lpAttachList is an attachment */
    ATTACHLIST from;
};

static struct attachment *find_attachment(const struct client_surface *to, const struct client_surface *surface)
{
    for (ATTACHLIST *link = to->lcl.lpAttachList; link; link = link->lpLink)
        if (link->lpAttached == &surface->lcl)
            return (struct attachment *)link;
    return NULL;
}

bool client_link(struct client_surface *to, struct client_surface *surface)
{
    struct attachment *attachment = mem_calloc(1, sizeof(*attachment));

    if (!attachment)
        return false;
    attachment->to.lpAttached = &surface->lcl;
    attachment->to.lpLink = to->lcl.lpAttachList;
    to->lcl.lpAttachList = &attachment->to;
    to->lcl.dwFlags |= DDRAWISURF_ATTACHED;
    attachment->from.lpAttached = &to->lcl;
    attachment->from.lpLink = surface->lcl.lpAttachListFrom;
    surface->lcl.lpAttachListFrom = &attachment->from;
    surface->lcl.dwFlags |= DDRAWISURF_ATTACHED_FROM;
    return true;
}

static void take_out(ATTACHLIST **list, const ATTACHLIST *entry)
{
    while (*list != entry)
        list = &(*list)->lpLink;
    *list = entry->lpLink;
}

static void unlink_attachment(struct attachment *attachment)
{
    DDRAWI_DDRAWSURFACE_LCL *to = attachment->from.lpAttached, *surface = attachment->to.lpAttached;

    take_out(&to->lpAttachList, &attachment->to);
    take_out(&surface->lpAttachListFrom, &attachment->from);
    if (!to->lpAttachList)
        to->dwFlags &= ~(DWORD)DDRAWISURF_ATTACHED;
    if (!surface->lpAttachListFrom)
        surface->dwFlags &= ~(DWORD)DDRAWISURF_ATTACHED_FROM;
    free(attachment);
}

void client_unlink_all(struct client_surface *surface)
{
    while (surface->lcl.lpAttachList)
        unlink_attachment((struct attachment *)surface->lcl.lpAttachList);
    while (surface->lcl.lpAttachListFrom)
        unlink_attachment(find_attachment(client_surface_of(surface->lcl.lpAttachListFrom->lpAttached), surface));
}

struct client_surface *client_root_of(struct client_surface *surface)
{
    struct client_surface *root = surface;

    for (unsigned i = 0; i < MAX_ATTACHED && root->lcl.lpAttachListFrom; i++)
        root = client_surface_of(root->lcl.lpAttachListFrom->lpAttached);
    return root;
}

static HRESULT tell_attachment(struct client_surface *to, struct client_surface *surface)
{
    const struct client_driver *driver = to->client->driver;
    DDHAL_ADDATTACHEDSURFACEDATA data = {
        .lpDD = &to->client->gbl, .lpDDSurface = &to->lcl, .lpSurfAttached = &surface->lcl};

    if (driver->surface.AddAttachedSurface && driver->surface.AddAttachedSurface(&data) == DDHAL_DRIVER_HANDLED &&
        FAILED(data.ddRVal))
        return data.ddRVal;
    return client_announce(client_root_of(to));
}

HRESULT client_attach(struct client_surface *to, struct client_surface *surface)
{
    HRESULT hr;

    if (to == surface || to->client != surface->client)
        return DDERR_CANNOTATTACHSURFACE;
    if (find_attachment(to, surface))
        return DDERR_SURFACEALREADYATTACHED;
    if (!client_link(to, surface))
        return DDERR_OUTOFMEMORY;
    hr = tell_attachment(to, surface);
    if (FAILED(hr))
        unlink_attachment(find_attachment(to, surface));
    return hr;
}

HRESULT client_detach(struct client_surface *from, struct client_surface *surface)
{
    struct attachment *attachment = find_attachment(from, surface);
    HRESULT hr;

    if (!attachment)
        return DDERR_SURFACENOTATTACHED;
    unlink_attachment(attachment);
    hr = client_announce(client_root_of(from));
    return SUCCEEDED(hr) ? client_announce(client_root_of(surface)) : hr;
}
