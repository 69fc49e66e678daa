/* SPDX-License-Identifier: MIT */
/* Windows in place of the program's: as large as the pictures in them, so that none is scaled. */
#include "tools/import/player/player.h"

void player_window(struct player *player, const struct stream_window *window)
{
    HWND *handle = window->number && window->number <= STREAM_WINDOWS ? &player->windows[window->number] : NULL;
    const int width = (int)(window->width & 0x7fff), height = (int)(window->height & 0x7fff);

    if (!handle)
        return;
    if (*handle)
        SetWindowPos(*handle, NULL, 0, 0, width, height, SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE);
    else
        *handle = CreateWindowA("STATIC", "dp2 import", WS_POPUP | WS_VISIBLE, 0, 0, width, height, NULL, NULL,
                                GetModuleHandleA(NULL), NULL);
    player_messages();
}

void player_messages(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE))
        DispatchMessageA(&message);
}
