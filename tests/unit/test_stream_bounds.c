/* SPDX-License-Identifier: MIT */
/*
 * Draws whose vertices and indices lie partly or wholly beyond their memory, with frequencies, strides, offsets and
 * layouts of any kind: each picture is that of one draw without indices over vertices that were copied, byte by byte,
 * from buffers that are extended by zeros. Buffers have exactly their size, so that a sanitizer notices reads beyond
 * them.
 */
#include "bytecode/bytecode.h"
#include "tests/random.h"
#include "tests/unit/hal_fixture.h"

#define DECLARATION   0x11
#define WRITTEN_OUT   0x13
#define SHADER        7
#define STREAMS       3
#define MAX_BYTES     400
#define MAX_ELEMENTS  4
#define MAX_CORNERS   2048
#define ROUNDS        4000

#define INDEXED_DATA  0x40000000u
#define INSTANCE_DATA 0x80000000u

/* Handles of the surfaces of the streams. */
static const uint32_t handles[STREAMS] = {FIXTURE_VERTICES, FIXTURE_BUFFER, FIXTURE_TEXTURE};

struct element {
    uint16_t stream, offset;
    uint8_t type, method, usage, index;
};

/* Bytes by D3DDECLTYPE. */
static const uint8_t sizes[] = {4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8};

struct stream {
    uint8_t *memory; /* NULL: not bound */
    uint32_t bytes, stride, offset, frequency;
};

struct draw {
    struct stream stream[STREAMS];
    struct element element[MAX_ELEMENTS];
    unsigned elements, program; /* 0: fixed function; else the major version of a shader */
    bool user_memory, transformed;
    uint32_t type, primitives, start; /* start: vertex, or first index */
    int32_t base;
    uint8_t *indices; /* NULL: none */
    uint32_t index_bytes, index_stride;
};

static uint8_t written[MAX_CORNERS * 16 * MAX_ELEMENTS];
static uint32_t expected[FIXTURE_SIZE * FIXTURE_SIZE];

/* --- random draws ---------------------------------------------------------------------------- */

/* Floats that are mostly in the view. */
static void fill(uint8_t *memory, uint32_t bytes, float range)
{
    for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
        const float v = ((float)random_below(4096) / 2048.0f - 1.0f) * range;

        memcpy(memory + i, &v, 4);
    }
    for (uint32_t i = bytes & ~3u; i < bytes; i++)
        memory[i] = (uint8_t)random_below(256);
}

static void make_stream(struct stream *s, float range)
{
    *s = (struct stream){.stride = random_one_in(12)  ? 0
                                   : random_one_in(3) ? random_below(40)
                                                      : 4 + 4 * random_below(8),
                         .frequency = 1};
    if (random_one_in(12))
        return;
    s->bytes = random_one_in(4) ? random_below(60) : 80 + random_below(MAX_BYTES);
    s->offset = random_one_in(4) ? 4 * random_below(random_one_in(4) ? 150 : 20) : 0;
    s->memory = malloc(s->bytes ? s->bytes : 1);
    assert_non_null(s->memory);
    fill(s->memory, s->bytes, range);
}

static void make_elements(struct draw *d)
{
    static const uint8_t usages[MAX_ELEMENTS][2] = {{0, 0}, {10, 0}, {5, 0}, {10, 1}};

    d->elements = 1 + random_below(MAX_ELEMENTS);
    for (unsigned i = 0; i < d->elements; i++) {
        struct element *e = &d->element[i];

        *e = (struct element){.stream = (uint16_t)(random_one_in(2) ? 0 : random_below(STREAMS)),
                              .offset = (uint16_t)(4 * random_below(random_one_in(6) ? 100 : 8)),
                              .type = (uint8_t)(i == 0             ? 2 + random_below(2)
                                                : random_one_in(2) ? 4
                                                                   : random_below(ARRAY_COUNT(sizes))),
                              .usage = usages[i][0],
                              .index = usages[i][1]};
    }
    if (d->transformed)
        d->element[0] = (struct element){.stream = d->element[0].stream, .offset = 0, .type = 3, .usage = 9};
}

static uint32_t any_index(void)
{
    return random_one_in(20) ? random_below(0x1000000) * 257 : random_below(random_one_in(4) ? 200 : 20);
}

