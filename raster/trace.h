/* SPDX-License-Identifier: MIT */
/*
 * A record of what each part of drawing costs on one thread. From it bench/simulate computes how several threads would
 * share the work (docs/threads.md). The record is text, one line per part, in the order of the work:
 *
 *     front NS                 the front end, since the previous line: work of one thread
 *     chunk NS                 geometry of one chunk of a draw, which any thread may do
 *     join                     the chunks since the last such line are a group; then the front end continues
 *     tile NUMBER COMMANDS NS  a tile of the current scene, and the commands in its bin
 *     scene                    its tiles end here
 *     wait                     the caller waits until everything is drawn
 */
#ifndef HALCYON_RASTER_TRACE_H
#define HALCYON_RASTER_TRACE_H

#include <stdbool.h>
#include <stddef.h>

struct raster_trace;

/* Appends to the file. NULL, with a message in the log: it cannot be written, or memory is short. */
struct raster_trace *trace_create(const char *path);
void trace_destroy(struct raster_trace *trace);
/* Writes the cost so far of the current part: of the front end, or of a chunk. */
void trace_part(struct raster_trace *trace);
/* Writes the same; another part begins, of a chunk or not. */
void trace_begin(struct raster_trace *trace, bool chunk);
/* Attributes the time since the last line to a tile. */
void trace_tile(struct raster_trace *trace, size_t tile, size_t commands);
/* "scene", "wait". */
void trace_word(struct raster_trace *trace, const char *word);

#endif
