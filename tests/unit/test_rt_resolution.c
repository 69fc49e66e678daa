/* SPDX-License-Identifier: MIT */
/*
 * The internal resolution (docs/internal-resolution.md): the same random program on a device of the program's resolution and on one whose
 * surfaces are two to four times as large reads the same pixels everywhere, because the pixel that is read is the one with the same
 * place. Rectangles, points and flat colours leave no room for a tolerance.
 */
#include "tests/unit/rt_program.h"

#include "bytecode/bytecode.h"
#include "runtime/common/driver/query.h"
#include "runtime/common/state/enlarge.h"
#include "runtime/common/state/shader_pixels.h"
#include "tests/unit/rounds.h"

static void test_programs(void **state)
{
    static const uint32_t formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5};
    (void)state;
    for (unsigned round = first_round(60); round < end_round(60); round++) {
        const unsigned times = 2 + round % 3, format = round / 3 % 3, bytes = format == 2 ? 2 : 4;
        const uint32_t pool = round & 1 ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT;
        struct world plain, enlarged;
        struct step step;

        random_seed = 1000 + round;
        open_world(&plain, &(struct world_kind){.format = formats[format], .pool = pool});
        open_world(&enlarged, &(struct world_kind){.format = formats[format], .pool = pool, .times = times});
        assert_int_equal(rt_surface_times(enlarged.surface[0]), times);
        assert_int_equal(rt_surface_times(enlarged.surface[2]), times);
        assert_int_equal(rt_surface_times(enlarged.surface[3]), 1);
        assert_int_equal(rt_surface_times(enlarged.depth), times);
        for (unsigned i = 0; i < 60; i++) {
            make_step(&step);
            take_step(&plain, &step, bytes);
            take_step(&enlarged, &step, bytes);
            if (i % 6 == 5)
                compare(&plain, &enlarged, bytes, round, i);
        }
        close_world(&plain);
        close_world(&enlarged);
    }
}

/* --- the rules ----------------------------------------------------------------------------------- */

static void test_which_surfaces(void **state)
{
    static const struct {
        struct rt_resolution_use use;
        unsigned times;
    } rows[] = {
        {{640, 480, D3DUSAGE_RENDERTARGET, false, false}, 3},  {{640, 480, D3DUSAGE_RENDERTARGET, true, false}, 3},
        {{640, 480, D3DUSAGE_RENDERTARGET, true, true}, 1},    {{640, 480, 0, true, false}, 1},
        {{640, 479, D3DUSAGE_RENDERTARGET, false, false}, 1},  {{1024, 1024, D3DUSAGE_RENDERTARGET, true, false}, 1},
        {{640, 480, D3DUSAGE_DEPTHSTENCIL, false, false}, 3},  {{1024, 1024, D3DUSAGE_DEPTHSTENCIL, false, false}, 3},
        {{1024, 1024, D3DUSAGE_DEPTHSTENCIL, true, false}, 1}, {{640, 480, D3DUSAGE_DEPTHSTENCIL, true, false}, 3},
        {{1024, 256, D3DUSAGE_DEPTHSTENCIL, false, false}, 1},
    };
    const struct rt_resolution resolution = {640, 480, 3}, none = {640, 480, 0};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        assert_int_equal(rt_resolution_times(&resolution, &rows[i].use), rows[i].times);
        assert_int_equal(rt_resolution_times(&none, &rows[i].use), 1);
    }
}

/* HALCYON_INTERNAL_RESOLUTION is 1920x1200 in this process. */
static void test_which_multiple(void **state)
{
    (void)state;
    assert_true(rt_resolution_is_set());
    assert_int_equal(rt_resolution_for(640, 480, 4096, 4096).times, 2);
    assert_int_equal(rt_resolution_for(640, 400, 4096, 4096).times, 3);
    assert_int_equal(rt_resolution_for(640, 400, 4096, 1000).times, 2);
    assert_int_equal(rt_resolution_for(960, 601, 4096, 4096).times, 0);
    assert_int_equal(rt_resolution_for(8, 8, 4096, 4096).times, RT_MOST_TIMES);
    assert_int_equal(rt_resolution_for(0, 0, 4096, 4096).times, 0);
}

static void test_corners(void **state)
{
    (void)state;
    assert_true(rt_enlarge_corner(-0.5f, 2) == -0.5f);
    assert_true(rt_enlarge_corner(639.5f, 2) == 1279.5f);
    assert_true(rt_enlarge_corner(-0.5f, 3) == -0.5f);
    assert_true(rt_enlarge_corner(640.0f, 2) == 1280.0f);
    assert_true(rt_enlarge_corner(0.25f, 4) == 1.0f);
    assert_int_equal(rt_enlarge_place(INT32_MAX, 2), INT32_MAX);
    assert_int_equal(rt_enlarge_place(-3, 0), -3);
    assert_int_equal(rt_enlarge_count(UINT32_MAX - 1, 2), UINT32_MAX);
    /* commands in place of sizes */
    assert_int_equal(rt_enlarge_size(0x314d3241, 2), 0x314d3241);
    assert_int_equal(rt_enlarge_size(0x7fa05000, 2), 0x7fa05000);
    assert_int_equal(rt_enlarge_size(0x3f800000, 2), 0x40000000);
}

