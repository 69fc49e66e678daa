/* SPDX-License-Identifier: MIT */
/*
 * Converts the state of fixed-function vertex processing to the form that its program needs: matrices, user
 * planes, blending, lighting. Lights, fog, texture coordinates and points have files of their own.
 */
#include "hal/vertex/tnl/tnl.h"

#include "d3d/ddi.h"
#include "hal/math.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/point.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/light.h"
#include "hal/vertex/tnl/lower.h"
#include "hal/work.h"
#include "shader/shader.h"

#include <string.h>

#define DIRTY_MATRICES (HAL_DIRTY_TRANSFORM)

/* --- preparing ---------------------------------------------------------------------- */

static void prepare_matrices(struct tnl_program *p, const struct hal_state *state)
{
    hal_matrix_multiply(&p->world_view, &state->world[0], &state->view);
    hal_matrix_multiply(&p->clip, &p->world_view, &state->projection);
    p->projection = state->projection;
    hal_matrix_normal(p->normal, &p->world_view);
    memset(p->blend_ready, 0, sizeof(p->blend_ready));
}

/* Planes of the API are in world space; e = p * view, so a view-space plane is inverse(view) *
 * plane. */
static void prepare_user_planes(struct tnl_program *p, const struct hal_state *state)
{
    struct hal_matrix inverse;

    p->user_planes = 0;
    if (p->transformed)
        return;
    const unsigned planes = state->render_state[D3DRS_CLIPPLANEENABLE] & ((1u << HAL_MAX_CLIP_PLANES) - 1);

    if (!planes || !hal_matrix_invert(&inverse, &state->view))
        return;
    p->user_planes = planes;
    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
        for (unsigned i = 0; i < 4; i++) {
            p->user_plane[k][i] = 0;
            for (unsigned j = 0; j < 4; j++)
                p->user_plane[k][i] += inverse.m[i][j] * state->clip_plane[k][j];
        }
    }
}

static void prepare_blending(struct tnl_program *p, const struct hal_state *state)
{
    const uint32_t mode = state->render_state[D3DRS_VERTEXBLEND];
    const struct hal_layout *layout = p->layout;

    p->weights = 0;
    p->blend = p->blend_indexed = false;
    p->tween = mode == D3DVBF_TWEENING && layout->component[HAL_POSITION2].type;
    p->tween_factor = hal_render_state_float(state, D3DRS_TWEENFACTOR);
    if (p->transformed || mode == D3DVBF_DISABLE || mode == D3DVBF_TWEENING)
        return;
    p->blend_indexed = state->render_state[D3DRS_INDEXEDVERTEXBLENDENABLE] && layout->component[HAL_BLEND_INDEX].type;
    if (mode >= D3DVBF_1WEIGHTS && mode <= D3DVBF_3WEIGHTS)
        p->weights = layout->component[HAL_BLEND_WEIGHT].type ? mode : 0;
    p->blend = p->weights > 0 || p->blend_indexed;
}

/* A source that names a colour the vertex lacks means the material. */
static uint8_t color_source(const struct tnl_program *p, const uint32_t *r, unsigned state)
{
    const uint32_t source = r[state];

    if (!r[D3DRS_COLORVERTEX])
        return TNL_MATERIAL;
    if (source == D3DMCS_COLOR1 && p->layout->component[HAL_DIFFUSE].type)
        return TNL_COLOR1;
    if (source == D3DMCS_COLOR2 && p->layout->component[HAL_SPECULAR].type)
        return TNL_COLOR2;
    return TNL_MATERIAL;
}

static void prepare_lighting(struct tnl_program *p, const struct hal_state *state, const struct hal_light_table *lights)
{
    const uint32_t *r = state->render_state;

    p->lighting = r[D3DRS_LIGHTING] && !p->transformed;
    p->light_count = 0;
    if (!p->lighting)
        return;
    p->specular = r[D3DRS_SPECULARENABLE] != 0;
    p->normalize = r[D3DRS_NORMALIZENORMALS] != 0;
    p->local_viewer = r[D3DRS_LOCALVIEWER] != 0;
    p->source_diffuse = color_source(p, r, D3DRS_DIFFUSEMATERIALSOURCE);
    p->source_specular = color_source(p, r, D3DRS_SPECULARMATERIALSOURCE);
    p->source_ambient = color_source(p, r, D3DRS_AMBIENTMATERIALSOURCE);
    p->source_emissive = color_source(p, r, D3DRS_EMISSIVEMATERIALSOURCE);
    p->material = state->material;
    for (int c = 0; c < 3; c++)
        p->ambient[c] = (float)(int)(r[D3DRS_AMBIENT] >> (16 - 8 * c) & 255) / 255.0f;
    tnl_prepare_lights(p, lights, &state->view);
}

bool tnl_make_stage(const struct hal_renderer *renderer, struct hal_vertex_stage *stage,
                    const struct hal_layout *layout)
{
    const struct hal_state *state = renderer->state;
    struct hal_front *front = renderer->front;
    struct tnl_program *p = &front->tnl;

    p->stage = stage;
    p->state = state;
    p->layout = layout;
    p->transformed = layout->transformed;
    if (front->dirty & DIRTY_MATRICES)
        prepare_matrices(p, state);
    p->normalize = state->render_state[D3DRS_NORMALIZENORMALS] != 0;
    prepare_blending(p, state);
    prepare_user_planes(p, state);
    prepare_lighting(p, state, renderer->resources->lights);
    tnl_prepare_fog(p, state);
    tnl_prepare_texcoords(p, state);
    tnl_prepare_points(p, state);
    if (tnl_prepare_program(p, &front->tnl_cache, renderer->scene, stage))
        return true;
    hal_work_lacks_memory(&renderer->scene->work, "the program of vertex processing");
    return false;
}
