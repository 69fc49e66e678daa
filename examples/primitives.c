/* SPDX-License-Identifier: MIT */
/*
 * Six windows, one for each primitive type of Direct3D, drawn from buffers and from the program's
 * own memory, with and without indices. The stencil buffer holds the shape of each window: what is
 * drawn inside one cannot leave it, and the woven background shows only between them.
 */
#include "examples/shapes.h"

#include <stdlib.h>
#include <string.h>

struct flat_vertex {
    float x, y, z, rhw;
    D3DCOLOR color;
};
#define FLAT_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)

#define STAR_COUNT   2600
#define STRING_COUNT 180 /* threads of the line list */
#define CURVE_POINTS 700
#define TORUS_U      120
#define TORUS_V      14
#define PETALS       9
#define PETAL_ROWS   3
#define FAN_POINTS   20
#define OUTLINE      40   /* corners of a window */
#define WAVE_STEPS   1024 /* of the table of cosines */

struct star {
    float radius, angle, height; /* the angle at rest */
    D3DCOLOR color;
};

static const float window_x[3] = {122, 320, 518}, window_y[2] = {132, 348}, window_radius = 90;

static struct {
    struct shape knot;
    IDirect3DVertexBuffer8 *rings;
    IDirect3DIndexBuffer8 *ring_indices;
    unsigned ring_triangles;
    float wave[WAVE_STEPS + 1];    /* one turn of the cosine */
    float outline[OUTLINE + 1][2]; /* a window of radius 1 */
    struct star stars[STAR_COUNT];
    float petal_radius[FAN_POINTS]; /* of a petal of length 1 */
    D3DCOLOR petal_color[PETAL_ROWS][FAN_POINTS];
} scene;

/* Thousands of angles a frame: from a table, as everything that stays the same is. */
static float wave(float angle)
{
    float turns = angle * (0.5f / pi), part = turns - (float)(int)turns, step;
    unsigned i;

    step = (part < 0 ? part + 1 : part) * WAVE_STEPS;
    i = (unsigned)step < WAVE_STEPS ? (unsigned)step : WAVE_STEPS - 1;
    return scene.wave[i] + (scene.wave[i + 1] - scene.wave[i]) * (step - (float)i);
}

static float wave_sin(float angle)
{
    return wave(angle - pi / 2);
}

static D3DCOLOR hue(float h, float brightness, float alpha)
{
    return color_rgba((0.5f + 0.5f * wave(h)) * brightness,
                      (0.5f + 0.5f * wave(h - 2.1f)) * brightness,
                      (0.5f + 0.5f * wave(h - 4.2f)) * brightness, alpha);
}

static struct flat_vertex flat(float x, float y, D3DCOLOR color)
{
    return (struct flat_vertex){x, y, 0.5f, 1, color};
}

static void set(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetRenderState(device, state, value);
}

/* --- contents of the windows ------------------------------------------------------------- */

static void create_stars(void)
{
    uint32_t seed = 1;

    for (unsigned i = 0; i < STAR_COUNT; i++) {
        struct star *star = &scene.stars[i];
        float r = powf(random_float(&seed), 0.75f), arm = floorf(random_float(&seed) * 3);
        float spread = (random_float(&seed) - 0.5f) * (random_float(&seed)) * 2.1f;

        star->radius = r;
        star->angle = arm * 2.094f + 4.6f * r + spread;
        star->height = (random_float(&seed) - 0.5f) * 0.10f;
        star->color = hue(0.9f + r * 3.6f, 1.25f - 0.5f * r, 1);
    }
}

/* 1: point list, DrawPrimitiveUP. A spiral galaxy, nearer stars in front. */
static void draw_points(IDirect3DDevice8 *device, float x, float y, float t)
{
    static struct flat_vertex v[STAR_COUNT];

    for (unsigned i = 0; i < STAR_COUNT; i++) {
        const struct star *star = &scene.stars[i];
        float a = star->angle - t * 0.5f / (0.35f + star->radius);
        float px = wave(a) * star->radius, py = wave_sin(a) * star->radius * 0.62f + star->height;

        v[i] = flat(x + px * 84, y + py * 84 + px * 22, star->color);
    }
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_POINTLIST, STAR_COUNT, v, sizeof(v[0]));
}

/* 2: line list, DrawIndexedPrimitiveUP. Threads between points that turn around a circle. */
static void draw_lines(IDirect3DDevice8 *device, float x, float y, float t)
{
    static struct flat_vertex v[STRING_COUNT];
    static uint16_t indices[STRING_COUNT * 2];
    float factor = 2 + t * 0.18f;

    for (unsigned i = 0; i < STRING_COUNT; i++) {
        float part = (float)i / STRING_COUNT, a = part * 2 * pi + 1.57f;
        float end = fmodf((float)i * factor, STRING_COUNT);

        v[i] = flat(x + wave(a) * 84, y + wave_sin(a) * 84, hue(part * 2 * pi + t, 1, 0.55f));
        indices[2 * i] = (uint16_t)i;
        indices[2 * i + 1] = (uint16_t)end;
    }
    IDirect3DDevice8_DrawIndexedPrimitiveUP(device, D3DPT_LINELIST, 0, STRING_COUNT, STRING_COUNT,
                                            indices, D3DFMT_INDEX16, v, sizeof(v[0]));
}

