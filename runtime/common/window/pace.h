/* SPDX-License-Identifier: MIT */
/* When the next frame may be shown: HALCYON_FRAME_LIMIT, or the refresh rate the program asked to wait for. */
#ifndef HALCYON_RUNTIME_PACE_H
#define HALCYON_RUNTIME_PACE_H

struct rt_pacer {
    double next; /* clock_seconds at which the next frame is due; 0: no frame yet */
};

/* Frames a second for a program that asked for `wanted` (0: no waiting); 0: no limit. */
unsigned rt_pace_limit(unsigned wanted);
/* Waits until the frame is due. A frame that is late by more than one period restarts the schedule. */
void rt_pace_wait(struct rt_pacer *pacer, unsigned limit);

#endif
