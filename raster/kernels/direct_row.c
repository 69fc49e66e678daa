/* SPDX-License-Identifier: MIT */
/*
 * The direct-store fast path (direct_store.c) for adjacent whole blocks: lines of pixels in columns of whole vectors,
 * so that values that depend only on x or only on y are computed once. The definition is direct_store.c for each block.
 */
#include "raster/kernels/blend.h"
#include "raster/kernels/kernels.h"
#include "base/simd/simd.h"

#define ROW 8 /* pixels of a block's side */

/* The offset of a channel's plane in each line of a row of blocks. */
struct direct_lines {
    float add[ROW];
};

/* Is the channel's colour within 0..1 all over the row? The operations are monotonic in x and y, so the extremes are at
 * corners (depth_plane_range of raster/tile/block.h). NaN is not. */
static inline bool is_in_range(float a, float dx, float dy, float left, float right, const struct direct_lines *lines,
                               float w)
{
    const float first = a + left * dx, last = a + right * dx;
    const float low = dx < 0.0f ? last : first, high = dx < 0.0f ? first : last;
    const float least = lines->add[dy < 0.0f ? ROW - 1 : 0], most = lines->add[dy < 0.0f ? 0 : ROW - 1];

    return (low + least) * w >= 0.0f && (high + most) * w <= 1.0f;
}

/* The position of a row of blocks from the reference of the primitive's planes, and the part of its colours for each
 * line. */
struct direct_row {
    float left, top;
    float w;       /* of all pixels, */
    bool varies;   /* unless it differs */
    bool in_range; /* no colour needs clamping */
    struct direct_lines channel[4], rhw;
};

static inline struct direct_lines direct_lines_of(float top, float dy)
{
    struct direct_lines lines;

    for (unsigned i = 0; i < ROW; i++)
        lines.add[i] = (top + (float)(int32_t)i) * dy;
    return lines;
}

static inline __attribute__((always_inline)) void direct_row_init(struct direct_row *row,
                                                                  const struct scene_primitive *primitive, int x, int y,
                                                                  unsigned count, unsigned channels)
{
    const unsigned input = primitive->state->pass_through.input;
    const struct scene_plane4 *color = &primitive->input[input];
    const struct scene_plane2 *depth = &primitive->depth;
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    row->left = (float)x - primitive->reference_x;
    row->top = (float)y - primitive->reference_y;
    row->varies = perspective && !scene_has_one_w(primitive);
    row->w = perspective ? scene_reference_w(primitive) : 1.0f;
    row->in_range = !row->varies && row->w > 0.0f;
    if (row->varies)
        row->rhw = direct_lines_of(row->top, depth->dy[1]);
    for (unsigned c = 0; c < channels; c++) {
        row->channel[c] = direct_lines_of(row->top, color->dy[c]);
        row->in_range =
            row->in_range && is_in_range(color->a[c], color->dx[c], color->dy[c], row->left,
                                         row->left + (float)(int32_t)(ROW * count - 1), &row->channel[c], row->w);
    }
}

/* All lines of a column of VEC adjacent pixels, which starts `column` pixels after the row. `plain`: w is 1 and nothing
 * needs clamping. Always inlined with constants. */
static inline __attribute__((always_inline)) void store_column(const struct direct_row *row,
                                                               const struct scene_primitive *primitive, unsigned column,
                                                               unsigned channels, bool plain, uint8_t *p, size_t pitch)
{
    static const float columns[GROUP_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const struct scene_plane4 *color = &primitive->input[primitive->state->pass_through.input];
    const vecf x = vecf_add(vecf_splat(row->left + (float)(int32_t)column), vecf_load(columns));
    vecf base[4], base_w = vecf_splat(0.0f);

    UNROLLED
    for (unsigned c = 0; c < channels; c++)
        base[c] = vecf_add(vecf_splat(color->a[c]), vecf_mul(x, vecf_splat(color->dx[c])));
    if (!plain && row->varies)
        base_w = vecf_add(vecf_splat(primitive->depth.a[1]), vecf_mul(x, vecf_splat(primitive->depth.dx[1])));
    for (unsigned line = 0; line < ROW; line++, p += pitch) {
        vecf w = vecf_splat(row->w);
        veci byte[4];

        if (!plain && row->varies)
            w = vecf_div(vecf_splat(1.0f), vecf_add(base_w, vecf_splat(row->rhw.add[line])));
        UNROLLED
        for (unsigned c = 0; c < channels; c++) {
            const vecf v = vecf_add(base[c], vecf_splat(row->channel[c].add[line]));

            byte[c] = byte_of(plain ? v : vecf_saturate(vecf_mul(v, w)));
        }
        veci_store(p, word_of(byte[0], byte[1], byte[2], byte[channels - 1], channels == 4 ? 0xff000000u : 0));
    }
}

static inline __attribute__((always_inline)) void store_row(const struct scene_primitive *primitive,
                                                            const struct raster_surface *target, int x, int y,
                                                            unsigned count, unsigned channels)
{
    uint8_t *p = target->pixels + (size_t)y * target->pitch + (size_t)x * sizeof(uint32_t);
    const unsigned last = count * ROW - VEC; /* where the last column starts; it may overlap the one before */
    struct direct_row row;

    BASE_ASSERT(count > 1 && (unsigned)x + ROW * count <= target->width && (unsigned)y + ROW <= target->height);
    direct_row_init(&row, primitive, x, y, count, channels);
    const bool plain = row.in_range && row.w == 1.0f;

    for (unsigned column = 0; column < count * ROW; column += VEC) {
        const unsigned c = BASE_MIN(column, last);

        if (plain)
            store_column(&row, primitive, c, channels, true, p + c * sizeof(uint32_t), target->pitch);
        else
            store_column(&row, primitive, c, channels, false, p + c * sizeof(uint32_t), target->pitch);
    }
}

#define ROW_FUNCTION(format, channels)                                                                            \
    static void row_##format(const struct scene_primitive *primitive, const struct raster_surface *target, int x, \
                             int y, unsigned count)                                                               \
    {                                                                                                             \
        store_row(primitive, target, x, y, count, channels);                                                      \
    }

ROW_FUNCTION(a8r8g8b8, 4)
ROW_FUNCTION(x8r8g8b8, 3)

raster_direct_row_fn KERNEL(raster_choose_direct_row)(enum raster_format format)
{
    return format == RASTER_FORMAT_A8R8G8B8 ? row_a8r8g8b8 : format == RASTER_FORMAT_X8R8G8B8 ? row_x8r8g8b8 : NULL;
}
