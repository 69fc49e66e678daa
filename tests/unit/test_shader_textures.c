/* SPDX-License-Identifier: MIT */
/*
 * Textures in shaders of models 2 and 3, through the tokens of DirectX 9: which level each of texld, texldp, texldb, texldl and
 * texldd reads, all sixteen samplers, textures in vertex shaders, derivatives, and depth from shaders on multisampled targets.
 * Numbers from docs/reference/shader-code.md, section 8.
 */
#include "tests/unit/shader_stage.h"

#include "shader/shader.h"

/* Levels below the first hold 0xff0000NN, NN the level: blue tells which level was read. */
#define LEVELS      5
#define LEVEL_COLOR 0xff000000u

static const uint32_t zeros[16 * 16];

static void bind_texture(struct shader_scene *s, unsigned sampler, uint32_t texture)
{
    stage_texture_state(&s->stage, sampler, 0, texture);
    stage_texture_state(&s->stage, sampler, D3DTSS_MAGFILTER, D3DTEXF_POINT);
    stage_texture_state(&s->stage, sampler, D3DTSS_MINFILTER, D3DTEXF_POINT);
    stage_texture_state(&s->stage, sampler, D3DTSS_MIPFILTER, D3DTEXF_POINT);
}

/* A chain of five levels; blue is the number of the level, 0 for the first. */
static void bind_levels(struct shader_scene *s, unsigned sampler)
{
    bind_texture(s, sampler, add_texture(s, D3DFMT_A8R8G8B8, 16, LEVELS, zeros, LEVEL_COLOR));
}

static void level_is(struct shader_scene *s, unsigned level)
{
    float got[4];

    draw_quad(s);
    read_surface(s, s->stage.target, 9, 9, got, sizeof(got));
    if (lrintf(got[2] * 255.0f) != (long)level)
        fail_msg("level %ld instead of %u", lrintf(got[2] * 255.0f), level);
}

