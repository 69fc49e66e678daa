/* SPDX-License-Identifier: MIT */
/* The history of a pixel: plays the actions of a frame, and reads the pixel before and after each. */
#include "inspect/pixel/pixel.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "inspect/describe.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/draw.h"

#include <stdlib.h>
#include <string.h>

const char *inspect_verdict_name(enum inspect_verdict verdict)
{
#define VERDICT_NAME(NUMBER, name, text) name,
    static const char *const names[INSPECT_VERDICT_COUNT] = {INSPECT_VERDICTS(VERDICT_NAME)};

    return names[verdict];
}

const char *inspect_verdict_text(enum inspect_verdict verdict)
{
#define VERDICT_TEXT(NUMBER, name, text) text,
    static const char *const texts[INSPECT_VERDICT_COUNT] = {INSPECT_VERDICTS(VERDICT_TEXT)};

    return texts[verdict];
}

const char *inspect_part_name(unsigned bit)
{
    static const char *const names[INSPECT_PARTS] = {"color", "depth", "stencil"};

    return names[bit];
}

const char *inspect_otherwise_name(enum inspect_otherwise otherwise)
{
#define OTHERWISE_NAME(NUMBER, name, text) name,
    static const char *const names[INSPECT_OTHERWISE_COUNT] = {INSPECT_OTHERWISES(OTHERWISE_NAME)};

    return names[otherwise];
}

const char *inspect_otherwise_text(enum inspect_otherwise otherwise)
{
#define OTHERWISE_TEXT(NUMBER, name, text) text,
    static const char *const texts[INSPECT_OTHERWISE_COUNT] = {INSPECT_OTHERWISES(OTHERWISE_TEXT)};

    return texts[otherwise];
}

/* Planes that can be disabled: all except for the eye's plane. */
#define CAN_OPEN ((unsigned)(HAL_OUT_NEAR | HAL_OUT_FAR | HAL_OUT_USER))

/* --- which surface ------------------------------------------------------------------------------- */

/* The surface with the picture that the frame shows, by action: contents move with flips. */
struct pixel_path {
    uint32_t *before; /* by action: the surface that holds the pixel while it is carried out */
    uint32_t last;    /* at the end of the frame */
    unsigned x, y;
};

static const struct capture_frame *frame_event(const struct inspect *session)
{
    for (size_t i = session->index.events.count; i-- > 0;)
        if (session->index.events.list[i].type == CAPTURE_FRAME)
            return (const void *)session->index.events.list[i].data;
    return NULL;
}

static bool find_path(struct inspect *session, uint32_t surface, unsigned x, unsigned y, struct pixel_path *path,
                      struct capture_error *error)
{
    const struct capture_frame *frame = surface ? NULL : frame_event(session);
    uint32_t held = frame ? frame->surface : surface;

    *path = (struct pixel_path){.x = x, .y = y};
    if (!held)
        return inspect_fail(error, "the frame shows nothing; name a surface");
    if (frame) {
        if (x >= (uint32_t)BASE_MAX(frame->rect.right - (int64_t)frame->rect.left, 0) ||
            y >= (uint32_t)BASE_MAX(frame->rect.bottom - (int64_t)frame->rect.top, 0))
            return inspect_fail(error, "the picture has no pixel %u,%u", x, y);
        path->x += (unsigned)BASE_MAX(frame->rect.left, 0);
        path->y += (unsigned)BASE_MAX(frame->rect.top, 0);
    }
    path->last = held;
    path->before = mem_calloc(session->index.count + 1, sizeof(*path->before));
    if (!path->before)
        return inspect_no_memory(error);
    for (size_t i = session->index.count; i-- > 0;) {
        const struct inspect_action *action = &session->index.pieces[i].action;
        const struct capture_event *event = &session->index.events.list[action->event];
        const struct capture_flip *flip = event->type == CAPTURE_FLIP ? (const void *)event->data : NULL;

        /* (front and target swap contents) */
        if (frame && flip && flip->current == held)
            held = flip->target;
        else if (frame && flip && flip->target == held)
            held = flip->current;
        path->before[i] = held;
    }
    return true;
}

/* --- reading ------------------------------------------------------------------------------------- */

