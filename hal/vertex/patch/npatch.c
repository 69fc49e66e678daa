/* SPDX-License-Identifier: MIT */
/*
 * N-patches: the triangles of an ordinary draw, curved by the normals at their corners (Vlachos,
 * Peters, Boyd, Mitchell: Curved PN Triangles, 2001). Positions are a cubic triangle, or linear
 * (D3DRS_POSITIONORDER); normals linear or quadratic (D3DRS_NORMALORDER), of unit length; all else
 * is linear. An edge depends on its two corners alone, so equal corners make no crack.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/observer.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stream.h"
#include "hal/work.h"
#include "shader/shader.h"

#include <string.h>

enum { POSITION_ORDER = 172, NORMAL_ORDER = 173 }; /* render states of DirectX 8.1 */

#define CUBIC_POINTS     10
#define QUADRATIC_POINTS 6
#define PLACE_WEIGHTS    (3 + CUBIC_POINTS + QUADRATIC_POINTS)
#define BATCH_TRIANGLES  (HAL_BATCH / 3)

struct npatch {
    struct patch_format format;
    const struct shader_program *program;
    bool cubic, quadratic;
    unsigned position, normal;  /* words of the format */
    unsigned places, triangles; /* of one patch */
    const struct patch_place *place;
    const double *weights; /* of each place: linear, cubic, quadratic */
};

bool hal_npatch_applies(const struct hal_state *state, const struct hal_draw *draw)
{
    return hal_render_state_float(state, D3DRS_PATCHSEGMENTS) > 1.0f && !draw->tessellated &&
           draw->type >= D3DPT_TRIANGLELIST && !draw->layout->transformed &&
           hal_element_components(draw->layout->component[HAL_POSITION].type) >= 3 &&
           hal_element_components(draw->layout->component[HAL_NORMAL].type) >= 3;
}

/* --- control points ----------------------------------------------------------------- */

struct corner {
    double position[3], normal[3]; /* normal: unit length, or zero */
};

static double npatch_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void npatch_normalize(double v[3])
{
    const double square = npatch_dot(v, v);
    const double length = __builtin_sqrt(square);

    for (unsigned c = 0; c < 3 && square > 0; c++)
        v[c] /= length;
}

/* The point next to a on the edge to b: one third of the way, moved into the plane at a. */
static void edge_point(double out[3], const struct corner *a, const struct corner *b)
{
    double along[3];

    for (unsigned c = 0; c < 3; c++)
        along[c] = b->position[c] - a->position[c];
    const double w = npatch_dot(along, a->normal);

    for (unsigned c = 0; c < 3; c++)
        out[c] = (2 * a->position[c] + b->position[c] - w * a->normal[c]) / 3;
}

/* Points of the cubic row by row from corner 0; corner 1 is to the right, corner 2 to the left. */
static void cubic_points(double p[CUBIC_POINTS][3], const struct corner corner[3])
{
    const struct corner *top = &corner[0], *right = &corner[1], *left = &corner[2];

    memcpy(p[0], top->position, sizeof(p[0]));
    edge_point(p[1], top, left);
    edge_point(p[2], top, right);
    edge_point(p[3], left, top);
    edge_point(p[5], right, top);
    memcpy(p[6], left->position, sizeof(p[6]));
    edge_point(p[7], left, right);
    edge_point(p[8], right, left);
    memcpy(p[9], right->position, sizeof(p[9]));
    for (unsigned c = 0; c < 3; c++) {
        const double edges = (p[1][c] + p[2][c] + p[3][c] + p[5][c] + p[7][c] + p[8][c]) / 6;
        const double corners = (p[0][c] + p[6][c] + p[9][c]) / 3;

        p[4][c] = edges + (edges - corners) / 2;
    }
}

/* The normal in the middle of an edge: the mean, mirrored at the plane across the edge. */
static void middle_normal(double out[3], const struct corner *a, const struct corner *b)
{
    double along[3], sum[3];

    for (unsigned c = 0; c < 3; c++) {
        along[c] = b->position[c] - a->position[c];
        sum[c] = a->normal[c] + b->normal[c];
    }
    const double square = npatch_dot(along, along);
    const double v = square > 0 ? 2 * npatch_dot(along, sum) / square : 0;

    for (unsigned c = 0; c < 3; c++)
        out[c] = sum[c] - v * along[c];
    npatch_normalize(out);
}

