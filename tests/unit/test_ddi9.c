/* SPDX-License-Identifier: MIT */
/*
 * The demands of the pages about DirectX 9 drivers on tokens and calls, one function for one or more rows of
 * docs/ddi9-coverage.md that no other test covers. Colours are read from a target of floats.
 */
#include "d3d/states.h"
#include "tests/unit/shader_stage.h"

enum { FLOAT1_TYPE, FLOAT2_TYPE, FLOAT3_TYPE, FLOAT4_TYPE, SHORT2_TYPE = 6 };
enum { USAGE_POSITION = 0, USAGE_TEXCOORD = 5, USAGE_POSITIONT = 9 };
enum { QUERY_EVENT = 8, QUERY_OCCLUSION = 9, ISSUE_END = 1, ISSUE_BEGIN = 2 };

static uint32_t handle_of(struct client_chain *chain)
{
    return client_handle(client_part(chain, 0));
}

static struct client_chain *add_picture(struct shader_scene *s, uint32_t usage, uint32_t format, unsigned size,
                                        unsigned levels)
{
    const struct client_chain_desc desc = {
        .usage = usage, .format = format, .width = size, .height = size, .levels = levels};

    return add_surface(s, &desc);
}

static uint32_t first_word(struct client_surface *surface)
{
    struct client_lock lock;
    uint32_t word;

    assert_int_equal(client_lock(surface, NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&word, lock.bits, sizeof(word));
    client_unlock(surface);
    return word;
}

/* --- copies -------------------------------------------------------------------------------------- */

/* B3: BLT without a flag, with DP2BLT_POINT and with DP2BLT_LINEAR; two texels become four. */
static void test_filters_of_copies(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *from = add_picture(s, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 4, 1);
    struct client_chain *to = add_picture(s, CLIENT_TEXTURE | CLIENT_TARGET, D3DFMT_A8R8G8B8, 4, 1);
    const RECT right = {1, 0, 4, 4};
    struct client_lock lock;
    uint32_t row[3][4];

    assert_int_equal(client_fill(client_part(from, 0), NULL, 0), DD_OK);
    assert_int_equal(client_fill(client_part(from, 0), &right, 0xff808080), DD_OK);
    for (uint32_t flags = 0; flags < 3; flags++) {
        const uint32_t blt[13] = {handle_of(from), 0, 0, 2, 2, 0, handle_of(to), 0, 0, 4, 4, 0, flags};

        put_words(s, D3DDP2OP_BLT, blt, 13);
        stage_submit(&s->stage);
        check(s);
        assert_int_equal(client_lock(client_part(to, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        memcpy(row[flags], lock.bits, sizeof(row[flags]));
        client_unlock(client_part(to, 0));
    }
    assert_int_equal(DP2BLT_POINT, 1);
    assert_int_equal(DP2BLT_LINEAR, 2);
    const uint32_t point[4] = {0, 0, 0xff808080, 0xff808080};

    assert_memory_equal(row[DP2BLT_POINT], point, sizeof(point));
    assert_int_equal(row[DP2BLT_LINEAR][0], 0);
    assert_in_range(row[DP2BLT_LINEAR][1] & 0xff, 0x1f, 0x21); /* a quarter */
    assert_in_range(row[DP2BLT_LINEAR][2] & 0xff, 0x5f, 0x61);
    assert_int_equal(row[DP2BLT_LINEAR][3], 0xff808080);
    /* The driver chooses one of the two. */
    assert_true(!memcmp(row[0], row[1], sizeof(row[0])) || !memcmp(row[0], row[2], sizeof(row[0])));
}

/* B4: the flags of SURFACEBLT mean nothing. */
static void test_flags_of_system_copies(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *from = add_picture(s, CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 8, 1);
    struct client_chain *to = add_picture(s, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 1);
    const uint32_t blt[13] = {handle_of(from), 0, 0, 8, 8, 0, handle_of(to), 0, 0, 8, 8, 0, 0xffffffff};

    assert_int_equal(client_fill(client_part(from, 0), NULL, 0x12345678), DD_OK);
    put_words(s, D3DDP2OP_SURFACEBLT, blt, 13);
    stage_submit(&s->stage);
    check(s);
    assert_int_equal(first_word(client_part(to, 0)), 0x12345678);
}

/* B9: the destination has more levels than the source. B11: TEXBLT to handle 0 makes the source ready and nothing
 * else, whatever rectangle and point say. */
static void test_texture_copies(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *from = add_picture(s, CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 16, 3);
    struct client_chain *to = add_picture(s, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 5);
    const uint32_t copy[9] = {handle_of(to), handle_of(from), 0, 0, 0, 0, 16, 16, 0};
    const uint32_t ready[9] = {0, handle_of(to), 0x7fffffff, 0x80000000, 9, 9, 0x7fffffff, 2, 0};

    for (unsigned level = 0; level < 5; level++)
        assert_int_equal(client_fill(client_part(to, level), NULL, 0x20 + level), DD_OK);
    for (unsigned level = 0; level < 3; level++)
        assert_int_equal(client_fill(client_part(from, level), NULL, 0x10 + level), DD_OK);
    put_words(s, D3DDP2OP_TEXBLT, copy, 9);
    put_words(s, D3DDP2OP_TEXBLT, ready, 9);
    stage_submit(&s->stage);
    check(s);
    for (unsigned level = 0; level < 5; level++)
        assert_int_equal(first_word(client_part(to, level)), (level < 3 ? 0x10 : 0x20) + level);
}

/* M9: levels from the first one, by the filter that the token names. */
static void test_filter_of_generated_levels(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *texture = add_picture(s, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 4, 3);
    struct client_lock lock;

    for (uint32_t filter = 1; filter <= 2; filter++) { /* D3DTEXF_POINT, D3DTEXF_LINEAR */
        const uint32_t generate[2] = {handle_of(texture), filter};

        assert_int_equal(client_lock(client_part(texture, 0), NULL, 0, &lock), DD_OK);
        for (unsigned y = 0; y < 4; y++)
            for (unsigned x = 0; x < 4; x++)
                memset(lock.bits + y * lock.pitch + 4 * x, (x ^ y) & 1 ? 0xff : 0, 4);
        client_unlock(client_part(texture, 0));
        put_words(s, D3DDP2OP_GENERATEMIPSUBLEVELS, generate, 2);
        stage_submit(&s->stage);
        check(s);
        for (unsigned level = 1; level < 3; level++) {
            const uint32_t word = first_word(client_part(texture, level));

            if (filter == 2) /* the mean of a chequered pattern, else one of its texels */
                assert_in_range(word & 0xff, 0x7f, 0x80);
            else
                assert_true(word == 0 || word == 0xffffffff);
        }
    }
}

/* --- vertices -------------------------------------------------------------------------------------- */

/* E1: declaration 3 and vertex shader 3 are two objects; deleting one leaves the other. */
static void test_names_of_declarations_and_code(void **state)
{
    struct shader_scene *s = *state;
    const uint32_t three = 3;

    s->next_handle = 3;
    declare(s, quad_elements, 3);
    s->next_handle = 3;
    use_vs(s, VS_PASS);
    s->next_handle = 11;
    use_ps(s, "ps_3_0\ndef c0, 0.25, 0.5, 0.75, 1\nmov oC0, c0\n");
    draws(s, 8, 8, 0.25f, 0.5f, 0.75f, 1);
    declare(s, quad_elements, 3);
    put_words(s, D3DDP2OP_DELETEVERTEXSHADERDECL, &three, 1);
    use_ps(s, "ps_3_0\ndef c0, 0.5, 0.5, 0.75, 1\nmov oC0, c0\n");
    draws(s, 8, 8, 0.5f, 0.5f, 0.75f, 1); /* code 3 is still there */
    s->next_handle = 3;
    declare(s, quad_elements, 3);
    use_vs(s, VS_PASS);
    put_words(s, D3DDP2OP_DELETEVERTEXSHADERFUNC, &three, 1);
    put_words(s, D3DDP2OP_SETVERTEXSHADERDECL, &three, 1);
    use_ps(s, "ps_3_0\ndef c0, 0.75, 0.5, 0.75, 1\nmov oC0, c0\n");
    draws(s, 8, 8, 0.75f, 0.5f, 0.75f, 1); /* declaration 3 is still there */
}

/* E7: elements that share an offset with other types, and elements that begin in the middle of another. Offsets are
 * multiples of 4: the API accepts no others. */
static void test_elements_share_offsets(void **state)
{
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, USAGE_POSITION, 0},
                                              {0, 0, FLOAT1_TYPE, 0, USAGE_TEXCOORD, 0},
                                              {0, 4, FLOAT2_TYPE, 0, USAGE_TEXCOORD, 1},
                                              {0, 8, SHORT2_TYPE, 0, USAGE_TEXCOORD, 2}};
    struct shader_scene *s = *state;
    const uint32_t depth_bits = 0x3e800123; /* about 1/4; as two numbers: 291, 16000 */
    float corner[4][4] = {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}, {1, -1, 0, 1}}, depth;

    for (unsigned i = 0; i < 4; i++)
        memcpy(&corner[i][2], &depth_bits, sizeof(depth_bits));
    memcpy(&depth, &depth_bits, sizeof(depth));
    declare(s, elements, ARRAY_COUNT(elements));
    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_texcoord2 v3\n"
              "dcl_position o0\ndcl_texcoord0 o1\nmov o0, v0\nmov o1.x, v1\nmov o1.y, v2.x\nadd o1.z, v2.y, v3.x\n"
              "mov o1.w, v3.y\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, corner, 4, sizeof(corner[0]));
    check(s);
    pixel_is(s, 4, 8, -0.5f, 0, 291 + depth, 16000);
    pixel_is(s, 8, 4, 0, 0.5f, 291 + depth, 16000);
}

/* E9: pixel shaders see four components of each set: 0 for those that vertices lack, 1 for a missing fourth. This holds
 * for transformed vertices; the missing fourth of others is 0 on Windows (docs/reference/vertex-processing.md, section
 * 8), except of a set that is missing. */
static void check_missing_coordinates(struct shader_scene *s, bool transformed)
{
    struct {
        float position[4], coordinates[4];
    } vertices[4];

    for (unsigned i = 0; i < 4; i++) {
        const float pixels[4] = {i & 1 ? SIZE - 0.5f : -0.5f, i & 2 ? SIZE - 0.5f : -0.5f, 0, 1};

        memcpy(vertices[i].position, transformed ? pixels : quad[i].position, sizeof(pixels));
        for (unsigned c = 0; c < 4; c++)
            vertices[i].coordinates[c] = 2.0f + (float)c;
    }
    for (uint8_t type = FLOAT1_TYPE; type <= FLOAT4_TYPE; type++) {
        const struct element elements[] = {
            {0, 0, transformed ? FLOAT4_TYPE : FLOAT3_TYPE, 0, transformed ? USAGE_POSITIONT : USAGE_POSITION, 0},
            {0, 16, type, 0, USAGE_TEXCOORD, 1}};

        declare(s, elements, ARRAY_COUNT(elements));
        use_ps(s, "ps_2_0\ndcl t1\nmov r0, t1\nmov oC0, r0\n");
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, vertices, 4, sizeof(vertices[0]));
        check(s);
        pixel_is(s, 8, 8, 2, type > FLOAT1_TYPE ? 3 : 0, type > FLOAT2_TYPE ? 4 : 0,
                 type > FLOAT3_TYPE ? 5
                 : transformed      ? 1
                                    : 0);
        use_ps(s, "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n");
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, vertices, 4, sizeof(vertices[0]));
        check(s);
        pixel_is(s, 8, 8, 0, 0, 0, 1);
    }
}