/* A 16x16 texture on 16x16 pixels: coordinates times 2^n read level n. */
static void test_level_of_texld(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    bind_levels(s, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmul r0, v0, c0.x\ntexld r0, r0, s0\nmov oC0, r0\n");
    for (unsigned level = 0; level < LEVELS; level++) {
        set_floats(s, true, 0, (float)(1u << level), 0, 0, 0);
        level_is(s, level);
    }
    set_floats(s, true, 0, 4096, 0, 0, 0);
    level_is(s, LEVELS - 1);
    set_floats(s, true, 0, 0.001f, 0, 0, 0);
    level_is(s, 0);
}

/* The divided coordinates determine the level, not the given ones. */
static void test_level_of_texldp(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    bind_levels(s, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmul r0, v0, c0\ntexldp r0, r0, s0\nmov oC0, r0\n");
    set_floats(s, true, 0, 8, 8, 0, 1);
    level_is(s, 3);
    set_floats(s, true, 0, 8, 8, 0, 4);
    level_is(s, 1);
    set_floats(s, true, 0, 8, 8, 0, 8);
    level_is(s, 0);
}

static void test_level_of_texldb(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    bind_levels(s, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmul r0, v0, c0\ntexldb r0, r0, s0\nmov oC0, r0\n");
    set_floats(s, true, 0, 2, 2, 0, 0);
    level_is(s, 1);
    set_floats(s, true, 0, 2, 2, 0, 2);
    level_is(s, 3);
    set_floats(s, true, 0, 2, 2, 0, -5);
    level_is(s, 0);
    /* the stage's own bias is added */
    const union {
        float f;
        uint32_t u;
    } bias = {1.0f};
    stage_texture_state(&s->stage, 0, D3DTSS_MIPMAPLODBIAS, bias.u);
    set_floats(s, true, 0, 2, 2, 0, 1);
    level_is(s, 3);
}

static void test_level_of_texldl(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    bind_levels(s, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmul r0, v0, c0\ntexldl r0, r0, s0\nmov oC0, r0\n");
    for (unsigned level = 0; level < LEVELS; level++) {
        set_floats(s, true, 0, 8, 8, 0, (float)level);
        level_is(s, level);
    }
    set_floats(s, true, 0, 8, 8, 0, -2);
    level_is(s, 0);
    set_floats(s, true, 0, 8, 8, 0, 99);
    level_is(s, LEVELS - 1);
    stage_texture_state(&s->stage, 0, D3DTSS_MAXMIPLEVEL, 2);
    set_floats(s, true, 0, 8, 8, 0, 0);
    level_is(s, 2);
}

static void test_level_of_texldd(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    bind_levels(s, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldd r0, v0, s0, c0, c1\nmov oC0, r0\n");
    set_floats(s, true, 0, 1 / 16.0f, 0, 0, 0);
    set_floats(s, true, 1, 0, 1 / 16.0f, 0, 0);
    level_is(s, 0);
    set_floats(s, true, 0, 4 / 16.0f, 0, 0, 0);
    level_is(s, 2);
    set_floats(s, true, 1, 0, 8 / 16.0f, 0, 0); /* the longer of the two */
    level_is(s, 3);
}

/* In divergent flow inside a quad, texldl reads the requested level. */
static void test_texldl_in_dynamic_flow(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    bind_levels(s, 0);
    use_ps(s,
           "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndef c0, 16, 7.5, 3, 1\nmul r0, v0, c0.x\nmov r1, c0.w\nmov r1.w, c0.z\n"
           "if_gt r0.x, c0.y\ntexldl r1, r1, s0\nelse\nmov r1.w, c0.w\ntexldl r1, r1, s0\nendif\nmov oC0, r1\n");
    draw_quad(s);
    for (unsigned x = 6; x < 10; x++)
        pixel_is(s, x, 4, 0, 0, (x > 7 ? 3 : 1) / 255.0f, 1);
}

static void test_sixteen_samplers(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t texel = 0xff000000u | 1u << (i % 8) << (i / 8 * 8);

        bind_texture(s, i, add_texture(s, D3DFMT_A8R8G8B8, 1, 1, &texel, 0));
    }
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\ndcl_2d s3\ndcl_2d s4\ndcl_2d s5\ndcl_2d "
              "s6\ndcl_2d s7\n"
              "dcl_2d s8\ndcl_2d s9\ndcl_2d s10\ndcl_2d s11\ndcl_2d s12\ndcl_2d s13\ndcl_2d s14\ndcl_2d s15\n"
              "texld r0, v0, s0\ntexld r1, v0, s1\nadd r0, r0, r1\ntexld r1, v0, s2\nadd r0, r0, r1\ntexld r1, v0, "
              "s3\nadd r0, r0, r1\n"
              "texld r1, v0, s4\nadd r0, r0, r1\ntexld r1, v0, s5\nadd r0, r0, r1\ntexld r1, v0, s6\nadd r0, r0, "
              "r1\ntexld r1, v0, s7\nadd r0, r0, r1\n"
              "texld r1, v0, s8\nadd r0, r0, r1\ntexld r1, v0, s9\nadd r0, r0, r1\ntexld r1, v0, s10\nadd r0, r0, "
              "r1\ntexld r1, v0, s11\nadd r0, r0, r1\n"
              "texld r1, v0, s12\nadd r0, r0, r1\ntexld r1, v0, s13\nadd r0, r0, r1\ntexld r1, v0, s14\nadd r0, r0, "
              "r1\ntexld r1, v0, s15\nadd r0, r0, r1\n"
              "mov oC0, r0\n");
    draws(s, 3, 3, 0, 1, 1, 16); /* 255 / 255 in blue and in green, alpha 1 sixteen times */
}

static void test_unbound_sampler(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s9\ntexld r0, v0, s9\nmov oC0, r0\n");
    draws(s, 3, 3, 0, 0, 0, 1);
    /* the sampler's swizzle is of the texel */
    const uint32_t texel = 0xff336699;
    bind_texture(s, 9, add_texture(s, D3DFMT_A8R8G8B8, 1, 1, &texel, 0));
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s9\ntexld r0, v0, s9.zyxw\nmov oC0, r0\n");
    draws(s, 3, 3, 0.6f, 0.4f, 0.2f, 1);
}

/* --- in vertex shaders -------------------------------------------------------------------------- */

static void test_vertex_textures(void **state)
{
    static const char text[] =
        "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s0\ndcl_2d s3\ndcl_position o0\ndcl_texcoord0 o1\n"
        "dcl_texcoord1 o2\nmov r0, v1\nmov r0.w, c0.x\ntexldl r1, r0, s0\ntexldl r2, r0, s3\nmov o0, v0\n"
        "mov o1, r1\nmov o2, r2\n";
    struct shader_scene *s = *state;
    static const uint32_t corners[4] = {0xff000000, 0xffff0000, 0xff00ff00, 0xffffff00};
    uint32_t texture = add_texture(s, D3DFMT_A8R8G8B8, 2, 2, corners, 0xff000080);

    use_vs(s, text);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndcl_texcoord1 v1\nadd r0, v0, -v1.x\nmov oC0, r0\n");
    draws(s, 4, 8, 0, 0, 0, 1); /* nothing is bound: (0, 0, 0, 1) */
    bind_texture(s, 257, texture);
    stage_texture_state(&s->stage, 257, D3DTSS_ADDRESSU, D3DTADDRESS_CLAMP);
    stage_texture_state(&s->stage, 257, D3DTSS_ADDRESSV, D3DTADDRESS_CLAMP);
    draws(s, 4, 8, 0.25f, 0.5f, 0, 1); /* red at the right edge, green at the lower one */
    set_floats(s, false, 0, 1, 0, 0, 0);
    draws(s, 4, 8, 0, 0, 0x81 / 255.0f, 1);
    set_floats(s, false, 0, 0, 0, 0, 0);
    bind_texture(s, 260, texture);
    stage_texture_state(&s->stage, 260, D3DTSS_ADDRESSU, D3DTADDRESS_CLAMP);
    draws(s, 4, 8, 0, 0.25f, -0.25f, 0.75f); /* minus the red of s3 */
    /* unbound again */
    stage_texture_state(&s->stage, 260, 0, 0);
    draws(s, 4, 8, 0.25f, 0.5f, 0, 1);
}

/* Between four texels, and between two levels. */
static void test_vertex_texture_filters(void **state)
{
    static const uint32_t corners[4] = {0xff000000, 0xffff0000, 0xff00ff00, 0xffffff00};
    struct shader_scene *s = *state;

    bind_texture(s, 257, add_texture(s, D3DFMT_A8R8G8B8, 2, 2, corners, 0xff00007f));
    stage_texture_state(&s->stage, 257, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(&s->stage, 257, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    stage_texture_state(&s->stage, 257, D3DTSS_MIPFILTER, D3DTEXF_LINEAR);
    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_2d s0\ndcl_position o0\ndcl_texcoord0 o1\ntexldl r1, c0, s0\nmov o0, "
              "v0\nmov o1, r1\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    set_floats(s, false, 0, 0.5f, 0.5f, 0, 0);
    draws(s, 4, 8, 0.5f, 0.5f, 0, 1);
    set_floats(s, false, 0, 0.375f, 0.25f, 0, 0);
    draws(s, 4, 8, 0.25f, 0, 0, 1);
    set_floats(s, false, 0, 0.5f, 0.5f, 0, 0.5f);
    draws(s, 4, 8, 0.25f, 0.25f, 0.5f * 0x80 / 255.0f, 1);
}

/* Each read moves by one texel: 40 reads in a row. */
static void test_many_dependent_reads(void **state)
{
    static char text[8192] = "ps_2_x\ndcl t0\ndcl_2d s0\ndef c0, 0, 0, 0, 0\nmov r0, c0\n";
    uint32_t texels[16 * 16];
    struct shader_scene *s = *state;

    /* texel (x, *) holds the middle of texel x + 1 in red */
    for (unsigned i = 0; i < 256; i++)
        texels[i] = 0xff000000u | ((i % 16 + 1) % 16 * 16 + 8) << 16;
    bind_texture(s, 0, add_texture(s, D3DFMT_A8R8G8B8, 16, 1, texels, 0));
    for (unsigned i = 0; i < 40; i++)
        strcat(text, "texld r0, r0, s0\n");
    strcat(text, "mov oC0, r0\n");
    use_vs(s, VS_PASS_2);
    use_ps(s, text);
    draws(s, 3, 3, (40 % 16 * 16 + 8) / 255.0f, 0, 0, 1);
}

/* Vertices read earlier drawing, although the scene waits. */
static void test_vertex_texture_that_was_drawn(void **state)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET | CLIENT_TEXTURE, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE};
    struct shader_scene *s = *state;
    struct client_chain *drawn = add_surface(s, &desc);
    const uint32_t to_drawn[2] = {0, client_handle(client_part(drawn, 0))};
    const uint32_t back[2] = {0, client_handle(client_part(s->stage.target, 0))};

    for (unsigned i = 0; i < 3; i++) {
        put_words(s, D3DDP2OP_SETRENDERTARGET2, to_drawn, 2);
        use_vs(s, VS_PASS);
        use_ps(s, "ps_3_0\nmov oC0, c0\n");
        set_floats(s, true, 0, 0, 0.2f * (float)i, 1, 1);
        draw_quad(s);
        put_words(s, D3DDP2OP_SETRENDERTARGET2, back, 2);
        bind_texture(s, 258, to_drawn[1]);
        use_vs(s, "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s1\ndcl_position o0\ndcl_texcoord0 o1\n"
                  "texldl r0, v1, s1\nmov o0, v0\nmov o1, r0\n");
        use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
        draws(s, 8, 8, 0, 0.2f * (float)i, 1, 1);
    }
}

/* A program reads the target that it draws to: each draw sees the result of the previous one, with or without event
 * queries in between (Wine's test_sample_attached_rendertarget). */
static void test_reading_the_target(void **state)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET | CLIENT_TEXTURE, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE, .levels = 1};
    const uint32_t query[2] = {1, 8 /* D3DQUERYTYPE_EVENT */}, end[2] = {1, 1};
    struct shader_scene *s = *state;
    struct client_chain *chain = add_surface(s, &desc);
    const uint32_t handle = client_handle(client_part(chain, 0)), target[2] = {0, handle};

    put_words(s, D3DDP2OP_CREATEQUERY, query, 2);
    put_words(s, D3DDP2OP_SETRENDERTARGET2, target, 2);
    bind_texture(s, 0, handle);
    use_vs(s, VS_PASS_2);
    use_ps(s, "ps_2_0\ndef c0, 0.25, 0.25, 0.25, 0.25\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nadd r0, r0, c0\n"
              "mov oC0, r0\n");
    for (unsigned queries = 0; queries < 2; queries++) {
        stage_clear(&s->stage, D3DCLEAR_TARGET, 0x01010101, 0, 0);
        for (unsigned i = 0; i < 3; i++) {
            draw_quad(s);
            if (queries)
                put_words(s, D3DDP2OP_ISSUEQUERY, end, 2);
        }
        for (unsigned i = 0; i < SIZE; i++)
            assert_int_equal(word_at(s, chain, i, (5 * i) % SIZE), 0xc1c1c1c1);
    }
}

/* --- derivatives -------------------------------------------------------------------------------- */

static void test_derivatives(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndef c0, 16, 0, 0, 0\nmul r0, v0, c0.x\nmul r0.z, r0.x, r0.y\n"
              "dsx r1, r0\ndsy r2, r0\nmov r3.xy, r1\nmov r3.x, r1.x\nmov r3.y, r2.y\nmov r3.z, r1.z\nmov r3.w, "
              "r2.z\nmov oC0, r3\n");
    draw_quad(s);
    /* x y grows by y to the right, taken in either row of the quad; by x downwards */
    for (unsigned y = 4; y < 8; y++)
        for (unsigned x = 6; x < 10; x++) {
            float got[4];

            read_surface(s, s->stage.target, x, y, got, sizeof(got));
            assert_true(fabsf(got[0] - 1) < 1e-4f && fabsf(got[1] - 1) < 1e-4f);
            assert_true(fabsf(got[2] - (float)(y & ~1u)) < 1.01f && fabsf(got[3] - (float)(x & ~1u)) < 1.01f);
        }
}

