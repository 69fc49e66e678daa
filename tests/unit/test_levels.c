/* SPDX-License-Identifier: MIT */
/*
 * Levels that the driver generates (GENERATEMIPSUBLEVELS): of volumes each texel is the average of eight, rounded once;
 * with odd sizes the weights follow from the texel's centre, in 1/256. Random volumes of any size are compared with
 * that formula in integers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/ddi.h"
#include "tests/random.h"
#include "tests/stage/stage.h"

#define MOST   17 /* texels a side */
#define LEVELS 5
#define ROUNDS 60

struct level {
    unsigned size[3];
    uint8_t texel[MOST][MOST][MOST][4]; /* z, y, x */
};

/* The sources of texel i of `size` along an axis of `above` texels: two texels, and the second's weight in 1/256. */
struct parts {
    unsigned first, second, weight;
};

static struct parts parts_of(unsigned i, unsigned size, unsigned above, bool average)
{
    const int centre = (int)((2 * i + 1) * above * 128 / size), from = centre > 128 ? centre - 128 : 0;

    if (!average)
        return (struct parts){(unsigned)centre >> 8, (unsigned)centre >> 8, 0};
    return (struct parts){(unsigned)from >> 8, BASE_MIN(((unsigned)from >> 8) + 1, above - 1), (unsigned)from & 255};
}

static void expect_level(const struct level *above, struct level *below, bool average)
{
    for (unsigned z = 0; z < below->size[2]; z++)
        for (unsigned y = 0; y < below->size[1]; y++)
            for (unsigned x = 0; x < below->size[0]; x++) {
                const struct parts px = parts_of(x, below->size[0], above->size[0], average);
                const struct parts py = parts_of(y, below->size[1], above->size[1], average);
                const struct parts pz = parts_of(z, below->size[2], above->size[2], average);

                for (unsigned c = 0; c < 4; c++) {
                    uint64_t sum = UINT64_C(1) << 23;

                    for (unsigned k = 0; k < 8; k++) {
                        const uint8_t texel = above->texel[k & 4 ? pz.second : pz.first][k & 2 ? py.second : py.first]
                                                          [k & 1 ? px.second : px.first][c];

                        sum += (uint64_t)texel * (k & 1 ? px.weight : 256 - px.weight) *
                               (k & 2 ? py.weight : 256 - py.weight) * (k & 4 ? pz.weight : 256 - pz.weight);
                    }
                    below->texel[z][y][x][c] = (uint8_t)(sum >> 24);
                }
            }
}

/* Writes a level into its surface, or compares. */
static void touch_level(struct client_surface *surface, struct level *level, unsigned bytes, bool write)
{
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, write ? 0 : DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned z = 0; z < level->size[2]; z++)
        for (unsigned y = 0; y < level->size[1]; y++)
            for (unsigned x = 0; x < level->size[0]; x++) {
                uint8_t *at = lock.bits + z * lock.slice_pitch + y * lock.pitch + x * bytes;

                if (write)
                    memcpy(at, level->texel[z][y][x], bytes);
                else if (memcmp(at, level->texel[z][y][x], bytes))
                    fail_msg("texel %u, %u, %u of %ux%ux%u is %02x, not %02x", x, y, z, level->size[0], level->size[1],
                             level->size[2], at[0], level->texel[z][y][x][0]);
            }
    client_unlock(surface);
}

static void test_volume_levels(void **state)
{
    static struct level level[LEVELS];
    struct stage stage;

    (void)state;
    random_seed = 99;
    assert_true(stage_open(&stage, 8, 8, D3DFMT_X8R8G8B8, 0));
    assert_true(stage_set_level(&stage, DDI_LEVEL_DX9));
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned bytes = random_below(2) ? 4 : 1;
        const bool average = random_below(4) != 0;
        struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_VOLUME,
                                         .format = bytes == 4 ? D3DFMT_A8R8G8B8 : D3DFMT_L8,
                                         .levels = LEVELS};
        struct client_chain *chain;

        for (unsigned axis = 0; axis < 3; axis++)
            level[0].size[axis] = random_below(3) ? 1 + random_below(MOST) : 16;
        level[0].size[random_below(3)] = 16; /* all levels are there */
        level[0].size[2] = BASE_MAX(level[0].size[2], 2u);
        desc.width = level[0].size[0];
        desc.height = level[0].size[1];
        desc.depth = level[0].size[2];
        assert_int_equal(client_chain_create(stage.client, &desc, &chain), DD_OK);
        for (unsigned z = 0; z < MOST; z++)
            for (unsigned y = 0; y < MOST; y++)
                for (unsigned x = 0; x < MOST; x++)
                    for (unsigned c = 0; c < 4; c++)
                        level[0].texel[z][y][x][c] = (uint8_t)random_word();
        touch_level(client_part(chain, 0), &level[0], bytes, true);
        const uint32_t generate[2] = {client_handle(client_part(chain, 0)), average ? 2 : 1};
        stage_command(&stage, D3DDP2OP_GENERATEMIPSUBLEVELS, 1, generate, sizeof(generate));
        stage_submit(&stage);
        for (unsigned l = 1; l < LEVELS; l++) {
            for (unsigned axis = 0; axis < 3; axis++)
                level[l].size[axis] = BASE_MAX(level[l - 1].size[axis] / 2, 1u);
            expect_level(&level[l - 1], &level[l], average);
            touch_level(client_part(chain, l), &level[l], bytes, false);
        }
        client_chain_destroy(chain);
    }
    assert_int_equal(stage_take_error(&stage), DD_OK);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
