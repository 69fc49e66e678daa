/* SPDX-License-Identifier: MIT */
/* A window that fills the screen: its style, its mode, and how the device is lost and regained. */
#include "runtime/common/window/fullscreen.h"

#include "base/base.h"
#include "runtime/common/window/cursor_calls.h"
#include "runtime/common/window/desktop.h"
#include "runtime/common/window/display.h"

/* Style bits for the current condition of the window, not its kind. */
#define PASSING_STYLES    ((LONG)(WS_VISIBLE | WS_MINIMIZE | WS_MAXIMIZE | WS_DISABLED))
#define PASSING_EX_STYLES ((LONG)WS_EX_TOPMOST)

/* --- the frame ------------------------------------------------------------------------- */

static LONG style_now(const struct rt_fullscreen *fs)
{
    return GetWindowLongW(fs->window, GWL_STYLE) & ~PASSING_STYLES;
}

static LONG ex_style_now(const struct rt_fullscreen *fs)
{
    return GetWindowLongW(fs->window, GWL_EXSTYLE) & ~PASSING_EX_STYLES;
}

static void set_styles(struct rt_fullscreen *fs, LONG style, LONG ex_style)
{
    LONG now = GetWindowLongW(fs->window, GWL_STYLE);
    LONG ex_now = GetWindowLongW(fs->window, GWL_EXSTYLE);

    style = (style & ~PASSING_STYLES) | (now & PASSING_STYLES);
    ex_style = (ex_style & ~PASSING_EX_STYLES) | (ex_now & PASSING_EX_STYLES);
    if (style != now)
        SetWindowLongW(fs->window, GWL_STYLE, style);
    if (ex_style != ex_now)
        SetWindowLongW(fs->window, GWL_EXSTYLE, ex_style);
    /* As they are now: the system adds to them. */
    fs->set_style = style_now(fs);
    fs->set_ex_style = ex_style_now(fs);
}

/* Styles that differ from those that this code set belong to the program by now. */
static void notice_styles(struct rt_fullscreen *fs)
{
    const LONG style = style_now(fs), ex_style = ex_style_now(fs);

    if (style != fs->set_style || ex_style != fs->set_ex_style) {
        fs->style = style;
        fs->ex_style = ex_style | (fs->ex_style & PASSING_EX_STYLES);
    }
    fs->set_style = style;
    fs->set_ex_style = ex_style;
}

static void put_styles_back(struct rt_fullscreen *fs)
{
    notice_styles(fs);
    set_styles(fs, fs->style, fs->ex_style);
}

static bool is_visible(const struct rt_fullscreen *fs)
{
    return GetWindowLongW(fs->window, GWL_STYLE) & WS_VISIBLE;
}

/* A window with the style that it has now, in the middle of the screen. */
static void framed_rect(const struct rt_fullscreen *fs, const RECT *screen, RECT *rect)
{
    const SIZE size = rt_screen_window_size(fs->width, fs->height);
    int left, top;

    SetRect(rect, 0, 0, (int)size.cx, (int)size.cy);
    AdjustWindowRectEx(rect, (DWORD)GetWindowLongW(fs->window, GWL_STYLE), GetMenu(fs->window) != NULL,
                       (DWORD)GetWindowLongW(fs->window, GWL_EXSTYLE));
    left = screen->left + BASE_MAX(0, (screen->right - screen->left - (rect->right - rect->left)) / 2);
    top = screen->top + BASE_MAX(0, (screen->bottom - screen->top - (rect->bottom - rect->top)) / 2);
    OffsetRect(rect, left - rect->left, top - rect->top);
}