/* One pixel of a quad is covered: the other three are computed for the differences. */
static void test_helper_pixels(void **state)
{
    struct shader_scene *s = *state;
    struct quad_vertex one[3] = {quad[0], quad[0], quad[0]};

    /* a triangle around the centre of pixel (5, 7): lower right in its quad; u, v as on the quad */
    static const float corner[3][2] = {{4.7f, 6.8f}, {5.4f, 6.8f}, {5.0f, 7.4f}};
    for (unsigned i = 0; i < 3; i++) {
        one[i].position[0] = corner[i][0] / 8 - 1;
        one[i].position[1] = 1 - corner[i][1] / 8;
        one[i].texcoord[0] = corner[i][0] / 16;
        one[i].texcoord[1] = corner[i][1] / 16;
    }
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord v0\ndef c0, 16, 0, 0, 0\nmul r0, v0, c0.x\ndsx r1, r0\ndsy r2, r0\nmov r1.y, "
              "r2.y\nmov r1.zw, r0.xyxy\nmov oC0, r1\n");
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLELIST, 1, one, 3, sizeof(one[0]));
    pixel_is(s, 4, 6, 0, 0, 0, 0);
    pixel_is(s, 4, 7, 0, 0, 0, 0);
    float got[4];
    read_surface(s, s->stage.target, 5, 7, got, sizeof(got));
    /* corners are rounded to 1/256 pixel */
    assert_true(fabsf(got[0] - 1) < 0.02f && fabsf(got[1] - 1) < 0.02f);
    assert_true(fabsf(got[2] - 5) < 0.02f && fabsf(got[3] - 7) < 0.02f);
}

