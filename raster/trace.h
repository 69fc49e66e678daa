/* SPDX-License-Identifier: MIT */
/*
 * A record of what the parts of drawing cost on one thread, from which bench/simulate tells how many threads would share them
 * (docs/threads.md). A text of lines, in the order of the work:
 *
 *     front NS                 the front end, since the line before: work that one thread does
 *     chunk NS                 geometry of one chunk of a draw, which any thread may do
 *     join                     the chunks since the last such line are a group, behind which the front end goes on
 *     tile NUMBER COMMANDS NS  a tile of the scene that has gathered, and the commands in its bin
 *     scene                    its tiles end here
 *     wait                     the caller has asked for all of it
 */
#ifndef HALCYON_RASTER_TRACE_H
#define HALCYON_RASTER_TRACE_H

#include <stdbool.h>
#include <stddef.h>

struct raster_trace;

/* Appends to the file. NULL, and said on the log: it cannot be written, or memory is short. */
struct raster_trace *trace_create(const char *path);
void trace_destroy(struct raster_trace *trace);
/* Writes what the part at hand has cost so far: of the front end, or of a chunk. */
void trace_part(struct raster_trace *trace);
/* Writes the same; another part begins, of a chunk or not. */
void trace_begin(struct raster_trace *trace, bool chunk);
/* The time since the last line went to a tile. */
void trace_tile(struct raster_trace *trace, size_t tile, size_t commands);
/* "scene", "wait". */
void trace_word(struct raster_trace *trace, const char *word);

#endif
