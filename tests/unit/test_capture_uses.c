/* SPDX-License-Identifier: MIT */
/* Which earlier contents of surfaces the events depend on (dp2/capture/uses.h). */
#include "dp2/capture/uses.h"
#include "dp2/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { TARGET = 1, DEPTH, TEXTURE, LEVEL, OTHER, BUFFER, FRONT, COUNT };
enum { UNTOUCHED = -1, NAMED = CAPTURE_USE_NAMED, NEEDED = CAPTURE_USE_NEEDED, OVERWRITTEN = CAPTURE_USE_OVERWRITTEN };

enum { SIDE = 32, D24S8 = 75, D16 = 80, X8R8G8B8 = 22 };

struct fixture {
    struct capture_uses *uses;
    int found[COUNT]; /* by surface */
    uint32_t commands[64];
    size_t words;
};

static void note(void *user, uint32_t id, enum capture_use use)
{
    struct fixture *f = user;

    assert_true(id > 0 && id < COUNT);
    if (f->found[id] <= NAMED)
        f->found[id] = (int)use > f->found[id] ? (int)use : f->found[id];
}

static void follow(struct fixture *f, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_event event = {.type = (uint16_t)type, .size = (uint32_t)size, .data = data};

    assert_true(capture_uses_follow(f->uses, &event));
}

static void make(struct fixture *f, uint32_t id, uint32_t count, uint32_t caps, uint32_t format)
{
    struct {
        struct capture_surfaces head;
        struct capture_part parts[2];
    } event = {.head = {.local = 1, .part_count = count}};

    for (uint32_t i = 0; i < count; i++)
        event.parts[i] = (struct capture_part){.id = id + i,
                                               .handle = 10 * (id + i),
                                               .caps = caps,
                                               .width = SIDE >> i,
                                               .height = SIDE >> i,
                                               .bytes = 256,
                                               .format = {32, 0x200000, format}};
    follow(f, CAPTURE_SURFACES, &event, sizeof(event.head) + count * sizeof(event.parts[0]));
}

/* Contexts draw to TARGET and DEPTH; the frames begin after the test's actions before `begin`. */
static void start(struct fixture *f, uint32_t depth_format)
{
    const struct capture_context context = {.context = 1, .local = 1, .level = 4, .target = TARGET, .depth = DEPTH};

    memset(f, 0, sizeof(*f));
    f->uses = capture_uses_create(note, f);
    assert_non_null(f->uses);
    make(f, TARGET, 1, 0x2000, X8R8G8B8);
    make(f, DEPTH, 1, 0x20000, depth_format);
    make(f, TEXTURE, 2, 0x1000, X8R8G8B8);
    make(f, OTHER, 1, 0x1000, X8R8G8B8);
    make(f, BUFFER, 1, 0x800000, 0);
    make(f, FRONT, 1, 0x200, X8R8G8B8);
    follow(f, CAPTURE_CONTEXT, &context, sizeof(context));
    for (unsigned i = 0; i < COUNT; i++)
        f->found[i] = UNTOUCHED;
}

static void put(struct fixture *f, uint8_t token, const uint32_t *body, size_t words)
{
    f->commands[f->words++] = token | 1u << 16;
    memcpy(f->commands + f->words, body, 4 * words);
    f->words += words;
}
#define PUT(f, token, ...) put(f, token, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void run(struct fixture *f)
{
    struct {
        struct capture_draw head;
        uint32_t commands[64];
    } event = {.head = {.context = 1, .command_bytes = (uint32_t)(4 * f->words)}};

    memcpy(event.commands, f->commands, 4 * f->words);
    follow(f, CAPTURE_DRAW, &event, sizeof(event.head) + 4 * f->words);
    f->words = 0;
}

static void expect(struct fixture *f, const int (*wanted)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (f->found[wanted[i][0]] != wanted[i][1])
            fail_msg("surface %d: %d, not %d", wanted[i][0], f->found[wanted[i][0]], wanted[i][1]);
    capture_uses_destroy(f->uses);
}
#define EXPECT(f, ...) expect(f, (const int[][2]){__VA_ARGS__}, sizeof((const int[][2]){__VA_ARGS__}) / sizeof(int[2]))

static void put_clear(struct fixture *f, uint32_t flags, uint32_t side)
{
    PUT(f, DP2OP_CLEAR, flags, 0, 0x3f800000, 0, 0, 0, side, side);
}

static void put_draw(struct fixture *f)
{
    PUT(f, DP2OP_DRAWPRIMITIVE, 4, 0, 1);
}

