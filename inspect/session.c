/* SPDX-License-Identifier: MIT */
/* A session: loads a frame, seeks in it, and keeps checkpoints. */
#include "inspect/internal.h"

#include "base/base.h"
#include "ddi/root.h"
#include "hal/inspect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY ((size_t)256 << 20)

bool inspect_fail(struct capture_error *error, const char *format, ...)
{
    va_list args;

    error->offset = 0;
    error->system = 0;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return false;
}

bool inspect_no_memory(struct capture_error *error)
{
    inspect_fail(error, "out of memory");
    error->system = ENOMEM;
    return false;
}

bool inspect_lacks_memory(const struct capture_error *error)
{
    return error->system == ENOMEM;
}

/* The default of `wanted`: the work is never stopped. */
bool inspect_go_on(const struct inspect *session, struct capture_error *error)
{
    return !session->options.may_go_on || session->options.may_go_on(session->options.user) ||
           inspect_fail(error, "interrupted");
}

/* --- the driver ---------------------------------------------------------------------------------- */

void inspect_observe(struct inspect *session, const struct hal_observer *observer)
{
    static const struct hal_observer skipping = {.skips = true};
    struct hal_driver *driver = ddi_driver();

    if (!observer && session->options.states_alone)
        observer = &skipping;
    session->observer = observer;
    if (driver)
        hal_inspect_observe(driver, observer);
}

struct hal_context *inspect_context(const struct inspect *session, uint32_t recorded)
{
    const struct player_context *context = session->player->contexts;
    struct hal_driver *driver = ddi_driver();

    while (context && context->recorded != recorded)
        context = context->next;
    return context && driver ? hal_inspect_context(driver, (uint32_t)context->handle) : NULL;
}

void inspect_flush(struct inspect *session, bool depth)
{
    struct hal_driver *driver = ddi_driver();

    (void)session;
    if (driver)
        hal_inspect_flush(driver, depth);
}

/* Has the driver done less than it was told, for lack of memory, since the player had refused as many calls? */
static bool driver_lacked_memory(const struct inspect *session, uint64_t refused)
{
    struct hal_driver *driver = ddi_driver();

    return (driver && hal_inspect_take_out_of_memory(driver)) ||
           player_get_stats(session->player)->out_of_memory > refused;
}

/* A player continues after calls that are refused for lack of memory. Answers about what it draws then would be wrong. */
bool inspect_play(struct inspect *session, const struct capture_event *event, struct capture_error *error)
{
    const uint64_t refused = player_get_stats(session->player)->out_of_memory;
    bool done;

    if (session->options.states_alone) /* from the first surface on, by which the driver is found */
        inspect_observe(session, session->observer);
    done = player_play(session->player, event, error);

    if (driver_lacked_memory(session, refused))
        done = inspect_no_memory(error);
    session->spoiled |= !done && inspect_lacks_memory(error);
    return done;
}

bool inspect_check_memory(struct inspect *session, struct capture_error *error)
{
    if (!driver_lacked_memory(session, UINT64_MAX))
        return true;
    session->spoiled = true;
    return inspect_no_memory(error);
}

/* --- life ---------------------------------------------------------------------------------------- */

static void unload(struct inspect *session)
{
    session->loaded = session->has_start = false;
    inspect_index_free(&session->index);
    inspect_events_free(&session->start);
    inspect_events_free(&session->lead);
    inspect_contents_free(&session->base);
    inspect_moves_free(&session->moves);
    free(session->took);
    session->took = NULL;
    inspect_checkpoints_drop(session);
}

void inspect_begin_frame(struct inspect *session)
{
    session->position = session->next_event = 0;
    session->player->place = (struct player_place){session->frame, 0};
    session->part = NULL;
    session->call_refused = session->finished = session->spoiled = false;
    session->began = clock_seconds();
}

/* A fresh player. False: no memory. */
bool inspect_replace_player(struct inspect *session, struct capture_error *error)
{
    player_destroy(session->player);
    session->player = player_create(&session->driver);
    if (!session->player)
        return inspect_no_memory(error);
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
        return inspect_no_memory(error);
    capture_setup_read_with(session->setup, read_buffer, session);
    return inspect_replace_player(session, error);
}

struct inspect *inspect_open(struct capture_reader *reader, const struct inspect_options *options,
                             struct capture_error *error)
{
    struct inspect *session = mem_calloc(1, sizeof(*session));
    HRESULT hr;

    *error = (struct capture_error){0};
    if (!session) {
        inspect_no_memory(error);
        return NULL;
    }
    session->reader = reader;
    if (options)
        session->options = *options;
    if (!session->options.memory)
        session->options.memory = DEFAULT_MEMORY;
    if (!session->options.every)
        session->options.every = (size_t)config_int("checkpoint_every");
    hr = client_driver_init(&session->driver, HalcyonDriverInit);
    session->has_driver = SUCCEEDED(hr);
    if (hr == DDERR_OUTOFMEMORY)
        inspect_no_memory(error);
    else if (!session->has_driver)
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

/* --- frames -------------------------------------------------------------------------------------- */

static bool keep_start_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_event event = {.type = (uint16_t)type, .size = (uint32_t)size, .data = data};

    return inspect_events_add(user, &event);
}

