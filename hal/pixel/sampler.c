/* SPDX-License-Identifier: MIT */
/* From the states of a stage to its sampler. */
#include "hal/pixel/sampler.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/states.h"
#include "hal/math.h"
#include "hal/pixel/draw_state.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/state/state.h"
#include "raster/format/format.h"
#include "raster/sample/feedback.h"
#include "raster/sample/sample.h"

/* DX6/7 number mip filters from 1 = none. */
static uint8_t mip_filter(const struct hal_state *state, uint32_t value)
{
    if (state->level < 4)
        value = value ? value - 1 : 0;
    return (uint8_t)BASE_MIN(value, (uint32_t)D3DTEXF_LINEAR);
}

/* Higher-order filters are treated as linear; so are anisotropic ones for magnification. */
static uint8_t mag_filter(uint32_t value)
{
    return value <= D3DTEXF_POINT ? RASTER_FILTER_POINT : RASTER_FILTER_LINEAR;
}

static uint8_t min_filter(uint32_t value, uint32_t max_anisotropy)
{
    return value == D3DTEXF_ANISOTROPIC && max_anisotropy > 1 ? RASTER_FILTER_ANISOTROPIC : mag_filter(value);
}

/* ATI's fetch4 is switched through the LOD bias. It works on one-channel textures without depth comparison, with the
 * point filter. */
#define FETCH4_ON MAKEFOURCC('G', 'E', 'T', '4')

static void sampler_derive_bias(const uint32_t *t, const struct hal_texture *texture, struct raster_sampler *sampler)
{
    const float wanted = hal_float_from_bits(t[D3DTSS_MIPMAPLODBIAS]);
    bool fetch4 = t[D3DTSS_MIPMAPLODBIAS] == FETCH4_ON;

    /* Programs set NaN (docs/programs.md), which means no bias. */
    sampler->lod_bias = fetch4 || wanted != wanted ? 0.0f : raster_lod_bias(wanted);
    if (fetch4 && texture && sampler->mag_filter == RASTER_FILTER_POINT && texture->view->kind != RASTER_TEXTURE_CUBE &&
        texture->view->depth != RASTER_DEPTH_COMPARED)
        sampler->fetch4 = raster_format_fetch4(texture->top->format);
}

/* Sets what the map records. For writes the map replaces the texture: it has the dimensions to sample. */
static void derive_feedback(const struct hal_scene *scene, const uint32_t *t, struct hal_texture *map,
                            struct raster_sampler *sampler)
{
    const float clamp = hal_float_from_bits(t[D3D_TSS_FEEDBACKCLAMP]);

    sampler->feedback = map ? hal_feedback_recorder(scene, map) : NULL;
    if (!sampler->feedback)
        return;
    sampler->feedback_mode = hal_feedback_mode(t) & 3u;
    sampler->feedback_clamp = clamp > 0.0f ? (unsigned)(BASE_MIN(clamp, 63.0f) * 256.0f + 0.5f) & 0x3fffu : 0;
    if (sampler->feedback_mode == RASTER_FEEDBACK_WRITES)
        sampler->texture = raster_feedback_shape(sampler->feedback);
}

const struct raster_texture *hal_sampled_texture(const struct hal_texture *texture, struct hal_texture *map)
{
    if (texture)
        return texture->view;
    return map ? raster_feedback_shape(hal_feedback_map(map)) : NULL;
}

/* Luminance is read without conversion: no card offered it as sRGB (doitsujin/dxvk#5608), nor does d3d/formats.def. */
static bool reads_srgb(const struct hal_surface *surface)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    const bool luminance = info->kind == RASTER_KIND_PACKED && info->shift[0] == info->shift[1];

    return raster_format_has_srgb(surface->format) && !luminance;
}

void hal_pipeline_sampler(const struct hal_state *state, const struct hal_scene *scene, unsigned row,
                          const struct hal_texture *texture, struct hal_texture *map, struct raster_sampler *sampler)
{
    const uint32_t *t = state->stage_state[row];

    sampler->texture = texture ? texture->view : NULL;
    derive_feedback(scene, t, map, sampler);
    sampler->address[0] = hal_state_from_one(t[D3DTSS_ADDRESSU], RASTER_MIRROR_ONCE, RASTER_WRAP);
    sampler->address[1] = hal_state_from_one(t[D3DTSS_ADDRESSV], RASTER_MIRROR_ONCE, RASTER_WRAP);
    sampler->address[2] = hal_state_from_one(t[D3DTSS_ADDRESSW], RASTER_MIRROR_ONCE, RASTER_WRAP);
    sampler->mag_filter = mag_filter(t[D3DTSS_MAGFILTER]);
    sampler->min_filter = min_filter(t[D3DTSS_MINFILTER], t[D3DTSS_MAXANISOTROPY]);
    sampler->mip_filter = mip_filter(state, t[D3DTSS_MIPFILTER]);
    sampler->max_anisotropy = (uint8_t)BASE_MIN(BASE_MAX(t[D3DTSS_MAXANISOTROPY], 1u), (uint32_t)RASTER_MAX_ANISOTROPY);
    uint32_t base = texture ? texture->lod : 0;
    if (sampler->mip_filter != RASTER_FILTER_NONE)
        base = BASE_MAX(base, t[D3DTSS_MAXMIPLEVEL]);
    sampler->base_level = (uint8_t)BASE_MIN(base, RASTER_MAX_LEVELS - 1u);
    sampler->srgb = t[D3D_TSS_SRGBTEXTURE] & 1 && texture && reads_srgb(texture->top);
    sampler_derive_bias(t, texture, sampler);
    hal_state_color(t[D3DTSS_BORDERCOLOR], sampler->border);
}
