/* SPDX-License-Identifier: MIT */
/*
 * Missing data of a draw. The bytes that it reads follow from its layout, its buffers and the numbers of its vertices;
 * the driver reads 0 for bytes that do not exist.
 */
#include "inspect/lacks.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/primitives.h"
#include "hal/inspect.h"
#include "inspect/draws.h"

#include <inttypes.h>
#include <stdio.h>

void inspect_corners_of(uint32_t type, uint32_t primitive, uint64_t corner[3])
{
    const uint64_t i = primitive, odd = i & 1;

    switch (type) {
    case D3DPT_LINELIST:
        corner[0] = 2 * i;
        corner[1] = 2 * i + 1;
        break;
    case D3DPT_TRIANGLELIST:
        corner[0] = 3 * i;
        corner[1] = 3 * i + 1;
        corner[2] = 3 * i + 2;
        break;
    case D3DPT_TRIANGLESTRIP:
        corner[0] = i;
        corner[1] = i + 1 + odd;
        corner[2] = i + 2 - odd;
        break;
    case D3DPT_TRIANGLEFAN:
        corner[0] = i + 1;
        corner[1] = i + 2;
        corner[2] = 0;
        break;
    default:
        corner[0] = i;
        corner[1] = i + 1;
        break;
    }
}

/* --- ranges -------------------------------------------------------------------------------------- */

/* Adds a lack, or widens an existing one of the same thing. */
static void add_lack(struct inspect_lacks *lacks, const struct inspect_lack *lack)
{
    for (unsigned i = 0; i < lacks->count; i++) {
        struct inspect_lack *known = &lacks->list[i];

        if (known->kind != lack->kind || known->stream != lack->stream || known->skip != lack->skip)
            continue;
        known->begin = BASE_MIN(known->begin, lack->begin);
        known->end = BASE_MAX(known->end, lack->end);
        return;
    }
    if (lacks->count < INSPECT_MOST_LACKS)
        lacks->list[lacks->count++] = *lack;
}

/* Byte offset of index number `n` from the first index. */
static uint64_t index_at(const struct hal_inspect_draw *draw, uint64_t n)
{
    return draw->index_step ? n / 3 * draw->index_step + n % 3 * draw->index_stride : n * draw->index_stride;
}

/* The lowest and the highest vertex that the draw references. */
static void find_vertices(const struct hal_inspect_draw *draw, uint64_t count, int64_t *low, int64_t *high)
{
    *low = draw->base;
    *high = draw->base + (int64_t)count - 1;
    if (!draw->indexed)
        return;
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (uint64_t n = 0; n < count; n++) {
        const int64_t vertex = draw->base + (int64_t)hal_inspect_index(draw->draw, n);

        *low = BASE_MIN(*low, vertex);
        *high = BASE_MAX(*high, vertex);
        if (index_at(draw, n) >= draw->index_bytes)
            return; /* the others are 0, too */
    }
}

/* The element of a stream that a vertex reads. */
static int64_t element_of(const struct hal_inspect_stream *buffer, int64_t vertex, bool highest)
{
    if (buffer->stride == 0)
        return 0;
    if (buffer->period)
        return highest ? (int64_t)buffer->period - 1 : 0;
    return buffer->divider > 1 && vertex >= 0 ? vertex / (int64_t)buffer->divider : vertex;
}

static uint32_t id_of(const struct hal_resource *surface)
{
    return surface ? inspect_surface_id(surface) : 0;
}

static void note_stream(struct inspect_lacks *lacks, const struct hal_inspect_draw *draw, unsigned stream, int64_t low,
                        int64_t high)
{
    const struct hal_inspect_stream *buffer = &draw->stream[stream];
    const int64_t stride = buffer->stride;
    struct inspect_lack lack = {.stream = stream, .surface = id_of(buffer->surface), .bytes = buffer->bytes};

    lack.kind = INSPECT_LACK_STREAM;
    if (!buffer->is_bound) {
        add_lack(lacks, &lack);
        return;
    }
    lack.kind = INSPECT_LACK_STREAM_BYTES;
    lack.begin = buffer->offset + element_of(buffer, low, false) * stride;
    lack.end = buffer->offset + element_of(buffer, high, true) * stride + buffer->vertex_bytes;
    if (lack.begin < 0 || lack.end > (int64_t)buffer->bytes)
        add_lack(lacks, &lack);
    if (buffer->stated_stride == 0 && stride == 0 && draw->position_stream == (int)stream && !draw->tessellated)
        add_lack(lacks, &(struct inspect_lack){.kind = INSPECT_LACK_STRIDE, .stream = stream, .surface = lack.surface});
}

static void note_indices(struct inspect_lacks *lacks, const struct hal_inspect_draw *draw, uint64_t count)
{
    const uint64_t end = draw->index_begin + index_at(draw, count - 1) + draw->index_stride;

    if (end > draw->index_surface_bytes)
        add_lack(lacks, &(struct inspect_lack){.kind = INSPECT_LACK_INDEX_BYTES,
                                               .surface = id_of(draw->index_surface),
                                               .begin = (int64_t)draw->index_begin,
                                               .end = (int64_t)end,
                                               .bytes = draw->index_surface_bytes});
}

static void note_streams(struct inspect_lacks *lacks, const struct hal_inspect_draw *draw, int64_t low, int64_t high)
{
    for (unsigned i = 0; i < HAL_INSPECT_STREAMS; i++)
        if (draw->stream[i].is_read)
            note_stream(lacks, draw, i, low, high);
}

