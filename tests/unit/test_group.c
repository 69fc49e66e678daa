/* SPDX-License-Identifier: MIT */
/*
 * Draws so large that all threads process their geometry: pixels, depth and counts are the same for any number of
 * threads, and a budget that is too small ends at the same primitive, with the same error at the same token
 * (docs/threads.md).
 */
#include "tests/random.h"
#include "tests/unit/hal_fixture.h"

#include "hal/vertex/prim.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "tests/unit/rounds.h"

#define SIZE      320 /* pixels each way: 25 tiles */
#define TRIANGLES 9000
#define CELLS     24000 /* triangles of grids: more than a chunk of indices, whose last group is a part of one */
#define VERTICES  (3 * TRIANGLES)
#define SIDE      160 /* of the grid that indices name */

struct point_vertex {
    float x, y, z;
    uint32_t color;
};
struct pixel_vertex {
    float x, y, z, rhw;
    uint32_t color;
};

/* --- vertices and indices ------------------------------------------------------------------------ */

/* Small consecutive triangles all over the target. */
static void put_pixels(struct fixture *f)
{
    static struct pixel_vertex v[VERTICES];

    for (unsigned i = 0; i < VERTICES; i++) {
        if (i % 3 == 0)
            v[i] = (struct pixel_vertex){random_unit() * SIZE, random_unit() * SIZE, random_unit(), 1, 0};
        else
            v[i] = (struct pixel_vertex){v[i - 1].x + random_unit() * 20 - 10, v[i - 1].y + random_unit() * 20 - 10,
                                         random_unit(), 1, 0};
        v[i].color = (uint32_t)(random_unit() * 16777216.0f) * 251u | 0x40000000;
    }
    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
}

static const float through_the_eye[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -0.1f, 0};

/* A random walk in front of, past and behind the viewer: many triangles are clipped. */
static void put_walk(struct fixture *f)
{
    static struct point_vertex v[VERTICES];
    float x = 0, y = 0, z = 0.3f;

    for (unsigned i = 0; i < VERTICES; i++) {
        x = 0.95f * (x + 0.4f * (random_unit() - 0.5f));
        y = 0.95f * (y + 0.4f * (random_unit() - 0.5f));
        z = 0.3f + 0.9f * (z - 0.3f + 0.3f * (random_unit() - 0.5f));
        v[i] = (struct point_vertex){x, y, z, (uint32_t)(random_unit() * 16777216.0f) * 251u};
    }
    fixture_transform(f, D3DTS_PROJECTION, through_the_eye);
    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_vertices(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
}

/* A grid over the target. */
static void put_grid(struct fixture *f)
{
    static struct pixel_vertex v[SIDE * SIDE];

    for (unsigned i = 0; i < SIDE * SIDE; i++)
        v[i] = (struct pixel_vertex){(float)(i % SIDE) * SIZE / (SIDE - 1) + random_unit(),
                                     (float)(i / SIDE) * SIZE / (SIDE - 1) + random_unit(), random_unit(), 1,
                                     (uint32_t)(random_unit() * 16777216.0f) * 251u};
    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
}

/* Cell after cell; every `far_one`th index names any vertex, every `bad_one`th a vertex that does not exist. 0: none
 * does. */
static void put_cells(struct fixture *f, unsigned far_one, unsigned bad_one, uint32_t stride)
{
    static uint32_t wide[3 * CELLS];
    static uint16_t narrow[3 * CELLS];

    for (unsigned i = 0; i < 3 * CELLS; i++) {
        static const unsigned corner[6] = {0, 1, SIDE, SIDE, 1, SIDE + 1};
        const unsigned cell = i / 6 % ((SIDE - 1) * (SIDE - 1));

        wide[i] = cell / (SIDE - 1) * SIDE + cell % (SIDE - 1) + corner[i % 6];
        if (far_one && i % far_one == 0)
            wide[i] = (uint32_t)(random_unit() * (SIDE * SIDE - 1));
        if (bad_one && i % bad_one == 0)
            wide[i] = SIDE * SIDE + i % 7;
        narrow[i] = (uint16_t)wide[i];
    }
    if (stride == 4)
        fixture_indices(f, wide, sizeof(wide), 4);
    else
        fixture_indices(f, narrow, sizeof(narrow), 2);
}

/* --- scenes -------------------------------------------------------------------------------------- */

static void draw(struct fixture *f, uint32_t type, uint32_t primitives)
{
    fixture_draw(f, type, 0, primitives);
}

static void draw_indexed(struct fixture *f, uint32_t type, uint32_t primitives)
{
    const D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {
        .primType = type, .NumVertices = SIDE * SIDE, .PrimitiveCount = primitives};

    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, &body, sizeof(body));
}

