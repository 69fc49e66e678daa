/* SPDX-License-Identifier: MIT */
/* Command streams through hal_context_execute: order, errors with their offsets, state, hostile
 * numbers. */
#include "dp2/tokens.h"
#include "hal/hal.h"
#include "hal/state/stateset.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/tnl/light.h"
#include "hal_fixture.h"
#include "tests/random.h"

static const float square[4][4] = {{-1, -1, 0.5f}, {-1, 1, 0.5f}, {1, -1, 0.5f}, {1, 1, 0.5f}};

static void put_square(struct fixture *f)
{
    float v[4][3];

    for (unsigned i = 0; i < 4; i++)
        memcpy(v[i], square[i], sizeof(v[i]));
    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_vertices(f, D3DFVF_XYZ, v, sizeof(v), sizeof(v[0]));
}

/* --- errors ------------------------------------------------------------------------- */

static void test_unknown_token(void **state)
{
    struct fixture *f = *state;
    const uint32_t offset = 12;

    fixture_state(f, D3DRS_FOGCOLOR, 0x123456);
    f->commands[f->builder.length] = 70; /* no meaning */
    memset(f->commands + f->builder.length + 1, 0, 3);
    f->builder.length += 4;
    fixture_state(f, D3DRS_FOGCOLOR, 0x654321);
    assert_int_equal(fixture_run(f), D3DERR_COMMAND_UNPARSED);
    assert_int_equal(f->error_offset, offset);
    assert_int_equal(f->context->state.render_state[D3DRS_FOGCOLOR], 0x123456);
    fixture_state(f, D3DRS_FOGCOLOR, 0x654321);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->error_offset, 0);
    assert_int_equal(f->context->state.render_state[D3DRS_FOGCOLOR], 0x654321);
}

static void test_truncated(void **state)
{
    struct fixture *f = *state;

    fixture_state(f, D3DRS_AMBIENT, 1);
    fixture_state(f, D3DRS_AMBIENT, 2);
    f->builder.length -= 1;
    assert_int_equal(fixture_run(f), D3DERR_COMMAND_UNPARSED);
    assert_int_equal(f->error_offset, 12);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 1);
}

static void test_failing_token(void **state)
{
    struct fixture *f = *state;
    const uint32_t target[2] = {FIXTURE_DEPTH, 0};

    fixture_state(f, D3DRS_AMBIENT, 1);
    fixture_put(f, D3DDP2OP_SETRENDERTARGET, 1, target, sizeof(target));
    assert_int_equal(fixture_run(f), DDERR_INVALIDPARAMS);
    assert_int_equal(f->error_offset, 12);
    assert_ptr_equal(f->context->scene.target, &f->surface[FIXTURE_TARGET]);
}

static void test_known_but_not_executed(void **state)
{
    struct fixture *f = *state;
    const uint32_t query[2] = {1, 8};

    fixture_put(f, D3DDP2OP_CREATEQUERY, 1, query, sizeof(query));
    fixture_state(f, D3DRS_AMBIENT, 7);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 7);
}

/* --- state -------------------------------------------------------------------------- */

static void test_write_back(void **state)
{
    struct fixture *f = *state;
    static uint32_t states[256];

    memset(states, 0, sizeof(states));
    f->execute.render_states = states;
    fixture_state(f, D3DRS_ZFUNC, 5);
    fixture_state(f, 255, 6);
    fixture_state(f, 256, 7);
    fixture_state(f, 0xffffffff, 7);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(states[D3DRS_ZFUNC], 5);
    assert_int_equal(states[255], 6);
}

static void test_defaults(void **state)
{
    struct fixture *f = *state;
    const uint32_t *r = f->context->state.render_state;

    assert_int_equal(r[D3DRS_ZENABLE], 1);
    assert_int_equal(r[D3DRS_CULLMODE], 3);
    assert_int_equal(r[D3DRS_ZFUNC], 4);
    assert_int_equal(r[D3DRS_TEXTUREFACTOR], 0xffffffff);
    assert_int_equal(r[D3DRS_COLORWRITEENABLE], 15);
    assert_true(hal_render_state_float(&f->context->state, D3DRS_POINTSIZE_MAX) == HAL_MAX_POINT_SIZE);
    assert_int_equal(f->context->state.stage_state[0][D3DTSS_COLOROP], D3DTOP_MODULATE);
    assert_int_equal(f->context->state.stage_state[1][D3DTSS_COLOROP], D3DTOP_DISABLE);
    assert_int_equal(f->context->state.stage_state[3][D3DTSS_TEXCOORDINDEX], 3);
    assert_int_equal(f->context->state.viewport.width, FIXTURE_SIZE);
}

