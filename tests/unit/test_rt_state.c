/* SPDX-License-Identifier: MIT */
/* The device state of the runtime (runtime/common/state/state.h): the initial values of each version of the API, and
 * the tokens that send them. */
#include "rt_fixture.h"

static int open9(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open(f, 9, false);
    *state = f;
    return 0;
}

static int open8(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open(f, 8, false);
    *state = f;
    return 0;
}

/* The rules of an API before shaders, streams and samplers, which no face has yet. */
static const struct rt_driver_rules old_driver_rules = {.ddi_level = DDI_LEVEL_DX7, .format_level = 7};
static const struct rt_state_rules old_rules = {
    .state_level = 8, /* d3d/states.def does not tell earlier levels apart */
    .block_column = RT_BLOCK_COLUMN_8,
    .patch_segments = D3D_ONE,
    .last_stage_state = D3D_TSS_TEXTURETRANSFORMFLAGS,
    .samplers = RT_STAGES,
};

static int open_old(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open_with(f, &old_driver_rules, &old_rules, false);
    *state = f;
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

static void expect(struct rt_fixture *f, uint8_t token, unsigned index, const uint32_t *words, unsigned count)
{
    const struct rt_sent *sent = rt_find(f, token, index);

    assert_in_range(sent->words, count, 8);
    assert_memory_equal(sent->word, words, count * sizeof(*words));
}
#define EXPECT(f, token, index, ...)                                       \
    do {                                                                   \
        const uint32_t words_[] = {__VA_ARGS__};                           \
        expect(f, token, index, words_, sizeof(words_) / sizeof(*words_)); \
    } while (0)

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return word;
}

/* Objects to bind; nobody frees them. */
static void destroy_nothing(struct rt_resource *resource)
{
    (void)resource;
}
static const struct rt_resource_ops object_ops = {destroy_nothing};

static struct object {
    struct rt_resource res;
    uint32_t handle;
} objects[8];

static uint32_t object_handle(struct rt_resource *resource)
{
    return ((struct object *)resource)->handle;
}

static const struct rt_state_ops handle_ops = {object_handle, object_handle, rt_shader_handle, rt_shader_handle,
                                               object_handle};

static struct rt_resource *object(struct rt_fixture *f, unsigned index)
{
    struct object *o = &objects[index];

    f->pipe.ops = &handle_ops;
    rt_resource_init(&o->res, &f->device, &object_ops, false);
    o->handle = 0; /* the driver knows none of them: tokens with 0 are harmless */
    return &o->res;
}

/* --- numbers and defaults ------------------------------------------------------------------- */

static void test_samplers(void **state)
{
    static const uint32_t numbers[] = {0, 7, 15, 256, 257, 260};
    static const int indices[] = {0, 7, 15, 16, 17, 20};
    /* D3DSAMP_*, as the DDI document maps them to stage states */
    static const uint8_t states[] = {0, 13, 14, 25, 15, 16, 17, 18, 19, 20, 21, 29, 30, 31};

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(rt_sampler_index(numbers[i]), indices[i]);
    assert_int_equal(rt_sampler_index(16), -1);
    assert_int_equal(rt_sampler_index(255), -1);
    assert_int_equal(rt_sampler_index(261), -1);
    assert_int_equal(rt_sampler_index(0xffffffff), -1);
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(rt_sampler_state(i), states[i]);
    assert_int_equal(rt_sampler_state(14), 0);
    for (unsigned i = 0; i < 40; i++) {
        bool nine = (i >= 1 && i <= 11) || i == 22 || i == 23 || i == 24 || (i >= 26 && i <= 28) || i == 32;
        assert_int_equal(rt_is_stage_state(&d3d9_state_rules, i), nine);
        assert_int_equal(rt_is_stage_state(&d3d8_state_rules, i), i >= 1 && i <= 28);
    }
}

