/* SPDX-License-Identifier: MIT */
/*
 * Files that are written completely or not at all. Data goes to a temporary file in the same folder, which is renamed
 * when it is complete; until then, and if writing fails, an existing file of that name is not changed. Devices, pipes
 * and sockets are written in place and never removed.
 */
#ifndef HALCYON_BASE_OUTPUT_H
#define HALCYON_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum output_mode {
    OUTPUT_REPLACE, /* replaces an existing file of that name */
    OUTPUT_NEW,     /* fails with EEXIST if the file exists, or if another process is writing it */
};

struct output {
    FILE *file;      /* to write to, in binary; NULL: not open */
    char *path;      /* the file's name, symbolic links resolved */
    char *temporary; /* the file's name until it is complete; NULL: written in place */
    enum output_mode mode;
};

/* Opens `path` for writing; "-" is standard output with OUTPUT_REPLACE. The temporary name is `path`, followed by the
 * process's number (OUTPUT_REPLACE) and ".part". False: errno says why, and *output is closed. */
bool output_open(struct output *output, const char *path, enum output_mode mode);

/* Everything has been written: gives the file its name. False: errno says why (the reason of the first failed write, if
 * one failed), and the folder is as it was before; a file that was written in place may be incomplete. */
bool output_commit(struct output *output);

/* Ends without a result: the temporary file is removed. Does nothing when *output is closed. */
void output_discard(struct output *output);

/* Works like output_commit, but if it fails, the data stays under the temporary name: for files whose beginning is
 * useful. */
bool output_commit_or_keep(struct output *output);

/* Ends without a result, but keeps the data under the temporary name. */
void output_keep(struct output *output);

/* Removes the temporary files of all outputs that are open. For signal handlers: calls nothing but unlink. */
void output_remove_temporaries(void);

/* Do both names refer to the same file? False as well if one of them does not exist. */
bool output_is_same_file(const char *a, const char *b);

/* Returns the errno of a failed write to a stream with ferror(). The original errno is lost by then, so this writes one
 * more byte to get it again. Only for output that is thrown away. */
int output_stream_error(FILE *file);

#endif
