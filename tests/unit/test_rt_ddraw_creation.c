/* SPDX-License-Identifier: MIT */
/*
 * CreateSurface (runtime/ddraw/rules/creation.h): the requests and answers that Wine's tests assert of Windows, row by row,
 * and random requests, whose chains the driver must make.
 */
#include "ddraw_fixture.h"

#include "base/base.h"
#include "d3d/driver_info.h"
#include "runtime/common/driver/layout.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

/* --- capabilities ---------------------------------------------------------------------------------- */

/* SurfaceCapsTest: the same in versions 1 and 7. */
static void test_answers(void **state)
{
    static const struct {
        DWORD asked, answered;
    } rows[] = {
        {DDSCAPS_OFFSCREENPLAIN, DDSCAPS_OFFSCREENPLAIN | VIDEO},
        {DDSCAPS_TEXTURE, DDSCAPS_TEXTURE | VIDEO},
        {DDSCAPS_TEXTURE | DDSCAPS_ALLOCONLOAD, DDSCAPS_TEXTURE | VIDEO | DDSCAPS_ALLOCONLOAD},
        {0, VIDEO},
        {DDSCAPS_TEXTURE | DDSCAPS_ALLOCONLOAD | DDSCAPS_SYSTEMMEMORY,
         DDSCAPS_TEXTURE | DDSCAPS_ALLOCONLOAD | DDSCAPS_SYSTEMMEMORY},
        {DDSCAPS_PRIMARYSURFACE, DDSCAPS_PRIMARYSURFACE | VIDEO | DDSCAPS_VISIBLE},
        {DDSCAPS_PRIMARYSURFACE | DDSCAPS_SYSTEMMEMORY,
         DDSCAPS_PRIMARYSURFACE | DDSCAPS_SYSTEMMEMORY | DDSCAPS_VISIBLE},
        {DDSCAPS_3DDEVICE, DDSCAPS_3DDEVICE | VIDEO},
        {DDSCAPS_ZBUFFER, DDSCAPS_ZBUFFER | VIDEO},
        {DDSCAPS_3DDEVICE | DDSCAPS_OFFSCREENPLAIN, DDSCAPS_3DDEVICE | DDSCAPS_OFFSCREENPLAIN | VIDEO},
    };

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            DDSURFACEDESC2 desc = request(rows[i].asked, 0, 0, 128, 128);
            struct ddraw_plan plan;

            if (rows[i].asked & DDSCAPS_ZBUFFER)
                set_format(&desc, D3D_FORMAT_D16);
            assert_int_equal(plan_for(&desc, versions[v], &plan), DD_OK);
            assert_int_equal(ddraw_plan_describe(&plan, 0).ddsCaps.dwCaps, rows[i].answered);
            assert_int_equal(ddraw_plan_describe(&plan, 0).ddsCaps.dwCaps2, 0);
            desc.dwFlags &= ~(DWORD)DDSD_CAPS; /* no_ddsd_caps_test */
            assert_int_equal(plan_for(&desc, versions[v], &plan), DD_OK);
            assert_int_equal(ddraw_plan_describe(&plan, 0).ddsCaps.dwCaps, rows[i].answered);
            assert_true(ddraw_plan_describe(&plan, 0).dwFlags & DDSD_CAPS);
        }
}

