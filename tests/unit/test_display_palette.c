/* SPDX-License-Identifier: MIT */
/*
 * Palettes of surfaces on the screen through the driver interface: what is made and what is refused, lives in any order.
 * Their colours in captures and pictures: test_record_calls.c, tests/streams/palette-of-the-front.dp2s.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "client/palette.h"
#include "ddi/root.h"
#include "hal/driver.h"
#include "hal/resource/display_palette.h"
#include "hal/resource/surface.h"
#include "tests/random.h"

static struct client_driver driver;
static struct client *client;

/* The WDDM interface has no palettes: these tests use the other one. */
static int set_up(void **state)
{
    (void)state;
    if (FAILED(client_driver_init(&driver, HalcyonDriverInit)))
        return -1;
    client = client_create(&driver);
    return client ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    client_destroy(client);
    assert_int_equal(ddi_driver()->display_palettes.count, 0);
    client_driver_close(&driver);
    return 0;
}

static struct client_chain *make(uint32_t usage, uint32_t format)
{
    const struct client_chain_desc desc = {.usage = usage, .format = format, .width = 16, .height = 16};
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static const struct hal_display_palette *palette_of(struct client_chain *chain)
{
    return hal_display_palette_of_surface(hal_surface_from_lcl(&client_part(chain, 0)->lcl));
}

static void test_entries(void **state)
{
    struct client_palette *palette;
    PALETTEENTRY entries[256];

    (void)state;
    for (unsigned i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){(BYTE)i, (BYTE)(i + 1), (BYTE)(i + 2), (BYTE)(i + 3)};
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256 | DDRAWIPAL_ALPHA, entries, &palette), DD_OK);
    const struct hal_display_palette *made = hal_display_palette_of(ddi_driver(), &palette->gbl);

    assert_non_null(made);
    assert_memory_equal(made->entries, entries, sizeof(entries));
    assert_int_equal(client_palette_set(palette, 200, 56, entries), DD_OK);
    assert_memory_equal(made->entries + 200, entries, 56 * sizeof(*entries));
    assert_memory_equal(made->entries, entries, 200 * sizeof(*entries));
    /* beyond the last, and numbers whose sum wraps */
    assert_int_equal(client_palette_set(palette, 200, 57, entries), DDERR_INVALIDPARAMS);
    assert_int_equal(client_palette_set(palette, 257, 0, entries), DDERR_INVALIDPARAMS);
    assert_int_equal(client_palette_set(palette, 0xffffffff, 2, entries), DDERR_INVALIDPARAMS);
    assert_int_equal(client_palette_set(palette, 1, 0xffffffff, entries), DDERR_INVALIDPARAMS);
    assert_int_equal(client_palette_set(palette, 0, 1, NULL), DDERR_INVALIDPARAMS);
    assert_int_equal(client_palette_set(palette, 256, 0, entries), DD_OK);
    assert_memory_equal(made->entries + 200, entries, 56 * sizeof(*entries));
    client_palette_destroy(palette);
}

/* Only what dwPalCaps promises. */
static void test_sizes(void **state)
{
    static const uint32_t refused[] = {0,
                                       DDRAWIPAL_16,
                                       DDRAWIPAL_4,
                                       DDRAWIPAL_2,
                                       DDRAWIPAL_STORED_8INDEX | DDRAWIPAL_16,
                                       DDRAWIPAL_256 | DDRAWIPAL_STORED_8INDEX};
    struct client_palette *palette;

    (void)state;
    assert_true(driver.info.ddCaps.dwCaps & DDCAPS_PALETTE);
    assert_int_equal(driver.info.ddCaps.dwPalCaps,
                     DDPCAPS_8BIT | DDPCAPS_ALLOW256 | DDPCAPS_PRIMARYSURFACE | DDPCAPS_ALPHA);
    for (unsigned i = 0; i < ARRAY_COUNT(refused); i++) {
        assert_int_equal(client_palette_create(client, refused[i], NULL, &palette), DDERR_UNSUPPORTED);
        assert_null(palette);
    }
}

