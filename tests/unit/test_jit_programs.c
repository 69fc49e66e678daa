/* SPDX-License-Identifier: MIT */
/*
 * Which programs have machine code, and the names of the code. When there is no more room, the least recently used
 * programs lose their code, get it again when they are used again, and threads that draw with them notice nothing.
 */
#include "tests/random.h"
#include "tests/unit/hal_fixture.h"

#include "base/digest.h"
#include "bytecode/bytecode.h"
#include "jit/memory.h"
#include "raster/frontend.h"
#include "shader/code.h"
#include "shader/shader.h"

#include "shader/stages.h"
#include "tests/unit/scratch_folder.h"

#include <stdio.h>

#define POOL JIT_MEMORY_REGION /* bytes: the smallest there may be */

/* --- programs ------------------------------------------------------------------------------------ */

/* A program with distinct operations, long if it is a pixel program. Returns the number of tokens. */
static size_t write_program(bool pixel, uint32_t *tokens, size_t capacity)
{
    static const char *const operation[] = {"mul r0, r0, c%u\n", "add r0, r0, c%u\n", "mad r0, r0, c%u, v0\n",
                                            "dp3 r0.xyz, r0, c%u\n"};
    struct shader_error error = {0};
    char text[2048];
    int n = snprintf(text, sizeof(text),
                     pixel ? "ps_2_0\ndcl v0\nmov r0, v0\n" : "vs_1_1\ndcl_position v0\ndcl_color v5\nmov r0, v0\n");
    size_t count;

    for (unsigned i = 0; i < (pixel ? 40u : 12u); i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, operation[random_below(4)], (unsigned)random_below(8));
    snprintf(text + n, sizeof(text) - (size_t)n,
             pixel ? "add r0, r0, v0\nmov oC0, r0\n" : "mov oPos, v0\nmad oD0, r0, c9, v5\n");
    count = shader_assemble(text, tokens, capacity, &error);
    if (!count)
        fail_msg("line %u: %s\n%s", (unsigned)error.offset, error.text, text);
    return count;
}

/* Always the same program, so that the code has the same length. */
static struct shader_program *make_program(void)
{
    uint32_t tokens[512];
    struct shader_error error = {0};
    size_t count;
    struct shader_program *program;

    random_seed = 3;
    count = write_program(false, tokens, ARRAY_COUNT(tokens));
    program = shader_compile(tokens, count, &error);
    if (!program)
        fail_msg("%s", error.text);
    return program;
}

/* --- who loses code --------------------------------------------------------------------------------- */

enum { PROGRAMS = 200 };

struct keeper {
    struct shader_jit *jit;
    struct shader_program *program[PROGRAMS];
    unsigned waits;
};

static void note_wait(void *argument)
{
    struct keeper *k = argument;

    k->waits++;
}

static bool has_code(const struct keeper *k, unsigned n)
{
    return k->program[n]->code->generated;
}

static void use(struct keeper *k, unsigned n)
{
    shader_note_use(k->program[n], k->jit);
}

static unsigned count_code(const struct keeper *k)
{
    unsigned count = 0;

    for (unsigned n = 0; n < PROGRAMS; n++)
        count += has_code(k, n);
    return count;
}

/* NULL: this machine generates no code. */
static struct keeper *open_keeper(void)
{
    struct keeper *k = mem_calloc(1, sizeof(*k));

    assert_non_null(k);
    k->jit = shader_jit_create(cpu_level_detected(), POOL, false);
    if (!k->jit) {
        free(k);
        return NULL;
    }
    for (unsigned n = 0; n < PROGRAMS; n++)
        k->program[n] = make_program();
    return k;
}

static void close_keeper(struct keeper *k)
{
    struct shader_jit_counts counts;

    for (unsigned n = 0; n < PROGRAMS; n++)
        shader_destroy(k->program[n]);
    shader_jit_get_counts(k->jit, &counts);
    assert_int_equal(counts.programs, 0);
    assert_int_equal(counts.bytes, 0);
    shader_jit_destroy(k->jit);
    free(k);
}