/* test_primary_caps, with the one row in which version 1 differs. */
static void test_primary(void **state)
{
    enum { P = DDSCAPS_PRIMARYSURFACE, F = DDSCAPS_FLIP, C = DDSCAPS_COMPLEX };
    static const struct {
        bool exclusive;
        DWORD caps;
        int back_buffers; /* -1: not said */
        HRESULT hr;
        DWORD answered;
    } rows[] = {
        {false, P, -1, DD_OK, DDSCAPS_VISIBLE | P},
        {false, P | DDSCAPS_TEXTURE, -1, DDERR_INVALIDCAPS, 0},
        {false, P | DDSCAPS_FRONTBUFFER, -1, DDERR_INVALIDCAPS, DDSCAPS_VISIBLE | P | DDSCAPS_FRONTBUFFER},
        {false, P | DDSCAPS_BACKBUFFER, -1, DDERR_INVALIDCAPS, 0},
        {false, P | F, -1, DDERR_INVALIDCAPS, 0},
        {false, P | C, -1, DDERR_INVALIDCAPS, 0},
        {false, P | C | F, -1, DDERR_INVALIDCAPS, 0},
        {false, P | C | F, 0, DDERR_INVALIDCAPS, 0},
        {false, P | C | F, 1, DDERR_NOEXCLUSIVEMODE, 0},
        {true, P | C | F, 0, DDERR_INVALIDCAPS, 0},
        {true, P | C | F, 1, DD_OK, DDSCAPS_VISIBLE | P | DDSCAPS_FRONTBUFFER | F | C},
        {true, P | C | F | DDSCAPS_FRONTBUFFER, 1, DDERR_INVALIDCAPS, 0},
        {true, P | C | F | DDSCAPS_BACKBUFFER, 1, DDERR_INVALIDCAPS, 0},
    };

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            const struct ddraw_screen screen = screen_of(rows[i].exclusive);
            const bool front_1 = versions[v] == 1 && rows[i].caps == (P | DDSCAPS_FRONTBUFFER);
            DDSURFACEDESC2 desc = request(rows[i].caps, 0, rows[i].back_buffers < 0 ? 0 : DDSD_BACKBUFFERCOUNT, 0, 0);
            struct ddraw_plan plan;

            desc.dwBackBufferCount = (DWORD)rows[i].back_buffers;
            assert_int_equal(plan_on(&screen, &desc, versions[v], &plan), front_1 ? DD_OK : rows[i].hr);
            if (FAILED(rows[i].hr) && !front_1)
                continue;
            desc = ddraw_plan_describe(&plan, 0);
            assert_int_equal(desc.ddsCaps.dwCaps & ~(DWORD)VIDEO, rows[i].answered);
            assert_true(desc.dwWidth == 1024 && desc.dwHeight == 768 && desc.ddpfPixelFormat.dwRGBBitCount == 32);
        }
}

/* test_flip: which chains there are, and the capabilities of their surfaces. */
static void test_flip_chains(void **state)
{
    static const DWORD kinds[] = {DDSCAPS_PRIMARYSURFACE, DDSCAPS_OFFSCREENPLAIN, DDSCAPS_TEXTURE};
    enum { F = DDSCAPS_FLIP, C = DDSCAPS_COMPLEX };
    const struct ddraw_screen screen = screen_of(true);

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++) {
            DDSURFACEDESC2 desc = request(C | F | kinds[i], 0, 0, 512, 512);
            const DWORD visible = kinds[i] & DDSCAPS_PRIMARYSURFACE ? DDSCAPS_VISIBLE : 0;
            const DWORD behind = kinds[i] & DDSCAPS_PRIMARYSURFACE ? 0 : kinds[i];
            struct ddraw_plan plan;

            desc.dwBackBufferCount = 3;
            assert_int_equal(plan_on(&screen, &desc, versions[v], NULL), DDERR_INVALIDCAPS);
            desc.dwFlags |= DDSD_BACKBUFFERCOUNT;
            desc.ddsCaps.dwCaps = C | kinds[i];
            assert_int_equal(plan_on(&screen, &desc, versions[v], NULL), DDERR_INVALIDCAPS);
            desc.ddsCaps.dwCaps = F | kinds[i];
            assert_int_equal(plan_on(&screen, &desc, versions[v], NULL), DDERR_INVALIDCAPS);
            desc.ddsCaps.dwCaps = C | F | kinds[i];
            assert_int_equal(plan_on(&screen, &desc, versions[v], &plan), DD_OK);
            assert_int_equal(ddraw_plan_parts(&plan), 4);
            for (unsigned part = 0; part < 4; part++) {
                const DDSURFACEDESC2 answer = ddraw_plan_describe(&plan, part);
                const DWORD want = !part       ? DDSCAPS_FRONTBUFFER | kinds[i] | visible
                                   : part == 1 ? DDSCAPS_BACKBUFFER | behind
                                               : behind;

                assert_int_equal(answer.ddsCaps.dwCaps & ~(DWORD)VIDEO, want | C | F);
                assert_int_equal(answer.dwBackBufferCount, part ? 0 : 3);
                assert_int_equal(!!(answer.dwFlags & DDSD_BACKBUFFERCOUNT), !part);
            }
            desc.dwBackBufferCount = 0xffffffff;
            assert_int_equal(plan_on(&screen, &desc, versions[v], NULL), DDERR_OUTOFVIDEOMEMORY);
        }
}

