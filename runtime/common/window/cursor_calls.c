/* SPDX-License-Identifier: MIT */
/* Replaces functions of user32 in the program's import table. */
#include "runtime/common/window/cursor_calls.h"

#include <string.h>

#include "base/base.h"
#include "runtime/common/window/desktop.h"
#include "runtime/common/window/scale.h"

/* The window of the device that began last; NULL: none. Threads of the program read it at any time. */
static HWND volatile shown;
static volatile unsigned shown_width, shown_height;

/* --- positions --------------------------------------------------------------------------- */

/* The place of the picture on the desktop, and the corner of the window; false: there is none. */
static bool find_place(RECT *place, POINT *corner)
{
    const HWND window = shown;

    *corner = (POINT){0, 0};
    if (!window || !rt_screen_area(window, place) || !ClientToScreen(window, corner))
        return false;
    *corner = (POINT){corner->x + place->left, corner->y + place->top};
    OffsetRect(place, -place->left, -place->top);
    *place = rt_scale_place(rt_scale_fit(), shown_width, shown_height, place);
    OffsetRect(place, corner->x, corner->y);
    return true;
}

static BOOL WINAPI get_cursor_pos(POINT *position)
{
    RECT place;
    POINT corner, pixel;

    if (!GetCursorPos(position))
        return FALSE;
    if (!find_place(&place, &corner))
        return TRUE;
    pixel = rt_scale_pixel(&place, shown_width, shown_height, *position);
    *position = (POINT){pixel.x + corner.x, pixel.y + corner.y};
    return TRUE;
}

static BOOL WINAPI set_cursor_pos(int x, int y)
{
    RECT place;
    POINT corner, at = {x, y};

    if (find_place(&place, &corner))
        at = rt_scale_position(&place, shown_width, shown_height, (POINT){x - corner.x, y - corner.y});
    return SetCursorPos(at.x, at.y);
}

/* An edge of the picture's pixel `at`. */
static LONG scale_edge(LONG at, LONG from, LONG to, unsigned size)
{
    return from + (LONG)((int64_t)at * (to - from) / (int64_t)BASE_MAX(size, 1u));
}

static BOOL WINAPI clip_cursor(const RECT *rect)
{
    RECT place, scaled;
    POINT corner;

    if (!rect || !find_place(&place, &corner))
        return ClipCursor(rect);
    SetRect(&scaled, scale_edge(rect->left - corner.x, place.left, place.right, shown_width),
            scale_edge(rect->top - corner.y, place.top, place.bottom, shown_height),
            scale_edge(rect->right - corner.x, place.left, place.right, shown_width),
            scale_edge(rect->bottom - corner.y, place.top, place.bottom, shown_height));
    return ClipCursor(&scaled);
}

/* --- the import table ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    void *replacement;
} calls[] = {
    {"GetCursorPos", (void *)get_cursor_pos},
    {"SetCursorPos", (void *)set_cursor_pos},
    {"ClipCursor", (void *)clip_cursor},
};

static void write_entry(void **entry, void *function)
{
    DWORD protection;

    if (!VirtualProtect((void *)entry, sizeof(*entry), PAGE_READWRITE, &protection))
        return;
    *entry = function;
    VirtualProtect((void *)entry, sizeof(*entry), protection, &protection);
}

/* Exchanges the functions of one dll's list of entries, which the loader has filled. */
static void exchange_entries(void **entries, const HMODULE user32, bool replace)
{
    for (; *entries; entries++) {
        for (unsigned i = 0; i < ARRAY_COUNT(calls); i++) {
            void *const original = (void *)GetProcAddress(user32, calls[i].name);
            void *const from = replace ? original : calls[i].replacement;

            if (from && *entries == from)
                write_entry(entries, replace ? calls[i].replacement : original);
        }
    }
}

static void exchange(bool replace)
{
    uint8_t *const image = (uint8_t *)GetModuleHandleW(NULL);
    const HMODULE user32 = GetModuleHandleA("user32.dll");
    const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(image + ((const IMAGE_DOS_HEADER *)image)->e_lfanew);
    const IMAGE_DATA_DIRECTORY *imports = &headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    const IMAGE_IMPORT_DESCRIPTOR *dll = (const IMAGE_IMPORT_DESCRIPTOR *)(image + imports->VirtualAddress);

    if (!user32 || !imports->VirtualAddress || !imports->Size)
        return;
    for (; dll->Name && dll->FirstThunk; dll++)
        if (!lstrcmpiA((const char *)image + dll->Name, "user32.dll"))
            exchange_entries((void **)(image + dll->FirstThunk), user32, replace);
}

void rt_cursor_calls_begin(HWND window, unsigned width, unsigned height)
{
    if (!config_bool("hook_cursor"))
        return;
    shown_width = width;
    shown_height = height;
    if (!shown)
        exchange(true);
    shown = window;
}

void rt_cursor_calls_end(HWND window)
{
    if (!shown || shown != window)
        return;
    shown = NULL;
    exchange(false);
}