/* The values of Wine's render_state_default_data_init and texture stages. */
static void test_defaults9(void **state)
{
    const struct rt_state *s = &((struct rt_fixture *)*state)->pipe.state;

    assert_ptr_equal(s->rules, &d3d9_state_rules);
    assert_int_equal(s->render[D3DRS_ZENABLE], 1);
    assert_int_equal(s->render[D3DRS_POINTSIZE_MIN], bits(1.0f));
    assert_int_equal(s->render[D3DRS_POINTSIZE_MAX], bits(256.0f));
    assert_int_equal(s->render[D3D_RS_PATCHSEGMENTS], 0);
    assert_int_equal(s->render[D3D_RS_BLENDFACTOR], 0xffffffff);
    assert_int_equal(s->render[D3D_RS_MAXTESSELLATIONLEVEL], bits(1.0f));
    assert_int_equal(s->render[D3D_RS_ADAPTIVETESS_Z], bits(1.0f));
    assert_int_equal(s->render[D3D_RS_COLORWRITEENABLE3], 15);
    assert_int_equal(s->render[D3D_RS_CCW_STENCILFUNC], 8);
    assert_int_equal(s->render[D3D_RS_BLENDOPALPHA], 1);
    assert_int_equal(s->render[D3D_RS_SRCBLENDALPHA], 2);
    assert_int_equal(s->stage[0][D3D_TSS_COLOROP], D3DTOP_MODULATE);
    assert_int_equal(s->stage[7][D3D_TSS_COLOROP], D3DTOP_DISABLE);
    assert_int_equal(s->stage[7][D3D_TSS_TEXCOORDINDEX], 7);
    for (unsigned i = 0; i < RT_SAMPLERS; i++) {
        assert_int_equal(s->stage[i][rt_sampler_state(1)], D3DTADDRESS_WRAP);
        assert_int_equal(s->stage[i][rt_sampler_state(5)], 1);
        assert_int_equal(s->stage[i][rt_sampler_state(7)], 0);
        assert_int_equal(s->stage[i][rt_sampler_state(10)], 1);
        assert_int_equal(s->stage[i][rt_sampler_state(11)], 0);
    }
    for (unsigned i = 0; i < RT_STREAMS; i++)
        assert_int_equal(s->stream[i].frequency, 1);
    assert_int_equal(rt_constant_limit(s, RT_VS_FLOAT), 256);
    assert_int_equal(rt_constant_limit(s, RT_PS_FLOAT), 224);
    assert_int_equal(rt_constant_limit(s, RT_PS_BOOL), 16);
}

static void test_defaults8(void **state)
{
    const struct rt_state *s = &((struct rt_fixture *)*state)->pipe.state;

    assert_int_equal(s->render[D3DRS_POINTSIZE_MIN], 0);
    assert_int_equal(s->render[D3D_RS_PATCHSEGMENTS], bits(1.0f));
    assert_int_equal(s->render[D3D_RS_BLENDFACTOR], 0);
}

/* --- tokens ------------------------------------------------------------------------------------ */

static void test_stage_tokens(void **state)
{
    struct rt_fixture *f = *state;

    rt_set_stage_state(&f->pipe, (unsigned)rt_sampler_index(3), rt_sampler_state(2), D3DTADDRESS_CLAMP);
    rt_set_stage_state(&f->pipe, (unsigned)rt_sampler_index(258), rt_sampler_state(11), 1);
    rt_set_stage_state(&f->pipe, 5, D3D_TSS_CONSTANT, 0x12345678);
    rt_set_stage_state(&f->pipe, 5, D3D_TSS_CONSTANT, 0x12345678); /* changes nothing */
    assert_int_equal(rt_count(f, D3DDP2OP_TEXTURESTAGESTATE), 3);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 0, 3 | 14 << 16, D3DTADDRESS_CLAMP);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 1, 258 | 29 << 16, 1);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 2, 5 | 32 << 16, 0x12345678);
}