/* The rest of test_flip: cubes have no back buffers. */
static void test_no_cubes_of_back_buffers(void **state)
{
    enum { C = DDSCAPS_COMPLEX, T = DDSCAPS_TEXTURE, F = DDSCAPS_FLIP };
    static const struct {
        DWORD caps, flags, count;
        HRESULT hr;
    } rows[] = {
        {C | F | T, 0, 3, DDERR_INVALIDCAPS},
        {C | T, DDSD_BACKBUFFERCOUNT, 3, DDERR_INVALIDPARAMS},
        {F | T, DDSD_BACKBUFFERCOUNT, 3, DDERR_INVALIDCAPS},
        {C | F | T, DDSD_BACKBUFFERCOUNT, 3, DDERR_INVALIDPARAMS},
        {C | F | T, DDSD_BACKBUFFERCOUNT, 1, DDERR_INVALIDPARAMS},
        {C | F | T, DDSD_BACKBUFFERCOUNT, 0, DDERR_INVALIDCAPS},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        DDSURFACEDESC2 desc =
            request(rows[i].caps, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES, rows[i].flags, 128, 128);

        desc.dwBackBufferCount = rows[i].count;
        assert_int_equal(plan_for(&desc, 7, NULL), rows[i].hr);
    }
}

static void test_refusals(void **state)
{
    enum { SYSTEM = DDSCAPS_SYSTEMMEMORY, T = DDSCAPS_TEXTURE, PLAIN = DDSCAPS_OFFSCREENPLAIN };
    static const struct {
        DWORD caps, caps2;
        unsigned first, last; /* versions */
        HRESULT hr;
    } rows[] = {
        {SYSTEM | DDSCAPS_VIDEOMEMORY, 0, 1, 7, DDERR_INVALIDCAPS}, /* SurfaceCapsTest */
        {DDSCAPS_BACKBUFFER, 0, 1, 1, DD_OK},                       /* BackBufferCreateSurfaceTest */
        {DDSCAPS_BACKBUFFER, 0, 2, 7, DDERR_INVALIDCAPS},
        {DDSCAPS_MIPMAP, 0, 1, 7, DDERR_INVALIDCAPS},                                    /* test_mipmap */
        {DDSCAPS_VIDEOMEMORY | PLAIN | DDSCAPS_ALLOCONLOAD, 0, 1, 7, DDERR_INVALIDCAPS}, /* test_create_surface_pitch */
        {SYSTEM | PLAIN | DDSCAPS_ALLOCONLOAD, 0, 1, 7, DDERR_INVALIDCAPS},
        {SYSTEM | DDSCAPS_OVERLAY, 0, 1, 7, DDERR_NOOVERLAYHW}, /* test_sysmem_overlay */
        {DDSCAPS_OVERLAY, 0, 1, 7, DDERR_NOOVERLAYHW},
        {PLAIN | SYSTEM | DDSCAPS_WRITEONLY, 0, 4, 7, DDERR_INVALIDCAPS}, /* test_lockrect_invalid */
        {PLAIN | DDSCAPS_VIDEOMEMORY | DDSCAPS_WRITEONLY, 0, 4, 7, DDERR_INVALIDCAPS},
        {T | SYSTEM | DDSCAPS_WRITEONLY, 0, 4, 7, DDERR_INVALIDCAPS},
        {T | DDSCAPS_VIDEOMEMORY | DDSCAPS_WRITEONLY, 0, 4, 7, DDERR_INVALIDCAPS},
        {T | DDSCAPS_WRITEONLY, DDSCAPS2_TEXTUREMANAGE, 4, 7, DD_OK},
        {T | SYSTEM, DDSCAPS2_TEXTUREMANAGE, 4, 7, DDERR_INVALIDCAPS},
        {T | DDSCAPS_VIDEOMEMORY, DDSCAPS2_D3DTEXTUREMANAGE, 4, 7, DDERR_INVALIDCAPS},
        {DDSCAPS_EXECUTEBUFFER | SYSTEM, 0, 1, 7, DDERR_INVALIDCAPS},
        {DDSCAPS_ALPHA, 0, 1, 7, DDERR_NOALPHAHW},
        {PLAIN | DDSCAPS_VISIBLE, 0, 1, 7, DDERR_INVALIDCAPS},
        {PLAIN | DDSCAPS_LOCALVIDMEM, 0, 1, 7, DDERR_INVALIDCAPS},
        {PLAIN | DDSCAPS_LOCALVIDMEM | DDSCAPS_VIDEOMEMORY, 0, 1, 7, DD_OK},
        {PLAIN | DDSCAPS_NONLOCALVIDMEM | DDSCAPS_VIDEOMEMORY, 0, 1, 7, DD_OK},
        {T | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP, DDSCAPS2_CUBEMAP, 7, 7, DDERR_INVALIDPARAMS}, /* CubeMapTest */
        {T | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP, DDSCAPS2_CUBEMAP_ALLFACES, 7, 7, DDERR_INVALIDCAPS},
        {T | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP, DDSCAPS2_CUBEMAP_POSITIVEX, 7, 7, DDERR_INVALIDCAPS},
        {T | DDSCAPS_COMPLEX, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_POSITIVEX, 7, 7, DD_OK},
        {T, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES, 7, 7, DDERR_INVALIDCAPS},
        {T | DDSCAPS_COMPLEX, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES, 4, 4, DDERR_INVALIDCAPS},
        {PLAIN, DDSCAPS2_MIPMAPSUBLEVEL, 4, 7, DDERR_INVALIDCAPS},
    };

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            const DDSURFACEDESC2 desc = request(rows[i].caps, rows[i].caps2, 0, 64, 64);

            if (versions[v] >= rows[i].first && versions[v] <= rows[i].last)
                assert_int_equal(plan_for(&desc, versions[v], NULL), rows[i].hr);
        }
}

