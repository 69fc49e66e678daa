/* SPDX-License-Identifier: MIT */
/* The life of surfaces: CreateSurface, trees of a root and its parts, and their end. */
#include "runtime/ddraw/surface/surface.h"

#include <stdlib.h>

#include "client/client.h"
#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/surface/overlay.h"
#include "runtime/ddraw/surface/request.h"

static void unlink_surface(struct surface *surface)
{
    struct surface **at = &surface->ddraw->surfaces;

    while (*at != surface)
        at = &(*at)->next;
    *at = surface->next;
    overlay_end(surface);
    if (surface->ddraw->primary == surface) {
        dd_front_end(surface);
        surface->ddraw->primary = NULL;
    }
}

/* Releases what the surface holds. */
static void release_held(struct surface *surface)
{
    surface_end_locks(surface);
    surface_detach_all(surface);
    rt_private_data_clear(&surface->private_data);
    free(surface->gamma);
    surface->gamma = NULL;
    surface_forget_dead(surface);
    surface_hold_palette(surface, NULL);
    if (surface->clipper)
        dd_release(surface->clipper);
    surface->clipper = NULL;
}

static struct surface *find_part(const struct ddraw *ddraw, const struct surface *root)
{
    struct surface *s = ddraw->surfaces;

    while (s && s->root != root)
        s = s->next;
    return s;
}

/* The end of a root and its parts. Private data may hold the last references on other surfaces, and on the DirectDraw object, which
 * therefore lives until the end of this. */
static void destroy_surface(struct dd_object *object)
{
    struct surface *surface = (struct surface *)object, *part;
    struct ddraw *ddraw = surface->ddraw;
    const unsigned made_by =
        surface->made_by; /* 0: the DirectDraw object is ending, or the surface was never given away */

    unlink_surface(surface);
    if (surface->root != surface) {
        release_held(surface);
        return;
    }
    ddraw->object.refs += made_by != 0;
    release_held(surface);
    while ((part = find_part(ddraw, surface)))
        dd_object_destroy(&part->object);
    if (surface->chain)
        rt_chain_destroy(surface->chain);
    surface->chain = NULL;
    if (made_by >= 4)
        dd_release(dd_face(&ddraw->object, made_by));
    if (made_by && !--ddraw->object.refs)
        dd_object_destroy(&ddraw->object);
}

/* Identifiers of nothing that a surface has. Up to version 4 almost all of them are invalid arguments (Wine's test_surface_qi). */
static HRESULT unknown_id(const GUID *id, unsigned version)
{
    return version == 7 || IsEqualGUID(id, &IID_IDirectDrawColorControl) ? E_NOINTERFACE : E_INVALIDARG;
}

const struct dd_class surface_class = {
    .name = "IDirectDrawSurface",
    .size = sizeof(struct surface),
    .faces = surface_faces,
    .face_count = SURFACE_FACES,
    .bad_pointer = DDERR_INVALIDOBJECT,
    .destroy = destroy_surface,
    .unknown = unknown_id,
};

void surface_destroy_all(struct ddraw *ddraw)
{
    /* One surface may take others with it, which it held by an attachment or in its private data, and which do not know that the
     * DirectDraw object is ending already. */
    ddraw->object.refs++;
    while (ddraw->surfaces) {
        struct surface *root = ddraw->surfaces->root;

        root->made_by = 0; /* the DirectDraw object that it could hold is about to end */
        dd_object_destroy(&root->object);
    }
    ddraw->object.refs--;
}

/* --- creation -------------------------------------------------------------------------- */

/* A surface for a part of the chain. NULL: out of memory. */
static struct surface *make_part(struct ddraw *ddraw, const struct ddraw_plan *plan, struct rt_chain *chain,
                                 unsigned part)
{
    struct surface *surface = (struct surface *)dd_object_create(&surface_class);
    struct client_surface *driver = chain->parts[part].surface;

    if (!surface)
        return NULL;
    surface->ddraw = ddraw;
    surface->next = ddraw->surfaces;
    ddraw->surfaces = surface;
    surface->part = part;
    surface->desc = surface_describe(plan, chain, part);
    ddraw_keys_take(&surface->keys, &surface->desc);
    surface->unique = ++ddraw->unique;
    surface->root = surface;
    dd_object_set_lcl(&surface->object, driver ? &driver->lcl : NULL);
    return surface;
}

