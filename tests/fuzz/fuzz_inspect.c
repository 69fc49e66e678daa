/* SPDX-License-Identifier: MIT */
/*
 * Any events as a capture, about which the frame debugger is asked everything: rows, states, pictures, histories,
 * reasons, meshes, surfaces. The first four bytes choose the subjects; events follow, each with its type, its size and
 * its bytes. Every question must get an answer or a message.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/base.h"
#include "dp2/capture/format.h"
#include "inspect/draws.h"
#include "inspect/find/find.h"
#include "inspect/json/json.h"
#include "inspect/picture/mesh.h"
#include "inspect/pixel/pixel.h"
#include "inspect/picture/shot.h"
#include "inspect/resources/buffer.h"
#include "inspect/resources/resources.h"
#include "inspect/state/state.h"
#include "inspect/textures.h"
#include "inspect/picture/wireframe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BYTES (1u << 16)
#define MAX_EVENTS 64u
#define MAX_SIDE   256u       /* of a surface */
#define MAX_TEXELS (1u << 18) /* in total: each surface is saved and compared again and again */

static void require(int truth)
{
    if (!truth)
        abort();
}

static void set_up(void)
{
    static int done;

    if (done)
        return;
    done = 1;
    setenv("HALCYON_THREADS", "1", 1);
    setenv("HALCYON_CPU", "sse2", 1);
    setenv("HALCYON_LOG_LEVEL", "none", 1);
    setenv("HALCYON_CAPTURE", "", 1);
    setenv("HALCYON_WORK_LIMIT", "1", 1); /* a sanitizer is slow */
}

/* --- the capture --------------------------------------------------------------------------------- */

/* Are the events few, and the surfaces small? Broken events are welcome. */
static bool is_small(const uint8_t *data, size_t size)
{
    uint64_t texels = 0;
    unsigned count = 0;

    for (size_t at = 0; at + 8 <= size; count++) {
        struct capture_surfaces surfaces;
        uint32_t head[2];

        memcpy(head, data + at, sizeof(head));
        at += 8;
        if (head[1] > size - at)
            break;
        if ((head[0] & 0xffff) == CAPTURE_SURFACES && head[1] >= sizeof(surfaces)) {
            memcpy(&surfaces, data + at, sizeof(surfaces));
            for (uint64_t i = 0; i < surfaces.part_count; i++) {
                struct capture_part part;
                const uint64_t place = sizeof(surfaces) + i * sizeof(part);

                if (place + sizeof(part) > head[1])
                    break;
                memcpy(&part, data + at + place, sizeof(part));
                if (part.width > MAX_SIDE || part.height > MAX_SIDE || part.bytes > 4 * MAX_TEXELS)
                    return false;
                texels += (uint64_t)part.width * part.height + part.bytes / 4;
            }
        }
        at += (head[1] + 3) & ~3u;
    }
    return count <= MAX_EVENTS && texels <= MAX_TEXELS;
}

/* The events as the only chunk of a file. */
static uint8_t *wrap(const uint8_t *data, size_t size, size_t *file_size)
{
    struct capture_file_header header = {.major = CAPTURE_VERSION_MAJOR, .header_size = sizeof(header)};
    struct capture_chunk_header chunk = {.magic = CAPTURE_CHUNK_MAGIC,
                                         .type = CAPTURE_CHUNK_EVENTS,
                                         .stored_size = (uint32_t)size,
                                         .raw_size = (uint32_t)size,
                                         .crc = (uint32_t)crc32(0, data, (uInt)size)};
    uint8_t *file = malloc(sizeof(header) + sizeof(chunk) + size);

    require(file != NULL);
    memcpy(header.magic, CAPTURE_FILE_MAGIC, sizeof(header.magic));
    chunk.header_crc = (uint32_t)crc32(0, (const void *)&chunk, offsetof(struct capture_chunk_header, header_crc));
    memcpy(file, &header, sizeof(header));
    memcpy(file + sizeof(header), &chunk, sizeof(chunk));
    memcpy(file + sizeof(header) + sizeof(chunk), data, size);
    *file_size = sizeof(header) + sizeof(chunk) + size;
    return file;
}

/* --- questions ----------------------------------------------------------------------------------- */

struct asked {
    struct inspect *session;
    struct capture_error error;
    struct json_writer json;
    unsigned x, y, show;
    size_t rows;
};

static void answer(struct asked *asked, bool done)
{
    require(done || asked->error.text[0]);
    asked->error = (struct capture_error){0};
}

static bool take_row(void *user, const struct inspect_draw *draw)
{
    struct asked *asked = user;

    require(draw->counts.tested >= draw->counts.passed && draw->place.draw == asked->rows);
    inspect_put_draw(&asked->json, NULL, draw, NULL);
    return ++asked->rows < 100;
}

static bool take_history(void *user, const struct inspect_pixel_row *row)
{
    struct asked *asked = user;

    inspect_put_pixel_row(&asked->json, NULL, row);
    return true;
}

static bool take_primitive(void *user, const struct inspect_primitive *primitive)
{
    struct asked *asked = user;

    inspect_put_primitive(&asked->json, NULL, primitive);
    return ++asked->rows < 1000;
}

static void ask_state(struct asked *asked, uint32_t action)
{
    struct inspect_state state = {0};
    bool done = inspect_seek(asked->session, action + (size_t)1, &asked->error);

    answer(asked, done);
    if (!done)
        return;
    done = inspect_state(asked->session, 0, &state, &asked->error);
    for (size_t i = 0; done && i < state.count; i += 17) {
        json_open_object(&asked->json, NULL);
        inspect_put_value(&asked->json, &state.values[i]);
        json_close(&asked->json);
    }
    inspect_state_free(&state);
    answer(asked, done);
}

