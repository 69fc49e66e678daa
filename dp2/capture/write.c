/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture. Events are collected in a buffer that becomes a chunk when it is full or the frame ends; each chunk
 * is written at once, so that a crash of the program loses at most the current frame.
 */
#include "dp2/capture/capture.h"
#include "base/base.h"
#include "dp2/capture/format.h"

#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CHUNK_TARGET (1u << 20) /* a chunk is closed when it is larger than this */

struct capture_writer {
    FILE *file;
    uint64_t offset; /* bytes written */
    bool failed;
    int error; /* errno of the first failed write */
    uint8_t *raw, *packed;
    size_t raw_size, raw_capacity, packed_capacity;
    uint32_t frame, events; /* of the frame: so far */
    struct capture_index_entry *index;
    size_t index_count, index_capacity;
    bool frame_indexed;
};

static void set_error(struct capture_error *error, uint64_t offset, const char *text)
{
    if (error) {
        error->offset = offset;
        snprintf(error->text, sizeof(error->text), "%s", text);
    }
}

/* Nothing more is written. errno says why. */
static bool writer_fail(struct capture_writer *writer, int why)
{
    if (!writer->failed) {
        writer->failed = true;
        writer->error = why ? why : EIO;
    }
    return false;
}

/* A partial write has no error code yet: Wine's C runtime sets EINVAL, others nothing. */
static bool write_failed(struct capture_writer *writer)
{
    const int why = errno;

    if (writer->failed)
        return false;
    return writer_fail(writer, why && why != EINVAL ? why : output_stream_error(writer->file));
}

static void set_write_error(struct capture_error *error, const struct capture_writer *writer)
{
    char text[sizeof(error->text)];

    snprintf(text, sizeof(text), "cannot be written: %s", strerror(writer->error));
    set_error(error, writer->offset, text);
}

static bool writer_grow(void *buffer, size_t *capacity, size_t wanted, size_t element)
{
    void **place = buffer;
    size_t size = *capacity ? *capacity : 64;
    void *bigger;

    if (wanted <= *capacity)
        return true;
    while (size < wanted)
        size += size / 2;
    bigger = mem_realloc(*place, size, element);
    if (!bigger)
        return false;
    *place = bigger;
    *capacity = size;
    return true;
}

static bool write_bytes(struct capture_writer *writer, const void *data, size_t size)
{
    errno = 0;
    if (writer->failed || (size && fwrite(data, 1, size, writer->file) != size))
        return write_failed(writer);
    writer->offset += size;
    return true;
}

/* Compresses with zlib if that makes the chunk smaller. */
static bool write_chunk(struct capture_writer *writer, uint16_t type, const void *raw, size_t size)
{
    struct capture_chunk_header header = {.magic = CAPTURE_CHUNK_MAGIC,
                                          .type = type,
                                          .stored_size = (uint32_t)size,
                                          .raw_size = (uint32_t)size,
                                          .frame = writer->frame};
    uLongf packed = compressBound((uLong)size);
    const void *stored = raw;

    if (!writer_grow(&writer->packed, &writer->packed_capacity, packed, 1))
        return writer_fail(writer, ENOMEM);
    if (compress2(writer->packed, &packed, raw, (uLong)size, Z_BEST_SPEED) == Z_OK && packed < size) {
        stored = writer->packed;
        header.stored_size = (uint32_t)packed;
        header.flags = CAPTURE_CHUNK_ZLIB;
    }
    header.crc = (uint32_t)crc32(0, stored, header.stored_size);
    header.header_crc = (uint32_t)crc32(0, (const void *)&header, offsetof(struct capture_chunk_header, header_crc));
    if (!write_bytes(writer, &header, sizeof(header)) || !write_bytes(writer, stored, header.stored_size))
        return false;
    return fflush(writer->file) == 0 || write_failed(writer);
}

static void free_writer(struct capture_writer *writer)
{
    free(writer->raw);
    free(writer->packed);
    free(writer->index);
    free(writer);
}

struct capture_writer *capture_create(struct output *output, const char *info, struct capture_error *error)
{
    struct capture_file_header header = {
        .major = CAPTURE_VERSION_MAJOR, .minor = CAPTURE_VERSION_MINOR, .header_size = sizeof(header)};
    struct capture_writer *writer = mem_calloc(1, sizeof(*writer));

