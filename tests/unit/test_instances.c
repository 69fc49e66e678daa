/* SPDX-License-Identifier: MIT */
/*
 * Draws repeated by stream frequencies (hal/vertex/instances.c): for any model, any number of repetitions and any size
 * of buffers, the picture is that of one draw without indices over expanded vertices.
 */
#include "bytecode/bytecode.h"
#include "tests/random.h"
#include "tests/unit/hal_fixture.h"

#define DECLARATION   0x11
#define SHADER        7
#define PLACES        FIXTURE_TEXTURE /* the surface that holds stream 1 */
#define MAX_MODEL     90              /* vertices */
#define MAX_TRIANGLES 300
#define MAX_INSTANCES 90

struct element {
    uint16_t stream, offset;
    uint8_t type, method, usage, index;
};

struct model_vertex {
    float position[3];
    uint32_t color;
};

struct place {
    float shift[2];
    uint32_t color;
};

struct whole_vertex {
    struct model_vertex model;
    struct place place;
};

static const struct element streams[] = {
    {0, 0, 2, 0, 0, 0}, {0, 12, 4, 0, 10, 0}, {1, 0, 1, 0, 5, 0}, {1, 8, 4, 0, 10, 1}};
static const struct element written_out[] = {
    {0, 0, 2, 0, 0, 0}, {0, 12, 4, 0, 10, 0}, {0, 16, 1, 0, 5, 0}, {0, 24, 4, 0, 10, 1}};

/* The current draw; reset for each case. */
static struct model_vertex model[MAX_MODEL];
static struct place places[MAX_INSTANCES];
static struct whole_vertex whole[MAX_INSTANCES * MAX_TRIANGLES * 3];
static uint32_t indices[MAX_TRIANGLES * 3];
static uint32_t expected[FIXTURE_SIZE * FIXTURE_SIZE];
static void declare(struct fixture *f, const struct element *elements)
{
    const uint32_t handle = DECLARATION;
    uint32_t body[2 + 8] = {DECLARATION, 4};

    memcpy(&body[2], elements, 4 * sizeof(*elements));
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, body, sizeof(body));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADERDECL, 1, &handle, sizeof(handle));
}

static void begin(struct fixture *f)
{
    static const char text[] =
        "vs_3_0\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\ndcl_color1 v3\ndcl_position o0\n"
        "dcl_color o1\nmov r0, v0\nadd r0.xy, r0, v2\nmov o0, r0\nmov r1, v1\nmul o1, r1, v3\n";
    uint32_t body[258] = {SHADER};
    const size_t count = shader_assemble(text, body + 2, ARRAY_COUNT(body) - 2, NULL);

    assert_true(count > 0);
    body[1] = (uint32_t)(4 * count);
    f->context->state.level = DDI_LEVEL_DX9;
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_LIGHTING, FALSE);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, 1, body, 8 + 4 * count);
}

static void set_frequency(struct fixture *f, uint32_t stream, uint32_t value)
{
    const uint32_t body[2] = {stream, value};

    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, body, sizeof(body));
}

static void use_shader(struct fixture *f)
{
    const uint32_t handle = SHADER;

    fixture_put(f, D3DDP2OP_SETVERTEXSHADERFUNC, 1, &handle, sizeof(handle));
}

struct instanced {
    uint32_t vertices, triangles, count; /* of the model; repetitions */
    uint32_t held, places_held;          /* vertices and places that the buffers hold */
    int32_t base;
    uint32_t divider; /* repetitions that share a place */
    uint32_t index_bytes;
};

static void make_scene(const struct instanced *d)
{
    for (unsigned i = 0; i < MAX_MODEL; i++)
        model[i] =
            (struct model_vertex){{random_between(-0.3f, 0.3f), random_between(-0.3f, 0.3f), random_between(0, 1)},
                                  random_word() | 0xff000000u};
    for (unsigned i = 0; i < MAX_INSTANCES; i++)
        places[i] =
            (struct place){{random_between(-0.8f, 0.8f), random_between(-0.8f, 0.8f)}, random_word() | 0xff808080u};
    for (unsigned i = 0; i < 3 * d->triangles; i++)
        indices[i] = random_below(d->vertices);
}

