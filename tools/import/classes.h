/* SPDX-License-Identifier: MIT */
/* A number for each interface that objects have: what translator and player call an object's class. */
#ifndef HALCYON_TOOLS_IMPORT_CLASSES_H
#define HALCYON_TOOLS_IMPORT_CLASSES_H

#undef INTERFACE /* of the headers of COM */
#define INTERFACE(name) CLASS_##name,
#define METHOD(...)
#define PROCEDURE(...)
#define END(name)
enum import_class {
    CLASS_NONE,
#include "d3d/methods8.def"
    CLASS_END_OF_8, /* no class */
#include "d3d/methods9.def"
    CLASS_COUNT
};
#undef INTERFACE
#undef METHOD
#undef PROCEDURE
#undef END

#endif