static struct hal_resource *driver_surface(const struct inspect *session, uint32_t id)
{
    struct player_surface *surface = player_surface_of(session->player, id);

    return surface ? hal_inspect_find_resource(&surface->lcl) : NULL;
}

static void read_pixel(struct inspect *session, uint32_t color, struct hal_resource *depth, unsigned x, unsigned y,
                       struct inspect_pixel *pixel)
{
    struct hal_inspect_texels colors, depths;
    const bool has_color = hal_inspect_read_texels(driver_surface(session, color), x, y, &colors) &&
                           !raster_format_info(colors.format)->depth_bits;
    const bool has_depth = hal_inspect_read_texels(depth, x, y, &depths);

    inspect_decode_texels(has_color ? &colors : NULL, has_depth ? &depths : NULL, pixel);
}

static bool is_same(const struct inspect_pixel *a, const struct inspect_pixel *b)
{
    if (a->has_color != b->has_color || a->samples != b->samples)
        return false;
    for (unsigned s = 0; s < a->samples; s++) {
        if (a->has_color && memcmp(a->raw[s], b->raw[s], a->bytes))
            return false;
        if (a->has_depth && b->has_depth &&
            (memcmp(&a->depth[s], &b->depth[s], sizeof(float)) || a->stencil[s] != b->stencil[s]))
            return false;
    }
    return true;
}

/* --- actions that are not draws ------------------------------------------------------------------- */

static bool is_in(const struct capture_rect *rect, unsigned x, unsigned y)
{
    return (int64_t)x >= rect->left && (int64_t)x < rect->right && (int64_t)y >= rect->top && (int64_t)y < rect->bottom;
}

static bool clear_reaches(const struct capture_rect *rects, uint32_t count, unsigned x, unsigned y)
{
    for (uint32_t i = 0; i < count; i++) {
        struct capture_rect rect;

        memcpy(&rect, &rects[i], sizeof(rect));
        if (is_in(&rect, x, y))
            return true;
    }
    return count == 0;
}

/* Does the context draw to the surface, or keep its depth there? *depth (may be NULL): its depth buffer. */
static bool draws_to(const struct hal_context *context, uint32_t surface, struct hal_resource **depth)
{
    struct hal_inspect_bound bound = {.depth = NULL};
    bool draws;

    if (context)
        hal_inspect_bound(context, &bound);
    draws = context && inspect_surface_id(bound.depth) == surface;
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS && context; t++)
        draws |= inspect_surface_id(bound.color[t]) == surface;
    if (depth)
        *depth = bound.depth;
    return draws;
}

/* Could the action, which is not a draw, have changed the pixel? The pixel shows whether it did. */
static bool may_reach(const struct inspect *session, const struct inspect_piece *piece, uint32_t surface, unsigned x,
                      unsigned y)
{
    const struct capture_event *event = &session->index.events.list[piece->action.event];
    const struct hal_context *context = inspect_context(session, piece->action.context);

    switch (event->type) {
    case CAPTURE_CLEAR: {
        const struct capture_clear *clear = (const void *)event->data;

        return draws_to(context, surface, NULL) && clear_reaches((const void *)(clear + 1), clear->rect_count, x, y);
    }
    case CAPTURE_BLT: {
        const struct capture_blt *blt = (const void *)event->data;

        return blt->destination == surface && is_in(&blt->destination_rect, x, y);
    }
    case CAPTURE_DRAW:
        /* (of tokens, only clears of its targets; copies show by what they change) */
        if (piece->action.kind == INSPECT_CLEAR && context) {
            const uint8_t *command = event->data + sizeof(struct capture_draw) + piece->begin;

            return draws_to(context, surface, NULL) &&
                   clear_reaches((const void *)(command + DP2_HEADER_BYTES + sizeof(struct dp2_fixed_CLEAR)),
                                 dp2_read_u16(command + 2), x, y);
        }
        return false;
    default:
        return false;
    }
}

/* --- rows ---------------------------------------------------------------------------------------- */

struct history {
    struct inspect *session;
    struct pixel_path path;
    struct hal_probe *probe;
    struct pixel_watch watch;
    struct inspect_pixel_row row;
};

