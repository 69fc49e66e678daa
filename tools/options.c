/* SPDX-License-Identifier: MIT */
/*
 * Helps all verbs: messages, numbers of the command line.
 */
#include "tools/tool.h"

#include "base/utf8.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>

/* Names of files and words of captures are in most messages: none of them may do more than be read. */
static void say(const struct tool_verb *verb, const char *format, va_list args)
{
    char text[8192], printable[4 * sizeof(text)];

    vsnprintf(text, sizeof(text), format, args);
    utf8_escape_text(printable, sizeof(printable), text);
    progress_clear();
    fprintf(stderr, "dp2 %s: %s\n", verb->name, printable);
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
