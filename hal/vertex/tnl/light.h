/* SPDX-License-Identifier: MIT */
/* Lights: the application's table, and their values in view space. */
#ifndef HALCYON_HAL_VERTEX_TNL_LIGHT_H
#define HALCYON_HAL_VERTEX_TNL_LIGHT_H

#include "base/map.h"
#include "hal/state/values.h"

#include <stdbool.h>
#include <stdint.h>

struct tnl_program;

#define HAL_MAX_LIGHT_ENTRIES 4096 /* that a stream may create */

/* Lights by the application's index (hal/vertex/tnl/light.c). */
struct hal_light_entry {
    struct hal_light light;
    uint32_t index;
    bool enabled;
};
struct hal_light_table {
    struct base_map map;
    struct hal_light_entry *active[HAL_MAX_LIGHT_ENTRIES]; /* in the order of enabling */
    unsigned active_count;
};

struct hal_light_table *hal_lights_create(void);
void hal_lights_destroy(struct hal_light_table *table);
/* NULL: the table is full (base_map_is_full), or out of memory. A new light is a white directional one along +z, not
 * enabled. */
struct hal_light_entry *hal_light_make(struct hal_light_table *table, uint32_t index);
void hal_light_enable(struct hal_light_table *table, struct hal_light_entry *entry, bool enable);

/* Sets the lights of *program from the active ones. */
void tnl_prepare_lights(struct tnl_program *program, const struct hal_light_table *table,
                        const struct hal_matrix *view);

#endif
