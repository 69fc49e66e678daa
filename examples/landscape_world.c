/* SPDX-License-Identifier: MIT */
/* The landscape's textures and shapes, all of them functions. */
#include "examples/landscape.h"

#include <stdlib.h>
#include <string.h>

#define TERRAIN_CELLS 36 /* a side */

static const float floor_radius = 12, floor_hole = 2.4f, water_level = -0.9f, world_size = 120;

/* --- textures ------------------------------------------------------------------------ */

static float height_at(float x, float z)
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
    D3DCOLOR stone = dark ? color_mix(0xff5b4c4a, 0xff83695b, vein * vein)
                          : color_mix(0xffd8cdbb, 0xfff1e8d8, vein * vein);

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
    float light = r < 1 ? powf(1 - r, 2.2f) + (r < 0.16f ? 0.5f : 0) : 0;

    return color_rgba(light, light, light, light);
}

/* A cypress: alpha says where leaves are. */
static D3DCOLOR leaf_texel(float u, float v)
{
    float x = fabsf(u * 2 - 1), up = 1 - v;
    float width =
        up < 0.08f ? 0.09f : 0.62f * powf(sinf(pi * powf((up - 0.06f) / 0.96f, 0.62f)), 0.8f);
    float n = fractal_noise(u * 20, v * 34, 0, 3);
    D3DCOLOR color = up < 0.08f ? 0x4a3a2a : color_mix(0x1f3118, 0x63803a, n * 1.5f - 0.25f);

    return (color & 0xffffff) | (x < width * (0.62f + 0.5f * n) ? 0xff000000 : 0);
}

static D3DCOLOR sky_color(struct vec3 direction)
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

/* --- shapes ----------------------------------------------------------------------------- */

static struct vec3 sky_surface(float u, float v)
{
    float a = 2 * pi * u, up = pi / 2 * (v * 1.08f - 0.08f);

    return v3(cosf(a) * cosf(up), sinf(up), sinf(a) * cosf(up));
}

static D3DCOLOR sky_paint(struct vec3 position)
{
    return sky_color(position);
}

static struct vec3 cloud_surface(float u, float v)
{
    float x = u * 2 - 1, z = v * 2 - 1;

    return v3(x * 260, 46 - 30 * (x * x + z * z), z * 260);
}

static D3DCOLOR cloud_paint(struct vec3 p)
{
    float r = sqrtf(p.x * p.x + p.z * p.z) / 250;
    D3DCOLOR lit = color_mix(0x00ffffff, 0x00ffd9b0, r);

    return lit | (D3DCOLOR)(fmaxf(1 - r * r, 0) * 235) << 24;
}

static struct vec3 terrain_surface(float u, float v)
{
    float x = (u - 0.5f) * 2 * world_size, z = (v - 0.5f) * 2 * world_size;

    return v3(x, height_at(x, z), z);
}

static struct vec3 water_surface(float u, float v)
{
    return v3((u - 0.5f) * 200, water_level, (v - 0.5f) * 200);
}

/* Not where the steps stand on it. */
static struct vec3 floor_surface(float u, float v)
{
    float r = floor_radius + (floor_hole - floor_radius) * v;

    return v3(r * cosf(2 * pi * u), 0, r * sinf(2 * pi * u));
}

static struct vec3 rim_surface(float u, float v)
{
    float r = floor_radius + 0.35f - 0.35f * v * v;

    return v3(r * cosf(2 * pi * u), v * 3 - 3, r * sinf(2 * pi * u));
}

static struct vec3 steps_surface(float u, float v)
{
    static const float profile[5][2] = {
        {2.6f, 0}, {2.6f, 0.3f}, {2.1f, 0.3f}, {2.1f, 0.6f}, {0, 0.6f}};
    float t = v * 4;
    int i = t >= 4 ? 3 : (int)t;
    float r = profile[i][0] + (profile[i + 1][0] - profile[i][0]) * (t - (float)i);
    float y = profile[i][1] + (profile[i + 1][1] - profile[i][1]) * (t - (float)i);

