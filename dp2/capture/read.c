/* SPDX-License-Identifier: MIT */
/*
 * Reading a capture from an untrusted source: every size is compared with the file and with a limit before memory is
 * allocated or a byte is read.
 */
#define _FILE_OFFSET_BITS 64
#include "dp2/capture/capture.h"
#include "base/base.h"
#include "dp2/capture/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Deflate never packs better than 1032 : 1: a header with a higher ratio is invalid. This keeps a small hostile file
 * from using much memory. */
#define MAX_RATIO 1032u

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#define seek_file _fseeki64
#define tell_file _ftelli64
#else
#define seek_file fseeko
#define tell_file ftello
#endif

struct capture_reader {
    FILE *file;            /* or */
    const uint8_t *memory; /* the whole file */
    uint8_t *own_memory;   /* the same, if the reader has read it from a pipe */
    uint64_t size;
    uint64_t first_chunk, next_chunk; /* offsets in the file */
    char *info;
    struct capture_index_entry *index;
    uint32_t index_count;
    /* The chunk of events being read. */
    uint8_t *raw, *stored;
    size_t raw_capacity, stored_capacity;
    uint32_t raw_size, position, frame;
    uint64_t chunk_offset;
    uint64_t skipped; /* events of unknown types */
    unsigned minor;   /* version of the file */
};

__attribute__((format(gnu_printf, 3, 4))) static enum capture_status bad(struct capture_error *error, uint64_t offset,
                                                                         const char *format, ...)
{
    va_list args;

    va_start(args, format);
    error->offset = offset;
    error->system = 0;
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return CAPTURE_BAD;
}

static enum capture_status read_failed(struct capture_error *error, uint64_t offset, int why)
{
    why = why ? why : EIO;
    bad(error, offset, "%s", strerror(why));
    error->system = why;
    return CAPTURE_BAD;
}

/* False if the file has fewer bytes, or cannot be read (errno, else 0). */
static bool read_at(struct capture_reader *reader, uint64_t offset, void *data, size_t size)
{
    errno = 0;
    if (offset > reader->size || reader->size - offset < size)
        return false;
    if (reader->memory) {
        if (size)
            memcpy(data, reader->memory + offset, size);
        return true;
    }
    return seek_file(reader->file, (int64_t)offset, SEEK_SET) == 0 && fread(data, 1, size, reader->file) == size;
}

static bool reader_reserve(uint8_t **buffer, size_t *capacity, size_t size)
{
    uint8_t *bigger;

    if (size <= *capacity)
        return true;
    bigger = realloc(*buffer, size);
    if (!bigger)
        return false;
    *buffer = bigger;
    *capacity = size;
    return true;
}

/* Reads the header of the chunk at `offset` and checks all that it claims. */
static enum capture_status read_chunk_header(struct capture_reader *reader, uint64_t offset,
                                             struct capture_chunk_header *header, struct capture_error *error)
{
    uint32_t crc;

    if (!read_at(reader, offset, header, sizeof(*header))) {
        if (errno)
            return read_failed(error, offset, errno);
        bad(error, offset, "the file ends inside a chunk header");
        return CAPTURE_CUT;
    }
    if (header->magic != CAPTURE_CHUNK_MAGIC)
        return bad(error, offset, "no chunk starts here (magic %08" PRIx32 ")", header->magic);
    crc = (uint32_t)crc32(0, (const void *)header, offsetof(struct capture_chunk_header, header_crc));
    if (crc != header->header_crc)
        return bad(error, offset, "checksum of the chunk header is wrong");
    if (header->raw_size > CAPTURE_MAX_CHUNK || header->stored_size > CAPTURE_MAX_CHUNK)
        return bad(error, offset, "chunk of %" PRIu32 " bytes is too large", header->raw_size);
    if (header->flags & ~CAPTURE_CHUNK_ZLIB)
        return bad(error, offset, "unknown chunk flags %04x", header->flags);
    if (header->flags & CAPTURE_CHUNK_ZLIB ? header->raw_size > (uint64_t)header->stored_size * MAX_RATIO + 64
                                           : header->raw_size != header->stored_size) {
        return bad(error, offset, "chunk claims %" PRIu32 " bytes from %" PRIu32 " stored", header->raw_size,
                   header->stored_size);
    }
    if (reader->size - offset - sizeof(*header) < header->stored_size) {
        bad(error, offset, "the file ends inside a chunk");
        return CAPTURE_CUT;
    }
    return CAPTURE_OK;
}