/* test_coop_level_surf_create and others: errors that come before all others. */
static void test_first_errors(void **state)
{
    struct ddraw_screen screen = screen_of(true);
    DDSURFACEDESC2 desc = request(DDSCAPS_PRIMARYSURFACE, 0, 0, 0, 0);

    (void)state;
    screen.has_level = false;
    assert_int_equal(plan_on(&screen, &desc, 7, NULL), DDERR_NOCOOPERATIVELEVELSET);
    assert_int_equal(plan_on(&screen, NULL, 7, NULL), DDERR_NOCOOPERATIVELEVELSET);
    screen.has_level = true;
    assert_int_equal(plan_on(&screen, NULL, 7, NULL), DDERR_INVALIDPARAMS);
    screen.has_primary = true;
    assert_int_equal(plan_on(&screen, &desc, 7, NULL), DDERR_PRIMARYSURFACEALREADYEXISTS);
}

/* Overlays, where there are any: in video memory, without alpha and indices, alone or in a chain (test_yv12_overlay,
 * test_block_formats_creation). */
static void test_overlays(void **state)
{
    enum { OVERLAY = DDSCAPS_OVERLAY, IN_VIDEO = DDSCAPS_VIDEOMEMORY, CHAIN = DDSCAPS_FLIP | DDSCAPS_COMPLEX };
    static const struct {
        DWORD caps;
        uint32_t format; /* 0: not said */
        HRESULT hr;
    } rows[] = {
        {OVERLAY, D3D_CODE('Y', 'V', '1', '2'), DD_OK},
        {OVERLAY | IN_VIDEO, D3D_CODE('Y', 'U', 'Y', '2'), DD_OK},
        {OVERLAY | IN_VIDEO | CHAIN, D3D_CODE('U', 'Y', 'V', 'Y'), DD_OK},
        {OVERLAY, D3D_FORMAT_R5G6B5, DD_OK},
        {OVERLAY, D3D_FORMAT_X8R8G8B8, DD_OK},
        {OVERLAY, 0, DD_OK}, /* the mode's */
        {OVERLAY, D3D_FORMAT_A8R8G8B8, DDERR_INVALIDPIXELFORMAT},
        {OVERLAY, D3D_FORMAT_P8, DDERR_INVALIDPIXELFORMAT},
        {OVERLAY, D3D_CODE('D', 'X', 'T', '1'), DDERR_INVALIDPIXELFORMAT},
        {OVERLAY | DDSCAPS_SYSTEMMEMORY, D3D_CODE('Y', 'U', 'Y', '2'), DDERR_NOOVERLAYHW},
        {OVERLAY | DDSCAPS_OFFSCREENPLAIN, D3D_CODE('Y', 'U', 'Y', '2'), DDERR_INVALIDCAPS},
        {OVERLAY | DDSCAPS_FLIP, D3D_CODE('Y', 'U', 'Y', '2'), DDERR_INVALIDCAPS},
        {DDSCAPS_OFFSCREENPLAIN, D3D_CODE('Y', 'V', '1', '2'), DDERR_INVALIDPIXELFORMAT},
    };
    struct ddraw_screen screen = screen_of(false);

    (void)state;
    screen.has_overlays = true;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            const bool chain = rows[i].caps & DDSCAPS_FLIP;
            DDSURFACEDESC2 desc = request(rows[i].caps, 0, 0, 30, 20);
            struct ddraw_plan plan;

            if (rows[i].format)
                set_format(&desc, rows[i].format);
            if (chain) {
                desc.dwFlags |= DDSD_BACKBUFFERCOUNT;
                desc.dwBackBufferCount = 2;
            }
            assert_int_equal(plan_on(&screen, &desc, versions[v], &plan), rows[i].hr);
            if (FAILED(rows[i].hr))
                continue;
            assert_int_equal(plan.chain.memory, RT_MEMORY_VIDEO);
            assert_int_equal(ddraw_plan_parts(&plan), chain ? 3 : 1);
            assert_int_equal(ddraw_plan_describe(&plan, 0).ddsCaps.dwCaps,
                             rows[i].caps | VIDEO | (chain ? DDSCAPS_FRONTBUFFER : 0));
        }
}