/* Makes the setup that restores the frame's beginning. */
static bool note_start(struct inspect *session, struct capture_error *error)
{
    if (session->options.states_alone) {
        session->replays_all = session->has_start = true;
        return true;
    }
    session->replays_all = !capture_setup_has_patches(session->setup);
    if (!capture_setup_write(session->setup, keep_start_event, &session->start) ||
        !inspect_contents_save(&session->base, session->player, NULL))
        return inspect_no_memory(error);
    session->has_start = true;
    return true;
}

/* Plays an event of a frame before the requested one. */
static bool pass(struct inspect *session, const struct capture_event *event, struct capture_error *error)
{
    if (!inspect_play(session, event, error))
        return false;
    if (!session->options.states_alone && !capture_setup_follow(session->setup, event))
        return inspect_no_memory(error);
    return true;
}

static bool has_patches(const struct inspect *session)
{
    for (size_t i = 0; i < session->index.count; i++)
        if (strstr(session->index.pieces[i].action.token, "PATCH"))
            return true;
    return false;
}

/* Plays to the end of the loaded frame, which then is the frame before the next one. */
static bool lead_on(struct inspect *session, struct capture_error *error)
{
    struct inspect_events lead;
    bool done;

    if (!inspect_seek(session, 0, error))
        return false;
    lead = session->index.events;
    session->index.events = (struct inspect_events){0};
    unload(session);
    done = note_start(session, error);
    session->lead = lead;
    for (size_t i = 0; done && i < lead.count; i++)
        done = pass(session, &lead.list[i], error);
    session->frame++;
    return done;
}

/* Plays to the end of the loaded frame, and leaves it. */
static bool leave_frame(struct inspect *session, struct capture_error *error)
{
    /* Control points of patches are read while their events are followed. */
    const bool together = has_patches(session) && !session->options.states_alone;

    if (session->options.warms)
        return lead_on(session, error);
    if (together ? !inspect_seek(session, 0, error) : !inspect_finish(session, error))
        return false;
    for (size_t i = 0; !session->options.states_alone && i < session->index.events.count; i++) {
        const struct capture_event *event = &session->index.events.list[i];

        if (together ? !pass(session, event, error) : !capture_setup_follow(session->setup, event))
            return error->text[0] ? false : inspect_no_memory(error);
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
            return inspect_no_memory(error);
        inspect_events_free(&session->ahead);
        if (last)
            return true;
        status = next_event(session, &event);
    }
    if (status == CAPTURE_OK && !inspect_events_add(&session->ahead, &event))
        return inspect_no_memory(error);
    return true;
}

/* Notes the beginning of a frame from the one before the requested frame on: `event` is about to be played. */
static bool take_lead(struct inspect *session, const struct capture_event *event, uint32_t frame,
                      struct capture_error *error)
{
    if (!session->options.warms)
        return true;
    if (session->lead.count && session->lead.list[0].frame != event->frame)
        unload(session);
    if (event->frame + 1 != frame)
        return true;
    if (!session->has_start && !note_start(session, error))
        return false;
    return inspect_events_add(&session->lead, event) || inspect_no_memory(error);
}

static bool load_frame(struct inspect *session, uint32_t frame, struct capture_error *error)
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
        bool done;

        if (!inspect_go_on(session, error)) {
            /* The next question begins with this event. */
            if (!session->ahead.count && !inspect_events_add(&session->ahead, &event))
                session->frame = UINT32_MAX;
            return false;
        }
        done = take_lead(session, &event, frame, error) && pass(session, &event, error);

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
    inspect_begin_frame(session);
    if ((!session->has_start && !note_start(session, error)) || !gather(session, event, error)) {
        unload(session);
        return false;
    }
    session->took = mem_calloc(session->index.count + 1, sizeof(*session->took));
    if (!session->took) {
        unload(session);
        return inspect_no_memory(error);
    }
    session->loaded = true;
    session->going = 0.0;
    session->began = clock_seconds();
    return true;
}

bool inspect_load(struct inspect *session, uint32_t frame, struct capture_error *error)
{
    const bool done = load_frame(session, frame, error);

    if (!done && inspect_lacks_memory(error)) {
        /* Events may be lost: the next question begins with the capture. */
        unload(session);
        session->frame = UINT32_MAX;
    }
    return done;
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

const struct capture_frame *inspect_shown(const struct inspect *session)
{
    const struct inspect_events *events = &session->index.events;

    if (!session->loaded || !events->count || events->list[events->count - 1].type != CAPTURE_FRAME)
        return NULL;
    return (const void *)events->list[events->count - 1].data;
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

struct player *inspect_player(struct inspect *session)
{
    return session->player;
}

void inspect_targets(struct inspect *session, uint32_t *target, uint32_t *depth)
{
    player_targets(session->player, target, depth);
}

bool inspect_read_surface(struct inspect *session, uint32_t id, uint8_t **data, size_t *bytes,
                          struct capture_error *error)
{
    struct player_surface *surface = player_surface_of(session->player, id);
    uint8_t *bits = NULL;

    *data = NULL;
    *bytes = 0;
    if (surface && surface->system_memory)
        bits = surface->memory;
    else if (surface && FAILED(player_lock(session->player, surface, DDLOCK_READONLY, &bits)))
        bits = NULL;
    if (!bits)
        return inspect_fail(error, "surface %u cannot be read", (unsigned)id);
    *data = mem_alloc((size_t)surface->bytes, 1, 1);
    if (*data)
        memcpy(*data, bits, (size_t)surface->bytes);
    if (!surface->system_memory)
        player_unlock(session->player, surface);
    *bytes = *data ? (size_t)surface->bytes : 0;
    return *data || inspect_no_memory(error);
}
