/* SPDX-License-Identifier: MIT */
/*
 * Recording at the driver interface, replayed by the dp2 tool: the frames must have the same pixels. Everything that
 * can change a frame happens here at least once: memory written under a lock and without the driver's knowledge,
 * discarded buffers, copies, fills, flips, reused handles.
 */
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
static unsigned frames_seen, first_light_frame;

static struct client_driver driver;
static struct client *client;
static struct client_chain *screen, *depth, *commands;
static uintptr_t context;

/* --- small helpers -------------------------------------------------------------------------- */

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

static void select_solid(struct stream *stream, const struct client_chain *buffer)
{
    PUT(stream, DP2OP_SETVERTEXSHADER, FVF_SOLID);
    PUT(stream, DP2OP_TEXTURESTAGESTATE, 0, 0);
    PUT(stream, DP2OP_TEXTURESTAGESTATE, 1 << 16, 1);
    PUT(stream, DP2OP_SETSTREAMSOURCE, 0, client_handle(buffer->parts[0]), sizeof(struct vertex));
}

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

/* --- the program
 * ---------------------------------------------------------------------------------- */

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

/* A buffer in the caller's memory, written without a lock between the draws. */
static void use_system_memory_buffer(void)
{
    static uint32_t memory[4096];
    uint8_t *place = (uint8_t *)memory;
    struct vertex *vertices = (void *)memory;
    struct client_chain *buffer = make((struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER | CLIENT_SYSTEM_MEMORY,
                                                                  .width = sizeof(memory),
                                                                  .fvf = FVF_SOLID,
                                                                  .memory = &place});
    struct stream stream;

    for (unsigned frame = 0; frame < 3; frame++) {
        clear(0xff202020);
        quad(vertices, 4.0f + 6.0f * (float)frame, 8, 40, rainbow);
        begin(&stream);
        if (frame == 0)
            select_solid(&stream, buffer);
        PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
        submit(&stream);
        show();
    }
    client_chain_destroy(buffer);
}

/* Video memory, discarded and appended to; then indices. */
static void use_video_memory_buffer(void)
{
    static const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
    struct client_chain *buffer = make((struct client_chain_desc){
        .usage = CLIENT_VERTEX_BUFFER | CLIENT_DYNAMIC, .width = 8 * sizeof(struct vertex), .fvf = FVF_SOLID});
    struct client_chain *index =
        make((struct client_chain_desc){.usage = CLIENT_INDEX_BUFFER, .width = sizeof(indices)});
    struct client_lock lock;
    struct stream stream;

    assert_int_equal(client_lock(client_part(index, 0), NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, indices, sizeof(indices));
    client_unlock(client_part(index, 0));
    clear(0xff000040);
    begin(&stream);
    select_solid(&stream, buffer);
    submit(&stream);
    for (unsigned pass = 0; pass < 2; pass++) {
        struct vertex vertices[8];
        quad(vertices, 0, 10.0f * (float)pass, 20, rainbow);
        quad(vertices + 4, 30, 10.0f * (float)pass, 30, rainbow);
        assert_int_equal(client_lock(client_part(buffer, 0), NULL, DDLOCK_DISCARDCONTENTS, &lock), DD_OK);
        memcpy(lock.bits, vertices, 4 * sizeof(struct vertex));
        client_unlock(client_part(buffer, 0));
        begin(&stream);
        PUT(&stream, DP2OP_SETINDICES, client_handle(client_part(index, 0)), 2);
        PUT(&stream, DP2OP_DRAWINDEXEDPRIMITIVE, 4, 0, 0, 4, 0, 2);
        submit(&stream);
        assert_int_equal(client_lock(client_part(buffer, 0), NULL, DDLOCK_NOOVERWRITE, &lock), DD_OK);
        memcpy(lock.bits + 4 * sizeof(struct vertex), vertices + 4, 4 * sizeof(struct vertex));
        client_unlock(client_part(buffer, 0));
        begin(&stream);
        PUT(&stream, DP2OP_DRAWINDEXEDPRIMITIVE, 4, 4, 0, 4, 0, 2);
        submit(&stream);
    }
    show();
    client_chain_destroy(index);
    client_chain_destroy(buffer);
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

/* A managed texture: levels in system memory, copied by TEXBLT; changed; copied again. */
static void use_managed_texture(void)
{
    struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY,
                                     .format = D3DFMT_A8R8G8B8,
                                     .width = 32,
                                     .height = 32,
                                     .levels = 6};
    struct client_chain *source = make(desc), *texture;
    struct stream stream;

    desc.usage = CLIENT_TEXTURE;
    texture = make(desc);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned level = 0; level < 6; level++) {
            struct client_surface *part = client_level(source, 0, level);
            fill_part(part, level + 10 * pass, 4 * part->width, part->height);
        }
        begin(&stream);
        PUT(&stream, DP2OP_TEXBLT, client_handle(client_part(texture, 0)), client_handle(client_part(source, 0)), 0, 0,
            0, 0, 32, 32, 0);
        submit(&stream);
        draw_textured(texture);
        show();
    }
    client_chain_destroy(texture);
    client_chain_destroy(source);
}

