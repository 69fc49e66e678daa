/* SPDX-License-Identifier: MIT */
/* The chunks of a trace's file. */
#include "tools/import/container.h"
#include "tools/import/snappy.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static bool damaged(struct container *container, const char *why)
{
    if (!container->error)
        container->error = why;
    return false;
}

static uint32_t word_at(const struct container *container, size_t at)
{
    const uint8_t *b = container->file + at;

    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Other compressions of apitrace's, by how their files begin. */
static const char *other_kind(const uint8_t *file, size_t size)
{
    if (size > 1 && file[0] == 0x1f && file[1] == 0x8b)
        return "the trace is compressed by gzip; 'apitrace repack' makes one that can be read";
    if (size > 3 && file[0] == 0x28 && file[1] == 0xb5 && file[2] == 0x2f && file[3] == 0xfd)
        return "the trace is compressed by Zstandard; 'apitrace repack' makes one that can be read";
    return "not a trace of apitrace that is compressed by Snappy, its default ('apitrace repack' makes one of any "
           "other)";
}

/* Adds up the sizes of the chunks, so that every length in them can be compared with what is left. */
static bool measure(struct container *container)
{
    size_t at = 2, length, head;

    while (container->size - at >= 4) {
        const uint32_t packed = word_at(container, at);

        if (packed > container->size - at - 4)
            break;
        if (!snappy_length(container->file + at + 4, packed, &length, &head))
            return damaged(container, "a chunk has a wrong length");
        at += 4 + (size_t)packed;
        container->total += length;
    }
    container->end = at;
    container->cut = at < container->size;
    return true;
}

bool container_open(struct container *container, const void *file, size_t size)
{
    *container = (struct container){.file = file, .size = size, .next = 2};
    if (size < 2 || memcmp(file, "at", 2) != 0)
        return damaged(container, other_kind(file, size));
    return measure(container);
}

void container_close(struct container *container)
{
    free(container->chunk);
    container->chunk = NULL;
}

/* Decompresses the next chunk that is not empty. */
static bool next_chunk(struct container *container)
{
    do {
        const uint8_t *data = container->file + container->next + 4;
        size_t length, head;
        uint32_t packed;

        if (container->error || container->next >= container->end)
            return damaged(container, "the trace ends inside a call");
        packed = word_at(container, container->next);
        if (!snappy_length(data, packed, &length, &head))
            return damaged(container, "a chunk has a wrong length");
        container->before += container->chunk_size;
        container->chunk_size = container->at = 0;
        if (length > container->capacity) {
            free(container->chunk);
            container->chunk = mem_alloc(length, 1, 0);
            container->capacity = container->chunk ? length : 0;
            if (!container->chunk)
                return damaged(container, "out of memory");
        }
        if (length && !snappy_expand(data, packed, container->chunk, length))
            return damaged(container, "a chunk cannot be decompressed");
        container->chunk_size = length;
        container->next += 4 + (size_t)packed;
    } while (!container->chunk_size);
    return true;
}

bool container_byte(struct container *container, uint8_t *value)
{
    if (container->at == container->chunk_size && !next_chunk(container))
        return false;
    *value = container->chunk[container->at++];
    return true;
}

bool container_number(struct container *container, uint64_t *value)
{
    uint8_t byte;

    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (!container_byte(container, &byte))
            return false;
        if (shift == 63 && byte > 1)
            break;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return damaged(container, "a number has more than 64 bits");
}

bool container_read(struct container *container, void *to, size_t size)
{
    uint8_t *out = to;

    while (size) {
        const size_t part = BASE_MIN(size, container->chunk_size - container->at);

        if (!part) {
            if (!next_chunk(container))
                return false;
            continue;
        }
        memcpy(out, container->chunk + container->at, part);
        container->at += part;
        out += part;
        size -= part;
    }
    return true;
}

bool container_skip(struct container *container, uint64_t size)
{
    while (size) {
        const uint64_t part = BASE_MIN(size, (uint64_t)(container->chunk_size - container->at));

        if (!part && !next_chunk(container))
            return false;
        container->at += (size_t)part;
        size -= part;
    }
    return true;
}