/* Textures that are bound before the frames are named. */
static void test_draw_reads_what_is_bound(void **state)
{
    struct fixture f;

    (void)state;
    start(&f, D16);
    PUT(&f, DP2OP_TEXTURESTAGESTATE, 0, 10 * TEXTURE);
    PUT(&f, DP2OP_TEXTURESTAGESTATE, 1, 10 * OTHER);
    run(&f);
    capture_uses_begin(f.uses);
    PUT(&f, DP2OP_TEXTURESTAGESTATE, 1, 0);
    put_draw(&f);
    run(&f);
    EXPECT(&f, {TARGET, NEEDED}, {DEPTH, NEEDED}, {TEXTURE, NEEDED}, {LEVEL, NEEDED}, {OTHER, NAMED},
           {BUFFER, UNTOUCHED});
}

static void test_clears(void **state)
{
    static const struct {
        uint32_t format, flags, side;
        int target, depth;
    } cases[] = {
        {D16, 3, SIDE, OVERWRITTEN, OVERWRITTEN},   {D16, 1, SIDE, OVERWRITTEN, NEEDED},
        {D16, 3, SIDE - 1, NEEDED, NEEDED},         {D24S8, 3, SIDE, OVERWRITTEN, NEEDED}, /* stencil stays */
        {D24S8, 7, SIDE, OVERWRITTEN, OVERWRITTEN}, {D16, 3 | 8, SIDE, NEEDED, NEEDED},    /* cut by the viewport */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture f;

        start(&f, cases[i].format);
        capture_uses_begin(f.uses);
        put_clear(&f, cases[i].flags, cases[i].side);
        put_draw(&f);
        run(&f);
        EXPECT(&f, {TARGET, cases[i].target}, {DEPTH, cases[i].depth});
    }
}

/* A scissor rectangle cuts clears. */
static void test_scissor(void **state)
{
    struct fixture f;

    (void)state;
    start(&f, D16);
    PUT(&f, DP2OP_RENDERSTATE, 174, 1);
    run(&f);
    capture_uses_begin(f.uses);
    put_clear(&f, 3, SIDE);
    run(&f);
    EXPECT(&f, {TARGET, NEEDED}, {DEPTH, NEEDED});
}

/* A block binds when it is executed, not when it is recorded. */
static void test_state_blocks(void **state)
{
    for (int executed = 0; executed < 2; executed++) {
        struct fixture f;

        (void)state;
        start(&f, D16);
        PUT(&f, DP2OP_STATESET, 0, 1, 0);
        PUT(&f, DP2OP_TEXTURESTAGESTATE, 0, 10 * OTHER);
        PUT(&f, DP2OP_STATESET, 1, 1, 0);
        run(&f);
        capture_uses_begin(f.uses);
        if (executed)
            PUT(&f, DP2OP_STATESET, 3, 1, 0);
        put_draw(&f);
        run(&f);
        EXPECT(&f, {TEXTURE, UNTOUCHED}, {OTHER, executed ? NEEDED : NAMED});
    }
}

static void test_copies(void **state)
{
    const struct capture_blt whole = {.destination = FRONT,
                                      .source = TARGET,
                                      .destination_rect = {0, 0, SIDE, SIDE},
                                      .source_rect = {0, 0, SIDE, SIDE}};
    struct capture_blt part = whole;
    struct fixture f;

    (void)state;
    start(&f, D16);
    capture_uses_begin(f.uses);
    follow(&f, CAPTURE_BLT, &whole, sizeof(whole));
    EXPECT(&f, {TARGET, NEEDED}, {FRONT, OVERWRITTEN});
    start(&f, D16);
    capture_uses_begin(f.uses);
    part.destination_rect.right--;
    follow(&f, CAPTURE_BLT, &part, sizeof(part));
    EXPECT(&f, {FRONT, NEEDED});
    start(&f, D16);
    capture_uses_begin(f.uses);
    part = whole;
    part.flags = 0x8000; /* DDBLT_KEYSRC */
    follow(&f, CAPTURE_BLT, &part, sizeof(part));
    EXPECT(&f, {FRONT, NEEDED});
}

