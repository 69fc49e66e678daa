/* SPDX-License-Identifier: MIT */
/*
 * scenes.h for Direct3D 9: scenes of known work with features that version 8 lacks. A frame leaves a picture that shows
 * whether the work was done, so that pictures of two implementations can be compared.
 */
#ifndef BENCH_WINE_SCENES9_H
#define BENCH_WINE_SCENES9_H

#include "examples/common9.h"

struct scene {
    const char *name;
    const char *work;                                       /* of one frame, in words */
    void (*create)(IDirect3DDevice9 *device);               /* resources and lasting states */
    void (*draw)(IDirect3DDevice9 *device, unsigned frame); /* between BeginScene and EndScene */
    void (*destroy)(void);
};

extern const struct scene pixel_scenes[];
extern const unsigned pixel_scene_count;
extern const struct scene work_scenes[];
extern const unsigned work_scene_count;
extern const struct scene frame_scenes[];
extern const unsigned frame_scene_count;
extern const struct scene example_scenes[];
extern const unsigned example_scene_count;

/* Shared helpers: releases everything that a scene has created; NULL members are skipped. */
struct resources {
    IDirect3DTexture9 *texture[8];
    IDirect3DVertexBuffer9 *vertices[2];
    IDirect3DIndexBuffer9 *indices;
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DVertexShader9 *vertex;
    IDirect3DPixelShader9 *pixel[4];
    IDirect3DSurface9 *back;
};
void release_all(struct resources *r);

/* Corners of a quad in clip space, so that pixels of the target (`width` by `height`) are covered exactly; u, v 0..`repeat`. */
struct corner {
    float x, y, z, w;
    float u, v;
};
void fill_quad(struct corner corners[4], const RECT *rect, unsigned width, unsigned height, float repeat);
void draw_quad(IDirect3DDevice9 *device, const RECT *rect, float repeat);
/* Position and coordinates of `struct corner`. */
IDirect3DVertexDeclaration9 *make_corner_declaration(IDirect3DDevice9 *device);
D3DCOLOR checker_texel(float u, float v);
D3DCOLOR marble_texel(float u, float v);

#endif