/* HALCYON_ANISOTROPY: linear filters become anisotropic, others stay, and the program reads its own values. */
static void test_anisotropy(void **state)
{
    struct rt_fixture *f = *state;
    const unsigned min = D3D_TSS_MINFILTER, most = D3D_TSS_MAXANISOTROPY;
    const unsigned vertex = (unsigned)rt_sampler_index(257);

    f->pipe.anisotropy = 8;
    rt_set_stage_state(&f->pipe, 3, min, D3DTEXF_LINEAR);
    rt_set_stage_state(&f->pipe, 3, most, 4);
    rt_set_stage_state(&f->pipe, 15, most, 16);
    rt_set_stage_state(&f->pipe, 3, min, D3DTEXF_POINT);
    rt_set_stage_state(&f->pipe, vertex, min, D3DTEXF_LINEAR);
    rt_set_stage_state(&f->pipe, 3, D3D_TSS_MAGFILTER, D3DTEXF_LINEAR);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 0, 3 | min << 16, D3DTEXF_ANISOTROPIC);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 1, 3 | most << 16, 8);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 2, 15 | most << 16, 16);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 3, 3 | min << 16, D3DTEXF_POINT);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 4, 257 | min << 16, D3DTEXF_LINEAR);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 5, 3 | D3D_TSS_MAGFILTER << 16, D3DTEXF_LINEAR);
    assert_int_equal(f->pipe.state.stage[3][most], 4);
    rt_set_stage_state(&f->pipe, 3, min, D3DTEXF_LINEAR);
    assert_int_equal(f->pipe.state.stage[3][min], D3DTEXF_LINEAR);
    /* a context of its own begins with the maximum, too */
    rt_pipe_resend(&f->pipe);
    unsigned sent = 0;
    for (unsigned i = 7; i < rt_count(f, D3DDP2OP_TEXTURESTAGESTATE); i++) {
        const struct rt_sent *entry = rt_find(f, D3DDP2OP_TEXTURESTAGESTATE, i);
        if (entry->word[0] >> 16 == most && (entry->word[0] & 0xffff) < 16) {
            assert_true(entry->word[1] >= 8);
            sent++;
        }
    }
    assert_int_equal(sent, 16);
}

static void test_textures(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *texture = object(f, 0);

    rt_set_texture(&f->pipe, (unsigned)rt_sampler_index(260), texture);
    rt_set_texture(&f->pipe, (unsigned)rt_sampler_index(15), texture);
    assert_int_equal(texture->holds, 3);
    assert_int_equal(rt_count(f, D3DDP2OP_TEXTURESTAGESTATE), 0); /* at the next draw */
    rt_pipe_bind_textures(&f->pipe);
    assert_int_equal(rt_count(f, D3DDP2OP_TEXTURESTAGESTATE), 2);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 0, 15, 0);
    EXPECT(f, D3DDP2OP_TEXTURESTAGESTATE, 1, 260, 0);
    rt_forget(f);
    rt_pipe_resend_textures(&f->pipe);
    rt_pipe_bind_textures(&f->pipe);
    assert_int_equal(rt_count(f, D3DDP2OP_TEXTURESTAGESTATE), RT_SAMPLERS - 1);
    rt_pipe_unbind(&f->pipe);
    assert_int_equal(texture->holds, 1);
}

static void test_streams9(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *buffer = object(f, 0);

    rt_pipe_bind(&f->pipe, 0, 0, 0);
    rt_forget(f);
    rt_set_stream_source(&f->pipe, 2, buffer, 64, 24);
    rt_set_stream_frequency(&f->pipe, 2, 0x80000001);
    rt_set_stream_frequency(&f->pipe, 0, 0x40000005);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE2), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE), 0);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCE2, 0, 2, 0, 64, 24);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), 2);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 0, 0, 0x40000005);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, 2, 0x80000001);
    rt_forget(f);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE2) + rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), 0);
    rt_set_stream_source(&f->pipe, 2, buffer, 128, 24); /* another offset is another binding */
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCE2, 0, 2, 0, 128, 24);
}

/* Draws from user memory ignore frequencies; the next other draw uses them again. */
static void test_frequencies_and_user_memory(void **state)
{
    struct rt_fixture *f = *state;

    rt_pipe_bind(&f->pipe, 0, 0, 0);
    rt_set_stream_frequency(&f->pipe, 0, 0x40000005);
    rt_set_stream_frequency(&f->pipe, 3, 0x80000002);
    rt_forget(f);
    rt_pipe_bind(&f->pipe, 16, 0, 0);
    rt_pipe_bind(&f->pipe, 16, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), 2);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 0, 0, 1);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, 3, 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCEUM), 1);
    rt_forget(f);
    rt_set_stream_frequency(&f->pipe, 3, 0x80000004);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), 2);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 0, 0, 0x40000005);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, 3, 0x80000004);
    rt_forget(f);
    /* back to none while drawing from memory: nothing needs to be sent */
    rt_set_stream_frequency(&f->pipe, 0, 1);
    rt_set_stream_frequency(&f->pipe, 3, 1);
    rt_pipe_bind(&f->pipe, 16, 0, 0);
    rt_forget(f);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), 0);
}

