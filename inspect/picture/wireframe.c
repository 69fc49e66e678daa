/* SPDX-License-Identifier: MIT */
/* The mesh of a draw as a picture: lines between positions as fetched, or in the window. */
#include "inspect/picture/wireframe.h"

#include "base/base.h"
#include "inspect/internal.h"
#include "inspect/picture/mesh.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH  800 /* of a picture of what was fetched */
#define HEIGHT 600
#define BORDER 24.0

struct wireframe {
    enum inspect_space space;
    struct inspect_shot *shot;
    bool is_flat;             /* all fetched positions have one depth: they are seen from the front */
    double least[3], most[3]; /* box around fetched positions */
    double scale, x, y;       /* to the picture: of what was fetched, after it has been turned */
};

/* --- lines --------------------------------------------------------------------------------------- */

/* Clips at the edges of the picture where the coordinate is `low` or `high`. False: nothing is left. */
static bool cut(double delta, double low, double high, double *from, double *to)
{
    double enter = low / delta, leave = high / delta;

    if (delta == 0.0)
        return low <= 0.0 && high >= 0.0;
    if (enter > leave) {
        const double swap = enter;

        enter = leave;
        leave = swap;
    }
    *from = BASE_MAX(*from, enter);
    *to = BASE_MIN(*to, leave);
    return *from <= *to;
}

/* False: no pixel of it is in the picture. */
static bool draw_line(struct player_picture *picture, const double a[2], const double b[2], uint32_t color)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    double from = 0.0, to = 1.0;
    double steps;

    if (!isfinite(dx) || !isfinite(dy) || !picture->width || !picture->height ||
        !cut(dx, -a[0], picture->width - 1 - a[0], &from, &to) ||
        !cut(dy, -a[1], picture->height - 1 - a[1], &from, &to))
        return false;
    steps = ceil(BASE_MAX(fabs(dx), fabs(dy)) * (to - from)) + 1;
    steps = BASE_MIN(steps, (double)picture->width + picture->height); /* rounding may exceed it for huge values */
    for (double i = 0; i <= steps; i++) {
        const double t = from + (to - from) * i / steps;
        const long x = lround(a[0] + t * dx), y = lround(a[1] + t * dy);

        if (x >= 0 && y >= 0 && x < (long)picture->width && y < (long)picture->height)
            picture->pixels[(size_t)y * picture->width + (size_t)x] = color;
    }
    return true;
}

/* --- positions ----------------------------------------------------------------------------------- */

/* The fetched position of the corner; false: it has none. */
static bool fetched_position(const struct inspect_format *format, const struct inspect_corner *corner, double at[3])
{
    for (unsigned e = 0; e < format->count; e++) {
        if (format->element[e].component != HAL_INSPECT_POSITION)
            continue;
        for (unsigned c = 0; c < 3; c++)
            at[c] = (double)corner->fetched[e][c];
        if (format->transformed)
            at[1] = -at[1]; /* pixels count downwards */
        return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
    }
    return false;
}

/* Turned by 30 degrees about the vertical axis, then seen from 20 degrees above; y points down. */
static void turn_position(const struct wireframe *w, const double at[3], double out[2])
{
    static const double cos30 = 0.8660254037844386, sin30 = 0.5, cos20 = 0.9396926207859084, sin20 = 0.3420201433256687;

    out[0] = w->is_flat ? at[0] : cos30 * at[0] + sin30 * at[2];
    out[1] = w->is_flat ? -at[1] : -(cos20 * at[1] + sin20 * (cos30 * at[2] - sin30 * at[0]));
}

static void to_picture(const struct wireframe *w, const double at[3], double out[2])
{
    turn_position(w, at, out);
    out[0] = out[0] * w->scale + w->x;
    out[1] = out[1] * w->scale + w->y;
}

static bool extend_box(void *user, const struct inspect_primitive *primitive)
{
    struct wireframe *w = user;

    for (unsigned c = 0; c < primitive->corners; c++) {
        double at[3];

        if (!fetched_position(primitive->format, &primitive->corner[c], at))
            continue;
        for (unsigned i = 0; i < 3; i++) {
            w->least[i] = BASE_MIN(w->least[i], at[i]);
            w->most[i] = BASE_MAX(w->most[i], at[i]);
        }
    }
    return true;
}

/* Corner `number` of the box, bit i: the greater end of axis i. */
static void corner_of_box(const struct wireframe *w, unsigned number, double at[3])
{
    for (unsigned i = 0; i < 3; i++)
        at[i] = number >> i & 1 ? w->most[i] : w->least[i];
}

