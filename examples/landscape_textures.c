/* SPDX-License-Identifier: MIT */
/* The landscape's textures, all of them functions. */
#include "examples/landscape.h"

float height_at(float x, float z)
{
    float r = sqrtf(x * x + z * z);
    float rise = fminf(fmaxf((r - 27) / 50, 0), 1);
    float hills = fractal_noise(x * 0.034f + 40, z * 0.034f + 40, 0, 5);

    return -3.0f + rise * (1.5f + 44 * hills * hills * rise) + 2 * hills;
}

static D3DCOLOR ground_texel(float u, float v)
{
    float x = (u - 0.5f) * 2 * world_size, z = (v - 0.5f) * 2 * world_size;
    float h = height_at(x, z);
    float slope = fabsf(height_at(x + 1, z) - h) + fabsf(height_at(x, z + 1) - h);
    float patch = fractal_noise(u * 40, v * 40, 0, 3);
    D3DCOLOR color = color_mix(0xff56672c, 0xff8b8a45, patch * 1.6f - 0.3f);

    color = color_mix(0xffc9b083, color, (h + 0.6f) * 0.9f);
    color = color_mix(color, 0xff85786c, (slope - 0.55f) * 2.2f);
    return color_mix(color, 0xfff4f1f0, (h - 13 - 5 * patch) * 0.35f);
}

static D3DCOLOR detail_texel(float u, float v)
{
    float n = 0.32f + 0.36f * fractal_noise(u * 16, v * 16, 16, 4);

    return color_rgba(n, n, n, 1);
}

/* Light and dark marble squares with a worn joint between them. */
static D3DCOLOR tile_texel(float u, float v)
{
    float x = u * 2 - floorf(u * 2), y = v * 2 - floorf(v * 2);
    float edge = fminf(fminf(x, 1 - x), fminf(y, 1 - y));
    float vein = sinf((u + v) * 2 * pi + 7 * fractal_noise(u * 6, v * 6, 6, 5));
    bool dark = ((int)(u * 2) + (int)(v * 2)) & 1;
    D3DCOLOR stone =
        dark ? color_mix(0xff5b4c4a, 0xff83695b, vein * vein) : color_mix(0xffd8cdbb, 0xfff1e8d8, vein * vein);

    return edge < 0.018f ? 0xff6a5f55 : stone;
}

static D3DCOLOR marble_texel(float u, float v)
{
    float vein = fabsf(sinf(2 * pi * u + 9 * fractal_noise(u * 4, v * 4, 4, 5)));

    return color_mix(0xffb5a48f, 0xfffbf3e4, powf(vein, 0.35f));
}

static D3DCOLOR cloud_texel(float u, float v)
{
    float n = fractal_noise(u * 5, v * 5, 5, 6);
    float density = fminf(fmaxf((n - 0.46f) * 3.6f, 0), 1);

    return color_mix(0x00fff0e0, 0xf0fffaf2, density);
}

static D3DCOLOR wave_texel(float u, float v)
{
    float n = fractal_noise(u * 8, v * 8, 8, 4);
    float ridge = 1 - fabsf(n - 0.5f) * 4;

    return color_mix(0xff6f7f88, 0xffc8d2d4, ridge);
}

static D3DCOLOR glow_texel(float u, float v)
{
    float x = u * 2 - 1, y = v * 2 - 1, r = sqrtf(x * x + y * y);
    float light = r < 1 ? powf(1 - r, 1.36f) + (r < 0.24f ? 0.5f : 0) : 0;

    return color_rgba(light, light, light, light);
}

/* A cypress: alpha says where leaves are. */
static D3DCOLOR leaf_texel(float u, float v)
{
    float x = fabsf(u * 2 - 1), up = 1 - v;
    float width = up < 0.08f ? 0.09f : 0.62f * powf(sinf(pi * powf((up - 0.06f) / 0.96f, 0.62f)), 0.8f);
    float n = fractal_noise(u * 20, v * 34, 0, 3);
    D3DCOLOR color = up < 0.08f ? 0x4a3a2a : color_mix(0x1f3118, 0x63803a, n * 1.5f - 0.25f);

    return (color & 0xffffff) | (x < width * (0.62f + 0.5f * n) ? 0xff000000 : 0);
}

D3DCOLOR sky_color(struct vec3 direction)
{
    float up = fmaxf(direction.y, 0);
    float facing = fmaxf(v3_dot(v3_normal(direction), v3_normal(sun)), 0);
    D3DCOLOR color = color_mix(haze, 0xff7fa0c4, powf(up, 0.5f) * 1.25f);

    color = color_mix(color, 0xff2f5694, up * 1.35f - 0.25f);
    color = color_mix(color, 0xffffc27a, powf(facing, 7) * 0.85f);
    return color_mix(color, 0xfffff4d8, powf(facing, 90));
}

/* The surroundings on a sphere map: the texture is the unit disc of reflection vectors. */
static D3DCOLOR mirror_texel(float u, float v)
{
    float x = u * 2 - 1, y = 1 - v * 2;
    float z = sqrtf(fmaxf(1 - x * x - y * y, 0));
    D3DCOLOR lake = color_mix(0xff5a4632, 0xff2c3440, -y * 1.5f);
    D3DCOLOR sky = sky_color(v3(x * 0.8f, y, z * 0.4f + 0.3f));

    return y > 0.02f ? sky : color_mix(haze, lake, -y * 6 + 0.3f);
}

/* --- all of them ------------------------------------------------------------------------- */

struct textures textures_create(IDirect3DDevice8 *device)
{
    struct textures t;
    const struct {
        IDirect3DTexture8 **texture;
        unsigned size;
        texel_function texel;
    } all[] = {
        {&t.ground, 512, ground_texel}, {&t.detail, 128, detail_texel}, {&t.tiles, 256, tile_texel},
        {&t.marble, 256, marble_texel}, {&t.cloud, 128, cloud_texel},   {&t.wave, 256, wave_texel},
        {&t.glow, 64, glow_texel},      {&t.leaves, 128, leaf_texel},   {&t.mirror, 128, mirror_texel},
    };

    for (unsigned i = 0; i < COUNT(all); i++)
        *all[i].texture = make_texture(device, all[i].size, all[i].texel);
    return t;
}

void textures_destroy(struct textures *t)
{
    IDirect3DTexture8 *const all[] = {t->ground, t->detail, t->tiles,  t->marble, t->cloud,
                                      t->wave,   t->glow,   t->leaves, t->mirror};

    for (unsigned i = 0; i < COUNT(all); i++)
        IDirect3DTexture8_Release(all[i]);
}
