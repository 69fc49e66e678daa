/* SPDX-License-Identifier: MIT */
/* State blocks: the states that each type of D3DHAL_STATESETCREATE keeps, from the lists of the DirectX 8 DDI document,
 * and the states that none keeps. */
#include "tests/unit/hal_fixture.h"

/* The DirectX 8 DDI document's lists for each type, as numbers: render states, then stage states. */
static const uint8_t all_states[] = {7,   8,   9,   10,  14,  15,  16,  19,  20,  22,  23,  24,  25,  26,  27,
                                     28,  29,  33,  34,  35,  36,  37,  38,  40,  47,  48,  52,  53,  54,  55,
                                     56,  57,  58,  59,  60,  128, 129, 130, 131, 132, 133, 134, 135, 136, 137,
                                     139, 140, 141, 142, 143, 145, 146, 147, 148, 151, 152, 153, 154, 155, 156,
                                     157, 158, 159, 160, 161, 162, 163, 164, 166, 167, 168, 170, 171};
static const uint8_t vertex_states[] = {9,   22,  28,  29,  34,  35,  36,  37,  38,  48,  136, 137, 139,
                                        140, 141, 142, 143, 145, 146, 147, 148, 151, 152, 153, 154, 155,
                                        156, 157, 158, 159, 160, 161, 162, 163, 164, 166, 167, 170};
static const uint8_t pixel_states[] = {7,  8,  9,  10,  14,  15,  16,  19,  20,  23,  24,  25,  26,
                                       27, 33, 36, 37,  38,  40,  47,  52,  53,  54,  55,  56,  57,
                                       58, 59, 60, 128, 129, 130, 131, 132, 133, 134, 135, 168, 171};
static const uint8_t all_stages[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 13, 14, 15,
                                     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
static const uint8_t vertex_stages[] = {11, 24};

static bool is_in(const uint8_t *list, size_t count, unsigned number)
{
    return memchr(list, (int)number, count) != NULL;
}

/* Values are changed after creating a block of the type; executing it restores exactly the values that it holds. */
static void check_block(struct fixture *f, uint32_t type, const uint8_t *states, size_t count, const uint8_t *stages,
                        size_t stage_count)
{
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 5, type}, execute[3] = {D3DHAL_STATESETEXECUTE, 5, 0};
    struct hal_context *c = f->context;

    for (unsigned i = 0; i < 256; i++)
        c->state.render_state[i] = 1000 + i;
    for (unsigned i = 0; i < HAL_MAX_STAGE_STATES; i++)
        c->state.stage_state[3][i] = 2000 + i;
    c->state.vertex_constants.f[95][3] = c->state.pixel_constants.f[7][3] = 0;
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    assert_int_equal(fixture_run(f), DD_OK);
    memset(c->state.render_state, 0, sizeof(c->state.render_state));
    memset(c->state.stage_state, 0, sizeof(c->state.stage_state));
    c->state.vertex_constants.f[95][3] = c->state.pixel_constants.f[7][3] = 5;
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(c->state.render_state[i], is_in(states, count, i) ? 1000 + i : 0);
    for (unsigned i = 0; i < HAL_MAX_STAGE_STATES; i++)
        assert_int_equal(c->state.stage_state[3][i], is_in(stages, stage_count, i) ? 2000 + i : 0);
    assert_true(c->state.vertex_constants.f[95][3] == (type == 2 ? 5 : 0));
    assert_true(c->state.pixel_constants.f[7][3] == (type == 3 ? 5 : 0));
}

static void test_block_lists(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(sizeof(all_states), 73);
    assert_int_equal(sizeof(vertex_states), 38);
    assert_int_equal(sizeof(pixel_states), 39);
    check_block(f, 1, all_states, sizeof(all_states), all_stages, sizeof(all_stages));
    check_block(f, 2, pixel_states, sizeof(pixel_states), all_stages, sizeof(all_stages));
    check_block(f, 3, vertex_states, sizeof(vertex_states), vertex_stages, sizeof(vertex_stages));
}

/* ALL also keeps viewport, transforms, planes, material, lights and shaders; never streams, indices, textures. */
static void test_block_others(void **state)
{
    struct fixture *f = *state;
    struct hal_context *c = f->context;
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 5, 1}, execute[3] = {D3DHAL_STATESETEXECUTE, 5, 0};

    c->state.viewport.x = 3;
    c->state.viewport.max_z = 0.5f;
    c->state.clip_plane[5][3] = 4;
    c->state.material.power = 6;
    c->state.texture[7].m[0][1] = 8;
    c->state.projection.m[0][1] = 9;
    c->state.vertex_shader = D3DFVF_XYZ;
    c->state.pixel_shader = 0;
    c->state.index_handle = 11;
    c->state.stage_state[2][0] = 12;
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    assert_int_equal(fixture_run(f), DD_OK);
    c->state.viewport.x = 0;
    c->state.viewport.max_z = c->state.clip_plane[5][3] = c->state.material.power = c->state.texture[7].m[0][1] =
        c->state.projection.m[0][1] = 0;
    c->state.vertex_shader = D3DFVF_XYZRHW;
    c->state.index_handle = c->state.stage_state[2][0] = 0;
    c->state.stream[0].handle = 99;
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->state.viewport.x, 3);
    assert_true(c->state.viewport.max_z == 0.5f && c->state.clip_plane[5][3] == 4 && c->state.material.power == 6);
    assert_true(c->state.texture[7].m[0][1] == 8 && c->state.projection.m[0][1] == 9);
    assert_int_equal(c->state.vertex_shader, D3DFVF_XYZ);
    assert_int_equal(c->state.index_handle, 0);
    assert_int_equal(c->state.stage_state[2][0], 0);
    assert_int_equal(c->state.stream[0].handle, 99);
}

