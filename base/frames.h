/* SPDX-License-Identifier: MIT */
/* Lists of frames, as options and settings name them. */
#ifndef HALCYON_BASE_FRAMES_H
#define HALCYON_BASE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Frames asked for: "12", "10-20", "10-" or lists of these, "3,10-12". */
struct frame_range {
    struct {
        uint32_t first, last;
    } spans[32];
    unsigned count; /* 0: all frames */
};

/* False: `text` is not such a list, or has more than 32 spans. */
bool frame_range_parse(struct frame_range *range, const char *text);
bool frame_range_has(const struct frame_range *range, uint32_t frame);
/* The last frame that the range can contain. */
uint32_t frame_range_end(const struct frame_range *range);

#endif
