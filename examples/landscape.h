/* SPDX-License-Identifier: MIT */
/*
 * The landscape's parts: textures from noise, the land (terrain, trees, lake), the temple (stones, mirror, shadows),
 * and declarations shared with the frame that draws them. Each part keeps its own meshes.
 */
#ifndef EXAMPLES_LANDSCAPE_H
#define EXAMPLES_LANDSCAPE_H

#include "examples/shapes.h"

#define ORB_COUNT 2

static const struct vec3 sun = {-0.80f, 0.34f, 0.50f}; /* towards it; normalised in use */
static const D3DCOLOR haze = 0xffe0b48e, ambient_light = 0xff5c6478;
static const D3DCOLORVALUE sunlight = {1.0f, 0.80f, 0.58f, 1};
static const float world_size = 120, water_level = -0.9f; /* half a side; height */
static const float temple_radius = 12;                    /* of the floor */

struct view {
    unsigned frame;
    struct vec3 eye;
    D3DMATRIX matrix;
};
static const float view_angle = 0.86f; /* from the lower to the upper edge */

/* Whether a sphere may be visible. Never false for something in the picture. */
bool view_sees(const struct view *view, struct vec3 center, float radius);

/* --- textures ---------------------------------------------------------------------------- */

struct textures {
    IDirect3DTexture8 *ground, *detail, *tiles, *marble, *cloud, *wave, *glow, *leaves, *mirror;
};

struct textures textures_create(IDirect3DDevice8 *device);
void textures_destroy(struct textures *textures);
D3DCOLOR sky_color(struct vec3 direction);
float height_at(float x, float z); /* of the terrain */

/* --- land -------------------------------------------------------------------------------- */

void land_create(IDirect3DDevice8 *device);
void land_destroy(void);
/* Opaque (or alpha-tested) surfaces, then those blended over them; with fog, only the sun shines. */
void land_draw(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures);
void lake_draw(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures);

/* --- temple ------------------------------------------------------------------------------ */

void temple_create(IDirect3DDevice8 *device);
void temple_destroy(void);
/* Drawn before anything else: the mirror needs cleared depth behind the floor. */
void temple_draw(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures);

/* --- state ------------------------------------------------------------------------------- */

void set_float(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, float value);
void set_stage(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value);
/* Source alpha over the target, or no blending. */
void set_blend(IDirect3DDevice8 *device, bool enable);
/* Texture coordinates of a stage: scaled, then shifted. */
void set_texture_matrix(IDirect3DDevice8 *device, DWORD stage, float scale, float shift_u, float shift_v);
void clear_texture_matrix(IDirect3DDevice8 *device, DWORD stage);
/* Stage 1 multiplies the colour by twice that of a texture at stage 0's coordinates; NULL: the cascade ends. */
void set_second_layer(IDirect3DDevice8 *device, IDirect3DTexture8 *texture);
/* The wandering lights, which reach no farther than the temple. */
void light_orbs(IDirect3DDevice8 *device, bool enable);
/* The colour that lighting would give a matte surface: for static objects lit only by the sun. */
D3DCOLOR sunlit(D3DCOLOR paint, struct vec3 normal);

#endif
