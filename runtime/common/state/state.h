/* SPDX-License-Identifier: MIT */
/*
 * The device state as the API shows it (a shadow of what the driver was told), the setters that
 * turn changes into tokens, and which parts of it a state block covers. Knows no COM interface: the
 * Direct3D 8 and 9 layers check parameters and call in here.
 */
#ifndef HALCYON_RUNTIME_STATE_H
#define HALCYON_RUNTIME_STATE_H

#include "runtime/common/driver/link.h"
#include "runtime/common/object/resource.h"

#define RT_STAGES        8
#define RT_STAGE_STATES  32
#define RT_RENDER_STATES 256
#define RT_STREAMS       16
#define RT_CLIP_PLANES   6
#define RT_VS_CONSTANTS  256
#define RT_PS_CONSTANTS  32

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
    uint32_t stride;
};

struct rt_state {
    uint32_t render[RT_RENDER_STATES];
    uint32_t stage[RT_STAGES][RT_STAGE_STATES];
    D3DMATRIX transform[RT_TRANSFORMS];
    D3DVIEWPORT8 viewport;
    D3DMATERIAL8 material;
    float plane[RT_CLIP_PLANES][4];
    struct rt_light *lights;
    unsigned light_count, light_capacity;
    struct rt_resource *texture[RT_STAGES];
    struct rt_stream stream[RT_STREAMS];
    struct rt_resource *indices;
    uint32_t base_vertex;
    uint32_t vertex_shader, pixel_shader; /* the API's handles */
    uint32_t palette;                     /* number of the current texture palette */
    float vs_constant[RT_VS_CONSTANTS][4];
    float ps_constant[RT_PS_CONSTANTS][4];
};

/* Which members a state block holds; lights are those in the block's own list. */
struct rt_state_mask {
    uint32_t render[RT_RENDER_STATES / 32];
    uint32_t stage[RT_STAGES];
    uint32_t transform[(RT_TRANSFORMS + 31) / 32];
    uint32_t vs_constant[RT_VS_CONSTANTS / 32];
    uint32_t ps_constant[RT_PS_CONSTANTS / 32];
    uint32_t planes, textures, streams;
    bool viewport, material, lights, indices, vertex_shader, pixel_shader, palette;
};

/* Functions by which the state layer asks the API layer at draw time. */
struct rt_state_ops {
    /* The driver's handle of a texture; makes its driver side and uploads what is stale. */
    uint32_t (*texture_handle)(struct rt_resource *texture);
    uint32_t (*buffer_handle)(struct rt_resource *buffer);
    /* The driver's handle for the API's vertex shader handle. */
    uint32_t (*vertex_shader)(void *user, uint32_t handle);
    uint32_t (*pixel_shader)(void *user, uint32_t handle);
};

/* The device's current state and its way to the driver. */
struct rt_pipe {
    struct rt_state state;
    struct rt_link *link;
    const struct rt_state_ops *ops;
    void *user;
    /* Bindings are told to the driver at the next draw. */
    uint32_t dirty_textures, dirty_streams;
    bool dirty_indices, dirty_vertex_shader, dirty_pixel_shader;
    uint32_t um_stride; /* of the UM stream now bound to stream 0; 0 none */
    float w_range[2];   /* of the W buffer, as the driver knows it */
    /* A pure device: `state` holds bindings, shaders and the viewport; every other value lies with the driver alone (the
     * context's defaults stay in `state`), so each setter sends what it is given (DirectX 8 DDI document, "Pure Device Support"). */
    bool pure;
};

/* Index of a D3DTS_* value in rt_state.transform; -1 if there is none. */
int rt_transform_index(uint32_t type);

/* Direct3D 8 defaults (docs/reference/device-state.md, sections 15 and 16). */
void rt_state_defaults(struct rt_state *state, bool depth_buffer, float max_point_size);
/* Drops all bindings and memory. */
void rt_state_release(struct rt_state *state);

/* Tells the driver everything; for a new context. */
void rt_pipe_resend(struct rt_pipe *pipe);
/* Sends the shaders that have been set since the last draw: before whatever makes the driver look at its current state. */
void rt_pipe_bind_shaders(struct rt_pipe *pipe);
/* Sends the textures that have been set since the last draw. */
void rt_pipe_bind_textures(struct rt_pipe *pipe);
/* Before a draw: bindings. `um_stride`: stream 0 comes from user memory. */
void rt_pipe_bind(struct rt_pipe *pipe, uint32_t um_stride, uint32_t index_handle, uint32_t index_stride);

/* Setters of plain values into a state (recording), and into a pipe (with tokens). */
void rt_set_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value);
void rt_set_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value);
void rt_set_transform(struct rt_pipe *pipe, int index, const D3DMATRIX *matrix);
/* The matrix becomes matrix * what it was; the driver multiplies for a pure device (MULTIPLYTRANSFORM). */
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
void rt_set_indices(struct rt_pipe *pipe, struct rt_resource *buffer, uint32_t base_vertex);
void rt_set_vertex_shader(struct rt_pipe *pipe, uint32_t handle);
void rt_set_pixel_shader(struct rt_pipe *pipe, uint32_t handle);
void rt_set_vs_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values);
void rt_set_ps_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values);

/* Tokens alone: the pipe goes on as it was. `handle` is the API's; the driver's is returned. */
void rt_send_viewport(struct rt_pipe *pipe, const D3DVIEWPORT8 *viewport);
uint32_t rt_send_vertex_shader(struct rt_pipe *pipe, uint32_t handle);
uint32_t rt_send_pixel_shader(struct rt_pipe *pipe, uint32_t handle);

/* The light with this index; NULL if never set. `rt_light_make` adds a default one (white,
 * directional, along +z). */
struct rt_light *rt_light_find(const struct rt_state *state, uint32_t index);
struct rt_light *rt_light_make(struct rt_state *state, uint32_t index);

/* *place = resource, with holds moved. */
void rt_bind_resource(struct rt_resource **place, struct rt_resource *resource);

#endif
