/* SPDX-License-Identifier: MIT */
/* Captures for tests of the frame debugger: assembled from text, held in memory. */
#ifndef HALCYON_TESTS_UNIT_INSPECT_FIXTURE_H
#define HALCYON_TESTS_UNIT_INSPECT_FIXTURE_H

#include "base/output.h"
#include "bytecode/bytecode.h"
#include "dp2/text/text.h"
#include "inspect/inspect.h"

#include <glob.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct fixture_capture {
    char *bytes;
    size_t size;
    struct capture_writer *writer;
    struct output output;
    struct capture_error error;
};

static bool fixture_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct fixture_capture *capture = user;
    const struct capture_bytes piece = {data, size};

    return capture_write(capture->writer, type, &piece, 1) &&
           (type != CAPTURE_FRAME || capture_flush(capture->writer, true));
}

static size_t fixture_shader(const char *text, uint32_t *tokens, size_t capacity, struct dp2_asm_error *error)
{
    struct shader_error found = {0};
    const size_t count = shader_assemble(text, tokens, capacity, &found);

    snprintf(error->text, sizeof(error->text), "%s", found.text);
    return count;
}

/* The text as a capture, which fixture_free releases. `folder`: the folder of the files that the text names. */
static __attribute__((unused)) void fixture_assemble(struct fixture_capture *capture, const char *text, size_t size,
                                                     const char *folder)
{
    const struct dp2_asm_output output = {
        .event = fixture_event, .shader = fixture_shader, .user = capture, .folder = folder};
    struct dp2_asm_error error;

    *capture = (struct fixture_capture){0};
    capture->output.file = open_memstream(&capture->bytes, &capture->size);
    assert_non_null(capture->output.file);
    capture->writer = capture_create(&capture->output, "", &capture->error);
    assert_non_null(capture->writer);
    if (!dp2_assemble(text, size, &output, &error))
        fail_msg("line %u: %s", error.line, error.text);
    assert_true(capture_finish(capture->writer, &capture->error));
    fclose(capture->output.file);
}

static __attribute__((unused)) void fixture_assemble_file(struct fixture_capture *capture, const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    char folder[512];
    char *end;
    size_t size;

    assert_non_null(file);
    size = fread(text, 1, sizeof(text), file);
    fclose(file);
    snprintf(folder, sizeof(folder), "%s", path);
    end = strrchr(folder, '/');
    if (end)
        *end = 0;
    fixture_assemble(capture, text, size, folder);
}

/* A capture as it is. */
static __attribute__((unused)) void fixture_read(struct fixture_capture *capture, const char *path)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    capture->size = (size_t)ftell(file);
    rewind(file);
    capture->bytes = malloc(capture->size);
    assert_int_equal(fread(capture->bytes, 1, capture->size, file), capture->size);
    fclose(file);
}

static __attribute__((unused)) void fixture_free(struct fixture_capture *capture)
{
    free(capture->bytes);
}

/* Calls the function for each text of a capture in the tree. */
static __attribute__((unused)) void fixture_all_texts(void (*each)(const char *path))
{
    static const char *const patterns[] = {"examples/dp2/*.dp2s", "tests/cli/*.dp2s", "tests/streams/*.dp2s"};
    glob_t found = {0};

    for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
        glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
    assert_true(found.gl_pathc > 20);
    for (size_t i = 0; i < found.gl_pathc; i++)
        each(found.gl_pathv[i]);
    globfree(&found);
}

#endif