static void test_missing_coordinates(void **state)
{
    check_missing_coordinates(*state, true);
    check_missing_coordinates(*state, false);
}

/* S1: two formats in one buffer at two offsets. S7: dividers that no runtime sends leave the driver usable. */
static void test_stream_offsets_and_dividers(void **state)
{
    static const uint32_t wild[][2] = {{0, 0}, {99, 1}, {0, 0x20000005}, {1, 0xc0000000}, {0xffffffff, 0xffffffff}};
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, USAGE_POSITION, 0},
                                              {1, 0, FLOAT2_TYPE, 0, USAGE_TEXCOORD, 0}};
    struct shader_scene *s = *state;
    struct {
        float positions[4][4], pairs[4][2];
    } data = {.pairs = {{7, 8}, {7, 8}, {7, 8}, {7, 8}}};
    const uint32_t draw[3] = {D3DPT_TRIANGLESTRIP, 0, 2};

    for (unsigned i = 0; i < 4; i++)
        memcpy(data.positions[i], quad[i].position, sizeof(data.positions[i]));
    const uint32_t buffer = stage_buffer(&s->stage, false, 0, &data, sizeof(data));

    declare(s, elements, ARRAY_COUNT(elements));
    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_texcoord0 v1\ndcl_position o0\ndcl_texcoord0 o1\nmov o0, v0\nmov o1, v1\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    for (unsigned i = 0; i <= ARRAY_COUNT(wild); i++) {
        const uint32_t first[4] = {0, buffer, 0, 16}, second[4] = {1, buffer, sizeof(data.positions), 8};

        if (i < ARRAY_COUNT(wild)) {
            put_words(s, D3DDP2OP_SETSTREAMSOURCEFREQ, wild[i], 2);
            put_words(s, D3DDP2OP_DRAWPRIMITIVE, draw, 3);
            stage_submit(&s->stage);
            (void)stage_take_error(&s->stage);
        }
        for (uint32_t stream = 0; stream < 2; stream++) {
            const uint32_t plain[2] = {stream, 1};

            put_words(s, D3DDP2OP_SETSTREAMSOURCEFREQ, plain, 2);
        }
        put_words(s, D3DDP2OP_SETSTREAMSOURCE2, first, 4);
        put_words(s, D3DDP2OP_SETSTREAMSOURCE2, second, 4);
        stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1.0f, 0);
        put_words(s, D3DDP2OP_DRAWPRIMITIVE, draw, 3);
        pixel_is(s, 8, 8, 7, 8, 0, 1);
    }
}

