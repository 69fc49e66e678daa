/* SPDX-License-Identifier: MIT */
/*
 * The objects of ddraw.dll, by the tables of its methods: every method of every interface on pointers to dead objects and other memory, and
 * random calls on those and on living ones. A program of that time passes such pointers and expects an error.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "base/each.h"
#include "tests/random.h"
#include "tests/runtime/ddraw_dll.h"

#define MOST_ARGUMENTS 6
#define CALLS          20000

/* --- the methods ----------------------------------------------------------------------- */

struct method {
    const char *name;
    unsigned since; /* the first version that has it; 0: version 1 alone */
    const char *types[MOST_ARGUMENTS + 1];
};

#define TYPE(type, name, how)       #type,
#define METHOD(since, method, ...)  {#method, since, {BASE_EACH(TYPE, __VA_ARGS__)}},
#define UNREADY(since, method, ...) {#method, since, {BASE_EACH(TYPE, __VA_ARGS__)}},
#define ONLY_1(method, ...)         {#method, 0, {BASE_EACH(TYPE, __VA_ARGS__)}},

static const struct method ddraw_methods[] = {
#include "runtime/ddraw/object/ddraw.def"
};
static const struct method surface_methods[] = {
#include "runtime/ddraw/surface/surface.def"
};
static const struct method clipper_methods[] = {
#define DD_TABLE_CLIPPER
#include "runtime/ddraw/object/small.def"
#undef DD_TABLE_CLIPPER
};
static const struct method palette_methods[] = {
#define DD_TABLE_PALETTE
#include "runtime/ddraw/object/small.def"
#undef DD_TABLE_PALETTE
};

/* An interface of a class that the program holds. */
struct held {
    const struct method *methods;
    unsigned method_count, version;
    IUnknown *pointer;
    void **vtbl; /* kept, because a dead object's must not be read */
};

typedef HRESULT(WINAPI *function0)(void *);
typedef HRESULT(WINAPI *function1)(void *, uintptr_t);
typedef HRESULT(WINAPI *function2)(void *, uintptr_t, uintptr_t);
typedef HRESULT(WINAPI *function3)(void *, uintptr_t, uintptr_t, uintptr_t);
typedef HRESULT(WINAPI *function4)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef HRESULT(WINAPI *function5)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static bool has_method(const struct held *face, const struct method *method)
{
    return method->since ? face->version >= method->since : face->version == 1;
}

/* The methods follow those of IUnknown in the order of the table. */
static void *function_of(const struct held *face, const struct method *method)
{
    unsigned slot = 3;

    for (const struct method *m = face->methods; m < method; m++)
        slot += has_method(face, m);
    return face->vtbl[slot];
}

/* --- arguments ------------------------------------------------------------------------- */

