/* SPDX-License-Identifier: MIT */
/*
 * When the visible memory is shown. A write is shown at once if the last presentation is a refresh of the screen ago; otherwise a thread
 * shows it, and what is written until then, at the next refresh: programs that draw hundreds of sprites to the primary surface do not
 * present hundreds of pictures. The thread also looks at memory that a program has locked, and shows the rows that have changed.
 */
#include "runtime/ddraw/screen/front.h"

#include <stdlib.h>

#include "base/base.h"
#include "runtime/ddraw/object/palette.h"
#include "runtime/ddraw/screen/desktop.h"
#include "runtime/ddraw/screen/show.h"
#include "runtime/ddraw/surface/access.h"
#include "runtime/ddraw/surface/overlay.h"

struct dd_front {
    unsigned number; /* no other front of the process has it: memory is reused */
    struct dd_show show;
    struct rt_pacer pacer;     /* of flips */
    RECT dirty;                /* written and not shown; empty: nothing */
    bool is_unsure;            /* more may have been written, which a comparison finds */
    double period;             /* seconds of a refresh */
    double shown;              /* clock_seconds of the last presentation; 0: none yet */
    double looked;             /* clock_seconds of the last look at the window below overlays */
    const uint8_t *gdi_memory; /* the first front buffer, on which GDI draws; NULL: not known */
};

/* --- time --------------------------------------------------------------------------------- */

/* All modes have the rate of the desktop. */
static double refresh_period(void)
{
    struct ddraw_mode mode;

    dd_desktop_mode(&mode);
    return 1.0 / (mode.refresh ? mode.refresh : 60);
}

static bool is_locked(const struct surface *surface)
{
    return surface->locks.count || surface->locks.has_dc;
}

/* Overlays that the program has in its hands may be others each time. */
static void add_locked_overlays(struct surface *surface, RECT *dirty)
{
    for (struct surface *s = NULL; (s = overlay_next(surface, s));)
        if (is_locked(s))
            UnionRect(dirty, dirty, &s->overlay.destination);
}

/* Has the program the surface or one of its overlays in its hands? */
static bool is_any_locked(struct surface *surface)
{
    RECT dirty = {0, 0, 0, 0};

    add_locked_overlays(surface, &dirty);
    return is_locked(surface) || !IsRectEmpty(&dirty);
}

/* Shows all that is waiting. */
static void show_waiting(struct surface *surface, bool ends_frame)
{
    struct dd_front *front = surface->ddraw->front;
    RECT dirty = front->dirty;
    const bool compares = front->is_unsure || is_locked(surface);

    add_locked_overlays(surface, &dirty);
    SetRectEmpty(&front->dirty);
    front->is_unsure = false;
    front->shown = clock_seconds();
    if (!dd_show_is_visible(surface))
        return;
    if (!IsRectEmpty(&dirty))
        dd_show(&front->show, surface, &dirty, ends_frame);
    if (compares)
        dd_show(&front->show, surface, NULL, ends_frame);
}

static bool is_waiting(const struct dd_front *front)
{
    return front->is_unsure || !IsRectEmpty(&front->dirty);
}

/* --- the thread ------------------------------------------------------------------------- */

static HANDLE wake; /* something has begun to wait for the thread; NULL: no thread yet */

/* Seconds between looks at a window for what GDI has drawn below overlays that do not change, as in a film that is paused. */
#define LOOK_PERIOD 0.1

/* When the surface has to be shown, or its window to be looked at, by clock_seconds; negative: it does not wait. */
static double due_of(const struct ddraw *ddraw)
{
    const struct dd_front *front = ddraw->front;

    if (!front)
        return -1;
    if (is_waiting(front) || is_any_locked(ddraw->primary))
        return front->shown + front->period;
    return dd_has_overlays(ddraw->primary) && !ddraw->level.is_exclusive
               ? BASE_MAX(front->shown, front->looked) + LOOK_PERIOD
               : -1;
}

static RECT overlay_area(const struct surface *surface)
{
    RECT area = {0, 0, 0, 0};

    for (const struct surface *s = NULL; (s = overlay_next(surface, s));)
        UnionRect(&area, &area, &s->overlay.destination);
    return area;
}

/* True: GDI has drawn there, which the next presentation enters in the surface. */
static bool look_at_window(struct surface *surface, const RECT *rect)
{
    struct dd_front *front = surface->ddraw->front;

    if (!dd_show_is_visible(surface) || !dd_show_readback_differs(&front->show, surface, rect))
        return false;
    UnionRect(&front->dirty, &front->dirty, rect);
    return true;
}

