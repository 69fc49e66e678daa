/* SPDX-License-Identifier: MIT */
/*
 * The reflections of the courtyard: a cube map of the sky, the walls and the ground around its middle, in half floats.
 * Its levels are blurred by the lobe of the material's roughness, as the pixel shader looks them up: level 5 for
 * roughness 1.
 */
#include "examples/courtyard.h"

#include <string.h>

#define CUBE_SIZE   64
#define CUBE_LEVELS 7
#define ROUGHEST    5
#define RAYS        40

const struct vec3 courtyard_haze = {0.80f, 0.82f, 0.86f}, courtyard_zenith = {0.13f, 0.29f, 0.70f};
const struct vec3 courtyard_halo = {1.3f, 0.85f, 0.45f}, courtyard_sunlight = {5.6f, 4.3f, 2.9f};

struct vec3 courtyard_to_sun(void)
{
    return v3_normal(v3(-0.40f, 0.60f, -0.70f));
}

static struct vec3 mix(struct vec3 a, struct vec3 b, float t)
{
    return v3_add(v3_scale(a, 1 - t), v3_scale(b, t));
}

/* --- along a ray --------------------------------------------------------------------------------------- */

/* As examples/shaders/courtyard_sky.psa has it, without clouds. */
static struct vec3 sky(struct vec3 ray)
{
    float up = fmaxf(ray.y, 0), toward = fmaxf(v3_dot(ray, courtyard_to_sun()), 0);
    struct vec3 color = mix(courtyard_zenith, courtyard_haze, powf(1 - up, 4));

    return v3_add(color, v3_scale(courtyard_halo, powf(toward, 24)));
}

/* The arcade at a height, `along` metres from the middle of the wall: arches in front of a dark walk. */
static struct vec3 arcade(float along, float height, float sunlit)
{
    float bay = along / 3 - floorf(along / 3), opening = fabsf(bay - 0.5f) * 3;
    bool open = height < 3.2f ? opening < 1.2f : opening * opening + (height - 3.2f) * (height - 3.2f) < 1.16f;
    struct vec3 stone = v3(0.62f, 0.54f, 0.43f);

    if (height > 5.2f)
        stone = v3(0.42f, 0.2f, 0.13f);
    return open ? v3_scale(stone, 0.16f) : v3_scale(stone, 0.42f + 0.75f * sunlit);
}

/* Seen from above the fountain: the walls are at 9 m on three sides, the fourth is low. */
static struct vec3 surroundings(struct vec3 ray)
{
    const float eye = 2, wall = 9, tallest = 6.2f;
    float x = fmaxf(fabsf(ray.x), 1e-4f), z = fmaxf(fabsf(ray.z), 1e-4f), distance = wall / fmaxf(x, z);
    bool is_x = x > z, is_south = !is_x && ray.z < 0;
    float height = eye + ray.y * distance, along = (is_x ? ray.z : ray.x) * distance;
    float sunlit = is_x ? (ray.x > 0 ? 1 : 0) : (ray.z > 0 ? 0.9f : 0);

    if (height < 0)
        return v3_scale(v3(0.30f, 0.26f, 0.22f), ray.x < -0.6f ? 0.5f : 1.5f);
    if (is_south && height < 1.1f)
        return v3(0.2f, 0.17f, 0.14f);
    if (!is_south && height < tallest)
        return arcade(along, height, sunlit);
    return sky(ray);
}

/* --- cube map -------------------------------------------------------------------------------------------- */

static struct vec3 cube_ray(unsigned face, float u, float v)
{
    float s = 2 * u - 1, t = 1 - 2 * v;

