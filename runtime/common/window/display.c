/* SPDX-License-Identifier: MIT */
/* Display modes of the system, changed and restored. */
#include "runtime/common/window/display.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/window/desktop.h"

static const struct {
    uint16_t width, height;
} fallback_sizes[] = {
    {640, 480},  {800, 600},   {1024, 768},  {1152, 864},  {1280, 720},
    {1280, 960}, {1280, 1024}, {1600, 1200}, {1920, 1080},
};
#define FALLBACK_CURRENT 2 /* 1024x768 */

bool rt_display_name(unsigned adapter, WCHAR name[32])
{
    DISPLAY_DEVICEW device = {.cb = sizeof(device)};
    unsigned found = 0;

    for (DWORD i = 0; EnumDisplayDevicesW(NULL, i, &device, 0); i++) {
        if (!(device.StateFlags & DISPLAY_DEVICE_ATTACHED_TO_DESKTOP))
            continue;
        if (found++ == adapter) {
            memcpy(name, device.DeviceName, sizeof(device.DeviceName));
            return true;
        }
    }
    return false;
}

unsigned rt_display_count(void)
{
    WCHAR name[32];
    unsigned count = 0;

    while (rt_display_name(count, name))
        count++;
    return count ? count : 1;
}

struct monitor_search {
    const WCHAR *name;
    HMONITOR found;
};

static BOOL CALLBACK match_monitor(HMONITOR monitor, HDC dc, LPRECT rect, LPARAM param)
{
    struct monitor_search *search = (struct monitor_search *)param;
    MONITORINFOEXW info;

    (void)dc;
    (void)rect;
    memset(&info, 0, sizeof(info));
    info.cbSize = sizeof(info);
    if (GetMonitorInfoW(monitor, (MONITORINFO *)&info) &&
        !memcmp(info.szDevice, search->name, wcslen(search->name) * sizeof(WCHAR)))
        search->found = monitor;
    return !search->found;
}

HMONITOR rt_display_monitor(unsigned adapter)
{
    WCHAR name[32];
    struct monitor_search search = {name, NULL};
    POINT origin = {0, 0};

    if (rt_display_name(adapter, name))
        EnumDisplayMonitors(NULL, NULL, match_monitor, (LPARAM)&search);
    else if (!adapter)
        search.found = MonitorFromPoint(origin, MONITOR_DEFAULTTOPRIMARY);
    return search.found;
}

/* --- modes ----------------------------------------------------------------------------- */

static uint32_t format_of_depth(DWORD bits)
{
    if (bits == 32)
        return D3DFMT_X8R8G8B8;
    return bits == 16 ? D3DFMT_R5G6B5 : D3DFMT_UNKNOWN;
}

static bool system_mode(unsigned adapter, DWORD index, D3DDISPLAYMODE *mode, bool *usable)
{
    DEVMODEW dm;
    WCHAR name[32];
    bool have_name = rt_display_name(adapter, name);

    memset(&dm, 0, sizeof(dm));
    dm.dmSize = sizeof(dm);
    if ((!have_name && adapter) || !EnumDisplaySettingsExW(have_name ? name : NULL, index, &dm, 0))
        return false;
    mode->Width = dm.dmPelsWidth;
    mode->Height = dm.dmPelsHeight;
    mode->RefreshRate = dm.dmDisplayFrequency > 1 ? dm.dmDisplayFrequency : 0;
    mode->Format = (D3DFORMAT)format_of_depth(dm.dmBitsPerPel);
    *usable = mode->Width && mode->Height && mode->Format != D3DFMT_UNKNOWN;
    return true;
}

static bool has_system_modes(unsigned adapter)
{
    D3DDISPLAYMODE mode;
    bool usable = false;

    for (DWORD i = 0; system_mode(adapter, i, &mode, &usable); i++)
        if (usable)
            return true;
    return false;
}

