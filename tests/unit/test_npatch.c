/* SPDX-License-Identifier: MIT */
/* Triangles that become curved: the paper's formulas, shared edges, and which triangles are curved when. */
#include "patch_fixture.h"

static void test_npatches_are_watertight(void **state)
{
    struct fixture *f = *state;
    struct shaped v[FIELD * FIELD];
    uint16_t indices[6 * FIELD * FIELD];
    const unsigned count = lattice_indices(indices);

    random_seed = 3;
    for (unsigned round = 0; round < 60; round++) {
        make_shapes(v, 0.4f);
        begin_counting(f);
        fixture_state(f, D3DRS_PATCHEDGESTYLE, round & 1);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, 1.5f + (float)(round % 9));
        fixture_state(f, 173, 1 + round % 2);
        fixture_vertices(f, FVF_NORMAL, v, sizeof(v), sizeof(v[0]));
        fixture_indices(f, indices, count * 2, 2);
        put_indexed(f, D3DPT_TRIANGLELIST, 0, count / 3);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_all_once(f);
    }
}

/* --- formulas ----------------------------------------------------------------------- */

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The paper's formulas, written out: corner 1 has weight w, 2 has u, 3 has v. */
static void paper(const struct shaped c[3], double w, double u, double v, double position[3], double normal[3],
                  bool quadratic)
{
    double p[3][3], n[3][3], b[3][3][3] = {{{0}}}, h[3][3] = {{0}}, length;

    for (unsigned i = 0; i < 3; i++) {
        memcpy(p[i], (double[3]){c[i].x, c[i].y, c[i].z}, 24);
        memcpy(n[i], (double[3]){c[i].nx, c[i].ny, c[i].nz}, 24);
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            double d[3] = {p[j][0] - p[i][0], p[j][1] - p[i][1], p[j][2] - p[i][2]}, s[3];

            for (unsigned k = 0; k < 3; k++) {
                b[i][j][k] = (2 * p[i][k] + p[j][k] - dot3(d, n[i]) * n[i][k]) / 3;
                s[k] = n[i][k] + n[j][k];
            }
            if (j == (i + 1) % 3) {
                for (unsigned k = 0; k < 3; k++)
                    h[i][k] = s[k] - 2 * dot3(d, s) / dot3(d, d) * d[k];
                length = sqrt(dot3(h[i], h[i]));
                for (unsigned k = 0; k < 3; k++)
                    h[i][k] /= length;
            }
        }
    }
    for (unsigned k = 0; k < 3; k++) {
        const double e = (b[0][1][k] + b[1][0][k] + b[1][2][k] + b[2][1][k] + b[2][0][k] + b[0][2][k]) / 6;
        const double centre = e + (e - (p[0][k] + p[1][k] + p[2][k]) / 3) / 2;

        position[k] = p[0][k] * w * w * w + p[1][k] * u * u * u + p[2][k] * v * v * v +
                      3 * (b[0][1][k] * w * w * u + b[1][0][k] * w * u * u + b[0][2][k] * w * w * v +
                           b[1][2][k] * u * u * v + b[2][0][k] * w * v * v + b[2][1][k] * u * v * v) +
                      6 * centre * w * u * v;
        normal[k] = quadratic ? n[0][k] * w * w + n[1][k] * u * u + n[2][k] * v * v + h[0][k] * w * u +
                                    h[1][k] * u * v + h[2][k] * w * v
                              : n[0][k] * w + n[1][k] * u + n[2][k] * v;
    }
    length = sqrt(dot3(normal, normal));
    for (unsigned k = 0; k < 3; k++)
        normal[k] /= length;
}

static void check_npatch(struct fixture *f, const struct shaped c[3], bool cubic, bool quadratic)
{
    const struct hal_patches *patches = f->context->resources.patches;
    const float *vertex = patches->vertices.memory;

    for (uint32_t i = 0; i < patches->mesh.place_count; i++, vertex += 10) {
        const double *at = patches->mesh.places[i].at;
        double position[3], normal[3];

        paper(c, at[0], at[1], at[2], position, normal, quadratic);
        if (!cubic) {
            position[0] = at[0] * c[0].x + at[1] * c[1].x + at[2] * c[2].x;
            position[1] = at[0] * c[0].y + at[1] * c[1].y + at[2] * c[2].y;
            position[2] = at[0] * c[0].z + at[1] * c[1].z + at[2] * c[2].z;
        }
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabs(vertex[k] - position[k]) < 1e-6);
            assert_true(fabs(vertex[3 + k] - normal[k]) < 1e-6);
        }
    }
}

static void test_npatch_formulas(void **state)
{
    struct fixture *f = *state;
    struct shaped v[FIELD * FIELD], c[3];

    random_seed = 4;
    for (unsigned round = 0; round < 40; round++) {
        make_shapes(v, 1);
        c[0] = v[0];
        c[1] = v[9];
        c[2] = v[7 * 3];
        begin(f);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, (float)(2 + round % 6));
        fixture_state(f, D3DRS_PATCHEDGESTYLE, round >> 2 & 1);
        fixture_state(f, 172, round & 1 ? 3 : 1);
        fixture_state(f, 173, round & 2 ? 2 : 1);
        fixture_vertices(f, FVF_NORMAL, c, sizeof(c), sizeof(c[0]));
        fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
        assert_int_equal(fixture_run(f), DD_OK);
        check_npatch(f, c, round & 1, round & 2);
    }
}

