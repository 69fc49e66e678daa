/* SPDX-License-Identifier: MIT */
/* Feedback maps: storage, decode and encode. sample/kernels/feedback_mark.c marks the reads of samplers. */
#include "raster/sample/feedback_map.h"

#include <stdlib.h>
#include <string.h>

static bool power_of_two(unsigned v)
{
    return v && !(v & (v - 1));
}

static const char *bad_desc(const struct raster_feedback_desc *d)
{
    if (!d->width || !d->height || d->width > 16384 || d->height > 16384)
        return "size of the paired texture";
    if (!d->level_count || d->level_count > RASTER_MAX_LEVELS || !d->layer_count || d->layer_count > 2048 ||
        d->depth > 2048 || (d->depth && d->layer_count != 1))
        return "levels or layers";
    if (!power_of_two(d->region_width) || !power_of_two(d->region_height))
        return "a region's sides must be powers of two";
    if (d->region_width < 4 || d->region_height < 4)
        return "a region has at least 4x4 texels";
    if (d->region_width > BASE_MAX(d->width / 2, 4u) || d->region_height > BASE_MAX(d->height / 2, 4u))
        return "a region is at most half the texture";
    return NULL;
}

static unsigned level_size(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

static unsigned regions(unsigned size, unsigned region)
{
    return (size + region - 1) / region;
}

static uint8_t feedback_log2(unsigned power)
{
    return (uint8_t)__builtin_ctz(power);
}

static void describe_level(struct raster_feedback *map, unsigned level)
{
    const struct raster_feedback_desc *d = &map->desc;
    struct raster_texture_level *shape = &map->shape.level[level];

    shape->width = level_size(d->width, level);
    shape->height = level_size(d->height, level);
    shape->depth = d->depth ? level_size(d->depth, level) : 1;
    map->columns[level] = regions(shape->width, d->region_width);
    map->rows[level] = regions(shape->height, d->region_height);
    map->layers[level] = d->depth ? shape->depth : d->layer_count;
}

static unsigned plane_count(const struct raster_feedback *map)
{
    return map->desc.layer_count * map->desc.level_count;
}

/* A map without memory for its planes. */
static struct raster_feedback *feedback_create(const struct raster_feedback_desc *desc)
{
    const char *bad = bad_desc(desc);
    struct raster_feedback *map;

    if (bad) {
        log_warn("feedback map for a %ux%u texture, regions %ux%u: %s", desc->width, desc->height, desc->region_width,
                 desc->region_height, bad);
        return NULL;
    }
    map = mem_calloc(1, sizeof(*map));
    if (!map)
        return NULL;
    map->desc = *desc;
    map->shift_x = feedback_log2(desc->region_width);
    map->shift_y = feedback_log2(desc->region_height);
    map->shape.kind = desc->depth ? RASTER_TEXTURE_VOLUME : desc->cube ? RASTER_TEXTURE_CUBE : RASTER_TEXTURE_2D;
    map->shape.level_count = desc->level_count;
    map->plane_step = desc->depth ? 0 : desc->level_count;
    for (unsigned l = 0; l < desc->level_count; l++)
        describe_level(map, l);
    map->plane = mem_calloc(plane_count(map), sizeof(*map->plane));
    if (!map->plane) {
        free(map);
        return NULL;
    }
    return map;
}

/* Bytes of all regions of a level's plane. */
static size_t feedback_plane_bytes(const struct raster_feedback *map, unsigned level)
{
    return (size_t)map->columns[level] * map->rows[level] * (map->desc.depth ? map->layers[level] : 1);
}

size_t raster_feedback_bytes(const struct raster_feedback *map)
{
    size_t bytes = 0;

    for (unsigned l = 0; l < map->desc.level_count; l++)
        bytes += feedback_plane_bytes(map, l);
    return bytes * map->desc.layer_count;
}

struct raster_feedback *raster_feedback_create(const struct raster_feedback_desc *desc)
{
    struct raster_feedback *map = feedback_create(desc);
    uint8_t *at;

    if (!map)
        return NULL;
    at = map->memory = mem_calloc(raster_feedback_bytes(map), 1);
    if (!at) {
        raster_feedback_destroy(map);
        return NULL;
    }
    for (unsigned i = 0; i < plane_count(map); i++) {
        unsigned level = i % desc->level_count;

        map->plane[i] = (struct feedback_plane){at, map->columns[level],
                                                desc->depth ? (size_t)map->columns[level] * map->rows[level] : 0};
        at += feedback_plane_bytes(map, level);
    }
    return map;
}

struct raster_feedback *raster_feedback_create_over(const struct raster_feedback_desc *desc,
                                                    const struct feedback_plane *planes)
{
    struct raster_feedback *map = feedback_create(desc);

    if (map)
        memcpy(map->plane, planes, plane_count(map) * sizeof(*planes));
    return map;
}

void raster_feedback_destroy(struct raster_feedback *map)
{
    if (!map)
        return;
    free(map->memory);
    free(map->plane);
    free(map);
}

const struct raster_texture *raster_feedback_shape(const struct raster_feedback *map)
{
    return &map->shape;
}

unsigned raster_feedback_columns(const struct raster_feedback *map, unsigned level)
{
    return map->columns[level];
}
unsigned raster_feedback_rows(const struct raster_feedback *map, unsigned level)
{
    return map->rows[level];
}

unsigned raster_feedback_layers(const struct raster_feedback *map, unsigned level)
{
    return map->layers[level];
}

/* Layers first .. end - 1 of a level. */
struct layer_range {
    unsigned first, end;
};

/* The layers of a level that lie over a layer of level 0: slices of volumes may overlap several, because their number
 * rounds down. */
static struct layer_range layers_over(const struct raster_feedback *map, unsigned level, unsigned layer)
{
    const unsigned depth = map->desc.depth, slices = map->layers[level];

    if (!depth)
        return (struct layer_range){layer, layer + 1};
    return (struct layer_range){(unsigned)((uint64_t)layer * slices / depth),
                                (unsigned)(((uint64_t)(layer + 1) * slices + depth - 1) / depth)};
}

static void clear_level(struct raster_feedback *map, struct layer_range layers, unsigned level)
{
    for (unsigned layer = layers.first; layer < layers.end; layer++)
        for (unsigned row = 0; row < map->rows[level]; row++)
            memset(feedback_region(map, layer, level, 0, row), 0, map->columns[level]);
}

void raster_feedback_clear(struct raster_feedback *map)
{
    for (unsigned level = 0; level < map->desc.level_count; level++)
        clear_level(map, (struct layer_range){0, map->layers[level]}, level);
}

bool raster_feedback_copy(struct raster_feedback *destination, const struct raster_feedback *source)
{
    if (memcmp(&destination->desc, &source->desc, sizeof(source->desc)))
        return false;
    for (unsigned level = 0; level < source->desc.level_count; level++)
        for (unsigned layer = 0; layer < source->layers[level]; layer++)
            for (unsigned row = 0; row < source->rows[level]; row++)
                memmove(feedback_region(destination, layer, level, 0, row),
                        feedback_region(source, layer, level, 0, row), source->columns[level]);
    return true;
}

static void merge_row(uint8_t *restrict to, const uint8_t *restrict from, unsigned columns)
{
    for (unsigned i = 0; i < columns; i++)
        to[i] |= from[i] & FEEDBACK_MARKED;
}

void raster_feedback_merge(struct raster_feedback *destination, const struct raster_feedback *source)
{
    for (unsigned level = 0; level < source->desc.level_count; level++)
        for (unsigned layer = 0; layer < source->layers[level]; layer++)
            for (unsigned row = 0; row < source->rows[level]; row++)
                merge_row(feedback_region(destination, layer, level, 0, row),
                          feedback_region(source, layer, level, 0, row), source->columns[level]);
}

/* --- MIN_MIP ---------------------------------------------------------------------------------- */

/* Lowers the level-0 regions that region (column, row) of a level overlaps. Level sizes round down, so a region of a
 * coarse level can overlap three of level 0 on an axis. */
static void lower_regions(const struct raster_feedback *map, unsigned level, unsigned column, unsigned row,
                          const struct feedback_pixels *out)
{
    unsigned w = level_size(map->desc.width, level), h = level_size(map->desc.height, level);
    uint64_t left = (uint64_t)column * map->desc.width / w, top = (uint64_t)row * map->desc.height / h;
    uint64_t right = ((uint64_t)(column + 1) * map->desc.width + w - 1) / w;
    uint64_t bottom = ((uint64_t)(row + 1) * map->desc.height + h - 1) / h;

    right = BASE_MIN(right, BASE_MIN(map->columns[0], out->width));
    bottom = BASE_MIN(bottom, BASE_MIN(map->rows[0], out->height));
    for (uint64_t y = top; y < bottom; y++)
        for (uint64_t x = left; x < right; x++) {
            uint8_t *value = &out->bytes[y * out->pitch + x];

            *value = (uint8_t)BASE_MIN(*value, level);
        }
}

static void lower_layer(const struct raster_feedback *map, unsigned level, unsigned layer,
                        const struct feedback_pixels *out)
{
    for (unsigned row = 0; row < map->rows[level]; row++)
        for (unsigned column = 0; column < map->columns[level]; column++)
            if (feedback_is_marked(feedback_region(map, layer, level, column, row)))
                lower_regions(map, level, column, row, out);
}

void raster_feedback_decode_min_mip(const struct raster_feedback *map, unsigned layer,
                                    const struct feedback_pixels *out)
{
    unsigned width = BASE_MIN(map->columns[0], out->width), height = BASE_MIN(map->rows[0], out->height);

    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            out->bytes[y * out->pitch + x] =
                (uint8_t)((*feedback_region(map, layer, 0, x, y) >> FEEDBACK_ENCODED_SHIFT) - 1);
    for (unsigned level = 0; level < map->desc.level_count; level++) {
        const struct layer_range over = layers_over(map, level, layer);

        for (unsigned l = over.first; l < over.end; l++)
            lower_layer(map, level, l, out);
    }
}

void raster_feedback_encode_min_mip(struct raster_feedback *map, unsigned layer, const struct feedback_pixels *in)
{
    unsigned width = BASE_MIN(map->columns[0], in->width), height = BASE_MIN(map->rows[0], in->height);

    for (unsigned level = 0; level < map->desc.level_count; level++)
        clear_level(map, layers_over(map, level, layer), level);
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            uint8_t value = in->bytes[y * in->pitch + x];

            /* level 15 and up do not exist */
            *feedback_region(map, layer, 0, x, y) = value <= 14 ? (uint8_t)((value + 1) << FEEDBACK_ENCODED_SHIFT) : 0;
        }
}