static bool fallback_mode(unsigned index, D3DDISPLAYMODE *mode)
{
    unsigned count = ARRAY_COUNT(fallback_sizes);

    if (index >= 2 * count)
        return false;
    mode->Width = fallback_sizes[index % count].width;
    mode->Height = fallback_sizes[index % count].height;
    mode->RefreshRate = 60;
    mode->Format = index < count ? D3DFMT_X8R8G8B8 : D3DFMT_R5G6B5;
    return true;
}

static bool add_mode(struct rt_mode_list *list, const D3DDISPLAYMODE *mode)
{
    D3DDISPLAYMODE *modes;

    /* Room doubles whenever the count reaches a power of two. */
    if (!(list->count & (list->count - 1))) {
        modes = mem_realloc(list->modes, list->count ? 2 * list->count : 1, sizeof(*modes));
        if (!modes)
            return false;
        list->modes = modes;
    }
    list->modes[list->count++] = *mode;
    return true;
}

static bool same_mode(const D3DDISPLAYMODE *mode, unsigned width, unsigned height, uint32_t format)
{
    return mode->Width == width && mode->Height == height && mode->Format == (D3DFORMAT)format;
}

static bool is_listed(const struct rt_mode_list *list, const D3DDISPLAYMODE *mode)
{
    for (unsigned i = 0; i < list->count; i++)
        if (same_mode(&list->modes[i], mode->Width, mode->Height, (uint32_t)mode->Format))
            return true;
    return false;
}

/* Modes that are not set, because the desktop's stays, need not be the system's: the built-in ones are offered too. */
bool rt_mode_list_read(struct rt_mode_list *list, unsigned adapter)
{
    D3DDISPLAYMODE mode;
    bool usable, ok = true;

    rt_mode_list_free(list);
    list->adapter = adapter;
    for (DWORD i = 0; ok && system_mode(adapter, i, &mode, &usable); i++)
        ok = !usable || add_mode(list, &mode);
    if (ok && list->count && rt_screen_kind() == RT_SCREEN_MODE)
        return true;
    for (unsigned i = 0; ok && fallback_mode(i, &mode); i++)
        ok = is_listed(list, &mode) || add_mode(list, &mode);
    if (!ok)
        rt_mode_list_free(list);
    return ok;
}

void rt_mode_list_free(struct rt_mode_list *list)
{
    free(list->modes);
    memset(list, 0, sizeof(*list));
}

bool rt_mode_current(unsigned adapter, D3DDISPLAYMODE *mode)
{
    bool usable;

    if (system_mode(adapter, ENUM_CURRENT_SETTINGS, mode, &usable) && usable)
        return true;
    return fallback_mode(FALLBACK_CURRENT, mode);
}

bool rt_mode_exists(unsigned adapter, unsigned width, unsigned height, uint32_t format)
{
    D3DDISPLAYMODE mode;
    bool usable;

    for (DWORD i = 0; system_mode(adapter, i, &mode, &usable); i++)
        if (usable && same_mode(&mode, width, height, format))
            return true;
    if (rt_screen_kind() == RT_SCREEN_MODE && has_system_modes(adapter))
        return false;
    for (unsigned i = 0; fallback_mode(i, &mode); i++)
        if (same_mode(&mode, width, height, format))
            return true;
    return false;
}

/* --- switching ------------------------------------------------------------------------- */

/*
 * One thread of the process changes modes at a time: two in Wine's ChangeDisplaySettings can stop each other forever, because it takes its
 * lock of displays and the mutex of their registry keys in either order. A thread that waits handles the messages that the other one sends
 * to its windows; windows that change the mode when they hear of a new one do so inside the first change.
 */
static LONG change_mode(unsigned adapter, DEVMODEW *dm, DWORD flags)
{
    static LONG changing; /* the thread; 0: none */
    const LONG self = (LONG)GetCurrentThreadId();
    const bool nested = __atomic_load_n(&changing, __ATOMIC_ACQUIRE) == self;
    WCHAR name[32];
    MSG message;
    LONG result;

    while (!nested && InterlockedCompareExchange(&changing, self, 0)) {
        MsgWaitForMultipleObjects(0, NULL, FALSE, 1, QS_SENDMESSAGE);
        PeekMessageW(&message, NULL, 0, 0, PM_NOREMOVE | PM_QS_SENDMESSAGE);
    }
    result = ChangeDisplaySettingsExW(rt_display_name(adapter, name) ? name : NULL, dm, NULL, flags, NULL);
    if (!nested)
        InterlockedExchange(&changing, 0);
    return result;
}

