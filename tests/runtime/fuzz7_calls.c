/* SPDX-License-Identifier: MIT */
/* Random calls of DirectDraw: every method by the tables from which the vtables are made, the exports, the class factory, and locks whose memory
 * is written. */
#include "tests/runtime/fuzz7.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/each.h"

#define MOST_ARGUMENTS 6
#define SCRATCH        16384 /* DWORDs of memory for structures */

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
#define LATER                       METHOD

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
static const struct method gamma_methods[] = {{"GetGammaRamp", 1, {"DWORD", "DDGAMMARAMP *"}},
                                              {"SetGammaRamp", 1, {"DWORD", "DDGAMMARAMP *"}}};
static const struct method factory_methods[] = {{"CreateInstance", 1, {"IUnknown *", "REFIID", "void **"}},
                                                {"LockServer", 1, {"BOOL"}}};

static const struct {
    const struct method *methods;
    unsigned count;
} tables[FUZZ_KINDS] = {
    [FUZZ_DDRAW] = {ddraw_methods, ARRAY_COUNT(ddraw_methods)},
    [FUZZ_SURFACE] = {surface_methods, ARRAY_COUNT(surface_methods)},
    [FUZZ_CLIPPER] = {clipper_methods, ARRAY_COUNT(clipper_methods)},
    [FUZZ_PALETTE] = {palette_methods, ARRAY_COUNT(palette_methods)},
    [FUZZ_GAMMA] = {gamma_methods, ARRAY_COUNT(gamma_methods)},
    [FUZZ_FACTORY] = {factory_methods, ARRAY_COUNT(factory_methods)},
};

static bool has_method(unsigned version, const struct method *method)
{
    return method->since ? version >= method->since : version == 1;
}

/* The methods follow those of IUnknown in the order of the table. */
static void *function_of(enum fuzz_kind kind, const struct fuzz_item *item, const struct method *method)
{
    unsigned slot = 3;

    for (const struct method *m = tables[kind].methods; m < method; m++)
        slot += has_method(item->version, m);
    return item->vtbl[slot];
}

/* --- structures ------------------------------------------------------------------------ */

/* Memory for structures, the place for a returned object, and the last device context of this thread. */
static _Thread_local union {
    uint32_t words[SCRATCH];
    DDSURFACEDESC2 desc;
    DDBLTFX fx;
    DDOVERLAYFX overlay_fx;
    RECT rect;
    RGNDATA region;
} scratch[MOST_ARGUMENTS];
static _Thread_local void *made;
static _Thread_local HDC last_dc;

static LONG odd_long(LONG usual)
{
    return one_in(10) ? (LONG)odd_dword() : (LONG)rnd((uint32_t)usual + 4) - 2;
}

static void fill_rect(RECT *rect)
{
    const LONG usual = one_in(3) ? 128 : 16;

    *rect = (RECT){odd_long(usual), odd_long(usual), odd_long(usual), odd_long(usual)};
    if (rnd(4) && rect->left > rect->right)
        *rect = (RECT){rect->right, rect->top, rect->left, rect->bottom};
    if (rnd(4) && rect->top > rect->bottom)
        *rect = (RECT){rect->left, rect->bottom, rect->right, rect->top};
}

static void fill_format(DDPIXELFORMAT *format)
{
    static const DDPIXELFORMAT formats[] = {
        {32, DDPF_RGB, 0, {32}, {0xff0000}, {0xff00}, {0xff}, {0}},
        {32, DDPF_RGB | DDPF_ALPHAPIXELS, 0, {32}, {0xff0000}, {0xff00}, {0xff}, {0xff000000}},
        {32, DDPF_RGB, 0, {24}, {0xff0000}, {0xff00}, {0xff}, {0}},
        {32, DDPF_RGB, 0, {16}, {0xf800}, {0x7e0}, {0x1f}, {0}},
        {32, DDPF_RGB | DDPF_ALPHAPIXELS, 0, {16}, {0xf00}, {0xf0}, {0xf}, {0xf000}},
        {32, DDPF_RGB | DDPF_PALETTEINDEXED8, 0, {8}, {0}, {0}, {0}, {0}},
        {32, DDPF_RGB | DDPF_PALETTEINDEXED4, 0, {4}, {0}, {0}, {0}, {0}},
        {32, DDPF_ZBUFFER, 0, {16}, {0}, {0xffff}, {0}, {0}},
        {32, DDPF_FOURCC, MAKEFOURCC('D', 'X', 'T', '1'), {0}, {0}, {0}, {0}, {0}},
        {32, DDPF_FOURCC, MAKEFOURCC('Y', 'U', 'Y', '2'), {0}, {0}, {0}, {0}, {0}},
        {32, DDPF_FOURCC, MAKEFOURCC('Y', 'V', '1', '2'), {0}, {0}, {0}, {0}, {0}},
    };

    *format = formats[rnd(ARRAY_COUNT(formats))];
    if (one_in(16))
        ((DWORD *)format)[rnd(8)] = odd_dword();
}

