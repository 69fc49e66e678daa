/* SPDX-License-Identifier: MIT */
/*
 * State blocks of a log: recorded commands are kept, and applied when the block is executed. A block whose values only
 * the driver knows (CREATE, or CAPTURE of states that were never set) stays in the log: the entries that make it are
 * barriers, because they read states; executing it is one entry, which a later execution replaces.
 */
#include "dp2/capture/state_log.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/tokens.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BEGIN, BLOCK_END, BLOCK_DELETE, BLOCK_EXECUTE, BLOCK_CAPTURE, BLOCK_CREATE };

void state_blocks_free(struct state_log *log)
{
    for (size_t i = 0; i < log->block_count; i++)
        free(log->blocks[i].bytes);
    free(log->blocks);
}

static struct state_block *state_block_find(const struct state_log *log, uint32_t handle)
{
    for (size_t i = 0; i < log->block_count; i++)
        if (log->blocks[i].handle == handle)
            return &log->blocks[i];
    return NULL;
}

/* Makes an empty block; an old one with this handle is emptied. NULL: out of memory. */
static struct state_block *state_block_make(struct state_log *log, uint32_t handle)
{
    struct state_block *block = state_block_find(log, handle);

    if (!block) {
        if (log->block_count == log->block_capacity) {
            const size_t capacity = 2 * log->block_capacity + 8;
            struct state_block *bigger = mem_realloc(log->blocks, capacity, sizeof(*bigger));

            if (!bigger)
                return NULL;
            log->blocks = bigger;
            log->block_capacity = capacity;
        }
        block = &log->blocks[log->block_count++];
        *block = (struct state_block){.handle = handle};
    }
    block->length = 0;
    block->in_log = false;
    return block;
}

/* --- recording ---------------------------------------------------------------------------- */

bool state_block_takes(const struct state_log *log, uint8_t token)
{
    const struct dp2_token_info *info = dp2_token_info(token);

    return log->recording && info && info->in_blocks;
}

bool state_block_record(struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    struct state_block *block = &log->blocks[log->recording - 1];
    const size_t size = 4 + entry->head_size + entry->data_size;

    uint8_t *grown = mem_grow(block->bytes, &block->capacity, block->length, size), *at;

    if (!grown)
        return false;
    block->bytes = grown;
    at = grown + block->length;

    memcpy(at, (const uint8_t[]){token, 0, 1, 0}, 4);
    memcpy(at + 4, entry->head, entry->head_size);
    if (entry->data_size)
        memcpy(at + 4 + entry->head_size, entry->data, entry->data_size);
    block->length += size;
    return true;
}

/* --- into the log ------------------------------------------------------------------------- */

static bool append_operation(struct state_log *log, uint64_t key, uint32_t operation, uint32_t handle)
{
    const uint32_t body[3] = {operation, handle, 0};
    const struct dp2_entry entry = {.head = (const uint8_t *)body, .head_size = sizeof(body)};

    return state_log_append(log, key, DP2OP_STATESET, &entry);
}

/* Runs the commands of a block through a function. */
static bool each_command(struct state_log *log, struct state_block *block,
                         bool (*take)(struct state_log *log, uint8_t token, const struct dp2_entry *entry))
{
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, block->bytes, block->length, 0);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};

        while (dp2_next_entry(&command, &entry))
            if (!take(log, command.info->number, &entry))
                return false;
    }
    return true;
}

static bool append_barrier(struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    return state_log_append(log, 0, token, entry);
}

/* From now on entries of the log make the block. */
static bool move_into_log(struct state_log *log, struct state_block *block)
{
    if (block->in_log)
        return true;
    block->in_log = true;
    return append_operation(log, 0, BLOCK_BEGIN, block->handle) && each_command(log, block, append_barrier) &&
           append_operation(log, 0, BLOCK_END, block->handle);
}

/* --- capturing ---------------------------------------------------------------------------- */

