/* SPDX-License-Identifier: MIT */
/*
 * The user's multisampling (docs/antialiasing.md): a random program that asks for no samples reads, on a device with the setting, what the
 * same program reads that asks for them itself. Depth goes with its buffer from targets with samples to those without, and back.
 */
#include "tests/unit/rt_program.h"

#include "runtime/common/object/surface_twin.h"
#include "tests/unit/rounds.h"

static const uint32_t formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5};

static unsigned samples_of(const struct rt_surface *surface)
{
    return rt_surface_video(surface)->desc.samples;
}

static void run_pair(struct world_kind kind, unsigned round)
{
    const unsigned bytes = kind.format == D3DFMT_R5G6B5 ? 2 : 4;
    struct world set, asked;
    struct step step;

    open_world(&set, &kind);
    kind.asked = true;
    open_world(&asked, &kind);
    /* what a program sets that has no option for samples, or has it off */
    rt_device_SetRenderState(set.device, D3DRS_MULTISAMPLEANTIALIAS, round & 2 ? FALSE : TRUE);
    rt_device_SetRenderState(set.device, D3DRS_MULTISAMPLEMASK, round & 4 ? 0 : UINT32_MAX);
    for (unsigned i = 0; i < 60; i++) {
        make_step(&step);
        take_step(&set, &step, bytes);
        take_step(&asked, &step, bytes);
        if (i % 6 == 5)
            compare(&asked, &set, bytes, round, i);
    }
    assert_int_equal(samples_of(set.surface[2]), 0);
    assert_int_equal(samples_of(set.surface[3]), 0);
    close_world(&set);
    close_world(&asked);
}

static void test_programs(void **state)
{
    (void)state;
    for (unsigned round = first_round(60); round < end_round(60); round++) {
        random_seed = 2000 + round;
        run_pair((struct world_kind){.format = formats[round / 3 % 3],
                                     .pool = round & 1 ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT,
                                     .samples = 2u << round % 3},
                 round);
    }
}

/* Rectangles whose edges lie between pixels are what they are without samples, and so is everything that is copied, in both settings
 * at once. */
static void test_with_resolution(void **state)
{
    const struct world_kind kind = {.format = D3DFMT_A8R8G8B8},
                            both = {.format = D3DFMT_A8R8G8B8, .times = 2, .samples = 4};

    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        struct world plain, set;
        struct step step;

        random_seed = 3000 + round;
        open_world(&plain, &kind);
        open_world(&set, &both);
        for (unsigned i = 0; i < 60; i++) {
            make_step(&step);
            if (step.kind == DRAW)
                step.kind = WRITE;
            take_step(&plain, &step, 4);
            take_step(&set, &step, 4);
            if (i % 6 == 5)
                compare(&plain, &set, 4, round, i);
        }
        close_world(&plain);
        close_world(&set);
    }
}

static void bind_target(struct world *w, unsigned target)
{
    rt_device_bind_target_and_depth(w->device, w->surface[target], w->depth);
    rt_device_reset_viewport(w->device);
}

/* A triangle over the lower left half of the target, at a depth. */
static void draw_half(struct world *w, float z, uint32_t color)
{
    const struct {
        float x, y, z, rhw;
        uint32_t color;
        float u, v;
    } corners[3] = {{-0.5f, -0.5f, z, 1, color, 0, 0},
                    {RT_SIZE - 0.5f, RT_SIZE - 0.5f, z, 1, color, 0, 0},
                    {-0.5f, RT_SIZE - 0.5f, z, 1, color, 0, 0}};

    rt_set_vertex_shader(&w->device->pipe, PIXELS);
    assert_int_equal(rt_draw_up(w->device, D3DPT_TRIANGLELIST, 1, corners, sizeof(*corners)), D3D_OK);
}

static uint32_t pixel(struct rt_surface *surface, unsigned x, unsigned y)
{
    D3DLOCKED_RECT locked;
    uint32_t value;

    assert_int_equal(rt_surface_lock(surface, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    memcpy(&value, (const uint8_t *)locked.pBits + y * (unsigned)locked.Pitch + 4 * x, sizeof(value));
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
    return value & 0xffffff;
}

/* By a copy, because such a surface cannot be locked. */
static uint32_t pixel_of_samples(struct world *w, struct rt_surface *surface, unsigned x, unsigned y)
{
    const RECT all = {0, 0, RT_SIZE, RT_SIZE};

    assert_int_equal(rt_surface_copy(w->surface[4], (POINT){0, 0}, surface, &all), D3D_OK);
    return pixel(w->surface[4], x, y);
}

/* One depth buffer for the back buffer, a texture, and the back buffer again. */
static void test_depth_follows(void **state)
{
    struct world w;

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .samples = 4});
    rt_device_SetRenderState(w.device, D3DRS_ZFUNC, D3DCMP_LESS);
    bind_target(&w, 0);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    draw_half(&w, 0.5f, 0xffff0000);
    assert_int_equal(samples_of(w.surface[0]), 4);
    assert_int_equal(samples_of(w.depth), 4);
    assert_int_equal(pixel(w.surface[0], 0, RT_SIZE - 1), 0xff0000);
    assert_int_equal(pixel(w.surface[0], RT_SIZE - 1, 0), 0);
    assert_in_range(pixel(w.surface[0], 32, 32) >> 16, 0x20, 0xe0); /* the edge */

    bind_target(&w, 2);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0, 1.0f, 0);
    draw_half(&w, 0.6f, 0xff00ff00); /* behind */
    assert_int_equal(samples_of(w.depth), 0);
    assert_int_equal(pixel(w.surface[2], 0, RT_SIZE - 1), 0);
    draw_half(&w, 0.25f, 0xff0000ff);
    assert_int_equal(pixel(w.surface[2], 0, RT_SIZE - 1), 0x0000ff);

    bind_target(&w, 0);
    draw_half(&w, 0.3f, 0xff00ff00); /* behind what was drawn to the texture */
    assert_int_equal(samples_of(w.depth), 4);
    assert_int_equal(pixel(w.surface[0], 0, RT_SIZE - 1), 0xff0000);
    draw_half(&w, 0.2f, 0xff00ff00);
    assert_int_equal(pixel(w.surface[0], 0, RT_SIZE - 1), 0x00ff00);
    close_world(&w);
}