static void test_streams8(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *buffer = object(f, 0);

    rt_set_stream(&f->pipe, 1, buffer, 20);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE2) + rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE), 1);
    EXPECT(f, D3DDP2OP_SETSTREAMSOURCE, 0, 1, 0, 20);
}

static void test_targets9(void **state)
{
    struct rt_fixture *f = *state;
    const uint32_t target = rt_chain_handle(f->target, 0), depth = rt_chain_handle(f->depth, 0);

    rt_pipe_bind_targets(&f->pipe);
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET), 0);
    EXPECT(f, D3DDP2OP_SETRENDERTARGET2, 0, 0, target);
    EXPECT(f, D3DDP2OP_SETDEPTHSTENCIL, 0, depth);
    rt_forget(f);
    rt_set_target(&f->pipe, 0, f->target, 0); /* as it was */
    rt_set_target(&f->pipe, 3, f->target, 0);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET2), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETDEPTHSTENCIL), 0);
    EXPECT(f, D3DDP2OP_SETRENDERTARGET2, 0, 3, target);
    rt_forget(f);
    rt_set_target(&f->pipe, 3, NULL, 0);
    rt_set_depth(&f->pipe, NULL, 0);
    rt_pipe_bind_targets(&f->pipe);
    EXPECT(f, D3DDP2OP_SETRENDERTARGET2, 0, 3, 0);
    EXPECT(f, D3DDP2OP_SETDEPTHSTENCIL, 0, 0);
}

static void test_targets8(void **state)
{
    struct rt_fixture *f = *state;

    rt_pipe_bind_targets(&f->pipe);
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET2) + rt_count(f, D3DDP2OP_SETDEPTHSTENCIL), 0);
    EXPECT(f, D3DDP2OP_SETRENDERTARGET, 0, rt_chain_handle(f->target, 0), rt_chain_handle(f->depth, 0));
    rt_forget(f);
    rt_set_target(&f->pipe, 0, NULL, 0);
    rt_pipe_bind_targets(&f->pipe); /* no target: nothing to send */
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET), 0);
}

static void test_shaders9(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_resource *declaration = object(f, 0), *vertex = object(f, 1), *pixel = object(f, 2);

    rt_pipe_bind(&f->pipe, 0, 0, 0);
    rt_forget(f);
    rt_set_declaration(&f->pipe, declaration);
    rt_set_vertex_function(&f->pipe, vertex);
    rt_set_pixel_function(&f->pipe, pixel);
    rt_set_pixel_function(&f->pipe, pixel);
    assert_int_equal(declaration->holds + vertex->holds + pixel->holds, 6);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADER), 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERDECL), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERFUNC), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETPIXELSHADER), 1);
    rt_forget(f);
    rt_set_declaration(&f->pipe, NULL);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    EXPECT(f, D3DDP2OP_SETVERTEXSHADERDECL, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERFUNC), 0);
    assert_int_equal(declaration->holds, 1);
    rt_pipe_unbind(&f->pipe);
    assert_int_equal(vertex->holds + pixel->holds, 2);
}

/* --- constants -------------------------------------------------------------------------------- */

static void test_constants(void **state)
{
    static const uint8_t tokens[RT_BANKS] = {D3DDP2OP_SETVERTEXSHADERCONST,  D3DDP2OP_SETVERTEXSHADERCONSTI,
                                             D3DDP2OP_SETVERTEXSHADERCONSTB, D3DDP2OP_SETPIXELSHADERCONST,
                                             D3DDP2OP_SETPIXELSHADERCONSTI,  D3DDP2OP_SETPIXELSHADERCONSTB};
    struct rt_fixture *f = *state;

    for (enum rt_bank bank = 0; bank < RT_BANKS; bank++) {
        const bool boolean = bank == RT_VS_BOOL || bank == RT_PS_BOOL;
        const unsigned words = boolean ? 2 : 8, first = rt_constant_limit(&f->pipe.state, bank) - 2;
        uint32_t values[8] = {7, 0, 3, 4, 5, 6, 7, 8}, back[8] = {0};

        rt_set_constants(&f->pipe, bank, first, 2, values);
        assert_int_equal(rt_count(f, tokens[bank]), 1);
        if (boolean)
            EXPECT(f, tokens[bank], 0, first, 2, 1, 0); /* drivers get 1 for any true value */
        else
            EXPECT(f, tokens[bank], 0, first, 2, 7, 0, 3, 4);
        rt_get_constants(&f->pipe.state, bank, first, 2, back);
        assert_memory_equal(back, values, words * 4);
        rt_get_constants(&f->pipe.state, bank, first - 1, 1, back);
        assert_int_equal(back[0], 0);
        rt_forget(f);
    }
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 0, 0, NULL);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERCONST), 0);
}

