/* SPDX-License-Identifier: MIT */
/*
 * The fast path through a level of texels of one word: from coordinates to channels in three loops over vectors of
 * lanes. Texels, weights and bits are the same as those of sample/kernels/address.c and sample/kernels/filter.c,
 * because filtering 8-bit channels is exact: a channel times two 8-bit weights has 24 bits, which integers add as
 * exactly as floats. Only the scale at the end rounds. sRGB colours and depth are filtered in floats, where each step
 * rounds, with the same steps as sample/kernels/filter.c. Not for the levels scalar and SSE2.
 *
 * Why three loops and not one: each step of a vector waits for the one before, from address to texel to sum. One loop
 * would fill the processor's queue with steps that wait; three keep it busy with those of all vectors.
 */
#include "raster/sample/kernels/fetch.h"
#include "raster/sample/kernels/words.h"

#if SIMD_HAS_GATHER

/* Half the range of a sum of 24 bits, the bias of sums: they are computed from products of signed 16-bit numbers. */
#define SUM_BIAS 8388608

/* --- texels and weights ------------------------------------------------------------------------------------------- */

/* Texels and weights of all lanes. */
static ALWAYS_INLINE void linear_axis(const struct level_axis *from, bool varied, bool rounds, unsigned n,
                                      const float *u, struct lane_axis *axis)
{
    const struct axis_rule same = axis_of_all(from);

    for (unsigned l = 0; l < n; l += VEC) {
        veci texel, weight;

        linear_texels(varied ? axis_of_quads(from, l) : same, rounds, vecf_load(u + l), &texel, &weight);
        veci_store(&axis->texel[l], texel);
        veci_store(&axis->weight[l], weight);
    }
}

static ALWAYS_INLINE void store_pairs(struct lane_texels *texels, unsigned row, unsigned l, struct vector_pairs pairs)
{
    veci_store(&texels->low[row][l], pairs.low);
    veci_store(&texels->high[row][l], pairs.high);
}

static ALWAYS_INLINE void fetch_linear(const struct quad_texels *from, bool varied, const struct place *place,
                                       unsigned n, const struct lane_axis *u, const struct lane_axis *v,
                                       struct lane_texels *out)
{
    const struct vector_level same = level_of_all(from);

    for (unsigned l = 0; l < n; l += VEC) {
        struct vector_level level = varied ? level_of_quads(from, l) : same;
        veci x = veci_load(&u->texel[l]), y = veci_load(&v->texel[l]), base = face_start(from->slice, place, l);
        struct vector_pairs row[2];

        if (vector_both_inside(x, less_one(level.u.size), y, less_one(level.v.size)))
            fetch_inner(&level, base, x, y, row);
        else
            fetch_outer(&level, base, x, y, row);
        store_pairs(out, 0, l, row[0]);
        store_pairs(out, 1, l, row[1]);
    }
}

#if SIMD_ROW_WORDS
/* fetch_linear where most vectors read rows. */
static void fetch_linear_rows(const struct quad_texels *from, unsigned n, const struct lane_axis *u,
                              const struct lane_axis *v, struct lane_texels *out)
{
    const struct vector_level level = level_of_all(from);
    const struct row_level one = row_level_of(from);

    for (unsigned l = 0; l < n; l += VEC) {
        veci x = veci_load(&u->texel[l]), y = veci_load(&v->texel[l]);
        bool inner = vector_both_inside(x, less_one(level.u.size), y, less_one(level.v.size));
        bool next_to = inner || level.u.mode == RASTER_WRAP || vector_inside(x, less_one(level.u.size));
        struct vector_pairs row[2];
        struct vector_rows rows;

        if (next_to && find_rows(&u->texel[l], &v->texel[l], &rows))
            inner ? fetch_inner_rows(&one, &rows, row) : fetch_outer_rows(&one, &rows, row);
        else if (inner)
            fetch_inner(&level, veci_splat(0), x, y, row);
        else
            fetch_outer(&level, veci_splat(0), x, y, row);
        store_pairs(out, 0, l, row[0]);
        store_pairs(out, 1, l, row[1]);
    }
}

