/* SPDX-License-Identifier: MIT */
/*
 * The fixed function combined with shaders. Texture coordinates: every kind of vertex with every kind of pixel, in all
 * generators, counts of components and transform flags, against the formulas of docs/reference/vertex-processing.md,
 * section 8. And values that are not supplied: w, normals without a matrix, the second colour, textures (sections 4 to
 * 6; docs/reference/pixel-output.md, section 4). The points that are drawn cover the whole target, so that each pixel
 * has the values of the one vertex.
 */
#include "shader_stage.h"
#include "tests/random.h"

#define TOLERANCE 2e-5

/* --- numbers ------------------------------------------------------------------------------------------ */

/* Without a row of zeros, and far from singular. */
static void random_matrix(float m[16])
{
    for (unsigned i = 0; i < 16; i++)
        m[i] = random_between(-0.2f, 0.2f) + (i % 5 == 0 ? random_between(0.6f, 1.2f) : 0);
}

static void apply(double out[4], const double v[4], const float m[16])
{
    double r[4];

    for (unsigned c = 0; c < 4; c++)
        r[c] = v[0] * m[c] + v[1] * m[4 + c] + v[2] * m[8 + c] + v[3] * m[12 + c];
    memcpy(out, r, sizeof(r));
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* --- a point over the whole target --------------------------------------------------------------------- */

struct point_vertex {
    float position[4], normal[3], texcoord[4];
};

/* View space to the middle of the target, whatever the position. */
static const float to_middle[16] = {[14] = 0.5f, [15] = 1};

static void set_up_points(struct shader_scene *s)
{
    stage_state_float(&s->stage, D3DRS_POINTSIZE, 2 * SIZE);
    stage_transform(&s->stage, D3DTS_PROJECTION, to_middle);
}

static void declare_point(struct shader_scene *s, bool transformed, unsigned positions, unsigned components)
{
    const struct element elements[3] = {
        {0, 0, (uint8_t)(positions - 1), 0, transformed ? 9 : 0, 0},
        {0, offsetof(struct point_vertex, normal), 2, 0, 3, 0},
        {0, offsetof(struct point_vertex, texcoord), (uint8_t)(components - 1), 0, 5, 0},
    };

    declare(s, elements, components ? 3 : 2);
}

static void draw_point(struct shader_scene *s, const struct point_vertex *v, float out[4])
{
    stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    stage_draw_vertices(&s->stage, D3DPT_POINTLIST, 1, v, 1, sizeof(*v));
    read_surface(s, s->stage.target, 5, 6, out, 16);
}

/* --- the oracle ---------------------------------------------------------------------------------------- */

/* clang-format off */
enum vertex_kind { PLAIN, PLAIN_W, NORMAL, POSITION, REFLECTION, SPHERE, TRANSFORMED, VS_1_1, VS_2_0, VS_3_0, VERTEX_KINDS };
enum pixel_kind { STAGES, PS_1_1, PS_1_4, PS_2_0, PS_2_0_SHOWS, PS_3_0_SHOWS, PIXEL_KINDS };
/* clang-format on */

static const char *const vertex_code[VERTEX_KINDS] = {
    [VS_1_1] = "vs_1_1\ndef c0, 0, 0, 0.5, 1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, c0\nmov oT0, v1\n",
    [VS_2_0] = "vs_2_0\ndef c0, 0, 0, 0.5, 1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, c0\nmov oT0, v1\n",
    [VS_3_0] = "vs_3_0\ndef c0, 0, 0, 0.5, 1\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\n"
               "mov o0, c0\nmov o1, v1\n",
};
static const char *const pixel_code[PIXEL_KINDS] = {
    [PS_1_1] = "ps_1_1\ntex t0\nmov r0, t0\n",
    [PS_1_4] = "ps_1_4\ntexld r0, t0\n",
    [PS_2_0] = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
    [PS_2_0_SHOWS] = "ps_2_0\ndcl t0\nmov oC0, t0\n",
    [PS_3_0_SHOWS] = "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n",
};

struct texgen {
    enum vertex_kind vertex;
    enum pixel_kind pixel;
    unsigned components; /* of the vertex */
    uint32_t flags;
    float world[16], texture[16];
    struct point_vertex v;
};

static bool is_fixed(enum vertex_kind kind)
{
    return kind < TRANSFORMED;
}

/* Normals are transformed by the transposed inverse; the world matrix of this test is a rotation about z and a
 * translation. */
static void view_normal(const struct texgen *g, double n[3])
{
    const double v[4] = {(double)g->v.normal[0], (double)g->v.normal[1], (double)g->v.normal[2], 0};
    double r[4];

    apply(r, v, g->world);
    memcpy(n, r, 3 * sizeof(*n));
}

static void view_position(const struct texgen *g, double p[4])
{
    const double v[4] = {(double)g->v.position[0], (double)g->v.position[1], (double)g->v.position[2], 1};

    apply(p, v, g->world);
}

/* Returns the number of components; the next one is 1 for matrices, the rest 0. */
static unsigned source_coordinates(const struct texgen *g, double v[4])
{
    double n[3], p[4], r[3];

    memset(v, 0, 4 * sizeof(*v));
    if (g->vertex == PLAIN || g->vertex == PLAIN_W) {
        for (unsigned c = 0; c < g->components; c++)
            v[c] = (double)g->v.texcoord[c];
        if (g->components < 4)
            v[g->components ? g->components : 3] = 1;
        return g->components;
    }
    view_normal(g, n);
    view_position(g, p);
    v[3] = 1;
    if (g->vertex == NORMAL)
        memcpy(v, n, sizeof(n));
    if (g->vertex == POSITION)
        memcpy(v, p, sizeof(n));
    if (g->vertex == NORMAL || g->vertex == POSITION)
        return 3;
    const double scale = 2 * (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]) / length(p);

    for (unsigned c = 0; c < 3; c++)
        r[c] = p[c] / length(p) - scale * n[c];
    if (g->vertex == REFLECTION) {
        memcpy(v, r, sizeof(r));
        return 3;
    }
    const double m = 2 * sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] - 1) * (r[2] - 1));

    v[0] = r[0] / m + 0.5;
    v[1] = r[1] / m + 0.5;
    return 3;
}

