/* SPDX-License-Identifier: MIT */
/*
 * StretchRect between all formats that it converts, and ColorFill of all surfaces that can be filled. The oracle: each
 * channel is a number that the format's own definition (d3d9types.h) gives, is 1 where the source has none, and comes
 * out within 0.6 units of the destination, as Direct3D allows; 8-bit colours are in between where both sides have at
 * most 8 bits.
 */
#include "tests/random.h"
#include "tests/runtime/program9.h"

#include <math.h>
#include <stdlib.h>

#define SIDE 8

static HWND window;
static IDirect3DDevice9 *device;

static bool set_up(void)
{
    window = open_window();
    device = open_device9(window, false, 0, NULL);
    return device != NULL;
}

/* --- formats as d3d9types.h describes them ------------------------------------------------------ */

struct layout {
    const char *name;
    DWORD format;
    unsigned bytes;
    bool is_float;
    struct {
        uint8_t bits, shift; /* from bit 0 of the first byte on; 0 bits: the format does not have it */
    } channel[4];            /* red, green, blue, alpha */
};

#define LAYOUT(name, bytes, ...)            \
    {                                       \
#name, D3DFMT_##name, bytes, false, \
        {                                   \
            __VA_ARGS__                     \
        }                                   \
    }
#define FLOATS(name, bytes, ...)           \
    {                                      \
#name, D3DFMT_##name, bytes, true, \
        {                                  \
            __VA_ARGS__                    \
        }                                  \
    }

static const struct layout layouts[] = {
    LAYOUT(A8R8G8B8, 4, {8, 16}, {8, 8}, {8, 0}, {8, 24}),
    LAYOUT(X8R8G8B8, 4, {8, 16}, {8, 8}, {8, 0}, {0, 0}),
    LAYOUT(R5G6B5, 2, {5, 11}, {6, 5}, {5, 0}, {0, 0}),
    LAYOUT(X1R5G5B5, 2, {5, 10}, {5, 5}, {5, 0}, {0, 0}),
    LAYOUT(A1R5G5B5, 2, {5, 10}, {5, 5}, {5, 0}, {1, 15}),
    LAYOUT(A4R4G4B4, 2, {4, 8}, {4, 4}, {4, 0}, {4, 12}),
    LAYOUT(X4R4G4B4, 2, {4, 8}, {4, 4}, {4, 0}, {0, 0}),
    LAYOUT(A8B8G8R8, 4, {8, 0}, {8, 8}, {8, 16}, {8, 24}),
    LAYOUT(X8B8G8R8, 4, {8, 0}, {8, 8}, {8, 16}, {0, 0}),
    LAYOUT(A2B10G10R10, 4, {10, 0}, {10, 10}, {10, 20}, {2, 30}),
    LAYOUT(A2R10G10B10, 4, {10, 20}, {10, 10}, {10, 0}, {2, 30}),
    LAYOUT(G16R16, 4, {16, 0}, {16, 16}, {0, 0}, {0, 0}),
    LAYOUT(A16B16G16R16, 8, {16, 0}, {16, 16}, {16, 32}, {16, 48}),
    FLOATS(R16F, 2, {16, 0}, {0, 0}, {0, 0}, {0, 0}),
    FLOATS(G16R16F, 4, {16, 0}, {16, 16}, {0, 0}, {0, 0}),
    FLOATS(A16B16G16R16F, 8, {16, 0}, {16, 16}, {16, 32}, {16, 48}),
    FLOATS(R32F, 4, {32, 0}, {0, 0}, {0, 0}, {0, 0}),
    FLOATS(G32R32F, 8, {32, 0}, {32, 32}, {0, 0}, {0, 0}),
    FLOATS(A32B32G32R32F, 16, {32, 0}, {32, 32}, {32, 64}, {32, 96}),
};
#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static uint32_t field(const struct layout *layout, const uint8_t *texel, unsigned c)
{
    const unsigned shift = layout->channel[c].shift, bits = layout->channel[c].bits;
    uint64_t word = 0;

    memcpy(&word, texel + shift / 32 * 4, layout->bytes < 4 ? layout->bytes : 4);
    return (uint32_t)(word >> shift % 32 & ((UINT64_C(1) << bits) - 1));
}