#define POINTS 4

/* An index buffer for as many points; returns its handle. */
static uint32_t add_indices(struct shader_scene *s)
{
    const struct client_chain_desc desc = {.usage = CLIENT_INDEX_BUFFER, .width = POINTS * sizeof(uint16_t)};
    struct client_chain *chain = add_surface(s, &desc);
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(chain, 0), NULL, 0, &lock), DD_OK);
    for (uint16_t i = 0; i < POINTS; i++)
        memcpy(lock.bits + i * sizeof(i), &i, sizeof(i));
    client_unlock(client_part(chain, 0));
    return handle_of(chain);
}

/* S3 to S5: a divider of 2 gives each element of a stream to two vertices, with vertex shaders 3.0 and without indices;
 * each component of the stream is divided. */
static void check_divider(struct shader_scene *s, const uint32_t stream[2], const char *program, bool indexed)
{
    const uint32_t indices = indexed ? add_indices(s) : 0;
    const uint32_t first[4] = {0, stream[0], 0, 16}, second[4] = {1, stream[1], 0, 12};
    const uint32_t plain[2] = {0, 1}, frequency[2] = {1, 2}, bind[2] = {indices, 2};
    const uint32_t draw[3] = {D3DPT_POINTLIST, 0, POINTS}, draw_indexed[6] = {D3DPT_POINTLIST, 0, 0, POINTS, 0, POINTS};
    const bool divides = !indexed && !strncmp(program, "vs_3_0", 6);

    use_vs(s, program);
    use_ps(s,
           program[3] == '3' ? "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n" : "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n");
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1.0f, 0);
    put_words(s, D3DDP2OP_SETSTREAMSOURCE2, first, 4);
    put_words(s, D3DDP2OP_SETSTREAMSOURCE2, second, 4);
    put_words(s, D3DDP2OP_SETSTREAMSOURCEFREQ, plain, 2);
    put_words(s, D3DDP2OP_SETSTREAMSOURCEFREQ, frequency, 2);
    put_words(s, D3DDP2OP_SETINDICES, bind, 2);
    if (indexed)
        put_words(s, D3DDP2OP_DRAWINDEXEDPRIMITIVE, draw_indexed, 6);
    else
        put_words(s, D3DDP2OP_DRAWPRIMITIVE, draw, 3);
    for (unsigned i = 0; i < POINTS; i++) {
        const float element = (float)(divides ? i / 2 : i);

        pixel_is(s, 2 + 3 * i, 8, element, 10 + element, 20 + element, 1);
    }
}

