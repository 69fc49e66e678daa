/* SPDX-License-Identifier: MIT */
/* Interfaces, their counts, and the registry of those that are alive. */
#include "runtime/ddraw/object/interface.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Dead objects whose structures are kept before the first of them is reused. */
#define MOST_DEAD 256
#define BUCKETS   4096

static CRITICAL_SECTION lock;
static struct dd_interface *registry[BUCKETS];

/* Dead objects of all classes, the one that died first at the head. */
static struct dd_object *first_dead, **last_dead = &first_dead;
static unsigned dead_count;

/* --- the registry ---------------------------------------------------------------------- */

static struct dd_interface **bucket_of(const void *iface)
{
    uintptr_t number = (uintptr_t)iface / sizeof(void *);

    return &registry[(number ^ number >> 12) % BUCKETS];
}

static void enter_in_registry(struct dd_interface *face)
{
    struct dd_interface **bucket = bucket_of(face);

    face->chain = *bucket;
    *bucket = face;
}

static void remove_from_registry(struct dd_interface *face)
{
    struct dd_interface **at = bucket_of(face);

    while (*at != face)
        at = &(*at)->chain;
    *at = face->chain;
}

/* Compares addresses only: what the pointer points to may be anything. */
static struct dd_interface *find_interface(const void *iface, const struct dd_class *class)
{
    for (struct dd_interface *face = *bucket_of(iface); face; face = face->chain)
        if (face == iface)
            return face->object->class == class ? face : NULL;
    return NULL;
}

struct dd_object *dd_find(const void *iface, const struct dd_class *class)
{
    struct dd_interface *face = find_interface(iface, class);

    return face ? face->object : NULL;
}

/* --- life ------------------------------------------------------------------------------ */

void dd_objects_open(void)
{
    InitializeCriticalSection(&lock);
}

void dd_objects_close(void)
{
    while (first_dead) {
        struct dd_object *object = first_dead;

        first_dead = object->next;
        free(object);
    }
    last_dead = &first_dead;
    DeleteCriticalSection(&lock);
}

/* The structure of the object of this class that died first, or NULL as long as few are dead. */
static struct dd_object *take_dead(const struct dd_class *class)
{
    if (dead_count <= MOST_DEAD)
        return NULL;
    for (struct dd_object **at = &first_dead; *at; at = &(*at)->next) {
        struct dd_object *object = *at;

        if (object->class != class)
            continue;
        *at = object->next;
        if (last_dead == &object->next)
            last_dead = at;
        dead_count--;
        memset(object, 0, class->size);
        return object;
    }
    return NULL;
}

struct dd_object *dd_object_create(const struct dd_class *class)
{
    struct dd_object *object = take_dead(class);

    if (!object)
        object = mem_calloc(1, class->size);
    if (!object)
        return NULL;
    object->class = class;
    object->ready = true;
    for (unsigned i = 0; i < class->face_count; i++) {
        struct dd_interface *face = &object->faces[i];

        face->vtbl = class->faces[i].vtbl;
        face->object = object;
        face->link = i + 1 < class->face_count ? face + 1 : NULL;
        enter_in_registry(face);
    }
    return object;
}

void dd_object_destroy(struct dd_object *object)
{
    const struct dd_class *class = object->class;

    /* First, so that nothing finds the object while it is taken apart. */
    object->ended = true;
    for (unsigned i = 0; i < class->face_count; i++)
        remove_from_registry(&object->faces[i]);
    if (class->destroy)
        class->destroy(object);
    dd_object_set_lcl(object, NULL);
    object->next = NULL;
    *last_dead = object;
    last_dead = &object->next;
    dead_count++;
}

void dd_object_set_lcl(struct dd_object *object, void *lcl)
{
    for (unsigned i = 0; i < object->class->face_count; i++)
        object->faces[i].lcl = lcl;
}

struct dd_interface *dd_face(struct dd_object *object, unsigned version)
{
    for (unsigned i = 0; i < object->class->face_count; i++)
        if (object->class->faces[i].version == version)
            return &object->faces[i];
    return NULL;
}

ULONG dd_addref(struct dd_interface *face)
{
    face->object->refs++;
    return ++face->count;
}

ULONG dd_release(struct dd_interface *face)
{
    struct dd_object *object = face->object;

    if (!face->count)
        return 0;
    face->count--;
    if (!--object->refs && !object->owned && !object->ended) {
        dd_object_destroy(object);
        return 0;
    }
    return face->count;
}

/* --- methods --------------------------------------------------------------------------- */

static unsigned version_of(const struct dd_interface *face)
{
    return face->object->class->faces[face - face->object->faces].version;
}

HRESULT dd_enter(struct dd_call *call, void *iface, const struct dd_class *class, bool ready)
{
    struct dd_interface *face;

    EnterCriticalSection(&lock);
    face = find_interface(iface, class);
    if (!face) {
        LeaveCriticalSection(&lock);
        log_once(LOG_WARN, 0, "a method of %s is called with a pointer to something else, or to a dead object",
                 class->name);
        return class->bad_pointer;
    }
    if (ready && !face->object->ready) {
        LeaveCriticalSection(&lock);
        return DDERR_NOTINITIALIZED;
    }
    call->face = face;
    call->object = face->object;
    call->version = version_of(face);
    return DD_OK;
}

void dd_lock(void)
{
    EnterCriticalSection(&lock);
}

void dd_leave(void)
{
    LeaveCriticalSection(&lock);
}

unsigned dd_pause(void)
{
    const unsigned depth = (unsigned)lock.RecursionCount;

    for (unsigned i = 0; i < depth; i++)
        LeaveCriticalSection(&lock);
    return depth;
}

void dd_resume(unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        EnterCriticalSection(&lock);
}

/* --- IUnknown -------------------------------------------------------------------------- */

static struct dd_interface *face_of_id(struct dd_object *object, const GUID *id)
{
    if (IsEqualGUID(id, &IID_IUnknown))
        return &object->faces[0];
    for (unsigned i = 0; i < object->class->face_count; i++)
        if (IsEqualGUID(id, object->class->faces[i].id))
            return &object->faces[i];
    return NULL;
}

HRESULT dd_query(void *iface, const struct dd_class *class, const GUID *id, void **out)
{
    struct dd_call call;
    struct dd_interface *face;
    HRESULT hr = dd_enter(&call, iface, class, false);

    if (FAILED(hr))
        return hr;
    if (!out) {
        hr = DDERR_INVALIDPARAMS;
    } else if (!id) {
        *out = NULL;
        hr = E_INVALIDARG;
    } else {
        face = face_of_id(call.object, id);
        *out = face;
        if (face)
            dd_addref(face);
        else
            hr = class->unknown ? class->unknown(id, call.version) : E_NOINTERFACE;
    }
    dd_leave();
    return hr;
}

ULONG dd_method_addref(void *iface, const struct dd_class *class)
{
    struct dd_call call;
    ULONG count = 0;

    if (SUCCEEDED(dd_enter(&call, iface, class, false))) {
        count = dd_addref(call.face);
        dd_leave();
    }
    return count;
}

ULONG dd_method_release(void *iface, const struct dd_class *class)
{
    struct dd_call call;
    ULONG count = 0;

    if (SUCCEEDED(dd_enter(&call, iface, class, false))) {
        if (!class->guards_release || call.face->vtbl == class->faces[call.face - call.object->faces].vtbl)
            count = dd_release(call.face);
        dd_leave();
    }
    return count;
}
