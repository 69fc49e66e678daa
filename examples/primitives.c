/* SPDX-License-Identifier: MIT */
/*
 * Six windows, one for each primitive type of Direct3D, drawn from buffers and from the program's
 * own memory, with and without indices. The stencil buffer holds the shapes of the windows and of
 * their frames: the knot, which is larger than its window, cannot leave it, and the woven
 * background shows only between them.
 *
 * It is made for a software driver: tests
 * and blending are on only where they decide about a pixel, and meshes are as fine as their
 * windows show.
 */
#include "examples/shapes.h"

#include <stdlib.h>
#include <string.h>

struct flat_vertex {
    float x, y, z, rhw;
    D3DCOLOR color;
};
#define FLAT_FVF         (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)

#define STAR_COUNT       1700
#define STRING_COUNT     140 /* threads of the line list */
#define CURVE_POINTS     360
#define TORUS_U          104
#define TORUS_V          10
#define PETALS           9
#define PETAL_ROWS       3
#define FAN_POINTS       13
#define WINDOWS          6
#define OUTLINE          24 /* corners of a window */
#define OUTLINE_POINTS   (3 * OUTLINE + 1)
#define INSIDE_TRIANGLES (WINDOWS * OUTLINE)
#define GLOW_TRIANGLES   (WINDOWS * OUTLINE / 3)
#define FRAME_TRIANGLES  (2 * WINDOWS * OUTLINE)

/* Stencil values; 0 is the background. */
enum { INSIDE = 1, FRAME = 2 };

/* Bands of the background and the steps between them, in pixels along x. */
#define BAND_STEP  84
#define BAND_WIDTH 18
#define LINES_U    34 /* edges of the bands that fall to the right: x - y is the same along one */
#define LINES_V    32 /* to the left: x + y is */
#define MAX_CELLS  ((LINES_U - 1) * (LINES_V - 1))

struct star {
    float radius, angle, height; /* the angle at rest */
    D3DCOLOR color;
};

static const float window_x[3] = {122, 320, 518}, window_y[2] = {132, 348}, window_radius = 90, glow_radius = 68,
                   frame_width = 4;
static const D3DCOLOR dark = 0xff0c0d16; /* in windows */

static struct {
    struct shape knot;
    IDirect3DVertexBuffer8 *rings;
    IDirect3DIndexBuffer8 *ring_indices;
    unsigned ring_triangles;
    IDirect3DVertexBuffer8 *windows;
    IDirect3DIndexBuffer8 *window_indices; /* of the insides, the glows and the frames */
    struct star stars[STAR_COUNT];
    float petal_radius[FAN_POINTS]; /* of a petal of length 1 */
    D3DCOLOR petal_color[PETAL_ROWS][FAN_POINTS];
} scene;

static D3DCOLOR hue(float h, float brightness, float alpha)
{
    return color_rgba((0.5f + 0.5f * wave(h)) * brightness, (0.5f + 0.5f * wave(h - 2.1f)) * brightness,
                      (0.5f + 0.5f * wave(h - 4.2f)) * brightness, alpha);
}

static struct flat_vertex flat(float x, float y, D3DCOLOR color)
{
    return (struct flat_vertex){x, y, 0.5f, 1, color};
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

/* 1: point list, DrawPrimitiveUP. A spiral galaxy. */
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

        v[i] = flat(x + wave(a) * 84, y + wave_sin(a) * 84, hue(part * 2 * pi + t, 0.76f, 1));
        indices[2 * i] = (uint16_t)i;
        indices[2 * i + 1] = (uint16_t)end;
    }
    IDirect3DDevice8_DrawIndexedPrimitiveUP(device, D3DPT_LINELIST, 0, STRING_COUNT, STRING_COUNT, indices,
                                            D3DFMT_INDEX16, v, sizeof(v[0]));
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

            v[i] = flat(x + px * 82, y + py * 82, hue(a * 0.4f + (pen ? 3 : 0) + t, pen ? 1.0f : 0.58f, 1));
        }
        IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_LINESTRIP, CURVE_POINTS - 1, v, sizeof(v[0]));
    }
}

