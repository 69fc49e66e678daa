/* SPDX-License-Identifier: MIT */
/* Conversion of visible surfaces, row by row, where something has changed. */
#include "runtime/ddraw/rules/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/format.h"

#define FULL_ALPHA 0xff000000u

/* --- rows ---------------------------------------------------------------------------------------- */

bool ddraw_can_show(uint32_t format)
{
    switch (format) {
    case D3D_FORMAT_P8:
    case D3D_FORMAT_R5G6B5:
    case D3D_FORMAT_X1R5G5B5:
    case D3D_FORMAT_A1R5G5B5:
    case D3D_FORMAT_R8G8B8:
    case D3D_FORMAT_X8R8G8B8:
    case D3D_FORMAT_A8R8G8B8:
        return true;
    default:
        return false;
    }
}

void ddraw_show_row(uint32_t *out, const uint8_t *row, unsigned width, uint32_t format, const uint32_t words[256])
{
    switch (format) {
    case D3D_FORMAT_P8:
        for (unsigned x = 0; x < width; x++)
            out[x] = words[row[x]];
        break;
    case D3D_FORMAT_R8G8B8:
        for (unsigned x = 0; x < width; x++, row += 3)
            out[x] = FULL_ALPHA | (uint32_t)row[2] << 16 | (uint32_t)row[1] << 8 | row[0];
        break;
    default: /* those of rt_picture */
        for (unsigned x = 0, bytes = rt_picture_bytes(format); x < width; x++, row += bytes)
            out[x] = FULL_ALPHA | rt_pixel_rgb(row, format);
        break;
    }
}

/* --- the picture ------------------------------------------------------------------------------------ */

void ddraw_shown_free(struct ddraw_shown *shown)
{
    free(shown->rows);
    free(shown->pixels);
    *shown = (struct ddraw_shown){0};
}

/* New buffers if the surface is another one than last time. */
static bool take_shape(struct ddraw_shown *shown, const struct ddraw_front *front)
{
    const size_t row_bytes = (size_t)ddraw_row_bytes(front->format, front->width);

    if (shown->rows && shown->width == front->width && shown->height == front->height && shown->format == front->format)
        return true;
    ddraw_shown_free(shown);
    if (!ddraw_can_show(front->format) || !front->width || !front->height || front->width > UINT16_MAX ||
        front->height > UINT16_MAX)
        return false;
    shown->rows = mem_calloc(front->height, row_bytes);
    /* below 2^18 bytes a row; one more, because GDI counts whole rows from the corner of a part */
    shown->pixels = mem_calloc(front->height + 1, front->width * sizeof(shown->pixels[0]));
    if (!shown->rows || !shown->pixels) {
        ddraw_shown_free(shown);
        return false;
    }
    shown->width = front->width;
    shown->height = front->height;
    shown->format = front->format;
    shown->row_bytes = row_bytes;
    return true;
}

/* True: the palette of a P8 surface is another one, so that all pixels are. */
static bool take_palette(struct ddraw_shown *shown, const struct ddraw_front *front)
{
    uint32_t words[256];

    if (front->format != D3D_FORMAT_P8)
        return false;
    for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
        words[i] = front->words ? front->words[i] : FULL_ALPHA;
    if (!memcmp(words, shown->words, sizeof(words)))
        return false;
    memcpy(shown->words, words, sizeof(words));
    return true;
}

static bool take_row(struct ddraw_shown *shown, const struct ddraw_front *front, unsigned y, bool anyway)
{
    const uint8_t *row = front->bits + y * front->pitch;
    uint8_t *kept = shown->rows + y * shown->row_bytes;

    if (!anyway && !memcmp(row, kept, shown->row_bytes))
        return false;
    memcpy(kept, row, shown->row_bytes);
    ddraw_show_row(shown->pixels + (size_t)y * shown->width, kept, shown->width, shown->format, shown->words);
    return true;
}

bool ddraw_shown_update(struct ddraw_shown *shown, const struct ddraw_front *front, const RECT *rect, unsigned *first,
                        unsigned *end)
{
    unsigned top = 0, bottom = front->height;
    bool all;

    *first = *end = 0;
    if (!take_shape(shown, front))
        return false;
    all = take_palette(shown, front) || !shown->is_valid;
    if (rect && !all) {
        top = (unsigned)BASE_MIN(BASE_MAX(rect->top, 0), (LONG)front->height);
        bottom = (unsigned)BASE_MIN(BASE_MAX(rect->bottom, 0), (LONG)front->height);
    }
    for (unsigned y = top; y < bottom; y++)
        if (take_row(shown, front, y, all)) {
            if (!*end)
                *first = y;
            *end = y + 1;
        }
    shown->is_valid = true;
    return true;
}

struct rt_picture ddraw_shown_picture(const struct ddraw_shown *shown)
{
    return (struct rt_picture){(uint8_t *)shown->pixels, (size_t)shown->width * sizeof(shown->pixels[0]), shown->width,
                               shown->height, D3D_FORMAT_X8R8G8B8};
}

bool ddraw_shown_scaled(const struct ddraw_shown *shown, struct rt_scaler *scaler, const RECT *area, RECT *place,
                        struct rt_picture *scaled)
{
    const struct rt_picture picture = ddraw_shown_picture(shown);
    const RECT all = {0, 0, (LONG)shown->width, (LONG)shown->height};
    int64_t width, height;

    *place = rt_scale_place(rt_scale_fit(), shown->width, shown->height, area);
    width = (int64_t)place->right - place->left;
    height = (int64_t)place->bottom - place->top;
    if (!picture.bits || width <= 0 || height <= 0 || width > INT16_MAX || height > INT16_MAX)
        return false;
    *scaled = picture;
    return (width == picture.width && height == picture.height) ||
           rt_scale_picture(scaler, rt_scale_filter(), &picture, &all, (unsigned)width, (unsigned)height, scaled);
}
