/* SPDX-License-Identifier: MIT */
/* Devices: events, from texts and from structures, are played into a driver. */
#include "library/internal.h"

#include "base/base.h"
#include "dp2/text/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE    8192u
#define MAX_LEVELS  13u
#define THE_TARGET  1u
#define THE_CONTEXT 1u

/* A surface, or a level of a texture, for writing to it. */
struct device_surface {
    uint32_t format, width, height; /* texels; 0: it is a buffer */
    uint32_t bytes;                 /* of a buffer */
    uint32_t levels;                /* of a texture, in its first level; 0 in others */
};

struct halcyon_device {
    struct client_driver driver;
    bool has_driver;
    struct player *player;
    struct dp2_assembler *assembler;
    struct device_surface *surfaces; /* by number; those that create_texture and create_buffer have made */
    uint32_t surface_count;
    uint32_t last_surface;       /* first surface of the last CAPTURE_SURFACES */
    uint32_t attempts;           /* to create surfaces: each has a name of its own */
    enum halcyon_result failure; /* of an event of a text */
    struct library_picture picture;
};

/* --- events -------------------------------------------------------------------------------------- */

static enum halcyon_result play(struct halcyon_device *device, enum capture_event_type type, const void *data,
                                size_t size)
{
    const struct capture_event event = {.type = (uint16_t)type, .size = (uint32_t)size, .data = data};
    const struct player_stats *stats = player_get_stats(device->player);
    const uint64_t refused = stats->refused, no_memory = stats->no_memory;
    struct capture_error error = {0};

    if (size > UINT32_MAX)
        return library_fail(HALCYON_INVALID, "an event of %zu bytes", size);
    if (!capture_event_is_sound(&event, &error) || !player_play(device->player, &event, &error)) {
        error.offset = 0;
        return library_fail_with(&error, stats->too_much_work ? HALCYON_TOO_MUCH_WORK : HALCYON_INVALID);
    }
    if (stats->no_memory > no_memory)
        return library_no_memory();
    if (stats->refused > refused)
        return library_fail(HALCYON_REFUSED, "%s failed with %#x", stats->last_refused.call,
                            (unsigned)stats->last_refused.answer);
    return HALCYON_OK;
}

/* An event made of a structure and up to two arrays. */
static enum halcyon_result play_pieces(struct halcyon_device *device, enum capture_event_type type,
                                       const struct capture_bytes *pieces, unsigned count)
{
    enum halcyon_result result;
    size_t size = 0;
    uint8_t *event;

    for (unsigned i = 0; i < count; i++)
        if (__builtin_add_overflow(size, pieces[i].size, &size))
            return library_no_memory();
    event = mem_alloc(size, 1, 1);
    if (!event)
        return library_no_memory();
    size = 0;
    for (unsigned i = 0; i < count; i++) {
        if (pieces[i].size)
            memcpy(event + size, pieces[i].data, pieces[i].size);
        size += pieces[i].size;
    }
    result = play(device, type, event, size);
    free(event);
    return result;
}

static bool take_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct halcyon_device *device = user;

    if (type == CAPTURE_SURFACES && size >= sizeof(struct capture_surfaces) + sizeof(struct capture_part)) {
        struct capture_part part;

        memcpy(&part, (const uint8_t *)data + sizeof(struct capture_surfaces), sizeof(part));
        device->last_surface = part.id;
    }
    device->failure = play(device, type, data, size);
    return device->failure == HALCYON_OK;
}

static enum halcyon_result run_text(struct halcyon_device *device, const char *text, size_t size)
{
    const struct dp2_asm_output output = {.event = take_event, .user = device};
    struct dp2_asm_error error = {0};

    library_picture_drop(&device->picture);
    device->failure = HALCYON_OK;
    if (dp2_assembler_run(device->assembler, text, size, &output, &error))
        return HALCYON_OK;
    if (device->failure != HALCYON_OK)
        return device->failure;
    if (error.no_memory)
        return library_no_memory();
    return library_fail(HALCYON_BAD_TEXT, "%u:%u: %s", error.line, error.column, error.text);
}