/* Uses programs until there is no room. Returns how many have code. */
static unsigned fill(struct keeper *k)
{
    unsigned n = 0;

    do {
        use(k, n);
        use(k, n);
    } while (n + 1 < PROGRAMS && has_code(k, n++));
    assert_in_range(n, 10, PROGRAMS - 20);
    return n - 1;
}

static void test_full_without_eviction(void **state)
{
    struct keeper *k = open_keeper();

    (void)state;
    if (!k)
        skip();
    const unsigned count = fill(k);

    for (unsigned n = 0; n < PROGRAMS; n++)
        use(k, n);
    assert_int_equal(count_code(k), count);
    /* a destroyed program leaves room for another */
    for (unsigned n = 0; n < count; n++) {
        shader_destroy(k->program[n]);
        k->program[n] = make_program();
    }
    use(k, PROGRAMS - 1);
    assert_true(has_code(k, PROGRAMS - 1));
    close_keeper(k);
}

static void test_least_recently_used_lose(void **state)
{
    struct keeper *k = open_keeper();
    struct shader_jit_counts counts;

    (void)state;
    if (!k)
        skip();
    const unsigned count = fill(k);

    shader_jit_on_eviction(k->jit, note_wait, k);
    use(k, 0); /* only the oldest */
    use(k, PROGRAMS - 1);
    assert_int_equal(k->waits, 0); /* it was used once */
    use(k, PROGRAMS - 1);
    assert_int_equal(k->waits, 1);
    assert_true(has_code(k, PROGRAMS - 1));
    assert_true(has_code(k, 0));
    shader_jit_get_counts(k->jit, &counts);
    assert_int_equal(counts.uses, 2 * (count + 1) + 3); /* the program without room was used twice as well */
    assert_int_equal(counts.generated_uses, 1);
    assert_in_range(counts.evicted, count / 8, count / 2);
    assert_int_equal(counts.programs, count_code(k));
    assert_int_equal(counts.made, count + 1);
    assert_true(counts.bytes <= POOL);
    for (unsigned n = 1; n < count; n++)
        assert_int_equal(has_code(k, n), n > counts.evicted);
    close_keeper(k);
}

static void test_code_comes_again(void **state)
{
    struct keeper *k = open_keeper();

    (void)state;
    if (!k)
        skip();
    fill(k);
    shader_jit_on_eviction(k->jit, note_wait, k);
    use(k, PROGRAMS - 1);
    use(k, PROGRAMS - 1);
    assert_false(has_code(k, 0));
    use(k, 0);
    assert_false(has_code(k, 0));
    use(k, 0);
    assert_true(has_code(k, 0));
    close_keeper(k);
}

/* All are used in turn, and each would lose its code before it is used again. Generating it costs as much as many
 * uses. */
static void test_turns_make_little_code(void **state)
{
    struct keeper *k = open_keeper();
    const unsigned rounds = 1000;
    struct shader_jit_counts counts;

    (void)state;
    if (!k)
        skip();
    shader_jit_on_eviction(k->jit, note_wait, k);
    for (unsigned i = 0; i < rounds; i++)
        for (unsigned n = 0; n < PROGRAMS; n++)
            use(k, n);
    shader_jit_get_counts(k->jit, &counts);
    assert_in_range(counts.evicted, rounds * PROGRAMS / 128, rounds * PROGRAMS / 64 + PROGRAMS);
    assert_in_range(counts.made, counts.evicted, counts.evicted + PROGRAMS);
    close_keeper(k);
}

/* --- threads ---------------------------------------------------------------------------------------- */

enum { SIDE = 320, PIXEL_PROGRAMS = 60, VERTEX_PROGRAMS = 60, QUADS = 64 };

