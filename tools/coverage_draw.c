/* SPDX-License-Identifier: MIT */
/* dp2 coverage: from points in text to primitives of the rasterizer, through the clipper. */
#include "tools/coverage.h"

#include <math.h>
#include <string.h>

/* Inputs of a vertex: front colour, back colour, texture coordinates for sprites. */
enum { INPUT_COLOR, INPUT_BACK, INPUT_SPRITE, INPUT_COUNT };

void coverage_settings_init(struct coverage_settings *settings)
{
    struct raster_draw_state *s = &settings->state;
    struct raster_state *rs = &s->rasterizer;

    memset(settings, 0, sizeof(*settings));
    settings->samples = 1;
    settings->tier = 3;
    settings->gain = 1;
    settings->vertex_size = 1.0f;
    rs->fill_front = rs->fill_back = RASTER_FILL_SOLID;
    rs->flatshade_first = rs->line_last_pixel = true;
    rs->line_width = rs->point_size = 1.0f;
    rs->point_quad_rasterization = rs->point_tri_clip = true;
    rs->multisample = rs->half_pixel_center = true;
    rs->clip_halfz = rs->depth_clip_near = rs->depth_clip_far = true;
    rs->line_stipple_pattern = 0xffff;
    s->scissor = (struct raster_rect){0, 0, RASTER_MAX_SIZE, RASTER_MAX_SIZE};
    s->sample_mask = 0xffff;
    s->depth_max = 1.0f;
    s->color_write_mask[0] = 15;
    s->program_reads_position = true;
    s->input_count = INPUT_COUNT;
    for (unsigned i = 0; i < INPUT_COUNT; i++)
        s->input_mask[i] = 15;
    s->color_inputs = 1u << INPUT_COLOR;
    s->back_input[INPUT_COLOR] = INPUT_BACK;
    for (unsigned i = 0; i < ARRAY_COUNT(s->poly_stipple); i++) /* a checkerboard of 2x2 squares */
        s->poly_stipple[i] = i & 2 ? 0xcccccccc : 0x33333333;
}

/* Target 0: red 1, green inner, blue front-facing, alpha 1 (times smoothed coverage); target 1: what is shown. */
static void shade(const void *program, struct raster_batch *batch)
{
    const struct coverage_settings *settings = program;
    bool sprite = settings->state.rasterizer.sprite_coord_enable != 0;

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        batch->color[0][0][l] = batch->color[0][3][l] = 1.0f;
        batch->color[0][1][l] = batch->inner >> l & 1 ? 1.0f : 0.0f;
        batch->color[0][2][l] = batch->front_facing[l / RASTER_QUAD_LANES] ? 1.0f : 0.0f;
        if (settings->show == COVERAGE_SHOW_COVERAGE)
            continue;
        for (unsigned c = 0; c < 4; c++)
            batch->color[1][c][l] = settings->show == COVERAGE_SHOW_DEPTH ? batch->z[l]
                                    : batch->input[sprite ? INPUT_SPRITE : INPUT_COLOR][c][l];
    }
}

static void bind_target(struct coverage_canvas *canvas, unsigned index, void *pixels, enum raster_format format,
                        unsigned pixel_bytes)
{
    const struct coverage_settings *s = canvas->settings;

    canvas->targets.color[index] = (struct raster_surface){
        .pixels = pixels,
        .pitch = s->width * pixel_bytes,
        .width = s->width,
        .height = s->height,
        .format = format,
        .samples = s->samples,
        .sample_stride = canvas->plane * pixel_bytes,
    };
}

static void set_projection(struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;
    const struct raster_state *rs = &s->state.rasterizer;
    struct hal_viewport viewport = {0, 0, s->width, s->height, 0.0f, 1.0f};
    bool clip_z = rs->depth_clip_near || rs->depth_clip_far;

    hal_projection_set(&canvas->projection, &viewport, s->space != COVERAGE_CLIP, clip_z, rs->clip_plane_enable & 63);
    canvas->projection.full_z = s->space == COVERAGE_CLIP && !rs->clip_halfz;
    canvas->projection.near_open = !rs->depth_clip_near;
    canvas->projection.far_open = !rs->depth_clip_far;
}