static DWORD some_of(DWORD bits)
{
    return bits & rnd32() & rnd32();
}

static void fill_desc(DDSURFACEDESC2 *desc, unsigned version)
{
    static const DWORD all = DDSD_MIPMAPCOUNT | DDSD_PIXELFORMAT | DDSD_BACKBUFFERCOUNT | DDSD_PITCH | DDSD_CKSRCBLT |
                             DDSD_CKDESTBLT | DDSD_TEXTURESTAGE | DDSD_REFRESHRATE;

    for (unsigned i = 0; i < sizeof(*desc) / 4; i++)
        ((DWORD *)desc)[i] = one_in(20) ? odd_dword() : rnd(4);
    desc->dwSize = one_in(30) ? rnd(200) : version >= 4 ? sizeof(DDSURFACEDESC2) : sizeof(DDSURFACEDESC);
    desc->dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | some_of(all);
    desc->dwWidth = one_in(20) ? odd_dword() : 1 + rnd(one_in(8) ? 400 : 40);
    desc->dwHeight = one_in(20) ? odd_dword() : 1 + rnd(40);
    fill_format(&desc->ddpfPixelFormat);
    desc->ddsCaps.dwCaps =
        some_of(DDSCAPS_TEXTURE | DDSCAPS_MIPMAP | DDSCAPS_COMPLEX | DDSCAPS_FLIP | DDSCAPS_3DDEVICE |
                DDSCAPS_SYSTEMMEMORY | DDSCAPS_VIDEOMEMORY | DDSCAPS_OFFSCREENPLAIN | DDSCAPS_ZBUFFER);
    desc->lpSurface = fuzz_arena;
    if (one_in(8))
        desc->ddsCaps.dwCaps |= odd_dword();
    if (one_in(6)) {
        desc->dwFlags &= ~(DWORD)(DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT);
        desc->ddsCaps.dwCaps |= DDSCAPS_PRIMARYSURFACE;
    }
    if (one_in(6)) {
        desc->dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | (rnd(4) ? DDSD_PIXELFORMAT : 0);
        desc->ddsCaps.dwCaps = DDSCAPS_OVERLAY | some_of(DDSCAPS_VIDEOMEMORY);
        if (one_in(3)) {
            desc->dwFlags |= DDSD_BACKBUFFERCOUNT;
            desc->ddsCaps.dwCaps |= DDSCAPS_FLIP | DDSCAPS_COMPLEX;
        }
    }
    if (version >= 4 && one_in(4)) {
        desc->ddsCaps.dwCaps2 = some_of(DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES | DDSCAPS2_TEXTUREMANAGE);
        desc->ddsCaps.dwCaps3 = desc->ddsCaps.dwCaps4 = 0;
    }
    if (one_in(16))
        desc->dwFlags = odd_dword();
    /* Memory of the program must be as large as it says, which nobody can check: not too large here. */
    if (desc->dwFlags & DDSD_LPSURFACE || one_in(12)) {
        desc->dwFlags |=
            DDSD_LPSURFACE | DDSD_PITCH | DDSD_WIDTH | DDSD_HEIGHT; /* a height from before may be too much */
        desc->dwFlags &= ~(DWORD)DDSD_MIPMAPCOUNT;
        desc->ddsCaps.dwCaps &= ~(DWORD)(DDSCAPS_COMPLEX | DDSCAPS_MIPMAP | DDSCAPS_PRIMARYSURFACE);
        desc->dwWidth = 1 + rnd(60);
        desc->dwHeight = 1 + rnd(60);
        desc->lPitch = (LONG)(240 + 4 * rnd(60));
    }
}

