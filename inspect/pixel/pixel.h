/* SPDX-License-Identifier: MIT */
/*
 * The history of a pixel: the effect of each action of a frame on it, of what the program writes there itself and of
 * palettes in between and, for draws, the verdict on each primitive that covers it. A draw is examined primitive by primitive: each that may cover the pixel is drawn several times with the
 * scissor rectangle at the pixel, with one test after another, and the pixel is restored in between. So every verdict
 * is the driver's.
 */
#ifndef HALCYON_INSPECT_PIXEL_H
#define HALCYON_INSPECT_PIXEL_H

#include "hal/inspect.h"
#include "inspect/inspect.h"
#include "inspect/lacks.h"
#include "inspect/pixel/blit.h"

/* X(NUMBER, name, text, state): the fate of a primitive at the pixel, in the order in which the driver decides it, and the render state
 * that decides it; NULL: there is none. */
#define INSPECT_VERDICTS(X)                                                                                      \
    X(INSPECT_OUTSIDE, "outside", "all corners lie beyond one plane of the view", NULL)                          \
    X(INSPECT_MISSING, "missing", "a corner is not a number", NULL)                                              \
    X(INSPECT_NO_DATA, "no-data", "data of a corner are not there", NULL)                                        \
    X(INSPECT_NO_AREA, "no-area", "it has no area", NULL)                                                        \
    X(INSPECT_CLIPPED, "clipped", "the part at the pixel is cut off", NULL)                                      \
    X(INSPECT_CULLED, "culled", "it faces away", "CULLMODE")                                                     \
    X(INSPECT_OFF_VIEWPORT, "off-viewport", "the pixel lies outside of the viewport", NULL)                      \
    X(INSPECT_SCISSORED, "scissored", "the pixel lies outside of the scissor rectangle", "SCISSORTESTENABLE")    \
    X(INSPECT_UNCOVERED, "uncovered", "no sample of the pixel is covered", NULL)                                 \
    X(INSPECT_SAMPLE_MASKED, "sample-masked", "the sample mask has none of the covered ones", "MULTISAMPLEMASK") \
    X(INSPECT_KILLED, "killed", "the program killed the pixel", NULL)                                            \
    X(INSPECT_ALPHA_FAILED, "alpha-failed", "it failed the alpha test", "ALPHAFUNC")                             \
    X(INSPECT_BOUNDS_FAILED, "bounds-failed", "the stored depth lies outside of the bounds", NULL)               \
    X(INSPECT_STENCIL_FAILED, "stencil-failed", "it failed the stencil test", "STENCILFUNC")                     \
    X(INSPECT_DEPTH_FAILED, "depth-failed", "it failed the depth test", "ZFUNC")                                 \
    X(INSPECT_WRITE_MASKED, "write-masked", "no channel of the target may be written", "COLORWRITEENABLE")       \
    X(INSPECT_BLENDED, "blended", "it was blended with what was there", NULL)                                    \
    X(INSPECT_WRITTEN, "written", "it took the place of what was there", NULL)

enum inspect_verdict {
#define INSPECT_VERDICT_NUMBER(NUMBER, name, text, state) NUMBER,
    INSPECT_VERDICTS(INSPECT_VERDICT_NUMBER) INSPECT_VERDICT_COUNT
};
const char *inspect_verdict_name(enum inspect_verdict verdict);
const char *inspect_verdict_text(enum inspect_verdict verdict);
/* "CULLMODE"; NULL: no render state decides it. Of a fragment, see its `state`: there may be one for each side or target. */
const char *inspect_verdict_state(enum inspect_verdict verdict);

/* X(NUMBER, name, text): the effect of the primitive if only the test that it failed is disabled. */
#define INSPECT_OTHERWISES(X)                                                              \
    X(INSPECT_NOT_TRIED, "not-tried", "nothing was failed, or there is no way without it") \
    X(INSPECT_CHANGES, "changes", "it changes")                                            \
    X(INSPECT_LEAVES, "leaves", "it passes, and leaves what was there")                    \
    X(INSPECT_FAILS, "fails", "it fails another test")

enum inspect_otherwise {
#define INSPECT_OTHERWISE_NUMBER(NUMBER, name, text) NUMBER,
    INSPECT_OTHERWISES(INSPECT_OTHERWISE_NUMBER) INSPECT_OTHERWISE_COUNT
};
const char *inspect_otherwise_name(enum inspect_otherwise otherwise);
const char *inspect_otherwise_text(enum inspect_otherwise otherwise);

/* The parts of a pixel. */
enum inspect_part { INSPECT_PART_COLOR = 1, INSPECT_PART_DEPTH = 2, INSPECT_PART_STENCIL = 4 };
#define INSPECT_PARTS 3
/* "color", of bit number `bit`. */
const char *inspect_part_name(unsigned bit);

/* The contents of targets at the pixel. */
struct inspect_pixel {
    bool has_color, has_depth, has_stencil;
    unsigned samples;                     /* of the colour target: 1, or those it has */
    uint8_t bytes;                        /* of a texel */
    uint8_t raw[HAL_INSPECT_SAMPLES][16]; /* its bytes */
    float color[HAL_INSPECT_SAMPLES][4];  /* r, g, b, a */
    float depth[HAL_INSPECT_SAMPLES];     /* 0..1 */
    uint8_t stencil[HAL_INSPECT_SAMPLES];
    /* The first byte of a texel is an index, and its colour that of an entry of a palette; of a surface that is seen
     * through none, a grey. */
    bool has_index;
    uint32_t palette; /* 0: none */
};