/* Only the state: which of these a driver accepts is another question. */
static void test_software_constants(void **state)
{
    struct rt_fixture *f = *state;
    static float values[8192][4], back[8192][4];
    struct rt_block *block;

    assert_int_equal(rt_constant_limit(&f->pipe.state, RT_VS_FLOAT), 8192);
    for (unsigned i = 0; i < 8192; i++)
        for (unsigned k = 0; k < 4; k++)
            values[i][k] = (float)(4 * i + k);
    block = rt_block_create(RT_BLOCK_RECORDED, &f->pipe.state);
    assert_non_null(block);
    rt_record_constants(block, RT_VS_FLOAT, 0, 8192, values);
    rt_get_constants(&block->state, RT_VS_FLOAT, 0, 8192, back);
    assert_memory_equal(back, values, sizeof(values));
    rt_get_constants(&block->state, RT_VS_FLOAT, 255, 2, back);
    assert_memory_equal(back, values[255], 32); /* beyond the end of the hardware's range */
    assert_true(rt_block_capture(block, &f->pipe.state));
    rt_get_constants(&block->state, RT_VS_FLOAT, 8191, 1, back);
    assert_int_equal(bits(back[0][0]), 0);
    rt_block_destroy(block);
}

/* Whether or not the driver has registers beyond the hardware's, the commands around them arrive. */
static void test_software_constants_are_sent(void **state)
{
    struct rt_fixture *f = *state;
    static const float values[8192][4];
    bool takes;

    rt_set_render_state(&f->pipe, D3DRS_ALPHAREF, 3);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 250, 10, values);
    assert_int_equal(rt_flush(f->link), D3D_OK);
    takes = f->pipe.software_constants == RT_YES;
    assert_int_not_equal(f->pipe.software_constants, RT_UNKNOWN);
    assert_int_equal(rt_count(f, D3DDP2OP_RENDERSTATE), 1);
    EXPECT(f, D3DDP2OP_SETVERTEXSHADERCONST, 0, 8191, 1); /* the question, once */
    EXPECT(f, D3DDP2OP_SETVERTEXSHADERCONST, 1, 250, takes ? 10 : 6);
    rt_forget(f);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 1000, 5, values);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERCONST), takes ? 1 : 0);
    rt_forget(f);
    rt_set_constants(&f->pipe, RT_VS_FLOAT, 0, 8192, values);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERCONST), takes ? 8 : 1);
}

/* --- a new context ------------------------------------------------------------------------------ */

static void test_resend9(void **state)
{
    struct rt_fixture *f = *state;

    rt_pipe_resend(&f->pipe);
    /* every state of the API once: 102 in blocks, NPatchMode, software processing */
    assert_int_equal(rt_count(f, D3DDP2OP_RENDERSTATE), 104);
    /* 8 stages x 18 states, 20 samplers x 13: the driver has no displacement maps */
    assert_int_equal(rt_count(f, D3DDP2OP_TEXTURESTAGESTATE), 8 * 18 + 20 * 13);
    EXPECT(f, D3DDP2OP_SETSCISSORRECT, 0, 0, 0, RT_SIZE, RT_SIZE);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE2), RT_STREAMS);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCEFREQ), RT_STREAMS);
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET2), RT_TARGETS);
    assert_int_equal(rt_count(f, D3DDP2OP_SETDEPTHSTENCIL), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERDECL), 1);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADERFUNC), 1);
}

