/* SPDX-License-Identifier: MIT */
/* What a draw lacks to draw from: why the driver leaves it out, buffers that are not bound or too short, and limits. */
#ifndef HALCYON_INSPECT_LACKS_H
#define HALCYON_INSPECT_LACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/vertex/skip.h"

struct hal_context;
struct hal_draw;
struct hal_observed_primitive;

enum inspect_lack_kind {
    INSPECT_LACK_SKIPPED,      /* the whole draw is left out */
    INSPECT_LACK_STREAM,       /* a stream has no buffer, or one that the draw does not read */
    INSPECT_LACK_STREAM_BYTES, /* a stream ends before what the draw reads, or begins behind it */
    INSPECT_LACK_INDEX_BYTES,  /* the same of indices */
    INSPECT_LACK_STRIDE,       /* positions come from a stream with stride 0: they are all the same */
    INSPECT_LACK_LIMIT,        /* it asks for more primitives than are drawn */
};

struct inspect_lack {
    enum inspect_lack_kind kind;
    enum hal_skip skip;   /* SKIPPED */
    unsigned stream;      /* STREAM, STREAM_BYTES, STRIDE */
    uint32_t surface;     /* the buffer; 0: what came with the call */
    int64_t begin, end;   /* STREAM_BYTES, INDEX_BYTES: the bytes that the draw reads, from begin to before end */
    uint64_t bytes;       /* that there are */
    uint64_t asked, most; /* LIMIT: primitives */
};

#define INSPECT_MOST_LACKS 20

/* Each once for a draw, whatever number of instances it has: ranges of bytes grow to cover all of them. */
struct inspect_lacks {
    unsigned count;
    struct inspect_lack list[INSPECT_MOST_LACKS];
};

/* Takes note of what a draw lacks that the driver is about to draw. */
void inspect_note_lacks(struct inspect_lacks *lacks, const struct hal_context *context, const struct hal_draw *draw);
/* Takes note of a draw that the driver leaves out; draw: as the observer has it, may be NULL. */
void inspect_note_skip(struct inspect_lacks *lacks, const struct hal_context *context, const struct hal_draw *draw,
                       enum hal_skip why);
/* Are there bytes or buffers missing, so that vertices are read as 0? */
bool inspect_lacks_data(const struct inspect_lacks *lacks);
/* Is something of a corner's data missing: its index, or a byte of its vertex, or a buffer of it? Of tessellated draws: no. */
bool inspect_corner_lacks_data(const struct hal_observed_primitive *primitive, unsigned corner);

/* "stream-bytes"; of draws that are left out the reason: "no-indices". */
const char *inspect_lack_name(const struct inspect_lack *lack);
/* As a part of a sentence. */
#define INSPECT_LACK_TEXT 160
void inspect_lack_text(const struct inspect_lack *lack, char text[INSPECT_LACK_TEXT]);

/* Which of the draw's vertices a primitive has for corners, as if they had no indices: the provoking one first. */
void inspect_corners_of(uint32_t type, uint32_t primitive, uint64_t corner[3]);

#endif