    if (!writer) {
        set_error(error, 0, "out of memory");
        return NULL;
    }
    writer->file = output->file;
    memcpy(header.magic, CAPTURE_FILE_MAGIC, sizeof(header.magic));
    if (!write_bytes(writer, &header, sizeof(header)) ||
        !write_chunk(writer, CAPTURE_CHUNK_INFO, info ? info : "", info ? strlen(info) : 0)) {
        set_write_error(error, writer);
        free_writer(writer);
        return NULL;
    }
    return writer;
}

int capture_write_error(const struct capture_writer *writer)
{
    return writer->error;
}

static bool index_frame(struct capture_writer *writer)
{
    struct capture_index_entry entry = {.offset = writer->offset, .frame = writer->frame};

    if (writer->frame_indexed)
        return true;
    if (!writer_grow(&writer->index, &writer->index_capacity, writer->index_count + 1, sizeof(entry)))
        return writer_fail(writer, ENOMEM);
    writer->index[writer->index_count++] = entry;
    writer->frame_indexed = true;
    return true;
}

static bool close_chunk(struct capture_writer *writer)
{
    const size_t size = writer->raw_size;

    if (size == 0)
        return !writer->failed;
    writer->raw_size = 0;
    return index_frame(writer) && write_chunk(writer, CAPTURE_CHUNK_EVENTS, writer->raw, size);
}

static uint8_t *writer_append(uint8_t *at, const void *data, size_t size)
{
    if (size)
        memcpy(at, data, size);
    return at + size;
}

bool capture_write(struct capture_writer *writer, enum capture_event_type type, const struct capture_bytes *pieces,
                   unsigned count)
{
    struct capture_event_header header = {.type = (uint16_t)type};
    static const uint8_t padding[4];
    uint64_t size = 0;
    size_t whole;
    uint8_t *at;

    for (unsigned i = 0; i < count; i++)
        size += pieces[i].size;
    if (writer->failed || size > CAPTURE_MAX_CHUNK - 64)
        return writer_fail(writer, EFBIG);
    header.size = (uint32_t)size;
    whole = sizeof(header) + (((size_t)size + 3) & ~(size_t)3);
    if (writer->raw_size && writer->raw_size + whole > CHUNK_TARGET && !close_chunk(writer))
        return false;
    if (!writer_grow(&writer->raw, &writer->raw_capacity, writer->raw_size + whole, 1))
        return writer_fail(writer, ENOMEM);
    at = writer_append(writer->raw + writer->raw_size, &header, sizeof(header));
    for (unsigned i = 0; i < count; i++)
        at = writer_append(at, pieces[i].data, pieces[i].size);
    writer_append(at, padding, whole - sizeof(header) - (size_t)size);
    writer->raw_size += whole;
    writer->events++;
    return true;
}

bool capture_flush(struct capture_writer *writer, bool end_of_frame)
{
    const bool done = close_chunk(writer);

    if (done && end_of_frame) {
        if (writer->frame_indexed)
            writer->index[writer->index_count - 1].events = writer->events;
        writer->frame++;
        writer->events = 0;
        writer->frame_indexed = false;
    }
    return done;
}

bool capture_finish(struct capture_writer *writer, struct capture_error *error)
{
    struct capture_footer footer = {.frame_count = 0};
    bool done = capture_flush(writer, writer->events != 0);

    footer.index_offset = writer->offset;
    footer.frame_count = (uint32_t)writer->index_count;
    footer.crc = (uint32_t)crc32(0, (const void *)&footer, offsetof(struct capture_footer, crc));
    memcpy(footer.magic, CAPTURE_FOOTER_MAGIC, sizeof(footer.magic));
    done =
        done && write_chunk(writer, CAPTURE_CHUNK_INDEX, writer->index, writer->index_count * sizeof(*writer->index));
    done = done && write_bytes(writer, &footer, sizeof(footer));
    done = done && (fflush(writer->file) == 0 || write_failed(writer));
    if (!done)
        set_write_error(error, writer);
    free_writer(writer);
    return done;
}