#if defined(__SANITIZE_ADDRESS__)
#define DRAWS 600
#else
#define DRAWS 3000
#endif

struct vertex {
    float x, y, z;
    uint32_t color;
};

static _Alignas(64) uint32_t colors[2][SIDE * SIDE], depths[2][SIDE * SIDE];

static struct hal_surface *big_image(struct fixture *f, uint32_t handle, uint32_t kind, void *memory,
                                     enum raster_format format, uint32_t d3d_format)
{
    struct hal_surface *s = fixture_surface(f, handle, kind, memory, sizeof(colors[0]));

    s->base.owns_memory = true;
    s->width = s->height = SIDE;
    s->pitch = SIDE * 4;
    s->format = format;
    s->d3d_format = d3d_format;
    return s;
}

static struct hal_context *open_context(struct fixture *f, unsigned number)
{
    const uint32_t target = number ? FIXTURE_TEXTURE : FIXTURE_TARGET, depth = number ? FIXTURE_BUFFER : FIXTURE_DEPTH;
    uint32_t handle;

    memset(colors[number], 0, sizeof(colors[0]));
    memset(depths[number], 0xff, sizeof(depths[0]));
    big_image(f, target, HAL_SURFACE_COLOR, colors[number], RASTER_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    big_image(f, depth, HAL_SURFACE_DEPTH, depths[number], RASTER_FORMAT_D24S8, D3DFMT_D24S8);
    assert_int_equal(
        hal_context_create(f->driver, NULL, &f->surface[target], &f->surface[depth], DDI_LEVEL_DX8, 1, &handle), DD_OK);
    return hal_context_find(f->driver, handle);
}

/* Runs the commands, and leaves the gathered scene to the threads. */
static void run(struct fixture *f, struct hal_context *context)
{
    f->execute.commands = f->commands;
    f->execute.command_bytes = f->builder.length;
    assert_int_equal(hal_context_execute(context, &f->execute, &f->error_offset), DD_OK);
    dp2_builder_init(&f->builder, f->commands, sizeof(f->commands));
}

static void put_word(struct fixture *f, uint8_t token, uint32_t word)
{
    fixture_put(f, token, 1, &word, sizeof(word));
}

static void put_program(struct fixture *f, bool pixel, uint32_t handle)
{
    static const uint32_t declaration[] = {0x20000000, 0x40020000, 0x40040005, 0xffffffff}; /* v0 FLOAT3, v5 COLOR */
    uint32_t body[512], head = 2;

    body[0] = handle;
    if (!pixel) {
        body[1] = sizeof(declaration);
        memcpy(&body[3], declaration, sizeof(declaration));
        head = 3 + ARRAY_COUNT(declaration);
    }
    const size_t count = write_program(pixel, &body[head], ARRAY_COUNT(body) - head);
    body[pixel ? 1 : 2] = (uint32_t)(4 * count);
    fixture_put(f, pixel ? D3DDP2OP_CREATEPIXELSHADER : D3DDP2OP_CREATEVERTEXSHADER, 1, body, 4 * (head + count));
}

static void put_constants(struct fixture *f, uint8_t token, unsigned count)
{
    uint32_t body[2 + 4 * 10] = {0, count};

    for (unsigned i = 0; i < 4 * count; i++) {
        const float value = (float)random_below(256) / 256 - 0.5f;

        memcpy(&body[2 + i], &value, sizeof(value));
    }
    fixture_put(f, token, 1, body, 8 + 16 * count);
}

static void put_quads(struct fixture *f)
{
    static struct vertex v[6 * QUADS];

    for (unsigned i = 0; i < QUADS; i++) {
        const float x = (float)random_below(140) / 100 - 1, y = (float)random_below(140) / 100 - 1;

        for (unsigned c = 0; c < 6; c++) {
            static const uint8_t corner[6] = {0, 1, 2, 2, 1, 3};

            v[6 * i + c] = (struct vertex){x + 0.6f * (float)(corner[c] & 1), y + 0.6f * (float)(corner[c] >> 1), 0.5f,
                                           random_below(0x1000000) * 131};
        }
    }
    fixture_vertices(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
}

static void prepare(struct fixture *f, struct hal_context *context)
{
    put_quads(f);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1); /* order matters */
    fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_ZENABLE, 0);
    put_constants(f, D3DDP2OP_SETPIXELSHADERCONST, 8);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 10);
    for (unsigned n = 0; n < PIXEL_PROGRAMS; n++)
        put_program(f, true, 3 + 2 * n);
    run(f, context);
    for (unsigned n = 0; n < VERTEX_PROGRAMS; n++)
        put_program(f, false, 3 + 2 * n);
    run(f, context);
}

