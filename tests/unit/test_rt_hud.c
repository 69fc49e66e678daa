/* SPDX-License-Identifier: MIT */
/* The figures over the picture (runtime/common/window/hud.h): the text for given counts, and for the driver's report of
 * machine code. */
#include "rt_fixture.h"

#include "runtime/common/window/hud.h"

/* The text half a second and ten frames after `then`. */
static void update(struct rt_hud *hud, unsigned items, const struct rt_hud_counts *then,
                   const struct rt_hud_counts *now)
{
    memset(hud, 0, sizeof(*hud));
    rt_hud_update(hud, items, then, 1);
    for (unsigned frame = 1; frame < 10; frame++) {
        hud->line_count = 1; /* averages, not the first frame's */
        rt_hud_update(hud, items, then, 1 + frame / 20.0);
    }
    rt_hud_update(hud, items, now, 1.5);
}

static void test_words(void **state)
{
    (void)state;
    assert_int_equal(rt_hud_parse("code"), RT_HUD_CODE);
    assert_int_equal(rt_hud_parse("fps, code"), RT_HUD_FPS | RT_HUD_CODE);
    assert_int_equal(rt_hud_parse("full") & (RT_HUD_CODE | RT_HUD_FRAME | RT_HUD_FPS),
                     RT_HUD_CODE | RT_HUD_FRAME | RT_HUD_FPS);
    assert_int_equal(rt_hud_parse("frametimes,draws,triangles,pixels,threads,frame,fps,code"), rt_hud_parse("full"));
    assert_int_equal(rt_hud_parse("0"), 0);
}

static void test_code(void **state)
{
    const struct rt_hud_counts then = {.capture = "", .code = {.uses = 1000, .generated = 500, .busy = 3000000}};
    struct rt_hud_counts now = then;
    struct rt_hud hud;

    (void)state;
    now.code = (HALCYON_CODE){.uses = 1200, .generated = 680, .busy = 8000000, .programs = 12, .bytes = 34560};
    update(&hud, RT_HUD_CODE, &then, &now);
    assert_int_equal(hud.line_count, 1);
    assert_string_equal(hud.lines[0], "CODE 90% 12/34.6K 0.5 MS");
    update(&hud, RT_HUD_CODE, &then, &then); /* nothing was drawn */
    assert_string_equal(hud.lines[0], "CODE 0% 0/0 0.0 MS");
    now.code = (HALCYON_CODE){.uses = 10, .generated = 10}; /* another driver began */
    update(&hud, RT_HUD_CODE, &then, &now);
    assert_string_equal(hud.lines[0], "CODE 0% 0/0 0.0 MS");
    update(&hud, RT_HUD_FPS, &then, &now);
    assert_string_equal(hud.lines[0], "20.0 FPS 50.0 MS");
}

/* There is room for all lines at once. */
static void test_full(void **state)
{
    const struct rt_hud_counts then = {.capture = "F11"};
    const struct rt_hud_counts now = {
        .draws = UINT64_MAX,
        .triangles = UINT64_MAX,
        .pixels = UINT64_MAX,
        .busy = 1e9,
        .threads = 64,
        .code = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX},
        .capture = "F11",
    };
    struct rt_hud hud;

    (void)state;
    update(&hud, rt_hud_parse("full"), &then, &now);
    assert_int_equal(hud.line_count, 6);
    assert_true(hud.line_count <= sizeof(hud.lines) / sizeof(hud.lines[0]));
}

/* A draw uses programs. */
static void test_driver_tells(void **state)
{
    const float vertices[3][4] = {{0, 0, 0.5f, 1}, {64, 0, 0.5f, 1}, {0, 64, 0.5f, 1}};
    D3DHAL_DP2VERTEXSHADER format = {D3DFVF_XYZRHW};
    D3DHAL_DP2SETSTREAMSOURCEUM stream = {0, sizeof(vertices[0])};
    D3DHAL_DP2DRAWPRIMITIVE draw = {D3DPT_TRIANGLELIST, 0, 1};
    struct rt_fixture *f = *state;
    HALCYON_CODE before, code;
    uint32_t first;

    assert_true(rt_link_code(f->link, &before));
    rt_set_render_state(&f->pipe, D3DRS_ZENABLE, D3DZB_FALSE);
    rt_pipe_bind_targets(&f->pipe);
    rt_put(f->link, D3DDP2OP_SETVERTEXSHADER, 1, &format, sizeof(format));
    rt_put(f->link, D3DDP2OP_SETSTREAMSOURCEUM, 1, &stream, sizeof(stream));
    assert_true(rt_put_user_vertices(f->link, vertices, 3, sizeof(vertices[0]), sizeof(vertices[0]), &first));
    draw.VStart = first;
    rt_put(f->link, D3DDP2OP_DRAWPRIMITIVE, 1, &draw, sizeof(draw));
    rt_flush(f->link);
    assert_true(rt_link_code(f->link, &code));
    assert_true(!code.uses || code.uses > before.uses); /* not all machines make code */
    assert_true(code.generated - before.generated <= code.uses - before.uses);
    assert_true(!code.programs == !code.bytes);
}

static int open_device(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open(f, 9, false);
    *state = f;
    return 0;
}

static int close_device(void **state)
{
    rt_close(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_full),
        cmocka_unit_test_setup_teardown(test_driver_tells, open_device, close_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
