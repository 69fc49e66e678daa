/* SPDX-License-Identifier: MIT */
/* The calls of a trace. */
#include "tools/import/calls.h"
#include "tools/import/values.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PENDING 1024       /* calls that have begun and not returned: threads, and calls within calls */
#define MOST_FRAMES  (1u << 22) /* numbers of backtraces' frames */

enum { EVENT_ENTER, EVENT_LEAVE };
enum { DETAIL_END, DETAIL_ARGUMENT, DETAIL_RESULT, DETAIL_THREAD, DETAIL_BACKTRACE, DETAIL_FLAGS };
enum { FRAME_END, FRAME_MODULE, FRAME_FUNCTION, FRAME_FILE, FRAME_LINE, FRAME_OFFSET };
#define FLAG_FAKE 1

struct pending {
    struct trace_call call;
    struct arena arena;
};

struct calls {
    struct values values;
    uint64_t begun;
    struct pending *pending[MOST_PENDING]; /* in the order in which they began */
    unsigned count;
    struct pending *current; /* what calls_next has returned */
    size_t held;             /* bytes of the values of all of them */
    uint8_t *frames;         /* bits: frames whose details have been read */
    size_t frame_bytes;
};

static void pending_free(struct calls *calls, struct pending *pending)
{
    if (pending) {
        calls->held -= pending->arena.bytes;
        arena_free(&pending->arena);
    }
    free(pending);
}

static bool skip_properties(struct calls *calls)
{
    struct container *container = &calls->values.container;
    uint64_t size;

    for (;;) {
        if (!container_number(container, &size))
            return false;
        if (!size)
            return true;
        if (size > container_left(container))
            return values_damaged(&calls->values, "a text is longer than the file");
        if (!container_skip(container, size) || !values_skip_string(&calls->values))
            return false;
    }
}

static bool read_header(struct calls *calls)
{
    struct container *container = &calls->values.container;
    uint64_t version, meaning;

    if (!container_number(container, &version))
        return false;
    if (version > CALLS_VERSION)
        return values_damaged(&calls->values, "the trace has a newer version of the format than 6");
    calls->values.version = (unsigned)version;
    return version < 6 || (container_number(container, &meaning) && skip_properties(calls));
}

struct calls *calls_open(const void *file, size_t size, const char **error)
{
    struct calls *calls = mem_calloc(1, sizeof(*calls));

    if (!calls) {
        *error = "out of memory";
        return NULL;
    }
    calls->values.most = CALLS_MEMORY;
    if (container_open(&calls->values.container, file, size) && read_header(calls))
        return calls;
    *error = calls->values.container.error;
    calls_close(calls);
    return NULL;
}

void calls_close(struct calls *calls)
{
    if (!calls)
        return;
    for (unsigned i = 0; i < calls->count; i++)
        pending_free(calls, calls->pending[i]);
    pending_free(calls, calls->current);
    signatures_free(&calls->values.functions);
    signatures_free(&calls->values.structures);
    signatures_free(&calls->values.enumerations);
    signatures_free(&calls->values.bitmasks);
    container_close(&calls->values.container);
    free(calls->frames);
    free(calls);
}

/* --- details -------------------------------------------------------------------------------------- */

static bool read_argument(struct calls *calls, struct pending *pending, bool leaving)
{
    struct trace_call *call = &pending->call;
    uint64_t number;

    if (!container_number(&calls->values.container, &number))
        return false;
    if (number >= CALLS_ARGUMENTS || number >= call->count)
        return values_damaged(&calls->values, "an argument has a number that its function does not have");
    return values_read(&calls->values, &pending->arena, leaving ? &call->out[number] : &call->in[number]);
}

/* Whether a frame's details have been read; they follow its first occurrence only. */
static bool know_frame(struct calls *calls, uint64_t id, bool *known)
{
    if (id >= MOST_FRAMES)
        return values_damaged(&calls->values, "a frame of a backtrace has too large a number");
    if (id / 8 >= calls->frame_bytes) {
        const size_t bytes = BASE_MAX((size_t)id / 8 + 1, 2 * calls->frame_bytes);
        uint8_t *frames = mem_realloc(calls->frames, bytes, 1);

        if (!frames)
            return values_damaged(&calls->values, "out of memory");
        memset(frames + calls->frame_bytes, 0, bytes - calls->frame_bytes);
        calls->frames = frames;
        calls->frame_bytes = bytes;
    }
    *known = calls->frames[id / 8] >> id % 8 & 1;
    calls->frames[id / 8] |= (uint8_t)(1u << id % 8);
    return true;
}

static bool skip_frame(struct calls *calls)
{
    struct container *container = &calls->values.container;
    uint64_t number;
    uint8_t detail;

    for (;;) {
        if (!container_byte(container, &detail))
            return false;
        if (detail == FRAME_END)
            return true;
        if (detail > FRAME_OFFSET)
            return values_damaged(&calls->values, "a backtrace has an unknown detail");
        if (detail < FRAME_LINE ? !values_skip_string(&calls->values) : !container_number(container, &number))
            return false;
    }
}

