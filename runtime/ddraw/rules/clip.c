/* SPDX-License-Identifier: MIT */
/* Pieces of stretched blits, and their pixels where no blit of whole texels would do. */
#include "runtime/ddraw/rules/clip.h"

#include <string.h>

#include "base/base.h"

/* --- axes ---------------------------------------------------------------------------------------- */

static struct ddraw_axis make_axis(LONG begin, LONG end, LONG first, LONG last, bool is_mirrored)
{
    return (struct ddraw_axis){begin, first, (ULONG)(end - begin), (ULONG)(last - first), is_mirrored};
}

struct ddraw_axis ddraw_axis_x(const struct ddraw_blit_plan *plan)
{
    return make_axis(plan->destination.left, plan->destination.right, plan->source.left, plan->source.right,
                     plan->mirror & DDBLTFX_MIRRORLEFTRIGHT);
}

struct ddraw_axis ddraw_axis_y(const struct ddraw_blit_plan *plan)
{
    return make_axis(plan->destination.top, plan->destination.bottom, plan->source.top, plan->source.bottom,
                     plan->mirror & DDBLTFX_MIRRORUPDOWN);
}

LONG ddraw_axis_texel(const struct ddraw_axis *axis, LONG at)
{
    const uint64_t i = (uint64_t)((int64_t)at - axis->begin);
    const uint64_t texel = (2 * i + 1) * axis->count / (2 * (uint64_t)axis->size); /* less than 2^63 */

    return axis->first + (LONG)(axis->is_mirrored ? axis->count - 1 - texel : texel);
}

/* Pixels b .. e - 1 of n, with m texels: their centres are at the same places of a blit of texels p .. q - 1 if b * m / n and e * m / n
 * are whole numbers. */
bool ddraw_axis_piece(const struct ddraw_axis *axis, LONG begin, LONG end, struct ddraw_axis *piece)
{
    const uint64_t b = (uint64_t)((int64_t)begin - axis->begin), e = (uint64_t)((int64_t)end - axis->begin);
    const uint64_t m = axis->count, n = axis->size;
    const uint64_t from = b * m / n, to = e * m / n;

    if (begin >= end || b * m % n || e * m % n)
        return false;
    *piece = (struct ddraw_axis){begin, axis->first, (ULONG)(e - b), (ULONG)(to - from), axis->is_mirrored};
    piece->first += (LONG)(axis->is_mirrored ? m - to : from);
    return true;
}

/* --- pieces --------------------------------------------------------------------------------------- */

bool ddraw_clip(const struct ddraw_blit_plan *plan, const RECT *clip, struct ddraw_piece *piece)
{
    const struct ddraw_axis x = ddraw_axis_x(plan), y = ddraw_axis_y(plan);
    struct ddraw_axis part_x, part_y;
    RECT *d = &piece->destination;

    d->left = BASE_MAX(plan->destination.left, clip->left);
    d->top = BASE_MAX(plan->destination.top, clip->top);
    d->right = BASE_MIN(plan->destination.right, clip->right);
    d->bottom = BASE_MIN(plan->destination.bottom, clip->bottom);
    if (d->left >= d->right || d->top >= d->bottom)
        return false;
    piece->source = plan->source;
    piece->is_exact = plan->kind != DDRAW_BLIT_COPY;
    if (piece->is_exact)
        return true;
    piece->is_exact =
        ddraw_axis_piece(&x, d->left, d->right, &part_x) && ddraw_axis_piece(&y, d->top, d->bottom, &part_y);
    if (piece->is_exact)
        piece->source =
            (RECT){part_x.first, part_y.first, part_x.first + (LONG)part_x.count, part_y.first + (LONG)part_y.count};
    return true;
}

/* --- pixels ----------------------------------------------------------------------------------------- */

static uint32_t load(const uint8_t *pixel, unsigned bytes)
{
    uint32_t value = pixel[0];

    for (unsigned i = 1; i < bytes; i++)
        value |= (uint32_t)pixel[i] << 8 * i;
    return value;
}

/* Keys are compared in the surface's own bits (test_ck_operation). */
static bool is_kept(const struct ddraw_blit_plan *plan, const uint8_t *to, const uint8_t *from, unsigned bytes)
{
    const uint32_t mask = bytes < 4 ? (1u << 8 * bytes) - 1 : ~0u;

    return (plan->has_source_key && load(from, bytes) == (plan->source_key & mask)) ||
           (plan->has_destination_key && load(to, bytes) != (plan->destination_key & mask));
}

void ddraw_copy_pixels(const struct ddraw_blit_plan *plan, const RECT *destination, const struct ddraw_pixels *to,
                       const struct ddraw_pixels *from)
{
    const struct ddraw_axis axis_x = ddraw_axis_x(plan), axis_y = ddraw_axis_y(plan);
    const unsigned bytes = to->bytes;

    for (LONG y = destination->top; y < destination->bottom; y++) {
        const uint8_t *source = from->bits + (size_t)ddraw_axis_texel(&axis_y, y) * from->pitch;
        uint8_t *target = to->bits + (size_t)y * to->pitch + (size_t)destination->left * bytes;

        for (LONG x = destination->left; x < destination->right; x++, target += bytes) {
            const uint8_t *texel = source + (size_t)ddraw_axis_texel(&axis_x, x) * bytes;

            if (!is_kept(plan, target, texel, bytes))
                memcpy(target, texel, bytes);
        }
    }
}
