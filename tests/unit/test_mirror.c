/* SPDX-License-Identifier: MIT */
/* Mirrored blits (DDBLT_DDFX) against texels moved one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "client/client.h"
#include "hal/hal.h"
#include "tests/random.h"
#include "tests/unit/client_fixture.h"

#define SIDE  8u
#define BYTES 8u /* of the largest texel */

struct picture {
    uint8_t texel[SIDE][SIDE][BYTES];
};

static struct client_chain *make(uint32_t usage, uint32_t format, unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = usage, .format = format, .width = SIDE, .height = SIDE, .samples = samples};
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static void move(struct client_chain *chain, struct picture *picture, unsigned bytes, bool write)
{
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(chain, 0), NULL, write ? 0 : DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            uint8_t *texel = lock.bits + y * lock.pitch + (size_t)x * bytes;

            memcpy(write ? texel : picture->texel[y][x], write ? picture->texel[y][x] : texel, bytes);
        }
    client_unlock(client_part(chain, 0));
}

static void randomize(struct picture *picture)
{
    for (unsigned i = 0; i < sizeof(picture->texel); i++)
        ((uint8_t *)picture->texel)[i] = (uint8_t)random_word();
}

/* Does in `to` what the blit should do: each texel becomes `scale` times as wide and high. */
static void expect(struct picture *to, LONG to_x, LONG to_y, const struct picture *from, const RECT *taken,
                   uint32_t effects, LONG scale)
{
    const LONG width = taken->right - taken->left, height = taken->bottom - taken->top;

    for (LONG y = 0; y < height * scale; y++)
        for (LONG x = 0; x < width * scale; x++) {
            const LONG column = effects & DDBLTFX_MIRRORLEFTRIGHT ? width - 1 - x / scale : x / scale;
            const LONG row = effects & DDBLTFX_MIRRORUPDOWN ? height - 1 - y / scale : y / scale;

            memcpy(to->texel[to_y + y][to_x + x], from->texel[taken->top + row][taken->left + column], BYTES);
        }
}

static const struct {
    uint32_t format;
    unsigned bytes;
} formats[] = {{D3DFMT_A8R8G8B8, 4}, {D3DFMT_R5G6B5, 2}, {D3DFMT_L8, 1}, {36 /* A16B16G16R16 */, 8}};

static void test_texels(void **state)
{
    const RECT taken = {1, 2, 4, 4}, same = {3, 4, 6, 6}, larger = {1, 1, 7, 5};

    (void)state;
    for (unsigned i = 0; i < 2 * ARRAY_COUNT(formats) * 3; i++) {
        const unsigned bytes = formats[i % ARRAY_COUNT(formats)].bytes, scale = 1 + i % 2;
        const uint32_t format = formats[i % ARRAY_COUNT(formats)].format, mirror = (1 + i / 2 % 3) << 1;
        struct client_chain *from = make(CLIENT_TEXTURE, format, 0), *to = make(CLIENT_TEXTURE, format, 0);
        const struct client_blt_effects effects = {.mirror = mirror};
        const RECT *given = scale == 1 ? &same : &larger;
        struct picture source = {{{{0}}}}, wanted = {{{{0}}}}, got = {{{{0}}}};

        randomize(&source);
        randomize(&wanted);
        move(from, &source, bytes, true);
        move(to, &wanted, bytes, true);
        assert_int_equal(client_blt_with(client_part(to, 0), given, client_part(from, 0), &taken, &effects), DD_OK);
        expect(&wanted, given->left, given->top, &source, &taken, mirror, (LONG)scale);
        move(to, &got, bytes, false);
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++)
                assert_memory_equal(got.texel[y][x], wanted.texel[y][x], bytes);
        client_chain_destroy(to);
        client_chain_destroy(from);
    }
}