/* Reads and unpacks the payload into reader->raw. */
static enum capture_status read_payload(struct capture_reader *reader, uint64_t offset,
                                        const struct capture_chunk_header *header, struct capture_error *error)
{
    uLongf size = header->raw_size;
    int unpacked;

    /* One byte more, for the end of text, and so that no size is 0. */
    if (!reader_reserve(&reader->stored, &reader->stored_capacity, header->stored_size + (size_t)1) ||
        !reader_reserve(&reader->raw, &reader->raw_capacity, header->raw_size + (size_t)1))
        return read_failed(error, offset, ENOMEM);
    if (!read_at(reader, offset + sizeof(*header), reader->stored, header->stored_size))
        return read_failed(error, offset, errno);
    if ((uint32_t)crc32(0, reader->stored, header->stored_size) != header->crc)
        return bad(error, offset, "checksum of the chunk is wrong");
    if (!(header->flags & CAPTURE_CHUNK_ZLIB)) {
        memcpy(reader->raw, reader->stored, header->stored_size);
        return CAPTURE_OK;
    }
    unpacked = uncompress(reader->raw, &size, reader->stored, header->stored_size);
    if (unpacked == Z_MEM_ERROR)
        return read_failed(error, offset, ENOMEM);
    if (unpacked != Z_OK || size != header->raw_size)
        return bad(error, offset, "the chunk cannot be unpacked");
    return CAPTURE_OK;
}

static void read_info(struct capture_reader *reader, const struct capture_chunk_header *header)
{
    if (reader->info)
        return;
    reader->info = mem_alloc(header->raw_size, 1, 1);
    if (reader->info) {
        memcpy(reader->info, reader->raw, header->raw_size);
        reader->info[header->raw_size] = 0;
    }
}

/* The index is optional: an index with any error is not used. */
static void reader_read_index(struct capture_reader *reader)
{
    struct capture_footer footer;
    struct capture_chunk_header header;
    struct capture_error ignored;
    const struct capture_index_entry *entries;

    if (reader->size < sizeof(footer) || !read_at(reader, reader->size - sizeof(footer), &footer, sizeof(footer)) ||
        memcmp(footer.magic, CAPTURE_FOOTER_MAGIC, sizeof(footer.magic)) != 0 ||
        (uint32_t)crc32(0, (const void *)&footer, offsetof(struct capture_footer, crc)) != footer.crc ||
        footer.frame_count > CAPTURE_MAX_FRAMES || footer.index_offset > reader->size)
        return;
    if (read_chunk_header(reader, footer.index_offset, &header, &ignored) != CAPTURE_OK ||
        header.type != CAPTURE_CHUNK_INDEX || header.raw_size != (uint64_t)footer.frame_count * sizeof(*entries) ||
        read_payload(reader, footer.index_offset, &header, &ignored) != CAPTURE_OK)
        return;
    entries = (const void *)reader->raw;
    for (uint32_t i = 0; i < footer.frame_count; i++)
        if (entries[i].offset < reader->first_chunk || entries[i].offset >= reader->size ||
            (i && (entries[i].offset <= entries[i - 1].offset || entries[i].frame <= entries[i - 1].frame)))
            return;
    reader->index = mem_alloc(header.raw_size, 1, 1);
    if (reader->index) {
        memcpy(reader->index, reader->raw, header.raw_size);
        reader->index_count = footer.frame_count;
    }
}

