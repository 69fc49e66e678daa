/* SPDX-License-Identifier: MIT */
/* Chooses the surfaces that are larger than the program believes. */
#include "runtime/common/object/resolution.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/window/scale.h"

bool rt_resolution_is_set(void)
{
    return config_string("internal_resolution")[0] != 0;
}

/* Whole multiples alone: then every rectangle of the program's is a rectangle of the enlarged surface, and a texel of the
 * program's is a square of texels there. */
struct rt_resolution rt_resolution_for(unsigned width, unsigned height, unsigned most_width, unsigned most_height)
{
    const char *text = config_string("internal_resolution");
    struct rt_resolution resolution = {width, height, 0};
    unsigned times;
    SIZE size;

    if (!text[0] || !width || !height)
        return resolution;
    if (!rt_scale_parse_size(text, width, height, &size)) {
        log_once(LOG_WARN, 0, "internal_resolution = %s: neither a size such as 1920x1440 nor a multiple such as 2x",
                 text);
        return resolution;
    }
    times = BASE_MIN((unsigned)size.cx / width, (unsigned)size.cy / height);
    times = BASE_MIN(times, BASE_MIN(most_width / width, most_height / height));
    times = BASE_MIN(times, RT_MOST_TIMES);
    resolution.times = times > 1 ? times : 0;
    if (resolution.times)
        log_info("internal resolution: %ux%u for %ux%u", width * times, height * times, width, height);
    else
        log_info("internal resolution: %ux%u is not enlarged", width, height);
    return resolution;
}

unsigned rt_resolution_times(const struct rt_resolution *resolution, const struct rt_resolution_use *use)
{
    const bool same = use->width == resolution->width && use->height == resolution->height;
    const bool as_large = use->width >= resolution->width && use->height >= resolution->height;

    if (!resolution->times || use->has_levels || !(use->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)))
        return 1;
    /* A depth buffer may be larger than the target. One that is sampled is drawn with a target of its own size. */
    if (same || (as_large && use->usage & D3DUSAGE_DEPTHSTENCIL && !use->is_texture))
        return resolution->times;
    return 1;
}
