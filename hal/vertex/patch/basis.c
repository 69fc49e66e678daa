/* SPDX-License-Identifier: MIT */
/*
 * Basis functions, uniform ones throughout. A row of n points carries (n - 1) / d Bezier curves of
 * degree d that share end points, n - d pieces of a B-spline, n - 3 of a Catmull-Rom spline; the
 * parameter runs over all of them. Each function of t is written so that its mirror image is the
 * same function of s = 1 - t.
 */
#include "hal/vertex/patch/patch.h"

/* D3DBASISTYPE */
enum { BEZIER, BSPLINE, INTERPOLATE };

bool patch_curve_exists(uint32_t basis, uint32_t degree, uint32_t points)
{
    if ((degree != 1 && degree != 3 && degree != 5) || points <= degree)
        return false;
    switch (basis) {
    case BEZIER:
        return (points - 1) % degree == 0;
    case BSPLINE:
        return true;
    case INTERPOLATE:
        return degree == 3;
    default:
        return false;
    }
}

static void powers(double *out, unsigned count, double x)
{
    out[0] = 1;
    for (unsigned i = 1; i <= count; i++)
        out[i] = i == 1 ? x : out[i - 1] * x;
}

static double binomial(unsigned n, unsigned k)
{
    double value = 1;

    for (unsigned i = 0; i < k; i++)
        value = value * (n - i) / (i + 1);
    return value;
}

static void bernstein(double *out, unsigned degree, double t, double s)
{
    double pt[PATCH_MAX_DEGREE + 1], ps[PATCH_MAX_DEGREE + 1];

    powers(pt, degree, t);
    powers(ps, degree, s);
    for (unsigned i = 0; i <= degree; i++)
        out[i] = binomial(degree, i) * (ps[degree - i] * pt[i]);
}

static void bezier(struct patch_span *span, unsigned degree, double t, double s)
{
    double lower[PATCH_MAX_DEGREE + 1];

    bernstein(span->value, degree, t, s);
    bernstein(lower, degree - 1, t, s);
    for (unsigned i = 0; i <= degree; i++)
        span->slope[i] = (i > 0 ? lower[i - 1] : 0) - (i < degree ? lower[i] : 0);
}

/* The first half of the functions of a cubic or quintic B-spline, and their derivatives. */
static void half_bspline(double *value, double *slope, unsigned degree, double t, double s)
{
    const double t2 = t * t, t3 = t2 * t, t4 = t2 * t2, s2 = s * s;

    if (degree == 3) {
        value[0] = s2 * s / 6;
        value[1] = (4 - 6 * t2 + 3 * t3) / 6;
        slope[0] = -s2 / 2;
        slope[1] = (3 * t2 - 4 * t) / 2;
        return;
    }
    value[0] = s2 * s2 * s / 120;
    value[1] = (26 - 50 * t + 20 * t2 + 20 * t3 - 20 * t4 + 5 * (t4 * t)) / 120;
    value[2] = (66 - 60 * t2 + 30 * t4 - 10 * (t4 * t)) / 120;
    slope[0] = -s2 * s2 / 24;
    slope[1] = (-10 + 8 * t + 12 * t2 - 16 * t3 + 5 * t4) / 24;
    slope[2] = (-12 * t + 12 * t3 - 5 * t4) / 12;
}

static void half_interpolate(double *value, double *slope, double t, double s)
{
    value[0] = -t * (s * s) / 2;
    value[1] = (2 - 5 * (t * t) + 3 * (t * t * t)) / 2;
    slope[0] = (-s * s + 2 * t * s) / 2;
    slope[1] = (9 * (t * t) - 10 * t) / 2;
}

/* Mirrors the first half into the second; slopes change their sign. */
static void symmetric(struct patch_span *span, uint32_t basis, unsigned degree, double t, double s)
{
    double value[2][3], slope[2][3];

    if (basis == BSPLINE) {
        half_bspline(value[0], slope[0], degree, t, s);
        half_bspline(value[1], slope[1], degree, s, t);
    } else {
        half_interpolate(value[0], slope[0], t, s);
        half_interpolate(value[1], slope[1], s, t);
    }
    for (unsigned i = 0; 2 * i < degree; i++) {
        span->value[i] = value[0][i];
        span->slope[i] = slope[0][i];
        span->value[degree - i] = value[1][i];
        span->slope[degree - i] = -slope[1][i];
    }
}

void patch_span_at(struct patch_span *span, uint32_t basis, uint32_t degree, uint32_t points, double t, double s)
{
    const unsigned pieces = basis == BEZIER ? (points - 1) / degree : points - degree;
    const bool mirrored = t > s; /* the piece is found from the nearer end */
    const double x = (mirrored ? s : t) * pieces;
    const unsigned whole = (unsigned)x;
    const double near_end = x - whole;
    const double far_end = pieces > 1 ? 1 - near_end : mirrored ? t : s;
    const unsigned piece = mirrored ? pieces - 1 - whole : whole;
    const double local_t = mirrored ? far_end : near_end;
    const double local_s = mirrored ? near_end : far_end;

    span->first = basis == BEZIER ? piece * degree : piece;
    span->count = degree + 1;
    if (basis == BEZIER || degree == 1)
        bezier(span, degree, local_t, local_s);
    else
        symmetric(span, basis, degree, local_t, local_s);
}

/* --- triangles ---------------------------------------------------------------------- */

unsigned patch_triangle_weights(double *weights, unsigned degree, const double at[3])
{
    double top[PATCH_MAX_DEGREE + 1], right[PATCH_MAX_DEGREE + 1], left[PATCH_MAX_DEGREE + 1];
    unsigned n = 0;

    powers(top, degree, at[0]);
    powers(right, degree, at[1]);
    powers(left, degree, at[2]);
    for (unsigned row = 0; row <= degree; row++) {
        for (unsigned i = 0; i <= row; i++) {
            /* degree! / (top! left! right!) */
            const double ways = binomial(degree, row) * binomial(row, i);

            weights[n++] = ways * (top[degree - row] * left[row - i] * right[i]);
        }
    }
    return n;
}

static unsigned triangle_point(unsigned row, unsigned i)
{
    return row * (row + 1) / 2 + i;
}

unsigned patch_triangle_slopes(double *u, double *v, unsigned degree, const double at[3])
{
    const unsigned count = triangle_point(degree + 1, 0);
    double lower[PATCH_MAX_TERMS];

    patch_triangle_weights(lower, degree - 1, at);
    for (unsigned i = 0; i < count; i++)
        u[i] = v[i] = 0;
    for (unsigned row = 0; row < degree; row++) {
        for (unsigned i = 0; i <= row; i++) {
            const double weight = lower[triangle_point(row, i)];

            u[triangle_point(row + 1, i + 1)] += weight;
            u[triangle_point(row + 1, i)] -= weight;
            v[triangle_point(row + 1, i)] += weight;
            v[triangle_point(row, i)] -= weight;
        }
    }
    return count;
}
