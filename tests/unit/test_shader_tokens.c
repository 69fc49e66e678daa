/* SPDX-License-Identifier: MIT */
/* Tokens of shaders, their constants, and vertex declarations of DirectX 9: life cycle, limits, and the streams that
 * they read. */
#include "d3d/states.h"
#include "hal/work.h"
#include "tests/random.h"
#include "tests/unit/token_tools.h"

/* --- shaders -------------------------------------------------------------------------------- */

/* vs_1_1: def c4; mov oPos, v0 */
static const uint32_t vertex_code[] = {0xfffe0101, 0x51,       0xa00f0004, 0x3f800000, 0x40000000, 0x40400000,
                                       0x40800000, 0x00000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
/* ps_1_1: def c1; mov r0, c1 */
static const uint32_t pixel_code[] = {0xffff0101, 0x51,       0xa00f0001, 0x3f000000, 0x3f000000, 0x3f000000,
                                      0x3f000000, 0x00000001, 0x800f0000, 0xa0e40001, 0x0000ffff};
/* stream 0, v0 is a float3, constants c7 = 1, 2, 3, 4, end */
static const uint32_t declaration[] = {0x20000000, 0x40020000, 0x82000007, 0x3f800000,
                                       0x40000000, 0x40400000, 0x40800000, 0xffffffff};

static void put_vertex_shader(struct fixture *f, uint32_t handle, const uint32_t *decl, uint32_t decl_bytes,
                              const uint32_t *code, uint32_t code_bytes)
{
    uint8_t body[256];
    const uint32_t head[3] = {handle, decl_bytes, code_bytes};

    memcpy(body, head, 12);
    memcpy(body + 12, decl, decl_bytes);
    memcpy(body + 12 + decl_bytes, code, code_bytes);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, body, 12 + decl_bytes + code_bytes);
}

static void put_code(struct fixture *f, uint8_t token, uint32_t handle, const uint32_t *code, uint32_t bytes)
{
    uint8_t body[256];

    memcpy(body, &handle, 4);
    memcpy(body + 4, &bytes, 4);
    memcpy(body + 8, code, bytes);
    fixture_put(f, token, 1, body, 8 + bytes);
}

static void test_vertex_shader_life(void **state)
{
    struct fixture *f = *state;
    const struct hal_constants *c = &f->context->state.vertex_constants;

    put_vertex_shader(f, 5, declaration, sizeof(declaration), vertex_code, sizeof(vertex_code));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.vertex_shader, 0); /* creating does not select */
    assert_true(c->f[4][0] == 0 && c->f[7][0] == 0);
    put_handle(f, D3DDP2OP_SETPIXELSHADER, 9);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, 5);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(c->f[4][1] == 2 && c->f[7][3] == 4 && c->f[5][0] == 0);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ); /* pixel shaders stay, constants too */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.pixel_shader, 9);
    assert_true(c->f[4][1] == 2);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, 5);
    put_handle(f, D3DDP2OP_DELETEVERTEXSHADER, 5);
    put_handle(f, D3DDP2OP_DELETEVERTEXSHADER, 5);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.vertex_shader, 0);
    assert_int_equal(f->context->resources.shaders.vertex_shaders.count, 0);
    assert_int_equal(f->context->resources.shaders.bytes, 0);
}

static void test_no_vertex_shader_forgets_streams(void **state)
{
    struct fixture *f = *state;

    put_square(f, 0, 0, 8, 0, 0, false);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, 0);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.stream[0].handle, 0);
    assert_int_equal(f->context->state.stream[0].stride, 0);
}

static void test_bad_code(void **state)
{
    struct fixture *f = *state;
    const uint32_t no_end[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000};
    const uint32_t long_comment[] = {0xfffe0101, 0x7ffffffe, 0x0000ffff};
    const uint32_t wrong_kind[] = {0xffff0101, 0x0000ffff};
    const uint32_t end_only[] = {0x0000ffff};

    put_vertex_shader(f, 5, declaration, sizeof(declaration), no_end, sizeof(no_end));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_vertex_shader(f, 5, declaration, sizeof(declaration), long_comment, sizeof(long_comment));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_code(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, 5, wrong_kind, sizeof(wrong_kind));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 5, end_only, sizeof(end_only));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 0, pixel_code, sizeof(pixel_code));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    assert_int_equal(f->context->resources.shaders.bytes, 0);
}

