/* SPDX-License-Identifier: MIT */
/* The elements of a vertex, by their names. */
#include "inspect/state/elements.h"

#include "dp2/text/visit.h"
#include "hal/inspect.h"

#include <stdio.h>

_Static_assert(INSPECT_MAX_ELEMENTS == HAL_INSPECT_ELEMENTS, "room for all");

void inspect_name_element(const struct hal_inspect_element *element, struct inspect_element *out)
{
    const char *component = hal_inspect_component_name(element->component);
    struct dp2_value usage;

    *out = (struct inspect_element){
        .type = element->type,
        .component = element->component,
        .count = element->count,
        .stream = element->stream,
        .offset = element->offset,
    };
    if (component) {
        snprintf(out->name, sizeof(out->name), "%s", component);
        return;
    }
    dp2_decode_value(&usage, 'g', &element->usage, NULL);
    if (usage.kind == DP2_VALUE_NAME)
        snprintf(out->name, sizeof(out->name), "%.24s %u", usage.name, element->usage_index);
    else
        snprintf(out->name, sizeof(out->name), "usage %u %u", element->usage, element->usage_index);
}