static void stop_generating(struct hal_driver *driver)
{
    shader_jit_destroy(driver->jit);
    driver->jit = NULL;
}

/* The driver's information for runtimes. */
static void expect_same(const struct hal_driver *driver, const struct shader_jit_counts *counts)
{
    HALCYON_CODE code;

    hal_driver_code(driver, &code);
    assert_int_equal(code.uses, counts->uses);
    assert_int_equal(code.generated, counts->generated_uses);
    assert_int_equal(code.programs, counts->programs);
    assert_int_equal(code.bytes, counts->bytes);
    assert_true(code.busy == (ULONGLONG)(counts->seconds * 1e9));
}

/* Like the driver's wait: for all contexts. */
static void wait_and_look(void *argument)
{
    const struct hal_driver *driver = argument;

    hal_driver_wait(argument);
    for (const struct hal_context *context = driver->contexts; context; context = context->next)
        assert_int_equal(context->scene.raster->queue_count, 0);
}

/* Scenes of random programs, in two contexts alternately. Returns a digest of the pictures. */
static uint64_t draw_scenes(unsigned threads, bool generates, struct shader_jit_counts *counts)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    struct hal_context *context[2];

    memset(f, 0, sizeof(*f));
    f->driver = hal_driver_create();
    f->driver->threads = threads;
    f->driver->split_seed = 7; /* scenes are given to threads after a few primitives */
    if (generates)
        hal_driver_generate(f->driver, POOL, false);
    else
        stop_generating(f->driver);
    if (threads == 2)
        shader_jit_on_eviction(f->driver->jit, wait_and_look, f->driver);
    dp2_builder_init(&f->builder, f->commands, sizeof(f->commands));
    random_seed = 11;
    for (unsigned c = 0; c < 2; c++) {
        context[c] = open_context(f, c);
        prepare(f, context[c]);
    }
    for (unsigned n = 0; n < DRAWS; n++) {
        if (random_below(3))
            put_word(f, D3DDP2OP_SETPIXELSHADER, 3 + 2 * random_below(PIXEL_PROGRAMS));
        put_word(f, D3DDP2OP_SETVERTEXSHADER, 3 + 2 * random_below(VERTEX_PROGRAMS));
        fixture_draw(f, D3DPT_TRIANGLELIST, 6 * random_below(QUADS), 2);
        if (n % 40 == 39)
            run(f, context[n / 40 & 1]);
    }
    shader_jit_get_counts(f->driver->jit, counts);
    expect_same(f->driver, counts);
    for (unsigned c = 0; c < 2; c++)
        hal_scene_flush(&context[c]->scene, HAL_FLUSH_LOOK);
    f->context = context[0];
    void *state = f;
    fixture_teardown(&state);
    return digest_of(colors, sizeof(colors), 0);
}