/* Those of Direct3D 9, from Wine's test_state_management; 189 is with similar states. */
static const uint8_t vertex_states9[] = {9,   22,  28,  29,  34,  35,  36,  37,  38,  48,  136, 137, 139, 140, 141,
                                         142, 143, 145, 146, 147, 148, 151, 152, 154, 155, 156, 157, 158, 159, 160,
                                         161, 162, 163, 166, 167, 170, 172, 173, 178, 179, 180, 181, 182, 183, 184};
static const uint8_t pixel_states9[] = {7,   8,   9,   14,  15,  16,  19,  20,  23,  24,  25,  26,  27,  36,  37,  38,
                                        52,  53,  54,  55,  56,  57,  58,  59,  60,  128, 129, 130, 131, 132, 133, 134,
                                        135, 168, 171, 174, 175, 176, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194,
                                        195, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209};
static const uint8_t pixel_stages9[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 13, 14, 15, 16,
                                        17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 32};
static const uint8_t vertex_stages9[] = {11, 24, 31};

static void test_block_lists_of_dx9(void **state)
{
    struct fixture *f = *state;
    uint8_t states[sizeof(vertex_states9) + sizeof(pixel_states9)];
    uint8_t stages[sizeof(vertex_stages9) + sizeof(pixel_stages9)];

    f->context->state.level = DDI_LEVEL_DX9;
    memcpy(states, vertex_states9, sizeof(vertex_states9));
    memcpy(states + sizeof(vertex_states9), pixel_states9, sizeof(pixel_states9));
    memcpy(stages, vertex_stages9, sizeof(vertex_stages9));
    memcpy(stages + sizeof(vertex_stages9), pixel_stages9, sizeof(pixel_stages9));
    check_block(f, 1, states, sizeof(states), stages, sizeof(stages));
    check_block(f, 2, pixel_states9, sizeof(pixel_states9), pixel_stages9, sizeof(pixel_stages9));
    check_block(f, 3, vertex_states9, sizeof(vertex_states9), vertex_stages9, sizeof(vertex_stages9));
}

/* Integers, booleans, and the samplers of vertex shaders. `type`: the type of the block. */
static void check_others9(struct fixture *f, uint32_t type)
{
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 5, type}, execute[3] = {D3DHAL_STATESETEXECUTE, 5, 0};
    const bool vertex = type != 2, pixel = type != 3;
    struct hal_context *c = f->context;

    c->state.vertex_constants.i[15][3] = c->state.pixel_constants.i[15][3] = 3;
    c->state.vertex_constants.b[15] = c->state.pixel_constants.b[15] = 1;
    c->state.stage_state[HAL_STAGE_ROWS - 1][D3DTSS_ADDRESSU] = 4;
    c->state.stage_state[HAL_STAGE_ROWS - 1][D3DTSS_COLOROP] = 5;
    c->state.stage_state[15][D3DTSS_MIPFILTER] = 2;
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    assert_int_equal(fixture_run(f), DD_OK);
    c->state.vertex_constants.i[15][3] = c->state.pixel_constants.i[15][3] = 0;
    c->state.vertex_constants.b[15] = c->state.pixel_constants.b[15] = 0;
    c->state.stage_state[HAL_STAGE_ROWS - 1][D3DTSS_ADDRESSU] =
        c->state.stage_state[HAL_STAGE_ROWS - 1][D3DTSS_COLOROP] = 0;
    c->state.stage_state[15][D3DTSS_MIPFILTER] = 0;
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->state.vertex_constants.i[15][3], vertex ? 3 : 0);
    assert_int_equal(c->state.vertex_constants.b[15], vertex);
    assert_int_equal(c->state.pixel_constants.i[15][3], pixel ? 3 : 0);
    assert_int_equal(c->state.pixel_constants.b[15], pixel);
    assert_int_equal(c->state.stage_state[HAL_STAGE_ROWS - 1][D3DTSS_ADDRESSU], pixel ? 4 : 0);
    assert_int_equal(c->state.stage_state[HAL_STAGE_ROWS - 1][D3DTSS_COLOROP], 0); /* not a stage */
    assert_int_equal(c->state.stage_state[15][D3DTSS_MIPFILTER], pixel ? 2 : 0);
}

static void test_block_others_of_dx9(void **state)
{
    struct fixture *f = *state;
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 5, 1}, execute[3] = {D3DHAL_STATESETEXECUTE, 5, 0};
    const RECT before = {1, 2, 3, 4}, after = {5, 6, 7, 8};

    f->context->state.level = DDI_LEVEL_DX9;
    for (uint32_t type = 1; type <= 3; type++)
        check_others9(f, type);
    fixture_put(f, D3DDP2OP_SETSCISSORRECT, 1, &before, sizeof(before));
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    fixture_put(f, D3DDP2OP_SETSCISSORRECT, 1, &after, sizeof(after));
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_memory_equal(&f->context->state.scissor, &before, sizeof(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_block_lists),
        fixture_test(test_block_others),
        fixture_test(test_block_lists_of_dx9),
        fixture_test(test_block_others_of_dx9),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
