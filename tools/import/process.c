/* SPDX-License-Identifier: MIT */
/* The player's process. */
#define _GNU_SOURCE /* pipe2 */
#include "tools/import/process.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static volatile sig_atomic_t told_to_stop;

static void stop(int number)
{
    told_to_stop = number;
}

/* While the player runs, a signal makes this process tidy up, and it does not end when the player no longer reads. */
static void take_signals(bool take)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    static struct sigaction before[ARRAY_COUNT(numbers)];

    for (unsigned i = 0; i < ARRAY_COUNT(numbers); i++) {
        struct sigaction action = {.sa_handler = numbers[i] == SIGPIPE ? SIG_IGN : stop};

        if (!take)
            sigaction(numbers[i], &before[i], NULL);
        else if (!sigaction(numbers[i], &action, &before[i]) && before[i].sa_handler == SIG_IGN)
            sigaction(numbers[i], &before[i], NULL); /* (nohup) */
    }
}

/* In the child. Messages of Wine are about Wine; those of the driver go where HALCYON_LOG_PATH says. */
static void execute(const struct import_command *command, int input, int output, int told, pid_t parent)
{
    const int null = open("/dev/null", O_WRONLY);
    int error;

    setpgid(0, 0); /* a terminal's signals end this program first, which ends the child */
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(127);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    for (const char *const *v = command->variables; *v; v += 2)
        if (v[1] ? setenv(v[0], v[1], 1) : unsetenv(v[0]))
            _exit(127);
    execv(command->argv[0], command->argv);
    error = errno;
    if (write(told, &error, sizeof(error)) < 0)
        _exit(126);
    _exit(127);
}

bool import_process_start(struct import_process *process, const struct import_command *command)
{
    const pid_t parent = getpid();
    int input[2], output[2], told[2], error = 0;

    process->to = process->from = -1;
    told_to_stop = 0;
    if (pipe2(input, O_CLOEXEC))
        return false;
    if (pipe2(output, O_CLOEXEC)) {
        close(input[0]);
        close(input[1]);
        return false;
    }
    process->to = input[1];
    process->from = output[0];
    take_signals(true);
    if (pipe2(told, O_CLOEXEC)) {
        error = errno;
    } else {
        process->child = fork();
        if (!process->child)
            execute(command, input[0], output[1], told[1], parent);
        error = process->child < 0 ? errno : 0;
        close(told[1]);
        if (process->child > 0 && read(told[0], &error, sizeof(error)) != sizeof(error))
            error = 0;
        close(told[0]);
    }
    close(input[0]);
    close(output[1]);
    fcntl(process->to, F_SETFL, O_NONBLOCK);
    errno = error;
    return !error;
}

/* Hands out whole lines. A line that does not fit is cut. */
static bool read_answers(struct import_process *process)
{
    char bytes[4096];
    const ssize_t got = read(process->from, bytes, sizeof(bytes));

    if (got < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            process->line[process->length] = 0;
            process->answer(process->user, process->line);
            process->length = 0;
        } else if (bytes[i] != '\r' && process->length + 1 < sizeof(process->line)) {
            process->line[process->length++] = bytes[i];
        }
    }
    return got > 0;
}

bool import_process_send(struct import_process *process, const void *data, size_t size)
{
    const uint8_t *at = data;

    while (size) {
        struct pollfd both[] = {{.fd = process->to, .events = POLLOUT}, {.fd = process->from, .events = POLLIN}};
        ssize_t sent = 0;

        process->stopped |= told_to_stop != 0;
        if (process->stopped)
            return false;
        if (poll(both, 2, 1000) < 0 && errno != EINTR)
            return false;
        if (both[1].revents && !read_answers(process))
            return false;
        if (both[0].revents & POLLOUT)
            sent = write(process->to, at, size);
        else if (both[0].revents)
            return false;
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

void import_process_close(struct import_process *process)
{
    if (process->to >= 0)
        close(process->to);
    process->to = -1;
}

bool import_process_wait(struct import_process *process, double seconds)
{
    const double end = clock_seconds() + seconds;

    while (clock_seconds() < end) {
        struct pollfd input = {.fd = process->from, .events = POLLIN};

        process->stopped |= told_to_stop != 0;
        if (process->stopped)
            return false;
        if (poll(&input, 1, 200) == 1)
            return read_answers(process);
    }
    return true;
}

int import_process_end(struct import_process *process, bool kill_it)
{
    int status = 0;

    import_process_close(process);
    /* (Wine's server may keep the output open: the end of the process is what counts) */
    for (pid_t ended = 0; process->child > 0 && !ended;) {
        kill_it |= told_to_stop != 0;
        if (kill_it)
            kill(-process->child, SIGKILL);
        if (!import_process_wait(process, 0.05))
            poll(NULL, 0, 10); /* (it has closed its output, or does so now) */
        ended = waitpid(process->child, &status, kill_it ? 0 : WNOHANG);
    }
    if (process->from >= 0) {
        fcntl(process->from, F_SETFL, O_NONBLOCK);
        while (read_answers(process))
            ;
        close(process->from);
    }
    process->stopped |= told_to_stop != 0;
    take_signals(false);
    process->child = 0;
    return WIFEXITED(status) && !kill_it ? WEXITSTATUS(status) : -1;
}
