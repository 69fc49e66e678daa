/* SPDX-License-Identifier: MIT */
/* The grammar of DDSCL flags (testcooperativelevels_normal, testcooperativelevels_exclusive, test_coop_level_create_device_window). */
#include "runtime/ddraw/rules/level.h"

#include <stddef.h>

#include "base/base.h"

#define EXCLUSIVE (DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN)

/* The request that a set of flags makes. */
enum wish {
    WISH_NOTHING, /* an error */
    WISH_NORMAL,
    WISH_EXCLUSIVE,
    WISH_FOCUS,         /* only names the focus window */
    WISH_OWN,           /* exclusive, in a window that DirectDraw makes */
    WISH_FOCUS_AND_OWN, /* both */
};

/* The first row whose `all` are in the flags, and of `none` none. */
static const struct row {
    DWORD all, none;
    enum wish wish;
} grammar[] = {
    {DDSCL_CREATEDEVICEWINDOW, EXCLUSIVE, WISH_NOTHING},
    {DDSCL_CREATEDEVICEWINDOW | DDSCL_NORMAL, 0, WISH_NOTHING},
    {DDSCL_CREATEDEVICEWINDOW | DDSCL_SETDEVICEWINDOW, 0, WISH_NOTHING},
    {DDSCL_CREATEDEVICEWINDOW | DDSCL_SETFOCUSWINDOW | EXCLUSIVE, 0, WISH_FOCUS_AND_OWN},
    {DDSCL_CREATEDEVICEWINDOW | EXCLUSIVE, DDSCL_SETFOCUSWINDOW, WISH_OWN},
    {DDSCL_CREATEDEVICEWINDOW, 0, WISH_NOTHING},
    {DDSCL_SETFOCUSWINDOW, ~(DWORD)(DDSCL_SETFOCUSWINDOW | DDSCL_NOWINDOWCHANGES), WISH_FOCUS},
    {DDSCL_SETFOCUSWINDOW, 0, WISH_NOTHING},
    {EXCLUSIVE, 0, WISH_EXCLUSIVE}, /* with DDSCL_NORMAL or without */
    {DDSCL_EXCLUSIVE, 0, WISH_NOTHING},
    {DDSCL_NORMAL, 0, WISH_NORMAL},
};

static enum wish parse(DWORD flags)
{
    for (unsigned i = 0; i < ARRAY_COUNT(grammar); i++)
        if ((flags & grammar[i].all) == grammar[i].all && !(flags & grammar[i].none))
            return grammar[i].wish;
    return WISH_NOTHING;
}

static unsigned leave_actions(const struct ddraw_level *level)
{
    return (level->is_exclusive ? DDRAW_LEVEL_LEAVE | (level->keeps_mode ? 0 : DDRAW_LEVEL_RESTORE_MODE) : 0) |
           (level->owns_window ? DDRAW_LEVEL_DESTROY_WINDOW : 0);
}

/* Puts the level back to normal; a focus window ends with it. Video memory is lost where the mode comes back, except with
 * DDSCL_FULLSCREEN (test_lost_device). */
static unsigned set_normal(struct ddraw_level *level, const struct ddraw_level_facts *facts)
{
    const bool loses = level->is_exclusive && !level->keeps_mode && !(facts->flags & DDSCL_FULLSCREEN);
    const unsigned actions = leave_actions(level) | (loses ? DDRAW_LEVEL_LOSE : 0);

    level->is_exclusive = level->owns_window = false;
    level->focus = NULL;
    level->window = facts->window;
    level->is_set = true;
    return actions;
}

static HRESULT set_focus(struct ddraw_level *level, const struct ddraw_level_facts *facts)
{
    if (level->is_exclusive)
        return DDERR_HWNDALREADYSET;
    level->focus = facts->window;
    return DD_OK;
}

/* The screen for a window of the program, or for one of the object's own. */
static unsigned set_exclusive(struct ddraw_level *level, const void *window, bool owns)
{
    const bool moves = level->is_exclusive && (level->window != window || level->owns_window != owns);
    unsigned actions = moves ? DDRAW_LEVEL_LEAVE : 0;

    if (level->owns_window && !owns)
        actions |= DDRAW_LEVEL_DESTROY_WINDOW;
    if (owns && !level->owns_window)
        actions |= DDRAW_LEVEL_CREATE_WINDOW;
    if (!level->is_exclusive || moves)
        actions |= DDRAW_LEVEL_ENTER;
    if (!level->is_exclusive)
        actions |= DDRAW_LEVEL_LOSE;
    level->is_set = level->is_exclusive = true;
    level->owns_window = owns;
    level->window = window;
    return actions;
}

/* DDSCL_CREATEDEVICEWINDOW: the focus window is one that was named before, or now. Without one the device window is made first, and the
 * call fails afterwards. */
static HRESULT set_own(struct ddraw_level *level, const struct ddraw_level_facts *facts, bool names_focus,
                       unsigned *actions)
{
    if (!names_focus && !level->focus)
        return DDERR_NOFOCUSWINDOW;
    if (names_focus && level->is_exclusive)
        return DDERR_HWNDALREADYSET;
    if (names_focus && !facts->window) {
        *actions = level->owns_window ? 0 : DDRAW_LEVEL_CREATE_WINDOW;
        level->owns_window = true;
        return DDERR_NOHWND;
    }
    if (names_focus)
        level->focus = facts->window;
    *actions = set_exclusive(level, NULL, true);
    return DD_OK;
}

static HRESULT set(struct ddraw_level *level, const struct ddraw_level_facts *facts, enum wish wish, unsigned *actions)
{
    switch (wish) {
    case WISH_NORMAL:
        *actions = set_normal(level, facts);
        return DD_OK;
    case WISH_FOCUS:
        return set_focus(level, facts);
    case WISH_EXCLUSIVE:
        if (!facts->window)
            return DDERR_INVALIDPARAMS;
        if (facts->flags & DDSCL_SETDEVICEWINDOW && !level->focus)
            return DDERR_NOFOCUSWINDOW;
        *actions = set_exclusive(level, facts->window, false);
        return DD_OK;
    default:
        return set_own(level, facts, wish == WISH_FOCUS_AND_OWN, actions);
    }
}

HRESULT ddraw_set_level(struct ddraw_level *level, const struct ddraw_level_facts *facts, unsigned *actions)
{
    const enum wish wish = parse(facts->flags);
    HRESULT hr;

    *actions = 0;
    if (wish == WISH_NOTHING)
        return DDERR_INVALIDPARAMS;
    if (wish != WISH_NORMAL && wish != WISH_FOCUS && facts->is_blocked)
        return DDERR_EXCLUSIVEMODEALREADYSET;
    if (facts->window && facts->is_taken)
        return DDERR_HWNDALREADYSET;
    hr = set(level, facts, wish, actions);
    if (FAILED(hr))
        return hr;
    if (facts->version == 1)
        level->keeps_mode = true;
    if (facts->flags & DDSCL_FPUSETUP && !(facts->flags & DDSCL_FPUPRESERVE))
        *actions |= DDRAW_LEVEL_SETUP_FPU;
    return DD_OK;
}
