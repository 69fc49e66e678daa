/* SPDX-License-Identifier: MIT */
/*
 * Feedback commands, and the queue of those that no caller waits for. A command applies to the map after all previous
 * draws, which may still be pending. So it becomes a step that is executed when the scene is finished, and later draws
 * meanwhile mark a separate map, which is merged into the first before the next step.
 */
#include "base/base.h"
#include "d3d/feedback.h"
#include "hal/hal.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/work.h"
#include "raster/sample/feedback.h"
#include "raster/sample/feedback_map.h"

#include <stdlib.h>
#include <string.h>

/* Maximum steps of a scene, and bytes of the separate maps that draws between them mark; then the scene is
 * flushed. */
#define MAX_STEPS 1024
#define MAX_BYTES ((size_t)16 << 20)

struct hal_feedback_step {
    struct hal_feedback_step *next;
    struct hal_texture *map;
    struct raster_feedback *marks; /* recorded since the map's step before; NULL: in the map itself */
    struct hal_texture *bytes;     /* decoded into; NULL: the map is cleared */
};

/* --- steps ------------------------------------------------------------------------------------------ */

struct raster_feedback *hal_feedback_recorder(const struct hal_scene *scene, struct hal_texture *map)
{
    struct raster_feedback *marks;

    /* the other scene's steps end its recorders */
    if (map->top->pending && map->top->pending != scene)
        hal_scene_flush_surface(map->top, HAL_FLUSH_FEEDBACK);
    marks = hal_feedback_map(map);
    if (!marks || !map->feedback->recorder)
        return marks;
    map->feedback->recorder_used = true;
    return map->feedback->recorder;
}

/* Draws mark a new map from now on. *marks: the map that they marked so far; NULL: the map itself, or nothing was
 * marked. */
static bool replace_recorder(struct hal_scene *scene, struct hal_feedback *f, struct raster_feedback **marks)
{
    struct raster_feedback *fresh;

    *marks = NULL;
    if (f->recorder && !f->recorder_used)
        return true;
    fresh = raster_feedback_create(&f->desc);
    if (!fresh)
        return false;
    scene->feedback.step_bytes += raster_feedback_bytes(fresh);
    *marks = f->recorder;
    f->recorder = fresh;
    f->recorder_used = false;
    scene->dirty |= HAL_DIRTY_TEXTURE; /* samplers name the old one */
    return true;
}

static void merge_marks(struct hal_feedback *f, struct raster_feedback *marks)
{
    if (marks)
        raster_feedback_merge(f->map, marks);
    raster_feedback_destroy(marks);
}

static void take_step(struct hal_feedback_step *step)
{
    struct hal_feedback *f = step->map->feedback;

    merge_marks(f, step->marks);
    if (step->bytes)
        hal_feedback_decode(step->bytes, step->map);
    else
        raster_feedback_clear(f->map);
    hal_surface_touch(step->map->top);
}

/* The scene has been drawn and its surfaces are free (hal_scene_hook). */
static void run_steps(void *user)
{
    struct hal_scene *scene = user;
    struct hal_feedback_step *steps = scene->feedback.steps, *next;

    scene->feedback.steps = NULL;
    scene->feedback.step_count = 0;
    scene->feedback.step_bytes = 0;
    for (struct hal_feedback_step *step = steps; step; step = step->next)
        take_step(step);
    for (struct hal_feedback_step *step = steps; step; step = next) {
        struct hal_feedback *f = step->map->feedback;

        merge_marks(f, f->recorder);
        f->recorder = NULL;
        next = step->next;
        free(step);
    }
}

/* bytes: NULL for a clear. Both surfaces are in use by the scene, so that other users of one of them flush. */
static bool feedback_queue_append(struct hal_scene *scene, struct hal_texture *map, struct hal_texture *bytes)
{
    struct hal_feedback_step *step = mem_calloc(1, sizeof(*step)), **end = &scene->feedback.steps;

    if (!step || !replace_recorder(scene, map->feedback, &step->marks)) {
        free(step);
        return false;
    }
    step->map = map;
    step->bytes = bytes;
    while (*end)
        end = &(*end)->next;
    *end = step;
    scene->feedback.step_count++;
    if (!scene->feedback.hook.drawn) {
        scene->feedback.hook.drawn = run_steps;
        scene->feedback.hook.user = scene;
        hal_scene_watch(scene, &scene->feedback.hook);
    }
    return true;
}

/* --- queued commands ------------------------------------------------------------------------------------ */

static bool is_full(const struct hal_scene *scene)
{
    return scene->feedback.step_count >= MAX_STEPS || scene->feedback.step_bytes >= MAX_BYTES;
}

bool hal_feedback_queue_clear(struct hal_texture *map)
{
    struct hal_scene *scene = map->top->pending;

    if (!scene)
        return false;
    if (is_full(scene)) {
        hal_scene_flush_surface(map->top, HAL_FLUSH_FEEDBACK);
        return false;
    }
    return feedback_queue_append(scene, map, NULL);
}

