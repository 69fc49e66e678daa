/* SPDX-License-Identifier: MIT */
/*
 * Writes the seed corpora: usage: make_seeds FOLDER, which gets dp2/, capture/ and world/.
 *
 * dp2/      every token alone, and all in a row
 * capture/  every event alone in an unpacked chunk, and a whole file with frames and index
 * world/    a small world (see fuzz_world.c) in which each kind of call is made some times
 * inspect/  the events of the tutorial's and the tests' streams (see fuzz_inspect.c), if they are where this is run
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/output.h"
#include "dp2/capture/capture.h"
#include "dp2/capture/format.h"
#include "dp2/dp2.h"
#include "bytecode/bytecode.h"
#include "dp2/text/text.h"
#include "tests/random.h"
#include "tests/unit/dp2_samples.h"

static const char *folder;

static FILE *create(const char *kind, const char *name)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, kind);
    mkdir(path, 0777);
    snprintf(path, sizeof(path), "%s/%s/%s", folder, kind, name);
    file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

static void write_stream(const char *name, const uint8_t *stream, size_t size)
{
    static const uint8_t vertex_size[4] = {7}; /* 20 bytes, see fuzz_dp2.c */
    FILE *file = create("dp2", name);

    fwrite(vertex_size, 1, 4, file);
    fwrite(stream, 1, size, file);
    fclose(file);
}

static void make_streams(void)
{
    static uint32_t storage[DP2_SAMPLE_STREAM_MAX / 4];
    uint8_t *stream = (uint8_t *)storage;
    char name[64];

    for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
        const size_t size = dp2_write_sample(stream, &dp2_samples[i]);
        snprintf(name, sizeof(name), "%03zu-%s", i, dp2_token_info(dp2_samples[i].token)->name);
        write_stream(name, stream, size);
    }
    write_stream("all", stream, dp2_write_all_samples(stream, NULL));
}

struct event {
    uint16_t type;
    uint32_t words[64], count;
};

static const struct event events[] = {
    {CAPTURE_SURFACES,
     {1,        1,
      0,        2,
      1,        /* part */ 1,
      1,        0x6000,
      0,        0,
      0,        0x2000,
      0,        64,
      64,       256,
      0,        16384,
      0,        1,
      1,        0,
      0,        32,
      0x200000, 21,
      0,        0,
      0,        0,
      0,        /* part */ 2,
      2,        0x6000,
      0,        0,
      0,        0x2000,
      0,        64,
      64,       256,
      0,        16384,
      0,        1,
      1,        0,
      0,        32,
      0x200000, 21,
      0,        0,
      0,        0,
      0,        /* link */ 1,
      2},
     5 + 2 * 26 + 2},
    {CAPTURE_ANNOUNCE, {1, 1, 0, 2, 1, 1, 1, 2, 2, 1, 2}, 11},
    {CAPTURE_DESTROY, {1, 0}, 2},
    {CAPTURE_LOCAL_GONE, {1}, 1},
    {CAPTURE_MEMORY, {1, 1, 0, 0, 2, 0, 8, 0, 1, 10, 11, 12, 13}, 13},
    {CAPTURE_BLT, {1, 2, 0, 0, 8, 8, 0, 0, 8, 8, 0x20000, 0, 0, 0, 0, 0, 1, 0, 0, 4, 4}, 21},
    {CAPTURE_FLIP, {1, 2, 0}, 3},
    {CAPTURE_CONTEXT, {1, 1, 4, 1, 1, 0}, 6},
    {CAPTURE_CONTEXT_GONE, {1}, 1},
    {CAPTURE_PROCESS_GONE, {1}, 1},
    {CAPTURE_TARGET, {1, 1, 0}, 3},
    {CAPTURE_SCENE, {1, 0}, 2},
    {CAPTURE_CLEAR, {1, 1, 0xff00ff00, 0x3f800000, 0, 1, 0, 0, 8, 8}, 10},
    {CAPTURE_DRAW, {1, 1, 0x42, 16, 1, 12, 16, 0x00010008, 7, 1, 0, 0, 0, 0}, 14},
    {CAPTURE_COLOR_KEY, {1, 8, 1, 0xff00ff, 0xff00ff}, 5},
    {CAPTURE_SAMPLES, {1, 4, 3, 0, 1, 8, 0x01020304, 0x05060708}, 8},
    {CAPTURE_PALETTE, {1, 1, 254, 2, 0x00112233, 0x00445566}, 6},
    {CAPTURE_SET_PALETTE, {1, 1}, 2},
    {CAPTURE_PALETTE_GONE, {1}, 1},
    {CAPTURE_FRAME, {0, 1, 0, 0, 64, 64}, 6},
};
#define EVENT_COUNT (sizeof(events) / sizeof(events[0]))

static void put_chunk(FILE *file, uint16_t type, const void *data, uint32_t size)
{
    struct capture_chunk_header header = {.magic = CAPTURE_CHUNK_MAGIC,
                                          .type = type,
                                          .stored_size = size,
                                          .raw_size = size,
                                          .crc = (uint32_t)crc32(0, data, size)};

    header.header_crc = (uint32_t)crc32(0, (const void *)&header, offsetof(struct capture_chunk_header, header_crc));
    fwrite(&header, sizeof(header), 1, file);
    fwrite(data, 1, size, file);
}

