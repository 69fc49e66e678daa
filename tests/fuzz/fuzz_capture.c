/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a capture file: opened, read to the end, seeked, each event taken apart into values. Each input is tried
 * as it is and once more with corrected checksums, so that mutations get past them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "dp2/capture/capture.h"
#include "dp2/capture/format.h"
#include "dp2/text/visit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth)
        abort();
}

static unsigned touch(const uint8_t *data, size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

/* --- values: which are open, and whether names are where they belong ------------------------------ */

#define MAX_DEPTH 8

struct visit {
    unsigned depth, sum;
    bool list[MAX_DEPTH];
};

static void check_name(const struct visit *visit, const char *name)
{
    require(visit->depth == 0 || visit->list[visit->depth - 1] == (name == NULL));
    require(!name || (name[0] && strlen(name) < 32));
}

static void open_group(void *user, const char *name, enum dp2_group group)
{
    struct visit *visit = user;

    check_name(visit, name);
    require(visit->depth < MAX_DEPTH);
    visit->list[visit->depth++] = group == DP2_LIST;
}

static void close_group(void *user)
{
    struct visit *visit = user;

    require(visit->depth > 0);
    visit->depth--;
}

static void take_value(void *user, const char *name, const struct dp2_value *value)
{
    const size_t size = value->kind == DP2_VALUE_BYTES || value->kind == DP2_VALUE_TEXT ? 1 : 4;
    struct visit *visit = user;

    require(visit->depth > 0);
    check_name(visit, name);
    if (value->kind == DP2_VALUE_NAME)
        visit->sum += (unsigned)strlen(value->name);
    else if (value->at)
        visit->sum += touch(value->at, size * value->count);
    else
        visit->sum += value->number;
}

static unsigned visit_event(const struct capture_event *event)
{
    struct visit visit = {0};
    const struct dp2_visitor visitor = {open_group, close_group, take_value, &visit, true};

    dp2_visit_event(&visitor, NULL, event);
    require(visit.depth == 0);
    return visit.sum;
}

/* Checks that events are as complete as the reader promises. */
static unsigned look_at(const struct capture_event *event)
{
    require(event->type > 0 && event->type < CAPTURE_EVENT_COUNT);
    require(event->size >= capture_head_size(event->type));
    require((uintptr_t)event->data % 4 == 0);
    if (event->type == CAPTURE_DRAW) {
        const struct capture_draw *draw = (const void *)event->data;
        require(sizeof(*draw) + (uint64_t)draw->command_bytes + draw->vertex_bytes <= event->size);
    }
    return touch(event->data, event->size) + visit_event(event);
}

static unsigned read_all(const uint8_t *data, size_t size)
{
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(data, size, &error);
    struct capture_event event;
    enum capture_status status;
    unsigned sum = 0;

    if (!reader) {
        require(error.text[0] != 0);
        return 0;
    }
    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK)
        sum += look_at(&event);
    if (status != CAPTURE_END)
        require(error.text[0] != 0);
    sum += touch((const uint8_t *)capture_info(reader), strlen(capture_info(reader)));
    for (uint32_t frame = 0; frame < 3 && frame < capture_indexed_frames(reader); frame++)
        if (capture_seek_frame(reader, frame) && capture_next(reader, &event, &error) == CAPTURE_OK)
            sum += look_at(&event);
    capture_close(reader);
    return sum;
}

static void repair_footer(uint8_t *data, size_t size)
{
    struct capture_footer footer;

    if (size < sizeof(footer))
        return;
    memcpy(&footer, data + size - sizeof(footer), sizeof(footer));
    footer.crc = (uint32_t)crc32(0, (const void *)&footer, offsetof(struct capture_footer, crc));
    memcpy(data + size - sizeof(footer), &footer, sizeof(footer));
}

static void repair(uint8_t *data, size_t size)
{
    size_t at = sizeof(struct capture_file_header);

    if (size >= 10 && (data[0] != 'H' || data[8] != 1)) {
        memcpy(data, CAPTURE_FILE_MAGIC, 8);
        memcpy(data + 8, "\1\0", 2);
    }
    while (size >= at && size - at >= sizeof(struct capture_chunk_header)) {
        struct capture_chunk_header header;
        memcpy(&header, data + at, sizeof(header));
        const size_t left = size - at - sizeof(header);
        header.magic = CAPTURE_CHUNK_MAGIC;
        if (header.stored_size <= left)
            header.crc = (uint32_t)crc32(0, data + at + sizeof(header), header.stored_size);
        header.header_crc =
            (uint32_t)crc32(0, (const void *)&header, offsetof(struct capture_chunk_header, header_crc));
        memcpy(data + at, &header, sizeof(header));
        if (header.stored_size > left)
            break;
        at += sizeof(header) + header.stored_size;
    }
    repair_footer(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    volatile unsigned sum = read_all(data, size);
    uint8_t *copy = malloc(size ? size : 1);

    require(copy != NULL);
    if (size)
        memcpy(copy, data, size);
    repair(copy, size);
    sum += read_all(copy, size);
    free(copy);
    return 0;
}