/* Version 8 sends the same tokens as always. */
static void test_resend8(void **state)
{
    struct rt_fixture *f = *state;

    rt_pipe_resend(&f->pipe);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    for (unsigned i = 0; i < rt_sent_count; i++)
        assert_in_range(rt_sent[i].token, 0, 70); /* none of DirectX 9 */
    assert_int_equal(rt_count(f, D3DDP2OP_TEXTURESTAGESTATE), 8 * 27 + 8);
    assert_int_equal(rt_count(f, D3DDP2OP_SETSTREAMSOURCE), RT_STREAMS);
    assert_int_equal(rt_count(f, D3DDP2OP_SETVERTEXSHADER), 1);
}

/* Rules that are neither of version 8 nor of version 9: a context of DirectX 7 is sent nothing that came later. */
static void test_rules_of_an_older_api(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_block *all = rt_block_create(RT_BLOCK_ALL, &f->pipe.state);
    const struct rt_state_mask *mask = &all->mask;

    assert_true(rt_is_stage_state(&old_rules, D3D_TSS_ADDRESS) && rt_is_stage_state(&old_rules, 24));
    assert_false(rt_is_stage_state(&old_rules, D3D_TSS_ADDRESSW));
    assert_null(rt_adapter_format(f->adapter, 31 /* A2B10G10R10 */));
    assert_non_null(rt_adapter_format(f->adapter, D3DFMT_A8R8G8B8));
    assert_false(mask->declaration || mask->vertex_shader || mask->pixel_shader || mask->scissor);
    assert_int_equal(mask->streams | mask->frequencies | mask->vs_constant[0] | mask->ps_constant[0] | mask->vs_int, 0);
    assert_int_equal(mask->textures, 0xff);
    rt_pipe_resend(&f->pipe);
    rt_set_render_state(&f->pipe, D3DRS_ALPHAREF, 5);
    rt_set_viewport(&f->pipe, &(D3DVIEWPORT8){0, 0, 8, 8, 0.0f, 1.0f});
    assert_true(rt_block_apply(all, &f->pipe));
    rt_set_target(&f->pipe, 0, f->depth, 0);
    rt_set_target(&f->pipe, 0, f->target, 0);
    rt_pipe_bind(&f->pipe, 0, 0, 0);
    assert_int_equal(rt_count(f, D3DDP2OP_SETRENDERTARGET), 1);
    assert_in_range(rt_sent_count, 100, 8191);
    for (unsigned i = 0; i < rt_sent_count; i++)
        assert_in_range(dp2_token_info(rt_sent[i].token)->dx_level, 1, 7);
    /* in the order of their numbers, ZVISIBLE not among them */
    EXPECT(f, D3DDP2OP_RENDERSTATE, 0, D3DRS_ZENABLE, 1);
    for (unsigned i = 0; i < rt_sent_count; i++)
        assert_false(rt_sent[i].token == D3DDP2OP_RENDERSTATE && rt_sent[i].word[0] == D3DRS_ZVISIBLE);
    rt_block_destroy(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samplers),
        cmocka_unit_test_setup_teardown(test_defaults9, open9, close_device),
        cmocka_unit_test_setup_teardown(test_defaults8, open8, close_device),
        cmocka_unit_test_setup_teardown(test_stage_tokens, open9, close_device),
        cmocka_unit_test_setup_teardown(test_anisotropy, open9, close_device),
        cmocka_unit_test_setup_teardown(test_textures, open9, close_device),
        cmocka_unit_test_setup_teardown(test_streams9, open9, close_device),
        cmocka_unit_test_setup_teardown(test_frequencies_and_user_memory, open9, close_device),
        cmocka_unit_test_setup_teardown(test_streams8, open8, close_device),
        cmocka_unit_test_setup_teardown(test_targets9, open9, close_device),
        cmocka_unit_test_setup_teardown(test_targets8, open8, close_device),
        cmocka_unit_test_setup_teardown(test_shaders9, open9, close_device),
        cmocka_unit_test_setup_teardown(test_constants, open9, close_device),
        cmocka_unit_test_setup_teardown(test_software_constants, open_software, close_device),
        cmocka_unit_test_setup_teardown(test_software_constants_are_sent, open_software, close_device),
        cmocka_unit_test_setup_teardown(test_resend9, open9, close_device),
        cmocka_unit_test_setup_teardown(test_resend8, open8, close_device),
        cmocka_unit_test_setup_teardown(test_rules_of_an_older_api, open_old, close_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