/* 3: line strip, DrawPrimitiveUP. Two pens on wheels inside wheels. */
static void draw_curve(IDirect3DDevice8 *device, float x, float y, float t)
{
    static struct flat_vertex v[CURVE_POINTS];

    for (unsigned pen = 0; pen < 2; pen++) {
        for (unsigned i = 0; i < CURVE_POINTS; i++) {
            float a = (float)i / (CURVE_POINTS - 1) * 2 * pi * (pen ? 5 : 3);
            float k = pen ? 8.0f / 5.0f : 11.0f / 3.0f, wheel = pen ? 0.44f : 0.33f;
            float px = wave(a + t * 0.2f) * (1 - wheel) + wave(a * k - t) * wheel;
            float py = wave_sin(a + t * 0.2f) * (1 - wheel) - wave_sin(a * k - t) * wheel;

            v[i] = flat(x + px * 82, y + py * 82,
                        hue(a * 0.4f + (pen ? 3 : 0) + t, pen ? 1.0f : 0.75f, pen ? 1 : 0.7f));
        }
        IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_LINESTRIP, CURVE_POINTS - 1, v,
                                         sizeof(v[0]));
    }
}

static void look_into_window(IDirect3DDevice8 *device, float x, float y, float distance)
{
    D3DMATRIX view = matrix_look_at(v3(0, 0, -distance), v3(0, 0, 0));
    D3DMATRIX projection = matrix_perspective(0.6f, 1, 1, 40);
    D3DVIEWPORT8 viewport = {(DWORD)(x - 96), (DWORD)(y - 96), 192, 192, 0, 1};

    IDirect3DDevice8_SetViewport(device, &viewport);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_ZENABLE, D3DZB_TRUE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set(device, D3DRS_ALPHABLENDENABLE, FALSE);
}

static void leave_window(IDirect3DDevice8 *device)
{
    D3DVIEWPORT8 viewport = {0, 0, VIEW_WIDTH, VIEW_HEIGHT, 0, 1};

    IDirect3DDevice8_SetViewport(device, &viewport);
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set(device, D3DRS_SPECULARENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice8_SetVertexShader(device, FLAT_FVF);
}

static struct vec3 knot_center(float a)
{
    float r = 1.55f + 0.62f * cosf(3 * a);

    return v3(r * cosf(2 * a), r * sinf(2 * a), 0.85f * sinf(3 * a));
}

static struct vec3 knot_surface(float u, float v)
{
    float a = 2 * pi * u, b = -2 * pi * v;
    struct vec3 center = knot_center(a);
    struct vec3 along = v3_normal(v3_sub(knot_center(a + 0.01f), center));
    struct vec3 side = v3_normal(v3_cross(along, v3_normal(v3(center.x, center.y, 0.3f))));
    struct vec3 up = v3_cross(side, along);

    return v3_add(center, v3_add(v3_scale(side, 0.36f * cosf(b)), v3_scale(up, 0.36f * sinf(b))));
}

/* 4: triangle list, DrawIndexedPrimitive. A lit trefoil knot. */
static void draw_knot(IDirect3DDevice8 *device, float x, float y, float t)
{
    D3DMATRIX tilt = matrix_rotation_x(0.5f + 0.3f * sinf(t)), turn = matrix_rotation_y(t * 0.7f);
    D3DMATRIX world = matrix_product(&tilt, &turn);

    look_into_window(device, x, y, 8.6f);
    use_material(device, (D3DCOLORVALUE){0.95f, 0.55f, 0.22f, 1}, 0.9f, 30);
    shape_draw(device, &scene.knot, &world);
    leave_window(device);
}

/* Rings of a torus, each a strip; joined by repeated indices into one. */
static void create_rings(IDirect3DDevice8 *device)
{
    static struct shape_vertex vertices[(TORUS_U + 1) * (TORUS_V + 1)];
    static uint16_t indices[TORUS_U * (2 * TORUS_V + 4)];
    unsigned count = 0;

    for (unsigned i = 0; i <= TORUS_U; i++) {
        for (unsigned k = 0; k <= TORUS_V; k++) {
            float a = (float)i * 2 * pi / TORUS_U, b = (float)k * 2 * pi / TORUS_V;
            float wave = 0.62f + 0.10f * sinf(a * 8);
            struct vec3 out = v3(cosf(a), 0, sinf(a));
            struct shape_vertex *v = &vertices[i * (TORUS_V + 1) + k];

            v->normal = v3_add(v3_scale(out, cosf(b)), v3(0, sinf(b), 0));
            v->position = v3_add(v3_scale(out, 1.5f), v3_scale(v->normal, wave));
            v->color = hue(a * 2 + b, 1, 1);
        }
    }
    for (unsigned i = 0; i < TORUS_U; i += 2) { /* every other one: a cage */
        unsigned first = i * (TORUS_V + 1);

        if (count)
            indices[count] = indices[count - 1], indices[count + 1] = (uint16_t)first, count += 2;
        for (unsigned k = 0; k <= TORUS_V; k++) {
            indices[count++] = (uint16_t)(first + k);
            indices[count++] = (uint16_t)(first + k + TORUS_V + 1);
        }
    }
    scene.rings = make_vertices(device, vertices, sizeof(vertices), SHAPE_FVF);
    scene.ring_indices = make_indices(device, indices, count);
    scene.ring_triangles = count - 2;
}

/* 5: triangle strip, DrawIndexedPrimitive. Both sides are seen. */
static void draw_rings(IDirect3DDevice8 *device, float x, float y, float t)
{
    D3DMATRIX tilt = matrix_rotation_x(-0.75f + 0.25f * sinf(t * 0.8f));
    D3DMATRIX turn = matrix_rotation_y(t * 0.6f), world = matrix_product(&turn, &tilt);

    look_into_window(device, x, y, 8.2f);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0.5f, 20);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, scene.rings, sizeof(struct shape_vertex));
    IDirect3DDevice8_SetIndices(device, scene.ring_indices, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0,
                                          (TORUS_U + 1) * (TORUS_V + 1), 0, scene.ring_triangles);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    leave_window(device);
}

