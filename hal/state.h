/* SPDX-License-Identifier: MIT */
/*
 * All that the stream sets, as plain arrays indexed by their D3D numbers. A draw derives a raster_draw_state and a pixel
 * program from it (hal/pixel/pipeline.c) when the dirty bits say so.
 */
#ifndef HALCYON_HAL_STATE_H
#define HALCYON_HAL_STATE_H

#include "hal/hal.h"

#define HAL_MAX_STREAMS 16
#define HAL_MAX_STAGES 8      /* of the cascade */
#define HAL_MAX_SAMPLERS 16   /* of pixel shaders; the first ones are the stages' */
#define HAL_VERTEX_SAMPLERS 4 /* of vertex shaders */
#define HAL_STAGE_ROWS (HAL_MAX_SAMPLERS + HAL_VERTEX_SAMPLERS)
#define HAL_MAX_CLIP_PLANES 6
#define HAL_MAX_LIGHTS 8      /* active at once */
#define HAL_MAX_RENDER_STATES 256
#define HAL_MAX_STAGE_STATES 36 /* D3DTSS_*, and those of d3d/feedback.h */
#define HAL_MAX_WORLD_MATRICES 256
#define HAL_VERTEX_CONSTANTS 256 /* float vectors of vertex shaders */
#define HAL_PIXEL_CONSTANTS 224  /* of pixel shaders; ps_1_x sees the first 8 */
#define HAL_OTHER_CONSTANTS 16   /* integer vectors, and booleans, of each */

enum hal_dirty {
    HAL_DIRTY_RENDER_STATE = 1, /* those that stand in no group of their own (hal_render_state_group) */
    HAL_DIRTY_STAGE = 2,        /* likewise of stages (hal_stage_state_group) */
    HAL_DIRTY_TEXTURE = 4,
    HAL_DIRTY_TRANSFORM = 8,
    HAL_DIRTY_LIGHT = 16,       /* lights and material */
    HAL_DIRTY_TARGET = 32,
    HAL_DIRTY_VIEWPORT = 64,
    HAL_DIRTY_VERTEX_FORMAT = 128,
    HAL_DIRTY_VERTEX_CONSTANTS = 256, /* of shaders */
    HAL_DIRTY_PIXEL_CONSTANTS = 512,
    HAL_DIRTY_OUTPUT = 1024,  /* render states of depth, stencil, alpha test, blending and masks */
    HAL_DIRTY_FACTOR = 2048,  /* D3DRS_TEXTUREFACTOR */
    HAL_DIRTY_SAMPLER = 4096, /* stage states of samplers and bump mapping: values, which no code depends on */
    HAL_DIRTY_ALL = 8191,
    /* The pixel side is derived anew when any of these changes. */
    HAL_DIRTY_PIXEL = HAL_DIRTY_RENDER_STATE | HAL_DIRTY_STAGE | HAL_DIRTY_TEXTURE | HAL_DIRTY_TARGET | HAL_DIRTY_VIEWPORT |
                      HAL_DIRTY_OUTPUT | HAL_DIRTY_FACTOR | HAL_DIRTY_SAMPLER,
    /* Those of them from which only the values of a pixel program are made. */
    HAL_DIRTY_VALUES = HAL_DIRTY_TEXTURE | HAL_DIRTY_FACTOR | HAL_DIRTY_SAMPLER,
    /* Fixed-function vertex processing is derived from these. */
    HAL_DIRTY_VERTEX = HAL_DIRTY_RENDER_STATE | HAL_DIRTY_STAGE | HAL_DIRTY_TRANSFORM | HAL_DIRTY_LIGHT | HAL_DIRTY_TARGET |
                       HAL_DIRTY_VIEWPORT | HAL_DIRTY_VERTEX_FORMAT,
};

/* pixel/draw_state.c: which bit says that the render state, the stage state has changed. */
uint32_t hal_render_state_group(uint32_t state);
uint32_t hal_stage_state_group(uint32_t state);