    return v3(r * cosf(2 * pi * u), y, r * sinf(2 * pi * u));
}

/* Fluted, slightly swelling shaft between a round base and a flared capital. */
static struct vec3 column_surface(float u, float v)
{
    float a = 2 * pi * u, y = v * 5.2f, r = 0.46f - 0.07f * v + 0.03f * sinf(pi * v);

    if (v < 0.07f)
        r += 0.20f * cosf(v / 0.07f * pi / 2);
    else if (v > 0.92f)
        r += 0.32f * (v - 0.92f) / 0.08f;
    else
        r -= 0.05f * fabsf(cosf(a * 4));
    return v3(r * cosf(a), y, r * sinf(a));
}

static struct vec3 ring_surface(float u, float v)
{
    static const float profile[6][2] = {{9.3f, 0},      {10.7f, 0},    {10.7f, 0.75f},
                                        {11.1f, 1.05f}, {9.3f, 1.05f}, {9.3f, 0}};
    float t = v * 5;
    int i = t >= 5 ? 4 : (int)t;
    float r = profile[i][0] + (profile[i + 1][0] - profile[i][0]) * (t - (float)i);
    float y = profile[i][1] + (profile[i + 1][1] - profile[i][1]) * (t - (float)i);

    return v3(r * cosf(2 * pi * u), y + 5.2f, r * sinf(2 * pi * u));
}

static struct vec3 sphere_surface(float u, float v)
{
    float a = -2 * pi * u, polar = pi * v;

    return v3(cosf(a) * sinf(polar), cosf(polar), sinf(a) * sinf(polar));
}

static struct vec3 pedestal_surface(float u, float v)
{
    float r = 0.35f + 0.5f * powf(fabsf(v * 2 - 1), 3);

    return v3(r * cosf(2 * pi * u), 0.6f + v * 1.3f, r * sinf(2 * pi * u));
}

static void put_tree(struct shape_vertex *out, float x, float z, float size)
{
    static const float corners[6][2] = {{-1, 0}, {-1, 1}, {1, 0}, {1, 0}, {-1, 1}, {1, 1}};
    float y = height_at(x, z) - 0.15f;

    for (unsigned i = 0; i < 12; i++) {
        float along = corners[i % 6][0] * size * 0.36f, up = corners[i % 6][1];

        out[i].position =
            v3(x + (i < 6 ? along : 0), y + up * size * 1.7f, z + (i < 6 ? 0 : along));
        out[i].normal = v3_normal(v3_add(v3_normal(sun), v3(0, 0.9f, 0)));
        out[i].color = 0xffffffff;
        out[i].u = corners[i % 6][0] * 0.5f + 0.5f;
        out[i].v = 1 - up;
    }
}

static IDirect3DVertexBuffer8 *plant_trees(IDirect3DDevice8 *device)
{
    static struct shape_vertex vertices[TREE_COUNT * 12];
    uint32_t seed = 7;

    for (unsigned i = 0; i < TREE_COUNT;) {
        float a = random_float(&seed) * 2 * pi, r = 30 + 45 * random_float(&seed);
        float x = r * cosf(a), z = r * sinf(a), h = height_at(x, z);
        float size = 1.6f + 2.0f * random_float(&seed);

        if (h > 0 && h < 8 && noise2(x * 0.12f, z * 0.12f, 0) > 0.45f)
            put_tree(vertices + 12 * i++, x, z, size);
    }
    return make_vertices(device, vertices, sizeof(vertices), SHAPE_FVF);
}

/* Cells that lie under water to the back: what is drawn of them needs no detail. Returns the
 * others' triangles. */
