/* SPDX-License-Identifier: MIT */
/* Stills of programs of Allegro 4.4 (still.h). A frame is a look at the keyboard or the mouse, which each of the
 * examples takes once in a frame. A program that waits for a key is still at once. Timers count frames. */
#include <allegro.h>
#include <winalleg.h>
#include "still.h"

#define TIMERS 8
/* Rests without a frame between them, after which a program looks at the keyboard by itself. */
#define IDLE_RESTS 50

static unsigned frames, keys, rests;
static bool ending;
static bool told; /* the last key was the one that ends the program: some read keys until there is none */
static void (*timers[TIMERS])(void);

static void stop(void)
{
    enum still_answer answer = still(NULL);

    frames = rests = 0;
    ending = answer == STILL_END;
    keys = answer == STILL_KEY;
}

static void tick(void)
{
    retrace_count++;
    for (int i = 0; i < TIMERS; i++)
        if (timers[i])
            timers[i]();
}

static void frame(void)
{
    tick();
    rests = 0;
    if (!ending && !keys && ++frames >= still_frames())
        stop();
    if (ending)
        key[KEY_ESC] = -1;
}

int __wrap_keypressed(void)
{
    frame();
    if (told) {
        told = false;
        return keys;
    }
    return ending || keys;
}

int __wrap_readkey(void)
{
    if (!ending && !keys)
        stop();
    told = ending;
    if (ending)
        return KEY_ESC << 8 | 27;
    keys = 0;
    return KEY_SPACE << 8 | ' ';
}

int __wrap_ureadkey(int *scancode)
{
    int result = __wrap_readkey();
    if (scancode)
        *scancode = result >> 8;
    return result & 255;
}

void __wrap_clear_keybuf(void)
{
    keys = 0;
}

int __wrap_poll_keyboard(void)
{
    frame();
    return 0;
}

/* The pointer of the test's display does not move. */
int __wrap_poll_mouse(void)
{
    frame();
    return 0;
}

int __wrap_install_timer(void)
{
    return 0;
}

int __wrap_install_int(void (*function)(void), long speed)
{
    (void)speed;
    for (int i = 0; i < TIMERS; i++)
        if (!timers[i]) {
            timers[i] = function;
            return 0;
        }
    return -1;
}

int __wrap_install_int_ex(void (*function)(void), long speed)
{
    return __wrap_install_int(function, speed);
}

void __wrap_rest(unsigned milliseconds)
{
    (void)milliseconds;
    tick();
    if (!ending && ++rests >= IDLE_RESTS)
        stop();
    if (ending)
        key[KEY_ESC] = -1;
}

/* Programs take their seed from the clock. */
void __real_srand(unsigned seed);
void __wrap_srand(unsigned seed)
{
    (void)seed;
    __real_srand(1);
}
