/* SPDX-License-Identifier: MIT */
/* Flips (test_flip). */
#include "runtime/ddraw/rules/flip.h"

#include "base/base.h"

void ddraw_flips_init(struct ddraw_flips *flips, unsigned count)
{
    flips->count = BASE_MIN(count, ARRAY_COUNT(flips->memory));
    for (unsigned i = 0; i < flips->count; i++)
        flips->memory[i] = (uint8_t)i;
}

HRESULT ddraw_check_flip(const struct ddraw_flips *flips, const struct ddraw_flip_facts *facts)
{
    if (flips->count < 2 || facts->surface)
        return DDERR_NOTFLIPPABLE;
    if (facts->is_lost) /* first (test_lost_device) */
        return DDERR_SURFACELOST;
    if (facts->is_primary && !facts->is_exclusive)
        return DDERR_NOEXCLUSIVEMODE;
    if (facts->has_target && (facts->target <= 0 || (unsigned)facts->target >= flips->count))
        return DDERR_NOTFLIPPABLE;
    return facts->is_locked ? DDERR_SURFACEBUSY : DD_OK;
}

void ddraw_flip(struct ddraw_flips *flips, unsigned target)
{
    const uint8_t front = flips->memory[0];

    if (target >= flips->count)
        return;
    if (target) {
        flips->memory[0] = flips->memory[target];
        flips->memory[target] = front;
        return;
    }
    for (unsigned i = 0; i + 1 < flips->count; i++)
        flips->memory[i] = flips->memory[i + 1];
    flips->memory[flips->count - 1] = front;
}

unsigned ddraw_flip_interval(DWORD flags)
{
    const unsigned interval = flags >> 24 & 15;

    if (flags & DDFLIP_NOVSYNC)
        return 0;
    return interval >= 2 && interval <= 4 ? interval : 1;
}

bool ddraw_flip_waits(unsigned version, DWORD flags)
{
    return flags & DDFLIP_WAIT || (version == 7 && !(flags & DDFLIP_DONOTWAIT));
}
