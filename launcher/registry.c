/* SPDX-License-Identifier: MIT */
/* Text files of Wine's registry; one section is read and changed. */
#define _GNU_SOURCE /* asprintf */
#include "launcher/registry.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char section[] = "[Software\\\\Wine\\\\DllOverrides]";

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end ? end + 1 : line + strlen(line);
}

/* The first line of the section; NULL: it is not there. */
static const char *find_section(const char *text)
{
    for (; *text; text = next_line(text))
        if (!strncasecmp(text, section, sizeof(section) - 1))
            return next_line(text);
    return NULL;
}

/* "name"=value */
static bool is_value(const char *line, const char *name)
{
    const size_t length = strlen(name);

    return line[0] == '"' && !strncasecmp(line + 1, name, length) && line[length + 1] == '"' && line[length + 2] == '=';
}

/* The line with the value, or NULL; *end: where a new line is added, after the last nonblank line of the section. */
static const char *find_value(const char *line, const char *name, const char **end)
{
    *end = line;
    for (; *line && *line != '['; line = next_line(line)) {
        if (is_value(line, name))
            return line;
        if (*line != '\n' && *line != '\r')
            *end = next_line(line);
    }
    return NULL;
}

char *registry_get(const char *text, const char *name)
{
    const char *begin = find_section(text), *end, *line = begin ? find_value(begin, name, &end) : NULL;

    return line ? strndup(line + strlen(name) + 3, strcspn(line + strlen(name) + 3, "\r\n")) : NULL;
}

char *registry_set(const char *text, const char *name, const char *value)
{
    const char *begin = find_section(text), *end = NULL, *line = begin ? find_value(begin, name, &end) : NULL;
    const char *behind = line ? next_line(line) : end;
    char *all = NULL;
    int length;

    if (!value && !line)
        return strdup(text);
    if (!value)
        length = asprintf(&all, "%.*s%s", (int)(line - text), text, behind);
    else if (begin)
        length = asprintf(&all, "%.*s\"%s\"=%s\n%s", (int)((line ? line : end) - text), text, name, value, behind);
    else
        length = asprintf(&all, "%s\n%s %lld\n\"%s\"=%s\n", text, section, (long long)time(NULL), name, value);
    return length < 0 ? NULL : all;
}
