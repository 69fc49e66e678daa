/* SPDX-License-Identifier: MIT */
/*
 * SDL 2 behind pointers: linked, it would bring dozens of libraries into every start of dp2, of which one verb needs a window.
 */
#include "tools/play/window.h"

#include "base/base.h"

#include <stdio.h>

#if __has_include(<SDL2/SDL.h>) && !defined(HALCYON_NO_WINDOW)

#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libSDL2-2.0.so.0"

/* X(name without SDL_) */
#define SDL_FUNCTIONS(X)              \
    X(Init)                           \
    X(Quit)                           \
    X(GetError)                       \
    X(GetCurrentVideoDriver)          \
    X(CreateWindow)                   \
    X(DestroyWindow)                  \
    X(GetWindowSize)                  \
    X(SetWindowSize)                  \
    X(GetWindowSurface)               \
    X(UpdateWindowSurface)            \
    X(CreateRGBSurfaceWithFormatFrom) \
    X(FreeSurface)                    \
    X(UpperBlit)                      \
    X(WaitEventTimeout)               \
    X(GetKeyName)

struct play_window {
    void *library;
    SDL_Window *window;
#define SDL_POINTER(name) __typeof__(SDL_##name) *name;
    SDL_FUNCTIONS(SDL_POINTER)
};

static bool load_functions(struct play_window *w, char *why, size_t why_size)
{
    w->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!w->library) {
        snprintf(why, why_size, "SDL 2 is needed and cannot be loaded (Debian: libsdl2-2.0-0): %s", dlerror());
        return false;
    }
#define SDL_LOAD(name)                                         \
    *(void **)&w->name = dlsym(w->library, "SDL_" #name);      \
    if (!w->name) {                                            \
        snprintf(why, why_size, LIBRARY " has no SDL_" #name); \
        return false;                                          \
    }
    SDL_FUNCTIONS(SDL_LOAD)
    return true;
}

/* Without a display SDL falls back to drivers that show nothing, and the window would be invisible. A driver that
 * the environment names is intended. */
static bool is_seen(const char *driver)
{
    static const char *const unseen[] = {"dummy", "evdev", "offscreen"};
    const char *asked = getenv("SDL_VIDEODRIVER");

    for (unsigned i = 0; i < ARRAY_COUNT(unseen); i++)
        if (driver && !strcmp(driver, unseen[i]))
            return asked && strstr(asked, driver);
    return true;
}

struct play_window *play_window_open(const char *title, unsigned width, unsigned height, char *why, size_t why_size)
{
    struct play_window *w = mem_calloc(1, sizeof(*w));

    if (!w) {
        snprintf(why, why_size, "out of memory");
        return NULL;
    }
    if (!load_functions(w, why, why_size)) {
        play_window_close(w);
        return NULL;
    }
    const bool has_video = w->Init(SDL_INIT_VIDEO) == 0;

    if (has_video && !is_seen(w->GetCurrentVideoDriver())) {
        snprintf(why, why_size, "no display is available: neither DISPLAY nor WAYLAND_DISPLAY names one that works");
        play_window_close(w);
        return NULL;
    }
    if (has_video)
        w->window = w->CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, (int)width, (int)height,
                                    SDL_WINDOW_RESIZABLE);
    if (!w->window) {
        snprintf(why, why_size, "no window can be opened: %s", w->GetError());
        play_window_close(w);
        return NULL;
    }
    return w;
}

void play_window_close(struct play_window *w)
{
    if (!w)
        return;
    if (w->window)
        w->DestroyWindow(w->window);
    if (w->Quit)
        w->Quit();
    if (w->library)
        dlclose(w->library);
    free(w);
}

void play_window_size(const struct play_window *w, unsigned *width, unsigned *height)
{
    int x = 0, y = 0;

    w->GetWindowSize(w->window, &x, &y);
    *width = (unsigned)(x > 0 ? x : 0);
    *height = (unsigned)(y > 0 ? y : 0);
}

void play_window_resize(struct play_window *w, unsigned width, unsigned height)
{
    w->SetWindowSize(w->window, (int)width, (int)height);
}

static bool translate_window(const SDL_WindowEvent *from, struct play_event *event)
{
    switch (from->event) {
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        event->input = PLAY_INPUT_EXPOSE;
        return true;
    case SDL_WINDOWEVENT_LEAVE:
        event->input = PLAY_INPUT_LEAVE;
        return true;
    default:
        return false;
    }
}

/* False: the event is not used here. */
static bool translate(const struct play_window *w, const SDL_Event *from, struct play_event *event)
{
    *event = (struct play_event){.input = PLAY_INPUT_NONE};
    switch (from->type) {
    case SDL_QUIT:
        event->input = PLAY_INPUT_CLOSE;
        return true;
    case SDL_KEYDOWN:
        event->input = PLAY_INPUT_KEY;
        snprintf(event->key, sizeof(event->key), "%s%s", from->key.keysym.mod & KMOD_SHIFT ? "Shift+" : "",
                 w->GetKeyName(from->key.keysym.sym));
        return true;
    case SDL_MOUSEMOTION:
        event->input = PLAY_INPUT_MOVE;
        event->x = from->motion.x;
        event->y = from->motion.y;
        return true;
    case SDL_MOUSEBUTTONDOWN:
        event->input = from->button.button == SDL_BUTTON_LEFT ? PLAY_INPUT_CLICK : PLAY_INPUT_NONE;
        event->x = from->button.x;
        event->y = from->button.y;
        return true;
    case SDL_WINDOWEVENT:
        return translate_window(&from->window, event);
    default:
        return false;
    }
}

bool play_window_next(struct play_window *w, unsigned milliseconds, struct play_event *event)
{
    SDL_Event from;

    while (w->WaitEventTimeout(&from, (int)milliseconds))
        if (translate(w, &from, event))
            return true;
    return false;
}

void play_window_show(struct play_window *w, uint32_t *pixels, unsigned width, unsigned height)
{
    SDL_Surface *to = w->GetWindowSurface(w->window);
    SDL_Surface *from = to && width && height
                            ? w->CreateRGBSurfaceWithFormatFrom(pixels, (int)width, (int)height, 32, (int)width * 4,
                                                                SDL_PIXELFORMAT_RGB888)
                            : NULL;

    if (!from)
        return;
    w->UpperBlit(from, NULL, to, NULL);
    w->FreeSurface(from);
    w->UpdateWindowSurface(w->window);
}

#else

struct play_window *play_window_open(const char *title, unsigned width, unsigned height, char *why, size_t why_size)
{
    (void)title;
    (void)width;
    (void)height;
    snprintf(why, why_size, "this dp2 was built without SDL 2 (Debian: libsdl2-dev)");
    return NULL;
}

void play_window_close(struct play_window *w)
{
    (void)w;
}

void play_window_size(const struct play_window *w, unsigned *width, unsigned *height)
{
    (void)w;
    *width = *height = 0;
}

void play_window_resize(struct play_window *w, unsigned width, unsigned height)
{
    (void)w;
    (void)width;
    (void)height;
}

bool play_window_next(struct play_window *w, unsigned milliseconds, struct play_event *event)
{
    (void)w;
    (void)milliseconds;
    (void)event;
    return false;
}

void play_window_show(struct play_window *w, uint32_t *pixels, unsigned width, unsigned height)
{
    (void)w;
    (void)pixels;
    (void)width;
    (void)height;
}

#endif