    switch (face) {
    case D3DCUBEMAP_FACE_POSITIVE_X:
        return v3_normal(v3(1, t, -s));
    case D3DCUBEMAP_FACE_NEGATIVE_X:
        return v3_normal(v3(-1, t, s));
    case D3DCUBEMAP_FACE_POSITIVE_Y:
        return v3_normal(v3(s, 1, -t));
    case D3DCUBEMAP_FACE_NEGATIVE_Y:
        return v3_normal(v3(s, -1, t));
    case D3DCUBEMAP_FACE_POSITIVE_Z:
        return v3_normal(v3(s, t, 1));
    default:
        return v3_normal(v3(-s, t, -1));
    }
}

/* The bits of `i` reversed, as a fraction: together with i / count an even set of points in a square. */
static float mirrored_bits(unsigned i)
{
    float sum = 0;

    for (float part = 0.5f; i; i >>= 1, part /= 2)
        sum += i & 1 ? part : 0;
    return sum;
}

/* The mean of the reflections of a surface with this roughness, seen head on. */
static struct vec3 blurred(struct vec3 ray, float rough)
{
    struct vec3 side = v3_normal(v3_cross(fabsf(ray.y) < 0.9f ? v3(0, 1, 0) : v3(1, 0, 0), ray));
    struct vec3 up = v3_cross(ray, side), sum = {0, 0, 0};
    float a = rough * rough, weights = 0;

    for (unsigned i = 0; i < RAYS; i++) {
        float turn = 2 * pi * ((float)i + 0.5f) / RAYS, t = mirrored_bits(i);
        float c = sqrtf((1 - t) / (1 + (a * a - 1) * t)), s = sqrtf(1 - c * c);
        struct vec3 half =
            v3_add(v3_scale(ray, c), v3_add(v3_scale(side, s * cosf(turn)), v3_scale(up, s * sinf(turn))));
        struct vec3 to = v3_sub(v3_scale(half, 2 * c), ray);
        float weight = v3_dot(to, ray);

        if (weight > 0) {
            sum = v3_add(sum, v3_scale(surroundings(to), weight));
            weights += weight;
        }
    }
    return v3_scale(sum, 1 / weights);
}

/* Only for positive numbers of common size; the rest of the fraction is cut off. */
static uint16_t half_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits < 0x38800000 ? 0 : (uint16_t)((bits - 0x38000000) >> 13);
}

static void fill_face(IDirect3DCubeTexture9 *cube, unsigned face, unsigned level)
{
    const unsigned size = CUBE_SIZE >> level;
    D3DLOCKED_RECT locked;
    HRESULT result = IDirect3DCubeTexture9_LockRect(cube, (D3DCUBEMAP_FACES)face, level, &locked, NULL, 0);

    if (FAILED(result))
        fail("IDirect3DCubeTexture9::LockRect", result);
    for (unsigned y = 0; y < size; y++) {
        uint16_t *row = (uint16_t *)((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch);

        for (unsigned x = 0; x < size; x++) {
            struct vec3 ray = cube_ray(face, ((float)x + 0.5f) / (float)size, ((float)y + 0.5f) / (float)size);
            struct vec3 light = blurred(ray, fminf(((float)level + 0.25f) / ROUGHEST, 1));

            row[4 * x] = half_float(light.x);
            row[4 * x + 1] = half_float(light.y);
            row[4 * x + 2] = half_float(light.z);
            row[4 * x + 3] = half_float(1);
        }
    }
    IDirect3DCubeTexture9_UnlockRect(cube, (D3DCUBEMAP_FACES)face, level);
}

IDirect3DCubeTexture9 *courtyard_surroundings_create(IDirect3DDevice9 *device)
{
    IDirect3DCubeTexture9 *cube;
    HRESULT result = IDirect3DDevice9_CreateCubeTexture(device, CUBE_SIZE, CUBE_LEVELS, 0, D3DFMT_A16B16G16R16F,
                                                        D3DPOOL_MANAGED, &cube, NULL);

    if (FAILED(result))
        fail("CreateCubeTexture", result);
    for (unsigned face = 0; face < 6; face++)
        for (unsigned level = 0; level < CUBE_LEVELS; level++)
            fill_face(cube, face, level);
    return cube;
}
