/* SPDX-License-Identifier: MIT */
/* The budget of a call: a base, so much for each byte of it, and layers over what is drawn on. */
#include "hal/work.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "raster/format/format.h"
#include "raster/raster.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

static uint64_t layer_price(const struct hal_surface *target)
{
    const uint64_t pixels = (uint64_t)target->width * target->height;

    return pixels * (HAL_WORK_LAYER_PIXEL + BASE_MAX(target->samples, 1u) * (uint64_t)HAL_WORK_LAYER_SAMPLE);
}

/* Layers over the largest targets count as if over smaller ones, so that a call ends some time. */
static uint64_t layer_of(const struct hal_context *context)
{
    const bool has_pixels = context->target && (hal_surface_has_pixels(context->target) || !context->depth);
    const struct hal_surface *target = has_pixels ? context->target : context->depth;

    return target ? BASE_MIN(layer_price(target), (uint64_t)HAL_WORK_LAYER_MOST) : 0;
}

void hal_work_begin(struct hal_context *context, uint64_t bytes, uint64_t layers)
{
    const struct hal_driver *driver = context->driver;

    context->lacks_memory = false;
    context->work_layers = layer_of(context);
    context->work_limit = driver->work_per_call + bytes * driver->work_per_byte + context->work_layers * layers;
    raster_set_budget(context->raster, context->work_limit);
}

void hal_work_retarget(struct hal_context *context)
{
    const uint64_t now = layer_of(context);

    if (now > context->work_layers) {
        const uint64_t more = (now - context->work_layers) * context->driver->work_layers;

        raster_add_budget(context->raster, more);
        context->work_limit += more;
        context->work_layers = now;
    }
}

void hal_work_lacks_memory(struct hal_context *context, const char *what)
{
    if (!context->lacks_memory)
        log_error("out of memory: %s", what);
    context->lacks_memory = true;
}

bool hal_work_is_incomplete(struct hal_context *context)
{
    if (raster_take_loss(context->raster))
        hal_work_lacks_memory(context, "primitives of a scene");
    return context->lacks_memory;
}

HRESULT hal_work_end(struct hal_context *context, const char *call)
{
    const bool enough = raster_spend(context->raster, 0);
    const double used = (double)(context->work_limit - raster_get_budget(context->raster));

    context->work_share = BASE_MAX(context->work_share, used / (double)context->work_limit);
    raster_set_budget(context->raster, UINT64_MAX);
    if (hal_work_is_incomplete(context))
        return DDERR_OUTOFMEMORY;
    if (enough)
        return DD_OK;
    log_error("%s asks for more work than one call may (HALCYON_WORK_LIMIT, docs/limits.md): the rest of it is dropped",
              call);
    return HAL_TOO_MUCH_WORK;
}

bool hal_work_spend(const struct hal_context *context, uint64_t count, enum hal_work_price price)
{
    return raster_spend(context->raster, count * price);
}

uint64_t hal_work_of_program(const struct shader_binding *binding)
{
    const struct shader_cost cost = shader_binding_cost(binding);
    uint64_t read = HAL_WORK_TEXTURE_READ;

    for (unsigned left = cost.textures ? binding->program->samplers : 0; left; left &= left - 1) {
        const struct raster_sampler *sampler = &binding->sampler[__builtin_ctz(left)];
        const bool anisotropic = sampler->min_filter == RASTER_FILTER_ANISOTROPIC;
        const uint64_t probes = anisotropic ? BASE_MAX(sampler->max_anisotropy, 1u) : 1;

        read =
            BASE_MAX(read, probes * HAL_WORK_TEXTURE_READ + (sampler->feedback ? (uint64_t)HAL_WORK_FEEDBACK_READ : 0));
    }
    return cost.picoseconds + cost.textures * read;
}

static uint64_t samples_of(const struct hal_surface *surface)
{
    return (uint64_t)surface->width * surface->height * surface->samples;
}

bool hal_work_spend_copy(struct hal_context *context, struct hal_surface *destination, struct hal_surface *source,
                         uint64_t texels, bool stretched)
{
    const struct raster_format_info *info = raster_format_info(destination->format);
    const unsigned block = BASE_MAX(info->block_width * info->block_height, 1), bytes = info->block_bytes / block;
    const uint64_t samples = samples_of(destination) + (source && source != destination ? samples_of(source) : 0);
    const bool wide = raster_format_is_wide(destination->format) || (source && raster_format_is_wide(source->format));
    const uint64_t texel = stretched || (source && source->format != destination->format)
                               ? (uint64_t)HAL_WORK_CONVERT * (wide ? 2 : 1)
                               : (uint64_t)HAL_WORK_COPY * BASE_MAX(bytes, 1u);

    if (hal_is_feedback(destination) || (source && hal_is_feedback(source))) {
        return hal_work_spend(context, hal_feedback_regions(hal_is_feedback(destination) ? destination : source),
                              HAL_WORK_FEEDBACK);
    }
    return raster_spend(context->raster, texels * texel + samples * HAL_WORK_SAMPLE);
}
