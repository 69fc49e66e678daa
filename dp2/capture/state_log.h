/* SPDX-License-Identifier: MIT */
/*
 * The states that the tokens of a context have left behind, as commands that set them again, and the state blocks that it
 * has. Drawing is left out: what it did is in the surfaces.
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
    uint64_t key;        /* what it sets, as token and number; 0: for ever */
    size_t offset, size; /* in `bytes` */
    bool dead;           /* set again, or deleted */
};

/* A state block (token STATESET): one-entry commands, each padded to nothing, as they stand between BEGIN and END. */
struct state_block {
    uint32_t handle;
    uint8_t *bytes;
    size_t length, capacity;
    bool in_log; /* what is in it only the driver knows: it is made by entries of the log */
};

/* Zeros: empty. */
struct state_log {
    uint8_t *bytes;
    size_t byte_count, byte_capacity;
    struct state_entry *entries;
    size_t count, capacity, dead, barrier; /* barrier: entries before it stay as they are */
    size_t unsure; /* what entries before it set may have been set since by a block in the log */
    size_t *slots; /* hash of keys: number of an entry + 1 */
    size_t slot_count;
    struct state_block *blocks;
    size_t block_count, block_capacity;
    size_t recording; /* between BEGIN and END: number of the block + 1 */
};

void state_log_free(struct state_log *log);
/* Takes note of one entry of a command. False: out of memory. */
bool state_log_follow(struct state_log *log, uint8_t token, const struct dp2_entry *entry);
/* Between state_log.c and state_block.c, which takes STATESET and what is recorded into a block. */

/* Takes note of an entry whatever is being recorded. key 0: a barrier. */
bool state_log_append(struct state_log *log, uint64_t key, uint8_t token, const struct dp2_entry *entry);
/* The key of a token that sets something; 0: it does not, or not alone. */
uint64_t state_log_key(uint8_t token, const struct dp2_entry *entry);
/* The command that set a key last, 4 bytes before its body, and the size with them. NULL: not set, or not to be known. */
const uint8_t *state_log_find(const struct state_log *log, uint64_t key, size_t *size);
/* Is the token taken into a block while one is recorded? */
bool state_block_takes(const struct state_log *log, uint8_t token);
bool state_block_record(struct state_log *log, uint8_t token, const struct dp2_entry *entry);
/* STATESET. */
bool state_block_follow(struct state_log *log, const struct dp2_entry *entry);
void state_blocks_free(struct state_log *log);

/* The render target was set by other means than a token. */
void state_log_forget_target(struct state_log *log);

#endif