static void serve_front(struct ddraw *ddraw, double now)
{
    struct dd_front *front = ddraw->front;

    if (!is_waiting(front) && !is_any_locked(ddraw->primary)) {
        const RECT area = overlay_area(ddraw->primary);

        front->looked = now;
        if (!look_at_window(ddraw->primary, &area))
            return;
    }
    show_waiting(ddraw->primary, true);
}

/* Shows what is due. Seconds until the next surface is; negative: none waits. */
static double serve(void)
{
    const double now = clock_seconds();
    double next = -1;

    for (struct ddraw *d = ddraw_next(NULL); d; d = ddraw_next(d)) {
        double due = due_of(d);

        if (due < 0)
            continue;
        if (now >= due) {
            serve_front(d, now);
            due = due_of(d);
        }
        if (due >= 0)
            next = next < 0 ? due - now : BASE_MIN(next, due - now);
    }
    return next;
}

static DWORD WINAPI present_thread(void *parameter)
{
    DWORD timeout = INFINITE;

    (void)parameter;
    for (;;) {
        double next;

        /* Wine keeps what is drawn into a window until a thread of the process waits for messages. */
        MsgWaitForMultipleObjects(1, &wake, FALSE, timeout, 0);
        dd_lock();
        next = serve();
        dd_leave();
        timeout = next < 0 ? INFINITE : (DWORD)(next * 1000) + 1;
    }
    return 0;
}

/* The dll stays loaded with its thread. */
static bool start_thread(void)
{
    HMODULE module;
    HANDLE thread;

    if (wake)
        return true;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN, (LPCWSTR)present_thread,
                       &module);
    wake = CreateEventW(NULL, FALSE, FALSE, NULL);
    thread = wake ? CreateThread(NULL, 0, present_thread, NULL, 0, NULL) : NULL;
    if (!thread) {
        if (wake)
            CloseHandle(wake);
        wake = NULL;
        return false;
    }
    SetThreadPriority(thread, THREAD_PRIORITY_ABOVE_NORMAL);
    CloseHandle(thread);
    return true;
}

/* False: there is no thread, so that the caller shows it. */
static bool leave_to_thread(void)
{
    if (!start_thread())
        return false;
    SetEvent(wake);
    return true;
}

/* --- what programs do ------------------------------------------------------------------------ */

void dd_front_begin(struct surface *surface)
{
    static unsigned fronts;
    struct dd_front *front = mem_calloc(1, sizeof(*front));
    struct rt_mapping mapping;

    surface->ddraw->front = front;
    if (!front)
        return;
    front->number = ++fronts;
    front->period = refresh_period();
    dd_show_init(&front->show);
    if (SUCCEEDED(surface_map(surface, D3DLOCK_READONLY, &mapping))) {
        front->gdi_memory = mapping.bits;
        surface_unmap(surface);
    }
}

void dd_front_end(struct surface *surface)
{
    struct dd_front *front = surface->ddraw->front;

    if (!front)
        return;
    if (is_waiting(front) && surface->root->chain)
        show_waiting(surface, true);
    surface->ddraw->front = NULL;
    dd_show_free(&front->show);
    free(front);
}

static bool is_seen(const struct surface *surface)
{
    return dd_is_front(surface) && surface->ddraw->primary == surface && surface->ddraw->front;
}

/* The visible surface of which the picture changes with this one: itself, or that on which it lies as an overlay. NULL: none. */
static struct surface *front_of(struct surface *surface)
{
    if (surface->overlay.is_shown)
        surface = surface->overlaid;
    return surface && is_seen(surface) ? surface : NULL;
}

static void changed(struct surface *surface, const RECT *rect)
{
    const RECT all = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};
    struct dd_front *front = surface->ddraw->front;

    if (rect || surface->ddraw->level.is_exclusive)
        UnionRect(&front->dirty, &front->dirty, rect ? rect : &all);
    else /* most of it is what other programs show */
        front->is_unsure = true;
    if (clock_seconds() < front->shown + front->period && leave_to_thread())
        return;
    show_waiting(surface, true);
    leave_to_thread(); /* its wait brings the picture to the screen if this thread waits for no messages */
}

