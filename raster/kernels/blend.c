/* SPDX-License-Identifier: MIT */
/* Blending of any factors and operations. */
#include "raster/kernels/blend.h"

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