static double half_value(uint32_t half)
{
    const int exponent = (int)(half >> 10 & 31), mantissa = (int)(half & 1023);
    const double value = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);

    return half & 0x8000 ? -value : value;
}

/* The value of the channel; 1 if the format does not have it. */
static double channel_value(const struct layout *layout, const uint8_t *texel, unsigned c)
{
    const unsigned bits = layout->channel[c].bits;
    const uint32_t number = field(layout, texel, c);
    float value;

    if (!bits)
        return 1;
    if (!layout->is_float)
        return number / (ldexp(1, (int)bits) - 1);
    if (bits == 16)
        return half_value(number);
    memcpy(&value, &number, sizeof(value));
    return value;
}

/* The tolerance of the destination, in its own range. */
static double tolerance(const struct layout *from, const struct layout *to, unsigned c, double value)
{
    const double units = ldexp(1, to->channel[c].bits) - 1;
    /* the loss of a colour with fewer than 8 bits on its way through 8 bits */
    const double way = from->channel[c].bits < 8 && from->channel[c].bits ? 0.5 / 255 : 0;

    if (to->is_float)
        return way + fabs(value) * ldexp(1, to->channel[c].bits == 16 ? -11 : -22) + ldexp(1, -24);
    return way + 0.6 / units;
}

static void check_texel(const struct layout *from, const uint8_t *source, const struct layout *to, const uint8_t *got)
{
    for (unsigned c = 0; c < 4; c++) {
        double want = channel_value(from, source, c);
        const double is = channel_value(to, got, c);

        if (!to->channel[c].bits)
            continue;
        if (!to->is_float)
            want = want < 0 ? 0 : want > 1 ? 1 : want;
        if (!(fabs(is - want) <= tolerance(from, to, c, want)))
            failed(__FILE__, __LINE__, "%s to %s: channel %u is %.9g, not %.9g", from->name, to->name, c, is, want);
    }
}

/* Any number that the format has, with floats of -2 to 2. */
static void random_texel(const struct layout *layout, uint8_t *texel)
{
    for (unsigned i = 0; i < layout->bytes; i++)
        texel[i] = (uint8_t)random_below(256);
    for (unsigned c = 0; layout->is_float && c < 4 && layout->channel[c].bits; c++) {
        uint8_t *at = texel + layout->channel[c].shift / 8;
        const float value = ((float)random_below(4001) - 2000) / 1000;

        if (layout->channel[c].bits == 16)
            at[1] &= 0xbf; /* exponents below that of 2 */
        else
            memcpy(at, &value, sizeof(value));
    }
}

/* --- surfaces ------------------------------------------------------------------------------------- */

static IDirect3DSurface9 *memory_of(DWORD format)
{
    IDirect3DSurface9 *surface = NULL;

    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIDE, SIDE, (D3DFORMAT)format, D3DPOOL_SYSTEMMEM,
                                                          &surface, NULL),
             D3D_OK);
    return surface;
}

static IDirect3DSurface9 *target_of(DWORD format)
{
    IDirect3DSurface9 *surface = NULL;

    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, (D3DFORMAT)format, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                 &surface, NULL),
             D3D_OK);
    return surface;
}

/* As a target, as a plain surface, or as a texture's level. */
static IDirect3DSurface9 *source_of(DWORD format, unsigned role)
{
    IDirect3DSurface9 *surface = NULL;
    IDirect3DTexture9 *texture = NULL;

    if (role == 0)
        return target_of(format);
    if (role == 1) {
        CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIDE, SIDE, (D3DFORMAT)format, D3DPOOL_DEFAULT,
                                                              &surface, NULL),
                 D3D_OK);
        return surface;
    }
    CHECK_HR(
        IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, 1, 0, (D3DFORMAT)format, D3DPOOL_DEFAULT, &texture, NULL),
        D3D_OK);
    CHECK_HR(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface), D3D_OK);
    IDirect3DTexture9_Release(texture);
    return surface;
}

