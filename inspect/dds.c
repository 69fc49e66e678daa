/* SPDX-License-Identifier: MIT */
/* Textures as files of DirectX: DDS_HEADER of the DirectX 9 documentation ("DDS File Reference"). */
#include "inspect/textures.h"

#include "base/base.h"

#include <string.h>

enum {
    DDS_CAPS_HEIGHT_WIDTH_FORMAT = 0x1007,
    DDS_PITCH = 0x8,
    DDS_MIP_COUNT = 0x20000,
    DDS_LINEAR_SIZE = 0x80000,
    DDS_DEPTH = 0x800000,
    DDS_ALPHA_PIXELS = 0x1, /* of the pixel format */
    DDS_ALPHA = 0x2,
    DDS_FOURCC = 0x4,
    DDS_RGB = 0x40,
    DDS_LUMINANCE = 0x20000,
    DDS_COMPLEX = 0x8, /* of dwCaps */
    DDS_TEXTURE = 0x1000,
    DDS_MIPMAP = 0x400000,
    DDS_CUBE_ALL_FACES = 0xfe00, /* of dwCaps2 */
    DDS_VOLUME = 0x200000,
};

struct dds_format {
    uint32_t size, flags, fourcc, bits, masks[4];
};

struct dds_header {
    uint8_t magic[4];
    uint32_t size, flags, height, width, pitch, depth, levels, reserved[11];
    struct dds_format format;
    uint32_t caps[4], reserved2;
};
_Static_assert(sizeof(struct dds_header) == 128, "DDS header");

static uint32_t dds_mask(const struct raster_format_info *info, unsigned channel)
{
    return info->bits[channel] ? (uint32_t)((1ull << info->bits[channel]) - 1) << info->shift[channel] : 0;
}

static struct dds_format dds_format_of(const struct inspect_texture *texture)
{
    const struct raster_format_info *info = raster_format_info(texture->layout);
    struct dds_format format = {.size = sizeof(format), .bits = 8u * info->block_bytes};
    const bool color = info->bits[0] != 0, grey = color && !info->bits[1];

    if (info->kind == RASTER_KIND_PALETTE && info->block_bytes == 1) { /* indices: no palette belongs to a surface */
        format.flags = DDS_LUMINANCE;
        format.masks[0] = 0xff;
        return format;
    }
    if (info->kind != RASTER_KIND_PACKED) {
        format.flags = DDS_FOURCC;
        format.fourcc = texture->d3d_format;
        format.bits = 0;
        return format;
    }
    format.flags = (grey    ? DDS_LUMINANCE
                    : color ? DDS_RGB
                            : DDS_ALPHA) |
                   (color && info->bits[3] ? DDS_ALPHA_PIXELS : 0);
    for (unsigned i = 0; i < 4; i++)
        format.masks[i] = dds_mask(info, i);
    return format;
}

static struct dds_header dds_header_of(const struct inspect_texture *texture, const struct inspect_level *first)
{
    const bool blocks = raster_format_info(texture->layout)->kind == RASTER_KIND_BLOCK;
    struct dds_header header = {
        .magic = {'D', 'D', 'S', ' '},
        .size = sizeof(header) - sizeof(header.magic),
        .flags = DDS_CAPS_HEIGHT_WIDTH_FORMAT | (blocks ? DDS_LINEAR_SIZE : DDS_PITCH),
        .height = first->height,
        .width = first->width,
        .pitch = (uint32_t)(first->row_bytes * (blocks ? first->row_count : 1)),
        .levels = texture->levels,
        .format = dds_format_of(texture),
        .caps = {DDS_TEXTURE},
    };

    if (texture->levels > 1) {
        header.flags |= DDS_MIP_COUNT;
        header.caps[0] |= DDS_MIPMAP | DDS_COMPLEX;
    }
    if (texture->faces > 1) {
        header.caps[0] |= DDS_COMPLEX;
        header.caps[1] = DDS_CUBE_ALL_FACES;
    }
    if (texture->is_volume) {
        header.flags |= DDS_DEPTH;
        header.depth = texture->depth;
        header.caps[0] |= DDS_COMPLEX;
        header.caps[1] = DDS_VOLUME;
    }
    return header;
}

static bool dds_write_level(struct inspect *session, const struct inspect_texture *texture, unsigned face,
                            unsigned level, FILE *file, struct capture_error *error)
{
    struct inspect_level slice = {.slices = 1};

    for (unsigned z = 0; z < slice.slices; z++) {
        if (!inspect_texture_level(session, texture, face, level, z, &slice, error))
            return false;
        if (face == 0 && level == 0 && z == 0) {
            const struct dds_header header = dds_header_of(texture, &slice);

            fwrite(&header, sizeof(header), 1, file);
        }
        fwrite(slice.rows, slice.row_bytes, slice.row_count, file);
        const unsigned slices = slice.slices;

        inspect_level_free(&slice);
        slice.slices = slices;
    }
    return true;
}

bool inspect_texture_dds(struct inspect *session, const struct inspect_texture *texture, FILE *file,
                         struct capture_error *error)
{
    for (unsigned face = 0; face < texture->faces; face++)
        for (unsigned level = 0; level < texture->levels; level++)
            if (!dds_write_level(session, texture, face, level, file, error))
                return false;
    return true;
}
