/* SPDX-License-Identifier: MIT */
/* The pixel stage: chooses the producer, and derives from program and binding what is the same for both. */
#include "hal/pixel/stage.h"

#include "base/base.h"
#include "d3d/usages.h"
#include "hal/context.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"

#include <string.h>

/* --- links ------------------------------------------------------------------------------------------ */

/* By meaning, as programs link: attributes are COLOR0, COLOR1, FOG, TEXCOORD0... */
void hal_pixel_add_input(struct hal_pipeline_inputs *inputs, unsigned attribute, unsigned mask)
{
    unsigned i = inputs->count++;

    inputs->attribute[i] = (uint8_t)attribute;
    inputs->mask[i] = (uint8_t)mask;
    if (attribute >= HAL_ATTRIBUTE_TEXCOORD0) {
        inputs->usage[i] = D3D_USAGE_TEXCOORD;
        inputs->usage_index[i] = (uint8_t)(attribute - HAL_ATTRIBUTE_TEXCOORD0);
    } else {
        inputs->usage[i] = attribute == HAL_ATTRIBUTE_FOG ? D3D_USAGE_FOG : D3D_USAGE_COLOR;
        inputs->usage_index[i] = attribute == HAL_ATTRIBUTE_SPECULAR;
    }
}

/* --- making ------------------------------------------------------------------------------------------ */

uint32_t hal_pixel_stage_textures(const struct hal_context *context, const struct shader_program *shader)
{
    return shader ? shader->samplers : hal_texture_stages_enabled(context);
}

uint64_t hal_pixel_stage_shapes(const struct hal_context *context, const struct shader_program *shader,
                                const struct hal_pixel_textures *textures)
{
    return shader ? hal_pixel_shader_shapes(context, shader, textures) : hal_texture_stages_shapes(context, textures);
}

bool hal_pixel_stage_make(struct hal_context *context, struct hal_pixel_producers *producers, uint64_t shapes,
                          struct hal_pixel_stage *stage)
{
    const struct shader_program *program;

    if (stage->shader)
        hal_pixel_shader_make(shapes, stage);
    else if (!hal_texture_stages_make(context, &producers->stages, shapes, stage))
        return false;
    program = stage->program;
    stage->samplers = program->samplers;
    stage->outputs = program->outputs_written;
    stage->kills = program->kills || program->writes_depth;
    stage->writes_depth = program->writes_depth;
    stage->reads_position = program->reads_position;
    stage->reads_inputs_alone = shader_reads_inputs_alone(program);
    return true;
}

/* --- binding ------------------------------------------------------------------------------------------ */

static void set_pass_through(struct hal_pixel_stage *stage)
{
    struct raster_pass_through *pass_through = &stage->pass_through;
    struct shader_copies copies;

    *pass_through = (struct raster_pass_through){.copied = (uint8_t)shader_copied_components(stage->binding, &copies)};
    if (!pass_through->copied)
        return;
    if (copies.components) {
        pass_through->input = stage->binding->input[copies.input];
        pass_through->components = copies.components;
        if (pass_through->input >= RASTER_MAX_INPUTS)
            pass_through->copied = 0;
    }
    memcpy(pass_through->constant, copies.constant, sizeof(copies.constant));
}

bool hal_pixel_stage_bind(const struct hal_context *context, struct hal_pixel_producers *producers,
                          const struct hal_pixel_textures *textures, struct hal_pixel_stage *stage)
{
    const struct shader_binding *binding =
        stage->shader ? hal_pixel_shader_bind(context, &producers->shader, &producers->pool, textures, stage)
                      : hal_texture_stages_bind(context, &producers->stages, &producers->pool, textures);

    if (!binding)
        return false;
    stage->binding = binding;
    set_pass_through(stage);
    stage->price = hal_work_of_program(binding);
    return true;
}

void hal_pixel_stage_flushed(struct hal_pixel_producers *producers, struct hal_pixel_stage *stage)
{
    hal_pool_reset(&producers->pool);
    producers->stages.last = producers->shader.last = stage->binding = NULL;
}

void hal_pixel_producers_free(struct hal_pixel_producers *producers)
{
    hal_texture_stages_free(&producers->stages);
    hal_pool_free(&producers->pool);
}