/* Corners of the second triangle: two of the first's, in any order and place, and a new one. */
static void test_npatches_share_edge_bits(void **state)
{
    struct fixture *f = *state;
    struct shaped v[FIELD * FIELD], c[6];

    random_seed = 8;
    for (unsigned round = 0; round < 300; round++) {
        const unsigned opposite = round % 3, own = round / 3 % 3, swap = round / 9 % 2;

        make_shapes(v, 1);
        for (unsigned i = 0; i < 4; i++)
            v[i].z = random_signed();
        memcpy(c, v, 3 * sizeof(c[0]));
        c[3 + own] = v[3];
        c[3 + (own + 1 + swap) % 3] = c[(opposite + 1) % 3];
        c[3 + (own + 2 - swap) % 3] = c[(opposite + 2) % 3];
        begin(f);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, 2 + (float)(round % 37) / 4);
        fixture_state(f, D3DRS_PATCHEDGESTYLE, round & 1);
        fixture_state(f, 173, 1 + round % 2);
        fixture_vertices(f, FVF_NORMAL, c, sizeof(c), sizeof(c[0]));
        fixture_draw(f, D3DPT_TRIANGLELIST, 0, 2);
        assert_int_equal(fixture_run(f), DD_OK);
        const struct patch_mesh *mesh = &f->context->resources.patches->mesh;
        const float *vertices = f->context->resources.patches->vertices.memory;
        const float *other = vertices + 10 * (size_t)mesh->place_count;

        for (uint32_t i = 0; i < mesh->place_count; i++) {
            bool found = mesh->places[i].at[opposite] != 0;

            for (uint32_t k = 0; k < mesh->place_count && !found; k++) {
                found =
                    mesh->places[k].at[own] == 0 && memcmp(vertices + 10 * i, other + 10 * k, 6 * sizeof(float)) == 0;
            }
            assert_true(found);
        }
    }
}

/* Lists, strips, fans and their indexed forms are the same triangles. */
static void test_npatches_of_all_topologies(void **state)
{
    struct fixture *f = *state;
    struct shaped v[FIELD * FIELD], used[12];
    const uint16_t indices[14] = {0, 1, 2, 2, 1, 3, 0, 1, 2, 3, 2, 0, 1, 3};
    const unsigned list[6] = {0, 1, 2, 2, 1, 3}, fan[4] = {2, 0, 1, 3};
    uint64_t pictures[6];

    random_seed = 5;
    make_shapes(v, 1);
    const struct shaped quad[4] = {v[8], v[12], v[36], v[40]};

    for (unsigned i = 0; i < 6; i++)
        used[i] = quad[list[i]];
    for (unsigned i = 0; i < 4; i++)
        used[6 + i] = quad[fan[i]];
    for (unsigned k = 0; k < 6; k++) {
        begin_counting(f);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, 6);
        fixture_indices(f, indices, sizeof(indices), 2);
        if (k == 0 || k == 2) {
            fixture_vertices(f, FVF_NORMAL, used, sizeof(used), sizeof(used[0]));
            fixture_draw(f, k == 0 ? D3DPT_TRIANGLELIST : D3DPT_TRIANGLEFAN, k == 0 ? 0 : 6, 2);
        } else {
            fixture_vertices(f, FVF_NORMAL, quad, sizeof(quad), sizeof(quad[0]));
        }
        if (k == 1)
            fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
        else if (k == 3)
            put_indexed(f, D3DPT_TRIANGLELIST, 0, 2);
        else if (k == 4)
            put_indexed(f, D3DPT_TRIANGLESTRIP, 6, 2);
        else if (k == 5)
            put_indexed(f, D3DPT_TRIANGLEFAN, 10, 2);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_true(fixture_count(f, 0) < FIXTURE_SIZE * FIXTURE_SIZE - 200);
        pictures[k] = picture(f);
    }
    for (unsigned k = 1; k < 6; k++)
        assert_true(pictures[k] == pictures[0]);
}

static void test_when_npatches_apply(void **state)
{
    struct fixture *f = *state;
    struct shaped v[FIELD * FIELD];
    const struct colored plain[3] = {{0, 0, 0, 0xffffff}, {1, 0, 0, 0xffffff}, {0, 1, 0, 0xffffff}};
    static const float off[] = {1, 0, -3, NAN};

    random_seed = 6;
    make_shapes(v, 0.5f);
    for (unsigned i = 0; i < ARRAY_COUNT(off); i++) {
        begin(f);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, off[i]);
        fixture_vertices(f, FVF_NORMAL, v, sizeof(v), sizeof(v[0]));
        fixture_draw(f, D3DPT_TRIANGLELIST, 0, 3);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_null(f->context->resources.patches);
    }
    fixture_float_state(f, D3DRS_PATCHSEGMENTS, 4);
    fixture_draw(f, D3DPT_LINELIST, 0, 3);
    fixture_draw(f, D3DPT_POINTLIST, 0, 3);
    fixture_vertices(f, FVF_COLORED, plain, sizeof(plain), sizeof(plain[0]));
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_null(f->context->resources.patches);
    fixture_vertices(f, FVF_NORMAL, v, sizeof(v), sizeof(v[0]));
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->resources.patches->mesh.triangle_count, 16);
    /* infinite segments, many triangles: lowered */
    fixture_float_state(f, D3DRS_PATCHSEGMENTS, INFINITY);
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->resources.patches->mesh.triangle_count, NPATCH_MAX_SEGMENTS * NPATCH_MAX_SEGMENTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_npatches_are_watertight),  fixture_test(test_npatch_formulas),
        fixture_test(test_npatches_share_edge_bits), fixture_test(test_npatches_of_all_topologies),
        fixture_test(test_when_npatches_apply),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
