/* SPDX-License-Identifier: MIT */
/*
 * Which fog factor a pixel gets: table and vertex modes, every kind of vertex with every kind of pixel, affine and
 * other projections, a second colour or none, compared with the formulas of docs/reference/pixel-output.md, section 7.
 * The points that are drawn cover the whole target, so that each pixel has the values of the one vertex.
 */
#include "d3d/states.h"
#include "shader_stage.h"
#include "tests/random.h"

/* --- what is drawn ------------------------------------------------------------------------------------ */

/* clang-format off */
enum vertex_kind { TRANSFORMED, PLAIN, PLAIN_W, VS_1_1, VS_1_1_COLOR, VS_1_1_FOG, VS_2_0, VS_2_0_COLOR, VS_2_0_FOG, VS_3_0,
                   VS_3_0_COLOR, VS_3_0_XYZ, VS_3_0_FOG, VERTEX_KINDS };
enum pixel_kind { STAGES, PS_1_1, PS_2_0, PS_3_0, PIXEL_KINDS };
enum { NONE, EXP, EXP2, LINEAR, MODES }; /* D3DFOGMODE */
/* clang-format on */

/* Registers: c0 the position, c1 the second colour, c2.x the fog. */
#define OLD(version, rest) version "\ndcl_position v0\ndcl_color v1\nmov oPos, c0\nmov oD0, v1\n" rest
#define NEW(outputs, rest) \
    "vs_3_0\ndcl_position v0\ndcl_color v1\ndcl_position o0\ndcl_color o1\n" outputs "mov o0, c0\nmov o1, v1\n" rest

static const char *const vertex_code[VERTEX_KINDS] = {
    [VS_1_1] = OLD("vs_1_1", ""),
    [VS_1_1_COLOR] = OLD("vs_1_1", "mov oD1, c1\n"),
    [VS_1_1_FOG] = OLD("vs_1_1", "mov oD1, c1\nmov oFog, c2.x\n"),
    [VS_2_0] = OLD("vs_2_0", ""),
    [VS_2_0_COLOR] = OLD("vs_2_0", "mov oD1, c1\n"),
    [VS_2_0_FOG] = OLD("vs_2_0", "mov oD1, c1\nmov oFog, c2.x\n"),
    [VS_3_0] = NEW("", ""),
    [VS_3_0_COLOR] = NEW("dcl_color1 o2\n", "mov o2, c1\n"),
    [VS_3_0_XYZ] = NEW("dcl_color1 o2.xyz\n", "mov o2.xyz, c1\n"),
    [VS_3_0_FOG] = NEW("dcl_color1 o2\ndcl_fog o3.x\n", "mov o2, c1\nmov o3.x, c2.x\n"),
};
static const char *const pixel_code[PIXEL_KINDS] = {
    [PS_1_1] = "ps_1_1\nmov r0, v0\n",
    [PS_2_0] = "ps_2_0\ndcl v0\nmov oC0, v0\n",
    [PS_3_0] = "ps_3_0\ndcl_color v0\nmov oC0, v0\n",
};

struct foggy {
    enum vertex_kind vertex;
    enum pixel_kind pixel;
    unsigned table, mode; /* of vertices */
    bool has_specular, range;
    struct {
        float position[4];
        uint32_t color, specular;
    } v;
    float clip[4]; /* of shaders */
    float alpha, fog;
    float view[3], scale, w; /* world-view is a translation; the projection scales z and gives clip w */
    bool by_w;
    float start, end, density;
};

/* --- the oracle ---------------------------------------------------------------------------------------- */

static double formula(const struct foggy *f, unsigned mode, double d)
{
    double x = d * (double)f->density;

    if (mode == LINEAR)
        x = ((double)f->end - d) / ((double)f->end - (double)f->start);
    else
        x = exp(mode == EXP2 ? -x * x : -x);
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static void view_position(const struct foggy *f, double p[3])
{
    for (unsigned c = 0; c < 3; c++)
        p[c] = (double)f->v.position[c] + (double)f->view[c];
}

/* Window z and eye w of the vertex. */
static double table_coordinate(const struct foggy *f)
{
    double p[3];

    if (f->vertex == TRANSFORMED)
        return f->by_w ? 1 / (double)f->v.position[3] : (double)f->v.position[2];
    if (f->vertex > PLAIN_W)
        return f->by_w ? (double)f->clip[3] : (double)f->clip[2] / (double)f->clip[3];
    view_position(f, p);
    return f->by_w ? (double)f->w : p[2] * (double)f->scale / (double)f->w;
}

static double vertex_factor(const struct foggy *f)
{
    const double specular = (f->v.specular >> 24) / 255.0;
    double p[3];

    switch (f->vertex) {
    case VS_1_1:
    case VS_2_0:
    case VS_3_0:
    case VS_3_0_XYZ:
        return 0;
    case VS_1_1_COLOR:
    case VS_2_0_COLOR:
    case VS_3_0_COLOR:
        return (double)f->alpha;
    case VS_1_1_FOG:
    case VS_2_0_FOG:
    case VS_3_0_FOG:
        return (double)f->fog;
    case TRANSFORMED:
        return f->has_specular ? specular : 0;
    default:
        break;
    }
    if (f->mode == NONE)
        return f->has_specular ? specular : 1;
    view_position(f, p);
    return formula(f, f->mode, f->range ? sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) : fabs(p[2]));
}

