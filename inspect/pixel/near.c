/* SPDX-License-Identifier: MIT */
/*
 * Finds primitives near a pixel. Excludes those that cannot cover it, and gives reasons for those that do not; only the
 * rasterizer decides whether a primitive covers a pixel.
 */
#include "inspect/pixel/near.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/vertex.h"
#include "raster/frontend.h"

#include <math.h>
#include <string.h>

const char *inspect_plane_name(unsigned bit)
{
    static const char *const names[INSPECT_PLANE_BITS] = {
        "left",   "right",  "bottom", "top",    "eye",    "near",   "far", NULL,
        "user 0", "user 1", "user 2", "user 3", "user 4", "user 5", NULL,  NULL,
    };

    return bit < INSPECT_PLANE_BITS ? names[bit] : NULL;
}

/* Around the box: rounding, samples, conservative coverage; and the width of lines and points. */
static float margin_of(const struct hal_observed_primitive *primitive, const struct raster_draw_state *state)
{
    const float line = 2.0f + state->rasterizer.line_width;

    if (primitive->corners == 1)
        return 3.0f + primitive->vertex[0]->point_size;
    return primitive->corners == 2 || state->rasterizer.fill_front != RASTER_FILL_SOLID ||
                   state->rasterizer.fill_back != RASTER_FILL_SOLID
               ? line + 2.0f
               : 3.0f + state->rasterizer.conservative_raster_dilate;
}

static uint32_t outcodes(const struct hal_observed_primitive *primitive, uint32_t *all)
{
    uint32_t any = 0;

    *all = UINT32_MAX;
    for (unsigned c = 0; c < primitive->corners; c++) {
        any |= primitive->vertex[c]->outcode;
        *all &= primitive->vertex[c]->outcode;
    }
    return any;
}

bool inspect_has_numbers(const struct hal_observed_primitive *primitive)
{
    for (unsigned c = 0; c < primitive->corners; c++)
        for (unsigned i = 0; i < 4; i++)
            if (primitive->vertex[c]->outcode & HAL_OUT_BAD && !isfinite(primitive->vertex[c]->position[i]))
                return false;
    return true;
}

bool inspect_may_cover(const struct hal_observed_primitive *primitive, const struct raster_draw_state *state,
                       unsigned x, unsigned y)
{
    const float margin = margin_of(primitive, state);
    uint32_t all;
    const uint32_t any = outcodes(primitive, &all);
    float left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;

    if (!inspect_has_numbers(primitive) ||
        (primitive->corners == 3 && all & primitive->reject && !(any & (HAL_OUT_W | HAL_OUT_BAD))))
        return false;
    if (any & (HAL_OUT_W | HAL_OUT_BAD))
        return true;
    for (unsigned c = 0; c < primitive->corners; c++) {
        const struct raster_vertex *p = primitive->position[c];

        left = BASE_MIN(left, p->x);
        right = BASE_MAX(right, p->x);
        top = BASE_MIN(top, p->y);
        bottom = BASE_MAX(bottom, p->y);
    }
    return (float)x >= left - margin && (float)x <= right + margin && (float)y >= top - margin &&
           (float)y <= bottom + margin;
}

/* --- what becomes of it -------------------------------------------------------------------------- */

/* Are all corners, seen from the eye, on a line or at a point? For vertices that have no window position. */
static bool is_flat_to_the_eye(const struct hal_observed_primitive *primitive)
{
    double at[3][3];

    for (unsigned c = 0; c < 3; c++) {
        const float *position = primitive->vertex[c]->position;

        at[c][0] = (double)position[0];
        at[c][1] = (double)position[1];
        at[c][2] = (double)position[3];
        for (unsigned before = 0; before < c; before++)
            if (!memcmp(at[before], at[c], sizeof(at[c])))
                return true;
    }
    return at[0][0] * (at[1][1] * at[2][2] - at[1][2] * at[2][1]) -
               at[0][1] * (at[1][0] * at[2][2] - at[1][2] * at[2][0]) +
               at[0][2] * (at[1][0] * at[2][1] - at[1][1] * at[2][0]) ==
           0;
}

static bool has_area(const struct hal_observed_primitive *primitive, uint32_t any)
{
    const struct raster *raster = primitive->context->raster;

    if (primitive->corners != 3)
        return true;
    if (any & (HAL_OUT_CLIP | HAL_OUT_BAD))
        return !is_flat_to_the_eye(primitive);
    return raster_has_area(raster, primitive->position[0], primitive->position[1], primitive->position[2]);
}