/* The decoded level of a feedback map depends on its other levels; encoding into one may change them. */
static void test_feedback_maps(void **state)
{
    const uint32_t format = 'F' | 'M' << 8 | '4' << 16 | (uint32_t)'4' << 24;
    const struct capture_blt decode = {.destination = OTHER,
                                       .source = TEXTURE,
                                       .destination_rect = {0, 0, SIDE, SIDE},
                                       .source_rect = {0, 0, SIDE, SIDE}};
    const struct capture_blt encode = {.destination = TEXTURE + 1,
                                       .source = OTHER,
                                       .destination_rect = {0, 0, SIDE, SIDE},
                                       .source_rect = {0, 0, SIDE, SIDE}};
    struct fixture f;

    (void)state;
    start(&f, D16);
    make(&f, TEXTURE, 2, 0x1000, format);
    capture_uses_begin(f.uses);
    follow(&f, CAPTURE_BLT, &decode, sizeof(decode));
    EXPECT(&f, {TEXTURE, NEEDED}, {TEXTURE + 1, NEEDED}, {OTHER, NEEDED});
    start(&f, D16);
    make(&f, TEXTURE, 2, 0x1000, format);
    capture_uses_begin(f.uses);
    follow(&f, CAPTURE_BLT, &encode, sizeof(encode));
    EXPECT(&f, {TEXTURE, NEEDED}, {TEXTURE + 1, NEEDED}, {OTHER, NEEDED});
}

static void test_memory_and_destruction(void **state)
{
    const struct capture_memory whole = {.id = BUFFER, .row_count = 1, .row_bytes = 256, .slice_count = 1};
    const struct capture_memory part = {.id = OTHER, .row_count = SIDE / 2, .row_bytes = 4 * SIDE, .slice_count = 1};
    const struct capture_destroy gone = {TEXTURE, 0};
    struct fixture f;

    (void)state;
    start(&f, D16);
    capture_uses_begin(f.uses);
    follow(&f, CAPTURE_MEMORY, &whole, sizeof(whole));
    follow(&f, CAPTURE_MEMORY, &part, sizeof(part));
    follow(&f, CAPTURE_DESTROY, &gone, sizeof(gone));
    EXPECT(&f, {BUFFER, OVERWRITTEN}, {OTHER, NEEDED}, {TEXTURE, NAMED});
}

/* A blit or a row of texels changes one level of a lightweight texture, all bytes of its memory change all of them. */
static void test_lightweight_textures(void **state)
{
    struct capture_part part = {.id = TEXTURE,
                                .handle = TEXTURE,
                                .caps = 0x1000,
                                .caps3 = 0x400,
                                .width = SIDE,
                                .height = SIDE,
                                .bytes = 4 * SIDE * SIDE + SIDE * SIDE,
                                .mip_count = 2,
                                .format = {32, 0x40, 21 /* D3DFMT_A8R8G8B8 */}};
    struct {
        struct capture_surfaces head;
        struct capture_part part;
    } event = {{.local = 1, .part_count = 1}, part};
    const struct capture_blt fill = {
        .destination = TEXTURE, .destination_rect = {0, 0, SIDE, SIDE}, .flags = 0x400 /* DDBLT_COLORFILL */};
    struct capture_memory memory = {.id = TEXTURE, .row_count = 1, .row_bytes = part.bytes, .slice_count = 1};
    struct fixture f;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        start(&f, D16);
        follow(&f, CAPTURE_SURFACES, &event, sizeof(event));
        capture_uses_begin(f.uses);
        memory.row_bytes = part.bytes - (i == 1);
        if (i == 2)
            follow(&f, CAPTURE_BLT, &fill, sizeof(fill));
        else
            follow(&f, CAPTURE_MEMORY, &memory, sizeof(memory));
        if (i == 0)
            EXPECT(&f, {TEXTURE, OVERWRITTEN});
        else
            EXPECT(&f, {TEXTURE, NEEDED});
    }
}

/* Nothing is reported before the frames or after them. */
static void test_only_between(void **state)
{
    struct fixture f;

    (void)state;
    start(&f, D16);
    put_draw(&f);
    run(&f);
    EXPECT(&f, {TARGET, UNTOUCHED});
    start(&f, D16);
    capture_uses_begin(f.uses);
    capture_uses_end(f.uses);
    put_draw(&f);
    run(&f);
    EXPECT(&f, {TARGET, NAMED});
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw_reads_what_is_bound),
        cmocka_unit_test(test_clears),
        cmocka_unit_test(test_scissor),
        cmocka_unit_test(test_state_blocks),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_feedback_maps),
        cmocka_unit_test(test_memory_and_destruction),
        cmocka_unit_test(test_lightweight_textures),
        cmocka_unit_test(test_only_between),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