struct hal_matrix {
    float m[4][4]; /* row-major, row vectors: v' = v * M */
};

struct hal_light { /* D3DLIGHT7/8, 104 bytes, as in the stream */
    uint32_t type;  /* 1 point, 2 spot, 3 directional */
    float diffuse[4], specular[4], ambient[4], position[3], direction[3];
    float range, falloff, attenuation[3], theta, phi;
};

struct hal_material { /* D3DMATERIAL7/8, 68 bytes */
    float diffuse[4], ambient[4], specular[4], emissive[4], power;
};

struct hal_viewport { /* pixels; z range from ZRANGE */
    uint32_t x, y, width, height;
    float min_z, max_z;
};

/* Shader constants as the stream sets them; the same for vertex and pixel shaders, of which the
 * latter use HAL_PIXEL_CONSTANTS vectors. */
struct hal_constants {
    float f[HAL_VERTEX_CONSTANTS][4];
    int32_t i[HAL_OTHER_CONSTANTS][4];
    uint32_t b[HAL_OTHER_CONSTANTS]; /* 0 or 1 */
};

/* Extensions that programs switch by magic values (hal/state/extension.c); each has a setting, 0 off. */
enum hal_extension {
    HAL_EXTENSION_CONSERVATIVE,
    HAL_EXTENSION_COVERAGE_SOURCE, /* of the specular colour */
    HAL_EXTENSION_DEPTH_BOUNDS,
    HAL_EXTENSION_ALPHA_COVERAGE, /* 1: with the alpha test (ATOC); of the next one 1: always (A2M1) */
    HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS,
    HAL_EXTENSION_DEPTH_RESOLVE,  /* a command */
    HAL_EXTENSION_COUNT,
};

struct hal_stream {
    uint32_t handle; /* of the vertex buffer; resolved at each draw */
    uint32_t offset; /* bytes (SETSTREAMSOURCE2) */
    uint32_t stride;
    bool user_memory;
};

/* Values shaded vertices carry. hal_pipeline_inputs says which raster input gets which. */
enum hal_attribute {
    HAL_ATTRIBUTE_DIFFUSE,
    HAL_ATTRIBUTE_SPECULAR,
    HAL_ATTRIBUTE_FOG, /* x: vertex fog factor */
    HAL_ATTRIBUTE_TEXCOORD0, /* by stage: TEXCOORDINDEX is already resolved */
    HAL_ATTRIBUTE_COUNT = HAL_ATTRIBUTE_TEXCOORD0 + HAL_MAX_STAGES,
};

/* Clipping and assembly need this of a processed vertex; its attributes stand in the raster_vertex of the same number. */
struct hal_vertex {
    float position[4]; /* clip space; pre-transformed: x, y in pixels, z, rhw */
    float plane[HAL_MAX_CLIP_PLANES]; /* distances to the enabled user planes; inside when >= 0 */
    float point_size;  /* pixels */
    uint32_t outcode;  /* hal/vertex/clip.h */
};

/* D3DVERTEXTEXTURESAMPLER0; 256 in between is D3DDMAPSAMPLER, which no state of this driver serves */
#define HAL_FIRST_VERTEX_SAMPLER 257u

/* Row of stage_state that a token's stage number means: samplers of pixel shaders, then those of vertex shaders.
 * HAL_STAGE_ROWS: there is no such stage. */
static inline unsigned hal_stage_row(uint32_t stage)
{
    if (stage >= HAL_FIRST_VERTEX_SAMPLER && stage - HAL_FIRST_VERTEX_SAMPLER < HAL_VERTEX_SAMPLERS)
        return HAL_MAX_SAMPLERS + stage - HAL_FIRST_VERTEX_SAMPLER;
    return stage < HAL_MAX_SAMPLERS ? stage : HAL_STAGE_ROWS;
}