static void make_indices(struct draw *d)
{
    const uint32_t count = random_below(60);

    d->index_stride = random_one_in(2) ? 2 : 4;
    d->index_bytes = count * d->index_stride + (random_one_in(4) ? random_below(4) : 0);
    d->indices = malloc(d->index_bytes ? d->index_bytes : 1);
    assert_non_null(d->indices);
    for (uint32_t i = 0; i < d->index_bytes; i++)
        d->indices[i] = (uint8_t)random_below(256);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = any_index();

        memcpy(d->indices + i * d->index_stride, &index, d->index_stride);
    }
    d->base = random_one_in(3) ? (int32_t)random_below(30) - 15 : 0;
    if (random_one_in(20))
        d->base = (int32_t)(random_below(0x10000) * 0xffff);
}

static void make_frequencies(struct draw *d)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream *s = &d->stream[i];

        if (random_one_in(2))
            s->frequency = (i == 0 ? INDEXED_DATA : random_one_in(4) ? INDEXED_DATA : INSTANCE_DATA) | random_below(5);
        else if (random_one_in(2))
            s->frequency = 1 + random_below(8);
    }
}

static void make_draw(struct draw *d)
{
    memset(d, 0, sizeof(*d));
    d->program = random_one_in(3) ? 0 : 1 + random_below(3);
    d->transformed = !d->program && random_one_in(2);
    d->user_memory = random_one_in(4);
    d->type = 1 + random_below(6);
    d->primitives = 1 + random_below(random_one_in(8) ? 100 : 30);
    d->start = random_one_in(2) ? random_below(12) : 0;
    if (random_one_in(40))
        d->start = 0xffffffffu - random_below(3);
    for (unsigned i = 0; i < STREAMS; i++)
        make_stream(&d->stream[i], d->transformed ? 64.0f : 1.0f);
    make_elements(d);
    if (random_one_in(2))
        make_indices(d);
    if (random_one_in(3))
        make_frequencies(d);
    if (!d->user_memory)
        return;
    d->stream[0].offset = 0;
    for (unsigned i = 1; i < STREAMS; i++) {
        free(d->stream[i].memory);
        d->stream[i].memory = NULL;
    }
}

static void free_draw(struct draw *d)
{
    for (unsigned i = 0; i < STREAMS; i++)
        free(d->stream[i].memory);
    free(d->indices);
}

/* --- the oracle ---------------------------------------------------------------------------- */

static uint32_t corners_of(uint32_t type, uint32_t primitives)
{
    static const uint8_t step[] = {0, 1, 2, 1, 3, 1, 1}, more[] = {0, 0, 0, 1, 0, 2, 2};

    return primitives * step[type] + more[type];
}

static uint8_t byte_at(const uint8_t *memory, uint32_t bytes, int64_t at)
{
    return memory && at >= 0 && at < (int64_t)bytes ? memory[at] : 0;
}

static uint32_t index_at(const struct draw *d, uint32_t n)
{
    uint32_t index = 0;

    for (unsigned b = 0; b < d->index_stride; b++)
        index |= (uint32_t)byte_at(d->indices, d->index_bytes, ((int64_t)d->start + n) * d->index_stride + b) << 8 * b;
    return index;
}

/* "Element = StartVertex / Divider + VertexIndex / Divider"; instance data: an element for `divider` repetitions. Below 0: none. */
static int64_t element_number(const struct draw *d, const struct stream *s, uint32_t n, uint32_t repetition)
{
    const uint32_t divider = s->frequency & 0x3fffffff ? s->frequency & 0x3fffffff : 1;

    if (s->frequency & INSTANCE_DATA)
        return repetition / divider;
    if (d->indices)
        return (int64_t)d->base + index_at(d, n);
    if (s->frequency & INDEXED_DATA || d->program < 3)
        return (int64_t)d->start + n;
    return (int64_t)(d->start / divider) + n / divider;
}

static bool is_read(const struct draw *d, unsigned stream)
{
    for (unsigned i = 0; i < d->elements; i++)
        if (d->element[i].stream == stream)
            return true;
    return false;
}