/* --- projected stages --------------------------------------------------------------------------- */

#define DIVIDED_SIZE  16
#define DIVIDED_PLACE 0.3f /* in texels: no multiple of it that is read lies on a border */

/* Texel (x, y) is 0x00xxyy00. */
static uint32_t add_telling(struct shader_scene *s)
{
    uint32_t texels[DIVIDED_SIZE * DIVIDED_SIZE];

    for (unsigned i = 0; i < ARRAY_COUNT(texels); i++)
        texels[i] = i % DIVIDED_SIZE << 16 | i / DIVIDED_SIZE << 8;
    return add_texture(s, D3DFMT_X8R8G8B8, DIVIDED_SIZE, 1, texels, 0);
}

/* Coordinates of the vertex shader are 4 times those of pixels, with 2 and 4: pixels read texels 1 (divided by w) or 4
 * (not divided) times their own place; a division by z would give 2. */
static void reads_times(struct shader_scene *s, uint32_t flags, unsigned times)
{
    float got[4];

    stage_texture_state(&s->stage, 0, D3DTSS_TEXTURETRANSFORMFLAGS, flags);
    draw_quad(s);
    for (unsigned x = 1; x < SIZE; x += 3) {
        const unsigned y = (5 * x) % SIZE;

        read_surface(s, s->stage.target, x, y, got, sizeof(got));
        const long wanted_x = (long)((float)times * ((float)x + DIVIDED_PLACE)) % DIVIDED_SIZE,
                   wanted_y = (long)((float)times * ((float)y + DIVIDED_PLACE)) % DIVIDED_SIZE;

        if (lrintf(got[0] * 255) != wanted_x || lrintf(got[1] * 255) != wanted_y)
            fail_msg("flags %#x, pixel (%u, %u): texel (%ld, %ld) instead of (%ld, %ld)", (unsigned)flags, x, y,
                     lrintf(got[0] * 255), lrintf(got[1] * 255), wanted_x, wanted_y);
    }
}