static double factor(const struct foggy *f)
{
    if (f->pixel == PS_3_0) /* has its own factor */
        return 1;
    return f->table ? formula(f, f->table, table_coordinate(f)) : vertex_factor(f);
}

/* --- drawing it ------------------------------------------------------------------------------------------ */

static void random_values(struct foggy *f)
{
    f->by_w = random_between(0, 1) < 0.5f;
    f->range = random_between(0, 1) < 0.5f;
    f->w = f->by_w ? random_between(0.5f, 4) : 1;
    f->scale = random_between(0.05f, 0.1f);
    for (unsigned c = 0; c < 3; c++) {
        f->v.position[c] = random_between(-1, 1);
        f->view[c] = random_between(-1, 1) + (c == 2 ? 4.0f : 0);
    }
    f->v.position[3] = random_between(0.25f, 2);
    if (f->vertex == TRANSFORMED) {
        f->v.position[0] = f->v.position[1] = SIZE / 2;
        f->v.position[2] = random_between(0, 1);
    }
    f->v.color = 0xff0000ff;
    f->v.specular = (uint32_t)random_between(0, 255) << 24;
    f->clip[3] = random_between(0.5f, 4);
    f->clip[2] = random_between(0, 1) * f->clip[3];
    f->alpha = random_between(0, 1);
    f->fog = random_between(0, 1);
    f->start = random_between(-1, 1);
    f->end = f->start + random_between(1, 8);
    f->density = random_between(0.1f, 1);
}

/* Moves positions to the middle of the target, with their own z and w. */
static void set_values(struct shader_scene *s, const struct foggy *f)
{
    const float world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, f->view[0], f->view[1], f->view[2], 1};
    const float project[16] = {[10] = f->scale, [15] = f->w};

    stage_transform(&s->stage, 256, world);
    stage_transform(&s->stage, D3DTS_PROJECTION, project);
    stage_state(&s->stage, D3DRS_FOGTABLEMODE, f->table);
    stage_state(&s->stage, D3DRS_FOGVERTEXMODE, f->mode);
    stage_state(&s->stage, D3DRS_RANGEFOGENABLE, f->range);
    stage_state_float(&s->stage, D3DRS_FOGSTART, f->start);
    stage_state_float(&s->stage, D3DRS_FOGEND, f->end);
    stage_state_float(&s->stage, D3DRS_FOGDENSITY, f->density);
    set_floats(s, false, 0, 0, 0, f->clip[2], f->clip[3]);
    set_floats(s, false, 1, 0.25f, 0.5f, 0.75f, f->alpha);
    set_floats(s, false, 2, f->fog, 0, 0, 0);
}

/* Blue in red fog. The exponent of a factor is rounded as the vertices' numbers are. */
static void check_fog(struct shader_scene *s, const struct foggy *f)
{
    const double want = factor(f);
    float got[4];

    set_values(s, f);
    stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    stage_draw_vertices(&s->stage, D3DPT_POINTLIST, 1, &f->v, 1, sizeof(f->v));
    read_surface(s, s->stage.target, 5, 6, got, 16);
    if (!(fabs((double)got[2] - want) < 2e-6 && fabs((double)got[0] - (1 - want)) < 2e-6 && fabsf(got[1]) < 1e-6f &&
          fabsf(got[3] - 1) < 1e-6f))
        fail_msg("vertex kind %d, pixel kind %d, table mode %u, vertex mode %u, %s%s%s: factor %.9g, in red %.9g, "
                 "instead of %.9g",
                 (int)f->vertex, (int)f->pixel, f->table, f->mode, f->has_specular ? "specular, " : "",
                 f->range ? "range, " : "", f->by_w ? "by w" : "by z", (double)got[2], 1 - (double)got[0], want);
}

static void declare_foggy(struct shader_scene *s, enum vertex_kind kind, bool has_specular)
{
    const struct element elements[3] = {
        {0, 0, kind == PLAIN ? 2 : 3, 0, kind == TRANSFORMED ? 9 : 0, 0}, {0, 16, 4, 0, 10, 0}, {0, 20, 4, 0, 10, 1}};

    declare(s, elements, has_specular ? 3 : 2);
}

