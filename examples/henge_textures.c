/* SPDX-License-Identifier: MIT */
/* The henge's textures, all of them functions. Normal maps are the slopes of the heights from which colours are
 * computed. */
#include "examples/henge.h"

static float clamp01(float value)
{
    return fminf(fmaxf(value, 0), 1);
}

/* Weathered stone: grain on broad hollows, pits, and cracks along ridges of noise. */
static float stone_height(float u, float v)
{
    float broad = fractal_noise(u * 4, v * 4, 4, 2), grain = fractal_noise(u * 14 + 3, v * 14, 14, 5);
    float crack = fabsf(fractal_noise(u * 5 + 0.25f * grain, v * 5, 5, 3) - 0.5f) * 14;
    float pit = clamp01((fractal_noise(u * 30, v * 30, 30, 2) - 0.6f) * 7);

    return broad * 0.35f + grain * 0.65f - 0.2f * clamp01(1 - crack) - 0.13f * pit;
}

static D3DCOLOR stone_texel(float u, float v)
{
    float h = stone_height(u, v), lichen = fractal_noise(u * 6, v * 6 + 2, 6, 5),
          spots = fractal_noise(u * 22, v * 22, 22, 3);
    D3DCOLOR color = color_mix(0xff57504a, 0xffb3aa9d, (h - 0.16f) * 1.9f);

    color = color_mix(color, 0xff9a8f50, (lichen - 0.56f) * 5 * spots);
    color = color_mix(color, 0xffd0ccba, (spots - 0.62f) * 5);
    return (color & 0xffffff) | (D3DCOLOR)(255 * clamp01(0.1f + 0.9f * h)) << 24;
}

/* Short turf with bare earth between. */
static float soil_height(float u, float v)
{
    return fractal_noise(u * 8, v * 8, 8, 5) * 0.7f + fractal_noise(u * 40, v * 40, 40, 2) * 0.3f;
}

static D3DCOLOR soil_texel(float u, float v)
{
    float h = soil_height(u, v), turf = fractal_noise(u * 6 + 5, v * 6, 6, 4);
    D3DCOLOR color = color_mix(0xff2e3418, 0xff6a7234, (h - 0.25f) * 1.8f);

    color = color_mix(color, color_mix(0xff3c3020, 0xff7a6648, h), (turf - 0.56f) * 6);
    return (color & 0xffffff) | (D3DCOLOR)(255 * clamp01(0.35f * h)) << 24;
}

static D3DCOLOR normal_from(float (*height)(float u, float v), float u, float v, float steepness)
{
    const float step = 1 / 256.0f;
    float du = height(u + step, v) - height(u - step, v), dv = height(u, v + step) - height(u, v - step);
    struct vec3 n = v3_normal(v3(-du * steepness, -dv * steepness, 1));

    return color_rgba(n.x * 0.5f + 0.5f, n.y * 0.5f + 0.5f, n.z * 0.5f + 0.5f, 1);
}

static D3DCOLOR stone_normal(float u, float v)
{
    return normal_from(stone_height, u, v, 6.5f);
}

static D3DCOLOR soil_normal(float u, float v)
{
    return normal_from(soil_height, u, v, 5);
}

static D3DCOLOR cloud_texel(float u, float v)
{
    float n = fractal_noise(u * 4, v * 4, 4, 6);

    return color_rgba(n, n, n, 1);
}

struct textures textures_create(IDirect3DDevice9 *device)
{
    return (struct textures){
        .stone = make_texture(device, 256, stone_texel),
        .stone_normals = make_texture(device, 256, stone_normal),
        .soil = make_texture(device, 256, soil_texel),
        .soil_normals = make_texture(device, 256, soil_normal),
        .clouds = make_texture(device, 256, cloud_texel),
    };
}

void textures_destroy(struct textures *t)
{
    IDirect3DTexture9 *const all[] = {t->stone, t->stone_normals, t->soil, t->soil_normals, t->clouds};

    for (unsigned i = 0; i < COUNT(all); i++)
        IDirect3DTexture9_Release(all[i]);
}