/* SizeTest */
static void test_sizes(void **state)
{
    static const struct {
        DWORD flags;
        unsigned width, height;
        HRESULT hr;
    } rows[] = {
        {0, 0, 0, DDERR_INVALIDPARAMS},
        {DDSD_WIDTH, 128, 0, DDERR_INVALIDPARAMS},
        {DDSD_HEIGHT, 0, 128, DDERR_INVALIDPARAMS},
        {DDSD_WIDTH | DDSD_HEIGHT, 1, 0, DDERR_INVALIDPARAMS},
        {DDSD_WIDTH | DDSD_HEIGHT, 0, 1, DDERR_INVALIDPARAMS},
        {DDSD_WIDTH | DDSD_HEIGHT, 128, 128, DD_OK},
        {DDSD_WIDTH | DDSD_HEIGHT, 2048, 2048, DD_OK},
        {DDSD_WIDTH | DDSD_HEIGHT, 2049, 1, DDERR_INVALIDPARAMS},
        {DDSD_WIDTH | DDSD_HEIGHT, 1, 0x80000000, DDERR_INVALIDPARAMS},
        {DDSD_WIDTH | DDSD_HEIGHT, 0xffffffff, 0xffffffff, DDERR_INVALIDPARAMS},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        DDSURFACEDESC2 desc = request(DDSCAPS_OFFSCREENPLAIN, 0, 0, rows[i].width, rows[i].height);

        desc.dwFlags = DDSD_CAPS | rows[i].flags;
        for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
            assert_int_equal(plan_for(&desc, versions[v], NULL), rows[i].hr);
    }
    /* In 32 bits a chain must fit into half of the address space. */
    struct ddraw_screen screen = screen_of(false);
    DDSURFACEDESC2 desc =
        request(DDSCAPS_TEXTURE | DDSCAPS_COMPLEX, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES, 0, 65535, 65535);
    struct ddraw_plan plan;

    screen.most = 1u << 31;
    assert_int_equal(plan_on(&screen, &desc, 7, &plan), sizeof(void *) == 8 ? DD_OK : DDERR_OUTOFVIDEOMEMORY);
    if (sizeof(void *) == 8)
        assert_true(plan.bytes == 6ull * 65535 * 65536 * 4);
}

