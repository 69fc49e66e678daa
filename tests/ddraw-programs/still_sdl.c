/* SPDX-License-Identifier: MIT */
/* Stills of programs of SDL 1.2 (still.h). A frame is a call that shows something. A program that shows nothing more
 * and only waits for events is still as well. */
#include <string.h>
#include "still.h"
#include "SDL.h"

/* Polls without an event, and without a frame between them, after which a program is waiting for something. */
#define IDLE_POLLS 200

static unsigned frames, polls;
static Uint32 milliseconds;
static bool ending, key;
static bool told;   /* SDL_QUIT was the last event: programs poll until there is none */
static bool inside; /* an overlay that SDL draws by itself is shown with other functions of these, and is one frame */

static void serve(void)
{
    SDL_PumpEvents();
}

static void stop(void)
{
    enum still_answer answer = still(serve);

    frames = polls = 0;
    ending = answer == STILL_END;
    key = answer == STILL_KEY;
}

static void shown(void)
{
    if (inside)
        return;
    polls = 0;
    if (!ending && ++frames >= still_frames())
        stop();
}

int __real_SDL_Flip(SDL_Surface *screen);
int __wrap_SDL_Flip(SDL_Surface *screen)
{
    int result = __real_SDL_Flip(screen);
    shown();
    return result;
}

void __real_SDL_UpdateRects(SDL_Surface *screen, int count, SDL_Rect *rects);
void __wrap_SDL_UpdateRects(SDL_Surface *screen, int count, SDL_Rect *rects)
{
    __real_SDL_UpdateRects(screen, count, rects);
    shown();
}

void __real_SDL_UpdateRect(SDL_Surface *screen, Sint32 x, Sint32 y, Uint32 w, Uint32 h);
void __wrap_SDL_UpdateRect(SDL_Surface *screen, Sint32 x, Sint32 y, Uint32 w, Uint32 h)
{
    __real_SDL_UpdateRect(screen, x, y, w, h);
    shown();
}

int __real_SDL_DisplayYUVOverlay(SDL_Overlay *overlay, SDL_Rect *where);
int __wrap_SDL_DisplayYUVOverlay(SDL_Overlay *overlay, SDL_Rect *where)
{
    int result;

    inside = true;
    result = __real_SDL_DisplayYUVOverlay(overlay, where);
    inside = false;
    shown();
    return result;
}

/* Events of the mouse and the window system differ from run to run; what the programs of the tests do with these does
 * not depend on the picture, except that they draw the same thing once more. */
int __real_SDL_PollEvent(SDL_Event *event);
int __wrap_SDL_PollEvent(SDL_Event *event)
{
    if (!ending && ++polls >= IDLE_POLLS)
        stop();
    told = ending && !told;
    if (event && (told || key)) {
        memset(event, 0, sizeof *event);
        event->type = told ? SDL_QUIT : SDL_KEYDOWN;
        event->key.keysym.sym = told ? SDLK_UNKNOWN : SDLK_SPACE;
        key = false;
        return 1;
    }
    return __real_SDL_PollEvent(event);
}

int __wrap_SDL_WaitEvent(SDL_Event *event)
{
    while (!__wrap_SDL_PollEvent(event))
        Sleep(1);
    return 1;
}

/* Time passes by asking for it. */
Uint32 __wrap_SDL_GetTicks(void)
{
    return ++milliseconds;
}

void __wrap_SDL_Delay(Uint32 wanted)
{
    milliseconds += wanted;
}

/* Programs take their seed from the clock. */
void __real_srand(unsigned seed);
void __wrap_srand(unsigned seed)
{
    (void)seed;
    __real_srand(1);
}
