/* SPDX-License-Identifier: MIT */
/*
 * What several verbs need: messages, numbers and frame ranges of the command line, JSON strings, progress.
 */
#include "tools/tool.h"

#include "base/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

int tool_fail(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "dp2 %s: ", verb->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return TOOL_ERROR;
}

int tool_usage(const struct tool_verb *verb, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "dp2 %s: ", verb->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'dp2 %s --help'.\n", verb->name);
    return TOOL_ERROR;
}

bool parse_number(const char *text, long low, long high, long *value)
{
    char *end;

    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && !*end && !errno && *value >= low && *value <= high;
}

void json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

void progress_start(struct progress *progress, const char *what)
{
    progress->what = what;
    progress->start = progress->last = clock_seconds();
    progress->shown = false;
}

void progress_show(struct progress *progress, uint64_t done, uint64_t all, uint32_t frame)
{
    const double now = clock_seconds();
    const unsigned percent = all ? (unsigned)(done * 100 / all) : 0;
    char bar[26];

    if (now - progress->start < 1 || now - progress->last < 0.1 || !isatty(STDERR_FILENO))
        return;
    progress->last = now;
    progress->shown = true;
    for (unsigned i = 0; i < sizeof(bar) - 1; i++)
        bar[i] = i < percent / 4 ? '#' : '.';
    bar[sizeof(bar) - 1] = 0;
    fprintf(stderr, "\r%s [%s] %3u%%  frame %u ", progress->what, bar, percent, (unsigned)frame);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