/* Random texels in both; they are kept in `texels`, row after row. */
static void fill(IDirect3DSurface9 *surface, IDirect3DSurface9 *memory, const struct layout *layout, uint8_t *texels)
{
    D3DLOCKED_RECT lock;

    CHECK_HR(IDirect3DSurface9_LockRect(memory, &lock, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            uint8_t *texel = texels + (y * SIDE + x) * layout->bytes;

            random_texel(layout, texel);
            memcpy((uint8_t *)lock.pBits + y * (unsigned)lock.Pitch + x * layout->bytes, texel, layout->bytes);
        }
    IDirect3DSurface9_UnlockRect(memory);
    CHECK_HR(IDirect3DDevice9_UpdateSurface(device, memory, NULL, surface, NULL), D3D_OK);
}

static void read_back(IDirect3DSurface9 *target, IDirect3DSurface9 *memory, const struct layout *layout,
                      uint8_t *texels)
{
    D3DLOCKED_RECT lock;

    CHECK_HR(IDirect3DDevice9_GetRenderTargetData(device, target, memory), D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(memory, &lock, NULL, D3DLOCK_READONLY), D3D_OK);
    for (unsigned y = 0; y < SIDE; y++)
        memcpy(texels + y * SIDE * layout->bytes, (uint8_t *)lock.pBits + y * (unsigned)lock.Pitch,
               SIDE * layout->bytes);
    IDirect3DSurface9_UnlockRect(memory);
}

/* --- StretchRect ------------------------------------------------------------------------------------ */

static void check_pair(const struct layout *from, const struct layout *to, unsigned role)
{
    static uint8_t source[SIDE * SIDE * 16], before[SIDE * SIDE * 16], after[SIDE * SIDE * 16];
    static const D3DTEXTUREFILTERTYPE filters[] = {D3DTEXF_NONE, D3DTEXF_POINT, D3DTEXF_LINEAR};
    IDirect3DSurface9 *a = source_of(from->format, role), *b = target_of(to->format);
    IDirect3DSurface9 *memory_a = memory_of(from->format), *memory_b = memory_of(to->format);
    const LONG width = 1 + (LONG)random_below(SIDE), height = 1 + (LONG)random_below(SIDE);
    const LONG x = (LONG)random_below((uint32_t)(SIDE + 1 - width)),
               y = (LONG)random_below((uint32_t)(SIDE + 1 - height));
    const LONG u = (LONG)random_below((uint32_t)(SIDE + 1 - width)),
               v = (LONG)random_below((uint32_t)(SIDE + 1 - height));
    const RECT source_rect = {u, v, u + width, v + height}, rect = {x, y, x + width, y + height};

    fill(a, memory_a, from, source);
    fill(b, memory_b, to, before);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, a, &source_rect, b, &rect, filters[random_below(3)]), D3D_OK);
    read_back(b, memory_b, to, after);
    for (LONG row = 0; row < SIDE; row++)
        for (LONG column = 0; column < SIDE; column++) {
            const uint8_t *got = after + (row * SIDE + column) * (LONG)to->bytes;
            const POINT at = {column, row};

            if (PtInRect(&rect, at))
                check_texel(from, source + ((row - y + v) * SIDE + column - x + u) * (LONG)from->bytes, to, got);
            else
                CHECK(!memcmp(got, before + (row * SIDE + column) * (LONG)to->bytes, to->bytes));
        }
    IDirect3DSurface9_Release(a);
    IDirect3DSurface9_Release(b);
    IDirect3DSurface9_Release(memory_a);
    IDirect3DSurface9_Release(memory_b);
}

static void stretch_converts(void)
{
    if (!set_up())
        return;
    for (size_t i = 0; i < LAYOUTS; i++)
        for (size_t k = 0; k < LAYOUTS; k++)
            for (unsigned role = 0; role < 3; role++) {
                random_seed = (uint32_t)(i * 1000 + k * 10 + role);
                check_pair(&layouts[i], &layouts[k], role);
            }
    close_device9(device, window);
}

