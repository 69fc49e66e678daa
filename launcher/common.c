/* SPDX-License-Identifier: MIT */
/* Messages. */
#include "launcher/launcher.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

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
