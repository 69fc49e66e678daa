/* SPDX-License-Identifier: MIT */
/*
 * Levels per lane, where programs give a bias, a level or gradients. A quad shares only its differences: bias, level
 * and gradients belong to a lane, and so does the cube face on which differences are measured. (With the face of one
 * lane for all, a helper pixel could decide for the others.) Lanes that give their level are sampled level by level;
 * otherwise differing lanes of a quad are sampled one at a time.
 */
#include "raster/sample/lod.h"
#include "raster/sample/kernels/sampler.h"

#include <string.h>

/* Footprints from the gradients of a lane: those of a quad with exactly these differences. Cubes need the position too,
 * for the face of the direction. */
static void gradient_footprint(const struct raster_sampler *sampler, unsigned n, const struct lod_source *source,
                               unsigned lane, struct footprint *out)
{
    _Alignas(64) float moved[3][RASTER_LANES];

    for (unsigned c = 0; c < source->gradients; c++)
        for (unsigned l = 0; l < n; l += 4) {
            float at = source->moves ? source->coordinate[c][l + lane] : 0.0f;

            moved[c][l] = moved[c][l + 3] = at;
            moved[c][l + 1] = at + source->lod[c][l + lane];
            moved[c][l + 2] = at + source->lod[c + 3][l + lane];
        }
    KERNEL(sample_measure)(sampler, n, (const float(*)[RASTER_LANES])moved, 0, out);
}

/* The footprints of quads by one of their lanes. */
static void lane_footprint(const struct raster_sampler *sampler, unsigned n, const struct lod_source *source,
                           unsigned lane, struct footprint *out)
{
    switch (source->mode) {
    case RASTER_LOD_GIVEN:
        out->most_probes = 1;
        for (unsigned q = 0; q < n / 4; q++) {
            out->probes[q] = 1;
            out->along_u[q] = out->along_v[q] = 0.0f;
            out->lod[q] = source->lod[0][4 * q + lane] + sampler->lod_bias;
        }
        return;
    case RASTER_LOD_GRADIENTS:
        gradient_footprint(sampler, n, source, lane, out);
        return;
    default:
        KERNEL(sample_measure)(sampler, n, source->coordinate, lane, out);
        for (unsigned q = 0; source->mode == RASTER_LOD_BIASED && q < n / 4; q++)
            out->lod[q] += source->lod[0][4 * q + lane];
    }
}

/* Lanes whose value is that of lane `lane` of their quad. */
static uint64_t same_values(const float *value, unsigned n, unsigned lane)
{
    uint64_t same = 0;

    for (unsigned l = 0; l < n; l += 4) {
        const float of = value[l + lane];

        same |= (uint64_t)((of == value[l]) | (of == value[l + 1]) << 1 | (of == value[l + 2]) << 2 |
                           (of == value[l + 3]) << 3)
                << l;
    }
    return same;
}

static uint64_t same_faces(const int32_t *face, unsigned n, unsigned lane)
{
    uint64_t same = 0;

    FOR_LANES(n)
        same |= (uint64_t)(face[l] == face[(l & ~3u) + lane]) << l;
    return same;
}

/* The lanes that have the footprint of lane `lane` of their quad. */
static uint64_t lanes_alike(const struct lod_source *source, unsigned n, unsigned lane)
{
    uint64_t alike = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);

    if (source->face)
        alike &= same_faces(source->face, n, lane);
    if (source->mode == RASTER_LOD_BIASED || source->mode == RASTER_LOD_GIVEN)
        alike &= same_values(source->lod[0], n, lane);
    for (unsigned c = 0; c < source->gradients; c++) {
        alike &= same_values(source->lod[c], n, lane) & same_values(source->lod[c + 3], n, lane);
        if (source->moves)
            alike &= same_values(source->coordinate[c], n, lane);
    }
    return alike | (UINT64_C(0x1111111111111111) << lane & (n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0)));
}

static void keep_lanes(unsigned n, uint64_t lanes, float (*restrict from)[RASTER_LANES],
                       float (*restrict to)[RASTER_LANES])
{
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            to[c][l] = lanes >> l & 1 ? from[c][l] : to[c][l];
}

/* Samples quads whose lanes differ: for each lane that differs from earlier ones samples the whole quad and keeps the
 * lanes equal to it. rest: all lanes; alike: those equal to the first. */
