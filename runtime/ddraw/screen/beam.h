/* SPDX-License-Identifier: MIT */
/* The position that the beam of a monitor would have, from a clock: no monitor reports one. */
#ifndef HALCYON_DDRAW_BEAM_H
#define HALCYON_DDRAW_BEAM_H

#include <stdbool.h>

#include "runtime/ddraw/screen/desktop.h"

struct dd_beam {
    unsigned line; /* from 0; from the mode's height on: in the vertical blank */
    bool is_blank;
    unsigned to_begin,
        to_end; /* milliseconds until the next blank begins, and until the present or the next one ends; at least 1 */
};

/* The beam now, in this mode. */
struct dd_beam dd_beam(const struct ddraw_mode *mode);

#endif
