/* SPDX-License-Identifier: MIT */
/* A session: loads a frame, goes to positions in it, and keeps checkpoints on the way. */
#include "inspect/internal.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY  ((size_t)256 << 20)
#define DEFAULT_SPACING 0.025 /* seconds */

bool inspect_fail(struct capture_error *error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return false;
}

/* --- names --------------------------------------------------------------------------------------- */

static bool parse_part(const char **text, uint32_t *value)
{
    const bool hexadecimal = (*text)[0] == '0' && (*text)[1] == 'x';
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    const unsigned long long number = strtoull(*text, &end, hexadecimal ? 16 : 10);
    if (errno || number >= UINT32_MAX || end == *text)
        return false;
    *value = (uint32_t)number;
    *text = end;
    return true;
}

bool inspect_parse_name(struct inspect_name *name, const char *text)
{
    *name = (struct inspect_name){.place.draw = UINT32_MAX};
    if (!parse_part(&text, &name->place.frame))
        return false;
    if (*text == '.') {
        text++;
        return parse_part(&text, &name->place.draw) && !*text;
    }
    name->by_offset = true;
    if (*text++ != ':' || !parse_part(&text, &name->call) || *text++ != ':')
        return false;
    return parse_part(&text, &name->offset) && !*text;
}

bool inspect_resolve(struct inspect *session, const struct inspect_name *name, struct inspect_place *place,
                     struct capture_error *error)
{
    if ((!session->loaded || session->frame != name->place.frame) && !inspect_load(session, name->place.frame, error)) {
        if (!error->text[0])
            inspect_fail(error, "no such frame: %" PRIu32 "; there are %" PRIu32, name->place.frame,
                         session->frames_there);
        return false;
    }
    *place = name->place;
    if (!name->by_offset && name->place.draw >= session->index.count)
        return inspect_fail(error, "frame %" PRIu32 " has no draw %" PRIu32 "; it has %zu, counted from 0",
                            name->place.frame, name->place.draw, session->index.count);
    for (size_t i = 0; name->by_offset && i < session->index.count; i++) {
        const struct inspect_action *action = &session->index.pieces[i].action;

        if (action->call == name->call && action->offset == name->offset) {
            place->draw = (uint32_t)i;
            return true;
        }
    }
    return !name->by_offset || inspect_fail(error, "nothing is drawn at %" PRIu32 ":%" PRIu32 ":%#" PRIx32,
                                            name->place.frame, name->call, name->offset);
}

/* --- the driver ---------------------------------------------------------------------------------- */

struct hal_driver *inspect_driver(const struct inspect *session)
{
    const struct player *player = session->player;

    for (uint32_t id = 1; player && id < player->surface_capacity; id++) {
        const struct player_surface *surface = player_surface_of(player, id);
        const struct hal_surface *driver = surface ? hal_surface_from_lcl(&surface->lcl) : NULL;

        if (driver)
            return driver->driver;
    }
    return NULL;
}

void inspect_observe(struct inspect *session, const struct hal_observer *observer)
{
    struct hal_driver *driver = inspect_driver(session);

    session->observer = observer;
    if (driver)
        driver->observer = observer;
}

struct hal_context *inspect_context(const struct inspect *session, uint32_t recorded)
{
    const struct player_context *context = session->player->contexts;
    struct hal_driver *driver = inspect_driver(session);

    while (context && context->recorded != recorded)
        context = context->next;
    return context && driver ? hal_context_find(driver, (uint32_t)context->handle) : NULL;
}

void inspect_flush(struct inspect *session, bool depth)
{
    struct hal_driver *driver = inspect_driver(session);

    for (struct hal_context *context = driver ? driver->contexts : NULL; context; context = context->next)
        if (depth)
            hal_context_flush(context);
        else
            hal_context_flush_colors(context);
}

/* --- life ---------------------------------------------------------------------------------------- */

static void drop_checkpoints(struct inspect *session)
{
    for (size_t i = 0; i < session->checkpoint_count; i++)
        inspect_contents_free(&session->checkpoints[i].contents);
    session->checkpoint_count = session->checkpoint_bytes = 0;
    session->no_checkpoints = false;
    session->spacing = session->options.spacing;
}

