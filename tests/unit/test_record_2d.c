/* SPDX-License-Identifier: MIT */
/*
 * Recording of what DirectDraw programs do and programs of Direct3D 8 and later do not: memory that is replaced under a surface, flips that are not shown.
 * The
 * replay by the dp2 tool must show the same pixels.
 */
#include "tests/unit/recorded_program.h"

#include "base/base.h"

/* The quad of draw_textured with the texture that is bound. */
static void draw_bound(void)
{
    struct vertex vertices[4];
    struct stream stream;

    quad(vertices, 0, 0, SIZE, NULL);
    begin(&stream);
    PUT(&stream, DP2OP_SETSTREAMSOURCEUM, 0, sizeof(struct vertex));
    PUT(&stream, DP2OP_DRAWPRIMITIVE, 5, 0, 2);
    submit_with(&stream, vertices, 4, sizeof(struct vertex));
}

/* A bound texture in the program's memory, whose memory, size, pitch and format change. */
static void use_other_memory(void)
{
    static uint8_t bits[4][16 * 1024];
    const struct client_memory memories[] = {
        {bits[0], 64, 16, 16, D3DFMT_X8R8G8B8},
        {bits[1], 64, 16, 16, D3DFMT_X8R8G8B8}, /* an address and nothing else */
        {bits[2], 72, 32, 8, D3DFMT_R5G6B5},
        {bits[3], 80, 16, 32, D3DFMT_X8R8G8B8},
    };
    struct client_chain *texture = make((struct client_chain_desc){
        .usage = CLIENT_SYSTEM_MEMORY | CLIENT_TEXTURE, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8});
    const RECT to = {20, 20, 28, 28}, from = {0, 0, 8, 8};
    uint32_t seed = 5;

    for (unsigned i = 0; i < ARRAY_COUNT(memories); i++)
        for (size_t k = 0; k < sizeof(bits[0]); k++)
            bits[i][k] = (uint8_t)random_next(&seed);
    fill_part(client_part(texture, 0), 77, 32, 8);
    clear(0xff400040);
    draw_textured(texture);
    show();
    for (unsigned i = 0; i < ARRAY_COUNT(memories); i++) {
        assert_int_equal(client_surface_rebind(client_part(texture, 0), &memories[i]), DD_OK);
        clear(0xff400040);
        draw_bound();
        assert_int_equal(client_blt(client_part(screen, 1), &to, client_part(texture, 0), &from, 0), DD_OK);
        show();
        memories[i].bits[3] ^= 0x80; /* the program writes there without a call */
        memories[i].bits[1] ^= 0xff;
        clear(0xff400040);
        draw_bound();
        show();
    }
    client_chain_destroy(texture);
}

/* Chains that flip and are not shown: no frame ends. */
static void use_hidden_flips(void)
{
    const uint32_t usages[] = {CLIENT_FLIP, CLIENT_FLIP | CLIENT_TEXTURE};
    const RECT to = {3, 3, 35, 35};

    for (unsigned i = 0; i < ARRAY_COUNT(usages); i++) {
        struct client_chain *chain = make((struct client_chain_desc){
            .usage = usages[i], .format = D3DFMT_X8R8G8B8, .width = 32, .height = 32, .back_buffers = 1});

        fill_part(client_part(chain, 0), 11 + i, 128, 32);
        fill_part(client_part(chain, 1), 22 + i, 128, 32);
        for (unsigned flip = 0; flip < 3; flip++) {
            clear(0xff000040);
            assert_int_equal(client_blt(client_part(screen, 1), &to, client_part(chain, 0), NULL, 0), DD_OK);
            show();
            assert_int_equal(client_flip(client_part(chain, 0), NULL, 0), DD_OK);
        }
        client_chain_destroy(chain);
    }
}

static void run_program(void)
{
    use_other_memory();
    use_hidden_flips();
}

static void test_same_pixels(void **state)
{
    (void)state;
    check_pictures(15);
    check_replay("");
}

static void test_same_pixels_everywhere(void **state)
{
    (void)state;
    check_replay("--threads 1 --cpu scalar");
    check_replay("--threads 3 --cpu sse2");
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
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