/* Makes `part` belong to the root. `last` was made before it. */
static void attach_part(struct surface *root, struct surface *part, struct surface *last)
{
    part->root = root;
    part->object.owned = true;
    if (root->chain->desc.kind != RT_CHAIN_SWAP && part->part % root->chain->desc.levels == 0) {
        part->next_face = root->next_face;
        root->next_face = part;
    } else {
        last->attached = part;
    }
}

/* The surfaces of a chain, which they take over. NULL: out of memory; the chain is the caller's. */
static struct surface *make_tree(struct ddraw *ddraw, const struct ddraw_plan *plan, struct rt_chain *chain)
{
    struct surface *root = NULL, *last = NULL;

    for (unsigned i = 0; i < ddraw_plan_parts(plan); i++) {
        struct surface *part = ddraw_plan_has(plan, i) ? make_part(ddraw, plan, chain, i) : NULL;

        if (!part && ddraw_plan_has(plan, i)) {
            if (root) {
                root->chain = NULL;
                dd_object_destroy(&root->object);
            }
            return NULL;
        }
        if (part && !root) {
            root = part;
            root->chain = chain;
        } else if (part) {
            attach_part(root, part, last);
        }
        last = part ? part : last;
    }
    if (root && chain->desc.kind == RT_CHAIN_SWAP && last != root)
        last->attached = root;
    return root;
}

static HRESULT create(struct dd_call *call, const DDSURFACEDESC2 *asked, struct surface **out)
{
    struct ddraw *ddraw = ddraw_of(call);
    struct ddraw_plan plan;
    struct rt_chain *chain;
    HRESULT hr = surface_request(ddraw, call->version, asked, &plan);

    if (FAILED(hr))
        return hr;
    hr = rt_chain_create(ddraw->link, &plan.chain, &chain);
    if (FAILED(hr))
        return hr == E_OUTOFMEMORY ? DDERR_OUTOFMEMORY : hr;
    *out = make_tree(ddraw, &plan, chain);
    if (!*out) {
        rt_chain_destroy(chain);
        return DDERR_OUTOFMEMORY;
    }
    overlay_begin(*out);
    if (plan.is_primary) {
        ddraw->primary = *out;
        dd_front_begin(*out);
    }
    return DD_OK;
}

HRESULT ddraw_CreateSurface(struct dd_call *call, void *desc, void *surface, IUnknown *outer)
{
    struct dd_interface **out = surface, *face;
    struct surface *made;
    DDSURFACEDESC2 asked;
    HRESULT hr;

    if (outer)
        return CLASS_E_NOAGGREGATION;
    if (!ddraw_of(call)->level.is_set) /* whatever the arguments are, and *out stays (test_coop_level_surf_create) */
        return DDERR_NOCOOPERATIVELEVELSET;
    if (!desc || !out)
        return DDERR_INVALIDPARAMS;
    *out = NULL;
    if (!ddraw_desc_accepts(DDRAW_DESC_CREATE, call->version, *(const DWORD *)desc))
        return DDERR_INVALIDPARAMS;
    ddraw_desc_read(&asked, desc, call->version);
    hr = create(call, &asked, &made);
    if (FAILED(hr))
        return hr;
    for (struct surface *s = ddraw_of(call)->surfaces; s; s = s->next) {
        if (s->root != made)
            continue;
        s->made_by = call->version;
        if (s != made) /* the root's reference, which programs see in the counts (test_primary_palette) */
            dd_addref(dd_face(&s->object, surface_version(call->version)));
    }
    if (call->version >= 4)
        dd_addref(call->face);
    face = dd_face(&made->object, surface_version(call->version));
    dd_addref(face);
    *out = face;
    return DD_OK;
}

HRESULT ddraw_DuplicateSurface(struct dd_call *call, void *surface, void *duplicate)
{
    (void)call;
    if (!duplicate || !dd_find(surface, &surface_class))
        return DDERR_INVALIDPARAMS;
    /* The original runtime has refused all since its versions for Windows NT. */
    *(void **)duplicate = NULL;
    return DDERR_CANTDUPLICATE;
}

HRESULT surface_Initialize(struct dd_call *call, IDirectDraw *ddraw, void *desc)
{
    (void)call;
    (void)ddraw;
    (void)desc;
    return DDERR_ALREADYINITIALIZED;
}
