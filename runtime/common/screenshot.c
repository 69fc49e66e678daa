/* SPDX-License-Identifier: MIT */
/* Pictures of frames as PNG files: 24-bit, deflated in one piece. Format: RFC 2083. */
#include "runtime/common/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/base.h"
#include "base/frames.h"
#include "base/output.h"

bool rt_screenshot_wanted(uint32_t frame)
{
    const char *text = config_string("screenshot_frames");
    struct frame_range range;

    if (!text[0])
        return false;
    if (!frame_range_parse(&range, text)) {
        log_once(LOG_WARN, 0, "screenshot_frames=%s is no list of frames like 10,101-200", text);
        return false;
    }
    return frame_range_has(&range, frame);
}

static void put_u32(uint8_t *to, uint32_t v)
{
    to[0] = (uint8_t)(v >> 24);
    to[1] = (uint8_t)(v >> 16);
    to[2] = (uint8_t)(v >> 8);
    to[3] = (uint8_t)v;
}

static bool write_chunk(FILE *file, const char type[4], const uint8_t *data, size_t size)
{
    uint8_t head[8], tail[4];
    uLong crc;

    put_u32(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    crc = crc32(crc32(0, NULL, 0), head + 4, 4);
    if (size) /* zlib takes NULL as a wish to start anew */
        crc = crc32(crc, data, (uInt)size);
    put_u32(tail, (uint32_t)crc);
    return fwrite(head, 1, 8, file) == 8 && (!size || fwrite(data, 1, size, file) == size) &&
           fwrite(tail, 1, 4, file) == 4;
}

/* Rows as PNG has them: a filter byte (0: none), then R, G, B. */
static uint8_t *make_rows(const struct rt_picture *picture, size_t *size)
{
    size_t row = 1 + 3 * (size_t)picture->width;
    uint8_t *rows = mem_calloc(picture->height, row), *to = rows;
    unsigned bytes = rt_picture_bytes(picture->format);

    *size = row * picture->height;
    for (unsigned y = 0; rows && y < picture->height; y++) {
        const uint8_t *from = picture->bits + y * picture->pitch;
        *to++ = 0;
        for (unsigned x = 0; x < picture->width; x++, from += bytes, to += 3) {
            uint32_t rgb = rt_pixel_rgb(from, picture->format);
            to[0] = (uint8_t)(rgb >> 16);
            to[1] = (uint8_t)(rgb >> 8);
            to[2] = (uint8_t)rgb;
        }
    }
    return rows;
}

static bool write_png(FILE *file, const struct rt_picture *picture)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {[8] = 8 /* bits */, [9] = 2 /* RGB */};
    size_t size;
    uint8_t *rows = make_rows(picture, &size);
    uLongf packed_size = compressBound((uLong)size);
    uint8_t *packed = malloc(packed_size);
    bool ok = rows && packed && compress2(packed, &packed_size, rows, (uLong)size, 3) == Z_OK;

    put_u32(header, picture->width);
    put_u32(header + 4, picture->height);
    ok = ok && fwrite(signature, 1, sizeof(signature), file) == sizeof(signature) &&
         write_chunk(file, "IHDR", header, sizeof(header)) &&
         write_chunk(file, "IDAT", packed, packed_size) && write_chunk(file, "IEND", NULL, 0);
    free(packed);
    free(rows);
    return ok;
}

bool rt_screenshot_write(const struct rt_picture *picture, uint32_t frame)
{
    struct output output;
    char path[1024];
    bool ok;

    snprintf(path, sizeof(path), "%s-%06u.png", config_string("screenshot_path"), (unsigned)frame);
    errno = 0;
    ok = output_open(&output, path, OUTPUT_REPLACE);
    if (ok && !write_png(output.file, picture)) {
        int why = errno;
        output_discard(&output);
        errno = why;
        ok = false;
    } else if (ok) {
        ok = output_commit(&output);
    }
    if (ok)
        log_info("screenshot: %s", path);
    else
        log_once(LOG_ERROR, 0, "screenshot: %s cannot be written: %s", path, strerror(errno ? errno : EIO));
    return ok;
}