static void fill_effects(DDBLTFX *fx)
{
    static const DWORD rops[] = {SRCCOPY, BLACKNESS, WHITENESS, SRCAND, 0};

    for (unsigned i = 0; i < sizeof(*fx) / 4; i++)
        ((DWORD *)fx)[i] = one_in(4) ? odd_dword() : rnd(8);
    fx->dwSize = one_in(20) ? rnd(200) : sizeof(*fx);
    fx->dwROP = rops[rnd(ARRAY_COUNT(rops))];
    fx->lpDDSZBufferDest = fuzz_pick(FUZZ_SURFACE).pointer ? (void *)fuzz_pick(FUZZ_SURFACE).pointer : NULL;
}

static void fill_region(RGNDATA *region)
{
    region->rdh =
        (RGNDATAHEADER){one_in(20) ? rnd(64) : sizeof(RGNDATAHEADER), RDH_RECTANGLES, rnd(12), 0, {0, 0, 0, 0}};
    region->rdh.nRgnSize = one_in(20) ? odd_dword() : region->rdh.nCount * (DWORD)sizeof(RECT);
    fill_rect(&region->rdh.rcBound);
    for (unsigned i = 0; i < 12; i++)
        fill_rect((RECT *)(void *)region->Buffer + i);
}

/* --- callbacks -------------------------------------------------------------------------- */

/* Releases objects and calls back into DirectDraw, but not without end. */
static _Thread_local unsigned depth;

static HRESULT enumerated(bool is_surface, void *surface)
{
    if (is_surface && surface)
        IUnknown_Release((IUnknown *)surface);
    if (depth < 2 && one_in(4))
        fuzz_call();
    return rnd(6) ? DDENUMRET_OK : DDENUMRET_CANCEL;
}

static HRESULT CALLBACK surface_enumerated(void *surface, void *desc, void *context)
{
    (void)desc;
    (void)context;
    return enumerated(true, surface);
}

static HRESULT CALLBACK mode_enumerated(void *desc, void *context)
{
    (void)desc;
    (void)context;
    return enumerated(false, NULL);
}

static BOOL CALLBACK driver_enumerated(GUID *guid, void *description, void *name, void *context, HMONITOR monitor)
{
    (void)guid;
    (void)description;
    (void)name;
    (void)context;
    (void)monitor;
    return SUCCEEDED(enumerated(false, NULL)) && rnd(4);
}

/* As LPDDENUMCALLBACK has it, without the monitor: the caller's stack must fit in 32 bits. */
static BOOL CALLBACK old_driver_enumerated(GUID *guid, void *description, void *name, void *context)
{
    return driver_enumerated(guid, description, name, context, NULL);
}

/* --- arguments -------------------------------------------------------------------------- */

static uintptr_t object_argument(enum fuzz_kind kind, unsigned version)
{
    struct fuzz_item item = fuzz_pick(kind);

    for (unsigned i = 0; i < 8 && item.version != version; i++)
        item = fuzz_pick(kind);
    return one_in(12) ? (uintptr_t)fuzz_bad_object() : (uintptr_t)item.pointer;
}

static uintptr_t handle_argument(const char *type)
{
    if (!strcmp(type, "HWND"))
        return one_in(10) ? odd_dword() : rnd(6) ? (uintptr_t)fuzz_windows[rnd(FUZZ_WINDOWS)] : 0;
    return !strcmp(type, "HDC") ? (one_in(6) ? odd_dword() : (uintptr_t)last_dc) : 0;
}

static void fill_overlay_effects(DDOVERLAYFX *fx)
{
    fx->dwSize = one_in(20) ? rnd(200) : sizeof(*fx);
    fx->dwDDFX = rnd(3) ? rnd(8) : odd_dword();
}

