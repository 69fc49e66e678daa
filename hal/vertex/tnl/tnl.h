/* SPDX-License-Identifier: MIT */
/*
 * Fixed-function vertex processing (docs/reference/vertex-processing.md, sections 6 to 10). State becomes values and a key
 * (tnl_prepare and what it calls), the key a program of the shader IR (lower.h, cached), the program runs over up to 64
 * vertices at a time (tnl_run). All of it is kept until state changes.
 */
#ifndef HALCYON_HAL_VERTEX_TNL_TNL_H
#define HALCYON_HAL_VERTEX_TNL_TNL_H

#include "hal/pixel/pipeline.h"
#include "hal/state/values.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/lower.h"
#include "hal/vertex/vertex.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct raster_vertex;

/* Vertex numbers of one chunk of primitives. */
#define HAL_CHUNK_VERTICES 65538

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
    uint16_t generate;   /* D3DTSS_TCI_* >> 16: 0 from the vertex */
    uint8_t columns;     /* of the texture matrix applied; 0 none */
    uint8_t divisor;     /* component that goes into slot 3; 3: as it is */
    bool projected;      /* ... when the vertex has that component or a matrix made it */
    bool last_component; /* divisor is the last component the vertex has */
};

struct tnl_program {
    const struct hal_layout *layout;
    /* where each attribute goes in raster_vertex.input; -1: it is unused */
    int8_t slot[HAL_ATTRIBUTE_COUNT];

    bool transformed, lighting, specular, normalize, local_viewer;
    bool points;          /* point sizes are wanted */
    bool raw_coordinates; /* no divisor is placed: the pixel program does not divide */
    bool tween;
    float tween_factor;
    unsigned weights; /* blend weights in use; matrices are one more */
    bool blend, blend_indexed;

    struct hal_matrix world_view, projection, clip; /* clip = world0 * view * projection */
    float normal[3][3];
    bool blend_ready[HAL_MAX_WORLD_MATRICES]; /* world[i] * view is among the constants */
    const struct hal_context *context;

    uint8_t source_diffuse, source_specular, source_ambient, source_emissive; /* enum tnl_source */
    struct hal_material material;
    float ambient[3];
    struct tnl_light light[HAL_MAX_LIGHTS];
    unsigned light_count;

    enum tnl_fog fog;
    bool fog_range;
    float fog_start, fog_end, fog_density;

    struct tnl_texcoord texcoord[HAL_MAX_STAGES];
    const struct hal_matrix *texture_matrix; /* [stage] */
    bool wraps;                              /* some wanted stage has D3DRS_WRAPn bits: */
    uint8_t wrap[HAL_MAX_STAGES];            /* bit c: component c */

    float point_size, point_min, point_max, point_a, point_b, point_c, viewport_height;
    bool point_scale;

    unsigned user_planes;                     /* mask */
    float user_plane[HAL_MAX_CLIP_PLANES][4]; /* view space */

    /* what need not be computed: components (HAL_COMPONENT_COUNT: none) that slots, and positions, get as they are; and
     * outputs that go into slots */
    bool copies_position;
    unsigned copy_count, store_count;
    struct tnl_link {
        uint8_t from, slot;
    } copy[HAL_ATTRIBUTE_COUNT], store[HAL_ATTRIBUTE_COUNT];

    /* what runs, if it has outputs, and its constants (TNL_C_*) */
    shader_vertex_fn execute;
    uint64_t price; /* of a vertex, for hal/work.h */
    struct shader_binding binding;
    float constant[TNL_CONSTANTS_BLENDING][4];
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

/* Scratch. */
struct tnl_batch {
    struct hal_span span;
    struct shader_vertex_batch lanes;
};

/* Notes which raster inputs hold what; true: others than at the last draw. */
bool tnl_update_slots(struct tnl_program *program, const struct hal_pipeline_inputs *inputs);
/* Brings context->front's program and projection up to date for a draw of vertices laid out so.
 * False: no memory. */
bool tnl_prepare(struct hal_context *context, const struct hal_layout *layout, bool points);

/* run.c: processes the vertices batch->span names into vertices[] and projected[]; both have room for
 * span.padded. */
void tnl_run(struct tnl_program *program, struct tnl_batch *batch, const struct hal_source *source,
             struct hal_vertex *vertices, struct raster_vertex *projected);

/* program.c: binding and constants from the rest of *program. False: no memory. */
bool tnl_prepare_program(struct tnl_program *program, struct tnl_cache *cache);
/* World matrix `index` is among the constants from now on until matrices change. */
void tnl_use_matrix(struct tnl_program *program, unsigned index);
void tnl_cache_clear(struct tnl_cache *cache);

/* texgen.c */
void tnl_prepare_texcoords(struct tnl_program *program, const struct hal_context *context);

/* fog.c */
void tnl_prepare_fog(struct tnl_program *program, const struct hal_context *context);

#endif