static void test_what_dividers_apply_to(void **state)
{
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, USAGE_POSITION, 0},
                                              {1, 0, FLOAT2_TYPE, 0, USAGE_TEXCOORD, 0},
                                              {1, 8, FLOAT1_TYPE, 0, USAGE_TEXCOORD, 1}};
    struct shader_scene *s = *state;
    float position[POINTS][4], values[POINTS][3];

    for (unsigned i = 0; i < POINTS; i++) {
        const float x = (float)(2 + 3 * i);

        memcpy(position[i], (float[4]){2 * x / SIZE - 1, 0, 0, 1}, sizeof(position[i]));
        memcpy(values[i], (float[3]){(float)i, (float)(10 + i), (float)(20 + i)}, sizeof(values[i]));
    }
    const uint32_t stream[2] = {stage_buffer(&s->stage, false, 0, position, sizeof(position)),
                                stage_buffer(&s->stage, false, 0, values, sizeof(values))};

    declare(s, elements, ARRAY_COUNT(elements));
    for (unsigned indexed = 0; indexed < 2; indexed++) {
        check_divider(s, stream,
                      "vs_3_0\ndcl_position v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_position o0\n"
                      "dcl_texcoord0 o1\nmov o0, v0\nmov o1.xyw, v1\nmov o1.z, v2.x\n",
                      indexed);
        check_divider(s, stream,
                      "vs_2_0\ndcl_position v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\nmov oPos, v0\n"
                      "mov oT0.xyw, v1\nmov oT0.z, v2.x\n",
                      indexed);
    }
}

