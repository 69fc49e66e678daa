/* SPDX-License-Identifier: MIT */
/* Draws whose streams have frequencies (SETSTREAMSOURCEFREQ). */
#ifndef HALCYON_HAL_VERTEX_INSTANCES_H
#define HALCYON_HAL_VERTEX_INSTANCES_H

struct hal_renderer;
struct hal_draw;

/* Draws once, or as often as the stream frequencies say. */
void hal_draw_streams(struct hal_renderer *renderer, const struct hal_draw *draw);

#endif
