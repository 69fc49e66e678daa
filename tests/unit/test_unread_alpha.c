/* SPDX-License-Identifier: MIT */
/*
 * Programs of the texture stages leave out unread alpha (hal/pixel/pipeline.c). Random stages, tests and blends are
 * drawn on a target with alpha and on one without: red, green and blue must be the same, to the bit, unless they depend
 * on the stored alpha.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/random.h"
#include "tests/stage/stage.h"

#define SIZE   32 /* of the target, in pixels */
#define ROUNDS 300
#define DRAWS  12

struct corner {
    float x, y, z, rhw;
    uint32_t diffuse, specular;
    float u, v;
};
#define CORNER_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1)

static void fill_texels(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t texel = random_word() * 257u;

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, sizeof(texel));
        }
}

static void change_stages(struct stage *stage)
{
    const unsigned s = random_below(2);

    stage_texture_state(stage, s, D3DTSS_COLOROP, s ? 1 + random_below(26) : 2 + random_below(25));
    stage_texture_state(stage, s, D3DTSS_ALPHAOP, 1 + random_below(16));
    stage_texture_state(stage, s, D3DTSS_COLORARG1, random_below(5) | (random_below(4) ? 0 : 0x20));
    stage_texture_state(stage, s, D3DTSS_COLORARG2, random_below(5) | (random_below(4) ? 0 : 0x10));
    stage_texture_state(stage, s, D3DTSS_ALPHAARG1, random_below(5));
    stage_texture_state(stage, s, D3DTSS_ALPHAARG2, random_below(5));
    stage_texture_state(stage, s, D3DTSS_RESULTARG, random_below(4) ? D3DTA_CURRENT : D3DTA_TEMP);
}

/* No factor uses the stored alpha: the target without alpha has 1. */
static void change_output(struct stage *stage)
{
    static const uint8_t factors[] = {1, 2, 3, 4, 5, 6, 9, 10, 12, 13, 14, 15};

    stage_state(stage, D3DRS_ALPHABLENDENABLE, random_below(2));
    stage_state(stage, D3DRS_SRCBLEND, factors[random_below(ARRAY_COUNT(factors))]);
    stage_state(stage, D3DRS_DESTBLEND, factors[random_below(ARRAY_COUNT(factors))]);
    stage_state(stage, D3DRS_BLENDOP, 1 + random_below(5));
    stage_state(stage, D3DRS_ALPHATESTENABLE, random_below(3) == 0);
    stage_state(stage, D3DRS_ALPHAFUNC, 1 + random_below(8));
    stage_state(stage, D3DRS_ALPHAREF, random_below(256));
    stage_state(stage, D3DRS_COLORWRITEENABLE, random_below(4) ? 15 : random_below(16));
    stage_state(stage, D3DRS_SPECULARENABLE, random_below(4) == 0);
    stage_state(stage, D3DRS_TEXTUREFACTOR, random_word() * 257u);
    stage_state(stage, D3DRS_FOGENABLE, random_below(4) == 0);
    stage_state(stage, D3DRS_FOGCOLOR, random_word());
}

static void draw_any(struct stage *stage)
{
    const float left = random_unit() * SIZE, top = random_unit() * SIZE, size = random_unit() * SIZE;
    struct corner v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] =
            (struct corner){left + (i & 1 ? size : 0), top + (i & 2 ? size : 0), 0.5f,         1, random_word() * 257u,
                            random_word() * 257u,      random_unit() * 2,        random_unit()};
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, CORNER_FVF, v, 4);
}

static void play(uint32_t format, uint32_t round, uint8_t rgb[SIZE * SIZE * 3])
{
    struct stage stage;

    random_seed = round * 7919 + 1;
    assert_true(stage_open(&stage, SIZE, SIZE, format, 0));
    stage_clear(&stage, D3DCLEAR_TARGET, 0xff406080, 1, 0);
    for (unsigned s = 0; s < 2; s++)
        stage_texture_state(&stage, s, D3DTSS_TEXTUREMAP, stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, fill_texels));
    for (unsigned i = 0; i < DRAWS; i++) {
        change_stages(&stage);
        if (random_below(2))
            change_output(&stage);
        draw_any(&stage);
    }
    assert_true(stage_read_rgb(&stage, rgb));
    assert_null(stage.failed);
    stage_close(&stage);
}

static void test_targets_with_and_without_alpha(void **state)
{
    static uint8_t with[SIZE * SIZE * 3], without[SIZE * SIZE * 3];

    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        play(D3DFMT_A8R8G8B8, round, with);
        play(D3DFMT_X8R8G8B8, round, without);
        if (memcmp(with, without, sizeof(with)))
            fail_msg("round %u: the colours differ", (unsigned)round);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_targets_with_and_without_alpha)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
