/* SPDX-License-Identifier: MIT */
/*
 * The device state as the API shows it (a shadow of what the driver was told), the setters that turn changes into
 * tokens, and which parts of it a state block covers. Knows no COM interface: the Direct3D 8 and 9 layers check
 * parameters and call in here. One state serves all versions; which tokens are sent is a matter of its rules (rules.h), and what
 * a version does not have keeps its initial value.
 */
#ifndef HALCYON_RUNTIME_STATE_H
#define HALCYON_RUNTIME_STATE_H

#include "d3d/bindings.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/object/resource.h"
#include "runtime/common/state/rules.h"

#define RT_STAGES               8 /* of the texture cascade */
#define RT_PIXEL_SAMPLERS       D3D_PIXEL_SAMPLERS
#define RT_DISPLACEMENT_SAMPLER RT_PIXEL_SAMPLERS
#define RT_SAMPLERS             D3D_SAMPLER_PLACES /* 16 of pixel shaders, 1 for displacement maps, 4 of vertex shaders */
#define RT_STAGE_STATES         33                 /* numbers of the DDI: stage states, including the sampler states */
#define RT_RENDER_STATES        256
#define RT_STREAMS              D3D_STREAMS
#define RT_CLIP_PLANES          6
#define RT_TARGETS              4
#define RT_POINT_STATES         7    /* points.c */
#define RT_VS_CONSTANTS         256  /* float vectors */
#define RT_SOFTWARE_CONSTANTS   8192 /* if vertices may be processed in software */
#define RT_PS_CONSTANTS         224
#define RT_OTHER_CONSTANTS      16 /* integer vectors, and booleans, of each shader */

enum {
    RT_TRANSFORM_VIEW,
    RT_TRANSFORM_PROJECTION,
    RT_TRANSFORM_TEXTURE0,
    RT_TRANSFORM_WORLD0 = RT_TRANSFORM_TEXTURE0 + RT_STAGES,
    RT_TRANSFORMS = RT_TRANSFORM_WORLD0 + 256,
};

struct rt_light {
    uint32_t index;
    bool enabled;
    D3DLIGHT8 light;
};

struct rt_stream {
    struct rt_resource *buffer;
    uint32_t stride;    /* bytes */
    uint32_t offset;    /* bytes; rules: has_stream_offsets */
    uint32_t frequency; /* D3DSTREAMSOURCE_* and a number; rules: has_frequencies; begins as 1 */
};

/* A surface to draw to. `chain` NULL: none. The caller that binds it keeps it alive. */
struct rt_target {
    struct rt_chain *chain;
    unsigned part;
};

/* Registers of shaders. */
enum rt_bank { RT_VS_FLOAT, RT_VS_INT, RT_VS_BOOL, RT_PS_FLOAT, RT_PS_INT, RT_PS_BOOL, RT_BANKS };

struct rt_state {
    const struct rt_state_rules *rules;
    uint32_t render[RT_RENDER_STATES];
    uint32_t stage[RT_SAMPLERS][RT_STAGE_STATES];
    D3DMATRIX transform[RT_TRANSFORMS];
    D3DVIEWPORT8 viewport;
    RECT scissor; /* rules: has_scissor */
    D3DMATERIAL8 material;
    float plane[RT_CLIP_PLANES][4];
    struct rt_light *lights;
    unsigned light_count, light_capacity;
    struct rt_resource *texture[RT_SAMPLERS];
    struct rt_stream stream[RT_STREAMS];
    struct rt_resource *indices;
    uint32_t base_vertex;                 /* of an API that sets it together with the indices */
    uint32_t vertex_shader, pixel_shader; /* RT_SHADERS_HANDLES */
    /* RT_SHADERS_OBJECTS; NULL: none, fixed function */
    struct rt_resource *declaration, *vertex_function, *pixel_function;
    uint32_t palette; /* number of the current texture palette */
    float vs_constant[RT_VS_CONSTANTS][4];
    float (*vs_software)[4]; /* those from RT_VS_CONSTANTS on, or NULL */
    float ps_constant[RT_PS_CONSTANTS][4];
    int32_t vs_int[RT_OTHER_CONSTANTS][4], ps_int[RT_OTHER_CONSTANTS][4];
    uint32_t vs_bool[RT_OTHER_CONSTANTS], ps_bool[RT_OTHER_CONSTANTS];
    struct rt_target target[RT_TARGETS], depth; /* in no state block */
};

/* Which members a state block holds; lights are those in the block's own list. */
struct rt_state_mask {
    uint32_t render[RT_RENDER_STATES / 32];
    uint64_t stage[RT_SAMPLERS];
    uint32_t transform[(RT_TRANSFORMS + 31) / 32];
    uint32_t vs_constant[RT_SOFTWARE_CONSTANTS / 32];
    uint32_t ps_constant[RT_PS_CONSTANTS / 32];
    uint32_t vs_int, vs_bool, ps_int, ps_bool;
    uint32_t planes, textures, streams, frequencies;
    bool viewport, scissor, material, lights, indices, declaration, vertex_shader, pixel_shader, palette;
};

