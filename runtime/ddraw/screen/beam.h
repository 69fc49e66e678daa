/* SPDX-License-Identifier: MIT */
/* Where the beam of a monitor would be: a clock, because there is no monitor that tells it. */
#ifndef HALCYON_DDRAW_BEAM_H
#define HALCYON_DDRAW_BEAM_H

#include <stdbool.h>

#include "runtime/ddraw/screen/mode_list.h"

struct dd_beam {
    unsigned line; /* from 0; from the mode's height on: in the vertical blank */
    bool is_blank;
    unsigned to_begin,
        to_end; /* milliseconds until the next blank begins, and until the present or the next one ends; at least 1 */
};

/* The beam now, in this mode. */
struct dd_beam dd_beam(const struct dd_mode *mode);

#endif
