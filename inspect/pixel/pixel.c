/* SPDX-License-Identifier: MIT */
/* The history of a pixel: plays the actions of a frame, and reads the pixel before and after each. */
#include "inspect/pixel/pixel.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "inspect/describe.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/draw.h"
#include "inspect/pixel/path.h"
#include "replay/palette.h"

#include <stdlib.h>
#include <string.h>

const char *inspect_verdict_name(enum inspect_verdict verdict)
{
#define VERDICT_NAME(NUMBER, name, text, state) name,
    static const char *const names[INSPECT_VERDICT_COUNT] = {INSPECT_VERDICTS(VERDICT_NAME)};

    return names[verdict];
}

const char *inspect_verdict_text(enum inspect_verdict verdict)
{
#define VERDICT_TEXT(NUMBER, name, text, state) text,
    static const char *const texts[INSPECT_VERDICT_COUNT] = {INSPECT_VERDICTS(VERDICT_TEXT)};

    return texts[verdict];
}

const char *inspect_verdict_state(enum inspect_verdict verdict)
{
#define VERDICT_STATE(NUMBER, name, text, state) state,
    static const char *const states[INSPECT_VERDICT_COUNT] = {INSPECT_VERDICTS(VERDICT_STATE)};

    return states[verdict];
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

const char *inspect_change_between_name(enum inspect_change_between change)
{
#define CHANGE_NAME(NUMBER, name, text) name,
    static const char *const names[INSPECT_CHANGE_BETWEEN_COUNT] = {INSPECT_CHANGES_BETWEEN(CHANGE_NAME)};

    return names[change];
}

const char *inspect_change_between_text(enum inspect_change_between change)
{
#define CHANGE_TEXT(NUMBER, name, text) text,
    static const char *const texts[INSPECT_CHANGE_BETWEEN_COUNT] = {INSPECT_CHANGES_BETWEEN(CHANGE_TEXT)};

    return texts[change];
}

/* Planes that can be disabled: all except for the eye's plane. */
#define CAN_OPEN ((unsigned)(HAL_OUT_NEAR | HAL_OUT_FAR | HAL_OUT_USER))

/* --- reading ------------------------------------------------------------------------------------- */

static struct hal_resource *driver_surface(const struct inspect *session, uint32_t id)
{
    struct player_surface *surface = player_surface_of(session->player, id);

    return surface ? hal_inspect_find_resource(&surface->lcl) : NULL;
}

/* The colour that indices are seen in. */
static void put_index_color(const struct inspect *session, uint32_t id, enum raster_format format,
                            struct inspect_pixel *pixel)
{
    const struct player_surface *surface = player_surface_of(session->player, id);
    uint32_t colors[CAPTURE_PALETTE_ENTRIES];

    pixel->has_index = surface && player_index_bytes(&surface->gbl.ddpfSurface);
    if (!pixel->has_index)
        return;
    player_colors(session->player, surface, colors);
    pixel->palette = player_shown_palette(session->player, surface);
    for (unsigned s = 0; s < pixel->samples; s++)
        raster_decode_wide(format, pixel->raw[s], 16, pixel->color[s], 4 * sizeof(float), 1, 1, colors);
}

static void read_pixel(struct inspect *session, uint32_t color, struct hal_resource *depth, unsigned x, unsigned y,
                       struct inspect_pixel *pixel)
{
    struct hal_inspect_texels colors, depths;
    const bool has_color = hal_inspect_read_texels(driver_surface(session, color), x, y, &colors) &&
                           !raster_format_info(colors.format)->depth_bits;
    const bool has_depth = hal_inspect_read_texels(depth, x, y, &depths);

    inspect_decode_texels(has_color ? &colors : NULL, has_depth ? &depths : NULL, pixel);
    if (has_color)
        put_index_color(session, color, colors.format, pixel);
}

static bool is_same(const struct inspect_pixel *a, const struct inspect_pixel *b)
{
    if (a->has_color != b->has_color || a->samples != b->samples)
        return false;
    for (unsigned s = 0; s < a->samples; s++) {
        if (a->has_color && memcmp(a->raw[s], b->raw[s], a->bytes))
            return false;
        if (a->has_index && memcmp(a->color[s], b->color[s], sizeof(a->color[s])))
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

        /* a clip list is all that a fill covers */
        return blt->destination == surface &&
               (is_in(&blt->destination_rect, x, y) ||
                (!blt->source && blt->rect_count && clear_reaches((const void *)(blt + 1), blt->rect_count, x, y)));
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

/* A surface before the action at hand. */
struct held {
    uint32_t surface;
    struct inspect_pixel pixel;
    const struct hal_resource *depth; /* that the pixel's depth comes from */
};

struct history {
    struct inspect *session;
    struct pixel_path path;
    struct hal_probe *probe;
    bool (*take)(void *user, const struct inspect_pixel_row *row);
    void *user;
    bool one;                      /* one row is asked for, whether or not its action reaches the pixel */
    bool stopped;                  /* no more rows are wanted */
    bool found;                    /* a surface that was looked at had the pixel */
    struct inspect_pixel *initial; /* to be filled in as soon as the surface exists; NULL: it is, or nobody asks */

    /* the action at hand */
    struct held held[PIXEL_MOST_HOLDERS];
    unsigned count;
    struct pixel_watch watch;
    struct inspect_pixel_row row;
    struct inspect_blit blit; /* of its destination */
};

/* Does the surface exist, and have the pixel? */
static bool has_pixel(const struct history *h, uint32_t surface)
{
    struct hal_resource *own = driver_surface(h->session, surface);
    struct hal_inspect_surface shape;

    if (!own)
        return false;
    hal_inspect_surface(own, &shape);
    return h->path.x < shape.width && h->path.y < shape.height;
}

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
static void read_held(struct history *h, uint32_t surface, struct inspect_pixel *pixel)
{
    h->found |= has_pixel(h, surface);
    read_pixel(h->session, surface, own_depth(h->session, surface), h->path.x, h->path.y, pixel);
}

static void read_surface(const struct history *h, const struct inspect_action *action, struct held *held)
{
    struct hal_resource *depth = depth_of(h->session, action, held->surface);

    read_pixel(h->session, held->surface, depth, h->path.x, h->path.y, &held->pixel);
    held->depth = depth;
}

/* Begins with the surface asked for. A flip is seen from the surfaces after it. */
static void choose_surfaces(struct history *h, size_t i)
{
    const bool flips = h->session->index.pieces[i].action.kind == INSPECT_PRESENT;
    const struct pixel_span *span = pixel_path_at(&h->path, i + flips);

    h->count = span->count;
    for (unsigned s = 0; s < span->count; s++)
        h->held[s].surface = span->surface[s];
}

/* Draws and clears change only their targets: writes to another surface just before them do not belong to them. */
static void note_reach(struct history *h, const struct inspect_piece *piece)
{
    struct inspect_pixel_row *row = &h->row;
    const struct hal_context *context =
        piece->action.context ? inspect_context(h->session, piece->action.context) : NULL;
    const struct capture_event *event = &h->session->index.events.list[piece->action.event];

    if (piece->action.kind == INSPECT_DRAW) {
        row->reaches |= draws_to(context, row->surface, NULL);
    } else if (event->type == CAPTURE_FLIP) {
        row->from = pixel_path_from(&h->path, row->place.draw, row->surface);
        row->reaches = row->from != 0;
    } else {
        row->reaches = may_reach(h->session, piece, row->surface, h->path.x, h->path.y) ||
                       (row->changed && piece->action.kind != INSPECT_CLEAR);
    }
    row->reaches &= has_pixel(h, row->surface);
    h->found |= row->reaches;
    row->changed &= row->reaches;
}

/* Does the surface hold what the blit should have left there? Copies that are stretched or between formats are not looked at. */
static bool is_as_said(const struct inspect_pixel_row *row)
{
    const struct inspect_blit *blit = &row->blit;

    switch (blit->fate) {
    case INSPECT_BLIT_SHOWN:
    case INSPECT_BLIT_OUTSIDE:
    case INSPECT_BLIT_CLIPPED:
    case INSPECT_BLIT_SOURCE_KEYED:
    case INSPECT_BLIT_DESTINATION_KEYED:
        return !row->changed;
    case INSPECT_BLIT_COPIED:
        return !blit->same_format || blit->stretched || !row->after.has_color ||
               !memcmp(row->after.raw[0], blit->texel, blit->bytes);
    default:
        return true;
    }
}

static void note_blit(struct history *h, const struct inspect_piece *piece)
{
    const struct capture_event *event = &h->session->index.events.list[piece->action.event];
    struct inspect_pixel_row *row = &h->row;

    row->blit = (struct inspect_blit){.fate = INSPECT_BLIT_NONE};
    if (event->type != CAPTURE_BLT || row->refused ||
        ((const struct capture_blt *)(const void *)event->data)->destination != row->surface)
        return;
    row->blit = h->blit;
    row->blit.disagrees = !is_as_said(row);
}

/* Completes the row of a surface after the action. began: row->before is known from the draw itself. */
static void complete_row(struct history *h, const struct inspect_piece *piece, const struct held *before, bool began)
{
    struct inspect_pixel_row *row = &h->row;
    struct held after = {.surface = before->surface};

    row->surface = before->surface;
    if (!began)
        row->before = before->pixel;
    read_surface(h, &row->action, &after);
    row->after = after.pixel;
    /* A depth buffer that was bound after the previous action: its previous contents are known only for draws. */
    if (before->depth != after.depth && !began)
        row->before.has_depth = row->before.has_stencil = false;
    row->changed = !is_same(&row->before, &row->after);
    note_reach(h, piece);
    note_blit(h, piece);
}

static void begin_row(struct history *h, size_t i)
{
    free(h->row.fragments);
    h->row = (struct inspect_pixel_row){.place = {h->session->frame, (uint32_t)i},
                                        .action = h->session->index.pieces[i].action};
}

/* --- between actions ------------------------------------------------------------------------------ */

/* How the event between two actions may have changed the pixel. INSPECT_KIND_COUNT: it cannot have. */
static enum inspect_kind kind_between(const struct capture_event *event)
{
    switch (event->type) {
    case CAPTURE_MEMORY:
    case CAPTURE_SAMPLES:
        return INSPECT_LOCK;
    case CAPTURE_PALETTE:
    case CAPTURE_PALETTE_GONE:
    case CAPTURE_SET_PALETTE:
        return INSPECT_PALETTE;
    default:
        return INSPECT_KIND_COUNT;
    }
}

static enum inspect_change_between change_of(const struct history *h, const struct capture_event *event)
{
    const struct inspect_pixel_row *row = &h->row;
    const struct player_surface *surface = player_surface_of(h->session->player, row->surface);

    if (row->action.kind == INSPECT_PALETTE)
        return row->before.palette != row->after.palette ? INSPECT_OTHER_PALETTE : INSPECT_PALETTE_ENTRY;
    if (event->type == CAPTURE_SAMPLES)
        return INSPECT_SAMPLE_SET;
    return surface && surface->system_memory ? INSPECT_IN_MEMORY : INSPECT_IN_LOCK;
}

/* The row of one surface, if the event has changed it. held: before the event; after it, that. */
static void give_between(struct history *h, const struct capture_event *event, enum inspect_kind kind,
                         struct held *held)
{
    struct inspect_pixel before = held->pixel;

    if (kind == INSPECT_LOCK && *(const uint32_t *)(const void *)event->data != held->surface)
        return;
    if (kind == INSPECT_PALETTE && !before.has_index)
        return;
    read_held(h, held->surface, &held->pixel);
    if (is_same(&before, &held->pixel) || h->stopped)
        return;
    h->row.surface = held->surface;
    h->row.before = before;
    h->row.after = held->pixel;
    h->row.between = change_of(h, event);
    inspect_describe_event(event, h->row.text);
    h->stopped = !h->take(h->user, &h->row);
}

/* The pixel before the frame; of a surface that the frame makes, as it was made. */
static void note_initial(struct history *h)
{
    if (!h->initial)
        return;
    *h->initial = h->held[0].pixel;
    if (h->initial->has_color || h->initial->has_depth)
        h->initial = NULL;
}

/* An event between two actions has been played. */
static void see_event(void *user, const struct capture_event *event)
{
    struct history *h = user;
    const enum inspect_kind kind = kind_between(event);

    if (kind == INSPECT_KIND_COUNT) {
        /* surfaces come and go */
        for (unsigned s = 0; s < h->count; s++)
            if (event->type == CAPTURE_SURFACES || event->type == CAPTURE_ANNOUNCE || event->type == CAPTURE_DESTROY)
                read_held(h, h->held[s].surface, &h->held[s].pixel);
        note_initial(h);
        return;
    }
    free(h->row.fragments);
    h->row = (struct inspect_pixel_row){
        .place = {h->session->frame, (uint32_t)h->session->position},
        .action = {.kind = kind,
                   .event = (uint32_t)(event - h->session->index.events.list),
                   .call = INSPECT_NO_CALL,
                   .token = capture_event_name(event->type)},
        .reaches = true,
        .changed = true,
    };
    for (unsigned s = 0; s < h->count; s++)
        give_between(h, event, kind, &h->held[s]);
}

/* Plays what lies before action i, or after all actions, with rows for what changes the pixel. */
static bool play_between(struct history *h, size_t i, struct capture_error *error)
{
    const struct pixel_span *span = pixel_path_at(&h->path, i);

    inspect_flush(h->session, true);
    h->count = span->count;
    for (unsigned s = 0; s < span->count; s++) {
        h->held[s] = (struct held){.surface = span->surface[s]};
        read_held(h, span->surface[s], &h->held[s].pixel);
    }
    note_initial(h);
    return i < h->session->index.count ? inspect_approach(h->session, see_event, h, error)
                                       : inspect_finish_seen(h->session, see_event, h, error);
}

/* --- actions ---------------------------------------------------------------------------------------- */

/* Before the step: afterwards the source may be another. */
static void look_at_blit(struct history *h)
{
    const struct capture_event *event = &h->session->index.events.list[h->row.action.event];
    const struct capture_blt *blt = (const void *)event->data;

    h->blit = (struct inspect_blit){.fate = INSPECT_BLIT_NONE};
    for (unsigned s = 0; event->type == CAPTURE_BLT && s < h->count; s++)
        if (h->held[s].surface == blt->destination)
            inspect_blit_at(h->session, blt, h->path.x, h->path.y, h->held[s].pixel.raw[0], &h->blit);
}

/* Carries out an action; h->held: the surfaces before it. */
static bool carry_out(struct history *h, struct capture_error *error)
{
    struct inspect *session = h->session;
    struct hal_observer observer = inspect_pixel_observer;
    const bool draws = h->row.action.kind == INSPECT_DRAW;
    bool done;

    h->watch = (struct pixel_watch){.x = h->path.x, .y = h->path.y, .row = &h->row, .probe = h->probe};
    for (unsigned s = 0; s < h->count; s++)
        h->watch.surfaces[s] = h->held[s].surface;
    h->watch.surface_count = h->count;
    observer.user = &h->watch;
    /* Writes of the program to surfaces before the action do not belong to the action. */
    if (!inspect_approach(session, NULL, NULL, error))
        return false;
    inspect_flush(session, true);
    for (unsigned s = 0; s < h->count; s++)
        read_surface(h, &h->row.action, &h->held[s]);
    look_at_blit(h);
    inspect_observe(session, draws ? &observer : NULL);
    done = inspect_step(session, &h->row.refused, error);
    inspect_observe(session, NULL);
    inspect_flush(session, true);
    return done && (!h->watch.failed || inspect_no_memory(error)) && inspect_check_memory(session, error);
}

/* Only by planes that can be disabled. */
static bool is_clipped(const struct inspect_nearest *nearest)
{
    return nearest->found && (nearest->verdict == INSPECT_CLIPPED || nearest->verdict == INSPECT_OUTSIDE) &&
           nearest->planes && !(nearest->planes & ~CAN_OPEN);
}

/* The nearest primitive as it covers the pixel without the planes, if it was clipped there; else the first one that passes all tests. */
static const struct inspect_fragment *find_unclipped(const struct inspect_pixel_row *row,
                                                     const struct inspect_nearest *nearest)
{
    const struct inspect_fragment *found = NULL;

    for (size_t i = 0; i < BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS); i++) {
        const struct inspect_fragment *fragment = &row->fragments[i];

        if (fragment->primitive == nearest->primitive && nearest->verdict == INSPECT_CLIPPED)
            return fragment;
        if (!found && fragment->verdict >= INSPECT_BLENDED)
            found = fragment;
    }
    return found;
}

/*
 * A primitive that would cover the pixel if it were not clipped: draws the action once more without these planes, and
 * discards the result. The one that covers the pixel then is the nearest: of those that lie completely outside it was not known, and
 * of two with an edge through the pixel only the rasterizer knows it.
 */
static bool try_unclipped(struct history *h, size_t i, struct capture_error *error)
{
    struct inspect *session = h->session;
    struct inspect_nearest *nearest = &h->row.nearest;
    struct inspect_pixel_row row = {.place = h->row.place, .surface = h->row.surface};
    struct pixel_watch watch = {
        .surfaces = {row.surface},
        .surface_count = 1,
        .x = h->path.x,
        .y = h->path.y,
        .row = &row,
        .probe = h->probe,
        .open_planes = nearest->planes,
    };
    struct hal_observer observer = inspect_pixel_observer;
    const struct inspect_fragment *unclipped;
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
    unclipped = find_unclipped(&row, nearest);
    if (unclipped) {
        nearest->primitive = unclipped->primitive;
        if (unclipped->verdict >= INSPECT_BLENDED) {
            nearest->would_change = inspect_changed_parts(&unclipped->before, &unclipped->after);
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

static void give_row(struct history *h)
{
    if (!h->stopped && (h->one || reached_pixel(&h->row)))
        h->stopped = !h->take(h->user, &h->row);
}

/* Does the draw, which has been carried out, have the surface among its targets? */
static bool draw_has(const struct history *h, uint32_t surface)
{
    const struct hal_context *context =
        h->row.action.context ? inspect_context(h->session, h->row.action.context) : NULL;

    return draws_to(context, surface, NULL);
}

/* The rows of a draw: of the first surface that it draws to, and after going back, of each of the others. */
static bool give_draw(struct history *h, size_t i, struct capture_error *error)
{
    const struct inspect_piece *piece = &h->session->index.pieces[i];
    struct held others[PIXEL_MOST_HOLDERS];
    unsigned chosen = 0, other_count = 0;

    if (!carry_out(h, error))
        return false;
    while (h->watch.surface ? h->held[chosen].surface != h->watch.surface
                            : chosen + 1 < h->count && !draw_has(h, h->held[chosen].surface))
        chosen++;
    if (!h->watch.surface && !draw_has(h, h->held[chosen].surface))
        chosen = 0;
    for (unsigned s = 0; s < h->count && !h->one; s++)
        if (s != chosen && draw_has(h, h->held[s].surface))
            others[other_count++] = h->held[s];
    complete_row(h, piece, &h->held[chosen], h->watch.began);
    if (h->one && !h->row.fragment_count && is_clipped(&h->row.nearest) && !try_unclipped(h, i, error))
        return false;
    give_row(h);
    for (unsigned s = 0; s < other_count && !h->stopped; s++) {
        begin_row(h, i);
        h->held[0].surface = others[s].surface;
        h->count = 1;
        h->session->spoiled = true;
        if (!inspect_seek(h->session, i, error) || !carry_out(h, error))
            return false;
        complete_row(h, piece, &h->held[0], h->watch.began);
        give_row(h);
    }
    return true;
}

/* The rows of another action: of each surface that it reaches. */
static bool give_other(struct history *h, size_t i, struct capture_error *error)
{
    const struct inspect_piece *piece = &h->session->index.pieces[i];
    unsigned s = 0;

    if (!inspect_describe(h->session, piece, h->row.text))
        return inspect_no_memory(error);
    if (!carry_out(h, error))
        return false;
    for (; s < h->count; s++) {
        complete_row(h, piece, &h->held[s], false);
        if (h->one && h->row.reaches)
            break;
        if (!h->one)
            give_row(h);
    }
    if (h->one && s == h->count)
        complete_row(h, piece, &h->held[0], false);
    if (h->one)
        give_row(h);
    return true;
}

static bool give_rows(struct history *h, size_t i, struct capture_error *error)
{
    if (!h->one && !play_between(h, i, error))
        return false;
    if (h->stopped)
        return true;
    begin_row(h, i);
    choose_surfaces(h, i);
    return h->row.action.kind == INSPECT_DRAW ? give_draw(h, i, error) : give_other(h, i, error);
}

static bool no_pixel(const struct history *h, uint32_t surface, struct capture_error *error)
{
    struct hal_inspect_surface shape;

    hal_inspect_surface(driver_surface(h->session, surface), &shape);
    return inspect_fail(error, "surface #%u of %ux%u has no pixel %u,%u", (unsigned)surface, shape.width, shape.height,
                        h->path.x, h->path.y);
}

bool inspect_pixel(struct inspect *session, uint32_t surface, unsigned x, unsigned y, uint32_t only,
                   bool (*row)(void *user, const struct inspect_pixel_row *row), void *user,
                   struct inspect_pixel *initial, struct inspect_pixel *final, struct capture_error *error)
{
    const bool one = only != UINT32_MAX;
    const size_t first = one ? only : 0, last = one ? first + 1 : session->index.count;
    struct history *h = mem_calloc(1, sizeof(*h));
    bool done;

    if (!h)
        return inspect_no_memory(error);
    *h = (struct history){.session = session, .probe = hal_probe_create(), .take = row, .user = user, .one = one};
    h->initial = initial;
    done = (h->probe || inspect_no_memory(error)) && pixel_path_find(session, surface, x, y, &h->path, error) &&
           inspect_seek(session, first, error);
    if (done && one)
        done = inspect_approach(session, NULL, NULL, error);
    if (done && one && surface && driver_surface(session, surface) && !has_pixel(h, surface))
        done = no_pixel(h, surface, error);
    if (done && one && initial)
        read_held(h, pixel_path_at(&h->path, first)->surface[0], initial);
    for (size_t i = first; done && i < last && !h->stopped; i++)
        done = give_rows(h, i, error);
    if (done && !one && !h->stopped)
        done = play_between(h, session->index.count, error);
    if (done && surface && !driver_surface(session, surface))
        done = inspect_fail(error, "there is no surface #%u", (unsigned)surface);
    if (done && final)
        read_held(h, pixel_path_at(&h->path, last)->surface[0], final);
    if (done && surface && !h->found)
        done = no_pixel(h, surface, error);
    done = done && inspect_check_memory(session, error);
    session->spoiled = true; /* queries and feedback maps have counted the draw several times */
    hal_probe_destroy(h->probe);
    free(h->row.fragments);
    pixel_path_free(&h->path);
    free(h);
    return done;
}
