/* SPDX-License-Identifier: MIT */
/*
 * Scenes as captures: recorded while they are played, then replayed with other settings; recorded from a frame on; as
 * text and back. A replay must leave in the surfaces what the program saw at its end.
 */
#include "tests/scenes/scenes.h"

#include "dp2/capture/uses.h"
#include "replay/internal.h"
#include "tools/tool.h"
#include "client/umd/bridge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_PATH_BYTES 1024

bool captures_record(const struct order *order, const struct settings *settings, const char *path, const char *frames,
                     struct result *result)
{
    struct worker *worker = worker_start(settings, path, frames);
    const bool played = worker && worker_send(worker, order) && worker_receive(worker, result, NULL);
    const bool ended = worker_stop(worker);

    if (!played || !ended || result->failed)
        fprintf(stderr, "scenes: seed %" PRIu64 ": recording with %s fails: %s\n", order->seed, settings_text(settings),
                result->failed ? result->failure : "the process ended badly");
    return played && ended && !result->failed;
}

/* --- replays, in processes of their own ------------------------------------------------------------------ */

static struct player_surface *find_surface(const struct player *player, uint32_t handle)
{
    for (uint32_t id = 0; id < player->surface_capacity; id++) {
        struct player_surface *surface = player_surface_of(player, id);

        if (surface && !surface->buffer && surface->more.dwSurfaceHandle == handle)
            return surface;
    }
    return NULL;
}

static bool same_memory(struct player *player, const struct record *record, const char *what)
{
    struct player_surface *surface = find_surface(player, record->handle);
    uint64_t hash = SCENE_HASH_START;
    uint8_t *bits;

    if (!surface || FAILED(player_lock(player, surface, DDLOCK_READONLY, &bits))) {
        fprintf(stderr, "scenes: %s: %s is not there\n", what, record->name);
        return false;
    }
    for (uint32_t y = 0; y < record->rows; y++)
        hash = scene_hash(hash, bits + (size_t)y * (size_t)surface->gbl.lPitch, record->row_bytes);
    player_unlock(player, surface);
    if (hash != record->hash)
        fprintf(stderr, "scenes: %s: %s (surface %u) differs from what the program saw\n", what, record->name,
                (unsigned)record->handle);
    return hash == record->hash;
}

/* Surfaces whose contents a capture has, by number. */
#define MAX_SURFACES 4096u
struct held {
    bool surface[MAX_SURFACES];
};

static void hold(void *user, uint32_t id, enum capture_use use)
{
    struct held *held = user;

    if (use != CAPTURE_USE_NAMED && id < MAX_SURFACES)
        held->surface[id] = true;
}

/* For a capture of all frames: the contents of every surface. */
static bool is_held(const struct player *player, const struct held *held, uint32_t handle)
{
    const struct player_surface *surface = find_surface(player, handle);

    return !held || !surface || (surface->id < MAX_SURFACES && held->surface[surface->id]);
}

static bool same_result(struct player *player, const struct held *held, const struct result *result, const char *what)
{
    bool same = true;

    for (uint32_t i = result->first_final; i < result->count; i++) {
        const struct record *record = &result->records[i];

        if (record->handle && is_held(player, held, record->handle))
            same &= same_memory(player, record, what);
    }
    return same;
}

/* Reads which surfaces the frames of the capture use. Returns false if they use none, which no scene does. */
static bool find_held(struct capture_reader *reader, struct held *held)
{
    struct capture_uses *uses = capture_uses_create(hold, held);
    struct capture_error error = {0};
    struct capture_event event;
    bool some = false;

    *held = (struct held){0};
    if (uses)
        capture_uses_begin(uses);
    while (uses && capture_next(reader, &event, &error) == CAPTURE_OK && capture_uses_follow(uses, &event)) {
    }
    capture_uses_destroy(uses);
    capture_rewind(reader);
    for (unsigned i = 0; i < MAX_SURFACES; i++)
        some |= held->surface[i];
    return some;
}

static uint32_t count_frames(struct capture_reader *reader)
{
    struct capture_error error = {0};
    struct capture_event event;
    uint32_t frames = 0;

    while (capture_next(reader, &event, &error) == CAPTURE_OK)
        frames += event.type == CAPTURE_FRAME;
    capture_rewind(reader);
    return frames;
}

