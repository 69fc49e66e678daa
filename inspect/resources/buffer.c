/* SPDX-License-Identifier: MIT */
/* The bytes that a draw reads vertices and indices from, and those of surfaces. */
#include "inspect/resources/buffer.h"

#include "base/base.h"
#include "hal/inspect.h"
#include "inspect/draws.h"
#include "inspect/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct taking {
    enum inspect_buffer_kind kind;
    uint32_t number;
    struct inspect_buffer *out;
    bool seen, failed, reads;
};

/* --- in the draw --------------------------------------------------------------------------------- */

static void add_column(struct inspect_layout *layout, const struct hal_inspect_element *element)
{
    struct inspect_element named;
    struct inspect_layout one;
    char why[16];

    inspect_name_element(element, &named);
    if (layout->count == INSPECT_MOST_COLUMNS || !inspect_parse_layout(named.type, &one, why, sizeof(why)))
        return;
    one.column[0].offset = named.offset;
    memcpy(one.column[0].name, named.name, sizeof(one.column[0].name));
    layout->column[layout->count++] = one.column[0];
    layout->bytes = BASE_MAX(layout->bytes, named.offset + one.column[0].bytes);
}

static int by_offset(const void *a, const void *b)
{
    const struct inspect_column *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void take_stream(struct taking *t, const struct hal_inspect_draw *draw)
{
    const struct hal_inspect_stream *stream = &draw->stream[t->number];

    t->reads = stream->is_read && stream->is_bound;
    if (!t->reads)
        return;
    t->out->surface = inspect_surface_id(stream->surface);
    t->out->offset = stream->offset;
    t->out->stride = stream->stride;
    t->out->bytes = (size_t)stream->bytes;
    t->out->data = mem_alloc(t->out->bytes, 1, 1);
    t->failed = !t->out->data;
    if (t->out->data)
        memcpy(t->out->data, stream->memory, t->out->bytes);
    for (unsigned e = 0; e < draw->element_count; e++)
        if (draw->element[e].stream == t->number)
            add_column(&t->out->layout, &draw->element[e]);
    qsort(t->out->layout.column, t->out->layout.count, sizeof(t->out->layout.column[0]), by_offset);
}

/* Indices are read one by one, because those of a call may lie apart. */
static void take_indices(struct taking *t, const struct hal_inspect_draw *draw)
{
    const uint32_t size = draw->index_stride == 4 ? 4 : 2;
    const uint64_t count =
        draw->index_step ? 3 * (uint64_t)BASE_MIN(draw->primitives, draw->most) : draw->index_bytes / size;
    char why[16];

    t->reads = draw->indexed && !draw->index_surface;
    if (draw->index_surface) { /* read as a surface afterwards, at its place */
        t->out->surface = inspect_surface_id(draw->index_surface);
        t->out->offset = (int64_t)draw->index_begin;
        t->reads = true;
    } else if (t->reads) {
        t->out->bytes = (size_t)(count * size);
        t->out->data = mem_alloc(t->out->bytes, 1, 1);
        t->failed = !t->out->data;
        for (uint64_t n = 0; t->out->data && n < count; n++) {
            const uint32_t index = hal_inspect_index(draw->draw, n);

            memcpy(t->out->data + n * size, &index, size);
        }
    }
    t->out->stride = size;
    inspect_parse_layout(size == 4 ? "UINT index" : "USHORT index", &t->out->layout, why, sizeof(why));
}

static void take(struct taking *t, const struct hal_context *context, const struct hal_draw *draw)
{
    struct hal_inspect_draw described;

    if (t->seen || !draw)
        return;
    t->seen = true;
    hal_inspect_draw(context, draw, &described);
    if (t->kind == INSPECT_STREAM)
        take_stream(t, &described);
    else
        take_indices(t, &described);
}

static bool take_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    (void)primitives;
    take(user, context, draw);
    return true;
}

static void take_patch(void *user, struct hal_context *context, const struct hal_draw *draw, uint64_t points)
{
    (void)points;
    take(user, context, draw);
}

static void take_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    (void)why;
    take(user, context, draw);
}

/* --- buffers ------------------------------------------------------------------------------------- */

static bool take_from_draw(struct inspect *session, uint32_t action, struct taking *t, struct capture_error *error)
{
    const struct hal_observer observer = {
        .user = t, .draw = take_draw, .skipped = take_skipped, .tessellates = take_patch};
    bool done = inspect_seek(session, action, error);

    if (!done)
        return false;
    inspect_observe(session, &observer);
    done = inspect_step(session, NULL, error);
    inspect_observe(session, NULL);
    if (!done)
        return false;
    if (t->failed)
        return inspect_no_memory(error);
    if (t->reads)
        return true;
    if (t->kind == INSPECT_STREAM)
        return inspect_fail(error, "%u.%u reads no vertices from stream %u", (unsigned)session->frame, (unsigned)action,
                            (unsigned)t->number);
    return inspect_fail(error, "%u.%u has no indices", (unsigned)session->frame, (unsigned)action);
}

bool inspect_buffer(struct inspect *session, uint32_t action, enum inspect_buffer_kind kind, uint32_t number,
                    struct inspect_buffer *out, struct capture_error *error)
{
    struct taking t = {.kind = kind, .number = number, .out = out};
    bool done;

    *out = (struct inspect_buffer){.stride = 1};
    if (kind == INSPECT_SURFACE) {
        out->surface = number;
        out->stride = 16;
        return inspect_seek(session, (size_t)action + 1, error) &&
               inspect_read_surface(session, number, &out->data, &out->bytes, error);
    }
    if (kind == INSPECT_STREAM && number >= HAL_INSPECT_STREAMS)
        return inspect_fail(error, "there are streams 0 to %d", HAL_INSPECT_STREAMS - 1);
    done = take_from_draw(session, action, &t, error);
    if (done && !out->data)
        done = inspect_read_surface(session, out->surface, &out->data, &out->bytes, error);
    if (out->stride == 0)
        out->stride = BASE_MAX(out->layout.bytes, 1u);
    if (!done)
        inspect_buffer_free(out);
    return done;
}

void inspect_buffer_free(struct inspect_buffer *buffer)
{
    free(buffer->data);
    buffer->data = NULL;
    buffer->bytes = 0;
}

uint64_t inspect_buffer_first(const struct inspect_buffer *buffer)
{
    return buffer->offset < 0 ? (uint64_t)-buffer->offset / buffer->stride : 0;
}

uint64_t inspect_buffer_end(const struct inspect_buffer *buffer)
{
    const int64_t left = (int64_t)buffer->bytes - buffer->offset;

    return left <= 0 ? 0 : ((uint64_t)left + buffer->stride - 1) / buffer->stride;
}

const uint8_t *inspect_buffer_row(const struct inspect_buffer *buffer, uint64_t row, size_t *size)
{
    const int64_t at = row < inspect_buffer_end(buffer) ? buffer->offset + (int64_t)(row * buffer->stride) : -1;

    *size = 0;
    if (at < 0 || (uint64_t)at >= buffer->bytes)
        return NULL;
    *size = buffer->bytes - (size_t)at;
    return buffer->data + at;
}