/* False: the caller decodes at once. The runtime owns system memory and may free it. */
static bool queue_decode(struct hal_scene *scene, struct hal_texture *bytes, struct hal_texture *map)
{
    const struct hal_resource *memory = &bytes->top->base;

    if (map->top->pending != scene || !hal_feedback_takes(bytes->top) || !memory->owns_memory || memory->lock_count)
        return false;
    if (is_full(scene))
        hal_scene_flush_colors(scene, HAL_FLUSH_FEEDBACK);
    /* either may flush, and then the map's scene has already been drawn */
    for (unsigned face = 0; face < bytes->face_count; face++)
        for (unsigned level = 0; level < bytes->level_count; level++)
            hal_surface_touch(bytes->parts[face][level]);
    hal_scene_add(scene, bytes->top, true);
    hal_scene_add(scene, map->top, true);
    return bytes->top->pending == scene && feedback_queue_append(scene, map, bytes);
}

/* --- commands -------------------------------------------------------------------------------------------- */

/* The map bound to a sampler; NULL: none. */
static struct hal_texture *map_beside(const struct hal_state *state, struct hal_resources *resources, unsigned row)
{
    struct hal_texture *map = hal_texture_of(resources, state->stage_state[row][D3D_TSS_FEEDBACK]);

    return hal_feedback_map(map) ? map : NULL;
}

static bool parse_bind(unsigned command, uint32_t *mode)
{
    *mode = command == DDI_FEEDBACK_BIND_REQUESTS ? DDI_FEEDBACK_REQUESTS
            : command == DDI_FEEDBACK_BIND_WRITES ? DDI_FEEDBACK_WRITES
                                                  : DDI_FEEDBACK_READS;
    return *mode != DDI_FEEDBACK_READS || command == DDI_FEEDBACK_BIND;
}

static void decode_or_encode(struct hal_scene *scene, unsigned command, struct hal_texture *map,
                             struct hal_texture *texture)
{
    bool done;

    if (command == DDI_FEEDBACK_QUEUE && queue_decode(scene, texture, map))
        return;
    done = command == DDI_FEEDBACK_ENCODE ? hal_feedback_encode(map, texture) : hal_feedback_decode(texture, map);
    if (!done)
        log_warn("feedback map %u: textures of format %u hold no decoded map, one byte a texel does",
                 (unsigned)map->top->base.handle, (unsigned)texture->top->d3d_format);
}

static void feedback_queue_run(const struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene,
                               unsigned command, unsigned row)
{
    struct hal_texture *map = map_beside(state, resources, row);
    struct hal_texture *texture = hal_texture_of(resources, state->stage_state[row][0]);

    if (!map || (command != DDI_FEEDBACK_CLEAR && !texture)) {
        log_warn("feedback command '%c' for sampler '%c': no %s there", (char)command, ddi_feedback_sampler(row),
                 map ? "texture" : "map");
        return;
    }
    /* decoding spreads over level 0 once for each level */
    if (!hal_work_spend(&scene->work, hal_feedback_regions(map),
                        command == DDI_FEEDBACK_CLEAR ? HAL_WORK_COPY : HAL_WORK_FEEDBACK))
        return;
    if (command == DDI_FEEDBACK_CLEAR)
        hal_feedback_clear(map->top);
    else
        decode_or_encode(scene, command, map, texture);
}

static void bind_map(struct hal_state *state, unsigned row, uint32_t mode)
{
    uint32_t *t = state->stage_state[row];

    t[D3D_TSS_FEEDBACK] = t[0];
    t[D3D_TSS_FEEDBACKMODE] = mode;
    state->dirty |= HAL_DIRTY_STAGE;
}

static bool set_clamp(struct hal_state *state, unsigned letter, unsigned row)
{
    unsigned level;
    float clamp;

    if (!ddi_feedback_parse_sampler(letter, &level) || level > 15)
        return false;
    clamp = (float)level;
    memcpy(&state->stage_state[row][D3D_TSS_FEEDBACKCLAMP], &clamp, sizeof(clamp));
    state->dirty |= HAL_DIRTY_STAGE;
    return true;
}

bool hal_feedback_command(struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene,
                          uint32_t value)
{
    const unsigned command = value >> 16 & 255;
    unsigned row;
    uint32_t mode;

    if ((value & 255) != 'S' || !ddi_feedback_parse_sampler(value >> 24, &row))
        return false;
    if ((value >> 8 & 255) == 'M')
        return set_clamp(state, command, row);
    if ((value >> 8 & 255) != 'F')
        return false;
    if (parse_bind(command, &mode))
        bind_map(state, row, mode);
    else if (command == DDI_FEEDBACK_CLEAR || command == DDI_FEEDBACK_DECODE || command == DDI_FEEDBACK_QUEUE ||
             command == DDI_FEEDBACK_ENCODE)
        feedback_queue_run(state, resources, scene, command, row);
    else
        return false;
    return true;
}