/* The source is as it was before, though the same texels are written. */
static void test_within_a_surface(void **state)
{
    struct client_chain *chain = make(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 0);
    const struct client_blt_effects effects = {.mirror = DDBLTFX_MIRRORLEFTRIGHT};
    const RECT all = {0, 0, (LONG)SIDE, (LONG)SIDE};
    struct picture before = {{{{0}}}}, after = {{{{0}}}};

    (void)state;
    randomize(&before);
    move(chain, &before, 4, true);
    assert_int_equal(client_blt_with(client_part(chain, 0), &all, client_part(chain, 0), &all, &effects), DD_OK);
    move(chain, &after, 4, false);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            assert_memory_equal(after.texel[y][x], before.texel[y][SIDE - 1 - x], 4);
    client_chain_destroy(chain);
}

/* Texels with the key are left out, wherever they land. */
static void test_with_a_key(void **state)
{
    struct client_chain *from = make(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 0);
    struct client_chain *to = make(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 0);
    const uint32_t key = 0x01020304;
    const struct client_blt_effects effects = {.mirror = DDBLTFX_MIRRORUPDOWN, .source_key = &key};
    const RECT all = {0, 0, (LONG)SIDE, (LONG)SIDE};
    struct picture source = {{{{0}}}}, before = {{{{0}}}}, after = {{{{0}}}};

    (void)state;
    randomize(&source);
    randomize(&before);
    memcpy(source.texel[1][3], &key, 4);
    move(from, &source, 4, true);
    move(to, &before, 4, true);
    assert_int_equal(client_blt_with(client_part(to, 0), &all, client_part(from, 0), &all, &effects), DD_OK);
    move(to, &after, 4, false);
    assert_memory_equal(after.texel[SIDE - 2][3], before.texel[SIDE - 2][3], 4);
    assert_memory_equal(after.texel[SIDE - 2][4], source.texel[1][4], 4);
    client_chain_destroy(to);
    client_chain_destroy(from);
}

static void test_refused(void **state)
{
    struct client_chain *to = make(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 0);
    struct client_chain *blocks = make(CLIENT_TEXTURE, D3DFMT_DXT1, 0), *pairs = make(CLIENT_TEXTURE, D3DFMT_YUY2, 0);
    struct client_blt_effects effects = {.mirror = DDBLTFX_MIRRORLEFTRIGHT};
    const RECT all = {0, 0, (LONG)SIDE, (LONG)SIDE}, outside = {4, 4, 12, 12};
    struct client_surface *target = client_part(to, 0);

    (void)state;
    assert_int_equal(client_blt_with(client_part(blocks, 0), &all, client_part(blocks, 0), &all, &effects),
                     DDERR_NOMIRRORHW);
    assert_int_equal(client_blt_with(target, &all, client_part(pairs, 0), &all, &effects), DDERR_NOMIRRORHW);
    assert_int_equal(client_blt_with(target, &all, target, &outside, &effects), DDERR_INVALIDRECT);
    assert_int_equal(client_blt_with(target, &outside, target, &all, &effects), DDERR_INVALIDRECT);
    effects.mirror |= DDBLTFX_ROTATE90;
    assert_int_equal(client_blt_with(target, &all, target, &all, &effects), DDERR_UNSUPPORTED);
    client_chain_destroy(pairs);
    client_chain_destroy(blocks);
    client_chain_destroy(to);
}

/* The driver tells what it does. */
static void test_capabilities(void **state)
{
    const DWORD mirrors = DDFXCAPS_BLTMIRRORLEFTRIGHT | DDFXCAPS_BLTMIRRORUPDOWN;

    (void)state;
    assert_int_equal(driver.info.ddCaps.dwFXCaps, mirrors);
    assert_int_equal(driver.info.ddCaps.dwSVBFXCaps, mirrors);
    assert_int_equal(driver.info.ddCaps.dwVSBFXCaps, mirrors);
    assert_int_equal(driver.info.ddCaps.dwSSBFXCaps, mirrors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texels),  cmocka_unit_test(test_within_a_surface), cmocka_unit_test(test_with_a_key),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_capabilities),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
