/* SPDX-License-Identifier: MIT */
/* Locks that reach beyond the end of a buffer. Programs request them with counts that are one too high, and write
 * the whole range. They get separate memory of the requested size; the part inside the buffer is copied back. */
#include "runtime/common/object/buffer.h"

#include <d3d8.h>

#include "base/base.h"
#include "base/behind.h"

/* Room for a program that does not say how much it will write. */
#define LEAST_ROOM 0x10000u
/* No program intends to write more than this. */
#define MOST_ROOM 0x4000000u

struct rt_overrun {
    struct rt_overrun *next;
    unsigned offset, inside; /* of the buffer's bytes it begins with */
    bool finished;           /* unlocked: later writes are ignored */
    uint8_t *before;         /* those bytes as they were */
    uint8_t bytes[];
};

static void free_finished(struct rt_buffer *buffer)
{
    struct rt_overrun **at = &buffer->overruns;

    while (*at) {
        struct rt_overrun *overrun = *at;
        if (!overrun->finished) {
            at = &overrun->next;
            continue;
        }
        *at = overrun->next;
        free(overrun);
    }
}

uint8_t *rt_overrun_add(struct rt_buffer *buffer, unsigned offset, unsigned size, DWORD flags)
{
    const unsigned inside = offset < buffer->desc.length ? buffer->desc.length - offset : 0;
    const size_t room = BASE_MAX(BASE_MAX(size, inside), LEAST_ROOM);
    struct rt_overrun *overrun;

    log_once(LOG_WARN, buffer->desc.length, "lock of %u bytes at %u of a buffer of %u", size, offset,
             buffer->desc.length);
    free_finished(buffer);
    if (room > (size_t)buffer->desc.length + MOST_ROOM)
        return NULL;
    overrun = mem_calloc_behind(sizeof(*overrun) + room, inside, 1);
    if (!overrun)
        return NULL;
    overrun->offset = offset;
    overrun->inside = flags & D3DLOCK_READONLY ? 0 : inside;
    overrun->before = overrun->bytes + room;
    if (inside) {
        memcpy(overrun->bytes, buffer->bits + offset, inside);
        memcpy(overrun->before, overrun->bytes, inside);
    }
    overrun->next = buffer->overruns;
    buffer->overruns = overrun;
    return overrun->bytes;
}

/* Skip unchanged bytes: another lock may have written them. */
static void write_back(struct rt_buffer *buffer, struct rt_overrun *overrun)
{
    for (unsigned i = 0; i < overrun->inside; i++)
        if (overrun->bytes[i] != overrun->before[i])
            buffer->bits[overrun->offset + i] = overrun->bytes[i];
    overrun->finished = true;
}

void rt_overruns_finish(struct rt_buffer *buffer)
{
    for (struct rt_overrun *overrun = buffer->overruns; overrun; overrun = overrun->next)
        if (!overrun->finished)
            write_back(buffer, overrun);
}

void rt_overruns_free(struct rt_buffer *buffer)
{
    while (buffer->overruns) {
        struct rt_overrun *overrun = buffer->overruns;
        buffer->overruns = overrun->next;
        free(overrun);
    }
}