/* Its viewport clips what is far outside of a window. */
static void look_into_window(IDirect3DDevice8 *device, float x, float y, float distance)
{
    D3DMATRIX view = matrix_look_at(v3(0, 0, -distance), v3(0, 0, 0));
    D3DVIEWPORT8 viewport = {(DWORD)(x - 96), (DWORD)(y - 96), 192, 192, 0, 1};

    IDirect3DDevice8_SetViewport(device, &viewport);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
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

/* 4: triangle list, DrawIndexedPrimitive. A lit trefoil knot, closed: its far side is culled. */
static void draw_knot(IDirect3DDevice8 *device, float x, float y, float t)
{
    D3DMATRIX tilt = matrix_rotation_x(0.5f + 0.3f * sinf(t)), turn = matrix_rotation_y(t * 0.7f);
    D3DMATRIX world = matrix_product(&tilt, &turn);

    look_into_window(device, x, y, 8.6f);
    use_material(device, (D3DCOLORVALUE){0.95f, 0.55f, 0.22f, 1}, 0.9f, 30);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set_stencil(device, D3DCMP_EQUAL, INSIDE, D3DSTENCILOP_KEEP);
    shape_draw(device, &scene.knot, &world);
    set(device, D3DRS_STENCILENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
}

/* Rings of a torus, each a strip; joined by repeated indices into one. */
static void create_rings(IDirect3DDevice8 *device)
{
    static struct shape_vertex vertices[TORUS_U * TORUS_V];
    static uint16_t indices[TORUS_U * (TORUS_V + 3)];
    unsigned count = 0;

    for (unsigned i = 0; i < TORUS_U; i++) {
        for (unsigned k = 0; k < TORUS_V; k++) {
            float a = (float)i * 2 * pi / TORUS_U, b = (float)k * 2 * pi / TORUS_V;
            float wave = 0.62f + 0.10f * sinf(a * 8);
            struct vec3 out = v3(cosf(a), 0, sinf(a));
            struct shape_vertex *v = &vertices[i * TORUS_V + k];

            v->normal = v3_add(v3_scale(out, cosf(b)), v3(0, sinf(b), 0));
            v->position = v3_add(v3_scale(out, 1.5f), v3_scale(v->normal, wave));
            v->color = hue(a * 2 + b, 1, 1);
        }
    }
    for (unsigned i = 0; i < TORUS_U; i += 2) { /* every other one: a cage */
        unsigned first = i * TORUS_V;

        if (count)
            indices[count] = indices[count - 1], indices[count + 1] = (uint16_t)first, count += 2;
        for (unsigned k = 0; k <= TORUS_V; k++) {
            indices[count++] = (uint16_t)(first + k % TORUS_V);
            indices[count++] = (uint16_t)(first + k % TORUS_V + TORUS_V);
        }
    }
    scene.rings = make_vertices(device, vertices, sizeof(vertices), SHAPE_FVF);
    scene.ring_indices = make_indices(device, indices, count);
    scene.ring_triangles = count - 2;
}

/* 5: triangle strip, DrawIndexedPrimitive. Both sides are visible. */
static void draw_rings(IDirect3DDevice8 *device, float x, float y, float t)
{
    D3DMATRIX tilt = matrix_rotation_x(-0.75f + 0.25f * sinf(t * 0.8f));
    D3DMATRIX turn = matrix_rotation_y(t * 0.6f), world = matrix_product(&turn, &tilt);

    look_into_window(device, x, y, 8.2f);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0.5f, 20);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, scene.rings, sizeof(struct shape_vertex));
    IDirect3DDevice8_SetIndices(device, scene.ring_indices, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0, TORUS_U * TORUS_V, 0, scene.ring_triangles);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
}

static void create_petals(void)
{
    for (unsigned i = 0; i < FAN_POINTS; i++) {
        float part = (float)i / (FAN_POINTS - 1) * 2 - 1;

        scene.petal_radius[i] = powf(fmaxf(cosf(part * pi / 2), 0), 0.55f);
        for (unsigned row = 0; row < PETAL_ROWS; row++)
            scene.petal_color[row][i] =
                hue(4.9f + (float)row * 0.9f + 0.5f * part, row ? 0.95f : 0.49f, row ? 0.5f : 1);
    }
}

/* 6: triangle fan, DrawPrimitiveUP. Petals in three rows, the upper ones blended with the lower; the lowest row lies
 * only on the dark window and is as dark as if it were blended with it. */