/* Writes all levels of a lightweight texture, or the first `count` of them, through its one surface. */
static void fill_light(struct client_surface *part, uint32_t seed, unsigned count)
{
    struct client_lock lock;

    assert_int_equal(client_lock(part, NULL, 0, &lock), DD_OK);
    const size_t end = client_place_of(part, lock.pitch, lock.slice_pitch, count - 1).end;

    for (size_t i = 0; i < end; i++)
        lock.bits[i] = (uint8_t)random_next(&seed);
    client_unlock(part);
}

/* The texture at the size of its second level, so that this level is shown. */
static void draw_second_level(const struct client_chain *texture)
{
    struct vertex vertices[4];
    struct stream stream;

    quad(vertices, 0, 0, (float)client_part((struct client_chain *)texture, 0)->width / 2, NULL);
    begin(&stream);
    PUT(&stream, DP2OP_SETVERTEXSHADER, FVF_TEXTURED);
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 0, client_handle(texture->parts[0]));
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 1 << 16, 2);
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 2 << 16, 2);
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 18 << 16, 2); /* MIPFILTER POINT */
    PUT(&stream, DP2OP_SETSTREAMSOURCEUM, 0, sizeof(struct vertex));
    PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 18 << 16, 1);
    submit_with(&stream, vertices, 4, sizeof(struct vertex));
}

/* Lightweight MIP maps: in system memory written without a call, copied by TEXBLT; in video memory written under a lock,
 * as managed ones are, and by BLT of a level. */
static void use_lightweight_texture(uint32_t format)
{
    struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_LIGHTWEIGHT | CLIENT_SYSTEM_MEMORY,
                                     .format = format,
                                     .width = 32,
                                     .height = 32,
                                     .levels = 6};
    struct client_chain *source = make(desc), *texture;
    struct stream stream;
    uint32_t seed = format;

    desc.usage ^= CLIENT_SYSTEM_MEMORY;
    texture = make(desc);
    for (unsigned pass = 0; pass < 4; pass++) {
        uint8_t *memory = (uint8_t *)client_part(source, 0)->gbl.fpVidMem;
        const struct client_place second =
            client_place_of(client_part(source, 0), (size_t)client_part(source, 0)->gbl.lPitch, 0, 1);

        if (pass == 0)
            fill_light(client_part(source, 0), seed++, 6);
        for (size_t i = second.offset; i < second.end && pass; i++)
            memory[i] = (uint8_t)random_next(&seed);
        if (pass == 3)
            fill_light(client_part(texture, 0), seed++, 3);
        begin(&stream);
        if (pass < 2)
            PUT(&stream, DP2OP_TEXBLT, client_handle(client_part(texture, 0)), client_handle(client_part(source, 0)), 0,
                0, 0, 0, 32, 32, 0);
        if (pass == 2)
            PUT(&stream, DP2OP_BLT, client_handle(client_part(source, 0)), 0, 0, 16, 16, 1,
                client_handle(client_part(texture, 0)), 0, 0, 16, 16, 1, 0);
        submit(&stream);
        clear(0xff004080 + pass);
        draw_second_level(texture);
        show();
        draw_textured(texture);
        show();
    }
    client_chain_destroy(texture);
    client_chain_destroy(source);
}

