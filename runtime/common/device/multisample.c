/* SPDX-License-Identifier: MIT */
/* Chooses which bound surfaces have the samples that the user has set. */
#include "runtime/common/device/multisample.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/driver/adapter.h"
#include "runtime/common/object/surface_twin.h"

bool rt_multisample_is_set(void)
{
    return config_int("multisample") > 1;
}

unsigned rt_multisample_for(const struct rt_adapter *adapter, uint32_t format, unsigned asked)
{
    const unsigned samples = (unsigned)config_int("multisample");

    if (samples < 2 || asked)
        return 0;
    if (SUCCEEDED(rt_check_multisample(adapter, format, samples, NULL)))
        return samples;
    log_once(LOG_WARN, format, "multisample = %u: back buffers of format %u cannot have as many samples", samples,
             (unsigned)format);
    return 0;
}

/* May the surface have another number of samples than the program asked for? Levels of textures are sampled, and have one;
 * so have surfaces that are too small to be drawn to together with the back buffer. */
static bool can_vary(const struct rt_device *device, const struct rt_surface *surface)
{
    const struct rt_multisample *m = &device->multisample;
    const struct rt_surface_desc *desc = &surface->desc;

    if (surface->texture || desc->samples || !surface->chain)
        return false;
    /* One that has had another number comes back, also if a Reset has changed the size of the back buffer since. */
    if (surface->chain->desc.samples || surface->twin)
        return true;
    if (desc->usage & D3DUSAGE_DEPTHSTENCIL ? desc->width < m->width || desc->height < m->height
                                            : desc->width != m->width || desc->height != m->height)
        return false;
    return SUCCEEDED(rt_check_multisample(device->adapter, desc->format, m->samples, NULL));
}

/* All that is bound; *count of RT_TARGETS + 1. */
static void bound_surfaces(const struct rt_device *device, struct rt_surface **bound, unsigned *count)
{
    *count = 0;
    for (unsigned i = 0; i < RT_TARGETS; i++)
        if (device->target[i])
            bound[(*count)++] = device->target[i];
    if (device->depth)
        bound[(*count)++] = device->depth;
}

void rt_device_match_samples(struct rt_device *device)
{
    struct rt_surface *bound[RT_TARGETS + 1];
    unsigned count, samples = device->multisample.samples;
    bool matched = true;

    bound_surfaces(device, bound, &count);
    for (unsigned i = 0; i < count; i++)
        if (!can_vary(device, bound[i]))
            samples = 0;
    for (unsigned i = 0; i < count; i++)
        if (can_vary(device, bound[i]) && FAILED(rt_surface_set_samples(bound[i], samples))) {
            log_once(LOG_WARN, 0, "multisample: a target cannot have %u samples now", samples);
            matched = false;
        }
    if (matched)
        device->attention &= (uint8_t)~RT_TARGETS_CHANGED;
    rt_device_targets_moved(device);
}

void rt_device_match_copy(struct rt_device *device, const struct rt_surface *source, struct rt_surface *destination)
{
    const struct rt_chain *from = rt_surface_video(source);

    if (!device->multisample.is_set || !from || source->desc.samples || destination->desc.samples ||
        destination->texture)
        return;
    if (FAILED(rt_surface_set_samples(destination, from->desc.samples)))
        log_once(LOG_WARN, 0, "multisample: a depth buffer cannot have the %u samples that are copied to it",
                 from->desc.samples);
    device->attention |= RT_TARGETS_CHANGED;
}

unsigned rt_device_counted_parts(const struct rt_device *device)
{
    const unsigned times = BASE_MAX(device->pipe.times, 1u);
    const struct rt_surface *target = device->target[0];
    const struct rt_chain *chain = target && !target->desc.samples ? rt_surface_video(target) : NULL;

    return times * times * (chain ? BASE_MAX(chain->desc.samples, 1u) : 1);
}
