/* SPDX-License-Identifier: MIT */
/* Clippers, which belong to no DirectDraw object. */
#include "runtime/ddraw/object/clipper.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/ddraw/object/ddraw.h"

#define METHOD(since, method, ...)  DD_IMPLEMENTATION(clipper, method, __VA_ARGS__)
#define UNREADY(since, method, ...) DD_IMPLEMENTATION(clipper, method, __VA_ARGS__)
#define DD_TABLE_CLIPPER
#include "runtime/ddraw/object/small.def"
#undef METHOD
#undef UNREADY

#define DD_CLASS        clipper
#define DD_OBJECTS      clipper_class
#define DD_METHODS      "runtime/ddraw/object/small.def"
#define DD_FACE_VERSION 1
#define DD_INTERFACE    IDirectDrawClipper
#include "runtime/ddraw/object/vtable.h"

static const struct dd_face faces[] = {{&IID_IDirectDrawClipper, &clipper_vtbl_1, 1}};

static struct clipper *clipper_of(const struct dd_call *call)
{
    return (struct clipper *)call->object;
}

static void destroy_clipper(struct dd_object *object)
{
    struct clipper *clipper = (struct clipper *)object;

    free(clipper->list);
    clipper->list = NULL;
}

const struct dd_class clipper_class = {
    .name = "IDirectDrawClipper",
    .size = sizeof(struct clipper),
    .faces = faces,
    .face_count = 1,
    .guards_release = true,
    .bad_pointer = DDERR_INVALIDPARAMS,
    .destroy = destroy_clipper,
};

static void *create(bool ready)
{
    struct dd_object *object;

    dd_lock();
    object = dd_object_create(&clipper_class);
    if (object) {
        object->ready = ready;
        dd_addref(&object->faces[0]);
    }
    dd_leave();
    return object ? &object->faces[0] : NULL;
}

void *clipper_create_unready(void)
{
    return create(false);
}

HRESULT clipper_create(DWORD flags, IDirectDrawClipper **out, IUnknown *outer)
{
    if (outer)
        return CLASS_E_NOAGGREGATION;
    if (!out || flags)
        return DDERR_INVALIDPARAMS;
    *out = create(true);
    return *out ? DD_OK : DDERR_OUTOFMEMORY;
}

HRESULT clipper_Initialize(struct dd_call *call, IDirectDraw *ddraw, DWORD flags)
{
    if (call->object->ready)
        return DDERR_ALREADYINITIALIZED;
    if (flags || (ddraw && !dd_find(ddraw, &ddraw_class)))
        return DDERR_INVALIDPARAMS;
    call->object->ready = true;
    return DD_OK;
}

/* --- the list -------------------------------------------------------------------------- */

/* Bytes of a list that keeps the rules: as many rectangles behind the header as it says. 0: it does not. dwSize may be more than that of
 * the header, which moves nothing: programs have a RGNDATA. */
static size_t bytes_of_list(const RGNDATA *list)
{
    const RGNDATAHEADER *head = &list->rdh;

    if (head->dwSize < sizeof(*head) || head->iType != RDH_RECTANGLES || !head->nCount ||
        head->nCount > (UINT32_MAX - sizeof(*head)) / sizeof(RECT))
        return 0;
    return sizeof(*head) + (size_t)head->nCount * sizeof(RECT);
}

HRESULT clipper_SetClipList(struct dd_call *call, RGNDATA *list, DWORD flags)
{
    struct clipper *clipper = clipper_of(call);
    RGNDATA *copy = NULL;
    size_t bytes = 0;

    if (clipper->window)
        return DDERR_CLIPPERISUSINGHWND;
    if (flags)
        return DDERR_INVALIDPARAMS;
    if (list) {
        bytes = bytes_of_list(list);
        if (!bytes)
            return DDERR_INVALIDCLIPLIST;
        copy = mem_alloc(1, bytes, 0);
        if (!copy)
            return DDERR_OUTOFMEMORY;
        memcpy(copy, list, bytes);
        copy->rdh.dwSize = sizeof(copy->rdh);
    }
    free(clipper->list);
    clipper->list = copy;
    clipper->bytes = bytes;
    return DD_OK;
}

/* The list as a region, cut by `rect`; NULL: no list, or GDI has no memory. */
static HRGN region_of(const struct clipper *clipper, const RECT *rect)
{
    HRGN region = NULL, part;

    if (clipper->window) {
        HDC dc = GetDC(clipper->window);

        /* what is visible of the window, in coordinates of the screen */
        region = CreateRectRgn(0, 0, 0, 0);
        if (dc && region)
            GetRandomRgn(dc, region, SYSRGN);
        if (dc)
            ReleaseDC(clipper->window, dc);
    } else if (clipper->list) {
        region = ExtCreateRegion(NULL, (DWORD)clipper->bytes, clipper->list);
    }
    if (region && rect) {
        part = CreateRectRgnIndirect(rect);
        if (part) {
            CombineRgn(region, region, part, RGN_AND);
            DeleteObject(part);
        }
    }
    return region;
}

/* The caller deletes *region. */
static HRESULT make_region(const struct clipper *clipper, const RECT *rect, HRGN *region)
{
    *region = NULL;
    if (!clipper->window && !clipper->list)
        return DDERR_NOCLIPLIST;
    if (clipper->window && !IsWindow(clipper->window))
        return E_FAIL;
    *region = region_of(clipper, rect);
    return *region ? DD_OK : DDERR_OUTOFMEMORY;
}

HRESULT clipper_region(const struct clipper *clipper, const RECT *rect, RGNDATA **data)
{
    HRGN region;
    DWORD bytes;
    HRESULT hr = make_region(clipper, rect, &region);

    *data = NULL;
    if (FAILED(hr))
        return hr;
    bytes = GetRegionData(region, 0, NULL);
    *data = bytes ? mem_alloc(1, bytes, 0) : NULL;
    if (*data)
        GetRegionData(region, bytes, *data);
    DeleteObject(region);
    return *data ? DD_OK : DDERR_OUTOFMEMORY;
}

HRESULT clipper_GetClipList(struct dd_call *call, RECT *rect, RGNDATA *list, DWORD *size)
{
    struct clipper *clipper = clipper_of(call);
    HRGN region;
    DWORD needed;
    HRESULT hr = size ? make_region(clipper, rect, &region) : DDERR_INVALIDPARAMS;

    if (FAILED(hr))
        return hr;
    needed = GetRegionData(region, 0, NULL);
    if (list && *size < needed)
        hr = DDERR_REGIONTOOSMALL;
    else if (list)
        GetRegionData(region, needed, list);
    *size = needed;
    DeleteObject(region);
    return hr;
}

HRESULT clipper_IsClipListChanged(struct dd_call *call, BOOL *changed)
{
    (void)call;
    if (!changed)
        return DDERR_INVALIDPARAMS;
    /* A window's list is read for each blit, so a change is never pending. */
    *changed = FALSE;
    return DD_OK;
}

HRESULT clipper_GetHWnd(struct dd_call *call, HWND *window)
{
    if (!window)
        return DDERR_INVALIDPARAMS;
    *window = clipper_of(call)->window;
    return DD_OK;
}

HRESULT clipper_SetHWnd(struct dd_call *call, DWORD flags, HWND window)
{
    if (flags)
        return DDERR_INVALIDPARAMS;
    clipper_of(call)->window = window;
    return DD_OK;
}