/* Is fetch_linear_rows worth trying for a batch that reads one level? Decided by its first vector. */
static ALWAYS_INLINE bool reads_rows(const struct quad_texels *from, const struct place *place,
                                     const struct lane_axis *v)
{
    return from->u.size[0] >= SIMD_ROW_WORDS && !from->bordered && !place->face &&
           vector_rows_are_equal(veci_load(v->texel));
}
#endif

/* --- filtering ----------------------------------------------------------------------------------------------- */

/* Shuffles of a pair of texels: blue and green of both, or red and alpha, as neighbours in 16 bits. */
static const _Alignas(16) int8_t bytes_blue_green[16] = {0, -1, 4, -1, 1, -1, 5, -1, 8, -1, 12, -1, 9, -1, 13, -1};
static const _Alignas(16) int8_t bytes_red_alpha[16] = {2, -1, 6, -1, 3, -1, 7, -1, 10, -1, 14, -1, 11, -1, 15, -1};

/* Weights 256 - w and w, each pair for both words of its lane. */
static ALWAYS_INLINE struct vector_pairs pair_weights(veci weight)
{
    static const _Alignas(16) int8_t low[16] = {0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5};
    static const _Alignas(16) int8_t high[16] = {8, 9, 8, 9, 8, 9, 8, 9, 12, 13, 12, 13, 12, 13, 12, 13};

    return (struct vector_pairs){vector_subtract_even(256, vector_shuffle_bytes(weight, vector_repeat(low))),
                                 vector_subtract_even(256, vector_shuffle_bytes(weight, vector_repeat(high)))};
}

/* Two channels of two rows of pairs: 65536 times the filtered channels, less SUM_BIAS. */
static ALWAYS_INLINE veci mix_channels(veci top, veci bottom, const int8_t bytes[16], veci wu, veci wv)
{
    veci order = vector_repeat(bytes);
    veci t = veci_madd16(vector_shuffle_bytes(top, order), wu);
    veci b = veci_madd16(vector_shuffle_bytes(bottom, order), wu);

    return veci_madd16(vector_join(t, veci_left(b, 16), veci_splat(INT32_MIN | 0x8000)), wv);
}

/* The sums of a level: 65536 times red, green, blue and alpha, less SUM_BIAS. */
struct vector_sums {
    veci red, green, blue, alpha;
};

/* wu, wv: weights of the right and the lower texels. */
static ALWAYS_INLINE struct vector_sums filter_rows(const struct vector_pairs row[2], veci wu, veci wv)
{
    struct vector_pairs u = pair_weights(wu), v = pair_weights(wv), blue_green, red_alpha;

    blue_green.low = mix_channels(row[0].low, row[1].low, bytes_blue_green, u.low, v.low);
    blue_green.high = mix_channels(row[0].high, row[1].high, bytes_blue_green, u.high, v.high);
    red_alpha.low = mix_channels(row[0].low, row[1].low, bytes_red_alpha, u.low, v.low);
    red_alpha.high = mix_channels(row[0].high, row[1].high, bytes_red_alpha, u.high, v.high);
    return (struct vector_sums){vector_first(red_alpha), vector_second(blue_green), vector_first(blue_green),
                                vector_second(red_alpha)};
}

static ALWAYS_INLINE void fetch_nearest(const struct quad_texels *from, bool varied, const struct place *place,
                                        unsigned n, int32_t *texel)
{
    const struct vector_level same = level_of_all(from);

    for (unsigned l = 0; l < n; l += VEC) {
        struct vector_level level = varied ? level_of_quads(from, l) : same;
        const veci x = nearest_texel(level.u, vecf_load(place->u + l));
        const veci y = nearest_texel(level.v, vecf_load(place->v + l));
        veci_store(&texel[l], fetch_texels(&level, face_start(from->slice, place, l), x, y));
    }
}

static ALWAYS_INLINE struct vector_sums point_sums(veci texel)
{
    veci byte = veci_splat(0xff0000), bias = veci_splat(SUM_BIAS);

    return (struct vector_sums){
        veci_sub(veci_and(texel, byte), bias),
        veci_sub(veci_and(veci_left(texel, 8), byte), bias),
        veci_sub(veci_left(veci_and(texel, veci_splat(255)), 16), bias),
        veci_sub(veci_and(veci_right(texel, 8), byte), bias),
    };
}