static HRESULT WINAPI fake_query(IUnknown *iface, REFIID id, void **out)
{
    (void)iface;
    (void)id;
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG WINAPI fake_count(IUnknown *iface)
{
    (void)iface;
    return 1;
}

static IUnknownVtbl fake_vtbl = {fake_query, fake_count, fake_count};
/* Pointers to data and to foreign objects point here: an object, and bytes enough for every structure. */
static union {
    IUnknown object;
    uint8_t bytes[65536];
} fake = {{&fake_vtbl}};
static uint32_t scratch[16384];
static void *made; /* an object that a method has returned */

static HRESULT CALLBACK enumerated(void *first, void *second, void *third)
{
    (void)second;
    (void)third;
    (void)first;
    return random_one_in(2) ? DDENUMRET_OK : DDENUMRET_CANCEL;
}

#define MOST_INTERFACES 16
static struct held living[MOST_INTERFACES];
static unsigned living_count;
static IUnknown *dead[8];
static unsigned dead_count;

/* A pointer to anything except for an interface of a living object. */
static void *bad_pointer(void)
{
    switch (random_below(5)) {
    case 0:
        return NULL;
    case 1:
        return (uint8_t *)living[random_below(living_count)].pointer + 1 + random_below(7);
    case 2:
        return dead_count ? dead[random_below(dead_count)] : NULL;
    case 3:
        return &fake;
    default:
        return (void *)(uintptr_t)0xdeadbeef;
    }
}

static void fill_scratch(void)
{
    static const uint32_t sizes[] = {0,
                                     1,
                                     sizeof(DDSURFACEDESC),
                                     sizeof(DDSURFACEDESC2),
                                     sizeof(DDCAPS_DX3),
                                     sizeof(DDCAPS_DX7),
                                     sizeof(RGNDATAHEADER)};

    for (unsigned i = 0; i < 64; i++)
        scratch[i] = random_one_in(4) ? random_word() : random_below(8);
    scratch[0] = sizes[random_below(ARRAY_COUNT(sizes))];
    scratch[2] = random_below(8); /* the number of rectangles of a clip list */
}

static uintptr_t argument(const char *type)
{
    const size_t length = strlen(type);

    if (strstr(type, "CALLBACK"))
        return random_one_in(8) ? 0 : (uintptr_t)enumerated;
    if (!strcmp(type, "HWND") || !strcmp(type, "HDC") || !strcmp(type, "HANDLE"))
        return 0;
    if (type[length - 1] != '*' && !strstr(type, "GUID"))
        return random_one_in(3) ? random_word() : random_one_in(2) ? random_below(4) : 1u << random_below(32);
    if (random_one_in(8))
        return 0;
    if (length > 2 && type[length - 2] == '*')
        return (uintptr_t)&made;
    if (strstr(type, "SURFACE") || strstr(type, "IDirectDraw"))
        return (uintptr_t)(random_one_in(2) ? bad_pointer() : living[random_below(living_count)].pointer);
    if (!strcmp(type, "void *") || !strcmp(type, "IUnknown *"))
        return (uintptr_t)&fake;
    return (uintptr_t)scratch;
}

/* Calls the method of the interface's vtable on `pointer`, and releases what it returns. */
static HRESULT call(const struct held *face, const struct method *method, void *pointer)
{
    void *function = function_of(face, method);
    uintptr_t a[MOST_ARGUMENTS] = {0};
    unsigned count = 0;
    HRESULT hr = E_FAIL;

    fill_scratch();
    made = NULL;
    for (; method->types[count]; count++)
        a[count] = argument(method->types[count]);
    if (!strcmp(method->name, "SetPrivateData"))
        a[2] %= sizeof(fake); /* as many bytes as there are */
    switch (count) {
    case 0:
        hr = ((function0)function)(pointer);
        break;
    case 1:
        hr = ((function1)function)(pointer, a[0]);
        break;
    case 2:
        hr = ((function2)function)(pointer, a[0], a[1]);
        break;
    case 3:
        hr = ((function3)function)(pointer, a[0], a[1], a[2]);
        break;
    case 4:
        hr = ((function4)function)(pointer, a[0], a[1], a[2], a[3]);
        break;
    case 5:
        hr = ((function5)function)(pointer, a[0], a[1], a[2], a[3], a[4]);
        break;
    default:
        failed(__FILE__, __LINE__, "%s has %u arguments", method->name, count);
    }
    if (SUCCEEDED(hr) && made)
        ((IUnknown *)made)->lpVtbl->Release(made);
    return hr;
}

/* --- objects --------------------------------------------------------------------------- */

typedef HRESULT(WINAPI *create_ex)(GUID *driver, void **ddraw, REFIID id, IUnknown *outer);

static HMODULE library;

static void add(void *pointer, const struct method *methods, unsigned count, unsigned version)
{
    struct held *face = &living[living_count++];

    face->pointer = pointer;
    face->vtbl = *(void ***)pointer;
    face->methods = methods;
    face->method_count = count;
    face->version = version;
}

/* The interfaces of a class, by QueryInterface of the first one. */
static void add_versions(IUnknown *object, const GUID *const *ids, const unsigned *versions,
                         const struct method *methods, unsigned count)
{
    void *pointer;

    for (; *ids; ids++, versions++) {
        CHECK_HR(object->lpVtbl->QueryInterface(object, *ids, &pointer), DD_OK);
        add(pointer, methods, count, *versions);
    }
}

static IDirectDrawSurface7 *make_surface(IDirectDraw7 *ddraw)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT};
    IDirectDrawSurface7 *surface = NULL;

    desc.dwWidth = desc.dwHeight = 16;
    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN;
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &surface, NULL), DD_OK);
    return surface;
}