/* --- levels --------------------------------------------------------------------------------------- */

/* test_mipmap */
static void test_levels(void **state)
{
    enum { T = DDSCAPS_TEXTURE, C = DDSCAPS_COMPLEX, M = DDSCAPS_MIPMAP };
    static const struct {
        DWORD flags, caps;
        unsigned width, height, asked;
        HRESULT hr;
        unsigned before_7, in_7;
    } rows[] = {
        {DDSD_MIPMAPCOUNT, T | C | M, 128, 32, 3, DD_OK, 3, 3},
        {DDSD_MIPMAPCOUNT, T | C | M, 128, 32, 0, DDERR_INVALIDPARAMS, 0, 0},
        {0, T | M, 128, 32, 0, DD_OK, 1, 1},
        {0, M, 128, 32, 0, DDERR_INVALIDCAPS, 0, 0},
        {0, T | C | M, 128, 32, 0, DD_OK, 6, 8},
        {0, T | C | M, 32, 64, 0, DD_OK, 6, 7},
        {DDSD_MIPMAPCOUNT, T | C | M, 128, 32, 9, DDERR_INVALIDPARAMS, 0, 0},
        {DDSD_MIPMAPCOUNT, T | C | M, 128, 32, 0xffffffff, DDERR_INVALIDPARAMS, 0, 0},
    };

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            const unsigned levels = versions[v] < 7 ? rows[i].before_7 : rows[i].in_7;
            DDSURFACEDESC2 desc = request(rows[i].caps, 0, rows[i].flags, rows[i].width, rows[i].height);
            struct ddraw_plan plan;

            desc.dwMipMapCount = rows[i].asked;
            assert_int_equal(plan_for(&desc, versions[v], &plan), rows[i].hr);
            if (FAILED(rows[i].hr))
                continue;
            assert_int_equal(ddraw_plan_parts(&plan), levels);
            for (unsigned level = 0; level < levels; level++) {
                desc = ddraw_plan_describe(&plan, level);
                assert_true(desc.dwFlags & DDSD_MIPMAPCOUNT);
                assert_int_equal(desc.dwMipMapCount, levels - level);
                assert_int_equal(desc.dwWidth, BASE_MAX(rows[i].width >> level, 1u));
                assert_int_equal(desc.dwHeight, BASE_MAX(rows[i].height >> level, 1u));
                assert_int_equal(!!(desc.ddsCaps.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL), level > 0);
            }
        }
    /* Without DDSCAPS_MIPMAP a count is ignored. */
    DDSURFACEDESC2 desc = request(T, 0, DDSD_MIPMAPCOUNT, 128, 32);
    struct ddraw_plan plan;

    assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
    assert_int_equal(ddraw_plan_parts(&plan), 1);
    assert_int_equal(ddraw_plan_describe(&plan, 0).dwMipMapCount, 0);
}

