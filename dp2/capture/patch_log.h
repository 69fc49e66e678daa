/* SPDX-License-Identifier: MIT */
/*
 * The patches that a context keeps by handle (DRAWRECTPATCH, DRAWTRIPATCH), as calls that define them again: their
 * descriptions and their control points.
 */
#ifndef HALCYON_DP2_CAPTURE_PATCH_LOG_H
#define HALCYON_DP2_CAPTURE_PATCH_LOG_H

#include "dp2/capture/state_log.h"
#include "dp2/fields.h"

struct patch_definition {
    uint32_t handle;
    uint8_t token;
    uint8_t info[sizeof(struct dp2_data_RECTPATCH_INFO)]; /* D3DRECTPATCH_INFO or D3DTRIPATCH_INFO, from vertex 0 on */
    uint32_t fvf, stride;
    uint8_t *points; /* vertices of `stride` bytes */
    size_t bytes;
};

/* Zeros: empty. */
struct patch_log {
    struct patch_definition *list;
    size_t count, capacity;
    size_t bytes;
    bool incomplete; /* a patch was defined in a way that cannot be reproduced */
};

/* The source of control points: vertices of the call, or a buffer. */
struct patch_source {
    const uint8_t *vertices;
    size_t vertex_bytes;
    /* Copies the current bytes [offset, offset + size) of a buffer; false: cannot be read. NULL: no buffer can. */
    bool (*read)(void *user, uint32_t handle, size_t offset, size_t size, uint8_t *out);
    void *user;
};

void patch_log_free(struct patch_log *log);
/* One entry of DRAWRECTPATCH or DRAWTRIPATCH; states: of the context before it. False: out of memory. */
bool patch_log_follow(struct patch_log *log, const struct state_log *states, uint8_t token,
                      const struct dp2_entry *entry, const struct patch_source *source);
/* D3DRS_DELETERTPATCH. */
void patch_log_delete(struct patch_log *log, uint32_t handle);

/* These write commands, at most PATCH_LOG_COMMANDS bytes, and return their size. */
#define PATCH_LOG_COMMANDS 96u
/* Before all definitions: an empty viewport, so that the patches are not drawn. */
size_t patch_log_begin(uint8_t *out);
/* Defines one, with `points` as the vertices of the call. */
size_t patch_log_commands(const struct patch_definition *patch, uint8_t *out);
/* After all definitions: resets the states that they set to those of a new context with a target of this size in
 * pixels. */
size_t patch_log_end(uint32_t width, uint32_t height, uint8_t *out);

#endif
