/* SPDX-License-Identifier: MIT */
/* The session of the frame debugger: names, actions, and positions that hold the same however they were reached. */
#include "inspect_fixture.h"

#include "base/base.h"
#include "hal/context.h"
#include "inspect/contents.h"
#include "inspect/internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- names --------------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    struct inspect_name name;

    (void)state;
    assert_true(inspect_parse_name(&name, "2.17"));
    assert_int_equal(name.place.frame, 2);
    assert_int_equal(name.place.draw, 17);
    assert_false(name.by_offset);
    assert_true(inspect_parse_name(&name, "2:5:0x1c"));
    assert_true(name.by_offset);
    assert_int_equal(name.call, 5);
    assert_int_equal(name.offset, 0x1c);
    static const char *const bad[] = {"",
                                      ".",
                                      "2",
                                      "2.",
                                      ".3",
                                      "2.3.4",
                                      "-1.2",
                                      "2. 3",
                                      "2:3",
                                      "2:3:",
                                      "2:3:x",
                                      "4294967295.0",
                                      "1.99999999999999999999",
                                      "2:3:4:5",
                                      "0x",
                                      "2.1x"};
    for (unsigned i = 0; i < ARRAY_COUNT(bad); i++)
        if (inspect_parse_name(&name, bad[i]))
            fail_msg("'%s' is a name", bad[i]);
}

/* --- positions ----------------------------------------------------------------------------------- */

/* All that surfaces hold, and the states of all contexts. */
static uint64_t digest(struct inspect *session)
{
    struct inspect_contents contents;
    uint64_t hash = 0;

    assert_true(inspect_contents_save(&contents, inspect_player(session), NULL));
    for (size_t i = 0; i < contents.count; i++)
        hash = XXH3_64bits_withSeed(contents.list[i].data, contents.list[i].bytes, hash ^ contents.list[i].id);
    inspect_contents_free(&contents);
    for (const struct player_context *p = inspect_player(session)->contexts; p; p = p->next) {
        const struct hal_context *c = inspect_context(session, p->recorded);

        hash = XXH3_64bits_withSeed(c->render_state, sizeof(c->render_state), hash);
        hash = XXH3_64bits_withSeed(c->stage_state, sizeof(c->stage_state), hash);
        hash = XXH3_64bits_withSeed(c->world, sizeof(c->world), hash);
        hash = XXH3_64bits_withSeed(&c->projection, sizeof(c->projection), hash);
        hash = XXH3_64bits_withSeed(&c->viewport, sizeof(c->viewport), hash);
        hash = XXH3_64bits_withSeed(&c->vertex_shader, sizeof(c->vertex_shader), hash);
        hash = XXH3_64bits_withSeed(&c->pixel_shader, sizeof(c->pixel_shader), hash);
        hash = XXH3_64bits_withSeed(c->pixel_constants.f, c->pixel_constants.float_count * 16, hash);
        hash = XXH3_64bits_withSeed(c->vertex_constants.f, c->vertex_constants.float_count * 16, hash);
    }
    return hash;
}

/* What it holds where nothing but the capture has been played: whole events, as dp2 replay plays them. */
static uint64_t plain_digest_of_frame(struct inspect *session, const struct fixture_capture *capture, uint32_t frame)
{
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(capture->bytes, capture->size, &error);
    struct player *used = session->player;
    struct capture_event event;
    uint64_t hash;

    assert_non_null(reader);
    session->player = player_create(&session->driver);
    while (capture_next(reader, &event, &error) == CAPTURE_OK && event.frame <= frame)
        assert_true(player_play(session->player, &event, &error));
    hash = digest(session);
    player_destroy(session->player);
    session->player = used;
    capture_close(reader);
    return hash;
}

static uint32_t seed = 1;
static size_t below(size_t count)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % count;
}

static double longest_seek; /* seconds */

