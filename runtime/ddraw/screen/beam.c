/* SPDX-License-Identifier: MIT */
/* The position of the beam from the time. */
#include "runtime/ddraw/screen/beam.h"

#include <stdint.h>

/* A twentieth of all lines is the vertical blank, as in the timings of monitors. */
#define BLANK_OF_LINES 20

struct dd_beam dd_beam(const struct ddraw_mode *mode)
{
    const unsigned lines = mode->height + mode->height / BLANK_OF_LINES + 1;
    LARGE_INTEGER now, frequency;
    uint64_t period, phase;
    struct dd_beam beam;

    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    period = (uint64_t)frequency.QuadPart / mode->refresh + 1;
    phase = (uint64_t)now.QuadPart % period;
    beam.line = (unsigned)(phase * lines / period);
    beam.is_blank = beam.line >= mode->height;
    beam.to_end = 1 + (unsigned)((period - phase) * 1000 / (uint64_t)frequency.QuadPart);
    beam.to_begin = beam.to_end;
    if (!beam.is_blank)
        beam.to_begin = 1 + (unsigned)((period * mode->height / lines - phase) * 1000 / (uint64_t)frequency.QuadPart);
    return beam;
}
