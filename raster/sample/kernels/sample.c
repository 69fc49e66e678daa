/* SPDX-License-Identifier: MIT */
/*
 * Texture sampling; compiled once per CPU level, as are its neighbours, which do the parts of
 * it. A quad mostly shares one level of detail; a batch whose quads all agree on it is sampled at once, and
 * so are most others where there is a fast path, else one level after the other. Source:
 * docs/reference/texture-sampling.md, sections 1 to 4.
 */
#include "raster/sample/feedback.h"
#include "raster/sample/lod.h"
#include "raster/sample/kernels/sampler.h"

#include <math.h>
#include <string.h>

/* --- batches ------------------------------------------------------------------------------------------ */

/* All lanes read the levels of quad `first`; fractions are per quad, from that of `first` on. */
static void sample_uniform(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                           const struct quad_levels *levels, unsigned first, const float *fraction,
                           float (*out)[MAX_LANES])
{
    unsigned level = (unsigned)levels->level[first];

    KERNEL(sample_level)(sampler, place, n, level, levels->linear[first], out);
    if (levels->fraction[first] > 0.0f) {
        _Alignas(64) float next[4][MAX_LANES], weight[MAX_LANES];

        KERNEL(sample_level)(sampler, place, n, level + 1, levels->linear[first], next);
        splat_quads(n, fraction, weight);
        KERNEL(sample_mix)(n, out, next, weight);
    }
}

/* Some quads of a batch, packed, up to a whole number of groups: the last quad fills the rest. */
struct chosen_quads {
    unsigned count, quad[MAX_QUADS];
    float fraction[MAX_QUADS];
    struct place_room room;
    struct place place;
};

static void choose_quads(const struct place *place, const struct quad_levels *levels, uint32_t quads,
                         struct chosen_quads *out)
{
    struct place_room *room = &out->room;
    unsigned lanes;

    out->place = (struct place){
        .u = room->u, .v = room->v, .w = place->w ? room->w : NULL, .face = place->face ? room->face : NULL};
    out->count = 0;
    for (; quads; quads &= quads - 1)
        out->quad[out->count++] = (unsigned)__builtin_ctz(quads);
    lanes = (out->count + 3) & ~3u;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned q = out->quad[BASE_MIN(i, out->count - 1)];

        memcpy(&room->u[4 * i], &place->u[4 * q], 4 * sizeof(float));
        memcpy(&room->v[4 * i], &place->v[4 * q], 4 * sizeof(float));
        if (place->w)
            memcpy(&room->w[4 * i], &place->w[4 * q], 4 * sizeof(float));
        if (place->face)
            memcpy(&room->face[4 * i], &place->face[4 * q], 4 * sizeof(int32_t));
        out->fraction[i] = levels->fraction[q];
    }
}

/* Quads differ: quads of the same levels are sampled together. */
static void sample_mixed(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         const struct quad_levels *levels, float (*out)[MAX_LANES])
{
    uint32_t rest = (uint32_t)((UINT64_C(1) << n / 4) - 1);
    _Alignas(64) float texel[4][MAX_LANES];
    struct chosen_quads chosen;

    while (rest) {
        unsigned first = (unsigned)__builtin_ctz(rest);
        uint32_t same = 0;

        for (unsigned q = first; q < n / 4; q++)
            same |= (uint32_t)KERNEL(sample_same_levels)(levels, first, q) << q;
        rest &= ~same;
        choose_quads(place, levels, same, &chosen);
        sample_uniform(sampler, &chosen.place, (chosen.count * 4 + GROUP_LANES - 1) & ~(GROUP_LANES - 1u), levels,
                       first, chosen.fraction, texel);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < chosen.count; i++)
                memcpy(&out[c][4 * chosen.quad[i]], &texel[c][4 * i], 4 * sizeof(float));
    }
}