static void sample_lanes(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                         const struct lod_source *source, uint64_t rest, uint64_t alike, float (*result)[RASTER_LANES])
{
    _Alignas(64) float texel[4][RASTER_LANES], kept[4][RASTER_LANES] = {{0}};

    for (unsigned lane = 0; rest; alike = ++lane < 4 ? lanes_alike(source, n, lane) & rest : 0) {
        struct place of_lanes = *place;
        struct footprint footprint;

        if (!alike)
            continue;
        of_lanes.recorded = place->recorded & alike;
        lane_footprint(sampler, n, source, lane, &footprint);
        KERNEL(sample_with_footprint)(sampler, &of_lanes, n, &footprint, result ? texel : NULL);
        if (result)
            keep_lanes(n, alike, texel, kept);
        rest &= ~alike;
    }
    for (unsigned c = 0; result && c < 4; c++)
        memcpy(result[c], kept[c], n * sizeof(float));
}

/* The levels given by lanes, each on its own. */
struct lane_levels {
    int32_t level[MAX_LANES], linear[MAX_LANES];
    _Alignas(64) float fraction[MAX_LANES];
};

static void find_lane_levels(const struct raster_sampler *sampler, unsigned n, const struct lod_source *source,
                             struct lane_levels *out)
{
    for (unsigned lane = 0; lane < 4; lane++) {
        struct footprint footprint;
        struct quad_levels levels;

        lane_footprint(sampler, n, source, lane, &footprint);
        KERNEL(sample_levels)(sampler, &footprint, n / 4, &levels);
        for (unsigned q = 0; q < n / 4; q++) {
            out->level[4 * q + lane] = levels.level[q];
            out->linear[4 * q + lane] = levels.linear[q];
            out->fraction[4 * q + lane] = levels.fraction[q];
        }
    }
}

/* The levels that lanes read with a filter, as bits. */
static uint32_t levels_read(const struct lane_levels *lanes, unsigned n, int32_t linear)
{
    uint32_t levels = 0;

    FOR_LANES(n) {
        const uint32_t mine = 1u << lanes->level[l], next = lanes->fraction[l] > 0.0f ? mine << 1 : 0;

        levels |= lanes->linear[l] == linear ? mine | next : 0;
    }
    return levels;
}

/* Takes the samples of a level for the lanes that read it as their first level, and for those that mix it into the
 * level before. */
static void take_level(const struct lane_levels *lanes, unsigned n, int32_t level, int32_t linear,
                       float (*restrict texel)[RASTER_LANES], float (*restrict near)[RASTER_LANES],
                       float (*restrict far)[RASTER_LANES])
{
    int32_t reads[MAX_LANES], mixes[MAX_LANES];

    FOR_LANES(n) {
        const int32_t filtered = lanes->linear[l] == linear ? -1 : 0;

        reads[l] = lanes->level[l] == level ? filtered : 0;
        mixes[l] = lanes->level[l] == level - 1 ? filtered : 0;
    }
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n) {
            near[c][l] = reads[l] ? texel[c][l] : near[c][l];
            far[c][l] = mixes[l] ? texel[c][l] : far[c][l];
        }
}

/* Lanes that give their levels: each level that any lane reads is sampled once, for all of them. sample_lanes would
 * take that many passes for each lane of a quad. */
static void sample_given_levels(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                const struct lod_source *source, float (*result)[RASTER_LANES])
{
    _Alignas(64) float texel[4][RASTER_LANES], near[4][RASTER_LANES] = {{0}}, far[4][RASTER_LANES] = {{0}};
    struct lane_levels lanes;

    find_lane_levels(sampler, n, source, &lanes);
    for (int32_t linear = 0; linear < 2; linear++)
        for (uint32_t left = levels_read(&lanes, n, linear); left; left &= left - 1) {
            const int32_t level = __builtin_ctz(left);

            KERNEL(sample_level)(sampler, place, n, (unsigned)level, linear, texel);
            take_level(&lanes, n, level, linear, texel, near, far);
        }
    memcpy(texel, near, sizeof(texel));
    KERNEL(sample_mix)(n, texel, far, lanes.fraction);
    for (unsigned c = 0; c < 4; c++)
        FOR_LANES(n)
            near[c][l] = lanes.fraction[l] > 0.0f ? texel[c][l] : near[c][l];
    KERNEL(sample_finish)(sampler->texture, n, near, result);
}

void KERNEL(sample_levels_of_lanes)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                    const struct lod_source *source, float (*result)[RASTER_LANES])
{
    const uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0), alike = lanes_alike(source, n, 0);
    struct footprint footprint;

    if (alike == all) {
        lane_footprint(sampler, n, source, 0, &footprint);
        KERNEL(sample_with_footprint)(sampler, place, n, &footprint, result);
    } else if (source->mode == RASTER_LOD_GIVEN && result && !place->recorded && !sampler->fetch4) {
        sample_given_levels(sampler, place, n, source, result);
    } else {
        sample_lanes(sampler, place, n, source, all, alike, result);
    }
}
