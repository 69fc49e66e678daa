/* SPDX-License-Identifier: MIT */
/* Names of files that are created while programs run. */
#include "base/name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/output.h"
#include "base/process.h"

#ifdef _WIN32
#include <direct.h>
#endif

#define MAX_NUMBER 100000u

static bool is_separator(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

static int make_folder(const char *path)
{
#ifdef _WIN32
    return _mkdir(path);
#else
    return mkdir(path, 0777);
#endif
}

/* Creates the folder and its parents. Errors are reported when the file is opened. */
static void make_folders(char *path)
{
    for (char *at = path + 1; *at; at++) {
        const char separator = *at;
        if (!is_separator(separator))
            continue;
        *at = 0;
        make_folder(path);
        *at = separator;
    }
}

struct name_values name_values_at(time_t when, char *program, size_t size)
{
    struct name_values values = {.program = program, .process = process_number()};

    process_title(program, size);
#ifdef _WIN32
    const struct tm *local = localtime(&when); /* of the thread, says the C runtime */
    if (local)
        values.time = *local;
#else
    localtime_r(&when, &values.time);
#endif
    return values;
}

struct name_values name_values_now(char *program, size_t size)
{
    return name_values_at(time(NULL), program, size);
}

/* The value of a letter after %; NULL: none. */
static const char *name_value(char letter, const struct name_values *values, char *text, size_t size)
{
    switch (letter) {
    case '%':
        return "%";
    case 'e':
        return values->program;
    case 'p':
        snprintf(text, size, "%u", values->process);
        return text;
    case 't':
        strftime(text, size, "%Y%m%d-%H%M%S", &values->time);
        return text;
    default:
        return NULL;
    }
}

/* Writes to `to` unless it is NULL; the bytes include the final 0. */
static size_t name_write(char *to, const char *from, const struct name_values *values)
{
    char text[32];
    size_t size = 0;

    for (; *from; from++) {
        const char *value = *from == '%' ? name_value(from[1], values, text, sizeof(text)) : NULL;
        const size_t length = value ? strlen(value) : 1;

        if (to)
            memcpy(to + size, value ? value : from, length);
        size += length;
        from += value != NULL;
    }
    if (to)
        to[size] = 0;
    return size + 1;
}

static char *expanded(const char *text, const struct name_values *values)
{
    char *result = malloc(name_write(NULL, text, values));

    if (result)
        name_write(result, text, values);
    return result;
}

static char *name_join(const char *folder, const char *separator, const char *file)
{
    const size_t size = strlen(folder) + strlen(separator) + strlen(file) + 1;
    char *path = malloc(size);

    if (path)
        snprintf(path, size, "%s%s%s", folder, separator, file);
    return path;
}

char *name_expand(const char *text, const char *extension, const struct name_values *values)
{
    char *path = expanded(text, values), *file, *pattern;
    const size_t length = path ? strlen(path) : 0;
    const bool folder = length && is_separator(path[length - 1]);
    struct stat info;

    if (!path || (!folder && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))))
        return path;
    if (folder)
        make_folders(path);
    pattern = name_join("%e-%p-%t", ".", extension);
    file = pattern ? expanded(pattern, values) : NULL;
    free(pattern);
    pattern = file ? name_join(path, folder ? "" : "/", file) : NULL;
    free(file);
    free(path);
    return pattern;
}

/* "title.capture", 3: "title.3.capture" */
static char *numbered(const char *path, unsigned number)
{
    const size_t size = strlen(path) + 16;
    const char *dot = NULL;
    char *result = malloc(size);

    for (const char *at = path; *at; at++)
        if (is_separator(*at))
            dot = NULL;
        else if (*at == '.' && at != path && !is_separator(at[-1]))
            dot = at;
    if (!dot)
        dot = path + strlen(path);
    if (result)
        snprintf(result, size, "%.*s.%u%s", (int)(dot - path), path, number, dot);
    return result;
}

bool name_open(struct output *output, const char *path)
{
    bool open = output_open(output, path, OUTPUT_NEW);

    for (unsigned number = 1; !open && errno == EEXIST && number < MAX_NUMBER; number++) {
        char *next = numbered(path, number);
        if (!next) {
            errno = ENOMEM;
            break;
        }
        open = output_open(output, next, OUTPUT_NEW);
        const int why = errno;
        free(next);
        errno = why;
    }
    return open;
}
