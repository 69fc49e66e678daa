/* SPDX-License-Identifier: MIT */
/*
 * COM objects with several interfaces. Each interface has a vtable and a count of its own; the object lives as long as the sum of
 * the counts is not 0. A registry knows the interfaces of living objects: every method first asks it whether a pointer is an interface
 * of the class and alive. Programs pass pointers to objects that they released, to other classes and to nothing at all, and get an
 * error. The structures of dead objects therefore keep their vtables (dd_object_create reuses the oldest ones).
 *
 * One lock of the process guards everything: dd_enter takes it for a method, and AcquireDDThreadLock gives it to programs. It is not
 * held while a program's callback runs.
 */
#ifndef HALCYON_DDRAW_INTERFACE_H
#define HALCYON_DDRAW_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/types.h"

struct dd_object;

/* An interface pointer of a program. Begins as DDRAWI_DIRECTDRAW_INT and DDRAWI_DDRAWSURFACE_INT: there are programs that follow the
 * second pointer to members of the documented structures behind it. */
struct dd_interface {
    void *vtbl; /* writable: programs patch vtables */
    void *lcl;  /* DDRAWI_DIRECTDRAW_LCL, DDRAWI_DDRAWSURFACE_LCL; NULL: none */
    struct dd_interface *link;
    DWORD count;
    struct dd_object *object;
    struct dd_interface *chain; /* of the registry */
};

/* One row for each interface of a class. */
struct dd_face {
    const GUID *id;
    void *vtbl;
    unsigned version; /* 1 to 4, 7 */
};

#define DD_MOST_FACES 6

struct dd_class {
    const char *name;
    size_t size;                 /* bytes of the structure, which begins with a dd_object */
    const struct dd_face *faces; /* the first one is IUnknown */
    unsigned face_count;
    bool
        guards_release; /* Release does nothing while the interface has another vtable (Wine's test_clipper_refcount) */
    HRESULT bad_pointer; /* of methods that are called with a pointer to something else, or to a dead object */
    /* No reference is left. The lock is held. NULL: nothing to do. */
    void (*destroy)(struct dd_object *object);
    /* QueryInterface's answer to unknown identifiers on an interface of `version`; NULL: E_NOINTERFACE. */
    HRESULT (*unknown)(const GUID *id, unsigned version);
};

struct dd_object {
    const struct dd_class *class;
    uint32_t refs; /* the sum of the counts */
    bool ready;    /* false: made by the class factory and not initialised, so methods answer DDERR_NOTINITIALIZED */
    bool owned;    /* lives as long as its owner, whatever its references are */
    bool ended;    /* dd_object_destroy has begun: references that are released now end nothing */
    struct dd_object *next; /* among the dead ones of the process */
    struct dd_interface faces[DD_MOST_FACES];
};

/* --- life ------------------------------------------------------------------------------ */

/* Called when the dll is loaded and unloaded. */
void dd_objects_open(void);
void dd_objects_close(void);

/* A zeroed object of the class, alive and ready, with no references. NULL: out of memory. The lock is held. */
struct dd_object *dd_object_create(const struct dd_class *class);
/* Removes it from the registry, then calls class->destroy. Its structure stays readable. */
void dd_object_destroy(struct dd_object *object);
/* Sets the second member of all interfaces. */
void dd_object_set_lcl(struct dd_object *object, void *lcl);

/* The interface of a version; NULL: the class has none. */
struct dd_interface *dd_face(struct dd_object *object, unsigned version);
ULONG dd_addref(struct dd_interface *face);
/* Destroys the object with its last reference, unless it is owned. */
ULONG dd_release(struct dd_interface *face);
/* The living object of the class whose interface this is, or NULL. */
struct dd_object *dd_find(const void *iface, const struct dd_class *class);

/* --- methods --------------------------------------------------------------------------- */

/* A method's call: the first argument of its implementation. */
struct dd_call {
    struct dd_interface *face;
    struct dd_object *object;
    unsigned version; /* of the interface */
};

/* Takes the lock if `iface` is a living interface of the class, and, with `ready`, of an initialised object. Otherwise the error
 * that the method answers; the lock is not held then. */
HRESULT dd_enter(struct dd_call *call, void *iface, const struct dd_class *class, bool ready);
void dd_leave(void);
/* Takes the lock without an interface, as when an object is created; dd_leave releases it. */
void dd_lock(void);
/* Give the lock to other threads around a callback, or while another thread's window gets messages. All of it: this thread may have the
 * lock several times, in a method that is called by the Release of private data or between AcquireDDThreadLock and ReleaseDDThreadLock.
 * dd_pause returns how often, which dd_resume takes. Objects may be destroyed meanwhile. */
unsigned dd_pause(void);
void dd_resume(unsigned depth);

/* IUnknown of all interfaces of a class. Errors: class->bad_pointer, E_INVALIDARG without `id`, DDERR_INVALIDPARAMS without `out`. */
HRESULT dd_query(void *iface, const struct dd_class *class, const GUID *id, void **out);
ULONG dd_method_addref(void *iface, const struct dd_class *class);
ULONG dd_method_release(void *iface, const struct dd_class *class);

#endif
