/* SPDX-License-Identifier: MIT */
/*
 * Records of a map other than reads: requests, for textures that lack their finest levels or hold them back, and writes
 * without a texture, in the forms of WriteSamplerFeedback with and without the clamp. All samplers, volumes, textures
 * with a side below 8.
 */
#include "tests/unit/feedback_stage.h"

#define REQUESTS DDI_FEEDBACK_REQUESTS
#define WRITES   DDI_FEEDBACK_WRITES

static void put_beside(struct shader_scene *s, unsigned stage, struct client_chain *map, enum ddi_feedback_mode mode)
{
    stage_texture_state(&s->stage, stage, D3D_TSS_FEEDBACK, handle_of(map));
    stage_texture_state(&s->stage, stage, D3D_TSS_FEEDBACKMODE, mode);
}

/* `texels` of level 0 of a texture of `size` texels for each pixel of the target, from its upper left corner. */
static void draw_rate(struct shader_scene *s, float texels, float size)
{
    draw_coordinates(s, 0, 0, texels * SIZE / size, texels * SIZE / size);
}

/* --- requests ------------------------------------------------------------------------------------------- */

/* A texture that is resident only from level 2 on requests level 0. */
static void test_levels_that_are_not_there(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4);

    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 16, 16, 3)), D3DTEXF_POINT, D3DTEXF_POINT);
    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    put_beside(s, 0, map, DDI_FEEDBACK_READS); /* the map is not the texture's */
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "....", "....", "....", "....");
    put_beside(s, 0, map, REQUESTS);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "0...", "....", "....", "....");
    draw_rate(s, 2, 64);
    EXPECT_MIN_MIP(s, map, "01..", "11..", "....", "....");
    draw_rate(s, 4, 64);
    EXPECT_MIN_MIP(s, map, "0122", "1122", "2222", "2222");
}

/* Neither D3DTSS_MAXMIPLEVEL nor SetLOD affects a request; they do affect reads. */
static void test_levels_that_are_held_back(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4), *texture = add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 5);
    const uint32_t lod[2] = {handle_of(texture), 3};

    set_sampler(s, 0, handle_of(texture), D3DTEXF_POINT, D3DTEXF_POINT);
    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    put_beside(s, 0, map, DDI_FEEDBACK_READS);
    stage_texture_state(&s->stage, 0, D3DTSS_MAXMIPLEVEL, 2);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "2222", "2222", "2222", "2222");
    put_beside(s, 0, map, REQUESTS);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "0222", "2222", "2222", "2222");
    client_fill(client_part(map, 0), NULL, 0);
    put_words(s, D3DDP2OP_SETTEXLOD, lod, 2);
    draw_rate(s, 2, 64);
    EXPECT_MIN_MIP(s, map, "11..", "11..", "....", "....");
}

/* Odd sizes: computed from the sizes of the map, not from the resident ones. */
static void test_odd_sizes(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 35, 35, 3, 2);

    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 17, 17, 2)), D3DTEXF_POINT, D3DTEXF_POINT);
    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    put_beside(s, 0, map, REQUESTS);
    draw_coordinates(s, 0.99f, 0.99f, 0.99f, 0.99f);
    EXPECT_USED(s, map, 0, ".........", ".........", ".........", ".........", ".........", ".........", ".........",
                ".........", "........#");
}

/* The clamp: no finer level is requested; reads are not affected. */
static void test_clamp_of_requests(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4), *reads = add_map(s, true, 64, 64, 5, 4);

    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 5)), D3DTEXF_POINT, D3DTEXF_POINT);
    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    put_beside(s, 0, map, REQUESTS);
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_CLAMP(2, 0));
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "2222", "2222", "2222", "2222");
    put_beside(s, 0, reads, DDI_FEEDBACK_READS);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, reads, "0...", "....", "....", "....");
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_CLAMP(0, 0));
    put_beside(s, 0, map, REQUESTS);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "0222", "2222", "2222", "2222");
}

