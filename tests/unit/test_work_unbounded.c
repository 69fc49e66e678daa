/* SPDX-License-Identifier: MIT */
/* Without a limit, calls of any cost are drawn whole: a driver does not bound itself. */
#include "tests/unit/work_fixture.h"

/* Each draw adds 1 to each channel. */
static void put_layers(struct world *w)
{
    const uint32_t stages[2][2] = {{D3DTSS_COLOROP << 16, D3DTOP_SELECTARG1}, {D3DTSS_COLORARG1 << 16, D3DTA_TFACTOR}};
    const uint32_t viewport[4] = {0, 0, 64, 64}, clear[8] = {D3DCLEAR_TARGET, 0, 0x3f800000, 0, 0, 0, 64, 64};
    const float range[2] = {0, 1};

    assert_true(put(w, D3DDP2OP_VIEWPORTINFO, viewport, sizeof(viewport)));
    assert_true(put(w, D3DDP2OP_ZRANGE, range, sizeof(range)));
    assert_true(put(w, D3DDP2OP_CLEAR, clear, sizeof(clear)));
    put_state(w, D3DRS_CULLMODE, D3DCULL_NONE);
    put_state(w, D3DRS_ZENABLE, 0);
    put_state(w, D3DRS_LIGHTING, 0);
    put_state(w, D3DRS_ALPHABLENDENABLE, 1);
    put_state(w, D3DRS_SRCBLEND, D3DBLEND_ONE);
    put_state(w, D3DRS_DESTBLEND, D3DBLEND_ONE);
    put_state(w, D3DRS_TEXTUREFACTOR, 0x00010101);
    for (unsigned i = 0; i < 2; i++)
        assert_true(put(w, D3DDP2OP_TEXTURESTAGESTATE, stages[i], sizeof(stages[i])));
}

static void fill_buffer(struct world *w, const void *data, size_t bytes)
{
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(w->buffer, 0), NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, data, bytes);
    client_unlock(client_part(w->buffer, 0));
}

static uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

/* 6 x 6 control points of a plane over the target, with the finest division. */
static void put_patches(struct world *w, unsigned count)
{
    const uint32_t all = float_bits(256), body[13] = {0, 3, all, all, all, all, 0, 0, 6, 6, 6, 0, 5};
    float points[36][3];

    for (unsigned i = 0; i < 36; i++)
        memcpy(points[i], (float[3]){(float)(i % 6) * 0.4f - 1, (float)(i / 6) * 0.4f - 1, 0.5f}, 12);
    fill_buffer(w, points, sizeof(points));
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ);
    put_stream(w, 12);
    for (unsigned i = 0; i < count; i++)
        assert_true(put(w, D3DDP2OP_DRAWRECTPATCH, body, sizeof(body)));
}

/* Triangles with one normal stay flat, however many they become. */
static void put_npatches(struct world *w, unsigned count)
{
    static const float corners[6][6] = {{-1, -1, 0.5f, 0, 0, 1}, {1, -1, 0.5f, 0, 0, 1}, {-1, 1, 0.5f, 0, 0, 1},
                                        {1, -1, 0.5f, 0, 0, 1},  {1, 1, 0.5f, 0, 0, 1},  {-1, 1, 0.5f, 0, 0, 1}};

    fill_buffer(w, corners, sizeof(corners));
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ | D3DFVF_NORMAL);
    put_stream(w, 24);
    put_state(w, D3DRS_PATCHSEGMENTS, float_bits(32));
    for (unsigned i = 0; i < count; i++)
        assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, (const uint32_t[3]){D3DPT_TRIANGLELIST, 0, 2}, 12));
}

static void put_points(struct world *w, unsigned count)
{
    static const char loop[] = "ps_3_0\ndefi i0, 100, 0, 0, 0\ndef c0, 0.5, 0.25, 0, 0.0039215687\nmov r0, c0\nrep i0\n"
                               "mad r0, r0, c0.x, c0.y\nendrep\nmad r0, r0, c0.z, c0.w\nmov oC0, r0\n";
    static const float middle[4] = {32, 32, 0.5f, 1};

    fill_buffer(w, middle, sizeof(middle));
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZRHW);
    put_stream(w, 16);
    put_state(w, D3DRS_POINTSIZE, float_bits(64));
    put_state(w, D3DRS_POINTSPRITEENABLE, 1);
    put_code(w, D3DDP2OP_CREATEPIXELSHADER, 3, loop);
    put_one(w, D3DDP2OP_SETPIXELSHADER, 3);
    for (unsigned i = 0; i < count; i++) {
        assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, (const uint32_t[3]){D3DPT_POINTLIST, 0, 1}, 12));
        put_state(w, D3DRS_STENCILREF, i);
    }
}

/* A driver without a limit draws everything, whatever the settings of players say. */
static void test_nothing_is_lost(void **state)
{
    static const struct {
        void (*put)(struct world *w, unsigned count);
        unsigned count;
    } kinds[] = {{put_patches, 8}, {put_npatches, 200}, {put_points, 200}};
    struct world *w = *state;
    struct client_lock lock;

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        open_world(w, 64, 0);
        driver_of(w)->work_allowed = HAL_WORK_UNBOUNDED;
        const uint64_t mark = driver_of(w)->work_done;

        put_layers(w);
        kinds[i].put(w, kinds[i].count);
        assert_int_equal(submit(w), DD_OK);
        assert_true(cost_since(w, mark) > BOUND / 4);
        assert_int_equal(client_lock(client_part(w->target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned pixel = 0; pixel < 64 * 64; pixel++) {
            uint32_t color;

            memcpy(&color, lock.bits + pixel / 64 * (size_t)lock.pitch + pixel % 64 * 4, 4);
            assert_int_equal(color & 0xffffff, kinds[i].count * 0x010101);
        }
        client_unlock(client_part(w->target, 0));
        close_world(w);
    }
}

static void test_a_driver_is_not_bounded_by_itself(void **state)
{
    struct client_driver driver;
    struct client *client;
    HALCYON_ALLOWANCE allowance = {.add = 0};

    (void)state;
    assert_int_equal(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter)), DD_OK);
    client = client_create(&driver);
    assert_int_equal(client_allow_work(client, &allowance), DD_OK);
    assert_true(allowance.allowed == UINT64_MAX);
    allowance.add = 1000;
    assert_int_equal(client_allow_work(client, &allowance), DD_OK);
    assert_int_equal(allowance.allowed, allowance.done + 1000);
    allowance.add = UINT64_MAX;
    assert_int_equal(client_allow_work(client, &allowance), DD_OK);
    assert_true(allowance.allowed == UINT64_MAX - 1);
    client_destroy(client);
    client_driver_close(&driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_a_driver_is_not_bounded_by_itself),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
