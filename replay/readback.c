/* SPDX-License-Identifier: MIT */
/*
 * The picture that a frame shows, read back through Lock.
 */
#include "replay/internal.h"

#include "base/base.h"
#include "d3d/formats.h"
#include "replay/palette.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A packed colour format: bits and position of each channel (R, G, B, A). */
struct channels {
    uint32_t d3d_format; /* 0: not a displayable format */
    uint8_t bytes;
    uint8_t bits[4], shift[4];
};

static const struct channels formats[] = {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, ...)                                                                                      \
    {D3D_KIND_##kind == D3D_KIND_PACKED && (r) ? (number) : 0, bytes, {r, g, b, a}, {rs, gs, bs, as}},
#include "d3d/formats.def"
};

static bool mask_channel(uint32_t mask, uint8_t *bits, uint8_t *shift)
{
    *bits = mask ? (uint8_t)__builtin_popcount(mask) : 0;
    *shift = mask ? (uint8_t)__builtin_ctz(mask) : 0;
    return *bits <= 8;
}

static bool channels_of(const DDPIXELFORMAT *format, struct channels *channels)
{
    if (format->dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC)) {
        for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
            if (formats[i].d3d_format && formats[i].d3d_format == format->dwFourCC) {
                *channels = formats[i];
                return true;
            }
        }
        return false;
    }
    memset(channels, 0, sizeof(*channels));
    channels->bytes = (uint8_t)(format->dwRGBBitCount / 8);
    return format->dwFlags & DDPF_RGB && channels->bytes >= 2 && channels->bytes <= 4 &&
           mask_channel(format->dwRBitMask, &channels->bits[0], &channels->shift[0]) &&
           mask_channel(format->dwGBitMask, &channels->bits[1], &channels->shift[1]) &&
           mask_channel(format->dwBBitMask, &channels->bits[2], &channels->shift[2]) &&
           mask_channel(format->dwFlags & DDPF_ALPHAPIXELS ? format->dwRGBAlphaBitMask : 0, &channels->bits[3],
                        &channels->shift[3]);
}

static uint32_t picture_expand(uint32_t value, unsigned bits)
{
    const uint32_t max = (1u << bits) - 1;

    return bits ? ((value & max) * 255 + max / 2) / max : 255;
}

static void picture_convert_row(const struct channels *format, const uint8_t *row, uint32_t *pixels, unsigned width)
{
    for (unsigned x = 0; x < width; x++, row += format->bytes) {
        uint32_t raw = 0;
        memcpy(&raw, row, format->bytes);
        pixels[x] = picture_expand(raw >> format->shift[3], format->bits[3]) << 24 |
                    picture_expand(raw >> format->shift[0], format->bits[0]) << 16 |
                    picture_expand(raw >> format->shift[1], format->bits[1]) << 8 |
                    picture_expand(raw >> format->shift[2], format->bits[2]);
    }
}

static void show_indices(const uint32_t colors[256], unsigned bytes, const uint8_t *row, uint32_t *pixels,
                         unsigned width)
{
    for (unsigned x = 0; x < width; x++)
        pixels[x] = colors[row[(size_t)x * bytes]];
}

/* Depth formats: bytes of a texel, and where the bits of the depth are; float32 without any. */
struct depth_bits {
    uint32_t d3d_format;
    uint8_t bytes, bits, shift;
};

/* Floats of 24 bits are not shown. */
#define DEPTH_BITS(number, bytes, depth, is_float)                                                \
    {                                                                                             \
        (depth) && !((is_float) && (depth) < 32) ? (number) : 0, bytes, (is_float) ? 0 : (depth), \
            8 * (bytes) - (depth)                                                                 \
    }

static const struct depth_bits depth_formats[] = {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, ...)                                                                               \
    DEPTH_BITS(number, bytes, depth, D3D_TYPE_##type == D3D_TYPE_FLOAT),
#define VARIANT(number, name, layout, ...) DEPTH_BITS(number, D3D_BYTES_##layout, D3D_DEPTH_##layout, false),
#include "d3d/formats.def"
};

static const struct depth_bits *depth_of_format(const DDPIXELFORMAT *format)
{
    for (unsigned i = 0; i < sizeof(depth_formats) / sizeof(depth_formats[0]); i++)
        if (format->dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC) && depth_formats[i].d3d_format &&
            depth_formats[i].d3d_format == format->dwFourCC)
            return &depth_formats[i];
    return NULL;
}

static float depth_at(const struct depth_bits *format, const uint8_t *texel)
{
    uint32_t raw = 0;
    float depth;

    memcpy(&raw, texel, format->bytes);
    memcpy(&depth, &raw, sizeof(depth));
    if (format->bits)
        return (float)((double)(raw >> format->shift) / (double)((1ull << format->bits) - 1));
    return depth;
}

static void convert_depth_row(const struct depth_bits *format, const struct player_depths *range, const uint8_t *row,
                              uint32_t *pixels, unsigned width)
{
    const double span = (double)range->greatest - (double)range->least;

    for (unsigned x = 0; x < width; x++, row += format->bytes) {
        const double depth = ((double)depth_at(format, row) - (double)range->least) / span;
        const uint32_t grey = depth > 0 ? (uint32_t)((float)(depth < 1 ? depth : 1) * 255 + 0.5f) : 0;
        pixels[x] = 0xff000000u | grey << 16 | grey << 8 | grey;
    }
}

/* The rectangle, cut to the surface. */
static struct capture_rect visible(const struct player_surface *surface, const struct capture_rect *wanted)
{
    struct capture_rect rect = *wanted;