/* --- writes ----------------------------------------------------------------------------------------------- */

/* The sampler gives (0, 0, 0, 1), whatever texture is set. */
static void test_writes_read_nothing(void **state)
{
    static const uint32_t white[1] = {0xffffffff};
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4);
    uint8_t pixel[4];

    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    for (unsigned set = 0; set < 2; set++) {
        set_sampler(s, 0, set ? add_texture(s, D3DFMT_A8R8G8B8, 1, 1, white, 0) : 0, D3DTEXF_POINT, D3DTEXF_POINT);
        client_fill(client_part(map, 0), NULL, 0);
        put_beside(s, 0, map, WRITES);
        draw_rate(s, 2, 64);
        EXPECT_MIN_MIP(s, map, "11..", "11..", "....", "....");
        read_surface(s, s->stage.target, 3, 3, pixel, sizeof(pixel));
        assert_memory_equal(pixel, "\0\0\0\xff", 4);
    }
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, 0);
    draw_rate(s, 2, 64);
    read_surface(s, s->stage.target, 3, 3, pixel, sizeof(pixel));
    assert_memory_equal(pixel, "\xff\xff\xff\xff", 4);
}

/* A draw with a form of WriteSamplerFeedback: `code` writes at v0, c0 gives its operands; returns the requested
 * level. */
static void expect_level(struct shader_scene *s, struct client_chain *map, const char *code, float clamp, char level,
                         const char *file, int line)
{
    char text[512], row[2] = {level, 0};
    uint32_t bits;

    memcpy(&bits, &clamp, sizeof(bits));
    snprintf(text, sizeof(text), "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n%s\nmov oC0, r0\n", code);
    use_ps(s, text);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACKCLAMP, bits);
    stage_submit(&s->stage);
    client_fill(client_part(map, 0), NULL, 0);
    draw_rate(s, 2, 64);
    expect_part(s, client_part(map, 0), true, (const char *const[]){row, NULL}, file, line);
}
#define EXPECT_LEVEL(code, clamp, level) expect_level(s, map, code, clamp, level, __FILE__, __LINE__)

/* The five forms at two texels a pixel, with the sampler's bias of 1: by derivatives level 2. */
static void test_forms(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4);
    const float bias = 1.0f;
    uint32_t bits;

    memcpy(&bits, &bias, sizeof(bits));
    set_sampler(s, 0, 0, D3DTEXF_POINT, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3DTSS_MIPMAPLODBIAS, bits);
    use_vs(s, VS_PASS);
    put_beside(s, 0, map, WRITES);
    EXPECT_LEVEL("texld r0, v0, s0", 0, '2'); /* WriteSamplerFeedback */
    EXPECT_LEVEL("def c0, 1, -1, 0, 0\nmov r0, v0\nmov r0.w, c0.x\ntexldb r0, r0, s0", 0, '3'); /* ...Bias */
    EXPECT_LEVEL("def c0, 1, -1, 0, 0\nmov r0, v0\nmov r0.w, c0.y\ntexldb r0, r0, s0", 0, '1');
    EXPECT_LEVEL("def c0, 0.0625, 0, 0, 0\ntexldd r0, v0, s0, c0.xyyy, c0.yxyy", 0, '3'); /* ...Grad: 4 texels, bias */
    EXPECT_LEVEL("def c0, 0, 0, 0, 0\nmov r0, v0\nmov r0.w, c0.x\ntexldl r0, r0, s0", 0, '1'); /* ...Level: 0, bias */
    EXPECT_LEVEL("def c0, 2, 0, 0, 0\nmov r0, v0\nmov r0.w, c0.x\ntexldl r0, r0, s0", 0, '3');
    /* with the clamp: the greater of the two, and the last level at most */
    EXPECT_LEVEL("texld r0, v0, s0", 3, '3');
    EXPECT_LEVEL("texld r0, v0, s0", 1, '2');
    EXPECT_LEVEL("texld r0, v0, s0", 9, '4');
    EXPECT_LEVEL("def c0, 1, -1, 0, 0\nmov r0, v0\nmov r0.w, c0.y\ntexldb r0, r0, s0", 2, '2');
    EXPECT_LEVEL("def c0, 0.0625, 0, 0, 0\ntexldd r0, v0, s0, c0.xyyy, c0.yxyy", 4, '4');
    EXPECT_LEVEL("def c0, 0, 0, 0, 0\nmov r0, v0\nmov r0.w, c0.x\ntexldl r0, r0, s0", 2, '2');
    EXPECT_LEVEL("texld r0, v0, s0", 2.75f, '3'); /* to the nearest, as the mip filter is a point */
    EXPECT_LEVEL("texld r0, v0, s0", 2.25f, '2');
}