static bool read_start(struct capture_reader *reader, struct capture_error *error)
{
    struct capture_file_header header;
    struct capture_chunk_header chunk;
    struct capture_error ignored;

    if (!read_at(reader, 0, &header, sizeof(header))) {
        if (errno)
            read_failed(error, 0, errno);
        else
            bad(error, 0, "too short for a capture");
        return false;
    }
    if (memcmp(header.magic, CAPTURE_FILE_MAGIC, sizeof(header.magic)) != 0) {
        bad(error, 0, "not a capture file");
        return false;
    }
    if (header.major != CAPTURE_VERSION_MAJOR) {
        bad(error, 8, "capture format %u.%u, this program reads %u.x", header.major, header.minor,
            CAPTURE_VERSION_MAJOR);
        return false;
    }
    if (header.header_size < sizeof(header) || header.header_size > reader->size) {
        bad(error, 12, "impossible header size %" PRIu32, header.header_size);
        return false;
    }
    reader->minor = header.minor;
    reader->first_chunk = reader->next_chunk = header.header_size;
    if (read_chunk_header(reader, reader->first_chunk, &chunk, &ignored) == CAPTURE_OK &&
        chunk.type == CAPTURE_CHUNK_INFO && read_payload(reader, reader->first_chunk, &chunk, &ignored) == CAPTURE_OK)
        read_info(reader, &chunk);
    reader_read_index(reader);
    capture_rewind(reader);
    return true;
}

static struct capture_reader *reader_start(struct capture_reader *reader, struct capture_error *error)
{
    if (!read_start(reader, error)) {
        capture_close(reader);
        return NULL;
    }
    return reader;
}

struct capture_reader *capture_open_memory(const void *data, size_t size, struct capture_error *error)
{
    struct capture_reader *reader = mem_calloc(1, sizeof(*reader));

    if (!reader) {
        read_failed(error, 0, ENOMEM);
        return NULL;
    }
    reader->memory = data;
    reader->size = size;
    return reader_start(reader, error);
}

/* Reads a whole stream. If the first bytes are not a capture's, it stops, because the stream may be endless. */
static bool read_stream(struct capture_reader *reader, FILE *file, struct capture_error *error)
{
    const size_t magic = sizeof(((struct capture_file_header *)0)->magic);
    size_t capacity = 0, size = 0, wanted = sizeof(struct capture_file_header), count;

    do {
        if (!reader_reserve(&reader->own_memory, &capacity, wanted)) {
            read_failed(error, size, ENOMEM);
            return false;
        }
        errno = 0;
        count = fread(reader->own_memory + size, 1, capacity - size, file);
        size += count;
        if (ferror(file)) {
            read_failed(error, size, errno);
            return false;
        }
        if (size >= CAPTURE_MAX_STREAM) {
            read_failed(error, size, EFBIG);
            return false;
        }
        wanted = capacity + capacity / 2 + 65536;
    } while (size == capacity && memcmp(reader->own_memory, CAPTURE_FILE_MAGIC, magic) == 0);
    reader->memory = reader->own_memory;
    reader->size = size;
    return true;
}

static bool reader_open_file(struct capture_reader *reader, const char *path, struct capture_error *error)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    int64_t size;
    bool done;

    if (!file) {
        read_failed(error, 0, errno);
        return false;
    }
#ifdef _WIN32
    _setmode(_fileno(file), _O_BINARY);
#endif
    if (file != stdin && seek_file(file, 0, SEEK_END) == 0 && (size = tell_file(file)) > 0) {
        reader->file = file;
        reader->size = (uint64_t)size;
        return true;
    }
    done = read_stream(reader, file, error);
    if (file != stdin)
        fclose(file);
    return done;
}

struct capture_reader *capture_open(const char *path, struct capture_error *error)
{
    struct capture_reader *reader = mem_calloc(1, sizeof(*reader));

    if (!reader) {
        read_failed(error, 0, ENOMEM);
        return NULL;
    }
    if (!reader_open_file(reader, path, error)) {
        capture_close(reader);
        return NULL;
    }
    return reader_start(reader, error);
}

void capture_close(struct capture_reader *reader)
{
    if (!reader)
        return;
    if (reader->file)
        fclose(reader->file);
    free(reader->own_memory);
    free(reader->info);
    free(reader->index);
    free(reader->raw);
    free(reader->stored);
    free(reader);
}