/* The place of the window: all of the screen, in the mode that was set or in the desktop's, or a part of it. */
static void screen_rect(const struct rt_fullscreen *fs, RECT *rect)
{
    MONITORINFO info = {.cbSize = sizeof(info)};
    const bool is_primary = fs->policy == RT_WINDOW_EXCLUSIVE; /* even if another program has set another mode */
    HMONITOR monitor =
        is_primary ? MonitorFromPoint((POINT){0, 0}, MONITOR_DEFAULTTOPRIMARY) : rt_display_monitor(fs->adapter);

    if (!monitor || !GetMonitorInfoW(monitor, &info))
        SetRect(&info.rcMonitor, 0, 0, 0, 0);
    if (fs->screen == RT_SCREEN_WINDOW)
        framed_rect(fs, &info.rcMonitor, rect);
    else if ((is_primary || fs->screen == RT_SCREEN_BORDERLESS) && !IsRectEmpty(&info.rcMonitor))
        *rect = info.rcMonitor;
    else
        SetRect(rect, info.rcMonitor.left, info.rcMonitor.top, info.rcMonitor.left + (int)fs->width,
                info.rcMonitor.top + (int)fs->height);
}

static void fill_screen(struct rt_fullscreen *fs, HWND after, UINT flags)
{
    RECT rect;

    screen_rect(fs, &rect);
    SetWindowPos(fs->window, after, rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top,
                 flags | SWP_NOACTIVATE);
}

/* A device has covered the screen with the window before. */
static bool has_covered(HWND window)
{
    static const WCHAR name[] = L"halcyon.covered";
    bool before = GetPropW(window, name);

    if (!before)
        SetPropW(window, name, (HANDLE)1);
    return before;
}

/* The window of RT_SCREEN_BORDERLESS and RT_SCREEN_WINDOW, whatever the version of Direct3D does with it otherwise. */
static void place_on_desktop(struct rt_fullscreen *fs)
{
    const LONG frame = (LONG)WS_OVERLAPPEDWINDOW, ex_frame = (LONG)WS_EX_OVERLAPPEDWINDOW;

    InterlockedIncrement(&fs->filtering);
    if (IsIconic(fs->window))
        ShowWindow(fs->window, SW_SHOWNOACTIVATE);
    if (fs->screen == RT_SCREEN_WINDOW)
        set_styles(fs, (fs->style & ~(LONG)WS_POPUP) | frame, fs->ex_style);
    else
        set_styles(fs, fs->style & ~frame, fs->ex_style & ~ex_frame);
    fill_screen(fs, HWND_TOP, SWP_FRAMECHANGED);
    if (!is_visible(fs))
        ShowWindow(fs->window, SW_SHOW);
    InterlockedDecrement(&fs->filtering);
}

static void cover_screen(struct rt_fullscreen *fs)
{
    bool raises, shows;

    if (fs->policy == RT_WINDOW_LEAVE)
        return;
    if (fs->screen != RT_SCREEN_MODE) {
        place_on_desktop(fs);
        return;
    }
    InterlockedIncrement(&fs->filtering);
    if (IsIconic(fs->window))
        ShowWindow(fs->window, SW_SHOWNOACTIVATE);
    if (fs->policy == RT_WINDOW_STRIP)
        set_styles(fs, fs->style & ~(LONG)WS_OVERLAPPEDWINDOW, fs->ex_style & ~(LONG)WS_EX_OVERLAPPEDWINDOW);
    shows = fs->policy != RT_WINDOW_COVER || has_covered(fs->window);
    raises = shows && !(fs->policy == RT_WINDOW_KEEP && is_visible(fs));
    fill_screen(fs, HWND_TOPMOST, SWP_FRAMECHANGED | (raises ? 0 : SWP_NOZORDER));
    if (shows && !is_visible(fs))
        ShowWindow(fs->window, SW_SHOW);
    InterlockedDecrement(&fs->filtering);
}

/* In the desktop's mode the user may put other windows above, as the settings say. */
static bool stays_above(void)
{
    return rt_screen_kind() == RT_SCREEN_MODE;
}

static void keep_cursor_in(const RECT *rect)
{
    if (stays_above())
        ClipCursor(rect);
}

