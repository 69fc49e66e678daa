/* SPDX-License-Identifier: MIT */
/* Feedback of vertex textures: the map has what the vertices of a draw read, and nothing else. */
#include "tests/unit/feedback_stage.h"

#define FIRST 257u /* D3DVERTEXTEXTURESAMPLER0 */

/* The colour of a vertex is a texel at its coordinates, of level w. */
#define VS_READ(sampler)                                                                                  \
    "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s" #sampler "\ndcl_position o0\ndcl_texcoord0 o1\n" \
    "texldl r0, v1, s" #sampler "\nmov o0, v0\nmov o1, r0\n"
#define PS_PASS "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n"

/* Vertices at the corners of the target that read the given regions (of 4x4). */
static void place(struct quad_vertex *v, unsigned count, const uint8_t (*region)[2], float level)
{
    for (unsigned i = 0; i < count; i++) {
        v[i] = quad[i & 3];
        v[i].texcoord[0] = ((float)region[i][0] + 0.5f) / 4;
        v[i].texcoord[1] = ((float)region[i][1] + 0.5f) / 4;
        v[i].texcoord[3] = level;
    }
}

static struct client_chain *prepare(struct shader_scene *s)
{
    struct client_chain *map = add_map(s, false, 64, 64, 2, 4);

    set_sampler(s, FIRST, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 2)), D3DTEXF_POINT, D3DTEXF_POINT);
    stage_texture_state(&s->stage, FIRST, D3D_TSS_FEEDBACK, handle_of(map));
    use_vs(s, VS_READ(0));
    use_ps(s, PS_PASS);
    return map;
}

static void draw_indexed(struct shader_scene *s, const struct quad_vertex *vertices, unsigned count,
                         D3DPRIMITIVETYPE type, unsigned primitives, const uint16_t *indices, unsigned index_count)
{
    const uint32_t buffer = stage_buffer(&s->stage, false, 0, vertices, count * (unsigned)sizeof(*vertices));
    const uint32_t order = stage_buffer(&s->stage, true, 0, indices, index_count * 2);
    const uint32_t source[3] = {0, buffer, sizeof(*vertices)}, from[2] = {order, 2};
    const uint32_t draw[6] = {type, 0, 0, count, 0, primitives};

    put_words(s, D3DDP2OP_SETSTREAMSOURCE, source, 3);
    put_words(s, D3DDP2OP_SETINDICES, from, 2);
    put_words(s, D3DDP2OP_DRAWINDEXEDPRIMITIVE, draw, 6);
}

static void test_all_vertices(void **state)
{
    static const uint8_t region[4][2] = {{0, 0}, {3, 1}, {2, 2}, {1, 3}};
    struct shader_scene *s = *state;
    struct client_chain *map = prepare(s);
    struct quad_vertex v[4];

    place(v, 4, region, 0);
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    EXPECT_USED(s, map, 0, "#...", "...#", "..#.", ".#..");
    EXPECT_USED(s, map, 1, "..", "..");
    place(v, 4, region, 1);
    v[3].texcoord[0] = 0.9f;
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 1, v, 3, sizeof(v[0]));
    EXPECT_USED(s, map, 1, "##", ".#");
}

/* Paired with the texture, on the last sampler. */
static void test_paired(void **state)
{
    static const uint8_t region[4][2] = {{0, 0}, {3, 1}, {2, 2}, {1, 3}};
    struct shader_scene *s = *state;
    struct client_chain *map = prepare(s), *texture = add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 2);
    const uint32_t pair[2] = {handle_of(texture), handle_of(map)};
    struct quad_vertex v[4];

    stage_texture_state(&s->stage, FIRST, D3D_TSS_FEEDBACK, 0);
    set_sampler(s, FIRST + 3, pair[0], D3DTEXF_POINT, D3DTEXF_POINT);
    put_words(s, DP2OP_SETFEEDBACK, pair, 2);
    use_vs(s, VS_READ(3));
    place(v, 4, region, 0);
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    EXPECT_USED(s, map, 0, "#...", "...#", "..#.", ".#..");
}

/* All vertices between the least and the greatest index are processed; those that no index names do not read. */
static void test_unnamed_vertices(void **state)
{
    static const uint8_t region[6][2] = {{0, 0}, {3, 1}, {2, 2}, {1, 3}, {2, 0}, {0, 3}};
    static const uint16_t indices[3] = {0, 3, 4};
    struct shader_scene *s = *state;
    struct client_chain *map = prepare(s);
    struct quad_vertex v[6];

    place(v, 6, region, 0);
    draw_indexed(s, v, 6, D3DPT_TRIANGLELIST, 1, indices, 3);
    EXPECT_USED(s, map, 0, "#.#.", "....", "....", ".#..");
}

/* Indices after the last vertex name a vertex whose coordinates are 0. */
static void test_vertices_beyond_the_stream(void **state)
{
    static const uint8_t region[6][2] = {{0, 0}, {3, 1}, {2, 2}, {1, 3}, {2, 0}, {0, 3}};
    static const uint16_t indices[6] = {3000, 3, 4, 4, 900, 5};
    struct shader_scene *s = *state;
    struct client_chain *map = prepare(s);
    struct quad_vertex v[6];

    place(v, 6, region, 0);
    draw_indexed(s, v, 6, D3DPT_TRIANGLELIST, 2, indices, 6);
    EXPECT_USED(s, map, 0, "#.#.", "....", "....", "##..");
}

/* Lanes that a branch keeps from reading. */
static void test_branch(void **state)
{
    static const uint8_t region[4][2] = {{0, 0}, {3, 1}, {2, 2}, {1, 3}};
    struct shader_scene *s = *state;
    struct client_chain *map = prepare(s);
    struct quad_vertex v[4];

    use_vs(
        s,
        "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s0\ndcl_position o0\ndcl_texcoord0 o1\ndef c0, 0.5, 0, 0, 0\n"
        "mov r0, c0.y\nif_lt v1.x, c0.x\ntexldl r0, v1, s0\nendif\nmov o0, v0\nmov o1, r0\n");
    place(v, 4, region, 0);
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    EXPECT_USED(s, map, 0, "#...", "....", "....", ".#..");
}

/* Vertices and pixels of a draw record in one map. */
static void test_with_pixels(void **state)
{
    static const uint8_t region[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    struct shader_scene *s = *state;
    struct client_chain *map = prepare(s);
    struct quad_vertex v[4];

    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 2)), D3DTEXF_POINT, D3DTEXF_NONE);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    use_ps(s, "ps_3_0\ndcl_2d s0\ndef c0, 0.9, 0.9, 0, 0\ntexldl r0, c0, s0\nmov oC0, r0\n");
    place(v, 4, region, 0);
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    EXPECT_USED(s, map, 0, "##..", "##..", "....", "...#");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        scenes(test_all_vertices),     scenes(test_paired),
        scenes(test_unnamed_vertices), scenes(test_vertices_beyond_the_stream),
        scenes(test_branch),           scenes(test_with_pixels),
    };

    return cmocka_run_group_tests_name("feedback of vertex textures", tests, NULL, NULL);
}