void dd_front_changed(struct surface *surface, const RECT *rect)
{
    struct surface *front = front_of(surface);

    if (front)
        changed(front, front == surface ? rect : &surface->overlay.destination);
}

void dd_front_used(struct surface *surface, const RECT *rect)
{
    const RECT all = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};

    if (is_seen(surface) && dd_has_overlays(surface) && look_at_window(surface, rect ? rect : &all))
        show_waiting(surface, true);
}

void dd_front_palette_changed(struct surface *surface)
{
    dd_front_changed(surface, NULL);
}

void dd_front_locked(struct surface *surface)
{
    if (front_of(surface))
        leave_to_thread();
}

/* Waits for the refresh without the lock. The program may release the surface meanwhile. */
static void wait_for_refresh(const struct ddraw *ddraw, unsigned interval)
{
    struct dd_front *front = ddraw->front;
    struct rt_pacer pacer = front->pacer;
    const unsigned number = front->number;
    const unsigned limit = rt_pace_limit(interval ? (unsigned)(1 / (front->period * interval) + 0.5) : 0);
    unsigned depth;

    depth = dd_pause();
    rt_pace_wait(&pacer, limit);
    dd_resume(depth);
    if (ddraw->front == front && front->number == number)
        front->pacer = pacer;
}

/* Calls that do not wait are rare, and their programs expect DDERR_WASSTILLDRAWING until the flip before is on the screen; they wait as
 * the others, so that none runs faster than the screen. */
void dd_front_flipped(struct surface *surface, unsigned interval, bool waits)
{
    const RECT all = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};

    (void)waits;
    if (!front_of(surface))
        return;
    surface->object.refs++;
    wait_for_refresh(surface->ddraw, interval);
    if (dd_find(&surface->object.faces[0], &surface_class) != &surface->object)
        return; /* it has ended with its DirectDraw object */
    if (is_seen(surface)) {
        surface->ddraw->front->dirty = all;
        show_waiting(surface, false);
        leave_to_thread(); /* as in changed() */
    } else {
        dd_front_changed(surface, NULL); /* an overlay */
    }
    if (!--surface->object.refs && !surface->object.owned)
        dd_object_destroy(&surface->object);
}

void dd_front_show_pending(void)
{
    for (struct ddraw *d = ddraw_next(NULL); d; d = ddraw_next(d))
        if (d->front && is_waiting(d->front))
            show_waiting(d->primary, true);
}

/* --- the surface on which GDI draws --------------------------------------------------------- */

/* Memory moves with flips: the surface of the chain that has the first front buffer's now. */
static struct surface *gdi_surface(struct ddraw *ddraw)
{
    struct surface *s = ddraw->primary;

    do {
        struct rt_mapping mapping = {.bits = NULL};

        if (SUCCEEDED(surface_map(s, D3DLOCK_READONLY, &mapping)))
            surface_unmap(s);
        if (ddraw->front && mapping.bits == ddraw->front->gdi_memory)
            return s;
        s = s->attached;
    } while (s && s != ddraw->primary);
    return ddraw->primary;
}

HRESULT ddraw_GetGDISurface(struct dd_call *call, void *surface)
{
    struct dd_interface **out = surface;

    if (!out)
        return DDERR_INVALIDPARAMS;
    *out = NULL;
    if (!ddraw_of(call)->primary)
        return DDERR_NOTFOUND;
    *out = dd_face(&gdi_surface(ddraw_of(call))->object, surface_version(call->version));
    dd_addref(*out);
    return DD_OK;
}

/* Dialogs that GDI draws afterwards stay until the next flip. */
HRESULT ddraw_FlipToGDISurface(struct dd_call *call)
{
    struct surface *primary = ddraw_of(call)->primary, *gdi;
    HRESULT hr;

    if (!primary)
        return DDERR_NOTFOUND;
    if (!(primary->desc.ddsCaps.dwCaps & DDSCAPS_FLIP))
        return DDERR_NOTFLIPPABLE;
    if (primary->is_lost)
        return DDERR_SURFACELOST;
    gdi = gdi_surface(ddraw_of(call));
    if (gdi == primary)
        return DD_OK;
    if (is_locked(primary) || is_locked(gdi))
        return DDERR_SURFACEBUSY;
    hr = rt_chain_exchange(primary->chain, primary->part, primary->chain, gdi->part);
    if (SUCCEEDED(hr))
        dd_front_flipped(primary, 0, true);
    return hr;
}
