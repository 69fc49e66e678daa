/* SPDX-License-Identifier: MIT */
/* The functions that engine.js calls. */
#include "web/engine/engine.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 64

/* main of tools/main.c */
int dp2_main(int argc, char **argv);

int web_run(char *arguments, size_t size);
bool web_put(const char *name, uint8_t *data, size_t size);
const uint8_t *web_data(const char *name);
size_t web_size(const char *name);
void web_remove(const char *name);

/* A request: arguments, each followed by a 0. Returns the exit status. */
int web_run(char *arguments, size_t size)
{
    char program[] = "dp2", *argv[MAX_ARGUMENTS + 2] = {program};
    int argc = 1, status;

    for (size_t at = 0; at < size && argc <= MAX_ARGUMENTS; at += strlen(arguments + at) + 1)
        argv[argc++] = arguments + at;
    if (argc > 1 && strcmp(argv[1], web_verb_frames.syntax.name) == 0)
        status = tool_run(&web_verb_frames, argc - 1, argv + 1);
    else
        status = dp2_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    return status;
}

/* The data come from malloc, and belong to the table from now on. */
bool web_put(const char *name, uint8_t *data, size_t size)
{
    return web_file_put(name, data, size);
}

/* A file of the table, valid until the next call; NULL: there is none. */
const uint8_t *web_data(const char *name)
{
    struct web_contents *contents = web_file_get(name);
    const uint8_t *data = contents ? contents->data : NULL;

    web_contents_release(contents);
    return data;
}

size_t web_size(const char *name)
{
    struct web_contents *contents = web_file_get(name);
    const size_t size = contents ? contents->size : 0;

    web_contents_release(contents);
    return size;
}

void web_remove(const char *name)
{
    web_file_remove(name);
}
