/* SPDX-License-Identifier: MIT */
/* Queries as the runtime keeps them (runtime/common/driver/query.h), on the driver and on drivers that answer otherwise. */
#include "client/batch.h"
#include "rt_fixture.h"

#include "runtime/common/driver/query.h"

enum { VCACHE = 4, VERTEXSTATS = 6, EVENT = 8, OCCLUSION, TIMESTAMP, TIMESTAMPDISJOINT, TIMESTAMPFREQ };
enum { END = 1, BEGIN = 2 };

static int open_device(void **state)
{
    struct rt_fixture *f = malloc(sizeof(*f));

    rt_open(f, 9, false);
    *state = f;
    return 0;
}

static int close_device(void **state)
{
    rt_close(*state);
    free(*state);
    return 0;
}

/* A triangle over the upper left half of `size` x `size` pixels and one over the other half. */
static void draw_square(struct rt_fixture *f, float size)
{
    const float vertices[6][4] = {{0, 0, 0.5f, 1},    {size, 0, 0.5f, 1},    {0, size, 0.5f, 1},
                                  {size, 0, 0.5f, 1}, {size, size, 0.5f, 1}, {0, size, 0.5f, 1}};
    D3DHAL_DP2VERTEXSHADER format = {D3DFVF_XYZRHW};
    D3DHAL_DP2SETSTREAMSOURCEUM stream = {0, sizeof(vertices[0])};
    D3DHAL_DP2DRAWPRIMITIVE draw = {D3DPT_TRIANGLELIST, 0, 2};
    uint32_t first;

    rt_set_render_state(&f->pipe, D3DRS_CULLMODE, D3DCULL_NONE);
    rt_set_render_state(&f->pipe, D3DRS_ZENABLE, D3DZB_FALSE);
    rt_pipe_bind_targets(&f->pipe);
    rt_put(f->link, D3DDP2OP_SETVERTEXSHADER, 1, &format, sizeof(format));
    rt_put(f->link, D3DDP2OP_SETSTREAMSOURCEUM, 1, &stream, sizeof(stream));
    assert_true(rt_put_user_vertices(f->link, vertices, 6, sizeof(vertices[0]), sizeof(vertices[0]), &first));
    draw.VStart = first;
    rt_put(f->link, D3DDP2OP_DRAWPRIMITIVE, 1, &draw, sizeof(draw));
}

static struct rt_query *create(struct rt_fixture *f, uint32_t type)
{
    struct rt_query *query = NULL;

    assert_int_equal(rt_query_create(f->link, type, &query), D3D_OK);
    assert_int_equal(rt_query_type(query), type);
    return query;
}

static void test_types(void **state)
{
    static const uint8_t sizes[][2] = {{VCACHE, 16},   {VERTEXSTATS, 8},       {EVENT, 4},        {OCCLUSION, 4},
                                       {TIMESTAMP, 8}, {TIMESTAMPDISJOINT, 4}, {TIMESTAMPFREQ, 8}};
    struct rt_query *query = NULL;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_int_equal(rt_query_size(sizes[i][0]), sizes[i][1]);
        rt_query_destroy(create(*state, sizes[i][0]));
    }
    assert_int_equal(rt_query_size(5), 0);
    assert_int_equal(rt_query_create(((struct rt_fixture *)*state)->link, 5, &query), D3DERR_NOTAVAILABLE);
    assert_null(query);
    rt_query_destroy(NULL);
}

static void test_fresh_query_has_filler(void **state)
{
    struct rt_query *query = create(*state, OCCLUSION);
    uint8_t data[7] = {0};

    assert_int_equal(rt_query_get(query, NULL, 0, true), S_OK);
    assert_int_equal(rt_query_get(query, NULL, 4, true), D3DERR_INVALIDCALL);
    assert_int_equal(rt_query_get(query, data, 6, true), S_OK);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(data[i], 0xdd);
    assert_int_equal(data[6], 0);
    rt_query_destroy(query);
}

