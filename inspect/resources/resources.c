/* SPDX-License-Identifier: MIT */
/* The surfaces and buffers that one action reads and writes. */
#include "inspect/resources/resources.h"

#include "base/base.h"
#include "inspect/draws.h"
#include "inspect/internal.h"

#include <stdio.h>
#include <stdlib.h>

struct gathering {
    bool seen, shades; /* the draw, or its first part; and its pixel side */
    struct hal_inspect_draw draw;
    struct hal_inspect_pixels pixels;
};

static struct inspect_resource *add(struct inspect_resources *out, enum inspect_role role, const char *name, int number,
                                    const struct hal_resource *surface)
{
    struct inspect_resource *resource = &out->list[out->count];

    if (out->count == INSPECT_MOST_RESOURCES)
        return NULL;
    out->count++;
    *resource = (struct inspect_resource){.role = role, .surface = inspect_surface_id(surface)};
    resource->number = number < 0 ? 0 : (unsigned)number;
    if (number < 0)
        snprintf(resource->name, sizeof(resource->name), "%s", name);
    else
        snprintf(resource->name, sizeof(resource->name), "%s %d", name, number);
    if (surface) {
        hal_inspect_surface(surface, &resource->shape);
        resource->has_stencil = !resource->shape.is_buffer && raster_stencil_mask(resource->shape.format) != 0;
    }
    return resource;
}

/* --- draws --------------------------------------------------------------------------------------- */

static void note(struct gathering *g, const struct hal_context *context, const struct hal_draw *draw)
{
    if (g->seen)
        return;
    g->seen = true;
    hal_inspect_draw(context, draw, &g->draw);
}

static bool see_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct gathering *g = user;

    (void)primitives;
    note(g, context, draw);
    if (!g->shades)
        hal_inspect_pixels(context, &g->pixels);
    g->shades = true;
    return true;
}

/* Parts of a patch read generated vertices; the streams are those of the control points. */
static void see_patch(void *user, struct hal_context *context, const struct hal_draw *draw, uint64_t points)
{
    (void)points;
    note(user, context, draw);
}

static void see_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    (void)why;
    if (draw)
        note(user, context, draw);
}

static void add_targets(struct inspect_resources *out, const struct hal_context *context)
{
    struct hal_inspect_bound bound;

    hal_inspect_bound(context, &bound);
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        if (bound.color[t])
            add(out, INSPECT_OUTPUT, "color", (int)t, bound.color[t]);
    if (bound.depth)
        add(out, INSPECT_OUTPUT, "depth", -1, bound.depth);
}

static void add_textures(struct inspect_resources *out, const struct gathering *g, const struct hal_context *context)
{
    const struct hal_state *state = hal_inspect_settings(context);

    for (unsigned s = 0; s < HAL_INSPECT_SAMPLERS && g->shades; s++)
        if (g->pixels.samplers >> s & 1)
            add(out, INSPECT_INPUT, "texture", (int)s, g->pixels.texture[s]);
    for (unsigned s = HAL_MAX_SAMPLERS; s < HAL_STAGE_ROWS && g->draw.vertex_shader; s++)
        if (state->stage_state[s][0])
            add(out, INSPECT_INPUT, "vertex texture", (int)(s - HAL_MAX_SAMPLERS),
                hal_inspect_named(context, state->stage_state[s][0]));
}

static void add_buffers(struct inspect_resources *out, const struct gathering *g)
{
    for (unsigned i = 0; i < HAL_INSPECT_STREAMS; i++) {
        const struct hal_inspect_stream *stream = &g->draw.stream[i];
        struct inspect_resource *buffer =
            stream->is_read ? add(out, INSPECT_BUFFER, "stream", (int)i, stream->surface) : NULL;

        if (!buffer)
            continue;
        buffer->is_bound = stream->is_bound;
        buffer->offset = stream->offset;
        buffer->bytes = stream->bytes;
        buffer->stride = stream->stride;
    }
    if (g->draw.indexed) {
        struct inspect_resource *buffer = add(out, INSPECT_BUFFER, "indices", -1, g->draw.index_surface);

        if (!buffer)
            return;
        buffer->is_bound = true;
        buffer->offset = (int64_t)g->draw.index_begin;
        buffer->bytes = g->draw.index_surface_bytes;
        buffer->stride = g->draw.index_stride;
    }
}

/* --- calls --------------------------------------------------------------------------------------- */

static const struct hal_resource *surface_of(const struct inspect *session, uint32_t id)
{
    const struct player_surface *surface = player_surface_of(session->player, id);

    return surface ? hal_inspect_find_resource(&surface->lcl) : NULL;
}

static void add_call(struct inspect_resources *out, const struct inspect *session, const struct capture_event *event)
{
    if (event->type == CAPTURE_BLT) {
        const struct capture_blt *blt = (const void *)event->data;

        if (blt->destination)
            add(out, INSPECT_OUTPUT, "destination", -1, surface_of(session, blt->destination));
        if (blt->source)
            add(out, INSPECT_INPUT, "source", -1, surface_of(session, blt->source));
    } else if (event->type == CAPTURE_FLIP) {
        const struct capture_flip *flip = (const void *)event->data;

        add(out, INSPECT_OUTPUT, "flipped", 0, surface_of(session, flip->current));
        add(out, INSPECT_OUTPUT, "flipped", 1, surface_of(session, flip->target));
    }
}

bool inspect_resources(struct inspect *session, uint32_t action, struct inspect_resources *out,
                       struct capture_error *error)
{
    struct gathering *g = mem_calloc(1, sizeof(*g));
    const struct hal_observer observer = {
        .user = g, .draw = see_draw, .skipped = see_skipped, .tessellates = see_patch};
    const struct inspect_action *at;
    const struct hal_context *context;
    bool done = g ? inspect_seek(session, action, error) : inspect_no_memory(error);

    *out = (struct inspect_resources){0};
    if (done) {
        inspect_observe(session, &observer);
        done = inspect_step(session, NULL, error);
        inspect_observe(session, NULL);
    }
    if (done) {
        at = inspect_action(session, action);
        context = at->context ? inspect_context(session, at->context) : NULL;
        if (context && (at->kind == INSPECT_DRAW || at->kind == INSPECT_CLEAR))
            add_targets(out, context);
        if (context && g->seen)
            add_textures(out, g, context);
        if (g->seen)
            add_buffers(out, g);
        add_call(out, session, &session->index.events.list[at->event]);
    }
    free(g);
    return done;
}