/* --- targets ----------------------------------------------------------------------------------------- */

/* T2: a context without a first target draws and clears nothing; a target set later is drawn to. */
static void test_no_target(void **state)
{
    struct shader_scene *s = *state;
    const uint32_t none[2] = {0, 0}, first[2] = {0, handle_of(s->stage.target)};

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 2, 3, 4\nmov oC0, c0\n");
    draws(s, 8, 8, 1, 2, 3, 4);
    put_words(s, D3DDP2OP_SETRENDERTARGET2, none, 2);
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0xffffffff, 1.0f, 0);
    use_ps(s, "ps_3_0\ndef c0, 5, 6, 7, 8\nmov oC0, c0\n");
    draw_quad(s);
    put_words(s, D3DDP2OP_SETRENDERTARGET2, first, 2);
    pixel_is(s, 8, 8, 1, 2, 3, 4);
    draws(s, 8, 8, 5, 6, 7, 8);
}

/* F1: channels that a format lacks read as 1, here of texels whose bits are all 0. */
static void test_absent_channels(void **state)
{
    static const struct {
        uint32_t format;
        float color[4];
    } rows[] = {
        {111 /* R16F */, {0, 1, 1, 1}},
        {112 /* G16R16F */, {0, 0, 1, 1}},
        {FORMAT_R32F, {0, 1, 1, 1}},
        {115 /* G32R32F */, {0, 0, 1, 1}},
        {34 /* G16R16 */, {0, 0, 1, 1}},
        {81 /* L16 */, {0, 0, 0, 1}},
        {D3DFMT_L8, {0, 0, 0, 1}},
        {D3DFMT_R5G6B5, {0, 0, 0, 1}},
        {D3DFMT_X8R8G8B8, {0, 0, 0, 1}},
        {D3DFMT_V8U8, {0, 0, 1, 1}},
        {D3DFMT_V16U16, {0, 0, 1, 1}},
        {D3DFMT_A8, {0, 0, 0, 0}},
        {FORMAT_A32B32G32R32F, {0, 0, 0, 0}},
    };
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndcl_2d s0\ntexld r0, v0, s0\nmov oC0, r0\n");
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        struct client_chain *texture = add_picture(s, CLIENT_TEXTURE, rows[i].format, 4, 1);
        struct client_lock lock;

        assert_int_equal(client_lock(client_part(texture, 0), NULL, 0, &lock), DD_OK);
        for (unsigned y = 0; y < 4; y++)
            memset(lock.bits + y * lock.pitch, 0, lock.pitch);
        client_unlock(client_part(texture, 0));
        stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, handle_of(texture));
        draw_quad(s);
        pixel_is(s, 8, 8, rows[i].color[0], rows[i].color[1], rows[i].color[2], rows[i].color[3]);
    }
}

