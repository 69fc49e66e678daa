/* SPDX-License-Identifier: MIT */
/* Between client.c, surface.c, attach.c, chain.c and legacy.c. */
#ifndef HALCYON_CLIENT_INTERNAL_H
#define HALCYON_CLIENT_INTERNAL_H

#include "client/client.h"

#define CLIENT_MAX_LEVELS 16 /* of one face */

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

/* --- surface.c ----------------------------------------------------------------------------- */

bool client_desc_is_sane(const struct client_chain_desc *desc);
unsigned client_chain_levels(const struct client_chain_desc *desc);
/* Surfaces of a face: its levels, or one for all of them. */
unsigned client_face_parts(const struct client_chain_desc *desc);

/* The structures of one part, with its handle; the driver does not know it. NULL: out of memory. */
struct client_surface *client_make_surface(struct client *client, const struct client_chain_desc *desc, unsigned part);
/* The driver does not know it any more. */
void client_free_surface(struct client_surface *surface);
/* CanCreateSurface and CreateSurface of all of them in one call: video memory. */
HRESULT client_create_in_driver(struct client_surface *const *surfaces, unsigned count);
HRESULT client_place_in_system_memory(struct client_surface *surface, const struct client_chain_desc *desc);
/* CreateSurfaceEx, of it and of all that is attached to it. */
HRESULT client_announce(struct client_surface *surface);
void client_destroy_in_driver(struct client_surface *surface);
/* Surfaces in system memory are destroyed: fpVidMem = 0 in CreateSurfaceEx says so. The others are attached to the first. */
void client_withdraw(struct client_surface *const *surfaces, unsigned count);

/* Rows of system memory: bytes between them, 4-byte aligned, and how many there are. */
size_t client_row_pitch(uint32_t format, unsigned width);
size_t client_row_count(uint32_t format, unsigned height);
/* Bytes of a row that texels take; of planar formats: of all that lies between two rows. */
size_t client_row_bytes(uint32_t format, unsigned width);
/* Is it in d3d/formats.def? */
bool client_is_format(uint32_t format);
/* client_texel_offset, for a format. */
size_t client_offset(uint32_t format, size_t pitch, size_t slice_pitch, unsigned x, unsigned y, unsigned z);

/* --- attach.c ------------------------------------------------------------------------------ */

/* Attaches the structures; the driver is not told. False: out of memory. */
bool client_link(struct client_surface *to, struct client_surface *surface);
void client_unlink_all(struct client_surface *surface);
/* The surface that all others hang on, directly or indirectly; of a ring, any. */
struct client_surface *client_root_of(struct client_surface *surface);

static inline struct client_surface *client_surface_of(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return (struct client_surface *)lcl;
}

#endif