/* The surface if it holds depth. */
static struct hal_resource *own_depth(const struct inspect *session, uint32_t surface)
{
    struct hal_resource *own = driver_surface(session, surface);
    struct hal_inspect_surface shape;

    if (!own)
        return NULL;
    hal_inspect_surface(own, &shape);
    return raster_format_info(shape.format)->depth_bits ? own : NULL;
}

/* The depth buffer that belongs to the surface during the action: the surface itself, or the buffer bound with it if
 * it is drawn to. */
static struct hal_resource *depth_of(const struct inspect *session, const struct inspect_action *action,
                                     uint32_t surface)
{
    const struct hal_context *context = action->context ? inspect_context(session, action->context) : NULL;
    struct hal_resource *own = own_depth(session, surface), *bound;

    return own ? own : draws_to(context, surface, &bound) ? bound : NULL;
}

/* The contents of the surface itself at the pixel. */
static void read_held(const struct history *h, uint32_t surface, struct inspect_pixel *pixel)
{
    read_pixel(h->session, surface, own_depth(h->session, surface), h->path.x, h->path.y, pixel);
}

/* Reads the pixel and its depth; returns the surface that holds the depth. */
static const struct hal_resource *read_row_pixel(const struct history *h, struct inspect_pixel *pixel)
{
    struct hal_resource *depth = depth_of(h->session, &h->row.action, h->row.surface);

    read_pixel(h->session, h->row.surface, depth, h->path.x, h->path.y, pixel);
    return depth;
}

/* Draws and clears change only their targets: writes to another surface just before them do not belong to them. */
static void note_reach(struct history *h, const struct inspect_piece *piece)
{
    struct inspect_pixel_row *row = &h->row;
    const struct hal_context *context =
        piece->action.context ? inspect_context(h->session, piece->action.context) : NULL;

    if (piece->action.kind == INSPECT_DRAW) {
        row->reaches |= draws_to(context, row->surface, NULL);
        row->changed &= row->reaches;
    } else if (piece->action.kind == INSPECT_CLEAR) {
        row->reaches = may_reach(h->session, piece, row->surface, h->path.x, h->path.y);
        row->changed &= row->reaches;
    } else {
        row->reaches = row->changed || may_reach(h->session, piece, row->surface, h->path.x, h->path.y);
    }
}

static bool make_row(struct history *h, size_t i, struct capture_error *error)
{
    struct inspect *session = h->session;
    const struct inspect_piece *piece = &session->index.pieces[i];
    struct inspect_pixel_row *row = &h->row;
    struct hal_observer observer = inspect_pixel_observer;
    const struct hal_resource *depth_before, *depth_after;
    bool done;

    free(row->fragments);
    *row = (struct inspect_pixel_row){
        .place = {session->frame, (uint32_t)i}, .action = piece->action, .surface = h->path.before[i]};
    h->watch =
        (struct pixel_watch){.surface = row->surface, .x = h->path.x, .y = h->path.y, .row = row, .probe = h->probe};
    observer.user = &h->watch;
    if (piece->action.kind != INSPECT_DRAW && !inspect_describe(session, piece, row->text))
        return inspect_no_memory(error);
    /* Writes of the program to surfaces before the action do not belong to the action. */
    if (!inspect_approach(session, NULL, NULL, error))
        return false;
    inspect_flush(session, true);
    depth_before = read_row_pixel(h, &row->before);
    inspect_observe(session, piece->action.kind == INSPECT_DRAW ? &observer : NULL);
    done = inspect_step(session, &row->refused, error);
    inspect_observe(session, NULL);
    inspect_flush(session, true);
    depth_after = read_row_pixel(h, &row->after);
    /* A depth buffer that was bound after the previous action: its previous contents are known only for draws. */
    if (depth_before != depth_after && !h->watch.began)
        row->before.has_depth = row->before.has_stencil = false;
    row->changed = piece->action.kind != INSPECT_PRESENT && !is_same(&row->before, &row->after);
    note_reach(h, piece);
    if (done && h->watch.failed)
        return inspect_no_memory(error);
    return done && inspect_check_memory(session, error);
}

