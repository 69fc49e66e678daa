/* SPDX-License-Identifier: MIT */
/* The elements of a vertex: those of a flexible vertex format or of a declaration, by their names. */
#ifndef HALCYON_INSPECT_ELEMENTS_H
#define HALCYON_INSPECT_ELEMENTS_H

#include <stdint.h>

struct hal_inspect_element;

#define INSPECT_MAX_ELEMENTS 81 /* HAL_INSPECT_ELEMENTS */

struct inspect_element {
    char name[40];     /* "position", "texcoord 0", "TANGENT 0" */
    const char *type;  /* "FLOAT3", "D3DCOLOR" ...: D3DVSDT and D3DDECLTYPE without their prefix */
    uint8_t component; /* number for hal_inspect_fetch */
    uint8_t count;     /* of components, 1 to 4 */
    uint8_t stream;
    uint16_t offset; /* bytes from the start of the vertex in its stream */
};

/* "position", "TANGENT 0": an element with its name. */
void inspect_name_element(const struct hal_inspect_element *element, struct inspect_element *out);

#endif
