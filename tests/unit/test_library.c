/* SPDX-License-Identifier: MIT */
/*
 * The C interface of libhalcyon (include/halcyon.h): answers, wrong arguments, damaged captures and streams, threads,
 * and allocations that fail. The program is linked with --wrap, so the allocations of its objects come here first.
 */
#include "inspect_fixture.h"

#include <halcyon.h>

#include "base/base.h"
#include "replay/picture.h"
#include "rounds.h"
#include "tests/random.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* --- allocations ---------------------------------------------------------------------------------- */

static atomic_long allocations;
static long fail_at, fail_on; /* 0: none fails; fail_on: all from fail_at on */

static bool allocation_fails(void)
{
    const long number = ++allocations;

    if (!fail_at || (fail_on ? number < fail_at : number != fail_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_posix_memalign(void **place, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_posix_memalign(void **place, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(old, size);
}

int __wrap_posix_memalign(void **place, size_t alignment, size_t size)
{
    return allocation_fails() ? ENOMEM : __real_posix_memalign(place, alignment, size);
}

/* --- the capture ------------------------------------------------------------------------------------ */

#define FRAMES 3
#define WIDTH  32
#define HEIGHT 24

/* Two squares in each of three frames: the near one first, so that the far one fails the depth test in the middle. */
static const char *const head = "create target screen 32x24 X8R8G8B8\n"
                                "create depth z 32x24 D24S8\n"
                                "context c target=screen depth=z\n";
static const char *const frame_text =
    "draw c {\n"
    "VIEWPORTINFO {x=0 y=0 width=32 height=24} ZRANGE {min=0 max=1}\n"
    "CLEAR flags=TARGET|ZBUFFER color=#ff%02x2040 depth=1 {rect=(0 0 32 24)}\n"
    "RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=TRUE}"
    " {state=ZWRITEENABLE value=TRUE} {state=ZFUNC value=LESSEQUAL}\n"
    "SETVERTEXSHADER {shader=XYZRHW|DIFFUSE} SETSTREAMSOURCEUM {stream=0 stride=20}\n"
    "DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2} {type=TRIANGLESTRIP start=4 primitives=2}\n"
    "user_vertices { fvf(XYZRHW|DIFFUSE\n"
    "0 0 0.25 1 #ffff0000  20 0 0.25 1 #ffff0000  0 20 0.25 1 #ffff0000  20 20 0.25 1 #ffff0000\n"
    "8 8 0.5 1 #ff00ff00  30 8 0.5 1 #ff00ff00  8 22 0.5 1 #ff00ff00  30 22 0.5 1 #ff00ff00) } }\n"
    "present screen\n";

static struct fixture_capture sample;
static uint64_t right_hashes[FRAMES];

static void write_sample_text(char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s", head);

    for (unsigned frame = 0; frame < FRAMES; frame++)
        length += (size_t)snprintf(text + length, size - length, frame_text, 0x10 + frame);
    assert_true(length < size);
}

/* The pixels that the text asks for, worked out here; X8R8G8B8 has no alpha. */
static uint32_t right_pixel(unsigned frame, unsigned x, unsigned y)
{
    if (x < 20 && y < 20)
        return 0xffff0000;
    return x >= 8 && x < 30 && y >= 8 && y < 22 ? 0xff00ff00 : 0xff002040 | (0x10 + frame) << 16;
}

static int make_sample(void **state)
{
    static char text[8192];
    static uint32_t pixels[WIDTH * HEIGHT];
    const struct player_picture picture = {WIDTH, HEIGHT, pixels};

    (void)state;
    write_sample_text(text, sizeof(text));
    fixture_assemble(&sample, text, strlen(text), NULL);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            pixels[i] = right_pixel(frame, i % WIDTH, i / WIDTH);
        right_hashes[frame] = picture_hash(&picture);
    }
    return 0;
}

static int free_sample(void **state)
{
    (void)state;
    fixture_free(&sample);
    return 0;
}

static struct halcyon_capture *open_sample(void)
{
    struct halcyon_capture *capture = NULL;

    assert_int_equal(halcyon_capture_open_memory(sample.bytes, sample.size, &capture), HALCYON_OK);
    assert_string_equal(halcyon_message(), "");
    return capture;
}

/* A failure has a message. */
static enum halcyon_result judged(enum halcyon_result result)
{
    assert_true(result >= 0 && result < HALCYON_RESULT_COUNT);
    if ((result == HALCYON_OK) != !halcyon_message()[0])
        fail_msg("result %d, message \"%s\"", (int)result, halcyon_message());
    return result;
}

static void expect(enum halcyon_result wanted, enum halcyon_result result)
{
    if (judged(result) != wanted)
        fail_msg("%s, not %s: %s", halcyon_result_name(result), halcyon_result_name(wanted), halcyon_message());
}

/* --- options, before anything else ------------------------------------------------------------------- */

static void test_options(void **state)
{
    struct halcyon_capture *capture;

    (void)state;
    expect(HALCYON_INVALID, halcyon_set_option("colour", "red"));
    expect(HALCYON_INVALID, halcyon_set_option("threads", "many"));
    expect(HALCYON_INVALID, halcyon_set_option("threads", NULL));
    expect(HALCYON_INVALID, halcyon_set_option(NULL, "1"));
    expect(HALCYON_OK, halcyon_set_option("threads", "2"));
    expect(HALCYON_OK, halcyon_set_option("log_level", getenv("TEST_LOG") ? "warn" : "none"));
    expect(HALCYON_OK, halcyon_set_option("capture", ""));
    expect(HALCYON_OK, halcyon_set_option("work_limit", "30"));
    capture = open_sample();
    expect(HALCYON_INVALID, halcyon_set_option("threads", "1"));
    halcyon_capture_close(capture);
    assert_int_equal(cpu_thread_count(), 2);
    assert_string_equal(halcyon_version(), HALCYON_VERSION);
    assert_int_equal(halcyon_api_version(), HALCYON_API_VERSION);
    assert_string_equal(halcyon_result_name(-1), "unknown result");
    assert_string_equal(halcyon_result_name(HALCYON_RESULT_COUNT), "unknown result");
    for (int i = 0; i < HALCYON_RESULT_COUNT; i++)
        assert_non_null(halcyon_result_name(i));
    assert_string_equal(halcyon_verdict_name(HALCYON_DEPTH_FAILED), "depth-failed");
    assert_string_equal(halcyon_verdict_name(HALCYON_VERDICT_COUNT), "unknown");
    assert_string_equal(halcyon_verdict_text(-1), "unknown");
}

/* --- pictures ------------------------------------------------------------------------------------------ */

static void check_frame(struct halcyon_capture *capture, unsigned frame)
{
    struct halcyon_picture picture;
    uint64_t hash;

    expect(HALCYON_OK, halcyon_capture_picture(capture, frame, &picture));
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    assert_int_equal(picture.hash, right_hashes[frame]);
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            const uint8_t *pixel = picture.pixels + (size_t)y * picture.stride + 4 * x;
            const uint32_t wanted = right_pixel(frame, x, y);

            if ((pixel[0] | pixel[1] << 8 | pixel[2] << 16 | (uint32_t)pixel[3] << 24) != wanted)
                fail_msg("frame %u, pixel %u,%u: %02x%02x%02x", frame, x, y, pixel[2], pixel[1], pixel[0]);
        }
    }
    expect(HALCYON_OK, halcyon_capture_hash(capture, frame, &hash));
    assert_int_equal(hash, right_hashes[frame]);
}

static void test_frames(void **state)
{
    static const unsigned order[] = {0, 1, 2, 1, 0, 0, 2, 2};
    struct halcyon_capture *capture = open_sample();
    uint64_t hash = 5;

    (void)state;
    assert_int_equal(halcyon_capture_frames(capture), FRAMES);
    for (unsigned i = 0; i < ARRAY_COUNT(order); i++)
        check_frame(capture, order[i]);
    expect(HALCYON_NO_FRAME, halcyon_capture_hash(capture, FRAMES, &hash));
    expect(HALCYON_NO_FRAME, halcyon_capture_replay(capture, UINT32_MAX));
    assert_int_equal(hash, 5);
    expect(HALCYON_OK, halcyon_capture_replay(capture, 1));
    check_frame(capture, 1);
    assert_int_equal(halcyon_capture_refused(capture), 0);
    halcyon_capture_close(capture);
}

static void test_arguments(void **state)
{
    struct halcyon_capture *capture = open_sample();
    struct halcyon_device *device = NULL;
    struct halcyon_history *history;
    struct halcyon_picture picture;
    uint64_t hash;
    uint32_t surface;

    (void)state;
    expect(HALCYON_INVALID, halcyon_capture_open(NULL, &capture));
    expect(HALCYON_INVALID, halcyon_capture_open("x", NULL));
    expect(HALCYON_INVALID, halcyon_capture_open_memory(NULL, 1, &capture));
    expect(HALCYON_UNREADABLE, halcyon_capture_open("/nowhere/x.capture", &capture));
    expect(HALCYON_UNREADABLE, halcyon_capture_open("-", &capture));
    expect(HALCYON_DAMAGED, halcyon_capture_open_memory("", 0, &capture));
    expect(HALCYON_INVALID, halcyon_capture_replay(NULL, 0));
    expect(HALCYON_INVALID, halcyon_capture_picture(NULL, 0, &picture));
    expect(HALCYON_INVALID, halcyon_capture_picture(capture, 0, NULL));
    expect(HALCYON_INVALID, halcyon_capture_hash(NULL, 0, &hash));
    expect(HALCYON_INVALID, halcyon_capture_hash(capture, 0, NULL));
    expect(HALCYON_INVALID, halcyon_capture_pixel(NULL, 0, 0, 0, &history));
    expect(HALCYON_INVALID, halcyon_capture_pixel(capture, 0, 0, 0, NULL));
    expect(HALCYON_INVALID, halcyon_capture_pixel(capture, 0, WIDTH, 0, &history));
    expect(HALCYON_NO_FRAME, halcyon_capture_pixel(capture, 9, 0, 0, &history));
    expect(HALCYON_INVALID, halcyon_device_create(0, 8, &device));
    expect(HALCYON_INVALID, halcyon_device_create(8, 8193, &device));
    expect(HALCYON_INVALID, halcyon_device_create(8, 8, NULL));
    expect(HALCYON_INVALID, halcyon_device_execute(NULL, &(struct halcyon_stream){0}, NULL));
    expect(HALCYON_INVALID, halcyon_device_text(NULL, "", 0));
    expect(HALCYON_INVALID, halcyon_device_picture(NULL, 0, &picture));
    expect(HALCYON_INVALID, halcyon_device_create_texture(NULL, 8, 8, 21, 1, &surface));
    expect(HALCYON_INVALID, halcyon_device_create_buffer(NULL, HALCYON_VERTICES, 8, &surface));
    expect(HALCYON_INVALID, halcyon_device_write_buffer(NULL, 1, 0, "", 1));
    expect(HALCYON_INVALID, halcyon_device_write_texture(NULL, 1, 0, "", 1));
    halcyon_capture_close(NULL);
    halcyon_device_destroy(NULL);
    halcyon_history_free(NULL);
    assert_int_equal(halcyon_capture_frames(NULL), 0);
    assert_int_equal(halcyon_capture_refused(NULL), 0);
    halcyon_capture_close(capture);
}

/* --- the history of a pixel ------------------------------------------------------------------------------ */

/* The pixel (10, 10): cleared, written by the first square, and behind it for the second. */
static void check_history(struct halcyon_capture *capture, unsigned frame)
{
    struct halcyon_history *history = NULL;
    const struct halcyon_step *step;

    expect(HALCYON_OK, halcyon_capture_pixel(capture, frame, 10, 10, &history));
    assert_int_equal(history->step_size, sizeof(*step));
    assert_int_equal(history->count, 3);
    assert_int_equal(history->omitted, 0);
    step = &history->steps[0];
    assert_int_equal(step->kind, HALCYON_CLEAR);
    assert_false(step->flags & HALCYON_STEP_HAS_PRIMITIVE);
    assert_true(step->flags & HALCYON_STEP_HAS_COLOR);
    assert_float_equal(step->after[0], (float)(0x10 + frame) / 255.0f, 1e-6f);
    step = &history->steps[1];
    assert_int_equal(step->kind, HALCYON_DRAW);
    assert_int_equal(step->verdict, HALCYON_WRITTEN);
    assert_true(step->flags & HALCYON_STEP_CHANGED && step->flags & HALCYON_STEP_HAS_FRAGMENT);
    assert_float_equal(step->after[0], 1.0f, 0.0f);
    assert_float_equal(step->depth, 0.25f, 1e-5f);
    assert_float_equal(step->depth_before, 1.0f, 1e-5f);
    step = &history->steps[2];
    assert_int_equal(step->verdict, HALCYON_DEPTH_FAILED);
    assert_false(step->flags & HALCYON_STEP_CHANGED);
    assert_float_equal(step->output[1], 1.0f, 0.0f);
    assert_int_equal(step->output_mask, 15);
    assert_true(step->action > history->steps[1].action);
    assert_non_null(strstr(step->text, halcyon_verdict_text(HALCYON_DEPTH_FAILED)));
    halcyon_history_free(history);
}

/* Questions and pictures in turns, about two captures: only one of them has the session at a time. */
static void test_history(void **state)
{
    struct halcyon_capture *captures[] = {open_sample(), open_sample()};

    (void)state;
    check_frame(captures[0], 2);
    for (unsigned i = 0; i < 6; i++) {
        check_history(captures[i & 1], i % FRAMES);
        check_frame(captures[i & 1], (i + 1) % FRAMES);
        check_frame(captures[~i & 1], (i + 2) % FRAMES);
    }
    halcyon_capture_close(captures[1]);
    check_frame(captures[0], 0);
    halcyon_capture_close(captures[0]);
}

/* --- devices ----------------------------------------------------------------------------------------------- */

static struct halcyon_device *make_device(void)
{
    struct halcyon_device *device = NULL;

    expect(HALCYON_OK, halcyon_device_create(WIDTH, HEIGHT, &device));
    return device;
}

static void run_text(struct halcyon_device *device, enum halcyon_result wanted, const char *text)
{
    expect(wanted, halcyon_device_text(device, text, strlen(text)));
}

static uint64_t device_hash(struct halcyon_device *device)
{
    struct halcyon_picture picture;

    expect(HALCYON_OK, halcyon_device_picture(device, 0, &picture));
    assert_int_equal(picture.width, WIDTH);
    return picture.hash;
}

/* The frame of the capture, drawn by a device as text. */
static void draw_sample(struct halcyon_device *device, unsigned frame)
{
    char text[2048], *at;

    snprintf(text, sizeof(text), frame_text, 0x10 + frame);
    while ((at = strstr(text, "draw c {")))
        memcpy(at, "draw 1 {", 8);
    run_text(device, HALCYON_OK, text);
}

static void test_texts(void **state)
{
    struct halcyon_device *device = make_device();

    (void)state;
    draw_sample(device, 1);
    assert_int_equal(device_hash(device), right_hashes[1]);
    run_text(device, HALCYON_OK, "create texture leaf 4x4 A8R8G8B8\nmemory leaf { fill(16 #ff123456) }");
    run_text(device, HALCYON_OK, "memory leaf { fill(16 #ff654321) }"); /* the name is still known */
    run_text(device, HALCYON_BAD_TEXT, "draw device {\n  CLER\n}");
    assert_memory_equal(halcyon_message(), "2:3:", 4);
    run_text(device, HALCYON_BAD_TEXT, "memory leaf { file(\"test_library.c\") }");
    run_text(device, HALCYON_BAD_TEXT, "create texture leaf 4x4 A8R8G8B8");
    run_text(device, HALCYON_OK, "");
    draw_sample(device, 2);
    assert_int_equal(device_hash(device), right_hashes[2]);
    halcyon_device_destroy(device);
}

/* Commands by bytes: CLEAR is token 42, an entry each for flags, colour, depth, stencil and rectangle. */
static void test_streams(void **state)
{
    struct halcyon_device *device = make_device();
    const struct {
        uint8_t token, reserved;
        uint16_t count;
        uint32_t flags, color;
        float depth;
        uint32_t stencil;
        int32_t rect[4];
    } clear = {42, 0, 1, 1, 0xff336699, 1.0f, 0, {0, 0, WIDTH, HEIGHT}};
    uint8_t commands[2 * sizeof(clear)] = {0};
    struct halcyon_stream stream = {.commands = commands, .command_bytes = sizeof(clear)};
    struct halcyon_picture picture;
    uint32_t offset = 12345;

    (void)state;
    memcpy(commands, &clear, sizeof(clear));
    expect(HALCYON_OK, halcyon_device_execute(device, &stream, &offset));
    assert_int_equal(offset, 12345);
    expect(HALCYON_OK, halcyon_device_picture(device, 0, &picture));
    assert_memory_equal(picture.pixels, "\x99\x66\x33\xff", 4);
    commands[sizeof(clear)] = 0xff; /* not a token */
    stream.command_bytes = 2 * sizeof(clear);
    expect(HALCYON_REFUSED, halcyon_device_execute(device, &stream, &offset));
    assert_int_equal(offset, sizeof(clear));
    expect(HALCYON_REFUSED, halcyon_device_execute(device, &stream, NULL));
    stream.command_bytes = sizeof(clear) - 1; /* cut */
    expect(HALCYON_REFUSED, halcyon_device_execute(device, &stream, &offset));
    stream.vertices = commands;
    stream.vertex_bytes = 30;
    expect(HALCYON_INVALID, halcyon_device_execute(device, &stream, &offset));
    stream.vertex_size = 20;
    expect(HALCYON_INVALID, halcyon_device_execute(device, &stream, &offset));
    halcyon_device_destroy(device);
}

static void test_surfaces(void **state)
{
    struct halcyon_device *device = make_device();
    struct halcyon_picture picture;
    uint32_t texture = 0, buffer = 0, other = 0;
    uint8_t bytes[16 * 16 * 4];

    (void)state;
    memset(bytes, 0x5a, sizeof(bytes));
    expect(HALCYON_OK, halcyon_device_create_texture(device, 16, 16, 21, 3, &texture));
    expect(HALCYON_OK, halcyon_device_create_buffer(device, HALCYON_INDICES, 100, &buffer));
    expect(HALCYON_OK, halcyon_device_create_texture(device, 16, 16, D3DFMT_DXT1, 1, &other));
    assert_true(texture + 3 <= buffer && buffer < other);
    expect(HALCYON_OK, halcyon_device_write_texture(device, texture, 0, bytes, 1024));
    expect(HALCYON_OK, halcyon_device_write_texture(device, texture, 2, bytes, 64));
    expect(HALCYON_INVALID, halcyon_device_write_texture(device, texture, 2, bytes, 65));
    expect(HALCYON_INVALID, halcyon_device_write_texture(device, texture, 3, bytes, 16));
    expect(HALCYON_INVALID, halcyon_device_write_texture(device, texture + 1, 0, bytes, 256));
    expect(HALCYON_INVALID, halcyon_device_write_texture(device, buffer, 0, bytes, 100));
    expect(HALCYON_OK, halcyon_device_write_texture(device, other, 0, bytes, 128));
    expect(HALCYON_OK, halcyon_device_picture(device, texture + 2, &picture));
    assert_int_equal(picture.width, 4);
    assert_memory_equal(picture.pixels, "\x5a\x5a\x5a\x5a", 4);
    expect(HALCYON_NO_PICTURE, halcyon_device_picture(device, buffer, &picture));
    expect(HALCYON_NO_PICTURE, halcyon_device_picture(device, 4000, &picture));
    expect(HALCYON_OK, halcyon_device_write_buffer(device, buffer, 90, bytes, 10));
    expect(HALCYON_OK, halcyon_device_write_buffer(device, buffer, 100, bytes, 0));
    expect(HALCYON_INVALID, halcyon_device_write_buffer(device, buffer, 90, bytes, 11));
    expect(HALCYON_INVALID, halcyon_device_write_buffer(device, buffer, 90, bytes, SIZE_MAX));
    expect(HALCYON_INVALID, halcyon_device_write_buffer(device, texture, 0, bytes, 4));
    expect(HALCYON_INVALID, halcyon_device_create_texture(device, 16, 16, 21, 0, &other));
    expect(HALCYON_INVALID, halcyon_device_create_buffer(device, HALCYON_VERTICES, 0, &other));
    assert_int_not_equal(halcyon_device_create_texture(device, 16, 16, 0xdeadbeef, 1, &other), HALCYON_OK);
    expect(HALCYON_OK, halcyon_device_create_texture(device, 16, 16, 21, 1, &other));
    halcyon_device_destroy(device);
}

/* --- damage ------------------------------------------------------------------------------------------------- */

/* Every answer is one, or a failure with a message. */
static void ask_everything(const uint8_t *bytes, size_t size)
{
    struct halcyon_capture *capture = NULL;
    struct halcyon_history *history = NULL;
    struct halcyon_picture picture;

    if (judged(halcyon_capture_open_memory(bytes, size, &capture)) != HALCYON_OK)
        return;
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        judged(halcyon_capture_picture(capture, frame, &picture));
    judged(halcyon_capture_replay(capture, 0));
    if (judged(halcyon_capture_pixel(capture, 1, 10, 10, &history)) == HALCYON_OK)
        halcyon_history_free(history);
    judged(halcyon_capture_picture(capture, FRAMES - 1, &picture));
    halcyon_capture_close(capture);
}

static void test_damage(void **state)
{
    uint8_t *bytes = malloc(sample.size);

    (void)state;
    random_seed = 7;
    assert_non_null(bytes);
    for (size_t size = first_round(7); size < sample.size; size += 11 * fewer_rounds())
        ask_everything((const uint8_t *)sample.bytes, size);
    for (unsigned i = first_round(500); i < end_round(500); i++) {
        memcpy(bytes, sample.bytes, sample.size);
        for (unsigned flips = 1 + random_word() % 3; flips-- > 0;)
            bytes[random_word() % sample.size] ^= (uint8_t)(1u << random_word() % 8);
        ask_everything(bytes, sample.size);
    }
    free(bytes);
}

/* Damage that checksums do not catch: texts whose events are wrong, in a device. */
static void test_hostile_texts(void **state)
{
    static const char *const texts[] = {
        "draw 7 { CLEAR flags=TARGET }",
        "memory 1 first_row=4000 row_count=4000 row_bytes=4000000 slice_count=1 { fill(4 0) }",
        "memory 9 first_row=0 row_count=1 row_bytes=16 slice_count=1 { fill(4 0) }",
        "destroy 1 destroy 1 destroy 2",
        "context-gone 1 draw 1 { CLEAR flags=TARGET }",
        "blt 1 source=9 to=(0 0 8 8) from=(-9 -9 2147483647 8) flags=0x1000000",
        "flip 1 target=1 present 1 present 77",
        "surfaces local=1 process=1 { part id=4194303 caps=0xffffffff width=65535 height=65535 }",
        "surfaces local=1 process=1 { part id=0 }",
        "surfaces local=1 process=1 { part id=1 part id=1 link from=1 to=1 }",
        "draw 1 { raw hex(ff00ffff 00000000) }",
        "process-gone 1 local-gone 1 draw 1 { CLEAR flags=TARGET }",
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(texts); i++) {
        struct halcyon_device *device = make_device();
        struct halcyon_picture picture;

        judged(halcyon_device_text(device, texts[i], strlen(texts[i])));
        judged(halcyon_device_text(device, frame_text, strlen(frame_text)));
        judged(halcyon_device_picture(device, 0, &picture));
        halcyon_device_destroy(device);
    }
}

static void test_random_streams(void **state)
{
    struct halcyon_device *device = make_device();

    (void)state;
    random_seed = 99;
    for (unsigned i = first_round(3000); i < end_round(3000); i++) {
        uint8_t commands[64];
        struct halcyon_stream stream = {.commands = commands, .command_bytes = random_word() % 65};

        for (unsigned b = 0; b < sizeof(commands); b++)
            commands[b] = (uint8_t)(b % 4 > 1 ? random_word() % 3 : random_word());
        judged(halcyon_device_execute(device, &stream, NULL));
    }
    draw_sample(device, 0);
    halcyon_device_destroy(device);
}

/* --- memory ---------------------------------------------------------------------------------------------------- */

/* Hashes that were asked for, 0: none came. */
struct answers {
    uint64_t frames[2], device;
    size_t steps;
};

static void forget(struct answers *answers)
{
    *answers = (struct answers){0};
}

static void ask_under_faults(struct answers *answers)
{
    struct halcyon_capture *capture = NULL;
    struct halcyon_device *device = NULL;
    struct halcyon_history *history = NULL;
    struct halcyon_picture picture;

    forget(answers);
    if (judged(halcyon_capture_open_memory(sample.bytes, sample.size, &capture)) == HALCYON_OK) {
        judged(halcyon_capture_hash(capture, 1, &answers->frames[0]));
        if (judged(halcyon_capture_pixel(capture, 1, 10, 10, &history)) == HALCYON_OK) {
            answers->steps = history->count;
            halcyon_history_free(history);
        }
        judged(halcyon_capture_hash(capture, 2, &answers->frames[1]));
    }
    if (judged(halcyon_device_create(WIDTH, HEIGHT, &device)) == HALCYON_OK) {
        char text[2048];

        snprintf(text, sizeof(text), frame_text, 0x10);
        memcpy(strstr(text, "draw c {"), "draw 1 {", 8);
        if (judged(halcyon_device_text(device, text, strlen(text))) == HALCYON_OK &&
            judged(halcyon_device_picture(device, 0, &picture)) == HALCYON_OK)
            answers->device = picture.hash;
    }
    fail_at = 0;
    /* The same capture answers once there is memory. */
    if (capture) {
        check_frame(capture, 1);
        check_history(capture, 2);
        halcyon_capture_close(capture);
    }
    halcyon_device_destroy(device);
}

static void check_answers(const struct answers *answers, long at)
{
    if ((answers->frames[0] && answers->frames[0] != right_hashes[1]) ||
        (answers->frames[1] && answers->frames[1] != right_hashes[2]) ||
        (answers->device && answers->device != right_hashes[0]) || (answers->steps && answers->steps != 3))
        fail_msg("with allocation %ld failing%s an answer is wrong, and no error: frames %d %d, device %d, steps %zu",
                 at, fail_on ? " and all after it" : "", answers->frames[0] == right_hashes[1],
                 answers->frames[1] == right_hashes[2], answers->device == right_hashes[0], answers->steps);
}

static void test_memory(void **state)
{
    struct answers answers;
    long count, step;
    unsigned short_of_memory = 0;

    (void)state;
    ask_under_faults(&answers);
    allocations = 0;
    ask_under_faults(&answers);
    count = allocations;
    assert_true(count > 100 && answers.frames[0] && answers.frames[1] && answers.device && answers.steps == 3);
    step = 1 + count / 400 * (long)fewer_rounds();
    for (long at = 1; at <= count; at += step) {
        for (fail_on = 0; fail_on < 2; fail_on++) {
            const bool on = fail_on;

            allocations = 0;
            fail_at = at;
            ask_under_faults(&answers);
            check_answers(&answers, at);
            short_of_memory += on && (!answers.frames[0] || !answers.frames[1] || !answers.device);
        }
    }
    fail_at = 0;
    assert_true(short_of_memory > 0);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

struct worker {
    pthread_t thread;
    struct halcyon_capture *shared;
    unsigned number, wrong;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct halcyon_capture *own = NULL;
    struct halcyon_device *device = NULL;

    for (unsigned i = 0; i < 12; i++) {
        const unsigned frame = (worker->number + i) % FRAMES;
        uint64_t hash = 0, other = 0;

        worker->wrong += halcyon_capture_hash(worker->shared, frame, &hash) != HALCYON_OK;
        worker->wrong += hash != right_hashes[frame];
        worker->wrong += halcyon_capture_hash(worker->shared, 99, &hash) != HALCYON_NO_FRAME;
        worker->wrong += !strstr(halcyon_message(), "frame 99"); /* of this thread */
        worker->wrong += halcyon_capture_open_memory(sample.bytes, sample.size, &own) != HALCYON_OK;
        worker->wrong += halcyon_device_create(8, 8, &device) != HALCYON_OK;
        worker->wrong += halcyon_capture_hash(own, frame, &other) != HALCYON_OK || other != right_hashes[frame];
        halcyon_device_destroy(device);
        halcyon_capture_close(own);
    }
    return NULL;
}

static void test_threads(void **state)
{
    struct worker workers[4];
    struct halcyon_capture *capture = open_sample();

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(workers); i++) {
        workers[i] = (struct worker){.shared = capture, .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < ARRAY_COUNT(workers); i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].wrong, 0);
    }
    halcyon_capture_close(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),        cmocka_unit_test(test_frames), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_history),        cmocka_unit_test(test_texts),  cmocka_unit_test(test_streams),
        cmocka_unit_test(test_surfaces),       cmocka_unit_test(test_damage), cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_random_streams), cmocka_unit_test(test_memory), cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, make_sample, free_sample);
}
