/* SPDX-License-Identifier: MIT */
/* Tests of candidates: a command, or a pixel that keeps its colour. */
#include "tools/minimise/keep.h"

#include "base/base.h"
#include "base/output.h"
#include "client/umd/bridge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void keep_note_signal(int number)
{
    caught = number;
}

void keep_catch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    const struct sigaction action = {.sa_handler = keep_note_signal};
    struct sigaction old;

    for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

int keep_signal(void)
{
    return caught;
}

static bool keep_fail(struct keep *keep, const char *what, int number)
{
    snprintf(keep->why, sizeof(keep->why), "%s: %s", what, strerror(number));
    return false;
}

/* --- captures ------------------------------------------------------------------------------------- */

static bool keep_write_event(void *user, const struct capture_event *event)
{
    struct capture_writer *writer = user;
    const struct capture_bytes piece = {event->data, event->size};

    return capture_write(writer, event->type, &piece, 1) &&
           (event->type != CAPTURE_FRAME || capture_flush(writer, true));
}

bool keep_write(struct keep *keep, struct output *output)
{
    struct capture_error error = {0};
    struct capture_writer *writer = capture_create(output, keep->info, &error);
    bool done;

    if (!writer) {
        snprintf(keep->why, sizeof(keep->why), "%s", error.text);
        return false;
    }
    done = model_write(keep->model, keep_write_event, writer);
    if (!capture_finish(writer, &error)) {
        snprintf(keep->why, sizeof(keep->why), "%s", error.text);
        return false;
    }
    return done || keep_fail(keep, "the capture", ENOMEM);
}

/* --- commands ------------------------------------------------------------------------------------- */

/* The candidate, quoted for the shell's quotes around it: '"$1"' in single quotes, $1 in double quotes. */
static const char *keep_argument(char quote)
{
    return quote == '\'' ? "'\"$1\"'" : quote == '"' ? "$1" : "\"$1\"";
}

/* The command as a script whose first argument is the candidate: to be freed. */
static char *keep_script(const char *command)
{
    const bool placed = strstr(command, "{}") != NULL;
    char *script = mem_alloc(strlen(command), 4, 8), *out = script;
    char quote = 0; /* the shell's open quote, ' or " */

    while (script && *command) {
        if (strncmp(command, "{}", 2) == 0) {
            out = stpcpy(out, keep_argument(quote));
            command += 2;
            continue;
        }
        if (*command == '\\' && quote != '\'' && command[1])
            *out++ = *command++;
        else if ((*command == '\'' || *command == '"') && (!quote || quote == *command))
            quote = quote ? 0 : *command;
        *out++ = *command++;
    }
    if (script)
        sprintf(out, "%s%s", placed ? "" : " ", placed ? "" : keep_argument(0));
    return script;
}