/* All classes in all versions, alive, and some dead objects. Without ddraw.dll: a failure. */
static IDirectDraw7 *open_objects(void)
{
    static const GUID *const ddraw_ids[] = {&IID_IDirectDraw, &IID_IDirectDraw2, &IID_IDirectDraw4, &IID_IDirectDraw7,
                                            NULL};
    static const unsigned ddraw_versions[] = {1, 2, 4, 7};
    static const GUID *const surface_ids[] = {&IID_IDirectDrawSurface,  &IID_IDirectDrawSurface2,
                                              &IID_IDirectDrawSurface3, &IID_IDirectDrawSurface4,
                                              &IID_IDirectDrawSurface7, NULL};
    static const unsigned surface_versions[] = {1, 2, 3, 4, 7};
    static PALETTEENTRY entries[256];
    create_ex create = (create_ex)(void *)GetProcAddress(library, "DirectDrawCreateEx");
    IDirectDraw7 *ddraw = NULL;
    IDirectDrawSurface7 *surface;
    IDirectDrawClipper *clipper = NULL;
    IDirectDrawPalette *palette = NULL;

    living_count = dead_count = 0;
    CHECK_HR(create(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL), DD_OK);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, NULL, DDSCL_NORMAL), DD_OK);
    add_versions((IUnknown *)ddraw, ddraw_ids, ddraw_versions, ddraw_methods, ARRAY_COUNT(ddraw_methods));
    surface = make_surface(ddraw);
    add_versions((IUnknown *)surface, surface_ids, surface_versions, surface_methods, ARRAY_COUNT(surface_methods));
    IDirectDrawSurface7_Release(surface);
    CHECK_HR(IDirectDraw7_CreateClipper(ddraw, 0, &clipper, NULL), DD_OK);
    add(clipper, clipper_methods, ARRAY_COUNT(clipper_methods), 1);
    CHECK_HR(IDirectDraw7_CreatePalette(ddraw, DDPCAPS_8BIT, entries, &palette, NULL), DD_OK);
    add(palette, palette_methods, ARRAY_COUNT(palette_methods), 1);
    for (unsigned i = 0; i < ARRAY_COUNT(dead); i++) {
        surface = make_surface(ddraw);
        dead[dead_count++] = (IUnknown *)surface;
        CHECK_EQUAL(IDirectDrawSurface7_Release(surface), 0);
    }
    return ddraw;
}

/* Random calls may have released references: only the object that is left at the end is checked. */
static void close_objects(IDirectDraw7 *ddraw)
{
    for (unsigned i = 0; i < living_count; i++)
        living[i].pointer->lpVtbl->Release(living[i].pointer);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
}

/* --- tests ----------------------------------------------------------------------------- */

static void every_method_on_bad_pointers(void)
{
    IDirectDraw7 *ddraw = open_objects();

    for (unsigned i = 0; i < living_count; i++) {
        const struct held *face = &living[i];

        for (unsigned m = 0; m < face->method_count; m++) {
            for (unsigned round = 0; has_method(face, &face->methods[m]) && round < 8; round++) {
                HRESULT hr = call(face, &face->methods[m], bad_pointer());

                if (SUCCEEDED(hr))
                    failed(__FILE__, __LINE__, "%s of version %u: %08lx", face->methods[m].name, face->version,
                           (unsigned long)hr);
            }
        }
    }
    close_objects(ddraw);
}

static void counts_of_dead_objects(void)
{
    IDirectDraw7 *ddraw = open_objects();

    for (unsigned i = 0; i < dead_count; i++) {
        void *out = &out;

        /* through the dead object's own vtable */
        CHECK_EQUAL(dead[i]->lpVtbl->AddRef(dead[i]), 0);
        CHECK_EQUAL(dead[i]->lpVtbl->Release(dead[i]), 0);
        CHECK(FAILED(dead[i]->lpVtbl->QueryInterface(dead[i], &IID_IUnknown, &out)));
    }
    close_objects(ddraw);
}

static void random_calls(void)
{
    IDirectDraw7 *ddraw = open_objects();

    for (unsigned i = 0; i < CALLS; i++) {
        const struct held *face = &living[random_below(living_count)];
        const struct method *method = &face->methods[random_below(face->method_count)];

        if (has_method(face, method) && strcmp(method->name, "WaitForVerticalBlank"))
            call(face, method, random_one_in(4) ? bad_pointer() : (void *)face->pointer);
    }
    pump();
    close_objects(ddraw);
}