/* Is channel c independent of the texels? Then *constant becomes its value. */
static bool sample_is_constant(const struct raster_texture *texture, unsigned c, float *constant)
{
    bool missing = texture->depth == RASTER_DEPTH_RED && c > 0;

    if (!missing && !(c == 3 && texture->opaque))
        return false;
    *constant = c == 3 ? 1.0f : 0.0f;
    return true;
}

/* From the scale of texels to that of programs. */
static void scale_channel(const struct raster_texture *texture, unsigned n, const float *restrict in,
                          float *restrict out)
{
    if (texture->is_signed) {
        FOR_LANES(n) {
            float v = (in[l] - 128.0f) * (1.0f / 127.0f);

            out[l] = v > -1.0f ? v : -1.0f;
        }
    } else if (texture->is_wide || texture->depth) {
        memcpy(out, in, n * sizeof(*out));
    } else {
        FOR_LANES(n)
            out[l] = in[l] * (1.0f / 255.0f);
    }
}

void KERNEL(sample_finish)(const struct raster_texture *texture, unsigned n, float (*restrict texel)[MAX_LANES],
                           float (*result)[RASTER_LANES])
{
    for (unsigned c = 0; c < 4; c++) {
        float constant;

        if (sample_is_constant(texture, c, &constant))
            FOR_LANES(n)
                result[c][l] = constant;
        else
            scale_channel(texture, n, texel[c], result[c]);
    }
}

static void sample_nothing(unsigned n, float (*result)[RASTER_LANES])
{
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            result[c][l] = c == 3 ? 1.0f : 0.0f;
}

static void sample_levels(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                          const struct quad_levels *levels, bool uniform, float (*texel)[MAX_LANES])
{
    if (uniform)
        sample_uniform(sampler, place, n, levels, 0, levels->fraction, texel);
    else
        sample_mixed(sampler, place, n, levels, texel);
}

/* Moves each quad to its probe k along the longer side; quads without such a probe are not moved. */
static struct place move_to_probe(const struct place *place, const struct footprint *footprint, unsigned n, int32_t k,
                                  struct place_room *room)
{
    struct place probe = *place;
    float along_u[MAX_QUADS], along_v[MAX_QUADS], u[MAX_LANES], v[MAX_LANES];

    for (unsigned q = 0; q < n / 4; q++) {
        float offset = k < footprint->probes[q] ? raster_probe_offset(k, footprint->probes[q]) : 0.0f;

        along_u[q] = offset * footprint->along_u[q];
        along_v[q] = offset * footprint->along_v[q];
    }
    splat_quads(n, along_u, u);
    splat_quads(n, along_v, v);
    FOR_LANES(n) {
        room->u[l] = place->u[l] + u[l];
        room->v[l] = place->v[l] + v[l];
    }
    probe.u = room->u;
    probe.v = room->v;
    return probe;
}

/* The mean of the probes. */
static void sample_probes(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                          const struct quad_levels *levels, bool uniform, const struct footprint *footprint,
                          float (*restrict out)[MAX_LANES])
{
    _Alignas(64) float texel[4][MAX_LANES], quad_count[MAX_QUADS], count[MAX_LANES];
    struct place_room room;
    struct place probe;

    for (unsigned q = 0; q < n / 4; q++)
        quad_count[q] = (float)footprint->probes[q];
    splat_quads(n, quad_count, count);
    for (int32_t k = 0; k < footprint->most_probes; k++) {
        float index = (float)k;

        probe = move_to_probe(place, footprint, n, k, &room);
        sample_levels(sampler, &probe, n, levels, uniform, k ? texel : out);
        for (unsigned c = 0; k && c < 4; c++)
            FOR_LANES(n)
                out[c][l] = index < count[l] ? out[c][l] + texel[c][l] : out[c][l];
    }
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            out[c][l] /= count[l];
}

/* --- sampler feedback --------------------------------------------------------------------------------------- */

