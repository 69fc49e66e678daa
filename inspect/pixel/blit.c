/* SPDX-License-Identifier: MIT */
/*
 * Finds the source texel of a pixel and compares the keys, with the driver's own arithmetic and keys, in the order in
 * which blits decide (DirectX 7 SDK, IDirectDrawSurface7::Blt): rectangle, clip list, source key, destination key.
 */
#include "inspect/pixel/blit.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "inspect/internal.h"

#include <string.h>

const char *inspect_blit_fate_name(enum inspect_blit_fate fate)
{
#define FATE_NAME(NUMBER, name, text) name,
    static const char *const names[INSPECT_BLIT_FATE_COUNT] = {INSPECT_BLIT_FATES(FATE_NAME)};

    return names[fate];
}

const char *inspect_blit_fate_text(enum inspect_blit_fate fate)
{
#define FATE_TEXT(NUMBER, name, text) text,
    static const char *const texts[INSPECT_BLIT_FATE_COUNT] = {INSPECT_BLIT_FATES(FATE_TEXT)};

    return texts[fate];
}

#define MIRRORS (DDBLTFX_MIRRORLEFTRIGHT | DDBLTFX_MIRRORUPDOWN)
#define KEYS    (DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE | DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE)

static bool is_in(const struct capture_rect *rect, unsigned x, unsigned y)
{
    return (int64_t)x >= rect->left && (int64_t)x < rect->right && (int64_t)y >= rect->top && (int64_t)y < rect->bottom;
}

static bool is_in_list(const struct capture_blt *blt, unsigned x, unsigned y)
{
    for (uint32_t i = 0; i < blt->rect_count; i++) {
        struct capture_rect rect;

        memcpy(&rect, (const struct capture_rect *)(const void *)(blt + 1) + i, sizeof(rect));
        if (is_in(&rect, x, y))
            return true;
    }
    return false;
}

/* The value of all texels of a fill. */
static bool is_fill(const struct capture_blt *blt, uint32_t *value)
{
    *value = blt->fill;
    if (blt->flags & (DDBLT_COLORFILL | DDBLT_DEPTHFILL))
        return true;
    if (!(blt->flags & DDBLT_ROP) || (blt->rop != BLACKNESS && blt->rop != WHITENESS))
        return false;
    *value = blt->rop == WHITENESS ? UINT32_MAX : 0;
    return true;
}

/* A presentation of what the surface holds. */
static bool shows_itself(const struct capture_blt *blt)
{
    return blt->flags & (DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION) && blt->source == blt->destination &&
           !blt->rect_count && !(blt->flags & (KEYS | DDBLT_DDFX)) &&
           !memcmp(&blt->source_rect, &blt->destination_rect, sizeof(blt->source_rect));
}

/* --- the source texel ----------------------------------------------------------------------------- */

/* The texel of one axis. False: one of the sides is empty. */
static bool find_tap(unsigned at, int32_t to, int32_t to_end, int32_t from, int32_t from_end, bool mirrored,
                     unsigned *texel)
{
    const int64_t size = (int64_t)to_end - to, source_size = (int64_t)from_end - from;
    uint32_t tap;

    if (size <= 0 || source_size <= 0)
        return false;
    tap = hal_inspect_blit_tap((uint32_t)((int64_t)at - to), (uint32_t)size, (uint32_t)source_size);
    if (mirrored)
        tap = (uint32_t)source_size - 1 - tap;
    *texel = (unsigned)((uint32_t)from + tap);
    return true;
}

static bool find_source(const struct capture_blt *blt, unsigned x, unsigned y, struct inspect_blit *out)
{
    const struct capture_rect *to = &blt->destination_rect, *from = &blt->source_rect;
    const uint32_t mirrors = blt->flags & DDBLT_DDFX ? blt->effects & MIRRORS : 0;

    out->source = blt->source;
    out->mirrored_x = mirrors & DDBLTFX_MIRRORLEFTRIGHT;
    out->mirrored_y = mirrors & DDBLTFX_MIRRORUPDOWN;
    out->stretched = (int64_t)to->right - to->left != (int64_t)from->right - from->left ||
                     (int64_t)to->bottom - to->top != (int64_t)from->bottom - from->top;
    return find_tap(x, to->left, to->right, from->left, from->right, out->mirrored_x, &out->x) &&
           find_tap(y, to->top, to->bottom, from->top, from->bottom, out->mirrored_y, &out->y);
}

