/* SPDX-License-Identifier: MIT */
/*
 * Patches as mathematics: curves and surfaces against textbook recursions in double precision, meshes that cover their
 * domain exactly once, borders with the same bits from both sides.
 */
#include "hal/vertex/stream.h"
#include "hal_fixture.h"

#include "hal/vertex/patch/patch.h"
#include "tests/random.h"

#include <math.h>

enum { BEZIER, BSPLINE, INTERPOLATE };

static double random_double(void)
{
    return (double)random_unit();
}

/* --- textbook evaluation ------------------------------------------------------------ */

static double de_casteljau(const double *p, unsigned degree, double t)
{
    double q[8];

    memcpy(q, p, (degree + 1) * sizeof(*q));
    for (unsigned level = degree; level > 0; level--)
        for (unsigned i = 0; i < level; i++)
            q[i] = (1 - t) * q[i] + t * q[i + 1];
    return q[0];
}

/* Cox-de Boor: B-spline i of a degree over the integers as knots. */
static double cox_de_boor(unsigned i, unsigned degree, double x)
{
    if (degree == 0)
        return x >= i && x < i + 1;
    return (x - i) / degree * cox_de_boor(i, degree - 1, x) +
           (i + degree + 1 - x) / degree * cox_de_boor(i + 1, degree - 1, x);
}

static double curve(uint32_t basis, unsigned degree, const double *p, unsigned points, double t)
{
    const unsigned pieces = basis == BEZIER ? (points - 1) / degree : points - degree;
    unsigned piece = BASE_MIN((unsigned)(t * pieces), pieces - 1);
    const double local = t * pieces - piece;
    double sum = 0;

    if (basis == BEZIER)
        return de_casteljau(p + piece * degree, degree, local);
    if (basis == BSPLINE) {
        /* the last knot interval is closed here: stay just inside it */
        const double x = degree + BASE_MIN(t, 1 - 1e-13) * pieces;

        for (unsigned i = 0; i < points; i++)
            sum += p[i] * cox_de_boor(i, degree, x);
        return sum;
    }
    p += piece;
    const double hermite[4] = {p[1], p[1] + (p[2] - p[0]) / 6, p[2] - (p[3] - p[1]) / 6, p[2]};

    return de_casteljau(hermite, 3, local);
}

static double surface(const struct patch_net *net, unsigned word, double u, double v)
{
    double column[64], row[64];

    for (unsigned y = 0; y < net->height; y++) {
        for (unsigned x = 0; x < net->width; x++)
            row[x] = net->points[(y * net->width + x) * net->format.control_words + word];
        column[y] = curve(net->basis, net->degree, row, net->width, u);
    }
    return curve(net->basis, net->degree, column, net->height, v);
}

static double triangle(const struct patch_net *net, unsigned word, const double at[3])
{
    double p[6][6];

    for (unsigned row = 0, n = 0; row <= net->degree; row++)
        for (unsigned i = 0; i <= row; i++, n++)
            p[row][i] = net->points[n * net->format.control_words + word];
    for (unsigned level = net->degree; level > 0; level--) {
        for (unsigned row = 0; row < level; row++)
            for (unsigned i = 0; i <= row; i++)
                p[row][i] = at[0] * p[row][i] + at[1] * p[row + 1][i + 1] + at[2] * p[row + 1][i];
    }
    return p[0][0];
}

/* --- nets --------------------------------------------------------------------------- */

#define MAX_POINTS 256

static float points[4][MAX_POINTS * 6];

static void make_net(struct patch_net *net, unsigned slot, uint32_t basis, unsigned degree, unsigned width,
                     unsigned height)
{
    struct hal_layout layout;

    memset(net, 0, sizeof(*net));
    assert_true(hal_layout_from_fvf(&layout, D3DFVF_XYZ | D3DFVF_NORMAL, false));
    patch_format_derive(&net->format, &layout);
    assert_int_equal(net->format.control_words, 6);
    net->triangle = height == 1;
    net->basis = basis;
    net->degree = degree;
    net->width = width;
    net->height = height;
    net->points = points[slot];
    assert_true(width * height <= MAX_POINTS);
    for (unsigned i = 0; i < width * height * 6; i++)
        points[slot][i] = (float)(random_double() * 2000 - 1000);
}