struct shader_program;
struct hal_pipeline; /* hal/pixel/pipeline.c: derived from all of this */
struct hal_front;    /* hal/front.h: what the vertex side keeps between draws */
struct hal_light_table;
struct hal_palette_table;
struct hal_query_table; /* hal/query.c */
struct hal_feedback_step;
struct hal_version;

/* Surfaces that the scene reads or draws, or that it owes depth (hal/resource/hazard.c). */
#define HAL_MAX_IN_USE 512 /* then the scene is flushed */
struct hal_in_use {
    struct hal_surface *surface[HAL_MAX_IN_USE];
    unsigned count;
    bool targets_bound; /* to those of the context, unless it has others since */
};

struct hal_context {
    struct hal_driver *driver;
    struct hal_context *next;
    struct hal_handle_table *handles;
    const void *dd_local;
    uint32_t handle, level, process;

    struct raster *raster;
    struct hal_surface *target, *depth;
    struct hal_surface *more_targets[RASTER_MAX_TARGETS - 1]; /* SETRENDERTARGET2 1..3; NULL: none */

    uint32_t dirty; /* enum hal_dirty */
    uint32_t render_state[HAL_MAX_RENDER_STATES];
    uint32_t door_states[HAL_MAX_RENDER_STATES / 32]; /* bit: some value of the state is magic */
    uint8_t extension[HAL_EXTENSION_COUNT];           /* settings, as hal/state/extension.c numbers them */
    uint32_t stage_state[HAL_STAGE_ROWS][HAL_MAX_STAGE_STATES]; /* [hal_stage_row][D3DTSS]; 0 = texture handle */
    bool modulate_of_dx5; /* stage 0 has D3DTBLEND_MODULATE: a texture without alpha leaves that of the vertex */
    struct hal_viewport viewport;
    float w_near, w_far;
    struct hal_matrix world[HAL_MAX_WORLD_MATRICES], view, projection, texture[HAL_MAX_STAGES];
    float clip_plane[HAL_MAX_CLIP_PLANES][4];
    struct hal_material material;
    struct hal_light_table *lights;     /* by the application's index */
    struct hal_palette_table *palettes;
    struct hal_stream stream[HAL_MAX_STREAMS];
    uint32_t stream_frequency[HAL_MAX_STREAMS]; /* SETSTREAMSOURCEFREQ; 1: nothing special */
    bool frequencies_set;                       /* one of them is something special */
    uint32_t index_handle, index_stride;
    struct raster_rect scissor;
    uint32_t vertex_shader;   /* FVF, or a handle (bit 0 set) */
    bool is_declaration;      /* the handle is one of DirectX 9's declarations */
    uint32_t vertex_function; /* DirectX 9: code; 0: fixed function */
    uint32_t pixel_shader;
    struct hal_constants vertex_constants, pixel_constants;
    struct hal_query_table *queries; /* NULL until one is created */
    struct hal_texturing texturing;
    struct hal_feedback_step *feedback_steps; /* hal/resource/feedback_queue.c: for when the scene is drawn */
    unsigned feedback_step_count;
    size_t feedback_step_bytes; /* of the maps that draws between steps mark */

    struct hal_in_use in_use;
    struct hal_version *versions; /* hal/resource/buffer_renaming.c: textures as the scene that waits reads them */
    size_t version_bytes;
    struct hal_pipeline *pipeline;
    struct hal_front *front;

    /* the call under way */
    const struct hal_execute *execute;
    bool lacks_memory;    /* something of it is missing (hal_work_lacks_memory) */
    uint64_t work_layers; /* price of a layer over the largest target it has had */
    uint64_t work_limit;  /* its budget when it began, and what was added */
    double work_share;    /* the largest part of it that any call has used, 0..1 */
    /* scratch that grows and stays: transformed vertices */
    struct hal_vertex *vertices;
    struct raster_vertex *projected;
    struct raster_snapped *snapped; /* of vertices that are corners of triangles */
    size_t vertex_capacity;
};

/* Bytes of all palettes of a context: enough for the 65536 of Direct3D 8. */
#define HAL_MAX_PALETTE_BYTES ((size_t)96 << 20)

