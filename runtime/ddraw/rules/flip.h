/* SPDX-License-Identifier: MIT */
/*
 * Flip: its errors, its pace, and which memory is behind which surface afterwards. Surfaces of a chain stay where they are,
 * memory moves.
 */
#ifndef HALCYON_DDRAW_FLIP_H
#define HALCYON_DDRAW_FLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"
#include "runtime/ddraw/rules/creation.h"

/* The chain: memory[k] is that behind surface k; 0 is the front. */
struct ddraw_flips {
    unsigned count; /* surfaces: 1 to DDRAW_MOST_BACK_BUFFERS + 1; 1 is not a flip chain */
    uint8_t memory[DDRAW_MOST_BACK_BUFFERS + 1];
};

struct ddraw_flip_facts {
    unsigned surface; /* of the chain, whose method is called */
    int target;       /* of the chain; -1: a surface that is not in it; 0 and has_target false: the next one */
    bool has_target;
    bool is_primary, is_exclusive;
    bool is_lost, is_locked; /* front or target */
};

/* count: 1 + back buffers. */
void ddraw_flips_init(struct ddraw_flips *flips, unsigned count);
HRESULT ddraw_check_flip(const struct ddraw_flips *flips, const struct ddraw_flip_facts *facts);
/* target 0: all move up by one, and the front's memory becomes that of the last; else front and target change. */
void ddraw_flip(struct ddraw_flips *flips, unsigned target);

/* Refreshes of the screen for which the picture stays: DDFLIP_NOVSYNC 0, none 1, DDFLIP_INTERVAL2 to 4. */
unsigned ddraw_flip_interval(DWORD flags);
/* Does the call wait until the flip can be made? Version 7 does so unless it is told not to. */
bool ddraw_flip_waits(unsigned version, DWORD flags);

#endif