static void test_transforms(void **state)
{
    struct fixture *f = *state;
    float move[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1};
    float twice[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
    uint8_t body[68] = {0, 1}; /* 256 */

    fixture_transform(f, 256, move);
    memcpy(body + 4, twice, 64);
    fixture_put(f, D3DDP2OP_MULTIPLYTRANSFORM, 1, body, sizeof(body));
    fixture_transform(f, 257, twice);
    fixture_transform(f, 4711, twice);
    fixture_transform(f, 23, move);
    assert_int_equal(fixture_run(f), DD_OK);
    /* scaled first, then moved */
    assert_true(f->context->state.world[0].m[0][0] == 2 && f->context->state.world[0].m[3][0] == 5);
    assert_true(f->context->state.world[1].m[0][0] == 2);
    assert_true(f->context->state.texture[7].m[3][0] == 5);
}

static void put_light(struct fixture *f, uint32_t index, uint32_t operation)
{
    uint8_t body[112] = {0};

    memcpy(body, &index, 4);
    memcpy(body + 4, &operation, 4);
    fixture_put(f, D3DDP2OP_SETLIGHT, 1, body, operation == D3DHAL_SETLIGHT_DATA ? sizeof(body) : 8);
}

static void test_lights(void **state)
{
    struct fixture *f = *state;
    const struct hal_light_table *lights = f->context->resources.lights;

    put_light(f, 0xdeadbeef, D3DHAL_SETLIGHT_DATA);
    put_light(f, 0xdeadbeef, D3DHAL_SETLIGHT_ENABLE);
    put_light(f, 0xdeadbeef, D3DHAL_SETLIGHT_ENABLE);
    put_light(f, 0, D3DHAL_SETLIGHT_ENABLE);
    put_light(f, 3, D3DHAL_SETLIGHT_DISABLE);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(lights->active_count, 2);
    put_light(f, 0xdeadbeef, D3DHAL_SETLIGHT_DISABLE);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(lights->active_count, 1);
    assert_int_equal(lights->active[0]->index, 0);
    for (uint32_t i = 0; i < 3 * HAL_MAX_LIGHT_ENTRIES; i++) {
        put_light(f, i * 77, D3DHAL_SETLIGHT_ENABLE);
        assert_int_equal(fixture_run(f), DD_OK);
    }
    assert_int_equal(lights->map.count, HAL_MAX_LIGHT_ENTRIES);
}

static void test_state_blocks(void **state)
{
    struct fixture *f = *state;
    const uint32_t begin[3] = {D3DHAL_STATESETBEGIN, 9, 0}, end[3] = {D3DHAL_STATESETEND, 9, 0};
    const uint32_t execute[3] = {D3DHAL_STATESETEXECUTE, 9, 0};
    const uint32_t capture[3] = {D3DHAL_STATESETCAPTURE, 9, 0};
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 10, 1};
    const uint32_t apply[3] = {D3DHAL_STATESETEXECUTE, 10, 0};
    const uint32_t unknown[3] = {D3DHAL_STATESETEXECUTE, 4711, 0};

    fixture_put(f, D3DDP2OP_STATESET, 1, unknown, sizeof(unknown));
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    fixture_put(f, D3DDP2OP_STATESET, 1, begin, sizeof(begin));
    fixture_state(f, D3DRS_AMBIENT, 5);
    fixture_put(f, D3DDP2OP_STATESET, 1, end, sizeof(end));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 0);
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 5);
    fixture_state(f, D3DRS_AMBIENT, 6);
    fixture_put(f, D3DDP2OP_STATESET, 1, capture, sizeof(capture));
    fixture_state(f, D3DRS_AMBIENT, 7);
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 6);
    f->context->state.world[200].m[2][1] = 3;
    fixture_put(f, D3DDP2OP_STATESET, 1, apply, sizeof(apply));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 0);
    assert_true(f->context->state.world[200].m[2][1] == 0);
    assert_int_equal(f->context->state.viewport.width, FIXTURE_SIZE);
}

