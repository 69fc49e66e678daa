/* SPDX-License-Identifier: MIT */
/* Blending of any factors and operations, and targets whose pixels do not fit 32-bit words. */
#include "raster/kernels/blend.h"
#include "raster/format/texel.h"

/* --- blending ------------------------------------------------------------------------------- */

/* The factor of channel c for one blend input. */
static void blend_factor(unsigned factor, unsigned c, const struct raster_blend *blend, const struct group_color *src,
                         const struct group_color *dst, float *restrict f)
{
    const float *from = NULL;
    bool invert = false;

    switch (factor) {
    case RASTER_BLEND_ZERO:
    case RASTER_BLEND_ONE:
        FOR_GROUP_LANES
            f[l] = factor == RASTER_BLEND_ONE ? 1.0f : 0.0f;
        return;
    case RASTER_BLEND_CONST_COLOR:
    case RASTER_BLEND_INV_CONST_COLOR:
        FOR_GROUP_LANES
            f[l] = factor == RASTER_BLEND_CONST_COLOR ? blend->constant[c] : 1.0f - blend->constant[c];
        return;
    case RASTER_BLEND_SRC_ALPHA_SAT:
        FOR_GROUP_LANES {
            float inverse = 1.0f - dst->c[3][l];

            f[l] = c == 3 ? 1.0f : src->c[3][l] < inverse ? src->c[3][l] : inverse;
        }
        return;
    case RASTER_BLEND_INV_SRC_COLOR:
        invert = true; /* fall through */
    case RASTER_BLEND_SRC_COLOR:
        from = src->c[c];
        break;
    case RASTER_BLEND_INV_SRC_ALPHA:
    case RASTER_BLEND_BOTH_INV_SRC_ALPHA:
        invert = true; /* fall through */
    case RASTER_BLEND_SRC_ALPHA:
    case RASTER_BLEND_BOTH_SRC_ALPHA:
        from = src->c[3];
        break;
    case RASTER_BLEND_INV_DST_ALPHA:
        invert = true; /* fall through */
    case RASTER_BLEND_DST_ALPHA:
        from = dst->c[3];
        break;
    case RASTER_BLEND_INV_DST_COLOR:
        invert = true; /* fall through */
    default:
        from = dst->c[c];
        break;
    }
    if (invert)
        FOR_GROUP_LANES
            f[l] = 1.0f - from[l];
    else
        FOR_GROUP_LANES
            f[l] = from[l];
}

static void blend_channel(const struct raster_blend *blend, unsigned c, unsigned src_factor, unsigned dst_factor,
                          unsigned op, bool clamped, const struct group_color *src, const struct group_color *dst,
                          float *restrict out)
{
    float sf[GROUP_LANES], df[GROUP_LANES];
    const float *restrict s = src->c[c], *restrict d = dst->c[c];

    if (op == RASTER_BLEND_MIN || op == RASTER_BLEND_MAX) {
        FOR_GROUP_LANES
            out[l] = (s[l] < d[l]) == (op == RASTER_BLEND_MIN) ? s[l] : d[l];
        return;
    }
    blend_factor(src_factor, c, blend, src, dst, sf);
    blend_factor(dst_factor, c, blend, src, dst, df);
    float src_sign = op == RASTER_BLEND_REVSUBTRACT ? -1.0f : 1.0f;
    float dst_sign = op == RASTER_BLEND_SUBTRACT ? -1.0f : 1.0f;
    if (!clamped) {
        FOR_GROUP_LANES
            out[l] = s[l] * sf[l] * src_sign + d[l] * df[l] * dst_sign;
        return;
    }
    FOR_GROUP_LANES {
        float v = s[l] * sf[l] * src_sign + d[l] * df[l] * dst_sign;

        v = v > 0.0f ? v : 0.0f;
        out[l] = v < 1.0f ? v : 1.0f;
    }
}

/* BOTHSRCALPHA and BOTHINVSRCALPHA set the destination's factor too. */
static unsigned destination_factor(unsigned src, unsigned dst)
{
    if (src == RASTER_BLEND_BOTH_SRC_ALPHA)
        return RASTER_BLEND_INV_SRC_ALPHA;
    if (src == RASTER_BLEND_BOTH_INV_SRC_ALPHA)
        return RASTER_BLEND_SRC_ALPHA;
    return dst;
}

void KERNEL(raster_blend_group)(const struct raster_blend *blend, bool clamped, const struct group_color *dst,
                                struct group_color *color)
{
    struct group_color result;

