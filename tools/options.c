/* SPDX-License-Identifier: MIT */
/*
 * Helps all verbs: messages, numbers of the command line.
 */
#include "tools/tool.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>

static void say(const struct tool_verb *verb, const char *format, va_list args)
{
    progress_clear();
    fprintf(stderr, "dp2 %s: ", verb->name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void tool_say(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(verb, format, args);
    va_end(args);
}

int tool_fail(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(verb, format, args);
    va_end(args);
    return TOOL_ERROR;
}

int tool_usage(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(verb, format, args);
    va_end(args);
    return tool_bad_option(verb);
}

int tool_bad_option(const struct tool_verb *verb)
{
    fprintf(stderr, "Try 'dp2 %s --help'.\n", verb->name);
    return TOOL_ERROR;
}

int tool_operands(const struct tool_verb *verb, int argc, char **argv, int count, const char *what)
{
    const int given = argc - optind;

    if (given < count)
        return tool_usage(verb, "missing operand: %s", what);
    if (given > count)
        return tool_usage(verb, "extra operand '%s'", argv[optind + count]);
    return TOOL_OK;
}

bool parse_number(const char *text, long low, long high, long *value)
{
    char *end;

    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && !*end && !errno && *value >= low && *value <= high;
}