static void unload(struct inspect *session)
{
    session->loaded = false;
    inspect_index_free(&session->index);
    inspect_events_free(&session->start);
    inspect_contents_free(&session->base);
    drop_checkpoints(session);
}

static void begin_frame(struct inspect *session)
{
    session->position = session->next_event = 0;
    session->part = NULL;
    session->call_refused = session->finished = session->spoiled = false;
    session->began = clock_seconds();
}

/* A fresh player. False: no memory. */
static bool replace_player(struct inspect *session, struct capture_error *error)
{
    player_destroy(session->player);
    session->player = player_create(&session->driver);
    if (!session->player)
        return inspect_fail(error, "out of memory");
    player_follow_targets(session->player);
    return true;
}

/* A buffer as it is now, for capture_setup. */
static bool read_buffer(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    struct player *player = ((struct inspect *)user)->player;
    const struct player_local *object = player_local_of(player, local);

    for (uint32_t id = 1; object && id < player->surface_capacity; id++) {
        struct player_surface *surface = player_surface_of(player, id);
        const uint8_t *bits = NULL;
        uint8_t *locked = NULL;

        if (!surface || !surface->buffer || surface->more.dwSurfaceHandle != handle ||
            surface->gbl.lpDD != &object->gbl)
            continue;
        if (offset > surface->bytes || size > surface->bytes - offset)
            return false;
        if (!surface->system_memory && (FAILED(player_lock(player, surface, DDLOCK_READONLY, &locked)) || !locked))
            return false;
        bits = surface->system_memory ? surface->memory : locked;
        memcpy(out, bits + offset, size);
        if (locked)
            player_unlock(player, surface);
        return true;
    }
    return false;
}

/* The capture from its beginning. */
static bool begin_capture(struct inspect *session, struct capture_error *error)
{
    unload(session);
    inspect_events_free(&session->ahead);
    capture_setup_destroy(session->setup);
    session->setup = capture_setup_create();
    session->end = CAPTURE_OK;
    session->frame = 0;
    capture_rewind(session->reader);
    if (!session->setup)
        return inspect_fail(error, "out of memory");
    capture_setup_read_with(session->setup, read_buffer, session);
    return replace_player(session, error);
}

struct inspect *inspect_open(struct capture_reader *reader, const struct inspect_options *options,
                             struct capture_error *error)
{
    struct inspect *session = calloc(1, sizeof(*session));
    HRESULT hr;

    *error = (struct capture_error){0};
    if (!session) {
        inspect_fail(error, "out of memory");
        return NULL;
    }
    session->reader = reader;
    if (options)
        session->options = *options;
    if (!session->options.memory)
        session->options.memory = DEFAULT_MEMORY;
    if (session->options.spacing <= 0.0)
        session->options.spacing = DEFAULT_SPACING;
    hr = client_driver_init(&session->driver, HalcyonDriverInit);
    session->has_driver = SUCCEEDED(hr);
    if (!session->has_driver)
        inspect_fail(error, "the driver does not start: %#x", (unsigned)hr);
    if (!session->has_driver || !begin_capture(session, error)) {
        inspect_close(session);
        return NULL;
    }
    return session;
}

void inspect_close(struct inspect *session)
{
    if (!session)
        return;
    if (session->player)
        inspect_observe(session, NULL);
    unload(session);
    inspect_events_free(&session->ahead);
    free(session->checkpoints);
    capture_setup_destroy(session->setup);
    player_destroy(session->player);
    if (session->has_driver)
        client_driver_close(&session->driver);
    free(session);
}

/* --- positions ----------------------------------------------------------------------------------- */

/* Plays a part of the event at hand, which is a call. */
static bool play_part(struct inspect *session, const struct inspect_piece *to, struct capture_error *error)
{
    const struct capture_event *event = &session->index.events.list[session->next_event];
    const uint64_t refused = player_get_stats(session->player)->refused;
    struct capture_event *part;
    bool done = true;

    if (session->call_refused)
        return true;
    part = inspect_part(event, session->part, to);
    if (!part)
        return inspect_fail(error, "out of memory");
    if (to || ((const struct capture_draw *)(const void *)part->data)->command_bytes)
        done = player_play(session->player, part, error);
    free(part);
    session->call_refused = player_get_stats(session->player)->refused > refused;
    return done;
}

