/* SPDX-License-Identifier: MIT */
/* State blocks as the runtime keeps them (runtime/common/state/stateblock.h), recorded and predefined, and those of pure devices. */
#include "rt_fixture.h"

#include "runtime/common/state/pure_block.h"

/* Wine's test_state_management; 189 is with similar states, in PIXEL. */
static const uint8_t vertex_states[] = {9,   22,  28,  29,  34,  35,  36,  37,  38,  48,  136, 137, 139, 140, 141,
                                        142, 143, 145, 146, 147, 148, 151, 152, 154, 155, 156, 157, 158, 159, 160,
                                        161, 162, 163, 166, 167, 170, 172, 173, 178, 179, 180, 181, 182, 183, 184};
static const uint8_t pixel_states[] = {7,   8,   9,   14,  15,  16,  19,  20,  23,  24,  25,  26,  27,  36,  37,  38,
                                       52,  53,  54,  55,  56,  57,  58,  59,  60,  128, 129, 130, 131, 132, 133, 134,
                                       135, 168, 171, 174, 175, 176, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194,
                                       195, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209};

static int open9(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open(f, 9, false);
    *state = f;
    return 0;
}

static int open_pure(void **state)
{
    open9(state);
    ((struct rt_fixture *)*state)->pipe.pure = true;
    return 0;
}

static int open_software(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open(f, 9, true);
    *state = f;
    return 0;
}

static int close_device(void **state)
{
    rt_close(*state);
    free(*state);
    return 0;
}

static bool is_in(const uint8_t *list, size_t count, unsigned number)
{
    return memchr(list, (int)number, count) != NULL;
}

static void destroy_nothing(struct rt_resource *resource)
{
    (void)resource;
}

static struct rt_resource objects[8];

static struct rt_resource *object(struct rt_fixture *f, unsigned index)
{
    static const struct rt_resource_ops ops = {destroy_nothing};

    rt_resource_init(&objects[index], &f->device, &ops, false);
    return &objects[index];
}

/* --- their states ---------------------------------------------------------------------------- */

static void test_lists(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_block *all = rt_block_create(RT_BLOCK_ALL, &f->pipe.state);
    struct rt_block *vertex = rt_block_create(RT_BLOCK_VERTEX, &f->pipe.state);
    struct rt_block *pixel = rt_block_create(RT_BLOCK_PIXEL, &f->pipe.state);

    for (unsigned i = 0; i < 256; i++) {
        const bool v = is_in(vertex_states, sizeof(vertex_states), i), p = is_in(pixel_states, sizeof(pixel_states), i);

        assert_int_equal(rt_mask_test(vertex->mask.render, i), v);
        assert_int_equal(rt_mask_test(pixel->mask.render, i), p);
        assert_int_equal(rt_mask_test(all->mask.render, i), v || p);
    }
    for (unsigned s = 0; s < RT_SAMPLERS; s++) {
        uint64_t want = 0;

        /* all sampler states except DMAPOFFSET */
        for (unsigned i = 1; i < 13; i++)
            want |= UINT64_C(1) << rt_sampler_state(i);
        for (unsigned i = 1; s < RT_STAGES && i < RT_STAGE_STATES; i++)
            want |= (uint64_t)rt_is_stage_state(&d3d9_state_rules, i) << i;
        assert_true(pixel->mask.stage[s] == want);
        want = UINT64_C(1) << rt_sampler_state(13) | (s < RT_STAGES ? 1u << 11 | 1u << 24 : 0);
        assert_true(vertex->mask.stage[s] == want);
        assert_true(all->mask.stage[s] == (pixel->mask.stage[s] | vertex->mask.stage[s]));
    }
    assert_int_equal(all->mask.textures, (1u << RT_SAMPLERS) - 1);
    assert_int_equal(all->mask.streams & all->mask.frequencies, 0xffff);
    assert_true(all->mask.viewport && all->mask.scissor && all->mask.indices && all->mask.declaration);
    assert_int_equal(vertex->mask.textures | vertex->mask.streams | vertex->mask.scissor | pixel->mask.frequencies, 0);
    assert_int_equal(vertex->mask.frequencies, 0xffff);
    assert_int_equal(pixel->mask.textures | pixel->mask.streams | pixel->mask.declaration | pixel->mask.viewport, 0);
    assert_true(vertex->mask.declaration && vertex->mask.vertex_shader && vertex->mask.lights);
    assert_true(!vertex->mask.pixel_shader && pixel->mask.pixel_shader && !pixel->mask.vertex_shader);
    assert_int_equal(vertex->mask.vs_int & vertex->mask.vs_bool, 0xffff);
    assert_int_equal(vertex->mask.ps_int | vertex->mask.ps_bool | vertex->mask.ps_constant[0], 0);
    assert_int_equal(pixel->mask.ps_int & pixel->mask.ps_bool, 0xffff);
    assert_int_equal(pixel->mask.ps_constant[6], 0xffffffff);
    rt_block_destroy(all);
    rt_block_destroy(vertex);
    rt_block_destroy(pixel);
}

