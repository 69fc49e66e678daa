/* SPDX-License-Identifier: MIT */
#include "runtime/common/present.h"

#include <d3d8.h>

#include "base/base.h"

struct bitmap_info {
    BITMAPINFOHEADER header;
    DWORD masks[3];
};

static unsigned pixel_bytes(uint32_t format)
{
    return format == D3DFMT_X8R8G8B8 || format == D3DFMT_A8R8G8B8 ? 4 : 2;
}

static void describe(struct bitmap_info *info, const struct rt_picture *picture)
{
    unsigned bytes = pixel_bytes(picture->format);

    memset(info, 0, sizeof(*info));
    info->header.biSize = sizeof(info->header);
    /* GDI derives the pitch from the width, so the width is that of whole rows. */
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

static bool is_identity(const D3DGAMMARAMP *gamma)
{
    for (unsigned i = 0; i < 256; i++) {
        if (gamma->red[i] >> 8 != i || gamma->green[i] >> 8 != i || gamma->blue[i] >> 8 != i)
            return false;
    }
    return true;
}

/* 32-bit pictures only: a windowed program gets its ramp too, which hardware of the time could not.
 */
static bool apply_gamma(struct rt_presenter *presenter, struct rt_picture *picture,
                        const D3DGAMMARAMP *gamma)
{
    size_t bytes = picture->pitch * picture->height;

    if (presenter->gamma_bytes < bytes) {
        free(presenter->gamma_copy);
        presenter->gamma_copy = mem_calloc(1, bytes);
        presenter->gamma_bytes = presenter->gamma_copy ? bytes : 0;
        if (!presenter->gamma_copy)
            return false;
    }
    for (unsigned y = 0; y < picture->height; y++) {
        const uint8_t *s = picture->bits + y * picture->pitch;
        uint8_t *d = presenter->gamma_copy + y * picture->pitch;
        for (unsigned x = 0; x < picture->width; x++, s += 4, d += 4) {
            d[0] = (uint8_t)(gamma->blue[s[0]] >> 8);
            d[1] = (uint8_t)(gamma->green[s[1]] >> 8);
            d[2] = (uint8_t)(gamma->red[s[2]] >> 8);
        }
    }
    picture->bits = presenter->gamma_copy;
    return true;
}

static HDC window_dc(struct rt_presenter *presenter, HWND window)
{
    if (presenter->dc && presenter->dc_window == window)
        return presenter->dc;
    if (presenter->dc)
        ReleaseDC(presenter->dc_window, presenter->dc);
    presenter->dc = GetDC(window);
    presenter->dc_window = window;
    return presenter->dc;
}

bool rt_present(struct rt_presenter *presenter, HWND window, const struct rt_picture *picture,
                const RECT *source, const RECT *destination, const D3DGAMMARAMP *gamma)
{
    struct rt_picture p = *picture;
    struct bitmap_info info;
    RECT from = {0, 0, (LONG)p.width, (LONG)p.height}, to;
    int width, height;
    HDC dc;

    if (!IsWindow(window))
        return false;
    if (source)
        from = *source;
    if (destination)
        to = *destination;
    else
        GetClientRect(window, &to);
    dc = window_dc(presenter, window);
    if (!dc)
        return true;
    if (gamma && pixel_bytes(p.format) == 4 && !is_identity(gamma))
        apply_gamma(presenter, &p, gamma);
    describe(&info, &p);
    width = to.right - to.left;
    height = to.bottom - to.top;
    if (width == from.right - from.left && height == from.bottom - from.top) {
        /* Of a top-down bitmap GDI still counts the source's y from the bottom. */
        SetDIBitsToDevice(dc, to.left, to.top, (DWORD)width, (DWORD)height, from.left,
                          (int)p.height - from.bottom, 0, p.height, p.bits, (BITMAPINFO *)&info,
                          DIB_RGB_COLORS);
        return true;
    }
    SetStretchBltMode(dc, COLORONCOLOR);
    StretchDIBits(dc, to.left, to.top, width, height, from.left, from.top, from.right - from.left,
                  from.bottom - from.top, p.bits, (BITMAPINFO *)&info, DIB_RGB_COLORS, SRCCOPY);
    return true;
}

void rt_presenter_free(struct rt_presenter *presenter)
{
    if (presenter->dc)
        ReleaseDC(presenter->dc_window, presenter->dc);
    free(presenter->gamma_copy);
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
        BitBlt(memory, 0, 0, (int)width, (int)height, screen, where.rcMonitor.left,
               where.rcMonitor.top, SRCCOPY);
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
