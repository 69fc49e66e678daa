/* SPDX-License-Identifier: MIT */
/*
 * Fixed-function vertex processing as a program of the shader IR: the key, which is the part of the state that changes
 * the code; the code made from it; and the constants that its values are in. hal/vertex/tnl/program.c fills the
 * constants. Source: docs/reference/vertex-processing.md, sections 6 to 10.
 */
#ifndef HALCYON_HAL_VERTEX_TNL_LOWER_H
#define HALCYON_HAL_VERTEX_TNL_LOWER_H

#include "hal/state/values.h"
#include "shader/shader.h"

#include <stdint.h>

/* v registers: the component of the vertex with this number (enum hal_component); the last ones are mapped
 * differently. */
enum { TNL_V_INDEX = 2, TNL_V_NORMAL2 = 2, TNL_V_POSITION2 = 15 };

/* o registers. */
enum {
    TNL_O_POSITION, /* clip space; transformed vertices: unchanged */
    TNL_O_FOG,
    TNL_O_SIZE, /* of points, before the limits */
    TNL_O_DIFFUSE,
    TNL_O_SPECULAR,
    TNL_O_TEXCOORD,
    TNL_O_PLANES = 13, /* distances to the user's planes: 0..3, 4..5 */
};

/* c registers. Matrices are columns: four of them, or three for normals. */
enum {
    TNL_C_LITERAL,  /* 0, 1, 1/2, 2 */
    TNL_C_LITERAL2, /* 4, -1, -0, 0 */
    TNL_C_CLIP = 4,
    TNL_C_EYE = 8,
    TNL_C_PROJECTION = 12,
    TNL_C_NORMAL = 16,
    TNL_C_TWEEN = 19,  /* 1 - t, t */
    TNL_C_FOG = 20,    /* end, span, factor of the exponent */
    TNL_C_POINT,       /* size, viewport height */
    TNL_C_POINT_SCALE, /* a, b, c */
    TNL_C_AMBIENT,     /* of the scene */
    TNL_C_MATERIAL,    /* diffuse, ambient, specular, emissive; followed by power */
    TNL_C_POWER = TNL_C_MATERIAL + 4,
    TNL_C_PLANE = 30,   /* six */
    TNL_C_LIGHT = 40,   /* TNL_LIGHT_STRIDE each */
    TNL_C_TEXTURE = 96, /* four columns a stage */
    TNL_C_BLEND = 128,  /* four columns a world matrix */
    TNL_CONSTANTS = TNL_C_BLEND,
    TNL_CONSTANTS_BLENDING = TNL_C_BLEND + 4 * HAL_MAX_WORLD_MATRICES,
};

/* c registers of one light. */
enum {
    TNL_L_DIFFUSE,
    TNL_L_SPECULAR,
    TNL_L_AMBIENT,
    TNL_L_PLACE, /* position; directional: direction towards the light */
    TNL_L_AXIS,  /* of a spot, negated; w: falloff */
    TNL_L_SHAPE, /* attenuation 0, 1, 2, range */
    TNL_L_CONE,  /* cos of inner and outer angle, their difference */
    TNL_LIGHT_STRIDE,
};

enum tnl_source { TNL_MATERIAL, TNL_COLOR1, TNL_COLOR2 };
/* clang-format off */
enum tnl_fog {
    TNL_FOG_NONE, /* or the vertex's fog factor, which the program does not touch */
    TNL_FOG_ALPHA,
    TNL_FOG_FULL,
    TNL_FOG_LINEAR,
    TNL_FOG_EXP,
    TNL_FOG_EXP2
};
/* clang-format on */
enum tnl_generate { TNL_PASS, TNL_NORMAL, TNL_POSITION, TNL_REFLECTION, TNL_SPHERE };

/* Compared as bytes: starts as zeros. */
struct tnl_key {
    uint8_t transformed, tween, normalize, local_viewer, lighting, specular;
    uint8_t matrices, indexed; /* of vertex blending; 0: none */
    uint8_t has_w;             /* positions have a w, which is treated as 1 */
    uint8_t has_normal, has_normal2, has_color1, has_color2, has_size;
    uint8_t wants_diffuse, wants_specular, wants_size, scales_size;
    uint8_t opaque_color2; /* a missing second colour is (0, 0, 0, 1), not 0 */
    uint8_t planes;        /* how many user planes are computed, from the first on */
    uint8_t fog, fog_range;
    uint8_t source_diffuse, source_specular, source_ambient, source_emissive; /* enum tnl_source */
    uint8_t light[HAL_MAX_LIGHTS];                                            /* D3DLIGHTTYPE; 0: no more */
    uint8_t falloff[HAL_MAX_LIGHTS];                                          /* the falloff of a spot is not 1 */
    struct {
        uint8_t wanted, generate, set; /* set 8: no set */
        uint8_t components;            /* the vertex has, or are generated */
        uint8_t columns;               /* of the matrix; 0: none */
        uint8_t divisor;               /* component that is copied to w; 3: w itself; 4: constant 1; 5: constant 0 */
    } texcoord[HAL_MAX_STAGES];
};

/* The component of the vertex that output o would only copy (HAL_COMPONENT_COUNT: the value of an absent component);
 * -1: the output is computed. The program omits such copies; the stage's links do them instead. */
int tnl_copied_component(const struct tnl_key *key, unsigned output);

/* NULL: out of memory. A program without outputs does nothing. */
struct shader_program *tnl_lower(const struct tnl_key *key);

#endif
