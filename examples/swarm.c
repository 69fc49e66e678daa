/* SPDX-License-Identifier: MIT */
/*
 * Thousands of birds at dusk, two small triangles each, that follow each other along a slowly changing knot; they are
 * rewritten into a dynamic vertex buffer every frame. The knot, angles and colours come from tables: a program that
 * moves thousands of things has no time to compute sines for each.
 */
#include "examples/common.h"

#define BIRD_COUNT  4500
#define BATCH       1500 /* birds per draw call */
#define PATH_POINTS 1024
#define HUES        32 /* of the palette, from cold to warm */
#define LIGHTS      64 /* and from dark to bright */

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

/* Where the path leads, and how a bird lies there. */
struct place {
    struct vec3 here, ahead, side, up;
};

/* A bird: two wings that meet in the body's axis. */
enum { NOSE, TAIL, LEFT_TIP, RIGHT_TIP, CORNERS };
static const uint16_t wings[6] = {NOSE, RIGHT_TIP, TAIL, NOSE, LEFT_TIP, TAIL};

static struct {
    IDirect3DVertexBuffer8 *vertices;
    IDirect3DIndexBuffer8 *indices;
    struct bird birds[BIRD_COUNT];
    struct place path[PATH_POINTS + 1]; /* of the frame */
    D3DCOLOR wing[HUES][LIGHTS], body[HUES][LIGHTS];
} scene;

static float bell(uint32_t *seed)
{
    return random_float(seed) + random_float(seed) + random_float(seed) - 1.5f;
}

static void create_birds(void)
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
}

static void create_palette(void)
{
    for (unsigned hue = 0; hue < HUES; hue++) {
        for (unsigned light = 0; light < LIGHTS; light++) {
            float warm = (float)hue / (HUES - 1);
            D3DCOLOR color = color_mix(color_mix(0xff20104a, 0xff123a78, warm), color_mix(0xffff7a48, 0xfff8e6b8, warm),
                                       (float)light / (LIGHTS - 1));

            scene.wing[hue][light] = color;
            scene.body[hue][light] = color_mix(color, 0xff0a0818, 0.3f);
        }
    }
}

static bool create(IDirect3DDevice8 *device)
{
    static uint16_t indices[BATCH * COUNT(wings)];

    create_birds();
    create_palette();
    for (unsigned i = 0; i < COUNT(indices); i++)
        indices[i] = (uint16_t)(i / COUNT(wings) * CORNERS + wings[i % COUNT(wings)]);
    scene.indices = make_indices(device, indices, COUNT(indices));
    return SUCCEEDED(IDirect3DDevice8_CreateVertexBuffer(device, BATCH * CORNERS * sizeof(struct vertex),
                                                         D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, VERTEX_FVF,
                                                         D3DPOOL_DEFAULT, &scene.vertices));
}

static void destroy(void)
{
    IDirect3DVertexBuffer8_Release(scene.vertices);
    IDirect3DIndexBuffer8_Release(scene.indices);
}

static struct vec3 path(float turn, float t)
{
    float a = turn * 2 * pi;
    float r = 6.6f + 3.0f * wave(5 * a + t * 0.3f);

    return v3(r * wave(2 * a), 2.6f * wave_sin(5 * a + t * 0.3f) + 1.2f * wave_sin(3 * a + t), r * wave_sin(2 * a));
}

/* Birds interpolate between points, of which there are fewer than birds. */
static void lay_path(float t)
{
    for (unsigned i = 0; i < PATH_POINTS; i++)
        scene.path[i].here = path((float)i / PATH_POINTS, t);
    scene.path[PATH_POINTS].here = scene.path[0].here;
    for (unsigned i = 0; i < PATH_POINTS; i++) {
        struct place *place = &scene.path[i];
        struct vec3 next = path(((float)i + PATH_POINTS * 0.004f) / PATH_POINTS, t);

        place->ahead = v3_normal(v3_sub(next, place->here));
        place->side = v3_normal(v3_cross(v3(0, 1, 0), place->ahead));
        place->up = v3_cross(place->ahead, place->side);
    }
    scene.path[PATH_POINTS] = scene.path[0];
}

static struct vec3 between(struct vec3 a, struct vec3 b, float t)
{
    return v3_add(a, v3_scale(v3_sub(b, a), t));
}

static struct place place_at(float turn)
{
    float step = (turn - (float)(int)turn) * PATH_POINTS;
    unsigned i = (unsigned)step < PATH_POINTS ? (unsigned)step : PATH_POINTS - 1;
    const struct place *from = &scene.path[i], *to = from + 1;
    float t = step - (float)i;

    return (struct place){between(from->here, to->here, t), between(from->ahead, to->ahead, t),
                          between(from->side, to->side, t), between(from->up, to->up, t)};
}

/* Quantizes 0..1 to the given number of steps. */
static unsigned step_of(float part, unsigned steps)
{
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return (unsigned)(part * (float)(steps - 1) + 0.5f);
}

static void put_corner(struct vertex *out, struct vec3 p, D3DCOLOR color)
{
    *out = (struct vertex){p.x, p.y, p.z, color};
}

static void put_bird(struct vertex *out, const struct bird *bird, unsigned frame)
{
    float turn = bird->phase + bird->speed * (float)frame;
    float swirl = turn * 40 + bird->flap, c = wave(swirl), s = wave_sin(swirl);
    struct place place = place_at(turn);
    float lift = 0.075f * wave_sin((float)frame * 0.35f + bird->flap);
    struct vec3 p = v3_add(place.here, v3(bird->offset.x * c - bird->offset.z * s, bird->offset.y,
                                          bird->offset.x * s + bird->offset.z * c));
    struct vec3 raised = v3_add(p, v3_scale(place.up, lift + 0.02f));
    struct vec3 side = v3_scale(place.side, 0.17f);
    float warm = 0.5f + 0.5f * wave_sin(turn * 4 * pi + bird->offset.y * 0.7f);
    float light = 0.5f + 0.5f * v3_dot(place.up, v3(-0.5f, 0.6f, 0.62f)) + lift * 4;
    unsigned hue = step_of(warm, HUES), bright = step_of(light, LIGHTS);
    D3DCOLOR wing = scene.wing[hue][bright], body = scene.body[hue][bright];

    put_corner(&out[NOSE], v3_add(p, v3_scale(place.ahead, 0.11f)), body);
    put_corner(&out[TAIL], v3_sub(p, v3_scale(place.ahead, 0.07f)), body);
    put_corner(&out[LEFT_TIP], v3_sub(raised, side), wing);
    put_corner(&out[RIGHT_TIP], v3_add(raised, side), wing);
}

static void draw_birds(IDirect3DDevice8 *device, unsigned first, unsigned frame)
{
    BYTE *memory;

    if (FAILED(IDirect3DVertexBuffer8_Lock(scene.vertices, 0, 0, &memory, D3DLOCK_DISCARD)))
        return;
    for (unsigned i = 0; i < BATCH; i++)
        put_bird((struct vertex *)memory + CORNERS * i, &scene.birds[first + i], frame);
    IDirect3DVertexBuffer8_Unlock(scene.vertices);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, BATCH * CORNERS, 0, BATCH * 2);
}

/* Dusk, as bands of colour across the whole view, without depth. */
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
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2 * COUNT(bands) - 2, v, sizeof(v[0]));
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
    IDirect3DDevice8_SetIndices(device, scene.indices, 0);
    lay_path((float)frame * 0.01f);
    for (unsigned first = 0; first < BIRD_COUNT; first += BATCH)
        draw_birds(device, first, frame);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Swarm", create, draw, destroy};

    return example_run(&example, argc, argv);
}
