/* SPDX-License-Identifier: MIT */
/*
 * The memory of lightweight MIP maps: its layout is the documented one in system memory and in video memory; descriptions
 * that cannot be are refused and leave nothing behind; memory that changes, moves or goes is not used any more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "client/client.h"
#include "hal/driver.h"
#include "tests/unit/light_fixture.h"

#define FLOATS 116u /* D3DFMT_A32B32G32R32F */

/* --- layout ------------------------------------------------------------------------------ */

struct row_of_layout {
    uint32_t usage, format;
    unsigned width, height, depth, levels;
    size_t offset[4], pitch[4], bytes;
};

static void check_layout(const struct row_of_layout *row, uint32_t memory)
{
    struct client_chain *chain =
        make((struct client_chain_desc){.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT | row->usage | memory,
                                        .format = row->format,
                                        .width = row->width,
                                        .height = row->height,
                                        .depth = row->depth,
                                        .levels = row->levels});
    const struct client_surface *first = client_part(chain, 0);

    for (unsigned face = 0; face < chain->faces; face++) {
        const struct hal_surface *top = hal_of(chain, face);
        const struct hal_texture *texture = top->texture;

        assert_int_equal(top->base.bytes, row->bytes);
        assert_int_equal(first->more.dwBytesAllocated, row->bytes);
        assert_int_equal(first->gbl.lPitch, row->pitch[0]);
        assert_int_equal(texture->level_count, row->levels);
        assert_int_equal(texture->face_count, chain->faces);
        for (unsigned level = 0; level < row->levels; level++) {
            const struct hal_surface *part = texture->parts[face][level];

            assert_int_equal(part->base.memory - top->base.memory, row->offset[level]);
            assert_int_equal(part->pitch, row->pitch[level]);
            assert_int_equal(part->width, size_at(row->width, level));
            assert_int_equal(part->height, size_at(row->height, level));
            assert_int_equal(part->depth, size_at(row->depth, level));
            assert_int_equal(part->base.owns_memory, !memory);
        }
        assert_null(client_level(chain, face, 1));
    }
    client_chain_destroy(chain);
}

static void test_layout(void **state)
{
    static const struct row_of_layout rows[] = {
        {0, D3DFMT_A8R8G8B8, 8, 8, 1, 4, {0, 256, 320, 336}, {32, 16, 8, 4}, 340},
        {0, D3DFMT_R5G6B5, 5, 3, 1, 3, {0, 36, 40}, {12, 4, 4}, 44},
        {0, D3DFMT_L8, 6, 2, 1, 2, {0, 16}, {8, 4}, 20},
        {0, D3DFMT_DXT1, 8, 8, 1, 4, {0, 32, 40, 48}, {16, 8, 8, 8}, 56},
        {CLIENT_CUBE, D3DFMT_R5G6B5, 4, 4, 1, 3, {0, 32, 40}, {8, 4, 4}, 44},
        {CLIENT_VOLUME, D3DFMT_A8R8G8B8, 4, 4, 4, 3, {0, 256, 288}, {16, 8, 4}, 292},
        {CLIENT_VOLUME, D3DFMT_L8, 3, 3, 5, 2, {0, 60}, {4, 4}, 68},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        check_layout(&rows[i], 0);
        check_layout(&rows[i], CLIENT_SYSTEM_MEMORY);
    }
}

/* As DirectX 9 runtimes have managed textures: the program writes all levels at once, in the layout of system memory, and
 * each write shows at the next draw. */
static void test_managed_texture(void **state)
{
    struct client_chain *chain = make((struct client_chain_desc){.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT,
                                                                 .format = D3DFMT_A8R8G8B8,
                                                                 .width = 16,
                                                                 .height = 16,
                                                                 .levels = 5});
    struct client_surface made = *client_part(chain, 0);
    static uint32_t pixels[SIZE * SIZE];
    struct client_lock lock;

    (void)state;
    begin_context();
    made.lcl.lpGbl = &made.gbl;
    made.lcl.lpSurfMore = &made.more;
    made.lcl.dwReserved1 = 0;
    made.more.ddsCapsEx.dwCaps2 |= DDSCAPS2_TEXTUREMANAGE;
    assert_int_equal(hal_resource_create(hal_of(chain, 0)->base.driver, &made.lcl, false), DD_OK);
    assert_int_equal(made.gbl.lPitch, 64);
    assert_int_equal(made.more.dwBytesAllocated, 4 * (256 + 64 + 16 + 4 + 1));
    hal_resource_destroy(&made.lcl);
    for (uint32_t time = 0; time < 2; time++) {
        assert_int_equal(client_lock(client_part(chain, 0), NULL, 0, &lock), DD_OK);
        for (unsigned level = 0; level < 5; level++) {
            const struct client_place place =
                client_place_of(client_part(chain, 0), lock.pitch, lock.slice_pitch, level);

            memset(lock.bits + place.offset, (int)(0x11 * (level + 1 + 5 * time)), place.end - place.offset);
        }
        client_unlock(client_part(chain, 0));
        for (unsigned level = 2; level < 6; level++) { /* 64 pixels are four times as many as texels */
            draw(chain, level, 0, pixels);
            assert_int_equal(pixels[0], 0x11111111 * (level - 1 + 5 * time));
        }
    }
    end_context();
    client_chain_destroy(chain);
}

