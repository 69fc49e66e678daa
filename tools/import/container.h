/* SPDX-License-Identifier: MIT */
/*
 * The file of a trace as the bytes that it holds: chunks compressed by Snappy, each with its length before it (FORMAT.markdown of apitrace's
 * documents). The file is in memory; one chunk at a time is decompressed.
 */
#ifndef HALCYON_TOOLS_IMPORT_CONTAINER_H
#define HALCYON_TOOLS_IMPORT_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct container {
    const uint8_t *file;
    size_t size, end;                /* bytes of the file, and up to the last whole chunk */
    size_t next;                     /* the chunk after the current one */
    uint8_t *chunk;                  /* decompressed */
    size_t capacity, chunk_size, at; /* of it */
    uint64_t total, before;          /* decompressed bytes of all whole chunks, and of those before the current one */
    bool cut;                        /* the file ends inside a chunk: the program was killed, or the file was cut */
    const char *error;               /* why it cannot be read on; NULL: it can */
};

/* Begins to read a file that stays in memory. False: see container->error. container_close must follow, whatever the result. */
bool container_open(struct container *container, const void *file, size_t size);
void container_close(struct container *container);

/* Decompressed bytes that have not been read yet. */
static inline uint64_t container_left(const struct container *container)
{
    return container->total - container->before - container->at;
}
/* Each of these is false at the end and at damage, which sets container->error. */
bool container_byte(struct container *container, uint8_t *value);
/* Seven bits a byte, the lowest first. */
bool container_number(struct container *container, uint64_t *value);
bool container_read(struct container *container, void *to, size_t size);
bool container_skip(struct container *container, uint64_t size);

#endif