/* --- life ------------------------------------------------------------------------------------------ */

static void destroy(struct halcyon_device *device)
{
    player_destroy(device->player);
    dp2_assembler_destroy(device->assembler);
    library_picture_drop(&device->picture);
    if (device->has_driver)
        client_driver_close(&device->driver);
    free(device->surfaces);
    free(device);
}

static enum halcyon_result start(struct halcyon_device *device, uint32_t width, uint32_t height)
{
    char text[256];
    enum halcyon_result result = library_start_driver(&device->driver);

    device->has_driver = result == HALCYON_OK;
    if (result != HALCYON_OK)
        return result;
    device->player = player_create(&device->driver);
    device->assembler = dp2_assembler_create();
    if (!device->player || !device->assembler)
        return library_no_memory();
    snprintf(text, sizeof(text),
             "create target screen %ux%u A8R8G8B8\ncreate depth depth %ux%u D24S8\n"
             "context device level=%u target=screen depth=depth\n",
             (unsigned)width, (unsigned)height, (unsigned)width, (unsigned)height, DDI_LEVEL_DX9);
    return run_text(device, text, strlen(text));
}

static enum halcyon_result create(uint32_t width, uint32_t height, struct halcyon_device **out)
{
    struct halcyon_device *device;
    enum halcyon_result result;

    if (!out || !width || !height || width > MAX_SIDE || height > MAX_SIDE)
        return library_fail(HALCYON_INVALID, "a device of %ux%u", (unsigned)width, (unsigned)height);
    device = mem_calloc(1, sizeof(*device));
    if (!device)
        return library_no_memory();
    result = start(device, width, height);
    if (result == HALCYON_OK)
        *out = device;
    else
        destroy(device);
    return result;
}

enum halcyon_result halcyon_device_create(uint32_t width, uint32_t height, struct halcyon_device **device)
{
    library_enter();
    return library_leave(create(width, height, device));
}

void halcyon_device_destroy(struct halcyon_device *device)
{
    library_enter();
    if (device)
        destroy(device);
    library_leave(HALCYON_OK);
}

/* --- streams ---------------------------------------------------------------------------------------- */

static enum halcyon_result execute(struct halcyon_device *device, const struct halcyon_stream *stream,
                                   uint32_t *error_offset)
{
    static const uint8_t padding[4];
    struct capture_draw head;
    enum halcyon_result result;

    if (!device || !stream || (!stream->commands && stream->command_bytes) ||
        (!stream->vertices && stream->vertex_bytes))
        return library_fail(HALCYON_INVALID, "a device and a stream are needed");
    if (stream->vertex_bytes && (!stream->vertex_size || stream->vertex_bytes % stream->vertex_size))
        return library_fail(HALCYON_INVALID, "%u bytes of vertices of %u bytes each", (unsigned)stream->vertex_bytes,
                            (unsigned)stream->vertex_size);
    head = (struct capture_draw){
        .context = THE_CONTEXT,
        .vertex_type = stream->vertex_type,
        .vertex_size = stream->vertex_size,
        .vertex_count = stream->vertex_bytes ? stream->vertex_bytes / stream->vertex_size : 0,
        .command_bytes = stream->command_bytes,
        .vertex_bytes = stream->vertex_bytes,
    };
    const struct capture_bytes pieces[] = {{&head, sizeof(head)},
                                           {stream->commands, stream->command_bytes},
                                           {padding, -stream->command_bytes & 3},
                                           {stream->vertices, stream->vertex_bytes}};

    library_picture_drop(&device->picture);
    result = play_pieces(device, CAPTURE_DRAW, pieces, ARRAY_COUNT(pieces));
    if (result == HALCYON_REFUSED) {
        const struct player_refusal *refusal = &player_get_stats(device->player)->last_refused;

        library_fail(result, "the command at offset %u failed with %#x", (unsigned)refusal->offset,
                     (unsigned)refusal->answer);
        if (error_offset)
            *error_offset = refusal->offset;
    }
    return result;
}

