/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of surfaces at the edge. Inside, all have the form of version 7; DDSURFACEDESC is a prefix of DDSURFACEDESC2. What
 * sizes a method accepts is a row of the table in desc.c.
 */
#ifndef HALCYON_DDRAW_DESC_H
#define HALCYON_DDRAW_DESC_H

#include <stdbool.h>

#include "d3d/types.h"

enum dd_desc_use {
    DD_DESC_CREATE, /* CreateSurface */
    DD_DESC_GET,    /* GetSurfaceDesc */
    DD_DESC_EITHER, /* Lock, GetDisplayMode: a size of either version in all versions */
    DD_DESC_USES,
};

/* Is the dwSize of a program's description one that the method accepts from interfaces of `version`? */
bool dd_desc_accepts(enum dd_desc_use use, unsigned version, const void *desc);
/* A program's description in the form of version 7; what its version lacks is 0. */
void dd_desc_read(unsigned version, const void *desc, DDSURFACEDESC2 *out);
/* Fills in a program's description as far as its dwSize says, which stays. */
void dd_desc_write(void *desc, const DDSURFACEDESC2 *from);
/* The size that descriptions of interfaces of `version` have. */
DWORD dd_desc_size(unsigned version);

#endif