/* A fixed-function stage writes as well. */
static void test_stage_writes(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4);

    use_vs(s, VS_PASS_2);
    use_ps(s, NULL);
    set_sampler(s, 0, 0, D3DTEXF_POINT, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    put_beside(s, 0, map, WRITES);
    draw_rate(s, 2, 64);
    EXPECT_MIN_MIP(s, map, "11..", "11..", "....", "....");
}

/* --- commands ----------------------------------------------------------------------------------------------- */

/* The sampler of the letter after "SFB"; 257 and following are the vertex shaders' samplers. */
static void test_all_samplers(void **state)
{
    static const char letters[] = "0123456789abcdefvwxy";
    struct shader_scene *s = *state;
    struct client_chain *texture = add_flat(s, D3DFMT_A8R8G8B8, 16, 16, 1);

    for (unsigned i = 0; letters[i]; i++) {
        struct client_chain *map = add_map(s, false, 16, 16, 1, 2), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
        const unsigned stage = i < 16 ? i : 257 + i - 16, sampler = i < 16 ? i : i - 16;
        char text[256];

        set_sampler(s, stage, handle_of(map), D3DTEXF_POINT, D3DTEXF_NONE);
        feedback_command(s, 'B', letters[i]);
        set_sampler(s, stage, handle_of(texture), D3DTEXF_POINT, D3DTEXF_NONE);
        snprintf(text, sizeof(text),
                 i < 16 ? "ps_3_0\ndcl_texcoord v0\ndcl_2d s%u\ntexldl r0, v0, s%u\nmov oC0, r0\n"
                        : "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s%u\ndcl_position o0\n"
                          "dcl_color o1\ntexldl r0, v1, s%u\nmov o0, v0\nmov o1, r0\n",
                 sampler, sampler);
        use_vs(s, i < 16 ? VS_PASS : text);
        use_ps(s, i < 16 ? text : "ps_3_0\ndcl_color v0\nmov oC0, v0\n");
        draw_coordinates(s, 0.6f, 0.3f, 0.6f, 0.3f);
        set_sampler(s, stage, handle_of(bytes), D3DTEXF_POINT, D3DTEXF_NONE);
        feedback_command(s, 'D', letters[i]);
        stage_submit(&s->stage);
        EXPECT_BYTES(client_part(bytes, 0), 0, "....", "..#.", "....", "....");
        set_sampler(s, stage, 0, D3DTEXF_POINT, D3DTEXF_NONE);
        feedback_command(s, 'B', letters[i]);
        s->more_count -= 2;
        client_chain_destroy(map);
        client_chain_destroy(bytes);
    }
}

