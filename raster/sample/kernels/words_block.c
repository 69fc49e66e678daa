/* SPDX-License-Identifier: MIT */
/*
 * Blocks of axis-aligned pictures (sprites, text, most quads) for narrow states: every column of pixels has one u,
 * every row one v. So each row of texels is mixed once, by the weights of the columns, and each row of pixels mixes two
 * of these. The result is that of sample/kernels/narrow.c, which mixes rows first.
 */
#include "raster/sample/kernels/affine.h"
#include "raster/sample/kernels/narrow_filter.h"

#if SIMD_HAS_GATHER && SIMD_ROW_WORDS

#define ROW_PIXELS 8
/* Registers for a row of pixels, and pixels in each. */
#define PARTS       (ROW_PIXELS * 4 / VEC16)
#define PART_PIXELS (VEC16 / 4)
/* The most rows of texels for a block: those of a picture drawn at half its size. */
#define MOST_ROWS 17

/* Where the rows of a block begin in its first group and in the one below it: narrow_place of lanes 0, 2, 8 and 10. */
#define LOWER_QUADS    (VEC == 16 ? 16 : 32)
#define GROUP_ROWS(at) (at), (at) + VEC16, (at) + LOWER_QUADS, (at) + LOWER_QUADS + VEC16
static const uint16_t row_place[ROW_PIXELS] = {GROUP_ROWS(0), GROUP_ROWS(2 * 4 * GROUP_LANES)};
/* Each pixel twice, and the offsets of its two texels. */
static const _Alignas(64) int32_t twice[16] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
static const _Alignas(64) int32_t next_ones[16] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
/* The lower half of each word, twice. */
static const _Alignas(16) int8_t halves_twice[16] = {0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9};

/* The texels that pixels of a part of a row read of each row of texels. */
struct block_columns {
    veci weight, texel; /* of pairs; from `first` on */
    int32_t first;
    int32_t split; /* words before the row's end, after which it wraps around; 0: no wrap */
};

struct block_rows {
    int32_t upper[VEC], weight[VEC]; /* from `first` on; weights of the lower texel, 0..32640 of 32768 */
    int32_t first, count;
};

/* Does each column have one u, each row one v? */
static bool is_upright(const int32_t *u, const int32_t *v)
{
    return u[2] == u[0] && u[32] == u[0] && u[48] == u[16] && v[1] == v[0] && v[16] == v[0] && v[48] == v[32];
}

/* False: the texels do not fit into a register. */
static ALWAYS_INLINE bool view_columns(const struct raster_affine_level *level, veci texels, veci weights,
                                       unsigned part, struct block_columns *out)
{
    const veci lanes = veci_add(veci_load(twice), veci_splat(part * PART_PIXELS));
    const int32_t width = level->width;
    int32_t texel[VEC];

    veci_store(texel, texels);
    const int32_t first = BASE_MIN(texel[part * PART_PIXELS], texel[part * PART_PIXELS + PART_PIXELS - 1]);
    const veci pairs = veci_add(vector_permute(texels, lanes), veci_load(next_ones));

    out->weight = vector_shuffle_bytes(vector_permute(pair_bytes(weights), lanes), vector_repeat(halves_twice));
    if (level->mode_u == RASTER_WRAP) {
        out->first = wrap_texel(RASTER_WRAP, first, width);
        out->split = out->first > width - SIMD_ROW_WORDS ? width - out->first : 0;
        out->texel = veci_sub(pairs, veci_splat((uint32_t)first));
    } else {
        const veci held = vector_max(vector_min(pairs, veci_splat((uint32_t)width - 1)), veci_splat(0));

        out->first = BASE_MAX(BASE_MIN(first, width - SIMD_ROW_WORDS), 0);
        out->split = 0;
        out->texel = veci_sub(held, veci_splat((uint32_t)out->first));
    }
    return vector_inside(out->texel, veci_splat(SIMD_ROW_WORDS));
}

/* False: there are too many rows. */
static ALWAYS_INLINE bool view_rows(veci texels, veci weights, struct block_rows *out)
{
    int32_t texel[VEC];

    veci_store(texel, texels);
    veci_store(out->weight, veci_left(weights, 7));
    const int32_t first = texel[0], last = texel[ROW_PIXELS - 1];

    out->first = BASE_MIN(first, last);
    out->count = BASE_MAX(first, last) - out->first + 2;
    const veci upper = veci_sub(texels, veci_splat((uint32_t)out->first));

    veci_store(out->upper, upper);
    return out->count <= MOST_ROWS && vector_inside(upper, veci_splat((uint32_t)out->count - 1));
}

/* A row of texels, mixed by the weights of the columns. */
static ALWAYS_INLINE void mix_row(const struct raster_affine_level *level, const struct block_columns columns[PARTS],
                                  int32_t y, vec16 out[PARTS])
{
    const int32_t row = wrap_texel(level->mode_v, y, level->height);
    const uint32_t *texels = level->texels + row * level->pitch;

    UNROLLED
    for (unsigned part = 0; part < PARTS; part++) {
        const struct block_columns *c = &columns[part];
        const uint32_t *from = texels + c->first;
        const veci words = c->split ? vector_load_split(from, from - level->width, c->split) : veci_load(from);

        out[part] = mix_pairs(vector_permute(words, c->texel), c->weight);
    }
}