/* RT_WINDOW_EXCLUSIVE (Wine's test_window_style and test_cursor_clipping). */
static void claim_screen(struct rt_fullscreen *fs)
{
    const bool has_focus = GetForegroundWindow() == fs->focus;
    RECT rect;

    if (!fs->leaves_window && fs->screen == RT_SCREEN_WINDOW) {
        place_on_desktop(fs);
        return;
    }
    screen_rect(fs, &rect);
    if (!fs->leaves_window)
        SetWindowPos(fs->window, stays_above() ? HWND_TOPMOST : HWND_TOP, rect.left, rect.top, rect.right - rect.left,
                     rect.bottom - rect.top, SWP_NOACTIVATE | (has_focus ? SWP_SHOWWINDOW : SWP_NOZORDER));
    if (has_focus)
        keep_cursor_in(&rect);
}

static void remember(struct rt_fullscreen *fs, HWND window)
{
    fs->window = window;
    fs->style = GetWindowLongW(window, GWL_STYLE);
    fs->ex_style = GetWindowLongW(window, GWL_EXSTYLE);
    fs->set_style = style_now(fs);
    fs->set_ex_style = ex_style_now(fs);
    GetWindowRect(window, &fs->rect);
}

/* Is the window where cover_screen put it, or hidden? */
static bool is_in_place(const struct rt_fullscreen *fs)
{
    RECT now, all;

    screen_rect(fs, &all);
    return IsIconic(fs->window) || (GetWindowRect(fs->window, &now) && EqualRect(&now, &all));
}

/* --- the hook -------------------------------------------------------------------------- */

static struct rt_fullscreen *hooks;

/* Made on first use; devices of several threads may come at once. */
static CRITICAL_SECTION *hook_lock(void)
{
    static CRITICAL_SECTION section;
    static LONG state; /* 0 new, 1 being made, 2 ready */

    if (InterlockedCompareExchange(&state, 1, 0) == 0) {
        InitializeCriticalSection(&section);
        InterlockedExchange(&state, 2);
    }
    while (state != 2)
        Sleep(0);
    return &section;
}

static struct rt_fullscreen *find_hook(HWND window)
{
    struct rt_fullscreen *fs;

    EnterCriticalSection(hook_lock());
    for (fs = hooks; fs && fs->hooked != window; fs = fs->next)
        ;
    LeaveCriticalSection(hook_lock());
    return fs;
}

static void lose_focus(struct rt_fullscreen *fs)
{
    rt_mode_restore(fs->adapter);
    InterlockedIncrement(&fs->filtering);
    if (fs->policy != RT_WINDOW_LEAVE && is_visible(fs)) {
        put_styles_back(fs);
        ShowWindow(fs->window, SW_MINIMIZE);
        if (fs->policy == RT_WINDOW_KEEP && !(GetWindowLongW(fs->window, GWL_EXSTYLE) & WS_EX_TOPMOST)) {
            SetWindowPos(fs->window, HWND_TOPMOST, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE);
            fs->raised = true;
        }
    }
    InterlockedDecrement(&fs->filtering);
    fs->status = RT_DEVICE_LOST;
}

/* The window is restored at once; the mode waits for Reset, except for a device that returns by itself. */
static void regain_focus(struct rt_fullscreen *fs)
{
    bool back;

    InterlockedIncrement(&fs->filtering);
    back = fs->returns && rt_mode_set(fs->adapter, fs->width, fs->height, fs->format);
    if (fs->policy != RT_WINDOW_LEAVE && is_visible(fs)) {
        if (IsIconic(fs->window))
            ShowWindow(fs->window, SW_SHOWNOACTIVATE);
        else
            SetWindowPos(fs->window, NULL, 0, 0, (int)fs->width, (int)fs->height, SWP_NOACTIVATE | SWP_NOZORDER);
    }
    InterlockedDecrement(&fs->filtering);
    if (back)
        fs->status = RT_DEVICE_OPERATIONAL;
    else if (fs->status == RT_DEVICE_LOST)
        fs->status = RT_DEVICE_NOT_RESET;
}

static void set_status(struct rt_fullscreen *fs, enum rt_device_status status)
{
    if (InterlockedExchange(&fs->status, (LONG)status) != (LONG)status && fs->changed)
        fs->changed(fs);
}

/* In the order of Wine's test_coop_level_mode_set: the mode, then the focus, then the window. The program may end the device in one of
 * the messages that the window gets meanwhile. */
