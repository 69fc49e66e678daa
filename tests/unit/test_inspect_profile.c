/* SPDX-License-Identifier: MIT */
/* The profiler: times add up, counts are those of dp2 draws, and repeated draws leave no trace. */
#include "inspect_fixture.h"

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "inspect/contents.h"
#include "inspect/internal.h"
#include "inspect/profile/profile.h"
#include "inspect/profile/split.h"

#include <math.h>

/* Opens the capture for measurements; closed by fixture_close. */
struct opened {
    struct fixture_capture capture;
    struct capture_reader *reader;
    struct inspect *session;
};

static void open_session(struct opened *opened)
{
    const struct inspect_options options = {.warms = true};
    struct capture_error error;

    opened->reader = capture_open_memory(opened->capture.bytes, opened->capture.size, &error);
    assert_non_null(opened->reader);
    opened->session = inspect_open(opened->reader, &options, &error);
    assert_non_null(opened->session);
}

static void close_session(struct opened *opened)
{
    inspect_close(opened->session);
    capture_close(opened->reader);
    fixture_free(&opened->capture);
}

/* --- side effects ------------------------------------------------------------------------------ */

/* The contents of surfaces after the frame, as it is played. */
static void keep_end(struct inspect *session, struct inspect_contents *contents)
{
    struct capture_error error = {0};

    assert_true(inspect_finish(session, &error));
    inspect_flush(session, true);
    assert_true(inspect_contents_save(contents, inspect_player(session), NULL));
}

static void check_same(struct inspect *session, const struct inspect_contents *contents, const char *path,
                       const char *after)
{
    struct inspect_contents differences;

    inspect_flush(session, true);
    assert_true(inspect_contents_save(&differences, inspect_player(session), contents));
    if (differences.count)
        fail_msg("%s: surface %u of frame %u holds something else after %s", path, (unsigned)differences.list[0].id,
                 (unsigned)inspect_frame(session), after);
    inspect_contents_free(&differences);
}

/* Draws that are repeated with other programs give the same result as without the repetition. */
static void check_split(struct inspect *session, const char *path)
{
    struct inspect_split *splits = calloc(inspect_action_count(session) + 1, sizeof(*splits));
    struct inspect_contents contents;
    struct capture_error error = {0};

    assert_true(inspect_seek(session, inspect_action_count(session), &error));
    inspect_flush(session, true);
    assert_true(inspect_contents_save(&contents, inspect_player(session), NULL));
    assert_true(inspect_split_tiles(session, 2, splits, NULL, NULL, &error));
    check_same(session, &contents, path, "draws that were drawn again");
    for (size_t i = 0; i < inspect_action_count(session); i++) {
        assert_true(splits[i].pixels >= 0 && splits[i].program >= 0 && splits[i].sampling >= 0);
        assert_true(fabs(splits[i].pixels + splits[i].program + splits[i].sampling - 1) < 1e-9);
    }
    inspect_contents_free(&contents);
    free(splits);
}

/* --- rows ---------------------------------------------------------------------------------------- */

static const struct inspect_profile *profile_at_hand;

static bool check_counts(void *user, const struct inspect_draw *draw)
{
    const struct inspect_profile_row *row = &profile_at_hand->rows[draw->place.draw];

    assert_int_equal(row->refused, draw->refused);
    if (draw->action.kind == INSPECT_DRAW) {
        assert_int_equal(row->vertices, draw->counts.processed);
        assert_int_equal(row->pixels, draw->counts.passed);
        assert_int_equal(row->parts, draw->counts.parts);
        assert_int_equal(row->vertex_shader, draw->vertex_shader);
        assert_int_equal(row->pixel_shader, draw->pixel_shader);
    } else {
        assert_string_equal(row->text, draw->text);
    }
    (void)user;
    return true;
}