/* hal/resource/palette.c. Palettes are found by any DWORD the runtime chose (D3DHAL_DP2UPDATEPALETTE.dwPaletteHandle).
 *
 * hal_palette_entries: 256 words 0xAARRGGBB, with alpha 255 if `opaque`, to read before the next call; NULL if the
 * palette is unknown. hal_palette_version: another number for other entries, 0 if the palette is unknown. */
const uint32_t *hal_palette_entries(struct hal_context *context, uint32_t handle, bool opaque);
uint64_t hal_palette_version(const struct hal_context *context, uint32_t handle, bool opaque);
void hal_palette_update(struct hal_context *context, uint32_t handle, unsigned start, unsigned count,
                        const uint8_t *entries /* R, G, B, flags */);
void hal_palettes_destroy(struct hal_context *context);

/* hal/pixel/pipeline.c: brings raster state and pixel program up to date with the context for a draw. shader: the pixel
 * shader, NULL: the texture stages. transformed: vertices come transformed, so depth does not come from the viewport, and
 * table fog takes depth whatever the projection is. False: nothing can be drawn (no target). */
bool hal_pipeline_update(struct hal_context *context, const struct shader_program *shader, bool transformed);
/* The program is about to be destroyed. */
void hal_pipeline_forget(struct hal_context *context, const struct shader_program *program);
void hal_pipeline_destroy(struct hal_context *context);
/* hal_context_flush calls this after raster_flush: programs' values may be reused. */
void hal_pipeline_flushed(struct hal_context *context);

/* hal/resource/hazard.c: remembers that the scene reads or draws a surface, so that whoever touches it next flushes first. */
void hal_in_use_mark(struct hal_context *context, struct hal_surface *surface, bool write);
/* The scene does not use the surface any longer (hal/resource/buffer_renaming.c). */
void hal_in_use_remove(struct hal_context *context, struct hal_surface *surface);
/* hal_context_flush calls this after raster_flush: surfaces are free again, but for depth buffers if depth is owed. */
void hal_in_use_release(struct hal_context *context, bool owes_depth);
/* hal/resource/buffer_renaming.c: the scene has been drawn; frees what it kept of textures that went on. */
void hal_versions_drop(struct hal_context *context);
/* Binds the context's targets to the rasterizer and marks them as being drawn. False: there is none. Clears call it. */
bool hal_in_use_bind_targets(struct hal_context *context);

/* The attributes that the vertex side must deliver, valid after hal_pipeline_update. */
struct hal_pipeline_inputs {
    uint8_t count;
    uint8_t attribute[RASTER_MAX_INPUTS]; /* raster input i = enum hal_attribute attribute[i]; COUNT: none of them */
    uint8_t usage[RASTER_MAX_INPUTS], usage_index[RASTER_MAX_INPUTS]; /* the same as D3DDECLUSAGE and index */
    uint8_t mask[RASTER_MAX_INPUTS];      /* components read: bit 0 x .. bit 3 w */
    uint8_t divisor[RASTER_MAX_INPUTS];   /* component (1..4) that goes into component 4, by which the stage divides;
                                             0: leave it */
    bool raw_coordinates;  /* no divisor goes anywhere */
    bool unclamped_colors; /* between programs of model 3 colours keep their range */
    bool conservative;     /* what clipping leaves of a triangle stays one shape */
    bool beyond_view;      /* pixels are touched from beyond their centres, by samples or whole: the view's edges, which
                              go through the outermost centres, reject no triangle */
};
const struct hal_pipeline_inputs *hal_pipeline_inputs(const struct hal_context *context);
/* Makes hal_pipeline_inputs name these attributes (bit a: enum hal_attribute a), in their order, until the next
 * hal_pipeline_update with dirty bits; for vertices that are processed but not drawn. False: no memory. */
bool hal_pipeline_want(struct hal_context *context, uint32_t attributes);

#endif
