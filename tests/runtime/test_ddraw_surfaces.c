/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of random requests: what CreateSurface makes is walked by EnumAttachedSurfaces, and has the levels and faces that the
 * documentation of DDSURFACEDESC2 and DDSCAPS2 promises, each once, of the right size, and dead with the root. Surfaces that are
 * attached by hand, in chains and circles, end with their DirectDraw object, in any order.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/random.h"
#include "tests/runtime/ddraw_dll.h"

#define REQUESTS     3000
#define MOST_LEVELS  12
#define MOST_VISITED (6 * MOST_LEVELS)

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
typedef HRESULT(WINAPI *create_1)(GUID *, IDirectDraw **, IUnknown *);
static IDirectDraw7 *ddraw;
static create_1 create_ddraw;

/* --- requests ---------------------------------------------------------------------------- */

static const DDPIXELFORMAT formats[] = {
    {.dwSize = 32,
     .dwFlags = DDPF_RGB,
     .dwRGBBitCount = 32,
     .dwRBitMask = 0xff0000,
     .dwGBitMask = 0xff00,
     .dwBBitMask = 0xff},
    {.dwSize = 32,
     .dwFlags = DDPF_RGB,
     .dwRGBBitCount = 16,
     .dwRBitMask = 0xf800,
     .dwGBitMask = 0x7e0,
     .dwBBitMask = 0x1f},
    {.dwSize = 32, .dwFlags = DDPF_RGB | DDPF_PALETTEINDEXED8, .dwRGBBitCount = 8},
    {.dwSize = 32, .dwFlags = DDPF_FOURCC, .dwFourCC = MAKEFOURCC('D', 'X', 'T', '1')},
    {.dwSize = 32, .dwFlags = DDPF_RGB, .dwRGBBitCount = 32, .dwRBitMask = 1}, /* no format */
};

static DWORD some_of(DWORD bits)
{
    DWORD some = 0;

    for (unsigned i = 0; i < 32; i++)
        if (bits >> i & 1 && random_one_in(3))
            some |= 1u << i;
    return some;
}

static DDSURFACEDESC2 random_request(void)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT};

    desc.dwWidth = random_one_in(8) ? random_below(3000) : 1u << random_below(9);
    desc.dwHeight = random_one_in(2) ? desc.dwWidth : 1u << random_below(9);
    desc.ddsCaps.dwCaps = some_of(DDSCAPS_MIPMAP | DDSCAPS_SYSTEMMEMORY | DDSCAPS_VIDEOMEMORY) |
                          (random_one_in(16) ? random_word() : 0) | (random_one_in(4) ? 0 : DDSCAPS_TEXTURE) |
                          (random_one_in(4) ? 0 : DDSCAPS_COMPLEX);
    if (random_one_in(3))
        desc.ddsCaps.dwCaps2 = DDSCAPS2_CUBEMAP | some_of(DDSCAPS2_CUBEMAP_ALLFACES);
    if (random_one_in(2)) {
        desc.dwFlags |= DDSD_MIPMAPCOUNT;
        desc.dwMipMapCount = random_below(MOST_LEVELS);
    }
    if (random_one_in(2)) {
        desc.dwFlags |= DDSD_PIXELFORMAT;
        desc.ddpfPixelFormat = formats[random_below(ARRAY_COUNT(formats))];
    }
    return desc;
}

/* --- what was made ------------------------------------------------------------------------- */

struct visit {
    IDirectDrawSurface7 *surfaces[MOST_VISITED];
    unsigned count;
};

static HRESULT CALLBACK visit_attached(IDirectDrawSurface7 *surface, DDSURFACEDESC2 *desc, void *context)
{
    struct visit *visit = context;

    (void)desc;
    CHECK(visit->count < MOST_VISITED);
    if (visit->count < MOST_VISITED)
        visit->surfaces[visit->count++] = surface;
    IDirectDrawSurface7_Release(surface); /* a part lives as long as its root */
    return DDENUMRET_OK;
}

/* The root and everything that is attached to it, to those, and so on. */
static void visit_all(IDirectDrawSurface7 *root, struct visit *visit)
{
    visit->surfaces[0] = root;
    visit->count = 1;
    for (unsigned i = 0; i < visit->count; i++)
        CHECK_HR(IDirectDrawSurface7_EnumAttachedSurfaces(visit->surfaces[i], visit, visit_attached), DD_OK);
}

static unsigned bits_of(DWORD mask)
{
    return (unsigned)__builtin_popcount(mask);
}