static void draw_petals(IDirect3DDevice8 *device, float x, float y, float t)
{
    struct flat_vertex v[FAN_POINTS + 1];

    for (unsigned row = 0; row < PETAL_ROWS; row++) {
        float length = 86 - 22 * (float)row, width = 0.36f + 0.05f * wave_sin(t + (float)row);

        set(device, D3DRS_ALPHABLENDENABLE, row > 0);
        v[0] = flat(x, y, hue(0.2f + (float)row * 0.5f, 1, 0.95f));
        for (unsigned petal = 0; petal < PETALS; petal++) {
            float middle = ((float)petal + (row & 1 ? 0.5f : 0)) * 2 * pi / PETALS + t * 0.25f;

            for (unsigned i = 0; i < FAN_POINTS; i++) {
                float part = (float)i / (FAN_POINTS - 1) * 2 - 1;
                float r = length * scene.petal_radius[i], a = middle + part * width;

                v[1 + i] = flat(x + r * wave(a), y + r * wave_sin(a), scene.petal_color[row][i]);
            }
            IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLEFAN, FAN_POINTS - 1, v, sizeof(v[0]));
        }
    }
    set(device, D3DRS_ALPHABLENDENABLE, FALSE);
}

/* --- windows and background -------------------------------------------------------------- */

/* Point k of the outline of a window of that radius, x^4 + y^4 = 1: a rounded square; the points
 * lie where it bends. */
static struct flat_vertex outline(unsigned window, unsigned k, float radius, D3DCOLOR color)
{
    float a = (float)k * 2 * pi / OUTLINE, c = cosf(a), s = sinf(a);

    return flat(window_x[window % 3] + copysignf(sqrtf(fabsf(c)), c) * radius,
                window_y[window / 3] + copysignf(sqrtf(fabsf(s)), s) * radius, color);
}

static uint16_t *triangle_indices(uint16_t *to, unsigned a, unsigned b, unsigned c)
{
    to[0] = (uint16_t)a, to[1] = (uint16_t)b, to[2] = (uint16_t)c;
    return to + 3;
}

/* The windows never move: one list of triangles has all insides, one the glows in the middle of the windows, with every
 * third point, and one the frames. */
static void create_windows(IDirect3DDevice8 *device)
{
    static struct flat_vertex vertices[WINDOWS * OUTLINE_POINTS];
    static uint16_t indices[3 * (INSIDE_TRIANGLES + GLOW_TRIANGLES + FRAME_TRIANGLES)];
    uint16_t *inside = indices, *glow = inside + 3 * INSIDE_TRIANGLES;
    uint16_t *frame = glow + 3 * GLOW_TRIANGLES;

    for (unsigned i = 0; i < WINDOWS; i++) {
        unsigned center = i * OUTLINE_POINTS, first = center + 1;

        vertices[center] = flat(window_x[i % 3], window_y[i / 3], hue((float)i * 1.05f + 3.4f, 0.30f, 1));
        for (unsigned k = 0; k < OUTLINE; k++) {
            unsigned at = first + 3 * k, next = first + 3 * ((k + 1) % OUTLINE);

            vertices[at] = outline(i, k, glow_radius, dark);
            vertices[at + 1] = outline(i, k, window_radius, 0xffac8d58);
            vertices[at + 2] = outline(i, k, window_radius + frame_width, 0xffa98a54);
            inside = triangle_indices(inside, center, at + 1, next + 1);
            if (k % 3 == 0)
                glow = triangle_indices(glow, center, at, first + 3 * ((k + 3) % OUTLINE));
            frame = triangle_indices(frame, at + 1, at + 2, next + 1);
            frame = triangle_indices(frame, next + 1, at + 2, next + 2);
        }
    }
    scene.windows = make_vertices(device, vertices, sizeof(vertices), FLAT_FVF);
    scene.window_indices = make_indices(device, indices, COUNT(indices));
}

static void draw_window_part(IDirect3DDevice8 *device, unsigned first, unsigned triangles)
{
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, WINDOWS * OUTLINE_POINTS, first * 3,
                                          triangles);
}

/* A window has the colour that the screen was cleared to, so only its stencil is written. The glow in its middle is far
 * from its edge and needs no stencil. */
static void draw_windows(IDirect3DDevice8 *device)
{
    IDirect3DDevice8_SetStreamSource(device, 0, scene.windows, sizeof(struct flat_vertex));
    IDirect3DDevice8_SetIndices(device, scene.window_indices, 0);
    draw_window_part(device, INSIDE_TRIANGLES, GLOW_TRIANGLES);
    set_stencil(device, D3DCMP_ALWAYS, INSIDE, D3DSTENCILOP_REPLACE);
    set(device, D3DRS_COLORWRITEENABLE, 0);
    draw_window_part(device, 0, INSIDE_TRIANGLES);
    set(device, D3DRS_COLORWRITEENABLE, 15);
    set(device, D3DRS_STENCILREF, FRAME);
    draw_window_part(device, INSIDE_TRIANGLES + GLOW_TRIANGLES, FRAME_TRIANGLES);
}

