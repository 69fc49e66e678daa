/* SPDX-License-Identifier: MIT */
/*
 * Positions, normals and the order of work of fixed-function vertex processing. Every result is
 * computed in one way only, so that two passes over the same geometry meet at the same depth
 * whatever else is enabled.
 */
#include "hal/tnl.h"

#include "hal/extension.h"
#include "hal/front.h"

#define DIRTY_MATRICES (HAL_DIRTY_TRANSFORM)

/* --- preparing ---------------------------------------------------------------------- */

static void prepare_matrices(struct tnl_program *p, const struct hal_context *context)
{
    hal_matrix_multiply(&p->world_view, &context->world[0], &context->view);
    hal_matrix_multiply(&p->clip, &p->world_view, &context->projection);
    p->projection = context->projection;
    hal_matrix_normal(p->normal, &p->world_view);
    memset(p->blend_ready, 0, sizeof(p->blend_ready));
}

/* Planes of the API are in world space; e = p * view, so a view-space plane is inverse(view) *
 * plane. */
static void prepare_user_planes(struct tnl_program *p, const struct hal_context *context)
{
    struct hal_matrix inverse;

    p->user_planes = 0;
    if (p->transformed) {
        return;
    }
    const unsigned planes =
        context->render_state[D3DRS_CLIPPLANEENABLE] & ((1u << HAL_MAX_CLIP_PLANES) - 1);

    if (!planes || !hal_matrix_invert(&inverse, &context->view)) {
        return;
    }
    p->user_planes = planes;
    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
        for (unsigned i = 0; i < 4; i++) {
            p->user_plane[k][i] = 0;
            for (unsigned j = 0; j < 4; j++) {
                p->user_plane[k][i] += inverse.m[i][j] * context->clip_plane[k][j];
            }
        }
    }
}

static void prepare_blending(struct tnl_program *p, const struct hal_context *context)
{
    const uint32_t mode = context->render_state[D3DRS_VERTEXBLEND];
    const struct hal_layout *layout = p->layout;

    p->weights = 0;
    p->blend = p->blend_indexed = false;
    p->tween = mode == D3DVBF_TWEENING && layout->component[HAL_POSITION2].type;
    p->tween_factor = hal_state_float(context, D3DRS_TWEENFACTOR);
    if (p->transformed || mode == D3DVBF_DISABLE || mode == D3DVBF_TWEENING) {
        return;
    }
    p->blend_indexed = context->render_state[D3DRS_INDEXEDVERTEXBLENDENABLE] &&
                       layout->component[HAL_BLEND_INDEX].type;
    if (mode >= D3DVBF_1WEIGHTS && mode <= D3DVBF_3WEIGHTS) {
        p->weights = layout->component[HAL_BLEND_WEIGHT].type ? mode : 0;
    }
    p->blend = p->weights > 0 || p->blend_indexed;
}

/* Which intermediate results somebody asks for. */
static void prepare_needs(struct tnl_program *p)
{
    bool positional = p->user_planes || p->blend || p->point_scale;
    bool normals = false;

    if (p->slot[HAL_ATTRIBUTE_DIFFUSE] >= 0 || p->slot[HAL_ATTRIBUTE_SPECULAR] >= 0) {
        normals = p->lighting && p->light_count > 0;
        positional = positional || normals;
    }
    p->need_fog = p->slot[HAL_ATTRIBUTE_FOG] >= 0;
    positional = positional || (p->need_fog && p->fog != TNL_FOG_ALPHA);
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++) {
        if (p->slot[HAL_ATTRIBUTE_TEXCOORD0 + i] >= 0 && p->texcoord[i].generate) {
            positional = normals = true;
        }
    }
    p->need_eye = positional && !p->transformed;
    p->need_normal = normals && !p->transformed && p->layout->component[HAL_NORMAL].type;
}

/* A source that names a colour the vertex lacks means the material. */
static uint8_t color_source(const struct tnl_program *p, const struct hal_context *context,
                            uint32_t state)
{
    const uint32_t source = context->render_state[state];

    if (!context->render_state[D3DRS_COLORVERTEX]) {
        return TNL_MATERIAL;
    }
    if (source == D3DMCS_COLOR1 && p->layout->component[HAL_DIFFUSE].type) {
        return TNL_COLOR1;
    }
    if (source == D3DMCS_COLOR2 && p->layout->component[HAL_SPECULAR].type) {
        return TNL_COLOR2;
    }
    return TNL_MATERIAL;
}

