/* SPDX-License-Identifier: MIT */
/* Point sizes, and what user planes leave of a point. */
#ifndef HALCYON_HAL_VERTEX_POINT_H
#define HALCYON_HAL_VERTEX_POINT_H

struct hal_context;
struct shader_program;
struct tnl_program;

/* Before points are drawn with user planes on. */
void hal_points_prepare(struct hal_context *context, const struct shader_program *program);

/* From states to the sizes of points in *program. */
void tnl_prepare_points(struct tnl_program *program, const struct hal_context *context);

#endif
