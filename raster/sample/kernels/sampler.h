/* SPDX-License-Identifier: MIT */
/*
 * Places, levels and texels of a batch, for the kernels of the sampler only. A batch of lanes goes through
 * three of them: sample_lod (which levels a quad reads), sample_address (which texels of an axis,
 * with which weight), sample_filter (texels fetched and mixed). sample/kernels/sample.c ties them
 * together.
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

/* Texel index outside the texture whose place the border colour takes. */
#define BORDER_TEXEL (-1)

/* Where the lanes sample. */
struct place {
    const float *u, *v;
    const float *w;      /* volumes, and depth that is compared; else not to be looked at */
    const int32_t *face; /* cubes; else NULL */
    uint64_t recorded;   /* lanes whose reading the sampler's feedback map notes */
    bool narrow;         /* for sample_narrow_words: weights of linear filters are 0..255 */
    bool affine;         /* and u and v are whole numbers (raster_batch.affine) */
};

/* The footprints of quads in the texture. */
struct footprint {
    float lod[MAX_QUADS];
    int32_t probes[MAX_QUADS];                    /* of an anisotropic filter; else 1 */
    float along_u[MAX_QUADS], along_v[MAX_QUADS]; /* the longer side, where probes stand */
    int32_t most_probes;                          /* of any quad */
};

/* The levels that quads read: the first one, whether it is filtered, and how much of the next level is mixed in. */
struct quad_levels {
    int32_t level[MAX_QUADS], linear[MAX_QUADS];
    float fraction[MAX_QUADS];
};

/* Room for a place. */
struct place_room {
    _Alignas(64) float u[MAX_LANES], v[MAX_LANES], w[MAX_LANES];
    _Alignas(64) int32_t face[MAX_LANES];
};

/* What levels are found from, where lanes of a quad may differ. */
struct lod_source {
    enum raster_lod_mode mode;
    const float (*coordinate)[RASTER_LANES], (*lod)[RASTER_LANES];
    const int32_t *face; /* NULL: no quad has several */
    unsigned gradients;  /* axes that have one */
    bool moves;          /* gradients count from the lane's place */
};

/* --- sample/kernels/places.c --- */

/* Where lanes sample. Coordinates stay where they are; what cubes make of them goes into the room. *several: some quad's lanes see several
 * faces. */
struct place KERNEL(sample_place_lanes)(const struct raster_texture *texture, unsigned n,
                                        const float (*coordinate)[RASTER_LANES], struct place_room *room,
                                        bool *several);
/* The footprints that quads have by their differences, for a lane of each. */
void KERNEL(sample_measure)(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                            unsigned lane, struct footprint *out);

/* --- sample/kernels/sample.c, lane_levels.c --- */

/* footprint: NULL if it is to be found from the coordinates. result: NULL if what is read is marked alone. */
void KERNEL(sample_with_footprint)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                   const struct footprint *footprint, float (*result)[RASTER_LANES]);
/* From the scale of texels to that of programs. */
void KERNEL(sample_finish)(const struct raster_texture *texture, unsigned n, float (*restrict texel)[MAX_LANES],
                           float (*result)[RASTER_LANES]);
/* Samples lanes that may read levels of their own. */
void KERNEL(sample_levels_of_lanes)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                    const struct lod_source *source, float (*result)[RASTER_LANES]);

/* --- the parts of a batch's way --- */

/* Texels and weights of one axis of `size` texels; mode: enum raster_address. Not linear: `first`
 * alone. */
void KERNEL(sample_axis)(unsigned mode, bool linear, unsigned n, const float *u, uint32_t size, struct axis *axis);

/* One level at the places of n lanes. Channels as the texture has them: 0..255 of words, others as
 * they are. */
void KERNEL(sample_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, float (*restrict out)[MAX_LANES]);
/* Texel of a border, in the form of the texture's texels. */
uint32_t KERNEL(sample_border)(const struct raster_sampler *sampler);

/* The scale of channels: 0..255, as programs read them, or as they read those of a signed texture. */
enum sample_words_scale { SAMPLE_WORDS_RAW, SAMPLE_WORDS_UNSIGNED, SAMPLE_WORDS_SIGNED };