/* One colour is the same at any size. */
static void stretch_scales(void)
{
    if (!set_up())
        return;
    for (size_t i = 0; i < LAYOUTS; i++) {
        static const struct layout *wide = &layouts[12]; /* A16B16G16R16 */
        IDirect3DSurface9 *a = target_of(layouts[i].format), *b = target_of(wide->format);
        IDirect3DSurface9 *memory = memory_of(wide->format);
        const RECT part = {1, 2, 4, 7};
        uint8_t texels[SIDE * SIDE * 16];

        CHECK_HR(IDirect3DDevice9_ColorFill(device, a, NULL, 0xff33cc66), D3D_OK);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, a, &part, b, NULL, D3DTEXF_LINEAR), D3D_OK);
        read_back(b, memory, wide, texels);
        for (unsigned k = 0; k < SIDE * SIDE; k++)
            for (unsigned c = 0; c < 4; c++) {
                static const double color[4] = {0.2, 0.8, 0.4, 1};
                const unsigned bits = layouts[i].channel[c].bits;
                const double got = channel_value(wide, texels + k * 8, c), want = bits ? color[c] : 1;

                if (fabs(got - want) > 0.6 / (ldexp(1, bits && bits < 8 ? (int)bits : 8) - 1) + 0.001)
                    failed(__FILE__, __LINE__, "%s, channel %u: %g, not %g", layouts[i].name, c, got, want);
            }
        IDirect3DSurface9_Release(a);
        IDirect3DSurface9_Release(b);
        IDirect3DSurface9_Release(memory);
    }
    close_device9(device, window);
}

/* The target without pixels can be source and destination, without effect and successfully. */
static void stretch_of_null(void)
{
    const D3DFORMAT null = (D3DFORMAT)MAKEFOURCC('N', 'U', 'L', 'L');
    IDirect3DSurface9 *nothing, *target, *memory;
    uint8_t texels[SIDE * SIDE * 4];

    if (!set_up())
        return;
    nothing = target_of(null);
    target = target_of(D3DFMT_A8R8G8B8);
    memory = memory_of(D3DFMT_A8R8G8B8);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, NULL, 0x12345678), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, target, NULL, nothing, NULL, D3DTEXF_POINT), D3D_OK);
    CHECK_HR(IDirect3DDevice9_StretchRect(device, nothing, NULL, target, NULL, D3DTEXF_POINT), D3D_OK);
    read_back(target, memory, &layouts[0], texels);
    CHECK_EQUAL(*(uint32_t *)texels, 0x12345678);
    IDirect3DSurface9_Release(nothing);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(memory);
    close_device9(device, window);
}

/* --- ColorFill ---------------------------------------------------------------------------------------- */

/* Plain surfaces that hold no unsigned colours a texel, and the first bytes of one that is filled with 80402010. Blocks hold the
 * colour; indices and signed texels take the number's lowest bits (docs/reference/device-state.md, section 12). */
static const struct {
    const char *name;
    DWORD format;
    unsigned bytes;
    uint8_t want[16];
} fills[] = {
    {"P8", D3DFMT_P8, 1, {0x10}},
    {"A8P8", D3DFMT_A8P8, 2, {0x10, 0x20}},
    {"V8U8", D3DFMT_V8U8, 2, {0x10, 0x20}},
    {"L6V5U5", D3DFMT_L6V5U5, 2, {0x10, 0x20}},
    {"CxV8U8", D3DFMT_CxV8U8, 2, {0x10, 0x20}},
    {"X8L8V8U8", D3DFMT_X8L8V8U8, 4, {0x10, 0x20, 0x40, 0x80}},
    {"Q8W8V8U8", D3DFMT_Q8W8V8U8, 4, {0x10, 0x20, 0x40, 0x80}},
    {"V16U16", D3DFMT_V16U16, 4, {0x10, 0x20, 0x40, 0x80}},
    {"A2W10V10U10", D3DFMT_A2W10V10U10, 4, {0x10, 0x20, 0x40, 0x80}},
    {"Q16W16V16U16", D3DFMT_Q16W16V16U16, 8, {0x10, 0x20, 0x40, 0x80}},
    /* 01000 001000 00010: 0x4102 */
    {"DXT1", D3DFMT_DXT1, 8, {0x02, 0x41, 0x02, 0x41}},
    {"DXT2", D3DFMT_DXT2, 16, {0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x02, 0x41, 0x02, 0x41}},
    {"DXT3", D3DFMT_DXT3, 16, {0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x02, 0x41, 0x02, 0x41}},
    {"DXT4", D3DFMT_DXT4, 16, {0x80, 0x80, 0, 0, 0, 0, 0, 0, 0x02, 0x41, 0x02, 0x41}},
    {"DXT5", D3DFMT_DXT5, 16, {0x80, 0x80, 0, 0, 0, 0, 0, 0, 0x02, 0x41, 0x02, 0x41}},
};

