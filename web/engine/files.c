/* SPDX-License-Identifier: MIT */
/*
 * Files in memory: a table of names, and the system calls by which verbs access files. base/output.h writes into the
 * table, fopen reads from it; there are no folders, and any name may be written.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "web/engine/engine.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the table ------------------------------------------------------------------------------------- */

struct file {
    struct file *next;
    char *name;
    struct web_contents *contents;
};

/* An output that is open: open_memstream writes into it. */
struct writing {
    struct writing *next;
    const char *temporary; /* the output's */
    FILE *file;
    char *data;
    size_t size;
};

static struct {
    struct file *files;
    struct writing *outputs;
} root;

void web_contents_release(struct web_contents *contents)
{
    if (!contents || --contents->references)
        return;
    free(contents->data);
    free(contents);
}

static struct file **find(const char *name)
{
    struct file **place = &root.files;

    while (*place && strcmp((*place)->name, name) != 0)
        place = &(*place)->next;
    return place;
}

struct web_contents *web_file_get(const char *name)
{
    struct file *file = *find(name);

    if (!file)
        return NULL;
    file->contents->references++;
    return file->contents;
}

bool web_file_put(const char *name, uint8_t *data, size_t size)
{
    struct web_contents *contents = malloc(sizeof(*contents));
    struct file *file = *find(name);

    if (contents && !file) {
        file = calloc(1, sizeof(*file));
        if (file && !(file->name = strdup(name))) {
            free(file);
            file = NULL;
        }
        if (file) {
            file->next = root.files;
            root.files = file;
        }
    }
    if (!contents || !file) {
        free(contents);
        free(data);
        errno = ENOMEM;
        return false;
    }
    *contents = (struct web_contents){1, data, size};
    web_contents_release(file->contents);
    file->contents = contents;
    return true;
}

void web_file_remove(const char *name)
{
    struct file **place = find(name), *file = *place;

    if (!file)
        return;
    *place = file->next;
    web_contents_release(file->contents);
    free(file->name);
    free(file);
}

/* The current contents of an open output, because verbs read back their own files. NULL if there is none of that name,
 * or out of memory. */
static struct web_contents *contents_so_far(const char *name)
{
    struct writing *writing = root.outputs;
    struct web_contents *contents;

    while (writing && strcmp(writing->temporary, name) != 0)
        writing = writing->next;
    contents = writing && fflush(writing->file) == 0 ? calloc(1, sizeof(*contents)) : NULL;
    if (!contents)
        return NULL;
    *contents = (struct web_contents){1, malloc(writing->size + 1), writing->size};
    if (!contents->data) {
        free(contents);
        return NULL;
    }
    memcpy(contents->data, writing->data, writing->size);
    return contents;
}

/* --- reading ---------------------------------------------------------------------------------------- */

struct reading {
    struct web_contents *contents;
    size_t at;
};

static ssize_t reading_read(void *cookie, char *to, size_t size)
{
    struct reading *reading = cookie;
    const size_t left = reading->contents->size - reading->at;
    const size_t count = size < left ? size : left;

    if (count)
        memcpy(to, reading->contents->data + reading->at, count);
    reading->at += count;
    return (ssize_t)count;
}

static int reading_seek(void *cookie, off_t *offset, int whence)
{
    struct reading *reading = cookie;
    const off_t size = (off_t)reading->contents->size;
    const off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off_t)reading->at : size;

    if (*offset < -from || *offset > size - from) {
        errno = EINVAL;
        return -1;
    }
    *offset += from;
    reading->at = (size_t)*offset;
    return 0;
}

static int reading_close(void *cookie)
{
    struct reading *reading = cookie;

    web_contents_release(reading->contents);
    free(reading);
    return 0;
}