/* CubeMapTest, and cubes without all faces. */
static void test_cubes(void **state)
{
    const DWORD caps = DDSCAPS_TEXTURE | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP | DDSCAPS_SYSTEMMEMORY;
    DDSURFACEDESC2 desc = request(caps, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES, 0, 128, 128), answer;
    struct ddraw_plan plan;

    (void)state;
    set_format(&desc, D3D_FORMAT_R5G6B5);
    assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
    assert_int_equal(ddraw_plan_parts(&plan), 6 * 8);
    for (unsigned face = 0; face < 6; face++)
        for (unsigned level = 0; level < 8; level++) {
            answer = ddraw_plan_describe(&plan, face * 8 + level);
            assert_int_equal(answer.ddsCaps.dwCaps, caps);
            assert_int_equal(answer.ddsCaps.dwCaps2, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_POSITIVEX << face |
                                                         (level ? DDSCAPS2_MIPMAPSUBLEVEL : 0));
            assert_int_equal(answer.dwMipMapCount, 8 - level);
        }
    desc.ddsCaps.dwCaps2 = DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_POSITIVEY | DDSCAPS2_CUBEMAP_NEGATIVEZ;
    assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
    assert_int_equal(ddraw_plan_root(&plan), 2 * 8);
    for (unsigned part = 0; part < 50; part++)
        assert_int_equal(ddraw_plan_has(&plan, part), part / 8 == 2 || part / 8 == 5);
    desc.dwHeight = 64;
    assert_int_equal(plan_for(&desc, 7, NULL), DDERR_INVALIDPARAMS);
    /* A cube of palettes, and of a format that textures do not have */
    desc = request(caps, DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES, 0, 128, 128);
    set_format(&desc, D3D_FORMAT_P8);
    assert_int_equal(plan_for(&desc, 7, NULL), DD_OK);
}

/* --- random requests -------------------------------------------------------------------------------------- */

static DWORD some_bits(DWORD of)
{
    return of & random_word() & random_word();
}

static unsigned some_size(void)
{
    static const unsigned ends[] = {0,      1,      2,       3,          255,        256,       0x7fff,
                                    0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};

    return random_one_in(4) ? ends[random_below(ARRAY_COUNT(ends))] : 1 + random_below(40) * (random_one_in(2) ? 4 : 1);
}

static DDSURFACEDESC2 random_request(void)
{
    static const DWORD likely[] = {DDSCAPS_OFFSCREENPLAIN,
                                   DDSCAPS_TEXTURE,
                                   DDSCAPS_TEXTURE | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP,
                                   DDSCAPS_ZBUFFER,
                                   DDSCAPS_3DDEVICE,
                                   DDSCAPS_PRIMARYSURFACE,
                                   DDSCAPS_COMPLEX | DDSCAPS_FLIP | DDSCAPS_OFFSCREENPLAIN,
                                   0};
    static const uint32_t format[] = {D3D_FORMAT_P8,       D3D_FORMAT_R5G6B5,   D3D_FORMAT_X8R8G8B8,
                                      D3D_FORMAT_A8R8G8B8, D3D_FORMAT_A4R4G4B4, D3D_FORMAT_R8G8B8,
                                      D3D_FORMAT_DXT1,     D3D_FORMAT_DXT5,     D3D_CODE('Y', 'U', 'Y', '2'),
                                      D3D_FORMAT_L8,       D3D_FORMAT_V8U8,     D3D_FORMAT_D16,
                                      D3D_FORMAT_D24S8,    D3D_FORMAT_D32};
    DDSURFACEDESC2 desc;

    for (unsigned i = 0; i < sizeof(desc) / 4; i++) {
        const uint32_t word = random_one_in(3) ? random_word() : random_below(9);
        memcpy((uint8_t *)&desc + 4 * i, &word, 4);
    }
    desc.dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT |
                   some_bits(DDSD_MIPMAPCOUNT | DDSD_BACKBUFFERCOUNT | DDSD_PITCH | DDSD_LINEARSIZE |
                             DDSD_ZBUFFERBITDEPTH | DDSD_LPSURFACE);
    if (random_one_in(16))
        desc.dwFlags = random_word();
    desc.dwWidth = some_size();
    desc.dwHeight = random_one_in(2) ? desc.dwWidth : some_size();
    desc.ddsCaps.dwCaps = likely[random_below(ARRAY_COUNT(likely))] |
                          some_bits(DDSCAPS_SYSTEMMEMORY | DDSCAPS_VIDEOMEMORY) |
                          (random_one_in(8) ? some_bits(~0u) : 0);
    desc.ddsCaps.dwCaps2 =
        random_one_in(3)
            ? some_bits(DDSCAPS2_CUBEMAP | DDSCAPS2_CUBEMAP_ALLFACES | DDSCAPS2_TEXTUREMANAGE | DDSCAPS2_OPAQUE)
            : 0;
    if (random_one_in(2)) {
        desc.dwFlags |= DDSD_PIXELFORMAT;
        if (!random_one_in(10))
            ddraw_format_describe(format[random_below(ARRAY_COUNT(format))], &desc.ddpfPixelFormat);
    }
    return desc;
}

