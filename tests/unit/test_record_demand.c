/* SPDX-License-Identifier: MIT */
/*
 * Captures requested while a program runs, names that never clash, crashing programs and full disks: each program here
 * is a separate process, and every file that it leaves is replayed by the dp2 tool to the pixels that the program saw.
 */
#include "client/client.h"
#include "dp2/capture/capture.h"
#include "dp2/tokens.h"
#include "tests/random.h"
#include "tests/unit/picture_hash.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_folder.h"

#define SIZE   32u /* pixels, both ways */
#define FRAMES 40u

static char dp2_program[512];

/* --- the program under test, in a process of its own ------------------------------------------ */

struct program {
    const char *settings[8]; /* NAME=VALUE */
    unsigned frames, seed;
    unsigned trigger_before; /* a frame; 0: no trigger file is made */
    const char *trigger, *trigger_text;
    unsigned request_before; /* the frame in which the key's call is made */
    unsigned kill_after;     /* frames; 0: ends by itself */
    bool reads_screen;       /* tells the hash of what is shown; otherwise of the back buffer before it is */
    bool takes_turns;        /* two back buffers, which are shown by name in turns */
    unsigned big;            /* bytes of a buffer that changes with every frame: the capture grows by as many */
};

static void tell_hash(struct client_surface *surface, int hashes)
{
    uint64_t hash = 0;

    if (!hash_surface(surface, &hash) || write(hashes, &hash, sizeof(hash)) != sizeof(hash))
        exit(3);
}

static void write_trigger(const struct program *program)
{
    FILE *file = fopen(program->trigger, "w");

    if (!file)
        exit(4);
    fputs(program->trigger_text, file);
    fclose(file);
    /* Longer than between two polls (ddi/record/demand.c): the next frame notices the request, however slow the machine
     * is. */
    usleep(60000);
}

static void change_buffer(struct client_chain *buffer, unsigned bytes, uint32_t seed)
{
    struct client_lock lock;

    if (!buffer || client_lock(client_part(buffer, 0), NULL, 0, &lock) != DD_OK)
        return;
    for (unsigned i = 0; i < bytes; i++)
        lock.bits[i] = (uint8_t)random_next(&seed);
    client_unlock(client_part(buffer, 0));
}

/* Every frame changes one square of the back buffer: a capture from the middle needs the surfaces' contents. */
static void run(const struct program *program, int hashes)
{
    static struct client_driver driver;
    struct client_chain_desc screen_desc = {.usage = CLIENT_PRIMARY | CLIENT_TARGET,
                                            .format = D3DFMT_X8R8G8B8,
                                            .width = SIZE,
                                            .height = SIZE,
                                            .back_buffers = program->takes_turns ? 2 : 1};
    struct client_chain_desc buffer_desc = {.usage = CLIENT_VERTEX_BUFFER, .width = program->big};
    struct client_chain *screen, *buffer = NULL;
    struct client *client;
    uintptr_t context;

    if (client_driver_init(&driver, HalcyonDriverInit) != DD_OK)
        exit(3);
    client = client_create(&driver);
    if (!client || client_chain_create(client, &screen_desc, &screen) != DD_OK ||
        client_context_create(client, client_part(screen, 1), NULL, DDI_LEVEL_DX8, &context) != DD_OK)
        exit(3);
    if (program->big && client_chain_create(client, &buffer_desc, &buffer) != DD_OK)
        exit(3);
    for (unsigned frame = 0; frame < program->frames; frame++) {
        const LONG x = (LONG)(frame * 7 % 24), y = (LONG)(frame * 5 % 24);
        D3DRECT square = {x, y, x + 8, y + 8};
        if (program->trigger_before && frame + 1 == program->trigger_before)
            write_trigger(program);
        change_buffer(buffer, program->big, frame + program->seed);
        client_clear(client, context, 1, 0xff000000u | (program->seed * 77777u + frame * 123457u), 1, 0, &square, 1);
        if (program->request_before && frame + 1 == program->request_before) {
            HALCYON_CAPTURE ask = {.frames = 3};
            if (client_capture(client, context, &ask) != DD_OK)
                exit(5);
        }
        const unsigned shown = program->takes_turns ? 1 + frame % 2 : 1;
        if (shown == 2) {
            const RECT same = {square.x1, square.y1, square.x2, square.y2};
            client_fill(client_part(screen, 2), &same, frame * 54321u);
        }
        if (!program->reads_screen)
            tell_hash(client_part(screen, shown), hashes);
        if (program->takes_turns)
            client_flip(client_part(screen, 0), screen->parts[shown], HALCYON_FLIP_EXCHANGE);
        else
            client_flip(client_part(screen, 0), NULL, 0);
        if (program->reads_screen)
            tell_hash(client_part(screen, 0), hashes);
        if (program->kill_after && frame + 1 == program->kill_after)
            raise(SIGKILL);
    }
    client_chain_destroy(buffer);
    client_context_destroy(client, context);
    client_chain_destroy(screen);
    client_destroy(client);
    client_driver_close(&driver);
}

