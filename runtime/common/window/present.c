/* SPDX-License-Identifier: MIT */
/* A picture into a window by GDI. */
#include "runtime/common/window/present.h"

#include <d3d8.h>

#include "base/base.h"

struct bitmap_info {
    BITMAPINFOHEADER header;
    DWORD masks[3];
};

static void describe_bitmap(struct bitmap_info *info, const struct rt_picture *picture)
{
    unsigned bytes = rt_picture_bytes(picture->format);

    memset(info, 0, sizeof(*info));
    info->header.biSize = sizeof(info->header);
    /* GDI derives the pitch from the width, so the width is that of a whole row with padding. */
    info->header.biWidth = (LONG)(picture->pitch / bytes);
    info->header.biHeight = -(LONG)picture->height;
    info->header.biPlanes = 1;
    info->header.biBitCount = (WORD)(bytes * 8);
    info->header.biCompression = BI_RGB;
    if (picture->format == D3DFMT_R5G6B5) {
        info->header.biCompression = BI_BITFIELDS;
        info->masks[0] = 0xf800;
        info->masks[1] = 0x07e0;
        info->masks[2] = 0x001f;
    }
}

/* --- the picture ----------------------------------------------------------------------- */

static bool is_identity(const D3DGAMMARAMP *gamma)
{
    for (unsigned i = 0; i < 256; i++)
        if (gamma->red[i] >> 8 != i || gamma->green[i] >> 8 != i || gamma->blue[i] >> 8 != i)
            return false;
    return true;
}

/* Makes *picture a copy that may be drawn on. */
static bool copy_picture(struct rt_presenter *presenter, struct rt_picture *picture)
{
    const size_t room = picture->pitch * picture->height;
    /* no more than that is there: the picture may be a part of a larger one */
    const size_t bytes = room ? room - picture->pitch + (size_t)picture->width * rt_picture_bytes(picture->format) : 0;

    if (presenter->copy_bytes < room) {
        free(presenter->copy);
        presenter->copy = malloc(room);
        presenter->copy_bytes = presenter->copy ? room : 0;
    }
    if (!presenter->copy)
        return false;
    memcpy(presenter->copy, picture->bits, bytes);
    picture->bits = presenter->copy;
    return true;
}

static void apply_gamma(const struct rt_picture *picture, const D3DGAMMARAMP *gamma)
{
    unsigned bytes = rt_picture_bytes(picture->format);

    for (unsigned y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture->bits + y * picture->pitch;
        for (unsigned x = 0; x < picture->width; x++, pixel += bytes) {
            uint32_t rgb = rt_pixel_rgb(pixel, picture->format);
            rt_pixel_set(pixel, picture->format,
                         (uint32_t)(gamma->red[rgb >> 16] >> 8) << 16 |
                             (uint32_t)(gamma->green[rgb >> 8 & 255] >> 8) << 8 | gamma->blue[rgb & 255] >> 8);
        }
    }
}

/* Prepares the picture for showing: gamma, then a screenshot, then figures. */
static void prepare_picture(struct rt_presenter *presenter, const struct rt_presentation *frame,
                            struct rt_picture *picture)
{
    bool gamma = frame->gamma && !is_identity(frame->gamma);

    if (gamma && copy_picture(presenter, picture))
        apply_gamma(picture, frame->gamma);
    if (presenter->screenshots && rt_screenshot_wanted(frame->number))
        rt_screenshot_write(picture, frame->number);
    if (!frame->counts)
        return;
    rt_hud_update(&presenter->hud, presenter->hud_items, frame->counts, clock_seconds());
    if (gamma || copy_picture(presenter, picture))
        rt_hud_draw(&presenter->hud, presenter->hud_items, picture);
}

/* --- the window ------------------------------------------------------------------------ */

static HDC window_dc(struct rt_presenter *presenter, HWND window, bool has_frame)
{
    if (presenter->dc && presenter->dc_window == window && presenter->dc_has_frame == has_frame)
        return presenter->dc;
    if (presenter->dc)
        ReleaseDC(presenter->dc_window, presenter->dc);
    presenter->dc = has_frame ? GetWindowDC(window) : GetDC(window);
    presenter->dc_window = window;
    presenter->dc_has_frame = has_frame;
    return presenter->dc;
}

static bool same_size(const RECT *a, const RECT *b)
{
    return a->right - a->left == b->right - b->left && a->bottom - a->top == b->bottom - b->top;
}

/* GDI counts the source's y from the bottom even of a top-down bitmap. */
void rt_show_rect(HDC dc, const struct rt_picture *p, const RECT *from, const RECT *to)
{
    struct bitmap_info info;

    describe_bitmap(&info, p);
    SetDIBitsToDevice(dc, to->left, to->top, (DWORD)(to->right - to->left), (DWORD)(to->bottom - to->top), from->left,
                      (int)p->height - from->bottom, 0, p->height, p->bits, (BITMAPINFO *)&info, DIB_RGB_COLORS);
}

