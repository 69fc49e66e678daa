/* SPDX-License-Identifier: MIT */
/* From render states to raster_draw_state. Values of the stream are brought into range here. */
#include "hal/pixel/draw_state.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/states.h"
#include "hal/math.h"
#include "hal/resource/surface.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "raster/raster.h"

#include <math.h>
#include <string.h>

/* --- groups ------------------------------------------------------------------------------------ */

/* The group of each render state. HAL_DIRTY_OUTPUT: states that only derive_depth_stencil and derive_output read.
 * ZENABLE is not among them, because the vertex side reads it. */
static const uint16_t render_state_groups[HAL_MAX_RENDER_STATES] = {
#define RENDER_STATE(number, name, level, value, kind, group, ...) [number] = HAL_DIRTY_##group,
#include "d3d/states.def"
};

static const uint16_t stage_state_groups[HAL_MAX_STAGE_STATES] = {
#define STAGE_STATE(number, name, level, value, kind, group, ...) [number] = HAL_DIRTY_##group,
#include "d3d/states.def"
};

uint32_t hal_render_state_group(uint32_t state)
{
    return render_state_groups[state] ? render_state_groups[state] : (uint32_t)HAL_DIRTY_RENDER_STATE;
}

uint32_t hal_stage_state_group(uint32_t state)
{
    return stage_state_groups[state] ? stage_state_groups[state] : (uint32_t)HAL_DIRTY_STAGE;
}

/* --- raster_state ------------------------------------------------------------------------------ */

static const enum raster_cull cull_modes[] = {RASTER_CULL_NONE, RASTER_CULL_FRONT, RASTER_CULL_BACK};

/* DirectX 9 has depth bias and slope factor as floats, instead of ZBIAS. */
static void derive_depth_bias(const uint32_t *r, struct raster_state *rs)
{
    float units = hal_float_from_bits(r[D3D_RS_DEPTHBIAS]), scale = hal_float_from_bits(r[D3D_RS_SLOPESCALEDEPTHBIAS]);

    if (units == 0.0f && scale == 0.0f)
        return;
    rs->offset_tri = rs->offset_line = rs->offset_point = true;
    rs->offset_units_unscaled = true;
    rs->offset_units = units;
    rs->offset_scale = scale;
}

static void derive_rasterizer(const struct hal_state *state, const struct hal_surface *target, struct raster_state *rs)
{
    const uint32_t *r = state->render_state;
    uint32_t bias = BASE_MIN(r[D3DRS_ZBIAS], 16u);

    /* Targets with values up to 1 saturate when stored; others keep the program's values. */
    rs->clamp_vertex_color = true;
    rs->flatshade = r[D3DRS_SHADEMODE] == D3DSHADE_FLAT;
    rs->flatshade_first = true;
    rs->cull_mode = cull_modes[hal_state_from_one(r[D3DRS_CULLMODE], 2, 0)];
    rs->fill_front = rs->fill_back = hal_state_from_one(r[D3DRS_FILLMODE], 2, RASTER_FILL_SOLID);
    rs->offset_tri = rs->offset_line = rs->offset_point = bias != 0;
    rs->offset_units = rs->offset_scale = -(float)bias;
    derive_depth_bias(r, rs);
    rs->line_width = 1.0f;
    /* The states smooth only lines, not triangles (Wine's test_edge_antialiasing_blending). On multisampled targets
     * they have no effect, even where multisampling is off (Direct3D 9 documentation, D3DRS_ANTIALIASEDLINEENABLE). */
    rs->line_smooth =
        (r[D3DRS_EDGEANTIALIAS] != 0 || r[D3D_RS_ANTIALIASEDLINEENABLE] != 0) && !(target && target->samples > 1);
    /* D3DLINEPATTERN: repeat in the low word (0: solid), pattern in the high one */
    rs->line_stipple_enable = (r[D3DRS_LINEPATTERN] & 0xffff) != 0;
    rs->line_stipple_factor = rs->line_stipple_enable ? (uint16_t)((r[D3DRS_LINEPATTERN] & 0xffff) - 1) : 0;
    rs->line_stipple_pattern = (uint16_t)(r[D3DRS_LINEPATTERN] >> 16);
    rs->line_last_pixel = r[D3DRS_LASTPIXEL] != 0;
    rs->point_quad_rasterization = rs->point_tri_clip = true;
    rs->point_size = hal_float_from_bits(r[D3DRS_POINTSIZE]);
    rs->multisample = r[D3DRS_MULTISAMPLEANTIALIAS] != 0;
    rs->scissor = r[D3D_RS_SCISSORTESTENABLE] != 0;
    rs->clip_halfz = rs->depth_clip_near = rs->depth_clip_far = true;
    rs->clip_plane_enable = r[D3DRS_CLIPPLANEENABLE];
}

