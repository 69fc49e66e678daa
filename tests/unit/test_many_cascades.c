/* SPDX-License-Identifier: MIT */
/* More cascades than the driver keeps programs for: a lock that follows a draw sees it, for new programs and old
 * ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hal/pixel/texture_stages.h"
#include "tests/stage/stage.h"

#define SIDE 8
#define MORE (HAL_MAX_STAGES_PROGRAMS + 40)

struct vertex {
    float x, y, z, rhw;
};

/* Multiplies by TFACTOR, with a different cascade for each number of 0..342. */
static void set_cascade(struct stage *stage, unsigned number)
{
    static const uint32_t argument[] = {D3DTSS_COLORARG0, D3DTSS_COLORARG2, D3DTSS_ALPHAARG2};

    for (unsigned s = 0; s < 2; s++) {
        stage_texture_state(stage, s, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
        stage_texture_state(stage, s, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
        stage_texture_state(stage, s, D3DTSS_COLORARG1, s ? D3DTA_CURRENT : D3DTA_TFACTOR);
        stage_texture_state(stage, s, D3DTSS_ALPHAARG1, s ? D3DTA_CURRENT : D3DTA_TFACTOR);
    }
    for (unsigned n = 0; n < 3; n++, number /= 7)
        stage_texture_state(stage, 1, argument[n], number % 7);
    stage_texture_state(stage, 2, D3DTSS_COLOROP, D3DTOP_DISABLE);
}

static void check_draw(struct stage *stage, unsigned number)
{
    const struct vertex v[4] = {
        {-0.5f, -0.5f, 0, 1}, {SIDE - 0.5f, -0.5f, 0, 1}, {-0.5f, SIDE - 0.5f, 0, 1}, {SIDE - 0.5f, SIDE - 0.5f, 0, 1}};
    const uint32_t color = 0xff000000 | (number + 1) * 12345;
    struct client_lock lock;
    uint32_t pixel;

    set_cascade(stage, number);
    stage_state(stage, D3DRS_TEXTUREFACTOR, color);
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW, v, 4);
    assert_int_equal(client_lock(client_part(stage->target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&pixel, lock.bits + SIDE / 2 * lock.pitch + SIDE / 2 * sizeof(pixel), sizeof(pixel));
    client_unlock(client_part(stage->target, 0));
    if (pixel != color)
        fail_msg("cascade %u draws %08x, not %08x", number, (unsigned)pixel, (unsigned)color);
}

static void test_many_cascades(void **state)
{
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned n = 0; n < MORE; n++)
        check_draw(&stage, n);
    for (unsigned n = MORE; n-- > 0;)
        check_draw(&stage, n);
    assert_int_equal(stage_take_error(&stage), DD_OK);
    stage_close(&stage);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_cascades),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