static void test_state_block_memory_is_capped(void **state)
{
    struct fixture *f = *state;
    HRESULT result = DD_OK;

    for (uint32_t i = 0; i < 8192 && result == DD_OK; i++) {
        const uint32_t create[3] = {D3DHAL_STATESETCREATE, i, 1};

        fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
        result = fixture_run(f);
    }
    assert_int_equal(result, E_OUTOFMEMORY);
    assert_true(f->context->resources.blocks.bytes <= HAL_MAX_STATE_BLOCK_BYTES);
}

/* The patch is deleted while the block is recorded (streams: delete-patch-while-recording); the other states of the
 * command are recorded. */
static void test_block_records_no_orders(void **state)
{
    struct fixture *f = *state;
    const uint32_t begin[3] = {D3DHAL_STATESETBEGIN, 9, 0}, end[3] = {D3DHAL_STATESETEND, 9, 0};
    const uint32_t execute[3] = {D3DHAL_STATESETEXECUTE, 9, 0};
    const uint32_t states[6] = {D3DRS_AMBIENT, 5, D3DRS_DELETERTPATCH, 7, D3DRS_FOGCOLOR, 6};

    fixture_put(f, D3DDP2OP_STATESET, 1, begin, sizeof(begin));
    fixture_put(f, D3DDP2OP_RENDERSTATE, 3, states, sizeof(states));
    fixture_put(f, D3DDP2OP_STATESET, 1, end, sizeof(end));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 0);
    assert_int_equal(f->context->state.render_state[D3DRS_FOGCOLOR], 0);
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 5);
    assert_int_equal(f->context->state.render_state[D3DRS_FOGCOLOR], 6);
    assert_int_equal(f->context->state.render_state[D3DRS_DELETERTPATCH], 0);
}

/* --- clear -------------------------------------------------------------------------- */

static void put_clear(struct fixture *f, uint32_t flags, uint32_t color, uint16_t count, const int32_t rect[4])
{
    uint8_t body[32] = {0};

    memcpy(body, &flags, 4);
    memcpy(body + 4, &color, 4);
    memcpy(body + 16, rect, 16);
    fixture_put(f, D3DDP2OP_CLEAR, count, body, sizeof(body));
}

static void test_clear(void **state)
{
    struct fixture *f = *state;
    const uint32_t viewport[4] = {10, 20, 5, 4};
    const int32_t filler[4] = {1, 2, 3, -4}, wide[4] = {-100, -100, 1 << 30, 1 << 30};

    put_clear(f, 1, 0x0000ff, 1, wide);
    fixture_put(f, D3DDP2OP_VIEWPORTINFO, 1, viewport, sizeof(viewport));
    put_clear(f, 1 | D3DCLEAR_COMPUTERECTS, 0xff0000, 0, filler);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 20);
    assert_int_equal(fixture_pixel(f, 10, 20), 0xff0000);
    assert_int_equal(fixture_pixel(f, 14, 23), 0xff0000);
    assert_int_equal(fixture_pixel(f, 15, 23), 0x0000ff);
    put_clear(f, 1 | D3DCLEAR_COMPUTERECTS, 0x00ff00, 1, wide);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 20);
    put_clear(f, 1, 0x123456, 1, (const int32_t[4]){5, 5, 5, 5});
    put_clear(f, 1, 0x123456, 1, (const int32_t[4]){9, 9, 3, 3});
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x123456), 0);
}

/* --- hostile numbers ---------------------------------------------------------------- */

static void test_hostile_draws(void **state)
{
    struct fixture *f = *state;
    static const uint32_t numbers[] = {0, 1, 3, 4, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x10000};
    const uint16_t indices[6] = {0, 1, 2, 3, 0xffff, 7};

    put_square(f);
    fixture_indices(f, indices, sizeof(indices), 2);
    assert_int_equal(fixture_run(f), DD_OK);
    for (unsigned a = 0; a < ARRAY_COUNT(numbers); a++) {
        for (unsigned b = 0; b < ARRAY_COUNT(numbers); b++) {
            for (uint32_t type = 0; type < 8; type++) {
                const uint32_t draw[3] = {type, numbers[a], numbers[b]};
                const uint32_t indexed[6] = {type, numbers[a], numbers[b], numbers[a], numbers[b], numbers[a]};

                fixture_put(f, D3DDP2OP_DRAWPRIMITIVE, 1, draw, sizeof(draw));
                fixture_put(f, D3DDP2OP_DRAWPRIMITIVE2, 1, draw, sizeof(draw));
                fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, indexed, sizeof(indexed));
                fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE2, 1, indexed, sizeof(indexed));
                fixture_put(f, D3DDP2OP_CLIPPEDTRIANGLEFAN, 1, draw, sizeof(draw));
                assert_int_equal(fixture_run(f), DD_OK);
            }
        }
    }
}

