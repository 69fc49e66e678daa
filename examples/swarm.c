/* SPDX-License-Identifier: MIT */
/*
 * Thousands of birds at dusk, two small triangles each, that follow one another along a slowly
 * changing knot; rewritten into a dynamic vertex buffer every frame.
 */
#include "examples/common.h"

#include <stdlib.h>
#include <string.h>

#define BIRD_COUNT 4500
#define BATCH      1500 /* birds per draw call */

struct vertex {
    float x, y, z;
    D3DCOLOR color;
};
#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE)

struct bird {
    float phase, speed; /* along the path, in turns, and turns per frame */
    float flap;         /* phase of the wings */
    struct vec3 offset; /* from the path */
};

static struct {
    IDirect3DVertexBuffer8 *vertices;
    struct bird birds[BIRD_COUNT];
} scene;

static float bell(uint32_t *seed)
{
    return random_float(seed) + random_float(seed) + random_float(seed) - 1.5f;
}

static bool create(IDirect3DDevice8 *device)
{
    uint32_t seed = 3;

    for (unsigned i = 0; i < BIRD_COUNT; i++) {
        struct bird *bird = &scene.birds[i];
        float spread = 0.5f + 2.6f * random_float(&seed) * random_float(&seed);

        bird->phase = random_float(&seed);
        bird->speed = 0.00045f + 0.0002f * random_float(&seed);
        bird->flap = random_float(&seed) * 2 * pi;
        bird->offset = v3(bell(&seed) * spread, bell(&seed) * spread * 0.7f, bell(&seed) * spread);
    }
    return SUCCEEDED(IDirect3DDevice8_CreateVertexBuffer(
        device, BATCH * 6 * sizeof(struct vertex), D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
        VERTEX_FVF, D3DPOOL_DEFAULT, &scene.vertices));
}

static void destroy(void)
{
    IDirect3DVertexBuffer8_Release(scene.vertices);
}

static struct vec3 path(float turn, float t)
{
    float a = turn * 2 * pi;
    float r = 6.6f + 3.0f * cosf(5 * a + t * 0.3f);

    return v3(r * cosf(2 * a), 2.6f * sinf(5 * a + t * 0.3f) + 1.2f * sinf(3 * a + t),
              r * sinf(2 * a));
}

/* Two wings that meet in the body's axis. */
static void put_bird(struct vertex *out, const struct bird *bird, unsigned frame)
{
    float t = (float)frame * 0.01f, turn = bird->phase + bird->speed * (float)frame;
    float swirl = turn * 40 + bird->flap, c = cosf(swirl), s = sinf(swirl);
    struct vec3 here = path(turn, t), ahead = v3_normal(v3_sub(path(turn + 0.004f, t), here));
    struct vec3 side = v3_normal(v3_cross(v3(0, 1, 0), ahead)), up = v3_cross(ahead, side);
    float lift = 0.075f * sinf((float)frame * 0.35f + bird->flap);
    struct vec3 p = v3_add(here, v3(bird->offset.x * c - bird->offset.z * s, bird->offset.y,
                                    bird->offset.x * s + bird->offset.z * c));
    struct vec3 nose = v3_add(p, v3_scale(ahead, 0.11f));
    struct vec3 tail = v3_sub(p, v3_scale(ahead, 0.07f));
    float warm = 0.5f + 0.5f * sinf(turn * 4 * pi + bird->offset.y * 0.7f);
    float light = 0.5f + 0.5f * v3_dot(up, v3(-0.5f, 0.6f, 0.62f));
    D3DCOLOR color = color_mix(color_mix(0xff20104a, 0xff123a78, warm),
                               color_mix(0xffff7a48, 0xfff8e6b8, warm), light + lift * 4);

    for (unsigned wing = 0; wing < 2; wing++) {
        struct vec3 tip =
            v3_add(v3_add(p, v3_scale(side, wing ? -0.17f : 0.17f)), v3_scale(up, lift + 0.02f));
        const struct vec3 corners[3] = {nose, tip, tail};

        for (unsigned i = 0; i < 3; i++)
            *out++ = (struct vertex){corners[i].x, corners[i].y, corners[i].z,
                                     i == 1 ? color : color_mix(color, 0xff0a0818, 0.3f)};
    }
}

static void draw_birds(IDirect3DDevice8 *device, unsigned first, unsigned frame)
{
    BYTE *memory;

    if (FAILED(IDirect3DVertexBuffer8_Lock(scene.vertices, 0, 0, &memory, D3DLOCK_DISCARD)))
        return;
    for (unsigned i = 0; i < BATCH; i++)
        put_bird((struct vertex *)memory + 6 * i, &scene.birds[first + i], frame);
    IDirect3DVertexBuffer8_Unlock(scene.vertices);
    IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, BATCH * 2);
}

/* Dusk, as bands of colour right across the view, without depth. */
static void draw_sky(IDirect3DDevice8 *device)
{
    static const struct {
        float y;
        D3DCOLOR color;
    } bands[] = {
        {0, 0xff10163a},   {150, 0xff3a2a66}, {265, 0xffa04a6a}, {335, 0xfff08a5a},
        {372, 0xffffd08a}, {376, 0xff5a3550}, {480, 0xff150e22},
    };
    struct {
        float x, y, z, rhw;
        D3DCOLOR color;
    } v[2 * COUNT(bands)];

    for (unsigned i = 0; i < 2 * COUNT(bands); i++) {
        v[i].x = i & 1 ? VIEW_WIDTH : 0;
        v[i].y = bands[i / 2].y;
        v[i].z = v[i].rhw = 1;
        v[i].color = bands[i / 2].color;
    }
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2 * COUNT(bands) - 2, v,
                                     sizeof(v[0]));
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE);
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    float a = 0.8f + (float)frame * 0.003f;
    struct vec3 eye = v3(cosf(a) * 15, -1.6f + sinf((float)frame * 0.007f), sinf(a) * 15);
    D3DMATRIX world = matrix_identity(), view = matrix_look_at(eye, v3(0, 0.6f, 0));
    D3DMATRIX projection = matrix_perspective(0.95f, 4.0f / 3.0f, 0.3f, 100);

    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1, 0);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    use_texture(device, NULL, false);
    draw_sky(device);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, scene.vertices, sizeof(struct vertex));
    for (unsigned first = 0; first < BIRD_COUNT; first += BATCH)
        draw_birds(device, first, frame);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Swarm", create, draw, destroy};

    return example_run(&example, argc, argv);
}
