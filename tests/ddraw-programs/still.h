/* SPDX-License-Identifier: MIT */
/* Stops a program at frames that are the same in each run, so that pictures of them can be compared.
 *
 * A program of SDL or Allegro is linked with still_sdl.c or still_allegro.c, whose functions take the place of some of
 * the library's (ld --wrap). They count frames, give the program a time that counts calls instead of milliseconds, and
 * seeds that do not depend on the clock. At a still the program writes a line "@still" to its standard output, draws
 * nothing more, and reads a letter from its standard input: the picture on the screen stays until that arrives. */
#ifndef STILL_H
#define STILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

enum still_answer {
    STILL_GO_ON = 'n', /* continue without a key */
    STILL_KEY = 'k',   /* press the space bar, then run to the next still */
    STILL_END = 'q',   /* end the program by its own means: the standard input has ended, or this letter was read */
};

/* The number of frames between two stills: the environment variable STILL_FRAMES, 10 without it. */
static inline unsigned still_frames(void)
{
    const char *told = getenv("STILL_FRAMES");
    int frames = told ? atoi(told) : 10;
    return frames > 0 ? (unsigned)frames : 10;
}

/* Reads a letter: STILL_END at the end of the standard input. */
static DWORD WINAPI still_read(void *letter)
{
    DWORD count = 0;

    if (!ReadFile(GetStdHandle(STD_INPUT_HANDLE), letter, 1, &count, NULL) || count != 1)
        *(char *)letter = STILL_END;
    return 0;
}

/* A still. Calls serve, if there is one, about a hundred times a second until the answer arrives: for the messages of
 * a window of this thread. */
static inline enum still_answer still(void (*serve)(void))
{
    static char letter;
    HANDLE reader;

    printf("@still\n");
    fflush(stdout);
    reader = CreateThread(NULL, 0, still_read, &letter, 0, NULL);
    if (!reader)
        return STILL_END;
    while (WaitForSingleObject(reader, 10) == WAIT_TIMEOUT)
        if (serve)
            serve();
    CloseHandle(reader);
    return letter == STILL_GO_ON || letter == STILL_KEY ? (enum still_answer)letter : STILL_END;
}

#endif