static void check_value(float value, double expected)
{
    /* control points are below 1000; one rounding to float and some of double precision */
    assert_true(fabs(value - expected) <= fabs(expected) * 6.0e-8 + 1e-8);
}

static void test_rectangles_match_textbook(void **state)
{
    static const struct {
        uint32_t basis, degree, width, height;
    } nets[] = {{BEZIER, 1, 2, 2},     {BEZIER, 1, 5, 3},  {BEZIER, 3, 4, 4},   {BEZIER, 3, 10, 7},
                {BEZIER, 5, 6, 6},     {BEZIER, 5, 11, 6}, {BSPLINE, 1, 4, 2},  {BSPLINE, 3, 4, 4},
                {BSPLINE, 3, 9, 5},    {BSPLINE, 5, 6, 6}, {BSPLINE, 5, 8, 11}, {INTERPOLATE, 3, 4, 4},
                {INTERPOLATE, 3, 7, 6}};
    struct patch_net net;
    (void)state;

    random_seed = 1;
    for (unsigned k = 0; k < ARRAY_COUNT(nets); k++) {
        assert_true(patch_curve_exists(nets[k].basis, nets[k].degree, nets[k].width));
        make_net(&net, 0, nets[k].basis, nets[k].degree, nets[k].width, nets[k].height);
        for (unsigned i = 0; i < 400; i++) {
            double u = random_double(), v = random_double();
            struct patch_place place = {.edge = i & 1};
            float vertex[6];

            if (i < 81) { /* corners, knots, middles */
                u = (i % 9) / 8.0;
                v = (i / 9) / 8.0;
            }
            memcpy(place.at, (double[4]){u, 1 - u, v, 1 - v}, sizeof(place.at));
            patch_evaluate(&net, &place, vertex);
            for (unsigned c = 0; c < 6; c++)
                check_value(vertex[c], surface(&net, c, u, v));
        }
    }
}

static void test_triangles_match_textbook(void **state)
{
    struct patch_net net;
    (void)state;

    random_seed = 2;
    for (unsigned degree = 1; degree <= 5; degree += 2) {
        make_net(&net, 0, BEZIER, degree, (degree + 1) * (degree + 2) / 2, 1);
        for (unsigned i = 0; i < 500; i++) {
            const double a = random_double(), b = random_double() * (1 - a);
            struct patch_place place = {{a, b, 1 - a - b, 0}, i & 1};
            float vertex[6];

            patch_evaluate(&net, &place, vertex);
            for (unsigned c = 0; c < 6; c++)
                check_value(vertex[c], triangle(&net, c, place.at));
        }
    }
}

static void test_which_curves_exist(void **state)
{
    (void)state;

    for (uint32_t basis = 0; basis < 5; basis++) {
        for (uint32_t degree = 0; degree < 8; degree++) {
            for (uint32_t n = 0; n < 20; n++) {
                const bool known = degree == 1 || degree == 3 || degree == 5;
                const bool exists = known && n > degree &&
                                    ((basis == BEZIER && (n - 1) % degree == 0) || basis == BSPLINE ||
                                     (basis == INTERPOLATE && degree == 3));

                assert_int_equal(patch_curve_exists(basis, degree, n), exists);
            }
        }
    }
    assert_false(patch_curve_exists(BEZIER, UINT32_MAX, UINT32_MAX));
}

/* --- normals and coordinates -------------------------------------------------------- */

/* The declaration of the format: position, a generated normal, generated coordinates. */
static void generating_format(struct patch_format *format)
{
    static const uint32_t tokens[] = {0x20000000, /* stream 0 */
                                      0x40020000, /* position: three floats */
                                      0x30000000, /* the tessellator */
                                      0x60020003, /* normal of 0 into 3 */
                                      0x70010007, /* u, v into 7 */
                                      0xffffffff};
    struct hal_layout layout;

    assert_true(hal_layout_from_declaration(&layout, (const uint8_t *)tokens, sizeof(tokens)));
    patch_format_derive(format, &layout);
    assert_int_equal(format->control_words, 3);
    assert_int_equal(format->words, 8);
    assert_true(format->layout.fvf & D3DFVF_NORMAL);
    assert_int_equal(format->layout.component[HAL_TEXCOORD0].type, HAL_ELEMENT_FLOAT2);
}

