/* SPDX-License-Identifier: MIT */
/*
 * Files that are written whole or not at all. What is written goes to a temporary name in the same folder, which takes the
 * file's name when all of it is there; until then a file of that name stays as it is, and so it does if writing fails.
 * Devices, pipes and sockets are written in place and never removed.
 */
#ifndef HALCYON_BASE_OUTPUT_H
#define HALCYON_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum output_mode {
    OUTPUT_REPLACE, /* takes the place of a file of that name */
    OUTPUT_NEW,     /* fails with EEXIST if there is one, or if another process is writing one */
};

struct output {
    FILE *file;      /* to write to, in binary; NULL: not open */
    char *path;      /* the file's name, symbolic links resolved */
    char *temporary; /* the name it has until then; NULL: written in place */
    enum output_mode mode;
};

/* Opens `path` for writing; "-" is standard output with OUTPUT_REPLACE. The temporary name is `path` with the process's
 * number (OUTPUT_REPLACE) and ".part" behind it. False: errno says why, and *output is closed. */
bool output_open(struct output *output, const char *path, enum output_mode mode);

/* All has been written: the file gets its name. False: errno says why (of the first failed write, if one failed), and
 * nothing is left behind but what was there before; a file that was open in place may be incomplete. */
bool output_commit(struct output *output);

/* Ends without a result: the temporary file is removed. Does nothing when *output is closed. */
void output_discard(struct output *output);

/* Works like output_commit; but where it fails, what has been written stays under the temporary name: for files of which a
 * part is worth having. */
bool output_commit_or_keep(struct output *output);

/* Ends without a result, but what has been written stays under the temporary name. */
void output_keep(struct output *output);

/* Removes the temporary files of all outputs that are open. For signal handlers: calls nothing but unlink. */
void output_remove_temporaries(void);

/* Both names lead to one file. False as well if one of them leads nowhere. */
bool output_is_same_file(const char *a, const char *b);

/* Why writing to a stream with ferror() has failed, as errno says it: that of the call is lost by then, so the system is asked again,
 * by one more byte. For what is thrown away. */
int output_stream_error(FILE *file);

#endif