/* Chooses the scale so that the box fills the picture. False: there is no box. */
static bool fit_box(struct wireframe *w)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, wide, tall;

    if (!(w->least[0] <= w->most[0]))
        return false;
    w->is_flat = w->least[2] == w->most[2];
    for (unsigned n = 0; n < 8; n++) {
        double at[3], p[2];

        corner_of_box(w, n, at);
        turn_position(w, at, p);
        for (unsigned i = 0; i < 2; i++) {
            low[i] = BASE_MIN(low[i], p[i]);
            high[i] = BASE_MAX(high[i], p[i]);
        }
    }
    wide = (WIDTH - 2 * BORDER) / (high[0] - low[0]);
    tall = (HEIGHT - 2 * BORDER) / (high[1] - low[1]);
    w->scale = BASE_MIN(wide, tall);
    if (!isfinite(w->scale))
        w->scale = 1.0;
    w->x = WIDTH / 2.0 - w->scale * (low[0] + high[0]) / 2;
    w->y = HEIGHT / 2.0 - w->scale * (low[1] + high[1]) / 2;
    return true;
}

/* --- drawing ------------------------------------------------------------------------------------- */

static uint32_t color_of(enum inspect_verdict verdict)
{
    switch (verdict) {
    case INSPECT_CULLED:
        return 0xffff4040;
    case INSPECT_CLIPPED:
        return 0xffffd840;
    case INSPECT_OUTSIDE:
        return 0xff5080d0;
    default:
        return 0xffffffff;
    }
}

static bool draw_edges(void *user, const struct inspect_primitive *primitive)
{
    struct wireframe *w = user;
    const uint32_t color = color_of(primitive->verdict);
    double p[3][2];
    bool is_there[3], any = false;

    for (unsigned c = 0; c < primitive->corners; c++) {
        const struct inspect_corner *corner = &primitive->corner[c];
        double at[3];

        if (w->space == INSPECT_WINDOW) {
            is_there[c] = corner->has_window;
            p[c][0] = (double)corner->window[0];
            p[c][1] = (double)corner->window[1];
        } else if ((is_there[c] = fetched_position(primitive->format, corner, at))) {
            to_picture(w, at, p[c]);
        }
    }
    for (unsigned c = 0; c < primitive->corners; c++) {
        const unsigned next = (c + 1) % primitive->corners;

        if (is_there[c] && is_there[next] && (primitive->corners == 3 || c == 0))
            any |= draw_line(&w->shot->picture, p[c], p[next], color);
    }
    w->shot->marked += any;
    return true;
}

/* The box, with the axes x, y and z in red, green and blue where they begin. */
static void draw_box(const struct wireframe *w)
{
    static const uint32_t axes[3] = {0xffc04040, 0xff40a040, 0xff4060c0};

    for (unsigned edge = 0; edge < 12; edge++) {
        const unsigned axis = edge / 4, first = (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
        double from[3], to[3], a[2], b[2];

        corner_of_box(w, first, from);
        corner_of_box(w, first | 1u << axis, to);
        to_picture(w, from, a);
        to_picture(w, to, b);
        draw_line(&w->shot->picture, a, b, first ? 0xff404448 : axes[axis]);
    }
}

static bool begin_fetched(struct inspect *session, uint32_t action, struct wireframe *w, struct capture_error *error)
{
    struct player_picture *picture = &w->shot->picture;

    for (unsigned i = 0; i < 3; i++) {
        w->least[i] = INFINITY;
        w->most[i] = -INFINITY;
    }
    if (!inspect_mesh(session, action, extend_box, w, NULL, error))
        return false;
    *picture = (struct player_picture){.width = WIDTH, .height = HEIGHT};
    picture->pixels = mem_calloc((size_t)WIDTH * HEIGHT, sizeof(*picture->pixels));
    if (!picture->pixels)
        return inspect_no_memory(error);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        picture->pixels[i] = 0xff181c20;
    if (fit_box(w))
        draw_box(w);
    return true;
}

static bool begin_window(struct inspect *session, uint32_t action, struct wireframe *w, struct capture_error *error)
{
    struct player_picture *picture = &w->shot->picture;

    if (!inspect_shoot(session, action, INSPECT_SHOW_COLOR, NULL, w->shot, error) &&
        (inspect_lacks_memory(error) || !inspect_shoot(session, action, INSPECT_SHOW_DEPTH, NULL, w->shot, error)))
        return false;
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++)
        picture->pixels[i] = (picture->pixels[i] >> 2 & 0x3f3f3f) | 0xff000000u;
    return true;
}

bool inspect_wireframe(struct inspect *session, uint32_t action, enum inspect_space space, struct inspect_shot *shot,
                       struct capture_error *error)
{
    struct wireframe w = {.space = space, .shot = shot};
    bool done;

    *shot = (struct inspect_shot){0};
    done =
        space == INSPECT_WINDOW ? begin_window(session, action, &w, error) : begin_fetched(session, action, &w, error);
    done = done && inspect_mesh(session, action, draw_edges, &w, NULL, error);
    if (!done) {
        free(shot->picture.pixels);
        shot->picture.pixels = NULL;
    }
    return done;
}