/* --- descriptions that cannot be ---------------------------------------------------------- */

static HRESULT announce(struct client_surface *surface)
{
    DDHAL_CREATESURFACEEXDATA data = {.lpDDLcl = surface->more.lpDD_lcl, .lpDDSLcl = &surface->lcl};

    assert_int_equal(driver.misc2.CreateSurfaceEx(&data), DDHAL_DRIVER_HANDLED);
    return data.ddRVal;
}

static HRESULT try_create(struct client_chain_desc desc)
{
    struct client_chain *chain = NULL;
    const HRESULT hr = client_chain_create(client, &desc, &chain);

    client_chain_destroy(chain);
    return hr;
}

static void test_refused_descriptions(void **state)
{
    const struct client_chain_desc good = {.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT,
                                           .format = D3DFMT_A8R8G8B8,
                                           .width = 64,
                                           .height = 16,
                                           .levels = 7};
    struct client_chain *model = make(good);
    const struct hal_driver *hal = hal_of(model, 0)->base.driver;
    const unsigned before = hal->resource_count;
    struct client_chain_desc desc = good;

    (void)state;
    for (uint32_t memory = 0; memory <= CLIENT_SYSTEM_MEMORY; memory += CLIENT_SYSTEM_MEMORY) {
        desc = good;
        desc.usage |= memory;
        assert_int_equal(try_create(desc), DD_OK);
        desc.levels = 8; /* 64 texels have seven */
        assert_int_equal(try_create(desc), DDERR_INVALIDPARAMS);
        desc = good;
        desc.usage |= CLIENT_TARGET | memory;
        assert_int_equal(try_create(desc), DDERR_INVALIDCAPS);
        desc.usage ^= CLIENT_TARGET | CLIENT_TEXTURE; /* nor a surface that is none of a texture */
        assert_int_equal(try_create(desc), DDERR_INVALIDCAPS);
        desc = good;
        desc.usage = CLIENT_TEXTURE | CLIENT_DEPTH | CLIENT_LIGHTWEIGHT | memory;
        desc.format = D3DFMT_D16;
        assert_int_equal(try_create(desc), DDERR_INVALIDCAPS);
        assert_int_equal(hal->resource_count, before);
    }
    /* too many bytes for all levels */
    desc = (struct client_chain_desc){.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT | CLIENT_VOLUME,
                                      .format = FLOATS,
                                      .width = 2048,
                                      .height = 2048,
                                      .depth = 2048,
                                      .levels = 12};
    assert_int_equal(try_create(desc), DDERR_OUTOFVIDEOMEMORY);
    assert_int_equal(hal->resource_count, before);
    client_chain_destroy(model);
}

/* The number of levels, the size and the memory of announced system memory change; each time the driver sees what is there
 * now, and a count that cannot be leaves nothing that could be read. */
