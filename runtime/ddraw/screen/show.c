/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/show.h"

#include "base/base.h"
#include "client/palette.h"
#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/object/palette.h"
#include "runtime/ddraw/screen/exclusive.h"
#include "runtime/ddraw/surface/access.h"

void dd_show_init(struct dd_show *show)
{
    rt_presenter_init(&show->presenter);
}

void dd_show_free(struct dd_show *show)
{
    rt_presenter_free(&show->presenter);
    ddraw_shown_free(&show->shown);
}

/* --- the picture ------------------------------------------------------------------------ */

static struct client_surface *driver_surface(const struct surface *surface)
{
    return surface->root->chain->parts[surface->part].surface;
}

static bool has_palette(const struct surface *surface, uint32_t words[256])
{
    const struct palette *palette = (struct palette *)dd_find(surface->palette, &palette_class);

    if (surface_format(surface) != D3DFMT_P8 || !palette)
        return false;
    ddraw_palette_words(&palette->colors, words);
    return true;
}

/* *first, *end: the rows that differ from the last picture, among those of rect (NULL: all). */
static bool update(struct dd_show *show, struct surface *surface, const RECT *rect, unsigned *first, unsigned *end)
{
    struct ddraw_front front = {
        .width = surface->desc.dwWidth, .height = surface->desc.dwHeight, .format = surface_format(surface)};
    uint32_t words[256];
    struct rt_mapping mapping;
    bool ok;

    if (has_palette(surface, words))
        front.words = words;
    if (FAILED(surface_map(surface, D3DLOCK_READONLY, &mapping)))
        return false;
    front.bits = mapping.bits;
    front.pitch = mapping.pitch;
    ok = ddraw_shown_update(&show->shown, &front, rect, first, end);
    surface_unmap(surface);
    return ok;
}

/* --- figures and captures --------------------------------------------------------------- */

static void look_at_capture_key(struct dd_show *show, struct rt_link *link)
{
    if (show->presenter.capture_key.code && rt_capture_key_pressed(&show->presenter.capture_key) &&
        rt_link_capture(link, 0) == HALCYON_CAPTURE_WAITING)
        rt_link_capture(link, (unsigned)config_int("capture_count"));
}

static bool figures(const struct dd_show *show, struct rt_link *link, uint32_t frame, struct rt_hud_counts *counts)
{
    HALCYON_WORK work = {.threads = 0};
    HALCYON_CODE code = {.programs = 0};

    if (!show->presenter.hud_items)
        return false;
    rt_link_work(link, &work);
    if (show->presenter.hud_items & RT_HUD_CODE)
        rt_link_code(link, &code);
    *counts = (struct rt_hud_counts){.pixels = work.pixels,
                                     .busy = (double)work.busy * 1e-9,
                                     .threads = work.threads,
                                     .code = code,
                                     .frame = frame,
                                     .capture = ""};
    if (config_string("capture")[0] && rt_link_capture(link, 0) == HALCYON_CAPTURE_WRITING)
        counts->capture = RT_HUD_CAPTURING;
    return true;
}

/* --- windows ------------------------------------------------------------------------------ */

/* The window that an object of the process covers the screen with; NULL: none. */
static HWND exclusive_window(void)
{
    for (const struct ddraw *d = ddraw_next(NULL); d; d = ddraw_next(d))
        if (d->level.is_exclusive && d->fullscreen.active)
            return d->fullscreen.window;
    return NULL;
}

/* The part of the surface that lies where the client area of the window is. The surface has the coordinates of the screen. */
static bool part_in_window(const struct surface *surface, HWND window, RECT *part)
{
    const RECT all = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};
    RECT client;
    POINT corner = {0, 0};

    if (!window || !IsWindowVisible(window) || !GetClientRect(window, &client) || !ClientToScreen(window, &corner))
        return false;
    OffsetRect(&client, corner.x, corner.y);
    return IntersectRect(part, &client, &all);
}

/* The whole picture in the window that covers the screen, scaled if need be. */
static void show_on_screen(struct dd_show *show, HWND window, const RECT *rect, struct rt_presentation *frame)
{
    struct {
        RGNDATAHEADER head;
        RECT rect;
    } dirty = {.head = {.dwSize = sizeof(dirty.head), .iType = RDH_RECTANGLES, .nCount = 1}, .rect = *rect};

    frame->picture = ddraw_shown_picture(&show->shown);
    frame->width = frame->picture.width;
    frame->height = frame->picture.height;
    frame->over_frame = rt_screen_is_whole(window);
    frame->dirty = (const RGNDATA *)&dirty;
    rt_present(&show->presenter, window, frame);
}