/* --- scaling --------------------------------------------------------------------------------------------------- */

/* Sums without their bias, as floats. */
static ALWAYS_INLINE vecf whole(veci sum)
{
    return vecf_from(veci_add(sum, veci_splat(SUM_BIAS)));
}

/* (sum + SUM_BIAS) * scale, rounded once. */
static ALWAYS_INLINE vecf scaled(veci sum, float scale)
{
    return vector_scale_biased(sum, SUM_BIAS, scale);
}

#define SUM_UNIT (1.0f / 65536.0f)
#define UNSIGNED (SUM_UNIT * (1.0f / 255.0f))
#define SIGNED   (SUM_UNIT * (1.0f / 127.0f)) /* of a sum minus its bias, like texels minus 128 */

/* Finishes a channel of one level. */
static ALWAYS_INLINE vecf finish_one(enum sample_words_scale scale, veci sum)
{
    if (scale == SAMPLE_WORDS_SIGNED)
        return vecf_max(vecf_mul(vecf_from(sum), vecf_splat(SIGNED)), vecf_splat(-1.0f));
    return scaled(sum, scale == SAMPLE_WORDS_RAW ? SUM_UNIT : UNSIGNED);
}

/* Finishes a channel of two levels, mixed: rounds like KERNEL(sample_mix) and the scale after it. */
static ALWAYS_INLINE vecf finish_two(enum sample_words_scale scale, veci near, veci far, vecf weight)
{
    vecf a = whole(near), b = whole(far);
    vecf v = vecf_add(a, vecf_mul(vecf_sub(b, a), weight));

    if (scale == SAMPLE_WORDS_SIGNED)
        return vecf_max(vecf_mul(vecf_sub(v, vecf_splat(SUM_BIAS)), vecf_splat(SIGNED)), vecf_splat(-1.0f));
    return vecf_mul(v, vecf_splat(scale == SAMPLE_WORDS_RAW ? SUM_UNIT : UNSIGNED));
}

/* --- the loops --------------------------------------------------------------------------------------------------- */

