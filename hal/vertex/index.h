/* SPDX-License-Identifier: MIT */
/* The vertices that a chunk of primitives uses: numbers in the source, then slots among the processed ones. */
#ifndef HALCYON_HAL_VERTEX_INDEX_H
#define HALCYON_HAL_VERTEX_INDEX_H

#include <stdbool.h>
#include <stdint.h>

struct hal_draw;
struct hal_source;

/* Number of the draw's vertex that is the i-th of a chunk that begins with primitive first_primitive. */
uint64_t hal_chunk_vertex(uint32_t type, uint32_t first_primitive, uint32_t i);
/* Looks up the source's vertex number of each of the chunk's vertices; *lowest and *highest bound them. */
void hal_number_vertices(const struct hal_draw *draw, const struct hal_source *source, uint32_t first_primitive,
                         uint32_t *numbers, uint32_t count, uint32_t *lowest, uint32_t *highest);
/* Numbers become distances from the lowest one. */
void hal_numbers_to_slots(uint32_t *numbers, uint32_t count, uint32_t lowest);
uint32_t hal_highest_slot(const uint32_t *slots, uint32_t count);
/* The n-th index of a draw with indices; 0 beyond the last one. */
uint32_t hal_draw_index(const struct hal_draw *draw, uint64_t n);
/* The corners of triangle `number` of a draw, as vertices of the source, the provoking one first. */
void hal_triangle_corners(const struct hal_draw *draw, const struct hal_source *source, uint32_t number,
                          uint32_t corners[3]);

#endif
