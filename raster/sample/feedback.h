/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback maps: which parts of a texture were asked for, at which levels of detail. A map is paired with a
 * mip-mapped 2D texture or array (cube faces are layers) or a volume (slices are layers; coarse levels have fewer) and
 * remembers, per layer and level, each region of region_width x region_height texels in which a sampler read a texel.
 * Writes only ever set flags, so the result does not depend on the order or number of threads. Source:
 * Microsoft's DirectX-Specs, "Sampler Feedback"; docs/reference/feedback-rules.md.
 */
#ifndef HALCYON_RASTER_FEEDBACK_H
#define HALCYON_RASTER_FEEDBACK_H

#include "raster/sample/sample.h"

enum feedback_kind {
    FEEDBACK_MIN_MIP,         /* decodes to the finest level asked for, per region of level 0; 0xFF: none */
    FEEDBACK_MIP_REGION_USED, /* decodes to 0xFF or 0 per region of each level */
};

enum { FEEDBACK_NONE = 0xff };

struct raster_feedback_desc {
    enum feedback_kind kind;
    unsigned width, height;               /* of the paired texture's level 0, texels */
    unsigned level_count, layer_count;    /* layers: 1 for volumes, 6 for cubes */
    unsigned region_width, region_height; /* powers of two, at least 4, at most half of the texture's level 0; 4 also
                                             where that side is below 8 texels */
    unsigned depth;                       /* slices of a volume's level 0; 0: not a volume */
    unsigned cube;                        /* 1: layers are faces */
};

struct raster_feedback;

/* The regions of one level of one layer: a byte each, row after row; a volume's level: slice after slice. The bytes are
 * private, except that all zero is a cleared map and equal bytes are equal maps. */
struct feedback_plane {
    uint8_t *regions;
    size_t pitch, slice; /* bytes; slice: 0 except for volumes */
};

/* NULL for a description that the rules forbid (a message tells the rule), or out of memory. */
struct raster_feedback *raster_feedback_create(const struct raster_feedback_desc *desc);
/* raster_feedback_create over memory that the caller owns: planes[layer * level_count + level] (volumes:
 * planes[level]), with room for the rows and columns of their levels. */
struct raster_feedback *raster_feedback_create_over(const struct raster_feedback_desc *desc,
                                                    const struct feedback_plane *planes);
void raster_feedback_destroy(struct raster_feedback *map);
/* A texture of the map's size and levels, without texels: for samplers that record and do not read. */
const struct raster_texture *raster_feedback_shape(const struct raster_feedback *map);

/* Clears the map: MIN_MIP 0xFF, MIP_REGION_USED 0. Colours and rectangles of clears are ignored. */
void raster_feedback_clear(struct raster_feedback *map);
/* Whole maps of the same description. False if the descriptions differ. */
bool raster_feedback_copy(struct raster_feedback *destination, const struct raster_feedback *source);
/* Adds the marks of another map of the same description. */
void raster_feedback_merge(struct raster_feedback *destination, const struct raster_feedback *source);

/* Regions of one level: rounded up, so that a partial region at the edge counts. */
unsigned raster_feedback_columns(const struct raster_feedback *map, unsigned level);
unsigned raster_feedback_rows(const struct raster_feedback *map, unsigned level);
/* The bytes of all regions together. */
size_t raster_feedback_bytes(const struct raster_feedback *map);
/* Layers of one level; for a volume, slices. */
unsigned raster_feedback_layers(const struct raster_feedback *map, unsigned level);

/* --- decode and encode (ResolveSubresourceRegion) ------------------------------------------------ */

/* A rectangle of R8_UINT values; `pitch` in bytes. */
struct feedback_pixels {
    uint8_t *bytes;
    size_t pitch;
    unsigned width, height;
};
struct feedback_rect {
    unsigned left, top, right, bottom; /* in regions; right and bottom exclusive */
};

/* MIN_MIP: all regions of a layer; rectangles and offsets are ignored. Values that do not fit are dropped, padding is
 * unchanged. */
void raster_feedback_decode_min_mip(const struct raster_feedback *map, unsigned layer,
                                    const struct feedback_pixels *out);
void raster_feedback_encode_min_mip(struct raster_feedback *map, unsigned layer, const struct feedback_pixels *in);

/* MIP_REGION_USED: a rectangle (NULL: all) of one level to or from (x, y). Encoding replaces exactly the rectangle. */
void raster_feedback_decode_used(const struct raster_feedback *map, unsigned layer, unsigned level,
                                 const struct feedback_rect *rect, unsigned x, unsigned y,
                                 const struct feedback_pixels *out);
void raster_feedback_encode_used(struct raster_feedback *map, unsigned layer, unsigned level, unsigned x, unsigned y,
                                 const struct feedback_rect *rect, const struct feedback_pixels *in);

#endif