static void test_hostile_streams(void **state)
{
    struct fixture *f = *state;
    static const uint32_t numbers[] = {0, 1, 2, 11, 12, 13, 100, 0x10000, 0x80000000, 0xffffffff};
    static const uint32_t formats[] = {0,     2,      4,          0x112,  0x5e, 0xffe, 0x1fe,
                                       0x152, 0xffff, 0xfffffffe, 0x4002, 6,    0x10c0};
    static const uint32_t handles[] = {0, FIXTURE_TARGET, FIXTURE_VERTICES, 0x12345678, 0xffffffff};

    put_square(f);
    for (unsigned s = 0; s < ARRAY_COUNT(numbers); s++) {
        for (unsigned v = 0; v < ARRAY_COUNT(formats); v++) {
            for (unsigned h = 0; h < ARRAY_COUNT(handles); h++) {
                const uint32_t stream[3] = {0, handles[h], numbers[s]};
                const uint32_t odd[3] = {numbers[s], handles[h], numbers[s]};
                const uint32_t um[2] = {0, numbers[s]};

                fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &formats[v], 4);
                fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, odd, sizeof(odd));
                fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
                fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
                fixture_put(f, D3DDP2OP_SETSTREAMSOURCEUM, 1, um, sizeof(um));
                fixture_draw(f, D3DPT_POINTLIST, numbers[s], 2);
                assert_int_equal(fixture_run(f), DD_OK);
            }
        }
    }
}

static void test_hostile_handles(void **state)
{
    struct fixture *f = *state;
    const uint32_t body[12] = {0x7fffffff, 0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff, 1, 2, 3, 4, 5, 6, 7};
    static const struct {
        uint8_t token;
        uint8_t size;
    } tokens[] = {
        {D3DDP2OP_TEXBLT, 36},        {D3DDP2OP_VOLUMEBLT, 48},         {D3DDP2OP_BUFFERBLT, 24},
        {D3DDP2OP_SETPALETTE, 12},    {D3DDP2OP_SETTEXLOD, 8},          {D3DDP2OP_SETPRIORITY, 8},
        {D3DDP2OP_SETCLIPPLANE, 20},  {D3DDP2OP_SETINDICES, 8},         {D3DDP2OP_SETSTREAMSOURCE2, 16},
        {D3DDP2OP_SETPIXELSHADER, 4}, {D3DDP2OP_DELETEVERTEXSHADER, 4}, {D3DDP2OP_SETVERTEXSHADER, 4},
        {D3DDP2OP_STATESET, 12},      {D3DDP2OP_CREATELIGHT, 4},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(tokens); i++) {
        fixture_put(f, tokens[i].token, 1, body, tokens[i].size);
        assert_int_equal(fixture_run(f), DD_OK);
        fixture_put(f, tokens[i].token, 0, body, 0);
        assert_int_equal(fixture_run(f), DD_OK);
    }
    put_square(f);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
}

static void test_bad_declarations(void **state)
{
    struct fixture *f = *state;
    /* handle, declaration bytes, code bytes, declaration */
    const uint32_t no_end[4] = {1, 4, 0, 0x20000000};
    const uint32_t bad_register[5] = {1, 8, 0, 0x40020000 | 17, 0xffffffff};
    const uint32_t even_handle[4] = {2, 4, 0, 0xffffffff};
    const uint32_t runaway[5] = {1, 8, 0, 0x9e000000, 0xffffffff};

    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, no_end, sizeof(no_end));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, bad_register, sizeof(bad_register));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, even_handle, sizeof(even_handle));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, runaway, sizeof(runaway));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
}

/* Any token with any numbers, most of them near something that exists. */
static uint32_t odd_number(uint32_t *seed)
{
    static const uint32_t numbers[] = {0,   1,      2,          3,          4,          5,          6,
                                       7,   8,      16,         0x112,      0x1c4,      0x152,      0x116,
                                       256, 0xffff, 0x3f800000, 0xbf800000, 0x7fc00000, 0x80000000, 0xffffffff};

    const uint32_t pick = random_next(seed) & 31;

    return pick < ARRAY_COUNT(numbers) ? numbers[pick] : random_next(seed);
}