static void check_times(const struct inspect_profile *profile)
{
    double actions = 0;

    assert_true(profile->frame.least > 0 && profile->frame.least <= profile->frame.median &&
                profile->frame.median <= profile->frame.most);
    for (size_t i = 0; i < profile->count; i++) {
        const struct inspect_profile_row *row = &profile->rows[i];
        double sum = 0;

        assert_true(row->seconds.least <= row->seconds.median && row->seconds.median <= row->seconds.most);
        for (unsigned p = 0; p < INSPECT_PHASE_COUNT; p++) {
            assert_true(row->phase[p] >= 0);
            assert_true(row->phase[p] == 0 || (row->action.kind == INSPECT_DRAW) == (p < INSPECT_PHASE_CLEARS));
            sum += row->phase[p];
        }
        assert_true(fabs(sum - row->seconds.median) < 1e-9);
        actions += row->seconds.median;
    }
    assert_true(fabs(actions - profile->actions) < 1e-9);
}

/* Everything happens in the frame, each draw once. */
static void check_spans(const struct inspect_spans *spans, const struct inspect_profile *profile)
{
    const struct inspect_span *frame = NULL;
    uint64_t parts = 0, draws = 0;

    for (size_t i = 0; i < spans->count; i++)
        if (spans->list[i].kind == INSPECT_SPAN_FRAME) {
            assert_null(frame);
            frame = &spans->list[i];
        }
    assert_non_null(frame);
    for (size_t i = 0; i < spans->count; i++) {
        const struct inspect_span *span = &spans->list[i];

        assert_true(span->lane < spans->lane_count);
        assert_true(frame->begin <= span->begin && span->begin <= span->end && span->end <= frame->end);
        draws += span->kind == INSPECT_SPAN_DRAW;
        if (span->kind == INSPECT_SPAN_DRAW) {
            assert_int_equal(span->lane, 0);
            assert_true(span->number < profile->count);
            assert_int_equal(profile->rows[span->number].action.kind, INSPECT_DRAW);
        }
    }
    for (size_t i = 0; i < profile->count; i++)
        parts += profile->rows[i].parts;
    assert_int_equal(draws, parts);
    assert_int_equal(spans->lost, 0);
}

static double last_share;

static void note_share(void *user, double share)
{
    (void)user;
    assert_true(share >= last_share && share <= 1.0);
    last_share = share;
}

static void check_profile(struct inspect *session, const char *path)
{
    struct inspect_spans spans;
    struct inspect_profile_options options = {.loops = 2, .spans = &spans, .progress = note_share};
    struct inspect_contents contents;
    struct inspect_profile profile;
    struct capture_error error = {0};

    check_split(session, path);
    keep_end(session, &contents);
    inspect_spans_init(&spans);
    last_share = 0;
    assert_true(inspect_profile(session, &options, &profile, &error));
    assert_true(last_share > 0.999);
    assert_int_equal(profile.count, inspect_action_count(session));
    check_times(&profile);
    check_spans(&spans, &profile);
    assert_true(inspect_finish(session, &error));
    check_same(session, &contents, path, "a profile");
    profile_at_hand = &profile;
    assert_true(inspect_draws(session, check_counts, NULL, &error));
    inspect_profile_free(&profile);
    inspect_spans_free(&spans);
    inspect_contents_free(&contents);
}

static void check_text(const char *path)
{
    struct opened opened;
    struct capture_error error = {0};

    fixture_assemble_file(&opened.capture, path);
    open_session(&opened);
    for (uint32_t frame = 0; inspect_load(opened.session, frame, &error); frame++)
        check_profile(opened.session, path);
    assert_string_equal(error.text, "");
    close_session(&opened);
}

static void test_all_texts(void **state)
{
    (void)state;
    fixture_all_texts(check_text);
}

/* --- where the time goes ------------------------------------------------------------------------- */

