/* SPDX-License-Identifier: MIT */
/* Runs a program and reads its output. */
#define _GNU_SOURCE /* pipe2 */
#include "base/wine/ask.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool start_child(pid_t *child, char *const *argv, int to)
{
    posix_spawn_file_actions_t actions;
    bool done;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, to, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    done = !posix_spawn(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return done;
}

int ask_program(char *const *argv, char *text, size_t size, unsigned seconds)
{
    const double end = now() + seconds;
    size_t length = 0;
    bool open = true;
    int ends[2], status = 0;
    pid_t child;

    text[0] = 0;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    if (!start_child(&child, argv, ends[1])) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    close(ends[1]);
    /* other processes, such as Wine's server, may keep the pipe open after the program ends */
    while (!waitpid(child, &status, WNOHANG) ||
           (open && poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 0) == 1)) {
        char rest[512];
        ssize_t got;

        if (now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        if (poll(&(struct pollfd){.fd = open ? ends[0] : -1, .events = POLLIN}, 1, 20) != 1)
            continue;
        got = length + 1 < size ? read(ends[0], text + length, size - 1 - length) : read(ends[0], rest, sizeof(rest));
        open = got > 0;
        if (got > 0 && length + 1 < size)
            length += (size_t)got;
    }
    close(ends[0]);
    text[length] = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