/* After a vertex shader, which has four components, the texture stages and shaders up to ps_1_3 divide by the last of
 * them, whatever count the flags have; shaders from ps_1_4 on not at all (Wine's test_texture_transform_flags). */
static void test_projection_behind_vertex_shaders(void **state)
{
    static const uint32_t flags[] = {0,
                                     D3DTTFF_COUNT3,
                                     D3DTTFF_PROJECTED,
                                     D3DTTFF_PROJECTED | D3DTTFF_COUNT3,
                                     D3DTTFF_PROJECTED | D3DTTFF_COUNT4,
                                     0xffffffff};
    static const struct {
        const char *shader;
        unsigned times[ARRAY_COUNT(flags)];
    } rows[] = {
        {"ps_1_3\ntex t0\nmov r0, t0\n", {4, 4, 1, 1, 1, 1}},
        {"ps_1_4\ntexld r0, t0\n", {4, 4, 4, 4, 4, 4}},
        {NULL, {4, 4, 1, 1, 1, 1}},
    };
    struct shader_scene *s = *state;

    bind_texture(s, 0, add_telling(s));
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    use_vs(s, "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmul r0, v1.xyww, c0\nadd oT0, r0, c1\n");
    set_floats(s, false, 0, 4, 4, 0, 0);
    set_floats(s, false, 1, 4 * DIVIDED_PLACE / SIZE, 4 * DIVIDED_PLACE / SIZE, 2, 4);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        use_ps(s, rows[i].shader);
        for (unsigned k = 0; k < ARRAY_COUNT(flags); k++)
            reads_times(s, flags[k], rows[i].times[k]);
    }
}