/* SFR and SFW bind in their own mode, SFB in the mode of reads. */
static void test_bind_commands(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 5, 4), *texture = add_flat(s, D3DFMT_A8R8G8B8, 16, 16, 3);

    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    set_sampler(s, 0, handle_of(map), D3DTEXF_POINT, D3DTEXF_POINT);
    feedback_command(s, 'R', '0');
    set_sampler(s, 0, handle_of(texture), D3DTEXF_POINT, D3DTEXF_POINT);
    draw_rate(s, 2, 64);
    EXPECT_MIN_MIP(s, map, "11..", "11..", "....", "....");
    set_sampler(s, 0, handle_of(map), D3DTEXF_POINT, D3DTEXF_POINT);
    feedback_command(s, 'B', '0');
    set_sampler(s, 0, handle_of(texture), D3DTEXF_POINT, D3DTEXF_POINT);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "11..", "11..", "....", "....");
    set_sampler(s, 0, handle_of(map), D3DTEXF_POINT, D3DTEXF_POINT);
    feedback_command(s, 'W', '0');
    set_sampler(s, 0, 0, D3DTEXF_POINT, D3DTEXF_POINT);
    draw_rate(s, 1, 64);
    EXPECT_MIN_MIP(s, map, "01..", "11..", "....", "....");
}

/* A point size that is not a command stays a size, and a command leaves the size as it was. */
static void test_sizes_are_no_commands(void **state)
{
    static const uint32_t sizes[] = {0x3f800000, 0x42424653 /* "SFBB": 48.57 */, 0x41464653 /* "SFFA": 12.39 */,
                                     0x42c80000};
    struct shader_scene *s = *state;

    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        float size;
        struct quad_vertex v = quad[0];
        uint8_t pixel[4];

        memcpy(&size, &sizes[i], sizeof(size));
        v.position[0] = v.position[1] = 0.0f;
        stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1.0f, 0);
        use_vs(s, VS_PASS);
        use_ps(s, "ps_3_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
        stage_state(&s->stage, D3DRS_POINTSIZE, sizes[i]);
        feedback_command(s, 'B', '0');
        stage_draw_vertices(&s->stage, D3DPT_POINTLIST, 1, &v, 1, sizeof(v));
        check(s);
        read_surface(s, s->stage.target, 15, 8, pixel, sizeof(pixel));
        assert_int_equal(pixel[0], size > 13.0f ? 255 : 0);
    }
}

/* The driver executes every command that it gets, and state blocks keep the commands that they recorded. */
static void test_equal_commands_and_state_blocks(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 16, 16, 1, 2), *texture = add_flat(s, D3DFMT_A8R8G8B8, 16, 16, 1);
    const uint32_t begin[3] = {D3DHAL_STATESETBEGIN, 7, 0}, end[3] = {D3DHAL_STATESETEND, 7, 0};
    const uint32_t execute[3] = {D3DHAL_STATESETEXECUTE, 7, 0}, capture[3] = {D3DHAL_STATESETCAPTURE, 7, 0};

    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    set_sampler(s, 0, handle_of(texture), D3DTEXF_POINT, D3DTEXF_NONE);
    put_beside(s, 0, map, DDI_FEEDBACK_READS);
    for (unsigned i = 0; i < 2; i++) {
        draw_coordinates(s, 0.6f, 0.3f, 0.6f, 0.3f);
        EXPECT_USED(s, map, 0, "....", "..#.", "....", "....");
        feedback_command(s, 'C', '0');
        EXPECT_USED(s, map, 0, "....", "....", "....", "....");
    }
    put_words(s, D3DDP2OP_STATESET, begin, 3);
    feedback_command(s, 'C', '0');
    put_words(s, D3DDP2OP_STATESET, end, 3);
    for (unsigned i = 0; i < 2; i++) {
        draw_coordinates(s, 0.6f, 0.3f, 0.6f, 0.3f);
        EXPECT_USED(s, map, 0, "....", "..#.", "....", "....");
        put_words(s, D3DDP2OP_STATESET, execute, 3);
        EXPECT_USED(s, map, 0, "....", "....", "....", "....");
    }
    /* a capture replaces the command by the point size */
    put_words(s, D3DDP2OP_STATESET, capture, 3);
    draw_coordinates(s, 0.6f, 0.3f, 0.6f, 0.3f);
    put_words(s, D3DDP2OP_STATESET, execute, 3);
    EXPECT_USED(s, map, 0, "....", "..#.", "....", "....");
}

