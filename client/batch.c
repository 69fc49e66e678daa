/* SPDX-License-Identifier: MIT */
/* A command buffer with its user vertices: opened, filled, sent, and its answers read. */
#include "client/batch.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define USER_VERTEX_BYTES (512u * 1024)

HRESULT client_batch_open(struct client_batch *batch, struct client *client)
{
    const struct client_chain_desc desc = {.usage = CLIENT_COMMAND_BUFFER, .width = CLIENT_BATCH_BYTES};

    *batch = (struct client_batch){.client = client};
    return client_chain_create(client, &desc, &batch->commands);
}

void client_batch_close(struct client_batch *batch)
{
    if (batch->building)
        client_unlock(client_part(batch->commands, 0));
    client_chain_destroy(batch->commands);
    free(batch->user);
    *batch = (struct client_batch){.client = NULL};
}

/* --- answers --------------------------------------------------------------------------- */

/* `count` answers; false: they are longer than the response. */
static bool read_answers(struct client_batch *batch, const uint8_t *data, size_t bytes, unsigned count)
{
    while (count--) {
        D3DHAL_DP2RESPONSEQUERY head;

        if (bytes < sizeof(head))
            return false;
        memcpy(&head, data, sizeof(head));
        if (head.dwSize > bytes - sizeof(head))
            return false;
        if (batch->answer)
            batch->answer(batch->owner, head.dwQueryID, data + sizeof(head), head.dwSize);
        data += sizeof(head) + head.dwSize;
        bytes -= sizeof(head) + head.dwSize;
    }
    return true;
}

bool client_batch_read(struct client_batch *batch, const uint8_t *response, size_t bytes)
{
    size_t at = 0;

    while (bytes - at >= sizeof(D3DHAL_DP2RESPONSE)) {
        D3DHAL_DP2RESPONSE head;

        memcpy(&head, response + at, sizeof(head));
        if (head.bCommand == D3DDP2OP_RESPONSECONTINUE)
            return at > 0; /* without progress the requests would never end */
        if (head.bCommand != D3DDP2OP_RESPONSEQUERY || head.dwTotalSize < sizeof(head) ||
            head.dwTotalSize > bytes - at ||
            !read_answers(batch, response + at + sizeof(head), head.dwTotalSize - sizeof(head), head.wStateCount))
            break;
        at += head.dwTotalSize;
    }
    if (at != bytes)
        log_warn("answers to queries do not parse, at byte %zu of %zu", at, bytes);
    return false;
}

/* Reads what the driver has written over the commands of a call, from their offset on. */
static void take_answers(struct client_batch *batch, uint32_t offset, uint32_t bytes)
{
    struct client_lock lock;

    batch->more_answers = false;
    if (bytes > CLIENT_BATCH_BYTES - offset ||
        FAILED(client_lock(client_part(batch->commands, 0), NULL, DDLOCK_READONLY, &lock)))
        return;
    batch->more_answers = client_batch_read(batch, lock.bits + offset, bytes);
    client_unlock(client_part(batch->commands, 0));
}

/* --- sending ----------------------------------------------------------------------------- */

static bool begin(struct client_batch *batch)
{
    struct client_lock lock;

    if (batch->building)
        return true;
    if (FAILED(client_lock(client_part(batch->commands, 0), NULL, 0, &lock)))
        return false;
    dp2_builder_init(&batch->builder, lock.bits, CLIENT_BATCH_BYTES);
    batch->building = true;
    return true;
}

/* Start of the command after the one that failed; the batch's end if there is none. */
static uint32_t after(struct client_batch *batch, uint32_t failed)
{
    const uint32_t end = (uint32_t)batch->builder.length;
    struct dp2_command command;
    struct dp2_cursor cursor;
    struct client_lock lock;

    if (failed >= end || FAILED(client_lock(client_part(batch->commands, 0), NULL, DDLOCK_READONLY, &lock)))
        return end;
    dp2_cursor_init(&cursor, lock.bits + failed, end - failed, 0);
    if (dp2_next(&cursor, &command) != DP2_OK)
        cursor.offset = end - failed;
    client_unlock(client_part(batch->commands, 0));
    return failed + (uint32_t)cursor.offset;
}

/* Keeps the failure for an owner who wants the rest dropped. */
static void note_failure(struct client_batch *batch, uint32_t failed, HRESULT result)
{
    struct dp2_command command;
    struct dp2_cursor cursor;
    struct client_lock lock;

    batch->failure.result = result;
    batch->failure.token = 0;
    batch->failure.place = 0;
    if (failed >= batch->builder.length ||
        FAILED(client_lock(client_part(batch->commands, 0), NULL, DDLOCK_READONLY, &lock)))
        return;
    batch->failure.token = lock.bits[failed];
    dp2_cursor_init(&cursor, lock.bits, failed, 0);
    while (dp2_next(&cursor, &command) == DP2_OK)
        if (command.info->number == batch->failure.token)
            batch->failure.place += command.count;
    client_unlock(client_part(batch->commands, 0));
}

/* The driver drops the commands after one that fails, including states that are not sent again: send them in another
 * call. */
