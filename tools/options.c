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
#include <string.h>

/* Most messages contain names of files and words of captures: control characters in them must not reach the
 * terminal. */
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

/* Options that a word may be short for, or is. */
static int options_like(const char *word, const struct option *options)
{
    const size_t length = strcspn(word, "=");
    int count = 0;

    for (; options->name; options++)
        count += !strncmp(options->name, word, length);
    return count;
}

static bool is_value(int value, const struct option *options)
{
    while (options->name && options->val != value)
        options++;
    return options->name != NULL;
}

/* optopt: the letter; the value of an option that lacks an argument, or must not have one; 0: no option begins so, or several do. */
static void say_bad_option(const struct tool_verb *verb, const char *word, const char *letters,
                           const struct option *options)
{
    const bool is_long = !strncmp(word, "--", 2) && (!optopt || is_value(optopt, options));

    if (is_long && optopt && strchr(word, '='))
        tool_say(verb, "option '%.*s' doesn't allow an argument", (int)strcspn(word, "="), word);
    else if (is_long && optopt)
        tool_say(verb, "option '%s' requires an argument", word);
    else if (is_long && options_like(word + 2, options) > 1)
        tool_say(verb, "option '%s' is ambiguous", word);
    else if (is_long)
        tool_say(verb, "unrecognized option '%s'", word);
    else if (optopt >= '0' && optopt <= '9')
        tool_say(verb, "'-%c' begins no option, and no number here is negative", optopt);
    else if (strchr(letters, optopt))
        tool_say(verb, "option requires an argument -- '%c'", optopt);
    else
        tool_say(verb, "invalid option -- '%c'", optopt);
}

int tool_option(const struct tool_verb *verb, int argc, char **argv, const char *letters, const struct option *options,
                int *index)
{
    int option;

    opterr = 0;
    option = getopt_long(argc, argv, letters, options, index);
    if (option == '?')
        say_bad_option(verb, argv[optind - 1], letters, options);
    return option;
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
