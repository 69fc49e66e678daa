/* SPDX-License-Identifier: MIT */
/*
 * The device as ddi/ sees it. The driver root owns the handle tables and the contexts; a context owns all state that
 * the stream sets. ddi/ translates callbacks into these calls and holds the driver's lock during each, so that no two
 * threads call them at once.
 */
#ifndef HALCYON_HAL_H
#define HALCYON_HAL_H

#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/handles.h"
#include "hal/resource/buffer.h"
#include "hal/resource/texture_renaming.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/copy/fill.h"
#include "hal/resource/copy/present.h"
#include "hal/resource/copy/samples.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- contexts ------------------------------------------------------------------------ */

struct hal_context;

/* level: the runtime's (0 DX3 .. 4 DX8, 5 DX9; docs/reference/driver-calls.md, section 2). target, depth: NULL or
 * surfaces created as such (else DDERR_INVALIDPARAMS, as from hal_context_set_target). DDERR_OUTOFMEMORY. */
HRESULT hal_context_create(struct hal_driver *driver, const void *dd_local, struct hal_surface *target,
                           struct hal_surface *depth, uint32_t level, uint32_t process, uint32_t *handle);
struct hal_context *hal_context_find(struct hal_driver *driver, uint32_t handle);
/* The level of its runtime, DDI_LEVEL_*. */
uint32_t hal_context_level(const struct hal_context *context);
void hal_context_destroy(struct hal_context *context);
void hal_contexts_destroy_process(struct hal_driver *driver, uint32_t process);
HRESULT hal_context_set_target(struct hal_context *context, struct hal_surface *target, struct hal_surface *depth);
HRESULT hal_context_validate_stages(struct hal_context *context, uint32_t *passes);

/* Pixels drawn since the context was created, and nanoseconds that threads spent on them. */
void hal_context_work(const struct hal_context *context, ULONGLONG *pixels, ULONGLONG *busy);

/* One DrawPrimitives2 call, after the DDI's structures were unpacked and checked. */
struct hal_execute {
    const uint8_t *commands; /* dwCommandLength bytes */
    size_t command_bytes;
    const uint8_t *vertices; /* DX6/7 tokens and the UM stream; NULL if none */
    size_t vertex_bytes;
    uint32_t vertex_count;   /* dwVertexLength */
    uint32_t vertex_type;    /* FVF of the DX6/7 tokens */
    bool execute_buffer;     /* D3DHALDP2_EXECUTEBUFFER */
    uint32_t *render_states; /* lpdwRStates if EXECUTEBUFFER, else NULL */
};
/* Runs the stream. DD_OK, or the code for ddrval with *error_offset set. */
HRESULT hal_context_execute(struct hal_context *context, const struct hal_execute *execute, uint32_t *error_offset);

/* Answers of the queries that ended, as a response for the runtime (docs/reference/command-stream.md, section 5), into
 * at most `capacity` bytes; answers that do not fit are returned by the next call. Returns the bytes written, 0 if
 * there are no answers. */
size_t hal_context_respond(struct hal_context *context, uint8_t *out, size_t capacity);

/* Vertices `first` .. of the bound streams, processed as a draw would, into `result`: `count` vertices of format `fvf`
 * (with D3DFVF_XYZRHW, without D3DFVF_FOG), `stride` bytes apart. only_changed: colours and coordinates that processing
 * would only copy are not written. DD_OK; DDERR_INVALIDPARAMS: unsupported formats, nothing is written. */
struct hal_process {
    uint32_t first, count;
    uint32_t fvf, stride;
    bool only_changed;
    uint8_t *result;
};
/* HAL_TOO_MUCH_WORK: the result is incomplete. */
HRESULT hal_context_process_vertices(struct hal_context *context, const struct hal_process *call);

/* Immediate clear for the Clear and Clear2 callbacks. rects NULL: the whole target. DD_OK or HAL_TOO_MUCH_WORK. */
HRESULT hal_context_clear(struct hal_context *context, uint32_t flags, uint32_t color, float depth, uint32_t stencil,
                          const RECT *rects, unsigned rect_count);

#endif
