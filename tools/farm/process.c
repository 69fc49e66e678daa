/* SPDX-License-Identifier: MIT */
/*
 * One `dp2 replay` as a process of its own: it may crash, hang, or run out of memory.
 */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define STATUS_TIMEOUT 124 /* as timeout(1) */
#define STATUS_SIGNAL  128 /* as the shell: added to the signal's number */

bool farm_own_program(char path[FARM_PATH])
{
    const ssize_t length = readlink("/proc/self/exe", path, FARM_PATH - 1);

    if (length <= 0)
        return false;
    path[length] = 0;
    return true;
}

/* In the child. It has a process group of its own, which ends with it, and does not outlive this process. */
static void process_child(const struct farm_replay *replay, FILE *results, FILE *messages, pid_t parent)
{
    const int null = open("/dev/null", O_RDWR);
    char threads[24];
    const char *words[16] = {replay->program, "replay", "--json", "--hash", "--quiet"};
    unsigned count = 5;

    snprintf(threads, sizeof(threads), "%ld", replay->threads);
    if (replay->threads) {
        words[count++] = "--threads";
        words[count++] = threads;
    }
    if (replay->frame) {
        words[count++] = "--frame";
        words[count++] = replay->frame;
        words[count++] = "--output";
        words[count++] = replay->picture;
    }
    words[count++] = "--";
    words[count++] = replay->file;
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(127);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    dup2(null, STDIN_FILENO);
    dup2(fileno(results), STDOUT_FILENO);
    dup2(fileno(messages), STDERR_FILENO);
    execv(replay->program, (char *const *)(uintptr_t)words);
    dprintf(STDERR_FILENO, "%s: %s\n", replay->program, strerror(errno));
    _exit(127);
}

/* Seconds of a processor that ended children have used. */
static double process_used(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Until it ends or its time is over. */
static int process_wait(const struct farm_replay *replay, pid_t child, struct farm_result *result)
{
    const double start = clock_seconds(), used = process_used();
    struct timespec pause = {.tv_nsec = 200000};
    bool late = false;
    int status = 0;

    while (waitpid(child, &status, late ? 0 : WNOHANG) != child) {
        if (clock_seconds() - start >= (double)replay->timeout) {
            kill(-child, SIGKILL);
            late = true;
            continue;
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = BASE_MIN(2 * pause.tv_nsec, 10000000);
    }
    result->seconds = clock_seconds() - start;
    result->cpu_seconds = BASE_MAX(0, process_used() - used);
    return late ? STATUS_TIMEOUT : WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The frames of a dp2-replay document. What is not one has none. */
static bool process_frames(struct farm_result *result, FILE *file)
{
    json_t *document, *list, *frame;
    size_t i;
    bool done = true;

    rewind(file);
    document = json_loadf(file, JSON_REJECT_DUPLICATES, NULL);
    list = json_object_get(document, "frames");
    if (json_array_size(list)) {
        result->frames = mem_calloc(json_array_size(list), sizeof(*result->frames));
        done = result->frames != NULL;
    }
    json_array_foreach(list, i, frame)
    {
        uint64_t number;

        if (!done || !farm_get_number(frame, "frame", UINT32_MAX, &number) ||
            !farm_get_hash(frame, "hash", &result->frames[result->count].hash))
            break;
        result->frames[result->count++].frame = (uint32_t)number;
    }
    json_decref(document);
    return done;
}

/* The beginning of what it said, as one line. */
static void process_message(struct farm_result *result, FILE *file)
{
    char text[FARM_MESSAGE];
    size_t length;

    rewind(file);
    length = fread(text, 1, sizeof(text) - 1, file);
    while (length && text[length - 1] == '\n')
        length--;
    text[length] = 0;
    utf8_clean(result->message, sizeof(result->message), text);
}

int farm_replay(const struct farm_replay *replay, struct farm_result *result)
{
    FILE *results = tmpfile(), *messages = tmpfile();
    const pid_t parent = getpid();
    bool done = false;
    pid_t child = -1;

    fflush(NULL);
    if (results && messages)
        child = fork();
    if (child == 0)
        process_child(replay, results, messages, parent);
    if (child > 0) {
        setpgid(child, child);
        result->status = process_wait(replay, child, result);
        done = process_frames(result, results);
        process_message(result, messages);
    }
    if (child < 0)
        tool_say(&farm_messages, "a replay cannot be started: %s", strerror(errno));
    else if (!done)
        tool_say(&farm_messages, "out of memory");
    if (results)
        fclose(results);
    if (messages)
        fclose(messages);
    return done ? TOOL_OK : TOOL_ERROR;
}