/* Data beyond the buffers are 0. */
static uint32_t write_out(const struct instanced *d)
{
    uint32_t count = 0;

    for (uint32_t n = 0; n < d->count; n++) {
        for (uint32_t i = 0; i < 3 * d->triangles; i++, count++) {
            const int64_t v = d->base + (int64_t)indices[i];

            memset(&whole[count], 0, sizeof(whole[count]));
            if (v >= 0 && v < d->held)
                whole[count].model = model[v];
            if (n / d->divider < d->places_held)
                whole[count].place = places[n / d->divider];
        }
    }
    return count;
}

static void draw_whole(struct fixture *f, uint32_t count)
{
    fixture_clear(f, 0xff102030);
    if (count) {
        fixture_vertices(f, D3DFVF_XYZ, whole, count * sizeof(whole[0]), sizeof(whole[0]));
        declare(f, written_out);
        use_shader(f);
        fixture_draw(f, D3DPT_TRIANGLELIST, 0, count / 3);
    }
    assert_int_equal(fixture_run(f), DD_OK);
    memcpy(expected, f->color, sizeof(expected));
}

static void draw_instanced(struct fixture *f, const struct instanced *d)
{
    const uint32_t stream[3] = {1, PLACES, sizeof(places[0])};
    const uint32_t draw[6] = {D3DPT_TRIANGLELIST, (uint32_t)d->base, 0, d->vertices, 0, d->triangles};
    uint16_t words[MAX_TRIANGLES * 3];
    uint8_t *held = malloc(d->places_held * sizeof(places[0])); /* exactly, so that a sanitizer sees reads beyond */

    assert_non_null(held);
    memcpy(held, places, d->places_held * sizeof(places[0]));
    for (unsigned i = 0; i < 3 * d->triangles; i++)
        words[i] = (uint16_t)indices[i];
    fixture_clear(f, 0xff102030);
    fixture_vertices(f, D3DFVF_XYZ, model, d->held * sizeof(model[0]), sizeof(model[0]));
    fixture_indices(f, d->index_bytes == 2 ? (const void *)words : indices, 3 * d->triangles * d->index_bytes,
                    d->index_bytes);
    fixture_buffer(f, PLACES, HAL_BUFFER_VERTEX, held, d->places_held * sizeof(places[0]));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    declare(f, streams);
    use_shader(f);
    set_frequency(f, 0, 0x40000000u | d->count);
    set_frequency(f, 1, 0x80000000u | d->divider);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    set_frequency(f, 0, 1);
    set_frequency(f, 1, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    free(held);
}

static void check_draw(struct fixture *f, const struct instanced *d)
{
    make_scene(d);
    draw_whole(f, write_out(d));
    draw_instanced(f, d);
    if (memcmp(expected, f->color, sizeof(expected)))
        fail_msg("%u vertices, %u triangles, %u times, %u and %u held, base %d, divider %u: another picture",
                 d->vertices, d->triangles, d->count, d->held, d->places_held, d->base, d->divider);
}

/* One vertex more than a batch; indices for more than one merged draw, and too many for one. */
static void test_models_of_all_sizes(void **state)
{
    struct fixture *f = *state;

    begin(f);
    random_seed = 4;
    for (unsigned round = 0; round < 60; round++) {
        struct instanced d = {.vertices = 1 + random_below(MAX_MODEL),
                              .triangles = 1 + random_below(round % 6 ? 40 : MAX_TRIANGLES),
                              .count = 1 + random_below(MAX_INSTANCES),
                              .held = MAX_MODEL,
                              .places_held = MAX_INSTANCES,
                              .divider = 1,
                              .index_bytes = round & 1 ? 2 : 4};

        check_draw(f, &d);
    }
}

/* A vertex, or the data of a repetition, may be missing. */
static void test_what_is_not_there(void **state)
{
    struct fixture *f = *state;

    begin(f);
    random_seed = 5;
    for (unsigned round = 0; round < 60; round++) {
        struct instanced d = {.vertices = 2 + random_below(30),
                              .triangles = 1 + random_below(20),
                              .count = 1 + random_below(MAX_INSTANCES),
                              .held = MAX_MODEL,
                              .places_held = 1 + random_below(MAX_INSTANCES),
                              .base = (int32_t)random_below(70) - 6,
                              .divider = round % 4 ? 1 : 1 + random_below(4),
                              .index_bytes = 2};

        d.held -= round % 3 ? 0 : random_below(40);
        check_draw(f, &d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_models_of_all_sizes),
        fixture_test(test_what_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