static int draw_state_clamp_pixel(uint64_t v)
{
    return (int)BASE_MIN(v, (uint64_t)RASTER_MAX_SIZE);
}

static bool uses_w_buffer(const struct hal_state *state)
{
    return state->render_state[D3DRS_ZENABLE] == D3DZB_USEW;
}

/* Transformed vertices have their own depth, others that of the viewport; with w it is the whole range. */
static void derive_viewport(const struct hal_state *state, bool transformed, struct raster_draw_state *s)
{
    const struct hal_viewport *v = &state->viewport;
    const float far_z = BASE_MAX(v->max_z, v->min_z + 0.001f); /* as hal_projection_set has it */

    s->viewport = (struct raster_rect){
        draw_state_clamp_pixel(v->x),
        draw_state_clamp_pixel(v->y),
        draw_state_clamp_pixel((uint64_t)v->x + v->width),
        draw_state_clamp_pixel((uint64_t)v->y + v->height),
    };
    s->depth_min = transformed || uses_w_buffer(state) ? 0.0f : v->min_z;
    s->depth_max = transformed || uses_w_buffer(state) ? 1.0f : far_z;
    s->scissor = hal_raster_rect(&state->scissor);
}

/* Eye w from the near to the far limit of WINFO. An invalid range is replaced by the initial one, 0 to 1.
 * Source: DirectX DDI documentation, D3DHAL_DP2WINFO. */
static void derive_w_range(const struct hal_state *state, struct raster_draw_state *s)
{
    const float nearest = state->w_near, range = state->w_far - state->w_near;
    const bool usable = fabsf(nearest) < 1e30f && fabsf(range) > 1e-30f && fabsf(range) < 1e30f;

    s->depth_from_w = uses_w_buffer(state);
    s->w_near = s->depth_from_w && usable ? nearest : 0.0f;
    s->w_scale = !s->depth_from_w ? 0.0f : usable ? 1.0f / range : 1.0f;
}

/* The enum raster_compare of a D3DCMPFUNC. Programs set 0 as well (WOLF RPG Editor): values out of range count as the nearest, which
 * gallium-nine's tests found on Windows. */
static uint8_t compare_function(uint32_t value)
{
    return hal_state_from_one(value, 7, value ? RASTER_ALWAYS : RASTER_NEVER);
}

static void derive_depth_stencil(const struct hal_state *state, struct raster_draw_state *s)
{
    const uint32_t *r = state->render_state;

    derive_w_range(state, s);
    s->depth_test = r[D3DRS_ZENABLE] != D3DZB_FALSE;
    s->depth_write = r[D3DRS_ZWRITEENABLE] != 0;
    s->depth_func = compare_function(r[D3DRS_ZFUNC]);
    s->stencil = (struct raster_stencil){
        .enable = r[D3DRS_STENCILENABLE] != 0,
        .func = compare_function(r[D3DRS_STENCILFUNC]),
        .fail = hal_state_from_one(r[D3DRS_STENCILFAIL], 7, RASTER_KEEP),
        .zfail = hal_state_from_one(r[D3DRS_STENCILZFAIL], 7, RASTER_KEEP),
        .pass = hal_state_from_one(r[D3DRS_STENCILPASS], 7, RASTER_KEEP),
        .ref = (uint8_t)r[D3DRS_STENCILREF],
        .mask = (uint8_t)r[D3DRS_STENCILMASK],
        .write_mask = (uint8_t)r[D3DRS_STENCILWRITEMASK],
    };
    /* clockwise triangles are front faces here, and use the plain states */
    s->two_sided_stencil = s->stencil.enable && r[D3D_RS_TWOSIDEDSTENCILMODE] != 0;
    s->stencil_back = s->stencil;
    if (s->two_sided_stencil) {
        s->stencil_back.func = compare_function(r[D3D_RS_CCW_STENCILFUNC]);
        s->stencil_back.fail = hal_state_from_one(r[D3D_RS_CCW_STENCILFAIL], 7, RASTER_KEEP);
        s->stencil_back.zfail = hal_state_from_one(r[D3D_RS_CCW_STENCILZFAIL], 7, RASTER_KEEP);
        s->stencil_back.pass = hal_state_from_one(r[D3D_RS_CCW_STENCILPASS], 7, RASTER_KEEP);
    }
}