/* The input of a pixel shader. */
static void coordinates(const struct texgen *g, double out[4])
{
    const uint32_t count = g->flags & ~(uint32_t)D3DTTFF_PROJECTED;
    const bool projected = g->flags & D3DTTFF_PROJECTED;
    unsigned given, kept;
    double v[4];

    if (!is_fixed(g->vertex)) { /* as the vertex has them, and (0, 0, 0, 1) */
        for (unsigned c = 0; c < 4; c++)
            out[c] = c < g->components ? (double)g->v.texcoord[c] : c == 3;
        return;
    }
    given = source_coordinates(g, v);
    kept = given;
    if (count >= 2 && count <= 4) {
        apply(v, v, g->texture);
        kept = count;
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] = c < kept ? v[c] : 0;
    if (projected && kept)
        out[3] = v[kept - 1];
    if (!kept) /* "Supplying Default Values for Texture Coordinates in Vertex Declaration" */
        out[3] = 1;
}

/* Coordinates of the texel, and whether dividing leads to one. */
static bool sampled(const struct texgen *g, double out[4])
{
    const bool divides = g->flags & D3DTTFF_PROJECTED && g->pixel <= PS_1_1;

    coordinates(g, out);
    if (!divides || (g->components == 0 && g->vertex <= PLAIN_W && !(g->flags - 258 < 3)))
        return true;
    if (fabs(out[3]) < 0.05)
        return false;
    out[0] /= out[3];
    out[1] /= out[3];
    return true;
}

/* --- drawing it ------------------------------------------------------------------------------------------ */

#define TEXELS 64

/* Red and green give the place of a texel. */
static uint32_t coordinate_texture(struct shader_scene *s)
{
    static uint32_t texels[TEXELS * TEXELS];

    for (unsigned y = 0; y < TEXELS; y++)
        for (unsigned x = 0; x < TEXELS; x++)
            texels[y * TEXELS + x] = 0xff000000 | x << 18 | y << 10;
    return add_texture(s, D3DFMT_A8R8G8B8, TEXELS, 1, texels, 0);
}

