/* SPDX-License-Identifier: MIT */
/* The tables of methods as arrays. */
#include "tools/import/methods.h"

#include "base/base.h"
#include "base/each.h"

#include <string.h>

/* The arguments of each method. */
#define IS_VALUE                  false
#define IS_OBJECT                 true
#define ARGUMENT(type, name, how) {#type, #name, IS_##how},
#define INTERFACE(interface)
#define METHOD(interface, result, method, ...) \
    static const struct import_argument interface##_##method[] = {BASE_EACH(ARGUMENT, __VA_ARGS__){0}};
#define PROCEDURE(interface, method, ...) METHOD(interface, void, method, __VA_ARGS__)
#define END(interface)
#include "d3d/methods8.def"
#include "d3d/methods9.def"
#undef INTERFACE
#undef METHOD
#undef PROCEDURE
#undef END

/* The methods of each class. */
#define INTERFACE(interface) static const struct import_method methods_##interface[] = {
#define METHOD(interface, result, method, ...) \
    {#method, #result, interface##_##method, ARRAY_COUNT(interface##_##method) - 1},
#define PROCEDURE(interface, method, ...) METHOD(interface, void, method, __VA_ARGS__)
#define END(interface) \
    }                  \
    ;
/* clang-format off */
#include "d3d/methods8.def"
#include "d3d/methods9.def"
/* clang-format on */
#undef INTERFACE
#undef METHOD
#undef PROCEDURE
#undef END

static const struct {
    const char *name;
    const struct import_method *methods;
    unsigned count;
} classes[CLASS_COUNT] = {
#define INTERFACE(name) [CLASS_##name] = {#name, methods_##name, ARRAY_COUNT(methods_##name)},
#define METHOD(...)
#define PROCEDURE(...)
#define END(name)
#include "d3d/methods8.def"
#include "d3d/methods9.def"
};

unsigned import_class_version(enum import_class class)
{
    return class < CLASS_END_OF_8 ? 8 : 9;
}

const char *import_class_name(enum import_class class)
{
    return classes[class].name;
}

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

bool import_class_is(enum import_class class, const char *name, size_t length)
{
    const char *own = classes[class].name;
    const size_t size = own ? strlen(own) : 0;
    const char version = (char)('0' + import_class_version(class));

    if (!own)
        return false;
    if (is_word(own, name, length) || is_word("IUnknown", name, length) ||
        /* an object of version 9 has the Ex form of its interface */
        (size == length + 2 && memcmp(own, name, length) == 0 && strcmp(own + length, "Ex") == 0))
        return true;
    if (length < 2 || name[length - 1] != version)
        return false;
    if (is_word("IDirect3DBaseTexture", name, length - 1))
        return strstr(own, "Texture") != NULL;
    return is_word("IDirect3DResource", name, length - 1) &&
           (strstr(own, "Texture") || strstr(own, "Surface") || strstr(own, "Buffer"));
}

enum import_class import_class_find(const char *name, size_t length)
{
    for (unsigned i = CLASS_NONE + 1; i < CLASS_COUNT; i++)
        if (classes[i].name &&
            (is_word(classes[i].name, name, length) ||
             (strlen(classes[i].name) == length + 2 && import_class_is((enum import_class)i, name, length) &&
              memcmp(classes[i].name, name, length) == 0)))
            return (enum import_class)i;
    return CLASS_NONE;
}

const struct import_method *import_method_find(enum import_class class, const char *name)
{
    for (unsigned i = 0; i < classes[class].count; i++)
        if (strcmp(classes[class].methods[i].name, name) == 0)
            return &classes[class].methods[i];
    return NULL;
}

unsigned import_method_slot(enum import_class class, const struct import_method *method)
{
    return (unsigned)(method - classes[class].methods);
}

unsigned import_class_methods(enum import_class class)
{
    return classes[class].count;
}

const struct import_method *import_method_at(enum import_class class, unsigned slot)
{
    return class < CLASS_COUNT && slot < classes[class].count ? &classes[class].methods[slot] : NULL;
}