static void ask_pictures(struct asked *asked, uint32_t action)
{
    struct inspect_shot shot;

    answer(asked, inspect_shoot(asked->session, action, (enum inspect_show)(asked->show % INSPECT_SHOW_COUNT), NULL,
                                &shot, &asked->error));
    free(shot.picture.pixels);
    answer(asked, inspect_wireframe(asked->session, action, asked->show & 1 ? INSPECT_WINDOW : INSPECT_FETCHED, &shot,
                                    &asked->error));
    free(shot.picture.pixels);
}

/* Rows here and there of a buffer, by its own layout. */
static void ask_buffer(struct asked *asked, uint32_t action, enum inspect_buffer_kind kind, uint32_t number)
{
    struct inspect_buffer buffer;
    const bool done = inspect_buffer(asked->session, action, kind, number, &buffer, &asked->error);
    const uint64_t end = done ? inspect_buffer_end(&buffer) : 0;

    for (uint64_t row = done ? inspect_buffer_first(&buffer) : 0; row < end; row += end / 16 + 1) {
        size_t size;
        const uint8_t *bytes = inspect_buffer_row(&buffer, row, &size);
        struct inspect_cell cells[4];

        for (unsigned c = 0; c < buffer.layout.count; c++)
            inspect_read_cells(&buffer.layout.column[c], bytes, size, cells);
    }
    if (done)
        inspect_buffer_free(&buffer);
    answer(asked, done);
}

static void ask_resources(struct asked *asked, uint32_t action)
{
    struct inspect_resources resources;

    answer(asked, inspect_resources(asked->session, action, &resources, &asked->error));
    ask_buffer(asked, action, INSPECT_STREAM, asked->show % 3);
    ask_buffer(asked, action, INSPECT_INDICES, 0);
    ask_buffer(asked, action, INSPECT_SURFACE, asked->x % 8);
}

static void ask_about(struct asked *asked, uint32_t action)
{
    struct inspect_pixel initial, final;
    uint32_t target, depth;

    ask_state(asked, action);
    ask_pictures(asked, action);
    ask_resources(asked, action);
    asked->rows = 0;
    answer(asked, inspect_mesh(asked->session, action, take_primitive, asked, NULL, &asked->error));
    inspect_targets(asked->session, &target, &depth);
    answer(asked, inspect_pixel(asked->session, target, asked->x, asked->y, action, take_history, asked, &initial,
                                &final, &asked->error));
}

static void ask_surfaces(struct asked *asked)
{
    struct inspect_textures textures;
    const bool done = inspect_textures(asked->session, &textures, &asked->error);

    for (size_t i = 0; done && i < BASE_MIN(textures.count, (size_t)4); i++) {
        struct inspect_level level;

        if (inspect_texture_level(asked->session, &textures.list[i], 0, 0, 0, &level, &asked->error))
            inspect_level_free(&level);
    }
    inspect_textures_free(&textures);
    answer(asked, done);
}

static void ask_frame(struct asked *asked, unsigned choice)
{
    const size_t count = inspect_action_count(asked->session);
    struct inspect_pixel initial, final;

    asked->rows = 0;
    answer(asked, inspect_draws(asked->session, take_row, asked, &asked->error));
    for (size_t i = 0; i < BASE_MIN(count, (size_t)3); i++)
        ask_about(asked, (uint32_t)((choice + i * 7) % count));
    answer(asked, inspect_pixel(asked->session, 0, asked->x, asked->y, UINT32_MAX, take_history, asked, &initial,
                                &final, &asked->error));
    ask_surfaces(asked);
}

static bool take_found(void *user, const struct inspect_place *place, const struct inspect_action *action)
{
    (void)user;
    (void)place;
    require(action->token != NULL);
    return true;
}

/* Conditions on the actions of a session that draws nothing. */
static void ask_conditions(const uint8_t *file, size_t size)
{
    static const struct inspect_options options = {.states_alone = true};
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(file, size, &error);
    struct inspect *session = reader ? inspect_open(reader, &options, &error) : NULL;
    char why[256];
    bool no_memory;
    struct inspect_query *query =
        inspect_query("ZENABLE off reads #1 changed COLOROP not uses #2", why, sizeof(why), &no_memory);

    require(query || no_memory);
    for (uint32_t frame = 0; session && query && frame < 4; frame++) {
        error = (struct capture_error){0};
        inspect_find(session, frame, query, take_found, NULL, &error);
    }
    inspect_query_free(query);
    inspect_close(session);
    capture_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct inspect_options options = {.memory = 1 << 20, .every = 1};
    struct asked asked = {0};
    struct capture_reader *reader;
    size_t file_size;
    uint8_t *file;
    char *text = NULL;
    size_t text_size;

    set_up();
    if (size < 4 || size > MOST_BYTES || !is_small(data + 4, (size - 4) & ~(size_t)3))
        return 0;
    asked.x = data[1];
    asked.y = data[2];
    asked.show = data[3];
    file = wrap(data + 4, (size - 4) & ~(size_t)3, &file_size);
    reader = capture_open_memory(file, file_size, &asked.error);
    asked.session = reader ? inspect_open(reader, &options, &asked.error) : NULL;
    json_begin(&asked.json, open_memstream(&text, &text_size), "fuzz", true);
    json_stream_list(&asked.json, "answers");
    for (uint32_t frame = 0; asked.session && frame < 3; frame++) {
        if (!inspect_load(asked.session, frame, &asked.error))
            break;
        ask_frame(&asked, data[0]);
    }
    require(json_end(&asked.json));
    fclose(asked.json.file);
    free(text);
    inspect_close(asked.session);
    capture_close(reader);
    ask_conditions(file, file_size);
    free(file);
    return 0;
}