/* Marks the reads of the recorded lanes in the levels of their quads. */
static void record_levels(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                          const struct quad_levels *levels, bool uniform, uint64_t lanes)
{
    for (unsigned q = 0; lanes && q < n / 4; q++) {
        uint64_t same = uniform ? lanes : 0;

        if (!uniform && !(lanes >> 4 * q & 15))
            continue;
        for (unsigned k = q; !uniform && k < n / 4; k++)
            if (KERNEL(sample_same_levels)(levels, q, k))
                same |= lanes & UINT64_C(15) << 4 * k;
        KERNEL(feedback_level)(sampler, place, n, (unsigned)levels->level[q], levels->linear[q], same);
        if (levels->fraction[q] > 0.0f)
            KERNEL(feedback_level)(sampler, place, n, (unsigned)levels->level[q] + 1, levels->linear[q], same);
        lanes &= ~same;
    }
}

static void record_probes(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                          const struct quad_levels *levels, bool uniform, const struct footprint *footprint)
{
    uint64_t lanes = place->recorded;
    struct place_room room;
    struct place probe;

    for (int32_t k = 0; k < footprint->most_probes; k++) {
        probe = move_to_probe(place, footprint, n, k, &room);
        for (unsigned q = 0; q < n / 4; q++)
            if (k >= footprint->probes[q])
                lanes &= ~(UINT64_C(15) << 4 * q);
        record_levels(sampler, &probe, n, levels, uniform, lanes);
    }
}

/* Is everything that the quads may read marked already? */
static bool is_recorded(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                        const struct quad_levels *levels, bool uniform, const struct footprint *footprint)
{
    struct feedback_spans spans;

    KERNEL(feedback_spans)(sampler, place, n, footprint, &spans);
    for (unsigned q = 0; q < (uniform ? 1 : n / 4); q++) {
        if (q && KERNEL(sample_same_levels)(levels, q - 1, q))
            continue;
        if (!KERNEL(feedback_covers)(sampler, &spans, (unsigned)levels->level[q]) ||
            (levels->fraction[q] > 0.0f && !KERNEL(feedback_covers)(sampler, &spans, (unsigned)levels->level[q] + 1)))
            return false;
    }
    return true;
}

/* Marks the reads of the recorded lanes. */
static void record(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                   const struct quad_levels *levels, bool uniform, const struct footprint *footprint)
{
    if (is_recorded(sampler, place, n, levels, uniform, footprint))
        return;
    if (footprint->most_probes > 1)
        record_probes(sampler, place, n, levels, uniform, footprint);
    else
        record_levels(sampler, place, n, levels, uniform, place->recorded);
}

/* One channel of four texels: a the one a point filter reads, r right of it, g below, b right of that. result: NULL if they
 * are marked alone. */
static void sample_fetch4(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                          float (*result)[RASTER_LANES])
{
    static const unsigned channels[4] = {3, 0, 1, 2};
    unsigned base = BASE_MIN(sampler->base_level, sampler->texture->level_count - 1);
    unsigned from = sampler->fetch4 == RASTER_FETCH4_ALPHA ? 3 : 0;
    float right = 1.0f / (float)sampler->texture->level[base].width;
    float below = 1.0f / (float)sampler->texture->level[base].height;
    _Alignas(64) float texel[4][MAX_LANES];
    struct place moved = *place;
    struct place_room room;

    moved.u = room.u;
    moved.v = room.v;
    for (unsigned k = 0; k < 4; k++) {
        FOR_LANES(n) {
            room.u[l] = place->u[l] + (k & 1 ? right : 0.0f);
            room.v[l] = place->v[l] + (k & 2 ? below : 0.0f);
        }
        if (place->recorded)
            KERNEL(feedback_level)(sampler, &moved, n, base, false, place->recorded);
        if (!result)
            continue;
        KERNEL(sample_level)(sampler, &moved, n, base, false, texel);
        scale_channel(sampler->texture, n, texel[from], result[channels[k]]);
    }
}