static void derive_output(const struct hal_state *state, struct raster_draw_state *s)
{
    const uint32_t *r = state->render_state;

    s->alpha_test = r[D3DRS_ALPHATESTENABLE] != 0 && r[D3DRS_ALPHAFUNC] != D3DCMP_ALWAYS;
    s->alpha_to_coverage = false; /* hal/state/extension.c's */
    s->alpha_func = compare_function(r[D3DRS_ALPHAFUNC]);
    s->alpha_ref = (uint8_t)r[D3DRS_ALPHAREF];
    s->blend = (struct raster_blend){.enable = r[D3DRS_ALPHABLENDENABLE] != 0};
    if (s->blend.enable) {
        struct raster_blend *b = &s->blend;

        b->src_color = b->src_alpha =
            hal_state_from_one(r[D3DRS_SRCBLEND], RASTER_BLEND_INV_CONST_COLOR, RASTER_BLEND_ONE);
        b->dst_color = b->dst_alpha =
            hal_state_from_one(r[D3DRS_DESTBLEND], RASTER_BLEND_INV_CONST_COLOR, RASTER_BLEND_ZERO);
        b->op_color = b->op_alpha = hal_state_from_one(r[D3DRS_BLENDOP], RASTER_BLEND_MAX, RASTER_BLEND_ADD);
        if (r[D3D_RS_SEPARATEALPHABLENDENABLE]) {
            b->src_alpha = hal_state_from_one(r[D3D_RS_SRCBLENDALPHA], RASTER_BLEND_INV_CONST_COLOR, RASTER_BLEND_ONE);
            b->dst_alpha =
                hal_state_from_one(r[D3D_RS_DESTBLENDALPHA], RASTER_BLEND_INV_CONST_COLOR, RASTER_BLEND_ZERO);
            b->op_alpha = hal_state_from_one(r[D3D_RS_BLENDOPALPHA], RASTER_BLEND_MAX, RASTER_BLEND_ADD);
        }
        hal_state_color(r[D3D_RS_BLENDFACTOR], b->constant);
    }
    /* The cascade of stages has one output; programs with more have their own masks (derive_shader). */
    s->color_write_mask[0] = (uint8_t)(r[D3DRS_COLORWRITEENABLE] & 15);
    s->sample_mask = (uint16_t)r[D3DRS_MULTISAMPLEMASK];
    s->dither = r[D3DRS_DITHERENABLE] != 0;
    s->srgb_write = r[D3D_RS_SRGBWRITEENABLE] != 0;
}

/* Table fog uses depth when the projection does not change w. This also depends on the projection for transformed
 * vertices and vertex shaders, which need not use it: programs say in this way whether their w is eye w. Sources:
 * docs/reference/pixel-output.md, section 7; Direct3D 8 documentation, "Eye-Relative vs. Z-Based Depth"; Wine's
 * test_fog. */
static bool projection_is_affine(const struct hal_matrix *m)
{
    return m->m[0][3] == 0.0f && m->m[1][3] == 0.0f && m->m[2][3] == 0.0f && m->m[3][3] == 1.0f;
}

static void derive_fog(const struct hal_state *state, struct raster_draw_state *s)
{
    static const enum raster_fog_mode modes[] = {RASTER_FOG_VERTEX, RASTER_FOG_EXP, RASTER_FOG_EXP2, RASTER_FOG_LINEAR};
    const uint32_t *r = state->render_state;
    float color[4];

    if (!r[D3DRS_FOGENABLE])
        return;
    s->fog_mode = modes[BASE_MIN(r[D3DRS_FOGTABLEMODE], 3u)];
    s->fog_from_w = !projection_is_affine(&state->projection);
    hal_state_color(r[D3DRS_FOGCOLOR], color);
    memcpy(s->fog_color, color, sizeof(s->fog_color));
    s->fog_start = hal_float_from_bits(r[D3DRS_FOGSTART]);
    s->fog_end = hal_float_from_bits(r[D3DRS_FOGEND]);
    s->fog_density = hal_float_from_bits(r[D3DRS_FOGDENSITY]);
}

void hal_derive_output_state(const struct hal_state *state, struct raster_draw_state *derived)
{
    derive_depth_stencil(state, derived);
    derive_output(state, derived);
}

void hal_derive_draw_state(const struct hal_state *state, const struct hal_surface *target, bool transformed,
                           bool shader_fogs, struct raster_draw_state *derived)
{
    memset(derived, 0, sizeof(*derived));
    derive_rasterizer(state, target, &derived->rasterizer);
    derive_viewport(state, transformed, derived);
    hal_derive_output_state(state, derived);
    if (!shader_fogs)
        derive_fog(state, derived);
}
