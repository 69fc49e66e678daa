/* SPDX-License-Identifier: MIT */
/* Lights: the application's table, and their values in view space. */
#include "hal/vertex/tnl/light.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "base/map.h"
#include "hal/math.h"
#include "hal/state/values.h"
#include "hal/vertex/tnl/tnl.h"

#include <stdlib.h>
#include <string.h>

/* --- table -------------------------------------------------------------------------- */

struct hal_light_table *hal_lights_create(void)
{
    struct hal_light_table *table = mem_calloc(1, sizeof(*table));

    if (table)
        base_map_init(&table->map, HAL_MAX_LIGHT_ENTRIES);
    return table;
}

void hal_lights_destroy(struct hal_light_table *table)
{
    if (table) {
        base_map_clear(&table->map);
        free(table);
    }
}

struct hal_light_entry *hal_light_make(struct hal_light_table *table, uint32_t index)
{
    struct hal_light_entry *entry = base_map_get(&table->map, index);

    if (entry)
        return entry;
    entry = base_map_make(&table->map, index, sizeof(*entry));
    if (!entry && !base_map_is_full(&table->map))
        return NULL;
    if (!entry) {
        log_once(LOG_WARN, 0, "light %u: more than %u lights, ignored", (unsigned)index, HAL_MAX_LIGHT_ENTRIES);
        return NULL;
    }
    entry->index = index;
    entry->light.type = D3DLIGHT_DIRECTIONAL;
    for (int c = 0; c < 3; c++)
        entry->light.diffuse[c] = 1.0f;
    entry->light.direction[2] = 1.0f;
    return entry;
}

void hal_light_enable(struct hal_light_table *table, struct hal_light_entry *entry, bool enable)
{
    if (entry->enabled == enable)
        return;
    entry->enabled = enable;
    if (enable) {
        table->active[table->active_count++] = entry;
        return;
    }
    unsigned kept = 0;

    for (unsigned i = 0; i < table->active_count; i++)
        if (table->active[i] != entry)
            table->active[kept++] = table->active[i];
    table->active_count = kept;
}

/* --- preparing ---------------------------------------------------------------------- */

static void to_view(float out[3], const float v[3], float w, const struct hal_matrix *view)
{
    for (int c = 0; c < 3; c++)
        out[c] = v[0] * view->m[0][c] + v[1] * view->m[1][c] + v[2] * view->m[2][c] + w * view->m[3][c];
}

static void normalize3(float v[3])
{
    const float length = __builtin_sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

    for (int c = 0; length > 0 && c < 3; c++)
        v[c] /= length;
}

static void prepare_light(struct tnl_light *out, const struct hal_light *in, const struct hal_matrix *view)
{
    out->type = in->type;
    memcpy(out->diffuse, in->diffuse, sizeof(out->diffuse));
    memcpy(out->specular, in->specular, sizeof(out->specular));
    memcpy(out->ambient, in->ambient, sizeof(out->ambient));
    memcpy(out->attenuation, in->attenuation, sizeof(out->attenuation));
    out->range = in->range;
    out->falloff = in->falloff;
    to_view(out->position, in->position, 1, view);
    to_view(out->direction, in->direction, 0, view);
    normalize3(out->direction);
    for (int c = 0; in->type == D3DLIGHT_DIRECTIONAL && c < 3; c++)
        out->direction[c] = -out->direction[c];
    if (in->type == D3DLIGHT_SPOT) {
        out->cos_inner = hal_cosf(in->theta * 0.5f);
        out->cos_outer = hal_cosf(in->phi * 0.5f);
    }
}

void tnl_prepare_lights(struct tnl_program *p, const struct hal_light_table *table, const struct hal_matrix *view)
{
    p->light_count = BASE_MIN(table->active_count, (unsigned)HAL_MAX_LIGHTS);
    for (unsigned i = 0; i < p->light_count; i++)
        prepare_light(&p->light[i], &table->active[i]->light, view);
}
