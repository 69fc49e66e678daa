/* SPDX-License-Identifier: MIT */
/* GDI device contexts over memory of the runtime, in which programs draw to surfaces. */
#ifndef HALCYON_RUNTIME_MEMORY_DC_H
#define HALCYON_RUNTIME_MEMORY_DC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

/* Begins zeroed. */
struct rt_memory_dc {
    HDC dc; /* NULL: none */
    HANDLE bitmap;
};

/* A context for width x height pixels of a format (enum d3d_format) whose rows are `pitch` bytes apart. colors: 256 entries for
 * D3D_FORMAT_P8, which are copied; NULL for the others. False: GDI does not draw in this format, or refuses. */
bool rt_memory_dc_create(struct rt_memory_dc *dc, void *memory, uint32_t format, unsigned width, unsigned height,
                         size_t pitch, const PALETTEENTRY *colors);
/* Drawing that GDI has put off is in the memory afterwards. Nothing happens if there is no context. */
void rt_memory_dc_destroy(struct rt_memory_dc *dc);

#endif