bool coverage_canvas_create(struct coverage_canvas *canvas, const struct coverage_settings *settings)
{
    struct raster_draw_state state = settings->state;
    enum raster_conservative mode = state.rasterizer.conservative_raster_mode;

    memset(canvas, 0, sizeof(*canvas));
    canvas->settings = settings;
    canvas->plane = (size_t)settings->width * settings->height;
    canvas->flags = mem_alloc_aligned(canvas->plane * settings->samples * sizeof(uint32_t));
    if (settings->show != COVERAGE_SHOW_COVERAGE)
        canvas->shown = mem_alloc_aligned(canvas->plane * settings->samples * sizeof(*canvas->shown));
    canvas->raster = raster_create(cpu_level_detected(), 1);
    if (!canvas->flags || !canvas->raster || (settings->show != COVERAGE_SHOW_COVERAGE && !canvas->shown)) {
        coverage_canvas_destroy(canvas);
        return false;
    }
    bind_target(canvas, 0, canvas->flags, RASTER_FORMAT_A8R8G8B8, sizeof(uint32_t));
    if (canvas->shown)
        bind_target(canvas, 1, canvas->shown, RASTER_FORMAT_A32B32G32R32F, sizeof(*canvas->shown));
    raster_set_targets(canvas->raster, &canvas->targets);
    set_projection(canvas);
    if (settings->conservative && mode == RASTER_CONSERVATIVE_OFF)
        mode = settings->tier == 1 ? RASTER_CONSERVATIVE_POST_SNAP : RASTER_CONSERVATIVE_PRE_SNAP;
    state.rasterizer.conservative_raster_mode = mode;
    canvas->conservative = mode != RASTER_CONSERVATIVE_OFF;
    state.inner_coverage = settings->inner;
    state.viewport = (struct raster_rect){0, 0, (int)settings->width, (int)settings->height};
    state.color_write_mask[1] = canvas->shown ? 15 : 0;
    state.interpolation[INPUT_COLOR] = state.rasterizer.flatshade ? RASTER_FLAT : RASTER_PERSPECTIVE;
    if (state.rasterizer.sprite_coord_enable)
        state.rasterizer.sprite_coord_enable = 1u << INPUT_SPRITE;
    state.shade = shade;
    state.program = settings;
    raster_set_state(canvas->raster, &state);
    return true;
}

void coverage_canvas_destroy(struct coverage_canvas *canvas)
{
    if (canvas->raster)
        raster_destroy(canvas->raster);
    mem_free_aligned(canvas->flags);
    mem_free_aligned(canvas->shown);
}

void coverage_clear(struct coverage_canvas *canvas)
{
    struct raster_rect all = {0, 0, (int)canvas->settings->width, (int)canvas->settings->height};

    raster_clear(canvas->raster, RASTER_CLEAR_COLOR, &all, 0, 1.0f, 0);
    canvas->seen_triangle = false;
    canvas->front_facing = true;
}

/* Corners are red, green and blue; their backs cyan, magenta and yellow. */
static void set_inputs(const struct coverage_settings *s, struct raster_vertex *v, unsigned corner)
{
    const float bright = (float)s->gain;

    for (unsigned c = 0; c < 4; c++) {
        v->input[INPUT_COLOR][c] = c == corner || c == 3 ? bright : 0.0f;
        v->input[INPUT_BACK][c] = c == corner && c != 3 ? 0.0f : bright;
        v->input[INPUT_SPRITE][c] = 0.0f;
    }
}

/* A corner as the clipper takes it: clip space, or pixels with z and 1/w. */
static void set_vertex(const struct coverage_settings *s, const float p[4], struct hal_vertex *v)
{
    memset(v, 0, sizeof(*v));
    memcpy(v->position, p, sizeof(v->position));
    if (s->space == COVERAGE_CLIP) {
        for (unsigned i = 0; i < HAL_MAX_CLIP_PLANES; i++)
            for (unsigned c = 0; c < 4; c++)
                v->plane[i] += s->plane[i][c] * p[c];
        return;
    }
    if (s->space == COVERAGE_NDC) {
        v->position[0] = (p[0] + 1.0f) * ((float)s->width * 0.5f);
        v->position[1] = (1.0f - p[1]) * ((float)s->height * 0.5f);
    }
    v->position[3] = 1.0f / p[3];
}

bool coverage_window(const struct coverage_canvas *canvas, const float position[4], float xy[2])
{
    const struct coverage_settings *s = canvas->settings;
    struct hal_vertex v;

    set_vertex(s, position, &v);
    xy[0] = v.position[0];
    xy[1] = v.position[1];
    if (s->space != COVERAGE_CLIP)
        return true;
    xy[0] = (v.position[0] / v.position[3] + 1.0f) * ((float)s->width * 0.5f);
    xy[1] = (1.0f - v.position[1] / v.position[3]) * ((float)s->height * 0.5f);
    return v.position[3] > 0.0f;
}

static void draw_triangle(struct coverage_canvas *canvas, const struct raster_vertex *const v[3],
                          const struct raster_vertex *provoking, unsigned edges)
{
    if (!canvas->seen_triangle)
        canvas->front_facing = raster_front_facing(canvas->raster, v[0], v[1], v[2]);
    canvas->seen_triangle = true;
    raster_triangle(canvas->raster, v[0], v[1], v[2], provoking, edges);
}