/* Plays all events before the one with this number to their ends. */
static bool play_events_before(struct inspect *session, size_t event, struct capture_error *error)
{
    while (session->next_event < event) {
        if (session->part && !play_part(session, NULL, error))
            return false;
        if (!session->part && !player_play(session->player, &session->index.events.list[session->next_event], error))
            return false;
        session->part = NULL;
        session->call_refused = false;
        session->next_event++;
    }
    return true;
}

bool inspect_step(struct inspect *session, bool *refused, struct capture_error *error)
{
    const struct inspect_piece *piece;
    const struct capture_event *event;
    uint64_t before;
    bool done;

    if (!session->loaded || session->position >= session->index.count)
        return inspect_fail(error, "the frame is at its end");
    piece = &session->index.pieces[session->position];
    event = &session->index.events.list[piece->action.event];
    if (!play_events_before(session, piece->action.event, error))
        return false;
    if (session->observer) /* the first surface, by which the driver is found, may have been made just now */
        inspect_observe(session, session->observer);
    if (event->type == CAPTURE_DRAW) {
        done = play_part(session, piece, error);
        session->part = piece;
        if (refused)
            *refused = session->call_refused;
    } else {
        before = player_get_stats(session->player)->refused;
        done = player_play(session->player, event, error);
        session->next_event++;
        if (refused)
            *refused = player_get_stats(session->player)->refused > before;
    }
    session->position++;
    return done;
}

bool inspect_finish(struct inspect *session, struct capture_error *error)
{
    if (session->finished)
        return true;
    if (!inspect_seek(session, session->index.count, error) ||
        !play_events_before(session, session->index.events.count, error))
        return false;
    session->finished = true;
    return true;
}

/* --- checkpoints --------------------------------------------------------------------------------- */

/* Every second one goes. */
static void thin_out(struct inspect *session)
{
    size_t kept = 0;

    for (size_t i = 0; i < session->checkpoint_count; i++) {
        struct inspect_checkpoint *checkpoint = &session->checkpoints[i];

        if (i % 2) {
            session->checkpoints[kept++] = *checkpoint;
        } else {
            session->checkpoint_bytes -= checkpoint->contents.bytes;
            inspect_contents_free(&checkpoint->contents);
        }
    }
    session->checkpoint_count = kept;
    session->spacing *= 2;
    session->no_checkpoints = kept == 0;
}

static void keep_checkpoint(struct inspect *session)
{
    struct inspect_checkpoint checkpoint = {.position = session->position};

    if (session->checkpoint_count == session->checkpoint_capacity) {
        const size_t capacity = 2 * session->checkpoint_capacity + 16;
        struct inspect_checkpoint *bigger = mem_realloc(session->checkpoints, capacity, sizeof(*bigger));

        if (!bigger)
            return;
        session->checkpoints = bigger;
        session->checkpoint_capacity = capacity;
    }
    if (!inspect_contents_save(&checkpoint.contents, session->player, &session->base))
        return; /* without it going back takes longer */
    session->checkpoints[session->checkpoint_count++] = checkpoint;
    session->checkpoint_bytes += checkpoint.contents.bytes;
    while (session->checkpoint_bytes > session->options.memory && session->checkpoint_count)
        thin_out(session);
}

/* Is it time for another one? Drawing is put off, so what waits must be drawn for the clock to tell. */
static void consider_checkpoint(struct inspect *session)
{
    const struct inspect_checkpoint *last =
        session->checkpoint_count ? &session->checkpoints[session->checkpoint_count - 1] : NULL;
    double now;

    if (session->replays_all || session->no_checkpoints || (last && last->position >= session->position))
        return;
    inspect_flush(session, false);
    now = clock_seconds();
    if (now - session->began < session->spacing)
        return;
    keep_checkpoint(session);
    session->began = clock_seconds();
    /* Keeping must not take longer than playing. */
    if (session->began - now > session->spacing)
        session->spacing = 2 * (session->began - now);
}

static const struct hal_observer skipping = {.skips = true};

