/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback maps: which parts of a texture were asked for, at which levels of detail. A map is paired with a
 * mip-mapped 2D texture or array (cube faces are layers) and remembers, per layer and level, each region of
 * region_width x region_height texels in which a sampler read a texel. Writes only ever set flags, so the
 * result does not depend on the order or number of threads. Source: sampler-feedback.md; reference raster.md 5.
 */
#ifndef HALCYON_RASTER_FEEDBACK_H
#define HALCYON_RASTER_FEEDBACK_H

#include "raster/sample.h"

enum feedback_kind {
    FEEDBACK_MIN_MIP,         /* decodes to the finest level asked for, per region of level 0; 0xFF: none */
    FEEDBACK_MIP_REGION_USED, /* decodes to 0xFF or 0 per region of each level */
};

enum { FEEDBACK_NONE = 0xff };

struct raster_feedback_desc {
    enum feedback_kind kind;
    unsigned width, height;               /* of the paired texture's level 0, texels */
    unsigned level_count, layer_count;
    unsigned region_width, region_height; /* powers of two, at least 4, at most half of the texture's level 0 */
};

struct raster_feedback;

/* Where the regions of one level of one layer lie: a byte each, row after row. Private to maps but for this: all zero
 * is a cleared map, and equal bytes are equal maps. */
struct feedback_plane {
    uint8_t *regions;
    size_t pitch; /* bytes */
};

/* NULL for a description the rules forbid (a message says which), or without memory. */
struct raster_feedback *raster_feedback_create(const struct raster_feedback_desc *desc);
/* The same over memory that stays the caller's: planes[layer * level_count + level], with room for the rows and columns
 * of their levels. */
struct raster_feedback *raster_feedback_create_over(const struct raster_feedback_desc *desc,
                                                    const struct feedback_plane *planes);
void raster_feedback_destroy(struct raster_feedback *map);
const struct raster_feedback_desc *raster_feedback_desc(const struct raster_feedback *map);

/* Nothing has been asked for: MIN_MIP 0xFF, MIP_REGION_USED 0. Colours and rectangles of clears mean nothing. */
void raster_feedback_clear(struct raster_feedback *map);
/* Whole maps of the same description. False if the descriptions differ. */
bool raster_feedback_copy(struct raster_feedback *destination, const struct raster_feedback *source);

/* Regions of one level: rounded up, so that a partial region at the edge counts. */
unsigned raster_feedback_columns(const struct raster_feedback *map, unsigned level);
unsigned raster_feedback_rows(const struct raster_feedback *map, unsigned level);

/* Marks the region of a texel of a level; outside the texture nothing happens. From any thread. */
void raster_feedback_mark(struct raster_feedback *map, unsigned layer, unsigned level, unsigned x, unsigned y);

/* --- writing ---------------------------------------------------------------------------------- */

enum feedback_form {
    FEEDBACK_SAMPLE,       /* implicit level of detail, from ddx, ddy */
    FEEDBACK_SAMPLE_BIAS,  /* likewise, plus `value` before the sampler's limits */
    FEEDBACK_SAMPLE_GRAD,  /* as FEEDBACK_SAMPLE; the gradient was given */
    FEEDBACK_SAMPLE_LEVEL, /* level `value`; never anisotropic */
};

struct feedback_write {
    enum feedback_form form;
    float u, v, layer;     /* layer: rounded to the nearest, ties to even, clamped */
    float ddx[2], ddy[2];  /* of (u, v), per pixel */
    float value;
    float lod_clamp;       /* no finer level than this; 0: none */
};

/* What the sampler would read for one fragment, marked. The sampler's texture gives size and levels and must be the
 * paired one; a NULL texture marks nothing. Exactly the texels with weight are marked. */
void raster_feedback_write(struct raster_feedback *map, const struct raster_sampler *sampler,
                           const struct feedback_write *write);

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

/* MIN_MIP: all regions of a layer; rectangles and offsets mean nothing. What does not fit is lost, padding stays. */
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