/* Goes through a frame once, then to positions here and there. */
static unsigned check_frame(struct inspect *session, const char *path)
{
    const size_t count = inspect_action_count(session);
    uint64_t *there = calloc(count + 1, sizeof(*there));
    struct capture_error error = {0};
    unsigned checked = 0;

    assert_non_null(there);
    for (size_t i = 0; i <= count; i++) {
        assert_true(inspect_seek(session, i, &error));
        assert_int_equal(inspect_position(session), i);
        there[i] = digest(session);
    }
    for (unsigned k = 0; k < 6; k++, checked++) {
        const size_t at = below(count + 1);
        const double start = clock_seconds();

        assert_true(inspect_seek(session, at, &error));
        inspect_flush(session, false);
        longest_seek = BASE_MAX(longest_seek, clock_seconds() - start);
        if (digest(session) != there[at])
            fail_msg("%s: frame %u holds something else at %zu of %zu when it is gone to", path,
                     (unsigned)inspect_frame(session), at, count);
    }
    free(there);
    return checked;
}

static struct inspect_options options;

static void check_capture(const struct fixture_capture *capture, const char *path)
{
    struct capture_error error;
    struct capture_reader *reader;
    struct inspect *session;

    reader = capture_open_memory(capture->bytes, capture->size, &error);
    assert_non_null(reader);
    session = inspect_open(reader, &options, &error);
    assert_non_null(session);
    for (uint32_t frame = 0; inspect_load(session, frame, &error); frame++) {
        check_frame(session, path);
        assert_true(inspect_finish(session, &error));
        if (digest(session) != plain_digest_of_frame(session, capture, frame))
            fail_msg("%s: frame %u ends with something else than it does in a replay", path, (unsigned)frame);
    }
    assert_string_equal(error.text, "");
    assert_int_equal(inspect_end(session), CAPTURE_END);
    /* Back to the first frame. */
    assert_true(inspect_load(session, 0, &error));
    check_frame(session, path);
    inspect_close(session);
    capture_close(reader);
}

static void check_text(const char *path)
{
    struct fixture_capture capture;

    fixture_assemble_file(&capture, path);
    check_capture(&capture, path);
    fixture_free(&capture);
}

static void test_positions(void **state)
{
    (void)state;
    options = (struct inspect_options){0};
    fixture_all_texts(check_text);
}

static void test_positions_with_many_checkpoints(void **state)
{
    (void)state;
    options = (struct inspect_options){.spacing = 1e-9};
    fixture_all_texts(check_text);
}

/* Checkpoints that do not fit go, and what is asked for is right all the same. */
static void test_positions_with_little_memory(void **state)
{
    (void)state;
    options = (struct inspect_options){.spacing = 1e-9, .memory = 100000};
    fixture_all_texts(check_text);
}

/* A frame that clears the target and draws the same again: at the checkpoint behind the draw the target is as at the frame's beginning,
 * but not where the draw has been left out. */
static void test_frame_that_repeats(void **state)
{
    static const char frame[] =
        "clear c flags=TARGET color=#ff102030\n"
        "draw c {\n"
        "    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=NONE}\n"
        "    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\n"
        "    SETSTREAMSOURCEUM {stream=0 stride=20}\n"
        "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} {type=TRIANGLELIST start=0 primitives=1}\n"
        "    user_vertices { fvf(XYZRHW|DIFFUSE 1 1 0 1 #ffffffff  30 1 0 1 #ffffffff  1 30 0 1 #ff0000ff) }\n"
        "}\n"
        "present t\n";
    struct fixture_capture capture;
    char text[2048];

    (void)state;
    options = (struct inspect_options){.spacing = 1e-9};
    snprintf(text, sizeof(text), "create target t 32x32 X8R8G8B8\ncontext c target=t\n%s%s", frame, frame);
    fixture_assemble(&capture, text, strlen(text), NULL);
    check_capture(&capture, "a frame that repeats");
    fixture_free(&capture);
}

/* Files that the command line names: captures of programs. */
static void test_files(void **state)
{
    char **paths = *state;

    options = (struct inspect_options){0};
    for (; *paths; paths++) {
        struct fixture_capture capture = {0};

        fixture_read(&capture, *paths);
        longest_seek = 0;
        check_capture(&capture, *paths);
        print_message("%s: %.0f ms to go to a draw at most\n", *paths, 1000 * longest_seek);
        fixture_free(&capture);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_files[] = {cmocka_unit_test_prestate(test_files, argv + 1)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_positions_with_many_checkpoints),
        cmocka_unit_test(test_positions_with_little_memory),
        cmocka_unit_test(test_frame_that_repeats),
    };

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    if (argc > 1)
        return cmocka_run_group_tests(of_files, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
