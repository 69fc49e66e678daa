/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/show.h"

#include "base/base.h"
#include "client/palette.h"
#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/object/palette.h"
#include "runtime/ddraw/screen/exclusive.h"
#include "runtime/ddraw/surface/access.h"
#include "runtime/ddraw/surface/overlay.h"

void dd_show_init(struct dd_show *show)
{
    rt_presenter_init(&show->presenter);
}

void dd_show_free(struct dd_show *show)
{
    rt_presenter_free(&show->presenter);
    ddraw_shown_free(&show->shown);
    dd_composition_free(&show->composition);
    dd_readback_free(&show->readback);
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
    const struct rt_picture all = frame->picture;
    POINT corner = {0, 0};
    RECT place = *part;

    if (!IntersectRect(&dirty.rect, part, rect) || !ClientToScreen(window, &corner))
        return;
    OffsetRect(&dirty.rect, -part->left, -part->top);
    OffsetRect(&place, -corner.x, -corner.y);
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
static void show_anywhere(const struct rt_picture *picture, const RECT *rect)
{
    HDC dc = GetDC(NULL);

    if (!dc)
        return;
    rt_show_rect(dc, picture, rect, rect);
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

/* Where things go: into the window that covers the screen, or the part of the surface that is in another one, or anywhere. */
struct target {
    HWND screen, window;
    bool in_window;
    RECT part;
};

static struct target target_of(const struct surface *surface, const RECT *changed)
{
    struct target target = {.screen = exclusive_window(), .window = window_of(surface)};
    RECT common;

    target.in_window = !target.screen && part_in_window(surface, target.window, &target.part) &&
                       IntersectRect(&common, &target.part, changed);
    return target;
}

static void show_in(struct dd_show *show, const struct surface *surface, const struct target *target,
                    const RECT *changed, struct rt_presentation *frame)
{
    if (target->screen)
        show_on_screen(show, target->screen, changed, frame);
    else if (target->in_window)
        show_in_window(show, target->window, &target->part, changed, frame);
    else if (!surface->clipper)
        show_anywhere(&frame->picture, changed);
}

/* The picture of the surface with its overlays where rows have changed; false: it has none, and is shown itself. */
static bool compose(struct dd_show *show, const struct surface *surface, const RECT *changed, unsigned first,
                    unsigned end)
{
    RECT rows = {0, (LONG)first, (LONG)surface->desc.dwWidth, (LONG)end};

    if (!dd_has_overlays(surface)) {
        show->composition.is_valid = false;
        return false;
    }
    UnionRect(&rows, &rows, changed);
    return dd_compose(&show->composition, &show->shown, surface, &rows);
}

/* Nothing is known of windows that show figures or other colours, and of surfaces of formats that take none of GDI. */
static bool can_read(const struct dd_show *show, const struct surface *surface, const struct target *target)
{
    return target->in_window && !has_gamma(surface) && !show->presenter.hud_items &&
           ddraw_readback_supports(surface_format(surface));
}

/* Where overlays lie in a window, or have lain, the surface gets what GDI has drawn there; all of the window if it has moved, which *changed
 * then contains. */
static void take_readback(struct dd_show *show, struct surface *surface, const struct target *target, RECT *changed)
{
    struct rt_picture displayed;
    unsigned first, end;
    POINT moved;
    RECT rect;

    if (!can_read(show, surface, target) || !(dd_has_overlays(surface) || show->composition.is_valid)) {
        dd_readback_forget(&show->readback);
        return;
    }
    moved = dd_readback_moved(&show->readback, target->window);
    if (moved.x || moved.y)
        UnionRect(changed, changed, &target->part);
    IntersectRect(&rect, &target->part, changed);
    if (show->composition.is_valid && dd_composition_map(&show->composition, &displayed)) {
        dd_readback_take(&show->readback, surface, &show->shown, &displayed, &rect, moved);
        dd_composition_unmap(&show->composition);
        return;
    }
    displayed = ddraw_shown_picture(&show->shown);
    if (!displayed.bits && update(show, surface, NULL, &first, &end)) /* nothing has been shown yet */
        displayed = ddraw_shown_picture(&show->shown);
    if (displayed.bits)
        dd_readback_take(&show->readback, surface, &show->shown, &displayed, &rect, moved);
}

bool dd_show_readback_differs(struct dd_show *show, const struct surface *surface, const RECT *rect)
{
    const struct target target = target_of(surface, rect);
    struct rt_picture displayed;
    bool differs;
    RECT part;

    if (!can_read(show, surface, &target) || !IntersectRect(&part, rect, &target.part))
        return false;
    if (!show->composition.is_valid || !dd_composition_map(&show->composition, &displayed))
        return true; /* not known */
    differs = dd_readback_differs(&show->readback, &displayed, target.window, &part);
    dd_composition_unmap(&show->composition);
    return differs;
}

void dd_show(struct dd_show *show, struct surface *surface, const RECT *rect, bool ends_frame)
{
    struct rt_link *link = surface->ddraw->link;
    RECT changed = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};
    struct rt_presentation frame = {.gamma = has_gamma(surface) ? (const D3DGAMMARAMP *)surface->gamma : NULL};
    struct rt_picture displayed;
    struct rt_hud_counts counts;
    struct target target;
    unsigned first, end;
    bool is_composed;
    RECT part;

    rt_flush(link);
    if (rect && !IntersectRect(&changed, &changed, rect))
        return;
    target = target_of(surface, &changed);
    if (rect)
        take_readback(show, surface, &target, &changed);
    if (!update(show, surface, rect ? &changed : NULL, &first, &end) || (!rect && first == end))
        return;
    if (!rect) {
        SetRect(&changed, 0, (int)first, (int)surface->desc.dwWidth, (int)end);
        target = target_of(surface, &changed);
    }
    is_composed = compose(show, surface, &changed, first, end);
    look_at_capture_key(show, link);
    /* captures hold nothing of the screen that is not the program's */
    if (is_composed)
        client_show(dd_composition_surface(&show->composition),
                    target.screen ? NULL : (target.in_window ? &target.part : &changed));
    else if (ends_frame)
        end_frame(surface, target.screen ? NULL : (target.in_window ? &target.part : &changed));
    frame.number = rt_adapter_next_frame(rt_link_adapter(link));
    frame.counts = figures(show, link, frame.number, &counts) ? &counts : NULL;
    if (!is_composed || !dd_composition_map(&show->composition, &frame.picture)) {
        frame.picture = ddraw_shown_picture(&show->shown);
        is_composed = false;
    }
    displayed = frame.picture;
    show_in(show, surface, &target, &changed, &frame);
    if (can_read(show, surface, &target) && IntersectRect(&part, &target.part, &changed))
        dd_readback_shown(&show->readback, &displayed, &part);
    if (is_composed)
        dd_composition_unmap(&show->composition);
}
