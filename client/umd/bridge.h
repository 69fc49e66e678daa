/* SPDX-License-Identifier: MIT */
/*
 * A bridge for callers of the older driver interface to the user-mode interface of WDDM: callback tables of DirectX 7 to 9 whose functions
 * call OpenAdapter, the adapter's and the devices' functions (d3d/umd.h). A caller opens it in place of the driver's own entry point:
 *
 *     client_umd_choose(OpenAdapter);
 *     client_driver_init(&driver, client_umd_init);
 *
 * Then everything it does goes through the WDDM interface, with the same pixels and results (docs/umd.md, "The bridge").
 */
#ifndef HALCYON_CLIENT_UMD_BRIDGE_H
#define HALCYON_CLIENT_UMD_BRIDGE_H

#include <stdint.h>

#include "client/client.h"
#include "d3d/halcyon.h"
#include "d3d/umd.h"

/* The driver that client_umd_init opens, for the whole process. */
void client_umd_choose(PFND3DDDI_OPENADAPTER open);
/* A HALCYONDRIVERINIT. DDERR_UNSUPPORTED: no driver has been chosen, or it reports less than Direct3D 8; or as OpenAdapter. */
HRESULT WINAPI client_umd_init(DWORD version, DDHALINFO *info);

/* Callbacks with which a tool watches the bridge. */
#define CLIENT_UMD_NO_COMMAND UINT32_MAX
struct client_umd_watch {
    /* A device has been made: its functions may be replaced by others that call them. */
    void (*device)(void *user, D3DDDI_DEVICEFUNCS *functions);
    /* The calls that follow are made for the command at this offset of a DrawPrimitives2 call; CLIENT_UMD_NO_COMMAND: for the call itself. */
    void (*command)(void *user, uint32_t offset);
    void *user;
};
/* For the devices that are made from now on, in the whole process; must outlive them. NULL: none. */
void client_umd_watch(const struct client_umd_watch *watch);

/* Loads a library that exports OpenAdapter, and opens it; as client_driver_load. */
HRESULT client_umd_load(struct client_driver *driver, const char *library);
/* The entry point for callers that let the user choose (HALCYON_DDI): `umd` through the bridge, or `dx9` itself. */
HALCYONDRIVERINIT client_umd_or(HALCYONDRIVERINIT dx9, PFND3DDDI_OPENADAPTER umd);

#endif
