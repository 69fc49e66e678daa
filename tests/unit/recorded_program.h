/* SPDX-License-Identifier: MIT */
/*
 * A program at the driver interface that is recorded while it runs (test_record*.c): a chain to draw to, streams, quads,
 * and the hash of each picture that it shows. The dp2 tool must replay the same pictures.
 */
#ifndef HALCYON_TESTS_UNIT_RECORDED_PROGRAM_H
#define HALCYON_TESTS_UNIT_RECORDED_PROGRAM_H

#include "client/client.h"
#include "dp2/tokens.h"
#include "tests/random.h"
#include "tests/unit/picture_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SIZE         64u /* pixels, both ways */
#define FRAMES       64u

#define FVF_SOLID    0x044u /* XYZRHW, DIFFUSE */
#define FVF_TEXTURED 0x104u /* XYZRHW, TEX1 */

struct vertex {
    float x, y, z, rhw;
    union {
        uint32_t color;
        float uv[2];
    };
};

static char capture[] = "/tmp/halcyon-record-XXXXXX";
static char dp2_program[512];

/* The pictures that the program under test sees; one entry per frame. */
static uint64_t seen[FRAMES];
static unsigned frames_seen;

static struct client_driver driver;
static struct client *client;
static struct client_chain *screen, *depth, *commands;
static uintptr_t context;

static struct client_chain *make(struct client_chain_desc desc)
{
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static uint64_t hash_of(struct client_surface *surface)
{
    uint64_t hash = 0;

    assert_true(hash_surface(surface, &hash));
    return hash;
}

struct stream {
    uint32_t storage[4096];
    struct dp2_builder builder;
};

static void begin(struct stream *stream)
{
    dp2_builder_init(&stream->builder, stream->storage, sizeof(stream->storage));
}

static void put(struct stream *stream, uint8_t token, const void *body, size_t size)
{
    assert_non_null(dp2_put(&stream->builder, token, 1, body, size));
}

#define PUT(stream, token, ...) \
    put(stream, token, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}))

static void submit_with(struct stream *stream, const void *vertices, unsigned count, unsigned size)
{
    struct client_draw draw = {.context = context,
                               .commands = client_part(commands, 0),
                               .command_length = (uint32_t)stream->builder.length,
                               .user_vertices = vertices,
                               .vertex_count = count,
                               .vertex_size = size};
    struct client_lock lock;

    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, stream->storage, stream->builder.length);
    client_unlock(draw.commands);
    assert_int_equal(client_draw(client, &draw), DD_OK);
}

static void submit(struct stream *stream)
{
    submit_with(stream, NULL, 0, 0);
}

static void show(void)
{
    /* The surface that will be at the front. */
    assert_true(frames_seen < FRAMES);
    seen[frames_seen++] = hash_of(client_part(screen, 1));
    assert_int_equal(client_flip(client_part(screen, 0), NULL, 0), DD_OK);
}

static void quad(struct vertex *v, float x, float y, float size, const uint32_t colors[4])
{
    for (unsigned i = 0; i < 4; i++) {
        v[i] = (struct vertex){.x = x + (i & 1 ? size : 0), .y = y + (i & 2 ? size : 0), .z = 0.5f, .rhw = 1};
        if (colors) {
            v[i].color = colors[i];
        } else {
            v[i].uv[0] = i & 1 ? 1 : 0;
            v[i].uv[1] = i & 2 ? 1 : 0;
        }
    }
}

static const uint32_t rainbow[4] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff};

/* The texture over the whole target. */
static void draw_textured(const struct client_chain *texture)
{
    struct vertex vertices[4];
    struct stream stream;

    quad(vertices, 0, 0, SIZE, NULL);
    begin(&stream);
    PUT(&stream, DP2OP_SETVERTEXSHADER, FVF_TEXTURED);
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 0, client_handle(texture->parts[0]));
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 1 << 16, 2); /* COLOROP SELECTARG1 */
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 2 << 16, 2); /* COLORARG1 TEXTURE */
    PUT(&stream, DP2OP_SETSTREAMSOURCEUM, 0, sizeof(struct vertex));
    PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
    submit_with(&stream, vertices, 4, sizeof(struct vertex));
}

static void clear(uint32_t color)
{
    assert_int_equal(client_clear(client, context, 1, color, 1, 0, NULL, 0), DD_OK);
}