static void test_pixel_shader_life(void **state)
{
    struct fixture *f = *state;

    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 8, pixel_code, sizeof(pixel_code));
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ);
    put_handle(f, D3DDP2OP_SETPIXELSHADER, 8);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(f->context->state.pixel_constants.f[1][2] == 0.5f);
    put_handle(f, D3DDP2OP_DELETEPIXELSHADER, 8);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.pixel_shader, 0);
    assert_int_equal(f->context->state.vertex_shader, D3DFVF_XYZ);
}

static void put_constants(struct fixture *f, uint8_t token, uint32_t first, uint32_t count, unsigned bytes)
{
    uint8_t body[8 + 64] = {0};

    memcpy(body, &first, 4);
    memcpy(body + 4, &count, 4);
    memset(body + 8, 3, sizeof(body) - 8);
    fixture_put(f, token, 1, body, 8 + (size_t)count * bytes);
}

/* Memory limits shaders, not their number: there are programs with more than 4096 of them. */
static void test_many_shaders(void **state)
{
    enum { ALIVE = 10000, MADE = 20000 };
    struct fixture *f = *state;
    const struct hal_shaders *shaders = &f->context->resources.shaders;
    uint32_t code[ARRAY_COUNT(pixel_code)];
    size_t one;

    memcpy(code, pixel_code, sizeof(code));
    for (uint32_t i = 0; i < MADE; i++) {
        const float value = (float)i;

        memcpy(&code[3], &value, 4);
        put_code(f, D3DDP2OP_CREATEPIXELSHADER, 2 * i + 1, code, sizeof(code));
        put_code(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, 2 * i + 1, vertex_code, sizeof(vertex_code));
        if (i >= ALIVE) {
            put_handle(f, D3DDP2OP_DELETEPIXELSHADER, 2 * (i - ALIVE) + 1);
            put_handle(f, D3DDP2OP_DELETEVERTEXSHADERFUNC, 2 * (i - ALIVE) + 1);
        }
        if (i % 16 == 15)
            assert_int_equal(fixture_run(f), DD_OK);
    }
    assert_int_equal(shaders->pixel_shaders.count, ALIVE);
    assert_int_equal(shaders->vertex_functions.count, ALIVE);
    for (uint32_t i = MADE - ALIVE; i < MADE; i += 997) {
        put_handle(f, D3DDP2OP_SETPIXELSHADER, 2 * i + 1);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_true(f->context->state.pixel_constants.f[1][0] == (float)i);
    }
    one = shaders->bytes / ALIVE;
    for (uint32_t i = MADE - ALIVE; i < MADE; i++) {
        put_handle(f, D3DDP2OP_DELETEPIXELSHADER, 2 * i + 1);
        put_handle(f, D3DDP2OP_DELETEVERTEXSHADERFUNC, 2 * i + 1);
        if (i % 64 == 63)
            assert_int_equal(fixture_run(f), DD_OK);
    }
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(shaders->bytes, 0);
    assert_in_range(one, 2 * sizeof(struct shader_program), 65536);
}

/* Compiled code counts, and the next shader fits when one has been deleted. */
static void test_shader_memory(void **state)
{
    struct fixture *f = *state;
    struct hal_shaders *shaders = &f->context->resources.shaders;

    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 1, pixel_code, sizeof(pixel_code));
    assert_int_equal(fixture_run(f), DD_OK);
    const size_t one = shaders->bytes;
    assert_true(one > sizeof(struct hal_shader) + sizeof(pixel_code) + sizeof(struct shader_program));
    shaders->bytes = HAL_MAX_SHADER_BYTES - one; /* as if others had used the rest */
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 3, pixel_code, sizeof(pixel_code));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(shaders->bytes, HAL_MAX_SHADER_BYTES);
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 5, pixel_code, sizeof(pixel_code));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_handle(f, D3DDP2OP_DELETEPIXELSHADER, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(shaders->bytes, HAL_MAX_SHADER_BYTES - one);
    shaders->bytes += 1; /* the code fits, but not the program */
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 5, pixel_code, sizeof(pixel_code));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    assert_int_equal(shaders->bytes, HAL_MAX_SHADER_BYTES - one + 1);
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 1, pixel_code, sizeof(pixel_code)); /* in its own place */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(shaders->bytes, HAL_MAX_SHADER_BYTES - one + 1);
    shaders->bytes = one;
}