/* Levels that the request asks for: down to 1x1 if it does not count them. */
static unsigned levels_asked(const DDSURFACEDESC2 *asked)
{
    const DWORD mips = DDSCAPS_MIPMAP | DDSCAPS_COMPLEX;
    unsigned levels = 1;

    if (!(asked->ddsCaps.dwCaps & DDSCAPS_MIPMAP))
        return 1;
    if (asked->dwFlags & DDSD_MIPMAPCOUNT)
        return asked->dwMipMapCount;
    for (DWORD side = BASE_MAX(asked->dwWidth, asked->dwHeight); side > 1; side /= 2)
        levels++;
    return (asked->ddsCaps.dwCaps & mips) == mips ? levels : 1;
}

/* The level of a surface by its size; its face must not have had this level before. */
static void check_surface(IDirectDrawSurface7 *surface, const DDSURFACEDESC2 *asked, uint32_t seen[6])
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    DDSCAPS2 caps;
    unsigned level = 0, face = 0;

    CHECK_HR(IDirectDrawSurface7_GetSurfaceDesc(surface, &desc), DD_OK);
    CHECK_HR(IDirectDrawSurface7_GetCaps(surface, &caps), DD_OK);
    CHECK(!memcmp(&caps, &desc.ddsCaps, sizeof(caps)));
    if (desc.ddsCaps.dwCaps & DDSCAPS_MIPMAP)
        level = levels_asked(asked) - desc.dwMipMapCount;
    if (asked->ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP) {
        CHECK_EQUAL(bits_of(desc.ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP_ALLFACES), 1);
        CHECK(desc.ddsCaps.dwCaps2 & asked->ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP_ALLFACES);
        while (!(desc.ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP_POSITIVEX << face))
            face++;
    }
    CHECK(level < levels_asked(asked));
    CHECK(!(seen[face] >> level & 1));
    seen[face] |= 1u << level;
    CHECK_EQUAL(desc.dwWidth, BASE_MAX(asked->dwWidth >> level, 1u));
    CHECK_EQUAL(desc.dwHeight, BASE_MAX(asked->dwHeight >> level, 1u));
    CHECK_EQUAL(!!(desc.ddsCaps.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL), level > 0);
}

/* Each attached surface is found by its capabilities, unless an earlier one has them, too. */
static void check_finding(IDirectDrawSurface7 *root, const struct visit *visit)
{
    for (unsigned i = 1; i < visit->count; i++) {
        IDirectDrawSurface7 *found = NULL;
        DDSCAPS2 caps;

        CHECK_HR(IDirectDrawSurface7_GetCaps(visit->surfaces[i], &caps), DD_OK);
        if (caps.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL)
            continue;
        CHECK_HR(IDirectDrawSurface7_GetAttachedSurface(root, &caps, &found), DD_OK);
        CHECK(found == visit->surfaces[i]);
        if (found)
            IDirectDrawSurface7_Release(found);
    }
}

static void check_made(IDirectDrawSurface7 *root, const DDSURFACEDESC2 *asked)
{
    const bool cube = asked->ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP;
    const unsigned faces = cube ? bits_of(asked->ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP_ALLFACES) : 1;
    struct visit visit;
    uint32_t seen[6] = {0};
    DDSCAPS2 caps;

    visit_all(root, &visit);
    CHECK_EQUAL(visit.count, faces * levels_asked(asked));
    for (unsigned i = 0; i < visit.count; i++)
        check_surface(visit.surfaces[i], asked, seen);
    check_finding(root, &visit);
    CHECK_EQUAL(IDirectDrawSurface7_Release(root), 0);
    for (unsigned i = 0; i < visit.count; i++)
        CHECK(FAILED(IDirectDrawSurface7_GetCaps(visit.surfaces[i], &caps)));
}

static void random_requests(void)
{
    unsigned made = 0, cubes = 0, mips = 0;

    for (unsigned i = 0; i < REQUESTS; i++) {
        const DDSURFACEDESC2 asked = random_request();
        DDSURFACEDESC2 given = asked;
        IDirectDrawSurface7 *root = NULL;

        if (asked.ddsCaps.dwCaps & (DDSCAPS_PRIMARYSURFACE | DDSCAPS_FLIP) || asked.dwWidth > 1024)
            continue;
        if (FAILED(IDirectDraw7_CreateSurface(ddraw, &given, &root, NULL))) {
            CHECK(!root);
            continue;
        }
        made++;
        cubes += (asked.ddsCaps.dwCaps2 & DDSCAPS2_CUBEMAP) != 0;
        mips += levels_asked(&asked) > 1;
        check_made(root, &asked);
    }
    CHECK(made > REQUESTS / 10 && cubes > REQUESTS / 100 && mips > REQUESTS / 100);
    IDirectDraw7_Release(ddraw);
}