/* The current value of the state that a command sets; NULL: not in the log. Registers are set in overlapping ranges,
 * and several tokens set the vertex shader. */
static const uint8_t *current_value(const struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    size_t size = 0;
    const uint8_t *command;

    switch (token) {
    case DP2OP_SETVERTEXSHADERCONST:
    case DP2OP_SETPIXELSHADERCONST:
    case DP2OP_SETVERTEXSHADERCONSTI:
    case DP2OP_SETVERTEXSHADERCONSTB:
    case DP2OP_SETPIXELSHADERCONSTI:
    case DP2OP_SETPIXELSHADERCONSTB:
    case DP2OP_SETVERTEXSHADERDECL:
    case DP2OP_SETVERTEXSHADERFUNC:
        return NULL;
    default:
        command = state_log_find(log, state_log_key(token, entry), &size);
        return command && command[0] == token && size == 4 + entry->head_size + entry->data_size ? command + 4 : NULL;
    }
}

static bool is_known(struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    return current_value(log, token, entry) != NULL;
}

static bool state_block_take_value(struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    /* The block's bytes may be written; only the reader's pointer is const. The entry's data follow its head. */
    memcpy((uint8_t *)entry->head, current_value(log, token, entry), entry->head_size + entry->data_size);
    return true;
}

static bool capture_block(struct state_log *log, struct state_block *block)
{
    if (!block->in_log && each_command(log, block, is_known))
        return each_command(log, block, state_block_take_value);
    return move_into_log(log, block) && append_operation(log, 0, BLOCK_CAPTURE, block->handle);
}

/* --- the token ---------------------------------------------------------------------------- */

static bool execute_block(struct state_log *log, struct state_block *block)
{
    const uint64_t key = (uint64_t)DP2OP_STATESET << 56 | block->handle;
    const size_t recording = log->recording;
    bool done;

    if (block->in_log) {
        done = append_operation(log, key, BLOCK_EXECUTE, block->handle);
        log->unsure = log->count;
        return done;
    }
    log->recording = 0; /* commands executed by a block are not recorded */
    done = each_command(log, block, state_log_follow);
    log->recording = recording;
    return done;
}

static bool forget_block(struct state_log *log, struct state_block *block)
{
    const size_t number = (size_t)(block - log->blocks) + 1;
    const bool done = !block->in_log || append_operation(log, 0, BLOCK_DELETE, block->handle);

    free(block->bytes);
    *block = log->blocks[--log->block_count];
    if (log->recording == number)
        log->recording = 0;
    else if (log->recording == log->block_count + 1)
        log->recording = number;
    return done;
}

static bool state_block_begin(struct state_log *log, uint32_t handle)
{
    struct state_block *block = state_block_make(log, handle);

    log->recording = block ? (size_t)(block - log->blocks) + 1 : 0;
    return block != NULL;
}

static bool state_block_create(struct state_log *log, const struct dp2_entry *entry)
{
    struct state_block *block = state_block_make(log, DP2_U32(entry->head, entry_STATESET, block));

    if (!block)
        return false;
    block->in_log = true;
    return state_log_append(log, 0, DP2OP_STATESET, entry);
}

bool state_block_follow(struct state_log *log, const struct dp2_entry *entry)
{
    const uint32_t operation = DP2_U32(entry->head, entry_STATESET, op);
    const uint32_t handle = DP2_U32(entry->head, entry_STATESET, block);
    struct state_block *block = state_block_find(log, handle);

    switch (operation) {
    case BLOCK_BEGIN:
        return state_block_begin(log, handle);
    case BLOCK_END:
        log->recording = 0;
        return true;
    case BLOCK_DELETE:
        return !block || forget_block(log, block);
    case BLOCK_EXECUTE:
        return !block || execute_block(log, block);
    case BLOCK_CAPTURE:
        return !block || capture_block(log, block);
    case BLOCK_CREATE:
        return state_block_create(log, entry);
    default:
        return true;
    }
}