static void test_constants(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint8_t token;
        uint32_t limit, bytes;
    } banks[] = {
        {D3DDP2OP_SETVERTEXSHADERCONST, 256, 16}, {D3DDP2OP_SETPIXELSHADERCONST, 224, 16},
        {D3DDP2OP_SETVERTEXSHADERCONSTI, 16, 16}, {D3DDP2OP_SETPIXELSHADERCONSTI, 16, 16},
        {D3DDP2OP_SETVERTEXSHADERCONSTB, 16, 4},  {D3DDP2OP_SETPIXELSHADERCONSTB, 16, 4},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(banks); i++) {
        put_constants(f, banks[i].token, banks[i].limit - 2, 2, banks[i].bytes);
        put_constants(f, banks[i].token, banks[i].limit, 0, banks[i].bytes);
        assert_int_equal(fixture_run(f), DD_OK);
        put_constants(f, banks[i].token, banks[i].limit - 1, 2, banks[i].bytes);
        assert_int_equal(fixture_run(f), E_INVALIDARG);
        put_constants(f, banks[i].token, 0xffffffff, 1, banks[i].bytes);
        assert_int_equal(fixture_run(f), E_INVALIDARG);
    }
    assert_int_equal(f->context->state.vertex_constants.i[15][3], 0x03030303);
    assert_int_equal(f->context->state.vertex_constants.b[15], 1);
    assert_int_equal(f->context->state.pixel_constants.b[13], 0);
}

/* --- declarations of DirectX 9 ---------------------------------------------------------------- */

struct element {
    uint16_t stream, offset;
    uint8_t type, method, usage, index;
};
static const struct element element_end = {0xff, 0, 17, 0, 0, 0};

static HRESULT create_declaration(struct fixture *f, uint32_t handle, const struct element *elements, uint32_t count)
{
    uint8_t body[8 + 80 * sizeof(*elements)];

    memcpy(body, &handle, 4);
    memcpy(body + 4, &count, 4);
    memcpy(body + 8, elements, count * sizeof(*elements));
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, body, 8 + count * sizeof(*elements));
    return fixture_run(f);
}

static void test_bad_elements(void **state)
{
    struct fixture *f = *state;
    const struct element good = {0, 0, 2, 0, 0, 0};
    const struct element bad[] = {{16, 0, 2, 0, 0, 0}, {0, 2, 2, 0, 0, 0},  {0, 0, 17, 0, 0, 0},
                                  {0, 0, 2, 7, 0, 0},  {0, 0, 2, 0, 14, 0}, {0, 0, 2, 0, 0, 16}};
    struct element two[2] = {good, good}, many[66];

    for (unsigned i = 0; i < ARRAY_COUNT(bad); i++)
        assert_int_equal(create_declaration(f, 3, &bad[i], 1), E_INVALIDARG);
    assert_int_equal(create_declaration(f, 3, two, 2), DD_OK); /* one meaning twice */
    assert_int_equal(create_declaration(f, 4, &good, 1), E_INVALIDARG);
    for (unsigned i = 0; i < ARRAY_COUNT(many); i++)
        many[i] = (struct element){0, 0, 2, 0, 13, (uint8_t)(i & 15)};
    assert_int_equal(create_declaration(f, 3, many, 66), E_INVALIDARG);
    two[1] = element_end;
    assert_int_equal(create_declaration(f, 3, two, 2), DD_OK);
    put_handle(f, D3DDP2OP_SETVERTEXSHADERDECL, 3);
    put_handle(f, D3DDP2OP_DELETEVERTEXSHADERDECL, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->state.vertex_shader, 0);
}