static void numeric_normal(const struct patch_net *net, const double at[4], double normal[3])
{
    const double h = 1e-4;
    double u[3], v[3], length = 0;

    for (unsigned c = 0; c < 3; c++) {
        if (net->triangle) {
            u[c] = triangle(net, c, (double[3]){at[0], at[1] + h, at[2] - h}) -
                   triangle(net, c, (double[3]){at[0], at[1] - h, at[2] + h});
            v[c] = triangle(net, c, (double[3]){at[0] - h, at[1], at[2] + h}) -
                   triangle(net, c, (double[3]){at[0] + h, at[1], at[2] - h});
        } else {
            u[c] = surface(net, c, at[0] + h, at[2]) - surface(net, c, at[0] - h, at[2]);
            v[c] = surface(net, c, at[0], at[2] + h) - surface(net, c, at[0], at[2] - h);
        }
    }
    for (unsigned c = 0; c < 3; c++) {
        normal[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
        length += normal[c] * normal[c];
    }
    for (unsigned c = 0; c < 3; c++)
        normal[c] /= sqrt(length);
}

static void test_generated_normals_and_coordinates(void **state)
{
    static const uint32_t kinds[][4] = {{BEZIER, 3, 4, 4},  {BEZIER, 5, 6, 6},      {BSPLINE, 3, 6, 5},
                                        {BSPLINE, 5, 7, 6}, {INTERPOLATE, 3, 4, 6}, {BEZIER, 1, 3, 2},
                                        {BEZIER, 3, 10, 1}, {BEZIER, 5, 21, 1}};
    struct patch_net net;
    (void)state;

    random_seed = 3;
    for (unsigned k = 0; k < ARRAY_COUNT(kinds); k++) {
        make_net(&net, 0, kinds[k][0], kinds[k][1], kinds[k][2], kinds[k][3]);
        generating_format(&net.format);
        for (unsigned i = 0; i < 100; i++) {
            const double a = 0.01 + 0.4 * random_double(), b = 0.01 + 0.4 * random_double();
            struct patch_place place = {{a, 1 - a, b, 1 - b}, false};
            double normal[3];
            float vertex[8];

            if (net.triangle)
                memcpy(place.at, (double[4]){a, b, 1 - a - b, 0}, sizeof(place.at));
            numeric_normal(&net, place.at, normal);
            patch_evaluate(&net, &place, vertex);
            for (unsigned c = 0; c < 3; c++)
                assert_true(fabs(vertex[3 + c] - normal[c]) < 1e-3);
            assert_true(vertex[6] == (float)(net.triangle ? b : a));
            assert_true(fabs(vertex[7] - (net.triangle ? 1 - a : b)) < 1e-6);
        }
    }
}

/* The tip of a cone: the top row of points is a single point, so tangents along u vanish there. */
static void test_normal_at_a_tip(void **state)
{
    struct patch_net net;
    struct patch_place place = {{0.5, 0.5, 0, 1}, true};
    float vertex[8];
    (void)state;

    make_net(&net, 0, BEZIER, 3, 4, 4);
    generating_format(&net.format);
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 4; x++) {
            float *p = &points[0][(4 * y + x) * 3];

            p[0] = ((float)x - 1.5f) * (float)y;
            p[1] = -(float)y;
            p[2] = 0;
        }
    }
    patch_evaluate(&net, &place, vertex);
    assert_true(fabsf(vertex[3]) < 1e-5f && fabsf(vertex[4]) < 1e-5f && fabsf(vertex[5] + 1) < 1e-5f);
    /* all points in the same place: no direction at all, and no NaN */
    memset(points[0], 0, sizeof(points[0]));
    patch_evaluate(&net, &place, vertex);
    assert_true(vertex[3] == 0 && vertex[4] == 0 && vertex[5] == 0);
}

/* --- meshes ------------------------------------------------------------------------- */

static void plane_of(const struct patch_place *place, bool is_triangle, double *u, double *v)
{
    *u = is_triangle ? place->at[1] : place->at[0];
    *v = is_triangle ? place->at[1] + place->at[2] : place->at[2];
}

static bool same_place(const struct patch_place *a, const struct patch_place *b)
{
    return memcmp(a->at, b->at, sizeof(a->at)) == 0;
}

/* Each inner side of a triangle is also another triangle's side, in the opposite direction; the sides on the border
 * form the border. So no vertex lies on another triangle's side. */
