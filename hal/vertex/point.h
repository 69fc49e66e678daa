/* SPDX-License-Identifier: MIT */
/* Point sizes, and clipping of points by user planes. */
#ifndef HALCYON_HAL_VERTEX_POINT_H
#define HALCYON_HAL_VERTEX_POINT_H

struct hal_state;
struct hal_vertex_stage;
struct tnl_program;

/* Sets the scale of point sizes in *program from states. */
void tnl_prepare_points(struct tnl_program *program, const struct hal_state *state);
/* For points: sets the slopes of the user planes in clip space. */
void tnl_set_plane_slopes(const struct tnl_program *program, struct hal_vertex_stage *stage);

#endif