/* Conservatively what is left stays one shape. */
static void draw_whole(struct coverage_canvas *canvas, const struct clip_corner *corner, unsigned count,
                       const struct raster_vertex *vertex0, const struct raster_vertex *provoking)
{
    const struct raster_vertex *v[CLIP_MAX_CORNERS];

    for (unsigned i = 0; i < count; i++)
        v[i] = corner[i].vertex->vertex;
    canvas->front_facing = false; /* unless some part of it has an area that says otherwise */
    for (unsigned i = 2; i < count; i++)
        canvas->front_facing |= raster_front_facing(canvas->raster, v[0], v[i - 1], v[i]);
    canvas->seen_triangle = true;
    raster_polygon(canvas->raster, v, count, vertex0, provoking);
}

static void draw_clipped(struct coverage_canvas *canvas, const struct hal_vertex *const v[3],
                         const struct raster_vertex *const p[3], const struct raster_vertex *provoking)
{
    struct clip_corner corner[CLIP_MAX_CORNERS];
    unsigned count = hal_clip_triangle(&canvas->projection, &canvas->pool, v, p, 7, INPUT_COUNT, corner);

    if (count > 0 && canvas->conservative) {
        draw_whole(canvas, corner, count, p[0], provoking);
        return;
    }
    for (unsigned i = 1; i + 1 < count; i++) {
        const struct raster_vertex *const fan[3] = {corner[0].vertex->vertex, corner[i].vertex->vertex,
                                                    corner[i + 1].vertex->vertex};
        unsigned edges = (i == 1 && corner[0].edge ? 1u : 0u) | (corner[i].edge ? 2u : 0u) |
                         (i + 2 == count && corner[i + 1].edge ? 4u : 0u);

        draw_triangle(canvas, fan, provoking, edges);
    }
}

static float point_size(const struct coverage_settings *s)
{
    return s->state.rasterizer.point_size_per_vertex ? s->vertex_size : s->state.rasterizer.point_size;
}

void coverage_draw(struct coverage_canvas *canvas, const struct coverage_primitive *primitive)
{
    const struct coverage_settings *s = canvas->settings;
    unsigned n = primitive->corners;
    unsigned flat = raster_provoking_corner(RASTER_POINTS_AND_LISTS, n, s->state.rasterizer.flatshade_first);
    struct hal_vertex vertex[4] = {0};
    struct raster_vertex projected[4];
    uint32_t any = 0, all = ~0u;
    bool end_kept = true;

    memset(projected, 0, sizeof(projected));
    for (unsigned i = 0; i < n; i++) {
        set_vertex(s, primitive->position[i], &vertex[i]);
        set_inputs(s, &projected[i], i);
    }
    for (unsigned i = n; i < 4; i++)
        vertex[i] = vertex[0];
    hal_project(&canvas->projection, vertex, projected, n);
    for (unsigned i = 0; i < n; i++) {
        any |= vertex[i].outcode;
        all &= vertex[i].outcode;
    }
    /* What lies beside the view may still reach into it: coverage decides, not outcodes. */
    if (any & HAL_OUT_BAD || all & (HAL_OUT_W | HAL_OUT_NEAR | HAL_OUT_FAR | HAL_OUT_USER))
        return;
    const struct hal_vertex *const v[3] = {&vertex[0], &vertex[1], &vertex[2]};
    const struct raster_vertex *p[3] = {&projected[0], &projected[1], &projected[2]}, *provoking = p[flat];
    if (n == 1) {
        if (!(any & HAL_OUT_CLIP))
            raster_point(canvas->raster, p[0], point_size(s));
    } else if (n == 2) {
        if (!(any & HAL_OUT_CLIP) ||
            hal_clip_line(&canvas->projection, &canvas->pool, v, p, INPUT_COUNT, p, &end_kept))
            raster_line(canvas->raster, p[0], p[1], provoking, end_kept);
    } else if (any & HAL_OUT_CLIP) {
        draw_clipped(canvas, v, p, provoking);
    } else {
        draw_triangle(canvas, p, provoking, 7);
    }
}

uint32_t coverage_samples(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const uint32_t *pixel = canvas->flags + (size_t)y * canvas->settings->width + x;
    uint32_t mask = 0;

    for (unsigned s = 0; s < canvas->settings->samples; s++)
        mask |= (pixel[s * canvas->plane] >> 16 & 1) << s;
    return mask;
}

bool coverage_inner(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const uint32_t *pixel = canvas->flags + (size_t)y * canvas->settings->width + x;
    uint32_t inner = 0;

    for (unsigned s = 0; s < canvas->settings->samples; s++)
        inner |= pixel[s * canvas->plane] >> 8 & 1;
    return inner;
}