static void quadratic_points(double n[QUADRATIC_POINTS][3], const struct corner corner[3])
{
    memcpy(n[0], corner[0].normal, sizeof(n[0]));
    middle_normal(n[1], &corner[0], &corner[2]);
    middle_normal(n[2], &corner[0], &corner[1]);
    memcpy(n[3], corner[2].normal, sizeof(n[3]));
    middle_normal(n[4], &corner[2], &corner[1]);
    memcpy(n[5], corner[1].normal, sizeof(n[5]));
}

/* --- vertices ----------------------------------------------------------------------- */

static void sum_points(double out[3], const double *weights, double (*points)[3], unsigned count, bool edge)
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = patch_sum(weights, &points[0][c], 3, count, edge);
}

static void npatch_make_vertex(const struct npatch *n, double (*cubic)[3], double (*normals)[3],
                               const float *const corner[3], unsigned place, float *vertex)
{
    const double *weights = n->weights + (size_t)place * PLACE_WEIGHTS;
    const bool edge = n->place[place].edge;
    double v[3];

    for (unsigned word = 0; word < n->format.floats; word++) {
        vertex[word] =
            (float)(weights[0] * corner[0][word] + weights[1] * corner[1][word] + weights[2] * corner[2][word]);
    }
    if (n->format.has_index)
        memcpy(&vertex[n->format.floats], &corner[0][n->format.floats], 4);
    if (n->cubic) {
        sum_points(v, weights + 3, cubic, CUBIC_POINTS, edge);
        for (unsigned c = 0; c < 3; c++)
            vertex[n->position + c] = (float)v[c];
    }
    if (n->quadratic) {
        sum_points(v, weights + 3 + CUBIC_POINTS, normals, QUADRATIC_POINTS, edge);
    } else {
        /* top, right, left: in the order of the corners */
        sum_points(v, weights, normals, 3, edge);
    }
    npatch_normalize(v);
    for (unsigned c = 0; c < 3; c++)
        vertex[n->normal + c] = (float)v[c];
}

static void make_patch(const struct npatch *n, const float *const given[3], float *vertices)
{
    double cubic[CUBIC_POINTS][3], normals[QUADRATIC_POINTS][3];
    struct corner corner[3];

    for (unsigned i = 0; i < 3; i++) {
        for (unsigned c = 0; c < 3; c++) {
            corner[i].position[c] = given[i][n->position + c];
            corner[i].normal[c] = given[i][n->normal + c];
        }
        npatch_normalize(corner[i].normal);
        memcpy(normals[i], corner[i].normal, sizeof(normals[i]));
    }
    cubic_points(cubic, corner);
    if (n->quadratic)
        quadratic_points(normals, corner);
    for (unsigned i = 0; i < n->places; i++)
        npatch_make_vertex(n, cubic, normals, given, i, vertices + (size_t)i * n->format.words);
}

/* --- draws -------------------------------------------------------------------------- */

static float segments_for(const struct hal_state *state, uint32_t triangles)
{
    const float wanted = hal_render_state_float(state, D3DRS_PATCHSEGMENTS);
    float segments = BASE_MIN(wanted, (float)NPATCH_MAX_SEGMENTS);

    while (segments > 1 && (double)segments * segments * triangles > NPATCH_MAX_TRIANGLES)
        segments -= 1;
    if (segments < wanted) {
        log_once(LOG_WARN, 0, "N-patches of %u triangles: %g segments instead of %g", (unsigned)triangles,
                 (double)segments, (double)wanted);
    }
    return segments;
}

/* The places of one patch, their weights, and the triangles of BATCH_TRIANGLES patches. */
static bool npatch_prepare(struct hal_renderer *renderer, struct npatch *n, const struct hal_layout *layout,
                           uint32_t triangles)
{
    struct hal_patches *patches = hal_patches_get(renderer->resources);
    const float s = segments_for(renderer->state, triangles), segments[3] = {s, s, s};

    if (!patches ||
        !patch_mesh_triangle(&patches->mesh, segments, renderer->state->render_state[D3DRS_PATCHEDGESTYLE] == 1))
        return false;
    patch_format_derive(&n->format, layout);
    n->cubic = renderer->state->render_state[POSITION_ORDER] != D3DORDER_LINEAR;
    n->quadratic = renderer->state->render_state[NORMAL_ORDER] == 2;
    n->position = n->format.part[HAL_POSITION].at;
    n->normal = n->format.part[HAL_NORMAL].at;
    n->places = patches->mesh.place_count;
    n->triangles = patches->mesh.triangle_count;
    n->place = patches->mesh.places;
    return true;
}

