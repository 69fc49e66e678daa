/* SPDX-License-Identifier: MIT */
/*
 * Places, levels and texels of a batch, for the kernels of the sampler only. A batch of lanes goes through three of
 * them: sample_lod (the levels that a quad reads), sample_address (texels and weights of an axis), sample_filter
 * (fetches and mixes texels). sample/kernels/sample.c ties them together.
 */
#ifndef HALCYON_RASTER_SAMPLE_LANES_H
#define HALCYON_RASTER_SAMPLE_LANES_H

#include "raster/kernels/kernels.h"
#include "base/simd/simd.h"

#define FOR_LANES(n) for (unsigned l = 0; l < (n); l++)
#define MAX_LANES    RASTER_LANES
#define MAX_QUADS    (MAX_LANES / 4)

/* The texels that lanes read along one axis: two, and the weight of the second. */
struct axis {
    int32_t first[MAX_LANES], second[MAX_LANES];
    float weight[MAX_LANES];
};

/* Index of texels outside the texture, which are replaced by the border colour. */
#define BORDER_TEXEL (-1)

/* The positions at which lanes sample. */
struct place {
    const float *u, *v;
    const float *w;      /* volumes, and compared depth; else undefined */
    const int32_t *face; /* cubes; else NULL */
    uint64_t recorded;   /* lanes whose reads the sampler's feedback map records */
    bool narrow;         /* for sample_narrow_words: weights of linear filters are 0..255 */
    bool affine;         /* and u and v are integers (raster_batch.affine) */
};

/* The footprints of quads in the texture. */
struct footprint {
    float lod[MAX_QUADS];
    int32_t probes[MAX_QUADS];                    /* of an anisotropic filter; else 1 */
    float along_u[MAX_QUADS], along_v[MAX_QUADS]; /* the longer side, along which probes lie */
    int32_t most_probes;                          /* of any quad */
};

/* The levels that quads read: the first level, whether it is filtered, and the share of the next level. */
struct quad_levels {
    int32_t level[MAX_QUADS], linear[MAX_QUADS];
    float fraction[MAX_QUADS];
};

/* Room for a place. */
struct place_room {
    _Alignas(64) float u[MAX_LANES], v[MAX_LANES], w[MAX_LANES];
    _Alignas(64) int32_t face[MAX_LANES];
};

/* Input for finding levels where lanes of a quad may differ. */
struct lod_source {
    enum raster_lod_mode mode;
    const float (*coordinate)[RASTER_LANES], (*lod)[RASTER_LANES];
    const int32_t *face; /* NULL: no quad has several */
    unsigned gradients;  /* axes that have gradients */
    bool moves;          /* gradients count from the lane's place */
};

/* --- sample/kernels/places.c --- */

/* Finds the positions at which lanes sample. Coordinates are not copied; coordinates on the faces of cubes are written
 * to the room. *several: the lanes of some quad see several faces. */
struct place KERNEL(sample_place_lanes)(const struct raster_texture *texture, unsigned n,
                                        const float (*coordinate)[RASTER_LANES], struct place_room *room,
                                        bool *several);
/* The footprints of quads by their differences, for one lane of each quad. */
void KERNEL(sample_measure)(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                            unsigned lane, struct footprint *out);

/* --- sample/kernels/sample.c, lane_levels.c --- */

/* footprint: NULL if it has to be found from the coordinates. result: NULL if reads are only marked. */
void KERNEL(sample_with_footprint)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                   const struct footprint *footprint, float (*result)[RASTER_LANES]);
/* From the scale of texels to that of programs. */
void KERNEL(sample_finish)(const struct raster_texture *texture, unsigned n, float (*restrict texel)[MAX_LANES],
                           float (*result)[RASTER_LANES]);
/* Samples lanes that may read levels of their own. */
void KERNEL(sample_levels_of_lanes)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                    const struct lod_source *source, float (*result)[RASTER_LANES]);

/* --- the parts of a batch's way --- */

