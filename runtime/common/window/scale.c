/* SPDX-License-Identifier: MIT */
/* Places a picture in an area and makes its pixels in the new size. */
#include "runtime/common/window/scale.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* --- sizes ----------------------------------------------------------------------------- */

bool rt_scale_parse_size(const char *text, unsigned width, unsigned height, SIZE *size)
{
    char *end = NULL;
    unsigned long first = *text ? strtoul(text, &end, 10) : 1, second;

    if (*text && (*text < '0' || *text > '9' || *end != 'x' || !first || first > RT_SCALE_MOST))
        return false;
    if (!*text || !end[1]) {
        *size = (SIZE){(LONG)BASE_MIN(first * width, RT_SCALE_MOST), (LONG)BASE_MIN(first * height, RT_SCALE_MOST)};
        return true;
    }
    text = end + 1;
    second = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || !second || second > RT_SCALE_MOST)
        return false;
    *size = (SIZE){(LONG)first, (LONG)second};
    return true;
}

/* --- place ----------------------------------------------------------------------------- */

static RECT centred(const RECT *area, LONG width, LONG height)
{
    const LONG left = area->left + (area->right - area->left - width) / 2;
    const LONG top = area->top + (area->bottom - area->top - height) / 2;

    return (RECT){left, top, left + width, top + height};
}

RECT rt_scale_place(enum rt_scale_fit fit, unsigned width, unsigned height, const RECT *area)
{
    const int64_t room_x = (int64_t)area->right - area->left, room_y = (int64_t)area->bottom - area->top;

    if (fit == RT_SCALE_STRETCH || !width || !height || room_x <= 0 || room_y <= 0)
        return *area;
    if (fit == RT_SCALE_INTEGER) {
        const int64_t times = BASE_MIN(room_x / width, room_y / height);

        if (times)
            return centred(area, (LONG)(times * width), (LONG)(times * height));
    }
    if (room_x * height <= room_y * width)
        return centred(area, (LONG)room_x, (LONG)BASE_MAX((room_x * height + width / 2) / width, 1));
    return centred(area, (LONG)BASE_MAX((room_y * width + height / 2) / height, 1), (LONG)room_y);
}

enum rt_scale_fit rt_scale_fit(void)
{
    const char *fit = config_string("scale");

    return !strcmp(fit, "aspect") ? RT_SCALE_ASPECT : !strcmp(fit, "integer") ? RT_SCALE_INTEGER : RT_SCALE_STRETCH;
}

enum rt_scale_filter rt_scale_filter(void)
{
    const char *filter = config_string("scale_filter");

    return !strcmp(filter, "linear") ? RT_SCALE_LINEAR : !strcmp(filter, "sharp") ? RT_SCALE_SHARP : RT_SCALE_NEAREST;
}

static LONG scale_back(LONG at, LONG from, LONG to, unsigned size)
{
    const int64_t room = (int64_t)to - from;

    if (room <= 0 || !size)
        return 0;
    return (LONG)BASE_MAX(0, BASE_MIN(((int64_t)at - from) * size / room, (int64_t)size - 1));
}

POINT rt_scale_pixel(const RECT *place, unsigned width, unsigned height, POINT at)
{
    return (POINT){scale_back(at.x, place->left, place->right, width),
                   scale_back(at.y, place->top, place->bottom, height)};
}

static LONG scale_up(LONG at, LONG from, LONG to, unsigned size)
{
    const int64_t room = (int64_t)to - from, twice = 2 * (int64_t)at + 1;

    return size ? (LONG)BASE_MAX(INT32_MIN, BASE_MIN(from + (twice * room - (twice < 0 ? 2 * (int64_t)size - 1 : 0)) /
                                                                (2 * (int64_t)size),
                                                     INT32_MAX))
                : from;
}

POINT rt_scale_position(const RECT *place, unsigned width, unsigned height, POINT at)
{
    return (POINT){scale_up(at.x, place->left, place->right, width), scale_up(at.y, place->top, place->bottom, height)};
}

/* --- pixels ---------------------------------------------------------------------------- */

/* The sources of one column or row: two neighbours, and the second one's weight in 1/256. */
struct scale_tap {
    uint32_t first, second, weight;
};

/* Position i of `size` in a line of `count` pixels, each repeated `times` times. */
static struct scale_tap blended_tap(uint32_t i, uint32_t size, uint32_t count, uint32_t times)
{
    const int64_t repeated = (int64_t)count * times;
    const int64_t at = BASE_MAX(0, (2 * (int64_t)i + 1) * repeated * 128 / size - 128); /* the centre, in 1/256 */
    const uint32_t first = (uint32_t)(at >> 8), second = (uint32_t)BASE_MIN((at >> 8) + 1, repeated - 1);
    struct scale_tap tap = {first / times, second / times, (uint32_t)(at & 255)};

    if (tap.first == tap.second)
        tap.weight = 0;
    return tap;
}