/* All rows of texels that a block reads. Most blocks lie inside the texture, where their rows are consecutive. */
static ALWAYS_INLINE void mix_all_rows(const struct raster_affine_level *level,
                                       const struct block_columns columns[PARTS], const struct block_rows *rows,
                                       vec16 (*out)[PARTS])
{
    bool inside = rows->first >= 0 && rows->first + rows->count <= level->height;

    for (unsigned part = 0; part < PARTS; part++)
        inside &= !columns[part].split;
    if (!inside) {
        for (int32_t row = 0; row < rows->count; row++)
            mix_row(level, columns, rows->first + row, out[row]);
        return;
    }
    const uint32_t *texels = level->texels + rows->first * level->pitch;

    for (int32_t row = 0; row < rows->count; row++, texels += level->pitch)
        UNROLLED
    for (unsigned part = 0; part < PARTS; part++)
        out[row][part] = mix_pairs(vector_permute(veci_load(texels + columns[part].first), columns[part].texel),
                                   columns[part].weight);
}

/* A row of the block, into its two groups; `left` is the place in the first one. */
static ALWAYS_INLINE void store_row(int16_t *left, const vec16 v[PARTS])
{
    int16_t *right = left + 4 * GROUP_LANES;

#if VEC == 16
    vec16_store_halves(left, right, v[0]);
#else
    vec16_store(left, v[0]);
    vec16_store(right, v[1]);
#endif
}

static bool sample_upright(const struct raster_affine_level *level, const int32_t *u, const int32_t *v, vec16 opaque,
                           int16_t *out)
{
    const veci at_u = affine_u(level, true, vector_block_columns(u));
    const veci at_v = affine_v(level, true, vector_block_rows(v));
    const veci byte = veci_splat(255), columns = texel_of(at_u), weights = veci_and(at_u, byte);
    struct block_columns column[PARTS];
    struct block_rows rows;
    vec16 mixed[MOST_ROWS][PARTS];
    bool fits = view_rows(texel_of(at_v), veci_and(at_v, byte), &rows) && level->width >= SIMD_ROW_WORDS;

    UNROLLED
    for (unsigned part = 0; part < PARTS; part++)
        fits &= view_columns(level, columns, weights, part, &column[part]);
    if (!fits)
        return false;
    mix_all_rows(level, column, &rows, mixed);
    for (unsigned row = 0; row < ROW_PIXELS; row++) {
        const vec16 *above = mixed[rows.upper[row]], *below = above + PARTS;
        const vec16 weight = vec16_splat((int16_t)rows.weight[row]);
        vec16 pixels[PARTS];

        UNROLLED
        for (unsigned part = 0; part < PARTS; part++)
            pixels[part] = veci_or(mix_rows(above[part], below[part], weight), opaque);
        store_row(out + row_place[row], pixels);
    }
    return true;
}

bool KERNEL(sample_block_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                bool opaque, int16_t *out)
{
    const int16_t alpha[4] = {0, 0, 0, opaque ? NARROW_ONE : 0};

    return is_upright(u, v) && sample_upright(level, u, v, vec16_splat_pixel(alpha), out);
}

bool KERNEL(sample_block_words)(const struct raster_sampler *sampler, const struct place *place, unsigned index,
                                float fraction, int16_t *out)
{
    const int32_t *u = (const int32_t *)place->u, *v = (const int32_t *)place->v;
    const bool opaque = sampler->texture->opaque;
    _Alignas(64) int16_t far[4 * RASTER_LANES];
    struct raster_affine_level level;

    if (!is_upright(u, v))
        return false;
    view_affine(sampler, index, true, &level);
    if (!KERNEL(sample_block_level)(&level, u, v, opaque, out))
        return false;
    if (!(fraction > 0.0f))
        return true;
    view_affine(sampler, index + 1, true, &level);
    if (!KERNEL(sample_block_level)(&level, u, v, opaque, far))
        return false;
    const vec16 weight = vec16_splat((int16_t)(fraction * 32768.0f));

    for (unsigned n = 0; n < 4 * RASTER_LANES; n += VEC16) {
        const vec16 near = vec16_load(out + n);

        vec16_store(out + n, vec16_add(near, vec16_mul(vec16_sub(vec16_load(far + n), near), weight)));
    }
    return true;
}

#elif SIMD_HAS_GATHER

bool KERNEL(sample_block_level)(const struct raster_affine_level *level, const int32_t *u, const int32_t *v,
                                bool opaque, int16_t *out)
{
    (void)level, (void)u, (void)v, (void)opaque, (void)out;
    return false;
}

bool KERNEL(sample_block_words)(const struct raster_sampler *sampler, const struct place *place, unsigned index,
                                float fraction, int16_t *out)
{
    (void)sampler, (void)place, (void)index, (void)fraction, (void)out;
    return false;
}

#endif