static const char *const scene =
    "create target t 512x512 X8R8G8B8\n"
    "create texture x 256x256 A8R8G8B8\n"
    "context c target=t level=5\n"
    "memory x { checker(256 256 8 #ffe0d0b0 #ff804030) }\n"
    "draw c {\n"
    "    VIEWPORTINFO {x=0 y=0 width=512 height=512}\n"
    "    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=NONE} {state=ZENABLE value=FALSE}\n"
    "    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=x} {stage=0 state=MINFILTER value=LINEAR}\n"
    "        {stage=0 state=MAGFILTER value=LINEAR}\n"
    "    CREATEPIXELSHADER {handle=1 code=hex(%s)}\n"
    "    SETPIXELSHADER {shader=1}\n"
    "    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE|TEX1}\n"
    "    SETSTREAMSOURCEUM {stream=0 stride=28}\n"
    "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=2}\n"
    "    user_vertices { fvf(XYZRHW|DIFFUSE|TEX1 0 0 0 1 #ffffffff 0 0  512 0 0 1 #ff808080 9 1  0 512 0 1 #ffffffff 1 "
    "9\n"
    "        512 0 0 1 #ff808080 9 1  512 512 0 1 #ffffffff 9 9  0 512 0 1 #ffffffff 1 9) }\n"
    "}\n"
    "present t\n";

static struct inspect_split split_of(const char *program)
{
    struct opened opened;
    struct inspect_split split[2];
    struct capture_error error = {0};
    uint32_t tokens[512];
    struct shader_error reason = {0};
    char text[8192], words[6000] = "";
    const size_t count = shader_assemble(program, tokens, ARRAY_COUNT(tokens), &reason);

    if (!count)
        fail_msg("%s", reason.text);
    for (size_t i = 0; i < count; i++)
        snprintf(words + 9 * i, sizeof(words) - 9 * i, "%08x ", (unsigned)tokens[i]);
    snprintf(text, sizeof(text), scene, words);
    fixture_assemble(&opened.capture, text, strlen(text), NULL);
    open_session(&opened);
    assert_true(inspect_load(opened.session, 0, &error));
    assert_true(inspect_action_count(opened.session) <= 2);
    assert_true(inspect_split_tiles(opened.session, 5, split, NULL, NULL, &error));
    close_session(&opened);
    return split[0];
}

static bool is_mostly_program(const struct inspect_split *split)
{
    return split->program > 0.3 && split->sampling < split->program / 2;
}

static bool is_mostly_sampling(const struct inspect_split *split)
{
    return split->sampling > 0.3 && split->program < split->sampling;
}

static bool is_pixels_alone(const struct inspect_split *split)
{
    return split->pixels >= 1;
}

/* The sanitizers' checks take longer than the checked code: their builds say nothing about where the time goes. */
#ifdef __SANITIZE_ADDRESS__
#define SAYS_TIMES false
#else
#define SAYS_TIMES true
#endif

/* Clocks run on while others use the machine, so it may take more than one attempt. */
static void check_split_of(const char *program, bool (*holds)(const struct inspect_split *split))
{
    struct inspect_split split;

    for (unsigned attempt = 0; attempt < 40; attempt++) {
        split = split_of(program);
        assert_true(split.pixels >= 0 && split.program >= 0 && split.sampling >= 0);
        assert_float_equal(split.pixels + split.program + split.sampling, 1, 1e-6);
        if (!SAYS_TIMES)
            return;
        if (holds(&split))
            return;
    }
    fail_msg("pixels %g, program %g, sampling %g", split.pixels, split.program, split.sampling);
}

/* A long program takes most of its draw's time, texture reads are counted separately, and a program that copies a
 * colour takes no time. */
static void test_split(void **state)
{
    char text[4096] = "ps_2_0\ndcl v0\nmov r0, v0\n";

    (void)state;
    for (unsigned i = 0; i < 50; i++)
        strcat(text, "mad r0, r0, v0, v0\n");
    strcat(text, "mov oC0, r0\n");
    check_split_of(text, is_mostly_program);
    check_split_of(
        "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nadd r1.xy, t0, r0\nmov r1.zw, r0\ntexld r1, r1, s0\n"
        "add r2.xy, t0, r1\nmov r2.zw, r1\ntexld r2, r2, s0\nadd r0, r0, r2\nmov oC0, r0\n",
        is_mostly_sampling);
    check_split_of("ps_2_0\ndcl v0\nmov oC0, v0\n", is_pixels_alone);
}

/* --- which calls and contents count
 * --------------------------------------------------------------------------------- */

static const char counted_objects[] = "create target t 8x8 X8R8G8B8\n"
                                      "create texture x 64x64 A8R8G8B8\n"
                                      "create texture y 64x64 A8R8G8B8\n"
                                      "context c target=t level=5\n";