static void set_texgen(struct shader_scene *s, const struct texgen *g)
{
    static const uint32_t generator[VERTEX_KINDS] = {
        [NORMAL] = 1u << 16, [POSITION] = 2u << 16, [REFLECTION] = 3u << 16, [SPHERE] = 4u << 16};

    stage_transform(&s->stage, 256, g->world);
    stage_transform(&s->stage, D3DTS_TEXTURE0, g->texture);
    stage_texture_state(&s->stage, 0, D3DTSS_TEXCOORDINDEX, generator[g->vertex]);
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTURETRANSFORMFLAGS, g->flags);
}

static void fail_texgen(const struct texgen *g, const double want[4], const float got[4])
{
    fail_msg("vertex kind %d, pixel kind %d, %u components, flags %#x: (%g %g %g %g) instead of (%g %g %g %g)",
             (int)g->vertex, (int)g->pixel, g->components, g->flags, (double)got[0], (double)got[1], (double)got[2],
             (double)got[3], want[0], want[1], want[2], want[3]);
}

static void check_texgen(struct shader_scene *s, const struct texgen *g)
{
    double want[4];
    float got[4];

    set_texgen(s, g);
    draw_point(s, &g->v, got);
    if (g->pixel >= PS_2_0_SHOWS) {
        coordinates(g, want);
        for (unsigned c = 0; c < 4; c++)
            if (!(fabs((double)got[c] - want[c]) <= TOLERANCE * (1 + fabs(want[c]))))
                fail_texgen(g, want, got);
        return;
    }
    if (!sampled(g, want))
        return;
    for (unsigned c = 0; c < 2; c++) { /* wrapped; got is the place of a texel */
        const double off = (double)got[c] * 255 / 256 + 0.5 / TEXELS - want[c];

        if (!(fabs(off - floor(off + 0.5)) <= 0.51 / TEXELS + TOLERANCE * fabs(want[c])))
            fail_texgen(g, want, got);
    }
}

static void random_texgen(struct texgen *g)
{
    const float angle = random_between(0, 6);

    memset(g->world, 0, sizeof(g->world));
    g->world[0] = g->world[5] = cosf(angle);
    g->world[1] = sinf(angle);
    g->world[4] = -g->world[1];
    g->world[10] = g->world[15] = 1;
    for (unsigned c = 0; c < 3; c++)
        g->world[12 + c] = random_between(-1, 1);
    random_matrix(g->texture);
    for (unsigned c = 0; c < 4; c++) {
        g->v.position[c] = random_between(c == 3 ? 0.25f : -1, c == 3 ? 4 : 1);
        g->v.texcoord[c] = random_between(0.1f, 1);
    }
    g->v.position[2] += 4;
    g->v.normal[0] = random_between(-0.6f, 0.6f);
    g->v.normal[1] = random_between(-0.6f, 0.6f);
    g->v.normal[2] = -sqrtf(1 - g->v.normal[0] * g->v.normal[0] - g->v.normal[1] * g->v.normal[1]);
    if (g->vertex == TRANSFORMED) {
        g->v.position[0] = g->v.position[1] = SIZE / 2;
        g->v.position[2] = 0.5f;
        g->v.position[3] = 1;
    }
}

/* Transformed vertices whose stages divide: see test_tnl. */
static bool is_left_to_choice(const struct texgen *g)
{
    return g->vertex == TRANSFORMED && g->pixel <= PS_1_1 && g->flags & D3DTTFF_PROJECTED;
}

static void check_flags(struct shader_scene *s, struct texgen *g)
{
    static const uint32_t flags[] = {0,     1,     2,     3,     4,          5,          0x100,     0x101,
                                     0x102, 0x103, 0x104, 0x105, 0xfffffeff, 0xffffffff, 0xffffff03};

    for (unsigned i = 0; i < ARRAY_COUNT(flags); i++) {
        g->flags = flags[i];
        random_texgen(g);
        if (!is_left_to_choice(g))
            check_texgen(s, g);
    }
}