/* The counts of the interfaces are their own, and the object lives as long as one of them is not 0. */
static void counts_of_interfaces(void)
{
    create_ex create = (create_ex)(void *)GetProcAddress(library, "DirectDrawCreateEx");
    IDirectDraw7 *ddraw7 = NULL;
    IDirectDraw *ddraw1 = NULL;
    IUnknown *unknown = NULL;
    DWORD frequency = 0;

    CHECK_HR(create(NULL, (void **)&ddraw7, &IID_IDirectDraw7, NULL), DD_OK);
    CHECK_HR(IDirectDraw7_QueryInterface(ddraw7, &IID_IDirectDraw, (void **)&ddraw1), DD_OK);
    CHECK_HR(IDirectDraw7_QueryInterface(ddraw7, &IID_IUnknown, (void **)&unknown), DD_OK);
    CHECK(unknown == (IUnknown *)ddraw1);
    CHECK_EQUAL(IDirectDraw_AddRef(ddraw1), 3);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw7), 0);
    /* still alive */
    CHECK_HR(IDirectDraw7_GetMonitorFrequency(ddraw7, &frequency), DD_OK);
    CHECK(frequency != 0);
    CHECK_EQUAL(IDirectDraw_Release(ddraw1), 2);
    CHECK_EQUAL(IDirectDraw_Release(ddraw1), 1);
    CHECK_EQUAL(IDirectDraw_Release(ddraw1), 0);
    CHECK_HR(IDirectDraw7_GetMonitorFrequency(ddraw7, &frequency), DDERR_INVALIDOBJECT);
}

/* The last reference on a DirectDraw object, and on another surface, may be private data of a surface. */
static void references_of_private_data(void)
{
    create_ex create = (create_ex)(void *)GetProcAddress(library, "DirectDrawCreateEx");
    IDirectDraw7 *ddraw = NULL;
    IDirectDraw *ddraw1 = NULL;
    IDirectDrawSurface7 *first, *second;
    IDirectDrawSurface *old = NULL;
    DDSURFACEDESC desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_WIDTH | DDSD_HEIGHT, .dwWidth = 8, .dwHeight = 8};

    CHECK_HR(create(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL), DD_OK);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, NULL, DDSCL_NORMAL), DD_OK);
    first = make_surface(ddraw);
    second = make_surface(ddraw);
    CHECK_HR(IDirectDrawSurface7_SetPrivateData(first, &IID_IUnknown, second, sizeof(void *), DDSPD_IUNKNOWNPOINTER),
             DD_OK);
    CHECK_EQUAL(IDirectDrawSurface7_Release(second), 1);
    CHECK_EQUAL(IDirectDrawSurface7_Release(first), 0);
    CHECK_EQUAL(IDirectDrawSurface7_Release(second), 0);
    CHECK_HR(IDirectDraw7_QueryInterface(ddraw, &IID_IDirectDraw, (void **)&ddraw1), DD_OK);
    /* a surface of version 1, which does not hold the object otherwise */
    CHECK_HR(IDirectDraw_CreateSurface(ddraw1, &desc, &old, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface_QueryInterface(old, &IID_IDirectDrawSurface7, (void **)&first), DD_OK);
    CHECK_HR(IDirectDrawSurface7_SetPrivateData(first, &IID_IUnknown, ddraw, sizeof(void *), DDSPD_IUNKNOWNPOINTER),
             DD_OK);
    IDirectDraw7_Release(ddraw);
    IDirectDraw_Release(ddraw1);
    CHECK_EQUAL(IDirectDrawSurface7_Release(first), 0);
    CHECK_EQUAL(IDirectDrawSurface_Release(old), 0);
    CHECK_HR(IDirectDraw7_GetMonitorFrequency(ddraw, NULL), DDERR_INVALIDOBJECT);
}

/* An interface begins as the documented structure. */
static void documented_members(void)
{
    IDirectDraw7 *ddraw = open_objects();

    for (unsigned i = 0; i < living_count; i++) {
        void *const *members = (void *const *)living[i].pointer;

        if (living[i].methods == ddraw_methods || living[i].methods == surface_methods)
            CHECK(members[1] != NULL);
    }
    close_objects(ddraw);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"every_method_on_bad_pointers", every_method_on_bad_pointers},
        {"counts_of_dead_objects", counts_of_dead_objects},
        {"counts_of_interfaces", counts_of_interfaces},
        {"references_of_private_data", references_of_private_data},
        {"documented_members", documented_members},
        {"random_calls", random_calls},
    };

    library = load_ddraw();
    if (!ddraw_export(library, "DirectDrawCreateEx")) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