/* A structure in the memory of argument `at`. */
static uintptr_t structure_argument(const char *type, unsigned version, unsigned at)
{
    for (unsigned i = 0; i < 64; i++)
        scratch[at].words[i] = one_in(4) ? odd_dword() : rnd(8);
    if (!strncmp(type, "RECT", 4) || !strncmp(type, "DD_UNLOCKED", 11))
        fill_rect(&scratch[at].rect);
    else if (!strncmp(type, "DD_DESC", 7))
        fill_desc(&scratch[at].desc, version);
    else if (!strncmp(type, "DDBLTFX", 7))
        fill_effects(&scratch[at].fx);
    else if (!strncmp(type, "DDOVERLAYFX", 11))
        fill_overlay_effects(&scratch[at].overlay_fx);
    else if (!strncmp(type, "RGNDATA", 7))
        fill_region(&scratch[at].region);
    else if (!strncmp(type, "DD_CAPS", 7))
        scratch[at].words[0] = rnd(3) ? 1u << rnd(32) : DDSCAPS_BACKBUFFER;
    else if (!strncmp(type, "DDCAPS", 6))
        scratch[at].words[0] = one_in(8) ? rnd(500) : rnd(2) ? sizeof(DDCAPS_DX7) : sizeof(DDCAPS_DX3);
    else if (!strncmp(type, "DDBLTBATCH", 10))
        memset(&scratch[at], 0, 1024);
    else if (!strncmp(type, "DWORD *", 7))
        scratch[at].words[0] = rnd(2) ? rnd(4096) : rnd(8); /* bytes or entries of a buffer, which has as many */
    return (uintptr_t)&scratch[at];
}

static uintptr_t argument(const char *type, unsigned version, unsigned at)
{
    const size_t length = strlen(type);

    if (!strcmp(type, "DD_MODE_CALLBACK"))
        return one_in(8) ? 0 : (uintptr_t)mode_enumerated;
    if (strstr(type, "CALLBACK"))
        return one_in(8) ? 0 : (uintptr_t)surface_enumerated;
    if (!strcmp(type, "HWND") || !strcmp(type, "HDC") || !strcmp(type, "HANDLE"))
        return handle_argument(type);
    if (!strcmp(type, "REFIID") || !strcmp(type, "REFGUID"))
        return (uintptr_t)(rnd(2) ? &IID_IDirectDraw7 : rnd(2) ? &IID_IUnknown : &IID_IDirectDraw);
    if (strstr(type, "GUID"))
        return 0;
    if (type[length - 1] != '*')
        return rnd(3) ? rnd(4) : odd_dword();
    if (one_in(8))
        return 0;
    if (type[length - 2] == '*')
        return (uintptr_t)&made;
    if (!strncmp(type, "DD_SURFACE ", 11))
        return object_argument(FUZZ_SURFACE, version);
    if (!strncmp(type, "IDirectDraw ", 12))
        return object_argument(FUZZ_DDRAW, 1);
    if (!strncmp(type, "IDirectDrawClipper ", 19))
        return object_argument(FUZZ_CLIPPER, 1);
    if (!strncmp(type, "IDirectDrawPalette ", 19))
        return object_argument(FUZZ_PALETTE, 1);
    if (!strncmp(type, "IUnknown ", 9))
        return one_in(10) ? (uintptr_t)fuzz_bad_object() : 0;
    return structure_argument(type, version, at);
}

/* --- one method ------------------------------------------------------------------------- */

typedef HRESULT(WINAPI *function0)(void *);
typedef HRESULT(WINAPI *function1)(void *, uintptr_t);
typedef HRESULT(WINAPI *function2)(void *, uintptr_t, uintptr_t);
typedef HRESULT(WINAPI *function3)(void *, uintptr_t, uintptr_t, uintptr_t);
typedef HRESULT(WINAPI *function4)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef HRESULT(WINAPI *function5)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static HRESULT invoke(void *function, void *pointer, const uintptr_t *a, unsigned count)
{
    switch (count) {
    case 0:
        return ((function0)function)(pointer);
    case 1:
        return ((function1)function)(pointer, a[0]);
    case 2:
        return ((function2)function)(pointer, a[0], a[1]);
    case 3:
        return ((function3)function)(pointer, a[0], a[1], a[2]);
    case 4:
        return ((function4)function)(pointer, a[0], a[1], a[2], a[3]);
    default:
        return ((function5)function)(pointer, a[0], a[1], a[2], a[3], a[4]);
    }
}

