/* SPDX-License-Identifier: MIT */
/* Pictures of targets, and of the effects of a draw on them. */
#include "inspect/picture/shot.h"

#include "base/base.h"
#include "hal/inspect.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/picture/overlay.h"
#include "replay/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *inspect_show_name(enum inspect_show show)
{
#define SHOW_NAME(NUMBER, name, legend) name,
    static const char *const names[INSPECT_SHOW_COUNT] = {INSPECT_SHOWS(SHOW_NAME)};

    return names[show];
}

/* --- pictures of surfaces ------------------------------------------------------------------------ */

/* The locked contents of a surface. */
struct view {
    struct player_surface *surface;
    struct hal_inspect_surface shape;
    uint8_t *bits;
};

static bool open_view(struct inspect *session, uint32_t id, struct view *view)
{
    const struct hal_resource *driver;

    *view = (struct view){.surface = player_surface_of(session->player, id)};
    driver = view->surface ? hal_inspect_find_resource(&view->surface->lcl) : NULL;
    if (!driver)
        return false;
    hal_inspect_surface(driver, &view->shape);
    if (!view->shape.has_pixels || view->surface->buffer)
        return false;
    if (view->surface->system_memory)
        view->bits = view->surface->memory;
    else if (FAILED(player_lock(session->player, view->surface, DDLOCK_READONLY, &view->bits)))
        return false;
    return view->bits != NULL;
}

static void close_view(struct inspect *session, const struct view *view)
{
    if (!view->surface->system_memory)
        player_unlock(session->player, view->surface);
}

static bool make_picture(struct player_picture *picture, unsigned width, unsigned height)
{
    *picture = (struct player_picture){.width = width, .height = height};
    picture->pixels = width && height ? mem_calloc((size_t)width * height, sizeof(uint32_t)) : NULL;
    return picture->pixels != NULL;
}

/* 0xAARRGGBB, wide formats cut to 0..1; indices in the colours that they are seen in. */
static bool grab_colors(struct inspect *session, uint32_t id, struct player_picture *picture,
                        struct capture_error *error)
{
    uint32_t colors[CAPTURE_PALETTE_ENTRIES];
    struct view view;
    bool done;

    picture->pixels = NULL;
    if (!open_view(session, id, &view))
        return inspect_fail(error, "there is no color target here that can be shown");
    if (raster_format_info(view.shape.format)->kind == RASTER_KIND_DEPTH) {
        close_view(session, &view);
        return inspect_fail(error, "surface %u holds depth, not colors", (unsigned)id);
    }
    done = make_picture(picture, view.shape.width, view.shape.height);
    player_colors(session->player, view.surface, colors);
    if (done)
        raster_decode(view.shape.format, view.bits, (size_t)view.surface->gbl.lPitch, picture->pixels,
                      picture->width * sizeof(uint32_t), picture->width, picture->height, colors);
    close_view(session, &view);
    return done || inspect_no_memory(error);
}

static uint32_t grey(uint32_t level)
{
    return 0xff000000u | level << 16 | level << 8 | level;
}

static bool shoot_color(struct inspect *session, enum inspect_show show, struct inspect_shot *shot,
                        struct capture_error *error)
{
    if (!grab_colors(session, shot->surface, &shot->picture, error))
        return false;
    for (size_t i = 0; i < (size_t)shot->picture.width * shot->picture.height; i++)
        shot->picture.pixels[i] =
            show == INSPECT_SHOW_ALPHA ? grey(shot->picture.pixels[i] >> 24) : shot->picture.pixels[i] | 0xff000000u;
    return true;
}

static void fit_depths(struct player_depths *depths, const float *list, size_t count)
{
    *depths = (struct player_depths){INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        depths->least = list[i] < depths->least ? list[i] : depths->least;
        depths->greatest = list[i] > depths->greatest ? list[i] : depths->greatest;
    }
    if (!(depths->least < depths->greatest) || !isfinite(depths->greatest - depths->least))
        *depths = (struct player_depths){0, 1};
}

static bool shoot_depth(struct inspect *session, const struct player_depths *given, struct inspect_shot *shot,
                        struct capture_error *error)
{
    struct view view;
    float *depths = NULL;
    size_t count;

