/* SPDX-License-Identifier: MIT */
/* The key that captures a frame. */
#include "runtime/common/window/capture_key.h"

#include <string.h>

#include "base/base.h"

/* clang-format off */
static const struct {
    const char *name;
    int code;
} keys[] = {{"F1", VK_F1},        {"F2", VK_F2},          {"F3", VK_F3},           {"F4", VK_F4},
            /* clang-format on */
            {"F5", VK_F5},
            {"F6", VK_F6},
            {"F7", VK_F7},
            {"F8", VK_F8},
            {"F9", VK_F9},
            {"F10", VK_F10},
            {"F11", VK_F11},
            {"F12", VK_F12},
            {"Pause", VK_PAUSE},
            {"ScrollLock", VK_SCROLL},
            {"PrintScreen", VK_SNAPSHOT},
            {"Insert", VK_INSERT}};

void rt_capture_key_init(struct rt_capture_key *key)
{
    const char *name = config_string("capture_key");

    memset(key, 0, sizeof(*key));
    if (!config_string("capture")[0])
        return;
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++)
        if (!strcmp(keys[i].name, name))
            key->code = keys[i].code;
}

static bool has_focus(void)
{
    HWND window = GetForegroundWindow();
    DWORD process = 0;

    if (window)
        GetWindowThreadProcessId(window, &process);
    return process == GetCurrentProcessId();
}

/* A key that was tapped between two presents is up again by now; the lowest bit says that it was pressed since the
 * last call. While the key is held down, each repetition sets that bit. */
bool rt_capture_key_pressed(struct rt_capture_key *key)
{
    const bool before = key->down, looked = key->looked;
    const SHORT state = key->code ? GetAsyncKeyState(key->code) : 0;

    key->down = (state & 0x8000) != 0;
    key->looked = true; /* presses before the first call were not meant for us */
    return (key->down || (looked && state & 1)) && !before && has_focus();
}
