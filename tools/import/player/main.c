/* SPDX-License-Identifier: MIT */
/* Reads the stream from standard input to its end. */
#include "tools/import/player/player.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HANDLE input, output;

void player_answer(const char *format, ...)
{
    char line[512];
    va_list args;
    DWORD written;
    int length;

    va_start(args, format);
    length = vsnprintf(line, sizeof(line) - 1, format, args);
    va_end(args);
    if (length < 0)
        return;
    length = length < (int)sizeof(line) - 2 ? length : (int)sizeof(line) - 2;
    line[length++] = '\n';
    WriteFile(output, line, (DWORD)length, &written, NULL);
}

void player_bad(uint64_t number, const char *why)
{
    player_answer("bad %llu %u 0 0 %s", (unsigned long long)number, (unsigned)STREAM_MEMORY, why);
}

static bool read_whole(void *to, size_t size)
{
    uint8_t *at = to;

    while (size) {
        const DWORD part = size < (1u << 20) ? (DWORD)size : 1u << 20;
        DWORD got = 0;

        if (!ReadFile(input, at, part, &got, NULL) || !got)
            return false;
        at += got;
        size -= got;
    }
    return true;
}

static void play(struct player *player, const struct stream_record *record, const void *body)
{
    switch (record->kind) {
    case STREAM_WINDOW:
        if (record->size == sizeof(struct stream_window))
            player_window(player, body);
        break;
    case STREAM_CALL:
        player_call(player, body, record->size);
        break;
    case STREAM_WRITE:
        player_write(player, body, record->size);
        break;
    }
}

/* Returns false if the stream breaks off. */
static bool play_all(struct player *player)
{
    struct stream_record record;
    uint8_t *body = NULL;
    size_t capacity = 0;
    bool whole = false;

    while (read_whole(&record, sizeof(record)) && record.size <= STREAM_RECORD) {
        whole = record.kind == STREAM_END;
        if (whole)
            break;
        if (record.size > capacity) {
            free(body);
            capacity = record.size;
            body = malloc(capacity);
        }
        if (record.size && (!body || !read_whole(body, record.size)))
            break;
        play(player, &record, body);
    }
    free(body);
    return whole;
}

/* Objects that the program did not release keep the device, and with it the capture, open. */
static void release_all(struct player *player)
{
    while (player->lock_count)
        player_lock_remove(player, player->locks[0].object, player->locks[0].key);
    for (size_t i = player->capacity; i-- > 0;)
        while (player->objects[i].iface) {
            IUnknown_Release(player->objects[i].iface);
            player_object_drop(player, (uint32_t)i);
        }
}

int main(void)
{
    struct player *player = calloc(1, sizeof(*player));
    bool whole;

    input = GetStdHandle(STD_INPUT_HANDLE);
    output = GetStdHandle(STD_OUTPUT_HANDLE);
    if (!player)
        return 2;
    player_answer("ready");
    whole = play_all(player);
    release_all(player);
    if (whole)
        player_answer("done %llu", (unsigned long long)player->calls);
    return whole ? 0 : 1;
}
