/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a DrawPrimitives2 stream: read, print, walk all entries, build again. The first four bytes choose the
 * size of inline vertices. Everything read must be inside the buffer, rebuild to the same bytes, and validate the same
 * way.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dp2/tokens.h"
#include "tests/dp2_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth)
        abort();
}

/* Touches every byte, for the sanitizer. */
static unsigned touch(const uint8_t *data, size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

static unsigned look_at(const struct dp2_command *command)
{
    struct dp2_entry entry = {0};
    unsigned sum = touch(command->body, command->body_size);

    while (dp2_next_entry(command, &entry)) {
        require(entry.head >= command->body && entry.data + entry.data_size <= command->body + command->body_size);
        sum += touch(entry.head, entry.head_size) + touch(entry.data, entry.data_size);
    }
    sum += (unsigned)dp2_print(command, false)->length;
    sum += (unsigned)dp2_print(command, true)->length;
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t sizes[] = {0, 12, 32, 4, 148, 0xffffffff, 0x80000000, 20};
    volatile unsigned sum = 0;
    struct dp2_cursor cursor;
    struct dp2_command command;
    struct dp2_builder builder;
    enum dp2_status status;
    size_t where = 0, before = 0;
    uint8_t *stream, *built;

    if (size < 4)
        return 0;
    const uint32_t vertex_size = data[1] ? dp2_fvf_size(dp2_read_u32(data)) : sizes[data[0] % (sizeof(sizes) / 4)];
    size -= 4;
    stream = malloc(size ? size : 1);
    built = malloc(size ? size : 1);
    require(stream && built);
    if (size)
        memcpy(stream, data + 4, size);
    dp2_builder_init(&builder, built, size);
    dp2_cursor_init(&cursor, stream, size, vertex_size);
    while ((status = dp2_next(&cursor, &command)) == DP2_OK) {
        require(command.offset == before && cursor.offset > before && cursor.offset <= size);
        before = cursor.offset;
        sum += look_at(&command);
        require(dp2_put(&builder, command.info->number, command.count, command.body, command.body_size) != NULL);
    }
    require(status != DP2_END || cursor.offset == size);
    require(dp2_walk(stream, size, vertex_size, &where) == status && where == command.offset);
    /* All but the reserved bytes. */
    for (size_t i = 0; i < builder.length; i++)
        require(built[i] == stream[i] || built[i] == 0);
    free(stream);
    free(built);
    return 0;
}