static void exclusive_lose_focus(struct rt_fullscreen *fs)
{
    ClipCursor(NULL);
    if (fs->switches && fs->screen == RT_SCREEN_MODE)
        rt_mode_restore(fs->adapter);
    set_status(fs, RT_DEVICE_LOST);
    if (fs->active && !fs->leaves_window && is_visible(fs))
        ShowWindow(fs->window, SW_MINIMIZE);
}

static void exclusive_regain_focus(struct rt_fullscreen *fs)
{
    if (fs->status != RT_DEVICE_LOST)
        return;
    set_status(fs, RT_DEVICE_OPERATIONAL);
    if (!fs->leaves_window && is_visible(fs) && IsIconic(fs->window))
        ShowWindow(fs->window, SW_SHOWNOACTIVATE);
    if (fs->switches && fs->screen == RT_SCREEN_MODE)
        rt_mode_set(fs->adapter, fs->width, fs->height, fs->format);
    if (fs->active)
        claim_screen(fs);
}

/* Messages to the window of an RT_WINDOW_EXCLUSIVE, before the program sees them. */
static void exclusive_message(struct rt_fullscreen *fs, UINT message, WPARAM wparam)
{
    if (message == WM_DISPLAYCHANGE && fs->status == RT_DEVICE_OPERATIONAL)
        claim_screen(fs);
    else if (message == WM_ACTIVATEAPP && stays_above() && wparam)
        exclusive_regain_focus(fs);
    else if (message == WM_ACTIVATEAPP && stays_above())
        exclusive_lose_focus(fs);
}

static UINT replace_message(void)
{
    static UINT message;

    if (!message)
        message = RegisterWindowMessageW(L"halcyon.replace");
    return message;
}

/* Is a window that the program moves or sizes put back? The user may move those with a frame. */
static bool keeps_place(const struct rt_fullscreen *fs)
{
    return fs->screen == RT_SCREEN_MODE ? fs->policy == RT_WINDOW_KEEP
                                        : fs->screen == RT_SCREEN_BORDERLESS && fs->policy != RT_WINDOW_LEAVE;
}

/* The program has moved or sized its window: the first time it is put back, once the program looks at its messages again
 * (Wine's test_window_position establishes it for version 9). */
static void look_at_place(struct rt_fullscreen *fs)
{
    RECT now, all;

    if (!fs->active || !keeps_place(fs) || fs->replaced || fs->hooked != fs->window ||
        fs->status != RT_DEVICE_OPERATIONAL || IsIconic(fs->window) || !GetWindowRect(fs->window, &now))
        return;
    screen_rect(fs, &all);
    fs->replaced = !EqualRect(&now, &all);
    if (fs->replaced)
        PostMessageW(fs->window, replace_message(), 0, 0);
}

static void cover_screen_again(struct rt_fullscreen *fs)
{
    if (!fs->active || fs->status != RT_DEVICE_OPERATIONAL || IsIconic(fs->window))
        return;
    InterlockedIncrement(&fs->filtering);
    fill_screen(fs, NULL, SWP_NOZORDER);
    InterlockedDecrement(&fs->filtering);
}

static LRESULT call_default(bool unicode, HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    return unicode ? DefWindowProcW(window, message, wparam, lparam) : DefWindowProcA(window, message, wparam, lparam);
}

/* The procedure below this code's, which a program's own procedure still calls although no device covers the screen. */
static const WCHAR covered_proc[] = L"halcyon.procedure";

static LRESULT call_covered(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    WNDPROC proc = (WNDPROC)GetPropW(window, covered_proc);

    if (!proc)
        return DefWindowProcW(window, message, wparam, lparam);
    return IsWindowUnicode(window) ? CallWindowProcW(proc, window, message, wparam, lparam)
                                   : CallWindowProcA(proc, window, message, wparam, lparam);
}

