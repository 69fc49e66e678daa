/* SPDX-License-Identifier: MIT */
/*
 * The positions of a patch's vertices, and its triangles. Each edge is divided only by its own segment count, so that a
 * neighbour with the same count gets the same points; between edges of equal counts there is a grid, between others a
 * grid and a border that joins it to the edges.
 *
 * Counts may be fractions. Discrete edges truncate the count. Continuous ones walk in whole steps
 * from both ends; the rest, in the middle, is divided in two, so that new points appear where the
 * middle is and no vertex ever jumps.
 */
#include "base/base.h"
#include "hal/vertex/patch/patch.h"

#include <stdlib.h>
#include <string.h>

/* Parameters of the points of an edge, and 1 minus them. t[i] is s[count - i], to the bit. */
struct partition {
    unsigned count; /* segments */
    double t[PATCH_MAX_SEGMENTS + 1], s[PATCH_MAX_SEGMENTS + 1];
};

static float usable(float segments)
{
    if (!(segments >= 1.0f)) /* NaN too */
        return 1.0f;
    return BASE_MIN(segments, (float)PATCH_MAX_SEGMENTS);
}

static void mesh_divide(struct partition *p, float segments, bool continuous)
{
    const double f = usable(segments);
    const unsigned steps = continuous ? (unsigned)(f / 2) : (unsigned)f;

    if (!continuous) {
        p->count = steps;
        for (unsigned i = 0; i <= steps; i++) {
            p->t[i] = (double)i / steps;
            p->s[i] = (double)(steps - i) / steps;
        }
        return;
    }
    const unsigned half = steps + (f > 2 * steps);

    p->count = 2 * half;
    p->t[half] = p->s[half] = 0.5;
    for (unsigned i = 0; i <= steps && i < half; i++) {
        p->t[i] = p->s[p->count - i] = i / f;
        p->s[i] = p->t[p->count - i] = (f - i) / f;
    }
}

static const struct partition *finer(const struct partition *a, const struct partition *b)
{
    return a->count >= b->count ? a : b;
}

/* --- building ----------------------------------------------------------------------- */

void patch_mesh_free(struct patch_mesh *mesh)
{
    free(mesh->places);
    free(mesh->indices);
    memset(mesh, 0, sizeof(*mesh));
}

/* Makes an empty mesh with room; the counts are bounded by PATCH_MAX_SEGMENTS. */
static bool mesh_begin(struct patch_mesh *mesh, size_t places, size_t triangles)
{
    mesh->place_count = mesh->triangle_count = 0;
    if (mesh->place_capacity < places) {
        free(mesh->places);
        mesh->places = malloc(places * sizeof(*mesh->places));
        mesh->place_capacity = mesh->places ? places : 0;
    }
    if (mesh->triangle_capacity < triangles) {
        free(mesh->indices);
        mesh->indices = malloc(triangles * 3 * sizeof(*mesh->indices));
        mesh->triangle_capacity = mesh->indices ? triangles : 0;
    }
    return mesh->places && mesh->indices;
}

static uint32_t mesh_put_place(struct patch_mesh *mesh, bool edge, double a, double b, double c, double d)
{
    mesh->places[mesh->place_count] = (struct patch_place){{a, b, c, d}, edge};
    return mesh->place_count++;
}

