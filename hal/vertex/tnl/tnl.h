/* SPDX-License-Identifier: MIT */
/*
 * Fixed-function vertex processing (docs/reference/vertex-processing.md, sections 6 to 10): the producer of vertex
 * stages (hal/vertex/stage.h) from state. State is turned into values and a key. The key selects a program of the
 * shader IR (lower.h, cached); the values become its constants. All of this is kept until state changes.
 */
#ifndef HALCYON_HAL_VERTEX_TNL_TNL_H
#define HALCYON_HAL_VERTEX_TNL_TNL_H

#include "hal/state/values.h"
#include "hal/vertex/tnl/lower.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_layout;
struct hal_renderer;
struct hal_scene;
struct hal_state;
struct hal_vertex_stage;

struct tnl_light {
    uint32_t type;
    float diffuse[3], specular[3], ambient[3];
    float position[3];  /* view space */
    float direction[3]; /* view space, normalized; directional: towards the light */
    float range, attenuation[3];
    float cos_inner, cos_outer, falloff; /* spot: halves of theta and phi */
};

struct tnl_texcoord {
    uint8_t set;
    uint16_t generate; /* D3DTSS_TCI_* >> 16: 0 from the vertex */
    uint8_t columns;   /* of the texture matrix applied; 0 none */
    uint8_t count;     /* of components, from the flags; 0: all that the vertex has */
    bool projected;    /* one component divides the others */
};

/* The values from state, and the constants made from them. */
struct tnl_program {
    const struct hal_vertex_stage *stage; /* that is made from it */
    const struct hal_state *state;
    const struct hal_layout *layout;

    bool transformed, lighting, specular, normalize, local_viewer;
    bool tween;
    float tween_factor;
    unsigned weights; /* blend weights in use; matrices are one more */
    bool blend, blend_indexed;

    struct hal_matrix world_view, projection, clip; /* clip = world0 * view * projection */
    float normal[3][3];
    bool blend_ready[HAL_MAX_WORLD_MATRICES]; /* world[i] * view is among the constants */

    uint8_t source_diffuse, source_specular, source_ambient, source_emissive; /* enum tnl_source */
    struct hal_material material;
    float ambient[3];
    struct tnl_light light[HAL_MAX_LIGHTS];
    unsigned light_count;

    enum tnl_fog fog;
    bool fog_range;
    bool fog_is_copied; /* vertices have the factor, which replaces the alpha */
    float fog_start, fog_end, fog_density;

    struct tnl_texcoord texcoord[HAL_MAX_STAGES];
    const struct hal_matrix *texture_matrix; /* [stage] */

    float point_a, point_b, point_c, viewport_height;
    bool point_scale;

    unsigned user_planes;                     /* mask */
    float user_plane[HAL_MAX_CLIP_PLANES][4]; /* view space */

    struct shader_binding binding;
    float constant[TNL_CONSTANTS_BLENDING][4]; /* TNL_C_* */
};

#define TNL_CACHED 64

/* Programs by key, most recently used first. */
struct tnl_cache {
    unsigned count;
    struct tnl_cached {
        struct tnl_key key;
        struct shader_program *program;
    } entry[TNL_CACHED];
};

/* Makes the stage for the inputs that it names and vertices of this layout. False: out of memory, which has been
 * logged. */
bool tnl_make_stage(const struct hal_renderer *renderer, struct hal_vertex_stage *stage,
                    const struct hal_layout *layout);

/* program.c: makes the program, its constants and its links in *stage from the rest of *program. False: out of
 * memory. */
bool tnl_prepare_program(struct tnl_program *program, struct tnl_cache *cache, const struct hal_scene *scene,
                         struct hal_vertex_stage *stage);
void tnl_cache_clear(struct tnl_cache *cache);

/* texgen.c */
void tnl_prepare_texcoords(struct tnl_program *program, const struct hal_state *state);

/* fog.c */
void tnl_prepare_fog(struct tnl_program *program, const struct hal_state *state);

#endif