static LRESULT CALLBACK hook_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    struct rt_fullscreen *fs = find_hook(window);
    WNDPROC proc;
    bool unicode;

    if (!fs)
        return call_covered(window, message, wparam, lparam);
    proc = fs->old_proc;
    unicode = fs->unicode;
    if (message == WM_DISPLAYCHANGE)
        fs->display_changed = 1;
    if (fs->filtering && message != WM_DISPLAYCHANGE)
        return call_default(unicode, window, message, wparam, lparam);
    if (fs->active && fs->screen != RT_SCREEN_MODE && window == fs->window && rt_screen_is_mouse(message))
        lparam = rt_screen_mouse(window, fs->width, fs->height, lparam);
    if (fs->policy == RT_WINDOW_EXCLUSIVE) {
        if (fs->active)
            exclusive_message(fs, message, wparam);
    } else if (message == WM_ACTIVATEAPP && fs->active && fs->screen == RT_SCREEN_MODE) {
        if (wparam)
            regain_focus(fs);
        else
            lose_focus(fs);
    } else if (message == WM_SYSCOMMAND && wparam == SC_RESTORE && fs->active) {
        /* Done before the program sees it, whether it passes the message on or not. */
        call_default(unicode, window, message, wparam, lparam);
    } else if (message == WM_WINDOWPOSCHANGED) {
        look_at_place(fs);
    } else if (message == replace_message()) {
        cover_screen_again(fs);
        return 0;
    }
    return unicode ? CallWindowProcW(proc, window, message, wparam, lparam)
                   : CallWindowProcA(proc, window, message, wparam, lparam);
}

static WNDPROC top_proc(const struct rt_fullscreen *fs)
{
    return (WNDPROC)(fs->unicode ? GetWindowLongPtrW(fs->hooked, GWLP_WNDPROC)
                                 : GetWindowLongPtrA(fs->hooked, GWLP_WNDPROC));
}

static void set_top_proc(const struct rt_fullscreen *fs, WNDPROC proc)
{
    if (fs->unicode)
        SetWindowLongPtrW(fs->hooked, GWLP_WNDPROC, (LONG_PTR)proc);
    else
        SetWindowLongPtrA(fs->hooked, GWLP_WNDPROC, (LONG_PTR)proc);
}

/* The window keeps the procedure's address for as long as the program likes, which may unload the dll before it lets
 * go of its device or of a procedure of its own that calls ours: the dll stays loaded. */
static void pin_module(void)
{
    HMODULE module;

    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN, (LPCWSTR)hook_proc,
                       &module);
}

/* A procedure that the program put on top of ours stays, and what it passes on reaches the one below ours. */
static void unhook(struct rt_fullscreen *fs)
{
    struct rt_fullscreen **place;

    EnterCriticalSection(hook_lock());
    if (fs->hooked) {
        if (top_proc(fs) == hook_proc)
            set_top_proc(fs, fs->old_proc);
        else if (IsWindow(fs->hooked))
            SetPropW(fs->hooked, covered_proc, (HANDLE)fs->old_proc);
        for (place = &hooks; *place && *place != fs;)
            place = &(*place)->next;
        if (*place)
            *place = fs->next;
        fs->hooked = NULL;
    }
    LeaveCriticalSection(hook_lock());
}

/* If the program's procedure calls ours from last time, ours is not put above it as well: they would call each other endlessly. */
static void put_hook(struct rt_fullscreen *fs)
{
    WNDPROC below;
    bool is_below;

    fs->hooked = fs->focus;
    fs->unicode = IsWindowUnicode(fs->hooked);
    below = (WNDPROC)GetPropW(fs->hooked, covered_proc);
    is_below = below && top_proc(fs) != below;
    fs->next = hooks;
    hooks = fs;
    fs->old_proc = is_below ? below : top_proc(fs);
    if (!is_below)
        set_top_proc(fs, hook_proc);
    RemovePropW(fs->hooked, covered_proc);
}

/* Unhooks another focus window that was hooked before. The lock is held throughout, because two threads of a program may set the level of
 * one DirectDraw object; nothing in it sends messages. */
static void hook(struct rt_fullscreen *fs)
{
    if (IsWindow(fs->focus))
        pin_module();
    EnterCriticalSection(hook_lock());
    if (fs->hooked != fs->focus) {
        unhook(fs);
        if (IsWindow(fs->focus) && !find_hook(fs->focus))
            put_hook(fs);
    }
    LeaveCriticalSection(hook_lock());
}