static void put_triangle(struct patch_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *out = &mesh->indices[3 * (size_t)mesh->triangle_count++];

    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* Vertices along a line, and where each lies along it. */
struct chain {
    unsigned count;
    uint32_t vertex[PATCH_MAX_SEGMENTS + 1];
    double at[PATCH_MAX_SEGMENTS + 1];
};

static void put_link(struct chain *chain, uint32_t vertex, double at)
{
    chain->vertex[chain->count] = vertex;
    chain->at[chain->count++] = at;
}

/* Triangles between two chains; `inner` is to the right of `outer`, seen along it. */
static void mesh_join(struct patch_mesh *mesh, const struct chain *outer, const struct chain *inner)
{
    unsigned o = 0, i = 0;

    while (o + 1 < outer->count || i + 1 < inner->count) {
        bool outer_first = i + 1 == inner->count;

        if (!outer_first && o + 1 < outer->count)
            outer_first = outer->at[o] + outer->at[o + 1] <= inner->at[i] + inner->at[i + 1];
        if (outer_first) {
            put_triangle(mesh, outer->vertex[o], outer->vertex[o + 1], inner->vertex[i]);
            o++;
        } else {
            put_triangle(mesh, outer->vertex[o], inner->vertex[i + 1], inner->vertex[i]);
            i++;
        }
    }
}

/* --- rectangles --------------------------------------------------------------------- */

enum { TOP, RIGHT, BOTTOM, LEFT };

struct rectangle {
    struct patch_mesh *mesh;
    struct partition edge[4]; /* top and bottom along u, left and right along v */
    const struct partition *u, *v;
};

static uint32_t rectangle_place(const struct rectangle *r, unsigned column, unsigned row)
{
    const struct partition *u = r->u, *v = r->v;
    const bool on_u = row == 0 || row == v->count, on_v = column == 0 || column == u->count;

    if (on_u)
        u = &r->edge[row == 0 ? TOP : BOTTOM];
    else if (on_v)
        v = &r->edge[column == 0 ? LEFT : RIGHT];
    return mesh_put_place(r->mesh, on_u || on_v, u->t[column], u->s[column], v->t[row], v->s[row]);
}

static void quads(struct patch_mesh *mesh, uint32_t first, unsigned columns, unsigned rows)
{
    for (unsigned y = 0; y < rows; y++) {
        for (unsigned x = 0; x < columns; x++) {
            const uint32_t a = first + y * (columns + 1) + x, b = a + columns + 1;

            put_triangle(mesh, a, a + 1, b + 1);
            put_triangle(mesh, a, b + 1, b);
        }
    }
}

/* The four edges as chains, clockwise. */
static void rectangle_border(const struct rectangle *r, struct chain chain[4])
{
    uint32_t corner[4];

    for (unsigned i = 0; i < 4; i++) {
        const double u = i == 1 || i == 2, v = i >= 2;

        corner[i] = mesh_put_place(r->mesh, true, u, 1 - u, v, 1 - v);
        chain[i].count = 0;
    }
    for (unsigned e = 0; e < 4; e++) {
        const struct partition *p = &r->edge[e];
        const bool backwards = e == BOTTOM || e == LEFT;

        put_link(&chain[e], corner[e], 0);
        for (unsigned i = 1; i < p->count; i++) {
            const unsigned k = backwards ? p->count - i : i;
            const double t = p->t[k], s = p->s[k];
            const uint32_t vertex = e == TOP     ? mesh_put_place(r->mesh, true, t, s, 0, 1)
                                    : e == RIGHT ? mesh_put_place(r->mesh, true, 1, 0, t, s)
                                    : e == LEFT  ? mesh_put_place(r->mesh, true, 0, 1, t, s)
                                                 : mesh_put_place(r->mesh, true, t, s, 1, 0);

            put_link(&chain[e], vertex, backwards ? s : t);
        }
        put_link(&chain[e], corner[(e + 1) & 3], 1);
    }
}

/* Reverses a chain. */
static void reverse(struct chain *chain)
{
    const struct chain old = *chain;

    for (unsigned i = 0; i < old.count; i++) {
        chain->vertex[i] = old.vertex[old.count - 1 - i];
        chain->at[i] = 1 - old.at[old.count - 1 - i];
    }
}

/* Side e of the inner grid of columns x rows vertices, clockwise. */
static void inner_side(const struct rectangle *r, uint32_t first, unsigned e, struct chain *chain)
{
    const unsigned columns = r->u->count - 1, rows = r->v->count - 1;
    const unsigned count = e == TOP || e == BOTTOM ? columns : rows;

    chain->count = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned x = e == TOP ? i : e == RIGHT ? columns - 1 : e == BOTTOM ? columns - 1 - i : 0;
        const unsigned y = e == TOP ? 0 : e == RIGHT ? i : e == BOTTOM ? rows - 1 : rows - 1 - i;
        const struct partition *p = e == TOP || e == BOTTOM ? r->u : r->v;

        put_link(chain, first + y * columns + x, p->t[i + 1]);
    }
}

static void uneven_rectangle(const struct rectangle *r)
{
    const unsigned columns = r->u->count, rows = r->v->count;
    struct chain border[4], inner;

    rectangle_border(r, border);
    if (columns == 1 || rows == 1) {
        const unsigned along = rows == 1 ? TOP : RIGHT;

        reverse(&border[along + 2]);
        mesh_join(r->mesh, &border[along], &border[along + 2]);
        return;
    }
    const uint32_t first = r->mesh->place_count;

    for (unsigned y = 1; y < rows; y++)
        for (unsigned x = 1; x < columns; x++)
            rectangle_place(r, x, y);
    quads(r->mesh, first, columns - 2, rows - 2);
    for (unsigned e = 0; e < 4; e++) {
        inner_side(r, first, e, &inner);
        mesh_join(r->mesh, &border[e], &inner);
    }
}

bool patch_mesh_rectangle(struct patch_mesh *mesh, const float segments[4], bool continuous)
{
    struct rectangle r = {.mesh = mesh};

    for (unsigned i = 0; i < 4; i++)
        mesh_divide(&r.edge[i], segments[i], continuous);
    r.u = finer(&r.edge[TOP], &r.edge[BOTTOM]);
    r.v = finer(&r.edge[LEFT], &r.edge[RIGHT]);
    const size_t columns = r.u->count, rows = r.v->count;

    /* A border that is joined has at most the triangles of the even grid. */
    if (!mesh_begin(mesh, (columns + 1) * (rows + 1), 2 * columns * rows))
        return false;
    if (r.edge[TOP].count != r.edge[BOTTOM].count || r.edge[LEFT].count != r.edge[RIGHT].count) {
        uneven_rectangle(&r);
        return true;
    }
    for (unsigned y = 0; y <= rows; y++)
        for (unsigned x = 0; x <= columns; x++)
            rectangle_place(&r, x, y);
    quads(mesh, 0, (unsigned)columns, (unsigned)rows);
    return true;
}

