/* SPDX-License-Identifier: MIT */
/* ProcessVertices through the driver interface: positions in pixels, colours, refusals, and the report of free
 * memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/stage/stage.h"

#define COUNT 300

struct vertex {
    float x, y, z;
    uint32_t diffuse;
};
struct result {
    float x, y, z, rhw;
    uint32_t diffuse;
};
#define RESULT_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)

static struct stage stage;

static int set_up(void **state)
{
    struct vertex vertices[COUNT];
    D3DHAL_DP2VERTEXSHADER shader = {D3DFVF_XYZ | D3DFVF_DIFFUSE};
    D3DHAL_DP2SETSTREAMSOURCE source = {0, 0, sizeof(struct vertex)};

    (void)state;
    for (unsigned i = 0; i < COUNT; i++)
        vertices[i] = (struct vertex){(float)i / COUNT, -0.5f, 0.25f, 0xff000000 | i};
    assert_true(stage_open(&stage, 200, 100, D3DFMT_X8R8G8B8, 0));
    stage_state(&stage, D3DRS_LIGHTING, FALSE);
    source.dwVBHandle = stage_buffer(&stage, false, D3DFVF_XYZ | D3DFVF_DIFFUSE, vertices, sizeof(vertices));
    stage_command(&stage, D3DDP2OP_SETVERTEXSHADER, 1, &shader, sizeof(shader));
    stage_command(&stage, D3DDP2OP_SETSTREAMSOURCE, 1, &source, sizeof(source));
    stage_submit(&stage);
    assert_int_equal(stage.error, DD_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stage_close(&stage);
    return 0;
}

static struct client_process call(struct result *results)
{
    return (struct client_process){.context = stage.context,
                                   .count = COUNT,
                                   .fvf = RESULT_FVF,
                                   .stride = sizeof(*results),
                                   .vertices = results,
                                   .bytes = COUNT * sizeof(*results)};
}

static void test_results(void **state)
{
    struct result results[COUNT];
    struct client_process process = call(results);

    (void)state;
    assert_int_equal(client_process_vertices(stage.client, &process), DD_OK);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_true(results[i].x == ((float)i / COUNT + 1) * 100 && results[i].y == 75);
        assert_true(results[i].z == 0.25f && results[i].rhw == 1);
        assert_int_equal(results[i].diffuse, 0xff000000 | i);
    }
    process.first = 90;
    process.count = 10;
    assert_int_equal(client_process_vertices(stage.client, &process), DD_OK);
    assert_int_equal(results[0].diffuse, 0xff000000 | 90);
}

/* Memory for processed vertices grows in steps: a number of vertices that fills it leaves no room for the sentinel. */
static void test_any_number(void **state)
{
    struct result results[COUNT];
    struct client_process process = call(results);

    (void)state;
    for (unsigned count = 1; count <= COUNT; count++) {
        process.count = count;
        process.first = COUNT - count;
        memset(results, 0, sizeof(results));
        assert_int_equal(client_process_vertices(stage.client, &process), DD_OK);
        assert_int_equal(results[count - 1].diffuse, 0xff000000 | (COUNT - 1));
    }
}

static void test_refusals(void **state)
{
    struct result results[COUNT];
    struct client_process process;

    (void)state;
    memset(results, 0x77, sizeof(results));
#define REFUSED(change)      \
    process = call(results); \
    change;                  \
    assert_true(FAILED(client_process_vertices(stage.client, &process)))
    REFUSED(process.context = 0x1234);
    REFUSED(process.vertices = NULL);
    REFUSED(process.bytes -= 1);
    REFUSED(process.count = 0x80000000u; process.stride = 2);
    REFUSED(process.stride = sizeof(struct result) - 1);
    REFUSED(process.fvf = D3DFVF_XYZ | D3DFVF_DIFFUSE);
    REFUSED(process.fvf = RESULT_FVF | D3DFVF_NORMAL);
    for (size_t i = 0; i < sizeof(results); i++)
        assert_int_equal(((uint8_t *)results)[i], 0x77);
}

/* Vertices beyond their stream are at 0. */
static void test_vertices_beyond_the_stream(void **state)
{
    static const uint32_t first[] = {0, 1, COUNT / 2, COUNT - 1, COUNT, 0x7fffffff, UINT32_MAX};
    struct result all[COUNT], results[COUNT], zero = {.x = 0};
    struct client_process process = call(all);

    (void)state;
    assert_int_equal(client_process_vertices(stage.client, &process), DD_OK);
    for (unsigned i = 0; i < ARRAY_COUNT(first); i++) {
        process = call(results);
        process.first = first[i];
        memset(results, 0x77, sizeof(results));
        assert_int_equal(client_process_vertices(stage.client, &process), DD_OK);
        if (i == 1)
            zero = results[COUNT - 1];
        for (unsigned v = 0; v < COUNT; v++)
            assert_memory_equal(&results[v], (uint64_t)first[i] + v < COUNT ? &all[first[i] + v] : &zero, sizeof(zero));
    }
    assert_int_equal(zero.diffuse, 0);
}

static void fill_black(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    (void)width;
    memset(lock->bits, 0, lock->pitch * height);
}

static void test_free_memory(void **state)
{
    uint32_t total, before, after;

    (void)state;
    assert_int_equal(client_available_memory(stage.client, &total, &before), DD_OK);
    assert_true(total > before && before > 0);
    stage_texture(&stage, D3DFMT_A8R8G8B8, 256, 256, 1, fill_black);
    assert_int_equal(client_available_memory(stage.client, &total, &after), DD_OK);
    assert_int_equal(before - after, 256 * 256 * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_results, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_vertices_beyond_the_stream, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_free_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