/* --- recording, capturing, applying --------------------------------------------------------------- */

static void test_recorded_values(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_state *s = &f->pipe.state;
    struct rt_block *block = rt_block_create(RT_BLOCK_RECORDED, s);
    struct rt_resource *texture = object(f, 0), *buffer = object(f, 1);
    const RECT scissor = {1, 2, 3, 4};
    const float plane[4] = {1, 2, 3, 4}, constants[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const int32_t integers[4] = {9, 10, 11, 12};
    const uint32_t booleans[2] = {1, 5};
    const D3DVIEWPORT8 viewport = {0, 0, 8, 8, 0.0f, 2.0f};
    D3DMATRIX matrix = {.m = {{2}}};
    D3DMATERIAL8 material = {.Power = 3};
    D3DLIGHT8 light = {.Type = D3DLIGHT_POINT};

    rt_record_render_state(block, D3D_RS_SCISSORTESTENABLE, 1);
    rt_record_stage_state(block, 20, rt_sampler_state(1), D3DTADDRESS_CLAMP);
    rt_record_stage_state(block, 2, D3D_TSS_CONSTANT, 77);
    rt_record_transform(block, RT_TRANSFORM_WORLD0 + 255, &matrix);
    rt_record_viewport(block, &viewport);
    rt_record_scissor(block, &scissor);
    rt_record_material(block, &material);
    rt_record_clip_plane(block, 5, plane);
    assert_true(rt_record_light(block, 1000, &light));
    assert_true(rt_record_light_enable(block, 1000, true));
    rt_record_texture(block, 19, texture);
    rt_record_stream(block, 3, buffer, 16, 32);
    rt_record_stream_frequency(block, 4, 0x80000002);
    rt_record_indices(block, buffer);
    rt_record_declaration(block, buffer);
    rt_record_vertex_function(block, buffer);
    rt_record_pixel_function(block, buffer);
    rt_record_constants(block, RT_VS_FLOAT, 254, 2, constants);
    rt_record_constants(block, RT_PS_INT, 15, 1, integers);
    rt_record_constants(block, RT_PS_BOOL, 3, 2, booleans);
    rt_record_palette(block, 6);
    assert_int_equal(rt_count(f, D3DDP2OP_RENDERSTATE), 0); /* nothing has happened */
    assert_int_equal(s->render[D3D_RS_SCISSORTESTENABLE], 0);
    rt_forget(f);
    assert_true(rt_block_apply(block, &f->pipe));
    assert_int_equal(rt_count(f, D3DDP2OP_RENDERSTATE), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERCONST), 1); /* neighbours go together */
    assert_int_equal(rt_count(f, D3DDP2OP_SETPIXELSHADERCONSTI), 1);
    assert_int_equal(s->stage[20][D3DTSS_ADDRESSU], D3DTADDRESS_CLAMP);
    assert_int_equal(s->stage[2][D3D_TSS_CONSTANT], 77);
    assert_true(s->transform[RT_TRANSFORM_WORLD0 + 255]._11 == 2 && s->viewport.MaxZ == 2 && s->material.Power == 3);
    assert_memory_equal(&s->scissor, &scissor, sizeof(scissor));
    assert_memory_equal(s->plane[5], plane, sizeof(plane));
    assert_true(rt_light_find(s, 1000)->enabled);
    assert_ptr_equal(s->texture[19], texture);
    assert_ptr_equal(s->stream[3].buffer, buffer);
    assert_int_equal(s->stream[3].offset, 16);
    assert_int_equal(s->stream[4].frequency, 0x80000002);
    assert_ptr_equal(s->pixel_function, buffer);
    assert_memory_equal(s->vs_constant[254], constants, sizeof(constants));
    assert_memory_equal(s->ps_int[15], integers, sizeof(integers));
    assert_int_equal(s->ps_bool[4], 5);
    assert_int_equal(s->palette, 6);
    /* a second time nothing changes */
    rt_forget(f);
    assert_true(rt_block_apply(block, &f->pipe));
    assert_int_equal(rt_count(f, D3DDP2OP_RENDERSTATE) + rt_count(f, D3DDP2OP_SETVERTEXSHADERCONST) +
                         rt_count(f, D3DDP2OP_TEXTURESTAGESTATE),
                     0);
    rt_block_destroy(block);
    rt_state_release(s);
    assert_int_equal(texture->holds + buffer->holds, 2);
}