/* Texels and weights of one axis of `size` texels; mode: enum raster_address. Not linear: only `first`. */
void KERNEL(sample_axis)(unsigned mode, bool linear, unsigned n, const float *u, uint32_t size, struct axis *axis);

/* One level at the places of n lanes. Channels keep the texture's scale: words 0..255, others unchanged. */
void KERNEL(sample_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, float (*restrict out)[MAX_LANES]);
/* Texel of a border, in the form of the texture's texels. */
uint32_t KERNEL(sample_border)(const struct raster_sampler *sampler);

/* The scale of channels: 0..255, that of programs, or that of programs for signed textures. */
enum sample_words_scale { SAMPLE_WORDS_RAW, SAMPLE_WORDS_UNSIGNED, SAMPLE_WORDS_SIGNED };

/* One level of 8-bit texels at the places of n lanes; if not raw, the alpha of opaque textures is 1. For samplers with
 * sample_has_words; not at the levels scalar and SSE2. Results may overwrite the places. */
void KERNEL(sample_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, enum sample_words_scale scale, float (*out)[MAX_LANES]);
/* sample_words, with each quad's fraction of the next level mixed in. */
void KERNEL(sample_words_mixed)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                unsigned index, bool linear, const float *fraction, enum sample_words_scale scale,
                                float (*out)[MAX_LANES]);
/* sample_words for quads that read different levels, all with the first quad's filter. For 2D textures with
 * sample_has_words for all levels read. */
void KERNEL(sample_words_of_quads)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                   const struct quad_levels *levels, enum sample_words_scale scale,
                                   float (*out)[MAX_LANES]);

/* The same for narrow states: pixels of 16-bit numbers. If uniform, all quads read the first quad's levels, else each
 * its own, with the first quad's filter. */
void KERNEL(sample_narrow_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                 const struct quad_levels *levels, bool uniform, int16_t *out);
/* The same with a linear filter. */
void KERNEL(sample_narrow_linear)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                  const struct quad_levels *levels, bool uniform, int16_t *out);
/* Samples an 8x8 block of one primitive with a linear filter, if its coordinates are integers and the picture is
 * axis-aligned; else returns false, and `out` is undefined. fraction: of the level after `index`. */
bool KERNEL(sample_block_words)(const struct raster_sampler *sampler, const struct place *place, unsigned index,
                                float fraction, int16_t *out);
/* The same for only one level. */
bool KERNEL(sample_block_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                bool opaque, int16_t *out);
/* One level at integer coordinates of n lanes. */
void KERNEL(sample_affine_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                 unsigned n, bool linear, bool opaque, int16_t *out);
/* sample_narrow_words for integer coordinates; each quad has its own filter. */
void KERNEL(sample_affine_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                 const struct quad_levels *levels, bool uniform, int16_t *out);

/* One level of depth at the places of n lanes: in all channels the depth, or the result of the comparison. For samplers
 * with sample_has_depth. */
void KERNEL(sample_depth)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, float (*out)[MAX_LANES]);

/* One level of wide texels at the places of n lanes, unchanged. For samplers with sample_has_wide. */
void KERNEL(sample_wide)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                         bool linear, float (*out)[MAX_LANES]);

/* near += (far - near) * weight, all channels. */
void KERNEL(sample_mix)(unsigned n, float (*restrict near)[MAX_LANES], float (*restrict far)[MAX_LANES],
                        const float *restrict weight);

/* From the differences inside quads; bias of the sampler included. */
void KERNEL(sample_footprint)(const struct raster_sampler *sampler, const struct place *place, unsigned quads,
                              struct footprint *out);
/* Fills `levels`; true if all quads read the same levels with the same filter. */
bool KERNEL(sample_levels)(const struct raster_sampler *sampler, const struct footprint *footprint, unsigned quads,
                           struct quad_levels *levels);
/* sample_footprint and sample_levels in one, for samplers that are not anisotropic and textures other than volumes. Not at
 * the levels scalar and SSE2. */
bool KERNEL(sample_isotropic_levels)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                     struct quad_levels *levels);
/* Are the levels and the filter of two quads the same? */
bool KERNEL(sample_same_levels)(const struct quad_levels *levels, unsigned a, unsigned b);

