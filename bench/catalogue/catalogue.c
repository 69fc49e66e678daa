/* SPDX-License-Identifier: MIT */
/* The list of the catalogue's scenes, and functions that several of them share. */
#include "bench/catalogue/types.h"

#include <string.h>

const struct catalogue_scene catalogue_scenes[] = {
    {"a", "gouraud", "8 full-screen gouraud rectangles, no depth test", gouraud_create, gouraud_draw, .fills = true},
    {"b1", "front-to-back", "the same, tested and written in depth, the nearest first", front_to_back_create,
     gouraud_draw, .fills = true},
    {"b2", "back-to-front", "the same, the furthest first", back_to_front_create, gouraud_draw, .fills = true},
    {"c", "bilinear", "8 layers of a rotated 256x256 texture, 0.8 texel a pixel, modulated", bilinear_create,
     textured_draw, .fills = true},
    {"d", "trilinear", "8 times floor and ceiling in perspective, 512x512 with levels, trilinear", hall_create,
     hall_draw, .fills = true},
    {"e", "two-stages", "8 layers, MODULATE2X then ADDSIGNED, two bilinear textures", stages_create, stages_draw,
     .fills = true},
    {"f", "blended-quads", "4000 textured and blended quads of 64x64 in one draw", quads_create, quads_draw,
     .fills = false},
    {"g", "lit-mesh", "512x512 quads, 524288 lit triangles in 8 draws, three lights", mesh_create, mesh_draw,
     .fills = false},
    {"h", "bumps", "4 layers of a 64x64 grid, vs_1_1 tangent space, ps_1_1 dot3 of two textures", bumps_create,
     bumps_draw, .fills = true},
    {"j1", "dxt1", "as bilinear, DXT1", dxt1_create, textured_draw, .fills = true},
    {"j5", "dxt5", "as bilinear, DXT5", dxt5_create, textured_draw, .fills = true},
    {"k", "point-sprites", "20000 textured additive point sprites of 8 pixels", points_create, points_draw,
     .fills = false},
    {"l", "lit-mesh-4x", "as lit-mesh, 4 samples", mesh_create, mesh_draw, .samples = 4},
    {"m", "state-changes", "20000 draws of two triangles in 4x4 pixels, each after a render state and a texture",
     states_create, states_draw, .fills = false},
    {"n", "shadow-volumes", "8 z-fail shadow volumes in two passes each, then a darkening quad", volumes_create,
     volumes_draw, .fills = true},
    {"o", "discards", "ten times a lock with DISCARD, 10000 vertices written, 5000 triangles drawn", discard_create,
     discard_draw, .fills = false},
    {"p", "empty", "a clear", NULL, empty_draw, .fills = false},
};
const unsigned catalogue_scene_count = COUNT(catalogue_scenes);

const struct catalogue_scene *catalogue_find(const char *name)
{
    for (unsigned i = 0; i < catalogue_scene_count; i++)
        if (!strcmp(catalogue_scenes[i].name, name))
            return &catalogue_scenes[i];
    return NULL;
}

static const uint32_t first_states[][2] = {
    {D3DRS_ZENABLE, FALSE},
    {D3DRS_ZWRITEENABLE, TRUE},
    {D3DRS_ZFUNC, D3DCMP_LESSEQUAL},
    {D3DRS_CULLMODE, D3DCULL_NONE},
    {D3DRS_SHADEMODE, D3DSHADE_GOURAUD},
    {D3DRS_LIGHTING, FALSE},
    {D3DRS_SPECULARENABLE, FALSE},
    {D3DRS_ALPHABLENDENABLE, FALSE},
    {D3DRS_ALPHATESTENABLE, FALSE},
    {D3DRS_FOGENABLE, FALSE},
    {D3DRS_STENCILENABLE, FALSE},
    {D3DRS_COLORWRITEENABLE, 15},
    {D3DRS_CLIPPING, TRUE},
    {D3DRS_AMBIENT, 0},
};

static const uint32_t first_stage_states[][2] = {
    {D3DTSS_COLORARG1, D3DTA_TEXTURE}, {D3DTSS_COLORARG2, D3DTA_CURRENT},   {D3DTSS_ALPHAARG1, D3DTA_TEXTURE},
    {D3DTSS_ALPHAARG2, D3DTA_CURRENT}, {D3DTSS_ADDRESSU, D3DTADDRESS_WRAP}, {D3DTSS_ADDRESSV, D3DTADDRESS_WRAP},
};

void catalogue_open(struct canvas *canvas, const struct catalogue_scene *scene)
{
    for (unsigned i = 0; i < COUNT(first_states); i++)
        canvas->calls->state(canvas, first_states[i][0], first_states[i][1]);
    for (unsigned stage = 0; stage < 2; stage++) {
        for (unsigned i = 0; i < COUNT(first_stage_states); i++)
            canvas->calls->stage_state(canvas, stage, first_stage_states[i][0], first_stage_states[i][1]);
        canvas->calls->stage_state(canvas, stage, D3DTSS_TEXCOORDINDEX, stage);
        canvas->calls->stage_state(canvas, stage, D3DTSS_COLOROP, stage ? D3DTOP_DISABLE : D3DTOP_MODULATE);
        canvas->calls->stage_state(canvas, stage, D3DTSS_ALPHAOP, stage ? D3DTOP_DISABLE : D3DTOP_SELECTARG1);
        canvas_filter(canvas, stage, D3DTEXF_POINT, D3DTEXF_NONE);
        canvas->calls->use_texture(canvas, stage, 0);
    }
    if (scene && scene->create)
        scene->create(canvas);
}

/* --- helpers ---------------------------------------------------------------------------- */

void canvas_clear(struct canvas *canvas, uint32_t color, unsigned frame)
{
    canvas->calls->clear(canvas, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, color + frame % 16);
}

void canvas_filter(struct canvas *canvas, unsigned stage, uint32_t filter, uint32_t mip_filter)
{
    canvas->calls->stage_state(canvas, stage, D3DTSS_MAGFILTER, filter);
    canvas->calls->stage_state(canvas, stage, D3DTSS_MINFILTER, filter);
    canvas->calls->stage_state(canvas, stage, D3DTSS_MIPFILTER, mip_filter);
}

void canvas_stage(struct canvas *canvas, unsigned stage, uint32_t operation, unsigned texture)
{
    canvas->calls->stage_state(canvas, stage, D3DTSS_COLOROP, operation);
    canvas->calls->stage_state(canvas, stage, D3DTSS_ALPHAOP, operation);
    canvas->calls->use_texture(canvas, stage, texture);
}

uint32_t canvas_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}