static void check_sides(const struct patch_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->triangle_count * 3; i++) {
        const uint32_t a = mesh->indices[i];
        const uint32_t b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        unsigned back = 0, again = 0;

        for (uint32_t k = 0; k < mesh->triangle_count * 3; k++) {
            const uint32_t c = mesh->indices[k];
            const uint32_t d = mesh->indices[k % 3 == 2 ? k - 2 : k + 1];

            back += c == b && d == a;
            again += c == a && d == b;
        }
        assert_int_equal(again, 1);
        assert_true(back == 1 || (back == 0 && mesh->places[a].edge && mesh->places[b].edge));
    }
}

static void check_mesh(const struct patch_mesh *mesh, bool is_triangle)
{
    double area = 0;

    assert_true(mesh->place_count <= mesh->place_capacity);
    assert_true(mesh->triangle_count <= mesh->triangle_capacity);
    for (uint32_t i = 0; i < mesh->place_count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_false(same_place(&mesh->places[i], &mesh->places[k]));
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        double u[3], v[3];

        for (unsigned c = 0; c < 3; c++) {
            assert_true(mesh->indices[3 * i + c] < mesh->place_count);
            plane_of(&mesh->places[mesh->indices[3 * i + c]], is_triangle, &u[c], &v[c]);
        }
        const double a = ((u[1] - u[0]) * (v[2] - v[0]) - (v[1] - v[0]) * (u[2] - u[0])) / 2;

        assert_true(a > -1e-12); /* clockwise on a screen */
        area += a;
    }
    assert_true(fabs(area - (is_triangle ? 0.5 : 1)) < 1e-9);
    check_sides(mesh);
}

static void test_meshes_cover_once(void **state)
{
    struct patch_mesh mesh = {0};
    (void)state;

    for (unsigned i = 0; i < 6 * 6 * 6 * 6; i++) {
        const float s[4] = {1 + (float)(i % 6), 1 + (float)(i / 6 % 6), 1 + (float)(i / 36 % 6), 1 + (float)(i / 216)};

        assert_true(patch_mesh_rectangle(&mesh, s, false));
        check_mesh(&mesh, false);
        if (i < 216) {
            assert_true(patch_mesh_triangle(&mesh, s, false));
            check_mesh(&mesh, true);
        }
    }
    random_seed = 4;
    for (unsigned i = 0; i < 300; i++) {
        const float s[4] = {(float)(random_double() * 9), (float)(random_double() * 9), (float)(random_double() * 9),
                            (float)(random_double() * 9)};

        assert_true(patch_mesh_rectangle(&mesh, s, true));
        check_mesh(&mesh, false);
        assert_true(patch_mesh_triangle(&mesh, s, true));
        check_mesh(&mesh, true);
    }
    patch_mesh_free(&mesh);
}

static void test_extreme_segment_counts(void **state)
{
    static const float odd[] = {0, -1, 1e-30f, 1e30f, 255.9f, 256, 257};
    struct patch_mesh mesh = {0};
    float s[4];
    (void)state;

    for (unsigned i = 0; i < 4 * ARRAY_COUNT(odd); i++) {
        for (unsigned k = 0; k < 4; k++)
            s[k] = k == i % 4 ? odd[i / 4] : 2;
        for (unsigned style = 0; style < 2; style++) {
            assert_true(patch_mesh_rectangle(&mesh, s, style));
            assert_true(mesh.triangle_count >= 2 && mesh.triangle_count <= 2 * 256 * 2);
            assert_true(patch_mesh_triangle(&mesh, s, style));
            assert_true(mesh.triangle_count <= 256 * 256 + 2);
        }
    }
    for (unsigned k = 0; k < 4; k++)
        s[k] = k & 1 ? NAN : INFINITY;
    assert_true(patch_mesh_rectangle(&mesh, s, false));
    assert_int_equal(mesh.triangle_count, 2 * 256);
    for (unsigned k = 0; k < 4; k++)
        s[k] = INFINITY;
    assert_true(patch_mesh_rectangle(&mesh, s, true));
    assert_int_equal(mesh.triangle_count, 2 * 256 * 256);
    patch_mesh_free(&mesh);
}

static unsigned top_edge(const struct patch_mesh *mesh, double *u)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < mesh->place_count; i++) {
        if (mesh->places[i].edge && mesh->places[i].at[2] == 0) {
            unsigned k = n++;

            for (; k > 0 && u[k - 1] > mesh->places[i].at[0]; k--)
                u[k] = u[k - 1];
            u[k] = mesh->places[i].at[0];
        }
    }
    return n;
}