/* Back to the frame's beginning, or to the checkpoint. */
static bool go_back(struct inspect *session, const struct inspect_checkpoint *checkpoint, struct capture_error *error)
{
    if (!replace_player(session, error))
        return false;
    for (size_t i = 0; i < session->start.count; i++)
        if (!player_play(session->player, &session->start.list[i], error))
            return false;
    inspect_contents_restore(&session->base, session->player, checkpoint ? &checkpoint->contents : NULL);
    begin_frame(session);
    if (!checkpoint)
        return true;
    inspect_observe(session, &skipping);
    while (session->position < checkpoint->position)
        if (!inspect_step(session, NULL, error))
            break;
    inspect_observe(session, NULL);
    if (session->position < checkpoint->position)
        return false;
    /* Clears and copies have been carried out, so what is as at the beginning may not be so now. */
    inspect_contents_restore(&session->base, session->player, &checkpoint->contents);
    inspect_contents_restore(&checkpoint->contents, session->player, NULL);
    session->began = clock_seconds();
    return true;
}

/* Events are read again up to the loaded frame, and played. */
static bool play_all_before(struct inspect *session, struct capture_error *error)
{
    struct capture_event event;
    enum capture_status status;
    size_t skipped = 0;

    if (!replace_player(session, error))
        return false;
    capture_rewind(session->reader);
    while ((status = capture_next(session->reader, &event, error)) == CAPTURE_OK && event.frame < session->frame) {
        if (!player_play(session->player, &event, error))
            return false;
        if (event.type == CAPTURE_FRAME && session->options.progress)
            session->options.progress(session->options.user, session->reader, event.frame);
    }
    /* The reader goes on behind the frame, whose events are kept. */
    for (; status == CAPTURE_OK && skipped + 1 < session->index.events.count + session->ahead.count; skipped++)
        status = capture_next(session->reader, &event, error);
    begin_frame(session);
    return true;
}

bool inspect_seek(struct inspect *session, size_t count, struct capture_error *error)
{
    const struct inspect_checkpoint *checkpoint = NULL;

    if (!session->loaded || count > session->index.count)
        return inspect_fail(error, "the frame has %zu draws", session->index.count);
    for (size_t i = 0; i < session->checkpoint_count && session->checkpoints[i].position <= count; i++)
        checkpoint = &session->checkpoints[i];
    if ((count < session->position || session->finished || session->spoiled) &&
        !(session->replays_all ? play_all_before(session, error) : go_back(session, checkpoint, error)))
        return false;
    while (session->position < count) {
        if (!inspect_step(session, NULL, error))
            return false;
        consider_checkpoint(session);
    }
    return true;
}

/* --- frames -------------------------------------------------------------------------------------- */

static bool keep_start_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_event event = {.type = (uint16_t)type, .size = (uint32_t)size, .data = data};

    return inspect_events_add(user, &event);
}

/* What brings the frame's beginning back. */
static bool note_start(struct inspect *session, struct capture_error *error)
{
    session->replays_all = !capture_setup_has_patches(session->setup);
    if (!capture_setup_write(session->setup, keep_start_event, &session->start) ||
        !inspect_contents_save(&session->base, session->player, NULL))
        return inspect_fail(error, "out of memory");
    return true;
}

/* Plays an event of a frame before the one that is wanted. */
static bool pass(struct inspect *session, const struct capture_event *event, struct capture_error *error)
{
    if (!player_play(session->player, event, error))
        return false;
    if (!capture_setup_follow(session->setup, event))
        return inspect_fail(error, "out of memory");
    return true;
}

static bool has_patches(const struct inspect *session)
{
    for (size_t i = 0; i < session->index.count; i++)
        if (strstr(session->index.pieces[i].action.token, "PATCH"))
            return true;
    return false;
}

/* To the end of the loaded frame, and out of it. */
static bool leave_frame(struct inspect *session, struct capture_error *error)
{
    /* Control points of patches are read while their events are followed. */
    const bool together = has_patches(session);

    if (together ? !inspect_seek(session, 0, error) : !inspect_finish(session, error))
        return false;
    for (size_t i = 0; i < session->index.events.count; i++) {
        const struct capture_event *event = &session->index.events.list[i];

        if (together ? !pass(session, event, error) : !capture_setup_follow(session->setup, event))
            return error->text[0] ? false : inspect_fail(error, "out of memory");
    }
    session->frame++;
    unload(session);
    return true;
}