/* Values without which a call would be slow, or a fault of the program. */
static void adjust(const struct method *method, uintptr_t *a)
{
    static const DWORD overlays = DDOVER_KEYDEST | DDOVER_KEYDESTOVERRIDE | DDOVER_KEYSRCOVERRIDE | DDOVER_DDFX;
    static const DWORD blits = DDBLT_COLORFILL | DDBLT_DDFX | DDBLT_DEPTHFILL | DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE |
                               DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE | DDBLT_ROP;

    if (!strcmp(method->name, "Blt") && rnd(8))
        a[3] = some_of(blits) & rnd32();
    else if (!strcmp(method->name, "UpdateOverlay") && rnd(4)) {
        a[0] = 0;
        a[3] = (rnd(4) ? DDOVER_SHOW : DDOVER_HIDE) | (some_of(overlays) & rnd32());
    } else if (!strcmp(method->name, "Flip"))
        a[1] |= DDFLIP_NOVSYNC;
    else if (!strcmp(method->name, "SetPrivateData")) {
        a[2] %= 4096; /* as many bytes as there are */
        a[3] &= ~(uintptr_t)DDSPD_IUNKNOWNPOINTER;
    } else if (!strcmp(method->name, "StartModeTest") || !strcmp(method->name, "BltBatch"))
        a[1] %= 8;
    else if (!strcmp(method->name, "SetCooperativeLevel") && rnd(8))
        a[1] = DDSCL_NORMAL | (one_in(3) ? DDSCL_MULTITHREADED : 0);
    else if (!strcmp(method->name, "SetSurfaceDesc") && a[0])
        ((DDSURFACEDESC2 *)a[0])->lpSurface = fuzz_arena;
}

static void take_made(enum fuzz_kind kind, const char *name, unsigned version, HRESULT hr)
{
    void *object = made;

    made = NULL;
    if (!object)
        return;
    if (FAILED(hr))
        fuzz_wrong("an object in spite of an error", hr);
    else if (kind == FUZZ_FACTORY || !strcmp(name, "GetDDInterface"))
        IUnknown_Release((IUnknown *)object);
    else if (strstr(name, "Clipper"))
        fuzz_take(FUZZ_CLIPPER, object, 1);
    else if (strstr(name, "Palette"))
        fuzz_take(FUZZ_PALETTE, object, 1);
    else if (!strcmp(name, "GetSurfaceFromDC")) /* of version 4 returns version 1 (Wine's test_getdc) */
        fuzz_take(FUZZ_SURFACE, object, version == 7 ? 7 : 1);
    else
        fuzz_take(FUZZ_SURFACE, object, kind == FUZZ_DDRAW && version < 4 ? 1 : version);
}

static bool is_left_out(const char *name)
{
    const bool waits = !strcmp(name, "WaitForVerticalBlank") && rnd(50);
    const bool changes_mode = strstr(name, "DisplayMode") && !strstr(name, "Get") && rnd(20);
    const bool is_exclusive = !strcmp(name, "SetCooperativeLevel") && rnd(3);

    return waits || changes_mode || is_exclusive;
}

static void call_method(enum fuzz_kind kind)
{
    const struct fuzz_item item = fuzz_pick(kind);
    const struct method *method = &tables[kind].methods[rnd(tables[kind].count)];
    uintptr_t a[MOST_ARGUMENTS] = {0};
    unsigned count = 0;
    void *pointer;
    HRESULT hr;

    if (!item.pointer || !has_method(item.version, method) || is_left_out(method->name))
        return;
    fuzz_begin_call(method->name);
    made = NULL;
    for (; method->types[count]; count++)
        a[count] = argument(method->types[count], item.version, count);
    adjust(method, a);
    /* The factory is one object of static memory, which need not be told from others. */
    pointer = one_in(40) && kind != FUZZ_FACTORY ? fuzz_bad_object() : item.pointer;
    hr = invoke(function_of(kind, &item, method), pointer, a, count);
    if (!strcmp(method->name, "GetDC") && SUCCEEDED(hr) && a[0])
        last_dc = *(HDC *)a[0];
    if (SUCCEEDED(hr))
        InterlockedIncrement(&fuzz_successes);
    if (pointer != item.pointer && made) { /* an object that is alive again, of another version perhaps */
        IUnknown_Release((IUnknown *)made);
        made = NULL;
    }
    take_made(kind, method->name, item.version, hr);
}

