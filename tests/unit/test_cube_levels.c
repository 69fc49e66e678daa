/* SPDX-License-Identifier: MIT */
/*
 * Levels of detail of cube maps, through the driver: a square of n pixels that shows one face of 64 texels a side has
 * level log2(64 / n) in each of its pixels, wherever it lies. Its edges are the edges of the face, so that helper
 * pixels outside of it look at other faces, and which pixels these are depends on whether it begins at an even pixel.
 * Biases and gradients may vary from pixel to pixel. docs/reference/texture-sampling.md, section 1.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "d3d/states.h"
#include "tests/stage/stage.h"

#define TARGET 48 /* pixels a side */
#define FACE   64 /* texels a side */
#define LEVELS 7
#define STEP   16 /* of a channel, from level to level */

/* Directions of a strip over each face, +x -x +y -y +z -z: rows of u = 0, u = 1 for v = 0, 1. */
static const float corners[6][4][3] = {
    {{1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {1, -1, -1}}, {{-1, 1, -1}, {-1, -1, -1}, {-1, 1, 1}, {-1, -1, 1}},
    {{-1, 1, -1}, {-1, 1, 1}, {1, 1, -1}, {1, 1, 1}}, {{-1, -1, 1}, {-1, -1, -1}, {1, -1, 1}, {1, -1, -1}},
    {{-1, 1, 1}, {-1, -1, 1}, {1, 1, 1}, {1, -1, 1}}, {{1, 1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, -1}},
};

/* How the face is read. `varies`: the fourth coordinate, a ramp from left to right. */
static const struct way {
    const char *name, *text; /* text: NULL for fixed function */
    enum { LEVEL_ALONE, PLUS_RAMP, PLUS_LOG2_RAMP } level;
    bool kills; /* the right half of the square */
} ways[] = {
    {"a stage", NULL, LEVEL_ALONE, false},
    {"texld", "ps_2_0\ndcl t0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n", LEVEL_ALONE, false},
    {"texld after texkill", "ps_2_0\ndcl t0\ndcl t1\ndcl_cube s0\ntexkill t1\ntexld r0, t0, s0\nmov oC0, r0\n",
     LEVEL_ALONE, true},
    {"texldb", "ps_2_0\ndcl t0\ndcl_cube s0\ntexldb r0, t0, s0\nmov oC0, r0\n", PLUS_RAMP, false},
    {"texldd",
     "ps_2_x\ndcl t0\ndcl_cube s0\ndsx r1, t0\ndsy r2, t0\nmul r1, r1, t0.w\nmul r2, r2, t0.w\n"
     "texldd r0, t0, s0, r1, r2\nmov oC0, r0\n",
     PLUS_LOG2_RAMP, false},
};

struct vertex {
    float position[4], direction[3], ramp, kill[2];
};

/* --- the stage ------------------------------------------------------------------------------------- */

static struct client_chain *make_cube(struct stage *stage)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_CUBE,
                                           .format = D3DFMT_X8R8G8B8,
                                           .width = FACE,
                                           .height = FACE,
                                           .levels = LEVELS};
    struct client_chain *chain;
    struct client_lock lock;

    assert_int_equal(client_chain_create(stage->client, &desc, &chain), DD_OK);
    for (unsigned p = 0; p < chain->part_count; p++) {
        const unsigned level = p % LEVELS, size = FACE >> level;

        assert_int_equal(client_lock(client_part(chain, p), NULL, 0, &lock), DD_OK);
        for (unsigned y = 0; y < size; y++)
            for (unsigned x = 0; x < size; x++) {
                const uint32_t texel = level * STEP * 0x010101 + (p / LEVELS);

                memcpy(lock.bits + y * lock.pitch + 4 * x, &texel, 4);
            }
        client_unlock(client_part(chain, p));
    }
    return chain;
}

static void set_states(struct stage *stage, uint32_t texture)
{
    stage_state(stage, D3DRS_ZENABLE, FALSE);
    stage_state(stage, D3DRS_LIGHTING, FALSE);
    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_POINT);
}

static void use_way(struct stage *stage, const struct way *way, uint32_t handle)
{
    uint32_t code[128] = {0};

    if (way->text)
        assert_true(shader_assemble(way->text, code, ARRAY_COUNT(code), NULL) > 0);
    stage_pixel_shader(stage, handle, way->text ? code : NULL);
}