static void test_threads_see_nothing(void **state)
{
    static const unsigned threads[] = {1, 2, 4};
    struct shader_jit_counts counts;
    const uint64_t interpreted = draw_scenes(1, false, &counts);

    (void)state;
    assert_int_equal(counts.made, 0);
    for (unsigned t = 0; t < ARRAY_COUNT(threads); t++) {
        const uint64_t generated = draw_scenes(threads[t], true, &counts);

        if (generated != interpreted)
            fail_msg("%u threads draw something else than interpreted programs", threads[t]);
        if (!counts.made)
            continue; /* the machine makes no code */
        assert_true(counts.evicted > 0);
        assert_in_range(counts.generated_uses, counts.made, counts.uses - 2 * counts.made);
        assert_int_equal(counts.made - counts.evicted, counts.programs);
        assert_true(counts.bytes <= POOL);
    }
}

/* --- names ------------------------------------------------------------------------------------------ */

/* The names after the first `from` bytes of the file that main has chosen, each with a newline; the digests are written
 * as #. */
static void read_names(long from, char *names, size_t size)
{
    FILE *file = fopen(at("perf.map"), "r");
    char line[256];
    int n = 0;

    assert_non_null(file);
    fseek(file, from, SEEK_SET);
    names[0] = 0;
    while (fgets(line, sizeof(line), file)) {
        char program[32];
        unsigned digest, first;

        assert_int_equal(sscanf(line, "%*x %*x %31s %8x +%u\n", program, &digest, &first), 3);
        n += snprintf(names + n, size - (size_t)n, "%s # +%u\n", program, first);
    }
    fclose(file);
}

static long names_length(void)
{
    FILE *file = fopen(at("perf.map"), "r");
    long length;

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    fclose(file);
    return length;
}

static void generate_text(struct shader_jit *jit, const char *text)
{
    uint32_t tokens[256];
    const size_t count = shader_assemble(text, tokens, ARRAY_COUNT(tokens), NULL);
    struct shader_program *program = shader_compile(tokens, count, NULL);

    assert_non_null(program);
    shader_generate(program, jit);
    shader_destroy(program);
}

static void test_names(void **state)
{
    struct shader_jit *jit = shader_jit_create(cpu_level_detected(), POOL, false);
    struct stages_key key = {.stage[0] = {.color_op = D3DTOP_ADDSMOOTH, .alpha_op = D3DTOP_MODULATE4X}};
    struct stages_program cascade;
    char names[512];
    long from;

    (void)state;
    if (!jit)
        skip();
    from = names_length();
    generate_text(jit, "ps_2_0\ndcl v0\ndcl t0.xy\ndcl_2d s0\nadd r0, v0, c0\nmul r0, r0, c1\ntexld r1, t0, s0\n"
                       "mul r0, r0, r1\nadd r0, r0, c2\nmov oC0, r0\n");
    generate_text(jit, "vs_2_x\ndcl_position v0\nadd r0, v0, c0\nmul r0, r0, c1\nmov oPos, r0\n");
    generate_text(jit, "vs_3_sw\ndcl_position v0\ndcl_position o0\nadd r0, v0, c0\nmul o0, r0, c1\n");
    key.stage[0].color_arg[1] = key.stage[0].alpha_arg[1] = D3DTA_DIFFUSE;
    key.stage[0].color_arg[2] = key.stage[0].alpha_arg[2] = D3DTA_TFACTOR;
    stages_compile(&key, &cascade);
    shader_generate(cascade.shader, jit);
    stages_destroy(&cascade);
    read_names(from, names, sizeof(names));
    assert_string_equal(names, "ps_2_0 # +3\nps_2_0 # +0\nvs_2_x # +0\nvs_3_sw # +0\nps_fixed # +0\n");
    shader_jit_destroy(jit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_without_eviction), cmocka_unit_test(test_least_recently_used_lose),
        cmocka_unit_test(test_code_comes_again),      cmocka_unit_test(test_turns_make_little_code),
        cmocka_unit_test(test_threads_see_nothing),   cmocka_unit_test(test_names),
    };

    if (make_folder(NULL))
        return 1;
    setenv("HALCYON_JIT_PERF", at("perf.map"), 1);
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