/* Facts that must be true of every plan, whatever was asked for. */
static void expect_sane(const struct ddraw_plan *plan, const struct ddraw_screen *screen)
{
    const unsigned parts = ddraw_plan_parts(plan);
    uint64_t bytes = 0;

    assert_true(parts >= 1 && parts <= 6 * 17 && ddraw_plan_has(plan, ddraw_plan_root(plan)));
    assert_true(plan->bytes <= RT_MOST_BYTES);
    for (unsigned part = 0; part < parts; part++) {
        const DDSURFACEDESC2 desc = ddraw_plan_describe(plan, part);
        const DWORD caps = desc.ddsCaps.dwCaps;
        DDPIXELFORMAT pixels = desc.ddpfPixelFormat;

        assert_true(desc.dwWidth && desc.dwHeight && desc.dwWidth <= screen->most && desc.dwHeight <= screen->most);
        assert_true(!(caps & DDSCAPS_SYSTEMMEMORY) != !(caps & DDSCAPS_VIDEOMEMORY));
        assert_int_equal(caps & DDSCAPS_SYSTEMMEMORY ? RT_MEMORY_SYSTEM : RT_MEMORY_VIDEO, plan->chain.memory);
        assert_int_equal(ddraw_format_of(&pixels), plan->chain.format);
        assert_true(desc.dwFlags & DDSD_LINEARSIZE ||
                    (uint64_t)desc.lPitch >= ddraw_row_bytes(plan->chain.format, desc.dwWidth));
        bytes += ddraw_linear_size(plan->chain.format, desc.dwWidth, desc.dwHeight);
    }
    assert_true(plan->bytes >= bytes);
}

/* The driver makes the chain. Flip chains are targets for it (client/client.h), so those of other formats are left out, and large
 * ones, for the machine's sake. */
static bool made_by_driver(const struct ddraw_plan *plan, const struct ddraw_screen *screen)
{
    struct rt_chain *chain;

    if (plan->bytes > 1 << 20 ||
        (plan->chain.kind == RT_CHAIN_SWAP &&
         !(screen->operations(screen->driver, plan->chain.format) & D3DFORMAT_OP_OFFSCREEN_RENDERTARGET)))
        return false;
    assert_int_equal(rt_chain_create(link_to_driver, &plan->chain, &chain), DD_OK);
    assert_int_equal(chain->part_count, ddraw_plan_parts(plan));
    rt_chain_destroy(chain);
    return true;
}

static void test_random_requests(void **state)
{
    static uint8_t memory[1 << 20];
    unsigned made = 0, planned = 0;

    (void)state;
    for (unsigned round = first_round(30000); round < end_round(30000); round++) {
        struct ddraw_screen screen = screen_of(round & 1);
        DDSURFACEDESC2 desc;
        struct ddraw_plan plan;

        random_seed = round + 1;
        desc = random_request();
        screen.width = 1 + random_below(64);
        screen.height = 1 + random_below(64);
        screen.format = random_one_in(3) ? D3D_FORMAT_P8 : random_one_in(2) ? D3D_FORMAT_R5G6B5 : D3D_FORMAT_X8R8G8B8;
        screen.pointer = random_one_in(2) ? 4 : 8;
        desc.lpSurface = memory;
        if (random_one_in(4))
            desc.lPitch = (LONG)random_below(64) * 4;
        if (FAILED(plan_on(&screen, &desc, versions[random_below(4)], &plan)))
            continue;
        expect_sane(&plan, &screen);
        planned++;
        made += made_by_driver(&plan, &screen);
    }
    assert_true(fewer_rounds() > 1 || (planned > 3000 && made > 2000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),         cmocka_unit_test(test_primary),
        cmocka_unit_test(test_flip_chains),     cmocka_unit_test(test_no_cubes_of_back_buffers),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_first_errors),
        cmocka_unit_test(test_overlays),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_levels),          cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_random_requests),
    };

    return cmocka_run_group_tests(tests, open_driver, close_driver);
}