static void create_petals(void)
{
    for (unsigned i = 0; i < FAN_POINTS; i++) {
        float part = (float)i / (FAN_POINTS - 1) * 2 - 1;

        scene.petal_radius[i] = powf(fmaxf(cosf(part * pi / 2), 0), 0.55f);
        for (unsigned row = 0; row < PETAL_ROWS; row++)
            scene.petal_color[row][i] = hue(4.9f + (float)row * 0.9f + 0.5f * part, 0.95f, 0.5f);
    }
}

/* 6: triangle fan, DrawPrimitiveUP. Blended petals in three rows. */
static void draw_petals(IDirect3DDevice8 *device, float x, float y, float t)
{
    struct flat_vertex v[FAN_POINTS + 1];

    for (unsigned row = 0; row < PETAL_ROWS; row++) {
        float length = 86 - 22 * (float)row, width = 0.36f + 0.05f * wave_sin(t + (float)row);

        v[0] = flat(x, y, hue(0.2f + (float)row * 0.5f, 1, 0.95f));
        for (unsigned petal = 0; petal < PETALS; petal++) {
            float middle = ((float)petal + (row & 1 ? 0.5f : 0)) * 2 * pi / PETALS + t * 0.25f;

            for (unsigned i = 0; i < FAN_POINTS; i++) {
                float part = (float)i / (FAN_POINTS - 1) * 2 - 1;
                float r = length * scene.petal_radius[i], a = middle + part * width;

                v[1 + i] = flat(x + r * wave(a), y + r * wave_sin(a), scene.petal_color[row][i]);
            }
            IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLEFAN, FAN_POINTS - 1, v,
                                             sizeof(v[0]));
        }
    }
}

/* --- frame ---------------------------------------------------------------------------------- */

/* x^4 + y^4 = 1, a rounded square; the points lie where it bends. */
static void create_outline(void)
{
    for (unsigned i = 0; i <= OUTLINE; i++) {
        float a = (float)i * 2 * pi / OUTLINE, c = cosf(a), s = sinf(a);

        scene.outline[i][0] = copysignf(sqrtf(fabsf(c)), c);
        scene.outline[i][1] = copysignf(sqrtf(fabsf(s)), s);
    }
}

static void draw_window_shape(IDirect3DDevice8 *device, float x, float y, D3DCOLOR center,
                              D3DCOLOR edge)
{
    struct flat_vertex v[OUTLINE + 2];

    v[0] = flat(x, y, center);
    for (unsigned i = 0; i <= OUTLINE; i++)
        v[1 + i] = flat(x + scene.outline[i][0] * window_radius,
                        y + scene.outline[i][1] * window_radius, edge);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLEFAN, OUTLINE, v, sizeof(v[0]));
}