struct running {
    pid_t process;
    int hashes;
};

static struct running start(const struct program *program)
{
    int ends[2];
    struct running running;

    assert_int_equal(pipe(ends), 0);
    running.process = fork();
    if (running.process == 0) {
        close(ends[0]);
        for (unsigned i = 0; program->settings[i]; i++)
            putenv((char *)program->settings[i]);
        run(program, ends[1]);
        exit(0);
    }
    close(ends[1]);
    running.hashes = ends[0];
    return running;
}

/* Frames it showed. */
static unsigned finish(struct running running, uint64_t seen[FRAMES], int *status)
{
    unsigned count = 0;

    while (count < FRAMES && read(running.hashes, &seen[count], sizeof(seen[0])) == sizeof(seen[0]))
        count++;
    close(running.hashes);
    assert_int_equal(waitpid(running.process, status, 0), running.process);
    return count;
}

/* --- files ------------------------------------------------------------------------------ */

/* Replays the file: the number of its frames, all equal to those from `first` on. */
static unsigned replays(const char *path, const uint64_t *seen, unsigned first, unsigned count)
{
    char command[1024];
    unsigned frame, width, height, frames = 0;
    unsigned long long hash;
    FILE *pipe;

    snprintf(command, sizeof(command), "HALCYON_CAPTURE= HALCYON_LOG_PATH= '%s' replay --hash '%s' 2>/dev/null",
             dp2_program, path);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fscanf(pipe, "%u %ux%u %llx", &frame, &width, &height, &hash) == 4) {
        assert_int_equal(frame, frames);
        assert_true(first + frames < count);
        assert_int_equal(hash, seen[first + frames]);
        frames++;
    }
    pclose(pipe);
    return frames;
}

/* The number that its first frame had in the program. */
static unsigned first_frame_of(const char *name)
{
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open(at(name), &error);
    unsigned first = 0;

    assert_non_null(reader);
    assert_int_equal(sscanf(strstr(capture_info(reader), "first_frame="), "first_frame=%u", &first), 1);
    capture_close(reader);
    return first;
}

static bool log_has(const char *text)
{
    char line[1200];
    bool found = false;
    FILE *file = fopen(at("log"), "r");

    while (file && !found && fgets(line, sizeof(line), file))
        found = strstr(line, text) != NULL;
    if (file)
        fclose(file);
    return found;
}

static char setting_capture[160], setting_log[160], setting_trigger[160];

static void set_names(const char *capture)
{
    snprintf(setting_capture, sizeof(setting_capture), "HALCYON_CAPTURE=%s", at(capture));
    snprintf(setting_log, sizeof(setting_log), "HALCYON_LOG_PATH=%s", at("log"));
    snprintf(setting_trigger, sizeof(setting_trigger), "HALCYON_CAPTURE_TRIGGER=%s", at("now"));
}

/* --- tests ------------------------------------------------------------------------------------------- */

