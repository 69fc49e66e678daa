/* SPDX-License-Identifier: MIT */
/*
 * Decodes without waiting (the command QUEUE): the map as of the command, in its texture when the scene has been drawn;
 * a lock that may not wait polls. The result is that of DECODE, whatever is drawn, cleared, sampled or destroyed after
 * it and however many threads draw.
 */
#include "tests/random.h"
#include "tests/unit/feedback_stage.h"
#include "tests/unit/rounds.h"

#include <sys/wait.h>
#include <unistd.h>

#define LARGE     512 /* pixels: enough tiles for several threads */

#define DONOTWAIT (DDLOCK_READONLY | DDLOCK_DONOTWAIT)

static int open_large(void **state)
{
    struct shader_scene *s = calloc(1, sizeof(*s));

    if (!stage_open(&s->stage, LARGE, LARGE, D3DFMT_A8R8G8B8, 0) || !stage_set_level(&s->stage, DDI_LEVEL_DX9)) {
        print_error("%s\n", s->stage.failed);
        return -1;
    }
    s->next_handle = 1;
    declare(s, quad_elements, 3);
    use_vs(s, VS_PASS);
    use_ps(s, PS_SAMPLE(0));
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1.0f, 0);
    *state = s;
    return 0;
}

static void record_in(struct shader_scene *s, struct client_chain *map, uint32_t texture)
{
    set_sampler(s, 0, texture, D3DTEXF_POINT, D3DTEXF_NONE);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, map ? handle_of(map) : 0);
}

/* A command about the map of sampler 0 and a texture of bytes; the sampler keeps its texture. */
static void resolve(struct shader_scene *s, char command, struct client_chain *bytes, uint32_t texture)
{
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, handle_of(bytes));
    feedback_command(s, command, '0');
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, texture);
}

static void draw_region(struct shader_scene *s, unsigned x, unsigned y)
{
    const float u = ((float)x + 0.5f) / 4, v = ((float)y + 0.5f) / 4;

    draw_coordinates(s, u, v, u, v);
}

static bool is_waiting(struct client_surface *surface)
{
    struct client_lock lock;
    const HRESULT hr = client_lock(surface, NULL, DONOTWAIT, &lock);

    if (hr == DDERR_WASSTILLDRAWING)
        return true;
    assert_int_equal(hr, DD_OK);
    client_unlock(surface);
    return false;
}

/* --- the decoded map ------------------------------------------------------------------------------------- */

/* Draws after the command are not in the result, and stay in the map. */
static void test_draws_behind(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));

    record_in(s, map, texture);
    draw_region(s, 1, 2);
    resolve(s, 'Q', bytes, texture);
    draw_region(s, 3, 0);
    stage_submit(&s->stage);
    EXPECT_BYTES(client_part(bytes, 0), 0, "....", "....", ".#..", "....");
    EXPECT_USED(s, map, 0, "...#", "....", ".#..", "....");
}

/* Neither are draws after a clear; the clear does not wait either, and does not affect the command's result. */
static void test_clear_behind(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4);
    struct client_chain *first = add_flat(s, D3DFMT_L8, 4, 4, 1), *second = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));

    record_in(s, map, texture);
    draw_region(s, 1, 2);
    resolve(s, 'Q', first, texture);
    feedback_command(s, 'C', '0');
    draw_region(s, 3, 0);
    feedback_command(s, 'C', '0');
    draw_region(s, 0, 1);
    resolve(s, 'Q', second, texture);
    draw_region(s, 2, 3);
    stage_submit(&s->stage);
    EXPECT_BYTES(client_part(first, 0), 0, "....", "....", ".#..", "....");
    EXPECT_BYTES(client_part(second, 0), 0, "....", "#...", "....", "....");
    EXPECT_USED(s, map, 0, "....", "#...", "....", "..#.");
}

/* Encoded regions stay, together with later marks. */
static void test_encoded_values(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, true, 64, 64, 3, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 3));
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(bytes, 0), NULL, 0, &lock), DD_OK);
    for (unsigned i = 0; i < 16; i++)
        lock.bits[i / 4 * lock.pitch + i % 4] = i == 5 ? 2 : 0xff;
    client_unlock(client_part(bytes, 0));
    record_in(s, map, texture);
    resolve(s, 'E', bytes, texture);
    draw_region(s, 3, 0);
    resolve(s, 'Q', bytes, texture);
    draw_region(s, 0, 3);
    stage_submit(&s->stage);
    EXPECT_BYTES(client_part(bytes, 0), 0xff, "...0", ".2..", "....", "....");
    EXPECT_MIN_MIP(s, map, "...0", ".2..", "....", "0...");
}