/* A block captures the states that it recorded and nothing else. */
static void test_capture(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_block *block = rt_block_create(RT_BLOCK_RECORDED, &f->pipe.state);
    const float one[4] = {1}, two[4] = {2};

    rt_record_render_state(block, D3DRS_ALPHAREF, 1);
    rt_record_constants(block, RT_VS_FLOAT, 40, 1, one);
    rt_set_render_state(&f->pipe, D3DRS_ALPHAREF, 5);
    rt_set_render_state(&f->pipe, D3DRS_STENCILREF, 6);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 40, 1, two);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 41, 1, two);
    assert_true(rt_block_capture(block, &f->pipe.state));
    rt_set_render_state(&f->pipe, D3DRS_ALPHAREF, 7);
    rt_set_render_state(&f->pipe, D3DRS_STENCILREF, 8);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 40, 1, one);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 41, 1, one);
    assert_true(rt_block_apply(block, &f->pipe));
    assert_int_equal(f->pipe.state.render[D3DRS_ALPHAREF], 5);
    assert_int_equal(f->pipe.state.render[D3DRS_STENCILREF], 8);
    assert_true(f->pipe.state.vs_constant[40][0] == 2 && f->pipe.state.vs_constant[41][0] == 1);
    rt_block_destroy(block);
}

static void test_constants_of_software(void **state)
{
    struct rt_fixture *f = *state;
    static float values[8192][4], back[8192][4];
    struct rt_block *block;

    for (unsigned i = 0; i < 8192; i++)
        values[i][0] = (float)i;
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 0, 8192, values);
    block = rt_block_create(RT_BLOCK_VERTEX, &f->pipe.state);
    memset(back, 0, sizeof(back));
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 0, 8192, back);
    assert_true(rt_block_apply(block, &f->pipe));
    rt_get_constants(&f->pipe.state, RT_VS_FLOAT, 0, 8192, back);
    assert_memory_equal(back, values, sizeof(values));
    rt_block_destroy(block);
}

/* A Reset that runs out of memory leaves a device without the registers of software processing until the next Reset:
 * blocks from before and from in between are applied to states of the other kind. */
static void test_constants_of_software_lost(void **state)
{
    struct rt_fixture *f = *state;
    float(*const registers)[4] = f->pipe.state.vs_software;
    const float first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
    struct rt_block *before, *between;
    float back[4];

    rt_set_constants(&f->pipe, RT_VS_FLOAT, 7, 1, first);
    before = rt_block_create(RT_BLOCK_VERTEX, &f->pipe.state);
    f->pipe.state.vs_software = NULL;
    between = rt_block_create(RT_BLOCK_VERTEX, &f->pipe.state);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 7, 1, second);
    assert_true(rt_block_apply(before, &f->pipe));
    rt_get_constants(&f->pipe.state, RT_VS_FLOAT, 7, 1, back);
    assert_memory_equal(back, first, sizeof(back));
    assert_true(rt_block_capture(before, &f->pipe.state));

    f->pipe.state.vs_software = registers;
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 7, 1, second);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 8191, 1, second);
    assert_true(rt_block_apply(between, &f->pipe));
    rt_get_constants(&f->pipe.state, RT_VS_FLOAT, 7, 1, back);
    assert_memory_equal(back, first, sizeof(back));
    rt_get_constants(&f->pipe.state, RT_VS_FLOAT, 8191, 1, back);
    assert_memory_equal(back, second, sizeof(back));
    assert_true(rt_block_capture(between, &f->pipe.state));
    rt_block_send(between, &f->pipe);
    rt_block_destroy(before);
    rt_block_destroy(between);
}

