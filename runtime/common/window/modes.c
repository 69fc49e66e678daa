/* SPDX-License-Identifier: MIT */
/* The display modes that a program enumerates, kept between calls. */
#include "runtime/common/window/modes.h"

void rt_modes_init(struct rt_modes *modes)
{
    modes->list = (struct rt_mode_list){0};
    InitializeCriticalSection(&modes->lock);
}

void rt_modes_free(struct rt_modes *modes)
{
    rt_mode_list_free(&modes->list);
    DeleteCriticalSection(&modes->lock);
}

unsigned rt_modes_count(struct rt_modes *modes, unsigned adapter, uint32_t format)
{
    unsigned count = 0;

    EnterCriticalSection(&modes->lock);
    rt_mode_list_read(&modes->list, adapter);
    for (unsigned i = 0; i < modes->list.count; i++)
        count += !format || (uint32_t)modes->list.modes[i].Format == format;
    LeaveCriticalSection(&modes->lock);
    return count;
}

bool rt_modes_find(struct rt_modes *modes, unsigned adapter, uint32_t format, unsigned index, D3DDISPLAYMODE *mode)
{
    bool found = false;

    EnterCriticalSection(&modes->lock);
    if (!index || modes->list.adapter != adapter || !modes->list.count)
        rt_mode_list_read(&modes->list, adapter);
    for (unsigned i = 0, seen = 0; i < modes->list.count && !found; i++) {
        if (format && (uint32_t)modes->list.modes[i].Format != format)
            continue;
        found = seen++ == index;
        if (found)
            *mode = modes->list.modes[i];
    }
    LeaveCriticalSection(&modes->lock);
    return found;
}