enum halcyon_result halcyon_device_execute(struct halcyon_device *device, const struct halcyon_stream *stream,
                                           uint32_t *error_offset)
{
    library_enter();
    return library_leave(execute(device, stream, error_offset));
}

enum halcyon_result halcyon_device_text(struct halcyon_device *device, const char *text, size_t size)
{
    enum halcyon_result result = HALCYON_INVALID;

    library_enter();
    if (!device || (!text && size))
        library_fail(result, "a device and a text are needed");
    else
        result = run_text(device, text ? text : "", size);
    return library_leave(result);
}

/* --- surfaces ---------------------------------------------------------------------------------------- */

/* Creates the surfaces of a text, and notes their shape. The name is one that no text of a user has by chance. */
static enum halcyon_result create_surfaces(struct halcyon_device *device, const char *kind, const char *shape,
                                           const struct device_surface *first, uint32_t *surface)
{
    char text[160];
    const uint32_t levels = first->levels ? first->levels : 1;
    enum halcyon_result result;
    struct device_surface *bigger;

    snprintf(text, sizeof(text), "create %s halcyon_surface_%u %s\n", kind, (unsigned)++device->attempts, shape);
    result = run_text(device, text, strlen(text));
    if (result != HALCYON_OK)
        return result == HALCYON_BAD_TEXT ? HALCYON_INVALID : result;
    if (device->last_surface > UINT32_MAX / 2 - levels)
        return library_fail(HALCYON_REFUSED, "too many surfaces");
    if (device->last_surface + levels > device->surface_count) {
        const uint32_t count = device->last_surface + levels + device->surface_count / 2;

        bigger = mem_realloc(device->surfaces, count, sizeof(*bigger));
        if (!bigger)
            return library_no_memory();
        memset(bigger + device->surface_count, 0, (count - device->surface_count) * sizeof(*bigger));
        device->surfaces = bigger;
        device->surface_count = count;
    }
    for (uint32_t level = 0; level < levels; level++) {
        struct device_surface *noted = &device->surfaces[device->last_surface + level];

        *noted = *first;
        noted->levels = level ? 0 : first->levels;
        noted->width = BASE_MAX(first->width >> level, !!first->width);
        noted->height = BASE_MAX(first->height >> level, !!first->height);
    }
    *surface = device->last_surface;
    return HALCYON_OK;
}

enum halcyon_result halcyon_device_create_texture(struct halcyon_device *device, uint32_t width, uint32_t height,
                                                  uint32_t format, uint32_t levels, uint32_t *surface)
{
    const struct device_surface first = {.format = format, .width = width, .height = height, .levels = levels};
    enum halcyon_result result = HALCYON_INVALID;
    char shape[80];

    library_enter();
    snprintf(shape, sizeof(shape), "%ux%u %u levels=%u", (unsigned)width, (unsigned)height, (unsigned)format,
             (unsigned)levels);
    if (!device || !surface || !width || !height || width > MAX_SIDE || height > MAX_SIDE || !levels ||
        levels > MAX_LEVELS)
        library_fail(result, "a texture of %s", shape);
    else
        result = create_surfaces(device, "texture", shape, &first, surface);
    return library_leave(result);
}

enum halcyon_result halcyon_device_create_buffer(struct halcyon_device *device, enum halcyon_buffer kind,
                                                 uint32_t bytes, uint32_t *surface)
{
    const struct device_surface first = {.bytes = bytes};
    enum halcyon_result result = HALCYON_INVALID;
    char shape[16];

    library_enter();
    snprintf(shape, sizeof(shape), "%u", (unsigned)bytes);
    if (!device || !surface || !bytes || (kind != HALCYON_VERTICES && kind != HALCYON_INDICES))
        library_fail(result, "a buffer of %s bytes", shape);
    else
        result = create_surfaces(device, kind == HALCYON_VERTICES ? "vertices" : "indices", shape, &first, surface);
    return library_leave(result);
}