static bool prepare_weights(struct hal_patches *patches, struct npatch *n)
{
    static const uint8_t middle[] = {1, 2, 4}; /* points on edges of a quadratic triangle */
    double *w;

    if (!patch_reserve(&patches->weights, n->places * PLACE_WEIGHTS * sizeof(double)))
        return false;
    n->weights = w = patches->weights.memory;
    for (unsigned i = 0; i < n->places; i++, w += PLACE_WEIGHTS) {
        memcpy(w, n->place[i].at, 3 * sizeof(*w));
        patch_triangle_weights(w + 3, 3, n->place[i].at);
        patch_triangle_weights(w + 3 + CUBIC_POINTS, 2, n->place[i].at);
        /* the paper's normals have no binomial factors */
        for (unsigned k = 0; k < ARRAY_COUNT(middle); k++)
            w[3 + CUBIC_POINTS + middle[k]] /= 2;
    }
    return true;
}

/* Writes the indices of a batch: each of its patches has the same triangles. */
static bool prepare_indices(struct hal_patches *patches, const struct npatch *n)
{
    const size_t per_patch = 3 * (size_t)n->triangles;
    uint32_t *out;

    if (!patch_reserve(&patches->indices, BATCH_TRIANGLES * per_patch * sizeof(*out)) ||
        !patch_reserve(&patches->points, HAL_BATCH * n->format.control_words * sizeof(float)) ||
        !patch_reserve(&patches->vertices, (size_t)BATCH_TRIANGLES * n->places * n->format.words * sizeof(float)))
        return false;
    out = patches->indices.memory;
    for (unsigned i = 0; i < BATCH_TRIANGLES; i++)
        for (size_t k = 0; k < per_patch; k++)
            *out++ = patches->mesh.indices[k] + i * n->places;
    return true;
}

static void log_beyond(const struct hal_source *source, const struct hal_span *span)
{
    uint32_t lowest = UINT32_MAX, highest = 0;

    for (unsigned i = 0; i < span->count; i++) {
        lowest = BASE_MIN(lowest, span->number[i]);
        highest = BASE_MAX(highest, span->number[i]);
    }
    prim_log_beyond(source, lowest, highest);
}

/* Curves the `count` triangles whose corners the span names. False: the call has done enough. */
static bool draw_batch(struct hal_renderer *renderer, const struct npatch *n, const struct hal_source *source,
                       struct hal_span *span, unsigned count)
{
    struct hal_patches *patches = renderer->resources->patches;
    float *points = patches->points.memory, *vertices = patches->vertices.memory;

    if (count == 0 ||
        !hal_work_spend(&renderer->scene->work, (uint64_t)count * n->places * (n->format.words + PLACE_WEIGHTS),
                        HAL_WORK_PATCH_TERM))
        return false;
    span->count = 3 * count;
    span->padded = (span->count + 3) & ~3u;
    for (unsigned i = span->count; i < span->padded; i++)
        span->number[i] = span->number[0];
    hal_span_check(span, source);
    log_beyond(source, span);
    patch_fetch(&n->format, source, span, points);
    for (unsigned i = 0; i < count; i++) {
        const float *const corner[3] = {points + (3 * i) * n->format.control_words,
                                        points + (3 * i + 1) * n->format.control_words,
                                        points + (3 * i + 2) * n->format.control_words};

        make_patch(n, corner, vertices + (size_t)i * n->places * n->format.words);
    }
    hal_patches_draw(renderer, &n->format, n->program, count * n->places, patches->indices.memory,
                     count * n->triangles);
    return true;
}

void hal_npatch_draw(struct hal_renderer *renderer, const struct hal_draw *draw, const struct hal_source *source,
                     uint32_t triangles)
{
    const struct hal_observer *observer = renderer->scene->driver->observer;
    struct hal_span span;
    struct npatch n = {.program = draw->program};
    unsigned count = 0;

    span.split = 0;
    if (!npatch_prepare(renderer, &n, draw->layout, triangles) || !prepare_weights(renderer->resources->patches, &n) ||
        !prepare_indices(renderer->resources->patches, &n)) {
        hal_work_lacks_memory(&renderer->scene->work, "N-patches");
        return;
    }
    if (observer && observer->tessellates)
        observer->tessellates(observer->user, renderer->owner, draw, 0);
    for (uint32_t i = 0; i < triangles; i++) {
        hal_triangle_corners(draw, source, i, &span.number[3 * count]);
        if (++count == BATCH_TRIANGLES) {
            if (!draw_batch(renderer, &n, source, &span, count))
                return;
            count = 0;
        }
    }
    draw_batch(renderer, &n, source, &span, count);
}