/* A fill after it works. */
static void check_fill(size_t i, IDirect3DSurface9 *target, IDirect3DSurface9 *memory)
{
    static const RECT part = {0, 4, 4, 8};
    IDirect3DSurface9 *plain = source_of(fills[i].format, 1);
    uint8_t texels[SIDE * SIDE * 4];
    D3DLOCKED_RECT lock;

    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, NULL, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, plain, NULL, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, plain, &part, 0x80402010), D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, NULL, 0xff00ff00), D3D_OK);
    read_back(target, memory, &layouts[0], texels);
    CHECK_EQUAL(*(uint32_t *)texels, 0xff00ff00);
    CHECK_HR(IDirect3DSurface9_LockRect(plain, &lock, &part, D3DLOCK_READONLY), D3D_OK);
    if (memcmp(lock.pBits, fills[i].want, fills[i].bytes))
        failed(__FILE__, __LINE__, "%s is filled with %02x %02x %02x %02x...", fills[i].name,
               ((uint8_t *)lock.pBits)[0], ((uint8_t *)lock.pBits)[1], ((uint8_t *)lock.pBits)[2],
               ((uint8_t *)lock.pBits)[3]);
    IDirect3DSurface9_UnlockRect(plain);
    IDirect3DSurface9_Release(plain);
}

static void fills_of_all_kinds(void)
{
    IDirect3DSurface9 *target, *memory;

    if (!set_up())
        return;
    target = target_of(D3DFMT_A8R8G8B8);
    memory = memory_of(D3DFMT_A8R8G8B8);
    for (size_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++)
        check_fill(i, target, memory);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(memory);
    close_device9(device, window);
}

/* Filled blocks become pixels of their colour. */
static void stretch_from_blocks(void)
{
    static const DWORD blocks[] = {D3DFMT_DXT1, D3DFMT_DXT2, D3DFMT_DXT3, D3DFMT_DXT4, D3DFMT_DXT5};
    static const double color[4] = {0x42 / 255.0, 0x20 / 255.0, 0x10 / 255.0, 1};

    if (!set_up())
        return;
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        for (size_t k = 0; k < LAYOUTS; k++) {
            IDirect3DSurface9 *plain = source_of(blocks[i], 1), *target = target_of(layouts[k].format);
            IDirect3DSurface9 *memory = memory_of(layouts[k].format);
            uint8_t texels[SIDE * SIDE * 16];

            CHECK_HR(IDirect3DDevice9_ColorFill(device, plain, NULL, 0xff422010), D3D_OK);
            CHECK_HR(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE), D3D_OK);
            read_back(target, memory, &layouts[k], texels);
            for (unsigned c = 0; c < 4; c++) {
                const double got = channel_value(&layouts[k], texels, c);
                const int bits = layouts[k].channel[c].bits;

                /* 5 bits of a channel in the block, and as many as the target has */
                if (bits && fabs(got - color[c]) > 0.6 / 31 + (layouts[k].is_float ? 0.01 : 0.6 / (ldexp(1, bits) - 1)))
                    failed(__FILE__, __LINE__, "%.4s to %s: channel %u is %g, not %g", (const char *)&blocks[i],
                           layouts[k].name, c, got, color[c]);
            }
            IDirect3DSurface9_Release(plain);
            IDirect3DSurface9_Release(target);
            IDirect3DSurface9_Release(memory);
        }
    close_device9(device, window);
}

/* --- planes of luma and chroma ------------------------------------------------------------------------ */

#define PLANAR_SIDE 12

/* A picture in Y, U and V for which the memory of YV12 and NV12 differs. */
struct planes {
    DWORD format;
    unsigned width, height;
    uint8_t y[PLANAR_SIDE][PLANAR_SIDE], uv[2][PLANAR_SIDE / 2][PLANAR_SIDE / 2];
};

static const DWORD planar[] = {MAKEFOURCC('Y', 'V', '1', '2'), MAKEFOURCC('N', 'V', '1', '2')};

