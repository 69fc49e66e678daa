/* SPDX-License-Identifier: MIT */
/*
 * Handles given twice: a surface that is announced again, under another number or in another DirectDraw object, has
 * only its last name, and no name is left when it is destroyed.
 */
#include "client/client.h"
#include "client/umd/bridge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct client_driver driver;

static void announce(DDRAWI_DIRECTDRAW_LCL *local, struct client_surface *surface, uint32_t handle)
{
    DDHAL_CREATESURFACEEXDATA data = {.lpDDLcl = local, .lpDDSLcl = &surface->lcl};

    surface->more.dwSurfaceHandle = handle;
    assert_int_equal(driver.misc2.CreateSurfaceEx(&data), DDHAL_DRIVER_HANDLED);
    assert_int_equal(data.ddRVal, DD_OK);
}

static void check(bool same_object, uint32_t second_handle)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE, .format = D3DFMT_A8R8G8B8, .width = 8, .height = 8};
    DDRAWI_DIRECTDRAW_LCL other = {0};
    DDHAL_DESTROYDDLOCALDATA gone = {.pDDLcl = &other};
    struct client *client = client_create(&driver);
    struct client_chain *chain = NULL;
    struct client_surface *part;
    uint32_t first_handle;

    assert_non_null(client);
    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    part = client_part(chain, 0);
    first_handle = client_handle(part);
    announce(same_object ? part->more.lpDD_lcl : &other, part, second_handle ? second_handle : first_handle);
    part->more.dwSurfaceHandle = first_handle; /* the client's number, which must be given back */
    client_chain_destroy(chain);
    /* Walks through the remaining names. */
    assert_int_equal(driver.misc2.DestroyDDLocal(&gone), DDHAL_DRIVER_HANDLED);
    client_destroy(client);
}

static void test_other_number(void **state)
{
    (void)state;
    check(true, 77);
}

static void test_other_object(void **state)
{
    (void)state;
    check(false, 0);
    check(false, 77);
}

/* With an active recorder, which keeps names too. */
static char capture[] = "/tmp/halcyon-names-XXXXXX";

static int prepare(void **state)
{
    (void)state;
    if (mkstemp(capture) < 0)
        return -1;
    remove(capture); /* an existing file would not be replaced */
    setenv("HALCYON_CAPTURE", capture, 1);
    return FAILED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter)));
}

static int clean_up(void **state)
{
    (void)state;
    client_driver_close(&driver);
    return remove(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_number),
        cmocka_unit_test(test_other_object),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