/* Random commands and draws: every queued decode equals an immediate decode, with any number of threads. */
static void random_commands(struct shader_scene *s, uint32_t seed, bool queued, uint8_t out[24][16])
{
    struct client_chain *map[2] = {add_map(s, seed & 1, 64, 64, 1, 4), add_map(s, false, 64, 64, 1, 4)}, *bytes[24];
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));
    const unsigned kept = s->more_count;
    unsigned which = 0;

    for (unsigned i = 0; i < 24; i++) {
        const struct client_chain_desc desc = {
            .usage = CLIENT_TEXTURE, .format = D3DFMT_L8, .width = 4, .height = 4, .levels = 1};

        assert_int_equal(client_chain_create(s->stage.client, &desc, &bytes[i]), DD_OK);
        client_fill(client_part(bytes[i], 0), NULL, 0x55);
    }
    record_in(s, map[0], texture);
    for (unsigned i = 0; i < 24;) {
        const uint32_t word = random_next(&seed);

        switch (word & 7) {
        case 0:
            feedback_command(s, 'C', '0');
            break;
        case 1:
            record_in(s, map[which ^= 1], texture);
            break;
        case 2:
        case 3:
            resolve(s, queued ? 'Q' : 'D', bytes[i++], texture);
            break;
        default:
            draw_region(s, word >> 12 & 3, word >> 14 & 3);
            break;
        }
    }
    stage_submit(&s->stage);
    check(s);
    for (unsigned i = 0; i < 24; i++) {
        for (unsigned k = 0; k < 16; k++)
            out[i][k] = byte_at(client_part(bytes[i], 0), k % 4, k / 4);
        client_chain_destroy(bytes[i]);
    }
    while (s->more_count > kept - 3)
        client_chain_destroy(s->more[--s->more_count]);
}

static void test_random_commands(void **state)
{
    struct shader_scene *s = *state;

    for (uint32_t seed = 1 + first_round(19); seed < 1 + end_round(19); seed++) {
        uint8_t queued[24][16], direct[24][16];

        random_commands(s, seed * 0x9e3779b9u, true, queued);
        random_commands(s, seed * 0x9e3779b9u, false, direct);
        assert_memory_equal(queued, direct, sizeof(queued));
    }
}

/* --- who waits ----------------------------------------------------------------------------------------------- */

/* The command draws nothing; a lock that may not wait is refused until others have drawn. */
static void test_nobody_waits(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));
    unsigned polls = 0;

    record_in(s, map, texture);
    draw_region(s, 1, 2);
    resolve(s, 'Q', bytes, texture);
    feedback_command(s, 'C', '0');
    stage_submit(&s->stage);
    assert_true(is_waiting(client_part(bytes, 0)));
    while (is_waiting(client_part(bytes, 0)))
        polls++;
    assert_false(is_waiting(client_part(s->stage.target, 0)));
    assert_false(is_waiting(client_part(map, 0)));
    EXPECT_BYTES(client_part(bytes, 0), 0, "....", "....", ".#..", "....");
    print_message("%u polls\n", polls);
}

/* With one thread nothing else draws, so the lock does. */
static void test_poll_with_one_thread(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));

    record_in(s, map, texture);
    draw_region(s, 1, 2);
    resolve(s, 'Q', bytes, texture);
    stage_submit(&s->stage);
    assert_false(is_waiting(client_part(bytes, 0)));
    EXPECT_BYTES(client_part(bytes, 0), 0, "....", "....", ".#..", "....");
}

/* A map with nothing waiting to be recorded is decoded immediately. */
static void test_nothing_to_wait_for(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));

    record_in(s, map, texture);
    draw_region(s, 1, 2);
    stage_finish(&s->stage);
    stage_submit(&s->stage); /* another list */
    draw_coordinates(s, 0, 0, 0, 0);
    record_in(s, NULL, texture);
    stage_finish(&s->stage);
    client_fill(client_part(bytes, 0), NULL, 0x55);
    record_in(s, map, texture);
    resolve(s, 'Q', bytes, texture);
    stage_submit(&s->stage);
    assert_false(is_waiting(client_part(bytes, 0)));
    EXPECT_BYTES(client_part(bytes, 0), 0, "#...", "....", ".#..", "....");
}

