/* SPDX-License-Identifier: MIT */
/* dp2 play without its window: the effect of keys, the shown pictures, and the places of their pixels. */
#include "inspect_fixture.h"

#include "base/base.h"
#include "tools/play/app.h"

/* --- a capture ----------------------------------------------------------------------------------- */

#define FRAMES 13u

struct opened {
    struct fixture_capture capture;
    struct inspection inspection;
    struct play_app app;
};

/* A capture without its last `cut` bytes. Frames of a clear and two triangles; frame i has the colours i. */
static void open_cut(struct opened *o, size_t cut)
{
    static char text[32768];
    struct capture_error error;
    size_t used;

    used = (size_t)snprintf(text, sizeof(text),
                            "create target t 32x24 X8R8G8B8\ncreate target waste 8x8 X8R8G8B8\ncontext c target=t\n");
    for (unsigned i = 0; i < FRAMES; i++)
        used += (size_t)snprintf(
            text + used, sizeof(text) - used,
            "clear c flags=TARGET color=#ff0000%02x\n"
            "draw c {\n"
            "    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=NONE}\n"
            "    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\n"
            "    SETSTREAMSOURCEUM {stream=0 stride=20}\n"
            "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} {type=TRIANGLELIST start=3 primitives=1}\n"
            "    user_vertices { fvf(XYZRHW|DIFFUSE 1 1 0 1 #ff%02x0000  20 1 0 1 #ff%02x0000  1 20 0 1 #ff%02x0000\n"
            "        9 1 0 1 #ff00%02x00  30 1 0 1 #ff00%02x00  9 20 0 1 #ff00%02x00) }\n"
            "}\n"
            "present t\n",
            i, i, i, i, i, i, i);
    used += (size_t)snprintf(text + used, sizeof(text) - used, "destroy waste\n"); /* as programs end */
    *o = (struct opened){.app.fps = 25};
    fixture_assemble(&o->capture, text, used, NULL);
    o->capture.size -= cut;
    o->inspection.verb = &verb_play;
    o->inspection.path = o->app.path = "folder/game.capture";
    o->inspection.reader = capture_open_memory(o->capture.bytes, o->capture.size, &error);
    assert_non_null(o->inspection.reader);
    o->inspection.session = inspect_open(o->inspection.reader, NULL, &error);
    assert_non_null(o->inspection.session);
    play_view_init(&o->app.view, &o->inspection);
    assert_true(play_app_start(&o->app, 0, PLAY_WHOLE, &error));
}

static void open_app(struct opened *o)
{
    open_cut(o, 0);
}

static void close_app(struct opened *o)
{
    play_view_free(&o->app.view);
    inspect_close(o->inspection.session);
    capture_close(o->inspection.reader);
    fixture_free(&o->capture);
}

static uint32_t pixel_at(const struct opened *o, unsigned x, unsigned y)
{
    const struct player_picture *picture = &o->app.view.picture;

    assert_non_null(picture->pixels);
    assert_int_equal(picture->width, 32);
    assert_int_equal(picture->height, 24);
    return picture->pixels[y * picture->width + x] & 0xffffff;
}

static void press(struct opened *o, const char *keys)
{
    char list[256], *key, *rest = list;

    snprintf(list, sizeof(list), "%s", keys);
    while ((key = strsep(&rest, " ")))
        if (!play_app_key(&o->app, key))
            fail_msg("'%s' means nothing", key);
}

static void check_place(const struct opened *o, uint32_t frame, uint32_t draw)
{
    if (o->app.view.frame != frame || o->app.view.draw != draw)
        fail_msg("at %u.%u, not at %u.%u: %s", o->app.view.frame, o->app.view.draw, frame, draw, o->app.message);
    assert_int_equal(o->app.view.shown_draw, draw);
}

/* The picture at the end of a frame. */
static void check_frame(const struct opened *o, uint32_t frame)
{
    check_place(o, frame, PLAY_WHOLE);
    assert_int_equal(pixel_at(o, 31, 23), frame);
    assert_int_equal(pixel_at(o, 4, 4), frame << 16);
    assert_int_equal(pixel_at(o, 12, 4), frame << 8);
}

/* --- keys ---------------------------------------------------------------------------------------- */

static void test_frames(void **state)
{
    struct opened o;

    (void)state;
    open_app(&o);
    check_frame(&o, 0);
    press(&o, "Right Right");
    check_frame(&o, 2);
    press(&o, "Left");
    check_frame(&o, 1);
    press(&o, "PageDown");
    check_frame(&o, 11);
    press(&o, "PageDown");
    check_frame(&o, FRAMES - 1);
    assert_string_equal(o.app.message, "");
    press(&o, "Right");
    check_frame(&o, FRAMES - 1);
    assert_string_equal(o.app.message, "the capture ends here");
    press(&o, "PageUp PageUp");
    check_frame(&o, 0);
    press(&o, "End");
    check_frame(&o, FRAMES - 1);
    press(&o, "Home");
    check_frame(&o, 0);
    press(&o, "7 Return");
    check_frame(&o, 7);
    close_app(&o);
}