/* Z2: MIPMAPLODBIAS moves the level by whole levels from -3 to 3. */
static void test_level_bias(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *texture = add_picture(s, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 128, 8);

    for (unsigned level = 0; level < 8; level++) /* 128 texels over 16 pixels: level 3 without a bias */
        assert_int_equal(client_fill(client_part(texture, level), NULL, level * 0x10101), DD_OK);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndcl_2d s0\ntexld r0, v0, s0\nmov oC0, r0\n");
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, handle_of(texture));
    stage_texture_state(&s->stage, 0, D3DTSS_MIPFILTER, D3DTEXF_POINT);
    for (int bias = -3; bias <= 3; bias++) {
        const float value = (float)bias;
        uint32_t bits;

        memcpy(&bits, &value, sizeof(bits));
        stage_texture_state(&s->stage, 0, D3DTSS_MIPMAPLODBIAS, bits);
        draw_quad(s);
        pixel_is(s, 8, 8, (float)(3 + bias) / 255, (float)(3 + bias) / 255, (float)(3 + bias) / 255, 0);
    }
}

/* --- queries -------------------------------------------------------------------------------------------- */

/* Runs the commands so far; the bytes of the answers, which are copied to `answer`. */
static unsigned run(struct shader_scene *s, uint32_t answer[16])
{
    struct stage *stage = &s->stage;
    struct client_draw draw = {.context = stage->context,
                               .commands = client_part(stage->commands, 0),
                               .command_length = (uint32_t)stage->builder.length};
    struct client_lock lock;

    assert_int_equal(client_unlock(draw.commands), DD_OK);
    assert_int_equal(client_draw(stage->client, &draw), DD_OK);
    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    assert_true(draw.error_offset <= 16 * sizeof(*answer));
    memcpy(answer, lock.bits, draw.error_offset);
    stage->command_lock = lock;
    dp2_builder_init(&stage->builder, lock.bits, stage->builder.capacity);
    return draw.error_offset;
}

/* Q2: tokens with two entries. Q3: nothing is answered between BEGIN and END. Q5, Q7: buffers without answers, empty ones
 * included, leave dwErrorOffset 0. Q8: an event's answer is TRUE. */
static void test_pairs_of_queries(void **state)
{
    static const uint32_t create[4] = {31, QUERY_EVENT, 32, QUERY_OCCLUSION};
    static const uint32_t begin[4] = {32, ISSUE_BEGIN, 31, 0}, end[4] = {31, ISSUE_END, 32, ISSUE_END};
    static const uint32_t gone[2] = {31, 32};
    struct shader_scene *s = *state;
    uint32_t answer[16];

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
    stage_command(&s->stage, D3DDP2OP_CREATEQUERY, 2, create, sizeof(create));
    stage_command(&s->stage, D3DDP2OP_ISSUEQUERY, 2, begin, sizeof(begin));
    assert_int_equal(run(s, answer), 0);
    draw_quad(s);
    assert_int_equal(run(s, answer), 0);
    assert_int_equal(run(s, answer), 0);
    stage_command(&s->stage, D3DDP2OP_ISSUEQUERY, 2, end, sizeof(end));
    unsigned bytes = run(s, answer);

    while (!bytes)
        bytes = run(s, answer);
    assert_int_equal(bytes, 8 + 2 * 12);
    const uint32_t want[8] = {D3DDP2OP_RESPONSEQUERY | 2u << 16, 32, 31, 4, TRUE, 32, 4, SIZE * SIZE};

    assert_memory_equal(answer, want, sizeof(want));
    stage_command(&s->stage, D3DDP2OP_DELETEQUERY, 2, gone, sizeof(gone));
    assert_int_equal(run(s, answer), 0);
}

