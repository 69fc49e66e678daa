/* SPDX-License-Identifier: MIT */
/*
 * The capture container: everything written can be read; a file cut off anywhere reads up to its last whole chunk; a
 * file damaged anywhere is refused or read without harm.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/output.h"
#include "dp2/capture/capture.h"
#include "dp2/capture/format.h"

#define FRAMES 5u

static char path[] = "/tmp/halcyon-capture-XXXXXX";
static char fifo[64];

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes read_named(const char *name)
{
    struct bytes bytes = {NULL, 0};
    FILE *file = fopen(name, "rb");

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static struct bytes read_file(void)
{
    return read_named(path);
}

/* Per frame: a draw of commands that are all `frame`, memory, the end. */
static void write_frame(struct capture_writer *writer, uint32_t frame, uint32_t command_bytes)
{
    const struct capture_draw draw = {1, 0, 0x112, 32, 1, command_bytes, 32};
    const struct capture_memory memory = {.id = 1, .row_count = 2, .row_bytes = 5, .slice_count = 1};
    const struct capture_frame end = {frame, 1, {0, 0, 640, 480}};
    const uint32_t padded = (command_bytes + 3) & ~3u;
    uint8_t *commands = malloc(padded + 1);
    uint8_t vertices[32] = {1, 2, 3};
    struct capture_bytes pieces[3] = {{&draw, sizeof(draw)}, {commands, padded}, {vertices, sizeof(vertices)}};

    assert_non_null(commands);
    memset(commands, (int)frame, padded);
    assert_true(capture_write(writer, CAPTURE_DRAW, pieces, 3));
    pieces[0] = (struct capture_bytes){&memory, sizeof(memory)};
    pieces[1] = (struct capture_bytes){"0123456789", 10};
    assert_true(capture_write(writer, CAPTURE_MEMORY, pieces, 2));
    pieces[0] = (struct capture_bytes){&end, sizeof(end)};
    assert_true(capture_write(writer, CAPTURE_FRAME, pieces, 1));
    assert_true(capture_flush(writer, true));
    free(commands);
}

static struct capture_writer *create(struct output *output, const char *info)
{
    struct capture_error error = {0};
    struct capture_writer *writer;

    assert_true(output_open(output, path, OUTPUT_REPLACE));
    writer = capture_create(output, info, &error);
    assert_non_null(writer);
    return writer;
}

static struct bytes make_capture(uint32_t command_bytes)
{
    struct capture_error error = {0};
    struct output output = {0};
    struct capture_writer *writer = create(&output, "driver=test\n");

    assert_non_null(writer);
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        write_frame(writer, frame, command_bytes);
    assert_true(capture_finish(writer, &error) && output_commit(&output));
    return read_file();
}

/* Reads to the end; counts events and whole frames. */
static enum capture_status read_all(const void *data, size_t size, unsigned *events, unsigned *frames)
{
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(data, size, &error);
    struct capture_event event;
    enum capture_status status = CAPTURE_BAD;

    *events = *frames = 0;
    if (!reader)
        return CAPTURE_BAD;
    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK) {
        (*events)++;
        *frames += event.type == CAPTURE_FRAME;
    }
    if (status != CAPTURE_END)
        assert_true(error.text[0] != 0);
    capture_close(reader);
    return status;
}

static void test_round_trip(void **state)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 4, 1000, 3 << 20};

    (void)state;
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct bytes file = make_capture(sizes[i]);
        struct capture_error error = {0};
        struct capture_reader *reader = capture_open(path, &error);
        struct capture_event event;

        assert_non_null(reader);
        assert_string_equal(capture_info(reader), "driver=test\n");
        assert_int_equal(capture_indexed_frames(reader), FRAMES);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            assert_int_equal(capture_next(reader, &event, &error), CAPTURE_OK);
            assert_int_equal(event.type, CAPTURE_DRAW);
            assert_int_equal(event.frame, frame);
            assert_int_equal((uintptr_t)event.data % 4, 0);
            const struct capture_draw *draw = (const void *)event.data;
            assert_int_equal(draw->command_bytes, sizes[i]);
            const uint8_t *commands = (const uint8_t *)(draw + 1);
            for (uint32_t b = 0; b < sizes[i]; b++)
                assert_true(commands[b] == frame);
            assert_int_equal(commands[((sizes[i] + 3) & ~3u) + 1], 2);
            assert_int_equal(capture_next(reader, &event, &error), CAPTURE_OK);
            assert_int_equal(event.type, CAPTURE_MEMORY);
            assert_memory_equal(event.data + sizeof(struct capture_memory), "0123456789", 10);
            assert_int_equal(capture_next(reader, &event, &error), CAPTURE_OK);
            assert_int_equal(event.type, CAPTURE_FRAME);
        }
        assert_int_equal(capture_next(reader, &event, &error), CAPTURE_END);
        capture_rewind(reader);
        assert_int_equal(capture_next(reader, &event, &error), CAPTURE_OK);
        assert_int_equal(event.frame, 0);
        capture_close(reader);
        free(file.data);
    }
}