static void use_texture(uint32_t usage, uint32_t format, unsigned row_bytes, unsigned rows, unsigned slices)
{
    struct client_chain *texture = make((struct client_chain_desc){
        .usage = CLIENT_TEXTURE | usage, .format = format, .width = 16, .height = 16, .depth = slices});
    const RECT some = {4, 4, 8, 8};
    struct client_lock lock;

    fill_part(client_part(texture, 0), format, row_bytes, rows);
    draw_textured(texture);
    show();
    /* A part of it. */
    assert_int_equal(client_lock(client_part(texture, 0), &some, 0, &lock), DD_OK);
    memset(lock.bits, 0x5a, row_bytes / 4);
    client_unlock(client_part(texture, 0));
    draw_textured(texture);
    show();
    client_chain_destroy(texture);
}

static void fill_locked(struct client_lock *lock, unsigned row_bytes, uint8_t value)
{
    for (unsigned y = 0; y < 16; y++)
        memset(lock->bits + y * lock->pitch, value, row_bytes);
}

/* Written under a read-only lock, drawn with while locked, and written again. */
static void break_promises(uint32_t format, unsigned row_bytes)
{
    struct client_chain *texture = make((struct client_chain_desc){
        .usage = CLIENT_TEXTURE | CLIENT_DYNAMIC, .format = format, .width = 16, .height = 16});
    struct client_surface *part = client_part(texture, 0);
    struct client_lock lock;

    fill_part(part, format, row_bytes, 16);
    draw_textured(texture);
    show();
    assert_int_equal(client_lock(part, NULL, DDLOCK_READONLY, &lock), DD_OK);
    fill_locked(&lock, row_bytes, 0x33);
    draw_textured(texture);
    fill_locked(&lock, row_bytes / 2, 0x77);
    show(); /* the draw used none of the second half */
    client_unlock(part);
    draw_textured(texture);
    show();
    assert_int_not_equal(seen[frames_seen - 2], seen[frames_seen - 3]);
    assert_int_not_equal(seen[frames_seen - 1], seen[frames_seen - 2]);
    client_chain_destroy(texture);
}