/* Replaces the C library's function, which would not write anything here. */
FILE *fopen(const char *restrict name, const char *restrict mode)
{
    static const cookie_io_functions_t calls = {.read = reading_read, .seek = reading_seek, .close = reading_close};
    struct reading *reading;
    FILE *file;

    if (mode[0] != 'r') {
        errno = EROFS;
        return NULL;
    }
    reading = calloc(1, sizeof(*reading));
    if (!reading) {
        errno = ENOMEM;
        return NULL;
    }
    reading->contents = web_file_get(name);
    if (!reading->contents)
        reading->contents = contents_so_far(name);
    file = reading->contents ? fopencookie(reading, "r", calls) : NULL;
    if (!file) {
        errno = reading->contents ? ENOMEM : ENOENT;
        web_contents_release(reading->contents);
        free(reading);
    }
    return file;
}

#define PART ".part"

/* --- writing: base/output.h -------------------------------------------------------------------------- */

bool output_open(struct output *output, const char *path, enum output_mode mode)
{
    struct writing *writing;

    *output = (struct output){.mode = mode};
    if (mode == OUTPUT_REPLACE && strcmp(path, "-") == 0) {
        output->file = stdout;
        return true;
    }
    if (mode == OUTPUT_NEW && *find(path)) {
        errno = EEXIST;
        return false;
    }
    writing = calloc(1, sizeof(*writing));
    output->path = strdup(path);
    output->temporary = malloc(strlen(path) + sizeof(PART));
    if (writing && output->path && output->temporary)
        writing->file = open_memstream(&writing->data, &writing->size);
    if (!writing || !writing->file) {
        free(writing);
        free(output->path);
        free(output->temporary);
        *output = (struct output){0};
        errno = ENOMEM;
        return false;
    }
    strcpy(output->temporary, path);
    strcat(output->temporary, PART);
    writing->temporary = output->temporary;
    writing->next = root.outputs;
    root.outputs = writing;
    output->file = writing->file;
    return true;
}

/* Ends the output; its bytes become a file, or nothing. */
static bool end_writing(struct output *output, bool keep)
{
    struct writing **place = &root.outputs, *writing;
    bool done;

    if (!output->file)
        return true;
    if (output->file == stdout) {
        *output = (struct output){0};
        return !ferror(stdout) && fflush(stdout) == 0;
    }
    while ((*place)->file != output->file)
        place = &(*place)->next;
    writing = *place;
    *place = writing->next;
    done = !ferror(writing->file);
    done = fclose(writing->file) == 0 && done;
    if (done && keep) {
        done = web_file_put(output->path, (uint8_t *)writing->data, writing->size);
        if (done)
            web_answer_file(output->path);
    } else {
        free(writing->data);
        errno = done ? errno : ENOMEM;
    }
    free(writing);
    free(output->path);
    free(output->temporary);
    *output = (struct output){0};
    return done;
}

bool output_commit(struct output *output)
{
    return end_writing(output, true);
}

bool output_commit_or_keep(struct output *output)
{
    return end_writing(output, true);
}

void output_discard(struct output *output)
{
    end_writing(output, false);
}

void output_keep(struct output *output)
{
    end_writing(output, true);
}

/* Signals do not end a module. */
void output_remove_temporaries(void)
{
}

/* Files are memory: an output fails only if memory runs out. */
int output_stream_error(FILE *file)
{
    (void)file;
    return ENOMEM;
}

bool output_is_same_file(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* --- other system calls -------------------------------------------------------------------------- */

static int not_there(void)
{
    errno = ENOENT;
    return -1;
}

int open(const char *path, int flags, ...)
{
    (void)path;
    (void)flags;
    return not_there();
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size)
{
    (void)path;
    (void)to;
    (void)size;
    return not_there();
}

int access(const char *path, int mode)
{
    (void)mode;
    return *find(path) ? 0 : not_there();
}

int stat(const char *restrict path, struct stat *restrict status)
{
    struct web_contents *contents = web_file_get(path);

    if (!contents)
        contents = contents_so_far(path);
    if (!contents)
        return not_there();
    *status = (struct stat){.st_mode = S_IFREG | 0666, .st_size = (off_t)contents->size};
    web_contents_release(contents);
    return 0;
}

/* There is no terminal for a progress line. */
int isatty(int file)
{
    (void)file;
    return 0;
}

int mkdir(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return 0;
}

int unlink(const char *path)
{
    if (!*find(path))
        return not_there();
    web_file_remove(path);
    return 0;
}
