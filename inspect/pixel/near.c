/* SPDX-License-Identifier: MIT */
/*
 * Finds primitives near a pixel. Excludes those that cannot cover it, and gives reasons for those that do not; only the
 * rasterizer decides whether a primitive covers a pixel.
 */
#include "inspect/pixel/near.h"

#include "base/base.h"

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
static float margin_of(const struct hal_inspect_primitive *primitive, const struct hal_inspect_pixels *state)
{
    const float line = 2.0f + state->line_width;

    if (primitive->corners == 1)
        return 3.0f + primitive->corner[0].point_size;
    return primitive->corners == 2 || !state->is_solid ? line + 2.0f : 3.0f + state->dilate;
}

/* Are the positions of all corners finite numbers? Otherwise the primitive is dropped. */
static bool inspect_has_numbers(const struct hal_inspect_primitive *primitive)
{
    for (unsigned c = 0; c < primitive->corners; c++)
        for (unsigned i = 0; i < 4; i++)
            if (primitive->corner[c].outcode & HAL_OUT_BAD && !isfinite(primitive->corner[c].clip[i]))
                return false;
    return true;
}

bool inspect_may_cover(const struct hal_inspect_primitive *primitive, const struct hal_inspect_pixels *state,
                       unsigned x, unsigned y)
{
    const float margin = margin_of(primitive, state);
    const uint32_t any = primitive->any;
    float left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;

    if (!inspect_has_numbers(primitive) ||
        (primitive->corners == 3 && primitive->all & primitive->reject && !(any & (HAL_OUT_W | HAL_OUT_BAD))))
        return false;
    if (any & (HAL_OUT_W | HAL_OUT_BAD))
        return true;
    for (unsigned c = 0; c < primitive->corners; c++) {
        const float *at = primitive->corner[c].window;

        left = BASE_MIN(left, at[0]);
        right = BASE_MAX(right, at[0]);
        top = BASE_MIN(top, at[1]);
        bottom = BASE_MAX(bottom, at[1]);
    }
    return (float)x >= left - margin && (float)x <= right + margin && (float)y >= top - margin &&
           (float)y <= bottom + margin;
}

/* --- what becomes of it -------------------------------------------------------------------------- */

/* Are all corners, seen from the eye, on a line or at a point? For vertices that have no window position. */
static bool is_flat_to_the_eye(const struct hal_inspect_primitive *primitive)
{
    double at[3][3];

    for (unsigned c = 0; c < 3; c++) {
        const float *position = primitive->corner[c].clip;

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

static bool has_area(const struct hal_inspect_primitive *primitive)
{
    if (primitive->corners == 3 && primitive->any & (HAL_OUT_CLIP | HAL_OUT_BAD))
        return !is_flat_to_the_eye(primitive);
    return primitive->has_area;
}

/* Do all corners lie in the eye's plane or behind it because they are one point, as a matrix of zeros makes them? */
static bool is_flat_behind_the_eye(const struct hal_inspect_primitive *primitive, uint32_t all)
{
    return primitive->corners == 3 && all == HAL_OUT_W && is_flat_to_the_eye(primitive);
}

enum inspect_verdict inspect_fate(const struct hal_inspect_primitive *primitive, unsigned *planes)
{
    const uint32_t any = primitive->any;
    const uint32_t all =
        primitive->all & (primitive->corners == 3 ? primitive->reject : HAL_OUT_REJECT & ~(uint32_t)HAL_OUT_VIEW);

    *planes = 0;
    if (!inspect_has_numbers(primitive))
        return INSPECT_MISSING;
    if (all && !is_flat_behind_the_eye(primitive, all)) {
        *planes = all;
        return INSPECT_OUTSIDE;
    }
    if (!has_area(primitive))
        return INSPECT_NO_AREA;
    if (any & (HAL_OUT_CLIP | HAL_OUT_BAD)) {
        *planes = any & HAL_OUT_CLIP;
        return INSPECT_CLIPPED;
    }
    return primitive->is_culled ? INSPECT_CULLED : INSPECT_WRITTEN;
}

/* Is part of a corner's data missing? */
static bool inspect_primitive_lacks_data(const struct hal_inspect_draw *draw,
                                         const struct hal_inspect_primitive *primitive)
{
    for (unsigned c = 0; c < primitive->corners; c++)
        if (inspect_corner_lacks_data(draw, primitive->number, c))
            return true;
    return false;
}

/* --- distances ----------------------------------------------------------------------------------- */

static double to_segment(const float *a, const float *b, double x, double y)
{
    const double dx = (double)b[0] - (double)a[0], dy = (double)b[1] - (double)a[1], length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - (double)a[0]) * dx + (y - (double)a[1]) * dy) / length : 0;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot((double)a[0] + t * dx - x, (double)a[1] + t * dy - y);
}