struct cell {
    float u[2], v[2]; /* x - y, x + y */
    bool band_u, band_v, u_above;
};

struct cells {
    struct flat_vertex vertices[4 * MAX_CELLS];
    uint16_t indices[6 * MAX_CELLS];
    unsigned count;
};

enum cell_place { HIDDEN, AT_EDGE, FREE };

/* Hidden: outside of the screen, or with all corners in one window, and therefore entirely inside, because windows are
 * convex. At an edge: the stencil must tell which part is visible. */
static enum cell_place find_cell(const struct cell *cell)
{
    float x = (cell->u[0] + cell->u[1] + cell->v[0] + cell->v[1]) / 4, y = x - (cell->u[0] + cell->u[1]) / 2;
    float reach = (cell->u[1] - cell->u[0] + cell->v[1] - cell->v[0]) / 4;

    if (fabsf(x - VIEW_WIDTH / 2) > VIEW_WIDTH / 2 + reach || fabsf(y - VIEW_HEIGHT / 2) > VIEW_HEIGHT / 2 + reach)
        return HIDDEN;
    for (unsigned i = 0; i < WINDOWS; i++) {
        float dx = x - window_x[i % 3], dy = y - window_y[i / 3];
        float border = window_radius + frame_width + 1 + reach;
        unsigned inside = 0;

        if (fabsf(dx) > border || fabsf(dy) > border)
            continue;
        for (unsigned k = 0; k < 4; k++) {
            float u = cell->u[k & 1], v = cell->v[k >> 1];
            float cx = ((u + v) / 2 - window_x[i % 3]) / window_radius;
            float cy = ((v - u) / 2 - window_y[i / 3]) / window_radius;

            inside += cx * cx * cx * cx + cy * cy * cy * cy < 1;
        }
        return inside == 4 ? HIDDEN : AT_EDGE;
    }
    return FREE;
}

static struct vec3 mix(struct vec3 a, struct vec3 b, float t)
{
    return v3_add(v3_scale(a, 1 - t), v3_scale(b, t));
}

static struct vec3 rgb(D3DCOLOR color)
{
    return v3((float)(color >> 16 & 255), (float)(color >> 8 & 255), (float)(color & 255));
}

/* The colour of a strip of two triangles with these colours at the corners of the screen. */
static const D3DCOLOR ground[4] = {0xff1a2438, 0xff263a56, 0xff331f38, 0xff141826};

static struct vec3 ground_color(float x, float y)
{
    float s = x / VIEW_WIDTH, t = y / VIEW_HEIGHT;
    bool below = s + t > 1;
    struct vec3 corner = rgb(ground[below ? 3 : 0]);
    float to_right = below ? 1 - t : s, to_bottom = below ? 1 - s : t;

    return v3_add(v3_scale(corner, 1 - to_right - to_bottom),
                  v3_add(v3_scale(rgb(ground[1]), to_right), v3_scale(rgb(ground[2]), to_bottom)));
}

/* Bands let the ground shine through, more so towards their right edges, and pass over and under each other: at a
 * corner of a cell the result is one opaque colour. */
static struct flat_vertex cell_corner(const struct cell *cell, unsigned k)
{
    const struct vec3 color_u = {0x6f, 0x8f, 0xc0}, color_v = {0xc0, 0x8f, 0x6f};
    const float dense[2] = {0.29f, 0.03f};
    float u = cell->u[k & 1], v = cell->v[k >> 1], x = (u + v) / 2, y = (v - u) / 2;
    struct vec3 c = ground_color(x, y);

    if (cell->band_u && !cell->u_above)
        c = mix(c, color_u, dense[k & 1]);
    if (cell->band_v)
        c = mix(c, color_v, dense[k >> 1]);
    if (cell->band_u && cell->u_above)
        c = mix(c, color_u, dense[k & 1]);
    return flat(x, y, color_rgba(c.x / 255, c.y / 255, c.z / 255, 1));
}

static void draw_cells(IDirect3DDevice8 *device, const struct cells *cells)
{
    IDirect3DDevice8_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 4 * cells->count, 2 * cells->count,
                                            cells->indices, D3DFMT_INDEX16, cells->vertices,
                                            sizeof(cells->vertices[0]));
}

/* Edges of bands from beyond one side of the screen to beyond the other; the right ones are odd. */
static float line_u(unsigned i, float shift)
{
    return (float)(i / 2 * BAND_STEP) + (i & 1 ? BAND_WIDTH : 0) + shift - 630;
}

