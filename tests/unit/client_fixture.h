/* SPDX-License-Identifier: MIT */
/* The driver and one caller, for groups of tests that use the driver interface. */
#ifndef HALCYON_TESTS_CLIENT_FIXTURE_H
#define HALCYON_TESTS_CLIENT_FIXTURE_H

#include "client/client.h"
#include "client/umd/bridge.h"

static struct client_driver driver;
static struct client *client;

static inline int set_up(void **state)
{
    (void)state;
    if (FAILED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter))))
        return -1;
    client = client_create(&driver);
    return client ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    client_destroy(client);
    client_driver_close(&driver);
    return 0;
}

#endif