/* --- MIP_REGION_USED ----------------------------------------------------------------------------- */

static struct feedback_rect cut_rect(const struct feedback_rect *rect, unsigned width, unsigned height)
{
    struct feedback_rect all = {0, 0, width, height};

    if (!rect)
        return all;
    return (struct feedback_rect){rect->left, rect->top, BASE_MIN(rect->right, width), BASE_MIN(rect->bottom, height)};
}

void raster_feedback_decode_used(const struct raster_feedback *map, unsigned layer, unsigned level,
                                 const struct feedback_rect *rect, unsigned x, unsigned y,
                                 const struct feedback_pixels *out)
{
    struct feedback_rect r = cut_rect(rect, map->columns[level], map->rows[level]);

    for (unsigned row = r.top; row < r.bottom && y + row - r.top < out->height; row++)
        for (unsigned column = r.left; column < r.right && x + column - r.left < out->width; column++) {
            bool used = feedback_is_marked(feedback_region(map, layer, level, column, row));

            out->bytes[(y + row - r.top) * out->pitch + x + column - r.left] = used ? 0xff : 0;
        }
}

void raster_feedback_encode_used(struct raster_feedback *map, unsigned layer, unsigned level, unsigned x, unsigned y,
                                 const struct feedback_rect *rect, const struct feedback_pixels *in)
{
    struct feedback_rect r = cut_rect(rect, in->width, in->height);

    for (unsigned row = r.top; row < r.bottom && y + row - r.top < map->rows[level]; row++)
        for (unsigned column = r.left; column < r.right && x + column - r.left < map->columns[level]; column++) {
            bool used = in->bytes[row * in->pitch + column] != 0;

            *feedback_region(map, layer, level, x + column - r.left, y + row - r.top) = used ? FEEDBACK_MARKED : 0;
        }
}
