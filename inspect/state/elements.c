/* SPDX-License-Identifier: MIT */
/* The elements of a vertex, by their names. */
#include "inspect/state/elements.h"

#include "base/assert.h"
#include "dp2/text/visit.h"
#include "hal/vertex/stream.h"

#include <stdio.h>

_Static_assert(INSPECT_MAX_ELEMENTS == HAL_COMPONENT_COUNT + HAL_MAX_NAMED, "room for all");

static struct inspect_element element_of(unsigned component, unsigned type, unsigned stream, unsigned offset)
{
    static const char *const types[HAL_ELEMENT_COUNT] = {
        "-",       "FLOAT1",  "FLOAT2",  "FLOAT3",   "FLOAT4",   "D3DCOLOR", "UBYTE4", "SHORT2",    "SHORT4",
        "UBYTE4N", "SHORT2N", "SHORT4N", "USHORT2N", "USHORT4N", "UDEC3",    "DEC3N",  "FLOAT16_2", "FLOAT16_4",
    };

    BASE_ASSERT(type < HAL_ELEMENT_COUNT);
    return (struct inspect_element){
        .type = types[type],
        .component = (uint8_t)component,
        .count = (uint8_t)hal_element_components(type),
        .stream = (uint8_t)stream,
        .offset = (uint16_t)offset,
    };
}

const char *inspect_component_name(unsigned component)
{
    static const char *const names[HAL_COMPONENT_COUNT] = {
        "position",   "blend weight", "blend index", "normal",     "point size", "diffuse",
        "specular",   "texcoord 0",   "texcoord 1",  "texcoord 2", "texcoord 3", "texcoord 4",
        "texcoord 5", "texcoord 6",   "texcoord 7",  "position 2", "normal 2",
    };

    return component < HAL_COMPONENT_COUNT ? names[component] : NULL;
}

unsigned inspect_list_elements(const struct hal_layout *layout, struct inspect_element list[INSPECT_MAX_ELEMENTS])
{
    unsigned count = 0;

    for (unsigned c = 0; c < HAL_COMPONENT_COUNT; c++) {
        if (!(layout->components >> c & 1))
            continue;
        list[count] =
            element_of(c, layout->component[c].type, layout->component[c].stream, layout->component[c].offset);
        snprintf(list[count].name, sizeof(list->name), "%s", inspect_component_name(c));
        count++;
    }
    for (unsigned i = 0; i < layout->named_count; i++) {
        const struct hal_named_element *e = &layout->named[i];
        struct dp2_value usage;

        list[count] = element_of(HAL_FIRST_NAMED + i, e->type, e->stream, e->offset);
        dp2_decode_value(&usage, 'g', &e->usage, NULL);
        if (usage.kind == DP2_VALUE_NAME)
            snprintf(list[count].name, sizeof(list->name), "%.24s %u", usage.name, e->index);
        else
            snprintf(list[count].name, sizeof(list->name), "usage %u %u", e->usage, e->index);
        count++;
    }
    return count;
}