/* Discrete counts drop their fraction. Continuous counts move points smoothly: a small step of the count never moves
 * the nearest point far. */
static void test_edge_styles(void **state)
{
    struct patch_mesh mesh = {0};
    double u[300], last[300];
    unsigned last_count = 0;
    (void)state;

    for (float f = 1; f < 9; f += 0.125f) {
        const float s[4] = {f, f, f, f};

        assert_true(patch_mesh_rectangle(&mesh, s, false));
        assert_int_equal(mesh.triangle_count, 2 * (unsigned)f * (unsigned)f);
        assert_int_equal(top_edge(&mesh, u), (unsigned)f + 1);
    }
    for (float f = 1; f < 20; f += 1.0f / 256) {
        const float s[4] = {f, f, f, f};

        assert_true(patch_mesh_rectangle(&mesh, s, true));
        const unsigned count = top_edge(&mesh, u);

        for (unsigned i = 0; i < count && last_count; i++) {
            double nearest = 1;

            for (unsigned k = 0; k < last_count; k++)
                nearest = BASE_MIN(nearest, fabs(u[i] - last[k]));
            assert_true(nearest < 1.0 / 256);
        }
        memcpy(last, u, sizeof(u));
        last_count = count;
    }
    patch_mesh_free(&mesh);
}

/* --- borders ------------------------------------------------------------------------ */

/* Border vertices of a net, in any order: as bits, those whose place the test selects. */
struct border {
    unsigned count;
    float vertex[2 * PATCH_MAX_SEGMENTS][6];
};

static void collect(struct border *border, const struct patch_net *net, const struct patch_mesh *mesh,
                    unsigned coordinate, double value)
{
    border->count = 0;
    for (uint32_t i = 0; i < mesh->place_count; i++)
        if (mesh->places[i].edge && mesh->places[i].at[coordinate] == value)
            patch_evaluate(net, &mesh->places[i], border->vertex[border->count++]);
}

static void assert_same_border(const struct border *a, const struct border *b)
{
    assert_int_equal(a->count, b->count);
    for (unsigned i = 0; i < a->count; i++) {
        bool found = false;

        for (unsigned k = 0; k < b->count; k++)
            found |= memcmp(a->vertex[i], b->vertex[k], sizeof(a->vertex[i])) == 0;
        assert_true(found);
    }
}

/* Point (x, y) of a net after one of the eight rotations and reflections. */
static void turned(unsigned turn, unsigned side, unsigned *x, unsigned *y)
{
    const unsigned last = side - 1;

    if (turn & 4) {
        const unsigned t = *x;
        *x = *y;
        *y = t;
    }
    *x = turn & 1 ? last - *x : *x;
    *y = turn & 2 ? last - *y : *y;
}

/* Which edge of the turned net is its left one: the coordinate that is constant, and its value. */
static void turned_left(unsigned turn, unsigned *coordinate, double *value)
{
    /* turned() maps places of the turned net to those of the plain one, whose left edge is x = 0 */
    if (turn & 4)
        *coordinate = 2;
    else
        *coordinate = 0;
    *value = turn & 1 ? 1 : 0;
}

static void edge_counts(float s[4], unsigned coordinate, double value, float shared)
{
    for (unsigned i = 0; i < 4; i++)
        s[i] = (float)(1 + random_double() * 12);
    s[coordinate == 2 ? (value == 0 ? 0 : 2) : (value == 0 ? 3 : 1)] = shared;
}

