/* SPDX-License-Identifier: MIT */
/* The effect of a Blt on one pixel of its destination: copied, filled, or left as it is, and why. */
#ifndef HALCYON_INSPECT_PIXEL_BLIT_H
#define HALCYON_INSPECT_PIXEL_BLIT_H

#include "hal/inspect.h"

#include <stdbool.h>
#include <stdint.h>

struct capture_blt;
struct inspect;

/* X(NUMBER, name, text): the fate of the pixel. */
#define INSPECT_BLIT_FATES(X)                                                                                        \
    X(INSPECT_BLIT_NONE, "none", "another action, or a blit that was refused")                                       \
    X(INSPECT_BLIT_SHOWN, "shown", "the surface is shown as it is; nothing is copied")                               \
    X(INSPECT_BLIT_OUTSIDE, "outside", "the pixel lies outside of the rectangle")                                    \
    X(INSPECT_BLIT_CLIPPED, "clipped", "the pixel lies outside of the clip list")                                    \
    X(INSPECT_BLIT_SOURCE_KEYED, "source-keyed", "the source texel has the source key, and is left out")             \
    X(INSPECT_BLIT_DESTINATION_KEYED, "destination-keyed", "the pixel does not have the destination key, and stays") \
    X(INSPECT_BLIT_COPIED, "copied", "the source texel was copied")                                                  \
    X(INSPECT_BLIT_FILLED, "filled", "it was filled")

enum inspect_blit_fate {
#define INSPECT_BLIT_NUMBER(NUMBER, name, text) NUMBER,
    INSPECT_BLIT_FATES(INSPECT_BLIT_NUMBER) INSPECT_BLIT_FATE_COUNT
};
const char *inspect_blit_fate_name(enum inspect_blit_fate fate);
const char *inspect_blit_fate_text(enum inspect_blit_fate fate);

struct inspect_blit {
    enum inspect_blit_fate fate;
    uint32_t source; /* surface that the texel comes from; 0: none */
    unsigned x, y;   /* of the texel in it */
    bool stretched, mirrored_x, mirrored_y;
    bool has_texel;   /* false: its format has no single texels, or memory ran out */
    bool same_format; /* of the destination, both with one sample */
    uint8_t bytes;    /* of the texel */
    uint8_t texel[16];
    /* set: the blit compares it. The value is that of a texel in all bits of the mask. */
    struct hal_inspect_key source_key, destination_key;
    uint32_t fill;  /* FILLED: the value */
    bool disagrees; /* the pixel became something else: rectangles of a clip list overlap, or a fault of the debugger */
};

/* The effect of the blit, which is about to be played, on the pixel (x, y) of its destination. destination_texel: the
 * bytes that are there, four or more. */
void inspect_blit_at(struct inspect *session, const struct capture_blt *blt, unsigned x, unsigned y,
                     const uint8_t *destination_texel, struct inspect_blit *out);

#endif