/* Texels that a program does not change keep what the square holds. */
static void test_writes_keep_detail(void **state)
{
    struct world w;
    struct rt_mapping map;
    struct rt_chain *chain;
    const uint32_t mark = 0xff112233, white = 0xffffffff;
    const RECT one = {5, 6, 6, 7};

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .times = 2});
    chain = rt_surface_video(w.surface[1]);
    assert_int_equal(rt_chain_lock(chain, 0, 0, &map), D3D_OK);
    memcpy(map.bits + 21 * map.pitch + 4 * 31, &mark, 4); /* within the square of 15, 10 */
    rt_chain_unlock(chain, 0);
    write_surface(w.surface[1], 4, &one, white & ~1u);
    assert_int_equal(rt_chain_lock(chain, 0, D3DLOCK_READONLY, &map), D3D_OK);
    assert_memory_equal(map.bits + 21 * map.pitch + 4 * 31, &mark, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(map.bits[(12 + i / 2) * map.pitch + 4 * (10 + i % 2)], 0xfe);
    rt_chain_unlock(chain, 0);
    close_world(&w);
}

/* The samples of an enlarged target are averaged when it is copied to memory; UpdateTexture fills squares. */
static void test_copies(void **state)
{
    const struct rt_surface_desc sampled = {.format = D3DFMT_A8R8G8B8,
                                            .usage = D3DUSAGE_RENDERTARGET,
                                            .pool = D3DPOOL_DEFAULT,
                                            .samples = 4,
                                            .width = RT_SIZE,
                                            .height = RT_SIZE};
    const struct rt_texture_desc memory = {.type = D3DRTYPE_TEXTURE,
                                           .width = RT_SIZE,
                                           .height = RT_SIZE,
                                           .depth = 1,
                                           .levels = 1,
                                           .format = D3DFMT_A8R8G8B8,
                                           .pool = D3DPOOL_SYSTEMMEM};
    const RECT all = {0, 0, RT_SIZE, RT_SIZE};
    struct rt_surface *target;
    struct rt_texture *texture;
    D3DLOCKED_RECT locked;
    struct world w;

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .times = 3});
    assert_int_equal(rt_surface_create(w.device, &sampled, false, &target), D3D_OK);
    assert_int_equal(rt_surface_times(target), 3);
    rt_device_bind_target_and_depth(w.device, target, NULL);
    rt_device_reset_viewport(w.device);
    assert_int_equal(rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0xff336699, 1.0f, 0), D3D_OK);
    assert_int_equal(rt_surface_copy(w.surface[4], (POINT){0, 0}, target, &all), D3D_OK);
    assert_int_equal(rt_surface_copy(target, (POINT){0, 0}, w.surface[4], &all), D3DERR_INVALIDCALL);
    assert_int_equal(rt_surface_lock(w.surface[4], &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    assert_int_equal(((uint32_t *)locked.pBits)[RT_SIZE * RT_SIZE - 1], 0xff336699);
    rt_surface_unlock(w.surface[4]);

    assert_int_equal(rt_texture_create(w.device, &memory, &texture), D3D_OK);
    write_surface(&texture->surfaces[0], 4, &all, 0xff00ff00);
    rt_texture_update(texture, w.texture);
    assert_int_equal(rt_surface_lock(w.surface[2], &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    assert_int_equal(((uint32_t *)locked.pBits)[RT_SIZE * RT_SIZE - 1], 0xff00ff00);
    rt_surface_unlock(w.surface[2]);
    rt_object_Release(texture);
    rt_device_bind_target_and_depth(w.device, w.surface[0], NULL);
    rt_object_Release(target);
    close_world(&w);
}

/* --- shaders ------------------------------------------------------------------------------------- */

/* The rewritten code as text; NULL, and the problem. */
static const char *rewrite(const char *text, uint32_t times, const char **problem)
{
    static char out[4096];
    uint32_t code[256], enlarged[256 + RT_SHADER_GROWTH];
    const size_t count = shader_assemble(text, code, 256, NULL);
    size_t words;

    assert_int_not_equal(count, 0);
    words = rt_shader_in_pixels(code, count, times, enlarged, problem);
    assert_true(words <= count + RT_SHADER_GROWTH);
    if (!words)
        return NULL;
    assert_true(shader_disassemble(enlarged, words, out, sizeof(out)) > 0);
    return out;
}

/* Without the indentation of the disassembler. */
static const char *without_margin(const char *text)
{
    static char out[4096];
    char *to = out;

    for (const char *at = text; *at; at++)
        if (*at != ' ' || (at > text && at[-1] != '\n' && at[-1] != ' '))
            *to++ = *at;
    *to = 0;
    return out;
}

static void expect_code(const char *text, uint32_t times, const char *want)
{
    const char *problem, *got = rewrite(text, times, &problem);

    got = got ? without_margin(got) : NULL;
    if (!got || strcmp(got, want))
        fail_msg("%s\nbecame\n%s\nnot\n%s", text, got ? got : problem, want);
}

static void test_shaders(void **state)
{
    const char *problem;

    (void)state;
    expect_code("ps_3_0\ndcl vPos.xy\nmov r0, vPos.yxyx\nadd oC0, r0, -vPos.x\n", 2,
                "ps_3_0\ndef c223, 0.5, -0.25, 0, 0\ndcl vPos.xy\nmad r31.xy, vPos, c223.x, c223.y\n"
                "mov r0, r31.yxyx\nadd oC0, r0, -r31.x\n");
    expect_code("vs_1_1\ndcl_position0 v0\nmov oPos, v0\nmov oPts.x, c0.x\n", 2,
                "vs_1_1\ndcl_position0 v0\nmov oPos, v0\nmov r11.x, c0.x\nadd oPts.x, r11, r11\n");
    expect_code(
        "vs_2_0\ndcl_position0 v0\nmov oPos, v0\nmov oPts.x, c0.x\ncall l0\nret\nlabel l0\nmov oPts.x, c1.x\nret\n", 4,
        "vs_2_0\ndcl_position0 v0\nmov oPos, v0\nmov r11.x, c0.x\ncall l0\nadd r10.x, r11, r11\nadd r10.x, r10, r11\n"
        "add oPts.x, r10, r11\nret\nlabel l0\nmov r11.x, c1.x\nret\n");
    expect_code("vs_3_0\ndcl_position0 v0\ndcl_position0 o0\ndcl_psize0 o1.x\nmov o0, v0\nmov o1.x, c0.x\n", 2,
                "vs_3_0\ndcl_position0 v0\ndcl_position0 o0\ndcl_psize0 o1.x\nmov o0, v0\nmov r31.x, c0.x\n"
                "add o1.x, r31, r31\n");
    /* nothing to do */
    assert_null(rewrite("ps_3_0\ndcl vFace\nmov oC0, vFace\n", 2, &problem));
    assert_null(problem);
    assert_null(rewrite("vs_1_1\ndcl_position0 v0\nmov oPos, v0\n", 2, &problem));
    assert_null(problem);
    /* nothing that can be done */
    assert_null(rewrite(
        "vs_3_0\ndcl_position0 v0\ndcl_position0 o0\ndcl_psize0 o1.x\ndcl_texcoord0 o1.yz\nmov o0, v0\nmov o1, v0\n", 2,
        &problem));
    assert_non_null(problem);
}

/* An occlusion query counts the program's pixels. */
static void test_queries(void **state)
{
    struct rt_fixture f;
    struct rt_query *query;
    uint32_t answer;

    (void)state;
    rt_open(&f, 9, false);
    assert_int_equal(rt_query_create(f.link, 9, &query), D3D_OK);
    rt_query_set_parts(query, 4);
    assert_int_equal(rt_query_get(query, &answer, 4, true), S_OK);
    assert_int_equal(answer, 0xdddddddd);
    assert_int_equal(rt_query_issue(query, 2), D3D_OK);
    assert_int_equal(rt_query_issue(query, 1), D3D_OK);
    for (unsigned i = 0; rt_query_get(query, &answer, 4, true) != S_OK; i++)
        assert_true(i < 100);
    assert_int_equal(answer, 0);
    rt_query_set_parts(query, 4);
    for (uint32_t pixels = 1; pixels <= 9; pixels++) {
        const uint8_t bytes[4] = {(uint8_t)pixels, 0, 0, 0};

        assert_int_equal(rt_query_issue(query, 3), D3D_OK);
        rt_queries_answer(f.link, 1, bytes, 4);
        assert_int_equal(rt_query_get(query, &answer, 4, false), S_OK);
        assert_int_equal(answer, (pixels + 3) / 4);
    }
    rt_query_destroy(query);
    rt_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_surfaces), cmocka_unit_test(test_which_multiple),
        cmocka_unit_test(test_corners),        cmocka_unit_test(test_writes_keep_detail),
        cmocka_unit_test(test_copies),         cmocka_unit_test(test_shaders),
        cmocka_unit_test(test_queries),        cmocka_unit_test(test_programs),
    };

    setenv("HALCYON_INTERNAL_RESOLUTION", "1920x1200", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
