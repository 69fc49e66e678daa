/* SPDX-License-Identifier: MIT */
/* Locks that reach beyond the end of a buffer. Programs ask for them, by counts that are one too high, and write wherever
 * they are led: they get memory of their own size, and what of it lies inside the buffer ends up there. */
#include "runtime/d3d8/d3d8_objects.h"

/* Room for a program that does not say how much it will write. */
#define LEAST_ROOM 0x10000u
/* No program means to write more than this. */
#define MOST_ROOM 0x4000000u

struct d3d8_overrun {
    struct d3d8_overrun *next;
    unsigned offset, inside; /* of the buffer's bytes it begins with */
    bool finished;           /* unlocked: nothing of it counts any more */
    uint8_t *before;         /* those bytes as they were */
    uint8_t bytes[];
};

static void free_finished(struct d3d8_buffer *buffer)
{
    struct d3d8_overrun **at = &buffer->overruns;

    while (*at) {
        struct d3d8_overrun *overrun = *at;
        if (!overrun->finished) {
            at = &overrun->next;
            continue;
        }
        *at = overrun->next;
        free(overrun);
    }
}

uint8_t *d3d8_overrun_add(struct d3d8_buffer *buffer, UINT offset, UINT size, DWORD flags)
{
    const unsigned inside = offset < buffer->length ? buffer->length - offset : 0;
    const size_t room = BASE_MAX(BASE_MAX(size, inside), LEAST_ROOM);
    struct d3d8_overrun *overrun;

    log_once(LOG_WARN, buffer->length, "lock of %u bytes at %u of a buffer of %u", (unsigned)size, (unsigned)offset,
             (unsigned)buffer->length);
    free_finished(buffer);
    if (room > (size_t)buffer->length + MOST_ROOM)
        return NULL;
    overrun = mem_calloc(1, sizeof(*overrun) + room + inside);
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

/* Bytes that are as they were may have been written by way of another lock. */
static void write_back(struct d3d8_buffer *buffer, struct d3d8_overrun *overrun)
{
    for (unsigned i = 0; i < overrun->inside; i++)
        if (overrun->bytes[i] != overrun->before[i])
            buffer->bits[overrun->offset + i] = overrun->bytes[i];
    overrun->finished = true;
}

void d3d8_overruns_finish(struct d3d8_buffer *buffer)
{
    for (struct d3d8_overrun *overrun = buffer->overruns; overrun; overrun = overrun->next)
        if (!overrun->finished)
            write_back(buffer, overrun);
}

void d3d8_overruns_free(struct d3d8_buffer *buffer)
{
    while (buffer->overruns) {
        struct d3d8_overrun *overrun = buffer->overruns;
        buffer->overruns = overrun->next;
        free(overrun);
    }
}