/* A draw after the command that samples the texture reads the decoded map. */
static void test_sampled_behind(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));
    uint8_t pixel[4];

    client_fill(client_part(bytes, 0), NULL, 0x55);
    record_in(s, map, texture);
    draw_region(s, 1, 2);
    resolve(s, 'Q', bytes, texture);
    record_in(s, NULL, handle_of(bytes));
    draw_coordinates(s, 0, 0, 1, 1);
    read_surface(s, s->stage.target, LARGE / 4 + 9, LARGE / 2 + 9, pixel, sizeof(pixel));
    assert_int_equal(pixel[0], 0xff);
    read_surface(s, s->stage.target, 9, 9, pixel, sizeof(pixel));
    assert_int_equal(pixel[0], 0);
}

/* --- destruction and refusals ----------------------------------------------------------------------- */

static void test_destroyed(void **state)
{
    for (unsigned which = 0; which < 3; which++) {
        struct shader_scene *s = *state;
        struct client_chain *map, *bytes;
        uint32_t texture;

        texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 3));
        bytes = add_flat(s, D3DFMT_L8, 4, 4, 3);
        map = add_map(s, false, 64, 64, 3, 4);
        record_in(s, map, texture);
        draw_region(s, 1, 2);
        resolve(s, 'Q', bytes, texture);
        feedback_command(s, 'C', '0');
        draw_region(s, 3, 3);
        stage_submit(&s->stage);
        check(s);
        if (which == 0) {
            client_chain_destroy(map);
            s->more_count--;
        } else if (which == 1) {
            client_chain_destroy(bytes);
            s->more[s->more_count - 2] = map;
            s->more_count--;
        } else {
            client_context_destroy(s->stage.client, s->stage.context);
            s->stage.context = 0;
        }
        if (which != 1)
            EXPECT_BYTES(client_part(bytes, 0), 0, "....", "....", ".#..", "....");
        if (which < 2)
            draw_region(s, 0, 0);
    }
}

/* More commands than any program needs: the queue is limited, and the results are the same. */
static void test_many_commands(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 16, 16, 1, 2), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 16, 16, 1));

    record_in(s, map, texture);
    for (unsigned i = 0; i < 3000; i++) {
        if (i % 64 == 0)
            draw_region(s, i / 64 & 3, 1);
        resolve(s, 'Q', bytes, texture);
        feedback_command(s, 'C', '0');
    }
    draw_region(s, 2, 2);
    resolve(s, 'Q', bytes, texture);
    stage_submit(&s->stage);
    check(s);
    EXPECT_BYTES(client_part(bytes, 0), 0, "....", "....", "..#.", "....");
}

/* A texture that holds no bytes, one that is locked, no texture. */
static void test_refused(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *map = add_map(s, false, 64, 64, 1, 4), *bytes = add_flat(s, D3DFMT_L8, 4, 4, 1);
    const uint32_t texture = handle_of(add_flat(s, D3DFMT_A8R8G8B8, 64, 64, 1));
    struct client_lock lock;

    record_in(s, map, texture);
    draw_region(s, 1, 2);
    feedback_command(s, 'Q', '0'); /* the texture itself */
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, 0);
    feedback_command(s, 'Q', '0');
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_submit(&s->stage);
    assert_int_equal(client_lock(client_part(bytes, 0), NULL, 0, &lock), DD_OK);
    resolve(s, 'Q', bytes, texture);
    stage_submit(&s->stage);
    assert_int_equal(lock.bits[2 * lock.pitch + 1], 0xff); /* immediately: nothing else could report when */
    client_unlock(client_part(bytes, 0));
    check(s);
}

#define large(test) cmocka_unit_test_setup_teardown(test, open_large, close_stage)

static int run(const char *threads)
{
    static const struct CMUnitTest tests[] = {
        large(test_draws_behind),    large(test_clear_behind),   large(test_encoded_values),
        large(test_random_commands), large(test_sampled_behind), large(test_nothing_to_wait_for),
        large(test_destroyed),       large(test_many_commands),  large(test_refused),
    };
    static const struct CMUnitTest alone[] = {large(test_poll_with_one_thread)};
    static const struct CMUnitTest several[] = {large(test_nobody_waits)};
    const bool one = !strcmp(threads, "1");

    setenv("HALCYON_THREADS", threads, 1);
    return cmocka_run_group_tests_name("queued decodes of feedback maps", tests, NULL, NULL) +
           (one ? cmocka_run_group_tests_name("one thread", alone, NULL, NULL)
                : cmocka_run_group_tests_name("several threads", several, NULL, NULL));
}

/* The driver reads its settings once, so one thread needs its own process. */
int main(void)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0)
        return run("1") != 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    return run("3") || status;
}
