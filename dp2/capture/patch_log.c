/* SPDX-License-Identifier: MIT */
/*
 * Patches with a vertex format and one stream are kept. Those of vertex shaders, whose declarations may name several
 * streams, are not.
 */
#include "dp2/capture/patch_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* The log keeps as many bytes as the driver itself (hal/vertex/patch/patch.h). */
#define MAX_BYTES    ((size_t)64 << 20)
#define MAX_VERTICES (1u << 22)

void patch_log_free(struct patch_log *log)
{
    for (size_t i = 0; i < log->count; i++)
        free(log->list[i].points);
    free(log->list);
}

static struct patch_definition *patch_find(const struct patch_log *log, uint32_t handle)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->list[i].handle == handle)
            return &log->list[i];
    return NULL;
}

void patch_log_delete(struct patch_log *log, uint32_t handle)
{
    struct patch_definition *patch = patch_find(log, handle);

    if (patch) {
        log->bytes -= patch->bytes;
        free(patch->points);
        *patch = log->list[--log->count];
    }
}

/* --- definitions -------------------------------------------------------------------------- */

/* The vertices that a description names, and the description renumbered to begin with 0. False: too many for a
 * patch. */
static bool rebase(struct patch_definition *patch, uint64_t *first, uint64_t *count)
{
    uint8_t *info = patch->info;

    if (patch->token == DP2OP_DRAWTRIPATCH) {
        const uint64_t degree = DP2_U32(info, data_TRIPATCH_INFO, degree);

        *first = DP2_U32(info, data_TRIPATCH_INFO, offset);
        *count = (degree + 1) * (degree + 2) / 2;
        memset(info + DP2_OFFSET(data_TRIPATCH_INFO, offset), 0, DP2_WIDTH(data_TRIPATCH_INFO, offset));
        return degree <= 5;
    }
    const uint64_t width = DP2_U32(info, data_RECTPATCH_INFO, width);
    const uint64_t height = DP2_U32(info, data_RECTPATCH_INFO, height);
    const uint64_t stride = DP2_U32(info, data_RECTPATCH_INFO, stride);
    const uint64_t row = DP2_U32(info, data_RECTPATCH_INFO, offset_y);

    if (!width || !height || (stride && (row > MAX_VERTICES / stride || height > MAX_VERTICES / stride)))
        return false;
    *first = row * stride + DP2_U32(info, data_RECTPATCH_INFO, offset_x);
    *count = (height - 1) * stride + width;
    memset(info + DP2_OFFSET(data_RECTPATCH_INFO, offset_x), 0, DP2_WIDTH(data_RECTPATCH_INFO, offset_x));
    memset(info + DP2_OFFSET(data_RECTPATCH_INFO, offset_y), 0, DP2_WIDTH(data_RECTPATCH_INFO, offset_y));
    return *first <= MAX_VERTICES && *count <= MAX_VERTICES;
}

/* Reads the vertices of stream 0 into patch->points. */
static bool patch_read_points(struct patch_definition *patch, const uint8_t *stream, uint64_t first,
                              const struct patch_source *source)
{
    const size_t at = (size_t)first * patch->stride;

    if (stream[0] == DP2OP_SETSTREAMSOURCEUM) {
        if (at > source->vertex_bytes || patch->bytes > source->vertex_bytes - at)
            return false;
        memcpy(patch->points, source->vertices + at, patch->bytes);
        return true;
    }
    const uint8_t *entry = stream + DP2_HEADER_BYTES;
    const size_t offset = stream[0] == DP2OP_SETSTREAMSOURCE2 ? DP2_U32(entry, entry_SETSTREAMSOURCE2, offset) : 0;
    const uint32_t buffer = DP2_U32(entry, entry_SETSTREAMSOURCE, buffer); /* also of SETSTREAMSOURCE2 */

    return source->read && source->read(source->user, buffer, offset + at, patch->bytes, patch->points);
}

static uint32_t stride_of(const uint8_t *stream)
{
    const uint8_t *entry = stream + DP2_HEADER_BYTES;

    switch (stream[0]) {
    case DP2OP_SETSTREAMSOURCEUM:
        return DP2_U32(entry, entry_SETSTREAMSOURCEUM, stride);
    case DP2OP_SETSTREAMSOURCE2:
        return DP2_U32(entry, entry_SETSTREAMSOURCE2, stride);
    default:
        return DP2_U32(entry, entry_SETSTREAMSOURCE, stride);
    }
}

static const uint8_t *patch_find_state(const struct state_log *states, uint8_t token)
{
    const uint8_t head[8] = {0};
    const struct dp2_entry entry = {.head = head, .head_size = sizeof(head)};
    size_t size;

    return state_log_find(states, state_log_key(token, &entry), &size);
}