/* --- counts and exports ------------------------------------------------------------------ */

static const struct {
    const GUID *id;
    enum fuzz_kind kind;
    unsigned version;
} faces[] = {
    {&IID_IDirectDraw, FUZZ_DDRAW, 1},           {&IID_IDirectDraw2, FUZZ_DDRAW, 2},
    {&IID_IDirectDraw4, FUZZ_DDRAW, 4},          {&IID_IDirectDraw7, FUZZ_DDRAW, 7},
    {&IID_IDirectDrawSurface, FUZZ_SURFACE, 1},  {&IID_IDirectDrawSurface2, FUZZ_SURFACE, 2},
    {&IID_IDirectDrawSurface3, FUZZ_SURFACE, 3}, {&IID_IDirectDrawSurface4, FUZZ_SURFACE, 4},
    {&IID_IDirectDrawSurface7, FUZZ_SURFACE, 7}, {&IID_IDirectDrawGammaControl, FUZZ_GAMMA, 1},
    {&IID_IDirectDrawClipper, FUZZ_CLIPPER, 1},  {&IID_IDirectDrawPalette, FUZZ_PALETTE, 1},
};

static void query(enum fuzz_kind kind)
{
    const struct fuzz_item item = fuzz_pick(kind);
    const unsigned i = rnd(ARRAY_COUNT(faces));
    void *out = NULL;

    if (!item.pointer)
        return;
    fuzz_begin_call("QueryInterface");
    if (SUCCEEDED(((HRESULT(WINAPI *)(void *, const GUID *, void **))item.vtbl[0])(
            one_in(20) ? fuzz_bad_object() : item.pointer, faces[i].id, one_in(20) ? NULL : &out)))
        fuzz_take(faces[i].kind, out, faces[i].version);
    else if (out)
        fuzz_wrong("an object in spite of an error", E_FAIL);
}

/* A film over the primary surface, to which the other calls then happen. */
static void show_overlay(IDirectDraw7 *ddraw)
{
    DDSURFACEDESC2 primary = {.dwSize = sizeof(primary), .dwFlags = DDSD_CAPS};
    DDSURFACEDESC2 overlay = {.dwSize = sizeof(overlay),
                              .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT};
    IDirectDrawSurface7 *below = NULL, *film = NULL;
    const LONG left = (LONG)rnd(100), top = (LONG)rnd(100);
    RECT rect = {left, top, left + 1 + (LONG)rnd(100), top + 1 + (LONG)rnd(100)};

    primary.ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE;
    overlay.ddsCaps.dwCaps = DDSCAPS_OVERLAY;
    overlay.dwWidth = 1 + rnd(64);
    overlay.dwHeight = 1 + rnd(64);
    overlay.ddpfPixelFormat.dwSize = sizeof(overlay.ddpfPixelFormat);
    overlay.ddpfPixelFormat.dwFlags = DDPF_FOURCC;
    overlay.ddpfPixelFormat.dwFourCC = rnd(2) ? MAKEFOURCC('Y', 'U', 'Y', '2') : MAKEFOURCC('Y', 'V', '1', '2');
    IDirectDraw7_CreateSurface(ddraw, &primary, &below, NULL);
    IDirectDraw7_CreateSurface(ddraw, &overlay, &film, NULL);
    if (below && film &&
        SUCCEEDED(IDirectDrawSurface7_UpdateOverlay(film, NULL, below, rnd(4) ? &rect : NULL, DDOVER_SHOW, NULL)))
        InterlockedIncrement(&fuzz_overlays);
    fuzz_take(FUZZ_SURFACE, below, 7);
    fuzz_take(FUZZ_SURFACE, film, 7);
}

