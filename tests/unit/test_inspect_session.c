/* SPDX-License-Identifier: MIT */
/* The session of the frame debugger: names, actions, and positions whose contents are the same however they were
 * reached. */
#include "inspect_fixture.h"

#include "base/base.h"
#include "hal/context.h"
#include "inspect/contents.h"
#include "inspect/internal.h"
#include "tests/random.h"

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

/* The contents of all surfaces, and the states of all contexts. */
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

        hash = XXH3_64bits_withSeed(c->state.render_state, sizeof(c->state.render_state), hash);
        hash = XXH3_64bits_withSeed(c->state.stage_state, sizeof(c->state.stage_state), hash);
        hash = XXH3_64bits_withSeed(c->state.world, sizeof(c->state.world), hash);
        hash = XXH3_64bits_withSeed(&c->state.projection, sizeof(c->state.projection), hash);
        hash = XXH3_64bits_withSeed(&c->state.viewport, sizeof(c->state.viewport), hash);
        hash = XXH3_64bits_withSeed(&c->state.vertex_shader, sizeof(c->state.vertex_shader), hash);
        hash = XXH3_64bits_withSeed(&c->state.pixel_shader, sizeof(c->state.pixel_shader), hash);
        hash = XXH3_64bits_withSeed(c->state.pixel_constants.f, c->state.pixel_constants.float_count * 16, hash);
        hash = XXH3_64bits_withSeed(c->state.vertex_constants.f, c->state.vertex_constants.float_count * 16, hash);
    }
    return hash;
}

/* The contents after playing only the capture: whole events, as dp2 replay plays them. */
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

static struct inspect_options options;
static double longest_seek; /* seconds */