/* False: this patch cannot be reproduced. */
static bool patch_define(struct patch_log *log, const struct state_log *states, struct patch_definition *patch,
                         const struct patch_source *source)
{
    const uint8_t *stream = patch_find_state(states, DP2OP_SETSTREAMSOURCE);
    const uint8_t *shader = patch_find_state(states, DP2OP_SETVERTEXSHADER);
    uint64_t first, count;

    if (!stream || !shader || patch_find_state(states, DP2OP_SETVERTEXSHADERDECL) || !rebase(patch, &first, &count))
        return false;
    patch->fvf = DP2_U32(shader + DP2_HEADER_BYTES, entry_SETVERTEXSHADER, shader);
    patch->stride = stride_of(stream);
    if (dp2_fvf_size(patch->fvf) == 0 || patch->fvf & 1 || patch->stride == 0 ||
        count * patch->stride > MAX_BYTES - log->bytes)
        return false;
    patch->bytes = (size_t)count * patch->stride;
    patch->points = mem_alloc(patch->bytes, 1, 1);
    return patch->points && patch_read_points(patch, stream, first, source);
}

bool patch_log_follow(struct patch_log *log, const struct state_log *states, uint8_t token,
                      const struct dp2_entry *entry, const struct patch_source *source)
{
    const uint32_t handle = DP2_U32(entry->head, entry_DRAWRECTPATCH, handle);
    const uint32_t flags = DP2_U32(entry->head, entry_DRAWRECTPATCH, flags);
    const bool triangle = token == DP2OP_DRAWTRIPATCH;
    const size_t segments = !(flags & DP2_PATCH_HASSEGS) ? 0
                            : triangle                   ? sizeof(struct dp2_data_TRIPATCH_SEGMENTS)
                                                         : sizeof(struct dp2_data_RECTPATCH_SEGMENTS);
    struct patch_definition patch = {.handle = handle, .token = token};

    if (!handle)
        return true;
    const struct patch_definition *known = patch_find(log, handle);

    /* One table serves both kinds: a handle used with the other token is forgotten. */
    if (known && (flags & DP2_PATCH_HASINFO || known->token != token))
        patch_log_delete(log, handle);
    if (!(flags & DP2_PATCH_HASINFO))
        return true;
    memcpy(patch.info, entry->data + segments,
           triangle ? sizeof(struct dp2_data_TRIPATCH_INFO) : sizeof(struct dp2_data_RECTPATCH_INFO));
    if (!patch_define(log, states, &patch, source)) {
        free(patch.points);
        log->incomplete = true;
        return true;
    }
    if (log->count == log->capacity) {
        const size_t capacity = 2 * log->capacity + 16;
        struct patch_definition *bigger = mem_realloc(log->list, capacity, sizeof(*bigger));

        if (!bigger) {
            free(patch.points);
            return false;
        }
        log->list = bigger;
        log->capacity = capacity;
    }
    log->list[log->count++] = patch;
    log->bytes += patch.bytes;
    return true;
}

/* --- commands ----------------------------------------------------------------------------- */

static uint8_t *patch_put(uint8_t *out, uint8_t token, const uint32_t *body, size_t words)
{
    memcpy(out, (const uint8_t[]){token, 0, 1, 0}, DP2_HEADER_BYTES);
    memcpy(out + DP2_HEADER_BYTES, body, 4 * words);
    return out + DP2_HEADER_BYTES + 4 * words;
}

size_t patch_log_begin(uint8_t *out)
{
    static const uint32_t nowhere[4];

    return (size_t)(patch_put(out, DP2OP_VIEWPORTINFO, nowhere, 4) - out);
}

size_t patch_log_commands(const struct patch_definition *patch, uint8_t *out)
{
    const size_t info = patch->token == DP2OP_DRAWTRIPATCH ? sizeof(struct dp2_data_TRIPATCH_INFO)
                                                           : sizeof(struct dp2_data_RECTPATCH_INFO);
    uint8_t *at = out;

    at = patch_put(at, DP2OP_SETVERTEXSHADER, &patch->fvf, 1);
    at = patch_put(at, DP2OP_SETSTREAMSOURCEUM, (const uint32_t[]){0, patch->stride}, 2);
    at = patch_put(at, patch->token, (const uint32_t[]){patch->handle, DP2_PATCH_HASINFO}, 2);
    memcpy(at, patch->info, info);
    return (size_t)(at - out) + info;
}

size_t patch_log_end(uint32_t width, uint32_t height, uint8_t *out)
{
    static const uint32_t nothing[3];
    uint8_t *at = out;

    at = patch_put(at, DP2OP_SETSTREAMSOURCE, nothing, 3);
    at = patch_put(at, DP2OP_SETVERTEXSHADER, nothing, 1);
    return (size_t)(patch_put(at, DP2OP_VIEWPORTINFO, (const uint32_t[]){0, 0, width, height}, 4) - out);
}
