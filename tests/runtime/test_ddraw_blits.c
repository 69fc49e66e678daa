/* SPDX-License-Identifier: MIT */
/*
 * Random Blt and BltFast between surfaces of random sizes, against pixels computed here from the documentation of Blt, BltFast, DDBLTFX and
 * IDirectDrawClipper: fills, copies, keys, mirrors, stretching, clip lists, and rectangles of one surface that overlap.
 * A pixel whose centre is at (i + 1/2) / n of the destination gets the texel at the same place of the source.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/random.h"
#include "tests/runtime/ddraw_dll.h"

#define ROUNDS 400
#define BLITS  8  /* of each pair of surfaces */
#define MOST   40 /* pixels, both ways */
#define CLIPS  4

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
static IDirectDraw7 *ddraw;

/* Every bit of a pixel has a meaning: what becomes of others is not documented. */
static const DDPIXELFORMAT formats[] = {
    {32, DDPF_RGB | DDPF_ALPHAPIXELS, 0, {32}, {0xff0000}, {0xff00}, {0xff}, {0xff000000}},
    {32, DDPF_RGB, 0, {16}, {0xf800}, {0x7e0}, {0x1f}, {0}},
    {32, DDPF_RGB | DDPF_ALPHAPIXELS, 0, {16}, {0xf00}, {0xf0}, {0xf}, {0xf000}},
    {32, DDPF_RGB | DDPF_PALETTEINDEXED8, 0, {8}, {0}, {0}, {0}, {0}},
};

/* A surface and the pixels that it should have. */
struct side {
    IDirectDrawSurface7 *surface;
    LONG width, height;
    unsigned bytes;
    uint32_t pixels[MOST][MOST];
};

static uint32_t mask_of(const struct side *side)
{
    return side->bytes == 4 ? ~0u : (1u << 8 * side->bytes) - 1;
}

/* --- surfaces -------------------------------------------------------------------------- */

static bool make_side(struct side *side, const DDPIXELFORMAT *format)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT};

    side->width = 1 + (LONG)random_below(MOST);
    side->height = 1 + (LONG)random_below(MOST);
    side->bytes = format->dwRGBBitCount / 8;
    desc.dwWidth = (DWORD)side->width;
    desc.dwHeight = (DWORD)side->height;
    desc.ddpfPixelFormat = *format;
    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | (random_one_in(2) ? DDSCAPS_SYSTEMMEMORY : DDSCAPS_VIDEOMEMORY);
    side->surface = NULL;
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &side->surface, NULL), DD_OK);
    return side->surface;
}

/* Few different pixels, so that keys are found. */
static void write_side(struct side *side)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    CHECK_HR(IDirectDrawSurface7_Lock(side->surface, NULL, &desc, DDLOCK_WAIT, NULL), DD_OK);
    for (LONG y = 0; desc.lpSurface && y < side->height; y++) {
        for (LONG x = 0; x < side->width; x++) {
            const uint32_t pixel = (random_one_in(2) ? random_below(3) * 0x01010101u : random_word()) & mask_of(side);

            side->pixels[y][x] = pixel;
            memcpy((uint8_t *)desc.lpSurface + y * desc.lPitch + x * (LONG)side->bytes, &pixel, side->bytes);
        }
    }
    CHECK_HR(IDirectDrawSurface7_Unlock(side->surface, NULL), DD_OK);
}

/* The pixels that differ from the expected ones; the first is printed. */
static unsigned compare_side(const struct side *side, const char *what)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    unsigned wrong = 0;

    CHECK_HR(IDirectDrawSurface7_Lock(side->surface, NULL, &desc, DDLOCK_READONLY | DDLOCK_WAIT, NULL), DD_OK);
    for (LONG y = 0; desc.lpSurface && y < side->height; y++) {
        for (LONG x = 0; x < side->width; x++) {
            uint32_t pixel = 0;

            memcpy(&pixel, (uint8_t *)desc.lpSurface + y * desc.lPitch + x * (LONG)side->bytes, side->bytes);
            if (pixel != side->pixels[y][x] && !wrong++)
                failed(__FILE__, __LINE__, "%s, %u bytes, %ldx%ld: pixel %ld,%ld is %08x, not %08x", what, side->bytes,
                       side->width, side->height, x, y, pixel, side->pixels[y][x]);
        }
    }
    CHECK_HR(IDirectDrawSurface7_Unlock(side->surface, NULL), DD_OK);
    return wrong;
}

