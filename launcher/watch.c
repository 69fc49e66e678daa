/* SPDX-License-Identifier: MIT */
/* Starts a program under Wine and reads Wine's messages about dlls. */
#define _GNU_SOURCE /* pipe2 */
#include "launcher/watch.h"
#include "launcher/pe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 300 /* ms without a line after the program has ended: Wine's server and others keep the pipe open */

static volatile sig_atomic_t child;

static void pass_on(int number)
{
    if (child > 0)
        kill((pid_t)child, number);
}

static bool names_library(const char *name, size_t length, const char *library)
{
    return length == strlen(library) && !strncasecmp(name, library, length);
}

/* `Loaded L"Z:\\folder\\d3d8.dll" at 00000002E0CD0000: native` */
static void take_loaded(struct watched *watched, const char *text, const char *program)
{
    const char *end = strstr(text, "\" at "), *name = text;
    const bool native = end && strstr(end, ": native");
    size_t length;

    if (!end)
        return;
    for (const char *at = text; at < end; at++)
        if (*at == '\\' || *at == '/')
            name = at + 1;
    length = (size_t)(end - name);
    watched->driver |= names_library(name, length, "halcyon.dll");
    watched->started |= names_library(name, length, program);
    /* Wine escapes non-ASCII characters in its own way: then any program that is not Wine's counts */
    for (const char *c = program; *c; c++)
        if ((unsigned char)*c >= 0x80)
            watched->started |= native && length > 4 && !strncasecmp(end - 4, ".exe", 4);
    for (unsigned i = 0; i < PE_LIBRARY_COUNT; i++) {
        const char *library = pe_library_name((enum pe_library)i);
        if (length == strlen(library) + 4 && !strncasecmp(name, library, length - 4))
            *(native ? &watched->native : &watched->builtin) |= 1u << i;
    }
}

/* Parses a line of Wine's, without its newline. Returns false if the line is not about a dll. */
static bool watch_line(struct watched *watched, const char *line, const char *program)
{
    const char *loaded = strstr(line, "Loaded L\"");

    if (strstr(line, "Importing dlls for ") && strstr(line, "c0000135"))
        watched->lacks_dll = true;
    if (!strstr(line, "trace:loaddll:"))
        return false;
    if (loaded)
        take_loaded(watched, loaded + strlen("Loaded L\""), program);
    return true;
}

struct lines {
    char text[8192];
    size_t length;
};

/* Passes on the output, line by line; a line that is too long is passed on in pieces. */
static void take_text(struct watched *watched, struct lines *lines, const char *program, bool at_end)
{
    char *begin = lines->text, *newline;

    lines->text[lines->length] = 0;
    while ((newline = memchr(begin, '\n', lines->length - (size_t)(begin - lines->text)))) {
        *newline = 0;
        if (!watch_line(watched, begin, program))
            fprintf(stderr, "%s\n", begin);
        begin = newline + 1;
    }
    lines->length -= (size_t)(begin - lines->text);
    memmove(lines->text, begin, lines->length);
    if (lines->length && (at_end || lines->length == sizeof(lines->text) - 1)) {
        fwrite(lines->text, 1, lines->length, stderr);
        lines->length = 0;
    }
}

static void follow(struct watched *watched, int from, const char *program)
{
    struct lines lines = {.length = 0};
    bool ended = false;

    for (;;) {
        struct pollfd input = {.fd = from, .events = POLLIN};
        const int ready = poll(&input, 1, PATIENCE);
        ssize_t got;

        if (!ended && waitpid((pid_t)child, &watched->status, WNOHANG) == (pid_t)child)
            ended = true;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0 || (!ready && ended))
            break;
        if (!ready)
            continue;
        got = read(from, lines.text + lines.length, sizeof(lines.text) - 1 - lines.length);
        if (got <= 0)
            break;
        lines.length += (size_t)got;
        take_text(watched, &lines, program, false);
    }
    take_text(watched, &lines, program, true);
    while (!ended && waitpid((pid_t)child, &watched->status, 0) < 0 && errno == EINTR)
        ;
}

/* In the child. If Wine cannot be executed, errno is sent through the pipe `told`. */
static void execute_wine(char *const *argv, const char *folder, int errors, int told)
{
    int error;

    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    if (dup2(errors, STDERR_FILENO) >= 0 && (!folder || !chdir(folder)))
        execv(argv[0], argv);
    error = errno;
    if (write(told, &error, sizeof(error)) < 0)
        _exit(LAUNCHER_CANNOT_START);
    _exit(LAUNCHER_FAILED);
}

void watch_program(struct watched *watched, char *const *argv, const char *folder, const char *program)
{
    int errors[2], told[2];

    *watched = (struct watched){0};
    if (pipe2(errors, O_CLOEXEC) || pipe2(told, O_CLOEXEC)) {
        watched->errno_of_start = errno;
        return;
    }
    /* a terminal also sends these to the program, which handles them */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGTERM, pass_on);
    signal(SIGHUP, pass_on);
    child = fork();
    if (!child)
        execute_wine(argv, folder, errors[1], told[1]);
    close(errors[1]);
    close(told[1]);
    if (child < 0) {
        watched->errno_of_start = errno;
    } else {
        watched->ran = read(told[0], &watched->errno_of_start, sizeof(int)) != sizeof(int);
        follow(watched, errors[0], program);
    }
    close(errors[0]);
    close(told[0]);
}