    if (!open_view(session, shot->surface, &view))
        return inspect_fail(error, "there is no depth buffer here");
    count = (size_t)view.shape.width * view.shape.height;
    if (!raster_format_info(view.shape.format)->depth_bits) {
        close_view(session, &view);
        return inspect_fail(error, "there is no depth buffer here");
    }
    depths = mem_calloc(count + 1, sizeof(*depths));
    if (!depths || !make_picture(&shot->picture, view.shape.width, view.shape.height)) {
        close_view(session, &view);
        free(depths);
        return inspect_no_memory(error);
    }
    raster_decode_depth(view.shape.format, view.bits, (size_t)view.surface->gbl.lPitch, depths,
                        view.shape.width * sizeof(float), view.shape.width, view.shape.height);
    close_view(session, &view);
    fit_depths(&shot->depths, depths, count);
    if (given)
        shot->depths = *given;
    for (size_t i = 0; i < count; i++) {
        const double part = ((double)depths[i] - (double)shot->depths.least) /
                            ((double)shot->depths.greatest - (double)shot->depths.least);

        shot->picture.pixels[i] = grey(part > 0 ? (uint32_t)((part < 1 ? part : 1) * 255 + 0.5) : 0);
    }
    free(depths);
    return true;
}

static bool shoot_stencil(struct inspect *session, struct inspect_shot *shot, struct capture_error *error)
{
    struct view view;
    uint32_t mask;
    unsigned bytes;

    if (!open_view(session, shot->surface, &view))
        return inspect_fail(error, "there is no depth buffer here");
    mask = raster_stencil_mask(view.shape.format);
    bytes = raster_format_info(view.shape.format)->block_bytes;
    if (!mask || bytes > 4 || !make_picture(&shot->picture, view.shape.width, view.shape.height)) {
        close_view(session, &view);
        return mask && bytes <= 4 ? inspect_no_memory(error) : inspect_fail(error, "the depth buffer has no stencil");
    }
    for (unsigned y = 0; y < shot->picture.height; y++)
        for (unsigned x = 0; x < shot->picture.width; x++) {
            uint32_t raw = 0;

            memcpy(&raw, view.bits + (size_t)y * (size_t)view.surface->gbl.lPitch + (size_t)x * bytes, bytes);
            raw = (raw & mask) >> __builtin_ctz(mask);
            shot->most = BASE_MAX(shot->most, raw);
            shot->picture.pixels[(size_t)y * shot->picture.width + x] = raw;
        }
    close_view(session, &view);
    for (size_t i = 0; i < (size_t)shot->picture.width * shot->picture.height; i++)
        shot->picture.pixels[i] = grey(shot->most ? shot->picture.pixels[i] * 255 / shot->most : 0);
    return true;
}

/* --- pictures of what the draw did --------------------------------------------------------------- */

#define GREEN  0xff30d050u
#define RED    0xffe03030u
#define YELLOW 0xffe8d030u
#define ORANGE 0xffff9020u
#define WHITE  0xffffffffu

/* A third as bright, and mostly grey, so that marks stand out. */
static uint32_t dim(uint32_t color)
{
    const uint32_t r = color >> 16 & 255, g = color >> 8 & 255, b = color & 255, luma = (2 * r + 5 * g + b) / 8;

    return 0xff000000u | (r + 3 * luma) / 12 << 16 | (g + 3 * luma) / 12 << 8 | (b + 3 * luma) / 12;
}

/* From blue over green and yellow to red, for 0..1. */
static uint32_t heat(double part)
{
    static const uint8_t color[5][3] = {{24, 32, 120}, {16, 120, 200}, {40, 190, 80}, {240, 210, 40}, {230, 30, 30}};
    const double at = part < 1 ? part * 4 : 3.999;
    const unsigned low = (unsigned)at;
    uint32_t out = 0xff;

    for (unsigned c = 0; c < 3; c++)
        out = out << 8 |
              (uint32_t)((double)color[low][c] + (at - low) * ((double)color[low + 1][c] - (double)color[low][c]));
    return out;
}

/* Marks the pixels where a fragment of the action reached the target: they are black when it draws black, and white
 * when it draws white. */
static bool find_passed(struct inspect *session, uint32_t action, uint32_t target, const struct player_picture *like,
                        uint8_t **passed, struct capture_error *error)
{
    const size_t count = (size_t)like->width * like->height;

    *passed = mem_alloc(count, 1, 1);
    if (!*passed)
        return inspect_no_memory(error);
    memset(*passed, 1, count);
    for (unsigned white = 0; white < 2; white++) {
        struct player_picture solid;

        if (!inspect_draw_solid(session, action, white, error) || !grab_colors(session, target, &solid, error))
            return false;
        if (solid.width != like->width || solid.height != like->height)
            memset(*passed, 0, count);
        else
            for (size_t i = 0; i < count; i++)
                (*passed)[i] &= (solid.pixels[i] & 0xffffff) == (white ? 0xffffffu : 0);
        free(solid.pixels);
    }
    return true;
}

static void count_marks(struct inspect_shot *shot, const struct inspect_marks *marks)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < (size_t)marks->width * marks->height; i++) {
        shot->marked += marks->list[i] != 0;
        shot->most = BASE_MAX(shot->most, marks->list[i]);
        sum += marks->list[i];
    }
    shot->mean = shot->marked ? (double)sum / (double)shot->marked : 0.0;
}