/* --- the fast path -------------------------------------------------------------------------------------------- */

#if SIMD_HAS_GATHER
/* Do quads that read different levels have the fast path of sample_words? */
static bool have_words(const struct raster_sampler *sampler, const struct quad_levels *levels, unsigned n)
{
    bool words = sampler->texture->kind == RASTER_TEXTURE_2D;

    if ((sampler->mag_filter >= RASTER_FILTER_LINEAR) != (sampler->min_filter >= RASTER_FILTER_LINEAR))
        for (unsigned q = 0; q < n / 4; q++)
            words &= levels->linear[q] == levels->linear[0];
    for (unsigned level = (unsigned)sample_base_level(sampler); level < sampler->texture->level_count; level++)
        words &= sample_is_small(&sampler->texture->level[level]);
    return words;
}

/* sample_uniform of wide texels, to the result. */
static void sample_uniform_wide(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                const struct quad_levels *levels, float (*result)[RASTER_LANES])
{
    const unsigned level = (unsigned)levels->level[0];
    const bool linear = levels->linear[0];

    KERNEL(sample_wide)(sampler, place, n, level, linear, result);
    if (levels->fraction[0] > 0.0f) {
        _Alignas(64) float next[4][MAX_LANES], weight[MAX_LANES];

        KERNEL(sample_wide)(sampler, place, n, level + 1, linear, next);
        splat_quads(n, levels->fraction, weight);
        KERNEL(sample_mix)(n, result, next, weight);
    }
    for (unsigned l = 0; sampler->texture->opaque && l < n; l++)
        result[3][l] = 1.0f;
}

/* Samples from places to the result in one go. False: the texture does not allow it. */
static bool sample_fused(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         const struct quad_levels *levels, bool uniform, float (*result)[RASTER_LANES])
{
    const struct raster_texture *texture = sampler->texture;
    enum sample_words_scale scale = texture->is_signed ? SAMPLE_WORDS_SIGNED : SAMPLE_WORDS_UNSIGNED;
    unsigned level = (unsigned)levels->level[0];
    bool linear = levels->linear[0];

    if (uniform && sample_has_wide(sampler, level)) {
        sample_uniform_wide(sampler, place, n, levels, result);
        return true;
    }
    if (!sample_has_words(sampler, level) || (!uniform && !have_words(sampler, levels, n)))
        return false;
    if (!uniform)
        KERNEL(sample_words_of_quads)(sampler, place, n, levels, scale, result);
    else if (levels->fraction[0] > 0.0f)
        KERNEL(sample_words_mixed)(sampler, place, n, level, linear, levels->fraction, scale, result);
    else
        KERNEL(sample_words)(sampler, place, n, level, linear, scale, result);
    return true;
}

/* Samples a 2D texture with plain coordinates and without feedback, where only the levels have to be found. False: it
 * is another kind of texture, or has no fast path. */
static bool sample_fast(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                        enum raster_lod_mode mode, float (*result)[RASTER_LANES])
{
    const struct place place = {.u = coordinate[0], .v = coordinate[1]};
    struct quad_levels levels;
    bool uniform = true;

    if (sampler->texture->kind != RASTER_TEXTURE_2D || sampler->fetch4)
        return false;
    if (!needs_footprint(sampler)) {
        sample_only_level(sampler, &levels);
    } else {
        const unsigned base = (unsigned)sample_base_level(sampler);

        if (mode != RASTER_LOD_COMPUTED || is_anisotropic(sampler) ||
            !(sample_has_words(sampler, base) || sample_has_wide(sampler, base)))
            return false;
        uniform = KERNEL(sample_isotropic_levels)(sampler, &place, n, &levels);
    }
    return sample_fused(sampler, &place, n, &levels, uniform, result);
}
#else
static bool sample_fused(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         const struct quad_levels *levels, bool uniform, float (*result)[RASTER_LANES])
{
    (void)sampler, (void)place, (void)n, (void)levels, (void)uniform, (void)result;
    return false;
}

