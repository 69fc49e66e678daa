/* SPDX-License-Identifier: MIT */
/*
 * The courtyard's materials. A texture is a function that returns height, colour and roughness at a place; normals are
 * slopes of the heights. Several materials share textures and differ in constants, so that draws sorted by material
 * change little from one to the next.
 */
#include "examples/courtyard.h"

#include <stdlib.h>

#define TEXTURE_SIZE 256

struct texel {
    float height, r, g, b, rough, hollow; /* colour as seen, 0..1; `hollow`: 1 where light comes in freely */
};

static float clamp01(float value)
{
    return fminf(fmaxf(value, 0), 1);
}

static float smooth(float low, float high, float value)
{
    float t = clamp01((value - low) / (high - low));

    return t * t * (3 - 2 * t);
}

static struct texel tinted(float height, float r, float g, float b, float shade, float rough)
{
    return (struct texel){height, r * shade, g * shade, b * shade, rough, 1};
}

/* A different number for each stone of a wall. */
static float stone_number(float column, float row)
{
    return noise2(column * 7.31f + 3.7f, row * 11.17f + 1.9f, 0);
}

/* 0 in the joints between stones, 1 on stones; `edge` is the width of a joint, in stones. */
static float joints(float x, float y, float edge_x, float edge_y)
{
    float fx = x - floorf(x), fy = y - floorf(y);
    float dx = fminf(fx, 1 - fx) / edge_x, dy = fminf(fy, 1 - fy) / edge_y;

    return smooth(0.35f, 1, fminf(dx, dy));
}

/* Courses of stones, every other course moved by half a stone. */
static struct texel stones(float u, float v, float columns, float rows, float joint)
{
    float y = v * rows, row = floorf(y), x = u * columns + (fmodf(row, 2) != 0 ? 0.5f : 0);
    float column = fmodf(floorf(x), columns), own = stone_number(column, row);
    float grain = fractal_noise(u * 24, v * 24, 24, 4), broad = fractal_noise(u * 6 + 3, v * 6, 6, 3);
    float on = joints(x, y, joint, joint * rows / columns), shade = (0.78f + 0.3f * own) * (0.72f + 0.45f * grain);
    struct texel t = tinted(0, 1, 1, 1, shade * (0.55f + 0.45f * on), 0);

    t.height = on * (0.55f + 0.25f * own) + 0.28f * grain + 0.12f * broad;
    t.rough = 0.78f + 0.3f * (broad - 0.5f) + 0.2f * (1 - on);
    t.hollow = 0.45f + 0.55f * on;
    return t;
}

static struct texel paving(float u, float v)
{
    struct texel t = stones(u, v, 3, 3, 0.022f);
    float worn = fractal_noise(u * 8, v * 8 + 3, 8, 4);

    t.rough = 0.38f + 0.65f * worn + 0.2f * (1 - t.hollow);
    t.r *= 0.60f, t.g *= 0.565f, t.b *= 0.52f;
    return t;
}

static struct texel masonry(float u, float v)
{
    struct texel t = stones(u, v, 4, 8, 0.03f);
    float warm = fractal_noise(u * 5, v * 5 + 1, 5, 3);

    t.r *= 0.80f, t.g *= 0.66f + 0.05f * warm, t.b *= 0.47f + 0.12f * warm;
    return t;
}

/* Fine grain, some pits, veins along ridges of noise. */
static struct texel limestone(float u, float v)
{
    float grain = fractal_noise(u * 16, v * 16, 16, 5), broad = fractal_noise(u * 4, v * 4, 4, 3);
    float vein = clamp01(1 - fabsf(fractal_noise(u * 5 + 0.4f * grain, v * 5, 5, 3) - 0.5f) * 22);
    float pit = clamp01((fractal_noise(u * 40, v * 40, 40, 2) - 0.66f) * 8);
    struct texel t = tinted(0, 0.86f, 0.80f, 0.70f, 0.84f + 0.24f * (grain - 0.5f) + 0.12f * broad - 0.12f * vein, 0);

    t.height = 0.3f * grain + 0.2f * broad - 0.35f * pit - 0.08f * vein;
    t.rough = 0.55f + 0.35f * (grain - 0.4f) + 0.3f * pit;
    t.hollow = 1 - 0.5f * pit;
    return t;
}

/* Half-round tiles in rows that overlap. */
static struct texel roof_tiles(float u, float v)
{
    float x = u * 9, y = v * 6, row = floorf(y), across = x - floorf(x) - 0.5f, along = y - row;
    float round = sqrtf(fmaxf(0.25f - across * across, 0)) * 2, own = stone_number(floorf(x), row);
    float grain = fractal_noise(u * 32, v * 32, 32, 3), lip = smooth(0, 0.12f, along);
    float shade = (0.6f + 0.5f * own) * (0.7f + 0.5f * grain) * (0.45f + 0.55f * round) * (0.6f + 0.4f * lip);
    struct texel t = tinted(0, 0.78f, 0.40f, 0.25f, shade, 0.75f);