/* Several targets of which one is a texture have one sample; afterwards the back buffer has its samples again. (Only Direct3D 9 draws to
 * the others: tests/runtime/test_multisample9.c.) */
static void test_several_targets(void **state)
{
    struct world w;

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .samples = 4});
    bind_target(&w, 0);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 1.0f, 0);
    rt_device_bind_target(w.device, 1, w.surface[2]);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0xff405060, 1.0f, 0);
    assert_int_equal(samples_of(w.surface[0]), 0);
    assert_int_equal(pixel(w.surface[0], 9, 9), 0x405060);
    rt_device_bind_target(w.device, 1, NULL);
    draw_half(&w, 0.5f, 0xffff0000);
    assert_int_equal(samples_of(w.surface[0]), 4);
    assert_int_equal(pixel(w.surface[0], 60, 2), 0x405060);
    close_world(&w);
}

/* A Reset that keeps surfaces (Direct3D 9Ex) may leave a depth buffer that is smaller than the new back buffer. */
static void test_after_reset(void **state)
{
    struct world w;

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .samples = 4});
    bind_target(&w, 1);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    assert_int_equal(samples_of(w.depth), 4);
    w.device->multisample.width = w.device->multisample.height = 2 * RT_SIZE;
    bind_target(&w, 3); /* which has never had any */
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    assert_int_equal(samples_of(w.surface[3]), 0);
    assert_int_equal(samples_of(w.depth), 0);
    close_world(&w);
}

/* On a target whose samples the program knows, its states count. */
static void test_states(void **state)
{
    const struct rt_surface_desc desc = {
        .format = D3DFMT_A8R8G8B8, .usage = D3DUSAGE_RENDERTARGET, .samples = 2, .width = RT_SIZE, .height = RT_SIZE};
    struct rt_surface *asked;
    struct world w;
    DWORD value;

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .samples = 4});
    assert_int_equal(rt_surface_create(w.device, &desc, false, &asked), D3D_OK);
    rt_device_bind_target_and_depth(w.device, asked, NULL);
    rt_device_reset_viewport(w.device);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0xff000000, 1.0f, 0);
    rt_device_SetRenderState(w.device, D3DRS_MULTISAMPLEMASK, 1);
    draw_half(&w, 0.5f, 0xffffffff);
    assert_int_equal(pixel_of_samples(&w, asked, 2, 60) & 0xff, 0x80); /* one of two */
    bind_target(&w, 0);
    rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0xff000000, 1.0f, 0);
    draw_half(&w, 0.5f, 0xffffffff);
    assert_int_equal(pixel(w.surface[0], 2, 60), 0xffffff);
    assert_int_equal(rt_device_GetRenderState(w.device, D3DRS_MULTISAMPLEMASK, &value), D3D_OK);
    assert_int_equal(value, 1);
    rt_object_Release(asked);
    close_world(&w);
}

/* A locked surface stays where it is; memory that is lost takes its twin with it. */
static void test_locks(void **state)
{
    struct world w;
    D3DLOCKED_RECT locked;

    (void)state;
    open_world(&w, &(struct world_kind){.format = D3DFMT_A8R8G8B8, .samples = 4});
    assert_int_equal(rt_surface_lock(w.surface[0], &locked, NULL, 0), D3D_OK);
    assert_int_equal(rt_surface_set_samples(w.surface[0], 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_surface_unlock(w.surface[0]), D3D_OK);
    assert_int_equal(rt_surface_set_samples(w.surface[0], 0), D3D_OK);
    assert_true(w.surface[0]->on_twin);
    assert_int_equal(rt_surface_set_samples(w.surface[0], 2), D3D_OK);
    assert_int_equal(samples_of(w.surface[0]), 2);
    assert_true(FAILED(rt_surface_set_samples(w.surface[0], 7)));
    assert_int_equal(rt_surface_leave_twin(w.surface[0]), D3D_OK);
    assert_int_equal(samples_of(w.surface[0]), 4);
    assert_int_equal(rt_surface_set_samples(w.surface[2], 0), D3DERR_INVALIDCALL); /* a level */
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),      cmocka_unit_test(test_with_resolution),
        cmocka_unit_test(test_depth_follows), cmocka_unit_test(test_several_targets),
        cmocka_unit_test(test_states),        cmocka_unit_test(test_after_reset),
        cmocka_unit_test(test_locks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