static const struct device_surface *find_surface(const struct halcyon_device *device, uint32_t surface)
{
    return device && surface < device->surface_count ? &device->surfaces[surface] : NULL;
}

static enum halcyon_result write_memory(struct halcyon_device *device, const struct capture_memory *head,
                                        const void *data, size_t size)
{
    const struct capture_bytes pieces[] = {{head, sizeof(*head)}, {data, size}};

    library_picture_drop(&device->picture);
    return play_pieces(device, CAPTURE_MEMORY, pieces, ARRAY_COUNT(pieces));
}

static enum halcyon_result write_texture(struct halcyon_device *device, uint32_t surface, uint32_t level,
                                         const void *data, size_t size)
{
    const struct device_surface *first = find_surface(device, surface);
    struct capture_memory head = {.flags = CAPTURE_MEMORY_LOCKED, .slice_count = 1};
    const struct device_surface *shape;

    if (!first || level >= first->levels || !data)
        return library_fail(HALCYON_INVALID, "surface %u is not a texture with a level %u", (unsigned)surface,
                            (unsigned)level);
    shape = &device->surfaces[surface + level];
    head.id = surface + level;
    head.row_bytes = dp2_row_bytes(shape->format, shape->width, shape->height, &head.row_count);
    if (!head.row_count || (uint64_t)head.row_bytes * head.row_count != size)
        return library_fail(HALCYON_INVALID, "level %u has %u rows of %u bytes, not %zu bytes", (unsigned)level,
                            (unsigned)head.row_count, (unsigned)head.row_bytes, size);
    return write_memory(device, &head, data, size);
}

enum halcyon_result halcyon_device_write_texture(struct halcyon_device *device, uint32_t surface, uint32_t level,
                                                 const void *data, size_t size)
{
    library_enter();
    return library_leave(write_texture(device, surface, level, data, size));
}

static enum halcyon_result write_buffer(struct halcyon_device *device, uint32_t surface, uint32_t offset,
                                        const void *data, size_t size)
{
    const struct device_surface *buffer = find_surface(device, surface);
    const struct capture_memory head = {.id = surface,
                                        .flags = CAPTURE_MEMORY_LOCKED,
                                        .row_offset = offset,
                                        .row_bytes = (uint32_t)size,
                                        .row_count = 1,
                                        .slice_count = 1};

    if (!buffer || !buffer->bytes || !data)
        return library_fail(HALCYON_INVALID, "surface %u is not a buffer", (unsigned)surface);
    if (offset > buffer->bytes || size > buffer->bytes - offset)
        return library_fail(HALCYON_INVALID, "%zu bytes at offset %u of a buffer of %u", size, (unsigned)offset,
                            (unsigned)buffer->bytes);
    return size ? write_memory(device, &head, data, size) : HALCYON_OK;
}

enum halcyon_result halcyon_device_write_buffer(struct halcyon_device *device, uint32_t surface, uint32_t offset,
                                                const void *data, size_t size)
{
    library_enter();
    return library_leave(write_buffer(device, surface, offset, data, size));
}

static enum halcyon_result make_picture(struct halcyon_device *device, uint32_t surface,
                                        struct halcyon_picture *picture)
{
    struct player_picture grabbed = {0};
    struct capture_error error = {0};

    if (!device || !picture)
        return library_fail(HALCYON_INVALID, "a device and a place for the picture are needed");
    library_picture_drop(&device->picture);
    if (!player_grab_surface(device->player, surface ? surface : THE_TARGET, NULL, &grabbed, &error))
        return library_fail_with(&error, HALCYON_NO_PICTURE);
    library_picture_set(&device->picture, &grabbed);
    library_picture_give(&device->picture, picture);
    return HALCYON_OK;
}

enum halcyon_result halcyon_device_picture(struct halcyon_device *device, uint32_t surface,
                                           struct halcyon_picture *picture)
{
    library_enter();
    return library_leave(make_picture(device, surface, picture));
}