/* Up to the end of the last frame, where the program reads its surfaces. */
static bool play(struct player *player, struct capture_reader *reader, const char *what)
{
    struct capture_error error = {0};
    struct capture_event event;

    for (uint32_t left = count_frames(reader); left;) {
        if (capture_next(reader, &event, &error) != CAPTURE_OK || !player_play(player, &event, &error)) {
            fprintf(stderr, "scenes: %s: byte %" PRIu64 ": %s\n", what, error.offset, error.text);
            return false;
        }
        left -= event.type == CAPTURE_FRAME;
    }
    return true;
}

/* part: of some frames. */
static bool replay(const char *path, bool part, const struct result *result, const char *what)
{
    static struct held held;
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open(path, &error);
    struct client_driver driver;
    bool same = false;

    if (!reader) {
        fprintf(stderr, "scenes: %s: %s: %s\n", what, path, error.text);
        return false;
    }
    if (SUCCEEDED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter)))) {
        struct player *player = player_create(&driver);

        same = player && (!part || find_held(reader, &held)) && play(player, reader, what) &&
               same_result(player, part ? &held : NULL, result, what);
        player_destroy(player);
        client_driver_close(&driver);
    }
    capture_close(reader);
    return same;
}

static bool wait_for(pid_t process, const char *what)
{
    int status = 0;

    if (process < 0)
        return false;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        fprintf(stderr, "scenes: %s: the process died: %s\n", what, strsignal(WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool replay_apart(const char *path, bool part, const struct settings *settings, const struct result *result,
                         const char *how)
{
    char what[160];

    snprintf(what, sizeof(what), "%s, %s", how, settings_text(settings));
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        settings_apply(settings);
        setenv("HALCYON_CAPTURE", "", 1);
        _exit(replay(path, part, result, what) ? 0 : 1);
    }
    return wait_for(process, what);
}

/* --- text ----------------------------------------------------------------------------------------------- */

static int to_text_and_back(char *capture, char *text, char *again)
{
    char dump[] = "dump", as[] = "--asm", assemble[] = "asm", o[] = "-o";
    char *dump_arguments[] = {dump, as, capture, NULL}, *asm_arguments[] = {assemble, text, o, again, NULL};

    if (!freopen(text, "w", stdout) || tool_run(&verb_dump, 3, dump_arguments) != TOOL_OK || fflush(stdout))
        return 1;
    optind = 0;
    return tool_run(&verb_asm, 4, asm_arguments) != TOOL_OK;
}

static bool through_text(const char *path, const char *again)
{
    char capture[MAX_PATH_BYTES], text[MAX_PATH_BYTES + 8], back[MAX_PATH_BYTES];

    snprintf(capture, sizeof(capture), "%s", path);
    snprintf(text, sizeof(text), "%s.dp2s", path);
    snprintf(back, sizeof(back), "%s", again);
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0)
        _exit(to_text_and_back(capture, text, back));
    const bool done = wait_for(process, "the capture as text");
    unlink(text);
    if (!done)
        fprintf(stderr, "scenes: dp2 dump --asm or dp2 asm fails\n");
    return done;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static uint32_t frames_in(const char *path)
{
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open(path, &error);
    const uint32_t frames = reader ? count_frames(reader) : 0;

    if (reader)
        capture_close(reader);
    return frames;
}

bool captures_check(const struct order *order, const struct settings *settings, const char *folder)
{
    static struct result result;
    const struct settings plain = {.threads = 1, .level = cpu_level_detected()};
    struct settings recorded = *settings; /* through the interface whose surfaces have the numbers of the scene's */
    char path[MAX_PATH_BYTES], again[MAX_PATH_BYTES], frames[16];

    snprintf(path, sizeof(path), "%s/scene-%d.capture", folder, (int)getpid());
    snprintf(again, sizeof(again), "%s/scene-%d-again.capture", folder, (int)getpid());
    recorded.umd = false;
    bool same = captures_record(order, &recorded, path, NULL, &result) &&
                replay_apart(path, false, &plain, &result, "replayed") && through_text(path, again) &&
                replay_apart(again, false, settings, &result, "through text");
    const uint32_t count = frames_in(path);
    if (same && count > 1) {
        snprintf(frames, sizeof(frames), "%u-", (unsigned)(1 + order->seed % (count - 1)));
        same = captures_record(order, &plain, path, frames, &result) &&
               replay_apart(path, true, settings, &result, "from a frame on");
    }
    unlink(path);
    unlink(again);
    if (!same)
        fprintf(stderr, "scenes: seed %" PRIu64 ": the capture does not draw what the program drew\n", order->seed);
    return same;
}