/* --- sample/kernels/feedback_mark.c
 * ------------------------------------------------------------------------------------- */

/* The range of a batch's coordinates (NaN if one is NaN); valid: there is a range. */
struct feedback_span {
    float low, high;
};
struct feedback_spans {
    bool valid;
    struct feedback_span u, v;
};

/* The range of all lanes and their probes. */
void KERNEL(feedback_spans)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                            const struct footprint *footprint, struct feedback_spans *out);
/* Is everything that may be read of a level in that range marked already? */
bool KERNEL(feedback_covers)(const struct raster_sampler *sampler, const struct feedback_spans *spans, unsigned level);
/* Marks the texels of a level that the lanes of the mask read, in the sampler's map. */
void KERNEL(feedback_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned level,
                            bool linear, uint64_t lanes);

/* Does the sampler need probes along the footprint? Volumes have none. */
static inline bool is_anisotropic(const struct raster_sampler *sampler)
{
    return sampler->min_filter == RASTER_FILTER_ANISOTROPIC && sampler->max_anisotropy > 1 &&
           sampler->texture->kind != RASTER_TEXTURE_VOLUME;
}

/* Do products of 16 bits find the texels of a level? Sides of at most 16384, pitches of less than 32768. */
static inline bool sample_is_small(const struct raster_texture_level *level)
{
    return !(((level->width - 1) | (level->height - 1)) >> 14 | level->pitch >> 15);
}

/* Does a level have the fast path of sample_words? */
static inline bool sample_has_words(const struct raster_sampler *sampler, unsigned index)
{
    const struct raster_texture *texture = sampler->texture;

    return SIMD_HAS_GATHER && texture->kind != RASTER_TEXTURE_VOLUME && !texture->is_wide && !texture->depth &&
           !(sampler->srgb && texture->is_signed) && sample_is_small(&texture->level[index]);
}

/* Does a level have the fast path of sample_depth? */
static inline bool sample_has_depth(const struct raster_sampler *sampler, unsigned index)
{
    const struct raster_texture *texture = sampler->texture;

    return SIMD_HAS_GATHER && texture->kind != RASTER_TEXTURE_VOLUME && texture->depth &&
           sample_is_small(&texture->level[index]);
}

/* Does a level have the fast path of sample_wide? Not with borders. */
static inline bool sample_has_wide(const struct raster_sampler *sampler, unsigned index)
{
    const struct raster_texture *texture = sampler->texture;
    const bool bordered = sampler->address[0] == RASTER_BORDER || sampler->address[1] == RASTER_BORDER;

    return SIMD_HAS_GATHER && texture->is_wide && texture->kind != RASTER_TEXTURE_VOLUME &&
           (!bordered || texture->kind == RASTER_TEXTURE_CUBE) && sample_is_small(&texture->level[index]);
}

/* The most detailed level that may be read. */
static inline int32_t sample_base_level(const struct raster_sampler *sampler)
{
    return BASE_MIN((int32_t)sampler->base_level, (int32_t)sampler->texture->level_count - 1);
}

/* Does the size of footprints matter? */
static inline bool needs_footprint(const struct raster_sampler *sampler)
{
    if (is_anisotropic(sampler))
        return true;
    if (sampler->mip_filter != RASTER_FILTER_NONE)
        return sample_base_level(sampler) < (int32_t)sampler->texture->level_count - 1;
    return sampler->mag_filter != sampler->min_filter;
}

/* The level that quads read if all magnify, or if footprints do not matter; filled in only for the first quad. */
static inline void sample_only_level(const struct raster_sampler *sampler, struct quad_levels *levels)
{
    int32_t base = sample_base_level(sampler);
    bool minified = sampler->mip_filter != RASTER_FILTER_NONE && base > 0;

    levels->level[0] = base;
    levels->linear[0] = (minified ? sampler->min_filter : sampler->mag_filter) >= RASTER_FILTER_LINEAR;
    levels->fraction[0] = 0.0f;
}

/* NaN becomes the low end. */
static inline float limit(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

#endif