/* --- shapes --------------------------------------------------------------------------------------------------- */

/* Sides below 8 have regions of 4 texels. */
static void test_thin_textures(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *row = add_map(s, false, 32, 1, 6, 2), *little = add_map(s, false, 6, 7, 3, 2);
    struct client_chain *one = add_map(s, true, 1, 1, 1, 2);

    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 32, 1, 6)), D3DTEXF_POINT, D3DTEXF_POINT);
    put_beside(s, 0, row, DDI_FEEDBACK_READS);
    draw_coordinates(s, 0.5f, 0, 1.0f, 0);
    EXPECT_USED(s, row, 0, "....####");
    draw_coordinates(s, 0, 0, 1.0f, 0);
    EXPECT_USED(s, row, 1, "####");
    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 6, 7, 3)), D3DTEXF_POINT, D3DTEXF_POINT);
    put_beside(s, 0, little, DDI_FEEDBACK_READS);
    draw_coordinates(s, 0.9f, 0.9f, 0.9f, 0.9f);
    EXPECT_USED(s, little, 0, "..", ".#");
    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 1, 1, 1)), D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    put_beside(s, 0, one, DDI_FEEDBACK_READS);
    draw_coordinates(s, 0, 0, 3, 3);
    EXPECT_MIN_MIP(s, one, "0");
}

