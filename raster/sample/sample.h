/* SPDX-License-Identifier: MIT */
/*
 * Texture sampling over a batch of lanes. hal/ decodes surfaces to textures: 32-bit texels 0xAARRGGBB per level
 * (raster_decode), or four floats or halves a texel where 8 bits a channel are too few (raster_decode_wide), or one
 * float a texel of depth (raster_decode_depth). There is one variant of the kernels per SIMD width; all give the same
 * bits.
 */
#ifndef HALCYON_RASTER_SAMPLE_H
#define HALCYON_RASTER_SAMPLE_H

#include "raster/raster.h"

#define RASTER_MAX_LEVELS     14
#define RASTER_MAX_ANISOTROPY 16

enum raster_texture_kind { RASTER_TEXTURE_2D, RASTER_TEXTURE_CUBE, RASTER_TEXTURE_VOLUME };

struct raster_texture_level {
    /* Cube: face after face; volume: slice after slice. Wide: words of four floats a texel, or of four halves. */
    const uint32_t *texels;
    uint32_t width, height, depth;
    uint32_t pitch; /* texels from row to row */
    uint32_t slice; /* texels from face to face or slice to slice */
};

/* How a texture of depth is read. */
enum raster_depth_read {
    RASTER_DEPTH_NONE,     /* colours */
    RASTER_DEPTH_ALL,      /* depth in all channels (INTZ) */
    RASTER_DEPTH_RED,      /* (depth, 0, 0, 1) (DF16, DF24) */
    RASTER_DEPTH_COMPARED, /* in all channels 1 where w, cut to 0..1, is at most the depth, else 0, then filtered */
};

struct raster_texture {
    enum raster_texture_kind kind;
    unsigned level_count;
    bool opaque;    /* alpha always reads as 1 (X8R8G8B8) */
    bool is_signed; /* channels are v + 128, read as max(v / 127, -1) */
    bool is_wide;   /* texels are floats, read unchanged; any NaN is RASTER_NAN */
    bool is_half;   /* those floats are halves (A16B16G16R16F, read in place) */
    uint8_t depth;  /* enum raster_depth_read; texels are one float each */
    struct raster_texture_level level[RASTER_MAX_LEVELS];
};

enum raster_address { /* D3DTADDRESS - 1 */
                      RASTER_WRAP,
                      RASTER_MIRROR,
                      RASTER_CLAMP,
                      RASTER_BORDER,
                      RASTER_MIRROR_ONCE,
};
enum raster_filter { RASTER_FILTER_NONE, RASTER_FILTER_POINT, RASTER_FILTER_LINEAR, RASTER_FILTER_ANISOTROPIC };

enum raster_fetch4 { RASTER_FETCH4_OFF, RASTER_FETCH4_RED, RASTER_FETCH4_ALPHA };

struct raster_feedback;

/* The events that a sampler's feedback map records. */
enum raster_feedback_mode {
    RASTER_FEEDBACK_READS,    /* what is read */
    RASTER_FEEDBACK_REQUESTS, /* what would be read of a texture of the map's size and levels, ignoring base_level */
    RASTER_FEEDBACK_WRITES,   /* the same, and nothing is read: (0, 0, 0, 1); `texture` is raster_feedback_shape */
};

struct raster_sampler {
    const struct raster_texture *texture;       /* NULL: (0,0,0,1) is read */
    uint8_t address[3];                         /* enum raster_address of u, v, w */
    uint8_t mag_filter, min_filter, mip_filter; /* enum raster_filter */
    uint8_t max_anisotropy;                     /* probes of an anisotropic filter at most, 1..RASTER_MAX_ANISOTROPY */
    uint8_t base_level;                         /* most detailed level that may be read (SetLOD, MAXMIPLEVEL) */
    bool srgb;                                  /* red, green and blue of 8-bit texels become linear before filtering */
    uint8_t fetch4;                   /* enum raster_fetch4: a, r, g, b are one channel of the texel, the one right of
                                             it, the one below and the one right of that; no filters, no levels */
    uint16_t feedback_mode : 2;       /* enum raster_feedback_mode */
    uint16_t feedback_clamp : 14;     /* requests and writes: the finest level allowed, in 1/256 */
    float lod_bias;                   /* raster_lod_bias of the request */
    float border[4];                  /* r, g, b, a */
    struct raster_feedback *feedback; /* map that records what is read, by way of
                                             raster_sample_recorded (kernels/kernels.h); NULL: none */
};

/* The lod_bias of a sampler: the wanted bias rounded to 2^-16 of a level, like levels of detail (sample/lod.h), and
 * clamped to -32..32. */
static inline float raster_lod_bias(float wanted)
{
    float limited = wanted > -32.0f ? wanted < 32.0f ? wanted : 32.0f : -32.0f;

    return (limited + 192.0f) - 192.0f;
}

/* The number of coordinates that the sampler reads. */
static inline unsigned raster_texture_axes(const struct raster_texture *texture)
{
    return texture && (texture->kind != RASTER_TEXTURE_2D || texture->depth == RASTER_DEPTH_COMPARED) ? 3 : 2;
}

/* Where the level of detail comes from. `lod`, by mode: NULL; [0] is added to the computed level; [0] is the level
 * itself (lod_bias is added); [0..2] are the changes of u, v, w per pixel in x, [3..5] in y. */
enum raster_lod_mode { RASTER_LOD_COMPUTED, RASTER_LOD_BIASED, RASTER_LOD_GIVEN, RASTER_LOD_GRADIENTS };

/* Samples a batch. coordinate[0..2]: u, v, w of each lane, already divided if projected; those beyond
 * raster_texture_axes may be missing. result: r, g, b, a; must not overlap the coordinates. Levels of detail come from
 * the differences inside each quad, for cubes on the face of each lane; bias, level and gradients are those of each
 * lane. Lanes of groups beyond group_count (1..4) are not written. */
#define RASTER_SAMPLE_LOD_PARAMETERS                                                                     \
    (const struct raster_sampler *sampler, unsigned group_count, const float(*coordinate)[RASTER_LANES], \
     enum raster_lod_mode mode, const float(*lod)[RASTER_LANES], float(*result)[RASTER_LANES])
typedef void(*raster_sample_lod_fn) RASTER_SAMPLE_LOD_PARAMETERS;

/* The function of a CPU level: the slot sample_lod of raster_kernels_for(level). */
raster_sample_lod_fn raster_sample_lod_kernel(enum cpu_level level);

#endif