/* Goes through a frame once, then to various positions. */
static unsigned check_frame(struct inspect *session, const char *path)
{
    const size_t count = inspect_action_count(session);
    uint64_t *there = calloc(count + 1, sizeof(*there));
    struct capture_error error = {0};
    unsigned checked = 0;

    assert_non_null(there);
    for (size_t i = 0; i <= count; i++) {
        assert_true(inspect_seek(session, i, &error));
        assert_int_equal(session->position, i);
        there[i] = digest(session);
    }
    if (options.every && !options.memory && !session->replays_all)
        assert_int_equal(session->checkpoint_count, count);
    for (unsigned k = 0; k < 6; k++, checked++) {
        const size_t at = random_below(count + 1);
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
    /* To the last position, through those between, and back to the first. */
    const uint32_t last = inspect_frames_there(session) - 1;

    for (uint32_t frame = last; frame > 0; frame = frame > 2 ? frame / 2 : 0) {
        assert_true(inspect_load(session, 0, &error));
        assert_true(inspect_load(session, frame, &error));
        assert_true(inspect_finish(session, &error));
        if (digest(session) != plain_digest_of_frame(session, capture, frame))
            fail_msg("%s: frame %u ends with something else after the first one", path, (unsigned)frame);
    }
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

/* All seeks, also forward, use them. */
static void test_positions_with_many_checkpoints(void **state)
{
    (void)state;
    options = (struct inspect_options){.every = 1};
    fixture_all_texts(check_text);
}

/* The beginning of a frame is reached through the previous frame. */
static void test_positions_behind_a_warm_frame(void **state)
{
    (void)state;
    options = (struct inspect_options){.warms = true, .every = 1};
    fixture_all_texts(check_text);
}

/* Checkpoints that do not fit are dropped, and the answers are still right. */
static void test_positions_with_little_memory(void **state)
{
    (void)state;
    options = (struct inspect_options){.every = 1, .memory = 100000};
    fixture_all_texts(check_text);
}

/* A frame that clears the target and draws the same again: at the checkpoint after the draw the target is as at the
 * frame's beginning, but not if the draw has been left out. */
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
    options = (struct inspect_options){.every = 1};
    snprintf(text, sizeof(text), "create target t 32x32 X8R8G8B8\ncontext c target=t\n%s%s", frame, frame);
    fixture_assemble(&capture, text, strlen(text), NULL);
    check_capture(&capture, "a frame that repeats");
    fixture_free(&capture);
}

/* --- cancelled work ---------------------------------------------------------------- */

static unsigned questions_left;

static bool may_go_on(void *user)
{
    (void)user;
    return questions_left && questions_left--;
}

/* Goes to the end of a frame and back into it, until no question is left. */
static bool visit_frame(struct inspect *session, uint32_t frame, struct capture_error *error)
{
    return inspect_load(session, frame, error) && inspect_finish(session, error) &&
           inspect_seek(session, inspect_action_count(session) / 2, error) && inspect_finish(session, error);
}

/* Wherever the work is stopped, the next question gets the same answer as without interruption. */
static void check_interruptions(const char *path)
{
    static const uint32_t order[] = {1, 0, 2, 1, 0};
    struct fixture_capture capture;
    struct capture_error error;
    struct capture_reader *reader;
    struct inspect *session;
    unsigned stopped = 0;

    fixture_assemble_file(&capture, path);
    reader = capture_open_memory(capture.bytes, capture.size, &error);
    assert_non_null(reader);
    session = inspect_open(reader, &options, &error);
    assert_non_null(session);
    for (unsigned i = 0, after = 0; i < ARRAY_COUNT(order) * 12; i++, after += 1 + i % 3) {
        const uint32_t frame = order[i % ARRAY_COUNT(order)];

        questions_left = after;
        if (!visit_frame(session, frame, &error) && error.text[0]) {
            assert_string_equal(error.text, "interrupted");
            stopped++;
        }
        questions_left = UINT32_MAX;
        if (!visit_frame(session, frame, &error)) {
            assert_string_equal(error.text, ""); /* there is no such frame */
            continue;
        }
        if (digest(session) != plain_digest_of_frame(session, &capture, frame))
            fail_msg("%s: frame %u ends with something else when the work before was stopped after %u questions", path,
                     (unsigned)frame, after);
    }
    assert_true(stopped > 0);
    inspect_close(session);
    capture_close(reader);
    fixture_free(&capture);
}

static void test_interruptions(void **state)
{
    (void)state;
    options = (struct inspect_options){.may_go_on = may_go_on};
    fixture_all_texts(check_interruptions);
    options = (struct inspect_options){.may_go_on = may_go_on, .every = 1};
    fixture_all_texts(check_interruptions);
}

/* --- pictures of frames ------------------------------------------------------------------------------- */

static void test_pictures_of_frames(void **state)
{
    static const char text[] = "create target t 4x2 X8R8G8B8\ncontext c target=t\n"
                               "clear c flags=TARGET color=#ff102030\npresent t\n"
                               "clear c flags=TARGET color=#ff405060\npresent t\n"
                               "clear c flags=TARGET color=#ff708090\n";
    static const uint32_t expected[] = {0xff102030, 0xff405060};
    struct fixture_capture capture;
    struct player_picture picture;
    struct capture_error error;
    struct capture_reader *reader;
    struct inspect *session;

    (void)state;
    options = (struct inspect_options){0};
    fixture_assemble(&capture, text, strlen(text), NULL);
    reader = capture_open_memory(capture.bytes, capture.size, &error);
    session = inspect_open(reader, &options, &error);
    assert_non_null(session);
    for (uint32_t frame = 0; frame < 2; frame++) {
        assert_true(inspect_load(session, frame, &error));
        assert_true(inspect_grab_frame(session, &picture, &error));
        assert_int_equal(picture.width, 4);
        assert_int_equal(picture.height, 2);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(picture.pixels[i], expected[frame]);
        free(picture.pixels);
    }
    /* Contents after the last picture are never shown. */
    assert_true(inspect_load(session, 2, &error));
    assert_false(inspect_grab_frame(session, &picture, &error));
    assert_string_equal(error.text, "");
    inspect_close(session);
    capture_close(reader);
    fixture_free(&capture);
}

/* Files named on the command line: captures of programs. */
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
        cmocka_unit_test(test_positions_behind_a_warm_frame),
        cmocka_unit_test(test_positions_with_little_memory),
        cmocka_unit_test(test_frame_that_repeats),
        cmocka_unit_test(test_interruptions),
        cmocka_unit_test(test_pictures_of_frames),
    };

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    if (argc > 1)
        return cmocka_run_group_tests(of_files, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