static uint8_t *chroma_at(const struct planes *p, const D3DLOCKED_RECT *lock, unsigned which, unsigned x, unsigned y)
{
    const unsigned pitch = (unsigned)lock->Pitch, rows = (p->height + 1) / 2;
    uint8_t *chroma = (uint8_t *)lock->pBits + p->height * pitch;

    if (p->format == planar[1])
        return chroma + y * pitch + 2 * x + which;
    return chroma + (which ? 0 : rows * (pitch / 2)) + y * (pitch / 2) + x; /* V goes before U */
}

static void store_planes(const struct planes *p, IDirect3DSurface9 *surface)
{
    D3DLOCKED_RECT lock;

    CHECK_HR(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < p->height; y++)
        memcpy((uint8_t *)lock.pBits + y * (unsigned)lock.Pitch, p->y[y], p->width);
    for (unsigned which = 0; which < 2; which++)
        for (unsigned y = 0; y < (p->height + 1) / 2; y++)
            for (unsigned x = 0; x < (p->width + 1) / 2; x++)
                *chroma_at(p, &lock, which, x, y) = p->uv[which][y][x];
    IDirect3DSurface9_UnlockRect(surface);
}

static bool holds_planes(const struct planes *p, IDirect3DSurface9 *surface)
{
    D3DLOCKED_RECT lock;
    bool same = true;

    CHECK_HR(IDirect3DSurface9_LockRect(surface, &lock, NULL, D3DLOCK_READONLY), D3D_OK);
    for (unsigned y = 0; y < p->height; y++)
        same &= !memcmp((uint8_t *)lock.pBits + y * (unsigned)lock.Pitch, p->y[y], p->width);
    for (unsigned which = 0; which < 2; which++)
        for (unsigned y = 0; y < (p->height + 1) / 2; y++)
            for (unsigned x = 0; x < (p->width + 1) / 2; x++)
                same &= *chroma_at(p, &lock, which, x, y) == p->uv[which][y][x];
    IDirect3DSurface9_UnlockRect(surface);
    return same;
}

static IDirect3DSurface9 *planar_surface(const struct planes *p, D3DPOOL pool)
{
    IDirect3DSurface9 *surface = NULL;

    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, p->width, p->height, (D3DFORMAT)p->format, pool,
                                                          &surface, NULL),
             D3D_OK);
    return surface;
}