/* Moves to the next chunk of events. */
static enum capture_status next_chunk(struct capture_reader *reader, struct capture_error *error)
{
    struct capture_chunk_header header;
    enum capture_status status;

    do {
        const uint64_t offset = reader->next_chunk;

        reader->raw_size = reader->position = 0;
        if (offset == reader->size) {
            /* A complete file ends with a footer. */
            bad(error, offset, "the file ends without an index");
            return CAPTURE_CUT;
        }
        status = read_chunk_header(reader, offset, &header, error);
        if (status != CAPTURE_OK)
            return status;
        if (header.type == CAPTURE_CHUNK_INDEX)
            return CAPTURE_END;
        if (header.type == CAPTURE_CHUNK_EVENTS) {
            status = read_payload(reader, offset, &header, error);
            if (status != CAPTURE_OK)
                return status;
            reader->raw_size = header.raw_size;
            reader->frame = header.frame;
            reader->chunk_offset = offset;
        }
        reader->next_chunk = offset + sizeof(header) + header.stored_size;
    } while (reader->raw_size == 0);
    return CAPTURE_OK;
}

/* The next event in the chunk, known or not. */
static enum capture_status reader_next_event(struct capture_reader *reader, struct capture_event *event,
                                             struct capture_error *error)
{
    const uint32_t left = reader->raw_size - reader->position;
    struct capture_event_header header;
    uint64_t whole;

    if (left < sizeof(header))
        return bad(error, reader->chunk_offset, "%" PRIu32 " stray bytes end the chunk", left);
    memcpy(&header, reader->raw + reader->position, sizeof(header));
    whole = sizeof(header) + (((uint64_t)header.size + 3) & ~(uint64_t)3);
    if (whole > left) {
        return bad(error, reader->chunk_offset, "event \"%s\" at byte %" PRIu32 " runs past the end of its chunk",
                   capture_event_name(header.type), reader->position);
    }
    event->type = header.type;
    event->size = header.size;
    event->data = reader->raw + reader->position + sizeof(header);
    event->frame = reader->frame;
    event->offset = reader->chunk_offset;
    event->position = reader->position;
    reader->position += (uint32_t)whole;
    return CAPTURE_OK;
}

enum capture_status capture_next(struct capture_reader *reader, struct capture_event *event,
                                 struct capture_error *error)
{
    enum capture_status status;

    do {
        if (reader->position == reader->raw_size) {
            status = next_chunk(reader, error);
            if (status != CAPTURE_OK)
                return status;
        }
        status = reader_next_event(reader, event, error);
        if (status != CAPTURE_OK)
            return status;
        reader->skipped += capture_head_size(event->type) == 0;
    } while (capture_head_size(event->type) == 0);
    return capture_event_is_sound(event, error) ? CAPTURE_OK : CAPTURE_BAD;
}

void capture_rewind(struct capture_reader *reader)
{
    reader->next_chunk = reader->first_chunk;
    reader->raw_size = reader->position = 0;
    reader->skipped = 0;
}

bool capture_seek_frame(struct capture_reader *reader, uint32_t frame)
{
    uint32_t low = 0, high = reader->index_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (reader->index[middle].frame < frame)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == reader->index_count || reader->index[low].frame != frame)
        return false;
    reader->next_chunk = reader->index[low].offset;
    reader->raw_size = reader->position = 0;
    return true;
}

uint64_t capture_skipped(const struct capture_reader *reader)
{
    return reader->skipped;
}

unsigned capture_minor_version(const struct capture_reader *reader)
{
    return reader->minor;
}

uint32_t capture_indexed_frames(const struct capture_reader *reader)
{
    return reader->index_count;
}

const char *capture_info(const struct capture_reader *reader)
{
    return reader->info ? reader->info : "";
}

uint64_t capture_size(const struct capture_reader *reader)
{
    return reader->size;
}

uint64_t capture_position(const struct capture_reader *reader)
{
    return reader->next_chunk;
}
