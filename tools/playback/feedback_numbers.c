/* SPDX-License-Identifier: MIT */
/* Counts of the regions of a texture that were sampled. */
#include "tools/playback/feedback_numbers.h"

#include "base/base.h"

static uint64_t feedback_bytes(const struct feedback_texture *t, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(t->format);

    return (uint64_t)((width + info->block_width - 1) / info->block_width) *
           ((height + info->block_height - 1) / info->block_height) * info->block_bytes;
}

static uint64_t bytes_of_region(const struct feedback_texture *t, const struct feedback_level *l, unsigned column,
                                unsigned row)
{
    const unsigned x = column * t->region_width, y = row * t->region_height;

    return feedback_bytes(t, BASE_MIN(t->region_width, l->width - x), BASE_MIN(t->region_height, l->height - y));
}

/* In all slices. */
static unsigned feedback_level_regions(const struct feedback_level *l)
{
    return l->columns * l->rows * l->slices;
}

static void count_level(const struct feedback_texture *t, unsigned level, struct feedback_numbers *out)
{
    const struct feedback_level *l = &t->level[level];

    for (unsigned face = 0; face < t->faces; face++) {
        out->resident += feedback_bytes(t, l->width, l->height) * l->slices;
        if (t->untracked)
            out->touched += feedback_bytes(t, l->width, l->height) * l->slices;
        if (!l->used[face])
            continue;
        out->regions += feedback_level_regions(l);
        for (unsigned i = 0; i < feedback_level_regions(l); i++) {
            if (!l->used[face][i])
                continue;
            out->used++;
            out->levels |= 1u << level;
            out->touched += bytes_of_region(t, l, i % l->columns, i / l->columns % l->rows);
        }
    }
}

struct feedback_numbers feedback_count(const struct feedback_texture *texture)
{
    struct feedback_numbers numbers = {0};

    for (unsigned level = 0; level < texture->levels; level++)
        count_level(texture, level, &numbers);
    return numbers;
}

unsigned feedback_level_used(const struct feedback_texture *texture, unsigned level)
{
    const struct feedback_level *l = &texture->level[level];
    unsigned used = 0;

    for (unsigned face = 0; face < texture->faces; face++)
        for (unsigned i = 0; l->used[face] && i < feedback_level_regions(l); i++)
            used += l->used[face][i] != 0;
    return used;
}

unsigned feedback_finest(const struct feedback_texture *texture, unsigned face, unsigned x, unsigned y, unsigned z)
{
    for (unsigned level = 0; level < texture->levels; level++) {
        const struct feedback_level *l = &texture->level[level];
        const unsigned u = (unsigned)((uint64_t)x * l->width / texture->level[0].width);
        const unsigned v = (unsigned)((uint64_t)y * l->height / texture->level[0].height);
        const unsigned w = (unsigned)((uint64_t)z * l->slices / texture->level[0].slices);

        if (l->used[face] &&
            l->used[face][(w * l->rows + v / texture->region_height) * l->columns + u / texture->region_width])
            return level;
    }
    return FEEDBACK_NEVER;
}