static uint32_t color_of(enum inspect_show show, uint32_t mark, uint32_t most, uint32_t below)
{
    static const uint32_t sizes[] = {0, RED, ORANGE, YELLOW, GREEN, 0xff20a0c0u, 0xff2040c0u};
    static const uint32_t levels[] = {0xff3050e0u, GREEN, YELLOW, ORANGE, RED, 0xffc030c0u, 0xff8080ffu, WHITE};

    switch (show) {
    case INSPECT_SHOW_OVERDRAW:
    case INSPECT_SHOW_QUADS:
        return mark ? heat(most > 1 ? (double)(mark - 1) / (double)(most - 1) : 0.0) : 0xff000000u;
    case INSPECT_SHOW_WIREFRAME:
        return mark & INSPECT_MARK_COVERED ? WHITE : mark ? RED : dim(below);
    case INSPECT_SHOW_COVERAGE:
        return mark & INSPECT_MARK_COVERED ? WHITE : mark ? ORANGE : dim(below);
    case INSPECT_SHOW_SIZE:
        return mark ? sizes[BASE_MIN(mark, (uint32_t)ARRAY_COUNT(sizes) - 1)] : dim(below);
    case INSPECT_SHOW_MIP:
        return mark ? levels[BASE_MIN((mark - 1 + 128) / 256, (uint32_t)ARRAY_COUNT(levels) - 1)] : dim(below);
    default:
        return below;
    }
}

/* The marks over the picture after the draw. */
static bool shoot_marks(struct inspect *session, uint32_t action, enum inspect_show show, struct inspect_shot *shot,
                        struct inspect_marks *marks, struct capture_error *error)
{
    const bool all = show == INSPECT_SHOW_OVERDRAW || show == INSPECT_SHOW_QUADS;

    if (!inspect_overlay(session, show, shot->surface, all ? 0 : action, action, marks, error))
        return false;
    count_marks(shot, marks);
    for (size_t i = 0; i < (size_t)marks->width * marks->height; i++)
        shot->picture.pixels[i] = color_of(show, marks->list[i], shot->most, shot->picture.pixels[i]);
    if (show == INSPECT_SHOW_MIP)
        shot->most = shot->most ? (shot->most - 1) / 256 : 0;
    return true;
}

/* The program writes black and white to colour 0, whichever target is shown; `shown` where that is not bound. */
static uint32_t first_target(struct inspect *session, uint32_t action, uint32_t shown)
{
    const struct hal_context *context = inspect_context(session, inspect_action(session, action)->context);
    struct hal_inspect_bound bound = {0};

    if (context)
        hal_inspect_bound(context, &bound);
    return bound.color[0] ? inspect_surface_id(bound.color[0]) : shown;
}

/* Marks pixels that passed, failed, were killed, or changed. */
static bool shoot_tests(struct inspect *session, uint32_t action, enum inspect_show show, struct inspect_shot *shot,
                        struct inspect_marks *marks, struct capture_error *error)
{
    struct player_picture *picture = &shot->picture, before = {0};
    const size_t count = (size_t)picture->width * picture->height;
    uint8_t *passed = NULL;
    bool done = inspect_seek(session, action, error) && grab_colors(session, shot->surface, &before, error) &&
                inspect_overlay(session, show, shot->surface, action, action, marks, error);

    if (done && show == INSPECT_SHOW_TESTS)
        done = find_passed(session, action, first_target(session, action, shot->surface), picture, &passed, error);
    for (size_t i = 0; done && i < count; i++) {
        const uint32_t mark = marks->list[i], after = picture->pixels[i];
        const bool there = before.width == picture->width && before.height == picture->height;
        const bool changed = there && before.pixels[i] != after;

        if (show == INSPECT_SHOW_TOUCHED) {
            shot->marked += changed;
            picture->pixels[i] = changed ? after | 0xff000000u : mark ? RED : dim(after);
        } else {
            shot->marked += mark && !passed[i];
            picture->pixels[i] = !mark ? dim(after) : passed[i] ? GREEN : mark & INSPECT_MARK_ALIVE ? RED : YELLOW;
        }
    }
    free(before.pixels);
    free(passed);
    return done;
}

/* The surface that a call of DirectDraw changes; 0: it is another call. */
static uint32_t surface_of_call(const struct inspect *session, const struct inspect_action *action)
{
    const struct capture_event *event = &session->index.events.list[action->event];

    if (event->type == CAPTURE_BLT)
        return ((const struct capture_blt *)(const void *)event->data)->destination;
    if (event->type == CAPTURE_FLIP)
        return ((const struct capture_flip *)(const void *)event->data)->current;
    return 0;
}

/* The surface of the picture: the target of the action, or for an action without one the target drawn to last; in a
 * program that has drawn to none, the surface that the action copies to, fills or flips. */
