/* SPDX-License-Identifier: MIT */
/*
 * Fixed-function vertex processing (shaders.md 8), 64 vertices at a time with four in step. What a
 * draw needs is found once (tnl_prepare) and kept as a tnl_program until state changes.
 */
#ifndef HALCYON_HAL_TNL_H
#define HALCYON_HAL_TNL_H

#include "hal/state.h"
#include "hal/stream.h"
#include "hal/vec.h"

/* Vertex numbers of one chunk of primitives. */
#define HAL_CHUNK_VERTICES 65538

enum tnl_source { TNL_MATERIAL, TNL_COLOR1, TNL_COLOR2 };
enum tnl_fog { TNL_FOG_ALPHA, TNL_FOG_LINEAR, TNL_FOG_EXP, TNL_FOG_EXP2 };

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
    /* where each attribute goes in raster_vertex.input; -1: nobody wants it */
    int8_t slot[HAL_ATTRIBUTE_COUNT];

    bool transformed, lighting, specular, normalize, local_viewer;
    bool need_eye, need_normal, need_fog;
    bool points; /* point sizes are wanted */
    bool raw_coordinates; /* no divisor is placed: the pixel program does not divide */
    bool tween;
    float tween_factor;
    unsigned weights; /* blend weights in use; matrices are one more */
    bool blend, blend_indexed;

    struct hal_matrix world_view, projection, clip; /* clip = world0 * view * projection */
    float normal[3][3];
    /* world[i] * view, made when blending asks for it */
    struct hal_matrix blend_matrix[HAL_MAX_WORLD_MATRICES];
    bool blend_ready[HAL_MAX_WORLD_MATRICES];
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
};

struct tnl_batch {
    struct hal_span span;
    _Alignas(64) hal_lanes position[4];
    _Alignas(64) hal_lanes clip[4];
    _Alignas(64) hal_lanes eye[4];
    _Alignas(64) hal_lanes normal[4];
    _Alignas(64) hal_lanes color1[4], color2[4]; /* of the vertex; defaults 1,1,1,1 and 0,0,0,0 */
    _Alignas(64) hal_lanes out[4];               /* on the way into an attribute */
    _Alignas(64) hal_lanes lit_diffuse[4], lit_specular[4];
    _Alignas(64) hal_lanes scratch[4];
    uint32_t index[HAL_BATCH];
    bool has_color1, has_color2, has_normal;
};

/* Notes which raster inputs hold what; true: others than at the last draw. */
bool tnl_update_slots(struct tnl_program *program, const struct hal_pipeline_inputs *inputs);
/* Brings context->front's program and projection up to date for a draw of vertices laid out so. */
void tnl_prepare(struct hal_context *context, const struct hal_layout *layout, bool points);

/* Processes the vertices batch->span names into vertices[] and projected[]; both have room for
 * span.padded. */
void tnl_run(struct tnl_program *program, struct tnl_batch *batch, const struct hal_source *source,
             struct hal_vertex *vertices, struct raster_vertex *projected);

/* light.c: lit_diffuse and lit_specular from eye, normal and the vertex's colours. */
void tnl_light(const struct tnl_program *program, struct tnl_batch *batch);
void tnl_prepare_lights(struct tnl_program *program, const struct hal_context *context);

/* texgen.c: the coordinates of one stage into batch->out. */
void tnl_texcoord(const struct tnl_program *program, struct tnl_batch *batch,
                  const struct hal_source *source, unsigned stage);
void tnl_prepare_texcoords(struct tnl_program *program, const struct hal_context *context);

/* fog.c: the vertex fog factor into batch->out[0]. */
void tnl_fog(const struct tnl_program *program, struct tnl_batch *batch);
void tnl_prepare_fog(struct tnl_program *program, const struct hal_context *context);

/* point.c: sizes into vertices[].point_size. */
void tnl_point_size(const struct tnl_program *program, struct tnl_batch *batch,
                    const struct hal_source *source, struct hal_vertex *vertices);
void tnl_prepare_points(struct tnl_program *program, const struct hal_context *context);

#endif