/* --- entering and leaving -------------------------------------------------------------- */

/* A window that the device covered the screen with before is unchanged, as Wine's test_device_window_reset found on
 * Windows. */
bool rt_fullscreen_enter(struct rt_fullscreen *fs, unsigned adapter, HWND window, HWND focus, unsigned width,
                         unsigned height, uint32_t format)
{
    fs->adapter = adapter;
    fs->focus = focus ? focus : window;
    if (!fs->active || fs->window != window)
        remember(fs, window);
    else
        notice_styles(fs);
    fs->width = width;
    fs->height = height;
    fs->format = format;
    fs->replaced = false;
    fs->screen = rt_screen_kind();
    hook(fs);
    InterlockedIncrement(&fs->filtering);
    if (fs->screen == RT_SCREEN_MODE && !rt_mode_set(adapter, width, height, format)) {
        InterlockedDecrement(&fs->filtering);
        return false;
    }
    InterlockedDecrement(&fs->filtering);
    /* A Reset of a device that has the screen already leaves the focus where it is. */
    if (!fs->active && GetForegroundWindow() != fs->focus) {
        SetWindowPos(fs->focus, HWND_TOP, 0, 0, 0, 0, SWP_NOSIZE | SWP_NOMOVE);
        SetForegroundWindow(fs->focus);
    }
    cover_screen(fs);
    fs->active = true;
    if (fs->screen == RT_SCREEN_BORDERLESS && fs->policy != RT_WINDOW_LEAVE)
        rt_cursor_calls_begin(fs->window, width, height);
    return true;
}

/* --- exclusive mode of DirectDraw ---------------------------------------------------------- */

/* Shows the picture over the frame of the window, too. */
static void show_over_frame(const struct rt_fullscreen *fs)
{
    rt_screen_set_whole(fs->window, fs->screen != RT_SCREEN_WINDOW);
    if (fs->screen == RT_SCREEN_BORDERLESS)
        rt_cursor_calls_begin(fs->window, fs->width, fs->height);
    else
        rt_cursor_calls_end(fs->window);
}

/* The window gets its place before the focus (Wine's test_wndproc), and only those that have the focus already are raised. */
bool rt_fullscreen_claim(struct rt_fullscreen *fs, HWND window, HWND focus, enum rt_screen_kind screen, unsigned width,
                         unsigned height)
{
    D3DDISPLAYMODE desktop;
    RECT rect;

    fs->adapter = 0;
    fs->focus = focus ? focus : window;
    if (!fs->active || fs->window != window)
        remember(fs, window);
    fs->screen = screen;
    fs->width = width;
    fs->height = height;
    fs->format = rt_mode_current(fs->adapter, &desktop) ? (uint32_t)desktop.Format : D3DFMT_X8R8G8B8;
    fs->replaced = false;
    if (!fs->active)
        fs->status = RT_DEVICE_OPERATIONAL;
    fs->active = true;
    hook(fs);
    show_over_frame(fs);
    claim_screen(fs);
    if (fs->active && GetForegroundWindow() != fs->focus) {
        SetWindowPos(fs->focus, HWND_TOP, 0, 0, 0, 0, SWP_NOSIZE | SWP_NOMOVE);
        SetForegroundWindow(fs->focus);
        screen_rect(fs, &rect);
        if (fs->active && fs->screen != RT_SCREEN_WINDOW && GetForegroundWindow() == fs->focus)
            keep_cursor_in(&rect);
    }
    if (fs->active && GetForegroundWindow() == fs->focus)
        exclusive_regain_focus(fs);
    return IsWindow(window);
}

void rt_fullscreen_resize(struct rt_fullscreen *fs, enum rt_screen_kind screen, unsigned width, unsigned height)
{
    fs->width = width;
    fs->height = height;
    fs->screen = screen;
    if (!fs->active)
        return;
    show_over_frame(fs);
    if (screen != RT_SCREEN_MODE)
        claim_screen(fs);
}