/* Full-range BT.601 (docs/reference/texture-sampling.md, section 7); channel 3 is alpha. */
static double rgb_of(const struct planes *p, unsigned x, unsigned y, unsigned c)
{
    static const double factors[3][2] = {{0, 1.402}, {-0.344136, -0.714136}, {1.772, 0}};
    const double u = p->uv[0][y / 2][x / 2] - 128.0, v = p->uv[1][y / 2][x / 2] - 128.0;
    const double value = c < 3 ? (p->y[y][x] + factors[c][0] * u + factors[c][1] * v) / 255 : 1;

    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* One texel of the target for each of the source. */
static void check_planes(const struct planes *p, IDirect3DSurface9 *surface, const struct layout *to)
{
    static uint8_t texels[SIDE * SIDE * 16];
    IDirect3DSurface9 *target = target_of(to->format), *memory = memory_of(to->format);
    const LONG width = 1 + (LONG)random_below(p->width < SIDE ? p->width : SIDE);
    const LONG height = 1 + (LONG)random_below(p->height < SIDE ? p->height : SIDE);
    const LONG u = (LONG)random_below(p->width + 1 - (uint32_t)width),
               v = (LONG)random_below(p->height + 1 - (uint32_t)height);
    const RECT from = {u, v, u + width, v + height}, rect = {0, 0, width, height};

    CHECK_HR(IDirect3DDevice9_StretchRect(device, surface, &from, target, &rect, D3DTEXF_POINT), D3D_OK);
    read_back(target, memory, to, texels);
    for (LONG y = 0; y < height; y++)
        for (LONG x = 0; x < width; x++)
            for (unsigned c = 0; c < 4; c++) {
                const double want = rgb_of(p, (unsigned)(u + x), (unsigned)(v + y), c);
                const double got = channel_value(to, texels + (y * SIDE + x) * (LONG)to->bytes, c);

                if (to->channel[c].bits && !(fabs(got - want) <= 0.51 / 255 + tolerance(to, to, c, want)))
                    failed(__FILE__, __LINE__, "%.4s of %u x %u to %s, texel %ld %ld, channel %u: %g, not %g",
                           (const char *)&p->format, p->width, p->height, to->name, (long)(u + x), (long)(v + y), c,
                           got, want);
            }
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(memory);
}

static void random_planes(struct planes *p)
{
    uint8_t *bytes = &p->y[0][0];

    p->format = planar[random_below(2)];
    p->width = 1 + random_below(PLANAR_SIDE);
    p->height = 1 + random_below(PLANAR_SIDE);
    for (size_t i = 0; i < sizeof(p->y); i++)
        bytes[i] = (uint8_t)random_below(256);
    bytes = &p->uv[0][0][0];
    for (size_t i = 0; i < sizeof(p->uv); i++)
        bytes[i] = (uint8_t)random_below(256);
}

/* All sizes, contents written to the surface itself or to one in system memory, and copied to another. */
static void stretch_from_planes(void)
{
    if (!set_up())
        return;
    for (unsigned round = 0; round < 300; round++) {
        struct planes p;
        IDirect3DSurface9 *video, *system, *copy;

        random_seed = round;
        random_planes(&p);
        video = planar_surface(&p, D3DPOOL_DEFAULT);
        system = planar_surface(&p, D3DPOOL_SYSTEMMEM);
        copy = planar_surface(&p, D3DPOOL_DEFAULT);
        if (random_below(2)) {
            store_planes(&p, video);
        } else {
            store_planes(&p, system);
            CHECK_HR(IDirect3DDevice9_UpdateSurface(device, system, NULL, video, NULL), D3D_OK);
        }
        CHECK_HR(IDirect3DDevice9_StretchRect(device, video, NULL, copy, NULL, D3DTEXF_NONE), D3D_OK);
        CHECK(holds_planes(&p, video));
        CHECK(holds_planes(&p, copy));
        check_planes(&p, random_below(2) ? video : copy, &layouts[random_below(LAYOUTS)]);
        IDirect3DSurface9_Release(video);
        IDirect3DSurface9_Release(system);
        IDirect3DSurface9_Release(copy);
    }
    close_device9(device, window);
}

/* ColorFill's colour is Y, U and V; locks of rectangles begin at their luma, and blocks of 2x2 texels are not torn. */
static void planes_are_filled_and_locked(void)
{
    static const RECT part = {2, 4, 6, 8}, odd = {1, 4, 6, 8};

    if (!set_up())
        return;
    for (size_t i = 0; i < sizeof(planar) / sizeof(planar[0]); i++) {
        struct planes p = {.format = planar[i], .width = SIDE, .height = SIDE};
        IDirect3DSurface9 *surface = planar_surface(&p, D3DPOOL_DEFAULT), *target = target_of(D3DFMT_A8R8G8B8);
        D3DLOCKED_RECT all, lock;

        store_planes(&p, surface);
        CHECK_HR(IDirect3DDevice9_ColorFill(device, surface, &part, 0x80402010), D3D_OK);
        CHECK_HR(IDirect3DDevice9_ColorFill(device, surface, &odd, 0), D3DERR_INVALIDCALL);
        for (unsigned y = 4; y < 8; y++)
            for (unsigned x = 2; x < 6; x++) {
                p.y[y][x] = 0x40;
                p.uv[0][y / 2][x / 2] = 0x20;
                p.uv[1][y / 2][x / 2] = 0x10;
            }
        CHECK(holds_planes(&p, surface));
        CHECK_HR(IDirect3DSurface9_LockRect(surface, &all, NULL, D3DLOCK_READONLY), D3D_OK);
        IDirect3DSurface9_UnlockRect(surface);
        CHECK_HR(IDirect3DSurface9_LockRect(surface, &lock, &odd, D3DLOCK_READONLY), D3DERR_INVALIDCALL);
        CHECK_HR(IDirect3DSurface9_LockRect(surface, &lock, &part, D3DLOCK_READONLY), D3D_OK);
        CHECK((uint8_t *)lock.pBits == (uint8_t *)all.pBits + 4 * all.Pitch + 2);
        IDirect3DSurface9_UnlockRect(surface);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, target, NULL, surface, NULL, D3DTEXF_NONE), D3DERR_INVALIDCALL);
        CHECK(holds_planes(&p, surface));
        IDirect3DSurface9_Release(target);
        IDirect3DSurface9_Release(surface);
    }
    close_device9(device, window);
}