/* A capture without its index knows the number of its frames when it has been read. */
static void test_frames_of_a_cut_capture(void **state)
{
    struct opened o;

    (void)state;
    open_cut(&o, 9);
    assert_false(o.app.view.has_end);
    press(&o, "PageDown PageDown");
    assert_true(o.app.view.has_end);
    check_frame(&o, 10);
    assert_true(o.app.message[0]);
    press(&o, "Home Right");
    check_frame(&o, 1);
    press(&o, "End");
    check_frame(&o, FRAMES - 1);
    assert_int_equal(o.app.view.frames, FRAMES);
    close_app(&o);
    open_cut(&o, 9);
    press(&o, "End");
    check_frame(&o, FRAMES - 1);
    close_app(&o);
}

static void test_draws(void **state)
{
    struct opened o;

    (void)state;
    open_app(&o);
    press(&o, "5 . 1 Return");
    check_place(&o, 5, 1);
    assert_int_equal(pixel_at(&o, 4, 4), 5 << 16);
    assert_int_equal(pixel_at(&o, 12, 4), 5 << 16);
    press(&o, "Down");
    check_place(&o, 5, 2);
    assert_int_equal(pixel_at(&o, 12, 4), 5 << 8);
    press(&o, "Up Up");
    check_place(&o, 5, 0);
    assert_int_equal(pixel_at(&o, 4, 4), 5);
    press(&o, "Up");
    check_frame(&o, 4);
    press(&o, "Up");
    check_place(&o, 4, o.app.view.actions - 1);
    press(&o, "Down");
    check_frame(&o, 4);
    press(&o, "Down");
    check_place(&o, 5, 0);
    press(&o, "9 . 9 9 Return");
    check_place(&o, 5, 0);
    assert_non_null(strstr(o.app.message, "frame 9 has"));
    assert_int_equal(pixel_at(&o, 4, 4), 5);
    press(&o, "0 . 0 Return Up");
    check_place(&o, 0, 0);
    assert_string_equal(o.app.message, "the capture begins here");
    press(&o, "9 9 Return");
    check_place(&o, 0, 0);
    press(&o, ". . Return");
    assert_string_equal(o.app.message, "a place is FRAME or FRAME.DRAW");
    close_app(&o);
}

/* All pictures of all draws, in order and back: those of the frame debugger at that place, and the frame does not
 * change. */
static void test_overlays(void **state)
{
    struct opened o;
    struct inspect_shot shot;
    struct capture_error error;

    (void)state;
    open_app(&o);
    press(&o, "3 . 2 Return");
    for (unsigned i = 1; i <= INSPECT_SHOW_COUNT; i++) {
        const enum inspect_show show = i % INSPECT_SHOW_COUNT;
        const struct player_picture *picture = &o.app.view.picture;

        press(&o, "Tab");
        check_place(&o, 3, 2);
        assert_int_equal(o.app.view.show, show);
        if (!inspect_shoot(o.inspection.session, 2, show, NULL, &shot, &error)) {
            assert_null(picture->pixels);
            assert_string_equal(o.app.view.text, error.text);
            continue;
        }
        assert_int_equal(picture->width, shot.picture.width);
        assert_memory_equal(picture->pixels, shot.picture.pixels, 4 * (size_t)picture->width * picture->height);
        free(shot.picture.pixels);
    }
    press(&o, "Shift+Tab");
    assert_int_equal(o.app.view.show, INSPECT_SHOW_COUNT - 1);
    press(&o, "C 3 Return");
    check_frame(&o, 3);
    close_app(&o);
}

/* Frames come when they are due, and not faster. */
static void test_motion(void **state)
{
    struct opened o;

    (void)state;
    open_app(&o);
    assert_false(play_app_tick(&o.app, 100));
    press(&o, "Space");
    assert_true(play_app_tick(&o.app, 100));
    check_frame(&o, 1);
    assert_false(play_app_tick(&o.app, 100.039));
    assert_true(play_app_tick(&o.app, 100.0401));
    check_frame(&o, 2);
    press(&o, "] ]");
    assert_true(o.app.speed >= 4 && o.app.speed <= 4);
    assert_true(play_app_tick(&o.app, 200));
    assert_false(play_app_tick(&o.app, 200.009));
    assert_true(play_app_tick(&o.app, 200.0101));
    check_frame(&o, 4);
    press(&o, "Space");
    assert_false(play_app_tick(&o.app, 300));
    press(&o, "End Space");
    assert_true(play_app_tick(&o.app, 400));
    check_frame(&o, FRAMES - 1);
    assert_false(o.app.playing);
    press(&o, "L Space");
    assert_true(play_app_tick(&o.app, 500));
    check_frame(&o, 0);
    assert_true(o.app.playing);
    press(&o, "Down");
    assert_false(o.app.playing);
    press(&o, "Q");
    assert_true(o.app.quits);
    close_app(&o);
}

