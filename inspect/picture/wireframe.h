/* SPDX-License-Identifier: MIT */
/* The mesh of a draw as a picture of its edges. */
#ifndef HALCYON_INSPECT_WIREFRAME_H
#define HALCYON_INSPECT_WIREFRAME_H

#include "inspect/picture/shot.h"

enum inspect_space {
    INSPECT_FETCHED, /* positions as the streams hold them, seen from the side, from above and a little turned */
    INSPECT_WINDOW,  /* positions in the window, over the target after the draw, darkened */
};

/*
 * The edges of all primitives of a draw of the loaded frame: white, but yellow if clipped, red if culled, blue if
 * outside. shot->marked: primitives that have edges in the picture. False: see the error.
 */
bool inspect_wireframe(struct inspect *session, uint32_t action, enum inspect_space space, struct inspect_shot *shot,
                       struct capture_error *error);

#endif