static inline uint32_t float_bits(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

/* Fills in the members that are the same for all levels. */
static ALWAYS_INLINE void view_sampler(const struct raster_sampler *sampler, struct quad_texels *out)
{
    bool cube = sampler->texture->kind == RASTER_TEXTURE_CUBE;

    out->u.mode = cube ? RASTER_CLAMP : sampler->address[0];
    out->v.mode = cube ? RASTER_CLAMP : sampler->address[1];
    out->bordered = out->u.mode == RASTER_BORDER || out->v.mode == RASTER_BORDER;
    out->border = !out->bordered            ? 0
                  : sampler->texture->depth ? float_bits(limit(sampler->border[0], 0.0f, 1.0f))
                                            : KERNEL(sample_border)(sampler);
    out->rounds = sampler->srgb || sampler->texture->depth;
}

/* Fills in the level of quad q. */
static ALWAYS_INLINE void view_level(const struct raster_texture_level *level, unsigned q, struct quad_texels *out)
{
    out->u.size[q] = (int32_t)level->width;
    out->v.size[q] = (int32_t)level->height;
    out->pitch[q] = (int32_t)level->pitch;
    out->start[q] = (intptr_t)((uintptr_t)level->texels - (uintptr_t)out->texels) >> 2;
}

static ALWAYS_INLINE void read_texels(const struct quad_texels *from, bool varied, bool linear,
                                      const struct place *place, unsigned n, struct level_reads *out)
{
    if (!linear) {
        fetch_nearest(from, varied, place, n, out->texels.low[0]);
        return;
    }
    if (from->rounds || place->narrow) {
        linear_axis(&from->u, varied, true, n, place->u, &out->u);
        linear_axis(&from->v, varied, true, n, place->v, &out->v);
    } else {
        linear_axis(&from->u, varied, false, n, place->u, &out->u);
        linear_axis(&from->v, varied, false, n, place->v, &out->v);
    }
#if SIMD_ROW_WORDS
    if (!varied && reads_rows(from, place, &out->v)) {
        fetch_linear_rows(from, n, &out->u, &out->v, &out->texels);
        return;
    }
#endif
    fetch_linear(from, varied, place, n, &out->u, &out->v, &out->texels);
}

static void read_level(const struct raster_sampler *sampler, unsigned index, bool linear, const struct place *place,
                       unsigned n, struct level_reads *out)
{
    const struct raster_texture_level *level = &sampler->texture->level[index];
    struct quad_texels from;

    from.texels = level->texels;
    from.slice = (int32_t)level->slice;
    view_sampler(sampler, &from);
    view_level(level, 0, &from);
    read_texels(&from, false, linear, place, n, out);
}

/* read_level if each quad has its own level. */
static void read_levels(const struct raster_sampler *sampler, const int32_t *level, bool linear,
                        const struct place *place, unsigned n, struct level_reads *out)
{
    struct quad_texels from;

    from.texels = sampler->texture->level[level[0]].texels;
    from.slice = 0;
    view_sampler(sampler, &from);
    for (unsigned q = 0; q < n / 4; q++)
        view_level(&sampler->texture->level[level[q]], q, &from);
    read_texels(&from, true, linear, place, n, out);
}

static ALWAYS_INLINE struct vector_sums sums_of(const struct level_reads *reads, bool linear, unsigned l)
{
    const struct lane_texels *t = &reads->texels;
    struct vector_pairs row[2];

    if (!linear)
        return point_sums(veci_load(&t->low[0][l]));
    row[0] = load_pairs(t, 0, l);
    row[1] = load_pairs(t, 1, l);
    return filter_rows(row, veci_load(&reads->u.weight[l]), veci_load(&reads->v.weight[l]));
}

/* Does alpha read as 1? Raw texels keep theirs. */
static bool is_opaque(const struct raster_sampler *sampler, enum sample_words_scale scale)
{
    return sampler->texture->opaque && scale != SAMPLE_WORDS_RAW;
}

/* From one level's texels to channels. */
static ALWAYS_INLINE void filter_one(const struct level_reads *reads, bool linear, unsigned n,
                                     enum sample_words_scale scale, bool opaque, float (*out)[MAX_LANES])
{
    for (unsigned l = 0; l < n; l += VEC) {
        struct vector_sums sums = sums_of(reads, linear, l);

        vecf_store(&out[0][l], finish_one(scale, sums.red));
        vecf_store(&out[1][l], finish_one(scale, sums.green));
        vecf_store(&out[2][l], finish_one(scale, sums.blue));
        vecf_store(&out[3][l], opaque ? vecf_splat(1.0f) : finish_one(scale, sums.alpha));
    }
}

/* Chooses filter_one's constants once for all lanes. */
static void filter_level(const struct raster_sampler *sampler, const struct level_reads *reads, bool linear, unsigned n,
                         enum sample_words_scale scale, float (*out)[MAX_LANES])
{
    const bool opaque = is_opaque(sampler, scale);

    if (sampler->srgb)
        KERNEL(filter_srgb)(reads, NULL, linear, n, scale, opaque, out);
    else if (scale == SAMPLE_WORDS_SIGNED)
        filter_one(reads, linear, n, SAMPLE_WORDS_SIGNED, opaque, out);
    else if (opaque)
        filter_one(reads, linear, n, scale, true, out);
    else
        filter_one(reads, linear, n, scale, false, out);
}

/* filter_one for two levels, mixed. */
static ALWAYS_INLINE void filter_two(const struct level_reads reads[2], bool linear, const float *fraction, unsigned n,
                                     enum sample_words_scale scale, bool opaque, float (*out)[MAX_LANES])
{
    for (unsigned l = 0; l < n; l += VEC) {
        struct vector_sums near = sums_of(&reads[0], linear, l), far = sums_of(&reads[1], linear, l);
        vecf weight = vector_of_quads(fraction + l / 4);

        vecf_store(&out[0][l], finish_two(scale, near.red, far.red, weight));
        vecf_store(&out[1][l], finish_two(scale, near.green, far.green, weight));
        vecf_store(&out[2][l], finish_two(scale, near.blue, far.blue, weight));
        vecf_store(&out[3][l], opaque ? vecf_splat(1.0f) : finish_two(scale, near.alpha, far.alpha, weight));
    }
}

static void filter_levels(const struct raster_sampler *sampler, const struct level_reads reads[2], bool linear,
                          const float *fraction, unsigned n, enum sample_words_scale scale, float (*out)[MAX_LANES])
{
    const bool opaque = is_opaque(sampler, scale);

    if (sampler->srgb)
        KERNEL(filter_srgb)(reads, fraction, linear, n, scale, opaque, out);
    else if (scale == SAMPLE_WORDS_SIGNED)
        filter_two(reads, linear, fraction, n, SAMPLE_WORDS_SIGNED, opaque, out);
    else if (opaque)
        filter_two(reads, linear, fraction, n, scale, true, out);
    else
        filter_two(reads, linear, fraction, n, scale, false, out);
}

void KERNEL(sample_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, enum sample_words_scale scale, float (*out)[MAX_LANES])
{
    struct level_reads reads;

    read_level(sampler, index, linear, place, n, &reads);
    filter_level(sampler, &reads, linear, n, scale, out);
}

void KERNEL(sample_words_mixed)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                unsigned index, bool linear, const float *fraction, enum sample_words_scale scale,
                                float (*out)[MAX_LANES])
{
    struct level_reads reads[2];

    read_level(sampler, index, linear, place, n, &reads[0]);
    read_level(sampler, index + 1, linear, place, n, &reads[1]);
    filter_levels(sampler, reads, linear, fraction, n, scale, out);
}