static void random_command(struct fixture *f, uint32_t *seed)
{
    const struct dp2_token_info *info = NULL;
    uint8_t body[256];

    while (!info || info->size_rule == 0)
        info = dp2_token_info((uint8_t)random_next(seed));
    for (unsigned i = 0; i < sizeof(body); i += 4) {
        const uint32_t number = odd_number(seed);

        memcpy(body + i, &number, 4);
    }
    const size_t size =
        (size_t)info->fixed_size + info->entry_size + (random_next(seed) % 16 == 0 ? random_next(seed) % 128 : 0);

    dp2_put(&f->builder, info->number, 1, body, BASE_MIN(size, sizeof(body)));
}

/* Limits the cost of each call: random numbers also ask for a billion instances, which a program would get. */
static void bound_call(struct hal_driver *driver)
{
    const uint64_t bound = 20000000000; /* picoseconds: 20 ms of one core */

    driver->work_done = 0;
    driver->work_allowed = bound;
}

static void test_random_streams(void **state)
{
    struct fixture *f = *state;
    const uint16_t indices[12] = {0, 1, 2, 3, 2, 1, 0, 0xffff, 5, 4, 3, 2};
    float vertices[64];
    uint32_t seed = 99;
    unsigned executed = 0;

    for (unsigned i = 0; i < 64; i++)
        vertices[i] = (float)((int)(i * 37 % 29) - 14) / 7;
    for (unsigned round = 0; round < 3000; round++) {
        f->execute.vertex_type = round & 1 ? D3DFVF_XYZ | D3DFVF_TEX1 : D3DFVF_XYZRHW;
        f->execute.vertices = (const uint8_t *)vertices;
        f->execute.vertex_bytes = sizeof(vertices);
        if (round % 16 == 0) {
            fixture_vertices(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, vertices, sizeof(vertices), 16);
            fixture_indices(f, indices, sizeof(indices), 2);
        }
        for (unsigned i = 0; i < 24; i++) {
            random_command(f, &seed);
            f->execute.commands = f->commands;
            f->execute.command_bytes = f->builder.length;
            bound_call(f->driver);
            executed += hal_context_execute(f->context, &f->execute, &f->error_offset) == DD_OK;
            assert_true(f->error_offset < f->builder.length);
            dp2_builder_init(&f->builder, f->commands, sizeof(f->commands));
        }
        hal_scene_flush(&f->context->scene, HAL_FLUSH_LOOK);
    }
    assert_true(executed > 30000);
    /* usable afterwards */
    f->driver->work_allowed = HAL_WORK_UNBOUNDED;
    const uint32_t end[3] = {D3DHAL_STATESETEND, 0, 0};

    fixture_put(f, D3DDP2OP_STATESET, 1, end, sizeof(end));
    fixture_state(f, D3DRS_AMBIENT, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.render_state[D3DRS_AMBIENT], 3);
}

static void test_legacy_states(void **state)
{
    struct fixture *f = *state;

    f->context->state.level = DDI_LEVEL_DX7;
    fixture_state(f, 1, 77); /* TEXTUREHANDLE */
    fixture_state(f, 3, 3);  /* TEXTUREADDRESS clamp */
    fixture_state(f, 21, 4); /* TEXTUREMAPBLEND modulate alpha */
    fixture_state(f, 5, 1);  /* WRAPU */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.stage_state[0][0], 77);
    assert_int_equal(f->context->state.stage_state[0][D3DTSS_ADDRESSV], 3);
    assert_int_equal(f->context->state.stage_state[0][D3DTSS_ALPHAOP], D3DTOP_MODULATE);
    assert_int_equal(f->context->state.render_state[D3DRS_WRAP0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_unknown_token),
        fixture_test(test_truncated),
        fixture_test(test_failing_token),
        fixture_test(test_known_but_not_executed),
        fixture_test(test_write_back),
        fixture_test(test_defaults),
        fixture_test(test_transforms),
        fixture_test(test_lights),
        fixture_test(test_state_blocks),
        fixture_test(test_state_block_memory_is_capped),
        fixture_test(test_block_records_no_orders),
        fixture_test(test_clear),
        fixture_test(test_hostile_draws),
        fixture_test(test_hostile_streams),
        fixture_test(test_hostile_handles),
        fixture_test(test_bad_declarations),
        fixture_test(test_legacy_states),
        fixture_test(test_random_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