/* Only by planes that can be disabled. */
static bool is_clipped(const struct inspect_nearest *nearest)
{
    return nearest->found && (nearest->verdict == INSPECT_CLIPPED || nearest->verdict == INSPECT_OUTSIDE) &&
           nearest->planes && !(nearest->planes & ~CAN_OPEN);
}

/*
 * A primitive that would cover the pixel if it were not clipped: draws the action once more without these planes, and
 * discards the result. Among primitives that lie completely outside, the one that covers the pixel then is the nearest.
 */
static bool try_unclipped(struct history *h, size_t i, struct capture_error *error)
{
    struct inspect *session = h->session;
    struct inspect_nearest *nearest = &h->row.nearest;
    struct inspect_pixel_row row = {.place = h->row.place, .surface = h->row.surface};
    struct pixel_watch watch = {
        .surface = row.surface,
        .x = h->path.x,
        .y = h->path.y,
        .row = &row,
        .probe = h->probe,
        .open_planes = nearest->planes,
    };
    struct hal_observer observer = inspect_pixel_observer;
    bool done;

    observer.user = &watch;
    session->spoiled = true;
    if (!inspect_seek(session, i, error))
        return false;
    inspect_flush(session, true);
    inspect_observe(session, &observer);
    done = inspect_step(session, NULL, error);
    inspect_observe(session, NULL);
    session->spoiled = true;
    if (nearest->verdict == INSPECT_CLIPPED)
        nearest->otherwise = INSPECT_FAILS;
    for (size_t f = 0; f < BASE_MIN(row.fragment_count, (size_t)INSPECT_MOST_FRAGMENTS); f++) {
        const struct inspect_fragment *fragment = &row.fragments[f];

        if (fragment->verdict < INSPECT_BLENDED)
            continue;
        if (nearest->verdict == INSPECT_OUTSIDE && nearest->otherwise == INSPECT_NOT_TRIED)
            nearest->primitive = fragment->primitive;
        if (fragment->primitive == nearest->primitive) {
            nearest->would_change = inspect_changed_parts(&fragment->before, &fragment->after);
            nearest->otherwise = nearest->would_change ? INSPECT_CHANGES : INSPECT_LEAVES;
        }
    }
    free(row.fragments);
    return done && (!watch.failed || inspect_no_memory(error));
}

/* Is the row part of the history, that is, did something reach the pixel? */
static bool reached_pixel(const struct inspect_pixel_row *row)
{
    if (row->action.kind == INSPECT_DRAW)
        return row->fragment_count || (row->reaches && row->changed);
    return row->reaches;
}

bool inspect_pixel(struct inspect *session, uint32_t surface, unsigned x, unsigned y, uint32_t only,
                   bool (*row)(void *user, const struct inspect_pixel_row *row), void *user,
                   struct inspect_pixel *initial, struct inspect_pixel *final, struct capture_error *error)
{
    struct history h = {.session = session, .probe = hal_probe_create()};
    const bool one = only != UINT32_MAX;
    const size_t first = one ? only : 0, last = one ? first + 1 : session->index.count;
    bool done = (h.probe || inspect_no_memory(error)) && find_path(session, surface, x, y, &h.path, error) &&
                inspect_seek(session, first, error);

    /* At the start of a capture its surfaces are created before the first action; that is not a change by the
     * action. */
    done = done && (!session->index.count || inspect_approach(session, NULL, NULL, error));
    if (done && initial)
        read_held(&h, session->index.count ? h.path.before[first] : h.path.last, initial);
    for (size_t i = first; done && i < last; i++) {
        done = make_row(&h, i, error);
        if (done && one && !h.row.fragment_count && is_clipped(&h.row.nearest))
            done = try_unclipped(&h, i, error);
        if (done && (one || reached_pixel(&h.row)) && !row(user, &h.row))
            break;
    }
    if (done && !one)
        done = inspect_finish(session, error);
    if (done && surface && !driver_surface(session, surface))
        done = inspect_fail(error, "there is no surface #%u", (unsigned)surface);
    if (done && final)
        read_held(&h, one ? h.path.before[only] : h.path.last, final);
    done = done && inspect_check_memory(session, error);
    session->spoiled = true; /* queries and feedback maps have counted the draw several times */
    hal_probe_destroy(h.probe);
    free(h.row.fragments);
    free(h.path.before);
    return done;
}