    for (unsigned c = 0; c < 4; c++) {
        unsigned sf = c < 3 ? blend->src_color : blend->src_alpha;
        unsigned df = destination_factor(sf, c < 3 ? blend->dst_color : blend->dst_alpha);

        blend_channel(blend, c, sf, df, c < 3 ? blend->op_color : blend->op_alpha, clamped, color, dst, result.c[c]);
    }
    *color = result;
}

/* --- wide targets --------------------------------------------------------------------------- */

/* Texels of a group: the words of each lane. */
typedef uint32_t wide_words[GROUP_LANES][RASTER_TEXEL_BYTES / 4];

static uint8_t *wide_texel(const struct raster_surface *s, unsigned bytes, int x, int y, unsigned l)
{
    return s->pixels + (size_t)(y + raster_lane_y[l]) * s->pitch + (size_t)(x + raster_lane_x[l]) * bytes;
}

/* Bits of channel c from the lanes' words to floats; absent channels are 1. */
static void unpack_wide(const struct raster_format_info *info, unsigned c, wide_words words, float *restrict out)
{
    unsigned bits = info->bits[c], word = info->shift[c] / 32, shift = info->shift[c] % 32;
    uint32_t field[GROUP_LANES];

    if (!bits) {
        FOR_GROUP_LANES
            out[l] = 1.0f;
        return;
    }
    FOR_GROUP_LANES
        field[l] = words[l][word] >> shift;
    if (bits == 32) {
        FOR_GROUP_LANES
            field[l] = texel_from_f32(field[l]);
        memcpy(out, field, sizeof(field));
    } else if (info->type == RASTER_FLOAT) {
        FOR_GROUP_LANES
            field[l] = texel_from_half(field[l] & 0xffff);
        memcpy(out, field, sizeof(field));
    } else {
        FOR_GROUP_LANES
            out[l] = (float)(int32_t)(field[l] & 0xffff) / 65535.0f;
    }
}

static void pack_wide(const struct raster_format_info *info, unsigned c, const float *restrict in, wide_words words)
{
    unsigned bits = info->bits[c], word = info->shift[c] / 32, shift = info->shift[c] % 32;
    uint32_t field[GROUP_LANES], keep = bits == 32 ? 0 : ~(0xffffu << shift);

    if (bits == 32) {
        memcpy(field, in, sizeof(field));
        FOR_GROUP_LANES
            field[l] = texel_from_f32(field[l]);
    } else if (info->type == RASTER_FLOAT) {
        FOR_GROUP_LANES
            field[l] = texel_to_half(in[l]);
    } else {
        FOR_GROUP_LANES
            field[l] = (uint32_t)(int32_t)(saturate(in[l]) * 65535.0f + 0.5f);
    }
    FOR_GROUP_LANES
        words[l][word] = (words[l][word] & keep) | field[l] << shift;
}

static void store_wide_place(const struct raster_draw_state *state, const struct raster_surface *target, unsigned index,
                             const struct raster_batch *batch, const struct raster_place *place)
{
    const uint32_t mask = place->mask;
    const int x = place->x, y = place->y;
    const struct raster_format_info *info = raster_format_info(target->format);
    unsigned write_mask = state->color_write_mask[index], bytes = info->block_bytes;
    bool clamped = info->type != RASTER_FLOAT;
    struct group_color color, dst;
    wide_words words;

    memset(words, 0, sizeof(words));
    if (state->blend.enable || write_mask != 0xf)
        FOR_GROUP_LANES
            if (mask & (1u << l))
                memcpy(words[l], wide_texel(target, bytes, x, y, l), bytes);
    load_color(batch, index, place, clamped, &color);
    if (state->blend.enable) {
        for (unsigned c = 0; c < 4; c++)
            unpack_wide(info, c, words, dst.c[c]);
        KERNEL(raster_blend_group)(&state->blend, clamped, &dst, &color);
    }
    for (unsigned c = 0; c < 4; c++)
        if (info->bits[c] && (write_mask & (1u << c)))
            pack_wide(info, c, color.c[c], words);
    FOR_GROUP_LANES
        if (mask & (1u << l))
            memcpy(wide_texel(target, bytes, x, y, l), words[l], bytes);
}

void KERNEL(raster_store_wide)(const struct raster_draw_state *state, const struct raster_surface *target,
                               unsigned index, const struct raster_batch *batch, const struct raster_place *place,
                               unsigned count)
{
    FOR_COVERED_PLACES
        store_wide_place(state, target, index, batch, place);
}