static void test_two_programs(void **state)
{
    const struct program a = {.settings = {setting_capture, setting_log}, .frames = 30, .seed = 1, .big = 4096},
                         b = {.settings = {setting_capture, setting_log}, .frames = 25, .seed = 2, .big = 4096};
    static uint64_t seen[2][FRAMES];
    struct running running[2];
    int status;
    unsigned frames[2];

    (void)state;
    set_names("two.capture");
    running[0] = start(&a);
    running[1] = start(&b);
    assert_int_equal(finish(running[0], seen[0], &status), 30);
    assert_int_equal(status, 0);
    assert_int_equal(finish(running[1], seen[1], &status), 25);
    assert_int_equal(status, 0);
    /* which of the two came first is unknown */
    for (unsigned i = 0; i < 2; i++) {
        struct capture_error error = {0};
        struct capture_reader *reader = capture_open(at(i ? "two.1.capture" : "two.capture"), &error);
        assert_non_null(reader);
        frames[i] = capture_indexed_frames(reader);
        assert_non_null(strstr(capture_info(reader), "/test_record_demand\n"));
        assert_non_null(strstr(capture_info(reader), "\ndate=20"));
        assert_non_null(strstr(capture_info(reader), "\nthreads="));
        capture_close(reader);
    }
    const unsigned first = frames[0] > frames[1] ? 0 : 1;
    assert_int_equal(replays(at("two.capture"), seen[first], 0, 30), first ? 25 : 30);
    assert_int_equal(replays(at("two.1.capture"), seen[!first], 0, 30), first ? 30 : 25);
    assert_int_equal(files_in_folder("log"), 2);
}

/* An existing file of the name stays as it is. */
static void test_existing_file(void **state)
{
    const struct program program = {.settings = {setting_capture, setting_log}, .frames = 3, .seed = 3};
    uint64_t seen[FRAMES];
    char text[16] = "";
    int status;
    FILE *file = fopen(at("old.capture"), "w");

    (void)state;
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
    set_names("old.capture");
    finish(start(&program), seen, &status);
    assert_int_equal(status, 0);
    assert_int_equal(replays(at("old.1.capture"), seen, 0, 3), 3);
    file = fopen(at("old.capture"), "r");
    assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    assert_string_equal(text, "old");
}

static void test_trigger(void **state)
{
    const struct program program = {.settings = {setting_capture, setting_log, setting_trigger,
                                                 "HALCYON_CAPTURE_FRAMES=none", "HALCYON_LOG_LEVEL=info"},
                                    .frames = 30,
                                    .seed = 4,
                                    .trigger_before = 11,
                                    .trigger = at("now"),
                                    .trigger_text = "4\n",
                                    .request_before = 20};
    uint64_t seen[FRAMES];
    int status;
    unsigned first;

    (void)state;
    set_names("many.capture");
    assert_int_equal(finish(start(&program), seen, &status), 30);
    assert_int_equal(status, 0);
    assert_int_not_equal(access(at("now"), F_OK), 0); /* the name was taken */
    first = first_frame_of("many.capture");
    assert_true(first >= 10 && first <= 11);
    assert_int_equal(replays(at("many.capture"), seen, first, 30), 4);
    /* requested in frame 19: from the next one on */
    assert_int_equal(replays(at("many.1.capture"), seen, 20, 30), 3);
    assert_int_equal(files_in_folder("log"), 2);
    assert_true(log_has("4 frames are in"));
}

/* Returns when the log has said `times` times that the program waits. */
static void wait_for_hold(unsigned times)
{
    char line[512];
    unsigned found;

    do {
        FILE *log = fopen(at("log"), "r");

        usleep(1000);
        for (found = 0; log && fgets(line, sizeof(line), log);)
            found += strstr(line, "capture: the program waits") != NULL;
        if (log)
            fclose(log);
    } while (found < times);
}