static void test_surfaces(void **state)
{
    struct client_chain *indices[] = {make(CLIENT_PRIMARY, D3DFMT_P8), make(CLIENT_TEXTURE, D3DFMT_P8),
                                      make(CLIENT_TEXTURE, D3DFMT_A8P8), make(0, D3DFMT_P8)};
    struct client_chain *colors = make(CLIENT_TARGET, D3DFMT_X8R8G8B8), *bytes = make(CLIENT_VERTEX_BUFFER, 0);
    struct client_palette *palette, *other;

    (void)state;
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256, NULL, &palette), DD_OK);
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256, NULL, &other), DD_OK);
    for (unsigned i = 0; i < ARRAY_COUNT(indices); i++) {
        assert_null(palette_of(indices[i]));
        assert_int_equal(client_set_palette(client_part(indices[i], 0), palette), DD_OK);
        assert_ptr_equal(palette_of(indices[i])->gbl, &palette->gbl);
    }
    assert_int_equal(client_set_palette(client_part(indices[1], 0), other), DD_OK);
    assert_ptr_equal(palette_of(indices[1])->gbl, &other->gbl);
    assert_int_equal(client_set_palette(client_part(indices[2], 0), NULL), DD_OK);
    assert_null(palette_of(indices[2]));
    assert_int_equal(client_set_palette(client_part(colors, 0), palette), DDERR_INVALIDPIXELFORMAT);
    assert_int_equal(client_set_palette(client_part(bytes, 0), palette), DDERR_INVALIDPIXELFORMAT);
    /* destroyed while surfaces have it, and another takes its place */
    client_palette_destroy(palette);
    assert_null(palette_of(indices[0]));
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256, NULL, &palette), DD_OK);
    assert_null(palette_of(indices[0]));
    for (unsigned i = 0; i < ARRAY_COUNT(indices); i++)
        client_chain_destroy(indices[i]);
    client_chain_destroy(colors);
    client_chain_destroy(bytes);
    client_palette_destroy(palette);
    client_palette_destroy(other);
}

/* Structures that the driver did not make a palette of, and one whose number the caller changed. */
static void test_strangers(void **state)
{
    struct client_chain *chain = make(0, D3DFMT_P8);
    struct client_palette *palette;
    DDRAWI_DDRAWPALETTE_GBL stranger = {.dwFlags = DDRAWIPAL_256};
    DDHAL_SETENTRIESDATA set = {.lpDDPalette = &stranger};
    DDHAL_DESTROYPALETTEDATA destroy = {.lpDDPalette = &stranger};
    DDHAL_CREATEPALETTEDATA create = {.lpDDPalette = NULL};
    DDHAL_SETPALETTEDATA attach = {.lpDDSurface = &client_part(chain, 0)->lcl, .Attach = TRUE};

    (void)state;
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256, NULL, &palette), DD_OK);
    for (unsigned i = 0; i < 3; i++) {
        stranger.dwReserved1 = i < 2 ? i : palette->gbl.dwReserved1;
        attach.lpDDPalette = &stranger;
        assert_int_equal(driver.palette.SetEntries(&set), DDHAL_DRIVER_HANDLED);
        assert_int_equal(set.ddRVal, DDERR_INVALIDOBJECT);
        assert_int_equal(driver.palette.DestroyPalette(&destroy), DDHAL_DRIVER_HANDLED);
        assert_int_equal(destroy.ddRVal, DDERR_INVALIDOBJECT);
        assert_int_equal(driver.surface.SetPalette(&attach), DDHAL_DRIVER_HANDLED);
        assert_int_equal(attach.ddRVal, DDERR_INVALIDOBJECT);
    }
    driver.dd.CreatePalette(&create);
    assert_int_equal(create.ddRVal, DDERR_INVALIDPARAMS);
    attach.lpDDPalette = NULL;
    driver.surface.SetPalette(&attach);
    assert_int_equal(attach.ddRVal, DDERR_INVALIDOBJECT);
    attach.lpDDSurface = NULL;
    attach.lpDDPalette = &palette->gbl;
    driver.surface.SetPalette(&attach);
    assert_int_equal(attach.ddRVal, DDERR_INVALIDOBJECT);
    client_palette_destroy(palette);
    client_chain_destroy(chain);
}

/* There are only so many; DestroyDDLocal destroys those that are left. */
static void test_many(void **state)
{
    struct client *second = client_create(&driver);
    struct client_palette **list = mem_calloc(HAL_MAX_DISPLAY_PALETTES, sizeof(struct client_palette *)), *extra;

    (void)state;
    for (unsigned i = 0; i < HAL_MAX_DISPLAY_PALETTES; i++)
        assert_int_equal(client_palette_create(i % 2 ? second : client, DDRAWIPAL_256, NULL, &list[i]), DD_OK);
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256, NULL, &extra), DDERR_OUTOFMEMORY);
    struct client_chain *chain = NULL; /* makes the second object known to the driver */
    const struct client_chain_desc desc = {.format = D3DFMT_P8, .width = 4, .height = 4};

    assert_int_equal(client_chain_create(second, &desc, &chain), DD_OK);
    client_chain_destroy(chain);
    client_destroy(second);
    assert_int_equal(ddi_driver()->display_palettes.count, HAL_MAX_DISPLAY_PALETTES / 2);
    for (unsigned i = 0; i < HAL_MAX_DISPLAY_PALETTES; i++)
        if (i % 2)
            free(list[i]);
        else
            client_palette_destroy(list[i]);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),   cmocka_unit_test(test_sizes), cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_strangers), cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