/* Issues one query around draws to the targets of `order`, letters of a plain target (p) and one with samples (s). */
static uint32_t count_over(struct shader_scene *s, struct client_chain *samples, const char *order)
{
    const uint32_t query[2] = {33, QUERY_OCCLUSION}, begin[2] = {33, ISSUE_BEGIN}, end[2] = {33, ISSUE_END};
    uint32_t answer[16];

    put_words(s, D3DDP2OP_CREATEQUERY, query, 2);
    put_words(s, D3DDP2OP_ISSUEQUERY, begin, 2);
    for (; *order; order++) {
        const uint32_t target[2] = {0, handle_of(*order == 's' ? samples : s->stage.target)};

        put_words(s, D3DDP2OP_SETRENDERTARGET2, target, 2);
        draw_quad(s);
    }
    put_words(s, D3DDP2OP_ISSUEQUERY, end, 2);
    unsigned bytes = run(s, answer);

    while (!bytes) /* the scene is still being drawn: the runtime asks again with an empty buffer */
        bytes = run(s, answer);
    assert_int_equal(bytes, 8 + 12);
    put_words(s, D3DDP2OP_DELETEQUERY, query, 1);
    return answer[4];
}

/* Q10: the count continues over targets of different sample counts. Q9 says pixels, but Windows counts samples
 * (docs/directx9.md): here those of a quad that misses half of the samples in the first column and row. */
static void test_count_over_sample_counts(void **state)
{
    struct shader_scene *s = *state;
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE, .samples = 4};
    struct client_chain *samples = add_surface(s, &desc);
    const uint32_t no_depth = 0;

    put_words(s, D3DDP2OP_SETDEPTHSTENCIL, &no_depth, 1);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
    assert_int_equal(count_over(s, samples, "p"), SIZE * SIZE);
    assert_int_equal(count_over(s, samples, "s"), 4 * SIZE * SIZE - 2 * 2 * SIZE + 1);
    assert_int_equal(count_over(s, samples, "psp"), 6 * SIZE * SIZE - 2 * 2 * SIZE + 1);
    assert_int_equal(count_over(s, samples, "sspss"), 17 * SIZE * SIZE - 4 * (2 * 2 * SIZE - 1));
}

/* P1: a flip that may not wait is done. */
static void test_flip_without_waiting(void **state)
{
    struct shader_scene *s = *state;
    const struct client_chain_desc desc = {
        .usage = CLIENT_PRIMARY | CLIENT_TARGET, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8, .back_buffers = 1};
    struct client_chain *chain = add_surface(s, &desc);

    assert_int_equal(client_fill(client_part(chain, 1), NULL, 0x123456), DD_OK);
    for (unsigned i = 0; i < 10; i++) {
        const HRESULT hr = client_flip(client_part(chain, 0), client_part(chain, 1), 0x20 /* DDFLIP_DONOTWAIT */);

        assert_true(hr == DD_OK || hr == DDERR_WASSTILLDRAWING);
        if (i == 0) {
            assert_int_equal(hr, DD_OK);
            assert_int_equal(first_word(client_part(chain, 0)) & 0xffffff, 0x123456);
        }
    }
}

int main(void)
{
#define ON_FLOATS(function) cmocka_unit_test_setup_teardown(function, open_floats, close_stage)
    const struct CMUnitTest tests[] = {
        ON_FLOATS(test_filters_of_copies),
        ON_FLOATS(test_flags_of_system_copies),
        ON_FLOATS(test_texture_copies),
        ON_FLOATS(test_filter_of_generated_levels),
        ON_FLOATS(test_names_of_declarations_and_code),
        ON_FLOATS(test_elements_share_offsets),
        ON_FLOATS(test_missing_coordinates),
        ON_FLOATS(test_stream_offsets_and_dividers),
        ON_FLOATS(test_what_dividers_apply_to),
        ON_FLOATS(test_no_target),
        ON_FLOATS(test_absent_channels),
        ON_FLOATS(test_level_bias),
        ON_FLOATS(test_pairs_of_queries),
        ON_FLOATS(test_count_over_sample_counts),
        ON_FLOATS(test_flip_without_waiting),
    };
#undef ON_FLOATS

    return cmocka_run_group_tests(tests, NULL, NULL);
}