static bool sample_fast(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                        enum raster_lod_mode mode, float (*result)[RASTER_LANES])
{
    (void)sampler, (void)n, (void)coordinate, (void)mode, (void)result;
    return false;
}
#endif

/* --- the general path -------------------------------------------------------------------------------------------- */

static const struct footprint one_probe = {.most_probes = 1};

/* Levels of the quads, from the footprint or, if that is NULL, from the places; then *footprint is `room` or a footprint of
 * one probe. True if all read the same. */
static bool find_levels(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                        const struct footprint **footprint, struct footprint *room, struct quad_levels *levels)
{
    if (!*footprint) {
#if SIMD_HAS_GATHER
        if (!is_anisotropic(sampler) && sampler->texture->kind != RASTER_TEXTURE_VOLUME) {
            *footprint = &one_probe;
            return KERNEL(sample_isotropic_levels)(sampler, place, n, levels);
        }
#endif
        KERNEL(sample_footprint)(sampler, place, n / 4, room);
        *footprint = room;
    }
    return KERNEL(sample_levels)(sampler, *footprint, n / 4, levels);
}

/* Marks the reads at the place, in levels no finer than the clamp. Footprint as below. */
static void record_place(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         const struct footprint *footprint)
{
    const float clamp = (float)sampler->feedback_clamp * (1.0f / 256.0f);
    struct quad_levels levels;
    struct footprint clamped;

    if (footprint)
        clamped = *footprint;
    else
        KERNEL(sample_footprint)(sampler, place, n / 4, &clamped);
    for (unsigned q = 0; clamp > 0.0f && q < n / 4; q++)
        clamped.lod[q] = clamped.lod[q] > clamp ? clamped.lod[q] : clamp;
    bool uniform = KERNEL(sample_levels)(sampler, &clamped, n / 4, &levels);
    record(sampler, place, n, &levels, uniform, &clamped);
}

void KERNEL(sample_with_footprint)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                   const struct footprint *footprint, float (*result)[RASTER_LANES])
{
    _Alignas(64) float texel[4][MAX_LANES];
    struct quad_levels levels;
    struct footprint found;
    bool uniform = true;

    if (sampler->fetch4) {
        sample_fetch4(sampler, place, n, result);
        return;
    }
    if (!result) {
        record_place(sampler, place, n, footprint);
        return;
    }
    if (!needs_footprint(sampler)) {
        sample_only_level(sampler, &levels);
        if (place->recorded)
            record(sampler, place, n, &levels, true, &one_probe);
        if (sample_fused(sampler, place, n, &levels, true, result))
            return;
        sample_uniform(sampler, place, n, &levels, 0, levels.fraction, texel);
        KERNEL(sample_finish)(sampler->texture, n, texel, result);
        return;
    }
    uniform = find_levels(sampler, place, n, &footprint, &found, &levels);
    if (place->recorded)
        record(sampler, place, n, &levels, uniform, footprint);
    if (footprint->most_probes == 1 && sample_fused(sampler, place, n, &levels, uniform, result))
        return;
    if (footprint->most_probes > 1)
        sample_probes(sampler, place, n, &levels, uniform, footprint, texel);
    else
        sample_levels(sampler, place, n, &levels, uniform, texel);
    KERNEL(sample_finish)(sampler->texture, n, texel, result);
}