static void fill_part(struct client_surface *part, uint32_t seed, unsigned row_bytes, unsigned rows)
{
    struct client_lock lock;

    assert_int_equal(client_lock(part, NULL, 0, &lock), DD_OK);
    for (unsigned slice = 0; slice < part->depth; slice++) {
        for (unsigned y = 0; y < rows; y++) {
            uint8_t *row = lock.bits + slice * lock.slice_pitch + y * lock.pitch;
            for (unsigned x = 0; x < row_bytes; x++)
                row[x] = (uint8_t)random_next(&seed);
        }
    }
    client_unlock(part);
}

static void set_up(void)
{
    struct stream stream;

    assert_int_equal(client_driver_init(&driver, HalcyonDriverInit), DD_OK);
    client = client_create(&driver);
    assert_non_null(client);
    screen = make((struct client_chain_desc){.usage = CLIENT_PRIMARY | CLIENT_TARGET,
                                             .format = D3DFMT_X8R8G8B8,
                                             .width = SIZE,
                                             .height = SIZE,
                                             .back_buffers = 1});
    depth =
        make((struct client_chain_desc){.usage = CLIENT_DEPTH, .format = D3DFMT_D16, .width = SIZE, .height = SIZE});
    commands = make((struct client_chain_desc){.usage = CLIENT_COMMAND_BUFFER, .width = 16384});
    assert_int_equal(
        client_context_create(client, client_part(screen, 1), client_part(depth, 0), DDI_LEVEL_DX8, &context), DD_OK);
    begin(&stream);
    PUT(&stream, DP2OP_VIEWPORTINFO, 0, 0, SIZE, SIZE);
    PUT(&stream, DP2OP_ZRANGE, 0, 0x3f800000);
    PUT(&stream, DP2OP_RENDERSTATE, 137, 0); /* LIGHTING */
    PUT(&stream, DP2OP_RENDERSTATE, 22, 1);  /* CULLMODE NONE */
    PUT(&stream, DP2OP_RENDERSTATE, 7, 0);   /* ZENABLE */
    submit(&stream);
}

static void tear_down(void)
{
    client_context_destroy(client, context);
    client_chain_destroy(commands);
    client_chain_destroy(depth);
    client_chain_destroy(screen);
    client_destroy(client);
    client_driver_close(&driver); /* ends the capture */
}

/* Runs the program, a function of the test, with a capture. */
static int record_program(void (*program)(void))
{
    const ssize_t length = readlink("/proc/self/exe", dp2_program, sizeof(dp2_program) - 8);
    char *slash;
    int file = mkstemp(capture);

    if (length < 0 || file < 0)
        return -1;
    close(file);
    remove(capture); /* an existing file would not be replaced */
    dp2_program[length] = 0;
    /* build/FLAVOUR/tests/test_NAME -> build/FLAVOUR/dp2 */
    for (unsigned i = 0; i < 2; i++) {
        slash = strrchr(dp2_program, '/');
        if (!slash)
            return -1;
        *slash = 0;
    }
    strcat(dp2_program, "/dp2");
    setenv("HALCYON_CAPTURE", capture, 1);
    set_up();
    program();
    tear_down();
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    return getenv("KEEP") ? 0 : remove(capture);
}

/* The program has shown at least this many pictures, none of them twice in a row: each way of changing a frame did change
 * it. */
static void check_pictures(unsigned count)
{
    assert_true(frames_seen >= count);
    for (unsigned i = 1; i < frames_seen; i++)
        if (seen[i] == seen[i - 1])
            fail_msg("frame %u", i);
}

/* The replay with these options of `dp2 replay` shows the pictures that the program has shown. */
static void check_replay(const char *options)
{
    char line[1024];
    unsigned frames = 0;
    FILE *pipe;

    snprintf(line, sizeof(line), "HALCYON_LOG_LEVEL=error %s replay %s --hash %s", dp2_program, capture, options);
    pipe = popen(line, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof(line), pipe)) {
        char expected[64];
        snprintf(expected, sizeof(expected), "%u %ux%u %016llx\n", frames, SIZE, SIZE,
                 (unsigned long long)(frames < frames_seen ? seen[frames] : 0));
        assert_string_equal(line, expected);
        frames++;
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(frames, frames_seen);
}

#endif
