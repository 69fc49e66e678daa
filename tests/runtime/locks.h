/* SPDX-License-Identifier: MIT */
/*
 * Writing through every pointer that the API hands out: all kinds of locks of all kinds of resources, in both versions of the API.
 * The page of a case is a row of cells; a capture of the program must replay to the same cells (tests/run, LOCKED).
 */
#ifndef TESTS_RUNTIME_LOCKS_H
#define TESTS_RUNTIME_LOCKS_H

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

/* What a version does with its device. Draws cover the viewport, which is a cell. */
struct locks_api {
    const struct resource_api *resources;
    bool converts; /* draw_surface takes surfaces of any format; else of the back buffer's only */
    /* NULL, both: surfaces have no device contexts. */
    HRESULT (*get_dc)(IUnknown *surface, HDC *dc);
    HRESULT (*release_dc)(IUnknown *surface, HDC dc);
    void (*set_viewport)(void *device, unsigned x, unsigned y, unsigned width, unsigned height);
    /* A square of struct locks_vertex; `indices`, if not NULL, choose among all squares. */
    void (*draw_buffer)(void *device, IUnknown *vertices, IUnknown *indices);
    void (*draw_texture)(void *device, IUnknown *texture, const struct locks_corner corners[LOCKS_CORNERS]);
    /* Copies it to the back buffer at (x, y). */
    void (*draw_surface)(void *device, const struct resource_desc *desc, IUnknown *surface, unsigned x, unsigned y);
    HRESULT (*update_texture)(void *device, IUnknown *from, IUnknown *to);
    /* The picture begins; it is shown. */
    void (*begin)(void *device, uint32_t rgb);
    uint32_t *(*read)(void *device); /* as read_target */
    void (*show)(void *device);
};

/* Runs all cases whose resources the API has. */
void locks_run(const struct locks_api *api, void *device);

#endif