static void test_system_memory_changes(void **state)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT | CLIENT_SYSTEM_MEMORY,
                                           .format = D3DFMT_A8R8G8B8,
                                           .width = 16,
                                           .height = 16,
                                           .levels = 5};
    struct client_chain *chain = make(desc);
    struct client_chain *plain =
        make((struct client_chain_desc){.usage = CLIENT_TEXTURE, .format = D3DFMT_A8R8G8B8, .width = 16, .height = 16});
    struct client_surface *surface = client_part(chain, 0);
    uint8_t *old = (uint8_t *)surface->gbl.fpVidMem, *moved = malloc(surface->more.dwBytesAllocated);
    struct stream stream;

    (void)state;
    begin_context();
    number_levels(chain, 0x30);
    memcpy(moved, old, surface->more.dwBytesAllocated);
    memset(old, 0, surface->more.dwBytesAllocated);
    surface->gbl.fpVidMem = (FLATPTR)moved;
    assert_int_equal(announce(surface), DD_OK);
    assert_int_equal(hal_of(chain, 0)->texture->level_count, 5);
    begin(&stream);
    PUT(&stream, D3DDP2OP_BLT, face_handle(chain, 0), 0, 0, 4, 4, 2, face_handle(plain, 0), 0, 0, 4, 4, 0, 0);
    assert_int_equal(submit(&stream, NULL, 0, 0), DD_OK);
    assert_int_equal(number_of(plain, 0), 0x32);
    for (unsigned levels = 0; levels < 9; levels++) {
        surface->more.dwMipMapCount = levels;
        assert_int_equal(announce(surface), levels <= 5 ? DD_OK : DDERR_INVALIDPARAMS);
        begin(&stream);
        for (unsigned level = 0; level < 9; level++)
            PUT(&stream, D3DDP2OP_BLT, face_handle(chain, 0), 0, 0, 1, 1, level, face_handle(plain, 0), 0, 0, 1, 1, 0,
                0);
        const HRESULT hr = submit(&stream, NULL, 0, 0);

        assert_true(levels <= 5 ? hr == DD_OK : FAILED(hr));
        if (levels <= 5)
            assert_int_equal(hal_of(chain, 0)->texture->level_count, levels ? levels : 1);
    }
    surface->more.dwMipMapCount = 3;
    surface->gbl.wWidth = surface->gbl.wHeight = 8;
    surface->gbl.lPitch = 32;
    assert_int_equal(announce(surface), DD_OK);
    assert_int_equal(hal_of(chain, 0)->base.bytes, 256 + 64 + 16);
    surface->gbl.lPitch = 16; /* too short for a row */
    assert_int_equal(announce(surface), DD_OK);
    assert_int_equal(hal_of(chain, 0)->base.bytes, 0);
    begin(&stream);
    PUT(&stream, D3DDP2OP_BLT, face_handle(chain, 0), 0, 0, 1, 1, 1, face_handle(plain, 0), 0, 0, 1, 1, 0, 0);
    assert_true(FAILED(submit(&stream, NULL, 0, 0)));
    surface->gbl.lPitch = 32;
    assert_int_equal(announce(surface), DD_OK);
    assert_int_equal(hal_of(chain, 0)->base.bytes, 256 + 64 + 16);
    end_context();
    client_chain_destroy(plain);
    client_chain_destroy(chain);
    free(moved);
}

/* Faces of a cube that are destroyed one by one, while scenes read them; levels that no surface describes. */
static void test_destruction(void **state)
{
    static uint32_t pixels[SIZE * SIZE];

    (void)state;
    begin_context();
    for (unsigned first = 0; first < 6; first++) {
        struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT | CLIENT_CUBE,
                                         .format = D3DFMT_A8R8G8B8,
                                         .width = 8,
                                         .height = 8,
                                         .levels = 4};
        struct client_chain *cube = make(desc);
        struct hal_surface *top = hal_of(cube, 0);
        struct stream stream;

        draw(cube, 1, 0, pixels);
        for (unsigned i = 0; i < 6; i++) {
            struct client_surface *face = client_part(cube, (first + i) % 6);
            DDHAL_DESTROYSURFACEDATA data = {.lpDD = face->gbl.lpDD, .lpDDSurface = &face->lcl};

            assert_int_equal(driver.surface.DestroySurface(&data), DDHAL_DRIVER_HANDLED);
            if (i == 0 && first)
                assert_int_equal(top->texture->level_count, 1);
            begin(&stream);
            PUT(&stream, D3DDP2OP_GENERATEMIPSUBLEVELS, face_handle(cube, 0), 2);
            PUT(&stream, D3DDP2OP_BLT, face_handle(cube, 1), 0, 0, 4, 4, 1, face_handle(cube, 2), 0, 0, 4, 4, 1, 0);
            assert_int_equal(submit(&stream, NULL, 0, 0), DD_OK);
        }
        client_chain_destroy(cube);
    }
    end_context();
}

/* Neither takes the levels of a lightweight MIP map along, so neither may exchange its memory: a flip, and a lock that
 * discards the contents of a texture that a scene reads. */
static void test_memory_stays(void **state)
{
    struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT,
                                     .format = D3DFMT_A8R8G8B8,
                                     .width = 16,
                                     .height = 16,
                                     .levels = 2};
    struct client_chain *a = make(desc), *b = make(desc);
    struct client_lock lock;

    (void)state;
    const uint8_t *memory = hal_of(a, 0)->base.memory;

    assert_false(hal_surface_swap_memory(hal_of(a, 0), hal_of(b, 0)));
    assert_int_equal(client_lock(client_part(a, 0), NULL, DDLOCK_DISCARDCONTENTS, &lock), DD_OK);
    assert_ptr_equal(lock.bits, memory);
    client_unlock(client_part(a, 0));
    client_chain_destroy(b);
    client_chain_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_managed_texture),
        cmocka_unit_test(test_refused_descriptions),
        cmocka_unit_test(test_system_memory_changes),
        cmocka_unit_test(test_destruction),
        cmocka_unit_test(test_memory_stays),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
