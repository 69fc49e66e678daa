/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a trace of apitrace: as a file, and as the decompressed bytes in one, which mutations reach better. Each call is translated,
 * and the records must be as tools/import/stream.h says: whole, aligned, with numbers in their ranges.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/import/calls.h"
#include "tools/import/snappy.h"
#include "tools/import/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth)
        abort();
}

static void check_call(const uint8_t *at, size_t left)
{
    struct stream_argument argument;
    struct stream_call call;

    require(left >= sizeof(call));
    memcpy(&call, at, sizeof(call));
    at += sizeof(call);
    left -= sizeof(call);
    require(call.count <= STREAM_ARGUMENTS && call.object <= STREAM_OBJECTS && call.class < CLASS_COUNT);
    require(call.function != STREAM_METHOD || import_method_at((enum import_class)call.class, call.slot));
    for (unsigned i = 0; i < call.count; i++) {
        require(left >= sizeof(argument));
        memcpy(&argument, at, sizeof(argument));
        at += sizeof(argument);
        left -= sizeof(argument);
        require((argument.size + 7) / 8 * 8 <= left);
        require(argument.kind != STREAM_RESULT || argument.value < CLASS_COUNT);
        require(argument.kind != STREAM_LOCK || argument.size == sizeof(struct stream_lock));
        at += (argument.size + 7) / 8 * 8;
        left -= (argument.size + 7) / 8 * 8;
    }
    require(!left);
}

static void check_records(const uint8_t *at, size_t left)
{
    struct stream_record record;

    while (left) {
        require(left >= sizeof(record));
        memcpy(&record, at, sizeof(record));
        at += sizeof(record);
        left -= sizeof(record);
        require(record.size <= left && record.size % 8 == 0);
        if (record.kind == STREAM_CALL)
            check_call(at, record.size);
        else if (record.kind == STREAM_WINDOW)
            require(record.size == sizeof(struct stream_window));
        else if (record.kind == STREAM_WRITE)
            require(record.size >= sizeof(struct stream_write));
        else
            require(record.kind == STREAM_END && !record.size);
        at += record.size;
        left -= record.size;
    }
}

static void read_trace(const uint8_t *data, size_t size)
{
    struct translator translator = {0};
    const struct trace_call *call;
    const char *error = NULL;
    struct calls *calls = calls_open(data, size, &error);

    require(calls || error);
    while (calls && calls_next(calls, &call) == CALLS_CALL) {
        translate_call(&translator, call);
        check_records(translator.bytes.data, translator.bytes.size);
        translator.bytes.size = 0;
        require(calls_share(calls) <= 1);
    }
    calls_close(calls);
    translator_free(&translator);
}

/* A file of one chunk that holds these bytes, uncompressed. */
static uint8_t *as_file(const uint8_t *data, size_t size, size_t *length)
{
    uint8_t *file = malloc(size + 2 + 4 + 5 + 5), *at = file + 6;
    uint32_t packed;

    require(file != NULL);
    memcpy(file, "at", 2);
    for (size_t rest = size;; rest >>= 7) {
        *at++ = (uint8_t)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        if (rest <= 0x7f)
            break;
    }
    if (size) {
        const uint32_t less = (uint32_t)size - 1;

        *at++ = 63 << 2; /* a literal whose length has 4 bytes */
        memcpy(at, &less, 4);
        memcpy(at + 4, data, size);
        at += 4 + size;
    }
    packed = (uint32_t)(at - file - 6);
    memcpy(file + 2, &packed, 4);
    *length = (size_t)(at - file);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length;
    uint8_t *file = as_file(data, size, &length);

    read_trace(data, size);
    read_trace(file, length);
    free(file);
    return 0;
}