/* Functions of the API layer that the state layer calls at draw time. */
struct rt_state_ops {
    /* The driver's handle of a texture; makes its driver side and uploads stale parts. */
    uint32_t (*texture_handle)(struct rt_resource *texture);
    uint32_t (*buffer_handle)(struct rt_resource *buffer);
    /* RT_SHADERS_HANDLES: maps the API's vertex shader handle to the driver's. */
    uint32_t (*vertex_shader)(void *user, uint32_t handle);
    uint32_t (*pixel_shader)(void *user, uint32_t handle);
    /* RT_SHADERS_OBJECTS: the driver's handle of a declaration, vertex shader or pixel shader. */
    uint32_t (*object)(struct rt_resource *object);
};

enum rt_answer { RT_UNKNOWN, RT_YES, RT_NO };

/* The device's current state and its way to the driver. */
struct rt_pipe {
    struct rt_state state;
    struct rt_link *link;
    const struct rt_state_ops *ops;
    void *user;
    /* Bindings are told to the driver at the next draw. */
    uint32_t dirty_textures, dirty_streams, dirty_frequencies;
    bool plain_frequencies; /* the driver uses no stream frequencies, for a draw from user memory */
    uint32_t dirty_targets; /* bit i: target i; bit RT_TARGETS: depth */
    bool dirty_indices, dirty_declaration, dirty_vertex_shader, dirty_pixel_shader;
    uint32_t um_stride;                /* of the UM stream now bound to stream 0; 0: none */
    float w_range[2];                  /* of the W buffer, as the driver knows it */
    enum rt_answer software_constants; /* the driver takes those of RT_SOFTWARE_CONSTANTS */
    /* A pure device: `state` holds bindings, shaders and the viewport. Only the driver knows every other value
     * (`state` keeps the context's defaults), so each setter sends its argument unconditionally (DirectX 8 DDI
     * document, "Pure Device Support"). */
    bool pure;
    /* How many times as large as the program believes target 0 is (object/resolution.h): the driver is told other values in pixels
     * than `state` holds. 0: it is not enlarged. */
    uint32_t times;
    uint32_t point_states[RT_POINT_STATES]; /* as the driver was told last */
    uint32_t sent_vertex_shader;            /* RT_SHADERS_HANDLES: the driver's handle */
    bool
        samples_hidden; /* target 0 has samples that the program has not asked for (device/multisample.h), all of which are drawn to */
    bool points_enlarged; /* they may differ from those of `state` */
    uint32_t
        anisotropy; /* HALCYON_ANISOTROPY: what samplers with linear filters are sent with at least; 0, 1: nothing changes */
};

/* Index of a D3DTS_* value in rt_state.transform; -1 if there is none. */
int rt_transform_index(uint32_t type);
/* Index of a sampler's number (0-15, D3DDMAPSAMPLER, D3DVERTEXTEXTURESAMPLER0 and on) in rt_state.texture and .stage; -1 if there is
 * none. Stages are samplers 0 to 7. */
int rt_sampler_index(uint32_t sampler);
/* The stage state by which the DDI passes a D3DSAMP_* value; 0 if there is none. */
unsigned rt_sampler_state(uint32_t type);
/* Is it a D3DTSS_* value that an API with these rules has? */
bool rt_is_stage_state(const struct rt_state_rules *rules, uint32_t type);

/* Sets the initial state of a device (docs/reference/device-state.md, sections 15 and 16). `state` must not hold
 * anything that needs freeing. */
struct rt_state_options {
    const struct rt_state_rules *rules;
    bool depth_buffer; /* ZENABLE is on */
    float max_point_size;
    bool software; /* vertices may be processed in software: RT_SOFTWARE_CONSTANTS */
};
/* False: out of memory; the rest is set all the same. */
bool rt_state_init(struct rt_state *state, const struct rt_state_options *options);
/* Drops all bindings and memory. */
void rt_state_release(struct rt_state *state);

/* Sends everything; for a new context. */
void rt_pipe_resend(struct rt_pipe *pipe);
/* Unbinds textures, streams, indices, shaders and declaration, and targets, as Reset does. */
void rt_pipe_unbind(struct rt_pipe *pipe);
/* Handles of textures have changed: all textures are sent again before the next draw. */
void rt_pipe_resend_textures(struct rt_pipe *pipe);
/* Sends the shaders that have been set since the last draw; called before any token that uses the driver's current
 * state. */
void rt_pipe_bind_shaders(struct rt_pipe *pipe);
/* Sends the textures that have been set since the last draw. */
void rt_pipe_bind_textures(struct rt_pipe *pipe);
/* Sends the targets that have been set since the last draw or clear; called before each draw and clear. An
 * API that sets targets together (rules) sends target 0 and depth, and nothing while there is no target. */