/* --- ends ------------------------------------------------------------------------------- */

#define ENDS   200
#define PLAINS 6

/* Surfaces of version 1, which do not hold their DirectDraw object, attached to each other at random and then released or not,
 * before the object is. */
static void end_with_attachments(void)
{
    DDSURFACEDESC desc = {.dwSize = sizeof(desc),
                          .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT,
                          .dwWidth = 16,
                          .dwHeight = 16,
                          .ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN};
    IDirectDrawSurface *plain[PLAINS];
    IDirectDraw *object;

    CHECK(SUCCEEDED(create_ddraw(NULL, &object, NULL)));
    CHECK(SUCCEEDED(IDirectDraw_SetCooperativeLevel(object, NULL, DDSCL_NORMAL)));
    for (unsigned i = 0; i < PLAINS; i++)
        CHECK(SUCCEEDED(IDirectDraw_CreateSurface(object, &desc, &plain[i], NULL)));
    for (unsigned i = 0; i < 2 * PLAINS; i++)
        IDirectDrawSurface_AddAttachedSurface(plain[random_below(PLAINS)], plain[random_below(PLAINS)]);
    for (unsigned i = 0; i < PLAINS; i++)
        if (random_one_in(2))
            IDirectDrawSurface_Release(plain[i]);
    CHECK(IDirectDraw_Release(object) == 0);
    for (unsigned i = 0; i < PLAINS; i++)
        CHECK(IDirectDrawSurface_IsLost(plain[i]) == DDERR_INVALIDOBJECT);
}

static void random_ends(void)
{
    random_seed = 35;
    for (unsigned i = 0; i < ENDS; i++)
        end_with_attachments();
}

static HRESULT CALLBACK count_surfaces(IDirectDrawSurface *surface, DDSURFACEDESC *desc, void *count)
{
    (void)desc;
    ++*(unsigned *)count;
    IDirectDrawSurface_Release(surface);
    return DDENUMRET_OK;
}

/* A surface of 16x16; buffers: how many back buffers it has, 0: it is a plain one. */
static DDSURFACEDESC small_surface(unsigned buffers)
{
    DDSURFACEDESC desc = {.dwSize = sizeof(desc),
                          .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | (buffers ? DDSD_BACKBUFFERCOUNT : 0),
                          .dwWidth = 16,
                          .dwHeight = 16,
                          .dwBackBufferCount = buffers};

    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | (buffers ? DDSCAPS_FLIP | DDSCAPS_COMPLEX : 0);
    return desc;
}

/* Circles of attachments, of any length, through parts of chains and interfaces of several versions: the attachment that would
 * close one is refused, so that all surfaces end with the program's references. */
static void circles(void)
{
    DDSURFACEDESC desc = small_surface(0);
    IDirectDrawSurface *plain[6];
    IDirectDraw *object;
    unsigned left;

    CHECK(SUCCEEDED(create_ddraw(NULL, &object, NULL)));
    CHECK(SUCCEEDED(IDirectDraw_SetCooperativeLevel(object, NULL, DDSCL_NORMAL)));
    for (unsigned length = 3; length <= ARRAY_COUNT(plain); length++) {
        for (unsigned i = 0; i < length; i++)
            CHECK(SUCCEEDED(IDirectDraw_CreateSurface(object, &desc, &plain[i], NULL)));
        for (unsigned i = 0; i < length; i++) {
            IDirectDrawSurface *from = plain[i], *to = plain[(i + 1) % length];
            IDirectDrawSurface3 *from3, *to3;

            CHECK(SUCCEEDED(IDirectDrawSurface_QueryInterface(from, &IID_IDirectDrawSurface3, (void **)&from3)) &&
                  SUCCEEDED(IDirectDrawSurface_QueryInterface(to, &IID_IDirectDrawSurface3, (void **)&to3)));
            CHECK((i & length & 1 ? IDirectDrawSurface3_AddAttachedSurface(from3, to3)
                                  : IDirectDrawSurface_AddAttachedSurface(from, to)) ==
                  (i + 1 < length ? DD_OK : DDERR_CANNOTATTACHSURFACE));
            IDirectDrawSurface3_Release(to3);
            IDirectDrawSurface3_Release(from3);
        }
        for (unsigned i = 0; i < length; i++)
            IDirectDrawSurface_Release(plain[length - 1 - i]);
        left = 0;
        CHECK(SUCCEEDED(IDirectDraw_EnumSurfaces(object, DDENUMSURFACES_DOESEXIST | DDENUMSURFACES_ALL, NULL, &left,
                                                 count_surfaces)));
        CHECK(left == 0);
    }
    CHECK(IDirectDraw_Release(object) == 0);
}

