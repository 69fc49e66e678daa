/* SPDX-License-Identifier: MIT */
/*
 * Runs a verb on its command line, and prints its messages.
 */
#include "tools/tool.h"

#include "base/base.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Most messages contain names of files and words of captures: control characters in them must not reach the
 * terminal. */
static void print_message(const struct tool_verb *verb, const char *format, va_list args)
{
    char text[8192], printable[4 * sizeof(text)];

    vsnprintf(text, sizeof(text), format, args);
    utf8_escape_text(printable, sizeof(printable), text);
    progress_clear();
    fprintf(stderr, "dp2 %s: %s\n", verb->syntax.name, printable);
}

void tool_say(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_message(verb, format, args);
    va_end(args);
}

int tool_fail(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_message(verb, format, args);
    va_end(args);
    return TOOL_ERROR;
}

int tool_usage(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_message(verb, format, args);
    va_end(args);
    fprintf(stderr, "Try 'dp2 %s --help'.\n", verb->syntax.name);
    return TOOL_ERROR;
}

const struct option_operand tool_capture[] = {{"FILE", .value = VALUE_FILE}, {0}};
const struct option_operand tool_draw[] = {{"FILE", .value = VALUE_FILE}, {.name = "FRAME.DRAW"}, {0}};

int tool_operands(const struct tool_verb *verb, char **operands, int given, int wanted, const char *what)
{
    if (given < wanted)
        return tool_usage(verb, "missing operand: %s", what);
    if (given > wanted)
        return tool_usage(verb, "extra operand '%s'", operands[wanted]);
    return TOOL_OK;
}

void tool_set_threads(long threads)
{
    char text[24];

    snprintf(text, sizeof(text), "%ld", threads);
    if (threads)
        setenv("HALCYON_THREADS", text, 1);
}

static int options_complain(const void *verb, const char *message)
{
    return tool_usage(verb, "%s", message);
}

int tool_run(const struct tool_verb *verb, int argc, char **argv)
{
    const struct option_program program = {
        .name = "dp2", .syntax = &verb->syntax, .run = verb->run, .complain = options_complain, .user = verb};
    void *settings = mem_calloc(1, verb->size ? verb->size : 1);
    int status;

    if (!settings)
        return tool_fail(verb, "out of memory");
    if (verb->defaults)
        memcpy(settings, verb->defaults, verb->size);
    if (verb->prepare)
        verb->prepare(settings);
    /* The driver captures nothing while a verb plays a capture; 'dp2 replay --record' asks it to. */
    setenv("HALCYON_CAPTURE", "", 1);
    status = options_run(&program, settings, argc, argv);
    if (verb->release)
        verb->release(settings);
    free(settings);
    return status;
}
