/* SPDX-License-Identifier: MIT */
/*
 * System memory that is replaced under a surface that exists, as IDirectDrawSurface4::SetSurfaceDesc does: CreateSurfaceEx of the
 * same surface again (docs/reference/driver-calls.md, section 4).
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
#include "tests/random.h"
#include "tests/unit/client_fixture.h"

#define MOST 64u /* texels, both ways */

static struct client_chain *make(const struct client_chain_desc *desc)
{
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, desc, &chain), DD_OK);
    return chain;
}

/* Texel (x, y) of a copy that the driver makes, in the bytes of the format. */
static uint32_t texel_of(struct client_surface *surface, unsigned bytes, unsigned x, unsigned y)
{
    const struct client_chain_desc desc = {
        .format = surface->format, .width = surface->width, .height = surface->height};
    struct client_chain *copy = make(&desc);
    struct client_lock lock;
    uint32_t texel = 0;

    assert_int_equal(client_blt(client_part(copy, 0), NULL, surface, NULL, 0), DD_OK);
    assert_int_equal(client_lock(client_part(copy, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&texel, lock.bits + y * lock.pitch + (size_t)x * bytes, bytes);
    client_unlock(client_part(copy, 0));
    client_chain_destroy(copy);
    return texel;
}

static void test_other_memory(void **state)
{
    static const struct {
        unsigned width, height, gap; /* bytes after each row */
        uint32_t format;
        unsigned bytes;
    } rows[] = {
        {16, 16, 0, D3DFMT_X8R8G8B8, 4}, {16, 16, 0, D3DFMT_X8R8G8B8, 4}, {16, 16, 64, D3DFMT_X8R8G8B8, 4},
        {32, 8, 0, D3DFMT_R5G6B5, 2},    {5, 63, 6, D3DFMT_R5G6B5, 2},    {63, 1, 4, D3DFMT_A8R8G8B8, 4},
        {17, 9, 3, D3DFMT_P8, 1},        {16, 16, 0, D3DFMT_X8R8G8B8, 4},
    };
    const uint32_t usages[] = {0, CLIENT_TEXTURE};
    uint32_t seed = 7;

    (void)state;
    for (unsigned u = 0; u < ARRAY_COUNT(usages); u++) {
        const struct client_chain_desc desc = {
            .usage = CLIENT_SYSTEM_MEMORY | usages[u], .format = D3DFMT_X8R8G8B8, .width = 16, .height = 16};
        struct client_chain *chain = make(&desc);
        struct client_surface *surface = client_part(chain, 0);
        const uint32_t handle = client_handle(surface);
        uint8_t *before = NULL;

        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            const size_t pitch = (size_t)rows[i].width * rows[i].bytes + rows[i].gap, size = pitch * rows[i].height;
            const unsigned x = rows[i].width - 1, y = rows[i].height - 1;
            const struct client_memory memory = {malloc(size), pitch, rows[i].width, rows[i].height, rows[i].format};
            uint32_t expected = 0;

            for (size_t k = 0; k < size; k++)
                memory.bits[k] = (uint8_t)random_next(&seed);
            assert_int_equal(client_surface_rebind(surface, &memory), DD_OK);
            free(before); /* nobody has a use of it: tests/run runs this with the address sanitizer too */
            before = memory.bits;
            assert_int_equal(client_handle(surface), handle);
            memcpy(&expected, memory.bits + y * pitch + (size_t)x * rows[i].bytes, rows[i].bytes);
            if (rows[i].format == D3DFMT_X8R8G8B8)
                assert_int_equal(texel_of(surface, rows[i].bytes, x, y) & 0xffffff, expected & 0xffffff);
            else
                assert_int_equal(texel_of(surface, rows[i].bytes, x, y), expected);
        }
        client_chain_destroy(chain);
        free(before);
    }
}

/* The same address, of which each description makes another picture. */
static void test_same_address(void **state)
{
    static uint8_t bits[1024];
    const struct client_memory memories[] = {
        {bits, 64, 16, 16, D3DFMT_X8R8G8B8}, {bits, 128, 16, 8, D3DFMT_X8R8G8B8}, {bits, 128, 32, 8, D3DFMT_X8R8G8B8},
        {bits, 128, 32, 8, D3DFMT_R5G6B5},   {bits, 128, 32, 3, D3DFMT_R5G6B5},
    };
    const struct client_chain_desc desc = {
        .usage = CLIENT_SYSTEM_MEMORY, .format = D3DFMT_X8R8G8B8, .width = 16, .height = 16};
    struct client_chain *chain = make(&desc);

    (void)state;
    for (unsigned i = 0; i < sizeof(bits); i++)
        bits[i] = (uint8_t)(i * 7 + i / 64 * 3);
    for (unsigned i = 0; i < ARRAY_COUNT(memories); i++) {
        const struct client_memory *m = &memories[i];
        const unsigned bytes = m->format == D3DFMT_R5G6B5 ? 2 : 4;
        uint32_t expected = 0;

        assert_int_equal(client_surface_rebind(client_part(chain, 0), m), DD_OK);
        memcpy(&expected, bits + (m->height - 1) * m->pitch + ((size_t)m->width - 1) * bytes, bytes);
        assert_int_equal(texel_of(client_part(chain, 0), bytes, m->width - 1, m->height - 1) & 0xffffff,
                         expected & 0xffffff);
    }
    client_chain_destroy(chain);
}

/* The memory that the surface had is its memory still. */
static void test_refused(void **state)
{
    static uint8_t bits[MOST * MOST * 4];
    const struct client_chain_desc good = {
        .usage = CLIENT_SYSTEM_MEMORY, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8};
    const struct client_chain_desc others[] = {
        {.format = D3DFMT_X8R8G8B8, .width = 8, .height = 8},
        {.usage = CLIENT_SYSTEM_MEMORY | CLIENT_VERTEX_BUFFER, .width = 256},
        {.usage = CLIENT_SYSTEM_MEMORY | CLIENT_TEXTURE | CLIENT_VOLUME,
         .format = D3DFMT_X8R8G8B8,
         .width = 8,
         .height = 8,
         .depth = 8},
        {.usage = CLIENT_SYSTEM_MEMORY | CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT,
         .format = D3DFMT_X8R8G8B8,
         .width = 8,
         .height = 8,
         .levels = 2},
    };
    const struct client_memory memory = {bits, MOST * 4, MOST, MOST, D3DFMT_X8R8G8B8};
    const struct client_memory wrong[] = {
        {NULL, MOST * 4, MOST, MOST, D3DFMT_X8R8G8B8},   {bits, MOST * 4 - 1, MOST, MOST, D3DFMT_X8R8G8B8},
        {bits, 0, MOST, MOST, D3DFMT_X8R8G8B8},          {bits, MOST * 4, 0, MOST, D3DFMT_X8R8G8B8},
        {bits, MOST * 4, MOST, 0, D3DFMT_X8R8G8B8},      {bits, 0x40000, 0x10000, 1, D3DFMT_X8R8G8B8},
        {bits, MOST * 4, 1, 0x10000, D3DFMT_X8R8G8B8},   {bits, (size_t)INT32_MAX + 1, 1, 1, D3DFMT_X8R8G8B8},
        {bits, 0x7ffffffc, MOST, MOST, D3DFMT_X8R8G8B8},
    };
    struct client_chain *chain = make(&good);
    struct client_surface *surface = client_part(chain, 0);
    struct client_lock lock;

    (void)state;
    assert_int_equal(client_fill(surface, NULL, 0x123456), DD_OK);
    for (unsigned i = 0; i < ARRAY_COUNT(wrong); i++)
        assert_int_equal(client_surface_rebind(surface, &wrong[i]), DDERR_INVALIDPARAMS);
    assert_int_equal(client_lock(surface, NULL, 0, &lock), DD_OK);
    assert_int_equal(client_surface_rebind(surface, &memory), DDERR_SURFACEBUSY);
    client_unlock(surface);
    assert_int_equal(surface->width, 8);
    assert_int_equal(texel_of(surface, 4, 7, 7) & 0xffffff, 0x123456);
    client_chain_destroy(chain);
    for (unsigned i = 0; i < ARRAY_COUNT(others); i++) {
        chain = make(&others[i]);
        assert_int_equal(client_surface_rebind(client_part(chain, 0), &memory), DDERR_INVALIDPARAMS);
        client_chain_destroy(chain);
    }
}

/* The driver has blits with the new size: beyond it is outside. */
static void test_bounds(void **state)
{
    static uint8_t bits[4 * 4 * 4];
    const struct client_chain_desc desc = {
        .usage = CLIENT_SYSTEM_MEMORY, .format = D3DFMT_X8R8G8B8, .width = 32, .height = 32};
    const struct client_memory memory = {bits, 16, 4, 4, D3DFMT_X8R8G8B8};
    const RECT outside = {0, 0, 5, 4}, inside = {1, 1, 4, 4};
    struct client_chain *chain = make(&desc);
    struct client_lock lock;

    (void)state;
    assert_int_equal(client_surface_rebind(client_part(chain, 0), &memory), DD_OK);
    assert_int_equal(client_lock(client_part(chain, 0), &outside, 0, &lock), DDERR_INVALIDRECT);
    assert_int_equal(client_lock(client_part(chain, 0), &inside, 0, &lock), DD_OK);
    assert_ptr_equal(lock.bits, bits + 16 + 4);
    assert_int_equal(lock.pitch, 16);
    client_unlock(client_part(chain, 0));
    client_chain_destroy(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_memory),
        cmocka_unit_test(test_same_address),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bounds),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