/* Does corner n begin inside the memory? */
static bool is_within_reach(const struct draw *d, uint32_t n)
{
    bool ends = false;

    if (d->indices)
        return ((int64_t)d->start + n) * d->index_stride < d->index_bytes;
    for (unsigned i = 0; i < STREAMS; i++) {
        const struct stream *s = &d->stream[i];

        if (!is_read(d, i) || !s->memory || !s->stride || s->frequency & INSTANCE_DATA)
            continue;
        ends = true;
        if (s->offset + element_number(d, s, n, 0) * s->stride < s->bytes)
            return true;
    }
    return !ends;
}

static uint32_t primitives_within_reach(const struct draw *d)
{
    uint32_t count = 0;

    while (count < d->primitives && is_within_reach(d, corners_of(d->type, count) - corners_of(d->type, 0)))
        count++;
    return count;
}

static uint32_t repetitions(const struct draw *d)
{
    uint32_t flags = 0;

    for (unsigned i = 0; i < STREAMS; i++)
        flags |= is_read(d, i) ? d->stream[i].frequency : 0;
    if (!d->indices || !(d->stream[0].frequency & INDEXED_DATA) || !(flags & INSTANCE_DATA))
        return 1;
    return d->stream[0].frequency & 0x3fffffff ? d->stream[0].frequency & 0x3fffffff : 1;
}

/* Returns the bytes. */
static size_t write_out(const struct draw *d, uint32_t corners, uint32_t repetition, uint32_t *stride)
{
    uint8_t *to = written;

    for (uint32_t n = 0; n < corners; n++) {
        for (unsigned i = 0; i < d->elements; i++) {
            const struct element *e = &d->element[i];
            const struct stream *s = &d->stream[e->stream];
            const int64_t number = element_number(d, s, n, repetition);

            for (unsigned b = 0; b < sizes[e->type]; b++)
                *to++ = number < 0 && s->stride
                            ? 0
                            : byte_at(s->memory, s->bytes, s->offset + number * s->stride + e->offset + b);
        }
    }
    *stride = 0;
    for (unsigned i = 0; i < d->elements; i++)
        *stride += sizes[d->element[i].type];
    return (size_t)(to - written);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void put_declaration(struct fixture *f, uint32_t handle, const struct element *elements, unsigned count)
{
    uint32_t body[2 + 2 * MAX_ELEMENTS] = {handle, count};

    memcpy(&body[2], elements, count * sizeof(*elements));
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, body, 8 + count * sizeof(*elements));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADERDECL, 1, &handle, sizeof(handle));
}

static void put_stream(struct fixture *f, unsigned i, uint32_t offset, uint32_t stride, uint32_t frequency, bool bound)
{
    const uint32_t source[4] = {i, bound ? handles[i] : 0, offset, stride}, frequencies[2] = {i, frequency};

    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE2, 1, source, sizeof(source));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, frequencies, sizeof(frequencies));
}

static void draw_it(struct fixture *f, const struct draw *d)
{
    const uint32_t um[2] = {0, d->stream[0].stride}, indices[2] = {FIXTURE_INDICES, d->index_stride};
    const uint32_t draw[6] = {d->type, (uint32_t)d->base, 0, 1, d->start, d->primitives};

    for (unsigned i = 0; i < STREAMS; i++) {
        const struct stream *s = &d->stream[i];

        if (s->memory)
            fixture_buffer(f, handles[i], HAL_BUFFER_VERTEX, s->memory, s->bytes);
        put_stream(f, i, s->offset, s->stride, s->frequency, s->memory != NULL);
    }
    if (d->user_memory)
        fixture_put(f, D3DDP2OP_SETSTREAMSOURCEUM, 1, um, sizeof(um));
    f->execute.vertices = d->user_memory ? d->stream[0].memory : NULL;
    f->execute.vertex_bytes = d->user_memory && d->stream[0].memory ? d->stream[0].bytes : 0;
    put_declaration(f, DECLARATION, d->element, d->elements);
    if (d->indices) {
        fixture_buffer(f, FIXTURE_INDICES, HAL_BUFFER_INDEX, d->indices, d->index_bytes);
        fixture_put(f, D3DDP2OP_SETINDICES, 1, indices, sizeof(indices));
        fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    } else {
        fixture_draw(f, d->type, d->start, d->primitives);
    }
    assert_int_equal(fixture_run(f), DD_OK);
    f->execute.vertices = NULL;
    f->execute.vertex_bytes = 0;
}

