/* SPDX-License-Identifier: MIT */
/*
 * The interfaces of Direct3D 8 and 9 with their methods, from the tables of d3d/: what the translator knows of a call. The player,
 * which calls through vtables, gets numbers of methods from here.
 */
#ifndef HALCYON_TOOLS_IMPORT_METHODS_H
#define HALCYON_TOOLS_IMPORT_METHODS_H

#include "tools/import/classes.h"

#include <stdbool.h>
#include <stddef.h>

struct import_argument {
    const char *type, *name; /* "const RECT *", as in the tables */
    bool object;             /* an interface pointer is stored here */
};

struct import_method {
    const char *name, *result;               /* "HRESULT", "void"... */
    const struct import_argument *arguments; /* without `this`; ended by a type of NULL */
    unsigned count;
};

/* Version 8 or 9 of the API. */
unsigned import_class_version(enum import_class class);
const char *import_class_name(enum import_class class);
/* The class of an interface, "IDirect3DDevice9" or "IDirect3DDevice9Ex"; only the first `length` bytes count. CLASS_NONE: unknown, or of
 * several classes, such as IDirect3DBaseTexture9. */
enum import_class import_class_find(const char *name, size_t length);
/* Do objects of the class have this interface? */
bool import_class_is(enum import_class class, const char *name, size_t length);
/* How many methods the class has; 0: it is none. */
unsigned import_class_methods(enum import_class class);
/* NULL: the class has no such method. */
const struct import_method *import_method_find(enum import_class class, const char *name);

/* The one with a number in the vtable. NULL: there is none. */
const struct import_method *import_method_at(enum import_class class, unsigned slot);
/* Its number in the vtable of the class. */
unsigned import_method_slot(enum import_class class, const struct import_method *method);

#endif