static void test_seek(void **state)
{
    struct bytes file = make_capture(100);
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(file.data, file.size, &error);
    struct capture_event event;

    (void)state;
    assert_non_null(reader);
    for (uint32_t frame = FRAMES; frame-- > 0;) {
        assert_true(capture_seek_frame(reader, frame));
        assert_int_equal(capture_next(reader, &event, &error), CAPTURE_OK);
        assert_int_equal(event.frame, frame);
        assert_int_equal(event.type, CAPTURE_DRAW);
    }
    assert_false(capture_seek_frame(reader, FRAMES));
    capture_close(reader);
    free(file.data);
}

static void test_cut_short(void **state)
{
    struct bytes file = make_capture(300);
    unsigned all, events, frames, last = 0;

    (void)state;
    assert_int_equal(read_all(file.data, file.size, &all, &frames), CAPTURE_END);
    assert_int_equal(frames, FRAMES);
    for (size_t size = 0; size < file.size; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, file.data, size);
        const enum capture_status status = read_all(copy, size, &events, &frames);
        free(copy);
        if (size < sizeof(struct capture_file_header)) {
            assert_int_equal(status, CAPTURE_BAD);
            continue;
        }
        /* After the events only the index and the footer can be missing. */
        assert_true(status == CAPTURE_CUT || (status == CAPTURE_END && frames == FRAMES));
        assert_true(frames >= last && frames <= FRAMES && events == 3 * frames);
        last = frames;
    }
    assert_int_equal(last, FRAMES);
    free(file.data);
}

/* A writer that never finishes because the program crashed: all flushed frames are there. */
static void test_crash(void **state)
{
    struct capture_error error = {0};
    struct output output = {0};
    struct capture_writer *writer = create(&output, NULL);
    unsigned events, frames;
    struct bytes file;

    (void)state;
    assert_non_null(writer);
    write_frame(writer, 0, 10);
    write_frame(writer, 1, 10);
    file = read_named(output.temporary);
    assert_int_equal(read_all(file.data, file.size, &events, &frames), CAPTURE_CUT);
    assert_int_equal(frames, 2);
    assert_true(capture_finish(writer, &error) && output_commit(&output));
    free(file.data);
}

/* A full disk: the first failed write ends the capture, and its reason is kept. */
static void test_full(void **state)
{
    struct capture_error error = {0};
    struct capture_writer *writer;
    struct output output;

    (void)state;
    if (!output_open(&output, "/dev/full", OUTPUT_REPLACE))
        skip();
    assert_null(capture_create(&output, "driver=test\n", &error));
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
    output_discard(&output);
    /* the file's descriptor becomes invalid in mid-run */
    writer = create(&output, "driver=test\n");
    write_frame(writer, 0, 10);
    assert_int_equal(capture_write_error(writer), 0);
    assert_true(dup2(open("/dev/full", O_WRONLY), fileno(output.file)) >= 0);
    memset(&error, 0, sizeof(error));
    assert_true(capture_write(writer, CAPTURE_DRAW, NULL, 0));
    assert_false(capture_flush(writer, true));
    assert_int_equal(capture_write_error(writer), ENOSPC);
    assert_false(capture_write(writer, CAPTURE_DRAW, NULL, 0));
    assert_false(capture_finish(writer, &error));
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
    output_discard(&output);
}

static void test_damaged(void **state)
{
    struct bytes file = make_capture(300);
    unsigned events, frames, refused = 0;

    (void)state;
    for (size_t at = 0; at < file.size; at++) {
        file.data[at] ^= 0x55;
        refused += read_all(file.data, file.size, &events, &frames) == CAPTURE_BAD;
        assert_true(frames <= FRAMES);
        file.data[at] ^= 0x55;
    }
    /* All fields except the reserved ones, the index and the footer (which are not needed) are protected. */
    assert_true(refused > file.size / 2);
    free(file.data);
}