/* The bytes of slice z of a volume. */
static void expect_slice(struct client_chain *bytes, unsigned level, unsigned z, uint8_t empty, const char *const *rows,
                         const char *file, int line)
{
    struct client_surface *part = client_level(bytes, 0, level);
    struct client_lock lock;

    assert_int_equal(client_lock(part, NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; rows[y]; y++)
        for (unsigned x = 0; rows[y][x]; x++) {
            const uint8_t byte = lock.bits[z * lock.slice_pitch + y * lock.pitch + x];
            const char found = byte == empty ? '.' : byte == 0xff ? '#' : (char)('0' + byte);

            if (found != rows[y][x])
                fail_msg("%s:%d: slice %u, row %u, column %u is '%c', not '%c'", file, line, z, y, x, found,
                         rows[y][x]);
        }
    client_unlock(part);
}
#define EXPECT_SLICE(bytes, level, z, empty, ...) \
    expect_slice(bytes, level, z, empty, ROWS(__VA_ARGS__), __FILE__, __LINE__)

static void draw_volume(struct shader_scene *s, float u, float v, float w, float level)
{
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_volume s0\ntexldl r0, c0, s0\nmov oC0, r0\n");
    set_floats(s, true, 0, u, v, w, level);
    draw_quad(s);
}

/* Slices of a volume have separate regions; a slice of a coarse level covers several of level 0. */
static void test_volumes(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *texture = add_chain(s, CLIENT_VOLUME, D3DFMT_A8R8G8B8, 16, 16, 5, 2);
    struct client_chain *used = add_chain(s, CLIENT_VOLUME, ddi_feedback_format(false, 3, 3), 16, 16, 5, 2);
    struct client_chain *least = add_chain(s, CLIENT_VOLUME, ddi_feedback_format(true, 3, 3), 16, 16, 5, 2);
    struct client_chain *bytes = add_chain(s, CLIENT_VOLUME, D3DFMT_L8, 2, 2, 5, 2);

    client_fill(client_part(used, 0), NULL, 0);
    client_fill(client_part(least, 0), NULL, 0);
    for (unsigned i = 0; i < 2; i++) {
        struct client_chain *map = i ? least : used;

        set_sampler(s, 0, handle_of(texture), D3DTEXF_POINT, D3DTEXF_POINT);
        put_beside(s, 0, map, DDI_FEEDBACK_READS);
        draw_volume(s, 0.75f, 0.25f, 0.5f, 0);
        draw_volume(s, 0.25f, 0.75f, 0.9f, 1);
        stage_texture_state(&s->stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
        draw_volume(s, 0.25f, 0.25f, 0.2f, 0); /* between slices 0 and 1 */
        stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, handle_of(bytes));
        feedback_command(s, 'D', '0');
        stage_submit(&s->stage);
        check(s);
        EXPECT_SLICE(bytes, 0, 0, i ? 0xff : 0, i ? "0." : "#.", "..");
        EXPECT_SLICE(bytes, 0, 1, i ? 0xff : 0, i ? "0." : "#.", "..");
        EXPECT_SLICE(bytes, 0, 2, i ? 0xff : 0, i ? "10" : ".#", i ? "11" : "..");
        EXPECT_SLICE(bytes, 0, 3, i ? 0xff : 0, i ? "11" : "..", i ? "11" : "..");
        EXPECT_SLICE(bytes, 0, 4, i ? 0xff : 0, i ? "11" : "..", i ? "11" : "..");
        if (!i) {
            EXPECT_SLICE(bytes, 1, 0, 0, ".");
            EXPECT_SLICE(bytes, 1, 1, 0, "#");
        }
    }
    feedback_command(s, 'C', '0');
    feedback_command(s, 'D', '0');
    stage_submit(&s->stage);
    for (unsigned z = 0; z < 5; z++)
        EXPECT_SLICE(bytes, 0, z, 0xff, "..", "..");
}

/* Texels of an odd size, regions of 4: a texture with sides from ddi_feedback_decoded_side holds all regions of all levels, and
 * one whose sides are those of level 0 lacks the last of level 1. */
static void test_sides_of_decoded_maps(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 18, 18, 3, 2);
    const unsigned side = ddi_feedback_decoded_side(18, 2, 3);
    struct client_chain *enough = add_flat(s, D3DFMT_L8, side, side, 3), *narrow = add_flat(s, D3DFMT_L8, 5, 5, 3);

    assert_int_equal(side, 6);
    for (unsigned size = 1; size < 300; size++)
        for (unsigned log2 = 2; log2 < 6; log2++)
            for (unsigned l = 0; l < 9; l++)
                assert_true(BASE_MAX(ddi_feedback_decoded_side(size, log2, 9) >> l, 1u) >=
                            (BASE_MAX(size >> l, 1u) + (1u << log2) - 1) >> log2);
    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    set_sampler(s, 0, handle_of(add_flat(s, D3DFMT_A8R8G8B8, 18, 18, 3)), D3DTEXF_POINT, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3DTSS_MAXMIPLEVEL, 1);
    put_beside(s, 0, map, DDI_FEEDBACK_READS);
    draw_coordinates(s, 0.99f, 0.99f, 0.99f, 0.99f);
    set_sampler(s, 0, handle_of(enough), D3DTEXF_POINT, D3DTEXF_POINT);
    feedback_command(s, 'D', '0');
    set_sampler(s, 0, handle_of(narrow), D3DTEXF_POINT, D3DTEXF_POINT);
    feedback_command(s, 'D', '0');
    stage_submit(&s->stage);
    EXPECT_BYTES(client_level(enough, 0, 1), 0, "...", "...", "..#");
    EXPECT_BYTES(client_level(narrow, 0, 1), 0, "..", "..");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        scenes(test_levels_that_are_not_there),
        scenes(test_levels_that_are_held_back),
        scenes(test_odd_sizes),
        scenes(test_clamp_of_requests),
        scenes(test_writes_read_nothing),
        scenes(test_forms),
        scenes(test_stage_writes),
        scenes(test_all_samplers),
        scenes(test_bind_commands),
        scenes(test_sizes_are_no_commands),
        scenes(test_equal_commands_and_state_blocks),
        scenes(test_thin_textures),
        scenes(test_volumes),
        scenes(test_sides_of_decoded_maps),
    };

    return cmocka_run_group_tests_name("feedback requests and writes", tests, NULL, NULL);
}