/* A part of a chain lives as long as its root. It can hold other surfaces, none of which may hold the root. */
static void circle_through_a_chain(void)
{
    DDSURFACEDESC desc = small_surface(2);
    DDSCAPS caps = {DDSCAPS_FLIP};
    IDirectDrawSurface *front, *back, *plain;
    IDirectDraw *object;

    CHECK(SUCCEEDED(create_ddraw(NULL, &object, NULL)));
    CHECK(SUCCEEDED(IDirectDraw_SetCooperativeLevel(object, NULL, DDSCL_NORMAL)));
    CHECK(SUCCEEDED(IDirectDraw_CreateSurface(object, &desc, &front, NULL)));
    CHECK(SUCCEEDED(IDirectDrawSurface_GetAttachedSurface(front, &caps, &back)));
    desc = small_surface(0);
    CHECK(SUCCEEDED(IDirectDraw_CreateSurface(object, &desc, &plain, NULL)));
    CHECK(IDirectDrawSurface_AddAttachedSurface(back, front) == DDERR_CANNOTATTACHSURFACE);
    CHECK(SUCCEEDED(IDirectDrawSurface_AddAttachedSurface(back, plain)));
    CHECK(IDirectDrawSurface_AddAttachedSurface(plain, front) == DDERR_CANNOTATTACHSURFACE);
    IDirectDrawSurface_Release(back);
    CHECK(IDirectDrawSurface_Release(front) == 0);
    CHECK(IDirectDrawSurface_Release(plain) == 0);
    CHECK(IDirectDraw_Release(object) == 0);
}

/* The second back buffer of a chain attached to its front by hand: what is attached comes once each, and searches end. */
static void attached_within_its_chain(void)
{
    DDSURFACEDESC desc = small_surface(2);
    DDSCAPS caps = {DDSCAPS_FLIP}, none = {DDSCAPS_ZBUFFER};
    IDirectDrawSurface *front, *first, *second, *found;
    IDirectDraw *object;
    unsigned count = 0;

    CHECK(SUCCEEDED(create_ddraw(NULL, &object, NULL)));
    CHECK(SUCCEEDED(IDirectDraw_SetCooperativeLevel(object, NULL, DDSCL_NORMAL)));
    CHECK_HR(IDirectDraw_CreateSurface(object, &desc, &front, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface_GetAttachedSurface(front, &caps, &first), DD_OK);
    CHECK_HR(IDirectDrawSurface_GetAttachedSurface(first, &caps, &second), DD_OK);
    CHECK_HR(IDirectDrawSurface_AddAttachedSurface(front, second), DD_OK);
    CHECK_HR(IDirectDrawSurface_EnumAttachedSurfaces(front, &count, count_surfaces), DD_OK);
    CHECK_EQUAL(count, 2);
    CHECK_HR(IDirectDrawSurface_GetAttachedSurface(front, &none, &found), DDERR_NOTFOUND);
    CHECK_HR(IDirectDrawSurface_Flip(front, NULL, DDFLIP_WAIT), DD_OK);
    IDirectDrawSurface_Release(second);
    IDirectDrawSurface_Release(first);
    IDirectDrawSurface_Release(front);
    CHECK(IDirectDraw_Release(object) == 0);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"random_requests", random_requests},
                                        {"random_ends", random_ends},
                                        {"circles", circles},
                                        {"circle_through_a_chain", circle_through_a_chain},
                                        {"attached_within_its_chain", attached_within_its_chain}};
    HMODULE library = load_ddraw();
    create_ex create;

    create = (create_ex)(void *)ddraw_export(library, "DirectDrawCreateEx");
    create_ddraw = (create_1)(void *)ddraw_export(library, "DirectDrawCreate");
    if (!create || !create_ddraw || FAILED(create(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL)) ||
        FAILED(IDirectDraw7_SetCooperativeLevel(ddraw, NULL, DDSCL_NORMAL))) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