/* --- hostile contents with valid checksums ---------------------------------------------------- */

struct builder {
    uint8_t data[4096];
    size_t size;
};

static void put(struct builder *builder, const void *data, size_t size)
{
    assert_true(builder->size + size <= sizeof(builder->data));
    memcpy(builder->data + builder->size, data, size);
    builder->size += size;
}

static void begin(struct builder *builder)
{
    struct capture_file_header header = {.major = 1, .header_size = sizeof(header)};

    memcpy(header.magic, CAPTURE_FILE_MAGIC, 8);
    builder->size = 0;
    put(builder, &header, sizeof(header));
}

static void put_chunk(struct builder *builder, uint16_t flags, uint32_t raw_size, const void *data, uint32_t size)
{
    struct capture_chunk_header header = {.magic = CAPTURE_CHUNK_MAGIC,
                                          .type = CAPTURE_CHUNK_EVENTS,
                                          .flags = flags,
                                          .stored_size = size,
                                          .raw_size = raw_size};

    header.crc = (uint32_t)crc32(0, data, size);
    header.header_crc = (uint32_t)crc32(0, (const void *)&header, offsetof(struct capture_chunk_header, header_crc));
    put(builder, &header, sizeof(header));
    put(builder, data, size);
}

static void check_event(uint16_t type, const uint32_t *words, uint32_t count, enum capture_status expected)
{
    uint32_t chunk[64] = {type, 4 * count};
    struct builder builder;
    struct capture_error error = {0};
    struct capture_event event;
    struct capture_reader *reader;

    memcpy(chunk + 2, words, 4 * count);
    begin(&builder);
    put_chunk(&builder, 0, 8 + 4 * count, chunk, 8 + 4 * count);
    reader = capture_open_memory(builder.data, builder.size, &error);
    assert_non_null(reader);
    assert_int_equal(capture_next(reader, &event, &error), expected);
    capture_close(reader);
}

static void test_hostile_events(void **state)
{
    static const uint32_t zero[32];
    static const uint32_t huge[] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                    0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};

    (void)state;
    for (uint16_t type = 1; type < CAPTURE_EVENT_COUNT; type++) {
        const uint32_t words = capture_head_size(type) / 4;
        assert_true(words > 0);
        /* Exactly the structure with all counts 0 is valid; a shorter, longer or overfull one is not. */
        check_event(type, zero, words, CAPTURE_OK);
        check_event(type, zero, words - 1, CAPTURE_BAD);
        check_event(type, zero, words + 1, CAPTURE_BAD);
    }
    check_event(CAPTURE_SURFACES, huge, 5, CAPTURE_BAD);
    check_event(CAPTURE_ANNOUNCE, huge, 5, CAPTURE_BAD);
    check_event(CAPTURE_MEMORY, huge, 9, CAPTURE_BAD);
    check_event(CAPTURE_DRAW, huge, 7, CAPTURE_BAD);
    check_event(CAPTURE_CLEAR, huge, 6, CAPTURE_BAD);
    check_event(CAPTURE_SAMPLES, huge, 6, CAPTURE_BAD);
    /* Products that are 0 modulo 2^32 or 2^64. */
    const uint32_t wrapped[] = {1, 0, 0, 0, 0x80000000, 0, 0x80000000, 0, 4};
    check_event(CAPTURE_MEMORY, wrapped, 9, CAPTURE_BAD);
    /* Unknown events of later versions are skipped. */
    check_event(999, zero, 3, CAPTURE_CUT);
    check_event(0, zero, 0, CAPTURE_CUT);
}

static enum capture_status first_event(const struct builder *builder)
{
    struct capture_error error = {0};
    struct capture_event event;
    struct capture_reader *reader = capture_open_memory(builder->data, builder->size, &error);
    enum capture_status status;

    assert_non_null(reader);
    status = capture_next(reader, &event, &error);
    capture_close(reader);
    return status;
}

