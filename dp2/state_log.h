/* SPDX-License-Identifier: MIT */
/*
 * The states that the tokens of a context have left behind, as commands that set them again.
 * Drawing is left out: what it did is in the surfaces.
 */
#ifndef HALCYON_DP2_STATE_LOG_H
#define HALCYON_DP2_STATE_LOG_H

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

/* Zeros: empty. */
struct state_log {
    uint8_t *bytes;
    size_t byte_count, byte_capacity;
    struct state_entry *entries;
    size_t count, capacity, dead, barrier; /* barrier: entries before it stay as they are */
    size_t *slots;                         /* hash of keys: number of an entry + 1 */
    size_t slot_count;
};

void state_log_free(struct state_log *log);
/* Takes note of one entry of a command. False: out of memory. */
bool state_log_follow(struct state_log *log, uint8_t token, const struct dp2_entry *entry);
/* The render target was set by other means than a token. */
void state_log_forget_target(struct state_log *log);

#endif