/* A primitive that covers the pixel. */
struct inspect_fragment {
    uint32_t primitive; /* of the draw, from 0; continuous over instances and patches */
    enum inspect_verdict verdict;
    const char *state;                /* the render state that decides the verdict; NULL: there is none */
    enum inspect_otherwise otherwise; /* for failures: drawn once more without the failed test */
    uint8_t would_change;             /* otherwise CHANGES: enum inspect_part, what of the pixel */
    bool front_facing;
    uint32_t samples; /* bit s: sample s is covered */
    bool has_output;
    float output[4];                      /* output of the program for the target, before fog */
    uint8_t output_mask;                  /* components that it writes, bit 0 x .. bit 3 w; the others are undefined */
    unsigned kills;                       /* instructions of the program that may kill */
    unsigned killed_by;                   /* KILLED: which of them, from 1; 0: unknown */
    uint8_t alpha, alpha_ref, alpha_func; /* of the alpha test, if there is one: 8 bits each; D3DCMPFUNC */
    bool has_alpha_test;
    bool has_depth;                                  /* depth came to a test or could have been written */
    float depth[HAL_INSPECT_SAMPLES];                /* its own, as the buffer would hold it */
    uint8_t depth_func;                              /* D3DCMPFUNC; 0: no test */
    uint8_t stencil_ref, stencil_mask, stencil_func; /* func 0: no test */
    struct inspect_pixel before, after;
};

/* "near", "user 2": of bit number `bit` of enum hal_outcode; NULL: not a plane. */
const char *inspect_plane_name(unsigned bit);
#define INSPECT_PLANE_BITS     16

#define INSPECT_MOST_FRAGMENTS 256 /* of a draw that are kept */

/* X(NUMBER, name, text): what changed the pixel between two actions. */
#define INSPECT_CHANGES_BETWEEN(X)                                                             \
    X(INSPECT_NO_CHANGE, "none", "an action")                                                  \
    X(INSPECT_IN_LOCK, "lock", "written by the CPU in a lock")                                 \
    X(INSPECT_IN_MEMORY, "memory", "written by the CPU in system memory")                      \
    X(INSPECT_SAMPLE_SET, "samples", "restored at the beginning of a range, sample by sample") \
    X(INSPECT_PALETTE_ENTRY, "palette-entry", "the entry of its palette was changed")          \
    X(INSPECT_OTHER_PALETTE, "other-palette", "from now on it is seen through another palette")

enum inspect_change_between {
#define INSPECT_CHANGE_NUMBER(NUMBER, name, text) NUMBER,
    INSPECT_CHANGES_BETWEEN(INSPECT_CHANGE_NUMBER) INSPECT_CHANGE_BETWEEN_COUNT
};
const char *inspect_change_between_name(enum inspect_change_between change);
const char *inspect_change_between_text(enum inspect_change_between change);

/* The closest primitive of a draw that did not reach the pixel. */
struct inspect_nearest {
    bool found;
    uint32_t primitive;
    enum inspect_verdict verdict;
    enum inspect_otherwise
        otherwise;        /* CLIPPED and OUTSIDE, for --why: drawn once more without these planes, if possible */
    uint8_t would_change; /* otherwise CHANGES: enum inspect_part, what of the pixel */
    unsigned planes;      /* OUTSIDE, CLIPPED: enum hal_outcode bits */
    double distance;      /* UNCOVERED, NO_AREA: pixels from the pixel's centre to it */
};

struct inspect_pixel_row {
    struct inspect_place place; /* of a row between two actions: the action after it */
    struct inspect_action action;
    enum inspect_change_between between; /* of kinds LOCK and PALETTE, which lie between actions; else NO_CHANGE */
    uint32_t surface;                    /* that holds the pixel then */
    uint32_t from;                       /* of a flip: the surface whose memory `surface` has after it; else 0 */
    struct inspect_blit blit;            /* of the call Blt */
    bool refused;
    bool reaches;   /* it draws to the surface, clears it, copies to it or flips it */
    bool changed;   /* of the surface by its number: a flip changes it, too */
    char text[160]; /* of an action that is not a draw */
    struct inspect_pixel before, after;
    size_t fragment_count; /* all; the first INSPECT_MOST_FRAGMENTS are in the list */
    struct inspect_fragment *fragments;
    struct inspect_nearest nearest;
    struct inspect_lacks lacks;
    uint64_t primitives; /* that were looked at */
    bool disagrees;      /* the whole draw gave a different result than its primitives one by one */
};

/*
 * Gives a row for each action of the loaded frame that reaches the pixel (x, y) of a surface. A flip is a row of the
 * surface that gets memory; rows before it are also those of the surface that had this memory then. surface 0: the
 * picture that the frame shows, followed back through flips; x and y are then those of the picture. only: gives only the
 * row of
 * this action, whether or not it reaches the pixel; UINT32_MAX: all. *initial and *final (may be NULL): the pixel
 * before and after the frame. Between two actions there are rows for what changed the pixel without being an action:
 * memory that the program wrote, in a lock or at any time in its own memory, and palettes that changed its colour; not if
 * `only` is given. Returns false on failure, see the error.
 */
bool inspect_pixel(struct inspect *session, uint32_t surface, unsigned x, unsigned y, uint32_t only,
                   bool (*row)(void *user, const struct inspect_pixel_row *row), void *user,
                   struct inspect_pixel *initial, struct inspect_pixel *final, struct capture_error *error);

#endif