static void test_other_keys(void **state)
{
    struct opened o;

    (void)state;
    open_app(&o);
    assert_false(play_app_key(&o.app, "Shift+X"));
    assert_false(play_app_key(&o.app, "Return"));
    assert_false(play_app_key(&o.app, ""));
    press(&o, "1 2 Escape");
    assert_false(o.app.quits);
    for (unsigned i = 0; i < 100; i++)
        press(&o, "9");
    press(&o, "Return");
    check_frame(&o, 0);
    for (unsigned i = 0; i < 20; i++)
        press(&o, "[ -");
    assert_true(o.app.speed > 0 && o.app.magnification == 1);
    press(&o, "H");
    assert_true(o.app.helps);
    play_app_seek(&o.app, 0.5);
    check_frame(&o, FRAMES / 2);
    play_app_seek(&o.app, 1.0);
    check_frame(&o, FRAMES - 1);
    close_app(&o);
}

static void test_words(void **state)
{
    struct opened o;
    char lines[2][PLAY_TEXT], name[64];

    (void)state;
    open_app(&o);
    press(&o, "3 . 2 Return");
    play_app_point(&o.app, true, 4, 4);
    assert_non_null(play_app_words(&o.app, lines).line[0]);
    assert_int_equal(strncmp(lines[0], "draw 3.2 (13 frames, ", 21), 0);
    assert_non_null(strstr(lines[0], " ms  paused"));
    assert_int_equal(strncmp(lines[1], "4,4 #030000  DRAWPRIMITIVE TRIANGLELIST 1", 41), 0);
    play_view_file_name(&o.app.view, "folder/game.capture", name, sizeof(name));
    assert_string_equal(name, "game-3.2.png");
    press(&o, "Shift+Tab");
    play_view_file_name(&o.app.view, "-", name, sizeof(name));
    assert_string_equal(name, "capture-3.2-coverage.png");
    close_app(&o);
}

/* --- the window ---------------------------------------------------------------------------------- */

/* Each pixel of the picture is at the layout's place, whatever the size of the window, and the strip covers no pixel if
 * the picture fits. */
static void test_layout(void **state)
{
    static uint32_t colors[40 * 30], pixels[1200 * 900];
    const struct player_picture picture = {.width = 40, .height = 30, .pixels = colors};
    static const unsigned sizes[][2] = {{480, 100}, {480, 500}, {1200, 900}, {41, 60},
                                        {20, 50},   {7, 40},    {300, 10},   {1, 1}};
    const struct play_words words = {.line = {"one", "two"}, .share = 0.5};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(colors); i++)
        colors[i] = 0xff000000u | (i + 1) * 12345;
    for (unsigned s = 0; s < ARRAY_COUNT(sizes); s++) {
        const struct play_layout layout = play_layout_in(sizes[s][0], sizes[s][1], &picture);
        unsigned seen = 0;

        assert_true(layout.in == 1 || layout.out == 1);
        play_screen_draw(pixels, &layout, &picture, &words);
        for (unsigned y = 0; y < layout.height; y++)
            for (unsigned x = 0; x < layout.width; x++) {
                unsigned px, py;

                if (!play_layout_pixel(&layout, &picture, (int)x, (int)y, &px, &py))
                    continue;
                seen++;
                assert_int_equal(pixels[y * layout.width + x], colors[py * 40 + px] & 0xffffff);
            }
        if (layout.out == 1 && layout.height > layout.strip + 30 && layout.width >= 40)
            assert_int_equal(seen, 40 * 30 * layout.in * layout.in);
    }
}

static void test_sizes(void **state)
{
    static uint32_t color[1];
    const struct player_picture picture = {.width = 640, .height = 480, .pixels = color}, none = {0};
    unsigned width, height;
    double share;

    (void)state;
    for (unsigned in = 1; in < 4; in++) {
        play_layout_size(&picture, in, &width, &height);
        const struct play_layout layout = play_layout_in(width, height, &picture);

        assert_int_equal(width, 640 * in);
        assert_int_equal(layout.in, in);
        assert_int_equal(layout.out, 1);
        assert_int_equal(height, 480 * in + layout.strip);
        assert_true(play_layout_bar(&layout, (int)width / 4, (int)(height - layout.strip), &share));
        assert_true(share > 0.2 && share < 0.3);
        assert_false(play_layout_bar(&layout, 0, 0, &share));
    }
    play_layout_size(&none, 0, &width, &height);
    assert_true(width > 100 && height > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames), cmocka_unit_test(test_frames_of_a_cut_capture),
        cmocka_unit_test(test_draws),  cmocka_unit_test(test_overlays),
        cmocka_unit_test(test_motion), cmocka_unit_test(test_other_keys),
        cmocka_unit_test(test_words),  cmocka_unit_test(test_layout),
        cmocka_unit_test(test_sizes),
    };

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