static void prepare_cells(struct fixture *f)
{
    put_grid(f);
    put_cells(f, 0, 0, 2);
}
static void prepare_scattered(struct fixture *f)
{
    put_grid(f);
    put_cells(f, 1, 0, 4);
}
static void prepare_some_far(struct fixture *f)
{
    put_grid(f);
    put_cells(f, 2500, 0, 4);
}
static void prepare_some_missing(struct fixture *f)
{
    put_grid(f);
    put_cells(f, 0, 1000, 2);
}
static void prepare_wireframe(struct fixture *f)
{
    put_walk(f);
    fixture_state(f, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
}
static void prepare_sprites(struct fixture *f)
{
    put_pixels(f);
    fixture_float_state(f, D3DRS_POINTSIZE, 5);
}
static void prepare_biased(struct fixture *f)
{
    put_pixels(f);
    fixture_state(f, D3DRS_ZBIAS, 7);
    fixture_state(f, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    fixture_state(f, D3DRS_SHADEMODE, D3DSHADE_FLAT);
}

static const struct scene {
    const char *name;
    void (*prepare)(struct fixture *f);
    void (*draw)(struct fixture *f, uint32_t type, uint32_t primitives);
    uint32_t type, primitives;
    bool alone; /* one thread makes it */
} scenes[] = {
    {"list", put_pixels, draw, D3DPT_TRIANGLELIST, TRIANGLES, false},
    {"list that is flat and biased", prepare_biased, draw, D3DPT_TRIANGLELIST, TRIANGLES, false},
    {"list that is clipped", put_walk, draw, D3DPT_TRIANGLELIST, TRIANGLES, false},
    {"strip that is clipped", put_walk, draw, D3DPT_TRIANGLESTRIP, TRIANGLES + 1, false},
    {"wireframe", prepare_wireframe, draw, D3DPT_TRIANGLELIST, 4000, false},
    {"lines", put_walk, draw, D3DPT_LINELIST, TRIANGLES, false},
    {"points", prepare_sprites, draw, D3DPT_POINTLIST, 12345, false},
    {"cells", prepare_cells, draw_indexed, D3DPT_TRIANGLELIST, CELLS, false},
    {"cells as a strip", prepare_cells, draw_indexed, D3DPT_TRIANGLESTRIP, CELLS, false},
    {"cells with some far corners", prepare_some_far, draw_indexed, D3DPT_TRIANGLELIST, CELLS, false},
    {"scattered cells", prepare_scattered, draw_indexed, D3DPT_TRIANGLELIST, TRIANGLES, false},
    {"cells with some missing corners", prepare_some_missing, draw_indexed, D3DPT_TRIANGLELIST, CELLS, false},
    {"fan", put_pixels, draw, D3DPT_TRIANGLEFAN, 3000, true},
    {"strip of lines", put_walk, draw, D3DPT_LINESTRIP, TRIANGLES, true},
    {"few triangles", put_pixels, draw, D3DPT_TRIANGLELIST, 1000, true},
};

/* --- drawing ------------------------------------------------------------------------------------- */

/* The picture and the results of the calls. */
struct drawn {
    uint64_t color, depth;
    uint64_t triangles, lines, points, binned, fragments;
    uint64_t spent;
    uint32_t extra_triangles, error_offset, result, marker;
    bool in_groups; /* chunks have been made */
};

static uint64_t hash(const uint32_t *words)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (unsigned i = 0; i < SIZE * SIZE; i++)
        h = (h ^ words[i]) * UINT64_C(0x100000001b3);
    return h;
}

static _Alignas(64) uint32_t color[SIZE * SIZE], depth[SIZE * SIZE];

static void big_image(struct fixture *f, uint32_t handle, uint32_t kind, void *memory, enum raster_format format,
                      uint32_t d3d_format)
{
    struct hal_surface *s = fixture_surface(f, handle, kind, memory, sizeof(color));

    s->base.owns_memory = true;
    s->width = s->height = SIZE;
    s->pitch = SIZE * 4;
    s->format = format;
    s->d3d_format = d3d_format;
}

static void open_fixture(struct fixture **opened, unsigned threads, uint64_t limit, uint32_t split_seed)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    uint32_t handle;

    memset(color, 0, sizeof(color));
    memset(depth, 0xff, sizeof(depth));
    f->driver = hal_driver_create();
    f->driver->threads = threads;
    f->driver->split_seed = split_seed;
    if (limit)
        hal_work_allow(f->driver, limit);
    big_image(f, FIXTURE_TARGET, HAL_SURFACE_COLOR, color, RASTER_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    big_image(f, FIXTURE_DEPTH, HAL_SURFACE_DEPTH, depth, RASTER_FORMAT_D24S8, D3DFMT_D24S8);
    assert_int_equal(hal_context_create(f->driver, NULL, &f->surface[FIXTURE_TARGET], &f->surface[FIXTURE_DEPTH],
                                        DDI_LEVEL_DX8, 1, &handle),
                     DD_OK);
    f->context = hal_context_find(f->driver, handle);
    dp2_builder_init(&f->builder, f->commands, sizeof(f->commands));
    *opened = f;
}

/* Two draws, each followed by states. limit: the allowed cost of the call; 0: unlimited. */
static struct drawn play(const struct scene *scene, unsigned threads, uint64_t limit, uint32_t split_seed)
{
    struct raster_statistics statistics;
    struct drawn d;
    struct fixture *f;

    open_fixture(&f, threads, limit, split_seed);
    random_seed = 5;
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1); /* order matters */
    fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    scene->prepare(f);
    for (unsigned i = 0; i < 2; i++) {
        scene->draw(f, scene->type, scene->primitives);
        fixture_state(f, D3DRS_TEXTUREFACTOR, 1 + i);
    }
    memset(&d, 0, sizeof(d));
    d.result = (uint32_t)fixture_run(f);
    d.error_offset = f->error_offset;
    d.spent = f->context->scene.work.done;
    d.marker = f->context->state.render_state[D3DRS_TEXTUREFACTOR];
    d.extra_triangles = f->context->renderer.front->extra_triangles;
    d.in_groups = f->context->renderer.front->thread_count > 0;
    raster_get_statistics(f->context->scene.raster, &statistics);
    d.triangles = statistics.triangles;
    d.lines = statistics.lines;
    d.points = statistics.points;
    d.binned = statistics.binned;
    d.fragments = statistics.fragments;
    d.color = hash(color);
    d.depth = hash(depth);
    void *state = f;
    fixture_teardown(&state);
    return d;
}

