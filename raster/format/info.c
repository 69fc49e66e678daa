/* SPDX-License-Identifier: MIT */
/* The table of formats, generated from d3d/formats.def, and functions on it. */
#include "d3d/planes.h"
#include "raster/format/format.h"
#include "raster/sample/sample.h"

/* The columns of d3d/formats.def that tell how texels are decoded. The channels of bump maps and palettes are not
 * used. */
#define CHANNELS(r, g, b, a, rs, gs, bs, as) .bits = {r, g, b, a}, .shift = {rs, gs, bs, as},
#define CHANNELS_PACKED(...)                 CHANNELS(__VA_ARGS__)
#define CHANNELS_WIDE(...)                   CHANNELS(__VA_ARGS__)
#define CHANNELS_PALETTE(...)
#define CHANNELS_SIGNED(...)
#define CHANNELS_BLOCK(...)
#define CHANNELS_PAIR(...)
#define CHANNELS_PLANAR(...)
#define CHANNELS_NULL(...)
#define CHANNELS_DEPTH(...)
/* clang-format off */
#define FORMAT(number, name_, layout, level, legacy, kind_, type_, width, height, bytes, target, alpha, r, g, b, a, rs, gs,   \
               bs, as, depth, stencil, ...)                                                                               \
    [RASTER_FORMAT_##layout] = {.name = #name_, .kind = RASTER_KIND_##kind_, .type = RASTER_##type_, .block_bytes = (bytes), \
                                .block_width = (width), .block_height = (height), .depth_bits = (depth),                 \
                                .stencil_bits = (stencil), .is_target = (target), .has_alpha = (alpha),                  \
                                CHANNELS_##kind_(r, g, b, a, rs, gs, bs, as)},
/* clang-format on */

static const struct raster_format_info formats[RASTER_FORMAT_COUNT] = {
    [RASTER_FORMAT_NONE] = {.name = "none", .block_width = 1, .block_height = 1},
    /* a byte a pixel, so that its memory can be allocated like any other */
    [RASTER_FORMAT_FEEDBACK] =
        {.name = "FEEDBACK", .kind = RASTER_KIND_FEEDBACK, .block_bytes = 1, .block_width = 4, .block_height = 4},
#include "d3d/formats.def"
};

const struct raster_format_info *raster_format_info(enum raster_format format)
{
    return &formats[(unsigned)format < RASTER_FORMAT_COUNT ? format : RASTER_FORMAT_NONE];
}

uint64_t raster_format_row_bytes(enum raster_format format, unsigned width)
{
    const struct raster_format_info *info = raster_format_info(format);

    return ((uint64_t)width + info->block_width - 1) / info->block_width * info->block_bytes;
}

uint64_t raster_format_rows(enum raster_format format, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);

    return info->kind == RASTER_KIND_PLANAR ? d3d_planar_rows(height)
                                            : ((uint64_t)height + info->block_height - 1) / info->block_height;
}

unsigned raster_format_fetch4(enum raster_format format)
{
    switch (format) {
    case RASTER_FORMAT_A8:
        return RASTER_FETCH4_ALPHA;
    case RASTER_FORMAT_L8:
    case RASTER_FORMAT_L16:
    case RASTER_FORMAT_R16F:
    case RASTER_FORMAT_R32F:
        return RASTER_FETCH4_RED;
    default:
        return raster_format_info(format)->kind == RASTER_KIND_DEPTH ? RASTER_FETCH4_RED : RASTER_FETCH4_OFF;
    }
}