static void choose_surface(struct inspect *session, uint32_t action, unsigned number, bool depth,
                           struct inspect_shot *shot)
{
    const struct inspect_action *at = inspect_action(session, action);
    const struct hal_context *context = at->context ? inspect_context(session, at->context) : NULL;
    uint32_t target = 0, buffer = 0;

    if (context) {
        struct hal_inspect_bound bound;

        hal_inspect_bound(context, &bound);
        target = inspect_surface_id(bound.color[number]);
        buffer = inspect_surface_id(bound.depth);
    } else if (number == 0) {
        inspect_targets(session, &target, &buffer);
    }
    if (!target && !depth && number == 0)
        target = surface_of_call(session, at);
    shot->surface = depth ? buffer : target;
}

/* The picture under the marks: the colours, or the depth of a target without colours, such as a shadow map. */
static bool shoot_backdrop(struct inspect *session, uint32_t action, struct inspect_shot *shot,
                           struct capture_error *error)
{
    const uint32_t target = shot->surface;
    bool done;

    if (shoot_color(session, INSPECT_SHOW_COLOR, shot, error))
        return true;
    if (inspect_lacks_memory(error))
        return false;
    choose_surface(session, action, 0, true, shot);
    done = shoot_depth(session, NULL, shot, error);
    shot->surface = target;
    return done;
}

static bool shoot_overlay(struct inspect *session, uint32_t action, enum inspect_show show, struct inspect_shot *shot,
                          struct capture_error *error)
{
    struct inspect_marks marks;
    bool done;

    if (!shoot_backdrop(session, action, shot, error))
        return false;
    marks = (struct inspect_marks){.width = shot->picture.width, .height = shot->picture.height};
    marks.list = mem_calloc((size_t)marks.width * marks.height, sizeof(*marks.list));
    if (!marks.list)
        return inspect_no_memory(error);
    if (show == INSPECT_SHOW_TOUCHED || show == INSPECT_SHOW_TESTS)
        done = shoot_tests(session, action, show, shot, &marks, error);
    else
        done = shoot_marks(session, action, show, shot, &marks, error);
    free(marks.list);
    return done;
}

/* Is the surface a colour target of the action, after which the session is? */
static bool is_target(const struct inspect *session, uint32_t action, uint32_t surface)
{
    const struct hal_context *context = inspect_context(session, inspect_action(session, action)->context);
    struct hal_inspect_bound bound = {0};
    bool found = false;

    if (context)
        hal_inspect_bound(context, &bound);
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        found |= bound.color[t] && inspect_surface_id(bound.color[t]) == surface;
    return found;
}

static bool choose(struct inspect *session, uint32_t action, enum inspect_show show, const struct inspect_shot_of *of,
                   struct inspect_shot *shot, struct capture_error *error)
{
    if (!of->surface) {
        choose_surface(session, action, of->target, show == INSPECT_SHOW_DEPTH || show == INSPECT_SHOW_STENCIL, shot);
        return true;
    }
    shot->surface = of->surface;
    return show < INSPECT_SHOW_TOUCHED || is_target(session, action, of->surface) ||
           inspect_fail(error, "surface %u is not a color target of %u.%u", (unsigned)of->surface,
                        (unsigned)session->frame, (unsigned)action);
}

bool inspect_shoot_of(struct inspect *session, uint32_t action, enum inspect_show show,
                      const struct inspect_shot_of *of, struct inspect_shot *shot, struct capture_error *error)
{
    const bool before = of->before || show == INSPECT_SHOW_BEFORE;
    bool done;

    *shot = (struct inspect_shot){0};
    /* The targets are those of the action. */
    if (!inspect_seek(session, (size_t)action + 1, error) || !choose(session, action, show, of, shot, error) ||
        (before && !inspect_seek(session, action, error)))
        return false;
    switch (show) {
    case INSPECT_SHOW_BEFORE:
    case INSPECT_SHOW_COLOR:
    case INSPECT_SHOW_ALPHA:
        done = shoot_color(session, show, shot, error);
        break;
    case INSPECT_SHOW_DEPTH:
        done = shoot_depth(session, of->depths, shot, error);
        break;
    case INSPECT_SHOW_STENCIL:
        done = shoot_stencil(session, shot, error);
        break;
    default:
        done = shoot_overlay(session, action, show, shot, error);
        break;
    }
    if (!done) {
        free(shot->picture.pixels);
        shot->picture.pixels = NULL;
    }
    return done;
}

bool inspect_shoot(struct inspect *session, uint32_t action, enum inspect_show show, const struct player_depths *depths,
                   struct inspect_shot *shot, struct capture_error *error)
{
    return inspect_shoot_of(session, action, show, &(struct inspect_shot_of){.depths = depths}, shot, error);
}
