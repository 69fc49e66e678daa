/* SPDX-License-Identifier: MIT */
/* The classic list of modes. */
#include "runtime/ddraw/rules/modes.h"

#include "base/base.h"
#include "runtime/ddraw/rules/format.h"

static const SIZE sizes[] = {{320, 200}, {320, 240},  {400, 300},  {512, 384},  {640, 400},   {640, 480},
                             {800, 600}, {1024, 768}, {1152, 864}, {1280, 960}, {1280, 1024}, {1600, 1200}};
static const unsigned depths[] = {8, 16, 24, 32};

_Static_assert(DDRAW_MOST_MODES == (ARRAY_COUNT(sizes) + 1) * ARRAY_COUNT(depths), "room for all modes");

static bool is_depth(unsigned bits, bool with_24)
{
    return bits == 8 || bits == 16 || (bits == 24 && with_24) || bits == 32;
}

static bool comes_before(const struct ddraw_mode *mode, unsigned width, unsigned height)
{
    return mode->width < width || (mode->width == width && mode->height < height);
}

/* Enters the desktop's size among those of one depth, unless it is there; `first` of `count` modes are of this depth. */
static unsigned enter_desktop(const struct ddraw_mode *desktop, unsigned bits, struct ddraw_mode *modes, unsigned first,
                              unsigned count)
{
    unsigned at = first;

    if (!desktop->width || !desktop->height)
        return count;
    while (at < count && comes_before(&modes[at], desktop->width, desktop->height))
        at++;
    if (at < count && modes[at].width == desktop->width && modes[at].height == desktop->height)
        return count;
    for (unsigned i = count; i > at; i--)
        modes[i] = modes[i - 1];
    modes[at] = (struct ddraw_mode){desktop->width, desktop->height, bits, desktop->refresh};
    return count + 1;
}

unsigned ddraw_list_modes(const struct ddraw_mode *desktop, bool with_24, struct ddraw_mode modes[DDRAW_MOST_MODES])
{
    unsigned count = 0;

    for (unsigned d = 0; d < ARRAY_COUNT(depths); d++) {
        const unsigned first = count;

        if (!is_depth(depths[d], with_24))
            continue;
        for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
            modes[count++] =
                (struct ddraw_mode){(unsigned)sizes[i].cx, (unsigned)sizes[i].cy, depths[d], desktop->refresh};
        count = enter_desktop(desktop, depths[d], modes, first, count);
    }
    return count;
}

bool ddraw_mode_matches(const struct ddraw_mode *mode, const DDSURFACEDESC2 *filter)
{
    if (!filter)
        return true;
    return (!(filter->dwFlags & DDSD_WIDTH) || filter->dwWidth == mode->width) &&
           (!(filter->dwFlags & DDSD_HEIGHT) || filter->dwHeight == mode->height) &&
           (!(filter->dwFlags & DDSD_PIXELFORMAT) || filter->ddpfPixelFormat.dwRGBBitCount == mode->bits) &&
           (!(filter->dwFlags & DDSD_REFRESHRATE) || !filter->dwRefreshRate || filter->dwRefreshRate == mode->refresh);
}

void ddraw_describe_mode(const struct ddraw_mode *mode, DWORD flags, DDSURFACEDESC2 *desc)
{
    const uint32_t format = ddraw_format_of_mode(mode->bits);

    *desc = (DDSURFACEDESC2){.dwSize = sizeof(*desc),
                             .dwFlags = DDSD_WIDTH | DDSD_HEIGHT | DDSD_PITCH | DDSD_PIXELFORMAT | DDSD_REFRESHRATE};
    desc->dwWidth = mode->width;
    desc->dwHeight = mode->height;
    desc->lPitch = (LONG)BASE_MIN(ddraw_pitch(format, mode->width, false, sizeof(void *)), INT32_MAX);
    desc->dwRefreshRate = flags & DDEDM_REFRESHRATES ? mode->refresh : 0;
    ddraw_format_describe(format, &desc->ddpfPixelFormat);
}

HRESULT ddraw_choose_mode(const struct ddraw_mode *desktop, bool with_24, bool is_blocked,
                          const struct ddraw_mode *asked, struct ddraw_mode *mode)
{
    bool is_size = asked->width && asked->height && asked->width <= desktop->width && asked->height <= desktop->height;

    if (is_blocked)
        return DDERR_NOEXCLUSIVEMODE;
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
        is_size = is_size || (asked->width == (unsigned)sizes[i].cx && asked->height == (unsigned)sizes[i].cy);
    if (!is_size || !is_depth(asked->bits, with_24) || (asked->refresh && asked->refresh != desktop->refresh))
        return DDERR_INVALIDMODE;
    *mode = (struct ddraw_mode){asked->width, asked->height, asked->bits, desktop->refresh};
    return DD_OK;
}
