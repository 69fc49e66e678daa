/* SPDX-License-Identifier: MIT */
/* The elements of a vertex: those of a flexible vertex format or of a declaration, by their names. */
#ifndef HALCYON_INSPECT_ELEMENTS_H
#define HALCYON_INSPECT_ELEMENTS_H

#include <stdint.h>

struct hal_layout;

#define INSPECT_MAX_ELEMENTS 81 /* HAL_COMPONENT_COUNT + HAL_MAX_NAMED */

struct inspect_element {
    char name[40];     /* "position", "texcoord 0", "TANGENT 0" */
    const char *type;  /* "FLOAT3", "D3DCOLOR" ...: D3DVSDT and D3DDECLTYPE without their prefix */
    uint8_t component; /* number for hal_fetch: enum hal_component, or a named element */
    uint8_t count;     /* of components, 1 to 4 */
    uint8_t stream;
    uint16_t offset; /* bytes from the start of the vertex in its stream */
};

/* "texcoord 0", of enum hal_component; NULL: not a component of the fixed function. */
const char *inspect_component_name(unsigned component);
/* All elements of a layout, first those of the fixed function. Returns how many. */
unsigned inspect_list_elements(const struct hal_layout *layout, struct inspect_element list[INSPECT_MAX_ELEMENTS]);

#endif
