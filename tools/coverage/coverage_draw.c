/* SPDX-License-Identifier: MIT */
/* dp2 coverage: from points in text to primitives of the rasterizer, through the clipper. */
#include "tools/coverage/coverage.h"

#include "hal/vertex/outline.h"

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

/* Target 0: red 1, green inner, blue front-facing, alpha 1 (times smoothed coverage); target 1: the colour. */
static void shade(const void *program, struct raster_batch *batch)
{
    const struct coverage_settings *settings = program;
    bool sprite = settings->state.rasterizer.sprite_coord_enable != 0;

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        batch->color[0][0][l] = batch->color[0][3][l] = 1.0f;
        batch->color[0][1][l] = batch->inner >> l & 1 ? 1.0f : 0.0f;
        batch->color[0][2][l] = batch->front_facing[l / RASTER_QUAD_LANES] ? 1.0f : 0.0f;
        for (unsigned c = 0; c < 4 && settings->show == COVERAGE_SHOW_COLOR; c++)
            batch->color[1][c][l] = batch->input[sprite ? INPUT_SPRITE : INPUT_COLOR][c][l];
    }
}

static struct raster_surface target(const struct coverage_canvas *canvas, void *pixels, enum raster_format format,
                                    unsigned pixel_bytes)
{
    const struct coverage_settings *s = canvas->settings;

    return (struct raster_surface){
        .pixels = pixels,
        .pitch = s->samples > 1 ? raster_samples_pitch(format, s->width, s->samples) : (size_t)s->width * pixel_bytes,
        .width = s->width,
        .height = s->height,
        .format = format,
        .samples = s->samples,
    };
}

static void set_projection(struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;
    const struct raster_state *rs = &s->state.rasterizer;
    struct hal_viewport viewport = {0, 0, s->width, s->height, 0.0f, 1.0f};

    hal_projection_set(&canvas->projection, &viewport, s->space != COVERAGE_CLIP, true, rs->clip_plane_enable);
    for (unsigned i = 0; i < CLIP_MORE_PLANES; i++)
        for (unsigned c = 0; c < 4; c++)
            canvas->projection.more_plane[i][c] = s->plane[HAL_MAX_CLIP_PLANES + i][c];
    canvas->projection.full_z = s->space == COVERAGE_CLIP && !rs->clip_halfz;
    canvas->projection.near_open = !rs->depth_clip_near;
    canvas->projection.far_open = !rs->depth_clip_far;
}

/* Memory of what is drawn and shown. False: there is none. */
static bool make_targets(struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;
    const size_t samples = (size_t)((s->width + 3) & ~3u) * ((s->height + 3) & ~3u) * s->samples;

    canvas->flags = mem_alloc_aligned(samples * sizeof(*canvas->flags));
    if (!canvas->flags)
        return false;
    canvas->targets.color[0] = target(canvas, canvas->flags, RASTER_FORMAT_A8R8G8B8, sizeof(*canvas->flags));
    if (s->show == COVERAGE_SHOW_COLOR) {
        canvas->color = mem_alloc_aligned(samples * sizeof(*canvas->color));
        canvas->targets.color[1] = target(canvas, canvas->color, RASTER_FORMAT_A32B32G32R32F, sizeof(*canvas->color));
        return canvas->color != NULL;
    }
    if (s->show == COVERAGE_SHOW_DEPTH) {
        canvas->depth = mem_alloc_aligned(samples * sizeof(*canvas->depth));
        canvas->targets.depth = target(canvas, canvas->depth, RASTER_FORMAT_D32F, sizeof(*canvas->depth));
        return canvas->depth != NULL;
    }
    return true;
}

static void canvas_set_state(struct coverage_canvas *canvas)
{
    const struct coverage_settings *settings = canvas->settings;
    struct raster_draw_state state = settings->state;
    enum raster_conservative mode = state.rasterizer.conservative_raster_mode;

    if (settings->conservative && mode == RASTER_CONSERVATIVE_OFF)
        mode = settings->tier == 1 ? RASTER_CONSERVATIVE_POST_SNAP : RASTER_CONSERVATIVE_PRE_SNAP;
    state.rasterizer.conservative_raster_mode = mode;
    canvas->conservative = mode != RASTER_CONSERVATIVE_OFF;
    state.inner_coverage = settings->inner;
    state.viewport = (struct raster_rect){0, 0, (int)settings->width, (int)settings->height};
    state.color_write_mask[1] = canvas->color ? 15 : 0;
    state.depth_test = state.depth_write = canvas->depth != NULL; /* the pixel drawn last shows its depth */
    state.depth_func = RASTER_ALWAYS;
    state.interpolation[INPUT_COLOR] = state.rasterizer.flatshade ? RASTER_FLAT : RASTER_PERSPECTIVE;
    if (state.rasterizer.sprite_coord_enable)
        state.rasterizer.sprite_coord_enable = 1u << INPUT_SPRITE;
    state.shade = shade;
    state.program = settings;
    raster_set_state(canvas->raster, &state);
}