static void test_flags(void **state)
{
    struct rt_query *event = create(*state, EVENT), *timestamp = create(*state, TIMESTAMP);

    assert_int_equal(rt_query_issue(event, BEGIN), D3DERR_INVALIDCALL);
    assert_int_equal(rt_query_issue(event, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_query_issue(event, 4 | END), D3DERR_INVALIDCALL);
    assert_int_equal(rt_query_issue(timestamp, BEGIN), D3D_OK);
    assert_int_equal(rt_query_issue(timestamp, BEGIN), D3D_OK);
    assert_int_equal(rt_query_issue(timestamp, END), D3D_OK);
    assert_int_equal(rt_query_issue(timestamp, END), D3D_OK);
    rt_query_destroy(event);
    rt_query_destroy(timestamp);
}

static void test_pixels_are_counted(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *query = create(f, OCCLUSION);
    uint32_t data[3] = {1, 2, 3};

    draw_square(f, 60);
    rt_query_issue(query, BEGIN);
    assert_int_equal(rt_query_get(query, data, 4, true), S_FALSE);
    draw_square(f, 16);
    rt_query_issue(query, END);
    draw_square(f, 60);
    assert_int_equal(rt_query_get(query, data, 4, false), S_FALSE);
    assert_int_equal(data[0], 1);
    assert_int_equal(rt_query_get(query, data, 8, true), S_OK);
    assert_int_equal(data[0], 256);
    assert_int_equal(data[1], 0); /* longer than the answer: zeros */
    assert_int_equal(data[2], 3);
    data[0] = 0xffffffff;
    assert_int_equal(rt_query_get(query, data, 1, false), S_OK); /* shorter: cut */
    assert_int_equal(data[0], 0xffffff00);
    /* again, with nothing in between */
    rt_query_issue(query, BEGIN);
    rt_query_issue(query, END);
    assert_int_equal(rt_query_get(query, data, 4, true), S_OK);
    assert_int_equal(data[0], 0);
    rt_query_destroy(query);
}

/* Any call that sends the batch brings the answers. */
static void test_answer_comes_with_any_flush(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *query = create(f, EVENT), *other = create(f, OCCLUSION);
    uint32_t data = 0;

    rt_query_issue(other, END);
    rt_query_issue(query, END);
    assert_int_equal(rt_flush(f->link), D3D_OK);
    assert_int_equal(rt_query_get(query, &data, 4, false), S_OK);
    assert_int_equal(data, 1);
    assert_int_equal(rt_query_get(other, &data, 4, false), S_OK);
    assert_int_equal(data, 0);
    rt_query_destroy(query);
    rt_query_destroy(other);
}

/* Programs wait in a loop without asking for a flush. */
static void test_polling_ends(void **state)
{
    struct rt_query *query = create(*state, EVENT);
    uint32_t data = 0;
    unsigned polls = 0;

    rt_query_issue(query, END);
    while (rt_query_get(query, &data, 4, false) == S_FALSE && polls < 10)
        polls++;
    assert_int_equal(polls, 1);
    assert_int_equal(data, 1);
    rt_query_destroy(query);
}

static void test_50000_pairs(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *query = create(f, OCCLUSION);
    uint32_t data = 0;

    for (unsigned i = 0; i < 50000; i++) {
        assert_int_equal(rt_query_issue(query, BEGIN), D3D_OK);
        if (i == 49999)
            draw_square(f, 8);
        assert_int_equal(rt_query_issue(query, END), D3D_OK);
    }
    assert_int_equal(rt_query_get(query, &data, 4, true), S_OK);
    assert_int_equal(data, 64);
    rt_query_destroy(query);
}

static void test_numbers_are_used_again(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *first = create(f, OCCLUSION), *second;
    uint8_t data[16] = {0};

    rt_query_issue(first, END);
    rt_query_destroy(first); /* its answer is on the way */
    second = create(f, VCACHE);
    rt_query_issue(second, END);
    assert_int_equal(rt_query_get(second, data, 16, true), S_OK);
    assert_memory_equal(data, "CACH", 4);
    rt_query_destroy(second);
}

/* More queries than the driver keeps: the device continues to work. */
static void test_driver_without_room(void **state)
{
    struct rt_fixture *f = *state;
    static struct rt_query *queries[5000];
    struct rt_query *one;
    unsigned count = 0;
    uint32_t data = 0;

    while (count < 5000 && rt_query_create(f->link, EVENT, &queries[count]) == D3D_OK)
        count++;
    assert_in_range(count, 1, 4999);
    for (unsigned i = 0; i < count; i++)
        rt_query_issue(queries[i], END);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(rt_query_get(queries[i], &data, 4, true), S_OK);
    for (unsigned i = 0; i < count; i++)
        rt_query_destroy(queries[i]);
    one = create(f, EVENT);
    rt_query_destroy(one);
}

static void test_context_that_goes(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *ended = create(f, EVENT), *answered = create(f, EVENT), *begun = create(f, OCCLUSION);
    struct rt_query *fresh = create(f, EVENT);
    uint32_t data = 0;

    rt_query_issue(answered, END);
    assert_int_equal(rt_query_get(answered, &data, 4, true), S_OK);
    rt_query_issue(begun, BEGIN);
    rt_link_destroy_context(f->link);
    rt_query_issue(ended, END); /* nothing can answer any more */
    assert_int_equal(rt_query_get(ended, &data, 4, true), D3DERR_DEVICELOST);
    assert_int_equal(rt_query_get(begun, &data, 4, true), D3DERR_DEVICELOST);
    assert_int_equal(rt_query_get(answered, &data, 4, true), S_OK);
    assert_int_equal(rt_query_get(fresh, &data, 4, true), S_OK);
    rt_query_issue(fresh, END);
    assert_true(rt_link_create_context(f->link, f->target, 0, f->depth, 0));
    assert_int_equal(rt_query_get(fresh, &data, 4, true), D3DERR_DEVICELOST);
    rt_query_issue(ended, END);
    assert_int_equal(rt_query_get(ended, &data, 4, true), S_OK);
    assert_int_equal(data, 1);
    rt_query_destroy(ended);
    rt_query_destroy(answered);
    rt_query_destroy(begun);
    rt_query_destroy(fresh);
}

/* A query that the driver never receives does not keep a program waiting. */
static void test_refused_batch(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *occlusion = create(f, OCCLUSION), *event = create(f, EVENT);
    const D3DHAL_DP2SETVERTEXSHADERCONST bad = {100000, 0};
    uint32_t data = 7;

    rt_put(f->link, D3DDP2OP_SETVERTEXSHADERCONST, 1, &bad, sizeof(bad));
    rt_query_issue(occlusion, END);
    rt_query_issue(event, END);
    assert_int_equal(rt_query_get(occlusion, &data, 4, true), S_OK);
    assert_int_equal(data, 0);
    assert_int_equal(rt_query_get(event, &data, 4, true), S_OK);
    assert_int_equal(data, 1);
    assert_true(FAILED(rt_flush(f->link)));
    rt_query_destroy(occlusion);
    rt_query_destroy(event);
}

/* --- answers of other drivers ---------------------------------------------------------------- */

static size_t put_head(uint8_t *out, uint8_t token, uint16_t count, uint32_t bytes)
{
    const D3DHAL_DP2RESPONSE head = {token, 0, count, bytes};

    memcpy(out, &head, sizeof(head));
    return sizeof(head);
}

static size_t put_answer(uint8_t *out, uint32_t id, uint32_t size, uint32_t value)
{
    const uint32_t words[] = {id, size, value};

    memcpy(out, words, sizeof(words));
    return sizeof(words);
}

/* The commands after one that fails are sent again without it, and their answers are found. */
static void test_rest_of_batch(void **state)
{
    static const DWORD bad[4] = {5, 8, 0xffff0200, 0x12345678}; /* no END token */
    struct rt_fixture *f = *state;
    struct rt_query *query = create(f, OCCLUSION);
    uint32_t pixels = 0;

    rt_forget(f);
    draw_square(f, 8);
    rt_put_entry(f->link, D3DDP2OP_CREATEPIXELSHADER, bad, sizeof(bad));
    assert_int_equal(rt_query_issue(query, BEGIN), D3D_OK);
    draw_square(f, 5);
    rt_put_entry(f->link, D3DDP2OP_CREATEPIXELSHADER, bad, sizeof(bad));
    draw_square(f, 4);
    assert_int_equal(rt_query_issue(query, END), D3D_OK);
    assert_true(FAILED(rt_flush(f->link)));
    assert_int_equal(rt_calls, 3);
    while (rt_query_get(query, &pixels, sizeof(pixels), true) == S_FALSE)
        ;
    assert_int_equal(pixels, 25 + 16);
    assert_int_equal(rt_flush(f->link), D3D_OK);
    rt_query_destroy(query);
}

static uint32_t refused_offset, refused_end;

/* Fails at the first command of each call. */
static DWORD PASCAL refuse_first(LPD3DHAL_DRAWPRIMITIVES2DATA data)
{
    assert_true(!rt_calls || data->dwCommandOffset > refused_offset);
    assert_true(!rt_calls || data->dwCommandOffset + data->dwCommandLength == refused_end);
    refused_offset = data->dwCommandOffset;
    refused_end = data->dwCommandOffset + data->dwCommandLength;
    rt_calls++;
    data->ddrval = D3DERR_DRIVERINTERNALERROR;
    data->dwErrorOffset = data->dwCommandOffset;
    return DDHAL_DRIVER_HANDLED;
}

/* However many commands of a batch fail, all commands after them are tried. */
static void test_all_are_tried(void **state)
{
    enum { DRAWS = 100 };
    struct rt_fixture *f = *state;

    rt_forget(f);
    for (unsigned i = 0; i < DRAWS; i++) {
        draw_square(f, 8);
        rt_put_entry(f->link, D3DDP2OP_ZRANGE, (const D3DHAL_DP2ZRANGE[]){{0, 1}}, sizeof(D3DHAL_DP2ZRANGE));
    }
    ((struct client_driver *)rt_adapter_driver(f->adapter))->d3d3.DrawPrimitives2 = refuse_first;
    assert_int_equal(rt_flush(f->link), D3DERR_DRIVERINTERNALERROR);
    ((struct client_driver *)rt_adapter_driver(f->adapter))->d3d3.DrawPrimitives2 = rt_spy;
    assert_true(rt_calls >= 2 * DRAWS);
    assert_int_equal(refused_end - refused_offset, sizeof(D3DHAL_DP2COMMAND) + sizeof(D3DHAL_DP2ZRANGE));
}

/* As the link's batch reads them. */
static bool read_responses(struct rt_link *link, const uint8_t *response, size_t bytes)
{
    struct client_batch batch = {.answer = rt_queries_answer, .owner = link};

    return client_batch_read(&batch, response, bytes);
}

static void test_responses(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *a = create(f, EVENT), *b = create(f, OCCLUSION);
    uint8_t bytes[128];
    uint32_t data = 0;
    size_t length;

    /* two responses, then more to come; the ids are 1 and 2 */
    rt_query_issue(a, END);
    rt_query_issue(b, END);
    length = put_head(bytes, D3DDP2OP_RESPONSEQUERY, 1, 20);
    length += put_answer(bytes + length, 1, 4, 1);
    length += put_head(bytes + length, D3DDP2OP_RESPONSEQUERY, 1, 20);
    length += put_answer(bytes + length, 2, 4, 77);
    assert_false(read_responses(f->link, bytes, length));
    assert_int_equal(rt_query_get(a, &data, 4, false), S_OK);
    assert_int_equal(rt_query_get(b, &data, 4, false), S_OK);
    assert_int_equal(data, 77);
    rt_query_issue(b, END);
    length = put_head(bytes, D3DDP2OP_RESPONSEQUERY, 1, 20);
    length += put_answer(bytes + length, 2, 4, 78);
    length += put_head(bytes + length, D3DDP2OP_RESPONSECONTINUE, 0, 8);
    assert_true(read_responses(f->link, bytes, length));
    /* a response that only says "more" would be polled without end */
    length = put_head(bytes, D3DDP2OP_RESPONSECONTINUE, 0, 8);
    assert_false(read_responses(f->link, bytes, length));
    rt_query_destroy(a);
    rt_query_destroy(b);
}

/* None of these responses is accepted, and nothing beyond the bytes is read. */
static void test_damaged_responses(void **state)
{
    struct rt_fixture *f = *state;
    struct rt_query *query = create(f, OCCLUSION);
    uint32_t data = 0;

    rt_query_issue(query, END);
    for (unsigned kind = 0; kind < 7; kind++) {
        uint8_t *bytes = malloc(20);

        put_head(bytes, kind == 0 ? 3 : D3DDP2OP_RESPONSEQUERY, kind == 1 ? 2 : 1,
                 kind == 2   ? 21
                 : kind == 3 ? 4
                 : kind == 4 ? 15
                             : 20);
        put_answer(bytes + 8, kind == 5 ? 999 : kind == 1 ? 0 : 1, kind == 6 ? 0xfffffffc : 4, 5);
        assert_false(read_responses(f->link, bytes, 20));
        free(bytes);
        assert_int_equal(rt_query_get(query, &data, 4, false), S_FALSE);
        rt_set_render_state(&f->pipe, D3DRS_ALPHAREF, kind + 1); /* the next poll is in its own batch */
        rt_flush(f->link);
        rt_query_issue(query, END);
    }
    rt_query_destroy(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_types, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_fresh_query_has_filler, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_flags, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_pixels_are_counted, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_answer_comes_with_any_flush, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_polling_ends, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_50000_pairs, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_numbers_are_used_again, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_driver_without_room, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_context_that_goes, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_refused_batch, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_rest_of_batch, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_all_are_tried, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_responses, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_damaged_responses, open_device, close_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