/* --- triangles ---------------------------------------------------------------------- */

/* Corners: top, right, left; edge e goes from corner e to the next. */
struct triangle {
    struct patch_mesh *mesh;
    struct partition edge[3];
    const struct partition *finest;
};

static uint32_t triangle_border_place(const struct triangle *t, unsigned e, unsigned i)
{
    double at[4] = {0};

    at[e] = t->edge[e].s[i];
    at[(e + 1) % 3] = t->edge[e].t[i];
    return mesh_put_place(t->mesh, true, at[0], at[1], at[2], 0);
}

/* Row and place in the row, of a grid with n rows of triangles. */
static uint32_t triangle_place(const struct triangle *t, unsigned row, unsigned i)
{
    const unsigned n = t->finest->count;
    const double *p = t->finest->t;

    if (i == row && row < n)
        return triangle_border_place(t, 0, row);
    if (row == n && i > 0)
        return triangle_border_place(t, 1, n - i);
    if (i == 0)
        return triangle_border_place(t, 2, n - row);
    const double sum = p[n - row] + p[i] + p[row - i];

    return mesh_put_place(t->mesh, false, p[n - row] / sum, p[i] / sum, p[row - i] / sum, 0);
}

/* Triangles of a triangular grid with `rows` rows of them. */
static void triangle_rows(struct patch_mesh *mesh, uint32_t first, unsigned rows)
{
    uint32_t upper = first;

    for (unsigned row = 0; row < rows; row++) {
        const uint32_t lower = upper + row + 1;

        for (unsigned i = 0; i <= row; i++) {
            put_triangle(mesh, upper + i, lower + i + 1, lower + i);
            if (i < row)
                put_triangle(mesh, upper + i, upper + i + 1, lower + i + 1);
        }
        upper = lower;
    }
}

static void triangle_border(const struct triangle *t, struct chain chain[3])
{
    uint32_t corner[3];

    for (unsigned e = 0; e < 3; e++) {
        corner[e] = triangle_border_place(t, e, 0);
        chain[e].count = 0;
    }
    for (unsigned e = 0; e < 3; e++) {
        put_link(&chain[e], corner[e], 0);
        for (unsigned i = 1; i < t->edge[e].count; i++)
            put_link(&chain[e], triangle_border_place(t, e, i), t->edge[e].t[i]);
        put_link(&chain[e], corner[(e + 1) % 3], 1);
    }
}

/* Side e of the inner grid with `side` segments on each side, clockwise. */
static void inner_edge(const struct triangle *t, uint32_t first, unsigned side, unsigned e, struct chain *chain)
{
    chain->count = 0;
    for (unsigned i = 0; i <= side; i++) {
        const unsigned row = e == 0 ? i : e == 1 ? side : side - i;
        const unsigned place = e == 0 ? i : e == 1 ? side - i : 0;
        const uint32_t vertex = first + row * (row + 1) / 2 + place;
        const double *at = t->mesh->places[vertex].at;

        put_link(chain, vertex, (1 + at[(e + 1) % 3] - at[e]) / 2);
    }
}

static void uneven_triangle(const struct triangle *t)
{
    const unsigned n = t->finest->count;
    const unsigned side = n < 3 ? 0 : n - 3;
    struct chain border[3], inner;

    triangle_border(t, border);
    const uint32_t first = t->mesh->place_count;

    if (n < 3)
        mesh_put_place(t->mesh, false, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0);
    for (unsigned row = 2; row < n; row++)
        for (unsigned i = 1; i < row; i++)
            triangle_place(t, row, i);
    triangle_rows(t->mesh, first, side);
    for (unsigned e = 0; e < 3; e++) {
        inner_edge(t, first, side, e, &inner);
        mesh_join(t->mesh, &border[e], &inner);
    }
}

bool patch_mesh_triangle(struct patch_mesh *mesh, const float segments[3], bool continuous)
{
    struct triangle t = {.mesh = mesh};

    for (unsigned i = 0; i < 3; i++)
        mesh_divide(&t.edge[i], segments[i], continuous);
    t.finest = finer(finer(&t.edge[0], &t.edge[1]), &t.edge[2]);
    const size_t n = t.finest->count;

    /* The border joined to a single point in the middle: one place and triangle more. */
    if (!mesh_begin(mesh, (n + 1) * (n + 2) / 2 + 1, n * n + 2))
        return false;
    if (t.edge[0].count != t.edge[1].count || t.edge[1].count != t.edge[2].count) {
        uneven_triangle(&t);
        return true;
    }
    for (unsigned row = 0; row <= n; row++)
        for (unsigned i = 0; i <= row; i++)
            triangle_place(&t, row, i);
    triangle_rows(mesh, 0, (unsigned)n);
    return true;
}
