/* SPDX-License-Identifier: MIT */
/*
 * Writes through every pointer that the API gives out: all kinds of locks on all kinds of resources, in both versions
 * of the API. Each case draws a row of cells; a capture of the program must replay to the same cells (tests/run,
 * LOCKED).
 */
#ifndef TESTS_RUNTIME_LOCKS_H
#define TESTS_RUNTIME_LOCKS_H

#include "tests/runtime/devices.h"
#include "tests/runtime/resources.h"

#define LOCKS_CELL    16u
#define LOCKS_TEXELS  16u /* of pictures, each way; volumes have two slices */
#define LOCKS_CORNERS 4u
#define LOCKS_SQUARES 5u /* that indices choose among, each of one colour */

struct locks_vertex {
    float x, y, z;
    DWORD color;
};

struct locks_corner {
    float x, y, z, u, v, w;
};

/* The functions of a version for its device. Draws cover the viewport, which is one cell. */
struct locks_api {
    const struct device_api *devices;
    const struct resource_api *resources;
    bool converts; /* draw_surface takes surfaces of any format; else only those with the back buffer's format */
    /* Both NULL: surfaces have no device contexts. */
    HRESULT (*get_dc)(IUnknown *surface, HDC *dc);
    HRESULT (*release_dc)(IUnknown *surface, HDC dc);
    void (*set_viewport)(void *device, unsigned x, unsigned y, unsigned width, unsigned height);
    /* A square of struct locks_vertex; `indices`, if not NULL, choose among all squares. */
    void (*draw_buffer)(void *device, IUnknown *vertices, IUnknown *indices);
    void (*draw_texture)(void *device, IUnknown *texture, const struct locks_corner corners[LOCKS_CORNERS]);
    /* Copies it to the back buffer at (x, y). */
    void (*draw_surface)(void *device, const struct resource_desc *desc, IUnknown *surface, unsigned x, unsigned y);
};

/* Runs all cases whose resources the API has. */
void locks_run(const struct locks_api *api, void *device);

#endif