static void test_texture_coordinates(void **state)
{
    struct shader_scene *s = *state;
    struct texgen g;

    random_seed = 1;
    set_up_points(s);
    stage_texture_state(&s->stage, 0, 0, coordinate_texture(s));
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    for (g.vertex = 0; g.vertex < VERTEX_KINDS; g.vertex++) {
        use_vs(s, vertex_code[g.vertex]);
        for (g.pixel = 0; g.pixel < PIXEL_KINDS; g.pixel++) {
            use_ps(s, pixel_code[g.pixel]);
            for (g.components = g.vertex == VS_3_0; g.components <= 4; g.components++) {
                declare_point(s, g.vertex == TRANSFORMED, g.vertex == TRANSFORMED || g.vertex == PLAIN_W ? 4 : 3,
                              g.components);
                check_flags(s, &g);
            }
        }
    }
}

/* A normal that faces the viewer selects the middle of the map, one that faces away its rim
 * (D3DVTXPCAPS_TEXGEN_SPHEREMAP). */
static void test_sphere_map(void **state)
{
    static const struct {
        float normal[3], s, t;
    } rows[] = {{{0, 0, -1}, 0.5f, 0.5f},
                {{0.28f, 0, -0.96f}, 0.64f, 0.5f},
                {{0, -0.6f, -0.8f}, 0.5f, 0.2f},
                {{-1, 0, 0}, 0, 0.5f}};
    struct shader_scene *s = *state;
    const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    struct point_vertex v = {.position = {0, 0, 3, 1}};
    float got[4];

    set_up_points(s);
    declare_point(s, false, 3, 0);
    use_ps(s, pixel_code[PS_2_0_SHOWS]);
    stage_transform(&s->stage, 256, identity);
    stage_texture_state(&s->stage, 0, D3DTSS_TEXCOORDINDEX, 4u << 16);
    for (unsigned i = 0; i + 1 < ARRAY_COUNT(rows); i++) {
        memcpy(v.normal, rows[i].normal, sizeof(v.normal));
        draw_point(s, &v, got);
        assert_true(fabsf(got[0] - rows[i].s) < 1e-6f && fabsf(got[1] - rows[i].t) < 1e-6f);
        assert_true(got[2] == 0 && got[3] == 0);
    }
}

/* --- positions and normals -------------------------------------------------------------------------------- */

/* w of a position is 1, whatever the vertex has: half of the target from left to right, then moved by a quarter. */
static void test_w_is_ignored(void **state)
{
    struct shader_scene *s = *state;
    const float moves[2] = {0, 0.5f};

    use_ps(s, "ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
    declare_point(s, false, 4, 0);
    for (unsigned i = 0; i < 2; i++) {
        const float world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, moves[i], 0, 0, 1};
        struct point_vertex v[4];

        for (unsigned k = 0; k < 4; k++)
            v[k] = (struct point_vertex){.position = {k & 1 ? 0.5f : -0.5f, k & 2 ? -1 : 1, 0.5f, 0.25f + (float)k}};
        stage_transform(&s->stage, 256, world);
        stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1.0f, 0);
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
        for (unsigned x = 0; x < SIZE; x++) {
            const float want = x >= 4 + 4 * i && x < 12 + 4 * i;

            pixel_is(s, x, 7, want, want, want, want);
        }
    }
}

/* If the world matrix has no inverse, normals stay as they are. */
static void test_flat_worlds(void **state)
{
    static const float worlds[][16] = {{2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 5, 1},
                                       {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}};
    struct shader_scene *s = *state;
    const struct point_vertex v = {.position = {0, 0, 0, 1}, .normal = {0.25f, -0.5f, 0.75f}};

    set_up_points(s);
    use_ps(s, pixel_code[PS_2_0_SHOWS]);
    declare_point(s, false, 3, 0);
    stage_texture_state(&s->stage, 0, D3DTSS_TEXCOORDINDEX, 1u << 16);
    for (unsigned i = 0; i < ARRAY_COUNT(worlds); i++) {
        float got[4];

        stage_transform(&s->stage, 256, worlds[i]);
        draw_point(s, &v, got);
        assert_true(got[0] == 0.25f && got[1] == -0.5f && got[2] == 0.75f);
    }
}