static void create_ddraw(void)
{
    typedef HRESULT(WINAPI * create)(GUID *, void **, IUnknown *);
    typedef HRESULT(WINAPI * create_ex)(GUID *, void **, REFIID, IUnknown *);
    const bool is_ex = rnd(2);
    GUID *driver = one_in(4) ? (GUID *)(UINT_PTR)rnd(3) : NULL;
    void *ddraw = NULL;
    HRESULT hr;

    fuzz_begin_call("DirectDrawCreate");
    hr = is_ex ? ((create_ex)fuzz_export("DirectDrawCreateEx"))(driver, &ddraw, &IID_IDirectDraw7, NULL)
               : ((create)fuzz_export("DirectDrawCreate"))(driver, &ddraw, NULL);
    if (FAILED(hr) != !ddraw)
        fuzz_wrong("object and answer disagree", hr);
    if (FAILED(hr))
        return;
    if (is_ex)
        IDirectDraw7_SetCooperativeLevel((IDirectDraw7 *)ddraw, rnd(2) ? fuzz_windows[0] : NULL, DDSCL_NORMAL);
    else
        IDirectDraw_SetCooperativeLevel((IDirectDraw *)ddraw, NULL, DDSCL_NORMAL);
    if (is_ex && one_in(3))
        show_overlay(ddraw);
    fuzz_take(FUZZ_DDRAW, ddraw, is_ex ? 7 : 1);
}

static void call_export(void)
{
    static const CLSID *const classes[] = {&CLSID_DirectDraw, &CLSID_DirectDraw7, &CLSID_DirectDrawClipper,
                                           &IID_IUnknown};
    void *out = NULL;

    fuzz_begin_call("an export");
    switch (rnd(6)) {
    case 0:
        if (SUCCEEDED(((HRESULT(WINAPI *)(DWORD, void **, IUnknown *))fuzz_export("DirectDrawCreateClipper"))(
                one_in(4) ? odd_dword() : 0, &out, NULL)))
            fuzz_take(FUZZ_CLIPPER, out, 1);
        break;
    case 1:
        if (SUCCEEDED(((HRESULT(WINAPI *)(REFCLSID, REFIID, void **))fuzz_export("DllGetClassObject"))(
                classes[rnd(4)], rnd(3) ? &IID_IClassFactory : &IID_IUnknown, &out)) &&
            out)
            fuzz_take(FUZZ_FACTORY, out, 1);
        break;
    case 2:
        ((HRESULT(WINAPI *)(void *, void *))fuzz_export(rnd(2) ? "DirectDrawEnumerateA" : "DirectDrawEnumerateW"))(
            one_in(6) ? NULL : (void *)old_driver_enumerated, NULL);
        break;
    case 3:
        ((HRESULT(WINAPI *)(void *, void *, DWORD))fuzz_export(
            rnd(2) ? "DirectDrawEnumerateExA" : "DirectDrawEnumerateExW"))(one_in(6) ? NULL : (void *)driver_enumerated,
                                                                           NULL, one_in(4) ? odd_dword() : rnd(8));
        break;
    case 4:
        if (SUCCEEDED(((HRESULT(WINAPI *)(HDC, void **, HDC *))fuzz_export("GetSurfaceFromDC"))(last_dc, &out, NULL)))
            fuzz_take(FUZZ_SURFACE, out, 1);
        break;
    default:
        ((HRESULT(WINAPI *)(void))fuzz_export("DllCanUnloadNow"))();
    }
}

/* --- locks ------------------------------------------------------------------------------- */

/* Bytes of a row of the locked rectangle; 0: the format has no whole bytes. The first members of both descriptions are the same. */
static size_t row_bytes(const DDSURFACEDESC2 *desc, LONG width)
{
    const DDPIXELFORMAT *format = &desc->ddpfPixelFormat;
    const bool is_plain = format->dwFlags & (DDPF_RGB | DDPF_ZBUFFER) && format->dwRGBBitCount % 8 == 0;

    return is_plain ? (size_t)width * format->dwRGBBitCount / 8 : 0;
}

