/* SPDX-License-Identifier: MIT */
/* Pictures of frames as PNG files, 24-bit, by stb_image_write and zlib. */
#include "runtime/common/window/picture.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/base.h"
#include "base/frames.h"
#include "base/output.h"

#define ZLIB_LEVEL 4 /* higher ones take two to ten times as long for a tenth of the size */

/* Called by the library to deflate; the library frees the result. Its own deflate compresses less, and its level is
 * a global. */
static unsigned char *deflate_rows(unsigned char *rows, int size, int *packed_size, int level)
{
    uLongf length = compressBound((uLong)size);
    unsigned char *packed = malloc(length);

    (void)level;
    if (packed && compress2(packed, &length, rows, (uLong)size, ZLIB_LEVEL) != Z_OK) {
        free(packed);
        packed = NULL;
    }
    *packed_size = (int)length;
    return packed;
}

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBIW_ZLIB_COMPRESS deflate_rows
#include <stb_image_write.h>

bool rt_screenshot_wanted(uint32_t frame)
{
    const char *text = config_string("screenshot_frames");
    struct frame_range range;

    if (!text[0])
        return false;
    if (!frame_range_parse(&range, text)) {
        log_once(LOG_WARN, 0, "screenshot_frames=%s is not a list of frames like 10,101-200", text);
        return false;
    }
    return frame_range_has(&range, frame);
}

/* Rows of R, G, B bytes, as stb_image_write takes them. */
static uint8_t *make_rows(const struct rt_picture *picture)
{
    uint8_t *rows = mem_calloc(picture->height, 3 * (size_t)picture->width), *to = rows;
    unsigned bytes = rt_picture_bytes(picture->format);

    for (unsigned y = 0; rows && y < picture->height; y++) {
        const uint8_t *from = picture->bits + y * picture->pitch;
        for (unsigned x = 0; x < picture->width; x++, from += bytes, to += 3) {
            uint32_t rgb = rt_pixel_rgb(from, picture->format);
            to[0] = (uint8_t)(rgb >> 16);
            to[1] = (uint8_t)(rgb >> 8);
            to[2] = (uint8_t)rgb;
        }
    }
    return rows;
}

struct sink {
    FILE *file;
    bool failed;
};

static void put_bytes(void *context, void *data, int size)
{
    struct sink *sink = context;

    sink->failed |= fwrite(data, 1, (size_t)size, sink->file) != (size_t)size;
}

static bool write_png(FILE *file, const struct rt_picture *picture)
{
    const uint64_t size = (uint64_t)picture->height * (3 * (uint64_t)picture->width + 1);
    struct sink sink = {.file = file};
    uint8_t *rows;
    bool done;

    if (size > INT_MAX / 2) { /* the library counts bytes in an int, and incompressible ones grow */
        errno = EFBIG;
        return false;
    }
    rows = make_rows(picture);
    done = rows && stbi_write_png_to_func(put_bytes, &sink, (int)picture->width, (int)picture->height, 3, rows, 0);
    free(rows);
    if (!done)
        errno = ENOMEM;
    return done && !sink.failed;
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