void inspect_note_lacks(struct inspect_lacks *lacks, const struct hal_inspect_draw *draw)
{
    const uint64_t asked = draw->primitives, primitives = BASE_MIN(asked, (uint64_t)draw->most);
    const uint64_t count = d3d_vertices_of(draw->type, primitives);
    int64_t low, high;

    if (!count || draw->tessellated)
        return;
    if (asked > primitives)
        add_lack(lacks, &(struct inspect_lack){.kind = INSPECT_LACK_LIMIT, .asked = asked, .most = primitives});
    if (draw->indexed)
        note_indices(lacks, draw, count);
    find_vertices(draw, count, &low, &high);
    note_streams(lacks, draw, low, high);
}

void inspect_note_tessellated(struct inspect_lacks *lacks, const struct hal_context *context,
                              const struct hal_draw *draw, uint64_t points)
{
    struct hal_inspect_draw described;

    hal_inspect_draw(context, draw, &described);
    if (points)
        note_streams(lacks, &described, described.base, described.base + (int64_t)points - 1);
    else
        inspect_note_lacks(lacks, &described);
}

void inspect_note_skip(struct inspect_lacks *lacks, const struct hal_context *context, const struct hal_draw *draw,
                       enum hal_skip why)
{
    struct hal_inspect_draw described;

    add_lack(lacks, &(struct inspect_lack){.kind = INSPECT_LACK_SKIPPED, .skip = why});
    if (!draw || why != HAL_SKIP_BEYOND)
        return;
    hal_inspect_draw(context, draw, &described);
    inspect_note_lacks(lacks, &described);
}

bool inspect_lacks_data(const struct inspect_lacks *lacks)
{
    for (unsigned i = 0; i < lacks->count; i++)
        if (lacks->list[i].kind >= INSPECT_LACK_STREAM && lacks->list[i].kind <= INSPECT_LACK_INDEX_BYTES)
            return true;
    return false;
}

/* --- primitives ---------------------------------------------------------------------------------- */

/* Is a byte of the vertex missing in a stream? */
static bool stream_lacks(const struct hal_inspect_stream *buffer, int64_t vertex)
{
    const int64_t element = buffer->period ? vertex % (int64_t)buffer->period : element_of(buffer, vertex, false);
    const int64_t begin = buffer->offset + element * (int64_t)buffer->stride;

    return !buffer->is_bound || begin < 0 || begin + buffer->vertex_bytes > (int64_t)buffer->bytes;
}

bool inspect_corner_lacks_data(const struct hal_inspect_draw *draw, uint32_t primitive, unsigned corner)
{
    uint64_t corners[3] = {0};
    int64_t vertex;

    if (draw->tessellated)
        return false;
    inspect_corners_of(draw->type, primitive, corners);
    if (draw->indexed && index_at(draw, corners[corner]) + draw->index_stride > draw->index_bytes)
        return true;
    vertex = draw->base +
             (draw->indexed ? (int64_t)hal_inspect_index(draw->draw, corners[corner]) : (int64_t)corners[corner]);
    for (unsigned i = 0; i < HAL_INSPECT_STREAMS; i++)
        if (draw->stream[i].is_read && stream_lacks(&draw->stream[i], vertex))
            return true;
    return false;
}

/* --- words --------------------------------------------------------------------------------------- */

const char *inspect_lack_name(const struct inspect_lack *lack)
{
    static const char *const names[] = {"", "stream", "stream-bytes", "index-bytes", "stride", "limit"};

    return lack->kind == INSPECT_LACK_SKIPPED ? hal_skip_name(lack->skip) : names[lack->kind];
}

/* The bytes that are read and the bytes that exist. */
static void say_range(const struct inspect_lack *lack, const char *what, char text[INSPECT_LACK_TEXT])
{
    snprintf(text, INSPECT_LACK_TEXT,
             "%s has %" PRIu64 " bytes, and the draw reads bytes %" PRId64 " to %" PRId64 ": what is not there is 0",
             what, lack->bytes, lack->begin, lack->end - 1);
}

void inspect_lack_text(const struct inspect_lack *lack, char text[INSPECT_LACK_TEXT])
{
    char what[64];

    switch (lack->kind) {
    case INSPECT_LACK_SKIPPED:
        snprintf(text, INSPECT_LACK_TEXT, "it is skipped: %s", hal_skip_text(lack->skip));
        break;
    case INSPECT_LACK_STREAM:
        if (lack->surface)
            snprintf(text, INSPECT_LACK_TEXT,
                     "stream %u has a buffer, but this draw reads stream 0 alone: what it wants of it is 0",
                     lack->stream);
        else
            snprintf(text, INSPECT_LACK_TEXT, "stream %u has no buffer: what the draw reads of it is 0", lack->stream);
        break;
    case INSPECT_LACK_STREAM_BYTES:
        snprintf(what, sizeof(what), "stream %u", lack->stream);
        say_range(lack, what, text);
        break;
    case INSPECT_LACK_INDEX_BYTES:
        say_range(lack, "the index buffer", text);
        break;
    case INSPECT_LACK_STRIDE:
        snprintf(text, INSPECT_LACK_TEXT, "stream %u has stride 0: all vertices are at the same position",
                 lack->stream);
        break;
    case INSPECT_LACK_LIMIT:
        snprintf(text, INSPECT_LACK_TEXT, "it asks for %" PRIu64 " primitives, of which %" PRIu64 " are drawn",
                 lack->asked, lack->most);
        break;
    }
}