static __attribute__((noinline)) void sample_with_lod(const struct raster_sampler *sampler, unsigned n,
                                                      const float (*coordinate)[RASTER_LANES],
                                                      enum raster_lod_mode mode, const float (*lod)[RASTER_LANES],
                                                      uint64_t lanes, float (*result)[RASTER_LANES])
{
    struct place_room room;
    struct place place;
    bool several;

    place = KERNEL(sample_place_lanes)(sampler->texture, n, coordinate, &room, &several);
    place.recorded = lanes;
    if ((mode == RASTER_LOD_COMPUTED && !several) || (result && !needs_footprint(sampler))) {
        KERNEL(sample_with_footprint)(sampler, &place, n, NULL, result);
        return;
    }
    const struct lod_source source = {
        .mode = mode,
        .coordinate = coordinate,
        .lod = lod,
        .face = several && mode != RASTER_LOD_GIVEN ? room.face : NULL,
        .gradients = mode == RASTER_LOD_GRADIENTS ? raster_texture_axes(sampler->texture) : 0,
        .moves = sampler->texture->kind == RASTER_TEXTURE_CUBE,
    };
    KERNEL(sample_levels_of_lanes)(sampler, &place, n, &source, result);
}

/* Do all lanes have the same bits? */
static bool are_equal(const float *value, unsigned n)
{
    const int32_t *bits = (const int32_t *)value, first = bits[0];
    int32_t different = 0;

    if (first != bits[n - 1])
        return false;
    FOR_LANES(n)
        different |= bits[l] ^ first;
    return !different;
}

/* Do all lanes read the same level at the same place, like programs that keep their own data in a texture? */
static bool is_one_place(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                         enum raster_lod_mode mode, const float (*lod)[RASTER_LANES])
{
    bool one = mode == RASTER_LOD_GIVEN && are_equal(lod[0], n);

    for (unsigned c = 0; one && c < raster_texture_axes(sampler->texture); c++)
        one = are_equal(coordinate[c], n);
    return one;
}

static void repeat_first(unsigned n, float *lanes)
{
    const vecf first = vecf_splat(lanes[0]);

    for (unsigned l = 0; l < n; l += VEC)
        vecf_store(lanes + l, first);
}

void KERNEL(raster_sample_lod)(const struct raster_sampler *sampler, unsigned group_count,
                               const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                               const float (*lod)[RASTER_LANES], float (*result)[RASTER_LANES])
{
    const unsigned n = group_count * GROUP_LANES;

    BASE_ASSERT(group_count >= 1 && n <= RASTER_LANES);
    if (!sampler->texture) {
        sample_nothing(n, result);
        return;
    }
    const bool one = is_one_place(sampler, n, coordinate, mode, lod);
    const unsigned sampled = one ? GROUP_LANES : n;

    if (!sample_fast(sampler, sampled, coordinate, mode, result))
        sample_with_lod(sampler, sampled, coordinate, mode, lod, 0, result);
    for (unsigned c = 0; one && c < 4; c++)
        repeat_first(n, result[c]);
}

/* Records the reads that would happen if the texture had all of the map's levels. */
static void record_requests(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                            enum raster_lod_mode mode, const float (*lod)[RASTER_LANES], uint64_t lanes)
{
    struct raster_sampler whole = *sampler;

    whole.texture = raster_feedback_shape(sampler->feedback);
    whole.base_level = 0;
    sample_with_lod(&whole, n, coordinate, mode, lod, lanes, NULL);
}

void KERNEL(raster_sample_recorded)(const struct raster_sampler *sampler, unsigned group_count,
                                    const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                                    const float (*lod)[RASTER_LANES], uint64_t lanes, float (*result)[RASTER_LANES])
{
    unsigned n = group_count * GROUP_LANES;

    lanes &= n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
    if (!sampler->texture) {
        sample_nothing(n, result);
        return;
    }
    if (sampler->feedback_mode == RASTER_FEEDBACK_READS) {
        sample_with_lod(sampler, n, coordinate, mode, lod, lanes, result);
        return;
    }
    if (lanes)
        record_requests(sampler, n, coordinate, mode, lod, lanes);
    if (sampler->feedback_mode == RASTER_FEEDBACK_WRITES)
        sample_nothing(n, result);
    else
        KERNEL(raster_sample_lod)(sampler, group_count, coordinate, mode, lod, result);
}