static HRESULT send_commands(struct client_batch *batch, struct client_draw *draw)
{
    const uint32_t end = draw->command_length;
    HRESULT first = DD_OK, hr;

    for (;;) {
        hr = client_draw(batch->client, draw);
        if (SUCCEEDED(hr) || draw->error_offset < draw->command_offset)
            break;
        log_error("DrawPrimitives2 failed: %08lx at byte %u of %u", (unsigned long)hr, (unsigned)draw->error_offset,
                  (unsigned)end);
        first = SUCCEEDED(first) ? hr : first;
        if (batch->stops) {
            note_failure(batch, draw->error_offset, hr);
            break;
        }
        draw->command_offset = after(batch, draw->error_offset);
        draw->command_length = end - draw->command_offset;
        if (!draw->command_length)
            break;
    }
    if (SUCCEEDED(first))
        first = hr;
    if (FAILED(first) && SUCCEEDED(batch->error))
        batch->error = first;
    return hr;
}

static void send_batch(struct client_batch *batch)
{
    struct client_draw draw = {
        .context = batch->context,
        .commands = client_part(batch->commands, 0),
        .command_length = (uint32_t)batch->builder.length,
        .user_vertices = batch->user_count ? batch->user : NULL,
        .vertex_count = batch->user_count,
        .vertex_size = batch->user_stride,
    };
    HRESULT hr;

    client_unlock(client_part(batch->commands, 0));
    batch->building = false;
    if (batch->context && (batch->builder.length || batch->more_answers)) {
        hr = send_commands(batch, &draw);
        if (hr == DD_OK && draw.error_offset) {
            take_answers(batch, draw.command_offset, draw.error_offset);
        } else {
            batch->more_answers = false;
            if (FAILED(hr) && batch->refused)
                batch->refused(batch->owner);
        }
    }
    dp2_builder_init(&batch->builder, NULL, 0);
    batch->user_bytes = 0;
    batch->user_count = 0;
    batch->sent++;
}

HRESULT client_batch_flush(struct client_batch *batch)
{
    HRESULT hr;

    if (batch->building)
        send_batch(batch);
    hr = batch->error;
    batch->error = DD_OK;
    return hr;
}

void client_batch_flush_answers(struct client_batch *batch, unsigned calls)
{
    if (batch->building)
        send_batch(batch);
    /* each call returns at least one answer, so more calls than queries are the driver's error */
    for (unsigned i = 0; i < calls && batch->more_answers && begin(batch); i++)
        send_batch(batch);
}

void client_batch_reserve(struct client_batch *batch, size_t bytes)
{
    if (batch->building && batch->builder.capacity - batch->builder.length < bytes)
        send_batch(batch);
}

/* --- building ------------------------------------------------------------------------------- */

void *client_batch_put(struct client_batch *batch, uint8_t token, uint16_t count, const void *body, size_t size)
{
    void *place;

    if (!begin(batch))
        return NULL;
    place = dp2_put(&batch->builder, token, count, body, size);
    if (!place) {
        send_batch(batch);
        if (begin(batch))
            place = dp2_put(&batch->builder, token, count, body, size);
        if (!place)
            log_error("command %u with %zu bytes does not fit a batch", token, size);
    }
    return place;
}

void *client_batch_put_first(struct client_batch *batch, uint8_t token, size_t size)
{
    if (batch->building)
        send_batch(batch);
    return begin(batch) ? dp2_put_entry(&batch->builder, token, size) : NULL;
}

/* Room for `end` bytes of vertices. */
static bool reserve_user(struct client_batch *batch, size_t end)
{
    const size_t capacity = BASE_MAX(end, USER_VERTEX_BYTES);
    uint8_t *user;

    if (batch->user && end <= batch->user_capacity)
        return true;
    user = mem_realloc(batch->user, capacity, 1);
    if (!user)
        return false;
    batch->user = user;
    batch->user_capacity = capacity;
    return true;
}

bool client_batch_put_vertices(struct client_batch *batch, const void *vertices, unsigned count, unsigned stride,
                               unsigned reach, uint32_t *first)
{
    /* whole vertices, so that the next draw's begin at a number */
    const unsigned padding = reach > stride ? (reach - 1) / stride : 0;
    size_t given, bytes, end;

    if (__builtin_mul_overflow(count, stride, &given) || __builtin_mul_overflow(padding, stride, &bytes) ||
        __builtin_add_overflow(given, bytes, &bytes))
        return false;
    if (batch->user_count &&
        (batch->user_stride != stride || bytes > USER_VERTEX_BYTES || batch->user_bytes > USER_VERTEX_BYTES - bytes))
        send_batch(batch);
    if (__builtin_add_overflow(batch->user_bytes, bytes, &end) || !reserve_user(batch, end))
        return false;
    memcpy(batch->user + batch->user_bytes, vertices, given);
    memset(batch->user + batch->user_bytes + given, 0, bytes - given);
    *first = batch->user_count;
    batch->user_bytes = end;
    batch->user_count += count + padding;
    batch->user_stride = stride;
    return true;
}