static void prepare_lighting(struct tnl_program *p, const struct hal_context *context)
{
    const uint32_t *state = context->render_state;

    p->lighting = state[D3DRS_LIGHTING] && !p->transformed;
    p->light_count = 0;
    if (!p->lighting) {
        return;
    }
    p->specular = state[D3DRS_SPECULARENABLE] != 0;
    p->normalize = state[D3DRS_NORMALIZENORMALS] != 0;
    p->local_viewer = state[D3DRS_LOCALVIEWER] != 0;
    p->source_diffuse = color_source(p, context, D3DRS_DIFFUSEMATERIALSOURCE);
    p->source_specular = color_source(p, context, D3DRS_SPECULARMATERIALSOURCE);
    p->source_ambient = color_source(p, context, D3DRS_AMBIENTMATERIALSOURCE);
    p->source_emissive = color_source(p, context, D3DRS_EMISSIVEMATERIALSOURCE);
    p->material = context->material;
    for (int c = 0; c < 3; c++) {
        p->ambient[c] = (float)(int)(state[D3DRS_AMBIENT] >> (16 - 8 * c) & 255) / 255.0f;
    }
    tnl_prepare_lights(p, context);
}

/* Vertices in pixels are cut at the depth range only where depth is looked at, and CLIPPING says
 * nothing about it (Wine's depth_clamp_test and zenable_test); elsewhere their depth is clamped. */
static bool clips_transformed_depth(const struct hal_context *context)
{
    return context->depth && context->render_state[D3DRS_ZENABLE] != D3DZB_FALSE;
}

bool tnl_update_slots(struct tnl_program *p, const struct hal_pipeline_inputs *inputs)
{
    int8_t slot[HAL_ATTRIBUTE_COUNT];

    memset(slot, -1, sizeof(slot));
    for (unsigned i = 0; i < inputs->count && i < RASTER_MAX_INPUTS; i++) {
        if (inputs->attribute[i] < HAL_ATTRIBUTE_COUNT) {
            slot[inputs->attribute[i]] = (int8_t)i;
        }
    }
    if (memcmp(slot, p->slot, sizeof(slot)) == 0) {
        return false;
    }
    memcpy(p->slot, slot, sizeof(slot));
    return true;
}

void tnl_prepare(struct hal_context *context, const struct hal_layout *layout, bool points)
{
    struct hal_front *front = context->front;
    struct tnl_program *p = &front->program;
    const bool changed = tnl_update_slots(p, hal_pipeline_inputs(context));

    if (!front->dirty && !changed && p->layout == layout && p->points == points &&
        p->raw_coordinates == hal_pipeline_inputs(context)->raw_coordinates) {
        return;
    }
    p->context = context;
    p->layout = layout;
    p->points = points;
    p->raw_coordinates = hal_pipeline_inputs(context)->raw_coordinates;
    p->transformed = layout->transformed;
    if (front->dirty & DIRTY_MATRICES) {
        prepare_matrices(p, context);
    }
    p->normalize = context->render_state[D3DRS_NORMALIZENORMALS] != 0;
    prepare_blending(p, context);
    prepare_user_planes(p, context);
    prepare_lighting(p, context);
    tnl_prepare_fog(p, context);
    tnl_prepare_texcoords(p, context);
    tnl_prepare_points(p, context);
    hal_wrap_prepare(p, context, false);
    prepare_needs(p);
    hal_projection_set(&front->projection, &context->viewport, p->transformed,
                       clips_transformed_depth(context), p->user_planes);
    hal_projection_depth_clip(&front->projection, hal_rasterizer_depth_clip(context));
    front->dirty = 0;
}

/* --- positions and normals ---------------------------------------------------------- */

static void transform(const struct hal_matrix *m, const hal_lanes in[4], hal_lanes out[4],
                      unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vec4f x = vec_load(&in[0][i]), y = vec_load(&in[1][i]);
        const vec4f z = vec_load(&in[2][i]), w = vec_load(&in[3][i]);

        for (unsigned c = 0; c < 4; c++) {
            vec_store(&out[c][i],
                      x * m->m[0][c] + y * m->m[1][c] + z * m->m[2][c] + w * m->m[3][c]);
        }
    }
}