static void set_up_fog(struct shader_scene *s)
{
    stage_state_float(&s->stage, D3DRS_POINTSIZE, 2 * SIZE);
    stage_state(&s->stage, D3DRS_FOGENABLE, TRUE);
    stage_state(&s->stage, D3DRS_FOGCOLOR, 0xffff0000);
}

static void check_modes(struct shader_scene *s, struct foggy *f)
{
    for (f->table = NONE; f->table < MODES; f->table++) {
        for (f->mode = NONE; f->mode < MODES; f->mode++) {
            for (unsigned i = 0; i < 4; i++) {
                random_values(f);
                check_fog(s, f);
            }
        }
    }
}

static void test_factors(void **state)
{
    struct shader_scene *s = *state;
    struct foggy f;

    random_seed = 1;
    set_up_fog(s);
    for (f.vertex = 0; f.vertex < VERTEX_KINDS; f.vertex++) {
        use_vs(s, vertex_code[f.vertex]);
        for (unsigned has_specular = 0; has_specular < 2; has_specular++) {
            f.has_specular = has_specular;
            declare_foggy(s, f.vertex, has_specular);
            for (f.pixel = 0; f.pixel < PIXEL_KINDS; f.pixel++) {
                use_ps(s, pixel_code[f.pixel]);
                check_modes(s, &f);
            }
        }
    }
}

/* Exponents of all sizes: a factor has an error of at most a few units in its last place. */
static void test_exponents(void **state)
{
    struct shader_scene *s = *state;
    struct foggy f = {.vertex = TRANSFORMED, .pixel = STAGES, .has_specular = true};

    random_seed = 2;
    set_up_fog(s);
    declare_foggy(s, TRANSFORMED, true);
    for (unsigned i = 0; i < 2000; i++) {
        double want;
        float got[4];

        f.table = i & 1 ? EXP : EXP2;
        random_values(&f);
        f.by_w = true;
        f.w = 2;
        f.v.position[3] = random_between(0.1f, 4);
        f.density = random_between(0, 1) * random_between(0, 8);
        want = factor(&f);
        set_values(s, &f);
        stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
        stage_draw_vertices(&s->stage, D3DPT_POINTLIST, 1, &f.v, 1, sizeof(f.v));
        read_surface(s, s->stage.target, 5, 6, got, 16);
        /* rounding of the exponent x changes the result by x * 2^-24, three times for a square */
        const double exponent = want > 0 ? -log(want) : 100;
        const double bound = want * (4 + (f.table == EXP2 ? 5 : 3) * exponent) / 16777216;

        if (exponent < 80 && !(fabs((double)got[2] - want) <= bound))
            fail_msg("e^-%g: %.9g instead of %.9g, %.1f units", exponent, (double)got[2], want,
                     fabs((double)got[2] - want) / want * 16777216);
    }
}

/* D3DPMISCCAPS_FOGANDSPECULARALPHA: a vertex with its own fog keeps the alpha of its second colour. */
static void test_fog_beside_specular_alpha(void **state)
{
    struct shader_scene *s = *state;
    struct foggy f = {.vertex = VS_2_0_FOG};
    float got[4];

    random_seed = 3;
    set_up_fog(s);
    random_values(&f);
    f.fog = 0.25f;
    f.alpha = 0.5f;
    use_vs(s, vertex_code[VS_2_0_FOG]);
    use_ps(s, "ps_2_0\ndcl v1\nmov r0, v1.w\nmov oC0, r0\n");
    declare_foggy(s, PLAIN, false);
    set_values(s, &f);
    stage_draw_vertices(&s->stage, D3DPT_POINTLIST, 1, &f.v, 1, sizeof(f.v));
    read_surface(s, s->stage.target, 5, 6, got, 16);
    assert_true(fabsf(got[0] - 0.875f) < 1e-6f && fabsf(got[1] - 0.125f) < 1e-6f);
    assert_true(fabsf(got[2] - 0.125f) < 1e-6f && fabsf(got[3] - 0.5f) < 1e-6f);
}

/* Draws the vertex with a flexible vertex format that has a fog factor, followed by coordinates. */
static void draw_format(struct shader_scene *s, const struct foggy *f)
{
    const bool transformed = f->vertex == TRANSFORMED;
    const uint32_t format = (transformed ? D3DFVF_XYZRHW : D3DFVF_XYZ) | D3DFVF_DIFFUSE |
                            (f->has_specular ? D3DFVF_SPECULAR : 0) | D3DFVF_FOG | D3DFVF_TEX1;
    const float coordinates[2] = {7, -7};
    uint8_t vertex[40];
    unsigned size = transformed ? 16 : 12;

    memcpy(vertex, f->v.position, size);
    memcpy(vertex + size, &f->v.color, 4);
    size += 4;
    if (f->has_specular) {
        memcpy(vertex + size, &f->v.specular, 4);
        size += 4;
    }
    memcpy(vertex + size, &f->fog, 4);
    memcpy(vertex + size + 4, coordinates, 8);
    put_words(s, D3DDP2OP_SETVERTEXSHADER, &format, 1);
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1.0f, 0);
    stage_draw_vertices(&s->stage, D3DPT_POINTLIST, 1, vertex, 1, size + 12);
}