/* Do all corners lie in the eye's plane or behind it because they are one point, as a matrix of zeros makes them? */
static bool is_flat_behind_the_eye(const struct hal_observed_primitive *primitive, uint32_t all)
{
    return primitive->corners == 3 && all == HAL_OUT_W && is_flat_to_the_eye(primitive);
}

static bool is_culled(const struct hal_observed_primitive *primitive)
{
    const struct raster *raster = primitive->context->raster;
    const uint8_t cull = raster->state.rasterizer.cull_mode;

    if (primitive->corners != 3 || cull == RASTER_CULL_NONE)
        return false;
    return (raster_front_facing(raster, primitive->position[0], primitive->position[1], primitive->position[2])
                ? RASTER_CULL_FRONT
                : RASTER_CULL_BACK) &
           cull;
}

enum inspect_verdict inspect_fate(const struct hal_observed_primitive *primitive, unsigned *planes)
{
    uint32_t all;
    const uint32_t any = outcodes(primitive, &all);

    all &= primitive->corners == 3 ? primitive->reject : HAL_OUT_REJECT & ~(uint32_t)HAL_OUT_VIEW;
    *planes = 0;
    if (!inspect_has_numbers(primitive))
        return INSPECT_MISSING;
    if (all && !is_flat_behind_the_eye(primitive, all)) {
        *planes = all;
        return INSPECT_OUTSIDE;
    }
    if (!has_area(primitive, any))
        return INSPECT_NO_AREA;
    if (any & (HAL_OUT_CLIP | HAL_OUT_BAD)) {
        *planes = any & HAL_OUT_CLIP;
        return INSPECT_CLIPPED;
    }
    return is_culled(primitive) ? INSPECT_CULLED : INSPECT_WRITTEN;
}

bool inspect_primitive_lacks_data(const struct hal_observed_primitive *primitive)
{
    for (unsigned c = 0; c < primitive->corners; c++)
        if (inspect_corner_lacks_data(primitive, c))
            return true;
    return false;
}

/* --- distances ----------------------------------------------------------------------------------- */

static double to_segment(const struct raster_vertex *a, const struct raster_vertex *b, double x, double y)
{
    const double dx = (double)b->x - (double)a->x, dy = (double)b->y - (double)a->y, length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - (double)a->x) * dx + (y - (double)a->y) * dy) / length : 0;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot((double)a->x + t * dx - x, (double)a->y + t * dy - y);
}

/* 0: the pixel's centre is inside. */
static double distance_of(const struct hal_observed_primitive *primitive, double x, double y)
{
    const struct raster_vertex *const *p = primitive->position;
    double least = INFINITY;
    unsigned left = 0, right = 0;

    for (unsigned c = 0; c < primitive->corners; c++) {
        const struct raster_vertex *a = p[c], *b = p[(c + 1) % primitive->corners];
        const double turn =
            ((double)b->x - (double)a->x) * (y - (double)a->y) - ((double)b->y - (double)a->y) * (x - (double)a->x);
        const double distance = to_segment(a, b, x, y);

        left += turn >= 0;
        right += turn <= 0;
        least = distance < least ? distance : least;
    }
    return primitive->corners == 3 && (left == 3) != (right == 3) ? 0.0 : least; /* (both: it has no area) */
}

/* --- clipping ------------------------------------------------------------------------------------ */

/*
 * The planes that cut off the point of a triangle which is seen at the pixel; 0: none, or the pixel is not on the triangle. In clip
 * space the pixel is a line of points (x, y, w); weights of the corners that give one of them come from a 3x3 system.
 */