/* Around the window, not under it: nothing is painted twice. */
static void draw_frame_shape(IDirect3DDevice8 *device, float x, float y, D3DCOLOR inner,
                             D3DCOLOR outer)
{
    struct flat_vertex v[2 * OUTLINE + 2];

    for (unsigned i = 0; i <= OUTLINE; i++) {
        const float *out = scene.outline[i];

        v[2 * i] = flat(x + out[0] * window_radius, y + out[1] * window_radius, inner);
        v[2 * i + 1] =
            flat(x + out[0] * (window_radius + 4), y + out[1] * (window_radius + 4), outer);
    }
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2 * OUTLINE, v, sizeof(v[0]));
}

static void draw_windows_into_stencil(IDirect3DDevice8 *device)
{
    set(device, D3DRS_STENCILENABLE, TRUE);
    set(device, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
    set(device, D3DRS_STENCILPASS, D3DSTENCILOP_REPLACE);
    for (unsigned i = 0; i < 6; i++) {
        float x = window_x[i % 3], y = window_y[i / 3];
        D3DCOLOR tint = hue((float)i * 1.05f + 3.4f, 0.30f, 1);

        set(device, D3DRS_STENCILREF, i + 1);
        draw_window_shape(device, x, y, tint, 0xff0c0d16);
    }
    set(device, D3DRS_STENCILREF, 7);
    for (unsigned i = 0; i < 6; i++)
        draw_frame_shape(device, window_x[i % 3], window_y[i / 3], 0xffac8d58, 0xffa98a54);
}

/* Bands over and under each other, only where no window is (stencil still 0). */
static void draw_background(IDirect3DDevice8 *device, float t)
{
    struct flat_vertex v[4];

    set(device, D3DRS_STENCILFUNC, D3DCMP_EQUAL);
    set(device, D3DRS_STENCILREF, 0);
    set(device, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
    v[0] = flat(0, 0, 0xff1a2438);
    v[1] = flat(VIEW_WIDTH, 0, 0xff263a56);
    v[2] = flat(0, VIEW_HEIGHT, 0xff331f38);
    v[3] = flat(VIEW_WIDTH, VIEW_HEIGHT, 0xff141826);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
    set(device, D3DRS_ALPHABLENDENABLE, TRUE);
    for (int i = -16; i < 24; i++) {
        float shift = (float)i * 42 + fmodf(t * 12, 42), lean = i & 1 ? 480.0f : -480.0f;
        float x = i & 1 ? shift : VIEW_WIDTH - shift;
        D3DCOLOR top = i & 1 ? 0x4a6f8fc0 : 0x4ac08f6f, bottom = top & 0x18ffffff;

        v[0] = flat(x, 0, top);
        v[1] = flat(x + 18, 0, bottom);
        v[2] = flat(x + lean, VIEW_HEIGHT, top);
        v[3] = flat(x + lean + 18, VIEW_HEIGHT, bottom);
        IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
    }
}

static void set_light(IDirect3DDevice8 *device)
{
    D3DLIGHT8 light = {0};

    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse = (D3DCOLORVALUE){1, 0.97f, 0.92f, 1};
    light.Specular = (D3DCOLORVALUE){1, 1, 1, 1};
    light.Direction = (D3DVECTOR){0.5f, -0.62f, 0.6f};
    IDirect3DDevice8_SetLight(device, 0, &light);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    set(device, D3DRS_AMBIENT, 0xff303648);
    set(device, D3DRS_NORMALIZENORMALS, TRUE);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_MATERIAL);
}

static bool create(IDirect3DDevice8 *device)
{
    static const struct surface knot = {.position = knot_surface, .columns = 100, .rows = 12};

    for (unsigned i = 0; i <= WAVE_STEPS; i++)
        scene.wave[i] = cosf((float)i * 2 * pi / WAVE_STEPS);
    create_outline();
    create_stars();
    create_petals();
    scene.knot = shape_create(device, &knot);
    create_rings(device);
    return true;
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    static void (*const contents[6])(IDirect3DDevice8 *, float, float, float) = {
        draw_points, draw_lines, draw_curve, draw_knot, draw_rings, draw_petals,
    };
    float t = 2.2f + (float)frame * 0.02f;

    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL,
                           0, 1, 0);
    set_light(device);
    use_texture(device, NULL, false);
    set(device, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    set(device, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    leave_window(device);
    set(device, D3DRS_ALPHABLENDENABLE, FALSE); /* what fills the screen is opaque */
    draw_windows_into_stencil(device);
    draw_background(device, t);
    for (unsigned i = 0; i < 6; i++) {
        set(device, D3DRS_STENCILREF, i + 1);
        contents[i](device, window_x[i % 3], window_y[i / 3], t);
    }
    set(device, D3DRS_STENCILENABLE, FALSE);
}

static void destroy(void)
{
    shape_destroy(&scene.knot);
    IDirect3DVertexBuffer8_Release(scene.rings);
    IDirect3DIndexBuffer8_Release(scene.ring_indices);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Primitives", create, draw, destroy};

    return example_run(&example, argc, argv);
}
