/* SPDX-License-Identifier: MIT */
/*
 * The states of a context after its tokens, as commands that set them again, and its state blocks. Draws are omitted:
 * their result is in the surfaces.
 */
#ifndef HALCYON_DP2_CAPTURE_STATE_LOG_H
#define HALCYON_DP2_CAPTURE_STATE_LOG_H

#include "dp2/dp2.h"
#include "dp2/tokens.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command of one entry: token, count of one, body. */
struct state_entry {
    uint64_t key;        /* the state that it sets, as token and number; 0: never replaced */
    size_t offset, size; /* in `bytes` */
    bool dead;           /* set again, or deleted */
};

/* A state block (token STATESET): one-entry commands without padding, as between BEGIN and END. */
struct state_block {
    uint32_t handle;
    uint8_t *bytes;
    size_t length, capacity;
    bool in_log; /* only the driver knows its contents: entries of the log create it */
};

/* Zeros: empty. */
struct state_log {
    uint8_t *bytes;
    size_t byte_count, byte_capacity;
    struct state_entry *entries;
    size_t count, capacity, dead, barrier; /* barrier: entries before it do not change */
    size_t unsure; /* states set by entries before it may have been set again by a block in the log */
    size_t *slots; /* hash of keys: number of an entry + 1 */
    size_t slot_count;
    struct state_block *blocks;
    size_t block_count, block_capacity;
    size_t recording; /* between BEGIN and END: number of the block + 1 */
};

void state_log_free(struct state_log *log);
/* Tracks one entry of a command. False: out of memory. */
bool state_log_follow(struct state_log *log, uint8_t token, const struct dp2_entry *entry);
/* Between state_log.c and state_block.c, which takes STATESET and what is recorded into a block. */

/* Appends an entry, even while a block is recorded. key 0: a barrier. */
bool state_log_append(struct state_log *log, uint64_t key, uint8_t token, const struct dp2_entry *entry);
/* The key of the state that a token sets; 0: none, or the state depends on more than the token. */
uint64_t state_log_key(uint8_t token, const struct dp2_entry *entry);
/* The command that set a key last, from 4 bytes before its body; the size includes them. NULL: not set, or unknown. */
const uint8_t *state_log_find(const struct state_log *log, uint64_t key, size_t *size);
/* Is a block being recorded that stores this token? */
bool state_block_takes(const struct state_log *log, uint8_t token);
bool state_block_record(struct state_log *log, uint8_t token, const struct dp2_entry *entry);
/* STATESET. */
bool state_block_follow(struct state_log *log, const struct dp2_entry *entry);
void state_blocks_free(struct state_log *log);

/* The render target was set other than by a token. */
void state_log_forget_target(struct state_log *log);

#endif