/* --- blits ------------------------------------------------------------------------------ */

struct blit {
    RECT to, from;
    DWORD flags;
    DDBLTFX fx;
    RECT clips[CLIPS];
    unsigned clip_count; /* 0: no clipper */
    bool is_fast;
};

static RECT random_rect(const struct side *side)
{
    RECT r = {(LONG)random_below((uint32_t)side->width), (LONG)random_below((uint32_t)side->height), 0, 0};

    r.right = r.left + 1 + (LONG)random_below((uint32_t)(side->width - r.left));
    r.bottom = r.top + 1 + (LONG)random_below((uint32_t)(side->height - r.top));
    return r;
}

static struct blit random_blit(const struct side *to, const struct side *from)
{
    struct blit blit = {.to = random_rect(to), .from = random_rect(from), .fx = {.dwSize = sizeof(DDBLTFX)}};
    const LONG width = BASE_MIN(blit.to.right - blit.to.left, blit.from.right - blit.from.left);
    const LONG height = BASE_MIN(blit.to.bottom - blit.to.top, blit.from.bottom - blit.from.top);

    blit.is_fast = random_one_in(4);
    if (blit.is_fast || random_one_in(2)) { /* of one size */
        blit.to.right = blit.to.left + width;
        blit.from.right = blit.from.left + width;
        blit.to.bottom = blit.to.top + height;
        blit.from.bottom = blit.from.top + height;
    }
    blit.fx.ddckSrcColorkey.dwColorSpaceLowValue = random_below(3) * 0x01010101u & mask_of(from);
    blit.fx.ddckDestColorkey.dwColorSpaceLowValue = random_below(3) * 0x01010101u & mask_of(to);
    blit.fx.ddckSrcColorkey.dwColorSpaceHighValue = blit.fx.ddckSrcColorkey.dwColorSpaceLowValue;
    blit.fx.ddckDestColorkey.dwColorSpaceHighValue = blit.fx.ddckDestColorkey.dwColorSpaceLowValue;
    if (blit.is_fast) {
        blit.flags = DDBLT_KEYSRC * random_one_in(3);
        return blit;
    }
    blit.fx.dwFillColor = random_word() & mask_of(to);
    if (random_one_in(6))
        blit.flags = DDBLT_COLORFILL;
    else
        blit.flags = (DWORD)(random_one_in(3) ? DDBLT_KEYSRCOVERRIDE : 0) |
                     (DWORD)(random_one_in(4) ? DDBLT_KEYDESTOVERRIDE : 0) | (DWORD)(random_one_in(3) ? DDBLT_DDFX : 0);
    if (blit.flags & DDBLT_DDFX)
        blit.fx.dwDDFX = random_below(4) * DDBLTFX_MIRRORLEFTRIGHT; /* 2 and 4: left and right, up and down */
    if (random_one_in(3))
        blit.clip_count = 1 + random_below(CLIPS);
    for (unsigned i = 0; i < blit.clip_count; i++)
        blit.clips[i] = random_rect(to);
    return blit;
}

static bool is_inside(const struct blit *blit, LONG x, LONG y)
{
    for (unsigned i = 0; i < blit->clip_count; i++) {
        const RECT *c = &blit->clips[i];

        if (x >= c->left && x < c->right && y >= c->top && y < c->bottom)
            return true;
    }
    return !blit->clip_count;
}

/* The texel for pixel `i` of `n`, of m texels. */
static LONG texel_of(LONG i, LONG n, LONG m, bool is_mirrored)
{
    const LONG texel = (2 * i + 1) * m / (2 * n);

    return is_mirrored ? m - 1 - texel : texel;
}

/* The pixels of `to` afterwards. */
static void expect(struct side *to, const struct side *from, const struct blit *blit)
{
    static uint32_t before[MOST][MOST];
    const RECT *d = &blit->to, *s = &blit->from;

    memcpy(before, from->pixels, sizeof(before));
    for (LONG y = d->top; y < d->bottom; y++) {
        for (LONG x = d->left; x < d->right; x++) {
            const LONG u = s->left + texel_of(x - d->left, d->right - d->left, s->right - s->left,
                                              blit->fx.dwDDFX & DDBLTFX_MIRRORLEFTRIGHT);
            const LONG v = s->top + texel_of(y - d->top, d->bottom - d->top, s->bottom - s->top,
                                             blit->fx.dwDDFX & DDBLTFX_MIRRORUPDOWN);
            const bool fills = blit->flags & DDBLT_COLORFILL;
            const uint32_t pixel = fills ? blit->fx.dwFillColor : before[v][u];

            if (!is_inside(blit, x, y))
                continue;
            if (blit->flags & (DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE) &&
                pixel == blit->fx.ddckSrcColorkey.dwColorSpaceLowValue)
                continue;
            if (blit->flags & DDBLT_KEYDESTOVERRIDE &&
                to->pixels[y][x] != blit->fx.ddckDestColorkey.dwColorSpaceLowValue)
                continue;
            to->pixels[y][x] = pixel;
        }
    }
}