/* A file header and one uncompressed chunk per event: easy to mutate. */
static void write_unpacked(const char *name, size_t first, size_t count)
{
    struct capture_file_header header = {.major = CAPTURE_VERSION_MAJOR, .header_size = sizeof(header)};
    FILE *file = create("capture", name);

    memcpy(header.magic, CAPTURE_FILE_MAGIC, sizeof(header.magic));
    fwrite(&header, sizeof(header), 1, file);
    for (size_t i = first; i < first + count; i++) {
        uint32_t chunk[2 + 64] = {events[i].type, 4 * events[i].count};
        memcpy(chunk + 2, events[i].words, 4 * events[i].count);
        put_chunk(file, CAPTURE_CHUNK_EVENTS, chunk, 8 + 4 * events[i].count);
    }
    fclose(file);
}

static void write_whole(void)
{
    char path[512];
    struct capture_error error = {0};
    struct capture_writer *writer;
    struct output output;

    snprintf(path, sizeof(path), "%s/capture/whole", folder);
    writer = output_open(&output, path, OUTPUT_REPLACE) ? capture_create(&output, "driver=seed\n", &error) : NULL;
    for (unsigned frame = 0; writer && frame < 3; frame++) {
        for (size_t i = 0; i < EVENT_COUNT; i++) {
            const struct capture_bytes piece = {events[i].words, 4 * events[i].count};
            capture_write(writer, (enum capture_event_type)events[i].type, &piece, 1);
        }
        capture_flush(writer, true);
    }
    if (!writer || !capture_finish(writer, &error) || !output_commit(&output)) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        exit(2);
    }
}

/* Targets, depth buffers, textures, buffers and two contexts; then call `kind` again and again, with any bytes. */
static void write_world(unsigned kind, unsigned number)
{
    static const uint8_t start[] = {
        1,                                      /* two threads */
        0, 0, 0, 0,   3, 0, 0, 1,   2, 1, 3, 0, /* a target and a depth buffer */
        0, 5, 4, 0,   3, 0, 0, 6,   8, 0, 2, 0, /* textures */
        1, 2, 0, 255, 1, 4, 2, 100,             /* vertices, indices */
        2, 0, 0, 1,   2, 2, 1, 0,   1, 1,       /* contexts */
    };
    uint32_t state = kind * 7919 + number;
    char name[32];
    FILE *file;

    snprintf(name, sizeof(name), "%02u-%u", kind, number);
    file = create("world", name);
    fwrite(start, 1, sizeof(start), file);
    for (unsigned n = 0; n < 8; n++) {
        fputc((int)(n & 1 ? 3 : kind), file); /* draws in between */
        for (unsigned i = 0; i < 40; i++)
            fputc((int)(random_next(&state) & 255), file);
    }
    fclose(file);
}

static bool write_row(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const uint32_t head[2] = {(uint32_t)type, (uint32_t)size};
    const uint8_t padding[4] = {0};

    fwrite(head, sizeof(head), 1, user);
    fwrite(data, 1, size, user);
    fwrite(padding, 1, -size & 3, user);
    return true;
}

static size_t assemble_shader(const char *text, uint32_t *tokens, size_t capacity, struct dp2_asm_error *error)
{
    struct shader_error found = {0};
    const size_t count = shader_assemble(text, tokens, capacity, &found);

    snprintf(error->text, sizeof(error->text), "%s", found.text);
    return count;
}

static void write_events(const char *path)
{
    static char text[1 << 20];
    const char *name = strrchr(path, '/') + 1;
    FILE *from = fopen(path, "rb"), *file = create("inspect", name);
    const struct dp2_asm_output output = {
        .event = write_row, .shader = assemble_shader, .user = file, .folder = "tests/cli"};
    struct dp2_asm_error error;

    if (!from) {
        perror(path);
        exit(2);
    }
    fwrite("\0\x08\x08\0", 1, 4, file);
    if (!dp2_assemble(text, fread(text, 1, sizeof(text), from), &output, &error)) {
        fprintf(stderr, "%s: line %u: %s\n", path, error.line, error.text);
        exit(2);
    }
    fclose(from);
    fclose(file);
}

static void make_inspections(void)
{
    static const char *const patterns[] = {"examples/dp2/*.dp2s", "tests/cli/*.dp2s"};
    glob_t found = {0};

    for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
        glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        write_events(found.gl_pathv[i]);
    globfree(&found);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_seeds FOLDER\n", stderr);
        return 2;
    }
    folder = argv[1];
    make_streams();
    for (size_t i = 0; i < EVENT_COUNT; i++)
        write_unpacked(capture_event_name(events[i].type), i, 1);
    write_unpacked("unpacked", 0, EVENT_COUNT);
    write_whole();
    for (unsigned kind = 0; kind < 14; kind++)
        for (unsigned number = 0; number < 3; number++)
            write_world(kind, number);
    make_inspections();
    return 0;
}