/* --- behaviour of the original runtime --------------------------------------------------------------------------- */

/* Wine's test_vdecl_apply, step by step, with any kind of block. */
static void declaration_steps(struct rt_fixture *f, struct rt_resource *d1, struct rt_resource *d2, void *block,
                              void (*capture)(void *, struct rt_pipe *), void (*apply)(void *, struct rt_pipe *))
{
    struct rt_resource *const steps[][3] = {
        /* set and captured; set before it is applied; expected */
        {NULL, d2, d2}, {d2, NULL, d2}, {NULL, NULL, NULL}, {d2, d2, d2}, {d1, d2, d1},
    };

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        rt_set_declaration(&f->pipe, steps[i][0]);
        capture(block, &f->pipe);
        rt_set_declaration(&f->pipe, steps[i][1]);
        rt_pipe_bind_shaders(&f->pipe);
        apply(block, &f->pipe);
        assert_ptr_equal(f->pipe.state.declaration, steps[i][2]);
    }
    rt_set_declaration(&f->pipe, NULL);
}

static void capture_own(void *block, struct rt_pipe *pipe)
{
    assert_true(rt_block_capture(block, &pipe->state));
}
static void apply_own(void *block, struct rt_pipe *pipe)
{
    assert_true(rt_block_apply(block, pipe));
}
static void capture_pure(void *block, struct rt_pipe *pipe)
{
    rt_pure_block_capture(block, pipe);
}
static void apply_pure(void *block, struct rt_pipe *pipe)
{
    rt_pure_block_apply(block, pipe);
}

static void test_declarations(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *d1 = object(f, 0), *d2 = object(f, 1);
    struct rt_block *recorded = rt_block_create(RT_BLOCK_RECORDED, &f->pipe.state);
    struct rt_block *vertex = rt_block_create(RT_BLOCK_VERTEX, &f->pipe.state);

    rt_record_declaration(recorded, d1);
    rt_block_apply(recorded, &f->pipe);
    assert_ptr_equal(f->pipe.state.declaration, d1);
    declaration_steps(f, d1, d2, recorded, capture_own, apply_own);
    declaration_steps(f, d1, d2, vertex, capture_own, apply_own);
    rt_block_destroy(recorded);
    rt_block_destroy(vertex);
    assert_int_equal(d1->holds + d2->holds, 2);
}

static void test_declarations_of_pure_devices(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *d1 = object(f, 0), *d2 = object(f, 1);
    struct rt_block *recorded = rt_block_create(RT_BLOCK_RECORDED, &f->pipe.state);
    struct rt_pure_block *block, *vertex;

    rt_record_declaration(recorded, d1);
    block = rt_pure_block_record(&f->pipe, 1, recorded);
    vertex = rt_pure_block_create(&f->pipe, 2, RT_BLOCK_VERTEX);
    assert_non_null(block);
    assert_non_null(vertex);
    rt_block_destroy(recorded);
    declaration_steps(f, d1, d2, block, capture_pure, apply_pure);
    declaration_steps(f, d1, d2, vertex, capture_pure, apply_pure);
    /* the driver has its own value: the device's is sent again */
    rt_pipe_bind_shaders(&f->pipe);
    rt_forget(f);
    rt_pure_block_apply(vertex, &f->pipe);
    rt_pipe_bind_shaders(&f->pipe);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERDECL), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERFUNC), 1);
    rt_pure_block_destroy(block, &f->pipe);
    rt_pure_block_destroy(vertex, &f->pipe);
    rt_set_declaration(&f->pipe, NULL);
    assert_int_equal(d1->holds + d2->holds, 2);
}

