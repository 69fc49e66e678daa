/* SPDX-License-Identifier: MIT */
/* Missing data of a draw: why the driver skips it, buffers that are not bound or too short, and limits. */
#ifndef HALCYON_INSPECT_LACKS_H
#define HALCYON_INSPECT_LACKS_H

#include "hal/observer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_inspect_draw;

enum inspect_lack_kind {
    INSPECT_LACK_SKIPPED,      /* the whole draw is skipped */
    INSPECT_LACK_STREAM,       /* a stream has no buffer, or one that the draw does not read */
    INSPECT_LACK_STREAM_BYTES, /* the draw reads beyond the end of a stream, or before its beginning */
    INSPECT_LACK_INDEX_BYTES,  /* the same for indices */
    INSPECT_LACK_STRIDE,       /* positions come from a stream with stride 0, so they are all equal */
    INSPECT_LACK_LIMIT,        /* more primitives are requested than drawn */
};

struct inspect_lack {
    enum inspect_lack_kind kind;
    enum hal_skip skip;   /* SKIPPED */
    unsigned stream;      /* STREAM, STREAM_BYTES, STRIDE */
    uint32_t surface;     /* the buffer; 0: memory of the call */
    int64_t begin, end;   /* STREAM_BYTES, INDEX_BYTES: the bytes that the draw reads, from begin to before end */
    uint64_t bytes;       /* that there are */
    uint64_t asked, most; /* LIMIT: primitives */
};

#define INSPECT_MOST_LACKS 20

/* Each lack once per draw, for any number of instances: ranges of bytes grow to cover all of them. */
struct inspect_lacks {
    unsigned count;
    struct inspect_lack list[INSPECT_MOST_LACKS];
};

/* Records the missing data of a draw that the driver is about to draw. */
void inspect_note_lacks(struct inspect_lacks *lacks, const struct hal_inspect_draw *draw);
/* Records the missing data of a draw that is about to be tessellated; arguments: as the observer gets them
 * (hal_observer.tessellates). */
void inspect_note_tessellated(struct inspect_lacks *lacks, const struct hal_context *context,
                              const struct hal_draw *draw, uint64_t points);
/* Records a draw that the driver skips; draw: as the observer gets it, may be NULL. */
void inspect_note_skip(struct inspect_lacks *lacks, const struct hal_context *context, const struct hal_draw *draw,
                       enum hal_skip why);
/* Are bytes or buffers missing, so that vertices are read as 0? */
bool inspect_lacks_data(const struct inspect_lacks *lacks);
/* Is part of the data of a primitive's corner missing: its index, a byte of its vertex, or a buffer? Always false for
 * tessellated draws. */
bool inspect_corner_lacks_data(const struct hal_inspect_draw *draw, uint32_t primitive, unsigned corner);

/* "stream-bytes"; for skipped draws the reason: "no-indices". */
const char *inspect_lack_name(const struct inspect_lack *lack);
/* As a part of a sentence. */
#define INSPECT_LACK_TEXT 160
void inspect_lack_text(const struct inspect_lack *lack, char text[INSPECT_LACK_TEXT]);

/* The numbers of a primitive's vertices, as if the draw had no indices; the provoking vertex first. */
void inspect_corners_of(uint32_t type, uint32_t primitive, uint64_t corner[3]);

#endif