static void leave_exclusive(struct rt_fullscreen *fs)
{
    const bool had_frame = fs->screen == RT_SCREEN_WINDOW;

    if (fs->active) {
        fs->active = false;
        ClipCursor(NULL);
        rt_cursor_calls_end(fs->window);
        rt_screen_set_whole(fs->window, false);
        if (!fs->leaves_window && IsWindow(fs->window)) {
            if (had_frame)
                put_styles_back(fs);
            SetWindowPos(fs->window, HWND_NOTOPMOST, fs->rect.left, fs->rect.top, fs->rect.right - fs->rect.left,
                         fs->rect.bottom - fs->rect.top,
                         SWP_NOACTIVATE | (had_frame ? SWP_FRAMECHANGED : SWP_NOMOVE | SWP_NOSIZE));
        }
    }
    unhook(fs);
    fs->status = RT_DEVICE_OPERATIONAL;
}

/* --- the end, and questions ------------------------------------------------------------- */

void rt_fullscreen_leave(struct rt_fullscreen *fs, bool lower)
{
    UINT flags = SWP_FRAMECHANGED | SWP_NOACTIVATE;

    if (fs->policy == RT_WINDOW_EXCLUSIVE) {
        leave_exclusive(fs);
        return;
    }
    if (fs->active) {
        if (fs->policy == RT_WINDOW_COVER || !is_in_place(fs))
            flags |= SWP_NOMOVE | SWP_NOSIZE;
        fs->active = false;
        rt_cursor_calls_end(fs->window);
        InterlockedIncrement(&fs->filtering);
        if (fs->screen == RT_SCREEN_MODE)
            rt_mode_restore(fs->adapter);
        if (fs->policy != RT_WINDOW_LEAVE && IsWindow(fs->window)) {
            lower = (lower || fs->raised) && !(fs->ex_style & WS_EX_TOPMOST);
            fs->raised = false;
            if (!lower)
                flags |= SWP_NOZORDER;
            put_styles_back(fs);
            SetWindowPos(fs->window, HWND_NOTOPMOST, fs->rect.left, fs->rect.top, fs->rect.right - fs->rect.left,
                         fs->rect.bottom - fs->rect.top, flags);
        }
        InterlockedDecrement(&fs->filtering);
    }
    unhook(fs);
}

enum rt_device_status rt_fullscreen_status(struct rt_fullscreen *fs)
{
    D3DDISPLAYMODE mode;

    if (fs->active && fs->screen == RT_SCREEN_MODE && fs->status == RT_DEVICE_OPERATIONAL &&
        rt_mode_current(fs->adapter, &mode) && (mode.Width != fs->width || mode.Height != fs->height) &&
        rt_mode_exists(fs->adapter, fs->width, fs->height, mode.Format))
        fs->status = RT_DEVICE_NOT_RESET;
    /* A destroyed window does not get the focus back: without this, no Reset would ever be allowed. */
    if (fs->status == RT_DEVICE_LOST && !IsWindow(fs->focus))
        fs->status = RT_DEVICE_NOT_RESET;
    return (enum rt_device_status)fs->status;
}

enum rt_device_status rt_fullscreen_frame_status(struct rt_fullscreen *fs)
{
    return InterlockedExchange(&fs->display_changed, 0) ? rt_fullscreen_status(fs) : (enum rt_device_status)fs->status;
}

bool rt_fullscreen_mode(const struct rt_fullscreen *fs, unsigned adapter, D3DDISPLAYMODE *mode)
{
    if (!rt_mode_current(adapter, mode))
        return false;
    if (fs->active && fs->screen != RT_SCREEN_MODE && adapter == fs->adapter) {
        mode->Width = fs->width;
        mode->Height = fs->height;
        mode->Format = (D3DFORMAT)fs->format;
    }
    return true;
}

POINT rt_fullscreen_position(const struct rt_fullscreen *fs, POINT at)
{
    return fs->active && fs->screen != RT_SCREEN_MODE ? rt_screen_position(fs->window, fs->width, fs->height, at) : at;
}