/* D3DFVF_FOG: the factor is part of the vertex and is clamped per pixel, in all cases where the alpha of the second
 * colour would be used otherwise. */
static void test_fog_of_vertices(void **state)
{
    struct shader_scene *s = *state;
    struct foggy f = {.vertex = TRANSFORMED};

    random_seed = 4;
    set_up_fog(s);
    stage_state(&s->stage, D3DRS_ZENABLE, FALSE);
    for (unsigned i = 0; i < 400; i++) {
        float got[4];
        double want;

        f.vertex = i & 1 ? PLAIN : TRANSFORMED;
        f.pixel = i & 2 ? PS_2_0 : STAGES;
        f.has_specular = i & 4;
        f.table = i & 8 ? LINEAR : NONE;
        f.mode = i & 16 ? EXP : NONE;
        random_values(&f);
        f.fog = random_between(-1, 2);
        use_ps(s, pixel_code[f.pixel]);
        set_values(s, &f);
        draw_format(s, &f);
        read_surface(s, s->stage.target, 5, 6, got, 16);
        want = f.table || (f.mode && f.vertex == PLAIN) ? factor(&f) : fmin(fmax((double)f.fog, 0), 1);
        if (!(fabs((double)got[2] - want) < 2e-6 && fabs((double)got[0] - (1 - want)) < 2e-6))
            fail_msg("%u: fog %.9g: factor %.9g, in red %.9g, instead of %.9g", i, (double)f.fog, (double)got[2],
                     1 - (double)got[0], want);
    }
}

/* The target under a triangle of which `corner` has the depths at (0, 0), (2 SIZE, 0) and (0, 2 SIZE), before the bias. */
static void check_depth_fog(struct shader_scene *s, const struct foggy *f, const float corner[3], float bias)
{
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            const double across = ((double)corner[1] - (double)corner[0]) * x / (2 * SIZE);
            const double down = ((double)corner[2] - (double)corner[0]) * y / (2 * SIZE);
            const double z = (double)corner[0] + across + down + (double)bias, want = formula(f, f->table, z);
            float got[4];

            read_surface(s, s->stage.target, x, y, got, 16);
            if (!(fabs((double)got[2] - want) < 3e-6))
                fail_msg("mode %u, (%u, %u): z %.9g: factor %.9g instead of %.9g", f->table, x, y, z, (double)got[2],
                         want);
        }
    }
}

/* Table fog by z uses the biased depth, however large; the depth buffer stores the same clamped to 0..1. */
static void test_fog_beyond_depth(void **state)
{
    struct shader_scene *s = *state;

    random_seed = 5;
    set_up_fog(s);
    declare_foggy(s, TRANSFORMED, false);
    stage_state(&s->stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(&s->stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    stage_state(&s->stage, D3DRS_ALPHAFUNC, D3DCMP_ALWAYS);
    for (unsigned i = 0; i < 300; i++) {
        struct foggy f = {.vertex = TRANSFORMED};
        const float corner[3] = {random_between(0, 0.5f), random_between(0, 0.5f), random_between(0, 0.5f)};
        const float bias = random_between(-1, 1);
        __typeof__(f.v) v[3];

        random_values(&f);
        f.w = 1;
        f.table = 1 + i % 3;
        for (unsigned c = 0; c < 3; c++) {
            v[c] = f.v;
            v[c].position[0] = c == 1 ? 2 * SIZE : 0;
            v[c].position[1] = c == 2 ? 2 * SIZE : 0;
            v[c].position[2] = corner[c];
        }
        use_ps(s, pixel_code[i % 4 / 2 ? PS_2_0 : STAGES]);
        set_values(s, &f);
        stage_state_float(&s->stage, D3D_RS_DEPTHBIAS, bias);
        stage_state(&s->stage, D3DRS_ZENABLE, i % 5 != 0);
        stage_state(&s->stage, D3DRS_ALPHATESTENABLE, i % 7 == 0); /* then depth is tested after the program */
        stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLELIST, 1, v, 3, sizeof(v[0]));
        check_depth_fog(s, &f, corner, bias);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_factors, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_fog_beyond_depth, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_exponents, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_fog_beside_specular_alpha, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_fog_of_vertices, open_floats, close_stage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
