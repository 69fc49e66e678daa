/* SPDX-License-Identifier: MIT */
/* The life of a context's resources. */
#include "hal/resources.h"

#include "hal/query.h"
#include "hal/resource/palette.h"
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/tnl/light.h"

bool hal_resources_create(struct hal_resources *resources, struct hal_handle_table *handles, struct hal_work *work)
{
    resources->work = work;
    resources->handles = handles;
    hal_shaders_init(&resources->shaders);
    hal_state_blocks_init(&resources->blocks);
    resources->lights = hal_lights_create();
    return resources->lights != NULL;
}

void hal_resources_destroy(struct hal_resources *resources)
{
    hal_palettes_destroy(resources->palettes);
    hal_queries_destroy(resources->queries);
    hal_state_blocks_destroy(&resources->blocks);
    hal_patches_destroy(resources->patches);
    hal_lights_destroy(resources->lights);
    hal_shaders_destroy(&resources->shaders);
}