bool rt_mode_set(unsigned adapter, unsigned width, unsigned height, uint32_t format)
{
    DEVMODEW dm;
    D3DDISPLAYMODE now;
    LONG result;

    if (!has_system_modes(adapter))
        return true;
    rt_mode_current(adapter, &now);
    if (now.Width == width && now.Height == height && now.Format == (D3DFORMAT)format)
        return true;
    memset(&dm, 0, sizeof(dm));
    dm.dmSize = sizeof(dm);
    dm.dmFields = DM_PELSWIDTH | DM_PELSHEIGHT | DM_BITSPERPEL;
    dm.dmPelsWidth = width;
    dm.dmPelsHeight = height;
    dm.dmBitsPerPel = format == D3DFMT_R5G6B5 ? 16 : 32;
    result = change_mode(adapter, &dm, CDS_FULLSCREEN);
    if (result != DISP_CHANGE_SUCCESSFUL)
        log_warn("display mode %ux%u refused (%ld)", width, height, (long)result);
    return result == DISP_CHANGE_SUCCESSFUL;
}

void rt_mode_restore(unsigned adapter)
{
    D3DDISPLAYMODE now, usual;
    bool a, b;

    if (!system_mode(adapter, ENUM_CURRENT_SETTINGS, &now, &a) ||
        !system_mode(adapter, ENUM_REGISTRY_SETTINGS, &usual, &b) || !a || !b)
        return;
    if (now.Width != usual.Width || now.Height != usual.Height || now.Format != usual.Format)
        change_mode(adapter, NULL, 0);
}

/* --- cursor ---------------------------------------------------------------------------- */

bool rt_cursor_set(struct rt_cursor *cursor, unsigned hot_x, unsigned hot_y, unsigned width, unsigned height,
                   const uint8_t *pixels, size_t pitch)
{
    ICONINFO info = {.fIcon = FALSE, .xHotspot = hot_x, .yHotspot = hot_y};
    size_t mask_pitch = (width + 15) / 16 * 2;
    uint8_t *mask = mem_calloc(height, mask_pitch);
    uint8_t *color = mem_calloc(height, (size_t)width * 4);
    HCURSOR handle = NULL;

    if (!mask || !color)
        goto done;
    for (unsigned y = 0; y < height; y++)
        memcpy(color + (size_t)y * width * 4, pixels + y * pitch, (size_t)width * 4);
    info.hbmMask = CreateBitmap((int)width, (int)height, 1, 1, mask);
    info.hbmColor = CreateBitmap((int)width, (int)height, 1, 32, color);
    handle = CreateIconIndirect(&info);
    DeleteObject(info.hbmMask);
    DeleteObject(info.hbmColor);
    if (handle) {
        if (cursor->handle)
            DestroyCursor(cursor->handle);
        cursor->handle = handle;
        if (cursor->visible)
            SetCursor(handle);
    }
done:
    free(mask);
    free(color);
    return handle != NULL;
}

bool rt_cursor_show(struct rt_cursor *cursor, bool show)
{
    bool old = cursor->visible;

    if (!cursor->handle)
        return old;
    cursor->visible = show;
    SetCursor(show ? cursor->handle : NULL);
    return old;
}

void rt_cursor_free(struct rt_cursor *cursor)
{
    if (cursor->handle) {
        if (cursor->visible && GetCursor() == cursor->handle)
            SetCursor(LoadCursorW(NULL, (LPCWSTR)IDC_ARROW));
        DestroyCursor(cursor->handle);
    }
    cursor->handle = NULL;
}
