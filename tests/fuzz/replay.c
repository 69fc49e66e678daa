/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a capture that is played into the driver, to test the player's checks, the entry points, the device and
 * the rasterizer with hostile input. Checksums are corrected, so that mutations get past the reader. Built and run by
 * tests/fuzz/fuzz.mk (`make -f tests/fuzz/fuzz.mk replay`).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "dp2/capture/format.h"
#include "replay/player.h"
#include "client/umd/bridge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_INPUT  (1u << 18)
#define MAX_EVENTS 200u

static const struct client_driver *driver_once(void)
{
    static struct client_driver driver;
    static int state;

    if (!state) {
        setenv("HALCYON_THREADS", "1", 1);
        setenv("HALCYON_CPU", "sse2", 1);
        setenv("HALCYON_LOG_LEVEL", "none", 1);
        setenv("HALCYON_CAPTURE", "", 1);
        setenv("HALCYON_WORK_LIMIT", "1", 1); /* a sanitizer is slow */
        state = SUCCEEDED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter))) ? 1 : -1;
    }
    return state > 0 ? &driver : NULL;
}

/* The input is a sequence of events, which becomes the only chunk of a file. */
static uint8_t *wrap(const uint8_t *data, size_t size, size_t *file_size)
{
    struct capture_file_header header = {.major = CAPTURE_VERSION_MAJOR, .header_size = sizeof(header)};
    struct capture_chunk_header chunk = {.magic = CAPTURE_CHUNK_MAGIC,
                                         .type = 2,
                                         .stored_size = (uint32_t)size,
                                         .raw_size = (uint32_t)size,
                                         .crc = (uint32_t)crc32(0, data, (uInt)size)};
    uint8_t *file = malloc(sizeof(header) + sizeof(chunk) + size);

    if (!file)
        return NULL;
    memcpy(header.magic, CAPTURE_FILE_MAGIC, sizeof(header.magic));
    chunk.header_crc = (uint32_t)crc32(0, (const void *)&chunk, offsetof(struct capture_chunk_header, header_crc));
    memcpy(file, &header, sizeof(header));
    memcpy(file + sizeof(header), &chunk, sizeof(chunk));
    memcpy(file + sizeof(header) + sizeof(chunk), data, size);
    *file_size = sizeof(header) + sizeof(chunk) + size;
    return file;
}

static void play(struct capture_reader *reader, struct player *player)
{
    struct capture_error error = {0};
    struct capture_event event;

    for (unsigned i = 0; i < MAX_EVENTS; i++) {
        struct player_picture picture;
        if (capture_next(reader, &event, &error) != CAPTURE_OK)
            return;
        if (event.type != CAPTURE_FRAME)
            player_play(player, &event, &error);
        else if (player_grab(player, (const void *)event.data, &picture, &error))
            free(picture.pixels);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct client_driver *driver = driver_once();
    struct capture_error error = {0};
    struct capture_reader *reader;
    struct player *player;
    size_t file_size = 0;
    uint8_t *file;

    if (!driver || size > MAX_INPUT)
        return 0;
    file = wrap(data, size & ~(size_t)3, &file_size);
    reader = file ? capture_open_memory(file, file_size, &error) : NULL;
    player = reader ? player_create(driver) : NULL;
    if (player)
        play(reader, player);
    player_destroy(player);
    capture_close(reader);
    free(file);
    return 0;
}