void rt_pipe_bind_targets(struct rt_pipe *pipe);
/* Before a draw: bindings, targets too. `um_stride`: stream 0 comes from user memory, and frequencies do not count. */
void rt_pipe_bind(struct rt_pipe *pipe, uint32_t um_stride, uint32_t index_handle, uint32_t index_stride);

/* Setters of plain values into a state (recording), and into a pipe (with tokens). */
void rt_set_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value);
void rt_set_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value);
void rt_set_transform(struct rt_pipe *pipe, int index, const D3DMATRIX *matrix);
/* Replaces the current matrix M by matrix * M; on a pure device the driver multiplies (MULTIPLYTRANSFORM). */
void rt_multiply_transform(struct rt_pipe *pipe, int index, const D3DMATRIX *matrix);
void rt_set_viewport(struct rt_pipe *pipe, const D3DVIEWPORT8 *viewport);
void rt_set_material(struct rt_pipe *pipe, const D3DMATERIAL8 *material);
void rt_set_clip_plane(struct rt_pipe *pipe, unsigned index, const float *plane);
bool rt_set_light(struct rt_pipe *pipe, uint32_t index, const D3DLIGHT8 *light);
bool rt_enable_light(struct rt_pipe *pipe, uint32_t index, bool enable);
/* The driver has a light of this index afterwards (CREATELIGHT). False: out of memory. */
bool rt_create_light(struct rt_pipe *pipe, uint32_t index);
void rt_set_texture(struct rt_pipe *pipe, unsigned stage, struct rt_resource *texture);
void rt_set_stream(struct rt_pipe *pipe, unsigned stream, struct rt_resource *buffer, uint32_t stride);
void rt_set_stream_source(struct rt_pipe *pipe, unsigned stream, struct rt_resource *buffer, uint32_t offset,
                          uint32_t stride);
void rt_set_stream_frequency(struct rt_pipe *pipe, unsigned stream, uint32_t frequency);
void rt_set_indices(struct rt_pipe *pipe, struct rt_resource *buffer, uint32_t base_vertex);
void rt_set_vertex_shader(struct rt_pipe *pipe, uint32_t handle);
void rt_set_pixel_shader(struct rt_pipe *pipe, uint32_t handle);
void rt_set_vs_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values);
void rt_set_ps_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values);

/* `index`: 0 to RT_TARGETS - 1. Neither holds the chain. */
void rt_set_target(struct rt_pipe *pipe, unsigned index, struct rt_chain *chain, unsigned part);
void rt_set_depth(struct rt_pipe *pipe, struct rt_chain *chain, unsigned part);
void rt_set_scissor(struct rt_pipe *pipe, const RECT *scissor);
/* Objects whose handle ops->object returns; NULL: none, or the fixed function. */
void rt_set_declaration(struct rt_pipe *pipe, struct rt_resource *declaration);
void rt_set_vertex_function(struct rt_pipe *pipe, struct rt_resource *shader);
void rt_set_pixel_function(struct rt_pipe *pipe, struct rt_resource *shader);
/* `count` registers from `first` on: vectors of four floats or integers, or BOOLs. The caller keeps within
 * rt_constant_limit. A state has more float vectors of vertex shaders if it began with `software`. */
void rt_set_constants(struct rt_pipe *pipe, enum rt_bank bank, unsigned first, unsigned count, const void *values);
void rt_get_constants(const struct rt_state *state, enum rt_bank bank, unsigned first, unsigned count, void *values);
unsigned rt_constant_limit(const struct rt_state *state, enum rt_bank bank);
/* NPatchMode and software vertex processing are the render states PATCHSEGMENTS (a float) and SOFTWAREVERTEXPROCESSING of
 * the DDI; no state block holds them. */

/* Target 0 is so many times as large as the program believes; 0, 1: it is not enlarged. */
void rt_pipe_set_times(struct rt_pipe *pipe, uint32_t times);
/* Target 0 has samples that the program does not know of: states of the program's do not switch them off. */
void rt_pipe_hide_samples(struct rt_pipe *pipe, bool hide);

/* Only sends tokens; the pipe does not change. `handle` is the API's; returns the driver's. */
void rt_send_viewport(struct rt_pipe *pipe, const D3DVIEWPORT8 *viewport);
uint32_t rt_send_vertex_shader(struct rt_pipe *pipe, uint32_t handle);
uint32_t rt_send_pixel_shader(struct rt_pipe *pipe, uint32_t handle);

/* The default light: white, directional, along +z, off. */
void rt_light_default(struct rt_light *light, uint32_t index);
/* The light with this index; NULL if never set. `rt_light_make` adds a default one. */
struct rt_light *rt_light_find(const struct rt_state *state, uint32_t index);
struct rt_light *rt_light_make(struct rt_state *state, uint32_t index);

/* *place = resource, with holds moved. */
void rt_bind_resource(struct rt_resource **place, struct rt_resource *resource);

#endif
