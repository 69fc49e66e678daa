/* SPDX-License-Identifier: MIT */
/* Limits the number of frames a second (HALCYON_FRAME_LIMIT). */
#include "runtime/common/window/pace.h"

#include <windows.h>

#include "base/base.h"

/* Sleep may take this much longer than asked. */
#define SLEEP_SLACK 0.0015

unsigned rt_pace_limit(unsigned wanted)
{
    int limit = config_int("frame_limit");

    if (limit < 0)
        return 0;
    return limit ? (unsigned)limit : wanted;
}

void rt_pace_wait(struct rt_pacer *pacer, unsigned limit)
{
    double now, period;

    if (!limit)
        return;
    period = 1.0 / limit;
    now = clock_seconds();
    if (pacer->next == 0 || now > pacer->next + period || pacer->next > now + 2 * period) {
        pacer->next = now + period;
        return;
    }
    while ((now = clock_seconds()) < pacer->next)
        if (pacer->next - now > SLEEP_SLACK)
            Sleep((DWORD)((pacer->next - now - SLEEP_SLACK) * 1000) + 1);
        else
            SwitchToThread();
    pacer->next += period;
}