/* Chains of Wine's test_state_management: offsets are those of the creation of a block, not of its capture. */
static void test_stream_offsets(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *buffer = object(f, 0);
    struct rt_block *before = rt_block_create(RT_BLOCK_ALL, &f->pipe.state), *with;

    rt_set_stream_source(&f->pipe, 1, buffer, 16, 24);
    with = rt_block_create(RT_BLOCK_ALL, &f->pipe.state);
    assert_true(rt_block_capture(before, &f->pipe.state));
    rt_set_stream_source(&f->pipe, 1, NULL, 0, 0);
    assert_true(rt_block_apply(before, &f->pipe));
    assert_ptr_equal(f->pipe.state.stream[1].buffer, buffer);
    assert_int_equal(f->pipe.state.stream[1].stride, 24);
    assert_int_equal(f->pipe.state.stream[1].offset, 0);
    rt_set_stream_source(&f->pipe, 1, NULL, 0, 0);
    assert_true(rt_block_apply(with, &f->pipe));
    assert_ptr_equal(f->pipe.state.stream[1].buffer, buffer);
    assert_int_equal(f->pipe.state.stream[1].offset, 16);
    rt_block_destroy(before);
    rt_block_destroy(with);
    rt_set_stream_source(&f->pipe, 1, NULL, 0, 0);
    assert_int_equal(buffer->holds, 1);
}

/* --- pure devices ------------------------------------------------------------------------------------ */

static void test_pure_block(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *texture = object(f, 0), *buffer = object(f, 1);
    const RECT before = {1, 2, 3, 4}, after = {5, 6, 7, 8};
    struct rt_pure_block *block;

    rt_set_texture(&f->pipe, 20, texture);
    rt_set_stream_source(&f->pipe, 2, buffer, 8, 12);
    rt_set_stream_frequency(&f->pipe, 2, 0x80000003);
    rt_set_pixel_function(&f->pipe, buffer);
    rt_set_scissor(&f->pipe, &before);
    block = rt_pure_block_create(&f->pipe, 7, RT_BLOCK_ALL);
    assert_non_null(block);
    rt_set_texture(&f->pipe, 20, NULL);
    rt_set_stream_source(&f->pipe, 2, NULL, 0, 0);
    rt_set_stream_frequency(&f->pipe, 2, 1);
    rt_set_pixel_function(&f->pipe, NULL);
    rt_set_scissor(&f->pipe, &after);
    rt_pure_block_apply(block, &f->pipe);
    assert_ptr_equal(f->pipe.state.texture[20], texture);
    assert_ptr_equal(f->pipe.state.stream[2].buffer, buffer);
    assert_int_equal(f->pipe.state.stream[2].offset, 8);
    assert_int_equal(f->pipe.state.stream[2].frequency, 0x80000003);
    assert_ptr_equal(f->pipe.state.pixel_function, buffer);
    assert_memory_equal(&f->pipe.state.scissor, &before, sizeof(before));
    assert_int_equal(rt_flush(f->link), D3D_OK);
    rt_pure_block_destroy(block, &f->pipe);
    rt_pipe_unbind(&f->pipe);
    assert_int_equal(texture->holds + buffer->holds, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lists, open9, close_device),
        cmocka_unit_test_setup_teardown(test_recorded_values, open9, close_device),
        cmocka_unit_test_setup_teardown(test_capture, open9, close_device),
        cmocka_unit_test_setup_teardown(test_constants_of_software, open_software, close_device),
        cmocka_unit_test_setup_teardown(test_constants_of_software_lost, open_software, close_device),
        cmocka_unit_test_setup_teardown(test_declarations, open9, close_device),
        cmocka_unit_test_setup_teardown(test_declarations_of_pure_devices, open_pure, close_device),
        cmocka_unit_test_setup_teardown(test_stream_offsets, open9, close_device),
        cmocka_unit_test_setup_teardown(test_pure_block, open_pure, close_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