static void set_clips(IDirectDrawClipper *clipper, const struct blit *blit)
{
    union {
        RGNDATA data;
        uint8_t bytes[sizeof(RGNDATAHEADER) + CLIPS * sizeof(RECT)];
    } list = {.data = {.rdh = {sizeof(RGNDATAHEADER), RDH_RECTANGLES, blit->clip_count, 0, {0, 0, MOST, MOST}}}};

    list.data.rdh.nRgnSize = blit->clip_count * (DWORD)sizeof(RECT);
    memcpy(list.bytes + sizeof(RGNDATAHEADER), blit->clips, sizeof(blit->clips));
    CHECK_HR(IDirectDrawClipper_SetClipList(clipper, &list.data, 0), DD_OK);
}

static void perform(struct side *to, struct side *from, struct blit *blit, IDirectDrawClipper *clipper)
{
    if (blit->is_fast) {
        CHECK_HR(IDirectDrawSurface7_SetColorKey(from->surface, DDCKEY_SRCBLT, &blit->fx.ddckSrcColorkey), DD_OK);
        CHECK_HR(IDirectDrawSurface7_BltFast(to->surface, (DWORD)blit->to.left, (DWORD)blit->to.top, from->surface,
                                             &blit->from, blit->flags ? DDBLTFAST_SRCCOLORKEY : DDBLTFAST_NOCOLORKEY),
                 DD_OK);
        return;
    }
    if (blit->clip_count) {
        set_clips(clipper, blit);
        CHECK_HR(IDirectDrawSurface7_SetClipper(to->surface, clipper), DD_OK);
    }
    CHECK_HR(IDirectDrawSurface7_Blt(to->surface, &blit->to, blit->flags & DDBLT_COLORFILL ? NULL : from->surface,
                                     blit->flags & DDBLT_COLORFILL ? NULL : &blit->from, blit->flags, &blit->fx),
             DD_OK);
    if (blit->clip_count)
        CHECK_HR(IDirectDrawSurface7_SetClipper(to->surface, NULL), DD_OK);
}

static void random_blits(void)
{
    static struct side a, b;
    IDirectDrawClipper *clipper = NULL;

    CHECK_HR(IDirectDraw7_CreateClipper(ddraw, 0, &clipper, NULL), DD_OK);
    for (unsigned round = 0; clipper && round < ROUNDS && !failure_count(); round++) {
        const DDPIXELFORMAT *format = &formats[random_below(ARRAY_COUNT(formats))];

        if (!make_side(&a, format) || !make_side(&b, format))
            break;
        write_side(&a);
        write_side(&b);
        for (unsigned i = 0; i < BLITS && !failure_count(); i++) {
            struct side *from = random_one_in(4) ? &a : &b; /* itself: rectangles may overlap */
            struct blit blit = random_blit(&a, from);
            char what[160];

            expect(&a, from, &blit);
            perform(&a, from, &blit, clipper);
            snprintf(what, sizeof(what), "round %u blit %u: flags %lx effects %lx, %u clips%s%s", round, i,
                     (unsigned long)blit.flags, (unsigned long)blit.fx.dwDDFX, blit.clip_count,
                     blit.is_fast ? ", fast" : "", from == &a ? ", of itself" : "");
            compare_side(&a, what);
        }
        compare_side(&b, "the source");
        IDirectDrawSurface7_Release(a.surface);
        IDirectDrawSurface7_Release(b.surface);
    }
    if (clipper)
        IDirectDrawClipper_Release(clipper);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"random_blits", random_blits}};
    HMODULE library = load_ddraw();
    create_ex create;

    create = (create_ex)(void *)ddraw_export(library, "DirectDrawCreateEx");
    if (!create || FAILED(create(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL)) ||
        FAILED(IDirectDraw7_SetCooperativeLevel(ddraw, NULL, DDSCL_NORMAL))) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
