/* SPDX-License-Identifier: MIT */
/*
 * Reading a command stream: the cursor over commands and the walk over the entries of one.
 * Sizes are summed in 64 bits and compared with what is left before any byte is read.
 */
#include "dp2/tokens.h"

/* Body bytes of a command whose entries are followed by data, each size read only when its head
 * is known to be inside the `left` bytes. */
static enum dp2_status walked_size(const struct dp2_token_info *info, const uint8_t *body, uint64_t left,
                                   uint32_t entries, uint64_t *size)
{
    uint64_t at = info->fixed_size;

    for (uint32_t i = 0; i < entries; i++) {
        if (at + info->entry_size > left)
            return DP2_TRUNCATED;
        const uint64_t data = dp2_data_size(info, body + at);

        if (data > UINT32_MAX)
            return DP2_BAD_SIZE;
        at += info->entry_size + data;
        if (at > left)
            return DP2_TRUNCATED;
    }
    *size = at;
    return DP2_OK;
}

/* Inline vertices start at the next 4-byte boundary after the fixed part; `offset` is that of the
 * body in the stream, whose base is aligned. */
static enum dp2_status inline_size(const struct dp2_cursor *cursor, struct dp2_command *command, uint64_t offset,
                                   uint64_t *size)
{
    const struct dp2_token_info *info = command->info;
    const uint64_t vertices = info->size_rule == DP2_SIZE_FAN_IMM ? command->count + 2u : 2u * command->count;
    const uint64_t start = (offset + info->fixed_size + 3) & ~(uint64_t)3;

    if (cursor->vertex_size == 0)
        return DP2_BAD_SIZE;
    *size = start - offset + vertices * cursor->vertex_size;
    if (*size <= cursor->length - offset)
        command->vertices = cursor->base + start;
    return DP2_OK;
}

static enum dp2_status body_size(const struct dp2_cursor *cursor, struct dp2_command *command, uint64_t *size)
{
    const struct dp2_token_info *info = command->info;
    const uint64_t offset = (uint64_t)command->offset + DP2_HEADER_BYTES;
    uint64_t entries = dp2_entry_count(info->size_rule, command->count);

    switch (info->size_rule) {
    case DP2_SIZE_NONE:
        return DP2_UNKNOWN_TOKEN;
    case DP2_SIZE_FAN_IMM:
    case DP2_SIZE_LINES_IMM:
        return inline_size(cursor, command, offset, size);
    case DP2_SIZE_CLEAR:
        entries = entries ? entries : 1;
        break;
    default:
        if (dp2_rule_is_walked(info->size_rule))
            return walked_size(info, command->body, cursor->length - offset, (uint32_t)entries, size);
        break;
    }
    *size = info->fixed_size + entries * info->entry_size;
    return DP2_OK;
}

enum dp2_status dp2_next_other(struct dp2_cursor *cursor, struct dp2_command *command)
{
    const uint8_t *header = cursor->base + cursor->offset;
    const size_t left = cursor->length > cursor->offset ? cursor->length - cursor->offset : 0;
    const struct dp2_token_info *info = left >= DP2_HEADER_BYTES ? dp2_token_row(header[0]) : NULL;
    enum dp2_status status;
    uint64_t size;

    if (!info) {
        *command = (struct dp2_command){.offset = cursor->offset};
        return left >= DP2_HEADER_BYTES ? DP2_UNKNOWN_TOKEN : left ? DP2_TRUNCATED : DP2_END;
    }
    *command = (struct dp2_command){
        .info = info, .count = dp2_read_u16(header + 2), .offset = cursor->offset, .body = header + DP2_HEADER_BYTES};
    status = body_size(cursor, command, &size);
    if (status != DP2_OK)
        return status;
    if (size > left - DP2_HEADER_BYTES)
        return DP2_TRUNCATED;
    command->body_size = (size_t)size;
    cursor->offset += DP2_HEADER_BYTES + (size_t)size;
    return DP2_OK;
}

enum dp2_status dp2_next(struct dp2_cursor *cursor, struct dp2_command *command)
{
    return dp2_next_of_many(cursor, command);
}

bool dp2_read_entry(const struct dp2_command *command, struct dp2_entry *entry)
{
    const struct dp2_token_info *info = command->info;
    const size_t at = entry->index == 0 ? info->fixed_size : entry->next;
    uint64_t data;

    if (entry->index >= dp2_entry_count(info->size_rule, command->count) || info->entry_size == 0 ||
        at > command->body_size || command->body_size - at < info->entry_size)
        return false;
    entry->head = command->body + at;
    entry->head_size = info->entry_size;
    entry->data = entry->head + info->entry_size;
    data = dp2_data_size(info, entry->head);
    /* The program may write to the buffer after dp2_next has checked it, so nothing is read twice. */
    if (data > command->body_size - at - info->entry_size)
        return false;
    entry->data_size = (size_t)data;
    entry->next = at + info->entry_size + (size_t)data;
    entry->index++;
    return true;
}
