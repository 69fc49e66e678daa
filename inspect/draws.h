/* SPDX-License-Identifier: MIT */
/* The effects of the actions of a frame: the rows of dp2 draws. */
#ifndef HALCYON_INSPECT_DRAWS_H
#define HALCYON_INSPECT_DRAWS_H

#include "hal/inspect.h"
#include "inspect/inspect.h"
#include "inspect/lacks.h"

#define INSPECT_TEXT 160

/* Counts of a draw. Primitives that clipping makes from one count as one. */
struct inspect_counts {
    uint64_t named;      /* vertices that the draw references, with repetitions */
    uint64_t processed;  /* that went through the vertex stage */
    uint64_t primitives; /* that were assembled; of patches: made of them */
    uint64_t rejected;   /* with all corners beyond one plane of the view, or with a NaN or infinite corner */
    uint64_t clipped;    /* that cross near, far, the guard band or a user plane */
    uint64_t no_area;    /* without area, as snapped, or seen from the eye */
    uint64_t culled;     /* not clipped, and facing away while the state culls */
    /* fragments: covered pixels of primitives, in the viewport and the scissor rectangle; one a pixel on multisampled targets, too,
     * where occlusion queries count samples */
    uint64_t tested;
    uint64_t killed;  /* of these: by the program */
    uint64_t passed;  /* alpha test, stencil and depth */
    uint64_t written; /* of these: with write-enabled colour, depth or stencil */
    unsigned parts;   /* draws that the driver made from it: instances, pieces of patches */
};

struct inspect_draw {
    struct inspect_place place;
    struct inspect_action action;
    bool refused;            /* by the driver; not carried out */
    char text[INSPECT_TEXT]; /* not of draws: the command or event as dp2 dump prints it */
    struct inspect_counts counts;
    uint32_t target[HAL_INSPECT_TARGETS], depth; /* surfaces; 0: none */
    unsigned texture_count;
    struct {
        unsigned sampler; /* or texture stage */
        uint32_t surface; /* 0: no longer exists */
    } texture[HAL_INSPECT_SAMPLERS];
    uint32_t vertex_shader, pixel_shader; /* handles; 0: fixed function */
    struct inspect_lacks lacks;           /* its missing data, or why it is skipped */
    double seconds;                       /* of playing and drawing it by itself, including waits */
};

/*
 * Plays the loaded frame twice, once by the clock and once counting, and gives a row for each action. `row` returns
 * false to end the work. The position is then after the last row. Returns false on failure, see the error.
 */
bool inspect_draws(struct inspect *session, bool (*row)(void *user, const struct inspect_draw *draw), void *user,
                   struct capture_error *error);

/* The capture's number of a driver's surface; surface NULL, or 0: none. */
uint32_t inspect_surface_id(const struct hal_resource *surface);

#endif