/* A pair that is not converted is refused, and the commands after it are not lost. */
static void stretch_refused(void)
{
    static const DWORD others[] = {D3DFMT_V8U8, D3DFMT_Q8W8V8U8, D3DFMT_Q16W16V16U16, D3DFMT_P8};
    IDirect3DSurface9 *target, *memory;
    uint8_t texels[SIDE * SIDE * 4];

    if (!set_up())
        return;
    target = target_of(D3DFMT_A8R8G8B8);
    memory = memory_of(D3DFMT_A8R8G8B8);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        IDirect3DSurface9 *plain = source_of(others[i], 1);

        CHECK_HR(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE), D3DERR_INVALIDCALL);
        IDirect3DSurface9_Release(plain);
    }
    CHECK_HR(IDirect3DDevice9_ColorFill(device, target, NULL, 0xff00ff00), D3D_OK);
    read_back(target, memory, &layouts[0], texels);
    CHECK_EQUAL(*(uint32_t *)texels, 0xff00ff00);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(memory);
    close_device9(device, window);
}

/* Rectangles without pixels copy nothing, successfully, if the surfaces could be copied and the rectangles lie inside
 * them. */
static void stretch_of_no_pixels(void)
{
    static const RECT none[] = {{0, 0, 0, 0}, {3, 3, 3, 3}, {2, 5, 7, 5}, {8, 0, 8, 8}, {8, 8, 8, 8}},
                      part = {1, 2, 5, 6};
    static const RECT outside[] = {{9, 9, 9, 9}, {-1, 0, -1, 0}, {0, 9, 8, 9}, {3, 3, 2, 3}};
    IDirect3DSurface9 *red, *green, *plain, *memory;
    uint8_t texels[SIDE * SIDE * 4];

    if (!set_up())
        return;
    red = target_of(D3DFMT_A8R8G8B8);
    green = target_of(D3DFMT_A8R8G8B8);
    plain = source_of(D3DFMT_A8R8G8B8, 1);
    memory = memory_of(D3DFMT_A8R8G8B8);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, red, NULL, 0xffff0000), D3D_OK);
    CHECK_HR(IDirect3DDevice9_ColorFill(device, green, NULL, 0xff00ff00), D3D_OK);
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        CHECK_HR(IDirect3DDevice9_StretchRect(device, red, &none[i], green, &none[i], D3DTEXF_NONE), D3D_OK);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, red, &none[i], green, &part, D3DTEXF_LINEAR), D3D_OK);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, red, &part, green, &none[i], D3DTEXF_POINT), D3D_OK);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, red, &none[i], plain, &none[i], D3DTEXF_NONE),
                 D3DERR_INVALIDCALL);
    }
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        CHECK_HR(IDirect3DDevice9_StretchRect(device, red, &outside[i], green, NULL, D3DTEXF_NONE), D3DERR_INVALIDCALL);
        CHECK_HR(IDirect3DDevice9_StretchRect(device, red, NULL, green, &outside[i], D3DTEXF_NONE), D3DERR_INVALIDCALL);
    }
    read_back(green, memory, &layouts[0], texels);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        CHECK_EQUAL(((uint32_t *)texels)[i], 0xff00ff00);
    IDirect3DSurface9_Release(red);
    IDirect3DSurface9_Release(green);
    IDirect3DSurface9_Release(plain);
    IDirect3DSurface9_Release(memory);
    close_device9(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"stretch_converts", stretch_converts},
        {"stretch_scales", stretch_scales},
        {"stretch_of_null", stretch_of_null},
        {"stretch_from_blocks", stretch_from_blocks},
        {"stretch_refused", stretch_refused},
        {"fills_of_all_kinds", fills_of_all_kinds},
        {"stretch_of_no_pixels", stretch_of_no_pixels},
        {"stretch_from_planes", stretch_from_planes},
        {"planes_are_filled_and_locked", planes_are_filled_and_locked},
    };

    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
