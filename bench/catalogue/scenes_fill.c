/* SPDX-License-Identifier: MIT */
/* Scenes dominated by pixels: layers over the whole target, with depth, textures and stages; a clear. */
#include "bench/catalogue/types.h"

#define LAYERS 8

/* A strip of four vertices per layer; `depth`: of the left edge, for the first and for the last layer. */
static void create_layers(struct canvas *canvas, float first_depth, float last_depth)
{
    struct vertex_screen v[LAYERS][4];

    for (unsigned layer = 0; layer < LAYERS; layer++) {
        float part = (float)layer / (LAYERS - 1), depth = first_depth + (last_depth - first_depth) * part;
        float turn = 0.3f + 0.1f * (float)layer, c = cosf(turn) * 0.8f / 256, s = sinf(turn) * 0.8f / 256;

        for (unsigned i = 0; i < 4; i++) {
            float x = i & 1 ? (float)canvas->width : 0, y = i & 2 ? (float)canvas->height : 0;

            v[layer][i] = (struct vertex_screen){
                x - 0.5f,
                y - 0.5f,
                depth + (i & 1 ? 0.05f : 0),
                1,
                color_rgba(i & 1 ? 1 : 0.5f, i & 2 ? 1 : 0.4f + 0.5f * part, i == 3 ? 0.5f : 1 - 0.5f * part, 1),
                x * c - y * s,
                x * s + y * c};
        }
    }
    canvas->calls->use_vertices(canvas, canvas->calls->create_vertices(canvas, v, sizeof(v), VERTEX_SCREEN_FVF),
                                sizeof(v[0][0]));
    canvas->calls->use_format(canvas, VERTEX_SCREEN_FVF);
}

static void draw_layers(struct canvas *canvas)
{
    for (unsigned layer = 0; layer < LAYERS; layer++)
        canvas->calls->draw(canvas, D3DPT_TRIANGLESTRIP, 4 * layer, 2);
}

void empty_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff204060, frame);
}

/* --- colour and depth --------------------------------------------------------------------- */

void gouraud_create(struct canvas *canvas)
{
    create_layers(canvas, 0.5f, 0.5f);
}

void gouraud_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff000000, frame);
    draw_layers(canvas);
}

void front_to_back_create(struct canvas *canvas)
{
    canvas->calls->state(canvas, D3DRS_ZENABLE, TRUE);
    create_layers(canvas, 0.1f, 0.8f);
}

void back_to_front_create(struct canvas *canvas)
{
    canvas->calls->state(canvas, D3DRS_ZENABLE, TRUE);
    create_layers(canvas, 0.8f, 0.1f);
}

/* --- one texture ------------------------------------------------------------------------------ */

static void create_textured(struct canvas *canvas, uint32_t format, canvas_fill fill)
{
    canvas_filter(canvas, 0, D3DTEXF_LINEAR, D3DTEXF_NONE);
    canvas_stage(canvas, 0, D3DTOP_MODULATE, canvas->calls->create_texture(canvas, format, 256, 1, fill));
    create_layers(canvas, 0.5f, 0.5f);
}

void bilinear_create(struct canvas *canvas)
{
    create_textured(canvas, D3DFMT_A8R8G8B8, fill_marble);
}

void dxt1_create(struct canvas *canvas)
{
    create_textured(canvas, D3DFMT_DXT1, fill_marble_dxt1);
}

void dxt5_create(struct canvas *canvas)
{
    create_textured(canvas, D3DFMT_DXT5, fill_marble_dxt5);
}

void textured_draw(struct canvas *canvas, unsigned frame)
{
    gouraud_draw(canvas, frame);
}

/* --- floor and ceiling ---------------------------------------------------------------------------- */

struct vertex_hall {
    struct vec3 place;
    D3DCOLOR color;
    float u, v;
};
#define VERTEX_HALL_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1)

void hall_create(struct canvas *canvas)
{
    static const float near_z = 0.2f, far_z = 150, side = 150;
    struct vertex_hall v[LAYERS][2][4];
    D3DMATRIX one = matrix_identity();
    D3DMATRIX projection = matrix_perspective(1.0f, (float)canvas->width / (float)canvas->height, 0.1f, 200);

    for (unsigned layer = 0; layer < LAYERS; layer++) {
        for (unsigned i = 0; i < 8; i++) {
            float x = i & 1 ? side : -side, z = i & 2 ? far_z : near_z, part = (float)layer / LAYERS;

            v[layer][i / 4][i % 4] = (struct vertex_hall){
                v3(x, i < 4 ? -1 : 1, z), color_rgba(i < 4 ? 1 : 0.6f, 0.5f + 0.5f * part, 1 - 0.4f * part, 1),
                0.3f * x + part, 0.3f * z + part};
        }
    }
    canvas->calls->transform(canvas, D3DTS_WORLD, &one.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_VIEW, &one.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_PROJECTION, &projection.m[0][0]);
    canvas_filter(canvas, 0, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    canvas_stage(canvas, 0, D3DTOP_MODULATE,
                 canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 512, 10, fill_marble));
    canvas->calls->use_vertices(canvas, canvas->calls->create_vertices(canvas, v, sizeof(v), VERTEX_HALL_FVF),
                                sizeof(v[0][0][0]));
    canvas->calls->use_format(canvas, VERTEX_HALL_FVF);
}

void hall_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff000000, frame);
    for (unsigned i = 0; i < 2 * LAYERS; i++)
        canvas->calls->draw(canvas, D3DPT_TRIANGLESTRIP, 4 * i, 2);
}

/* --- two stages --------------------------------------------------------------------------------------- */

struct vertex_stages {
    float x, y, z, rhw;
    D3DCOLOR color;
    float first[2], second[2]; /* coordinates */
};
#define VERTEX_STAGES_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX2)

void stages_create(struct canvas *canvas)
{
    struct vertex_stages v[LAYERS][4];

    for (unsigned layer = 0; layer < LAYERS; layer++) {
        for (unsigned i = 0; i < 4; i++) {
            float x = i & 1 ? (float)canvas->width : 0, y = i & 2 ? (float)canvas->height : 0;
            float step = (0.7f + 0.02f * (float)layer) / 256;

            v[layer][i] = (struct vertex_stages){x - 0.5f,
                                                 y - 0.5f,
                                                 0.5f,
                                                 1,
                                                 0xff404858 + 0x030201 * layer + (i & 1 ? 0x301000 : 0x001020),
                                                 {x * step, y * step},
                                                 {(x + y) * 0.5f * step, (y - x) * 0.5f * step}};
        }
    }
    canvas_filter(canvas, 0, D3DTEXF_LINEAR, D3DTEXF_NONE);
    canvas_filter(canvas, 1, D3DTEXF_LINEAR, D3DTEXF_NONE);
    canvas_stage(canvas, 0, D3DTOP_MODULATE2X,
                 canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 256, 1, fill_marble));
    canvas_stage(canvas, 1, D3DTOP_ADDSIGNED,
                 canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 256, 1, fill_checker));
    canvas->calls->use_vertices(canvas, canvas->calls->create_vertices(canvas, v, sizeof(v), VERTEX_STAGES_FVF),
                                sizeof(v[0][0]));
    canvas->calls->use_format(canvas, VERTEX_STAGES_FVF);
}

void stages_draw(struct canvas *canvas, unsigned frame)
{
    gouraud_draw(canvas, frame);
}