/* 0: the pixel's centre is inside. */
static double distance_of(const struct hal_inspect_primitive *primitive, double x, double y)
{
    double least = INFINITY;
    unsigned left = 0, right = 0;

    for (unsigned c = 0; c < primitive->corners; c++) {
        const float *a = primitive->corner[c].window, *b = primitive->corner[(c + 1) % primitive->corners].window;
        const double turn =
            ((double)b[0] - (double)a[0]) * (y - (double)a[1]) - ((double)b[1] - (double)a[1]) * (x - (double)a[0]);
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
static unsigned planes_at(const struct hal_inspect_primitive *primitive, double x, double y)
{
    const double nx = (x - (double)primitive->view.x) / (double)primitive->view.half_width - 1;
    const double ny = 1 - (y - (double)primitive->view.y) / (double)primitive->view.half_height;
    double weight[3], z = 0, w = 0, sum;
    unsigned planes = 0;

    if (primitive->corners != 3 || primitive->view.transformed)
        return 0;
    for (unsigned c = 0; c < 3; c++) {
        const float *a = primitive->corner[(c + 1) % 3].clip, *b = primitive->corner[(c + 2) % 3].clip;
        const double ax = (double)a[0] - nx * (double)a[3], ay = (double)a[1] - ny * (double)a[3];
        const double bx = (double)b[0] - nx * (double)b[3], by = (double)b[1] - ny * (double)b[3];

        weight[c] = ax * by - ay * bx;
    }
    sum = weight[0] + weight[1] + weight[2];
    for (unsigned c = 0; c < 3; c++) {
        weight[c] /= sum;
        if (!(weight[c] >= -1e-9))
            return 0;
        z += weight[c] * (double)primitive->corner[c].clip[2];
        w += weight[c] * (double)primitive->corner[c].clip[3];
    }
    planes |= w <= 0 ? HAL_OUT_W : 0;
    planes |= z < 0 && !primitive->view.near_open ? HAL_OUT_NEAR : 0;
    planes |= z > w && !primitive->view.far_open ? HAL_OUT_FAR : 0;
    for (unsigned plane = 0; plane < HAL_INSPECT_PLANES; plane++) {
        double distance = 0;

        if (!(primitive->view.user_planes >> plane & 1))
            continue;
        for (unsigned c = 0; c < 3; c++)
            distance += weight[c] * (double)primitive->corner[c].plane[plane];
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

void inspect_note_nearest(struct inspect_nearest *nearest, const struct hal_inspect_primitive *primitive,
                          uint32_t first, const struct hal_inspect_pixels *state, unsigned x, unsigned y,
                          bool in_viewport, const struct hal_inspect_draw *lacking)
{
    struct inspect_nearest here = {.found = true, .primitive = first + primitive->number, .distance = INFINITY};
    const double offset = state->half_pixel_center ? 0.5 : 0.0;
    const double at_x = (double)x + offset, at_y = (double)y + offset;
    const uint32_t any = primitive->any, all = primitive->all;

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
        if (!has_area(primitive))
            here.verdict = INSPECT_NO_AREA;
        else if (!in_viewport && here.distance == 0.0)
            here.verdict = INSPECT_OFF_VIEWPORT;
    }
    /* With the missing data it could be anywhere. */
    if ((here.verdict == INSPECT_NO_AREA || here.verdict == INSPECT_UNCOVERED || here.verdict == INSPECT_OUTSIDE) &&
        lacking && inspect_primitive_lacks_data(lacking, primitive)) {
        here.verdict = INSPECT_NO_DATA;
        here.planes = 0;
    }
    if (rank_of(&here) > rank_of(nearest) || (rank_of(&here) == rank_of(nearest) && here.distance < nearest->distance))
        *nearest = here;
}