/* One level of 8-bit texels at the places of n lanes; not raw, the alpha of opaque textures is 1. For samplers that
 * sample_has_words; not at the levels scalar and SSE2. Results may overwrite the places. */
void KERNEL(sample_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, enum sample_words_scale scale, float (*out)[MAX_LANES]);
/* sample_words, with each quad's fraction of the next level mixed in. */
void KERNEL(sample_words_mixed)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                unsigned index, bool linear, const float *fraction, enum sample_words_scale scale,
                                float (*out)[MAX_LANES]);
/* sample_words for quads that read levels of their own, all with the first one's filter. 2D textures, sample_has_words
 * of all levels that are read. */
void KERNEL(sample_words_of_quads)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                   const struct quad_levels *levels, enum sample_words_scale scale,
                                   float (*out)[MAX_LANES]);

/* sample_words and its like for narrow states: pixels of 16-bit numbers, of the levels of the first quad if uniform, else of each quad's
 * with the first one's filter. */
void KERNEL(sample_narrow_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                 const struct quad_levels *levels, bool uniform, int16_t *out);
/* Samples an 8x8 block of one primitive with a linear filter, if its coordinates are whole numbers that make an upright picture; else
 * false, and `out` is anything. fraction: of the level behind `index`. */
bool KERNEL(sample_block_words)(const struct raster_sampler *sampler, const struct place *place, unsigned index,
                                float fraction, int16_t *out);
/* The same of one level alone. */
bool KERNEL(sample_block_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                bool opaque, int16_t *out);
/* One level at coordinates of n lanes that are whole numbers. */
void KERNEL(sample_affine_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                 unsigned n, bool linear, bool opaque, int16_t *out);
/* sample_narrow_words of coordinates that are whole numbers; each quad has its own filter. */
void KERNEL(sample_affine_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                 const struct quad_levels *levels, bool uniform, int16_t *out);

/* One level of depth at the places of n lanes: in all channels the depth, or what comparing gives. For samplers that
 * sample_has_depth. */
void KERNEL(sample_depth)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, float (*out)[MAX_LANES]);

/* One level of wide texels at the places of n lanes, as they are. For samplers that sample_has_wide. */
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

/* Coordinates that a batch samples between (NaN: one is not a number); valid: there are such. */
struct feedback_span {
    float low, high;
};
struct feedback_spans {
    bool valid;
    struct feedback_span u, v;
};

/* Around all lanes and their probes. */
void KERNEL(feedback_spans)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                            const struct footprint *footprint, struct feedback_spans *out);
/* Is all marked that may be read of a level between them? */
bool KERNEL(feedback_covers)(const struct raster_sampler *sampler, const struct feedback_spans *spans, unsigned level);
/* Marks what the lanes whose bits are set read of a level, in the sampler's map. */
void KERNEL(feedback_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned level,
                            bool linear, uint64_t lanes);

/* Are probes along the footprint asked for? Volumes have none. */
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

/* Has a level the fast path of sample_words? */
static inline bool sample_has_words(const struct raster_sampler *sampler, unsigned index)
{
    const struct raster_texture *texture = sampler->texture;

    return SIMD_HAS_GATHER && texture->kind != RASTER_TEXTURE_VOLUME && !texture->is_wide && !texture->depth &&
           !(sampler->srgb && texture->is_signed) && sample_is_small(&texture->level[index]);
}

/* Has a level the fast path of sample_depth? */
static inline bool sample_has_depth(const struct raster_sampler *sampler, unsigned index)
{
    const struct raster_texture *texture = sampler->texture;

    return SIMD_HAS_GATHER && texture->kind != RASTER_TEXTURE_VOLUME && texture->depth &&
           sample_is_small(&texture->level[index]);
}

/* Has a level the fast path of sample_wide? Its borders have not. */
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

/* Does it matter how large footprints are? */
static inline bool needs_footprint(const struct raster_sampler *sampler)
{
    if (is_anisotropic(sampler))
        return true;
    if (sampler->mip_filter != RASTER_FILTER_NONE)
        return sample_base_level(sampler) < (int32_t)sampler->texture->level_count - 1;
    return sampler->mag_filter != sampler->min_filter;
}

/* The level that quads read which all magnify, or where footprints do not matter; filled in for the first quad alone. */
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
