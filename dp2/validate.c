/* SPDX-License-Identifier: MIT */
/*
 * Is this a whole, readable stream?
 */
#include "dp2/dp2.h"

enum dp2_status dp2_validate(const void *base, size_t length, uint32_t vertex_size, size_t *error_offset)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;

    dp2_cursor_init(&cursor, base, length, vertex_size);
    do {
        status = dp2_next(&cursor, &command);
    } while (status == DP2_OK);
    if (error_offset)
        *error_offset = command.offset;
    return status;
}