/* Likewise a part of the surface in a window, of which `rect` has changed. */
static void show_in_window(struct dd_show *show, HWND window, const RECT *part, const RECT *rect,
                           struct rt_presentation *frame)
{
    struct {
        RGNDATAHEADER head;
        RECT rect;
    } dirty = {.head = {.dwSize = sizeof(dirty.head), .iType = RDH_RECTANGLES, .nCount = 1}};
    const struct rt_picture all = ddraw_shown_picture(&show->shown);
    POINT corner = {0, 0};
    RECT place = *part;

    if (!IntersectRect(&dirty.rect, part, rect) || !ClientToScreen(window, &corner))
        return;
    OffsetRect(&dirty.rect, -part->left, -part->top);
    OffsetRect(&place, -corner.x, -corner.y);
    frame->picture = all;
    frame->picture.bits += (size_t)part->top * all.pitch + (size_t)part->left * rt_picture_bytes(all.format);
    frame->picture.width = (unsigned)(part->right - part->left);
    frame->picture.height = (unsigned)(part->bottom - part->top);
    frame->width = frame->picture.width;
    frame->height = frame->picture.height;
    frame->destination = &place;
    frame->dirty = (const RGNDATA *)&dirty;
    rt_present(&show->presenter, window, frame);
}

/* Without a window: wherever it is on the screen, also over other programs. */
static void show_anywhere(const struct dd_show *show, const RECT *rect)
{
    const struct rt_picture picture = ddraw_shown_picture(&show->shown);
    HDC dc = GetDC(NULL);

    if (!dc)
        return;
    rt_show_rect(dc, &picture, rect, rect);
    ReleaseDC(NULL, dc);
}

/* The window in which a surface that is not on the whole screen is shown: that of its clipper, or of its program. */
static HWND window_of(const struct surface *surface)
{
    const struct clipper *clipper = (struct clipper *)dd_find(surface->clipper, &clipper_class);

    return clipper && clipper->window ? clipper->window : (HWND)surface->ddraw->level.window;
}

/* --- presentation ------------------------------------------------------------------------- */

bool dd_show_is_visible(const struct surface *surface)
{
    const struct ddraw *ddraw = surface->ddraw;

    return !surface->is_lost && !(ddraw->level.is_exclusive && ddraw->fullscreen.status != RT_DEVICE_OPERATIONAL);
}

static bool has_gamma(const struct surface *surface)
{
    return surface->gamma && (surface->ddraw->level.is_exclusive || config_bool("window_gamma"));
}

/* A frame of the driver ends, which shows that part of the surface, whether the program has it locked or not. */
static void end_frame(struct surface *surface, const RECT *part)
{
    if (!driver_surface(surface))
        return;
    surface_suspend(surface);
    client_show(driver_surface(surface), part);
    surface_resume(surface);
}

void dd_show(struct dd_show *show, struct surface *surface, const RECT *rect, bool ends_frame)
{
    struct rt_link *link = surface->ddraw->link;
    const HWND screen = exclusive_window(), window = window_of(surface);
    RECT changed = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight}, part, common;
    struct rt_presentation frame = {.gamma = has_gamma(surface) ? (const D3DGAMMARAMP *)surface->gamma : NULL};
    struct rt_hud_counts counts;
    unsigned first, end;
    bool in_window;

    rt_flush(link);
    if (!update(show, surface, rect, &first, &end))
        return;
    if (!rect && first == end)
        return;
    if (!rect)
        SetRect(&changed, 0, (int)first, (int)surface->desc.dwWidth, (int)end);
    else if (!IntersectRect(&changed, &changed, rect))
        return;
    in_window = !screen && part_in_window(surface, window, &part) && IntersectRect(&common, &part, &changed);
    look_at_capture_key(show, link);
    if (ends_frame) /* captures hold nothing of the screen that is not the program's */
        end_frame(surface, screen ? NULL : (in_window ? &part : &changed));
    frame.number = rt_adapter_next_frame(rt_link_adapter(link));
    frame.counts = figures(show, link, frame.number, &counts) ? &counts : NULL;
    if (screen)
        show_on_screen(show, screen, &changed, &frame);
    else if (in_window)
        show_in_window(show, window, &part, &changed, &frame);
    else if (!surface->clipper)
        show_anywhere(show, &changed);
}