/* Contents and a call with only states; a clear; contents, states only, contents; two draws, the first followed by
 * states. */
static const char counted_frame[] =
    "memory x { fill(4096 1) }\n"
    "memory y { fill(4096 1) }\n"
    "draw c {\n"
    "    VIEWPORTINFO {x=0 y=0 width=8 height=8}\n"
    "    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\n"
    "    SETSTREAMSOURCEUM {stream=0 stride=20}\n"
    "}\n"
    "clear c flags=TARGET color=#ff000000 depth=1\n"
    "memory x { fill(4096 2) }\n"
    "draw c { RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=NONE} }\n"
    "memory y { fill(4096 2) }\n"
    "draw c {\n"
    "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n"
    "    RENDERSTATE {state=ZENABLE value=FALSE}\n"
    "    user_vertices { fvf(XYZRHW|DIFFUSE 0 0 0 1 #ffffffff 8 0 0 1 #ff808080 0 8 0 1 #ffffffff) }\n"
    "}\n"
    "draw c {\n"
    "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n"
    "    user_vertices { fvf(XYZRHW|DIFFUSE 0 0 0 1 #ffffffff 8 0 0 1 #ff808080 0 8 0 1 #ffffffff) }\n"
    "}\n"
    "present t\n";
#define COUNTED_BYTES (2 * 4096 * 4) /* written between the actions of a frame */

static double written_clock(void *user)
{
    return (double)player_get_stats(inspect_player(((struct opened *)user)->session))->memory_bytes;
}

static double call_clock(void *user)
{
    return (double)player_get_stats(inspect_player(((struct opened *)user)->session))->draws;
}

static void check_counted(struct opened *opened, double (*clock)(void *user), const double actions[3], double frame)
{
    const struct inspect_profile_options options = {.loops = 2, .clock = clock, .user = opened};
    struct inspect_profile profile;
    struct capture_error error = {0};

    assert_true(inspect_profile(opened->session, &options, &profile, &error));
    assert_int_equal(profile.count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_float_equal(profile.rows[i].seconds.least, actions[i], 0);
        assert_float_equal(profile.rows[i].seconds.most, actions[i], 0);
    }
    assert_float_equal(profile.frame.least, frame, 0);
    assert_float_equal(profile.frame.most, frame, 0);
    inspect_profile_free(&profile);
}

/* Measured in bytes written to surfaces, and in calls: anything before the first action does not count, and to each
 * later action belong only calls, including those with only states after the previous action. */
static void test_what_counts(void **state)
{
    static const double written[3] = {0, 0, 0}, calls[3] = {0, 2, 2};
    struct opened opened;
    struct capture_error error = {0};
    char text[4096];

    (void)state;
    snprintf(text, sizeof(text), "%s%s%s", counted_objects, counted_frame, counted_frame);
    fixture_assemble(&opened.capture, text, strlen(text), NULL);
    open_session(&opened);
    for (uint32_t frame = 0; frame < 2; frame++) {
        assert_true(inspect_load(opened.session, frame, &error));
        check_counted(&opened, written_clock, written, COUNTED_BYTES);
        check_counted(&opened, call_clock, calls, 3);
    }
    close_session(&opened);
}

/* --- hostile ------------------------------------------------------------------------------------- */

/* Names of frames that do not exist, and frames without actions. */
static void test_nothing_to_profile(void **state)
{
    const struct inspect_profile_options options = {.loops = 3};
    struct opened opened;
    struct inspect_profile profile;
    struct capture_error error = {0};
    static const char text[] = "create target t 8x8 X8R8G8B8\npresent t\n";

    (void)state;
    fixture_assemble(&opened.capture, text, strlen(text), NULL);
    open_session(&opened);
    assert_false(inspect_load(opened.session, 5, &error));
    assert_true(inspect_load(opened.session, 0, &error));
    assert_true(inspect_profile(opened.session, &options, &profile, &error));
    assert_true(profile.count <= 1);
    inspect_profile_free(&profile);
    close_session(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_texts),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_what_counts),
        cmocka_unit_test(test_nothing_to_profile),
    };

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