/* POSITIONT as floats, colour as UBYTE4N, in one stream. */
static void set_declaration(struct fixture *f, const struct element *elements, uint32_t count)
{
    assert_int_equal(create_declaration(f, 3, elements, count), DD_OK);
    put_handle(f, D3DDP2OP_SETVERTEXSHADERDECL, 3);
    put_handle(f, D3DDP2OP_SETVERTEXSHADERFUNC, 0);
}

static void test_packed_elements(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {0, 16, 8, 0, 10, 0}, element_end};

    plain_states(f);
    put_square(f, 0, 0, 64, 0.5f, 0xff0000ff /* as bytes: red, opaque */, false);
    set_declaration(f, elements, 3);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->color[0], 0xffff0000);
}

/* The front end keeps the shaders that the numbers of the state name in the maps. */
static void check_named(struct fixture *f)
{
    const struct hal_renderer *renderer = hal_context_renderer(f->context);
    const struct hal_state *s = renderer->state;
    const struct hal_shaders *shaders = &renderer->resources->shaders;
    const struct hal_layout *layout = hal_stream_layout(renderer->front, s, shaders);
    const bool is_handle = s->vertex_shader & 1;
    const struct hal_shader *program,
        *shader = base_map_get(s->is_declaration ? &shaders->declarations : &shaders->vertex_shaders, s->vertex_shader);

    if (is_handle)
        assert_ptr_equal(layout, shader ? &shader->layout : NULL);
    if (!layout)
        return;
    program = is_handle ? shader : NULL;
    if (s->vertex_function && (s->is_declaration || !is_handle))
        program = base_map_get(&shaders->vertex_functions, s->vertex_function);
    assert_ptr_equal(hal_stream_program(renderer->front, s, shaders, layout), program ? program->program : NULL);
}

/* Shaders of few numbers are created, replaced, selected and deleted in any order, with a draw after each step. */
static void test_named_shaders(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 2, 0, 0, 0}, element_end};

    f->context->state.level = DDI_LEVEL_DX9;
    for (unsigned step = 0; step < 5000; step++) {
        const uint32_t number = 2 * random_below(4) + 1;

        switch (random_below(10)) {
        case 0:
            assert_int_equal(create_declaration(f, number, elements, 2), DD_OK);
            break;
        case 1:
            put_handle(f, D3DDP2OP_DELETEVERTEXSHADERDECL, number);
            break;
        case 2:
            put_handle(f, D3DDP2OP_SETVERTEXSHADERDECL, number);
            break;
        case 3:
            put_code(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, number, vertex_code, sizeof(vertex_code));
            break;
        case 4:
            put_handle(f, D3DDP2OP_DELETEVERTEXSHADERFUNC, number);
            break;
        case 5:
            put_handle(f, D3DDP2OP_SETVERTEXSHADERFUNC, random_one_in(4) ? 0 : number);
            break;
        case 6:
            put_vertex_shader(f, number, declaration, sizeof(declaration), vertex_code, sizeof(vertex_code));
            break;
        case 7:
            put_handle(f, D3DDP2OP_DELETEVERTEXSHADER, number);
            break;
        case 8:
            put_handle(f, D3DDP2OP_SETVERTEXSHADER, number);
            break;
        default:
            put_handle(f, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ);
            break;
        }
        assert_int_equal(fixture_run(f), DD_OK);
        check_named(f);
    }
}

static void put_frequency(struct fixture *f, uint32_t stream, uint32_t divider)
{
    const uint32_t body[2] = {stream, divider};

    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, body, sizeof(body));
}