static struct scale_tap make_tap(enum rt_scale_filter filter, uint32_t i, uint32_t size, uint32_t count)
{
    const uint32_t nearest = (uint32_t)((2 * (uint64_t)i + 1) * count / (2 * (uint64_t)size));

    if (filter == RT_SCALE_NEAREST)
        return (struct scale_tap){nearest, nearest, 0};
    return blended_tap(i, size, count, filter == RT_SCALE_SHARP ? BASE_MAX(size / count, 1u) : 1);
}

static uint32_t blend(uint32_t a, uint32_t b, uint32_t weight)
{
    const uint32_t red_blue = (a & 0xff00ff) * (256 - weight) + (b & 0xff00ff) * weight + 0x800080;
    const uint32_t green = (a >> 8 & 0xff) * (256 - weight) + (b >> 8 & 0xff) * weight + 0x80;

    return (red_blue >> 8 & 0xff00ff) | (green & 0xff00);
}

struct scale_job {
    const struct rt_picture *picture;
    const uint8_t *bits; /* of the part's first pixel */
    const struct scale_tap *columns;
    unsigned width;
};

/* One row of the part in the new width. */
static void scale_row(const struct scale_job *job, uint32_t y, uint32_t *row)
{
    const uint32_t format = job->picture->format;
    const unsigned bytes = rt_picture_bytes(format);
    const uint8_t *from = job->bits + y * job->picture->pitch;

    for (unsigned x = 0; x < job->width; x++) {
        const struct scale_tap tap = job->columns[x];

        row[x] = blend(rt_pixel_rgb(from + (size_t)tap.first * bytes, format),
                       rt_pixel_rgb(from + (size_t)tap.second * bytes, format), tap.weight);
    }
}

/* Rows in the new width are made once each: `held` says which ones the two buffers hold. Returns the buffer of row y,
 * and leaves that of `kept` alone. */
static uint32_t *find_row(const struct scale_job *job, uint32_t *rows[2], int64_t held[2], uint32_t y, int64_t kept)
{
    unsigned k = held[1] == y;

    if (held[k] != y) {
        k = held[0] == kept;
        scale_row(job, y, rows[k]);
        held[k] = y;
    }
    return rows[k];
}

static void scale_rows(const struct scale_job *job, const struct scale_tap *taps, unsigned height, uint32_t *rows[2],
                       uint32_t *out)
{
    int64_t held[2] = {-1, -1};

    for (unsigned y = 0; y < height; y++, out += job->width) {
        const uint32_t *first = find_row(job, rows, held, taps[y].first, taps[y].second);
        const uint32_t *second = find_row(job, rows, held, taps[y].second, taps[y].first);
        const uint32_t weight = taps[y].weight;

        if (!weight) {
            memcpy(out, first, job->width * sizeof(*out));
            continue;
        }
        for (unsigned x = 0; x < job->width; x++)
            out[x] = blend(first[x], second[x], weight);
    }
}

static bool reserve(struct rt_scaler *scaler, size_t bytes)
{
    if (scaler->bytes >= bytes)
        return true;
    free(scaler->memory);
    scaler->memory = malloc(bytes);
    scaler->bytes = scaler->memory ? bytes : 0;
    return scaler->memory != NULL;
}

bool rt_scale_picture(struct rt_scaler *scaler, enum rt_scale_filter filter, const struct rt_picture *picture,
                      const RECT *part, unsigned width, unsigned height, struct rt_picture *scaled)
{
    const LONG columns = part->right - part->left, rows = part->bottom - part->top;
    const size_t pixels = ((size_t)height + 2) * width, taps = (size_t)width + height;
    struct scale_job job = {picture, NULL, NULL, width};
    uint32_t *out, *row[2];
    struct scale_tap *tap;

    if (!width || !height || width > INT16_MAX || height > INT16_MAX || columns <= 0 || rows <= 0 ||
        !reserve(scaler, pixels * sizeof(*out) + taps * sizeof(*tap)))
        return false;
    out = (uint32_t *)scaler->memory;
    row[0] = out + (size_t)width * height;
    row[1] = row[0] + width;
    tap = (struct scale_tap *)(row[1] + width);
    for (unsigned x = 0; x < width; x++)
        tap[x] = make_tap(filter, x, width, (uint32_t)columns);
    for (unsigned y = 0; y < height; y++)
        tap[width + y] = make_tap(filter, y, height, (uint32_t)rows);
    job.bits =
        picture->bits + (size_t)part->top * picture->pitch + (size_t)part->left * rt_picture_bytes(picture->format);
    job.columns = tap;
    scale_rows(&job, tap + width, height, row, out);
    *scaled = (struct rt_picture){scaler->memory, (size_t)width * sizeof(*out), width, height, D3DFMT_X8R8G8B8};
    return true;
}

void rt_scaler_free(struct rt_scaler *scaler)
{
    free(scaler->memory);
    *scaler = (struct rt_scaler){0};
}