/* The components of t0 that are interpolated: 2D textures of ps_1_1 use two, other textures a third, projected stages
 * divide by the fourth. */
static void test_coordinates_read(void **state)
{
    static const struct {
        const char *shader;
        unsigned mask, third, divisor;
    } rows[] = {
        {"ps_1_1\ntex t0\nmov r0, t0\n", 3, 4, 8},
        {"ps_1_1\ntex t0\ntexreg2ar t1, t0\nmov r0, t1\n", 3, 4, 8},
        {"ps_1_1\ntexcoord t0\nmov r0, t0\n", 7, 0, 0},
        {"ps_1_4\ntexld r0, t0\n", 3, 4, 0},
        {"ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", 3, 4, 0},
        {"ps_2_0\ndcl t0\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n", 15, 0, 0},
        {"ps_2_0\ndcl t0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n", 7, 0, 0},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        uint32_t tokens[64];
        struct shader_program *p =
            shader_compile(tokens, assemble_text(rows[i].shader, tokens, ARRAY_COUNT(tokens)), NULL);

        assert_non_null(p);
        assert_int_equal(p->input_count, 1);
        assert_int_equal(p->input[0].mask, rows[i].mask);
        assert_int_equal(p->input[0].third_mask, rows[i].third);
        assert_int_equal(p->input[0].divisor_mask, rows[i].divisor);
        shader_destroy(p);
    }
}

/* --- depth textures ----------------------------------------------------------------------------- */

static uint32_t add_depth(struct shader_scene *s, uint32_t format, float depth)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_DEPTH | CLIENT_TEXTURE, .format = format, .width = SIZE, .height = SIZE, .levels = 1};
    const uint32_t map = client_handle(client_part(add_surface(s, &desc), 0)),
                   own = client_handle(client_part(s->stage.depth, 0));

    put_words(s, D3DDP2OP_SETDEPTHSTENCIL, &map, 1);
    stage_clear(&s->stage, D3DCLEAR_ZBUFFER, 0, depth, 0);
    put_words(s, D3DDP2OP_SETDEPTHSTENCIL, &own, 1);
    return map;
}

/* The third coordinate is compared with texels of D16, D24X8 and D24S8, although samplers are declared as 2D and other
 * textures are bound before and after; from an input, from a temporary, and from another component (Wine's
 * test_fetch4). */