/* The next event: the one that has been read ahead, or from the file. */
static enum capture_status next_event(struct inspect *session, struct capture_event *event)
{
    if (session->ahead.count) {
        *event = session->ahead.list[0];
        return CAPTURE_OK;
    }
    if (session->end == CAPTURE_OK)
        session->end = capture_next(session->reader, event, &session->damage);
    if (session->end == CAPTURE_OK && event->frame >= session->frames_there)
        session->frames_there = event->frame + 1;
    return session->end;
}

/* Gathers the events of the frame, of which `event` is the first. */
static bool gather(struct inspect *session, struct capture_event event, struct capture_error *error)
{
    enum capture_status status = CAPTURE_OK;

    while (status == CAPTURE_OK && event.frame == session->frame) {
        const bool last = event.type == CAPTURE_FRAME;

        if (!inspect_index_add(&session->index, &event))
            return inspect_fail(error, "out of memory");
        inspect_events_free(&session->ahead);
        if (last)
            return true;
        status = next_event(session, &event);
    }
    if (status == CAPTURE_OK && !inspect_events_add(&session->ahead, &event))
        return inspect_fail(error, "out of memory");
    return true;
}

bool inspect_load(struct inspect *session, uint32_t frame, struct capture_error *error)
{
    struct capture_event event;

    *error = (struct capture_error){0};
    if (session->loaded && session->frame == frame)
        return inspect_seek(session, 0, error);
    if (session->loaded && frame > session->frame && !leave_frame(session, error))
        return false;
    if (session->frame > frame && !begin_capture(session, error))
        return false;
    while (next_event(session, &event) == CAPTURE_OK && event.frame < frame) {
        const bool done = pass(session, &event, error);

        session->frame = event.frame + 1;
        inspect_events_free(&session->ahead);
        if (!done)
            return false;
        if (event.type == CAPTURE_FRAME && session->options.progress)
            session->options.progress(session->options.user, session->reader, event.frame);
    }
    if (session->end != CAPTURE_OK && !session->ahead.count) {
        if (session->end != CAPTURE_END)
            *error = session->damage;
        return false;
    }
    if (event.frame != frame)
        return inspect_fail(error, "frame %" PRIu32 " has no events", frame);
    session->frame = frame;
    begin_frame(session);
    if (!note_start(session, error) || !gather(session, event, error))
        return false;
    session->loaded = true;
    session->began = clock_seconds();
    return true;
}

/* --- what is there ------------------------------------------------------------------------------- */

uint32_t inspect_frame(const struct inspect *session)
{
    return session->frame;
}

size_t inspect_action_count(const struct inspect *session)
{
    return session->index.count;
}

const struct inspect_action *inspect_action(const struct inspect *session, size_t number)
{
    return number < session->index.count ? &session->index.pieces[number].action : NULL;
}

uint32_t inspect_frames_there(const struct inspect *session)
{
    return session->frames_there;
}

enum capture_status inspect_end(const struct inspect *session)
{
    return session->end;
}

size_t inspect_position(const struct inspect *session)
{
    return session->position;
}

struct player *inspect_player(struct inspect *session)
{
    return session->player;
}

void inspect_targets(struct inspect *session, uint32_t *target, uint32_t *depth)
{
    player_targets(session->player, target, depth);
}

bool inspect_read_surface(struct inspect *session, uint32_t id, uint8_t **data, size_t *bytes)
{
    struct player_surface *surface = player_surface_of(session->player, id);
    uint8_t *bits = NULL;

    *data = NULL;
    *bytes = 0;
    if (!surface)
        return false;
    if (surface->system_memory)
        bits = surface->memory;
    else if (FAILED(player_lock(session->player, surface, DDLOCK_READONLY, &bits)) || !bits)
        return false;
    *data = malloc((size_t)surface->bytes + 1);
    if (*data)
        memcpy(*data, bits, (size_t)surface->bytes);
    if (!surface->system_memory)
        player_unlock(session->player, surface);
    *bytes = *data ? (size_t)surface->bytes : 0;
    return *data != NULL;
}

size_t inspect_checkpoints(const struct inspect *session, size_t *bytes)
{
    *bytes = session->base.bytes + session->start.bytes + session->checkpoint_bytes;
    return session->checkpoint_count;
}