/* The same in another size. The system's stretching is the nearest filter. */
static void show_scaled(struct rt_presenter *presenter, HDC dc, const struct rt_picture *p, const RECT *from,
                        const RECT *to)
{
    const int width = to->right - to->left, height = to->bottom - to->top;
    struct bitmap_info info;
    struct rt_picture scaled;
    const RECT all = {0, 0, width, height};

    if (presenter->filter != RT_SCALE_NEAREST && width > 0 && height > 0 &&
        rt_scale_picture(&presenter->scaler, presenter->filter, p, from, (unsigned)width, (unsigned)height, &scaled)) {
        rt_show_rect(dc, &scaled, &all, to);
        return;
    }
    describe_bitmap(&info, p);
    SetStretchBltMode(dc, COLORONCOLOR);
    StretchDIBits(dc, to->left, to->top, width, height, from->left, from->top, from->right - from->left,
                  from->bottom - from->top, p->bits, (BITMAPINFO *)&info, DIB_RGB_COLORS, SRCCOPY);
}

/* Blackens what the picture's place leaves of the window. */
static void show_bars(HDC dc, const RECT *window, const RECT *place)
{
    const RECT bars[] = {{window->left, window->top, window->right, place->top},
                         {window->left, place->bottom, window->right, window->bottom},
                         {window->left, place->top, place->left, place->bottom},
                         {place->right, place->top, window->right, place->bottom}};

    for (unsigned i = 0; i < ARRAY_COUNT(bars); i++)
        if (!IsRectEmpty(&bars[i]))
            PatBlt(dc, bars[i].left, bars[i].top, bars[i].right - bars[i].left, bars[i].bottom - bars[i].top,
                   BLACKNESS);
}

/* Only the parts that the program reports as changed, unless the picture is scaled. */
static void show_dirty(HDC dc, const struct rt_picture *p, const RECT *from, const RECT *to, const RGNDATA *dirty)
{
    const RECT *rects = (const RECT *)dirty->Buffer;

    for (DWORD i = 0; i < dirty->rdh.nCount; i++) {
        RECT part, place;
        if (!IntersectRect(&part, &rects[i], from))
            continue;
        place = part;
        OffsetRect(&place, to->left - from->left, to->top - from->top);
        rt_show_rect(dc, p, &part, &place);
    }
}

bool rt_present(struct rt_presenter *presenter, HWND window, const struct rt_presentation *frame)
{
    struct rt_picture p = frame->picture;
    RECT from = {0, 0, (LONG)p.width, (LONG)p.height}, area, to;
    HDC dc;

    if (!IsWindow(window)) {
        if (presenter->dc_window == window)
            presenter->dc = NULL; /* it was freed with its window */
        return false;
    }
    if (frame->source)
        from = *frame->source;
    if (!frame->over_frame)
        GetClientRect(window, &area);
    else if (GetWindowRect(window, &area))
        OffsetRect(&area, -area.left, -area.top);
    to = frame->destination ? *frame->destination : rt_scale_place(presenter->fit, frame->width, frame->height, &area);
    prepare_picture(presenter, frame, &p);
    dc = window_dc(presenter, window, frame->over_frame);
    if (!dc)
        return true;
    if (!frame->destination)
        show_bars(dc, &area, &to);
    if (!same_size(&from, &to))
        show_scaled(presenter, dc, &p, &from, &to);
    else if (frame->dirty && !frame->counts)
        show_dirty(dc, &p, &from, &to, frame->dirty);
    else
        rt_show_rect(dc, &p, &from, &to);
    return true;
}

void rt_presenter_init(struct rt_presenter *presenter)
{
    presenter->hud_items = rt_hud_items();
    presenter->screenshots = config_string("screenshot_frames")[0] != 0;
    presenter->fit = rt_scale_fit();
    presenter->filter = rt_scale_filter();
    rt_capture_key_init(&presenter->capture_key);
}

void rt_presenter_free(struct rt_presenter *presenter)
{
    if (presenter->dc)
        ReleaseDC(presenter->dc_window, presenter->dc);
    free(presenter->copy);
    rt_scaler_free(&presenter->scaler);
    memset(presenter, 0, sizeof(*presenter));
}

bool rt_grab_screen(HMONITOR monitor, uint8_t *bits, size_t pitch, unsigned width, unsigned height)
{
    BITMAPINFO info = {.bmiHeader = {.biSize = sizeof(BITMAPINFOHEADER),
                                     .biWidth = (LONG)width,
                                     .biHeight = -(LONG)height,
                                     .biPlanes = 1,
                                     .biBitCount = 32}};
    MONITORINFO where = {.cbSize = sizeof(where)};
    HDC screen = GetDC(NULL), memory = CreateCompatibleDC(screen);
    HBITMAP bitmap = NULL;
    void *data = NULL;

    if (screen && memory)
        bitmap = CreateDIBSection(screen, &info, DIB_RGB_COLORS, &data, NULL, 0);
    if (bitmap) {
        HGDIOBJ old = SelectObject(memory, bitmap);
        if (monitor)
            GetMonitorInfoW(monitor, &where);
        BitBlt(memory, 0, 0, (int)width, (int)height, screen, where.rcMonitor.left, where.rcMonitor.top, SRCCOPY);
        GdiFlush();
        for (unsigned y = 0; y < height; y++)
            memcpy(bits + y * pitch, (uint8_t *)data + (size_t)y * width * 4, (size_t)width * 4);
        SelectObject(memory, old);
        DeleteObject(bitmap);
    }
    DeleteDC(memory);
    ReleaseDC(NULL, screen);
    return bitmap != NULL;
}