/* Three squares from one, each with its own colour. */
static void test_instances(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {1, 0, 4, 0, 10, 0}, element_end};
    const uint16_t indices[4] = {0, 1, 2, 3};
    uint32_t colors[3] = {0xff0000ff, 0xff00ff00, 0xffff0000};
    const uint32_t stream[3] = {1, FIXTURE_TEXTURE, 4};
    const uint32_t draw[6] = {D3DPT_TRIANGLESTRIP, 0, 0, 4, 0, 2};

    plain_states(f);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ONE);
    put_square(f, 0, 0, 64, 0.5f, 0, false);
    set_declaration(f, elements, 3);
    fixture_indices(f, indices, sizeof(indices), 2);
    fixture_buffer(f, FIXTURE_TEXTURE, HAL_BUFFER_VERTEX, colors, sizeof(colors));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    put_frequency(f, 0, 0x40000003);
    put_frequency(f, 1, 0x80000001);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->color[0] & 0xffffff, 0xffffff);
    fixture_clear(f, 0);
    put_frequency(f, 1, 0x80000002); /* two repetitions share one */
    put_frequency(f, 0, 0x40000002);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->color[0] & 0xffffff, 0x0000ff);
    put_frequency(f, 0, 0x7fffffff); /* an endless number is cut short */
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    hal_work_allow(f->context->driver, 1 << 24);
    assert_int_equal(fixture_run(f), HAL_TOO_MUCH_WORK);
}

/* With shader model 3 a divider gives one element to several consecutive vertices (tests/streams/frequency-start.dp2s);
 * others have an element for each vertex. */
static void test_divider(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {1, 0, 4, 0, 10, 0}, element_end};
    uint32_t colors[6] = {0xff0000ff, 0xff0000ff, 0xff0000ff, 0xff00ff00, 0xff00ff00, 0xff00ff00};
    const uint32_t stream[3] = {1, FIXTURE_TEXTURE, 4};
    struct tl_vertex v[6] = {{0, 0, 0, 1, 0},  {64, 0, 0, 1, 0},  {0, 64, 0, 1, 0},
                             {64, 0, 0, 1, 0}, {64, 64, 0, 1, 0}, {0, 64, 0, 1, 0}};

    plain_states(f);
    fixture_vertices(f, D3DFVF_XYZRHW, v, sizeof(v), sizeof(v[0]));
    set_declaration(f, elements, 3);
    fixture_buffer(f, FIXTURE_TEXTURE, HAL_BUFFER_VERTEX, colors, sizeof(colors));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    put_frequency(f, 1, 3);
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 2);
    fixture_draw(f, D3DPT_TRIANGLELIST, 3, 100); /* clamped to the existing elements */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 1, 1), 0x0000ff);
    assert_int_equal(fixture_pixel(f, 62, 62), 0x00ff00);
}

/* Registers of software vertex processing: available from the first use on, in DirectX 9 contexts. */
static void test_software_constants(void **state)
{
    struct fixture *f = *state;
    const struct hal_constants *c = &f->context->state.vertex_constants;

    f->context->state.level = DDI_LEVEL_DX9;
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8192, 0, 16);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 254, 2, 16);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->float_count, HAL_VERTEX_CONSTANTS); /* no memory for unused registers */
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 255, 2, 16);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(c->float_count > 256 && c->float_count < 1024);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8190, 2, 16);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->float_count, HAL_SOFTWARE_CONSTANTS);
    assert_true(c->f[254][0] != 0 && c->f[256][3] != 0 && c->f[257][0] == 0 && c->f[8189][3] == 0 &&
                c->f[8191][3] != 0);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8191, 2, 16);
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8192, 1, 16);
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_constants(f, D3DDP2OP_SETPIXELSHADERCONST, 224, 1, 16);
    assert_int_equal(fixture_run(f), E_INVALIDARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_software_constants),
        fixture_test(test_vertex_shader_life),
        fixture_test(test_no_vertex_shader_forgets_streams),
        fixture_test(test_bad_code),
        fixture_test(test_pixel_shader_life),
        fixture_test(test_many_shaders),
        fixture_test(test_shader_memory),
        fixture_test(test_constants),
        fixture_test(test_bad_elements),
        fixture_test(test_packed_elements),
        fixture_test(test_named_shaders),
        fixture_test(test_instances),
        fixture_test(test_divider),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