    t.height = 2.2f * round + 0.9f * (1 - along) * lip + 0.1f * grain;
    t.hollow = 0.3f + 0.7f * round;
    return t;
}

/* Planks, with grain drawn out along them. */
static struct texel planks(float u, float v)
{
    float x = u * 4, plank = floorf(x), own = stone_number(plank, 3), fx = x - plank;
    float wave_of_grain = fractal_noise(u * 8 + own, v * 3 + plank * 5, 0, 3);
    float grain = fractal_noise(u * 64 + wave_of_grain * 5, v * 6, 0, 3);
    float on = smooth(0, 0.05f, fminf(fx, 1 - fx));
    struct texel t =
        tinted(0, 0.60f, 0.41f, 0.24f, (0.55f + 0.35f * own + 0.55f * (grain - 0.3f)) * (0.35f + 0.65f * on), 0);

    t.height = 0.7f * on + 0.3f * grain;
    t.rough = 0.55f + 0.3f * grain;
    t.hollow = 0.4f + 0.6f * on;
    return t;
}

/* Brushed metal with dents and smears. */
static struct texel metal(float u, float v)
{
    float brush = fractal_noise(u * 6, v * 96, 96, 2), smear = fractal_noise(u * 6, v * 6, 6, 5);
    float dent = fractal_noise(u * 10, v * 10, 10, 2);
    struct texel t = tinted(0.14f * dent + 0.012f * brush, 1, 1, 1, 0.86f + 0.2f * (smear - 0.4f), 0);

    t.rough = clamp01(0.3f + 1.1f * (smear - 0.36f) + 0.2f * (brush - 0.5f));
    return t;
}

static struct texel glaze(float u, float v)
{
    float run = fractal_noise(u * 8, v * 3, 24, 3), speck = clamp01((fractal_noise(u * 48, v * 48, 48, 2) - 0.68f) * 9);
    struct texel t = tinted(0.06f * run, 1, 1, 1, 0.7f + 0.5f * run - 0.3f * speck, 0.12f + 0.25f * run + 0.3f * speck);

    return t;
}

static struct texel ripples(float u, float v)
{
    float h = fractal_noise(u * 8, v * 8, 8, 3);

    return tinted(0.5f * h, 1, 1, 1, 1, 0.5f);
}

static struct texel earth(float u, float v)
{
    float h = fractal_noise(u * 12, v * 12, 12, 5), turf = smooth(0.42f, 0.6f, fractal_noise(u * 5 + 2, v * 5, 5, 4));
    float shade = 0.6f + 0.7f * h;
    struct texel t = tinted(h, 0.62f - 0.24f * turf, 0.53f - 0.10f * turf, 0.37f - 0.17f * turf, shade, 0.9f);

    return t;
}

/* The steepness of heights, for a texture 1 high and wide. */
static const struct {
    struct texel (*function)(float u, float v);
    float steepness;
} sets[TEXTURE_SETS] = {
    {earth, 0.012f},  {paving, 0.011f}, {masonry, 0.016f}, {limestone, 0.016f}, {roof_tiles, 0.022f},
    {planks, 0.012f}, {metal, 0.03f},   {glaze, 0.02f},    {ripples, 0.03f},
};

enum { EARTH, PAVING, MASONRY, LIMESTONE, TILES, PLANKS, METAL, GLAZE, RIPPLES };

static const struct {
    uint8_t set;
    float metal, rough_factor, rough_summand;
    struct vec3 color; /* linear, multiplied by the texture's */
    float glow;
} descriptions[MATERIAL_COUNT] = {
    [MATERIAL_EARTH] = {EARTH, 0, 1, 0, {1, 1, 1}, 0},
    [MATERIAL_PAVING] = {PAVING, 0, 1, 0, {1, 1, 1}, 0},
    [MATERIAL_MASONRY] = {MASONRY, 0, 1, 0, {1, 1, 1}, 0},
    [MATERIAL_LIMESTONE] = {LIMESTONE, 0, 1, 0, {1, 1, 1}, 0},
    [MATERIAL_TILES] = {TILES, 0, 1, 0, {1, 1, 1}, 0},
    [MATERIAL_WOOD] = {PLANKS, 0, 1, 0, {1, 1, 1}, 0},
    [MATERIAL_IRON] = {METAL, 1, 0.7f, 0.35f, {0.16f, 0.15f, 0.15f}, 0},
    [MATERIAL_GOLD] = {METAL, 1, 0.8f, 0.08f, {1.05f, 0.71f, 0.28f}, 0},
    [MATERIAL_COPPER] = {METAL, 1, 0.9f, 0.18f, {1.0f, 0.52f, 0.37f}, 0},
    [MATERIAL_STEEL] = {METAL, 1, 0.55f, 0.06f, {0.66f, 0.66f, 0.67f}, 0},
    [MATERIAL_RED_GLAZE] = {GLAZE, 0, 0.8f, 0.04f, {0.72f, 0.045f, 0.03f}, 0},
    [MATERIAL_BLUE_GLAZE] = {GLAZE, 0, 0.8f, 0.04f, {0.03f, 0.16f, 0.52f}, 0},
    [MATERIAL_CLAY] = {LIMESTONE, 0, 0.6f, 0.4f, {0.85f, 0.38f, 0.22f}, 0},
    [MATERIAL_LEAVES] = {EARTH, 0, 0.6f, 0.2f, {0.30f, 0.62f, 0.16f}, 0},
    [MATERIAL_WATER] = {RIPPLES, 0, 0, 0.05f, {0.015f, 0.06f, 0.07f}, 0},
    [MATERIAL_LAMP] = {GLAZE, 0, 1, 0, {1.0f, 0.55f, 0.2f}, 7},
    [MATERIAL_SPIRIT] = {GLAZE, 0, 1, 0, {0.08f, 0.5f, 1.0f}, 4},
};