static void test_hostile_chunks(void **state)
{
    static const uint32_t event_past_end[] = {CAPTURE_DESTROY, 400, 0, 0};
    static const uint32_t fine[] = {CAPTURE_DESTROY, 8, 1, 0};
    uint8_t packed[64];
    uLongf packed_size = sizeof(packed);
    struct builder builder;

    (void)state;
    begin(&builder);
    put_chunk(&builder, 0, 16, event_past_end, 16);
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    begin(&builder);
    put_chunk(&builder, 0, 6, fine, 6);
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    begin(&builder);
    put_chunk(&builder, 0, 17, fine, 16);
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    begin(&builder);
    put_chunk(&builder, CAPTURE_CHUNK_ZLIB, 16, fine, 16); /* not packed at all */
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    begin(&builder);
    put_chunk(&builder, 0x80, 16, fine, 16); /* an encoding of a later version */
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    assert_int_equal(compress(packed, &packed_size, (const void *)fine, 16), Z_OK);
    begin(&builder);
    put_chunk(&builder, CAPTURE_CHUNK_ZLIB, 16, packed, (uint32_t)packed_size);
    assert_int_equal(first_event(&builder), CAPTURE_OK);
    begin(&builder);
    put_chunk(&builder, CAPTURE_CHUNK_ZLIB, 20, packed, (uint32_t)packed_size);
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    begin(&builder);
    put_chunk(&builder, CAPTURE_CHUNK_ZLIB, 200 << 20, packed, (uint32_t)packed_size);
    assert_int_equal(first_event(&builder), CAPTURE_BAD);
    begin(&builder);
    put_chunk(&builder, 0, 0, fine, 0); /* empty: skipped */
    put_chunk(&builder, 0, 16, fine, 16);
    assert_int_equal(first_event(&builder), CAPTURE_OK);
}

static void test_not_a_capture(void **state)
{
    struct capture_error error = {0};
    struct builder builder;

    (void)state;
    assert_null(capture_open("/nonexistent/file", &error));
    assert_true(error.text[0] != 0);
    assert_null(capture_open_memory("hello", 5, &error));
    begin(&builder);
    builder.data[8] = 2; /* version 2.0 */
    assert_null(capture_open_memory(builder.data, builder.size, &error));
    assert_non_null(strstr(error.text, "2.0"));
    begin(&builder);
    memset(builder.data + 12, 0xff, 4); /* header size */
    assert_null(capture_open_memory(builder.data, builder.size, &error));
}

static void *write_pipe(void *argument)
{
    const struct bytes *file = argument;
    FILE *pipe = fopen(fifo, "wb");

    if (pipe) {
        fwrite(file->data, 1, file->size, pipe);
        fclose(pipe);
    }
    return NULL;
}

/* A pipe cannot seek, but is read like a file. */
static void test_pipe(void **state)
{
    struct bytes file = make_capture(200000);
    struct capture_error error = {0};
    struct capture_reader *reader;
    struct capture_event event;
    unsigned events = 0;
    pthread_t thread;

    (void)state;
    snprintf(fifo, sizeof(fifo), "%s.fifo", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_pipe, &file), 0);
    reader = capture_open(fifo, &error);
    pthread_join(thread, NULL);
    unlink(fifo);
    assert_non_null(reader);
    assert_int_equal(capture_indexed_frames(reader), FRAMES);
    while (capture_next(reader, &event, &error) == CAPTURE_OK)
        events++;
    assert_int_equal(events, 3 * FRAMES);
    capture_rewind(reader);
    assert_int_equal(capture_next(reader, &event, &error), CAPTURE_OK);
    capture_close(reader);
    free(file.data);
}

/* A file that is not a capture is not read to its end, which may never come. */
static void test_unreadable(void **state)
{
    struct capture_error error = {0};

    (void)state;
    assert_null(capture_open("/dev/zero", &error));
    assert_int_equal(error.system, 0);
    assert_null(capture_open("/", &error));
    assert_int_equal(error.system, EISDIR);
    assert_null(capture_open("/nonexistent/file", &error));
    assert_int_equal(error.system, ENOENT);
}

static int prepare(void **state)
{
    const int file = mkstemp(path);

    (void)state;
    return file < 0 || close(file);
}

static int clean_up(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_seek),
        cmocka_unit_test(test_cut_short),      cmocka_unit_test(test_crash),
        cmocka_unit_test(test_full),           cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_hostile_events), cmocka_unit_test(test_hostile_chunks),
        cmocka_unit_test(test_not_a_capture),  cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_unreadable),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