static float line_v(unsigned i, float shift)
{
    return (float)(i / 2 * BAND_STEP) + (i & 1 ? BAND_WIDTH : 0) - shift - 32;
}

static void draw_ground(IDirect3DDevice8 *device)
{
    struct flat_vertex v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = flat(i & 1 ? VIEW_WIDTH : 0, i & 2 ? VIEW_HEIGHT : 0, ground[i]);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
}

/*
 * Woven bands, outside of the windows. They cut each other into cells with opaque colours, which are blended at the
 * cells' corners instead of at every pixel. The ground lies under everything: painting it as two triangles costs less
 * than cutting it into the parts visible between bands.
 */
static void draw_background(IDirect3DDevice8 *device, float t)
{
    static struct cells at_edges, free_ones;
    float shift = fmodf(t * 12, BAND_STEP);

    at_edges.count = free_ones.count = 0;
    for (unsigned i = 0; i < (LINES_U - 1) * (LINES_V - 1); i++) {
        unsigned l = i % (LINES_U - 1), m = i / (LINES_U - 1);
        struct cell cell = {{line_u(l, shift), line_u(l + 1, shift)},
                            {line_v(m, shift), line_v(m + 1, shift)},
                            !(l & 1),
                            !(m & 1),
                            (l / 2 + m / 2) & 1};
        enum cell_place place = find_cell(&cell);
        struct cells *cells = place == AT_EDGE ? &at_edges : &free_ones;
        unsigned first = 4 * cells->count;

        if (place == HIDDEN || (!cell.band_u && !cell.band_v))
            continue;
        for (unsigned k = 0; k < 4; k++)
            cells->vertices[first + k] = cell_corner(&cell, k);
        triangle_indices(&cells->indices[6 * cells->count], first, first + 1, first + 2);
        triangle_indices(&cells->indices[6 * cells->count + 3], first + 2, first + 1, first + 3);
        cells->count++;
    }
    set_stencil(device, D3DCMP_EQUAL, 0, D3DSTENCILOP_KEEP);
    draw_ground(device);
    draw_cells(device, &at_edges);
    set(device, D3DRS_STENCILENABLE, FALSE);
    draw_cells(device, &free_ones);
}

/* --- frame ------------------------------------------------------------------------------- */

static void create_light(IDirect3DDevice8 *device)
{
    D3DLIGHT8 light = {0};

    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse = (D3DCOLORVALUE){1, 0.97f, 0.92f, 1};
    light.Specular = (D3DCOLORVALUE){1, 1, 1, 1};
    light.Direction = (D3DVECTOR){0.5f, -0.62f, 0.6f};
    IDirect3DDevice8_SetLight(device, 0, &light);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_AMBIENT, 0xff303648);
    set(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    set(device, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_MATERIAL);
}

static bool create(IDirect3DDevice8 *device)
{
    D3DMATRIX projection = matrix_perspective(0.6f, 1, 1, 40);
    static const struct surface knot = {.position = knot_surface, .columns = 64, .rows = 10};

    create_windows(device);
    create_stars();
    create_petals();
    scene.knot = shape_create(device, &knot);
    create_rings(device);
    create_light(device);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
    use_texture(device, NULL, false);
    set(device, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    set(device, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    return true;
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    const D3DVIEWPORT8 screen = {0, 0, VIEW_WIDTH, VIEW_HEIGHT, 0, 1};
    float t = 2.2f + (float)frame * 0.02f;

    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, dark, 1, 0);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    IDirect3DDevice8_SetVertexShader(device, FLAT_FVF);
    draw_windows(device);
    draw_background(device, t);
    draw_points(device, window_x[0], window_y[0], t);
    draw_lines(device, window_x[1], window_y[0], t);
    draw_curve(device, window_x[2], window_y[0], t);
    draw_petals(device, window_x[2], window_y[1], t);
    set(device, D3DRS_ZENABLE, D3DZB_TRUE);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    draw_knot(device, window_x[0], window_y[1], t);
    draw_rings(device, window_x[1], window_y[1], t);
    set(device, D3DRS_SPECULARENABLE, FALSE);
    IDirect3DDevice8_SetViewport(device, &screen);
}

static void destroy(void)
{
    shape_destroy(&scene.knot);
    IDirect3DVertexBuffer8_Release(scene.rings);
    IDirect3DIndexBuffer8_Release(scene.ring_indices);
    IDirect3DVertexBuffer8_Release(scene.windows);
    IDirect3DIndexBuffer8_Release(scene.window_indices);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Primitives", create, draw, destroy};

    return example_run(&example, argc, argv);
}
