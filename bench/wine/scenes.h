/* SPDX-License-Identifier: MIT */
/*
 * The scenes measured under Wine: each draws one frame of known work with plain Direct3D 8 calls. A frame leaves a
 * picture that shows whether the work was done (a depth fill is tested against afterwards, a stencil fill is coloured),
 * so that pictures of two implementations can be compared.
 */
#ifndef BENCH_WINE_SCENES_H
#define BENCH_WINE_SCENES_H

#include "examples/common.h"

#define VERTEX_TL_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

struct vertex_tl {
    float x, y, z, rhw;
    D3DCOLOR color;
    float u, v;
};

struct scene {
    const char *name;
    const char *work;                                       /* of one frame, in words */
    bool wants_samples;                                     /* 4x multisampled back buffer */
    void (*create)(IDirect3DDevice8 *device);               /* resources and lasting states; may be NULL */
    void (*draw)(IDirect3DDevice8 *device, unsigned frame); /* between BeginScene and EndScene */
    void (*destroy)(void);                                  /* may be NULL */
};

extern const struct scene fill_scenes[];
extern const unsigned fill_scene_count;
extern const struct scene work_scenes[];
extern const unsigned work_scene_count;

/* Helpers of both files. */
void set_state(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value);
void set_stage(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value);
void clear_all(IDirect3DDevice8 *device, D3DCOLOR color);
/* Two triangles in window coordinates, texture coordinates 0..`repeat`; depth from left to right. */
void draw_quad(IDirect3DDevice8 *device, const RECT *rect, float z_left, float z_right, D3DCOLOR color, float repeat);
D3DCOLOR checker_texel(float u, float v);
D3DCOLOR marble_texel(float u, float v);
D3DCOLOR spot_texel(float u, float v);

#endif