static bool skip_backtrace(struct calls *calls)
{
    struct container *container = &calls->values.container;
    uint64_t count, id;
    bool known = false;

    if (!container_number(container, &count))
        return false;
    for (; count; count--)
        if (!container_number(container, &id) || !know_frame(calls, id, &known) || (!known && !skip_frame(calls)))
            return false;
    return true;
}

static bool read_detail_list(struct calls *calls, struct pending *pending, bool leaving)
{
    struct container *container = &calls->values.container;
    uint64_t number = 0;
    uint8_t detail;

    for (;;) {
        bool read = false;

        if (!container_byte(container, &detail))
            return false;
        switch (detail) {
        case DETAIL_END:
            return true;
        case DETAIL_ARGUMENT:
            read = read_argument(calls, pending, leaving);
            break;
        case DETAIL_RESULT:
            read = values_read(&calls->values, &pending->arena, &pending->call.result);
            break;
        case DETAIL_THREAD:
            read = container_number(container, &number);
            break;
        case DETAIL_BACKTRACE:
            read = skip_backtrace(calls);
            break;
        case DETAIL_FLAGS:
            read = container_number(container, &number);
            pending->call.fake |= read && (number & FLAG_FAKE);
            break;
        default:
            values_damaged(&calls->values, "a call has an unknown detail");
        }
        if (!read)
            return false;
    }
}

static bool read_details(struct calls *calls, struct pending *pending, bool leaving)
{
    const size_t before = pending->arena.bytes;
    bool read;

    calls->values.most = CALLS_MEMORY - BASE_MIN(CALLS_MEMORY, calls->held - before);
    read = read_detail_list(calls, pending, leaving);
    calls->held += pending->arena.bytes - before;
    return read;
}

/* --- events --------------------------------------------------------------------------------------- */

static bool enter(struct calls *calls)
{
    const struct signature *function;
    struct pending *pending;
    uint64_t thread;

    if ((calls->values.version >= 4 && !container_number(&calls->values.container, &thread)) ||
        !values_function(&calls->values, &function))
        return false;
    if (calls->count == MOST_PENDING)
        return values_damaged(&calls->values, "too many calls have not returned");
    pending = mem_calloc(1, sizeof(*pending));
    if (!pending)
        return values_damaged(&calls->values, "out of memory");
    pending->call = (struct trace_call){.number = calls->begun++, .name = function->name, .count = function->count};
    pending->call.result.type = TRACE_NONE;
    for (unsigned i = 0; i < CALLS_ARGUMENTS; i++)
        pending->call.in[i].type = pending->call.out[i].type = TRACE_NONE;
    calls->pending[calls->count++] = pending;
    return read_details(calls, pending, false);
}

/* Takes a call out of those that have not returned. */
static struct pending *take_pending(struct calls *calls, unsigned at)
{
    struct pending *pending = calls->pending[at];

    memmove(&calls->pending[at], &calls->pending[at + 1], (calls->count - at - 1) * sizeof(calls->pending[0]));
    calls->count--;
    return pending;
}

/* *found: the call that returns; NULL if it began before the trace did, as in a part of a longer trace. */
static bool leave(struct calls *calls, struct pending **found)
{
    struct pending nobody = {.call.count = CALLS_ARGUMENTS};
    uint64_t number;
    unsigned at;
    bool read;

    *found = NULL;
    if (!container_number(&calls->values.container, &number))
        return false;
    for (at = calls->count; at > 0 && calls->pending[at - 1]->call.number != number; at--)
        ;
    if (at) {
        if (!read_details(calls, calls->pending[at - 1], true))
            return false;
        *found = take_pending(calls, at - 1);
        (*found)->call.returned = true;
        return true;
    }
    read = read_details(calls, &nobody, true);
    calls->held -= nobody.arena.bytes;
    arena_free(&nobody.arena);
    return read;
}

static bool is_at_end(const struct calls *calls)
{
    return !container_left(&calls->values.container);
}

enum calls_result calls_next(struct calls *calls, const struct trace_call **call)
{
    uint8_t event;

    pending_free(calls, calls->current);
    calls->current = NULL;
    while (!calls->current && !is_at_end(calls)) {
        bool read = container_byte(&calls->values.container, &event);

        if (read && event == EVENT_ENTER)
            read = enter(calls);
        else if (read && event == EVENT_LEAVE)
            read = leave(calls, &calls->current);
        else if (read)
            read = values_damaged(&calls->values, "an event is neither the beginning nor the end of a call");
        /* a program that was killed leaves half a call */
        if (!read && is_at_end(calls) && calls->values.container.cut)
            break;
        if (!read)
            return CALLS_BAD;
    }
    if (!calls->current && calls->count)
        calls->current = take_pending(calls, 0);
    *call = calls->current ? &calls->current->call : NULL;
    return calls->current ? CALLS_CALL : CALLS_END;
}

const char *calls_error(const struct calls *calls)
{
    return calls->values.container.error ? calls->values.container.error : "";
}

double calls_share(const struct calls *calls)
{
    const struct container *container = &calls->values.container;

    return container->total ? (double)(container->before + container->at) / (double)container->total : 1;
}

bool calls_cut(const struct calls *calls)
{
    return calls->values.container.cut;
}

uint64_t calls_begun(const struct calls *calls)
{
    return calls->begun;
}
