/* SPDX-License-Identifier: MIT */
/* Stencil shadows: boxes on a floor, and the volumes that their shadows fill, counted behind the picture (z-fail). */
#include "bench/catalogue/types.h"

#define BOXES 8

/* Faces of the box between (-1,-1,-1) and (1,1,1): corner numbers, bits x, y, z; clockwise seen from outside. */
static const uint16_t box_faces[36] = {
    0, 2, 1, 1, 2, 3, /* front */ 4, 5, 6, 5, 7, 6, /* back */
    0, 4, 2, 2, 4, 6, /* left */ 1,  3, 5, 3, 7, 5, /* right */
    2, 6, 3, 3, 6, 7, /* top */ 0,   1, 4, 1, 5, 4, /* bottom */
};

static unsigned box_buffer, whole_buffer;

void volumes_create(struct canvas *canvas)
{
    D3DMATRIX view = matrix_look_at(v3(0, 5, -9), v3(0, 0, 0));
    D3DMATRIX projection = matrix_perspective(0.8f, (float)canvas->width / (float)canvas->height, 0.5f, 50);
    struct vertex_screen whole[4];
    struct vertex_color v[8];

    for (unsigned i = 0; i < 8; i++)
        v[i] =
            (struct vertex_color){v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), i & 2 ? 0xffe0c080 : 0xff805030};
    for (unsigned i = 0; i < 4; i++)
        whole[i] = (struct vertex_screen){(i & 1 ? (float)canvas->width : 0) - 0.5f,
                                          (i & 2 ? (float)canvas->height : 0) - 0.5f,
                                          0.5f,
                                          1,
                                          0x90000010,
                                          0,
                                          0};
    box_buffer = canvas->calls->create_vertices(canvas, v, sizeof(v), VERTEX_COLOR_FVF);
    whole_buffer = canvas->calls->create_vertices(canvas, whole, sizeof(whole), VERTEX_SCREEN_FVF);
    canvas->calls->use_indices(canvas, canvas->calls->create_indices(canvas, box_faces, COUNT(box_faces)));
    canvas->calls->transform(canvas, D3DTS_VIEW, &view.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_PROJECTION, &projection.m[0][0]);
    canvas->calls->stage_state(canvas, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    canvas->calls->state(canvas, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    canvas->calls->state(canvas, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    canvas->calls->state(canvas, D3DRS_STENCILREF, 0);
    canvas->calls->state(canvas, D3DRS_STENCILMASK, 255);
    canvas->calls->state(canvas, D3DRS_STENCILWRITEMASK, 255);
    canvas->calls->state(canvas, D3DRS_STENCILFAIL, D3DSTENCILOP_KEEP);
    canvas->calls->state(canvas, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
}

static void draw_box(struct canvas *canvas, const D3DMATRIX *world)
{
    canvas->calls->transform(canvas, D3DTS_WORLD, &world->m[0][0]);
    canvas->calls->draw_indexed(canvas, D3DPT_TRIANGLELIST, 0, 8, COUNT(box_faces) / 3);
}

static D3DMATRIX place_box(unsigned i, unsigned frame)
{
    float a = 2 * pi * (float)i / BOXES + 0.02f * (float)(frame % 16), r = i & 1 ? 4.2f : 2.2f;
    D3DMATRIX size = matrix_scaling(0.5f, 0.6f + 0.1f * (float)(i % 5), 0.5f);
    D3DMATRIX place = matrix_translation(r * cosf(a), 0.7f + 0.1f * (float)(i % 5), r * sinf(a));

    return matrix_product(&size, &place);
}

/* A box drawn out along the light and closed at both ends: the shadow volume of a convex body, accurate enough for a
 * box. It begins slightly inside the box, so that no faces of the two coincide. */
static D3DMATRIX place_volume(unsigned i, unsigned frame)
{
    D3DMATRIX box = place_box(i, frame), stretch = matrix_scaling(0.97f, 3, 0.97f);

    /* The top stays where it is; below, the light is displaced sideways. */
    stretch._21 = 4;
    stretch._41 = -4 + 0.01f;
    stretch._42 = -2.03f;
    return matrix_product(&stretch, &box);
}

/* The part of a volume behind the picture: back faces count up, front faces down. */
static void draw_volume(struct canvas *canvas, unsigned i, unsigned frame)
{
    D3DMATRIX world = place_volume(i, frame);

    canvas->calls->state(canvas, D3DRS_CULLMODE, D3DCULL_CW);
    canvas->calls->state(canvas, D3DRS_STENCILZFAIL, D3DSTENCILOP_INCR);
    draw_box(canvas, &world);
    canvas->calls->state(canvas, D3DRS_CULLMODE, D3DCULL_CCW);
    canvas->calls->state(canvas, D3DRS_STENCILZFAIL, D3DSTENCILOP_DECR);
    draw_box(canvas, &world);
}

static void draw_volumes(struct canvas *canvas, unsigned frame)
{
    canvas->calls->state(canvas, D3DRS_COLORWRITEENABLE, 0);
    canvas->calls->state(canvas, D3DRS_ZWRITEENABLE, FALSE);
    canvas->calls->state(canvas, D3DRS_STENCILENABLE, TRUE);
    canvas->calls->state(canvas, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
    for (unsigned i = 0; i < BOXES; i++)
        draw_volume(canvas, i, frame);
    canvas->calls->state(canvas, D3DRS_STENCILZFAIL, D3DSTENCILOP_KEEP);
    canvas->calls->state(canvas, D3DRS_COLORWRITEENABLE, 15);
}

static void draw_darkness(struct canvas *canvas)
{
    canvas->calls->use_vertices(canvas, whole_buffer, sizeof(struct vertex_screen));
    canvas->calls->use_format(canvas, VERTEX_SCREEN_FVF);
    canvas->calls->state(canvas, D3DRS_ZENABLE, FALSE);
    canvas->calls->state(canvas, D3DRS_CULLMODE, D3DCULL_NONE);
    canvas->calls->state(canvas, D3DRS_STENCILFUNC, D3DCMP_NOTEQUAL);
    canvas->calls->state(canvas, D3DRS_ALPHABLENDENABLE, TRUE);
    canvas->calls->draw(canvas, D3DPT_TRIANGLESTRIP, 0, 2);
    canvas->calls->state(canvas, D3DRS_ALPHABLENDENABLE, FALSE);
    canvas->calls->state(canvas, D3DRS_STENCILENABLE, FALSE);
}

void volumes_draw(struct canvas *canvas, unsigned frame)
{
    D3DMATRIX ground = matrix_scaling(8, 0.01f, 8);

    canvas_clear(canvas, 0xff304050, frame);
    canvas->calls->use_vertices(canvas, box_buffer, sizeof(struct vertex_color));
    canvas->calls->use_format(canvas, VERTEX_COLOR_FVF);
    canvas->calls->state(canvas, D3DRS_ZENABLE, TRUE);
    canvas->calls->state(canvas, D3DRS_ZWRITEENABLE, TRUE);
    canvas->calls->state(canvas, D3DRS_ZFUNC, D3DCMP_LESS);
    canvas->calls->state(canvas, D3DRS_CULLMODE, D3DCULL_CCW);
    draw_box(canvas, &ground);
    for (unsigned i = 0; i < BOXES; i++) {
        D3DMATRIX world = place_box(i, frame);

        draw_box(canvas, &world);
    }
    draw_volumes(canvas, frame);
    draw_darkness(canvas);
}