/* Heights repeat, so the neighbour of the last texel is the first. */
static D3DCOLOR slope_texel(const struct texel *texels, unsigned x, unsigned y, float steepness)
{
    const unsigned mask = TEXTURE_SIZE - 1;
    const struct texel *row = texels + y * TEXTURE_SIZE;
    float du = row[(x + 1) & mask].height - row[(x - 1) & mask].height;
    float dv = texels[((y + 1) & mask) * TEXTURE_SIZE + x].height - texels[((y - 1) & mask) * TEXTURE_SIZE + x].height;
    float scale = steepness * TEXTURE_SIZE / 2;
    struct vec3 n = v3_normal(v3(-du * scale, -dv * scale, 1));

    return color_rgba(n.x * 0.5f + 0.5f, n.y * 0.5f + 0.5f, n.z * 0.5f + 0.5f, row[x].hollow);
}

static struct material_textures create_set(IDirect3DDevice9 *device, unsigned set, struct texel *texels,
                                           D3DCOLOR *colors)
{
    struct material_textures textures;

    for (unsigned i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++) {
        float u = ((float)(i % TEXTURE_SIZE) + 0.5f) / TEXTURE_SIZE,
              v = ((float)(i / TEXTURE_SIZE) + 0.5f) / TEXTURE_SIZE;

        texels[i] = sets[set].function(u, v);
        colors[i] = color_rgba(texels[i].r, texels[i].g, texels[i].b, texels[i].rough);
    }
    textures.colors = make_texture_of(device, TEXTURE_SIZE, colors);
    for (unsigned i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++)
        colors[i] = slope_texel(texels, i % TEXTURE_SIZE, i / TEXTURE_SIZE, sets[set].steepness);
    textures.normals = make_texture_of(device, TEXTURE_SIZE, colors);
    return textures;
}

static D3DCOLOR cloud_texel(float u, float v)
{
    float n = fractal_noise(u * 4, v * 4, 4, 5);

    return color_rgba(n, n, n, 1);
}

struct materials courtyard_materials_create(IDirect3DDevice9 *device)
{
    struct texel *texels = malloc(TEXTURE_SIZE * TEXTURE_SIZE * sizeof(*texels));
    D3DCOLOR *colors = malloc(TEXTURE_SIZE * TEXTURE_SIZE * sizeof(*colors));
    struct materials materials;

    if (!texels || !colors)
        fail("memory for textures", E_OUTOFMEMORY);
    for (unsigned i = 0; i < TEXTURE_SETS; i++)
        materials.textures[i] = create_set(device, i, texels, colors);
    materials.clouds = make_texture(device, 128, cloud_texel);
    free(texels);
    free(colors);
    return materials;
}

void courtyard_materials_destroy(struct materials *materials)
{
    for (unsigned i = 0; i < TEXTURE_SETS; i++) {
        IDirect3DTexture9_Release(materials->textures[i].colors);
        IDirect3DTexture9_Release(materials->textures[i].normals);
    }
    IDirect3DTexture9_Release(materials->clouds);
}

void courtyard_material_use(IDirect3DDevice9 *device, const struct materials *materials, enum material_name material)
{
    const struct material_textures *textures = &materials->textures[descriptions[material].set];

    IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)textures->colors);
    IDirect3DDevice9_SetTexture(device, 1, (IDirect3DBaseTexture9 *)textures->normals);
}

void courtyard_material_constants(IDirect3DDevice9 *device, enum material_name material, float light)
{
    struct vec3 color = descriptions[material].color;

    set_pixel_constant(device, 5, descriptions[material].metal, descriptions[material].rough_factor,
                       descriptions[material].rough_summand, light);
    set_pixel_constant(device, 6, color.x, color.y, color.z, descriptions[material].glow);
}