static void transform_normals(const float m[3][3], hal_lanes n[3], unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vec4f x = vec_load(&n[0][i]), y = vec_load(&n[1][i]), z = vec_load(&n[2][i]);

        for (unsigned c = 0; c < 3; c++) {
            vec_store(&n[c][i], x * m[0][c] + y * m[1][c] + z * m[2][c]);
        }
    }
}

static void normalize(hal_lanes n[3], unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vec4f v[3] = {vec_load(&n[0][i]), vec_load(&n[1][i]), vec_load(&n[2][i])};
        const vec4f length = vec_sqrt(vec_dot3(v, v));

        for (unsigned c = 0; c < 3; c++) {
            vec_store(&n[c][i], vec_select(length > 0.0f, v[c] / length, v[c]));
        }
    }
}

static void tween(hal_lanes *a, const hal_lanes *b, float t, unsigned components, unsigned count)
{
    for (unsigned c = 0; c < components; c++) {
        for (unsigned i = 0; i < count; i++) {
            a[c][i] = a[c][i] * (1 - t) + b[c][i] * t;
        }
    }
}

static const struct hal_matrix *blend_matrix(struct tnl_program *p, unsigned index)
{
    if (!p->blend_ready[index]) {
        hal_matrix_multiply(&p->blend_matrix[index], &p->context->world[index], &p->context->view);
        p->blend_ready[index] = true;
    }
    return &p->blend_matrix[index];
}

/* One vertex: position and normal through the weighted matrices. */
static void blend_vertex(struct tnl_program *p, struct tnl_batch *b, const hal_lanes weight[4],
                         unsigned i)
{
    const float position[4] = {b->position[0][i], b->position[1][i], b->position[2][i],
                               b->position[3][i]};
    const float normal[3] = {b->normal[0][i], b->normal[1][i], b->normal[2][i]};
    float eye[4] = {0}, turned[3] = {0}, rest = 1.0f;

    for (unsigned k = 0; k <= p->weights; k++) {
        const float share = k < p->weights ? weight[k][i] : rest;
        const unsigned index = p->blend_indexed ? b->index[i] >> (8 * k) & 255 : k;
        const struct hal_matrix *m = blend_matrix(p, index);

        rest -= share;
        for (unsigned c = 0; c < 4; c++) {
            eye[c] += share * (position[0] * m->m[0][c] + position[1] * m->m[1][c] +
                               position[2] * m->m[2][c] + position[3] * m->m[3][c]);
        }
        for (unsigned c = 0; p->need_normal && c < 3; c++) {
            turned[c] +=
                share * (normal[0] * m->m[0][c] + normal[1] * m->m[1][c] + normal[2] * m->m[2][c]);
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        b->eye[c][i] = eye[c];
    }
    for (unsigned c = 0; p->need_normal && c < 3; c++) {
        b->normal[c][i] = turned[c];
    }
}

static void blend(struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source)
{
    hal_fetch(source, HAL_BLEND_WEIGHT, &b->span, b->scratch);
    if (!hal_fetch_bytes(source, HAL_BLEND_INDEX, &b->span, b->index)) {
        memset(b->index, 0, sizeof(b->index));
    }
    for (unsigned i = 0; i < b->span.padded; i++) {
        blend_vertex(p, b, b->scratch, i);
    }
}

/* From model space to view and clip space. */
static void transform_vertices(struct tnl_program *p, struct tnl_batch *b,
                               const struct hal_source *source)
{
    const unsigned count = b->span.padded;

    b->has_normal = false;
    if (p->need_normal) {
        b->has_normal = hal_fetch(source, HAL_NORMAL, &b->span, b->normal) > 0;
    }
    if (p->tween) {
        hal_fetch(source, HAL_POSITION2, &b->span, b->scratch);
        tween(b->position, b->scratch, p->tween_factor, 3, count);
        if (b->has_normal && p->layout->component[HAL_NORMAL2].type) {
            hal_fetch(source, HAL_NORMAL2, &b->span, b->scratch);
            tween(b->normal, b->scratch, p->tween_factor, 3, count);
        }
    }
    if (p->blend) {
        blend(p, b, source);
        transform(&p->projection, b->eye, b->clip, count);
    } else {
        transform(&p->clip, b->position, b->clip, count);
        if (p->need_eye) {
            transform(&p->world_view, b->position, b->eye, count);
        }
        if (b->has_normal) {
            transform_normals(p->normal, b->normal, count);
        }
    }
    if (b->has_normal && p->normalize) {
        normalize(b->normal, count);
    }
}

/* --- results ------------------------------------------------------------------------ */

static void store_positions(const struct tnl_program *p, const struct tnl_batch *b,
                            struct hal_vertex *vertices)
{
    const hal_lanes *from = p->transformed ? b->position : b->clip;

    for (unsigned i = 0; i < b->span.padded; i += VEC_LANES) {
        vec4f v[4] = {vec_load(&from[0][i]), vec_load(&from[1][i]), vec_load(&from[2][i]),
                      vec_load(&from[3][i])};

        vec_transpose(v);
        for (unsigned l = 0; l < VEC_LANES; l++) {
            vec_store(vertices[i + l].position, v[l]);
        }
    }
}

static void store_planes(const struct tnl_program *p, const struct tnl_batch *b,
                         struct hal_vertex *vertices)
{
    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
        const float *plane = p->user_plane[k];

        for (unsigned i = 0; p->user_planes & 1u << k && i < b->span.padded; i++) {
            vertices[i].plane[k] = plane[0] * b->eye[0][i] + plane[1] * b->eye[1][i] +
                                   plane[2] * b->eye[2][i] + plane[3] * b->eye[3][i];
        }
    }
}

