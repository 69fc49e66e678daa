/* SPDX-License-Identifier: MIT */
/* The states that decide the size of points, for targets that are larger than the program believes. */
#ifndef HALCYON_RUNTIME_POINTS_H
#define HALCYON_RUNTIME_POINTS_H

#include "runtime/common/state/state.h"

/* Where the sizes of a draw's points come from. */
struct rt_point_use {
    bool transformed;    /* vertices are in pixels */
    bool has_shader;     /* a vertex shader processes them */
    bool vertices_sized; /* vertices contain sizes */
};

/* Before a draw of points: sends the states with which they have the program's size in a target of rt_pipe.times, if the driver
 * has others. */
void rt_pipe_bind_points(struct rt_pipe *pipe, const struct rt_point_use *use);
/* The driver is told a render state: remembers it if it is one of these. */
void rt_pipe_note_point_state(struct rt_pipe *pipe, uint32_t state, uint32_t value);

#endif
