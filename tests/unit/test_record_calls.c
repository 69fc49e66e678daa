/* SPDX-License-Identifier: MIT */
/*
 * Recording of calls: blits and fills, colour keys, planes of chroma, depth in w, windowed presents. The replay by the dp2
 * tool must show the same pixels.
 */
#include "client/palette.h"
#include "tests/unit/recorded_program.h"

#include <xxhash.h>

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

/* The frame shows the indices of a surface in these colours; NULL: as greys. */
static void expect_indices(struct client_surface *part, const PALETTEENTRY *entries)
{
    static uint32_t pixels[SIZE * SIZE];
    struct client_lock lock;

    assert_int_equal(client_lock(part, NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const uint8_t index = lock.bits[i / SIZE * lock.pitch + i % SIZE];

        pixels[i] = entries ? 0xff000000u | (uint32_t)entries[index].peRed << 16 |
                                  (uint32_t)entries[index].peGreen << 8 | entries[index].peBlue
                            : 0xff000000u | index * 0x010101u;
    }
    client_unlock(part);
    assert_true(frames_seen < FRAMES);
    seen[frames_seen++] = XXH3_64bits_withSeed(pixels, sizeof(pixels), (uint64_t)SIZE << 32 | SIZE);
}

/* A screen of 256 colours: frames of which only the palette differs, in whole or in part; a flip; two palettes. */
static void use_palettes(void)
{
    struct client_chain *chain = make((struct client_chain_desc){
        .usage = CLIENT_PRIMARY, .format = D3DFMT_P8, .width = SIZE, .height = SIZE, .back_buffers = 1});
    struct client_surface *front = client_part(chain, 0), *back = client_part(chain, 1);
    struct client_palette *first, *second;
    PALETTEENTRY entries[256], others[256];
    uint32_t seed = 99;

    for (unsigned i = 0; i < 256; i++) {
        entries[i] = (PALETTEENTRY){(BYTE)random_next(&seed), (BYTE)i, (BYTE)~i, 0};
        others[i] = (PALETTEENTRY){(BYTE)i, 7, (BYTE)random_next(&seed), 0};
    }
    fill_part(front, 3, SIZE, SIZE);
    fill_part(back, 4, SIZE, SIZE / 2);
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256, entries, &first), DD_OK);
    assert_int_equal(client_palette_create(client, DDRAWIPAL_256 | DDRAWIPAL_ALLOW256, NULL, &second), DD_OK);
    assert_int_equal(client_set_palette(front, first), DD_OK);
    expect_indices(front, entries);
    assert_int_equal(client_show(front, NULL), DD_OK);
    memcpy(entries + 100, others + 100, 50 * sizeof(*entries));
    assert_int_equal(client_palette_set(first, 100, 50, entries + 100), DD_OK);
    expect_indices(front, entries);
    assert_int_equal(client_show(front, NULL), DD_OK);
    expect_indices(back, entries);
    assert_int_equal(client_flip(front, NULL, 0), DD_OK);
    assert_int_equal(client_palette_set(second, 0, 256, others), DD_OK);
    assert_int_equal(client_set_palette(front, second), DD_OK);
    client_palette_destroy(first);
    expect_indices(front, others);
    assert_int_equal(client_show(front, NULL), DD_OK);
    assert_int_equal(client_set_palette(front, NULL), DD_OK);
    client_palette_destroy(second);
    expect_indices(front, NULL);
    assert_int_equal(client_show(front, NULL), DD_OK);
    client_chain_destroy(chain);
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

static void run_program(void)
{
    use_blits();
    use_w_buffer();
    use_color_keys();
    use_palettes();
    for (unsigned i = 0; i < 2; i++) {
        use_planes(MAKEFOURCC('Y', 'V', '1', '2'), i ? CLIENT_SYSTEM_MEMORY : 0);
        use_planes(MAKEFOURCC('N', 'V', '1', '2'), i ? CLIENT_SYSTEM_MEMORY : 0);
    }
    use_presenting_blit();
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