bool coverage_canvas_create(struct coverage_canvas *canvas, const struct coverage_settings *settings)
{
    memset(canvas, 0, sizeof(*canvas));
    canvas->settings = settings;
    canvas->raster = raster_create(cpu_level_detected(), 1);
    if (!canvas->raster || !make_targets(canvas)) {
        coverage_canvas_destroy(canvas);
        return false;
    }
    raster_set_targets(canvas->raster, &canvas->targets);
    set_projection(canvas);
    canvas_set_state(canvas);
    return true;
}

void coverage_canvas_destroy(struct coverage_canvas *canvas)
{
    if (canvas->raster)
        raster_destroy(canvas->raster);
    mem_free_aligned(canvas->flags);
    mem_free_aligned(canvas->color);
    mem_free_aligned(canvas->depth);
}

void coverage_clear(struct coverage_canvas *canvas)
{
    struct raster_rect all = {0, 0, (int)canvas->settings->width, (int)canvas->settings->height};

    raster_clear(canvas->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH, &all, 0, 1.0f, 0);
    canvas->seen_triangle = false;
    canvas->front_facing = true;
}

/* Corners are red, green, blue, yellow, cyan and magenta in turn; their backs have the complementary colours. */
static void set_inputs(const struct coverage_settings *s, struct raster_vertex *v, unsigned corner)
{
    static const uint8_t channels[] = {1, 2, 4, 3, 6, 5}; /* bit c: channel c */
    const float bright = (float)s->gain;

    for (unsigned c = 0; c < 4; c++) {
        const bool front = channels[corner % ARRAY_COUNT(channels)] >> c & 1;

        v->input[INPUT_COLOR][c] = front || c == 3 ? bright : 0.0f;
        v->input[INPUT_BACK][c] = front && c != 3 ? 0.0f : bright;
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

/* --- primitives ------------------------------------------------------------------------------------ */

/* The corners of a primitive, projected. */
struct corners {
    struct hal_vertex vertex[COVERAGE_MAX_CORNERS];
    struct raster_vertex projected[COVERAGE_MAX_CORNERS];
};

static void draw_part(struct coverage_canvas *canvas, const struct raster_vertex *const v[3],
                      const struct raster_vertex *provoking, unsigned edges)
{
    if (!canvas->seen_triangle)
        canvas->front_facing = raster_front_facing(canvas->raster, v[0], v[1], v[2]);
    canvas->seen_triangle = true;
    raster_triangle(canvas->raster, v[0], v[1], v[2], provoking, edges);
}

/* In conservative mode a clipped primitive stays one shape; if it has no area, it has the values of its provoking
 * vertex. */
static void draw_outline(struct coverage_canvas *canvas, const struct hal_vertex *const v[3],
                         const struct raster_vertex *const p[3], const struct raster_vertex *provoking, float rhw_scale)
{
    struct hal_outline outline;

    if (!hal_outline_triangle(&canvas->projection, v, p, INPUT_COUNT, rhw_scale, &outline))
        return;
    outline.polygon.provoking = provoking;
    if (!canvas->seen_triangle)
        canvas->front_facing = raster_polygon_front_facing(canvas->raster, &outline.polygon);
    canvas->seen_triangle = true;
    raster_polygon(canvas->raster, &outline.polygon);
}

static void draw_clipped(struct coverage_canvas *canvas, const struct hal_vertex *const v[3],
                         const struct raster_vertex *const p[3], const struct raster_vertex *provoking, unsigned edges,
                         float rhw_scale)
{
    struct clip_corner corner[CLIP_MAX_CORNERS];
    unsigned count = hal_clip_triangle(&canvas->projection, &canvas->pool, v, p, edges, INPUT_COUNT, corner);

    if (rhw_scale != 1.0f)
        hal_scale_corners(&canvas->pool, corner, count, rhw_scale);
    for (unsigned i = 1; i + 1 < count; i++) {
        const struct raster_vertex *const fan[3] = {corner[0].vertex->vertex, corner[i].vertex->vertex,
                                                    corner[i + 1].vertex->vertex};
        unsigned flags = (i == 1 && corner[0].edge ? 1u : 0u) | (corner[i].edge ? 2u : 0u) |
                         (i + 2 == count && corner[i + 1].edge ? 4u : 0u);

        draw_part(canvas, fan, provoking, flags | RASTER_OUTLINE_GOES_ON);
    }
}

/* rhw_scale: hal_rescale's, 1 if it did nothing. */
static void draw_visible(struct coverage_canvas *canvas, const struct hal_vertex *const v[3],
                         const struct raster_vertex *const p[3], const struct raster_vertex *provoking, unsigned edges,
                         float rhw_scale)
{
    const uint32_t any = v[0]->outcode | v[1]->outcode | v[2]->outcode;

    /* A triangle outside the view may still reach into it: coverage decides, not outcodes. */
    if (any & HAL_OUT_BAD || v[0]->outcode & v[1]->outcode & v[2]->outcode & HAL_OUT_REJECT & ~(uint32_t)HAL_OUT_VIEW)
        return;
    if (canvas->conservative && (any & HAL_OUT_CLIP || canvas->settings->space == COVERAGE_CLIP))
        draw_outline(canvas, v, p, provoking, rhw_scale);
    else if (any & HAL_OUT_CLIP)
        draw_clipped(canvas, v, p, provoking, edges, rhw_scale);
    else
        draw_part(canvas, p, provoking, edges | RASTER_OUTLINE_GOES_ON);
}

/* Draws a triangle of the outline that raster_begin_strip has begun. Triangles at a scale that floats cannot divide by take
 * another one. */
static void draw_triangle(struct coverage_canvas *canvas, const struct corners *c, const unsigned n[3], unsigned flat,
                          unsigned edges)
{
    const struct hal_vertex *const v[3] = {&c->vertex[n[0]], &c->vertex[n[1]], &c->vertex[n[2]]};
    const struct raster_vertex *const p[3] = {&c->projected[n[0]], &c->projected[n[1]], &c->projected[n[2]]};
    const struct raster_vertex *provoking = &c->projected[flat];
    struct hal_rescaled rescaled;
    bool off_scale = false;

    for (unsigned i = 0; i < 3; i++)
        off_scale |= hal_vertex_is_off_scale(v[i]);
    if (!off_scale || !hal_rescale(&canvas->projection, v, p, &rescaled)) {
        draw_visible(canvas, v, p, provoking, edges, 1.0f);
        return;
    }
    const struct hal_vertex *const scaled[3] = {&rescaled.vertex[0], &rescaled.vertex[1], &rescaled.vertex[2]};
    const struct raster_vertex *const projected[3] = {&rescaled.projected[0], &rescaled.projected[1],
                                                      &rescaled.projected[2]};
    for (unsigned i = 0; i < 3; i++)
        provoking = n[i] == flat ? projected[i] : provoking;
    draw_visible(canvas, scaled, projected, provoking, edges, rescaled.rhw_scale);
}

static void canvas_draw_line(struct coverage_canvas *canvas, const struct corners *c, unsigned first, unsigned flat,
                             bool last_segment)
{
    const struct hal_vertex *const v[2] = {&c->vertex[first], &c->vertex[first + 1]};
    const struct raster_vertex *const p[2] = {&c->projected[first], &c->projected[first + 1]};
    const uint32_t any = v[0]->outcode | v[1]->outcode;
    struct clip_line line;

    if (any & HAL_OUT_BAD)
        return;
    if (!(any & HAL_OUT_CLIP))
        raster_line(canvas->raster, p[0], p[1], &c->projected[flat], last_segment);
    else if (hal_clip_line(&canvas->projection, &canvas->pool, v, p, INPUT_COUNT, &line))
        raster_clipped_line(canvas->raster, line.ends[0], line.ends[1], &c->projected[flat],
                            last_segment && line.end_kept, &line.whole);
    else
        raster_hidden_line(canvas->raster, &line.whole);
}

/* User planes cut the square, or drop the point if it is clipped before it becomes one. */
static void canvas_draw_point(struct coverage_canvas *canvas, const struct corners *c)
{
    const struct raster_state *rs = &canvas->settings->state.rasterizer;
    struct hal_vertex v = c->vertex[0];
    float corners[HAL_MAX_POINT_CORNERS][2], slope[CLIP_MAX_PLANES][2];

    v.point_size = rs->point_size_per_vertex ? canvas->settings->vertex_size : rs->point_size;
    if (v.outcode & (HAL_OUT_BAD | (HAL_OUT_CLIP & ~(uint32_t)(rs->point_tri_clip ? HAL_OUT_USER : 0))))
        return;
    if (!canvas->projection.user_planes || !rs->point_tri_clip) {
        raster_point(canvas->raster, &c->projected[0], v.point_size);
        return;
    }
    for (unsigned i = 0; i < CLIP_MAX_PLANES; i++)
        memcpy(slope[i], canvas->settings->plane[i], sizeof(slope[i]));
    const unsigned count = hal_point_clip(&canvas->projection, (const float(*)[2])slope, &v, corners);
    if (count > 0)
        raster_point_part(canvas->raster, &c->projected[0], v.point_size, (const float(*)[2])corners, count);
}

/* The provoking corner of the part that begins with corner `first`. */
static unsigned flat_corner(const struct coverage_canvas *canvas, enum raster_topology topology, unsigned corners)
{
    return raster_provoking_corner(topology, corners, canvas->settings->state.rasterizer.flatshade_first);
}

static void draw_strip(struct coverage_canvas *canvas, const struct corners *c, unsigned n)
{
    const unsigned flat = flat_corner(canvas, RASTER_POINTS_AND_LISTS, 3);

    for (unsigned i = 0; i + 2 < n; i++) { /* every other one is wound the other way */
        raster_begin_strip(canvas->raster);
        draw_triangle(canvas, c, (const unsigned[3]){i, i + 1 + (i & 1), i + 2 - (i & 1)}, i + flat, RASTER_ALL_EDGES);
    }
}

static void draw_fan(struct coverage_canvas *canvas, const struct corners *c, unsigned n)
{
    const unsigned flat = flat_corner(canvas, RASTER_TRIANGLE_FAN, 3);

    for (unsigned i = 0; i + 2 < n; i++) {
        raster_begin_strip(canvas->raster);
        draw_triangle(canvas, c, (const unsigned[3]){0, i + 1, i + 2}, i + flat, RASTER_ALL_EDGES);
    }
}

/* A quad is a shape with four corners. Edges between its triangles do not belong to it. */
static void canvas_draw_polygon(struct coverage_canvas *canvas, const struct corners *c, unsigned n, unsigned flat)
{
    raster_begin_strip(canvas->raster);
    for (unsigned i = 1; i + 1 < n; i++)
        draw_triangle(canvas, c, (const unsigned[3]){0, i, i + 1}, flat,
                      (i == 1 ? 1u : 0u) | 2u | (i + 2 == n ? 4u : 0u));
}

static void draw_lines(struct coverage_canvas *canvas, const struct corners *c, unsigned n)
{
    const unsigned flat = flat_corner(canvas, RASTER_POINTS_AND_LISTS, 2);

    raster_begin_strip(canvas->raster);
    for (unsigned i = 0; i + 1 < n; i++)
        canvas_draw_line(canvas, c, i, i + flat, i + 2 == n);
}

void coverage_draw(struct coverage_canvas *canvas, const struct coverage_primitive *primitive)
{
    const unsigned n = primitive->corners;
    struct corners c;

    memset(&c, 0, sizeof(c));
    for (unsigned i = 0; i < n; i++) {
        set_vertex(canvas->settings, primitive->position[i], &c.vertex[i]);
        set_inputs(canvas->settings, &c.projected[i], i);
    }
    hal_project(&canvas->projection, c.vertex, c.projected, n);
    switch (primitive->topology) {
    case COVERAGE_POINT:
        canvas_draw_point(canvas, &c);
        break;
    case COVERAGE_LINE:
    case COVERAGE_LINE_STRIP:
        draw_lines(canvas, &c, n);
        break;
    case COVERAGE_FAN:
        draw_fan(canvas, &c, n);
        break;
    case COVERAGE_QUAD:
        canvas_draw_polygon(canvas, &c, n, flat_corner(canvas, RASTER_QUADS, n));
        break;
    case COVERAGE_POLYGON:
        canvas_draw_polygon(canvas, &c, n, flat_corner(canvas, RASTER_POLYGON, n));
        break;
    default: /* a triangle is a strip of one */
        draw_strip(canvas, &c, n);
        break;
    }
}

size_t coverage_place(const struct coverage_canvas *canvas, unsigned sample, unsigned x, unsigned y)
{
    const struct raster_surface *flags = &canvas->targets.color[0];

    if (canvas->settings->samples == 1)
        return (size_t)y * canvas->settings->width + x;
    return (size_t)(raster_sample_texel(flags, sample, x, y) - flags->pixels) / sizeof(*canvas->flags);
}

uint32_t coverage_samples(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    uint32_t mask = 0;

    for (unsigned s = 0; s < canvas->settings->samples; s++)
        mask |= (canvas->flags[coverage_place(canvas, s, x, y)] >> 16 & 1) << s;
    return mask;
}

bool coverage_inner(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    uint32_t inner = 0;

    for (unsigned s = 0; s < canvas->settings->samples; s++)
        inner |= canvas->flags[coverage_place(canvas, s, x, y)] >> 8 & 1;
    return inner;
}

unsigned coverage_first_sample(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    return (unsigned)__builtin_ctz(coverage_samples(canvas, x, y));
}