    rect.left = rect.left < 0 ? 0 : rect.left;
    rect.top = rect.top < 0 ? 0 : rect.top;
    rect.right = rect.right > surface->gbl.wWidth ? surface->gbl.wWidth : rect.right;
    rect.bottom = rect.bottom > surface->gbl.wHeight ? surface->gbl.wHeight : rect.bottom;
    return rect;
}

static bool picture_fail(struct capture_error *error, const char *text)
{
    *error = (struct capture_error){.offset = 0};
    strcpy(error->text, text);
    return false;
}

static bool picture_no_memory(struct capture_error *error)
{
    picture_fail(error, "out of memory");
    error->system = ENOMEM;
    return false;
}

/* How the texels of a surface become pixels of a picture. */
struct look {
    unsigned bytes;                 /* of a texel */
    const struct depth_bits *depth; /* NULL: it holds no depth */
    const struct player_depths *depths;
    bool has_indices;
    uint32_t colors[256]; /* of indices */
    struct channels channels;
};

/* False: the surface is not a picture. */
static bool look_at(const struct player *player, const struct player_surface *surface,
                    const struct player_depths *depths, struct look *look)
{
    const DDPIXELFORMAT *format = &surface->gbl.ddpfSurface;

    look->depth = depth_of_format(format);
    look->depths = depths;
    look->has_indices = player_index_bytes(format) != 0;
    look->bytes = look->depth ? look->depth->bytes : player_index_bytes(format);
    if (look->has_indices)
        player_colors(player, surface, look->colors);
    if (look->depth || look->has_indices)
        return true;
    if (!channels_of(format, &look->channels))
        return false;
    look->bytes = look->channels.bytes;
    return true;
}

static void show_row(const struct look *look, const uint8_t *row, uint32_t *pixels, unsigned width)
{
    if (look->depth)
        convert_depth_row(look->depth, look->depths, row, pixels, width);
    else if (look->has_indices)
        show_indices(look->colors, look->bytes, row, pixels, width);
    else
        picture_convert_row(&look->channels, row, pixels, width);
}

static bool grab(struct player *player, const struct capture_frame *frame, const struct player_depths *depths,
                 struct player_picture *picture, struct capture_error *error)
{
    struct player_surface *surface = player_surface_of(player, frame->surface);
    struct look look = {0};
    struct capture_rect rect;
    uint8_t *bits = NULL;
    uint64_t pitch;

    memset(picture, 0, sizeof(*picture));
    if (!surface || surface->buffer || !look_at(player, surface, depths, &look))
        return picture_fail(error, "the frame shows a surface that is not a picture");
    rect = visible(surface, &frame->rect);
    pitch = (uint64_t)surface->gbl.lPitch;
    if (rect.right <= rect.left || rect.bottom <= rect.top || pitch > INT32_MAX ||
        pitch * ((uint64_t)rect.bottom - 1) + (uint64_t)rect.right * look.bytes > surface->bytes)
        return picture_fail(error, "the frame shows an empty rectangle");
    picture->width = (unsigned)(rect.right - rect.left);
    picture->height = (unsigned)(rect.bottom - rect.top);
    picture->pixels = mem_calloc((size_t)picture->width * picture->height, sizeof(uint32_t));
    if (!picture->pixels)
        return picture_no_memory(error);
    if (FAILED(player_lock(player, surface, DDLOCK_READONLY, &bits)) || !bits) {
        free(picture->pixels);
        return picture_fail(error, "the surface of the frame cannot be locked");
    }
    for (unsigned y = 0; y < picture->height; y++)
        show_row(&look, bits + ((uint64_t)rect.top + y) * pitch + (uint64_t)rect.left * look.bytes,
                 picture->pixels + (size_t)y * picture->width, picture->width);
    player_unlock(player, surface);
    return true;
}

static const struct player_depths all_depths = {0, 1};

bool player_grab(struct player *player, const struct capture_frame *frame, struct player_picture *picture,
                 struct capture_error *error)
{
    return grab(player, frame, &all_depths, picture, error);
}

bool player_grab_surface(struct player *player, uint32_t surface, const struct player_depths *depths,
                         struct player_picture *picture, struct capture_error *error)
{
    const struct capture_frame all = {.surface = surface, .rect = {0, 0, INT32_MAX, INT32_MAX}};

    return grab(player, &all, depths ? depths : &all_depths, picture, error);
}

bool player_depth_range(struct player *player, uint32_t id, struct player_depths *range, struct capture_error *error)
{
    struct player_surface *surface = player_surface_of(player, id);
    const struct depth_bits *format = surface && !surface->buffer ? depth_of_format(&surface->gbl.ddpfSurface) : NULL;
    const uint64_t pitch = surface ? (uint64_t)surface->gbl.lPitch : 0;
    uint8_t *bits = NULL;

    if (!format || !surface->gbl.wHeight || pitch > INT32_MAX ||
        pitch * (surface->gbl.wHeight - 1u) + (uint64_t)surface->gbl.wWidth * format->bytes > surface->bytes)
        return picture_fail(error, "the surface has no depth");
    if (FAILED(player_lock(player, surface, DDLOCK_READONLY, &bits)) || !bits)
        return picture_fail(error, "the surface cannot be locked");
    *range = (struct player_depths){INFINITY, -INFINITY};
    for (unsigned y = 0; y < surface->gbl.wHeight; y++) {
        for (unsigned x = 0; x < surface->gbl.wWidth; x++) {
            const float depth = depth_at(format, bits + y * pitch + (size_t)x * format->bytes);
            range->least = depth < range->least ? depth : range->least;
            range->greatest = depth > range->greatest ? depth : range->greatest;
        }
    }
    player_unlock(player, surface);
    return true;
}