/* --- missing values --------------------------------------------------------------------------------------- */

/* A second colour that is not supplied: opaque black, but 0 for shader model 3. */
static void test_missing_color(void **state)
{
    static const char *const shows[PIXEL_KINDS] = {[PS_1_1] = "ps_1_1\nmov r0, v1\n",
                                                   [PS_1_4] = "ps_1_4\nmov r0, v1\n",
                                                   [PS_2_0] = "ps_2_0\ndcl v1\nmov oC0, v1\n",
                                                   [PS_3_0_SHOWS] = "ps_3_0\ndcl_color1 v0\nmov oC0, v0\n"};
    static const enum vertex_kind vertices[] = {PLAIN, TRANSFORMED, VS_1_1, VS_2_0, VS_3_0};
    struct shader_scene *s = *state;
    struct point_vertex v = {.position = {0, 0, 0.5f, 1}};
    float got[4];

    set_up_points(s);
    for (unsigned state_of = D3DTSS_COLOROP; state_of <= D3DTSS_ALPHAOP; state_of += D3DTSS_ALPHAOP - D3DTSS_COLOROP) {
        stage_texture_state(&s->stage, 0, state_of, D3DTOP_SELECTARG1);
        stage_texture_state(&s->stage, 0, state_of + 1, D3DTA_SPECULAR);
    }
    for (unsigned i = 0; i < ARRAY_COUNT(vertices); i++) {
        use_vs(s, vertex_code[vertices[i]]);
        declare_point(s, vertices[i] == TRANSFORMED, 4, 4);
        v.position[0] = v.position[1] = vertices[i] == TRANSFORMED ? SIZE / 2 : 0;
        for (unsigned pixel = STAGES; pixel < PIXEL_KINDS; pixel++) {
            if (pixel != STAGES && !shows[pixel])
                continue;
            use_ps(s, shows[pixel]);
            draw_point(s, &v, got);
            if (got[0] != 0 || got[1] != 0 || got[2] != 0 || fabsf(got[3] - (pixel != PS_3_0_SHOWS)) > 1e-6f)
                fail_msg("vertex kind %d, pixel kind %u: (%g %g %g %g)", (int)vertices[i], pixel, (double)got[0],
                         (double)got[1], (double)got[2], (double)got[3]);
        }
    }
}

/* Stages that only depend on a texture indirectly, with none bound: it reads as 0, but opaque if an argument of alpha
 * names it. */
static void test_unbound_textures(void **state)
{
    static const struct {
        uint32_t color_op, alpha_arg;
        float r, g, b, a;
    } rows[] = {{D3DTOP_BLENDTEXTUREALPHA, D3DTA_DIFFUSE, 1, 0, 1, 1},
                {D3DTOP_BLENDTEXTUREALPHAPM, D3DTA_DIFFUSE, 1 + 32.0f / 255, 64.0f / 255, 1 + 96.0f / 255, 1},
                {D3DTOP_SELECTARG1, D3DTA_TEXTURE, 32.0f / 255, 64.0f / 255, 96.0f / 255, 1},
                {D3DTOP_SELECTARG1, D3DTA_TEXTURE | D3DTA_COMPLEMENT, 32.0f / 255, 64.0f / 255, 96.0f / 255, 0}};
    struct shader_scene *s = *state;

    stage_state(&s->stage, D3DRS_TEXTUREFACTOR, 0xffff00ff);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, rows[i].color_op);
        stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG1, rows[i].alpha_arg);
        draw_quad(s);
        pixel_is(s, 3, 3, fminf(rows[i].r, 1), fminf(rows[i].g, 1), fminf(rows[i].b, 1), rows[i].a);
    }
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_PREMODULATE);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
    stage_texture_state(&s->stage, 1, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 1, D3DTSS_COLORARG1, D3DTA_CURRENT);
    draw_quad(s);
    pixel_is(s, 3, 3, 0, 0, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_texture_coordinates, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_sphere_map, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_w_is_ignored, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_flat_worlds, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_missing_color, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_unbound_textures, open_floats, close_stage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