/* In the child: a separate process group, so that everything it starts can be ended with it. */
static void keep_run_child(const char *script, const char *candidate, bool loud)
{
    const int null = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    signal(SIGHUP, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    dup2(null, STDIN_FILENO);
    dup2(loud ? STDERR_FILENO : null, STDOUT_FILENO);
    if (!loud)
        dup2(null, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", script, "sh", candidate, (char *)NULL);
    _exit(127);
}

/* Waits for the child until the time is over or a signal has come. */
static bool keep_wait(const struct keep *keep, pid_t child, int *status)
{
    const double end = clock_seconds() + keep->timeout;
    long pause = 100000; /* ns */

    while (waitpid(child, status, WNOHANG) != child) {
        const struct timespec time = {.tv_nsec = pause};

        if (keep_signal() || clock_seconds() >= end) {
            kill(-child, SIGKILL);
            while (waitpid(child, status, 0) < 0 && errno == EINTR)
                ;
            return false;
        }
        nanosleep(&time, NULL);
        pause = BASE_MIN(2 * pause, 5000000);
    }
    kill(-child, SIGKILL); /* processes that it has left running */
    return true;
}

static enum ddmin_answer keep_run(struct keep *keep, const char *candidate, bool loud)
{
    char *script = keep_script(keep->command);
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = script ? fork() : -1;
    if (child == 0)
        keep_run_child(script, candidate, loud);
    if (child < 0) {
        keep_fail(keep, "the command cannot be run", errno);
        free(script);
        return DDMIN_STOP;
    }
    setpgid(child, child);
    keep->status = keep_wait(keep, child, &status) ? status : -1;
    free(script);
    if (keep_signal())
        return DDMIN_STOP;
    return keep->status == 0 ? DDMIN_YES : DDMIN_NO;
}

static enum ddmin_answer keep_test_command(struct keep *keep, bool loud)
{
    const size_t size = strlen(keep->folder) + 32;
    char *candidate = malloc(size);
    struct output output = {0};
    enum ddmin_answer answer = DDMIN_STOP;

    if (!candidate) {
        keep_fail(keep, "the capture", ENOMEM);
        return DDMIN_STOP;
    }
    snprintf(candidate, size, "%s/candidate.capture", keep->folder);
    if (!output_open(&output, candidate, OUTPUT_REPLACE))
        keep_fail(keep, candidate, errno);
    else if (!keep_write(keep, &output))
        output_discard(&output);
    else if (!output_commit(&output))
        keep_fail(keep, candidate, errno);
    else
        answer = keep_run(keep, candidate, loud);
    unlink(candidate);
    free(candidate);
    return answer;
}

/* --- pixels --------------------------------------------------------------------------------------- */

struct keep_play {
    struct player *player;
    struct capture_frame last;
};

static bool keep_play_event(void *user, const struct capture_event *event)
{
    struct keep_play *play = user;
    struct capture_error ignored = {0};

    if (event->type == CAPTURE_FRAME)
        memcpy(&play->last, event->data, sizeof(play->last));
    return player_play(play->player, event, &ignored);
}

/* Plays the rest. False: it does not show the frame, or has no such pixel. */
static bool keep_see_pixel(struct keep *keep, uint32_t *color, uint64_t *refused)
{
    struct keep_play play = {.player = player_create(&keep->driver)};
    struct player_picture picture = {0};
    struct capture_error error = {0};
    bool done = play.player && model_write(keep->model, keep_play_event, &play) &&
                player_grab(play.player, &play.last, &picture, &error);

    if (done && (keep->x >= picture.width || keep->y >= picture.height)) {
        snprintf(keep->why, sizeof(keep->why), "the picture has %ux%u pixels", picture.width, picture.height);
        done = false;
    }
    if (done) {
        *color = picture.pixels[(size_t)keep->y * picture.width + keep->x];
        *refused = player_get_stats(play.player)->refused;
    }
    free(picture.pixels);
    player_destroy(play.player);
    return done;
}

static enum ddmin_answer keep_test_pixel(struct keep *keep)
{
    uint32_t color = 0;
    uint64_t refused = 0;

    return keep_see_pixel(keep, &color, &refused) && color == keep->color && refused <= keep->refused ? DDMIN_YES
                                                                                                      : DDMIN_NO;
}

/* --- both ----------------------------------------------------------------------------------------- */

bool keep_begin(struct keep *keep)
{
    const char *base = getenv("TMPDIR");

    base = base && *base ? base : "/tmp";
    if (!keep->command) {
        keep->has_driver = SUCCEEDED(client_driver_init(&keep->driver, client_umd_or(HalcyonDriverInit, OpenAdapter)));
        if (!keep->has_driver)
            snprintf(keep->why, sizeof(keep->why), "the driver does not start");
        return keep->has_driver;
    }
    keep->folder = malloc(strlen(base) + 32);
    if (!keep->folder)
        return keep_fail(keep, "memory", ENOMEM);
    sprintf(keep->folder, "%s/dp2-minimise-XXXXXX", base);
    if (!mkdtemp(keep->folder)) {
        keep_fail(keep, keep->folder, errno);
        free(keep->folder);
        keep->folder = NULL;
        return false;
    }
    return true;
}

void keep_end(struct keep *keep)
{
    if (keep->folder)
        rmdir(keep->folder);
    if (keep->has_driver)
        client_driver_close(&keep->driver);
    free(keep->folder);
    free(keep->failed);
}

enum ddmin_answer keep_first(struct keep *keep)
{
    keep->tries++;
    if (keep->command)
        return keep_test_command(keep, true);
    return keep_see_pixel(keep, &keep->color, &keep->refused) ? DDMIN_YES : DDMIN_NO;
}

/* The slot of a hash, which is never 0: it holds the hash or 0. */
static uint64_t *keep_slot(const struct keep *keep, uint64_t key)
{
    size_t at = (size_t)key & (keep->failed_capacity - 1);

    while (keep->failed[at] && keep->failed[at] != key)
        at = (at + 1) & (keep->failed_capacity - 1);
    return &keep->failed[at];
}

/* (if out of memory, a test may run twice) */
static void keep_note_failed(struct keep *keep, uint64_t key)
{
    struct keep bigger = {.failed_capacity = keep->failed_capacity ? 2 * keep->failed_capacity : 1024};

    if (2 * keep->failed_count >= keep->failed_capacity) {
        bigger.failed = mem_calloc(bigger.failed_capacity, sizeof(*bigger.failed));
        if (!bigger.failed)
            return;
        for (size_t i = 0; i < keep->failed_capacity; i++)
            if (keep->failed[i])
                *keep_slot(&bigger, keep->failed[i]) = keep->failed[i];
        free(keep->failed);
        keep->failed = bigger.failed;
        keep->failed_capacity = bigger.failed_capacity;
    }
    *keep_slot(keep, key) = key;
    keep->failed_count++;
}

enum ddmin_answer keep_test(void *user)
{
    struct keep *keep = user;
    const uint64_t key = model_key(keep->model) | 1;
    enum ddmin_answer answer;

    if (keep_signal())
        return DDMIN_STOP;
    if (keep->failed && *keep_slot(keep, key))
        return DDMIN_NO;
    if (keep->tries >= keep->limit) {
        keep->exhausted = true;
        return DDMIN_STOP;
    }
    keep->tries++;
    answer = keep->command ? keep_test_command(keep, false) : keep_test_pixel(keep);
    if (answer == DDMIN_NO)
        keep_note_failed(keep, key);
    keep->successes += answer == DDMIN_YES;
    return answer;
}
