/* SPDX-License-Identifier: MIT */
/*
 * Recording of memory that the program writes: under locks and without the driver's knowledge, in buffers, textures and
 * the target, discarded, appended to, written under read-only locks. The replay by the dp2 tool must show the same
 * pixels.
 */
#include "tests/unit/recorded_program.h"

static unsigned first_light_frame;

static void select_solid(struct stream *stream, const struct client_chain *buffer)
{
    PUT(stream, DP2OP_SETVERTEXSHADER, FVF_SOLID);
    PUT(stream, DP2OP_TEXTURESTAGESTATE, 0, 0);
    PUT(stream, DP2OP_TEXTURESTAGESTATE, 1 << 16, 1);
    PUT(stream, DP2OP_SETSTREAMSOURCE, 0, client_handle(buffer->parts[0]), sizeof(struct vertex));
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

static void run_program(void)
{
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
}

static void test_same_pixels(void **state)
{
    (void)state;
    check_pictures(12);
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
    (void)state;
    return record_program(run_program);
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
