/* SPDX-License-Identifier: MIT */
/* Point sizes, and what user planes leave of a point. */
#ifndef HALCYON_HAL_VERTEX_POINT_H
#define HALCYON_HAL_VERTEX_POINT_H

struct hal_context;
struct hal_vertex_stage;
struct tnl_program;

/* From states to what sizes of points are scaled by in *program. */
void tnl_prepare_points(struct tnl_program *program, const struct hal_context *context);
/* For points: the slopes of the planes that user planes become in clip space. */
void tnl_set_plane_slopes(const struct tnl_program *program, struct hal_vertex_stage *stage);

#endif