static void store_attribute(const struct tnl_program *p, enum hal_attribute attribute,
                            const hal_lanes value[4], struct raster_vertex *projected,
                            unsigned count)
{
    const int slot = p->slot[attribute];

    for (unsigned i = 0; i < count; i += VEC_LANES) {
        vec4f v[4] = {vec_load(&value[0][i]), vec_load(&value[1][i]), vec_load(&value[2][i]),
                      vec_load(&value[3][i])};

        vec_transpose(v);
        for (unsigned l = 0; l < VEC_LANES; l++) {
            vec_store(projected[i + l].input[slot], v[l]);
        }
    }
}

static void fill(hal_lanes lanes[4], float rgb, float a, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        lanes[0][i] = lanes[1][i] = lanes[2][i] = rgb;
        lanes[3][i] = a;
    }
}

static void store_colors(const struct tnl_program *p, struct tnl_batch *b,
                         const struct hal_source *source, struct raster_vertex *projected)
{
    const unsigned count = b->span.padded;
    const bool diffuse = p->slot[HAL_ATTRIBUTE_DIFFUSE] >= 0;
    const bool specular = p->slot[HAL_ATTRIBUTE_SPECULAR] >= 0;

    if (!diffuse && !specular && !p->need_fog) {
        return;
    }
    b->has_color1 = hal_fetch(source, HAL_DIFFUSE, &b->span, b->color1) > 0;
    b->has_color2 = hal_fetch(source, HAL_SPECULAR, &b->span, b->color2) > 0;
    if (!b->has_color1) {
        fill(b->color1, 1, 1, count);
    }
    if (!b->has_color2) {
        fill(b->color2, 0, 0, count);
    }
    if (p->lighting && (diffuse || specular)) {
        tnl_light(p, b);
    }
    if (diffuse) {
        store_attribute(p, HAL_ATTRIBUTE_DIFFUSE, p->lighting ? b->lit_diffuse : b->color1,
                        projected, count);
    }
    if (specular) {
        store_attribute(p, HAL_ATTRIBUTE_SPECULAR,
                        p->lighting && p->specular ? b->lit_specular : b->color2, projected, count);
    }
}

void tnl_run(struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source,
             struct hal_vertex *vertices, struct raster_vertex *projected)
{
    const unsigned count = b->span.padded;

    hal_fetch(source, HAL_POSITION, &b->span, b->position);
    if (!p->transformed) {
        transform_vertices(p, b, source);
    }
    store_positions(p, b, vertices);
    if (p->user_planes) {
        store_planes(p, b, vertices);
    }
    store_colors(p, b, source, projected);
    if (p->need_fog) {
        tnl_fog(p, b);
        store_attribute(p, HAL_ATTRIBUTE_FOG, b->out, projected, count);
    }
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++) {
        if (p->slot[HAL_ATTRIBUTE_TEXCOORD0 + i] >= 0) {
            tnl_texcoord(p, b, source, i);
            store_attribute(p, HAL_ATTRIBUTE_TEXCOORD0 + i, b->out, projected, count);
        }
    }
    if (p->points) {
        tnl_point_size(p, b, source, vertices);
    }
}