/* --- squares --------------------------------------------------------------------------------------- */

static float ramp_at(const struct way *way, float x)
{
    return way->level == PLUS_LOG2_RAMP ? 1 + x : 2 * x; /* 0..1 over the square */
}

static void draw_square(struct stage *stage, const struct way *way, unsigned face, unsigned x, unsigned y,
                        unsigned size)
{
    const uint32_t fvf = D3DFVF_XYZRHW | D3DFVF_TEX2 | D3DFVF_TEXCOORDSIZE4(0) | D3DFVF_TEXCOORDSIZE2(1);
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++) {
        const float right = i & 2 ? 1 : 0, bottom = i & 1 ? 1 : 0, columns = (float)size * right;

        v[i] = (struct vertex){{(float)x + columns - 0.5f, (float)y + (float)size * bottom - 0.5f, 0, 1},
                               {0},
                               ramp_at(way, right),
                               {way->kills ? 1 - 2 * right : 1, 1}}; /* the right half */
        memcpy(v[i].direction, corners[face][i], sizeof(v[i].direction));
    }
    stage_clear(stage, D3DCLEAR_TARGET, 0xffffff, 1, 0);
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, fvf, v, 4);
}

static void check_square(struct stage *stage, const struct way *way, unsigned face, unsigned x0, unsigned y0,
                         unsigned size, bool linear)
{
    static uint8_t rgb[TARGET * TARGET * 3];

    assert_true(stage_read_rgb(stage, rgb));
    for (unsigned y = 0; y < TARGET; y++)
        for (unsigned x = 0; x < TARGET; x++) {
            const bool inside = x >= x0 && x < x0 + size && y >= y0 && y < y0 + size;
            const float at = ((float)(x - x0) + 0.5f) / (float)size, ramp = ramp_at(way, at);
            const bool killed = way->kills && inside && at > 0.5f;
            const uint8_t *got = &rgb[3 * (y * TARGET + x)];
            float level = log2f((float)FACE / (float)size);

            if (!inside || killed) {
                assert_int_equal(got[0], 255);
                continue;
            }
            level += way->level == PLUS_RAMP ? ramp : way->level == PLUS_LOG2_RAMP ? log2f(ramp) : 0;
            if (!linear && fabsf(level - floorf(level) - 0.5f) < 0.01f)
                continue; /* either will do */
            level = fminf(linear ? level : floorf(level + 0.5f), LEVELS - 1);
            if (fabsf((float)got[0] - level * STEP) > 1.0f)
                fail_msg("%s, face %u, %ux%u pixels at %u, %u, %s: pixel %u, %u has level %.2f, not %.2f", way->name,
                         face, size, size, x0, y0, linear ? "linear" : "point", x - x0, y - y0, (double)got[0] / STEP,
                         (double)level);
            if (!linear || way->level == LEVEL_ALONE)
                assert_int_equal(got[2], got[0] + face);
        }
}

static void test_squares(void **state)
{
    static const unsigned sizes[] = {32, 16, 8, 4, 2};
    struct client_chain *cube;
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, TARGET, TARGET, D3DFMT_X8R8G8B8, 0));
    assert_true(stage_set_level(&stage, DDI_LEVEL_DX9));
    cube = make_cube(&stage);
    set_states(&stage, client_handle(client_part(cube, 0)));
    for (unsigned w = 0; w < ARRAY_COUNT(ways); w++) {
        use_way(&stage, &ways[w], 101 + 2 * w);
        for (unsigned n = 0; n < 4 * ARRAY_COUNT(sizes) * 6 * 4; n++) {
            const unsigned place = n % 4, face = n / 4 % 6, filters = n / 24 % 4, size = sizes[n / 96];
            const unsigned x = 10 + (place & 1), y = 10 + (place >> 1);

            stage_texture_state(&stage, 0, D3DTSS_MINFILTER, filters & 1 ? D3DTEXF_LINEAR : D3DTEXF_POINT);
            stage_texture_state(&stage, 0, D3DTSS_MIPFILTER, filters & 2 ? D3DTEXF_LINEAR : D3DTEXF_POINT);
            draw_square(&stage, &ways[w], face, x, y, size);
            check_square(&stage, &ways[w], face, x, y, size, filters & 2);
        }
    }
    assert_int_equal(stage_take_error(&stage), DD_OK);
    client_chain_destroy(cube);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squares),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