static void test_comparing_depth(void **state)
{
    static const uint32_t formats[] = {D3DFMT_D16, D3DFMT_D24X8, D3DFMT_D24S8};
    static const char *const shaders[] = {
        "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld r0, v0, s0\nmov oC0, r0\n",
        "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
        "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nadd r1, v0, v0\nmul r1, r1, c0.x\ntexld r0, r1, s0\nmov oC0, r0\n",
        "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld r0, v0.xywz, s0\nmov oC0, r0\n",
    };
    static const uint32_t red[1] = {0xffff0000};
    struct shader_scene *s = *state;
    const uint32_t plain = add_texture(s, D3DFMT_A8R8G8B8, 1, 1, red, 0);

    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\n"
              "mov o0, v0\nmov o1.xy, v1\nmov o1.z, c0.x\nmov o1.w, c0.y\n");
    set_floats(s, true, 0, 0.5f, 0, 0, 0);
    for (unsigned k = 0; k < ARRAY_COUNT(shaders); k++) {
        const bool fourth = k == 3;

        use_ps(s, shaders[k]);
        for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
            bind_texture(s, 0, plain);
            draws(s, 5, 9, 1, 0, 0, 1);
            bind_texture(s, 0, add_depth(s, formats[i], 0.5f));
            set_floats(s, false, 0, fourth ? 0.9f : 0.4f, fourth ? 0.4f : 0.9f, 0, 0);
            draws(s, 5, 9, 1, 1, 1, 1);
            set_floats(s, false, 0, fourth ? 0.1f : 0.6f, fourth ? 0.6f : 0.1f, 0, 0);
            draws(s, 5, 9, 0, 0, 0, 0);
        }
    }
}

/* --- multisampled targets ----------------------------------------------------------------------- */

/* All samples of a pixel get the depth of the shader, and are tested with it. */
static void test_depth_of_samples(void **state)
{
    struct shader_scene *s = *state;
    const struct client_chain_desc color = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE, .samples = 4};
    const struct client_chain_desc depth = {
        .usage = CLIENT_DEPTH, .format = D3DFMT_D24S8, .width = SIZE, .height = SIZE, .samples = 4};
    struct client_chain *target = add_surface(s, &color), *buffer = add_surface(s, &depth);

    stage_submit(&s->stage);
    assert_int_equal(
        client_set_target(s->stage.client, s->stage.context, client_part(target, 0), client_part(buffer, 0)), DD_OK);
    stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
    use_vs(s, VS_PASS_2);
    /* the quad lies at 1/4; the shader says 1/2 on the left half and 3/4 on the right one */
    use_ps(s, "ps_2_0\ndcl t0\ndef c0, 0.5, 0.75, 1, 0\nsub r0, t0.x, c0.x\ncmp r1, r0.x, c0.y, c0.x\nmov oC0, "
              "c0.z\nmov oDepth, r1.x\n");
    draw_quad(s);
    assert_int_equal(word_at(s, target, 3, 3), 0xffffffff);
    /* fixed depth 5/8 passes on the right half alone, in all samples */
    struct quad_vertex between[4];
    memcpy(between, quad, sizeof(between));
    for (unsigned i = 0; i < 4; i++)
        between[i].position[2] = 0.625f;
    use_ps(s, "ps_2_0\ndef c0, 0, 0, 1, 1\nmov oC0, c0\n");
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, between, 4, sizeof(between[0]));
    check(s);
    assert_int_equal(word_at(s, target, 3, 3), 0xffffffff);
    assert_int_equal(word_at(s, target, 12, 3), 0xff0000ff);
    stage_submit(&s->stage);
    assert_int_equal(client_set_target(s->stage.client, s->stage.context, client_part(s->stage.target, 0),
                                       client_part(s->stage.depth, 0)),
                     DD_OK);
}

#define floats(name) cmocka_unit_test_setup_teardown(name, open_floats, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        floats(test_level_of_texld),       floats(test_level_of_texldp),
        floats(test_level_of_texldb),      floats(test_level_of_texldl),
        floats(test_level_of_texldd),      floats(test_texldl_in_dynamic_flow),
        floats(test_sixteen_samplers),     floats(test_unbound_sampler),
        floats(test_vertex_textures),      floats(test_vertex_texture_filters),
        floats(test_many_dependent_reads), floats(test_vertex_texture_that_was_drawn),
        floats(test_derivatives),          floats(test_helper_pixels),
        floats(test_depth_of_samples),     floats(test_reading_the_target),
        floats(test_comparing_depth),      floats(test_projection_behind_vertex_shaders),
        floats(test_coordinates_read),
    };

    return cmocka_run_group_tests_name("textures in shaders", tests, NULL, NULL);
}