static void assert_same(const struct scene *scene, unsigned threads, uint64_t limit, const struct drawn *want,
                        const struct drawn *got)
{
#define SAME(field)                                                                            \
    if (want->field != got->field)                                                             \
    fail_msg("%s, budget %llu: " #field " is %llu with one thread, %llu with %u", scene->name, \
             (unsigned long long)limit, (unsigned long long)want->field, (unsigned long long)got->field, threads)
    SAME(result);
    SAME(error_offset);
    SAME(marker);
    SAME(triangles);
    SAME(lines);
    SAME(points);
    SAME(binned);
    SAME(extra_triangles);
    SAME(fragments);
    SAME(spent);
    SAME(color);
    SAME(depth);
#undef SAME
}

static const unsigned thread_counts[] = {2, 3, 4, 8};

static void test_same_for_any_threads(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(scenes); i++) {
        const struct drawn one = play(&scenes[i], 1, 0, 0);

        assert_int_equal(one.result, DD_OK);
        assert_true(one.fragments > 1000);
        for (unsigned t = 0; t < ARRAY_COUNT(thread_counts); t++) {
            const struct drawn many = play(&scenes[i], thread_counts[t], 0, 0);

            assert_same(&scenes[i], thread_counts[t], 0, &one, &many);
            if (scenes[i].alone == many.in_groups && thread_counts[t] > 1)
                fail_msg("%s: %u threads have made %s", scenes[i].name, thread_counts[t],
                         many.in_groups ? "chunks" : "no chunks");
        }
    }
}

static void test_same_wherever_scenes_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(scenes); i += 2) {
        const struct drawn one = play(&scenes[i], 1, 0, 0);

        for (uint32_t split = 1; split <= 3; split++) {
            const struct drawn many = play(&scenes[i], 4, 0, split);

            assert_same(&scenes[i], 4, 0, &one, &many);
        }
    }
}

/* Budgets that end in the first draw, in the second, between and after them. */
#define LIMITS 9

static void test_budget_ends_at_the_same_primitive(void **state)
{
    const unsigned step = fewer_rounds() > 1 ? 4 : 1;
    unsigned cut = 0, whole = 0;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(scenes); i++) {
        const uint64_t spent = play(&scenes[i], 1, 0, 0).spent;

        for (unsigned n = 1; n <= LIMITS; n += step) {
            const uint64_t limit = spent / (LIMITS - 1) * n + 12345 * n;
            const struct drawn one = play(&scenes[i], 1, limit, 0);

            for (unsigned t = 0; t < ARRAY_COUNT(thread_counts); t += 2) {
                const struct drawn many = play(&scenes[i], thread_counts[t], limit, 0);

                assert_same(&scenes[i], thread_counts[t], limit, &one, &many);
            }
            cut += one.result == (uint32_t)HAL_TOO_MUCH_WORK;
            whole += one.result == DD_OK;
        }
    }
    assert_true(cut >= (step > 1 ? 2 : 5) * ARRAY_COUNT(scenes));
    assert_true(whole >= ARRAY_COUNT(scenes));
}

/* One unit less than the total cost is too little, one more is enough. */
static void test_budget_to_the_unit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(scenes); i += 3) {
        const uint64_t spent = play(&scenes[i], 1, 0, 0).spent;

        for (uint64_t limit = spent - 1; limit <= spent + 1; limit++) {
            const struct drawn one = play(&scenes[i], 1, limit, 0), many = play(&scenes[i], 4, limit, 0);

            assert_same(&scenes[i], 4, limit, &one, &many);
            assert_int_equal(one.result, limit > spent ? DD_OK : (uint32_t)HAL_TOO_MUCH_WORK);
        }
    }
}

int main(void)
{
    setenv("HALCYON_LOG_LEVEL", "none", 0); /* of calls that are cut short */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_for_any_threads),
        cmocka_unit_test(test_same_wherever_scenes_end),
        cmocka_unit_test(test_budget_ends_at_the_same_primitive),
        cmocka_unit_test(test_budget_to_the_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
