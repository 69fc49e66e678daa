/* SPDX-License-Identifier: MIT */
/* Texels of the catalogue's textures. */
#include "bench/catalogue/types.h"

#include <string.h>

static D3DCOLOR marble(float u, float v)
{
    float t = fractal_noise(u * 8, v * 8, 8, 4);

    return color_rgba(0.4f + 0.6f * t, 0.5f + 0.4f * t, 0.9f - 0.3f * t, 1);
}

static D3DCOLOR checker(float u, float v)
{
    bool odd = ((unsigned)(u * 8) + (unsigned)(v * 8)) & 1;

    return odd ? color_rgba(0.9f, 0.5f + 0.4f * v, 0.3f, 1) : color_rgba(0.2f, 0.3f, 0.6f * u, 1);
}

/* Opaque in the middle, transparent at the border. */
static D3DCOLOR spot(float u, float v)
{
    float d = sqrtf((u - 0.5f) * (u - 0.5f) + (v - 0.5f) * (v - 0.5f));
    float a = d < 0.5f ? 1 - d * 2 : 0;

    return color_rgba(a, a, a, a);
}

/* Normals of a smooth relief, as colours. */
static D3DCOLOR relief(float u, float v)
{
    const float step = 1.0f / 256;
    float h = fractal_noise(u * 16, v * 16, 16, 2);
    float x = h - fractal_noise((u + step) * 16, v * 16, 16, 2), y = h - fractal_noise(u * 16, (v + step) * 16, 16, 2);
    struct vec3 n = v3_normal(v3(8 * x, 8 * y, 1));

    return color_rgba(0.5f + 0.5f * n.x, 0.5f + 0.5f * n.y, 0.5f + 0.5f * n.z, 1);
}

static void fill(uint8_t *bits, size_t pitch, unsigned size, texel_function texel)
{
    for (unsigned y = 0; y < size; y++) {
        for (unsigned x = 0; x < size; x++) {
            D3DCOLOR color = texel(((float)x + 0.5f) / (float)size, ((float)y + 0.5f) / (float)size);

            memcpy(bits + y * pitch + 4 * x, &color, 4);
        }
    }
}

void fill_marble(uint8_t *bits, size_t pitch, unsigned size)
{
    fill(bits, pitch, size, marble);
}

void fill_checker(uint8_t *bits, size_t pitch, unsigned size)
{
    fill(bits, pitch, size, checker);
}

void fill_spot(uint8_t *bits, size_t pitch, unsigned size)
{
    fill(bits, pitch, size, spot);
}

void fill_normals(uint8_t *bits, size_t pitch, unsigned size)
{
    fill(bits, pitch, size, relief);
}

/* --- blocks of 4x4 texels ------------------------------------------------------------------ */

static unsigned brightness(D3DCOLOR c)
{
    return (c >> 16 & 255) + (c >> 8 & 255) + (c & 255);
}

static uint16_t to_565(D3DCOLOR c)
{
    return (uint16_t)((c >> 8 & 0xf800) | (c >> 5 & 0x07e0) | (c >> 3 & 0x001f));
}

/* Eight bytes: the darkest and the brightest texel, and two bits a texel between them. */
static void put_colors(uint8_t *block, const D3DCOLOR texels[16])
{
    static const uint32_t codes[4] = {1, 3, 2, 0}; /* from the darkest, color_1, to color_0 */
    D3DCOLOR low = texels[0], high = texels[0];
    uint32_t bits = 0, range;
    uint16_t ends[2];

    for (unsigned i = 1; i < 16; i++) {
        low = brightness(texels[i]) < brightness(low) ? texels[i] : low;
        high = brightness(texels[i]) > brightness(high) ? texels[i] : high;
    }
    ends[0] = to_565(high);
    ends[1] = to_565(low);
    if (ends[0] < ends[1]) { /* would select the mode with three colours */
        const D3DCOLOR swapped = low;

        low = high;
        high = swapped;
        ends[0] = to_565(high);
        ends[1] = to_565(low);
    }
    range =
        brightness(high) > brightness(low) ? brightness(high) - brightness(low) : brightness(low) - brightness(high);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t at = brightness(texels[i]) > brightness(low) ? brightness(texels[i]) - brightness(low)
                                                              : brightness(low) - brightness(texels[i]);
        uint32_t step = range ? (6 * at + range) / (2 * range) : 0;

        bits |= (ends[0] == ends[1] ? 0 : codes[step > 3 ? 3 : step]) << (2 * i);
    }
    memcpy(block, ends, 4);
    memcpy(block + 4, &bits, 4);
}

static void fill_blocks(uint8_t *bits, size_t pitch, unsigned size, texel_function texel, bool alpha)
{
    const size_t bytes = alpha ? 16 : 8;
    D3DCOLOR texels[16];

    for (unsigned y = 0; y < (size + 3) / 4; y++) {
        for (unsigned x = 0; x < (size + 3) / 4; x++) {
            uint8_t *block = bits + y * pitch + x * bytes;

            for (unsigned i = 0; i < 16; i++)
                texels[i] =
                    texel(((float)(4 * x + i % 4) + 0.5f) / (float)size, ((float)(4 * y + i / 4) + 0.5f) / (float)size);
            if (alpha) { /* alpha_0, alpha_1, and three bits a texel: the ramp between them from left to right */
                static const uint8_t ramp[8] = {255, 128, 0xd0, 0x04, 0x4d, 0xd0, 0x04, 0x4d};

                memcpy(block, ramp, sizeof(ramp));
            }
            put_colors(block + (alpha ? 8 : 0), texels);
        }
    }
}

void fill_marble_dxt1(uint8_t *bits, size_t pitch, unsigned size)
{
    fill_blocks(bits, pitch, size, marble, false);
}

void fill_marble_dxt5(uint8_t *bits, size_t pitch, unsigned size)
{
    fill_blocks(bits, pitch, size, marble, true);
}
