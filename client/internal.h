/* SPDX-License-Identifier: MIT */
/* Between client.c, chain.c and legacy.c. */
#ifndef HALCYON_CLIENT_INTERNAL_H
#define HALCYON_CLIENT_INTERNAL_H

#include "client/client.h"

struct client {
    const struct client_driver *driver;
    DDRAWI_DIRECTDRAW_GBL gbl;
    DDRAWI_DIRECTDRAW_LCL lcl;
    uint32_t *free_handles;
    size_t free_count, free_capacity;
    uint32_t next_handle;
};

void client_set_pixel_format(DDPIXELFORMAT *format, uint32_t d3d_format);

/* Fills in caps and formats of a driver that has no GetDriverInfo2. DDERR_UNSUPPORTED: it reports
 * too little. */
HRESULT client_read_legacy(struct client_driver *driver);

/* Surface handles: small numbers, the last one given back first. */
uint32_t client_take_handle(struct client *client);
void client_give_handle(struct client *client, uint32_t handle);

#endif