/* Two neighbours from one field of control points, the right one in any orientation. */
static void rectangle_pair(uint32_t basis, unsigned degree, unsigned pieces)
{
    const unsigned side = basis == BEZIER ? degree * pieces + 1 : degree + pieces;
    const unsigned shift = basis == BEZIER ? side - 1 : pieces;
    const bool continuous = random_below(2);
    const float shared = (float)(1 + random_double() * 20);
    const unsigned turn = random_below(8);
    struct patch_net left, right;
    struct patch_mesh mesh = {0};
    struct border a, b;
    static float field[32][64][6];
    unsigned coordinate;
    double value;
    float s[4];

    for (unsigned i = 0; i < sizeof(field) / 4; i++)
        (&field[0][0][0])[i] = (float)(random_double() * 2 - 1);
    make_net(&left, 0, basis, degree, side, side);
    make_net(&right, 1, basis, degree, side, side);
    for (unsigned y = 0; y < side; y++) {
        for (unsigned x = 0; x < side; x++) {
            unsigned from_x = x, from_y = y;

            turned(turn, side, &from_x, &from_y);
            memcpy(&points[0][(y * side + x) * 6], field[y][x], sizeof(field[0][0]));
            memcpy(&points[1][(y * side + x) * 6], field[from_y][from_x + shift], sizeof(field[0][0]));
        }
    }
    edge_counts(s, 0, 1, shared);
    assert_true(patch_mesh_rectangle(&mesh, s, continuous));
    collect(&a, &left, &mesh, 0, 1);
    turned_left(turn, &coordinate, &value);
    edge_counts(s, coordinate, value, shared);
    assert_true(patch_mesh_rectangle(&mesh, s, continuous));
    collect(&b, &right, &mesh, coordinate, value);
    assert_same_border(&a, &b);
    patch_mesh_free(&mesh);
}

static void test_rectangles_share_border_bits(void **state)
{
    (void)state;

    random_seed = 5;
    for (unsigned i = 0; i < 400; i++) {
        const unsigned degree = 1 + 2 * random_below(3);

        rectangle_pair(BEZIER, degree, 1 + random_below(2));
        rectangle_pair(BSPLINE, degree, 1 + random_below(4));
        rectangle_pair(INTERPOLATE, 3, 1 + random_below(4));
    }
}

/* Number of the triangle's control point at step i of edge e, clockwise from its corner. */
static unsigned triangle_edge_point(unsigned degree, unsigned e, unsigned i)
{
    const unsigned row = e == 0 ? i : e == 1 ? degree : degree - i;
    const unsigned column = e == 0 ? i : e == 1 ? degree - i : 0;

    return row * (row + 1) / 2 + column;
}

static void test_triangles_share_border_bits(void **state)
{
    (void)state;

    random_seed = 6;
    for (unsigned round = 0; round < 600; round++) {
        const unsigned degree = 1 + 2 * random_below(3), count = (degree + 1) * (degree + 2) / 2;
        const unsigned ea = random_below(3), eb = random_below(3);
        const bool backwards = random_below(2), continuous = random_below(2);
        const bool with_rectangle = random_below(2);
        const float shared = (float)(1 + random_double() * 20);
        float s[4] = {3.5f, 2, 6, 4};
        struct patch_net a, b;
        struct patch_mesh mesh = {0};
        struct border border_a, border_b;

        make_net(&a, 0, BEZIER, degree, count, 1);
        s[ea] = shared;
        assert_true(patch_mesh_triangle(&mesh, s, continuous));
        collect(&border_a, &a, &mesh, (ea + 2) % 3, 0);
        if (with_rectangle)
            make_net(&b, 1, BEZIER, degree, degree + 1, degree + 1);
        else
            make_net(&b, 1, BEZIER, degree, count, 1);
        for (unsigned i = 0; i <= degree; i++) {
            const unsigned to = with_rectangle ? (degree + 1) * degree + i : triangle_edge_point(degree, eb, i);
            const unsigned from = triangle_edge_point(degree, ea, backwards ? degree - i : i);

            memcpy(&points[1][to * 6], &points[0][from * 6], 24);
        }
        memcpy(s, (float[4]){5, 3, 1, 2.5f}, sizeof(s));
        s[with_rectangle ? 2 : eb] = shared;
        if (with_rectangle) {
            assert_true(patch_mesh_rectangle(&mesh, s, continuous));
            collect(&border_b, &b, &mesh, 2, 1);
        } else {
            assert_true(patch_mesh_triangle(&mesh, s, continuous));
            collect(&border_b, &b, &mesh, (eb + 2) % 3, 0);
        }
        assert_same_border(&border_a, &border_b);
        patch_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangles_match_textbook),
        cmocka_unit_test(test_triangles_match_textbook),
        cmocka_unit_test(test_which_curves_exist),
        cmocka_unit_test(test_generated_normals_and_coordinates),
        cmocka_unit_test(test_normal_at_a_tip),
        cmocka_unit_test(test_meshes_cover_once),
        cmocka_unit_test(test_extreme_segment_counts),
        cmocka_unit_test(test_edge_styles),
        cmocka_unit_test(test_rectangles_share_border_bits),
        cmocka_unit_test(test_triangles_share_border_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
