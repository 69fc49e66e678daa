/* SPDX-License-Identifier: MIT */
/*
 * The functions and the vtable of one interface of a class (thunk.h). A file includes this one for each version and defines before:
 *
 *   DD_FACE_VERSION       1, 2, 3, 4, 7
 *   DD_INTERFACE     the interface's type: IDirectDraw4
 *   DD_CLASS         what the names of implementations begin with: ddraw
 *   DD_OBJECTS       the dd_class
 *   DD_METHODS       the file with the table
 *
 * and the types of the table that depend on the version. It gets the vtable DD_CLASS_vtbl_DD_VERSION.
 */
/* clang-format off */
#define DD_IS_1(...) __VA_ARGS__
#if DD_FACE_VERSION == 1
#define DD_ONLY_1(...) __VA_ARGS__
#else
#define DD_ONLY_1(...)
#endif
#if DD_FACE_VERSION >= 2
#define DD_IS_2(...) __VA_ARGS__
#else
#define DD_IS_2(...)
#endif
#if DD_FACE_VERSION >= 3
#define DD_IS_3(...) __VA_ARGS__
#else
#define DD_IS_3(...)
#endif
#if DD_FACE_VERSION >= 4
#define DD_IS_4(...) __VA_ARGS__
#else
#define DD_IS_4(...)
#endif
#if DD_FACE_VERSION >= 7
#define DD_IS_7(...) __VA_ARGS__
#else
#define DD_IS_7(...)
#endif

DD_UNKNOWN(DD_INTERFACE, DD_OBJECTS)

#define METHOD(since, method, ...) \
    DD_IS_##since(DD_THUNK(DD_INTERFACE, DD_CLASS, DD_OBJECTS, method, method, true, __VA_ARGS__))
#define UNREADY(since, method, ...) \
    DD_IS_##since(DD_THUNK(DD_INTERFACE, DD_CLASS, DD_OBJECTS, method, method, false, __VA_ARGS__))
#define ONLY_1(method, ...) \
    DD_ONLY_1(DD_THUNK(DD_INTERFACE, DD_CLASS, DD_OBJECTS, method, method##_1, true, __VA_ARGS__))
#include DD_METHODS
#undef METHOD
#undef UNREADY
#undef ONLY_1

#define METHOD(since, method, ...)  DD_IS_##since(DD_ENTRY(DD_INTERFACE, method))
#define UNREADY                     METHOD
#define ONLY_1(method, ...)         DD_ONLY_1(DD_ENTRY(DD_INTERFACE, method))
static DD_JOIN(DD_INTERFACE, Vtbl, ) DD_JOIN(DD_CLASS, _vtbl_, DD_FACE_VERSION) = {
    DD_UNKNOWN_ENTRIES(DD_INTERFACE)
#include DD_METHODS
};
#undef METHOD
#undef UNREADY
#undef ONLY_1
#undef DD_IS_1
#undef DD_ONLY_1
#undef DD_IS_2
#undef DD_IS_3
#undef DD_IS_4
#undef DD_IS_7
#undef DD_FACE_VERSION
#undef DD_INTERFACE
/* clang-format on */