static struct hal_resource *resource_of(const struct inspect *session, uint32_t surface)
{
    struct player_surface *owner = player_surface_of(session->player, surface);

    return owner ? hal_inspect_find_resource(&owner->lcl) : NULL;
}

static void read_source(struct hal_resource *source, const struct hal_resource *destination, struct inspect_blit *out)
{
    struct hal_inspect_texels texels;
    struct hal_inspect_surface shape;

    out->has_texel = hal_inspect_read_texels(source, out->x, out->y, &texels);
    if (!out->has_texel)
        return;
    out->bytes = raster_format_info(texels.format)->block_bytes;
    memcpy(out->texel, texels.bytes[0], sizeof(out->texel));
    hal_inspect_surface(destination, &shape);
    out->same_format = shape.format == texels.format && shape.samples <= 1 && texels.samples <= 1;
}

/* --- keys ------------------------------------------------------------------------------------------ */

static void find_keys(const struct capture_blt *blt, const struct hal_resource *destination,
                      const struct hal_resource *source, struct inspect_blit *out)
{
    struct hal_inspect_key from = hal_inspect_source_key(source), to = hal_inspect_destination_key(destination);

    if (blt->flags & DDBLT_KEYSRCOVERRIDE)
        from.value = blt->key_low;
    if (blt->flags & DDBLT_KEYDESTOVERRIDE)
        to.value = 0; /* recordings have KEYDEST in its place */
    from.set = blt->flags & (DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE);
    to.set = blt->flags & (DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE);
    from.value &= from.mask;
    to.value &= to.mask;
    out->source_key = from;
    out->destination_key = to;
}

static bool has_key(const struct hal_inspect_key *key, const uint8_t *texel)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)texel[i] << (8 * i);
    return (value & key->mask) == key->value;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static enum inspect_blit_fate fate_of_copy(struct inspect *session, const struct capture_blt *blt, unsigned x,
                                           unsigned y, const uint8_t *destination_texel, struct inspect_blit *out)
{
    struct hal_resource *destination = resource_of(session, blt->destination);
    struct hal_resource *source = resource_of(session, blt->source);

    if (!destination || !source)
        return INSPECT_BLIT_NONE;
    if (!is_in(&blt->destination_rect, x, y) || !find_source(blt, x, y, out))
        return INSPECT_BLIT_OUTSIDE;
    read_source(source, destination, out);
    find_keys(blt, destination, source, out);
    if (blt->rect_count && !is_in_list(blt, x, y))
        return INSPECT_BLIT_CLIPPED;
    if (out->source_key.set && has_key(&out->source_key, out->texel))
        return INSPECT_BLIT_SOURCE_KEYED;
    if (out->destination_key.set && !has_key(&out->destination_key, destination_texel))
        return INSPECT_BLIT_DESTINATION_KEYED;
    return INSPECT_BLIT_COPIED;
}

void inspect_blit_at(struct inspect *session, const struct capture_blt *blt, unsigned x, unsigned y,
                     const uint8_t *destination_texel, struct inspect_blit *out)
{
    *out = (struct inspect_blit){.fate = INSPECT_BLIT_NONE};
    if (is_fill(blt, &out->fill)) {
        /* a clip list is all that a fill covers */
        if (blt->rect_count ? is_in_list(blt, x, y) : is_in(&blt->destination_rect, x, y))
            out->fate = INSPECT_BLIT_FILLED;
        else
            out->fate =
                blt->rect_count && is_in(&blt->destination_rect, x, y) ? INSPECT_BLIT_CLIPPED : INSPECT_BLIT_OUTSIDE;
    } else if (shows_itself(blt)) {
        out->fate = is_in(&blt->destination_rect, x, y) ? INSPECT_BLIT_SHOWN : INSPECT_BLIT_OUTSIDE;
    } else {
        out->fate = fate_of_copy(session, blt, x, y, destination_texel, out);
    }
}