static void draw_written_out(struct fixture *f, const struct draw *d)
{
    const uint32_t primitives = primitives_within_reach(d), corners = corners_of(d->type, primitives);
    struct element elements[MAX_ELEMENTS];
    uint16_t offset = 0;

    assert_true(corners <= MAX_CORNERS);
    for (unsigned i = 0; i < d->elements; i++) {
        elements[i] = d->element[i];
        elements[i].stream = 0;
        elements[i].offset = offset;
        offset = (uint16_t)(offset + sizes[elements[i].type]);
    }
    put_declaration(f, WRITTEN_OUT, elements, d->elements);
    for (uint32_t n = 0; primitives && n < repetitions(d); n++) {
        uint32_t stride;
        const size_t bytes = write_out(d, corners, n, &stride);

        fixture_buffer(f, handles[0], HAL_BUFFER_VERTEX, written, bytes);
        put_stream(f, 0, 0, stride, 1, true);
        fixture_draw(f, d->type, 0, primitives);
        assert_int_equal(fixture_run(f), DD_OK);
    }
    assert_int_equal(fixture_run(f), DD_OK);
}

/* Sets the states that both draws share. */
static void put_program(struct fixture *f, const struct draw *d)
{
    const uint32_t shader = d->program ? SHADER + d->program : 0;

    fixture_clear(f, 0xff102030);
    for (unsigned i = 0; i < STREAMS; i++)
        put_stream(f, i, 0, 0, 1, false);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADERFUNC, 1, &shader, sizeof(shader));
}

static void create_program(struct fixture *f, unsigned version)
{
    static const char *const text[] = {
        "vs_1_1\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\ndcl_color1 v3\n"
        "mov r0, v0\nmad r0.xy, v2, c0.x, r0\nmov oPos, r0\nmad oD0, v1, c0.y, v3\nmov oPts, c0.z\n",
        "vs_2_0\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\ndcl_color1 v3\n"
        "mov r0, v0\nmad r0.xy, v2, c0.x, r0\nmov oPos, r0\nmad oD0, v1, c0.y, v3\nmov oPts, c0.z\n",
        "vs_3_0\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\ndcl_color1 v3\ndcl_position o0\ndcl_color "
        "o1\ndcl_psize o2\n"
        "mov r0, v0\nmad r0.xy, v2, c0.x, r0\nmov o0, r0\nmad r1, v1, c0.y, v3\nmov o1, r1\nmov o2, c0.z\n"};
    uint32_t body[258] = {SHADER + version};
    const size_t count = shader_assemble(text[version - 1], body + 2, ARRAY_COUNT(body) - 2, NULL);

    assert_true(count > 0);
    body[1] = (uint32_t)(4 * count);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, 1, body, 8 + 4 * count);
}

static void begin(struct fixture *f)
{
    static const float constants[4] = {0.125f, 0.75f, 5.0f, 1.0f};
    uint32_t body[6] = {0, 1};

    memcpy(&body[2], constants, sizeof(constants));
    f->context->state.level = DDI_LEVEL_DX9;
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_LIGHTING, FALSE);
    fixture_state(f, D3DRS_ZENABLE, FALSE);
    fixture_state(f, D3DRS_SPECULARENABLE, TRUE);
    for (unsigned version = 1; version <= 3; version++)
        create_program(f, version);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADERCONST, 1, body, sizeof(body));
    assert_int_equal(fixture_run(f), DD_OK);
}

static void test_any_draw(void **state)
{
    struct fixture *f = *state;
    unsigned visible = 0;

    begin(f);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct draw d;

        random_seed = round * 0x9e3779b9u;
        make_draw(&d);
        put_program(f, &d);
        draw_written_out(f, &d);
        memcpy(expected, f->color, sizeof(expected));
        put_program(f, &d);
        draw_it(f, &d);
        visible += fixture_count(f, 0x102030) < FIXTURE_SIZE * FIXTURE_SIZE;
        if (memcmp(expected, f->color, sizeof(expected)))
            fail_msg("round %u: type %u, %u primitives from %u, base %d, %s, %s, program %u: another picture", round,
                     d.type, d.primitives, d.start, d.base, d.indices ? "indexed" : "in order",
                     d.user_memory ? "user memory" : "buffers", d.program);
        free_draw(&d);
    }
    assert_true(visible > ROUNDS / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {fixture_test(test_any_draw)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