static void request(const char *text)
{
    FILE *file = fopen(at("request"), "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(rename(at("request"), at("wait/now")), 0); /* whole at once */
}

/* A program that a debugger pauses, steps and continues: frames 10 to 12, and 13 alone, are captured; it shows no frame in
 * between. */
static void test_hold(void **state)
{
    struct program program = {.settings = {setting_capture, setting_log, setting_trigger, "HALCYON_CAPTURE_FRAMES=none",
                                           "HALCYON_LOG_LEVEL=info"},
                              .frames = 30,
                              .seed = 11,
                              .trigger_before = 11,
                              .trigger = at("wait/now"),
                              .trigger_text = "3 hold\n"};
    struct running running;
    uint64_t seen[FRAMES];
    int status, left;
    unsigned first;

    (void)state;
    set_names("held.capture");
    snprintf(setting_trigger, sizeof(setting_trigger), "HALCYON_CAPTURE_TRIGGER=%s", at("wait/now"));
    assert_int_equal(mkdir(at("wait"), 0700), 0);
    running = start(&program);
    wait_for_hold(1);
    assert_int_equal(ioctl(running.hashes, FIONREAD, &left), 0);
    assert_in_range(left / (int)sizeof(seen[0]), 13, 14); /* the three frames, and those before; no others */
    request("1 hold\n");
    wait_for_hold(2);
    status = left;
    assert_int_equal(ioctl(running.hashes, FIONREAD, &left), 0);
    assert_int_equal(left, status + (int)sizeof(seen[0]));
    request("continue\n");
    assert_int_equal(finish(running, seen, &status), 30);
    assert_int_equal(status, 0);
    first = first_frame_of("held.capture");
    assert_true(first >= 10 && first <= 11);
    assert_int_equal(replays(at("held.capture"), seen, first, 30), 3);
    assert_int_equal(replays(at("held.1.capture"), seen, first + 3, 30), 1);
    assert_int_equal(files_in_folder("log"), 3);
}

/* The debugger is gone, with its folder. */
static void test_hold_ends(void **state)
{
    struct program program = {.settings = {setting_capture, setting_log, setting_trigger, "HALCYON_CAPTURE_FRAMES=none",
                                           "HALCYON_LOG_LEVEL=info"},
                              .frames = 30,
                              .seed = 12,
                              .trigger_before = 3,
                              .trigger = at("wait/now"),
                              .trigger_text = "hold"};
    struct running running;
    uint64_t seen[FRAMES];
    int status;

    (void)state;
    set_names("held.capture");
    snprintf(setting_trigger, sizeof(setting_trigger), "HALCYON_CAPTURE_TRIGGER=%s", at("wait/now"));
    assert_int_equal(mkdir(at("wait"), 0700), 0);
    running = start(&program);
    wait_for_hold(1);
    assert_int_equal(rmdir(at("wait")), 0);
    assert_int_equal(finish(running, seen, &status), 30);
    assert_int_equal(status, 0);
}

static void test_nobody_asks(void **state)
{
    const struct program program = {
        .settings = {setting_capture, setting_log, setting_trigger, "HALCYON_CAPTURE_FRAMES=none"},
        .frames = 5,
        .seed = 5};
    uint64_t seen[FRAMES];
    int status;

    (void)state;
    set_names("never.capture");
    assert_int_equal(finish(start(&program), seen, &status), 5);
    assert_int_equal(status, 0);
    assert_int_equal(files_in_folder("log"), 0);
}

static void test_ranges_that_never_come(void **state)
{
    const struct program program = {
        .settings = {setting_capture, setting_log, "HALCYON_CAPTURE_FRAMES=500-600,700"}, .frames = 12, .seed = 6};
    uint64_t seen[FRAMES];
    int status;

    (void)state;
    set_names("never.capture");
    finish(start(&program), seen, &status);
    assert_int_equal(files_in_folder("log"), 0);
    assert_true(log_has("frames 500-600 never came; the program presented 12"));
    assert_true(log_has("frames 700 never came"));
}

/* Each buffer has contents from before the range, and only the two that a flip names exchange theirs. */
static void test_turns(void **state)
{
    const struct program program = {.settings = {setting_capture, setting_log, "HALCYON_CAPTURE_FRAMES=9-16"},
                                    .frames = 20,
                                    .seed = 8,
                                    .takes_turns = true};
    uint64_t seen[FRAMES];
    int status;

    (void)state;
    set_names("turns.capture");
    assert_int_equal(finish(start(&program), seen, &status), 20);
    assert_int_equal(status, 0);
    assert_int_equal(replays(at("turns.capture"), seen, 9, 20), 8);
}

static void test_exit(void **state)
{
    const struct program program = {
        .settings = {setting_capture, setting_log, "HALCYON_CAPTURE_FRAMES=3-5,8", "HALCYON_CAPTURE_EXIT=1"},
        .frames = 30,
        .seed = 7,
        .reads_screen = true};
    const struct program asked = {
        .settings = {setting_capture, setting_log, "HALCYON_CAPTURE_FRAMES=none", "HALCYON_CAPTURE_EXIT=1"},
        .frames = 30,
        .seed = 7,
        .reads_screen = true,
        .request_before = 5};
    uint64_t seen[FRAMES];
    int status;

    (void)state;
    set_names("exit.capture");
    /* The last frame can still be read, as a runtime does that shows it. */
    assert_int_equal(finish(start(&program), seen, &status), 9);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(files_in_folder("log"), 1);
    memmove(&seen[6], &seen[8], sizeof(seen[0]));
    assert_int_equal(replays(at("exit.capture"), seen, 3, 30), 4);
    set_names("asked.capture");
    assert_int_equal(finish(start(&asked), seen, &status), 8);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(replays(at("asked.capture"), seen, 5, 30), 3);
}

/* The capture of a program that crashes is there under its temporary name; the next program does not touch it. */
static void test_killed(void **state)
{
    const struct program killed = {.settings = {setting_capture, setting_log},
                                   .frames = 20,
                                   .seed = 8,
                                   .kill_after = 9},
                         next = {.settings = {setting_capture, setting_log}, .frames = 4, .seed = 9};
    uint64_t seen[2][FRAMES];
    int status;

    (void)state;
    set_names("killed.capture");
    assert_int_equal(finish(start(&killed), seen[0], &status), 9);
    assert_true(WIFSIGNALED(status));
    assert_int_not_equal(access(at("killed.capture"), F_OK), 0);
    finish(start(&next), seen[1], &status);
    assert_int_equal(status, 0);
    assert_in_range(replays(at("killed.capture.part"), seen[0], 0, 9), 8, 9);
    assert_int_equal(replays(at("killed.1.capture"), seen[1], 0, 4), 4);
}

/* A full disk, simulated by a limit on the file's size: complete frames replay, and the program continues to draw. */
static void test_full(void **state)
{
    const struct program program = {.settings = {setting_capture, setting_log}, .frames = 30, .seed = 10, .big = 65536};
    struct rlimit before;
    uint64_t seen[FRAMES];
    int status;

    (void)state;
    set_names("full.capture");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {300000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct running running = start(&program);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(finish(running, seen, &status), 30);
    assert_int_equal(status, 0);
    assert_int_not_equal(access(at("full.capture"), F_OK), 0); /* it is not whole */
    assert_in_range(replays(at("full.capture.part"), seen, 0, 30), 2, 8);
    assert_true(log_has("File too large"));
}

int main(void)
{
    const ssize_t length = readlink("/proc/self/exe", dp2_program, sizeof(dp2_program) - 8);
    const struct CMUnitTest tests[] = {
        test_in_folder(test_two_programs),
        test_in_folder(test_existing_file),
        test_in_folder(test_trigger),
        test_in_folder(test_hold),
        test_in_folder(test_hold_ends),
        test_in_folder(test_nobody_asks),
        test_in_folder(test_ranges_that_never_come),
        test_in_folder(test_turns),
        test_in_folder(test_exit),
        test_in_folder(test_killed),
        test_in_folder(test_full),
    };

    if (length < 0)
        return 1;
    dp2_program[length] = 0;
    /* build/FLAVOUR/tests/test_record_demand -> build/FLAVOUR/dp2 */
    for (unsigned i = 0; i < 2; i++)
        *strrchr(dp2_program, '/') = 0;
    strcat(dp2_program, "/dp2");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