static unsigned sort_terrain(IDirect3DDevice8 *device, struct shape *terrain, unsigned cells)
{
    unsigned count[2] = {0, 0}, quads = cells * cells;
    uint16_t *indices = calloc(quads * 12, sizeof(*indices)),
             *part[2] = {indices, indices + quads * 6};

    if (!indices)
        fail("memory for the terrain", E_OUTOFMEMORY);
    shape_fill_indices(cells, cells, indices);
    for (unsigned quad = 0; quad < quads; quad++) {
        uint16_t corner[6];
        bool wet = true;

        memcpy(corner, indices + quad * 6, sizeof(corner));
        for (unsigned i = 0; i < 6; i++) {
            struct vec3 p = terrain_surface((float)(corner[i] % (cells + 1)) / (float)cells,
                                            (float)(corner[i] / (cells + 1)) / (float)cells);

            wet = wet && p.y < water_level;
        }
        memcpy(part[wet] + count[wet], corner, sizeof(corner));
        count[wet] += 6;
    }
    memmove(indices + count[0], part[1], count[1] * sizeof(*indices));
    IDirect3DIndexBuffer8_Release(terrain->indices);
    terrain->indices = make_indices(device, indices, quads * 6);
    free(indices);
    return count[0] / 3;
}

struct world world_create(IDirect3DDevice8 *device)
{
    struct world world;
    const struct {
        struct shape *shape;
        struct surface surface;
    } shapes[] = {
        {&world.sky, {sky_surface, sky_paint, 32, 10, 1, 1, 0}},
        {&world.clouds, {cloud_surface, cloud_paint, 12, 12, 5, 5, 0}},
        {&world.terrain, {terrain_surface, NULL, TERRAIN_CELLS, TERRAIN_CELLS, 1, 1, 0}},
        {&world.water, {water_surface, NULL, 8, 8, 28, 28, 0}},
        {&world.floor, {floor_surface, NULL, 48, 5, 1, 1, 0.25f}},
        {&world.floor_outline, {floor_surface, NULL, 48, 1, 1, 1, 0}},
        {&world.rim, {rim_surface, NULL, 48, 2, 20, 1, 0}},
        {&world.column, {column_surface, NULL, 12, 7, 1, 3, 0}},
        {&world.ring, {ring_surface, NULL, 40, 5, 12, 1, 0}},
        {&world.steps, {steps_surface, NULL, 32, 8, 6, 1, 0}},
        {&world.sphere, {sphere_surface, NULL, 20, 12, 1, 1, 0}},
        {&world.pedestal, {pedestal_surface, NULL, 20, 8, 2, 1, 0}},
    };
    const struct {
        IDirect3DTexture8 **texture;
        unsigned size;
        texel_function texel;
    } textures[] = {
        {&world.ground, 512, ground_texel}, {&world.detail, 128, detail_texel},
        {&world.tiles, 256, tile_texel},    {&world.marble, 256, marble_texel},
        {&world.cloud, 256, cloud_texel},   {&world.wave, 256, wave_texel},
        {&world.glow, 64, glow_texel},      {&world.leaves, 128, leaf_texel},
        {&world.mirror, 256, mirror_texel},
    };

    for (unsigned i = 0; i < COUNT(shapes); i++)
        *shapes[i].shape = shape_create(device, &shapes[i].surface);
    world.dry_triangles = sort_terrain(device, &world.terrain, TERRAIN_CELLS);
    world.trees = plant_trees(device);
    for (unsigned i = 0; i < COUNT(textures); i++)
        *textures[i].texture = make_texture(device, textures[i].size, textures[i].texel);
    return world;
}

void world_destroy(struct world *world)
{
    struct shape *const shapes[] = {&world->sky,   &world->clouds, &world->terrain,
                                    &world->water, &world->floor,  &world->floor_outline,
                                    &world->rim,   &world->column, &world->ring,
                                    &world->steps, &world->sphere, &world->pedestal};
    IDirect3DTexture8 *const textures[] = {world->ground, world->detail, world->tiles,
                                           world->marble, world->cloud,  world->wave,
                                           world->glow,   world->leaves, world->mirror};

    for (unsigned i = 0; i < COUNT(shapes); i++)
        shape_destroy(shapes[i]);
    for (unsigned i = 0; i < COUNT(textures); i++)
        IDirect3DTexture8_Release(textures[i]);
    IDirect3DVertexBuffer8_Release(world->trees);
}