typedef HRESULT(WINAPI *lock_function)(void *, RECT *, DDSURFACEDESC2 *, DWORD, HANDLE);
typedef HRESULT(WINAPI *unlock_function)(void *, void *);
enum { SLOT_LOCK = 25, SLOT_UNLOCK = 32 }; /* of all versions */

/* Writes or compares each byte of the rectangle; returns the number of wrong ones. */
static unsigned visit_bytes(const DDSURFACEDESC2 *desc, const RECT *rect, bool writes, uint8_t first)
{
    const size_t row = row_bytes(desc, rect->right - rect->left);
    unsigned wrong = 0;

    for (LONG y = 0; y < rect->bottom - rect->top; y++) {
        uint8_t *bytes = (uint8_t *)desc->lpSurface + (intptr_t)y * desc->lPitch;

        for (size_t i = 0; i < row; i++)
            if (writes)
                bytes[i] = (uint8_t)(first + 7 * i + 31 * (size_t)y);
            else
                wrong += bytes[i] != (uint8_t)(first + 7 * i + 31 * (size_t)y);
    }
    return wrong;
}

static void write_lock(void)
{
    const struct fuzz_item item = fuzz_pick(FUZZ_SURFACE);
    DDSURFACEDESC2 desc = {.dwSize = item.version >= 4 ? sizeof(DDSURFACEDESC2) : sizeof(DDSURFACEDESC)};
    const uint8_t first = (uint8_t)rnd(256);
    RECT rect;
    void *unlocked = item.version >= 4 ? &rect : NULL;

    if (!item.pointer)
        return;
    fuzz_begin_call("Lock and writes");
    fill_rect(&rect);
    if (FAILED(((lock_function)item.vtbl[SLOT_LOCK])(item.pointer, &rect, &desc, DDLOCK_WAIT, NULL)))
        return;
    /* Version 7 does not check rectangles of textures outside of video memory, nor does the native runtime. */
    if (rect.left < 0 || rect.top < 0 || rect.left >= rect.right || rect.top >= rect.bottom ||
        rect.right > (LONG)desc.dwWidth || rect.bottom > (LONG)desc.dwHeight) {
        ((unlock_function)item.vtbl[SLOT_UNLOCK])(item.pointer, unlocked);
        return;
    }
    /* Another thread may unlock and release what this one has locked. */
    if (!fuzz_is_threaded)
        visit_bytes(&desc, &rect, true, first);
    if (FAILED(((unlock_function)item.vtbl[SLOT_UNLOCK])(item.pointer, unlocked)))
        return;
    if (SUCCEEDED(
            ((lock_function)item.vtbl[SLOT_LOCK])(item.pointer, &rect, &desc, DDLOCK_READONLY | DDLOCK_WAIT, NULL))) {
        InterlockedIncrement(&fuzz_writes);
        if (!fuzz_is_threaded && visit_bytes(&desc, &rect, false, first))
            fuzz_wrong("other bytes than those that were written", E_FAIL);
        ((unlock_function)item.vtbl[SLOT_UNLOCK])(item.pointer, unlocked);
    }
}

/* --- any call ---------------------------------------------------------------------------- */

void fuzz_call(void)
{
    static const enum fuzz_kind kinds[] = {FUZZ_DDRAW,   FUZZ_DDRAW,   FUZZ_SURFACE, FUZZ_SURFACE,
                                           FUZZ_SURFACE, FUZZ_SURFACE, FUZZ_SURFACE, FUZZ_CLIPPER,
                                           FUZZ_PALETTE, FUZZ_GAMMA,   FUZZ_FACTORY};
    const enum fuzz_kind kind = kinds[rnd(ARRAY_COUNT(kinds))];

    depth++;
    switch (rnd(24)) {
    case 0:
        if (!fuzz_pick(FUZZ_DDRAW).pointer || one_in(8))
            create_ddraw();
        break;
    case 1:
        fuzz_begin_call("Release");
        fuzz_drop(kind);
        break;
    case 2:
    case 3:
        query(kind);
        break;
    case 4:
        call_export();
        break;
    case 5:
    case 6:
    case 7:
        write_lock();
        break;
    default:
        call_method(kind);
    }
    depth--;
}
