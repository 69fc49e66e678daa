/* SPDX-License-Identifier: MIT */
/* Messages and paths. */
#include "launcher/launcher.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Most messages contain names of files and words of programs: control characters in them must not reach the
 * terminal. */
static void say_args(const char *format, va_list args)
{
    char text[2 * LAUNCHER_PATH], printable[4 * sizeof(text)];

    vsnprintf(text, sizeof(text), format, args);
    utf8_escape_text(printable, sizeof(printable), text);
    fprintf(stderr, "halcyon: %s\n", printable);
}

void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_args(format, args);
    va_end(args);
}

int fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_args(format, args);
    va_end(args);
    return LAUNCHER_FAILED;
}

int usage(const struct command *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_args(format, args);
    va_end(args);
    fprintf(stderr, "Try 'halcyon %s --help'.\n", command->syntax.name);
    return LAUNCHER_FAILED;
}

bool make_path(char path[LAUNCHER_PATH], const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(path, LAUNCHER_PATH, format, args);
    va_end(args);
    if (length >= 0 && length < LAUNCHER_PATH)
        return true;
    errno = ENAMETOOLONG;
    path[0] = 0;
    return false;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool path_folder(char folder[LAUNCHER_PATH], const char *path)
{
    const size_t length = (size_t)(path_name(path) - path);

    return length > 1 ? make_path(folder, "%.*s", (int)length - 1, path) : make_path(folder, length ? "/" : ".");
}

bool is_file(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISREG(status.st_mode);
}

bool is_folder(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

bool make_folders(const char *path)
{
    char part[LAUNCHER_PATH];

    if (!make_path(part, "%s", path))
        return false;
    for (char *at = part + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            if (mkdir(part, 0777) && errno != EEXIST)
                return false;
            *at = '/';
        }
    return !mkdir(part, 0777) || (errno == EEXIST && is_folder(part));
}