void KERNEL(sample_words_of_quads)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                   const struct quad_levels *levels, enum sample_words_scale scale,
                                   float (*out)[MAX_LANES])
{
    const int32_t last = (int32_t)sampler->texture->level_count - 1;
    const bool linear = levels->linear[0];
    struct level_reads reads[2];
    int32_t next[MAX_QUADS];
    bool mixed = false;

    for (unsigned q = 0; q < n / 4; q++) {
        next[q] = BASE_MIN(levels->level[q] + 1, last);
        mixed |= levels->fraction[q] > 0.0f;
    }
    read_levels(sampler, levels->level, linear, place, n, &reads[0]);
    if (!mixed) {
        filter_level(sampler, &reads[0], linear, n, scale, out);
        return;
    }
    read_levels(sampler, next, linear, place, n, &reads[1]);
    filter_levels(sampler, reads, linear, levels->fraction, n, scale, out);
}

void KERNEL(sample_narrow_words)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                 const struct quad_levels *levels, bool uniform, int16_t *out)
{
    const int32_t last = (int32_t)sampler->texture->level_count - 1;
    const bool linear = levels->linear[0];
    struct level_reads reads[2];
    int32_t next[MAX_QUADS];
    bool mixed = levels->fraction[0] > 0.0f;

    for (unsigned q = 0; !uniform && q < n / 4; q++) {
        next[q] = BASE_MIN(levels->level[q] + 1, last);
        mixed |= levels->fraction[q] > 0.0f;
    }
    if (uniform)
        read_level(sampler, (unsigned)levels->level[0], linear, place, n, &reads[0]);
    else
        read_levels(sampler, levels->level, linear, place, n, &reads[0]);
    if (mixed && uniform)
        read_level(sampler, (unsigned)levels->level[0] + 1, linear, place, n, &reads[1]);
    else if (mixed)
        read_levels(sampler, next, linear, place, n, &reads[1]);
    KERNEL(filter_narrow)(reads, mixed ? levels->fraction : NULL, linear, n, sampler->texture->opaque, out);
}

void KERNEL(sample_depth)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                          bool linear, float (*out)[MAX_LANES])
{
    const float *compared = sampler->texture->depth == RASTER_DEPTH_COMPARED ? place->w : NULL;
    struct level_reads reads;

    read_level(sampler, index, linear, place, n, &reads);
    KERNEL(filter_depth)(&reads, linear, n, compared, out);
}

#endif