static unsigned planes_at(const struct hal_observed_primitive *primitive, double x, double y)
{
    const struct hal_projection *projection = &primitive->context->front->projection;
    const double nx = (x - (double)projection->x) / (double)projection->half_width - 1;
    const double ny = 1 - (y - (double)projection->y) / (double)projection->half_height;
    double weight[3], z = 0, w = 0, sum;
    unsigned planes = 0;

    if (primitive->corners != 3 || projection->transformed)
        return 0;
    for (unsigned c = 0; c < 3; c++) {
        const float *a = primitive->vertex[(c + 1) % 3]->position, *b = primitive->vertex[(c + 2) % 3]->position;
        const double ax = (double)a[0] - nx * (double)a[3], ay = (double)a[1] - ny * (double)a[3];
        const double bx = (double)b[0] - nx * (double)b[3], by = (double)b[1] - ny * (double)b[3];

        weight[c] = ax * by - ay * bx;
    }
    sum = weight[0] + weight[1] + weight[2];
    for (unsigned c = 0; c < 3; c++) {
        weight[c] /= sum;
        if (!(weight[c] >= -1e-9))
            return 0;
        z += weight[c] * (double)primitive->vertex[c]->position[2];
        w += weight[c] * (double)primitive->vertex[c]->position[3];
    }
    planes |= w <= 0 ? HAL_OUT_W : 0;
    planes |= z < 0 && !projection->near_open ? HAL_OUT_NEAR : 0;
    planes |= z > w && !projection->far_open ? HAL_OUT_FAR : 0;
    for (unsigned plane = 0; plane < HAL_MAX_CLIP_PLANES; plane++) {
        double distance = 0;

        if (!(projection->user_planes >> plane & 1))
            continue;
        for (unsigned c = 0; c < 3; c++)
            distance += weight[c] * (double)primitive->vertex[c]->plane[plane];
        planes |= distance < 0 ? HAL_OUT_USER0 << plane : 0;
    }
    return planes;
}

/* Rank of a reason: the primitive would cover the pixel without it, without several reasons, or lies elsewhere. */
static int rank_of(const struct inspect_nearest *nearest)
{
    enum { WITHOUT_ONE = INSPECT_PLANE_BITS + 3 };

    if (!nearest->found)
        return -1;
    switch (nearest->verdict) {
    case INSPECT_OFF_VIEWPORT:
        return WITHOUT_ONE;
    case INSPECT_CLIPPED:
        return WITHOUT_ONE + 1 - __builtin_popcount(nearest->planes);
    case INSPECT_NO_DATA:
    case INSPECT_MISSING:
        return 3; /* it could be anywhere */
    case INSPECT_NO_AREA:
    case INSPECT_UNCOVERED:
        return 2;
    case INSPECT_OUTSIDE:
        return 1;
    default:
        return 0;
    }
}

void inspect_note_nearest(struct inspect_nearest *nearest, const struct hal_observed_primitive *primitive,
                          uint32_t first, const struct raster_draw_state *state, unsigned x, unsigned y,
                          bool in_viewport, bool lacks_data)
{
    struct inspect_nearest here = {.found = true, .primitive = first + primitive->number, .distance = INFINITY};
    const double offset = state->rasterizer.half_pixel_center ? 0.5 : 0.0;
    const double at_x = (double)x + offset, at_y = (double)y + offset;
    uint32_t all;
    const uint32_t any = outcodes(primitive, &all);

    if (!inspect_has_numbers(primitive)) {
        here.verdict = INSPECT_MISSING;
    } else if ((here.planes = any & (HAL_OUT_CLIP | HAL_OUT_BAD) ? planes_at(primitive, at_x, at_y) : 0)) {
        here.verdict = INSPECT_CLIPPED;
    } else if (all & primitive->reject) {
        here.verdict = is_flat_behind_the_eye(primitive, all & primitive->reject) ? INSPECT_NO_AREA : INSPECT_OUTSIDE;
        here.planes = all & primitive->reject;
    } else {
        here.verdict = INSPECT_UNCOVERED;
        if (!(any & (HAL_OUT_W | HAL_OUT_BAD)))
            here.distance = distance_of(primitive, at_x, at_y);
        if (!has_area(primitive, any))
            here.verdict = INSPECT_NO_AREA;
        else if (!in_viewport && here.distance == 0.0)
            here.verdict = INSPECT_OFF_VIEWPORT;
    }
    /* With the missing data it could be anywhere. */
    if ((here.verdict == INSPECT_NO_AREA || here.verdict == INSPECT_UNCOVERED || here.verdict == INSPECT_OUTSIDE) &&
        lacks_data && inspect_primitive_lacks_data(primitive)) {
        here.verdict = INSPECT_NO_DATA;
        here.planes = 0;
    }
    if (rank_of(&here) > rank_of(nearest) || (rank_of(&here) == rank_of(nearest) && here.distance < nearest->distance))
        *nearest = here;
}