/* The same with vertices; then through the pointer of a lock that has ended. */
static void break_promises_of_buffers(void)
{
    struct client_chain *buffer = make((struct client_chain_desc){
        .usage = CLIENT_VERTEX_BUFFER | CLIENT_DYNAMIC, .width = 4 * sizeof(struct vertex), .fvf = FVF_SOLID});
    struct client_lock lock;
    struct stream stream;

    assert_int_equal(client_lock(client_part(buffer, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned step = 0; step < 4; step++) {
        struct vertex vertices[4];

        clear(0xff000000);
        quad(vertices, 4.0f * (float)step, 4, 40, rainbow);
        memcpy(lock.bits, vertices, sizeof(vertices));
        if (step == 1)
            client_unlock(client_part(buffer, 0));
        begin(&stream);
        select_solid(&stream, buffer);
        PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
        submit(&stream);
        show();
        assert_true(step == 0 || seen[frames_seen - 1] != seen[frames_seen - 2]);
    }
    client_chain_destroy(buffer);
}

/* The back buffer, drawn to and written alternately while it is locked. */
static void draw_to_locked_target(void)
{
    struct client_surface *target = client_part(screen, 1);
    struct vertex vertices[4];
    struct client_lock lock;
    struct stream stream;

    assert_int_equal(client_fill(target, NULL, 0x00102030), DD_OK);
    assert_int_equal(client_lock(target, NULL, 0, &lock), DD_OK);
    fill_locked(&lock, 4 * SIZE, 0xee);
    quad(vertices, 8, 8, 16, rainbow);
    begin(&stream);
    PUT(&stream, DP2OP_SETVERTEXSHADER, FVF_SOLID);
    PUT(&stream, DP2OP_TEXTURESTAGESTATE, 0, 0);
    PUT(&stream, DP2OP_SETSTREAMSOURCEUM, 0, sizeof(struct vertex));
    PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
    submit_with(&stream, vertices, 4, sizeof(struct vertex));
    for (unsigned y = 12; y < 16; y++)
        memset(lock.bits + y * lock.pitch, 0x99, 4 * SIZE);
    client_unlock(target);
    show();
}

/* Copies and fills with Blt, also from the program's own memory. */
static void use_blits(void)
{
    struct client_chain *picture = make((struct client_chain_desc){
        .usage = CLIENT_SYSTEM_MEMORY | CLIENT_TEXTURE, .format = D3DFMT_X8R8G8B8, .width = 16, .height = 16});
    const RECT to = {8, 8, 24, 24}, from = {0, 0, 16, 16}, fill = {30, 2, 60, 20};

    clear(0xff400040);
    fill_part(client_part(picture, 0), 77, 64, 16);
    assert_int_equal(client_blt(client_part(screen, 1), &to, client_part(picture, 0), &from, 0), DD_OK);
    assert_int_equal(client_fill(client_part(screen, 1), &fill, 0x00ffcc00), DD_OK);
    show();
    /* The back buffer itself, written by the program. */
    assert_int_equal(client_fill(client_part(screen, 1), NULL, 0x00102030), DD_OK);
    fill_part(client_part(screen, 1), 5, 4 * SIZE, SIZE / 2);
    show();
    client_chain_destroy(picture);
}

/* Two rectangles that intersect in w, with another range for each frame; the second one shows where depth is at most
 * 1. */
static void use_w_buffer(void)
{
    struct vertex vertices[8];
    struct stream stream;

    for (unsigned frame = 0; frame < 2; frame++) {
        assert_int_equal(client_clear(client, context, 3, 0xff101010, 0.75f, 0, NULL, 0), DD_OK);
        quad(vertices, 0, 0, 60, rainbow);
        quad(vertices + 4, 2, 2, 60, NULL);
        for (unsigned i = 0; i < 8; i++) {
            vertices[i].rhw = 1 / (i < 4 ? 12.0f : i & 1 ? 4.0f : 30.0f);
            vertices[i].color = i < 4 ? rainbow[i] : 0xff00ffff;
        }
        begin(&stream);
        PUT(&stream, DP2OP_SETVERTEXSHADER, FVF_SOLID);
        PUT(&stream, DP2OP_TEXTURESTAGESTATE, 0, 0);
        PUT(&stream, DP2OP_TEXTURESTAGESTATE, 1 << 16, 3);                      /* COLOROP SELECTARG2 */
        PUT(&stream, DP2OP_TEXTURESTAGESTATE, 3 << 16, 0);                      /* COLORARG2 DIFFUSE */
        PUT(&stream, DP2OP_RENDERSTATE, 7, 2);                                  /* ZENABLE USEW */
        PUT(&stream, DP2OP_WINFO, 0x3f800000, frame ? 0x42000000 : 0x41a00000); /* 1 to 32, to 20 */
        PUT(&stream, DP2OP_SETSTREAMSOURCEUM, 0, sizeof(struct vertex));
        PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
        PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 4, 2);
        PUT(&stream, DP2OP_RENDERSTATE, 7, 0);
        submit_with(&stream, vertices, 8, sizeof(struct vertex));
        show();
    }
}

static void draw_keyed(uintptr_t old_context, const struct client_chain *texture)
{
    const uintptr_t new_context = context;

    context = old_context;
    clear(0xff336699);
    draw_textured(texture);
    context = new_context;
    show();
}

/* Colour keys: of surfaces, of calls, set by SetColorKey and by the runtime in its own structures; in blits, and in a
 * DirectX 7 context. */
static void use_color_keys(void)
{
    struct client_chain *texture =
        make((struct client_chain_desc){.usage = CLIENT_TEXTURE, .format = D3DFMT_R5G6B5, .width = 4, .height = 4});
    struct client_surface *part = client_part(texture, 0);
    const RECT to = {8, 8, 40, 40}, all = {0, 0, 4, 4};
    const uint32_t keys[] = {0xf81f, 0xffff}, background = 0x00224466;
    struct client_lock lock;
    struct stream stream;
    uintptr_t old_context;

    assert_int_equal(client_lock(part, NULL, 0, &lock), DD_OK);
    for (unsigned i = 0; i < 16; i++) {
        const uint16_t texel = (uint16_t)(i % 3 ? keys[i % 3 - 1] : 0x001f + 3 * i);
        memcpy(lock.bits + i / 4 * lock.pitch + i % 4 * 2, &texel, 2);
    }
    client_unlock(part);
    clear(0xff224466);
    assert_int_equal(client_set_color_key(part, DDCKEY_SRCBLT, keys[0]), DD_OK);
    assert_int_equal(client_blt(client_part(screen, 1), &to, part, &all, DDBLT_KEYSRC), DD_OK);
    show();
    clear(0xff224466);
    assert_int_equal(client_blt_keyed(client_part(screen, 1), &to, part, &all, 0, &keys[1], NULL), DD_OK);
    show();
    clear(0xff224466);
    assert_int_equal(client_fill(client_part(screen, 1), &(RECT){0, 0, 20, 64}, 0x00ff8000), DD_OK);
    assert_int_equal(client_blt_keyed(client_part(screen, 1), &to, part, &all, 0, NULL, &background), DD_OK);
    show();
    assert_int_equal(
        client_context_create(client, client_part(screen, 1), client_part(depth, 0), DDI_LEVEL_DX7, &old_context),
        DD_OK);
    begin(&stream);
    PUT(&stream, DP2OP_VIEWPORTINFO, 0, 0, SIZE, SIZE);
    PUT(&stream, DP2OP_RENDERSTATE, 137, 0);
    PUT(&stream, DP2OP_RENDERSTATE, 22, 1);
    PUT(&stream, DP2OP_RENDERSTATE, 7, 0);
    PUT(&stream, DP2OP_RENDERSTATE, 41, 1); /* COLORKEYENABLE */
    const uintptr_t new_context = context;
    context = old_context;
    submit(&stream);
    context = new_context;
    draw_keyed(old_context, texture);
    assert_int_equal(client_set_color_key(part, DDCKEY_SRCBLT, keys[1]), DD_OK);
    draw_keyed(old_context, texture);
    part->lcl.dwFlags &= ~(DWORD)DDRAWISURF_HASCKEYSRCBLT;
    draw_keyed(old_context, texture);
    client_context_destroy(client, old_context);
    client_chain_destroy(texture);
}

/* Rows of memory that are wide enough for two rows of chroma, with a gap between. The second time one byte changes, the
 * last one of the chroma. */
static void use_planes(uint32_t format, uint32_t usage)
{
    enum { WIDTH = 21, HEIGHT = 13, ROWS = HEIGHT + (HEIGHT + 1) / 2 };
    const RECT all = {0, 0, WIDTH, HEIGHT};
    struct client_chain *planes =
        make((struct client_chain_desc){.usage = usage, .format = format, .width = WIDTH, .height = HEIGHT});
    struct client_chain *copy = make((struct client_chain_desc){.format = format, .width = WIDTH, .height = HEIGHT});
    struct client_lock lock;

    for (unsigned time = 0; time < 2; time++) {
        assert_int_equal(client_lock(client_part(planes, 0), NULL, 0, &lock), DD_OK);
        const size_t half = lock.pitch / 2, last = format == MAKEFOURCC('Y', 'V', '1', '2')
                                                       ? lock.pitch * HEIGHT + half * (2 * 7 - 1) + 10
                                                       : lock.pitch * (ROWS - 1) + WIDTH;
        for (size_t i = 0; i < lock.pitch * ROWS && !time; i++)
            lock.bits[i] = (uint8_t)(i * 37 + i / 11 + format);
        lock.bits[last] ^= (uint8_t)(0x80 * time);
        client_unlock(client_part(planes, 0));
        assert_int_equal(client_blt(client_part(copy, 0), &all, client_part(planes, 0), &all, 0), DD_OK);
        clear(0xff008000);
        assert_int_equal(client_blt(client_part(screen, 1), NULL, client_part(copy, 0), &all, 0), DD_OK);
        show();
    }
    client_chain_destroy(copy);
    client_chain_destroy(planes);
}

/* A windowed present: no flip, but the last blit of a frame. */
static void use_presenting_blit(void)
{
    clear(0xff008080);
    seen[frames_seen++] = hash_of(client_part(screen, 1));
    assert_int_equal(client_blt(client_part(screen, 0), NULL, client_part(screen, 1), NULL,
                                DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION),
                     DD_OK);
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

static void run_program(void)
{
    set_up();
    use_system_memory_buffer();
    use_video_memory_buffer();
    use_managed_texture();
    first_light_frame = frames_seen;
    use_lightweight_texture(D3DFMT_A8R8G8B8);
    use_lightweight_texture(D3DFMT_DXT1);
    use_texture(0, D3DFMT_R5G6B5, 32, 16, 1);
    use_texture(0, D3DFMT_DXT1, 32, 4, 1);
    use_texture(CLIENT_VOLUME, D3DFMT_A8R8G8B8, 64, 16, 4);
    break_promises(D3DFMT_A8R8G8B8, 64);
    break_promises(D3DFMT_R5G6B5, 32);
    break_promises_of_buffers();
    draw_to_locked_target();
    use_blits();
    use_w_buffer();
    use_color_keys();
    for (unsigned i = 0; i < 2; i++) {
        use_planes(MAKEFOURCC('Y', 'V', '1', '2'), i ? CLIENT_SYSTEM_MEMORY : 0);
        use_planes(MAKEFOURCC('N', 'V', '1', '2'), i ? CLIENT_SYSTEM_MEMORY : 0);
    }
    use_presenting_blit();
    tear_down();
}

/* --- the tests
 * ---------------------------------------------------------------------------------------- */

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

static void test_same_pixels(void **state)
{
    (void)state;
    assert_true(frames_seen >= 12);
    /* No picture is shown twice: each way of changing a frame did change it. */
    for (unsigned i = 1; i < frames_seen; i++)
        if (seen[i] == seen[i - 1])
            fail_msg("frame %u", i);
    check_replay("");
}

static void test_same_pixels_everywhere(void **state)
{
    (void)state;
    check_replay("--threads 1 --cpu scalar");
    check_replay("--threads 3 --cpu sse2");
}

/* A capture that begins with a frame in the middle of the use of lightweight textures has the contents of all levels. */
static void test_trimmed_frames(void **state)
{
    char line[2048];

    (void)state;
    assert_true(first_light_frame && first_light_frame + 16 < frames_seen);
    for (unsigned frame = first_light_frame; frame < first_light_frame + 16; frame++) {
        char expected[64];
        FILE *pipe;

        snprintf(line, sizeof(line),
                 "export HALCYON_LOG_LEVEL=error; %s trim %s -f %u -o - --no-check 2>/dev/null | %s replay - --hash",
                 dp2_program, capture, frame, dp2_program);
        pipe = popen(line, "r");
        assert_non_null(pipe);
        snprintf(expected, sizeof(expected), "0 %ux%u %016llx\n", SIZE, SIZE, (unsigned long long)seen[frame]);
        assert_non_null(fgets(line, sizeof(line), pipe));
        assert_string_equal(line, expected);
        assert_int_equal(pclose(pipe), 0);
    }
}

static int prepare(void **state)
{
    const ssize_t length = readlink("/proc/self/exe", dp2_program, sizeof(dp2_program) - 8);
    char *slash;
    int file = mkstemp(capture);

    (void)state;
    if (length < 0 || file < 0)
        return -1;
    close(file);
    remove(capture); /* an existing file would not be replaced */
    dp2_program[length] = 0;
    /* build/FLAVOUR/tests/test_record -> build/FLAVOUR/dp2 */
    for (unsigned i = 0; i < 2; i++) {
        slash = strrchr(dp2_program, '/');
        if (!slash)
            return -1;
        *slash = 0;
    }
    strcat(dp2_program, "/dp2");
    setenv("HALCYON_CAPTURE", capture, 1);
    run_program();
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    return getenv("KEEP") ? 0 : remove(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_pixels),
        cmocka_unit_test(test_same_pixels_everywhere),
        cmocka_unit_test(test_trimmed_frames),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
